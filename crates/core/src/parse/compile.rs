//! How a table becomes what the chart reads: see [`compiled`](super::compiled).

use fxhash::{FxHashMap, FxHashSet};

use super::binding::{Admitted, Contexts};
use super::compiled::{Compiled, Kind, Nonterminal, Position, Production, Terminals};
use super::endings;
use super::first_follow::{First, Flow, Known};
use super::id::{ContextId, NonterminalId, PositionId, SymbolId, SymbolSort};
use super::id_vec::IdVec;
use super::limits::LONGEST;
use super::next::{Look, Next, NextClasses, NextId, Set};
use super::regular::Regular;
use super::scan::{self, Beginnings, Bytes};
use super::scanner;
use crate::id::Id as _;
use crate::table::{
    AlternativeId, Repetition, RepetitionId, RuleId, Symbol, SymbolKind, Table, TerminalId,
};

/// Counts of all repetitions together that are exact, and as many for each more: see
/// [`Compiled::counted`].
const MOST_COUNTED: u64 = 1 << 20;
const MOST_COUNTED_OF_EACH: u64 = 64;

/// Up to which number each repetition of a table can be counted, that all together stay within a bound.
fn counted(table: &Table) -> u32 {
    let all = (0..table.repetition_count()).map(RepetitionId::at);
    let mut needed: Vec<u32> = all.map(|id| needed_counts(table.repetition(id))).collect();
    needed.sort_unstable();
    let mut left = MOST_COUNTED + MOST_COUNTED_OF_EACH * needed.len() as u64;
    for (index, &count) in needed.iter().enumerate() {
        // If this one is not counted to the end, none after it is.
        let share = left / (needed.len() - index) as u64;
        if u64::from(count) > share {
            return share as u32;
        }
        left -= u64::from(count);
    }
    needed.last().copied().unwrap_or(0)
}

/// Up to which number a repetition has to be counted.
fn needed_counts(repetition: &Repetition) -> u32 {
    match repetition.max {
        Repetition::UNBOUNDED => repetition.min,
        most => most,
    }
}

struct Builder<'t> {
    table: &'t Table,
    compiled: Compiled,
    /// The symbols of rules and repetitions outside tokens, then inside.
    rules: IdVec<RuleId, [Option<SymbolId>; 2]>,
    repetitions: IdVec<RepetitionId, [Option<SymbolId>; 2]>,
    /// Which rules may be tokens; none where no rule is to be one.
    regular: Option<Regular>,
    /// Whether this is what is inside a token.
    is_inside: bool,
    /// The contexts that bindings ask for, and their nonterminals outside tokens, then inside.
    contexts: Option<&'t Contexts>,
    in_contexts: IdVec<ContextId, [Option<NonterminalId>; 2]>,
    /// Of each nonterminal its context, and whether it is inside tokens.
    built: IdVec<NonterminalId, (Option<ContextId>, bool)>,
}

impl Compiled {
    /// A table from a rule, with tokens for what is regular; for [`Kind::Text`] from any named rule,
    /// whatever follows the text.
    pub(super) fn new(table: &Table, start: Kind) -> Self {
        let regular = Some(Regular::new(table));
        let terminals = Terminals::new(table);
        let compiled = Self::build((table, start), regular, false, terminals, None);
        compiled.with_endings(table)
    }

    /// The same with the operators nested as the table's bindings say.
    pub(super) fn with_bindings(self, table: &Table, start: Kind) -> Self {
        if table.bindings.is_empty() {
            return self;
        }
        let cyclic: FxHashSet<RuleId> = self
            .nonterminals
            .iter()
            .filter(|nonterminal| nonterminal.cyclic)
            .filter_map(|nonterminal| match nonterminal.kind {
                Kind::Rule(rule) => Some(rule),
                _ => None,
            })
            .collect();
        let Some(contexts) = Contexts::new(table, |rule| cyclic.contains(&rule)) else {
            return self;
        };
        let regular = Some(Regular::new(table));
        let terminals = self.shared();
        let compiled = Self::build((table, start), regular, false, terminals, Some(&contexts));
        compiled.with_endings(table)
    }

    /// A table from its start rule, symbol by symbol and without layout.
    #[cfg(test)]
    pub(super) fn without_tokens(table: &Table) -> Self {
        let start = Kind::Rule(table.start());
        Self::build((table, start), None, true, Terminals::new(table), None)
    }

    /// What is inside a token.
    pub(super) fn inside(&self, table: &Table, token: Kind) -> Self {
        Self::build((table, token), None, true, self.shared(), None)
    }

