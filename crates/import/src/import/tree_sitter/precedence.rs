//! `PREC` and its kinds as bindings of alternatives.
//!
//! tree-sitter asks for a precedence where an LR(1) parser has an operand behind it and an operator before
//! it that could both take it: of the two alternatives the one of greater precedence does, and of equal ones
//! the associativity of the first decides. That is what a binding says, so a precedence around an
//! alternative that begins or ends with an operand is carried over, and so is one around a part that does, if
//! that is the only operand at an end. One that stands elsewhere (where an optional end is what is undecided)
//! is lost, with a warning.
//!
//! Numbers are compared with numbers, and where none is written it is 0; names by the lists of `precedences`, in
//! which rules stand for their alternatives. Levels are the ranks of all that is used: numbers below 0,
//! 0, names, numbers above.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::facts::Facts;
use super::syntax::{Node, NodeId, Syntax};
use crate::import::builder::Builder;
use pleach_core::grammar::{Associativity, Binding, Span};

/// How much is compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Level {
    Number(i64),
    Name(String),
    /// A rule in the lists, for its alternatives that have no other.
    Rule(String),
}

/// What stands around a node.
#[derive(Clone, Debug)]
pub(super) struct Precedence {
    pub(super) level: Level,
    pub(super) associativity: Associativity,
    pub(super) span: Span,
}

impl Precedence {
    /// Whether it says nothing that would not be so without it.
    fn is_void(&self) -> bool {
        self.level == Level::Number(0) && self.associativity == Associativity::Unspecified
    }
}

/// Steps from rule to rule, in all; where there are more no precedence is carried over.
const MOST_STEPS: usize = 1 << 22;

/// The bindings of alternatives, by their nodes. Says which precedences are lost.
pub(super) fn bindings(
    builder: &mut Builder,
    syntax: &Syntax,
    facts: &Facts,
) -> HashMap<NodeId, Binding> {
    let mut finder = Finder { syntax, facts, reached: HashMap::new(), steps: 0 };
    let known: HashSet<&Level> = syntax.orders.iter().flatten().collect();
    let mut found: Vec<(NodeId, Level, Associativity)> = Vec::new();
    let mut carried: HashSet<NodeId> = HashSet::new();
    let mut families: HashSet<usize> = HashSet::new();
    let mut unspecified = Vec::new();
    for (rule, definition) in syntax.rules.iter().enumerate() {
        if facts.infos[definition.body].token {
            continue;
        }
        let listed = Level::Rule(definition.name.clone());
        let listed = known.contains(&listed).then_some(listed);
        for (node, around) in alternatives(syntax, definition.body) {
            let [first, last] = [0, 1].map(|side| finder.end(rule, node, around, side));
            let around = match (first.families.is_empty(), last.families.is_empty()) {
                (false, true) => first.around,
                (true, false) => last.around,
                _ if level(syntax, first.around) == level(syntax, last.around) => last.around,
                // An operator that binds its operands differently.
                _ => None,
            };
            let ends = &first.families | &last.families;
            let precedence = around.map(|around| &syntax.precedences[&around]);
            let own = match (precedence.map(|one| &one.level), listed.clone()) {
                (None | Some(Level::Number(0)), Some(listed)) => Some(listed),
                (Some(level), _) => Some(level.clone()),
                (None, None) => None,
            };
            let Some(level) = own.filter(|_| !ends.is_empty()) else {
                unspecified.push((node, ends));
                continue;
            };
            carried.extend(around);
            if matches!(level, Level::Name(_)) && !known.contains(&level) {
                if let Some(precedence) = precedence {
                    let what = "this precedence stands in no list of `precedences`";
                    builder.lose(precedence.span, what, EFFECT);
                }
                continue;
            }
            families.extend(ends);
            let associativity =
                precedence.map_or(Associativity::Unspecified, |one| one.associativity);
            found.push((node, level, associativity));
        }
    }
    // Without a precedence it is 0, for those that could be taken.
    for (node, ends) in unspecified {
        if ends.iter().any(|end| families.contains(end)) {
            found.push((node, Level::Number(0), Associativity::Unspecified));
        }
    }
    if finder.steps > MOST_STEPS {
        (found, carried) = (Vec::new(), HashSet::new());
    }
    say_lost(builder, syntax, facts, &carried);
    let used: HashSet<&Level> = found.iter().map(|(_, level, _)| level).collect();
    let ranks = ranks(&syntax.orders, &used);
    // Numbers below 0, 0, names, numbers above.
    let order = |level: &Level| match level {
        Level::Number(number) => (number.signum() * 2, *number),
        named => (1, ranks[named]),
    };
    let all: BTreeSet<(i64, i64)> = found.iter().map(|(_, level, _)| order(level)).collect();
    let numbers: HashMap<(i64, i64), u32> = all.into_iter().zip(1..).collect();
    found
        .into_iter()
        .map(|(node, level, associativity)| {
            (node, Binding { level: numbers[&order(&level)], associativity })
        })
        .collect()
}

