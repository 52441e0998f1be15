//! The analysis as a whole: options, attempts, results.

use std::collections::BTreeSet;
use std::fmt;

use fxhash::{FxHashMap, FxHashSet};
use proc_macro2::LineColumn;
use syn::{FnArg, Pat, ReturnType, Type};

use super::bodies::Macros;
use super::calls::Hint;
use super::error::InferError;
use super::interp::{Frame, Interp};
use super::paper::Paper;
use super::pool::{ALL, ANY_CHAR, Lang, NONE, Pool};
use super::source::{Crate, Function, Parsed, type_name};
use super::specials::Specials;
use super::state::{Exit, Outs, SURE, State};
use super::stop::{Flow, Stop};
use super::table::Table;
use super::value::{Bool, Text, Value};
use pleach_core::regular::{AutomatonLimits, Dfa};

/// How the language is put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// By views, as the module says.
    #[default]
    View,
    /// By concatenating a regex for each statement along the control flow, as published. What comes
    /// out is an approximation in both directions.
    Paper,
}

/// What conditions on values say that are made from the input in a way that is not followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Derived {
    /// Nothing: the language includes whatever such a value may be made from.
    #[default]
    Possible,
    /// The same as if the value were what it is made from.
    Strict,
}

/// What could not be followed, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Imprecision {
    /// The file, by the name that it was given with.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is not followed.
    pub message: String,
}

impl fmt::Display for Imprecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

/// What was inferred.
#[derive(Clone, Debug)]
pub struct Inference {
    /// The path of the function.
    pub function: String,
    /// The parameter that is the input.
    pub parameter: String,
    /// The strings that it accepts, and perhaps others.
    pub language: Dfa,
    /// Whether no other strings are in it.
    pub exact: bool,
    /// The characters of literals in the code, messages left out.
    pub specials: BTreeSet<char>,
    /// What makes the language inexact, in order of place.
    pub imprecisions: Vec<Imprecision>,
    /// What is returned for accepted strings, in words, where it is a part of the input.
    pub returned: Vec<String>,
}

/// An analysis to be run.
#[derive(Clone, Debug)]
pub struct Infer {
    mode: Mode,
    derived: Option<Derived>,
    tables: Vec<(String, String)>,
    limits: AutomatonLimits,
    cells: usize,
    fuel: u64,
}

impl Default for Infer {
    fn default() -> Self {
        Self::new()
    }
}

/// The stack of the thread that an analysis runs in: source nests, and is followed by recursion as
/// deep as is checked before.
const STACK: usize = 512 << 20;
/// How often an attempt may find out that something must be told apart.
const ROUNDS: usize = 300;

impl Infer {
    /// An analysis by views, within the default bounds.
    pub fn new() -> Self {
        let limits =
            AutomatonLimits::new().states(1 << 14).cells(1 << 21).nfa(1 << 18).steps(1 << 26);
        Self {
            mode: Mode::View,
            derived: None,
            tables: Vec::new(),
            limits,
            cells: 1 << 23,
            fuel: 1_000_000,
        }
    }

    /// How the language is put together. The default is [`Mode::View`].
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// What conditions on values say that cannot be followed back to the input. The default is
    /// [`Derived::Possible`] for views, and [`Derived::Strict`] for the published method.
    pub fn derived(mut self, derived: Derived) -> Self {
        self.derived = Some(derived);
        self
    }

    /// Adds a table of functions, given by a name for messages and its text; the notation is that of
    /// `std.table`. Later tables correct earlier ones.
    pub fn functions(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.tables.push((name.into(), text.into()));
        self
    }

    /// The bounds of each automaton.
    pub fn limits(mut self, limits: AutomatonLimits) -> Self {
        self.limits = limits;
        self
    }

    /// How many steps of interpretation are taken, at most. The default is 1,000,000.
    pub fn steps(mut self, steps: u64) -> Self {
        self.fuel = steps;
        self
    }

    /// The string parameters of a function, in order.
    ///
    /// # Errors
    ///
    /// As [`Infer::run`].
    pub fn parameters(
        &self,
        files: &[(String, String)],
        function: &str,
    ) -> Result<Vec<String>, InferError> {
        in_thread(|| {
            let parsed = Parsed::read(files)?;
            let macros = Macros::read(parsed.files.iter().map(|file| &file.tree));
            let krate = Crate::new(&parsed, &macros);
            let (_, number) = find(&krate, function)?;
            Ok(parameters(krate.get(number)).into_iter().map(|(name, _)| name).collect())
        })
    }

