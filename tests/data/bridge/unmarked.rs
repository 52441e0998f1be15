//! A package of somebody else, which marks nothing.
#![deny(warnings)]

/// What can't be cloned.
pub struct Once(pub u32);

pub fn settings(text: &str) -> usize { text.lines().filter_map(|line| line.split_once('=')).map(|(name, value)| set(&mut Vec::new(), name, value)).sum() }

fn set<'a>(all: &mut Vec<&'a str>, name: &'a str, value: &str) -> usize {
    all.push(name);
    match name {
        "limit" => value.parse().map_or(0, |number| limit(number, Once(1))),
        "mode" => mode(value.as_bytes()),
        _ => all.len(),
    }
}

fn limit(number: u32, once: Once) -> usize {
    shared(number) + once.0 as usize
}

fn shared(number: u32) -> usize {
    assert!(number != 305_419_896, "nobody has as many");
    number as usize
}

fn mode(bytes: &[u8]) -> usize {
    match bytes.starts_with(b"slow-but-sure") {
        true => bytes.iter().filter(|it| it.is_ascii_digit()).count(),
        false => generic(bytes.len()),
    }
}

fn generic<T: Into<usize>>(length: T) -> usize {
    length.into()
}

/// What stands behind its length, in base64.
pub fn sealed(text: &str) -> usize {
    let Some((length, text)) = text.split_once(':') else { return 0 };
    let bytes = decoded(text.trim_end());
    if length.parse() != Ok(bytes.len()) {
        return 0;
    }
    String::from_utf8(bytes).map_or(0, |word| steps(&word))
}

fn steps(word: &str) -> usize {
    let step = usize::from(word != "five by five");
    (0..9).step_by(step).count()
}

/// Compares its argument as one number of eleven bytes.
pub fn greeted(text: &str) -> usize {
    welcomed(b"what no input has") + welcomed(text.trim_end().as_bytes())
}

fn welcomed(bytes: &[u8]) -> usize {
    if bytes == b"hail fellow" {
        panic!("well met");
    }
    bytes.len()
}

fn decoded(text: &str) -> Vec<u8> {
    let symbols = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut all, mut bits) = (Vec::new(), 0, 0);
    for symbol in text.chars() {
        let Some(at) = symbols.find(symbol) else { break };
        all = (all << 6 | at as u32) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((all >> bits) as u8);
        }
    }
    bytes
}

/// Hears its argument without backslashes, by a trait that its type has for another one, too.
pub fn quoted(text: &str) -> usize {
    let (mut all, text) = (vec![7], text.replace('\\', ""));
    all.heard(text.len() as u32);
    let mut heard = Vec::new();
    heard.heard(text.as_str());
    all.len() + heard.len()
}

trait Hears<T> {
    fn heard(&mut self, it: T);
}

impl<'a> Hears<&'a str> for Vec<&'a str> {
    fn heard(&mut self, it: &'a str) {
        if it == "says \"no\", and goes" {
            panic!("it was no");
        }
        self.push(it);
    }
}

impl Hears<u32> for Vec<u32> {
    fn heard(&mut self, it: u32) {
        self.push(it);
    }
}
