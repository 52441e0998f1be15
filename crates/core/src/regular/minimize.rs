//! Minimisation, to one table for each language.
//!
//! Hopcroft's "process the smaller half", in Valmari's form ("Fast brief practical DFA
//! minimization", 2012): blocks of states and bundles of transitions refine each other, in
//! O(m log m) for m transitions between live states. Dead states and what leads to them, which is
//! most of the table in languages of formats, cost nothing.

use fxhash::FxHashMap;

use super::StateId;
use super::dfa::{Dfa, Parts};
use crate::rows::Rows;

/// "Not reached", and as a target "dead".
const NONE: u32 = u32::MAX;

impl Dfa {
    /// The automaton of the same strings with the fewest states and then the fewest classes.
    ///
    /// States are numbered in the order in which a search from the start, breadth first and
    /// ascending by class, finds them, and classes by their least symbols. So the same language
    /// over the same universe gives the same table.
    pub fn minimize(&self) -> Self {
        if self.is_dead(self.start()) {
            return Self::of_one_state(self.alphabet(), &self.universe(), false);
        }
        let (states, place) = self.reachable();
        let block_of = self.blocks(&states, &place);
        let blocks = block_of.iter().max().map_or(0, |&block| block as usize + 1);
        let mut some = vec![StateId::DEAD; blocks];
        for (&state, &block) in states.iter().zip(&block_of) {
            some[block as usize] = state;
        }
        let (label_of, labels) = self.same_columns(&some, |target| {
            if self.is_dead(target) { NONE } else { block_of[place[target.index()] as usize] }
        });
        let (classes, class_of) = self.classes.merge(&label_of, labels);
        // A class of the old partition for each of the new.
        let mut column = vec![0; classes.count()];
        for (class, &label) in label_of.iter().enumerate() {
            column[class_of[label as usize] as usize] = class;
        }
        let mut number = vec![0_u32; blocks];
        let first = block_of[place[self.start().index()] as usize];
        number[first as usize] = 1;
        let mut order = vec![first];
        let mut next = vec![0; classes.count() + 1];
        let mut accepting = vec![false];
        let mut head = 0;
        while let Some(&block) = order.get(head) {
            head += 1;
            let state = some[block as usize];
            accepting.push(self.is_accepting(state));
            let row = self.row(state);
            for &class in &column {
                let target = StateId::new(row[class]);
                if self.is_dead(target) {
                    next.push(0);
                    continue;
                }
                let block = block_of[place[target.index()] as usize];
                if number[block as usize] == 0 {
                    order.push(block);
                    number[block as usize] = order.len() as u32;
                }
                next.push(number[block as usize]);
            }
            next.push(0);
        }
        Self::new(Parts { alphabet: self.alphabet(), classes, next, accepting, start: 1 })
    }

    /// The block of equivalent states for each of some live states that are closed under moves.
    fn blocks(&self, states: &[StateId], place: &[u32]) -> Vec<u32> {
        // Transitions sorted by class: sources and targets, as places.
        let mut offsets = vec![0_u32; self.class_count() + 1];
        for &state in states {
            for transition in self.transitions(state) {
                offsets[transition.class.index() + 1] += 1;
            }
        }
        for class in 0..self.class_count() {
            offsets[class + 1] += offsets[class];
        }
        let count = offsets[self.class_count()] as usize;
        let mut cursors = offsets.clone();
        let mut sources = vec![0_u32; count];
        let mut targets = vec![0_u32; count];
        for (source, &state) in states.iter().enumerate() {
            for transition in self.transitions(state) {
                let slot = &mut cursors[transition.class.index()];
                sources[*slot as usize] = source as u32;
                targets[*slot as usize] = place[transition.target.index()];
                *slot += 1;
            }
        }
        let into = targets.iter().zip(0_u32..).map(|(&target, at)| (target as usize, at));
        let into = Rows::grouped(states.len(), into);

        let mut bundles = Partition::of_runs(count, &offsets);
        let mut blocks = Partition::of_runs(states.len(), &[0, states.len() as u32]);
        for (source, &state) in states.iter().enumerate() {
            if self.is_accepting(state) {
                blocks.mark(source as u32);
            }
        }
        blocks.split();
        // The first block need not split bundles: those that don't lead to any later block are
        // left over for it.
        let (mut block, mut bundle) = (1, 0);
        while bundle < bundles.count() {
            for i in bundles.members(bundle) {
                blocks.mark(sources[bundles.elements[i] as usize]);
            }
            blocks.split();
            bundle += 1;
            while block < blocks.count() {
                for i in blocks.members(block) {
                    for &transition in into.row(blocks.elements[i] as usize) {
                        bundles.mark(transition);
                    }
                }
                bundles.split();
                block += 1;
            }
        }
        blocks.set_of()
    }

