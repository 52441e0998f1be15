//! The reader of IR, and the machine that runs it.

use std::sync::Arc;

use pleach::inside::ir::Module;
use pleach::inside::trace::{Filter, Recorder, Tracer};
use pleach::inside::vm::{Domain, Machine, Options, Outcome, Plain};

/// What a run may use.
fn options() -> Options {
    Options::new()
        .steps(20_000)
        .memory(1 << 22)
        .stack(1 << 16)
        .input(*b"some input 12345")
        .files([(b"/a/b".to_vec(), b"contents".to_vec())])
}

/// How a run ends under a domain, what it wrote, and after how many steps.
fn end<D: Domain>(module: &Arc<Module>, domain: D) -> (Outcome, Vec<u8>, u64, Option<Machine<D>>) {
    let mut machine = match Machine::new(Arc::clone(module), domain, options()) {
        Ok(machine) => machine,
        Err(outcome) => return (outcome, Vec::new(), 0, None),
    };
    let outcome = machine.start().map_or_else(|outcome| outcome, |()| machine.run());
    (outcome, machine.output().to_owned(), machine.steps(), Some(machine))
}

/// No text panics, hangs, or takes much memory. What is read runs the same whatever watches it, and again from a snapshot.
pub fn machine(text: &str) {
    let Ok(module) = Module::read(text) else { return };
    let module = Arc::new(module);
    let (outcome, output, steps, _) = end(&module, Plain);
    let (traced, written, taken, tracer) = end(&module, Tracer::new(100, true));
    assert_eq!((&traced, &written, taken), (&outcome, &output, steps));
    if let Some(machine) = tracer {
        let domain = &machine.domain;
        let told: Vec<String> =
            domain.branches().iter().map(|branch| domain.describe(&module, branch)).collect();
        assert_eq!(told.len(), domain.branches().len());
        let _ = (domain.profile.calls(&module), machine.subject_place());
    }
    let filter = Filter { shows: Box::new(|_| true), functions: Vec::new(), independent: true };
    let (recorded, written, taken, _) =
        end(&module, Recorder::new(Arc::clone(&module), filter, 100));
    assert_eq!((&recorded, &written, taken), (&outcome, &output, steps));

    if let Ok(mut machine) = Machine::new(Arc::clone(&module), Plain, options()) {
        let fresh = machine.snapshot();
        for _ in 0..2 {
            machine.resume(&fresh);
            let again = machine.start().map_or_else(|outcome| outcome, |()| machine.run());
            assert_eq!((&again, machine.output(), machine.steps()), (&outcome, &output[..], steps));
        }
    }
}

#[cfg(test)]
mod tests {
    use pleach::Seeded;
    use pleach::inside::ir::Module;
    use pleach::produce::{Options, Producer};
    use pleach::table::Table;
    use pleach::tree::Tree;

    /// The texts of the machine's own tests, and sentences of the target's grammar, most of which are read.
    #[test]
    fn programs_run_the_same_whatever_watches_them() {
        super::machine(include_str!("../../crates/concolic/tests/data/mixed.ll"));
        super::machine(include_str!("../../crates/concolic/tests/data/system.ll"));
        let table = Table::parse(include_str!("../grammars/llvm-ir.pleach")).unwrap();
        let mut producer = Producer::new(&table, Options::new().size(400)).unwrap();
        let (mut seed, mut tree, mut read) = (Seeded::new(1), Tree::new(), 0);
        for _ in 0..300 {
            producer.produce(&mut seed, &mut tree);
            let text = std::str::from_utf8(tree.text()).unwrap();
            super::machine(text);
            read += usize::from(Module::read(text).is_ok());
        }
        assert!(read > 100, "{read} of 300 are read");
    }
}
