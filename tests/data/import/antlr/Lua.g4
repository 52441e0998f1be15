// Lua: the Lua 5.4 Reference Manual, section 9, The Complete Syntax of Lua, with the lexical conventions of
// section 3.1. Long brackets are of the levels 0 to 2. Operators have the precedence of section 3.4.8.
grammar Lua;

chunk : block EOF ;

block : stat* retstat? ;

stat
    : ';'
    | varlist '=' explist
    | functioncall
    | label
    | 'break'
    | 'goto' NAME
    | 'do' block 'end'
    | 'while' exp 'do' block 'end'
    | 'repeat' block 'until' exp
    | 'if' exp 'then' block ( 'elseif' exp 'then' block )* ( 'else' block )? 'end'
    | 'for' NAME '=' exp ',' exp ( ',' exp )? 'do' block 'end'
    | 'for' namelist 'in' explist 'do' block 'end'
    | 'function' funcname funcbody
    | 'local' 'function' NAME funcbody
    | 'local' attnamelist ( '=' explist )?
    ;

attnamelist : NAME attrib ( ',' NAME attrib )* ;
attrib      : ( '<' NAME '>' )? ;
retstat     : 'return' explist? ';'? ;
label       : '::' NAME '::' ;
funcname    : NAME ( '.' NAME )* ( ':' NAME )? ;
varlist     : var_ ( ',' var_ )* ;
namelist    : NAME ( ',' NAME )* ;
explist     : exp ( ',' exp )* ;

exp
    : 'nil' | 'false' | 'true'
    | number
    | string
    | '...'
    | functiondef
    | prefixexp
    | tableconstructor
    | <assoc=right> exp '^' exp
    | ( 'not' | '#' | '-' | '~' ) exp
    | exp ( '*' | '/' | '//' | '%' ) exp
    | exp ( '+' | '-' ) exp
    | <assoc=right> exp '..' exp
    | exp ( '<<' | '>>' ) exp
    | exp '&' exp
    | exp '~' exp
    | exp '|' exp
    | exp ( '<' | '>' | '<=' | '>=' | '~=' | '==' ) exp
    | exp 'and' exp
    | exp 'or' exp
    ;

var_         : NAME | prefixexp ( '[' exp ']' | '.' NAME ) ;
prefixexp    : ( NAME | '(' exp ')' ) suffix* ;
suffix       : '[' exp ']' | '.' NAME | call ;
call         : ( ':' NAME )? args ;
functioncall : prefixexp call ;
args         : '(' explist? ')' | tableconstructor | string ;

functiondef : 'function' funcbody ;
funcbody    : '(' parlist? ')' block 'end' ;
parlist     : namelist ( ',' '...' )? | '...' ;

tableconstructor : '{' fieldlist? '}' ;
fieldlist        : field ( fieldsep field )* fieldsep? ;
field            : '[' exp ']' '=' exp | NAME '=' exp | exp ;
fieldsep         : ',' | ';' ;

number : INT | HEX | FLOAT | HEX_FLOAT ;
string : NORMALSTRING | CHARSTRING | LONGSTRING ;

NAME : [a-zA-Z_] [a-zA-Z_0-9]* ;

INT       : DIGIT+ ;
HEX       : '0' [xX] HEXIT+ ;
FLOAT     : DIGIT+ '.' DIGIT* EXPONENT? | '.' DIGIT+ EXPONENT? | DIGIT+ EXPONENT ;
HEX_FLOAT : '0' [xX] ( HEXIT+ '.' HEXIT* | '.' HEXIT+ ) BINARY_EXPONENT? | '0' [xX] HEXIT+ BINARY_EXPONENT ;
// A number takes all letters and digits that follow it; what is then no number is an error.
MALFORMED : ( INT | HEX | FLOAT | HEX_FLOAT ) [0-9a-zA-Z_]+ ;

fragment DIGIT           : [0-9] ;
fragment HEXIT           : [0-9a-fA-F] ;
fragment EXPONENT        : [eE] [+\-]? DIGIT+ ;
fragment BINARY_EXPONENT : [pP] [+\-]? DIGIT+ ;

NORMALSTRING : '"' ( ESCAPE | ~["\\\r\n] )* '"' ;
CHARSTRING   : '\'' ( ESCAPE | ~['\\\r\n] )* '\'' ;
LONGSTRING   : LONG ;

fragment ESCAPE
    : '\\' [abfnrtvz"'|$#\\\n]
    | '\\x' HEXIT HEXIT
    | '\\' ( [01]? DIGIT? DIGIT | '2' [0-4] DIGIT | '25' [0-5] )
    | '\\u{' '0'* HEXIT HEXIT? HEXIT? HEXIT? HEXIT? '}'
    ;
fragment LONG
    : '[[' .*? ']]'
    | '[=[' .*? ']=]'
    | '[==[' .*? ']==]'
    ;

LONG_COMMENT : '--' LONG -> channel(HIDDEN) ;
// A comment that begins with a long bracket is a long one, though its bracket may not be closed.
COMMENT      : '--' ( '[' '='* ~[=[\r\n] ~[\r\n]* | '[' '='* | ~[[\r\n] ~[\r\n]* | ) -> channel(HIDDEN) ;
WS           : [ \t\u000B\u000C\r\n]+ -> skip ;
