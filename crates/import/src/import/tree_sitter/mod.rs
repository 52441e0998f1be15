//! `grammar.json` of tree-sitter, as `tree-sitter generate` writes it from a `grammar.js`; the documentation's
//! section "The Grammar DSL" and the schema `grammar.schema.json` say what is in it.
//!
//! - **Tokens.** `STRING` and `PATTERN` are literals and regular expressions, with tree-sitter's sense of
//!   `\d`, `\s` and `\w`. What `TOKEN` holds, and a rule that is a single token, is lexical.
//! - **`IMMEDIATE_TOKEN`** is one token with the token before it. Where that is no token, or what follows
//!   is more than one, layout may stand there, with a warning.
//! - **`extras`** become the layout; without them white space is it, and where the list is empty there is none.
//!   What goes on as long as it can, as a comment to the end of its line, is followed by what ends it, or
//!   by the end of the text, where it is read and never produced.
//! - **`word`**: the words of the grammar's strings are taken away from that rule (`except`). tree-sitter
//!   reads a keyword as a word where no keyword may stand, so there is a warning.
//! - **`externals`** that rules need are to be supplied by their names (`--with`); without that they are
//!   errors. What is supplied knows nothing of the scanner's state, so there is a warning.
//! - **`PREC`**, `PREC_LEFT` and `PREC_RIGHT` are bindings (`@left 1`) of the alternatives that they are around and
//!   that begin or end with an operand; elsewhere, and as `PREC_DYNAMIC`, they are lost. Levels are ranks, names
//!   among them by the lists of `precedences`.
//! - `FIELD`, `ALIAS`, `RESERVED`, `inline`, `supertypes` and `conflicts` name or choose parts of parses: they say
//!   nothing of the language. Where precedence settles what an LR(1) parser cannot decide, tree-sitter may refuse what the
//!   rules derive. Precedence of tokens is not carried over either, with a warning: which of two tokens that
//!   match is taken depends on what may stand there, so it cannot be taken from the other's language.
//!
//! The first rule is the start. Values of the JSON may nest 400 deep.

mod emit;
mod facts;
mod layout;
mod pattern;
mod precedence;
mod syntax;

use std::collections::HashSet;

use super::builder::Builder;
use super::json::Json;
use emit::Emitter;
use facts::Facts;
use pleach_core::grammar::{Diagnostic, Resolver, Span};
use syntax::{Node, Syntax};

/// Whether a text looks like a `grammar.json`.
pub(super) fn is_like(text: &str) -> bool {
    ["\"rules\"", "\"name\"", "\"type\""].iter().all(|name| text.contains(name))
}

/// Reads a file.
pub(super) fn read(builder: &mut Builder, file: u32, _: &dyn Resolver) {
    builder.is_unicode(file);
    let text = builder.grammar.files[file as usize].text.clone();
    let Some(json) = Json::read(builder, file, &text) else { return };
    let Some(syntax) = syntax::read(builder, &json) else { return };
    let facts = Facts::of(&syntax);
    let bindings = precedence::bindings(builder, &syntax, &facts);
    let mut emitter = Emitter::new(builder, &syntax, &facts, &bindings);
    for rule in 0..syntax.rules.len() {
        emitter.write(rule);
    }
    if !syntax.extras.is_empty() {
        layout::write(&mut emitter);
    }
    externals(builder, &syntax, &facts);
    if let Some((word, span)) = &syntax.word
        && !facts.rules.contains_key(word)
    {
        let message = format!("rule `{word}` is not defined");
        builder.error(Diagnostic::error(*span, message).help("`word` names a rule"));
    }
}

/// Says what there is to say of tokens that a scanner reads.
fn externals(builder: &mut Builder, syntax: &Syntax, facts: &Facts) {
    let used: HashSet<&str> = syntax
        .nodes
        .iter()
        .filter_map(|node| match node {
            Node::Symbol(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    for (name, span) in &syntax.externals {
        let span: Span = *span;
        if facts.rules.contains_key(name) {
            let what = format!("`{name}` is read by a scanner of its own as well");
            builder.lose(span, what, "it is what its rule says alone");
        } else if used.contains(name.as_str()) {
            let message = format!("`{name}` is read by a scanner of its own, not by a rule");
            let help = "supply a grammar with a rule of that name (--with FILE)";
            builder.undefined(name, Diagnostic::error(span, message).help(help));
            let what = format!("`{name}` is read by a scanner of its own");
            builder.lose(span, what, "it is what is supplied, wherever it stands");
        }
    }
}
