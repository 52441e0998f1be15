//! The source: its files, and where functions, constants and variants are.

use fxhash::{FxHashMap, FxHashSet};
use proc_macro2::{LineColumn, TokenStream, TokenTree};
use syn::visit;
use syn::{Block, Expr, Item, Pat, Signature};

use super::bodies::{MacroBody, Macros, address};
use super::depth::{brackets_within, too_deep};
use super::error::InferError;
use super::names::{ANY, Kind, Use};
use super::types::Types;
use super::value::Name;
use super::visit::{Visit, Walk};

/// How deep brackets may nest.
pub(super) const BRACKETS: usize = 200;
/// How deep a syntax tree may be, roughly.
pub(super) const DEPTH: usize = 1500;

/// Files as syntax trees.
pub(super) struct Parsed {
    pub(super) files: Vec<ParsedFile>,
}

pub(super) struct ParsedFile {
    pub(super) name: String,
    pub(super) tree: syn::File,
    /// Where each name is mentioned, in order.
    mentions: FxHashMap<String, Vec<(usize, usize)>>,
    /// The names that stand behind another: behind `mut`, and behind `macro_rules!`.
    behind: Behind,
}

/// Names that are declared in a certain way, anywhere in a file.
#[derive(Default)]
struct Behind {
    mutable: FxHashSet<String>,
    macros: FxHashSet<String>,
}

impl Parsed {
    /// Parses files given by name and text.
    pub(super) fn read(files: &[(String, String)]) -> Result<Self, InferError> {
        let mut parsed = Vec::new();
        for (name, text) in files {
            if !brackets_within(text, BRACKETS) {
                return Err(InferError::depth(name, 1, 1, BRACKETS));
            }
            let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
            let tokens: TokenStream = text.parse().map_err(|error: proc_macro2::LexError| {
                let at = error.span().start();
                InferError::syntax(name, at.line, at.column + 1, error.to_string())
            })?;
            if let Some(at) = too_deep(tokens.clone(), DEPTH) {
                return Err(InferError::depth(name, at.line, at.column + 1, DEPTH));
            }
            let behind = Behind::read(tokens.clone());
            let mentions = mentions(tokens);
            let tree = syn::parse_file(text).map_err(|error| {
                let at = error.span().start();
                InferError::syntax(name, at.line, at.column + 1, error.to_string())
            })?;
            parsed.push(ParsedFile { name: name.clone(), tree, mentions, behind });
        }
        Ok(Self { files: parsed })
    }

    /// Whether a name is mentioned between two positions of a file.
    pub(super) fn mentions(
        &self,
        file: usize,
        name: &str,
        from: LineColumn,
        to: LineColumn,
    ) -> bool {
        let Some(places) = self.files[file].mentions.get(name) else { return false };
        let first = places.partition_point(|&place| place < (from.line, from.column));
        places.get(first).is_some_and(|&place| place < (to.line, to.column))
    }

    /// Whether a variable of some name can be written to, or lent to who writes to it.
    pub(super) fn mutable(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.behind.mutable.contains(name))
    }
}

impl Behind {
    fn read(tokens: TokenStream) -> Self {
        let mut found = Self::default();
        let mut streams = vec![(tokens.into_iter(), String::new())];
        while let Some((stream, before)) = streams.last_mut() {
            match stream.next() {
                Some(TokenTree::Group(group)) => {
                    before.clear();
                    streams.push((group.stream().into_iter(), String::new()));
                }
                Some(TokenTree::Ident(ident)) => {
                    let name = ident.to_string();
                    match &**before {
                        "mut" => found.mutable.insert(name.clone()),
                        "macro_rules!" => found.macros.insert(name.clone()),
                        _ => false,
                    };
                    *before = name;
                }
                Some(TokenTree::Punct(punct)) if punct.as_char() == '!' => before.push('!'),
                Some(_) => before.clear(),
                None => {
                    streams.pop();
                }
            }
        }
        found
    }
}

