//! A packet is read.

/// Reads one input.
pub fn run(data: &[u8]) {
    let _ = ssh_parser::parse_ssh_packet(data);
}