    /// Infers the language of a function's parameter: the first string parameter, if none is named.
    ///
    /// Files are given by name and text. The function is named by its path, as much of it as is
    /// needed to tell it from others: `parse`, `Version::parse`, `version::Version::parse`. Of several with
    /// the same path, as of two impls of one trait, the first that takes a string is meant.
    ///
    /// # Errors
    ///
    /// Where a file is not Rust or nests too deep, there is no such function or parameter, a table
    /// cannot be read, or a bound is passed.
    pub fn run(
        &self,
        files: &[(String, String)],
        function: &str,
        parameter: Option<&str>,
    ) -> Result<Inference, InferError> {
        in_thread(|| {
            let table = Table::new(&self.tables)?;
            let parsed = Parsed::read(files)?;
            let macros = Macros::read(parsed.files.iter().map(|file| &file.tree));
            let krate = Crate::new(&parsed, &macros);
            let (path, number) = find(&krate, function)?;
            let all = parameters(krate.get(number));
            let chosen = match parameter {
                None => all.first(),
                Some(name) => all.iter().find(|own| own.0 == name),
            };
            let Some((name, index)) = chosen else {
                let message = match parameter {
                    None => format!("`{path}` has no string parameter"),
                    Some(name) => format!("`{path}` has no string parameter `{name}`"),
                };
                return Err(InferError::missing(message));
            };
            self.analyse(&krate, &table, (path, number), (name.clone(), *index))
        })
    }

    fn analyse(
        &self,
        krate: &Crate<'_>,
        table: &Table,
        (path, number): (String, usize),
        (parameter, index): (String, usize),
    ) -> Result<Inference, InferError> {
        let default = match self.mode {
            Mode::View => Derived::Possible,
            Mode::Paper => Derived::Strict,
        };
        let derived = self.derived.unwrap_or(default);
        let mut pool = Pool::new(self.limits, self.cells);
        if self.mode == Mode::Paper {
            let mut paper = Paper {
                krate,
                table,
                pool: &mut pool,
                derived,
                summaries: FxHashMap::default(),
                reached: FxHashSet::default(),
            };
            let language = paper.function(number, &parameter)?;
            let reached = paper.reached;
            let mut specials = Specials::new(krate);
            reached.iter().for_each(|&function| specials.block(krate.get(function).block));
            let at = krate.get(number).sig.ident.span().start();
            let imprecision = Imprecision {
                file: krate.parsed.files[krate.get(number).file].name.clone(),
                line: at.line,
                column: at.column + 1,
                message:
                    "regexes concatenated along the control flow approximate in both directions"
                        .into(),
            };
            return Ok(Inference {
                function: path,
                parameter,
                language: (*pool.dfa(language)).clone(),
                exact: false,
                specials: specials.found,
                imprecisions: vec![imprecision],
                returned: Vec::new(),
            });
        }
        let mut interp = Interp::new(krate, table, derived, pool, self.fuel);
        let outs = loop {
            match interp.attempt(number, index) {
                Err(Stop::Refine) if interp.registry.rounds < ROUNDS => {}
                // What took too long is done again with less told apart.
                Err(stop) if !interp.coarse && stop.is_budget() => {
                    let pool = Pool::new(self.limits, self.cells);
                    interp = Interp::new(krate, table, derived, pool, self.fuel);
                    interp.coarse = true;
                }
                Err(Stop::Refine) => return Err(Stop::Budget("refinements", ROUNDS as u64).into()),
                other => break other?,
            }
        };
        let (language, doubts) = interp.accepted(number, &outs)?;
        let imprecisions: BTreeSet<Imprecision> =
            doubts.iter().map(|&doubt| interp.imprecision(doubt)).collect();
        let returned = interp.returned(&outs);
        let mut specials = Specials::new(krate);
        for &function in &interp.reached {
            specials.block(krate.get(function).block);
        }
        for &(_, expr) in &interp.constant_exprs {
            specials.expr(expr);
        }
        Ok(Inference {
            function: path,
            parameter,
            language: (*interp.pool.dfa(language)).clone(),
            exact: imprecisions.is_empty(),
            specials: specials.found,
            imprecisions: imprecisions.into_iter().collect(),
            returned,
        })
    }
}

