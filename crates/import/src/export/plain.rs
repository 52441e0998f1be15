//! A grammar in terms of what a notation can say: literals, classes, references, sequences, choices and
//! repetitions, with layout written out; and what that loses.
//!
//! A rule is written once for each way that it is used in: inside tokens, and, where the grammar has
//! layout, outside, with layout after each token. Expressions are done children first, from a stack.

use std::collections::{HashMap, HashSet};

use super::counts::Counts;
use super::names::Names;
use super::{Target, automaton, classes, pattern, recursion};
use pleach_core::grammar::{
    Alternative, Binding, Diagnostic, Encoding, Expr, ExprId, Grammar, GrammarError, Mark, Name,
    Rule, Span,
};
use pleach_core::internal::{Automata, pattern as parse_pattern};

/// What is written, and what is lost.
pub(super) struct Plain {
    /// The start is the first rule.
    pub(super) grammar: Grammar,
    pub(super) warnings: Vec<Diagnostic>,
}

/// How a rule is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Use {
    /// Inside a token, or where there is no layout.
    Token,
    /// With layout after each token.
    Spaced,
}

/// Both, in the order of their numbers; a spaced rule is written before the other of its name.
const USES: [Use; 2] = [Use::Spaced, Use::Token];

impl Use {
    fn index(self) -> usize {
        self as usize
    }
}

struct Writer<'g> {
    from: &'g Grammar,
    to: Grammar,
    target: Target,
    automata: Automata,
    names: Names,
    /// By name, the number of each rule.
    rules: HashMap<&'g str, usize>,
    lexical: HashSet<&'g str>,
    /// By rule and use, what it is called.
    called: HashMap<(usize, Use), String>,
    /// By use, what each expression has become.
    done: [Vec<Option<ExprId>>; 2],
    /// What stands after a token: the layout, or nothing.
    layout: Option<ExprId>,
    /// By what they derive, small rules that were written for counts.
    shared: HashMap<String, String>,
    /// The rule that derives nothing at all, if one is needed.
    nothing: Option<String>,
    /// The last symbol, and where the first beyond ASCII stands.
    last: u32,
    beyond: Option<Span>,
    warnings: Vec<Diagnostic>,
    /// Whether this rule's loss was said already: of weights, of bytes, of bindings.
    said: [bool; 3],
}

/// Writes a grammar.
pub(super) fn write(from: &Grammar, target: Target) -> Result<Plain, GrammarError> {
    let automata = Automata::new(from)?;
    let rules: HashMap<&str, usize> =
        from.rules.iter().enumerate().map(|(at, rule)| (rule.name.text.as_str(), at)).collect();
    let start = from.start.as_ref().map_or(0, |name| rules[name.text.as_str()]);
    let own_root = from.layout.is_none() && from.rules[start].name.text == "root";
    let mut writer = Writer {
        from,
        to: Grammar { encoding: from.encoding, ..Grammar::default() },
        target,
        automata,
        names: Names::new(target, target == Target::Gbnf && !own_root),
        lexical: from.lexical.iter().map(|name| name.text.as_str()).collect(),
        rules,
        called: HashMap::new(),
        done: [vec![None; from.exprs.len()], vec![None; from.exprs.len()]],
        layout: None,
        shared: HashMap::new(),
        nothing: None,
        last: 0,
        beyond: None,
        warnings: Vec::new(),
        said: [false; 3],
    };
    writer.run(start, own_root);
    let mut warnings = writer.warnings;
    warnings.sort_by_key(|warning| (warning.span.file, warning.span.start));
    Ok(Plain { grammar: writer.to, warnings })
}

