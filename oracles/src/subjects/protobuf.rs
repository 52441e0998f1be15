//! Protocol Buffers, judged by protox-parse.

use pleach::produce::Options;

use crate::{Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "protobuf",
    standard: "Protocol Buffers Language Specification (Proto3)",
    k: 3,
    // protox-parse reads 32 messages inside one another; each is two edges.
    options: || Options::new().max_depth(40).max_nodes(3000),
    oracles: &[Oracle {
        name: "protox-parse 0.10",
        read: Reader::Text(read),
        clauses: &[],
        accepted: &[
            "syntax = 'proto3';",
            "syntax = \"proto3\"; import public \"a.proto\"; package a.b;",
            "syntax = 'proto3'; message A { optional .b.C d = 1 [(e).f = -1]; reserved 2 to 9; }",
            "syntax = 'proto3'; message A { map<string, B> c = 1; oneof d { int32 e = 2; } }",
            "syntax = 'proto3'; enum A { B = 0; C = -1; }",
            "syntax = 'proto3'; service A { rpc B(stream C) returns (.d.E) {} }",
        ],
        refused: &[
            "x",
            "syntax = 'proto9';",
            "syntax = 'proto3'; package a; package b;",
            "syntax = 'proto3'; message A { B c = 0; }",
            "syntax = 'proto3'; message A { required B c = 1; }",
            "syntax = 'proto3'; message A { map<float, B> c = 1; }",
            "syntax = 'proto3'; message A { oneof b { } }",
            "syntax = 'proto3'; message A { B c = 1 }",
            "syntax = 'proto3'; message A { oneof b { repeated C d = 1; } }",
            "syntax = 'proto3'; import a;",
            "syntax = 'proto3'; option a = '\\q';",
            "syntax = 'proto3'; service A { rpc B(C); }",
        ],
    }],
};

fn read(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    protox_parse::parse("a.proto", text).map(drop).map_err(|error| error.to_string())
}
