//! Prints one table: pleach's mutators beside those of LibAFL's Nautilus, on json64, in the same run,
//! on one thread. A mutation is from a tree of a corpus to a tree and its bytes.
//!
//! `cargo run --profile bench -p pleach-peers --bin pleach-peers-mutation`

use std::time::{Duration, Instant};

use libafl::HasMetadata;
use libafl::feedbacks::NautilusChunksMetadata;
use libafl::generators::{Generator, NautilusContext, NautilusGenerator};
use libafl::inputs::NautilusInput;
use libafl::mutators::{
    Mutator, NautilusRandomMutator, NautilusRecursionMutator, NautilusSpliceMutator,
};
use libafl::state::HasRand;
use libafl_bolts::rands::StdRand;
use libafl_bolts::serdeany::SerdeAnyMap;
use pleach::mutate::{Mutation, Options, Sources};
use pleach::produce::{self, Mode, Producer};
use pleach::table::Table;
use pleach::tree::{SizedTree, Tree};
use wyrand::WyRand;

#[path = "../nautilus.rs"]
#[allow(dead_code, reason = "the other program generates")]
mod nautilus;
#[path = "../own.rs"]
#[allow(dead_code, reason = "the other program generates")]
mod own;
#[path = "../../../benches/baseline/wyrand.rs"]
mod wyrand;

/// Rounds in which contenders take turns; ratios are medians over them.
const ROUNDS: usize = 11;
/// How long a contender runs in one round.
const TURN: Duration = Duration::from_millis(200);
/// Trees of the corpus.
const BASES: usize = 256;

/// What LibAFL's mutators ask of a state.
struct State {
    random: StdRand,
    metadata: SerdeAnyMap,
}

impl HasRand for State {
    type Rand = StdRand;

    fn rand(&self) -> &StdRand {
        &self.random
    }

    fn rand_mut(&mut self) -> &mut StdRand {
        &mut self.random
    }
}

impl HasMetadata for State {
    fn metadata_map(&self) -> &SerdeAnyMap {
        &self.metadata
    }

    fn metadata_map_mut(&mut self) -> &mut SerdeAnyMap {
        &mut self.metadata
    }
}

/// A contender: mutates the base of an index, and gives the bytes of the mutant.
struct Contender<'a> {
    name: &'static str,
    /// The contender that its ratio is to.
    against: Option<&'static str>,
    mutate: Box<dyn FnMut(usize) -> usize + 'a>,
}

/// A mutator of LibAFL's, which changes its input in place: as its stages do, a copy of the corpus's
/// entry is made first, and the mutant is unparsed.
fn theirs<'a, M: Mutator<NautilusInput, State> + 'a>(
    context: &'a NautilusContext,
    bases: &'a [NautilusInput],
    mut mutator: M,
) -> Box<dyn FnMut(usize) -> usize + 'a> {
    let mut state = State { random: StdRand::with_seed(1), metadata: SerdeAnyMap::new() };
    let folder = std::env::temp_dir().join(format!("pleach-peers-{}", std::process::id()));
    let mut chunks = NautilusChunksMetadata::new(folder.display().to_string());
    for base in bases {
        chunks.cks.add_tree(base.tree().clone(), &context.ctx);
    }
    // What they write there nobody reads again.
    let _ = std::fs::remove_dir_all(folder);
    state.add_metadata(chunks);
    let mut out = Vec::new();
    Box::new(move |at| {
        let mut input = bases[at].clone();
        mutator.mutate(&mut state, &mut input).expect("mutators of trees do not fail");
        input.unparse(context, &mut out);
        out.len()
    })
}

fn ours<'a>(
    table: &'a Table,
    bases: &'a [SizedTree],
    options: Options,
) -> Box<dyn FnMut(usize) -> usize + 'a> {
    let mut mutation = Mutation::new(table, options).expect("the names are known");
    bases.iter().for_each(|base| mutation.pool_mut().add(base.as_ref()));
    let (mut words, mut out) = (WyRand::new(1), SizedTree::new());
    Box::new(move |at| {
        let base = bases[at].as_ref();
        mutation.mutate(base, Sources::default(), usize::MAX, &mut words, &mut out);
        out.text().len()
    })
}

