//! A grammar of inputs of several parts as one of their text.
//!
//! Rules from the start on that derive no text of their own say which parts there are and in what order. Where one of
//! them refers to a rule that is declared as a part, the header of that part is put before the reference and its end
//! behind; the start rule gets the first line; and in every terminal a mark is put behind each line feed, as
//! [`crate::parts`] has it. Nothing else changes: rules, alternatives and references are as they were written.
//!
//! Layout stands between the tokens of a part, before its first and behind its last one, and has marks too; it does
//! not stand before a header. A part whose rule is lexical has none around its token either, so it is one token as a
//! whole, by a rule of its own.

use super::LoweringLimits;
use super::resolve::{NONE, Resolved};
use crate::grammar::{Diagnostic, Expr, ExprId, Grammar, GrammarError, Name, Rule, Span};
use crate::parts::{END, MARKING, SIGNATURE};

/// A grammar of the text of parts.
pub(super) struct Joined {
    pub(super) grammar: Grammar,
    /// As [`Resolved::headers`] and [`Resolved::wholes`].
    pub(super) headers: Vec<ExprId>,
    pub(super) wholes: Vec<u32>,
}

/// The grammar of the text; none where no part stands in it.
pub(super) fn join(
    grammar: &Grammar,
    names: &Resolved,
    limits: &LoweringLimits,
) -> Result<Option<Joined>, Vec<Diagnostic>> {
    if grammar.parts.is_empty() {
        return Ok(None);
    }
    let declared = Declared::new(grammar, names, limits)?;
    let outside = Outside::new(grammar, names, &declared);
    if outside.sites.is_empty() {
        return Ok(None);
    }
    let mut findings = Vec::new();
    for &id in outside.texts.iter().take(limits.reports) {
        findings.push(
            Diagnostic::error(grammar.span(id), "text outside of the parts")
                .help("let a rule of its own derive it, and declare that by `%part`"),
        );
    }
    if findings.is_empty() {
        findings.extend(nested(grammar, names, &outside));
    }
    if !findings.is_empty() {
        return Err(findings);
    }
    let mut joined = Joined { grammar: grammar.clone(), headers: Vec::new(), wholes: Vec::new() };
    joined.grammar.parts.clear();
    mark(&mut joined.grammar, names);
    let mut known = vec![false; grammar.parts.len()];
    for &(id, part) in &outside.sites {
        let is_whole = names.layout.is_some() && names.lexical[names.parts[part] as usize];
        if is_whole {
            let name = format!("part {}", grammar.parts[part].rule.text);
            if !std::mem::replace(&mut known[part], true) {
                joined.whole(grammar, id, part, &name);
            }
            joined.grammar.exprs[id.0 as usize] = Expr::Reference(name);
        } else {
            joined.grammar.exprs[id.0 as usize] = joined.framed(grammar, id, part);
        }
    }
    let rule = names.start as usize;
    let body = grammar.rules[rule].body;
    let span = grammar.span(body);
    let first = joined.literal(SIGNATURE, span);
    joined.headers.push(first);
    joined.grammar.rules[rule].body = joined.grammar.push(Expr::Sequence(vec![first, body]), span);
    Ok(Some(joined))
}

impl Joined {
    /// A literal where a span begins: with a span of no text, so that it is shown and not what stands there.
    fn literal(&mut self, text: &str, span: Span) -> ExprId {
        let expr = Expr::Literal { bytes: text.into(), ignore_case: false };
        self.grammar.push(expr, Span { end: span.start, ..span })
    }

    /// A reference to a part, between its header and its end.
    fn framed(&mut self, grammar: &Grammar, id: ExprId, part: usize) -> Expr {
        let span = grammar.span(id);
        let header = self.literal(&grammar.parts[part].kind.header(), span);
        self.headers.push(header);
        let reference = self.grammar.push(grammar.expr(id).clone(), span);
        let end = self.literal(END, span);
        Expr::Sequence(vec![header, reference, end])
    }

    /// Adds the lexical rule of a whole part.
    fn whole(&mut self, grammar: &Grammar, id: ExprId, part: usize, name: &str) {
        let framed = self.framed(grammar, id, part);
        let span = grammar.span(id);
        let body = self.grammar.push(framed, span);
        let name = Name { text: name.into(), span: Span { end: span.start, ..span } };
        self.wholes.push(self.grammar.rules.len() as u32);
        self.grammar.lexical.push(name.clone());
        self.grammar.rules.push(Rule { name, docs: String::new(), body });
    }
}

/// A grammar of the text that inputs are kept in; none where the grammar is one of single texts.
///
/// # Errors
///
/// Where what is declared of parts contradicts itself.
pub fn join_parts(grammar: &Grammar) -> Result<Option<Grammar>, GrammarError> {
    let limits = LoweringLimits::default();
    let fail = |diagnostics| GrammarError::new(grammar.files.clone(), diagnostics);
    let names = Resolved::new(grammar, None, &limits).map_err(fail)?;
    Ok(join(grammar, &names, &limits).map_err(fail)?.map(|joined| joined.grammar))
}

