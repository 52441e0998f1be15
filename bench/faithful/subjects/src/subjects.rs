//! A function for each crate: what it makes of bytes, as text. Where the crate knows hash maps or floats, they
//! are in the text, so that their order and last digit count.

use std::collections::{HashMap, HashSet};
use std::str::FromStr;

use logos::Logos;

/// What a crate made of an input: it is accepted, or there is an error.
type Made = Result<String, String>;

/// All that are run, by name.
pub const SUBJECTS: [(&str, fn(&[u8]) -> Made); 24] = [
    ("chrono", chrono),
    ("cron", cron),
    ("csscolorparser", csscolorparser),
    ("csv", csv),
    ("evalexpr", evalexpr),
    ("fast_float", fast_float),
    ("httparse", httparse),
    ("humantime", humantime),
    ("indexmap", indexmap),
    ("logos", logos),
    ("memchr", memchr),
    ("pulldown_cmark", pulldown_cmark),
    ("regex_lite", regex_lite),
    ("ron", ron),
    ("roxmltree", roxmltree),
    ("semver", semver),
    ("serde_hjson", serde_hjson),
    ("serde_json", serde_json),
    ("simdutf8", simdutf8),
    ("sqlformat", sqlformat),
    ("time", time),
    ("tinytemplate", tinytemplate),
    ("toml", toml),
    ("url", url),
];

fn text(input: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(input).map_err(shown)
}

fn shown(value: impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

fn chrono(input: &[u8]) -> Made {
    let text = text(input)?;
    let mail = chrono::DateTime::parse_from_rfc2822(text);
    let date = chrono::DateTime::parse_from_rfc3339(text);
    let own = chrono::NaiveDateTime::parse_from_str(text, "%Y-%j %I:%M:%S%.f %p");
    let week = chrono::NaiveDate::parse_from_str(text, "%G-W%V-%a");
    match (mail, date, own, week) {
        (Err(a), Err(b), Err(c), Err(d)) => Err(shown((a, b, c, d))),
        all => Ok(shown(all)),
    }
}

fn cron(input: &[u8]) -> Made {
    let schedule = cron::Schedule::from_str(text(input)?).map_err(shown)?;
    let first = chrono::DateTime::parse_from_rfc3339("2026-02-27T23:59:58Z").map_err(shown)?;
    Ok(shown(schedule.after(&first).take(3).collect::<Vec<_>>()))
}

fn csscolorparser(input: &[u8]) -> Made {
    let color = csscolorparser::parse(text(input)?).map_err(shown)?;
    Ok(shown((&color, color.to_hsla(), color.to_hex_string(), color.rgba_u8())))
}

fn csv(input: &[u8]) -> Made {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(input);
    let headers = reader.headers().map_err(shown)?.clone();
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut sum = 0.0_f64;
    for record in reader.records() {
        for field in record.map_err(shown)?.iter() {
            *counts.entry(field.to_owned()).or_default() += 1;
            sum += field.parse::<f64>().unwrap_or(0.1);
        }
    }
    Ok(shown((headers, counts, sum)))
}

fn evalexpr(input: &[u8]) -> Made {
    use evalexpr::{ContextWithMutableVariables, HashMapContext, IterateVariablesContext, Value};
    let mut context: HashMapContext = HashMapContext::new();
    context.set_value("a".into(), Value::Float(1.5)).map_err(shown)?;
    context.set_value("b".into(), Value::Int(-7)).map_err(shown)?;
    let value = evalexpr::eval_with_context_mut(text(input)?, &mut context).map_err(shown)?;
    Ok(shown((value, context.iter_variables().collect::<Vec<_>>())))
}

fn fast_float(input: &[u8]) -> Made {
    let (wide, used) = fast_float2::parse_partial::<f64, _>(input).map_err(shown)?;
    let narrow: f32 = fast_float2::parse_partial(input).map_err(shown)?.0;
    let mut buffer = ryu::Buffer::new();
    let back = buffer.format(wide).to_owned();
    let sums = (wide.sqrt(), wide.mul_add(1.5, 0.1), wide % 0.7, wide.floor(), narrow.round());
    Ok(shown((used, back, narrow, sums, wide as i8, wide as u64, narrow as i128)))
}

fn httparse(input: &[u8]) -> Made {
    let mut headers = [httparse::EMPTY_HEADER; 16];
    let mut request = httparse::Request::new(&mut headers);
    let asked = request.parse(input).map_err(shown)?;
    let mut headers = [httparse::EMPTY_HEADER; 16];
    let answered = httparse::Response::new(&mut headers).parse(input);
    Ok(shown((asked, answered, &request)))
}

fn humantime(input: &[u8]) -> Made {
    let text = text(input)?;
    match (humantime::parse_duration(text), humantime::parse_rfc3339_weak(text)) {
        (Err(a), Err(b)) => Err(shown((a, b))),
        (duration, date) => {
            let again = duration.as_ref().map(|it| humantime::format_duration(*it).to_string());
            let date = date.map(|it| humantime::format_rfc3339_nanos(it).to_string());
            Ok(shown((again, date)))
        }
    }
}

fn indexmap(input: &[u8]) -> Made {
    let mut map: indexmap::IndexMap<&[u8], usize> = indexmap::IndexMap::new();
    let mut fixed: HashMap<&[u8], usize, ahash::RandomState> =
        HashMap::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4));
    let mut seen: HashSet<&[u8]> = HashSet::new();
    for (number, word) in input.split(|byte| b" ,;\n".contains(byte)).enumerate() {
        map.insert(word, number);
        *fixed.entry(word).or_default() += number;
        if !seen.insert(word) {
            map.swap_remove(word);
            fixed.remove(word);
        }
    }
    let order: Vec<_> = seen.iter().map(|word| String::from_utf8_lossy(word)).collect();
    Ok(shown((&map, &fixed, order)))
}

