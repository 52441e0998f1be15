//! Terms as circuits, and circuits as clauses of a SAT solver.
//!
//! [`Circuit`] makes gates, each once, and leaves out what constants decide. Its clauses only define:
//! whatever the inputs are, there are values for all gates. So a solver can be asked again and again
//! under assumptions, and what it has learnt stays true.

mod arithmetic;
mod circuit;
mod terms;

pub(crate) use circuit::{Circuit, Found, Limits};
