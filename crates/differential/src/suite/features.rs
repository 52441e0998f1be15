//! What may be at fault about an input: features, and measures whose bounds are.

use fxhash::FxHashMap;
use pleach_core::regular::StateId;

use super::kin::{Kin, Sort};
use super::shapes::Shapes;
use super::violation::{Due, Place, Violation, What, run};

/// Words that are told apart, and their letters.
const WORDS: usize = 4096;
const LETTERS: std::ops::RangeInclusive<usize> = 2..=12;

/// Numbers of a text that are looked at.
const NUMBERS: u32 = 12;

/// Something about an input that may be at fault. What is more general is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Feature {
    /// It is an input.
    Any,
    /// This is wrong with it.
    Wrong(What, Place),
    /// It has a symbol of this sort.
    ContainsSort(Sort),
    /// Something is, in this state, in which this is due, or behind what could be the whole.
    At(u32, Due),
    Trailing,
    /// It has a part of a class of symbols, or hasn't.
    Contains(u32, Kin),
    ContainsKin(Kin),
    Lacks(u32, Kin),
    Begins(Kin),
    Finishes(Kin),
    /// One somewhere behind a mark, and right behind.
    Behind(Kin, Kin),
    Pair(Kin, Kin),
    Word(u32),
    /// A part of a class of symbols in a state.
    Move(u32, u32, Kin),
    /// It ends in a state.
    End(u32),
}

impl Feature {
    /// How much is to be said for it beside another that explains as much: states are no cause that anyone thinks of, and
    /// hardly anything is rejected for what it lacks.
    pub(super) fn weight(self) -> f64 {
        match self {
            Self::Any | Self::Wrong(_, Place::Anywhere | Place::Beginning | Place::End) => 1.0,
            // Where there are several numbers, which one says more than that it is any.
            Self::Wrong(what, Place::Nth(_)) if what.is_number() => 1.0,
            Self::ContainsSort(_) => 1.0,
            Self::Contains(..) | Self::ContainsKin(_) | Self::Wrong(_, Place::Nth(_)) => 0.99,
            Self::Trailing | Self::Begins(_) | Self::Finishes(_) | Self::Word(_) => 0.95,
            Self::Wrong(_, Place::After(_)) => 0.93,
            Self::Pair(..) | Self::Behind(..) => 0.9,
            Self::Wrong(..) => 0.85,
            Self::At(..) => 0.8,
            Self::Lacks(..) => 0.7,
            Self::Move(..) | Self::End(_) => 0.6,
        }
    }
}

/// Something about an input that is a number, which has to be at most or at least so much to be at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Measure {
    /// The value of a text's number, from 1.
    Number(u32),
    /// Its digits.
    Digits(u32),
    /// The characters of the longest part.
    Part,
    /// The characters of the text.
    Length,
    /// The value and the characters of what is wrong.
    WrongValue(What),
    WrongLength(What),
}

/// What is known of one input.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) features: Vec<Feature>,
    pub(super) measures: Vec<(Measure, u64)>,
}

