//! Judging a grammar.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use pleach::Seeded;
use pleach::produce::{Characters, Cover, CoverOptions, Mode, Producer};
use pleach::table::{RuleId, SymbolKind, Table};
use pleach::tree::Tree;

use crate::grammars;
use crate::oracle::{Beyond, Oracle, Reader, Subject};

/// Random sentences of each mode.
const SENTENCES: u64 = 1000;
const MODES: [Mode; 3] = [Mode::Uniform, Mode::Weighted, Mode::Inverted];

/// What came out of judging a grammar.
pub struct Acceptance {
    /// The corpus of all k-paths.
    pub corpus: Corpus,
    /// How many sentences were judged: of the corpus, and random ones of each mode.
    pub sentences: u64,
    /// How many of them each oracle was not asked about, since they hold what is beyond it.
    pub not_asked: BTreeMap<&'static str, u64>,
    /// How many of them each oracle excused, by clause.
    pub excused: BTreeMap<(&'static str, &'static str), u64>,
    /// Refusals that no clause excuses, the first few.
    pub refusals: Vec<String>,
    /// Refusals that no clause excuses, all.
    pub refused: u64,
    /// Rules that stand in sentences that an oracle was asked about, but in none that it accepts.
    pub never_accepted: Vec<String>,
}

/// A corpus of all k-paths.
#[derive(Clone, Copy, Debug, Default)]
pub struct Corpus {
    /// How many sentences.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// How long producing them took.
    pub time: Duration,
}

impl Corpus {
    /// Produces the corpus of all k-paths up to k.
    ///
    /// # Panics
    ///
    /// Where a k-path is not covered.
    pub fn produce(table: &Table, k: usize, mut each: impl FnMut(&Tree)) -> Self {
        let begin = Instant::now();
        let mut cover = Cover::new(table, CoverOptions::new(k)).expect("a small grammar");
        let (mut entropy, mut tree, mut corpus) = (Seeded::new(0), Tree::new(), Self::default());
        corpus.time = begin.elapsed();
        loop {
            let begin = Instant::now();
            let more = cover.next_tree(&mut entropy, &mut tree);
            corpus.time += begin.elapsed();
            if !more {
                break;
            }
            corpus.files += 1;
            corpus.bytes += tree.text().len() as u64;
            each(&tree);
        }
        let summary = cover.summary();
        assert_eq!((summary.covered, summary.infeasible), (summary.total, 0), "k = {k}");
        corpus
    }
}

impl Acceptance {
    /// Gives the k-path corpus and random sentences of a grammar to its oracles.
    ///
    /// # Panics
    ///
    /// Where the grammar is wrong.
    pub fn of(subject: &Subject) -> Self {
        let table = grammars::table(subject.grammar);
        let mut judge = Judge::new(&table, subject);
        let corpus = Corpus::produce(&table, subject.k, |tree| judge.hear("k-paths", tree));
        let mut tree = Tree::new();
        for mode in MODES {
            // Every sentence counts, not only plain ones.
            let options = (subject.options)().characters(Characters::Mixed);
            let mut producer = Producer::new(&table, options.mode(mode))
                .unwrap_or_else(|error| panic!("{}: {error}", subject.grammar));
            for seed in 0..SENTENCES {
                producer.produce(&mut Seeded::new(seed), &mut tree);
                judge.hear(&format!("{mode:?}, seed {seed}"), &tree);
            }
        }
        judge.close(corpus)
    }

    /// How many verdicts oracles were asked for.
    pub fn judgements(&self, subject: &Subject) -> u64 {
        self.sentences * subject.oracles.len() as u64 - self.not_asked.values().sum::<u64>()
    }

    /// How many sentences were excused.
    pub fn exceptions(&self) -> u64 {
        self.excused.values().sum()
    }
}

struct Judge<'t> {
    table: &'t Table,
    subject: &'t Subject,
    /// By oracle and rule: whether an accepted sentence holds the rule.
    accepted: Vec<Vec<bool>>,
    /// By oracle and rule: whether a sentence that the oracle was asked about holds the rule.
    asked: Vec<Vec<bool>>,
    /// By oracle and rule: whether the rule is beyond the oracle.
    beyond: Vec<Vec<bool>>,
    /// By rule: whether the sentence at hand holds it.
    held: Vec<bool>,
    acceptance: Acceptance,
}

