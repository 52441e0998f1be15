//! Operators: arithmetic, comparisons, casts.

use super::interp::Interp;
use super::interp::doubt;
use super::numbers::Compare;
use super::patterns::scalar_of;
use super::state::{Outs, State, one};
use super::stop::Flow;
use super::texts::not;
use super::value::{Bool, Byte, Int, Number, Part, Source, Step, Text, Value};
use std::rc::Rc;
use syn::{BinOp, Expr, UnOp};

/// What is said where a type may be too small.
const OVERFLOW: &str = "where arithmetic overflows is not followed";

impl<'a> Interp<'a> {
    pub(super) fn eval_unary(
        &mut self,
        state: State,
        unary: &'a syn::ExprUnary,
        expr: &'a Expr,
    ) -> Flow<Outs> {
        let outs = self.eval(state, &unary.expr)?;
        self.then(outs, |interp, state, value| {
            let value = interp.deref(&state, value);
            let value = match (&unary.op, value) {
                (UnOp::Deref(_), value) => value,
                (UnOp::Not(_), value @ (Value::Bool(_) | Value::Unknown(_))) => not(value),
                (UnOp::Neg(_), Value::Int(Int::Known(n))) => Value::int(-n),
                (_, Value::Unknown(note)) => Value::Unknown(note),
                _ => interp.unknown(expr, "an operator is not followed"),
            };
            one(state, value)
        })
    }

