//! What texts become, lose and are refused for, in any notation; and texts that are none.

use std::path::Path;

use pleach::build::FileSystem;
use pleach::grammar::{Diagnostic, Grammar, NoIncludes, SourceFile, Sources};
use pleach::import::{Importer, Notation};
use pleach::{Entropy, Seeded};

/// One of the grammars that come with the library.
#[track_caller]
pub fn native(name: &str) -> Grammar {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars");
    let files = FileSystem::new();
    let main = files.read(&folder.join(format!("{name}.pleach"))).unwrap();
    Grammar::read(&main.name, &main.text, &files).unwrap_or_else(|error| panic!("{error}"))
}

/// Asserts what texts become in the native notation, without a loss.
#[track_caller]
pub fn become_native(notation: Notation, cases: &[(&str, &str)]) {
    for (text, native) in cases {
        let imported = Importer::new().notation(notation).read("test", text, &NoIncludes);
        let imported = imported.unwrap_or_else(|error| panic!("{text}\n{error}"));
        assert_eq!(imported.grammar.to_string(), *native, "{text}");
        assert!(imported.warnings.is_empty(), "{text}: {:?}", imported.warnings);
    }
}

/// A message as `line:column: message; help`.
fn shown(files: &[SourceFile], diagnostic: &Diagnostic) -> String {
    let at = Sources::new(files).locate(diagnostic.span).expect("messages have a place");
    let help = diagnostic.help.as_deref().unwrap_or_default();
    format!("{}:{}: {}; {help}", at.line, at.column, diagnostic.message)
}

/// Asserts what texts lose.
#[track_caller]
pub fn lose(notation: Notation, cases: &[(&str, &[&str])]) {
    for (text, losses) in cases {
        let importer = Importer::new().notation(notation);
        let imported = importer.clone().read("test", text, &NoIncludes);
        let imported = imported.unwrap_or_else(|error| panic!("{text}\n{error}"));
        let warnings = imported.warnings.iter();
        let found: Vec<String> =
            warnings.map(|warning| shown(&imported.grammar.files, warning)).collect();
        assert_eq!(found, *losses, "{text}");
        let error = importer.strict(true).read("test", text, &NoIncludes).unwrap_err();
        assert_eq!(error.diagnostics().len(), losses.len(), "{text}");
    }
}

/// Asserts the messages that refuse texts.
#[track_caller]
pub fn refuse(notation: Notation, cases: &[(&str, &[&str])]) {
    for (text, mistakes) in cases {
        let error = Importer::new().notation(notation).read("test", text, &NoIncludes);
        let error = error.expect_err(text);
        let found: Vec<String> =
            error.diagnostics().iter().map(|diagnostic| shown(error.files(), diagnostic)).collect();
        assert_eq!(found, *mistakes, "{text}");
    }
}

/// Imports a notation's files as they are not: bytes gone, doubled and exchanged, and the rest cut off;
/// and brackets, quotes and comments that nest a hundred thousand deep or never end.
pub fn survive(notation: Notation, files: &[impl AsRef<Path>]) {
    let import = |text: &str| {
        let importer = Importer::new().notation(notation);
        drop(importer.read("test", text, &NoIncludes).map(|imported| imported.grammar.to_string()));
    };
    let mut seed = Seeded::new(1);
    for path in files {
        let text = std::fs::read(path).unwrap();
        // Large files have as many of their parts changed as small ones.
        for _ in 0..40 {
            let mut draw = |bound: usize| seed.below(bound.max(1) as u64) as usize;
            let from = draw(text.len());
            let mut changed = text[from..text.len().min(from + 3000)].to_vec();
            for _ in 0..=draw(4) {
                let (at, other) = (draw(changed.len()), draw(changed.len()));
                if changed.is_empty() {
                    break;
                }
                match draw(5) {
                    0 => drop(changed.remove(at)),
                    1 => changed.insert(at, changed[other]),
                    2 => changed[at] = changed[other],
                    3 => changed[at] = draw(256) as u8,
                    _ => changed.truncate(at),
                }
            }
            import(&String::from_utf8_lossy(&changed));
        }
    }
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
    let head = match notation {
        Notation::Bnf => "<a> ::= \"x\" ",
        Notation::Iso => "a = 'x' ",
        _ => "a ::= \"x\" ",
    };
    for part in parts {
        let text = part.repeat(50_000);
        import(&text);
        import(&format!("{head}{text} ;\n{head}"));
    }
    import(&format!("{head}{}{}", "('x' ".repeat(100_000), ")".repeat(100_000)));
    import(&format!("{head}{}{}", "( \"x\" ".repeat(100_000), ")".repeat(100_000)));
    import(&format!("{head}{}", "{1000000000}".repeat(100)));
}
