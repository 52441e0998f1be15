//! One HTML page about what a corpus covers: it needs no network and no other file.

use std::collections::HashMap;
use std::fmt::Write;

use super::corpus::{Corpus, CoverageGap, PartsSummary};
use super::escape::{grouped, marked, markup, shortened, visible};
use super::names::PathNames;
use super::source::Places;
use super::{chart, diagram, on_one_line, percent};
use crate::grammar::{Grammar, Span};
use crate::kpath::Scope;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Bytes of diagrams that a page holds, by default.
const DIAGRAMS: usize = 2_500_000;
/// Gaps that are shown at once; the others wait for a click.
const FIRST: usize = 25;
/// Refused inputs that are listed.
const REFUSED: usize = 100;
/// Characters of an example that are shown.
const EXAMPLE: usize = 240;
/// Characters of a reason or a name that are shown.
const REASON: usize = 300;

/// An input that was left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its name.
    pub input: String,
    /// Why, in words.
    pub reason: String,
}

/// An input that would cover a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The gap.
    pub gap: CoverageGap,
    /// The input; none where none was found.
    pub text: Option<Vec<u8>>,
    /// How many k-paths it would add to what is covered and to what the examples before it add.
    pub adds: u64,
    /// Whether it was read back as a tree with other k-paths: the grammar is ambiguous there.
    pub ambiguous: bool,
}

/// An HTML page about the coverage of a grammar by a corpus.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// The grammar, for its text and its rules.
    pub grammar: &'a Grammar,
    /// What is covered.
    pub corpus: &'a Corpus<'a>,
    /// How k-paths are named.
    pub names: &'a PathNames<'a>,
    /// What was left out.
    pub refused: &'a [Refused],
    /// What parts of that cover.
    pub parts: Option<PartsSummary>,
    /// The gaps that are shown, in their order, with inputs for them.
    pub examples: &'a [Example],
}

