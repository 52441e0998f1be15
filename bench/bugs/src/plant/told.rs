//! What functions are called with: a program is built with statements that tell arguments, and run on inputs with other words than
//! the seeds'.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use experiment::{cargo, remove};
use pleach_concolic::build::Input;
use pleach_explore::native::Fault;
use pleach_explore::parts;
use pleach_explore::random::Random;

use super::host::{Host, Kind};
use super::site::{self, Site};
use super::words::changed;

/// The variable that names the file to which arguments are told.
const TOLD: &str = "PLEACH_TOLD";
/// How many inputs are made to see what functions are called with.
const INPUTS: usize = 600;
/// How many lines a process tells at most.
const LINES: usize = 4096;
/// How many texts are tried with the compiler until all statements compile.
const ROUNDS: usize = 32;

/// What tells arguments: once each in a process, with how deep the call is the first time.
const TELL: &str = r#"
/// Tells an argument.
#[unsafe(no_mangle)]
pub extern "C" fn pleach_told(of: u32, at: *const u8, length: usize) {
    use std::collections::BTreeMap;
    use std::fmt::Write as _;
    use std::io::Write as _;
    use std::sync::Mutex;
    static SEEN: Mutex<(usize, BTreeMap<u32, (usize, Vec<Vec<u8>>)>)> = Mutex::new((0, BTreeMap::new()));
    let Some(path) = std::env::var_os("PLEACH_TOLD") else { return };
    let value = unsafe { std::slice::from_raw_parts(at, length) };
    let Ok(mut seen) = SEEN.lock() else { return };
    if length > 64 || seen.0 >= LINES {
        return;
    }
    let known = seen.1.entry(of).or_insert_with(|| {
        (depth(&std::backtrace::Backtrace::force_capture().to_string()), Vec::new())
    });
    if known.1.iter().any(|it| it == value) {
        return;
    }
    known.1.push(value.to_vec());
    let mut line = format!("{of} {} ", known.0);
    seen.0 += 1;
    for byte in value {
        let _ = write!(line, "{byte:02x}");
    }
    line.push('\n');
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
}

DEPTH
"#;

/// An argument's value that one input alone has brought.
pub struct Met {
    pub site: Site,
    pub value: Vec<u8>,
    /// How many calls deep the function is, `main`'s own call of another function being the first.
    pub depth: u32,
    /// The input.
    pub witness: Vec<u8>,
}

impl Met {
    /// Where the function is, from the folder of all packages on.
    pub fn place(&self) -> String {
        format!("{}:{}", self.site.file.display(), self.site.line)
    }

    /// Whether a failure is the fault that was planted here.
    pub fn is(&self, fault: &Fault) -> bool {
        let location = fault.location.as_ref();
        location.is_some_and(|(file, line, _)| self.is_at(file, *line, &fault.message))
    }

    /// The same by where it is and what it says.
    pub fn is_at(&self, file: &str, line: u32, message: &str) -> bool {
        line == self.site.line
            && Path::new(file).ends_with(&self.site.file)
            && message.contains("planted")
    }
}

impl Host {
    /// What functions three calls deep and deeper are called with by inputs in which words are other ones, and by no seed.
    pub fn met(&self, random: &mut Random) -> Result<Vec<Met>, String> {
        let said = |error: io::Error| format!("{}: {error}", self.name);
        let (sites, texts) = self.sites()?;
        let program = self.telling(&sites, &texts)?;
        let file = self.place("told");
        let mut met: BTreeMap<(usize, Vec<u8>), (u32, Vec<usize>)> = BTreeMap::new();
        let mut inputs = self.seeds.clone();
        while inputs.len() < INPUTS {
            let text = changed(&self.texts[inputs.len() % self.texts.len()], random);
            inputs.push(self.input(&text));
        }
        for (number, input) in inputs.iter().enumerate() {
            fs::write(&file, "").map_err(said)?;
            self.process(&program, input, &file).map_err(said)?;
            for line in fs::read_to_string(&file).unwrap_or_default().lines() {
                let Some((of, depth, value)) = told(line) else { continue };
                let known = met.entry((of, value)).or_insert((depth, Vec::new()));
                known.0 = known.0.min(depth);
                known.1.push(number);
            }
        }
        let all = met.into_iter().filter_map(|((of, value), (depth, by))| {
            let site = sites.get(of)?;
            let is_rare = match site.kind {
                site::Kind::Number => u64::from_le_bytes(value.as_slice().try_into().ok()?) >= 1000,
                _ => value.len() >= 4,
            };
            let [by] = by[..] else { return None };
            (is_rare && depth >= 3 && by >= self.seeds.len()).then(|| {
                let witness = inputs[by].clone();
                Met { site: site.clone(), value, depth, witness }
            })
        });
        Ok(all.collect())
    }

