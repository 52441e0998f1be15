//! A field of a comma-separated file: plain, or in quotation marks that are doubled inside.

enum State {
    Start,
    Plain,
    Quoted,
    AfterQuote,
}

/// Whether a text is one field.
pub fn is_field(text: &str) -> bool {
    use State::*;
    let mut state = Start;
    for c in text.chars() {
        state = match state {
            Start | Plain => match c {
                '"' if matches!(state, Start) => Quoted,
                '"' | ',' | '\n' | '\r' => return false,
                _ => Plain,
            },
            Quoted => {
                if c == '"' {
                    AfterQuote
                } else {
                    Quoted
                }
            }
            AfterQuote => {
                if c != '"' {
                    return false;
                }
                Quoted
            }
        };
    }
    !matches!(state, Quoted)
}