/// Warns of a grammar that declares parts and whose start rule leads to none.
pub(super) fn report(grammar: &Grammar, names: &Resolved, warnings: &mut Vec<Diagnostic>) {
    if let (Some(part), Some(start)) =
        (grammar.parts.first(), grammar.rules.get(names.start as usize))
    {
        let (part, start) = (&part.rule, &start.name.text);
        let message = format!("`{start}`, the start rule, refers to no part: inputs are one text");
        let help = format!("let it refer to them, as in: input = {} ;", part.text);
        warnings.push(Diagnostic::warning(part.span, message).help(help));
    }
}

/// The part that each rule is, as an index into [`Grammar::parts`].
struct Declared(Vec<u32>);

impl Declared {
    fn new(
        grammar: &Grammar,
        names: &Resolved,
        limits: &LoweringLimits,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut parts = vec![NONE; grammar.rules.len()];
        let mut findings = Vec::new();
        for (index, (part, &rule)) in grammar.parts.iter().zip(&names.parts).enumerate() {
            if findings.len() >= limits.reports {
                break;
            }
            // What was saved is not trusted.
            if let Err(fault) = part.kind.check() {
                let (message, fix) = fault.said();
                findings.push(Diagnostic::error(part.rule.span, message).help(fix));
            }
            let slot = &mut parts[rule as usize];
            if *slot != NONE {
                let name = &part.rule.text;
                findings.push(
                    Diagnostic::error(part.rule.span, format!("rule `{name}` is a part already"))
                        .help(format!("give this part a rule of its own: other = {name} ;")),
                );
            }
            *slot = index as u32;
        }
        if findings.is_empty() { Ok(Self(parts)) } else { Err(findings) }
    }

    /// The part that a rule is.
    fn of(&self, rule: u32) -> Option<usize> {
        let part = *self.0.get(rule as usize)?;
        (part != NONE).then_some(part as usize)
    }
}

/// What the start rule leads to without going into a part.
struct Outside {
    /// References to parts, with what they are.
    sites: Vec<(ExprId, usize)>,
    /// Expressions that derive text.
    texts: Vec<ExprId>,
    /// References back to the start rule.
    again: Vec<ExprId>,
}

impl Outside {
    fn new(grammar: &Grammar, names: &Resolved, declared: &Declared) -> Self {
        let mut outside = Self { sites: Vec::new(), texts: Vec::new(), again: Vec::new() };
        walk(grammar, names, vec![grammar.rules[names.start as usize].body], |id, rule| {
            match grammar.expr(id) {
                Expr::Literal { bytes, .. } if bytes.is_empty() => {}
                Expr::Literal { .. } | Expr::Class(_) | Expr::Regex(_) | Expr::Except { .. } => {
                    outside.texts.push(id);
                    return false;
                }
                _ => {}
            }
            if rule == names.start {
                outside.again.push(id);
            } else if let Some(part) = declared.of(rule) {
                outside.sites.push((id, part));
                return false;
            }
            true
        });
        outside
    }
}

/// What would be a part inside of another, or a whole input inside of one.
fn nested(grammar: &Grammar, names: &Resolved, outside: &Outside) -> Vec<Diagnostic> {
    let again = |id| {
        Diagnostic::error(grammar.span(id), "the start rule of several parts refers to itself")
            .help("write a start rule above it that refers to it")
    };
    if let Some(&id) = outside.again.first() {
        return vec![again(id)];
    }
    let mut is_site = vec![false; grammar.exprs.len()];
    for &(id, _) in &outside.sites {
        is_site[id.0 as usize] = true;
    }
    let mut findings = Vec::new();
    let parts = outside.sites.iter().filter_map(|&(_, part)| names.parts.get(part));
    let parts = parts.map(|&rule| grammar.rules[rule as usize].body).collect();
    walk(grammar, names, parts, |id, rule| {
        if is_site[id.0 as usize] {
            findings.push(
                Diagnostic::error(grammar.span(id), "a part inside of a part")
                    .help("parts stand one after the other: refer to it from outside of them"),
            );
        } else if rule == names.start {
            findings.push(again(id));
        }
        findings.is_empty()
    });
    findings
}

/// Visits expressions and what they lead to, each once, as long as `enter` says to go into one; it is told the rule
/// that a reference means.
fn walk(
    grammar: &Grammar,
    names: &Resolved,
    from: Vec<ExprId>,
    mut enter: impl FnMut(ExprId, u32) -> bool,
) {
    let mut seen = vec![false; grammar.exprs.len()];
    let mut stack = from;
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        let rule = names.references[id.0 as usize];
        if !enter(id, rule) {
            continue;
        }
        if rule != NONE {
            stack.push(grammar.rules[rule as usize].body);
        }
        stack.extend(grammar.expr(id).children().rev());
    }
}

/// Puts a mark behind each line feed of every terminal.
fn mark(joined: &mut Grammar, names: &Resolved) {
    let alphabet = joined.encoding.alphabet();
    for &id in &names.postorder {
        let marked = match joined.expr(id) {
            Expr::Literal { bytes, ignore_case } => MARKING
                .literal(bytes)
                .map(|bytes| Expr::Literal { bytes, ignore_case: *ignore_case }),
            Expr::Class(ranges) => MARKING.class(ranges, alphabet).map(Expr::Regex),
            Expr::Regex(regex) => MARKING.regex(regex, alphabet).map(Expr::Regex),
            _ => None,
        };
        if let Some(marked) = marked {
            joined.exprs[id.0 as usize] = marked;
        }
    }
}
