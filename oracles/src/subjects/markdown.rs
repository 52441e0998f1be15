//! Markdown, judged by pulldown-cmark.
//!
//! Every text is a document, so what is judged is the structure: the blocks and inlines of the
//! derivation tree against the events of the parser.

use pleach::produce::Options;
use pleach::table::{RuleId, SymbolKind, Table};
use pleach::tree::{Outline, Tree};
use pulldown_cmark::{CodeBlockKind, Event, LinkType, Parser, Tag};

use crate::{Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "markdown",
    standard: "CommonMark 0.31.2",
    k: 3,
    options: Options::new,
    oracles: &[Oracle {
        name: "pulldown-cmark 0.13",
        read: Reader::Tree(read),
        clauses: &[],
        // A tree is judged, so there are no texts to show; the tests below stand for them.
        accepted: &[],
        refused: &[],
    }],
};

fn read(table: &Table, tree: &Tree) -> Result<(), String> {
    let text = str::from_utf8(tree.text()).map_err(|error| error.to_string())?;
    let (expected, found) = (derived(table, tree, text), parsed(text));
    if expected == found || is_plain(table, tree) {
        return Ok(());
    }
    Err(format!("derived {expected}, read {found}"))
}

/// Whether a text was read as lines, which claims no structure. None is produced so.
fn is_plain(table: &Table, tree: &Tree) -> bool {
    rule(table, tree, 1).is_some_and(|rule| table.names().rule(rule) == "plain")
}

/// The structure that a tree derives, as `p(em()code())`.
fn derived(table: &Table, tree: &Tree, text: &str) -> String {
    let outline = Outline::new(table, tree);
    let mut written = String::new();
    let mut open: Vec<usize> = Vec::new();
    let mut index = 0;
    while index < tree.nodes().len() {
        while open.last().is_some_and(|&end| end <= index) {
            open.pop();
            written.push(')');
        }
        let end = index + outline.size(index) as usize;
        let Some(rule) = rule(table, tree, index) else {
            index += 1;
            continue;
        };
        let name = table.names().rule(rule);
        if let "definition" | "definition-quote" | "reference" = name {
            index = end;
            continue;
        }
        if let Some(element) = element(name, &text[outline.span(index)]) {
            written.push_str(&element);
            written.push('(');
            open.push(end);
        }
        index += 1;
    }
    written.extend(open.iter().map(|_| ')'));
    written
}

fn rule(table: &Table, tree: &Tree, index: usize) -> Option<RuleId> {
    let symbol = tree.nodes()[index].symbol;
    match symbol.kind() {
        SymbolKind::Reference(_) | SymbolKind::Root(_) => table.rule_behind(symbol),
        _ => None,
    }
}

/// The element that a rule stands for, if any.
fn element(rule: &str, text: &str) -> Option<String> {
    const CONTAINERS: [&str; 3] = ["-quote", "-bullet", "-ordered"];
    let rule = match rule {
        "one-line-quote" => "quote",
        _ => CONTAINERS.iter().find_map(|suffix| rule.strip_suffix(suffix)).unwrap_or(rule),
    };
    Some(match rule {
        "paragraph" | "one-line-paragraph" | "quote-lazy" => "p".into(),
        "setext-heading" => {
            let level = if text.trim_end_matches(' ').ends_with('=') { 1 } else { 2 };
            format!("h{level}")
        }
        "atx-heading" => format!("h{}", text.bytes().take_while(|&byte| byte == b'#').count()),
        "thematic-break" | "dashes" => "hr".into(),
        "indented-code" | "one-line-code" => "indented".into(),
        "fenced-code" | "one-line-fence" => "fenced".into(),
        "html-block" | "one-line-html" => "html".into(),
        "quote" => "quote".into(),
        "bullet-list" | "one-line-bullets" | "interrupting-bullets" => "ul".into(),
        "ordered-list" | "one-line-numbers" | "interrupting-numbers" => "ol".into(),
        "interrupting-dash" | "interrupting-one" | "bullet-item-dash" | "bullet-item-plus"
        | "bullet-item-star" | "ordered-item-dot" | "ordered-item-paren" | "line-item-dash"
        | "line-item-plus" | "line-item-dot" | "line-item-paren" => "li".into(),
        "code-span" => "code".into(),
        "emphasis" | "emphasis-inside" | "text-emphasis" => "em".into(),
        "strong" | "strong-inside" => "strong".into(),
        "link" | "inline-link" => "a".into(),
        "autolink" => "auto".into(),
        "image" => "img".into(),
        "raw-html" | "inline-tag" => "inline-html".into(),
        "hard-break" => "br".into(),
        "soft-break" | "lazy-break" => "soft".into(),
        _ => return None,
    })
}

