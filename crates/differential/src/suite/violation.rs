//! What is wrong with a text that a specification does not have.
//!
//! The automaton gives a text up at one place: before a symbol after which nothing could follow, or at the end. What is
//! wrong there is told in the terms of those who write parsers: a number is too large or has zeros in front, a part is
//! empty or too long, there is white space around, a sign, a letter in the other case. What is none of these is the symbol
//! itself. Each text has one of these, so texts with the same are likely to be accepted for one cause.

use pleach_core::regular::StateId;

use super::kin::Kin;
use super::shapes::Shapes;

/// Marks inside of parts, which may not end with them.
const JOINERS: [char; 2] = ['-', '_'];

/// What is wrong. What tells most is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum What {
    /// A number that would be one without zeros in front.
    LeadingZeros,
    /// A number greater than any that may stand there.
    Above(u64),
    /// A number less than any.
    Below(u64),
    /// More digits than this, where any number of so many digits may stand.
    MoreDigits(u32),
    FewerDigits(u32),
    /// A number between others that may stand there.
    Unlisted,
    /// A part of more letters and digits than this.
    LongPart(u32),
    ShortPart(u32),
    /// Nothing where a part has to be.
    Empty,
    /// White space at the beginning or the end.
    Around,
    Sign(u32),
    /// The symbol before once more.
    Again(u32),
    OtherCase,
    /// A symbol beyond ASCII.
    Beyond,
    /// The end, where this has to follow.
    Missing(u32),
    /// A symbol of this class of the automaton.
    Symbol(u32, Kin),
    /// The same in the place of another symbol, or where none is to be.
    Instead(u32, Kin),
    Extra(u32, Kin),
}

/// Where it is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Place {
    Beginning,
    /// Behind what could be the whole.
    End,
    /// In which number, or in which part, from 1.
    Nth(u32),
    Anywhere,
    After(Kin),
    State(u32),
}

/// What is due in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Due {
    /// The beginning of a part.
    Begin,
    /// More of a part.
    More,
    /// What comes behind a part, or behind all.
    Next,
}

/// What is wrong with a text, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Violation {
    pub(super) what: What,
    /// The same more exactly, where that is known.
    pub(super) more: Option<What>,
    /// Whether nothing else is wrong: so it is if it can be mended where it is.
    pub(super) is_only: bool,
    /// The places that say so.
    pub(super) places: [Option<Place>; 6],
    pub(super) state: StateId,
    /// What would be right in that state.
    pub(super) due: Due,
    /// Of a number or part: how many characters it has, and of a number its value, if it is not very large.
    pub(super) length: Option<u32>,
    pub(super) value: Option<u64>,
    /// Where that is in the text: positions of characters, and the state before.
    pub(super) span: Option<(usize, usize, StateId)>,
}

/// A text on its way through an automaton.
struct Given<'a> {
    shapes: &'a Shapes<'a>,
    chars: &'a [char],
    /// The states up to the place where it is given up.
    states: Vec<StateId>,
    at: usize,
}

/// What is wrong with a text; none if nothing is.
pub(super) fn violation(shapes: &Shapes<'_>, chars: &[char]) -> Option<Violation> {
    let dfa = shapes.dfa;
    let mut states = vec![dfa.start()];
    let mut state = dfa.start();
    for &c in chars {
        let next = dfa.step(state, c.into());
        if dfa.is_dead(next) {
            break;
        }
        state = next;
        states.push(state);
    }
    let at = states.len() - 1;
    if at == chars.len() && dfa.is_accepting(state) {
        return None;
    }
    Some(Given { shapes, chars, states, at }.violation())
}

