//! Capabilities: what can be done at the nodes of each symbol, found once for a table.

use super::filter::Filter;
use crate::table::{
    AlternativeId, OccurrenceId, RepetitionId, RuleId, Symbol, SymbolKind, Table, Terminal, cyclic,
    spread,
};
use crate::tree::{Node, TreeRef};

/// Things that can be done at a node: one bit each.
pub(crate) type Mask = u8;

/// A subtree of the rule can be another one.
pub(crate) const VARIED: Mask = 1;
/// The rule can contain itself, and all its subtrees can stand in for each other.
pub(crate) const RECURSIVE: Mask = 1 << 1;
/// The rule is varied, and all its subtrees can stand in for each other.
pub(crate) const SHARED: Mask = 1 << 2;
/// The terminal is all of an alternative, and its rule has another such.
pub(crate) const KEYWORD: Mask = 1 << 3;
/// The terminal has more than one text.
pub(crate) const TOKEN: Mask = 1 << 4;
/// The repetition can have more than one element.
pub(crate) const LIST: Mask = 1 << 5;
/// The repetition can have different counts.
pub(crate) const ELASTIC: Mask = 1 << 6;

/// No rule is behind a symbol.
pub(crate) const NO_RULE: u32 = u32::MAX;

/// What can be done at the nodes of each symbol of a table.
#[derive(Clone, Debug)]
pub(crate) struct Capabilities {
    /// By occurrence, then by rule, then by repetition, and of layout.
    masks: Vec<Mask>,
    /// The rule behind each, in the same order; [`NO_RULE`] where there is none.
    rules: Vec<u32>,
    /// Where the symbols of each kind begin; eight of them, so that no kind is out of bounds.
    starts: [u32; 8],
    /// For each alternative, whether its one item is a literal terminal.
    pub(crate) literals: Vec<bool>,
    /// All masks together.
    any: Mask,
    /// By symbol, the mask's bits and one that the rule's number is hashed to.
    filter: Filter,
}

impl Capabilities {
    pub(crate) fn new(table: &Table) -> Self {
        let varied = varied(table);
        let mixed = mixed(table);
        let literals = literals(table);
        let recursive = cyclic(&edges(table));
        let of_rule = |rule: RuleId| {
            let mut mask = 0;
            let mut set = |bit, on: bool| mask |= if on { bit } else { 0 };
            let alike = !mixed[rule.index()];
            set(VARIED, varied[rule.index()]);
            set(SHARED, varied[rule.index()] && alike);
            set(RECURSIVE, recursive[rule.index()] && alike);
            mask
        };
        let by_rule: Vec<Mask> =
            (0..table.rule_count() as u32).map(|rule| of_rule(RuleId::new(rule))).collect();
        let keywords = keywords(table, &literals);
        let occurrences = (0..table.all_occurrence_count() as u32).map(OccurrenceId::new);
        let mut masks: Vec<Mask> = occurrences
            .clone()
            .map(|occurrence| match table.target(occurrence) {
                Some(rule) => by_rule[rule.index()],
                None => {
                    let keyword = if keywords[occurrence.index()] { KEYWORD } else { 0 };
                    keyword | if is_varied_terminal(table, occurrence) { TOKEN } else { 0 }
                }
            })
            .collect();
        let target = |occurrence| table.target(occurrence).map_or(NO_RULE, RuleId::get);
        let mut rules: Vec<u32> = occurrences.map(target).collect();
        let rules_from = masks.len() as u32;
        masks.extend(&by_rule);
        rules.extend(0..by_rule.len() as u32);
        let repetitions_from = masks.len() as u32;
        masks.extend((0..table.repetition_count() as u32).map(|id| {
            let repetition = table.repetition(RepetitionId::new(id));
            let list = if repetition.max > 1 { LIST } else { 0 };
            list | if repetition.max > repetition.min { ELASTIC } else { 0 }
        }));
        let layout = masks.len() as u32;
        masks.push(0);
        rules.resize(masks.len(), NO_RULE);
        let mut capabilities = Self {
            any: masks.iter().fold(0, |any, mask| any | mask),
            starts: [0, 0, rules_from, repetitions_from, rules_from, layout, layout, layout],
            masks,
            rules,
            literals,
            filter: Filter::new(),
        };
        for symbol in symbols(table) {
            let rule = match capabilities.rule(symbol) {
                NO_RULE => 0,
                rule => 1 << rule_bit(rule),
            };
            capabilities.filter.add(symbol, u64::from(capabilities.of(symbol)) | rule);
        }
        capabilities
    }

