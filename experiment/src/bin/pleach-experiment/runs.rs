//! The runs: each subject, method and seed, and what is told of them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use experiment::{Cell, SUBJECTS, Subject};
use pleach::grammar::{Files, Grammar};
use pleach::learn::{Counts, Model};
use pleach::parse::{Parser, Scratch};
use pleach::table::{Lowering, Table};
use pleach::tree::Tree;

use crate::Arguments;
use crate::grammarinator::Grammarinator;
use crate::instrumented::Measure;
use crate::method::Method;
use crate::produce::{Corpus, Plan, corpus};
use crate::table::{Budget, Row, markdown, ratios};

/// All that runs need.
pub struct Experiment {
    subjects: Vec<Prepared>,
    methods: Vec<Method>,
    seeds: u64,
    curves: bool,
    measure: Measure,
    grammarinator: Option<Grammarinator>,
}

/// A subject, ready to be run.
struct Prepared {
    subject: &'static Subject,
    table: Table,
    /// What the format's texts have.
    model: Arc<Model>,
    plan: Plan,
}

/// What one run told.
struct Run {
    total: usize,
    /// Edges by number of bytes, and by time.
    by_bytes: Vec<Vec<u32>>,
    by_time: Vec<Vec<u32>>,
    /// How long the method took before its first text, and then until all bytes were made.
    ready: Duration,
    filled: Duration,
    /// The bytes and texts that the time sufficed for.
    in_time: (usize, usize),
    /// How many texts the parser accepted, of all.
    accepted: (usize, usize),
}

/// Runs by place of the subject, place of the method, and seed.
type Runs = BTreeMap<(usize, usize, u64), Run>;

impl Experiment {
    /// Reads the grammars, builds the parsers, and installs Grammarinator.
    ///
    /// # Errors
    ///
    /// Where a grammar is missing or wrong, and where the parsers do not build. Without
    /// Grammarinator the experiment goes on.
    pub fn prepare(arguments: &Arguments) -> io::Result<Self> {
        for name in &arguments.grammars {
            if !SUBJECTS.iter().any(|subject| subject.grammar == name) {
                return Err(io::Error::other(format!("there is no subject `{name}`")));
            }
        }
        let wanted = |subject: &&Subject| {
            let names = &arguments.grammars;
            names.is_empty() || names.iter().any(|name| name == subject.grammar)
        };
        let subjects = SUBJECTS.iter().filter(wanted);
        let subjects = subjects
            .map(|subject| {
                let table = table(&arguments.folder, subject.grammar)?;
                let plan = arguments.plan(&table);
                let model = Arc::new(learnt(&table, subject.grammar)?);
                Ok(Prepared { subject, table, model, plan })
            })
            .collect::<io::Result<_>>()?;
        let measure = Measure::build()?;
        let grammarinator = match arguments.quick || arguments.no_grammarinator {
            true => None,
            false => Grammarinator::install(measure.folder())
                .inspect_err(|error| eprintln!("without Grammarinator: {error}"))
                .ok(),
        };
        let is_there =
            |method: &Method| *method != Method::Grammarinator || grammarinator.is_some();
        let methods = match arguments.beyond {
            Some((first, second)) => vec![first, second],
            None => Method::ALL.to_vec(),
        };
        Ok(Self {
            subjects,
            methods: methods.into_iter().filter(is_there).collect(),
            seeds: arguments.seeds(),
            curves: arguments.curves,
            measure,
            grammarinator,
        })
    }

    /// Prints the table.
    ///
    /// # Errors
    ///
    /// Where a run fails.
    pub fn print(&self) -> io::Result<()> {
        let runs = self.runs()?;
        let rows: Vec<_> = (0..self.subjects.len())
            .flat_map(|subject| {
                let plan = &self.subjects[subject].plan;
                let bytes = plan.last();
                let by_bytes =
                    self.row(&runs, subject, Budget::Bytes(bytes), |run| run.by_bytes.last());
                let time = plan.times[0];
                let by_time =
                    self.row(&runs, subject, Budget::Time(time), |run| run.by_time.last());
                [by_bytes, by_time]
            })
            .collect();
        println!("{}", markdown(&rows, &self.methods));
        println!("{}", ratios(&rows, &self.methods));
        println!("{}", self.production(&runs));
        if self.curves {
            for subject in 0..self.subjects.len() {
                let points = self.subjects[subject].plan.bytes.iter().enumerate();
                let row = |(at, bytes): (usize, &usize)| {
                    self.row(&runs, subject, Budget::Bytes(*bytes), |run| run.by_bytes.get(at))
                };
                println!("{}", markdown(&points.map(row).collect::<Vec<_>>(), &self.methods));
            }
        }
        Ok(())
    }

