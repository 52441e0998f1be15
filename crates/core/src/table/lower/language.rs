//! Regular terminals: regexes, `except`, layout and tokens as automata.
//!
//! The operands of `except`, the layout rule and lexical rules may use rules: these are written
//! into one nondeterministic automaton, each reference by a copy of the rule's body. A reference
//! back to a rule that is being written is a loop where it stands at the end of everything since,
//! or at its beginning (right and left recursion are regular); elsewhere [`Nesting`] says what
//! becomes of it. Taking it for a loop there too accepts more than the rule derives, never less
//! (Mohri and Nederhof, "Regular Approximation of Context-Free Grammars through Transformation",
//! 2001, with a copy for each use).

use fxhash::{FxHashMap, FxHashSet};

use super::LoweringLimits;
use super::resolve::{NONE, Resolved};
use crate::grammar::{Diagnostic, Expr, ExprId, Grammar, Mark};
use crate::regular::{Alphabet, Dfa, Nfa, NfaState, RegularError};

/// How often a rule may stand inside itself in layout.
const LAYOUT_NESTING: usize = 3;

/// The automata of a grammar's regular terminals.
pub(super) struct Languages {
    automata: Vec<Dfa>,
    /// The automaton of each regular terminal, by expression; [`NONE`] for other expressions.
    numbers: Vec<u32>,
    /// Table entries of all automata that were built, those of operands among them.
    entries: std::cell::Cell<usize>,
}

impl Languages {
    /// Compiles every regex and every `except` of a grammar.
    pub(super) fn new(
        grammar: &Grammar,
        names: &Resolved,
        limits: &LoweringLimits,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut languages = Self {
            automata: Vec::new(),
            numbers: vec![NONE; grammar.exprs.len()],
            entries: 0.into(),
        };
        let mut patterns: FxHashMap<&str, u32> = FxHashMap::default();
        let mut findings = Vec::new();
        for &id in &names.postorder {
            if let Expr::Regex(pattern) = grammar.expr(id) {
                if let Some(&number) = patterns.get(pattern.as_str()) {
                    languages.numbers[id.0 as usize] = number;
                    continue;
                }
                match Dfa::from_regex(pattern, alphabet(grammar), &limits.automata) {
                    Ok(automaton) => {
                        languages.count(grammar, id, &automaton, limits).map_err(|it| vec![it])?;
                        patterns.insert(pattern, languages.push(id, automaton));
                    }
                    Err(error) => {
                        findings.push(regex_failure(grammar, id, &error));
                        if findings.len() >= limits.reports {
                            break;
                        }
                    }
                }
            }
        }
        if !findings.is_empty() {
            return Err(findings);
        }
        languages.exceptions(grammar, names, limits).map_err(|finding| vec![finding])?;
        Ok(languages)
    }

    /// Compiles every `except`, those that another one needs first.
    fn exceptions(
        &mut self,
        grammar: &Grammar,
        names: &Resolved,
        limits: &LoweringLimits,
    ) -> Result<(), Diagnostic> {
        let mut open = vec![false; grammar.exprs.len()];
        let mut stack: Vec<ExprId> = names.postorder.clone();
        stack.retain(|&id| matches!(grammar.expr(id), Expr::Except { .. }));
        stack.reverse();
        while let Some(&id) = stack.last() {
            let Expr::Except { base, minus } = grammar.expr(id) else {
                stack.pop();
                continue;
            };
            if self.numbers[id.0 as usize] != NONE {
                stack.pop();
                continue;
            }
            let operands = [*base, *minus];
            let missing = self.missing(grammar, names, operands);
            if !missing.is_empty() {
                if std::mem::replace(&mut open[id.0 as usize], true) {
                    return Err(Diagnostic::error(grammar.span(id), "this `except` needs itself")
                        .help("break the circle: an operand's rules must not lead back here"));
                }
                stack.extend(missing);
                continue;
            }
            let nesting = Nesting::Refused(
                "`except` takes regular operands: rules that recur at one end only",
            );
            let compile = |operand| self.compile(grammar, names, operand, nesting, limits);
            let (base, minus) = (compile(operands[0])?, compile(operands[1])?);
            let difference = base
                .difference(&minus, &limits.automata)
                .map(|automaton| automaton.minimize())
                .map_err(|error| too_large(grammar, id, &error))?;
            self.count(grammar, id, &difference, limits)?;
            self.push(id, difference);
            stack.pop();
        }
        Ok(())
    }

