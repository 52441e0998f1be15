//! Expressions and statements.

use std::rc::Rc;

use syn::spanned::Spanned;
use syn::{BinOp, Block, Expr, Pat, Stmt, UnOp};

use super::interp::{Interp, doubt, name_of, returned};
use super::loops::Loop;
use super::numbers::Compare;
use super::patterns::{literal_value, member, scalar_of};
use super::source::{Indices, MacroBody, address, names};
use super::state::{Exit, Out, Outs, State, one, unite};
use super::stop::Flow;
use super::texts::not;
use super::value::{
    Bool, Byte, Int, Name, Number, Part, Range, Source, Step, Step2, Struct, Target, Text, Unit,
    Value,
};

/// Where a condition holds, where it does not, and how else it may end.
pub(super) struct Tested {
    pub(super) yes: Vec<State>,
    pub(super) no: Vec<State>,
    pub(super) others: Outs,
}

impl<'a> Interp<'a> {
    /// Evaluates an expression.
    pub(super) fn eval(&mut self, state: State, expr: &'a Expr) -> Flow<Outs> {
        self.spend(1)?;
        let outer = self.current.replace(expr);
        let outs = self.eval_kind(state, expr);
        self.current = outer;
        outs
    }

    fn eval_kind(&mut self, state: State, expr: &'a Expr) -> Flow<Outs> {
        match expr {
            Expr::Lit(literal) => match self.literal(&literal.lit) {
                Some(value) => one(state, value),
                None => {
                    let value = self.unknown(expr, "a literal of this kind is not followed");
                    one(state, value)
                }
            },
            Expr::Paren(inner) => self.eval(state, &inner.expr),
            Expr::Group(inner) => self.eval(state, &inner.expr),
            Expr::Path(path) => self.eval_path(state, &path.path, expr),
            Expr::Block(block) => self.eval_labelled(state, block),
            Expr::Unsafe(block) => self.eval_block(state, &block.block),
            Expr::Const(block) => self.eval_block(state, &block.block),
            Expr::If(branch) => self.eval_if(state, branch),
            Expr::Match(matched) => self.eval_match(state, matched),
            Expr::Let(_) => {
                let tested = self.test(state, expr)?;
                self.tested(tested)
            }
            Expr::Binary(binary) => self.eval_binary(state, binary, expr),
            Expr::Unary(unary) => self.eval_unary(state, unary, expr),
            Expr::Assign(assign) => {
                let outs = self.eval(state, &assign.right)?;
                self.then(outs, |interp, state, value| interp.assign(state, &assign.left, value))
            }
            Expr::Call(call) => self.eval_call(state, call, expr),
            Expr::MethodCall(call) => self.eval_method(state, call, expr),
            Expr::Field(field) => {
                let outs = self.eval(state, &field.base)?;
                let member = member(&field.member);
                self.then(outs, |interp, state, value| {
                    let value = interp.deref(&state, value);
                    let value = match &value {
                        Value::Tuple(values) => {
                            member.parse().ok().and_then(|i: usize| values.get(i).cloned())
                        }
                        Value::Struct(fields) => {
                            fields.fields.iter().find(|f| *f.0 == *member).map(|f| f.1.clone())
                        }
                        Value::Unknown(_) => Some(value.clone()),
                        _ => None,
                    };
                    let value = value
                        .unwrap_or_else(|| interp.lost("a field of something is not followed"));
                    one(state, value)
                })
            }
            Expr::Index(index) => {
                let outs = self.eval_all(state, [&*index.expr, &*index.index].into_iter())?;
                self.then_all(outs, |interp, state, values| {
                    let [base, index] = &values[..] else { return Ok(Vec::new()) };
                    let base = interp.deref(&state, base.clone());
                    let index = interp.deref(&state, index.clone());
                    interp.index(state, base, index)
                })
            }
            Expr::Range(range) => {
                let ends = [range.start.as_deref(), range.end.as_deref()];
                let outs = self.eval_all(state, ends.into_iter().flatten())?;
                let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
                self.then_all(outs, |interp, state, values| {
                    let mut values = values
                        .into_iter()
                        .map(|value| interp.deref(&state, value))
                        .collect::<Vec<_>>()
                        .into_iter();
                    let from = range.start.as_ref().and_then(|_| values.next());
                    let to = range.end.as_ref().and_then(|_| values.next());
                    one(state, Value::Range(Rc::new(Range { from, to, inclusive })))
                })
            }
            Expr::Reference(reference) => {
                if reference.mutability.is_some()
                    && let Some((state, target)) = self.place(state.clone(), &reference.expr)?
                {
                    return one(state, Value::Ref(Rc::new(target)));
                }
                self.eval(state, &reference.expr)
            }
            Expr::Tuple(tuple) => {
                let outs = self.eval_all(state, tuple.elems.iter())?;
                self.then_all(outs, |_, state, values| one(state, Value::tuple(values)))
            }
            Expr::Array(array) => {
                let outs = self.eval_all(state, array.elems.iter())?;
                self.then_all(outs, |_, state, values| one(state, Value::List(Rc::new(values))))
            }
            Expr::Repeat(repeat) => self.eval_repeat(state, &repeat.expr, &repeat.len),
            Expr::Return(ret) => match &ret.expr {
                None => returned(state, Value::Unit),
                Some(value) => {
                    let outs = self.eval(state, value)?;
                    self.then(outs, |_, state, value| returned(state, value))
                }
            },
            Expr::Break(exit) => {
                let label = exit.label.as_ref().map(|label| name_of(&label.ident));
                let outs = match &exit.expr {
                    None => one(state, Value::Unit)?,
                    Some(value) => self.eval(state, value)?,
                };
                self.then(outs, |_, state, value| {
                    Ok(vec![Out { state, exit: Exit::Break(label.clone(), value) }])
                })
            }
            Expr::Continue(exit) => {
                let label = exit.label.as_ref().map(|label| name_of(&label.ident));
                Ok(vec![Out { state, exit: Exit::Continue(label) }])
            }
            Expr::Loop(inner) => self.eval_loop(state, inner, expr),
            Expr::While(inner) => self.eval_while(state, inner, expr),
            Expr::ForLoop(inner) => self.eval_for(state, inner, expr),
            Expr::Try(inner) => {
                let outs = self.eval(state, &inner.expr)?;
                self.then(outs, |interp, state, value| {
                    let value = interp.deref(&state, value);
                    match value {
                        Value::Opt(Some(inner)) | Value::Res(Ok(inner)) => {
                            one(state, (*inner).clone())
                        }
                        Value::Opt(None) => returned(state, Value::none()),
                        Value::Res(Err(inner)) => returned(state, Value::Res(Err(inner))),
                        other => {
                            let note = match other {
                                Value::Unknown(note) => note,
                                _ => interp.lost_note("what `?` is applied to is not followed"),
                            };
                            let mut state = state;
                            doubt(&mut state, note);
                            one(state, Value::Unknown(note))
                        }
                    }
                })
            }
            Expr::Closure(closure) => {
                let value = self.closure(&state, closure);
                one(state, value)
            }
            Expr::Macro(call) => self.eval_macro(state, &call.mac, expr),
            Expr::Cast(cast) => {
                let outs = self.eval(state, &cast.expr)?;
                let to = super::source::type_name(&cast.ty);
                self.then(outs, |interp, state, value| {
                    let value = interp.deref(&state, value);
                    interp.cast(state, value, &to)
                })
            }
            Expr::Struct(made) => {
                let outs = self.eval_all(state, made.fields.iter().map(|field| &field.expr))?;
                let name: Name = names(&made.path).pop().unwrap_or_default().into();
                self.then_all(outs, |_, state, values| {
                    let fields = made
                        .fields
                        .iter()
                        .zip(values)
                        .map(|(field, value)| (member(&field.member).into(), value))
                        .collect();
                    let fields = Struct { name: Rc::clone(&name), fields };
                    one(state, Value::Struct(Rc::new(fields)))
                })
            }
            other => {
                let value = self.unknown(other, "an expression of this kind is not followed");
                one(state, value)
            }
        }
    }

