//! Operators that bind: which tree a text of several has, against a parser that climbs precedences, and
//! that bindings change no language.

mod tables;

use std::fmt::Write as _;

use pleach::grammar::{Expr, Grammar};
use pleach::kpath::WalkCounts;
use pleach::parse::{Error, Parser, Scratch};
use pleach::produce::{Options, Producer};
use pleach::table::Table;
use pleach::tree::Tree;
use pleach::{Entropy as _, Seeded};
use proptest::prelude::*;
use tables::{nested, table};

fn parse(table: &Table, text: &str) -> Result<String, Error> {
    let (mut tree, mut scratch) = (Tree::new(), Scratch::new());
    let parser = Parser::new(table);
    let result = parser.parse(text.as_bytes(), &mut scratch, &mut tree);
    assert_eq!(parser.recognise(text.as_bytes(), &mut scratch).is_ok(), result.is_ok());
    result?;
    tree.check(table).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(tree.text(), text.as_bytes());
    Ok(nested(table, &tree))
}

/// A grammar's text without its bindings.
fn unbound(text: &str) -> String {
    let mut grammar = Grammar::parse(text).unwrap();
    for expr in &mut grammar.exprs {
        if let Expr::Choice(alternatives) = expr {
            alternatives.iter_mut().for_each(|alternative| alternative.binding = None);
        }
    }
    grammar.to_string()
}

/// Operators as C and others have them.
const CLASSIC: &str = r#"
    e = @right 1 e "=" e
      | @right 2 e "?" e ":" e
      | @left 4 e ( "==" | "<" ) e
      | @prec 3 "not" e
      | @left 5 e "+" e | @left 5 e "-" e
      | @left 6 e "*" e
      | @prec 7 "-" e | @prec 7 "!" e
      | @right 8 e "^" e
      | @prec 9 e "." name | @prec 9 e "(" e ( "," e )* ")" | @prec 9 e "!"
      | name | "(" e ")" ;
    name = /[a-z]|1/ ;
    space = " "* ;
    %layout space;
    %lexical name;
"#;

