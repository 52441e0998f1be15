//! A failure within the standard library, which tells its own place and not that of the call.

/// How far two signs go.
pub fn stride(text: &[u8]) -> u32 {
    match *text {
        [b's', by] => strides(by),
        _ => 0,
    }
}

/// No step is of no length.
fn strides(by: u8) -> u32 {
    (0..100).step_by(usize::from(by ^ b'x')).nth(1).unwrap_or(0)
}
