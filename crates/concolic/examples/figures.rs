//! Figures of the reader and the machine: `cargo run --release -p pleach-concolic --example figures -- FILE.ll
//! INPUT...` reads a program's IR and runs it with each file as its standard input.
//!
//! Times are those of the processor (`/proc/self/schedstat`), so that what else runs counts little.

use pleach_concolic::ir::{FunctionId, Module, Pc};
use pleach_concolic::trace::Tracer;
use pleach_concolic::vm::{Domain, Flow, Machine, Options, Outcome, Plain};
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;

/// Seconds that this process has computed.
fn now() -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds = text.split(' ').next().unwrap_or_default().parse::<u64>()?;
    Ok(nanoseconds as f64 / 1e9)
}

/// Stops at every call.
#[derive(Clone, Copy, Debug)]
struct EachCall;

impl Domain for EachCall {
    type Shadow = ();
    const SHADOWED: bool = false;
    const WATCHED: bool = true;

    fn call(&mut self, _: Pc, _: FunctionId, _: &[u128], _: &[()]) -> Flow {
        Flow::Pause
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("the file of the IR is expected")?;
    let text = std::fs::read_to_string(&file)?;
    let begin = now()?;
    let module = Arc::new(Module::read(&text)?);
    let seconds = now()? - begin;
    let megabytes = text.len() as f64 / 1e6;
    println!(
        "read        {megabytes:.1} MB in {seconds:.2} s, {:.0} MB/s; {} functions, {} instructions",
        megabytes / seconds,
        module.functions().count(),
        module.instructions()
    );
    let inputs: Vec<Vec<u8>> = arguments.map(std::fs::read).collect::<Result<_, _>>()?;
    run("plain", &module, Plain, &inputs)?;
    run("traced", &module, Tracer::new(1 << 20, false), &inputs)?;
    snapshots(&module, &inputs)
}

fn run<D: Domain>(
    name: &str,
    module: &Arc<Module>,
    domain: D,
    inputs: &[Vec<u8>],
) -> Result<(), Box<dyn Error>> {
    let mut machine = Machine::new(Arc::clone(module), domain, Options::default())?;
    let fresh = machine.snapshot();
    let (mut steps, mut seconds, mut crashes) = (0, 0.0, 0);
    for input in inputs {
        machine.resume(&fresh);
        machine.set_input(input);
        machine.start()?;
        let begin = now()?;
        crashes += usize::from(machine.run().is_crash());
        seconds += now()? - begin;
        steps += machine.steps();
    }
    println!(
        "{name:<11} {} inputs, {crashes} crashes, {:.1} M instructions in {seconds:.2} s, {:.1} M/s",
        inputs.len(),
        steps as f64 / 1e6,
        steps as f64 / 1e6 / seconds
    );
    Ok(())
}

/// One at each call, up to a million; then again with a megabyte on the heap.
fn snapshots(module: &Arc<Module>, inputs: &[Vec<u8>]) -> Result<(), Box<dyn Error>> {
    for heap in [0, 1 << 20] {
        let (mut count, mut seconds, mut rest) = (0u32, 0.0, 0.0);
        for input in inputs {
            let options = Options { input: input.clone(), ..Options::default() };
            let mut machine = Machine::new(Arc::clone(module), EachCall, options)?;
            for _ in 0..heap / 64 {
                machine.allocate(&[1; 64])?;
            }
            machine.start()?;
            // The last one lives while the run goes on, so that writes copy.
            let mut last = machine.snapshot();
            let begin = now()?;
            let mut taken = 0.0;
            while machine.run() == Outcome::Paused && count < 1_000_000 {
                let before = std::time::Instant::now();
                last = machine.snapshot();
                taken += before.elapsed().as_secs_f64();
                count += 1;
            }
            rest += now()? - begin;
            seconds += taken;
            black_box(&last);
        }
        println!(
            "snapshots   {count} with {heap} bytes more on the heap, {:.2} µs each; {:.2} µs with what a call executes and copies",
            seconds * 1e6 / f64::from(count),
            rest * 1e6 / f64::from(count)
        );
    }
    Ok(())
}