/// The names that a literal reads if it is a format string, and perhaps others: those of values,
/// of widths and of precisions.
pub(super) fn formatted_names(literal: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| !c.is_alphanumeric() && c != '_';
    literal.split('{').skip(1).flat_map(move |piece| {
        let piece = piece.split('}').next().unwrap_or_default();
        piece.split(ends).filter(|name| !name.is_empty())
    })
}

/// Where names stand, those in format strings included.
fn mentions(tokens: TokenStream) -> FxHashMap<String, Vec<(usize, usize)>> {
    let mut found: FxHashMap<String, Vec<(usize, usize)>> = FxHashMap::default();
    let mut streams = vec![tokens.into_iter()];
    while let Some(stream) = streams.last_mut() {
        let Some(token) = stream.next() else {
            streams.pop();
            continue;
        };
        let at = token.span().start();
        let at = (at.line, at.column);
        match token {
            TokenTree::Group(group) => streams.push(group.stream().into_iter()),
            TokenTree::Ident(ident) => found.entry(ident.to_string()).or_default().push(at),
            TokenTree::Literal(literal) => {
                for name in formatted_names(&literal.to_string()) {
                    found.entry(name.to_owned()).or_default().push(at);
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
    found
}

#[derive(Default)]
struct Characters(std::collections::BTreeSet<char>);

impl<'ast> Visit<'ast> for Characters {
    fn walk(&mut self) -> Walk<'_, 'ast> {
        Walk(self)
    }

    fn visit_lit(&mut self, literal: &'ast syn::Lit) {
        match literal {
            syn::Lit::Char(c) => {
                self.0.insert(c.value());
            }
            syn::Lit::Byte(byte) => {
                self.0.insert(byte.value().into());
            }
            _ => {}
        }
    }
}

/// A function.
#[derive(Clone, Copy)]
pub(super) struct Function<'a> {
    pub(super) file: usize,
    pub(super) sig: &'a Signature,
    pub(super) block: &'a Block,
}

/// A constant.
#[derive(Clone, Copy)]
pub(super) struct Constant<'a> {
    pub(super) number: usize,
    pub(super) file: usize,
    pub(super) value: &'a Expr,
    /// Whether it can be written to, so that this is only what it is at first.
    pub(super) changes: bool,
}

/// What a path is written in, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Function(usize),
    Constant(usize),
}

/// What stands around an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Around {
    Module(String),
    /// A function, by its number.
    Function(usize),
    /// Some block within it.
    Block,
    /// What is implemented for a type, perhaps of a trait.
    Impl {
        of: String,
        of_trait: Option<String>,
    },
    Trait(String),
}

/// Where an item stands: its file, and what is around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Home {
    pub(super) file: usize,
    pub(super) path: Vec<Around>,
}

/// The items of all files.
pub(super) struct Crate<'a> {
    pub(super) parsed: &'a Parsed,
    macros: FxHashMap<usize, &'a MacroBody>,
    functions: Vec<Function<'a>>,
    homes: Vec<Home>,
    by_name: FxHashMap<String, Vec<usize>>,
    /// Where each stands, what it is made of, and whether it can be written to.
    constants: Vec<(Home, &'a Expr, bool)>,
    constants_by_name: FxHashMap<String, Vec<usize>>,
    /// Names of variants and structs without fields, which are no variables in patterns.
    pub(super) units: FxHashSet<String>,
    /// The names of variants and tuple structs.
    pub(super) tuples: FxHashSet<String>,
    /// Other names of types.
    pub(super) aliases: FxHashSet<String>,
    /// The enum of each variant; several may have variants of the same name.
    variants: FxHashMap<String, Vec<String>>,
    /// The types with a `PartialEq` of their own.
    equals: FxHashSet<String>,
    /// The types with a `Drop`.
    drops: FxHashSet<String>,
    /// Where types and traits stand, by their names.
    pub(super) types_by_name: FxHashMap<String, Vec<Home>>,
    pub(super) structs: FxHashSet<String>,
    pub(super) traits: FxHashSet<String>,
    /// Traits, and what they are implemented for.
    pub(super) impls: FxHashSet<(String, String)>,
    pub(super) modules: Vec<Home>,
    pub(super) uses: Vec<Use>,
    /// Names that something is given where it is imported.
    pub(super) renames: FxHashSet<String>,
    /// The types of integers.
    pub(super) types: Types,
}