impl<'g> Writer<'g> {
    fn run(&mut self, start: usize, own_root: bool) {
        let from = self.from;
        let layout = from.layout.as_ref().map(|name| (name, self.rules[name.text.as_str()]));
        let uses = self.uses(start, layout.map(|(_, rule)| rule));
        // Names that are valid as they are go to their own rules.
        let (valid, other): (Vec<usize>, Vec<usize>) = (0..from.rules.len())
            .partition(|&rule| self.names.is_name(&from.rules[rule].name.text));
        for rule in valid.into_iter().chain(other) {
            for used in USES.into_iter().filter(|used| uses[rule][used.index()]) {
                let name = &from.rules[rule].name.text;
                let twice = used == Use::Token && uses[rule][Use::Spaced.index()];
                let name = if twice { format!("{name}-token") } else { name.clone() };
                let name = self.names.take(&name);
                self.called.insert((rule, used), name);
            }
        }
        if let Some((name, rule)) = layout {
            let reference = self.reference(rule, Use::Token);
            let nullable = self.automata.is_layout_nullable(from, rule as u32);
            let layout = Expr::Repeat { expr: reference, min: 0, max: Some(1), weight: None };
            self.layout = Some(if nullable { reference } else { self.push(layout) });
            self.lose(
                name.span,
                "layout is written out after each token".into(),
                "two words or numbers need none between them there",
            );
        }
        if self.layout.is_some() || (self.target == Target::Gbnf && !own_root) {
            let used = self.used(start);
            let mut items = Vec::new();
            items.extend(self.layout);
            items.push(self.reference(start, used));
            items.extend(self.layout.filter(|_| used == Use::Token));
            let body = self.push(Expr::Sequence(items));
            let name = match self.target {
                Target::Gbnf => "root".into(),
                _ => self.names.take(&format!("{}-text", from.rules[start].name.text)),
            };
            self.add(name, Span::default(), String::new(), body);
        }
        let order =
            std::iter::once(start).chain((0..from.rules.len()).filter(|&rule| rule != start));
        for rule in order {
            for used in USES {
                if let Some(name) = self.called.get(&(rule, used)).cloned() {
                    self.rule(rule, used, name);
                }
            }
        }
        if let Some(name) = self.nothing.take() {
            let again = self.push(Expr::Reference(name.clone()));
            let letter = self.push(Expr::Literal { bytes: b"x".to_vec(), ignore_case: false });
            let body = self.push(Expr::Sequence(vec![letter, again]));
            self.add(name, Span::default(), String::new(), body);
        }
        classes::name(&mut self.to, &mut self.names);
        if self.target == Target::Abnf
            && self.from.encoding == Encoding::Unicode
            && (0x80..=0xFF).contains(&self.last)
            && let Some(span) = self.beyond
        {
            self.lose(
                span,
                "numbers up to 0xFF do not say that they are of characters".into(),
                "readers may take them for bytes",
            );
        }
        if self.target == Target::Gbnf {
            for span in recursion::left(&self.to) {
                self.lose(span, "this rule is left recursive".into(), "llama.cpp refuses it");
            }
        }
    }

    fn lose(&mut self, span: Span, what: String, effect: &str) {
        self.warnings.push(Diagnostic::warning(span, what).help(effect));
    }

    fn push(&mut self, expr: Expr) -> ExprId {
        self.to.push(expr, Span::default())
    }

    fn add(&mut self, name: String, span: Span, docs: String, body: ExprId) {
        self.to.rules.push(Rule { name: Name { text: name, span }, docs, body });
    }

    /// How a rule is used where its surroundings have layout, if any does.
    fn used(&self, rule: usize) -> Use {
        let name = self.from.rules[rule].name.text.as_str();
        match self.from.layout.is_none() || self.lexical.contains(name) {
            true => Use::Token,
            false => Use::Spaced,
        }
    }

    /// How each rule is used: from the start, or, where nothing leads there, by itself.
    fn uses(&self, start: usize, layout: Option<usize>) -> Vec<[bool; 2]> {
        let mut uses = vec![[false; 2]; self.from.rules.len()];
        let mut queue: Vec<(usize, Use)> = Vec::new();
        let mut stack: Vec<(ExprId, Use)> = Vec::new();
        let first = [(start, self.used(start))];
        let roots = first.into_iter().chain(layout.map(|rule| (rule, Use::Token)));
        let rest = (0..uses.len()).map(|rule| (rule, self.used(rule)));
        for (at, root) in roots.chain(rest).enumerate() {
            let is_rest = at > usize::from(layout.is_some());
            if is_rest && uses[root.0] != [false; 2] {
                continue;
            }
            queue.push(root);
            while let Some((rule, used)) = queue.pop() {
                if std::mem::replace(&mut uses[rule][used.index()], true) {
                    continue;
                }
                stack.push((self.from.rules[rule].body, used));
                while let Some((expr, used)) = stack.pop() {
                    match self.from.expr(expr) {
                        Expr::Reference(name) => {
                            let target = self.rules[name.as_str()];
                            let inner = if used == Use::Token { used } else { self.used(target) };
                            queue.push((target, inner));
                        }
                        Expr::Except { base, minus } if self.target == Target::W3c => {
                            stack.extend([(*base, Use::Token), (*minus, Use::Token)]);
                        }
                        // The automaton stands for it, if it is not too large.
                        Expr::Except { base, .. } => {
                            if !automaton::fits(self.automata.of(expr)) {
                                stack.push((*base, Use::Token));
                            }
                        }
                        other => stack.extend(other.children().map(|id| (id, used))),
                    }
                }
            }
        }
        uses
    }

