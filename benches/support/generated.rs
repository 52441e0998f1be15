//! Grammars of a wanted size, the same text each time.

use std::fmt::Write as _;

/// A layered grammar of 300 rules and 1,000 alternatives: a hundred times a left-recursive layer,
/// a construct with a repeated group, and an operand that leads to the next layer.
///
/// With layout, its words are made of letters by a lexical rule and white space goes between
/// tokens; that adds three rules.
pub fn thousand(layout: bool) -> String {
    let mut text = String::new();
    let word = if layout { "word" } else { "/[a-z][a-z0-9_]*/" };
    if layout {
        text += "%layout layout;\n%lexical word;\n";
    }
    for layer in 0..100 {
        let (next, far) = ((layer + 1) % 100, (layer * 7 + 3) % 100);
        // Writing to a string can't fail.
        let _ = write!(
            text,
            "layer{layer} = form{layer} | layer{layer} \"op{layer}\" form{layer}\n\
             \x20 | layer{layer} [<>=] form{layer} ;\n\
             form{layer} = operand{layer} | \"form{layer}\" operand{layer}\n\
             \x20 ( \",\" operand{layer} | \";\" layer{far} )* \"end\" ;\n\
             operand{layer} = {word} | 'literal{layer}' [0-9]+ | layer{next}? \"(\" \")\" ;\n",
        );
    }
    if layout {
        text += "word = letter+ ;\nletter = [a-z] ;\nlayout = [ \\t\\n]* ;\n";
    }
    text
}

/// A chain of rules, each of which may end or go on.
pub fn chain(rules: usize) -> String {
    let mut text = String::new();
    for rule in 1..rules {
        let _ = writeln!(text, "r{} = \"a\" r{rule} | \"b\" ;", rule - 1);
    }
    let _ = writeln!(text, "r{} = \"x\" ;", rules - 1);
    text
}

/// Two rules that refer to each other 8,000 times: 2 * 8001 * 8000^5 walks of six nodes, more
/// than 64 bits hold.
pub fn bush() -> String {
    let references = |name: &str| format!("{name} ").repeat(8000);
    format!("a = \"x\" | {} ; b = {} | \"y\" ;", references("b"), references("a"))
}
