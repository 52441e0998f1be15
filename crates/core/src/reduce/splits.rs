//! Where the lines, tokens and characters of a text begin, and where the last ends.

use fxhash::FxHashMap;

use crate::table::{Table, Terminal, TerminalId};

/// Where units begin, from the length of the one that begins at a place.
fn bounds(text: &[u8], length: impl Fn(&[u8]) -> usize) -> Vec<u32> {
    let mut bounds = vec![0];
    let mut at = 0;
    while at < text.len() {
        at = (at + length(&text[at..]).max(1)).min(text.len());
        bounds.push(at as u32);
    }
    bounds
}

/// Lines, with what ends them.
pub(super) fn lines(text: &[u8]) -> Vec<u32> {
    bounds(text, |rest| rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1))
}

/// Characters, or bytes where the text is not UTF-8.
pub(super) fn characters(text: &[u8]) -> Vec<u32> {
    match std::str::from_utf8(text) {
        Ok(text) => {
            let starts = text.char_indices().map(|(at, _)| at as u32);
            starts.chain([text.len() as u32]).collect()
        }
        Err(_) => bounds(text, |_| 1),
    }
}

/// Words and numbers, runs of blanks, literals of the grammar, and all other characters.
///
/// Without a derivation nothing says which token stands where, so these are what tokens mostly are.
pub(super) fn tokens(table: &Table, text: &[u8]) -> Vec<u32> {
    // By their first byte, in lower case.
    let mut literals: FxHashMap<u8, Vec<(&[u8], bool)>> = FxHashMap::default();
    for id in (0..table.terminal_count() as u32).map(TerminalId::new) {
        if let Terminal::Literal { bytes, ignore_case } = table.terminal(id)
            && let [first, _, ..] = bytes
        {
            literals.entry(first.to_ascii_lowercase()).or_default().push((bytes, ignore_case));
        }
    }
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    bounds(text, |rest| {
        let of = |kind: &dyn Fn(u8) -> bool| rest.iter().take_while(|&&byte| kind(byte)).count();
        let run = of(&is_word).max(of(&|byte| byte.is_ascii_whitespace()));
        let begins = |&&(literal, ignore_case): &&(&[u8], bool)| match rest.get(..literal.len()) {
            Some(start) if ignore_case => start.eq_ignore_ascii_case(literal),
            start => start == Some(literal),
        };
        let here = rest.first().and_then(|first| literals.get(&first.to_ascii_lowercase()));
        let here = here.into_iter().flatten().filter(begins);
        here.map(|(literal, _)| literal.len()).max().unwrap_or(0).max(run)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::Grammar;
    use crate::table::Lowering;

    #[test]
    fn tokens_are_words_blanks_literals_and_the_rest() {
        let grammar = Grammar::parse(r#"a = "===" | i"else if" | "in" | "=" ;"#).unwrap();
        let table = Lowering::new().lower(&grammar).unwrap().table;
        let text = "int é1===\n Else if(==)";
        let bounds = tokens(&table, text.as_bytes());
        let of = |pair: &[u32]| &text[pair[0] as usize..pair[1] as usize];
        let found: Vec<&str> = bounds.windows(2).map(of).collect();
        assert_eq!(found, ["int", " ", "é1", "===", "\n ", "Else if", "(", "=", "=", ")"]);
        assert_eq!(lines(b"a\n\nb"), [0, 2, 3, 4]);
        assert_eq!(characters("é1".as_bytes()), [0, 2, 3]);
        assert_eq!(characters(b"\xC3\x28"), [0, 1, 2]);
        assert_eq!([lines(b""), characters(b""), tokens(&table, b"")], [[0], [0], [0]]);
    }
}
