//! The ported functions of `cases.toml`.

// The fields of errors and values are for callers, of which there are none here.
#![allow(dead_code)]

#[path = "../data/differential/cases/commons_io_directory_contains.rs"]
pub(crate) mod commons_io_directory_contains;
#[path = "../data/differential/cases/commons_io_extension.rs"]
pub(crate) mod commons_io_extension;
#[path = "../data/differential/cases/commons_text_unescape_json.rs"]
pub(crate) mod commons_text_unescape_json;
#[path = "../data/differential/cases/commons_validator_ipv6.rs"]
pub(crate) mod commons_validator_ipv6;
#[path = "../data/differential/cases/commons_validator_port.rs"]
pub(crate) mod commons_validator_port;
#[path = "../data/differential/cases/commons_validator_url.rs"]
pub(crate) mod commons_validator_url;
#[path = "../data/differential/cases/curl_host.rs"]
pub(crate) mod curl_host;
#[path = "../data/differential/cases/dayjs_fraction.rs"]
pub(crate) mod dayjs_fraction;
#[path = "../data/differential/cases/greenmail_login.rs"]
pub(crate) mod greenmail_login;
#[path = "../data/differential/cases/guava_file_extension.rs"]
pub(crate) mod guava_file_extension;
#[path = "../data/differential/cases/guava_inet_address.rs"]
pub(crate) mod guava_inet_address;
#[path = "../data/differential/cases/httplib_disposition.rs"]
pub(crate) mod httplib_disposition;
#[path = "../data/differential/cases/libphonenumber_parse.rs"]
pub(crate) mod libphonenumber_parse;
#[path = "../data/differential/cases/nanohttpd_path.rs"]
pub(crate) mod nanohttpd_path;
#[path = "../data/differential/cases/netmask_octal.rs"]
pub(crate) mod netmask_octal;
#[path = "../data/differential/cases/okhttp_challenge.rs"]
pub(crate) mod okhttp_challenge;
#[path = "../data/differential/cases/okhttp_cookie_domain.rs"]
pub(crate) mod okhttp_cookie_domain;
#[path = "../data/differential/cases/okhttp_host.rs"]
pub(crate) mod okhttp_host;
#[path = "../data/differential/cases/openjdk_duration.rs"]
pub(crate) mod openjdk_duration;
#[path = "../data/differential/cases/shiro_basic_auth.rs"]
pub(crate) mod shiro_basic_auth;
#[path = "../data/differential/cases/spring_boot_json_closing.rs"]
pub(crate) mod spring_boot_json_closing;
#[path = "../data/differential/cases/spring_boot_json_commas.rs"]
pub(crate) mod spring_boot_json_commas;
