//! Rules as the relatives of BNF write them: a name, then terms, alternatives, brackets of three kinds,
//! quantifiers, counts and exceptions, from tokens one by one.
//!
//! What a front end adds is which token is which. Mistakes in the structure are reported here.

use super::builder::Builder;
use super::ranges::Ranges;
use super::terms::Terms;
use pleach_core::grammar::{Diagnostic, Expr, ExprId, Span};

/// What brackets make of what is in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    /// It itself.
    Group,
    /// It or nothing.
    Optional,
    /// It any number of times.
    Repeated,
}

/// All, in the order of their tags; tag 0 is a rule's right side.
const BRACKETS: [Bracket; 3] = [Bracket::Group, Bracket::Optional, Bracket::Repeated];

impl Bracket {
    fn tag(self) -> u8 {
        match self {
            Self::Group => 1,
            Self::Optional => 2,
            Self::Repeated => 3,
        }
    }
}

/// The rule that is being read, and the grammar that it goes to.
pub(super) struct Body<'d> {
    pub(super) builder: &'d mut Builder,
    pub(super) file: u32,
    terms: Terms,
    /// The name of the rule.
    rule: Option<(String, Span)>,
    /// How often the next term stands, and that of each open bracket.
    count: Option<u32>,
    counts: Vec<Option<u32>>,
}

impl<'d> Body<'d> {
    pub(super) fn new(builder: &'d mut Builder, file: u32) -> Self {
        let terms = Terms::default();
        Self { builder, file, terms, rule: None, count: None, counts: Vec::new() }
    }