    /// What a literal is.
    pub(super) fn literal(&self, literal: &syn::Lit) -> Option<Value> {
        literal_value(literal)
    }

    /// Something that is not followed, at the expression at hand.
    pub(super) fn lost(&mut self, message: &str) -> Value {
        Value::Unknown(self.lost_note(message))
    }

    pub(super) fn lost_note(&mut self, message: &str) -> u32 {
        let spot = match self.current {
            Some(expr) => self.spot(expr),
            None => {
                let frame = self.frame();
                super::interp::Spot { file: frame.file, line: frame.end.line, column: 1 }
            }
        };
        self.note(spot, message)
    }

    /// Evaluates expressions one after the other, each in what the one before left.
    pub(super) fn eval_all(
        &mut self,
        state: State,
        exprs: impl Iterator<Item = &'a Expr>,
    ) -> Flow<Vec<(Out, Vec<Value>)>> {
        let mut ways = vec![(state.with(Value::Unit), Vec::new())];
        for expr in exprs {
            let mut next = Vec::new();
            for (out, values) in ways {
                if !matches!(out.exit, Exit::Value(_)) {
                    next.push((out, values));
                    continue;
                }
                for out in self.eval(out.state, expr)? {
                    let mut values: Vec<Value> = values.clone();
                    if let Exit::Value(value) = &out.exit {
                        values.push(value.clone());
                    }
                    next.push((out, values));
                }
            }
            ways = next;
        }
        Ok(ways)
    }

    pub(super) fn then_all(
        &mut self,
        ways: Vec<(Out, Vec<Value>)>,
        mut next: impl FnMut(&mut Self, State, Vec<Value>) -> Flow<Outs>,
    ) -> Flow<Outs> {
        let mut outs = Vec::new();
        for (out, values) in ways {
            match out.exit {
                Exit::Value(_) => outs.extend(next(self, out.state, values)?),
                _ => outs.push(out),
            }
        }
        self.bounded(outs)
    }

