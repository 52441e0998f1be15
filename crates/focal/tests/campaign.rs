//! Whole campaigns on a program that is built for them.

#[path = "../../solver/tests/z3/mod.rs"]
mod z3;

use pleach_bridge::system::{Broken, SystemTester};
use pleach_concolic::build::{Builder, Built, Native, Target};
use pleach_concolic::ir::{FunctionId, Module};
use pleach_concolic::vm::Options as Machine;
use pleach_explore::native::{Judge, Verdict};
use pleach_explore::search::{self, Explorer};
use pleach_explore::subject::Subject;
use pleach_explore::symbolic::SymbolicLimits;
use pleach_focal::campaign::{Campaign, Change, Event, Found, Open, Options, Phase, Variant};
use pleach_focal::{Refined, Refining};
use pleach_testing::copied;
use std::path::Path;
use std::sync::OnceLock;

const SEED: &[u8] = b"bc;seal=abcdefgh;as soon as you can, please";

/// A file of `tests/data` in a folder of its own, built: the function has the file's name.
fn build(name: &str) -> Built {
    build_of("tests/data", name)
}

/// The same of a file of another folder.
fn build_of(data: &str, name: &str) -> Built {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{data}/{name}.rs"));
    let target = Target::Function { file: copied(&data, &folder), function: name.into() };
    Builder::new(folder.join("kept")).build(&target).unwrap()
}

/// The program that reads orders, built.
fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| build("order"))
}

fn subject(built: &Built) -> Subject {
    let machine = Machine::new().steps(5_000_000);
    Subject::open(built, machine, SymbolicLimits::default()).unwrap()
}

/// The functions of the program's own file.
fn own(module: &Module) -> Vec<FunctionId> {
    let is_own = |it: &FunctionId| {
        module.definition(*it).is_some_and(|place| {
            ["order.rs", "nest.rs", "shapes.rs", "stride.rs", "words.rs"]
                .iter()
                .any(|file| place.path().ends_with(file))
        })
    };
    module.functions().filter(is_own).collect()
}

/// The defaults, with units alone: the program is not searched beside.
fn units() -> Options {
    Options::new().program(0)
}

/// A campaign with a seed.
fn begun(built: &Built, seed: &[u8], options: Options) -> Campaign {
    let system = subject(built);
    let own = own(system.module());
    let mut campaign = Campaign::new(system, own, options);
    campaign.add(seed);
    campaign
}

