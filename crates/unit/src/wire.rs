//! What a campaign and the program say to each other.
//!
//! Both have the file [`FILE`] of the campaign's folder in memory. Its numbers have four bytes each, but for that at [`FUNCTION`], which has eight. By it a process of the
//! program knows whether it is to fork at a call, and in it it says, without waiting, what it does: [`Said`]. A fork that tests a unit connects to
//! the socket [`SOCKET`] in the same folder for its batches. A message is its length and its fields, numbers in little-endian order.

use std::io::{self, Read, Write};

/// The environment variable that has the campaign's folder.
pub const VARIABLE: &str = "PLEACH_CAMPAIGN";
/// The socket's name.
pub const SOCKET: &str = "socket";
/// The name of the file.
pub const FILE: &str = "shared";
/// Where the number of the system's run is in it.
pub const RUN: usize = 0;
/// Where it is how many edges the program has.
pub const COUNT: usize = 4;
/// Where it is how many processes there were.
pub const PROCESSES: usize = 8;
/// Where the number of the unit is that a call is to be, or [`NONE`].
pub const UNIT: usize = 12;
/// Where it is how many calls of its function in the same run are before that one.
pub const NTH: usize = 16;
/// Where it is how many bytes were said in the run.
pub const SAID: usize = 20;
/// Where its function is, by [`named`].
pub const FUNCTION: usize = 24;
/// Where the edges begin: a byte for each, which is not 0 once a run took it.
pub const FIRST: usize = 32;
/// That there is no unit.
pub const NONE: u32 = u32::MAX;
/// How many edges there can be; those beyond are not seen.
pub const MOST_EDGES: usize = 1 << 20;
/// Where what was said begins.
pub const LOG: usize = FIRST + MOST_EDGES;
/// How much can be said in a run; what is more is not told.
pub const MOST_SAID: usize = 1 << 22;
/// How much of the log is for panics alone.
pub const PANICS: usize = 1 << 16;
/// How long the file is.
pub const LENGTH: usize = LOG + MOST_SAID;
/// How long a value can be; a call with a longer one is not told.
pub const LONGEST: usize = 1 << 16;
/// How long a message can be.
const MOST: usize = 1 << 24;

/// The type of an argument on the wire: bytes, text, or a number of a width and sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any bytes.
    Bytes,
    /// Bytes that are UTF-8.
    Text,
    /// A number of so many bytes as they are, the lowest first.
    Number {
        /// Whether it is one with a sign.
        signed: bool,
    },
}

/// The name, type and bytes of one argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its name in the source.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// What it consists of.
    pub bytes: Vec<u8>,
}

impl Value {
    /// An argument that is text, by its name in the source.
    pub fn text(name: &str, text: &str) -> Value {
        Value { name: name.into(), kind: Kind::Text, bytes: text.into() }
    }

    /// An argument of any bytes, by its name in the source.
    pub fn bytes(name: &str, bytes: &[u8]) -> Value {
        Value { name: name.into(), kind: Kind::Bytes, bytes: bytes.into() }
    }

    /// A number that has a type of so many bytes.
    pub fn number(name: &str, number: u128, width: usize, signed: bool) -> Value {
        let bytes = number.to_le_bytes()[..width.min(16)].to_vec();
        Value { name: name.into(), kind: Kind::Number { signed }, bytes }
    }
}

/// The bytes of all values of a call.
pub type Row = Vec<Vec<u8>>;

/// What a process of the program says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A function is called.
    Called {
        /// Its path.
        function: String,
        /// How many calls of it in the same run the process said before.
        nth: u32,
        /// Its arguments, but for the context.
        values: Vec<Value>,
    },
    /// The process panics.
    Panicked {
        /// What the panic says.
        message: String,
        /// File, line and column.
        place: String,
    },
}

/// A message from the fork that tests a unit to its campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// It is the fork for the unit of this number, and waits for batches.
    Unit {
        /// The number that the answer to the call has.
        number: u32,
        /// The process, and the group that it and those that it starts are.
        process: u32,
    },
    /// The unit took edges that are new.
    Found {
        /// Its values.
        row: Row,
        /// Some of these edges.
        edges: Vec<u32>,
    },
    /// The unit panicked.
    Failed {
        /// Its values.
        row: Row,
        /// What the panic says.
        message: String,
        /// File, line and column.
        place: String,
    },
    /// The process that ran the unit came to an end.
    Ended {
        /// The unit's values.
        row: Row,
        /// By which signal, or 0 if it has exited; nothing is that the run did not come to its end.
        signal: Option<u32>,
    },
    /// The batch is over.
    Done {
        /// How often the unit ran.
        runs: u64,
        /// How much CPU time that took; 0 if it has not come to its end.
        nanoseconds: u64,
        /// How much of it the calls themselves took, as samples tell.
        calls: u64,
    },
}

