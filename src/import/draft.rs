//! A grammar as an importer writes it, and what is to be said about it.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::Imported;
use super::links::Links;
use super::ranges::union;
use crate::grammar::{
    Alternative, Diagnostic, Encoding, Expr, ExprId, Grammar, GrammarError, Name, Rule, Severity,
    SourceFile, Span, without_surrogates,
};

/// Messages that are given together; of more only how many there are.
const MOST: usize = 1000;

/// A grammar that grows. Mistakes are noted, and importing goes on.
pub(super) struct Draft {
    pub(super) grammar: Grammar,
    /// The encoding that the caller has chosen.
    pub(super) encoding: Option<Encoding>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// What was not kept of either.
    more: usize,
    /// By name, what to say where a rule of that name is needed and nothing supplies it.
    holes: HashMap<String, Diagnostic>,
    /// What to say where the caller names no start rule.
    startless: Option<Diagnostic>,
    /// The names of the rules that the caller supplies, for a notation that asks what is known.
    pub(super) supplied: Vec<String>,
    /// Whether names that differ in the case of ASCII letters alone are one name.
    pub(super) fold_names: bool,
    /// By rule that the caller has supplied, the first file of the grammar that it is from.
    adopted: HashMap<usize, u32>,
    /// By rule that such a grammar has as well, and otherwise, and by that grammar's first file: what to
    /// say where a rule that is from there needs it.
    clashes: HashMap<(usize, u32), Diagnostic>,
}

impl Draft {
    pub(super) fn new(encoding: Option<Encoding>) -> Self {
        let grammar = Grammar { encoding: encoding.unwrap_or_default(), ..Grammar::default() };
        Self {
            grammar,
            encoding,
            errors: Vec::new(),
            warnings: Vec::new(),
            more: 0,
            holes: HashMap::new(),
            startless: None,
            supplied: Vec::new(),
            fold_names: false,
            adopted: HashMap::new(),
            clashes: HashMap::new(),
        }
    }

    /// Adds a file that spans will point into; none, and an error, where it is too long for them.
    pub(super) fn file(&mut self, file: SourceFile) -> Option<u32> {
        let index = self.grammar.files.len() as u32;
        let fits = u32::try_from(file.text.len()).is_ok();
        self.grammar.files.push(file);
        if !fits {
            let span = Span { file: index, start: 0, end: 0 };
            self.error(Diagnostic::error(span, "the text is longer than 4 GiB"));
        }
        fits.then_some(index)
    }

    /// Notes that the notation knows Unicode alone, if the caller asks for bytes.
    pub(super) fn is_unicode(&mut self, file: u32) {
        if self.encoding == Some(Encoding::Bytes) {
            let span = Span { file, start: 0, end: 0 };
            let message = "symbols of this notation are characters, not bytes";
            self.error(Diagnostic::error(span, message).help("leave the encoding to the notation"));
        }
    }