    pub(super) fn eval_binary(
        &mut self,
        state: State,
        binary: &'a syn::ExprBinary,
        expr: &'a Expr,
    ) -> Flow<Outs> {
        match binary.op {
            BinOp::And(_) | BinOp::Or(_) => {
                let is_and = matches!(binary.op, BinOp::And(_));
                let outs = self.eval(state, &binary.left)?;
                return self.then(outs, |interp, state, left| {
                    let right = |interp: &mut Self, state| interp.eval(state, &binary.right);
                    let short = |_: &mut Self, state| one(state, Value::known(!is_and));
                    if is_and {
                        interp.either(state, &left, right, short)
                    } else {
                        interp.either(state, &left, short, right)
                    }
                });
            }
            BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_) => {
                let outs = self.eval_all(state, [&*binary.right, &*binary.left].into_iter())?;
                return self.then_all(outs, |interp, state, values| {
                    let [right, left] = &values[..] else { return Ok(Vec::new()) };
                    let (left, right) =
                        (interp.deref(&state, left.clone()), interp.deref(&state, right.clone()));
                    let outs = interp.operate(state, &binary.op, left, right, expr)?;
                    interp.then(outs, |interp, state, value| {
                        interp.assign(state, &binary.left, value)
                    })
                });
            }
            _ => {}
        }
        let outs = self.eval_all(state, [&*binary.left, &*binary.right].into_iter())?;
        self.then_all(outs, |interp, state, values| {
            let [left, right] = &values[..] else { return Ok(Vec::new()) };
            let (left, right) =
                (interp.deref(&state, left.clone()), interp.deref(&state, right.clone()));
            interp.operate(state, &binary.op, left, right, expr)
        })
    }

    pub(super) fn operate(
        &mut self,
        state: State,
        op: &BinOp,
        left: Value,
        right: Value,
        expr: &'a Expr,
    ) -> Flow<Outs> {
        let compare = match op {
            BinOp::Eq(_) => Some(Compare::Equal),
            BinOp::Ne(_) => Some(Compare::Other),
            BinOp::Lt(_) => Some(Compare::Less),
            BinOp::Le(_) => Some(Compare::AtMost),
            BinOp::Gt(_) => Some(Compare::Greater),
            BinOp::Ge(_) => Some(Compare::AtLeast),
            _ => None,
        };
        if let Some(how) = compare {
            let value = self.compare_values(&left, how, &right)?;
            return one(state, value);
        }
        for value in [&left, &right] {
            if let Value::Unknown(note) = value {
                return one(state, Value::Unknown(*note));
            }
        }
        let add = matches!(op, BinOp::Add(_) | BinOp::AddAssign(_));
        match (&left, &right) {
            (Value::Str(a), Value::Str(b)) if add => return one(state, Value::Str(a.then(b))),
            (Value::Bool(_), Value::Bool(_)) => {
                let value = match op {
                    BinOp::BitAnd(_) | BinOp::BitAndAssign(_) => self.and(&left, &right)?,
                    BinOp::BitOr(_) | BinOp::BitOrAssign(_) => self.or(&left, &right)?,
                    _ => {
                        let (a, b) = (
                            self.and(&left, &not(right.clone()))?,
                            self.and(&not(left.clone()), &right)?,
                        );
                        self.or(&a, &b)?
                    }
                };
                return one(state, value);
            }
            _ => {}
        }
        match (self.as_int(&left), self.as_int(&right)) {
            (Some(a), Some(b)) => self.compute(state, op, &a, &b),
            _ => {
                let value = self.unknown(expr, "an operator is not followed");
                one(state, value)
            }
        }
    }

    /// A value as a number, if it is one, or a byte.
    pub(super) fn as_int(&self, value: &Value) -> Option<Int> {
        Some(match value {
            Value::Int(int) => int.clone(),
            Value::Byte(Byte::Known(byte)) => Int::Known((*byte).into()),
            Value::Byte(Byte::Ascii(text)) => {
                Int::Of(Rc::new(Number { source: Source::Code(text.clone()), steps: Vec::new() }))
            }
            Value::Byte(_) => Int::AtLeast(0x80, super::interp::NOWHERE),
            _ => return None,
        })
    }

    pub(super) fn compute(&mut self, mut state: State, op: &BinOp, a: &Int, b: &Int) -> Flow<Outs> {
        use BinOp::{
            Add, AddAssign, Div, DivAssign, Mul, MulAssign, Rem, RemAssign, Sub, SubAssign,
        };
        let steps = |step: Step, number: &Number| super::numbers::step(number, step);
        let value = match (op, a, b) {
            (_, Int::Known(a), Int::Known(b)) => {
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
                match result {
                    Some(result) => Value::int(result),
                    // By zero, or beyond what numbers can be: a panic.
                    None => return Ok(Vec::new()),
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
                let left = super::numbers::length(&Text::view(at.rest), at.unit);
                Value::Int(self.add(&left, at.pending.into()))
            }
            (Sub(_) | SubAssign(_), Int::At(a), Int::At(b)) if a.base == b.base => {
                match self.views.suffix_of(&mut self.pool, b.rest, a.rest)? {
                    Some(place) if a.beyond == 0 && b.beyond == 0 => {
                        let between = self.views.cut(b.rest, super::view::START, place);
                        let length = super::numbers::length(&Text::view(between), a.unit);
                        Value::Int(self.add(&length, i128::from(b.pending) - i128::from(a.pending)))
                    }
                    _ => self.lost("a difference of indices is not followed"),
                }
            }
            (Sub(_) | SubAssign(_), Int::Of(a), Int::Of(b)) => self.difference(a, b)?,
            (Add(_) | AddAssign(_), Int::Of(number), Int::Known(n))
            | (Add(_) | AddAssign(_), Int::Known(n), Int::Of(number)) => {
                if *n > 0 && matches!(number.source, Source::Parsed(..)) {
                    doubt(&mut state, self.lost_note(OVERFLOW));
                }
                Value::Int(steps(Step::Add(*n), number))
            }
            (Sub(_) | SubAssign(_), Int::Of(number), Int::Known(n)) => {
                let value = Value::Int(steps(Step::Add(-n), number));
                // Below zero is a panic.
                if let Value::Int(int) = &value
                    && *n > 0
                {
                    let enough =
                        self.int_in(&Int::Of(Rc::clone(number)), &[(*n, super::numbers::MOST)])?;
                    if let Some(enough) = enough {
                        let (state, _) = self.branch(state, &Value::Bool(enough))?;
                        let int = int.clone();
                        return Ok(state.map(|s| s.with(Value::Int(int))).into_iter().collect());
                    }
                }
                value
            }
            (Sub(_) | SubAssign(_), Int::Known(n), Int::Of(number)) => {
                Value::Int(steps(Step::From(*n), number))
            }
            (Mul(_) | MulAssign(_), Int::Of(number), Int::Known(n))
            | (Mul(_) | MulAssign(_), Int::Known(n), Int::Of(number)) => {
                if *n > 1 && matches!(number.source, Source::Parsed(..)) {
                    doubt(&mut state, self.lost_note(OVERFLOW));
                }
                Value::Int(steps(Step::Times(*n), number))
            }
            (Div(_) | DivAssign(_), Int::Of(number), Int::Known(n)) if *n > 0 => {
                Value::Int(steps(Step::Over(*n), number))
            }
            (Rem(_) | RemAssign(_), Int::Of(number), Int::Known(n)) if *n > 0 => {
                Value::Int(steps(Step::Modulo(*n), number))
            }
            (BinOp::BitAnd(_), Int::Of(number), Int::Known(n)) if (*n + 1).count_ones() == 1 => {
                Value::Int(steps(Step::Modulo(n + 1), number))
            }
            (Add(_) | AddAssign(_), Int::AtLeast(least, key), Int::Known(n))
            | (Add(_) | AddAssign(_), Int::Known(n), Int::AtLeast(least, key)) => {
                Value::Int(Int::AtLeast(least + n, *key))
            }
            (Sub(_) | SubAssign(_), Int::AtLeast(least, key), Int::Known(n)) => {
                // Followed further, the counter would be a number here.
                self.follow(*key, 1)?;
                Value::Int(Int::AtLeast((least - n).max(0), super::interp::NOWHERE))
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
                    _ => 0,
                };
                Value::Int(Int::AtLeast(least + more, *key))
            }
            (Rem(_) | RemAssign(_), Int::AtLeast(least, key), Int::Known(n)) => {
                // A remainder needs the number: it is reduced in time if the loop's counter is.
                self.follow(*key, 64.min(least + n))?;
                self.lost("a remainder of a counter is not followed")
            }
            (_, Int::Of(number), _) | (_, _, Int::Of(number)) => {
                // Few values are tried one by one.
                let number = Int::Of(Rc::clone(number));
                return self.one_by_one(state, op, a, b, &number);
            }
            _ => self.lost("arithmetic is not followed"),
        };
        one(state, value)
    }

    /// Arithmetic with a number that has few values.
    pub(super) fn one_by_one(
        &mut self,
        state: State,
        op: &BinOp,
        a: &Int,
        b: &Int,
        number: &Int,
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
        if !sums {
            return one(state, Value::Int(Int::AtLeast(0, super::interp::NOWHERE)));
        }
        let few =
            matches!(number, Int::Of(n) if matches!(n.source, Source::Digit(..) | Source::Code(_)));
        if !few {
            let value = self.lost("arithmetic is not followed");
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
                outs.extend(self.compute(state, op, a, b)?);
            }
            rest = no;
        }
        if let Some(state) = rest {
            let value = self.lost("arithmetic is not followed");
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
            let length = super::numbers::length(&Text::view(between), unit);
            return Ok(Value::Int(self.add(&length, more - other_more)));
        }
        Ok(self.lost("a difference of numbers is not followed"))
    }

    /// A number and so much more.
    pub(super) fn add(&self, int: &Int, more: i128) -> Int {
        match int {
            Int::Known(n) => Int::Known(n.saturating_add(more)),
            Int::AtLeast(least, key) => Int::AtLeast((least + more).max(0), *key),
            Int::Of(number) => super::numbers::step(number, Step::Add(more)),
            Int::At(at) => self.add(&at.count, more),
        }
    }

    pub(super) fn cast(&mut self, state: State, value: Value, to: &str) -> Flow<Outs> {
        let value = match (value, to) {
            (Value::Char(text), "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64") => {
                match Self::constant_char(&text) {
                    Some(c) => Value::int(u32::from(c).into()),
                    None => Value::Int(Int::Of(Rc::new(Number {
                        source: Source::Code(text),
                        steps: if to == "u8" { vec![Step::Modulo(256)] } else { Vec::new() },
                    }))),
                }
            }
            (Value::Byte(byte), "char" | "u8") => Value::Byte(byte),
            (value @ Value::Byte(_), _) => match self.as_int(&value) {
                Some(int) => Value::Int(int),
                None => value,
            },
            (Value::Int(Int::Known(n)), "char") => {
                match u32::try_from(n).ok().and_then(char::from_u32) {
                    Some(c) => Value::Char(Text::literal(c.encode_utf8(&mut [0; 4]))),
                    None => self.lost("a cast is not followed"),
                }
            }
            (Value::Int(Int::Of(number)), "char") if number.steps.is_empty() => {
                match &number.source {
                    Source::Code(text) => Value::Char(text.clone()),
                    _ => self.lost("a cast is not followed"),
                }
            }
            (Value::Bool(bool), _) => {
                let (yes, no) = self.branch(state, &Value::Bool(bool))?;
                let mut outs: Outs = yes.map(|s| s.with(Value::int(1))).into_iter().collect();
                outs.extend(no.map(|s| s.with(Value::int(0))));
                return Ok(outs);
            }
            (value, _) => value,
        };
        one(state, value)
    }

    /// How two values compare, as a condition.
    pub(super) fn compare_values(&mut self, a: &Value, how: Compare, b: &Value) -> Flow<Value> {
        if how == Compare::Other {
            return Ok(not(self.compare_values(a, Compare::Equal, b)?));
        }
        for value in [a, b] {
            if let Value::Unknown(note) = value {
                return Ok(Value::Unknown(*note));
            }
        }
        let holds = match (a, b) {
            (Value::Str(a) | Value::Bytes(a), Value::Str(b) | Value::Bytes(b))
                if how == Compare::Equal =>
            {
                self.texts_equal(a, b)?
            }
            (Value::Char(a), Value::Char(b)) => {
                match (how, Self::constant_char(a), Self::constant_char(b)) {
                    (_, _, Some(c)) => {
                        let intervals = how.intervals(u32::from(c).into());
                        let set = self.pool.set(&super::patterns::ranges_of(&intervals))?;
                        self.text_in(a, set)?
                    }
                    (_, Some(c), _) => {
                        let intervals = how.swapped().intervals(u32::from(c).into());
                        let set = self.pool.set(&super::patterns::ranges_of(&intervals))?;
                        self.text_in(b, set)?
                    }
                    (Compare::Equal, ..) => match self.texts_equal(a, b)? {
                        Some(equal) => Some(equal),
                        None => self.chars_equal(a, b)?,
                    },
                    _ => None,
                }
            }
            (Value::Byte(byte), other) | (other, Value::Byte(byte))
                if scalar_of(other).is_some() =>
            {
                let how = if matches!(a, Value::Byte(_)) && scalar_of(b).is_some() {
                    how
                } else {
                    how.swapped()
                };
                let n = scalar_of(other).unwrap_or(0);
                self.byte_in(byte, &super::patterns::bytes_of(&how.intervals(n)))?
            }
            (Value::Byte(Byte::Ascii(a)), Value::Byte(Byte::Ascii(b))) if how == Compare::Equal => {
                match self.texts_equal(a, b)? {
                    Some(equal) => Some(equal),
                    None => self.chars_equal(a, b)?,
                }
            }
            (Value::Byte(Byte::Ascii(_)), Value::Byte(_))
            | (Value::Byte(_), Value::Byte(Byte::Ascii(_)))
                if how == Compare::Equal =>
            {
                Some(Bool::Known(false))
            }
            (Value::Bool(_), Value::Bool(_)) if how == Compare::Equal => {
                let both = self.and(a, b)?;
                let neither = self.and(&not(a.clone()), &not(b.clone()))?;
                return self.or(&both, &neither);
            }
            (Value::Int(a), Value::Int(b)) => self.compare(a, how, b)?,
            (Value::Opt(None), Value::Opt(None)) => Some(Bool::Known(how == Compare::Equal)),
            (Value::Opt(Some(a)), Value::Opt(Some(b))) | (Value::Res(Ok(a)), Value::Res(Ok(b))) => {
                return self.compare_values(&a.clone(), how, &b.clone());
            }
            (Value::Opt(_), Value::Opt(_)) | (Value::Res(_), Value::Res(_))
                if how == Compare::Equal =>
            {
                Some(Bool::Known(false))
            }
            (Value::Struct(a), Value::Struct(b)) if how == Compare::Equal => {
                if a.name != b.name || a.fields.len() != b.fields.len() {
                    Some(Bool::Known(false))
                } else {
                    let mut all = Value::known(true);
                    for (a, b) in a.fields.iter().zip(&b.fields) {
                        let same = self.compare_values(&a.1, how, &b.1)?;
                        all = self.and(&all, &same)?;
                    }
                    return Ok(all);
                }
            }
            (Value::Tuple(a) | Value::List(a), Value::Tuple(b) | Value::List(b))
                if how == Compare::Equal =>
            {
                if a.len() != b.len() {
                    Some(Bool::Known(false))
                } else {
                    let mut all = Value::known(true);
                    for (a, b) in a.iter().zip(b.iter()) {
                        let same = self.compare_values(a, how, b)?;
                        all = self.and(&all, &same)?;
                    }
                    return Ok(all);
                }
            }
            (Value::Unit, Value::Unit) => Some(Bool::Known(how == Compare::Equal)),
            _ => None,
        };
        Ok(match holds {
            Some(bool) => Value::Bool(bool),
            None => self.lost("a comparison is not followed"),
        })
    }

    /// Whether two characters are the same, one of which is of an earlier round of a loop, and a
    /// character that the source names.
    pub(super) fn chars_equal(&mut self, a: &Text, b: &Text) -> Flow<Option<Bool>> {
        for (old, new) in [(a, b), (b, a)] {
            let [Part::Carried(carried)] = &old.0[..] else { continue };
            for c in self.specials.clone() {
                let lang = self.pool.literal(c.encode_utf8(&mut [0; 4]))?;
                match carried.states.iter().find(|state| state.0 == lang) {
                    Some(&(_, state)) => {
                        let dfa = self.pool.dfa(lang);
                        if state != 0 && dfa.is_accepting(dfa.state(state)) {
                            return self.text_in(new, lang);
                        }
                    }
                    None => {
                        self.ask(carried.key, lang)?;
                    }
                }
            }
        }
        Ok(None)
    }
}
