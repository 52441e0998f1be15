//! The types of integers, as far as the source tells them.
//!
//! To the analysis a number has no bounds. Of which type it is matters where it falls below zero,
//! which is a number or a panic, and where its type may have no room for it. Types are read off
//! literals, casts, annotations and methods of the standard library, and a variable has the type of
//! what it is set to, compared with or added to. Variables of a function that share a name are
//! taken for one; where their types differ, there is none.

use std::collections::hash_map::Entry;

use fxhash::FxHashMap;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, GenericArgument, Item, Lit, Pat, Type, UnOp};

use super::source::{Function, Parsed, names, type_name, variable};

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Width {
    pub(super) bits: u32,
    pub(super) signed: bool,
}

/// That of lengths and indices.
pub(super) const USIZE: Width = Width { bits: 64, signed: false };
/// That of bytes.
pub(super) const U8: Width = Width { bits: 8, signed: false };

impl Width {
    /// The type of a name; `usize` has 64 bits.
    pub(super) fn named(name: &str) -> Option<Self> {
        let bits = match name.get(1..)? {
            "8" => 8,
            "16" => 16,
            "32" => 32,
            "64" | "size" => 64,
            "128" => 128,
            _ => return None,
        };
        match name.as_bytes()[0] {
            b'u' => Some(Self { bits, signed: false }),
            b'i' => Some(Self { bits, signed: true }),
            _ => None,
        }
    }

    /// The least number of the type.
    pub(super) fn min(self) -> i128 {
        if self.signed { -1 << (self.bits - 1) } else { 0 }
    }

    /// The greatest one; that of `u128` is taken for that of `i128`.
    pub(super) fn max(self) -> i128 {
        match (self.bits, self.signed) {
            (128, _) => i128::MAX,
            (bits, true) => (1 << (bits - 1)) - 1,
            (bits, false) => (1 << bits) - 1,
        }
    }

    /// Whether a text that is no longer than texts are may have more characters than the type
    /// counts.
    pub(super) fn is_narrow(self) -> bool {
        self.bits <= 16
    }

    /// What a cast makes of a number.
    pub(super) fn wrapped(self, number: i128) -> i128 {
        if self.bits == 128 {
            return number;
        }
        let low = number.rem_euclid(1 << self.bits);
        if low > self.max() { low - (1 << self.bits) } else { low }
    }
}

/// What all functions share: names of types, fields, constants, and what functions return.
#[derive(Default)]
pub(super) struct Types {
    aliases: FxHashMap<String, String>,
    /// Fields by a dot and their name.
    known: FxHashMap<String, Known>,
    returns: FxHashMap<String, Known>,
}

/// The type that a name has, or that it has several.
type Known = Option<Width>;

impl Types {
    pub(super) fn read(parsed: &Parsed) -> Self {
        let mut types = Self::default();
        for file in &parsed.files {
            Aliases(&mut types.aliases).visit_file(&file.tree);
        }
        for file in &parsed.files {
            Declared(&mut types).visit_file(&file.tree);
        }
        types
    }

    /// The integer type of a name, or of what it is another name of.
    pub(super) fn named(&self, name: &str) -> Option<Width> {
        Width::named(self.aliases.get(name).map_or(name, String::as_str))
    }

    fn of(&self, of: &Type) -> Option<Width> {
        match of {
            Type::Reference(inner) => self.of(&inner.elem),
            Type::Paren(inner) => self.of(&inner.elem),
            Type::Group(inner) => self.of(&inner.elem),
            _ => self.named(&type_name(of)),
        }
    }
}

fn learn(known: &mut FxHashMap<String, Known>, name: String, width: Width) -> bool {
    match known.entry(name) {
        Entry::Vacant(entry) => {
            entry.insert(Some(width));
            true
        }
        Entry::Occupied(mut entry) => match *entry.get() {
            Some(before) if before != width => {
                entry.insert(None);
                true
            }
            _ => false,
        },
    }
}

struct Aliases<'t>(&'t mut FxHashMap<String, String>);

impl<'ast> Visit<'ast> for Aliases<'_> {
    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        let to = type_name(&item.ty);
        let end = self.0.get(&to).cloned().unwrap_or(to);
        // Two of one name are told apart nowhere, so they are none.
        match self.0.entry(item.ident.to_string()) {
            Entry::Vacant(entry) => {
                entry.insert(end);
            }
            Entry::Occupied(mut entry) => {
                if *entry.get() != end {
                    entry.insert(String::new());
                }
            }
        }
    }
}

struct Declared<'t>(&'t mut Types);

