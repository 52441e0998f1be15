//! The ways of production that are compared.

use std::fmt;
use std::sync::Arc;

use pleach::Seeded;
use pleach::learn::Model;
use pleach::produce::{Cover, CoverOptions, Mode, Options, Producer, Purdom, PurdomOptions};
use pleach::table::Table;
use pleach::tree::Tree;

/// A way of production.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Along k-paths of all lengths up to k, again and again with other random choices.
    KPath(usize),
    /// As k = 3, with the counts 0, 1 and more of each repetition as goals too.
    Counts,
    /// As k = 3 until all is covered, then as [`Method::UniformShort`].
    Then,
    /// Every alternative alike, within the library's own budget.
    Uniform,
    /// Every alternative alike, each text about as long as k-path production lets them grow.
    UniformShort,
    /// By the grammar's weights, within the library's own budget.
    Weighted,
    /// By the inverse of the grammar's weights, within the library's own budget.
    Inverted,
    /// As people write: the mode `random` of `pleach generate`.
    Typical,
    /// The same, by what was learnt of the format's texts.
    Learnt,
    /// Every alternative in few trees, again and again with other characters.
    Purdom,
    /// Another tool, on an equivalent grammar.
    Grammarinator,
}

impl Method {
    /// All, in the table's order.
    pub const ALL: [Self; 15] = [
        Self::KPath(1),
        Self::KPath(2),
        Self::KPath(3),
        Self::KPath(4),
        Self::KPath(5),
        Self::Counts,
        Self::Then,
        Self::Uniform,
        Self::UniformShort,
        Self::Weighted,
        Self::Inverted,
        Self::Typical,
        Self::Learnt,
        Self::Purdom,
        Self::Grammarinator,
    ];
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KPath(k) => write!(f, "k = {k}"),
            Self::Counts => f.write_str("k = 3, counts"),
            Self::Then => f.write_str("k = 3, then uniform"),
            Self::Uniform => f.write_str("uniform"),
            Self::UniformShort => write!(f, "uniform, {} B", CoverOptions::DEFAULT_SIZE),
            Self::Weighted => f.write_str("weighted"),
            Self::Inverted => f.write_str("inverted"),
            Self::Typical => f.write_str("random"),
            Self::Learnt => f.write_str("random, learnt"),
            Self::Purdom => f.write_str("Purdom"),
            Self::Grammarinator => f.write_str("Grammarinator"),
        }
    }
}

impl std::str::FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is = |method: &Self| method.to_string().replace(' ', "") == text.replace(' ', "");
        Self::ALL.into_iter().find(is).ok_or_else(|| {
            let all: Vec<_> = Self::ALL.iter().map(|method| format!("`{method}`")).collect();
            format!("there is no such method; there are {}", all.join(", "))
        })
    }
}

/// The most k-paths to index: beyond it a corpus of this experiment's size has no room for a
/// noteworthy part of them.
pub const MOST_PATHS: u64 = 1 << 22;

/// Production in a library's way, without end.
pub enum Source<'t> {
    /// Along k-paths.
    Cover(Box<Cover<'t>>),
    /// Along k-paths, and where that has an end, at random.
    Then(Box<Cover<'t>>, Box<Producer<'t>>),
    /// At random.
    Random(Box<Producer<'t>>),
    /// By alternatives, with the table to begin anew.
    Purdom(Box<Purdom<'t>>, &'t Table),
}

impl<'t> Source<'t> {
    /// Begins; none where there are too many k-paths, and for another tool.
    pub fn open(method: Method, table: &'t Table, model: &Arc<Model>) -> Option<Self> {
        let cover = |options: CoverOptions| match Cover::new(table, options.limit(MOST_PATHS)) {
            Ok(cover) => Some(Box::new(cover)),
            Err(error) if error.is_size_limit_exceeded() => None,
            Err(error) => panic!("{error}"),
        };
        let random = |options| {
            Box::new(Producer::new(table, options).expect("the budget has room for a tree"))
        };
        let uniform = Options::new().mode(Mode::Uniform);
        let short = uniform.clone().max_bytes(CoverOptions::DEFAULT_SIZE);
        Some(match method {
            Method::KPath(k) => Self::Cover(cover(CoverOptions::new(k).recurrent(true))?),
            Method::Counts => {
                Self::Cover(cover(CoverOptions::new(3).repetition_goals(true).recurrent(true))?)
            }
            Method::Then => Self::Then(cover(CoverOptions::new(3))?, random(short)),
            Method::Uniform => Self::Random(random(uniform)),
            Method::UniformShort => Self::Random(random(short)),
            Method::Weighted => Self::Random(random(Options::new().mode(Mode::Weighted))),
            Method::Inverted => Self::Random(random(Options::new().mode(Mode::Inverted))),
            Method::Typical => Self::Random(random(Options::new().mode(Mode::Typical))),
            Method::Learnt => {
                let learnt = Options::new().mode(Mode::Typical).learnt(model.clone());
                Self::Random(random(learnt))
            }
            Method::Purdom => Self::Purdom(Box::new(purdom(table)), table),
            Method::Grammarinator => return None,
        })
    }

    /// Appends the next text.
    pub fn write(&mut self, entropy: &mut Seeded, tree: &mut Tree, out: &mut Vec<u8>) {
        match self {
            Self::Cover(cover) => {
                assert!(cover.next_tree(entropy, tree), "recurrent covering has no end");
            }
            Self::Then(cover, producer) => {
                if !cover.next_tree(entropy, tree) {
                    return producer.write(entropy, out);
                }
            }
            Self::Random(producer) => return producer.write(entropy, out),
            Self::Purdom(source, table) => {
                if !source.next_tree(entropy, tree) {
                    **source = purdom(table);
                    assert!(source.next_tree(entropy, tree), "the start has an alternative");
                }
            }
        }
        out.extend_from_slice(tree.text());
    }
}

/// The bytes of a complete corpus of k = 3 at one seed, or where it has more, as many as a corpus of
/// this experiment may have.
pub fn complete(table: &Table) -> usize {
    const MOST: usize = 1 << 20;
    let mut cover = match Cover::new(table, CoverOptions::new(3).limit(MOST_PATHS)) {
        Ok(cover) => cover,
        Err(error) if error.is_size_limit_exceeded() => return MOST,
        Err(error) => panic!("{error}"),
    };
    let (mut entropy, mut tree, mut bytes) = (Seeded::new(1), Tree::new(), 0);
    while bytes < MOST && cover.next_tree(&mut entropy, &mut tree) {
        bytes += tree.text().len();
    }
    bytes.clamp(1, MOST)
}

fn purdom(table: &Table) -> Purdom<'_> {
    Purdom::new(table, PurdomOptions::new()).expect("the budget has room for a tree")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_read_as_they_are_shown() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        assert!("k=6".parse::<Method>().is_err());
    }
}
