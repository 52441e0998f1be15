//! Targets of libFuzzer: what [`fuzz_target!`](crate::fuzz_target) is made of.

use pleach_core::internal::marked;

use super::{Fuzzer, Options};
use crate::grammar::{Diagnostic, Files, Grammar, GrammarError};
use crate::mutate::{self, MutateError};
use crate::produce::Limits;
use crate::table::{Lowering, Table};

/// What a target can be told: each method is an option of [`fuzz_target!`](crate::fuzz_target).
#[derive(Clone, Debug, Default)]
pub struct TargetOptions {
    start: Option<String>,
    limits: Limits,
    fuzzer: Options,
    mutation: mutate::Options,
    implants: Vec<(String, Vec<Box<[u8]>>)>,
}

impl TargetOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Inputs are what this rule derives, instead of the grammar's start rule.
    #[must_use]
    pub fn start(mut self, rule: &str) -> Self {
        self.start = Some(rule.into());
        self
    }

    /// The greatest depth of a derivation tree: for targets that recurse.
    #[must_use]
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.limits.depth = Some(depth);
        self
    }

    /// Only these mutators, of [`MUTATORS`](crate::mutate::MUTATORS).
    #[must_use]
    pub fn only<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.mutation = self.mutation.only(names);
        self
    }

    /// Not these mutators, of [`MUTATORS`](crate::mutate::MUTATORS).
    #[must_use]
    pub fn without<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.mutation = self.mutation.without(names);
        self
    }

    /// How many mutations of 256 leave the language: [`mutate::Options::breaking`].
    #[must_use]
    pub fn breaking(mut self, of_256: u8) -> Self {
        self.mutation = self.mutation.breaking(of_256);
        self
    }

    /// Texts to be put in the place of what some rules derive: [`mutate::Options::implants`]. Rules that the
    /// start rule does not lead to have no place.
    #[must_use]
    pub fn implants<R: AsRef<str>, T: AsRef<[u8]>, A: IntoIterator<Item = T>>(
        mut self,
        implants: impl IntoIterator<Item = (R, A)>,
    ) -> Self {
        for (rule, texts) in implants {
            let texts = texts.into_iter().map(|text| text.as_ref().into()).collect();
            self.implants.push((rule.as_ref().to_owned(), texts));
        }
        self
    }

    /// How many calls of 256 leave all to the engine's own mutator: [`Options::bytes`].
    #[must_use]
    pub fn bytes(mut self, of_256: u8) -> Self {
        self.fuzzer = self.fuzzer.bytes(of_256);
        self
    }

    /// How many calls of 256 change one word: [`Options::words`].
    #[must_use]
    pub fn words(mut self, of_256: u8) -> Self {
        self.fuzzer = self.fuzzer.words(of_256);
        self
    }

    /// The length of the k-paths that mutants are grown towards: [`Options::k`].
    #[must_use]
    pub fn k(mut self, k: usize) -> Self {
        self.fuzzer = self.fuzzer.k(k);
        self
    }

    /// Whether the k-paths of inputs are counters for the engine: [`Options::novelty`]. They are seen
    /// by libFuzzer on Linux.
    #[must_use]
    pub fn novelty(mut self, novelty: bool) -> Self {
        self.fuzzer = self.fuzzer.novelty(novelty);
        self
    }

    /// The most bytes of an input, where the engine allows more: [`Options::max_bytes`].
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.fuzzer = self.fuzzer.max_bytes(bytes);
        self
    }

    /// The size in bytes up to which inputs grow at once: [`Options::free_size`].
    #[must_use]
    pub fn free_size(mut self, bytes: usize) -> Self {
        self.fuzzer = self.fuzzer.free_size(bytes);
        self
    }

    /// The most bytes of memory for trees: [`Options::cache`].
    #[must_use]
    pub fn cache(mut self, bytes: usize) -> Self {
        self.fuzzer = self.fuzzer.cache(bytes);
        self
    }

    /// Reads the grammar, the first of some files by name and text; it may include the others.
    ///
    /// # Errors
    ///
    /// What is wrong with the grammar, or that it has no rule that texts are given for.
    pub fn table(&self, files: &[(&str, &str)]) -> Result<Table, GrammarError> {
        let grammar = read_grammar(files, self.start.as_deref())?;
        let has = |name: &str| grammar.rules.iter().any(|rule| rule.name.text == name);
        if let Some((missing, _)) = self.implants.iter().find(|(rule, _)| !has(rule)) {
            let span = grammar.rules.first().map(|rule| rule.name.span).unwrap_or_default();
            let message = format!("there is no rule `{missing}` for the texts of `implants`");
            let found = Diagnostic::error(span, message).help("name a rule of this grammar");
            return Err(GrammarError::new(grammar.files.clone(), vec![found]));
        }
        table_of(&grammar, self.start.as_deref())
    }

    /// Checks what the compiler has not: the names of mutators. [`TargetOptions::fuzzer`] does so, too.
    ///
    /// # Errors
    ///
    /// As [`Fuzzer::new`].
    pub fn check(&self, table: &Table) -> Result<(), MutateError> {
        self.mutation.check(table)
    }

    /// The fuzzer of a table.
    ///
    /// # Errors
    ///
    /// As [`Fuzzer::new`].
    pub fn fuzzer(self, table: &Table) -> Result<Fuzzer<'_>, MutateError> {
        let mut mutation = self.mutation.limits(self.limits);
        for (rule, texts) in self.implants {
            if table.names().find_rule(&rule).is_some() {
                let texts = texts.into_iter().map(|text| match table.has_parts() {
                    true => marked(&text).into(),
                    false => text,
                });
                mutation = mutation.implants(&rule, texts);
            }
        }
        Fuzzer::new(table, self.fuzzer.mutation(mutation))
    }
}

