//! HTTP requests, judged by httparse, and their targets by fluent-uri.
//!
//! httparse reads the head, the sizes of chunks, and trailers; what holds the message together (the
//! form of the target, one Host field, the body's length) is read from what it reports.

use fluent_uri::{Uri, UriRef};
use httparse::{EMPTY_HEADER, Header, Request, Status};
use pleach::produce::Options;

use crate::{Clause, Kind, Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "http-request",
    standard: "RFC 9112, RFC 9110",
    k: 3,
    // Nothing nests but comments.
    options: Options::new,
    oracles: &[Oracle {
        name: "httparse 1, fluent-uri 0.4",
        read: Reader::Text(read),
        clauses: &[Clause {
            name: "RFC 9112, section 7.1: chunk-size = 1*HEXDIG",
            kind: Kind::Deviation,
            applies: has_long_chunk_size,
            witness: "GET / HTTP/1.1\r\nHost:\r\nTransfer-Encoding: chunked\r\n\r\n\
                      00000000000000000\r\n\r\n",
        }],
        accepted: &[
            "GET / HTTP/1.0\r\n\r\n",
            "GET //a?b HTTP/1.1\r\nhOST: a\r\n\r\n",
            "CONNECT [::1]:80 HTTP/1.1\r\nHost: a\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST a:b HTTP/1.1\r\nHost:\r\nContent-Length: 2\r\n\r\n\r\n",
            "PUT / HTTP/1.1\r\nHost:\r\nTransfer-Encoding: a;b=c,chunked\r\n\r\n1;a\r\nx\r\n0\r\n\
             A: b\r\n\r\n",
        ],
        refused: &[
            "",
            "GET /\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.2\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\u{0}\r\n\r\n",
            "GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /#a HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
            "CONNECT /a HTTP/1.1\r\nHost: a\r\n\r\n",
            "G(T / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n\r\nx",
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nx\r\n0\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1 a\r\nx\r\n0\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n\
             0\r\n\r\n",
        ],
    }],
};

/// The RFC sets no limit to the zeros before a chunk's size; httparse reads 16 digits.
fn has_long_chunk_size(text: &[u8]) -> bool {
    let digits = |line: &[u8]| line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let Some(head) = text.windows(4).position(|window| window == b"\r\n\r\n") else { return false };
    text[head + 4..].split(|&byte| byte == b'\n').any(|line| digits(line) > 16)
}

/// More lines than a sentence within the budgets has.
const FIELDS: usize = 10_000;

fn read(text: &[u8]) -> Result<(), String> {
    let mut headers = vec![EMPTY_HEADER; FIELDS];
    let mut request = Request::new(&mut headers);
    let head = match request.parse(text).map_err(|error| error.to_string())? {
        Status::Complete(head) => head,
        Status::Partial => return Err("an incomplete head".into()),
    };
    target(request.method.unwrap_or_default(), request.path.unwrap_or_default())?;
    let hosts = values(request.headers, "Host").count();
    if hosts > 1 || hosts == 0 && request.version == Some(1) {
        return Err(format!("{hosts} Host fields"));
    }
    let lengths: Vec<&[u8]> = values(request.headers, "Content-Length").collect();
    let codings: Vec<&[u8]> = values(request.headers, "Transfer-Encoding").collect();
    let body = &text[head..];
    match (&lengths[..], &codings[..]) {
        ([], []) if body.is_empty() => Ok(()),
        ([], []) => Err("octets after a message without content".into()),
        ([length], []) => match str::from_utf8(length).ok().filter(|length| is_decimal(length)) {
            Some(length) if length.parse() == Ok(body.len()) => Ok(()),
            _ => Err("not the Content-Length".into()),
        },
        ([], [codings]) if request.version == Some(1) => {
            let last = codings.rsplit(|&byte| byte == b',').next().unwrap_or_default();
            match last.trim_ascii().eq_ignore_ascii_case(b"chunked") {
                true => chunked(body),
                false => Err("a last coding other than chunked".into()),
            }
        }
        _ => Err("the body's length is ambiguous".into()),
    }
}

fn values<'h>(fields: &'h [Header], name: &'h str) -> impl Iterator<Item = &'h [u8]> {
    let fields = fields.iter().filter(move |field| field.name.eq_ignore_ascii_case(name));
    fields.map(|field| field.value)
}

fn is_decimal(length: &str) -> bool {
    !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads a target in the forms that its method has.
fn target(method: &str, target: &str) -> Result<(), String> {
    let wrong = || Err(format!("no target of {method}: {target}"));
    if method == "CONNECT" {
        let text = format!("//{target}");
        let Ok(uri) = UriRef::parse(text.as_str()) else { return wrong() };
        let authority = uri.authority();
        let port = authority.is_some_and(|authority| authority.port().is_some());
        let rest = !uri.path().as_str().is_empty() || uri.has_query() || uri.has_fragment();
        return if port && !rest { Ok(()) } else { wrong() };
    }
    if target == "*" {
        return if method == "OPTIONS" { Ok(()) } else { wrong() };
    }
    let text = match target.starts_with('/') {
        // An absolute path may begin with an empty segment, which a reference may not.
        true => format!("http://host{target}"),
        false => target.to_owned(),
    };
    match Uri::parse(text.as_str()) {
        Ok(uri) if !uri.has_fragment() => Ok(()),
        _ => wrong(),
    }
}

fn chunked(mut body: &[u8]) -> Result<(), String> {
    loop {
        let (line, size) =
            match httparse::parse_chunk_size(body).map_err(|error| error.to_string())? {
                Status::Complete(read) => read,
                Status::Partial => return Err("an incomplete chunk".into()),
            };
        body = &body[line..];
        if size == 0 {
            break;
        }
        let chunk = usize::try_from(size).ok().and_then(|size| body.split_at_checked(size));
        let Some(rest) = chunk.and_then(|(_, rest)| rest.strip_prefix(b"\r\n")) else {
            return Err("a chunk of another size".into());
        };
        body = rest;
    }
    let mut headers = vec![EMPTY_HEADER; FIELDS];
    match httparse::parse_headers(body, &mut headers).map_err(|error| error.to_string())? {
        Status::Complete((end, _)) if end == body.len() => Ok(()),
        _ => Err("no end after the trailers".into()),
    }
}
