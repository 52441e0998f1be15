//! What functions do with their variables, as far as that tells of what types they are.

use syn::visit;
use syn::{Expr, Lit, Pat, Stmt, Type, UnOp};

use super::bodies::MacroBody;
use super::kinds::{Kind, Kinds, Operation, Term, is_own, is_standard, takes_its_own};
use super::source::{Crate, Function, bare, names};
use super::types::inside;
use super::visit::{Visit, Walk};
use super::widths::{U32, USIZE, Width};

/// Learns of the types of a function's variables, unless it was read before.
pub(super) fn read<'a>(kinds: &mut Kinds, krate: &'a Crate<'a>, number: usize) {
    if !kinds.add(krate, number) {
        return;
    }
    let mut reader = Reader { krate, kinds, links: Vec::new(), signs: Vec::new() };
    reader.function(&krate.get(number));
    let Reader { links, signs, .. } = reader;
    kinds.pass_on(&links);
    for variable in signs {
        kinds.sign(variable);
    }
    kinds.pass_on(&links);
}

/// Reads what a function does with its variables. Where it does something with one that is not known to
/// leave its type open, the type is unknown.
struct Reader<'r, 'a> {
    krate: &'a Crate<'a>,
    kinds: &'r mut Kinds,
    /// Variables of one type.
    links: Vec<(u32, u32)>,
    /// Variables that are treated as only numbers with a sign are.
    signs: Vec<u32>,
}

impl<'a> Reader<'_, 'a> {
    fn function(&mut self, function: &Function<'a>) {
        for input in &function.sig.inputs {
            if let syn::FnArg::Typed(typed) = input {
                self.typed(&typed.pat, &typed.ty);
            }
        }
        if let syn::ReturnType::Type(_, of) = &function.sig.output {
            Returns { reader: self, of }.visit_block(function.block);
            if let Some(Stmt::Expr(tail, None)) = function.block.stmts.last() {
                self.link_type(tail, of);
            }
        }
        self.visit_block(function.block);
    }

    fn term(&self, expr: &Expr) -> Term {
        self.kinds.term(&self.krate.types, expr)
    }

    /// Two expressions have one type.
    fn link(&mut self, a: Term, b: Term) {
        match (a, b) {
            (Term::Width(width), Term::Variable(variable))
            | (Term::Variable(variable), Term::Width(width)) => {
                self.kinds.learn(variable, Kind::Known(width));
            }
            (Term::Variable(a), Term::Variable(b)) => self.links.push((a, b)),
            (Term::Variable(variable), Term::Nothing)
            | (Term::Nothing, Term::Variable(variable)) => {
                self.kinds.learn(variable, Kind::Unknown);
            }
            _ => {}
        }
    }

    /// An expression has a type that is written out, perhaps inside an option or a tuple.
    fn link_type(&mut self, expr: &Expr, of: &Type) {
        match (expr, of) {
            (Expr::Paren(inner), _) => self.link_type(&inner.expr, of),
            (Expr::Tuple(values), Type::Tuple(types)) => {
                for (value, of) in values.elems.iter().zip(&types.elems) {
                    self.link_type(value, of);
                }
            }
            (Expr::Call(call), _) if call.args.len() == 1 && wraps(&call.func).is_some() => {
                let is_error = wraps(&call.func).is_some_and(|name| name == "Err");
                if let Some(of) = inside(of, is_error) {
                    self.link_type(&call.args[0], of);
                }
            }
            _ => match self.krate.types.of(of) {
                Some(width) => self.link(Term::Width(width), self.term(expr)),
                None => self.leave(expr),
            },
        }
    }

    /// A pattern has a type that is written out.
    fn typed(&mut self, pattern: &Pat, of: &Type) {
        if let Some(variable) = self.kinds.made(pattern) {
            let width = self.krate.types.of(of);
            return self.kinds.learn(variable, width.map_or(Kind::Unknown, Kind::Known));
        }
        match (pattern, of) {
            (Pat::Tuple(patterns), Type::Tuple(types))
                if patterns.elems.len() == types.elems.len()
                    && !patterns.elems.iter().any(|it| matches!(it, Pat::Rest(_))) =>
            {
                for (pattern, of) in patterns.elems.iter().zip(&types.elems) {
                    self.typed(pattern, of);
                }
            }
            _ => self.unknown(pattern),
        }
    }

    /// Of the variables of a pattern nothing is known.
    fn unknown(&mut self, pattern: &Pat) {
        Each(self).visit_pat(pattern);
    }

    /// A pattern stands for what an expression is, or has inside.
    fn bind(&mut self, pattern: &Pat, expr: &Expr) {
        if let Pat::Type(typed) = pattern {
            self.typed(&typed.pat, &typed.ty);
            return self.link_type(expr, &typed.ty);
        }
        if let Some(variable) = self.kinds.made(pattern) {
            if let Pat::Ident(ident) = pattern
                && let Some((_, inner)) = &ident.subpat
            {
                self.bind(inner, expr);
            }
            return self.link(Term::Variable(variable), self.term(expr));
        }
        match (pattern, expr) {
            (Pat::Paren(inner), _) => self.bind(&inner.pat, expr),
            (Pat::Or(ways), _) => ways.cases.iter().for_each(|way| self.bind(way, expr)),
            (Pat::TupleStruct(tuple), _) if tuple.elems.len() == 1 => {
                match self.kinds.made(&tuple.elems[0]) {
                    Some(variable) => {
                        let inner = self.kinds.inner(&self.krate.types, expr);
                        self.link(Term::Variable(variable), inner);
                    }
                    None => self.unknown(&tuple.elems[0]),
                }
            }
            (Pat::Tuple(patterns), Expr::Tuple(values))
                if patterns.elems.len() == values.elems.len() =>
            {
                for (pattern, value) in patterns.elems.iter().zip(&values.elems) {
                    self.bind(pattern, value);
                }
            }
            _ => self.unknown(pattern),
        }
    }

    /// What an expression is goes somewhere that may ask for any type.
    fn leave(&mut self, expr: &Expr) {
        self.link(self.term(expr), Term::Nothing);
    }

    /// Reads an expression whose type is taken care of.
    fn within(&mut self, expr: &'a Expr) {
        visit::visit_expr(&mut self.walk(), expr);
    }

    /// An expression has a type of its own.
    fn wants(&mut self, expr: &'a Expr, width: Option<Width>) {
        match width {
            Some(width) => {
                self.link(Term::Width(width), self.term(expr));
                self.within(expr);
            }
            None => self.visit_expr(expr),
        }
    }

    /// What stands in the place of an index, or of both its ends, is one.
    fn index(&mut self, index: &'a Expr) {
        match index {
            Expr::Range(range) => {
                for end in [&range.start, &range.end].into_iter().flatten() {
                    self.wants(end, Some(USIZE));
                }
            }
            // A key.
            Expr::Reference(_) => self.visit_expr(index),
            _ => self.wants(index, Some(USIZE)),
        }
    }

    /// The ways of a `match` stand for what it looks at.
    fn arms<'p>(&mut self, expr: &'a Expr, patterns: impl Iterator<Item = &'p Pat>) {
        let mut is_plain = true;
        for pattern in patterns {
            self.bind(pattern, expr);
            is_plain &= leaves_open(self.kinds, pattern);
        }
        if is_plain { self.within(expr) } else { self.visit_expr(expr) }
    }
}