#[derive(Logos, Debug, PartialEq)]
#[logos(skip r"[ \t\n\f]+")]
enum Token {
    #[token("let")]
    Let,
    #[regex("[a-zA-Z_][a-zA-Z0-9_]*", |lex| lex.slice().len())]
    Name(usize),
    #[regex(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", |lex| lex.slice().parse().ok())]
    Number(f64),
    #[regex(r#""([^"\\]|\\.)*""#)]
    Text,
    #[regex("==|!=|<=|>=|[-+*/=<>(){};,]")]
    Sign,
}

fn logos(input: &[u8]) -> Made {
    let mut tokens = Token::lexer(text(input)?);
    let mut list = Vec::new();
    while let Some(token) = tokens.next() {
        list.push((token, tokens.span()));
    }
    if list.iter().all(|(token, _)| token.is_ok()) { Ok(shown(list)) } else { Err(shown(list)) }
}

fn memchr(input: &[u8]) -> Made {
    let one: Vec<_> = memchr::memchr_iter(b'a', input).collect();
    let three: Vec<_> = memchr::memchr3_iter(b'x', b'\n', 0xff, input).collect();
    let (needle, rest) = input.split_at(input.len().min(3));
    let found: Vec<_> = memchr::memmem::find_iter(rest, needle).collect();
    Ok(shown((
        one,
        three,
        memchr::memrchr2(b'b', b' ', input),
        found,
        memchr::memmem::rfind(rest, b"ab"),
    )))
}

fn pulldown_cmark(input: &[u8]) -> Made {
    let options = pulldown_cmark::Options::all();
    Ok(shown(pulldown_cmark::Parser::new_ext(text(input)?, options).collect::<Vec<_>>()))
}

fn regex_lite(input: &[u8]) -> Made {
    let text = text(input)?;
    let (pattern, rest) = text.split_once('\n').unwrap_or((text, "aab ab12 xyz \u{e9}"));
    let regex = regex_lite::Regex::new(pattern).map_err(shown)?;
    let captures: Vec<_> = regex.captures_iter(rest).map(shown).collect();
    Ok(shown((captures, regex.replace_all(rest, "<$0>"))))
}

