//! The parsers, and how they depart from their specifications.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::{Departure, Parser};

/// All of them.
pub const PARSERS: &[Parser] = &[
    Parser {
        name: "std, `Ipv4Addr`",
        specification: "ipv4",
        accepts: |text| text.parse::<Ipv4Addr>().is_ok(),
        departures: &[],
    },
    Parser {
        name: "std, `Ipv6Addr`",
        specification: "ipv6",
        accepts: |text| text.parse::<Ipv6Addr>().is_ok(),
        departures: &[],
    },
    Parser {
        name: "semver 1, `Version`",
        specification: "semver",
        accepts: |text| semver::Version::parse(text).is_ok(),
        departures: &[],
    },
    Parser {
        name: "uuid 1, `Uuid::parse_str`",
        specification: "uuid",
        accepts: |text| uuid::Uuid::parse_str(text).is_ok(),
        departures: &[],
    },
    Parser {
        name: "fluent-uri 0.4, `Uri`",
        specification: "uri",
        accepts: |text| fluent_uri::Uri::parse(text).is_ok(),
        departures: &[],
    },
    Parser {
        name: "chrono 0.4, `DateTime::parse_from_rfc3339`",
        specification: "date-time",
        accepts: |text| chrono::DateTime::parse_from_rfc3339(text).is_ok(),
        departures: &[Departure {
            what: "takes a space for the `T`",
            clause: "RFC 3339, section 5.6: `T`; its note lets applications choose a space",
            applies: |text, valid| !valid && separator(text) == Some(' '),
        }],
    },
    Parser {
        name: "time 0.3, `Rfc3339`",
        specification: "date-time",
        accepts: |text| {
            use time::format_description::well_known::Rfc3339;
            time::OffsetDateTime::parse(text, &Rfc3339).is_ok()
        },
        departures: &[
            Departure {
                what: "takes any byte for the `T`",
                clause: "RFC 3339, section 5.6: `T`; its note lets applications choose a space, say",
                applies: |text, valid| {
                    !valid && separator(text).is_some_and(|it| !matches!(it, 'T' | 't'))
                },
            },
            Departure {
                what: "rejects second 60 but at the end of a month in UTC",
                clause: "RFC 3339, section 5.7: leap seconds are inserted there; the grammar of 5.6 has 60 anywhere",
                applies: |text, valid| valid && text.get(17..19) == Some("60"),
            },
        ],
    },
    Parser {
        name: "jiff 0.2, `Timestamp`",
        specification: "date-time",
        accepts: |text| text.parse::<jiff::Timestamp>().is_ok(),
        departures: &[
            Departure {
                what: "takes a space for the `T`",
                clause: "jiff's `fmt::temporal`: its own format, wider than RFC 3339",
                applies: |text, valid| !valid && separator(text) == Some(' '),
            },
            Departure {
                what: "takes a comma before the fraction",
                clause: "jiff's `fmt::temporal`, as ISO 8601",
                applies: |text, valid| !valid && text.contains(','),
            },
            Departure {
                what: "takes an offset without a colon",
                clause: "jiff's `fmt::temporal`, as the basic format of ISO 8601",
                applies: |text, valid| {
                    !valid
                        && text
                            .rfind(['+', '-'])
                            .is_some_and(|at| at > 10 && !text[at..].contains(':'))
                },
            },
            Departure {
                what: "takes offsets up to 25:59",
                clause: "jiff's `fmt::temporal`; RFC 3339, section 5.6: time-hour is 00 to 23",
                applies: |text, valid| {
                    !valid
                        && text.rfind(['+', '-']).is_some_and(|at| {
                            text[at + 1..].starts_with("24") || text[at + 1..].starts_with("25")
                        })
                },
            },
        ],
    },
    Parser {
        name: "humantime 2, `parse_rfc3339`",
        specification: "date-time",
        accepts: |text| humantime::parse_rfc3339(text).is_ok(),
        departures: &[
            Departure {
                what: "rejects small `t` and `z`",
                clause: "RFC 3339, section 5.6, note: they are allowed",
                applies: |text, valid| valid && text.contains(['t', 'z']),
            },
            Departure {
                what: "rejects offsets other than `Z`",
                clause: "its documentation: only UTC",
                applies: |text, valid| valid && !text.ends_with('Z'),
            },
            Departure {
                what: "rejects what is before 1970",
                clause: "its documentation: a `SystemTime` after the epoch",
                applies: |text, valid| valid && year(text).is_some_and(|year| year < 1970),
            },
            Departure {
                what: "takes `.Z` and `ZZ` at the end",
                clause: "RFC 3339, section 5.6: `time-secfrac = \".\" 1*DIGIT`, and one `Z`",
                applies: |text, valid| !valid && (text.ends_with(".Z") || text.ends_with("ZZ")),
            },
        ],
    },
    Parser {
        name: "email_address 0.2",
        specification: "email",
        accepts: email_address::EmailAddress::is_valid,
        departures: &[
            Departure {
                what: "takes characters beyond ASCII",
                clause: "RFC 6531, section 3.3, which extends RFC 5321",
                applies: |text, valid| !valid && !text.is_ascii(),
            },
            Departure {
                what: "rejects an empty quoted local part",
                clause: "RFC 5321, section 4.1.2: `Quoted-string = DQUOTE *QcontentSMTP DQUOTE`",
                applies: |text, valid| valid && text.starts_with("\"\"@"),
            },
            Departure {
                what: "takes tabs in quotes",
                clause: "RFC 5322, section 3.2.4, which it implements; RFC 5321's QcontentSMTP has none",
                applies: |text, valid| !valid && text.contains('\t'),
            },
            Departure {
                what: "takes any atom for a label of the domain",
                clause: "RFC 5322, section 3.4.1: `domain = dot-atom`; RFC 5321's sub-domain has letters, digits and inner hyphens",
                applies: |text, valid| {
                    !valid
                        && text.rsplit_once('@').is_some_and(|(_, domain)| !domain.starts_with('['))
                },
            },
            Departure {
                what: "takes any domain literal",
                clause: "RFC 5322, section 3.4.1: `domain-literal`; RFC 5321's are IP addresses",
                applies: |text, valid| !valid && text.ends_with(']'),
            },
            Departure {
                what: "rejects an escaped space",
                clause: "RFC 5321, section 4.1.2: `quoted-pairSMTP = %d92 %d32-126`",
                applies: |text, valid| valid && text.contains("\\ "),
            },
        ],
    },
    Parser {
        name: "mime 0.3",
        specification: "media-type",
        accepts: |text| text.parse::<mime::Mime>().is_ok(),
        departures: &[
            Departure {
                what: "takes an empty subtype",
                clause: "RFC 9110, section 8.3.1: `subtype = token`, and a token is not empty",
                applies: |text, valid| {
                    !valid
                        && text.split(';').next().is_some_and(|name| name.trim_end().ends_with('/'))
                },
            },
            Departure {
                what: "takes an empty value",
                clause: "RFC 9110, section 5.6.6: `parameter-value = ( token / quoted-string )`",
                applies: |text, valid| !valid && (text.ends_with('=') || text.contains("=;")),
            },
            Departure {
                what: "checks quoted strings loosely",
                clause: "RFC 9110, section 5.6.4: no quote or control inside, and nothing after the last quote",
                applies: |text, valid| !valid && text.contains('"'),
            },
            Departure {
                what: "rejects an empty quoted string",
                clause: "RFC 9110, section 5.6.4: `quoted-string = DQUOTE *( qdtext / quoted-pair ) DQUOTE`",
                applies: |text, valid| valid && text.contains("=\"\""),
            },
            Departure {
                what: "rejects tabs, spaces before a semicolon, and empty parameters",
                clause: "RFC 9110, section 5.6.6: `*( OWS \";\" OWS [ parameter ] )`",
                applies: |text, valid| {
                    valid
                        && (text.contains(['\t', ' '])
                            || text.contains(";;")
                            || text.ends_with(';'))
                },
            },
            Departure {
                what: "rejects an escaped quote at the end of a quoted string",
                clause: "RFC 9110, section 5.6.4: `quoted-pair`",
                applies: |text, valid| valid && text.contains("\\\"\""),
            },
        ],
    },
    Parser {
        name: "httpdate 1",
        specification: "http-date",
        accepts: |text| httpdate::parse_http_date(text).is_ok(),
        departures: &[
            Departure {
                what: "rejects what is before 1970",
                clause: "its documentation: times are after the epoch",
                applies: |text, valid| valid && year_of_http(text).is_some_and(|year| year < 1970),
            },
            Departure {
                what: "rejects a weekday that is not the date's, and days that a month does not have",
                clause: "RFC 9110, section 5.6.7: the grammar cannot say so, the meaning does",
                applies: |text, valid| valid && !is_day(text),
            },
            Departure {
                what: "rejects second 60",
                clause: "RFC 9110, section 5.6.7: `second`, 00 to 60",
                applies: |text, valid| valid && text.ends_with(":60 GMT"),
            },
            Departure {
                what: "takes white space around it",
                clause: "RFC 9110, section 5.6.7: none",
                applies: |text, valid| !valid && text.trim() != text,
            },
        ],
    },
    Parser {
        name: "base64 0.22, `STANDARD`",
        specification: "base64",
        accepts: |text| {
            use base64::Engine as _;
            base64::engine::general_purpose::STANDARD.decode(text).is_ok()
        },
        departures: &[],
    },
    Parser {
        name: "ipnet 2, `Ipv4Net`",
        specification: "ipv4-cidr",
        accepts: |text| text.parse::<ipnet::Ipv4Net>().is_ok(),
        departures: &[Departure {
            what: "takes leading zeros",
            clause: "RFC 6943, section 3.1.1: some read them as octal, so strict readers reject them; RFC 3986's dec-octet has none",
            applies: |text, valid| !valid && has_leading_zero(text),
        }],
    },
    Parser {
        name: "oxilangtag 0.1, `LanguageTag`",
        specification: "language-tag",
        accepts: |text| oxilangtag::LanguageTag::parse(text).is_ok(),
        departures: &[],
    },
    Parser {
        name: "csscolorparser 0.8, of what begins with `#`",
        specification: "hex-color",
        accepts: |text| text.starts_with('#') && csscolorparser::parse(text).is_ok(),
        departures: &[Departure {
            what: "takes white space after it",
            clause: "CSS Color 4, section 5.2: a hash token",
            applies: |text, valid| !valid && text.trim_end() != text,
        }],
    },
    Parser {
        name: "http 1, `Method`",
        specification: "http-token",
        accepts: |text| http::Method::from_bytes(text.as_bytes()).is_ok(),
        departures: &[],
    },
    Parser {
        name: "macaddr 1, `MacAddr6`",
        specification: "mac-address",
        accepts: |text| text.parse::<macaddr::MacAddr6>().is_ok(),
        departures: &[
            Departure {
                what: "takes groups of four digits among pairs",
                clause: "IEEE Std 802-2014, section 8.1: pairs",
                applies: |text, valid| {
                    !valid && text.split([':', '-']).any(|group| group.len() == 4)
                },
            },
            Departure {
                what: "takes a separator before the first group",
                clause: "IEEE Std 802-2014, section 8.1: between pairs",
                applies: |text, valid| !valid && text.starts_with([':', '-']),
            },
        ],
    },
];

