//! Operators, and how values compare.

use std::rc::Rc;

use super::bodies::address;
use super::interp::{Interp, doubt};
use super::names::Found;
use super::numbers::Compare;
use super::patterns::{bytes_if_known, known_bytes, scalar_of};
use super::state::{Outs, State, one};
use super::stop::Flow;
use super::texts::not;
use super::value::{Bool, Byte, Int, Iter, Number, Part, Source, Struct, Text, Value};
use super::widths::{U8, Width};
use syn::{BinOp, Expr, UnOp};

/// What is said where operands are not what an operator is known for.
const UNFOLLOWED: &str = "an operator is not followed";

/// Whether an operand is written as a floating-point number.
fn has_float(expr: &Expr) -> bool {
    let Expr::Binary(binary) = expr else { return false };
    [&binary.left, &binary.right].iter().any(
        |side| matches!(&***side, Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Float(_))),
    )
}

/// A constant text or list of bytes as what another value can be compared with.
fn bytes_for(value: &Value, other: &Value) -> Value {
    match (value, other) {
        (Value::List(values), Value::Bytes(_)) => {
            let text = bytes_if_known(values).and_then(|bytes| String::from_utf8(bytes).ok());
            text.map_or_else(|| value.clone(), |text| Value::Bytes(Text::literal(&text)))
        }
        (Value::Bytes(text), Value::List(values)) if bytes_if_known(values).is_none() => {
            let text = text.constant();
            text.map_or_else(|| value.clone(), |text| Value::List(known_bytes(text.as_bytes())))
        }
        _ => value.clone(),
    }
}

/// An iterator's items, and a list that they are compared with.
fn items_and_list(a: &Value, b: &Value) -> Option<(Iter, Rc<Vec<Value>>)> {
    if let (Value::Opt(Some(a)), Value::Opt(Some(b))) = (a, b) {
        return items_and_list(a, b);
    }
    let ((Value::Items(iter), other) | (other, Value::Items(iter))) = (a, b) else { return None };
    let values = match other {
        Value::List(values) => Rc::clone(values),
        Value::Bytes(text) => known_bytes(text.constant()?.as_bytes()),
        _ => return None,
    };
    (values.len() <= 64).then(|| ((**iter).clone(), values))
}

