//! Calls of a [`Fuzzer`], one after the other, on its cache.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use pleach::fuzz::{Fuzzer, Options};
use pleach::grammar::Grammar;
use pleach::mutate::{self, Bytes};
use pleach::parse::{Limits, Parser, Scratch};
use pleach::table::{Lowering, Table};
use pleach::tree::{SizedTree, Tree};

/// Calls beyond so many are passed over, and so are bytes that a text or a result may have.
const CALLS: usize = 64;
const BYTES: usize = 1 << 10;
/// After a call, the trees of so many texts that were met last are looked at.
const RECENT: usize = 8;
/// The sizes of the cache: none, too small for anything, and from some trees to all.
const CACHES: [usize; 5] = [0, 500, 4096, 20_000, 1_000_000];
/// Where a result has so much room, there is a sentence for it.
const ROOM: usize = 64;

/// A fuzzer of lists is called as `grammars/calls.pleach` says. Results are within their bounds, and of
/// the language where that is asked for; what the cache has for a text is a tree of it; and the same
/// calls give the same bytes.
pub fn fuzzer(calls: &[u8]) {
    let Some((settings, calls)) = read(calls) else { return };
    let once = run(&settings, &calls, true);
    assert!(run(&settings, &calls, false) == once, "the same calls gave other bytes");
}

/// What a fuzzer is made with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Settings {
    cache: usize,
    faithful: bool,
    replayable: bool,
    novelty: bool,
    engine: bool,
    uncounted: bool,
}

/// A call, with its seed, the most bytes of its result, and a text.
enum Call<'a> {
    Mutate(u64, usize, &'a [u8]),
    Again(u64, usize),
    Cross(u64, usize, &'a [u8]),
    Mark(&'a [u8]),
}

/// Reads calls, as far as they are any.
fn read(text: &[u8]) -> Option<(Settings, Vec<Call<'_>>)> {
    let mut lines = split(text).into_iter();
    let first = lines.next()?.strip_prefix(b"%cache ")?;
    let mut words = first.split(|&byte| byte == b' ');
    let cache = number(words.next()?)?;
    let cache = CACHES.into_iter().find(|&size| size as u64 == cache)?;
    let named = |name: &str| words.clone().any(|word| word == name.as_bytes());
    let settings = Settings {
        cache,
        faithful: named("faithful"),
        replayable: named("replayable"),
        novelty: named("novelty"),
        engine: named("engine"),
        uncounted: named("uncounted"),
    };
    Some((settings, lines.take(CALLS).filter_map(call).collect()))
}

/// A text, cut where a line begins with `%`; the line feed is left out.
fn split(text: &[u8]) -> Vec<&[u8]> {
    let ends = text.windows(2).enumerate().filter(|(_, pair)| pair == b"\n%").map(|(at, _)| at);
    let mut from = 0;
    let mut parts = Vec::new();
    for end in ends.chain([text.len()]) {
        parts.push(&text[from..end]);
        from = end + 1;
    }
    parts
}

fn call(line: &[u8]) -> Option<Call<'_>> {
    let mut words = line.splitn(2, |&byte| byte == b' ');
    let (name, rest) = (words.next()?, words.next()?);
    let short = |text: &'_ [u8]| text.len().min(BYTES);
    if name == b"%mark" {
        return Some(Call::Mark(&rest[..short(rest)]));
    }
    let mut words = rest.splitn(3, |&byte| byte == b' ');
    let (seed, most) = (number(words.next()?)?, number(words.next()?)?.min(BYTES as u64) as usize);
    let text = words.next().unwrap_or_default();
    let text = &text[..short(text)];
    match name {
        b"%mutate" => Some(Call::Mutate(seed, most, text)),
        b"%again" => Some(Call::Again(seed, most)),
        b"%cross" => Some(Call::Cross(seed, most, text)),
        _ => None,
    }
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Something that an engine could do to bytes: it may write what is there, or nothing.
fn engine(data: &mut [u8], size: usize, most: usize) -> usize {
    let length = (size * 7 + 3) % (most + 1);
    if let Some(byte) = data[..length].last_mut() {
        *byte = byte.rotate_left(1);
    }
    length
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let grammar = Grammar::parse(include_str!("../grammars/calls.pleach"));
        let grammar = grammar.expect("a grammar of the repository");
        Lowering::new().start("list").lower(&grammar).expect("a grammar of the repository").table
    })
}

impl Settings {
    /// A new fuzzer: a copy of one that was made before, as making one takes longer than all of its calls.
    fn fuzzer(&self) -> Fuzzer<'static> {
        thread_local! {
            static NEW: RefCell<BTreeMap<Settings, Fuzzer<'static>>> = RefCell::default();
        }
        NEW.with_borrow_mut(|new| {
            new.entry(Settings { engine: false, ..*self }).or_insert_with(|| self.made()).clone()
        })
    }

    fn made(&self) -> Fuzzer<'static> {
        let mut options = Options::new().cache(self.cache).replayable(self.replayable);
        options = options.novelty(self.novelty);
        if self.faithful {
            let mutation = mutate::Options::new().breaking(0);
            options = options.bytes(0).words(0).fresh(255).mutation(mutation);
        }
        if self.uncounted {
            options = options.k(0);
        }
        Fuzzer::new(table(), options).expect("the default mutators")
    }

    /// The result of a call on the last one's; none of [`Call::Mark`].
    fn result(&self, fuzzer: &mut Fuzzer<'_>, call: &Call<'_>, last: &[u8]) -> Option<Vec<u8>> {
        let (seed, most, text) = match *call {
            Call::Mutate(seed, most, text) => (seed, most, text),
            Call::Again(seed, most) => (seed, most, last),
            Call::Cross(seed, most, text) => {
                let mut out = vec![0; most];
                let size = fuzzer.crossover(last, text, &mut out, seed);
                out.truncate(size);
                return Some(out);
            }
            Call::Mark(_) => return None,
        };
        let mut data = text.to_vec();
        data.resize(most.max(text.len()), 0);
        let mut engine = engine;
        let engine = self.engine.then_some(&mut engine as &mut dyn Bytes);
        let size = fuzzer.mutate(&mut data, text.len(), most, seed, engine);
        data.truncate(size);
        Some(data)
    }
}