/// Reads inputs, and numbers the words in them.
pub(super) struct Reader<'a> {
    pub(super) shapes: &'a Shapes<'a>,
    words: FxHashMap<String, u32>,
    pub(super) spelled: Vec<String>,
    /// Classes of symbols whose absence may be a fault.
    marks: Vec<(u32, Kin)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(shapes: &'a Shapes<'a>) -> Self {
        let mut marks = Vec::new();
        for (class, id) in shapes.dfa.classes().enumerate() {
            let ranges = shapes.dfa.class_ranges(id);
            // What is one symbol, or one letter in both cases, is there to be found.
            if shapes.dfa.class_size(id) <= 2 {
                marks.extend(
                    ranges
                        .iter()
                        .flat_map(|&(low, high)| low..=high)
                        .map(|symbol| (class as u32, Kin::of(symbol))),
                );
            }
        }
        Self { shapes, words: FxHashMap::default(), spelled: Vec::new(), marks }
    }

    /// What is known of an input that the specification has, or where something else matters than what is wrong with it.
    pub(super) fn text(&mut self, chars: &[char], facts: &mut Facts) {
        let Facts { features, measures } = facts;
        features.push(Feature::Any);
        let dfa = self.shapes.dfa;
        let kins: Vec<Kin> = chars.iter().map(|&c| Kin::of(c.into())).collect();
        let class = |c: char| dfa.class(c.into()).map(|class| class.index() as u32);
        for (&c, &kin) in chars.iter().zip(&kins) {
            features.push(Feature::ContainsKin(kin));
            if matches!(kin.sort(), Sort::White | Sort::Control | Sort::Beyond) {
                features.push(Feature::ContainsSort(kin.sort()));
            }
            features.extend(class(c).map(|class| Feature::Contains(class, kin)));
        }
        let has = |mark: &(u32, Kin)| {
            chars.iter().zip(&kins).any(|(&c, &kin)| class(c) == Some(mark.0) && kin == mark.1)
        };
        let lacking = self.marks.iter().filter(|mark| !has(mark));
        features.extend(lacking.map(|&(class, kin)| Feature::Lacks(class, kin)));
        features.extend(kins.first().map(|&kin| Feature::Begins(kin)));
        features.extend(kins.last().map(|&kin| Feature::Finishes(kin)));
        features.extend(kins.windows(2).map(|pair| Feature::Pair(pair[0], pair[1])));
        for (at, &mark) in kins.iter().enumerate().filter(|(_, kin)| kin.sort() == Sort::Mark) {
            if !kins[..at].contains(&mark) {
                features.extend(kins[at + 1..].iter().map(|&kin| Feature::Behind(mark, kin)));
            }
        }
        measures.push((Measure::Length, chars.len() as u64));
        let (mut at, mut number, mut longest) = (0, 0, 0);
        while at < chars.len() {
            let (_, end) = run(chars, at, |c| c.is_ascii_alphanumeric());
            longest = longest.max(end - at);
            let of_kind = |is: fn(&char) -> bool| run(chars, at, |c| is(&c)).1;
            if chars[at].is_ascii_digit() {
                let end = of_kind(char::is_ascii_digit);
                number += 1;
                let digits: String = chars[at..end].iter().collect();
                if number <= NUMBERS {
                    measures.push((Measure::Digits(number), (end - at) as u64));
                    measures.extend(digits.parse().ok().map(|it| (Measure::Number(number), it)));
                }
                at = end;
            } else if chars[at].is_ascii_alphabetic() {
                let end = of_kind(char::is_ascii_alphabetic);
                if LETTERS.contains(&(end - at)) {
                    features.extend(self.word(chars[at..end].iter().collect()));
                }
                at = end;
            } else {
                at += 1;
            }
        }
        measures.push((Measure::Part, longest as u64));
    }

    fn word(&mut self, word: String) -> Option<Feature> {
        if let Some(&known) = self.words.get(&word) {
            return Some(Feature::Word(known));
        }
        if self.spelled.len() >= WORDS {
            return None;
        }
        let number = self.spelled.len() as u32;
        self.spelled.push(word.clone());
        self.words.insert(word, number);
        Some(Feature::Word(number))
    }

    /// The moves of an input that the specification has.
    pub(super) fn moves(&self, chars: &[char], features: &mut Vec<Feature>) {
        let dfa = self.shapes.dfa;
        let mut state: StateId = dfa.start();
        for &c in chars {
            if let Some(class) = dfa.class(c.into()) {
                let (from, class) = (state.index() as u32, class.index() as u32);
                features.push(Feature::Move(from, class, Kin::of(c.into())));
            }
            state = dfa.step(state, c.into());
        }
        features.push(Feature::End(state.index() as u32));
    }

    /// What is known of an input that the specification does not have.
    pub(super) fn wrong(&self, violation: &Violation, facts: &mut Facts) {
        facts.features.push(Feature::Any);
        for place in violation.places.iter().flatten() {
            facts.features.push(Feature::Wrong(violation.what, *place));
            facts.features.extend(violation.more.map(|more| Feature::Wrong(more, *place)));
        }
        facts.features.push(Feature::At(violation.state.index() as u32, violation.due));
        if violation.places.contains(&Some(Place::End)) {
            facts.features.push(Feature::Trailing);
        }
        let what = violation.what;
        let value = violation.value.map(|value| (Measure::WrongValue(what), value));
        let length = violation.length.map(|it| (Measure::WrongLength(what), u64::from(it)));
        facts.measures.extend(value.into_iter().chain(length));
    }
}
