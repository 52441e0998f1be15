//! A regex for an automaton, written for people.
//!
//! States are eliminated one by one, those first whose removal writes least (Delgado and Morais,
//! "Approximation to the Smallest Regular Expression for a Given Regular Language", 2004), and
//! what is written is simplified on the way: alternatives of single symbols are one class, common
//! beginnings and ends are taken out, and what repeats is counted. Equal parts are one
//! node, so that comparing is cheap; a budget on the length of the text bounds everything, for
//! there are automata whose shortest regex is exponentially larger.

use std::collections::BTreeMap;

use fxhash::FxHashMap;

use super::DifferentialError;
use crate::regular::{Alphabet, Dfa, class_ranges};

/// A regex of at most so many characters that accepts what an automaton does.
///
/// Characters in their other role stand in groups `(?<data>...)`; the pattern is to be read
/// over the automaton's alphabet.
///
/// # Errors
///
/// Where it would be longer, or takes too long to find.
///
/// # Examples
///
/// ```
/// use pleach::differential::to_regex;
/// use pleach::regular::{Alphabet, Dfa, Limits};
///
/// let dfa = Dfa::from_regex("a(b|c)x|(a|b)dx", Alphabet::Unicode, &Limits::default())?;
/// assert_eq!(to_regex(&dfa, 100).unwrap(), "(?:bd|a[b-d])x");
/// # Ok::<(), pleach::regular::RegularError>(())
/// ```
pub fn to_regex(dfa: &Dfa, longest: usize) -> Result<String, DifferentialError> {
    let dfa = dfa.minimize();
    let mut writer = Writer::new(&dfa, longest);
    match writer.eliminate()? {
        None => Ok("[a&&b]".into()),
        Some(root) => writer.text(root),
    }
}

/// The live states of an automaton that is printed, at most: finding the next to eliminate is
/// linear in them.
const MOST_STATES: usize = 1 << 13;

/// Parts that are put together on the way, at most, for each character of the budget and at least.
const WORK: (usize, usize) = (16, 1 << 18);

/// How deep alternatives are taken apart for what they have in common.
const FACTORING: usize = 24;

/// How many parts in a row are taken for one that is repeated, at most, where they come one by one.
const FOLDED: usize = 8;

/// A part, as an index into `Writer::nodes`.
type Id = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Empty,
    /// A class, as an index into `Writer::classes`.
    Class(u32),
    /// At least two parts, none of them empty or such a list.
    Concat(Vec<Id>),
    /// At least two parts, none of them empty or such a list, and at most one a class.
    Alternatives(Vec<Id>),
    /// What is repeated, how often at least, and at most.
    Repeat(Id, u32, Option<u32>),
}

const EMPTY: Id = 0;

/// A class of Unicode's by name.
type Named = (&'static str, Vec<(u32, u32)>);

struct Writer<'d> {
    dfa: &'d Dfa,
    longest: usize,
    work: usize,
    nodes: Vec<Node>,
    ids: FxHashMap<Node, Id>,
    /// About how many characters each node is.
    sizes: Vec<usize>,
    classes: Vec<Vec<(u32, u32)>>,
    class_ids: FxHashMap<Vec<(u32, u32)>, u32>,
    texts: Vec<String>,
    /// Unicode's classes by name, looked up when first needed.
    named: Option<Vec<Named>>,
}

impl<'d> Writer<'d> {
    fn new(dfa: &'d Dfa, longest: usize) -> Self {
        let mut writer = Self {
            dfa,
            longest,
            work: WORK.1.max(longest.saturating_mul(WORK.0)),
            nodes: Vec::new(),
            ids: FxHashMap::default(),
            sizes: Vec::new(),
            classes: Vec::new(),
            class_ids: FxHashMap::default(),
            texts: Vec::new(),
            named: None,
        };
        writer.node(Node::Empty);
        writer
    }

    fn too_large(&self) -> DifferentialError {
        DifferentialError::too_large("the regex", self.longest)
    }

    fn spend(&mut self, work: usize) -> Result<(), DifferentialError> {
        self.work = self.work.checked_sub(work).ok_or_else(|| self.too_large())?;
        Ok(())
    }

