//! Derivation trees as text, JSON, DOT and SVG.
//!
//! What is shown are the rules and terminals, each with the bytes it yields; groups, repetitions and
//! layout are left out, and what stood in a group stands in the rule around it. All is written front
//! to back from a list in preorder, so no tree is too deep.
//!
//! The drawing goes from left to right. Each leaf has a row of its own, what is above stands midway
//! between its first and its last child, and each node begins where its parent ends. Subtrees have
//! rows of their own, so nothing overlaps, and a chain of single children is one row. The tidy
//! drawings of Reingold and Tilford (1981) were not taken: labels are far wider than high, so what
//! they save in width, between subtrees of different depth, is nothing here, and leaves that share a
//! row could no longer be read as the input.

use std::io::{self, Write};

use super::escape::{cells, marked, shortened, visible};
use super::names::PathNames;
use crate::table::{OccurrenceId, Symbol, SymbolKind, Table, Terminal};
use crate::tree::{Node, Outline, Tree};

/// No parent.
const NONE: u32 = u32::MAX;
/// The deepest level that text is indented to.
const INDENTED: u32 = 40;
/// Characters of a leaf's text that a picture shows.
const SHOWN: usize = 32;

/// A node that is shown.
#[derive(Clone, Copy, Debug)]
struct Shown {
    /// Index of the parent among those shown.
    parent: u32,
    depth: u32,
    /// None for the root.
    occurrence: Option<OccurrenceId>,
    start: u32,
    end: u32,
    leaf: bool,
}

/// A tree to be written for people or programs.
///
/// # Examples
///
/// ```
/// use pleach::parse::Parser;
/// use pleach::report::{Derivation, PathNames};
/// use pleach::table::Table;
///
/// let table = Table::parse(r#"a = "x" b ; b = "y" ;"#)?;
/// let tree = Parser::new(&table).tree(b"xy")?;
///
/// let mut out = Vec::new();
/// let names = PathNames::new(&table);
/// Derivation::new(&table, &names, &tree).write_text(&mut out)?;
/// assert_eq!(out, b"a 0..2\n  \"x\" 0..1\n  b 1..2\n    \"y\" 1..2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Derivation<'a> {
    table: &'a Table,
    names: &'a PathNames<'a>,
    text: &'a [u8],
    shown: Vec<Shown>,
}

impl<'a> Derivation<'a> {
    /// The most nodes that a drawing shows: it has 2 to 3 MB then, as a page may have of diagrams.
    pub const MOST_DRAWN: usize = 10_000;

    /// About how many bytes of memory a derivation of a tree takes while it is made, the tree included.
    pub fn memory(tree: &Tree) -> u64 {
        // An outline has four numbers for each node; and in a deep tree nearly all are open at a time.
        let open = 2 * size_of::<(usize, u32)>();
        let node = size_of::<Node>() + 4 * size_of::<u32>() + size_of::<Shown>() + open;
        (tree.nodes().len() * node + tree.text().len()) as u64
    }

    /// Finds what is to be shown of a tree of the table.
    ///
    /// # Panics
    ///
    /// May panic where the tree is of another table; [`Tree::check`] tells.
    pub fn new(table: &'a Table, names: &'a PathNames<'a>, tree: &'a Tree) -> Self {
        let outline = Outline::new(table, tree);
        let is_shown = |node: &Node| {
            let is_root = matches!(node.symbol.kind(), SymbolKind::Root(_));
            is_root || node.symbol.occurrence().is_some()
        };
        let count = tree.nodes().iter().filter(|node| is_shown(node)).count();
        let mut shown: Vec<Shown> = Vec::with_capacity(count);
        // Nodes around: where each ends, and its index among those shown.
        let mut open: Vec<(usize, u32)> = Vec::new();
        for (index, node) in tree.nodes().iter().enumerate() {
            while open.last().is_some_and(|&(end, _)| end <= index) {
                open.pop();
            }
            if !is_shown(node) {
                continue;
            }
            let span = outline.span(index);
            let parent = open.last().map_or(NONE, |&(_, shown)| shown);
            open.push((index + outline.size(index) as usize, shown.len() as u32));
            shown.push(Shown {
                parent,
                depth: open.len() as u32 - 1,
                occurrence: node.symbol.occurrence(),
                start: span.start as u32,
                end: span.end as u32,
                leaf: node.symbol.is_leaf(),
            });
        }
        tighten(&mut shown);
        Self { table, names, text: tree.text(), shown }
    }

