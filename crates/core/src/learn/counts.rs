//! Trees to counts.

use fxhash::FxHashMap;

use super::PointId;
use crate::table::{OccurrenceId, SymbolKind, Table};
use crate::tree::Tree;

/// How often trees of a table take each choice, in the context of what stands above.
///
/// # Examples
///
/// ```
/// use pleach::{learn::Counts, parse::{Parser, Scratch}, table::Table, tree::Tree};
///
/// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
/// let (parser, mut tree) = (Parser::new(&table), Tree::new());
/// parser.parse(b"[a,a,[a]]", &mut Scratch::new(), &mut tree)?;
/// let mut counts = Counts::new(&table);
/// counts.add(&tree);
/// let weights = counts.weights();
/// assert_eq!(weights.rules["item"].choices["item"].values().map(|it| it["\"a\""]).sum::<u64>(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Counts<'t> {
    pub(super) table: &'t Table,
    pub(super) trees: u64,
    pub(super) contexts: Contexts,
    /// By context, point and choice: an alternative, a count, or a text of `texts`.
    pub(super) cells: FxHashMap<(u32, PointId, u32), u64>,
    pub(super) texts: Texts,
    full: bool,
    /// Open nodes: children to come, and the context of these.
    open: Vec<(u32, u32)>,
}

impl<'t> Counts<'t> {
    /// How many references above a choice are its context, at most.
    pub const ORDER: usize = 3;

    /// The most counters that are kept; beyond them no new one is.
    pub const CELLS: usize = 1 << 22;

    /// No count of a table.
    pub fn new(table: &'t Table) -> Self {
        Self {
            table,
            trees: 0,
            contexts: Contexts::default(),
            cells: FxHashMap::default(),
            texts: Texts::default(),
            full: false,
            open: Vec::new(),
        }
    }

    /// The trees that were counted.
    pub fn trees(&self) -> u64 {
        self.trees
    }

    /// Whether something was not counted for want of room: the most counters, or of the texts of terminals those
    /// of more than a kilobyte and what is beyond 64 MiB of them.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Counts the choices of a tree of the table.
    ///
    /// # Panics
    ///
    /// May panic where the tree is of another table; [`Tree::check`] tells.
    pub fn add(&mut self, tree: &Tree) {
        let table = self.table;
        self.trees = self.trees.saturating_add(1);
        self.open.clear();
        let mut at = 0;
        for &node in tree.nodes() {
            let above = self.open.last().map_or(0, |&(_, context)| context);
            let mut below = above;
            match node.symbol.kind() {
                SymbolKind::Layout => {
                    at += node.choice as usize;
                    continue;
                }
                SymbolKind::Terminal(occurrence) => {
                    let text = &tree.text()[at..at + node.choice as usize];
                    at += node.choice as usize;
                    if let Some(point) = PointId::terminal(table, occurrence) {
                        self.add_text(above, point, text, 1);
                    }
                }
                SymbolKind::Repetition(id) => {
                    if let Some(point) = PointId::repetition(table, id) {
                        self.add_choice((above, point, node.choice), 1);
                    }
                }
                SymbolKind::Reference(occurrence) => {
                    below = self.contexts.below(above, occurrence);
                    self.add_alternative(below, node.choice);
                }
                SymbolKind::Group(_) | SymbolKind::Root(_) => {
                    self.add_alternative(above, node.choice);
                }
            }
            match node.arity(table) {
                0 => self.close(),
                children => self.open.push((children, below)),
            }
        }
    }

    /// Adds what others counted, of the same table.
    pub fn merge(&mut self, other: &Counts<'_>) {
        self.trees = self.trees.saturating_add(other.trees);
        self.full |= other.full;
        for (&(context, point, choice), &count) in &other.cells {
            let context = self.contexts.of(&other.contexts.chains[context as usize]);
            match point.point(self.table) {
                super::Point::Terminal(_) => {
                    self.add_text(context, point, other.texts.get(choice), count);
                }
                _ => self.add_choice((context, point, choice), count),
            }
        }
    }

