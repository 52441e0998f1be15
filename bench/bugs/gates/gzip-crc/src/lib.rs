//! A compressed file is read to its end, where the checksum of what it had is.

use std::io::Read;

/// Reads one input.
pub fn run(data: &[u8]) {
    let mut content = Vec::new();
    if flate2::read::GzDecoder::new(data).read_to_end(&mut content).is_ok() {
        panic!("the content is right");
    }
}