    /// Prints in which functions the first method runs edges in most seeds that the second one runs
    /// in none, and the other way round.
    ///
    /// # Errors
    ///
    /// Where a run fails.
    pub fn beyond(&self, first: Method, second: Method) -> io::Result<()> {
        let runs = self.runs()?;
        for (place, Prepared { subject, .. }) in self.subjects.iter().enumerate() {
            let mut times = [BTreeMap::new(), BTreeMap::new()];
            for (&(_, method, _), run) in runs.iter().filter(|((of, ..), _)| *of == place) {
                for &edge in run.by_bytes.last().expect("there is a point") {
                    *times[method].entry(edge).or_insert(0_u64) += 1;
                }
            }
            for (method, other, these, those) in
                [(first, second, &times[0], &times[1]), (second, first, &times[1], &times[0])]
            {
                let is_beyond = |(edge, seeds): &(&u32, &u64)| {
                    **seeds * 2 > self.seeds && !those.contains_key(edge)
                };
                let edges: Vec<_> = these.iter().filter(is_beyond).map(|(&edge, _)| edge).collect();
                println!("{}: {} edges of {method} beyond {other}", subject.grammar, edges.len());
                let mut counts = BTreeMap::new();
                for name in self.measure.functions(subject.grammar, &edges)? {
                    *counts.entry(name).or_insert(0) += 1;
                }
                let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
                counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
                counts.iter().for_each(|(name, count)| println!("{count:6} {name}"));
            }
        }
        Ok(())
    }

