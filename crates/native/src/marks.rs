//! Functions of a source that may be units natively, and the source with marks on them.
//!
//! A program of somebody else marks nothing. So its sources are written again, with the attribute of `pleach-unit` on each function that has an argument
//! which a campaign can change. Nothing else is another, and each line keeps its number. What the attribute can't do with a function, such as cloning
//! its context, only the compiler knows: where that refuses a function, its mark is taken off.

use std::ops::RangeInclusive;

use proc_macro2::Span;
use syn::{Attribute, FnArg, ImplItem, Item, ItemImpl, Pat, Signature, Type, Visibility};

/// A function that may be marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where the mark goes: before the function's visibility.
    at: usize,
    /// What the mark says: how the function is called, and of which type it is.
    says: String,
    /// The function's lines, from 1.
    pub lines: RangeInclusive<u32>,
}

/// Attributes beside which there may be a mark.
const PLAIN: [&str; 13] = [
    "allow",
    "cfg",
    "cfg_attr",
    "cold",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "inline",
    "must_use",
    "rustfmt",
    "track_caller",
    "warn",
];

/// The functions of a source that may be marked, in their order. None where it is no Rust.
pub fn find(source: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    // Behind a mark of byte order, or a line for the shell, there would be other offsets.
    if let Ok(file) = syn::parse_file(source)
        && file.shebang.is_none()
        && !source.starts_with('\u{feff}')
    {
        of_items(&file.items, source, &mut marks);
    }
    marks
}

/// The source with these marks.
pub fn write(source: &str, marks: &[Mark]) -> String {
    let (mut written, mut from) = (String::with_capacity(source.len() + 32 * marks.len()), 0);
    for mark in marks {
        written += &source[from..mark.at];
        written += &format!("#[pleach_unit::unit{}] ", mark.says);
        from = mark.at;
    }
    written + &source[from..]
}

fn of_items(items: &[Item], source: &str, marks: &mut Vec<Mark>) {
    for item in items {
        match item {
            Item::Fn(item) => {
                marks.extend(mark(&item.attrs, &item.vis, &item.sig, end(&item.block), None));
            }
            Item::Mod(item) => {
                of_items(item.content.as_ref().map_or(&[], |it| &it.1), source, marks);
            }
            Item::Impl(item) => {
                let Some(of) = Of::read(item, source) else { continue };
                for item in &item.items {
                    let ImplItem::Fn(item) = item else { continue };
                    let end = end(&item.block);
                    marks.extend(mark(&item.attrs, &item.vis, &item.sig, end, Some(&of)));
                }
            }
            _ => {}
        }
    }
}

/// What functions are of.
enum Of {
    /// A type, of which this is the name if it is a path.
    Type(Option<String>),
    /// A trait that a type has, both as they are written.
    Trait(String, String),
}

impl Of {
    /// What the functions of a block are of; nothing if they can't be marked.
    fn read(item: &ItemImpl, source: &str) -> Option<Of> {
        let Some((negated, path, between)) = &item.trait_ else {
            let Type::Path(path) = &*item.self_ty else { return Some(Of::Type(None)) };
            return Some(Of::Type(path.path.segments.last().map(|it| it.ident.to_string())));
        };
        let begin = path.leading_colon.as_ref().map(|it| it.spans[0]);
        let begin = begin.unwrap_or_else(|| path.segments[0].ident.span());
        let behind = item.generics.where_clause.as_ref().map(|it| it.where_token.span);
        let behind = behind.unwrap_or_else(|| item.brace_token.span.open());
        // A mark is one line, and what is a comment in it would go on to its end.
        let written = |from: usize, to: usize| {
            Some(source[from..to].trim().to_owned()).filter(|it| !it.contains(['\n', '/']))
        };
        let [begin, between, behind] = [begin, between.span, behind].map(|it| it.byte_range());
        (negated.is_none())
            .then(|| written(between.end, behind.start).zip(written(begin.start, between.start)))?
            .map(|(of_type, of_trait)| Of::Trait(of_type, of_trait))
    }

    /// What a mark says of a function.
    fn says(&self, receives: bool) -> String {
        let how = if receives { "self" } else { "Self" };
        match self {
            Of::Type(Some(name)) => format!("({how}, {name})"),
            Of::Type(None) => format!("({how})"),
            Of::Trait(of_type, of_trait) => {
                format!("(<Self as {of_trait}>, {:?})", format!("<{of_type} as {of_trait}>"))
            }
        }
    }
}

/// Where a body ends.
fn end(block: &syn::Block) -> Span {
    block.brace_token.span.close()
}

/// The mark for a function, if it may have one.
fn mark(
    attributes: &[Attribute],
    visibility: &Visibility,
    signature: &Signature,
    end: Span,
    of: Option<&Of>,
) -> Option<Mark> {
    let is_plain = |it: &Attribute| {
        let path = it.path().segments.first();
        path.is_some_and(|first| PLAIN.contains(&first.ident.to_string().as_str()))
    };
    let Signature { constness, asyncness, unsafety, abi, generics, inputs, variadic, .. } =
        signature;
    if constness.is_some()
        || asyncness.is_some()
        || unsafety.is_some()
        || abi.is_some()
        || variadic.is_some()
        // What it is called with again says nothing of a type that no argument has.
        || generics.type_params().next().is_some()
        || generics.const_params().next().is_some()
        || !attributes.iter().all(is_plain)
    {
        return None;
    }
    let (mut values, mut receives) = (0, false);
    for input in inputs {
        match input {
            FnArg::Receiver(receiver) => {
                receives = true;
                // By value it may be what can't be cloned.
                receiver.reference.as_ref()?;
            }
            FnArg::Typed(argument) => {
                let Pat::Ident(name) = &*argument.pat else { return None };
                if name.by_ref.is_some() || name.subpat.is_some() || !argument.attrs.is_empty() {
                    return None;
                }
                match &*argument.ty {
                    Type::ImplTrait(_) => return None,
                    of => values += usize::from(is_value(of)),
                }
            }
        }
    }
    let begin = match visibility {
        Visibility::Public(token) => token.span,
        Visibility::Restricted(restricted) => restricted.pub_token.span,
        Visibility::Inherited => signature.fn_token.span,
    };
    (values > 0).then(|| Mark {
        at: begin.byte_range().start,
        says: of.map_or_else(String::new, |of| of.says(receives)),
        lines: begin.start().line as u32..=end.end().line as u32,
    })
}

