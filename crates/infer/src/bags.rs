//! Lists that grow in a loop, as bags: how often an item is in one, and where, is forgotten.

use std::rc::Rc;

use super::interp::NOWHERE;
use super::numbers::LEAST;
use super::state::map_inside;
use super::value::{Int, Iter, Struct, Value};

/// The name of a list that grew in a loop: how long it is, and which items there are.
pub(super) const BAG: &str = "#bag";
/// How many different items of a list that grows in a loop are told apart.
const MAX_ITEMS: usize = 6;

/// Whether a value goes over a list in any order.
pub(super) fn is_of_bag(value: &Value) -> bool {
    let Value::Iter(iter) = value else { return false };
    let mut at = iter;
    loop {
        match (&**at, at.inner()) {
            (Iter::Bag(..), _) => return true,
            (_, Some(inner)) => at = inner,
            (_, None) => return false,
        }
    }
}

/// A list that grew in a round as a bag: how often an item is in it, and where, is forgotten.
pub(super) fn bagged(old: &Value, new: Value) -> Value {
    match (old, &new) {
        (Value::List(before), Value::List(values)) if values.len() != before.len() => {
            bag(Int::Known(values.len() as i128), (**values).clone())
        }
        _ => new,
    }
}

/// A bag of some length with some items.
pub(super) fn bag(length: Int, items: Vec<Value>) -> Value {
    let fields =
        vec![("len".into(), Value::Int(length)), ("items".into(), Value::List(Rc::new(items)))];
    distinct(Value::Struct(Rc::new(Struct { name: BAG.into(), fields })))
}

/// A bag with each item once; of too many, some are forgotten.
fn distinct(value: Value) -> Value {
    let Value::Struct(of) = &value else { return value };
    if &*of.name != BAG {
        return value;
    }
    let mut of = (**of).clone();
    if let Some((_, Value::List(items))) = of.fields.last_mut() {
        let mut kept: Vec<Value> = Vec::new();
        for item in items.iter() {
            let item = numberless(item);
            if !kept.contains(&item) {
                kept.push(item);
            }
        }
        if kept.len() > MAX_ITEMS {
            kept = vec![Value::Gone];
        }
        kept.sort_by_cached_key(|item| {
            let mut hasher = fxhash::FxHasher::default();
            std::hash::Hash::hash(item, &mut hasher);
            std::hash::Hasher::finish(&hasher)
        });
        *items = Rc::new(kept);
    }
    Value::Struct(Rc::new(of))
}

/// An item of a bag, in which numbers are not told apart.
fn numberless(item: &Value) -> Value {
    match item {
        Value::Int(_) | Value::Byte(_) => Value::Int(Int::AtLeast(LEAST, NOWHERE)),
        other => map_inside(other, &mut |part| Ok(numberless(part))).unwrap_or(Value::Gone),
    }
}