impl<'a> Interp<'a> {
    pub(super) fn eval_unary(
        &mut self,
        state: State,
        unary: &'a syn::ExprUnary,
        expr: &'a Expr,
    ) -> Flow<Outs> {
        let outs = self.eval(state, &unary.expr)?;
        self.then(outs, |interp, mut state, value| {
            let value = interp.deref(&state, value);
            let width = interp.least_width(&unary.expr);
            // The least number of a type has no counterpart.
            let most = width.map_or(i8::MAX.into(), Width::max);
            let value = match (&unary.op, value) {
                (UnOp::Deref(_), value) => value,
                (UnOp::Not(_), value @ (Value::Bool(_) | Value::Unknown(_))) => not(value),
                (UnOp::Neg(_), Value::Int(Int::Known(n))) if n >= 0 || n >= -most => {
                    Value::int(n.saturating_neg())
                }
                (UnOp::Neg(_), Value::Int(int @ Int::Of(_))) => {
                    let minus: BinOp = syn::parse_quote!(-);
                    return interp.compute(state, &minus, &Int::Known(0), &int, width);
                }
                (_, Value::Unknown(note)) => Value::Unknown(note),
                _ => interp.unknown(expr, UNFOLLOWED),
            };
            if let (UnOp::Neg(_), Value::Unknown(note)) = (&unary.op, &value) {
                doubt(&mut state, *note);
            }
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
                let outs = self.eval(state, &binary.right)?;
                return self.then(outs, |interp, state, right| {
                    let right = interp.deref(&state, right);
                    let outs = interp.read_place(state, &binary.left)?;
                    interp.then(outs, |interp, state, place| {
                        let left = interp.deref(&state, place.clone());
                        let outs = interp.operate(state, &binary.op, left, right.clone(), expr)?;
                        interp.then(outs, |interp, mut state, value| {
                            interp.write_place(&mut state, &binary.left, &place, value);
                            one(state, Value::Unit)
                        })
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
            if let Some(outs) = self.own_equality(&state, how, &left, &right, expr)? {
                return Ok(outs);
            }
            if let (Compare::Equal | Compare::Other, Some((iter, values))) =
                (how, items_and_list(&left, &right))
            {
                let outs = self.items_equal(state, iter, &values)?;
                return self.then(outs, |_, state, same| {
                    one(state, if how == Compare::Other { not(same) } else { same })
                });
            }
            let value = self.compare_values(&left, how, &right)?;
            return one(state, value);
        }
        for value in [&left, &right] {
            if let Value::Unknown(note) = value {
                let mut state = state;
                // Texts and floating-point numbers do not panic.
                if ![&left, &right].iter().any(|side| matches!(side, Value::Str(_)))
                    && !has_float(expr)
                {
                    self.lose_unknown(&mut state, op, &right, *note);
                }
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
            (Some(a), Some(b)) => {
                let width = match (&left, &right, expr) {
                    (Value::Byte(_), ..) | (_, Value::Byte(_), _) => Some(U8),
                    (.., Expr::Binary(_)) => self.least_width(expr),
                    _ => None,
                };
                self.compute(state, op, &a, &b, width)
            }
            _ => {
                // It may be the source's own.
                let value = self.unknown(expr, UNFOLLOWED);
                let mut state = state;
                if let Value::Unknown(note) = value {
                    self.opaque(&mut state, note, &[left, right]);
                }
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
        let (a, b) = (&bytes_for(a, b), &bytes_for(b, a));
        let holds = match (a, b) {
            // A whole text is no part of a character.
            (Value::Bytes(_), Value::List(values)) | (Value::List(values), Value::Bytes(_))
                if how == Compare::Equal && bytes_if_known(values).is_some() =>
            {
                Some(Bool::Known(false))
            }
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
            (Value::Opt(Some(a)), Value::Opt(Some(b)))
            | (Value::Res(Ok(a)), Value::Res(Ok(b)))
            | (Value::Res(Err(a)), Value::Res(Err(b))) => {
                return self.compare_values(a, how, b);
            }
            // `None` comes before `Some`, and `Ok` before `Err`.
            (Value::Opt(a), Value::Opt(b)) => {
                Some(Bool::Known(how.holds(a.is_some().into(), b.is_some().into())))
            }
            (Value::Res(a), Value::Res(b)) => {
                Some(Bool::Known(how.holds(a.is_err().into(), b.is_err().into())))
            }
            (Value::Struct(a), Value::Struct(b)) if how == Compare::Equal => {
                return self.structs_equal(a, b);
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
            (Value::Unit, Value::Unit) => Some(Bool::Known(how.holds(0, 0))),
            _ => None,
        };
        Ok(match holds {
            Some(bool) => Value::Bool(bool),
            None => self.lost("a comparison is not followed"),
        })
    }

    /// Whether an iterator has the items of a list, and no others.
    pub(super) fn items_equal(&mut self, state: State, iter: Iter, values: &[Value]) -> Flow<Outs> {
        let mut outs = Vec::new();
        let mut ways = vec![(state, iter)];
        for value in values {
            let mut next = Vec::new();
            for (state, iter) in ways {
                for (state, item, iter) in self.take_one(state, iter)? {
                    let Some(item) = item else {
                        outs.push(state.with(Value::known(false)));
                        continue;
                    };
                    let item = self.deref(&state, item);
                    let value = self.deref(&state, value.clone());
                    let same = self.compare_values(&item, Compare::Equal, &value)?;
                    let (yes, no) = self.branch(state, &same)?;
                    next.extend(yes.map(|state| (state, iter)));
                    outs.extend(no.map(|state| state.with(Value::known(false))));
                }
            }
            ways = next;
        }
        for (state, iter) in ways {
            for (state, item, _) in self.take_one(state, iter)? {
                outs.push(state.with(Value::known(item.is_none())));
            }
        }
        self.bounded(outs)
    }

    /// Whether two structs or variants are the same, as a derived `PartialEq` has it.
    fn structs_equal(&mut self, a: &Struct, b: &Struct) -> Flow<Value> {
        let own = |of: &Struct| !self.krate.own_equality(&of.name).is_empty();
        if own(a) || own(b) {
            return Ok(self.lost("a `PartialEq` that is not derived is not followed here"));
        }
        if [a, b].iter().any(|of| &*of.name == super::bags::BAG) {
            return Ok(self.lost("the order of a list that grows in a loop is not followed"));
        }
        if a.name != b.name {
            let is_other =
                |name: &str| self.krate.aliases.contains(name) || self.krate.renames.contains(name);
            let renamed = [a, b].iter().any(|of| is_other(&of.name));
            return Ok(match renamed {
                true => self.lost("a comparison is not followed"),
                false => Value::known(false),
            });
        }
        let mut all = Value::known(true);
        for (name, value) in &a.fields {
            let same = match b.fields.iter().find(|other| other.0 == *name) {
                Some(other) => self.compare_values(value, Compare::Equal, &other.1)?,
                None => self.lost("a comparison is not followed"),
            };
            all = self.and(&all, &same)?;
        }
        if a.fields.len() != b.fields.len() {
            let lost = self.lost("a comparison is not followed");
            all = self.and(&all, &lost)?;
        }
        Ok(all)
    }

    /// Calls the `PartialEq` of a type that has one of its own.
    fn own_equality(
        &mut self,
        state: &State,
        how: Compare,
        a: &Value,
        b: &Value,
        expr: &'a Expr,
    ) -> Flow<Option<Outs>> {
        let (Value::Struct(of), Compare::Equal | Compare::Other) = (a, how) else {
            return Ok(None);
        };
        let [owner] = self.krate.own_equality(&of.name)[..] else { return Ok(None) };
        let own = |name: &str| self.krate.implemented(owner, "PartialEq", name);
        if how == Compare::Other && own("ne") != Found::Outside {
            return Ok(None);
        }
        let Some(number) = own("eq").one() else { return Ok(None) };
        let outs = self.call(state.clone(), number, vec![a.clone(), b.clone()], address(expr))?;
        self.then(outs, |_, state, value| {
            one(state, if how == Compare::Other { not(value) } else { value })
        })
        .map(Some)
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
