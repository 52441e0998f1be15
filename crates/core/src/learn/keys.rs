//! Names that survive edits: of points and alternatives by how they are written, of references by where they
//! lead.

use fxhash::FxHashMap;

use super::{Point, PointId};
use crate::table::{
    AlternativeId, OccurrenceId, Repetition, RepetitionId, RuleId, Symbol, SymbolKind, Table,
};

/// A text inside of another is written in full up to so many bytes, and beyond them by a hash: the texts of groups in
/// groups would otherwise be quadratic.
const SHOWN: usize = 200;

/// The names of one table's points, alternatives and references.
pub(super) struct Keys {
    alternatives: Vec<String>,
    /// By point: its rule, and its name there.
    points: FxHashMap<PointId, (RuleId, String)>,
    references: FxHashMap<OccurrenceId, String>,
}

impl Keys {
    pub(super) fn new(table: &Table) -> Self {
        let mut texts =
            Texts { table, alternatives: vec![String::new(); table.alternative_count()] };
        texts.write();
        let alternatives = apart(table, texts.alternatives.clone());
        let mut used = FxHashMap::default();
        let points = PointId::all(table).map(|point| {
            let (rule, name) = texts.point(point);
            (point, (rule, numbered(&mut used, rule, name)))
        });
        let points = points.collect();
        let mut used = FxHashMap::default();
        let occurrences = (0..table.all_occurrence_count() as u32).map(OccurrenceId::new);
        let references = occurrences.filter_map(|occurrence| {
            let target = table.names().rule(table.target(occurrence)?);
            let owner = table.owner(table.occurrence_site(occurrence).alternative);
            let name = format!("{}.{target}", table.names().rule(owner));
            Some((occurrence, numbered(&mut used, owner, name)))
        });
        Self { references: references.collect(), alternatives, points }
    }

    pub(super) fn alternative(&self, alternative: AlternativeId) -> &str {
        &self.alternatives[alternative.index()]
    }

    /// The rule that a point stands in, and its name there.
    pub(super) fn point(&self, point: PointId) -> (RuleId, &str) {
        let (rule, name) = &self.points[&point];
        (*rule, name)
    }

    /// The references above a choice, with spaces between.
    pub(super) fn context(&self, chain: &[OccurrenceId]) -> String {
        let names: Vec<&str> = chain.iter().map(|one| &*self.references[one]).collect();
        names.join(" ")
    }

    /// Points by their rule's name and theirs.
    pub(super) fn find_points<'k>(
        &'k self,
        table: &'k Table,
    ) -> FxHashMap<(&'k str, &'k str), PointId> {
        let points = self.points.iter();
        points.map(|(&id, (rule, name))| ((table.names().rule(*rule), &**name), id)).collect()
    }

    pub(super) fn find_references(&self) -> FxHashMap<&str, OccurrenceId> {
        self.references.iter().map(|(&id, name)| (&**name, id)).collect()
    }

    /// The alternatives of a rule by their names.
    pub(super) fn find_alternatives(&self, table: &Table, rule: RuleId) -> FxHashMap<&str, u32> {
        table.all_alternatives(rule).map(|one| (self.alternative(one), one.get())).collect()
    }
}

/// Tells names that a rule has more than once apart by a number.
fn numbered(used: &mut FxHashMap<(RuleId, String), u32>, rule: RuleId, name: String) -> String {
    let times = used.entry((rule, name.clone())).or_insert(0);
    *times += 1;
    if *times == 1 { name } else { format!("{name}#{times}") }
}

fn apart(table: &Table, texts: Vec<String>) -> Vec<String> {
    let mut used = FxHashMap::default();
    let ids = (0..table.alternative_count() as u32).map(AlternativeId::new);
    let texts = ids.zip(texts);
    texts.map(|(id, text)| numbered(&mut used, table.rule_of(id), text)).collect()
}

/// Alternatives as the notation writes them.
struct Texts<'t> {
    table: &'t Table,
    alternatives: Vec<String>,
}

