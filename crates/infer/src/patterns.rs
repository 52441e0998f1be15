//! Patterns: what they match, and what they bind.

use std::rc::Rc;

use syn::visit;
use syn::{Expr, Lit, Pat};

use super::interp::{Interp, doubt, name_of};
use super::numbers::{Compare, Intervals, LEAST, MOST};
use super::source::{names, names_of};
use super::state::{Outs, State, one, unite};
use super::stop::Flow;
use super::value::{Bool, Byte, Int, Step2, Target, Text, Value};
use super::visit::{Visit, Walk};

/// The paths on which a pattern matches, with its variables, and those on which it does not.
#[derive(Default)]
pub(super) struct Matched {
    pub(super) yes: Vec<State>,
    pub(super) no: Vec<State>,
}

/// What a pattern of constants matches, as numbers or scalar values.
#[derive(Default)]
struct Constants {
    intervals: Intervals,
    texts: Vec<String>,
    bools: Vec<bool>,
    /// Those of bytes, which need not be texts.
    bytes: Vec<Vec<u8>>,
}

/// Where what is matched stands.
#[derive(Clone)]
pub(super) struct Standing {
    pub(super) target: Target,
    /// Whether a reference leads there, so that variables are references too.
    pub(super) is_lent: bool,
}

impl Standing {
    pub(super) fn inside(&self, step: Step2) -> Self {
        let mut inside = self.clone();
        inside.target.path.push(step);
        inside
    }
}

impl<'a> Interp<'a> {
    /// Matches a value with a pattern, and binds its variables.
    pub(super) fn matches(&mut self, state: State, value: Value, pat: &'a Pat) -> Flow<Matched> {
        self.matches_place(state, value, false, pat)
    }

    /// The same where the value may be a reference to the place that is matched.
    pub(super) fn matches_place(
        &mut self,
        state: State,
        value: Value,
        is_place: bool,
        pat: &'a Pat,
    ) -> Flow<Matched> {
        self.spend(1)?;
        let base = state.vars.len();
        let (value, standing) = self.standing(&state, value, is_place);
        let mut matched = self.match_at(state, value, standing, pat)?;
        for state in &mut matched.no {
            state.vars.truncate(base);
        }
        if matched.yes.len() > 1 {
            matched.yes = unite(&mut self.pool, self.level, matched.yes)?;
        }
        if matched.no.len() > 1 {
            matched.no = unite(&mut self.pool, self.level, matched.no)?;
        }
        Ok(matched)
    }

    fn standing(&self, state: &State, value: Value, is_place: bool) -> (Value, Option<Standing>) {
        match value {
            Value::Ref(target) if is_place => {
                let value = self.read(state, &target).unwrap_or(Value::Gone);
                (value, Some(Standing { target: (*target).clone(), is_lent: false }))
            }
            value => (value, None),
        }
    }

    /// What is matched with patterns: the place, if one of them lends parts of it by itself.
    pub(super) fn scrutinee(&mut self, state: State, expr: &'a Expr, lends: bool) -> Flow<Outs> {
        if !lends {
            return self.hinted(None, |interp| interp.eval(state, expr));
        }
        // A variable, though it may be a reference.
        if let Expr::Path(path) = expr
            && let Some(name) = path.path.get_ident()
            && let Some(slot) = self.slot(&state, &name.to_string())
        {
            return one(state, Value::Ref(Rc::new(Target { slot, path: Vec::new() })));
        }
        self.hinted(None, |interp| interp.lend(state, expr))
    }