/// A campaign to its end, or until a failure of the program is found, and what its steps were.
fn campaign(built: &Built, seed: &[u8], options: Options) -> (Campaign, Vec<Event>) {
    let mut campaign = begun(built, seed, options);
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

/// Gives inputs in their order, then nothing, and then can't go on.
struct Given(Vec<&'static [u8]>);

impl SystemTester for Given {
    fn next(&mut self) -> Result<Option<Vec<u8>>, Broken> {
        match self.0.len() {
            0 => Err(Broken::NotRun("nothing is left".into())),
            _ => Ok(Some(self.0.remove(0).to_vec())),
        }
    }

    fn learn(&mut self, _: &[u8]) {}
}

#[test]
fn what_is_run_for_profiles_the_tester_of_the_program_makes() {
    let given: [&[u8]; 2] = [b"ab;seal=", b"c;"];
    let campaign = begun(built(), SEED, units().fuzz(5));
    let mut campaign = campaign.with_system_tester(Box::new(Given(given.to_vec())));
    let mut native = built().native.clone();
    let mut ran = Vec::new();
    while campaign.phase() == Phase::Profiles && ran.len() < 3 {
        if let Event::Ran { input, .. } = campaign.step(&mut native) {
            ran.push(input);
        }
    }
    assert_eq!(ran, [SEED, given[0], given[1]]);
    // What is broken is told once.
    let is_broken = |event: &Event| matches!(event, Event::Broken(_));
    let after: Vec<Event> = (0..20).map(|_| campaign.step(&mut native)).collect();
    assert_eq!(after.iter().filter(|event| is_broken(event)).count(), 1, "{after:?}");
}

#[test]
fn a_failure_on_one_path_of_a_deep_function_is_composed_through_all_of_its_callers() {
    for seed in 0..3 {
        let (campaign, _) = campaign(built(), SEED, units().seed(seed));
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
        for change in &found.changes {
            assert!((seal..seal + 8).contains(&change.at), "{change:?}");
            assert_eq!(SEED[change.at], change.old);
            // The letters' halves are what decides.
            let why: Vec<&str> = change.why.iter().map(|site| &*site.function).collect();
            assert!(why.contains(&"subject::seal"), "{why:?}");
        }
        let counts = campaign.counts();
        assert_eq!((counts.validated, counts.validating), (1, 1));
        // As many runs of the whole program as there were of the program and of units do not find it.
        let mut explorer = Explorer::new(subject(built()), search::Options::new().seed(seed));
        explorer.add(SEED);
        let mut native: Native = built().native.clone();
        while explorer.counts().runs < counts.runs + counts.unit_runs {
            explorer.step(&mut native);
        }
        assert_eq!(explorer.failures(), []);
    }
}

/// Letters of more than one byte would be cut in two.
#[test]
fn no_unit_fails_on_what_is_no_text() {
    let built = build_of("../bridge/tests/data", "words");
    let (campaign, _) = campaign(&built, b"ab=cd e=\"f\"", units().rounds(4));
    assert!(campaign.counts().unit_runs > 20, "{campaign:?}");
    assert!(campaign.targets().is_empty(), "{:?}", campaign.targets());
}

/// A campaign of two rounds, to its end.
fn short() -> (Campaign, Vec<Event>) {
    campaign(built(), SEED, units().fuzz(32).rounds(2).slice(16))
}

#[test]
fn a_failure_within_the_standard_library_is_one_of_the_line_that_calls_it() {
    let built = build("stride");
    let (campaign, _) = campaign(&built, b"sa", units().fuzz(0).reach(0));
    let [failure] = campaign.failures() else { panic!("{campaign:?}") };
    assert_eq!(failure.input, b"sx");
    let [target] = campaign.targets() else { panic!("{:?}", campaign.targets()) };
    assert_eq!(target.site.function, "subject::strides");
    let found = target.found.as_ref().expect("its target was validated");
    assert_eq!(names(found), ["stride", "strides"]);
    assert_eq!(target.open(), None);
    assert_eq!(campaign.counts().validating, 1);
}

#[test]
fn what_a_caller_excludes_is_a_target_and_no_failure() {
    let (campaign, events) = short();
    assert_eq!(events.last(), Some(&Event::Finished));
    let target = { campaign.targets().iter() }.find(|it| it.site.function == "subject::region");
    let target = target.expect("the unit divides by zero");
    assert!(target.found.is_none() && target.formulas == 0, "{target:?}");
    assert_eq!(target.open(), Some(Open::Excluded), "{target:?}");
    // What was combined for the sake of one target or another is all that was combined.
    let own: u64 = campaign.targets().iter().map(|it| it.combined.conflicts).sum();
    assert_eq!(campaign.counts().combined.conflicts, own, "{campaign:?}");
    assert_eq!(campaign.failures(), []);
}

#[test]
fn the_same_seed_does_the_same() {
    let (first, second) = (short(), short());
    assert_eq!(first.1, second.1);
    assert_eq!(first.0.counts(), second.0.counts());
    // With the search of the program beside, which has no end of its own.
    let events = || -> Vec<Event> {
        let mut campaign =
            begun(built(), SEED, Options::new().fuzz(32).rounds(2).slice(8).program(8));
        let mut native: Native = built().native.clone();
        (0..1000).map(|_| campaign.step(&mut native)).collect()
    };
    assert_eq!(events(), events());
}

/// A campaign without tests of units, for so many steps at most.
fn at_large(options: Options, steps: usize) -> Campaign {
    let mut campaign = begun(shapes(), b"3depth=112", options.fuzz(0).reach(0).rounds(0));
    let mut native: Native = shapes().native.clone();
    for _ in 0..steps {
        if campaign.step(&mut native) == Event::Finished || !campaign.failures().is_empty() {
            break;
        }
    }
    campaign
}

#[test]
fn the_program_itself_is_searched_before_its_units_and_beside() {
    // With few steps at a time it gives up sooner, and goes on when there are units.
    for (options, is_before) in [(Options::new(), true), (Options::new().program(1), false)] {
        let with = at_large(options, 20_000);
        let [failure] = with.failures() else { panic!("{with:?}") };
        assert!(failure.location.contains("shapes.rs"), "{failure:?}");
        assert_eq!((with.counts().unit_runs, with.counts().combined), Default::default());
        assert_eq!(with.counts().units == 0, is_before, "{with:?}");
    }
    let mut without = at_large(units(), 20_000);
    assert_eq!(without.failures(), []);
    assert_eq!(without.step(&mut shapes().native.clone()), Event::Finished);
    // Without extended units it goes no further than what the entry decides by itself: which function is called.
    let alone = at_large(Options::new().variant(Variant::E), 2_000);
    assert!(alone.counts().edges > without.counts().edges, "{alone:?}");
    assert_eq!(alone.failures(), []);
}

#[test]
fn a_function_that_calls_itself_is_between_a_failure_and_the_entry() {
    let (campaign, _) = campaign(&build("nest"), b"(a---z", units().reach(0));
    let [failure] = campaign.failures() else { panic!("{campaign:?}") };
    assert_eq!(failure.input, b"(((!xq");
    let found = campaign.targets().iter().find_map(|target| target.found.as_ref());
    let names = names(found.expect("its target was validated"));
    // The seed has one call of the function by itself, so that this is a path of its own.
    assert_eq!(names, ["nest", "level", "level"]);
}

/// Seeds of some shapes.
const SHAPES: [&[u8]; 5] = [b"1azmz0k", b"1bzmz0k", b"2+3-5--7-", b"3depth=112", b"4ab"];

/// The program of many shapes, built.
fn shapes() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| build("shapes"))
}

