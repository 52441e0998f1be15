//! Symmetric differences of random regexes are the languages that `regexsolver` finds.

use std::collections::HashMap;

use pleach::differential::{Difference, Language};
use pleach::regular::{Alphabet, AutomatonLimits, Dfa, Nfa};
use pleach::{Entropy, Seeded};
use regexsolver::Term;
use regexsolver::fast_automaton::FastAutomaton;
use regexsolver::regex_charclass::CharacterClass;

/// How many pairs, unless `PLEACH_PAIRS` says otherwise.
const PAIRS: u64 = 4000;

/// A random regex in the syntax that both have; `.` is any character at all.
fn pattern(depth: u32, entropy: &mut impl Entropy) -> String {
    const ATOMS: &[&str] = &[
        "a", "b", "ab", "[ab]", "[^a]", ".", "c", "[a-e]", r"\d", "é", "[0-9a-f]", "[^b-z]", r"\.",
    ];
    if depth == 0 {
        return ATOMS[entropy.below(ATOMS.len() as u64) as usize].into();
    }
    let mut parts = |most: u64| -> Vec<String> {
        let count = 1 + entropy.below(most);
        (0..count).map(|_| pattern(depth - 1, entropy)).collect()
    };
    match depth % 3 {
        0 => parts(3).concat(),
        1 => format!("({})", parts(3).join("|")),
        _ => {
            let part = pattern(depth - 1, entropy);
            const COUNTS: &[&str] = &["?", "*", "+", "{2}", "{1,3}", "{2,}", ""];
            format!("({part}){}", COUNTS[entropy.below(COUNTS.len() as u64) as usize])
        }
    }
}

/// An automaton of the other crate, state by state. Its regexes can be a million times larger.
fn read(automaton: &FastAutomaton, limits: &AutomatonLimits) -> Dfa {
    let mut nfa = Nfa::new(Alphabet::Unicode);
    let accept = nfa.state();
    let states: HashMap<_, _> = automaton.states().map(|state| (state, nfa.state())).collect();
    for (&state, &from) in &states {
        for (condition, target) in automaton.transitions_from(state) {
            let class = condition.to_range(automaton.spanning_set()).unwrap().to_regex();
            nfa.regex(from, &format!("(?s:{class})"), states[target], limits).unwrap();
        }
        if automaton.is_accepted(state) {
            nfa.epsilon(from, accept);
        }
    }
    let start = states[&automaton.start_state()];
    nfa.determinize(start, accept, limits).unwrap().minimize()
}

#[test]
fn symmetric_differences_are_equal() {
    let limits = AutomatonLimits::default();
    let mut different = 0;
    let pairs = std::env::var("PLEACH_PAIRS").map_or(PAIRS, |pairs| pairs.parse().unwrap());
    for seed in 0..pairs {
        let mut entropy = Seeded::new(seed);
        let depths = [2 + entropy.below(4) as u32, 2 + entropy.below(4) as u32];
        let [a, b] = depths.map(|depth| pattern(depth, &mut entropy));
        let dot = |pattern: &str| format!("(?s:{pattern})");
        let languages = [&a, &b].map(|pattern| Language::regex(&dot(pattern), &limits).unwrap());
        let ours = Difference::new(&languages[0], &languages[1], &limits).unwrap();

        let terms = [&a, &b].map(|pattern| Term::from_pattern(pattern).unwrap());
        let alone =
            [terms[0].difference(&terms[1]).unwrap(), terms[1].difference(&terms[0]).unwrap()];
        let theirs = alone[0].union([&alone[1]]).unwrap();
        let theirs = read(&theirs.to_automaton().unwrap(), &limits);
        assert!(ours.dfa().equivalent(&theirs), "seed {seed}: {a} and {b}");
        different += u64::from(!theirs.is_empty());
    }
    // Pairs that are all equal, or never, would show little.
    assert!(different > pairs / 2 && different < pairs, "{different}");
}
