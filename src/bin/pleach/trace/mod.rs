//! `pleach trace`: what a program does on one input.

mod fold;
mod names;
mod nodes;
mod object;
mod text;
mod values;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use pleach::explore::parts;
use pleach::import::Importer;
use pleach::inside::build::{Built, Input, Target};
use pleach::inside::ir::{Place, demangled};
use pleach::inside::trace::{Filter, Recorder};
use pleach::inside::vm::{Machine, Options, Outcome, Source};
use pleach::parse::{Parser, Scratch};
use pleach::table::{Lowering, Table};
use pleach::tree::Tree;

use crate::check::Format;
use crate::document::{name, read_text};
use crate::failure::{Failure, print, to_stderr};
use crate::inputs::Bounds;
use crate::load;
use crate::target::Targeted;

use names::{Given, Names};
use nodes::Nodes;

/// What stands for the input's file among a program's arguments.
const PLACEHOLDER: &str = "@@";
/// How many events are kept, of the first and of the last ones each.
const EVENTS: usize = 100_000;

/// Shows what a program does on one input: calls, branches, and the bytes that each depends on
///
/// The program is built with the stable compiler as it is, std included, and runs in a virtual machine. A
/// line `-> FUNCTION` is a call. A branch that depends on the input is its place with the source's line, and under it
/// what was compared, with the values there were, the bytes of the input that they depend on, and the line that it went
/// on to. At the end stands how the run ended, and of a panic where it was.
///
/// Only what the target's own source does is shown; branches of std and of dependencies are counted
/// (`... 14 branches elsewhere`). Steps that repeat are shown once.
///
/// A function gets INPUT as its argument, a fuzz target as its data. A program reads it as its standard input; or,
/// where an argument contains @@, as a file of INPUT's name in the current folder, which stands for @@. An INPUT of several
/// parts (`%parts`) has its own arguments, standard input and files. The program sees no other files but those of
/// --file, and nothing is written.
///
/// With a grammar, bytes are named by the innermost node of the input's derivation tree that covers them.
///
/// With --format json, one object is printed: {"target","bytes","parsed","outcome":{"kind","message",
/// "location","stack":[{"function","place"}]},"steps","stdout","stderr","events":[...],"left_out","calls":[{"caller",
/// "callee","count","indirect"}],"edges"}. An event is {"event":"call","depth","function","defined","from","bytes"},
/// {"event":"branch","depth","place","source","edge","to","value","bytes","comparison":{"text","left","right"}}
/// or {"event":"elsewhere","depth","branches","bytes"}; "bytes" are [{"source","start","end","node"}], a place is
/// {"file","line","column"}. Calls are all that were made, events those that are shown; nothing is folded.
#[derive(Args)]
#[command(after_long_help = "\
Exit codes: 0 the run was followed to its end, whatever that is; 2 usage, bad input, or what the program does is not \
supported; 3 the run took more than --steps or the memory that there is.

Examples:
  pleach trace src/lib.rs#parse input.txt
  echo '1.2.x' | pleach trace src/lib.rs#Version::parse - --grammar version.pleach
  pleach trace fuzz:parse fuzz/artifacts/parse/crash-1 --function value
  pleach trace bin:format main.toml -- --check @@")]
pub(crate) struct Trace {
    #[command(flatten)]
    targeted: Targeted,
    /// The input; `-` reads standard input
    input: PathBuf,
    /// A program's arguments; @@ stands for a file with the input
    #[arg(last = true)]
    arguments: Vec<OsString>,
    /// A program's standard input where @@ stands for the input; by default nothing
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// A file that a program finds under a name, relative to its folder; may be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = named_file)]
    file: Vec<(PathBuf, PathBuf)>,
    /// Show what std and dependencies do, too
    #[arg(long)]
    all: bool,
    /// Show only what this function does and what it calls, whosever it is: the end of its path, as `parse` or
    /// `Uri::parse`; may be repeated
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// Show branches that do not depend on the input, too
    #[arg(long)]
    independent: bool,
    /// Show each step of what repeats
    #[arg(long)]
    unfolded: bool,
    /// Print so many lines of the path, the first and the last ones; 0 prints all
    #[arg(long, value_name = "LINES", default_value_t = 1000)]
    limit: usize,
    /// A grammar of the input, by which its bytes are named
    #[arg(long)]
    grammar: Option<PathBuf>,
    /// Start from this rule instead of the grammar's start rule
    #[arg(long, value_name = "RULE", requires = "grammar")]
    start: Option<String>,
    /// How many instructions the run may execute
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    steps: u64,
    /// How the path is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    bounds: Bounds,
}

