//! A grammar as an importer writes it, and what is to be said about it.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::Imported;
use crate::grammar::{
    Alternative, Diagnostic, Encoding, Expr, ExprId, Grammar, GrammarError, Name, Rule, Severity,
    SourceFile, Span,
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
        match self.grammar.encoding {
            Encoding::Unicode => 0x10_FFFF,
            Encoding::Bytes => 0xFF,
        }
    }

    /// A text; ASCII letters stand for both cases if `ignore_case`.
    pub(super) fn literal(&mut self, bytes: &[u8], ignore_case: bool, span: Span) -> ExprId {
        let ignore_case = ignore_case && bytes.iter().any(u8::is_ascii_alphabetic);
        self.grammar.push(Expr::Literal { bytes: bytes.to_vec(), ignore_case }, span)
    }

    /// One symbol of some inclusive ranges, in any order.
    pub(super) fn class(&mut self, ranges: impl Into<Vec<(u32, u32)>>, span: Span) -> ExprId {
        self.grammar.push(Expr::Class(normal(ranges.into())), span)
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
                let of = |&expr: &ExprId| Alternative { mark: None, expr };
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
            match &mut expr {
                Expr::Sequence(items) => items.iter_mut().for_each(|id| *id = moved(*id)),
                Expr::Choice(alternatives) => {
                    alternatives.iter_mut().for_each(|one| one.expr = moved(one.expr));
                }
                Expr::Repeat { expr, .. } => *expr = moved(*expr),
                Expr::Except { base, minus } => {
                    (*base, *minus) = (moved(*base), moved(*minus));
                }
                Expr::Literal { .. } | Expr::Class(_) | Expr::Regex(_) | Expr::Reference(_) => {}
            }
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
        let grammar = &self.grammar;
        let names = grammar.rules.iter().map(|rule| rule.name.text.as_str()).enumerate();
        let rules: HashMap<&str, usize> = names.rev().map(|(at, name)| (name, at)).collect();
        // By rule, the rules that it refers to and the first reference to none.
        let mut targets: Vec<Vec<usize>> = vec![Vec::new(); grammar.rules.len()];
        let mut missing: Vec<Vec<ExprId>> = vec![Vec::new(); grammar.rules.len()];
        let mut stack = Vec::new();
        let mut seen = vec![false; grammar.exprs.len()];
        for (index, rule) in grammar.rules.iter().enumerate() {
            stack.push(rule.body);
            while let Some(id) = stack.pop() {
                if std::mem::replace(&mut seen[id.0 as usize], true) {
                    continue;
                }
                match grammar.expr(id) {
                    Expr::Reference(name) => match rules.get(name.as_str()) {
                        Some(&rule) => targets[index].push(rule),
                        None => missing[index].push(id),
                    },
                    Expr::Sequence(items) => stack.extend(items.iter().rev()),
                    Expr::Choice(all) => stack.extend(all.iter().rev().map(|one| one.expr)),
                    Expr::Repeat { expr, .. } => stack.push(*expr),
                    Expr::Except { base, minus } => stack.extend([*minus, *base]),
                    Expr::Literal { .. } | Expr::Class(_) | Expr::Regex(_) => {}
                }
            }
        }
        let start = grammar.start.as_ref().map(|name| name.text.as_str());
        let start = start.map_or(Some(0), |name| rules.get(name).copied());
        let roots = start
            .into_iter()
            .chain(grammar.layout.iter().filter_map(|name| rules.get(name.text.as_str()).copied()));
        let mut needed = vec![false; grammar.rules.len()];
        let mut queue: Vec<usize> = roots.filter(|&root| root < needed.len()).collect();
        while let Some(rule) = queue.pop() {
            if !std::mem::replace(&mut needed[rule], true) {
                queue.extend(&targets[rule]);
            }
        }
        // What refers to a rule that cannot be used cannot be used either.
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); grammar.rules.len()];
        for (from, targets) in targets.iter().enumerate() {
            for &to in targets {
                users[to].push(from);
            }
        }
        let mut broken = vec![false; grammar.rules.len()];
        let mut queue: Vec<usize> =
            (0..missing.len()).filter(|&at| !missing[at].is_empty()).collect();
        while let Some(rule) = queue.pop() {
            if !std::mem::replace(&mut broken[rule], true) {
                queue.extend(users[rule].iter().filter(|&&user| !needed[user]));
            }
        }
        let (mut errors, mut losses) = (Vec::new(), Vec::new());
        for (index, rule) in grammar.rules.iter().enumerate() {
            for &id in &missing[index] {
                let Expr::Reference(name) = grammar.expr(id) else { continue };
                if needed[index] {
                    let undefined = || {
                        let message = format!("rule `{name}` is not defined");
                        Diagnostic::error(grammar.span(id), message)
                            .help("define it, or supply a grammar that does (--with FILE)")
                    };
                    errors.push(self.holes.get(name).cloned().unwrap_or_else(undefined));
                }
            }
            if broken[index] && !needed[index] {
                let why =
                    missing[index].first().map_or(grammar.span(rule.body), |&id| grammar.span(id));
                let what = format!("rule `{}` needs what is not defined", rule.name.text);
                losses.push((why, what));
            }
        }
        let users = self.adopted.iter().filter(|&(&rule, _)| needed[rule]);
        let used = users.flat_map(|(&rule, &from)| targets[rule].iter().map(move |&to| (to, from)));
        let used: BTreeSet<(usize, u32)> = used.collect();
        let clashes: Vec<Diagnostic> =
            used.iter().filter_map(|used| self.clashes.get(used)).cloned().collect();
        for error in errors {
            self.error(error);
        }
        for clash in clashes {
            self.lose(clash.span, clash.message, clash.help.unwrap_or_default());
        }
        for (span, what) in losses {
            self.lose(span, what, "the start rule does not need it, and it is left out");
        }
        let mut index = 0;
        self.grammar.rules.retain(|_| {
            index += 1;
            !broken[index - 1] || needed[index - 1]
        });
        let kept: HashSet<String> =
            self.grammar.rules.iter().map(|rule| rule.name.text.clone()).collect();
        self.grammar.lexical.retain(|name| kept.contains(&name.text));
    }
}

