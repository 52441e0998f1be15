//! The languages of lexer rules, to tell which of them match the same texts.

use std::collections::{HashMap, HashSet};

use fxhash::{FxHashMap, FxHashSet};

use crate::import::builder::Builder;
use crate::import::ranges::{union, without};
use pleach_core::grammar::{Expr, ExprId};
use pleach_core::regular::{Alphabet, AutomatonLimits, ClassId, Dfa, Nfa, NfaState, StateId};

/// How deep what is taken from something may stand in what is taken from something else.
const DEPTH: u32 = 50;

/// Steps that all comparisons may take.
const STEPS: usize = 4_000_000;

/// How many steps may still be taken.
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    pub(super) fn new(steps: usize) -> Self {
        Self { left: steps }
    }

    /// Takes some steps, and one for asking; false where they are not left.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        self.left = self.left.saturating_sub(steps + 1);
        self.is_left()
    }

    /// Whether all that was asked was also looked at.
    pub(super) fn is_left(&self) -> bool {
        self.left > 0
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(STEPS)
    }
}

/// Makes automata of expressions, with rules by name.
pub(super) struct Automata<'r> {
    /// The bodies of the rules that are regular.
    pub(super) rules: &'r HashMap<String, ExprId>,
    limits: AutomatonLimits,
    alphabet: Alphabet,
}

impl<'r> Automata<'r> {
    pub(super) fn new(rules: &'r HashMap<String, ExprId>, alphabet: Alphabet) -> Self {
        // A rule that needs more is left to the lowering, which has larger bounds and reports it.
        let limits =
            AutomatonLimits::new().states(1 << 12).cells(1 << 18).nfa(1 << 14).steps(1 << 22);
        Self { rules, limits, alphabet }
    }

    /// The automaton of an expression; none where it is not regular, or large, or the budget ends.
    pub(super) fn of(&self, builder: &Builder, expr: ExprId, budget: &mut Budget) -> Option<Dfa> {
        self.build(builder, expr, 0, budget)
    }

    fn build(
        &self,
        builder: &Builder,
        root: ExprId,
        depth: u32,
        budget: &mut Budget,
    ) -> Option<Dfa> {
        if depth > DEPTH {
            return None;
        }
        let mut nfa = Nfa::new(self.alphabet);
        let (start, accept) = (nfa.state(), nfa.state());
        let mut tasks: Vec<(ExprId, NfaState, NfaState)> = vec![(root, start, accept)];
        let mut steps = 0;
        while let Some((id, from, to)) = tasks.pop() {
            steps += 1;
            if steps > self.limits.get_nfa() || nfa.check(&self.limits).is_err() || !budget.spend(0)
            {
                return None;
            }
            match builder.grammar.expr(id) {
                Expr::Literal { bytes, ignore_case } => {
                    nfa.literal(from, bytes, *ignore_case, to, &self.limits).ok()?;
                }
                Expr::Class(ranges) => nfa.edge(from, ranges, to),
                Expr::Regex(_) => return None,
                Expr::Reference(name) => tasks.push((*self.rules.get(name)?, from, to)),
                Expr::Sequence(items) => {
                    let mut at = from;
                    for &item in items {
                        let next = nfa.state();
                        tasks.push((item, at, next));
                        at = next;
                    }
                    nfa.epsilon(at, to);
                }
                Expr::Choice(all) => tasks.extend(all.iter().map(|one| (one.expr, from, to))),
                Expr::Repeat { expr, min, max, .. } => {
                    let copies = nfa.repeat(from, *min, *max, to, &self.limits).ok()?;
                    tasks.extend(copies.into_iter().map(|(from, to)| (*expr, from, to)));
                }
                Expr::Except { base, minus } => {
                    let base = self.build(builder, *base, depth + 1, budget)?;
                    let minus = self.build(builder, *minus, depth + 1, budget)?;
                    let both = base.difference(&minus, &self.limits).ok()?.minimize();
                    nfa.dfa(from, &both, to, &self.limits).ok()?;
                }
            }
        }
        Some(nfa.determinize(start, accept, &self.limits).ok()?.minimize())
    }
}

/// Whether some string is of both languages; yes where the budget ends.
pub(super) fn overlap(one: &Dfa, other: &Dfa, budget: &mut Budget) -> bool {
    let mut seen = FxHashSet::default();
    let mut meet: FxHashMap<(ClassId, ClassId), bool> = FxHashMap::default();
    let mut stack: Vec<(StateId, StateId)> = vec![(one.start(), other.start())];
    while let Some((a, b)) = stack.pop() {
        if one.is_accepting(a) && other.is_accepting(b) {
            return true;
        }
        for x in one.transitions(a) {
            for y in other.transitions(b) {
                if !budget.spend(0) {
                    return true;
                }
                let both = meet.entry((x.class, y.class)).or_insert_with(|| {
                    meets(one.class_ranges(x.class), other.class_ranges(y.class))
                });
                if *both && seen.insert((x.target, y.target)) {
                    stack.push((x.target, y.target));
                }
            }
        }
    }
    false
}

