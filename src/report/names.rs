//! How a k-path is written for people.
//!
//! `OWNER: X > Y > Z`: X stands in the body of the rule OWNER, Y in that of the rule X, and so on.
//! Where a body has several nodes of the same name, `#2` is the second of them in the order of
//! the text, so that each path is written in one way and no two alike. What is parse-only is on no path;
//! as a place in a tree it is `@read X#1`.

use std::collections::HashMap;

use super::escape;
use crate::table::{OccurrenceId, RuleId, Table};

/// The names of a table's occurrences and walks.
///
/// # Examples
///
/// ```
/// use pleach::{report::PathNames, table::Table};
///
/// let table = Table::parse(r#"pair = "(" item "," item ")" ; item = "a" | pair ;"#)?;
/// let names = PathNames::new(&table);
/// let walk: Vec<_> = [3, 5].map(pleach::table::OccurrenceId::new).into();
/// assert_eq!(names.show(&walk), "pair: item#2 > \"a\"");
/// # Ok::<(), pleach::grammar::GrammarError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PathNames<'t> {
    table: &'t Table,
    /// By occurrence.
    names: Vec<String>,
}

impl<'t> PathNames<'t> {
    /// Names each occurrence.
    pub fn new(table: &'t Table) -> Self {
        let mut names = Vec::with_capacity(table.all_occurrence_count());
        let mut uses: HashMap<String, (u32, u32)> = HashMap::new();
        for rule in (0..table.named_rule_count() as u32).map(RuleId::new) {
            uses.clear();
            for occurrence in table.body(rule) {
                uses.entry(label(table, occurrence)).or_default().0 += 1;
            }
            for occurrence in table.body(rule) {
                let mut name = label(table, occurrence);
                if let Some((all, used)) = uses.get_mut(&name)
                    && *all > 1
                {
                    *used += 1;
                    name = format!("{name}#{used}");
                }
                names.push(name);
            }
        }
        let mut uses: HashMap<(RuleId, String), u32> = HashMap::new();
        for occurrence in (names.len() as u32..).take(table.all_occurrence_count() - names.len()) {
            let occurrence = OccurrenceId::new(occurrence);
            let owner = table.owner(table.occurrence_site(occurrence).alternative);
            let name = label(table, occurrence);
            let used = uses.entry((owner, name.clone())).or_default();
            *used += 1;
            names.push(format!("@read {name}#{used}"));
        }
        Self { table, names }
    }

    /// The name of an occurrence among those of its rule's body: `value#2`.
    ///
    /// # Panics
    ///
    /// Where an occurrence is of another table that has more of them.
    pub fn occurrence(&self, occurrence: OccurrenceId) -> &str {
        &self.names[occurrence.index()]
    }

    /// Appends a path, without a line end.
    ///
    /// # Panics
    ///
    /// Where an occurrence is of another table that has more of them.
    pub fn write(&self, walk: &[OccurrenceId], out: &mut Vec<u8>) {
        for (index, &occurrence) in walk.iter().enumerate() {
            if index == 0 {
                let owner = self.table.owner(self.table.occurrence_site(occurrence).alternative);
                out.extend_from_slice(self.table.names().rule(owner).as_bytes());
                out.extend_from_slice(b": ");
            } else {
                out.extend_from_slice(b" > ");
            }
            out.extend_from_slice(self.names[occurrence.index()].as_bytes());
        }
    }

    /// A path as text.
    ///
    /// # Panics
    ///
    /// Where an occurrence is of another table that has more of them.
    pub fn show(&self, walk: &[OccurrenceId]) -> String {
        let mut out = Vec::new();
        self.write(walk, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// A rule's name, or a terminal as the notation writes it, on one line.
fn label(table: &Table, occurrence: OccurrenceId) -> String {
    let names = table.names();
    match (table.target(occurrence), table.terminal_at(occurrence)) {
        (Some(rule), _) => names.rule(rule).to_string(),
        (_, Some(terminal)) => escape::on_one_line(names.terminal(terminal)),
        (None, None) => String::new(),
    }
}
