//! What may be tried next: what was tried least, the newest kind first.
//!
//! Candidates that ask for the same edge, by conditions on about as many bytes, are one row, of which those are preferred that were tried least among the same calls. A program has thousands of decisions that can't be made otherwise (most edges to a panic), and each run brings them
//! all again; by rows a new one comes at once, however often the others came.

use super::shape::ByteSet;
use crate::path::Decision;
use crate::random::Random;
use fxhash::{FxHashMap, FxHasher};
use pleach_concolic::ir::Pc;
use pleach_solver::TermId;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A run from which others are made.
#[derive(Debug)]
pub(super) struct Parent {
    pub(super) input: Vec<u8>,
    pub(super) decisions: Vec<Decision>,
    /// What every input made of it has to fulfil.
    pub(super) assumptions: Vec<TermId>,
    pub(super) length_is_free: bool,
    /// What its bytes may become, where not all may become anything.
    pub(super) sets: Option<Arc<[ByteSet]>>,
    /// How many instructions its run executed.
    pub(super) steps: u64,
    /// Whether it took an edge, or took one from a place or as often, as none before it had.
    pub(super) fresh: bool,
    /// Whether some decision of it is left for later.
    pub(super) is_left: AtomicBool,
}

/// An input of which not all decisions were tried, and what its bytes may become.
pub(super) type Left = (Vec<u8>, Option<Arc<[ByteSet]>>);

/// A decision of a run that may be made otherwise.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) parent: Arc<Parent>,
    /// Which of the decisions.
    pub(super) index: u32,
    /// How often the run had come to this branch among the same calls.
    pub(super) round: u32,
    /// The edge that is wanted; none where a pinned value is to differ.
    pub(super) edge: Option<u32>,
    /// The branch, the edge, the calls around and the order of the round, hashed.
    pub(super) place: u64,
    /// How far the edge is from a target; 0 where there is none.
    pub(super) distance: u32,
    /// As how many questions one about it counts.
    pub(super) price: u32,
    /// The binary logarithm of how many bytes decide.
    pub(super) breadth: u32,
}

impl Candidate {
    /// The innermost instruction outside of the standard library.
    pub(super) fn from(&self) -> Option<Pc> {
        self.parent.decisions.get(self.index as usize).map(|it| it.from)
    }
}

/// How new it would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Class {
    /// The edge was never taken.
    New,
    /// It was, but not for the same place of the program: what std does for one caller says nothing of another.
    Called,
    /// Where a run went on, and so could not take an edge later that nothing has taken.
    Way,
    /// It was, perhaps among other calls.
    Known,
    /// It was, and what counts is how often it was asked for here. Half of what is known is so: by edges alone a small program's few
    /// branches hide what they depend on, by places alone a large one has too many.
    Here,
    /// No branch, but a value that was used as it was.
    Pinned,
}

const CLASSES: [Class; 6] =
    [Class::New, Class::Called, Class::Way, Class::Known, Class::Here, Class::Pinned];
/// How many candidates a row keeps.
const ROW: usize = 64;
/// Among how many of them one is looked for that may go.
const PROBES: usize = 8;
/// How many bytes the inputs may have together of which something is left for later.
const LEFT: usize = 64 << 20;
/// What a try weighs beside a step of the distance to a target.
const TRY: u32 = 4;

/// What a row's candidates ask for: an edge, or that a value which was used at a place is another one.
type Key = (Class, u64);

fn key(class: Class, candidate: &Candidate) -> Key {
    match (class, candidate.edge) {
        (Class::Known, Some(edge)) => (class, edge.into()),
        // What four digits exclude, sixteen may not.
        (Class::New, Some(edge)) => (class, u64::from(candidate.breadth) << 32 | u64::from(edge)),
        (Class::Called, Some(edge)) => {
            let mut hasher = FxHasher::default();
            (edge, candidate.from()).hash(&mut hasher);
            (class, hasher.finish())
        }
        _ => (class, candidate.place),
    }
}

