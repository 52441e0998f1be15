//! The grammars with their oracles, one a file.

macro_rules! subjects {
    ($($name:ident)*) => {
        $(mod $name;)*

        /// All grammars, by name.
        pub const SUBJECTS: &[&crate::Subject] = &[$(&$name::SUBJECT),*];

        /// One test a grammar, named as the grammar is.
        #[cfg(test)]
        mod tests {
            $(
                #[test]
                fn $name() {
                    crate::check::check(&super::$name::SUBJECT);
                }
            )*
        }
    };
}

subjects! {
    addr_spec
    cli_options
    css
    csv
    expr
    graphql
    http_request
    ip
    javascript
    json
    lua
    markdown
    protobuf
    regex
    rfc3339
    semver
    smtp_session
    sql
    toml
    ui_events
    uri
    xml
}
