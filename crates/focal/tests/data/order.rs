//! An order such as `bc;seal=abcdefgh;a note`: flags, fields, and notes. Of the notes there are very many paths.

/// What an order costs; nothing if it is none.
pub fn order(text: &[u8]) -> Option<u32> {
    text.first()?;
    let mut parts = text.split(|&byte| byte == b';');
    let mut all = urgency(parts.next()?);
    if text[0].is_ascii_alphabetic() {
        all = all.wrapping_add(region(text[0]));
    }
    for part in parts {
        let price = match part {
            [b's', b'e', b'a', b'l', b'=', code @ ..] => field(code)?,
            _ => note(part),
        };
        all = all.wrapping_add(price);
    }
    Some(all)
}

/// A region by its letter, which the caller has looked at.
#[inline(never)]
fn region(letter: u8) -> u32 {
    3000 / u32::from(letter ^ b'7')
}

/// What the flags say, one after the other.
#[inline(never)]
fn urgency(flags: &[u8]) -> u32 {
    let mut urgency: u32 = 0;
    for &flag in flags {
        urgency = match flag {
            b'a' => urgency.wrapping_add(1),
            b'b' => urgency.wrapping_mul(10),
            b'c' => urgency / 3,
            _ if flag > 0x7f => 1,
            _ => urgency,
        };
    }
    urgency
}

/// Signs in a note, of many kinds.
#[inline(never)]
fn note(text: &[u8]) -> u32 {
    let mut signs: u32 = 0;
    for &byte in text {
        signs = signs.wrapping_add(match byte {
            b'!' | b'?' => 1,
            b'0'..=b'9' => 2,
            b'A'..=b'Z' => 3,
            b'a'..=b'z' => 4,
            _ => 0,
        });
    }
    signs
}

/// A seal is of eight capital letters or small ones.
#[inline(never)]
fn field(code: &[u8]) -> Option<u32> {
    let code: [u8; 8] = code.try_into().ok()?;
    code.iter().all(u8::is_ascii_alphabetic).then(|| seal(code))
}

/// What a seal is worth goes by the halves of the alphabet in which its letters lie.
#[inline(never)]
fn seal(code: [u8; 8]) -> u32 {
    let mut state = 1;
    for letter in code {
        state = match letter & 0x1f {
            ..=13 => early(state),
            _ => late(state),
        };
    }
    share(state)
}

#[inline(never)]
fn early(state: u32) -> u32 {
    3 * state % 251
}

#[inline(never)]
fn late(state: u32) -> u32 {
    (state + 90) % 251
}

#[inline(never)]
fn share(state: u32) -> u32 {
    if state == 173 {
        return 1000 / (state - 173);
    }
    state
}