    /// A label for each class, the same where states have the same targets by `block`, and the
    /// number of labels.
    fn same_columns(
        &self,
        states: &[StateId],
        block: impl Fn(StateId) -> u32,
    ) -> (Vec<u32>, usize) {
        let mut columns = vec![0_u32; self.class_count() * states.len()];
        for (i, &state) in states.iter().enumerate() {
            let row = &self.row(state)[..self.class_count()];
            for (class, &target) in row.iter().enumerate() {
                columns[class * states.len() + i] = block(StateId::new(target));
            }
        }
        let mut labels = FxHashMap::default();
        let mut label_of = Vec::with_capacity(self.class_count());
        for column in columns.chunks_exact(states.len()) {
            let fresh = labels.len() as u32;
            label_of.push(*labels.entry(column).or_insert(fresh));
        }
        (label_of, labels.len())
    }
}

/// A partition of `0..n` whose sets are split by marking some of their members.
struct Partition {
    /// All elements, those of one set side by side and the marked ones first.
    elements: Vec<u32>,
    /// Where each element stands in `elements`, and its set: side by side, for marking wants both.
    places: Vec<(u32, u32)>,
    sets: Vec<Set>,
    /// The sets that have marked members.
    touched: Vec<u32>,
}

/// A set of a partition.
struct Set {
    /// Where its first member stands in `elements`.
    first: u32,
    /// Where its first member without a mark stands.
    boundary: u32,
    /// Where its members end.
    last: u32,
}

impl Partition {
    /// A set for each run of elements between neighbouring offsets, empty ones left out.
    fn of_runs(count: usize, offsets: &[u32]) -> Self {
        let mut places = Vec::with_capacity(count);
        let mut sets = Vec::new();
        for ends in offsets.windows(2).filter(|ends| ends[0] < ends[1]) {
            places.extend((ends[0]..ends[1]).map(|place| (place, sets.len() as u32)));
            sets.push(Set { first: ends[0], boundary: ends[0], last: ends[1] });
        }
        Self { elements: (0..count as u32).collect(), places, sets, touched: Vec::new() }
    }

    fn count(&self) -> usize {
        self.sets.len()
    }

    /// Where the members of a set stand in `elements`.
    fn members(&self, set: usize) -> std::ops::Range<usize> {
        self.sets[set].first as usize..self.sets[set].last as usize
    }

    /// The set of each element.
    fn set_of(&self) -> Vec<u32> {
        self.places.iter().map(|&(_, set)| set).collect()
    }

    fn mark(&mut self, element: u32) {
        let (place, index) = self.places[element as usize];
        let set = &mut self.sets[index as usize];
        let boundary = set.boundary;
        if place < boundary {
            return;
        }
        if boundary == set.first {
            self.touched.push(index);
        }
        set.boundary += 1;
        let other = self.elements[boundary as usize];
        self.elements.swap(place as usize, boundary as usize);
        self.places[other as usize].0 = place;
        self.places[element as usize].0 = boundary;
    }

    /// Parts the marked members of each set from the others; the smaller part is the new set.
    fn split(&mut self) {
        while let Some(index) = self.touched.pop() {
            let fresh = self.sets.len() as u32;
            let set = &mut self.sets[index as usize];
            let (first, boundary, last) = (set.first, set.boundary, set.last);
            let (old, new) = if boundary == last {
                ((first, last), (last, last))
            } else if boundary - first <= last - boundary {
                ((boundary, last), (first, boundary))
            } else {
                ((first, boundary), (boundary, last))
            };
            *set = Set { first: old.0, boundary: old.0, last: old.1 };
            if new.0 == new.1 {
                continue;
            }
            self.sets.push(Set { first: new.0, boundary: new.0, last: new.1 });
            for &element in &self.elements[new.0 as usize..new.1 as usize] {
                self.places[element as usize].1 = fresh;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regular::{Alphabet, AutomatonLimits};

    #[test]
    fn equal_languages_are_equal_tables() {
        for [a, b] in [
            ["(?:a|b)*abb", "(?:b|a)*a(?:bb)"],
            ["a*", "(?:a*)*|a{3,}"],
            ["[a-z]+|if", "[a-y]+|[a-z]*z[a-z]*"],
            [r"\d{1,3}", r"\d\d?\d?"],
            ["x[a&&b]|", "(?:[a&&b]y)*"],
        ] {
            let [a, b] = [a, b].map(|pattern| {
                Dfa::from_regex(pattern, Alphabet::Unicode, &AutomatonLimits::default())
                    .expect(pattern)
            });
            assert_eq!(a, b);
            assert_eq!(a.minimize(), a);
        }
    }

    #[test]
    fn sizes_are_those_known() {
        let size = |pattern| {
            let dfa = Dfa::from_regex(pattern, Alphabet::Bytes, &AutomatonLimits::default());
            let dfa = dfa.expect("small");
            (dfa.state_count(), dfa.class_count())
        };
        // The dead state is counted each time.
        assert_eq!(size(""), (2, 1));
        assert_eq!(size("[a&&b]"), (2, 1));
        assert_eq!(size("(?s-u:.)*"), (2, 1));
        assert_eq!(size("[a-z]+if|[a-y]+"), (6, 5));
        assert_eq!(size("(?:a|b)*a(?:a|b){9}"), (1025, 2 + 1));
    }
}
