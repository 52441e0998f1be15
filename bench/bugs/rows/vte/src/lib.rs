//! What a terminal is sent is read, with all parameters.

struct Screen;

impl vte::Perform for Screen {
    fn csi_dispatch(&mut self, params: &vte::Params, _: &[u8], _: bool, _: char) {
        for param in params {
            std::hint::black_box(param);
        }
    }
}

/// Reads one input.
pub fn run(data: &[u8]) {
    let mut parser = vte::Parser::new();
    for &byte in data {
        parser.advance(&mut Screen, byte);
    }
}