/// Runs something in a thread that has the stack for it.
fn in_thread<T: Send>(run: impl FnOnce() -> Result<T, InferError> + Send) -> Result<T, InferError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("infer".into()).stack_size(STACK);
        let thread = thread
            .spawn_scoped(scope, run)
            .map_err(|error| InferError::internal(format!("no thread to analyse in: {error}")))?;
        match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The function that a path means, and its full path.
fn find(krate: &Crate<'_>, wanted: &str) -> Result<(String, usize), InferError> {
    let suffix = format!("::{wanted}");
    let found: Vec<(String, usize)> = krate
        .functions()
        .enumerate()
        .filter(|(_, (path, _))| path == wanted || path.ends_with(&suffix))
        .map(|(number, (path, _))| (path, number))
        .collect();
    match &found[..] {
        [one] => Ok(one.clone()),
        [] => Err(InferError::missing(format!("there is no function `{wanted}`"))),
        several => {
            // The file that was asked about comes first.
            let first = several.iter().filter(|one| krate.get(one.1).file == 0).collect::<Vec<_>>();
            if let [one] = first[..] {
                return Ok(one.clone());
            }
            // Two impls of one trait have functions of one path.
            if several.iter().all(|one| one.0 == several[0].0) {
                let reads = |one: &&(String, usize)| !parameters(krate.get(one.1)).is_empty();
                let one = first.iter().copied().chain(several).find(reads);
                return Ok(one.unwrap_or(&several[0]).clone());
            }
            let paths: Vec<&str> = several.iter().map(|one| &*one.0).collect();
            Err(InferError::missing(format!(
                "`{wanted}` may be any of {}: write more of its path",
                paths.join(", ")
            )))
        }
    }
}

/// Names and positions of string parameters.
fn parameters(function: Function<'_>) -> Vec<(String, usize)> {
    let generics: Vec<String> = function
        .sig
        .generics
        .type_params()
        .filter(|param| {
            param.bounds.iter().any(|bound| {
                matches!(bound, syn::TypeParamBound::Trait(bound) if names_text(&bound.path))
            })
        })
        .map(|param| param.ident.to_string())
        .collect();
    let mut found = Vec::new();
    for (i, input) in function.sig.inputs.iter().enumerate() {
        let FnArg::Typed(typed) = input else { continue };
        let Pat::Ident(name) = &*typed.pat else { continue };
        if is_text(&typed.ty, &generics) {
            found.push((name.ident.to_string(), i));
        }
    }
    found
}

/// Whether a bound is one of text, as in `impl AsRef<str>`.
fn names_text(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|last| {
        matches!(&*last.ident.to_string(), "AsRef" | "Into" | "Borrow" | "ToString" | "Deref")
    })
}

fn is_text(of: &Type, generics: &[String]) -> bool {
    match of {
        Type::Reference(reference) => is_text(&reference.elem, generics),
        Type::Paren(paren) => is_text(&paren.elem, generics),
        Type::Slice(slice) => type_name(&slice.elem) == "u8",
        Type::ImplTrait(bounds) => bounds.bounds.iter().any(
            |bound| matches!(bound, syn::TypeParamBound::Trait(bound) if names_text(&bound.path)),
        ),
        Type::Path(_) => {
            let name = type_name(of);
            matches!(&*name, "str" | "String" | "Cow" | "char") || generics.contains(&name)
        }
        _ => false,
    }
}

