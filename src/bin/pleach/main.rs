//! The command-line tool `pleach`.
//!
//! One file a subcommand; data goes to standard output, messages to standard error, and exit codes
//! are those of [`failure`].

mod baseline;
#[cfg(all(feature = "inside", unix))]
mod bridge;
mod bundled;
mod check;
mod compiled;
mod completions;
mod cover;
mod dict;
mod diff;
mod document;
#[cfg(all(feature = "inside", unix))]
mod explore;
mod export;
mod failure;
#[cfg(all(feature = "inside", unix))]
mod focal;
mod generate;
mod implementation;
mod import;
mod infer;
mod init;
mod inputs;
#[cfg(all(feature = "inside", unix))]
mod inside;
mod kept;
mod known;
mod learn;
mod load;
mod man;
mod measure;
#[cfg(all(feature = "inside", unix))]
mod met;
mod mutate;
mod operand;
mod output;
mod parse;
mod paths;
mod place;
mod progress;
mod reduce;
mod report;
mod run;
mod runs;
#[cfg(all(feature = "inside", unix))]
mod sentences;
mod source;
#[cfg(all(feature = "inside", unix))]
mod sources;
mod suggest;
mod suite;
#[cfg(all(feature = "inside", unix))]
mod target;
#[cfg(all(feature = "inside", unix))]
mod trace;
mod unfinished;
#[cfg(all(feature = "inside", unix))]
mod units;
mod witnesses;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::{Failure, harmless};

/// Grammar-based fuzzing: inputs along every path of a grammar, few and small
#[derive(Parser)]
#[command(name = "pleach", version, arg_required_else_help = true)]
#[command(after_long_help = "\
Exit codes: 0 done; 1 the answer is \"no\"; 2 usage or bad input; 3 a work budget was spent before \
the answer was known, as when a grammar has more k-paths than --limit.

Examples:
  pleach check grammars/json.pleach
  pleach generate grammars/json.pleach -k 3 -o out --suffix .json
  pleach generate grammars/json.pleach --mode random -n 1000 --separator '\\0' | xargs -0 -n 1 ./try
  pleach parse grammars/json.pleach document.json
  pleach cover grammars/json.pleach corpus/ --html coverage.html
  pleach learn grammars/json.pleach seeds/ -o json.weights
  pleach mutate grammars/json.pleach seeds/ -n 1000 -o mutants
  pleach reduce grammars/json.pleach crash.json -o small.json -- ./parser @@
  pleach run crash.txt -- ./grep @@
  pleach dict grammars/json.pleach > json.dict
  pleach diff --spec '[^:]*:([^:]|(?<data>:))*' --impl cmd:./parse
  pleach suite --spec grammars/ip.pleach#IPv4address --impl src/address.rs#parse
  pleach import grammar.ebnf -o grammar.pleach
  pleach export grammars/json.pleach --to gbnf
  pleach infer src/version.rs#is_version
  pleach init --grammar json
  pleach suggest 'the timestamp, in RFC 3339 format'
  pleach trace src/lib.rs#parse input.txt
  pleach explore src/lib.rs#parse seeds/ -o found
  pleach bridge src/lib.rs#parse seeds/ -o found
  pleach focal src/lib.rs#parse seeds/ -o found")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Check),
    Paths(paths::Paths),
    Generate(Box<generate::Generate>),
    Parse(parse::Parse),
    Cover(cover::Cover),
    Learn(Box<learn::Learn>),
    Mutate(Box<mutate::Mutate>),
    Reduce(Box<reduce::Reduce>),
    Run(run::Run),
    Dict(dict::Dict),
    Diff(Box<diff::Diff>),
    Suite(Box<suite::Suite>),
    Import(import::Import),
    Export(export::Export),
    Infer(infer::Command),
    Init(init::Init),
    Suggest(suggest::Suggest),
    #[cfg(all(feature = "inside", unix))]
    Trace(Box<trace::Trace>),
    #[cfg(all(feature = "inside", unix))]
    Explore(Box<explore::Explore>),
    #[cfg(all(feature = "inside", unix))]
    Bridge(Box<bridge::Bridge>),
    #[cfg(all(feature = "inside", unix))]
    Focal(Box<focal::Focal>),
    Completions(completions::Completions),
    Man(man::Man),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return explain(error).report(),
    };
    let done = match cli.command {
        Command::Check(check) => check.run(),
        Command::Paths(paths) => paths.run(),
        Command::Generate(generate) => generate.run(),
        Command::Parse(parse) => parse.run(),
        Command::Cover(cover) => cover.run(),
        Command::Learn(learn) => learn.run(),
        Command::Mutate(mutate) => mutate.run(),
        Command::Reduce(reduce) => reduce.run(),
        Command::Run(run) => run.run(),
        Command::Dict(dict) => dict.run(),
        Command::Diff(diff) => diff.run(),
        Command::Suite(suite) => suite.run(),
        Command::Import(import) => import.run(),
        Command::Export(export) => export.run(),
        Command::Infer(infer) => infer.run(),
        Command::Init(init) => init.run(),
        Command::Suggest(suggest) => suggest.run(),
        #[cfg(all(feature = "inside", unix))]
        Command::Trace(trace) => trace.run(),
        #[cfg(all(feature = "inside", unix))]
        Command::Explore(explore) => explore.run(),
        #[cfg(all(feature = "inside", unix))]
        Command::Bridge(bridge) => bridge.run(),
        #[cfg(all(feature = "inside", unix))]
        Command::Focal(focal) => focal.run(),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    };
    done.map_or_else(Failure::report, |()| ExitCode::SUCCESS)
}

/// Prints the help or the version that was asked for, or says what is wrong with the arguments.
fn explain(error: clap::Error) -> Failure {
    if error.use_stderr() {
        // Arguments are in there as they were given, and styles are not, so that all can be escaped.
        let styled = std::env::args_os().all(|it| it.to_str().is_some_and(|it| harmless(it) == it));
        if !styled {
            return Failure::Input(error.render().to_string().trim_end().into());
        }
        // Where nobody listens, nothing is lost.
        let _ = error.print();
        return Failure::Told;
    }
    match error.print().and_then(|()| io::stdout().flush()) {
        Ok(()) => Failure::Closed,
        Err(error) => Failure::stdout(error),
    }
}
