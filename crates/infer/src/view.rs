//! Views: strings that are functions of the input.
//!
//! A view is made from another by an operation: a piece between two places, the characters in
//! the other order, each character replaced. What matters of an operation is that the strings
//! whose view is in a regular language are a regular language, so a condition on a view is one on
//! the input: it is *lifted*, operation by operation.
//!
//! A **place** in a string says where the string is cut in two. It is a finite union of pairs of
//! languages: the string is a beginning from the first, and a rest from the second of one pair.
//! Before the first `:` is the pair of `[^:]*` and `:.*`; behind the white space at the beginning is
//! `\s*` and `|\S.*`; where a loop was left is one pair for each way of leaving it.

use std::rc::Rc;

use fxhash::FxHashMap;

use super::pool::{ALL, ANY_CHAR, EMPTY, Lang, NON_EMPTY, NONE, Pool};
use super::stop::{Flow, Stop};

/// A view, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct View(u32);

/// A place, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place(u32);

/// A mapping of characters to strings, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Mapping(u32);

/// Disjoint sets of characters, each with what stands for any of them.
pub(super) type Images = Vec<(Vec<(u32, u32)>, String)>;

/// The place before the first character.
pub(super) const START: Place = Place(0);
/// The place behind the last character.
pub(super) const END: Place = Place(1);
/// The place behind the first character.
pub(super) const AFTER_ONE: Place = Place(2);

/// How a view is made from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// What stands between two places; none where the first is behind the second.
    Cut(Place, Place),
    /// The characters in the other order.
    Reverse,
    /// Each character replaced.
    Map(Mapping),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    /// The input, for level 0; what a loop that is being read has not consumed, for others.
    Root(usize),
    Made(View, Op),
}

/// All views and places met so far.
#[derive(Default)]
pub(super) struct Views {
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, View>,
    places: Vec<Rc<[(Lang, Lang)]>>,
    place_numbers: FxHashMap<Rc<[(Lang, Lang)]>, Place>,
    mappings: Vec<Rc<Images>>,
    mapping_numbers: FxHashMap<Rc<Images>, Mapping>,
    lifts: FxHashMap<(View, Lang), Lang>,
    /// How places came about, for people.
    names: FxHashMap<Place, Rc<str>>,
}

/// How many pairs a place may have.
const MAX_PAIRS: usize = 256;

impl Views {
    pub(super) fn new() -> Self {
        let mut views = Self::default();
        for (pair, name) in [
            ((EMPTY, ALL), "the start"),
            ((ALL, EMPTY), "the end"),
            ((ANY_CHAR, ALL), "character 1"),
        ] {
            let place = views.number_place(vec![pair]);
            views.names.insert(place, name.into());
        }
        views
    }

    fn number(&mut self, node: Node) -> View {
        let next = View(self.nodes.len() as u32);
        let view = *self.numbers.entry(node).or_insert(next);
        if view == next {
            self.nodes.push(node);
        }
        view
    }

    /// The input, or what is left of it, at a level.
    pub(super) fn root(&mut self, level: usize) -> View {
        self.number(Node::Root(level))
    }

    /// What a view is made from, and how.
    pub(super) fn made_from(&self, view: View) -> Option<(View, Op)> {
        match self.nodes[view.0 as usize] {
            Node::Made(base, op) => Some((base, op)),
            Node::Root(_) => None,
        }
    }

    /// The level of the root that a view is made from.
    pub(super) fn level(&self, mut view: View) -> usize {
        loop {
            match self.nodes[view.0 as usize] {
                Node::Root(level) => return level,
                Node::Made(base, _) => view = base,
            }
        }
    }

    pub(super) fn make(&mut self, base: View, op: Op) -> View {
        match (op, self.nodes[base.0 as usize]) {
            (Op::Cut(START, END), _) => base,
            (Op::Reverse, Node::Made(inner, Op::Reverse)) => inner,
            _ => self.number(Node::Made(base, op)),
        }
    }

    /// What stands between two places of a view.
    pub(super) fn cut(&mut self, base: View, from: Place, to: Place) -> View {
        self.make(base, Op::Cut(from, to))
    }

