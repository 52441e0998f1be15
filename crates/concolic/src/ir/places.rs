//! Places in the source, from debug information: locations, scopes and files by the numbers that the
//! text gives them.

use pleach_unit::trace::is_of_std;
use std::path::{Path, PathBuf};

/// The file, line, column and function that an instruction comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place<'a> {
    /// The folder that a relative file belongs to.
    pub directory: &'a str,
    /// The file as the compiler was told.
    pub file: &'a str,
    /// The line, from 1; 0 where the compiler made it up.
    pub line: u32,
    /// The column, from 1; 0 where there is none.
    pub column: u32,
    /// The function, as the linker knows it or else as the source does.
    pub function: &'a str,
}

/// Where Cargo keeps the sources of what it downloads.
const DOWNLOADED: [&str; 2] = ["/registry/src/", "/git/checkouts/"];

impl Place<'_> {
    /// Whether it lies in the standard library.
    pub fn in_std(&self) -> bool {
        is_of_std(self.directory) || is_of_std(self.file)
    }

    /// Whether it lies in a package that Cargo has downloaded.
    pub fn is_downloaded(&self) -> bool {
        let of_cargo = |path: &str| DOWNLOADED.iter().any(|folder| path.contains(folder));
        of_cargo(self.file) || (!self.file.starts_with('/') && of_cargo(self.directory))
    }

    /// The file's path from the root, as far as the compiler was told.
    pub fn path(&self) -> PathBuf {
        Path::new(self.directory).join(self.file)
    }
}

#[derive(Clone, Copy, Debug, Default)]
enum Node {
    #[default]
    Other,
    Location {
        line: u32,
        column: u32,
        scope: u32,
        inlined_at: u32,
    },
    /// A block or the like.
    Scope {
        parent: u32,
        file: u32,
    },
    Function {
        name: u32,
        file: u32,
        line: u32,
    },
    File {
        name: u32,
        directory: u32,
    },
}

/// The table of source places that the debug information of a module has.
#[derive(Clone, Debug, Default)]
pub struct Places {
    nodes: Vec<Node>,
    texts: Vec<Box<str>>,
    /// What is added to the numbers of the text that is being read.
    base: u32,
}

/// No number: those of the text are counted from 0, these from 1.
const NONE: u32 = 0;

/// The `name: value` pairs of a node.
fn fields(mut rest: &str) -> impl Iterator<Item = (&str, &str)> {
    std::iter::from_fn(move || {
        let (name, tail) = rest.split_once(": ")?;
        let name = name.trim_start_matches([',', ' ']);
        let (value, tail) = match tail.strip_prefix('"') {
            Some(text) => text.split_once('"')?,
            None => {
                let end = tail.find([',', ')']).unwrap_or(tail.len());
                tail.split_at(end)
            }
        };
        rest = tail;
        Some((name, value))
    })
}

impl Places {
    /// Reads a line like `!12 = !DILocation(line: 3, ...)`, of a text that has `limit` bytes. False if
    /// it is not of that kind.
    pub(super) fn read(&mut self, line: &str, limit: usize) -> bool {
        let Some((id, node)) = line.split_once(" = ") else {
            return false;
        };
        let id = self.reference(id);
        if id == NONE || (id - self.base) as usize > limit {
            return false;
        }
        let node = node.strip_prefix("distinct ").unwrap_or(node);
        let Some((kind, rest)) = node.split_once('(') else {
            return true;
        };
        let node = match kind {
            "!DILocation" => self.location(rest),
            "!DISubprogram" => self.function(rest),
            "!DILexicalBlock" | "!DILexicalBlockFile" => self.scope(rest),
            "!DIFile" => self.file(rest),
            _ => return true,
        };
        if self.nodes.len() <= id as usize {
            self.nodes.resize(id as usize + 1, Node::Other);
        }
        self.nodes[id as usize] = node;
        true
    }

    /// The number by which `!12` is kept.
    pub(super) fn reference(&self, text: &str) -> u32 {
        let number = text.strip_prefix('!').and_then(|digits| digits.parse::<u32>().ok());
        number.and_then(|number| number.checked_add(1)?.checked_add(self.base)).unwrap_or(NONE)
    }

    /// Another text begins, with numbers of its own.
    pub(super) fn next_text(&mut self) {
        self.base = self.nodes.len() as u32;
    }

    fn text(&mut self, text: &str) -> u32 {
        self.texts.push(text.into());
        self.texts.len() as u32 - 1
    }

