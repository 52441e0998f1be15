//! Satisfiability of bit-vector constraints over the bytes of an input, for concolic execution.
//!
//! [`Terms`] holds expressions, simplified as they are made. [`Solver`] is asked whether a goal can
//! be true beside the constraints of a path, and answers with a [`Model`], with constraints that
//! exclude it, or that it stopped at a limit. It is a chain of links in the manner of KLEE's
//! (Cadar, Dunbar, Engler: KLEE, OSDI 2008), each of which answers or passes on: constraints that
//! have nothing to do with the goal are left out, earlier answers are looked up, single bytes are
//! tried, intervals are narrowed, and what is left goes as a circuit to a SAT solver.
//!
//! ```
//! use pleach_solver::{Answer, Binary, Compare, Model, Options, Solver, Terms};
//! let mut terms = Terms::new(10_000);
//! let zero = terms.constant(8, u128::from(b'0'));
//! let ten = terms.constant(8, 10);
//! let mut path = Vec::new();
//! let digits = [0, 1].map(|byte| {
//!     let byte = terms.variable(byte, 8);
//!     let digit = terms.binary(Binary::Sub, byte, zero);
//!     path.push(terms.compare(Compare::Ult, digit, ten));
//!     digit
//! });
//! let tens = terms.binary(Binary::Mul, digits[0], ten);
//! let number = terms.binary(Binary::Add, tens, digits[1]);
//! let wanted = terms.constant(8, 31);
//! let goal = terms.compare(Compare::Eq, number, wanted);
//!
//! let old = Model::from_bytes(b"12");
//! let answer = Solver::new(Options::new()).solve(&mut terms, &path, goal, &old);
//! assert_eq!(answer, Answer::Sat(Model::from_bytes(b"31")));
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod blast;
mod budget;
mod bytes;
mod links;
mod model;
mod options;
mod smtlib;
mod solver;
mod terms;

pub use model::Model;
pub use options::Options;
pub use smtlib::{Question, ReadError};
pub use solver::{Answer, Reason, Solver, Statistics};
pub use terms::{Binary, Compare, Evaluator, Substitution, TermId, Terms};
