//! Nautilus as LibAFL has it: a grammar of plain rules, a tree per sentence, and its unparser.
//!
//! Nautilus takes each of a nonterminal's rules that fit the length budget with the same
//! probability. The budget is shared out among siblings at random and counts nodes; it is set so
//! large here that it never binds, so the distribution is that of the hand-written generator.

use libafl::generators::{NautilusContext, NautilusGenerator};
use libafl::inputs::NautilusInput;
use libafl_bolts::rands::StdRand;

/// The length budget. Each level of nesting takes a random part of it, so a sentence as deep as
/// they come needs many orders of magnitude more than it has nodes.
const NODES: usize = 1 << 60;

/// The rules of json64. A brace of the language is escaped; one that is not names a nonterminal.
const JSON: &[(&str, &str)] = &[
    ("VALUE", "{OBJECT}"),
    ("VALUE", "{ARRAY}"),
    ("VALUE", "{STRING}"),
    ("VALUE", "{NUMBER}"),
    ("VALUE", "true"),
    ("VALUE", "false"),
    ("VALUE", "null"),
    ("OBJECT", r"\{\}"),
    ("OBJECT", r"\{{MEMBERS}\}"),
    ("MEMBERS", "{PAIR}"),
    ("MEMBERS", "{PAIR},{MEMBERS}"),
    ("PAIR", "{STRING}:{VALUE}"),
    ("ARRAY", "[]"),
    ("ARRAY", "[{ELEMENTS}]"),
    ("ELEMENTS", "{VALUE}"),
    ("ELEMENTS", "{VALUE},{ELEMENTS}"),
    ("STRING", r#""""#),
    ("STRING", r#""{CHARS}""#),
    ("CHARS", "{CHAR}"),
    ("CHARS", "{CHAR}{CHARS}"),
    ("NUMBER", "{DIGITS}"),
    ("NUMBER", "-{DIGITS}"),
    ("NUMBER", "{DIGITS}.{DIGITS}"),
    ("DIGITS", "{DIGIT}"),
    ("DIGITS", "{DIGIT}{DIGITS}"),
];

/// The context of json64.
///
/// The 64 values are eight rules of eight: for n siblings Nautilus draws about n^2/2 numbers to
/// share out the budget, and of 64 at once, or in twos, fours and eights, eights ran fastest.
pub fn json64() -> NautilusContext {
    let eight = |name: &str| [name; 8].join(",");
    let mut rules: Vec<(&str, String)> =
        vec![("ROOT", format!("[{}]", eight("{VALUES}"))), ("VALUES", eight("{VALUE}"))];
    rules.extend(JSON.iter().map(|&(name, rule)| (name, rule.to_owned())));
    rules.extend("abcdef01".chars().map(|char| ("CHAR", char.to_string())));
    rules.extend(('0'..='9').map(|digit| ("DIGIT", digit.to_string())));
    let rules: Vec<(&str, &[u8])> =
        rules.iter().map(|(name, rule)| (*name, rule.as_bytes())).collect();
    NautilusContext::with_rules(NODES, &rules).expect("there are rules")
}

/// The generator with its random source and the tree it reuses.
pub struct Nautilus<'c> {
    context: &'c NautilusContext,
    generator: NautilusGenerator<'c>,
    random: StdRand,
    tree: NautilusInput,
}

impl<'c> Nautilus<'c> {
    /// A generator for a context, with LibAFL's own fast random source.
    pub fn new(context: &'c NautilusContext, seed: u64) -> Self {
        Self {
            context,
            generator: NautilusGenerator::new(context),
            random: StdRand::with_seed(seed),
            tree: NautilusInput::empty(),
        }
    }

    /// Generates a tree, puts its text in place of what `out` holds, and counts its nodes.
    pub fn write(&mut self, out: &mut Vec<u8>) -> usize {
        let start = self.generator.nonterminal("START");
        self.generator.generate_from_nonterminal(&mut self.random, &mut self.tree, start, NODES);
        self.tree.unparse(self.context, out);
        self.tree.tree().rules.len()
    }
}