    /// What is inside a token, with tokens for the parts of its productions.
    pub(super) fn within(&self, table: &Table, token: Kind) -> Self {
        let regular = Some(Regular::new(table));
        let compiled = Self::build((table, token), regular, true, self.shared(), None);
        compiled.with_endings(table)
    }

    fn with_endings(mut self, table: &Table) -> Self {
        self.endings = endings::endings(table, &self);
        self
    }

    fn build(
        (table, start): (&Table, Kind),
        regular: Option<Regular>,
        is_inside: bool,
        Terminals { scanners, beginnings: terminals, counted }: Terminals,
        contexts: Option<&Contexts>,
    ) -> Self {
        let in_contexts = contexts.map_or(0, |contexts| contexts.rules.len());
        let mut builder = Builder {
            table,
            regular,
            is_inside,
            contexts,
            in_contexts: vec![[None; 2]; in_contexts].into(),
            built: IdVec::default(),
            compiled: Self {
                nonterminals: IdVec::default(),
                positions: IdVec::default(),
                incoming: IdVec::default(),
                back: IdVec::default(),
                first: IdVec::default(),
                rest_nullable: IdVec::default(),
                byte_classes: [0; 256],
                byte_class_count: 0,
                next_classes: NextClasses::default(),
                scanners,
                endings: IdVec::default(),
                token_scanners: IdVec::default(),
                tokens: IdVec::default(),
                first_token: TerminalId::at(terminals.len()),
                terminals: Beginnings::new(terminals),
                layout: layout_terminal(table).map_or(SymbolId::NONE, SymbolId::from),
                token_first: Next::default(),
                counted,
                longest: LONGEST,
            },
            rules: vec![[None; 2]; table.rule_count()].into(),
            repetitions: vec![[None; 2]; table.repetition_count()].into(),
        };
        builder.build(start);
        let mut compiled = builder.compiled;
        compiled.analyse(if start == Kind::Text { Next::ALL } else { Next::end() });
        compiled
    }

    fn find_byte_classes(&mut self) {
        let sets: FxHashSet<&Bytes> = self.terminals.iter().map(|(bytes, _)| bytes).collect();
        let (mut classes, mut count) = ([0_u8; 256], 1_u32);
        for set in sets {
            // The bytes of each class that begin the terminal get a class of their own, unless all
            // do.
            let mut outside = [false; 256];
            for byte in 0..=255_u8 {
                outside[usize::from(classes[usize::from(byte)])] |= !scan::has_byte(set, byte);
            }
            let mut split = [None; 256];
            for byte in (0..=255_u8).filter(|&byte| scan::has_byte(set, byte)) {
                let class = &mut classes[usize::from(byte)];
                if outside[usize::from(*class)] {
                    *class = *split[usize::from(*class)].get_or_insert_with(|| {
                        count += 1;
                        (count - 1) as u8
                    });
                }
            }
        }
        (self.byte_classes, self.byte_class_count) = (classes, count);
    }

    /// Finds out what productions begin with and what follows them; `after` may follow the text.
    fn analyse(&mut self, after: Next) {
        self.find_byte_classes();
        self.find_incoming();
        let (rests, nullable) = Flow::new(self).nullable();
        self.rest_nullable = rests;
        for (nonterminal, &nullable) in self.nonterminals.iter_mut().zip(&nullable) {
            nonterminal.nullable = nullable;
        }
        self.find_back();
        let (flow, none) = (Flow::new(self), Next::default());
        let find = |at, first: &First<Next>, known: &Known<Next>| self.find_first(at, first, known);
        let (first, known) = flow.first(&none, find);
        let follow = flow.follow(&first, &none, &after);
        self.token_first = self.find_token_first(&known);
        self.find_cycles();
        let classes = NextClasses::new(first.iter().chain(&follow));
        let mut known: FxHashMap<Next, Look> = FxHashMap::default();
        let mut look = |next: &Next| *known.entry(*next).or_insert_with(|| classes.look(next));
        self.first = first.iter().map(&mut look).collect();
        for (nonterminal, follow) in self.nonterminals.iter_mut().zip(&follow) {
            nonterminal.follow = look(follow);
        }
        self.next_classes = classes;
    }

    /// What a symbol begins with, as far as it is known.
    fn first_of(&self, symbol: SymbolId, known: &Known<Next>) -> Next {
        match symbol.sort() {
            SymbolSort::Terminal(terminal) => Next::of_bytes(&self.terminals[terminal].0),
            SymbolSort::Nonterminal(nonterminal) => known[nonterminal],
        }
    }

