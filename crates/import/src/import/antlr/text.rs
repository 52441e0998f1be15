//! Expressions of lexer rules: texts, the end of a text, and loops that take as little as they can.

use std::collections::{HashMap, HashSet};

use super::automata::meets;
use super::set::both;
use crate::import::builder::Builder;
use crate::import::ranges::{LAST, Ranges, union};
use pleach_core::grammar::{Expr, ExprId, Span};

/// How many loops that end as soon as they can may stand in each other.
const DEEPEST: u32 = 3;

/// What follows where such a loop is taken for another.
const GREEDY: &str = "what is produced may hold what ends it";

/// A text; where letters stand for both cases, those beyond ASCII are sets.
pub(super) fn literal(
    builder: &mut Builder,
    chars: &[u32],
    ignore_case: bool,
    span: Span,
) -> ExprId {
    let mut items = Vec::new();
    let mut run = String::new();
    for &one in chars {
        let Some(char) = char::from_u32(one) else {
            builder.lose(span, "half of a surrogate pair is left out", "no text holds it");
            items.push(builder.class([], span));
            continue;
        };
        if ignore_case && one > 0x7F {
            let both = both(one);
            if both.len() > 1 {
                if !run.is_empty() {
                    items.push(builder.literal(run.as_bytes(), true, span));
                    run.clear();
                }
                items.push(builder.class(both, span));
                continue;
            }
        }
        run.push(char);
    }
    if !run.is_empty() {
        items.push(builder.literal(run.as_bytes(), ignore_case, span));
    }
    builder.sequence(&items, span)
}

/// Any characters: at least `min`.
pub(super) fn anything(builder: &mut Builder, min: u32, span: Span) -> ExprId {
    let any = builder.class([(0, LAST)], span);
    builder.repeat(any, min, None, span)
}

/// Copies all expressions from an index on, and gives by how much they moved.
pub(super) fn copied(builder: &mut Builder, from: usize) -> u32 {
    let end = builder.grammar.exprs.len();
    let by = (end - from) as u32;
    for index in from..end {
        let (mut expr, span) = (builder.grammar.exprs[index].clone(), builder.grammar.spans[index]);
        // Bodies refer to their own parts alone.
        expr.map_children(|id| ExprId(id.0 + by));
        builder.grammar.push(expr, span);
    }
    by
}

/// Takes out what needs the end of the text, where some expressions stand for it; gives which of the
/// expressions from an index on can stand nowhere else.
pub(super) fn endless(builder: &mut Builder, ends: &[ExprId], from: usize, to: usize) -> Vec<bool> {
    let mut void = vec![false; to - from];
    for end in ends {
        void[end.0 as usize - from] = true;
    }
    // What an expression is made of stands before it.
    for index in from..to {
        let is_void = |id: &ExprId| void[id.0 as usize - from];
        let (mut empty, mut gone) = (false, void[index - from]);
        match &mut builder.grammar.exprs[index] {
            Expr::Sequence(items) => gone |= items.iter().any(is_void),
            Expr::Choice(all) => {
                if all.iter().all(|one| is_void(&one.expr)) {
                    gone = true;
                } else {
                    all.retain(|one| !is_void(&one.expr));
                }
            }
            Expr::Repeat { expr, min, .. } if is_void(expr) => {
                empty = *min == 0;
                gone = !empty;
            }
            _ => {}
        }
        if empty {
            builder.grammar.exprs[index] = Expr::Sequence(Vec::new());
        }
        void[index - from] = gone;
    }
    void
}

