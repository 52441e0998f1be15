//! Failures of units, and whether the program fails so.

use std::path::Path;

use pleach::explore::search::Failure as Fault;
use pleach::native::unit::wire::Row;

use crate::runs::Ending;

/// How many failures of a unit at a place are lifted.
const REPEATED: u64 = 4;

/// A failure of a unit.
#[derive(Clone, Debug)]
pub(super) struct Suspicion {
    pub(super) function: String,
    /// Where the panic was, or how the process ended.
    pub(super) place: String,
    /// The same with the panic's message.
    pub(super) what: String,
    pub(super) row: Row,
    pub(super) count: u64,
    /// Whether the program has failed so.
    pub(super) confirmed: bool,
}

impl Suspicion {
    pub(super) fn is_over(&self) -> bool {
        self.confirmed || self.count > REPEATED
    }
}

/// Whether the program has failed as a unit did: at the line of its panic, or by ending as it did; a service says that it is one.
pub(super) fn is_so(fault: &Fault, place: &str) -> bool {
    let is_timeout = |text: &str| text == Ending::TimedOut.to_string();
    match (line(&fault.location), line(place)) {
        (Some(_), Some(_)) => is_there(fault, place),
        // The program as it was built without marks has other words for its end.
        (None, None) if fault.message.is_empty() => (fault.kind == "timeout") == is_timeout(place),
        (None, None) => fault.message.ends_with(place),
        _ => false,
    }
}

/// Whether the program has failed at the line of a unit's panic.
pub(super) fn is_there(fault: &Fault, place: &str) -> bool {
    match (line(&fault.location), line(place)) {
        // The compiler is told some paths from the workspace on.
        (Some(own), Some(place)) => Path::new(place).ends_with(own),
        _ => false,
    }
}

/// A place without its column: a mark moves what is behind it in its line.
fn line(place: &str) -> Option<&str> {
    place.rsplit_once(':').map(|it| it.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_the_units_where_it_is_at_its_place_or_ends_the_program_so() {
        let fault = |location: &str, message: &str| Fault {
            input: Vec::new(),
            kind: "end".into(),
            location: location.into(),
            message: message.into(),
            count: 1,
        };
        let panic = fault("src/a.rs:1:2", "no");
        assert!(is_so(&panic, "src/a.rs:1:2") && is_so(&panic, "/folder/src/a.rs:1:20"));
        assert!(!is_so(&panic, "src/a.rs:12:2") && !is_so(&panic, "a timeout"));
        let ended = |kind: &str| Fault { kind: kind.into(), ..fault("", "") };
        let (timeout, signal) = (Ending::TimedOut.to_string(), Ending::Signal(6).to_string());
        assert!(is_so(&ended("timeout"), &timeout) && is_so(&ended("abort"), &signal));
        assert!(!is_so(&ended("timeout"), &signal) && !is_so(&ended("abort"), &timeout));
        let death = fault("", &format!("the service ended with {}", Ending::Signal(6)));
        assert!(is_so(&death, &Ending::Signal(6).to_string()));
        assert!(!is_so(&death, "src/a.rs:1:2") && !is_so(&death, &Ending::TimedOut.to_string()));
    }
}