/// How often a unit is run, and on what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// That of all random choices.
    pub seed: u64,
    /// How many runs.
    pub runs: u64,
    /// Which values may be other ones.
    pub free: Vec<u32>,
    /// Values to go on from, behind those of the call.
    pub kept: Vec<Row>,
    /// Of how many of all these, those of the call first, the comparisons were looked at before.
    pub compared: u32,
    /// Values that are not to be run: their hashes, by [`hash`].
    pub avoided: Vec<u64>,
    /// Edges that are no news.
    pub seen: Vec<u32>,
    /// What values may be compared with, of which nothing is seen.
    pub words: Vec<Vec<u8>>,
}

/// A number for values.
pub fn hash<'a>(row: impl Iterator<Item = &'a [u8]>) -> u64 {
    let add = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15;
        product as u64 ^ (product >> 64) as u64
    };
    row.fold(0xcbf2_9ce4_8422_2325, |hash, value| {
        let mut words = value.chunks_exact(8);
        let word =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let hash = words.by_ref().map(word).fold(add(hash, value.len() as u64), add);
        add(hash, word(words.remainder()))
    })
}

/// A number for a function's path.
pub fn named(function: &str) -> u64 {
    hash([function.as_bytes()].into_iter())
}

fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a message that is none")
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn four(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    fn eight(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.four(bytes.len() as u32);
        self.0.extend(bytes);
    }

    fn list<T>(&mut self, list: &[T], mut one: impl FnMut(&mut Self, &T)) {
        self.four(list.len() as u32);
        list.iter().for_each(|it| one(self, it));
    }

    fn row(&mut self, row: &Row) {
        self.list(row, |writer, value| writer.bytes(value));
    }

    /// All of it, behind its length.
    fn message(self) -> Vec<u8> {
        let mut message = (self.0.len() as u32).to_le_bytes().to_vec();
        message.extend(self.0);
        message
    }

    fn send(self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&self.message())?;
        to.flush()
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> io::Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    fn one(&mut self) -> io::Result<u8> {
        Ok(self.take(1)?[0])
    }

    fn four(&mut self) -> io::Result<u32> {
        Ok(u32::from_le_bytes(self.take(4)?.try_into().map_err(|_| malformed())?))
    }

    fn eight(&mut self) -> io::Result<u64> {
        Ok(u64::from_le_bytes(self.take(8)?.try_into().map_err(|_| malformed())?))
    }

    fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let length = self.four()? as usize;
        Ok(self.take(length)?.to_vec())
    }

    fn text(&mut self) -> io::Result<String> {
        String::from_utf8(self.bytes()?).map_err(|_| malformed())
    }

    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> io::Result<T>) -> io::Result<Vec<T>> {
        // What it says of its length is no reason to make room.
        let length = self.four()?;
        (0..length).map(|_| one(self)).collect()
    }

    fn row(&mut self) -> io::Result<Row> {
        self.list(Self::bytes)
    }
}

/// A whole message, without its length; nothing if the other side has closed the connection before.
fn receive(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    let first = loop {
        match from.read(&mut length) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read?,
        }
    };
    if first == 0 {
        return Ok(None);
    }
    from.read_exact(&mut length[first..])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > MOST {
        return Err(malformed());
    }
    let mut message = Vec::new();
    from.take(length as u64).read_to_end(&mut message)?;
    if message.len() < length {
        Err(io::ErrorKind::UnexpectedEof.into())
    } else {
        Ok(Some(message))
    }
}

impl Said {
    /// It as a message.
    pub fn message(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        match self {
            Said::Called { function, nth, values } => {
                writer.0.push(0);
                writer.bytes(function.as_bytes());
                writer.four(*nth);
                writer.list(values, |writer, value| {
                    writer.bytes(value.name.as_bytes());
                    writer.0.push(match value.kind {
                        Kind::Bytes => 0,
                        Kind::Text => 1,
                        Kind::Number { signed: false } => 2,
                        Kind::Number { signed: true } => 3,
                    });
                    writer.bytes(&value.bytes);
                });
            }
            Said::Panicked { message, place } => {
                writer.0.push(1);
                writer.bytes(message.as_bytes());
                writer.bytes(place.as_bytes());
            }
        }
        writer.message()
    }