    /// A rule's name, or a terminal as the notation writes it.
    fn label(&self, shown: &Shown) -> &'a str {
        let names = self.table.names();
        let rule = match shown.occurrence {
            None => Some(self.table.start()),
            Some(occurrence) => {
                if let Some(terminal) = self.table.terminal_at(occurrence) {
                    return names.terminal(terminal);
                }
                self.table.rule_behind(Symbol::reference(occurrence))
            }
        };
        rule.map_or("", |rule| names.rule(rule))
    }

    fn yielded(&self, shown: &Shown) -> &'a [u8] {
        self.text.get(shown.start as usize..shown.end as usize).unwrap_or_default()
    }

    /// Whether a leaf's text is another than its label says: all but literals.
    fn says_more(&self, shown: &Shown) -> bool {
        let terminal = shown.occurrence.and_then(|occurrence| self.table.terminal_at(occurrence));
        terminal.is_some_and(|terminal| {
            !matches!(self.table.terminal(terminal), Terminal::Literal { ignore_case: false, .. })
        })
    }

    /// Writes a line for each node: its name, its offsets in bytes, and what a class or regular
    /// terminal stands for. Beyond a depth of 40 the depth is written instead of more indentation.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for shown in &self.shown {
            for _ in 0..shown.depth.min(INDENTED) {
                out.write_all(b"  ")?;
            }
            if shown.depth > INDENTED {
                write!(out, "({}) ", shown.depth)?;
            }
            let label = super::on_one_line(self.label(shown));
            write!(out, "{label} {}..{}", shown.start, shown.end)?;
            if self.says_more(shown) {
                write!(out, " {}", visible(self.yielded(shown)))?;
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Writes one JSON object: `{"rule","occurrence","start","end","children":[...]}` for a rule,
    /// `{"terminal","occurrence","start","end","text","children":[]}` for a terminal.
    ///
    /// `occurrence` is the name of the place as `pleach paths -k 1 --list` has it, null for the root;
    /// `start` and `end` are offsets in bytes; `text` stands only where the bytes are UTF-8. A tree of
    /// depth d nests 2d + 1 deep, which many readers of JSON limit.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let mut open = 0;
        let mut line = Vec::new();
        for (index, shown) in self.shown.iter().enumerate() {
            while open > shown.depth {
                out.write_all(b"]}")?;
                open -= 1;
            }
            let first = index == 0 || self.shown[index - 1].depth < shown.depth;
            out.write_all(if first { b"{" } else { b",{" })?;
            out.write_all(if shown.leaf { b"\"terminal\":" } else { b"\"rule\":" })?;
            json_string(self.label(shown), out)?;
            out.write_all(b",\"occurrence\":")?;
            match shown.occurrence {
                None => out.write_all(b"null")?,
                Some(occurrence) => {
                    line.clear();
                    self.names.write(&[occurrence], &mut line);
                    json_string(&String::from_utf8_lossy(&line), out)?;
                }
            }
            write!(out, ",\"start\":{},\"end\":{}", shown.start, shown.end)?;
            if shown.leaf
                && let Ok(text) = std::str::from_utf8(self.yielded(shown))
            {
                out.write_all(b",\"text\":")?;
                json_string(text, out)?;
            }
            out.write_all(b",\"children\":[")?;
            open = shown.depth + 1;
        }
        for _ in 0..open {
            out.write_all(b"]}")?;
        }
        out.write_all(b"\n")
    }

    /// Writes a graph for Graphviz.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_dot(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(
            b"digraph derivation {\n  rankdir=LR;\n  \
              node [shape=box, style=rounded, fontname=\"monospace\", fontsize=11, height=0.2];\n  \
              edge [arrowhead=none];\n",
        )?;
        for (index, shown) in self.shown.iter().enumerate() {
            let label = self.picture_label(shown);
            let label = label.replace('\\', "\\\\").replace('"', "\\\"");
            write!(out, "  n{index} [label=\"{label}\"")?;
            if shown.leaf {
                out.write_all(b", style=filled, fillcolor=\"#d7ecd9\", fontcolor=black")?;
            }
            out.write_all(b"];\n")?;
            if shown.parent != NONE {
                writeln!(out, "  n{} -> n{index};", shown.parent)?;
            }
        }
        out.write_all(b"}\n")
    }

    /// What a picture shows in a node.
    fn picture_label(&self, shown: &Shown) -> String {
        if !shown.leaf {
            return super::on_one_line(self.label(shown));
        }
        shortened(&visible(self.yielded(shown)), SHOWN).replace(' ', "␣")
    }

    /// Writes a drawing that shows on light and on dark, with names and offsets on hovering. Of a
    /// tree with more than [`Derivation::MOST_DRAWN`] nodes the first are drawn, from the left of the
    /// text, and a line below says how many are left out.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_svg(&self, out: &mut impl Write) -> io::Result<()> {
        let drawn = &self.shown[..self.shown.len().min(Self::MOST_DRAWN)];
        let left = self.shown.len() - drawn.len();
        let labels: Vec<String> = drawn.iter().map(|shown| self.picture_label(shown)).collect();
        let boxes = layout(drawn, &labels);
        let width = boxes.iter().map(|b| b.x + b.width).max().unwrap_or(0) + MARGIN;
        let bottom = boxes.iter().map(|b| b.y).max().unwrap_or(0) + ROW / 2 + MARGIN;
        let height = if left > 0 { bottom + ROW } else { bottom };
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\">\n<style>{STYLE}</style>\n\
             <rect class=\"ground\" width=\"100%\" height=\"100%\"/>"
        )?;
        out.write_all(b"<path class=\"edge\" d=\"")?;
        for (shown, to) in drawn.iter().zip(&boxes) {
            if shown.parent != NONE {
                let from = boxes[shown.parent as usize];
                let (x, y) = (from.x + from.width, from.y);
                let middle = (x + to.x) / 2;
                write!(out, "M{x} {y}C{middle} {y} {middle} {} {} {}", to.y, to.x, to.y)?;
            }
        }
        out.write_all(b"\"/>\n")?;
        for ((shown, place), label) in drawn.iter().zip(&boxes).zip(&labels) {
            let class = if shown.leaf { "leaf" } else { "rule" };
            let name = match shown.occurrence {
                None => self.label(shown).to_owned(),
                Some(occurrence) => self.names.show(&[occurrence]),
            };
            writeln!(
                out,
                "<g class=\"{class}\"><title>{} {}..{}</title>\
                 <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{BOX}\" rx=\"5\"/>\
                 <text x=\"{}\" y=\"{}\">{}</text></g>",
                marked(&shortened(&name, 200)),
                shown.start,
                shown.end,
                place.x,
                place.y - BOX / 2,
                place.width,
                place.x + place.width / 2,
                place.y + 4,
                marked(label),
            )?;
        }
        if left > 0 {
            writeln!(
                out,
                "<text style=\"text-anchor:start;fill:#6b7680\" x=\"{MARGIN}\" y=\"{bottom}\">{left} more nodes are left out, so \
                 that the drawing stays small</text>"
            )?;
        }
        out.write_all(b"</svg>\n")
    }
}