    /// A block with its own variables.
    pub(super) fn eval_block(&mut self, state: State, block: &'a Block) -> Flow<Outs> {
        let base = state.vars.len();
        let mut outs = one(state, Value::Unit)?;
        for statement in &block.stmts {
            if outs.is_empty() {
                break;
            }
            outs = self.then(outs, |interp, state, _| interp.eval_statement(state, statement))?;
            if matches!(statement, Stmt::Expr(Expr::If(_) | Expr::Match(_), _) | Stmt::Local(_)) {
                let behind = self.span(statement).1;
                outs = self.forget(outs, behind)?;
            }
        }
        Self::truncate(&mut outs, base);
        self.bounded(outs)
    }

    fn eval_labelled(&mut self, state: State, block: &'a syn::ExprBlock) -> Flow<Outs> {
        let mut outs = self.eval_block(state, &block.block)?;
        if let Some(label) = &block.label {
            let label = name_of(&label.name.ident);
            for out in &mut outs {
                if let Exit::Break(Some(to), value) = &out.exit
                    && *to == label
                {
                    out.exit = Exit::Value(value.clone());
                }
            }
        }
        self.bounded(outs)
    }

    fn eval_statement(&mut self, state: State, statement: &'a Stmt) -> Flow<Outs> {
        match statement {
            Stmt::Item(_) => one(state, Value::Unit),
            Stmt::Macro(call) => self.eval_macro_at(state, &call.mac, &call.mac),
            Stmt::Expr(expr, semicolon) => {
                let outs = self.eval(state, expr)?;
                if semicolon.is_none() {
                    return Ok(outs);
                }
                self.then(outs, |_, state, _| one(state, Value::Unit))
            }
            Stmt::Local(local) => {
                let Some(init) = &local.init else {
                    let mut state = state;
                    if let Some(name) = super::source::variable(&local.pat) {
                        state.vars.push((name, Value::Gone));
                    }
                    return one(state, Value::Unit);
                };
                let hint = match &local.pat {
                    Pat::Type(typed) => Some(super::calls::Hint::of(&typed.ty)),
                    _ => None,
                };
                let outer = std::mem::replace(&mut self.hint, hint);
                let outs = self.eval(state, &init.expr);
                self.hint = outer;
                self.then(outs?, |interp, state, value| {
                    let base = state.vars.len();
                    let matched = interp.matches(state, value, &local.pat)?;
                    let mut outs: Outs =
                        matched.yes.into_iter().map(|state| state.with(Value::Unit)).collect();
                    if let Some((_, otherwise)) = &init.diverge {
                        for state in matched.no {
                            let mut ends = interp.eval(state, otherwise)?;
                            ends.retain(|out| !matches!(out.exit, Exit::Value(_)));
                            Self::truncate(&mut ends, base);
                            outs.extend(ends);
                        }
                    }
                    Ok(outs)
                })
            }
        }
    }

    fn tested(&mut self, tested: Tested) -> Flow<Outs> {
        let mut outs = tested.others;
        outs.extend(tested.yes.into_iter().map(|state| state.with(Value::known(true))));
        outs.extend(tested.no.into_iter().map(|state| state.with(Value::known(false))));
        self.bounded(outs)
    }

    /// Evaluates a condition, with `let` in it: where it holds, its variables are bound.
    pub(super) fn test(&mut self, state: State, expr: &'a Expr) -> Flow<Tested> {
        let base = state.vars.len();
        let mut tested = Tested { yes: Vec::new(), no: Vec::new(), others: Vec::new() };
        match expr {
            Expr::Paren(inner) => return self.test(state, &inner.expr),
            Expr::Let(bound) => {
                for out in self.eval(state, &bound.expr)? {
                    let Exit::Value(value) = out.exit else {
                        tested.others.push(out);
                        continue;
                    };
                    let matched = self.matches(out.state, value, &bound.pat)?;
                    tested.yes.extend(matched.yes);
                    tested.no.extend(matched.no);
                }
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
                let first = self.test(state, &binary.left)?;
                tested.no = first.no;
                tested.others = first.others;
                for state in first.yes {
                    let second = self.test(state, &binary.right)?;
                    tested.yes.extend(second.yes);
                    tested.no.extend(second.no);
                    tested.others.extend(second.others);
                }
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::Or(_)) => {
                let first = self.test(state, &binary.left)?;
                tested.yes = first.yes;
                tested.others = first.others;
                for state in first.no {
                    let second = self.test(state, &binary.right)?;
                    tested.yes.extend(second.yes);
                    tested.no.extend(second.no);
                    tested.others.extend(second.others);
                }
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                let inner = self.test(state, &unary.expr)?;
                tested = Tested { yes: inner.no, no: inner.yes, others: inner.others };
            }
            _ => {
                for out in self.eval(state, expr)? {
                    let Exit::Value(value) = out.exit else {
                        tested.others.push(out);
                        continue;
                    };
                    let (yes, no) = self.branch(out.state, &value)?;
                    tested.yes.extend(yes);
                    tested.no.extend(no);
                }
            }
        }
        for state in &mut tested.no {
            state.vars.truncate(base);
        }
        tested.yes = unite(&mut self.pool, self.level, tested.yes)?;
        tested.no = unite(&mut self.pool, self.level, tested.no)?;
        Ok(tested)
    }

