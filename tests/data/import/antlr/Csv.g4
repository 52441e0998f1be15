// Comma-separated values: RFC 4180, "Common Format and MIME Type for Comma-Separated Values (CSV) Files",
// section 2. A field may be empty.
grammar Csv;

file : record ( CRLF record )* EOF ;

record : field ( COMMA field )* ;

field
    : ESCAPED
    | TEXT
    |
    ;

COMMA : ',' ;
CRLF  : '\r\n' ;

ESCAPED : '"' ( TEXTDATA | [,\r\n] | '""' )* '"' ;
TEXT    : TEXTDATA+ ;

fragment TEXTDATA : [\u0020-\u0021\u0023-\u002B\u002D-\u007E] ;
