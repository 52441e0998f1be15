//! Sessions of a mail client, taken by the example's mail server and by smtp-proto.

use std::borrow::Cow;

use pleach::produce::Options;
use smtp_proto::Request;
use smtp_proto::request::receiver::DataReceiver;

use crate::{Clause, Kind, Oracle, Reader, Subject};

#[allow(dead_code)] // The example uses the rest.
#[path = "../../../examples/smtp_session/server.rs"]
mod server;

pub const SUBJECT: Subject = Subject {
    grammar: "smtp-session",
    standard: "RFC 5321, with RFC 1870, RFC 3461 and RFC 6152",
    k: 3,
    options: Options::new,
    oracles: &[
        Oracle {
            name: "the mail server of examples/smtp_session",
            read: Reader::Text(serve),
            clauses: &[],
            accepted: ACCEPTED,
            refused: &[
                "",
                "NOOP\r\n",
                "QUIT\r\nQUIT\r\n",
                "QUIT\n",
                "QUIT now\r\n",
                "FOO\r\nQUIT\r\n",
                "MAIL FROM:<>\r\nQUIT\r\n",
                "EHLO a\r\nRCPT TO:<a@b>\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<>\r\nMAIL FROM:<>\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<>\r\nDATA\r\n.\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<>\r\nEHLO a\r\nRCPT TO:<a@b>\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<>\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM: <>\r\nQUIT\r\n",
                "EHLO -a\r\nQUIT\r\n",
                "EHLO [1.2.3.256]\r\nQUIT\r\n",
                "EHLO [IPv6:1:2:3:4:5:6:7::]\r\nQUIT\r\n",
                "HELO [1.2.3.4]\r\nQUIT\r\n",
                "HELO a\r\nMAIL FROM:<> SIZE=1\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<> SIZE=1 SIZE=1\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<> BODY=9BIT\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<> ENVID=+0A\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<a..b@c>\r\nQUIT\r\n",
                "VRFY a b\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<a@b>\r\nDATA\r\nQUIT\r\n",
            ],
        },
        Oracle {
            name: "smtp-proto 0.2",
            read: Reader::Text(parse),
            clauses: &[Clause {
                name: "RFC 1870, section 4: 20 digits",
                kind: Kind::Deviation,
                applies: |text| lines(text).any(is_huge),
                witness: "EHLO a\r\nMAIL FROM:<> SIZE=18446744073709551615\r\nQUIT\r\n",
            }],
            accepted: ACCEPTED,
            refused: &[
                "",
                "NOOP\r\n",
                "QUIT\r\nQUIT\r\n",
                "FOO\r\nQUIT\r\n",
                "EHLO\r\nQUIT\r\n",
                "EHLO a\r\nMAIL <>\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<a@b@c>\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<a..b@c>\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<> SIZE=x\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<> BODY=9BIT\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<> FOO=1\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<a@b> NOTIFY=NOW\r\nQUIT\r\n",
                "VRFY\r\nQUIT\r\n",
                "EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<a@b>\r\nDATA\r\nQUIT\r\n",
            ],
        },
    ],
};

const ACCEPTED: &[&str] = &[
    "QUIT\r\n",
    "ehlo [IPv6:::1.2.3.4]\r\nnoop \"a b\"\r\nQuit\r\n",
    "EHLO a\r\nMAIL FROM:<> RET=FULL SIZE=1\r\nRCPT TO:<postmaster>\r\nDATA\r\n.\r\nQUIT\r\n",
    "HELO a\r\nMAIL FROM:<@a,@b:\"\\\"@\"@[1.2.3.4]>\r\nRCPT TO:<a.b@c>\r\nRCPT TO:<d@e>\r\n\
     DATA\r\n..\r\n\r\nx\r\n.\r\nRSET\r\nHELP\r\nVRFY a\r\nEXPN \"\"\r\nQUIT\r\n",
    "EHLO a\r\nMAIL FROM:<a@b>\r\nRCPT TO:<a@b> ORCPT=rfc822;+41 NOTIFY=DELAY,FAILURE\r\nQUIT\r\n",
];

fn serve(text: &[u8]) -> Result<(), String> {
    server::hear(text).map(drop)
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n')
}

/// A size that is not below the greatest number of 64 bits.
fn is_huge(line: &[u8]) -> bool {
    let line = line.to_ascii_uppercase();
    let mut words = line.split(|&byte| byte == b' ' || byte == b'\r');
    words.next() == Some(b"MAIL")
        && words.any(|word| {
            let size = word.strip_prefix(b"SIZE=").and_then(|size| str::from_utf8(size).ok());
            size.is_some_and(|size| {
                size.len() == 20 && size.parse::<u64>().ok().is_none_or(|size| size == u64::MAX)
            })
        })
}