/// The input that is composed from a seed and fails in a function, and the functions that it is composed of.
///
/// Nothing is made of the seed at random: that would come to other shapes.
fn composed(seed: &[u8], function: &str, options: Options) -> (Campaign, Vec<u8>, Vec<String>) {
    let mut campaign = begun(shapes(), seed, options.fuzz(0).reach(0));
    let mut native: Native = shapes().native.clone();
    loop {
        let event = campaign.step(&mut native);
        let found = campaign.targets().iter().filter_map(|target| target.found.as_ref());
        let mut found = found.map(|found| (names(found), found.failure));
        if let Some((chain, failure)) = found.find(|(chain, _)| chain.last() == Some(&function)) {
            let chain = chain.into_iter().map(str::to_owned).collect();
            let failure = failure.expect("it is new");
            let input = campaign.failures()[failure].input.clone();
            return (campaign, input, chain);
        }
        assert_ne!(event, Event::Finished, "{campaign:?}: {:?}", campaign.refined());
    }
}

#[test]
fn a_caller_that_is_known_by_other_paths_is_refined_until_it_makes_the_call_that_fails() {
    let options = units().fuzz(0).reach(0).rounds(1).slice(16);
    let (campaign, input, chain) = composed(b"1azmz0k", "word", options.clone());
    assert_eq!(input, b"1p3-c1t");
    assert_eq!(chain, ["shapes", "figure", "kinds", "word"]);
    let refined = campaign.refined();
    assert!(refined.solved > 0 && refined.interpolants > 0, "{refined:?}");
    assert_eq!(refined.unchecked, 0);
    // What was explored before is in conflict.
    let options = options.refinement(Refining::new().rounds(0));
    let mut without = begun(shapes(), b"1azmz0k", options);
    let mut native: Native = shapes().native.clone();
    while without.step(&mut native) != Event::Finished {}
    let target = { without.targets().iter() }.find(|it| it.site.function == "subject::word");
    assert!(target.expect("the unit fails").found.is_none(), "{without:?}");
    assert!(without.counts().combined.conflicts > 0, "{without:?}");
}

