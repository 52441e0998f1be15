//! Sentences as values of a type, for targets that take [`arbitrary::Arbitrary`] input.
//!
//! Such an input has no place for a grammar: whatever it is made of is in its type. So a grammar gets a
//! type, by [`language!`](crate::language), and [`Sentence`] of that type is a field like any other.
//!
//! ```
//! use arbitrary::{Arbitrary, Unstructured};
//! use pleach::sentence::Sentence;
//!
//! pleach::language!(
//!     /// What RFC 8259 has.
//!     pub struct Json: "../grammars/json.pleach"
//! );
//!
//! #[derive(Debug, Arbitrary)]
//! struct Request {
//!     body: Sentence<Json>,
//!     times: u8,
//! }
//!
//! // As `fuzz_target!(|request: Request| ...)` of libfuzzer-sys does it.
//! let bytes: Vec<u8> = (0..100).map(|at: u8| at.wrapping_mul(151)).collect();
//! let request = Request::arbitrary_take_rest(Unstructured::new(&bytes))?;
//! assert!(serde_json::from_str::<serde_json::Value>(request.body.as_str()?).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A target whose whole input is one text has more of [`fuzz_target!`](crate::fuzz_target): its corpus
//! is plain text, and its mutations are of trees.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::Utf8Error;

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::grammar::GrammarError;
use crate::produce::{Characters, Options, Producer, TreeLimits};
use crate::table::Table;

/// A type that names a grammar, so that sentences of different grammars are of different types.
/// [`language!`](crate::language) implements it.
pub trait SentenceLanguage {
    /// The grammar's table.
    fn table() -> &'static Table;

    /// Gives a producer of its sentences to a function: of this thread, made once.
    fn with_producer<T>(body: impl FnOnce(&mut Producer<'static>) -> T) -> T;
}

/// A text that the grammar of `L` derives, as a value.
///
/// # From bytes
///
/// As a [`String`] or a [`Vec`] does, a sentence takes as many bytes as the data themselves say, so
/// that what is left is for the fields after it; as the last field it takes all. Each choice takes
/// one byte if it is among up to 256, so a byte that a fuzzer changes is another choice. When its bytes
/// end, the sentence is closed in the shortest way: without any it is a shortest one of the grammar.
/// The same bytes are the same sentence. It has no more bytes and nodes than [`LanguageOptions`] allow,
/// whatever there is to take from. [`Arbitrary::size_hint`] is `(0, None)`, as for a [`Vec`].
pub struct Sentence<L> {
    text: Vec<u8>,
    language: PhantomData<fn() -> L>,
}

impl<L> Sentence<L> {
    /// The text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.text
    }

    /// The text, as all are that a grammar in Unicode derives.
    ///
    /// # Errors
    ///
    /// Where the grammar is in bytes, and these are not UTF-8.
    pub fn as_str(&self) -> std::result::Result<&str, Utf8Error> {
        std::str::from_utf8(&self.text)
    }

    /// Takes the text out.
    pub fn into_bytes(self) -> Vec<u8> {
        self.text
    }
}

impl<L: SentenceLanguage> Sentence<L> {
    /// A sentence from all that there is.
    fn from_all(u: &mut Unstructured<'_>) -> Self {
        let mut text = Vec::new();
        L::with_producer(|producer| producer.write(u, &mut text));
        Self { text, language: PhantomData }
    }
}

impl<'a, L: SentenceLanguage> Arbitrary<'a> for Sentence<L> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        // Its length is taken from the end, as the lengths of collections are.
        let bytes = u.arbitrary_len::<u8>()?;
        Ok(Self::from_all(&mut Unstructured::new(u.bytes(bytes)?)))
    }

    fn arbitrary_take_rest(mut u: Unstructured<'a>) -> Result<Self> {
        Ok(Self::from_all(&mut u))
    }

    fn size_hint(_depth: usize) -> (usize, Option<usize>) {
        (0, None)
    }
}

impl<L> AsRef<[u8]> for Sentence<L> {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

/// As a string literal; bytes that are not UTF-8 are escaped.
impl<L> fmt::Debug for Sentence<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Ok(text) => write!(f, "{text:?}"),
            Err(_) => write!(f, "b\"{}\"", self.text.escape_ascii()),
        }
    }
}

impl<L> Clone for Sentence<L> {
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), language: PhantomData }
    }
}

impl<L> PartialEq for Sentence<L> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<L> Eq for Sentence<L> {}