    /// The same view of another root.
    pub(super) fn replace(&mut self, view: View, old: View, new: View) -> View {
        let mut ops = Vec::new();
        let mut at = view;
        while at != old {
            match self.nodes[at.0 as usize] {
                Node::Root(_) => return view,
                Node::Made(base, op) => {
                    ops.push(op);
                    at = base;
                }
            }
        }
        ops.into_iter().rev().fold(new, |base, op| self.make(base, op))
    }

    fn number_place(&mut self, mut pairs: Vec<(Lang, Lang)>) -> Place {
        pairs.sort_unstable();
        pairs.dedup();
        let pairs: Rc<[_]> = pairs.into();
        let next = Place(self.places.len() as u32);
        let place = *self.place_numbers.entry(Rc::clone(&pairs)).or_insert(next);
        if place == next {
            self.places.push(pairs);
        }
        place
    }

    /// A place from its pairs.
    pub(super) fn place(&mut self, pool: &mut Pool, pairs: Vec<(Lang, Lang)>) -> Flow<Place> {
        // Pairs with the same rest are one.
        let mut united: Vec<(Lang, Lang)> = Vec::new();
        for (before, after) in pairs.into_iter().filter(|&(a, b)| a != NONE && b != NONE) {
            match united.iter_mut().find(|pair| pair.1 == after) {
                Some(pair) => pair.0 = pool.union(pair.0, before)?,
                None => united.push((before, after)),
            }
        }
        if united.len() > MAX_PAIRS {
            return Err(Stop::Budget("ways to cut a string in two", MAX_PAIRS as u64));
        }
        Ok(self.number_place(united))
    }

    pub(super) fn pairs(&self, place: Place) -> Rc<[(Lang, Lang)]> {
        Rc::clone(&self.places[place.0 as usize])
    }

    /// Says what a place is, where nobody said before.
    pub(super) fn name(&mut self, place: Place, name: impl FnOnce() -> String) -> Place {
        self.names.entry(place).or_insert_with(|| name().into());
        place
    }

    /// The strings that have a place.
    pub(super) fn having(&self, pool: &mut Pool, place: Place) -> Flow<Lang> {
        let products = self.pairs(place).iter().map(|&(a, b)| vec![a, b]).collect();
        pool.sum(products)
    }

    /// The place as it is in strings of a language only, by the states that the language's
    /// automaton can be in there.
    pub(super) fn restrict(
        &mut self,
        pool: &mut Pool,
        place: Place,
        lang: Lang,
    ) -> Flow<Vec<(Lang, Lang)>> {
        let pairs = self.pairs(place);
        if lang == ALL {
            return Ok(pairs.to_vec());
        }
        let mut united: Vec<(Lang, Lang)> = Vec::new();
        for &(a, b) in pairs.iter() {
            for (before, after) in pool.split_by(lang, a)? {
                let (a, b) = (pool.both(a, before)?, pool.both(b, after)?);
                if a == NONE || b == NONE {
                    continue;
                }
                match united.iter_mut().find(|pair| pair.1 == b) {
                    Some(pair) => pair.0 = pool.union(pair.0, a)?,
                    None => united.push((a, b)),
                }
            }
        }
        Ok(united)
    }

    /// A place in what stands behind another, as a place in the whole.
    pub(super) fn behind(&mut self, pool: &mut Pool, first: Place, second: Place) -> Flow<Place> {
        if first == START {
            return Ok(second);
        }
        if second == START {
            return Ok(first);
        }
        let mut pairs = Vec::new();
        for &(before, after) in self.pairs(first).iter() {
            for (a, b) in self.restrict(pool, second, after)? {
                pairs.push((pool.concat(before, a)?, b));
            }
        }
        self.place(pool, pairs)
    }

    /// How much of a view a view of it has left out at its beginning, if that is all.
    pub(super) fn suffix_of(
        &mut self,
        pool: &mut Pool,
        whole: View,
        part: View,
    ) -> Flow<Option<Place>> {
        let mut places = Vec::new();
        let mut at = part;
        while at != whole {
            match self.made_from(at) {
                Some((base, Op::Cut(from, END))) => {
                    places.push(from);
                    at = base;
                }
                _ => return Ok(None),
            }
        }
        let mut place = START;
        for next in places.into_iter().rev() {
            place = self.behind(pool, place, next)?;
        }
        Ok(Some(place))
    }

