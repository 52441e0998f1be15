//! Writes the arrays of the table from what the earlier steps found.

use fxhash::FxHashMap;

use super::LoweringLimits;
use super::language::Languages;
use super::layout;
use super::productive::Productive;
use super::reach::{Reached, used_children};
use super::resolve::{NONE, Resolved};
use crate::grammar::{Binding, Diagnostic, Expr, ExprId, Grammar, Labels, Mark, Span};
use crate::rows::Rows;
use crate::table::id::{AlternativeId, OccurrenceId, RepetitionId, RuleId, TerminalId};
use crate::table::minima::Minima;
use crate::table::names::Names;
use crate::table::production::{Ahead, Repetition, Site, Table};
use crate::table::symbol::{Symbol, SymbolKind};
use crate::table::terminal::Terminals;

/// Writes the table, without its minima.
pub(super) fn emit(
    grammar: &Grammar,
    names: &Resolved,
    languages: &Languages,
    productive: &Productive,
    reached: &Reached,
    limits: &LoweringLimits,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Table, Diagnostic> {
    let mut rules = vec![NONE; grammar.rules.len()];
    let mut named = 0;
    for (index, rule) in rules.iter_mut().enumerate() {
        if reached.rules[index] {
            *rule = named;
            named += 1;
        }
    }
    let mut emitter = Emitter {
        grammar,
        names,
        languages,
        productive,
        limits,
        rules: &rules,
        by_rule: (0..named).map(|_| Vec::new()).collect(),
        builders: Vec::new(),
        targets: Vec::new(),
        terminal_flags: Vec::new(),
        occurrence_sites: Vec::new(),
        group_sites: Vec::new(),
        repetitions: Vec::new(),
        terminals: Terminals::default(),
        known_terminals: FxHashMap::default(),
        headers: Vec::new(),
        labels: Names::default(),
        writer: Labels::new(grammar),
        parts: 0,
        visits: 0,
    };
    for (index, rule) in grammar.rules.iter().enumerate() {
        if rules[index] != NONE {
            emitter.labels.push_rule(&rule.name.text, rule.name.span);
        }
    }
    let mut bodies = vec![0];
    for (index, rule) in grammar.rules.iter().enumerate() {
        if rules[index] != NONE {
            emitter.rule(rules[index], rule.body, !reached.produced[index])?;
            bodies.push(emitter.targets.len() as u32);
        }
    }
    let headers = std::mem::take(&mut emitter.headers);
    let mut table = emitter.finish(bodies);
    table.start = RuleId::new(rules[names.start as usize]);
    table.layout = layout::build(grammar, names, languages, &rules, &table, limits, warnings)?;
    if let Some(layout) = table.layout.as_mut().filter(|_| !headers.is_empty()) {
        let wholes = names.wholes.iter().map(|&rule| rules[rule as usize]);
        let wholes = wholes.filter(|&rule| rule != NONE).map(RuleId::new);
        let tokens = headers.into_iter().map(|header| layout.terminal_token(header));
        let tokens = tokens.chain(wholes.map(|rule| layout.rule_token(rule)));
        let tokens: Vec<_> = tokens.collect();
        layout.glue(tokens);
    }
    Ok(table)
}

/// An alternative that is being written, by its place among `builders`.
type BuilderIndex = usize;

struct AlternativeBuilder {
    rule: u32,
    weight: u32,
    /// Whether it is marked as parse-only.
    marked: bool,
    /// Whether nothing that is produced leads to it.
    parse_only: bool,
    binding: Option<Binding>,
    items: Vec<Symbol>,
}

struct Emitter<'g> {
    grammar: &'g Grammar,
    names: &'g Resolved,
    languages: &'g Languages,
    productive: &'g Productive,
    limits: &'g LoweringLimits,
    /// The table's rule of each of the grammar's.
    rules: &'g [u32],
    /// The alternatives of each rule and group.
    by_rule: Vec<Vec<BuilderIndex>>,
    builders: Vec<AlternativeBuilder>,
    targets: Vec<u32>,
    terminal_flags: Vec<bool>,
    /// Sites name builders until the end.
    occurrence_sites: Vec<Site>,
    group_sites: Vec<Site>,
    repetitions: Vec<Repetition>,
    terminals: Terminals,
    known_terminals: FxHashMap<Key, TerminalId>,
    headers: Vec<TerminalId>,
    labels: Names,
    writer: Labels<'g>,
    parts: usize,
    /// Expressions looked at. Those that are shared are looked at anew at each place, and they may
    /// double at each level without being a part of anything.
    visits: usize,
}

/// What makes terminals the same.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Literal(Vec<u8>, bool),
    /// A literal before which no layout stands, so that it is another than one before which some may.
    Header(Vec<u8>),
    Class(Vec<(u32, u32)>),
    Language(u32),
}

