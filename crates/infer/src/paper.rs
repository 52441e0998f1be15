//! The published flow functions: a regex for each statement, concatenated along the control flow.
//!
//! Table I of the paper: a statement that uses a tainted value appends its regex to what reaches
//! it; paths that meet are united; a `throw` (here: `Err`, `None`, `false`, a panic) kills; what
//! returns reach is united. A loop's body is appended once. The branch that a condition
//! does not hold in appends nothing. Conditions on values made from the input say of the input
//! what they say of the value ([`Derived::Strict`]), or that it may occur ([`Derived::Possible`]).

use fxhash::{FxHashMap, FxHashSet};
use syn::{Block, Expr, Lit, Pat, Stmt};

use super::analysis::Derived;
use super::bodies::MacroBody;
use super::pool::{ALL, EMPTY, Lang, NONE, Pool};
use super::source::{Crate, Origin, names};
use super::stop::Flow;
use super::table::{Meaning, Table};

/// The published analysis.
pub(super) struct Paper<'a> {
    pub(super) krate: &'a Crate<'a>,
    pub(super) table: &'a Table,
    pub(super) pool: &'a mut Pool,
    pub(super) derived: Derived,
    /// What functions were found to accept; those under way are none.
    pub(super) summaries: FxHashMap<usize, Lang>,
    pub(super) reached: FxHashSet<usize>,
}

/// What reaches a statement, and which variables are tainted.
#[derive(Clone)]
struct Reaching {
    lang: Lang,
    tainted: FxHashSet<String>,
    function: usize,
    /// What reached returns so far.
    returned: Lang,
}

impl<'a> Paper<'a> {
    /// The regex of a function whose parameter is tainted.
    pub(super) fn function(&mut self, number: usize, parameter: &str) -> Flow<Lang> {
        if let Some(&known) = self.summaries.get(&number) {
            return Ok(known);
        }
        // Back edges are dropped: a recursive call says nothing.
        self.summaries.insert(number, EMPTY);
        self.reached.insert(number);
        let mut at = Reaching {
            lang: EMPTY,
            tainted: [parameter.to_owned()].into_iter().collect(),
            function: number,
            returned: NONE,
        };
        self.block(&mut at, self.krate.get(number).block, true)?;
        let all = self.pool.union(at.returned, at.lang)?;
        let all = if all == EMPTY { ALL } else { all };
        self.summaries.insert(number, all);
        Ok(all)
    }

    fn append(&mut self, at: &mut Reaching, lang: Lang) -> Flow<()> {
        let lang = match self.derived {
            Derived::Strict => lang,
            Derived::Possible => self.pool.union(lang, EMPTY)?,
        };
        at.lang = self.pool.concat(at.lang, lang)?;
        Ok(())
    }

    fn block(&mut self, at: &mut Reaching, block: &'a Block, last: bool) -> Flow<()> {
        for (i, statement) in block.stmts.iter().enumerate() {
            match statement {
                Stmt::Local(local) => {
                    let Some(init) = &local.init else { continue };
                    self.expr(at, &init.expr, false)?;
                    if self.is_tainted(at, &init.expr) {
                        taint(&mut at.tainted, &local.pat);
                    }
                }
                Stmt::Expr(expr, None) if last && i + 1 == block.stmts.len() => {
                    self.expr(at, expr, true)?;
                }
                Stmt::Expr(expr, _) => self.expr(at, expr, false)?,
                Stmt::Macro(call) => self.call_macro(at, &call.mac)?,
                Stmt::Item(_) => {}
            }
            if at.lang == NONE {
                break;
            }
        }
        Ok(())
    }

