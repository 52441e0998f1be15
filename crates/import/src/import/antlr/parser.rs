//! The rules of the parser: tokens that it never sees, any token, any but some, and the end of the text.

use std::collections::{HashMap, HashSet};

use super::lexer::Lexer;
use super::source::{Command, LexerRule, Source};
use crate::import::builder::Builder;
use pleach_core::grammar::{Alternative, Diagnostic, Expr, ExprId, Mark, Name, Span};

/// Tokens that are written for `.` and `~`, in all.
const MOST: usize = 1_000_000;

/// What comes of a name of the lexer in a rule of the parser.
enum Seen {
    /// A token, or one that the caller is to supply.
    Yes,
    /// A rule that makes no token, and why.
    Never(&'static str),
    Fragment,
    Undefined,
}

/// By name of the lexer, what comes of it.
struct Vocabulary<'s> {
    rules: HashMap<&'s str, &'s LexerRule>,
    /// What rules of the lexer make.
    made: HashSet<&'s str>,
    /// What none makes, and `tokens {}` or the caller has.
    other: HashSet<&'s str>,
}

impl<'s> Vocabulary<'s> {
    fn new(builder: &'s Builder, source: &'s Source, lexer: &'s Lexer) -> Self {
        let rules = source.lexer.iter().map(|rule| (rule.name.as_str(), rule)).collect();
        let made = lexer.tokens.iter().map(|(name, _)| name.as_str()).collect();
        let declared = source.tokens.iter().map(|(name, _)| name.as_str());
        let supplied = builder.supplied.iter().map(String::as_str);
        Self { rules, made, other: declared.chain(supplied).collect() }
    }

    fn seen(&self, name: &str) -> Seen {
        let rule = match self.rules.get(name) {
            _ if self.made.contains(name) => return Seen::Yes,
            Some(rule) => rule,
            None if self.other.contains(name) => return Seen::Yes,
            None => return Seen::Undefined,
        };
        if rule.fragment {
            return Seen::Fragment;
        }
        let commands = || rule.alternatives.iter().flat_map(|one| &one.commands);
        Seen::Never(if commands().any(|command| *command == Command::Hide) {
            "the lexer skips it, or hands it over on another channel"
        } else if commands().any(|command| *command == Command::More) {
            "the lexer goes on with another token (`more`)"
        } else if commands().any(|command| matches!(command, Command::Type(_))) {
            "the lexer gives it another type"
        } else {
            "it is the end of the text alone"
        })
    }
}

/// What to say of a fragment in a rule of the parser.
fn fragment(name: &str, span: Span) -> Diagnostic {
    let message = format!("`{name}` is a fragment, which makes no token for the parser");
    Diagnostic::error(span, message)
        .help("leave out `fragment`, or name a token that is made of it")
}

/// Lets tokens that the lexer never hands over derive nothing, and reports fragments.
pub(super) fn unseen(builder: &mut Builder, source: &Source, lexer: &Lexer) {
    let vocabulary = Vocabulary::new(builder, source, lexer);
    let mut found = Vec::new();
    for id in source.parser.iter().flat_map(|rule| whole(builder, rule.body)) {
        let Expr::Reference(name) = builder.grammar.expr(id) else { continue };
        if name.chars().next().is_some_and(char::is_uppercase) {
            match vocabulary.seen(name) {
                // What is not defined is reported where it is needed.
                Seen::Yes | Seen::Undefined => {}
                seen => found.push((id, name.clone(), seen)),
            }
        }
    }
    for (id, name, seen) in found {
        let span = builder.grammar.span(id);
        match seen {
            Seen::Never(why) => {
                let effect = format!("{why}: what needs it here is neither produced nor read");
                builder.lose(span, format!("the parser never sees the token `{name}`"), effect);
                builder.grammar.exprs[id.0 as usize] = Expr::Class(Vec::new());
            }
            _ => builder.error(fragment(&name, span)),
        }
    }
}