#[test]
fn a_loop_is_between_the_input_and_a_failure() {
    let (_, input, _) = composed(b"2+3-5--7-", "evaluate", units());
    let mut sum = 0;
    for byte in &input[1..] {
        match byte {
            b'+' => sum += 2,
            b'0'..=b'9' => sum = 2 * sum % 997 + u32::from(byte - b'0'),
            _ => {}
        }
    }
    assert_eq!(sum, 78, "{}", input.escape_ascii());
}

#[test]
fn strings_that_are_taken_apart_compared_and_read_are_between() {
    let (_, input, _) = composed(b"3depth=112", "width", units());
    assert_eq!(input, b"3depth=173");
}

#[test]
fn tables_that_are_looked_up_are_between() {
    let (_, input, _) = composed(b"4ab", "balance", units());
    assert_eq!((input[1] & 31, input[2] & 31), (30, 23));
}

#[test]
fn units_fail_in_all_ways_in_which_the_program_does() {
    let ways = [
        "abort",
        "attempt to add with overflow",
        "index out of bounds",
        "nobody asks so",
        "as its author has it",
    ];
    let mut campaign = begun(shapes(), b"9x0", units().fuzz(0).reach(0).rounds(4));
    let mut native: Native = shapes().native.clone();
    while campaign.counts().validated < 5 && campaign.step(&mut native) != Event::Finished {}
    for way in ways {
        let target = campaign.targets().iter().find(|it| it.message.contains(way));
        let found = target.and_then(|it| it.found.as_ref()).expect(way);
        assert_eq!(names(found), ["shapes", "ended", "end"]);
        let failure = &campaign.failures()[found.failure.expect("it is new")];
        assert!(failure.message.contains(way) || failure.kind == way, "{failure:?}");
    }
}

#[test]
fn a_caller_is_refined_twice_for_the_same_failure() {
    let refinement = Refining::new().steps(12);
    let options = units().rounds(1).slice(8).refinement(refinement);
    let (campaign, input, _) = composed(b"5abcdefghijkl", "pair", options);
    assert_eq!((input[10], input[11] ^ input[12]), (b'q', 0x55), "{}", input.escape_ascii());
    let refined = campaign.refined();
    let Refined { begun, solved, rounds, interpolants, .. } = *refined;
    assert_eq!((begun, solved, rounds, interpolants), (1, 1, 2, 2), "{refined:?}");
    assert!(refined.edges > 4, "{refined:?}");
}