/// Whether an argument of a type is one that the attribute takes for a value.
fn is_value(of: &Type) -> bool {
    let name = |of: &Type| match of {
        Type::Path(path) if path.qself.is_none() => path.path.get_ident().map(ToString::to_string),
        _ => None,
    };
    let is_byte = |of: &Type| name(of).is_some_and(|it| it == "u8");
    match of {
        Type::Reference(to) if to.mutability.is_none() => match &*to.elem {
            Type::Slice(slice) => is_byte(&slice.elem),
            of => name(of).is_some_and(|it| it == "str"),
        },
        Type::Path(path) => {
            let Some(first) = path.path.segments.first() else { return false };
            match &first.arguments {
                syn::PathArguments::AngleBracketed(types) => {
                    let is_bytes = types
                        .args
                        .iter()
                        .all(|it| matches!(it, syn::GenericArgument::Type(of) if is_byte(of)));
                    path.path.segments.len() == 1 && first.ident == "Vec" && is_bytes
                }
                _ => name(of).is_some_and(|it| NAMED.contains(&it.as_str())),
            }
        }
        _ => false,
    }
}

/// Types of values that are a name.
const NAMED: [&str; 13] = [
    "String", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize",
];

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r#"//! A crate.
pub fn parse(text: &str) -> bool { inner(text.as_bytes(), 3) }
#[inline]
fn inner<'a>(bytes: &'a [u8], mut more: usize) -> bool {
    bytes.len() > more
}
mod deep {
    pub(crate) struct It;
    impl It {
        /// With `self`.
        pub(crate) fn with(&mut self, text: String, all: Vec<u8>) {}
        fn new(number: u8) -> It { It }
        fn by_value(self, text: &str) {}
    }
    impl std::str::FromStr for It {
        type Err = ();
        fn from_str(text: &str) -> Result<It, ()> { Err(()) }
    }
    impl<'a> ::std::ops::AddAssign<&'a str> for Vec<It> {
        fn add_assign(&mut self, other: &'a str) {}
    }
    impl Said // it is
        for It { fn said(text: &str) {} }
}
const fn constant(text: &str) {}
unsafe fn raw(text: &str) {}
extern "C" fn c(number: u8) {}
async fn later(text: &str) {}
fn generic<T: From<u8>>(text: &str) -> T { 0.into() }
fn some(text: impl AsRef<str>, number: u8) {}
fn pattern((a, b): (u8, u8), text: &str) {}
fn none(text: Option<&str>, more: &mut [u8], numbers: &[u32]) {}
#[test]
fn test(text: &str) {}
"#;

    #[test]
    fn functions_with_values_are_marked_and_lines_keep_their_numbers() {
        let marks = find(SOURCE);
        let lines: Vec<_> = marks.iter().map(|mark| mark.lines.clone()).collect();
        assert_eq!(lines, [2..=2, 4..=6, 11..=11, 12..=12, 17..=17, 20..=20]);
        let marked = write(SOURCE, &marks);
        assert_eq!(marked.lines().count(), SOURCE.lines().count());
        assert!(marked.contains("\n#[pleach_unit::unit] pub fn parse("), "{marked}");
        assert!(marked.contains("#[inline]\n#[pleach_unit::unit] fn inner<'a>("), "{marked}");
        let of_type = "#[pleach_unit::unit(self, It)] ";
        let without = "#[pleach_unit::unit(Self, It)] ";
        assert!(marked.contains(&format!(" {of_type}pub(crate) fn with(")), "{marked}");
        assert!(marked.contains(&format!(" {without}fn new(")), "{marked}");
        let of_traits = [
            "#[pleach_unit::unit(<Self as std::str::FromStr>, \"<It as std::str::FromStr>\")] ",
            "#[pleach_unit::unit(<Self as ::std::ops::AddAssign<&'a str>>, \"<Vec<It> as ::std::ops::AddAssign<&'a str>>\")] ",
        ];
        assert!(marked.contains(&format!(" {}fn from_str(", of_traits[0])), "{marked}");
        assert!(marked.contains(&format!(" {}fn add_assign(", of_traits[1])), "{marked}");
        assert_eq!(marked.matches("pleach_unit").count(), 6);
        let unmarked = [&["#[pleach_unit::unit] ", of_type, without], &of_traits[..]].concat();
        assert_eq!(unmarked.iter().fold(marked, |text, mark| text.replace(mark, "")), SOURCE);
    }

    #[test]
    fn what_is_no_rust_or_begins_otherwise_has_no_functions() {
        for before in ["", "\u{feff}", "#!/usr/bin/env run\n"] {
            let count = find(&format!("{before}fn it(text: &str) {{}}")).len();
            assert_eq!(count, usize::from(before.is_empty()), "{before:?}");
        }
        assert_eq!(find("fn (text: &str) {}"), []);
    }
}
