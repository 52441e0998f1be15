//! The one door for what is not followed.
//!
//! A call that is not understood may write to all that it is given a way to: what mutable
//! references lead to, and what closures see of the variables around them. It may also panic. So
//! each such call comes through here, and forgets those variables.

use fxhash::FxHashSet;
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use super::calls::sees_more;
use super::interp::{Interp, doubt};
use super::source::Crate;
use super::state::{Exit, Outs, State};
use super::value::{Closure, Iter, Target, Value};

/// The names in a piece of source.
struct Mentioned<'k> {
    krate: &'k Crate<'k>,
    names: FxHashSet<String>,
    /// Whether a macro of the source is called, which may mention any.
    any: bool,
}

impl<'ast> Visit<'ast> for Mentioned<'_> {
    fn visit_ident(&mut self, ident: &'ast proc_macro2::Ident) {
        self.names.insert(ident.to_string());
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.any |= self.krate.defines(call);
        names_in(call.tokens.clone(), &mut self.names);
        visit::visit_macro(self, call);
    }
}

/// The names in tokens; those in format strings are only read.
fn names_in(tokens: TokenStream, names: &mut FxHashSet<String>) {
    let mut streams = vec![tokens.into_iter()];
    while let Some(stream) = streams.last_mut() {
        match stream.next() {
            Some(TokenTree::Group(group)) => streams.push(group.stream().into_iter()),
            Some(TokenTree::Ident(ident)) => {
                names.insert(ident.to_string());
            }
            Some(_) => {}
            None => {
                streams.pop();
            }
        }
    }
}

impl Interp<'_> {
    /// Forgets what a call that is not followed may write to, by what it is given.
    pub(super) fn opaque(&mut self, state: &mut State, note: u32, given: &[Value]) {
        let mut seen: FxHashSet<Target> = FxHashSet::default();
        let mut pending: Vec<Value> = given.to_vec();
        while let Some(value) = pending.pop() {
            match &value {
                Value::Ref(target) => {
                    if !seen.insert((**target).clone()) {
                        continue;
                    }
                    pending.extend(self.read(state, target));
                    if !self.write(state, target, Value::Unknown(note))
                        && let Some(var) = state.vars.get_mut(target.slot)
                    {
                        var.1 = Value::Unknown(note);
                    }
                }
                Value::Closure(closure) => {
                    // What is in it may panic.
                    doubt(state, note);
                    for slot in self.changing(state, *closure) {
                        let old = state.vars[slot].1.clone();
                        if !sees_more(&old) {
                            state.vars[slot].1 = Value::Unknown(note);
                        } else if seen.insert(Target { slot, path: Vec::new() }) {
                            pending.push(old);
                        }
                    }
                }
                Value::Opt(Some(inner)) | Value::Res(Ok(inner) | Err(inner)) => {
                    pending.push((**inner).clone());
                }
                Value::Tuple(values) | Value::List(values) => {
                    pending.extend(values.iter().cloned());
                }
                Value::Struct(of) => {
                    pending.extend(of.fields.iter().map(|field| field.1.clone()));
                }
                Value::Iter(iter) | Value::Items(iter) => {
                    iter.visit(&mut |value| pending.push(value.clone()));
                }
                _ => {}
            }
        }
    }

    /// The variables around a closure that it mentions and that it, or something else, may change.
    pub(super) fn changing(&self, state: &State, closure: Closure) -> Vec<usize> {
        let mut slots = self.seen(state, closure);
        slots.retain(|&slot| {
            let (name, value) = &state.vars[slot];
            self.krate.parsed.mutable(name) || sees_more(value)
        });
        slots
    }

    /// The variables around a closure that it mentions.
    fn seen(&self, state: &State, closure: Closure) -> Vec<usize> {
        let mut found = Mentioned { krate: self.krate, names: FxHashSet::default(), any: false };
        found.visit_expr(&self.closures[closure.number].body);
        let slots = closure.from..closure.to.min(state.vars.len());
        slots.filter(|&slot| found.any || found.names.contains(&*state.vars[slot].0)).collect()
    }

    /// Leaves the scope of the variables from a position on: what sees them any longer, such as an
    /// iterator with a closure, is not followed.
    pub(super) fn out_of_scope(&mut self, outs: &mut Outs, base: usize) {
        for out in outs.iter_mut() {
            let (Exit::Value(value) | Exit::Return(value) | Exit::Break(_, value)) = &mut out.exit
            else {
                continue;
            };
            if sees_more(value) {
                let mut closures = Vec::new();
                super::interp::held(value, &mut FxHashSet::default(), &mut closures);
                let own = |closure: &Closure| {
                    self.seen(&out.state, *closure).iter().any(|&slot| slot >= base)
                };
                if closures.iter().any(own) {
                    *value = self.lost("what outlives the variables that it sees is not followed");
                }
            }
        }
        Self::truncate(outs, base);
    }

    /// Whether an iterator gives the same items however often it is run, with no effect.
    pub(super) fn is_steady(&self, state: &State, iter: &Iter) -> bool {
        let mut steady = true;
        iter.visit(&mut |value| {
            steady &= match value {
                Value::Closure(closure) => self.changing(state, *closure).is_empty(),
                Value::Ref(_) => false,
                _ => true,
            };
        });
        steady
    }

    /// Forgets what a macro that is not followed may write to: what it mentions, and where it is
    /// one of the source, all that is in scope.
    pub(super) fn opaque_macro(&mut self, state: &mut State, note: u32, call: &syn::Macro) {
        doubt(state, note);
        let mut names = FxHashSet::default();
        names_in(call.tokens.clone(), &mut names);
        let any = self.krate.defines(call);
        let frame = self.frame();
        let (from, to) = frame.captured.unwrap_or((frame.base, frame.base));
        let slots = (from..to.min(frame.base)).chain(frame.base..state.vars.len());
        for slot in slots {
            let (name, value) = &state.vars[slot];
            if !any && !names.contains(&**name) {
                continue;
            }
            let value = value.clone();
            if sees_more(&value) {
                self.opaque(state, note, &[value]);
            } else if self.krate.parsed.mutable(&state.vars[slot].0) {
                state.vars[slot].1 = Value::Unknown(note);
            }
        }
    }
}
