//! Arithmetic and casts.
//!
//! Below zero is a panic for a type without a sign. What may be too large for its type is doubted.

use std::rc::Rc;

use syn::{BinOp, Expr};

use super::interp::{Interp, NOWHERE, doubt};
use super::numbers::{Compare, LEAST, MOST, length, step};
use super::state::{Outs, State, one};
use super::stop::Flow;
use super::value::{Byte, Int, Number, Source, Step, Text, Value};
use super::view::START;
use super::widths::{I32, U8, Width};

/// What is said where a type may be too small.
const OVERFLOW: &str = "where arithmetic overflows is not followed";
/// What is said where a type may have a sign, or not.
const SIGN: &str = "whether a number below zero is a panic is not followed";
/// What is said where numbers are put together that cannot be.
const ARITHMETIC: &str = "arithmetic is not followed";
/// What is said where it is not known which of two numbers is the greater.
const DIFFERENCE: &str = "a difference of numbers is not followed";
/// What is said where a cast may change a number.
const CUT: &str = "what a cast cuts off is not followed";

/// What all types have room for.
const SMALL: Width = Width { bits: 7, signed: false };

impl<'a> Interp<'a> {
    /// The type of an expression.
    pub(super) fn width_of(&self, expr: &Expr) -> Option<Width> {
        self.kinds.of(&self.krate.types, expr)
    }

    /// A type whose numbers that of an expression has, too.
    pub(super) fn least_width(&self, expr: &Expr) -> Option<Width> {
        self.kinds.least(&self.krate.types, expr)
    }

