// The language of grammars/json.pleach, rule by rule.
grammar Json;

json : WS value WS ;

value : 'false' | 'null' | 'true' | object | array | number | string ;

object : WS '{' WS ( member ( WS ',' WS member )* )? WS '}' WS ;
member : string WS ':' WS value ;
array : WS '[' WS ( value ( WS ',' WS value )* )? WS ']' WS ;

number : '-'? int frac? exp? ;
int : '0' | DIGIT1 DIGIT* ;
frac : '.' DIGIT+ ;
exp : ( 'e' | 'E' ) ( '-' | '+' )? DIGIT+ ;

string : '"' char* '"' ;
char : UNESCAPED | '\\' ( '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u' HEXDIG HEXDIG HEXDIG HEXDIG ) ;

WS : [ \t\n\r]* ;
DIGIT1 : [1-9] ;
DIGIT : [0-9] ;
HEXDIG : [0-9a-fA-F] ;
UNESCAPED : [\u0020-\u0021\u0023-\u005B\u005D-\uD7FF\uE000-\u{10FFFF}] ;
