//! Regexes of languages in which a symbol is followed by a mark wherever it stands.
//!
//! Putting a mark behind every symbol of one kind is a homomorphism, so what a regex matches becomes what another
//! one matches: in literals the mark is put in, and a class that has the symbol becomes a choice.

use regex_syntax::hir::{
    Capture, Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind,
    Repetition,
};

use super::Alphabet;
use super::marked::Marking;
use super::syntax::pattern;

impl Marking {
    /// A regex for the symbols of a class with marks; none where the class lacks the symbol, or has values that are
    /// none of the alphabet.
    pub(crate) fn class(self, ranges: &[(u32, u32)], alphabet: Alphabet) -> Option<String> {
        let symbol = u32::from(self.symbol);
        if !ranges.iter().any(|&(low, high)| low <= symbol && symbol <= high) {
            return None;
        }
        let class = if alphabet == Alphabet::Bytes {
            let ranges = ranges.iter().map(|&(low, high)| {
                Some(ClassBytesRange::new(low.try_into().ok()?, high.try_into().ok()?))
            });
            Class::Bytes(ClassBytes::new(ranges.collect::<Option<Vec<_>>>()?))
        } else {
            let ranges = ranges.iter().map(|&(low, high)| {
                Some(ClassUnicodeRange::new(char::from_u32(low)?, char::from_u32(high)?))
            });
            Class::Unicode(ClassUnicode::new(ranges.collect::<Option<Vec<_>>>()?))
        };
        Some(written(&self.hir(Hir::class(class)), alphabet))
    }

    /// A regex for what another one matches, with marks; none where it cannot be read.
    pub(crate) fn regex(self, regex: &str, alphabet: Alphabet) -> Option<String> {
        let hir = pattern(regex, alphabet).ok()?;
        let marked = self.hir(hir.clone());
        // What has no such symbol stays as it is written.
        (marked != hir).then(|| written(&marked, alphabet))
    }

    /// Nests as deep as the regex, of which there is a limit where it is read.
    fn hir(self, hir: Hir) -> Hir {
        match hir.into_kind() {
            HirKind::Empty => Hir::empty(),
            HirKind::Look(look) => Hir::look(look),
            HirKind::Literal(literal) => {
                Hir::literal(self.literal(&literal.0).map_or(literal.0, Vec::into_boxed_slice))
            }
            HirKind::Class(class) => self.parted(class),
            HirKind::Capture(capture) => {
                let sub = Box::new(self.hir(*capture.sub));
                Hir::capture(Capture { sub, ..capture })
            }
            HirKind::Repetition(repetition) => {
                let sub = Box::new(self.hir(*repetition.sub));
                Hir::repetition(Repetition { sub, ..repetition })
            }
            HirKind::Concat(parts) => {
                Hir::concat(parts.into_iter().map(|part| self.hir(part)).collect())
            }
            HirKind::Alternation(parts) => {
                Hir::alternation(parts.into_iter().map(|part| self.hir(part)).collect())
            }
        }
    }

    /// A class, or the choice of the symbol with its mark and of the rest.
    fn parted(self, class: Class) -> Hir {
        let symbol = char::from(self.symbol);
        let (has_it, rest) = match class {
            Class::Unicode(mut class) => {
                let it = ClassUnicode::new([ClassUnicodeRange::new(symbol, symbol)]);
                let has_it =
                    class.iter().any(|range| (range.start()..=range.end()).contains(&symbol));
                class.difference(&it);
                (has_it, Class::Unicode(class))
            }
            Class::Bytes(mut class) => {
                let it = ClassBytes::new([ClassBytesRange::new(self.symbol, self.symbol)]);
                let has_it =
                    class.iter().any(|range| (range.start()..=range.end()).contains(&self.symbol));
                class.difference(&it);
                (has_it, Class::Bytes(class))
            }
        };
        if !has_it {
            return Hir::class(rest);
        }
        let marked = Hir::literal(vec![self.symbol, self.mark]);
        Hir::alternation(vec![Hir::class(rest), marked])
    }
}

/// A regex as it is written where symbols are of an alphabet.
fn written(hir: &Hir, alphabet: Alphabet) -> String {
    match alphabet {
        // It is written for Unicode, and says where bytes are meant.
        Alphabet::Bytes => format!("(?u){hir}"),
        _ => hir.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regular::{AutomatonLimits, Dfa};

    const MARKING: Marking = Marking { symbol: b'\n', mark: b'|' };

    fn automaton(regex: &str, alphabet: Alphabet) -> Dfa {
        Dfa::from_regex(regex, alphabet, &AutomatonLimits::default()).unwrap()
    }

    #[test]
    fn marks_stand_behind_the_symbol_and_nowhere_else() {
        for (regex, expected) in [
            ("a\nb", "a\n\\|b"),
            ("(?s).", "[^\n]|\n\\|"),
            ("(x|\n){2,3}?", "(x|\n\\|){2,3}"),
            ("[\n\r]*", "(\n\\||\r)*"),
            ("^\\s$", "[\\s--\n]|\n\\|"),
            ("(?i)k\n", "[kK\u{212A}]\n\\|"),
        ] {
            let marked = MARKING.regex(regex, Alphabet::Unicode).unwrap();
            let (ours, theirs) =
                (automaton(&marked, Alphabet::Unicode), automaton(expected, Alphabet::Unicode));
            assert!(ours.equivalent(&theirs), "{regex:?} became {marked:?}");
        }
        for (regex, expected) in [
            ("(?s-u:.)", "[^\n]|\n\\|"),
            ("[\\x00-\\xFF]\\xE9", "([^\n]|\n\\|)\\xE9"),
            ("é\n", "é\n\\|"),
            ("(?u)[é\n]", "(?u)é|\n\\|"),
        ] {
            let marked = MARKING.regex(regex, Alphabet::Bytes).unwrap();
            let (ours, theirs) =
                (automaton(&marked, Alphabet::Bytes), automaton(expected, Alphabet::Bytes));
            assert!(ours.equivalent(&theirs), "{regex:?} became {marked:?}");
        }
        assert_eq!(MARKING.regex("[^\n]*é", Alphabet::Unicode), None);
        assert_eq!(MARKING.class(&[(0x20, 0x7F)], Alphabet::Bytes), None);
        let class = MARKING.class(&[(0, 0xFF)], Alphabet::Bytes).unwrap();
        assert!(
            automaton(&class, Alphabet::Bytes)
                .equivalent(&automaton("(?s-u:[^\n])|\n\\|", Alphabet::Bytes))
        );
    }
}