/// Which expressions derive the empty text, as far as they say so themselves.
pub(super) fn nullable(builder: &Builder) -> Vec<bool> {
    let mut nullable = vec![false; builder.grammar.exprs.len()];
    for index in 0..nullable.len() {
        let is = |id: &ExprId| nullable.get(id.0 as usize).copied().unwrap_or(false);
        nullable[index] = match &builder.grammar.exprs[index] {
            Expr::Sequence(items) => items.iter().all(is),
            Expr::Choice(all) => all.iter().any(|one| is(&one.expr)),
            Expr::Repeat { expr, min, .. } => *min == 0 || is(expr),
            Expr::Literal { bytes, .. } => bytes.is_empty(),
            Expr::Except { base, .. } => is(base),
            Expr::Class(_) | Expr::Regex(_) | Expr::Reference(_) => false,
        };
    }
    nullable
}

/// Bounds the loops that take as little as they can.
///
/// What follows such a loop, up to the first part that is some text, ends it: so the loop and its end are
/// all texts of theirs that do not begin with a shorter one, but for what [`ordered`] takes first.
///
/// Where rules that lead to themselves stand in it, as in comments that nest, that is no regular language:
/// then the text between them is what holds no beginning of such a rule and none of the end. `bodies` are
/// those of all rules.
pub(super) fn lazy(
    builder: &mut Builder,
    lazy: &HashSet<ExprId>,
    bodies: &HashMap<String, ExprId>,
    is_regular: impl Fn(ExprId) -> bool,
) {
    if lazy.is_empty() {
        return;
    }
    let nullable = nullable(builder);
    // How many bounded loops stand in each other; what an expression is made of stands before it.
    let mut levels = vec![0_u32; nullable.len()];
    for index in 0..nullable.len() {
        let level = |id: ExprId| levels.get(id.0 as usize).copied().unwrap_or(0);
        levels[index] = builder.grammar.exprs[index].children().map(level).max().unwrap_or(0);
        let Expr::Sequence(items) = &builder.grammar.exprs[index] else { continue };
        if !items.iter().any(|item| lazy.contains(item)) {
            continue;
        }
        let mut items = items.clone();
        levels[index] += 1;
        if levels[index] > DEEPEST {
            let span = builder.grammar.spans[index];
            builder.lose(
                span,
                format!("loops that end as soon as they can stand in over {DEEPEST} others"),
                GREEDY,
            );
            continue;
        }
        for at in (0..items.len()).rev() {
            if lazy.contains(&items[at]) {
                bound(builder, &mut items, at, &nullable, bodies, &is_regular);
            }
        }
        builder.grammar.exprs[index] = Expr::Sequence(items);
    }
}

/// Bounds the loop at an index of a sequence.
fn bound(
    builder: &mut Builder,
    items: &mut Vec<ExprId>,
    at: usize,
    nullable: &[bool],
    bodies: &HashMap<String, ExprId>,
    is_regular: impl Fn(ExprId) -> bool,
) {
    let looping = items[at];
    let span = builder.grammar.span(looping);
    let is_null = |id: &ExprId| nullable.get(id.0 as usize).copied().unwrap_or(false);
    let Some(length) = items[at + 1..].iter().position(|item| !is_null(item)) else {
        // Nothing ends it, so it ends at once.
        if items.len() == at + 1
            && let Expr::Repeat { expr, min, .. } = *builder.grammar.expr(looping)
        {
            items[at] = builder.repeat(expr, min, Some(min), span);
        }
        return;
    };
    let mut end: Vec<ExprId> = items[at + 1..=at + 1 + length].to_vec();
    let mut rest = None;
    // `'\n'+` ends the loop by its first.
    if let Some(last) = end.last_mut()
        && let Expr::Repeat { expr, min, max, .. } = *builder.grammar.expr(*last)
        && max != Some(min)
    {
        let span = builder.grammar.span(*last);
        *last = builder.repeat(expr, min, Some(min), span);
        rest = Some(builder.repeat(expr, 0, max.map(|max| max - min), span));
    }
    // Two loops with nothing between them have one end.
    if end.iter().any(|item| item.0 as usize >= nullable.len() && rest.is_none()) {
        return builder.lose(span, "this loop goes on as long as it can", GREEDY);
    }
    if !is_regular(looping) || !end.iter().all(|&item| is_regular(item)) {
        match nested(builder, looping, end[0], bodies, &is_regular) {
            Some(careful) => items[at] = careful,
            None => builder.lose(span, "this loop goes on as long as it can", GREEDY),
        }
        return;
    }
    if let Some(ordered) = ordered(builder, looping, &end, bodies) {
        items.splice(at..=at + 1 + length, ordered.into_iter().chain(rest));
        return;
    }
    let mut parts = vec![looping];
    parts.append(&mut end);
    let base = builder.sequence(&parts, span);
    parts.push(anything(builder, 1, span));
    let minus = builder.sequence(&parts, span);
    let shortest = builder.except(base, minus, span);
    items.splice(at..=at + 1 + length, [shortest].into_iter().chain(rest));
}

