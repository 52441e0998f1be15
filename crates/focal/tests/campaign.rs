//! Whole campaigns on a program that is built for them.

use pleach_concolic::build::{Builder, Built, Native, Target};
use pleach_concolic::ir::{FunctionId, Module};
use pleach_concolic::vm::Options as Machine;
use pleach_explore::search::{self, Explorer};
use pleach_explore::subject::Subject;
use pleach_explore::symbolic::Limits;
use pleach_focal::campaign::{Campaign, Event, Found, Options};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const SEED: &[u8] = b"bc;seal=abcdefgh;as soon as you can, please";

/// A file of `tests/data` in a folder of its own, built: the function has the file's name.
fn build(name: &str) -> Built {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{name}.rs"));
    let (file, source) = (folder.join(format!("{name}.rs")), std::fs::read(data).unwrap());
    if std::fs::read(&file).ok().as_ref() != Some(&source) {
        std::fs::write(&file, source).unwrap();
    }
    let target = Target::parse(&format!("{name}.rs#{name}"), &folder).unwrap();
    Builder::new(folder.join("kept")).build(&target).unwrap()
}

/// The program that reads orders, built.
fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| build("order"))
}

fn subject(built: &Built) -> Subject {
    let machine = Machine { steps: 5_000_000, ..Machine::default() };
    Subject::open(built, machine, Limits::default()).unwrap()
}

/// The functions of the program's own file.
fn own(module: &Module) -> Vec<FunctionId> {
    let is_own = |it: &FunctionId| {
        module.definition(*it).is_some_and(|place| {
            place.path().ends_with("order.rs") || place.path().ends_with("nest.rs")
        })
    };
    module.functions().filter(is_own).collect()
}

/// A campaign to its end, or until a failure of the program is found, and what its steps were.
fn campaign(built: &Built, seed: &[u8], options: Options) -> (Campaign, Vec<Event>) {
    let system = subject(built);
    let own = own(system.module());
    let mut campaign = Campaign::new(system, own, options);
    campaign.add(seed);
    let mut native: Native = built.native.clone();
    let mut events = Vec::new();
    while campaign.failures().is_empty() && events.last() != Some(&Event::Finished) {
        events.push(campaign.step(&mut native));
    }
    (campaign, events)
}

/// The functions of a chain, by their last names.
fn names(found: &Found) -> Vec<&str> {
    found.chain.iter().map(|site| site.function.rsplit("::").next().unwrap()).collect()
}

#[test]
fn a_failure_on_one_path_of_a_deep_function_is_composed_through_all_of_its_callers() {
    for seed in 0..3 {
        let (campaign, _) = campaign(built(), SEED, Options { seed, ..Options::default() });
        let [failure] = campaign.failures() else { panic!("{campaign:?}") };
        assert_eq!(failure.message, "attempt to divide by zero");
        let mut found =
            campaign.targets().iter().filter_map(|target| Some((target, target.found.as_ref()?)));
        let (target, found) = found.next().expect("its target was validated");
        assert_eq!(target.site.function, "subject::share");
        assert_eq!(target.function.function, "subject::seal");
        assert_eq!(names(found), ["order", "field", "seal"]);
        // All that has changed are letters of the seal.
        let seal = SEED.iter().position(|&byte| byte == b'=').unwrap() + 1;
        assert!(!found.changes.is_empty());
        for &(at, old, new) in &found.changes {
            assert!((seal..seal + 8).contains(&at), "{at}");
            assert_eq!((SEED[at], failure.input[at]), (old, new));
        }
        let counts = campaign.counts();
        assert_eq!((counts.validated, counts.validating), (1, 1));
        // As many runs of the whole program as there were of the program and of units do not find it.
        let mut explorer =
            Explorer::new(subject(built()), search::Options { seed, ..Default::default() });
        explorer.add(SEED);
        let mut native: Native = built().native.clone();
        while explorer.counts().runs < counts.runs + counts.unit_runs {
            explorer.step(&mut native);
        }
        assert_eq!(explorer.failures(), []);
    }
}

/// A campaign of two rounds, to its end.
fn short() -> (Campaign, Vec<Event>) {
    campaign(built(), SEED, Options { fuzz: 32, rounds: 2, slice: 16, ..Options::default() })
}

#[test]
fn what_a_caller_excludes_is_a_target_and_no_failure() {
    let (campaign, events) = short();
    assert_eq!(events.last(), Some(&Event::Finished));
    let target = { campaign.targets().iter() }.find(|it| it.site.function == "subject::region");
    let target = target.expect("the unit divides by zero");
    assert!(target.found.is_none() && target.formulas == 0, "{target:?}");
    assert!(campaign.counts().combined.conflicts > 0, "{campaign:?}");
    assert_eq!(campaign.failures(), []);
}

#[test]
fn the_same_seed_does_the_same() {
    let (first, second) = (short(), short());
    assert_eq!(first.1, second.1);
    assert_eq!(first.0.counts(), second.0.counts());
}

#[test]
fn a_function_that_calls_itself_is_between_a_failure_and_the_entry() {
    let (campaign, _) = campaign(&build("nest"), b"(a---z", Options::default());
    let [failure] = campaign.failures() else { panic!("{campaign:?}") };
    assert_eq!(failure.input, b"(((!xq");
    let found = campaign.targets().iter().find_map(|target| target.found.as_ref());
    let names = names(found.expect("its target was validated"));
    // The seed has one call of the function by itself, so that this is a path of its own.
    assert_eq!(names, ["nest", "level", "level"]);
}
