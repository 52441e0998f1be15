//! The interpreter: its state, variables, and how paths divide.
//!
//! An expression is evaluated on a [`State`] and gives several ends, one for each way through it.
//! Conditions on the input are kept as pairs of languages until something branches on them; then
//! the path is divided. Ways that end with the same values are united again.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use fxhash::{FxHashMap, FxHashSet, FxHasher};
use proc_macro2::LineColumn;
use syn::spanned::Spanned;

use super::analysis::Derived;
use super::bodies::address;
use super::kinds::Kinds;
use super::pool::{Lang, NONE, Pool};
use super::source::{Crate, Origin};
use super::state::{Exit, Out, Outs, SURE, State, merge};
use super::stop::{Flow, Stop};
use super::table::Table;
use super::value::{Bool, Closure, Cond, LoopKey, Name, Step2, Target, Value};
use super::view::Views;
use super::widths::Width;

/// Somewhere in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Spot {
    pub(super) file: usize,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// A function, or closure, that is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) function: usize,
    /// The constant that is evaluated within the function.
    pub(super) constant: Option<usize>,
    pub(super) file: usize,
    /// Where its variables begin.
    pub(super) base: usize,
    /// The variables that a closure sees beside its own.
    pub(super) captured: Option<(usize, usize)>,
    /// Where the outermost loop that is under way in it begins.
    pub(super) loop_start: Option<LineColumn>,
    /// Where it ends.
    pub(super) end: LineColumn,
}

/// What refinement found that must be told apart; it outlives an attempt.
#[derive(Default)]
pub(super) struct Registry {
    /// How far a counter is followed.
    pub(super) caps: FxHashMap<(LoopKey, usize), i128>,
    /// What was asked of a text of an earlier round of a loop.
    pub(super) asked: FxHashMap<(LoopKey, usize), Vec<Lang>>,
    /// By what the strings that enter a loop are divided before it.
    pub(super) splits: FxHashMap<LoopKey, Vec<Lang>>,
    /// Which variables move along the input of a loop.
    pub(super) movers: FxHashMap<LoopKey, FxHashSet<usize>>,
    /// How often something was refined.
    pub(super) rounds: usize,
}

/// The counter or text of no loop, which cannot be followed any further.
pub(super) const NOWHERE: (LoopKey, usize) = (u64::MAX, 0);

/// How far a counter is followed at most.
const MAX_CAP: i128 = 4096;
/// How many languages may be asked for of one text of an earlier round.
const MAX_ASKED: usize = 8;
/// How many ways an expression may have at once.
const MAX_WAYS: usize = 4096;

/// The interpreter.
pub(super) struct Interp<'a> {
    pub(super) krate: &'a Crate<'a>,
    pub(super) table: &'a Table,
    pub(super) derived: Derived,
    pub(super) pool: Pool,
    pub(super) views: Views,
    /// How many loops are being read.
    pub(super) level: usize,
    /// For each of them, the strings that enter it, and which loop it is.
    pub(super) entries: Vec<(Lang, LoopKey)>,
    pub(super) frames: Vec<Frame>,
    /// Stands for the calls that led here.
    pub(super) context: u64,
    pub(super) registry: Registry,
    /// Whether nothing more is told apart, since that took too long.
    pub(super) coarse: bool,
    /// What was not followed, from number 1.
    pub(super) notes: Vec<(Spot, String)>,
    pub(super) closures: Vec<&'a syn::ExprClosure>,
    closure_numbers: FxHashMap<usize, usize>,
    /// The functions that were entered.
    pub(super) reached: FxHashSet<usize>,
    pub(super) constants: FxHashMap<usize, Value>,
    /// Work that is left.
    pub(super) fuel: u64,
    pub(super) max_fuel: u64,
    /// The expression that is evaluated.
    pub(super) current: Option<&'a syn::Expr>,
    /// The type that an expression is wanted to have.
    pub(super) hint: Option<super::calls::Hint>,
    /// Characters that the source names.
    pub(super) specials: Vec<char>,
    /// The constants that were used.
    pub(super) constant_exprs: Vec<(usize, &'a syn::Expr)>,
    /// The first doubt of each loop.
    pub(super) loop_doubts: FxHashMap<LoopKey, u32>,
    /// What calls gave that see nothing but their arguments.
    pub(super) calls: FxHashMap<Call, Vec<(Lang, u32, Value)>>,
    /// The integer types of the variables of functions that were called.
    pub(super) kinds: Kinds,
    /// The integer type of what a method is called on.
    pub(super) receiver: Option<Width>,
    spots: FxHashMap<usize, (LineColumn, LineColumn)>,
}

