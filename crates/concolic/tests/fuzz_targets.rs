//! Fuzz targets, built untouched: libFuzzer is compiled once, which takes a C++ compiler and half a minute.

use std::fs;
use std::path::Path;

use pleach_concolic::build::{Builder, End, Entry, Input, Target};

#[test]
#[ignore = "compiles libFuzzer"]
fn an_untouched_fuzz_target_is_entered_where_libfuzzer_enters_it() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzzed");
    let files = [
        ("Cargo.toml", "[package]\nname = \"fuzzed\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        (
            "src/lib.rs",
            "pub fn f(text: &[u8]) { assert!(text != b\"bad\", \"it is {}\", 1); println!(\"{}\", cfg!(fuzzing)); }",
        ),
        (
            "fuzz/Cargo.toml",
            "[package]\nname = \"fuzzed-fuzz\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[package.metadata]\n\
             cargo-fuzz = true\n[dependencies]\nlibfuzzer-sys = \"0.4\"\nfuzzed = { path = \"..\" }\n[workspace]\n\
             [[bin]]\nname = \"target\"\npath = \"fuzz_targets/target.rs\"\n",
        ),
        (
            "fuzz/fuzz_targets/target.rs",
            "#![no_main]\nlibfuzzer_sys::fuzz_target!(|data: &[u8]| fuzzed::f(data));\n",
        ),
    ];
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let builder = Builder::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("build"));
    let target = Target::parse("fuzz:target", &folder).expect("a target");
    let built = builder.build(&target).expect("it is built");
    let Entry::Bytes { symbol, initialize: Some(initialize) } = &built.entry else {
        panic!("{:?}", built.entry)
    };
    let ir = fs::read_to_string(&built.ir).expect("the text");
    for name in [symbol, initialize] {
        assert!(
            ir.lines().any(|it| it.starts_with("define ") && it.contains(&format!("@{name}("))),
            "{name}"
        );
    }
    let ran = built.native.run(&Input::bytes(b"good")).expect("it runs");
    assert_eq!((ran.end, &ran.stdout[..]), (End::Exited(0), &b"true\n"[..]));
    let ran = built.native.run(&Input::bytes(b"bad")).expect("it runs");
    assert_eq!(ran.end, End::Killed(6));
    let panic = ran.panic.expect("it panics");
    assert!(
        panic.message == "it is 1" && panic.file.ends_with("src/lib.rs") && panic.line == 1,
        "{panic:?}"
    );
    assert!(builder.build(&target).expect("it is built").fresh);
    let near = Target::parse("fuzz:other", &folder).expect("a target");
    assert!(
        builder.build(&near).expect_err("there is none").to_string().contains("name one of target")
    );
}
