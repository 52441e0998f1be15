//! Where pest takes something because it comes first, and does not come back to it.
//!
//! That an earlier alternative matches the beginning of a later one is told where
//! - the earlier one can match the empty text;
//! - both begin with literals, of which the earlier is all of its alternative;
//! - the earlier one is a single symbol with which the later one, which can be longer, begins;
//! - the earlier one is a rule, or what a rule consists of, with which the later one begins and goes on.
//!
//! That a repetition takes what is to follow it is told where a symbol, a literal or a token is repeated
//! with which what follows in the sequence begins as well. Anything subtler goes unnoticed.

use std::collections::HashSet;

use super::super::builder::Builder;
use super::facts::Facts;
use super::set::Set;
use super::syntax::{Node, NodeId, Syntax};

/// How many rules are followed to what an alternative begins with.
const MOST_OPENED: usize = 4;

/// Warns where order matters.
pub(super) fn warn(builder: &mut Builder, syntax: &Syntax, facts: &Facts) {
    for (rule, &spaced) in syntax.rules.iter().zip(&facts.spaced) {
        for id in rule.nodes.clone() {
            match &syntax.nodes[id] {
                Node::Choice(alternatives) => choice(builder, syntax, facts, alternatives),
                Node::Sequence(items) => sequence(builder, syntax, facts, items, spaced),
                _ => {}
            }
        }
    }
}

/// What an alternative begins with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Text(String),
    Name(String),
}

fn choice(builder: &mut Builder, syntax: &Syntax, facts: &Facts, alternatives: &[NodeId]) {
    let mut wholes: HashSet<Key> = HashSet::new();
    let mut texts: HashSet<String> = HashSet::new();
    let mut symbols = Set::default();
    let mut empty = false;
    for (at, &alternative) in alternatives.iter().enumerate() {
        let info = &facts.infos[alternative];
        let mut hidden = empty;
        let beginnings = beginnings(syntax, facts, alternative);
        for (key, goes_on) in &beginnings {
            hidden |= *goes_on && wholes.contains(key);
            if let Key::Text(text) = key {
                let ends = text.char_indices().map(|(at, _)| at).skip(1);
                hidden |= ends.take(64).any(|end| texts.contains(&text[..end]));
                hidden |= *goes_on && texts.contains(text);
            }
        }
        hidden |= info.longest != Some(1) && !info.nullable && !info.first.is_apart(symbols);
        if hidden && !is_negative(syntax, alternative) {
            let what = "the order of these alternatives matters to pest: an earlier one can match \
                        the beginning of this one";
            let effect = "they are taken in any order: what pest refuses, or reads otherwise, is \
                          produced and read";
            builder.lose(syntax.spans[alternative], what, effect);
        }
        // What looks ahead first may refuse what it would match.
        if is_negative(syntax, alternative) {
            continue;
        }
        empty |= info.nullable && at + 1 < alternatives.len();
        if let Some(one) = &info.one {
            symbols = symbols.or(Set::of(one));
        }
        for (key, goes_on) in beginnings {
            if goes_on {
                continue;
            }
            if let Key::Text(text) = &key {
                texts.insert(text.clone());
            }
            wholes.insert(key);
        }
    }
}

/// Whether an alternative begins or ends with a predicate, or is a rule that does: what that says is
/// beyond what is told here.
fn is_negative(syntax: &Syntax, id: NodeId) -> bool {
    let is_predicate = |id: &NodeId| matches!(syntax.nodes[*id], Node::Not(_) | Node::And(_));
    match &syntax.nodes[id] {
        Node::Sequence(items) => items.iter().any(is_predicate),
        _ => is_predicate(&id),
    }
}

/// What an alternative begins with, and whether more follows.
fn beginnings(syntax: &Syntax, facts: &Facts, id: NodeId) -> Vec<(Key, bool)> {
    let mut out = Vec::new();
    let (mut id, mut goes_on) = (id, false);
    for _ in 0..MOST_OPENED {
        if let Node::Sequence(items) = &syntax.nodes[id]
            && let [first, rest @ ..] = items.as_slice()
        {
            // What looks ahead at the end of a keyword tells it from what goes on.
            if rest.iter().any(|&item| matches!(syntax.nodes[item], Node::Not(_) | Node::And(_))) {
                break;
            }
            goes_on |= !rest.is_empty();
            id = *first;
        }
        match &syntax.nodes[id] {
            Node::Text { text, ignore_case } if !text.is_empty() => {
                let text = if *ignore_case { text.to_ascii_lowercase() } else { text.clone() };
                out.push((Key::Text(text), goes_on));
                break;
            }
            Node::Name(name) => {
                out.push((Key::Name(name.clone()), goes_on));
                let Some(&rule) = facts.rules.get(name) else { break };
                id = syntax.rules[rule].body;
            }
            // `a+` and `a*` at the beginning are what `a+` alone is.
            &Node::Repeat { node, min: 1, max: None } => {
                let Node::Name(name) = &syntax.nodes[node] else { break };
                out.push((Key::Name(format!("{name}+")), goes_on));
                break;
            }
            _ => break,
        }
    }
    out
}

fn sequence(builder: &mut Builder, syntax: &Syntax, facts: &Facts, items: &[NodeId], spaced: bool) {
    // What can follow each item within the sequence.
    let mut after = Set::default();
    for &item in items.iter().rev() {
        let info = &facts.infos[item];
        if let Node::Repeat { node, max, .. } = syntax.nodes[item]
            && max != Some(0)
        {
            let inner = &facts.infos[node];
            let is_one = inner.one.is_some() || matches!(syntax.nodes[node], Node::Text { .. });
            let is_token = spaced && inner.token && !inner.boundary;
            let takes = (is_one || is_token) && !inner.first.is_apart(after);
            if takes && !is_exact(syntax, node) {
                let what = "pest repeats this as often as it can, and what follows can begin alike";
                let effect = "it may end anywhere here: what pest refuses, or reads otherwise, is \
                              produced and read";
                builder.lose(syntax.spans[item], what, effect);
            }
        }
        let predicate = matches!(syntax.nodes[item], Node::Not(_) | Node::And(_));
        if !predicate {
            after = if info.nullable { after.or(info.first) } else { info.first };
        }
    }
}

/// Whether what is repeated begins with a predicate, which says where it ends.
fn is_exact(syntax: &Syntax, node: NodeId) -> bool {
    let Node::Sequence(items) = &syntax.nodes[node] else { return false };
    items.first().is_some_and(|&first| matches!(syntax.nodes[first], Node::Not(_) | Node::And(_)))
}
