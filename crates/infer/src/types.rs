//! What all functions of a crate share about integer types: names of types, and what fields, constants,
//! parameters and what functions return are declared to be.

use std::collections::hash_map::Entry;

use fxhash::{FxHashMap, FxHashSet};
use syn::visit;
use syn::{FnArg, GenericArgument, ImplItem, Item, PathArguments, TraitItem, Type};

use super::source::{Parsed, type_name};
use super::visit::{Visit, Walk};
use super::widths::Width;

/// The type that a name has; none where it has several, or one that is not known.
type Known = Option<Width>;

/// Names that are another name of one another, at most.
const LONGEST: usize = 16;

/// What is declared. Things that share a name are taken for one.
#[derive(Default)]
pub(super) struct Types {
    aliases: FxHashMap<String, String>,
    /// Names of structs and enums, which are no integers.
    own: FxHashSet<String>,
    /// Fields by a dot and their name, and constants.
    names: FxHashMap<String, Known>,
    functions: FxHashSet<String>,
    /// Those that have a `self`.
    methods: FxHashSet<String>,
    returns: FxHashMap<String, Known>,
    /// By the function's name, and how many come before.
    parameters: FxHashMap<(String, usize), Known>,
}

impl Types {
    pub(super) fn read(parsed: &Parsed) -> Self {
        let mut types = Self::default();
        for file in &parsed.files {
            Named(&mut types).visit_file(&file.tree);
        }
        for file in &parsed.files {
            Declared(&mut types).visit_file(&file.tree);
        }
        types
    }

    /// The integer type of a name, or of what it is another name of.
    pub(super) fn named(&self, name: &str) -> Option<Width> {
        let mut name = name;
        for _ in 0..LONGEST {
            match self.aliases.get(name) {
                Some(other) => name = other,
                None => return Width::named(name),
            }
        }
        None
    }

    /// The integer type that is written so, or is behind a reference.
    pub(super) fn of(&self, of: &Type) -> Option<Width> {
        match of {
            Type::Reference(inner) => self.of(&inner.elem),
            Type::Paren(inner) => self.of(&inner.elem),
            Type::Group(inner) => self.of(&inner.elem),
            _ => self.named(&type_name(of)),
        }
    }

    /// The type of a constant, or of a field by a dot and its name.
    pub(super) fn name(&self, name: &str) -> Option<Width> {
        self.names.get(name).copied().flatten()
    }

    /// Whether the source has a struct or enum of a name.
    pub(super) fn is_own(&self, name: &str) -> bool {
        self.own.contains(name)
    }

    /// Whether the source has a function of a name.
    pub(super) fn has_function(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    /// What a function of the source returns.
    pub(super) fn returned(&self, function: &str) -> Option<Width> {
        self.returns.get(function).copied().flatten()
    }

    /// What a method returns that is of one type in the standard library, and may be the source's own.
    pub(super) fn returned_or(&self, method: &str, standard: Width) -> Option<Width> {
        match self.returns.get(method) {
            Some(own) => own.filter(|own| *own == standard),
            None => Some(standard),
        }
    }

    /// Whether the source has a function of a name that has a `self`.
    pub(super) fn has_method(&self, name: &str) -> bool {
        self.methods.contains(name)
    }

    /// The type of a parameter, `self` not counted.
    pub(super) fn parameter(&self, function: &str, index: usize) -> Option<Width> {
        self.parameters.get(&(function.to_owned(), index)).copied().flatten()
    }

    /// Whether what is written so may be an integer: one, or a name that may stand for one.
    fn may_be_integer(&self, of: &Type) -> bool {
        match of {
            Type::Reference(inner) => self.may_be_integer(&inner.elem),
            Type::Paren(inner) => self.may_be_integer(&inner.elem),
            Type::Group(inner) => self.may_be_integer(&inner.elem),
            Type::Path(path) => {
                let name = type_name(of);
                let last = path.path.segments.last();
                let has_arguments = last.is_some_and(|last| !last.arguments.is_empty());
                let is_other = matches!(&*name, "bool" | "char" | "str" | "String" | "f32" | "f64")
                    || self.own.contains(&name)
                    || has_arguments;
                !is_other || path.path.segments.len() > 1 || self.aliases.contains_key(&name)
            }
            Type::ImplTrait(_) | Type::Macro(_) | Type::Infer(_) => true,
            _ => false,
        }
    }
}

/// What is inside an option or a result, if it is written out: of values, or of errors.
pub(super) fn inside(of: &Type, is_error: bool) -> Option<&Type> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let is_one = last.ident == "Option" || last.ident == "Result";
    match arguments.args.get(usize::from(is_error))? {
        GenericArgument::Type(of) if is_one => Some(of),
        _ => None,
    }
}

