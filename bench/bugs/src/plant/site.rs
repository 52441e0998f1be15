//! Where a fault may be planted: arguments of functions that are text, bytes or a number, and the statements that are put at the beginning of
//! a function, on its line, to have the argument told or to fail on one value.

use std::path::PathBuf;

use proc_macro2::Span;
use syn::{FnArg, ImplItem, Item, Pat, Signature, Type};

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text, by its bytes.
    Text,
    /// What the system calls a string.
    Os,
    /// Bytes.
    Bytes,
    /// A whole number, or a character.
    Number,
}

/// An argument of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The source, from the folder of all packages on.
    pub file: PathBuf,
    /// The function's name.
    pub function: String,
    /// The line on which its body begins.
    pub line: u32,
    /// The lines that it has.
    pub lines: (u32, u32),
    /// The argument's name, and what it is.
    pub argument: String,
    pub kind: Kind,
    /// Where its body begins in the source.
    at: usize,
}

/// All of a source, in their order. None where it is no Rust.
pub fn find(file: &std::path::Path, source: &str) -> Vec<Site> {
    let mut sites = Vec::new();
    if let Ok(parsed) = syn::parse_file(source)
        && parsed.shebang.is_none()
        && !source.starts_with('\u{feff}')
    {
        of_items(&parsed.items, &mut sites);
    }
    for site in &mut sites {
        site.file = file.to_owned();
    }
    sites
}

fn of_items(items: &[Item], sites: &mut Vec<Site>) {
    for item in items {
        match item {
            Item::Fn(item) => of_function(&item.sig, &item.block, sites),
            Item::Mod(item) if item.ident != "tests" && item.ident != "test" => {
                of_items(item.content.as_ref().map_or(&[], |it| &it.1), sites);
            }
            Item::Impl(item) => {
                for item in &item.items {
                    let ImplItem::Fn(item) = item else { continue };
                    of_function(&item.sig, &item.block, sites);
                }
            }
            _ => {}
        }
    }
}

fn of_function(signature: &Signature, block: &syn::Block, sites: &mut Vec<Site>) {
    if signature.constness.is_some() || signature.asyncness.is_some() {
        return;
    }
    let open: Span = block.brace_token.span.open();
    for input in &signature.inputs {
        let FnArg::Typed(argument) = input else { continue };
        let Pat::Ident(name) = &*argument.pat else { continue };
        if name.by_ref.is_some() || name.subpat.is_some() || !argument.attrs.is_empty() {
            continue;
        }
        let Some(kind) = kind(&argument.ty) else { continue };
        sites.push(Site {
            file: PathBuf::new(),
            function: signature.ident.to_string(),
            line: open.start().line as u32,
            lines: (
                signature.fn_token.span.start().line as u32,
                block.brace_token.span.close().end().line as u32,
            ),
            argument: name.ident.to_string(),
            kind,
            at: open.byte_range().end,
        });
    }
}

/// What a type is, by itself or behind a reference.
fn kind(of: &Type) -> Option<Kind> {
    let of = match of {
        Type::Reference(to) if to.mutability.is_some() => return None,
        Type::Reference(to) => match &*to.elem {
            Type::Slice(slice) => return is_byte(&slice.elem).then_some(Kind::Bytes),
            of => of,
        },
        of => of,
    };
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last()?;
    if let syn::PathArguments::AngleBracketed(types) = &last.arguments {
        let is_bytes =
            types.args.iter().all(|it| matches!(it, syn::GenericArgument::Type(of) if is_byte(of)));
        return (last.ident == "Vec" && is_bytes).then_some(Kind::Bytes);
    }
    match last.ident.to_string().as_str() {
        "str" | "String" => Some(Kind::Text),
        "OsStr" | "OsString" => Some(Kind::Os),
        "u16" | "u32" | "u64" | "usize" | "i16" | "i32" | "i64" | "isize" | "char" => {
            Some(Kind::Number)
        }
        _ => None,
    }
}

fn is_byte(of: &Type) -> bool {
    matches!(of, Type::Path(path) if path.path.is_ident("u8"))
}