    /// The strings of the root whose view exists and is in a language.
    pub(super) fn lift(&mut self, pool: &mut Pool, view: View, lang: Lang) -> Flow<Lang> {
        let Node::Made(base, op) = self.nodes[view.0 as usize] else { return Ok(lang) };
        if let Some(&known) = self.lifts.get(&(view, lang)) {
            return Ok(known);
        }
        let mut lifted = lang;
        let mut next = Some((base, op));
        while let Some((base, op)) = next {
            lifted = self.lift_once(pool, op, lifted)?;
            next = self.made_from(base);
        }
        self.lifts.insert((view, lang), lifted);
        Ok(lifted)
    }

    fn lift_once(&mut self, pool: &mut Pool, op: Op, lang: Lang) -> Flow<Lang> {
        match op {
            Op::Reverse => pool.reverse(lang),
            Op::Map(mapping) => {
                let images = Rc::clone(&self.mappings[mapping.0 as usize]);
                pool.preimage(lang, &images)
            }
            Op::Cut(START, to) => {
                let mut products = Vec::new();
                for &(before, after) in self.pairs(to).iter() {
                    products.push(vec![pool.both(before, lang)?, after]);
                }
                pool.sum(products)
            }
            Op::Cut(from, END) => {
                let mut products = Vec::new();
                for &(before, after) in self.pairs(from).iter() {
                    products.push(vec![before, pool.both(after, lang)?]);
                }
                pool.sum(products)
            }
            Op::Cut(from, to) => self.lift_between(pool, from, to, lang),
        }
    }

    /// The strings `x m y` with `m` in a language, where `x` ends at one place and `y` begins at the
    /// other.
    fn lift_between(&mut self, pool: &mut Pool, from: Place, to: Place, lang: Lang) -> Flow<Lang> {
        let mut products = Vec::new();
        for &(before, rest) in self.pairs(from).iter() {
            for &(beginning, after) in self.pairs(to).iter() {
                // `x m` is in `beginning`, and `m y` in `rest`.
                for (first, second) in pool.split_by(beginning, before)? {
                    let x = pool.both(before, first)?;
                    let middle = pool.both(lang, second)?;
                    if x == NONE || middle == NONE {
                        continue;
                    }
                    for (first, second) in pool.split_by(rest, middle)? {
                        let m = pool.both(middle, first)?;
                        let y = pool.both(after, second)?;
                        products.push(vec![x, m, y]);
                    }
                }
            }
        }
        pool.sum(products)
    }

    /// A mapping of characters.
    pub(super) fn mapping(&mut self, images: &Images) -> Mapping {
        if let Some(&mapping) = self.mapping_numbers.get(images) {
            return mapping;
        }
        let mapping = Mapping(self.mappings.len() as u32);
        let images = Rc::new(images.clone());
        self.mapping_numbers.insert(Rc::clone(&images), mapping);
        self.mappings.push(images);
        mapping
    }

    /// What a view is, for people.
    pub(super) fn describe(&self, view: View) -> String {
        let mut parts = Vec::new();
        let mut at = view;
        while let Some((base, op)) = self.made_from(at) {
            let name = |place: Place| {
                self.names
                    .get(&place)
                    .map_or_else(|| "a place found by a loop".into(), |name| name.to_string())
            };
            parts.push(match op {
                Op::Cut(START, to) => format!("up to {}", name(to)),
                Op::Cut(from, END) => format!("from {}", name(from)),
                Op::Cut(from, to) => format!("from {} to {}", name(from), name(to)),
                Op::Reverse => "backwards".into(),
                Op::Map(_) => "with characters replaced".into(),
            });
            at = base;
        }
        if parts.is_empty() {
            return "the whole input".into();
        }
        parts.reverse();
        format!("the input, {}", parts.join(", and of that "))
    }
}

