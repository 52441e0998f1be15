//! Texts with other words than a seed's.

use pleach_explore::random::Random;

/// A text behind its length, in base64.
pub fn wrap(text: &[u8]) -> Vec<u8> {
    const SYMBOLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut wrapped = format!("{}:", text.len()).into_bytes();
    for bytes in text.chunks(3) {
        let all = bytes.iter().fold(0u32, |all, &byte| all << 8 | u32::from(byte))
            << (8 * (3 - bytes.len()));
        for at in 0..4 {
            let symbol = SYMBOLS[(all >> (18 - 6 * at) & 63) as usize];
            wrapped.push(if at > bytes.len() { b'=' } else { symbol });
        }
    }
    wrapped
}

/// A text in which one or two words are other ones: of an input of several parts, behind the marks of lines.
pub fn changed(text: &[u8], random: &mut Random) -> Vec<u8> {
    let is_parts = text.starts_with(b"%parts\n");
    let mut words: Vec<std::ops::Range<usize>> = Vec::new();
    let mut begin = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let is_own = is_parts && line.first() != Some(&b'|');
        for (at, byte) in (begin..).zip(line).skip(usize::from(is_parts)) {
            if is_own || !byte.is_ascii_alphanumeric() {
                continue;
            }
            match words.last_mut() {
                Some(word) if word.end == at => word.end += 1,
                _ => words.push(at..at + 1),
            }
        }
        begin += line.len();
    }
    let mut changed = text.to_vec();
    let mut left = words.len();
    // From the end on, so that the places before stay.
    for _ in 0..1 + random.below(2) {
        if left == 0 {
            break;
        }
        let at = random.below(left);
        changed.splice(words[at].clone(), word(random));
        left = at;
    }
    changed
}

/// A word of four to twelve characters, or a number.
fn word(random: &mut Random) -> Vec<u8> {
    let symbols: &[u8] = match random.below(3) {
        0 => b"0123456789",
        1 => b"abcdefghijklmnopqrstuvwxyz",
        _ => b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.",
    };
    (0..4 + random.below(9)).map(|_| symbols[random.below(symbols.len())]).collect()
}

#[cfg(test)]
mod tests {
    use pleach_explore::parts;

    use super::*;

    #[test]
    fn what_is_wrapped_has_its_length_and_is_base64() {
        for (text, wrapped) in [
            ("", "0:"),
            ("f", "1:Zg=="),
            ("fo", "2:Zm8="),
            ("foo", "3:Zm9v"),
            ("foob", "4:Zm9vYg=="),
        ] {
            assert_eq!(wrap(text.as_bytes()), wrapped.as_bytes());
        }
    }

    #[test]
    fn words_are_changed_and_nothing_else_of_an_input_of_parts() {
        let text = b"%parts\nargs\n|-d\n|:\nstdin\n|a:b\n|";
        for seed in 0..200 {
            let changed = changed(text, &mut Random(seed));
            assert!(parts::input(&changed).arguments.len() == 2, "{}", changed.escape_ascii());
            assert_ne!(changed, text);
        }
        assert_eq!(changed(b"::", &mut Random(1)), b"::");
    }
}