    fn node(&mut self, node: Node) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let size = |id: &Id| self.sizes[*id as usize];
        let sum = |parts: &[Id]| parts.iter().map(size).fold(0, usize::saturating_add);
        let size = match &node {
            Node::Empty => 0,
            Node::Class(class) => self.texts[*class as usize].len(),
            Node::Concat(parts) => sum(parts),
            Node::Alternatives(parts) => sum(parts).saturating_add(parts.len() + 3),
            Node::Repeat(part, ..) => size(part).saturating_add(2),
        };
        let id = self.nodes.len() as Id;
        self.nodes.push(node.clone());
        self.sizes.push(size);
        self.ids.insert(node, id);
        id
    }

    fn class(&mut self, ranges: Vec<(u32, u32)>) -> Id {
        let class = match self.class_ids.get(&ranges) {
            Some(&class) => class,
            None => {
                let class = self.classes.len() as u32;
                let text = self.class_text(&ranges);
                self.texts.push(text);
                self.classes.push(ranges.clone());
                self.class_ids.insert(ranges, class);
                class
            }
        };
        self.node(Node::Class(class))
    }

    /// The whole language as a part, and none where it is empty.
    fn eliminate(&mut self) -> Result<Option<Id>, DifferentialError> {
        let live: Vec<_> = self.dfa.states().filter(|&state| !self.dfa.is_dead(state)).collect();
        if live.len() > MOST_STATES {
            return Err(self.too_large());
        }
        let mut place = vec![usize::MAX; self.dfa.state_count()];
        for (index, &state) in live.iter().enumerate() {
            place[state.index()] = index;
        }
        let Some(&first) = place.get(self.dfa.start().index()).filter(|&&it| it < live.len())
        else {
            return Ok(None);
        };
        // The last two stand before the start and after all that accept.
        let (start, end) = (live.len(), live.len() + 1);
        let mut graph = Graph::new(live.len() + 2);
        graph.set(start, first, EMPTY);
        for (index, &state) in live.iter().enumerate() {
            let mut targets: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new();
            for transition in self.dfa.transitions(state) {
                let ranges = self.dfa.class_ranges(transition.class);
                targets.entry(place[transition.target.index()]).or_default().extend(ranges);
            }
            for (target, mut ranges) in targets {
                join(&mut ranges);
                let class = self.class(ranges);
                graph.set(index, target, class);
            }
            if self.dfa.is_accepting(state) {
                graph.set(index, end, EMPTY);
            }
        }
        let mut weights: Vec<(usize, usize)> =
            (0..live.len()).map(|it| self.weight(&graph, it)).collect();
        let mut left: Vec<usize> = (0..live.len()).collect();
        while let Some(at) = (0..left.len()).min_by_key(|&at| (weights[left[at]], left[at])) {
            let state = left.swap_remove(at);
            self.spend(1 + left.len() / 64)?;
            for changed in self.remove(&mut graph, state)? {
                if changed < live.len() {
                    weights[changed] = self.weight(&graph, changed);
                }
            }
        }
        Ok(graph.after[start].get(&end).copied())
    }

    /// How much more is written when a state is eliminated, and how much is put together: in a chain,
    /// nothing is written twice, and parts are joined pairwise rather than one after the other.
    fn weight(&self, graph: &Graph, state: usize) -> (usize, usize) {
        let size = |id: &Id| self.sizes[*id as usize];
        let (mut into, mut out) = (0, 0);
        let (mut sum, mut all) = (0_usize, 0_usize);
        let around = graph.after[state].get(&state).map_or(0, size);
        let before: Vec<usize> =
            graph.before[state].iter().copied().filter(|&it| it != state).collect();
        let after: Vec<_> = graph.after[state].iter().filter(|(it, _)| **it != state).collect();
        into += before.len();
        out += after.len();
        for source in before {
            let part = graph.after[source].get(&state).map_or(0, size);
            sum = sum.saturating_add(part.saturating_mul(out.saturating_sub(1)));
            all = all.saturating_add(part);
        }
        for (_, part) in after {
            sum = sum.saturating_add(size(part).saturating_mul(into.saturating_sub(1)));
            all = all.saturating_add(size(part));
        }
        (sum.saturating_add(around.saturating_mul((into * out).saturating_sub(1))), all)
    }

    /// Takes a state out, and gives those around it.
    fn remove(&mut self, graph: &mut Graph, state: usize) -> Result<Vec<usize>, DifferentialError> {
        let around = graph.after[state].get(&state).copied();
        let around = around.map(|part| self.repeat(part, 0, None));
        let after: Vec<(usize, Id)> = graph.after[state]
            .iter()
            .filter(|(target, _)| **target != state)
            .map(|(&target, &part)| (target, part))
            .collect();
        let before: Vec<usize> =
            graph.before[state].iter().copied().filter(|&it| it != state).collect();
        for &source in &before {
            let Some(into) = graph.after[source].remove(&state) else { continue };
            let into = match around {
                Some(around) => self.concat(&[into, around])?,
                None => into,
            };
            for &(target, out) in &after {
                let way = self.concat(&[into, out])?;
                let known = graph.after[source].get(&target).copied();
                let part = match known {
                    Some(known) => self.alternatives(&[known, way], FACTORING)?,
                    None => way,
                };
                if self.sizes[part as usize] > self.longest {
                    return Err(self.too_large());
                }
                graph.set(source, target, part);
            }
        }
        for &(target, _) in &after {
            graph.before[target].remove(&state);
        }
        let mut changed = before;
        changed.extend(after.iter().map(|&(target, _)| target));
        changed.sort_unstable();
        changed.dedup();
        Ok(changed)
    }

    /// A list of parts, one after the other.
    fn list(&self, id: Id) -> Vec<Id> {
        match &self.nodes[id as usize] {
            Node::Empty => Vec::new(),
            Node::Concat(parts) => parts.clone(),
            _ => vec![id],
        }
    }

    fn concat(&mut self, parts: &[Id]) -> Result<Id, DifferentialError> {
        let mut list: Vec<Id> = Vec::new();
        for &part in parts {
            let inner = self.list(part);
            self.spend(inner.len() + 1)?;
            // As in `abab`.
            if inner.len() > 1 && list == inner {
                list = vec![self.repeat(part, 2, Some(2))];
                continue;
            }
            for part in inner {
                self.append(&mut list, part);
                self.fold(&mut list);
            }
        }
        Ok(self.of_list(list))
    }

    fn of_list(&mut self, list: Vec<Id>) -> Id {
        match *list {
            [] => EMPTY,
            [part] => part,
            _ => self.node(Node::Concat(list)),
        }
    }

    /// A part as what is repeated and how often.
    fn counted(&self, id: Id) -> (Id, u32, Option<u32>) {
        match self.nodes[id as usize] {
            Node::Repeat(part, min, max) => (part, min, max),
            _ => (id, 1, Some(1)),
        }
    }

    /// Appends a part to a list; what it repeats together with the end of the list is counted.
    fn append(&mut self, list: &mut Vec<Id>, part: Id) {
        let (base, min, max) = self.counted(part);
        if let Some(&last) = list.last() {
            let (before, least, most) = self.counted(last);
            if before == base
                && let Some(min) = min.checked_add(least)
                && let Some(max) = total(max, most)
            {
                list.pop();
                let both = self.repeat(base, min, max);
                list.push(both);
                return;
            }
        }
        // As in `ab(ab)*`.
        let inner = self.list(base);
        if inner.len() > 1
            && list.ends_with(&inner)
            && let Some(max) = total(max, Some(1))
        {
            list.truncate(list.len() - inner.len());
            let both = self.repeat(base, min.saturating_add(1), max);
            self.append_counted(list, both);
            return;
        }
        list.push(part);
    }

    /// Counts what the end of a list repeats, as in `(ab){2}ab`.
    fn fold(&mut self, list: &mut Vec<Id>) {
        for length in 2..=FOLDED.min(list.len().saturating_sub(1)) {
            let at = list.len() - 1 - length;
            let (base, min, max) = self.counted(list[at]);
            if base != list[at]
                && self.list(base) == list[at + 1..]
                && let (Some(min), Some(max)) = (min.checked_add(1), total(max, Some(1)))
            {
                list.truncate(at);
                let both = self.repeat(base, min, max);
                list.push(both);
                return;
            }
        }
    }

    /// Appends what is counted already.
    fn append_counted(&mut self, list: &mut Vec<Id>, part: Id) {
        match self.nodes[part as usize] {
            Node::Empty => {}
            _ => list.push(part),
        }
    }

    fn repeat(&mut self, part: Id, min: u32, max: Option<u32>) -> Id {
        if part == EMPTY || max == Some(0) {
            return EMPTY;
        }
        if (min, max) == (1, Some(1)) {
            return part;
        }
        if let Node::Repeat(inner, least @ (0 | 1), most) = self.nodes[part as usize] {
            // `(x?)*`, `(x{1,3})?` and the like: no count between the least and the greatest is
            // left out.
            let most = match (most, max) {
                (Some(most), Some(max)) => most.checked_mul(max).map(Some),
                _ => Some(None),
            };
            if let Some(most) = most {
                return self.repeat(inner, least * min, most);
            }
        }
        if (min, max) == (0, None)
            && let Node::Alternatives(parts) = self.nodes[part as usize].clone()
        {
            // `(a*|b)*`.
            let bare = |&id: &Id| match self.nodes[id as usize] {
                Node::Repeat(inner, 0 | 1, None) | Node::Repeat(inner, 0, Some(1)) => inner,
                _ => id,
            };
            let parts: Vec<Id> = parts.iter().map(bare).collect();
            if let Ok(bare) = self.alternatives(&parts, 0)
                && bare != part
            {
                return self.repeat(bare, 0, None);
            }
        }
        self.node(Node::Repeat(part, min, max))
    }

    /// One of some parts.
    fn alternatives(&mut self, parts: &[Id], depth: usize) -> Result<Id, DifferentialError> {
        let (mut choices, mut ranges) = (Vec::new(), Vec::new());
        let mut optional = false;
        let mut stack: Vec<Id> = parts.iter().rev().copied().collect();
        while let Some(part) = stack.pop() {
            self.spend(1)?;
            match &self.nodes[part as usize] {
                Node::Empty => optional = true,
                Node::Class(class) => ranges.extend(&self.classes[*class as usize]),
                Node::Alternatives(parts) => stack.extend(parts.iter().rev()),
                &Node::Repeat(inner, 0, Some(1)) => {
                    optional = true;
                    stack.push(inner);
                }
                _ if choices.contains(&part) => {}
                _ => choices.push(part),
            }
        }
        if !ranges.is_empty() {
            join(&mut ranges);
            let class = self.class(ranges);
            choices.push(class);
        }
        // Whatever repeats any number of times has the empty string.
        let star = |id: &Id| matches!(self.nodes[*id as usize], Node::Repeat(_, 0, _));
        optional &= !choices.iter().any(star);
        if choices.len() > 1 && depth > 0 {
            choices = self.factored(choices, depth)?;
        }
        let all = match *choices {
            [] => EMPTY,
            [only] => only,
            _ => self.node(Node::Alternatives(choices)),
        };
        Ok(if optional { self.repeat(all, 0, Some(1)) } else { all })
    }

    /// Takes out what alternatives begin or end with in common.
    fn factored(&mut self, choices: Vec<Id>, depth: usize) -> Result<Vec<Id>, DifferentialError> {
        let lists: Vec<Vec<Id>> = choices.iter().map(|&choice| self.list(choice)).collect();
        self.spend(lists.iter().map(Vec::len).sum())?;
        for at_end in [false, true] {
            let key =
                |list: &Vec<Id>| if at_end { list.last().copied() } else { list.first().copied() };
            let mut groups: BTreeMap<Id, Vec<usize>> = BTreeMap::new();
            for (index, list) in lists.iter().enumerate() {
                if let Some(key) = key(list) {
                    groups.entry(key).or_default().push(index);
                }
            }
            let Some(group) = groups.into_values().find(|group| group.len() > 1) else { continue };
            let common = self.common(&lists, &group, at_end);
            let mut rests = Vec::new();
            for &index in &group {
                let list = &lists[index];
                let cut = if at_end { &list[..list.len() - common] } else { &list[common..] };
                rests.push(self.of_list(cut.to_vec()));
            }
            let rest = self.alternatives(&rests, depth - 1)?;
            let list = &lists[group[0]];
            let whole = if at_end {
                let end = self.of_list(list[list.len() - common..].to_vec());
                self.concat(&[rest, end])?
            } else {
                let beginning = self.of_list(list[..common].to_vec());
                self.concat(&[beginning, rest])?
            };
            let mut others: Vec<Id> = Vec::new();
            for (index, &choice) in choices.iter().enumerate() {
                if index == group[0] {
                    others.push(whole);
                } else if !group.contains(&index) {
                    others.push(choice);
                }
            }
            // There may be more in common; it is one choice less at least.
            let all = self.alternatives(&others, depth - 1)?;
            return Ok(vec![all]);
        }
        Ok(choices)
    }

    /// How many parts the lists of a group have in common at one end.
    fn common(&self, lists: &[Vec<Id>], group: &[usize], at_end: bool) -> usize {
        let first = &lists[group[0]];
        let shared = |list: &Vec<Id>| {
            let same = |(a, b): &(&Id, &Id)| a == b;
            if at_end {
                first.iter().rev().zip(list.iter().rev()).take_while(same).count()
            } else {
                first.iter().zip(list).take_while(same).count()
            }
        };
        group.iter().map(|&index| shared(&lists[index])).min().unwrap_or(0)
    }

    /// The text of a part.
    fn text(&self, root: Id) -> Result<String, DifferentialError> {
        enum Task {
            Write(Id, Level),
            Say(&'static str),
            Count(u32, Option<u32>),
        }
        #[derive(Clone, Copy, PartialEq, PartialOrd)]
        enum Level {
            Alternatives,
            Concat,
            Atom,
        }
        let mut out = String::new();
        let mut tasks = vec![Task::Write(root, Level::Alternatives)];
        while let Some(task) = tasks.pop() {
            if out.len() > self.longest {
                return Err(self.too_large());
            }
            match task {
                Task::Say(text) => out.push_str(text),
                Task::Count(min, max) => out.push_str(&match (min, max) {
                    (0, None) => "*".into(),
                    (1, None) => "+".into(),
                    (0, Some(1)) => "?".into(),
                    (min, None) => format!("{{{min},}}"),
                    (min, Some(max)) if min == max => format!("{{{min}}}"),
                    (min, Some(max)) => format!("{{{min},{max}}}"),
                }),
                Task::Write(id, level) => match &self.nodes[id as usize] {
                    Node::Empty => out.push_str(if level == Level::Atom { "(?:)" } else { "" }),
                    Node::Class(class) => {
                        let text = &self.texts[*class as usize];
                        // One part of plain symbols and one of roles.
                        let is_list = is_mixed(&self.classes[*class as usize]);
                        match is_list && level > Level::Alternatives {
                            true => out.extend(["(?:", text, ")"]),
                            false => out.push_str(text),
                        }
                    }
                    Node::Concat(parts) => {
                        let grouped = level > Level::Concat;
                        if grouped {
                            out.push_str("(?:");
                            tasks.push(Task::Say(")"));
                        }
                        let parts = parts.iter().rev();
                        tasks.extend(parts.map(|&part| Task::Write(part, Level::Concat)));
                    }
                    Node::Alternatives(parts) => {
                        if level > Level::Alternatives {
                            out.push_str("(?:");
                            tasks.push(Task::Say(")"));
                        }
                        for (index, &part) in parts.iter().enumerate().rev() {
                            tasks.push(Task::Write(part, Level::Alternatives));
                            if index > 0 {
                                tasks.push(Task::Say("|"));
                            }
                        }
                    }
                    &Node::Repeat(part, min, max) => {
                        // A mark after a mark would mean something else.
                        if level == Level::Atom {
                            out.push_str("(?:");
                            tasks.push(Task::Say(")"));
                        }
                        tasks.push(Task::Count(min, max));
                        tasks.push(Task::Write(part, Level::Atom));
                    }
                },
            }
        }
        Ok(out)
    }
}