/// Where an expression's items go.
#[derive(Clone, Copy)]
enum Into {
    /// After the items of an alternative.
    Items(BuilderIndex),
    /// They are the element of a repetition in an alternative.
    Element(RepetitionId, BuilderIndex),
}

impl Into {
    fn site(self) -> Site {
        let (builder, repetition) = match self {
            Self::Items(builder) => (builder, None),
            Self::Element(repetition, builder) => (builder, Some(repetition)),
        };
        Site { alternative: AlternativeId::new(builder as u32), repetition }
    }
}

impl Emitter<'_> {
    /// Writes the alternatives of a named rule.
    fn rule(&mut self, rule: u32, body: ExprId, parse_only: bool) -> Result<(), Diagnostic> {
        let mut tasks = Vec::new();
        self.alternatives(rule, body, parse_only, &mut tasks)?;
        while let Some((id, into)) = tasks.pop() {
            self.expression(id, into, &mut tasks)?;
        }
        Ok(())
    }

    /// Begins the alternatives of a rule or group and leaves their contents as tasks.
    fn alternatives(
        &mut self,
        rule: u32,
        body: ExprId,
        parse_only: bool,
        tasks: &mut Vec<(ExprId, Into)>,
    ) -> Result<(), Diagnostic> {
        let from = tasks.len();
        if let Expr::Choice(alternatives) = self.grammar.expr(body) {
            for alternative in alternatives {
                if self.productive.expr(alternative.expr) {
                    let said = (alternative.mark, alternative.binding);
                    let builder = self.builder(rule, said, parse_only, body)?;
                    tasks.push((alternative.expr, Into::Items(builder)));
                }
            }
        } else {
            let builder = self.builder(rule, (None, None), parse_only, body)?;
            tasks.push((body, Into::Items(builder)));
        }
        tasks[from..].reverse();
        Ok(())
    }

    fn builder(
        &mut self,
        rule: u32,
        (mark, binding): (Option<Mark>, Option<Binding>),
        parse_only: bool,
        at: ExprId,
    ) -> Result<BuilderIndex, Diagnostic> {
        self.count(at)?;
        let builder = self.builders.len();
        let (weight, marked) = match mark {
            Some(Mark::Weight(weight)) => (weight, false),
            Some(Mark::ParseOnly) => (0, true),
            None => (1, false),
        };
        let parse_only = parse_only || marked;
        let items = Vec::new();
        self.builders.push(AlternativeBuilder { rule, weight, marked, parse_only, binding, items });
        self.by_rule[rule as usize].push(builder);
        Ok(builder)
    }

    fn count(&mut self, at: ExprId) -> Result<(), Diagnostic> {
        self.parts += 1;
        if self.parts <= self.limits.parts.min(Symbol::CAPACITY as usize) {
            return Ok(());
        }
        self.too_many(at)
    }

    fn visit(&mut self, at: ExprId) -> Result<(), Diagnostic> {
        self.visits += 1;
        // Without sharing each is looked at once.
        if self.visits <= self.grammar.exprs.len().saturating_add(self.limits.parts) {
            return Ok(());
        }
        self.too_many(at)
    }

    fn too_many(&self, at: ExprId) -> Result<(), Diagnostic> {
        let message = format!("the grammar has more than {} parts", self.limits.parts);
        Err(Diagnostic::error(self.grammar.span(at), message)
            .help("raise the limit of lowering, or split the grammar")
            .limit(true))
    }

    fn expression(
        &mut self,
        id: ExprId,
        into: Into,
        tasks: &mut Vec<(ExprId, Into)>,
    ) -> Result<(), Diagnostic> {
        self.visit(id)?;
        match self.grammar.expr(id) {
            Expr::Literal { bytes, .. } if bytes.is_empty() => {}
            Expr::Literal { .. } | Expr::Class(_) | Expr::Regex(_) | Expr::Except { .. } => {
                let terminal = self.terminal(id);
                self.occurrence(id, into, terminal.get(), true)?;
            }
            Expr::Reference(_) => {
                let rule = self.rules[self.names.references[id.0 as usize] as usize];
                self.occurrence(id, into, rule, false)?;
            }
            Expr::Sequence(items) => {
                if let Into::Items(_) = into {
                    tasks.extend(items.iter().rev().map(|&item| (item, into)));
                } else {
                    self.group(id, into, tasks)?;
                }
            }
            Expr::Choice(alternatives) => {
                let mut left = alternatives.iter().filter(|a| self.productive.expr(a.expr));
                if let (Some(only), None) = (left.next(), left.next()) {
                    tasks.push((only.expr, into));
                } else {
                    self.group(id, into, tasks)?;
                }
            }
            Expr::Repeat { expr, min, max, weight } => {
                if used_children(self.grammar, self.productive, id).next().is_none() {
                    return Ok(());
                }
                if (*min, *max) == (1, Some(1)) {
                    tasks.push((*expr, into));
                } else if let Into::Items(builder) = into {
                    self.repetition(id, builder, tasks, (*expr, *min, *max, *weight))?;
                } else {
                    self.group(id, into, tasks)?;
                }
            }
        }
        Ok(())
    }

    fn repetition(
        &mut self,
        id: ExprId,
        builder: BuilderIndex,
        tasks: &mut Vec<(ExprId, Into)>,
        (expr, min, max, weight): (ExprId, u32, Option<u32>, Option<u32>),
    ) -> Result<(), Diagnostic> {
        let Some(inner) = self.essence(expr) else { return Ok(()) };
        self.count(id)?;
        let repetition = RepetitionId::new(self.repetitions.len() as u32);
        self.repetitions.push(Repetition {
            element: Symbol::LAYOUT,
            min,
            max: max.unwrap_or(Repetition::UNBOUNDED),
            weight: weight.unwrap_or(1),
            alternative: AlternativeId::new(builder as u32),
        });
        self.builders[builder].items.push(Symbol::repetition(repetition));
        tasks.push((inner, Into::Element(repetition, builder)));
        Ok(())
    }

    /// An expression without the groups around it that hold nothing else; none where nothing but
    /// the empty literal is left.
    fn essence(&self, mut id: ExprId) -> Option<ExprId> {
        loop {
            id = match self.grammar.expr(id) {
                Expr::Literal { bytes, .. } if bytes.is_empty() => return None,
                Expr::Sequence(items) if items.is_empty() => return None,
                Expr::Sequence(items) if items.len() == 1 => items[0],
                Expr::Choice(alternatives) => {
                    let mut left = alternatives.iter().filter(|a| self.productive.expr(a.expr));
                    match (left.next(), left.next()) {
                        (Some(only), None) => only.expr,
                        _ => return Some(id),
                    }
                }
                Expr::Repeat { .. }
                    if used_children(self.grammar, self.productive, id).next().is_none() =>
                {
                    return None;
                }
                Expr::Repeat { expr, min: 1, max: Some(1), .. } => *expr,
                _ => return Some(id),
            };
        }
    }

    /// Makes a group of an expression that has to be one symbol.
    fn group(
        &mut self,
        id: ExprId,
        into: Into,
        tasks: &mut Vec<(ExprId, Into)>,
    ) -> Result<(), Diagnostic> {
        self.count(id)?;
        let rule = self.by_rule.len() as u32;
        self.by_rule.push(Vec::new());
        self.group_sites.push(into.site());
        self.place(into, Symbol::group(RuleId::new(rule)));
        let parse_only = self.builders[into.site().alternative.index()].parse_only;
        self.alternatives(rule, id, parse_only, tasks)
    }

    fn occurrence(
        &mut self,
        id: ExprId,
        into: Into,
        target: u32,
        terminal: bool,
    ) -> Result<(), Diagnostic> {
        self.count(id)?;
        let occurrence = OccurrenceId::new(self.targets.len() as u32);
        self.targets.push(target);
        self.terminal_flags.push(terminal);
        self.occurrence_sites.push(into.site());
        self.labels.occurrence_spans.push(self.grammar.span(id));
        let symbol = match terminal {
            true => Symbol::terminal(occurrence),
            false => Symbol::reference(occurrence),
        };
        self.place(into, symbol);
        Ok(())
    }

    fn place(&mut self, into: Into, symbol: Symbol) {
        match into {
            Into::Items(builder) => self.builders[builder].items.push(symbol),
            Into::Element(repetition, _) => self.repetitions[repetition.index()].element = symbol,
        }
    }

    fn terminal(&mut self, id: ExprId) -> TerminalId {
        let encoding = self.grammar.encoding;
        let key = match self.grammar.expr(id) {
            Expr::Literal { bytes, .. } if self.names.headers.binary_search(&id).is_ok() => {
                Key::Header(bytes.clone())
            }
            Expr::Literal { bytes, ignore_case } => {
                let cased = bytes.iter().any(u8::is_ascii_alphabetic);
                Key::Literal(bytes.clone(), *ignore_case && cased)
            }
            Expr::Class(ranges) => Key::Class(ranges.clone()),
            _ => Key::Language(self.languages.number(id)),
        };
        if let Some(&terminal) = self.known_terminals.get(&key) {
            return terminal;
        }
        let terminal = match &key {
            Key::Literal(bytes, ignore_case) => self.terminals.push_literal(bytes, *ignore_case),
            Key::Header(bytes) => {
                let header = self.terminals.push_literal(bytes, false);
                self.headers.push(header);
                header
            }
            Key::Class(ranges) => self.terminals.push_class(ranges, encoding),
            Key::Language(_) => {
                self.terminals.push_automaton(self.languages.automaton(id).clone(), encoding)
            }
        };
        let label = self.writer.label(id);
        self.labels.push_terminal(&label);
        self.known_terminals.insert(key, terminal);
        terminal
    }

    /// Puts the alternatives of each rule side by side and renames what refers to builders.
    fn finish(mut self, bodies: Vec<u32>) -> Table {
        let (goals, bodies) = self.part(&bodies);
        let mut numbers = vec![AlternativeId::new(0); self.builders.len()];
        let has_bindings = self.builders.iter().any(|alternative| alternative.binding.is_some());
        let mut table = Table {
            encoding: self.grammar.encoding,
            start: RuleId::new(0),
            named: bodies.len() as u32 - 1,
            alternatives: vec![0],
            produced_ends: Vec::new(),
            parse_only: Vec::with_capacity(self.builders.len()),
            goals,
            items: Rows::default(),
            weights: Vec::with_capacity(self.builders.len()),
            bindings: Vec::new(),
            alternative_rules: Vec::with_capacity(self.builders.len()),
            targets: self.targets,
            terminal_flags: self.terminal_flags,
            occurrence_sites: Vec::new(),
            bodies,
            group_sites: Vec::new(),
            repetitions: Vec::new(),
            terminals: self.terminals,
            layout: None,
            has_parts: false,
            names: self.labels,
            minima: Minima::default(),
            ahead: Ahead::default(),
        };
        for builders in &self.by_rule {
            for &builder in builders {
                numbers[builder] = AlternativeId::new(table.weights.len() as u32);
                let alternative = &mut self.builders[builder];
                table.items.push(std::mem::take(&mut alternative.items));
                table.weights.push(alternative.weight);
                table.alternative_rules.push(RuleId::new(alternative.rule));
                table.parse_only.push(alternative.parse_only);
                if has_bindings {
                    table.bindings.push(alternative.binding);
                }
            }
            let marked = builders.iter().filter(|&&builder| self.builders[builder].marked).count();
            table.produced_ends.push((table.weights.len() - marked) as u32);
            table.alternatives.push(table.weights.len() as u32);
        }
        let renamed = |site: Site| Site {
            alternative: numbers[site.alternative.index()],
            repetition: site.repetition,
        };
        table.occurrence_sites = self.occurrence_sites.into_iter().map(renamed).collect();
        table.group_sites = self.group_sites.into_iter().map(renamed).collect();
        table.repetitions = self.repetitions;
        for repetition in &mut table.repetitions {
            repetition.alternative = numbers[repetition.alternative.index()];
        }
        table
    }

    /// Puts the occurrences that are parse-only behind all others, and gives the number of those
    /// others and where each rule's begin among them.
    fn part(&mut self, bodies: &[u32]) -> (u32, Vec<u32>) {
        let count = self.targets.len();
        let parse_only = |occurrence: usize| {
            let builder = self.occurrence_sites[occurrence].alternative;
            self.builders[builder.index()].parse_only
        };
        let (mut order, last): (Vec<usize>, Vec<usize>) =
            (0..count).partition(|&occurrence| !parse_only(occurrence));
        let goals = order.len();
        if last.is_empty() {
            return (goals as u32, bodies.to_vec());
        }
        let bodies = bodies
            .iter()
            .map(|&start| order.partition_point(|&before| before < start as usize) as u32)
            .collect();
        order.extend(last);
        let mut numbers = vec![OccurrenceId::new(0); count];
        for (new, &old) in order.iter().enumerate() {
            numbers[old] = OccurrenceId::new(new as u32);
        }
        self.targets = order.iter().map(|&old| self.targets[old]).collect();
        self.terminal_flags = order.iter().map(|&old| self.terminal_flags[old]).collect();
        self.occurrence_sites = order.iter().map(|&old| self.occurrence_sites[old]).collect();
        let spans = &self.labels.occurrence_spans;
        self.labels.occurrence_spans = order.iter().map(|&old| spans[old]).collect();
        let rename = |symbol: &mut Symbol| match symbol.kind() {
            SymbolKind::Reference(it) => *symbol = Symbol::reference(numbers[it.index()]),
            SymbolKind::Terminal(it) => *symbol = Symbol::terminal(numbers[it.index()]),
            _ => {}
        };
        self.builders.iter_mut().flat_map(|alternative| &mut alternative.items).for_each(rename);
        self.repetitions.iter_mut().for_each(|repetition| rename(&mut repetition.element));
        (goals as u32, bodies)
    }
}

impl Names {
    fn push_rule(&mut self, name: &str, span: Span) {
        self.text.push_str(name);
        self.rule_ends.push(self.text.len() as u32);
        self.rule_spans.push(span);
    }

    fn push_terminal(&mut self, label: &str) {
        self.text.push_str(label);
        self.terminal_ends.push(self.text.len() as u32);
    }
}