impl Page<'_> {
    /// The page. What does not fit is left out, and the page says so.
    pub fn html(&self) -> String {
        let mut out = String::with_capacity(1 << 18);
        let title = self.grammar.files.first().map_or("grammar", |file| &file.name);
        let title = on_one_line(title.rsplit(['/', '\\']).next().unwrap_or(title));
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"generator\" content=\"pleach\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title} – coverage</title>\n<link rel=\"icon\" href=\"data:,\">\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n",
            title = marked(&title)
        );
        self.head(&title, &mut out);
        let places = Places::new(self.corpus);
        out.push_str("<main>\n<div class=\"pair\">");
        self.lengths(&mut out);
        self.growth(&mut out);
        out.push_str("</div>\n");
        self.uncovered(&mut out);
        out.push_str(
            "<section id=\"source\"><h2>Grammar</h2>\n<p class=\"key\">\
             <span class=\"hit\">used, with all k-paths that begin there</span> \
             <span class=\"part\">used, with some of them</span> \
             <span class=\"miss\">never used</span> \
             The number beside a line is the greatest count on it.</p>\n",
        );
        places.write(self.grammar, &mut out);
        out.push_str("</section>\n");
        self.rules(&mut out);
        self.diagrams(&places.hits(), &mut out);
        self.refused(&mut out);
        let _ = write!(
            out,
            "</main>\n<footer>Made by pleach {}. A k-path is a chain of k places in the grammar, \
             each in the body of the rule that the one before it refers to.</footer>\n\
             <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            env!("CARGO_PKG_VERSION")
        );
        out
    }

    fn head(&self, title: &str, out: &mut String) {
        let summary = self.corpus.summary();
        let lengths = match summary.scope {
            Scope::UpTo if summary.k == 1 => "of length 1".to_owned(),
            Scope::UpTo => format!("of length 1 to {}", summary.k),
            Scope::Exact => format!("of length {}", summary.k),
        };
        let inputs = self.corpus.growth().len() as u64;
        let percent = percent(summary.covered, summary.total);
        let _ = write!(
            out,
            "<header><h1>{}</h1>\n<div class=\"big\"><strong>{percent}%</strong>\
             <div><div class=\"bar\"><i style=\"width:{percent}%\"></i></div>\
             <p>{} of {} k-paths {lengths} covered by {} {}",
            marked(title),
            grouped(summary.covered),
            grouped(summary.total),
            grouped(inputs),
            if inputs == 1 { "input" } else { "inputs" },
        );
        if summary.infeasible > 0 {
            let _ = write!(out, "; {} are infeasible", grouped(summary.infeasible));
        }
        if !self.refused.is_empty() {
            let _ = write!(
                out,
                "; <a href=\"#refused\">{} left out</a>",
                grouped(self.refused.len() as u64)
            );
        }
        let unused = self.corpus.unused_rules().count();
        let rules = self.corpus.table().produced_rules().count();
        let _ = write!(
            out,
            "; {} of {} rules used</p></div></div>\n<nav><a href=\"#uncovered\">Not covered</a> \
             <a href=\"#source\">Grammar</a> <a href=\"#rules\">Rules</a> \
             <a href=\"#diagrams\">Diagrams</a></nav></header>\n",
            grouped((rules - unused) as u64),
            grouped(rules as u64)
        );
    }

    fn lengths(&self, out: &mut String) {
        out.push_str(
            "<section id=\"lengths\"><h2>By length</h2>\n<table class=\"figures\"><thead><tr>\
             <th>k</th><th class=\"r\">covered</th><th class=\"r\">of</th><th class=\"r\">%</th>\
             <th></th></tr></thead><tbody>\n",
        );
        for (length, covered, total) in self.corpus.lengths() {
            let _ = write!(out, "<tr><td>{length}</td>");
            figures(covered, total, out);
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody></table></section>\n");
    }

    fn growth(&self, out: &mut String) {
        out.push_str("<section id=\"growth\"><h2>Growth</h2>\n");
        out.push_str(&chart::growth(self.corpus.growth(), self.corpus.summary().total));
        out.push_str("</section>\n");
    }

    fn uncovered(&self, out: &mut String) {
        out.push_str("<section id=\"uncovered\"><h2>Not covered</h2>\n");
        let summary = self.corpus.summary();
        if summary.covered == summary.total {
            out.push_str("<p>Nothing: every k-path is covered.</p></section>\n");
            return;
        }
        let shown = self.examples.len();
        let _ = writeln!(
            out,
            "<p>{} of {} uncovered k-paths, with inputs that would cover them. First come those that \
             hold no shorter one, and of these those that the most others depend on: \
             <em>unlocks</em> counts the uncovered k-paths that one is a part of. <em>Adds</em> counts \
             what its input would add to those before it; what these would cover is not listed again. \
             Where the grammar is ambiguous, an input may be <em>read otherwise</em>, as a tree without \
             the k-path; such come last. What does not print in an input is escaped, and so is the \
             backslash.</p>",
            grouped(shown as u64),
            grouped(summary.total - summary.covered)
        );
        let (first, more) = self.examples.split_at(shown.min(FIRST));
        self.examples(first, out);
        if !more.is_empty() {
            let _ =
                writeln!(out, "<details><summary>{} more</summary>", grouped(more.len() as u64));
            self.examples(more, out);
            out.push_str("</details>\n");
        }
        out.push_str("</section>\n");
    }

    fn examples(&self, examples: &[Example], out: &mut String) {
        out.push_str(
            "<table class=\"wide\"><thead><tr><th class=\"r\">unlocks</th>\
             <th class=\"r\">adds</th><th>k-path</th><th>a smallest input for it</th></tr></thead>\
             <tbody>\n",
        );
        let index = self.corpus.coverage().index();
        let mut walk = Vec::new();
        for example in examples {
            index.walk(example.gap.rank, &mut walk);
            let _ = write!(
                out,
                "<tr><td class=\"r\">{}</td><td class=\"r\">{}</td><td class=\"path\">",
                grouped(example.gap.unlocks),
                grouped(example.adds)
            );
            self.path(&self.names.show(&walk), out);
            out.push_str("</td><td>");
            match &example.text {
                None => out.push_str("<em>none was found</em>"),
                Some(text) => {
                    let seen = shortened(&visible(text), EXAMPLE);
                    if seen.is_empty() {
                        out.push_str("<em>the empty input</em>");
                    } else {
                        out.push_str("<code>");
                        markup(&seen, out);
                        out.push_str("</code>");
                    }
                    if seen.ends_with('…') {
                        let _ = write!(out, " <small>{} bytes</small>", grouped(text.len() as u64));
                    }
                }
            }
            if example.ambiguous {
                out.push_str(
                    " <small class=\"warn\" title=\"the grammar is ambiguous, and the parser \
                     prefers a tree without this k-path\">read otherwise</small>",
                );
            }
            out.push_str("</td></tr>\n");
        }
        out.push_str("</tbody></table>\n");
    }

    /// A path, its owner linked to its diagram.
    fn path(&self, path: &str, out: &mut String) {
        let (owner, rest) = path.split_once(": ").unwrap_or((path, ""));
        let _ = write!(out, "<a href=\"#rule-{0}\">{0}</a>: ", marked(owner));
        for (index, part) in rest.split(" > ").enumerate() {
            if index > 0 {
                out.push_str(" <b>›</b> ");
            }
            markup(&shortened(part, 80), out);
        }
    }

    fn rules(&self, out: &mut String) {
        let table = self.corpus.table();
        let hits = self.corpus.hits();
        out.push_str(
            "<section id=\"rules\"><h2>Rules</h2>\n<p>The k-paths of a rule are those that begin in \
             its body. A click on a heading sorts.</p>\n<table class=\"figures sorts\"><thead><tr>\
             <th>rule</th><th class=\"r\">used</th><th class=\"r\">alternatives</th>\
             <th class=\"r\">covered</th><th class=\"r\">of</th><th class=\"r\">%</th><th></th></tr>\
             </thead><tbody>\n",
        );
        let covered = self.corpus.rules();
        for rule in table.produced_rules() {
            let (covered, total) = covered[rule.index()];
            let alternatives = table.alternatives(rule);
            let all = alternatives.len();
            let used = alternatives.filter(|&a| hits.alternative(a) > 0).count();
            let name = marked(table.names().rule(rule));
            let _ = write!(
                out,
                "<tr><td><a href=\"#rule-{name}\">{name}</a></td><td class=\"r\">{}</td>\
                 <td class=\"r\">{used} of {all}</td>",
                grouped(hits.rule(table, rule))
            );
            figures(covered, total, out);
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody></table></section>\n");
    }

    fn diagrams(&self, hits: &HashMap<Span, u64>, out: &mut String) {
        out.push_str(
            "<section id=\"diagrams\"><h2>Diagrams</h2>\n<p><button type=\"button\" id=\"open\">Open \
             all</button> <button type=\"button\" id=\"close\">Close all</button> What is never used \
             is red; names are links.</p>\n",
        );
        let table = self.corpus.table();
        let (mut bytes, mut left) = (0, 0);
        for rule in &self.grammar.rules {
            let Some(id) = table.names().find_rule(&rule.name.text) else { continue };
            if bytes > DIAGRAMS {
                left += 1;
                continue;
            }
            let drawn = diagram(self.grammar, rule, hits).replace('\n', "");
            bytes += drawn.len();
            let used = self.corpus.hits().rule(table, id);
            let name = marked(&rule.name.text);
            let class = if used == 0 { "miss" } else { "hit" };
            let _ = write!(
                out,
                "<details id=\"rule-{name}\"><summary><span class=\"{class}\">{name}</span> \
                 <small>used {}×</small></summary>",
                grouped(used)
            );
            if !rule.docs.is_empty() {
                out.push_str("<p>");
                markup(&shortened(rule.docs.trim(), 600), out);
                out.push_str("</p>");
            }
            out.push_str(&drawn);
            out.push_str("</details>\n");
        }
        if left > 0 {
            let _ = write!(
                out,
                "<p class=\"warn\">{} more diagrams are left out, so that the page stays small.</p>",
                grouped(left)
            );
        }
        out.push_str("</section>\n");
    }

    fn refused(&self, out: &mut String) {
        if self.refused.is_empty() {
            return;
        }
        let _ = write!(
            out,
            "<section id=\"refused\"><h2>Left out</h2>\n<p>{} inputs are not measured.{}</p>\n\
             <table class=\"wide\"><thead><tr><th>input</th><th>why</th></tr></thead><tbody>\n",
            grouped(self.refused.len() as u64),
            self.parts.map(of_parts).unwrap_or_default()
        );
        for refused in self.refused.iter().take(REFUSED) {
            let _ = writeln!(
                out,
                "<tr><td class=\"path\">{}</td><td>{}</td></tr>",
                marked(&shortened(&on_one_line(&refused.input), REASON)),
                marked(&shortened(&on_one_line(&refused.reason), REASON))
            );
        }
        out.push_str("</tbody></table>\n");
        if self.refused.len() > REFUSED {
            let more = self.refused.len() - REFUSED;
            let _ =
                write!(out, "<p class=\"warn\">{} more are not listed.</p>", grouped(more as u64));
        }
        out.push_str("</section>\n");
    }
}

/// What parts of inputs cover, in words.
fn of_parts(found: PartsSummary) -> String {
    let PartsSummary { files, parts, bytes, of, kpath, new } = found;
    format!(
        " Of {} only parts can be read: {} of them, with {}% of the bytes. By themselves the parts cover \
         {} of {} k-paths, of which {} are covered by no whole input; no other figure counts them.",
        grouped(files as u64),
        grouped(parts as u64),
        percent(bytes, of),
        grouped(kpath.covered),
        grouped(kpath.total),
        grouped(new)
    )
}

/// The cells of covered, of, percent, and a bar.
fn figures(covered: u64, total: u64, out: &mut String) {
    let percent = percent(covered, total);
    let _ = write!(
        out,
        "<td class=\"r\">{}</td><td class=\"r\">{}</td><td class=\"r\">{percent}</td>\
         <td class=\"b\"><div class=\"bar\"><i style=\"width:{percent}%\"></i></div></td>",
        grouped(covered),
        grouped(total)
    );
}

#[cfg(test)]
mod tests {
    use crate::report::percent;

    #[test]
    fn only_all_is_a_hundred_percent() {
        let cases = [(0, 0, "100"), (0, 9, "0.0"), (1, 3, "33.3"), (99_999, 100_000, "99.9")];
        for (covered, total, shown) in cases {
            assert_eq!(percent(covered, total), shown);
        }
        assert_eq!(percent(u64::MAX - 1, u64::MAX), "99.9");
    }
}
