//! A small mail server after RFC 5321 that knows nothing of the grammar: it keeps no mail, but
//! refuses what the RFC's syntax or order of commands (section 4.1.4) does not allow.

use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;

/// The commands of section 4.1.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    Ehlo,
    Helo,
    Mail,
    Rcpt,
    Data,
    Rset,
    Noop,
    Vrfy,
    Expn,
    Help,
    Quit,
}
use Command::{Data, Ehlo, Expn, Helo, Help, Mail, Noop, Quit, Rcpt, Rset, Vrfy};

impl Command {
    pub const ALL: [Self; 11] = [Ehlo, Helo, Mail, Rcpt, Data, Rset, Noop, Vrfy, Expn, Help, Quit];

    fn verb(self) -> &'static str {
        match self {
            Ehlo => "EHLO",
            Helo => "HELO",
            Mail => "MAIL",
            Rcpt => "RCPT",
            Data => "DATA",
            Rset => "RSET",
            Noop => "NOOP",
            Vrfy => "VRFY",
            Expn => "EXPN",
            Help => "HELP",
            Quit => "QUIT",
        }
    }
}

/// How far a session is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// Whether the client said hello, and whether it did with EHLO.
    hello: Option<bool>,
    transaction: Option<Transaction>,
    closed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Transaction {
    Sender,
    Recipients,
}

impl State {
    /// The state after a command, where it is in sequence.
    pub fn after(self, command: Command) -> Option<Self> {
        let idle = Self { transaction: None, ..self };
        let within = |transaction| Self { transaction: Some(transaction), ..self };
        if self.closed {
            return None;
        }
        match (command, self.transaction) {
            (Ehlo | Helo, _) => Some(Self { hello: Some(command == Ehlo), ..idle }),
            (Mail, None) if self.hello.is_some() => Some(within(Transaction::Sender)),
            (Rcpt, Some(_)) => Some(within(Transaction::Recipients)),
            (Data, Some(Transaction::Recipients)) | (Rset, _) => Some(idle),
            (Noop | Vrfy | Expn | Help, _) => Some(self),
            (Quit, _) => Some(Self { closed: true, ..self }),
            (Mail | Rcpt | Data, _) => None,
        }
    }

    /// Whether the session is over.
    pub fn is_closed(self) -> bool {
        self.closed
    }
}

/// One session.
#[derive(Default)]
pub struct Session {
    state: State,
    /// After DATA and before the period.
    receiving: bool,
    /// The mail data received last, without the stuffed periods.
    pub mail: Vec<u8>,
    /// The commands that were taken.
    pub taken: Vec<Command>,
}

/// The longest line; section 4.5.3.1 asks for 1000.
const LINE: usize = 4096;

impl Session {
    /// The answer to a line, given without its CRLF; none within mail data.
    pub fn answer(&mut self, line: &[u8]) -> Option<(u16, &'static str)> {
        if line.iter().any(|&byte| byte == b'\r' || byte == b'\n' || byte == 0 || byte > 127) {
            return Some((500, "octets that are no text"));
        }
        if self.receiving {
            if line == b"." {
                self.receiving = false;
                return Some((250, "mail accepted"));
            }
            self.mail.extend_from_slice(line.strip_prefix(b".").unwrap_or(line));
            self.mail.extend_from_slice(b"\r\n");
            return None;
        }
        Some(self.command(line))
    }

    fn command(&mut self, line: &[u8]) -> (u16, &'static str) {
        let known = |command: &Command| {
            line.get(..4).is_some_and(|verb| verb.eq_ignore_ascii_case(command.verb().as_bytes()))
        };
        let Some(command) = Command::ALL.into_iter().find(known) else {
            return (500, "command not recognized");
        };
        let extended = self.state.hello == Some(true);
        if Reader(&line[4..]).arguments(command, extended).is_none() {
            return (501, "syntax error in arguments");
        }
        let Some(state) = self.state.after(command) else {
            return (503, "bad sequence of commands");
        };
        self.state = state;
        self.taken.push(command);
        match command {
            Data => {
                self.mail.clear();
                self.receiving = true;
                (354, "end with a line of one period")
            }
            Ehlo | Helo => (250, "pleased to meet you"),
            Help => (214, "see RFC 5321"),
            Vrfy | Expn => (252, "cannot verify, but will take mail"),
            Quit => (221, "closing"),
            Mail | Rcpt | Rset | Noop => (250, "OK"),
        }
    }

