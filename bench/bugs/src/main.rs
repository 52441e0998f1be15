//! A benchmark of bugs: how soon fuzzers find known crashes and hangs of released crates. See the README.

mod beside;
mod bridge;
mod check;
mod compare;
mod draw;
mod edges;
mod explore;
mod fix;
mod focal;
mod gain;
mod inside;
mod kept;
mod lifting;
mod page;
mod plan;
mod plant;
mod programs;
mod record;
mod row;
mod run;
mod seeds;
mod since;
mod table;
mod watched;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use experiment::wrapper;

/// Known crashes and hangs of released crates, and how soon fuzzers find them
#[derive(Parser)]
#[command(name = "pleach-bugs")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Where programs and records are kept [default: `bugs` in Cargo's folder]
    #[arg(long, global = true, value_name = "DIR")]
    folder: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Checks that each witness fails as its row says, and that no seed fails
    Check(check::Check),
    /// Checks the same in the machine that runs programs from their IR
    Inside(inside::Inside),
    /// Searches for the rows' faults by concolic exploration
    Explore(explore::Explore),
    /// How many edges a fuzzer with pleach runs with exploration beside it, and alone in the same time
    Beside(beside::Beside),
    /// How soon the bridge finds the rows' faults from their seeds, and what became of what was lifted
    Bridge(bridge::Bridge),
    /// How many edges of released programs the bridge takes, beside testers of whole programs alone
    Compare(compare::Compare),
    /// How many edges of crates that nobody tuned for a corpus comes to from nothing, with pleach and without
    Edges(edges::Edges),
    /// How soon failures of functions are composed to the rows' faults from their seeds, beside variants of that
    Focal(focal::Focal),
    /// Plants faults in functions of released programs that are drawn by seed, and looks who finds them
    Plant(plant::Plant),
    /// Makes the runs that have no record yet: rows, methods and seeds
    Run(run::Run),
    /// What inputs that cover all k-paths buy as seeds, beside as many bytes of random sentences and nothing
    Seeds(seeds::Seeds),
    /// How long a native run of a unit takes, beside the subject as a process and in process
    Speed(compare::speed::Speed),
    /// How soon `pleach bridge --since` finds the faults of fixes that are taken back, beside its system tester alone
    Since(since::Since),
    /// Prints what the records come to
    Table(table::Table),
    /// Prints the candidates in the order in which they are tried, and what became of them
    Draw,
}

fn main() -> ExitCode {
    // Cargo runs this program in the compiler's place where only some crates are to have counters.
    if let Some(crates) = std::env::var_os(wrapper::CRATES) {
        return wrapper::run(&crates);
    }
    let arguments = Arguments::parse();
    let done = folder(arguments.folder).and_then(|folder| match arguments.command {
        Command::Check(check) => check.run(&folder),
        Command::Inside(inside) => inside.run(&folder),
        Command::Explore(explore) => explore.run(&folder),
        Command::Beside(beside) => beside.run(&folder),
        Command::Bridge(bridge) => bridge.run(&folder),
        Command::Compare(compare) => compare.run(&folder),
        Command::Edges(edges) => edges.run(&folder),
        Command::Focal(focal) => focal.run(&folder),
        Command::Plant(plant) => plant.run(&folder),
        Command::Run(run) => run.run(&folder),
        Command::Seeds(seeds) => seeds.run(&folder),
        Command::Since(since) => since.run(&folder),
        Command::Speed(speed) => speed.run(&folder),
        Command::Table(table) => table.run(&folder),
        Command::Draw => draw::print(),
    });
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("pleach-bugs: {error}");
            ExitCode::from(2)
        }
    }
}

/// The folder that is asked for, or one in Cargo's; made if it is not there.
fn folder(asked: Option<PathBuf>) -> Result<PathBuf, String> {
    let of_cargo = || {
        let this = std::env::current_exe()?;
        let cargo = this.parent().and_then(|folder| folder.parent());
        let cargo = cargo.ok_or_else(|| std::io::Error::other("this program is in no folder"))?;
        Ok(cargo.join("bugs"))
    };
    let made = asked.map_or_else(of_cargo, std::path::absolute).and_then(|folder| {
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    });
    made.map_err(|error| format!("no folder to build in: {error}"))
}
