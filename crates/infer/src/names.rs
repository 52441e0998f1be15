//! What paths mean: which function or constant of the source.
//!
//! A name is looked for as the language has it: in the blocks and the module around it, each with
//! what is imported there. Where more than one thing may be meant nothing is chosen.

use super::source::{Around, Crate, Home, Origin};

/// How far imports lead to imports.
const MAX_HOPS: usize = 8;

/// A name that is imported, or all that is in a module.
pub(super) struct Use {
    pub(super) home: Home,
    pub(super) path: Vec<String>,
    pub(super) name: Option<String>,
}

/// What a path means, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    One(usize),
    /// One of several.
    Many,
    /// Nothing of the source.
    Outside,
}

impl Found {
    pub(super) fn one(self) -> Option<usize> {
        match self {
            Self::One(number) => Some(number),
            _ => None,
        }
    }

    /// What several ways to the same name lead to.
    fn all(found: impl IntoIterator<Item = Self>) -> Self {
        found.into_iter().fold(Self::Outside, |all, one| match (all, one) {
            (Self::Outside, found) | (found, Self::Outside) => found,
            (a, b) if a == b => a,
            _ => Self::Many,
        })
    }
}

/// What is looked for.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Function,
    Constant,
}

/// Methods that a type may have without a function of its own.
const DERIVED: &[&str] = &[
    "borrow",
    "clamp",
    "clone",
    "cmp",
    "eq",
    "fmt",
    "ge",
    "gt",
    "hash",
    "into",
    "le",
    "lt",
    "max",
    "min",
    "ne",
    "partial_cmp",
    "to_owned",
    "to_string",
    "try_into",
];

impl Home {
    fn is(&self, file: usize, path: &[Around]) -> bool {
        self.file == file && self.path == path
    }

    /// The module that it is in.
    fn module(&self) -> Self {
        let is_module = |around: &Around| matches!(around, Around::Module(_));
        let end = self.path.iter().rposition(is_module).map_or(0, |last| last + 1);
        Self { file: self.file, path: self.path[..end].to_vec() }
    }

    /// The blocks around it and the module, the innermost first.
    fn scopes(&self) -> impl Iterator<Item = &[Around]> {
        let first = self.module().path.len().max(1);
        (first..=self.path.len()).rev().map(|end| &self.path[..end]).filter(|path| {
            !matches!(path.last(), Some(Around::Impl { .. } | Around::Trait(_)) | None)
        })
    }

    /// The type or trait that `Self` is.
    pub(super) fn owner(&self) -> Option<&str> {
        self.path.iter().rev().find_map(|around| match around {
            Around::Impl { of, .. } | Around::Trait(of) => Some(&**of),
            _ => None,
        })
    }
}