#[test]
fn operators_nest_as_their_bindings_say() {
    let table = table(CLASSIC);
    for (text, expected) in [
        ("1*1+1", "((1*1)+1)"),
        ("1+1*1", "(1+(1*1))"),
        ("1+1+1", "((1+1)+1)"),
        ("1+1-1+1", "(((1+1)-1)+1)"),
        ("1-1*1+1", "((1-(1*1))+1)"),
        ("a=b=1", "(a=(b=1))"),
        ("1^1^1", "(1^(1^1))"),
        ("-1^1", "(-(1^1))"),
        ("-1+1", "((-1)+1)"),
        ("1^-1^1+1", "((1^(-(1^1)))+1)"),
        ("!a==b", "((!a)==b)"),
        ("-a.b(c).d!", "(-((((a.b)(c)).d)!))"),
        ("a?b:c?d:e", "(a?b:(c?d:e))"),
        ("a?b?c:d:e", "(a?(b?c:d):e)"),
        ("a=b?c=d:e=f", "(a=((b?(c=d):e)=f))"),
        ("1+1<1*1==1", "(((1+1)<(1*1))==1)"),
        // What binds little, deep inside what binds more.
        ("1*not 1+1", "(1*(not(1+1)))"),
        ("1*not 1+1?a:b", "((1*(not(1+1)))?a:b)"),
        ("not not 1<1=1", "((not(not(1<1)))=1)"),
        ("1+-not 1+1", "(1+(-(not(1+1))))"),
        ("(1+1)*1", "((((1+1)))*1)"),
        ("f(1+1*1,a=b)+1", "((f((1+(1*1))(,(a=b))))+1)"),
    ] {
        assert_eq!(parse(&table, text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn the_example_of_the_notation_is_true() {
    let notation = include_str!("../NOTATION.md");
    let (_, rest) = notation.split_once("## Bindings").unwrap();
    let example = rest.split("```").nth(1).unwrap();
    let table = table(&format!("{example} name = [a-z] ;"));
    let nested = parse(&table, "a=b=-c^d+e*f");
    assert_eq!(nested.as_deref(), Ok("(a=(b=((-(c^d))+(e*f))))"));
    assert!(rest.contains("`a=b=-c^d+e*f` is `a=(b=((-(c^d))+(e*f)))`"));
}

#[test]
fn what_is_produced_and_covered_knows_nothing_of_bindings() {
    let (with, without) = (table(CLASSIC), table(&unbound(CLASSIC)));
    for k in 1..=4 {
        let count = |table: &Table| WalkCounts::new(table, k).exact(k);
        assert_eq!(count(&with), count(&without));
    }
    let (mut ours, mut theirs) = (Tree::new(), Tree::new());
    for seed in 0..50 {
        for (table, tree) in [(&with, &mut ours), (&without, &mut theirs)] {
            let mut producer = Producer::new(table, Options::new().max_bytes(60)).unwrap();
            producer.produce(&mut Seeded::new(seed), tree);
        }
        assert_eq!(ours, theirs);
    }
}

#[test]
fn what_leads_to_operators_is_as_they_are() {
    // As grammars of tree-sitter are written.
    let table = table(
        r#"
        expression = binary | unary | call | arrow | primary ;
        binary = @left 1 expression "+" expression | @left 2 expression "*" expression ;
        unary = @prec 3 ( "-" | "~" ) expression ;
        call = @prec 4 ( expression | "super" ) "(" expression ")" ;
        arrow = @right 0 name "=>" ( expression | "{" "}" ) ;
        primary = name | "(" expression ")" ;
        name = [a-z] ;
        "#,
    );
    for (text, expected) in [
        ("a*b+c*d", "((a*b)+(c*d))"),
        ("a+b+c", "((a+b)+c)"),
        ("-a*-b", "((-a)*(-b))"),
        ("-a(b)", "(-(a(b)))"),
        ("-super(b)(c)", "(-((super(b))(c)))"),
        ("a*b=>c+d", "(a*(b=>(c+d)))"),
        // A block ends what an expression would go on with.
        ("a*b=>{}+d", "((a*(b=>({})))+d)"),
        ("a=>{}(b)", "((a=>({}))(b))"),
    ] {
        assert_eq!(parse(&table, text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn what_ends_an_operand_by_another_rule_yields_as_well() {
    // As Java's casts: nothing that ends with a lambda is an operand on the left.
    let table = table(
        r#"
        e = sum | choice | cast | member | lambda | a ;
        sum = @left 5 e "+" e ;
        choice = @right 2 e "?" e ":" e ;
        cast = @prec 9 "(" a ")" ( a | lambda ) ; member = @prec 10 ( e | lambda | "super" ) "." a ;
        lambda = @prec 1 a ">" ( e | "{" "}" ) ;
        a = [a-z] ;
        "#,
    );
    for (text, expected) in [
        ("(t)a>b+c", "((t)(a>(b+c)))"),
        ("(t)a>b?c:d+e", "((t)(a>(b?c:(d+e))))"),
        ("a+(t)a>b+(t)c+d", "(a+((t)(a>((b+((t)c))+d))))"),
        ("(t)a>{}+b", "(((t)(a>({})))+b)"),
        ("(t)a+b", "(((t)a)+b)"),
        ("a>b.c", "(a>(b.c))"),
        ("a+b>c.d+super.e.f", "(a+(b>((c.d)+((super.e).f))))"),
    ] {
        assert_eq!(parse(&table, text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn without_bindings_the_order_of_derivations_decides() {
    for (grammar, text, expected) in [
        // An alternative without a binding, and two that say too little.
        (r#"e = "-" e | @left 1 e "+" e | "1" ;"#, "-1+1", "(-(1+1))"),
        (r#"e = @prec 1 "-" e | @prec 1 e "!" | "1" ;"#, "-1!", "(-(1!))"),
        (r#"e = @prec 1 e "+" e | "1" ;"#, "1+1+1", "((1+1)+1)"),
        // Another rule's operators.
        (
            r#"s = e ";" | @right 1 s s | "1" ; e = @right 1 e "+" e | "1" ;"#,
            "1+1+1;1",
            "(((1+(1+1));)1)",
        ),
        // Layers are another rule each, and no operator changes places.
        (r#"e = @right 1 e "+" t | t ; t = @left 9 t "*" "1" | "1" ;"#, "1+1*1+1", "((1+(1*1))+1)"),
    ] {
        assert_eq!(parse(&table(grammar), text).as_deref(), Ok(expected), "{grammar}");
    }
}

/// Texts of many operators of many levels are read in linear time, which the same grammar without bindings
/// takes more than its budget for.
#[test]
fn many_operators_are_few_items() {
    let (mut bound, mut text) = (String::from("e = /[0-9]/"), String::from("1"));
    for level in 0..26_u8 {
        let sign = char::from(b'a' + level);
        let side = if level % 3 == 0 { "right" } else { "left" };
        write!(bound, " | @{side} {level} e \"{sign}\" e").unwrap();
    }
    let mut signs = Seeded::new(4);
    while text.len() < 10_000 {
        text.push(char::from(b'a' + signs.below(26) as u8));
        text.push('1');
    }
    bound.push_str(" ;");
    let table = table(&bound);
    let (mut tree, mut scratch) = (Tree::new(), Scratch::new());
    Parser::new(&table).parse(text.as_bytes(), &mut scratch, &mut tree).unwrap();
    assert!(scratch.items() < 60 * text.len() as u64, "{} items", scratch.items());
    let without = tables::table(&unbound(&bound));
    let result = Parser::new(&without).parse(text.as_bytes(), &mut scratch, &mut tree);
    assert!(matches!(result, Err(Error::Budget { .. })), "{result:?}");
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Prefix,
    Infix,
    /// With an expression in the middle.
    Ternary,
    Suffix,
}

/// An operator by its number, which is its level, its side and its place in the tables.
#[derive(Clone, Copy, Debug)]
struct Operator {
    sign: char,
    place: Place,
    level: u32,
    right: bool,
    /// Whether it has a rule of its own.
    indirect: bool,
}

impl Operator {
    fn is_open_left(self) -> bool {
        self.place != Place::Prefix
    }

    /// Whether another operator that follows the operand on the right takes it.
    fn yields_to(self, next: Operator) -> bool {
        self.level < next.level || (self.level == next.level && self.right)
    }
}

fn grammar(operators: &[Operator]) -> String {
    let (mut first, mut rules) = (String::from("e = \"1\" | \"(\" e \")\""), String::new());
    for (index, &Operator { sign, place, level, right, indirect }) in operators.iter().enumerate() {
        let side = if right { "right" } else { "left" };
        let body = match place {
            Place::Prefix => format!("\"{sign}\" e"),
            Place::Infix => format!("e \"{sign}\" e"),
            Place::Ternary => format!("e \"{sign}\" e \":\" e"),
            Place::Suffix => format!("e \"{sign}\""),
        };
        if indirect {
            write!(first, " | r{index}").unwrap();
            writeln!(rules, "r{index} = @{side} {level} {body} ;").unwrap();
        } else {
            write!(first, " | @{side} {level} {body}").unwrap();
        }
    }
    format!("{first} ;\n{rules}")
}

/// Climbs: reads an operand, and the operators after it that what stands before it yields to.
struct Climber<'t> {
    text: std::iter::Peekable<std::str::Chars<'t>>,
    operators: &'t [Operator],
}

impl Climber<'_> {
    fn operator(&mut self, open_left: bool) -> Option<Operator> {
        let sign = self.text.peek()?;
        let mut all = self.operators.iter().copied();
        all.find(|one| one.sign == *sign && one.is_open_left() == open_left)
    }

    fn operand(&mut self, before: Option<Operator>) -> String {
        let prefix = self.operator(false);
        let first = self.text.next();
        let mut whole = match (prefix, first) {
            (Some(prefix), _) => format!("({}{})", prefix.sign, self.operand(Some(prefix))),
            (None, Some('(')) => {
                let inner = self.operand(None);
                self.text.next();
                format!("({}{inner}{})", '(', ')')
            }
            (None, other) => other.map(String::from).unwrap_or_default(),
        };
        while let Some(next) = self.operator(true) {
            if before.is_some_and(|before| !before.yields_to(next)) {
                break;
            }
            self.text.next();
            whole = match next.place {
                Place::Suffix => format!("({whole}{})", next.sign),
                Place::Ternary => {
                    let middle = self.operand(None);
                    self.text.next();
                    format!("({whole}{}{middle}:{})", next.sign, self.operand(Some(next)))
                }
                _ => format!("({whole}{}{})", next.sign, self.operand(Some(next))),
            };
        }
        whole
    }
}

fn operators() -> impl Strategy<Value = Vec<Operator>> {
    let signs = ['+', '-', '*', '/', '^', '%', '!', '~'];
    let place = prop_oneof![
        2 => Just(Place::Prefix),
        4 => Just(Place::Infix),
        1 => Just(Place::Ternary),
        2 => Just(Place::Suffix),
    ];
    let one = (place, 0..5_u32, any::<bool>(), any::<bool>());
    proptest::collection::vec(one, 1..signs.len()).prop_map(move |all| {
        let all = all.into_iter().zip(signs);
        all.map(|((place, level, right, indirect), sign)| Operator {
            sign,
            place,
            level,
            right,
            indirect,
        })
        .collect()
    })
}

proptest! {
    #[test]
    fn random_operators_nest_as_by_climbing(operators in operators(), seed in any::<u32>()) {
        let text = grammar(&operators);
        let table = table(&text);
        let mut producer = Producer::new(&table, Options::new().max_bytes(40)).unwrap();
        let mut tree = Tree::new();
        for seed in (0..10).map(|more| u64::from(seed) + more) {
            producer.produce(&mut Seeded::new(seed), &mut tree);
            let input = String::from_utf8(tree.text().to_vec()).unwrap();
            let mut climber = Climber { text: input.chars().peekable(), operators: &operators };
            let expected = climber.operand(None);
            prop_assert_eq!(parse(&table, &input).unwrap(), expected, "{}\n{}", input, text);
        }
    }

    /// Rules that lead to each other in all ways, and texts of their symbols.
    #[test]
    fn bindings_change_no_language(
        rules in proptest::collection::vec(
            proptest::collection::vec(
                (0..5_u32, 0..4_u32, proptest::collection::vec(0..15_usize, 1..4)),
                1..5,
            ),
            1..4,
        ),
        texts in proptest::collection::vec("[-+*1x]{1,7}", 8),
    ) {
        const ITEMS: [&str; 15] = [
            "e", "e", "e", "f", "g", "\"+\"", "\"+\"", "\"*\"", "\"-\"", "\"1\"", "(e | \"x\")",
            "\"x\"?", "(f | g)", "(e | f)", "e?",
        ];
        let mut bound = String::new();
        for (name, alternatives) in ["e", "f", "g"].iter().zip(&rules) {
            write!(bound, "{name} = \"1\"").unwrap();
            for (word, level, items) in alternatives {
                let word = ["left", "right", "prec", "left", ""][*word as usize];
                let items: Vec<&str> = items.iter().map(|&item| ITEMS[item]).collect();
                let binding = format!("@{word} {level}");
                let binding = if word.is_empty() { "" } else { &binding };
                write!(bound, " | {binding} {}", items.join(" ")).unwrap();
            }
            bound.push_str(" ;\n");
        }
        for name in &["e", "f", "g"][rules.len()..] {
            writeln!(bound, "{name} = \"{name}\" ;").unwrap();
        }
        let (with, without) = (table(&bound), table(&unbound(&bound)));
        let mut texts = texts;
        let mut tree = Tree::new();
        if let Ok(mut producer) = Producer::new(&with, Options::new().max_bytes(10)) {
            for seed in 0..8 {
                producer.produce(&mut Seeded::new(seed), &mut tree);
                texts.push(String::from_utf8(tree.text().to_vec()).unwrap());
            }
        }
        for text in texts {
            let (found, plain) = (parse(&with, &text), parse(&without, &text));
            prop_assert_eq!(found.is_ok(), plain.is_ok(), "{}\n{}", text, bound);
            if let (Err(Error::Syntax(found)), Err(Error::Syntax(plain))) = (found, plain) {
                prop_assert_eq!(found.at(), plain.at(), "{}\n{}", text, bound);
            }
        }
    }
}
