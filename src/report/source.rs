//! A grammar's text, coloured by hits.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use super::corpus::Corpus;
use super::escape::{grouped, markup};
use crate::grammar::{Grammar, SourceFile, Span};
use crate::table::{OccurrenceId, RuleId};

/// What a place in the text is, by the figures of all that stands there: a file that is included
/// under two names has each place twice.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) hits: u64,
    covered: u64,
    total: u64,
    /// Whether it is a rule's name where it is defined.
    head: bool,
}

impl Place {
    fn class(&self) -> &'static str {
        match (self.hits, self.covered == self.total) {
            (0, _) => "miss",
            (_, true) => "hit",
            (_, false) => "part",
        }
    }
}

/// The places of a grammar's text that have figures.
pub(super) struct Places {
    /// By file and beginning, with the end; they do not overlap.
    places: BTreeMap<(u32, u32), (u32, Place)>,
}

impl Places {
    pub(super) fn new(corpus: &Corpus<'_>) -> Self {
        let (table, hits) = (corpus.table(), corpus.hits());
        let names = table.names();
        let mut places: BTreeMap<(u32, u32), (u32, Place)> = BTreeMap::new();
        let mut add = |span: Span, own: Place| {
            let key = (span.file, span.start);
            let (end, place) = places.entry(key).or_insert((span.end, Place::default()));
            *end = span.end;
            place.hits += own.hits;
            place.covered += own.covered;
            place.total += own.total;
            place.head = own.head;
        };
        let paths = corpus.occurrences();
        for occurrence in (0..table.occurrence_count() as u32).map(OccurrenceId::new) {
            // What lowering put in stands nowhere.
            let span = names.occurrence_span(occurrence).filter(|span| span.start < span.end);
            if let Some(span) = span {
                let (covered, total) = paths[occurrence.index()];
                let hits = hits.occurrence(occurrence);
                add(span, Place { hits, covered, total, head: false });
            }
        }
        for rule in (0..table.named_rule_count() as u32).map(RuleId::new) {
            if let Some(span) = names.rule_span(rule) {
                let hits = hits.rule(table, rule);
                add(span, Place { hits, covered: 0, total: 0, head: true });
            }
        }
        Self { places }
    }

    /// The hits of each place.
    pub(super) fn hits(&self) -> HashMap<Span, u64> {
        let span = |(&(file, start), &(end, place)): (&(u32, u32), &(u32, Place))| {
            (Span { file, start, end }, place.hits)
        };
        self.places.iter().map(span).collect()
    }

    /// Writes all files of a grammar.
    pub(super) fn write(&self, grammar: &Grammar, out: &mut String) {
        for (index, file) in grammar.files.iter().enumerate() {
            self.write_file(index as u32, file, out);
        }
    }

    fn write_file(&self, index: u32, file: &SourceFile, out: &mut String) {
        out.push_str("<h3>");
        markup(&super::on_one_line(&file.name), out);
        out.push_str("</h3>\n<div class=\"scroll\"><table class=\"source\"><tbody>\n");
        let mut start = 0;
        for (number, line) in file.text.split('\n').enumerate() {
            // A text ends with a line end, after which there is no line.
            if !(line.is_empty() && start == file.text.len()) {
                self.write_line(index, number + 1, start, line, out);
            }
            start += line.len() + 1;
        }
        out.push_str("</tbody></table></div>\n");
    }

    fn write_line(&self, file: u32, number: usize, start: usize, line: &str, out: &mut String) {
        let end = start + line.len();
        let range = (file, start as u32)..(file, end as u32);
        // A place may have begun on a line before.
        let before = self.places.range(..range.start).next_back();
        let before = before.filter(|((of, _), (until, _))| *of == file && *until as usize > start);
        let on_line = before.into_iter().chain(self.places.range(range));
        let places: Vec<(usize, usize, &Place)> = on_line
            .map(|(&(_, from), (until, place))| {
                ((from as usize).max(start), (*until as usize).min(end), place)
            })
            .collect();
        let most = places.iter().map(|(_, _, place)| place.hits).max();
        let missed = places.iter().any(|(_, _, place)| place.hits == 0);
        let class = match (most, missed) {
            (None, _) => "",
            (Some(0), _) => "miss",
            (_, true) => "part",
            _ => "hit",
        };
        // Writing to a string cannot fail.
        let _ = write!(out, "<tr><td class=\"n\">{number}</td><td class=\"c {class}\">");
        if let Some(most) = most {
            out.push_str(&grouped(most));
        }
        out.push_str("</td><td class=\"t\">");
        let mut at = start;
        for (from, until, place) in places {
            // A grammar made by others may have places that overlap or begin inside a character.
            let whole = |at: usize| line.is_char_boundary(at - start);
            if from < at || until < from || !whole(from) || !whole(until) {
                continue;
            }
            plain(&line[at - start..from - start], out);
            let head = if place.head { " head" } else { "" };
            let _ = write!(out, "<span class=\"{}{head}\" title=\"", place.class());
            let times = if place.hits == 1 { "time" } else { "times" };
            let _ = write!(out, "used {} {times}", grouped(place.hits));
            if place.total > 0 {
                let _ = write!(
                    out,
                    "; {} of {} k-paths that begin here are covered",
                    grouped(place.covered),
                    grouped(place.total)
                );
            }
            out.push_str("\">");
            plain(&line[from - start..until - start], out);
            out.push_str("</span>");
            at = until;
        }
        plain(&line[at - start..], out);
        out.push_str("</td></tr>\n");
    }
}

/// Appends a piece of a line as it is, its end left out.
fn plain(text: &str, out: &mut String) {
    markup(text.trim_end_matches('\r'), out);
}
