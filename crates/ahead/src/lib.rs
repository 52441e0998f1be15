//! Grammars compiled while what uses them is compiled.
//!
//! Reading a grammar takes a parser, regular expressions and lowering, and its table has to be prepared for reading texts: in a
//! fuzz target that is more than half of the code and of the engine's counters, a second for a large grammar under a sanitizer,
//! and all of that again at each start. A macro runs on the machine that compiles, without the engine's flags, and leaves the
//! table and its parser, and a target needs nothing else; and a mistake in a grammar is an error of the compiler.

mod grammar;
mod tokens;

use proc_macro::{Delimiter, Group, Literal, TokenStream, TokenTree};

use grammar::Compiled;
use tokens::{Fault, Invocation};

/// The bytes that `pleach_target` takes a grammar's table and its parser from: `table!(["a.pleach", "b.pleach"] [start: "rule"])`.
///
/// The files are a grammar and, if one likes, what it includes, relative to the file that they are written in: what is included and
/// not named is found from the file that includes it. The options are those of `fuzz_target!`, of which `start` is used.
#[proc_macro]
pub fn table(input: TokenStream) -> TokenStream {
    match expanded(input) {
        Ok(tokens) => tokens,
        Err(fault) => fault.into_tokens(),
    }
}

fn expanded(input: TokenStream) -> Result<TokenStream, Fault> {
    let invocation = Invocation::new(input)?;
    let files = invocation.read()?;
    let compiled = Compiled::new(&files, invocation.folder(), invocation.start.as_deref());
    let compiled = compiled.map_err(|message| Fault::new(invocation.span(), message))?;
    // The compiler is told of the files, so that a change to one has the target compiled again.
    let named = invocation.files.iter().map(|file| file.path.as_str());
    let included = compiled.included.iter().filter_map(|path| path.to_str());
    let mut tokens: TokenStream = named
        .chain(included)
        .map(Literal::string)
        .flat_map(|path| {
            let known: TokenStream =
                "const _: &[u8] = ::core::include_bytes!".parse().expect("it is Rust");
            let argument = Group::new(Delimiter::Parenthesis, TokenTree::from(path).into());
            let end: TokenStream = ";".parse().expect("it is Rust");
            known.into_iter().chain([TokenTree::from(argument)]).chain(end)
        })
        .collect();
    tokens.extend([TokenTree::from(Literal::byte_string(&compiled.bytes))]);
    Ok(TokenTree::from(Group::new(Delimiter::Brace, tokens)).into())
}