    /// The `except` expressions under some operands that have no automaton yet.
    fn missing(&self, grammar: &Grammar, names: &Resolved, operands: [ExprId; 2]) -> Vec<ExprId> {
        let mut missing = Vec::new();
        // Expressions may be shared, and rules lead back.
        let mut seen = FxHashSet::default();
        let mut stack = operands.to_vec();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let Expr::Except { .. } = grammar.expr(id) {
                if self.numbers[id.0 as usize] == NONE {
                    missing.push(id);
                }
                continue;
            }
            let rule = names.references[id.0 as usize];
            if rule != NONE {
                stack.push(grammar.rules[rule as usize].body);
            }
            stack.extend(grammar.expr(id).children());
        }
        missing
    }

    /// The language of the layout rule; and the depth at which it was cut, if it was: [`LAYOUT_NESTING`], or what
    /// the limits allow, for comments that nest have their whole language in each level.
    pub(super) fn layout(
        &self,
        grammar: &Grammar,
        names: &Resolved,
        rule: u32,
        limits: &LoweringLimits,
    ) -> Result<(Dfa, Option<usize>), Diagnostic> {
        let body = grammar.rules[rule as usize].body;
        let mut depth = LAYOUT_NESTING;
        loop {
            let cut = std::cell::Cell::new(false);
            let nesting = Nesting::Cut(depth, &cut);
            match self.compile(grammar, names, body, nesting, limits) {
                Ok(automaton) => return Ok((automaton, cut.get().then_some(depth))),
                Err(error) if depth == 1 || !error.is_limit => {
                    return Err(error);
                }
                Err(_) => depth -= 1,
            }
        }
    }

    /// The language of a rule as it is read, and whether it was cut at a depth; without one, a rule
    /// that is not regular is an error. `layout`, the layout's automaton, stands before and after
    /// every token.
    pub(super) fn rule(
        &self,
        grammar: &Grammar,
        names: &Resolved,
        rule: u32,
        (depth, layout): (Option<usize>, Option<&Dfa>),
        limits: &LoweringLimits,
    ) -> Result<(Dfa, bool), Diagnostic> {
        let cut = std::cell::Cell::new(false);
        let nesting = match depth {
            Some(depth) => Nesting::Cut(depth, &cut),
            None => Nesting::Refused(NOT_REGULAR),
        };
        let body = grammar.rules[rule as usize].body;
        let is_lexical = layout.is_none() || names.lexical[rule as usize];
        let purpose = Purpose { reads: true, layout, is_lexical, rule: Some(rule) };
        let automaton = self.compile_for(grammar, names, body, (nesting, purpose), limits)?;
        Ok((automaton, cut.get()))
    }

    /// An automaton that accepts at least what a rule derives.
    pub(super) fn superset(
        &self,
        grammar: &Grammar,
        names: &Resolved,
        rule: u32,
        limits: &LoweringLimits,
    ) -> Result<Dfa, Diagnostic> {
        let body = grammar.rules[rule as usize].body;
        self.compile(grammar, names, body, Nesting::Loop, limits)
    }

    /// The automaton of an expression, minimal.
    fn compile(
        &self,
        grammar: &Grammar,
        names: &Resolved,
        root: ExprId,
        nesting: Nesting<'_>,
        limits: &LoweringLimits,
    ) -> Result<Dfa, Diagnostic> {
        let reads = matches!(nesting, Nesting::Loop);
        let purpose = Purpose { reads, layout: None, is_lexical: true, rule: None };
        self.compile_for(grammar, names, root, (nesting, purpose), limits)
    }

    fn compile_for(
        &self,
        grammar: &Grammar,
        names: &Resolved,
        root: ExprId,
        (nesting, purpose): (Nesting<'_>, Purpose<'_>),
        limits: &LoweringLimits,
    ) -> Result<Dfa, Diagnostic> {
        let mut nfa = Nfa::new(alphabet(grammar));
        let (start, accept) = (nfa.state(), nfa.state());
        let mut writer = Writer {
            grammar,
            names,
            languages: self,
            nesting,
            purpose,
            limits,
            nfa,
            rules: Vec::new(),
            places: FxHashMap::default(),
            tasks: Vec::new(),
        };
        writer.begin(root, start, accept)?;
        writer.run(root)?;
        let automaton = writer
            .nfa
            .determinize(start, accept, &limits.automata)
            .map_err(|error| too_large(grammar, root, &error))?;
        self.count(grammar, root, &automaton, limits)?;
        Ok(automaton.minimize())
    }

    /// Counts what an automaton adds to the work and memory of all.
    fn count(
        &self,
        grammar: &Grammar,
        id: ExprId,
        automaton: &Dfa,
        limits: &LoweringLimits,
    ) -> Result<(), Diagnostic> {
        let entries = automaton.state_count().saturating_mul(automaton.class_count() + 1);
        self.entries.set(self.entries.get().saturating_add(entries));
        if self.entries.get() <= limits.automata.get_cells() {
            return Ok(());
        }
        let most = limits.automata.get_cells();
        let message = format!("the regular expressions up to here need over {most} table entries");
        Err(Diagnostic::error(grammar.span(id), message)
            .help("use fewer or smaller ones, and smaller rules in `except`")
            .limit(true))
    }

    fn push(&mut self, id: ExprId, automaton: Dfa) -> u32 {
        let number = self.automata.len() as u32;
        self.automata.push(automaton);
        self.numbers[id.0 as usize] = number;
        number
    }

    pub(super) fn is_empty(&self, id: ExprId) -> bool {
        self.automaton(id).is_empty()
    }

    /// The number of a regular terminal's automaton; the same pattern has the same.
    pub(super) fn number(&self, id: ExprId) -> u32 {
        self.numbers[id.0 as usize]
    }

    pub(super) fn automaton(&self, id: ExprId) -> &Dfa {
        &self.automata[self.numbers[id.0 as usize] as usize]
    }
}

