//! The extras of a grammar as its layout.

use regex_syntax::hir::{Class, Hir, HirKind};

use super::emit::Emitter;
use super::syntax::{Node, NodeId};
use crate::import::ranges::LAST;
use pleach_core::grammar::{Alternative, Expr, ExprId, Mark, Name, Span};

/// How many kinds of extras that go on have an end written out.
const MOST_ENDS: usize = 64;

/// How many rules are followed to the kinds of an extra.
const MOST_OPENED: usize = 8;

/// Writes the layout: `(extra | extra)*`.
///
/// A lexer takes the longest token: a comment that goes on to the end of its line ends nowhere before. So
/// what can follow such an extra is what it cannot go on with: other layout, or the end of the text, where
/// the start rule reads it.
pub(super) fn write(emitter: &mut Emitter<'_>) {
    let syntax = emitter.syntax;
    let span = syntax.spans[syntax.extras[0]];
    let mut parts: Vec<ExprId> = Vec::new();
    let mut lasts: Vec<ExprId> = Vec::new();
    for &extra in &syntax.extras {
        if !matches!(syntax.nodes[extra], Node::Text(_) | Node::Pattern(_) | Node::Symbol(_)) {
            let what = "this extra is neither a string nor a pattern nor a rule";
            emitter.builder.lose(syntax.spans[extra], what, "it is left out: it stands nowhere");
            continue;
        }
        let kinds = match syntax.nodes[extra] {
            Node::Symbol(_) => kinds(emitter, extra),
            _ => Vec::new(),
        };
        if !kinds.iter().any(|&kind| goes_on(emitter, kind).is_some()) {
            parts.push(emitter.inside(extra));
            continue;
        }
        for kind in kinds {
            let part = emitter.inside(kind);
            let Some(ranges) = goes_on(emitter, kind).filter(|_| lasts.len() < MOST_ENDS) else {
                parts.push(part);
                continue;
            };
            lasts.push(emitter.inside(kind));
            let span = syntax.spans[kind];
            let whites: Vec<ExprId> = syntax
                .extras
                .iter()
                .filter(|&&extra| matches!(syntax.nodes[extra], Node::Text(_) | Node::Pattern(_)))
                .map(|&extra| emitter.inside(extra))
                .collect();
            if whites.is_empty() {
                parts.push(part);
                continue;
            }
            let white = emitter.builder.choice(&whites, span);
            let more = emitter.builder.class(ranges, span);
            let any = emitter.builder.class([(0, LAST)], span);
            let all = emitter.builder.repeat(any, 0, None, span);
            let minus = emitter.builder.sequence(&[more, all], span);
            let end = emitter.builder.except(white, minus, span);
            parts.push(emitter.builder.sequence(&[part, end], span));
        }
    }
    if parts.is_empty() {
        return;
    }
    let choice = emitter.builder.choice(&parts, span);
    let body = emitter.builder.repeat(choice, 0, None, span);
    let name = free(emitter, "layout");
    emitter.builder.rule(&name, span, body);
    emitter.builder.grammar.layout = Some(Name { text: name, span });
    if !lasts.is_empty() {
        let body = emitter.builder.choice(&lasts, span);
        last(emitter, body, span);
    }
}

/// Lets the start rule read one more extra at its end.
fn last(emitter: &mut Emitter<'_>, body: ExprId, span: Span) {
    let name = free(emitter, "last_extra");
    emitter.builder.rule(&name, span, body);
    emitter.builder.grammar.lexical.push(Name { text: name.clone(), span });
    let Some(start) = emitter.builder.grammar.rules.first().map(|start| start.name.text.clone())
    else {
        return;
    };
    if emitter.builder.grammar.lexical.iter().any(|name| name.text == start) {
        return;
    }
    let empty = emitter.builder.sequence(&[], span);
    let read = emitter.builder.reference(name, span);
    let all = vec![
        Alternative::plain(empty),
        Alternative { mark: Some(Mark::ParseOnly), ..Alternative::plain(read) },
    ];
    let end = emitter.builder.grammar.push(Expr::Choice(all), span);
    let body = emitter.builder.grammar.rules[0].body;
    let whole = emitter.builder.grammar.span(body);
    let body = emitter.builder.sequence(&[body, end], whole);
    emitter.builder.grammar.rules[0].body = body;
}

/// A name that no rule has.
fn free(emitter: &Emitter<'_>, name: &str) -> String {
    let mut name = name.to_owned();
    while emitter.facts.rules.contains_key(&name) {
        name.push('_');
    }
    name
}

/// The alternatives of an extra that is a rule; others are the one kind that they are.
fn kinds(emitter: &Emitter<'_>, extra: NodeId) -> Vec<NodeId> {
    let mut id = extra;
    let mut inside = false;
    for _ in 0..MOST_OPENED {
        inside |= emitter.facts.infos[id].token;
        id = match &emitter.syntax.nodes[id] {
            Node::Symbol(name) => match emitter.facts.rules.get(name) {
                Some(&rule) => emitter.syntax.rules[rule].body,
                None => break,
            },
            &Node::Token { node, .. } => node,
            Node::Choice(kinds) if inside => return kinds.clone(),
            _ => return vec![if inside { id } else { extra }],
        };
    }
    vec![extra]
}

/// The symbols with which a kind of extra goes on as long as it can; none where it has an end. White space
/// alone goes on with itself, which is no matter.
fn goes_on(emitter: &Emitter<'_>, kind: NodeId) -> Option<Vec<(u32, u32)>> {
    let syntax = emitter.syntax;
    let mut id = kind;
    for _ in 0..MOST_OPENED {
        id = match &syntax.nodes[id] {
            Node::Sequence(items) => *items.last()?,
            &Node::Token { node, .. } => node,
            &Node::Repeat { node, .. } => {
                let Node::Pattern(regex) = &syntax.nodes[node] else { return None };
                if id == kind {
                    return None;
                }
                return class(&regex_syntax::parse(regex).ok()?);
            }
            Node::Pattern(regex) => {
                let hir = regex_syntax::parse(regex).ok()?;
                let is_whole = id == kind && !matches!(hir.kind(), HirKind::Concat(_));
                return if is_whole { None } else { open_end(&hir) };
            }
            _ => return None,
        };
    }
    None
}

/// What a regular expression repeats at its end, behind something else or alone in a sequence.
fn open_end(hir: &Hir) -> Option<Vec<(u32, u32)>> {
    let mut hir = hir;
    loop {
        hir = match hir.kind() {
            HirKind::Concat(parts) => parts.last()?,
            HirKind::Capture(capture) => &capture.sub,
            HirKind::Repetition(repetition) if repetition.max.is_none() => {
                return class(&repetition.sub);
            }
            HirKind::Repetition(repetition) if repetition.max == Some(1) => &repetition.sub,
            _ => return None,
        };
    }
}

fn class(hir: &Hir) -> Option<Vec<(u32, u32)>> {
    let HirKind::Class(Class::Unicode(class)) = hir.kind() else { return None };
    Some(class.iter().map(|range| (range.start().into(), range.end().into())).collect())
}