    /// Makes all runs, as many at a time as there are processors.
    fn runs(&self) -> io::Result<Runs> {
        let mut jobs = Vec::new();
        for subject in 0..self.subjects.len() {
            for seed in 1..=self.seeds {
                jobs.extend((0..self.methods.len()).map(|method| (subject, method, seed)));
            }
        }
        let next = AtomicUsize::new(0);
        let runs = Mutex::new(Ok(Runs::new()));
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let outcome = self.one(job);
                        let mut runs = runs.lock().expect("no run panics with the lock");
                        match (outcome, &mut *runs) {
                            (Ok(Some(run)), Ok(runs)) => drop(runs.insert(job, run)),
                            (Err(error), Ok(_)) => *runs = Err(error),
                            (Ok(None), Ok(_)) => {}
                            (_, Err(_)) => return,
                        }
                        if job.1 == 0 {
                            let Prepared { subject, .. } = &self.subjects[job.0];
                            eprintln!("{}: seed {} of {}", subject.grammar, job.2, self.seeds);
                        }
                    }
                });
            }
        });
        runs.into_inner().expect("no run panics with the lock")
    }

    /// Makes one run; none where the method cannot.
    fn one(&self, (subject, method, seed): (usize, usize, u64)) -> io::Result<Option<Run>> {
        let Prepared { subject, table, model, plan } = &self.subjects[subject];
        let made = match (self.methods[method], &self.grammarinator) {
            (Method::Grammarinator, Some(tool)) => tool.corpus(subject.grammar, seed, plan)?,
            (method, _) => corpus(table, model, method, seed, plan),
        };
        let Some(corpus) = made else { return Ok(None) };
        let Corpus { texts, by_bytes, by_time, ready, filled } = &corpus;
        let reading = self.measure.read(subject.grammar, texts, &corpus.points())?;
        let edges = |points: &[usize]| {
            let at = |count: &usize| reading.points.iter().find(|point| point.texts == *count);
            let edges = points.iter().map(|count| Some(at(count)?.edges.clone()));
            let edges = edges.collect::<Option<Vec<_>>>();
            edges.ok_or_else(|| io::Error::other("the reading lacks a point"))
        };
        let last = reading.points.last();
        let timely = by_time.last().copied().unwrap_or(0);
        Ok(Some(Run {
            total: reading.total,
            by_bytes: edges(by_bytes)?,
            by_time: edges(by_time)?,
            ready: *ready,
            filled: *filled,
            in_time: (texts.bytes(timely), timely),
            accepted: last.map_or((0, 0), |last| (last.accepted, last.texts)),
        }))
    }

    /// A row of the runs of one subject at one point.
    fn row(
        &self,
        runs: &Runs,
        place: usize,
        budget: Budget,
        point: impl Fn(&Run) -> Option<&Vec<u32>>,
    ) -> Row {
        let mut cells = vec![Cell::default(); self.methods.len()];
        let mut any: BTreeSet<u32> = BTreeSet::new();
        let mut total = 0;
        for (&(_, method, _), run) in runs.iter().filter(|((of, ..), _)| *of == place) {
            cells[method].extend(point(run).map(Vec::len));
            any.extend(run.by_bytes.iter().chain(&run.by_time).flatten());
            total = run.total;
        }
        let Subject { grammar, parser, .. } = self.subjects[place].subject;
        Row { grammar, parser, budget, total, any: any.len(), cells }
    }

    /// What production cost, by subject and method: medians.
    fn production(&self, runs: &Runs) -> String {
        use std::fmt::Write;
        let mut out = String::from(
            "| grammar | method | to be ready | bytes | time | bytes in the time | texts | accepted |\n",
        );
        out.push_str("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
        for (place, Prepared { subject, plan, .. }) in self.subjects.iter().enumerate() {
            for (at, method) in self.methods.iter().enumerate() {
                let runs =
                    || runs.range((place, at, 0)..=(place, at, u64::MAX)).map(|(_, run)| run);
                let middle = |mut all: Vec<u128>| {
                    all.sort_unstable();
                    all.get(all.len() / 2).copied()
                };
                let Some(time) = middle(runs().map(|run| run.filled.as_micros()).collect()) else {
                    continue;
                };
                let ready = middle(runs().map(|run| run.ready.as_micros()).collect()).unwrap_or(0);
                let bytes = middle(runs().map(|run| run.in_time.0 as u128).collect()).unwrap_or(0);
                let texts = middle(runs().map(|run| run.in_time.1 as u128).collect()).unwrap_or(0);
                let accepted: usize = runs().map(|run| run.accepted.0).sum();
                let all: usize = runs().map(|run| run.accepted.1).sum();
                let _ = writeln!(
                    out,
                    "| {} | {method} | {:.2} ms | {} | {:.2} ms | {bytes} | {texts} | {:.1} % |",
                    subject.grammar,
                    ready as f64 / 1000.0,
                    plan.last(),
                    time as f64 / 1000.0,
                    100.0 * accepted as f64 / all.max(1) as f64
                );
            }
        }
        out
    }
}

/// The table of a grammar of a folder.
fn table(folder: &Path, name: &str) -> io::Result<Table> {
    let wrong = |what: String| io::Error::other(format!("{}: {what}", folder.display()));
    let mut files = Vec::new();
    for file in std::fs::read_dir(folder).map_err(|error| wrong(error.to_string()))? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "pleach") {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push((file, std::fs::read_to_string(&path)?));
        }
    }
    let file = format!("{name}.pleach");
    let text = files.iter().find(|(name, _)| *name == file).map(|(_, text)| text.as_str());
    let text =
        text.ok_or_else(|| wrong(format!("there is no {file}; name the grammars that are there")))?;
    let grammar = Grammar::read(&file, text, &Files::new(files.clone()));
    let grammar = grammar.map_err(|error| wrong(error.to_string()))?;
    let lowered = Lowering::new().lower(&grammar).map_err(|error| wrong(error.to_string()))?;
    Ok(lowered.table)
}

/// What the texts of a format have, as people write them.
fn learnt(table: &Table, grammar: &str) -> io::Result<Model> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../oracles/texts").join(grammar);
    let wrong = |what: String| io::Error::other(format!("{}: {what}", folder.display()));
    let files = std::fs::read_dir(&folder).map_err(|error| wrong(error.to_string()))?;
    let mut paths = files.map(|file| Ok(file?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort_unstable();
    let (parser, mut scratch, mut tree) = (Parser::new(table), Scratch::new(), Tree::new());
    let mut counts = Counts::new(table);
    for path in paths {
        let read = parser.parse(&std::fs::read(path)?, &mut scratch, &mut tree);
        read.map_err(|error| wrong(error.to_string()))?;
        counts.add(&tree);
    }
    Ok(Model::new(&counts))
}
