//! The attribute `unit` of `pleach-unit`, whose documentation has it.
//!
//! What is written is the function with a few statements before its body, which call the function itself again with
//! other values. So no body is moved, and `return`, `?`, generics and lifetimes mean in it what they meant.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

use proc_macro::{Delimiter, TokenStream, TokenTree};

/// Marks a function as one that a campaign may test alone.
#[proc_macro_attribute]
#[expect(clippy::missing_panics_doc, reason = "what is parsed is a constant")]
pub fn unit(path: TokenStream, function: TokenStream) -> TokenStream {
    if !cfg!(feature = "campaign") {
        return function;
    }
    match marked(path, function) {
        Ok(marked) => marked,
        Err(why) => format!("compile_error!({why:?});").parse().expect("it is Rust"),
    }
}

/// This crate's source.
#[cfg(feature = "sources")]
#[doc(hidden)]
#[proc_macro]
pub fn source(_: TokenStream) -> TokenStream {
    TokenTree::from(proc_macro::Literal::string(include_str!("lib.rs"))).into()
}

/// The function with what tells of its calls.
fn marked(path: TokenStream, function: TokenStream) -> Result<TokenStream, String> {
    let mut tokens: Vec<TokenTree> = function.into_iter().collect();
    let is = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(it) if it.to_string() == word);
    let at =
        tokens.iter().position(|token| is(token, "fn")).ok_or("only a function can be a unit")?;
    if tokens[..at].iter().any(|token| is(token, "async") || is(token, "const")) {
        return Err("an `async` or `const` function can't be a unit".into());
    }
    let name = tokens.get(at + 1).ok_or("a unit has a name")?.to_string();
    let arguments = arguments(&tokens[at..]).ok_or("a unit has arguments")?;
    let Some(TokenTree::Group(body)) = tokens.pop().filter(
        |it| matches!(it, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace),
    ) else {
        return Err("a unit has a body".into());
    };

    let (mut given, mut told, mut values) = (Vec::new(), Vec::new(), 0);
    let mut receiver = None;
    for argument in split(arguments) {
        if argument.iter().take_while(|token| !is_colon(token)).any(|token| is(token, "self")) {
            let by_reference =
                matches!(argument.first(), Some(TokenTree::Punct(it)) if it.as_char() == '&');
            receiver =
                Some(if by_reference { "self" } else { "::core::clone::Clone::clone(&self)" });
            continue;
        }
        let colon = argument.iter().position(is_colon).ok_or("an argument of a unit has a type")?;
        let pattern: Vec<&TokenTree> =
            argument[..colon].iter().filter(|token| !is(token, "mut")).collect();
        let [TokenTree::Ident(name)] = pattern[..] else {
            return Err("an argument of a unit is a name, not a pattern".into());
        };
        let name = name.to_string();
        let kind = kind(&argument[colon + 1..]);
        given.push(match &kind {
            Kind::Value(_, again) => again.replace("INDEX", &values.to_string()),
            Kind::Reference => name.clone(),
            Kind::Owned => format!("::core::clone::Clone::clone(&{name})"),
        });
        if let Kind::Value(how, _) = kind {
            told.push(format!("::pleach_unit::Value::{}", how.replace("NAME", &name)));
            values += 1;
        }
    }
    if values == 0 {
        return Err("a unit has an argument of `&str`, `&[u8]`, `String`, `Vec<u8>` or of a type of integers".into());
    }
    let mut parts =
        split(path).into_iter().map(|it| it.into_iter().collect::<TokenStream>().to_string());
    let path = parts.next().unwrap_or_default();
    let of = parts.next().map(|of| format!("{}::", literal(&of))).unwrap_or_default();
    let called = match (receiver, path.as_str()) {
        (Some(receiver), "" | "self") => format!("{receiver}.{name}"),
        (None, "") => name.clone(),
        (None, "Self") => format!("Self::{name}"),
        // A method of a trait.
        (receiver, path) if path.starts_with('<') => {
            given.splice(0..0, receiver.map(str::to_owned));
            format!("{path}::{name}")
        }
        _ => {
            return Err(
                "write `unit`, `unit(Self)` for a function of a type without `self`, or `unit(<Self as Trait>)` for one of a trait, and behind that, or \
                 behind `self`, what the type is called: `unit(Self, Name)`".into()
            );
        }
    };
    let before = format!(
        "#[cfg(target_os = \"linux\")]
        {{
        static PLEACH_UNIT: ::pleach_unit::Unit = ::pleach_unit::Unit::new(::core::concat!(::core::module_path!(), \"::{of}{name}\"));
        if let ::core::option::Option::Some(pleach_call) = PLEACH_UNIT.called(|| ::std::vec![{}]) {{
            pleach_call.test(&mut |pleach_values| {{ let _ = ::core::hint::black_box({called}({})); }})
        }}
        }}",
        told.join(", "),
        given.join(", ")
    );
    let before: TokenStream = before.parse().expect("it is Rust");
    let body: TokenStream = before.into_iter().chain([TokenTree::Group(body)]).collect();
    tokens.push(TokenTree::Group(proc_macro::Group::new(Delimiter::Brace, body)));
    Ok(tokens.into_iter().collect())
}

/// What stands in a string, or what is none.
fn literal(of: &str) -> &str {
    of.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(of)
}

fn is_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(it) if it.as_char() == ':')
}

