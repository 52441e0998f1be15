//! Byte havoc: bytes are changed anywhere.

use crate::mutate::Bytes;
use crate::mutate::Mutator;
use crate::mutate::bytes::ByteMutator;
use crate::mutate::work::Work;

/// Changes the text by the caller's function on bytes, or by a plain one of this crate where the
/// caller has none.
pub(in crate::mutate) struct Garble;

/// How many bytes the text may gain.
const GAIN: usize = 64;

impl Mutator for Garble {
    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let size = work.base.text.len();
        let most = (size + GAIN).min(work.room.bytes);
        if most < size {
            return false;
        }
        work.out.clear();
        let text = &mut work.out.tree.text;
        text.extend_from_slice(work.base.text);
        text.resize(most, 0);
        let length = match &mut work.bytes {
            Some(bytes) => bytes.mutate(text, size, most),
            None => ByteMutator::new(work.random).mutate(text, size, most),
        };
        text.truncate(length.min(most));
        true
    }
}