/// What stands between date and time.
fn separator(text: &str) -> Option<char> {
    text.get(10..)?.chars().next()
}

fn year(text: &str) -> Option<u32> {
    text.get(..4)?.parse().ok()
}

fn year_of_http(text: &str) -> Option<u32> {
    text.get(12..16)?.parse().ok()
}

/// Whether an IMF-fixdate has the right weekday, by Zeller's congruence, of a day that there is.
fn is_day(text: &str) -> bool {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    const DAYS: [&str; 7] = ["Sat", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri"];
    let number = |range| text.get(range).and_then(|text: &str| text.parse::<u32>().ok());
    let month = MONTHS.iter().position(|&name| text.get(8..11) == Some(name));
    let (Some(day), Some(month), Some(year)) = (number(5..7), month, number(12..16)) else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        1 => 28 + u32::from(is_leap),
        3 | 5 | 8 | 10 => 30,
        _ => 31,
    };
    // January and February count as months of the year before.
    let (m, y) =
        if month < 2 { (month as u32 + 13, year + 399) } else { (month as u32 + 1, year + 400) };
    let weekday = (day + 13 * (m + 1) / 5 + y + y / 4 + y / 400 - y / 100) % 7;
    day <= last && text.get(..3) == Some(DAYS[weekday as usize])
}

fn has_leading_zero(text: &str) -> bool {
    text.split(['.', '/']).any(|part| part.len() > 1 && part.starts_with('0'))
}