/// What becomes of a rule that stands in its own middle.
#[derive(Clone, Copy)]
enum Nesting<'c> {
    /// It is an error, with this help.
    Refused(&'static str),
    /// It is taken for a loop, so that more is accepted.
    Loop,
    /// It derives nothing below so many levels; the cell says that this happened.
    Cut(usize, &'c std::cell::Cell<bool>),
}

/// What helps where a rule that must be regular is not.
const NOT_REGULAR: &str = "no automaton accepts what it derives: name a rule below it, or ask for an \
                           approximation to a depth";

/// What an automaton is for.
#[derive(Clone, Copy)]
struct Purpose<'l> {
    /// Whether it only reads, so that alternatives that are parse-only are like others.
    reads: bool,
    /// What may stand before and after every token.
    layout: Option<&'l Dfa>,
    /// Whether it is within one token from the beginning.
    is_lexical: bool,
    /// The rule whose body it is of.
    rule: Option<u32>,
}

/// How an expression stands in the rules that are being written: since the body of the rule at
/// this index, and of all that are written inside it, it is the first or the last thing.
#[derive(Clone, Copy)]
struct Ends {
    head: usize,
    tail: usize,
    /// Whether it is within one token.
    is_lexical: bool,
}

enum Task {
    /// Write an expression between two states.
    Write { expr: ExprId, from: NfaState, to: NfaState, ends: Ends },
    /// A rule's body is written.
    Leave,
}

/// A rule that is being written, and the states its body stands between.
struct Open {
    rule: u32,
    is_lexical: bool,
    entry: NfaState,
    exit: NfaState,
}

struct Writer<'g, 'c> {
    grammar: &'g Grammar,
    names: &'g Resolved,
    languages: &'g Languages,
    nesting: Nesting<'c>,
    purpose: Purpose<'c>,
    limits: &'g LoweringLimits,
    nfa: Nfa,
    /// The rules that are being written, outer before inner.
    rules: Vec<Open>,
    /// Where each rule stands among `rules`, within a token or not.
    places: FxHashMap<(u32, bool), Vec<usize>>,
    tasks: Vec<Task>,
}

impl Writer<'_, '_> {
    /// Sets down what is to be written: all of it, and after it layout.
    fn begin(&mut self, root: ExprId, start: NfaState, accept: NfaState) -> Result<(), Diagnostic> {
        let is_lexical = self.purpose.is_lexical;
        let ends = Ends { head: 0, tail: 0, is_lexical };
        let mut end = accept;
        let mut from = start;
        if let Some(layout) = self.purpose.layout {
            end = self.nfa.state();
            self.embed(root, layout, end, accept)?;
            if is_lexical {
                from = self.nfa.state();
                self.embed(root, layout, start, from)?;
            }
        }
        match self.purpose.rule {
            Some(rule) => self.copy(rule, from, end, ends),
            None => self.task(root, from, end, ends),
        }
        Ok(())
    }

