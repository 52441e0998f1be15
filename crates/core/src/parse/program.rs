//! How a grammar becomes a program that reads by prediction: see [`predict`](super::predict).

use fxhash::FxHashMap;

use super::analysis::{Analysis, Tokens, has};
use super::compiled::{Compiled, Kind, Production};
use super::id::{NonterminalId, PositionId, SymbolId, SymbolSort};
use super::id_vec::IdVec;
use super::predict::{ChoiceId, Choices, Decision, Place, Program, RunId, Step, TrialId, WayId};
use super::run::Run;
use super::scan;
use crate::id::Id as _;
use crate::table::{Symbol, Table, Terminal, TerminalId};
use crate::tree::Node;

impl Program {
    /// The program of a grammar; none where some choice takes more than the next token.
    pub(super) fn new(table: &Table, grammar: &Compiled) -> Option<Self> {
        if grammar.layout != SymbolId::NONE {
            return None;
        }
        for nonterminal in &grammar.nonterminals {
            let empty = |&&start: &&PositionId| grammar.rest_nullable[start];
            if nonterminal.starts.iter().filter(empty).count() > 1 || nonterminal.cyclic {
                return None;
            }
        }
        for position in grammar.positions.iter().filter(|it| it.symbol != SymbolId::NONE) {
            let kind = grammar.nonterminals[position.owner].kind;
            if matches!(kind, Kind::Repetition(_)) && grammar.is_nullable(position.symbol) {
                return None;
            }
        }
        let mut builder = ProgramBuilder {
            by_nonterminal: vec![ChoiceId::NONE; grammar.nonterminals.len()].into(),
            by_position: vec![ChoiceId::NONE; grammar.positions.len()].into(),
            program: Self::default(),
        };
        builder.find_choices(table, grammar)?;
        builder.places(grammar, table);
        builder.program.start = grammar.nonterminals[NonterminalId::TEXT].starts[0];
        Some(builder.program)
    }
}

/// A program in the making.
struct ProgramBuilder {
    /// The choice of each nonterminal with several productions, and of each position where a
    /// repetition may end or go on.
    by_nonterminal: IdVec<NonterminalId, ChoiceId>,
    by_position: IdVec<PositionId, ChoiceId>,
    program: Program,
}

impl ProgramBuilder {
    /// Finds every choice; none where some choice takes more than the next token.
    fn find_choices(&mut self, table: &Table, grammar: &Compiled) -> Option<()> {
        let mut analysis = Analysis::new(table, grammar)?;
        let mut known = FxHashMap::default();
        for position in &grammar.positions {
            if let Some(token) = position.symbol.terminal() {
                let follow = analysis.after(position.target, position.owner);
                if !analysis.ends_clearly(token, &follow) {
                    return None;
                }
            }
        }
        for (id, nonterminal) in grammar.nonterminals.pairs() {
            if nonterminal.starts.len() > 1 {
                let ways = nonterminal.starts.iter();
                let ways: Vec<Tokens> = ways.map(|&start| analysis.after(start, id)).collect();
                let empty = |&start: &PositionId| grammar.rest_nullable[start];
                let default = nonterminal.starts.iter().position(empty);
                self.by_nonterminal[id] = self.choice(&mut analysis, &mut known, ways, default)?;
            }
        }
        for (at, position) in grammar.positions.pairs() {
            if position.symbol != SymbolId::NONE && position.production != Production::NONE {
                let ways =
                    vec![analysis.follow[position.owner].clone(), analysis.first[at].clone()];
                self.by_position[at] = self.choice(&mut analysis, &mut known, ways, Some(0))?;
            }
        }
        Some(())
    }

    /// Says what to do at each position.
    fn places(&mut self, grammar: &Compiled, table: &Table) {
        let runs = self.find_runs(grammar, table);
        let mut firsts: IdVec<NonterminalId, WayId> = IdVec::default();
        for nonterminal in &grammar.nonterminals {
            firsts.push(self.program.ways.end());
            let starts = nonterminal.starts.iter();
            self.program.ways.extend(nonterminal.productions.iter().copied().zip(starts.copied()));
        }
        let step = |symbol: SymbolId| match symbol.sort() {
            _ if symbol == SymbolId::NONE => Step::End,
            SymbolSort::Terminal(terminal) => match grammar.token(terminal) {
                Some(token) => Step::Token { terminal, token },
                None => Step::Terminal { terminal, singles: singles(grammar, table, terminal) },
            },
            SymbolSort::Nonterminal(nonterminal) => {
                let first = firsts[nonterminal];
                match self.by_nonterminal[nonterminal] {
                    ChoiceId::NONE => {
                        let (production, start) = self.program.ways[first];
                        Step::Down { production, start }
                    }
                    choice => Step::Choose { choice, first },
                }
            }
        };
        let places = grammar.positions.iter().zip(&self.by_position).zip(&runs);
        let places = places.map(|((position, &choice), &run)| Place {
            step: step(position.symbol),
            item: position.item,
            target: position.target,
            choice,
            run,
        });
        let stop = Place {
            step: Step::Stop,
            item: Symbol::LAYOUT,
            target: PositionId::NONE,
            choice: ChoiceId::NONE,
            run: RunId::NONE,
        };
        self.program.places = places.chain([stop]).collect();
    }

    /// The choice between ways that begin with some tokens. Those of a repetition that is counted far
    /// are one.
    fn choice(
        &mut self,
        analysis: &mut Analysis<'_>,
        known: &mut FxHashMap<(Vec<Tokens>, Option<usize>), ChoiceId>,
        ways: Vec<Tokens>,
        default: Option<usize>,
    ) -> Option<ChoiceId> {
        let key = (ways, default);
        if let Some(&choice) = known.get(&key) {
            return Some(choice);
        }
        let choice = self.add_choice(analysis, &key.0, default)?;
        known.insert(key, choice);
        Some(choice)
    }

