//! Programs that mark their units, or in which functions are marked, and that run natively: `cargo test --test native -- --ignored`. Building takes a
//! minute the first time, most of it for SQLite.
#![cfg(target_os = "linux")]

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use pleach_testing::{Pleach, text};
use serde_json::Value;

const PLEACH: Pleach = pleach_testing::pleach!();

const GUIDE: &str = include_str!("../docs/bridge.md");

fn folder(name: &str) -> PathBuf {
    PLEACH.folder(Path::new("native").join(name))
}

/// The flags of the guide.
fn flags() -> &'static str {
    let begin = GUIDE.find("RUSTFLAGS=\"").expect("the guide has them") + "RUSTFLAGS=\"".len();
    GUIDE[begin..].split('"').next().unwrap()
}

/// What the compiler calls this machine.
fn host() -> String {
    let version = text(&Command::new("rustc").arg("-vV").output().unwrap().stdout);
    version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

/// Builds a package with these flags: the folder of the executables.
fn built(package: &Path, flags: &str, target: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native").join(target);
    let output = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--features", "units", "--target", &host()])
        .arg("--manifest-path")
        .arg(package.join("Cargo.toml"))
        .env("RUSTFLAGS", flags)
        .env("CARGO_TARGET_DIR", &target)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    target.join(host()).join("debug")
}

/// The program whose source is among the tests' data.
fn marked(name: &str, flags: &str) -> String {
    let package = folder(name);
    fs::create_dir_all(package.join("src")).unwrap();
    fs::write(package.join("src/main.rs"), include_str!("data/bridge/marked.rs")).unwrap();
    let manifest = format!(
        "[package]\nname = \"marked\"\nedition = \"2024\"\n[workspace]\n[features]\nunits = [\"pleach-unit/campaign\"]\n\
         [dependencies]\npleach-unit = {{ path = \"{}/crates/unit\" }}\n[profile.dev]\nopt-level = 1\n",
        env!("CARGO_MANIFEST_DIR")
    );
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    built(&package, flags, name).join("marked").display().to_string()
}

/// The same with the guide's flags, once.
fn with_flags() -> &'static str {
    static BUILT: OnceLock<String> = OnceLock::new();
    BUILT.get_or_init(|| marked("marked", flags()))
}

/// A campaign on the marked program.
fn campaign(program: &str, here: &Path, more: &[&str]) -> (Value, i32) {
    let seed = here.join("seed");
    fs::write(&seed, "word\n17\nsome text").unwrap();
    let (target, seed) = (format!("run:exec {program}"), seed.display().to_string());
    PLEACH
        .json(&[&["bridge", &target, &seed, "--system", "none", "--seconds", "45"], more].concat())
}

fn strings<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|it| it[key].as_str().unwrap()).collect()
}

#[test]
#[ignore = "builds a program, which takes a while"]
fn what_units_are_compared_with_comes_into_the_input_and_what_ends_them_ends_no_campaign() {
    let program = with_flags();
    // Without a campaign it runs as it would.
    let mut plain = Command::new("sh");
    let line = format!("printf 'reticulate\\n8\\ntext' | {program}");
    assert_eq!(text(&plain.args(["-c", &line]).output().unwrap().stdout), "splines\n1 4\nfalse\n");

    let here = folder("campaign");
    let out = here.join("out").display().to_string();
    let (object, code) = campaign(program, &here, &["-o", &out]);
    assert_eq!(code, 1, "{object}");
    let news = object["lifts"].as_array().unwrap().iter();
    let news = news.flat_map(|lift| strings(&lift["mapping"], "new")).collect::<Vec<_>>();
    // A word and a number.
    for wanted in ["reticulate", "xV4\\x12"] {
        assert!(news.contains(&wanted), "{wanted}: {object}");
    }
    let mut alarms = strings(&object["alarms"], "message");
    alarms.sort_unstable();
    let expected = ["a timeout", "death by signal 6", "nobody has as many parts"];
    assert_eq!(alarms, expected, "{object}");
    // Each alarm has the input on which the program ends so.
    for alarm in object["alarms"].as_array().unwrap() {
        let input = fs::read_to_string(alarm["file"].as_str().unwrap()).unwrap();
        let (kind, begin) = match alarm["message"].as_str().unwrap() {
            "a timeout" => ("command", "go round\n17"),
            "death by signal 6" => ("command", "abort now\n17"),
            _ => ("share", "word\n305419896\n"),
        };
        assert!(input.starts_with(begin), "{alarm}");
        assert_eq!(alarm["unit"]["function"], format!("marked::{kind}"));
    }
    let functions = strings(&object["values"], "function");
    let expected = ["marked::keep", "marked::Texts::of_bytes", "marked::command", "marked::share"];
    assert!(expected.iter().all(|name| functions.contains(name)), "{functions:?}");
    assert!(object["outcomes"]["new"].as_u64() > Some(3), "{object}");
}

