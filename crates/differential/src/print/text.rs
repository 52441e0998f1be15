//! A part as text, in groups only where it must be.

use super::parts::{Id, Node, Parts};
use crate::DifferentialError;

/// The text of a part.
pub(super) fn text(all: &Parts, root: Id) -> Result<String, DifferentialError> {
    enum Task {
        Write(Id, Level),
        Say(&'static str),
        Count(u32, Option<u32>),
    }
    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    enum Level {
        Alternatives,
        Concat,
        Atom,
    }
    let mut out = String::new();
    let mut tasks = vec![Task::Write(root, Level::Alternatives)];
    while let Some(task) = tasks.pop() {
        if out.len() > all.longest {
            return Err(all.too_large());
        }
        match task {
            Task::Say(text) => out.push_str(text),
            Task::Count(min, max) => out.push_str(&match (min, max) {
                (0, None) => "*".into(),
                (1, None) => "+".into(),
                (0, Some(1)) => "?".into(),
                (min, None) => format!("{{{min},}}"),
                (min, Some(max)) if min == max => format!("{{{min}}}"),
                (min, Some(max)) => format!("{{{min},{max}}}"),
            }),
            Task::Write(id, level) => match all.get(id) {
                Node::Empty => out.push_str(if level == Level::Atom { "(?:)" } else { "" }),
                Node::Class(class) => {
                    let text = all.classes.text(*class);
                    match all.classes.is_mixed(*class) && level > Level::Alternatives {
                        true => out.extend(["(?:", text, ")"]),
                        false => out.push_str(text),
                    }
                }
                Node::Concat(parts) => {
                    let grouped = level > Level::Concat;
                    if grouped {
                        out.push_str("(?:");
                        tasks.push(Task::Say(")"));
                    }
                    let parts = parts.iter().rev();
                    tasks.extend(parts.map(|&part| Task::Write(part, Level::Concat)));
                }
                Node::Alternatives(parts) => {
                    if level > Level::Alternatives {
                        out.push_str("(?:");
                        tasks.push(Task::Say(")"));
                    }
                    for (index, &part) in parts.iter().enumerate().rev() {
                        tasks.push(Task::Write(part, Level::Alternatives));
                        if index > 0 {
                            tasks.push(Task::Say("|"));
                        }
                    }
                }
                &Node::Repeat(part, min, max) => {
                    // A mark after a mark would mean something else.
                    if level == Level::Atom {
                        out.push_str("(?:");
                        tasks.push(Task::Say(")"));
                    }
                    tasks.push(Task::Count(min, max));
                    tasks.push(Task::Write(part, Level::Atom));
                }
            },
        }
    }
    Ok(out)
}