/// All candidates.
#[derive(Debug)]
pub(super) struct Queue {
    rows: FxHashMap<Key, Vec<Candidate>>,
    /// The rows that have candidates, by what was spent on them and how far they are from a target.
    levels: [BTreeMap<u32, Vec<Key>>; CLASSES.len()],
    /// How many questions were asked for a row's sake, or as dear.
    spent: FxHashMap<Key, u32>,
    /// How often each place was tried.
    places: FxHashMap<u64, u32>,
    len: usize,
    limit: usize,
    /// The inputs of what was dropped, each once, and how many bytes they have together.
    left: (Vec<Left>, usize),
}

impl Queue {
    pub(super) fn new(limit: usize) -> Queue {
        Queue {
            rows: FxHashMap::default(),
            levels: [const { BTreeMap::new() }; CLASSES.len()],
            spent: FxHashMap::default(),
            places: FxHashMap::default(),
            len: 0,
            limit: limit.max(1),
            left: (Vec::new(), 0),
        }
    }

    /// Notes that something of a run is left for later, if there is room.
    pub(super) fn leave(&mut self, parent: &Parent) {
        if !parent.is_left.swap(true, Ordering::Relaxed) {
            self.leave_input(parent.input.clone(), parent.sets.clone());
        }
    }

    /// The same of an input.
    pub(super) fn leave_input(&mut self, input: Vec<u8>, sets: Option<Arc<[ByteSet]>>) {
        let (left, bytes) = &mut self.left;
        let size = input.len() + size_of::<Left>();
        if *bytes + size <= LEFT {
            *bytes += size;
            left.push((input, sets));
        }
    }

