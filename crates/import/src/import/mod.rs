//! Grammars in other notations, into the same [`Grammar`].
//!
//! | notation | extension | |
//! | --- | --- | --- |
//! | `abnf` | `.abnf` | RFC 5234 and RFC 7405, in documents or alone |
//! | `antlr` | `.g4` | ANTLR 4, as of version 4.13 |
//! | `bnf` | `.bnf` | BNF of the ALGOL 60 report, and its usual extensions |
//! | `fuzzingbook` | `.json` | grammars of "The Fuzzing Book", EBNF and probabilities included |
//! | `fuzzingbook-bnf` | | the same, where `<a>*` is a rule and an asterisk |
//! | `gbnf` | `.gbnf` | the grammars of llama.cpp |
//! | `iso` | `.ebnf` | ISO/IEC 14977 |
//! | `native` | `.pleach` | NOTATION.md |
//! | `nautilus` | `.json` | rules of the fuzzer Nautilus |
//! | `pest` | `.pest` | the grammars of pest 2.9 |
//! | `tree-sitter` | `.json` | `grammar.json` of tree-sitter |
//! | `tribble` | `.tribble` | text grammars of the k-path paper's tool |
//! | `w3c` | `.ebnf` | the EBNF of XML 1.0, section 6 |
//!
//! Each notation has a folder: a pest grammar of its tokens, and a loop over them; pest's own notation is
//! read by `pest_meta`. What the notations share is in `terms` (alternatives, groups and quantifiers,
//! folded with a stack, so that no text nests too deep for them), `body` (whole rules of BNF's
//! relatives), `comments` (those that nest), `json` (values that know where they stand), `odds`
//! (probabilities as weights), `ranges` (sets of symbols), `links` (which rules refer to which) and `builder`
//! (the grammar as it grows, what was lost, and what is to be supplied).
//!
//! What cannot be carried over is never dropped in silence: each loss is a warning that says where and
//! what follows from it, and an error where the caller is strict.
//!
//! # Examples
//!
//! ```
//! use pleach::grammar::NoIncludes;
//! use pleach::import::{Importer, Notation};
//!
//! let text = "list ::= '[' (item (',' item)*)? ']'\nitem ::= [a-z]+";
//! let imported = Importer::new().notation(Notation::W3c).read("list", text, &NoIncludes)?;
//! assert!(imported.warnings.is_empty());
//! assert_eq!(
//!     imported.grammar.to_string(),
//!     "list = \"[\" (item (\",\" item)*)? \"]\" ;\nitem = [a-z]+ ;\n"
//! );
//! # Ok::<(), pleach::grammar::GrammarError>(())
//! ```

mod abnf;
mod antlr;
mod bnf;
mod body;
mod builder;
mod comments;
mod fuzzingbook;
mod gbnf;
mod iso;
mod json;
mod links;
mod nautilus;
mod odds;
mod pest;
mod ranges;
mod special;
mod terms;
mod tree_sitter;
mod tribble;
mod w3c;

use std::fmt;
use std::str::FromStr;

use builder::Builder;
use pleach_core::grammar::{
    Diagnostic, Encoding, Grammar, GrammarError, Resolver, SourceFile, Span,
};

/// A notation that grammars can be read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// Augmented BNF, as in RFCs.
    Abnf,
    /// ANTLR 4.
    Antlr,
    /// The BNF of the ALGOL 60 report.
    Bnf,
    /// Grammars of "The Fuzzing Book" as JSON, with its extensions for EBNF.
    Fuzzingbook,
    /// The same without the extensions: `<a>*` is a rule and an asterisk.
    FuzzingbookBnf,
    /// The grammars of llama.cpp.
    Gbnf,
    /// The EBNF of ISO/IEC 14977.
    Iso,
    /// The notation of this crate.
    Native,
    /// Rules of the fuzzer Nautilus as JSON.
    Nautilus,
    /// The grammars of the parser generator pest.
    Pest,
    /// The `grammar.json` of tree-sitter.
    TreeSitter,
    /// Text grammars of tribble, the tool of the k-path paper.
    Tribble,
    /// The EBNF of XML 1.0 and of other W3C documents.
    W3c,
}

/// What is known of a notation.
struct About {
    notation: Notation,
    name: &'static str,
    extension: &'static str,
    /// Whether a text looks like the notation, where others have the same extension.
    is_like: fn(&str) -> bool,
    read: fn(&mut Builder, u32, &dyn Resolver),
}

