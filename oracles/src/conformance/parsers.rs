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
        departures: &[],
    },
    Parser {
        name: "time 0.3, `Rfc3339`",
        specification: "date-time",
        accepts: |text| {
            use time::format_description::well_known::Rfc3339;
            time::OffsetDateTime::parse(text, &Rfc3339).is_ok()
        },
        departures: &[],
    },
    Parser {
        name: "jiff 0.2, `Timestamp`",
        specification: "date-time",
        accepts: |text| text.parse::<jiff::Timestamp>().is_ok(),
        departures: &[],
    },
    Parser {
        name: "humantime 2, `parse_rfc3339`",
        specification: "date-time",
        accepts: |text| humantime::parse_rfc3339(text).is_ok(),
        departures: &[],
    },
    Parser {
        name: "email_address 0.2",
        specification: "email",
        accepts: email_address::EmailAddress::is_valid,
        departures: &[],
    },
    Parser {
        name: "mime 0.3",
        specification: "media-type",
        accepts: |text| text.parse::<mime::Mime>().is_ok(),
        departures: &[],
    },
    Parser {
        name: "httpdate 1",
        specification: "http-date",
        accepts: |text| httpdate::parse_http_date(text).is_ok(),
        departures: &[],
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
        departures: &[],
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
        departures: &[],
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
        departures: &[],
    },
];