/// The table of the first of some files, which may include the others, from a start rule.
#[cfg(feature = "arbitrary")]
pub(crate) fn read_table(
    files: &[(&str, &str)],
    start: Option<&str>,
) -> Result<Table, GrammarError> {
    table_of(&read_grammar(files, start)?, start)
}

fn table_of(grammar: &Grammar, start: Option<&str>) -> Result<Table, GrammarError> {
    let mut lowering = Lowering::new();
    if let Some(start) = start {
        lowering = lowering.start(start);
    }
    Ok(lowering.lower(grammar)?.table)
}

/// The first of some files, which may include the others.
pub(crate) fn read_grammar(
    files: &[(&str, &str)],
    start: Option<&str>,
) -> Result<Grammar, GrammarError> {
    let (name, text) = files.first().copied().unwrap_or_default();
    read(name, text, start, &Files::new(files.iter().copied()))
}

/// A grammar in any notation.
#[cfg(feature = "import")]
fn read(
    name: &str,
    text: &str,
    start: Option<&str>,
    files: &Files,
) -> Result<Grammar, GrammarError> {
    let mut importer = crate::import::Importer::new();
    if let Some(start) = start {
        importer = importer.start(start);
    }
    Ok(importer.read(name, text, files)?.grammar)
}

/// A grammar in the native notation.
#[cfg(not(feature = "import"))]
fn read(name: &str, text: &str, _: Option<&str>, files: &Files) -> Result<Grammar, GrammarError> {
    Grammar::read(name, text, files)
}

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
/// file, and `grammar: ["a.pleach", "b.pleach"]` names a grammar and what it includes. Each method of
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
/// Corpora and crash files are the target's own inputs: any text can be a seed, and what crashes
/// reproduces without pleach. A grammar with a mistake ends the process with status 1 and the message
/// before the first input is run.
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
                let files = [$(($file, ::std::include_str!($file))),+];
                __pleach_or_end(__pleach_options().table(&files))
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
                static FUZZER: ::std::cell::RefCell<$crate::fuzz::Fuzzer<'static>> =
                    ::std::cell::RefCell::new(
                        __pleach_or_end(__pleach_options().fuzzer(__pleach_table()))
                    );
            }
            FUZZER.with(|fuzzer| body(&mut fuzzer.borrow_mut()))
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

/// Differential targets need the feature `differential`; with it this is
/// `pleach::differential::target`'s macro.
#[cfg(not(feature = "differential"))]
#[macro_export]
macro_rules! differential_target {
    ($($any:tt)*) => {
        ::core::compile_error!(
            "`pleach::differential_target!` needs pleach's feature `differential`: in the Cargo.toml of the fuzz \
             crate, write pleach = { ..., features = [\"differential\"] }"
        );
    };
}
