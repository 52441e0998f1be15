//! Finds a function in a source file, and what it takes.

use std::fs;
use std::path::Path;

use proc_macro2::Span;
use syn::{FnArg, GenericParam, ImplItem, Item, Signature, Type, Visibility};

use super::BuildError;

/// A function that can be called with bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Function {
    /// What its argument is made by, from `data: &[u8]`, in a function that returns an `Option`.
    pub(super) argument: &'static str,
    /// Where its name stands, by line and column from 1.
    pub(super) place: (usize, usize),
    /// Whether it is a method or associated function of a type.
    pub(super) associated: bool,
}

/// The argument for each type, by the type's text without white space.
const ARGUMENTS: [(&str, &str); 8] = [
    ("&str", TEXT),
    ("String", "std::str::from_utf8(data).ok()?.to_owned()"),
    ("&String", "&std::str::from_utf8(data).ok()?.to_owned()"),
    ("&[u8]", "data"),
    ("Vec<u8>", "data.to_vec()"),
    ("&Vec<u8>", "&data.to_vec()"),
    // Of which length, the compiler infers.
    ("[u8;_]", ARRAY),
    ("&[u8;_]", ARRAY),
];
const TEXT: &str = "std::str::from_utf8(data).ok()?";
const ARRAY: &str = "data.try_into().ok()?";

/// A function as it stands in a file.
struct Found<'a> {
    signature: &'a Signature,
    /// Whether it says that it is public, or a trait makes it so.
    public: bool,
    /// Parameters of the block that it stands in.
    generic: bool,
    associated: bool,
}

/// Finds a function by its path in a file.
pub(super) fn find(file: &Path, function: &str) -> Result<Function, BuildError> {
    let source = fs::read_to_string(file).map_err(BuildError::io(file))?;
    let parsed = syn::parse_file(&source).map_err(|error| BuildError::Source {
        file: file.to_owned(),
        place: place(error.span()),
        text: error.to_string(),
    })?;
    let mut all = functions(&parsed.items);
    let Some(at) = all.iter().position(|(path, _)| path == function) else {
        let last = function.rsplit("::").next().unwrap_or(function);
        let named = |path: &String| path.rsplit("::").next() == Some(last);
        let alike = |path: &String| path.eq_ignore_ascii_case(function);
        let mut paths = all.into_iter().map(|(path, _)| path);
        let near = paths.find(|path| named(path) || alike(path));
        return Err(BuildError::Absent {
            file: file.to_owned(),
            function: function.to_owned(),
            near,
        });
    };
    let found = all.swap_remove(at).1;
    let place = place(found.signature.ident.span());
    let (file, function) = (file.to_owned(), function.to_owned());
    if !found.public {
        return Err(BuildError::Private { file, place, function, text: String::new() });
    }
    let typed = |it: &GenericParam| !matches!(it, GenericParam::Lifetime(_));
    if found.generic
        || found.signature.generics.params.iter().any(typed)
        || is_impl(found.signature)
    {
        return Err(BuildError::Generic { file, place, function });
    }
    match argument(found.signature) {
        Ok(argument) => Ok(Function { argument, place, associated: found.associated }),
        Err(what) => Err(BuildError::Unsupported { file, place, function, what }),
    }
}

fn place(span: Span) -> (usize, usize) {
    let start = span.start();
    (start.line, start.column + 1)
}

/// All functions of a file, by their paths in it.
fn functions(items: &[Item]) -> Vec<(String, Found<'_>)> {
    let public = |it: &Visibility| matches!(it, Visibility::Public(_));
    let mut all = Vec::new();
    let mut left = vec![(String::new(), items)];
    while let Some((path, items)) = left.pop() {
        for item in items {
            match item {
                Item::Fn(it) => {
                    let found = Found {
                        signature: &it.sig,
                        public: public(&it.vis),
                        generic: false,
                        associated: false,
                    };
                    all.push((format!("{path}{}", it.sig.ident), found));
                }
                Item::Mod(it) => {
                    if let Some((_, items)) = &it.content {
                        left.push((format!("{path}{}::", it.ident), items));
                    }
                }
                Item::Impl(block) => {
                    let Type::Path(of) = &*block.self_ty else { continue };
                    let Some(name) = of.path.segments.last().map(|it| &it.ident) else { continue };
                    let typed = |it: &GenericParam| !matches!(it, GenericParam::Lifetime(_));
                    let generic = block.generics.params.iter().any(typed);
                    for item in &block.items {
                        let ImplItem::Fn(it) = item else { continue };
                        let public = block.trait_.is_some() || public(&it.vis);
                        let found = Found { signature: &it.sig, public, generic, associated: true };
                        all.push((format!("{path}{name}::{}", it.sig.ident), found));
                    }
                }
                _ => {}
            }
        }
    }
    all
}

/// Whether an argument is of a type that the caller chooses.
fn is_impl(signature: &Signature) -> bool {
    signature
        .inputs
        .iter()
        .any(|it| matches!(it, FnArg::Typed(it) if matches!(*it.ty, Type::ImplTrait(_))))
}