    fn add_alternative(&mut self, context: u32, alternative: u32) {
        let rule = self.table.rule_of(crate::table::AlternativeId::new(alternative));
        if let Some(point) = PointId::rule(self.table, rule) {
            self.add_choice((context, point, alternative), 1);
        }
    }

    pub(super) fn add_choice(&mut self, cell: (u32, PointId, u32), count: u64) {
        let has_room = self.cells.len() < Self::CELLS;
        if has_room {
            let sum = self.cells.entry(cell).or_insert(0);
            *sum = sum.saturating_add(count);
        } else if let Some(sum) = self.cells.get_mut(&cell) {
            *sum = sum.saturating_add(count);
        } else {
            self.full = true;
        }
    }

    pub(super) fn add_text(&mut self, context: u32, point: PointId, text: &[u8], count: u64) {
        match self.texts.id(text) {
            Some(id) => self.add_choice((context, point, id), count),
            None => self.full = true,
        }
    }

    /// Ends every node whose last child has ended.
    fn close(&mut self) {
        while let Some((children, _)) = self.open.last_mut() {
            *children -= 1;
            if *children > 0 {
                return;
            }
            self.open.pop();
        }
    }
}

/// The references above a choice, from far to near.
pub(super) type Chain = Vec<OccurrenceId>;

/// Contexts by number; 0 is the empty one.
#[derive(Clone, Debug)]
pub(super) struct Contexts {
    pub(super) chains: Vec<Chain>,
    ids: FxHashMap<Chain, u32>,
    /// What a reference makes of a context.
    steps: FxHashMap<(u32, OccurrenceId), u32>,
}

impl Default for Contexts {
    fn default() -> Self {
        let ids = std::iter::once((Chain::new(), 0)).collect();
        Self { chains: vec![Chain::new()], ids, steps: FxHashMap::default() }
    }
}

impl Contexts {
    /// The context below a reference that stands in another.
    fn below(&mut self, context: u32, occurrence: OccurrenceId) -> u32 {
        if let Some(&below) = self.steps.get(&(context, occurrence)) {
            return below;
        }
        let above = &self.chains[context as usize];
        let kept = above.len().min(Counts::ORDER - 1);
        let mut chain = above[above.len() - kept..].to_vec();
        chain.push(occurrence);
        let below = self.of(&chain);
        self.steps.insert((context, occurrence), below);
        below
    }

    /// The number of a chain.
    pub(super) fn of(&mut self, chain: &[OccurrenceId]) -> u32 {
        if let Some(&id) = self.ids.get(chain) {
            return id;
        }
        let id = self.chains.len() as u32;
        self.chains.push(chain.to_vec());
        self.ids.insert(chain.to_vec(), id);
        id
    }
}

/// Texts of terminals, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    ids: FxHashMap<Box<[u8]>, u32>,
    all: Vec<Box<[u8]>>,
    bytes: usize,
}

impl Texts {
    /// The longest text that is kept, and the bytes of all together.
    const LONGEST: usize = 1 << 10;
    const BYTES: usize = 64 << 20;

    /// The number of a text; none where it is too long, or there are too many.
    fn id(&mut self, text: &[u8]) -> Option<u32> {
        if let Some(&id) = self.ids.get(text) {
            return Some(id);
        }
        if text.len() > Self::LONGEST || self.bytes + text.len() > Self::BYTES {
            return None;
        }
        self.bytes += text.len();
        let id = self.all.len() as u32;
        self.all.push(text.into());
        self.ids.insert(text.into(), id);
        Some(id)
    }

    pub(super) fn get(&self, id: u32) -> &[u8] {
        &self.all[id as usize]
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &[u8]> {
        self.all.iter().map(|text| &**text)
    }
}
