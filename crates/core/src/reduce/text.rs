//! Texts, sentences or not: most inputs that crash a parser are none.
//!
//! A sentence is reduced by its tree. Of any other text the largest parts are found that are sentences of
//! some rule, and rounds follow each other until one has gained nothing: lines are left out, then parts and
//! what stands between them, then each part is reduced by its tree, then tokens and at last characters
//! are left out. Within a part the parser under test gets what it understands; between parts there is
//! nothing to go by but the text.

use super::cuts::{Cut, Cuts};
use super::open::{Open, Ticket};
use super::reducer::{Candidate, Options, Reducer};
use super::splits;
use crate::parse::{Error, Parser, PartialParser, Scratch};
use crate::table::Symbol;
use crate::tree::Tree;

/// Makes a text small while it stays interesting, whether it is of the grammar or not.
///
/// It is asked and answered as a [`Reducer`] is. A sentence is reduced as that one does it, with the same
/// candidates; any other text by its parts, lines, tokens and characters, and the end is a text of which
/// no single character can go, unless [`Options::runs`] ends the work before.
///
/// # Examples
///
/// ```
/// use pleach::parse::Parser;
/// use pleach::reduce::{self, TextReducer};
/// use pleach::table::Table;
///
/// let table = Table::parse(r#"list = "[" ( item ( "," item )* )? "]" ; item = /[a-z]+/ | list ;"#)?;
/// let crashes = |text: &[u8]| text.windows(2).any(|two| two == b"!!");
///
/// let text = b"[one,[two,!!,[three,[four]]],five";
/// let mut reducer = TextReducer::new(&Parser::new(&table), text, reduce::Options::new());
/// assert!(reducer.refusal().is_some());
/// while let Some(candidate) = reducer.propose() {
///     reducer.answer(candidate.ticket, crashes(&candidate.text));
/// }
/// assert_eq!(reducer.text(), b"!!");
/// # Ok::<(), pleach::grammar::GrammarError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextReducer<'t> {
    parser: Parser<'t>,
    /// Made when the text turns out to be no sentence.
    parts: Option<PartialParser<'t>>,
    scratch: Scratch,
    options: Options,
    text: Vec<u8>,
    refusal: Option<Error>,
    stage: Stage<'t>,
    /// Bytes at the beginning of the round.
    bytes_before: usize,
    open: Open<Way>,
    taken: u64,
}

/// What makes a candidate of the text.
#[derive(Clone, Copy, Debug)]
enum Way {
    Cut(Cut),
    Tree(Ticket),
}

/// What is at work.
#[derive(Clone, Debug)]
enum Stage<'t> {
    Lines(Cuts),
    /// Parts, and what stands between them.
    Pieces(Cuts),
    Trees(Branch<'t>),
    Tokens(Cuts),
    Characters(Cuts),
    Done,
}

/// A part that is reduced by its tree.
#[derive(Clone, Debug)]
struct Branch<'t> {
    reducer: Box<Reducer<'t>>,
    /// Where the part begins and ends.
    at: (usize, usize),
    /// The parts before it, which come next, from the last on: so they stay where they are.
    before: Vec<(usize, usize)>,
}

/// Parts of fewer bytes are left to the cuts of tokens and characters.
const LEAST_PART: usize = 4;

impl<'t> TextReducer<'t> {
    /// How many candidates there are at most for a text that is no sentence, where
    /// [`Options::runs`] does not say it.
    pub const DEFAULT_RUNS: u64 = 10_000;

    /// A reducer of a text that is interesting.
    #[expect(clippy::missing_panics_doc, reason = "the parser makes derivations of its table")]
    pub fn new(parser: &Parser<'t>, text: &[u8], options: Options) -> Self {
        let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
        let refusal = parser.parse(text, &mut scratch, &mut tree).err();
        let mut reducer = Self {
            parser: parser.clone(),
            parts: None,
            scratch: Scratch::new(),
            options,
            text: text.to_vec(),
            refusal,
            stage: Stage::Done,
            bytes_before: text.len(),
            open: Open::new(options.get_memory()),
            taken: 0,
        };
        match reducer.refusal {
            None => {
                let own = Reducer::new(parser.table(), tree, options.without_runs());
                let own = own.expect("the parser makes derivations of its table");
                let at = (0, text.len());
                let branch = Branch { reducer: Box::new(own), at, before: Vec::new() };
                reducer.stage = Stage::Trees(branch);
            }
            Some(_) => {
                reducer.parts = Some(PartialParser::of(parser));
                reducer.stage = Stage::Lines(Cuts::new(splits::lines(text)));
            }
        }
        reducer
    }

