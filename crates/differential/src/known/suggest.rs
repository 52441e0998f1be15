//! Which structure a phrase means.
//!
//! The phrase and what is said of each structure are compared by BM25 (Robertson and others, "Okapi at
//! TREC-3", 1994) over stems of words: rare words count most, and words said again count less each
//! time. Distances between strings, such as Levenshtein's, say how alike two spellings are, and
//! phrases that mean the same are hardly spelled alike.
//!
//! A score of BM25 grows with the phrase, so it is put in proportion to the score of the phrase with
//! itself: 1 is for what says the same words, 0 for what has none of them. A third of it is for the words of
//! the name: an "IPv6 address" is `ipv6` rather than `ipv6-cidr`, of which as much is said in these words.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Known, Structure};

/// Words that say nothing about a structure. Single letters are left out as well.
const IDLE: [&str; 64] = [
    "about", "after", "all", "an", "and", "any", "are", "as", "at", "be", "been", "before", "but",
    "by", "can", "do", "does", "each", "either", "for", "from", "given", "has", "have", "if", "in",
    "into", "is", "it", "its", "may", "more", "must", "no", "not", "of", "on", "one", "only", "or",
    "other", "our", "per", "shall", "should", "so", "some", "such", "than", "that", "the", "their",
    "them", "then", "these", "this", "to", "was", "we", "when", "which", "will", "with", "you",
];

/// A structure that a phrase may mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suggestion<'k> {
    /// The structure.
    pub structure: &'k Structure,
    /// How much the phrase has in common with what is said of the structure: from 0, nothing, to
    /// 1, the same words.
    pub score: f64,
}

/// How much a word that is said again adds: the less, the sooner it is enough.
const SATURATION: f64 = 1.2;
/// How much a word of a long text counts less than one of a short text, from 0 to 1.
const BY_LENGTH: f64 = 0.75;

/// Stems of the words of a text.
fn stems(text: &str) -> Vec<String> {
    let mut stems = Vec::new();
    let mut add = |word: &str| {
        if word.chars().nth(1).is_some() && !IDLE.contains(&word) {
            stems.push(stem(word));
        }
    };
    let text = text.to_lowercase();
    for compound in text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '.') {
        let words = || compound.split(['-', '.']).filter(|word| !word.is_empty());
        for word in words() {
            add(word);
            split_digits(word, &mut add);
        }
        // `e-mail` is also `email`.
        if words().nth(1).is_some() {
            add(&words().collect::<String>());
        }
    }
    stems
}

/// Endings of words and what stands for them, the longer first; the word keeps three letters before them.
const ENDINGS: [(&str, &str); 27] = [
    ("ations", ""),
    ("ation", ""),
    ("ators", ""),
    ("ating", ""),
    ("ities", ""),
    ("ments", ""),
    ("ator", ""),
    ("ated", ""),
    ("ates", ""),
    ("ings", ""),
    ("ions", ""),
    ("ment", ""),
    ("ers", ""),
    ("ors", ""),
    ("ies", "i"),
    ("ity", ""),
    ("ing", ""),
    ("ion", ""),
    ("ate", ""),
    ("ed", ""),
    ("er", ""),
    ("es", ""),
    ("ly", ""),
    ("or", ""),
    ("e", ""),
    ("s", ""),
    ("y", "i"),
];

/// A word without its ending, so that `encoded`, `encodes` and `encoding` are one: of words that mean different
/// things few become one, and no word need remain.
fn stem(word: &str) -> String {
    for (ending, other) in ENDINGS {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.chars().nth(2).is_some()
            && stem.contains(['a', 'e', 'i', 'o', 'u', 'y'])
            // `address` is no plural.
            && !(ending == "s" && stem.ends_with('s'))
        {
            let single = doubled(stem, ending);
            return format!("{single}{other}");
        }
    }
    word.to_owned()
}

/// `dott` of `dotted` is `dot`; `will` of `wills` stays.
fn doubled<'w>(stem: &'w str, ending: &str) -> &'w str {
    let mut last = stem.chars().rev();
    let twice = last.next() == last.next() && !stem.ends_with(['l', 's', 'z']);
    if twice && matches!(ending, "ed" | "ing" | "ings" | "er" | "ers") {
        let end = stem.char_indices().next_back().map_or(0, |(at, _)| at);
        return &stem[..end];
    }
    stem
}

/// The letters of a word and the digits at its end: `sha256` is also `sha` and `256`.
fn split_digits(word: &str, add: &mut impl FnMut(&str)) {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let both = !letters.is_empty() && letters.len() < word.len();
    if both && !letters.contains(|c: char| c.is_ascii_digit()) {
        add(letters);
        add(&word[letters.len()..]);
    }
}

/// A text as BM25 sees it.
struct Text {
    /// How often it says each stem; in an order, so that sums are the same each time.
    counts: BTreeMap<String, usize>,
    /// How many stems it has.
    length: usize,
}

impl Text {
    fn new(text: &str) -> Self {
        let (mut counts, mut length) = (BTreeMap::new(), 0);
        for stem in stems(text) {
            *counts.entry(stem).or_default() += 1;
            length += 1;
        }
        Self { counts, length }
    }

