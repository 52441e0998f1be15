// The tokens of XML: "Extensible Markup Language (XML) 1.0 (Fifth Edition)", W3C Recommendation. What a
// character means depends on whether it stands in a tag, in a processing instruction or outside.
lexer grammar XmlLexer;

// Outside of tags. [15], [18], [66], [67], [68], [14]
COMMENT     : '<!--' ( CHAR_NOT_DASH | '-' CHAR_NOT_DASH )* '-->' ;
CDATA       : '<![CDATA[' .*? ']]>' ;
CHARACTER   : '&#' [0-9]+ ';' | '&#x' [0-9a-fA-F]+ ';' ;
ENTITY      : '&' NAME ';' ;
XML_OPEN    : '<?xml' SPACE -> pushMode(TAG) ;
DOCTYPE     : '<!DOCTYPE' SPACE -> pushMode(TAG) ;
OPEN_INSTRUCTION : '<?' NAME -> more, pushMode(IN_INSTRUCTION) ;
END_OPEN    : '</' -> pushMode(TAG) ;
OPEN        : '<' -> pushMode(TAG) ;
SEA_SPACE   : SPACE+ -> skip ;
TEXT        : ~[<&]+ ;

fragment NAME       : NAME_START NAME_CHAR* ;
fragment NAME_START : [:A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}] ;
fragment NAME_CHAR  : NAME_START | [-.0-9\u00B7\u0300-\u036F\u203F-\u2040] ;
fragment SPACE      : [ \t\r\n] ;
fragment CHAR_NOT_DASH : ~[-] ;

// [40], [41], [42], [10], [23], [28]
mode TAG;

CLOSE       : '>' -> popMode ;
SLASH_CLOSE : '/>' -> popMode ;
XML_CLOSE   : '?>' -> popMode ;
EQUALS      : '=' ;
VALUE       : '"' ( ~[<&"] | REFERENCE )* '"' | '\'' ( ~[<&'] | REFERENCE )* '\'' ;
NAME_TOKEN  : NAME ;
SPACES      : SPACE+ -> skip ;

fragment REFERENCE : '&' NAME ';' | '&#' [0-9]+ ';' | '&#x' [0-9a-fA-F]+ ';' ;

// [16]
mode IN_INSTRUCTION;

INSTRUCTION      : '?>' -> popMode ;
INSTRUCTION_TEXT : . -> more ;