/// All notations but the native one. Of those with the same extension the first that a text looks like
/// is the one.
const ALL: &[About] = &[
    About {
        notation: Notation::Abnf,
        name: "abnf",
        extension: "abnf",
        is_like: |_| true,
        read: abnf::read,
    },
    About {
        notation: Notation::Antlr,
        name: "antlr",
        extension: "g4",
        is_like: |_| true,
        read: antlr::read,
    },
    About {
        notation: Notation::Bnf,
        name: "bnf",
        extension: "bnf",
        is_like: |_| true,
        read: bnf::read,
    },
    About {
        notation: Notation::Fuzzingbook,
        name: "fuzzingbook",
        extension: "json",
        is_like: fuzzingbook::is_like,
        read: fuzzingbook::read,
    },
    About {
        notation: Notation::FuzzingbookBnf,
        name: "fuzzingbook-bnf",
        extension: "json",
        is_like: |_| false,
        read: fuzzingbook::read_bnf,
    },
    About {
        notation: Notation::Gbnf,
        name: "gbnf",
        extension: "gbnf",
        is_like: |_| true,
        read: gbnf::read,
    },
    About {
        notation: Notation::Iso,
        name: "iso",
        extension: "ebnf",
        is_like: |text| !w3c::is_like(text),
        read: iso::read,
    },
    About {
        notation: Notation::Nautilus,
        name: "nautilus",
        extension: "json",
        is_like: nautilus::is_like,
        read: nautilus::read,
    },
    About {
        notation: Notation::Pest,
        name: "pest",
        extension: "pest",
        is_like: |_| true,
        read: pest::read,
    },
    About {
        notation: Notation::TreeSitter,
        name: "tree-sitter",
        extension: "json",
        is_like: tree_sitter::is_like,
        read: tree_sitter::read,
    },
    About {
        notation: Notation::Tribble,
        name: "tribble",
        extension: "tribble",
        is_like: |_| true,
        read: tribble::read,
    },
    About {
        notation: Notation::W3c,
        name: "w3c",
        extension: "ebnf",
        is_like: w3c::is_like,
        read: w3c::read,
    },
];

/// The name of the native notation.
const NATIVE: &str = "native";

impl Notation {
    /// The names of all notations.
    pub fn names() -> impl Iterator<Item = &'static str> {
        std::iter::once(NATIVE).chain(ALL.iter().map(|about| about.name))
    }

    /// The notation of a file by the extension of its name and, where several have that, by its text;
    /// the native one where no other has it.
    pub fn of(name: &str, text: &str) -> Self {
        let extension = extension(name);
        let is_one = |about: &&About| {
            about.extension.eq_ignore_ascii_case(extension) && (about.is_like)(text)
        };
        ALL.iter().find(is_one).map_or(Self::Native, |about| about.notation)
    }

    fn about(self) -> Option<&'static About> {
        ALL.iter().find(|about| about.notation == self)
    }
}

impl fmt::Display for Notation {
    /// The name, as [`Notation::names`] has it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.about().map_or(NATIVE, |about| about.name))
    }
}

impl FromStr for Notation {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = ALL.iter().find(|about| about.name == name).map(|about| about.notation);
        found.or((name == NATIVE).then_some(Self::Native)).ok_or_else(|| {
            let names: Vec<&str> = Self::names().collect();
            format!("no such notation; there are {}", names.join(", "))
        })
    }
}

/// What follows the last `.` of a file's name.
fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// The result of an import: a grammar, and warnings of what was lost.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The grammar.
    pub grammar: Grammar,
    /// What could not be carried over, and the effect; spans are of the grammar's files.
    pub warnings: Vec<Diagnostic>,
}

/// A reader of grammars in any [`Notation`], with its settings.
#[derive(Clone, Debug, Default)]
pub struct Importer {
    notation: Option<Notation>,
    start: Option<String>,
    encoding: Option<Encoding>,
    strict: bool,
    partial: bool,
    with: Vec<Grammar>,
}

impl Importer {
    /// With the defaults that the setters name.
    pub fn new() -> Self {
        Self::default()
    }

    /// The notation of the text. The default is to tell it by [`Notation::of`].
    #[must_use]
    pub fn notation(mut self, notation: Notation) -> Self {
        self.notation = Some(notation);
        self
    }

