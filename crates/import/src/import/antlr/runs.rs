//! Runs of hidden text: what stands from where a mode is entered of which nothing is seen, up to where something
//! may be seen again.
//!
//! A lexer has a stack of modes, and one token may take several off it, or put one for another. So a run is told
//! by the modes that it begins with and by how it ends: what is still done once all of them have been taken off.
//! A run that ends as another one does is right recursion, which is regular; only a mode that is put above
//! itself is nesting.

use std::collections::{BTreeSet, HashMap, HashSet};

/// How many moves of one token are followed.
const MOST_MOVES: usize = 16;

/// How many ways all runs together may go.
const MOST_WAYS: usize = 1 << 12;

/// What a token does to the stack of modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Move {
    /// Puts a mode for the uppermost one.
    To(usize),
    Push(usize),
    Pop,
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum End {
    /// In a mode of which something is seen.
    Seen,
    /// All its modes were taken off, and this is still to be done.
    Off(Vec<Move>),
}

/// What becomes of a stack of modes.
enum After {
    End(End),
    Goes(Vec<usize>),
}

/// An entry, where one comes first, and the runs after it.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) entry: Option<usize>,
    pub(super) runs: Vec<usize>,
}

pub(super) struct Run {
    /// The modes that it begins with, the uppermost last.
    stack: Vec<usize>,
    end: End,
    pub(super) ways: Vec<Way>,
    /// Whether some text is of it.
    pub(super) ends: bool,
    /// Whether it is any text up to where its ways lead first.
    pub(super) flat: bool,
}

impl Run {
    /// The mode that it begins in.
    pub(super) fn mode(&self) -> usize {
        self.stack.last().copied().unwrap_or_default()
    }

    /// Whether it begins with one mode alone, whose tokens it begins with.
    pub(super) fn is_mode(&self) -> bool {
        self.stack.len() == 1
    }
}

/// The modes of a lexer, as far as runs are concerned.
pub(super) struct Map<'m> {
    /// By mode, whether nothing is seen of it.
    pub(super) silent: &'m [bool],
    /// By mode, the entries.
    pub(super) members: &'m [Vec<usize>],
    /// By entry.
    pub(super) moves: &'m [Vec<Move>],
}

impl Map<'_> {
    /// What a token's moves make of a stack.
    fn after(&self, moves: &[Move], mut stack: Vec<usize>) -> After {
        for (done, step) in moves.iter().enumerate() {
            if !matches!(step, Move::Push(_)) {
                stack.pop();
            }
            match step {
                Move::To(mode) | Move::Push(mode) => stack.push(*mode),
                Move::Pop if stack.is_empty() => {
                    return After::End(End::Off(moves[done + 1..].to_vec()));
                }
                Move::Pop => {}
            }
        }
        match stack.last() {
            Some(&mode) if self.silent[mode] => After::Goes(stack),
            _ => After::End(End::Seen),
        }
    }
}

/// All runs of a lexer that layout needs.
#[derive(Default)]
pub(super) struct Runs {
    pub(super) all: Vec<Run>,
    numbers: HashMap<(Vec<usize>, End), usize>,
    /// By entry that leads into a run, what may follow it.
    roots: HashMap<usize, Vec<Way>>,
    /// How a run of one mode may end.
    ends: Vec<End>,
    /// How many ways were found.
    ways: usize,
}