    /// What an operator makes of two numbers of a type, if that is known.
    pub(super) fn compute(
        &mut self,
        mut state: State,
        op: &BinOp,
        a: &Int,
        b: &Int,
        width: Option<Width>,
    ) -> Flow<Outs> {
        use BinOp::{
            Add, AddAssign, Div, DivAssign, Mul, MulAssign, Rem, RemAssign, Shl, ShlAssign, Shr,
            ShrAssign, Sub, SubAssign,
        };
        let signed = width.map(|width| width.signed);
        let value = match (op, a, b) {
            (_, Int::Known(a), known_b @ Int::Known(b)) => {
                let result = match op {
                    Add(_) | AddAssign(_) => a.checked_add(*b),
                    Sub(_) | SubAssign(_) => a.checked_sub(*b),
                    Mul(_) | MulAssign(_) => a.checked_mul(*b),
                    Div(_) | DivAssign(_) => a.checked_div(*b),
                    Rem(_) | RemAssign(_) => a.checked_rem(*b),
                    BinOp::Shl(_) | BinOp::ShlAssign(_) => u32::try_from(*b)
                        .ok()
                        .filter(|b| *b < 64)
                        .and_then(|b| a.checked_mul(1 << b)),
                    BinOp::Shr(_) | BinOp::ShrAssign(_) => {
                        u32::try_from(*b).ok().and_then(|b| a.checked_shr(b))
                    }
                    BinOp::BitAnd(_) | BinOp::BitAndAssign(_) => Some(a & b),
                    BinOp::BitOr(_) | BinOp::BitOrAssign(_) => Some(a | b),
                    BinOp::BitXor(_) | BinOp::BitXorAssign(_) => Some(a ^ b),
                    _ => None,
                };
                let is_quotient = matches!(op, Div(_) | DivAssign(_) | Rem(_) | RemAssign(_));
                let room = width.unwrap_or(SMALL);
                let is_shift = matches!(op, Shl(_) | ShlAssign(_) | Shr(_) | ShrAssign(_));
                match result {
                    // By as many bits as there are, or the least number by what makes it the greatest.
                    Some(_)
                        if is_shift && !(0..room.bits.into()).contains(b)
                            || is_quotient && *b == -1 && *a == room.min() =>
                    {
                        self.lose(&mut state, op, known_b, OVERFLOW)
                    }
                    Some(result) => {
                        let from_below = *a < 0 || *b < 0;
                        return self.in_room(state, op, known_b, result, from_below, width);
                    }
                    // By zero: a panic.
                    None if is_quotient => return Ok(Vec::new()),
                    None => self.lose(&mut state, op, known_b, OVERFLOW),
                }
            }
            (Add(_) | AddAssign(_), Int::At(at), Int::Known(n))
            | (Add(_) | AddAssign(_), Int::Known(n), Int::At(at))
                if *n >= 0 =>
            {
                let ways = self.advance(state, at, *n)?;
                let outs = ways
                    .into_iter()
                    .map(|(state, at)| state.with(Value::Int(Int::At(Rc::new(at)))))
                    .collect();
                return self.bounded(outs);
            }
            (Sub(_) | SubAssign(_), Int::Of(number), Int::At(at))
                if matches!(&number.source, Source::Length(text, unit)
                    if text.as_view() == Some(at.base) && *unit == at.unit)
                    && number.steps.is_empty()
                    && at.beyond == 0 =>
            {
                let left = length(&Text::view(at.rest), at.unit);
                Value::Int(self.add(&left, at.pending.into()))
            }
            (Sub(_) | SubAssign(_), Int::At(a), Int::At(b)) if a.base == b.base => {
                match self.views.suffix_of(&mut self.pool, b.rest, a.rest)? {
                    Some(place) if a.beyond == 0 && b.beyond == 0 => {
                        let between = self.views.cut(b.rest, START, place);
                        let length = length(&Text::view(between), a.unit);
                        Value::Int(self.add(&length, i128::from(b.pending) - i128::from(a.pending)))
                    }
                    _ => self.lose(&mut state, op, &Int::At(Rc::clone(b)), DIFFERENCE),
                }
            }
            (Sub(_) | SubAssign(_), Int::Of(more), Int::Of(less)) => {
                let difference = self.difference(more, less)?;
                let is_signed = more.is_signed() || less.is_signed();
                let Some(enough) = self.compare(a, Compare::AtLeast, b)? else {
                    doubt(&mut state, self.lost_note(DIFFERENCE));
                    return one(state, if is_signed { self.lost(DIFFERENCE) } else { difference });
                };
                let (enough, below) = self.branch(state, &Value::Bool(enough))?;
                let mut outs: Outs =
                    enough.map(|state| state.with(difference)).into_iter().collect();
                // Below zero is a panic for a type without a sign.
                if let Some(state) = below.filter(|_| is_signed) {
                    outs.push(state.with(self.lost(DIFFERENCE)));
                }
                return Ok(outs);
            }
            (Add(_) | AddAssign(_), Int::Of(number), Int::Known(n))
            | (Add(_) | AddAssign(_), Int::Known(n), Int::Of(number)) => {
                if may_exceed(number, width, |end| end.checked_add(*n)) {
                    doubt(&mut state, self.lost_note(OVERFLOW));
                }
                Value::Int(step(number, Step::Add(*n)))
            }
            (Sub(_) | SubAssign(_), Int::Of(number), Int::Known(n)) => {
                let less = Value::Int(step(number, Step::Add(n.saturating_neg())));
                if number.is_signed() {
                    if may_exceed(number, width, |end| end.checked_sub(*n)) {
                        doubt(&mut state, self.lost_note(OVERFLOW));
                    }
                    less
                } else {
                    return self.unless_below_zero(state, number, &[(*n, MOST)], less);
                }
            }
            (Sub(_) | SubAssign(_), Int::Known(n), Int::Of(number)) => {
                let less = Value::Int(step(number, Step::From(*n)));
                if number.is_signed() {
                    if may_exceed(number, width, |end| n.checked_sub(end)) {
                        doubt(&mut state, self.lost_note(OVERFLOW));
                    }
                    less
                } else {
                    return self.unless_below_zero(state, number, &[(LEAST, *n)], less);
                }
            }
            (Mul(_) | MulAssign(_), Int::Of(number), Int::Known(n))
            | (Mul(_) | MulAssign(_), Int::Known(n), Int::Of(number)) => {
                if may_exceed(number, width, |end| end.checked_mul(*n)) {
                    doubt(&mut state, self.lost_note(OVERFLOW));
                }
                Value::Int(step(number, Step::Times(*n)))
            }
            // By zero: a panic.
            (Div(_) | DivAssign(_) | Rem(_) | RemAssign(_), _, Int::Known(0)) => {
                return Ok(Vec::new());
            }
            (Div(_) | DivAssign(_) | Rem(_) | RemAssign(_), Int::Of(number), Int::Known(n)) => {
                // The least number of a type has no counterpart.
                if *n == -1 && matches!(number.source, Source::Parsed(..)) {
                    doubt(&mut state, self.lost_note(OVERFLOW));
                }
                let is_quotient = matches!(op, Div(_) | DivAssign(_));
                let by = if is_quotient { Step::Over(*n) } else { Step::Modulo(*n) };
                Value::Int(step(number, by))
            }
            (Div(_) | DivAssign(_), Int::Known(n), Int::Of(number)) => {
                let value = Value::Int(step(number, Step::Into(*n)));
                if *n < -127 {
                    doubt(&mut state, self.lost_note(OVERFLOW));
                }
                return self.unless_zero(state, number, value);
            }
            // Any type has room for 8 bits.
            (Shr(_) | ShrAssign(_), Int::Of(number), Int::Known(n @ 0..8))
                if !number.is_signed() =>
            {
                Value::Int(step(number, Step::Over(1 << n)))
            }
            // What is moved out is lost, and no panic.
            (Shl(_) | ShlAssign(_), Int::Of(number), Int::Known(0..8)) if !number.is_signed() => {
                Value::Int(Int::AtLeast(0, NOWHERE))
            }
            (BinOp::BitAnd(_), Int::Of(number), Int::Known(n))
                if *n >= 0 && (*n + 1).count_ones() == 1 =>
            {
                Value::Int(step(number, Step::Wrap(n + 1)))
            }
            (Add(_) | AddAssign(_), Int::AtLeast(least, key), Int::Known(n))
            | (Add(_) | AddAssign(_), Int::Known(n), Int::AtLeast(least, key)) => {
                let sum = least.saturating_add(*n);
                let too_little = *n < 0 && width.is_some_and(|width| sum < width.min());
                let too_much = *n > 0 && (width.is_none_or(Width::is_narrow) || *least >= MOST);
                if too_little || too_much {
                    doubt(&mut state, self.lost_note(OVERFLOW));
                }
                Value::Int(Int::AtLeast(sum, *key))
            }
            (Sub(_) | SubAssign(_), Int::AtLeast(least, _), Int::Known(n))
                if signed == Some(true) =>
            {
                let left = least.saturating_sub(*n);
                let exceeds = |width: Width| left < width.min() || *n < 0 && width.is_narrow();
                if width.is_some_and(exceeds) {
                    doubt(&mut state, self.lost_note(OVERFLOW));
                }
                Value::Int(Int::AtLeast(left, NOWHERE))
            }
            (Sub(_) | SubAssign(_), Int::AtLeast(least, key), Int::Known(n)) => {
                // Followed further, the counter would be a number here.
                self.follow(*key, (*n).max(1))?;
                if least < n {
                    doubt(&mut state, self.lost_note(SIGN));
                }
                match signed {
                    None if least < n => self.lost(SIGN),
                    _ => Value::Int(Int::AtLeast((least.saturating_sub(*n)).max(0), NOWHERE)),
                }
            }
            (Mul(_) | MulAssign(_), Int::AtLeast(least, key), Int::Known(n))
            | (Mul(_) | MulAssign(_), Int::Known(n), Int::AtLeast(least, key))
                if *n > 0 =>
            {
                if *n > 1 {
                    doubt(&mut state, self.lost_note(OVERFLOW));
                }
                Value::Int(Int::AtLeast(least.saturating_mul(*n), *key))
            }
            (Add(_) | AddAssign(_), Int::AtLeast(least, key), other)
            | (Add(_) | AddAssign(_), other, Int::AtLeast(least, key)) => {
                let more = match other {
                    Int::AtLeast(more, _) => *more,
                    Int::Of(number) if number.is_signed() => LEAST,
                    _ => 0,
                };
                let is_large =
                    matches!(other, Int::Of(number) if matches!(number.source, Source::Parsed(..)));
                if width.is_none_or(Width::is_narrow) || *least.max(&more) >= MOST || is_large {
                    doubt(&mut state, self.lost_note(OVERFLOW));
                }
                Value::Int(Int::AtLeast(least.saturating_add(more).max(LEAST), *key))
            }
            (Rem(_) | RemAssign(_), Int::AtLeast(least, key), Int::Known(n)) => {
                // A remainder needs the number: it is reduced in time if the loop's counter is.
                self.follow(*key, 64.min(least.saturating_add(*n)))?;
                self.lost("a remainder of a counter is not followed")
            }
            (_, Int::Of(number), _) | (_, _, Int::Of(number)) => {
                // Few values are tried one by one.
                let number = Int::Of(Rc::clone(number));
                return self.one_by_one(state, op, [a, b], &number, width);
            }
            (_, _, by) => self.lose(&mut state, op, by, ARITHMETIC),
        };
        one(state, value)
    }