/// Reads `NAME=FILE`.
fn named_file(text: &str) -> Result<(PathBuf, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok((name.into(), file.into()))
        }
        _ => {
            Err("write NAME=FILE: the name that the program knows, and the file that it finds"
                .into())
        }
    }
}

/// What a run gets, and from where each part comes.
struct Prepared {
    input: Input,
    /// The INPUT that was named.
    text: Vec<u8>,
    /// Where it comes from for the program; nothing if it has several parts.
    source: Option<Source>,
}

impl Trace {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let target = self.targeted.target()?;
        let Prepared { input, text, source } = self.prepare(&target)?;
        let table = self.grammar.as_deref().map(|path| self.table(path)).transpose()?;
        let tree = table.as_ref().map(|table| self.tree(table, &text)).transpose()?;
        let (built, program) = self.targeted.build(&target)?;
        let filter = self.filter(&built);
        let recorder = Recorder::new(program.module().clone(), filter, EVENTS);
        if let Some(missing) = self.missing(&recorder, program.module()) {
            return Err(missing);
        }
        let options = Options::new().steps(self.steps);
        let mut names = names(&input);
        let parsed = tree.as_ref().map(Option::is_some);
        if let (Some(table), Some(Some(tree)), Some(source)) = (&table, tree, source) {
            names.nodes = Some((source, Nodes::new(table, tree)));
        }
        let mut machine = program
            .enter(recorder, &input, options)
            .map_err(|outcome| self.unfollowed(&outcome, &built))?;
        let outcome = machine.run();
        let verdict = verdict(&target, &outcome);
        match self.format {
            Format::Text => {
                let path = text::path(&machine, &names, !self.unfolded, self.limit);
                let end = text::end(&machine, &outcome, verdict, &names);
                print(format!("{path}{end}").as_bytes())?;
            }
            Format::Json => {
                let target = self.targeted.name();
                let bytes = text.len();
                let run = object::Run { target, bytes, outcome: &outcome, verdict, parsed };
                print(object::object(&machine, &run, &names).as_bytes())?;
            }
        }
        match outcome {
            Outcome::Returned(_) | Outcome::Exit(_) => Ok(()),
            crash if crash.is_crash() => Ok(()),
            other => Err(self.unfollowed(&other, &built)),
        }
    }

    /// Reads what the run gets.
    fn prepare(&self, target: &Target) -> Result<Prepared, Failure> {
        let is_program = matches!(target, Target::Program { .. });
        let bytes_alone = self.arguments.is_empty() && self.file.is_empty() && self.stdin.is_none();
        if !is_program && !bytes_alone {
            return Err(Failure::input(format!(
                "error: `{}` gets nothing but its bytes: arguments, --stdin and --file are for bin:NAME",
                self.targeted.name()
            )));
        }
        let read = |path: &Path| read_text(path, &self.bounds);
        let text = read(&self.input)?;
        if is_program
            && bytes_alone
            && let Some((input, _)) = parts::read(&text)
        {
            return Ok(Prepared { input, text, source: None });
        }
        let path = self.input.file_name().filter(|_| self.input != Path::new("-"));
        let path = path.map_or_else(|| PathBuf::from("input"), PathBuf::from);
        let mark = |it: &OsString| it.to_str().is_some_and(|it| it.contains(PLACEHOLDER));
        let as_file = self.arguments.iter().any(mark);
        let argument = |it: &OsString| match it.to_str() {
            Some(text) => text.replace(PLACEHOLDER, &path.to_string_lossy()).into_bytes(),
            None => it.as_encoded_bytes().to_owned(),
        };
        let mut input =
            Input { arguments: self.arguments.iter().map(argument).collect(), ..Input::default() };
        let source = if as_file {
            input.files.push((path, text.clone()));
            Source::File(0)
        } else {
            input.bytes = text.clone();
            Source::Input
        };
        match &self.stdin {
            Some(_) if !as_file => {
                return Err(Failure::input(
                    "error: INPUT is the program's standard input already: say with @@ where its file stands, or leave out --stdin",
                ));
            }
            Some(file) => input.bytes = read(file)?,
            None => {}
        }
        for (name, file) in &self.file {
            input.files.push((name.clone(), read(file)?));
        }
        Ok(Prepared { input, text, source: Some(source) })
    }

    /// Reads the grammar.
    fn table(&self, path: &Path) -> Result<Table, Failure> {
        let mut importer = Importer::new();
        if let Some(start) = &self.start {
            importer = importer.start(start);
        }
        let grammar = load::grammar_by(importer, path)?;
        Ok(Lowering::new().lower(&grammar).map_err(Failure::grammar)?.table)
    }

    /// The input's tree; none where the input is not of the grammar, which is said.
    fn tree(&self, table: &Table, text: &[u8]) -> Result<Option<Tree>, Failure> {
        let mut tree = Tree::new();
        let parsed = Parser::new(table).limits(self.bounds.limits()).parse(
            text,
            &mut Scratch::new(),
            &mut tree,
        );
        match parsed {
            Ok(()) => Ok(Some(tree)),
            Err(error) => {
                to_stderr(format_args!(
                    "{}: {error}: bytes are not named by nodes",
                    name(&self.input)
                ));
                Ok(None)
            }
        }
    }

    fn filter(&self, built: &Built) -> Filter {
        let (all, caller) = (self.all, built.caller.clone());
        let shows = move |place: &Place<'_>| {
            let of_caller = caller.as_ref().is_some_and(|folder| place.path().starts_with(folder));
            all || !(place.in_std() || place.is_downloaded() || of_caller)
        };
        Filter {
            shows: Box::new(shows),
            functions: self.function.clone(),
            independent: self.independent,
        }
    }

    /// What is wrong where no function has a name that was asked for.
    fn missing(&self, recorder: &Recorder, module: &pleach::inside::ir::Module) -> Option<Failure> {
        if self.function.is_empty() || recorder.named().next().is_some() {
            return None;
        }
        let last = self.function[0].rsplit("::").next().unwrap_or_default().to_lowercase();
        let mut near: Vec<String> = module
            .functions()
            .map(|id| module.source_name(id))
            .filter(|name| !last.is_empty() && name.to_lowercase().contains(&last))
            .take(3)
            .collect();
        near.sort();
        let mend = match &near[..] {
            [] => "nothing is called so; leave out --function to see what there is".to_owned(),
            near => format!("there are {}", near.join(", ")),
        };
        Some(Failure::input(format!(
            "error: the program has no function `{}`: {mend}",
            self.function.join("`, `")
        )))
    }

    /// Why a run was not followed to its end.
    fn unfollowed(&self, outcome: &Outcome, built: &Built) -> Failure {
        let message = format!("error: the run was not followed to its end: {outcome}");
        match outcome {
            Outcome::Budget => {
                Failure::Budget(format!("{message}: --steps allows more than {}", self.steps))
            }
            Outcome::OutOfMemory => Failure::Budget(message),
            Outcome::Unsupported { what, .. } => {
                let is = |name: &String| demangled(name) == *what;
                let foreign = built.foreign.iter().find(|it| it.functions.iter().any(is));
                Failure::input(match foreign {
                    Some(of) => format!(
                        "{message}: it is C code in `{}`, which --clang PROGRAM compiles to what can be followed",
                        of.package
                    ),
                    None => message,
                })
            }
            _ => Failure::input(message),
        }
    }
}