    fn reference(&mut self, rule: usize, used: Use) -> ExprId {
        let name = self.called.get(&(rule, used)).cloned().unwrap_or_default();
        self.push(Expr::Reference(name))
    }

    fn rule(&mut self, rule: usize, used: Use, name: String) {
        let from = self.from;
        let (docs, span) = (from.rules[rule].docs.clone(), from.rules[rule].name.span);
        self.said = [false; 3];
        let first = self.to.rules.len();
        let body = self.expr(from.rules[rule].body, used, &name);
        self.add(name, span, docs, body);
        // What it needs follows it.
        self.to.rules[first..].rotate_right(1);
    }

    /// What an expression becomes, and all in it.
    fn expr(&mut self, root: ExprId, used: Use, name: &str) -> ExprId {
        let from = self.from;
        let mut stack = vec![(root, used, false)];
        while let Some((id, used, ready)) = stack.pop() {
            if self.done[used.index()][id.0 as usize].is_some() {
                continue;
            }
            let expr = from.expr(id);
            if !ready {
                stack.push((id, used, true));
                let inner = if matches!(expr, Expr::Except { .. }) { Use::Token } else { used };
                if !matches!(expr, Expr::Except { .. }) || self.keeps(id) {
                    stack.extend(expr.children().rev().map(|child| (child, inner, false)));
                }
                continue;
            }
            let written = self.one(id, used, name);
            self.done[used.index()][id.0 as usize] = Some(written);
        }
        self.get(root, used)
    }

    /// Whether the operands of an `except` are written.
    fn keeps(&self, id: ExprId) -> bool {
        self.target == Target::W3c || !automaton::fits(self.automata.of(id))
    }

    fn get(&self, id: ExprId, used: Use) -> ExprId {
        self.done[used.index()][id.0 as usize].expect("children are written before their parents")
    }

    /// What an expression becomes, its children written.
    fn one(&mut self, id: ExprId, used: Use, name: &str) -> ExprId {
        let span = self.from.span(id);
        match self.from.expr(id) {
            Expr::Literal { bytes, ignore_case } => {
                self.look_at_text(bytes, span);
                let literal = Expr::Literal { bytes: bytes.clone(), ignore_case: *ignore_case };
                let literal = self.push(literal);
                if bytes.is_empty() { literal } else { self.token(literal, used) }
            }
            Expr::Class(ranges) if !ranges.is_empty() => {
                self.look_at(ranges, span);
                let class = self.push(Expr::Class(ranges.clone()));
                self.token(class, used)
            }
            Expr::Class(_) => self.nothing(),
            Expr::Choice(all) if all.is_empty() => self.nothing(),
            Expr::Regex(text) => {
                let regex = self.regex(text, id, span, name);
                self.token(regex, used)
            }
            Expr::Except { base, minus } => {
                let (base, minus) = (*base, *minus);
                let except = self.except(id, base, minus, span, name);
                self.token(except, used)
            }
            Expr::Reference(name) => {
                let rule = self.rules[name.as_str()];
                let inner = if used == Use::Token { used } else { self.used(rule) };
                let reference = self.reference(rule, inner);
                if inner == used { reference } else { self.token(reference, used) }
            }
            Expr::Sequence(items) => {
                let items = items.iter().map(|&item| self.get(item, used)).collect();
                self.push(Expr::Sequence(items))
            }
            Expr::Choice(all) => {
                let mut alternatives = Vec::with_capacity(all.len());
                for one in all {
                    self.mark(one.mark, self.from.span(one.expr), span);
                    self.binding(one.binding, span);
                    alternatives.push(Alternative::plain(self.get(one.expr, used)));
                }
                self.push(Expr::Choice(alternatives))
            }
            Expr::Repeat { expr, min, max, weight } => {
                if weight.is_some() {
                    self.mark(weight.map(Mark::Weight), span, span);
                }
                let expr = self.get(*expr, used);
                self.repeat(expr, *min, *max, name)
            }
        }
    }

    /// A token, and the layout after it.
    fn token(&mut self, token: ExprId, used: Use) -> ExprId {
        match self.layout.filter(|_| used == Use::Spaced) {
            Some(layout) => self.push(Expr::Sequence(vec![token, layout])),
            None => token,
        }
    }

    /// What derives nothing at all.
    fn nothing(&mut self) -> ExprId {
        let name = match &self.nothing {
            Some(name) => name.clone(),
            None => self.names.take("nothing"),
        };
        self.nothing = Some(name.clone());
        self.push(Expr::Reference(name))
    }