/// A loop and its end, where the loop takes other texts before single characters, though these could be their
/// beginning: an escaped end is no end. None where it is another loop.
///
/// Before each such text, and before the end, stand single characters among which neither begins.
fn ordered(
    builder: &mut Builder,
    looping: ExprId,
    end: &[ExprId],
    bodies: &HashMap<String, ExprId>,
) -> Option<[ExprId; 2]> {
    let Expr::Repeat { expr, min, max, .. } = *builder.grammar.expr(looping) else { return None };
    let span = builder.grammar.span(looping);
    let Expr::Choice(all) = builder.grammar.expr(expr) else { return None };
    let mut texts: Vec<ExprId> = all.iter().map(|one| one.expr).collect();
    let mut chars = Vec::new();
    while let Some(more) = symbols(builder, bodies, *texts.last()?) {
        chars.extend(more);
        texts.pop();
    }
    let chars = union(chars);
    let begins = |char: char| meets(&chars, &[(u32::from(char), u32::from(char))]);
    let is_apart = |&text: &ExprId| {
        openings(builder, bodies, text)
            .is_some_and(|all| !all.iter().any(|one| one.chars().next().is_none_or(begins)))
    };
    if chars.is_empty() || texts.iter().all(is_apart) {
        return None;
    }
    if (min, max) != (0, None) {
        let what = "this loop ends at its end, even where another of its texts holds that";
        builder.lose(span, what, "what goes on after such an end is neither produced nor read");
        return None;
    }
    let char = builder.class(chars, span);
    let chars = builder.repeat(char, 0, None, span);
    let text = builder.choice(&texts, span);
    let end = builder.sequence(end, span);
    let (any, more) = (anything(builder, 0, span), anything(builder, 1, span));
    let text_or_end = builder.choice(&[text, end], span);
    let [pair, sooner, last, inside, after] =
        [vec![text], vec![text_or_end, more], vec![end], vec![text, any], vec![end, more]]
            .map(|rest| builder.sequence(&[vec![chars], rest].concat(), span));
    let pair = builder.except(pair, sooner, span);
    let minus = builder.choice(&[inside, after], span);
    Some([builder.repeat(pair, 0, None, span), builder.except(last, minus, span)])
}

/// The characters that an expression stands for, if it is a set.
pub(super) fn symbols(
    builder: &Builder,
    bodies: &HashMap<String, ExprId>,
    expr: ExprId,
) -> Option<Ranges> {
    let (mut out, mut stack) = (Vec::new(), vec![expr]);
    // A rule that leads to itself would go on for ever.
    for _ in 0..1000 {
        let Some(id) = stack.pop() else { return Some(out) };
        match builder.grammar.expr(id) {
            Expr::Class(ranges) => out.extend(ranges),
            Expr::Choice(all) => stack.extend(all.iter().map(|one| one.expr)),
            Expr::Literal { bytes, ignore_case } => {
                let mut chars = std::str::from_utf8(bytes).ok()?.chars();
                let (Some(one), None) = (chars.next(), chars.next()) else { return None };
                match ignore_case {
                    true => out.extend(both(u32::from(one))),
                    false => out.push((u32::from(one), u32::from(one))),
                }
            }
            Expr::Reference(name) => stack.push(*bodies.get(name)?),
            _ => return None,
        }
    }
    None
}