    /// Takes out the inputs of which something was left.
    pub(super) fn take_left(&mut self) -> Vec<Left> {
        std::mem::take(&mut self.left).0
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// How often a place was tried.
    pub(super) fn tried(&self, place: u64) -> u32 {
        self.places.get(&place).copied().unwrap_or(0)
    }

    /// Notes that a question was as dear as so many others: what asks for the same comes later.
    pub(super) fn charge(&mut self, candidate: &Candidate, questions: u32) {
        if questions == 0 {
            return;
        }
        for class in CLASSES {
            let spent = self.spent.entry(key(class, candidate)).or_default();
            *spent = spent.saturating_add(questions);
        }
    }

    fn level(&self, key: Key, distance: u32) -> u32 {
        let spent = self.spent.get(&key).copied().unwrap_or(0);
        spent.saturating_mul(TRY).saturating_add(distance)
    }

    /// Adds a candidate; where there are too many like it, or of all, it takes another one's place.
    pub(super) fn push(&mut self, class: Class, candidate: Candidate, random: &mut Random) {
        let is_here = class == Class::Known && random.below(2) == 0;
        self.insert(if is_here { Class::Here } else { class }, candidate, random);
    }

    fn insert(&mut self, class: Class, candidate: Candidate, random: &mut Random) {
        if self.len >= self.limit {
            self.drop_one();
        }
        let key = key(class, &candidate);
        let level = self.level(key, candidate.distance);
        let row = self.rows.entry(key).or_default();
        if row.len() >= ROW {
            // What comes of an input with new edges stays: it is what others have not led to.
            let common = (0..PROBES).map(|_| random.below(ROW)).find(|&at| !row[at].parent.fresh);
            let at = common.or_else(|| candidate.parent.fresh.then(|| random.below(ROW)));
            let dropped = match at {
                Some(at) => std::mem::replace(&mut row[at], candidate),
                None => candidate,
            };
            self.leave(&dropped.parent);
            return;
        }
        if row.is_empty() {
            self.levels[class as usize].entry(level).or_default().push(key);
        }
        row.push(candidate);
        self.len += 1;
    }

    /// Drops one of those on which most was spent.
    fn drop_one(&mut self) {
        let worst = |class: &Class| self.levels[*class as usize].last_key_value();
        let class = CLASSES.into_iter().max_by_key(|class| worst(class).map(|(&level, _)| level));
        let Some(class) = class else { return };
        let Some((&level, keys)) = self.levels[class as usize].last_key_value() else { return };
        let Some(&key) = keys.last() else { return };
        let Some(row) = self.rows.get_mut(&key) else { return };
        let dropped = row.pop();
        self.len -= 1;
        if row.is_empty() {
            let at = keys.len() - 1;
            self.unlist(key, level, at);
        }
        if let Some(dropped) = dropped {
            self.leave(&dropped.parent);
        }
    }

    /// Takes a row out of its level, where it has no candidates any more or they are to be somewhere else.
    fn unlist(&mut self, key: Key, level: u32, at: usize) -> Vec<Candidate> {
        let levels = &mut self.levels[key.0 as usize];
        if let Some(keys) = levels.get_mut(&level) {
            keys.swap_remove(at);
            if keys.is_empty() {
                levels.remove(&level);
            }
        }
        self.rows.remove(&key).unwrap_or_default()
    }

    /// How often a class is chosen when all have something: less and less when much was spent on its best rows.
    fn weight(&self, class: Class) -> usize {
        let Some((&level, _)) = self.levels[class as usize].first_key_value() else { return 0 };
        let (most, least) = match class {
            Class::New => (32, 8),
            Class::Called => (16, 2),
            Class::Way => (4, 1),
            Class::Known => (8, 2),
            Class::Here => (8, 4),
            Class::Pinned => (1, 1),
        };
        (most >> (level / TRY).min(5)).max(least)
    }

    /// Takes a candidate out: a class by weight, in it a row on which least was spent, and of its candidates one that is promising or
    /// any. What is of another class by now goes to where it belongs.
    pub(super) fn pop(
        &mut self,
        random: &mut Random,
        class_of: impl Fn(&Candidate) -> Class,
    ) -> Option<Candidate> {
        loop {
            let weights = CLASSES.map(|class| self.weight(class));
            let total: usize = weights.iter().sum();
            if total == 0 {
                return None;
            }
            let mut rest = random.below(total);
            let class = CLASSES.into_iter().zip(weights).find_map(|(class, weight)| {
                let chosen = rest < weight;
                rest = rest.saturating_sub(weight);
                chosen.then_some(class)
            })?;
            let (&level, keys) = self.levels[class as usize].first_key_value()?;
            let at = random.below(keys.len());
            let key = keys[at];
            let mut row = self.unlist(key, level, at);
            self.len -= row.len();
            let is = row.first().map(&class_of);
            if matches!(class, Class::New | Class::Called) && is != Some(class) {
                for candidate in row {
                    self.push(class_of(&candidate), candidate, random);
                }
                continue;
            }
            let chosen = self.choose(&row, random);
            let candidate = row.swap_remove(chosen);
            let spent = self.spent.entry(key).or_default();
            *spent = spent.saturating_add(candidate.price);
            *self.places.entry(candidate.place).or_default() += 1;
            for other in row {
                self.insert(class, other, random);
            }
            return Some(candidate);
        }
    }

    /// Which of a row's candidates: half of the time one from where it was tried least, in turns with the shortest input, as all that
    /// comes of it is cheaper; else the one that has come farthest through a
    /// loop, so that loops are left deep inside, too, or any.
    fn choose(&self, row: &[Candidate], random: &mut Random) -> usize {
        let any = random.below(row.len());
        let indices = 0..row.len();
        let best = match random.below(4) {
            0 => None,
            1 => indices.max_by_key(|&at| (row[at].round, row[at].parent.fresh, at)),
            short => indices.min_by_key(|&at| {
                let Candidate { parent, place, .. } = &row[at];
                let length = if short == 2 { parent.input.len() } else { 0 };
                (self.tried(*place), !parent.fresh, length, at)
            }),
        };
        best.unwrap_or(any)
    }

    /// How many decisions the runs have that are behind the candidates.
    pub(super) fn decisions(&self) -> usize {
        let all = self.rows.values().flatten();
        let mut parents: Vec<&Arc<Parent>> = all.map(|candidate| &candidate.parent).collect();
        parents.sort_by_key(|parent| Arc::as_ptr(parent));
        parents.dedup_by_key(|parent| Arc::as_ptr(parent));
        parents.iter().map(|parent| parent.decisions.len()).sum()
    }

    /// Takes everything out, and gives the runs that are behind it, each once.
    pub(super) fn parents(&mut self) -> Vec<Arc<Parent>> {
        let all = self.rows.drain().flat_map(|(_, row)| row);
        let mut parents: Vec<Arc<Parent>> = all.map(|candidate| candidate.parent).collect();
        self.levels.iter_mut().for_each(BTreeMap::clear);
        self.len = 0;
        parents.sort_by_key(Arc::as_ptr);
        parents.dedup_by_key(|parent| Arc::as_ptr(parent));
        // Addresses differ from run to run.
        parents.sort_by(|a, b| (a.input.len(), &a.input).cmp(&(b.input.len(), &b.input)));
        parents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(place: u64, edge: u32) -> Candidate {
        let parent = Parent {
            input: vec![place as u8],
            decisions: Vec::new(),
            assumptions: Vec::new(),
            length_is_free: true,
            sets: None,
            steps: 0,
            fresh: false,
            is_left: AtomicBool::new(false),
        };
        let parent = Arc::new(parent);
        let (index, round, edge) = (0, 1, Some(edge));
        Candidate { parent, index, round, edge, place, distance: 0, price: 1, breadth: 0 }
    }

    fn all(queue: &mut Queue, random: &mut Random) -> Vec<Candidate> {
        std::iter::from_fn(|| queue.pop(random, |_| Class::New)).collect()
    }

    #[test]
    fn new_edges_come_first_mostly_and_everything_comes_in_the_end() {
        let (mut queue, mut random) = (Queue::new(1000), Random(7));
        for place in 0..100 {
            queue.push(Class::New, candidate(place, place as u32), &mut random);
            queue.push(Class::Known, candidate(100 + place, 100 + place as u32), &mut random);
        }
        let order: Vec<u64> = all(&mut queue, &mut random).iter().map(|it| it.place).collect();
        let early = order[..100].iter().filter(|&&place| place < 100).count();
        assert!(early > 55, "{early} of the first 100 are new");
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..200).collect::<Vec<_>>());
    }

