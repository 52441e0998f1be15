//! XML documents, judged by roxmltree.

use std::sync::LazyLock;

use pleach::produce::Options;
use regex::bytes::Regex;
use roxmltree::{Document, ParsingOptions};

use crate::{Clause, Kind, Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "xml",
    standard: "XML 1.0, fifth edition",
    k: 3,
    // roxmltree guards against entities within entities by a count of references, which longer
    // documents would meet.
    options: || Options::new().max_nodes(2000),
    oracles: &[Oracle {
        name: "roxmltree 0.21",
        read: Reader::Text(read),
        clauses: &[
            Clause {
                name: "XML 1.0, productions 52 and 82: `>` in a literal of a declaration",
                kind: Kind::Deviation,
                applies: declares_greater_than,
                witness: "<!DOCTYPE a [<!ATTLIST a b CDATA '>'>]><a/>",
            },
            Clause {
                name: "XML 1.0, section 4.4.7: `&lt;` in an entity is bypassed, and is no `<`",
                kind: Kind::Deviation,
                applies: has_escape_in_entity_in_attribute,
                witness: "<!DOCTYPE a [<!ENTITY word '&lt;'><!ENTITY both ''><!ENTITY tree \"\">]>\
                          <a b='&word;'/>",
            },
        ],
        accepted: &[
            "<a/>",
            "\u{feff}<?xml version='1.0' encoding='utf-8' standalone=\"no\" ?>\n<a></a >",
            "<!DOCTYPE a [<!ENTITY b \"<c>&#38;#60;</c>\">]><a>&b;</a>",
            "<!DOCTYPE a [<!ENTITY b '>'><!ATTLIST a b (c|d) 'c'>]><a/>",
            "<a b='&lt;' c=\"'\" xml:lang='en'>&#x10FFFF;<![CDATA[]]]]><!----><?b ??></a>",
        ],
        refused: &[
            "",
            "a",
            "<a>",
            "<a></b>",
            "<a b=c/>",
            "<a b='c'd='e'/>",
            "<a b='' b=''/>",
            "<a b='<'/>",
            "<a>]]></a>",
            "<a>&b;</a>",
            "<a>&#0;</a>",
            "<a>&#xFFFF;</a>",
            "<a>& b</a>",
            "<a>\u{1}</a>",
            "<a><!-- -- --></a>",
            "<a><!-- ---></a>",
            "<a/><a/>",
            "<1/>",
            "<b:a/>",
            " <?xml version='1.0'?><a/>",
            "<?xml encoding='UTF-8'?><a/>",
            "<!DOCTYPE a [<!ENTITY b '<c>'>]><a>&b;</a>",
            "<!DOCTYPE a [<!ENTITY b '&b;'>]><a>&b;</a>",
            "<!DOCTYPE a [<!ENTITY b '&#60;'>]><a d='&b;'/>",
            "<!DOCTYPE a [<!WRONG>]><a/>",
            "<!DOCTYPE a [<!ENTITY b c>]><a/>",
            "<a/><!DOCTYPE a>",
        ],
    }],
};

/// roxmltree passes over declarations of attributes and notations up to the first `>`, though a
/// literal may hold one (productions 10 and 11).
fn declares_greater_than(text: &[u8]) -> bool {
    static MARKUP: LazyLock<Regex> = LazyLock::new(|| {
        let (passed, literal) = (r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>", r#""[^"]*"|'[^']*'"#);
        let entity = format!(r#"<!ENTITY(?:[^>"']|{literal})*>"#);
        let declaration = format!(r#"<!(?:ATTLIST|NOTATION)((?:[^>"']|{literal})*)>"#);
        Regex::new(&format!("(?s-u){passed}|{entity}|{declaration}")).expect("a valid pattern")
    });
    let mut declarations = MARKUP.captures_iter(text).filter_map(|markup| markup.get(1));
    declarations.any(|declaration| declaration.as_bytes().contains(&b'>'))
}

/// WFC No < in Attribute Values is about an entity's replacement text, in which `&lt;` is still a
/// reference (sections 4.4.7 and 4.5); roxmltree looks at what that is replaced by.
fn has_escape_in_entity_in_attribute(text: &[u8]) -> bool {
    static ENTITY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"<!ENTITY[ \t\r\n]+([a-z]+)[ \t\r\n]+("[^"]*"|'[^']*')"#)
            .expect("a valid pattern")
    });
    static ATTRIBUTE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"=[ \t\r\n]*("[^"<]*"|'[^'<]*')"#).expect("a valid pattern"));
    let entities: Vec<(&[u8], &[u8])> = ENTITY
        .captures_iter(text)
        .map(|entity| entity.extract())
        .map(|(_, [name, value])| (name, value))
        .collect();
    let mut escaping: Vec<&[u8]> = vec![b"lt"];
    // An entity refers to those before it.
    for (name, value) in entities {
        if refers(value, &escaping) {
            escaping.push(name);
        }
    }
    let mut attributes = ATTRIBUTE.captures_iter(text).map(|attribute| attribute.extract().1);
    attributes.any(|[value]| refers(value, &escaping[1..]))
}

/// Whether a text refers to one of these entities.
fn refers(text: &[u8], names: &[&[u8]]) -> bool {
    let mut references = text.split(|&byte| byte == b'&').skip(1);
    references.any(|rest| {
        names.iter().any(|name| rest.strip_prefix(*name).is_some_and(|rest| rest.starts_with(b";")))
    })
}

fn read(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map(drop).map_err(|error| error.to_string())
}
