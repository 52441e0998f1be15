//! Grammars whose every choice the next token decides are read without a chart.
//!
//! Where at each choice no two tokens that lead different ways can begin alike, there is one way
//! to go on, and a stack of positions is all that reading takes; the tree is written in preorder as
//! it goes. (This is LL(1) over tokens that are found in the text as they are expected.) Where a
//! token ends must be clear too: at its longest end, if what may follow it cannot begin with what
//! the token goes on with; or if both can take any number of the same symbols, as white space
//! around a comma, for then the order of derivations gives them all to the first.
//!
//! All of JSON is so, and most tokens are inside.

use fxhash::FxHashMap;

use super::analysis::{Analysis, Tokens, has};
use super::budget::Budget;
use super::compile::{Compiled, Kind, NONE};
use super::error::Error;
use super::run::Run;
use super::scan;
use crate::table::{Symbol, Table, Terminal, TerminalId};
use crate::tree::{Node, Tree};

/// A choice that nothing leads to.
const FAIL: u16 = u16::MAX;
/// Added to the index of a list of trials.
const TRY: u16 = 1 << 14;

/// What to do at each next byte, the end of the text last.
type Choices = [u16; 257];

/// A grammar that is read by prediction.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// The choice of each nonterminal with several productions, and of each position where a
    /// repetition may end or go on; [`NONE`] where there is none.
    by_nonterminal: Vec<u32>,
    by_position: Vec<u32>,
    choices: Vec<Choices>,
    /// Tokens to look for, and the choice that each leads to; the last choice needs no look.
    trials: Vec<(Vec<(u32, u16)>, u16)>,
    /// What elements of one ASCII symbol are, for some repetitions.
    runs: Vec<Run>,
    /// What to do at each position of the grammar, and after the last of them [`Step::Stop`].
    places: Vec<Place>,
    /// For each nonterminal with several productions, one after the other: what the node says of
    /// each, and where it begins.
    ways: Vec<(u32, u32)>,
}

/// A position, with all that reading asks of it.
#[derive(Clone, Copy, Debug)]
struct Place {
    step: Step,
    /// What a tree calls the symbol, and the position after that.
    item: Symbol,
    target: u32,
    /// Where a repetition may end or go on, its choice and its run; [`NONE`] where there is none.
    choice: u32,
    run: u32,
}

/// What to do at a position.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A production ends.
    End,
    /// The text must end.
    Stop,
    /// A terminal follows.
    Terminal {
        terminal: u32,
        /// The ASCII symbols that are the terminal by themselves.
        singles: u128,
    },
    /// A token that is a rule follows: which terminal, and which of such tokens.
    Token { terminal: u32, token: u32 },
    /// A nonterminal with one production follows: what its node says, and where it begins.
    Down { choice: u32, start: u32 },
    /// A nonterminal with several follows: their choice, and the first of them in the ways.
    Choose { choice: u32, first: u32 },
}

/// A position to go on at.
#[derive(Clone, Copy, Debug)]
struct Frame {
    position: u32,
    /// The node of the repetition that is being read, to write its count in; [`NONE`] for a rule.
    node: u32,
    count: u32,
}

/// The memory of prediction.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack {
    frames: Vec<Frame>,
}

impl Stack {
    /// About how many bytes the stack took at most.
    pub(super) fn memory(&self) -> u64 {
        (self.frames.capacity() * std::mem::size_of::<Frame>()) as u64
    }
}

/// Why prediction did not come to the end.
pub(super) enum Stop {
    /// The text is not of the grammar: where the token or choice begins that does not fit.
    Left { at: usize },
    /// The budget was spent.
    Spent(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Spent(error)
    }
}

