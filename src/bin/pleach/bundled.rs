//! The grammars that come with the tool.

macro_rules! bundled {
    ($($name:literal)*) => {
        /// The files of all grammars, by name.
        pub(crate) const FILES: &[(&str, &str)] = &[$((
            concat!($name, ".pleach"),
            include_str!(concat!("../../../grammars/", $name, ".pleach")),
        )),*];
    };
}

bundled! {
    "addr-spec"
    "cli-options"
    "css"
    "csv"
    "expr"
    "graphql"
    "http-request"
    "ip"
    "javascript"
    "json"
    "lua"
    "markdown"
    "protobuf"
    "regex"
    "rfc3339"
    "semver"
    "smtp-session"
    "sql"
    "toml"
    "ui-events"
    "uri"
    "xml"
}

/// The names of the grammars.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter_map(|(file, _)| file.strip_suffix(".pleach"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_grammars_are_there() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/grammars");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut found: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
        found.retain(|name| name.ends_with(".pleach"));
        found.sort();
        let bundled: Vec<&str> = super::FILES.iter().map(|&(name, _)| name).collect();
        assert_eq!(bundled, found);
    }
}
