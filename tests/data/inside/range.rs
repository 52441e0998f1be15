/// How many numbers are in a range such as `3-17`.
pub fn length(text: &str) -> Option<u8> {
    let (first, last) = text.split_once('-')?;
    let (first, last) = (number(first)?, number(last)?);
    Some(last - first + 1)
}

fn number(text: &str) -> Option<u8> {
    let mut value = 0_u8;
    for byte in text.bytes() {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(byte - b'0')?;
    }
    Some(value)
}
