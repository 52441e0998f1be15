//! pleach's producer and mutators as LibAFL's [`Generator`] and [`Mutator`]: copy this file.
//!
//! Inputs are [`BytesInput`]s: the text itself. So a corpus is what the target reads, LibAFL's other
//! mutators, stages and observers work on it as on any other, and no tree is stored: the mutator has a
//! cache of those that it has read or written.

pub mod target;

use std::borrow::Cow;

use libafl::corpus::{Corpus, CorpusId};
use libafl::generators::Generator;
use libafl::inputs::{BytesInput, HasMutatorBytes};
use libafl::mutators::{MutationResult, Mutator};
use libafl::state::{HasCorpus, HasMaxSize, HasRand};
use libafl::{Error, random_corpus_id};
use libafl_bolts::Named;
use libafl_bolts::rands::Rand;
use pleach::Entropy;
use pleach::fuzz::Fuzzer;
use pleach::produce::Producer;
use pleach::tree::Tree;

/// LibAFL's source of random numbers as pleach's.
struct Words<'r, R>(&'r mut R);

impl<R: Rand> Entropy for Words<'_, R> {
    fn next_u64(&mut self) -> u64 {
        self.0.next()
    }
}

/// Generates random sentences of a grammar.
///
/// How large they are, and which alternatives are likely, is in the options of the producer.
pub struct GrammarGenerator<'t> {
    producer: Producer<'t>,
    tree: Tree,
}

impl<'t> GrammarGenerator<'t> {
    /// A generator of what a producer produces.
    pub fn new(producer: Producer<'t>) -> Self {
        Self { producer, tree: Tree::new() }
    }
}

impl<S: HasRand> Generator<BytesInput, S> for GrammarGenerator<'_> {
    fn generate(&mut self, state: &mut S) -> Result<BytesInput, Error> {
        self.producer.produce(&mut Words(state.rand_mut()), &mut self.tree);
        Ok(BytesInput::new(self.tree.text().to_vec()))
    }
}

/// One call in so many puts in a subtree of another input of the corpus.
const CROSSOVERS: u64 = 4;

/// Mutates inputs by the trees behind them, and crosses them with others of the corpus.
///
/// Inputs have at most as many bytes as the state's `max_size` says. Those that are no sentences are
/// replaced or changed as bytes: [`Fuzzer`] says how often, and has options for it.
pub struct GrammarMutator<'t> {
    fuzzer: Fuzzer<'t>,
    buffer: Vec<u8>,
}

impl<'t> GrammarMutator<'t> {
    /// A mutator that does what a fuzzer does.
    pub fn new(fuzzer: Fuzzer<'t>) -> Self {
        Self { fuzzer, buffer: Vec::new() }
    }
}

impl Named for GrammarMutator<'_> {
    fn name(&self) -> &Cow<'static, str> {
        &Cow::Borrowed("GrammarMutator")
    }
}

impl<S> Mutator<BytesInput, S> for GrammarMutator<'_>
where
    S: HasCorpus<BytesInput> + HasMaxSize + HasRand,
{
    fn mutate(&mut self, state: &mut S, input: &mut BytesInput) -> Result<MutationResult, Error> {
        let (most, size) = (state.max_size(), input.mutator_bytes().len());
        if self.buffer.len() < most.max(size) {
            self.buffer.resize(most.max(size), 0);
        }
        let (draw, seed) = (state.rand_mut().next(), state.rand_mut().next());
        let size = if draw.is_multiple_of(CROSSOVERS) && state.corpus().count() > 0 {
            let id = random_corpus_id!(state.corpus(), state.rand_mut());
            let mut other = state.corpus().get(id)?.borrow_mut();
            let donor = other.load_input(state.corpus())?.mutator_bytes();
            self.fuzzer.crossover(input.mutator_bytes(), donor, &mut self.buffer[..most], seed)
        } else {
            self.buffer[..size].copy_from_slice(input.mutator_bytes());
            self.fuzzer.mutate(&mut self.buffer, size, most, seed, None)
        };
        let mutant = &self.buffer[..size];
        if mutant == input.mutator_bytes() {
            return Ok(MutationResult::Skipped);
        }
        let bytes = input.as_mut();
        bytes.clear();
        bytes.extend_from_slice(mutant);
        Ok(MutationResult::Mutated)
    }

    fn post_exec(&mut self, _state: &mut S, _id: Option<CorpusId>) -> Result<(), Error> {
        Ok(())
    }
}
