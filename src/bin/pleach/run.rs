//! `pleach run`: a command on an input of several parts.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use clap::Args;
use pleach::parts::{PartKind, Parts, PartsError};

use crate::document::{name, read_text};
use crate::failure::{Failure, to_stderr};
use crate::inputs::{Bounds, shown};
use crate::runs::{PLACEHOLDERS, TemporaryFolder};
use crate::unfinished::Unfinished;

/// Where the files of an input are, from where its standard input and the script are.
const FILES: &str = "files";
const STDIN: &str = "stdin";
const SCRIPT: &str = "run.sh";

/// Runs a command on an input of several parts
///
/// INPUT says itself what its parts are, as a grammar with %part derives them: its files are written to a new
/// temporary folder, in which COMMAND runs, its variables are added to the environment, and COMMAND reads its standard
/// input; without one, that is empty. Its arguments stand for an argument @@ of COMMAND; where there is none, for {};
/// and else they follow COMMAND's own. A program is looked for where pleach runs, a name alone in the PATH that the
/// input has, if it has one; other paths in COMMAND are relative to the temporary folder, so that arguments of the input
/// can name its files.
///
/// An input that others wrote chooses what COMMAND is told, and so, perhaps, what it does. Its files stay in the folder.
///
/// With --extract the parts are written to DIR, in which run.sh does the same without pleach: with COMMAND as here, or
/// without one here, with what it is given.
#[derive(Args)]
#[command(after_long_help = "\
Exit codes: COMMAND's, or 128 and the number of the signal that ended it; 2, too, where INPUT is no input of several \
parts, or COMMAND cannot be run.

Examples:
  pleach run crash.txt -- ./grep @@
  pleach run crash.txt --extract crash && sh crash/run.sh ./grep
  pleach reduce grammars/cli-options.pleach crash.txt -o small.txt -- pleach run @@ -- ./grep {}")]
pub(crate) struct Run {
    /// The input; `-` reads standard input
    input: PathBuf,
    /// Write the parts to this folder, which is new or empty
    #[arg(long, value_name = "DIR")]
    extract: Option<PathBuf>,
    #[command(flatten)]
    bounds: Bounds,
    /// The command and its arguments; with --extract there need be none
    #[arg(last = true, required_unless_present = "extract")]
    command: Vec<OsString>,
}

impl Run {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let text = read_text(&self.input, &self.bounds)?;
        let parts = Parts::read(&text).map_err(|error| no_parts(&name(&self.input), &error))?;
        let arguments = parts.arguments().map(system).collect::<Result<Vec<_>, _>>()?;
        let command = match self.command.split_first() {
            Some((program, own)) => Some((absolute(program)?, filled(own, &arguments))),
            None => None,
        };
        if let Some(folder) = &self.extract {
            extract(folder, &parts, command.as_ref(), &arguments)?;
        }
        let Some((program, arguments)) = command else { return Ok(()) };
        let temporary = TemporaryFolder::new("run")
            .map_err(|error| Failure::Input(format!("error: the temporary folder: {error}")))?;
        write(temporary.path(), &parts)?;
        let stdin = temporary.path().join(STDIN);
        let stdin = match File::open(&stdin) {
            Ok(file) => Stdio::from(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Stdio::null(),
            Err(error) => return Err(misplaced(&stdin, &error)),
        };
        let mut run = Command::new(&program);
        run.args(arguments).current_dir(temporary.path().join(FILES)).stdin(stdin);
        for (name, text) in parts.variables() {
            run.env(name, system(text)?);
        }
        let status = run.status().map_err(|error| {
            Failure::Input(format!("error: cannot run {}: {error}", shown(Path::new(&program))))
        })?;
        // Before the process ends, which it does with this status.
        drop(temporary);
        match ended(status) {
            0 => Ok(()),
            code => Err(Failure::Status(code)),
        }
    }
}

/// A text that should be one of parts, and is none.
pub(crate) fn no_parts(name: &str, error: &PartsError) -> Failure {
    let place = format!("{name}:{}:{}", error.line(), error.column());
    Failure::Input(format!("error: {}\n --> {place}", error.fault()))
}

/// A program as it is found from another folder.
fn absolute(program: &OsStr) -> Result<OsString, Failure> {
    let path = Path::new(program);
    if path.components().count() < 2 && !path.has_root() && !is_here(program) {
        return Ok(program.to_owned());
    }
    let path = std::path::absolute(path)
        .map_err(|error| Failure::Input(format!("error: cannot run {}: {error}", shown(path))))?;
    Ok(path.into())
}

/// Whether a program is named by a path though it has one component, as `./a` is.
fn is_here(program: &OsStr) -> bool {
    program.as_encoded_bytes().iter().any(|&byte| std::path::is_separator(byte.into()))
}

/// The arguments of a command with those of an input in their place.
fn filled(own: &[OsString], arguments: &[OsString]) -> Vec<OsString> {
    let place = PLACEHOLDERS.into_iter().find_map(|mark| own.iter().position(|it| it == mark));
    let (before, after) = match place {
        Some(at) => (&own[..at], &own[at + 1..]),
        None => (own, &[][..]),
    };
    [before, arguments, after].concat()
}

/// What a shell would say of how a command ended.
fn ended(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(1)
}

/// Bytes as the system takes them for an argument or a variable.
#[cfg(unix)]
fn system(bytes: &[u8]) -> Result<OsString, Failure> {
    Ok(std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec()))
}

