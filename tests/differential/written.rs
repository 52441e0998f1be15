//! The functions of `validators.toml`.

// The fields of errors and values are for callers, of which there are none here.
#![allow(dead_code)]

#[path = "../data/differential/validators/absolute_path.rs"]
pub(crate) mod absolute_path;
#[path = "../data/differential/validators/base64.rs"]
pub(crate) mod base64;
#[path = "../data/differential/validators/c_comment.rs"]
pub(crate) mod c_comment;
#[path = "../data/differential/validators/css_length.rs"]
pub(crate) mod css_length;
#[path = "../data/differential/validators/csv_field.rs"]
pub(crate) mod csv_field;
#[path = "../data/differential/validators/decimal.rs"]
pub(crate) mod decimal;
#[path = "../data/differential/validators/hex_colour.rs"]
pub(crate) mod hex_colour;
#[path = "../data/differential/validators/host_label.rs"]
pub(crate) mod host_label;
#[path = "../data/differential/validators/identifier.rs"]
pub(crate) mod identifier;
#[path = "../data/differential/validators/image_name.rs"]
pub(crate) mod image_name;
#[path = "../data/differential/validators/ipv4.rs"]
pub(crate) mod ipv4;
#[path = "../data/differential/validators/iso_date.rs"]
pub(crate) mod iso_date;
#[path = "../data/differential/validators/key_value.rs"]
pub(crate) mod key_value;
#[path = "../data/differential/validators/limited_repeats.rs"]
pub(crate) mod limited_repeats;
#[path = "../data/differential/validators/mac_address.rs"]
pub(crate) mod mac_address;
#[path = "../data/differential/validators/multiple_of_three.rs"]
pub(crate) mod multiple_of_three;
#[path = "../data/differential/validators/percent_encoded.rs"]
pub(crate) mod percent_encoded;
#[path = "../data/differential/validators/phone.rs"]
pub(crate) mod phone;
#[path = "../data/differential/validators/port.rs"]
pub(crate) mod port;
#[path = "../data/differential/validators/query_string.rs"]
pub(crate) mod query_string;
#[path = "../data/differential/validators/quoted_string.rs"]
pub(crate) mod quoted_string;
#[path = "../data/differential/validators/semver_core.rs"]
pub(crate) mod semver_core;
#[path = "../data/differential/validators/signed_number.rs"]
pub(crate) mod signed_number;
#[path = "../data/differential/validators/tag.rs"]
pub(crate) mod tag;
#[path = "../data/differential/validators/time_of_day.rs"]
pub(crate) mod time_of_day;
#[path = "../data/differential/validators/uuid.rs"]
pub(crate) mod uuid;
