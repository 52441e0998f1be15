//! Explores a target for some seconds of the processor's time and says what was found: `cargo run --release -p
//! pleach-explore --example explore -- SECONDS SEED KEEP TARGET INPUT...`.

use pleach_concolic::build::{Builder, Target};
use pleach_concolic::vm::Options as Machine;
use pleach_explore::search::{Event, Explorer, Options};
use pleach_explore::subject::Subject;
use pleach_explore::symbolic::SymbolicLimits;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// Seconds that this process has computed, and those that it has waited for.
fn now() -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds = text.split(' ').next().unwrap_or_default().parse::<u64>()?;
    Ok(nanoseconds as f64 / 1e9)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seconds, seed, keep, target, inputs @ ..] = &arguments[..] else {
        return Err("SECONDS SEED KEEP TARGET INPUT... are expected".into());
    };
    let (seconds, seed): (f64, u64) = (seconds.parse()?, seed.parse()?);
    let built = Builder::new(keep).build(&Target::parse(target, Path::new("."))?)?;
    let machine = Machine::new().steps(20_000_000);
    let subject = Subject::open(&built, machine, SymbolicLimits::default())?;
    let mut explorer = Explorer::new(subject, Options::new().seed(seed));
    for path in inputs {
        explorer.add(&std::fs::read(path)?);
    }
    let mut native = built.native;
    let begin = now()?;
    let mut said = 0.0;
    let (mut running, mut solving, mut questions) = (0.0, 0.0, Vec::new());
    loop {
        let (before, started) = (now()?, Instant::now());
        let event = explorer.step(&mut native);
        // The clock of the processor goes in steps that are longer than most questions.
        let elapsed = started.elapsed().as_secs_f64();
        let after = now()?;
        match event {
            Event::Finished => break,
            Event::Asked { .. } => {
                solving += after - before;
                questions.push(elapsed);
            }
            Event::Ran { failure, error, .. } => {
                running += after - before;
                if let Some(error) = error {
                    return Err(error.into());
                }
                if let Some(at) = failure {
                    let failure = &explorer.failures()[at];
                    println!(
                        "{:6.1} s {} at {}: {} on {:?}",
                        after - begin,
                        failure.kind,
                        failure.location,
                        failure.message,
                        String::from_utf8_lossy(&failure.input)
                    );
                }
            }
        }
        if after - begin > said {
            said += 5.0;
            println!("{:6.1} s {:?}", after - begin, explorer.counts());
        }
        if after - begin > seconds {
            break;
        }
    }
    questions.sort_by(f64::total_cmp);
    let milliseconds = |part: f64| {
        let at = (questions.len() as f64 * part) as usize;
        questions.get(at).copied().unwrap_or_default() * 1e3
    };
    println!(
        "{running:.1} s running, {solving:.1} s solving, {} candidates",
        explorer.candidates()
    );
    println!(
        "{} questions: median {:.2} ms, nine of ten within {:.2} ms, the longest {:.0} ms",
        questions.len(),
        milliseconds(0.5),
        milliseconds(0.9),
        questions.last().copied().unwrap_or_default() * 1e3
    );
    println!("{:?}", explorer.counts());
    let report = explorer.report();
    for lost in report.lost.iter().take(10) {
        println!("lost: {} {} times at {}", lost.why, lost.count, lost.site);
    }
    for branch in report.branches.iter().take(40) {
        println!("one-sided: {:?} at {}", branch.why, branch.site);
    }
    Ok(())
}