    pub(super) fn match_at(
        &mut self,
        state: State,
        value: Value,
        target: Option<Standing>,
        pat: &'a Pat,
    ) -> Flow<Matched> {
        if let Value::Ref(inner) = &value
            && !matches!(pat, Pat::Ident(ident) if ident.subpat.is_none() && !self.is_unit(&ident.ident))
            && !matches!(pat, Pat::Wild(_))
        {
            let inner = (**inner).clone();
            let value = self.read(&state, &inner).unwrap_or(Value::Gone);
            return self.match_at(
                state,
                value,
                Some(Standing { target: inner, is_lent: true }),
                pat,
            );
        }
        let all = |state: State| Matched { yes: vec![state], no: Vec::new() };
        let inside = |step: Step2| target.as_ref().map(|target| target.inside(step));
        match pat {
            Pat::Wild(_) | Pat::Rest(_) => Ok(all(state)),
            Pat::Paren(pat) => self.match_at(state, value, target, &pat.pat),
            Pat::Type(pat) => self.match_at(state, value, target, &pat.pat),
            Pat::Reference(pat) => {
                // What is behind the reference is copied.
                let target = target.map(|target| Standing { is_lent: false, ..target });
                self.match_at(state, value, target, &pat.pat)
            }
            Pat::Ident(ident) if !self.is_unit(&ident.ident) || ident.subpat.is_some() => {
                let lends = ident.by_ref.is_some() && ident.mutability.is_some();
                let bound = match &target {
                    Some(standing) if standing.is_lent || lends => {
                        Value::Ref(Rc::new(standing.target.clone()))
                    }
                    _ => value.clone(),
                };
                let name = name_of(&ident.ident);
                match &ident.subpat {
                    None => {
                        let mut state = state;
                        state.vars.push((name, bound));
                        Ok(all(state))
                    }
                    Some((_, pat)) => {
                        let mut matched = self.match_at(state, value, target, pat)?;
                        for state in &mut matched.yes {
                            state.vars.push((name.clone(), bound.clone()));
                        }
                        Ok(matched)
                    }
                }
            }
            _ if matches!(value, Value::Unknown(_) | Value::Gone) => {
                self.match_unknown(state, &value, pat)
            }
            Pat::Or(or) => {
                if let Some(constants) = self.constants(pat)? {
                    return self.match_constants(state, &value, &constants);
                }
                let base = state.vars.len();
                let mut matched = Matched { yes: Vec::new(), no: vec![state] };
                for case in &or.cases {
                    let mut left = Vec::new();
                    for mut state in std::mem::take(&mut matched.no) {
                        state.vars.truncate(base);
                        let next = self.match_at(state, value.clone(), target.clone(), case)?;
                        matched.yes.extend(next.yes);
                        left.extend(next.no);
                    }
                    matched.no = left;
                }
                // Each case binds the same names, but perhaps in another order.
                for state in &mut matched.yes {
                    state.vars[base..].sort_by(|a, b| a.0.cmp(&b.0));
                }
                Ok(matched)
            }
            Pat::Lit(_) | Pat::Range(_) | Pat::Const(_) => match self.constants(pat)? {
                Some(constants) => self.match_constants(state, &value, &constants),
                None => self.match_lost(state, &value, target.as_ref(), pat),
            },
            Pat::Ident(ident) => self.match_path(state, value, &[ident.ident.to_string()], pat),
            Pat::Path(path) => self.match_path(state, value, &names_of(path), pat),
            Pat::TupleStruct(tuple) => {
                let name = names(&tuple.path).pop().unwrap_or_default();
                let inner = match (&*name, &value) {
                    ("Some", Value::Opt(Some(inner))) | ("Ok", Value::Res(Ok(inner))) => {
                        Some((**inner).clone())
                    }
                    ("Err", Value::Res(Err(inner))) => Some((**inner).clone()),
                    ("Some" | "Ok" | "Err", Value::Opt(_) | Value::Res(_)) => None,
                    (_, Value::Struct(fields)) => {
                        if self.is_other_name(&name, &fields.name) {
                            return self.match_lost(state, &value, target.as_ref(), pat);
                        }
                        if *fields.name != *name && !self.renamed(&name, &fields.name) {
                            return Ok(Matched { yes: Vec::new(), no: vec![state] });
                        }
                        let values: Vec<Value> =
                            fields.fields.iter().map(|field| field.1.clone()).collect();
                        let steps = (0..values.len())
                            .map(|i| Step2::Field(i.to_string().into()))
                            .map(inside)
                            .collect();
                        return self.match_all(state, values, steps, &tuple.elems);
                    }
                    _ => return self.match_lost(state, &value, target.as_ref(), pat),
                };
                match (inner, tuple.elems.first()) {
                    (Some(inner), Some(pat)) => {
                        self.match_at(state, inner, inside(Step2::Inner), pat)
                    }
                    (Some(_), None) => Ok(all(state)),
                    (None, _) => Ok(Matched { yes: Vec::new(), no: vec![state] }),
                }
            }
            Pat::Tuple(tuple) => match &value {
                Value::Tuple(values) => {
                    let steps = (0..values.len()).map(|i| inside(Step2::Index(i))).collect();
                    self.match_all(state, (**values).clone(), steps, &tuple.elems)
                }
                Value::Unit => Ok(all(state)),
                _ => self.match_lost(state, &value, target.as_ref(), pat),
            },
            Pat::Struct(fields) => {
                let Value::Struct(of) = &value else {
                    return self.match_lost(state, &value, target.as_ref(), pat);
                };
                let name = names(&fields.path).pop().unwrap_or_default();
                if self.is_other_name(&name, &of.name) {
                    return self.match_lost(state, &value, target.as_ref(), pat);
                }
                if *of.name != *name && !self.renamed(&name, &of.name) {
                    return Ok(Matched { yes: Vec::new(), no: vec![state] });
                }
                let mut matched = Matched { yes: vec![state], no: Vec::new() };
                for field in &fields.fields {
                    let member = member(&field.member);
                    let value = of.fields.iter().find(|own| *own.0 == *member);
                    let value = value.map_or(Value::Gone, |own| own.1.clone());
                    let target = inside(Step2::Field(member.into()));
                    let mut next = Matched { yes: Vec::new(), no: matched.no };
                    for state in matched.yes {
                        let more =
                            self.match_at(state, value.clone(), target.clone(), &field.pat)?;
                        next.yes.extend(more.yes);
                        next.no.extend(more.no);
                    }
                    matched = next;
                }
                Ok(matched)
            }
            Pat::Slice(slice) => self.match_slice(state, value, target, slice, pat),
            _ => self.match_lost(state, &value, target.as_ref(), pat),
        }
    }