/// Which of `Some`, `Ok` and `Err` an expression is.
fn wraps(function: &Expr) -> Option<&'static str> {
    let Expr::Path(path) = function else { return None };
    ["Some", "Ok", "Err"].into_iter().find(|name| path.path.is_ident(name))
}

/// Whether a pattern says nothing of the type of a number.
fn leaves_open(kinds: &Kinds, pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        // What makes no variable is a constant.
        Pat::Ident(ident) => {
            let inner = ident.subpat.as_ref();
            kinds.made(pattern).is_some()
                && inner.is_none_or(|(_, inner)| leaves_open(kinds, inner))
        }
        Pat::Lit(literal) => match &literal.lit {
            Lit::Int(int) => int.suffix().is_empty(),
            _ => false,
        },
        Pat::Range(range) => [&range.start, &range.end].into_iter().flatten().all(|end| {
            matches!(&**end, Expr::Lit(literal)
                if matches!(&literal.lit, Lit::Int(int) if int.suffix().is_empty()))
        }),
        Pat::Or(ways) => ways.cases.iter().all(|way| leaves_open(kinds, way)),
        Pat::Paren(inner) => leaves_open(kinds, &inner.pat),
        _ => false,
    }
}

/// Forgets all variables of a pattern.
struct Each<'e, 'r, 'a>(&'e mut Reader<'r, 'a>);

