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

use std::collections::HashSet;

use bm25::{EmbedderBuilder, Scorer, Tokenizer};
use rust_stemmers::{Algorithm, Stemmer};

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

/// Stems of the words of a text.
#[derive(Default)]
struct Words;

impl Tokenizer for Words {
    fn tokenize(&self, text: &str) -> Vec<String> {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut stems = Vec::new();
        let mut add = |word: &str| {
            if word.chars().nth(1).is_some() && !IDLE.contains(&word) {
                stems.push(stemmer.stem(word).into_owned());
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

impl Structure {
    /// All that is said of it.
    fn words(&self) -> String {
        let Self { name, description, keywords, source, .. } = self;
        format!("{name}\n{description}\n{keywords}\n{source}")
    }

    /// Which share of its name's words are among some stems.
    fn named(&self, stems: &HashSet<String>) -> f64 {
        let words = || self.name.split(['-', '_']);
        let found = |word: &&str| Words.tokenize(word).iter().any(|stem| stems.contains(stem));
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
        let texts: Vec<String> = self.structures.iter().map(Structure::words).collect();
        let lengths: usize = texts.iter().map(|text| Words.tokenize(text).len()).sum();
        let average = lengths as f32 / texts.len().max(1) as f32;
        let embedder = EmbedderBuilder::<u32, Words>::with_avgdl(average).build();
        let mut scorer = Scorer::<usize>::new();
        for (i, text) in texts.iter().enumerate() {
            scorer.upsert(&i, embedder.embed(text));
        }
        // The phrase is a text like others, so that it can be compared with itself.
        let stems: HashSet<String> = Words.tokenize(phrase).into_iter().collect();
        let mut phrase = embedder.embed(phrase);
        scorer.upsert(&texts.len(), phrase.clone());
        let mut seen = HashSet::new();
        phrase.retain(|word| seen.insert(word.index));
        let score = |i| f64::from(scorer.score(&i, &phrase).unwrap_or_default());
        let itself = score(texts.len());
        if itself <= 0.0 {
            return Vec::new();
        }
        let mut found: Vec<Suggestion<'_>> = self
            .structures
            .iter()
            .enumerate()
            .map(|(i, structure)| {
                let likeness = (score(i) / itself).min(1.0);
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
        let words = |text| Words.tokenize(text).join(" ");
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