fn learn<K: std::hash::Hash + Eq>(known: &mut FxHashMap<K, Known>, key: K, width: Known) {
    match known.entry(key) {
        Entry::Vacant(entry) => {
            entry.insert(width);
        }
        Entry::Occupied(mut entry) => {
            if *entry.get() != width {
                entry.insert(None);
            }
        }
    }
}

/// Reads names of types.
struct Named<'t>(&'t mut Types);

impl Named<'_> {
    /// Two of one name are told apart nowhere, so they are none.
    fn alias(&mut self, name: &syn::Ident, to: String) {
        match self.0.aliases.entry(name.to_string()) {
            Entry::Vacant(entry) => {
                entry.insert(to);
            }
            Entry::Occupied(mut entry) => {
                if *entry.get() != to {
                    entry.insert(String::new());
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Named<'_> {
    fn walk(&mut self) -> Walk<'_, 'ast> {
        Walk(self)
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.alias(&item.ident, type_name(&item.ty));
    }

    fn visit_impl_item_type(&mut self, item: &'ast syn::ImplItemType) {
        self.alias(&item.ident, type_name(&item.ty));
    }

    fn visit_type_param(&mut self, param: &'ast syn::TypeParam) {
        self.alias(&param.ident, String::new());
    }

    fn visit_item(&mut self, item: &'ast Item) {
        let name = match item {
            Item::Struct(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            _ => None,
        };
        self.0.own.extend(name.map(ToString::to_string));
        visit::visit_item(&mut self.walk(), item);
    }
}

/// Reads what is declared to be of a type.
struct Declared<'t>(&'t mut Types);

impl Declared<'_> {
    fn constant(&mut self, name: &syn::Ident, of: &Type) {
        if self.0.may_be_integer(of) {
            let width = self.0.of(of);
            learn(&mut self.0.names, name.to_string(), width);
        }
    }
}

impl<'ast> Visit<'ast> for Declared<'_> {
    fn walk(&mut self) -> Walk<'_, 'ast> {
        Walk(self)
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if let Some(name) = &field.ident
            && self.0.may_be_integer(&field.ty)
        {
            let width = self.0.of(&field.ty);
            learn(&mut self.0.names, format!(".{name}"), width);
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Const(item) => self.constant(&item.ident, &item.ty),
            Item::Static(item) => self.constant(&item.ident, &item.ty),
            _ => {}
        }
        visit::visit_item(&mut self.walk(), item);
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if let ImplItem::Const(item) = item {
            self.constant(&item.ident, &item.ty);
        }
        visit::visit_impl_item(&mut self.walk(), item);
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if let TraitItem::Const(item) = item {
            self.constant(&item.ident, &item.ty);
        }
        visit::visit_trait_item(&mut self.walk(), item);
    }

    fn visit_const_param(&mut self, param: &'ast syn::ConstParam) {
        self.constant(&param.ident, &param.ty);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        visit::visit_signature(&mut self.walk(), signature);
        let name = signature.ident.to_string();
        if signature.receiver().is_some() {
            self.0.methods.insert(name.clone());
        }
        if let syn::ReturnType::Type(_, of) = &signature.output
            && self.0.may_be_integer(of)
        {
            let width = self.0.of(of);
            learn(&mut self.0.returns, name.clone(), width);
        }
        let typed = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(&*typed.ty),
            FnArg::Receiver(_) => None,
        });
        for (index, of) in typed.enumerate() {
            if self.0.may_be_integer(of) {
                let width = self.0.of(of);
                learn(&mut self.0.parameters, (name.clone(), index), width);
            }
        }
        self.0.functions.insert(name);
    }
}
