/// What a letter such as `Dear Sir, ...#abcdefgh` costs: a text, and a seal of eight signs.
pub fn letter(text: &[u8]) -> Option<u32> {
    let end = text.iter().position(|&byte| byte == b'#')?;
    let seal = text[end + 1..].try_into().ok()?;
    Some(postage(&text[..end]) + stamp(seal))
}

fn postage(text: &[u8]) -> u32 {
    let mut signs = 0;
    for &byte in text {
        signs += match byte {
            b'a'..=b'z' => 1,
            b'A'..=b'Z' => 2,
            b'0'..=b'9' => 3,
            _ => 0,
        };
    }
    signs
}

fn stamp(seal: [u8; 8]) -> u32 {
    let mut state = 1;
    for sign in seal {
        state = if sign < b'n' { early(state) } else { late(state) };
    }
    share(state)
}

fn early(state: u32) -> u32 {
    3 * state % 251
}

fn late(state: u32) -> u32 {
    (state + 90) % 251
}

fn share(state: u32) -> u32 {
    1000 / (state ^ 173)
}
