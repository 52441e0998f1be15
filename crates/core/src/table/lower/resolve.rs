//! Names and the shape of the arena: what each reference means, and an order for walking.

use fxhash::FxHashMap;

use super::LoweringLimits;
use crate::grammar::near::near;
use crate::grammar::{
    Alternative, Diagnostic, Encoding, Expr, ExprId, Grammar, Mark, SourceMap, Span,
};

/// No rule.
pub(super) const NONE: u32 = u32::MAX;

/// What names mean, as indices into [`Grammar::rules`].
pub(super) struct Resolved {
    /// The start rule.
    pub(super) start: u32,
    /// The layout rule.
    pub(super) layout: Option<u32>,
    /// The rule of each part.
    pub(super) parts: Vec<u32>,
    /// Whether each rule is named as lexical.
    pub(super) lexical: Vec<bool>,
    /// What lowering has put before parts: expressions before which no layout stands, ascending.
    pub(super) headers: Vec<ExprId>,
    /// Rules of whole parts that have no layout inside, before which none stands either.
    pub(super) wholes: Vec<u32>,
    /// The rule that each expression references; [`NONE`] where it is no reference.
    pub(super) references: Vec<u32>,
    /// Every expression that some rule's body contains, children before parents.
    pub(super) postorder: Vec<ExprId>,
}

impl Resolved {
    pub(super) fn new(
        grammar: &Grammar,
        start: Option<&str>,
        limits: &LoweringLimits,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut findings = Vec::new();
        let names = index(grammar, limits, &mut findings);
        let postorder = postorder(grammar).map_err(|diagnostic| vec![diagnostic])?;
        let mut references = vec![NONE; grammar.exprs.len()];
        let mut find = |name: &str, span: Span| -> u32 {
            names.get(name).copied().unwrap_or_else(|| {
                if findings.len() < limits.reports {
                    findings.push(undefined(grammar, name, span));
                }
                NONE
            })
        };
        for &id in &postorder {
            if let Expr::Reference(name) = grammar.expr(id) {
                references[id.0 as usize] = find(name, grammar.span(id));
            }
        }
        let mut lexical = vec![false; grammar.rules.len()];
        for name in &grammar.lexical {
            let rule = find(&name.text, name.span);
            if rule != NONE {
                lexical[rule as usize] = true;
            }
        }
        let parts =
            grammar.parts.iter().map(|part| find(&part.rule.text, part.rule.span)).collect();
        let layout = grammar.layout.as_ref().map(|name| find(&name.text, name.span));
        let start = match (start, &grammar.start) {
            (Some(name), _) => find(name, Span::default()),
            (None, Some(name)) => find(&name.text, name.span),
            (None, None) => 0,
        };
        for (index, expr) in postorder.iter().map(|&id| (id, grammar.expr(id))) {
            if findings.len() >= limits.reports {
                break;
            }
            if let Expr::Class(ranges) = expr
                && !is_class(ranges, grammar.encoding)
            {
                findings.push(
                    Diagnostic::error(
                        grammar.span(index),
                        "the ranges of this class are not sound",
                    )
                    .help("sort them, let none overlap, and stay within the encoding"),
                );
            }
            if let Expr::Choice(alternatives) = expr {
                findings.extend(parse_only(grammar, index, alternatives));
            }
            if let Expr::Repeat { min, max: Some(max), .. } = expr
                && min > max
            {
                let message = format!("a repetition of at least {min} and at most {max} is none");
                findings.push(
                    Diagnostic::error(grammar.span(index), message)
                        .help(format!("write {{{max},{min}}}")),
                );
            }
        }
        if grammar.rules.is_empty() {
            findings.push(
                Diagnostic::error(Span::default(), "the grammar has no rule")
                    .help("write one: name = \"text\" ;"),
            );
        }
        if findings.is_empty() {
            let (headers, wholes) = Default::default();
            Ok(Self { start, layout, parts, lexical, headers, wholes, references, postorder })
        } else {
            Err(findings)
        }
    }
}

