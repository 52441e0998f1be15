//! Names for functions that a fuzzing engine's compiler pass leaves alone.
//!
//! A target is compiled with a counter for each edge and a call at each comparison, and Cargo passes
//! such flags to all crates alike: the mutator gets them too. They are three quarters of its time there,
//! they tell the engine nothing about the target, and what the mutator compares displaces what the
//! target compared in the engine's table of recent comparisons. LLVM's pass skips functions that
//! sanitizers themselves define, and knows them by `.module_ctor` in their names. So functions in which
//! mutators spend their time have such a name where the compiler is told of fuzzing, and all that is
//! inlined into them is skipped with them. Should LLVM rename them one day, the hooks are back, and
//! nothing else changes. Where pleach is the target itself, `--cfg pleach_itself` asks for the hooks.
//!
//! It is an attribute, hence a crate of its own, because `rustfmt` does not look into what stands inside the
//! braces of a macro by example.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

use proc_macro::{TokenStream, TokenTree};

// SAFETY (what stands in `unsafe(export_name)`, here and nowhere else): an exported name is unsound where
// something else in the program has it too, for then one function is called in the place of another. This one
// has the name of the crate, its version, as two versions may be in one program, the path of the module, the name of
// the function, and its line, for methods of several types may have one name. No one else has reason for such a name, and none can be written in Rust by accident. The function
// itself keeps its ABI and its signature, and is called by its path alone.
const ATTRIBUTE: &str = r#"#[cfg_attr(
    all(fuzzing, not(pleach_itself)),
    inline(never),
    allow(unsafe_code),
    unsafe(export_name = concat!(
        env!("CARGO_PKG_NAME"), "-", env!("CARGO_PKG_VERSION"), ".module_ctor.", module_path!(), "::@:", line!()
    ))
)]"#;

/// Has no hooks of the engine put into a function that is not generic.
#[proc_macro_attribute]
#[expect(clippy::missing_panics_doc, reason = "what is parsed is a constant")]
pub fn unhooked(_: TokenStream, function: TokenStream) -> TokenStream {
    let mut tokens = function.clone().into_iter();
    let is_fn = |token: &TokenTree| matches!(token, TokenTree::Ident(it) if it.to_string() == "fn");
    let name = tokens.by_ref().find(is_fn).and_then(|_| tokens.next());
    let Some(name) = name else {
        return r#"compile_error!("only a function can be `unhooked`");"#.parse().expect("it is Rust");
    };
    let attribute = ATTRIBUTE.replace('@', &name.to_string());
    attribute.parse::<TokenStream>().expect("it is Rust").into_iter().chain(function).collect()
}