    fn embed(
        &mut self,
        id: ExprId,
        automaton: &Dfa,
        from: NfaState,
        to: NfaState,
    ) -> Result<(), Diagnostic> {
        self.nfa
            .dfa(from, automaton, to, &self.limits.automata)
            .map_err(|error| too_large(self.grammar, id, &error))
    }

    /// Writes layout before a token, and gives where the token begins.
    fn token(&mut self, id: ExprId, from: NfaState, ends: Ends) -> Result<NfaState, Diagnostic> {
        match self.purpose.layout {
            Some(layout) if !ends.is_lexical => {
                let begin = self.nfa.state();
                self.embed(id, layout, from, begin)?;
                Ok(begin)
            }
            _ => Ok(from),
        }
    }

    /// Writes what is to be written. Expressions that a grammar shares among several places are
    /// written as often as they stand, and choices of nothing add nothing to the automaton: so
    /// those are counted as well, against the same bound.
    fn run(&mut self, root: ExprId) -> Result<(), Diagnostic> {
        let (mut size, mut idle) = (0, 0);
        while let Some(task) = self.tasks.pop() {
            let before = std::mem::replace(&mut size, self.nfa.size());
            idle += usize::from(before == size);
            self.nfa
                .check_room(idle.saturating_sub(size), &self.limits.automata)
                .map_err(|error| too_large(self.grammar, root, &error))?;
            match task {
                Task::Leave => {
                    let places = self
                        .rules
                        .pop()
                        .and_then(|open| self.places.get_mut(&(open.rule, open.is_lexical)));
                    if let Some(places) = places {
                        places.pop();
                    }
                }
                Task::Write { expr, from, to, ends } => self.write(expr, from, to, ends)?,
            }
        }
        Ok(())
    }

    fn task(&mut self, expr: ExprId, from: NfaState, to: NfaState, ends: Ends) {
        self.tasks.push(Task::Write { expr, from, to, ends });
    }

    fn write(
        &mut self,
        id: ExprId,
        from: NfaState,
        to: NfaState,
        ends: Ends,
    ) -> Result<(), Diagnostic> {
        match self.grammar.expr(id) {
            // The empty literal is no token.
            Expr::Literal { bytes, .. } if bytes.is_empty() => self.nfa.epsilon(from, to),
            Expr::Literal { bytes, ignore_case } => {
                let from = self.token(id, from, ends)?;
                self.nfa
                    .literal(from, bytes, *ignore_case, to, &self.limits.automata)
                    .map_err(|error| too_large(self.grammar, id, &error))?;
            }
            Expr::Class(ranges) => {
                let from = self.token(id, from, ends)?;
                self.nfa.edge(from, ranges, to);
            }
            Expr::Regex(_) | Expr::Except { .. } => {
                let from = self.token(id, from, ends)?;
                self.embed(id, self.languages.automaton(id), from, to)?;
            }
            Expr::Reference(name) => self.reference(id, name, from, to, ends)?,
            Expr::Sequence(items) => {
                let here = self.rules.len();
                let mut at = from;
                for (index, &item) in items.iter().enumerate() {
                    let next = if index + 1 == items.len() { to } else { self.nfa.state() };
                    let ends = Ends {
                        head: if index == 0 { ends.head } else { here },
                        tail: if index + 1 == items.len() { ends.tail } else { here },
                        ..ends
                    };
                    self.task(item, at, next, ends);
                    at = next;
                }
                if items.is_empty() {
                    self.nfa.epsilon(from, to);
                }
            }
            Expr::Choice(alternatives) => {
                for alternative in alternatives {
                    if alternative.mark == Some(Mark::ParseOnly) && !self.purpose.reads {
                        let span = self.grammar.span(alternative.expr);
                        let message = "an alternative of a token or layout is read only";
                        return Err(Diagnostic::error(span, message).help(
                            "what `except` and layout derive is one automaton, for reading and \
                             producing alike: leave out `@read`, or mark what refers to it",
                        ));
                    }
                    self.task(alternative.expr, from, to, ends);
                }
            }
            Expr::Repeat { expr, min, max, .. } => {
                self.repeat(id, (*expr, *min, *max), (from, to), ends)?;
            }
        }
        Ok(())
    }