/// Whether some ranges are sorted, disjoint and of the encoding's symbols, as the notation gives
/// them and other front ends must.
fn is_class(ranges: &[(u32, u32)], encoding: Encoding) -> bool {
    let last = encoding.last_symbol();
    ranges.iter().all(|&(low, high)| low <= high && high <= last)
        && ranges.windows(2).all(|pair| pair[0].1 < pair[1].0)
}

/// What is wrong with the alternatives of a choice that are parse-only.
fn parse_only(grammar: &Grammar, id: ExprId, alternatives: &[Alternative]) -> Option<Diagnostic> {
    let is = |alternative: &Alternative| alternative.mark == Some(Mark::ParseOnly);
    let first = alternatives.iter().position(is)?;
    if first == 0 && alternatives.iter().all(is) {
        let message = "all alternatives of this choice are read only";
        return Some(
            Diagnostic::error(grammar.span(id), message).help(
                "write one before them that is produced, if only an empty one: `| @read ...`",
            ),
        );
    }
    let late = alternatives[first..].iter().find(|&alternative| !is(alternative))?;
    Some(
        Diagnostic::error(
            grammar.span(late.expr),
            "this alternative follows one that is read only",
        )
        .help("write those that are marked `@read` after the others"),
    )
}

fn index<'g>(
    grammar: &'g Grammar,
    limits: &LoweringLimits,
    findings: &mut Vec<Diagnostic>,
) -> FxHashMap<&'g str, u32> {
    let sources = SourceMap::new(&grammar.files);
    let mut names = FxHashMap::default();
    names.reserve(grammar.rules.len());
    for (index, rule) in grammar.rules.iter().enumerate() {
        let first = *names.entry(rule.name.text.as_str()).or_insert(index as u32);
        if first as usize != index && findings.len() < limits.reports {
            let first = sources.locate(grammar.rules[first as usize].name.span);
            let first = first.map_or(String::new(), |place| format!("the first is at {place}; "));
            findings.push(
                Diagnostic::error(
                    rule.name.span,
                    format!("rule `{}` is defined twice", rule.name.text),
                )
                .help(format!("{first}rename one, or join them with |")),
            );
        }
    }
    names
}

fn undefined(grammar: &Grammar, name: &str, span: Span) -> Diagnostic {
    let names = grammar.rules.iter().map(|rule| rule.name.text.as_str());
    let help = match near(name, names, 1)[..] {
        [near] => format!("did you mean `{near}`?"),
        _ => format!("define it: {name} = ... ;"),
    };
    Diagnostic::error(span, format!("rule `{name}` is not defined")).help(help)
}

/// Children of an expression but for alternatives that are parse-only.
pub(super) fn produced_children(expr: &Expr) -> impl Iterator<Item = ExprId> + '_ {
    let produced = match expr {
        Expr::Choice(alternatives) => {
            alternatives.iter().take_while(|it| it.mark != Some(Mark::ParseOnly)).count()
        }
        _ => usize::MAX,
    };
    expr.children().take(produced)
}

/// All expressions under the rules' bodies, children first; an arena that is no forest of trees
/// or directed acyclic graphs is refused.
fn postorder(grammar: &Grammar) -> Result<Vec<ExprId>, Diagnostic> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let malformed = |span| {
        Diagnostic::error(span, "the expressions of this rule are not a tree")
            .help("an expression may contain only expressions of the same grammar, never itself")
    };
    let mut marks = vec![Mark::New; grammar.exprs.len()];
    let mut order = Vec::with_capacity(grammar.exprs.len());
    let mut stack = Vec::new();
    for rule in &grammar.rules {
        stack.push(rule.body);
        while let Some(&id) = stack.last() {
            let Some(mark) = marks.get_mut(id.0 as usize) else {
                return Err(malformed(rule.name.span));
            };
            match *mark {
                Mark::New => {
                    *mark = Mark::Open;
                    for child in grammar.expr(id).children().rev() {
                        match marks.get(child.0 as usize) {
                            Some(Mark::New) => stack.push(child),
                            Some(Mark::Done) => {}
                            _ => return Err(malformed(rule.name.span)),
                        }
                    }
                }
                Mark::Open => {
                    *mark = Mark::Done;
                    order.push(id);
                    stack.pop();
                }
                Mark::Done => {
                    stack.pop();
                }
            }
        }
    }
    Ok(order)
}
