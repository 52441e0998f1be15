//! The header of a compressed file is read, with its flags.

/// Reads one input.
pub fn run(data: &[u8]) {
    if flate2::read::GzDecoder::new(data).header().is_some() {
        panic!("the header is right");
    }
}
