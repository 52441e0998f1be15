//! Random grammars, small and nasty.

use pleach::grammar::{Alternative, Expr, ExprId, Grammar, Mark, Name, Rule, Span};
use proptest::prelude::*;

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Builds a grammar from a list of choices, which repeats.
struct Builder {
    grammar: Grammar,
    choices: Vec<u32>,
    next: usize,
    rules: u32,
    /// Leaves that may still be written: keeps the grammar small.
    leaves: u32,
}

impl Builder {
    fn choose(&mut self, below: u32) -> u32 {
        let choice = self.choices[self.next % self.choices.len()];
        self.next += 1;
        choice.wrapping_add((self.next / self.choices.len()) as u32) % below
    }

    /// Spans tell expressions apart.
    fn push(&mut self, expr: Expr) -> ExprId {
        let start = self.grammar.exprs.len() as u32;
        self.grammar.push(expr, Span { file: 0, start, end: start + 1 })
    }

    fn leaf(&mut self) -> Expr {
        if self.leaves == 0 {
            return Expr::Sequence(Vec::new());
        }
        self.leaves -= 1;
        let literal = |text: &str, ignore_case| Expr::Literal {
            bytes: text.as_bytes().to_vec(),
            ignore_case,
        };
        match self.choose(20) {
            0 => literal("", false),
            1 => Expr::Class(Vec::new()),
            2..=4 => literal("x", false),
            5 => literal("yyy", false),
            6 => literal("zz", true),
            7 => Expr::Class(vec![(0x61, 0x63)]),
            8 => Expr::Regex("[ab]c*".into()),
            9 => {
                let (base, minus) = (self.push(literal("q", false)), self.choose(2));
                let minus = self.push(literal(["q", "r"][minus as usize], false));
                Expr::Except { base, minus }
            }
            _ => Expr::Reference(NAMES[self.choose(self.rules) as usize].into()),
        }
    }

    fn expr(&mut self, depth: u32) -> ExprId {
        let expr = match self.choose(if depth == 0 { 2 } else { 6 }) {
            0 | 1 => self.leaf(),
            2 => Expr::Sequence((0..self.choose(4)).map(|_| self.expr(depth - 1)).collect()),
            3 | 4 => self.choice(depth),
            _ => {
                let (min, max) = [
                    (0, Some(1)),
                    (0, None),
                    (1, None),
                    (0, Some(0)),
                    (1, Some(1)),
                    (2, Some(2)),
                    (0, Some(2)),
                    (1, Some(3)),
                    (3, None),
                ][self.choose(9) as usize];
                let weight = [None, Some(0), Some(3)][self.choose(3) as usize];
                Expr::Repeat { expr: self.expr(depth - 1), min, max, weight }
            }
        };
        self.push(expr)
    }

    fn choice(&mut self, depth: u32) -> Expr {
        let count = (1 + self.choose(4)) % 5;
        let mut alternatives: Vec<Alternative> = (0..count)
            .map(|_| Alternative {
                mark: [None, None, Some(Mark::Weight(0)), Some(Mark::Weight(2))]
                    [self.choose(4) as usize],
                binding: None,
                expr: self.expr(depth - 1),
            })
            .collect();
        // Some of the last are parse-only.
        let marked = self.choose(12).saturating_sub(8).min(count.saturating_sub(1));
        for alternative in alternatives.iter_mut().rev().take(marked as usize) {
            alternative.mark = Some(Mark::ParseOnly);
        }
        if count > 0 && marked == 0 && self.choose(6) == 0 {
            // The same once more.
            let expr = self.grammar.expr(alternatives[0].expr).clone();
            if matches!(expr, Expr::Literal { .. } | Expr::Reference(_)) {
                alternatives.push(Alternative::plain(self.push(expr)));
            }
        }
        Expr::Choice(alternatives)
    }

    fn build(mut self) -> Grammar {
        let name = |text: &str| Name { text: text.into(), span: Span::default() };
        self.rules = 1 + self.choose(NAMES.len() as u32);
        self.leaves = 16;
        if self.choose(3) == 0 {
            let start = self.choose(self.rules);
            self.grammar.start = Some(name(NAMES[start as usize]));
        }
        for rule in &NAMES[..self.rules as usize] {
            let body = match self.choose(3) {
                0 => self.expr(2),
                _ => {
                    let choice = self.choice(3);
                    self.push(choice)
                }
            };
            self.grammar.rules.push(Rule { name: name(rule), docs: String::new(), body });
        }
        self.grammar
    }
}

/// A grammar of up to six rules.
pub fn grammar() -> impl Strategy<Value = Grammar> {
    prop::collection::vec(any::<u32>(), 4..60).prop_map(|choices| {
        Builder { grammar: Grammar::default(), choices, next: 0, rules: 0, leaves: 0 }.build()
    })
}

/// Grammars from a seed, for tests that count what they have met.
pub fn grammars(seed: u64, count: usize) -> impl Iterator<Item = Grammar> {
    use pleach::Entropy as _;
    let mut words = pleach::Seeded::new(seed);
    (0..count).map(move |_| {
        let length = 4 + words.below(56) as usize;
        let choices = (0..length).map(|_| words.next_u64() as u32).collect();
        Builder { grammar: Grammar::default(), choices, next: 0, rules: 0, leaves: 0 }.build()
    })
}