impl Runs {
    /// Finds the runs after some entries, given with their modes; none where they are too many.
    pub(super) fn new(map: &Map<'_>, entries: &[(usize, usize)]) -> Option<Self> {
        let mut ends = BTreeSet::from([End::Seen, End::Off(Vec::new())]);
        for &index in map.members.iter().flatten() {
            let moves = &map.moves[index];
            if moves.len() > MOST_MOVES {
                return None;
            }
            let pops = moves.iter().enumerate().filter(|(_, step)| **step == Move::Pop);
            ends.extend(pops.map(|(at, _)| End::Off(moves[at + 1..].to_vec())));
        }
        let mut runs = Self { ends: ends.into_iter().collect(), ..Self::default() };
        for &(entry, mode) in entries {
            let After::Goes(stack) = map.after(&map.moves[entry], vec![mode]) else { continue };
            let mut ways = runs.ways(map, None, &stack, &End::Seen)?;
            // What takes more off than it has put there comes back to a mode that is not known.
            ways.extend(runs.ways(map, None, &stack, &End::Off(Vec::new()))?);
            runs.roots.insert(entry, ways);
        }
        let mut next = 0;
        while next < runs.all.len() {
            let ways = runs.of(map, next)?;
            runs.all[next].ways = ways;
            next += 1;
        }
        runs.finish();
        runs.flatten();
        Some(runs)
    }

    /// The ways that a run may go.
    fn of(&mut self, map: &Map<'_>, run: usize) -> Option<Vec<Way>> {
        let (stack, end) = (self.all[run].stack.clone(), self.all[run].end.clone());
        let &[mode] = &stack[..] else { return self.ways(map, None, &stack, &end) };
        let mut out = Vec::new();
        for &entry in &map.members[mode] {
            let moves = &map.moves[entry];
            if moves.is_empty() {
                continue;
            }
            match map.after(moves, vec![mode]) {
                After::End(found) if found == end => {
                    out.push(Way { entry: Some(entry), runs: Vec::new() });
                }
                After::End(_) => {}
                After::Goes(stack) => out.extend(self.ways(map, Some(entry), &stack, &end)?),
            }
        }
        self.count(out.len())?;
        Some(out)
    }

    /// The ways from a stack to an end, behind an entry.
    fn ways(
        &mut self,
        map: &Map<'_>,
        entry: Option<usize>,
        stack: &[usize],
        end: &End,
    ) -> Option<Vec<Way>> {
        let (&mode, below) = stack.split_last()?;
        if below.is_empty() {
            self.count(1)?;
            return Some(vec![Way { entry, runs: vec![self.run(stack, end)] }]);
        }
        let mut out = Vec::new();
        for index in 0..self.ends.len() {
            self.count(1)?;
            let first = self.ends[index].clone();
            let after = match &first {
                End::Seen => After::End(End::Seen),
                End::Off(moves) => map.after(moves, below.to_vec()),
            };
            let mut runs = vec![self.run(&[mode], &first)];
            match after {
                After::End(found) if found != *end => continue,
                After::End(_) => {}
                After::Goes(stack) => runs.push(self.run(&stack, end)),
            }
            out.push(Way { entry, runs });
        }
        Some(out)
    }

    fn count(&mut self, ways: usize) -> Option<()> {
        self.ways += ways;
        (self.ways <= MOST_WAYS).then_some(())
    }

    /// The number of a run.
    fn run(&mut self, stack: &[usize], end: &End) -> usize {
        let next = self.all.len();
        let number = *self.numbers.entry((stack.to_vec(), end.clone())).or_insert(next);
        if number == next {
            let (stack, end) = (stack.to_vec(), end.clone());
            self.all.push(Run { stack, end, ways: Vec::new(), ends: false, flat: false });
        }
        number
    }

    /// Finds which runs end, and leaves out all ways that do not.
    fn finish(&mut self) {
        let mut users = vec![Vec::new(); self.all.len()];
        let mut queue = Vec::new();
        let mut waits: Vec<Vec<usize>> = Vec::new();
        for (number, run) in self.all.iter().enumerate() {
            waits.push(run.ways.iter().map(|way| way.runs.len()).collect());
            for (at, way) in run.ways.iter().enumerate() {
                way.runs.iter().for_each(|&used| users[used].push((number, at)));
            }
            if run.ways.iter().any(|way| way.runs.is_empty()) {
                queue.push(number);
            }
        }
        while let Some(number) = queue.pop() {
            if std::mem::replace(&mut self.all[number].ends, true) {
                continue;
            }
            for &(user, at) in &users[number] {
                waits[user][at] -= 1;
                if waits[user][at] == 0 {
                    queue.push(user);
                }
            }
        }
        let ends: Vec<bool> = self.all.iter().map(|run| run.ends).collect();
        let all = self.all.iter_mut().map(|run| &mut run.ways).chain(self.roots.values_mut());
        for ways in all {
            ways.retain(|way| way.runs.iter().all(|&run| ends[run]));
        }
    }