/// What a caller that never makes a call fail was explored for: the edges that each round has gained.
fn gains(variant: Variant) -> Vec<u64> {
    let options = units().variant(variant).fuzz(0).reach(0).rounds(1).slice(16);
    let mut campaign = begun(built(), SEED, options);
    let mut native: Native = built().native.clone();
    let mut edges = Vec::new();
    while campaign.step(&mut native) != Event::Finished {
        // Those of a round are counted when the next one begins.
        if campaign.refined().rounds > edges.len() as u64 {
            edges.push(campaign.refined().edges);
        }
    }
    edges.push(campaign.refined().edges);
    assert_eq!((campaign.refined().begun, campaign.refined().solved), (1, 0));
    edges.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn refinement_ends_after_three_rounds_in_a_row_without_a_new_edge() {
    let gains = gains(Variant::Whole);
    assert!(gains.len() < 16 && gains.iter().sum::<u64>() > 0, "{gains:?}");
    let barren = gains.windows(3).position(|three| three == [0, 0, 0]);
    assert_eq!(barren, Some(gains.len() - 3), "{gains:?}");
    // Without interpolants nothing says that it need not go on.
    assert_eq!(self::gains(Variant::I).len(), 16);
}

#[test]
fn a_call_of_a_trait_object_is_between() {
    let (_, input, chain) = composed(b"6q/a", "stripes", units());
    assert_eq!(input, b"6x/x");
    assert_eq!(chain[chain.len() - 2..], ["paint", "stripes"]);
}

#[test]
fn a_caller_that_makes_the_call_with_another_shape_is_run_into_the_callee() {
    // Of two of the three calls there are units: the callers of these exclude the failure.
    let options = units().percent(0);
    let (_, input, chain) = composed(b"7abcdefghi", "marks", options);
    let (before, large) = input[1..].split_at(5);
    assert!(
        !before.contains(&b'!') && large.contains(&b'!') && large[0] != b'z',
        "{}",
        input.escape_ascii()
    );
    assert!(chain.contains(&"large".to_owned()), "{chain:?}");
}

#[test]
fn a_number_in_an_object_decides_which_calls_are_those_that_fail() {
    let (campaign, input, chain) = composed(b"8abc", "taken", units());
    assert_eq!(input, b"8a!c");
    assert_eq!(chain, ["shapes", "numbered", "passed", "taken"]);
    // Of the other two calls nothing is composed.
    let counts = campaign.counts();
    assert_eq!((counts.formulas, counts.validating), (1, 1), "{counts:?}");
}

/// The input of the one failure of a campaign, once it was made shorter; without any of its bytes the program does not fail so.
fn reduced(mut campaign: Campaign, built: &Built) -> (Campaign, Vec<u8>) {
    let mut native: Native = built.native.clone();
    assert_eq!(campaign.phase(), Phase::Reduction);
    while campaign.phase() == Phase::Reduction {
        campaign.step(&mut native);
    }
    let failure = campaign.failures()[0].clone();
    for at in 0..failure.input.len() {
        let shorter = [&failure.input[..at], &failure.input[at + 1..]].concat();
        if let Verdict::Failed(fault) = native.judge(&shorter, None) {
            assert_ne!(fault.message, failure.message, "{}", shorter.escape_ascii());
        }
    }
    (campaign, failure.input)
}

#[test]
fn what_fails_is_reduced_to_what_fails_alone() {
    let (campaign, input) = reduced(campaign(built(), SEED, units()).0, built());
    let mut found = campaign.targets().iter().filter_map(|target| target.found.as_ref());
    assert_eq!(found.next().expect("its target was validated").failure, Some(0));
    // An order without a note and flags.
    assert!(input.len() <= b";seal=abcdefgh".len() + 1, "{}", input.escape_ascii());
    // So is what was begun with, and what the program was explored to.
    let (campaign, _) = self::campaign(built(), b"bc;a note;seal=abnnefgn;and another", units());
    assert_eq!(reduced(campaign, built()).1, b";seal=abnnefgn");
    let (_, input) = reduced(at_large(Options::new(), 20_000), shapes());
    assert!(input.len() <= b"3depth=173".len(), "{}", input.escape_ascii());
}

/// Takes the steps up to the first test of a unit.
fn profile(campaign: &mut Campaign) {
    let mut native: Native = shapes().native.clone();
    while matches!(campaign.phase(), Phase::Profiles | Phase::Reduction) {
        campaign.step(&mut native);
    }
}

#[test]
fn functions_that_no_run_calls_are_explored_towards_and_counted_where_none_comes_there() {
    let begin = |reach| {
        let options = units().fuzz(0).reach(reach);
        let mut campaign = begun(shapes(), b"5abcdefghijkl", options);
        profile(&mut campaign);
        campaign.counts()
    };
    let (without, with) = (begin(0), begin(512));
    assert!(with.called > without.called + 5, "{without:?} and {with:?}");
    assert!(with.functions > without.functions, "{without:?} and {with:?}");
    assert_eq!(without.called + without.without_context, with.called + with.without_context);
}

#[test]
fn where_there_is_room_for_few_units_they_are_of_as_many_functions() {
    let carved = |most: usize| {
        let mut campaign = begun(shapes(), SHAPES[0], units().fuzz(0).reach(0).units(most));
        SHAPES[1..].iter().for_each(|seed| campaign.add(seed));
        profile(&mut campaign);
        let counts = campaign.counts();
        (counts.units as usize, counts.functions as usize)
    };
    let (units, functions) = carved(256);
    assert!(units > functions && functions > 6, "{units} of {functions}");
    assert_eq!(carved(functions), (functions, functions));
    assert_eq!(carved(3), (3, 3));
}

/// A campaign of few rounds on text that is to be another number, up to where that makes the program fail.
fn varied(variant: Variant) -> Campaign {
    let options = units().variant(variant).fuzz(0).reach(0).rounds(4).slice(16);
    let mut campaign = begun(shapes(), b"3depth=112", options);
    let mut native: Native = shapes().native.clone();
    while of_width(&campaign).is_none() && campaign.step(&mut native) != Event::Finished {}
    campaign
}

/// How the program was made to fail in the function that is given the number.
fn of_width(campaign: &Campaign) -> Option<&Found> {
    let mut targets = campaign.targets().iter();
    targets.find(|it| it.site.function == "subject::width")?.found.as_ref()
}

#[test]
fn variants_that_go_without_composition_ask_for_none_and_come_there_in_their_own_ways() {
    let whole = varied(Variant::W);
    assert_eq!((whole.counts().combined, whole.counts().formulas), Default::default());
    assert!(of_width(&whole).expect("it is near").chain.is_empty());
    let forward = varied(Variant::M);
    assert_eq!(forward.counts().combined, Default::default());
    let found = of_width(&forward).expect("each caller is near");
    assert_eq!(names(found), ["shapes", "setting", "width"]);
    // A search of the program has made the input, and yet it is known what of it matters.
    let at_number = |it: &Change| it.why.iter().any(|site| site.function == "subject::width");
    let changes: Vec<usize> =
        found.changes.iter().filter(|it| at_number(it)).map(|it| it.at).collect();
    assert_eq!(changes, [8, 9], "{found:?}");
    assert!(forward.refined().solved >= 2 && forward.refined().interpolants == 0);
}

#[test]
fn only_an_extended_unit_decides_otherwise_in_what_it_calls() {
    let is_found = |options: Options| {
        let options = options.fuzz(0).reach(0).rounds(2).slice(16);
        let mut campaign = begun(shapes(), b"0ab", options.refinement(Refining::new().rounds(0)));
        let mut native: Native = shapes().native.clone();
        while campaign.step(&mut native) != Event::Finished {}
        campaign.targets().iter().any(|it| it.site.function == "subject::decide")
    };
    assert!(is_found(units().percent(100)));
    // Nothing of what it calls is relevant, or part of it.
    assert!(!is_found(units().percent(0)));
    assert!(!is_found(units().variant(Variant::E).percent(100)));
}

#[test]
fn variants_of_units_and_of_refinement_compose() {
    for variant in [Variant::E, Variant::R, Variant::I] {
        let campaign = varied(variant);
        assert!(campaign.counts().combined.satisfiable > 0, "{variant:?}: {campaign:?}");
        assert!(of_width(&campaign).is_some(), "{variant:?}: {campaign:?}");
    }
    let options = units().variant(Variant::I).fuzz(0).reach(0).rounds(1).slice(8);
    let mut campaign = begun(shapes(), b"5abcdefghijkl", options);
    let mut native: Native = shapes().native.clone();
    while campaign.refined().solved == 0 && campaign.step(&mut native) != Event::Finished {}
    let refined = campaign.refined();
    assert!(refined.rounds > 0 && refined.interpolants == 0, "{refined:?}");
}

#[test]
fn z3_agrees_about_interpolants() {
    let Some(program) = z3::program() else {
        println!("no z3: nothing is compared");
        return;
    };
    let mut checks = Vec::new();
    for (seed, function, steps) in [("1azmz0k", "word", 64), ("5abcdefghijkl", "pair", 12)] {
        let refinement = Refining::new().steps(steps).record(true);
        let options = units().rounds(1).slice(8).refinement(refinement);
        let (campaign, ..) = composed(seed.as_bytes(), function, options);
        checks.extend_from_slice(&campaign.refined().checks);
    }
    // Without what they end with they hold: on a path, or where a unit fails.
    let without = |script: &String| {
        let last = script.rfind("(assert").expect("it asserts something");
        format!("{}(check-sat)\n", &script[..last])
    };
    let others: Vec<String> = checks.iter().map(without).collect();
    let (checks, others) =
        (z3::answers(&program, "checks", &checks), z3::answers(&program, "others", &others));
    assert!(checks.len() > 8 && checks.iter().all(|it| it == "unsat"), "{checks:?}");
    assert!(others.iter().all(|it| it == "sat"), "{others:?}");
    println!("{} questions about interpolants; no disagreement", checks.len());
}