    /// All that was said in order. A message that is none is passed over, and what begins with one that has no end.
    pub fn all(mut log: &[u8]) -> Vec<Said> {
        let mut all = Vec::new();
        // One that was never written is zeros.
        while let Some((length, rest)) = log.split_first_chunk().filter(|it| *it.0 != [0; 4])
            && let Some((message, rest)) =
                rest.split_at_checked(u32::from_le_bytes(*length) as usize)
        {
            all.extend(Said::read(message));
            log = rest;
        }
        all
    }

    fn read(message: &[u8]) -> io::Result<Said> {
        let mut reader = Reader(message);
        let reader = &mut reader;
        let said = match reader.one()? {
            0 => {
                let (function, nth) = (reader.text()?, reader.four()?);
                let values = reader.list(|reader| {
                    let name = reader.text()?;
                    let kind = match reader.one()? {
                        0 => Kind::Bytes,
                        1 => Kind::Text,
                        2 => Kind::Number { signed: false },
                        3 => Kind::Number { signed: true },
                        _ => return Err(malformed()),
                    };
                    Ok(Value { name, kind, bytes: reader.bytes()? })
                })?;
                Said::Called { function, nth, values }
            }
            1 => Said::Panicked { message: reader.text()?, place: reader.text()? },
            _ => return Err(malformed()),
        };
        if reader.0.is_empty() { Ok(said) } else { Err(malformed()) }
    }
}

impl Told {
    /// Says it.
    ///
    /// # Errors
    /// The other side is gone.
    pub fn send(&self, to: &mut impl Write) -> io::Result<()> {
        let mut writer = Writer::default();
        writer.0.push(match self {
            Told::Unit { .. } => 0,
            Told::Found { .. } => 1,
            Told::Failed { .. } => 2,
            Told::Ended { .. } => 3,
            Told::Done { .. } => 4,
        });
        match self {
            Told::Unit { number, process } => {
                writer.four(*number);
                writer.four(*process);
            }
            Told::Found { row, edges } => {
                writer.row(row);
                writer.list(edges, |writer, edge| writer.four(*edge));
            }
            Told::Failed { row, message, place } => {
                writer.row(row);
                writer.bytes(message.as_bytes());
                writer.bytes(place.as_bytes());
            }
            Told::Ended { row, signal } => {
                writer.row(row);
                writer.four(signal.unwrap_or(u32::MAX));
            }
            Told::Done { runs, nanoseconds, calls } => {
                writer.eight(*runs);
                writer.eight(*nanoseconds);
                writer.eight(*calls);
            }
        }
        writer.send(to)
    }

    /// The next message; nothing if the other side has ended.
    ///
    /// # Errors
    /// The other side is gone in the midst of it, or what it says is no message.
    pub fn receive(from: &mut impl Read) -> io::Result<Option<Told>> {
        let Some(message) = receive(from)? else { return Ok(None) };
        let mut reader = Reader(&message);
        let reader = &mut reader;
        let told = match reader.one()? {
            0 => Told::Unit { number: reader.four()?, process: reader.four()? },
            1 => Told::Found { row: reader.row()?, edges: reader.list(Reader::four)? },
            2 => {
                Told::Failed { row: reader.row()?, message: reader.text()?, place: reader.text()? }
            }
            3 => {
                let row = reader.row()?;
                Told::Ended { row, signal: Some(reader.four()?).filter(|&it| it != u32::MAX) }
            }
            4 => Told::Done {
                runs: reader.eight()?,
                nanoseconds: reader.eight()?,
                calls: reader.eight()?,
            },
            _ => return Err(malformed()),
        };
        if reader.0.is_empty() { Ok(Some(told)) } else { Err(malformed()) }
    }
}

impl Batch {
    /// Asks for it.
    ///
    /// # Errors
    /// The other side is gone.
    pub fn send(&self, to: &mut impl Write) -> io::Result<()> {
        let mut writer = Writer::default();
        writer.eight(self.seed);
        writer.eight(self.runs);
        writer.list(&self.free, |writer, value| writer.four(*value));
        writer.list(&self.kept, |writer, row| writer.row(row));
        writer.four(self.compared);
        writer.list(&self.avoided, |writer, hash| writer.eight(*hash));
        writer.list(&self.seen, |writer, edge| writer.four(*edge));
        writer.row(&self.words);
        writer.send(to)
    }

