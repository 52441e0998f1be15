//! Regular languages against oracles: the `regex` crate, brute force, and algebra.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use pleach::Seeded;
use pleach::regular::{
    Alphabet, AutomatonLimits, ClassId, Dfa, RegularError, StateId, UniformSampler,
};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

fn build(pattern: &str, alphabet: Alphabet) -> Result<Dfa, RegularError> {
    Dfa::from_regex(pattern, alphabet, &AutomatonLimits::default())
}

fn unicode(pattern: &str) -> Dfa {
    build(pattern, Alphabet::Unicode).unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

fn bytes(pattern: &str) -> Dfa {
    build(pattern, Alphabet::Bytes).unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

/// A random regex over few symbols, so that random strings often match.
fn pattern(atoms: &'static [&'static str]) -> impl Strategy<Value = String> {
    let atom = prop::sample::select(atoms).prop_map(str::to_owned);
    atom.prop_recursive(5, 24, 4, |inner| {
        let suffix = prop::sample::select(vec![
            "?", "*", "+", "{2}", "{1,3}", "{2,}", "{0}", "*?", "{0,2}?",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            prop::collection::vec(inner.clone(), 1..4)
                .prop_map(|parts| format!("(?:{})", parts.join("|"))),
            (inner.clone(), suffix).prop_map(|(part, suffix)| format!("(?:{part}){suffix}")),
            inner.clone().prop_map(|part| format!("(?i:{part})")),
            inner.prop_map(|part| format!("({part})")),
        ]
    })
}

const UNICODE_ATOMS: &[&str] = &[
    "a",
    "b",
    "ab",
    "[ab]",
    "[^a]",
    ".",
    "(?s:.)",
    r"\w",
    r"\d",
    "é",
    "[b-é]",
    r"\p{Greek}",
    r"(?-u:\w)",
    "(?x: a b )",
    "[a&&b]",
    "",
    "ß",
    "k",
];
const BYTE_ATOMS: &[&str] = &[
    "a",
    "b",
    "ab",
    "[ab]",
    "[^a]",
    ".",
    "(?s:.)",
    r"\w",
    r"\xFF",
    r"[\x80-\xFF]",
    r"\x00",
    "(?u:é)",
    "(?u:[é-λ])",
    "(?u:.)",
    "(?u:[^a])",
    "[a&&b]",
    "",
];

fn text() -> impl Strategy<Value = String> {
    let symbols =
        vec!['a', 'b', 'A', 'B', '1', '\n', ' ', 'é', 'É', 'λ', 'ſ', 'K', 'ß', '\u{10FFFF}'];
    prop::collection::vec(prop::sample::select(symbols), 0..8).prop_map(String::from_iter)
}

fn blob() -> impl Strategy<Value = Vec<u8>> {
    let symbols = vec![b'a', b'b', b'A', b'\n', 0, 0xFF, 0xC3, 0xA9, 0xCE, 0xBB, 0x80];
    prop::collection::vec(prop::sample::select(symbols), 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn unicode_membership_agrees_with_regex(
        pattern in pattern(UNICODE_ATOMS),
        texts in prop::collection::vec(text(), 12),
    ) {
        let oracle = regex::Regex::new(&format!(r"\A(?:{pattern})\z")).expect("generated");
        let dfa = unicode(&pattern);
        for text in texts {
            let expected = oracle.is_match(&text);
            prop_assert_eq!(dfa.contains_bytes(text.as_bytes()), expected, "{}: {:?}", pattern, text);
        }
        if let Some(shortest) = dfa.shortest() {
            let text: String = shortest.into_iter().filter_map(char::from_u32).collect();
            prop_assert!(oracle.is_match(&text), "{}: {:?}", pattern, text);
        }
    }

    #[test]
    fn byte_membership_agrees_with_regex(
        pattern in pattern(BYTE_ATOMS),
        blobs in prop::collection::vec(blob(), 12),
    ) {
        let oracle = regex::bytes::RegexBuilder::new(&format!(r"\A(?:{pattern})\z"))
            .unicode(false)
            .build()
            .expect("generated");
        let dfa = bytes(&pattern);
        for blob in blobs {
            let expected = oracle.is_match(&blob);
            prop_assert_eq!(dfa.contains_bytes(&blob), expected, "{}: {:?}", pattern, blob);
        }
    }

    #[test]
    fn combinations_obey_the_laws_of_sets(
        patterns in prop::array::uniform3(pattern(UNICODE_ATOMS)),
        texts in prop::collection::vec(text(), 8),
    ) {
        let limits = AutomatonLimits::default();
        let [a, b, c] = patterns.each_ref().map(|pattern| unicode(pattern));
        let union = |a: &Dfa, b: &Dfa| a.union(b, &limits).expect("small");
        let both = |a: &Dfa, b: &Dfa| a.intersection(b, &limits).expect("small");
        let minus = |a: &Dfa, b: &Dfa| a.difference(b, &limits).expect("small");
        let xor = a.symmetric_difference(&b, &limits).expect("small");
        let laws = [
            (a.complement().complement(), a.clone()),
            (union(&a, &b).complement(), both(&a.complement(), &b.complement())),
            (minus(&a, &b), both(&a, &b.complement())),
            (xor.clone(), minus(&union(&a, &b), &both(&a, &b))),
            (both(&a, &union(&b, &c)), union(&both(&a, &b), &both(&a, &c))),
            (union(&a, &b), union(&b, &a)),
            (union(&a, &a.complement()), Dfa::universal(Alphabet::Unicode)),
            (minus(&a, &a), Dfa::empty(Alphabet::Unicode)),
        ];
        for (law, (left, right)) in laws.iter().enumerate() {
            prop_assert!(left.equivalent(right), "law {}: {:?}", law, patterns);
            prop_assert_eq!(left.minimize(), right.minimize(), "law {}: {:?}", law, patterns);
        }
        prop_assert_eq!(a.equivalent(&b), xor.is_empty());
        prop_assert_eq!(a.equivalent(&b), a == b);
        prop_assert_eq!(a.is_universal(), a.complement().is_empty());
        for text in texts {
            let [in_a, in_b, in_xor] = [&a, &b, &xor].map(|dfa| dfa.contains_bytes(text.as_bytes()));
            prop_assert_eq!(in_xor, in_a != in_b, "{:?}: {:?}", patterns, text);
        }
    }

    #[test]
    fn minimisation_agrees_with_moore(patterns in prop::array::uniform2(pattern(UNICODE_ATOMS))) {
        let [a, b] = patterns.each_ref().map(|pattern| unicode(pattern));
        let product = a.symmetric_difference(&b, &AutomatonLimits::default()).expect("small");
        let minimal = product.minimize();
        prop_assert_eq!(live_classes_by_moore(&product), live_states(&minimal), "{:?}", patterns);
        prop_assert!(minimal.equivalent(&product), "{:?}", patterns);
        // No two classes of symbols do the same.
        let columns: HashSet<Vec<StateId>> = (0..minimal.class_count())
            .map(|class| {
                let symbol = first_symbol(&minimal, class);
                minimal.states().map(|state| minimal.step(state, symbol)).collect()
            })
            .collect();
        prop_assert_eq!(columns.len(), minimal.class_count(), "{:?}", patterns);
    }

    #[test]
    fn the_shortest_string_and_the_lengths_agree_with_a_search(
        pattern in pattern(UNICODE_ATOMS),
    ) {
        let dfa = unicode(&pattern);
        let found = shortest_by_search(&dfa);
        let shortest = dfa.shortest();
        prop_assert_eq!(shortest.as_ref().map(Vec::len), found, "{}", pattern);
        prop_assert_eq!(dfa.distance(dfa.start()).map(|n| n as usize), found, "{}", pattern);
        prop_assert_eq!(dfa.is_empty(), found.is_none());
        prop_assert!(shortest.is_none_or(|symbols| dfa.contains(symbols)), "{}", pattern);
        // A language is infinite where a string is at least as long as there are states.
        let (longest, infinite) = longest_by_search(&dfa);
        prop_assert_eq!(dfa.is_infinite(), infinite, "{}", pattern);
        prop_assert_eq!(dfa.max_len(), if infinite { None } else { longest }, "{}", pattern);
    }

    #[test]
    fn counts_agree_with_enumeration(pattern in pattern(&["a", "b", "[a-c]", "ab", "[bc]?", ""])) {
        let dfa = unicode(&format!("(?-i){pattern}"));
        let dfa = dfa.intersection(&unicode("[a-c]*"), &AutomatonLimits::default()).expect("small");
        let sampler = UniformSampler::new(&dfa, 6, &AutomatonLimits::default()).expect("small");
        for len in 0..=6 {
            let strings = strings_over(b"abc", len);
            let expected = strings.iter().filter(|string| dfa.contains_bytes(string)).count();
            prop_assert_eq!(sampler.count(len).exact(), Some(expected as u64), "{}", pattern);
        }
    }
}

fn first_symbol(dfa: &Dfa, class: usize) -> u32 {
    (0..=0x10FFFF)
        .find(|&symbol| dfa.class(symbol).map(ClassId::index) == Some(class))
        .expect("no class is empty")
}

fn live_states(dfa: &Dfa) -> usize {
    dfa.states().filter(|&state| !dfa.is_dead(state)).count()
}

/// The number of classes of live states, by splitting on (acceptance, classes of successors)
/// until nothing changes.
fn live_classes_by_moore(dfa: &Dfa) -> usize {
    let symbols: Vec<u32> = (0..dfa.class_count()).map(|class| first_symbol(dfa, class)).collect();
    let mut block: Vec<usize> =
        dfa.states().map(|state| usize::from(dfa.is_accepting(state))).collect();
    loop {
        let mut signatures = HashMap::new();
        let next: Vec<usize> = dfa
            .states()
            .map(|state| {
                let successors: Vec<usize> =
                    symbols.iter().map(|&symbol| block[dfa.step(state, symbol).index()]).collect();
                let fresh = signatures.len();
                *signatures.entry((block[state.index()], successors)).or_insert(fresh)
            })
            .collect();
        let before: HashSet<usize> = block.iter().copied().collect();
        if signatures.len() == before.len() {
            let live = dfa.states().filter(|&state| !dfa.is_dead(state));
            return live.map(|state| next[state.index()]).collect::<HashSet<_>>().len();
        }
        block = next;
    }
}

fn shortest_by_search(dfa: &Dfa) -> Option<usize> {
    let symbols: Vec<u32> = (0..dfa.class_count()).map(|class| first_symbol(dfa, class)).collect();
    let mut seen = HashSet::from([dfa.start()]);
    let mut queue = VecDeque::from([(dfa.start(), 0)]);
    while let Some((state, length)) = queue.pop_front() {
        if dfa.is_accepting(state) {
            return Some(length);
        }
        for &symbol in &symbols {
            let target = dfa.step(state, symbol);
            if seen.insert(target) {
                queue.push_back((target, length + 1));
            }
        }
    }
    None
}

/// The greatest length below twice the number of states, and whether one is above that number.
fn longest_by_search(dfa: &Dfa) -> (Option<usize>, bool) {
    let mut layer = HashSet::from([dfa.start()]);
    let mut longest = None;
    for length in 0..2 * dfa.state_count() {
        if layer.iter().any(|&state| dfa.is_accepting(state)) {
            longest = Some(length);
        }
        layer = layer
            .iter()
            .flat_map(|&state| dfa.transitions(state))
            .map(|transition| transition.target)
            .collect();
    }
    (longest, longest.is_some_and(|length| length >= dfa.state_count()))
}

fn strings_over(symbols: &[u8], len: usize) -> Vec<Vec<u8>> {
    let mut strings = vec![Vec::new()];
    for _ in 0..len {
        strings = strings
            .iter()
            .flat_map(|string| {
                symbols.iter().map(|&symbol| [string.as_slice(), &[symbol]].concat())
            })
            .collect();
    }
    strings
}

#[test]
fn flags_mean_what_they_mean_in_regex() {
    for pattern in [
        "(?i)straße|k",
        r"\p{Greek}+",
        "(?x) a  b # c\n",
        "(?s).",
        ".",
        "(?m)^a$",
        "(?U)a+?b*",
        r"(?-u:\w)+",
        r"[[:alpha:]&&[^\p{Lu}]]",
        r"[\w--\d]",
        "(?i-s:a.)(?s:.)",
        "(?R).",
    ] {
        let oracle = regex::Regex::new(&format!(r"\A(?:{pattern})\z")).expect(pattern);
        let dfa = unicode(pattern);
        for text in [
            "", "a", "A", "ab", "aab", "a\n", "a\n\n", "\n", "\r", "k", "K", "K", "STRASSE",
            "STRAẞE", "straße", "λ", "ΛΣς", "é", "É", "5", "a1_Z", "aé", "AB",
        ] {
            let expected = oracle.is_match(text);
            assert_eq!(dfa.contains_bytes(text.as_bytes()), expected, "{pattern}: {text:?}");
        }
    }
}

#[test]
fn bytes_are_bytes() {
    let dfa = bytes(r"\xFF[^a]");
    assert!(dfa.contains_bytes(b"\xFF\xFE") && !dfa.contains_bytes(b"\xFFa"));
    assert!(bytes(r"(?-u:\xFF)").contains_bytes(b"\xFF"));
    let error = build(r"(?-u:\xFF)", Alphabet::Unicode).expect_err("not UTF-8");
    assert!(error.is_unsupported());
    assert_eq!(error.span(), Some((5, 9)));
    assert!(error.to_string().contains("bytes"));
}

#[test]
fn a_sample_is_any_string_about_as_often_as_any_other() {
    let dfa = unicode("[ab]{3}|ab(?:c|[d-f]{2})|x[0-9]y|aab");
    let sampler = UniformSampler::new(&dfa, 4, &AutomatonLimits::default()).expect("small");
    let mut entropy = Seeded::new(11);
    for (len, strings) in [(3, 8 + 1 + 10), (4, 9)] {
        assert_eq!(sampler.count(len).exact(), Some(strings));
        let mut times: HashMap<Vec<u32>, u64> = HashMap::new();
        let mut out = Vec::with_capacity(len);
        for _ in 0..1000 * strings {
            out.clear();
            assert!(sampler.sample(len, &mut entropy, &mut out));
            *times.entry(out.clone()).or_default() += 1;
        }
        assert_eq!(times.len() as u64, strings);
        for (string, times) in times {
            assert!(dfa.contains(string.iter().copied()));
            // The standard deviation is 32.
            assert!((840..1160).contains(&times), "seed 11: {string:?} came {times} times");
        }
    }
}

#[test]
fn what_is_too_large_is_refused_soon() {
    let small = AutomatonLimits::new().states(1000);
    let deep = format!("{}a{}", "(".repeat(5000), ")".repeat(5000));
    let deep_class = format!("{}a{}", "[".repeat(5000), "]".repeat(5000));
    let stars = format!("a{}", "*".repeat(5000));
    let many = "[a-z]?".repeat(100_000);
    for (pattern, limits) in [
        ("(?:a|b)*a(?:a|b){16}", &small),
        ("(?:a|b)*a(?:a|b){16}", &AutomatonLimits::default()),
        ("a{1000}{1000}", &AutomatonLimits::default()),
        ("(?:a{0,1000}){0,1000}b{1000}", &AutomatonLimits::default()),
        (r"\p{L}{4294967295}", &AutomatonLimits::default()),
        ("(?:(?:(?:a?){100}){100}){100}", &AutomatonLimits::default()),
        (&deep, &AutomatonLimits::default()),
        (&deep_class, &AutomatonLimits::default()),
        (&stars, &AutomatonLimits::default()),
        (&many, &AutomatonLimits::default()),
    ] {
        for alphabet in [Alphabet::Unicode, Alphabet::Bytes] {
            if alphabet == Alphabet::Bytes && pattern.contains(r"\p") {
                continue;
            }
            let begin = Instant::now();
            let name: String = pattern.chars().take(40).collect();
            let error = Dfa::from_regex(pattern, alphabet, limits).expect_err(&name);
            assert!(error.is_size_limit_exceeded(), "{name}: {error}");
            // Debug builds on busy machines are slow; what is unbounded takes hours.
            assert!(begin.elapsed() < Duration::from_secs(60), "{name}: {:?}", begin.elapsed());
        }
    }
}

/// RFC 3986's URI, and one that is ASCII all over: the case whose time the design names.
fn uris() -> (String, String) {
    let unreserved = r"[A-Za-z0-9._~-]";
    let pct = "%[0-9A-Fa-f]{2}";
    let sub = r"[!$&'()*+,;=]";
    let pchar = format!("(?:{unreserved}|{pct}|{sub}|[:@])");
    let octet = "(?:[0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])";
    let v4 = format!(r"{octet}(?:\.{octet}){{3}}");
    let h16 = "[0-9A-Fa-f]{1,4}";
    let ls32 = format!("(?:{h16}:{h16}|{v4})");
    let mut v6 = vec![format!("(?:{h16}:){{6}}{ls32}"), format!("::(?:{h16}:){{5}}{ls32}")];
    for n in 0..5 {
        let before = format!("(?:(?:{h16}:){{0,{n}}}{h16})?::");
        v6.push(format!("{before}(?:{h16}:){{{}}}{ls32}", 4 - n));
    }
    v6.push(format!("(?:(?:{h16}:){{0,5}}{h16})?::{h16}"));
    v6.push(format!("(?:(?:{h16}:){{0,6}}{h16})?::"));
    let v6 = v6.join("|");
    let future = format!(r"v[0-9A-Fa-f]+\.(?:{unreserved}|{sub}|:)+");
    let name = format!("(?:{unreserved}|{pct}|{sub})*");
    let authority = format!(
        r"(?:(?:{unreserved}|{pct}|{sub}|:)*@)?(?:\[(?:{v6}|{future})\]|{v4}|{name})(?::[0-9]*)?"
    );
    let path = format!(
        "(?://{authority}(?:/{pchar}*)*|/(?:{pchar}+(?:/{pchar}*)*)?|{pchar}+(?:/{pchar}*)*|)"
    );
    let tail = format!("(?:{pchar}|[/?])*");
    let strict = format!(r"[A-Za-z][A-Za-z0-9+.-]*:{path}(?:\?{tail})?(?:#{tail})?");
    let sloppy = r"[A-Za-z][A-Za-z0-9+.-]*:(?://(?:[^/?#@ ]*@)?[A-Za-z0-9.:\[\]-]*(?::[0-9]{1,5})?)?[!-~&&[^?#]]*(?:\?[!-~&&[^#]]*)?(?:#[!-~]*)?";
    (strict, sloppy.to_owned())
}

#[test]
fn two_uri_languages_differ_where_they_should() {
    let (strict, sloppy) = uris();
    let begin = Instant::now();
    let (strict, sloppy) = (unicode(&strict), unicode(&sloppy));
    let difference =
        strict.symmetric_difference(&sloppy, &AutomatonLimits::default()).expect("small");
    let minimal = difference.minimize();
    println!("{} states in {:?}", minimal.state_count(), begin.elapsed());
    assert!(strict.contains_bytes(b"http://[2001:db8::7]:80/a?b#c"));
    assert!(!strict.contains_bytes(b"http://[2001:db8::7::]/"));
    assert!(minimal.contains_bytes(b"http://[2001:db8::7::]/"));
    assert!(minimal.contains_bytes(b"a:^"));
    assert!(!minimal.contains_bytes(b"http://example.org/"));
    assert!(minimal.state_count() > 100 && minimal.equivalent(&difference));
}
