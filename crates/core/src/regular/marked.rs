//! A mark behind every symbol of one kind, in strings.

/// An ASCII symbol, and the one that is put behind it.
#[derive(Clone, Copy)]
pub(crate) struct Marking {
    pub(crate) symbol: u8,
    pub(crate) mark: u8,
}

impl Marking {
    /// The bytes of a string with marks; none where it has no such symbol.
    pub(crate) fn literal(self, bytes: &[u8]) -> Option<Vec<u8>> {
        bytes.contains(&self.symbol).then(|| {
            let mut out = Vec::with_capacity(bytes.len() + 1);
            for &byte in bytes {
                out.push(byte);
                if byte == self.symbol {
                    out.push(self.mark);
                }
            }
            out
        })
    }
}