/// What makes a function's argument of bytes, or why nothing does.
fn argument(signature: &Signature) -> Result<&'static str, String> {
    if signature.asyncness.is_some() {
        return Err("is async".to_owned());
    }
    if signature.unsafety.is_some() {
        return Err("is unsafe".to_owned());
    }
    let mut inputs = signature.inputs.iter();
    let (Some(only), None) = (inputs.next(), inputs.next()) else {
        return Err(format!("takes {} arguments", signature.inputs.len()));
    };
    let FnArg::Typed(only) = only else { return Err("takes `self`".to_owned()) };
    let text = written(&only.ty);
    let found = ARGUMENTS.iter().find(|(known, _)| *known == text);
    found.map(|(_, argument)| *argument).ok_or_else(|| format!("takes `{text}`"))
}

/// A type as text: without lifetimes and paths, and lengths of arrays as `_`.
fn written(of: &Type) -> String {
    match of {
        // One that does not show a type deeper than these is none of those that are known.
        Type::Reference(it)
            if it.mutability.is_none() && !matches!(*it.elem, Type::Reference(_)) =>
        {
            format!("&{}", unreferred(&it.elem))
        }
        other => unreferred(other),
    }
}

fn unreferred(of: &Type) -> String {
    match of {
        Type::Slice(it) => format!("[{}]", named(&it.elem)),
        Type::Array(it) => format!("[{};_]", named(&it.elem)),
        other => named(other),
    }
}

/// A path's last segment, with one argument at most.
fn named(of: &Type) -> String {
    let Type::Path(it) = of else { return "a type that is none of bytes or text".to_owned() };
    let Some(last) = it.path.segments.last() else { return String::new() };
    match &last.arguments {
        syn::PathArguments::AngleBracketed(list) => {
            let arguments: Vec<String> = list
                .args
                .iter()
                .filter_map(|it| match it {
                    syn::GenericArgument::Type(Type::Path(it)) => {
                        it.path.get_ident().map(ToString::to_string)
                    }
                    _ => None,
                })
                .collect();
            format!("{}<{}>", last.ident, arguments.join(","))
        }
        _ => last.ident.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str, function: &str) -> Result<Function, BuildError> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("it.rs");
        fs::write(&file, source).expect("a file");
        find(&file, function)
    }

    #[test]
    fn every_type_of_text_and_bytes_has_its_argument() {
        for (written, argument) in [
            ("&str", TEXT),
            ("&'static str", TEXT),
            ("&[u8]", "data"),
            ("String", "std::str::from_utf8(data).ok()?.to_owned()"),
            ("std::vec::Vec<u8>", "data.to_vec()"),
            ("&Vec<u8>", "&data.to_vec()"),
            ("[u8; 4 + N]", ARRAY),
            ("&[u8; 2]", ARRAY),
        ] {
            let function =
                of(&format!("mod a {{ pub fn f(x: {written}) {{}} }}"), "a::f").expect(written);
            assert_eq!(function.argument, argument, "{written}");
            assert_eq!(function.place, (1, 16));
        }
    }

    #[test]
    fn what_cannot_be_called_says_why_and_where() {
        for (source, name, said) in [
            ("pub fn g(x: &str) {}", "f", "no function `f`"),
            ("mod a { pub fn f(x: &str) {} }", "f", "is it `a::f`"),
            ("\nfn f(x: &str) {}", "f", "it.rs:2:4: `f` is private"),
            ("pub(crate) fn f(x: &str) {}", "f", "private"),
            ("pub fn f<T: AsRef<str>>(x: T) {}", "f", "generic"),
            ("pub fn f<const N: usize>(x: [u8; N]) {}", "f", "generic"),
            ("pub fn f(x: impl AsRef<str>) {}", "f", "generic"),
            ("struct A<T>(T); impl<T> A<T> { pub fn f(x: &str) {} }", "A::f", "generic"),
            ("pub fn f(x: &str, y: u8) {}", "f", "takes 2 arguments"),
            ("pub fn f() {}", "f", "takes 0 arguments"),
            ("pub fn f(x: u32) {}", "f", "takes `u32`"),
            ("pub fn f(x: &mut [u8]) {}", "f", "none of bytes or text"),
            ("pub fn f(x: &[u16]) {}", "f", "takes `&[u16]`"),
            ("pub struct A; impl A { pub fn f(&self) {} }", "A::f", "takes `self`"),
            ("pub async fn f(x: &str) {}", "f", "is async"),
            ("pub unsafe fn f(x: &str) {}", "f", "is unsafe"),
            ("pub fn f(x: &str {}", "f", "it.rs:1:"),
        ] {
            let error = of(source, name).expect_err(source).to_string();
            assert!(error.contains(said), "{source}: {error}");
        }
    }

    #[test]
    fn functions_of_types_are_found_and_those_of_traits_are_public() {
        let source = "pub struct A; impl A { pub fn new(x: String) {} }\n\
            impl std::str::FromStr for A { type Err = (); fn from_str(x: &str) -> Result<A, ()> { Ok(A) } }";
        assert!(of(source, "A::new").expect("it is there").associated);
        assert!(of(source, "A::from_str").is_ok());
    }
}
