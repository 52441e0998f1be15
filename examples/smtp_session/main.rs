//! Sessions with a server as a language: every two commands that the protocol's states allow in a
//! row are sent to a mail server on the loopback interface, which must take them all.
//!
//! `cargo run --no-default-features --example smtp_session`

#[allow(dead_code)] // Tests use all of it.
mod server;

use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use pleach::Seeded;
use pleach::produce::{Cover, CoverOptions};
use pleach::table::Table;
use pleach::tree::Tree;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            if let Err(error) = stream.and_then(server::serve) {
                eprintln!("the server: {error}");
            }
        }
    });

    let table = Table::parse(include_str!("../../grammars/smtp-session.pleach"))?;
    let mut cover = Cover::new(&table, CoverOptions::new(2))?;
    let (mut random, mut tree) = (Seeded::new(0), Tree::new());
    let (mut sessions, mut replies) = (0, 0);
    while cover.next_tree(&mut random, &mut tree) {
        let session = tree.text().escape_ascii();
        replies += talk(address, tree.text()).map_err(|error| format!("{error} in {session}"))?;
        sessions += 1;
    }
    let summary = cover.summary();
    println!("{sessions} sessions cover {} of {} k-paths", summary.covered, summary.total);
    println!("all {replies} replies of the server at {address} were positive");
    Ok(())
}

/// Sends a session line by line, as a client does that waits for each reply; how many came.
fn talk(address: SocketAddr, session: &[u8]) -> Result<u32, Box<dyn std::error::Error>> {
    let mut writer = TcpStream::connect(address)?;
    writer.set_nodelay(true)?;
    writer.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut reader = BufReader::new(writer.try_clone()?);
    let (mut replies, mut data) = (1, false);
    positive(&mut reader)?;
    for line in session.split_inclusive(|&byte| byte == b'\n') {
        writer.write_all(line)?;
        if data && line != b".\r\n" {
            continue;
        }
        data = positive(&mut reader)? == 354;
        replies += 1;
    }
    // After QUIT the server closes the connection.
    let mut rest = String::new();
    match reader.read_line(&mut rest)? {
        0 => Ok(replies),
        _ => Err(format!("after the end: {rest:?}").into()),
    }
}

/// The code of a reply, which may have several lines.
fn positive(reader: &mut impl BufRead) -> Result<u16, Box<dyn std::error::Error>> {
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        let code = line.get(..3).unwrap_or("").parse()?;
        if !(200..400).contains(&code) {
            return Err(line.into());
        }
        if line.as_bytes().get(3) == Some(&b' ') {
            return Ok(code);
        }
    }
}
