//! Deterministic automata: the table, and walking along it.

use super::classes::Classes;
use super::{Alphabet, ClassId, StateId};
#[cfg(feature = "front")]
use super::{AutomatonLimits, Nfa, NfaState, RegularError};
use crate::pack::Pack;
use crate::rows::Rows;

/// A move of a [`Dfa`] after which some string is still accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// The symbols that make it.
    pub class: ClassId,
    /// Where it leads.
    pub target: StateId,
}

/// A complete deterministic automaton over classes of symbols.
///
/// State 0 is dead, and the start state is always another one, even where no string is accepted.
/// Walking it, by [`Dfa::step`] along a given string or by [`Dfa::transitions`] along a string of
/// one's own, allocates nothing, and [`Dfa::distance`] says how to end.
///
/// Two automata are `==` if their tables are: for minimal ones over the same alphabet that is
/// the same as accepting the same strings. In general, ask [`Dfa::equivalent`].
///
/// # Examples
///
/// ```
/// use pleach::regular::{Alphabet, Dfa, AutomatonLimits};
///
/// let dfa = Dfa::from_regex("[0-9]+px", Alphabet::Unicode, &AutomatonLimits::default())?;
/// let mut state = dfa.start();
/// for symbol in "12".chars() {
///     state = dfa.step(state, symbol.into());
/// }
/// assert!(!dfa.is_accepting(state) && dfa.distance(state) == Some(2));
/// # Ok::<(), pleach::regular::RegularError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dfa {
    /// What a symbol is, for reading bytes.
    alphabet: Alphabet,
    /// The columns of the table.
    pub(super) classes: Classes,
    /// The length of a row: the classes, and a last column, always dead, for symbols outside the
    /// universe.
    stride: usize,
    /// The target of state `q` on class `c` is `next[q * stride + c]`.
    next: Vec<u32>,
    /// A bit for each state, 64 to a word from the lowest.
    accepting: Vec<u64>,
    start: u32,
    /// Per state: the least number of symbols to an accepting state, `u32::MAX` where there is
    /// none.
    distance: Vec<u32>,
    /// The transitions of each state to live states, ascending by class, one state after the
    /// other.
    live: Vec<Transition>,
    /// Where in `live` each state's begin; one more entry than states.
    live_offsets: Vec<u32>,
}

/// What an automaton is made of; the rest is computed.
pub(super) struct Parts {
    pub(super) alphabet: Alphabet,
    pub(super) classes: Classes,
    /// Rows as in [`Dfa`], those of the dead state first and the last column of each dead.
    pub(super) next: Vec<u32>,
    pub(super) accepting: Vec<bool>,
    pub(super) start: u32,
}

impl Pack for Dfa {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        self.alphabet.pack(out);
        self.classes.pack(out);
        self.next.pack(out);
        self.states().map(|state| self.is_accepting(state)).collect::<Vec<_>>().pack(out);
        self.start.pack(out);
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        Some(Self::new(Parts {
            alphabet: Alphabet::unpack(from)?,
            classes: Classes::unpack(from)?,
            next: Vec::unpack(from)?,
            accepting: Vec::unpack(from)?,
            start: u32::unpack(from)?,
        }))
    }
}

/// "No string is accepted from here."
const NEVER: u32 = u32::MAX;

impl Dfa {
    #[pleach_unhooked::unhooked]
    pub(super) fn new(parts: Parts) -> Self {
        let states = parts.accepting.len();
        let mut accepting = vec![0; states.div_ceil(64)];
        for state in (0..states).filter(|&state| parts.accepting[state]) {
            accepting[state / 64] |= 1 << (state % 64);
        }
        let stride = parts.classes.count() + 1;
        let distance = distances(&parts.next, stride, &parts.accepting);
        let moves = parts.next.iter().filter(|&&target| target != 0).count();
        let mut live = Vec::with_capacity(moves);
        let mut live_offsets = Vec::with_capacity(states + 1);
        live_offsets.push(0);
        for row in parts.next.chunks_exact(stride) {
            for (class, &target) in row.iter().enumerate() {
                if distance[target as usize] != NEVER {
                    let class = ClassId::new(class as u32);
                    live.push(Transition { class, target: StateId::new(target) });
                }
            }
            live_offsets.push(live.len() as u32);
        }
        Self {
            alphabet: parts.alphabet,
            classes: parts.classes,
            stride,
            next: parts.next,
            accepting,
            start: parts.start,
            distance,
            live,
            live_offsets,
        }
    }

