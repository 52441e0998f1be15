//! `uu_b2sum`, as its own package makes a program of it.

use subjects as _;

uucore::bin!(uu_b2sum);