    /// Why the text is not reduced by its tree: it is no sentence, or that was not found out within
    /// the parser's limits.
    pub fn refusal(&self) -> Option<&Error> {
        self.refusal.as_ref()
    }

    /// The smallest text so far.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// How many candidates have been settled, as [`Reducer::tried`].
    pub fn tried(&self) -> u64 {
        self.open.tried()
    }

    /// How many candidates were taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// How many candidates wait for an answer or for the answers before theirs.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Whether the work is done: there are no more candidates, and no answer is due. It is not where
    /// [`Options::runs`] has ended it.
    pub fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    /// Whether an answer still matters, as [`Reducer::is_open`].
    pub fn is_open(&self, ticket: Ticket) -> bool {
        self.open.has(ticket)
    }

    fn most(&self) -> u64 {
        let most = || if self.refusal.is_some() { Self::DEFAULT_RUNS } else { u64::MAX };
        self.options.get_runs().unwrap_or_else(most)
    }

    /// The next candidate if all that are open are refused, as [`Reducer::propose`].
    pub fn propose(&mut self) -> Option<Candidate> {
        if self.open.is_decided() {
            return None;
        }
        loop {
            if self.is_done() || self.tried() + self.open.len() as u64 >= self.most() {
                return None;
            }
            let Some((text, way)) = self.advance() else {
                if self.open.len() > 0 {
                    return None;
                }
                self.next_stage();
                continue;
            };
            let Some(hash) = self.open.fresh(&text) else {
                self.refuse(way);
                continue;
            };
            let ticket = self.open.add(hash, way);
            let gain = self.text.len() - text.len();
            return Some(Candidate { ticket, text, gain });
        }
    }

    /// The next candidate of the stage.
    fn advance(&mut self) -> Option<(Vec<u8>, Way)> {
        match &mut self.stage {
            Stage::Lines(cuts)
            | Stage::Pieces(cuts)
            | Stage::Tokens(cuts)
            | Stage::Characters(cuts) => {
                let cut = cuts.advance()?;
                let gone = cuts.range(cut);
                Some(([&self.text[..gone.start], &self.text[gone.end..]].concat(), Way::Cut(cut)))
            }
            Stage::Trees(Branch { reducer, at: (from, to), .. }) => {
                let Candidate { ticket, text, .. } = reducer.propose()?;
                let whole = [&self.text[..*from], &text, &self.text[*to..]].concat();
                Some((whole, Way::Tree(ticket)))
            }
            Stage::Done => None,
        }
    }

    /// Tries candidates one by one until none is left, and gives the smallest text that was interesting. The text itself is
    /// not asked about: it is what comes back where nothing smaller is interesting.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::parse::Parser;
    /// use pleach::reduce::{Options, TextReducer};
    /// use pleach::table::Table;
    ///
    /// let table = Table::parse(r#"list = "[" ( item ( "," item )* )? "]" ; item = /[a-z]+/ | list ;"#)?;
    /// let reducer = TextReducer::new(&Parser::new(&table), b"[one,[two],[three,[four]]]", Options::new());
    /// let small = reducer.run(|text| text.windows(2).any(|two| two == b"[["));
    /// assert_eq!(small, b"[[]]");
    /// # Ok::<(), pleach::grammar::GrammarError>(())
    /// ```
    pub fn run(mut self, mut is_interesting: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
        while let Some(candidate) = self.propose() {
            self.answer(candidate.ticket, is_interesting(&candidate.text));
        }
        self.text
    }