    /// What comes first at a position, as far as that is known of others; none at an end.
    fn find_first(&self, at: PositionId, first: &First<Next>, known: &Known<Next>) -> Option<Next> {
        let Position { symbol, target, .. } = self.positions[at];
        if symbol == SymbolId::NONE {
            return None;
        }
        if symbol != self.layout {
            let mut next = self.first_of(symbol, known);
            if self.is_nullable(symbol) {
                next.join(&first[target]);
            }
            return Some(next);
        }
        Some(match self.positions[target].symbol {
            SymbolId::NONE => {
                let mut end = Next::default();
                end.insert(NextId::END.after_layout());
                end
            }
            // Layout on both sides of an empty token may be more than layout is.
            token if self.is_nullable(token) => Next::ALL,
            token => self.first_of(token, known).after_layout(),
        })
    }

    /// Which bytes a token outside lexical rules can begin with.
    fn find_token_first(&self, known: &Known<Next>) -> Next {
        let mut all = Next::default();
        let is_layout = |position: &&Position| position.symbol == self.layout;
        let has_layout = self.layout != SymbolId::NONE;
        for position in self.positions.iter().filter(is_layout).filter(|_| has_layout) {
            let token = self.positions[position.target].symbol;
            if token == SymbolId::NONE {
                all.insert(NextId::END);
            } else if self.is_nullable(token) {
                all = Next::ALL;
            } else {
                all.join(&self.first_of(token, known));
            }
        }
        all
    }

    fn find_cycles(&mut self) {
        let mut edges = vec![Vec::new(); self.nonterminals.len()];
        let mut seen = IdVec::from(vec![false; self.positions.len()]);
        for nonterminal in &self.nonterminals {
            let mut queue = nonterminal.starts.clone();
            while let Some(at) = queue.pop() {
                let Position { symbol, target, owner, .. } = self.positions[at];
                if symbol == SymbolId::NONE {
                    continue;
                }
                if let Some(below) = symbol.nonterminal().filter(|_| self.rest_nullable[target]) {
                    edges[owner.index()].push(below.get());
                }
                if self.is_nullable(symbol) && !std::mem::replace(&mut seen[target], true) {
                    queue.push(target);
                }
            }
        }
        for (nonterminal, cyclic) in self.nonterminals.iter_mut().zip(crate::table::cyclic(&edges))
        {
            nonterminal.cyclic = cyclic;
        }
    }
}

/// The terminal of a table's layout: it has the number behind the table's terminals.
fn layout_terminal(table: &Table) -> Option<TerminalId> {
    table.layout().map(|_| TerminalId::at(table.terminal_count()))
}

impl Terminals {
    fn new(table: &Table) -> Self {
        let all = (0..table.terminal_count()).map(TerminalId::at);
        let layout = table.layout().map(|layout| layout.automaton());
        let layout = layout.map(|automaton| (scan::automaton_beginning(table, automaton), true));
        let beginnings = all.map(|terminal| scan::beginning(table, terminal)).chain(layout);
        let beginnings = beginnings.collect();
        Self { scanners: scanner::scanners(table), beginnings, counted: counted(table) }
    }
}

