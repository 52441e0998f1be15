//! Conditions on numbers: lengths, parsed numbers, codes of characters, counters, indices.

use std::rc::Rc;

use super::interp::{Interp, NOWHERE};
use super::pool::{ANY_CHAR, Lang, NONE};
use super::stop::Flow;
use super::texts::bool_of;
use super::value::{At, Bool, Cond, Digits, Int, Number, Source, Step, Text, Unit};
use super::view::{END, Op, Place, START, View};
use pleach_core::regular::{Alphabet, Nfa};

/// Inclusive intervals, ascending and disjoint.
pub(super) type Intervals = Vec<(i128, i128)>;

/// No number is less.
pub(super) const LEAST: i128 = i128::MIN / 4;
/// No number is greater.
pub(super) const MOST: i128 = i128::MAX / 4;

/// The ranges of a class that is made by arithmetic, at most: every other character would be half a
/// million, in each transition of each automaton.
const MOST_RANGES: usize = 1 << 11;

/// How long a text may be for its length to be told apart from others.
const MAX_LENGTH: i128 = 5000;

/// How many things are done to a number, one after the other, and followed.
const MAX_STEPS: usize = 24;

/// How far two counters are followed that are compared with each other.
const PAIRED: i128 = 8;

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    Less,
    AtMost,
    Equal,
    Other,
    AtLeast,
    Greater,
}

impl Compare {
    /// The numbers that compare so with one.
    pub(super) fn intervals(self, to: i128) -> Intervals {
        match self {
            Self::Less => vec![(LEAST, to - 1)],
            Self::AtMost => vec![(LEAST, to)],
            Self::Equal => vec![(to, to)],
            Self::Other => vec![(LEAST, to - 1), (to + 1, MOST)],
            Self::AtLeast => vec![(to, MOST)],
            Self::Greater => vec![(to + 1, MOST)],
        }
    }

    pub(super) fn swapped(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::AtMost => Self::AtLeast,
            Self::AtLeast => Self::AtMost,
            Self::Greater => Self::Less,
            same => same,
        }
    }

    pub(super) fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::Equal => a == b,
            Self::Other => a != b,
            Self::AtLeast => a >= b,
            Self::Greater => a > b,
        }
    }
}

pub(super) fn within(number: i128, intervals: &[(i128, i128)]) -> bool {
    intervals.iter().any(|&(low, high)| low <= number && number <= high)
}

/// What steps make of a number, and none where they panic; whether it has a sign at first.
fn apply(mut signed: bool, steps: &[Step], number: i128) -> Option<i128> {
    let mut value = number;
    for (i, step) in steps.iter().enumerate() {
        value = match *step {
            Step::Add(more) => value.checked_add(more)?,
            Step::Times(by) => value.checked_mul(by)?,
            Step::Over(by) => value.checked_div(by)?,
            Step::Into(number) => number.checked_div(value)?,
            Step::Modulo(by) => value.checked_rem(by)?,
            Step::From(from) => from.checked_sub(value)?,
            Step::Signed => {
                signed = true;
                value
            }
            Step::Wrap(by) => {
                signed = false;
                value.checked_rem_euclid(by)?
            }
        };
        let wraps = matches!(steps.get(i + 1), Some(Step::Wrap(_)));
        if value < 0 && !signed && !wraps {
            return None;
        }
    }
    Some(value)
}