/// A call: the function, its arguments, the strings and the doubt with which it is reached, and
/// the strings that enter the loops around it.
pub(super) type Call = (usize, Vec<Value>, Lang, u32, Vec<Lang>, Option<super::calls::Hint>);

impl<'a> Interp<'a> {
    pub(super) fn new(
        krate: &'a Crate<'a>,
        table: &'a Table,
        derived: Derived,
        pool: Pool,
        fuel: u64,
    ) -> Self {
        Self {
            krate,
            table,
            derived,
            pool,
            views: Views::new(),
            level: 0,
            entries: Vec::new(),
            frames: Vec::new(),
            context: 0,
            registry: Registry::default(),
            coarse: false,
            notes: Vec::new(),
            closures: Vec::new(),
            closure_numbers: FxHashMap::default(),
            reached: FxHashSet::default(),
            constants: FxHashMap::default(),
            fuel,
            max_fuel: fuel,
            current: None,
            hint: None,
            specials: krate.characters(),
            constant_exprs: Vec::new(),
            loop_doubts: FxHashMap::default(),
            calls: FxHashMap::default(),
            kinds: Kinds::default(),
            receiver: None,
            spots: FxHashMap::default(),
        }
    }

    /// Takes work off the budget.
    pub(super) fn spend(&mut self, work: u64) -> Flow<()> {
        match self.fuel.checked_sub(work) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => Err(Stop::Budget("steps of interpretation", self.max_fuel)),
        }
    }

    pub(super) fn frame(&self) -> Frame {
        *self.frames.last().expect("something is interpreted only within a function")
    }

    /// Where paths are written that are read now.
    pub(super) fn origin(&self) -> Origin {
        let frame = self.frame();
        frame.constant.map_or(Origin::Function(frame.function), Origin::Constant)
    }

    /// Where a node begins and ends.
    pub(super) fn span<T: Spanned>(&mut self, node: &T) -> (LineColumn, LineColumn) {
        *self.spots.entry(address(node)).or_insert_with(|| {
            let span = node.span();
            (span.start(), span.end())
        })
    }

    pub(super) fn spot<T: Spanned>(&mut self, node: &T) -> Spot {
        let at = self.span(node).0;
        Spot { file: self.frame().file, line: at.line, column: at.column + 1 }
    }

    /// The number of something that is not followed.
    pub(super) fn note(&mut self, spot: Spot, message: impl Into<String>) -> u32 {
        let note = (spot, message.into());
        let known = self.notes.iter().position(|other| *other == note);
        known.unwrap_or_else(|| {
            self.notes.push(note);
            self.notes.len() - 1
        }) as u32
            + 1
    }

    /// A value that is not known, because of what stands somewhere.
    pub(super) fn unknown<T: Spanned>(&mut self, node: &T, message: impl Into<String>) -> Value {
        let spot = self.spot(node);
        Value::Unknown(self.note(spot, message))
    }

    /// Something by where it is and how it was reached.
    pub(super) fn key(&self, node: usize) -> LoopKey {
        let mut hasher = FxHasher::default();
        (self.context, node).hash(&mut hasher);
        hasher.finish()
    }

    /// The variable of a name that is in scope.
    pub(super) fn slot(&self, state: &State, name: &str) -> Option<usize> {
        let frame = self.frame();
        let find = |from: usize, to: usize| {
            let to = to.min(state.vars.len());
            (from..to).rev().find(|&slot| &*state.vars[slot].0 == name)
        };
        find(frame.base, state.vars.len())
            .or_else(|| frame.captured.and_then(|(from, to)| find(from, to.min(frame.base))))
    }

    /// A closure that is made here. It sees the variables around it, also those that it takes with
    /// it: so where these are not the same from then on it is not followed.
    pub(super) fn closure(&mut self, state: &mut State, expr: &'a syn::ExprClosure) -> Value {
        let next = self.closures.len();
        let number = *self.closure_numbers.entry(address(expr)).or_insert(next);
        if number == next {
            self.closures.push(expr);
        }
        let frame = self.frame();
        let from = frame.captured.map_or(frame.base, |(from, _)| from);
        let closure = Closure { number, from, to: state.vars.len() };
        if self.sees_others(state, closure) {
            let note = self.lost_note("a closure that takes what changes with it is not followed");
            self.opaque_writes(state, note, &[Value::Closure(closure)]);
            return Value::Unknown(note);
        }
        Value::Closure(closure)
    }

    /// Whether a closure that is made here would see other variables than it has, or values of them.
    fn sees_others(&mut self, state: &State, closure: Closure) -> bool {
        let frame = self.frame();
        let seen = self.seen(state, closure);
        // Between what a closure that is under way sees and its own are those of who called it.
        if frame
            .captured
            .is_some_and(|(_, to)| seen.iter().any(|&slot| to <= slot && slot < frame.base))
        {
            return true;
        }
        let expr = self.closures[closure.number];
        if expr.capture.is_none() {
            return false;
        }
        let writes = self.may_write(&expr.body);
        let (start, end) = self.span(expr);
        seen.into_iter().any(|slot| {
            let name = &state.vars[slot].0;
            let parsed = self.krate.parsed;
            if !parsed.mutable(name) {
                return false;
            }
            // What is around a closure may be gone through again, as a loop is.
            let from = match frame.loop_start {
                _ if slot < frame.base => Some(LineColumn { line: 0, column: 0 }),
                from => from,
            };
            writes
                || parsed.mentions(frame.file, name, end, frame.end)
                || from.is_some_and(|from| parsed.mentions(frame.file, name, from, start))
        })
    }

    /// What a target is at the moment.
    pub(super) fn read(&self, state: &State, target: &Target) -> Option<Value> {
        let mut value = state.vars.get(target.slot)?.1.clone();
        for step in &target.path {
            if let Value::Ref(inner) = &value {
                value = self.read(state, inner)?;
            }
            value = match (&value, step) {
                (Value::Tuple(values) | Value::List(values), Step2::Index(index)) => {
                    values.get(*index)?.clone()
                }
                (Value::Struct(fields), Step2::Field(name)) => {
                    fields.fields.iter().find(|field| field.0 == *name)?.1.clone()
                }
                (Value::Tuple(values), Step2::Field(name)) => {
                    values.get(name.parse::<usize>().ok()?)?.clone()
                }
                (Value::Opt(Some(inner)) | Value::Res(Ok(inner)), Step2::Inner) => {
                    (**inner).clone()
                }
                (Value::Unknown(_), _) => return Some(value),
                _ => return None,
            };
        }
        Some(value)
    }

    /// Writes to a target; false where it has no such part.
    pub(super) fn write(&self, state: &mut State, target: &Target, new: Value) -> bool {
        let mut target = target.clone();
        // References on the way lead on.
        loop {
            let hop = (0..=target.path.len()).find_map(|end| {
                let head = Target { slot: target.slot, path: target.path[..end].to_vec() };
                match self.read(state, &head) {
                    Some(Value::Ref(inner)) if end < target.path.len() => Some((end, inner)),
                    _ => None,
                }
            });
            let Some((end, inner)) = hop else { break };
            let path = inner.path.iter().chain(&target.path[end..]).cloned().collect();
            target = Target { slot: inner.slot, path };
        }
        let Some(var) = state.vars.get_mut(target.slot) else { return false };
        write_in(&mut var.1, &target.path, new)
    }

    /// What a value is behind references.
    pub(super) fn deref(&self, state: &State, value: Value) -> Value {
        let mut value = value;
        for _ in 0..32 {
            match &value {
                Value::Ref(target) => match self.read(state, target) {
                    Some(inner) => value = inner,
                    None => return Value::Gone,
                },
                _ => break,
            }
        }
        value
    }

    /// The paths on which a condition holds and on which it does not.
    pub(super) fn branch(
        &mut self,
        state: State,
        condition: &Value,
    ) -> Flow<(Option<State>, Option<State>)> {
        let condition = self.deref(&state, condition.clone());
        match condition {
            Value::Bool(Bool::Known(true)) => Ok((Some(state), None)),
            Value::Bool(Bool::Known(false)) => Ok((None, Some(state))),
            Value::Bool(Bool::When(cond)) if cond.level == self.level => {
                let yes = self.pool.both(state.lang, cond.yes)?;
                let no = self.pool.both(state.lang, cond.no)?;
                Ok((
                    (yes != NONE).then(|| state.within(yes)),
                    (no != NONE).then(|| state.within(no)),
                ))
            }
            Value::Bool(Bool::When(cond)) => self.branch_outside(state, cond),
            Value::Unknown(note) => Ok(self.both_ways(state, note)),
            _ => {
                let frame = self.frame();
                let spot = Spot { file: frame.file, line: frame.end.line, column: 1 };
                let note = self.note(spot, "a condition in this function is not followed");
                Ok(self.both_ways(state, note))
            }
        }
    }

    fn both_ways(&self, mut state: State, note: u32) -> (Option<State>, Option<State>) {
        doubt(&mut state, note);
        (Some(state.clone()), Some(state))
    }

    /// Inside of a loop, a condition on what is outside of it is the same in all rounds.
    fn branch_outside(&mut self, state: State, cond: Cond) -> Flow<(Option<State>, Option<State>)> {
        let Some(&(entry, key)) = self.entries.get(cond.level) else {
            return Ok((Some(state.clone()), Some(state)));
        };
        if !self.pool.meet(entry, cond.no)? {
            return Ok((Some(state), None));
        }
        if !self.pool.meet(entry, cond.yes)? {
            return Ok((None, Some(state)));
        }
        let splits = self.registry.splits.entry(key).or_default();
        if !self.coarse && splits.len() < MAX_ASKED && !splits.contains(&cond.yes) {
            splits.push(cond.yes);
            return self.refine();
        }
        let frame = self.frame();
        let spot = Spot { file: frame.file, line: frame.end.line, column: 1 };
        let note = self.note(spot, "a condition in a loop depends on too much outside of it");
        Ok(self.both_ways(state, note))
    }

    /// Begins anew.
    pub(super) fn refine<T>(&mut self) -> Flow<T> {
        self.registry.rounds += 1;
        Err(Stop::Refine)
    }

    /// Has a counter followed at least so far.
    pub(super) fn follow(&mut self, key: (LoopKey, usize), to: i128) -> Flow<bool> {
        if self.coarse || key == NOWHERE {
            return Ok(false);
        }
        let cap = self.registry.caps.entry(key).or_insert(0);
        if to <= *cap || to > MAX_CAP {
            return Ok(false);
        }
        *cap = to;
        self.refine()
    }

    /// Has a text of an earlier round asked for a language.
    pub(super) fn ask(&mut self, key: (LoopKey, usize), lang: Lang) -> Flow<bool> {
        if key == NOWHERE {
            return Ok(false);
        }
        let asked = self.registry.asked.entry(key).or_default();
        if self.coarse || asked.contains(&lang) || asked.len() >= MAX_ASKED {
            return Ok(false);
        }
        asked.push(lang);
        self.refine()
    }

    /// Goes on behind each end that is a value.
    pub(super) fn then(
        &mut self,
        outs: Outs,
        mut next: impl FnMut(&mut Self, State, Value) -> Flow<Outs>,
    ) -> Flow<Outs> {
        let mut all = Vec::new();
        for out in outs {
            match out.exit {
                Exit::Value(value) => all.extend(next(self, out.state, value)?),
                _ => all.push(out),
            }
        }
        self.bounded(all)
    }

    /// Unites ways where there are several.
    pub(super) fn bounded(&mut self, outs: Outs) -> Flow<Outs> {
        self.spend(1 + outs.len() as u64)?;
        if outs.len() < 2 {
            return Ok(outs);
        }
        let outs = merge(&mut self.pool, self.level, outs)?;
        if outs.len() > MAX_WAYS {
            return Err(Stop::Budget("ways through a function at once", MAX_WAYS as u64));
        }
        Ok(outs)
    }

    /// Divides a path by a condition and goes on with each half.
    pub(super) fn either(
        &mut self,
        state: State,
        condition: &Value,
        yes: impl FnOnce(&mut Self, State) -> Flow<Outs>,
        no: impl FnOnce(&mut Self, State) -> Flow<Outs>,
    ) -> Flow<Outs> {
        let (holds, fails) = self.branch(state, condition)?;
        let mut outs = match holds {
            Some(state) => yes(self, state)?,
            None => Vec::new(),
        };
        if let Some(state) = fails {
            outs.extend(no(self, state)?);
        }
        self.bounded(outs)
    }

    /// Forgets variables of the function at hand that nothing mentions behind a position, so that
    /// paths that only differ in them can be united.
    pub(super) fn forget(&mut self, mut outs: Outs, behind: LineColumn) -> Flow<Outs> {
        let frame = self.frame();
        if outs.len() < 2 || frame.captured.is_some() {
            return Ok(outs);
        }
        for out in &mut outs {
            if matches!(out.exit, Exit::Value(_) | Exit::Break(..) | Exit::Continue(_)) {
                self.forget_in(&mut out.state, frame, behind);
            }
        }
        self.bounded(outs)
    }

    pub(super) fn forget_in(&mut self, state: &mut State, frame: Frame, behind: LineColumn) {
        let from = frame.loop_start.map_or(behind, |start| start.min(behind));
        let mut kept = FxHashSet::default();
        let mut closures = Vec::new();
        for (_, value) in &state.vars {
            held(value, &mut kept, &mut closures);
        }
        let mut spans = Vec::new();
        for closure in closures {
            let closure = self.closures[closure.number];
            spans.push(self.span(closure));
        }
        for slot in frame.base..state.vars.len() {
            let (name, value) = &mut state.vars[slot];
            let live = name.starts_with('#')
                || kept.contains(&slot)
                || self.krate.parsed.mentions(frame.file, name, from, frame.end)
                || spans
                    .iter()
                    .any(|&(from, to)| self.krate.parsed.mentions(frame.file, name, from, to));
            if !live && *value != Value::Gone {
                *value = Value::Gone;
            }
        }
    }
}

