//! What running more strings says about a cause: where exactly a bound is, and the nearest string that shows none.

use super::causes::Bound;
use super::features::Measure;
use super::shapes::Shapes;
use super::violation::{run, violation};

/// Strings that are run at a time.
const AT_ONCE: u64 = 15;

/// Rounds at most: each leaves a sixteenth, of numbers of 64 bits.
const ROUNDS: usize = 16;

/// Finds where exactly a bound on a number is. `deviates` says of texts whether each one deviates as the witness does, and is
/// not asked of texts that are wrong in another way.
pub(super) fn narrow<E>(
    shapes: &Shapes<'_>,
    bound: Bound,
    witness: &str,
    deviates: &mut impl FnMut(&[String]) -> Result<Vec<bool>, E>,
) -> Result<Bound, E> {
    let chars: Vec<char> = witness.chars().collect();
    let Some(number) = Number::of(shapes, bound.measure, &chars) else { return Ok(bound) };
    let (mut with, mut without) = (bound.limit, bound.next);
    let ends = [with, without].map(|value| number.text(value));
    let [Some(first), Some(last)] = ends else { return Ok(bound) };
    // What else differs between inputs may matter as well: then nothing is known of the values between.
    if deviates(&[first, last])? != [true, false] {
        return Ok(bound);
    }
    for _ in 0..ROUNDS {
        let (low, high) = (with.min(without), with.max(without));
        let between = high - low - 1;
        let count = between.min(AT_ONCE);
        let value = |at: u64| {
            let offset = u128::from(between + 1) * u128::from(at) / u128::from(count + 1);
            low + offset as u64
        };
        let tried = (1..=count).filter_map(|at| Some((value(at), number.text(value(at))?)));
        let (values, texts): (Vec<u64>, Vec<String>) = tried.unzip();
        if texts.is_empty() {
            break;
        }
        let answers = deviates(&texts)?;
        let before = (with, without);
        let mut found: Vec<(u64, bool)> = values.into_iter().zip(answers).collect();
        if with > without {
            found.reverse();
        }
        let end = found.iter().position(|(_, deviates)| !deviates).unwrap_or(found.len());
        without = found.get(end).map_or(without, |it| it.0);
        with = end.checked_sub(1).map_or(with, |last| found[last].0);
        if (with, without) == before {
            break;
        }
    }
    Ok(Bound { limit: with, next: without, ..bound })
}

/// A number in a text that may be exchanged for others.
struct Number<'a> {
    shapes: &'a Shapes<'a>,
    chars: &'a [char],
    measure: Measure,
    from: usize,
    to: usize,
}

impl<'a> Number<'a> {
    fn of(shapes: &'a Shapes<'a>, measure: Measure, chars: &'a [char]) -> Option<Self> {
        let (from, to) = match measure {
            Measure::Number(wanted) => {
                let is_first = |at: &usize| {
                    chars[*at].is_ascii_digit()
                        && !at.checked_sub(1).is_some_and(|at| chars[at].is_ascii_digit())
                };
                let from = (0..chars.len()).filter(is_first).nth(wanted as usize - 1)?;
                run(chars, from, |c| c.is_ascii_digit())
            }
            Measure::WrongValue(_) => {
                let (from, to, _) = violation(shapes, chars)?.span?;
                (from, to)
            }
            _ => return None,
        };
        let digits = chars.get(from..to)?;
        digits.iter().all(char::is_ascii_digit).then_some(Self { shapes, chars, measure, from, to })
    }

    /// The text with another value, if that is as right or as wrong as before.
    fn text(&self, value: u64) -> Option<String> {
        let width = self.to - self.from;
        let digits = match self.measure {
            Measure::Number(_) => {
                let dfa = self.shapes.dfa;
                let before = self.chars[..self.from].iter();
                let state = before.fold(dfa.start(), |state, &c| dfa.step(state, c.into()));
                self.shapes.written(state, value)?
            }
            _ if self.chars[self.from] == '0' => format!("{value:0width$}"),
            _ => value.to_string(),
        };
        let text: Vec<char> = self.chars[..self.from]
            .iter()
            .copied()
            .chain(digits.chars())
            .chain(self.chars[self.to..].iter().copied())
            .collect();
        let found = violation(self.shapes, &text).map(|it| it.what);
        let expected = match self.measure {
            Measure::WrongValue(what) => Some(what),
            _ => None,
        };
        (found == expected).then(|| text.into_iter().collect())
    }
}

/// The nearest text that an automaton has: one edit away, as near as may be to where the text is given up.
pub(super) fn mended(shapes: &Shapes<'_>, text: &str) -> Option<String> {
    let dfa = shapes.dfa;
    let chars: Vec<char> = text.chars().collect();
    let mut states = vec![dfa.start()];
    for &c in &chars {
        let next = dfa.step(states[states.len() - 1], c.into());
        if dfa.is_dead(next) {
            break;
        }
        states.push(next);
    }
    let accepts = |state, middle: Option<char>, rest: &[char]| {
        let all = middle.iter().chain(rest);
        let end = all.fold(state, |state, &c| dfa.step(state, c.into()));
        dfa.is_accepting(end)
    };
    for place in (0..states.len()).rev() {
        let (state, rest) = (states[place], &chars[place..]);
        let after = rest.get(1..).unwrap_or_default();
        let with = |middle: Option<char>, rest: &[char]| {
            Some(chars[..place].iter().chain(&middle).chain(rest).collect())
        };
        if !rest.is_empty() && accepts(state, None, after) {
            return with(None, after);
        }
        for transition in dfa.transitions(state) {
            let ranges = dfa.class_ranges(transition.class);
            let Some(c) = readable(ranges) else { continue };
            if !rest.is_empty() && accepts(state, Some(c), after) {
                return with(Some(c), after);
            }
            if accepts(state, Some(c), rest) {
                return with(Some(c), rest);
            }
        }
    }
    None
}