impl Builder<'_> {
    fn build(&mut self, start: Kind) {
        let is_inside = self.is_inside;
        let lexical = match (self.table.layout(), start) {
            (Some(layout), Kind::Rule(rule)) => is_inside || layout.is_lexical(rule),
            (Some(_), Kind::Text) => false,
            _ => true,
        };
        self.add(Kind::Text, lexical);
        self.whole(start, lexical);
        if lexical {
            // No layout stands in the text at all.
            self.compiled.layout = SymbolId::NONE;
        }
        let mut next = NonterminalId::TEXT.plus(1);
        while let Some(nonterminal) = self.compiled.nonterminals.get(next) {
            let (context, lexical) = self.built[next];
            match (nonterminal.kind, self.contexts) {
                (Kind::Text, _) => {}
                (Kind::Rule(rule), contexts) => match contexts.zip(context) {
                    Some((contexts, context)) => {
                        self.admitted(next, &contexts.admitted[context], lexical);
                    }
                    None => self.productions(next, rule, lexical),
                },
                (Kind::Repetition(repetition), _) => {
                    self.counts(next, repetition, lexical);
                }
            }
            next = next.plus(1);
        }
    }

    /// The productions of a text: its start, and layout after it.
    fn whole(&mut self, start: Kind, lexical: bool) {
        // Inside a token the caller knows how the tree calls what is read.
        let (symbol, item) = match start {
            Kind::Rule(rule) if self.is_inside => (self.rule(rule, lexical), Symbol::root(rule)),
            Kind::Rule(rule) => (self.part(start, lexical), Symbol::root(rule)),
            Kind::Repetition(repetition) => {
                let added = SymbolId::from(self.add(start, lexical));
                self.repetitions[repetition][usize::from(lexical)] = Some(added);
                (added, Symbol::LAYOUT)
            }
            Kind::Text => return self.any_rule(lexical),
        };
        let first = self.position(symbol, item, NonterminalId::TEXT);
        let text = &mut self.compiled.nonterminals[NonterminalId::TEXT];
        text.starts.push(first);
        text.productions.push(Production::NONE);
        // The last part of several holds all layout that follows.
        if !lexical && !self.table.has_parts() {
            self.position(self.compiled.layout, Symbol::LAYOUT, NonterminalId::TEXT);
        }
        self.end(NonterminalId::TEXT, Production::ONLY);
    }

    /// The productions of a text that is a sentence of any named rule, without layout after it.
    fn any_rule(&mut self, lexical: bool) {
        for rule in (0..self.table.named_rule_count()).map(RuleId::at) {
            let lexical = lexical || self.table.layout().is_some_and(|l| l.is_lexical(rule));
            let symbol = self.part(Kind::Rule(rule), lexical);
            let first = self.position(symbol, Symbol::root(rule), NonterminalId::TEXT);
            self.end(NonterminalId::TEXT, Production::text(rule));
            let text = &mut self.compiled.nonterminals[NonterminalId::TEXT];
            text.starts.push(first);
            text.productions.push(Production::text(rule));
        }
    }

    fn add(&mut self, kind: Kind, lexical: bool) -> NonterminalId {
        self.built.push((None, lexical));
        self.compiled.nonterminals.push(Nonterminal {
            kind,
            starts: Vec::new(),
            productions: Vec::new(),
            follow: Look::default(),
            nullable: false,
            cyclic: false,
        })
    }

    /// The symbol of a rule or repetition: a token, where it is regular and no layout stands in it.
    fn part(&mut self, kind: Kind, lexical: bool) -> SymbolId {
        if let (Kind::Rule(rule), Some(contexts)) = (kind, self.contexts)
            && let Some(fresh) = contexts.fresh[rule]
        {
            return self.in_context(fresh, lexical).into();
        }
        let known = match kind {
            Kind::Text => None,
            Kind::Rule(rule) => self.rules[rule][usize::from(lexical)],
            Kind::Repetition(repetition) => self.repetitions[repetition][usize::from(lexical)],
        };
        if let Some(known) = known {
            return known;
        }
        let regular = self.regular.as_mut().filter(|_| lexical);
        let scanner = regular.and_then(|regular| regular.scanner(self.table, kind));
        let symbol = match scanner {
            Some(scanner) => {
                let automaton = &scanner.automaton;
                let bytes = scan::automaton_beginning(self.table, automaton);
                let nullable = automaton.is_accepting(automaton.start());
                let compiled = &mut self.compiled;
                let terminal = compiled.terminals.end();
                compiled.terminals.push((bytes, nullable));
                compiled.token_scanners.push(scanner);
                compiled.tokens.push(kind);
                terminal.into()
            }
            None => self.add(kind, lexical).into(),
        };
        match kind {
            Kind::Text => {}
            Kind::Rule(rule) => self.rules[rule][usize::from(lexical)] = Some(symbol),
            Kind::Repetition(repetition) => {
                self.repetitions[repetition][usize::from(lexical)] = Some(symbol);
            }
        }
        symbol
    }

    /// The nonterminal of a context.
    fn in_context(&mut self, context: ContextId, lexical: bool) -> NonterminalId {
        let known = self.in_contexts[context][usize::from(lexical)];
        if let Some(known) = known {
            return known;
        }
        let rule = self.contexts.expect("there is the context").rules[context];
        let added = self.add(Kind::Rule(rule), lexical);
        self.built[added].0 = Some(context);
        self.in_contexts[context][usize::from(lexical)] = Some(added);
        added
    }

    /// The nonterminal of a rule, be it regular or not.
    fn rule(&mut self, rule: RuleId, lexical: bool) -> SymbolId {
        let known = self.rules[rule][usize::from(lexical)];
        if let Some(known) = known {
            return known;
        }
        let added = SymbolId::from(self.add(Kind::Rule(rule), lexical));
        self.rules[rule][usize::from(lexical)] = Some(added);
        added
    }

    /// Appends a position with a symbol after it, which leads to the next one.
    fn position(&mut self, symbol: SymbolId, item: Symbol, owner: NonterminalId) -> PositionId {
        let target = self.compiled.positions.end().plus(1);
        let production = Production::NONE;
        self.compiled.positions.push(Position { symbol, target, item, owner, production })
    }

    /// Appends the end of a production.
    fn end(&mut self, owner: NonterminalId, production: Production) {
        let (symbol, target, item) = (SymbolId::NONE, PositionId::NONE, Symbol::LAYOUT);
        self.compiled.positions.push(Position { symbol, target, item, owner, production });
    }

    /// Appends the positions before and in an item: layout, where it is a token, and itself.
    fn item(&mut self, item: Symbol, owner: NonterminalId, lexical: bool) -> PositionId {
        self.item_in(item, None, owner, lexical)
    }

    /// Whether layout never stands before an item that is a token.
    fn is_glued(&self, item: Symbol) -> bool {
        let layout = self.table.layout();
        layout.zip(self.table.token_at(item)).is_some_and(|(layout, token)| layout.is_glued(token))
    }

    /// The same of an item that stands in a context.
    fn item_in(
        &mut self,
        item: Symbol,
        context: Option<ContextId>,
        owner: NonterminalId,
        lexical: bool,
    ) -> PositionId {
        let first = self.compiled.positions.end();
        let layout = self.compiled.layout;
        match item.kind() {
            SymbolKind::Terminal(occurrence) => {
                if !lexical && !self.is_glued(item) {
                    self.position(layout, Symbol::LAYOUT, owner);
                }
                let terminal = TerminalId::new(self.table.targets[occurrence.index()]);
                self.position(terminal.into(), item, owner);
            }
            SymbolKind::Repetition(repetition) => {
                let symbol = self.part(Kind::Repetition(repetition), lexical);
                self.position(symbol, item, owner);
            }
            _ => {
                let rule = self.table.rule_behind(item).expect("other items expand to a rule");
                let token = !lexical
                    && matches!(item.kind(), SymbolKind::Reference(_))
                    && self.table.layout().is_some_and(|layout| layout.is_lexical(rule));
                if token && !self.is_glued(item) {
                    self.position(layout, Symbol::LAYOUT, owner);
                }
                let symbol = match context {
                    // Nothing stands beside what is inside a token.
                    Some(context) if !token => self.in_context(context, lexical).into(),
                    _ => self.part(Kind::Rule(rule), lexical || token),
                };
                self.position(symbol, item, owner);
            }
        }
        first
    }

    fn productions(&mut self, nonterminal: NonterminalId, rule: RuleId, lexical: bool) {
        for alternative in self.table.all_alternatives(rule) {
            self.production(nonterminal, alternative, [None; 2], lexical);
        }
    }

    /// The productions of a context.
    fn admitted(&mut self, nonterminal: NonterminalId, all: &[Admitted], lexical: bool) {
        for &Admitted { alternative, edges } in all {
            self.production(nonterminal, alternative, edges, lexical);
        }
    }

    /// An alternative with its first and its last item in contexts.
    fn production(
        &mut self,
        nonterminal: NonterminalId,
        alternative: AlternativeId,
        [first, last]: [Option<ContextId>; 2],
        lexical: bool,
    ) {
        let start = self.compiled.positions.end();
        let items = self.table.items(alternative);
        for (index, &item) in items.iter().enumerate() {
            let context = match index {
                0 => first,
                _ if index + 1 == items.len() => last,
                _ => None,
            };
            self.item_in(item, context, nonterminal, lexical);
        }
        let production = Production::alternative(alternative);
        self.end(nonterminal, production);
        let nonterminal = &mut self.compiled.nonterminals[nonterminal];
        nonterminal.starts.push(start);
        nonterminal.productions.push(production);
    }

    fn counts(&mut self, nonterminal: NonterminalId, repetition: RepetitionId, lexical: bool) {
        let repetition = *self.table.repetition(repetition);
        let counted = self.compiled.counted;
        let start = self.compiled.positions.end();
        let known = &mut self.compiled.nonterminals[nonterminal];
        known.starts.push(start);
        known.productions.push(Production::NONE);
        // No text of at most `longest` bytes has more elements that are not empty.
        if needed_counts(&repetition) > counted {
            self.compiled.longest = counted as usize;
        }
        let least = repetition.min.min(counted + 1);
        let bounded = repetition.max <= counted;
        let most = if bounded { repetition.max } else { least };
        for count in 0..most {
            let first = self.item(repetition.element, nonterminal, lexical);
            if count >= least {
                self.compiled.positions[first].production = Production::count(count);
            }
        }
        if bounded {
            self.end(nonterminal, Production::count(most));
        } else {
            let first = self.item(repetition.element, nonterminal, lexical);
            self.compiled.positions[first].production = Production::count(most);
            let last = self.compiled.positions.ids().last();
            self.compiled.positions[last].target = first;
        }
    }
}
