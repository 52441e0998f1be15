//! `fuzz_target!`: a target with libFuzzer's hooks for mutation and crossover.

/// A target of libFuzzer whose inputs are mutated by the trees behind them.
///
/// ```text
/// #![no_main]
///
/// pleach::fuzz_target!(grammar: "../grammars/json.pleach", |text: &str| {
///     let _ = serde_json::from_str::<serde_json::Value>(text);
/// });
/// ```
///
/// With the feature `import` the grammar may be in another notation, told by its extension.
///
/// The crate that it stands in depends on `libfuzzer-sys`, or on another crate under that name with the
/// same macros, as `libafl_libfuzzer` is. The grammar is part of the binary; a path is relative to the
/// file. What a grammar includes is found from the file that includes it; where grammars are read when the target starts, it
/// has to be named, as `grammar: ["a.pleach", "b.pleach"]`. `start` is a string literal. Each method of
/// [`TargetOptions`](crate::fuzz::TargetOptions) is an option, written between the grammar and the
/// body:
///
/// ```text
/// pleach::fuzz_target!(
///     grammar: "../grammars/sql.pleach",
///     start: "select-stmt",
///     max_depth: 64,
///     without: ["recursion"],
///     |data: &[u8]| { ... }
/// );
/// ```
///
/// The body takes `&str` or `&[u8]`, or of a grammar with `%part` the arguments, standard input, files and variables as
/// `&Parts`, which are [`Parts`](crate::parts::Parts); and returns nothing or, after `-> Corpus`, whether the input is to be
/// kept, as `libfuzzer_sys::fuzz_target!` does. Inputs that are not UTF-8 do not reach a body that takes
/// `&str`, nor the corpus; and so it is with what is no input of several parts and a body that takes them.
///
/// With the variable `PLEACH_STATISTICS` in its environment a target says on standard error what its mutators did: how many
/// inputs each wrote, how many of these the engine kept and the share of time, each time that twice as many were written,
/// and at the end unless it dies.
///
/// Corpora and crash files are the target's own inputs: any text can be a seed, and what crashes
/// reproduces without pleach. A grammar with a mistake is an error of the compiler, and with `pleach` outside of builds for an
/// engine (`cfg(fuzzing)`) it ends the process with status 1 and the message before the first input is run.
#[macro_export]
macro_rules! fuzz_target {
    (grammar: $main:literal $($rest:tt)*) => {
        $crate::fuzz_target!(grammar: [$main] $($rest)*);
    };
    (
        grammar: [$($file:literal),+ $(,)?] $(, $option:ident : $value:expr)*
        , |$text:ident : &str| $body:expr $(,)?
    ) => {
        $crate::fuzz_target!(@hooks [$($file),+] [$($option : $value),*]);
        ::libfuzzer_sys::fuzz_target!(
            init: __pleach_init(),
            |data: &[u8]| -> ::libfuzzer_sys::Corpus {
                __pleach_mark(data);
                let ::std::result::Result::Ok($text) = ::std::str::from_utf8(data) else {
                    return ::libfuzzer_sys::Corpus::Reject;
                };
                $body;
                ::libfuzzer_sys::Corpus::Keep
            }
        );
    };
    (
        grammar: [$($file:literal),+ $(,)?] $(, $option:ident : $value:expr)*
        , |$text:ident : &str| -> $answer:ty $body:block $(,)?
    ) => {
        $crate::fuzz_target!(@hooks [$($file),+] [$($option : $value),*]);
        ::libfuzzer_sys::fuzz_target!(init: __pleach_init(), |data: &[u8]| -> $answer {
            __pleach_mark(data);
            let ::std::result::Result::Ok($text) = ::std::str::from_utf8(data) else {
                return ::libfuzzer_sys::Corpus::Reject;
            };
            $body
        });
    };
    (
        grammar: [$($file:literal),+ $(,)?] $(, $option:ident : $value:expr)*
        , |$input:ident : &Parts| $body:expr $(,)?
    ) => {
        $crate::fuzz_target!(@hooks [$($file),+] [$($option : $value),*]);
        ::libfuzzer_sys::fuzz_target!(
            init: __pleach_init_parts(),
            |data: &[u8]| -> ::libfuzzer_sys::Corpus {
                __pleach_mark(data);
                let ::std::result::Result::Ok(input) = $crate::parts::Parts::read(data) else {
                    return ::libfuzzer_sys::Corpus::Reject;
                };
                let $input = &input;
                $body;
                ::libfuzzer_sys::Corpus::Keep
            }
        );
        $crate::fuzz_target!(@parts);
    };
    (
        grammar: [$($file:literal),+ $(,)?] $(, $option:ident : $value:expr)*
        , |$input:ident : &Parts| -> $answer:ty $body:block $(,)?
    ) => {
        $crate::fuzz_target!(@hooks [$($file),+] [$($option : $value),*]);
        ::libfuzzer_sys::fuzz_target!(init: __pleach_init_parts(), |data: &[u8]| -> $answer {
            __pleach_mark(data);
            let ::std::result::Result::Ok(input) = $crate::parts::Parts::read(data) else {
                return ::libfuzzer_sys::Corpus::Reject;
            };
            let $input = &input;
            $body
        });
        $crate::fuzz_target!(@parts);
    };
    // A grammar of one text would give such a body nothing.
    (@parts) => {
        fn __pleach_init_parts() {
            __pleach_init();
            if !__pleach_table().has_parts() {
                ::std::eprintln!(
                    "the grammar declares no parts (`%part`), and the body takes them: let it take `&str` or `&[u8]`"
                );
                ::std::process::exit(1)
            }
        }
    };
    (
        grammar: [$($file:literal),+ $(,)?] $(, $option:ident : $value:expr)*
        , |$data:ident : &[u8]| $body:expr $(,)?
    ) => {
        $crate::fuzz_target!(@hooks [$($file),+] [$($option : $value),*]);
        ::libfuzzer_sys::fuzz_target!(init: __pleach_init(), |$data: &[u8]| {
            __pleach_mark($data);
            $body
        });
    };
    (
        grammar: [$($file:literal),+ $(,)?] $(, $option:ident : $value:expr)*
        , |$data:ident : &[u8]| -> $answer:ty $body:block $(,)?
    ) => {
        $crate::fuzz_target!(@hooks [$($file),+] [$($option : $value),*]);
        ::libfuzzer_sys::fuzz_target!(init: __pleach_init(), |$data: &[u8]| -> $answer {
            __pleach_mark($data);
            $body
        });
    };
    // Where the option is written there are counters.
    (@mark [novelty: $value:expr $(, $($rest:tt)*)?]) => {
        fn __pleach_mark(data: &[u8]) {
            use ::std::sync::atomic::AtomicU8;
            #[cfg_attr(target_os = "linux", unsafe(link_section = "__libfuzzer_extra_counters"))]
            static COUNTERS: [AtomicU8; 4096] = [const { AtomicU8::new(0) }; 4096];
            __pleach_with(|fuzzer| fuzzer.mark(data, &COUNTERS));
        }
    };
    (@mark [$option:ident : $value:expr $(, $($rest:tt)*)?]) => {
        $crate::fuzz_target!(@mark [$($($rest)*)?]);
    };
    (@mark []) => {
        fn __pleach_mark(_: &[u8]) {}
    };
    (@hooks [$($file:literal),+] [$($option:ident : $value:expr),*]) => {
        $crate::fuzz_target!(@mark [$($option : $value),*]);

        fn __pleach_options() -> $crate::fuzz::TargetOptions {
            $crate::fuzz::TargetOptions::new()$(.$option($value))*
        }

        fn __pleach_table() -> &'static $crate::table::Table {
            static TABLE: ::std::sync::OnceLock<$crate::table::Table> = ::std::sync::OnceLock::new();
            TABLE.get_or_init(|| {
                let target = __pleach_options();
                __pleach_or_end($crate::__table!(target [$($file),+] [$($option : $value),*]))
            })
        }

        fn __pleach_or_end<T, E: ::std::fmt::Display>(result: ::std::result::Result<T, E>) -> T {
            result.unwrap_or_else(|error| {
                ::std::eprintln!("{error}");
                ::std::process::exit(1)
            })
        }

        // What is wrong is told before the first input; the rest takes time that a replay can do without.
        fn __pleach_init() {
            __pleach_or_end(__pleach_options().check(__pleach_table()));
        }

        fn __pleach_with<T>(body: impl ::std::ops::FnOnce(&mut $crate::fuzz::Fuzzer<'static>) -> T) -> T {
            ::std::thread_local! {
                static SESSION: ::std::cell::RefCell<$crate::fuzz::Session<'static>> =
                    ::std::cell::RefCell::new(
                        __pleach_or_end(__pleach_options().session(__pleach_table()))
                    );
            }
            SESSION.with(|session| session.borrow_mut().with(body))
        }

        ::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            let mut engine = ::libfuzzer_sys::fuzzer_mutate;
            __pleach_with(|fuzzer| {
                fuzzer.mutate(data, size, max_size, u64::from(seed), Some(&mut engine))
            })
        });

        ::libfuzzer_sys::fuzz_crossover!(|first: &[u8], second: &[u8], out: &mut [u8], seed: u32| {
            __pleach_with(|fuzzer| fuzzer.crossover(first, second, out, u64::from(seed)))
        });
    };
}

/// The table of a target's grammar, compiled with the target.
#[cfg(feature = "ahead")]
#[doc(hidden)]
#[macro_export]
macro_rules! __table {
    ($target:ident [$($file:literal),+] [$($option:ident : $value:expr),*]) => {
        $target.made($crate::ahead::table!([$($file),+] [$($option : $value),*]))
    };
}

/// The table of a target's grammar, read when the target starts.
#[cfg(not(feature = "ahead"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __table {
    ($target:ident [$($file:literal),+] [$($option:ident : $value:expr),*]) => {
        $target.table(&[$(($file, ::std::include_str!($file))),+])
    };
}

/// Differential targets read grammars, and need `pleach` itself with its feature `differential`.
#[macro_export]
macro_rules! differential_target {
    ($($any:tt)*) => {
        ::core::compile_error!(
            "`pleach::differential_target!` needs pleach itself with its feature `differential`: in the Cargo.toml of the \
             fuzz crate, write pleach = { version = \"...\", default-features = false, features = [\"differential\"] }"
        );
    };
}
