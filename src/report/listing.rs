//! Source files as an HTML page, their lines coloured by what is said of them.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::escape::{marked, markup, on_one_line};

const STYLE: &str = include_str!("page.css");

/// How many bytes of sources a page holds.
const BYTES: usize = 8_000_000;

/// The colour of a line: whether something is missing there, and whether it can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shade {
    /// Nothing is missing.
    Good,
    /// What is missing cannot be had.
    Part,
    /// Something is missing.
    Bad,
}

impl Shade {
    fn class(self) -> &'static str {
        match self {
            Shade::Good => "hit",
            Shade::Part => "part",
            Shade::Bad => "miss",
        }
    }
}

/// A remark about one line of source: a shade, a word and a sentence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// How good it is; of a line the worst one counts.
    pub shade: Shade,
    /// In a word.
    pub word: String,
    /// In a sentence.
    pub text: String,
}

/// A source file as lines of text, with the notes on them.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its lines.
    pub lines: Vec<String>,
    /// What is said of lines, by their numbers from 1.
    pub notes: BTreeMap<usize, Vec<Note>>,
}

/// An HTML page of source files with shaded, annotated lines.
#[derive(Clone, Debug)]
pub struct Listing<'a> {
    /// What it is about.
    pub title: &'a str,
    /// What it comes to, in a sentence.
    pub summary: &'a str,
    /// What each shade means.
    pub key: [(Shade, &'a str); 3],
    /// The files, in their order.
    pub files: &'a [Listed],
}

impl Listing<'_> {
    /// The page: it needs no network and no other file. Files that do not fit in eight megabytes are named without their lines.
    pub fn html(&self) -> String {
        let mut out = String::with_capacity(1 << 16);
        let title = marked(&on_one_line(self.title));
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"generator\" content=\"pleach\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; img-src data:\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<header><h1>{title}</h1>\n<p>{summary}</p></header>\n<main>\n<p class=\"key\">",
            summary = marked(&on_one_line(self.summary)),
        );
        for (shade, meaning) in self.key {
            let _ = write!(out, "<span class=\"{}\">{}</span> ", shade.class(), marked(meaning));
        }
        out.push_str("</p>\n");
        let mut left = BYTES;
        for file in self.files {
            let size = file.lines.iter().map(String::len).sum();
            let fits = left.checked_sub(size);
            left = fits.unwrap_or(left);
            file.write(fits.is_some(), &mut out);
        }
        let _ = write!(
            out,
            "</main>\n<footer>Made by pleach {}.</footer>\n</body>\n</html>\n",
            env!("CARGO_PKG_VERSION")
        );
        out
    }
}

impl Listed {
    fn write(&self, whole: bool, out: &mut String) {
        out.push_str("<h3>");
        markup(&on_one_line(&self.name), out);
        out.push_str("</h3>\n");
        if !whole {
            out.push_str("<p>It is too long for this page.</p>\n");
            return;
        }
        out.push_str("<div class=\"scroll\"><table class=\"source\"><tbody>\n");
        for (number, line) in (1..).zip(&self.lines) {
            let notes = self.notes.get(&number).map_or(&[][..], Vec::as_slice);
            let class = notes.iter().map(|note| note.shade).max().map_or("", Shade::class);
            let mut words: Vec<&str> = notes.iter().map(|note| &*note.word).collect();
            words.sort_unstable();
            words.dedup();
            let texts: Vec<&str> = notes.iter().map(|note| &*note.text).collect();
            let _ = write!(
                out,
                "<tr><td class=\"n\">{number}</td><td class=\"w {class}\" title=\"{}\">{}</td><td class=\"t\">",
                marked(&texts.join("\n")),
                marked(&on_one_line(&words.join(", "))),
            );
            // A tab stays one, what else does not print is escaped.
            for (at, part) in line.split('\t').enumerate() {
                if at > 0 {
                    out.push('\t');
                }
                markup(&on_one_line(part), out);
            }
            out.push_str("</td></tr>\n");
        }
        out.push_str("</tbody></table></div>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_worst_shade_and_every_word_and_nothing_is_markup_by_chance() {
        let note = |shade, word: &str| Note { shade, word: word.into(), text: format!("<{word}>") };
        let notes = vec![note(Shade::Bad, "untried"), note(Shade::Good, "both")];
        let file = Listed {
            name: "a&b.rs".into(),
            lines: vec!["if a < b {".into(), "\tx\u{1b}".into()],
            notes: [(1, notes)].into(),
        };
        let key = [(Shade::Good, "g"), (Shade::Part, "p"), (Shade::Bad, "b")];
        let page = Listing { title: "<t>", summary: "s", key, files: &[file] }.html();
        assert!(page.contains("<h3>a&amp;b.rs</h3>"), "{page}");
        assert!(page.contains("class=\"w miss\" title=\"&lt;untried&gt;\n&lt;both&gt;\">both, untried</td><td class=\"t\">if a &lt; b {</td>"), "{page}");
        assert!(
            page.contains("<td class=\"w \" title=\"\"></td><td class=\"t\">\tx\\x1B</td>"),
            "{page}"
        );
        assert!(!page.contains("<t>"), "{page}");
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let long = |name: &str| Listed {
            name: name.into(),
            lines: vec!["x".repeat(BYTES / 2 + 1)],
            notes: BTreeMap::new(),
        };
        let key = [(Shade::Good, ""), (Shade::Part, ""), (Shade::Bad, "")];
        let page = Listing { title: "", summary: "", key, files: &[long("one"), long("two")] };
        let page = page.html();
        assert!(page.len() < 2 * BYTES);
        assert!(page.contains("<h3>two</h3>\n<p>It is too long for this page.</p>"));
    }
}