    /// What an operator gives that is not followed; where it may be a panic, the path is doubted.
    fn lose(&mut self, state: &mut State, op: &BinOp, by: &Int, message: &str) -> Value {
        let note = self.lost_note(message);
        if may_panic(op, by) {
            doubt(state, note);
        }
        Value::Unknown(note)
    }

    /// The same where one of the operands is not a number that is known of.
    pub(super) fn lose_unknown(&mut self, state: &mut State, op: &BinOp, by: &Value, note: u32) {
        let by = self.as_int(by).unwrap_or(Int::AtLeast(LEAST, NOWHERE));
        if may_panic(op, &by) {
            doubt(state, note);
        }
    }

    /// A result, if its type has room for it; whether it was made from a number below zero.
    fn in_room(
        &mut self,
        mut state: State,
        op: &BinOp,
        by: &Int,
        result: i128,
        from_below: bool,
        width: Option<Width>,
    ) -> Flow<Outs> {
        let room = width.unwrap_or(SMALL);
        let value = if result < 0 && !from_below && width.is_none() {
            self.lose(&mut state, op, by, SIGN)
        } else if result < 0 && width.is_some_and(|width| !width.signed) {
            return Ok(Vec::new());
        } else if result < room.min().max(LEAST) || result > room.max().min(MOST) {
            self.lose(&mut state, op, by, OVERFLOW)
        } else {
            Value::int(result)
        };
        one(state, value)
    }

