//! A second opinion: the definitions of k-paths, depths and minima, written out slowly from the
//! grammar's syntax tree, with nothing of the table's.

#![allow(dead_code, reason = "each test crate uses another part of it")]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use pleach::grammar::{Alternative, Encoding, Expr, ExprId, Grammar, Mark};
use pleach::table::{SymbolKind, Table};
use pleach::tree::Tree;

pub mod random;

/// A walk: occurrences by their numbers.
pub type Walk = Vec<u32>;

/// A place where a rule is referenced or a terminal stands.
pub struct Occurrence {
    /// The rule in whose body it stands, by its place in the grammar.
    pub owner: usize,
    pub expr: ExprId,
    /// The rule it references.
    pub target: Option<usize>,
}

pub struct Naive<'g> {
    pub grammar: &'g Grammar,
    pub start: usize,
    productive: HashSet<usize>,
    pub used: HashSet<usize>,
    /// What is used where alternatives that are parse-only count as well.
    read: HashSet<usize>,
    pub occurrences: Vec<Occurrence>,
    /// The numbers of the occurrences in each rule's body.
    bodies: HashMap<usize, Vec<u32>>,
    heights: HashMap<usize, u32>,
}

impl<'g> Naive<'g> {
    /// None where the start rule derives no finite string.
    pub fn new(grammar: &'g Grammar) -> Option<Self> {
        let mut naive = Self {
            grammar,
            start: 0,
            productive: HashSet::new(),
            used: HashSet::new(),
            read: HashSet::new(),
            occurrences: Vec::new(),
            bodies: HashMap::new(),
            heights: HashMap::new(),
        };
        if let Some(start) = &grammar.start {
            naive.start = naive.rule(&start.text);
        }
        loop {
            let more: Vec<usize> = (0..grammar.rules.len())
                .filter(|rule| !naive.productive.contains(rule))
                .filter(|&rule| naive.is_productive(grammar.rules[rule].body))
                .collect();
            if more.is_empty() {
                break;
            }
            naive.productive.extend(more);
        }
        if !naive.productive.contains(&naive.start) {
            return None;
        }
        naive.used = naive.reached(false);
        naive.read = naive.reached(true);
        for owner in 0..grammar.rules.len() {
            let mut found = Vec::new();
            if naive.used.contains(&owner) {
                naive.collect(grammar.rules[owner].body, false, &mut found);
            }
            let first = naive.occurrences.len() as u32;
            naive.bodies.insert(owner, (first..first + found.len() as u32).collect());
            for expr in found {
                let target = naive.target(expr);
                naive.occurrences.push(Occurrence { owner, expr, target });
            }
        }
        naive.find_heights();
        Some(naive)
    }

    /// The rules that the start rule leads to.
    fn reached(&self, reading: bool) -> HashSet<usize> {
        let mut reached = HashSet::from([self.start]);
        loop {
            let mut found = Vec::new();
            for &rule in &reached {
                self.collect(self.grammar.rules[rule].body, reading, &mut found);
            }
            let before = reached.len();
            reached.extend(found.into_iter().filter_map(|id| self.target(id)));
            if reached.len() == before {
                return reached;
            }
        }
    }

    pub fn rule(&self, name: &str) -> usize {
        self.grammar.rules.iter().position(|rule| rule.name.text == name).unwrap()
    }

    fn target(&self, id: ExprId) -> Option<usize> {
        match self.grammar.expr(id) {
            Expr::Reference(name) => Some(self.rule(name)),
            _ => None,
        }
    }

    fn is_productive(&self, id: ExprId) -> bool {
        match self.grammar.expr(id) {
            Expr::Literal { .. } => true,
            // The one regex of the tests that nothing matches.
            Expr::Regex(pattern) => pattern != "[a&&b]",
            Expr::Class(ranges) => !ranges.is_empty(),
            Expr::Reference(name) => self.productive.contains(&self.rule(name)),
            Expr::Sequence(items) => items.iter().all(|&item| self.is_productive(item)),
            Expr::Choice(alternatives) => {
                produced(alternatives).any(|a| self.is_productive(a.expr))
            }
            Expr::Repeat { expr, min, max, .. } => {
                *min == 0 || *max == Some(0) || self.is_productive(*expr)
            }
            // Differences that are empty are written with equal operands in the tests.
            Expr::Except { base, minus } => self.grammar.expr(*base) != self.grammar.expr(*minus),
        }
    }

