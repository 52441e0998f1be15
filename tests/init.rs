//! `pleach init`: what it writes, and that it overwrites nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pleach::grammar::{Files, Grammar};
use pleach::parse::{Parser, Scratch};
use pleach::table::Lowering;
use pleach::tree::Tree;

/// A crate to be fuzzed, made anew.
fn package(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("init").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("Cargo.toml"), "[package]\nname = \"my-crate\"\n").unwrap();
    folder
}

fn init(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
    command.arg("init").args(arguments).current_dir(folder).output().unwrap()
}

fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = init(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = init(folder, arguments);
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

fn read(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn a_crate_gets_a_fuzz_crate() {
    let folder = package("new");
    assert_eq!(
        done(&folder, &["--grammar", "http-request"]),
        "cargo fuzz run --target-dir target http-request -- -dict=fuzz/http-request.dict\n"
    );
    let manifest = read(&folder, "fuzz/Cargo.toml");
    for line in [
        "name = \"my-crate-fuzz\"",
        "cargo-fuzz = true",
        "[profile.release.package.pleach-core]\ndebug = false\n",
        "my-crate = { path = \"..\" }",
        "libfuzzer-sys = \"0.4\"",
        "pleach = { package = \"pleach-target\", version = ",
        "path = \"fuzz_targets/http-request.rs\"",
    ] {
        assert_eq!(manifest.matches(line).count(), 1, "{line} in\n{manifest}");
    }
    let target = read(&folder, "fuzz/fuzz_targets/http-request.rs");
    assert!(target.contains("my_crate::parse(data)"), "{target}");
    // The grammar and what it includes are those that the target names.
    let files = ["http-request.pleach", "uri.pleach", "ip.pleach"];
    let named = files.map(|file| format!("\"../grammars/{file}\"")).join(", ");
    let written = format!("\n    grammar: [{named}],\n    max_depth: 64,\n    |data: &[u8]| {{\n");
    assert!(target.contains(&written), "{target}");
    let texts = files.map(|file| (file, read(&folder, &format!("fuzz/grammars/{file}"))));
    let grammar = Grammar::read(files[0], &texts[0].1, &Files::new(texts.clone())).unwrap();
    let table = Lowering::new().lower(&grammar).unwrap().table;
    let words = read(&folder, "fuzz/http-request.dict");
    assert!(words.contains("\"GET\"\n"), "{words}");
    // The seeds are of the grammar.
    let (parser, mut tree) = (Parser::new(&table), Tree::new());
    let seeds = fs::read_dir(folder.join("fuzz/corpus/http-request")).unwrap();
    let seeds: Vec<Vec<u8>> = seeds.map(|seed| fs::read(seed.unwrap().path()).unwrap()).collect();
    assert!(seeds.len() > 20);
    for seed in &seeds {
        parser.parse(seed, &mut Scratch::new(), &mut tree).unwrap();
    }

    // A second target beside it.
    done(&folder, &["--grammar", "json", "--name", "other"]);
    let manifest = read(&folder, "fuzz/Cargo.toml");
    assert_eq!(manifest.matches("[[bin]]").count(), 2);
    assert_eq!(manifest.matches("libfuzzer-sys").count(), 1);
    let target = read(&folder, "fuzz/fuzz_targets/other.rs");
    assert!(target.contains("|text: &str|") && target.contains("/other.pleach\""), "{target}");
    assert!(read(&folder, "fuzz/grammars/other.pleach").contains("%start"));
    assert!(!folder.join("fuzz/grammars/json.pleach").exists(), "it is named as the target");
}

#[test]
fn nothing_is_overwritten_unless_asked() {
    let folder = package("there");
    done(&folder, &["--grammar", "json"]);
    // What is as it would be written is no obstacle.
    done(&folder, &["--grammar", "json"]);
    let target = folder.join("fuzz/fuzz_targets/json.rs");
    fs::write(&target, "// mine\n").unwrap();
    let said = refused(&folder, &["--grammar", "json"]);
    assert!(said.contains("fuzz/fuzz_targets/json.rs") && said.contains("--force"), "{said}");
    assert_eq!(read(&folder, "fuzz/fuzz_targets/json.rs"), "// mine\n");
    done(&folder, &["--grammar", "json", "--force"]);
    assert!(read(&folder, "fuzz/fuzz_targets/json.rs").contains("fuzz_target!"));
}

#[test]
fn a_manifest_that_is_there_is_kept() {
    let folder = package("manifest");
    fs::create_dir_all(folder.join("fuzz")).unwrap();
    let before = "# mine\n[package]\nname = \"f\"\n\n[dependencies]\nlibfuzzer-sys = { version = \
                  \"0.16\", package = \"libafl_libfuzzer\" } # another engine\n\n[[bin]]\nname = \
                  \"old\"\npath = \"old.rs\"\n";
    fs::write(folder.join("fuzz/Cargo.toml"), before).unwrap();
    done(&folder, &["--grammar", "json"]);
    let after = read(&folder, "fuzz/Cargo.toml");
    let kept = before.lines().all(|line| after.lines().any(|after| after == line));
    assert!(kept && after.contains("name = \"json\"") && after.contains("\npleach = "), "{after}");
    assert!(!folder.join("fuzz/.gitignore").exists());

    fs::write(folder.join("fuzz/Cargo.toml"), "dependencies = 1\n").unwrap();
    assert!(refused(&folder, &["--grammar", "csv"]).contains("`dependencies`"));
    fs::write(folder.join("fuzz/Cargo.toml"), "[[\n").unwrap();
    assert!(refused(&folder, &["--grammar", "csv"]).contains("fuzz/Cargo.toml"));
    assert!(!folder.join("fuzz/fuzz_targets/csv.rs").exists(), "nothing was written");
}

#[test]
fn grammars_of_ones_own() {
    let folder = package("own");
    fs::create_dir_all(folder.join("notes")).unwrap();
    fs::write(folder.join("notes/a.b.pleach"), "%include \"c.pleach\"; a = \"x\" c ;").unwrap();
    fs::write(folder.join("notes/c.pleach"), "c = \"yy\" ;").unwrap();
    done(&folder, &["--grammar", "notes/a.b.pleach"]);
    let target = read(&folder, "fuzz/fuzz_targets/a-b.rs");
    let named = "grammar: [\"../grammars/a-b.pleach\", \"../grammars/c.pleach\"]";
    assert!(target.contains(named), "{target}");
    assert_eq!(read(&folder, "fuzz/grammars/c.pleach"), "c = \"yy\" ;");

    fs::write(folder.join("far.pleach"), "%include \"notes/c.pleach\"; a = c ;").unwrap();
    assert!(refused(&folder, &["--grammar", "far.pleach"]).contains("into one folder"));
    fs::write(folder.join("bad.pleach"), "a = b ;").unwrap();
    assert!(refused(&folder, &["--grammar", "bad.pleach"]).contains("`b` is not defined"));
    assert!(refused(&folder, &["--grammar", "jsn"]).contains("json"));
    assert!(refused(&folder, &["--name", "a b"]).contains("a name begins with a letter"));

    let said = refused(&folder, &["--grammar", "notes/a.b.pleach", "--name", "c"]);
    assert!(said.contains("includes a c.pleach") && said.contains("--name"), "{said}");

    done(&folder, &["--name", "mine"]);
    assert!(read(&folder, "fuzz/grammars/mine.pleach").contains("%start list;"));
}

/// Cargo refuses some of these, and Windows the others; `com` and `test` are fine.
#[test]
fn a_grammar_is_read_as_other_commands_read_it() {
    let folder = package("read");
    done(&folder, &["--grammar", "json", "--start", "value", "--name", "value"]);
    assert!(read(&folder, "fuzz/grammars/value.pleach").starts_with("%start value;\n"));
    fs::write(folder.join("words"), "word = 1*letter\n").unwrap();
    fs::write(folder.join("letters.abnf"), "letter = %x61-63\n").unwrap();
    done(&folder, &["--grammar", "words", "--from", "abnf", "--with", "letters.abnf"]);
    let grammar = read(&folder, "fuzz/grammars/words.pleach");
    assert!(grammar.contains("word = letter+ ;") && grammar.contains("letter = "), "{grammar}");
    let said = refused(&folder, &["--name", "more", "--from", "abnf"]);
    assert!(said.contains("name the grammar's file by --grammar"), "{said}");
}

#[test]
fn names_that_no_target_can_have() {
    let folder = package("names");
    for name in ["build", "deps", "examples", "incremental", "con", "NUL", "com1", "Lpt9"] {
        let said = refused(&folder, &["--name", name]);
        assert!(said.contains(&format!("fuzz-{name}")), "{said}");
    }
    // The file's name is the target's where none is given.
    fs::write(folder.join("build.pleach"), "a = \"x\" ;").unwrap();
    let said = refused(&folder, &["--grammar", "build.pleach"]);
    assert!(said.contains("fuzz-build") && said.contains("--name"), "{said}");
    assert!(!folder.join("fuzz").exists(), "nothing is written");
    for name in ["com", "test", "fuzz-build"] {
        done(&folder, &["--name", name]);
    }
    // Cargo reads the manifest.
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("src/lib.rs"), "").unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["read-manifest", "--manifest-path", "fuzz/Cargo.toml"]).current_dir(&folder);
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_folder_to_depend_on_has_pleach() {
    let folder = package("path");
    for path in ["/nowhere", ".", env!("CARGO_TARGET_TMPDIR")] {
        let said = refused(&folder, &["--name", "mine", "--path", path]);
        assert!(said.contains("--path") && said.contains("copy of its repository"), "{said}");
    }
    assert!(!folder.join("fuzz").exists(), "nothing is written");
    done(&folder, &["--name", "mine", "--path", env!("CARGO_MANIFEST_DIR")]);
}

#[test]
fn a_differential_target_comes_with_its_feature() {
    let folder = package("differential");
    done(&folder, &["--grammar", "uri", "--differential"]);
    let target = read(&folder, "fuzz/fuzz_targets/uri.rs");
    assert!(target.contains("pleach::differential_target!("), "{target}");
    assert!(target.contains("    max_depth: 64,\n    |text: &str| -> bool {\n"), "{target}");
    let manifest = read(&folder, "fuzz/Cargo.toml");
    assert!(manifest.contains("features = [\"differential\"]"), "{manifest}");

    // However the dependency is written, and once.
    for before in [
        "pleach = \"0.1\"",
        "pleach = { version = \"0.1\", features = [\"import\"] } # mine",
        "[dependencies.pleach]\nversion = \"0.1\"",
        "pleach = { version = \"0.1\", features = [\"differential\"] }",
        "pleach = { package = \"pleach-target\", version = \"0.1\", features = [\"import\"] }",
    ] {
        let manifest = format!("[package]\nname = \"f\"\n[dependencies]\n{before}\n");
        let manifest = manifest.replace("[dependencies]\n[", "[");
        fs::write(folder.join("fuzz/Cargo.toml"), manifest).unwrap();
        done(&folder, &["--grammar", "uri", "--differential", "--force"]);
        let after = read(&folder, "fuzz/Cargo.toml");
        let document: toml_edit::DocumentMut = after.parse().unwrap();
        let features = document["dependencies"]["pleach"]["features"].as_array().unwrap();
        let of = |feature: &&toml_edit::Value| feature.as_str() == Some("differential");
        assert_eq!(features.iter().filter(of).count(), 1, "{after}");
        assert_eq!(features.len(), 1 + usize::from(before.contains("import")), "{after}");
        let pleach = &document["dependencies"]["pleach"];
        assert_eq!(pleach["version"].as_str(), Some("0.1"), "{after}");
        assert!(pleach.get("package").is_none(), "{after}");
    }
    // The whole is where its part was.
    let folder = package("whole");
    let root = env!("CARGO_MANIFEST_DIR");
    done(&folder, &["--grammar", "json", "--path", root]);
    let part =
        format!("pleach = {{ package = \"pleach-target\", path = \"{root}/crates/target\" }}");
    let manifest = read(&folder, "fuzz/Cargo.toml");
    assert!(manifest.contains(&part), "{manifest}");
    done(&folder, &["--grammar", "uri", "--differential"]);
    let manifest = read(&folder, "fuzz/Cargo.toml");
    let document: toml_edit::DocumentMut = manifest.parse().unwrap();
    let pleach = &document["dependencies"]["pleach"];
    assert_eq!(pleach["path"].as_str(), Some(root), "{manifest}");
    assert_eq!(pleach["default-features"].as_bool(), Some(false), "{manifest}");

    fs::write(folder.join("fuzz/Cargo.toml"), "[dependencies]\npleach = 1\n").unwrap();
    let said = refused(&folder, &["--grammar", "uri", "--differential", "--force"]);
    assert!(said.contains("`pleach` is not as cargo has it"), "{said}");
}

#[test]
fn there_must_be_a_package() {
    let folder = package("none");
    fs::write(folder.join("Cargo.toml"), "[workspace]\n").unwrap();
    assert!(refused(&folder, &["--grammar", "json"]).contains("has no package"));
    fs::remove_file(folder.join("Cargo.toml")).unwrap();
    assert!(refused(&folder, &["--grammar", "json"]).contains("in the folder of the crate"));
    assert!(!folder.join("fuzz").exists());
}

#[test]
fn what_cannot_be_covered_leaves_nothing() {
    let folder = package("limit");
    let output = init(&folder, &["--grammar", "sql", "-k", "8"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stderr).unwrap().contains("limit"));
    assert!(!folder.join("fuzz").exists());
}

#[test]
fn a_target_of_several_parts_gets_them() {
    let folder = package("parts");
    done(&folder, &["--grammar", "cli-options"]);
    let target = read(&folder, "fuzz/fuzz_targets/cli-options.rs");
    assert!(target.contains("|input: &Parts| {\n"), "{target}");
    assert!(target.contains("my_crate::run(input.arguments(), input.stdin())"), "{target}");
    let seeds = fs::read_dir(folder.join("fuzz/corpus/cli-options")).unwrap();
    for seed in seeds {
        pleach::parts::Parts::read(&fs::read(seed.unwrap().path()).unwrap()).unwrap();
    }
    let said = refused(&folder, &["--grammar", "cli-options", "--differential", "--name", "other"]);
    assert!(said.contains("several parts"), "{said}");
}
