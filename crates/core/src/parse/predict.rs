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

use super::budget::Budget;
use super::compiled::{Compiled, Production};
use super::error::Error;
use super::id::{PositionId, TokenId};
use super::id_vec::IdVec;
use super::run::Run;
use super::scan;
use crate::id::{Id as _, id};
use crate::pack::packed;
use crate::table::{Symbol, Table, TerminalId};
use crate::tree::{Node, Tree};

id! {
    /// A choice of a program.
    ChoiceId | NONE
}
id! {
    /// What to try where a choice takes more than a byte.
    TrialId
}
id! {
    /// A run of a program.
    RunId | NONE
}
id! {
    /// A way to go on where a choice is.
    WayId
}
id! {
    /// A node of the tree that is written.
    WrittenId | NONE
}

/// What a next byte decides, in one number of two bytes: which way to go on, or that none leads on, or what to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decision(u16);

/// Trials are numbered from here on.
const FIRST_TRIAL: u16 = 1 << 14;

impl Decision {
    /// No way leads on.
    pub(super) const FAIL: Self = Self(u16::MAX);

    /// One of the ways; none where there are too many of them.
    #[cfg(feature = "front")]
    pub(super) fn to(way: usize) -> Option<Self> {
        u16::try_from(way).ok().filter(|&way| way < FIRST_TRIAL).map(Self)
    }

    /// A trial; none where there are too many of them.
    #[cfg(feature = "front")]
    pub(super) fn trying(trial: TrialId) -> Option<Self> {
        let number = u16::try_from(trial.get()).ok()?.checked_add(FIRST_TRIAL)?;
        (number < 2 * FIRST_TRIAL - 1).then_some(Self(number))
    }

    /// Which of the ways this is, if it is one.
    #[inline]
    pub(super) fn way(self) -> Option<u16> {
        (self.0 < FIRST_TRIAL).then_some(self.0)
    }

    fn trial(self) -> Option<TrialId> {
        (self != Self::FAIL).then(|| TrialId::new((self.0 - FIRST_TRIAL).into()))
    }
}

impl Default for Decision {
    fn default() -> Self {
        Self::FAIL
    }
}

packed!(id Decision, Decision, |decision: Decision| decision.0);

/// What to do at each next byte, the end of the text last.
pub(super) type Choices = [Decision; 257];

/// Tokens to look for, and the way that each leads to; the last way needs no look.
pub(super) type Trial = (Vec<(TerminalId, u16)>, u16);

/// A grammar that is read by prediction.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// The position that reading begins at.
    pub(super) start: PositionId,
    pub(super) choices: IdVec<ChoiceId, Choices>,
    pub(super) trials: IdVec<TrialId, Trial>,
    /// What elements of one ASCII symbol are, for some repetitions.
    pub(super) runs: IdVec<RunId, Run>,
    /// What to do at each position of the grammar, and after the last of them [`Step::Stop`].
    pub(super) places: IdVec<PositionId, Place>,
    /// The productions of each nonterminal, one after the other, and where each begins.
    pub(super) ways: IdVec<WayId, (Production, PositionId)>,
}

/// A position, with all that reading asks of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) step: Step,
    /// What a tree calls the symbol, and the position after that.
    pub(super) item: Symbol,
    pub(super) target: PositionId,
    /// Where a repetition may end or go on, its choice and its run, if there are such.
    pub(super) choice: ChoiceId,
    pub(super) run: RunId,
}

/// What to do at a position.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A production ends.
    End,
    /// The text must end.
    Stop,
    /// A terminal follows.
    Terminal {
        terminal: TerminalId,
        /// The ASCII symbols that are the terminal by themselves.
        singles: u128,
    },
    /// A token that is a rule follows: which terminal, and which of such tokens.
    Token { terminal: TerminalId, token: TokenId },
    /// A nonterminal with one production follows: that, and where it begins.
    Down { production: Production, start: PositionId },
    /// A nonterminal with several follows: their choice, and the first of them in the ways.
    Choose { choice: ChoiceId, first: WayId },
}

