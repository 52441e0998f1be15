//! The types of integers in functions, as far as the source tells them.
//!
//! To the analysis a number has no bounds. Of which type it is matters where it falls below zero,
//! which is a number or a panic, and where its type may have no room for it. Types are read off
//! literals, casts, annotations, what functions take and return, and methods of the standard library; a
//! variable has the type of what it is set to, compared with or added to. A variable that only ever meets
//! literals and others like it is an `i32`, and of one that goes elsewhere nothing is known.

use fxhash::FxHashSet;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Pat, Stmt, Type, UnOp};

use super::scopes::Variables;
use super::source::{Crate, Function, MacroBody, names};
use super::types::{Types, inside};
use super::widths::{I8, I32, U8, U32, USIZE, Width};

/// The types of the variables of those functions that were read.
#[derive(Default)]
pub(super) struct Kinds {
    variables: Variables,
    known: Vec<Kind>,
    read: FxHashSet<usize>,
}

/// What is known of a variable's type.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Kind {
    /// Nothing asks for one.
    #[default]
    Free,
    Unknown,
    /// It has a sign.
    Signed,
    Known(Width),
    /// It would have to have two.
    Several,
}

impl Kind {
    /// What is known by both.
    fn and(self, other: Self) -> Self {
        let rank = |kind| match kind {
            Self::Free => 0,
            Self::Unknown => 1,
            Self::Signed => 2,
            Self::Known(_) => 3,
            Self::Several => 4,
        };
        match (self, other) {
            (Self::Known(a), Self::Known(b)) if a != b => Self::Several,
            _ if rank(self) < rank(other) => other,
            _ => self,
        }
    }
}

impl Kinds {
    /// Reads a function, unless it was read.
    pub(super) fn read<'a>(&mut self, krate: &'a Crate<'a>, number: usize) {
        if !self.read.insert(number) {
            return;
        }
        let function = krate.get(number);
        let hidden = self.variables.read(krate, &function);
        self.known.resize(self.variables.count(), Kind::Free);
        for variable in hidden {
            self.known[variable as usize] = Kind::Unknown;
        }
        let mut reader = Reader { krate, kinds: self, links: Vec::new(), signs: Vec::new() };
        reader.function(&function);
        let Reader { links, signs, .. } = reader;
        self.pass_on(&links);
        for variable in signs {
            let kind = &mut self.known[variable as usize];
            if *kind == Kind::Unknown {
                *kind = Kind::Signed;
            }
        }
        self.pass_on(&links);
    }

    /// Has linked variables share their types, until nothing changes.
    fn pass_on(&mut self, links: &[(u32, u32)]) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &(a, b) in links {
                let both = self.known[a as usize].and(self.known[b as usize]);
                for variable in [a, b] {
                    changed |= self.known[variable as usize] != both;
                    self.known[variable as usize] = both;
                }
            }
        }
    }

    /// The type of an expression.
    pub(super) fn of(&self, types: &Types, expr: &Expr) -> Option<Width> {
        match self.term(types, expr) {
            Term::Width(width) => Some(width),
            Term::Variable(variable) => match self.known[variable as usize] {
                Kind::Free => Some(I32),
                Kind::Known(width) => Some(width),
                Kind::Signed | Kind::Unknown | Kind::Several => None,
            },
            Term::Literal => Some(I32),
            Term::Nothing => None,
        }
    }

    /// A type whose numbers that of an expression has, too.
    pub(super) fn least(&self, types: &Types, expr: &Expr) -> Option<Width> {
        match self.term(types, expr) {
            Term::Variable(variable) if self.known[variable as usize] == Kind::Signed => Some(I8),
            _ => self.of(types, expr),
        }
    }
}

/// What is known of an expression's type.
enum Term {
    Width(Width),
    /// It is that of a variable.
    Variable(u32),
    /// It is any that is wanted.
    Literal,
    Nothing,
}

impl Term {
    fn known(width: Option<Width>) -> Self {
        width.map_or(Self::Nothing, Self::Width)
    }

    /// That of two expressions with one type.
    fn or(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Literal => other(),
            // A literal says nothing of what it is put together with.
            Self::Nothing => match other() {
                Self::Literal => Self::Nothing,
                other => other,
            },
            found => found,
        }
    }
}