impl Texts<'_> {
    /// From the last rule on, for groups come after what they stand in.
    fn write(&mut self) {
        for rule in (0..self.table.rule_count() as u32).rev().map(RuleId::new) {
            for alternative in self.table.all_alternatives(rule) {
                let items = self.table.items(alternative).iter();
                let items: Vec<String> = items.map(|&item| self.item(item)).collect();
                self.alternatives[alternative.index()] =
                    if items.is_empty() { "\"\"".into() } else { items.join(" ") };
            }
        }
    }

    fn item(&self, item: Symbol) -> String {
        match item.kind() {
            SymbolKind::Repetition(id) => self.repetition(id),
            _ => self.element(item),
        }
    }

    fn repetition(&self, id: RepetitionId) -> String {
        let Repetition { element, min, max, .. } = *self.table.repetition(id);
        let times = match (min, max) {
            (0, 1) => "?".into(),
            (0, Repetition::UNBOUNDED) => "*".into(),
            (1, Repetition::UNBOUNDED) => "+".into(),
            (_, Repetition::UNBOUNDED) => format!("{{{min},}}"),
            _ => format!("{{{min},{max}}}"),
        };
        self.element(element) + &times
    }

    fn element(&self, element: Symbol) -> String {
        let names = self.table.names();
        match element.kind() {
            SymbolKind::Group(rule) => short(self.group(rule)),
            SymbolKind::Reference(occurrence) => {
                self.table.target(occurrence).map_or("", |rule| names.rule(rule)).into()
            }
            SymbolKind::Terminal(occurrence) => {
                self.table.terminal_at(occurrence).map_or("", |one| names.terminal(one)).into()
            }
            SymbolKind::Repetition(_) | SymbolKind::Root(_) | SymbolKind::Layout => String::new(),
        }
    }

    fn group(&self, rule: RuleId) -> String {
        let texts = self.table.all_alternatives(rule).map(|one| &*self.alternatives[one.index()]);
        format!("( {} )", texts.collect::<Vec<_>>().join(" | "))
    }

    fn point(&self, point: PointId) -> (RuleId, String) {
        let table = self.table;
        match point.point(table) {
            Point::Rule(rule) => match table.group_site(rule) {
                Some(site) => (table.owner(site.alternative), short(self.group(rule))),
                None => (rule, table.names().rule(rule).into()),
            },
            Point::Repetition(id) => {
                (table.owner(table.repetition(id).alternative), self.repetition(id))
            }
            Point::Terminal(occurrence) => {
                let owner = table.owner(table.occurrence_site(occurrence).alternative);
                (owner, self.element(table.symbol(occurrence)))
            }
        }
    }
}

fn short(text: String) -> String {
    if text.len() <= SHOWN {
        return text;
    }
    // FNV-1a.
    let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    });
    let shown: String = text.chars().take(SHOWN / 4).collect();
    format!("{shown}... {hash:016x} )")
}

/// A text of a terminal as a key: itself where it is UTF-8, with `\xHH` for other bytes and `\\` for a backslash.
pub(super) fn escape(text: &[u8]) -> String {
    let mut out = String::new();
    for chunk in text.utf8_chunks() {
        out += &chunk.valid().replace('\\', "\\\\");
        for byte in chunk.invalid() {
            out += &format!("\\x{byte:02X}");
        }
    }
    out
}

/// The text that a key stands for; none where it is no key.
pub(super) fn unescape(key: &str) -> Option<Vec<u8>> {
    let (mut out, mut rest) = (Vec::new(), key);
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        let used = if let Some(hex) = rest.strip_prefix('x') {
            let digits = hex.get(..2).filter(|two| !two.starts_with('+'))?;
            out.push(u8::from_str_radix(digits, 16).ok()?);
            3
        } else {
            rest.strip_prefix('\\')?;
            out.push(b'\\');
            1
        };
        rest = &rest[used..];
    }
    out.extend_from_slice(rest.as_bytes());
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_texts_are_read_back() {
        for text in [&b"a\\x41"[..], b"\xC3\xA9\xFF\\", b"", b"\x00\"\n"] {
            assert_eq!(unescape(&escape(text)).as_deref(), Some(text));
        }
        for bad in ["\\", "\\n", "\\x1", "\\x+1", "\\x\u{e9}"] {
            assert_eq!(unescape(bad), None, "{bad}");
        }
    }
}