    /// How much the text is about a word, among texts of some average length.
    fn weight(&self, word: &str, average: f64) -> f64 {
        let times = self.counts.get(word).copied().unwrap_or(0) as f64;
        let length = 1.0 - BY_LENGTH + BY_LENGTH * self.length as f64 / average;
        times * (SATURATION + 1.0) / (times + SATURATION * length)
    }
}

impl Structure {
    /// All that is said of it.
    fn words(&self) -> String {
        let Self { name, description, keywords, source, .. } = self;
        format!("{name}\n{description}\n{keywords}\n{source}")
    }

    /// Which share of its name's words are among some stems.
    fn named(&self, stems: &HashSet<&str>) -> f64 {
        let words = || self.name.split(['-', '_']);
        let found =
            |word: &&str| self::stems(word).iter().any(|stem| stems.contains(stem.as_str()));
        words().filter(found).count() as f64 / words().count() as f64
    }
}

impl Known {
    /// The score from which a structure is a good answer, by default.
    ///
    /// It is 0.11. The tests `phrases_are_understood` and `others_reach_nothing` have phrases that mean
    /// a structure and reach it, and phrases about something else that do not.
    pub const THRESHOLD: f64 = 0.11;

    /// The structures that a phrase may mean, the likeliest first, with scores of
    /// [`Known::THRESHOLD`] or more.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::differential::known::Known;
    ///
    /// let known = Known::shipped();
    /// let found = known.suggest("the user's email address");
    /// assert_eq!(found[0].structure.name(), "email");
    /// assert!(known.suggest("a recipe for a cake").is_empty());
    /// ```
    pub fn suggest(&self, phrase: &str) -> Vec<Suggestion<'_>> {
        self.suggest_from(phrase, Self::THRESHOLD)
    }

    /// The same with another threshold; with 0, every structure that shares a word with the phrase.
    pub fn suggest_from(&self, phrase: &str, threshold: f64) -> Vec<Suggestion<'_>> {
        let mut texts: Vec<Text> =
            self.structures.iter().map(|structure| Text::new(&structure.words())).collect();
        let lengths: usize = texts.iter().map(|text| text.length).sum();
        let average = lengths.max(1) as f64 / texts.len().max(1) as f64;
        // The phrase is a text like others, so that it can be compared with itself.
        texts.push(Text::new(phrase));
        let mut said: HashMap<&str, usize> = HashMap::new();
        for word in texts.iter().flat_map(|text| text.counts.keys()) {
            *said.entry(word).or_default() += 1;
        }
        let phrase = &texts[self.structures.len()];
        let stems: HashSet<&str> = phrase.counts.keys().map(String::as_str).collect();
        let score = |text: &Text| -> f64 {
            let worth = |word: &&String| {
                let with = said[word.as_str()] as f64;
                let rare = (1.0 + (texts.len() as f64 - with + 0.5) / (with + 0.5)).ln();
                rare * text.weight(word, average)
            };
            phrase.counts.keys().map(|word| worth(&word)).sum()
        };
        let itself = score(phrase);
        if itself <= 0.0 {
            return Vec::new();
        }
        let mut found: Vec<Suggestion<'_>> = self
            .structures
            .iter()
            .zip(&texts)
            .map(|(structure, text)| {
                let likeness = (score(text) / itself).min(1.0);
                Suggestion { structure, score: likeness * (2.0 + structure.named(&stems)) / 3.0 }
            })
            .filter(|found| found.score > 0.0 && found.score >= threshold)
            .collect();
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_stems_and_parts() {
        let words = |text: &str| stems(text).join(" ");
        assert_eq!(words("The hosts, of a Host"), "host host");
        assert_eq!(words("e-mail"), "mail email");
        assert_eq!(words("SHA256 v4 base64url 12"), "sha256 sha 256 v4 base64url 12");
        assert_eq!(words("E.164"), "164 e164");
        assert_eq!(words("a -- . 'b'"), "");
        assert_eq!(words(""), "");
    }

    #[test]
    fn idle_words_are_sorted_and_differ() {
        assert!(IDLE.is_sorted());
        let mut words = IDLE.to_vec();
        words.dedup();
        assert_eq!(words.len(), IDLE.len());
    }

    #[test]
    fn scores_are_shares() {
        let mut known = Known::default();
        assert!(known.suggest_from("anything", 0.0).is_empty());
        known.add(Structure::new("colour", "red green blue", "paint", "a")).unwrap();
        known.add(Structure::new("shape", "round square", "chalk", "b")).unwrap();
        assert!(known.suggest_from("", 0.0).is_empty());
        assert!(known.suggest_from("the of", 0.0).is_empty());
        let found = known.suggest_from("green paint, red paint", 0.0);
        assert_eq!(found.len(), 1);
        assert!(found[0].score > 0.5 && found[0].score < 1.2, "{found:?}");
        let mixed = known.suggest_from("green paint, red paint of some elephants", 0.0);
        assert!(mixed[0].score < found[0].score);
        assert!(known.suggest_from("green elephants", 0.9).is_empty());
    }
}