    /// Appends what an expression says; `tail` is whether its value is returned.
    fn expr(&mut self, at: &mut Reaching, expr: &'a Expr, tail: bool) -> Flow<()> {
        match expr {
            Expr::Paren(inner) => self.expr(at, &inner.expr, tail),
            Expr::Block(block) => self.block(at, &block.block, tail),
            Expr::Reference(inner) => self.expr(at, &inner.expr, false),
            Expr::Unary(inner) => self.expr(at, &inner.expr, false),
            Expr::Try(inner) => self.expr(at, &inner.expr, false),
            Expr::Field(inner) => self.expr(at, &inner.base, false),
            Expr::Cast(inner) => self.expr(at, &inner.expr, false),
            Expr::Let(inner) => {
                self.expr(at, &inner.expr, false)?;
                if self.is_tainted(at, &inner.expr) {
                    taint(&mut at.tainted, &inner.pat);
                }
                Ok(())
            }
            Expr::Index(index) => {
                self.expr(at, &index.expr, false)?;
                self.expr(at, &index.index, false)
            }
            Expr::Assign(assign) => {
                self.expr(at, &assign.right, false)?;
                if let (Expr::Path(path), true) =
                    (&*assign.left, self.is_tainted(at, &assign.right))
                    && let Some(name) = path.path.get_ident()
                {
                    at.tainted.insert(name.to_string());
                }
                Ok(())
            }
            Expr::If(branch) => {
                let mut then = at.clone();
                self.expr(&mut then, &branch.cond, false)?;
                self.block(&mut then, &branch.then_branch, tail)?;
                if let Some((_, otherwise)) = &branch.else_branch {
                    self.expr(at, otherwise, tail)?;
                }
                at.lang = self.pool.union(at.lang, then.lang)?;
                at.returned = self.pool.union(at.returned, then.returned)?;
                at.tainted.extend(then.tainted);
                Ok(())
            }
            Expr::Match(matched) => {
                self.expr(at, &matched.expr, false)?;
                let tainted = self.is_tainted(at, &matched.expr);
                let (mut all, mut returned) = (NONE, at.returned);
                for arm in &matched.arms {
                    let mut way = at.clone();
                    if tainted {
                        taint(&mut way.tainted, &arm.pat);
                        if let Some(lang) = self.pattern(&arm.pat)? {
                            self.append(&mut way, lang)?;
                        }
                    }
                    self.expr(&mut way, &arm.body, tail)?;
                    all = self.pool.union(all, way.lang)?;
                    returned = self.pool.union(returned, way.returned)?;
                }
                (at.lang, at.returned) = (all, returned);
                Ok(())
            }
            Expr::Loop(inner) => self.block(at, &inner.body, false),
            Expr::While(inner) => {
                self.expr(at, &inner.cond, false)?;
                self.once(at, &inner.body)
            }
            Expr::ForLoop(inner) => {
                self.expr(at, &inner.expr, false)?;
                if self.is_tainted(at, &inner.expr) {
                    taint(&mut at.tainted, &inner.pat);
                }
                self.once(at, &inner.body)
            }
            Expr::Return(ret) => {
                if let Some(value) = &ret.expr {
                    self.expr(at, value, true)?;
                }
                at.returned = self.pool.union(at.returned, at.lang)?;
                at.lang = NONE;
                Ok(())
            }
            Expr::Closure(closure) => {
                let mut inner = at.clone();
                closure.inputs.iter().for_each(|pat| taint(&mut inner.tainted, pat));
                self.expr(&mut inner, &closure.body, false)?;
                at.lang = inner.lang;
                Ok(())
            }
            Expr::Binary(binary) => self.binary(at, binary),
            Expr::Call(call) => self.call(at, call, tail),
            Expr::MethodCall(call) => self.method(at, call),
            Expr::Macro(call) => self.call_macro(at, &call.mac),
            Expr::Tuple(tuple) => {
                tuple.elems.iter().try_for_each(|expr| self.expr(at, expr, false))
            }
            // A returned constant that refuses kills.
            Expr::Lit(literal) if tail => {
                if matches!(&literal.lit, Lit::Bool(bool) if !bool.value) {
                    at.lang = NONE;
                }
                Ok(())
            }
            Expr::Path(path) if tail && path.path.is_ident("None") => {
                at.lang = NONE;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn once(&mut self, at: &mut Reaching, body: &'a Block) -> Flow<()> {
        let mut inner = at.clone();
        self.block(&mut inner, body, false)?;
        at.lang = self.pool.union(at.lang, inner.lang)?;
        at.returned = self.pool.union(at.returned, inner.returned)?;
        Ok(())
    }

    fn binary(&mut self, at: &mut Reaching, binary: &'a syn::ExprBinary) -> Flow<()> {
        if matches!(binary.op, syn::BinOp::Or(_)) {
            let mut other = at.clone();
            self.expr(at, &binary.left, false)?;
            self.expr(&mut other, &binary.right, false)?;
            at.lang = self.pool.union(at.lang, other.lang)?;
            return Ok(());
        }
        self.expr(at, &binary.left, false)?;
        self.expr(at, &binary.right, false)?;
        if matches!(binary.op, syn::BinOp::Eq(_)) {
            for (tainted, other) in [(&binary.left, &binary.right), (&binary.right, &binary.left)] {
                if self.is_tainted(at, tainted)
                    && let Some(text) = self.constant(at, other)
                {
                    let lang = self.pool.literal(&text)?;
                    return self.append(at, lang);
                }
            }
        }
        Ok(())
    }

    fn call(&mut self, at: &mut Reaching, call: &'a syn::ExprCall, tail: bool) -> Flow<()> {
        let path = match &*call.func {
            Expr::Path(path) => names(&path.path),
            _ => Vec::new(),
        };
        if tail && path.last().is_some_and(|name| name == "Err") {
            at.lang = NONE;
            return Ok(());
        }
        let keeps = tail && path.last().is_some_and(|name| name == "Ok" || name == "Some");
        for arg in &call.args {
            self.expr(at, arg, keeps)?;
        }
        for (i, arg) in call.args.iter().enumerate() {
            if self.is_tainted(at, arg)
                && let Some(number) =
                    self.krate.function_at(&path, Some(Origin::Function(at.function)))
                && let Some(syn::FnArg::Typed(typed)) =
                    self.krate.get(number).sig.inputs.iter().nth(i)
                && let Some(name) = super::source::variable(&typed.pat)
            {
                let lang = self.function(number, &name)?;
                return self.append(at, lang);
            }
        }
        Ok(())
    }

    fn method(&mut self, at: &mut Reaching, call: &'a syn::ExprMethodCall) -> Flow<()> {
        self.expr(at, &call.receiver, false)?;
        if !self.is_tainted(at, &call.receiver) {
            return call.args.iter().try_for_each(|arg| self.expr(at, arg, false));
        }
        for arg in &call.args {
            // A function by its name is called with what is tainted.
            if let Expr::Path(path) = arg
                && let Some(number) =
                    self.krate.function_at(&names(&path.path), Some(Origin::Function(at.function)))
                && let Some(syn::FnArg::Typed(typed)) = self.krate.get(number).sig.inputs.first()
                && let Some(name) = super::source::variable(&typed.pat)
            {
                let lang = self.function(number, &name)?;
                self.append(at, lang)?;
            }
            self.expr(at, arg, false)?;
        }
        let name = call.method.to_string();
        let constant = call.args.first().and_then(|arg| self.constant(at, arg));
        let literal = match &constant {
            Some(text) => Some(self.pool.literal(text)?),
            None => None,
        };
        let lang = match (&*name, literal) {
            ("starts_with" | "strip_prefix", Some(text)) => self.pool.concat(text, ALL)?,
            ("ends_with" | "strip_suffix", Some(text)) => self.pool.concat(ALL, text)?,
            ("contains" | "split_once" | "rsplit_once", Some(text)) => {
                self.pool.sum(vec![vec![ALL, text, ALL]])?
            }
            // Such a character may be there.
            ("find" | "rfind" | "split" | "rsplit" | "splitn" | "rsplitn", Some(text)) => {
                self.pool.sum(vec![vec![ALL], vec![ALL, text, ALL]])?
            }
            ("eq" | "eq_ignore_ascii_case", Some(text)) => text,
            _ => match self.table.get("char", &name).or_else(|| self.table.get("str", &name)) {
                Some(Meaning::In(regex)) if regex.is_empty() => return Ok(()),
                Some(meaning) => match meaning.language(self.pool)? {
                    Some(lang) => lang,
                    None => return Ok(()),
                },
                None => return Ok(()),
            },
        };
        self.append(at, lang)
    }

    fn call_macro(&mut self, at: &mut Reaching, call: &'a syn::Macro) -> Flow<()> {
        let name = names(&call.path).pop().unwrap_or_default();
        match (&*name, self.krate.body(call)) {
            ("panic" | "unreachable" | "todo" | "unimplemented", _) => at.lang = NONE,
            (_, MacroBody::Matches(value, pat, _)) => {
                self.expr(at, value, false)?;
                if self.is_tainted(at, value)
                    && let Some(lang) = self.pattern(pat)?
                {
                    self.append(at, lang)?;
                }
            }
            ("assert" | "assert_eq", MacroBody::Exprs(exprs)) => {
                for expr in exprs {
                    self.expr(at, expr, false)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What a pattern of constants matches.
    fn pattern(&mut self, pat: &'a Pat) -> Flow<Option<Lang>> {
        let mut pending = vec![pat];
        let mut all = NONE;
        while let Some(pat) = pending.pop() {
            let lang = match pat {
                Pat::Or(or) => {
                    pending.extend(&or.cases);
                    continue;
                }
                Pat::TupleStruct(tuple) if tuple.elems.len() == 1 => {
                    pending.push(&tuple.elems[0]);
                    continue;
                }
                Pat::Lit(literal) => match literal_text(&literal.lit) {
                    Some(text) => self.pool.literal(&text)?,
                    None => return Ok(None),
                },
                Pat::Range(range) => {
                    let end = |end: &Option<Box<Expr>>| match end.as_deref() {
                        Some(Expr::Lit(literal)) => {
                            literal_text(&literal.lit).and_then(|text| text.chars().next())
                        }
                        _ => None,
                    };
                    let (Some(low), Some(high)) = (end(&range.start), end(&range.end)) else {
                        return Ok(None);
                    };
                    self.pool.set(&[(low.into(), high.into())])?
                }
                _ => return Ok(None),
            };
            all = self.pool.union(all, lang)?;
        }
        Ok(Some(all))
    }

    fn constant(&self, at: &Reaching, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Lit(literal) => literal_text(&literal.lit),
            Expr::Reference(inner) => self.constant(at, &inner.expr),
            Expr::Paren(inner) => self.constant(at, &inner.expr),
            Expr::Path(path) => {
                let found = self
                    .krate
                    .constant_at(&names(&path.path), Some(Origin::Function(at.function)))?;
                match found.value {
                    Expr::Lit(literal) if !found.changes => literal_text(&literal.lit),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn is_tainted(&self, at: &Reaching, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => {
                path.path.get_ident().is_some_and(|name| at.tainted.contains(&name.to_string()))
            }
            Expr::Paren(inner) => self.is_tainted(at, &inner.expr),
            Expr::Reference(inner) => self.is_tainted(at, &inner.expr),
            Expr::Unary(inner) => self.is_tainted(at, &inner.expr),
            Expr::Try(inner) => self.is_tainted(at, &inner.expr),
            Expr::Field(inner) => self.is_tainted(at, &inner.base),
            Expr::Index(inner) => self.is_tainted(at, &inner.expr),
            Expr::Cast(inner) => self.is_tainted(at, &inner.expr),
            Expr::MethodCall(call) => self.is_tainted(at, &call.receiver),
            Expr::Call(call) => call.args.iter().any(|arg| self.is_tainted(at, arg)),
            Expr::Tuple(tuple) => tuple.elems.iter().any(|expr| self.is_tainted(at, expr)),
            Expr::Binary(binary) => {
                self.is_tainted(at, &binary.left) || self.is_tainted(at, &binary.right)
            }
            _ => false,
        }
    }
}

fn literal_text(literal: &Lit) -> Option<String> {
    match literal {
        Lit::Str(text) => Some(text.value()),
        Lit::Char(c) => Some(c.value().to_string()),
        Lit::Byte(byte) if byte.value().is_ascii() => Some(char::from(byte.value()).to_string()),
        _ => None,
    }
}

/// Taints the variables of a pattern.
fn taint(tainted: &mut FxHashSet<String>, pat: &Pat) {
    match pat {
        Pat::Ident(ident) => {
            tainted.insert(ident.ident.to_string());
        }
        Pat::Type(pat) => taint(tainted, &pat.pat),
        Pat::Reference(pat) => taint(tainted, &pat.pat),
        Pat::Paren(pat) => taint(tainted, &pat.pat),
        Pat::Tuple(tuple) => tuple.elems.iter().for_each(|pat| taint(tainted, pat)),
        Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|pat| taint(tainted, pat)),
        Pat::Slice(slice) => slice.elems.iter().for_each(|pat| taint(tainted, pat)),
        Pat::Or(or) => or.cases.iter().for_each(|pat| taint(tainted, pat)),
        _ => {}
    }
}
