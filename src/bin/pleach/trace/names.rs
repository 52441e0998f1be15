//! Names for what a run is made of: places, and bytes of the input.

use std::ops::Range;

use pleach::inside::trace::{ByteSet, ByteSets};
use pleach::inside::vm::Source;
use pleach::report::{shortened, visible};

use crate::sources::Sources;

use super::nodes::Nodes;

/// How many bytes of the input are shown.
const BYTES: usize = 24;
/// How many ranges of bytes are named.
const RANGES: usize = 3;

/// Where bytes come from.
pub(super) struct Given {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Names.
pub(super) struct Names<'t> {
    pub(super) sources: Sources,
    /// The standard input of a program, or the bytes of a function.
    pub(super) input: Given,
    pub(super) files: Vec<Given>,
    /// With the program's name, which is the first.
    pub(super) arguments: Vec<Vec<u8>>,
    /// The derivation tree of one of them.
    pub(super) nodes: Option<(Source, Nodes<'t>)>,
}

/// Bytes, as they are named.
pub(super) struct Named<'n> {
    pub(super) source: String,
    pub(super) range: Range<u64>,
    pub(super) text: &'n [u8],
    /// The innermost node that covers them.
    pub(super) node: Option<(&'n str, Range<usize>)>,
}

impl<'t> Names<'t> {
    pub(super) fn new(input: Given, files: Vec<Given>, arguments: Vec<Vec<u8>>) -> Self {
        Self { sources: Sources::new(), input, files, arguments, nodes: None }
    }

    /// The ranges of a set with their names; `None` if they can't be told apart.
    pub(super) fn ranges(&self, sets: &ByteSets, set: ByteSet) -> Option<Vec<Named<'_>>> {
        let name = |(source, range): (Source, Range<u64>)| {
            let (name, bytes) = match source {
                Source::Input => (self.input.name.clone(), self.input.bytes.as_slice()),
                Source::File(number) => match self.files.get(number as usize) {
                    Some(file) => (file.name.clone(), file.bytes.as_slice()),
                    None => (format!("file {number}"), &[][..]),
                },
                Source::Argument(number) => {
                    let bytes = self.arguments.get(number as usize);
                    (format!("argument {number}"), bytes.map_or(&[][..], Vec::as_slice))
                }
            };
            let at = |it: u64| usize::try_from(it).unwrap_or(usize::MAX).min(bytes.len());
            let text = &bytes[at(range.start)..at(range.end)];
            let nodes = self.nodes.as_ref().filter(|(of, _)| *of == source);
            let node = nodes.and_then(|(_, nodes)| nodes.covering(&range));
            Named { source: name, range, text, node }
        };
        Some(sets.ranges(set)?.into_iter().map(name).collect())
    }

    /// A set in words: `input 3..5 "12" of number 3..6`.
    pub(super) fn set(&self, sets: &ByteSets, set: ByteSet) -> String {
        let Some(ranges) = self.ranges(sets, set) else { return "any bytes".to_owned() };
        let mut words: Vec<String> = ranges.iter().take(RANGES).map(Named::words).collect();
        if ranges.len() > RANGES {
            words.push(format!("and {} ranges more", ranges.len() - RANGES));
        }
        words.join(", ")
    }
}

impl Named<'_> {
    fn words(&self) -> String {
        let text = shortened(&visible(&self.text[..self.text.len().min(4 * BYTES)]), BYTES);
        let Self { source, range, .. } = self;
        let of = match &self.node {
            Some((rule, bytes)) => format!(" of {rule} {}..{}", bytes.start, bytes.end),
            None => String::new(),
        };
        match range.end - range.start {
            1 => format!("{source} {} \"{text}\"{of}", range.start),
            _ => format!("{source} {}..{} \"{text}\"{of}", range.start, range.end),
        }
    }
}