/// How what the program gets is called.
fn names(input: &Input) -> Names<'static> {
    let given = |name: String, bytes: &[u8]| Given { name, bytes: bytes.to_owned() };
    let files = input.files.iter();
    let files = files.map(|(path, bytes)| given(crate::inputs::shown(path), bytes)).collect();
    let mut arguments = vec![b"program".to_vec()];
    arguments.extend(input.arguments.iter().cloned());
    Names::new(given("input".to_owned(), &input.bytes), files, arguments)
}

/// What a function's caller returns, in words.
fn verdict(target: &Target, outcome: &Outcome) -> Option<&'static str> {
    match (target, outcome) {
        (Target::Function { .. }, Outcome::Returned(values)) => match values[..] {
            [0] => Some("the input is accepted"),
            [1] => Some("the input is rejected"),
            _ => Some("the input is none that the function takes"),
        },
        _ => None,
    }
}

/// The places on the stack where a run has ended that are of interest, innermost first; where none is, the innermost of all.
fn stack(machine: &Machine<Recorder>) -> impl Iterator<Item = Place<'_>> {
    let recorder = &machine.domain;
    let all = machine.trace();
    let mut shown: Vec<Place<'_>> = all
        .iter()
        .flat_map(|&pc| machine.module().places(pc))
        .filter(|it| recorder.shows(it))
        .collect();
    if shown.is_empty() {
        shown.extend(machine.subject_place());
    }
    shown.into_iter()
}
