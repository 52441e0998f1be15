//! Corpora of one seed, with the points at which they are compared.

use std::sync::Arc;
use std::time::Duration;

use experiment::Texts;
use pleach::Seeded;
use pleach::learn::Model;
use pleach::table::Table;
use pleach::tree::Tree;
use rustix::time::{ClockId, clock_gettime};

use crate::method::{Method, Source};

/// Where corpora are compared.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Numbers of bytes, in rising order.
    pub bytes: Vec<usize>,
    /// Times of production, in rising order.
    pub times: Vec<Duration>,
}

impl Plan {
    /// The bytes of a whole corpus.
    pub fn last(&self) -> usize {
        self.bytes.last().copied().unwrap_or(0)
    }
}

/// A corpus.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// The texts.
    pub texts: Texts,
    /// By number of bytes of the plan, how many texts come to that or, the last one, beyond.
    pub by_bytes: Vec<usize>,
    /// How long it took before the first text.
    pub ready: Duration,
    /// When the last number of bytes was reached.
    pub filled: Duration,
    /// By time of the plan, how many texts were made by then; one at the least.
    pub by_time: Vec<usize>,
}

/// How many texts, and how many bytes, may be made without a look at the clock.
const TEXTS_A_LOOK: usize = 16;
const BYTES_A_LOOK: usize = 512;

/// What a corpus may never have more of: a grammar may derive the empty text alone.
const MOST_TEXTS: usize = 1 << 24;

impl Corpus {
    /// Records that time has gone by.
    pub fn look(&mut self, plan: &Plan, time: Duration) {
        while plan.times.get(self.by_time.len()).is_some_and(|&end| time >= end) {
            self.by_time.push(self.texts.len().max(1));
        }
        let bytes = self.texts.bytes(self.texts.len());
        while plan.bytes.get(self.by_bytes.len()).is_some_and(|&end| bytes >= end) {
            self.by_bytes.push(self.texts.len());
            self.filled = time;
        }
    }

    /// Whether all points of the plan have been reached.
    pub fn is_complete(&self, plan: &Plan) -> bool {
        let done =
            self.by_time.len() == plan.times.len() && self.by_bytes.len() == plan.bytes.len();
        (done && !self.texts.is_empty()) || self.texts.len() >= MOST_TEXTS
    }

    /// The points, all together in rising order.
    pub fn points(&self) -> Vec<usize> {
        let mut points = [self.by_bytes.as_slice(), &self.by_time].concat();
        points.sort_unstable();
        points.dedup();
        points
    }
}

/// Makes a corpus; none where the method cannot.
///
/// Time is that of this thread on the processor. What a method makes ready from the table, once
/// for all texts, is told apart: it is the same for a short production and a long one.
pub fn corpus(
    table: &Table,
    model: &Arc<Model>,
    method: Method,
    seed: u64,
    plan: &Plan,
) -> Option<Corpus> {
    let start = now();
    let mut source = Source::open(method, table, model)?;
    let (mut entropy, mut tree) = (Seeded::new(seed), Tree::new());
    let begun = now();
    let mut corpus = Corpus { ready: begun - start, ..Corpus::default() };
    let mut last = 0;
    while !corpus.is_complete(plan) {
        corpus.texts.push_with(|out| source.write(&mut entropy, &mut tree, out));
        let (texts, bytes) = (corpus.texts.len(), corpus.texts.bytes(corpus.texts.len()));
        let next = plan.bytes.get(corpus.by_bytes.len());
        let looks = bytes - corpus.texts.bytes(last) >= BYTES_A_LOOK
            || texts - last >= TEXTS_A_LOOK
            || next.is_some_and(|&next| bytes >= next);
        if looks || last == 0 {
            last = texts;
            corpus.look(plan, now() - begun);
        }
    }
    Some(corpus)
}

/// The time that this thread has had the processor.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    // Neither is negative: the clock begins with the thread.
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use pleach::learn::Counts;

    use super::*;

    #[test]
    fn a_corpus_has_all_points_and_is_the_same_again() {
        let text = r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#;
        let table = Table::parse(text).expect("a grammar");
        let model = Arc::new(Model::new(&Counts::new(&table)));
        let plan = Plan { bytes: vec![64, 640], times: vec![Duration::from_micros(1)] };
        for method in Method::ALL.into_iter().filter(|&method| method != Method::Grammarinator) {
            let made = || corpus(&table, &model, method, 3, &plan).expect("few k-paths");
            let (first, second) = (made(), made());
            assert_eq!((first.by_bytes.len(), first.by_time.len()), (2, 1), "{method}");
            for (&texts, &bytes) in first.by_bytes.iter().zip(&plan.bytes) {
                assert!(first.texts.bytes(texts) >= bytes, "{method}");
                assert!(first.texts.bytes(texts - 1) < bytes, "{method}");
            }
            assert_eq!(first.by_bytes, second.by_bytes, "{method}");
            let texts = first.by_bytes[1];
            assert!(first.texts.iter().take(texts).eq(second.texts.iter().take(texts)), "{method}");
        }
    }
}