impl Kinds {
    /// What an expression's type is.
    fn term(&self, types: &Types, expr: &Expr) -> Term {
        match expr {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(int) if int.suffix().is_empty() => Term::Literal,
                Lit::Int(int) => Term::known(Width::named(int.suffix())),
                Lit::Byte(_) => Term::Width(U8),
                _ => Term::Nothing,
            },
            Expr::Cast(cast) => Term::known(types.of(&cast.ty)),
            Expr::Path(path) => match self.variables.meant(path) {
                Some(variable) => Term::Variable(variable),
                None => Term::known(match &names(&path.path)[..] {
                    [name] => types.name(name),
                    // `u8::MAX`, or a constant of a module.
                    [.., of, last] => types.named(of).or_else(|| types.name(last)),
                    [] => None,
                }),
            },
            Expr::Field(field) => match &field.member {
                syn::Member::Named(name) => Term::known(types.name(&format!(".{name}"))),
                syn::Member::Unnamed(_) => Term::Nothing,
            },
            Expr::Paren(inner) => self.term(types, &inner.expr),
            Expr::Group(inner) => self.term(types, &inner.expr),
            Expr::Reference(inner) => self.term(types, &inner.expr),
            Expr::Unary(unary) => match unary.op {
                UnOp::Deref(_) | UnOp::Neg(_) => self.term(types, &unary.expr),
                _ => Term::Nothing,
            },
            Expr::Binary(binary) => {
                let left = || self.term(types, &binary.left);
                match Operation::of(&binary.op) {
                    Operation::Arithmetic => left().or(|| self.term(types, &binary.right)),
                    Operation::Shift => left(),
                    _ => Term::Nothing,
                }
            }
            Expr::If(branch) => match &branch.else_branch {
                Some((_, other)) => {
                    self.tail(types, &branch.then_branch).or(|| self.term(types, other))
                }
                None => Term::Nothing,
            },
            Expr::Match(branch) => {
                let mut terms = branch.arms.iter().map(|arm| self.term(types, &arm.body));
                let first = terms.next().unwrap_or(Term::Nothing);
                terms.fold(first, |found, next| found.or(|| next))
            }
            Expr::Block(block) => self.tail(types, &block.block),
            Expr::Try(tried) => self.inner(types, &tried.expr),
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) if self.variables.meant(path).is_none() => {
                    let names = names(&path.path);
                    Term::known(match &names[..] {
                        [.., of, last] if last == "from" => types.named(of),
                        [.., last] if is_own(types, &names) => types.returned(last),
                        _ => None,
                    })
                }
                _ => Term::Nothing,
            },
            Expr::MethodCall(call) => self.method(types, call),
            _ => Term::Nothing,
        }
    }

    fn method(&self, types: &Types, call: &syn::ExprMethodCall) -> Term {
        let name = &*call.method.to_string();
        match name {
            "len" | "count" | "len_utf8" | "capacity" => {
                return Term::known(types.returned_or(name, USIZE));
            }
            _ if types.has_function(name) => {
                let returned = types.returned(name).filter(|_| !is_standard(name));
                return Term::known(returned);
            }
            _ => {}
        }
        match name {
            "clone" | "pow" | "abs" => self.term(types, &call.receiver),
            name if takes_its_own(name) && !name.starts_with("checked_") => {
                let other = || call.args.first().map_or(Term::Nothing, |arg| self.term(types, arg));
                self.term(types, &call.receiver).or(other)
            }
            "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" => {
                self.inner(types, &call.receiver)
            }
            "sum" | "product" => Term::known(turbofish(types, call)),
            _ => Term::Nothing,
        }
    }

    /// The type of what is inside an expression that is an option or a result.
    fn inner(&self, types: &Types, expr: &Expr) -> Term {
        let call = match expr {
            Expr::Paren(inside) => return self.inner(types, &inside.expr),
            Expr::MethodCall(call) => call,
            _ => return Term::Nothing,
        };
        let name = &*call.method.to_string();
        if types.has_function(name) {
            return Term::Nothing;
        }
        match name {
            "position" | "rposition" => Term::Width(USIZE),
            // An iterator has such methods, too, and they take closures.
            "find" | "rfind" if call.args.first().is_some_and(is_text) => Term::Width(USIZE),
            "to_digit" => Term::Width(U32),
            "parse" => Term::known(turbofish(types, call)),
            "checked_add" | "checked_sub" | "checked_mul" | "checked_div" | "checked_rem" => {
                let other = || call.args.first().map_or(Term::Nothing, |arg| self.term(types, arg));
                self.term(types, &call.receiver).or(other)
            }
            "checked_pow" | "checked_neg" | "checked_abs" => self.term(types, &call.receiver),
            "ok" | "copied" | "cloned" | "ok_or" | "map_err" | "filter" | "or" => {
                self.inner(types, &call.receiver)
            }
            _ => Term::Nothing,
        }
    }

    fn tail(&self, types: &Types, block: &syn::Block) -> Term {
        match block.stmts.last() {
            Some(Stmt::Expr(expr, None)) => self.term(types, expr),
            _ => Term::Nothing,
        }
    }
}