impl<'p> Visit<'p> for Each<'_, '_, '_> {
    fn walk(&mut self) -> Walk<'_, 'p> {
        Walk(self)
    }

    fn visit_pat(&mut self, pattern: &'p Pat) {
        if let Some(variable) = self.0.kinds.made(pattern) {
            self.0.kinds.learn(variable, Kind::Unknown);
        }
        match pattern {
            Pat::Type(typed) => self.0.typed(&typed.pat, &typed.ty),
            _ => visit::visit_pat(&mut self.walk(), pattern),
        }
    }
}

/// Links what is returned with the type that it has.
struct Returns<'e, 'r, 'a> {
    reader: &'e mut Reader<'r, 'a>,
    of: &'a Type,
}

impl<'a> Visit<'a> for Returns<'_, '_, 'a> {
    fn walk(&mut self) -> Walk<'_, 'a> {
        Walk(self)
    }

    fn visit_expr_return(&mut self, returned: &'a syn::ExprReturn) {
        if let Some(expr) = &returned.expr {
            self.reader.link_type(expr, self.of);
        }
        visit::visit_expr_return(&mut self.walk(), returned);
    }

    // It returns for itself.
    fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}

    fn visit_item(&mut self, _: &'a syn::Item) {}
}

impl<'a> Visit<'a> for Reader<'_, 'a> {
    fn walk(&mut self) -> Walk<'_, 'a> {
        Walk(self)
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.leave(expr);
        self.within(expr);
    }

    fn visit_expr_paren(&mut self, inner: &'a syn::ExprParen) {
        self.within(&inner.expr);
    }

    fn visit_expr_group(&mut self, inner: &'a syn::ExprGroup) {
        self.within(&inner.expr);
    }

    fn visit_expr_reference(&mut self, inner: &'a syn::ExprReference) {
        self.within(&inner.expr);
    }

    fn visit_expr_unary(&mut self, unary: &'a syn::ExprUnary) {
        self.within(&unary.expr);
    }