impl<'ast> Visit<'ast> for Declared<'_> {
    fn visit_field(&mut self, field: &'ast syn::Field) {
        if let (Some(name), Some(width)) = (&field.ident, self.0.of(&field.ty)) {
            learn(&mut self.0.known, format!(".{name}"), width);
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        let constant = match item {
            Item::Const(item) => Some((&item.ident, &item.ty)),
            Item::Static(item) => Some((&item.ident, &item.ty)),
            _ => None,
        };
        if let Some((name, of)) = constant
            && let Some(width) = self.0.of(of)
        {
            learn(&mut self.0.known, name.to_string(), width);
        }
        visit::visit_item(self, item);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        if let syn::ReturnType::Type(_, of) = &signature.output
            && let Some(width) = self.0.of(of)
        {
            learn(&mut self.0.returns, signature.ident.to_string(), width);
        }
    }
}

/// The types of a function's variables.
pub(super) struct Widths {
    known: FxHashMap<String, Known>,
}

/// What is known of an expression's type.
enum Term {
    Width(Width),
    /// It is that of a name.
    Name(String),
    Nothing,
}

impl Widths {
    pub(super) fn read(types: &Types, function: &Function<'_>) -> Self {
        let mut reader =
            Reader { types, known: types.known.clone(), links: Vec::new(), signs: Vec::new() };
        reader.visit_signature(function.sig);
        reader.visit_block(function.block);
        if let (syn::ReturnType::Type(_, of), Some(syn::Stmt::Expr(tail, None))) =
            (&function.sig.output, function.block.stmts.last())
            && let Some(width) = types.of(of)
        {
            reader.link(Term::Width(width), reader.term(tail));
        }
        let Reader { mut known, links, signs, .. } = reader;
        pass_on(&mut known, &links);
        // What is compared with a number below zero, or asked whether it is one, has a sign.
        for name in signs {
            known.entry(name).or_insert(Some(Width { bits: 32, signed: true }));
        }
        pass_on(&mut known, &links);
        Self { known }
    }

    /// The type of an expression.
    pub(super) fn of(&self, types: &Types, expr: &Expr) -> Option<Width> {
        match term(types, expr) {
            Term::Width(width) => Some(width),
            Term::Name(name) => self.known.get(&name).copied().flatten(),
            Term::Nothing => None,
        }
    }
}

/// Has linked names share their types, until nothing changes.
fn pass_on(known: &mut FxHashMap<String, Known>, links: &[(String, String)]) {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (a, b) in links {
            for (from, to) in [(a, b), (b, a)] {
                match known.get(from) {
                    Some(Some(width)) => changed |= learn(known, to.clone(), *width),
                    // What is linked to what has several has none either.
                    Some(None) => changed |= known.insert(to.clone(), None) != Some(None),
                    None => {}
                }
            }
        }
    }
}

struct Reader<'t> {
    types: &'t Types,
    known: FxHashMap<String, Known>,
    links: Vec<(String, String)>,
    /// Names that are treated as only numbers with a sign are.
    signs: Vec<String>,
}