    /// What its symbols are.
    pub fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    /// All symbols that there are, as sorted, disjoint, inclusive ranges.
    #[cfg(feature = "front")]
    pub fn universe(&self) -> Vec<(u32, u32)> {
        self.classes.universe()
    }

    /// The number of states, the dead one included.
    #[inline]
    pub fn state_count(&self) -> usize {
        self.distance.len()
    }

    /// All states, the dead one first.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..self.state_count() as u32).map(StateId::new)
    }

    /// The state of an index.
    #[inline]
    #[doc(hidden)]
    pub fn state(&self, index: usize) -> StateId {
        StateId::new(index as u32)
    }

    /// Where every string begins.
    #[inline]
    pub fn start(&self) -> StateId {
        StateId::new(self.start)
    }

    /// Whether a string that leads here is accepted.
    ///
    /// # Panics
    ///
    /// This and all methods that take a state may panic where it is of another automaton.
    #[inline]
    pub fn is_accepting(&self, state: StateId) -> bool {
        self.accepting[state.index() / 64] >> (state.index() % 64) & 1 != 0
    }

    /// Whether no string is accepted from here.
    ///
    /// # Panics
    ///
    /// May panic where the state is of another automaton.
    #[inline]
    pub fn is_dead(&self, state: StateId) -> bool {
        self.distance[state.index()] == NEVER
    }

    /// The least number of symbols to an accepting state, and none where a state is dead.
    ///
    /// # Panics
    ///
    /// May panic where the state is of another automaton.
    #[inline]
    pub fn distance(&self, state: StateId) -> Option<u32> {
        let distance = self.distance[state.index()];
        (distance != NEVER).then_some(distance)
    }

    /// Where a symbol leads; one outside the universe leads to the dead state.
    ///
    /// # Panics
    ///
    /// May panic where the state is of another automaton.
    #[inline]
    pub fn step(&self, state: StateId, symbol: u32) -> StateId {
        StateId::new(self.next[state.index() * self.stride + self.classes.of(symbol) as usize])
    }

    /// The transitions after which some string is still accepted, ascending by class.
    ///
    /// Of those, a walk that is to end follows one whose target's distance is least.
    ///
    /// # Panics
    ///
    /// May panic where the state is of another automaton.
    #[inline]
    pub fn transitions(&self, state: StateId) -> &[Transition] {
        let first = self.live_offsets[state.index()] as usize;
        let last = self.live_offsets[state.index() + 1] as usize;
        &self.live[first..last]
    }

    /// The targets of a state on each class, dead ones included.
    #[cfg(feature = "front")]
    pub(super) fn row(&self, state: StateId) -> &[u32] {
        let first = state.index() * self.stride;
        &self.next[first..first + self.stride]
    }

    /// The number of classes of symbols.
    #[inline]
    pub fn class_count(&self) -> usize {
        self.classes.count()
    }

    /// All classes, ascending.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = ClassId> + use<> {
        (0..self.class_count() as u32).map(ClassId::new)
    }

    /// The class of a symbol, and none for one outside the universe.
    pub fn class(&self, symbol: u32) -> Option<ClassId> {
        let class = self.classes.of(symbol);
        ((class as usize) < self.class_count()).then_some(ClassId::new(class))
    }

    /// The symbols of a class, as sorted, disjoint, inclusive ranges.
    ///
    /// # Panics
    ///
    /// This and all methods that take a class panic where it is of another automaton that has more
    /// of them.
    #[inline]
    pub fn class_ranges(&self, class: ClassId) -> &[(u32, u32)] {
        self.classes.ranges(class)
    }

    /// The number of symbols of a class, at least 1.
    ///
    /// # Panics
    ///
    /// Where the class is of another automaton that has more of them.
    #[inline]
    pub fn class_size(&self, class: ClassId) -> u64 {
        self.classes.size(class)
    }

    /// The symbol of a class by its position among them, ascending, and none beyond the last.
    ///
    /// # Panics
    ///
    /// Where the class is of another automaton that has more of them.
    #[inline]
    pub fn class_symbol(&self, class: ClassId, index: u64) -> Option<u32> {
        self.classes.symbol(class, index)
    }
}

