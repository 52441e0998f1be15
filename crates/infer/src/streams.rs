//! Values that move along a text, as iterators and indices do.

use std::rc::Rc;

use super::value::{At, Int, Iter, Pieces, Text, Value};
use super::view::View;

/// The text that a value moves along, as what is left of it.
pub(super) fn stream(value: &Value) -> Option<View> {
    match value {
        Value::Iter(iter) => stream_of(iter),
        Value::Str(text) | Value::Bytes(text) => text.as_view(),
        Value::Int(Int::At(at)) => Some(at.rest),
        Value::Struct(fields) => fields.fields.iter().find_map(|field| match &field.1 {
            value @ (Value::Iter(_) | Value::Int(Int::At(_))) => stream(value),
            _ => None,
        }),
        Value::Opt(Some(inner)) => stream(inner),
        Value::Tuple(values) => values.iter().find_map(stream),
        _ => None,
    }
}

fn stream_of(iter: &Iter) -> Option<View> {
    match iter {
        Iter::Chars(rest) | Iter::Bytes { rest, .. } => Some(*rest),
        Iter::Indices(at) | Iter::Places(at) => Some(at.rest),
        Iter::Pieces(pieces) => Some(pieces.rest),
        Iter::Chain(a, b) | Iter::Zip(a, b) => stream_of(a).or_else(|| stream_of(b)),
        other => stream_of(other.inner()?),
    }
}

/// A value that moves along, with something else left.
pub(super) fn with_stream(value: &Value, rest: View) -> Value {
    match value {
        Value::Iter(iter) => Value::iter(with_stream_of(iter, rest)),
        Value::Str(_) => Value::Str(Text::view(rest)),
        Value::Bytes(_) => Value::Bytes(Text::view(rest)),
        Value::Int(Int::At(at)) => {
            let mut at = (**at).clone();
            at.rest = rest;
            Value::Int(Int::At(Rc::new(at)))
        }
        Value::Struct(fields) => {
            let mut fields = (**fields).clone();
            let field = fields.fields.iter_mut().find(|field| {
                matches!(field.1, Value::Iter(_) | Value::Int(Int::At(_)))
                    && stream(&field.1).is_some()
            });
            if let Some(field) = field {
                field.1 = with_stream(&field.1, rest);
            }
            Value::Struct(Rc::new(fields))
        }
        Value::Opt(Some(inner)) => Value::some(with_stream(inner, rest)),
        Value::Tuple(values) => {
            let mut values = (**values).clone();
            if let Some(value) = values.iter_mut().find(|value| stream(value).is_some()) {
                *value = with_stream(value, rest);
            }
            Value::Tuple(Rc::new(values))
        }
        other => other.clone(),
    }
}

fn with_stream_of(iter: &Iter, rest: View) -> Iter {
    match iter {
        Iter::Chars(_) => Iter::Chars(rest),
        Iter::Bytes { pending, backwards, .. } => {
            Iter::Bytes { rest, pending: *pending, backwards: *backwards }
        }
        Iter::Indices(at) => Iter::Indices(At { rest, ..at.clone() }),
        Iter::Places(at) => Iter::Places(At { rest, ..at.clone() }),
        Iter::Pieces(pieces) => Iter::Pieces(Pieces { rest, ..pieces.clone() }),
        Iter::Chain(a, b) if stream_of(a).is_some() => {
            Iter::Chain(Rc::new(with_stream_of(a, rest)), Rc::clone(b))
        }
        Iter::Chain(a, b) => Iter::Chain(Rc::clone(a), Rc::new(with_stream_of(b, rest))),
        Iter::Zip(a, b) if stream_of(a).is_some() => {
            Iter::Zip(Rc::new(with_stream_of(a, rest)), Rc::clone(b))
        }
        Iter::Zip(a, b) => Iter::Zip(Rc::clone(a), Rc::new(with_stream_of(b, rest))),
        other => match other.inner() {
            Some(inner) => other.with_inner(Rc::new(with_stream_of(inner, rest))),
            None => other.clone(),
        },
    }
}