/// What is looked for in a string.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Needle {
    /// A character of a language of strings of one character.
    Set(Lang),
    /// A string.
    Text(Rc<str>),
}

impl Needle {
    /// The strings that are what is looked for.
    pub(super) fn lang(&self, pool: &mut Pool) -> Flow<Lang> {
        match self {
            Self::Set(set) => Ok(*set),
            Self::Text(text) => pool.literal(text),
        }
    }

    /// The strings that have it somewhere.
    pub(super) fn contained(&self, pool: &mut Pool) -> Flow<Lang> {
        let lang = self.lang(pool)?;
        pool.sum(vec![vec![ALL, lang, ALL]])
    }

    fn describe(&self, pool: &Pool) -> String {
        match self {
            Self::Text(text) => format!("{text:?}"),
            Self::Set(set) => {
                let ranges = pool.ranges(*set);
                match ranges[..] {
                    [(low, high)] if low == high => {
                        char::from_u32(low).map_or_else(String::new, |c| format!("{c:?}"))
                    }
                    _ => "such character".into(),
                }
            }
        }
    }
}

/// Which occurrence of what is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    First,
    Last,
}

impl Views {
    /// The places before and behind the first or last occurrence of what is looked for.
    pub(super) fn find(
        &mut self,
        pool: &mut Pool,
        needle: &Needle,
        which: Which,
    ) -> Flow<(Place, Place)> {
        let lang = needle.lang(pool)?;
        let ordinal = match which {
            Which::First => "first",
            Which::Last => "last",
        };
        let (before, after) = match (needle, which) {
            (Needle::Set(_), Which::First) => {
                let others = pool.minus(ANY_CHAR, lang)?;
                let others = pool.star(others)?;
                let rest = pool.concat(lang, ALL)?;
                let beginning = pool.concat(others, lang)?;
                ((others, rest), (beginning, ALL))
            }
            (Needle::Set(_), Which::Last) => {
                let others = pool.minus(ANY_CHAR, lang)?;
                let others = pool.star(others)?;
                let rest = pool.concat(lang, others)?;
                let beginning = pool.concat(ALL, lang)?;
                ((ALL, rest), (beginning, others))
            }
            (Needle::Text(text), Which::First) => {
                let ending = pool.concat(ALL, lang)?;
                let early = pool.sum(vec![vec![ALL, lang, NON_EMPTY]])?;
                let first = pool.minus(ending, early)?;
                let beginning = pool.before_literal(first, text)?;
                let rest = pool.concat(lang, ALL)?;
                ((beginning, rest), (first, ALL))
            }
            (Needle::Text(text), Which::Last) => {
                let starting = pool.concat(lang, ALL)?;
                let late = pool.sum(vec![vec![NON_EMPTY, lang, ALL]])?;
                let last = pool.minus(starting, late)?;
                let rest = pool.after_literal(last, text)?;
                let beginning = pool.concat(ALL, lang)?;
                ((ALL, last), (beginning, rest))
            }
        };
        let before = self.place(pool, vec![before])?;
        let after = self.place(pool, vec![after])?;
        let what = needle.describe(pool);
        self.name(before, || format!("the {ordinal} {what}"));
        self.name(after, || format!("behind the {ordinal} {what}"));
        Ok((before, after))
    }

    /// The place behind the characters of a set that stand at the beginning.
    pub(super) fn behind_all(&mut self, pool: &mut Pool, set: Lang) -> Flow<Place> {
        let many = pool.star(set)?;
        let other = pool.minus(ANY_CHAR, set)?;
        let rest = pool.sum(vec![vec![], vec![other, ALL]])?;
        let place = self.place(pool, vec![(many, rest)])?;
        Ok(self.name(place, || "behind what is trimmed at the start".into()))
    }

    /// The place before the characters of a set that stand at the end.
    pub(super) fn before_all(&mut self, pool: &mut Pool, set: Lang) -> Flow<Place> {
        let many = pool.star(set)?;
        let other = pool.minus(ANY_CHAR, set)?;
        let rest = pool.sum(vec![vec![], vec![ALL, other]])?;
        let place = self.place(pool, vec![(rest, many)])?;
        Ok(self.name(place, || "before what is trimmed at the end".into()))
    }