    #[inline]
    fn place(&self, symbol: Symbol) -> usize {
        let (kind, id) = symbol.parts();
        self.starts[kind & 7] as usize + id
    }

    /// What can be done at a node.
    #[inline]
    pub(crate) fn of(&self, symbol: Symbol) -> Mask {
        self.masks[self.place(symbol)]
    }

    /// The rule behind a symbol; [`NO_RULE`] where there is none.
    #[inline]
    pub(crate) fn rule(&self, symbol: Symbol) -> u32 {
        self.rules[self.place(symbol)]
    }

    /// A node of a tree, the first from one on, at which something can be done and that fits.
    pub(crate) fn find(
        &self,
        tree: TreeRef<'_>,
        start: usize,
        mask: Mask,
        fits: impl Fn(Node) -> bool,
    ) -> Option<usize> {
        let nodes = &tree.nodes[..tree.end(0)];
        self.filter.find_from(nodes, start, mask.trailing_zeros(), |at| {
            self.of(nodes[at].symbol) & mask != 0 && fits(nodes[at])
        })
    }

    /// A node of a tree, the first from one on, behind which a rule is and that fits.
    pub(crate) fn find_rule(
        &self,
        tree: TreeRef<'_>,
        start: usize,
        rule: u32,
        fits: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let nodes = &tree.nodes[..tree.end(0)];
        self.filter.find_from(nodes, start, rule_bit(rule), |at| {
            self.rule(nodes[at].symbol) == rule && fits(at)
        })
    }

    /// Which rules a tree may have, to be asked by [`Capabilities::may_have`].
    pub(crate) fn rules_of(&self, tree: TreeRef<'_>) -> u64 {
        self.filter.union(&tree.nodes[..tree.end(0)])
    }

    /// Whether a rule may be among the rules of a tree.
    pub(crate) fn may_have(rules: u64, rule: u32) -> bool {
        rules >> rule_bit(rule) & 1 != 0
    }

    /// Whether some symbol of the table has one of these.
    pub(crate) fn has(&self, mask: Mask) -> bool {
        self.any & mask != 0
    }
}

/// The bit of the filter that a rule shares with few others: those that masks leave.
fn rule_bit(rule: u32) -> u32 {
    Mask::BITS + rule % (u64::BITS - Mask::BITS)
}

/// The symbols that nodes of trees can have.
fn symbols(table: &Table) -> impl Iterator<Item = Symbol> + '_ {
    let of_occurrence = |id| match table.target(id) {
        Some(_) => Symbol::reference(id),
        None => Symbol::terminal(id),
    };
    let rules = || (0..table.rule_count() as u32).map(RuleId::new);
    (0..table.all_occurrence_count() as u32)
        .map(move |id| of_occurrence(OccurrenceId::new(id)))
        .chain(rules().map(Symbol::group))
        .chain(rules().map(Symbol::root))
        .chain(
            (0..table.repetition_count() as u32)
                .map(|id| Symbol::repetition(RepetitionId::new(id))),
        )
}

/// The rules that all of each rule's alternatives use.
#[pleach_unhooked::unhooked]
fn edges(table: &Table) -> Vec<Vec<u32>> {
    let of = |rule: u32| {
        let items = table.all_alternatives(RuleId::new(rule)).flat_map(|id| table.items(id));
        let rules = items.filter_map(|&item| table.rule_behind(table.element(item)));
        rules.map(RuleId::get).collect()
    };
    (0..table.rule_count() as u32).map(of).collect()
}