/// Replaces what stands for any token, or any but some.
pub(super) fn negations(builder: &mut Builder, source: &Source, lexer: &Lexer) {
    let literals: Vec<(Vec<u8>, bool)> = lexer
        .implicit
        .iter()
        .filter_map(|&id| match builder.grammar.expr(id) {
            Expr::Literal { bytes, ignore_case } => Some((bytes.clone(), *ignore_case)),
            _ => None,
        })
        .collect();
    let mut written = 0_usize;
    let unknown = unknown(builder, source, lexer);
    unknown.into_iter().for_each(|error| builder.error(error));
    for &(place, of) in &source.negations {
        let span = builder.grammar.span(place);
        written = written.saturating_add(lexer.tokens.len() + literals.len());
        if written > MOST {
            let message = format!("`.` and `~` of the parser stand for over {MOST} tokens in all");
            return builder.error(Diagnostic::error(span, message).help("use fewer of them"));
        }
        let Some((names, texts)) = excluded(builder, of) else { continue };
        let mut exprs = Vec::new();
        for (text, ignore_case) in literals.iter().filter(|(text, _)| !texts.contains(text)) {
            exprs.push(builder.literal(text, *ignore_case, span));
        }
        for (token, _) in lexer.tokens.iter().filter(|(token, _)| !names.contains(token)) {
            exprs.push(builder.reference(token.clone(), span));
        }
        let choice = match exprs.len() {
            0 => Expr::Class(Vec::new()),
            _ => Expr::Choice(exprs.iter().copied().map(Alternative::plain).collect()),
        };
        builder.grammar.exprs[place.0 as usize] = choice;
    }
}

/// What to say of names in negations that are none of tokens. Of a token that the parser never sees every
/// other is another, so nothing is lost.
fn unknown(builder: &Builder, source: &Source, lexer: &Lexer) -> Vec<Diagnostic> {
    let vocabulary = Vocabulary::new(builder, source, lexer);
    let mut errors = Vec::new();
    for id in source.negations.iter().filter_map(|&(_, of)| of).flat_map(|of| whole(builder, of)) {
        let Expr::Reference(name) = builder.grammar.expr(id) else { continue };
        if !name.chars().next().is_some_and(char::is_uppercase) {
            continue;
        }
        let span = builder.grammar.span(id);
        match vocabulary.seen(name) {
            Seen::Yes | Seen::Never(_) => {}
            Seen::Fragment => errors.push(fragment(name, span)),
            Seen::Undefined => {
                let error = Diagnostic::error(span, format!("token `{name}` is not defined"));
                errors.push(error.help("define it in the lexer, or leave it out of the `~`"));
            }
        }
    }
    errors
}

/// The tokens that a negation names; none, and an error, where it holds something else.
fn excluded(
    builder: &mut Builder,
    of: Option<ExprId>,
) -> Option<(HashSet<String>, HashSet<Vec<u8>>)> {
    let (mut names, mut texts) = (HashSet::new(), HashSet::new());
    let mut stack: Vec<ExprId> = of.into_iter().collect();
    while let Some(id) = stack.pop() {
        match builder.grammar.expr(id) {
            Expr::Reference(name) if name.chars().next().is_some_and(char::is_uppercase) => {
                names.insert(name.clone());
            }
            Expr::Literal { bytes, .. } => {
                texts.insert(bytes.clone());
            }
            Expr::Choice(all) => stack.extend(all.iter().map(|one| one.expr)),
            _ => {
                let error = Diagnostic::error(builder.grammar.span(id), "this cannot be negated");
                builder.error(error.help("a parser's `~` takes tokens: ~X or ~(X | 'y')"));
                return None;
            }
        }
    }
    Some((names, texts))
}