impl Program {
    /// The program of a grammar; none where some choice takes more than the next token.
    pub(super) fn new(table: &Table, grammar: &Compiled) -> Option<Self> {
        if grammar.layout != NONE {
            return None;
        }
        for nonterminal in &grammar.nonterminals {
            let empty = |&&start: &&u32| grammar.rest_nullable[start as usize];
            if nonterminal.starts.iter().filter(empty).count() > 1 || nonterminal.cyclic {
                return None;
            }
        }
        for position in grammar.positions.iter().filter(|position| position.symbol != NONE) {
            let kind = grammar.nonterminals[position.owner as usize].kind;
            if matches!(kind, Kind::Repetition(_)) && grammar.is_nullable(position.symbol) {
                return None;
            }
        }
        let mut analysis = Analysis::new(table, grammar)?;
        let mut known = FxHashMap::default();
        let mut program = Self {
            by_nonterminal: vec![NONE; grammar.nonterminals.len()],
            by_position: vec![NONE; grammar.positions.len()],
            choices: Vec::new(),
            trials: Vec::new(),
            runs: Vec::new(),
            places: Vec::new(),
            ways: Vec::new(),
        };
        for position in &grammar.positions {
            if let Some(token) =
                grammar.terminal(position.symbol).filter(|_| position.symbol != NONE)
            {
                let follow = analysis.after(position.target, position.owner);
                if !analysis.ends_clearly(token, &follow) {
                    return None;
                }
            }
        }
        for (index, nonterminal) in grammar.nonterminals.iter().enumerate() {
            if nonterminal.starts.len() > 1 {
                let ways = nonterminal.starts.iter();
                let ways: Vec<Tokens> =
                    ways.map(|&start| analysis.after(start, index as u32)).collect();
                let empty = |&start: &u32| grammar.rest_nullable[start as usize];
                let default = nonterminal.starts.iter().position(empty);
                program.by_nonterminal[index] =
                    program.choice(&mut analysis, &mut known, ways, default)?;
            }
        }
        for (index, position) in grammar.positions.iter().enumerate() {
            if position.symbol != NONE && position.production != NONE {
                let ways = vec![
                    analysis.follow[position.owner as usize].clone(),
                    analysis.first[index].clone(),
                ];
                program.by_position[index] =
                    program.choice(&mut analysis, &mut known, ways, Some(0))?;
            }
        }
        program.places(grammar, table);
        Some(program)
    }

    /// Says what to do at each position.
    fn places(&mut self, grammar: &Compiled, table: &Table) {
        let runs = self.find_runs(grammar, table);
        let mut firsts = Vec::with_capacity(grammar.nonterminals.len());
        for nonterminal in &grammar.nonterminals {
            firsts.push(self.ways.len() as u32);
            let starts = nonterminal.starts.iter();
            self.ways.extend(nonterminal.productions.iter().copied().zip(starts.copied()));
        }
        let step = |symbol: u32| match grammar.terminal(symbol) {
            _ if symbol == NONE => Step::End,
            Some(terminal) => match grammar.token(terminal) {
                Some(token) => Step::Token { terminal, token },
                None => Step::Terminal { terminal, singles: singles(grammar, table, terminal) },
            },
            None => {
                let first = firsts[symbol as usize];
                match self.by_nonterminal[symbol as usize] {
                    NONE => {
                        let (choice, start) = self.ways[first as usize];
                        Step::Down { choice, start }
                    }
                    choice => Step::Choose { choice, first },
                }
            }
        };
        let places = grammar.positions.iter().zip(&self.by_position).zip(runs);
        let places = places.map(|((position, &choice), run)| Place {
            step: step(position.symbol),
            item: position.item,
            target: position.target,
            choice,
            run,
        });
        let stop =
            Place { step: Step::Stop, item: Symbol::LAYOUT, target: NONE, choice: NONE, run: NONE };
        self.places = places.chain([stop]).collect();
    }

