//! A character of several bytes comes where one of ASCII stood.

use super::write;
use crate::mutate::Mutator;
use crate::mutate::work::Work;

/// Puts a character of two to four bytes in the place of another, of as many bytes or of none; sometimes it comes twice or
/// more: what cuts texts by bytes, or takes what Unicode calls a digit, a letter or a space for one of ASCII, fails.
pub(in crate::mutate) struct Widen;

/// Letters, one of which becomes two in lower case and one a letter of ASCII, digits, spaces, a mark and what is none.
const WIDE: [&str; 16] = [
    "\u{DF}",
    "\u{E4}",
    "\u{130}",
    "\u{17F}",
    "\u{212A}",
    "\u{20AC}",
    "\u{1D11E}",
    "\u{1F600}",
    "\u{B2}",
    "\u{663}",
    "\u{FF11}",
    "\u{85}",
    "\u{A0}",
    "\u{3000}",
    "\u{301}",
    "\u{FEFF}",
];

/// The most times.
const TIMES: usize = 4;

impl Mutator for Widen {
    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let text = work.base.text;
        // Within a character there is no place for another.
        let boundary = |from: usize| {
            let is_one = |at: &usize| text.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
            (from..=text.len()).find(is_one).unwrap_or(text.len())
        };
        let from = boundary(work.random.index(text.len() + 1));
        let wide = WIDE[work.random.index(WIDE.len())];
        let times = if work.random.once_in(4) { 1 + work.random.index(TIMES) } else { 1 };
        let to = match work.random.index(4) {
            0 => from,
            1 => boundary((from + 1).min(text.len())),
            _ => boundary((from + wide.len() * times).min(text.len())),
        };
        write(work, (from, to), &[wide.as_bytes(); TIMES][..times])
    }
}