    /// Notes a mistake.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        if self.errors.len() < MOST {
            self.errors.push(diagnostic);
        } else {
            self.more += 1;
        }
    }

    /// Notes that something is not carried over, and what follows from that.
    pub(super) fn lose(&mut self, span: Span, what: impl Into<String>, effect: impl Into<String>) {
        if self.warnings.len() < MOST {
            self.warnings.push(Diagnostic::warning(span, what).help(effect));
        } else {
            self.more += 1;
        }
    }

    /// Whether there is a mistake.
    pub(super) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Notes what to say if a rule of this name is needed and neither the text nor the caller has it.
    pub(super) fn hole(&mut self, name: &str, diagnostic: Diagnostic) {
        self.holes.entry(name.to_owned()).or_insert(diagnostic);
    }

    /// Notes that the text does not tell its start rule, which is a mistake unless the caller does.
    pub(super) fn startless(&mut self, diagnostic: Diagnostic) {
        self.startless.get_or_insert(diagnostic);
    }

    /// The last symbol of the grammar's encoding.
    pub(super) fn last_symbol(&self) -> u32 {
        self.grammar.encoding.last_symbol()
    }

    /// A text; ASCII letters stand for both cases if `ignore_case`.
    pub(super) fn literal(&mut self, bytes: &[u8], ignore_case: bool, span: Span) -> ExprId {
        let ignore_case = ignore_case && bytes.iter().any(u8::is_ascii_alphabetic);
        self.grammar.push(Expr::Literal { bytes: bytes.to_vec(), ignore_case }, span)
    }

    /// One symbol of some inclusive ranges, in any order; surrogates are no symbols.
    pub(super) fn class(&mut self, ranges: impl Into<Vec<(u32, u32)>>, span: Span) -> ExprId {
        let ranges = without_surrogates(ranges.into(), self.grammar.encoding);
        self.grammar.push(Expr::Class(union(ranges)), span)
    }

    /// A rule by name.
    pub(super) fn reference(&mut self, name: impl Into<String>, span: Span) -> ExprId {
        self.grammar.push(Expr::Reference(name.into()), span)
    }

    /// One after the other; a single one stands for itself.
    pub(super) fn sequence(&mut self, items: &[ExprId], span: Span) -> ExprId {
        match items {
            &[item] => item,
            _ => self.grammar.push(Expr::Sequence(items.to_vec()), span),
        }
    }

    /// One of several, without weights; a single one stands for itself.
    pub(super) fn choice(&mut self, exprs: &[ExprId], span: Span) -> ExprId {
        match exprs {
            &[expr] => expr,
            _ => {
                let of = |&expr: &ExprId| Alternative::plain(expr);
                self.grammar.push(Expr::Choice(exprs.iter().map(of).collect()), span)
            }
        }
    }

    /// The same several times.
    pub(super) fn repeat(
        &mut self,
        expr: ExprId,
        min: u32,
        max: Option<u32>,
        span: Span,
    ) -> ExprId {
        self.grammar.push(Expr::Repeat { expr, min, max, weight: None }, span)
    }

    /// What one has and another has not.
    pub(super) fn except(&mut self, base: ExprId, minus: ExprId, span: Span) -> ExprId {
        self.grammar.push(Expr::Except { base, minus }, span)
    }

    /// Adds a rule.
    pub(super) fn rule(&mut self, name: &str, span: Span, body: ExprId) {
        let name = Name { text: name.to_owned(), span };
        self.grammar.rules.push(Rule { name, docs: String::new(), body });
    }

    /// The grammar, with what the caller supplies. If it is only a part of one, what it needs may be
    /// undefined.
    pub(super) fn finish(
        mut self,
        start: Option<&str>,
        with: &[Grammar],
        strict: bool,
        partial: bool,
    ) -> Result<Imported, GrammarError> {
        for grammar in with {
            self.supply(grammar);
        }
        let start = if self.fold_names { self.fold(start) } else { start.map(str::to_owned) };
        if let Some(start) = start {
            begin(&mut self.grammar, &start);
        } else if let Some(diagnostic) = self.startless.take() {
            self.error(diagnostic);
        }
        if !self.has_errors() && !partial {
            self.settle();
        }
        if strict {
            for warning in std::mem::take(&mut self.warnings) {
                self.errors.push(Diagnostic { severity: Severity::Error, ..warning });
            }
        }
        if self.more > 0 {
            let message = format!("there are {} more like these", self.more);
            let span = Span::default();
            match self.errors.is_empty() && !strict {
                true => self.warnings.push(Diagnostic::warning(span, message)),
                false => self.errors.push(Diagnostic::error(span, message)),
            }
        }
        if self.errors.is_empty() {
            Ok(Imported { grammar: self.grammar, warnings: self.warnings })
        } else {
            Err(GrammarError::new(self.grammar.files, self.errors))
        }
    }

    /// Gives the start, and references that no rule has the case of, the case of the rules that they
    /// mean: of those that the caller supplies. Others are the notation's own concern.
    fn fold(&mut self, start: Option<&str>) -> Option<String> {
        let rules = self.grammar.rules.iter().enumerate().rev();
        let exact: HashSet<&str> = rules.clone().map(|(_, rule)| rule.name.text.as_str()).collect();
        let lower = |rule: &Rule| (rule.name.text.to_ascii_lowercase(), rule.name.text.clone());
        // Of rules with one name the first is meant.
        let all: HashMap<String, String> = rules.clone().map(|(_, rule)| lower(rule)).collect();
        let supplied = rules.filter(|(index, _)| self.adopted.contains_key(index));
        let supplied: HashMap<String, String> = supplied.map(|(_, rule)| lower(rule)).collect();
        let mut written = Vec::new();
        for (index, expr) in self.grammar.exprs.iter().enumerate() {
            if let Expr::Reference(name) = expr
                && !exact.contains(name.as_str())
                && let Some(name) = supplied.get(&name.to_ascii_lowercase())
            {
                written.push((index, name.clone()));
            }
        }
        let start = start.map(|start| match all.get(&start.to_ascii_lowercase()) {
            Some(name) if !exact.contains(start) => name.clone(),
            _ => start.to_owned(),
        });
        for (index, name) in written {
            self.grammar.exprs[index] = Expr::Reference(name);
        }
        start
    }

    /// Adds the rules of another grammar that this one has not.
    fn supply(&mut self, other: &Grammar) {
        let have: HashSet<&str> =
            self.grammar.rules.iter().map(|rule| rule.name.text.as_str()).collect();
        let is_new = |rule: &&Rule| !have.contains(rule.name.text.as_str());
        let new: Vec<&Rule> = other.rules.iter().filter(is_new).collect();
        if new.is_empty() {
            return;
        }
        if other.encoding != self.grammar.encoding {
            let span = self.grammar.rules.first().map_or(Span::default(), |rule| rule.name.span);
            let message = "what supplies rules is in another encoding than this grammar";
            self.errors.push(Diagnostic::error(span, message).help("choose one encoding for both"));
            return;
        }
        let files = self.grammar.files.len() as u32;
        let exprs = self.grammar.exprs.len() as u32;
        let moved = |id: ExprId| ExprId(id.0 + exprs);
        let there = |span: Span| Span { file: span.file + files, ..span };
        let name = |name: &Name| Name { text: name.text.clone(), span: there(name.span) };
        let mut rules = Vec::new();
        for rule in new {
            let docs = rule.docs.clone();
            rules.push(Rule { name: name(&rule.name), docs, body: moved(rule.body) });
        }
        let lexical = other
            .lexical
            .iter()
            .filter(|name| rules.iter().any(|rule| rule.name.text == name.text));
        let lexical: Vec<Name> = lexical.map(name).collect();
        let clashing = other.rules.iter().filter(|rule| !is_new(rule));
        let clashing: Vec<(&str, ExprId)> =
            clashing.map(|rule| (rule.name.text.as_str(), moved(rule.body))).collect();
        self.grammar.lexical.extend(lexical);
        let before = self.grammar.rules.len();
        self.grammar.rules.extend(rules);
        self.adopted.extend((before..self.grammar.rules.len()).map(|rule| (rule, files)));
        self.grammar.files.extend(other.files.iter().cloned());
        for (expr, &span) in other.exprs.iter().zip(&other.spans) {
            let mut expr = expr.clone();
            expr.map_children(moved);
            self.grammar.push(expr, there(span));
        }
        let from = other.files.first().map_or("what is supplied", |file| file.name.as_str());
        let own = self.grammar.rules[..before].iter().enumerate().rev();
        let own: HashMap<&str, (usize, &Rule)> =
            own.map(|(index, rule)| (rule.name.text.as_str(), (index, rule))).collect();
        let mut clashes = Vec::new();
        for (name, theirs) in clashing {
            let Some(&(index, rule)) = own.get(name) else { continue };
            if !alike(&self.grammar, rule.body, theirs) {
                let what =
                    format!("rule `{name}` is another one in {from}, which needs it as well");
                let clash =
                    Diagnostic::warning(rule.name.span, what).help("this one stands for both");
                clashes.push(((index, files), clash));
            }
        }
        self.clashes.extend(clashes);
    }

    /// Reports what the start rule needs and nobody supplies, and leaves out rules that it does not
    /// need and that could not be used.
    fn settle(&mut self) {
        let links = Links::of(&self.grammar);
        let start = match &self.grammar.start {
            Some(name) => links.rule(&name.text),
            None => (!self.grammar.rules.is_empty()).then_some(0),
        };
        let layout = self.grammar.layout.iter().filter_map(|name| links.rule(&name.text));
        let needed = links.reached(start.into_iter().chain(layout));
        let broken = links.broken(&needed);
        for &id in
            (0..needed.len()).filter(|&rule| needed[rule]).flat_map(|rule| &links.missing[rule])
        {
            let error = self.undefined(id);
            self.error(error);
        }
        self.note_clashes(&links, &needed);
        let keep: Vec<bool> =
            needed.iter().zip(&broken).map(|(&needed, &broken)| needed || !broken).collect();
        for rule in (0..keep.len()).filter(|&rule| !keep[rule]) {
            let definition = &self.grammar.rules[rule];
            let id = links.missing[rule].first().copied().unwrap_or(definition.body);
            let what = format!("rule `{}` needs what is not defined", definition.name.text);
            let effect = "the start rule does not need it, and it is left out";
            self.lose(self.grammar.span(id), what, effect);
        }
        self.keep(&keep);
    }

    /// What to say of a reference to a rule that nobody has.
    fn undefined(&self, id: ExprId) -> Diagnostic {
        let Expr::Reference(name) = self.grammar.expr(id) else {
            unreachable!("it is a reference")
        };
        self.holes.get(name).cloned().unwrap_or_else(|| {
            let message = format!("rule `{name}` is not defined");
            Diagnostic::error(self.grammar.span(id), message)
                .help("define it, or supply a grammar that does (--with FILE)")
        })
    }

    /// Notes where what is supplied needs a rule of its own that this grammar has otherwise.
    fn note_clashes(&mut self, links: &Links, needed: &[bool]) {
        let users = self.adopted.iter().filter(|&(&rule, _)| needed[rule]);
        let used =
            users.flat_map(|(&rule, &from)| links.targets[rule].iter().map(move |&to| (to, from)));
        let used: BTreeSet<(usize, u32)> = used.collect();
        let clashes: Vec<Diagnostic> =
            used.iter().filter_map(|used| self.clashes.get(used)).cloned().collect();
        for clash in clashes {
            self.lose(clash.span, clash.message, clash.help.unwrap_or_default());
        }
    }

    /// Leaves out all rules but some.
    pub(super) fn keep(&mut self, keep: &[bool]) {
        let mut rules = keep.iter();
        self.grammar.rules.retain(|_| rules.next().copied().unwrap_or(true));
        let kept: HashSet<&str> =
            self.grammar.rules.iter().map(|rule| rule.name.text.as_str()).collect();
        self.grammar.lexical.retain(|name| kept.contains(name.text.as_str()));
    }
}

/// Gives a grammar another start rule.
pub(super) fn begin(grammar: &mut Grammar, start: &str) {
    let rule = grammar.rules.iter().find(|rule| rule.name.text == start);
    let span = rule.map_or(Span::default(), |rule| rule.name.span);
    grammar.start = Some(Name { text: start.to_owned(), span });
}

/// Whether two expressions are written alike. Time grows with the shorter one.
pub(super) fn alike(grammar: &Grammar, one: ExprId, other: ExprId) -> bool {
    let mut stack = vec![(one, other)];
    while let Some((one, other)) = stack.pop() {
        let (one, other) = (grammar.expr(one), grammar.expr(other));
        let is_like = match (one, other) {
            (Expr::Sequence(one), Expr::Sequence(other)) => one.len() == other.len(),
            (Expr::Choice(one), Expr::Choice(other)) => one.len() == other.len(),
            (Expr::Repeat { min: least, max: most, .. }, Expr::Repeat { min, max, .. }) => {
                (least, most) == (min, max)
            }
            (Expr::Except { .. }, Expr::Except { .. }) => true,
            _ => one == other,
        };
        if !is_like {
            return false;
        }
        stack.extend(one.children().zip(other.children()));
    }
    true
}
