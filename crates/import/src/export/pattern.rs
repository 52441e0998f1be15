//! Regexes as groups, classes and repetitions.

use regex_syntax::hir::{Class, Hir, HirKind};

use pleach_core::grammar::{Alternative, Encoding, Expr, ExprId, Grammar, Span};
use pleach_core::internal::without_surrogates;

/// What is still to be done.
enum Work<'h> {
    Hir(&'h Hir),
    Sequence(usize),
    Choice(usize),
    Repeat(u32, Option<u32>),
}

/// Adds to a grammar what a pattern means; none where that takes symbols of another kind than the grammar's.
///
/// Looking around is taken for nothing, as it is where the pattern is that of a grammar's terminal.
pub(super) fn write(hir: &Hir, bytes: bool, grammar: &mut Grammar) -> Option<ExprId> {
    let span = Span::default();
    let mut work = vec![Work::Hir(hir)];
    let mut done: Vec<ExprId> = Vec::new();
    while let Some(next) = work.pop() {
        let expr = match next {
            Work::Hir(hir) => match hir.kind() {
                HirKind::Empty | HirKind::Look(_) => Expr::Sequence(Vec::new()),
                HirKind::Literal(literal) => {
                    Expr::Literal { bytes: literal.0.to_vec(), ignore_case: false }
                }
                HirKind::Class(Class::Unicode(class)) if !bytes => {
                    let ranges = class.iter().map(|it| (it.start().into(), it.end().into()));
                    // Their ranges are of characters, and pass over what is none.
                    Expr::Class(without_surrogates(ranges.collect(), Encoding::Unicode))
                }
                HirKind::Class(Class::Bytes(class)) => Expr::Class(
                    class.iter().map(|it| (it.start().into(), it.end().into())).collect(),
                ),
                HirKind::Class(Class::Unicode(_)) => return None,
                HirKind::Capture(capture) => {
                    work.push(Work::Hir(&capture.sub));
                    continue;
                }
                HirKind::Repetition(repetition) => {
                    work.push(Work::Repeat(repetition.min, repetition.max));
                    work.push(Work::Hir(&repetition.sub));
                    continue;
                }
                HirKind::Concat(parts) => {
                    work.push(Work::Sequence(parts.len()));
                    work.extend(parts.iter().rev().map(Work::Hir));
                    continue;
                }
                HirKind::Alternation(parts) => {
                    work.push(Work::Choice(parts.len()));
                    work.extend(parts.iter().rev().map(Work::Hir));
                    continue;
                }
            },
            Work::Sequence(count) => Expr::Sequence(done.split_off(done.len() - count)),
            Work::Choice(count) => {
                let parts = done.split_off(done.len() - count);
                let plain = Alternative::plain;
                Expr::Choice(parts.into_iter().map(plain).collect())
            }
            Work::Repeat(min, max) => Expr::Repeat { expr: done.pop()?, min, max, weight: None },
        };
        done.push(grammar.push(expr, span));
    }
    done.pop()
}