    /// Builds it with statements that tell arguments, without those that the compiler refuses: the program.
    fn telling(
        &self,
        sites: &[Site],
        texts: &BTreeMap<PathBuf, String>,
    ) -> Result<PathBuf, String> {
        let said = |error: io::Error| format!("{}: {error}", self.name);
        let mut refused = vec![false; sites.len()];
        for _ in 0..ROUNDS {
            for (file, text) in texts {
                let own =
                    sites.iter().enumerate().filter(|(at, it)| it.file == *file && !refused[*at]);
                let text = site::write(text, own.map(|(at, it)| (it, it.telling(at))));
                fs::write(self.packages().join(file), text).map_err(said)?;
            }
            let bin = match &self.kind {
                Kind::Program(of) => of.name,
                Kind::Row(_) | Kind::Wrapped(_) => "row",
            };
            let target = self.place("telling");
            let mut command = Command::new(cargo());
            command.args(["build", "--quiet", "--bin", bin, "--target-dir"]).arg(&target);
            if let Kind::Program(of) = &self.kind {
                command.args(["--features", of.name]);
            }
            let output = command
                .arg("--manifest-path")
                .arg(self.driver().join("Cargo.toml"))
                .env("RUSTFLAGS", "--cap-lints=allow")
                .output()
                .map_err(said)?;
            if output.status.success() {
                for (file, text) in texts {
                    fs::write(self.packages().join(file), text).map_err(said)?;
                }
                return Ok(target.join("debug").join(bin));
            }
            let text = String::from_utf8_lossy(&output.stderr);
            let mut is_known = false;
            for line in text.lines() {
                let Some((_, place)) = line.split_once("--> ") else { continue };
                let mut parts = place.trim_end().rsplitn(3, ':');
                let (_, line, path) = (parts.next(), parts.next(), parts.next());
                let (Some(Ok(line)), Some(path)) = (line.map(str::parse::<u32>), path) else {
                    continue;
                };
                for (at, site) in sites.iter().enumerate() {
                    if site.line == line && Path::new(path).ends_with(&site.file) {
                        is_known |= !refused[at];
                        refused[at] = true;
                    }
                }
            }
            if !is_known {
                return Err(format!("{}: it does not compile: {text}", self.name));
            }
        }
        Err(format!("{}: the compiler refuses too many statements", self.name))
    }

    /// Runs a program on an input, with a file to tell to.
    fn process(&self, program: &Path, input: &[u8], file: &Path) -> io::Result<()> {
        let place = self.place("place");
        remove(&place)?;
        fs::create_dir_all(&place)?;
        let input = match self.kind {
            Kind::Program(_) => parts::input(input),
            Kind::Row(_) | Kind::Wrapped(_) => Input::bytes(input),
        };
        let mut command = Command::new("timeout");
        command.arg("5").arg(program);
        command.args(input.arguments.iter().map(|it| std::ffi::OsStr::from_bytes(it)));
        for (path, text) in &input.files {
            fs::write(place.join(path.file_name().unwrap_or_default()), text)?;
        }
        command.env(TOLD, file).current_dir(&place);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = match command.spawn() {
            // A zero in an argument.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Ok(()),
            child => child?,
        };
        // A program need not read it all.
        let _ = child.stdin.take().map(|mut stdin| stdin.write_all(&input.bytes));
        child.wait().map(|_| ())
    }
}

/// One of what was met, of functions that were not taken before: a function first, and then one of its values, as some have many.
pub fn choose<'m>(all: &'m [Met], taken: &[String], random: &mut Random) -> Option<&'m Met> {
    let mut functions: Vec<String> = all.iter().map(Met::place).collect();
    functions.dedup();
    functions.retain(|place| !taken.contains(place));
    let function = functions.get(random.below(functions.len().max(1)))?;
    let own: Vec<&Met> = all.iter().filter(|met| met.place() == *function).collect();
    own.get(random.below(own.len().max(1))).copied()
}

/// The function that is told.
pub fn tell() -> String {
    TELL.replace("LINES", &LINES.to_string()).replace("DEPTH", include_str!("depth.rs"))
}

/// A line that was told: which site, how deep, and the value.
fn told(line: &str) -> Option<(usize, u32, Vec<u8>)> {
    let mut parts = line.splitn(3, ' ');
    let (of, depth) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let digits = parts.next()?;
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    Some((of, depth, (0..digits.len() / 2).map(|at| byte(2 * at)).collect::<Option<_>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    include!("depth.rs");

    #[test]
    fn a_function_is_as_deep_as_there_are_calls_of_functions() {
        let names = [
            "std::backtrace::Backtrace::create",
            "semver::pleach_told::{{closure}}",
            "pleach_told",
            "semver::Version::parse",
            "<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend",
            "semver::read::{{closure}}",
            "<semver::Reader as semver::Read>::read",
            "semver::main",
            "core::ops::function::FnOnce::call_once",
            "main",
            "<unknown>",
        ];
        let trace = |names: &[&str]| -> String {
            let frames = names.iter().enumerate();
            frames
                .map(|(at, name)| format!("{at:>4}: {name}\n             at /x.rs:1:1\n"))
                .collect()
        };
        assert_eq!(depth(&trace(&names)), 2);
        assert_eq!(
            depth(&trace(&["a::pleach_told", "dtparse::parse", "row::inner::run", "row::read"])),
            1
        );
        assert_eq!(depth(""), 0);
    }

    #[test]
    fn one_function_is_not_chosen_again() {
        let met = |line| {
            let mut site = site::find("a.rs".as_ref(), "fn a(text: &str) {}").remove(0);
            site.line = line;
            Met { site, value: b"value".to_vec(), depth: 3, witness: Vec::new() }
        };
        let all = [met(1), met(1), met(7)];
        for seed in 0..20 {
            let chosen = |taken: &[String]| choose(&all, taken, &mut Random(seed)).map(Met::place);
            assert_eq!(chosen(&["a.rs:1".into()]), Some("a.rs:7".into()));
            assert_eq!(chosen(&["a.rs:1".into(), "a.rs:7".into()]), None);
        }
    }

    #[test]
    fn what_is_told_is_read() {
        assert_eq!(told("12 3 00ff"), Some((12, 3, vec![0, 255])));
        assert_eq!(told("12 3 "), Some((12, 3, vec![])));
        assert!(told("12 3").is_none() && told("12 x 00").is_none());
    }
}
