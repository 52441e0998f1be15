//! Comments that nest, found before a text is parsed, so that no parser need recurse for them.

/// The text with spaces for comments, byte for byte; and where a comment begins that does not end, for which spaces
/// stand up to the end of the text.
///
/// `marks` begin and end a comment. `skip` is how many of some bytes are no comment whatever they hold, as a
/// literal, where they begin with such.
pub(super) fn blank(
    text: &str,
    marks: [&[u8]; 2],
    skip: impl Fn(&[u8]) -> Option<usize>,
) -> (String, Option<usize>) {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    // From where on the text is not yet copied.
    let (mut at, mut copied) = (0, 0);
    while at < bytes.len() {
        let rest = &bytes[at..];
        if let Some(length) = skip(rest) {
            at += length;
        } else if rest.starts_with(marks[0]) {
            let length = length(rest, marks).0;
            let comment = &rest[..length.unwrap_or(rest.len())];
            out.push_str(&text[copied..at]);
            // Lines end where they did.
            out.extend(comment.iter().map(|&byte| if byte == b'\n' { '\n' } else { ' ' }));
            if length.is_none() {
                return (out, Some(at));
            }
            at += comment.len();
            copied = at;
        } else {
            at += 1;
        }
    }
    out.push_str(&text[copied..]);
    (out, None)
}

/// How long the comment is that a text begins with, none where it does not end; and how many of them are in each
/// other.
pub(super) fn length(text: &[u8], [begin, end]: [&[u8]; 2]) -> (Option<usize>, usize) {
    let (mut at, mut depth, mut deepest) = (0, 0_usize, 0);
    while at < text.len() {
        if text[at..].starts_with(begin) {
            (at, depth) = (at + begin.len(), depth + 1);
            deepest = deepest.max(depth);
        } else if text[at..].starts_with(end) {
            (at, depth) = (at + end.len(), depth - 1);
            if depth == 0 {
                return (Some(at), deepest);
            }
        } else {
            at += 1;
        }
    }
    (None, deepest)
}