    /// A range of the file.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    pub(super) fn error(
        &mut self,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.builder.error(Diagnostic::error(span, message).help(help));
    }

    /// Whether a rule is being read.
    pub(super) fn is_open(&self) -> bool {
        self.rule.is_some()
    }

    /// Whether a bracket is open.
    pub(super) fn is_nested(&self) -> bool {
        self.terms.depth() > 1
    }

    /// Begins a rule; the one that is being read has ended.
    pub(super) fn begin(&mut self, name: &str, span: Span, at: u32) {
        self.rule = Some((name.to_owned(), span));
        self.terms.open(Span { start: at, end: at, ..span }, 0);
    }

    /// Ends the rule that is being read, if one is.
    pub(super) fn end(&mut self, at: u32) {
        let Some((name, span)) = self.rule.take() else { return };
        self.check(Span { file: self.file, start: at, end: at });
        while self.terms.depth() > 1 {
            let open = self.terms.opened().unwrap_or(span);
            self.error(open, "this bracket is not closed", "close it before the rule ends");
            self.terms.close(self.builder, at);
        }
        self.counts.clear();
        if let Some((body, _)) = self.terms.close(self.builder, at) {
            self.builder.rule(&name, span, body);
        }
    }

    /// Ends the last rule; `help` says how a rule is written, for a text that has none.
    pub(super) fn finish(&mut self, at: usize, help: &str) {
        self.end(at as u32);
        if self.builder.grammar.rules.is_empty() && !self.builder.has_errors() {
            self.error(self.span(0, 0), "there is no rule", help);
        }
    }

    /// Leaves out the rule that is being read.
    pub(super) fn abandon(&mut self) {
        self.rule = None;
        self.count = None;
        self.counts.clear();
        self.terms = Terms::default();
    }

    /// The ranges that stand in a class, by what takes the next symbol off: none of that is the end, and none at
    /// all a mistake. Before the end `-` is itself.
    pub(super) fn ranges(
        &mut self,
        mut rest: &str,
        span: Span,
        symbol: impl Fn(&mut Self, &mut &str, Span) -> Option<Option<u32>>,
    ) -> Option<Ranges> {
        let mut ranges = Ranges::new();
        while let Some(low) = symbol(self, &mut rest, span)? {
            let Some(after) = rest.strip_prefix('-').filter(|after| !after.is_empty()) else {
                ranges.push((low, low));
                continue;
            };
            rest = after;
            let high = symbol(self, &mut rest, span)?.unwrap_or(low);
            if high < low {
                let message = "a range of this class ends before it begins";
                self.error(span, message, "turn it round");
                return None;
            }
            ranges.push((low, high));
        }
        Some(ranges)
    }

    /// Adds a term.
    pub(super) fn term(&mut self, term: ExprId) {
        self.terms.settle(self.builder);
        let term = match self.count.take() {
            Some(count) => {
                let span = self.builder.grammar.span(term);
                self.builder.repeat(term, count, Some(count), span)
            }
            None => term,
        };
        self.terms.push(term);
    }

    /// The next term stands so often.
    pub(super) fn count(&mut self, count: u32, span: Span) {
        if self.count.replace(count).is_some() {
            self.error(span, "a count is followed by another", "multiply them");
        }
    }

    /// Opens a bracket.
    pub(super) fn open(&mut self, span: Span, bracket: Bracket) {
        self.terms.settle(self.builder);
        self.counts.push(self.count.take());
        self.terms.open(span, bracket.tag());
    }

    /// Closes a bracket, which is to be of this kind.
    pub(super) fn close(&mut self, span: Span, bracket: Bracket) {
        if self.terms.depth() < 2 {
            return self.error(span, "no bracket is open here", "leave it out");
        }
        self.check(span);
        let Some((inner, tag)) = self.terms.close(self.builder, span.end) else { return };
        if tag != bracket.tag() {
            self.error(span, "another kind of bracket is open", "close them from the inside out");
        }
        let whole = self.builder.grammar.span(inner);
        let term = match BRACKETS.get(usize::from(tag).wrapping_sub(1)) {
            Some(Bracket::Optional) => self.builder.repeat(inner, 0, Some(1), whole),
            Some(Bracket::Repeated) => self.builder.repeat(inner, 0, None, whole),
            _ => inner,
        };
        self.count = self.counts.pop().flatten();
        // A base that waits for what is taken from it has been there since before the bracket.
        let term = match self.count.take() {
            Some(count) => self.builder.repeat(term, count, Some(count), whole),
            None => term,
        };
        self.terms.push(term);
    }

    /// Begins another alternative.
    pub(super) fn bar(&mut self, span: Span) {
        self.check(span);
        self.terms.bar(self.builder, span.start);
    }

    /// The last term is to have what the next one has not.
    pub(super) fn minus(&mut self, span: Span) {
        if self.terms.is_minus() {
            self.terms.settle(self.builder);
        }
        if self.terms.is_minus() || !self.terms.minus(self.builder) {
            self.error(span, "`-` follows nothing", "write what is to be taken from");
        }
    }

    /// Whether the last term is to have what the next one has not, and there is no next one yet.
    pub(super) fn is_minus(&mut self) -> bool {
        self.terms.settle(self.builder);
        self.terms.is_minus()
    }

    /// The last term stands so often; `span` is of the quantifier.
    pub(super) fn repeat(&mut self, span: Span, min: u32, max: Option<u32>) {
        let Some(term) = self.terms.pop() else {
            let help = "a quantifier follows what it repeats";
            return self.error(span, "this quantifier follows nothing", help);
        };
        if max.is_some_and(|max| max < min) {
            self.error(span, "the greatest count is below the least", "exchange them");
        }
        let whole = Span { end: span.end, ..self.builder.grammar.span(term) };
        let repeat = self.builder.repeat(term, min, max, whole);
        self.terms.push(repeat);
    }

    /// What nothing is taken from: `{ a } -` is one `a` or more in ISO's notation.
    pub(super) fn minus_nothing(&mut self, span: Span) {
        if !self.is_minus() {
            return;
        }
        let nothing = self.builder.literal(b"", false, span);
        self.terms.push(nothing);
        self.terms.settle(self.builder);
        let Some(last) = self.terms.pop() else { return };
        let grammar = &self.builder.grammar;
        let at = grammar.span(last);
        let term = match *grammar.expr(last) {
            Expr::Except { base, .. } => match *grammar.expr(base) {
                Expr::Repeat { expr, min: 0, max, .. } => self.builder.repeat(expr, 1, max, at),
                _ => last,
            },
            _ => last,
        };
        self.terms.push(term);
    }

    /// Reports a `-` or a count that nothing follows.
    fn check(&mut self, span: Span) {
        if self.is_minus() {
            self.error(span, "nothing follows the `-`", "write what is taken away");
            let nothing = self.builder.literal(b"", false, span);
            self.terms.push(nothing);
            self.terms.settle(self.builder);
        }
        if self.count.take().is_some() {
            self.error(span, "nothing follows the count", "write what stands so often");
        }
    }
}