/// A position to go on at.
#[derive(Clone, Copy, Debug)]
struct Frame {
    position: PositionId,
    /// The node of the repetition that is being read, to write its count in; none for a rule.
    node: WrittenId,
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

/// A token that was found, and where it begins and ends.
#[derive(Clone, Copy, Debug)]
struct Found {
    terminal: TerminalId,
    from: usize,
    to: usize,
}

impl Found {
    /// Before any is found: no text is so long.
    fn nothing() -> Self {
        Self { terminal: TerminalId::new(0), from: usize::MAX, to: usize::MAX }
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
    /// Decides by the next byte, and by the tokens that begin with it where it takes that. Notes
    /// the token that was found; gives the way, if one leads on.
    #[inline]
    fn decide(
        &self,
        choices: &Choices,
        grammar: (&Compiled, &Table),
        text: &[u8],
        at: usize,
        known: &mut Found,
    ) -> Option<u16> {
        let decision = choices[text.get(at).map_or(256, |&byte| usize::from(byte))];
        decision.way().or_else(|| self.look(decision.trial()?, grammar, text, at, known))
    }

    /// Decides by the tokens that may be here.
    fn look(
        &self,
        trial: TrialId,
        grammar: (&Compiled, &Table),
        text: &[u8],
        at: usize,
        known: &mut Found,
    ) -> Option<u16> {
        let (tokens, default) = &self.trials[trial];
        for &(token, way) in tokens {
            if let Some(end) = find(grammar, token, text, at).filter(|&end| end > at) {
                *known = Found { terminal: token, from: at, to: end };
                return Some(way);
            }
        }
        Some(*default)
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
        mut inside: impl FnMut(&mut Tree, Symbol, TokenId, (usize, usize)) -> Result<(), Error>,
    ) -> Result<u64, Stop> {
        // No count here passes the text's length or the grammar's size, so none wraps; that is not
        // checked, for where comparisons have hooks each of the checks is one.
        let mut at = 0;
        let mut position = self.start;
        // What is being read, and below it, in `stack`, what goes on when that ends.
        let stop = PositionId::at(self.places.len().wrapping_sub(1));
        let mut top = Frame { position: stop, node: WrittenId::NONE, count: 0 };
        let mut depth = 0_usize;
        // The token that was found last.
        let mut known = Found::nothing();
        let (mut work, mut due) = (0_u64, NODES_A_LOOK);
        loop {
            let place = &self.places[position];
            let mut step = place.step;
            // Nothing goes on without a loop or a production that begins, which look at the budget.
            if place.choice != ChoiceId::NONE {
                if is_time(work, &mut due) {
                    budget.check(at, work)?;
                }
                if TREE && let Some(run) = self.runs.get(place.run) {
                    let count = run.write(budget, &text[at..], &mut tree.nodes)?;
                    at = at.wrapping_add(count);
                    top.count = top.count.wrapping_add(count as u32);
                }
                let choices = &self.choices[place.choice];
                match self.decide(choices, (grammar, table), text, at, &mut known) {
                    None => return Err(Stop::Left { at }),
                    Some(0) => step = Step::End,
                    Some(_) => {}
                }
            }
            let (production, start) = match step {
                Step::End => {
                    // No node has the number [`WrittenId::NONE`].
                    if TREE && let Some(node) = tree.nodes.get_mut(top.node.index()) {
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
                Step::Down { production, start } => (production, start),
                Step::Choose { choice, first } => {
                    let choices = &self.choices[choice];
                    match self.decide(choices, (grammar, table), text, at, &mut known) {
                        None => return Err(Stop::Left { at }),
                        Some(way) => self.ways[WayId::new(first.get().wrapping_add(way.into()))],
                    }
                }
            };
            work = work.wrapping_add(1);
            if is_time(work, &mut due) {
                budget.check(at, work)?;
            }
            let mut node = WrittenId::NONE;
            if TREE {
                if production == Production::NONE {
                    node = WrittenId::at(tree.nodes.len());
                }
                budget.room(&mut tree.nodes, 1)?;
                tree.nodes.push(Node { symbol: place.item, choice: production.choice() });
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

packed!(struct Program { start, choices, trials, runs, places, ways });
packed!(struct Place { step, item, target, choice, run });
packed!(enum Step {
    0 => End,
    1 => Stop,
    2 => Terminal { terminal, singles },
    3 => Token { terminal, token },
    4 => Down { production, start },
    5 => Choose { choice, first },
});

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

/// Whether a byte is of a set of ASCII symbols.
#[inline]
fn is_in(symbols: u128, byte: u8) -> bool {
    let is_ascii = !byte >> 7;
    (symbols >> (byte & 127)) as u8 & is_ascii == 1
}

/// As [`find`], unless the token was just found here.
#[inline]
fn find_unless(
    known: Found,
    grammar: (&Compiled, &Table),
    wanted: TerminalId,
    text: &[u8],
    at: usize,
) -> Option<usize> {
    let is_known = known.terminal == wanted && known.from == at;
    if is_known { Some(known.to) } else { find(grammar, wanted, text, at) }
}

/// Where the longest string of a token that begins here ends.
#[cfg_attr(not(fuzzing), inline)]
#[pleach_unhooked::unhooked]
fn find(
    (grammar, table): (&Compiled, &Table),
    token: TerminalId,
    text: &[u8],
    at: usize,
) -> Option<usize> {
    if let Some(scanner) = grammar.scanner(token) {
        return scanner.longest(text, at);
    }
    let mut longest = None;
    scan::ends(table, token, text, at, |end| longest = Some(end));
    longest
}
