//! Contenders in turns.
//!
//! A shared machine's speed drifts, so contenders take short turns, and a ratio is the median of
//! the ratios within a round. `pleach-peers` does the same with more contenders.

use std::time::{Duration, Instant};

/// How long a contender runs in one round.
const TURN: Duration = Duration::from_millis(40);
/// How many rounds there are.
const ROUNDS: usize = 31;
/// Sentences between two looks at the clock.
const BATCH: usize = 16;

/// Puts a sentence in place of what the buffer holds.
pub type Produce<'a> = Box<dyn FnMut(&mut Vec<u8>) + 'a>;

/// The bytes per second of each contender in each round.
pub fn rates(contenders: &mut [Produce<'_>]) -> Vec<Vec<f64>> {
    (0..ROUNDS).map(|_| contenders.iter_mut().map(turn).collect()).collect()
}

fn turn(produce: &mut Produce<'_>) -> f64 {
    let mut out = Vec::new();
    let mut bytes = 0;
    let start = Instant::now();
    while start.elapsed() < TURN {
        for _ in 0..BATCH {
            produce(&mut out);
            bytes += out.len();
        }
    }
    bytes as f64 / start.elapsed().as_secs_f64()
}

/// The least, the median and the greatest.
pub fn spread(figures: impl IntoIterator<Item = f64>) -> (f64, f64, f64) {
    let mut figures: Vec<f64> = figures.into_iter().collect();
    figures.sort_by(f64::total_cmp);
    (figures[0], figures[figures.len() / 2], figures[figures.len() - 1])
}

/// The seconds of some runs: the least, the median and the greatest.
pub fn seconds<T>(runs: usize, mut run: impl FnMut() -> T) -> (f64, f64, f64) {
    let times = (0..runs).map(|_| {
        let start = Instant::now();
        let result = run();
        let time = start.elapsed().as_secs_f64();
        drop(result);
        time
    });
    spread(times)
}
