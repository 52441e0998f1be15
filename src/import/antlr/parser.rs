//! The rules of the parser: any token, any but some, and the end of the text.

use std::collections::{HashMap, HashSet};

use super::lexer::Lexer;
use super::source::Source;
use crate::grammar::{Alternative, Diagnostic, Expr, ExprId, Mark, Name, Span};
use crate::import::draft::Draft;

/// Tokens that are written for `.` and `~`, in all.
const MOST: usize = 1_000_000;

/// Replaces what stands for any token, or any but some.
pub(super) fn negations(draft: &mut Draft, source: &Source, lexer: &Lexer) {
    let literals: Vec<(Vec<u8>, bool)> = lexer
        .implicit
        .iter()
        .filter_map(|&id| match draft.grammar.expr(id) {
            Expr::Literal { bytes, ignore_case } => Some((bytes.clone(), *ignore_case)),
            _ => None,
        })
        .collect();
    let mut written = 0_usize;
    for &(place, of) in &source.negations {
        let span = draft.grammar.span(place);
        written = written.saturating_add(lexer.tokens.len() + literals.len());
        if written > MOST {
            let message = format!("`.` and `~` of the parser stand for over {MOST} tokens in all");
            return draft.error(Diagnostic::error(span, message).help("use fewer of them"));
        }
        let Some((names, texts)) = excluded(draft, of) else { continue };
        let mut exprs = Vec::new();
        for (text, ignore_case) in literals.iter().filter(|(text, _)| !texts.contains(text)) {
            exprs.push(draft.literal(text, *ignore_case, span));
        }
        for (token, _) in lexer.tokens.iter().filter(|(token, _)| !names.contains(token)) {
            exprs.push(draft.reference(token.clone(), span));
        }
        let choice = match exprs.len() {
            0 => Expr::Class(Vec::new()),
            _ => Expr::Choice(exprs.iter().copied().map(Alternative::plain).collect()),
        };
        draft.grammar.exprs[place.0 as usize] = choice;
    }
}

/// The tokens that a negation names; none, and an error, where it holds something else.
fn excluded(draft: &mut Draft, of: Option<ExprId>) -> Option<(HashSet<String>, HashSet<Vec<u8>>)> {
    let (mut names, mut texts) = (HashSet::new(), HashSet::new());
    let mut stack: Vec<ExprId> = of.into_iter().collect();
    while let Some(id) = stack.pop() {
        match draft.grammar.expr(id) {
            Expr::Reference(name) if name.chars().next().is_some_and(char::is_uppercase) => {
                names.insert(name.clone());
            }
            Expr::Literal { bytes, .. } => {
                texts.insert(bytes.clone());
            }
            Expr::Choice(all) => stack.extend(all.iter().map(|one| one.expr)),
            _ => {
                let error = Diagnostic::error(draft.grammar.span(id), "this cannot be negated");
                draft.error(error.help("a parser's `~` takes tokens: ~X or ~(X | 'y')"));
                return None;
            }
        }
    }
    Some((names, texts))
}

/// Writes the rules. `last` is a rule for what may stand at the end of the text only.
pub(super) fn write(draft: &mut Draft, source: &Source, last: Option<&str>) {
    let Some(start) = source.parser.first() else { return };
    let needed = needed(draft, source);
    for rule in &source.parser {
        let is_start = rule.name == start.name;
        ends(draft, source, rule.body, is_start, needed.contains(rule.name.as_str()));
    }
    let mut rules = Vec::new();
    for rule in &source.parser {
        rules.push((rule.name.clone(), rule.span, rule.body));
    }
    if let Some(last) = last {
        let span = start.span;
        let recurs = needed.contains(start.name.as_str()) && is_used(draft, source, &start.name);
        let body = match recurs {
            true => draft.reference(start.name.clone(), span),
            false => start.body,
        };
        let none = draft.sequence(&[], span);
        let last = draft.reference(last, span);
        let end = vec![
            Alternative::plain(none),
            Alternative { mark: Some(Mark::ReadOnly), ..Alternative::plain(last) },
        ];
        let end = draft.grammar.push(Expr::Choice(end), span);
        let body = draft.sequence(&[body, end], span);
        if recurs {
            let name = format!("{}-text", start.name);
            draft.grammar.start = Some(Name { text: name.clone(), span });
            rules.insert(0, (name, span, body));
        } else {
            rules[0].2 = body;
        }
    }
    for (name, span, body) in rules {
        draft.rule(&name, span, body);
    }
}

/// All expressions of a rule.
fn whole(draft: &Draft, body: ExprId) -> Vec<ExprId> {
    let mut out = vec![body];
    let mut at = 0;
    while let Some(&id) = out.get(at) {
        out.extend(draft.grammar.expr(id).children());
        at += 1;
    }
    out
}

/// Whether some rule refers to one.
fn is_used(draft: &Draft, source: &Source, name: &str) -> bool {
    source.parser.iter().any(|rule| {
        let is = |id: &ExprId| matches!(draft.grammar.expr(*id), Expr::Reference(it) if it == name);
        whole(draft, rule.body).iter().any(is)
    })
}

/// The rules that the first one needs.
fn needed<'s>(draft: &Draft, source: &'s Source) -> HashSet<&'s str> {
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
            for id in whole(draft, body) {
                if let Expr::Reference(name) = draft.grammar.expr(id)
                    && let Some(&(name, _)) = rules.get(name.as_str())
                {
                    queue.push(name);
                }
            }
        }
    }
    needed
}

/// Takes the end of the text out of a rule. Where it is one of several ways, that way is read only: the
/// others are produced.
fn ends(draft: &mut Draft, source: &Source, body: ExprId, is_start: bool, is_needed: bool) {
    if source.ends.is_empty() {
        return;
    }
    let is_end = |draft: &Draft, id: ExprId| match draft.grammar.expr(id) {
        Expr::Sequence(items) => items.iter().any(|it| source.ends.contains(it)),
        _ => false,
    };
    let mut found: Option<Span> = None;
    for id in whole(draft, body) {
        if source.ends.contains(&id) && !is_start {
            found = found.or(Some(draft.grammar.span(id)));
        }
        let mut expr = draft.grammar.expr(id).clone();
        match &mut expr {
            Expr::Choice(all) if !(is_start && id == body) => {
                let (mut last, first): (Vec<_>, Vec<_>) = all
                    .drain(..)
                    .partition(|one| source.ends.contains(&one.expr) || is_end(draft, one.expr));
                if !first.is_empty() {
                    last.iter_mut().for_each(|one| one.mark = Some(Mark::ReadOnly));
                }
                all.extend(first.into_iter().chain(last));
            }
            Expr::Repeat { expr: inner, .. } if source.ends.contains(inner) => {
                expr = Expr::Sequence(Vec::new());
            }
            _ => continue,
        }
        draft.grammar.exprs[id.0 as usize] = expr;
    }
    for id in whole(draft, body) {
        if let Expr::Sequence(items) = &mut draft.grammar.exprs[id.0 as usize] {
            items.retain(|item| !source.ends.contains(item));
        }
    }
    if let Some(span) = found.filter(|_| is_needed) {
        let help = "where it stands, nothing is read, and more may follow";
        draft.lose(span, "the end of the text is demanded here, not in the first rule", help);
    }
}