    /// Whether the client has said QUIT.
    pub fn is_closed(&self) -> bool {
        self.state.is_closed()
    }
}

/// The commands of a whole session, where a server takes each and the last is QUIT.
///
/// # Errors
///
/// The first line that is refused, with the answer.
pub fn hear(text: &[u8]) -> Result<Vec<Command>, String> {
    let mut session = Session::default();
    let mut rest = text;
    while !rest.is_empty() {
        let end =
            rest.windows(2).position(|pair| pair == b"\r\n").ok_or("a line without an end")?;
        let line = &rest[..end];
        rest = &rest[end + 2..];
        if let Some((code, text)) = session.answer(line)
            && code >= 400
        {
            return Err(format!("{code} {text}: {}", line.escape_ascii()));
        }
    }
    if session.is_closed() { Ok(session.taken) } else { Err("no QUIT in the end".into()) }
}

/// Serves one connection.
pub fn serve(stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    writer.write_all(b"220 localhost ready\r\n")?;
    let (mut session, mut line) = (Session::default(), Vec::new());
    while !session.is_closed() {
        line.clear();
        if io::Read::take(&mut reader, LINE as u64).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let Some(text) = line.strip_suffix(b"\r\n") else {
            writer.write_all(b"500 line too long or without CRLF\r\n")?;
            break;
        };
        if let Some((code, text)) = session.answer(text) {
            let extended = code == 250 && session.taken.last() == Some(&Ehlo);
            if extended {
                // Several lines, the extensions among them, and the last without the hyphen.
                writer.write_all(b"250-localhost\r\n250-SIZE\r\n250-8BITMIME\r\n250-DSN\r\n")?;
            }
            writer.write_all(format!("{code} {text}\r\n").as_bytes())?;
        }
    }
    Ok(())
}

/// Reads arguments from left to right; `None` where the syntax is another.
struct Reader<'t>(&'t [u8]);

impl<'t> Reader<'t> {
    fn arguments(&mut self, command: Command, extended: bool) -> Option<()> {
        match command {
            Ehlo => {
                self.word(" ")?;
                if self.sees(b'[') { self.address_literal()? } else { self.domain()? }
            }
            Helo => {
                self.word(" ")?;
                self.domain()?;
            }
            Mail => {
                self.word(" FROM:")?;
                if self.word("<>").is_none() {
                    self.path()?;
                }
                self.parameters(extended, &["SIZE", "BODY", "RET", "ENVID"])?;
            }
            Rcpt => {
                self.word(" TO:")?;
                if self.word("<Postmaster>").is_none() {
                    self.path()?;
                }
                self.parameters(extended, &["NOTIFY", "ORCPT"])?;
            }
            Vrfy | Expn => {
                self.word(" ")?;
                self.string()?;
            }
            Noop | Help if !self.0.is_empty() => {
                self.word(" ")?;
                self.string()?;
            }
            Noop | Help | Data | Rset | Quit => {}
        }
        self.0.is_empty().then_some(())
    }

    fn sees(&self, byte: u8) -> bool {
        self.0.first() == Some(&byte)
    }

    /// A text, in any case.
    fn word(&mut self, word: &str) -> Option<()> {
        let (start, rest) = self.0.split_at_checked(word.len())?;
        start.eq_ignore_ascii_case(word.as_bytes()).then(|| self.0 = rest)
    }

