//! Once its memory has grown to what the inputs need, mutation allocates nothing; and a parse never
//! holds more than it may.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use pleach::fuzz::{Fuzzer, Options};
use pleach::kpath::{Coverage, Scope};
use pleach::mutate::{self, Mutation, Sources};
use pleach::parse::{Error, Limits, Parser, Scratch};
use pleach::table::Table;
use pleach::tree::{SizedTree, Tree};
use pleach::{Entropy, Seeded};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    /// Bytes that are held, and the most that were.
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

/// The system's allocator, counting.
struct Counting;

// SAFETY: every call is handed on to the system's allocator as it is.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        hold(layout.size() as i64);
        // SAFETY: the caller's contract is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        hold(-(layout.size() as i64));
        // SAFETY: the caller's contract is the same.
        unsafe { System.dealloc(memory, layout) }
    }

    // A large block grows where it is, or is moved without a copy.
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        hold(size as i64 - layout.size() as i64);
        // SAFETY: the caller's contract is the same.
        unsafe { System.realloc(memory, layout, size) }
    }
}

fn hold(bytes: i64) {
    HELD.with(|held| held.set(held.get() + bytes));
    PEAK.with(|peak| peak.set(peak.get().max(HELD.with(Cell::get))));
}

/// The most bytes that were held at a time beyond those before.
fn peak(run: impl FnOnce()) -> i64 {
    let before = HELD.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    run();
    PEAK.with(Cell::get) - before
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
    Table::parse(&std::fs::read_to_string(path).unwrap()).unwrap()
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
fn a_parse_holds_no_more_memory_than_it_may() {
    let lowered = |text: &str| Table::parse(text).unwrap();
    let many = 50_000;
    let cases = [
        // Read by prediction: many nodes, a long token, and a deep stack.
        (table("json"), format!("[{}1]", "1,".repeat(many))),
        (table("json"), format!("\"{}\"", "a".repeat(2 * many))),
        (table("json"), format!("{}{}", "[".repeat(many), "]".repeat(many))),
        // By the chart: with layout, to the right, and in many ways.
        (table("lua"), "x = 1 + y ".repeat(many / 10)),
        (lowered(r#"t = s "ab" ; s = "a" s | "a" ;"#), format!("{}aab", "a".repeat(many))),
        (
            lowered(r#"t = "(" s ")" | "<" t ">" ; s = s s | "a" ;"#),
            format!("({})", "a".repeat(60)),
        ),
        // A token whose inside the chart reads.
        (
            lowered(r#"s = ( "a"+ "b"? )+ ( "a" | "b" )* "." | "(" s ")" ;"#),
            format!("({}.)", "a".repeat(many)),
        ),
    ];
    let (mut refused, mut read) = (0, 0);
    for (table, text) in cases {
        let parser = Parser::new(&table);
        // What the parser finds out once about its tokens is not of the text.
        let warm = parser.parse(text.as_bytes(), &mut Scratch::new(), &mut Tree::new());
        assert!(warm.is_ok(), "{warm:?}");
        for bound in (15..=28).map(|power| 1_u64 << power) {
            let parser = parser.clone().limits(Limits::new().memory(bound));
            let (mut found, mut recognised) = (Ok(()), Ok(()));
            let peaks = [
                peak(|| {
                    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
                    found = parser.parse(text.as_bytes(), &mut scratch, &mut tree);
                }),
                peak(|| recognised = parser.recognise(text.as_bytes(), &mut Scratch::new())),
            ];
            for found in [&found, &recognised] {
                match found {
                    Ok(()) => read += 1,
                    Err(Error::Memory { most }) if *most == bound => refused += 1,
                    Err(error) => panic!("{error}"),
                }
            }
            // The nodes of short tokens are kept in a table of fixed size beside.
            assert!(peaks.iter().all(|&it| it <= bound as i64 + 70_000), "{peaks:?} of {bound}");
        }
    }
    assert!(refused > 50 && read > 50, "{refused} {read}");
}

#[test]
fn what_was_read_before_does_not_matter_to_the_memory_of_a_parse() {
    let table = table("json");
    let parser = Parser::new(&table).limits(Limits::new().memory(1 << 20));
    let text = |count: usize| format!("[{}1]", "1,".repeat(count)).into_bytes();
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    let mut kinds = [0; 2];
    for round in 0..60 {
        let text = text(if round % 2 == 0 { 4000 } else { 500 * round });
        let found = parser.parse(&text, &mut scratch, &mut tree).is_ok();
        let deep = [vec![b'['; 3000], vec![b']'; 3000]].concat();
        let _ = parser.parse(&deep, &mut scratch, &mut tree);
        let fresh = parser.parse(&text, &mut Scratch::new(), &mut Tree::new()).is_ok();
        assert_eq!(found, fresh, "{round}");
        kinds[usize::from(fresh)] += 1;
    }
    assert!(kinds[0] > 5 && kinds[1] > 5, "{kinds:?}");
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
    let blocks = Table::parse(BLOCKS).unwrap();
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
