//! What is called a hundred times, and never with anything of the input.

/// What the input's length and a hundred ticks come to.
pub fn idle(text: &[u8]) -> u32 {
    (0..100).map(tick).sum::<u32>() + text.len() as u32
}

#[inline(never)]
fn tick(number: u32) -> u32 {
    number * 3 % 7
}
