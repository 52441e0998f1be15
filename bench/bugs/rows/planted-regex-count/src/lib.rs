//! Planted: a named group of as many alternatives, three at least, as it is asked to occur.

use regex_syntax::ast::{Ast, GroupKind, RepetitionKind, RepetitionRange, Visitor, parse, visit};

struct Look;

/// Reads one input.
pub fn run(text: &str) {
    if let Ok(ast) = parse::Parser::new().parse(text) {
        let _ = visit(&ast, Look);
    }
}

impl Visitor for Look {
    type Output = ();
    type Err = ();

    fn finish(self) -> Result<(), ()> {
        Ok(())
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), ()> {
        if let Ast::Repetition(repetition) = ast
            && let RepetitionKind::Range(RepetitionRange::Exactly(times)) = repetition.op.kind
            && let Ast::Group(group) = &*repetition.ast
            && let GroupKind::CaptureName { .. } = group.kind
            && let Ast::Alternation(alternation) = &*group.ast
        {
            compare(alternation.asts.len(), times);
        }
        Ok(())
    }
}

fn compare(alternatives: usize, times: u32) {
    assert!(alternatives < 3 || alternatives != times as usize, "planted");
}
