//! The types of integers in functions, as far as the source tells them.
//!
//! To the analysis a number has no bounds. Of which type it is matters where it falls below zero,
//! which is a number or a panic, and where its type may have no room for it. Types are read off
//! literals, casts, annotations, what functions take and return, and methods of the standard library; a
//! variable has the type of what it is set to, compared with or added to. A variable that only ever meets
//! literals and others like it is an `i32`, and of one that goes elsewhere nothing is known.

use fxhash::FxHashSet;
use syn::{BinOp, Expr, Lit, Pat, Stmt, Type, UnOp};

use super::scopes::Variables;
use super::source::{Crate, names};
use super::types::Types;
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
pub(super) enum Kind {
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
    pub(super) fn and(self, other: Self) -> Self {
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
    /// Adds the variables of a function; false if it was read before.
    pub(super) fn add<'a>(&mut self, krate: &'a Crate<'a>, number: usize) -> bool {
        let is_new = self.read.insert(number);
        if is_new {
            let hidden = self.variables.read(krate, &krate.get(number));
            self.known.resize(self.variables.count(), Kind::Free);
            for variable in hidden {
                self.learn(variable, Kind::Unknown);
            }
        }
        is_new
    }

    /// The variable that a pattern is, if it is one.
    pub(super) fn made(&self, pattern: &Pat) -> Option<u32> {
        self.variables.made(pattern)
    }

    /// The variable that a path means, if it does.
    pub(super) fn meant(&self, path: &syn::ExprPath) -> Option<u32> {
        self.variables.meant(path)
    }

    pub(super) fn learn(&mut self, variable: u32, kind: Kind) {
        let known = &mut self.known[variable as usize];
        *known = known.and(kind);
    }

    /// What is treated as only numbers with a sign are has one, unless its type is known.
    pub(super) fn sign(&mut self, variable: u32) {
        let known = &mut self.known[variable as usize];
        if *known == Kind::Unknown {
            *known = Kind::Signed;
        }
    }