/// The edges of what is left, from both ends.
struct Graph {
    after: Vec<BTreeMap<usize, Id>>,
    before: Vec<std::collections::BTreeSet<usize>>,
}

impl Graph {
    fn new(states: usize) -> Self {
        Self { after: vec![BTreeMap::new(); states], before: vec![Default::default(); states] }
    }

    fn set(&mut self, from: usize, to: usize, part: Id) {
        self.after[from].insert(to, part);
        self.before[to].insert(from);
    }
}

/// The sum of two greatest counts, each none where there is none; nothing where it is too large.
fn total(a: Option<u32>, b: Option<u32>) -> Option<Option<u32>> {
    match (a, b) {
        (Some(a), Some(b)) => a.checked_add(b).map(Some),
        _ => Some(None),
    }
}

/// Sorts ranges and joins those that touch.
fn join(ranges: &mut Vec<(u32, u32)>) {
    ranges.sort_unstable();
    let mut joined: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
    for &(low, high) in ranges.iter() {
        match joined.last_mut() {
            Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
            _ => joined.push((low, high)),
        }
    }
    *ranges = joined;
}

/// Whether some symbols are in their usual role and some are not.
fn is_mixed(ranges: &[(u32, u32)]) -> bool {
    let boundary = Alphabet::role('\0');
    ranges.first().is_some_and(|range| range.0 < boundary)
        && ranges.last().is_some_and(|range| range.1 >= boundary)
}

