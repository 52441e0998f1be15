//! A grammar as an importer writes it, and what is to be said about it.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::Imported;
use super::links::Links;
use super::ranges::union;
use pleach_core::grammar::{
    Alternative, Diagnostic, Encoding, Expr, ExprId, Grammar, GrammarError, Name, Rule, Severity,
    SourceFile, SourceMap, Span,
};
use pleach_core::internal::{MAX_DEPTH, near, without_surrogates};

/// Errors, and warnings, that are given together; of more only how many there are, and where they begin.
const MOST: usize = 1000;

/// The builder of a grammar. Mistakes are noted, and importing goes on.
pub(super) struct Builder {
    pub(super) grammar: Grammar,
    /// The encoding that the caller has chosen.
    pub(super) encoding: Option<Encoding>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// Warnings that there are, for what is lost at one place in one way is said once.
    lost: HashSet<(Span, String)>,
    /// How many of either were not kept, and where the first of them is.
    more: usize,
    more_from: Option<Span>,
    /// Undefined rules: by name, what to say where a rule of that name is needed and nothing supplies it.
    undefined: HashMap<String, Diagnostic>,
    /// By such a name, where no rule could be supplied, why.
    unsayable: HashMap<String, String>,
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

impl Builder {
    pub(super) fn new(encoding: Option<Encoding>) -> Self {
        let grammar = Grammar { encoding: encoding.unwrap_or_default(), ..Grammar::default() };
        Self {
            grammar,
            encoding,
            errors: Vec::new(),
            warnings: Vec::new(),
            lost: HashSet::new(),
            more: 0,
            more_from: None,
            undefined: HashMap::new(),
            unsayable: HashMap::new(),
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
    pub(super) fn error(&mut self, mut diagnostic: Diagnostic) {
        let file = self.grammar.files.get(diagnostic.span.file as usize);
        if file.is_some_and(|file| file.hidden) {
            diagnostic = diagnostic.unquoted();
        }
        if self.errors.len() < MOST {
            self.errors.push(diagnostic);
        } else {
            self.leave_out(diagnostic.span);
        }
    }

    /// Counts a message that is not kept.
    fn leave_out(&mut self, span: Span) {
        self.more += 1;
        self.more_from.get_or_insert(span);
    }

    /// Notes that something is not carried over, and what follows from that. What is written twice, for two
    /// uses of it, is lost once.
    pub(super) fn lose(&mut self, span: Span, what: impl Into<String>, effect: impl Into<String>) {
        let what = what.into();
        if !self.lost.insert((span, what.clone())) {
            return;
        }
        if self.warnings.len() < MOST {
            self.warnings.push(Diagnostic::warning(span, what).help(effect));
        } else {
            self.leave_out(span);
        }
    }

    /// Whether there is a mistake.
    pub(super) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Notes what to say if a rule of this name is needed and neither the text nor the caller has it.
    pub(super) fn undefined(&mut self, name: &str, diagnostic: Diagnostic) {
        self.undefined.entry(name.to_owned()).or_insert(diagnostic);
    }

    /// Notes an undefined rule for what no rule could say, and why none could.
    pub(super) fn unsayable(&mut self, name: &str, diagnostic: Diagnostic) {
        self.unsayable.insert(name.to_owned(), diagnostic.message.clone());
        self.undefined(name, diagnostic);
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

    /// The same several times. What is optional or repeated already is not nested: `x??` is `x?`, and `(x+)?` is
    /// `x*`.
    pub(super) fn repeat(
        &mut self,
        mut expr: ExprId,
        mut min: u32,
        mut max: Option<u32>,
        span: Span,
    ) -> ExprId {
        let is_plain = |min: u32, max: Option<u32>| min <= 1 && max.is_none_or(|max| max == 1);
        if let &Expr::Repeat { expr: inner, min: least, max: most, weight: None } =
            self.grammar.expr(expr)
            && is_plain(least, most)
            && is_plain(min, max)
        {
            (expr, min, max) = (inner, min * least, max.and(most));
        }
        self.repeat_as_written(expr, min, max, span)
    }

    /// The same several times, for a notation in which it matters how that is written.
    pub(super) fn repeat_as_written(
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
            self.start(&start);
        } else if let Some(diagnostic) = self.startless.take() {
            self.error(diagnostic);
        }
        self.find_doubles();
        if !self.has_errors() && !partial {
            self.settle();
        }
        self.find_deep();
        if strict {
            for warning in std::mem::take(&mut self.warnings) {
                self.errors.push(Diagnostic { severity: Severity::Error, ..warning });
            }
        }
        if self.more > 0 {
            let message = format!("there are {} more, of which this is the first", self.more);
            let help = format!("the first {MOST} are shown");
            let more = Diagnostic::error(self.more_from.unwrap_or_default(), message).help(help);
            match self.errors.is_empty() {
                true => self.warnings.push(Diagnostic { severity: Severity::Warning, ..more }),
                false => self.errors.push(more),
            }
        }
        if self.errors.is_empty() {
            Ok(Imported { grammar: self.grammar, warnings: self.warnings })
        } else {
            Err(GrammarError::new(self.grammar.files, self.errors))
        }
    }

    /// Begins with a rule, if there is one of that name.
    pub(super) fn begin(&mut self, start: &str) {
        begin(&mut self.grammar, start).ok();
    }

    /// Begins with a rule that the caller names.
    fn start(&mut self, start: &str) {
        if let Err(error) = begin(&mut self.grammar, start) {
            let said = self.undefined.get(start).cloned();
            self.error(said.unwrap_or(error));
        }
    }

    /// Reports rules that are defined more than once.
    fn find_doubles(&mut self) {
        let sources = SourceMap::new(&self.grammar.files);
        let mut first: HashMap<&str, Span> = HashMap::new();
        let mut doubles = Vec::new();
        for Rule { name, .. } in &self.grammar.rules {
            let Some(before) = first.insert(&name.text, name.span) else { continue };
            let place = sources.locate(before).map_or(String::new(), |it| format!(" at {it}"));
            let message = format!("rule `{}` is defined twice", name.text);
            let help = format!("the other is{place}: rename one, or put them together");
            doubles.push(Diagnostic::error(name.span, message).help(help));
        }
        doubles.into_iter().for_each(|double| self.error(double));
    }

    /// Reports where groups nest deeper than the native notation has them, in which the grammar is written.
    fn find_deep(&mut self) {
        if let Some(id) = self.grammar.too_deep() {
            let message = format!("groups nest deeper than {MAX_DEPTH}");
            let help = "give the inner ones rules of their own";
            self.error(Diagnostic::error(self.grammar.span(id), message).help(help));
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
            let from = other.files.first().map_or("what supplies rules", |file| file.name.as_str());
            let message = format!(
                "symbols of {from} are {}, and those of this grammar {}",
                symbols(other.encoding),
                symbols(self.grammar.encoding)
            );
            let help = "choose one encoding for both: --encoding unicode or --encoding bytes";
            self.error(Diagnostic::error(span, message).help(help));
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
            let error = self.undefined_here(id);
            self.error(error);
        }
        self.note_clashes(&links, &needed);
        let keep: Vec<bool> =
            needed.iter().zip(&broken).map(|(&needed, &broken)| needed || !broken).collect();
        for rule in (0..keep.len()).filter(|&rule| !keep[rule]) {
            let definition = &self.grammar.rules[rule];
            let missing = links.missing[rule].first().copied();
            let what = match missing.and_then(|id| self.unsayable.get(referred(&self.grammar, id)?))
            {
                Some(why) => format!("rule `{}` cannot be said: {why}", definition.name.text),
                None => format!("rule `{}` needs what is not defined", definition.name.text),
            };
            let effect = "the start rule does not need it, and it is left out";
            let id = missing.unwrap_or(definition.body);
            self.lose(self.grammar.span(id), what, effect);
        }
        self.keep(&keep);
    }

    /// What to say of a reference to a rule that nobody has.
    fn undefined_here(&self, id: ExprId) -> Diagnostic {
        let name = referred(&self.grammar, id).expect("it is a reference");
        self.undefined.get(name).cloned().unwrap_or_else(|| {
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

/// Gives a grammar another start rule; an error where it has no rule of that name.
pub(super) fn begin(grammar: &mut Grammar, start: &str) -> Result<(), Diagnostic> {
    let Some(rule) = grammar.rules.iter().find(|rule| rule.name.text == start) else {
        let message = format!("there is no rule `{start}` to begin with");
        let names = || grammar.rules.iter().map(|rule| rule.name.text.as_str());
        let help = match near(start, names(), 1)[..] {
            [near] => format!("did you mean `{near}`?"),
            _ => {
                let named: Vec<String> = names().take(8).map(|name| format!("`{name}`")).collect();
                let rest = if names().count() > named.len() { " and others" } else { "" };
                format!("its rules are {}{rest}", named.join(", "))
            }
        };
        let span = grammar.rules.first().map_or(Span::default(), |rule| rule.name.span);
        return Err(Diagnostic::error(span, message).help(help));
    };
    grammar.start = Some(rule.name.clone());
    Ok(())
}

/// The rule that an expression refers to, if it is a reference.
fn referred(grammar: &Grammar, id: ExprId) -> Option<&str> {
    match grammar.expr(id) {
        Expr::Reference(name) => Some(name),
        _ => None,
    }
}

/// What the symbols of an encoding are.
fn symbols(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Unicode => "characters",
        Encoding::Bytes => "bytes",
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
        stack.extend(one.children().zip(other.children()));
    }
    true
}
