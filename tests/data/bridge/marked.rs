//! A program with functions that it marks: of its standard input the first line is a word, the second a number, the third text.

use std::io::Read;

struct Texts {
    all: Vec<String>,
}

impl Texts {
    /// What is already there is nothing new.
    #[pleach_unit::unit]
    fn keep(&mut self, text: String, limit: Limit) -> bool {
        let known = self.all.iter().any(|it| *it == text);
        if !known && self.all.len() < limit.0 {
            self.all.push(text);
        }
        known
    }

    #[pleach_unit::unit(Self, Texts)]
    fn of_bytes(bytes: &[u8]) -> Option<&str> {
        std::str::from_utf8(bytes).ok()
    }
}

#[derive(Clone)]
struct Limit(usize);

#[pleach_unit::unit]
fn command(word: &str) -> u32 {
    match word {
        "reticulate" => {
            println!("splines");
            1
        }
        "abort now" => std::process::abort(),
        "go round" => loop {
            std::hint::spin_loop();
        },
        _ => 0,
    }
}

#[pleach_unit::unit]
fn share<T: Fn(u32) -> u32>(of: &T, parts: u32) -> u32 {
    assert!(parts != 305_419_896, "nobody has as many parts");
    of(parts)
}

fn main() {
    let mut input = Vec::new();
    std::io::stdin().take(1 << 16).read_to_end(&mut input).expect("it is there");
    let mut lines = input.splitn(3, |byte| *byte == b'\n');
    let mut line = || lines.next().unwrap_or_default();
    let word = String::from_utf8_lossy(line());
    let number = String::from_utf8_lossy(line()).parse().unwrap_or(0);
    println!("{} {}", command(&word), share(&|parts| parts / 2, number));
    let mut texts = Texts { all: vec!["a text that nobody has seen".into()] };
    if let Some(text) = Texts::of_bytes(line()) {
        println!("{}", texts.keep(text.to_owned(), Limit(8)));
    }
}