    #[test]
    fn what_costs_a_quarter_comes_four_times_as_often() {
        let (mut queue, mut random) = (Queue::new(10_000), Random(9));
        for place in 0..32 {
            let price = if place % 2 == 0 { 1 } else { 4 };
            for _ in 0..ROW {
                let candidate = Candidate { price, ..candidate(place, place as u32) };
                queue.push(Class::Known, candidate, &mut random);
            }
        }
        let next = |_| queue.pop(&mut random, |_| Class::Known).expect("there are many");
        let drawn: Vec<Candidate> = (0..200).map(next).collect();
        let cheap = drawn.iter().filter(|it| it.price == 1).count();
        assert!((150..=170).contains(&cheap), "{cheap} of 200");
    }

    #[test]
    fn an_edge_that_came_once_is_not_lost_among_one_that_came_often() {
        let (mut queue, mut random) = (Queue::new(10_000), Random(1));
        for place in 0..5000 {
            queue.push(Class::New, candidate(place, (place % 50) as u32), &mut random);
        }
        (0..60).for_each(|_| drop(queue.pop(&mut random, |_| Class::New)));
        queue.push(Class::New, candidate(9999, 77), &mut random);
        let next = queue.pop(&mut random, |_| Class::New).expect("there are many");
        assert_eq!(next.edge, Some(77));
    }