fn ron(input: &[u8]) -> Made {
    ron::from_str::<ron::Value>(text(input)?).map(shown).map_err(shown)
}

fn roxmltree(input: &[u8]) -> Made {
    let document = roxmltree::Document::parse(text(input)?).map_err(shown)?;
    let names: HashSet<&str> = document.descendants().map(|node| node.tag_name().name()).collect();
    Ok(shown((names, document)))
}

fn semver(input: &[u8]) -> Made {
    let text = text(input)?;
    let (left, right) = text.split_once(' ').unwrap_or((text, "1.2.3-rc.1+b"));
    let version = semver::Version::parse(right).map_err(shown)?;
    let wanted = semver::VersionReq::parse(left).map_err(shown)?;
    Ok(shown((
        wanted.matches(&version),
        &wanted,
        &version,
        semver::Version::parse(left).ok() < Some(version.clone()),
    )))
}

fn serde_hjson(input: &[u8]) -> Made {
    serde_hjson::from_slice::<serde_hjson::Value>(input).map(shown).map_err(shown)
}

fn serde_json(input: &[u8]) -> Made {
    let value: serde_json::Value = serde_json::from_slice(input).map_err(shown)?;
    let map: HashMap<String, f64> = serde_json::from_slice(input).unwrap_or_default();
    Ok(shown((value.to_string(), map, value)))
}

fn simdutf8(input: &[u8]) -> Made {
    let basic = simdutf8::basic::from_utf8(input).is_ok();
    simdutf8::compat::from_utf8(input).map(|it| shown((basic, it.len()))).map_err(shown)
}

fn sqlformat(input: &[u8]) -> Made {
    let parameters = sqlformat::QueryParams::Indexed(vec!["one".to_owned(), "2".to_owned()]);
    Ok(sqlformat::format(text(input)?, &parameters, sqlformat::FormatOptions::default()))
}

fn time(input: &[u8]) -> Made {
    use time::format_description::well_known::{Iso8601, Rfc2822, Rfc3339};
    let text = text(input)?;
    let own = time::macros::format_description!(
        "[weekday] [day padding:none]/[month repr:short] [year base:iso_week]-[week_number]"
    );
    let mail = time::OffsetDateTime::parse(text, &Rfc2822);
    let date = time::OffsetDateTime::parse(text, &Rfc3339);
    let iso = time::OffsetDateTime::parse(text, &Iso8601::DEFAULT);
    let format = time::format_description::parse_borrowed::<2>(text);
    let week = time::Date::parse(text, own);
    match (mail, date, iso, week, format) {
        (Err(a), Err(b), Err(c), Err(d), Err(e)) => Err(shown((a, b, c, d, e))),
        all => Ok(shown((
            all.0.map(|it| it.format(&Rfc3339)),
            all.1.map(|it| it.to_julian_day()),
            all.2,
            all.3,
            all.4,
        ))),
    }
}

fn tinytemplate(input: &[u8]) -> Made {
    let mut templates = tinytemplate::TinyTemplate::new();
    templates.add_template("t", text(input)?).map_err(shown)?;
    let context = serde_json::json!({"a": 1, "b": [1.5, "x<y"], "c": {"d": true}});
    templates.render("t", &context).map_err(shown)
}

fn toml(input: &[u8]) -> Made {
    let table: toml::Table = text(input)?.parse().map_err(shown)?;
    Ok(shown((toml::to_string(&table), &table)))
}

fn url(input: &[u8]) -> Made {
    let base = url::Url::parse("https://h.example:8443/a/b/../c?d#e").map_err(shown)?;
    let url = base.join(text(input)?).map_err(shown)?;
    let query: HashMap<_, _> = url.query_pairs().collect();
    Ok(shown((url.as_str(), query, url.host(), url.port_or_known_default())))
}
