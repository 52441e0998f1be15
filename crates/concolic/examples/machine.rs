//! Figures of the reader and the machine: `cargo run --release -p pleach-concolic --example machine -- FILE.ll
//! INPUT...` reads a program's IR and runs it with each file as its standard input.
//!
//! Times are those of the processor (`/proc/self/schedstat`), so that what else runs counts little. What objects take is
//! the growth of the process's own memory (`/proc/self/statm`), beside the same number of native allocations.

use pleach_concolic::ir::{FunctionId, Module, Pc};
use pleach_concolic::trace::Tracer;
use pleach_concolic::vm::{Domain, Flow, Machine, Options, Outcome, Plain, Source};
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

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
    if file == OBJECTS {
        let (how, size) =
            (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
        println!("{}", objects(&how, size.parse()?)?);
        return Ok(());
    }
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
    memory()?;
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
        machine.give(|options| options.input(&input[..]));
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

/// How many bytes of memory this process has.
fn resident() -> Result<u64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/statm")?;
    Ok(text.split(' ').nth(1).unwrap_or_default().parse::<u64>()? * 4096)
}

/// What objects of some sizes take, all of them written, in the machine and natively. Each is a process of its own, as memory
/// that one gives back the next would use again.
fn memory() -> Result<(), Box<dyn Error>> {
    for size in [16, 64, 1024, 1 << 20] {
        let took = |how: &str| -> Result<f64, Box<dyn Error>> {
            let mut own = std::process::Command::new(std::env::current_exe()?);
            let output = own.args([OBJECTS, how, &size.to_string()]).output()?;
            Ok(String::from_utf8(output.stdout)?.trim().parse()?)
        };
        let natively = took("natively")?;
        println!(
            "memory      objects of {size} bytes: {:.2} times what they take natively, {:.2} where all depend on the input",
            took("plain")? / natively,
            took("traced")? / natively
        );
    }
    Ok(())
}

/// What stands before how and how large, where this process is to say what 64 MB of objects take.
const OBJECTS: &str = "--objects";

fn objects(how: &str, size: usize) -> Result<u64, Box<dyn Error>> {
    let (count, content) = ((1 << 26) / size, vec![1; size]);
    let (before, after);
    match how {
        "natively" => {
            let mut all = Vec::with_capacity(count);
            all.resize_with(count, Box::default);
            before = resident()?;
            all.fill_with(|| content.clone().into_boxed_slice());
            after = resident()?;
            black_box(all);
        }
        "plain" => {
            let mut machine = Machine::new(Arc::default(), Plain, Options::default())?;
            before = resident()?;
            for _ in 0..count {
                machine.allocate(&content)?;
            }
            after = resident()?;
        }
        _ => {
            let tracer = Tracer::new(1, false);
            let mut machine = Machine::new(Arc::default(), tracer, Options::default())?;
            before = resident()?;
            for _ in 0..count {
                let address = machine.allocate(&content)?;
                let marked = machine.mark_input(address, size as u64, Source::Input);
                marked.map_err(|fault| Outcome::Memory { fault, address })?;
            }
            after = resident()?;
        }
    }
    Ok(after - before)
}

/// One at each call, up to a million; then again with a megabyte on the heap.
fn snapshots(module: &Arc<Module>, inputs: &[Vec<u8>]) -> Result<(), Box<dyn Error>> {
    for heap in [0, 1 << 20] {
        let mut taken = Vec::new();
        let (count, without) = calls(module, inputs, heap, None)?;
        let (_, with) = calls(module, inputs, heap, Some(&mut taken))?;
        taken.sort_unstable();
        let each = |seconds: f64| seconds * 1e6 / f64::from(count);
        println!(
            "snapshots   {count} with {heap} bytes more on the heap, median {:.2} µs; {:.2} µs each with what is copied as it is \
             written afterwards, and {:.2} µs for what a call executes",
            taken.get(taken.len() / 2).map_or(0.0, |it| it.as_secs_f64() * 1e6),
            each(with - without),
            each(without)
        );
    }
    Ok(())
}

/// How many calls were stopped at, and how many seconds all took; each snapshot's own time goes to a row, if one is given.
fn calls(
    module: &Arc<Module>,
    inputs: &[Vec<u8>],
    heap: usize,
    mut taken: Option<&mut Vec<Duration>>,
) -> Result<(u32, f64), Box<dyn Error>> {
    let (mut count, mut seconds) = (0, 0.0);
    for input in inputs {
        let options = Options::new().input(&input[..]);
        let mut machine = Machine::new(Arc::clone(module), EachCall, options)?;
        for _ in 0..heap / 64 {
            machine.allocate(&[1; 64])?;
        }
        machine.start()?;
        // The last one lives while the run goes on, so that writes copy.
        let mut last = taken.is_some().then(|| machine.snapshot());
        let begin = now()?;
        while machine.run() == Outcome::Paused && count < 1_000_000 {
            if let Some(taken) = &mut taken {
                let before = Instant::now();
                let snapshot = machine.snapshot();
                taken.push(before.elapsed());
                last = Some(snapshot);
            }
            count += 1;
        }
        seconds += now()? - begin;
        black_box(&last);
    }
    Ok((count, seconds))
}