    fn eval_if(&mut self, state: State, branch: &'a syn::ExprIf) -> Flow<Outs> {
        let base = state.vars.len();
        let tested = self.test(state, &branch.cond)?;
        let mut outs = tested.others;
        for state in tested.yes {
            outs.extend(self.eval_block(state, &branch.then_branch)?);
        }
        for state in tested.no {
            match &branch.else_branch {
                Some((_, otherwise)) => outs.extend(self.eval(state, otherwise)?),
                None => outs.push(state.with(Value::Unit)),
            }
        }
        Self::truncate(&mut outs, base);
        self.bounded(outs)
    }

    fn eval_match(&mut self, state: State, matched: &'a syn::ExprMatch) -> Flow<Outs> {
        let base = state.vars.len();
        // A place is matched as it is, so that its parts can be written to.
        let scrutinee = match &*matched.expr {
            Expr::Reference(reference) if reference.mutability.is_some() => {
                self.eval(state, &matched.expr)?
            }
            expr => self.eval(state, expr)?,
        };
        let mut outs = Vec::new();
        for out in scrutinee {
            let Exit::Value(value) = out.exit else {
                outs.push(out);
                continue;
            };
            let mut left = vec![out.state];
            for arm in &matched.arms {
                let mut next = Vec::new();
                for state in left {
                    let found = self.matches(state, value.clone(), &arm.pat)?;
                    next.extend(found.no);
                    for state in found.yes {
                        let Some((_, guard)) = &arm.guard else {
                            outs.extend(self.eval(state, &arm.body)?);
                            continue;
                        };
                        let tested = self.test(state, guard)?;
                        outs.extend(tested.others);
                        for state in tested.yes {
                            outs.extend(self.eval(state, &arm.body)?);
                        }
                        next.extend(tested.no);
                    }
                }
                for state in &mut next {
                    state.vars.truncate(base);
                }
                left = unite(&mut self.pool, self.level, next)?;
                if left.is_empty() {
                    break;
                }
            }
        }
        Self::truncate(&mut outs, base);
        self.bounded(outs)
    }

    fn eval_path(&mut self, state: State, path: &'a syn::Path, expr: &'a Expr) -> Flow<Outs> {
        let names = names(path);
        if let [name] = &names[..]
            && let Some(slot) = self.slot(&state, name)
        {
            let value = state.vars[slot].1.clone();
            return one(state, value);
        }
        let value = self.path_value(&names)?;
        let value = match value {
            Some(value) => value,
            None => self.unknown(expr, format!("`{}` is not known", names.join("::"))),
        };
        one(state, value)
    }

    /// What a path that is no variable means.
    fn path_value(&mut self, names: &[String]) -> Flow<Option<Value>> {
        let last = names.last().map_or("", String::as_str);
        if last == "None" && names.len() <= 2 {
            return Ok(Some(Value::none()));
        }
        if let Some(value) = self.constant(names)? {
            return Ok(Some(value));
        }
        let number = match (names.iter().rev().nth(1).map_or("", String::as_str), last) {
            ("u8", "MAX") => Some(0xFF),
            ("u16", "MAX") => Some(0xFFFF),
            ("u32", "MAX") => Some(0xFFFF_FFFF),
            ("u64" | "usize", "MAX") => Some(i128::from(u64::MAX)),
            ("i8", "MAX") => Some(0x7F),
            ("i16", "MAX") => Some(0x7FFF),
            ("i32", "MAX") => Some(0x7FFF_FFFF),
            ("i64" | "isize", "MAX") => Some(i128::from(i64::MAX)),
            (_, "MIN") => Some(0),
            _ => None,
        };
        if let Some(number) = number {
            return Ok(Some(Value::int(number)));
        }
        if self.krate.units.contains(last) {
            let unit = Struct { name: last.into(), fields: Vec::new() };
            return Ok(Some(Value::Struct(Rc::new(unit))));
        }
        let path: Vec<Name> = names.iter().map(|name| Name::from(&**name)).collect();
        Ok(Some(Value::Function(path.into())))
    }