/// The structure that the parser reads, in the same form.
fn parsed(text: &str) -> String {
    let mut found = Found::default();
    for event in Parser::new(text) {
        match event {
            Event::Start(tag) => found.start(&tag),
            Event::End(_) => found.end(),
            Event::Code(_) => found.inline("code"),
            Event::InlineHtml(_) => found.inline("inline-html"),
            Event::SoftBreak => found.inline("soft"),
            Event::HardBreak => found.inline("br"),
            Event::Rule => found.block("hr"),
            Event::Text(_) => found.tight(),
            Event::Html(_) => (),
            other => found.inline(&format!("{other:?}")),
        }
    }
    found.written
}

#[derive(Default)]
struct Found {
    written: String,
    /// What is open: an item, the paragraph of a tight item, which the parser does not report, or
    /// anything else.
    open: Vec<Open>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Item,
    Tight,
    Other,
}

impl Found {
    fn start(&mut self, tag: &Tag) {
        let (name, open, inline) = match tag {
            Tag::Paragraph => ("p".into(), Open::Other, false),
            Tag::Heading { level, .. } => (format!("{level}"), Open::Other, false),
            Tag::BlockQuote(_) => ("quote".into(), Open::Other, false),
            Tag::CodeBlock(CodeBlockKind::Indented) => ("indented".into(), Open::Other, false),
            Tag::CodeBlock(CodeBlockKind::Fenced(_)) => ("fenced".into(), Open::Other, false),
            Tag::HtmlBlock => ("html".into(), Open::Other, false),
            Tag::List(None) => ("ul".into(), Open::Other, false),
            Tag::List(Some(_)) => ("ol".into(), Open::Other, false),
            Tag::Item => ("li".into(), Open::Item, false),
            Tag::Emphasis => ("em".into(), Open::Other, true),
            Tag::Strong => ("strong".into(), Open::Other, true),
            Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. } => {
                ("auto".into(), Open::Other, true)
            }
            Tag::Link { .. } => ("a".into(), Open::Other, true),
            Tag::Image { .. } => ("img".into(), Open::Other, true),
            other => (format!("{other:?}"), Open::Other, false),
        };
        match inline {
            true => self.tight(),
            false => self.close_tight(),
        }
        self.written.push_str(&name);
        self.written.push('(');
        self.open.push(open);
    }

    fn end(&mut self) {
        self.close_tight();
        self.open.pop();
        self.written.push(')');
    }

    fn block(&mut self, name: &str) {
        self.close_tight();
        self.written.push_str(name);
        self.written.push_str("()");
    }

    fn inline(&mut self, name: &str) {
        self.tight();
        self.written.push_str(name);
        self.written.push_str("()");
    }

    /// Begins the paragraph of a tight item where an inline stands in the item itself.
    fn tight(&mut self) {
        if self.open.last() == Some(&Open::Item) {
            self.written.push_str("p(");
            self.open.push(Open::Tight);
        }
    }

    fn close_tight(&mut self) {
        if self.open.last() == Some(&Open::Tight) {
            self.open.pop();
            self.written.push(')');
        }
    }
}

#[cfg(test)]
mod tests {
    use pleach::Seeded;
    use pleach::produce::Producer;

    use super::*;

    #[test]
    fn structure_is_read() {
        for (text, structure) in [
            ("- a\n- *b*\n", "ul(li(p())li(p(em())))"),
            ("- a\n\n  b\n", "ul(li(p()p()))"),
            ("> a\nb\n\nc", "quote(p(soft()))p()"),
            ("a\n---\n\n    b\n\n***", "h2()indented()hr()"),
            ("1) - # a\n", "ol(li(ul(li(h1()))))"),
            ("~~~\n*a*\n", "fenced()"),
            ("<div>\n*a*\n\n<b>*a*</b>", "html()p(inline-html()em()inline-html())"),
            ("`a`  \n[b](c) ![d](e)\\\n<ff:g>", "p(code()br()a()img()br()auto())"),
        ] {
            assert_eq!(parsed(text), structure, "{text:?}");
        }
    }

    /// A tree under another text is refused, for most other texts.
    #[test]
    fn other_structure_is_refused() {
        let table = crate::table("markdown");
        let producer = Producer::new(&table, Options::new());
        let mut producer = producer.expect("a small grammar");
        let (mut tree, mut structures) = (Tree::new(), std::collections::HashSet::new());
        for seed in 0..100 {
            producer.produce(&mut Seeded::new(seed), &mut tree);
            let text = String::from_utf8_lossy(tree.text()).into_owned();
            let structure = derived(&table, &tree, &text);
            assert_ne!(structure, parsed(&format!("# a\n\n{text}")), "{text:?}");
            assert_ne!(structure, parsed(&format!("***\n\n{text}")), "{text:?}");
            structures.insert(structure);
        }
        assert!(structures.len() > 20, "{structures:?}");
    }
}