    fn visit_expr_cast(&mut self, cast: &'a syn::ExprCast) {
        self.within(&cast.expr);
    }

    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Expr(expr, Some(_)) => self.within(expr),
            _ => visit::visit_stmt(&mut self.walk(), statement),
        }
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        match &local.init {
            Some(init) => {
                self.bind(&local.pat, &init.expr);
                self.within(&init.expr);
                if let Some((_, otherwise)) = &init.diverge {
                    self.within(otherwise);
                }
            }
            None => {
                if let Pat::Type(typed) = &local.pat {
                    self.typed(&typed.pat, &typed.ty);
                }
            }
        }
    }

    fn visit_expr_let(&mut self, binding: &'a syn::ExprLet) {
        self.arms(&binding.expr, std::iter::once(&*binding.pat));
    }

    fn visit_expr_match(&mut self, branch: &'a syn::ExprMatch) {
        self.arms(&branch.expr, branch.arms.iter().map(|arm| &arm.pat));
        for arm in &branch.arms {
            if let Some((_, guard)) = &arm.guard {
                self.visit_expr(guard);
            }
            self.visit_expr(&arm.body);
        }
    }

    fn visit_expr_assign(&mut self, assign: &'a syn::ExprAssign) {
        self.link(self.term(&assign.left), self.term(&assign.right));
        self.within(&assign.left);
        self.within(&assign.right);
    }

    fn visit_expr_binary(&mut self, binary: &'a syn::ExprBinary) {
        let is_shared = !matches!(Operation::of(&binary.op), Operation::Shift | Operation::Logic);
        if is_shared {
            self.link(self.term(&binary.left), self.term(&binary.right));
        }
        let below_zero = is_shared
            && matches!(&*binary.right, Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)));
        if let (true, Term::Variable(variable)) = (below_zero, self.term(&binary.left)) {
            self.signs.push(variable);
        }
        self.within(&binary.left);
        self.within(&binary.right);
    }

    fn visit_expr_for_loop(&mut self, each: &'a syn::ExprForLoop) {
        let mut items = bare(&each.expr);
        while let Expr::MethodCall(call) = items
            && matches!(&*call.method.to_string(), "rev" | "step_by")
        {
            call.args.iter().for_each(|arg| self.wants(arg, Some(USIZE)));
            items = bare(&call.receiver);
        }
        match items {
            Expr::Range(range) => {
                let ends = [&range.start, &range.end].into_iter().flatten();
                for end in ends {
                    match self.kinds.made(&each.pat) {
                        Some(variable) => self.link(Term::Variable(variable), self.term(end)),
                        None => self.leave(end),
                    }
                    self.within(end);
                }
                if let (Some(start), Some(end)) = (&range.start, &range.end) {
                    self.link(self.term(start), self.term(end));
                }
            }
            Expr::MethodCall(call)
                if (call.method == "enumerate" || call.method == "char_indices")
                    && !self.krate.types.has_function(&call.method.to_string()) =>
            {
                match &*each.pat {
                    Pat::Tuple(tuple) if tuple.elems.len() == 2 => {
                        if let Some(variable) = self.kinds.made(&tuple.elems[0]) {
                            self.kinds.learn(variable, Kind::Known(USIZE));
                        }
                        self.unknown(&tuple.elems[1]);
                    }
                    other => self.unknown(other),
                }
                self.visit_expr(&each.expr);
            }
            _ => {
                self.unknown(&each.pat);
                self.visit_expr(&each.expr);
            }
        }
        self.visit_block(&each.body);
    }

    fn visit_expr_range(&mut self, range: &'a syn::ExprRange) {
        if let (Some(start), Some(end)) = (&range.start, &range.end) {
            self.link(self.term(start), self.term(end));
        }
        for end in [&range.start, &range.end].into_iter().flatten() {
            self.visit_expr(end);
        }
    }

    fn visit_expr_index(&mut self, at: &'a syn::ExprIndex) {
        self.visit_expr(&at.expr);
        match self.krate.types.has_function("index") {
            true => self.visit_expr(&at.index),
            false => self.index(&at.index),
        }
    }

    fn visit_field_value(&mut self, field: &'a syn::FieldValue) {
        let width = match &field.member {
            syn::Member::Named(name) => self.krate.types.name(&format!(".{name}")),
            syn::Member::Unnamed(_) => None,
        };
        self.wants(&field.expr, width);
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        self.visit_expr(&call.func);
        let name = match &*call.func {
            Expr::Path(path) if self.kinds.meant(path).is_none() => {
                let mut names = names(&path.path);
                let is_own = is_own(&self.krate.types, &names);
                names.pop().filter(|name| is_own && !self.krate.types.has_method(name))
            }
            _ => None,
        };
        for (index, arg) in call.args.iter().enumerate() {
            let width = name.as_ref().and_then(|name| self.krate.types.parameter(name, index));
            self.wants(arg, width);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        let types = &self.krate.types;
        let name = &*call.method.to_string();
        if types.has_function(name) {
            self.visit_expr(&call.receiver);
            for (index, arg) in call.args.iter().enumerate() {
                let width = types.parameter(name, index).filter(|_| !is_standard(name));
                self.wants(arg, width);
            }
            return;
        }
        match name {
            _ if takes_its_own(name) => {
                for arg in &call.args {
                    self.link(self.term(&call.receiver), self.term(arg));
                    self.within(arg);
                }
                self.within(&call.receiver);
            }
            "pow" | "checked_pow" | "saturating_pow" | "wrapping_pow" => {
                self.within(&call.receiver);
                call.args.iter().for_each(|arg| self.wants(arg, Some(U32)));
            }
            "abs" | "signum" | "is_positive" | "is_negative" | "to_string" | "clone" => {
                self.within(&call.receiver);
            }
            "unwrap_or" => {
                self.visit_expr(&call.receiver);
                for arg in &call.args {
                    self.link(self.kinds.inner(types, &call.receiver), self.term(arg));
                    self.within(arg);
                }
            }
            "nth" | "nth_back" | "skip" | "take" | "step_by" | "split_at" | "chunks"
            | "windows" | "splitn" | "rsplitn" | "repeat" | "is_char_boundary" => {
                self.visit_expr(&call.receiver);
                for (place, arg) in call.args.iter().enumerate() {
                    if place == 0 { self.index(arg) } else { self.visit_expr(arg) }
                }
            }
            _ => visit::visit_expr_method_call(&mut self.walk(), call),
        }
    }

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        for input in &closure.inputs {
            self.unknown(input);
        }
        self.visit_expr(&closure.body);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        let name =
            call.path.segments.last().map_or_else(String::new, |last| last.ident.to_string());
        match (self.krate.body(call), &*name) {
            (MacroBody::Matches(value, pattern, guard), _) => {
                self.arms(value, std::iter::once(&**pattern));
                if let Some(guard) = guard {
                    self.visit_expr(guard);
                }
            }
            (
                MacroBody::Exprs(exprs),
                "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne",
            ) => {
                if let [a, b, ..] = &exprs[..] {
                    self.link(self.term(a), self.term(b));
                }
                exprs.iter().for_each(|expr| self.within(expr));
            }
            // To be printed a number may be of any type.
            (
                MacroBody::Exprs(exprs),
                "assert" | "debug_assert" | "format" | "print" | "println" | "eprint" | "eprintln"
                | "write" | "writeln" | "panic" | "unreachable" | "todo" | "unimplemented",
            ) => exprs.iter().for_each(|expr| self.within(expr)),
            (MacroBody::Exprs(exprs), _) => exprs.iter().for_each(|expr| self.visit_expr(expr)),
            (MacroBody::Repeat(value, count), _) => {
                self.visit_expr(value);
                self.wants(count, Some(USIZE));
            }
            (MacroBody::Opaque, _) => {}
        }
    }

    fn visit_item(&mut self, _: &'a syn::Item) {}

    fn visit_type(&mut self, _: &'a Type) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::Macros;
    use crate::source::Parsed;

    /// The types of the expressions in the last block of `fn f`, as the source has them.
    fn kinds(source: &str) -> Vec<Option<(u32, bool)>> {
        let parsed = Parsed::read(&[("a.rs".to_owned(), source.to_owned())]).unwrap();
        let macros = Macros::read(parsed.files.iter().map(|file| &file.tree));
        let krate = Crate::new(&parsed, &macros);
        let number = krate.function_at(&["f".to_owned()], None).unwrap();
        let mut kinds = Kinds::default();
        read(&mut kinds, &krate, number);
        let Some(Stmt::Expr(Expr::Block(block), _)) = krate.get(number).block.stmts.last() else {
            panic!("a block is last");
        };
        let of = |statement: &Stmt| match statement {
            Stmt::Expr(expr, _) => kinds.of(&krate.types, expr).map(|it| (it.bits, it.signed)),
            _ => None,
        };
        block.block.stmts.iter().map(of).collect()
    }

    #[test]
    fn types_are_read_off_and_passed_on() {
        let source = "
            type Small = u8;
            const LIMIT: i16 = 7;
            struct State { depth: i8 }
            fn g() -> u16 { 1 }
            fn h(n: i64) {}
            fn f(text: &str, most: u32) {
                let mut a = 0u8;
                let b = a;
                let mut c = 0;
                let (mut d, mut e) = (0, 0 as Small);
                c += LIMIT;
                d = g();
                let mut i = 0;
                if i < most { i += 1; }
                let mut state = State { depth: 0 };
                state.depth += 1;
                let Some(j) = text.find(':') else { return };
                if let Ok(k) = text.parse::<i64>() {}
                let plain = 0;
                let mut sent = 0;
                h(sent);
                let mut gone = 0;
                other(gone);
                let mut below = 0;
                if below < 0 {}
                other(below);
                b == e;
                {
                    a; b; c; d; e; i; state.depth; j; plain; sent; gone; below;
                    a + 1; -c; text.len() as i32; (d); text.find('a').unwrap_or(0) - 1;
                    g() << 1; if a == 1 { c } else { 2 };
                }
            }";
        let signed = |bits| Some((bits, true));
        let unsigned = |bits| Some((bits, false));
        assert_eq!(
            kinds(source),
            [
                unsigned(8),
                unsigned(8),
                signed(16),
                unsigned(16),
                unsigned(8),
                unsigned(32),
                signed(8),
                unsigned(64),
                signed(32),
                signed(64),
                None,
                None,
                unsigned(8),
                signed(16),
                signed(32),
                unsigned(16),
                unsigned(64),
                unsigned(16),
                signed(16),
            ]
        );
    }

    #[test]
    fn variables_that_share_a_name_are_told_apart() {
        let source = "
            struct P<T> { n: T, m: u8 }
            struct Q { n: usize }
            impl Q { fn count(&self) -> i8 { 1 } }
            fn f(s: &str, p: P<i64>, q: Q) {
                let n = s.len();
                let first = n;
                let n = 5i8;
                let second = n;
                let third = match s.len() { n if n > 1 => n, _ => 1 };
                let fourth = [1, 2].into_iter().find(|n| *n > 1).unwrap_or(0);
                for n in 0..7u16 { let fifth = n; }
                {
                    first; second; third; fourth; n; p.n; p.m; q.count(); s.find('a').unwrap();
                    { let n = 1u64; n }
                }
            }";
        assert_eq!(
            kinds(source),
            [
                Some((64, false)),
                Some((8, true)),
                Some((64, false)),
                None,
                Some((8, true)),
                None,
                Some((8, false)),
                None,
                Some((64, false)),
                Some((64, false)),
            ]
        );
    }
}