    /// The start rule, as the notation calls it. The default is what the notation says; most say
    /// nothing, and the first rule is it.
    #[must_use]
    pub fn start(mut self, rule: impl Into<String>) -> Self {
        self.start = Some(rule.into());
        self
    }

    /// What a symbol is, where the notation leaves that open. The default is what the notation's
    /// own section says.
    #[must_use]
    pub fn encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = Some(encoding);
        self
    }

    /// Whether what cannot be carried over is an error. The default is a warning.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Whether the text is a part of a grammar, for [`Importer::with`]: what it needs may be undefined.
    /// The default is that it may not.
    #[must_use]
    pub fn partial(mut self, partial: bool) -> Self {
        self.partial = partial;
        self
    }

    /// Rules for what the text refers to and does not define; may be called again. Those that the
    /// text defines itself are left out.
    #[must_use]
    pub fn with(mut self, grammar: Grammar) -> Self {
        self.with.push(grammar);
        self
    }

    /// Reads a grammar.
    ///
    /// `name` is what messages call the text, and what the resolver is told of files that it names.
    ///
    /// # Errors
    ///
    /// Mistakes in the text, with their places; a start that no rule is; what the start rule needs and nothing
    /// defines; and, if this is strict, what cannot be carried over. Of errors, and of warnings, the first 1,000
    /// are given, and one that says how many more there are.
    pub fn read(
        &self,
        name: &str,
        text: &str,
        resolver: &dyn Resolver,
    ) -> Result<Imported, GrammarError> {
        let notation = self.notation.unwrap_or_else(|| Notation::of(name, text));
        let Some(about) = notation.about() else {
            return self.read_native(name, text, resolver);
        };
        let mut builder = Builder::new(self.encoding);
        let supplied = self.with.iter().flat_map(|grammar| &grammar.rules);
        builder.supplied = supplied.map(|rule| rule.name.text.clone()).collect();
        if let Some(file) = builder.file(SourceFile::new(name, text)) {
            (about.read)(&mut builder, file, resolver);
        }
        builder.finish(self.start.as_deref(), &self.with, self.strict, self.partial)
    }

    /// Reads a grammar in the native notation, if only for want of another that it could be in.
    fn read_native(
        &self,
        name: &str,
        text: &str,
        resolver: &dyn Resolver,
    ) -> Result<Imported, GrammarError> {
        let is_told = self.notation.is_some() || extension(name).eq_ignore_ascii_case("pleach");
        let read = Grammar::read(name, text, resolver).and_then(|grammar| {
            if is_told || !grammar.rules.is_empty() {
                return Ok(grammar);
            }
            let error = Diagnostic::error(Span::default(), "the text has no rule");
            Err(GrammarError::new(grammar.files, vec![error.help("write the rules of a grammar")]))
        });
        let mut grammar =
            read.map_err(|error| if is_told { error } else { untold(&error, name) })?;
        if let Some(start) = &self.start
            && let Err(error) = builder::begin(&mut grammar, start)
        {
            return Err(GrammarError::new(grammar.files, vec![error]));
        }
        Ok(Imported { grammar, warnings: Vec::new() })
    }
}

/// The mistakes of a text whose notation nothing told, and what else it could be: by its extension, if that is one of
/// others.
fn untold(error: &GrammarError, name: &str) -> GrammarError {
    let mut diagnostics = error.diagnostics().to_vec();
    let has = |about: &About| about.extension.eq_ignore_ascii_case(extension(name));
    let is_known = ALL.iter().any(has);
    let all = ALL.iter().filter(|about| !is_known || has(about));
    let names: Vec<&str> = all.map(|about| about.name).collect();
    let message =
        "this is read as the native notation, for neither its name nor its text tells another";
    let help = format!("name the notation: --from {}", names.join(", "));
    diagnostics.push(Diagnostic::error(Span::default(), message).help(help));
    GrammarError::new(error.files().to_vec(), diagnostics)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_documented() {
        let text = include_str!("mod.rs");
        for name in Notation::names() {
            assert_eq!(name.parse::<Notation>().unwrap().to_string(), name);
            assert_eq!(text.matches(&format!("//! | `{name}` |")).count(), 1, "{name}");
        }
        assert!("ebnf2".parse::<Notation>().unwrap_err().contains("w3c"));
    }
}
