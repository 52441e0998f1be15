//! Validators of exact regular languages: functions that people would write, and their languages.

use crate::cases::{Answer, Outcome};
use crate::data::{Data, string, strings, whole};
use crate::written;

/// A validator's name and whether it accepts a string.
pub(crate) type Validator = (&'static str, fn(&str) -> bool);

macro_rules! written {
    ($($name:literal $module:ident::$function:ident)*) => {
        &[$(($name, |text| Outcome::of(written::$module::$function(text)).accepted)),*]
    };
}

/// All validators.
pub(crate) const WRITTEN: &[Validator] = written! {
    "absolute-path" absolute_path::is_absolute_path
    "base64" base64::is_base64
    "c-comment" c_comment::comment_text
    "css-length" css_length::is_length
    "csv-field" csv_field::is_field
    "decimal" decimal::is_decimal
    "hex-colour" hex_colour::is_hex_colour
    "host-label" host_label::is_label
    "identifier" identifier::is_identifier
    "image-name" image_name::is_image_name
    "ipv4" ipv4::parse_address
    "iso-date" iso_date::date_parts
    "key-value" key_value::parse_setting
    "limited-repeats" limited_repeats::is_limited
    "mac-address" mac_address::is_mac_address
    "multiple-of-three" multiple_of_three::is_multiple_of_three
    "percent-encoded" percent_encoded::decode
    "phone" phone::phone_parts
    "port" port::parse_port
    "query-string" query_string::parse_query
    "quoted-string" quoted_string::unquote
    "semver-core" semver_core::parse_core
    "signed-number" signed_number::is_signed_number
    "tag" tag::is_tag
    "time-of-day" time_of_day::parse_time
    "uuid" uuid::is_uuid
};

/// A source of small changes to strings, the same for the same seed (SplitMix64).
pub(crate) struct Edits {
    state: u64,
}

impl Edits {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.state;
        word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(word ^ word >> 31) * bound as u128) >> 64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// One of some strings with one to three characters changed, added, taken out, doubled or moved.
    pub(crate) fn edit(&mut self, texts: &[String]) -> String {
        let other: Vec<char> =
            texts[self.below(texts.len())].chars().chain("0a.:/-%\\\" \n+é\0".chars()).collect();
        let mut chars: Vec<char> = texts[self.below(texts.len())].chars().collect();
        for _ in 0..=self.below(3) {
            let at = self.below(chars.len() + 1);
            match (self.below(5), chars.get(at).copied()) {
                (0, Some(_)) => drop(chars.remove(at)),
                (1, Some(_)) => chars[at] = self.pick(&other),
                (2, Some(c)) => chars.insert(at, c),
                (3, Some(_)) => {
                    let to = self.below(chars.len());
                    chars.swap(at, to);
                }
                _ => chars.insert(at, self.pick(&other)),
            }
        }
        chars.into_iter().collect()
    }
}

/// All strings over some characters up to a length, the empty one first.
fn strings_up_to(alphabet: &str, length: usize, mut each: impl FnMut(&str)) {
    let mut text = String::new();
    let mut pending: Vec<std::str::Chars<'_>> = vec![alphabet.chars()];
    each(&text);
    while let Some(choices) = pending.last_mut() {
        match choices.next() {
            Some(c) => {
                text.push(c);
                each(&text);
                if pending.len() < length {
                    pending.push(alphabet.chars());
                } else {
                    text.pop();
                }
            }
            None => {
                pending.pop();
                text.pop();
            }
        }
    }
}

#[test]
fn every_string_is_counted_once() {
    let mut found = Vec::new();
    strings_up_to("ab", 2, |text| found.push(text.to_owned()));
    assert_eq!(found, ["", "a", "aa", "ab", "b", "ba", "bb"]);
}

#[test]
fn validators_accept_their_languages() {
    let data = Data::read("validators.toml");
    assert_eq!(data.entries().count(), WRITTEN.len());
    let mut edits = Edits::new(0xA11);
    for (name, entry) in data.entries() {
        let &(_, accepts) = WRITTEN.iter().find(|written| written.0 == name).expect(name);
        let file = format!("tests/data/differential/validators/{}", string(entry, "file"));
        let source = std::fs::read_to_string(file).unwrap();
        assert!(source.contains(&format!("pub fn {}(", string(entry, "function"))), "{name}");
        let language = whole(&data.spell(string(entry, "language")));
        let check = |text: &str| {
            assert_eq!(accepts(text), language.is_match(text), "{name}: {text:?}");
        };
        let length = entry["length"].as_integer().unwrap() as usize;
        strings_up_to(string(entry, "alphabet"), length, check);
        let valid = strings(entry, "valid");
        for text in &valid {
            assert!(accepts(text), "{name}: {text:?}");
            check(text);
        }
        let mut accepted = 0;
        for _ in 0..2_000 {
            let text = edits.edit(&valid);
            check(&text);
            accepted += usize::from(accepts(&text));
        }
        assert!((20..1_980).contains(&accepted), "{name}: {accepted} edits are accepted");
    }
}

/// `Debug` is what values are compared by, so it has to show them.
#[test]
fn outcomes_show_values() {
    fn shown(answer: impl Answer) -> (bool, String) {
        let outcome = Outcome::of(answer);
        (outcome.accepted, outcome.value)
    }
    assert_eq!(shown(Some("a")), (true, "\"a\"".into()));
    assert_eq!(shown(Err::<u8, _>("no")), (false, String::new()));
    assert_eq!(shown(false), (false, String::new()));
    assert_eq!(shown("x"), (true, "\"x\"".into()));
}
