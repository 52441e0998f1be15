//! A tag of a markup language, without attributes: `<p>`, `</p>` or `<br />`.

use std::iter::Peekable;
use std::str::Chars;

fn accept(chars: &mut Peekable<Chars<'_>>, wanted: char) -> bool {
    chars.next_if_eq(&wanted).is_some()
}

fn name(chars: &mut Peekable<Chars<'_>>) -> bool {
    let mut length = 0_usize;
    while chars.next_if(|c| c.is_ascii_lowercase()).is_some() {
        length += 1;
    }
    length > 0
}

/// Whether a text is a tag.
pub fn is_tag(text: &str) -> bool {
    let mut chars = text.chars().peekable();
    if !accept(&mut chars, '<') {
        return false;
    }
    let closing = accept(&mut chars, '/');
    if !name(&mut chars) {
        return false;
    }
    while let Some(' ') = chars.peek() {
        chars.next();
    }
    if !closing {
        accept(&mut chars, '/');
    }
    accept(&mut chars, '>') && chars.next().is_none()
}