/// Where each node's box is.
fn layout(drawn: &[Shown], labels: &[String]) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::with_capacity(labels.len());
    let mut row = 0;
    for (index, (shown, label)) in drawn.iter().zip(labels).enumerate() {
        let x = match places.get(shown.parent as usize) {
            None => MARGIN,
            Some(parent) => parent.x + parent.width + GAP,
        };
        let width = (cells(label) as i64 * 36 + 4) / 5 + 12;
        let deeper = drawn.get(index + 1).is_some_and(|next| next.depth > shown.depth);
        places.push(Place { x, y: MARGIN + ROW / 2 + row * ROW, width, first: NO_ROW });
        // A node without children takes a row: the next node is not below it.
        if !deeper {
            row += 1;
        }
    }
    for index in (0..places.len()).rev() {
        let mut place = places[index];
        if place.first != NO_ROW {
            // The last child was met first, and left its row in `y`.
            place.y = (place.first + place.y) / 2;
        }
        places[index].y = place.y;
        let parent = drawn[index].parent;
        if let Some(parent) = places.get_mut(parent as usize) {
            if parent.first == NO_ROW {
                parent.y = place.y;
            }
            parent.first = place.y;
        }
    }
    places
}

/// Makes each rule begin and end with its tokens, without the layout before the first.
fn tighten(shown: &mut [Shown]) {
    let mut spans: Vec<Option<(u32, u32)>> = vec![None; shown.len()];
    for index in (0..shown.len()).rev() {
        let node = &mut shown[index];
        match spans[index] {
            Some((start, end)) => (node.start, node.end) = (start, end),
            None if node.leaf => spans[index] = Some((node.start, node.end)),
            // Nothing is in it: it stands where it would.
            None => node.end = node.start,
        }
        if let (Some((start, end)), Some(around)) =
            (spans[index], spans.get_mut(node.parent as usize))
        {
            // The last of the children comes first.
            *around = Some((start, around.map_or(end, |(_, end)| end)));
        }
    }
    // What has no token stands within what is around it, not in the layout before.
    for index in 1..shown.len() {
        if spans[index].is_none()
            && let Some(&around) = shown.get(shown[index].parent as usize)
        {
            let at = shown[index].start.clamp(around.start, around.end);
            (shown[index].start, shown[index].end) = (at, at);
        }
    }
}