    /// A value, where a number is in some intervals; elsewhere there is a panic.
    fn unless_below_zero(
        &mut self,
        mut state: State,
        number: &Rc<Number>,
        enough: &[(i128, i128)],
        value: Value,
    ) -> Flow<Outs> {
        match self.int_in(&Int::Of(Rc::clone(number)), enough)? {
            Some(enough) => {
                let (state, _) = self.branch(state, &Value::Bool(enough))?;
                Ok(state.map(|state| state.with(value)).into_iter().collect())
            }
            None => {
                doubt(&mut state, self.lost_note(SIGN));
                one(state, value)
            }
        }
    }

    /// A value, where a number is not zero; elsewhere there is a panic.
    fn unless_zero(&mut self, mut state: State, number: &Rc<Number>, value: Value) -> Flow<Outs> {
        match self.int_in(&Int::Of(Rc::clone(number)), &[(LEAST, -1), (1, MOST)])? {
            Some(other) => {
                let (state, _) = self.branch(state, &Value::Bool(other))?;
                Ok(state.map(|state| state.with(value)).into_iter().collect())
            }
            None => {
                doubt(&mut state, self.lost_note("a division by zero is not followed"));
                one(state, value)
            }
        }
    }

    /// Arithmetic with a number that has few values.
    fn one_by_one(
        &mut self,
        state: State,
        op: &BinOp,
        [a, b]: [&Int; 2],
        number: &Int,
        width: Option<Width>,
    ) -> Flow<Outs> {
        let sums = matches!(
            op,
            BinOp::Add(_)
                | BinOp::AddAssign(_)
                | BinOp::Sub(_)
                | BinOp::SubAssign(_)
                | BinOp::Mul(_)
                | BinOp::MulAssign(_)
        );
        let signed = |int: &Int| match int {
            Int::Known(n) | Int::AtLeast(n, _) => *n < 0,
            Int::Of(number) => number.is_signed(),
            Int::At(_) => false,
        };
        if matches!(
            op,
            BinOp::BitAnd(_)
                | BinOp::BitAndAssign(_)
                | BinOp::BitOr(_)
                | BinOp::BitOrAssign(_)
                | BinOp::BitXor(_)
                | BinOp::BitXorAssign(_)
        ) && !signed(a)
            && !signed(b)
        {
            return one(state, Value::Int(Int::AtLeast(0, NOWHERE)));
        }
        let few =
            matches!(number, Int::Of(n) if matches!(n.source, Source::Digit(..) | Source::Code(_)));
        if !sums || !few {
            let mut state = state;
            let value = match op {
                // Lengths are small, and so are two of them.
                BinOp::Add(_) | BinOp::AddAssign(_)
                    if is_small(a) && is_small(b) && !width.is_some_and(Width::is_narrow) =>
                {
                    self.lost(ARITHMETIC)
                }
                _ => self.lose(&mut state, op, b, ARITHMETIC),
            };
            return one(state, value);
        }
        let mut outs = Vec::new();
        let mut rest = Some(state);
        for n in 0..=255 {
            let Some(state) = rest.take() else { break };
            let Some(same) = self.int_in(number, &[(n, n)])? else {
                rest = Some(state);
                break;
            };
            let (yes, no) = self.branch(state, &Value::Bool(same))?;
            if let Some(state) = yes {
                let known = Int::Known(n);
                let (a, b) =
                    (if a == number { &known } else { a }, if b == number { &known } else { b });
                outs.extend(self.compute(state, op, a, b, width)?);
            }
            rest = no;
        }
        if let Some(mut state) = rest {
            let value = self.lose(&mut state, op, b, ARITHMETIC);
            outs.push(state.with(value));
        }
        self.bounded(outs)
    }

