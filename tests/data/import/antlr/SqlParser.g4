// SQL: ISO/IEC 9075-2:2016, "Information technology - Database languages - SQL - Part 2: Foundation".
// Sections are named where their rules stand. Queries, data manipulation, and definitions of tables, views,
// indexes and privileges.
parser grammar SqlParser;

options { tokenVocab = SqlLexer; }

script : statement ( ';' statement )* ';'? EOF ;

statement
    : query_statement
    | insert_statement
    | update_statement
    | delete_statement
    | merge_statement
    | create_table
    | create_view
    | create_index
    | alter_table
    | drop_statement
    | grant_statement
    | revoke_statement
    | transaction_statement
    ;

// 7.17, <query expression>

query_statement : with_clause? query_expression order_by_clause? offset_clause? fetch_clause? ;

with_clause  : WITH RECURSIVE? with_element ( ',' with_element )* ;
with_element : query_name column_list_in_parens? AS subquery ;

query_expression
    : left=query_expression INTERSECT set_quantifier? right=query_expression             # Intersection
    | left=query_expression op=( UNION | EXCEPT ) set_quantifier? right=query_expression # UnionOrExcept
    | query_primary                                                                      # Primary
    ;

query_primary
    : query_specification
    | table_value_constructor
    | explicit_table
    | subquery
    ;

explicit_table          : TABLE table_name ;
table_value_constructor : VALUES row_value ( ',' row_value )* ;
row_value               : ROW? '(' value_list ')' ;

order_by_clause : ORDER BY sort_specification ( ',' sort_specification )* ;
sort_specification : expression ordering=( ASC | DESC )? null_ordering? ;
null_ordering   : NULLS ( FIRST | LAST ) ;
offset_clause   : OFFSET expression ( ROW | ROWS ) ;
fetch_clause    : FETCH ( FIRST | NEXT ) expression? ( ROW | ROWS ) ( ONLY | WITH identifier ) ;

subquery : '(' query_statement ')' ;

// 7.16, <query specification>

query_specification
    : SELECT set_quantifier? select_list from_clause? where_clause? group_by_clause? having_clause?
    ;

set_quantifier : DISTINCT | ALL ;
select_list    : '*' | select_item ( ',' select_item )* ;
select_item    : expression ( AS? column_name )? | qualified_asterisk ;
qualified_asterisk : identifier ( '.' identifier )* '.' '*' ;

// 7.5, <from clause>

from_clause     : FROM table_reference ( ',' table_reference )* ;
table_reference : table_factor joined_part* ;

joined_part
    : CROSS JOIN table_factor
    | join_type? JOIN table_factor join_condition
    | NATURAL join_type? JOIN table_factor
    ;

join_type      : INNER | outer_type OUTER? ;
outer_type     : LEFT | RIGHT | FULL ;
join_condition : ON search_condition | USING column_list_in_parens ;

table_factor
    : table_name correlation?
    | LATERAL? subquery correlation
    | ONLY '(' table_name ')'
    | '(' table_reference ')'
    ;
correlation : AS? correlation_name column_list_in_parens? ;

// 7.12, 7.13 and 7.14

where_clause     : WHERE search_condition ;
group_by_clause  : GROUP BY set_quantifier? grouping_element ( ',' grouping_element )* ;
grouping_element : expression | rollup_list | grouping_sets | empty_grouping_set ;
rollup_list      : ROLLUP '(' value_list ')' ;
grouping_sets    : GROUPING '(' grouping_element ( ',' grouping_element )* ')' ;
empty_grouping_set : '(' ')' ;
having_clause    : HAVING search_condition ;

// 8, predicates, and 6.28, <value expression>

search_condition : expression ;

expression
    : value_primary                                                       # PrimaryExpression
    | <assoc=right> sign expression                                       # Signed
    | expression ( '*' | '/' ) expression                                 # Term
    | expression ( '+' | '-' ) expression                                 # Sum
    | expression '||' expression                                          # Concatenation
    | expression comparison_operator expression                           # Comparison
    | expression comparison_operator quantifier subquery                  # Quantified
    | expression IS NOT? ( NULL | truth_value )                           # IsTest
    | expression NOT? IN in_values                                        # InTest
    | expression NOT? LIKE expression ( ESCAPE expression )?              # LikeTest
    | expression NOT? BETWEEN expression AND expression                   # BetweenTest
    | NOT expression                                                      # Negation
    | expression AND expression                                           # Conjunction
    | expression OR expression                                            # Disjunction
    ;