fn main() {
    let context = nautilus::json64();
    let mut generator = NautilusGenerator::new(&context);
    let mut state = State { random: StdRand::with_seed(2), metadata: SerdeAnyMap::new() };
    let their_bases: Vec<NautilusInput> = (0..BASES)
        .map(|_| generator.generate(&mut state).expect("the generator does not fail"))
        .collect();
    let table = own::json64();
    let mut producer = Producer::new(&table, produce::Options::new().mode(Mode::Uniform))
        .expect("the smallest tree fits the defaults");
    let (mut words, mut tree) = (WyRand::new(3), Tree::new());
    let mut sentence = |_| {
        producer.produce(&mut words, &mut tree);
        SizedTree::of(&table, &tree)
    };
    let our_bases: Vec<SizedTree> = (0..BASES).map(&mut sentence).collect();
    let only = |name: &str| ours(&table, &our_bases, Options::new().only([name]));
    let (bases, mut copied) = (&their_bases, Vec::new());
    let copy = Box::new(|at: usize| {
        bases[at].clone().unparse(&context, &mut copied);
        copied.len()
    });
    let (random, splice, recursion) =
        ("Nautilus, random", "Nautilus, splice", "Nautilus, recursion");
    let theirs_of = |name, mutate| Contender { name, against: None, mutate };
    let ours_of = |name, against, mutate| Contender { name, against: Some(against), mutate };
    let mut contenders = [
        theirs_of("Nautilus, copy and unparse alone", copy),
        theirs_of(random, theirs(&context, bases, NautilusRandomMutator::new(&context))),
        theirs_of(splice, theirs(&context, bases, NautilusSpliceMutator::new(&context))),
        theirs_of(recursion, theirs(&context, bases, NautilusRecursionMutator::new(&context))),
        ours_of("pleach, regrow", random, only("regrow")),
        ours_of("pleach, splice", splice, only("splice")),
        ours_of("pleach, recursion", recursion, only("recursion")),
        ours_of("pleach, all, default shares", random, ours(&table, &our_bases, Options::new())),
    ];
    print(&mut contenders);
}

/// Lets the contenders take turns, and prints a row for each.
fn print(contenders: &mut [Contender<'_>]) {
    let mut rates: Vec<Vec<f64>> = vec![Vec::new(); contenders.len()];
    let mut sizes = vec![(0, 0); contenders.len()];
    for _ in 0..ROUNDS {
        for (index, contender) in contenders.iter_mut().enumerate() {
            let (start, mut count) = (Instant::now(), 0);
            while start.elapsed() < TURN {
                for at in 0..BASES {
                    sizes[index].0 += (contender.mutate)(at);
                }
                count += BASES;
            }
            sizes[index].1 += count;
            rates[index].push(count as f64 / start.elapsed().as_secs_f64());
        }
    }
    println!("| contender                        | mutants/s | mean bytes | times Nautilus      |");
    println!("| -------------------------------- | --------: | ---------: | ------------------- |");
    for (index, contender) in contenders.iter().enumerate() {
        let reference = contender
            .against
            .and_then(|name| contenders.iter().position(|contender| contender.name == name));
        let ratio = reference.map(|reference| {
            let mut ratios: Vec<f64> = rates[index]
                .iter()
                .zip(&rates[reference])
                .map(|(own, other)| own / other)
                .collect();
            ratios.sort_by(f64::total_cmp);
            let last = ratios.len() - 1;
            format!("{:.1} ({:.1} to {:.1})", ratios[last / 2], ratios[0], ratios[last])
        });
        let mut sorted = rates[index].clone();
        sorted.sort_by(f64::total_cmp);
        println!(
            "| {:<32} | {:>9.0} | {:>10.1} | {:<19} |",
            contender.name,
            sorted[sorted.len() / 2],
            sizes[index].0 as f64 / sizes[index].1 as f64,
            ratio.unwrap_or_default(),
        );
    }
}