/// Whether a pattern of texts is surely none of an iterator's items.
fn is_text(pattern: &Expr) -> bool {
    match pattern {
        Expr::Lit(_) | Expr::Array(_) => true,
        Expr::Reference(inner) => is_text(&inner.expr),
        // Of characters, which are no numbers.
        Expr::Path(path) => names(&path.path).first().is_some_and(|of| of == "char"),
        Expr::Closure(closure) => match closure.inputs.first() {
            Some(Pat::Type(typed)) => {
                matches!(&*typed.ty, Type::Path(of) if of.path.is_ident("char"))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a method of integers takes one of their own type, and gives such a one, perhaps as an option.
fn takes_its_own(method: &str) -> bool {
    let way = ["checked_", "saturating_", "wrapping_"].iter();
    let operation = way.filter_map(|way| method.strip_prefix(way)).next().unwrap_or(method);
    match operation {
        "add" | "sub" | "mul" | "div" | "rem" => operation.len() < method.len(),
        _ => matches!(method, "min" | "max" | "clamp" | "rem_euclid" | "div_euclid"),
    }
}

/// Whether a path to a function leads to one of the source, if it has one of that name.
fn is_own(types: &Types, path: &[String]) -> bool {
    let Some((_, before)) = path.split_last() else { return false };
    match before {
        [] => true,
        [first, ..] if matches!(&**first, "std" | "core" | "alloc") => false,
        [.., of] => {
            let is_type = of.starts_with(char::is_uppercase);
            of == "Self" || types.is_own(of) || !is_type && !is_primitive(of)
        }
    }
}

fn is_primitive(name: &str) -> bool {
    Width::named(name).is_some() || matches!(name, "bool" | "char" | "str" | "f32" | "f64")
}

/// Beginnings of names of methods that the standard library has for integers and lists.
const STANDARD_STARTS: [&str; 7] =
    ["checked_", "saturating_", "wrapping_", "overflowing_", "leading_", "trailing_", "get_"];

/// Names of methods of the standard library that take or give numbers.
#[rustfmt::skip]
const STANDARD: &[&str] = &[
    "abs", "add", "capacity", "chunks", "clone", "contains", "count", "count_ones", "div", "drain",
    "extend", "fill", "find", "first", "fold", "get", "insert", "is_char_boundary", "last", "len",
    "len_utf8", "mul", "next", "nth", "nth_back", "peek", "pop", "position", "pow", "product", "push",
    "rem", "remove", "repeat", "replace", "reserve", "resize", "rfind", "rotate_left", "rotate_right",
    "rposition", "rsplitn", "set", "signum", "skip", "split_at", "split_off", "splitn", "step_by", "sub",
    "sum", "swap", "swap_remove", "take", "to_digit", "truncate", "unwrap_or", "windows",
];

/// Whether a method may be the standard library's where the source has one of its name.
fn is_standard(method: &str) -> bool {
    takes_its_own(method)
        || STANDARD.contains(&method)
        || STANDARD_STARTS.iter().any(|start| method.starts_with(start))
}

/// The integer type between `::<` and `>`.
fn turbofish(types: &Types, call: &syn::ExprMethodCall) -> Option<Width> {
    match call.turbofish.as_ref()?.args.first()? {
        syn::GenericArgument::Type(of) => types.of(of),
        _ => None,
    }
}

/// What an operator asks of the types of its operands.
#[derive(PartialEq)]
enum Operation {
    /// They are one, and that of the result.
    Arithmetic,
    /// They are one.
    Comparison,
    /// Nothing; the result has that of the left one.
    Shift,
    /// They are no integers.
    Logic,
}

impl Operation {
    fn of(op: &BinOp) -> Self {
        match op {
            BinOp::And(_) | BinOp::Or(_) => Self::Logic,
            BinOp::Shl(_) | BinOp::Shr(_) | BinOp::ShlAssign(_) | BinOp::ShrAssign(_) => {
                Self::Shift
            }
            BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_) => Self::Comparison,
            _ => Self::Arithmetic,
        }
    }
}

/// Reads what a function does with its variables. Where it does something with one that is not known to
/// leave its type open, the type is unknown.
struct Reader<'r, 'a> {
    krate: &'a Crate<'a>,
    kinds: &'r mut Kinds,
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

    fn learn(&mut self, variable: u32, kind: Kind) {
        let known = &mut self.kinds.known[variable as usize];
        *known = known.and(kind);
    }

    /// Two expressions have one type.
    fn link(&mut self, a: Term, b: Term) {
        match (a, b) {
            (Term::Width(width), Term::Variable(variable))
            | (Term::Variable(variable), Term::Width(width)) => {
                self.learn(variable, Kind::Known(width));
            }
            (Term::Variable(a), Term::Variable(b)) => self.links.push((a, b)),
            (Term::Variable(variable), Term::Nothing)
            | (Term::Nothing, Term::Variable(variable)) => {
                self.learn(variable, Kind::Unknown);
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
            (Expr::Call(call), _) if call.args.len() == 1 => {
                if let Some(of) = inside(of) {
                    self.link_type(&call.args[0], of);
                }
            }
            _ => {
                if let Some(width) = self.krate.types.of(of) {
                    self.link(Term::Width(width), self.term(expr));
                }
            }
        }
    }

    /// A pattern has a type that is written out.
    fn typed(&mut self, pattern: &Pat, of: &Type) {
        if let Some(variable) = self.kinds.variables.made(pattern) {
            let width = self.krate.types.of(of);
            return self.learn(variable, width.map_or(Kind::Unknown, Kind::Known));
        }
        match (pattern, of) {
            (Pat::Tuple(patterns), Type::Tuple(types)) => {
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
            return self.typed(&typed.pat, &typed.ty);
        }
        if let Some(variable) = self.kinds.variables.made(pattern) {
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
                match self.kinds.variables.made(&tuple.elems[0]) {
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
        match expr {
            Expr::Range(range) => {
                for end in [&range.start, &range.end].into_iter().flatten() {
                    self.link(self.term(end), Term::Nothing);
                }
            }
            _ => self.link(self.term(expr), Term::Nothing),
        }
    }

    /// Reads an expression whose type is taken care of.
    fn within(&mut self, expr: &'a Expr) {
        visit::visit_expr(self, expr);
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

    /// Whether a number in the place of an index is one.
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
            is_plain &= leaves_open(pattern);
        }
        if is_plain { self.within(expr) } else { self.visit_expr(expr) }
    }
}

/// Whether a pattern says nothing of the type of a number.
fn leaves_open(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(ident) => ident.subpat.as_ref().is_none_or(|(_, inner)| leaves_open(inner)),
        Pat::Lit(literal) => match &literal.lit {
            Lit::Int(int) => int.suffix().is_empty(),
            _ => false,
        },
        Pat::Range(range) => [&range.start, &range.end].into_iter().flatten().all(|end| {
            matches!(&**end, Expr::Lit(literal)
                if matches!(&literal.lit, Lit::Int(int) if int.suffix().is_empty()))
        }),
        Pat::Or(ways) => ways.cases.iter().all(leaves_open),
        Pat::Paren(inner) => leaves_open(&inner.pat),
        _ => false,
    }
}

/// Forgets all variables of a pattern.
struct Each<'e, 'r, 'a>(&'e mut Reader<'r, 'a>);

impl Visit<'_> for Each<'_, '_, '_> {
    fn visit_pat(&mut self, pattern: &Pat) {
        if let Some(variable) = self.0.kinds.variables.made(pattern) {
            self.0.learn(variable, Kind::Unknown);
        }
        match pattern {
            Pat::Type(typed) => self.0.typed(&typed.pat, &typed.ty),
            _ => visit::visit_pat(self, pattern),
        }
    }
}

/// Links what is returned with the type that it has.
struct Returns<'e, 'r, 'a> {
    reader: &'e mut Reader<'r, 'a>,
    of: &'a Type,
}

impl<'a> Visit<'a> for Returns<'_, '_, 'a> {
    fn visit_expr_return(&mut self, returned: &'a syn::ExprReturn) {
        if let Some(expr) = &returned.expr {
            self.reader.link_type(expr, self.of);
        }
        visit::visit_expr_return(self, returned);
    }

    // It returns for itself.
    fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}

    fn visit_item(&mut self, _: &'a syn::Item) {}
}

impl<'a> Visit<'a> for Reader<'_, 'a> {
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
            _ => visit::visit_stmt(self, statement),
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
        let is_shared =
            matches!(Operation::of(&binary.op), Operation::Arithmetic | Operation::Comparison);
        if is_shared {
            self.link(self.term(&binary.left), self.term(&binary.right));
        }
        let below_zero = match (&binary.op, &*binary.right) {
            (BinOp::Lt(_) | BinOp::Ge(_), right) if is_zero(right) => true,
            (_, Expr::Unary(unary)) => matches!(unary.op, UnOp::Neg(_)),
            _ => false,
        };
        if let (true, Term::Variable(variable)) = (below_zero, self.term(&binary.left)) {
            self.signs.push(variable);
        }
        self.within(&binary.left);
        self.within(&binary.right);
    }

    fn visit_expr_for_loop(&mut self, each: &'a syn::ExprForLoop) {
        let mut items = super::source::bare(&each.expr);
        while let Expr::MethodCall(call) = items
            && matches!(&*call.method.to_string(), "rev" | "step_by")
        {
            items = super::source::bare(&call.receiver);
        }
        match items {
            Expr::Range(range) => {
                let ends = [&range.start, &range.end].into_iter().flatten();
                for end in ends {
                    match self.kinds.variables.made(&each.pat) {
                        Some(variable) => self.link(Term::Variable(variable), self.term(end)),
                        None => self.leave(end),
                    }
                }
                self.within(&each.expr);
            }
            Expr::MethodCall(call)
                if call.method == "enumerate" || call.method == "char_indices" =>
            {
                match &*each.pat {
                    Pat::Tuple(tuple) if tuple.elems.len() == 2 => {
                        if let Some(variable) = self.kinds.variables.made(&tuple.elems[0]) {
                            self.learn(variable, Kind::Known(USIZE));
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
            self.within(end);
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
            Expr::Path(path) if self.kinds.variables.meant(path).is_none() => {
                let mut names = names(&path.path);
                let is_own = is_own(&self.krate.types, &names);
                names.pop().filter(|_| is_own)
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
            "nth" | "nth_back" | "skip" | "take" | "step_by" | "get" | "split_at" | "chunks"
            | "windows" | "splitn" | "rsplitn" | "repeat" | "is_char_boundary" => {
                self.visit_expr(&call.receiver);
                for (place, arg) in call.args.iter().enumerate() {
                    if place == 0 { self.index(arg) } else { self.visit_expr(arg) }
                }
            }
            _ => visit::visit_expr_method_call(self, call),
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

fn is_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(literal)
        if matches!(&literal.lit, Lit::Int(int) if int.base10_digits() == "0"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::differential::infer::source::{Macros, Parsed};

    /// The types of the expressions in the last block of `fn f`, as the source has them.
    fn kinds(source: &str) -> Vec<Option<(u32, bool)>> {
        let parsed = Parsed::read(&[("a.rs".to_owned(), source.to_owned())]).unwrap();
        let macros = Macros::read(&parsed);
        let krate = Crate::new(&parsed, &macros);
        let number = krate.function_at(&["f".to_owned()], None).unwrap();
        let mut kinds = Kinds::default();
        kinds.read(&krate, number);
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
