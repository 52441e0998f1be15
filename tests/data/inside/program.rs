//! Reads a file of settings, or standard input, and says how many there are.

use std::collections::HashMap;
use std::io::Read;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut text = String::new();
    match arguments.next() {
        Some(path) if path == "--threads" => std::thread::spawn(|| ()).join().unwrap(),
        Some(path) => text = std::fs::read_to_string(path).expect("the file is there"),
        None => drop(std::io::stdin().read_to_string(&mut text)),
    }
    let settings: HashMap<&str, &str> = text.lines().filter_map(|line| line.split_once('=')).collect();
    if settings.get("answer") == Some(&"42") {
        eprintln!("so it is");
    }
    println!("{} settings", settings.len());
    std::process::exit(settings.len() as i32);
}