/// Those symbols of some ranges that are not in others; both are sorted and disjoint.
fn minus(ranges: &[(u32, u32)], others: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut left = Vec::new();
    let mut others = others.iter().copied().peekable();
    for &(low, high) in ranges {
        let mut from = low;
        while from <= high {
            while others.next_if(|other| other.1 < from).is_some() {}
            match others.peek() {
                Some(&(first, last)) if first <= high => {
                    if first > from {
                        left.push((from, first - 1));
                    }
                    from = last.saturating_add(1);
                }
                _ => {
                    left.push((from, high));
                    break;
                }
            }
        }
    }
    left
}

/// Classes that have names, larger before smaller.
const NAMED: &[&str] = &[r"\W", r"\S", r"\D", r"\w", r"\p{L}", r"\p{Ll}", r"\p{Lu}", r"\d", r"\s"];

/// Ranges from which on a class may be one that has a name.
const RAGGED: usize = 8;

impl Writer<'_> {
    /// A class as it is written; where it is of both roles, as alternatives.
    fn class_text(&mut self, ranges: &[(u32, u32)]) -> String {
        let boundary = Alphabet::role('\0');
        let plain: Vec<_> = ranges
            .iter()
            .filter(|range| range.0 < boundary)
            .map(|&(low, high)| (low, high.min(boundary - 1)))
            .collect();
        let roles: Vec<_> = ranges
            .iter()
            .filter(|range| range.1 >= boundary)
            .map(|&(low, high)| (low.max(boundary) - boundary, high - boundary))
            .collect();
        match (plain.is_empty(), roles.is_empty()) {
            (_, true) => self.plain_text(&plain),
            (true, _) => format!("(?<data>{})", self.plain_text(&roles)),
            _ => format!("{}|(?<data>{})", self.plain_text(&plain), self.plain_text(&roles)),
        }
    }

    fn plain_text(&mut self, ranges: &[(u32, u32)]) -> String {
        let alphabet = match self.dfa.alphabet() {
            Alphabet::Roles => Alphabet::Unicode,
            alphabet => alphabet,
        };
        if let [(low, high)] = *ranges
            && low == high
        {
            return literal(low, alphabet, false);
        }
        let others = minus(alphabet.universe(), ranges);
        match *others {
            [] if alphabet == Alphabet::Bytes => return "(?s-u:.)".into(),
            [] => return "(?s:.)".into(),
            [(10, 10)] => return ".".into(),
            _ => {}
        }
        let (listed, is_name) = self.items(ranges, alphabet);
        let (excluded, _) = self.items(&others, alphabet);
        if is_name {
            return listed;
        }
        if excluded.len() < listed.len() { format!("[^{excluded}]") } else { format!("[{listed}]") }
    }

    /// What stands between the brackets of a class, and whether that is one name.
    fn items(&mut self, ranges: &[(u32, u32)], alphabet: Alphabet) -> (String, bool) {
        let mut left = ranges.to_vec();
        let mut items = String::new();
        let mut names = 0;
        if ranges.len() >= RAGGED && alphabet == Alphabet::Unicode {
            let named = self.named.get_or_insert_with(|| {
                let ranges = |name: &&'static str| {
                    let ranges = class_ranges(&format!("[{name}]"), Alphabet::Unicode).ok()?;
                    Some((*name, ranges))
                };
                NAMED.iter().filter_map(ranges).collect()
            });
            for (name, ranges) in named.iter() {
                // The whole class is among what is left.
                if left.len() >= RAGGED && minus(ranges, &left).is_empty() {
                    left = minus(&left, ranges);
                    items.push_str(name);
                    names += 1;
                }
            }
        }
        let is_name = names == 1 && left.is_empty();
        for (low, high) in left {
            items.push_str(&literal(low, alphabet, true));
            if high > low + 1 {
                items.push('-');
            }
            if high > low {
                items.push_str(&literal(high, alphabet, true));
            }
        }
        (items, is_name)
    }
}

