//! The functions called in the order in which `afl-fuzz` calls them, with what it may hand over.
//!
//! One test, so that nothing else reads the environment while it is set.

use std::ffi::c_void;
use std::ptr;

use pleach_afl::{
    afl_custom_deinit, afl_custom_fuzz, afl_custom_init, afl_custom_init_trim,
    afl_custom_post_trim, afl_custom_trim,
};
use pleach_testing::is_json;

/// Calls for each input and bound.
const CALLS: usize = 200;

const INPUTS: [&[u8]; 8] = [
    b"",
    b"\n",
    b"[1, {\"a\": [true, null, \"x\\u0041\"]}, -2.5e+7]",
    b"{}",
    b"[1, 2",
    b"\xFF\xFE\x00",
    b"[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
    b"{\"key\": \"value\", \"other\": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}",
];

fn init(variables: &[(&str, &str)], seed: u32) -> *mut c_void {
    for name in ["PLEACH_BREAKING", "PLEACH_MAX_SIZE", "PLEACH_START"] {
        // SAFETY: this is the only thread that uses the environment.
        unsafe { std::env::remove_var(name) };
    }
    let json = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../grammars/json.pleach");
    for (name, value) in [("PLEACH_GRAMMAR", json)].iter().chain(variables) {
        // SAFETY: this is the only thread that uses the environment.
        unsafe { std::env::set_var(name, value) };
    }
    let data = afl_custom_init(ptr::null_mut(), seed);
    assert!(!data.is_null());
    data
}

fn fuzz(data: *mut c_void, base: &[u8], donor: Option<&[u8]>, most: usize) -> Vec<u8> {
    let (mut base, mut donor) = (base.to_vec(), donor.map(<[u8]>::to_vec));
    let (address, size) = match &mut donor {
        Some(donor) => (donor.as_mut_ptr(), donor.len()),
        None => (ptr::null_mut(), 0),
    };
    let mut out = ptr::null();
    // SAFETY: the pointers are of vectors of these lengths, and `data` is from `init`.
    unsafe {
        let size =
            afl_custom_fuzz(data, base.as_mut_ptr(), base.len(), &mut out, address, size, most);
        assert!(size <= most, "{size} of {most}");
        assert!(!out.is_null());
        std::slice::from_raw_parts(out, size).to_vec()
    }
}

/// What `afl-fuzz` does, in `trim_case_custom`; gives the text that is left, and the runs.
fn trimmed(data: *mut c_void, text: &[u8], is_same: impl Fn(&[u8]) -> bool) -> (Vec<u8>, usize) {
    let (mut best, mut runs, mut step) = (text.to_vec(), 0, 0);
    // SAFETY: the pointers are of vectors of these lengths, and `data` is from `init`.
    unsafe {
        let steps = afl_custom_init_trim(data, best.as_mut_ptr(), best.len());
        assert!(steps >= 0);
        while step < steps {
            let mut out = ptr::null();
            let size = afl_custom_trim(data, &mut out);
            assert!(!out.is_null() && size <= text.len());
            let shorter = std::slice::from_raw_parts(out, size).to_vec();
            let success = size > 0 && is_same(&shorter);
            runs += 1;
            if success {
                best = shorter;
            }
            let next = afl_custom_post_trim(data, success.into());
            assert!(next > step, "{next} after {step}");
            step = next;
        }
    }
    (best, runs)
}

fn deinit(data: *mut c_void) {
    // SAFETY: `data` is from `init`, and the caller does not use it again.
    unsafe { afl_custom_deinit(data) };
}

#[test]
fn as_afl_fuzz_calls_them() {
    // Without and with a donor, in bounds of all sizes; the same seed gives the same mutants.
    let all = |seed| {
        let data = init(&[], seed);
        let (mut mutants, mut unchanged) = (Vec::new(), 0);
        for base in INPUTS {
            for (donor, most) in [
                (None, 1 << 20),
                (Some(INPUTS[7]), 1 << 20),
                (Some(INPUTS[4]), 100),
                (Some(INPUTS[0]), 1),
                (Some(INPUTS[2]), 0),
            ] {
                for _ in 0..CALLS {
                    let mutant = fuzz(data, base, donor, most);
                    assert!(most == 0 || !mutant.is_empty());
                    unchanged += usize::from(most > 1 && mutant == base);
                    mutants.push(mutant);
                }
            }
        }
        deinit(data);
        assert!(unchanged * 50 < mutants.len(), "{unchanged} of {}", mutants.len());
        mutants
    };
    let first = all(1);
    assert!(first == all(1));
    assert!(first != all(2));
    let longest = first.iter().map(Vec::len).max();
    assert!(longest <= Some(4096), "{longest:?}");

    // Sentences become sentences alone if that is asked for, and no longer than is asked for.
    let data = init(&[("PLEACH_BREAKING", "0"), ("PLEACH_MAX_SIZE", "60")], 3);
    let (mut texts, mut at) = (vec![b"[1, {}]".to_vec()], 0);
    while texts.len() < 10 * CALLS {
        let donor = texts[texts.len() / 2].clone();
        let mutant = fuzz(data, &texts[at], Some(&donor), 1 << 20);
        assert!(is_json(&mutant) && mutant.len() <= 60, "{}", mutant.escape_ascii());
        texts.push(mutant);
        at += 1;
    }

    // Sentences are trimmed to sentences, other texts by blocks of bytes.
    let has = |text: &[u8], part: &str| text.windows(part.len()).any(|at| at == part.as_bytes());
    let text = br#"{"a": [1, 2, {"needle": [true, null, 12345]}], "b": {"c": "dddddddddd"}}"#;
    let (short, runs) = trimmed(data, text, |text| {
        assert!(is_json(text));
        has(text, "needle")
    });
    assert!(short == b"{\"needle\":0}" || short == b"\"needle\"", "{}", short.escape_ascii());
    assert!(runs <= 200, "{runs}");
    let broken = format!("{}needle{}", "[".repeat(1000), ",]".repeat(500));
    let (short, runs) = trimmed(data, broken.as_bytes(), |text| has(text, "needle"));
    assert!(short.len() < 16 && runs <= 512, "{} {runs}", short.escape_ascii());
    assert_eq!(trimmed(data, b"0", |_| true).0, b"0");
    assert_eq!(trimmed(data, b"", |_| true).0, b"");
    // An answer or a step without a trim is not expected, and does no harm.
    // SAFETY: `data` is from `init`.
    unsafe {
        let mut out = ptr::null();
        assert!(afl_custom_post_trim(data, 1) >= 512);
        assert_eq!(afl_custom_trim(data, &mut out), 0);
        assert!(!out.is_null());
    }
    deinit(data);
    deinit(ptr::null_mut());
    // SAFETY: no state is given.
    let none = unsafe { afl_custom_init_trim(ptr::null_mut(), ptr::null_mut(), 0) };
    assert_eq!(none, 0);
}