/// What is put together where grammars are read.
#[cfg(feature = "front")]
impl Dfa {
    /// The minimal automaton of the strings that a regex matches as a whole.
    ///
    /// [`Nfa::regex`] says what the syntax is.
    ///
    /// # Errors
    ///
    /// As [`Nfa::regex`], and where a bound of `limits` is passed.
    pub fn from_regex(
        pattern: &str,
        alphabet: Alphabet,
        limits: &AutomatonLimits,
    ) -> Result<Self, RegularError> {
        Self::build(alphabet, limits, |nfa, from, to| nfa.regex(from, pattern, to, limits))
    }

    /// The minimal automaton of one string.
    ///
    /// [`Nfa::literal`] says what the arguments mean.
    ///
    /// # Errors
    ///
    /// As [`Nfa::literal`], and where a bound of `limits` is passed.
    pub fn literal(
        bytes: &[u8],
        ignore_case: bool,
        alphabet: Alphabet,
        limits: &AutomatonLimits,
    ) -> Result<Self, RegularError> {
        Self::build(alphabet, limits, |nfa, from, to| {
            nfa.literal(from, bytes, ignore_case, to, limits)
        })
    }

    fn build(
        alphabet: Alphabet,
        limits: &AutomatonLimits,
        add: impl FnOnce(&mut Nfa, NfaState, NfaState) -> Result<(), RegularError>,
    ) -> Result<Self, RegularError> {
        let mut nfa = Nfa::new(alphabet);
        let (start, accept) = (nfa.state(), nfa.state());
        add(&mut nfa, start, accept)?;
        Ok(nfa.determinize(start, accept, limits)?.minimize())
    }

    /// The minimal automaton of all strings of one symbol of the inclusive ranges, in any order.
    ///
    /// Symbols outside the alphabet are left out.
    #[expect(clippy::missing_panics_doc, reason = "the budget of steps is unbounded")]
    pub fn ranges(ranges: &[(u32, u32)], alphabet: Alphabet) -> Self {
        let mut set = ranges.to_vec();
        super::alphabet::normalize(&mut set);
        let limits = AutomatonLimits::new().steps(u64::MAX);
        let sets = [set.into_boxed_slice()];
        let (classes, columns) =
            Classes::refine(alphabet.universe(), &sets, &limits, &mut limits.get_steps())
                .expect("the budget of steps is unbounded");
        let stride = classes.count() + 1;
        let mut next = vec![0; 3 * stride];
        for &class in &columns[0] {
            next[stride + class as usize] = 2;
        }
        let accepting = vec![false, false, true];
        Self::new(Parts { alphabet, classes, next, accepting, start: 1 }).minimize()
    }

    /// The minimal automaton of the same strings and the empty one.
    pub(crate) fn or_empty(&self, limits: &AutomatonLimits) -> Result<Self, RegularError> {
        Ok(self.union(&Self::literal(&[], false, self.alphabet, limits)?, limits)?.minimize())
    }

    /// The minimal automaton that accepts nothing.
    pub fn empty(alphabet: Alphabet) -> Self {
        Self::of_one_state(alphabet, alphabet.universe(), false)
    }

    /// The minimal automaton that accepts every string over the alphabet.
    pub fn universal(alphabet: Alphabet) -> Self {
        Self::of_one_state(alphabet, alphabet.universe(), true)
    }

    /// All strings over a universe, or none, by a dead state and a start state.
    pub(super) fn of_one_state(alphabet: Alphabet, universe: &[(u32, u32)], accepts: bool) -> Self {
        let limits = AutomatonLimits::new().steps(u64::MAX);
        let (classes, _) = Classes::refine(universe, &[], &limits, &mut limits.get_steps())
            .expect("the budget of steps is unbounded");
        let mut next = vec![0; 2 * (classes.count() + 1)];
        let first = classes.count() + 1;
        next[first..first + classes.count()].fill(u32::from(accepts));
        let accepting = vec![false, accepts];
        Self::new(Parts { alphabet, classes, next, accepting, start: 1 })
    }

    /// The minimal automaton of the strings that lead from a live state to one of those wanted.
    #[doc(hidden)]
    pub fn between(&self, from: StateId, wanted: impl Fn(StateId) -> bool) -> Self {
        let accepting = self.states().map(|state| !self.is_dead(state) && wanted(state)).collect();
        Self::new(Parts {
            alphabet: self.alphabet,
            classes: self.classes.clone(),
            next: self.next.clone(),
            accepting,
            start: from.get(),
        })
        .minimize()
    }
}