    /// The occurrences under an expression, in the order of the text.
    fn collect(&self, id: ExprId, reading: bool, found: &mut Vec<ExprId>) {
        if !self.is_productive(id) {
            return;
        }
        match self.grammar.expr(id) {
            Expr::Literal { bytes, .. } if bytes.is_empty() => {}
            Expr::Sequence(items) => {
                items.iter().for_each(|&item| self.collect(item, reading, found));
            }
            Expr::Choice(alternatives) => {
                let wanted = |a: &&Alternative| reading || a.mark != Some(Mark::ParseOnly);
                let alternatives = alternatives.iter().filter(wanted);
                alternatives.for_each(|a| self.collect(a.expr, reading, found));
            }
            Expr::Repeat { max: Some(0), .. } => {}
            Expr::Repeat { expr, .. } => self.collect(*expr, reading, found),
            _ => found.push(id),
        }
    }

    pub fn body(&self, rule: usize) -> &[u32] {
        &self.bodies[&rule]
    }

    fn below(&self, occurrence: u32) -> &[u32] {
        match self.occurrences[occurrence as usize].target {
            Some(rule) => self.body(rule),
            None => &[],
        }
    }

    /// The walks of exactly 1 to `k` nodes, each length in lexicographic order; fewer lengths
    /// where there are more than `most` walks.
    pub fn walks(&self, k: usize, most: usize) -> Vec<Vec<Walk>> {
        let mut lengths: Vec<Vec<Walk>> =
            vec![(0..self.occurrences.len() as u32).map(|v| vec![v]).collect()];
        while lengths.len() < k {
            let mut longer = Vec::new();
            for walk in &lengths[lengths.len() - 1] {
                for &next in self.below(walk[walk.len() - 1]) {
                    longer.push([walk.as_slice(), &[next]].concat());
                }
            }
            if longer.len() > most {
                break;
            }
            lengths.push(longer);
        }
        lengths
    }

    // Heights and costs.

    fn find_heights(&mut self) {
        loop {
            let mut changed = false;
            for rule in 0..self.grammar.rules.len() {
                if let Some(height) = self.height(self.grammar.rules[rule].body) {
                    changed |= self.heights.insert(rule, height) != Some(height);
                }
            }
            if !changed {
                return;
            }
        }
    }

    pub fn rule_height(&self, rule: usize) -> u32 {
        self.heights[&rule]
    }

    /// The least height of an expression; none where it is not known yet, or derives nothing.
    fn height(&self, id: ExprId) -> Option<u32> {
        match self.grammar.expr(id) {
            Expr::Literal { bytes, .. } if bytes.is_empty() => Some(0),
            Expr::Reference(name) => Some(self.heights.get(&self.rule(name))? + 1),
            Expr::Sequence(items) => {
                items.iter().try_fold(0, |most, &item| Some(u32::max(most, self.height(item)?)))
            }
            Expr::Choice(alternatives) => {
                produced(alternatives).filter_map(|a| self.height(a.expr)).min()
            }
            Expr::Repeat { min: 0, .. } | Expr::Repeat { max: Some(0), .. } => Some(0),
            Expr::Repeat { expr, .. } => self.height(*expr),
            _ => self.is_productive(id).then_some(1),
        }
    }

    /// The least bytes of each rule for each height up to `most`.
    pub fn least_bytes(&self, most: u32) -> Vec<HashMap<usize, u64>> {
        let mut levels: Vec<HashMap<usize, u64>> = Vec::new();
        for height in 0..=most {
            let level = (0..self.grammar.rules.len()).filter_map(|rule| {
                let body = self.grammar.rules[rule].body;
                Some((rule, self.bytes(body, height, levels.last())?))
            });
            let level = level.collect();
            levels.push(level);
        }
        levels
    }