    #[test]
    fn other_ways_to_a_new_edge_wait_for_no_end_of_what_is_known() {
        let (mut queue, mut random) = (Queue::new(1000), Random(5));
        queue.push(Class::Way, candidate(999, 7), &mut random);
        for place in 0..200 {
            queue.push(Class::Known, candidate(place, place as u32), &mut random);
        }
        let order = all(&mut queue, &mut random);
        let at = order.iter().position(|it| it.place == 999).expect("nothing is lost");
        assert!(at < 50, "it came after {at} others");
    }

    #[test]
    fn what_wants_an_edge_that_was_taken_is_no_longer_new() {
        let (mut queue, mut random) = (Queue::new(100), Random(3));
        queue.push(Class::New, candidate(1, 5), &mut random);
        queue.push(Class::New, candidate(2, 5), &mut random);
        queue.push(Class::New, candidate(3, 6), &mut random);
        let order = std::iter::from_fn(|| {
            queue.pop(&mut random, |it| if it.edge == Some(5) { Class::Known } else { Class::New })
        });
        let mut places: Vec<u64> = order.map(|it| it.place).collect();
        places.sort_unstable();
        assert_eq!(places, [1, 2, 3]);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn a_queue_keeps_no_more_than_its_limit() {
        let (mut queue, mut random) = (Queue::new(10), Random(1));
        for place in 0..1000 {
            queue.push(Class::Known, candidate(place, place as u32), &mut random);
        }
        assert_eq!(queue.len(), 10);
        assert_eq!(queue.parents().len(), 10);
        assert_eq!(queue.len(), 0);
        for place in 0..1000 {
            queue.push(Class::Known, candidate(7, place), &mut random);
        }
        assert_eq!(queue.len(), 10);
    }

    #[test]
    fn candidates_of_new_inputs_are_not_pushed_out_by_those_of_common_ones() {
        let (mut queue, mut random) = (Queue::new(10_000), Random(5));
        let parent = |fresh| {
            let Candidate { parent, .. } = candidate(0, 0);
            let parent = Arc::into_inner(parent).expect("it is the only one");
            Arc::new(Parent { fresh, ..parent })
        };
        let fresh = Candidate { parent: parent(true), ..candidate(1, 5) };
        queue.push(Class::Known, fresh, &mut random);
        for place in 2..2000 {
            let common = Candidate { parent: parent(false), ..candidate(place, 5) };
            queue.push(Class::Known, common, &mut random);
        }
        let left = all(&mut queue, &mut random);
        assert!(left.len() >= ROW);
        assert!(left.iter().any(|it| it.parent.fresh));
    }

    #[test]
    fn an_edge_is_asked_for_anew_where_twice_as_many_bytes_decide() {
        let (mut queue, mut random) = (Queue::new(1000), Random(1));
        for place in 0..50 {
            queue.push(Class::New, candidate(place, 1), &mut random);
        }
        (0..9).for_each(|_| drop(queue.pop(&mut random, |_| Class::New)));
        let broad = Candidate { breadth: 4, ..candidate(99, 1) };
        queue.push(Class::New, broad, &mut random);
        let next = queue.pop(&mut random, |_| Class::New).expect("there are many");
        assert_eq!(next.place, 99);
    }

    #[test]
    fn what_is_nearer_to_a_target_comes_first() {
        let (mut queue, mut random) = (Queue::new(100), Random(1));
        for distance in [9, 3, 200, 5] {
            let near = Candidate { distance, ..candidate(u64::from(distance), distance) };
            queue.push(Class::New, near, &mut random);
        }
        let order: Vec<u32> = all(&mut queue, &mut random).iter().map(|it| it.distance).collect();
        assert_eq!(order, [3, 5, 9, 200]);
    }
}
