//! Implants that are made when the target starts.

use pleach_target::read_grammar;

use crate::differential::{DifferentialError, implants as of_grammar};

/// Rules, and for each the texts that stand in the place of what it derives.
pub type Implants = [(String, Vec<String>)];

/// The implants of the grammar that is the first of some files, by name and text.
///
/// # Errors
///
/// Where a grammar cannot be read, or the languages of its rules pass a limit.
pub fn implants(
    files: &[(&str, &str)],
    against: &[(&str, &str)],
) -> Result<Box<Implants>, DifferentialError> {
    let grammar = read_grammar(files, None).map_err(DifferentialError::grammar)?;
    Ok(of_grammar(&grammar, against)?.into())
}

/// The implants of a target: made once, as each thread has a mutator.
#[doc(hidden)]
#[macro_export]
macro_rules! __implants {
    ([$($file:literal),+] [$($option:ident : $value:expr),*] [$($against:expr),*]) => {{
        static IMPLANTS: ::std::sync::OnceLock<
            ::std::boxed::Box<$crate::differential::target::Implants>,
        > = ::std::sync::OnceLock::new();
        IMPLANTS.get_or_init(|| {
            let files = [$(($file, ::std::include_str!($file))),+];
            let against: &[(&str, &str)] = &[$($against),*];
            __pleach_or_end($crate::differential::target::implants(&files, against))
        })
    }};
}
