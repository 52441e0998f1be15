//! A block is read.

/// Reads one input.
pub fn run(data: &[u8]) {
    let _ = pcapng::block::parse_block(data);
}