impl<'a> Crate<'a> {
    pub(super) fn new(parsed: &'a Parsed, macros: &'a Macros) -> Self {
        let mut found = Self {
            parsed,
            macros: macros.bodies.iter().map(|(key, body)| (*key, &**body)).collect(),
            functions: Vec::new(),
            homes: Vec::new(),
            by_name: FxHashMap::default(),
            constants: Vec::new(),
            constants_by_name: FxHashMap::default(),
            units: FxHashSet::default(),
            tuples: FxHashSet::default(),
            aliases: FxHashSet::default(),
            variants: FxHashMap::default(),
            equals: FxHashSet::default(),
            drops: FxHashSet::default(),
            types_by_name: FxHashMap::default(),
            structs: FxHashSet::default(),
            traits: FxHashSet::default(),
            impls: FxHashSet::default(),
            modules: Vec::new(),
            uses: Vec::new(),
            renames: FxHashSet::default(),
            types: Types::read(parsed),
        };
        for (i, file) in parsed.files.iter().enumerate() {
            found.items(&file.tree.items, &found.root(i));
        }
        found.rename();
        found
    }

    fn items(&mut self, items: &'a [Item], home: &Home) {
        for item in items {
            match item {
                Item::Fn(item) => self.function(home, &item.sig, &item.block),
                Item::Const(item) => self.constant(home, &item.ident, &item.expr, false),
                Item::Static(item) => {
                    let changes = matches!(item.mutability, syn::StaticMutability::Mut(_));
                    self.constant(home, &item.ident, &item.expr, changes);
                }
                Item::Mod(item) => {
                    if let Some((_, items)) = &item.content {
                        let home = home.inside(Around::Module(item.ident.to_string()));
                        self.modules.push(home.clone());
                        self.items(items, &home);
                    }
                }
                Item::Use(item) => {
                    // A path that begins with `::` is none of the source.
                    let before = item.leading_colon.as_ref().map(|_| String::new());
                    self.import(&item.tree, before.as_slice(), home);
                }
                Item::Impl(item) => {
                    let mut of = type_name(&item.self_ty);
                    if item.generics.type_params().any(|param| param.ident == of) {
                        of = ANY.to_owned();
                    }
                    let of_trait = item.trait_.as_ref().and_then(|(_, path, _)| names(path).pop());
                    if let Some(of_trait) = &of_trait {
                        match &**of_trait {
                            "PartialEq" => self.equals.insert(of.clone()),
                            "Drop" => self.drops.insert(of.clone()),
                            _ => false,
                        };
                        self.impls.insert((of_trait.clone(), of.clone()));
                    }
                    let home = home.inside(Around::Impl { of, of_trait });
                    for item in &item.items {
                        match item {
                            syn::ImplItem::Fn(item) => {
                                self.function(&home, &item.sig, &item.block);
                            }
                            syn::ImplItem::Const(item) => {
                                self.constant(&home, &item.ident, &item.expr, false);
                            }
                            _ => {}
                        }
                    }
                }
                Item::Trait(item) => {
                    self.names_type(&item.ident, home);
                    self.traits.insert(item.ident.to_string());
                    let home = home.inside(Around::Trait(item.ident.to_string()));
                    for item in &item.items {
                        if let syn::TraitItem::Fn(item) = item
                            && let Some(block) = &item.default
                        {
                            self.function(&home, &item.sig, block);
                        }
                    }
                }
                Item::Enum(item) => {
                    self.names_type(&item.ident, home);
                    for variant in &item.variants {
                        self.shape(&variant.ident, &variant.fields);
                        let enums = self.variants.entry(variant.ident.to_string()).or_default();
                        enums.push(item.ident.to_string());
                    }
                }
                Item::Struct(item) => {
                    self.names_type(&item.ident, home);
                    self.structs.insert(item.ident.to_string());
                    self.shape(&item.ident, &item.fields);
                }
                Item::Type(item) => {
                    self.names_type(&item.ident, home);
                    self.aliases.insert(item.ident.to_string());
                }
                _ => {}
            }
        }
    }

