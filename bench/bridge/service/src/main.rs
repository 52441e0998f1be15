//! A login over HTTP: a form, and a table of users in SQLite.
//!
//! `service add DATABASE NAME PASSWORD` adds a user, `service serve DATABASE PORT` listens on the loopback address.

use std::error::Error;
use std::io::Read;

use rusqlite::{Connection, Statement};
use sha2::{Digest, Sha256};
use tiny_http::{Header, Method, Request, Response, Server};

const FORM: &str = "<form method=post action=/login><input name=user><input name=password type=password><button>Log in</button></form>";
/// How long a form may be.
const LONGEST: u64 = 1 << 16;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["add", database, name, password] => {
            let users = open(database)?;
            users.execute("INSERT INTO users VALUES (?1, ?2)", [name, &hashed(password)[..]])?;
            Ok(())
        }
        ["serve", database, port] => serve(&open(database)?, port.parse()?),
        _ => Err("service add DATABASE NAME PASSWORD, or service serve DATABASE PORT".into()),
    }
}

fn open(database: &str) -> rusqlite::Result<Connection> {
    let users = Connection::open(database)?;
    users.execute("CREATE TABLE IF NOT EXISTS users (name TEXT PRIMARY KEY, password TEXT)", [])?;
    Ok(users)
}

fn serve(users: &Connection, port: u16) -> Result<(), Box<dyn Error>> {
    let mut known = users.prepare("SELECT password = ?2 FROM users WHERE name = ?1")?;
    let server = Server::http(("127.0.0.1", port)).map_err(|error| error as Box<dyn Error>)?;
    for mut request in server.incoming_requests() {
        let (status, page) = answer(&mut known, &mut request)?;
        let html = Header::from_bytes("Content-Type", "text/html").expect("it is a header");
        // Whoever has asked may be gone.
        let _ =
            request.respond(Response::from_string(page).with_status_code(status).with_header(html));
    }
    Ok(())
}

fn answer(
    known: &mut Statement<'_>,
    request: &mut Request,
) -> Result<(u16, String), Box<dyn Error>> {
    if (request.method(), request.url()) != (&Method::Post, "/login") {
        return Ok((200, FORM.into()));
    }
    let mut form = Vec::new();
    if request.as_reader().take(LONGEST).read_to_end(&mut form).is_err() {
        return Ok((400, "The form is not whole.".into()));
    }
    let (mut user, mut password) = (String::new(), String::new());
    for (key, value) in form_urlencoded::parse(&form) {
        match &*key {
            "user" => user = value.into(),
            "password" => password = value.into(),
            _ => {}
        }
    }
    Ok(match is_password(known, &user, &hashed(&password))? {
        None => (403, "Nobody has this name.".into()),
        Some(false) => (403, "This is not the password.".into()),
        Some(true) => (200, format!("Welcome, {} letters!", user.chars().count())),
    })
}

fn hashed(password: &str) -> String {
    let hash = Sha256::digest(format!("salt of the service{password}"));
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the user of this name has this password; nothing if there is none.
#[pleach_unit::unit]
fn is_password(
    known: &mut Statement<'_>,
    name: &str,
    password: &str,
) -> rusqlite::Result<Option<bool>> {
    let mut rows = known.query([name, password])?;
    match rows.next()? {
        None => Ok(None),
        Some(row) => Ok(Some(row.get(0)?)),
    }
}