/// A loop over any character and rules that lead to themselves, such that no character is taken for what
/// begins a rule or the end. None where it is another loop.
fn nested(
    builder: &mut Builder,
    looping: ExprId,
    end: ExprId,
    bodies: &HashMap<String, ExprId>,
    is_regular: impl Fn(ExprId) -> bool,
) -> Option<ExprId> {
    let Expr::Repeat { expr, min: 0, max: None, .. } = *builder.grammar.expr(looping) else {
        return None;
    };
    let span = builder.grammar.span(looping);
    let Expr::Choice(all) = builder.grammar.expr(expr).clone() else { return None };
    let ends = openings(builder, bodies, end)?;
    let (mut rules, mut begins, mut any) = (Vec::new(), Vec::new(), false);
    for one in all {
        match builder.grammar.expr(one.expr) {
            Expr::Class(class) => any |= class.len() <= 2 && class.first() == Some(&(0, 0xD7FF)),
            _ if is_regular(one.expr) => return None,
            _ => {
                begins.extend(openings(builder, bodies, one.expr)?);
                rules.push(one.expr);
            }
        }
    }
    if !any {
        return None;
    }
    let rule = builder.choice(&rules, span);
    let before_rule = between(builder, &begins, &ends, &begins, span);
    let before_end = between(builder, &begins, &ends, &ends, span);
    let pair = builder.sequence(&[before_rule, rule], span);
    let pairs = builder.repeat(pair, 0, None, span);
    Some(builder.sequence(&[pairs, before_end], span))
}

/// Texts in which none of some others begins, even with what follows them.
fn between(
    builder: &mut Builder,
    begins: &[String],
    ends: &[String],
    next: &[String],
    span: Span,
) -> ExprId {
    let mut wrong = Vec::new();
    let mut last: Ranges = Vec::new();
    for text in begins.iter().chain(ends) {
        let head: String = text.chars().take(2).collect();
        let mut chars = head.chars();
        if let (Some(first), Some(second)) = (chars.next(), chars.next())
            && next.iter().any(|next| next.starts_with(second))
        {
            last.push((u32::from(first), u32::from(first)));
        }
        wrong.push(builder.literal(head.as_bytes(), false, span));
    }
    let wrong = builder.choice(&wrong, span);
    let (all, before, after) =
        (anything(builder, 0, span), anything(builder, 0, span), anything(builder, 0, span));
    let mut minus = vec![builder.sequence(&[before, wrong, after], span)];
    if !last.is_empty() {
        let last = builder.class(last, span);
        minus.push(builder.sequence(&[before, last], span));
    }
    let minus = builder.choice(&minus, span);
    builder.except(all, minus, span)
}

/// The texts that an expression begins with; none where it begins otherwise.
fn openings(
    builder: &Builder,
    bodies: &HashMap<String, ExprId>,
    expr: ExprId,
) -> Option<Vec<String>> {
    let (mut out, mut stack) = (Vec::new(), vec![expr]);
    // A rule that begins with itself would go on for ever.
    for _ in 0..1000 {
        let Some(id) = stack.pop() else { return Some(out) };
        match builder.grammar.expr(id) {
            Expr::Literal { bytes, .. } => out.push(String::from_utf8_lossy(bytes).into_owned()),
            Expr::Sequence(items) => stack.push(*items.first()?),
            Expr::Choice(all) => stack.extend(all.iter().map(|one| one.expr)),
            Expr::Repeat { expr, min, .. } if *min > 0 => stack.push(*expr),
            Expr::Reference(name) => stack.push(*bodies.get(name)?),
            _ => return None,
        }
    }
    None
}