impl<L> Hash for Sentence<L> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// The settings of a [`SentenceLanguage`]: each method is an option of [`language!`](crate::language).
#[derive(Clone, Debug, Default)]
pub struct LanguageOptions {
    start: Option<String>,
    limits: TreeLimits,
}

impl LanguageOptions {
    /// The most bytes of a sentence by default, if the shortest one has no more.
    pub const DEFAULT_BYTES: u64 = 4096;

    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sentences are what this rule derives, instead of the grammar's start rule.
    #[must_use]
    pub fn start(mut self, rule: &str) -> Self {
        self.start = Some(rule.into());
        self
    }

    /// The greatest depth of a derivation tree. The default is that of [`Options`].
    #[must_use]
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.limits = self.limits.max_depth(depth);
        self
    }

    /// The most nodes of a derivation tree. The default is that of [`Options`].
    #[must_use]
    pub fn max_nodes(mut self, nodes: u64) -> Self {
        self.limits = self.limits.max_nodes(nodes);
        self
    }

    /// The most bytes of a sentence. The default is [`LanguageOptions::DEFAULT_BYTES`].
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.limits = self.limits.max_bytes(bytes);
        self
    }

    /// Reads the grammar, the first of some files by name and text; it may include the others.
    ///
    /// # Errors
    ///
    /// What is wrong with the grammar.
    pub fn table(&self, files: &[(&str, &str)]) -> std::result::Result<Table, GrammarError> {
        pleach_target::read_table(files, self.start.as_deref())
    }

    /// The producer of a table.
    ///
    /// # Errors
    ///
    /// Where no tree fits the limits.
    pub fn producer<'t>(
        &self,
        table: &'t Table,
    ) -> std::result::Result<Producer<'t>, crate::produce::BudgetError> {
        // What tests live on is at the ends of ranges.
        let options = Options::new().singly().characters(Characters::Mixed).limits(self.limits);
        if self.limits.get_max_bytes().is_some() {
            return Producer::new(table, options);
        }
        // A grammar whose shortest sentence is long has no bound but that on nodes.
        let bounded = Producer::new(table, options.clone().max_bytes(Self::DEFAULT_BYTES));
        bounded.or_else(|_| Producer::new(table, options))
    }
}

/// A type that stands for a grammar, for [`Sentence`](crate::sentence::Sentence).
///
/// ```text
/// pleach::language!(pub struct Json: "../grammars/json.pleach");
/// pleach::language!(struct Query: "../grammars/sql.pleach", start: "select-stmt", max_depth: 64);
/// ```
///
/// The grammar is part of the binary; a path is relative to the file, and
/// `["a.pleach", "b.pleach"]` names a grammar and what it includes. Each method of
/// [`LanguageOptions`](crate::sentence::LanguageOptions) is an option.
///
/// # Panics
///
/// The first sentence panics with the message where the grammar has a mistake, or derives nothing
/// within the limits.
#[macro_export]
macro_rules! language {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident : $main:literal $($rest:tt)*) => {
        $crate::language!($(#[$meta])* $visibility struct $name: [$main] $($rest)*);
    };
    (
        $(#[$meta:meta])* $visibility:vis struct $name:ident : [$($file:literal),+ $(,)?]
        $(, $option:ident : $value:expr)* $(,)?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        $visibility struct $name;

        const _: () = {
            fn options() -> $crate::sentence::LanguageOptions {
                $crate::sentence::LanguageOptions::new()$(.$option($value))*
            }

            impl $crate::sentence::SentenceLanguage for $name {
                fn table() -> &'static $crate::table::Table {
                    static TABLE: ::std::sync::OnceLock<$crate::table::Table> =
                        ::std::sync::OnceLock::new();
                    TABLE.get_or_init(|| {
                        let files = [$(($file, ::std::include_str!($file))),+];
                        options().table(&files).unwrap_or_else(|error| ::std::panic!("{error}"))
                    })
                }

                fn with_producer<T>(
                    body: impl ::std::ops::FnOnce(&mut $crate::produce::Producer<'static>) -> T,
                ) -> T {
                    ::std::thread_local! {
                        static PRODUCER: ::std::cell::RefCell<$crate::produce::Producer<'static>> =
                            ::std::cell::RefCell::new(
                                options()
                                    .producer(<$name as $crate::sentence::SentenceLanguage>::table())
                                    .unwrap_or_else(|error| ::std::panic!("{error}"))
                            );
                    }
                    PRODUCER.with(|producer| body(&mut producer.borrow_mut()))
                }
            }
        };
    };
}
