//! Contenders on one language, measured side by side.
//!
//! Contenders take turns in short rounds, because a shared machine's speed drifts: a figure that
//! compares two of them is the median, over rounds, of the ratio within a round. Figures of one
//! alone are medians over rounds, and worth less.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

/// How long a contender runs in one round.
const TURN: Duration = Duration::from_millis(200);
/// Sentences between two looks at the clock.
const BATCH: usize = 64;

/// Puts a sentence in place of what the buffer holds; says how many nodes its tree has, 0 where
/// no tree is recorded.
pub type Produce<'a> = Box<dyn FnMut(&mut Vec<u8>) -> usize + 'a>;

/// Someone who generates sentences.
pub struct Contender<'a> {
    name: &'static str,
    produce: Produce<'a>,
}

impl<'a> Contender<'a> {
    /// A contender and how it produces a sentence.
    pub fn new(
        name: &'static str,
        produce: impl FnMut(&mut Vec<u8>) -> usize + 'a,
    ) -> Contender<'a> {
        Contender { name, produce: Box::new(produce) }
    }
}

/// What a contender did in one round.
struct Turn {
    seconds: f64,
    sentences: usize,
    bytes: usize,
    nodes: usize,
}

impl Turn {
    fn rate(&self) -> f64 {
        self.bytes as f64 / self.seconds
    }
}

/// The comparison on one language, as rows of a Markdown table below [`HEADER`].
///
/// Ratios are of bytes per second: to the contender at index `by_hand`, and to the one at index
/// `nautilus` where the language has one.
///
/// The share of distinct sentences is taken from the first `sentences`.
pub fn rows(
    language: &str,
    sentences: usize,
    contenders: &mut [Contender<'_>],
    by_hand: usize,
    nautilus: Option<usize>,
    rounds: usize,
) -> String {
    let distinct: Vec<f64> =
        contenders.iter_mut().map(|contender| distinct_share(contender, sentences)).collect();
    let rounds: Vec<Vec<Turn>> =
        (0..rounds).map(|_| contenders.iter_mut().map(turn).collect()).collect();
    let mut rows = String::new();
    for (index, contender) in contenders.iter().enumerate() {
        let own = || rounds.iter().map(|round| &round[index]);
        let sentences: usize = own().map(|turn| turn.sentences).sum();
        let mean = |total: usize| total as f64 / sentences as f64;
        let nodes = mean(own().map(|turn| turn.nodes).sum());
        let ratio = |reference: usize| {
            median(rounds.iter().map(|round| round[index].rate() / round[reference].rate()))
        };
        // Writing to a string can't fail.
        let _ = writeln!(
            rows,
            "| {language:<8} | {:<38} | {:>6.1} | {:>11.0} | {:>10.1} | {:>5} | {:>8.2} | {:>14.3} | {:>10} |",
            contender.name,
            median(own().map(Turn::rate)) / 1e6,
            median(own().map(|turn| turn.sentences as f64 / turn.seconds)),
            mean(own().map(|turn| turn.bytes).sum()),
            if nodes > 0.0 { format!("{nodes:.0}") } else { String::new() },
            distinct[index] * 100.0,
            ratio(by_hand),
            nautilus.map_or_else(String::new, |nautilus| format!("{:.2}", ratio(nautilus))),
        );
    }
    rows
}

/// The head of the table.
pub const HEADER: &str = "\
| language | contender                              |   MB/s | sentences/s | mean bytes | nodes | distinct | x hand-written | x Nautilus |
| -------- | -------------------------------------- | -----: | ----------: | ---------: | ----: | -------: | -------------: | ---------: |
";

fn turn(contender: &mut Contender<'_>) -> Turn {
    let mut out = Vec::new();
    let mut turn = Turn { seconds: 0.0, sentences: 0, bytes: 0, nodes: 0 };
    let start = Instant::now();
    while start.elapsed() < TURN {
        for _ in 0..BATCH {
            turn.nodes += (contender.produce)(&mut out);
            turn.bytes += out.len();
        }
        turn.sentences += BATCH;
    }
    turn.seconds = start.elapsed().as_secs_f64();
    turn
}

fn distinct_share(contender: &mut Contender<'_>, sentences: usize) -> f64 {
    let hasher = RandomState::new();
    let mut seen = HashSet::with_capacity(sentences);
    let mut out = Vec::new();
    for _ in 0..sentences {
        (contender.produce)(&mut out);
        // 64 bits of SipHash: among 100,000 sentences a collision has odds of 1 to 10^9.
        seen.insert(hasher.hash_one(&out));
    }
    seen.len() as f64 / sentences as f64
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
