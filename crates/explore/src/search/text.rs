//! Inputs that are texts, and stay so when single bytes of them were changed.

/// Makes a text of bytes, where they are none, by changing few of them: a byte that goes on with a letter makes one of two bytes with
/// the one before it, and a byte that begins one makes it with the next. What can't be part of a letter loses its highest bit.
pub(super) fn repair(input: &mut [u8]) {
    let mut from = 0;
    while let Some(at) = wrong(&input[from..]).map(|at| from + at) {
        let goes_on = input[at] & 0xc0 == 0x80;
        if goes_on && at > from && input[at - 1].is_ascii() {
            input[at - 1] = 0xc3;
            from = at + 1;
        } else if !goes_on && at + 1 < input.len() {
            if !(0xc2..0xe0).contains(&input[at]) {
                input[at] = 0xc3;
            }
            input[at + 1] = 0x80 | input[at + 1] & 0x3f;
            from = at + 2;
        } else {
            input[at] &= 0x7f;
            from = at;
        }
    }
}

/// The first byte that is no part of a text.
fn wrong(input: &[u8]) -> Option<usize> {
    std::str::from_utf8(input).err().map(|error| error.valid_up_to())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn a_byte_keeps_what_it_is_to_be_where_the_one_before_it_may_change() {
        let repaired = |input: &[u8]| {
            let mut input = input.to_vec();
            repair(&mut input);
            input
        };
        assert_eq!(repaired(b"ab\x80cd"), b"a\xc3\x80cd");
        assert_eq!(repaired(b"ab\xc5cd"), b"ab\xc5\xa3d");
        assert_eq!(repaired(b"ab\xf0cd"), b"ab\xc3\xa3d");
        assert_eq!(repaired(b"\x80\xff"), b"\x00\x7f");
        assert_eq!(repaired("aä€".as_bytes()), "aä€".as_bytes());
    }

    #[test]
    fn whatever_it_was_it_is_a_text_of_the_same_length() {
        let mut random = Random(1);
        // Bytes that begin letters of two to four bytes, go on with them, stand for themselves or are in no text.
        let bytes = [0x00, 0x41, 0x7f, 0x80, 0xa9, 0xbf, 0xc0, 0xc3, 0xe2, 0xed, 0xf0, 0xf4, 0xff];
        for _ in 0..20_000 {
            let length = random.below(9);
            let input: Vec<u8> = (0..length).map(|_| bytes[random.below(bytes.len())]).collect();
            let mut repaired = input.clone();
            repair(&mut repaired);
            assert!(std::str::from_utf8(&repaired).is_ok(), "{input:x?} became {repaired:x?}");
            assert_eq!(repaired.len(), input.len());
            if std::str::from_utf8(&input).is_ok() {
                assert_eq!(repaired, input);
            }
        }
    }
}