/// How much a precedence says.
fn level(syntax: &Syntax, around: Option<NodeId>) -> Option<&Level> {
    around.map(|around| &syntax.precedences[&around].level)
}

const EFFECT: &str =
    "where it decides between two trees of a text, the first in the order of derivations is taken";

/// Says which precedences outside of tokens are not carried over.
fn say_lost(builder: &mut Builder, syntax: &Syntax, facts: &Facts, carried: &HashSet<NodeId>) {
    let mut in_tokens = vec![false; syntax.nodes.len()];
    for rule in &syntax.rules {
        in_tokens[rule.body] = facts.infos[rule.body].token;
    }
    // What a node contains stands before it.
    for id in (0..syntax.nodes.len()).rev() {
        let inner: &[NodeId] = match &syntax.nodes[id] {
            Node::Token { node, .. } => {
                in_tokens[*node] = true;
                continue;
            }
            Node::Sequence(items) | Node::Choice(items) => items,
            Node::Repeat { node, .. } => std::slice::from_ref(node),
            _ => &[],
        };
        let is_inside = in_tokens[id];
        inner.iter().for_each(|&inner| in_tokens[inner] |= is_inside);
    }
    let mut lost: Vec<Span> = syntax
        .precedences
        .iter()
        .filter(|&(node, one)| !carried.contains(node) && !in_tokens[*node] && !one.is_void())
        .map(|(_, one)| one.span)
        .collect();
    lost.sort_unstable_by_key(|span| span.start);
    for span in lost {
        let what = "this precedence is around nothing that begins or ends with an operand";
        builder.lose(span, what, EFFECT);
    }
}

/// The alternatives of a rule's body, each with the node whose precedence is its.
fn alternatives(syntax: &Syntax, body: NodeId) -> Vec<(NodeId, Option<NodeId>)> {
    let mut out = Vec::new();
    let mut stack = vec![(body, None)];
    while let Some((id, around)) = stack.pop() {
        let around = if syntax.precedences.contains_key(&id) { Some(id) } else { around };
        match &syntax.nodes[id] {
            Node::Choice(members) if !is_optional(syntax, members) => {
                stack.extend(members.iter().rev().map(|&member| (member, around)));
            }
            _ => out.push((id, around)),
        }
    }
    out
}

fn is_optional(syntax: &Syntax, members: &[NodeId]) -> bool {
    members.iter().any(|&member| matches!(syntax.nodes[member], Node::Blank))
}