sign                : '+' | '-' ;
comparison_operator : '=' | '<>' | '<' | '>' | '<=' | '>=' ;
quantifier          : ALL | SOME | ANY ;
truth_value         : TRUE | FALSE | UNKNOWN ;
in_values           : subquery | '(' value_list ')' ;
value_list          : expression ( ',' expression )* ;

// 6.3, <value expression primary>

value_primary
    : literal
    | column_reference
    | dynamic_parameter
    | function_call
    | case_expression
    | cast_specification
    | exists_predicate
    | special_value
    | subquery
    | '(' expression ')'
    ;

column_reference  : identifier ( '.' identifier )* ;
dynamic_parameter : '?' ;
exists_predicate  : EXISTS subquery ;
special_value     : CURRENT_DATE | CURRENT_TIME | CURRENT_TIMESTAMP | CURRENT_USER | DEFAULT ;

// 6.12, <case expression>, and 6.13, <cast specification>

case_expression : CASE expression? when_clause+ else_clause? END
                | NULLIF '(' expression ',' expression ')'
                | COALESCE '(' value_list ')'
                ;
when_clause     : WHEN expression THEN expression ;
else_clause     : ELSE expression ;
cast_specification : CAST '(' expression AS data_type ')' ;

// 6.30 and 6.31, functions, and 10.9, <aggregate function>

function_call
    : aggregate_function filter_clause? over_clause?
    | string_function
    | extract_function
    | user_function over_clause?
    ;

aggregate_function : COUNT '(' '*' ')' | set_function '(' set_quantifier? expression ')' ;
set_function       : AVG | COUNT | MAX | MIN | SUM ;
filter_clause      : FILTER '(' where_clause ')' ;
user_function      : identifier '(' value_list? ')' ;

string_function : substring_function | trim_function | overlay_function | position_function ;
substring_function : SUBSTRING '(' expression FROM expression ( FOR expression )? ')' ;
trim_function      : TRIM '(' ( expression FROM )? expression ')' ;
overlay_function   : OVERLAY '(' expression PLACING expression FROM expression ( FOR expression )? ')' ;
position_function  : POSITION '(' STRING IN expression ')' ;
extract_function   : EXTRACT '(' datetime_field FROM expression ')' ;
datetime_field     : YEAR | MONTH | DAY | HOUR | MINUTE | SECOND ;

// 7.15, <window clause>

over_clause       : OVER '(' partition_clause? order_by_clause? frame_clause? ')' ;
partition_clause  : PARTITION BY value_list ;
frame_clause      : frame_units ( frame_bound | BETWEEN frame_bound AND frame_bound ) ;
frame_units       : ROWS | RANGE ;
frame_bound       : UNBOUNDED ( PRECEDING | FOLLOWING ) | frame_distance ( PRECEDING | FOLLOWING ) ;
frame_distance    : INTEGER_LITERAL ;

// 5.3, <literal>

literal          : numeric_literal | character_literal | binary_literal | datetime_literal | interval_literal
                 | boolean_literal | NULL ;
numeric_literal  : INTEGER_LITERAL | DECIMAL_LITERAL | APPROXIMATE ;
character_literal : STRING ;
binary_literal   : BINARY ;
datetime_literal : ( DATE | TIME | TIMESTAMP ) STRING ;
interval_literal : INTERVAL sign? STRING datetime_field ( TO datetime_field )? ;
boolean_literal  : TRUE | FALSE ;

// 14.11, <insert statement>, 14.14, <update statement>, 14.9, <delete statement>, 14.12, <merge statement>

insert_statement : INSERT INTO table_name column_list_in_parens? insert_source ;
insert_source    : query_statement | DEFAULT VALUES ;
update_statement : UPDATE table_name correlation? SET set_clause ( ',' set_clause )* where_clause? ;
set_clause       : column_name '=' expression
                 | column_list_in_parens '=' row_value ;
delete_statement : DELETE FROM table_name correlation? where_clause? ;
merge_statement  : MERGE INTO table_name correlation? USING table_factor ON search_condition merge_action+ ;
merge_action     : WHEN MATCHED ( AND search_condition )? THEN merge_update
                 | WHEN NOT MATCHED ( AND search_condition )? THEN merge_insert ;