impl Reader<'_> {
    fn term(&self, expr: &Expr) -> Term {
        term(self.types, expr)
    }

    fn link(&mut self, a: Term, b: Term) {
        match (a, b) {
            (Term::Width(width), Term::Name(name)) | (Term::Name(name), Term::Width(width)) => {
                learn(&mut self.known, name, width);
            }
            (Term::Name(a), Term::Name(b)) => self.links.push((a, b)),
            _ => {}
        }
    }

    /// A pattern that stands for what an expression is, or has inside.
    fn bind(&mut self, pattern: &Pat, expr: &Expr) {
        if let Some(name) = variable(pattern) {
            return self.link(Term::Name(name.to_string()), self.term(expr));
        }
        match pattern {
            Pat::TupleStruct(tuple) if tuple.elems.len() == 1 => {
                if let Some(name) = variable(&tuple.elems[0]) {
                    self.link(Term::Name(name.to_string()), inner(self.types, expr));
                }
            }
            Pat::Tuple(tuple) => {
                if let Expr::Tuple(values) = expr {
                    for (pattern, value) in tuple.elems.iter().zip(&values.elems) {
                        self.bind(pattern, value);
                    }
                }
            }
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_pat_type(&mut self, typed: &'ast syn::PatType) {
        if let (Some(name), Some(width)) = (variable(&typed.pat), self.types.of(&typed.ty)) {
            learn(&mut self.known, name.to_string(), width);
        }
        visit::visit_pat_type(self, typed);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            self.bind(&local.pat, &init.expr);
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_let(&mut self, binding: &'ast syn::ExprLet) {
        self.bind(&binding.pat, &binding.expr);
        visit::visit_expr_let(self, binding);
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        for arm in &expr.arms {
            self.bind(&arm.pat, &expr.expr);
        }
        visit::visit_expr_match(self, expr);
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.link(self.term(&assign.left), self.term(&assign.right));
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let shifts = matches!(
            binary.op,
            BinOp::Shl(_) | BinOp::Shr(_) | BinOp::ShlAssign(_) | BinOp::ShrAssign(_)
        );
        if !shifts {
            self.link(self.term(&binary.left), self.term(&binary.right));
        }
        let below_zero = match (&binary.op, &*binary.right) {
            (BinOp::Lt(_) | BinOp::Ge(_), right) if is_zero(right) => true,
            (_, Expr::Unary(unary)) => matches!(unary.op, UnOp::Neg(_)),
            _ => false,
        };
        if let (true, Term::Name(name)) = (below_zero, self.term(&binary.left)) {
            self.signs.push(name);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_for_loop(&mut self, each: &'ast syn::ExprForLoop) {
        match &*each.expr {
            Expr::Range(range) => {
                if let Some(name) = variable(&each.pat) {
                    for end in [&range.start, &range.end].into_iter().flatten() {
                        self.link(Term::Name(name.to_string()), self.term(end));
                    }
                }
            }
            Expr::MethodCall(call)
                if call.method == "enumerate" || call.method == "char_indices" =>
            {
                if let Pat::Tuple(tuple) = &*each.pat
                    && let Some(name) = tuple.elems.first().and_then(variable)
                {
                    learn(&mut self.known, name.to_string(), USIZE);
                }
            }
            _ => {}
        }
        visit::visit_expr_for_loop(self, each);
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        if let syn::Member::Named(name) = &field.member {
            self.link(Term::Name(format!(".{name}")), self.term(&field.expr));
        }
        visit::visit_field_value(self, field);
    }

    fn visit_expr_range(&mut self, range: &'ast syn::ExprRange) {
        if let (Some(start), Some(end)) = (&range.start, &range.end) {
            self.link(self.term(start), self.term(end));
        }
        visit::visit_expr_range(self, range);
    }
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(literal)
        if matches!(&literal.lit, Lit::Int(int) if int.base10_digits() == "0"))
}

/// What an expression's type is.
fn term(types: &Types, expr: &Expr) -> Term {
    let width = |width: Option<Width>| width.map_or(Term::Nothing, Term::Width);
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) => width(Width::named(int.suffix())),
            Lit::Byte(_) => Term::Width(U8),
            _ => Term::Nothing,
        },
        Expr::Cast(cast) => width(types.of(&cast.ty)),
        Expr::Path(path) => match &names(&path.path)[..] {
            [name] => Term::Name(name.clone()),
            // `u8::MAX`, or a constant of a module.
            [.., of, last] => types.named(of).map_or(Term::Name(last.clone()), Term::Width),
            [] => Term::Nothing,
        },
        Expr::Field(field) => match &field.member {
            syn::Member::Named(name) => Term::Name(format!(".{name}")),
            syn::Member::Unnamed(_) => Term::Nothing,
        },
        Expr::Paren(inner) => term(types, &inner.expr),
        Expr::Group(inner) => term(types, &inner.expr),
        Expr::Reference(inner) => term(types, &inner.expr),
        Expr::Unary(unary) => match unary.op {
            UnOp::Deref(_) | UnOp::Neg(_) => term(types, &unary.expr),
            _ => Term::Nothing,
        },
        Expr::Binary(binary) => {
            let arithmetic = matches!(
                binary.op,
                BinOp::Add(_)
                    | BinOp::Sub(_)
                    | BinOp::Mul(_)
                    | BinOp::Div(_)
                    | BinOp::Rem(_)
                    | BinOp::BitAnd(_)
                    | BinOp::BitOr(_)
                    | BinOp::BitXor(_)
            );
            match (arithmetic, term(types, &binary.left)) {
                (true, Term::Nothing) => term(types, &binary.right),
                (true, found) => found,
                (false, _) => Term::Nothing,
            }
        }
        Expr::If(branch) => tail(types, &branch.then_branch),
        Expr::Block(block) => tail(types, &block.block),
        Expr::Try(tried) => inner(types, &tried.expr),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => match &names(&path.path)[..] {
                [.., of, last] if last == "from" => width(types.named(of)),
                [.., last] => width(types.returns.get(last).copied().flatten()),
                [] => Term::Nothing,
            },
            _ => Term::Nothing,
        },
        Expr::MethodCall(call) => match &*call.method.to_string() {
            "len" | "count" | "len_utf8" | "capacity" => Term::Width(USIZE),
            "saturating_add" | "saturating_sub" | "saturating_mul" | "wrapping_add"
            | "wrapping_sub" | "wrapping_mul" | "min" | "max" | "clamp" | "pow" | "abs"
            | "rem_euclid" | "div_euclid" | "clone" => term(types, &call.receiver),
            "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" => {
                inner(types, &call.receiver)
            }
            "sum" | "product" => width(turbofish(types, call)),
            other => width(types.returns.get(other).copied().flatten()),
        },
        _ => Term::Nothing,
    }
}