/// The least number of moves from each state to an accepting one: a search backwards, breadth
/// first.
#[pleach_unhooked::unhooked]
fn distances(next: &[u32], stride: usize, accepting: &[bool]) -> Vec<u32> {
    let states = accepting.len();
    // State 0 is dead, so what leads there need not be known.
    let moves = next.chunks_exact(stride).zip(0_u32..);
    let moves = moves.flat_map(|(row, from)| row.iter().map(move |&to| (to as usize, from)));
    let sources = Rows::grouped(states, moves.filter(|&(to, _)| to != 0));
    let mut distance = vec![NEVER; states];
    let mut queue: Vec<u32> =
        (0..states as u32).filter(|&state| accepting[state as usize]).collect();
    for &state in &queue {
        distance[state as usize] = 0;
    }
    let mut head = 0;
    while let Some(&state) = queue.get(head) {
        head += 1;
        for &source in sources.row(state as usize) {
            if distance[source as usize] == NEVER {
                distance[source as usize] = distance[state as usize] + 1;
                queue.push(source);
            }
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_between_states() {
        let all =
            Dfa::from_regex("( |-[^;]*;)*", Alphabet::Bytes, &AutomatonLimits::default()).unwrap();
        let ground = all.step(all.start(), u32::from(b' '));
        let between = all
            .between(ground, |state| all.step(state, u32::from(b' ')) == ground && state != ground);
        assert!(between.is_empty());
        let between = all.between(ground, |state| all.step(state, u32::from(b' ')) == ground);
        assert!(between.equivalent(&all));
        let open = all.step(ground, u32::from(b'-'));
        let rest = all.between(open, |state| state == ground);
        assert!(
            rest.contains_bytes(b"a;") && rest.contains_bytes(b"; ") && !rest.contains_bytes(b"")
        );
        assert!(!rest.contains_bytes(b"; -"));
    }

    #[test]
    fn constructors_have_their_languages() {
        let limits = AutomatonLimits::default();
        let unicode = Alphabet::Unicode;
        let literal = Dfa::literal("aé1".as_bytes(), true, unicode, &limits).expect("small");
        let regex = Dfa::from_regex("[aA]é1", unicode, &limits).expect("small");
        assert_eq!(literal, regex);
        let ranges = Dfa::ranges(&[(98, 99), (97, 98), (0x20_0000, 0x20_0001)], unicode);
        assert_eq!(ranges, Dfa::from_regex("[a-c]", unicode, &limits).expect("small"));
        assert_eq!(Dfa::ranges(&[], unicode), Dfa::empty(unicode));
        assert_eq!(
            Dfa::from_regex("(?s).*", unicode, &limits).expect("small"),
            Dfa::universal(unicode)
        );
        assert_eq!(
            Dfa::from_regex("[a&&b]", Alphabet::Bytes, &limits).expect("small"),
            Dfa::empty(Alphabet::Bytes)
        );
        let empty = Dfa::from_regex("", unicode, &limits).expect("small");
        assert_eq!(empty, Dfa::literal(b"", false, unicode, &limits).expect("small"));
        assert!(empty.contains_bytes(b"") && !empty.contains_bytes(b"a"));
    }

    #[test]
    fn walking_agrees_with_the_table() {
        let dfa = Dfa::from_regex("ab*[c-e]x|a", Alphabet::Bytes, &AutomatonLimits::default())
            .expect("small");
        for state in dfa.states() {
            for transition in dfa.transitions(state) {
                for &(low, high) in dfa.class_ranges(transition.class) {
                    assert_eq!(dfa.step(state, low), transition.target);
                    assert_eq!(dfa.step(state, high), transition.target);
                    assert_eq!(dfa.class(low), Some(transition.class));
                }
            }
            let nearest = dfa.transitions(state).iter().map(|t| dfa.distance(t.target)).min();
            let expected = if dfa.is_accepting(state) {
                Some(0)
            } else {
                nearest.flatten().map(|distance| distance + 1)
            };
            assert_eq!(dfa.distance(state), expected);
            assert_eq!(dfa.is_dead(state), dfa.transitions(state).is_empty() && expected.is_none());
        }
        assert_eq!(dfa.step(dfa.start(), 256), StateId::DEAD);
        assert_eq!(dfa.class(256), None);
        assert_eq!(dfa.step(StateId::DEAD, 97), StateId::DEAD);
    }
}
