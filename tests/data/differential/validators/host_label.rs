//! A label of a host name: letters, digits and inner hyphens.

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Inside,
    Hyphen,
}

/// Whether a text is a label.
pub fn is_label(text: &str) -> bool {
    let mut state = State::Start;
    for c in text.chars() {
        state = match (state, c) {
            (_, 'a'..='z' | 'A'..='Z' | '0'..='9') => State::Inside,
            (State::Inside | State::Hyphen, '-') => State::Hyphen,
            _ => return false,
        };
    }
    state == State::Inside
}