    fn shape(&mut self, name: &syn::Ident, fields: &syn::Fields) {
        match fields {
            syn::Fields::Unit => self.units.insert(name.to_string()),
            syn::Fields::Unnamed(_) => self.tuples.insert(name.to_string()),
            syn::Fields::Named(_) => false,
        };
    }

    fn constant(&mut self, home: &Home, name: &syn::Ident, value: &'a Expr, changes: bool) {
        self.units.insert(name.to_string());
        let number = self.constants.len();
        self.constants.push((home.clone(), value, changes));
        self.constants_by_name.entry(name.to_string()).or_default().push(number);
    }

    fn function(&mut self, home: &Home, sig: &'a Signature, block: &'a Block) {
        let number = self.functions.len();
        self.functions.push(Function { file: home.file, sig, block });
        self.homes.push(home.clone());
        self.by_name.entry(sig.ident.to_string()).or_default().push(number);
        self.block_items(block, &home.inside(Around::Function(number)));
    }

    /// Items inside of functions, and those inside of blocks within.
    fn block_items(&mut self, block: &'a Block, home: &Home) {
        let mut nested = Nested(Vec::new());
        for statement in &block.stmts {
            match statement {
                syn::Stmt::Item(item) => self.items(std::slice::from_ref(item), home),
                statement => nested.visit_stmt(statement),
            }
        }
        let home = home.inside(Around::Block);
        for item in nested.0 {
            self.items(std::slice::from_ref(item), &home);
        }
    }

    /// The enums that have a variant of some name.
    pub(super) fn enums(&self, variant: &str) -> impl Iterator<Item = &str> {
        self.variants.get(variant).into_iter().flatten().map(String::as_str)
    }

    /// Whether something of a name, or with such a variant, does something where it is dropped.
    pub(super) fn drops(&self, name: &str) -> bool {
        let is_other = self.aliases.contains(name) || self.renames.contains(name);
        self.enums(name).chain([name]).any(|of| self.drops.contains(of) || self.drops.contains(ANY))
            || is_other && self.has_drops()
    }

    /// Whether anything does.
    pub(super) fn has_drops(&self) -> bool {
        !self.drops.is_empty()
    }

    /// The types with a `PartialEq` of their own that a struct or variant may be of, by its name.
    pub(super) fn own_equality<'n>(&'n self, name: &'n str) -> Vec<&'n str> {
        let enums = self.variants.get(name).into_iter().flatten().map(String::as_str);
        enums.chain([name]).filter(|&of| self.equals.contains(of)).collect()
    }