    /// Has linked variables share their types, until nothing changes.
    pub(super) fn pass_on(&mut self, links: &[(u32, u32)]) {
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

    fn width(&self, term: &Term) -> Option<Width> {
        match term {
            Term::Width(width) => Some(*width),
            Term::Variable(variable) => match self.known[*variable as usize] {
                Kind::Free => Some(I32),
                Kind::Known(width) => Some(width),
                Kind::Signed | Kind::Unknown | Kind::Several => None,
            },
            Term::Literal => Some(I32),
            Term::Nothing => None,
        }
    }

    /// The type of an expression.
    pub(super) fn of(&self, types: &Types, expr: &Expr) -> Option<Width> {
        self.width(&self.term(types, expr))
    }

    /// A type whose numbers that of an expression has, too.
    pub(super) fn least(&self, types: &Types, expr: &Expr) -> Option<Width> {
        let term = match expr {
            Expr::Binary(binary) if Operation::of(&binary.op) == Operation::Assignment => {
                self.operands(types, binary)
            }
            _ => self.term(types, expr),
        };
        match term {
            Term::Variable(variable) if self.known[variable as usize] == Kind::Signed => Some(I8),
            term => self.width(&term),
        }
    }
}

/// What is known of an expression's type.
pub(super) enum Term {
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
    pub(super) fn term(&self, types: &Types, expr: &Expr) -> Term {
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
                    [.., of, last] if is_primitive(of) => match &**last {
                        "MAX" | "MIN" => types.named(of),
                        "BITS" => Some(U32),
                        _ => None,
                    },
                    [.., last] => types.name(last),
                    [] => None,
                }),
            },
            Expr::Field(field) => match &field.member {
                // A range of the standard library has such fields, too.
                syn::Member::Named(name) if name == "start" || name == "end" => Term::Nothing,
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
            Expr::Binary(binary) => match Operation::of(&binary.op) {
                Operation::Arithmetic => self.operands(types, binary),
                Operation::Shift => self.term(types, &binary.left),
                _ => Term::Nothing,
            },
            Expr::If(branch) => match &branch.else_branch {
                Some((_, other)) if diverges_in(&branch.then_branch) => self.term(types, other),
                Some((_, other)) if diverges(other) => self.tail(types, &branch.then_branch),
                Some((_, other)) => {
                    self.tail(types, &branch.then_branch).or(|| self.term(types, other))
                }
                None => Term::Nothing,
            },
            Expr::Match(branch) => {
                let bodies = branch.arms.iter().map(|arm| &*arm.body);
                let mut terms =
                    bodies.filter(|body| !diverges(body)).map(|it| self.term(types, it));
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

    /// The type of two operands that have one.
    fn operands(&self, types: &Types, binary: &syn::ExprBinary) -> Term {
        self.term(types, &binary.left).or(|| self.term(types, &binary.right))
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
    pub(super) fn inner(&self, types: &Types, expr: &Expr) -> Term {
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
pub(super) fn takes_its_own(method: &str) -> bool {
    let way = ["checked_", "saturating_", "wrapping_"].iter();
    let operation = way.filter_map(|way| method.strip_prefix(way)).next().unwrap_or(method);
    match operation {
        "add" | "sub" | "mul" | "div" | "rem" => operation.len() < method.len(),
        _ => matches!(method, "min" | "max" | "clamp" | "rem_euclid" | "div_euclid"),
    }
}

/// Whether a path to a function leads to one of the source, if it has one of that name.
pub(super) fn is_own(types: &Types, path: &[String]) -> bool {
    let Some((_, before)) = path.split_last() else { return false };
    match before {
        _ if path.last().is_some_and(|last| is_standard(last)) => false,
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

/// Names of functions and methods of the standard library that take or give numbers, or what may be
/// one.
#[rustfmt::skip]
const STANDARD: &[&str] = &[
    "abs", "abs_diff", "add", "advance_by", "and", "and_then", "as_ref", "as_mut", "binary_search",
    "binary_search_by", "borrow", "borrow_mut", "bytes", "capacity", "chars", "chunks",
    "chunks_exact", "clear", "clone", "cloned", "cmp", "collect", "concat", "contains",
    "contains_key", "copied", "count", "count_ones", "count_zeros", "deref", "div", "drain", "end",
    "entry", "eq", "err", "expect", "expect_err", "extend", "fill", "filter", "filter_map", "find",
    "find_map", "first", "flat_map", "flatten", "fold", "for_each", "from", "from_digit",
    "from_str", "from_str_radix", "from_u32", "fuse", "ge", "get", "gt", "ilog", "ilog10", "ilog2",
    "index", "insert", "inspect", "into", "into_inner", "into_iter", "is_char_boundary", "is_empty",
    "is_multiple_of", "isqrt", "iter", "iter_mut", "join", "key", "last", "le", "len", "len_utf8",
    "lt", "map", "map_err", "map_or", "map_or_else", "max", "max_by", "max_by_key", "midpoint",
    "min", "min_by", "min_by_key", "mul", "ne", "neg", "new", "next", "next_back", "next_if",
    "next_if_eq", "next_multiple_of", "next_power_of_two", "not", "nth", "nth_back", "ok", "ok_or",
    "ok_or_else", "or", "or_default", "or_else", "or_insert", "parse", "partial_cmp",
    "partition_point", "peek", "peek_mut", "pop", "pop_back", "pop_front", "position", "pow",
    "product", "push", "push_back", "push_front", "reduce", "rem", "remove", "repeat", "repeat_n",
    "replace", "reserve", "resize", "retain", "rev", "reverse_bits", "rfind", "rfold",
    "rotate_left", "rotate_right", "rposition", "rsplit", "rsplitn", "scan", "set", "shl", "shr",
    "signum", "skip", "split", "split_at", "split_off", "splitn", "start", "starts_with", "step_by",
    "strip_prefix", "sub", "succ", "sum", "swap", "swap_bytes", "swap_remove", "take", "take_while",
    "then", "then_some", "to_ascii_lowercase", "to_digit", "to_owned", "to_string", "truncate",
    "try_fold", "try_from", "try_into", "unsigned_abs", "unwrap", "unwrap_err", "unwrap_or",
    "unwrap_or_default", "unwrap_or_else", "update", "value", "values", "windows", "with_capacity",
    "xor", "zip",
];

/// Whether a function may be the standard library's where the source has one of its name.
pub(super) fn is_standard(method: &str) -> bool {
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
pub(super) enum Operation {
    /// They are one, and that of the result.
    Arithmetic,
    /// They are one.
    Comparison,
    /// They are one, and there is no result.
    Assignment,
    /// Nothing; the result has that of the left one.
    Shift,
    /// They are no integers.
    Logic,
}

impl Operation {
    pub(super) fn of(op: &BinOp) -> Self {
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
            BinOp::Add(_)
            | BinOp::Sub(_)
            | BinOp::Mul(_)
            | BinOp::Div(_)
            | BinOp::Rem(_)
            | BinOp::BitAnd(_)
            | BinOp::BitOr(_)
            | BinOp::BitXor(_) => Self::Arithmetic,
            _ => Self::Assignment,
        }
    }
}

/// Whether nothing comes of an expression.
fn diverges(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(call) => panics(&call.mac),
        Expr::Block(block) => diverges_in(&block.block),
        _ => false,
    }
}

fn panics(call: &syn::Macro) -> bool {
    ["panic", "unreachable", "todo", "unimplemented"].iter().any(|name| call.path.is_ident(name))
}

fn diverges_in(block: &syn::Block) -> bool {
    match block.stmts.last() {
        Some(Stmt::Expr(expr, _)) => diverges(expr),
        Some(Stmt::Macro(call)) => panics(&call.mac),
        _ => false,
    }
}
