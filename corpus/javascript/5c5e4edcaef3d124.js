pc0i6tLV8𫖘c
switch(p഻){case kI2𤘽Sၚ𣺾ec𑌀i:try{var bHꩀÖ4BY}catch(tu){break}finally{𗫳}}