impl Crate<'_> {
    /// The module that a file is.
    pub(super) fn root(&self, file: usize) -> Home {
        let name = &self.parsed.files[file].name;
        let mut parts = name.strip_suffix(".rs").unwrap_or(name).rsplit(['/', '\\']);
        let stem = parts.next().filter(|&stem| stem != "mod");
        // `mod.rs` is the module that its folder is named after.
        let stem = stem.or_else(|| parts.next()).unwrap_or("mod");
        Home { file, path: vec![Around::Module(stem.to_owned())] }
    }

    /// Notes what has another name where it is imported.
    pub(super) fn rename(&mut self) {
        for used in &self.uses {
            if let (Some(name), Some(own)) = (&used.name, used.path.last())
                && name != own
            {
                self.renames.insert(name.clone());
                if self.units.contains(own) {
                    self.units.insert(name.clone());
                }
            }
        }
    }

    pub(super) fn import(&mut self, tree: &syn::UseTree, before: &[String], home: &Home) {
        let mut pending = vec![(tree, before.to_vec())];
        while let Some((tree, mut path)) = pending.pop() {
            let name = match tree {
                syn::UseTree::Path(inner) => {
                    path.push(inner.ident.to_string());
                    pending.push((&inner.tree, path));
                    continue;
                }
                syn::UseTree::Group(group) => {
                    pending.extend(group.items.iter().map(|tree| (tree, path.clone())));
                    continue;
                }
                syn::UseTree::Glob(_) => None,
                syn::UseTree::Name(name) => {
                    if name.ident != "self" {
                        path.push(name.ident.to_string());
                    }
                    path.last().cloned()
                }
                syn::UseTree::Rename(name) => {
                    if name.ident != "self" {
                        path.push(name.ident.to_string());
                    }
                    Some(name.rename.to_string())
                }
            };
            self.uses.push(Use { home: home.clone(), path, name });
        }
    }

    pub(super) fn names_type(&mut self, name: &syn::Ident, home: &Home) {
        self.types_by_name.entry(name.to_string()).or_default().push(home.clone());
    }

    /// The function or constant that a path means, from within another.
    pub(super) fn found(&self, kind: Kind, path: &[String], from: Option<Origin>) -> Found {
        let Some((name, before)) = path.split_last() else { return Found::Outside };
        let Some(from) = from else {
            return Found::all(self.named(kind, name).map(|(number, _)| Found::One(number)));
        };
        let is_imported = self.uses.iter().any(|used| used.name.as_ref() == Some(name));
        if self.named(kind, name).next().is_none() && !is_imported {
            return Found::Outside;
        }
        let from = self.within(from);
        if before.is_empty() {
            self.bare(kind, name, &from, MAX_HOPS)
        } else {
            self.qualified(kind, before, name, &from)
        }
    }

    /// The method of a struct or variant, by its name.
    pub(super) fn method_of(&self, name: &str, method: &str) -> Found {
        let is_method = |number: usize| {
            matches!(self.get(number).sig.inputs.first(), Some(syn::FnArg::Receiver(_)))
        };
        let mut all = self.named(Kind::Function, method).filter(|(number, _)| is_method(*number));
        if all.next().is_none() {
            return Found::Outside;
        }
        if self.aliases.contains(name) || self.renames.contains(name) {
            return Found::Many;
        }
        let mut owners: Vec<&str> = self.enums(name).collect();
        if owners.is_empty() || self.structs.contains(name) {
            owners.push(name);
        }
        let mut found: Vec<Found> =
            owners.iter().map(|owner| self.typed(Kind::Function, owner, method)).collect();
        found.retain(|found| match found {
            Found::One(number) => is_method(*number),
            Found::Many => true,
            Found::Outside => false,
        });
        match (&found[..], owners.len()) {
            ([], _) => Found::Outside,
            ([one], 1) => *one,
            // The others have no such method, unless it is one that they derive or inherit.
            ([Found::One(number)], _)
                if self.is_inherent(*number) && !DERIVED.contains(&method) =>
            {
                Found::One(*number)
            }
            _ => Found::Many,
        }
    }

    /// The function of a type's implementation of a trait.
    pub(super) fn implemented(&self, of: &str, of_trait: &str, name: &str) -> Found {
        let own = Around::Impl { of: of.to_owned(), of_trait: Some(of_trait.to_owned()) };
        let found = self.named(Kind::Function, name);
        let mut found = found.filter(|(_, home)| home.path.last() == Some(&own));
        match (found.next(), found.next()) {
            (None, _) => Found::Outside,
            (Some((number, _)), None) if !self.is_hidden(of) => Found::One(number),
            _ => Found::Many,
        }
    }

    fn is_inherent(&self, number: usize) -> bool {
        let last = self.home(Origin::Function(number)).path.last();
        matches!(last, Some(Around::Impl { of_trait: None, .. }))
    }

    /// A name without others before it.
    fn bare(&self, kind: Kind, name: &str, from: &Home, hops: usize) -> Found {
        for path in from.scopes() {
            if !matches!(path.last(), Some(Around::Module(_))) {
                // What stands in some block within is seen only there.
                let mut inner = path.to_vec();
                inner.push(Around::Block);
                if let Some(found) = self.here(kind, name, from.file, &inner, hops) {
                    let several = self.named(kind, name).count() > 1;
                    return match found {
                        Found::One(_) if !several => found,
                        Found::Outside if self.named(kind, name).next().is_none() => found,
                        _ => Found::Many,
                    };
                }
            }
            if let Some(found) = self.here(kind, name, from.file, path, hops) {
                return found;
            }
        }
        Found::Outside
    }

    /// What a name means by what stands in one block or module, and by what is imported there.
    fn here(
        &self,
        kind: Kind,
        name: &str,
        file: usize,
        path: &[Around],
        hops: usize,
    ) -> Option<Found> {
        let Some(hops) = hops.checked_sub(1) else { return Some(Found::Many) };
        let own: Vec<Found> = self
            .named(kind, name)
            .filter(|(_, home)| home.is(file, path))
            .map(|(number, _)| Found::One(number))
            .collect();
        let uses = || self.uses.iter().filter(|used| used.home.is(file, path));
        let imported: Vec<Found> = uses()
            .filter(|used| used.name.as_deref() == Some(name))
            .map(|used| self.imported(kind, used, hops))
            .collect();
        if !own.is_empty() || !imported.is_empty() {
            return Some(Found::all(own.into_iter().chain(imported)));
        }
        let mut globs = Vec::new();
        for used in uses().filter(|used| used.name.is_none()) {
            let modules = self.modules(&used.path, &used.home, hops);
            let of = used.path.last().map_or("", String::as_str);
            if modules.is_empty() && !self.types_by_name.contains_key(of) {
                // It may be there; around a block there may be another.
                let is_block = !matches!(path.last(), Some(Around::Module(_)));
                if is_block && self.named(kind, name).next().is_some() {
                    return Some(Found::Many);
                }
            }
            for module in modules {
                globs.extend(self.here(kind, name, module.file, &module.path, hops));
            }
        }
        Some(Found::all(globs)).filter(|found| *found != Found::Outside)
    }

    fn imported(&self, kind: Kind, used: &Use, hops: usize) -> Found {
        let Some((name, before)) = used.path.split_last() else { return Found::Outside };
        let modules = self.modules(before, &used.home, hops);
        let found = modules
            .iter()
            .filter_map(|module| self.here(kind, name, module.file, &module.path, hops));
        Found::all(found)
    }

    /// A name with others before it.
    fn qualified(&self, kind: Kind, before: &[String], name: &str, from: &Home) -> Found {
        let of = before.last().map_or("", String::as_str);
        if of == "Self" {
            return from.owner().map_or(Found::Outside, |of| self.typed(kind, of, name));
        }
        let modules = self.modules(before, from, MAX_HOPS);
        let mut found = Vec::new();
        for module in &modules {
            found.extend(self.here(kind, name, module.file, &module.path, MAX_HOPS));
        }
        match Found::all(found) {
            Found::Outside => self.typed(kind, of, name),
            found => found,
        }
    }

    /// The modules that a path may mean.
    fn modules(&self, path: &[String], from: &Home, hops: usize) -> Vec<Home> {
        let Some(hops) = hops.checked_sub(1) else { return Vec::new() };
        let Some((first, mut rest)) = path.split_first() else { return vec![from.module()] };
        let several = self.parsed.files.len() > 1;
        let mut found = match &**first {
            "self" => vec![from.module()],
            "super" => {
                rest = path;
                vec![from.module()]
            }
            // Of several files it is not known which one is the first.
            "crate" => (0..self.parsed.files.len())
                .filter(|&file| several || file == from.file)
                .map(|file| self.root(file))
                .collect(),
            name => {
                let mut found = Vec::new();
                for scope in from.scopes() {
                    let scope = Home { file: from.file, path: scope.to_vec() };
                    found.extend(self.inside(&scope, name));
                    for used in &self.uses {
                        if used.home == scope && used.name.as_deref() == Some(name) {
                            found.extend(self.modules(&used.path, &used.home, hops));
                        }
                    }
                }
                found
            }
        };
        for name in rest {
            found = found
                .into_iter()
                .flat_map(|module| match &**name {
                    "self" => vec![module],
                    "super" if module.path.len() > 1 => {
                        let path = module.path[..module.path.len() - 1].to_vec();
                        vec![Home { file: module.file, path }.module()]
                    }
                    "super" => (0..self.parsed.files.len())
                        .filter(|&file| file != module.file)
                        .map(|file| self.root(file))
                        .collect(),
                    name => self.inside(&module, name),
                })
                .collect();
        }
        let mut distinct: Vec<Home> = Vec::new();
        for module in found {
            if !distinct.contains(&module) {
                distinct.push(module);
            }
        }
        distinct
    }

    /// The modules of a name in another: those that are written there, and files.
    fn inside(&self, module: &Home, name: &str) -> Vec<Home> {
        let written = module.inside(Around::Module(name.to_owned()));
        if self.modules.contains(&written) {
            return vec![written];
        }
        let files = 0..self.parsed.files.len();
        let others = files.filter(|&file| file != module.file).map(|file| self.root(file));
        others.filter(|root| root.path == [Around::Module(name.to_owned())]).collect()
    }

    /// A function or constant of a type or trait.
    fn typed(&self, kind: Kind, of: &str, name: &str) -> Found {
        let last = |home: &Home| home.path.last().cloned();
        let is_default = |home: &Home, of: &str| last(home) == Some(Around::Trait(of.to_owned()));
        let all = || self.named(kind, name);
        let of_any = |home: &Home| matches!(last(home), Some(Around::Impl { of, .. }) if of == ANY);
        if of == ANY || of.is_empty() {
            return if all().next().is_some() { Found::Many } else { Found::Outside };
        }
        if self.traits.contains(of) {
            let overrides = |home: &Home| matches!(last(home), Some(Around::Impl { of_trait: Some(t), .. }) if t == of);
            if all().any(|(_, home)| overrides(home)) || self.is_hidden(of) {
                return Found::Many;
            }
            let own = all().filter(|(_, home)| is_default(home, of));
            return Found::all(own.map(|(number, _)| Found::One(number)));
        }
        let own = |inherent: bool| {
            all().filter(move |(_, home)| match home.path.last() {
                Some(Around::Impl { of: own, of_trait }) => {
                    own == of && of_trait.is_none() == inherent
                }
                _ => false,
            })
        };
        let one = |found: (usize, &Home)| Found::One(found.0);
        let mut found = Found::all(own(true).map(one));
        if found == Found::Outside {
            found = Found::all(own(false).map(one));
            // A type of others may have its own of that name, which goes before.
            if found != Found::Outside && !self.types_by_name.contains_key(of) {
                return Found::Many;
            }
        }
        if found == Found::Outside {
            let defaults = all().filter(|(_, home)| match home.path.last() {
                Some(Around::Trait(of_trait)) => {
                    self.impls.contains(&(of_trait.clone(), of.to_owned()))
                }
                _ => false,
            });
            found = Found::all(defaults.map(one));
        }
        if found == Found::Outside {
            let blanket =
                |of_trait: &str| self.impls.contains(&(of_trait.to_owned(), ANY.to_owned()));
            let any = all().any(|(_, home)| {
                of_any(home) || matches!(last(home), Some(Around::Trait(of)) if blanket(&of))
            });
            return if any && self.types_by_name.contains_key(of) { Found::Many } else { found };
        }
        if self.is_hidden(of) { Found::Many } else { found }
    }

    /// Whether the name of a type may mean another than the one that has it.
    fn is_hidden(&self, of: &str) -> bool {
        let homes = self.types_by_name.get(of).map_or(&[][..], Vec::as_slice);
        if homes.len() > 1 || self.aliases.contains(of) || self.renames.contains(of) {
            return true;
        }
        let [home] = homes else { return false };
        self.uses.iter().filter(|used| used.name.as_deref() == Some(of)).any(|used| {
            let before = &used.path[..used.path.len().saturating_sub(1)];
            let relative = |name: &&String| matches!(&***name, "self" | "super" | "crate");
            match before.last().filter(|name| !relative(name)) {
                Some(module) => home.path.last() != Some(&Around::Module(module.clone())),
                None => false,
            }
        })
    }
}

/// Stands for every type, where something is implemented for all.
pub(super) const ANY: &str = "#any";