/// A symbol as it is written, in brackets or not.
fn literal(symbol: u32, alphabet: Alphabet, in_class: bool) -> String {
    let special = if in_class { r"\[]^-&~" } else { r"\.+*?()|[]{}^$" };
    match char::from_u32(symbol) {
        _ if alphabet == Alphabet::Bytes && symbol >= 0x80 => format!("\\x{symbol:02X}"),
        Some('\n') => "\\n".into(),
        Some('\t') => "\\t".into(),
        Some('\r') => "\\r".into(),
        Some(character) if special.contains(character) => format!("\\{character}"),
        Some(character) if character == ' ' || character.is_ascii_graphic() => character.into(),
        Some(character) if character.is_alphanumeric() => character.into(),
        _ if symbol < 0x80 => format!("\\x{symbol:02X}"),
        _ => format!("\\u{{{symbol:X}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regular::Limits;

    fn dfa(pattern: &str) -> Dfa {
        Dfa::from_regex(pattern, Alphabet::Roles, &Limits::default()).expect(pattern)
    }

    #[test]
    fn regexes_are_as_a_person_would_write_them() {
        for (pattern, expected) in [
            ("", ""),
            ("[a&&b]", "[a&&b]"),
            ("abc", "abc"),
            ("a*", "a*"),
            ("aa*", "a+"),
            ("(?:a|b|c|[d-f])+", "[a-f]+"),
            ("(?:ab)*", "(?:ab)*"),
            ("[0-9a-f]{4}", "[0-9a-f]{4}"),
            ("a{2,5}", "a{2,5}"),
            ("[^:]*:(?:[^:]|(?<data>:))*", "[^:]*:(?:[^:]|(?<data>:))*"),
            (".*", ".*"),
            ("(?s).*", "(?s:.)*"),
            (r"\w+@\w+", r"\w+@\w+"),
            (r"[\w.-]+", r"[\w\-.]+"),
            (r"\d{3}", r"\d{3}"),
            (r"[^\s/]+", r"[^\s/]+"),
            (r"\.\+\\\n\x00", r"\.\+\\\n\x00"),
            ("(?:abx|acx)y", "a[bc]xy"),
            (r"[-\]^]", r"[\-\]\^]"),
            ("a(?:,a)*", "a(?:,a)*"),
        ] {
            assert_eq!(to_regex(&dfa(pattern), 1000).expect(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn what_would_be_longer_is_refused() {
        let large = dfa("(?:a|b)*a(?:a|b){7}");
        let error = to_regex(&large, 300).expect_err("too large");
        assert!(error.is_size_limit_exceeded(), "{error}");
        let error = to_regex(&dfa(&('a'..='z').chain('A'..='Z').collect::<String>()), 40)
            .expect_err("too large");
        assert!(error.is_size_limit_exceeded(), "{error}");
    }

    #[test]
    fn long_chains_cost_no_more_than_they_are_long() {
        let text: String =
            (0..1500_u32).filter_map(|i| char::from_u32(0x4E00 + i * 7 % 5000)).collect();
        assert_eq!(to_regex(&dfa(&text), 10_000).expect("a chain"), text);
        assert_eq!(to_regex(&dfa("(?:ab){2000}"), 10_000).expect("a chain"), "(?:ab){2000}");
    }

    #[test]
    fn differences_of_ranges() {
        assert_eq!(
            minus(&[(0, 9), (20, 29)], &[(3, 4), (8, 22), (29, 40)]),
            [(0, 2), (5, 7), (23, 28)]
        );
        assert_eq!(minus(&[(0, 9)], &[]), [(0, 9)]);
        assert_eq!(minus(&[(5, 9)], &[(0, 20)]), []);
    }
}
