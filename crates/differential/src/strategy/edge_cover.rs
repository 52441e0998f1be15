//! Every transition of the difference once: a shortest beginning that leads to it, and a
//! shortest end after it.
//!
//! The published walk uses each transition at most once in all strings together, so that most
//! of them end where others have been, and are lost: 5 of 518 transitions were used in one case,
//! 20 of 601 in another. Here each transition is in a string of its own, and beginnings and ends
//! have plain characters where there is a choice, so that what is special about a string stands
//! out.
//!
//! The order decides, for people read the first ten. Transitions by the same special symbol whose
//! strings are accepted by the same side queue up, shortest string first; the queues are
//! served in turn, by how telling their symbols are, and transitions by ordinary symbols come
//! last in each turn. So the first strings are of all special characters and of both sides. Two things
//! come before: some strings for characters in their other role, since these are what somebody took the
//! trouble to mark, and the shortest string of each side, which is the simplest there is.

use std::collections::{BTreeMap, HashSet, VecDeque};

use super::super::specials::Tier;
use super::super::{Difference, Side};
use super::split::{Edge, Split};
use super::{Covered, TestString};
use pleach_core::Entropy;
use pleach_core::regular::StateId;

/// "No edge."
const NONE: usize = usize::MAX;

/// About how many strings for characters in their other role come before all others.
const ROLES: usize = 6;

/// A queue of transitions that are alike: tier, part where it is special, and the side.
type Alike = (Tier, usize, Side);

pub(crate) fn strings(
    difference: &Difference,
    most: usize,
    entropy: &mut impl Entropy,
) -> Vec<TestString> {
    let specials = &difference.specials;
    let split = Split::new(&difference.sides, specials.iter(), |symbol| specials.tier(symbol));
    let plan = Plan::new(difference, &split);
    let mut seen = HashSet::new();
    let mut strings = Vec::new();
    if difference.sides.is_accepting(difference.sides.start()) && most > 0 {
        seen.insert(String::new());
        strings.push(plan.empty());
    }
    let mut queues = plan.queues();
    plan.first(&mut queues, entropy, &mut seen, &mut strings);
    while strings.len() < most && !queues.is_empty() {
        let mut turn = Vec::new();
        for (alike, queue) in &mut queues {
            if let Some((length, string)) = plan.serve(queue, entropy, &mut seen) {
                turn.push((alike.0, length, string));
            }
        }
        queues.retain(|_, queue| !queue.is_empty());
        turn.sort_by_key(|&(tier, length, _)| (tier, length));
        strings.extend(turn.into_iter().map(|(_, _, string)| string));
    }
    strings.truncate(most);
    for (index, string) in strings.iter_mut().enumerate() {
        string.rank = index + 1;
    }
    strings
}

/// The ways to and from each state.
struct Plan<'a> {
    difference: &'a Difference,
    split: &'a Split,
    /// Per state: the edge by which a shortest beginning gets there, and its length.
    before: Vec<(usize, u32)>,
    /// Per state: the edge by which a shortest end goes on; none where it is empty.
    after: Vec<usize>,
    /// Per state: which side accepts what ends that way.
    sides: Vec<Side>,
}

impl<'a> Plan<'a> {
    fn new(difference: &'a Difference, split: &'a Split) -> Self {
        let dfa = &difference.sides;
        let states = dfa.state_count();
        let mut before = vec![(NONE, u32::MAX); states];
        before[dfa.start().index()].1 = 0;
        let mut queue = VecDeque::from([dfa.start()]);
        while let Some(state) = queue.pop_front() {
            let depth = before[state.index()].1;
            for edge in split.leaving(state) {
                let target = split.edges[edge].to;
                if before[target.index()].1 == u32::MAX {
                    before[target.index()] = (edge, depth + 1);
                    queue.push_back(target);
                }
            }
        }
        let accepts = difference.accepts();
        let mut after = vec![NONE; states];
        let mut sides = vec![Side::Specification; states];
        let mut order: Vec<StateId> = dfa.states().filter(|&state| !dfa.is_dead(state)).collect();
        order.sort_by_key(|&state| dfa.distance(state));
        for state in order {
            if let Some(&side) = accepts.get(&state) {
                sides[state.index()] = side;
                continue;
            }
            let nearer = dfa.distance(state).map(|distance| distance.saturating_sub(1));
            let mut edges = split.leaving(state);
            // Edges that are avoided come last.
            let edge = edges.find(|&edge| dfa.distance(split.edges[edge].to) == nearer);
            if let Some(edge) = edge {
                after[state.index()] = edge;
                sides[state.index()] = sides[split.edges[edge].to.index()];
            }
        }
        Self { difference, split, before, after, sides }
    }

