//! Prints one table: pleach's random production beside hand-written generators and other tools,
//! on the same languages, in the same run, on one thread.
//!
//! `cargo run --profile bench -p pleach-peers` or, for other than 11 rounds, `... -- ROUNDS`.

#[path = "../../benches/baseline/mod.rs"]
mod baseline;
mod compare;
mod nautilus;
mod own;
#[cfg(test)]
mod tests;

use baseline::record::Node;
use baseline::wyrand::WyRand;
use baseline::{json64_generator, layered_generator};
use compare::{Contender, HEADER};
use nautilus::Nautilus;
use pleach::Seeded;
use pleach::produce::Mode;
use std::process::ExitCode;

fn main() -> ExitCode {
    let rounds = match std::env::args().nth(1).map(|rounds| rounds.parse()) {
        None => 11,
        Some(Ok(rounds)) if rounds > 0 => rounds,
        Some(_) => {
            eprintln!("usage: pleach-peers [ROUNDS], a positive number of rounds");
            return ExitCode::from(2);
        }
    };
    print!("{HEADER}");
    print!("{}", json64(rounds));
    print!("{}", layered(rounds));
    ExitCode::SUCCESS
}

fn json64(rounds: usize) -> String {
    let context = nautilus::json64();
    let table = own::json64();
    let mut nautilus = Nautilus::new(&context, 1);
    let (mut plain, mut treed) = (WyRand::new(1), WyRand::new(2));
    let mut nodes: Vec<Node> = Vec::new();
    let mut contenders = [
        Contender::new("hand-written, wyrand", |out| {
            json64_generator::write(&mut plain, out, &mut ());
            0
        }),
        Contender::new("hand-written, tree, wyrand", |out| {
            nodes.clear();
            json64_generator::write(&mut treed, out, &mut nodes);
            nodes.len()
        }),
        Contender::new("LibAFL Nautilus, generate and unparse", |out| nautilus.write(out)),
        Contender::new("pleach, wyrand", own::text(&table, Mode::Uniform, WyRand::new(3))),
        Contender::new("pleach, tree, wyrand", own::tree(&table, Mode::Uniform, WyRand::new(4))),
        Contender::new("pleach, seeded", own::text(&table, Mode::Uniform, Seeded::new(5))),
        Contender::new("pleach, tree, seeded", own::tree(&table, Mode::Uniform, Seeded::new(6))),
    ];
    compare::rows("json64", 100_000, &mut contenders, 0, Some(2), rounds)
}

fn layered(rounds: usize) -> String {
    let table = own::layered();
    let mut plain = WyRand::new(1);
    let mut contenders = [
        Contender::new("hand-written, wyrand", |out| {
            layered_generator::write(&mut plain, out);
            0
        }),
        Contender::new("pleach, wyrand", own::text(&table, Mode::Weighted, WyRand::new(3))),
        Contender::new("pleach, tree, wyrand", own::tree(&table, Mode::Weighted, WyRand::new(4))),
        Contender::new("pleach, seeded", own::text(&table, Mode::Weighted, Seeded::new(5))),
        Contender::new("pleach, tree, seeded", own::tree(&table, Mode::Weighted, Seeded::new(6))),
    ];
    compare::rows("layered", 10_000, &mut contenders, 0, None, rounds)
}
