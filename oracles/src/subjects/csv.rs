//! Comma-separated values, judged by csv.
//!
//! `csv` reads any text whatever into some fields, unless told that records are of one length. So
//! its reading is held against the text: each field that it read must stand there, in one of the two
//! forms that the standard has for it, and the standard's separators between them.

use pleach::produce::Options;

use crate::{Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "csv",
    standard: "RFC 4180, section 2",
    k: 3,
    options: Options::new,
    oracles: &[Oracle {
        name: "csv 1",
        read: Reader::Text(read),
        clauses: &[],
        accepted: &[
            "",
            "\r\n",
            "\"\"\r\n\r\n\"\"",
            "a,b\r\nc,d",
            "a,b\r\nc,\r\n",
            ",\r\n,\r\n",
            "\"a,\"\"\r\nb\", c ",
            "\"\"\"\"\r\n",
            "a\r\n\r\n\r\nb",
        ],
        refused: &[
            "a,b\r\nc",
            "a\r\nb,c",
            "a,b\r\n\r\nc,d",
            "a\nb",
            "a\rb",
            "a\n",
            "\"a",
            "\"a\"b",
            "\"a\" ,b",
            "a\"",
            "a,\"\"\"",
            "a\"b\"",
            "é",
            "\"é\"",
            "\t",
            "\"\t\"",
            "\u{7F}",
            "\0",
            "\u{FEFF}a",
            "a,b\r\n\"c\"\"",
            " \"a\"",
        ],
    }],
};

fn read(text: &[u8]) -> Result<(), String> {
    let mut reader = csv::ReaderBuilder::new();
    reader.has_headers(false).flexible(false);
    let mut place = Place { text, at: 0 };
    let (mut columns, mut empty_lines) = (0, 0);
    for record in reader.from_reader(text).into_byte_records() {
        let record = record.map_err(|error| error.to_string())?;
        columns = record.len();
        empty_lines += place.empty_lines();
        place.record(&record)?;
    }
    empty_lines += place.empty_lines();
    if place.at < text.len() {
        return Err(format!("nothing was read from byte {}", place.at));
    }
    // An empty line is a record of one empty field, which `csv` skips.
    match columns > 1 && empty_lines > 0 {
        true => Err("an empty line in a file of several columns".into()),
        false => Ok(()),
    }
}

/// How far a text is accounted for.
struct Place<'t> {
    text: &'t [u8],
    at: usize,
}

impl Place<'_> {
    /// Goes behind what it expects, where that stands here.
    fn skip(&mut self, expected: &[u8]) -> bool {
        let found = self.text[self.at..].starts_with(expected);
        if found {
            self.at += expected.len();
        }
        found
    }

    fn empty_lines(&mut self) -> usize {
        let mut lines = 0;
        while self.skip(b"\r\n") {
            lines += 1;
        }
        lines
    }

    /// A record with the end of its line.
    fn record(&mut self, record: &csv::ByteRecord) -> Result<(), String> {
        for (index, field) in record.iter().enumerate() {
            let begin = self.at;
            if index > 0 && !self.skip(b",") || !self.field(field) {
                let field = String::from_utf8_lossy(field);
                return Err(format!("read as the field {field:?}, but not it: byte {begin}"));
            }
        }
        match self.at == self.text.len() || self.skip(b"\r\n") {
            true => Ok(()),
            false => Err(format!("read as the end of a record: byte {}", self.at)),
        }
    }

    /// Items 5 to 7.
    fn field(&mut self, field: &[u8]) -> bool {
        let is_text = |byte: u8| matches!(byte, b' '..=b'~') && !b"\",".contains(&byte);
        if !self.skip(b"\"") {
            return field.iter().all(|&byte| is_text(byte)) && self.skip(field);
        }
        let escaped = |byte: u8| if byte == b'"' { b"\"\"".to_vec() } else { vec![byte] };
        field.iter().all(|&byte| is_text(byte) || b"\",\r\n".contains(&byte))
            && self.skip(&field.iter().flat_map(|&byte| escaped(byte)).collect::<Vec<u8>>())
            && self.skip(b"\"")
    }
}