    /// The distance of two places in one text.
    pub(super) fn difference(&mut self, a: &Number, b: &Number) -> Flow<Value> {
        if let (Some((base, unit, p, more)), Some((other, other_unit, q, other_more))) =
            (self.as_place(a), self.as_place(b))
            && unit == other_unit
            && base == other
        {
            let between = self.views.cut(base, q, p);
            let length = length(&Text::view(between), unit);
            return Ok(Value::Int(self.add(&length, more - other_more)));
        }
        Ok(self.lost(DIFFERENCE))
    }

    /// A number and so much more.
    pub(super) fn add(&self, int: &Int, more: i128) -> Int {
        match int {
            Int::Known(n) => Int::Known(n.saturating_add(more)),
            Int::AtLeast(least, key) => Int::AtLeast(least.saturating_add(more).max(0), *key),
            Int::Of(number) => step(number, Step::Add(more)),
            Int::At(at) => self.add(&at.count, more),
        }
    }

    /// What `as` makes of a value.
    pub(super) fn cast(&mut self, state: State, value: Value, to: &str) -> Flow<Outs> {
        let width = self.krate.types.named(to);
        let value = match (value, to, width) {
            (value @ Value::Unknown(_), ..) => value,
            (Value::Byte(byte), "char" | "u8", _) => Value::Byte(byte),
            (Value::Byte(Byte::Lead(_) | Byte::Inner | Byte::High), _, Some(width))
                if width.bits > 8 =>
            {
                Value::Int(Int::AtLeast(0x80, NOWHERE))
            }
            (value @ Value::Byte(_), ..) => match self.as_int(&value) {
                Some(int) => return self.cast(state, Value::Int(int), to),
                None => value,
            },
            (Value::Char(text), _, Some(_)) => {
                let code = match Self::constant_char(&text) {
                    Some(c) => Int::Known(u32::from(c).into()),
                    None => {
                        let source = Source::Code(text);
                        Int::Of(Rc::new(Number { source, steps: Vec::new() }))
                    }
                };
                return self.cast(state, Value::Int(code), to);
            }
            (value @ Value::Char(_), "char", _) => value,
            (Value::Int(Int::Known(n)), "char", _) => {
                match u32::try_from(n).ok().and_then(char::from_u32) {
                    Some(c) => Value::Char(Text::literal(c.encode_utf8(&mut [0; 4]))),
                    None => self.lost("a cast is not followed"),
                }
            }
            (Value::Int(Int::Of(number)), "char", _) if number.steps.is_empty() => {
                match &number.source {
                    Source::Code(text) => Value::Char(text.clone()),
                    _ => self.lost("a cast is not followed"),
                }
            }
            (Value::Bool(bool), ..) => {
                let (yes, no) = self.branch(state, &Value::Bool(bool))?;
                let mut outs: Outs = yes.map(|s| s.with(Value::int(1))).into_iter().collect();
                outs.extend(no.map(|s| s.with(Value::int(0))));
                return Ok(outs);
            }
            (Value::Int(int), _, Some(width)) => match cut(&int, width) {
                Some(int) => Value::Int(int),
                None => self.lost(CUT),
            },
            // Of the type that is wanted, which has room for these at least.
            (value @ Value::Int(Int::Known(0..=127)), "_", None) => value,
            (Value::Int(Int::Of(number)), "_", None)
                if number.span().1.is_some_and(|most| most <= 127) && !number.is_signed() =>
            {
                Value::Int(Int::Of(number))
            }
            _ => self.lost("a cast is not followed"),
        };
        one(state, value)
    }
}