    fn bytes(&self, id: ExprId, height: u32, below: Option<&HashMap<usize, u64>>) -> Option<u64> {
        match self.grammar.expr(id) {
            Expr::Literal { bytes, .. } if bytes.is_empty() => Some(0),
            Expr::Reference(name) => below?.get(&self.rule(name)).copied(),
            Expr::Sequence(items) => {
                items.iter().map(|&item| self.bytes(item, height, below)).sum()
            }
            Expr::Choice(alternatives) => {
                produced(alternatives).filter_map(|a| self.bytes(a.expr, height, below)).min()
            }
            Expr::Repeat { min: 0, .. } | Expr::Repeat { max: Some(0), .. } => Some(0),
            Expr::Repeat { expr, min, .. } => {
                Some(u64::from(*min) * self.bytes(*expr, height, below)?)
            }
            Expr::Literal { bytes, .. } => (height > 0).then_some(bytes.len() as u64),
            // Classes and regexes of the tests have a string of one byte.
            _ => (height > 0 && self.is_productive(id)).then_some(1),
        }
    }

    // Feasibility.

    /// The height that a rule's body needs to contain an occurrence.
    fn need(&self, id: ExprId, occurrence: ExprId) -> Option<u32> {
        if id == occurrence {
            return self.height(id);
        }
        if !self.is_productive(id) {
            return None;
        }
        match self.grammar.expr(id) {
            Expr::Sequence(items) => {
                let inside = items.iter().find_map(|&item| self.need(item, occurrence))?;
                let others = items.iter().filter_map(|&item| self.height(item)).max()?;
                Some(inside.max(others))
            }
            Expr::Choice(alternatives) => {
                produced(alternatives).find_map(|a| self.need(a.expr, occurrence))
            }
            Expr::Repeat { max: Some(0), .. } => None,
            Expr::Repeat { expr, .. } => self.need(*expr, occurrence),
            _ => None,
        }
    }

    fn needs(&self) -> Vec<u32> {
        self.occurrences
            .iter()
            .map(|o| self.need(self.grammar.rules[o.owner].body, o.expr).unwrap())
            .collect()
    }

