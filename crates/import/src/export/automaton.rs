//! Automata as rules: one a state, of which each alternative is a class and the rule of the next state.

use std::collections::BTreeMap;

use super::names::Names;
use pleach_core::grammar::{Alternative, Expr, ExprId, Grammar, Name, Rule, Span};
use pleach_core::internal::normalize;
use pleach_core::regular::{Dfa, StateId};

/// The most states and transitions that are written out.
const STATES: usize = 1000;
const TRANSITIONS: usize = 20_000;

/// Whether an automaton is small enough to be written out.
pub(super) fn fits(dfa: &Dfa) -> bool {
    let transitions = dfa.states().map(|state| dfa.transitions(state).len()).sum::<usize>();
    dfa.state_count() <= STATES && transitions <= TRANSITIONS
}

/// Adds the rules of an automaton, named after another rule, and gives the expression that derives its
/// language; none where it has too many.
pub(super) fn write(
    dfa: &Dfa,
    name: &str,
    names: &mut Names,
    grammar: &mut Grammar,
) -> Option<ExprId> {
    if !fits(dfa) {
        return None;
    }
    let span = Span::default();
    let mut found: Vec<(StateId, String)> = vec![(dfa.start(), names.take(name))];
    let mut numbers: Vec<Option<usize>> = vec![None; dfa.state_count()];
    numbers[dfa.start().index()] = Some(0);
    let mut at = 0;
    while let Some(&(state, _)) = found.get(at) {
        // What leads to the same state is one class.
        let mut targets: BTreeMap<usize, (StateId, Vec<(u32, u32)>)> = BTreeMap::new();
        for transition in dfa.transitions(state) {
            let entry = targets
                .entry(transition.target.index())
                .or_insert_with(|| (transition.target, Vec::new()));
            entry.1.extend_from_slice(dfa.class_ranges(transition.class));
        }
        let mut alternatives = Vec::new();
        for (index, (target, mut ranges)) in targets {
            normalize(&mut ranges);
            let class = grammar.push(Expr::Class(ranges), span);
            // From a state without transitions nothing follows.
            if dfa.transitions(target).is_empty() {
                alternatives.push(class);
                continue;
            }
            let number = *numbers[index].get_or_insert_with(|| {
                found.push((target, names.take(name)));
                found.len() - 1
            });
            let next = grammar.push(Expr::Reference(found[number].1.clone()), span);
            alternatives.push(grammar.push(Expr::Sequence(vec![class, next]), span));
        }
        if dfa.is_accepting(state) {
            alternatives.push(grammar.push(Expr::Sequence(Vec::new()), span));
        }
        let plain = Alternative::plain;
        let choice = Expr::Choice(alternatives.into_iter().map(plain).collect());
        let body = grammar.push(choice, span);
        let name = Name { text: found[at].1.clone(), span };
        grammar.rules.push(Rule { name, docs: String::new(), body });
        at += 1;
    }
    Some(grammar.push(Expr::Reference(found[0].1.clone()), span))
}