    /// The alternatives of a pattern, of which it matters which one matches.
    pub(super) fn alternatives(&self, pat: &'a Pat) -> Vec<&'a Pat> {
        let mut found = Vec::new();
        let mut pending = vec![pat];
        while let Some(pat) = pending.pop() {
            match pat {
                Pat::Or(or) if self.binds(pat) => pending.extend(or.cases.iter().rev()),
                Pat::Paren(paren) => pending.push(&paren.pat),
                _ => found.push(pat),
            }
        }
        found
    }

    /// Whether alternatives inside of a pattern bind variables.
    pub(super) fn chooses(&self, pat: &Pat) -> bool {
        struct Choices<'p>(Vec<&'p Pat>);
        impl<'p> Visit<'p> for Choices<'p> {
            fn walk(&mut self) -> Walk<'_, 'p> {
                Walk(self)
            }

            fn visit_pat_or(&mut self, or: &'p syn::PatOr) {
                self.0.extend(&or.cases);
            }
        }
        let mut choices = Choices(Vec::new());
        choices.visit_pat(pat);
        choices.0.into_iter().any(|pat| self.binds(pat))
    }

    pub(super) fn binds(&self, pat: &Pat) -> bool {
        let mut bound = Vec::new();
        bindings(pat, &mut bound);
        bound.iter().any(|name| name != "None" && !self.krate.units.contains(name))
    }

    /// Whether one of two names of structs may be another name of the same.
    fn renamed(&self, a: &str, b: &str) -> bool {
        a == "Self" || [a, b].iter().any(|name| self.krate.aliases.contains(*name))
    }

    /// Whether one of two names was given where something was imported, so that they may be of the
    /// same or not.
    fn is_other_name(&self, a: &str, b: &str) -> bool {
        a != b && [a, b].iter().any(|name| self.krate.renames.contains(*name))
    }

    fn is_unit(&self, name: &syn::Ident) -> bool {
        name == "None" || self.krate.units.contains(&name.to_string())
    }

    fn match_all(
        &mut self,
        state: State,
        values: Vec<Value>,
        targets: Vec<Option<Standing>>,
        pats: &'a syn::punctuated::Punctuated<Pat, syn::Token![,]>,
    ) -> Flow<Matched> {
        let mut matched = Matched { yes: vec![state], no: Vec::new() };
        let rest = pats.iter().position(|pat| matches!(pat, Pat::Rest(_)));
        let skipped = values.len().saturating_sub(pats.len().saturating_sub(1));
        for (i, pat) in pats.iter().enumerate() {
            if Some(i) == rest {
                continue;
            }
            let place = if rest.is_some_and(|rest| i > rest) { i + skipped - 1 } else { i };
            let value = values.get(place).cloned().unwrap_or(Value::Gone);
            let target = targets.get(place).cloned().flatten();
            let mut next = Matched { yes: Vec::new(), no: matched.no };
            for state in matched.yes {
                let more = self.match_at(state, value.clone(), target.clone(), pat)?;
                next.yes.extend(more.yes);
                next.no.extend(more.no);
            }
            matched = next;
        }
        Ok(matched)
    }

    fn match_path(
        &mut self,
        state: State,
        value: Value,
        path: &[String],
        pat: &'a Pat,
    ) -> Flow<Matched> {
        let name = path.last().map_or("", String::as_str);
        let is = match &value {
            Value::Opt(inner) if name == "None" => inner.is_none(),
            Value::Struct(of) if *of.name == *name => true,
            Value::Struct(of) => match self.constant(path)? {
                None if self.krate.may_be_constant(path) || self.is_other_name(name, &of.name) => {
                    return self.match_unknown(state, &value, pat);
                }
                None => false,
                Some(constant) => {
                    let holds = self.compare_values(&value, Compare::Equal, &constant)?;
                    let (yes, no) = self.branch(state, &holds)?;
                    return Ok(Matched {
                        yes: yes.into_iter().collect(),
                        no: no.into_iter().collect(),
                    });
                }
            },
            _ => {
                return match self.constants(pat)? {
                    Some(constants) => self.match_constants(state, &value, &constants),
                    None => self.match_unknown(state, &value, pat),
                };
            }
        };
        Ok(if is {
            Matched { yes: vec![state], no: Vec::new() }
        } else {
            Matched { yes: Vec::new(), no: vec![state] }
        })
    }

    /// The same where a variable may be what is matched, or lead to it.
    pub(super) fn match_lost(
        &mut self,
        state: State,
        value: &Value,
        standing: Option<&Standing>,
        pat: &'a Pat,
    ) -> Flow<Matched> {
        let mut matched = self.match_unknown(state, value, pat)?;
        if let Some(standing) = standing
            && (standing.is_lent || lends(pat))
            && self.binds(pat)
        {
            let note = self.lost_note("a pattern is not followed");
            for state in &mut matched.yes {
                self.forget_standing(state, note, standing);
            }
        }
        Ok(matched)
    }

    pub(super) fn forget_standing(&mut self, state: &mut State, note: u32, standing: &Standing) {
        let lent = Value::Ref(Rc::new(standing.target.clone()));
        self.opaque_writes(state, note, &[lent]);
    }

    /// As [`Interp::match_unknown`], of what may be a place.
    pub(super) fn match_unknown_place(
        &mut self,
        state: State,
        value: &Value,
        is_place: bool,
        pat: &'a Pat,
    ) -> Flow<Matched> {
        let (value, standing) = match value {
            Value::Ref(target) if !is_place => {
                let value = self.deref(&state, value.clone());
                (value, Some(Standing { target: (**target).clone(), is_lent: true }))
            }
            value => self.standing(&state, value.clone(), is_place),
        };
        self.match_lost(state, &value, standing.as_ref(), pat)
    }

    /// Whether a pattern matches is not known; its variables are not either.
    pub(super) fn match_unknown(
        &mut self,
        state: State,
        value: &Value,
        pat: &'a Pat,
    ) -> Flow<Matched> {
        let note = match value {
            Value::Unknown(note) => *note,
            _ => match self.unknown(pat, "a pattern is not followed") {
                Value::Unknown(note) => note,
                _ => 0,
            },
        };
        let irrefutable = matches!(pat, Pat::Tuple(tuple)
            if tuple.elems.iter().all(|pat| matches!(pat, Pat::Ident(_) | Pat::Wild(_))));
        let mut yes = state.clone();
        let mut bound = Vec::new();
        bindings(pat, &mut bound);
        // Alternatives bind the same names.
        bound.sort();
        bound.dedup();
        for name in bound {
            if name != "None" && !self.krate.units.contains(&name) {
                yes.vars.push((name.into(), Value::Unknown(note)));
            }
        }
        if irrefutable {
            return Ok(Matched { yes: vec![yes], no: Vec::new() });
        }
        let mut no = state;
        doubt(&mut yes, note);
        doubt(&mut no, note);
        Ok(Matched { yes: vec![yes], no: vec![no] })
    }

    /// The constants that a pattern matches, if it is made of constants.
    fn constants(&mut self, pat: &'a Pat) -> Flow<Option<Constants>> {
        let mut found = Constants::default();
        let mut pending = vec![pat];
        while let Some(pat) = pending.pop() {
            match pat {
                Pat::Or(or) => pending.extend(&or.cases),
                Pat::Paren(paren) => pending.push(&paren.pat),
                Pat::Lit(literal) => match self.literal(&literal.lit) {
                    Some(value) => found.add(&value),
                    None => return Ok(None),
                },
                Pat::Ident(ident) if self.is_unit(&ident.ident) => {
                    match self.constant(&[ident.ident.to_string()])? {
                        Some(value) if constant(&value) => found.add(&value),
                        _ => return Ok(None),
                    }
                }
                Pat::Path(path) => match self.constant(&names_of(path))? {
                    Some(value) if constant(&value) => found.add(&value),
                    _ => return Ok(None),
                },
                Pat::Range(range) => {
                    let mut ends = [LEAST, MOST];
                    for (i, end) in [&range.start, &range.end].into_iter().enumerate() {
                        let Some(end) = end else { continue };
                        let Some(number) = self.scalar(end)? else { return Ok(None) };
                        ends[i] = number;
                    }
                    if range.end.is_some() && matches!(range.limits, syn::RangeLimits::HalfOpen(_))
                    {
                        ends[1] -= 1;
                    }
                    found.intervals.push((ends[0], ends[1]));
                }
                _ => return Ok(None),
            }
        }
        found.normalise();
        Ok(Some(found))
    }

    /// A constant expression as a number or scalar value.
    fn scalar(&mut self, expr: &'a Expr) -> Flow<Option<i128>> {
        let value = match expr {
            Expr::Lit(literal) => self.literal(&literal.lit),
            Expr::Path(path) => self.constant(&names_of(path))?,
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
                return Ok(match &*unary.expr {
                    Expr::Lit(literal) => match self.literal(&literal.lit) {
                        Some(Value::Int(Int::Known(n))) => Some(-n),
                        _ => None,
                    },
                    _ => None,
                });
            }
            _ => None,
        };
        Ok(value.as_ref().and_then(scalar_of))
    }

    fn match_constants(
        &mut self,
        state: State,
        value: &Value,
        constants: &Constants,
    ) -> Flow<Matched> {
        if let Value::Items(iter) = value {
            let mut matched = Matched { yes: Vec::new(), no: vec![state] };
            for bytes in &constants.bytes {
                for state in std::mem::take(&mut matched.no) {
                    let outs = self.items_equal(state, (**iter).clone(), &known_bytes(bytes))?;
                    for (state, same) in super::iter::values_of(outs) {
                        let (yes, no) = self.branch(state, &same)?;
                        matched.yes.extend(yes);
                        matched.no.extend(no);
                    }
                }
            }
            return Ok(matched);
        }
        let holds = self.is_one_of(value, constants)?;
        let holds = match holds {
            Some(bool) => Value::Bool(bool),
            None => self.lost("a comparison with constants is not followed"),
        };
        let (yes, no) = self.branch(state, &holds)?;
        Ok(Matched { yes: yes.into_iter().collect(), no: no.into_iter().collect() })
    }

    fn is_one_of(&mut self, value: &Value, constants: &Constants) -> Flow<Option<Bool>> {
        match value {
            Value::Char(text) => {
                let lang = self.pool.set(&ranges_of(&constants.intervals))?;
                self.text_in(text, lang)
            }
            Value::Byte(byte) => self.byte_in(byte, &bytes_of(&constants.intervals)),
            Value::Int(int) => self.int_in(int, &constants.intervals),
            Value::Str(text) | Value::Bytes(text) => {
                let mut lang = super::pool::NONE;
                for literal in &constants.texts {
                    let one = self.pool.literal(literal)?;
                    lang = self.pool.union(lang, one)?;
                }
                self.text_in(text, lang)
            }
            Value::List(_) => {
                let mut any = Value::known(false);
                for bytes in &constants.bytes {
                    let bytes = Value::List(known_bytes(bytes));
                    let same =
                        self.compare_values(value, super::numbers::Compare::Equal, &bytes)?;
                    any = self.or(&any, &same)?;
                }
                Ok(match any {
                    Value::Bool(bool) => Some(bool),
                    _ => None,
                })
            }
            Value::Bool(bool) => {
                let (t, f) = (constants.bools.contains(&true), constants.bools.contains(&false));
                Ok(Some(match (t, f) {
                    (true, true) => Bool::Known(true),
                    (true, false) => bool.clone(),
                    _ => super::texts::negated(bool.clone()),
                }))
            }
            _ => Ok(None),
        }
    }
}

