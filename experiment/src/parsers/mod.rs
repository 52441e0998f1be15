//! One function a parser: whether it accepts a text, by the entry point that a user would call.
//!
//! What is generic in a parser is compiled here, so this crate has coverage flags too.

mod css;

pub use css::css;

pub fn csv(text: &[u8]) -> bool {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    let mut record = csv::ByteRecord::new();
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return true,
            Err(_) => return false,
        }
    }
}

pub fn expr(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| cel::Program::compile(text).is_ok())
}

pub fn graphql(text: &[u8]) -> bool {
    // A document may hold both kinds of definitions; this crate reads them apart.
    str::from_utf8(text).is_ok_and(|text| {
        graphql_parser::parse_query::<&str>(text).is_ok()
            | graphql_parser::parse_schema::<&str>(text).is_ok()
    })
}

pub fn http_request(text: &[u8]) -> bool {
    // More than any sentence within the default budget holds.
    let mut headers = vec![httparse::EMPTY_HEADER; 4096];
    let Ok(status) = httparse::Request::new(&mut headers).parse(text) else { return false };
    let httparse::Status::Complete(head) = status else { return false };
    // A body in chunks, where there is one.
    let mut rest = &text[head..];
    while let Ok(httparse::Status::Complete((start, length))) = httparse::parse_chunk_size(rest) {
        let end = start.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
        match rest.get(end.saturating_add(2)..) {
            Some(further) if length > 0 => rest = further,
            _ => break,
        }
    }
    true
}

pub fn javascript(text: &[u8]) -> bool {
    let mut interner = boa_interner::Interner::default();
    let scope = boa_ast::scope::Scope::new_global();
    boa_parser::Parser::new(boa_parser::Source::from_bytes(text))
        .parse_script(&scope, &mut interner)
        .is_ok()
}

pub fn json(text: &[u8]) -> bool {
    // Either way alone leaves half of the crate's reading out.
    serde_json::from_slice::<serde_json::Value>(text).is_ok()
        | str::from_utf8(text)
            .is_ok_and(|text| serde_json::from_str::<serde_json::Value>(text).is_ok())
}

pub fn lua(text: &[u8]) -> bool {
    // Lua's texts are of bytes and this crate's of UTF-8: what is not is replaced, for it stands in
    // strings and comments alone.
    full_moon::parse(&String::from_utf8_lossy(text)).is_ok()
}

pub fn markdown(text: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    // CommonMark alone, without extensions; every event is made.
    pulldown_cmark::Parser::new(text).count();
    true
}

pub fn protobuf(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| protox_parse::parse("measured.proto", text).is_ok())
}

pub fn regex(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| regex_syntax::parse(text).is_ok())
}

pub fn sql(text: &[u8]) -> bool {
    let dialect = sqlparser::dialect::SQLiteDialect {};
    str::from_utf8(text)
        .is_ok_and(|text| sqlparser::parser::Parser::parse_sql(&dialect, text).is_ok())
}

pub fn toml(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| text.parse::<toml::Table>().is_ok())
}

pub fn uri(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| fluent_uri::UriRef::parse(text).is_ok())
}

pub fn xml(text: &[u8]) -> bool {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    str::from_utf8(text)
        .is_ok_and(|text| roxmltree::Document::parse_with_options(text, options).is_ok())
}

#[cfg(test)]
mod tests {
    use crate::SUBJECTS;

    /// A short text of the format, and one that the parser refuses; none where it refuses nothing.
    fn samples(grammar: &str) -> (&'static [u8], Option<&'static [u8]>) {
        match grammar {
            "css" => (b"a > b { color: rgb(1 2 3) }", Some(b"a { b: 'c\n }")),
            "csv" => (b"a,\"b\"\"c\"\r\n", None),
            "expr" => (b"1 + x", Some(b"1 +")),
            "graphql" => (b"query q($a: Int = 1) { b(c: $a) { d } }", Some(b"query {")),
            "http-request" => (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", Some(b"GET\r\n\r\n")),
            "javascript" => (b"let a = x => x ** 2; for (const b of [1]) a(b)", Some(b"let a = ;")),
            "json" => (b"{\"a\": [1e3, null]}", Some(b"[1,]")),
            "lua" => (b"local a = 1 + 2 return a", Some(b"local = 1")),
            "markdown" => (b"# a\n\n- *b*\n", None),
            "protobuf" => (b"syntax = \"proto3\"; message A { int32 b = 1; }", Some(b"message {")),
            "regex" => (b"(a|b)*[c-d]{2,3}", Some(b"(a")),
            "sql" => (b"SELECT a FROM b WHERE c = 1", Some(b"SELECT 1 +")),
            "toml" => (b"a = [1, 2]\n[b]\nc = 1979-05-27\n", Some(b"a = ")),
            "uri" => (b"http://a:80/b?c#d", Some(b"a b")),
            "xml" => (b"<a b='c'>&lt;<d/></a>", Some(b"<a>")),
            _ => panic!("no samples of {grammar}"),
        }
    }

    #[test]
    fn parsers_tell_their_format_from_others() {
        for subject in SUBJECTS {
            let (accepted, refused) = samples(subject.grammar);
            assert!((subject.read)(accepted), "{}", subject.grammar);
            assert!(refused.is_none_or(|text| !(subject.read)(text)), "{}", subject.grammar);
        }
    }
}
