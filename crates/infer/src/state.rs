//! Paths: which strings get somewhere, and what the variables are then.

use std::rc::Rc;

use fxhash::FxHashMap;

use super::pool::{ALL, Lang, NONE, Pool};
use super::stop::Flow;
use super::value::{Bool, Cond, Name, Value};

/// "Exact so far."
pub(super) const SURE: u32 = 0;

/// A path through the code, or several that can no longer be told apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The strings that take it, at the level of the innermost loop.
    pub(super) lang: Lang,
    /// The variables of all functions that are under way, the innermost last.
    pub(super) vars: Vec<(Name, Value)>,
    /// The first imprecision on the way, by its number, or [`SURE`]; then other strings than those
    /// that take the path may be in `lang`.
    pub(super) doubt: u32,
}

/// How an expression ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Exit {
    Value(Value),
    Break(Option<Name>, Value),
    Continue(Option<Name>),
    Return(Value),
}

/// One of the ways in which an expression ends; panics are none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Out {
    pub(super) state: State,
    pub(super) exit: Exit,
}

pub(super) type Outs = Vec<Out>;

impl State {
    /// Ends with a value.
    pub(super) fn with(self, value: Value) -> Out {
        Out { state: self, exit: Exit::Value(value) }
    }

    /// The same path for the strings of a language.
    pub(super) fn within(&self, lang: Lang) -> Self {
        Self { lang, ..self.clone() }
    }
}

/// One way, with a value.
pub(super) fn one(state: State, value: Value) -> Flow<Outs> {
    Ok(vec![state.with(value)])
}

/// The strings of a way, and the condition that it ends with.
type Way = (Lang, Option<Cond>);

/// Unites ways that end in the same values, and leaves out those that no string takes.
///
/// Conditions at the level of the paths are united to one that holds on each way where it held
/// there.
pub(super) fn merge(pool: &mut Pool, level: usize, outs: Outs) -> Flow<Outs> {
    let mut merged: Vec<(Out, Vec<Way>)> = Vec::new();
    let mut places: FxHashMap<Out, usize> = FxHashMap::default();
    for mut out in outs {
        let lang = std::mem::replace(&mut out.state.lang, NONE);
        if lang == NONE {
            continue;
        }
        let cond = take_condition(&mut out.exit, level);
        let place = *places.entry(out.clone()).or_insert_with(|| {
            merged.push((out, Vec::new()));
            merged.len() - 1
        });
        merged[place].1.push((lang, cond));
    }
    let mut outs = Vec::with_capacity(merged.len());
    for (mut out, ways) in merged {
        let mut all = NONE;
        for &(lang, _) in &ways {
            all = pool.union(all, lang)?;
        }
        let mut united = Cond { yes: NONE, no: NONE, level };
        match ways[..] {
            [(_, Some(cond))] => united = cond,
            _ => {
                for (lang, cond) in ways.iter().filter_map(|&(lang, cond)| Some((lang, cond?))) {
                    let (yes, no) = (pool.both(lang, cond.yes)?, pool.both(lang, cond.no)?);
                    united.yes = pool.union(united.yes, yes)?;
                    united.no = pool.union(united.no, no)?;
                }
            }
        }
        if ways.iter().all(|(_, cond)| cond.is_some()) {
            put_condition(pool, &mut out.exit, united, all)?;
        }
        out.state.lang = all;
        outs.push(out);
    }
    Ok(outs)
}

/// The truth value that an expression ends with, taken out, if it is one of this level.
fn take_condition(exit: &mut Exit, level: usize) -> Option<Cond> {
    let (Exit::Value(Value::Bool(bool)) | Exit::Return(Value::Bool(bool))) = exit else {
        return None;
    };
    let cond = match *bool {
        Bool::Known(true) => Cond { level, yes: ALL, no: NONE },
        Bool::Known(false) => Cond { level, yes: NONE, no: ALL },
        Bool::When(cond) if cond.level == level => cond,
        Bool::When(_) => return None,
    };
    *bool = Bool::Known(true);
    Some(cond)
}

fn put_condition(pool: &mut Pool, exit: &mut Exit, cond: Cond, all: Lang) -> Flow<()> {
    let (Exit::Value(Value::Bool(bool)) | Exit::Return(Value::Bool(bool))) = exit else {
        return Ok(());
    };
    *bool = if !pool.meet(all, cond.no)? {
        Bool::Known(true)
    } else if !pool.meet(all, cond.yes)? {
        Bool::Known(false)
    } else {
        Bool::When(cond)
    };
    Ok(())
}

/// Unites only what is the same in all respects.
pub(super) fn unite(pool: &mut Pool, level: usize, states: Vec<State>) -> Flow<Vec<State>> {
    let outs = states.into_iter().map(|state| state.with(Value::Unit)).collect();
    Ok(merge(pool, level, outs)?.into_iter().map(|out| out.state).collect())
}

/// Values inside a value, in order, rebuilt where one changed.
pub(super) fn map_inside(value: &Value, f: &mut dyn FnMut(&Value) -> Flow<Value>) -> Flow<Value> {
    let all = |values: &[Value], f: &mut dyn FnMut(&Value) -> Flow<Value>| {
        values.iter().map(f).collect::<Flow<Vec<_>>>().map(Rc::new)
    };
    Ok(match value {
        Value::Opt(Some(inner)) => Value::some(f(inner)?),
        Value::Res(Ok(inner)) => Value::ok(f(inner)?),
        Value::Res(Err(inner)) => Value::err(f(inner)?),
        Value::Tuple(values) => Value::Tuple(all(values, f)?),
        Value::List(values) => Value::List(all(values, f)?),
        Value::Struct(fields) => {
            let mut fields = (**fields).clone();
            for (_, value) in &mut fields.fields {
                *value = f(value)?;
            }
            Value::Struct(Rc::new(fields))
        }
        Value::Range(range) => {
            let mut range = (**range).clone();
            for value in [&mut range.from, &mut range.to].into_iter().flatten() {
                *value = f(value)?;
            }
            Value::Range(Rc::new(range))
        }
        _ => value.clone(),
    })
}
