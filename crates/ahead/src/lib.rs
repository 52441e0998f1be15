//! Grammars compiled while what uses them is compiled.
//!
//! Reading a grammar takes a parser, regular expressions and lowering, and its table has to be prepared for reading texts: in a
//! fuzz target that is more than half of the code and of the engine's counters, a second for a large grammar under a sanitizer,
//! and all of that again at each start. A macro runs on the machine that compiles, without the engine's flags, and leaves the
//! table and its parser, and a target needs nothing else; and a mistake in a grammar is an error of the compiler.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod grammar;
#[cfg(feature = "differential")]
mod implants;
mod tokens;

use proc_macro::{Delimiter, Group, Literal, TokenStream, TokenTree};

use grammar::Source;
use tokens::{Fault, Invocation};

/// The bytes that `pleach_target` takes a grammar's table and its parser from: `table!(["a.pleach", "b.pleach"] [start: "rule"])`.
///
/// The files are a grammar and, if one likes, what it includes, relative to the file that they are written in: what is included and
/// not named is found from the file that includes it. The options are those of `fuzz_target!`, of which `start` is used.
#[proc_macro]
pub fn table(input: TokenStream) -> TokenStream {
    expanded(input, |invocation, source| {
        let bytes = source.table(invocation.start.as_deref());
        let bytes = bytes.map_err(|message| Fault::new(invocation.span(), message))?;
        Ok(TokenTree::from(Literal::byte_string(&bytes)).into())
    })
}

/// The texts that `pleach::differential_target!` puts in the place of what rules derive, as `&[("rule", &["text"])]`:
/// `implants!(["a.pleach"] [start: "rule"] [("rule", "regex")])`. Behind files and options are the rules and regexes of `against`.
#[cfg(feature = "differential")]
#[proc_macro]
pub fn implants(input: TokenStream) -> TokenStream {
    expanded(input, |invocation, source| {
        let span = invocation.span();
        implants::implants(&source.grammar, invocation.more.as_ref(), span)
    })
}

/// What is made of a grammar, or what is wrong.
fn expanded(
    input: TokenStream,
    make: impl Fn(&Invocation, &Source) -> Result<TokenStream, Fault>,
) -> TokenStream {
    let expanded = || {
        let invocation = Invocation::new(input)?;
        let files = invocation.read()?;
        let source = Source::new(&files, invocation.folder(), invocation.start.as_deref());
        let source = source.map_err(|message| Fault::new(invocation.span(), message))?;
        let made = make(&invocation, &source)?;
        // The compiler is told of the files, so that a change to one has the target compiled again.
        let named = invocation.files.iter().map(|file| file.path.as_str());
        let included = source.included.iter().filter_map(|path| path.to_str());
        let known = named.chain(included).map(Literal::string).flat_map(|path| {
            let known: TokenStream =
                "const _: &[u8] = ::core::include_bytes!".parse().expect("it is Rust");
            let argument = Group::new(Delimiter::Parenthesis, TokenTree::from(path).into());
            let end: TokenStream = ";".parse().expect("it is Rust");
            known.into_iter().chain([TokenTree::from(argument)]).chain(end)
        });
        let tokens = known.chain(made).collect();
        Ok(TokenTree::from(Group::new(Delimiter::Brace, tokens)).into())
    };
    expanded().unwrap_or_else(Fault::into_tokens)
}
