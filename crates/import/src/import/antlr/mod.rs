//! Grammars of ANTLR 4 (`.g4`), as "The Definitive ANTLR 4 Reference" (Parr, 2013) and the documentation of
//! the tool, version 4.13, describe them.
//!
//! Read are combined grammars, and parser grammars with the lexer grammar that `tokenVocab` names, found as
//! `NAME.g4`; `import`, where the rules of the importing grammar win; fragments, sets, ranges, properties,
//! `~` and `.`; loops that take as little as they can; the commands of lexer rules, and modes;
//! `caseInsensitive`; labels, which say nothing of the language; and left recursion, with how its operators
//! bind (`@left 1`).
//!
//! The first rule of the parser is the start, and `EOF` its end. **Tokens** are the rules of the lexer that
//! are no fragments, each a lexical rule. A lexer takes the longest text, and of rules that match it the
//! first: so earlier rules, and literals of the parser, are taken from later ones (`except`). What is
//! skipped or on another channel is the **layout**.
//!
//! A token that the lexer never hands over, for its rule skips it, hides it, goes on with another or is of
//! another type, derives nothing where a rule of the parser names it, with a warning; a fragment is a mistake
//! there, and so is what no rule defines.
//!
//! What code does is lost, with a warning: predicates, actions, arguments, handlers. Layout is the same in
//! all modes, and which mode a token is of is not looked at where it is read: the parser's rules say where
//! it may stand.

mod automata;
mod body;
mod index;
mod layout;
mod lexer;
mod operators;
mod parser;
mod read;
mod runs;
mod set;
mod source;
mod text;

use std::collections::HashSet;

use self::layout::Modes;
use self::lexer::Lexer;
use self::source::{Kind, Source};
use super::builder::Builder;
use super::links::Links;
use pleach_core::grammar::{Diagnostic, Encoding, Resolver, Span};

/// The mode that a lexer begins in.
const DEFAULT_MODE: &str = "DEFAULT_MODE";

/// How many files a grammar may be made of.
const MOST_FILES: usize = 1000;

/// Reads a file, and those that it names.
pub(super) fn read(builder: &mut Builder, file: u32, resolver: &dyn Resolver) {
    if builder.encoding == Some(Encoding::Bytes) {
        let span = Span { file, start: 0, end: 0 };
        let help = "the grammar is in Unicode, as all of ANTLR's are";
        builder.lose(span, "the encoding that was asked for is left out", help);
        builder.grammar.encoding = Encoding::Unicode;
    }
    let mut source = files(builder, file, resolver);
    if source.kind == Some(Kind::Parser) {
        vocabulary(builder, file, &mut source, resolver);
    }
    if source.parser.is_empty() && !builder.has_errors() {
        let span = Span { file, start: 0, end: 0 };
        let error = Diagnostic::error(span, "there are no rules of a parser here");
        let help = "import the parser grammar that has its tokens from this one (tokenVocab)";
        return builder.error(error.help(help));
    }
    if builder.has_errors() {
        return;
    }
    let mut lexer = Lexer::new(builder, &mut source);
    if source.kind == Some(Kind::Parser) {
        for &literal in &lexer.implicit {
            let span = builder.grammar.span(literal);
            let error = Diagnostic::error(span, "no rule of the lexer is this text alone");
            builder.error(error.help("add one: in split grammars the lexer has all tokens"));
        }
    }
    parser::unseen(builder, &source, &lexer);
    parser::negations(builder, &source, &lexer);
    operators::bind(builder, &source);
    // The rules of the parser come first, and what they need of the end is known last.
    lexer.write(builder, &source);
    let last = Modes::new(builder, &source, &lexer).write(builder);
    let tokens = std::mem::take(&mut builder.grammar.rules);
    parser::write(builder, &source, last.as_deref());
    builder.grammar.rules.extend(tokens);
    undefined_rules(builder, &source);
    prune(builder, &source);
}

/// Reads a file and all that it imports; the rules of what imports win.
fn files(builder: &mut Builder, file: u32, resolver: &dyn Resolver) -> Source {
    let mut source = Source::default();
    source.mode(DEFAULT_MODE, Span { file, start: 0, end: 0 });
    read::read(builder, &mut source, file, true);
    let mut seen: HashSet<String> =
        HashSet::from([builder.grammar.files[file as usize].name.clone()]);
    // The imports of an import come before the next one.
    let mut queue: Vec<(String, Span)> = std::mem::take(&mut source.imports);
    queue.reverse();
    while let Some((name, span)) = queue.pop() {
        let Some(found) = find(builder, &name, span, resolver) else { continue };
        if !seen.insert(found.name.clone()) {
            continue;
        }
        if seen.len() > MOST_FILES {
            let message = format!("the grammar is made of over {MOST_FILES} files");
            builder.error(Diagnostic::error(span, message).help("put some together"));
            break;
        }
        let Some(file) = builder.file(found) else { continue };
        read::read(builder, &mut source, file, false);
        let more = std::mem::take(&mut source.imports);
        queue.extend(more.into_iter().rev());
    }
    source
}

/// Reads the lexer grammar of a parser grammar.
fn vocabulary(builder: &mut Builder, file: u32, source: &mut Source, resolver: &dyn Resolver) {
    let Some((name, span)) = source.vocabulary.clone() else {
        let span = Span { file, start: 0, end: 0 };
        let error = Diagnostic::error(span, "a parser grammar has its tokens from a lexer grammar");
        return builder.error(error.help("name it: options { tokenVocab = X; }"));
    };
    let Some(found) = find(builder, &name, span, resolver) else { return };
    let Some(file) = builder.file(found) else { return };
    let lexer = files(builder, file, resolver);
    source.lexer = lexer.lexer;
    source.modes = lexer.modes;
    source.lazy = lexer.lazy;
    source.tokens.extend(lexer.tokens);
}

/// The file of a grammar.
fn find(
    builder: &mut Builder,
    name: &str,
    span: Span,
    resolver: &dyn Resolver,
) -> Option<pleach_core::grammar::SourceFile> {
    let including = builder.grammar.files[span.file as usize].name.clone();
    match resolver.resolve(&including, &format!("{name}.g4")) {
        Ok(found) => Some(found),
        Err(why) => {
            let message = format!("the grammar `{name}` is not found: {why}");
            builder.error(
                Diagnostic::error(span, message).help("it stands in NAME.g4, beside this file"),
            );
            None
        }
    }
}

/// Says what to do where a token is named that no rule of the lexer makes.
fn undefined_rules(builder: &mut Builder, source: &Source) {
    for (name, span) in &source.tokens {
        let message = format!("token `{name}` is declared, and no rule of the lexer makes it");
        let help = "supply a grammar that has a rule of this name (--with FILE)";
        builder.undefined(name, Diagnostic::error(*span, message).help(help));
    }
}

/// Leaves out rules of the lexer that nothing needs; rules of the parser stay.
fn prune(builder: &mut Builder, source: &Source) {
    let links = Links::of(&builder.grammar);
    let parser = source.parser.iter().map(|rule| rule.name.as_str());
    let roots = parser
        .chain(builder.grammar.start.as_ref().map(|name| name.text.as_str()))
        .chain(builder.grammar.layout.as_ref().map(|name| name.text.as_str()));
    let needed = links.reached(roots.filter_map(|name| links.rule(name)));
    builder.keep(&needed);
}
