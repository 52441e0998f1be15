//! Where a panic of the standard library comes from: the innermost place of the program's own in a backtrace, as the library prints it.

/// Where sources of the standard library are, and of what it depends on: as it is compiled, and as rustup installs them.
const STD: [&str; 3] = ["/rustc/", "/rust/deps/", "/lib/rustlib/src/rust/library/"];
/// What functions are called that begin a panic: what has a frame before them takes the backtrace.
const BEGIN: [&str; 3] = ["core::panicking::", "std::panicking::begin_panic", "rust_begin_unwind"];

/// Whether a source file, as the compiler or a panic names it, is one of the standard library.
pub fn is_of_std(path: &str) -> bool {
    let [compiled, below, installed] = STD;
    path.starts_with(compiled) || path.starts_with(below) || path.contains(installed)
}

/// The innermost place outside of the standard library below what begins the panic: file, line and column. What begins with a backtrace is read to the
/// end of that.
pub fn own(trace: &str) -> Option<&str> {
    let (mut has_begun, mut begins) = (false, false);
    for line in trace.lines() {
        let line = line.trim_start();
        if let Some(place) = line.strip_prefix("at ") {
            // Without debug information there are places of C alone.
            if has_begun && !begins && !is_of_std(place) && place.contains(".rs:") {
                return Some(place);
            }
        } else {
            let frame = line.split_once(": ").filter(|(number, _)| number.parse::<u32>().is_ok());
            let Some((_, name)) = frame else { break };
            // The library's functions that panic have such names too, and so each that has one is gone through.
            begins = BEGIN.iter().any(|begin| name.contains(begin));
            has_begun |= begins;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_called_the_library_is_the_first_place_outside_of_it() {
        let trace = "   0: hook::said\n             at /x/unit/src/campaign/mod.rs:57:5
   1: __rustc::rust_begin_unwind\n             at /rustc/5980/library/std/src/panicking.rs:689:5
   2: core::panicking::panic_fmt\n             at /rustc/5980/library/core/src/panicking.rs:80:14
   3: core::iter::adapters::step_by::StepBy<I>::new\n             at /rustc/5980/library/core/src/iter/adapters/step_by.rs:35:9
   4: cron::time_unit::ordinals\n             at /y/cron-0.12.0/src/time_unit/mod.rs:210:30
   5: main\n             at /y/src/main.rs:3:5\n";
        assert_eq!(own(trace), Some("/y/cron-0.12.0/src/time_unit/mod.rs:210:30"));
        assert_eq!(own("   0: a::b\n             at /x/a.rs:1:1\n"), None, "there is no panic");
        assert_eq!(own("<disabled>"), None);
        let ended = trace.split("   4: ").next().unwrap().to_owned()
            + "note: more\n   4: b\n at /y/b.rs:1:1\n";
        assert_eq!(own(&ended), None, "{ended}");
    }

    #[test]
    fn a_panic_within_the_library_comes_from_here() {
        let hook = std::panic::take_hook();
        let (sender, receiver) = std::sync::mpsc::channel();
        let sender = std::sync::Mutex::new(sender);
        std::panic::set_hook(Box::new(move |_| {
            let trace = std::backtrace::Backtrace::force_capture();
            let _ = sender.lock().map(|it| it.send(format!("{trace:#}")));
        }));
        let zero = std::hint::black_box(0);
        let panic = std::panic::catch_unwind(|| [1].iter().step_by(zero).count());
        std::panic::set_hook(hook);
        assert!(panic.is_err());
        let trace = receiver.recv().unwrap();
        // Tests may be built without debug information.
        if trace.contains("/src/trace.rs:") {
            let place = own(&trace).unwrap_or_default();
            assert!(place.starts_with('/') && place.contains("/src/trace.rs:"), "{place}: {trace}");
        }
    }
}