#[pleach_unhooked::unhooked]
fn is_varied_terminal(table: &Table, occurrence: OccurrenceId) -> bool {
    match table.terminal_at(occurrence).map(|id| table.terminal(id)) {
        Some(Terminal::Literal { bytes, ignore_case }) => {
            ignore_case && bytes.iter().any(u8::is_ascii_alphabetic)
        }
        Some(Terminal::Class { ranges }) => !matches!(ranges, [(low, high)] if low == high),
        Some(Terminal::Regular { automaton }) => {
            automaton.is_infinite()
                || automaton.states().any(|from| {
                    let ways = automaton.transitions(from);
                    ways.len() > 1
                        || ways.iter().any(|way| automaton.class_size(way.class) > 1)
                        || (automaton.is_accepting(from) && !ways.is_empty())
                })
        }
        None => false,
    }
}

/// Which rules have more than one derivation.
fn varied(table: &Table) -> Vec<bool> {
    let mut varied: Vec<bool> = (0..table.rule_count() as u32)
        .map(RuleId::new)
        .map(|rule| {
            table.alternatives(rule).len() > 1
                || table.alternatives(rule).any(|id| {
                    table.items(id).iter().any(|&item| {
                        match (item.kind(), table.element(item).kind()) {
                            (SymbolKind::Repetition(id), _)
                                if table.repetition(id).min < table.repetition(id).max =>
                            {
                                true
                            }
                            (_, SymbolKind::Terminal(occurrence)) => {
                                is_varied_terminal(table, occurrence)
                            }
                            _ => false,
                        }
                    })
                })
        })
        .collect();
    spread(&edges(table), &mut varied);
    varied
}

/// Which rules are used inside tokens and outside: layout may stand in the subtrees of one place
/// and not in those of the other.
fn mixed(table: &Table) -> Vec<bool> {
    let mut inside = vec![false; table.rule_count()];
    let Some(layout) = table.layout() else { return inside };
    let mut queue: Vec<RuleId> = (0..table.named_rule_count() as u32)
        .map(RuleId::new)
        .filter(|&rule| layout.is_lexical(rule))
        .collect();
    while let Some(rule) = queue.pop() {
        let items = table.all_alternatives(rule).flat_map(|id| table.items(id));
        for rule in items.filter_map(|&item| table.rule_behind(table.element(item))) {
            if !std::mem::replace(&mut inside[rule.index()], true) {
                queue.push(rule);
            }
        }
    }
    for rule in (0..table.rule_count() as u32).map(RuleId::new) {
        let owner = table.all_alternatives(rule).next().map_or(rule, |id| table.owner(id));
        inside[rule.index()] &= layout.is_syntactic(owner) && !layout.is_lexical(owner);
    }
    inside
}

/// Which occurrences are a literal that is an alternative, of a rule with several such.
fn keywords(table: &Table, literals: &[bool]) -> Vec<bool> {
    let mut keywords = vec![false; table.all_occurrence_count()];
    for rule in (0..table.rule_count() as u32).map(RuleId::new) {
        let alternatives = || table.alternatives(rule).filter(|id| literals[id.index()]);
        if alternatives().count() > 1 {
            for occurrence in alternatives().filter_map(|id| table.items(id)[0].occurrence()) {
                keywords[occurrence.index()] = true;
            }
        }
    }
    keywords
}

/// Which alternatives are one literal.
fn literals(table: &Table) -> Vec<bool> {
    let is_literal = |id: AlternativeId| match *table.items(id) {
        [item] => match item.kind() {
            SymbolKind::Terminal(occurrence) => table
                .terminal_at(occurrence)
                .is_some_and(|id| matches!(table.terminal(id), Terminal::Literal { .. })),
            _ => false,
        },
        _ => false,
    };
    (0..table.alternative_count() as u32).map(|id| is_literal(AlternativeId::new(id))).collect()
}
