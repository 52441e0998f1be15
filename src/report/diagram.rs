//! Railroad diagrams of rules.

use std::collections::HashMap;

use railroad::{
    Choice, Comment, Diagram, Empty, Link, Node, NonTerminal, Optional, Repeat, Sequence,
    SimpleEnd, SimpleStart, Stack, Terminal,
};

use super::escape::{on_one_line, shortened};
use crate::grammar::{Expr, ExprId, Grammar, Rule, Span};
use pleach_core::internal::Labels;

/// The most parts of a diagram; what comes after is drawn as an ellipsis.
const PARTS: usize = 400;
/// The deepest nesting that is drawn.
const DEEPEST: usize = 40;
/// Where a sequence is broken, in pixels.
const WIDEST: i64 = 900;
/// Characters of a terminal that are drawn.
const LABEL: usize = 44;

/// Draws a rule of a grammar as SVG, without a style of its own.
///
/// Terminals are as the notation writes them. A name is a link to `#rule-NAME`. `hits` gives the
/// count of each place in the text, where it is known; terminals and names have it as the attribute
/// `data-hits`. A rule with more than 400 parts or of deeper nesting than 40 is drawn in part, with an
/// ellipsis for the rest. The class names are those of the `railroad` crate.
///
/// # Examples
///
/// ```
/// use pleach::{grammar::Grammar, report::diagram};
///
/// let grammar = Grammar::parse(r#"list = "<" item ( "," item )* ">" ; item = "a" | list ;"#)?;
/// let svg = diagram(&grammar, &grammar.rules[0], &Default::default());
/// assert!(svg.starts_with("<svg ") && svg.contains("&lt;"));
/// # Ok::<(), pleach::grammar::GrammarError>(())
/// ```
pub fn diagram(grammar: &Grammar, rule: &Rule, hits: &HashMap<Span, u64>) -> String {
    let mut drawing = Drawing { grammar, labels: Labels::new(grammar), hits, parts: 0 };
    let body = drawing.expr(rule.body, 0);
    let line: Vec<Part> = vec![Box::new(SimpleStart), body, Box::new(SimpleEnd)];
    let mut diagram = Diagram::new(Sequence::new(line));
    let size = diagram.compute_geometry();
    // Its own size, and no more than there is room for.
    diagram.attr("style".into()).or_insert(format!("width:{}px", size.width));
    diagram.to_string()
}

type Part = Box<dyn Node>;

struct Drawing<'g> {
    grammar: &'g Grammar,
    labels: Labels<'g>,
    hits: &'g HashMap<Span, u64>,
    parts: usize,
}

impl Drawing<'_> {
    /// Recurses at most [`DEEPEST`] levels.
    fn expr(&mut self, id: ExprId, depth: usize) -> Part {
        self.parts += 1;
        if self.parts > PARTS || depth > DEEPEST {
            return Box::new(Comment::new("…".into()));
        }
        let grammar = self.grammar;
        match grammar.expr(id) {
            Expr::Literal { bytes, .. } if bytes.is_empty() => Box::new(Empty),
            Expr::Literal { .. } | Expr::Class(_) | Expr::Regex(_) | Expr::Except { .. } => {
                let label = shortened(&on_one_line(&self.labels.label(id)), LABEL);
                let mut terminal = Terminal::new(label);
                if let Some(hits) = self.hits.get(&grammar.span(id)) {
                    terminal.attr("data-hits".into()).or_insert(hits.to_string());
                }
                Box::new(terminal)
            }
            Expr::Reference(name) => {
                let mut part = NonTerminal::new(shortened(&on_one_line(name), LABEL));
                if let Some(hits) = self.hits.get(&grammar.span(id)) {
                    part.attr("data-hits".into()).or_insert(hits.to_string());
                }
                Box::new(Link::new(part, format!("#rule-{}", on_one_line(name))))
            }
            Expr::Sequence(items) => {
                let mut parts: Vec<Part> = Vec::new();
                for &item in items {
                    if self.parts > PARTS {
                        break;
                    }
                    parts.push(self.expr(item, depth + 1));
                }
                broken(parts)
            }
            Expr::Choice(alternatives) => {
                let mut parts: Vec<Part> = Vec::new();
                for alternative in alternatives {
                    parts.push(self.expr(alternative.expr, depth + 1));
                    if self.parts > PARTS {
                        break;
                    }
                }
                match parts.len() {
                    0 => Box::new(Comment::new("nothing".into())),
                    1 => parts.remove(0),
                    _ => Box::new(Choice::new(parts)),
                }
            }
            Expr::Repeat { expr, min, max, .. } => {
                let inner = self.expr(*expr, depth + 1);
                repeated(inner, *min, *max)
            }
        }
    }
}

fn repeated(inner: Part, min: u32, max: Option<u32>) -> Part {
    let times = match (min, max) {
        (_, Some(0)) => return Box::new(Empty),
        (0, Some(1)) => return Box::new(Optional::new(inner)),
        (1, Some(1)) => return inner,
        (0 | 1, None) => None,
        (min, None) => Some(format!("at least {min}")),
        (0 | 1, Some(max)) => Some(format!("at most {max}")),
        (min, Some(max)) if min == max => Some(format!("{min} times")),
        (min, Some(max)) => Some(format!("{min} to {max}")),
    };
    let back: Part = match times {
        None => Box::new(Empty),
        Some(times) => Box::new(Comment::new(times)),
    };
    let repeat = Repeat::new(inner, back);
    if min == 0 { Box::new(Optional::new(repeat)) } else { Box::new(repeat) }
}

/// A sequence, over several lines where one is too wide.
fn broken(parts: Vec<Part>) -> Part {
    let mut lines: Vec<Vec<Part>> = vec![Vec::new()];
    let mut width = 0;
    for part in parts {
        let own = part.width() + 10;
        if width + own > WIDEST && width > 0 {
            lines.push(Vec::new());
            width = 0;
        }
        width += own;
        if let Some(line) = lines.last_mut() {
            line.push(part);
        }
    }
    let mut lines: Vec<Sequence<Part>> = lines.into_iter().map(Sequence::new).collect();
    if lines.len() == 1 { Box::new(lines.remove(0)) } else { Box::new(Stack::new(lines)) }
}