    /// Which of some walks trees up to a depth can cover.
    pub fn feasible<'w>(&self, depth: u32, walks: &'w [Walk]) -> HashSet<&'w Walk> {
        let needs = self.needs();
        // All rules with all heights that can be left for them.
        let mut left: BTreeSet<(usize, u32)> = BTreeSet::new();
        let mut queue = vec![(self.start, depth)];
        while let Some((rule, height)) = queue.pop() {
            if !left.insert((rule, height)) {
                continue;
            }
            for &occurrence in self.body(rule) {
                if let Some(target) = self.occurrences[occurrence as usize].target
                    && needs[occurrence as usize] <= height
                {
                    queue.push((target, height - 1));
                }
            }
        }
        let fits = |walk: &Walk| {
            let owner = self.occurrences[walk[0] as usize].owner;
            left.iter().filter(|(rule, _)| *rule == owner).any(|&(_, height)| {
                walk.iter().enumerate().all(|(i, &v)| needs[v as usize] + i as u32 <= height)
            })
        };
        walks.iter().filter(|walk| fits(walk)).collect()
    }

    // Membership.

    /// Whether the start rule derives a text, by a fixpoint over all spans.
    pub fn derives(&self, text: &[u8]) -> bool {
        let mut known: BTreeMap<(usize, usize), BTreeSet<usize>> = BTreeMap::new();
        loop {
            let mut changed = false;
            for &rule in &self.read {
                for from in 0..=text.len() {
                    let ends = self.ends(self.grammar.rules[rule].body, from, text, &known);
                    let entry = known.entry((rule, from)).or_default();
                    let before = entry.len();
                    entry.extend(ends);
                    changed |= entry.len() != before;
                }
            }
            if !changed {
                return known[&(self.start, 0)].contains(&text.len());
            }
        }
    }

    fn ends(
        &self,
        id: ExprId,
        from: usize,
        text: &[u8],
        known: &BTreeMap<(usize, usize), BTreeSet<usize>>,
    ) -> BTreeSet<usize> {
        let rest = &text[from..];
        if !self.is_productive(id) {
            return BTreeSet::new();
        }
        match self.grammar.expr(id) {
            Expr::Literal { bytes, ignore_case } => {
                let fits = rest.get(..bytes.len()).is_some_and(|start| {
                    start == bytes.as_slice() || *ignore_case && start.eq_ignore_ascii_case(bytes)
                });
                fits.then(|| from + bytes.len()).into_iter().collect()
            }
            Expr::Class(ranges) => {
                let symbol = match self.grammar.encoding {
                    Encoding::Bytes => rest.first().map(|&byte| (u32::from(byte), 1)),
                    Encoding::Unicode => {
                        let first =
                            rest.utf8_chunks().next().and_then(|it| it.valid().chars().next());
                        first.map(|it| (u32::from(it), it.len_utf8()))
                    }
                };
                let inside = |s: u32| ranges.iter().any(|&(low, high)| (low..=high).contains(&s));
                let symbol = symbol.filter(|&(symbol, _)| inside(symbol));
                symbol.map(|(_, width)| from + width).into_iter().collect()
            }
            Expr::Regex(pattern) => {
                let regex = regex::bytes::Regex::new(&format!("^(?:{pattern})$")).unwrap();
                (0..=rest.len()).filter(|&n| regex.is_match(&rest[..n])).map(|n| from + n).collect()
            }
            Expr::Reference(name) => {
                known.get(&(self.rule(name), from)).cloned().unwrap_or_default()
            }
            Expr::Sequence(items) => items.iter().fold(BTreeSet::from([from]), |starts, &item| {
                starts.iter().flat_map(|&at| self.ends(item, at, text, known)).collect()
            }),
            Expr::Choice(alternatives) => {
                alternatives.iter().flat_map(|a| self.ends(a.expr, from, text, known)).collect()
            }
            Expr::Repeat { expr, min, max, .. } => {
                let step = |starts: &BTreeSet<usize>| -> BTreeSet<usize> {
                    starts.iter().flat_map(|&at| self.ends(*expr, at, text, known)).collect()
                };
                let mut reached = BTreeSet::from([from]);
                for _ in 0..*min {
                    reached = step(&reached);
                }
                let mut all = reached.clone();
                for _ in *min..max.unwrap_or(min + text.len() as u32 + 1) {
                    reached = step(&reached);
                    all.extend(&reached);
                }
                all
            }
            Expr::Except { base, minus } => {
                let base = self.ends(*base, from, text, known);
                let minus = self.ends(*minus, from, text, known);
                base.difference(&minus).copied().collect()
            }
        }
    }
}

/// The alternatives that are not parse-only.
fn produced(alternatives: &[Alternative]) -> impl Iterator<Item = &Alternative> {
    alternatives.iter().filter(|alternative| alternative.mark != Some(Mark::ParseOnly))
}

/// The walks of 1 to `k` nodes that a tree covers: all windows of all its chains from the root.
pub fn covered(table: &Table, tree: &Tree, k: usize, into: &mut HashSet<Walk>) {
    fn visit(
        table: &Table,
        tree: &Tree,
        next: &mut usize,
        chain: &mut Walk,
        chains: &mut Vec<Walk>,
    ) {
        let node = tree.nodes()[*next];
        *next += 1;
        if node.symbol.kind() == SymbolKind::Layout {
            return visit(table, tree, next, chain, chains);
        }
        let occurrence = node.symbol.occurrence();
        chain.extend(occurrence.map(|o| o.get()));
        chains.push(chain.clone());
        for _ in 0..node.arity(table) {
            visit(table, tree, next, chain, chains);
        }
        if occurrence.is_some() {
            chain.pop();
        }
    }
    let (mut next, mut chains) = (0, Vec::new());
    visit(table, tree, &mut next, &mut Vec::new(), &mut chains);
    assert_eq!(next, tree.nodes().len());
    // Each window of a chain ends at a node, and there is a chain that ends there.
    for chain in chains {
        for length in 1..=k.min(chain.len()) {
            let walk = &chain[chain.len() - length..];
            if walk.iter().all(|&node| (node as usize) < table.occurrence_count()) {
                into.insert(walk.to_vec());
            }
        }
    }
}