/// The type of what is inside an expression that is an option or a result.
fn inner(types: &Types, expr: &Expr) -> Term {
    match expr {
        Expr::Paren(inside) => inner(types, &inside.expr),
        Expr::MethodCall(call) => match &*call.method.to_string() {
            "find" | "rfind" | "position" | "rposition" => Term::Width(USIZE),
            "to_digit" => Term::Width(Width { bits: 32, signed: false }),
            "parse" => turbofish(types, call).map_or(Term::Nothing, Term::Width),
            "checked_add" | "checked_sub" | "checked_mul" | "checked_div" => {
                term(types, &call.receiver)
            }
            "ok" | "copied" | "cloned" | "ok_or" | "map_err" | "filter" | "or" => {
                inner(types, &call.receiver)
            }
            _ => Term::Nothing,
        },
        _ => Term::Nothing,
    }
}

fn tail(types: &Types, block: &syn::Block) -> Term {
    match block.stmts.last() {
        Some(syn::Stmt::Expr(expr, None)) => term(types, expr),
        _ => Term::Nothing,
    }
}

/// The integer type between `::<` and `>`.
fn turbofish(types: &Types, call: &syn::ExprMethodCall) -> Option<Width> {
    match call.turbofish.as_ref()?.args.first()? {
        GenericArgument::Type(of) => types.of(of),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::differential::infer::source::{Crate, Macros};

    /// The types of the names in `fn f`, as the source has them.
    fn widths(source: &str, wanted: &[&str]) -> Vec<Option<(u32, bool)>> {
        let parsed = Parsed::read(&[("a.rs".to_owned(), source.to_owned())]).unwrap();
        let macros = Macros::read(&parsed);
        let krate = Crate::new(&parsed, &macros);
        let number = krate.function_at(&["f".to_owned()], None).unwrap();
        let widths = Widths::read(&krate.types, &krate.get(number));
        let of = |name: &&str| {
            let expr: Expr = syn::parse_str(name).unwrap();
            widths.of(&krate.types, &expr).map(|width| (width.bits, width.signed))
        };
        wanted.iter().map(of).collect()
    }

    #[test]
    fn types_are_read_off_and_passed_on() {
        let source = "
            type Small = u8;
            const LIMIT: i16 = 7;
            struct State { depth: i8 }
            fn g() -> u16 { 1 }
            fn f(text: &str, most: u32) -> bool {
                let mut a = 0u8;
                let b = a;
                let mut c = 0;
                let (mut d, mut e) = (0, 0 as Small);
                c += LIMIT;
                d = g();
                let mut h = 0;
                if h < most { h += 1; }
                let mut state = State { depth: 0 };
                state.depth += 1;
                let Some(i) = text.find(':') else { return false };
                if let Ok(j) = text.parse::<i64>() {}
                let unknown = 0;
                for (k, c2) in text.chars().enumerate() {}
                let twice = 1i8;
                let twice = 1i16;
                for m in 0..text.len() {}
                let mut below = 0;
                if below < 0 {}
                b == e
            }";
        let names = [
            "a",
            "b",
            "c",
            "d",
            "e",
            "h",
            "state.depth",
            "i",
            "j",
            "unknown",
            "k",
            "twice",
            "m",
            "below",
        ];
        assert_eq!(
            widths(source, &names),
            [
                Some((8, false)),
                Some((8, false)),
                Some((16, true)),
                Some((16, false)),
                Some((8, false)),
                Some((32, false)),
                Some((8, true)),
                Some((64, false)),
                Some((64, true)),
                None,
                Some((64, false)),
                None,
                Some((64, false)),
                Some((32, true)),
            ]
        );
        let exprs = ["a + 1", "-c", "text.len() as i32", "(d)", "text.find('a').unwrap_or(0) - 1"];
        assert_eq!(
            widths(source, &exprs),
            [
                Some((8, false)),
                Some((16, true)),
                Some((32, true)),
                Some((16, false)),
                Some((64, false))
            ]
        );
    }

    #[test]
    fn casts_wrap() {
        let named = |name| Width::named(name).unwrap();
        for n in [-70_000_i128, -300, -129, -1, 0, 1, 127, 128, 255, 256, 40_000, 70_000] {
            assert_eq!(named("u8").wrapped(n), i128::from(n as u8));
            assert_eq!(named("i8").wrapped(n), i128::from(n as i8));
            assert_eq!(named("u16").wrapped(n), i128::from(n as u16));
            assert_eq!(named("i32").wrapped(n), i128::from(n as i32));
            assert_eq!(named("u64").wrapped(n), i128::from(n as u64));
        }
        assert_eq!((named("i8").min(), named("i8").max()), (-128, 127));
        assert_eq!((named("u16").min(), named("u16").max()), (0, 65_535));
        assert_eq!(Width::named("f32"), None);
        assert_eq!(Width::named("é"), None);
    }
}
