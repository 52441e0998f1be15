// JSON: RFC 8259, "The JavaScript Object Notation (JSON) Data Interchange Format".
grammar Json;

// Section 2
json : value EOF ;

value
    : object            # ObjectValue
    | array             # ArrayValue
    | STRING            # StringValue
    | NUMBER            # NumberValue
    | 'true'            # TrueValue
    | 'false'           # FalseValue
    | 'null'            # NullValue
    ;

// Section 4
object : '{' ( members+=member ( ',' members+=member )* )? '}' ;
member : name=STRING ':' value ;

// Section 5
array : '[' ( value ( ',' value )* )? ']' ;

// Section 6
NUMBER : '-'? INT FRAC? EXP? ;

fragment INT  : '0' | [1-9] [0-9]* ;
fragment FRAC : '.' [0-9]+ ;
fragment EXP  : [eE] [+\-]? [0-9]+ ;

// Section 7
STRING : '"' ( UNESCAPED | ESCAPE )* '"' ;

fragment UNESCAPED : ~["\\\u0000-\u001F] ;
fragment ESCAPE    : '\\' ( ["\\/bfnrt] | 'u' HEX HEX HEX HEX ) ;
fragment HEX       : [0-9a-fA-F] ;

// Section 2
WS : [ \t\n\r]+ -> skip ;