impl Site {
    /// The argument as a slice of bytes.
    fn bytes(&self) -> String {
        let name = &self.argument;
        match self.kind {
            Kind::Text => format!("{name}.as_bytes()"),
            Kind::Os => format!("{name}.as_encoded_bytes()"),
            Kind::Bytes => format!("&{name}[..]"),
            Kind::Number => format!("&({name}.clone() as u64).to_le_bytes()[..]"),
        }
    }

    /// A statement that has the argument told under a number.
    pub fn telling(&self, number: usize) -> String {
        format!(
            " unsafe {{ unsafe extern \"C\" {{ fn pleach_told(of: u32, at: *const u8, length: usize); }} let it: &[u8] = {}; \
             pleach_told({number}, it.as_ptr(), it.len()) }}",
            self.bytes()
        )
    }

    /// A statement that fails if the argument is this.
    pub fn failing(&self, value: &[u8]) -> String {
        if let (Kind::Number, Ok(bytes)) = (self.kind, <[u8; 8]>::try_from(value)) {
            let value = u64::from_le_bytes(bytes);
            return format!(
                " if {}.clone() as u64 == {value} {{ panic!(\"planted\") }}",
                self.argument
            );
        }
        let value = value.escape_ascii();
        format!(
            " {{ let it: &[u8] = {}; if it == b\"{value}\" {{ panic!(\"planted\") }} }}",
            self.bytes()
        )
    }
}

/// A source with statements at the beginnings of functions, each on the line that it has.
pub fn write<'s>(source: &str, statements: impl IntoIterator<Item = (&'s Site, String)>) -> String {
    let mut all: Vec<_> = statements.into_iter().collect();
    all.sort_by_key(|(site, _)| site.at);
    let (mut written, mut from) = (String::with_capacity(source.len()), 0);
    for (site, statement) in all {
        written += &source[from..site.at];
        written += &statement;
        from = site.at;
    }
    written + &source[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r#"pub fn parse(text: &str) -> bool { inner(text.as_bytes(), 3) }
fn inner<'a>(
    bytes: &'a [u8],
    mut more: usize,
) -> bool {
    bytes.len() > more
}
impl std::str::FromStr for It {
    fn from_str(text: &str) -> Result<It, ()> { Err(()) }
    fn os(&self, name: &std::ffi::OsStr, all: Vec<u8>, some: &mut [u8], (a, b): (u32, u32)) {}
}
const fn constant(text: &str) {}
mod tests { fn test(text: &str) {} }
"#;

    #[test]
    fn arguments_are_found_and_statements_stand_on_the_lines_of_bodies() {
        let sites = find("a/b.rs".as_ref(), SOURCE);
        let found: Vec<_> = sites
            .iter()
            .map(|it| (it.function.as_str(), it.argument.as_str(), it.line, it.kind))
            .collect();
        assert_eq!(
            found,
            [
                ("parse", "text", 1, Kind::Text),
                ("inner", "bytes", 5, Kind::Bytes),
                ("inner", "more", 5, Kind::Number),
                ("from_str", "text", 9, Kind::Text),
                ("os", "name", 10, Kind::Os),
                ("os", "all", 10, Kind::Bytes),
            ]
        );
        assert_eq!((sites[1].lines, sites[1].file.to_str()), ((2, 7), Some("a/b.rs")));
        let all = sites.iter().enumerate().map(|(number, site)| (site, site.telling(number)));
        let told = write(SOURCE, all);
        assert_eq!(told.lines().count(), SOURCE.lines().count());
        assert!(syn::parse_file(&told).is_ok(), "{told}");
        assert!(told.lines().nth(4).unwrap().starts_with(") -> bool { unsafe {"), "{told}");
        let fails = write(SOURCE, [(&sites[3], sites[3].failing(b"a\"\xff"))]);
        assert!(syn::parse_file(&fails).is_ok(), "{fails}");
        assert!(fails.contains(r#"if it == b"a\"\xff" { panic!("planted") }"#), "{fails}");
        let number = sites[2].failing(&300u64.to_le_bytes());
        assert_eq!(number, " if more.clone() as u64 == 300 { panic!(\"planted\") }");
        assert_eq!(write(SOURCE, []), SOURCE);
    }

    #[test]
    fn what_is_no_rust_has_none() {
        for source in ["fn (text: &str) {}", "#!/usr/bin/env run\nfn a(text: &str) {}"] {
            assert_eq!(find("a.rs".as_ref(), source), []);
        }
    }
}