/// Makes the calls of a new fuzzer, and gives what they result in.
fn run(settings: &Settings, calls: &[Call<'_>], check: bool) -> Vec<Vec<u8>> {
    let mut fuzzer = settings.fuzzer();
    let counters = [const { AtomicU8::new(0) }; 64];
    let mut results: Vec<Vec<u8>> = Vec::new();
    let mut met: Vec<&[u8]> = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        let last = results.last().map_or(&b""[..], Vec::as_slice);
        if let Call::Mutate(_, _, text) | Call::Cross(_, _, text) | Call::Mark(text) = call {
            met.push(text);
        }
        if let Call::Mark(text) = call {
            counters.iter().for_each(|counter| counter.store(0, Ordering::Relaxed));
            fuzzer.mark(text, &counters);
            let marked = counters.iter().any(|counter| counter.load(Ordering::Relaxed) > 0);
            assert!(!check || !marked || (settings.novelty && is_sentence(text)));
        }
        let result = settings.result(&mut fuzzer, call, last);
        if check {
            if let Some(result) = &result {
                within_bounds(settings, call, last, result);
                has_its_tree(&fuzzer, result);
                if settings.replayable && index + 1 == calls.len() {
                    let again = settings.result(&mut settings.fuzzer(), call, last);
                    assert!(again.as_ref() == Some(result), "a call by itself gave other bytes");
                }
            }
            let recent = met.iter().rev().take(RECENT).copied();
            let results = results.iter().rev().take(RECENT).map(Vec::as_slice);
            recent.chain(results).for_each(|text| has_its_tree(&fuzzer, text));
        }
        results.extend(result);
    }
    results
}

fn within_bounds(settings: &Settings, call: &Call<'_>, last: &[u8], result: &[u8]) {
    let (most, base) = match *call {
        Call::Mutate(_, most, text) => (most, text),
        Call::Again(_, most) | Call::Cross(_, most, _) => (most, last),
        Call::Mark(_) => return,
    };
    assert!(result.len() <= most, "{} of {most}", result.len());
    assert!(most == 0 || !result.is_empty());
    if settings.faithful && most >= ROOM && is_sentence(base) {
        assert!(is_sentence(result), "{result:?} is no sentence as {base:?} is one");
        assert!(matches!(call, Call::Cross(..)) || result != base, "nothing changed");
    }
}

thread_local! {
    static SCRATCH: RefCell<(Scratch, SizedTree)> = RefCell::default();
}

/// Whether a fuzzer takes a text for a sentence.
fn is_sentence(text: &[u8]) -> bool {
    static PARSER: OnceLock<Parser<'static>> = OnceLock::new();
    let parser =
        PARSER.get_or_init(|| Parser::new(table()).limits(Limits::new().items_per_byte(64)));
    SCRATCH.with_borrow_mut(|(scratch, _)| parser.parse(text, scratch, &mut Tree::new()).is_ok())
}

/// What the cache has for a text, if anything, is a tree of the grammar that yields it.
fn has_its_tree(fuzzer: &Fuzzer<'_>, text: &[u8]) {
    let Some(found) = fuzzer.cached(text) else { return };
    SCRATCH.with_borrow_mut(|(_, copy)| {
        copy.copy_from(found);
        assert!(copy.text() == text, "{text:?} has the tree of {:?}", copy.text());
        copy.tree().check(table()).unwrap_or_else(|error| panic!("{error}: {text:?}"));
        assert_eq!(copy.sizes(), SizedTree::of(table(), copy.tree()).sizes(), "{text:?}");
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read() {
        let text =
            b"%cache 500 engine\n%mutate 1 64 [1,\n 2]\n%again 2 64\n%cross 3 9 \n%odd 1\n%mark {}";
        let (settings, calls) = read(text).unwrap();
        assert!(settings.cache == 500 && settings.engine && !settings.faithful);
        let calls: Vec<_> = calls
            .iter()
            .map(|call| match *call {
                Call::Mutate(seed, most, text) => ("mutate", seed, most, text),
                Call::Again(seed, most) => ("again", seed, most, &b""[..]),
                Call::Cross(seed, most, text) => ("cross", seed, most, text),
                Call::Mark(text) => ("mark", 0, 0, text),
            })
            .collect();
        let expected: [(&str, u64, usize, &[u8]); 4] = [
            ("mutate", 1, 64, b"[1,\n 2]"),
            ("again", 2, 64, b""),
            ("cross", 3, 9, b""),
            ("mark", 0, 0, b"{}"),
        ];
        assert_eq!(calls, expected);
    }

    #[test]
    fn trees_are_found_in_the_cache() {
        // Some results are none of a tree: what breaks one, and what engines do to bytes.
        let of_tree = (1..=16).filter(|seed| {
            let text = format!("%cache 20000 faithful\n%mutate {seed} 256 [1, 2]");
            let (settings, calls) = read(text.as_bytes()).unwrap();
            let mut fuzzer = settings.fuzzer();
            let result = settings.result(&mut fuzzer, &calls[0], b"").unwrap();
            assert!(fuzzer.cached(b"[1, 2]").is_some());
            fuzzer.cached(&result).is_some()
        });
        assert!(of_tree.count() > 4);
    }
}