/// Writes the rules. `last` is a rule for what may stand at the end of the text only.
pub(super) fn write(builder: &mut Builder, source: &Source, last: Option<&str>) {
    let Some(start) = source.parser.first() else { return };
    let needed = needed(builder, source);
    for rule in &source.parser {
        let is_start = rule.name == start.name;
        ends(builder, source, rule.body, is_start, needed.contains(rule.name.as_str()));
    }
    let mut rules = Vec::new();
    for rule in &source.parser {
        rules.push((rule.name.clone(), rule.span, rule.body));
    }
    if let Some(last) = last {
        let span = start.span;
        let recurs = needed.contains(start.name.as_str()) && is_used(builder, source, &start.name);
        let body = match recurs {
            true => builder.reference(start.name.clone(), span),
            false => start.body,
        };
        let none = builder.sequence(&[], span);
        let last = builder.reference(last, span);
        let end = vec![
            Alternative::plain(none),
            Alternative { mark: Some(Mark::ParseOnly), ..Alternative::plain(last) },
        ];
        let end = builder.grammar.push(Expr::Choice(end), span);
        let body = builder.sequence(&[body, end], span);
        if recurs {
            let name = format!("{}-text", start.name);
            builder.grammar.start = Some(Name { text: name.clone(), span });
            rules.insert(0, (name, span, body));
        } else {
            rules[0].2 = body;
        }
    }
    for (name, span, body) in rules {
        builder.rule(&name, span, body);
    }
}

/// All expressions of a rule.
fn whole(builder: &Builder, body: ExprId) -> Vec<ExprId> {
    let mut out = vec![body];
    let mut at = 0;
    while let Some(&id) = out.get(at) {
        out.extend(builder.grammar.expr(id).children());
        at += 1;
    }
    out
}

/// Whether some rule refers to one.
fn is_used(builder: &Builder, source: &Source, name: &str) -> bool {
    source.parser.iter().any(|rule| {
        let is =
            |id: &ExprId| matches!(builder.grammar.expr(*id), Expr::Reference(it) if it == name);
        whole(builder, rule.body).iter().any(is)
    })
}

/// The rules that the first one needs.
fn needed<'s>(builder: &Builder, source: &'s Source) -> HashSet<&'s str> {
    let rules: HashMap<&str, (&'s str, ExprId)> = source
        .parser
        .iter()
        .map(|rule| (rule.name.as_str(), (rule.name.as_str(), rule.body)))
        .collect();
    let mut needed: HashSet<&'s str> = HashSet::new();
    let mut queue: Vec<&str> =
        source.parser.first().map(|rule| rule.name.as_str()).into_iter().collect();
    while let Some(name) = queue.pop() {
        let Some(&(name, body)) = rules.get(name) else { continue };
        if needed.insert(name) {
            for id in whole(builder, body) {
                if let Expr::Reference(name) = builder.grammar.expr(id)
                    && let Some(&(name, _)) = rules.get(name.as_str())
                {
                    queue.push(name);
                }
            }
        }
    }
    needed
}

/// Takes the end of the text out of a rule. Where it is one of several ways, that way is parse-only: the
/// others are produced.
fn ends(builder: &mut Builder, source: &Source, body: ExprId, is_start: bool, is_needed: bool) {
    if source.ends.is_empty() {
        return;
    }
    let is_end = |builder: &Builder, id: ExprId| match builder.grammar.expr(id) {
        Expr::Sequence(items) => items.iter().any(|it| source.ends.contains(it)),
        _ => false,
    };
    let mut found: Option<Span> = None;
    for id in whole(builder, body) {
        if source.ends.contains(&id) && !is_start {
            found = found.or(Some(builder.grammar.span(id)));
        }
        let mut expr = builder.grammar.expr(id).clone();
        match &mut expr {
            Expr::Choice(all) if !(is_start && id == body) => {
                let (mut last, first): (Vec<_>, Vec<_>) = all
                    .drain(..)
                    .partition(|one| source.ends.contains(&one.expr) || is_end(builder, one.expr));
                if !first.is_empty() {
                    last.iter_mut().for_each(|one| one.mark = Some(Mark::ParseOnly));
                }
                all.extend(first.into_iter().chain(last));
            }
            Expr::Repeat { expr: inner, .. } if source.ends.contains(inner) => {
                expr = Expr::Sequence(Vec::new());
            }
            _ => continue,
        }
        builder.grammar.exprs[id.0 as usize] = expr;
    }
    for id in whole(builder, body) {
        if let Expr::Sequence(items) = &mut builder.grammar.exprs[id.0 as usize] {
            items.retain(|item| !source.ends.contains(item));
        }
    }
    if let Some(span) = found.filter(|_| is_needed) {
        let help = "where it stands, nothing is read, and more may follow";
        builder.lose(span, "the end of the text is demanded here, not in the first rule", help);
    }
}
