// The language of grammars/expr.pleach, rule by rule. Layout stands where that grammar has it: after
// a slash it does not begin with one, or the slash would begin a comment. Reserved words are not
// taken out of identifiers, for ANTLR's notation has no such difference.
grammar Expr;

start : LAYOUT expr ;
expr : addition ;
addition : multiplication | addition ( '+' | '-' ) LAYOUT multiplication ;
multiplication : unary | multiplication ( ( '*' | '%' ) LAYOUT | '/' ( WHITESPACE LAYOUT )? ) unary ;
unary : primary | ( '-' LAYOUT )+ primary ;
primary : IDENT LAYOUT | '(' LAYOUT expr ')' LAYOUT | literal LAYOUT ;

literal : INT_LIT | UINT_LIT | FLOAT_LIT ;

INT_LIT : DIGIT+ | '0x' HEXDIGIT+ ;
UINT_LIT : INT_LIT ( 'u' | 'U' ) ;
FLOAT_LIT : DIGIT* '.' DIGIT+ EXPONENT? | DIGIT+ EXPONENT ;
fragment EXPONENT : ( 'e' | 'E' ) ( '+' | '-' )? DIGIT+ ;
fragment DIGIT : [0-9] ;
fragment HEXDIGIT : [0-9a-fA-F] ;
IDENT : [_a-zA-Z] [_a-zA-Z0-9]* ;
LAYOUT : ( WHITESPACE | COMMENT )* ;
WHITESPACE : [\t\n\f\r ]+ ;
fragment COMMENT : '//' ~[\r\n]* '\r'? '\n' ;