impl Constants {
    fn add(&mut self, value: &Value) {
        match value {
            Value::Str(text) => self.texts.extend(text.constant().map(|text| text.to_string())),
            Value::Bytes(text) => {
                let text = text.constant();
                self.bytes.extend(text.as_ref().map(|text| text.as_bytes().to_vec()));
                self.texts.extend(text.map(|text| text.to_string()));
            }
            Value::List(values) => self.bytes.extend(bytes_if_known(values)),
            Value::Bool(Bool::Known(bool)) => self.bools.push(*bool),
            other => self.intervals.extend(scalar_of(other).map(|n| (n, n))),
        }
    }

    fn normalise(&mut self) {
        self.intervals.sort_unstable();
        let mut joined: Intervals = Vec::new();
        for &(low, high) in &self.intervals {
            match joined.last_mut() {
                Some(last) if low <= last.1 + 1 => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        self.intervals = joined;
    }
}

fn constant(value: &Value) -> bool {
    match value {
        Value::Str(text) => text.constant().is_some(),
        Value::Bool(Bool::Known(_)) => true,
        other => scalar_of(other).is_some(),
    }
}

/// A constant as a number: that of a character, a byte or a number.
pub(super) fn scalar_of(value: &Value) -> Option<i128> {
    match value {
        Value::Int(Int::Known(n)) => Some(*n),
        Value::Char(text) => Interp::constant_char(text).map(|c| i128::from(u32::from(c))),
        Value::Byte(Byte::Known(b)) => Some((*b).into()),
        Value::Byte(Byte::Ascii(text)) => {
            Interp::constant_char(text).map(|c| i128::from(u32::from(c)))
        }
        _ => None,
    }
}

/// The characters with numbers in some intervals.
pub(super) fn ranges_of(intervals: &[(i128, i128)]) -> Vec<(u32, u32)> {
    let within = |&(low, high): &(i128, i128)| {
        let (low, high) = (low.max(0), high.min(0x10_FFFF));
        Some((u32::try_from(low).ok()?, u32::try_from(high).ok()?))
    };
    intervals.iter().filter_map(within).filter(|range| range.0 <= range.1).collect()
}

/// The bytes in some intervals.
pub(super) fn bytes_of(intervals: &[(i128, i128)]) -> [bool; 256] {
    std::array::from_fn(|byte| super::numbers::within(byte as i128, intervals))
}

/// The name or number of a field.
pub(super) fn member(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => name.to_string(),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}

/// Whether a pattern lends parts of what it matches to be written to, by `ref mut`.
pub(super) fn lends(pat: &Pat) -> bool {
    struct Lent(bool);
    impl<'p> Visit<'p> for Lent {
        fn walk(&mut self) -> Walk<'_, 'p> {
            Walk(self)
        }

        fn visit_pat_ident(&mut self, ident: &'p syn::PatIdent) {
            self.0 |= ident.by_ref.is_some() && ident.mutability.is_some();
            visit::visit_pat_ident(&mut self.walk(), ident);
        }
    }
    let mut lent = Lent(false);
    lent.visit_pat(pat);
    lent.0
}

/// The variables of a pattern, in order.
pub(super) fn bindings(pat: &Pat, bound: &mut Vec<String>) {
    match pat {
        Pat::Ident(ident) => {
            if let Some((_, pat)) = &ident.subpat {
                bindings(pat, bound);
            }
            bound.push(ident.ident.to_string());
        }
        Pat::Paren(pat) => bindings(&pat.pat, bound),
        Pat::Type(pat) => bindings(&pat.pat, bound),
        Pat::Reference(pat) => bindings(&pat.pat, bound),
        Pat::Or(or) => or.cases.iter().for_each(|pat| bindings(pat, bound)),
        Pat::Tuple(tuple) => tuple.elems.iter().for_each(|pat| bindings(pat, bound)),
        Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|pat| bindings(pat, bound)),
        Pat::Slice(slice) => slice.elems.iter().for_each(|pat| bindings(pat, bound)),
        Pat::Struct(fields) => fields.fields.iter().for_each(|field| bindings(&field.pat, bound)),
        _ => {}
    }
}

/// Bytes that are known, as a list.
pub(super) fn known_bytes(bytes: &[u8]) -> Rc<Vec<Value>> {
    Rc::new(bytes.iter().map(|&byte| Value::Byte(Byte::Known(byte))).collect())
}

/// The bytes of a list of which all are known.
pub(super) fn bytes_if_known(values: &[Value]) -> Option<Vec<u8>> {
    let byte = |value: &Value| match value {
        Value::Byte(Byte::Known(byte)) => Some(*byte),
        Value::Byte(Byte::Ascii(text)) => Interp::constant_char(text)?.try_into().ok(),
        Value::Int(Int::Known(n)) => u8::try_from(*n).ok(),
        _ => None,
    };
    values.iter().map(byte).collect()
}

/// What a literal is.
pub(super) fn literal_value(literal: &Lit) -> Option<Value> {
    Some(match literal {
        Lit::Str(text) => Value::Str(Text::literal(&text.value())),
        Lit::ByteStr(bytes) => {
            let bytes = bytes.value();
            match std::str::from_utf8(&bytes) {
                Ok(text) => Value::Bytes(Text::literal(text)),
                Err(_) => Value::List(known_bytes(&bytes)),
            }
        }
        Lit::Char(c) => Value::Char(Text::literal(c.value().encode_utf8(&mut [0; 4]))),
        Lit::Byte(byte) => Value::Byte(Byte::Known(byte.value())),
        Lit::Int(int) => {
            let number = int.base10_parse::<i128>().ok()?;
            Value::int(Some(number).filter(|&number| number <= super::numbers::MOST / 2)?)
        }
        Lit::Bool(bool) => Value::known(bool.value),
        _ => return None,
    })
}