    fn function(&mut self, rest: &str) -> Node {
        let (mut name, mut file, mut line) = ("", NONE, 0);
        let mut linkage = "";
        for (key, value) in fields(rest) {
            match key {
                "name" => name = value,
                "linkageName" => linkage = value,
                "file" => file = self.reference(value),
                "line" => line = value.parse().unwrap_or(0),
                _ => {}
            }
        }
        let name = self.text(if linkage.is_empty() { name } else { linkage });
        Node::Function { name, file, line }
    }

    fn file(&mut self, rest: &str) -> Node {
        let (mut name, mut directory) = ("", "");
        for (key, value) in fields(rest) {
            match key {
                "filename" => name = value,
                "directory" => directory = value,
                _ => {}
            }
        }
        Node::File { name: self.text(name), directory: self.text(directory) }
    }

    fn node(&self, id: u32) -> Node {
        self.nodes.get(id as usize).copied().unwrap_or_default()
    }

    fn place(&self, file: u32, line: u32, column: u32, function: u32) -> Option<Place<'_>> {
        let Node::File { name, directory } = self.node(file) else {
            return None;
        };
        let text = |id: u32| self.texts.get(id as usize).map_or("", |text| &**text);
        Some(Place {
            directory: text(directory),
            file: text(name),
            line,
            column,
            function: text(function),
        })
    }

    /// A location's place and the scope it is inlined into.
    fn step(&self, id: u32) -> Option<(Place<'_>, u32)> {
        let Node::Location { line, column, mut scope, inlined_at } = self.node(id) else {
            return None;
        };
        let mut file = NONE;
        // Scopes that are in a circle are no scopes.
        for _ in 0..1000 {
            match self.node(scope) {
                Node::Scope { parent, file: its } => {
                    file = if file == NONE { its } else { file };
                    scope = parent;
                }
                Node::Function { name, file: its, .. } => {
                    let file = if file == NONE { its } else { file };
                    return Some((self.place(file, line, column, name)?, inlined_at));
                }
                _ => return None,
            }
        }
        None
    }

    pub(super) fn of(&self, mut id: u32) -> impl Iterator<Item = Place<'_>> {
        std::iter::from_fn(move || {
            let (place, inlined_at) = self.step(id)?;
            id = inlined_at;
            Some(place)
        })
        // So are calls.
        .take(1000)
    }

    pub(super) fn definition(&self, id: u32) -> Option<Place<'_>> {
        let Node::Function { name, file, line } = self.node(id) else {
            return None;
        };
        self.place(file, line, 0, name)
    }
}

impl Places {
    fn location(&self, rest: &str) -> Node {
        let (mut line, mut column, mut scope, mut inlined_at) = (0, 0, NONE, NONE);
        for (key, value) in fields(rest) {
            match key {
                "line" => line = value.parse().unwrap_or(0),
                "column" => column = value.parse().unwrap_or(0),
                "scope" => scope = self.reference(value),
                "inlinedAt" => inlined_at = self.reference(value),
                _ => {}
            }
        }
        Node::Location { line, column, scope, inlined_at }
    }

    fn scope(&self, rest: &str) -> Node {
        let (mut parent, mut file) = (NONE, NONE);
        for (key, value) in fields(rest) {
            match key {
                "scope" => parent = self.reference(value),
                "file" => file = self.reference(value),
                _ => {}
            }
        }
        Node::Scope { parent, file }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_tell_whose_they_are() {
        let of = |directory, file| Place { directory, file, line: 1, column: 1, function: "f" };
        let whose = |place: Place<'_>| (place.in_std(), place.is_downloaded());
        let sysroot = "/opt/rust/lib/rustlib/src/rust/library/core/src/str/mod.rs";
        assert_eq!(whose(of("/home/me", sysroot)), (true, false));
        let below = "/rust/deps/hashbrown-0.16.1/src/map.rs";
        assert_eq!(whose(of("/home/me", below)), (true, false));
        assert_eq!(whose(of("/home/me", "/rustc/59807616e/library/std/src/io.rs")), (true, false));
        assert_eq!(
            whose(of("/home/me/.cargo/registry/src/index-1/a-1.0.0", "src/lib.rs")),
            (false, true)
        );
        assert_eq!(
            whose(of("/home/me/.cargo/git/checkouts/a/1", "/home/me/own/src/lib.rs")),
            (false, false)
        );
        assert_eq!(of("/home/me", "src/lib.rs").path(), Path::new("/home/me/src/lib.rs"));
    }
}
