//! How the alternatives of a rule that begins with itself bind, as ANTLR 4's documentation says in "Left-recursive
//! rules": of operators the earlier alternative binds tighter; those with an operand on both sides associate
//! to the left unless `<assoc=right>` says otherwise.

use super::source::Source;
use crate::import::builder::Builder;
use pleach_core::grammar::{Associativity, Binding, Expr, ExprId, Span};

/// Writes the bindings of all operators of the parser.
pub(super) fn bind(builder: &mut Builder, source: &Source) {
    for rule in &source.parser {
        let Expr::Choice(alternatives) = builder.grammar.expr(rule.body) else { continue };
        let is_self = |id: ExprId| matches!(builder.grammar.expr(id), Expr::Reference(it) if *it == rule.name);
        // Whether an alternative begins and whether it ends with its rule.
        let ends = |id: ExprId| match builder.grammar.expr(id) {
            Expr::Sequence(items) if items.len() > 1 => {
                [items[0], items[items.len() - 1]].map(is_self)
            }
            _ => [false; 2],
        };
        let all: Vec<[bool; 2]> = alternatives.iter().map(|one| ends(one.expr)).collect();
        if !all.iter().any(|ends| ends[0]) {
            continue;
        }
        let mut alternatives = alternatives.clone();
        let operators = alternatives.iter_mut().zip(all).filter(|(_, ends)| *ends != [false; 2]);
        // The last one binds the least.
        for ((alternative, ends), level) in operators.rev().zip(1..) {
            let span = builder.grammar.span(alternative.expr);
            let associativity = match ends {
                [true, true] if source.is_right(span) => Associativity::Right,
                [true, true] => Associativity::Left,
                _ => Associativity::Unspecified,
            };
            alternative.binding = Some(Binding { level, associativity });
        }
        builder.grammar.exprs[rule.body.0 as usize] = Expr::Choice(alternatives);
    }
}

impl Source {
    /// Whether an alternative that stands there is said to associate to the right.
    fn is_right(&self, span: Span) -> bool {
        let holds =
            |right: &Span| right.file == span.file && (span.start..span.end).contains(&right.start);
        self.rights.iter().any(holds)
    }
}
