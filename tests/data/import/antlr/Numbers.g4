// Numbers and names of the Common Expression Language: "Language Definition" (google/cel-spec,
// doc/langdef.md), section Syntax.
lexer grammar Numbers;

FLOAT : DIGIT* '.' DIGIT+ EXPONENT? | DIGIT+ EXPONENT ;
UINT  : INT [uU] ;
INT   : DIGIT+ | '0x' HEXIT+ ;
// Not to be read as a number and a name.
MALFORMED : ( FLOAT | UINT | INT ) [_a-zA-Z0-9]+ ;

NAME : [_a-zA-Z] [_a-zA-Z0-9]* ;

fragment DIGIT    : '0'..'9' ;
fragment HEXIT    : DIGIT | 'a'..'f' | 'A'..'F' ;
fragment EXPONENT : [eE] [+\-]? DIGIT+ ;