    /// Says what the mark of an alternative, or the odds of a repetition, were for.
    fn mark(&mut self, mark: Option<Mark>, span: Span, whole: Span) {
        match mark {
            Some(Mark::ParseOnly) => self.lose(
                span,
                "what is read only is written as the other alternatives".into(),
                "it is produced there, too",
            ),
            Some(Mark::Weight(_)) if !std::mem::replace(&mut self.said[0], true) => self.lose(
                whole,
                "the weights of this rule are left out".into(),
                "its alternatives and repetitions are as likely as the target makes them",
            ),
            _ => {}
        }
    }

    /// Says what the binding of an alternative was for.
    fn binding(&mut self, binding: Option<Binding>, span: Span) {
        if binding.is_some() && !std::mem::replace(&mut self.said[2], true) {
            self.lose(
                span,
                "how tightly the operators of this rule bind is left out".into(),
                "the language is the same, but the target may read another tree",
            );
        }
    }

    fn look_at_text(&mut self, bytes: &[u8], span: Span) {
        let last = match (self.from.encoding, std::str::from_utf8(bytes)) {
            (Encoding::Unicode, Ok(text)) => text.chars().map(u32::from).max(),
            _ => bytes.iter().map(|&byte| u32::from(byte)).max(),
        };
        self.look_at(&[(0, last.unwrap_or(0))], span);
    }

    /// Notes symbols beyond ASCII.
    fn look_at(&mut self, ranges: &[(u32, u32)], span: Span) {
        let last = ranges.iter().map(|range| range.1).max().unwrap_or(0);
        self.last = self.last.max(last);
        if last <= 0x7F {
            return;
        }
        self.beyond = self.beyond.or(Some(span));
        let characters = self.target != Target::Abnf;
        if self.from.encoding == Encoding::Bytes
            && characters
            && !std::mem::replace(&mut self.said[1], true)
        {
            self.lose(
                span,
                "bytes above 0x7F become the characters of their numbers".into(),
                "the target writes each in UTF-8, as two bytes",
            );
        }
    }

    fn regex(&mut self, text: &str, id: ExprId, span: Span, name: &str) -> ExprId {
        let bytes = self.from.encoding == Encoding::Bytes;
        let first = self.to.exprs.len();
        let written = parse_pattern(text, self.from.encoding.alphabet())
            .ok()
            .and_then(|hir| pattern::write(&hir, bytes, &mut self.to));
        let Some(written) = written else {
            return match automaton::write(self.automata.of(id), name, &mut self.names, &mut self.to)
            {
                Some(written) => written,
                None => {
                    let what = "this regex has too many states to be written out";
                    self.lose(span, what.into(), "nothing is derived from it");
                    self.nothing()
                }
            };
        };
        // Children stand before their parents.
        for at in first..self.to.exprs.len() {
            match self.to.exprs[at].clone() {
                Expr::Literal { bytes, .. } => self.look_at_text(&bytes, span),
                Expr::Class(ranges) if ranges.is_empty() => {
                    let nothing = self.nothing();
                    self.to.exprs[at] = self.to.expr(nothing).clone();
                }
                Expr::Class(ranges) => self.look_at(&ranges, span),
                Expr::Repeat { expr, min, max, .. } => {
                    let repeat = self.repeat(expr, min, max, name);
                    self.to.exprs[at] = self.to.expr(repeat).clone();
                }
                _ => {}
            }
        }
        written
    }

    fn except(
        &mut self,
        id: ExprId,
        base: ExprId,
        minus: ExprId,
        span: Span,
        name: &str,
    ) -> ExprId {
        if self.target == Target::W3c {
            let (base, minus) = (self.get(base, Use::Token), self.get(minus, Use::Token));
            return self.push(Expr::Except { base, minus });
        }
        match automaton::write(self.automata.of(id), name, &mut self.names, &mut self.to) {
            Some(written) => written,
            None => {
                let what = "what this takes away has too many states to be written out";
                self.lose(span, what.into(), "it is not taken away");
                self.get(base, Use::Token)
            }
        }
    }

    /// An expression several times.
    fn repeat(&mut self, expr: ExprId, min: u32, max: Option<u32>, name: &str) -> ExprId {
        let plain = matches!((min, max), (0, Some(1)) | (0 | 1, None));
        if max == Some(0) {
            return self.push(Expr::Sequence(Vec::new()));
        }
        if plain || self.target != Target::W3c {
            return self.push(Expr::Repeat { expr, min, max, weight: None });
        }
        let (grammar, names) = (&mut self.to, &mut self.names);
        let (exact, most) = (HashMap::new(), HashMap::new());
        let shared = &mut self.shared;
        Counts { grammar, names, name, expr, exact, most, shared }.write(min, max)
    }
}
