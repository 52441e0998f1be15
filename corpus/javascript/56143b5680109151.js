function g(){𠀀G7𑻶󠄉8Tswitch(v){case y:WA𜼭4_6fvnቘd࠙5
 f_r\u0054ZI=BMb࡛C䤨;}}