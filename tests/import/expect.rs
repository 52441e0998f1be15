//! What texts become, lose and are refused for, in any notation; and texts that are none.

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use pleach::build::FileSystem;
use pleach::grammar::{Diagnostic, Grammar, GrammarError, NoIncludes, SourceFile, SourceMap};
use pleach::import::{Imported, Importer, Notation};
use pleach::table::{Lowering, Table};
use pleach::{Entropy, Seeded};

/// One of the grammars that come with the library.
#[track_caller]
pub fn ours(name: &str) -> Grammar {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars");
    let files = FileSystem::new();
    let main = files.read(&folder.join(format!("{name}.pleach"))).unwrap();
    Grammar::read(&main.name, &main.text, &files).unwrap_or_else(|error| panic!("{error}"))
}

/// The table of one of the grammars that come with the library.
#[track_caller]
pub fn our_table(name: &str) -> Table {
    Lowering::new().lower(&ours(name)).unwrap_or_else(|error| panic!("{error}")).table
}

/// Reads a text alone.
pub fn read(notation: Notation, text: &str) -> Result<Imported, GrammarError> {
    Importer::new().notation(notation).read("test", text, &NoIncludes)
}

#[track_caller]
fn imported(notation: Notation, text: &str) -> Imported {
    read(notation, text).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// A text in the native notation.
#[track_caller]
pub fn native(notation: Notation, text: &str) -> String {
    imported(notation, text).grammar.to_string()
}

/// A message, and the place that it is about.
#[derive(Debug)]
pub struct Said {
    pub line: usize,
    pub column: usize,
    pub message: String,
    pub help: String,
}

impl Display for Said {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}; {}", self.line, self.column, self.message, self.help)
    }
}

/// Messages, each of which has a place in the text and says what helps or follows.
#[track_caller]
pub fn said(files: &[SourceFile], diagnostics: &[Diagnostic]) -> Vec<Said> {
    let sources = SourceMap::new(files);
    let said = diagnostics.iter().map(|diagnostic| {
        let place = sources.locate(diagnostic.span).expect("messages have a place");
        let message = diagnostic.message.clone();
        let help = diagnostic.help.clone().unwrap_or_else(|| panic!("nothing helps: {message}"));
        Said { line: place.line, column: place.column, message, help }
    });
    said.collect()
}

/// What of a text is lost; each is an error where the caller is strict.
#[track_caller]
pub fn losses(notation: Notation, text: &str) -> Vec<Said> {
    let imported = imported(notation, text);
    let strict = Importer::new().notation(notation).strict(true);
    let errors = strict.read("test", text, &NoIncludes).err();
    let errors = errors.map_or(0, |error| error.diagnostics().len());
    assert_eq!(errors, imported.warnings.len(), "{text}");
    said(&imported.grammar.files, &imported.warnings)
}

/// The mistakes of a text.
#[track_caller]
pub fn mistakes(notation: Notation, text: &str) -> Vec<Said> {
    match read(notation, text) {
        Ok(imported) => panic!("{text} is {}", imported.grammar),
        Err(error) => said(error.files(), error.diagnostics()),
    }
}

/// Asserts that messages are as expected: `line:column: message; help`, or without the help. All texts of
/// which they are not are shown.
#[track_caller]
fn compare(cases: &[(&str, &[&str])], said: impl Fn(&str) -> Vec<Said>) {
    let mut wrong = Vec::new();
    for (text, expected) in cases {
        let found: Vec<String> = said(text).iter().map(Said::to_string).collect();
        let is_like = |(found, expected): (&String, &&str)| {
            found
                .strip_prefix(expected)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("; "))
        };
        if found.len() != expected.len() || !found.iter().zip(*expected).all(is_like) {
            wrong.push(format!("{text}\nis {found:#?}\nand should be {expected:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Asserts what texts become in the native notation, without a loss.
#[track_caller]
pub fn become_native(notation: Notation, cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, native) in cases {
        let imported = imported(notation, text);
        let found = imported.grammar.to_string();
        if found != *native || !imported.warnings.is_empty() {
            wrong
                .push(format!("{text}\nis {found}{:?}\nand should be {native}", imported.warnings));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Asserts what texts lose.
#[track_caller]
pub fn lose(notation: Notation, cases: &[(&str, &[&str])]) {
    compare(cases, |text| losses(notation, text));
}

/// Asserts the messages that refuse texts.
#[track_caller]
pub fn refuse(notation: Notation, cases: &[(&str, &[&str])]) {
    compare(cases, |text| mistakes(notation, text));
}

/// Reads texts, whatever becomes of them: these, and those of some files with bytes gone, doubled and
/// exchanged, and the rest cut off.
pub fn survive(notation: Notation, texts: &[String], files: &[impl AsRef<Path>]) {
    let import = |text: &str| {
        drop(read(notation, text).map(|imported| imported.grammar.to_string()));
    };
    texts.iter().for_each(|text| import(text));
    let mut seed = Seeded::new(1);
    for path in files {
        let text = std::fs::read(path).unwrap();
        for round in 0..100 {
            let mut draw = |bound: usize| seed.below(bound.max(1) as u64) as usize;
            let mut changed = text.clone();
            for _ in 0..=round % 4 {
                let (at, other) = (draw(changed.len()), draw(changed.len()));
                if changed.is_empty() {
                    break;
                }
                match draw(6) {
                    0 => drop(changed.remove(at)),
                    1 => changed.insert(at, changed[other]),
                    2 => changed[at] = changed[other],
                    3 => changed[at] = draw(256) as u8,
                    4 => changed[at] = *b"\"(}\\\0'".get(draw(6)).unwrap_or(&b'"'),
                    _ => changed.truncate(at),
                }
            }
            import(&String::from_utf8_lossy(&changed));
        }
    }
}

/// Texts of BNF's relatives in which brackets, quotes and comments nest a hundred thousand deep or never
/// end; `head` begins a rule.
pub fn nested(head: &str) -> Vec<String> {
    let parts = [
        "(",
        "[",
        "{",
        ")",
        "'",
        "\"",
        "/*",
        "(*",
        "<",
        "?",
        "-",
        "|",
        "a - ",
        "9 * ",
        "\"x\" ",
        "a b ",
        "a ",
        "a::=",
        "\n",
        "[wfc:",
        "[http://",
        "(:",
        "(/",
        "{9}",
        "\\x",
        "#x",
        "!",
        "...",
        "<a> ::=\n",
        "\u{2018}",
        "\\",
        "[\\",
        "\"\\",
        ",",
        ";",
    ];
    let mut texts = Vec::new();
    for part in parts {
        let text = part.repeat(50_000);
        texts.push(format!("{head}{text} ;\n{head}"));
        texts.push(text);
    }
    for part in ["('x' ", "( \"x\" "] {
        texts.push(format!("{head}{}{}", part.repeat(100_000), ")".repeat(100_000)));
    }
    texts.push(format!("{head}{}", "{1000000000}".repeat(100)));
    texts
}