    /// The choice between ways that begin with some tokens. Those of a repetition that is counted far
    /// are one.
    fn choice(
        &mut self,
        analysis: &mut Analysis<'_>,
        known: &mut FxHashMap<(Vec<Tokens>, Option<usize>), u32>,
        ways: Vec<Tokens>,
        default: Option<usize>,
    ) -> Option<u32> {
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
    ) -> Option<u32> {
        let mut choices = [FAIL; 257];
        if ways.len() >= usize::from(TRY) {
            return None;
        }
        for (byte, choice) in choices.iter_mut().enumerate() {
            let mut open: Vec<(u32, u16)> = Vec::new();
            for (way, first) in ways.iter().enumerate() {
                let begun = &analysis.by_byte[byte];
                let first = begun.iter().filter(|&&token| has(first, token as usize));
                open.extend(first.map(|&token| (token, way as u16)));
            }
            let Some(&(_, way)) = open.first() else { continue };
            if open.iter().all(|&(_, other)| other == way) {
                *choice = way;
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
            let index = match self.trials.iter().position(|known| *known == trial) {
                Some(index) => index,
                None => {
                    self.trials.push(trial);
                    self.trials.len() - 1
                }
            };
            if index >= usize::from(TRY) - 1 {
                return None;
            }
            *choice = TRY + index as u16;
        }
        self.choices.push(choices);
        Some(self.choices.len() as u32 - 1)
    }

    /// Finds the repetitions whose elements are one ASCII symbol, for some symbols. Gives the run
    /// of each position where such a one may go on, and [`NONE`] for the others.
    fn find_runs(&mut self, grammar: &Compiled, table: &Table) -> Vec<u32> {
        let mut runs = vec![NONE; grammar.positions.len()];
        for (index, position) in grammar.positions.iter().enumerate() {
            let is_loop = position.production != NONE && position.symbol != NONE;
            if !is_loop || position.target != index as u32 {
                continue;
            }
            let elements: [Vec<Node>; 128] = std::array::from_fn(|symbol| {
                self.element(grammar, table, index as u32, symbol as u8).unwrap_or_default()
            });
            if let Some(run) = Run::new(&elements) {
                runs[index] = self.runs.len() as u32;
                self.runs.push(run);
            }
        }
        runs
    }

    /// The nodes of an element that is one ASCII symbol, where nothing after it matters.
    fn element(
        &self,
        grammar: &Compiled,
        table: &Table,
        position: u32,
        byte: u8,
    ) -> Option<Vec<Node>> {
        if self.choices[self.by_position[position as usize] as usize][usize::from(byte)] != 1 {
            return None;
        }
        let mut nodes = Vec::new();
        let mut stack = vec![position];
        let mut at = grammar.positions[position as usize];
        loop {
            let Some(terminal) = grammar.terminal(at.symbol) else {
                let (choice, start) =
                    self.start(grammar, at.symbol, |choices| choices[usize::from(byte)])?;
                let kind = grammar.nonterminals[at.symbol as usize].kind;
                if matches!(kind, Kind::Repetition(_)) || nodes.len() > 8 {
                    return None;
                }
                nodes.push(Node { symbol: at.item, choice });
                stack.push(at.target);
                at = grammar.positions[start as usize];
                if at.symbol == NONE {
                    return None;
                }
                continue;
            };
            if grammar.scanner(terminal).is_some() {
                return None;
            }
            let text = [byte];
            let mut end = 0;
            scan::ends(table, TerminalId::new(terminal), &text, 0, |found| end = found);
            if end != 1 {
                return None;
            }
            nodes.push(Node { symbol: at.item, choice: 1 });
            break;
        }
        // Every production above must end here.
        let mut target = at.target;
        while stack.len() > 1 {
            let position = &grammar.positions[target as usize];
            if position.symbol != NONE {
                return None;
            }
            target = stack.pop()?;
        }
        (target == position).then_some(nodes)
    }

    /// The production of a nonterminal: what its node says, and where it begins.
    fn start(
        &self,
        grammar: &Compiled,
        symbol: u32,
        choose: impl FnOnce(&Choices) -> u16,
    ) -> Option<(u32, u32)> {
        let nonterminal = &grammar.nonterminals[symbol as usize];
        let choice = match self.by_nonterminal[symbol as usize] {
            NONE => 0,
            choice => choose(&self.choices[choice as usize]),
        };
        let &start = nonterminal.starts.get(usize::from(choice))?;
        Some((nonterminal.productions[usize::from(choice)], start))
    }

    /// Decides by the next byte, and by the tokens that begin with it where it takes that. Notes
    /// the token that was found.
    #[inline]
    fn decide(
        &self,
        choices: &Choices,
        grammar: (&Compiled, &Table),
        text: &[u8],
        at: usize,
        known: &mut (u32, usize, usize),
    ) -> u16 {
        let choice = choices[text.get(at).map_or(256, |&byte| usize::from(byte))];
        if choice < TRY { choice } else { self.look(choice, grammar, text, at, known) }
    }

    /// Decides by the tokens that may be here.
    fn look(
        &self,
        choice: u16,
        grammar: (&Compiled, &Table),
        text: &[u8],
        at: usize,
        known: &mut (u32, usize, usize),
    ) -> u16 {
        if choice == FAIL {
            return FAIL;
        }
        let (tokens, default) = &self.trials[usize::from(choice - TRY)];
        for &(token, way) in tokens {
            if let Some(end) = find(grammar, token, text, at).filter(|&end| end > at) {
                *known = (token, at, end);
                return way;
            }
        }
        *default
    }

    /// Reads a whole text, and appends its nodes. What `inside` is told of each token that is a
    /// rule: what the tree calls it, the token, and where it begins and ends. Gives how many nodes it
    /// made, or would have, without those inside tokens.
    pub(super) fn read<const TREE: bool>(
        &self,
        (grammar, table): (&Compiled, &Table),
        budget: &Budget<'_>,
        text: &[u8],
        stack: &mut Stack,
        tree: &mut Tree,
        mut inside: impl FnMut(&mut Tree, Symbol, u32, (usize, usize)) -> Result<(), Error>,
    ) -> Result<u64, Stop> {
        // No count here passes the text's length or the grammar's size, so none wraps; that is not
        // checked, for where comparisons have hooks each of the checks is one.
        let mut at = 0;
        let mut position = grammar.nonterminals[0].starts[0];
        // What is being read, and below it, in `stack`, what goes on when that ends.
        let mut top = Frame { position: grammar.positions.len() as u32, node: NONE, count: 0 };
        let mut depth = 0_usize;
        // The token that was found last, where it begins and ends.
        let mut known = (NONE, 0, 0);
        let (mut work, mut due) = (0_u64, NODES_A_LOOK);
        loop {
            let place = &self.places[position as usize];
            let mut step = place.step;
            // Nothing goes on without a loop or a production that begins, which look at the budget.
            if place.choice != NONE {
                if is_time(work, &mut due) {
                    budget.check(at, work)?;
                }
                if TREE && let Some(run) = self.runs.get(place.run as usize) {
                    let count = run.write(budget, &text[at..], &mut tree.nodes)?;
                    at = at.wrapping_add(count);
                    top.count = top.count.wrapping_add(count as u32);
                }
                let choices = &self.choices[place.choice as usize];
                match self.decide(choices, (grammar, table), text, at, &mut known) {
                    FAIL => return Err(Stop::Left { at }),
                    0 => step = Step::End,
                    _ => {}
                }
            }
            let (choice, start) = match step {
                Step::End => {
                    // No node has the number [`NONE`].
                    if TREE && let Some(node) = tree.nodes.get_mut(top.node as usize) {
                        node.choice = top.count;
                    }
                    position = top.position;
                    depth = depth.wrapping_sub(1);
                    if let Some(&below) = stack.frames.get(depth) {
                        top = below;
                    }
                    continue;
                }
                Step::Stop => {
                    return if at == text.len() { Ok(work) } else { Err(Stop::Left { at }) };
                }
                Step::Terminal { terminal, singles } => {
                    let is_single = text.get(at).is_some_and(|&byte| is_in(singles, byte));
                    let end = if is_single {
                        at.wrapping_add(1)
                    } else {
                        let Some(end) = find_unless(known, (grammar, table), terminal, text, at)
                        else {
                            return Err(Stop::Left { at });
                        };
                        end
                    };
                    if TREE {
                        let choice = end.wrapping_sub(at) as u32;
                        budget.room(&mut tree.nodes, 1)?;
                        tree.nodes.push(Node { symbol: place.item, choice });
                    }
                    top.count = top.count.wrapping_add(1);
                    work = work.wrapping_add(1);
                    at = end;
                    position = place.target;
                    continue;
                }
                Step::Token { terminal, token } => {
                    let Some(end) = find_unless(known, (grammar, table), terminal, text, at) else {
                        return Err(Stop::Left { at });
                    };
                    if TREE {
                        inside(tree, place.item, token, (at, end))?;
                    }
                    top.count = top.count.wrapping_add(1);
                    work = work.wrapping_add(1);
                    at = end;
                    position = place.target;
                    continue;
                }
                Step::Down { choice, start } => (choice, start),
                Step::Choose { choice, first } => {
                    let choices = &self.choices[choice as usize];
                    match self.decide(choices, (grammar, table), text, at, &mut known) {
                        FAIL => return Err(Stop::Left { at }),
                        way => self.ways[first.wrapping_add(way.into()) as usize],
                    }
                }
            };
            work = work.wrapping_add(1);
            if is_time(work, &mut due) {
                budget.check(at, work)?;
            }
            let mut node = NONE;
            if TREE {
                if choice == NONE {
                    node = tree.nodes.len() as u32;
                }
                budget.room(&mut tree.nodes, 1)?;
                tree.nodes.push(Node { symbol: place.item, choice });
            }
            top.count = top.count.wrapping_add(1);
            match stack.frames.get_mut(depth) {
                Some(frame) => *frame = top,
                None => {
                    budget.room(&mut stack.frames, 1)?;
                    stack.frames.push(top);
                }
            }
            depth = depth.wrapping_add(1);
            top = Frame { position: place.target, node, count: 0 };
            position = start;
        }
    }
}

/// Nodes between two looks at the budget.
const NODES_A_LOOK: u64 = 1 << 16;

/// Whether so much work is due that was not looked at.
#[inline]
fn is_time(work: u64, due: &mut u64) -> bool {
    let is_time = work >= *due;
    if is_time {
        *due = work.wrapping_add(NODES_A_LOOK);
    }
    is_time
}

/// The ASCII symbols that a terminal of the table is by themselves, whatever follows them.
fn singles(grammar: &Compiled, table: &Table, terminal: u32) -> u128 {
    if grammar.scanner(terminal).is_some() {
        return 0;
    }
    let is_single = |&byte: &u8| {
        let mut end = 0;
        scan::ends(table, TerminalId::new(terminal), &[byte], 0, |found| end = found);
        end == 1
    };
    match table.terminal(TerminalId::new(terminal)) {
        Terminal::Regular { .. } => 0,
        _ => (0..128).filter(is_single).fold(0, |singles, byte| singles | 1 << byte),
    }
}

/// Whether a byte is of a set of ASCII symbols.
#[inline]
fn is_in(symbols: u128, byte: u8) -> bool {
    let is_ascii = !byte >> 7;
    (symbols >> (byte & 127)) as u8 & is_ascii == 1
}

/// As [`find`], unless the token was just found here.
#[inline]
fn find_unless(
    (token, start, end): (u32, usize, usize),
    grammar: (&Compiled, &Table),
    wanted: u32,
    text: &[u8],
    at: usize,
) -> Option<usize> {
    if token == wanted && start == at { Some(end) } else { find(grammar, wanted, text, at) }
}

/// Where the longest string of a token that begins here ends.
#[cfg_attr(not(fuzzing), inline)]
#[pleach_unhooked::unhooked]
fn find(
    (grammar, table): (&Compiled, &Table),
    token: u32,
    text: &[u8],
    at: usize,
) -> Option<usize> {
    if let Some(scanner) = grammar.scanner(token) {
        return scanner.longest(text, at);
    }
    let mut longest = None;
    scan::ends(table, TerminalId::new(token), text, at, |end| longest = Some(end));
    longest
}
