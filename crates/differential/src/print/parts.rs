//! The parts of a regex, each once, and what puts them together: lists, repetitions and alternatives,
//! simplified on the way.

use std::collections::BTreeMap;

use fxhash::FxHashMap;

use super::classes::{Classes, join};
use crate::DifferentialError;
use pleach_core::regular::Alphabet;

/// Parts that are put together on the way, at most, for each character of the budget and at least.
const WORK: (usize, usize) = (16, 1 << 18);

/// How deep alternatives are taken apart for what they have in common.
pub(super) const FACTORING: usize = 24;

/// How many parts in a row are taken for one that is repeated, at most, where they come one by one.
const FOLDED: usize = 8;

/// A part, as an index into the nodes.
pub(super) type Id = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Empty,
    /// A class, as an index into the classes.
    Class(u32),
    /// At least two parts, none of them empty or such a list.
    Concat(Vec<Id>),
    /// At least two parts, none of them empty or such a list, and at most one a class.
    Alternatives(Vec<Id>),
    /// What is repeated, how often at least, and at most.
    Repeat(Id, u32, Option<u32>),
}

pub(super) const EMPTY: Id = 0;

/// All parts there are, and what is left of the budget.
pub(super) struct Parts {
    /// How many characters a part may have.
    pub(super) longest: usize,
    work: usize,
    nodes: Vec<Node>,
    ids: FxHashMap<Node, Id>,
    /// About how many characters each node is.
    sizes: Vec<usize>,
    pub(super) classes: Classes,
}

impl Parts {
    pub(super) fn new(alphabet: Alphabet, longest: usize) -> Self {
        let mut parts = Self {
            longest,
            work: WORK.1.max(longest.saturating_mul(WORK.0)),
            nodes: Vec::new(),
            ids: FxHashMap::default(),
            sizes: Vec::new(),
            classes: Classes::new(alphabet),
        };
        parts.node(Node::Empty);
        parts
    }

    pub(super) fn get(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    /// About how many characters a part is.
    pub(super) fn size(&self, id: Id) -> usize {
        self.sizes[id as usize]
    }

    pub(super) fn too_large(&self) -> DifferentialError {
        DifferentialError::too_large("the regex", self.longest)
    }

    pub(super) fn spend(&mut self, work: usize) -> Result<(), DifferentialError> {
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
            Node::Class(class) => self.classes.text(*class).len(),
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

    /// A class as a part.
    pub(super) fn class(&mut self, ranges: Vec<(u32, u32)>) -> Id {
        let class = self.classes.intern(ranges);
        self.node(Node::Class(class))
    }

    /// A list of parts, one after the other.
    fn list(&self, id: Id) -> Vec<Id> {
        match &self.nodes[id as usize] {
            Node::Empty => Vec::new(),
            Node::Concat(parts) => parts.clone(),
            _ => vec![id],
        }
    }

    pub(super) fn concat(&mut self, parts: &[Id]) -> Result<Id, DifferentialError> {
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

    pub(super) fn repeat(&mut self, part: Id, min: u32, max: Option<u32>) -> Id {
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
    pub(super) fn alternatives(
        &mut self,
        parts: &[Id],
        depth: usize,
    ) -> Result<Id, DifferentialError> {
        let (mut choices, mut ranges) = (Vec::new(), Vec::new());
        let mut optional = false;
        let mut stack: Vec<Id> = parts.iter().rev().copied().collect();
        while let Some(part) = stack.pop() {
            self.spend(1)?;
            match &self.nodes[part as usize] {
                Node::Empty => optional = true,
                Node::Class(class) => ranges.extend(self.classes.ranges(*class)),
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
}

/// The sum of two greatest counts, each none where there is none; nothing where it is too large.
fn total(a: Option<u32>, b: Option<u32>) -> Option<Option<u32>> {
    match (a, b) {
        (Some(a), Some(b)) => a.checked_add(b).map(Some),
        _ => Some(None),
    }
}