    /// The next batch; nothing if there is none any more.
    ///
    /// # Errors
    /// The other side is gone in the midst of it, or what it says is no batch.
    pub fn receive(from: &mut impl Read) -> io::Result<Option<Batch>> {
        let Some(message) = receive(from)? else { return Ok(None) };
        let mut reader = Reader(&message);
        let batch = Batch {
            seed: reader.eight()?,
            runs: reader.eight()?,
            free: reader.list(Reader::four)?,
            kept: reader.list(Reader::row)?,
            compared: reader.four()?,
            avoided: reader.list(Reader::eight)?,
            seen: reader.list(Reader::four)?,
            words: reader.row()?,
        };
        if reader.0.is_empty() { Ok(Some(batch)) } else { Err(malformed()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Told> {
        let row = vec![b"name".to_vec(), vec![], vec![0xff; 9]];
        let (message, place) = ("what".to_owned(), "where".to_owned());
        vec![
            Told::Unit { number: 7, process: 1 << 22 },
            Told::Found { row: row.clone(), edges: vec![1, 1 << 20] },
            Told::Failed { row: row.clone(), message, place },
            Told::Ended { row: row.clone(), signal: Some(11) },
            Told::Ended { row, signal: None },
            Told::Done { runs: 1 << 40, nanoseconds: 5, calls: 3 },
        ]
    }

    #[test]
    fn messages_come_as_they_were_sent_one_after_the_other() {
        let mut sent = Vec::new();
        all().iter().for_each(|told| told.send(&mut sent).unwrap());
        let mut from = &sent[..];
        for told in all() {
            assert_eq!(Told::receive(&mut from).unwrap(), Some(told));
        }
        assert_eq!(Told::receive(&mut from).unwrap(), None);
        let batch = Batch {
            seed: 3,
            runs: 9,
            free: vec![0],
            kept: vec![vec![vec![1]]],
            compared: 2,
            avoided: vec![8],
            seen: vec![2],
            words: vec![b"key".to_vec()],
        };
        let mut sent = Vec::new();
        batch.send(&mut sent).unwrap();
        assert_eq!(Batch::receive(&mut &sent[..]).unwrap(), Some(batch));
    }

    #[test]
    fn what_is_no_message_is_an_error_and_takes_no_room() {
        for told in all() {
            let mut sent = Vec::new();
            told.send(&mut sent).unwrap();
            for end in 1..sent.len() {
                Told::receive(&mut &sent[..end]).unwrap_err();
                // With the length that it has then.
                if end >= 4 {
                    let mut cut = sent[..end].to_vec();
                    cut[..4].copy_from_slice(&(end as u32 - 4).to_le_bytes());
                    Told::receive(&mut &cut[..]).unwrap_err();
                }
            }
        }
        Told::receive(&mut &b"\xff\xff\xff\xff rest"[..]).unwrap_err();
        // A list of four thousand million.
        Told::receive(&mut &b"\x05\0\0\0\x04\xff\xff\xff\xff"[..]).unwrap_err();
    }

    #[test]
    fn what_was_said_is_read_but_for_what_is_broken() {
        let values = vec![
            Value::text("name", "é"),
            Value::bytes("hash", b"\0\xff"),
            Value::number("n", 300, 2, true),
        ];
        let called = Said::Called { function: "a::b".into(), nth: 3, values };
        let panicked = Said::Panicked { message: "what".into(), place: "where".into() };
        let all = [called.clone(), panicked.clone(), called.clone()];
        let mut log: Vec<u8> = all.iter().flat_map(Said::message).collect();
        assert_eq!(Said::all(&log), all);
        for end in 0..log.len() {
            let read = Said::all(&log[..end]);
            assert!(read.len() < 3 && all.starts_with(&read), "{end}");
        }
        // The second is of no kind; a process has ended before it wrote the third.
        let (first, second) = (called.message().len(), panicked.message().len());
        log[first + 4] = 9;
        assert_eq!(Said::all(&log), [called.clone(), called.clone()]);
        log[first + second..].fill(0);
        assert_eq!(Said::all(&log), [called]);
    }

    #[test]
    fn rows_that_differ_have_other_hashes() {
        let hash = |row: &[&[u8]]| hash(row.iter().copied());
        let zeros = [0; 17];
        let mut rows: Vec<Vec<&[u8]>> =
            vec![vec![], vec![b"", b""], vec![b"a", b""], vec![b"", b"a"]];
        rows.extend((0..zeros.len()).map(|length| vec![&zeros[..length]]));
        rows.extend([vec![&b"12345678"[..]], vec![b"12345679"], vec![b"22345678"]]);
        for (at, one) in rows.iter().enumerate() {
            assert!(rows[at + 1..].iter().all(|other| hash(one) != hash(other)), "{one:?}");
        }
    }
}