/// A symbol of some ranges that people can read.
fn readable(ranges: &[(u32, u32)]) -> Option<char> {
    let plain = ['0', 'a', 'A', '1'].into_iter();
    let mut plain =
        plain.filter(|&c| ranges.iter().any(|range| (range.0..=range.1).contains(&u32::from(c))));
    plain.next().or_else(|| char::from_u32(ranges.first()?.0))
}

/// Of some texts the nearest: by how much is between what they have in common at both ends.
pub(super) fn nearest<'t>(text: &str, others: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let distance = |other: &str| {
        let (a, b) = (text.as_bytes(), other.as_bytes());
        let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let (a, b) = (&a[before..], &b[before..]);
        let after = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
        a.len().max(b.len()) - after
    };
    others.min_by_key(|other| distance(other))
}

/// A text that is nearer to a witness than another, with as much of the witness as still shows no deviation.
pub(super) fn nearer<E>(
    witness: &str,
    other: &str,
    is_candidate: impl Fn(&str) -> bool,
    deviates: &mut impl FnMut(&[String]) -> Result<Vec<bool>, E>,
) -> Result<String, E> {
    let witness: Vec<char> = witness.chars().collect();
    let mut best: Vec<char> = other.chars().collect();
    if witness.len() == best.len() {
        for at in 0..best.len() {
            if best[at] == witness[at] {
                continue;
            }
            let mut changed = best.clone();
            changed[at] = witness[at];
            let text: String = changed.iter().collect();
            if changed != witness && is_candidate(&text) && deviates(&[text])? == [false] {
                best = changed;
            }
        }
    }
    Ok(best.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use pleach_core::regular::AutomatonLimits;

    use super::*;
    use crate::Language;
    use crate::suite::violation::What;

    #[test]
    fn bounds_are_found_by_running() {
        let limits = AutomatonLimits::default();
        let pattern = "[0-9]{4}-(?:0[1-9]|1[0-2])";
        let dfa =
            Language::regex(pattern, &limits).and_then(|it| it.texts(&limits)).expect("small");
        let shapes = Shapes::new(&dfa);
        let narrowed = |measure, is_most, limit, next, witness: &str, first: u64, last: u64| {
            let bound = Bound { measure, is_most, limit, next };
            let mut asked = 0;
            let mut deviates = |texts: &[String]| {
                asked += texts.len();
                let number = |text: &String| -> u64 {
                    let mut parts = text.split('-').map(|part| part.parse().expect("a number"));
                    let year = parts.next().expect("a year");
                    if measure == Measure::Number(1) {
                        year
                    } else {
                        parts.next().expect("a month")
                    }
                };
                let of = |text: &String| (first..=last).contains(&number(text));
                Ok::<_, Infallible>(texts.iter().map(of).collect())
            };
            let Ok(found) = narrow(&shapes, bound, witness, &mut deviates);
            assert!(asked < 100, "{asked}");
            (found.limit, found.next)
        };
        let year = Measure::Number(1);
        assert_eq!(narrowed(year, true, 17, 9000, "0017-01", 0, 1969), (1969, 1970));
        assert_eq!(narrowed(year, false, 9000, 17, "9000-01", 2038, 9999), (2038, 2037));
        let month = Measure::WrongValue(What::Above(12));
        assert_eq!(narrowed(month, true, 13, 99, "0000-13", 13, 19), (19, 20));
        // Where the bound is none, all stays as it was.
        assert_eq!(narrowed(year, true, 17, 9000, "0017-01", 9, 9), (17, 9000));
    }

    #[test]
    fn what_is_mended_is_of_the_language() {
        let limits = AutomatonLimits::default();
        let dfa = Language::regex("[0-9]{2}:[0-9]{2}Z", &limits)
            .and_then(|it| it.texts(&limits))
            .expect("small");
        let shapes = Shapes::new(&dfa);
        for (text, expected) in
            [("00:00ZZ", "00:00Z"), ("000:00Z", "00:00Z"), ("0000Z", "00:00Z"), ("00:00", "00:00Z")]
        {
            assert_eq!(mended(&shapes, text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(mended(&shapes, "nothing like it"), None);
    }

    #[test]
    fn the_nearest_has_most_in_common() {
        let others = ["2000-01-01", "0862-01-02", "0862-11-01"];
        assert_eq!(nearest("0862-01-01", others.into_iter()), Some("0862-01-02"));
        let mut deviates = |texts: &[String]| {
            Ok::<_, Infallible>(texts.iter().map(|text| text.as_str() < "1970").collect())
        };
        let Ok(found) = nearer("0862-01-01", "2000-11-01", |_| true, &mut deviates);
        assert_eq!(found, "2862-01-01");
    }
}