/// Gives a grammar another start rule.
pub(super) fn begin(grammar: &mut Grammar, start: &str) {
    let rule = grammar.rules.iter().find(|rule| rule.name.text == start);
    let span = rule.map_or(Span::default(), |rule| rule.name.span);
    grammar.start = Some(Name { text: start.to_owned(), span });
}

/// All symbols up to the last that some inclusive ranges, in any order, do not have.
pub(super) fn complement(mut ranges: Vec<(u32, u32)>, last: u32) -> Vec<(u32, u32)> {
    ranges.sort_unstable();
    let (mut out, mut next) = (Vec::new(), 0);
    for (low, high) in ranges {
        if low > next {
            out.push((next, (low - 1).min(last)));
        }
        next = next.max(high.saturating_add(1));
        if next > last {
            return out;
        }
    }
    out.push((next, last));
    out
}

/// Ranges as a class has them: sorted, disjoint and not touching, without the surrogates, which are no
/// scalar values.
fn normal(ranges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let parts = |(low, high): (u32, u32)| [(low, high.min(0xD7FF)), (low.max(0xE000), high)];
    let mut ranges: Vec<(u32, u32)> = ranges.into_iter().flat_map(parts).collect();
    ranges.retain(|&(low, high)| low <= high);
    ranges.sort_unstable();
    let mut out: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
    for (low, high) in ranges {
        match out.last_mut() {
            Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
            _ => out.push((low, high)),
        }
    }
    out
}

/// The parts of an expression.
pub(super) fn parts(expr: &Expr) -> Vec<ExprId> {
    match expr {
        Expr::Sequence(items) => items.clone(),
        Expr::Choice(all) => all.iter().map(|one| one.expr).collect(),
        Expr::Repeat { expr, .. } => vec![*expr],
        Expr::Except { base, minus } => vec![*base, *minus],
        Expr::Literal { .. } | Expr::Class(_) | Expr::Regex(_) | Expr::Reference(_) => Vec::new(),
    }
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
        stack.extend(parts(one).into_iter().zip(parts(other)));
    }
    true
}
