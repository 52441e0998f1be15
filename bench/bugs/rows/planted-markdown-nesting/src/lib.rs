//! Planted: a link in emphasis, in an item of a list, in a quotation.

use pulldown_cmark::{Event, Parser, Tag};

/// Reads one input.
pub fn run(text: &str) {
    let mut open = Vec::new();
    for event in Parser::new(text) {
        match event {
            Event::Start(tag) => {
                open.push(tag);
                look(&open);
            }
            Event::End(_) => {
                open.pop();
            }
            _ => {}
        }
    }
}

fn look(open: &[Tag]) {
    let mut wanted: [fn(&Tag) -> bool; 4] = [
        |tag| matches!(tag, Tag::Link { .. }),
        |tag| matches!(tag, Tag::Emphasis),
        |tag| matches!(tag, Tag::Item),
        |tag| matches!(tag, Tag::BlockQuote(_)),
    ];
    wanted.reverse();
    let mut tags = open.iter();
    assert!(!wanted.iter().all(|is| tags.any(is)), "planted");
}
