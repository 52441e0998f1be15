//! A record is read whose texts have their lengths before them.

/// Reads one input.
pub fn run(data: &[u8]) {
    let record: bincode::Result<(u8, String, Vec<u8>)> = bincode::deserialize(data);
    if record.is_ok_and(|(_, name, bytes)| name.len() > 2 && bytes.len() > 3) {
        panic!("the lengths are right");
    }
}