/// Whether an operator may be a panic, by what stands behind it.
fn may_panic(op: &BinOp, by: &Int) -> bool {
    match op {
        BinOp::BitAnd(_)
        | BinOp::BitAndAssign(_)
        | BinOp::BitOr(_)
        | BinOp::BitOrAssign(_)
        | BinOp::BitXor(_)
        | BinOp::BitXorAssign(_) => false,
        // By zero, and the least number by what makes it the greatest.
        BinOp::Div(_) | BinOp::DivAssign(_) | BinOp::Rem(_) | BinOp::RemAssign(_) => {
            !matches!(by, Int::Known(n) if !matches!(n, -1 | 0))
        }
        // Any type has room for 8 bits.
        BinOp::Shl(_) | BinOp::ShlAssign(_) | BinOp::Shr(_) | BinOp::ShrAssign(_) => {
            !matches!(by, Int::Known(0..8))
        }
        _ => true,
    }
}

/// Whether a number is the length of something or an index, or no greater than those.
fn is_small(int: &Int) -> bool {
    match int {
        Int::At(_) => true,
        Int::Of(number) => {
            let small = |n: i128| n.abs() <= u16::MAX.into();
            !matches!(number.source, Source::Parsed(..))
                && number.steps.iter().all(|step| match step {
                    Step::Add(n) | Step::Times(n) | Step::From(n) | Step::Into(n) => small(*n),
                    _ => true,
                })
                && number.steps.iter().filter(|step| matches!(step, Step::Times(_))).count() < 2
        }
        _ => false,
    }
}

/// Whether a type may have no room for what is made of a number, by what is made of its least and
/// its greatest.
fn may_exceed(
    number: &Number,
    width: Option<Width>,
    result: impl Fn(i128) -> Option<i128>,
) -> bool {
    let (least, most) = match (&number.source, width) {
        // A byte of which more is known is one of ASCII.
        (Source::Code(_), Some(U8)) => number.span_from((Some(0), Some(127))),
        _ => number.span(),
    };
    // What was parsed and not cast is of the type that it was parsed as.
    let is_cast = |step: &Step| matches!(step, Step::Signed | Step::Wrap(_));
    let is_parsed =
        matches!(number.source, Source::Parsed(..)) && !number.steps.iter().any(is_cast);
    // A type that the number cannot be of was guessed.
    let width = width.filter(|width| width.signed == number.is_signed()).filter(|_| !is_parsed);
    let (low, high) = match (width, &number.source) {
        (Some(width), _) => (width.min(), width.max()),
        (None, Source::Parsed(_, digits)) => (digits.min, digits.max),
        // A length that is in no narrow type has at least 32 bits.
        (None, Source::Length(..)) if !number.steps.iter().any(is_cast) => {
            (I32.min(), u32::MAX.into())
        }
        (None, _) => (SMALL.min(), SMALL.max()),
    };
    [least, most].into_iter().any(|end| match end {
        Some(end) => result(end).is_none_or(|end| !(low..=high).contains(&end)),
        None => matches!(number.source, Source::Parsed(..)) || high <= u16::MAX.into(),
    })
}

/// A number as one of another type, where it is known what that is.
fn cut(int: &Int, width: Width) -> Option<Int> {
    match int {
        // Beyond what is counted with.
        Int::Known(..0) if width.bits == 128 && !width.signed => None,
        Int::Known(n) => Some(Int::Known(width.wrapped(*n))),
        // What is no counter may be too large for any type.
        Int::AtLeast(_, NOWHERE) => None,
        Int::AtLeast(0.., _) | Int::At(_) => (!width.is_narrow()).then(|| int.clone()),
        Int::AtLeast(..) => None,
        Int::Of(number) => {
            let has_room = match number.span().1 {
                Some(most) => most <= width.max(),
                None => !width.is_narrow(),
            };
            match (number.is_signed(), width.signed) {
                (false, false) if has_room => Some(int.clone()),
                (false, true) if has_room => Some(step(number, Step::Signed)),
                // Lengths are small, and so is what is made of them.
                (true, true) if has_room && width.bits >= 32 => Some(int.clone()),
                (_, true) => None,
                (_, false) if width.bits < 128 => Some(step(number, Step::Wrap(1 << width.bits))),
                _ => None,
            }
        }
    }
}
