//! Functions that a change touched: the lines of a diff, found in debug information.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

use pleach::inside::ir::{FunctionId, Module, Place};

use crate::failure::Failure;

/// Lines of source files that are not as they were.
pub(super) struct Changes(HashMap<PathBuf, Vec<RangeInclusive<u32>>>);

impl Changes {
    /// What has changed in the repository of the current folder since a revision.
    pub(super) fn since(revision: &str) -> Result<Self, Failure> {
        let root = git(revision, &["rev-parse", "--show-toplevel"])?;
        let diff = ["diff", "-U0", "--no-color", "--no-ext-diff", "--no-prefix"];
        let diff = [&diff[..], &["--end-of-options", revision, "--"]].concat();
        let diff = git(revision, &diff)?;
        Ok(Self(lines(&diff, &PathBuf::from(root.trim_end_matches('\n')))))
    }

    /// Changes of single lines of a file.
    #[cfg(all(test, target_os = "linux"))]
    pub(super) fn of(path: &Path, lines: &[u32]) -> Self {
        Self(HashMap::from([(path.to_owned(), lines.iter().map(|&line| line..=line).collect())]))
    }

    /// Whether something in a file has changed, which is named as it is without links.
    #[cfg(target_os = "linux")]
    pub(super) fn are_in(&self, path: &Path) -> bool {
        self.0.contains_key(path)
    }

    /// Whether some of a file's lines have changed.
    #[cfg(target_os = "linux")]
    pub(super) fn touch(&self, path: &Path, lines: &RangeInclusive<u32>) -> bool {
        self.0.get(path).is_some_and(|changes| meet(changes, lines))
    }

    /// Whether some of a file's lines have changed that are not among any of these.
    #[cfg(target_os = "linux")]
    pub(super) fn touch_beside(&self, path: &Path, lines: &[RangeInclusive<u32>]) -> bool {
        let changes = self.0.get(path).into_iter().flatten();
        let mut outside = changes.filter(|change| {
            let change = [RangeInclusive::clone(change)];
            !lines.iter().any(|lines| meet(&change, lines))
        });
        outside.next().is_some()
    }

    /// The functions of a program that have code at these lines, or around them: where lines are gone, those before and behind may
    /// have none.
    pub(super) fn functions(&self, module: &Module) -> Vec<FunctionId> {
        let mut paths: HashMap<(String, String), Option<&Vec<RangeInclusive<u32>>>> =
            HashMap::new();
        let mut of = |place: Place<'_>| {
            let key = (place.directory.to_owned(), place.file.to_owned());
            *paths.entry(key).or_insert_with(|| {
                let path = place.path();
                self.0.get(&path.canonicalize().unwrap_or(path))
            })
        };
        let mut is_changed = |id: &FunctionId| {
            let has_code =
                |place: Place<'_>| of(place).is_some_and(|it| meet(it, &(place.line..=place.line)));
            if module.pcs(*id).flat_map(|at| module.places(at)).any(has_code) {
                return true;
            }
            // The last place of an instruction is of the function itself, and not of one that is inlined.
            let own = |begin: &Place<'_>, at| {
                let place = module.places(at).last()?;
                ((place.directory, place.file) == (begin.directory, begin.file))
                    .then_some(place.line)
            };
            module.definition(*id).is_some_and(|begin| {
                of(begin).is_some_and(|changes| {
                    let end = module.pcs(*id).filter_map(|at| own(&begin, at)).max();
                    meet(changes, &(begin.line..=end.unwrap_or(begin.line)))
                })
            })
        };
        module.functions().filter(|id| is_changed(id)).collect()
    }
}

/// Whether one of the changes is among some lines.
fn meet(changes: &[RangeInclusive<u32>], lines: &RangeInclusive<u32>) -> bool {
    changes.iter().any(|it| it.start() <= lines.end() && lines.start() <= it.end())
}

fn git(revision: &str, arguments: &[&str]) -> Result<String, Failure> {
    let wrong = |why: String| Failure::input(format!("error: --since {revision}: {why}"));
    let output = Command::new("git").args(arguments).output();
    let output = output.map_err(|error| wrong(format!("git can't be run: {error}")))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(wrong(why.lines().next().unwrap_or("git failed").to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The lines that a diff without context adds or changes, and those around what it takes out.
fn lines(diff: &str, root: &Path) -> HashMap<PathBuf, Vec<RangeInclusive<u32>>> {
    let mut all: HashMap<PathBuf, Vec<RangeInclusive<u32>>> = HashMap::new();
    let mut file = None;
    for line in diff.lines() {
        if let Some(path) = line.strip_prefix("+++ ") {
            let path = root.join(path.trim_end_matches('\t'));
            file = Some(path.canonicalize().unwrap_or(path));
        } else if let (Some(hunk), Some(file)) = (line.strip_prefix("@@ "), &file)
            && let Some(new) = hunk.split(' ').find_map(|part| part.strip_prefix('+'))
        {
            let (begin, count) = new.split_once(',').unwrap_or((new, "1"));
            let (Ok(begin), Ok(count)) = (begin.parse::<u32>(), count.parse::<u32>()) else {
                continue;
            };
            // Where lines are gone, the one before is named.
            let more = if count == 0 { 1 } else { count - 1 };
            all.entry(file.clone()).or_default().push(begin..=begin.saturating_add(more));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_diff_are_those_that_are_new_or_around_what_is_gone() {
        let diff = "diff --git a.rs a.rs\n--- a.rs\n+++ a.rs\n@@ -3 +3 @@ fn a() {\n-x\n+y\n@@ -7,2 +7,3 @@\n-x\n-x\n+y\n+y\n+y\n\
                    @@ -20,2 +20,0 @@\n-x\n-x\n--- b.rs\n+++ b.rs\n@@ -1 +1,2 @@\n-x\n+y\n+y\n";
        let lines = lines(diff, std::path::Path::new("/nowhere"));
        assert_eq!(lines[&PathBuf::from("/nowhere/a.rs")], [3..=3, 7..=9, 20..=21]);
        assert_eq!(lines[&PathBuf::from("/nowhere/b.rs")], [1..=2]);
    }

    /// Lines that were taken out of regex-syntax 0.5.6 stood between two of which the compiler makes no code.
    #[test]
    fn a_change_between_lines_of_code_is_one_of_the_function() {
        let changes = [1053..=1054, 1070..=1070];
        assert!(meet(&changes, &(1038..=1066)));
        assert!(meet(&changes, &(1054..=1054)) && meet(&changes, &(1060..=1080)));
        assert!(!meet(&changes, &(1055..=1069)) && !meet(&changes, &(1..=1052)));
        assert!(!meet(&[], &(1..=1052)));
    }
}