    /// The bytes up to one that does not belong.
    fn run(&mut self, belongs: impl Fn(u8) -> bool) -> &'t [u8] {
        let end = self.0.iter().position(|&byte| !belongs(byte)).unwrap_or(self.0.len());
        let (run, rest) = self.0.split_at(end);
        self.0 = rest;
        run
    }

    fn path(&mut self) -> Option<()> {
        self.word("<")?;
        if self.sees(b'@') {
            loop {
                self.word("@")?;
                self.domain()?;
                if self.word(",").is_none() {
                    break;
                }
            }
            self.word(":")?;
        }
        if self.sees(b'"') {
            self.quoted()?;
        } else {
            self.atom()?;
            while self.word(".").is_some() {
                self.atom()?;
            }
        }
        self.word("@")?;
        if self.sees(b'[') {
            self.address_literal()?
        } else {
            self.domain()?
        }
        self.word(">")
    }

    /// Labels of letters, digits and hyphens; a hyphen is neither first nor last.
    fn domain(&mut self) -> Option<()> {
        let name = self.run(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.');
        let label =
            |label: &[u8]| !label.is_empty() && !label.starts_with(b"-") && !label.ends_with(b"-");
        name.split(|&byte| byte == b'.').all(label).then_some(())
    }

    fn atom(&mut self) -> Option<()> {
        let special = |byte| b"!#$%&'*+-/=?^_`{|}~".contains(&byte);
        let atom = self.run(|byte| byte.is_ascii_alphanumeric() || special(byte));
        (!atom.is_empty()).then_some(())
    }

    fn quoted(&mut self) -> Option<()> {
        self.word("\"")?;
        loop {
            let (&first, rest) = self.0.split_first()?;
            self.0 = rest;
            match first {
                b'"' => return Some(()),
                b'\\' => {
                    let (quoted, rest) = self.0.split_first()?;
                    (b' '..=b'~').contains(quoted).then(|| self.0 = rest)?;
                }
                b' '..=b'~' => {}
                _ => return None,
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        if self.sees(b'"') { self.quoted() } else { self.atom() }
    }

    fn address_literal(&mut self) -> Option<()> {
        self.word("[")?;
        let ipv6 = self.word("IPv6:").is_some();
        let text = self.run(|byte| byte.is_ascii_hexdigit() || byte == b':' || byte == b'.');
        let text = str::from_utf8(text).ok()?;
        (if ipv6 { is_ipv6(text) } else { is_ipv4(text) }).then_some(())?;
        self.word("]")
    }

    fn parameters(&mut self, extended: bool, names: &[&str]) -> Option<()> {
        let mut left = names.to_vec();
        while !self.0.is_empty() {
            self.word(" ")?;
            let found = left.iter().position(|name| self.word(&format!("{name}=")).is_some())?;
            let name = left.swap_remove(found);
            if !extended {
                return None;
            }
            let value = self.run(|byte| (b'!'..=b'~').contains(&byte) && byte != b'=');
            parameter(name, str::from_utf8(value).ok()?)?;
        }
        Some(())
    }
}

/// The value of a parameter; each section sets its length, too.
fn parameter(name: &str, value: &str) -> Option<()> {
    let is = |words: &[&str]| words.iter().any(|word| value.eq_ignore_ascii_case(word));
    let good = match name {
        "SIZE" => (1..=20).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_digit()),
        "BODY" => is(&["7BIT", "8BITMIME"]),
        "RET" => is(&["FULL", "HDRS"]),
        "ENVID" => value.len() <= 100 && is_xtext(value),
        "NOTIFY" => {
            let event = |word: &str| {
                ["SUCCESS", "FAILURE", "DELAY"].iter().any(|event| event.eq_ignore_ascii_case(word))
            };
            is(&["NEVER"]) || value.split(',').all(event)
        }
        "ORCPT" => {
            let (kind, address) = value.split_once(';')?;
            value.len() <= 500 && kind.eq_ignore_ascii_case("rfc822") && is_xtext(address)
        }
        _ => false,
    };
    good.then_some(())
}

/// RFC 3461, section 4: what is encoded is printable.
fn is_xtext(text: &str) -> bool {
    let mut pieces = text.split('+');
    let plain = pieces.next().unwrap_or("");
    let encoded = |piece: &str| {
        piece.get(..2).is_some_and(|code| {
            code.bytes().all(|byte| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte))
                && u8::from_str_radix(code, 16).is_ok_and(|byte| (b' '..=b'~').contains(&byte))
        })
    };
    !(text.is_empty() || plain.contains('=')) && pieces.all(encoded)
}

/// Section 4.1.3 allows leading zeros, which `std::net` refuses.
fn is_ipv4(text: &str) -> bool {
    let number = |part: &str| {
        (1..=3).contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && part.parse::<u8>().is_ok()
    };
    text.split('.').count() == 4 && text.split('.').all(number)
}

fn is_ipv6(text: &str) -> bool {
    // An IPv4 address at the end stands for two groups.
    let mut text = text.to_owned();
    if text.contains('.') {
        let start = text.rfind(':').map_or(0, |colon| colon + 1);
        if !is_ipv4(&text[start..]) {
            return false;
        }
        text.replace_range(start.., "0:0");
    }
    let group = |group: &str| {
        (1..=4).contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    // How many groups a side of `::` has, if it is well-formed.
    let side = |side: &str| match side {
        "" => Some(0),
        _ => side.split(':').all(group).then(|| side.split(':').count()),
    };
    match text.split_once("::") {
        Some((left, right)) => {
            side(left).zip(side(right)).is_some_and(|(left, right)| left + right <= 6)
        }
        None => side(&text) == Some(8),
    }
}
