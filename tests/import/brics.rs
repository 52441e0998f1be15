//! A second opinion on tribble's regexes: `dk.brics.automaton`'s reader written out, with a language as
//! a question that is asked of a word.

/// Whether a word is in a language.
pub type Language = Box<dyn Fn(&[char]) -> bool>;

/// The language of a regex as it is after the escapes of tribble, with intersection and complement; none
/// where it is no regex.
pub fn language(regex: &str) -> Option<Language> {
    let mut reader = Reader { symbols: regex.chars().collect(), at: 0 };
    let language = reader.union()?;
    (reader.at == reader.symbols.len()).then_some(language)
}

struct Reader {
    symbols: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.symbols.get(self.at).copied()
    }

    fn takes(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(symbol);
        self.at += usize::from(found);
        found
    }

    fn next(&mut self) -> Option<char> {
        self.at += 1;
        self.symbols.get(self.at - 1).copied()
    }

    fn union(&mut self) -> Option<Language> {
        let one = self.intersection()?;
        if !self.takes('|') {
            return Some(one);
        }
        let other = self.union()?;
        Some(Box::new(move |word| one(word) || other(word)))
    }

    fn intersection(&mut self) -> Option<Language> {
        let one = self.concatenation()?;
        if !self.takes('&') {
            return Some(one);
        }
        let other = self.intersection()?;
        Some(Box::new(move |word| one(word) && other(word)))
    }

    fn concatenation(&mut self) -> Option<Language> {
        let one = self.repetition()?;
        if matches!(self.peek(), None | Some(')' | '|' | '&')) {
            return Some(one);
        }
        let other = self.concatenation()?;
        Some(Box::new(move |word| {
            (0..=word.len()).any(|at| one(&word[..at]) && other(&word[at..]))
        }))
    }

    fn repetition(&mut self) -> Option<Language> {
        let mut language = self.complement()?;
        loop {
            let (min, max) = match self.peek() {
                Some('?') => (0, Some(1)),
                Some('*') => (0, None),
                Some('+') => (1, None),
                Some('{') => {
                    self.at += 1;
                    let min = self.number()??;
                    let max = if self.takes(',') { self.number()? } else { Some(min) };
                    if self.peek() != Some('}') || max.is_some_and(|max| max < min) {
                        return None;
                    }
                    (min, max)
                }
                _ => return Some(language),
            };
            self.at += 1;
            let once = language;
            language = Box::new(move |word| repeated(&once, word, min, max));
        }
    }

    /// The number that stands here, if any; none on the outside where it is too large.
    fn number(&mut self) -> Option<Option<u32>> {
        let from = self.at;
        while self.peek().is_some_and(|symbol| symbol.is_ascii_digit()) {
            self.at += 1;
        }
        let digits: String = self.symbols[from..self.at].iter().collect();
        if digits.is_empty() { Some(None) } else { digits.parse().ok().map(Some) }
    }

    fn complement(&mut self) -> Option<Language> {
        if !self.takes('~') {
            return self.class();
        }
        let language = self.complement()?;
        Some(Box::new(move |word| !language(word)))
    }

    fn class(&mut self) -> Option<Language> {
        if !self.takes('[') {
            return self.simple();
        }
        let negated = self.takes('^');
        let mut ranges = Vec::new();
        while ranges.is_empty() || self.peek()? != ']' {
            let low = self.symbol()?;
            let is_last = self.symbols.get(self.at + 1) == Some(&']');
            let high = if !is_last && self.takes('-') { self.symbol()? } else { low };
            if high < low {
                return None;
            }
            ranges.push(low..=high);
        }
        self.at += 1;
        Some(Box::new(move |word| match word {
            [symbol] => ranges.iter().any(|range| range.contains(symbol)) != negated,
            _ => false,
        }))
    }

    fn symbol(&mut self) -> Option<char> {
        self.takes('\\');
        self.next()
    }

    fn simple(&mut self) -> Option<Language> {
        if self.takes('.') {
            Some(Box::new(|word| word.len() == 1))
        } else if self.takes('"') {
            let mut text = Vec::new();
            while !self.takes('"') {
                text.push(self.next()?);
            }
            Some(Box::new(move |word| word == text))
        } else if self.takes('(') {
            if self.takes(')') {
                return Some(Box::new(<[char]>::is_empty));
            }
            let language = self.union()?;
            self.takes(')').then_some(language)
        } else {
            let symbol = self.symbol()?;
            Some(Box::new(move |word| word == [symbol]))
        }
    }
}

fn repeated(once: &Language, word: &[char], min: u32, max: Option<u32>) -> bool {
    if word.is_empty() {
        return min == 0 || once(word);
    }
    // Pieces that are empty can stand anywhere, and so after the others.
    let less = max.map(|max| max.checked_sub(1));
    let Some(max) = less.map_or(Some(None), |max| max.map(Some)) else { return false };
    (1..=word.len())
        .any(|at| once(&word[..at]) && repeated(once, &word[at..], min.saturating_sub(1), max))
}
