//! The one input that a command is about, read into its tree.

use std::path::Path;

use pleach::grammar::{Diagnostic, SourceFile, SourceMap, Span};
use pleach::parse::{Error, Limits, Parser, Scratch};
use pleach::table::Table;
use pleach::tree::Tree;

use crate::failure::Failure;
use crate::inputs::{Bounds, Input, Unread, shown};
use crate::load::Load;

/// Refuses to read both the grammar and an input from standard input.
pub(crate) fn check_stdin(load: &Load, file: &Path) -> Result<(), Failure> {
    if file == Path::new("-") && load.is_stdin() {
        let message = "error: only one of grammar and input can be standard input";
        return Err(Failure::input(message));
    }
    Ok(())
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read_text(file: &Path, bounds: &Bounds) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let input = Input { path: file.into(), skipped: None };
    input.read(bounds, &mut text).map_err(|unread| match unread {
        Unread::TooLarge(reason) => Failure::Budget(format!("error: {}: {reason}", name(file))),
        Unread::Not(reason) => Failure::Input(format!("error: {}: {reason}", name(file))),
    })?;
    Ok(text)
}

/// Reads a file, or standard input for `-`, into its tree.
pub(crate) fn read_tree(
    table: &Table,
    file: &Path,
    bounds: &Bounds,
    limits: Limits,
) -> Result<Tree, Failure> {
    let text = read_text(file, bounds)?;
    let mut tree = Tree::new();
    Parser::new(table)
        .limits(limits)
        .parse(&text, &mut Scratch::new(), &mut tree)
        .map_err(|error| refusal(file, &text, &error))?;
    Ok(tree)
}

/// How an input is called.
pub(crate) fn name(file: &Path) -> String {
    if file == Path::new("-") { "<stdin>".into() } else { shown(file) }
}

/// Why there is no tree.
fn refusal(file: &Path, text: &[u8], error: &Error) -> Failure {
    let name = name(file);
    let syntax = match error {
        Error::Syntax(syntax) => syntax,
        Error::Budget { .. } | Error::Memory { .. } | Error::TooLong { .. } => {
            return Failure::Budget(format!("error: {name}: {error}"));
        }
        _ => return Failure::Input(format!("error: {name}: {error}")),
    };
    let said = error.to_string();
    // The place is told in another way.
    let said = said.split_once(": ").map_or(&*said, |(_, said)| said);
    if let (Ok(text), Ok(at)) = (std::str::from_utf8(text), u32::try_from(syntax.at())) {
        let files = [SourceFile::new(name, text)];
        let span = Span { file: 0, start: at, end: at + 1 };
        return Failure::No(SourceMap::new(&files).render(&Diagnostic::error(span, said)));
    }
    Failure::No(format!("error: {said}\n --> {name}:{}:{}\n", syntax.line(), syntax.column()))
}
