//! Terms as definitions, each of them once.

use super::Question;
use crate::terms::{Binary, Compare, Node, TermId, Terms};
use std::fmt::Write;

/// What precedes the old values in a script.
pub(super) const OLD: &str = ":pleach-old";

impl Terms {
    /// A script that asks whether all constraints can hold together.
    ///
    /// Variable `i` is called `vi`, every other term by its place, and each is defined once.
    pub fn to_smtlib(&self, constraints: &[TermId]) -> String {
        let mut script = String::from("(set-logic QF_BV)\n");
        self.write(&mut script, constraints);
        script
    }

    /// A script that asks a question, from which it can be read again.
    pub fn question_to_smtlib(&self, question: &Question) -> String {
        let mut script = String::from("(set-logic QF_BV)\n");
        let constraints: Vec<TermId> =
            question.path.iter().chain([&question.goal]).copied().collect();
        let mut variables: Vec<u32> =
            constraints.iter().flat_map(|&term| self.variables(term)).copied().collect();
        variables.sort_unstable();
        variables.dedup();
        let values = variables.iter().map(|&v| format!("{v}={}", question.old.get(v)));
        let values = values.collect::<Vec<_>>().join(" ");
        put(&mut script, format_args!("(set-info {OLD} \"{values}\")\n"));
        self.write(&mut script, &constraints);
        script
    }

    fn write(&self, script: &mut String, constraints: &[TermId]) {
        let mut written = fxhash::FxHashSet::default();
        let mut stack: Vec<(TermId, bool)> =
            constraints.iter().rev().map(|&term| (term, false)).collect();
        while let Some((term, ready)) = stack.pop() {
            if written.contains(&term) || self.as_constant(term).is_some() {
                continue;
            }
            if !ready {
                stack.push((term, true));
                let operands = self.node(term).operands().rev();
                stack.extend(operands.map(|operand| (operand, false)));
                continue;
            }
            written.insert(term);
            self.define(script, term);
        }
        for &constraint in constraints {
            let name = self.name(constraint);
            put(script, format_args!("(assert (= {name} #b1))\n"));
        }
        script.push_str("(check-sat)\n");
    }

    /// How a term is referred to.
    fn name(&self, term: TermId) -> String {
        match self.node(term) {
            Node::Constant(_) => {
                let value = self.as_constant(term).unwrap_or(0);
                format!("(_ bv{value} {})", self.width(term))
            }
            Node::Variable(number) => format!("v{number}"),
            _ => format!("t{}", term.index()),
        }
    }

    fn define(&self, script: &mut String, term: TermId) {
        let (name, width) = (self.name(term), self.width(term));
        if self.as_variable(term).is_some() {
            put(script, format_args!("(declare-const {name} (_ BitVec {width}))\n"));
            return;
        }
        let names: Vec<String> = self.node(term).operands().map(|term| self.name(term)).collect();
        let extended = |from: TermId| width - self.width(from);
        let body = match self.node(term) {
            Node::Constant(_) | Node::Variable(_) => unreachable!("they are no definitions"),
            Node::Binary(op, ..) => format!("({} {} {})", binary(op), names[0], names[1]),
            Node::Compare(op, ..) => {
                format!("(ite ({} {} {}) #b1 #b0)", compare(op), names[0], names[1])
            }
            Node::Not(_) => format!("(bvnot {})", names[0]),
            Node::Ite(..) => format!("(ite (= {} #b1) {} {})", names[0], names[1], names[2]),
            Node::Extract(_, low) => {
                format!("((_ extract {} {low}) {})", low + width - 1, names[0])
            }
            Node::Concat(..) => format!("(concat {} {})", names[0], names[1]),
            Node::ZeroExtend(a) => format!("((_ zero_extend {}) {})", extended(a), names[0]),
            Node::SignExtend(a) => format!("((_ sign_extend {}) {})", extended(a), names[0]),
        };
        put(script, format_args!("(define-fun {name} () (_ BitVec {width}) {body})\n"));
    }
}

fn put(script: &mut String, text: std::fmt::Arguments<'_>) {
    script.write_fmt(text).expect("a string takes all that is written");
}

fn binary(op: Binary) -> &'static str {
    match op {
        Binary::Add => "bvadd",
        Binary::Sub => "bvsub",
        Binary::Mul => "bvmul",
        Binary::UDiv => "bvudiv",
        Binary::URem => "bvurem",
        Binary::SDiv => "bvsdiv",
        Binary::SRem => "bvsrem",
        Binary::And => "bvand",
        Binary::Or => "bvor",
        Binary::Xor => "bvxor",
        Binary::Shl => "bvshl",
        Binary::LShr => "bvlshr",
        Binary::AShr => "bvashr",
    }
}

fn compare(op: Compare) -> &'static str {
    match op {
        Compare::Eq => "=",
        Compare::Ult => "bvult",
        Compare::Ule => "bvule",
        Compare::Slt => "bvslt",
        Compare::Sle => "bvsle",
    }
}