/// Each command by the crate's parser, each mail by its receiver. The crate knows no states.
///
/// Three things that the crate does not know are put in other words for it, so that the rest of
/// their sessions is judged: address literals in paths (section 4.1.3), which it refuses, and empty
/// quoted strings (section 4.1.2), which it takes for nothing, as [`familiar`] does; and that the
/// CRLF of DATA may be the first of the CRLF, period, CRLF that ends a mail (section 4.1.1.4). The
/// mail server judges all of them as they are.
fn parse(text: &[u8]) -> Result<(), String> {
    let mut rest = text;
    while !rest.is_empty() {
        let line = rest.split_inclusive(|&byte| byte == b'\n').next().unwrap_or(rest);
        rest = &rest[line.len()..];
        let line = familiar(line);
        let refusal = |error| format!("{error:?}: {}", line.escape_ascii());
        let request: Request<Cow<'_, str>> = Request::parse(&mut line.iter()).map_err(refusal)?;
        match request {
            Request::Quit if rest.is_empty() => return Ok(()),
            Request::Quit => return Err("something follows QUIT".into()),
            Request::Data => {
                let (mut receiver, mut mail) = (DataReceiver::new(), Vec::new());
                receiver.ingest(&mut b"\r\n".iter(), &mut mail);
                let mut bytes = rest.iter();
                if !receiver.ingest(&mut bytes, &mut mail) {
                    return Err("mail data without an end".into());
                }
                rest = bytes.as_slice();
            }
            _ => {}
        }
    }
    Err("no QUIT in the end".into())
}

/// A line with domains for the address literals of its path and a letter in empty quoted strings.
fn familiar(line: &[u8]) -> Vec<u8> {
    let mut is_path = line.get(..5).is_some_and(|verb| {
        verb.eq_ignore_ascii_case(b"MAIL ") || verb.eq_ignore_ascii_case(b"RCPT ")
    });
    let mut familiar = Vec::with_capacity(line.len());
    let (mut quoted, mut escaped) = (false, false);
    let mut bytes = line.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'[' if is_path && !quoted && familiar.ends_with(b"@") => {
                bytes.by_ref().find(|&byte| byte == b']');
                familiar.push(b'x');
                continue;
            }
            b'>' if !quoted => is_path = false,
            b'"' if !escaped => {
                if quoted && familiar.ends_with(b"\"") {
                    familiar.push(b'x');
                }
                quoted = !quoted;
            }
            _ => {}
        }
        escaped = quoted && byte == b'\\' && !escaped;
        familiar.push(byte);
    }
    familiar
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where one of these fails, the crate has mended it, and `parse` need not help any more.
    #[test]
    fn smtp_proto_needs_other_words() {
        for line in [
            "MAIL FROM:<a@[1.2.3.4]>\r\n",
            "RCPT TO:<a@[IPv6:::1]>\r\n",
            "RCPT TO:<\"\"@a>\r\n",
            "VRFY \"\"\r\n",
        ] {
            assert!(Request::parse(&mut line.as_bytes().iter()).is_err(), "{line:?}");
            let other = familiar(line.as_bytes());
            assert!(Request::parse(&mut other.iter()).is_ok(), "{}", other.escape_ascii());
        }
        let receive = |text: &str| {
            let (mut receiver, mut mail) = (DataReceiver::new(), Vec::new());
            receiver.ingest(&mut text.as_bytes().iter(), &mut mail).then_some(mail)
        };
        assert_eq!(receive(".\r\n"), None, "a mail without a line");
        assert_eq!(receive("..\r\n.\r\n").as_deref(), Some(&b"..\r\n"[..]), "a first stuffed line");
        assert_eq!(receive("\r\n..\r\n.\r\n").as_deref(), Some(&b"\r\n.\r\n"[..]));
    }

    #[test]
    fn the_mail_server_takes_the_second_period_off() {
        let mut session = server::Session::default();
        for line in ["HELO a", "MAIL FROM:<>", "RCPT TO:<a@b>", "DATA", "..", "x.", "...", "."] {
            let answer = session.answer(line.as_bytes());
            assert!(answer.is_none_or(|(code, _)| code < 400), "{line}: {answer:?}");
        }
        assert_eq!(session.mail, b".\r\nx.\r\n..\r\n");
    }
}
