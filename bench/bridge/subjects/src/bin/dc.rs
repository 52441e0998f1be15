//! `dc-ock`, which is a library: its arguments, or else the lines of standard input, are evaluated on one stack.

use subjects as _;

use std::collections::VecDeque;
use std::io::BufRead;

fn evaluate(text: &str, stack: VecDeque<f64>) -> VecDeque<f64> {
    match dc_ock::safe_eval_with_stack(text, stack.clone()) {
        Ok(new) => {
            println!("{new:?}");
            new
        }
        Err(error) => {
            println!("{}", error.message);
            stack
        }
    }
}

fn main() {
    let mut stack = VecDeque::new();
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.peek().is_some() {
        arguments.for_each(|text| stack = evaluate(&text, std::mem::take(&mut stack)));
        return;
    }
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        stack = evaluate(&line, stack);
    }
}