/// Where a run of some characters around a place begins and ends.
pub(super) fn run(chars: &[char], at: usize, is: impl Fn(char) -> bool) -> (usize, usize) {
    let before = chars[..at].iter().rev().take_while(|&&c| is(c)).count();
    let after = chars[at..].iter().take_while(|&&c| is(c)).count();
    (at - before, at + after)
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn other_case(c: char) -> char {
    if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
}

fn is_alnum(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

impl What {
    /// Whether it is about a number, of which a text may have several.
    pub(super) fn is_number(self) -> bool {
        matches!(
            self,
            Self::LeadingZeros
                | Self::Above(_)
                | Self::Below(_)
                | Self::MoreDigits(_)
                | Self::FewerDigits(_)
                | Self::Unlisted
        )
    }
}

impl Given<'_> {
    fn violation(&self) -> Violation {
        let (what, span) = self.what();
        let state = self.states[self.at];
        let text = span.map(|(from, to)| self.chars[from..to].iter().collect::<String>());
        let nth = match span {
            Some((from, _)) if what.is_number() => self.count(is_digit, from),
            _ => self.count(is_alnum, self.at),
        };
        // A part that ends with a mark is known only behind that.
        let at = self.at + usize::from(self.ends_with_joiner());
        let before = at.checked_sub(1).map(|before| Kin::of(self.chars[before].into()));
        let is_end = self.shapes.dfa.is_accepting(state) && self.at < self.chars.len();
        let more = match what {
            What::Symbol(class, kin) if self.is_right(&[state], self.at + 1) => {
                Some(What::Extra(class, kin))
            }
            What::Symbol(class, kin) if self.is_right(&self.others(), self.at + 1) => {
                Some(What::Instead(class, kin))
            }
            _ => None,
        };
        Violation {
            what,
            more,
            is_only: more.is_some() || self.is_mended(what, span),
            places: [
                Some(Place::Anywhere),
                (self.at == 0).then_some(Place::Beginning),
                (is_end && span.is_none()).then_some(Place::End),
                Some(Place::Nth(nth)),
                before.map(Place::After),
                Some(Place::State(state.index() as u32)),
            ],
            state,
            due: self.due(),
            length: text.as_ref().map(|text| text.len() as u32),
            value: text.as_deref().and_then(|text| text.parse().ok()),
            span: span.map(|(from, to)| (from, to, self.states[from])),
        }
    }

    /// What is due at the place.
    fn due(&self) -> Due {
        let state = self.states[self.at];
        let takes_part = self.shapes.takes_digit(state) || self.shapes.takes_letter(state);
        let is_inside = self.at.checked_sub(1).is_some_and(|before| is_alnum(self.chars[before]));
        match is_inside {
            true if self.shapes.ends_part(state) => Due::Next,
            true => Due::More,
            false if takes_part => Due::Begin,
            false => Due::Next,
        }
    }

    /// How many runs begin up to a place, that place's own among them.
    fn count(&self, is: fn(char) -> bool, at: usize) -> u32 {
        let mut count = 0;
        let mut inside = false;
        for &c in &self.chars[..at] {
            count += u32::from(is(c) && !inside);
            inside = is(c);
        }
        // What is not there yet would be the next.
        count + u32::from(!inside)
    }

    /// The states after any symbol in the place of the one that is wrong.
    fn others(&self) -> Vec<StateId> {
        let transitions = self.shapes.dfa.transitions(self.states[self.at]);
        transitions.iter().map(|transition| transition.target).collect()
    }

    /// Whether the rest of the text, from a place on, is right in any of some states.
    fn is_right(&self, states: &[StateId], from: usize) -> bool {
        let dfa = self.shapes.dfa;
        let mut states = states.to_vec();
        for &c in self.chars.get(from..).unwrap_or_default() {
            for state in &mut states {
                *state = dfa.step(*state, c.into());
            }
            states.retain(|&state| !dfa.is_dead(state));
            states.sort_unstable();
            states.dedup();
            if states.is_empty() {
                return false;
            }
        }
        states.iter().any(|&state| dfa.is_accepting(state))
    }

    /// Whether a text is right with what is wrong mended.
    fn is_mended(&self, what: What, span: Option<(usize, usize)>) -> bool {
        let (dfa, state) = (self.shapes.dfa, self.states[self.at]);
        match (what, span) {
            (_, Some((from, to))) => {
                let behind = self.shapes.behind(self.states[from], what.is_number());
                self.is_right(&behind, to)
            }
            (What::Empty, _) => {
                self.is_right(&self.shapes.behind(state, false), self.at)
                    || self.ends_with_joiner() && self.is_right(&self.others(), self.at + 1)
            }
            (What::Around, _) => {
                let rest = self.chars[self.at..].iter().take_while(|c| c.is_whitespace());
                self.is_right(&[state], self.at + rest.count())
            }
            (What::Sign(_) | What::Again(_), _) => self.is_right(&[state], self.at + 1),
            (What::OtherCase, _) => {
                let c = self.chars[self.at];
                self.is_right(&[dfa.step(state, other_case(c).into())], self.at + 1)
            }
            (What::Missing(_), _) => dfa.distance(state) == Some(1),
            _ => {
                self.is_right(&[state], self.at + 1)
                    || self.is_right(&self.others(), self.at + 1)
                    || self.is_right(&self.others(), self.at)
            }
        }
    }

    fn what(&self) -> (What, Option<(usize, usize)>) {
        let state = self.states[self.at];
        let before = self.at.checked_sub(1).map(|at| self.chars[at]);
        let Some(&c) = self.chars.get(self.at) else { return self.end(before) };
        let rest = &self.chars[self.at..];
        let is_end = self.shapes.dfa.is_accepting(state);
        if c.is_whitespace() && (self.at == 0 || is_end && rest.iter().all(|c| c.is_whitespace())) {
            return (What::Around, None);
        }
        let class = self.shapes.dfa.class(c.into()).map_or(u32::MAX, |it| it.index() as u32);
        let symbol = (What::Symbol(class, Kin::of(c.into())), None);
        match c {
            _ if !c.is_ascii() => (What::Beyond, None),
            '0'..='9' => self.long().or_else(|| self.number()).unwrap_or(symbol),
            _ if c.is_ascii_alphabetic() => {
                if self.shapes.takes(state, other_case(c)) {
                    return (What::OtherCase, None);
                }
                if before.is_some_and(|before| before.eq_ignore_ascii_case(&c)) && is_end {
                    return (What::Again(c.into()), None);
                }
                let takes_digits = !self.shapes.ends_number(state);
                if takes_digits && !before.is_some_and(is_alnum) && self.shapes.is_used(c) {
                    return (What::Empty, None);
                }
                self.long().unwrap_or(symbol)
            }
            _ if self.ends_with_joiner() => (What::Empty, None),
            '+' | '-' if self.shapes.takes_digit(state) && !before.is_some_and(is_alnum) => {
                (What::Sign(c.into()), None)
            }
            _ => self.short(before).unwrap_or(match before {
                Some(before) if before == c => (What::Again(c.into()), None),
                _ => symbol,
            }),
        }
    }

    /// Whether the symbol that is wrong is a mark that may stand inside of a part, and would end it.
    fn ends_with_joiner(&self) -> bool {
        let state = self.states[self.at];
        let takes_part = self.shapes.takes_digit(state) || self.shapes.takes_letter(state);
        let is_joiner =
            |c: &char| JOINERS.contains(c) && self.shapes.is_used(*c) && takes_part && self.at > 0;
        let next = self.chars.get(self.at + 1);
        self.chars.get(self.at).is_some_and(is_joiner)
            && next.is_none_or(|&c| !is_alnum(c) && !JOINERS.contains(&c) && self.shapes.is_used(c))
    }

    /// What is wrong with a text that ends too early.
    fn end(&self, before: Option<char>) -> (What, Option<(usize, usize)>) {
        self.short(before).unwrap_or_else(|| {
            let (dfa, state) = (self.shapes.dfa, self.states[self.at]);
            // What is one symbol tells more.
            let nearest = dfa.transitions(state).iter().min_by_key(|transition| {
                (dfa.distance(transition.target), dfa.class_size(transition.class) > 1)
            });
            let symbol = nearest.map_or(0, |transition| dfa.class_ranges(transition.class)[0].0);
            (What::Missing(symbol), None)
        })
    }

    /// A part or number that ends too early, or that is not there.
    fn short(&self, before: Option<char>) -> Option<(What, Option<(usize, usize)>)> {
        let state = self.states[self.at];
        let c = self.chars.get(self.at);
        let takes_part = self.shapes.takes_digit(state) || self.shapes.takes_letter(state);
        let is_separated = c.is_none_or(|&c| self.shapes.is_used(c));
        if takes_part && is_separated && !before.is_some_and(is_alnum) {
            return Some((What::Empty, None));
        }
        if self.shapes.ends_part(state) || !before.is_some_and(is_alnum) {
            return None;
        }
        if before.is_some_and(is_digit) && !self.shapes.takes_letter(state) {
            return self.number();
        }
        let (from, _) = run(self.chars, self.at, is_alnum);
        let parts = self.shapes.parts(self.states[from])?;
        // Else it is not its length, but what it lacks.
        let lacks_letter = before.is_some_and(is_digit) && !self.shapes.takes_digit(state);
        if lacks_letter || self.at - from >= parts.shortest as usize {
            return None;
        }
        Some((What::ShortPart(parts.shortest), Some((from, self.at))))
    }

    /// A part that is too long, where letters may be in it.
    fn long(&self) -> Option<(What, Option<(usize, usize)>)> {
        let (from, to) = run(self.chars, self.at, is_alnum);
        let state = self.states[from];
        if from == self.at || !self.shapes.takes_letter(state) {
            return None;
        }
        let longest = self.shapes.parts(state)?.longest?;
        (to - from > longest as usize).then_some((What::LongPart(longest), Some((from, to))))
    }

    /// What is wrong with the digits around the place.
    fn number(&self) -> Option<(What, Option<(usize, usize)>)> {
        let (from, to) = run(self.chars, self.at, is_digit);
        let state = self.states[from];
        let numbers = self.shapes.numbers(state)?;
        let text: String = self.chars[from..to].iter().collect();
        let plain = text.trim_start_matches('0');
        let plain = if plain.is_empty() { "0" } else { plain };
        let value: Option<u64> = plain.parse().ok();
        let written = value.and_then(|value| self.shapes.written(state, value));
        let what = match (value, written) {
            (_, Some(written)) if written.len() < text.len() => What::LeadingZeros,
            // There may be several lengths: the one that this value has.
            (_, Some(written)) => What::FewerDigits(written.len() as u32),
            (Some(value), None) if value < numbers.least => What::Below(numbers.least),
            (value, None) => match (numbers.most, numbers.greatest) {
                (Some(most), Some(greatest)) if value.is_none_or(|value| value > greatest) => {
                    let all = u64::checked_pow(10, most).map(|more| more - 1);
                    let is_any = all == Some(greatest) && numbers.least == 0;
                    if is_any { What::MoreDigits(most) } else { What::Above(greatest) }
                }
                _ if plain.len() < text.len() && value != Some(0) => What::LeadingZeros,
                _ => What::Unlisted,
            },
        };
        Some((what, Some((from, to))))
    }
}

#[cfg(test)]
mod tests {
    use pleach_core::regular::AutomatonLimits;

    use super::*;
    use crate::Language;

    #[test]
    fn what_is_wrong_is_told_as_people_do() {
        let octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
        let dotted = format!("{octet}(?:\\.{octet}){{3}}");
        let date = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[Tt][0-9]{2}Z";
        let hex = "[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*";
        for (pattern, text, what, place) in [
            (&*dotted, "01.2.3.4", What::LeadingZeros, Place::Nth(1)),
            (&dotted, "1.2.3.00", What::LeadingZeros, Place::Nth(4)),
            (&dotted, "1.256.3.4", What::Above(255), Place::Nth(2)),
            (&dotted, "1.2.3.99999999999999999999999", What::Above(255), Place::Nth(4)),
            (&dotted, "1..3.4", What::Empty, Place::After(Kin::One('.'.into()))),
            (&dotted, "1.2.3.", What::Empty, Place::After(Kin::One('.'.into()))),
            (&dotted, ".2.3.4", What::Empty, Place::Beginning),
            (&dotted, "+1.2.3.4", What::Sign('+'.into()), Place::Beginning),
            (&dotted, "1.2.3.4 ", What::Around, Place::End),
            (&dotted, " 1.2.3.4", What::Around, Place::Beginning),
            (&dotted, "1.2.3.٣", What::Beyond, Place::Anywhere),
            (date, "1999-13-01T00Z", What::Above(12), Place::Nth(2)),
            (date, "1999-00-01T00Z", What::Below(1), Place::Nth(2)),
            (date, "1999-1-01T00Z", What::FewerDigits(2), Place::Nth(2)),
            (date, "1999-001-01T00Z", What::LeadingZeros, Place::Nth(2)),
            (date, "19990-01-01T00Z", What::MoreDigits(4), Place::Nth(1)),
            (date, "1999-01-01T00ZZ", What::Again('Z'.into()), Place::End),
            (date, "1999-01-01T00z", What::OtherCase, Place::Anywhere),
            (
                "[a-z](?:[a-z-]{0,3}[a-z])?",
                "a----",
                What::Empty,
                Place::After(Kin::One('-'.into())),
            ),
            ("[a-z](?:-?[a-z])*", "a-", What::Empty, Place::After(Kin::One('-'.into()))),
            ("0\\.[0-9]+(?:e[0-9])?", "0.e0", What::Empty, Place::Anywhere),
            ("[a-z]{2}=|[a-z]{3}", "aa", What::Missing('='.into()), Place::Anywhere),
            (hex, "00c0c", What::LongPart(4), Place::Nth(1)),
            (hex, "a:00001", What::LongPart(4), Place::Nth(2)),
            ("[0-9]{2}T[0-9]", "00", What::Missing('T'.into()), Place::Anywhere),
            ("GMT;", "GM;", What::ShortPart(3), Place::Nth(1)),
            ("128|192|0", "150", What::Unlisted, Place::Nth(1)),
            ("#(?:[0-9]{3}|[0-9]{6})", "#1000", What::FewerDigits(6), Place::Nth(1)),
            ("#(?:[0-9]{3}|[0-9]{6})", "#10", What::FewerDigits(3), Place::Nth(1)),
        ] {
            let limits = AutomatonLimits::default();
            let dfa =
                Language::regex(pattern, &limits).and_then(|it| it.texts(&limits)).expect(pattern);
            let shapes = Shapes::new(&dfa);
            let chars: Vec<char> = text.chars().collect();
            let found = violation(&shapes, &chars).expect(text);
            assert_eq!(found.what, what, "{text}");
            assert!(found.is_only || matches!(what, What::Missing(_)), "{text}");
            assert!(found.places.contains(&Some(place)), "{text}: {:?}", found.places);
        }
        // A symbol more, and one in the place of others.
        for (text, is_more) in [("1.2.3.4.", true), ("1.2.3_4", false)] {
            let limits = AutomatonLimits::default();
            let dfa =
                Language::regex(&dotted, &limits).and_then(|it| it.texts(&limits)).expect("small");
            let chars: Vec<char> = text.chars().collect();
            let found = violation(&Shapes::new(&dfa), &chars).expect(text);
            assert!(matches!(found.what, What::Symbol(..)) && found.is_only, "{text}: {found:?}");
            assert_eq!(matches!(found.more, Some(What::Extra(..))), is_more, "{text}: {found:?}");
            assert_eq!(found.places.contains(&Some(Place::End)), is_more, "{text}: {found:?}");
        }
        // Two symbols are missing.
        let limits = AutomatonLimits::default();
        let dfa =
            Language::regex(&dotted, &limits).and_then(|it| it.texts(&limits)).expect("small");
        let found =
            violation(&Shapes::new(&dfa), &['1', '.', '2', '.', '3']).expect("it is no address");
        assert_eq!((found.what, found.is_only), (What::Missing('.'.into()), false));
        let dfa = Language::nothing().texts(&AutomatonLimits::default()).expect("small");
        assert!(violation(&Shapes::new(&dfa), &['a']).is_some());
    }
}
