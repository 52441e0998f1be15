// XML: "Extensible Markup Language (XML) 1.0 (Fifth Edition)", W3C Recommendation, without the internal
// subset of document type declarations; white space alone between tags is skipped. That the names of start and end tags are the same is for the reader.
parser grammar XmlParser;

options { tokenVocab = XmlLexer; }

// [1], [22], [27]
document : prolog element misc* EOF ;
prolog   : declaration? misc* ( type misc* )? ;
misc     : COMMENT | INSTRUCTION ;

// [23], [28], [75]
declaration : XML_OPEN attribute+ XML_CLOSE ;
type        : DOCTYPE NAME_TOKEN external? '>' ;
external    : NAME_TOKEN VALUE VALUE? ;

// [39], [40], [41], [42], [43], [44]
element
    : '<' name=NAME_TOKEN attribute* '>' content '</' end=NAME_TOKEN '>'
    | '<' name=NAME_TOKEN attribute* '/>'
    ;
attribute : NAME_TOKEN '=' VALUE ;
content   : ( element | reference | CDATA | INSTRUCTION | COMMENT | TEXT )* ;
reference : ENTITY | CHARACTER ;
