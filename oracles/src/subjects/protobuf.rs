//! Protocol Buffers, judged by protox-parse and by protobuf-parse.
//!
//! protox-parse knows the values of options by their tokens, but for numbers, strings and names;
//! protobuf-parse reads them by the Text Format Language Specification. Neither checks types here:
//! protobuf-parse is asked for a file's imports, for which it parses the whole file.

use pleach::produce::Options;

use crate::{Beyond, Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "protobuf",
    standard: "Protocol Buffers Language Specification (Proto3)",
    k: 3,
    // protox-parse reads 32 messages inside one another; each is two edges.
    options: || Options::new().max_depth(40).max_nodes(3000),
    oracles: &[
        Oracle {
            name: "protox-parse 0.10",
            read: Reader::Part(protox, PROTOX),
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
        },
        Oracle {
            name: "protobuf-parse 3.7",
            read: Reader::Part(protobuf_parse, PROTOBUF_PARSE),
            clauses: &[],
            accepted: &[
                "syntax = 'proto3';",
                "syntax = \"proto3\"; import public \"a/b\" '.proto'; package a.b;",
                "syntax = 'proto3'; message A { optional .b.C d = 1 [(e).f = +1]; reserved 2 to 9; }",
                "syntax = 'proto3'; enum A { B = 0; C = -1; reserved 4 to max; }",
                "syntax = 'proto3'; service A { rpc B(stream C) returns (.d.E) {} }",
                "syntax = 'proto3'; option a = b.c; option d = -inf; option e = +nan;",
                "syntax = 'proto3'; option a = {b: -1, [c.d]: [2, 'e'] f {g: h}; [i/j.k] {}};",
                "syntax = 'proto3'; option a = {b: [{}, {c: {}}]};",
                "syntax = 'proto3'; option a = '\\777';",
            ],
            refused: &[
                "x",
                "syntax = 'proto9';",
                "syntax = 'proto3'; message A { B c = d; }",
                "syntax = 'proto3'; message A { required B c = 1; }",
                "syntax = 'proto3'; message A { oneof b { repeated C d = 1; } }",
                "syntax = 'proto3'; message A { oneof b { map<int32, C> d = 1; } }",
                "syntax = 'proto3'; message A { B c = 1 }",
                "syntax = 'proto3'; enum A { B = 0x80000000; }",
                "syntax = 'proto3'; import a;",
                "syntax = 'proto3'; import '../a';",
                "syntax = 'proto3'; option a = '\\x';",
                "syntax = 'proto3'; option a = -b;",
                "syntax = 'proto3'; option a = {b 1};",
                "syntax = 'proto3'; option a = {b: [{}};",
                "syntax = 'proto3'; option a = {[b/c/d]: {}};",
                "syntax = 'proto3'; option a = {b: 1,,};",
                "syntax = 'proto3'; service A { rpc B(C); }",
            ],
        },
    ],
};

/// What protox-parse lacks.
const PROTOX: &[Beyond] = &[
    Beyond {
        rule: "dottedIdent",
        reason: "refuses a constant of several identifiers",
        witness: "syntax = 'proto3'; option a = b.c;",
    },
    Beyond {
        rule: "plusNumber",
        reason: "refuses a plus sign before a constant",
        witness: "syntax = 'proto3'; option a = +1;",
    },
    Beyond {
        rule: "negativeName",
        reason: "refuses a minus sign before `inf` and `nan`",
        witness: "syntax = 'proto3'; option a = -inf;",
    },
    Beyond {
        rule: "wideOctEscape",
        reason: "refuses an octal escape beyond a byte",
        witness: "syntax = 'proto3'; option a = '\\400';",
    },
];

/// What protobuf-parse lacks.
const PROTOBUF_PARSE: &[Beyond] = &[
    Beyond {
        rule: "longOctalLit",
        reason: "takes octal digits for decimal ones, which overflow",
        witness: "syntax = 'proto3'; option a = 0777777777777777777777;",
    },
    Beyond {
        rule: "longEnumNumber",
        reason: "takes octal digits for decimal ones, which overflow",
        witness: "syntax = 'proto3'; enum A { B = 0; C = 017777777777; }",
    },
    Beyond {
        rule: "negativeRange",
        reason: "refuses a negative number that an enum reserves",
        witness: "syntax = 'proto3'; enum A { B = 0; reserved -1; }",
    },
    Beyond {
        rule: "pointFloat",
        reason: "refuses a point without digits after it",
        witness: "syntax = 'proto3'; option a = 1.;",
    },
    Beyond {
        rule: "pointFLOAT",
        reason: "refuses a point without digits after it",
        witness: "syntax = 'proto3'; option a = {b: 1.};",
    },
    Beyond {
        rule: "shortHexEscape",
        reason: "refuses one hexadecimal digit",
        witness: "syntax = 'proto3'; option a = '\\xA';",
    },
    Beyond {
        rule: "suffixedFLOAT",
        reason: "refuses the suffix of a float",
        witness: "syntax = 'proto3'; option a = {b: 1.5f};",
    },
    Beyond {
        rule: "SignedIdentifier",
        reason: "refuses a minus sign before an identifier",
        witness: "syntax = 'proto3'; option a = {b: -c};",
    },
    Beyond {
        rule: "angledMessage",
        reason: "refuses a message in angle brackets",
        witness: "syntax = 'proto3'; option a = {b: <>};",
    },
    Beyond {
        rule: "bareList",
        reason: "refuses a list of messages without a colon before it",
        witness: "syntax = 'proto3'; option a = {b [{}]};",
    },
];

fn protox(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    protox_parse::parse("a.proto", text).map(drop).map_err(|error| error.to_string())
}

fn protobuf_parse(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    protobuf_parse::pure::parse_dependencies(text).map(drop).map_err(|error| error.to_string())
}
