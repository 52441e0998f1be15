//! The rules that pest has without being told.

/// What a rule of pest's own is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    /// The beginning or the end of the text.
    Edge { end: bool },
    /// One symbol of some ranges.
    Class(Vec<(u32, u32)>),
    /// A line end: `\n`, `\r\n` or `\r`.
    Newline,
    /// One symbol with a property of Unicode, by the name that the `regex` crate takes as well.
    Property(Vec<(u32, u32)>),
}

/// The rule of a name.
pub(super) fn builtin(name: &str) -> Option<Builtin> {
    const DIGIT: (u32, u32) = (48, 57);
    const UPPER: (u32, u32) = (65, 90);
    const LOWER: (u32, u32) = (97, 122);
    let ranges: &[(u32, u32)] = match name {
        "SOI" => return Some(Builtin::Edge { end: false }),
        "EOI" => return Some(Builtin::Edge { end: true }),
        "NEWLINE" => return Some(Builtin::Newline),
        "ANY" => &[(0, 0xD7FF), (0xE000, 0x10_FFFF)],
        "ASCII" => &[(0, 127)],
        "ASCII_DIGIT" => &[DIGIT],
        "ASCII_NONZERO_DIGIT" => &[(49, 57)],
        "ASCII_BIN_DIGIT" => &[(48, 49)],
        "ASCII_OCT_DIGIT" => &[(48, 55)],
        "ASCII_HEX_DIGIT" => &[DIGIT, (65, 70), (97, 102)],
        "ASCII_ALPHA_LOWER" => &[LOWER],
        "ASCII_ALPHA_UPPER" => &[UPPER],
        "ASCII_ALPHA" => &[UPPER, LOWER],
        "ASCII_ALPHANUMERIC" => &[DIGIT, UPPER, LOWER],
        _ => return property(name).map(Builtin::Property),
    };
    Some(Builtin::Class(ranges.to_vec()))
}

/// The symbols of a property of Unicode: a general category, a binary property or a script.
fn property(name: &str) -> Option<Vec<(u32, u32)>> {
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') {
        return None;
    }
    let hir = regex_syntax::parse(&pattern(name)).ok()?;
    let regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class)) = hir.kind()
    else {
        return None;
    };
    Some(class.iter().map(|range| (range.start().into(), range.end().into())).collect())
}

/// The regular expression of a property.
pub(super) fn pattern(name: &str) -> String {
    format!("\\p{{{name}}}")
}
