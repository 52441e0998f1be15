//! Differences inside the fuzzing loop: what [`differential_target!`](crate::differential_target) is made of.
//!
//! A target whose oracle is the grammar needs inputs that lie just beside the language, and in all the rest of
//! them nothing else that is wrong. So mutants get [`implants`] in the place of a rule's yield inside a larger
//! derivation: strings on which the rule's language and the implementation's differ, where the latter is
//! known, and strings that are proved to be one symbol away from the rule's language.
//!
//! The [`Oracle`] compares what the grammar says, by its recogniser, with what the implementation does, and
//! makes the input small before it complains.

#[cfg(fuzzing)]
mod ahead;
mod oracle;
#[cfg(not(fuzzing))]
mod read;
mod smallest;

#[cfg(fuzzing)]
#[doc(hidden)]
pub use ahead::{Implants, made};
pub use oracle::{Disagreement, Oracle};
#[cfg(not(fuzzing))]
#[doc(hidden)]
pub use read::{Implants, implants};

/// A target of libFuzzer that fails where an implementation and a grammar, or two implementations, disagree.
///
/// ```text
/// #![no_main]
///
/// pleach::differential_target!(grammar: "../grammars/uri.pleach", |text: &str| -> bool {
///     my_crate::Uri::parse(text).is_ok()
/// });
/// ```
///
/// The body says whether the implementation accepts. With two bodies, which return anything that can be
/// compared and shown, what they return is compared, and the grammar only makes the inputs:
///
/// ```text
/// pleach::differential_target!(
///     grammar: "../grammars/ip.pleach",
///     |text: &str| text.parse::<std::net::IpAddr>().ok(),
///     |text: &str| other_crate::parse(text).ok()
/// );
/// ```
///
/// Options stand between the grammar and the bodies: those of [`fuzz_target!`](crate::fuzz_target), and first of
/// them `against: [("host", r"[a-z.]+")]`, which says by a regex what the implementation takes for a rule (as
/// `pleach infer` prints it). Without it, strings that are a symbol away from any regular rule are tried.
///
/// In builds for an engine (`cfg(fuzzing)`) the grammar and these strings are compiled with the target: `start`, rules and
/// regexes are string literals then, and a mistake in them is an error of the compiler. In others they are made when the target
/// starts.
///
/// Of 256 mutations 96 leave the language, unless `breaking` says otherwise. The message of a failure has the
/// smallest input that was found on which the two still disagree.
#[macro_export]
macro_rules! differential_target {
    (grammar: $main:literal $($rest:tt)*) => {
        $crate::differential_target!(grammar: [$main] $($rest)*);
    };
    (grammar: [$($file:literal),+ $(,)?], against: [$(($rule:expr, $regex:expr)),* $(,)?] $($rest:tt)*) => {
        $crate::differential_target!(@target [$($file),+] [$(($rule, $regex)),*] $($rest)*);
    };
    (grammar: [$($file:literal),+ $(,)?] $($rest:tt)*) => {
        $crate::differential_target!(@target [$($file),+] [] $($rest)*);
    };
    (
        @target [$($file:literal),+] [$($against:expr),*] $(, $option:ident : $value:expr)*
        , |$text:ident : &str| -> bool $body:block $(,)?
    ) => {
        $crate::differential_target!(@hooks [$($file),+] [$($against),*] [$($option : $value),*]);
        ::libfuzzer_sys::fuzz_target!(init: __pleach_init(), |data: &[u8]| -> ::libfuzzer_sys::Corpus {
            let ::std::result::Result::Ok(text) = ::std::str::from_utf8(data) else {
                return ::libfuzzer_sys::Corpus::Reject;
            };
            if let ::std::option::Option::Some(found) =
                __pleach_oracle(|oracle| oracle.verdict(text, |$text: &str| -> bool { $body }))
            {
                ::std::panic!("{found}");
            }
            ::libfuzzer_sys::Corpus::Keep
        });
    };
    (
        @target [$($file:literal),+] [$($against:expr),*] $(, $option:ident : $value:expr)*
        , |$text:ident : &str| $first:expr, |$other:ident : &str| $second:expr $(,)?
    ) => {
        $crate::differential_target!(@hooks [$($file),+] [$($against),*] [$($option : $value),*]);
        ::libfuzzer_sys::fuzz_target!(init: __pleach_init(), |data: &[u8]| -> ::libfuzzer_sys::Corpus {
            let ::std::result::Result::Ok(text) = ::std::str::from_utf8(data) else {
                return ::libfuzzer_sys::Corpus::Reject;
            };
            if let ::std::option::Option::Some(found) = __pleach_oracle(|oracle| {
                oracle.results(text, |$text: &str| $first, |$other: &str| $second)
            }) {
                ::std::panic!("{found}");
            }
            ::libfuzzer_sys::Corpus::Keep
        });
    };
    (@hooks [$($file:literal),+] [$($against:expr),*] [$($option:ident : $value:expr),*]) => {
        $crate::fuzz_target!(@hooks [$($file),+] [
            breaking: 96, implants: __pleach_implants().iter().map(|(rule, texts)| (rule, texts.iter())) $(, $option : $value)*
        ]);

        fn __pleach_implants() -> &'static $crate::differential::target::Implants {
            $crate::__implants!([$($file),+] [$($option : $value),*] [$($against),*])
        }

        fn __pleach_oracle<T>(
            body: impl ::std::ops::FnOnce(&mut $crate::differential::target::Oracle<'static>) -> T,
        ) -> T {
            ::std::thread_local! {
                static ORACLE: ::std::cell::RefCell<$crate::differential::target::Oracle<'static>> =
                    ::std::cell::RefCell::new($crate::differential::target::Oracle::new(__pleach_table()));
            }
            ORACLE.with(|oracle| body(&mut oracle.borrow_mut()))
        }
    };
}
