//! Places in source files, as people see them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::env;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use pleach::inside::ir::{Place, demangled};
use pleach::report::{on_one_line, shortened};

/// How many bytes of a source file are read.
const LARGEST: u64 = 16 << 20;
/// How many characters of a source line are shown.
const LINE: usize = 120;

/// Source files.
pub(crate) struct Sources {
    /// The folder that the command is run in.
    here: Option<PathBuf>,
    /// Their lines, where they can be read.
    lines: RefCell<HashMap<PathBuf, Option<Vec<String>>>>,
}

impl Sources {
    pub(crate) fn new() -> Self {
        let here = env::current_dir().and_then(|it| it.canonicalize()).ok();
        Self { here, lines: RefCell::default() }
    }

    /// A place's file, as [`Sources::path`] has it.
    pub(crate) fn file(&self, place: &Place<'_>) -> String {
        self.path(&place.path())
    }

    /// A path, from the current folder where it is below it.
    pub(crate) fn path(&self, path: &Path) -> String {
        let below = self.here.as_ref().and_then(|here| path.strip_prefix(here).ok());
        on_one_line(&below.unwrap_or(path).to_string_lossy())
    }

    /// A place that is given as `FILE:LINE:COLUMN`, from the current folder where it is below it. A file that is not there from the current
    /// folder on is one of a workspace around.
    pub(crate) fn location(&self, location: &str) -> String {
        let file = Path::new(location.split(':').next().unwrap_or(location));
        let mut around = self.here.iter().flat_map(|here| here.ancestors());
        match around.find(|folder| folder.join(file).exists()) {
            Some(folder) if file.is_relative() => self.path(&folder.join(location)),
            _ => self.path(Path::new(location)),
        }
    }

    /// `FILE:LINE:COLUMN`, without what is not known.
    pub(crate) fn place(&self, place: &Place<'_>) -> String {
        let file = self.file(place);
        match (place.line, place.column) {
            (0, _) => file,
            (line, 0) => format!("{file}:{line}"),
            (line, column) => format!("{file}:{line}:{column}"),
        }
    }

    /// All lines of a file, if it can be read.
    pub(crate) fn lines(&self, path: &Path) -> Option<Vec<String>> {
        read_lines(path)
    }

    /// A line of a source file, without white space around it.
    pub(crate) fn line(&self, place: &Place<'_>) -> Option<String> {
        let path = place.path();
        let mut known = self.lines.borrow_mut();
        let lines = known.entry(path).or_insert_with_key(|path| read_lines(path));
        let line = lines.as_ref()?.get((place.line as usize).checked_sub(1)?)?.trim();
        (!line.is_empty()).then(|| shortened(&on_one_line(line), LINE))
    }
}

/// A function's name for people.
pub(crate) fn function(name: &str) -> String {
    on_one_line(&demangled(name))
}

fn read_lines(path: &Path) -> Option<Vec<String>> {
    let mut text = Vec::new();
    fs::File::open(path).ok()?.take(LARGEST).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
}
