// Arithmetic: the operators of the Common Expression Language on numbers and variables. CEL, "Language
// Definition" (google/cel-spec, doc/langdef.md), section Syntax. Strings may hold expressions in braces,
// which CEL has not.
grammar Arithmetic;

import Numbers;

start_ : expression EOF ;

expression
    : atom                                          # AtomExpression
    | '!' expression                                # Not
    | '-' expression                                # Minus
    | expression op=( '*' | '/' | '%' ) expression  # Product
    | expression op=( '+' | '-' ) expression        # Sum
    | expression op=relation expression             # Comparison
    | expression '&&' expression                    # Conjunction
    | expression '||' expression                    # Disjunction
    | <assoc=right> expression '?' expression ':' expression # Conditional
    ;

relation : '<' | '<=' | '>' | '>=' | '==' | '!=' | 'in' ;

atom
    : literal
    | NAME
    | NAME '(' ( arguments+=expression ( ',' arguments+=expression )* )? ')'
    | '(' expression ')'
    | '[' ( expression ( ',' expression )* )? ']'
    ;

literal : INT | UINT | FLOAT | 'true' | 'false' | 'null' | STRING ;

STRING : '"' ( '\\' . | ~["\\\r\n] )* '"' ;

RESERVED : 'as' | 'break' | 'const' | 'continue' | 'else' | 'for' | 'function' | 'if' | 'import' | 'let'
         | 'loop' | 'package' | 'namespace' | 'return' | 'var' | 'void' | 'while' ;

COMMENT : '//' ~[\r\n]* -> skip ;
SPACES  : [ \t\f\r\n]+ -> skip ;