    /// The place behind a beginning that is in a language.
    pub(super) fn behind_prefix(&mut self, pool: &mut Pool, prefix: Lang) -> Flow<Place> {
        let place = self.place(pool, vec![(prefix, ALL)])?;
        Ok(self.name(place, || "behind a prefix".into()))
    }

    /// The place before an end that is in a language.
    pub(super) fn before_suffix(&mut self, pool: &mut Pool, suffix: Lang) -> Flow<Place> {
        let place = self.place(pool, vec![(ALL, suffix)])?;
        Ok(self.name(place, || "before a suffix".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_core::regular::AutomatonLimits;

    fn check(make: impl Fn(&mut Views, &mut Pool, View) -> View, cases: &[(&str, &str)]) {
        let (mut views, mut pool) = (Views::new(), Pool::new(AutomatonLimits::default(), 1 << 22));
        let root = views.root(0);
        let view = make(&mut views, &mut pool, root);
        for (on_view, on_input) in cases {
            let lang = pool.regex(on_view).unwrap();
            let lifted = views.lift(&mut pool, view, lang).unwrap();
            assert_eq!(lifted, pool.regex(on_input).unwrap(), "{on_view} {on_input}");
        }
    }

    #[test]
    fn conditions_on_pieces_are_conditions_on_the_whole() {
        let colon = |pool: &mut Pool| Needle::Set(pool.regex(":").unwrap());
        check(
            |views, pool, root| {
                let needle = colon(pool);
                let (before, _) = views.find(pool, &needle, Which::First).unwrap();
                views.cut(root, START, before)
            },
            &[("(?s)a.*", "(?s)a[^:]*:.*"), ("", "(?s):.*"), (":", "[a&&b]")],
        );
        check(
            |views, pool, root| {
                let needle = colon(pool);
                let (_, after) = views.find(pool, &needle, Which::Last).unwrap();
                views.cut(root, after, END)
            },
            &[("ab", "(?s).*:ab")],
        );
        check(
            |views, pool, root| {
                let needle = colon(pool);
                let (_, first) = views.find(pool, &needle, Which::First).unwrap();
                let needle = colon(pool);
                let (last, _) = views.find(pool, &needle, Which::Last).unwrap();
                views.cut(root, first, last)
            },
            &[("a+", "[^:]*:a+:[^:]*"), ("a:b", "[^:]*:a:b:[^:]*"), ("", "[^:]*::[^:]*")],
        );
    }

    #[test]
    fn texts_are_found_where_rust_finds_them() {
        let needle = Needle::Text("aa".into());
        check(
            |views, pool, root| {
                let (before, _) = views.find(pool, &needle, Which::First).unwrap();
                views.cut(root, START, before)
            },
            &[("b", "(?s)baa.*"), ("a", "[a&&b]"), ("ab", "(?s)abaa.*")],
        );
        check(
            |views, pool, root| {
                let (_, after) = views.find(pool, &needle, Which::Last).unwrap();
                views.cut(root, after, END)
            },
            &[("b", "(?s).*aab"), ("a", "[a&&b]"), ("", "(?s).*aa")],
        );
    }

    #[test]
    fn places_behind_places_and_the_other_order() {
        check(
            |views, pool, root| {
                let spaces = pool.regex(" ").unwrap();
                let (from, to) = (
                    views.behind_all(pool, spaces).unwrap(),
                    views.before_all(pool, spaces).unwrap(),
                );
                // Both at once would leave out the strings in which nothing else stands.
                let rest = views.cut(root, from, END);
                views.cut(rest, START, to)
            },
            &[("a", " *a *"), ("", " *"), ("a b", " *a b *"), (" ", "[a&&b]")],
        );
        check(
            |views, pool, root| {
                let backwards = views.make(root, Op::Reverse);
                let two = views.behind(pool, AFTER_ONE, AFTER_ONE).unwrap();
                let rest = views.cut(backwards, two, END);
                views.make(rest, Op::Reverse)
            },
            &[("ab", "(?s)ab..")],
        );
    }
}