    pub(super) fn body(&self, call: &syn::Macro) -> &'a MacroBody {
        self.macros.get(&address(call)).copied().unwrap_or(&MacroBody::Opaque)
    }

    /// Whether a path that means no constant that is known of may mean one still.
    pub(super) fn may_be_constant(&self, path: &[String]) -> bool {
        let Some((name, before)) = path.split_last() else { return false };
        let is_variant = before.last().is_some_and(|of| {
            self.variants.get(name).is_some_and(|enums| enums.iter().any(|own| own == of))
        });
        self.constants_by_name.contains_key(name) && !is_variant
    }

    /// Whether there is a function of some name, wherever.
    pub(super) fn has_function(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    pub(super) fn get(&self, number: usize) -> Function<'a> {
        self.functions[number]
    }

    /// The type or trait that a function or constant is one of.
    pub(super) fn owner(&self, of: Origin) -> &str {
        self.home(of).owner().unwrap_or_default()
    }

    pub(super) fn home(&self, of: Origin) -> &Home {
        match of {
            Origin::Function(number) => &self.homes[number],
            Origin::Constant(number) => &self.constants[number].0,
        }
    }

    /// What is around what stands in a function or constant.
    pub(super) fn within(&self, of: Origin) -> Home {
        match of {
            Origin::Function(number) => self.homes[number].inside(Around::Function(number)),
            Origin::Constant(_) => self.home(of).clone(),
        }
    }

    /// The functions or constants of a name, and where they stand.
    pub(super) fn named(&self, kind: Kind, name: &str) -> impl Iterator<Item = (usize, &Home)> {
        let numbers = match kind {
            Kind::Function => &self.by_name,
            Kind::Constant => &self.constants_by_name,
        };
        numbers.get(name).into_iter().flatten().map(move |&number| match kind {
            Kind::Function => (number, &self.homes[number]),
            Kind::Constant => (number, &self.constants[number].0),
        })
    }

    /// The function that a path means, from within another; none where there is none, or it may be
    /// one of several.
    pub(super) fn function_at(&self, path: &[String], from: Option<Origin>) -> Option<usize> {
        self.found(Kind::Function, path, from).one()
    }

    /// The constant that a path means.
    pub(super) fn constant_at(
        &self,
        path: &[String],
        from: Option<Origin>,
    ) -> Option<Constant<'a>> {
        let number = self.found(Kind::Constant, path, from).one()?;
        let (home, value, changes) = &self.constants[number];
        Some(Constant { number, file: home.file, value, changes: *changes })
    }

    /// Characters that stand in the source by themselves, few of them and ASCII.
    pub(super) fn characters(&self) -> Vec<char> {
        let mut found = Characters::default();
        for file in &self.parsed.files {
            found.visit_file(&file.tree);
        }
        for body in self.macros.values() {
            if let MacroBody::Matches(_, pattern, _) = body {
                found.visit_pat(pattern);
            }
        }
        found.0.into_iter().filter(char::is_ascii_punctuation).take(8).collect()
    }

    /// Whether a macro is defined in the source, whatever else has its name.
    pub(super) fn defines(&self, call: &syn::Macro) -> bool {
        let name = call.path.segments.last().map(|last| last.ident.to_string());
        let files = &self.parsed.files;
        name.is_some_and(|name| files.iter().any(|file| file.behind.macros.contains(&name)))
    }

    /// All functions, by their paths, for who looks for one.
    pub(super) fn functions(&self) -> impl Iterator<Item = (String, Function<'a>)> + '_ {
        self.functions.iter().zip(&self.homes).map(|(function, home)| {
            let mut path = String::new();
            for around in &home.path {
                match around {
                    Around::Module(name) | Around::Trait(name) => path.push_str(name),
                    Around::Impl { of, .. } => path.push_str(of),
                    Around::Function(number) => {
                        path.push_str(&self.functions[*number].sig.ident.to_string());
                    }
                    Around::Block => path.push_str("{}"),
                }
                path.push_str("::");
            }
            // What stands in a block has no path.
            if home.path.contains(&Around::Block) {
                path.push_str("{}");
            }
            path.push_str(&function.sig.ident.to_string());
            (path, *function)
        })
    }
}

impl Home {
    pub(super) fn inside(&self, around: Around) -> Self {
        let mut home = self.clone();
        home.path.push(around);
        home
    }
}

/// Items in the blocks of a statement.
struct Nested<'a>(Vec<&'a Item>);

impl<'a> Visit<'a> for Nested<'a> {
    fn walk(&mut self) -> Walk<'_, 'a> {
        Walk(self)
    }

    fn visit_item(&mut self, item: &'a Item) {
        self.0.push(item);
    }
}

/// The last name of a type.
pub(super) fn type_name(of: &syn::Type) -> String {
    match of {
        syn::Type::Path(path) => {
            path.path.segments.last().map_or_else(String::new, |last| last.ident.to_string())
        }
        syn::Type::Reference(inner) => type_name(&inner.elem),
        syn::Type::Paren(inner) => type_name(&inner.elem),
        syn::Type::Group(inner) => type_name(&inner.elem),
        _ => String::new(),
    }
}