#[cfg(not(unix))]
fn system(bytes: &[u8]) -> Result<OsString, Failure> {
    let text = String::from_utf8(bytes.to_vec()).map_err(|_| {
        Failure::Input(
            "error: an argument or a variable is not UTF-8, as this system needs it".into(),
        )
    })?;
    Ok(text.into())
}

fn misplaced(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("error: cannot write {}: {error}", shown(path)))
}

fn has_stdin(parts: &Parts) -> bool {
    parts.iter().any(|part| part.kind == PartKind::Stdin)
}

/// Writes files and standard input into a folder that is new.
fn write(folder: &Path, parts: &Parts) -> Result<(), Failure> {
    let files = folder.join(FILES);
    fs::create_dir(&files).map_err(|error| misplaced(&files, &error))?;
    let files = parts.files().map(|(path, text)| (files.join(path), text));
    let stdin = has_stdin(parts).then(|| (folder.join(STDIN), parts.stdin()));
    for (path, text) in files.chain(stdin) {
        let written = || {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            // Where case makes no difference two parts may be one file.
            File::create_new(&path)?.write_all(text)
        };
        written().map_err(|error| misplaced(&path, &error))?;
    }
    Ok(())
}

/// Writes the parts, and a script that runs them, to a folder that is new or empty, whole or not at all.
fn extract(
    folder: &Path,
    parts: &Parts,
    command: Option<&(OsString, Vec<OsString>)>,
    arguments: &[OsString],
) -> Result<(), Failure> {
    let is_free = match fs::symlink_metadata(folder) {
        Ok(found) if found.is_dir() => {
            fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
        }
        Ok(_) => false,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if !is_free || folder.file_name().is_none() {
        return Err(Failure::Input(format!(
            "error: --extract {}: something is there already: name a folder that is new or empty",
            shown(folder)
        )));
    }
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).map_err(|error| misplaced(parent, &error))?;
    }
    let unfinished =
        Unfinished::folder_beside(folder).map_err(|error| misplaced(folder, &error))?;
    write(unfinished.path(), parts)?;
    let script = unfinished.path().join(SCRIPT);
    fs::write(&script, self::script(parts, command, arguments))
        .map_err(|error| misplaced(&script, &error))?;
    // An empty folder makes room; what came into it meanwhile is kept.
    let _ = fs::remove_dir(folder);
    fs::rename(unfinished.path(), folder).map_err(|error| misplaced(folder, &error))?;
    let run = folder.join(SCRIPT);
    let given = if command.is_some() { "" } else { " COMMAND" };
    to_stderr(format_args!("wrote {}; `sh {}{given}` runs it", shown(folder), shown(&run)));
    Ok(())
}

/// A script for any shell of POSIX that runs a command as [`Run::run`] does.
fn script(
    parts: &Parts,
    command: Option<&(OsString, Vec<OsString>)>,
    arguments: &[OsString],
) -> Vec<u8> {
    let mut out = b"#!/bin/sh\n".to_vec();
    if command.is_none() {
        out.extend_from_slice(
            b"# sh run.sh COMMAND: the arguments of the input follow COMMAND's own.\n\
              case ${1-} in\n\
              '') echo 'usage: sh run.sh COMMAND' >&2; exit 2 ;;\n\
              /*) ;;\n\
              */*) set -- \"$PWD/$@\" ;;\n\
              esac\n",
        );
    }
    let stdin = if has_stdin(parts) { "../stdin" } else { "/dev/null" };
    let head = format!("cd -- \"$(dirname -- \"$0\")/{FILES}\" || exit\nexec <{stdin}\n");
    out.extend_from_slice(head.as_bytes());
    for (name, text) in parts.variables() {
        out.extend_from_slice(format!("export {name}=").as_bytes());
        quote(text, &mut out);
        out.push(b'\n');
    }
    out.extend_from_slice(b"exec");
    let (program, arguments) = match command {
        Some((program, arguments)) => (Some(program), &**arguments),
        None => (None, arguments),
    };
    if program.is_none() {
        out.extend_from_slice(b" \"$@\"");
    }
    for argument in program.into_iter().chain(arguments) {
        out.push(b' ');
        quote(argument.as_encoded_bytes(), &mut out);
    }
    out.push(b'\n');
    out
}

/// Writes a text as one word of a shell.
fn quote(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'\'');
    for &byte in text {
        match byte {
            b'\'' => out.extend_from_slice(b"'\\''"),
            _ => out.push(byte),
        }
    }
    out.push(b'\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_stand_where_they_are_asked_for() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let arguments = words("x y");
        for (own, expected) in [
            ("-a @@ -b", "-a x y -b"),
            ("{} @@", "{} x y"),
            ("-a {} {}", "-a x y {}"),
            ("-a@@ -b", "-a@@ -b x y"),
        ] {
            assert_eq!(filled(&words(own), &arguments), words(expected), "{own}");
        }
        assert_eq!(filled(&[], &arguments), arguments);
    }

    #[test]
    fn programs_of_a_path_are_found_from_elsewhere() {
        assert_eq!(absolute(OsStr::new("grep")).unwrap(), "grep");
        let here = std::env::current_dir().unwrap();
        assert_eq!(Path::new(&absolute(OsStr::new("./it")).unwrap()), here.join("it"));
        assert_eq!(Path::new(&absolute(OsStr::new("a/it")).unwrap()), here.join("a/it"));
    }

    #[test]
    fn words_are_quoted_whatever_they_hold() {
        let mut out = Vec::new();
        quote(b"it's $HOME\n\\", &mut out);
        assert_eq!(out, b"'it'\\''s $HOME\n\\'");
    }
}
