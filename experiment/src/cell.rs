//! The runs of one cell of a table.

use std::fmt;

/// The edges of one method, by seed; shown as the median, with the least and the most where they
/// differ, and as a dash without seeds.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    edges: Vec<usize>,
}

impl Cell {
    /// Takes the number of edges of one more seed, where there is one.
    pub fn extend(&mut self, edges: Option<usize>) {
        self.edges.extend(edges);
        self.edges.sort_unstable();
    }

    /// The median; of an even number of seeds, the mean of the two in the middle. None without
    /// seeds.
    pub fn median(&self) -> Option<f64> {
        let count = self.edges.len();
        let upper = *self.edges.get(count / 2)?;
        let lower = self.edges[(count - 1) / 2];
        Some((lower + upper) as f64 / 2.0)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(median) = self.median() else { return f.write_str("–") };
        match (self.edges[0], self.edges[self.edges.len() - 1]) {
            (least, most) if least == most => write!(f, "{least}"),
            (least, most) => write!(f, "{median} ({least}–{most})"),
        }
    }
}