    /// The edges, by what they are alike in, with the lengths of their strings.
    fn queues(&self) -> BTreeMap<Alike, VecDeque<(u32, usize)>> {
        let mut queues: BTreeMap<Alike, Vec<(u32, usize)>> = BTreeMap::new();
        for (index, edge) in self.split.edges.iter().enumerate() {
            let part = &self.split.parts[edge.part];
            // What is ordinary stands in one queue, whatever it is.
            let special = if part.is_special() { part.symbol as usize } else { 0 };
            let distance = self.difference.sides.distance(edge.to).unwrap_or_default();
            let length = self.before[edge.from.index()].1.saturating_add(distance);
            let alike = (part.tier, special, self.sides[edge.to.index()]);
            queues.entry(alike).or_default().push((length, index));
        }
        let sorted = queues.into_iter().map(|(alike, mut queue)| {
            queue.sort_unstable();
            (alike, queue.into())
        });
        sorted.collect()
    }

    /// The next string of a queue whose text is new, and how long it is.
    fn serve(
        &self,
        queue: &mut VecDeque<(u32, usize)>,
        entropy: &mut impl Entropy,
        seen: &mut HashSet<String>,
    ) -> Option<(u32, TestString)> {
        loop {
            let (length, edge) = queue.pop_front()?;
            let string = self.string(edge, entropy);
            if seen.insert(string.text.clone()) {
                return Some((length, string));
            }
        }
    }

    /// What comes before the turns.
    fn first(
        &self,
        queues: &mut BTreeMap<Alike, VecDeque<(u32, usize)>>,
        entropy: &mut impl Entropy,
        seen: &mut HashSet<String>,
        strings: &mut Vec<TestString>,
    ) {
        let of_roles = |alike: &Alike| alike.0 == Tier::Role;
        let roles = queues.keys().filter(|alike| of_roles(alike)).count();
        for _ in 0..ROLES.checked_div(roles).unwrap_or(0).max(1) {
            for (_, queue) in queues.iter_mut().filter(|(alike, _)| of_roles(alike)) {
                strings.extend(self.serve(queue, entropy, seen).map(|(_, string)| string));
            }
        }
        for side in [Side::Specification, Side::Implementation] {
            // Where several are as short, the most telling.
            let of_side = queues.iter_mut().filter(|(alike, _)| alike.2 == side);
            let shortest = of_side
                .min_by_key(|(alike, queue)| (queue.front().map_or(u32::MAX, |it| it.0), **alike));
            if let Some((_, queue)) = shortest {
                strings.extend(self.serve(queue, entropy, seen).map(|(_, string)| string));
            }
        }
    }

    /// The string that is there for an edge.
    fn string(&self, index: usize, entropy: &mut impl Entropy) -> TestString {
        let edge = self.split.edges[index];
        let mut symbols = Vec::new();
        let mut state = edge.from;
        while let Some(&Edge { from, part, .. }) =
            self.split.edges.get(self.before[state.index()].0)
        {
            symbols.push(self.split.parts[part].symbol);
            state = from;
        }
        symbols.reverse();
        let at = symbols.len();
        let symbol = self.split.parts[edge.part].any(entropy);
        symbols.push(symbol);
        let mut state = edge.to;
        while let Some(&Edge { to, part, .. }) = self.split.edges.get(self.after[state.index()]) {
            symbols.push(self.split.parts[part].symbol);
            state = to;
        }
        TestString {
            text: self.difference.text(&symbols),
            symbols,
            accepted_by: self.sides[edge.to.index()],
            differs: true,
            rank: 0,
            transition: Some(Covered {
                from: edge.from.index(),
                symbol,
                at,
                to: edge.to.index(),
                special: self.split.parts[edge.part].is_special(),
            }),
        }
    }

    fn empty(&self) -> TestString {
        TestString {
            text: String::new(),
            symbols: Vec::new(),
            accepted_by: self.sides[self.difference.sides.start().index()],
            differs: true,
            rank: 0,
            transition: None,
        }
    }
}