/// What an argument is to a unit.
enum Kind {
    /// How it is told, and given again.
    Value(String, String),
    /// Context, which is there as often as it is wanted.
    Reference,
    /// Context that is used up.
    Owned,
}

fn kind(of: &[TokenTree]) -> Kind {
    let mut words: Vec<String> = of.iter().map(ToString::to_string).collect();
    // A lifetime's quote and its name.
    while let Some(at) = words.iter().position(|word| word == "'") {
        words.drain(at..(at + 2).min(words.len()));
    }
    let text = words.concat();
    match text.as_str() {
        "&str" => Kind::Value("text(\"NAME\", NAME)".into(), "pleach_values.text(INDEX)".into()),
        "&[u8]" => Kind::Value("bytes(\"NAME\", NAME)".into(), "pleach_values.bytes(INDEX)".into()),
        "String" => Kind::Value(
            "text(\"NAME\", &NAME)".into(),
            "::std::string::String::from(pleach_values.text(INDEX))".into(),
        ),
        "Vec<u8>" => Kind::Value(
            "bytes(\"NAME\", &NAME)".into(),
            "<[u8]>::to_vec(pleach_values.bytes(INDEX))".into(),
        ),
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128"
        | "isize" => {
            let signed = text.starts_with('i');
            Kind::Value(
                format!(
                    "number(\"NAME\", NAME as u128, ::core::mem::size_of::<{text}>(), {signed})"
                ),
                format!("pleach_values.number(INDEX) as {text}"),
            )
        }
        _ if text.starts_with('&') => Kind::Reference,
        _ => Kind::Owned,
    }
}

/// How deep in `<` and `>` one is.
#[derive(Default)]
struct Depth {
    depth: i32,
    after_dash: bool,
}

impl Depth {
    /// After this token, too.
    fn at(&mut self, token: &TokenTree) -> i32 {
        let mark = match token {
            TokenTree::Punct(it) => it.as_char(),
            _ => ' ',
        };
        match mark {
            '<' => self.depth += 1,
            '>' if !self.after_dash => self.depth -= 1,
            _ => {}
        }
        self.after_dash = mark == '-';
        self.depth
    }
}

/// What stands in the parentheses behind a function's name and its parameters of types.
fn arguments(function: &[TokenTree]) -> Option<TokenStream> {
    let mut depth = Depth::default();
    function.iter().find_map(|token| match token {
        TokenTree::Group(group) if depth.at(token) == 0 => {
            (group.delimiter() == Delimiter::Parenthesis).then(|| group.stream())
        }
        _ => {
            depth.at(token);
            None
        }
    })
}

/// The arguments, which commas part outside of `<` and `>`.
fn split(arguments: TokenStream) -> Vec<Vec<TokenTree>> {
    let (mut all, mut one, mut depth) = (Vec::new(), Vec::new(), Depth::default());
    for token in arguments {
        let is_comma = matches!(&token, TokenTree::Punct(it) if it.as_char() == ',');
        if depth.at(&token) == 0 && is_comma {
            all.push(std::mem::take(&mut one));
            continue;
        }
        one.push(token);
    }
    all.push(one);
    all.retain(|argument| !argument.is_empty());
    all
}
