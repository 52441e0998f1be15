//! The subject's source, coloured by which branches were taken in all ways.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use pleach::explore::search::OneSided;
use pleach::inside::ir::{Instruction, Pc};
use pleach::report::{Listed, Listing, Note, Shade};

use crate::sources::Sources;

use super::report::{Ended, is_final, words};

impl Ended<'_> {
    /// The page: all files that have branches of interest, with the reasons.
    pub(super) fn page(&self) -> String {
        let sources = Sources::new();
        let mut files: BTreeMap<PathBuf, BTreeMap<usize, Vec<Note>>> = BTreeMap::new();
        let mut note = |at: Pc, note: Note| {
            let Some(place) = self.module.places(at).next() else { return };
            let line = place.line as usize;
            if !place.in_std() && (self.shows)(&place) && line > 0 {
                let notes = files.entry(place.path()).or_default().entry(line).or_default();
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        };
        let missing: BTreeSet<Pc> = self.report.branches.iter().map(|it| it.at).collect();
        for (at, is_met) in self.conditional() {
            if !is_met {
                let text = "no run came here".to_owned();
                note(at, Note { shade: Shade::Bad, word: "not reached".into(), text });
            } else if !missing.contains(&at) {
                let text = "taken in all ways".to_owned();
                note(at, Note { shade: Shade::Good, word: "all ways".into(), text });
            }
        }
        for branch in &self.report.branches {
            note(branch.at, self.note(branch));
        }
        let listed = |(path, notes): (PathBuf, _)| {
            let lines = sources.lines(&path)?;
            Some(Listed { name: sources.path(&path), lines, notes })
        };
        let files: Vec<Listed> = files.into_iter().filter_map(listed).collect();
        let key = [
            (Shade::Good, "branches taken in all ways"),
            (Shade::Part, "not taken in all ways, and more time is of no use"),
            (Shade::Bad, "not taken in all ways yet, or not reached"),
        ];
        let summary = format!("{}, {:.1} s", self.totals, self.seconds);
        Listing { title: self.target, summary: &summary, key, files: &files }.html()
    }

    fn note(&self, branch: &OneSided) -> Note {
        let shade = if is_final(branch.why) { Shade::Part } else { Shade::Bad };
        let place = self.module.places(branch.at).next();
        let to = match place.and_then(|place| self.to(branch, &place)) {
            Some(line) => format!(", to line {line}"),
            None => String::new(),
        };
        Note { shade, word: branch.why.name().into(), text: format!("{}{to}", words(branch)) }
    }

    /// All branches and switches, and whether a run came to them.
    fn conditional(&self) -> BTreeMap<Pc, bool> {
        let mut all = BTreeMap::new();
        for edge in 0..self.module.edges() {
            let Some((at, _)) = self.module.edge(edge) else { continue };
            let is_conditional = matches!(
                self.module.instruction(at),
                Some(Instruction::Branch { .. } | Instruction::Switch { .. })
            );
            let word = self.edges.get(edge as usize / 64);
            let is_taken = word.is_some_and(|word| word >> (edge % 64) & 1 == 1);
            if is_conditional {
                *all.entry(at).or_default() |= is_taken;
            }
        }
        all
    }
}
