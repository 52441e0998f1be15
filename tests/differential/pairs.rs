//! Known defects as pairs of languages, the implementation's written by hand: that the strategy
//! exposes them, and how soon.

use pleach::Seeded;
use pleach::differential::{Difference, Language, Strategy, TestString};
use pleach::regular::AutomatonLimits;

use crate::formats::{H16, OCTET, ipv6, uri};

/// A known defect.
struct Case {
    /// Which one.
    name: &'static str,
    /// What is specified.
    specification: String,
    /// What the faulty implementation accepts.
    implementation: String,
    /// Which texts expose it, as a regex that matches whole texts.
    exposed_by: String,
}

/// The known defects.
fn cases() -> Vec<Case> {
    let js = r#""(?:[^"\\,:\x00-\x1F]|(?<data>[,:]))*""#;
    let json = format!(r"\{{{js}:{js}(?:,{js}:{js})*\}}");
    let port =
        "(?:[0-9]{1,4}|[0-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";
    let token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    let parameter = format!("{token}=(?:{token}|\"[^\"\\\\]*\")");
    let long = "(?s).*[0-9A-Fa-f]{5}.*";
    let address = ipv6(H16, OCTET);
    let bad = "(?:25[6-9]|2[6-9][0-9]|[3-9][0-9]{2}|0[0-9]{1,2})";
    let case = |name, specification: &str, implementation: &str, exposed_by: &str| Case {
        name,
        specification: specification.into(),
        implementation: implementation.into(),
        exposed_by: exposed_by.into(),
    };
    vec![
        case("Shiro basic auth", "[^:]*:(?:[^:]|(?<data>:))*", "(?s).*:.*", "(?s)[^:]*:[^:]*:.*"),
        case(
            "Guava getFileExtension",
            r"(?:(?:[\w :-]|(?<data>\.))+/)*(?:[\w -]|(?<data>\.))*(?:\.\w+)?",
            "(?s).*",
            r"(?s).*\.[^.]*/[^.]*",
        ),
        case(
            "commons-io directoryContains",
            "/foo/[^/]+(?:/[^/]+)*",
            "(?s)/foo.*",
            "(?s)/foo[^/].*",
        ),
        case(
            "commons-io getExtension",
            r"(?:\w+/)*\w+(?:\.\w+)?(?::\w+(?:(?<data>\.)\w+)?)?",
            "(?s).*",
            r"(?s)(?:\w+/)*\w+(?:\.\w+)?:\w+\.\w+",
        ),
        case("Guava isInetAddress", &address, &ipv6("[0-9A-Fa-f]+", OCTET), long),
        case(
            "okhttp host",
            &format!(r"\[{address}\]"),
            &format!(r"\[{}\]", ipv6("0*[0-9A-Fa-f]{1,4}", OCTET)),
            long,
        ),
        case(
            "okhttp cookie domain",
            &format!("[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*|{address}"),
            r"[^ #%/:?@\[\\\]]+",
            &address,
        ),
        case(
            "okhttp challenge",
            &format!("{token}(?: +(?:[0-9A-Za-z._~+/-]+=*|{parameter}(?: *, *{parameter})*))?"),
            &format!("{token} realm=\"[^\"]*\""),
            token,
        ),
        case(
            "spring-boot JSON parser, commas",
            &json,
            r"(?s)\{[^,:]*:[^,]*(?:,[^,:]*:[^,]*)*\}",
            r#"(?s).*"[^",]*,[^"]*".*"#,
        ),
        case("spring-boot JSON parser, end", &json, r"(?s)\{.*", r"(?s)\{(?:.*[^}])?"),
        case(
            "commons-validator port",
            &format!("[a-z.]+:{port}"),
            "[a-z.]+:[0-9]{1,5}",
            "[a-z.]+:(?:6553[6-9]|655[4-9][0-9]|65[6-9][0-9]{2}|6[6-9][0-9]{3}|[7-9][0-9]{4})",
        ),
        case(
            "commons-validator IPv6",
            &address,
            &ipv6(H16, "[0-9]{1,3}"),
            &format!(
                r"[^.]*:(?:(?:[0-9]{{1,3}}\.){{1,3}}{bad}(?:\.[0-9]{{1,3}})*|{bad}(?:\.[0-9]{{1,3}})+)"
            ),
        ),
        case("commons-validator URL", &uri(""), &uri(" "), "(?s).* .*"),
        case(
            "libphonenumber",
            r"\+[0-9().-]*[0-9][0-9().-]*",
            r"\+[().-]*(?:[0-9][().-]*){3,17}",
            r"\+[().-]*(?:[0-9][().-]*){1,2}",
        ),
        case(
            "commons-text unescapeJson",
            r#"\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4}"#,
            r"\\[\\bfnrt]|\\u[0-9A-Fa-f]{4}",
            r#"\\["/]"#,
        ),
        case(
            "greenmail login",
            r"\w+:(?:\w|(?<data>[:@]))+(?:@\w+(?:\.\w+)*)?",
            "(?s)[^:]*:[^:]*",
            r"\w+:[\w:@.]*:[\w:@.]*",
        ),
    ]
}

fn difference(case: &Case) -> Difference {
    let limits = AutomatonLimits::default();
    let [spec, code] = [&case.specification, &case.implementation].map(|pattern| {
        Language::regex(pattern, &limits).unwrap_or_else(|error| panic!("{}: {error}", case.name))
    });
    Difference::new(&spec, &code, &limits).unwrap()
}

/// The rank of the first string that exposes a case.
fn rank(case: &Case, strings: &[TestString]) -> Option<usize> {
    let exposing = regex::Regex::new(&format!("^(?:{})$", case.exposed_by)).unwrap();
    strings.iter().find(|string| exposing.is_match(&string.text)).map(|string| string.rank)
}

#[test]
fn edge_cover_exposes_each_within_ten_strings() {
    for case in cases() {
        let difference = difference(&case);
        let rank = |strategy, seed| {
            let strings = difference.strings(strategy, 1000, &mut Seeded::new(seed));
            (rank(&case, &strings), strings)
        };
        let (best, strings) = rank(Strategy::EdgeCover, 1);
        let shown = |rank: Option<usize>| rank.map_or("-".into(), |rank| rank.to_string());
        let random: Vec<_> =
            (0..10).map(|seed| shown(rank(Strategy::Undirected, seed).0)).collect();
        println!(
            "{:<33} {:>5} states  edge-cover {:>3}  paper-dfs {:>3}  undirected {}",
            case.name,
            difference.states(),
            shown(best),
            shown(rank(Strategy::PaperDfs, 1).0),
            random.join(" ")
        );
        let first: Vec<_> = strings.iter().take(10).map(|string| &string.text).collect();
        assert!(best.is_some_and(|rank| rank <= 10), "{}: {best:?} of {first:?}", case.name);
    }
}