/// Notes that a path may have strings that do not take it.
pub(super) fn doubt(state: &mut State, note: u32) {
    if state.doubt == SURE {
        state.doubt = note;
    }
}

/// The variables that a value leads to, and the closures in it.
pub(super) fn held(value: &Value, slots: &mut FxHashSet<usize>, closures: &mut Vec<Closure>) {
    match value {
        Value::Ref(target) => {
            slots.insert(target.slot);
        }
        Value::Closure(closure) => closures.push(*closure),
        Value::Opt(Some(inner)) | Value::Res(Ok(inner) | Err(inner)) => {
            held(inner, slots, closures)
        }
        Value::Tuple(values) | Value::List(values) => {
            values.iter().for_each(|value| held(value, slots, closures));
        }
        Value::Struct(fields) => {
            fields.fields.iter().for_each(|(_, value)| held(value, slots, closures));
        }
        Value::Iter(iter) | Value::Items(iter) => {
            iter.visit(&mut |value| held(value, slots, closures))
        }
        _ => {}
    }
}

fn write_in(value: &mut Value, path: &[Step2], new: Value) -> bool {
    let Some((step, rest)) = path.split_first() else {
        *value = new;
        return true;
    };
    match (value, step) {
        (Value::Tuple(values) | Value::List(values), Step2::Index(index)) => {
            Rc::make_mut(values).get_mut(*index).is_some_and(|value| write_in(value, rest, new))
        }
        (Value::Tuple(values), Step2::Field(name)) => {
            let Ok(index) = name.parse::<usize>() else { return false };
            Rc::make_mut(values).get_mut(index).is_some_and(|value| write_in(value, rest, new))
        }
        (Value::Struct(fields), Step2::Field(name)) => {
            let fields = &mut Rc::make_mut(fields).fields;
            let found = fields.iter_mut().find(|field| field.0 == *name);
            found.is_some_and(|field| write_in(&mut field.1, rest, new))
        }
        (Value::Opt(Some(inner)) | Value::Res(Ok(inner)), Step2::Inner) => {
            write_in(Rc::make_mut(inner), rest, new)
        }
        _ => false,
    }
}

/// A name, for variables.
pub(super) fn name_of(ident: &syn::Ident) -> Name {
    ident.to_string().into()
}

/// What ends a path without a value.
pub(super) fn returned(state: State, value: Value) -> Flow<Outs> {
    Ok(vec![Out { state, exit: Exit::Return(value) }])
}
