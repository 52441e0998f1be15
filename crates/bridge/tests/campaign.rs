//! Whole campaigns on a program that is built for them.

use pleach_bridge::campaign::{Campaign, Event, Options, Units};
use pleach_bridge::carve::{Carver, Sampling};
use pleach_bridge::lift::Way;
use pleach_concolic::build::{Builder, Built, Native, Target};
use pleach_concolic::ir::{FunctionId, Module};
use pleach_concolic::vm::Options as Machine;
use pleach_explore::search::{self, Explorer};
use pleach_explore::subject::Subject;
use pleach_explore::symbolic::SymbolicLimits;
use pleach_testing::copied;
use std::path::Path;
use std::sync::{Arc, OnceLock};

const SEED: &[u8] = b"6:djEyMzQ1";
/// How many steps exploration has to find what the bridge finds.
const STEPS: u32 = 300;

/// A file of `tests/data` in a folder of its own, built: the function has the file's name.
fn build(name: &str) -> Built {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{name}.rs"));
    let target = Target::Function { file: copied(&data, &folder), function: name.into() };
    Builder::new(folder.join("kept")).build(&target).unwrap()
}

/// The program that reads messages.
fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| build("post"))
}

fn open(built: &Built) -> Subject {
    let machine = Machine::new().steps(5_000_000);
    Subject::open(built, machine, SymbolicLimits::default()).unwrap()
}

fn subject() -> Subject {
    open(built())
}

/// The program's own functions with one of these names.
fn functions(module: &Module, names: &[&str]) -> Vec<FunctionId> {
    let is_own = |it: &FunctionId| names.contains(&&*module.source_name(*it));
    module.functions().filter(is_own).collect()
}

/// A campaign from the seed on with units of these functions, until it has found a failure, at most so many steps.
fn campaign(functions: &[&str], options: Options, steps: u32) -> (Campaign, Vec<Event>) {
    campaign_of(built(), SEED, functions, options, steps)
}

fn campaign_of(
    built: &Built,
    seed: &[u8],
    functions: &[&str],
    options: Options,
    steps: u32,
) -> (Campaign, Vec<Event>) {
    let system = open(built);
    let admitted = self::functions(system.module(), functions);
    assert_eq!(admitted.len(), functions.len(), "a function is not there");
    let mut campaign = Campaign::new(system, admitted, options);
    campaign.add(seed);
    let mut native: Native = built.native.clone();
    let mut events = Vec::new();
    for _ in 0..steps {
        events.push(campaign.step(&mut native));
        if events.last() == Some(&Event::Finished) || !campaign.failures().is_empty() {
            break;
        }
    }
    (campaign, events)
}

const DEEP: [&str; 3] = ["subject::record", "subject::value", "subject::share"];

#[test]
fn a_fault_behind_base64_and_a_length_is_found_in_its_unit_and_lifted() {
    let (campaign, _) = campaign(&DEEP, Options::default(), 2000);
    let [failure] = campaign.failures() else { panic!("{campaign:?}") };
    assert_eq!(failure.message, "attempt to divide by zero");
    assert!(failure.location.contains("post.rs:"), "{}", failure.location);
    let [alarm] = campaign.alarms() else { panic!("{:?}", campaign.alarms()) };
    assert!(alarm.unit.function.starts_with("subject::"), "{alarm:?}");
    let body: Vec<u8> = alarm.mapping.iter().flat_map(|it| it.new.clone()).collect();
    assert!(body.windows(2).any(|pair| pair == 0x6a4f_u16.to_le_bytes()), "{alarm:?}");
    assert!(alarm.mapping.iter().all(|it| !it.copy && it.from.0 >= 2), "{alarm:?}");
    let counts = campaign.counts();
    assert!(counts.carved >= 2 && counts.effective > 0 && counts.outcomes.new > 0, "{counts:?}");
    // The digits of another class than before have other terms.
    assert!(counts.detours > 0, "{counts:?}");
}