#[test]
#[ignore = "builds a program, which takes a while"]
fn without_the_flags_or_a_call_or_a_port_it_says_what_is_missing() {
    let said = |arguments: &[&str]| {
        let output = PLEACH.run(&[&["bridge"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let plain = marked("plain", "");
    let target = format!("run:exec {plain}");
    assert!(said(&[&target]).contains("does not tell of itself: it needs the crate `pleach-unit`"));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    assert!(said(&[&target, "--connect", &address]).contains("listens at"));
    drop(taken);
    assert!(said(&[&target, "--connect", &address]).contains("before it listened"));
    let program = with_flags();
    let target = format!("run:exec {program}");
    let none = said(&[&target, "--focus", "nothing", "--system", "none"]);
    assert!(
        none.contains("no function of --focus was called as a unit") && none.contains("mark it"),
        "{none}"
    );
}

/// A package of a library and a program that reads a file, in which nothing is marked.
fn unmarked() -> PathBuf {
    let package = folder("unmarked");
    fs::create_dir_all(package.join("src")).unwrap();
    fs::write(package.join("src/lib.rs"), include_str!("data/bridge/unmarked.rs")).unwrap();
    let program = "fn main() { println!(\"{}\", unmarked::settings(&std::fs::read_to_string(\"file\").unwrap())); }";
    fs::write(package.join("src/main.rs"), program).unwrap();
    fs::write(package.join("Cargo.toml"), manifest("2024")).unwrap();
    package
}

#[test]
#[ignore = "builds programs, which takes a while"]
fn functions_of_a_program_that_marks_nothing_are_units() {
    let package = unmarked();
    let [plain, seed, out] =
        ["plain", "seed", "out"].map(|it| package.join(it).display().to_string());
    fs::write(&plain, "limit=17\nmode=none\n").unwrap();
    fs::write(&seed, "%parts\nfile file\n|limit=17\n|mode=none\n|\n").unwrap();
    // As a program of the package, and by its function.
    let campaign = |target: &str, seed: &str, more: &[&str]| -> (Value, i32) {
        let mut command =
            PLEACH.command(&["bridge", target, seed, "--units", "native", "-o", &out]);
        command.args(["--system", "none", "--seconds", "10", "--format", "json"]).args(more);
        let output = command.current_dir(&package).output().unwrap();
        let object = serde_json::from_slice(&output.stdout);
        (
            object.unwrap_or_else(|_| panic!("{}", text(&output.stderr))),
            output.status.code().unwrap(),
        )
    };
    let focused = ["--focus", "shared", "--focus", "mode"];
    for (target, seed, more, unit, form) in [
        ("bin:unmarked", &seed, &[][..], "unmarked::set", "raw"),
        ("src/lib.rs#settings", &plain, &focused[..], "unmarked::shared", "decimal"),
    ] {
        let (object, code) = campaign(target, seed, more);
        assert_eq!(code, 1, "{object}");
        // What is said is what the program itself does, with its own places.
        let alarm = &object["alarms"][0];
        assert_eq!(alarm["message"], "nobody has as many", "{object}");
        assert_eq!(alarm["location"], "src/lib.rs:23:5", "{object}");
        assert_eq!(alarm["unit"]["function"], unit, "{object}");
        assert_eq!(alarm["unit"]["mapping"][0]["form"], form, "{object}");
        let input = fs::read_to_string(alarm["file"].as_str().unwrap()).unwrap();
        assert!(input.contains("limit=305419896\n"), "{input}");
        let news = object["lifts"].as_array().unwrap().iter();
        let news: Vec<&str> = news.flat_map(|lift| strings(&lift["mapping"], "new")).collect();
        assert!(news.iter().any(|it| it.starts_with("slow-but-sure")), "{object}");
        // `limit` has what can't be cloned.
        let functions = strings(&object["values"], "function");
        assert!(functions.contains(&"unmarked::mode"), "{object}");
        assert!(!functions.iter().any(|it| it.ends_with("limit")), "{object}");
    }
    // A word of another length, in base64 behind its length, makes the standard library panic: what is said is where that is called.
    fs::write(&plain, "5:aGVsbG8=\n").unwrap();
    let (object, code) = campaign("src/lib.rs#sealed", &plain, &["--focus", "steps"]);
    assert_eq!(code, 1, "{object}");
    let alarm = &object["alarms"][0];
    assert_eq!(alarm["message"], "assertion failed: step != 0", "{object}");
    assert!(alarm["location"].as_str().unwrap().contains("src/lib.rs:50:"), "{object}");
    assert_eq!(alarm["unit"]["mapping"][0]["decoded"], serde_json::json!([0, 5]), "{object}");
    let input = fs::read_to_string(alarm["file"].as_str().unwrap()).unwrap();
    assert_eq!(input, "12:Zml2ZSBieSBmaXZl\n");
    // Of the comparison with an array of eleven bytes nothing is seen: it is in the source.
    fs::write(&plain, "to you\n").unwrap();
    let (object, code) = campaign("src/lib.rs#greeted", &plain, &["--focus", "welcomed"]);
    assert_eq!(code, 1, "{object}");
    assert_eq!(object["alarms"][0]["message"], "well met", "{object}");
    let input = fs::read_to_string(object["alarms"][0]["file"].as_str().unwrap()).unwrap();
    assert_eq!(input, "hail fellow\n");
    // A method of a trait, to which texts come without their backslashes; in the first edition.
    fs::write(package.join("Cargo.toml"), manifest("2015")).unwrap();
    fs::write(&plain, r#"says \"yes\" or"#).unwrap();
    let (object, code) = campaign("src/lib.rs#quoted", &plain, &["--focus", "heard"]);
    assert_eq!(code, 1, "{object}");
    let alarm = &object["alarms"][0];
    assert_eq!(alarm["message"], "it was no", "{object}");
    let function = "unmarked::<Vec<&'a str> as Hears<&'a str>>::heard";
    assert_eq!(alarm["unit"]["function"], function, "{object}");
    assert_eq!(alarm["unit"]["mapping"][0]["form"], "escaped", "{object}");
    let input = fs::read_to_string(alarm["file"].as_str().unwrap()).unwrap();
    assert_eq!(input, r#"says \"no\", and goes"#);
}

fn manifest(edition: &str) -> String {
    format!("[package]\nname = \"unmarked\"\nedition = \"{edition}\"\n[workspace]\n")
}

/// The stack of the paper's example: a server, a form, a database in C.
#[test]
#[ignore = "builds SQLite, which takes a minute"]
fn a_name_that_is_in_the_database_alone_comes_into_the_request() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench/bridge/service");
    let service = built(&package, flags(), "service").join("service").display().to_string();
    // One in twelve is a byte that a form has to encode.
    let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789&+%=#";
    let random = |at: usize| letters[RandomState::new().hash_one(at) as usize % letters.len()];
    let plain: String = (0..12).map(|at| char::from(random(at))).collect();
    let encoded: String =
        (0..12).map(|at| if at == 5 { '&' } else { char::from(random(at)) }).collect();
    for name in [plain, encoded] {
        let here = folder("login");
        let [users, seed, out] =
            ["users.db", "seed", "out"].map(|it| here.join(it).display().to_string());
        let added = Command::new(&service).args(["add", &users, &name, "secret"]).status();
        assert!(added.unwrap().success());
        let form = "user=somebody&password=guess";
        let request = format!(
            "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{form}",
            form.len()
        );
        fs::write(&seed, request).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let target = format!("run:exec {service} serve {users} {}", port.port());
        let address = port.to_string();
        let arguments = ["bridge", &target, &seed, "--connect", &address, "-o", &out];
        let (object, code) =
            PLEACH.json(&[&arguments[..], &["--seconds", "5", "--system", "none"]].concat());
        assert_eq!(code, 0, "{object}");
        let lifts = object["lifts"].as_array().unwrap();
        let found = lifts.iter().rfind(|lift| lift["mapping"][0]["new"] == *name);
        let found = found.unwrap_or_else(|| panic!("{name}: {object}"));
        println!("{name}: after {} s, {} unit runs", found["seconds"], object["tested"]);
        // What the service is given has the name, and a length that is right.
        let file = fs::read_to_string(found["file"].as_str().unwrap()).unwrap();
        let (head, body) = file.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("Content-Length: {}", body.len())), "{file}");
        let user = body.strip_suffix("&password=guess").unwrap().strip_prefix("user=").unwrap();
        assert_eq!(decoded(user), name, "{file}");
        let values = object["values"].as_array().unwrap();
        let [user, password] = &values[..] else { panic!("{object}") };
        assert_eq!((&user["value"], &user["form"]), (&"name".into(), &"raw".into()));
        assert_eq!(password["from"], Value::Null);
        assert_eq!(password["why"], "the input has nothing like it");

        // The guide's lines, but for names, numbers and files.
        let again = ["--seconds", "3", "--system", "none", "--focus", "is_password"];
        let shown = text(&PLEACH.run(&[&arguments[..5], &again].concat()).stdout);
        // The guide has another campaign before.
        let begin = GUIDE.rfind("functions: 1 called, 1 carved, 1 tested, 1 lifted").unwrap();
        for line in GUIDE[begin..].lines().take_while(|line| *line != "```") {
            assert!(shown.contains(line), "{line}: {shown}");
        }
        let line =
            format!("    name: \"{}\" for \"somebody\", input 66..74\n", name.escape_default());
        assert!(shown.contains(&line), "{line}: {shown}");
        assert!(GUIDE.contains(" for \"somebody\", input 66..74\n"));
    }
}

/// What a form means by this: a `%` without two digits behind it is itself, as in the URL Standard.
fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [byte, behind @ ..] = rest {
        rest = behind;
        match (byte, behind) {
            (b'%', [high, low, behind @ ..])
                if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                let digits = [*high, *low];
                bytes.push(u8::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap());
                rest = behind;
            }
            (b'+', _) => bytes.push(b' '),
            _ => bytes.push(*byte),
        }
    }
    String::from_utf8(bytes).unwrap()
}
