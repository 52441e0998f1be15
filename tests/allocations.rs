//! Once its memory has grown to what the inputs need, mutation allocates nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use pleach::fuzz::{Fuzzer, Options};
use pleach::grammar::Grammar;
use pleach::kpath::{Coverage, Scope};
use pleach::mutate::{self, Mutation, Sources};
use pleach::parse::{Parser, Scratch};
use pleach::table::{Lowering, Table};
use pleach::tree::{SizedTree, Tree};
use pleach::{Entropy, Seeded};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, counting.
struct Counting;

// SAFETY: every call is handed on to the system's allocator as it is.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's contract is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract is the same.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(run: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    run();
    ALLOCATIONS.with(Cell::get) - before
}

fn table(name: &str) -> Table {
    let path = format!("{}/grammars/{name}.pleach", env!("CARGO_MANIFEST_DIR"));
    let grammar = Grammar::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
    Lowering::new().lower(&grammar).unwrap().table
}

/// A grammar without layout, and one with it.
const INPUTS: [(&str, &[u8]); 2] = [
    ("json", b"{\"a\": [1, 2.5, \"text\", {\"b\": null}], \"c\": [true, [false]], \"d\": -1e5}"),
    ("lua", b"local a = {1, 2, x = f(3)} -- c\nif a then return b + c * (d - 1) end"),
];

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1_u8]))), 1);
}

#[test]
fn mutation_does_not_allocate() {
    for (name, text) in INPUTS {
        let table = table(name);
        let mut tree = Tree::new();
        Parser::new(&table).parse(text, &mut Scratch::new(), &mut tree).unwrap();
        let base = SizedTree::of(&table, &tree);
        let mut mutation = Mutation::new(&table, mutate::Options::new()).unwrap();
        let coverage = Coverage::new(&table, 2, Scope::UpTo, 1 << 20).unwrap();
        let mut out = SizedTree::new();
        let mut run = || {
            for seed in 0..3000 {
                let sources =
                    Sources { donor: Some(base.as_ref()), coverage: Some(&coverage), bytes: None };
                mutation.mutate(base.as_ref(), sources, 4096, &mut Seeded::new(seed), &mut out);
            }
        };
        // Twice, as buffers may have changed places after the first.
        run();
        run();
        // The same again: what was enough then is enough now.
        assert_eq!(allocations(&mut run), 0, "{name}");
    }
}

/// A grammar with layout that is read without a chart, of which a parse may allocate a little.
const BLOCKS: &str = r#"
%start block; %layout space; %lexical name number;
block = "{" statement* "}" ; statement = name "=" number ";" | block ;
name = /[a-z]+/ ; number = [0-9]+ ; space = ( " " | "\n" )* ;
"#;

#[test]
fn a_fuzzer_does_not_allocate() {
    let blocks = Lowering::new().lower(&Grammar::parse(BLOCKS).unwrap()).unwrap().table;
    let text: &[u8] = b"{ a = 1; {b=22;}\n{ { } c=3; } }";
    for (name, table, text) in [("json", table("json"), INPUTS[0].1), ("blocks", blocks, text)] {
        let options = Options::new().cache(1 << 18);
        let mut fuzzer = Fuzzer::new(&table, options).unwrap();
        let mut data = vec![0; 4096];
        let mut run = |rounds: u64| {
            let mut words = Seeded::new(1);
            let mut size = 0;
            for round in 0..rounds {
                if round % 5 == 0 {
                    data[..text.len()].copy_from_slice(text);
                    size = text.len();
                }
                size = fuzzer.mutate(&mut data, size, 1024, words.next_u64(), None);
                if round % 4 == 0 {
                    let second = data[..size].to_vec();
                    size = fuzzer.crossover(text, &second, &mut data[..1024], words.next_u64());
                }
            }
        };
        (0..3).for_each(|_| run(5000));
        // One for each crossover, for the copy above; and some buffer may meet its largest yet.
        let counted = allocations(|| run(5000));
        assert!((1250..1255).contains(&counted), "{name}: {counted}");
    }
}