/// A box in the drawing, by its left edge and its middle line.
#[derive(Clone, Copy, Debug)]
struct Place {
    x: i64,
    y: i64,
    width: i64,
    /// The row of the first child met so far, from the last; [`NO_ROW`] where there is none.
    first: i64,
}

const NO_ROW: i64 = i64::MIN;
const MARGIN: i64 = 10;
const ROW: i64 = 24;
const BOX: i64 = 19;
const GAP: i64 = 22;

/// 12 px of a fixed pitch are 7.2 px wide.
const STYLE: &str = "\
svg{color-scheme:light dark}\
.ground{fill:#fff}.edge{fill:none;stroke:#9aa4af}\
text{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;text-anchor:middle;\
white-space:pre}\
.rule rect{fill:#e8f0fb;stroke:#7aa2d8}.rule text{fill:#173a66}\
.leaf rect{fill:#e3f3e5;stroke:#7fb98a}.leaf text{fill:#12401c}\
@media(prefers-color-scheme:dark){.ground{fill:#15191e}.edge{stroke:#5b6673}\
.rule rect{fill:#1d2b3d;stroke:#41618d}.rule text{fill:#cfe0f7}\
.leaf rect{fill:#1b3022;stroke:#3f7a4e}.leaf text{fill:#d3efd9}}";

/// Writes a string of JSON.
fn json_string(text: &str, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"\"")?;
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.write_all(&text.as_bytes()[from..at])?;
        from = at + 1;
        match byte {
            b'"' | b'\\' => out.write_all(&[b'\\', byte])?,
            b'\n' => out.write_all(b"\\n")?,
            b'\r' => out.write_all(b"\\r")?,
            b'\t' => out.write_all(b"\\t")?,
            _ => write!(out, "\\u{byte:04x}")?,
        }
    }
    out.write_all(&text.as_bytes()[from..])?;
    out.write_all(b"\"")
}
