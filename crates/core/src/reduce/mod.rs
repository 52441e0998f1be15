//! Reduction: from a tree whose text shows something to a small one whose text still does.
//!
//! A [`Reducer`] holds the smallest tree so far, hands out smaller [`Candidate`]s of it, and is told
//! which of them are still interesting. It runs nothing itself. Each candidate is a derivation of
//! the same grammar, so a parser under test is never lost to its own syntax errors.
//!
//! # Operators
//!
//! - **Smallest**: a subtree becomes the shortest that its rule derives, a token its shortest text.
//! - **Hoist**: a subtree takes the place of an ancestor of the same rule, group or repetition.
//! - **Chains**: where a recursive rule makes a list, as `list = item list | item`, half of it goes by
//!   one hoist, then quarters, as elements of repetitions do.
//! - **Delete**: elements of a repetition go, within its bounds, first all, then halves, down to
//!   single ones, as in Zeller and Hildebrandt's ddmin ("Simplifying and Isolating Failure-Inducing
//!   Input", 2002), of which only the complements are tried: a list of which one element matters
//!   needs twice the logarithm of its length.
//! - **Move up**: in `item ( "," item )*` the first item goes and the next takes its place.
//! - **Another alternative**: a node is derived anew by another alternative of its rule, from what
//!   is under it as far as it fits, as `sum = sum "+" product | product` from `1+2` to `2`. What
//!   fits is what an item derives, alone or by rules that derive nothing else beside it.
//! - **Unwrap**: an element of a list becomes the elements of a list inside it, as a block its
//!   statements.
//! - **Layout** between tokens goes; where two tokens would fuse the plain separator stays.
//! - Inside tokens, if asked ([`Options::tokens`]): symbols of a regular terminal are deleted while
//!   its automaton accepts the rest, and symbols become the plainest that the grammar cannot tell
//!   from them.
//!
//! # Order
//!
//! Nodes are visited by the length of what they yield, the longest first, since no operator at a
//! node gains more than that. At each node it is first tried whether the subtree matters at all;
//! only if it does, it is tried in the place of its ancestors. This is the order of Perses (Sun et
//! al., "Perses: Syntax-Guided Program Reduction", 2018), with hoisting seen from below: a list is
//! shortened before its elements are hoisted one by one. What needs many candidates for a small
//! chance comes in rounds of its own, when the tree is small. Rounds follow each other until one of
//! each kind has found nothing: the result is 1-minimal, in that no single application of an
//! operator to it is interesting.
//!
//! # Texts that are no sentences
//!
//! A [`TextReducer`] takes any text. What is a sentence it reduces as said; anything else by its largest
//! parts that are sentences of some rule, and by lines, tokens and characters around them.
//!
//! # Parallel callers
//!
//! Candidates can be asked for ahead of answers: they are those that come next if all before them
//! are refused. The first interesting one in the order of candidates is taken, not the first one
//! that is answered, and those after it are void. So the result, and [`Reducer::tried`], do not
//! depend on how many candidates are evaluated at a time.

mod assemble;
mod cuts;
mod open;
mod reducer;
mod round;
mod shape;
mod splits;
mod step;
mod symbols;
mod text;
mod units;

pub use open::Ticket;
pub use reducer::{Candidate, Options, Reducer};
pub use text::TextReducer;