    /// Says whether a candidate is interesting, and gives whether the smallest text is another now, as
    /// [`Reducer::answer`].
    pub fn answer(&mut self, ticket: Ticket, interesting: bool) -> bool {
        self.open.answer(ticket, interesting);
        while let Some((way, is_taken)) = self.open.settle() {
            if is_taken {
                self.take(way);
                return true;
            }
            self.refuse(way);
        }
        false
    }

    fn refuse(&mut self, way: Way) {
        if let (Way::Tree(ticket), Stage::Trees(branch)) = (way, &mut self.stage) {
            branch.reducer.answer(ticket, false);
        }
    }

    fn take(&mut self, way: Way) {
        self.taken += 1;
        match (way, &mut self.stage) {
            (
                Way::Cut(cut),
                Stage::Lines(cuts)
                | Stage::Pieces(cuts)
                | Stage::Tokens(cuts)
                | Stage::Characters(cuts),
            ) => {
                self.text.drain(cuts.range(cut));
                cuts.take(cut);
            }
            (Way::Tree(ticket), Stage::Trees(Branch { reducer, at: (from, to), .. })) => {
                reducer.answer(ticket, true);
                self.text.splice(*from..*to, reducer.text().iter().copied());
                *to = *from + reducer.text().len();
            }
            // Stages end when nothing is open.
            _ => {}
        }
    }

    /// Goes on to what comes next when all of a stage was tried.
    fn next_stage(&mut self) {
        let stage = std::mem::replace(&mut self.stage, Stage::Done);
        self.stage = match stage {
            Stage::Lines(_) => Stage::Pieces(self.pieces()),
            Stage::Pieces(_) => {
                let parts = self.parts();
                self.branch(parts)
            }
            Stage::Trees(_) if self.refusal.is_none() => Stage::Done,
            Stage::Trees(branch) => self.branch(branch.before),
            Stage::Tokens(_) => Stage::Characters(Cuts::new(splits::characters(&self.text))),
            Stage::Characters(_) if self.text.len() < self.bytes_before => {
                self.bytes_before = self.text.len();
                Stage::Lines(Cuts::new(splits::lines(&self.text)))
            }
            Stage::Characters(_) | Stage::Done => Stage::Done,
        };
    }

    /// The parts of the text.
    fn parts(&mut self) -> Vec<(usize, usize)> {
        let found = self.parts.as_ref().map(|parts| parts.find(&self.text, &mut self.scratch));
        // Without any there are lines, tokens and characters.
        let found = found.and_then(Result::ok).unwrap_or_default();
        found.parts.into_iter().map(|part| (part.start, part.end)).collect()
    }

    fn pieces(&mut self) -> Cuts {
        let ends = self.parts().into_iter().flat_map(|(from, to)| [from as u32, to as u32]);
        let mut bounds: Vec<u32> = [0].into_iter().chain(ends).collect();
        bounds.push(self.text.len() as u32);
        bounds.dedup();
        Cuts::new(bounds)
    }

    /// The last of some parts that is worth it, or what comes after all of them.
    fn branch(&mut self, mut before: Vec<(usize, usize)>) -> Stage<'t> {
        while let Some((from, to)) = before.pop() {
            let mut tree = Tree::new();
            let Some(parts) = self.parts.as_ref().filter(|_| to - from >= LEAST_PART) else {
                continue;
            };
            if parts.read(&self.text[from..to], &mut self.scratch, &mut tree).is_err() {
                continue;
            }
            // Before a token there may be layout, which is no part of it.
            let leading = tree.nodes().iter().take_while(|node| node.symbol == Symbol::LAYOUT);
            let (nodes, bytes) = leading
                .fold((0, 0), |(nodes, bytes), node| (nodes + 1, bytes + node.choice as usize));
            tree.nodes.drain(..nodes);
            tree.text.drain(..bytes);
            let own = Reducer::of_part(self.parser.table(), tree, self.options.without_runs());
            if let Ok(reducer) = own {
                let at = (from + bytes, to);
                return Stage::Trees(Branch { reducer: Box::new(reducer), at, before });
            }
        }
        Stage::Tokens(Cuts::new(splits::tokens(self.parser.table(), &self.text)))
    }
}
