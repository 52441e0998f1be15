//! Tables as bytes: what is taken apart is what was put together.

use std::fs;
use std::path::Path;

use pleach_core::grammar::{Files, Grammar};
use pleach_core::internal::{pack, unpack};
use pleach_core::table::{Lowering, Table};

/// The tables of the grammars that come with the project.
fn tables() -> Vec<(String, Table)> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../grammars"));
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    let texts: Vec<(String, String)> = names
        .filter(|name| name.ends_with(".pleach"))
        .map(|name| (name.clone(), fs::read_to_string(folder.join(name)).unwrap()))
        .collect();
    let files = Files::new(texts.iter().cloned());
    let table = |(name, text): &(String, String)| {
        let grammar = Grammar::read(name, text, &files).unwrap();
        (name.clone(), Lowering::new().lower(&grammar).unwrap().table)
    };
    texts.iter().map(table).collect()
}

#[test]
fn every_table_is_the_same_afterwards() {
    let tables = tables();
    assert!(tables.len() > 20);
    for (name, table) in tables {
        let packed = pack(&table, ["left", "out"]);
        let (unpacked, left_out) = unpack(&packed).unwrap();
        assert!(format!("{unpacked:?}") == format!("{table:?}"), "{name}");
        assert_eq!(left_out, ["left", "out"]);
        assert_eq!(pack(&unpacked, ["left", "out"]), packed, "{name}");
    }
}

#[test]
fn other_bytes_are_no_table() {
    let grammar =
        Grammar::parse(r#"%layout ws; a = b{2,3} "x" [0-9]+ | "(" a ")"; b = [a-z]+; ws = " "*;"#)
            .unwrap();
    let packed = pack(&Lowering::new().lower(&grammar).unwrap().table, []);
    assert!(unpack(&packed).is_some());
    for end in 0..packed.len() {
        assert!(unpack(&packed[..end]).is_none(), "{end} bytes");
    }
    let longer = [&packed[..], b"\0"].concat();
    assert!(unpack(&longer).is_none());
    let version = env!("CARGO_PKG_VERSION");
    let at = packed.windows(version.len()).position(|here| here == version.as_bytes()).unwrap();
    let mut other = packed;
    other[at] ^= 1;
    assert!(unpack(&other).is_none());
}