merge_update     : UPDATE SET set_clause ( ',' set_clause )* | DELETE ;
merge_insert     : INSERT column_list_in_parens? VALUES '(' value_list ')' ;

// 11.3, <table definition>

create_table      : CREATE TABLE table_name '(' table_element ( ',' table_element )* ')' ;
table_element     : column_definition | table_constraint ;
column_definition : column_name data_type default_clause? column_constraint* ;
default_clause    : DEFAULT default_value ;
default_value     : literal | CURRENT_DATE | CURRENT_TIMESTAMP ;
constraint_name   : CONSTRAINT identifier ;

column_constraint
    : constraint_name? ( NOT? NULL | UNIQUE | PRIMARY KEY | references_clause | check_clause )
    ;
table_constraint
    : constraint_name? ( unique_constraint | foreign_key | check_clause )
    ;
unique_constraint : ( UNIQUE | PRIMARY KEY ) column_list_in_parens ;
foreign_key       : FOREIGN KEY column_list_in_parens references_clause ;
references_clause : REFERENCES table_name column_list_in_parens? referential_action* ;
referential_action : ON ( DELETE | UPDATE ) ( CASCADE | RESTRICT | SET NULL | SET DEFAULT ) ;
check_clause      : CHECK '(' search_condition ')' ;

// 6.1, <data type>

data_type
    : character_type
    | exact_type
    | approximate_type
    | BOOLEAN
    | datetime_type
    ;
character_type   : ( CHAR | VARCHAR ) type_length? ;
exact_type       : ( NUMERIC | DECIMAL ) type_scale? | SMALLINT | INTEGER | BIGINT ;
approximate_type : FLOAT type_length? | REAL | DOUBLE PRECISION ;
datetime_type    : DATE | ( TIME | TIMESTAMP ) type_length? ;
type_length      : '(' INTEGER_LITERAL ')' ;
type_scale       : '(' INTEGER_LITERAL ( ',' INTEGER_LITERAL )? ')' ;

// 11.32, <view definition>; indexes are no part of the standard

create_view  : CREATE RECURSIVE? VIEW table_name column_list_in_parens? AS query_statement check_option? ;
check_option : WITH CHECK OPTION ;
create_index : CREATE UNIQUE? INDEX identifier ON table_name '(' index_column ( ',' index_column )* ')' ;
index_column : column_name ( ASC | DESC )? ;

// 11.10, <alter table statement>, and the statements that drop

alter_table   : ALTER TABLE table_name alter_action ;
alter_action  : ADD COLUMN? column_definition
              | ADD table_constraint
              | ALTER COLUMN? column_name ( SET default_clause | DROP DEFAULT )
              | DROP COLUMN? column_name drop_behavior?
              | DROP CONSTRAINT identifier drop_behavior?
              ;
drop_statement : DROP ( TABLE | VIEW | INDEX ) table_name drop_behavior? ;
drop_behavior  : CASCADE | RESTRICT ;

// 12, access control

grant_statement  : GRANT privileges ON TABLE? table_name TO grantees grant_option? ;
revoke_statement : REVOKE ( GRANT OPTION FOR )? privileges ON TABLE? table_name FROM grantees drop_behavior? ;
grant_option     : WITH GRANT OPTION ;
privileges       : ALL PRIVILEGES | privilege ( ',' privilege )* ;
privilege        : SELECT | DELETE | ( INSERT | UPDATE | REFERENCES ) column_list_in_parens? ;
grantees         : grantee ( ',' grantee )* ;
grantee          : PUBLIC | identifier ;

// 17, transactions

transaction_statement : BEGIN TRANSACTION? | COMMIT WORK? | ROLLBACK WORK? ;

// 5.4, names

table_name       : identifier ( '.' identifier ( '.' identifier )? )? ;
query_name       : identifier ;
correlation_name : identifier ;
column_name      : identifier ;
column_list_in_parens : '(' column_name ( ',' column_name )* ')' ;

identifier : REGULAR_IDENTIFIER | DELIMITED_IDENTIFIER | non_reserved ;
/** Words that are no reserved ones where names stand. */
non_reserved : FIRST | LAST | KEY | NEXT | OPTION | PRIVILEGES ;