    /// The value of a `const` or `static`.
    pub(super) fn constant(&mut self, names: &[String]) -> Flow<Option<Value>> {
        let from = self.frames.last().map(|frame| frame.function);
        let Some((file, expr)) = self.krate.constant_at(names, from) else { return Ok(None) };
        let key = address(expr);
        if let Some(value) = self.constants.get(&key) {
            return Ok(Some(value.clone()));
        }
        // A constant may not be made from itself.
        self.constants.insert(key, Value::Gone);
        self.constant_exprs.push((file, expr));
        let mut frame = self.frame();
        frame.file = file;
        frame.captured = None;
        frame.base = 0;
        self.frames.push(frame);
        let state = State { lang: super::pool::ALL, vars: Vec::new(), doubt: 0 };
        let outs = self.eval(state, expr);
        self.frames.pop();
        let mut outs = outs?;
        let value = match (outs.pop(), outs.is_empty()) {
            (Some(Out { exit: Exit::Value(value), .. }), true) => value,
            _ => self.unknown(expr, "a constant is not followed"),
        };
        self.constants.insert(key, value.clone());
        Ok(Some(value))
    }

    fn eval_unary(
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

    fn eval_binary(
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

    fn operate(
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

    pub(super) fn compute(&mut self, state: State, op: &BinOp, a: &Int, b: &Int) -> Flow<Outs> {
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
    fn one_by_one(
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
    fn difference(&mut self, a: &Number, b: &Number) -> Flow<Value> {
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

    fn cast(&mut self, state: State, value: Value, to: &str) -> Flow<Outs> {
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
    fn chars_equal(&mut self, a: &Text, b: &Text) -> Flow<Option<Bool>> {
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

    /// Where an expression can be written to.
    pub(super) fn place(&mut self, state: State, expr: &'a Expr) -> Flow<Option<(State, Target)>> {
        match expr {
            Expr::Paren(inner) => self.place(state, &inner.expr),
            Expr::Path(path) => {
                let Some(name) = path.path.get_ident() else { return Ok(None) };
                let Some(slot) = self.slot(&state, &name.to_string()) else { return Ok(None) };
                let target = match &state.vars[slot].1 {
                    Value::Ref(target) => (**target).clone(),
                    _ => Target { slot, path: Vec::new() },
                };
                Ok(Some((state, target)))
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                self.place(state, &unary.expr)
            }
            Expr::Reference(reference) => self.place(state, &reference.expr),
            Expr::Field(field) => {
                let Some((state, mut target)) = self.place(state, &field.base)? else {
                    return Ok(None);
                };
                target.path.push(Step2::Field(member(&field.member).into()));
                let target = match self.read(&state, &target) {
                    Some(Value::Ref(inner)) => (*inner).clone(),
                    _ => target,
                };
                Ok(Some((state, target)))
            }
            Expr::Index(index) => {
                let Some((state, mut target)) = self.place(state, &index.expr)? else {
                    return Ok(None);
                };
                let mut outs = self.eval(state, &index.index)?;
                match (outs.pop(), outs.is_empty()) {
                    (Some(Out { state, exit: Exit::Value(Value::Int(Int::Known(n))) }), true) => {
                        let Ok(n) = usize::try_from(n) else { return Ok(None) };
                        target.path.push(Step2::Index(n));
                        Ok(Some((state, target)))
                    }
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    fn assign(&mut self, state: State, to: &'a Expr, value: Value) -> Flow<Outs> {
        match to {
            Expr::Tuple(tuple) => {
                let Value::Tuple(values) = &value else {
                    let lost = self.unknown(to, "an assignment is not followed");
                    let mut outs = one(state, Value::Unit)?;
                    for expr in &tuple.elems {
                        outs = self.then(outs, |interp, state, _| {
                            interp.assign(state, expr, lost.clone())
                        })?;
                    }
                    return Ok(outs);
                };
                let mut outs = one(state, Value::Unit)?;
                for (expr, value) in tuple.elems.iter().zip(values.iter()) {
                    outs = self
                        .then(outs, |interp, state, _| interp.assign(state, expr, value.clone()))?;
                }
                return Ok(outs);
            }
            Expr::Infer(_) => return one(state, Value::Unit),
            _ => {}
        }
        let backup = state.clone();
        if let Some((mut state, target)) = self.place(state, to)? {
            // A variable that holds a reference is assigned another one.
            let whole = matches!(to, Expr::Path(_));
            let direct = match to {
                Expr::Path(path) if matches!(value, Value::Ref(_)) => path
                    .path
                    .get_ident()
                    .and_then(|name| self.slot(&state, &name.to_string()))
                    .map(|slot| Target { slot, path: Vec::new() }),
                _ => None,
            };
            let _ = whole;
            if self.write(&mut state, &direct.unwrap_or(target), value) {
                return one(state, Value::Unit);
            }
        }
        // What is written to is not known, so nothing is that could be it.
        let lost = self.unknown(to, "what is assigned to is not followed");
        let mut state = backup;
        self.havoc(&mut state, to, &lost);
        one(state, Value::Unit)
    }

    /// Forgets the variable that an expression begins with.
    fn havoc(&mut self, state: &mut State, mut expr: &'a Expr, lost: &Value) {
        loop {
            expr = match expr {
                Expr::Field(field) => &field.base,
                Expr::Index(index) => &index.expr,
                Expr::Unary(unary) => &unary.expr,
                Expr::Paren(inner) => &inner.expr,
                Expr::Reference(reference) => &reference.expr,
                Expr::MethodCall(call) => &call.receiver,
                Expr::Path(path) => {
                    let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
                    let Some(slot) = self.slot(state, &name) else { break };
                    let target = match &state.vars[slot].1 {
                        Value::Ref(target) => (**target).clone(),
                        _ => Target { slot, path: Vec::new() },
                    };
                    let target = Target { slot: target.slot, path: Vec::new() };
                    self.write(state, &target, lost.clone());
                    return;
                }
                _ => break,
            };
        }
        if let Value::Unknown(note) = lost {
            doubt(state, *note);
        }
    }

    fn eval_repeat(&mut self, state: State, value: &'a Expr, count: &'a Expr) -> Flow<Outs> {
        let outs = self.eval_all(state, [value, count].into_iter())?;
        self.then_all(outs, |interp, state, values| {
            let value = match &values[..] {
                [value, Value::Int(Int::Known(count @ 0..=64))] => {
                    Value::List(Rc::new(vec![value.clone(); *count as usize]))
                }
                _ => interp.lost("an array of many values is not followed"),
            };
            one(state, value)
        })
    }

    // Loops.

    fn eval_loop(&mut self, state: State, inner: &'a syn::ExprLoop, expr: &'a Expr) -> Flow<Outs> {
        let label = inner.label.as_ref().map(|label| name_of(&label.name.ident));
        let mut outs = Vec::new();
        for state in self.indices(state, &[], Some(&inner.body))? {
            outs.extend(self.in_loop(expr, label.clone(), &[], state, &mut |interp, state| {
                interp.eval_block(state, &inner.body)
            })?);
        }
        self.bounded(outs)
    }

    fn eval_while(
        &mut self,
        state: State,
        inner: &'a syn::ExprWhile,
        expr: &'a Expr,
    ) -> Flow<Outs> {
        let label = inner.label.as_ref().map(|label| name_of(&label.name.ident));
        let mut ends = Vec::new();
        for state in self.indices(state, &[&inner.cond], Some(&inner.body))? {
            ends.extend(self.in_loop(expr, label.clone(), &[], state, &mut |interp, state| {
                let base = state.vars.len();
                let tested = interp.test(state, &inner.cond)?;
                let mut outs = tested.others;
                for state in tested.yes {
                    outs.extend(interp.eval_block(state, &inner.body)?);
                }
                for state in tested.no {
                    outs.push(Out { state, exit: Exit::Break(None, Value::Unit) });
                }
                Self::truncate(&mut outs, base);
                Ok(outs)
            })?);
        }
        self.bounded(ends)
    }

    fn eval_for(
        &mut self,
        state: State,
        inner: &'a syn::ExprForLoop,
        expr: &'a Expr,
    ) -> Flow<Outs> {
        let base = state.vars.len();
        let label = inner.label.as_ref().map(|label| name_of(&label.name.ident));
        let outs = self.eval(state, &inner.expr)?;
        let outs = self.then(outs, |interp, state, value| {
            let Some(iter) = interp.iterate(&state, &value) else {
                return interp.lost_loop(state, inner, &value);
            };
            let slot = base;
            let mut ends = Vec::new();
            for mut state in interp.indices(state, &[], Some(&inner.body))? {
                state.vars.push(("#for".into(), Value::iter(iter.clone())));
                ends.extend(interp.in_loop(
                    expr,
                    label.clone(),
                    &[slot],
                    state,
                    &mut |interp, state| {
                        let Value::Iter(iter) = state.vars[slot].1.clone() else {
                            let lost = interp.lost_note("what a loop runs over is not followed");
                            let mut state = state;
                            doubt(&mut state, lost);
                            let end =
                                Out { state: state.clone(), exit: Exit::Break(None, Value::Unit) };
                            let mut outs = interp.bind_item(state, Value::Unknown(lost), inner)?;
                            outs.push(end);
                            return Ok(outs);
                        };
                        let mut outs = Vec::new();
                        for (mut state, next) in interp.next(state, &iter)? {
                            use super::iter::Next;
                            match next {
                                Next::Item(value, iter) => {
                                    state.vars[slot].1 = Value::iter(iter);
                                    outs.extend(interp.bind_item(state, value, inner)?);
                                }
                                Next::Skip(iter) => {
                                    state.vars[slot].1 = Value::iter(iter);
                                    outs.push(state.with(Value::Unit));
                                }
                                Next::End(iter) => {
                                    state.vars[slot].1 = Value::iter(iter);
                                    outs.push(Out { state, exit: Exit::Break(None, Value::Unit) });
                                }
                            }
                        }
                        Ok(outs)
                    },
                )?);
            }
            interp.bounded(ends)
        })?;
        let mut outs = outs;
        Self::truncate(&mut outs, base);
        self.bounded(outs)
    }

    /// A round of a loop over something, with an item.
    fn bind_item(&mut self, state: State, value: Value, inner: &'a syn::ExprForLoop) -> Flow<Outs> {
        let matched = self.matches(state, value, &inner.pat)?;
        let mut outs = Vec::new();
        for state in matched.yes {
            outs.extend(self.eval_block(state, &inner.body)?);
        }
        Ok(outs)
    }

    /// A loop over something that is not followed: any number of rounds with any items.
    fn lost_loop(
        &mut self,
        state: State,
        inner: &'a syn::ExprForLoop,
        value: &Value,
    ) -> Flow<Outs> {
        let note = match value {
            Value::Unknown(note) => *note,
            _ => match self.unknown(&*inner.expr, "what a loop runs over is not followed") {
                Value::Unknown(note) => note,
                _ => 0,
            },
        };
        let mut state = state;
        doubt(&mut state, note);
        let assigned = Indices::of(self.krate, &[], Some(&inner.body)).assigned;
        for name in assigned {
            if let Some(slot) = self.slot(&state, &name) {
                state.vars[slot].1 = Value::Unknown(note);
            }
        }
        let mut outs = self.bind_item(state.clone(), Value::Unknown(note), inner)?;
        outs.push(state.with(Value::Unit));
        for out in &mut outs {
            match &out.exit {
                Exit::Break(None, _) | Exit::Continue(None) => out.exit = Exit::Value(Value::Unit),
                _ => {}
            }
        }
        Ok(outs)
    }

    fn in_loop(
        &mut self,
        expr: &'a Expr,
        label: Option<Name>,
        movers: &[usize],
        state: State,
        round: &mut super::loops::Round<'_, 'a>,
    ) -> Flow<Outs> {
        let (start, end) = self.span(expr);
        let key = self.key(address(expr));
        let frame = self.frames.last_mut().expect("a loop is in a function");
        let outermost = frame.loop_start.is_none();
        if outermost {
            frame.loop_start = Some(start);
        }
        let this = Loop { key, label, movers, behind: Some(end) };
        let outs = self.run_loop(&this, state, round);
        if outermost {
            self.frames.last_mut().expect("a loop is in a function").loop_start = None;
        }
        outs
    }

    /// Numbers that a loop uses as indices into a text become indices of it.
    fn indices(
        &mut self,
        state: State,
        exprs: &[&'a Expr],
        body: Option<&'a Block>,
    ) -> Flow<Vec<State>> {
        let found = Indices::of(self.krate, exprs, body);
        let mut states = vec![state];
        for (base, name) in found.used {
            if !found.assigned.contains(&name) {
                continue;
            }
            let mut next = Vec::new();
            for state in states {
                let number =
                    self.slot(&state, &name).map(|slot| (slot, state.vars[slot].1.clone()));
                let Some((slot, Value::Int(Int::Known(n @ 0..=64)))) = number else {
                    next.push(state);
                    continue;
                };
                let Some((at, unit)) = self.indexed(&state, base)? else {
                    next.push(state);
                    continue;
                };
                let index = super::iter::at_start(at, unit);
                for (mut state, at) in self.advance(state, &index, n)? {
                    state.vars[slot].1 = Value::Int(Int::At(Rc::new(at)));
                    next.push(state);
                }
            }
            states = next;
        }
        Ok(states)
    }

    /// The text that an expression is the characters or bytes of.
    fn indexed(
        &mut self,
        state: &State,
        base: &'a Expr,
    ) -> Flow<Option<(super::view::View, Unit)>> {
        let mut outs = self.eval(state.clone(), base)?;
        let (Some(Out { exit: Exit::Value(value), state }), true) = (outs.pop(), outs.is_empty())
        else {
            return Ok(None);
        };
        let value = self.deref(&state, value);
        Ok(match &value {
            Value::Bytes(text) | Value::Str(text) => text.as_view().map(|view| (view, Unit::Bytes)),
            Value::Items(iter) | Value::Iter(iter) => match &**iter {
                super::value::Iter::Chars(view) => Some((*view, Unit::Chars)),
                super::value::Iter::Bytes { rest, pending: 0, backwards: false } => {
                    Some((*rest, Unit::Bytes))
                }
                _ => None,
            },
            _ => None,
        })
    }

    // Macros.

    fn eval_macro(&mut self, state: State, call: &'a syn::Macro, expr: &'a Expr) -> Flow<Outs> {
        self.eval_macro_at(state, call, expr)
    }

    fn eval_macro_at<T: Spanned>(
        &mut self,
        state: State,
        call: &'a syn::Macro,
        node: &T,
    ) -> Flow<Outs> {
        let name = names(&call.path).pop().unwrap_or_default();
        let body = self.krate.body(call);
        match (&*name, body) {
            ("matches", MacroBody::Matches(value, pat, guard)) => {
                let base = state.vars.len();
                let outs = self.eval(state, value)?;
                self.then(outs, |interp, state, value| {
                    let matched = interp.matches(state, value, pat)?;
                    let mut outs: Outs = Vec::new();
                    let mut no = matched.no;
                    for state in matched.yes {
                        match guard {
                            None => outs.push(state.with(Value::known(true))),
                            Some(guard) => {
                                let tested = interp.test(state, guard)?;
                                outs.extend(tested.others);
                                outs.extend(
                                    tested.yes.into_iter().map(|s| s.with(Value::known(true))),
                                );
                                no.extend(tested.no);
                            }
                        }
                    }
                    outs.extend(no.into_iter().map(|state| state.with(Value::known(false))));
                    Self::truncate(&mut outs, base);
                    Ok(outs)
                })
            }
            ("panic" | "unreachable" | "todo" | "unimplemented" | "bail" | "compile_error", _) => {
                Ok(Vec::new())
            }
            ("assert" | "debug_assert", MacroBody::Exprs(exprs)) if !exprs.is_empty() => {
                let base = state.vars.len();
                let tested = self.test(state, &exprs[0])?;
                let mut outs = tested.others;
                outs.extend(tested.yes.into_iter().map(|state| state.with(Value::Unit)));
                Self::truncate(&mut outs, base);
                Ok(outs)
            }
            (
                "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne",
                MacroBody::Exprs(exprs),
            ) if exprs.len() >= 2 => {
                let how = if name.ends_with("eq") { Compare::Equal } else { Compare::Other };
                let outs = self.eval_all(state, exprs[..2].iter())?;
                self.then_all(outs, |interp, state, values| {
                    let [a, b] = &values[..] else { return Ok(Vec::new()) };
                    let (a, b) = (interp.deref(&state, a.clone()), interp.deref(&state, b.clone()));
                    let holds = interp.compare_values(&a, how, &b)?;
                    let (yes, _) = interp.branch(state, &holds)?;
                    Ok(yes.map(|state| state.with(Value::Unit)).into_iter().collect())
                })
            }
            ("vec", MacroBody::Repeat(value, count)) => self.eval_repeat(state, value, count),
            ("vec", MacroBody::Exprs(exprs)) => {
                let outs = self.eval_all(state, exprs.iter())?;
                self.then_all(outs, |_, state, values| one(state, Value::List(Rc::new(values))))
            }
            ("format" | "concat", MacroBody::Exprs(exprs)) => self.eval_format(state, exprs, node),
            (
                "println" | "print" | "eprintln" | "eprint" | "debug" | "info" | "warn" | "trace"
                | "error" | "log" | "dbg",
                _,
            ) => one(state, Value::Unit),
            _ => {
                let message = format!("the macro `{name}!` is not followed");
                let value = self.unknown(node, message);
                one(state, value)
            }
        }
    }

    /// `format!` and `concat!`: text put together.
    fn eval_format<T: Spanned>(&mut self, state: State, exprs: &'a [Expr], node: &T) -> Flow<Outs> {
        let outs = self.eval_all(state, exprs.iter())?;
        let lost = self.unknown(node, "text that is put together in this way is not followed");
        self.then_all(outs, |interp, state, values| {
            let values: Vec<Value> =
                values.into_iter().map(|value| interp.deref(&state, value)).collect();
            let text = match values.split_first() {
                None => Some(Text::default()),
                Some((Value::Str(first), rest)) => match first.constant() {
                    Some(pattern) => interp.formatted(&state, &pattern, rest),
                    None => None,
                },
                Some(_) => None,
            };
            let text = text.or_else(|| {
                values
                    .iter()
                    .try_fold(Text::default(), |text, value| Some(text.then(&shown(value)?)))
            });
            one(state, text.map_or(lost.clone(), Value::Str))
        })
    }

    fn formatted(&mut self, state: &State, pattern: &str, values: &[Value]) -> Option<Text> {
        let mut text = Text::default();
        let mut rest = pattern;
        let mut values = values.iter();
        while let Some(at) = rest.find(['{', '}']) {
            text = text.then(&Text::literal(&rest[..at]));
            let brace = &rest[at..];
            if brace.starts_with("{{") || brace.starts_with("}}") {
                text = text.then(&Text::literal(&brace[..1]));
                rest = &brace[2..];
                continue;
            }
            let (name, after) = brace.strip_prefix('{')?.split_once('}')?;
            let value = if name.is_empty() {
                values.next()?.clone()
            } else {
                let slot = self.slot(state, name)?;
                self.deref(state, state.vars[slot].1.clone())
            };
            text = text.then(&shown(&value)?);
            rest = after;
        }
        // Arguments that are left belong to `concat!`.
        if values.next().is_some() {
            return None;
        }
        Some(text.then(&Text::literal(rest)))
    }
}

/// What a value is written as.
pub(super) fn shown(value: &Value) -> Option<Text> {
    match value {
        Value::Str(text) | Value::Char(text) => Some(text.clone()),
        Value::Int(Int::Known(n)) => Some(Text::literal(&n.to_string())),
        Value::Bool(Bool::Known(bool)) => Some(Text::literal(&bool.to_string())),
        _ => None,
    }
}