/// Whether two sorted lists of ranges have a symbol in common.
pub(super) fn meets(one: &[(u32, u32)], other: &[(u32, u32)]) -> bool {
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (one.get(i), other.get(j)) {
        if a.1 < b.0 {
            i += 1;
        } else if b.1 < a.0 {
            j += 1;
        } else {
            return true;
        }
    }
    false
}

/// Whether a text is of a language, in any of its forms if letters stand for both cases.
pub(super) fn has(language: &Dfa, text: &str, ignore_case: bool) -> bool {
    let mut states = vec![language.start()];
    for char in text.chars() {
        let mut next: Vec<StateId> = Vec::new();
        let forms = match ignore_case {
            true => [char.to_ascii_lowercase(), char.to_ascii_uppercase()],
            false => [char, char],
        };
        for &state in &states {
            for form in forms {
                let target = language.step(state, u32::from(form));
                if !language.is_dead(target) && !next.contains(&target) {
                    next.push(target);
                }
            }
        }
        states = next;
    }
    states.iter().any(|&state| language.is_accepting(state))
}

/// The symbols that a string of the language may begin with.
pub(super) fn first(language: &Dfa) -> Vec<(u32, u32)> {
    after(language, |state| state == language.start())
}

/// The symbols that may come after a string of the language, where it goes on: those that may come after each
/// string, if there are some. (A comment that goes on after its line's end behind a backslash does not as a rule.)
pub(super) fn beyond(language: &Dfa) -> Vec<(u32, u32)> {
    let any = after(language, |state| language.is_accepting(state));
    let mut all = any.clone();
    for state in language.states().filter(|&state| language.is_accepting(state)) {
        let here = after(language, |it| it == state);
        let missing = without(all.as_slice(), here);
        all = without(all, missing);
    }
    if all.is_empty() { any } else { all }
}

/// The symbols that end those strings of the language that cannot go on, and none that can.
pub(super) fn closing(language: &Dfa) -> Vec<(u32, u32)> {
    let (mut closed, mut open) = (Vec::new(), Vec::new());
    for transition in language.states().flat_map(|state| language.transitions(state)) {
        if language.is_accepting(transition.target) {
            let is_closed = language.transitions(transition.target).is_empty();
            let ends = if is_closed { &mut closed } else { &mut open };
            ends.extend(language.class_ranges(transition.class));
        }
    }
    without(union(closed), union(open))
}

fn after(language: &Dfa, of: impl Fn(StateId) -> bool) -> Vec<(u32, u32)> {
    let mut out: Vec<(u32, u32)> = Vec::new();
    for state in language.states().filter(|&state| of(state)) {
        for transition in language.transitions(state) {
            out.extend(language.class_ranges(transition.class));
        }
    }
    union(out)
}

/// The symbols with which strings of a language, or of others, go on where one of the first has ended: those that
/// it goes on with itself only if its strings are not put together of any number of its own. None where the
/// budget ends.
pub(super) fn goes_on<'d>(
    one: &Dfa,
    others: impl Iterator<Item = &'d Dfa>,
    budget: &mut Budget,
) -> Vec<(u32, u32)> {
    let mut out: Vec<(u32, u32)> = Vec::new();
    for other in others {
        let mut seen = FxHashSet::default();
        let mut stack = vec![(one.start(), other.start())];
        while let Some((a, b)) = stack.pop() {
            for y in other.transitions(b) {
                let symbols = other.class_ranges(y.class);
                if one.is_accepting(a) {
                    out.extend(symbols);
                }
                for x in one.transitions(a) {
                    if !budget.spend(0) {
                        return Vec::new();
                    }
                    let both = (x.target, y.target);
                    if meets(one.class_ranges(x.class), symbols) && seen.insert(both) {
                        stack.push(both);
                    }
                }
            }
        }
    }
    let own = beyond(one);
    match without(own.as_slice(), first(one)).is_empty() {
        true => without(out, own),
        false => {
            out.extend(own);
            union(out)
        }
    }
}

/// Whether some string of `other` goes on where one of `one` has ended and can go on otherwise only.
pub(super) fn outruns(one: &Dfa, other: &Dfa) -> bool {
    let mut seen = HashSet::new();
    let mut stack = vec![(one.start(), other.start(), false)];
    while let Some((a, b, ended)) = stack.pop() {
        let ended = ended || one.is_accepting(a);
        let mut goes_on: Vec<(u32, u32)> = Vec::new();
        for x in one.transitions(a) {
            goes_on.extend(one.class_ranges(x.class));
        }
        for y in other.transitions(b) {
            let symbols = other.class_ranges(y.class);
            if ended && !without(symbols, goes_on.as_slice()).is_empty() {
                return true;
            }
            for x in one.transitions(a) {
                let next = (x.target, y.target, ended);
                if meets(one.class_ranges(x.class), symbols) && seen.insert(next) {
                    stack.push(next);
                }
            }
        }
    }
    false
}
