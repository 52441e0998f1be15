// The language of grammars/uri.pleach and grammars/ip.pleach, rule by rule.
grammar Uri;

uriReference : uri | relativeRef ;

relativeRef : relativePart ( '?' query )? ( '#' frag )? ;
relativePart : '//' authority pathAbempty | pathAbsolute | pathNoscheme | ;

uri : absoluteUri ( '#' frag )? ;
absoluteUri : scheme ':' hierPart ( '?' query )? ;
hierPart : '//' authority pathAbempty | pathAbsolute | pathRootless | ;

scheme : ALPHA ( ALPHA | DIGIT | '+' | '-' | '.' )* ;

authority : ( userinfo '@' )? host ( ':' port )? ;
userinfo : ( unreserved | pctEncoded | subDelims | ':' )* ;
host : ipLiteral | ipv4Address | regName ;
port : DIGIT* ;

ipLiteral : '[' ( ipv6Address | ipvFuture ) ']' ;
ipvFuture : ( 'v' | 'V' ) HEXDIG+ '.' ( unreserved | subDelims | ':' )+ ;
regName : ( unreserved | pctEncoded | subDelims )* ;

pathAbempty : ( '/' segment )* ;
pathAbsolute : '/' ( segmentNz ( '/' segment )* )? ;
pathNoscheme : segmentNzNc ( '/' segment )* ;
pathRootless : segmentNz ( '/' segment )* ;

segment : pchar* ;
segmentNz : pchar+ ;
segmentNzNc : ( unreserved | pctEncoded | subDelims | '@' )+ ;
pchar : unreserved | pctEncoded | subDelims | ':' | '@' ;

query : ( pchar | '/' | '?' )* ;
frag : ( pchar | '/' | '?' )* ;

pctEncoded : '%' HEXDIG HEXDIG ;
unreserved : ALPHA | DIGIT | '-' | '.' | '_' | '~' ;
subDelims : '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | ';' | '=' ;

ipv6Address
    : h16 ':' h16 ':' h16 ':' h16 ':' h16 ':' h16 ':' ls32
    | '::' h16 ':' h16 ':' h16 ':' h16 ':' h16 ':' ls32
    | h16? '::' h16 ':' h16 ':' h16 ':' h16 ':' ls32
    | upTo1? '::' h16 ':' h16 ':' h16 ':' ls32
    | upTo2? '::' h16 ':' h16 ':' ls32
    | upTo3? '::' h16 ':' ls32
    | upTo4? '::' ls32
    | upTo5? '::' h16
    | upTo6? '::'
    ;
upTo1 : ( h16 ':' )? h16 ;
upTo2 : ( ( h16 ':' )? h16 ':' )? h16 ;
upTo3 : ( ( ( h16 ':' )? h16 ':' )? h16 ':' )? h16 ;
upTo4 : ( ( ( ( h16 ':' )? h16 ':' )? h16 ':' )? h16 ':' )? h16 ;
upTo5 : ( ( ( ( ( h16 ':' )? h16 ':' )? h16 ':' )? h16 ':' )? h16 ':' )? h16 ;
upTo6 : ( ( ( ( ( ( h16 ':' )? h16 ':' )? h16 ':' )? h16 ':' )? h16 ':' )? h16 ':' )? h16 ;
h16 : HEXDIG | HEXDIG HEXDIG | HEXDIG HEXDIG HEXDIG | HEXDIG HEXDIG HEXDIG HEXDIG ;
ls32 : h16 ':' h16 | ipv4Address ;
ipv4Address : decOctet '.' decOctet '.' decOctet '.' decOctet ;
decOctet : DIGIT | DIGIT1 DIGIT | '1' DIGIT DIGIT | '2' DIGIT4 DIGIT | '25' DIGIT5 ;

ALPHA : [A-Za-z] ;
DIGIT : [0-9] ;
DIGIT1 : [1-9] ;
DIGIT4 : [0-4] ;
DIGIT5 : [0-5] ;
HEXDIG : [0-9A-Fa-f] ;
