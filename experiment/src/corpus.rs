//! What the two programs tell each other: texts with a plan, and what was reached at its points.

use std::io::{self, Read, Write};

/// Texts, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends what `write` appends to its buffer, as one text.
    pub fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of the first `count` texts.
    pub fn bytes(&self, count: usize) -> usize {
        count.checked_sub(1).map_or(0, |last| self.ends[last])
    }

    /// The texts in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.bytes[start..end])
    }

    /// Writes the texts, each after its length in four bytes, least first.
    ///
    /// # Errors
    ///
    /// Where writing fails, or a text has 4 GiB.
    pub fn send(&self, mut to: impl Write) -> io::Result<()> {
        for text in self.iter() {
            let length = u32::try_from(text.len()).map_err(io::Error::other)?;
            to.write_all(&length.to_le_bytes())?;
            to.write_all(text)?;
        }
        to.flush()
    }

    /// Reads texts as [`Texts::send`] writes them, to the end.
    ///
    /// # Errors
    ///
    /// Where reading fails, or ends within a text.
    pub fn receive(mut from: impl Read) -> io::Result<Self> {
        let mut all = Vec::new();
        from.read_to_end(&mut all)?;
        let mut texts = Self::new();
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            let cut = || io::Error::from(io::ErrorKind::UnexpectedEof);
            let (length, further) = rest.split_first_chunk().ok_or_else(cut)?;
            let length = u32::from_le_bytes(*length) as usize;
            let text = further.get(..length).ok_or_else(cut)?;
            texts.push_with(|bytes| bytes.extend_from_slice(text));
            rest = &further[length..];
        }
        Ok(texts)
    }
}

/// What a parser's edges were at one point of a corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// How many texts had been read.
    pub texts: usize,
    /// How many of them the parser accepted.
    pub accepted: usize,
    /// The numbers of the edges that they ran, in rising order.
    pub edges: Vec<u32>,
}

/// What reading a corpus told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// How many edges the parser's crates have.
    pub total: usize,
    /// By point of the plan.
    pub points: Vec<Reached>,
}

impl Reading {
    /// Writes it as lines of numbers.
    ///
    /// # Errors
    ///
    /// Where writing fails.
    pub fn send(&self, mut to: impl Write) -> io::Result<()> {
        writeln!(to, "{}", self.total)?;
        for point in &self.points {
            write!(to, "{} {}", point.texts, point.accepted)?;
            for edge in &point.edges {
                write!(to, " {edge}")?;
            }
            writeln!(to)?;
        }
        to.flush()
    }

    /// Reads what [`Reading::send`] writes; none where it is anything else.
    pub fn receive(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let total = lines.next()?.parse().ok()?;
        let points = lines.map(|line| {
            let mut numbers = line.split(' ');
            let mut number = || numbers.next()?.parse::<usize>().ok();
            let (texts, accepted) = (number()?, number()?);
            let edges = numbers.map(|edge| edge.parse().ok()).collect::<Option<_>>()?;
            Some(Reached { texts, accepted, edges })
        });
        Some(Self { total, points: points.collect::<Option<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_arrive_as_they_were_sent() {
        let mut texts = Texts::new();
        for text in ["", "a", "", "bcd"] {
            texts.push_with(|bytes| bytes.extend_from_slice(text.as_bytes()));
        }
        let mut sent = Vec::new();
        texts.send(&mut sent).expect("a vector takes all");
        let received = Texts::receive(sent.as_slice()).expect("whole texts");
        assert_eq!(received.iter().collect::<Vec<_>>(), [&b""[..], b"a", b"", b"bcd"]);
        assert_eq!([received.bytes(0), received.bytes(2), received.bytes(4)], [0, 1, 4]);
        assert!(Texts::receive(&sent[..sent.len() - 1]).is_err(), "a text is cut short");
        assert!(Texts::receive(&sent[..2]).is_err(), "a length is cut short");
    }

    #[test]
    fn readings_arrive_as_they_were_sent() {
        let reached = Reached { texts: 3, accepted: 2, edges: vec![0, 7] };
        let reading = Reading { total: 9, points: vec![reached, Reached::default()] };
        let mut sent = Vec::new();
        reading.send(&mut sent).expect("a vector takes all");
        let sent = String::from_utf8(sent).expect("numbers");
        assert_eq!(Reading::receive(&sent), Some(reading));
        assert_eq!(Reading::receive(""), None);
        assert_eq!(Reading::receive("9\n1 x\n"), None);
    }
}