#[test]
fn exploration_alone_does_not_find_it_in_more_runs() {
    let runs = campaign(&DEEP, Options::default(), 2000).0.counts().runs;
    let mut explorer = Explorer::new(subject(), search::Options::default());
    explorer.add(SEED);
    let mut native: Native = built().native.clone();
    for _ in 0..STEPS {
        assert_ne!(explorer.step(&mut native), search::Event::Finished);
    }
    assert!(explorer.failures().is_empty(), "{:?}", explorer.failures());
    assert!(explorer.counts().runs > runs, "{:?}, and {runs}", explorer.counts());
}

#[test]
fn a_fuzzer_of_values_finds_ways_that_are_lifted_too() {
    let options = Options::new().units(Units::Fuzzer);
    let (campaign, _) = campaign(&DEEP[..2], options, 300);
    let counts = campaign.counts();
    assert!(counts.unit_runs > 1000 && counts.edges_lifted > 0, "{counts:?}");
}

#[test]
fn the_same_seed_does_the_same() {
    for units in [Units::Concolic, Units::Fuzzer] {
        let options = Options::new().units(units).seed(7);
        let (one, first) = campaign(&DEEP, options.clone(), 40);
        let (other, second) = campaign(&DEEP, options, 40);
        assert_eq!(first, second);
        assert_eq!(one.counts(), other.counts());
        assert_eq!(one.edges(), other.edges());
    }
}

#[test]
fn what_is_a_text_for_the_program_is_one_in_its_units() {
    let built = build("words");
    for units in [Units::Concolic, Units::Fuzzer] {
        for seed in ["ab=cd e=\"f\"", "ä=b c=\"€\" 😀=d"] {
            let options = Options::new().units(units);
            let functions = ["subject::value"];
            let (campaign, _) = campaign_of(&built, seed.as_bytes(), &functions, options, 200);
            let counts = campaign.counts();
            assert!(counts.unit_runs > 3, "{counts:?}");
            let suspicions: Vec<_> = campaign.suspicions().collect();
            assert!(suspicions.is_empty(), "{suspicions:?}");
        }
    }
}

#[test]
fn a_number_of_more_digits_is_lifted_as_text() {
    let built = build("number");
    let (campaign, _) = campaign_of(&built, b"n=7", &["subject::ratio"], Options::default(), 200);
    let [failure] = campaign.failures() else { panic!("{campaign:?}") };
    assert_eq!(failure.input, b"n=123456");
    let [alarm] = campaign.alarms() else { panic!("{:?}", campaign.alarms()) };
    assert_eq!(alarm.way, Some(Way::Decimal));
    let [part] = &alarm.mapping[..] else { panic!("{alarm:?}") };
    assert_eq!((part.from, part.copy), ((2, 2), false));
    assert_eq!(part.new, 123_456_u32.to_le_bytes());
}

#[test]
fn a_function_that_is_not_called_makes_no_unit() {
    let built = build("number");
    let (campaign, events) =
        campaign_of(&built, b"x", &["subject::ratio"], Options::default(), 200);
    assert_eq!(events.last(), Some(&Event::Finished));
    let counts = campaign.counts();
    assert_eq!((counts.called, counts.units, counts.runs), (0, 0, 1));
}

#[test]
fn calls_that_reach_nothing_of_the_input_are_looked_at_less_from_run_to_run() {
    let mut subject = open(&build("idle"));
    let module = Arc::clone(subject.module());
    let ticks = functions(&module, &["subject::tick"]);
    let mut carver = Carver::new(module, ticks, Sampling::new().looks(16));
    let mut looks = Vec::new();
    for _ in 0..4 {
        let before = carver.refused.independent;
        subject.symbolic().watched = carver.begin();
        let mut look = |machine: &mut _| _ = carver.look(machine, None);
        assert!(subject.run_watched(b"ab", None, &mut look).outcome.is_end());
        looks.push(carver.refused.independent - before);
    }
    assert_eq!(looks, [16, 8, 4, 4]);
}