/// The names of a path.
pub(super) fn names(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

/// The names of a path, which may begin with a type that is written out.
pub(super) fn names_of(path: &syn::ExprPath) -> Vec<String> {
    let first = match &path.qself {
        Some(of) if of.position == 0 => Some(type_name(&of.ty)),
        _ => None,
    };
    first.into_iter().chain(names(&path.path)).collect()
}

/// An expression without its parentheses.
pub(super) fn bare(mut expr: &Expr) -> &Expr {
    loop {
        expr = match expr {
            Expr::Paren(inner) => &inner.expr,
            Expr::Group(inner) => &inner.expr,
            _ => return expr,
        };
    }
}

/// The name of a pattern that is one variable.
pub(super) fn variable(pattern: &Pat) -> Option<Name> {
    match pattern {
        Pat::Ident(ident) if ident.subpat.is_none() => Some(ident.ident.to_string().into()),
        Pat::Type(typed) => variable(&typed.pat),
        _ => None,
    }
}

/// The variables that an expression uses as indices, and those that it assigns to.
#[derive(Default)]
pub(super) struct Indices<'a> {
    pub(super) used: Vec<(&'a Expr, String)>,
    pub(super) assigned: FxHashSet<String>,
    macros: Option<&'a Crate<'a>>,
}

impl<'a> Indices<'a> {
    pub(super) fn of(krate: &'a Crate<'a>, exprs: &[&'a Expr], block: Option<&'a Block>) -> Self {
        let mut found = Self { macros: Some(krate), ..Self::default() };
        for expr in exprs {
            found.visit_expr(expr);
        }
        if let Some(block) = block {
            found.visit_block(block);
        }
        found
    }

    fn index(&mut self, base: &'a Expr, index: &'a Expr) {
        let mut pending = vec![index];
        while let Some(index) = pending.pop() {
            match index {
                Expr::Path(path) => {
                    if let Some(name) = path.path.get_ident() {
                        self.used.push((base, name.to_string()));
                    }
                }
                Expr::Binary(binary) => pending.extend([&*binary.left, &*binary.right]),
                Expr::Paren(paren) => pending.push(&paren.expr),
                Expr::Range(range) => {
                    pending.extend(range.start.as_deref());
                    pending.extend(range.end.as_deref());
                }
                _ => {}
            }
        }
    }
}

impl<'a> Visit<'a> for Indices<'a> {
    fn walk(&mut self) -> Walk<'_, 'a> {
        Walk(self)
    }

    fn visit_expr_index(&mut self, expr: &'a syn::ExprIndex) {
        self.index(&expr.expr, &expr.index);
        visit::visit_expr_index(&mut self.walk(), expr);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        if matches!(&*call.method.to_string(), "get" | "nth" | "get_unchecked" | "split_at")
            && let [index] = &call.args.iter().collect::<Vec<_>>()[..]
        {
            self.index(&call.receiver, index);
        }
        visit::visit_expr_method_call(&mut self.walk(), call);
    }

    fn visit_expr_assign(&mut self, assign: &'a syn::ExprAssign) {
        if let Expr::Path(path) = &*assign.left
            && let Some(name) = path.path.get_ident()
        {
            self.assigned.insert(name.to_string());
        }
        visit::visit_expr_assign(&mut self.walk(), assign);
    }

    fn visit_expr_binary(&mut self, binary: &'a syn::ExprBinary) {
        if matches!(binary.op, syn::BinOp::AddAssign(_) | syn::BinOp::SubAssign(_))
            && let Expr::Path(path) = &*binary.left
            && let Some(name) = path.path.get_ident()
        {
            self.assigned.insert(name.to_string());
        }
        visit::visit_expr_binary(&mut self.walk(), binary);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        let Some(krate) = self.macros else { return };
        match krate.body(call) {
            MacroBody::Matches(value, _, guard) => {
                self.visit_expr(value);
                if let Some(guard) = guard {
                    self.visit_expr(guard);
                }
            }
            MacroBody::Exprs(exprs) => exprs.iter().for_each(|expr| self.visit_expr(expr)),
            MacroBody::Repeat(value, _) => self.visit_expr(value),
            MacroBody::Opaque => {}
        }
    }
}
