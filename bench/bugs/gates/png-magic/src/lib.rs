//! A picture is read as far as its eight bytes of signature.

use png::{Decoded, StreamingDecoder};

/// Reads one input.
pub fn run(data: &[u8]) {
    let (mut decoder, mut rest) = (StreamingDecoder::new(), data);
    while !rest.is_empty() {
        match decoder.update(rest, &mut Vec::new()) {
            Ok((_, Decoded::ChunkBegin(..))) => panic!("the signature is right"),
            Ok((read, _)) if read > 0 => rest = &rest[read..],
            _ => return,
        }
    }
}