    fn repeat(
        &mut self,
        id: ExprId,
        (expr, min, max): (ExprId, u32, Option<u32>),
        (from, to): (NfaState, NfaState),
        ends: Ends,
    ) -> Result<(), Diagnostic> {
        // What may come once is at the ends that the repetition is at.
        let here = if max == Some(1) { None } else { Some(self.rules.len()) };
        let ends = here.map_or(ends, |here| Ends { head: here, tail: here, ..ends });
        let copies = self
            .nfa
            .repeat(from, min, max, to, &self.limits.automata)
            .map_err(|error| too_large(self.grammar, id, &error))?;
        for (from, to) in copies {
            self.task(expr, from, to, ends);
        }
        Ok(())
    }

    fn reference(
        &mut self,
        id: ExprId,
        name: &str,
        from: NfaState,
        to: NfaState,
        ends: Ends,
    ) -> Result<(), Diagnostic> {
        let rule = self.names.references[id.0 as usize];
        let (mut from, mut ends) = (from, ends);
        if !ends.is_lexical && self.names.lexical[rule as usize] {
            from = self.token(id, from, ends)?;
            ends.is_lexical = true;
        }
        let places = self.places.get(&(rule, ends.is_lexical)).map_or(&[][..], Vec::as_slice);
        if let &[.., index] = places {
            let levels = places.len();
            let linear = index >= ends.head || index >= ends.tail;
            match self.nesting {
                _ if linear => {}
                Nesting::Loop => {}
                Nesting::Cut(depth, _) if levels < depth => {
                    self.copy(rule, from, to, ends);
                    return Ok(());
                }
                Nesting::Cut(_, cut) => {
                    cut.set(true);
                    return Ok(());
                }
                Nesting::Refused(help) => {
                    let mut cycle = String::new();
                    for open in &self.rules[index..] {
                        cycle.push_str(&self.grammar.rules[open.rule as usize].name.text);
                        cycle.push_str(" -> ");
                    }
                    let message =
                        format!("rule `{name}` stands in its own middle here: {cycle}{name}");
                    return Err(Diagnostic::error(self.grammar.span(id), message).help(help));
                }
            }
            let Open { entry, exit, .. } = self.rules[index];
            self.nfa.epsilon(from, entry);
            self.nfa.epsilon(exit, to);
            return Ok(());
        }
        self.copy(rule, from, to, ends);
        Ok(())
    }

    /// Writes a copy of a rule's body between states of its own.
    fn copy(&mut self, rule: u32, from: NfaState, to: NfaState, ends: Ends) {
        let is_lexical = ends.is_lexical;
        let (entry, exit) = (self.nfa.state(), self.nfa.state());
        self.nfa.epsilon(from, entry);
        self.nfa.epsilon(exit, to);
        self.places.entry((rule, is_lexical)).or_default().push(self.rules.len());
        self.rules.push(Open { rule, is_lexical, entry, exit });
        self.tasks.push(Task::Leave);
        self.task(self.grammar.rules[rule as usize].body, entry, exit, ends);
    }
}

pub(super) fn alphabet(grammar: &Grammar) -> Alphabet {
    grammar.encoding.alphabet()
}

fn regex_failure(grammar: &Grammar, id: ExprId, error: &RegularError) -> Diagnostic {
    let span = grammar.span(id);
    Diagnostic::error(span, format!("this regular expression cannot be used: {error}"))
        .help("regexes follow the syntax of the regex crate, without look-around or word bounds")
        .limit(error.is_size_limit_exceeded())
}

/// Whether a finding is that a rule stands in its own middle.
pub(super) fn is_not_regular(found: &Diagnostic) -> bool {
    found.help.as_deref() == Some(NOT_REGULAR)
}

/// How the message about what cannot be one automaton for its size begins.
const TOO_LARGE: &str = "this regular expression is too large";

/// The finding that layout is too large.
pub(super) fn layout_too_large(grammar: &Grammar, error: &RegularError) -> Diagnostic {
    let span = grammar.layout.as_ref().map(|name| name.span).unwrap_or_default();
    Diagnostic::error(span, format!("{TOO_LARGE}: {error}")).limit(true)
}

fn too_large(grammar: &Grammar, id: ExprId, error: &RegularError) -> Diagnostic {
    Diagnostic::error(grammar.span(id), format!("{TOO_LARGE}: {error}"))
        .help("use smaller rules or counts in it, or raise the automaton limits")
        .limit(true)
}