impl<'t> Judge<'t> {
    const SHOWN: usize = 20;

    fn new(table: &'t Table, subject: &'t Subject) -> Self {
        let rules = table.rule_count();
        let beyond = subject.oracles.iter().map(|oracle| beyond(table, oracle)).collect();
        Self {
            table,
            subject,
            accepted: vec![vec![false; rules]; subject.oracles.len()],
            asked: vec![vec![false; rules]; subject.oracles.len()],
            beyond,
            held: vec![false; rules],
            acceptance: Acceptance {
                corpus: Corpus::default(),
                sentences: 0,
                not_asked: BTreeMap::new(),
                excused: BTreeMap::new(),
                refusals: Vec::new(),
                refused: 0,
                never_accepted: Vec::new(),
            },
        }
    }

    fn hear(&mut self, origin: &str, tree: &Tree) {
        self.acceptance.sentences += 1;
        self.held.fill(false);
        mark(&mut self.held, self.table, tree);
        for (index, oracle) in self.subject.oracles.iter().enumerate() {
            if self.held.iter().zip(&self.beyond[index]).any(|(held, beyond)| held & beyond) {
                *self.acceptance.not_asked.entry(oracle.name).or_default() += 1;
                continue;
            }
            unite(&mut self.asked[index], &self.held);
            let verdict = match oracle.read {
                Reader::Text(read) | Reader::Part(read, _) => read(tree.text()),
                Reader::Rewritten(rewrite, read) => read(&rewrite(self.table, tree)),
                Reader::Tree(read) => read(self.table, tree),
            };
            let Err(reason) = verdict else {
                unite(&mut self.accepted[index], &self.held);
                continue;
            };
            match excuse(oracle, tree.text()) {
                Some(clause) => {
                    *self.acceptance.excused.entry((oracle.name, clause)).or_default() += 1;
                }
                None => {
                    self.acceptance.refused += 1;
                    if self.acceptance.refusals.len() < Self::SHOWN {
                        let text = String::from_utf8_lossy(tree.text()).into_owned();
                        self.acceptance
                            .refusals
                            .push(format!("{}: {origin}: {reason}: {text:?}", oracle.name));
                    }
                }
            }
        }
    }

    fn close(mut self, corpus: Corpus) -> Acceptance {
        for (index, oracle) in self.subject.oracles.iter().enumerate() {
            let (asked, accepted) = (&self.asked[index], &self.accepted[index]);
            let rules = (0..self.table.rule_count()).filter(|&rule| asked[rule] && !accepted[rule]);
            self.acceptance.never_accepted.extend(rules.map(|rule| {
                format!("{}: {}", oracle.name, self.table.names().rule(RuleId::new(rule as u32)))
            }));
        }
        self.acceptance.corpus = corpus;
        self.acceptance
    }
}

/// The name of the first clause that excuses a refusal.
fn excuse(oracle: &Oracle, text: &[u8]) -> Option<&'static str> {
    oracle.clauses.iter().find(|clause| (clause.applies)(text)).map(|clause| clause.name)
}

/// By rule: whether it is beyond the oracle.
///
/// # Panics
///
/// Where the oracle names a rule that the grammar does not have.
pub(crate) fn beyond(table: &Table, oracle: &Oracle) -> Vec<bool> {
    let mut beyond = vec![false; table.rule_count()];
    let Reader::Part(_, rules) = oracle.read else { return beyond };
    for Beyond { rule: name, .. } in rules {
        let rule = (0..table.named_rule_count())
            .find(|&rule| table.names().rule(RuleId::new(rule as u32)) == *name)
            .unwrap_or_else(|| panic!("{}: no rule is named {name}", oracle.name));
        beyond[rule] = true;
    }
    beyond
}

fn unite(rules: &mut [bool], more: &[bool]) {
    for (rule, more) in rules.iter_mut().zip(more) {
        *rule |= more;
    }
}

/// Marks the rules of a tree.
pub(crate) fn mark(rules: &mut [bool], table: &Table, tree: &Tree) {
    for node in tree.nodes() {
        if let SymbolKind::Reference(_) | SymbolKind::Group(_) | SymbolKind::Root(_) =
            node.symbol.kind()
            && let Some(rule) = table.rule_behind(node.symbol)
        {
            rules[rule.index()] = true;
        }
    }
}