/// How high each entry of the lists that is used stands above the lowest that it is compared with. tree-sitter
/// takes those that no list compares for equal, so they stand as low as they can.
fn ranks(orders: &[Vec<Level>], used: &HashSet<&Level>) -> HashMap<Level, i64> {
    let orders: Vec<Vec<&Level>> = orders
        .iter()
        .map(|order| order.iter().filter(|level| used.contains(level)).collect())
        .collect();
    let mut above: HashMap<&Level, Vec<&Level>> = HashMap::new();
    let mut below: HashMap<&Level, usize> = HashMap::new();
    let mut all: Vec<&Level> = Vec::new();
    for &level in orders.iter().flatten() {
        if below.insert(level, 0).is_none() {
            all.push(level);
        }
    }
    for pair in orders.iter().flat_map(|order| order.windows(2)) {
        above.entry(pair[1]).or_default().push(pair[0]);
        *below.entry(pair[0]).or_default() += 1;
    }
    let mut ranks: HashMap<Level, i64> = HashMap::new();
    let mut queue: Vec<&Level> = all.iter().copied().filter(|level| below[level] == 0).collect();
    let mut next = 0;
    while let Some(&level) = queue.get(next) {
        next += 1;
        let rank = *ranks.entry(level.clone()).or_insert(0);
        for &higher in above.get(level).into_iter().flatten() {
            let known = ranks.entry(higher.clone()).or_insert(0);
            *known = (*known).max(rank + 1);
            let count = below.entry(higher).or_default();
            *count -= 1;
            if *count == 0 {
                queue.push(higher);
            }
        }
    }
    // Lists that contradict each other say nothing of the others.
    for level in all {
        ranks.entry(level.clone()).or_insert(0);
    }
    ranks
}

/// One end of an alternative.
struct End {
    /// The rules that stand there and whose operator it is.
    families: HashSet<usize>,
    /// The node whose precedence counts there.
    around: Option<NodeId>,
}

/// Finds what begins and ends with operands.
struct Finder<'s> {
    syntax: &'s Syntax,
    facts: &'s Facts,
    /// By rule, the rules that it is by single symbols.
    reached: HashMap<usize, HashSet<usize>>,
    steps: usize,
}

impl Finder<'_> {
    /// The rules that a node is by single symbols.
    fn leads(&self, node: NodeId) -> Vec<usize> {
        let (mut out, mut stack) = (Vec::new(), vec![node]);
        while let Some(id) = stack.pop() {
            match &self.syntax.nodes[id] {
                Node::Symbol(name) => out.extend(self.facts.rules.get(name)),
                Node::Choice(members) if !is_optional(self.syntax, members) => {
                    stack.extend(members);
                }
                _ => {}
            }
        }
        out
    }

    fn reach(&mut self, rule: usize) {
        if self.reached.contains_key(&rule) || self.steps > MOST_STEPS {
            return;
        }
        let (mut found, mut queue) = (HashSet::from([rule]), vec![rule]);
        while let Some(rule) = queue.pop() {
            for target in self.leads(self.syntax.rules[rule].body) {
                self.steps += 1;
                if found.insert(target) {
                    queue.push(target);
                }
            }
        }
        self.reached.insert(rule, found);
    }

    /// The beginning (0) or the end of an alternative of a rule.
    fn end(&mut self, rule: usize, node: NodeId, around: Option<NodeId>, side: usize) -> End {
        let mut end = End { families: HashSet::new(), around };
        let nodes = &self.syntax.nodes;
        let at = |items: &[NodeId]| if side == 0 { items.first() } else { items.last() }.copied();
        let mut next = match &nodes[node] {
            Node::Sequence(items) if items.len() > 1 => at(items),
            _ => None,
        };
        let inner = loop {
            let Some(item) = next else { return end };
            if self.syntax.precedences.contains_key(&item) {
                end.around = Some(item);
            }
            match &nodes[item] {
                Node::Sequence(items) => next = at(items),
                _ => break item,
            }
        };
        for target in self.leads(inner) {
            self.reach(target);
            let candidates = self.reached.get(&target).cloned().unwrap_or_default();
            for family in candidates {
                self.reach(family);
                let reached = self.reached.get(&family);
                if reached.is_some_and(|reached| reached.contains(&rule)) {
                    end.families.insert(family);
                }
            }
        }
        end
    }
}