impl<'a> Interp<'a> {
    /// Interprets a function with one of its parameters as the input.
    fn attempt(&mut self, number: usize, index: usize) -> Flow<Outs> {
        self.level = 0;
        self.entries.clear();
        self.frames.clear();
        self.context = 0;
        self.current = None;
        self.hint = None;
        self.calls.clear();
        self.loop_doubts.clear();
        let function = self.krate.get(number);
        // A frame of the function itself, for what is asked before it is called.
        self.frames.push(Frame {
            function: usize::MAX,
            constant: None,
            file: function.file,
            base: 0,
            captured: None,
            loop_start: None,
            end: LineColumn { line: 1, column: 0 },
        });
        let root = self.views.root(0);
        let mut args = Vec::new();
        let mut lang = ALL;
        for (i, input) in function.sig.inputs.iter().enumerate() {
            if i != index {
                let what = match input {
                    FnArg::Receiver(_) => "`self`".to_owned(),
                    FnArg::Typed(typed) => match &*typed.pat {
                        Pat::Ident(name) => format!("the parameter `{}`", name.ident),
                        _ => "another parameter".to_owned(),
                    },
                };
                args.push(self.unknown(input, format!("what {what} is is not known")));
                continue;
            }
            let FnArg::Typed(typed) = input else { continue };
            let text = Text::view(root);
            args.push(match &*typed.ty {
                of if type_name(of) == "char" => {
                    lang = ANY_CHAR;
                    Value::Char(text)
                }
                Type::Reference(reference) if matches!(&*reference.elem, Type::Slice(_)) => {
                    Value::Bytes(text)
                }
                _ => Value::Str(text),
            });
        }
        let state = State { lang, vars: Vec::new(), doubt: SURE };
        self.frames[0].function = usize::MAX;
        self.call(state, number, args, 0)
    }

    /// The strings that are accepted, and the doubts about them.
    fn accepted(&mut self, number: usize, outs: &Outs) -> Flow<(Lang, BTreeSet<u32>)> {
        let hint = match &self.krate.get(number).sig.output {
            ReturnType::Type(_, of) => Hint::of(of).name,
            ReturnType::Default => String::new(),
        };
        let (mut sure, mut doubtful) = (NONE, Vec::new());
        for out in outs {
            let Exit::Value(value) = &out.exit else { continue };
            let mut doubt = out.state.doubt;
            let lang = match self.deref(&out.state, value.clone()) {
                Value::Bool(Bool::Known(true)) => out.state.lang,
                Value::Bool(Bool::Known(false)) => NONE,
                Value::Bool(Bool::When(cond)) => self.pool.both(out.state.lang, cond.yes)?,
                Value::Opt(None) | Value::Res(Err(_)) => NONE,
                Value::Unknown(note) => {
                    if matches!(&*hint, "bool" | "Option" | "Result") && doubt == SURE {
                        doubt = note;
                    }
                    out.state.lang
                }
                _ => out.state.lang,
            };
            if doubt == SURE {
                sure = self.pool.union(sure, lang)?;
            } else {
                doubtful.push((lang, doubt));
            }
        }
        let (mut all, mut doubts) = (sure, BTreeSet::new());
        for (lang, doubt) in doubtful {
            if self.pool.minus(lang, sure)? != NONE {
                doubts.insert(doubt);
                all = self.pool.union(all, lang)?;
            }
        }
        Ok((all, doubts))
    }

    fn imprecision(&self, doubt: u32) -> Imprecision {
        let (spot, message) = &self.notes[doubt as usize - 1];
        Imprecision {
            file: self.krate.parsed.files[spot.file].name.clone(),
            line: spot.line,
            column: spot.column,
            message: message.clone(),
        }
    }

    /// What is returned, in words.
    fn returned(&self, outs: &Outs) -> Vec<String> {
        let mut said = BTreeSet::new();
        for out in outs {
            if let Exit::Value(value) = &out.exit {
                let value = self.deref(&out.state, value.clone());
                if !matches!(value, Value::Opt(None) | Value::Res(Err(_)))
                    && let Some(words) = self.in_words(&value)
                {
                    said.insert(words);
                }
            }
        }
        said.into_iter().collect()
    }

    fn in_words(&self, value: &Value) -> Option<String> {
        match value {
            Value::Str(text) | Value::Char(text) | Value::Bytes(text) => {
                match (text.constant(), text.as_view()) {
                    (Some(constant), _) => Some(format!("{constant:?}")),
                    (_, Some(view)) => Some(self.views.describe(view)),
                    _ => None,
                }
            }
            Value::Opt(Some(inner)) | Value::Res(Ok(inner)) => self.in_words(inner),
            Value::Tuple(values) => {
                let parts: Vec<String> =
                    values.iter().map(|value| self.in_words(value)).collect::<Option<_>>()?;
                Some(format!("({})", parts.join("; ")))
            }
            _ => None,
        }
    }
}
