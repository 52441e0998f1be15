//! Fuzz targets, built untouched: libFuzzer is compiled once, which takes a C++ compiler and half a minute.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pleach_concolic::build::{Builder, End, Entry, Input, Target};
use pleach_concolic::ir::Module;
use pleach_concolic::vm::{Machine, Options, Outcome, Plain};

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

    let module = Arc::new(Module::read(&ir).expect("it is read"));
    let enter = |bytes: &[u8]| {
        let mut machine =
            Machine::new(module.clone(), Plain, Options::default()).expect("there is memory");
        assert_eq!(machine.initialize(), Ok(None));
        let place = machine.allocate(&[0; 16]).expect("there is memory");
        machine.call(
            module.find_function(initialize).expect("it is there"),
            &[place.into(), (place + 8).into()],
        );
        assert_eq!(machine.run(), Outcome::Returned(vec![0]));
        let address = machine.allocate(bytes).expect("there is memory");
        machine.call(
            module.find_function(symbol).expect("it is there"),
            &[address.into(), bytes.len() as u128],
        );
        machine.run()
    };
    assert_eq!(enter(b"good"), Outcome::Returned(vec![0]));
    let Outcome::Panic(inside) = enter(b"bad") else { panic!("it panics") };
    let place = inside.location.expect("it has a place");
    assert_eq!((inside.message, place.file, place.line), (panic.message, panic.file, panic.line));
    assert!(builder.build(&target).expect("it is built").fresh);
    let near = Target::parse("fuzz:other", &folder).expect("a target");
    assert!(
        builder.build(&near).expect_err("there is none").to_string().contains("name one of target")
    );
}
