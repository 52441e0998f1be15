//! Expansions: texts with nonterminals, and the book's extensions for EBNF.

use crate::import::builder::Builder;
use crate::import::json::Text;
use pleach_core::grammar::{ExprId, Span};

/// The nonterminal that a text begins with, brackets included: no space and no angle bracket is inside.
pub(super) fn nonterminal(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('<')?;
    let end = inner.find(['<', '>', ' '])?;
    inner[end..].starts_with('>').then(|| &text[..end + 2])
}

/// What the rule of a nonterminal is called.
pub(super) fn rule_name(nonterminal: &str) -> &str {
    match &nonterminal[1..nonterminal.len() - 1] {
        // A rule has a name.
        "" => nonterminal,
        inner => inner,
    }
}

/// A piece of an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// Text of so many bytes.
    Text,
    Nonterminal,
    Open,
    /// What closes a group, and its operator.
    Close(u8),
    /// The operator after a nonterminal.
    Operator(u8),
}

/// What an expansion derives; the extensions are in use where the rule is named that it is of.
pub(super) fn read(builder: &mut Builder, text: &Text<'_>, extended: Option<&str>) -> ExprId {
    let pieces = pieces(text.text, extended.is_some());
    if let Some(rule) = extended {
        doubt(builder, text, &pieces, rule);
    }
    let mut items: Vec<ExprId> = Vec::new();
    // Where the open groups begin: among the items, and in the text.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for &(piece, from, to) in &pieces {
        let part = &text.text[from..to];
        let span = text.part(from..to);
        match piece {
            Piece::Text => items.push(builder.literal(part.as_bytes(), false, span)),
            Piece::Nonterminal => items.push(builder.reference(rule_name(part), span)),
            Piece::Open => open.push((items.len(), from)),
            Piece::Close(operator) => {
                let Some((first, begin)) = open.pop() else { continue };
                let whole = text.part(begin..to);
                let group = builder.sequence(&items[first..], whole);
                items.truncate(first);
                items.push(repeat(builder, group, operator, whole));
            }
            Piece::Operator(operator) => {
                let Some(item) = items.pop() else { continue };
                let whole = Span { end: span.end, ..builder.grammar.span(item) };
                items.push(repeat(builder, item, operator, whole));
            }
        }
    }
    builder.sequence(&items, text.part(0..text.text.len()))
}

fn repeat(builder: &mut Builder, expr: ExprId, operator: u8, span: Span) -> ExprId {
    let (min, max) = match operator {
        b'?' => (0, Some(1)),
        b'*' => (0, None),
        _ => (1, None),
    };
    builder.repeat(expr, min, max, span)
}

/// The pieces of an expansion in order, texts as long as they can be, each with its first offset and the
/// one after its last.
fn pieces(text: &str, extended: bool) -> Vec<(Piece, usize, usize)> {
    let bytes = text.as_bytes();
    let operator = |at: usize| {
        bytes.get(at).copied().filter(|byte| extended && matches!(byte, b'?' | b'*' | b'+'))
    };
    let mut pieces: Vec<(Piece, usize, usize)> = Vec::new();
    // The open parentheses, as places among the pieces, and whether one inside is text.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let from = at;
        match bytes[at] {
            b'<' => match nonterminal(&text[at..]) {
                Some(found) => {
                    at += found.len();
                    pieces.push((Piece::Nonterminal, from, at));
                    if let Some(operator) = operator(at) {
                        pieces.push((Piece::Operator(operator), at, at + 1));
                        at += 1;
                    }
                    continue;
                }
                None => at += 1,
            },
            b'(' if extended => {
                at += 1;
                open.push((pieces.len(), false));
                // A group or text: that is known where it is closed.
                pieces.push((Piece::Open, from, at));
                continue;
            }
            b')' if extended => {
                at += 1;
                match (open.pop(), operator(at)) {
                    (Some((_, false)), Some(operator)) => {
                        at += 1;
                        pieces.push((Piece::Close(operator), from, at));
                        continue;
                    }
                    (Some((place, _)), _) => {
                        pieces[place].0 = Piece::Text;
                        if let Some(outer) = open.last_mut() {
                            outer.1 = true;
                        }
                    }
                    (None, _) => {}
                }
            }
            _ => at += 1,
        }
        pieces.push((Piece::Text, from, at));
    }
    for (place, _) in open {
        pieces[place].0 = Piece::Text;
    }
    pieces.dedup_by(|next, last| {
        let joins = next.0 == Piece::Text && last.0 == Piece::Text;
        if joins {
            last.2 = next.2;
        }
        joins
    });
    pieces
}

/// Warns where an operator of the extensions looks like one of the language that the grammar is of.
fn doubt(builder: &mut Builder, text: &Text<'_>, pieces: &[(Piece, usize, usize)], rule: &str) {
    let is_nonterminal = |piece: &(Piece, usize, usize)| piece.0 == Piece::Nonterminal;
    let recurs = pieces
        .iter()
        .any(|piece| is_nonterminal(piece) && rule_name(&text.text[piece.1..piece.2]) == rule);
    let between = |three: &&[(Piece, usize, usize)]| {
        is_nonterminal(&three[0])
            && matches!(three[1].0, Piece::Operator(b'*' | b'+'))
            && is_nonterminal(&three[2])
    };
    let Some([first, operator, _]) = pieces.windows(3).find(between).filter(|_| recurs) else {
        return;
    };
    let span = text.part(first.1..operator.2);
    let what = format!("`{}` may be a rule and an operator", &text.text[first.1..operator.2]);
    let effect = "it is read as a repetition, as EBNF has it; --from fuzzingbook-bnf reads text";
    builder.lose(span, what, effect);
}