    fn add_choice(
        &mut self,
        analysis: &mut Analysis<'_>,
        ways: &[Tokens],
        default: Option<usize>,
    ) -> Option<ChoiceId> {
        let mut choices = [Decision::FAIL; 257];
        // Each way has a number then.
        Decision::to(ways.len())?;
        for (byte, choice) in analysis.by_byte.ids().into_iter().zip(&mut choices) {
            let mut open: Vec<(TerminalId, u16)> = Vec::new();
            for (way, first) in ways.iter().enumerate() {
                let begun = &analysis.by_byte[byte];
                let first = begun.iter().filter(|&&token| has(first, token));
                open.extend(first.map(|&token| (token, way as u16)));
            }
            let Some(&(_, way)) = open.first() else { continue };
            if open.iter().all(|&(_, other)| other == way) {
                *choice = Decision::to(way.into())?;
                continue;
            }
            for (i, &(left, way)) in open.iter().enumerate() {
                for &(right, other) in &open[..i] {
                    if way != other && !analysis.are_disjoint(left, right) {
                        return None;
                    }
                }
            }
            let last = open.last().map_or(way, |&(_, way)| way);
            let default = default.map(|way| way as u16);
            let default = default.filter(|way| open.iter().any(|(_, other)| other == way));
            let default = default.unwrap_or(last);
            open.retain(|&(_, way)| way != default);
            let trial = (open, default);
            let trial = match self.program.trials.iter().position(|known| *known == trial) {
                Some(known) => TrialId::at(known),
                None => self.program.trials.push(trial),
            };
            *choice = Decision::trying(trial)?;
        }
        Some(self.program.choices.push(choices))
    }

    /// Finds the repetitions whose elements are one ASCII symbol, for some symbols. Gives the run
    /// of each position where such a one may go on, and none for the others.
    fn find_runs(&mut self, grammar: &Compiled, table: &Table) -> IdVec<PositionId, RunId> {
        let mut runs = IdVec::from(vec![RunId::NONE; grammar.positions.len()]);
        for (at, position) in grammar.positions.pairs() {
            let is_loop =
                position.production != Production::NONE && position.symbol != SymbolId::NONE;
            if !is_loop || position.target != at {
                continue;
            }
            let elements: [Vec<Node>; 128] = std::array::from_fn(|symbol| {
                self.element(grammar, table, at, symbol as u8).unwrap_or_default()
            });
            if let Some(run) = Run::new(&elements) {
                runs[at] = self.program.runs.push(run);
            }
        }
        runs
    }

    /// The nodes of an element that is one ASCII symbol, where nothing after it matters.
    fn element(
        &self,
        grammar: &Compiled,
        table: &Table,
        position: PositionId,
        byte: u8,
    ) -> Option<Vec<Node>> {
        if self.program.choices[self.by_position[position]][usize::from(byte)].way() != Some(1) {
            return None;
        }
        let mut nodes = Vec::new();
        let mut stack = vec![position];
        let mut at = grammar.positions[position];
        loop {
            if let Some(nonterminal) = at.symbol.nonterminal() {
                let (production, start) =
                    self.start(grammar, nonterminal, |choices| choices[usize::from(byte)])?;
                let kind = grammar.nonterminals[nonterminal].kind;
                if matches!(kind, Kind::Repetition(_)) || nodes.len() > 8 {
                    return None;
                }
                nodes.push(Node { symbol: at.item, choice: production.choice() });
                stack.push(at.target);
                at = grammar.positions[start];
                continue;
            }
            let terminal = at.symbol.terminal()?;
            if grammar.scanner(terminal).is_some() {
                return None;
            }
            let text = [byte];
            let mut end = 0;
            scan::ends(table, terminal, &text, 0, |found| end = found);
            if end != 1 {
                return None;
            }
            nodes.push(Node { symbol: at.item, choice: 1 });
            break;
        }
        // Every production above must end here.
        let mut target = at.target;
        while stack.len() > 1 {
            let position = &grammar.positions[target];
            if position.symbol != SymbolId::NONE {
                return None;
            }
            target = stack.pop()?;
        }
        (target == position).then_some(nodes)
    }

    /// The production of a nonterminal, and where it begins.
    fn start(
        &self,
        grammar: &Compiled,
        nonterminal: NonterminalId,
        choose: impl FnOnce(&Choices) -> Decision,
    ) -> Option<(Production, PositionId)> {
        let choice = match self.by_nonterminal[nonterminal] {
            ChoiceId::NONE => 0,
            choice => choose(&self.program.choices[choice]).way()?,
        };
        let nonterminal = &grammar.nonterminals[nonterminal];
        let &start = nonterminal.starts.get(usize::from(choice))?;
        Some((nonterminal.productions[usize::from(choice)], start))
    }
}

/// The ASCII symbols that a terminal of the table is by themselves, whatever follows them.
fn singles(grammar: &Compiled, table: &Table, terminal: TerminalId) -> u128 {
    if grammar.scanner(terminal).is_some() {
        return 0;
    }
    let is_single = |&byte: &u8| {
        let mut end = 0;
        scan::ends(table, terminal, &[byte], 0, |found| end = found);
        end == 1
    };
    match table.terminal(terminal) {
        Terminal::Regular { .. } => 0,
        _ => (0..128).filter(is_single).fold(0, |singles, byte| singles | 1 << byte),
    }
}