    /// Takes for any text up to their end the runs that have in their middle another one that leads back to them, as a
    /// branch of directives has directives, and those between: an automaton of all that is possible there would be
    /// too large.
    fn flatten(&mut self) {
        let leads: Vec<HashSet<usize>> = (0..self.all.len()).map(|run| self.below(run)).collect();
        let nested: Vec<usize> =
            (0..self.all.len()).filter(|&run| self.is_nested(run, &leads)).collect();
        if nested.is_empty() {
            return;
        }
        let is_in: Vec<bool> = (0..self.all.len())
            .map(|run| nested.iter().any(|it| leads[run].contains(it) && leads[*it].contains(&run)))
            .collect();
        let leaving: Vec<Vec<usize>> = (0..self.all.len())
            .map(|run| if is_in[run] { self.leaving(run, &is_in) } else { Vec::new() })
            .collect();
        for (run, leaving) in self.all.iter_mut().zip(leaving).filter(|(_, it)| !it.is_empty()) {
            let way = |entry| Way { entry: Some(entry), runs: Vec::new() };
            run.ways = leaving.into_iter().map(way).collect();
            run.flat = true;
        }
        // In text that is not told apart, one end cannot be told from another that goes on.
        let mut least: HashMap<usize, (usize, usize)> = HashMap::new();
        for run in (0..self.all.len()).filter(|&run| self.all[run].flat) {
            let size = (self.below(run).len(), run);
            let least = least.entry(self.all[run].mode()).or_insert(size);
            *least = size.min(*least);
        }
        for (number, run) in self.all.iter_mut().enumerate() {
            run.ends = false;
            if run.flat && least[&run.mode()].1 != number {
                run.ways.clear();
            }
        }
        let flat: Vec<bool> = self.all.iter().map(|run| run.flat).collect();
        let is_flat = |way: &Way| way.runs.iter().any(|&run| flat[run]);
        for ways in self.roots.values_mut().filter(|ways| ways.iter().any(is_flat)) {
            ways.retain(is_flat);
        }
        self.finish();
    }

    /// Whether a run has in its middle another one that leads back to it.
    fn is_nested(&self, run: usize, leads: &[HashSet<usize>]) -> bool {
        self.all[run].ways.iter().any(|way| match way.runs.split_last() {
            Some((_, middle)) => middle.iter().any(|&it| it != run && leads[it].contains(&run)),
            None => false,
        })
    }

    /// The entries that end a run without those that some others begin.
    fn leaving(&self, run: usize, others: &[bool]) -> Vec<usize> {
        let mut out = BTreeSet::new();
        let mut seen = HashSet::from([run]);
        let mut stack = vec![run];
        while let Some(at) = stack.pop() {
            for way in self.all[at].ways.iter().filter(|way| way.runs.iter().all(|&it| !others[it]))
            {
                match way.runs.last() {
                    Some(&last) if seen.insert(last) => stack.push(last),
                    Some(_) => {}
                    None => out.extend(way.entry),
                }
            }
        }
        out.into_iter().collect()
    }

    /// The runs that a run leads to.
    fn below(&self, run: usize) -> HashSet<usize> {
        let mut seen = HashSet::new();
        let mut stack = vec![run];
        while let Some(at) = stack.pop() {
            let next = self.all[at].ways.iter().flat_map(|way| &way.runs);
            stack.extend(next.filter(|&&it| seen.insert(it)));
        }
        seen
    }

    /// What may follow an entry; none where it leads into no run.
    pub(super) fn after(&self, entry: usize) -> Option<&[Way]> {
        self.roots.get(&entry).map(Vec::as_slice)
    }
}