impl Interp<'_> {
    /// When a number is in some intervals; none where that is not followed.
    pub(super) fn int_in(&mut self, int: &Int, intervals: &[(i128, i128)]) -> Flow<Option<Bool>> {
        match int {
            Int::Known(number) => Ok(Some(Bool::Known(within(*number, intervals)))),
            Int::AtLeast(least, key) => {
                let parts = intervals.iter().filter(|interval| interval.1 >= *least);
                // The greatest end stands for all that is above, but as a number for itself.
                let reaches = |&(low, high): &(i128, i128)| low <= *least && high >= MOST;
                if parts.clone().any(|interval| interval.0 < MOST && reaches(interval)) {
                    return Ok(Some(Bool::Known(true)));
                }
                if parts.clone().count() == 0 {
                    return Ok(Some(Bool::Known(false)));
                }
                let ends = intervals.iter().flat_map(|&(low, high)| [low - 1, high]);
                let cap = ends.filter(|&end| end < MOST / 2 && end > LEAST / 2).max();
                if let Some(cap) = cap {
                    self.follow(*key, cap.max(0) + 1)?;
                }
                Ok(None)
            }
            Int::Of(number) => self.number_in(number, intervals),
            Int::At(at) => {
                if intervals == [(0, 0)] || intervals == [(1, MOST)] {
                    // Whether anything stands before the index.
                    if let Int::AtLeast(1.., _) = at.count {
                        return Ok(Some(Bool::Known(intervals == [(1, MOST)])));
                    }
                }
                self.int_in(&at.count.clone(), intervals)
            }
        }
    }

    fn number_in(&mut self, number: &Number, intervals: &[(i128, i128)]) -> Flow<Option<Bool>> {
        let Some((yes, no)) = self.number_langs(number, intervals)? else { return Ok(None) };
        let text = match &number.source {
            Source::Length(text, _)
            | Source::Parsed(text, _)
            | Source::Code(text)
            | Source::Digit(text, _) => text.clone(),
        };
        let yes = self.text_in(&text, yes)?;
        let no = self.text_in(&text, no)?;
        Ok(match (yes, no) {
            (Some(Bool::When(yes)), Some(Bool::When(no))) => {
                Some(bool_of(Cond { level: yes.level, yes: yes.yes, no: no.yes }))
            }
            (Some(known @ Bool::Known(true)), _) => Some(known),
            (_, Some(Bool::Known(true))) => Some(Bool::Known(false)),
            (Some(when @ Bool::When(_)), Some(Bool::Known(false))) => {
                // Where it does not hold, the number is none at all.
                let Bool::When(cond) = when else { return Ok(None) };
                Some(Bool::When(Cond { no: NONE, ..cond }))
            }
            (Some(Bool::Known(false)), Some(Bool::When(no))) => {
                Some(Bool::When(Cond { yes: NONE, no: no.yes, ..no }))
            }
            _ => None,
        })
    }

    /// The texts of which a number is in some intervals, and those of which it is not.
    fn number_langs(
        &mut self,
        number: &Number,
        intervals: &[(i128, i128)],
    ) -> Flow<Option<(Lang, Lang)>> {
        let steps = &number.steps;
        match &number.source {
            Source::Length(_, unit) => {
                let Some((bound, period)) = bounds(steps, intervals) else { return Ok(None) };
                let of = |n: i128| apply(false, steps, n).map(|value| within(value, intervals));
                let yes = self.lengths(*unit, bound, period, |n| of(n) == Some(true))?;
                let no = self.lengths(*unit, bound, period, |n| of(n) == Some(false))?;
                Ok(Some((yes, no)))
            }
            Source::Code(_) => {
                let of = |code: u32| {
                    apply(false, steps, code.into()).map(|value| within(value, intervals))
                };
                // Above ASCII only the ends of intervals matter, if all steps are sums.
                let (yes, no) = if steps.is_empty() {
                    let ranges: Vec<(u32, u32)> = intervals
                        .iter()
                        .filter_map(|&(low, high)| {
                            let high = high.min(0x10_FFFF);
                            Some((u32::try_from(low.max(0)).ok()?, u32::try_from(high).ok()?))
                        })
                        .collect();
                    let yes = self.pool.set(&ranges)?;
                    (yes, self.pool.minus(ANY_CHAR, yes)?)
                } else {
                    self.spend(4096)?;
                    let mut sets = [Vec::new(), Vec::new()];
                    for code in 0..0x11_0000 {
                        if let Some(holds) = of(code) {
                            let set: &mut Vec<(u32, u32)> = &mut sets[usize::from(holds)];
                            let room = set.len() < MOST_RANGES;
                            match set.last_mut() {
                                Some(last) if last.1 + 1 == code => last.1 = code,
                                _ if room => set.push((code, code)),
                                _ => return Ok(None),
                            }
                        }
                    }
                    (self.pool.set(&sets[1])?, self.pool.set(&sets[0])?)
                };
                Ok(Some((yes, no)))
            }
            Source::Digit(_, radix) => {
                let mut sets = [Vec::new(), Vec::new()];
                for code in (0..128).filter_map(char::from_u32) {
                    let Some(digit) = code.to_digit((*radix).clamp(2, 36)) else { continue };
                    if let Some(value) = apply(false, steps, digit.into()) {
                        let code = u32::from(code);
                        sets[usize::from(within(value, intervals))].push((code, code));
                    }
                }
                Ok(Some((self.pool.set(&sets[1])?, self.pool.set(&sets[0])?)))
            }
            Source::Parsed(_, digits) => self.parsed_langs(*digits, steps, intervals),
        }
    }

    fn parsed_langs(
        &mut self,
        digits: Digits,
        steps: &[Step],
        intervals: &[(i128, i128)],
    ) -> Flow<Option<(Lang, Lang)>> {
        let (min, max) = (digits.min, digits.max);
        let mut shift = 0;
        let linear = steps.iter().all(|step| match step {
            Step::Add(more) => {
                shift = more.saturating_add(shift).clamp(LEAST, MOST);
                true
            }
            Step::Signed => true,
            _ => false,
        });
        let mut sets: [Intervals; 2] = [Vec::new(), Vec::new()];
        if linear {
            let mut at = min;
            for &(low, high) in intervals {
                let (low, high) = ((low - shift).max(min), (high - shift).min(max));
                if low <= high {
                    if at < low {
                        sets[0].push((at, low - 1));
                    }
                    sets[1].push((low, high));
                    at = high + 1;
                }
            }
            if at <= max {
                sets[0].push((at, max));
            }
        } else if max - min <= 1 << 16 {
            for number in min..=max {
                let Some(value) = apply(min < 0, steps, number) else { continue };
                let set = &mut sets[usize::from(within(value, intervals))];
                match set.last_mut() {
                    Some(last) if last.1 + 1 == number => last.1 = number,
                    _ => set.push((number, number)),
                }
            }
            if sets.iter().any(|set| set.len() > 512) {
                return Ok(None);
            }
        } else {
            return Ok(None);
        }
        let [no, yes] = sets;
        Ok(Some((
            self.numerals(digits.radix, min < 0, &yes)?,
            self.numerals(digits.radix, min < 0, &no)?,
        )))
    }

    /// The texts that Rust's `from_str_radix` reads as numbers in some intervals.
    pub(super) fn numerals(
        &mut self,
        radix: u32,
        signed: bool,
        intervals: &[(i128, i128)],
    ) -> Flow<Lang> {
        let mut patterns = Vec::new();
        for &(low, high) in intervals {
            if high >= 0 {
                let numeral = numeral(radix, low.max(0).unsigned_abs(), high.unsigned_abs());
                patterns.push(format!(r"\+?0*(?:{numeral})"));
            }
            if signed && low <= 0 {
                let least = high.min(0).unsigned_abs();
                let numeral = numeral(radix, least, low.unsigned_abs());
                patterns.push(format!("-0*(?:{numeral})"));
            }
        }
        if patterns.is_empty() {
            return Ok(NONE);
        }
        self.pool.regex(&patterns.join("|"))
    }

    /// The texts that are numerals between two numbers, with a sign as given.
    pub(super) fn wide_numerals(
        &mut self,
        radix: u32,
        sign: &str,
        (low, high): (u128, u128),
    ) -> Flow<Lang> {
        if low > high {
            return Ok(NONE);
        }
        let numeral = numeral(radix, low, high);
        self.pool.regex(&format!("{sign}0*(?:{numeral})"))
    }

    /// The texts with lengths that some function is true of, which repeats itself beyond a bound.
    pub(super) fn lengths(
        &mut self,
        unit: Unit,
        bound: i128,
        period: i128,
        has: impl Fn(i128) -> bool,
    ) -> Flow<Lang> {
        let count = (bound + period) as usize;
        let mut nfa = Nfa::new(Alphabet::Unicode);
        let states: Vec<_> = (0..count).map(|_| nfa.state()).collect();
        let accept = nfa.state();
        let fold = |n: usize| {
            if n < count { n } else { bound as usize + (n - bound as usize) % period as usize }
        };
        const WIDTHS: [&[(u32, u32)]; 4] =
            [&[(0, 0x7F)], &[(0x80, 0x7FF)], &[(0x800, 0xFFFF)], &[(0x1_0000, 0x10_FFFF)]];
        for n in 0..count {
            match unit {
                Unit::Chars => {
                    nfa.edge(states[n], Alphabet::Unicode.universe(), states[fold(n + 1)]);
                }
                Unit::Bytes => {
                    for (i, ranges) in WIDTHS.iter().enumerate() {
                        nfa.edge(states[n], ranges, states[fold(n + i + 1)]);
                    }
                }
            }
            if has(n as i128) {
                nfa.epsilon(states[n], accept);
            }
        }
        self.pool.determinize(nfa, states[0], accept)
    }

    /// How two numbers compare; none where that is not followed.
    pub(super) fn compare(&mut self, a: &Int, how: Compare, b: &Int) -> Flow<Option<Bool>> {
        match (a, b) {
            (_, Int::Known(b)) => self.int_in(a, &how.intervals(*b)),
            (Int::Known(a), _) => self.int_in(b, &how.swapped().intervals(*a)),
            (Int::At(a), Int::At(b)) if a.base == b.base && a.unit == b.unit => {
                self.compare_indices(a, how, b)
            }
            (Int::At(at), Int::Of(number)) => self.compare_end(at, how, number),
            (Int::Of(number), Int::At(at)) => self.compare_end(at, how.swapped(), number),
            (Int::Of(a), Int::Of(b)) => self.compare_lengths(a, how, b),
            (Int::AtLeast(_, key), Int::AtLeast(_, other)) => {
                // Following both for a while keeps them apart where they matter.
                self.follow(*key, PAIRED)?;
                self.follow(*other, PAIRED)?;
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// An index compared with the length of its text.
    fn compare_end(&mut self, at: &At, how: Compare, number: &Number) -> Flow<Option<Bool>> {
        let shift: Option<i128> = number.steps.iter().try_fold(0_i128, |sum, step| match step {
            Step::Add(more) => sum.checked_add(*more),
            Step::Signed => Some(sum),
            _ => None,
        });
        let (Source::Length(text, unit), Some(shift)) = (&number.source, shift) else {
            return Ok(None);
        };
        if text.as_view() != Some(at.base) || *unit != at.unit {
            return Ok(None);
        }
        if at.beyond > 0 {
            // The index is the length and so much.
            return Ok(Some(Bool::Known(how.holds(at.beyond.into(), shift))));
        }
        // The index is the length less what is left.
        let left = Number {
            source: Source::Length(Text::view(at.rest), at.unit),
            steps: vec![Step::Add(i128::from(at.pending))],
        };
        // index how length + shift, so that -left how shift, and left swapped(how) -shift.
        self.number_in(&left, &how.swapped().intervals(-shift))
    }

    fn compare_indices(&mut self, a: &At, how: Compare, b: &At) -> Flow<Option<Bool>> {
        if a == b {
            return Ok(Some(Bool::Known(how.holds(0, 0))));
        }
        if a.beyond > 0 && b.beyond > 0 {
            return Ok(Some(Bool::Known(how.holds(a.beyond.into(), b.beyond.into()))));
        }
        for (first, second, how) in [(a, b, how), (b, a, how.swapped())] {
            let place = self.views.suffix_of(&mut self.pool, first.rest, second.rest)?;
            let Some(place) = place else { continue };
            let between = self.views.cut(first.rest, START, place);
            let distance = Number {
                source: Source::Length(Text::view(between), first.unit),
                steps: vec![Step::Add(
                    i128::from(first.pending) - i128::from(second.pending)
                        + i128::from(second.beyond)
                        - i128::from(first.beyond),
                )],
            };
            // first how second, so 0 how distance.
            return self.number_in(&distance, &how.swapped().intervals(0));
        }
        Ok(None)
    }

    /// Two places in one text compared by what stands before them.
    fn compare_lengths(&mut self, a: &Number, how: Compare, b: &Number) -> Flow<Option<Bool>> {
        if a == b {
            return Ok(Some(Bool::Known(how.holds(0, 0))));
        }
        let (Some((base, unit, p, more)), Some((other, other_unit, q, other_more))) =
            (self.as_place(a), self.as_place(b))
        else {
            return Ok(None);
        };
        // A length and a place are one text's.
        let (Some(base), p, q) = common(self, base, p, other, q) else { return Ok(None) };
        if unit != other_unit {
            return Ok(None);
        }
        let shift = more - other_more;
        let bound = shift.abs() + 2;
        if bound > MAX_LENGTH {
            return Ok(None);
        }
        let ahead = self.lengths(unit, bound, 1, |n| how.holds(shift - n, 0))?;
        let behind = self.lengths(unit, bound, 1, |n| n > 0 && how.holds(shift + n, 0))?;
        let not_ahead = self.lengths(unit, bound, 1, |n| !how.holds(shift - n, 0))?;
        let not_behind = self.lengths(unit, bound, 1, |n| n > 0 && !how.holds(shift + n, 0))?;
        let (pq, qp) = (self.views.cut(base, p, q), self.views.cut(base, q, p));
        let level = self.views.level(base);
        let mut sides = [NONE; 2];
        for (side, first, second) in [(0, ahead, behind), (1, not_ahead, not_behind)] {
            let first = self.views.lift(&mut self.pool, pq, first)?;
            let second = self.views.lift(&mut self.pool, qp, second)?;
            sides[side] = self.pool.union(first, second)?;
        }
        Ok(Some(bool_of(Cond { level, yes: sides[0], no: sides[1] })))
    }

    /// The place of which a number is the index: its text, and what is added to the index.
    pub(super) fn as_place(&self, number: &Number) -> Option<(View, Unit, Place, i128)> {
        let Source::Length(text, unit) = &number.source else { return None };
        let view = text.as_view()?;
        let more = number.steps.iter().try_fold(0_i128, |sum, step| match step {
            Step::Add(more) => sum.checked_add(*more),
            Step::Signed => Some(sum),
            _ => None,
        })?;
        match self.views.made_from(view) {
            Some((base, Op::Cut(START, place))) => Some((base, *unit, place, more)),
            _ => Some((view, *unit, END, more)),
        }
    }
}

/// Two places in the one text that both are in.
fn common(
    interp: &Interp<'_>,
    base: View,
    p: Place,
    other: View,
    q: Place,
) -> (Option<View>, Place, Place) {
    if base == other {
        return (Some(base), p, q);
    }
    // The length of a text is its end; and a beginning of a text is one of its places.
    if q == END
        && let Some((under, Op::Cut(START, q))) = interp.views.made_from(other)
        && under == base
    {
        return (Some(base), p, q);
    }
    if p == END
        && let Some((under, Op::Cut(START, p))) = interp.views.made_from(base)
        && under == other
    {
        return (Some(other), p, q);
    }
    (None, p, q)
}

/// From which length on it repeats itself whether a number is in some intervals, and how often.
fn bounds(steps: &[Step], intervals: &[(i128, i128)]) -> Option<(i128, i128)> {
    let mut bound = intervals
        .iter()
        .flat_map(|&(low, high)| [low, high])
        .filter(|end| (LEAST / 2..MOST / 2).contains(end))
        .map(i128::abs)
        .max()
        .unwrap_or(0)
        + 2;
    let mut period = 1_i128;
    for step in steps.iter().rev() {
        match *step {
            Step::Add(more) | Step::From(more) => bound = bound.checked_add(more.checked_abs()?)?,
            Step::Times(_) | Step::Signed => {}
            Step::Over(by) => {
                bound = bound.checked_mul(by.abs())?;
                period = period.checked_mul(by.abs())?;
            }
            // It is zero for what is greater.
            Step::Into(number) => (bound, period) = (number.checked_abs()?.checked_add(2)?, 1),
            Step::Modulo(by) | Step::Wrap(by) => {
                bound = 2;
                period = period.checked_mul(by.abs())?;
            }
        }
    }
    (bound <= MAX_LENGTH && (1..=MAX_LENGTH).contains(&period)).then_some((bound, period))
}

/// A regex of the numerals of some radix from one number to another, without leading zeros, but with
/// at least one digit.
pub(super) fn numeral(radix: u32, low: u128, high: u128) -> String {
    let radix = u128::from(radix.clamp(2, 36));
    let mut parts = Vec::new();
    let mut next = Some(low);
    while let Some(low) = next.filter(|&low| low <= high) {
        // All numbers from `low` on that share its leading digits, as many as there are.
        let mut size = 1_u128;
        let mut zeros = 0;
        while let Some(wider) = size.checked_mul(radix)
            && low % wider == 0
            && high - low >= wider - 1
            && low > 0
        {
            size = wider;
            zeros += 1;
        }
        // A run of such blocks with the same length and leading digits.
        let lead = low / size;
        let last =
            ((high - (size - 1)) / size).min((lead - lead % radix).saturating_add(radix - 1));
        let mut digits = String::new();
        let mut rest = lead / radix;
        let mut head = Vec::new();
        while rest > 0 {
            head.push(rest % radix);
            rest /= radix;
        }
        for &digit in head.iter().rev() {
            digits.push_str(&digit_class(digit, digit));
        }
        digits.push_str(&digit_class(lead % radix, last % radix));
        if zeros > 0 {
            digits.push_str(&format!("{}{{{zeros}}}", digit_class(0, radix - 1)));
        }
        parts.push(digits);
        next = last.checked_add(1).and_then(|first| first.checked_mul(size));
    }
    if parts.is_empty() { "[a&&b]".into() } else { parts.join("|") }
}

fn digit_class(low: u128, high: u128) -> String {
    let mut class = String::from("[");
    for digit in low..=high {
        if let Some(c) = u32::try_from(digit).ok().and_then(|digit| char::from_digit(digit, 36)) {
            class.push(c);
            if c.is_ascii_lowercase() {
                class.push(c.to_ascii_uppercase());
            }
        }
    }
    class.push(']');
    class
}

/// The length of a text.
pub(super) fn length(text: &Text, unit: Unit) -> Int {
    let mut more = 0;
    let mut rest = Vec::new();
    for part in text.0.iter() {
        match part {
            super::value::Part::Literal(literal) => {
                more += match unit {
                    Unit::Bytes => literal.len() as i128,
                    Unit::Chars => literal.chars().count() as i128,
                };
            }
            other => rest.push(other.clone()),
        }
    }
    if rest.is_empty() {
        return Int::Known(more);
    }
    let steps = if more == 0 { Vec::new() } else { vec![Step::Add(more)] };
    Int::Of(Rc::new(Number { source: Source::Length(Text(Rc::new(rest)), unit), steps }))
}

/// A number with one more thing done to it; where that is too much, nothing is known of it.
pub(super) fn step(number: &Number, step: Step) -> Int {
    let signed = number.is_signed();
    let mut number = number.clone();
    match (number.steps.last_mut(), step) {
        (Some(Step::Add(before)), Step::Add(more)) => {
            *before = before.saturating_add(more).clamp(LEAST, MOST);
        }
        (_, Step::Signed) if signed => {}
        _ => number.steps.push(step),
    }
    number.steps.retain(|step| *step != Step::Add(0));
    if number.steps.len() > MAX_STEPS {
        return Int::AtLeast(LEAST, NOWHERE);
    }
    Int::Of(Rc::new(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_core::regular::{AutomatonLimits, Dfa};

    #[test]
    fn numerals_are_those_of_the_interval() {
        let limits = AutomatonLimits::default();
        for (radix, low, high) in
            [(10, 0, 255), (10, 7, 7), (10, 0, 0), (10, 95, 1203), (16, 0, 0x1FF), (2, 3, 12)]
        {
            let pattern = numeral(radix, low, high);
            let dfa = Dfa::from_regex(&pattern, Alphabet::Unicode, &limits).expect(&pattern);
            for number in 0..3000 {
                let mut text = Vec::new();
                let mut rest = number;
                while rest > 0 || text.is_empty() {
                    text.push(char::from_digit((rest % u128::from(radix)) as u32, radix).unwrap());
                    rest /= u128::from(radix);
                }
                let text: String = text.into_iter().rev().collect();
                let expected = (low..=high).contains(&number);
                assert_eq!(dfa.contains_bytes(text.as_bytes()), expected, "{pattern} {text}");
            }
        }
        let wide = numeral(10, 0, u64::MAX.into());
        let dfa = Dfa::from_regex(&wide, Alphabet::Unicode, &limits).expect("small");
        assert!(dfa.contains_bytes(b"18446744073709551615"));
        assert!(!dfa.contains_bytes(b"18446744073709551616"));
        let wide = numeral(10, u128::MAX - 9, u128::MAX);
        let dfa = Dfa::from_regex(&wide, Alphabet::Unicode, &limits).expect("small");
        for (text, within) in [
            ("340282366920938463463374607431768211455", true),
            ("340282366920938463463374607431768211446", true),
            ("340282366920938463463374607431768211445", false),
            ("340282366920938463463374607431768211456", false),
            ("0", false),
        ] {
            assert_eq!(dfa.contains_bytes(text.as_bytes()), within, "{text}");
        }
    }

    #[test]
    fn steps_panic_below_zero_unless_they_wrap_or_have_a_sign() {
        assert_eq!(apply(false, &[Step::Add(-2)], 1), None);
        assert_eq!(apply(true, &[Step::Add(-2)], 1), Some(-1));
        assert_eq!(apply(false, &[Step::Signed, Step::Add(-4), Step::Modulo(3)], 0), Some(-1));
        assert_eq!(apply(false, &[Step::Add(-2), Step::Wrap(256)], 1), Some(255));
        assert_eq!(apply(true, &[Step::Wrap(256), Step::Add(-9)], 1), None);
        assert_eq!(apply(false, &[Step::Over(4), Step::Times(3)], 9), Some(6));
    }
}
