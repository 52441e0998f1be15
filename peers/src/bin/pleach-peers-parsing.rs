//! Prints one table: pleach's parser beside other parsers of grammars and beside `serde_json`, on
//! JSON, in the same run, on one thread.
//!
//! `cargo run --profile bench -p pleach-peers --bin pleach-peers-parsing`

use std::hint::black_box;
use std::time::Instant;

use bnf::Grammar as Bnf;
use pest_meta::parser::Rule;
use pleach::grammar::Grammar;
use pleach::parse::{Parser, Scratch};
use pleach::table::Lowering;
use pleach::tree::Tree;

#[path = "../../../benches/support/texts.rs"]
#[allow(dead_code, reason = "the benches use the other texts")]
mod texts;

/// Rounds in which contenders take turns; ratios are medians over them.
const ROUNDS: usize = 9;

/// The same language for pest: RFC 8259's, with white space where it may stand.
const PEST: &str = r#"
json = { SOI ~ ws ~ value ~ ws ~ EOI }
value = { "false" | "null" | "true" | object | array | number | string }
object = { "{" ~ ws ~ (member ~ (ws ~ "," ~ ws ~ member)*)? ~ ws ~ "}" }
member = { string ~ ws ~ ":" ~ ws ~ value }
array = { "[" ~ ws ~ (value ~ (ws ~ "," ~ ws ~ value)*)? ~ ws ~ "]" }
number = { "-"? ~ int ~ frac? ~ exp? }
int = { "0" | '1'..'9' ~ digit* }
frac = { "." ~ digit+ }
exp = { ("e" | "E") ~ ("-" | "+")? ~ digit+ }
digit = { '0'..'9' }
string = { "\"" ~ character* ~ "\"" }
character = { unescaped | "\\" ~ ("\"" | "\\" | "/" | "b" | "f" | "n" | "r" | "t" | "u" ~ hexdig ~ hexdig ~ hexdig ~ hexdig) }
unescaped = { ' '..'!' | '#'..'[' | ']'..'\u{10FFFF}' }
hexdig = { digit | 'a'..'f' | 'A'..'F' }
ws = { (" " | "\t" | "\n" | "\r")* }
"#;

/// The same again for the `bnf` crate, which has no classes: with the characters of the texts.
fn bnf() -> Bnf {
    let letters: Vec<String> = ('a'..='z').map(|letter| format!("\"{letter}\"")).collect();
    let text = format!(
        r#"<json> ::= <ws> <value> <ws>
<value> ::= "false" | "null" | "true" | <object> | <array> | <number> | <string>
<object> ::= "{{" <ws> "}}" | "{{" <ws> <members> <ws> "}}"
<members> ::= <member> | <members> <ws> "," <ws> <member>
<member> ::= <string> <ws> ":" <ws> <value>
<array> ::= "[" <ws> "]" | "[" <ws> <values> <ws> "]"
<values> ::= <value> | <values> <ws> "," <ws> <value>
<number> ::= <int> | "-" <int> | <int> <frac> | <int> <frac> <exp>
<int> ::= <digit> | <int> <digit>
<frac> ::= "." <int>
<exp> ::= "e-" <int>
<digit> ::= "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9"
<string> ::= '"' <chars> '"'
<chars> ::= "" | <chars> <char>
<char> ::= {} | " " | "é" | "\n" | "\u00e9"
<ws> ::= "" | <ws> " " | <ws> "
"
"#,
        letters.join(" | ")
    );
    // The crate reads no escapes: a backslash is itself.
    text.parse().unwrap_or_else(|error| panic!("the grammar is fixed and reads: {error}"))
}

/// A contender, and the bytes that it reads each time.
struct Contender<'a> {
    name: &'static str,
    bytes: usize,
    read: Box<dyn FnMut() -> bool + 'a>,
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn main() {
    let text = texts::json(1_000_000);
    // The `bnf` crate takes time that grows faster than the text.
    let small = texts::json(10_000);
    let [text, small] = [&text, &small].map(|text| std::str::from_utf8(text).expect("it is UTF-8"));
    let grammar = Grammar::parse(include_str!("../../../grammars/json.pleach"));
    let table = Lowering::new().lower(&grammar.expect("it reads")).expect("it lowers").table;
    let parser = Parser::new(&table);
    let (mut plain, mut scratch, mut tree) = (Scratch::new(), Scratch::new(), Tree::new());
    let pairs = pest_meta::parser::parse(Rule::grammar_rules, PEST).expect("it reads");
    let rules = pest_meta::parser::consume_rules(pairs).expect("it is sound");
    let vm = pest_vm::Vm::new(pest_meta::optimizer::optimize(rules));
    let bnf = bnf();
    let bnf = bnf.build_parser().expect("every rule is defined");
    let mut contenders = [
        Contender {
            name: "pleach, with tree",
            bytes: text.len(),
            read: Box::new(|| parser.parse(text.as_bytes(), &mut scratch, &mut tree).is_ok()),
        },
        Contender {
            name: "pleach, recognise",
            bytes: text.len(),
            read: Box::new(|| parser.recognise(text.as_bytes(), &mut plain).is_ok()),
        },
        Contender {
            name: "serde_json, into a Value",
            bytes: text.len(),
            read: Box::new(|| black_box(serde_json::from_str::<serde_json::Value>(text)).is_ok()),
        },
        Contender {
            name: "pest_vm, into pairs",
            bytes: text.len(),
            read: Box::new(|| black_box(vm.parse("json", text)).is_ok()),
        },
        Contender {
            name: "bnf, first tree",
            bytes: small.len(),
            read: Box::new(|| black_box(bnf.parse_input(small).next()).is_some()),
        },
    ];
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let turn = |contender: &mut Contender<'_>| {
            let start = Instant::now();
            assert!((contender.read)(), "{} does not read its text", contender.name);
            contender.bytes as f64 / start.elapsed().as_secs_f64() / 1e6
        };
        rounds.push(contenders.iter_mut().map(turn).collect::<Vec<f64>>());
    }
    println!("| contender                |    MB/s | pleach with tree is so many times |");
    println!("| ------------------------ | ------: | --------------------------------: |");
    for (index, contender) in contenders.iter().enumerate() {
        let rate = median(rounds.iter().map(|round| round[index]).collect());
        let ratio = median(rounds.iter().map(|round| round[0] / round[index]).collect());
        println!("| {:<24} | {rate:>7.2} | {ratio:>33.2} |", contender.name);
    }
}
