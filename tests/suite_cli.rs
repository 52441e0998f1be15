//! `pleach suite`, driven as a person drives it.
#![cfg(unix)]

use std::process::Output;

use pleach_testing::{Pleach, text};
use serde_json::Value;

const PLEACH: Pleach = pleach_testing::pleach!();

fn run(arguments: &[&str]) -> Output {
    PLEACH.run(&[&["suite"], arguments].concat())
}

fn json(arguments: &[&str]) -> (Value, i32) {
    PLEACH.json(&[&["suite"], arguments].concat())
}

#[test]
fn what_conforms_ends_well() {
    let (report, code) = json(&["--spec", "known:port", "--impl", "known:port"]);
    assert_eq!(code, 0, "{report}");
    assert_eq!((&report["over_accepted"], &report["over_rejected"]), (&0.into(), &0.into()));
    assert_eq!(report["groups"], Value::Array(Vec::new()));
    assert!(report["inputs"].as_u64() > report["valid"].as_u64());
    assert_eq!(report["complete"], true);
}

#[test]
fn deviations_are_grouped_with_witnesses() {
    let (report, code) = json(&["--spec", "known:port", "--impl", "[0-9]{1,5}"]);
    assert_eq!(code, 1);
    assert_eq!(report["over_rejected"], 0);
    let groups = report["groups"].as_array().unwrap();
    let witnesses: Vec<_> = groups.iter().map(|group| group["witness"].as_str().unwrap()).collect();
    assert!(witnesses.contains(&"65536"), "{witnesses:?}");
    let counts = groups.iter().map(|group| group["count"].as_u64().unwrap());
    assert_eq!(counts.sum::<u64>(), report["over_accepted"].as_u64().unwrap());

    let output = run(&["--spec", "known:port", "--impl", "[0-9]{1,5}", "--groups", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stdout);
    assert!(shown.contains("over-accepted") && shown.contains("more groups"), "{shown}");
}

/// Features of the one that deviates are those of all others, too.
#[test]
fn what_nothing_tells_from_the_others_deviates_all_the_same() {
    for (spec, accepts) in [("a|b", "a"), ("[A-Z]:", "[A-Y]:")] {
        let (report, code) = json(&["--spec", spec, "--impl", accepts]);
        let groups = report["groups"].as_array().unwrap();
        assert_eq!((code, groups.len()), (1, 1), "{report}");
        assert_ne!(groups[0]["fault"], "whatever the input", "{report}");
    }
}

#[test]
fn a_function_is_compiled_and_run() {
    let file = PLEACH.source(
        "suite-function",
        "fn port(text: &str) -> Result<u16, std::num::ParseIntError> { text.parse() }\n",
    );
    let implementation = format!("{}#port", file);
    let (report, code) = json(&["--spec", "known:port", "--impl", &implementation]);
    assert_eq!(code, 1, "{report}");
    let groups = report["groups"].as_array().unwrap();
    let plus = groups.iter().find(|group| group["witness"].as_str().unwrap().starts_with('+'));
    assert_eq!(plus.expect("a sign is accepted")["kind"], "over-accepted");
    // The same beside itself.
    let arguments =
        ["--spec", "known:port", "--impl", &implementation, "--against", &implementation];
    assert_eq!(run(&arguments).status.code(), Some(0));
}

/// Which languages they have does not tell these apart.
#[test]
fn what_two_functions_return_is_compared() {
    let file = PLEACH.source(
        "suite-two",
        "pub fn first(text: &str) -> Option<(u8, u8)> {\n\
            let (a, b) = text.split_once('.')?;\n\
            Some((a.parse().ok()?, b.parse().ok()?))\n}\n\
         pub fn second(text: &str) -> Result<Vec<u8>, ()> {\n\
            let (a, b) = first(text).ok_or(())?;\n\
            Ok(vec![a, if text.contains(\".0\") { 0 } else { b }])\n}\n\
         pub fn is_it(text: &str) -> bool {\n\
            first(text).is_some()\n}\n",
    );
    let (first, second) = (format!("{file}#first"), format!("{file}#second"));
    let both = ["--spec", r"[0-9]{1,2}\.[0-9]{1,2}", "--impl", &second, "--against", &first];
    assert_eq!(run(&both).status.code(), Some(0));
    let (report, code) = json(&[&both[..], &["--values"]].concat());
    assert_eq!(
        (code, &report["over_accepted"], &report["over_rejected"]),
        (1, &0.into(), &0.into())
    );
    let groups = report["groups"].as_array().unwrap();
    assert!(!groups.is_empty() && report["wrong_values"].as_u64() > Some(0), "{report}");
    for group in groups {
        let (witness, expected) = (group["witness"].as_str().unwrap(), &group["expected"]);
        let (a, b) = witness.split_once('.').unwrap();
        let numbers = [a, b].map(|it| it.parse::<u8>().unwrap().to_string());
        assert_eq!(expected, &numbers.join("\n"), "{group}");
        assert_eq!(group["value"], format!("{}\n0", numbers[0]), "{group}");
    }
    // Where there is no value, there is nothing to compare, nor to expect anything of.
    let is_it = format!("{file}#is_it");
    for (arguments, option) in [
        (["--impl", &is_it, "--against", &first, "--values"].as_slice(), "--values"),
        (&["--impl", &first, "--against", &is_it, "--values"], "--values"),
        (&["--impl", &is_it, "--expect", "host"], "--expect"),
    ] {
        let spec = ["--spec", r"(?<host>[0-9])\.[0-9]"];
        let output = run(&[&spec[..], arguments].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(option) && said.contains("returns none"), "{said}");
    }
}

/// A hundred groups were made of this once, of which twenty were shown.
#[test]
fn causes_are_few_and_all_are_shown() {
    let file = PLEACH.source(
        "suite-causes",
        "pub fn is_address(text: &str) -> bool {\n\
            let octets: Vec<&str> = text.split('.').collect();\n\
            octets.len() == 4 && octets.iter().all(|octet| {\n\
                (1..=3).contains(&octet.len()) && octet.bytes().all(|b| b.is_ascii_digit())\n\
                    && octet.parse::<u16>().unwrap() < 260\n\
            })\n}\n",
    );
    let output = run(&["--spec", "known:ipv4", "--impl", &format!("{file}#is_address")]);
    let shown = text(&output.stdout);
    let causes: Vec<&str> = shown.lines().skip(2).collect();
    let [zeros, above] = causes[..] else { panic!("{shown}") };
    assert!(zeros.ends_with(": leading zeros"), "{shown}");
    assert!(above.ends_with(": a number above 255, if it is below 260"), "{shown}");
}

/// What was built before is found, and built again where its source has changed.
#[test]
fn what_is_built_is_kept() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("suite-kept");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = "[package]\nname = \"kept\"\nedition = \"2021\"\n[workspace]\n";
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    let source = folder.join("src/lib.rs");
    // It takes a `String`, so that the first way of calling it does not compile.
    let write = |letter: char| {
        let text = format!("pub fn is_it(text: String) -> bool {{ text == \"{letter}\" }}\n");
        std::fs::write(&source, text).unwrap();
    };
    write('a');
    let implementation = format!("{}#is_it", source.display());
    let of = || json(&["--spec", "a", "--impl", &implementation]);
    let (report, code) = of();
    assert_eq!(code, 0, "{report}");
    let callers = folder.join("target/pleach/callers");
    let built = |folder: &std::path::Path| {
        let files = std::fs::read_dir(folder.join("target/debug")).unwrap();
        let programs = files.map(|file| file.unwrap()).filter(|file| {
            file.file_name().to_string_lossy().starts_with("call-isit-")
                && file.path().extension().is_none()
        });
        programs.map(|file| file.metadata().unwrap().modified().unwrap()).collect::<Vec<_>>()
    };
    let before = built(&callers);
    assert_eq!(before.len(), 1);
    assert_eq!(of().1, 0);
    assert_eq!(built(&callers), before);
    write('b');
    let (report, code) = of();
    assert_eq!(code, 1, "{report}");
    assert_ne!(built(&callers), before);
    // Where it is asked for, it is kept elsewhere.
    let kept = folder.join("elsewhere");
    let keep = ["--spec", "b", "--impl", &implementation, "--keep", kept.to_str().unwrap()];
    assert_eq!(run(&keep).status.code(), Some(0));
    assert_eq!(built(&kept.join("callers")).len(), 1);
    // Wherever Cargo builds, what it built is run.
    let output = std::process::Command::new("rustc").arg("-vV").output().unwrap();
    let version = text(&output.stdout);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    std::fs::create_dir_all(folder.join(".cargo")).unwrap();
    let config = format!("[build]\ntarget = \"{host}\"\n");
    std::fs::write(folder.join(".cargo/config.toml"), config).unwrap();
    std::fs::remove_dir_all(&callers).unwrap();
    let (report, code) = json(&["--spec", "b", "--impl", &implementation]);
    assert_eq!(code, 0, "{report}");
}

/// A host that is cut at the first hyphen: all is accepted that should be, and only the value is wrong.
#[test]
fn values_are_judged() {
    let file = PLEACH.source(
        "suite-values",
        "pub fn host(text: &str) -> Option<&str> {\n\
            let (host, port) = text.split_once(':').unwrap_or((text, \"1\"));\n\
            if port.is_empty() || !port.bytes().all(|b| b.is_ascii_digit()) { return None; }\n\
            host.split('-').next()\n}\n",
    );
    let spec = "(?<host>[a-z]+(?:[.-][a-z]+)*)(?::[0-9]+)?";
    let implementation = format!("{file}#host");
    let sides = ["--spec", spec, "--impl", &implementation, "--expect", "host"];
    let (report, code) = json(&sides);
    assert_eq!(code, 1);
    assert!(report["wrong_values"].as_u64() > Some(0), "{report}");
    let groups = report["groups"].as_array().unwrap();
    let wrong: Vec<&Value> = groups.iter().filter(|it| it["kind"] == "wrong-value").collect();
    let [wrong] = wrong[..] else { panic!("{report}") };
    assert!(wrong["fault"].as_str().unwrap().contains("`-`"), "{wrong}");
    assert_eq!((&wrong["value"], &wrong["expected"]), (&"a".into(), &"a-a".into()), "{wrong}");
    let shown = text(&run(&sides).stdout);
    assert!(
        shown.contains("with a wrong value") && shown.contains("\"a\" instead of \"a-a\""),
        "{shown}"
    );
}

/// Deviations that are known don't count; new ones do, and those that are gone are said.
#[test]
fn a_baseline_says_what_is_new_and_what_is_gone() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("suite-baseline.json");
    let _ = std::fs::remove_file(&path);
    let baseline = ["--baseline", path.to_str().unwrap()];
    let port = |accepts: &str, more: &[&str]| {
        json(&[&["--spec", "known:port", "--impl", accepts], &baseline[..], more].concat())
    };
    assert_eq!(
        run(&[&["--spec", "a", "--impl", "b"], &baseline[..]].concat()).status.code(),
        Some(2)
    );
    let (_, code) = port("0*[0-9]{1,5}", &["--write-baseline"]);
    assert_eq!(code, 0);
    // A file that is somebody's is not written over.
    let other = path.with_extension("txt");
    std::fs::write(&other, "somebody's own").unwrap();
    let name = other.display().to_string();
    let refused = run(&["--spec", "a", "--impl", "b", "--baseline", &name, "--write-baseline"]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("name another file to write"));
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "somebody's own");
    let (report, code) = port("0*[0-9]{1,5}", &[]);
    assert_eq!((code, &report["gone"]), (0, &Value::Array(Vec::new())), "{report}");
    assert!(report["groups"].as_array().unwrap().iter().all(|it| it["known"] == true), "{report}");
    // A sign is new, and zeros in front are gone.
    let (report, code) = port("[+]?(?:0|[1-9][0-9]{0,4})", &[]);
    assert_eq!(code, 1, "{report}");
    let new: Vec<_> =
        report["groups"].as_array().unwrap().iter().filter(|it| it["known"] == false).collect();
    assert_eq!(new.len(), 1, "{report}");
    assert!(new[0]["fault"].as_str().unwrap().contains("a sign"), "{report}");
    assert_eq!(report["gone"][0]["fault"], "leading zeros", "{report}");
    // Only what is asked for fails.
    for (kinds, expected) in
        [("over-rejected", 0), ("failed,over-accepted", 1), ("never", 0), ("any", 1)]
    {
        let (_, code) = port("[+]?(?:0|[1-9][0-9]{0,4})", &["--fail-on", kinds]);
        assert_eq!(code, expected, "{kinds}");
    }
}

/// What is written for a library is a test of its, which fails on what deviates.
#[test]
fn witnesses_are_rust_tests() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("suite-tests");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::create_dir_all(folder.join("tests")).unwrap();
    let manifest = "[package]\nname = \"its-name\"\nedition = \"2021\"\n\
        [lib]\nname = \"another\"\n[workspace]\n";
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    let source = folder.join("src/lib.rs");
    let length = "pub fn length(text: &str) -> usize { text.len() }\n";
    let wrong = format!("{length}pub fn port(text: &str) -> Option<u16> {{ text.parse().ok() }}\n");
    std::fs::write(&source, wrong).unwrap();
    let tests = folder.join("tests/port.rs");
    let implementation = format!("{}#port", source.display());
    let arguments =
        ["--spec", "known:port", "--impl", &implementation, "--tests", tests.to_str().unwrap()];
    let (report, code) = json(&arguments);
    assert_eq!(code, 1);
    let count = report["groups"].as_array().unwrap().len();
    assert!(count > 1, "{report}");
    let cargo = |test: &str| {
        let mut command = std::process::Command::new("cargo");
        command.args(["test", "--quiet", "--test", test]).current_dir(&folder);
        let output = command.env_remove("CARGO_TARGET_DIR").output().unwrap();
        text(&output.stdout) + &text(&output.stderr)
    };
    let failed = cargo("port");
    assert!(failed.contains(&format!("{count} failed")), "{failed}");
    // What returns neither a truth value nor an option accepts. What is written to a baseline is new before.
    let [baseline, more] = ["known.json", "tests/length.rs"].map(|path| folder.join(path));
    let [known, path] = [&baseline, &more].map(|path| path.to_str().unwrap());
    let length = format!("{}#length", source.display());
    let sides = ["--spec", "ab?", "--impl", &length, "--tests", path, "--baseline", known];
    let (report, code) = json(&[&sides[..], &["--write-baseline"]].concat());
    let groups = report["groups"].as_array().unwrap().len();
    assert_eq!((code, groups > 0), (0, true), "{report}");
    let failed = cargo("length");
    assert!(failed.contains(&format!("{groups} failed")), "{failed}");
    // Where nothing is new there is no file.
    std::fs::remove_file(&more).unwrap();
    assert_eq!((json(&sides).1, more.exists()), (0, false));
    // No file is overwritten.
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("--tests"), "{}", text(&output.stderr));
    let right = "pub fn port(text: &str) -> Option<u16> {\n\
        let plain = text == \"0\" || !text.starts_with(['0', '+']);\n\
        plain.then(|| text.parse().ok()).flatten()\n}\n";
    std::fs::write(&source, right).unwrap();
    let passed = cargo("port");
    assert!(passed.contains(&format!("{count} passed")), "{passed}");
}

#[test]
fn a_panic_is_a_failure_of_one_input() {
    let file = PLEACH.source(
        "suite-panic",
        "pub fn third(text: String) -> bool { text.as_bytes()[2] == b'c' }\n",
    );
    let implementation = format!("{}#third", file);
    let (report, code) = json(&["--spec", "..c", "--impl", &implementation]);
    assert_eq!(code, 1);
    assert!(report["failed"].as_u64() > Some(0), "{report}");
}

#[test]
fn a_command_is_run() {
    let arguments = ["--spec", "[a-c]x", "--impl", "cmd:grep -qx '[ab]x'", "-n", "12"];
    let (report, code) = json(&arguments);
    assert_eq!(code, 1);
    assert_eq!(report["inputs"], 12);
    assert_eq!(report["complete"], false);
    let groups = report["groups"].as_array().unwrap();
    assert!(groups.iter().any(|group| group["witness"] == "cx"), "{report}");
}

#[test]
fn however_few_the_inputs_some_are_invalid() {
    for (spec, n) in [("known:uri", "2000"), ("known:semver", "100"), ("a*", "3")] {
        let (report, code) = json(&["--spec", spec, "--impl", "regex:(?s).*", "-n", n]);
        assert_eq!(code, 1, "{report}");
        let (inputs, valid) = (report["inputs"].as_u64(), report["valid"].as_u64());
        assert!(valid > Some(0) && valid <= inputs.map(|inputs| inputs.div_ceil(2)), "{report}");
    }
    // Everything is valid where the language has all strings.
    let (report, code) = json(&["--spec", "(?s).*", "--impl", "regex:(?s).*", "-n", "9"]);
    assert_eq!((code, &report["valid"]), (0, &9.into()), "{report}");
}

#[test]
fn a_command_that_is_not_there_rejects_nothing() {
    let output = run(&["--spec", "[ab]", "--impl", "cmd:/no/such/command"]);
    let shown = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{shown}");
    assert!(shown.contains("no such command"), "{shown}");
    // One that ends with such a status on some strings is there.
    let ends = "cmd:case $(cat) in *b*) exit 127;; *) exit 0;; esac";
    let (report, code) = json(&["--spec", "[ab]c?", "--impl", ends, "-n", "20"]);
    assert_eq!(code, 1, "{report}");
    assert!(report["failed"].as_u64() > Some(0), "{report}");
}

#[test]
fn without_an_implementation_the_inputs_are_printed() {
    let output = run(&["--spec", "ab?"]);
    assert_eq!(output.status.code(), Some(0));
    let shown = text(&output.stdout);
    assert!(shown.contains("valid    \"a\"\n") && shown.contains("invalid  \"b\"\n"), "{shown}");
    let (report, _) = json(&["--spec", "ab?"]);
    assert_eq!(report["list"].as_array().unwrap().len() as u64, report["inputs"].as_u64().unwrap());
}

#[test]
fn mistakes_are_said_with_a_mend() {
    let file = PLEACH.source(
        "suite-wrong",
        "fn f(text: &str) -> bool { missing(text) }\nfn two(a: &str, b: &str) -> bool { a == b }\n",
    );
    for (arguments, code, said) in [
        (vec!["--spec", "known:nothing-like-it", "--impl", "a"], 2, "nothing-like-it"),
        (vec!["--spec", "(", "--impl", "a"], 2, "("),
        (vec!["--spec", "a", "--impl", &*format!("{}#f", file)], 2, "cmd:COMMAND"),
        (vec!["--spec", "a", "--impl", &*format!("{file}#g")], 2, "no function"),
        (vec!["--spec", "a", "--impl", &*format!("{file}#two")], 2, "one text"),
        (vec!["--spec", "a", "--impl", &*file], 2, "#FUNCTION"),
        (vec!["--spec", "cmd:true", "--impl", "a"], 2, "--impl"),
        (vec!["--spec", "a", "--impl", "a", "--tests", "x.rs"], 2, "--impl FILE.rs#FUNCTION"),
        (vec!["--spec", "a", "--impl", "a", "--expect", "x"], 2, "no group `x`"),
        (vec!["--spec", "(?<x>a)", "--impl", "a", "--expect", "x"], 2, "--impl cmd:COMMAND"),
        (vec!["--spec", "(a|b)*a(a|b){18}", "--impl", "a"], 3, "states"),
    ] {
        let output = run(&arguments);
        let shown = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {shown}");
        assert!(shown.contains(said), "{arguments:?}: {shown}");
    }
}

/// A deviation of a string that stands nowhere, and so is in no cover of the specification but by chance.
#[cfg(feature = "inside")]
#[test]
fn what_a_function_compares_with_is_tried_when_it_is_explored() {
    let file = PLEACH.source(
        "suite-explore",
        "pub fn name(text: &str) -> Option<&str> {\n\
            if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_lowercase()) {\n\
                return None;\n\
            }\n\
            if text.bytes().map(|byte| byte ^ 0x20).eq(*b\"RESERVED\") { None } else { Some(text) }\n}\n",
    );
    let implementation = format!("{file}#name");
    let suite = ["--spec", "[a-z]+", "--impl", &implementation];
    assert_eq!(run(&suite).status.code(), Some(0));
    let explored = [&suite[..], &["--explore", "400"]].concat();
    let (report, code) = json(&explored);
    assert_eq!((code, &report["over_accepted"], &report["failed"]), (1, &0.into(), &0.into()));
    let groups = report["groups"].as_array().unwrap();
    let [group] = &groups[..] else { panic!("{report}") };
    assert_eq!((&group["kind"], &group["witness"]), (&"over-rejected".into(), &"reserved".into()));
    // The same again is the same.
    assert_eq!(json(&explored).0, report);

    let diff = ["diff", "--spec", "[a-z]+", "--impl", &implementation, "--run", "--explore", "400"];
    let (report, code) = PLEACH.json(&diff);
    let strings = report["strings"].as_array().unwrap();
    let deviates = |it: &&Value| it["verdict"] != "agrees";
    let deviating: Vec<_> = strings.iter().filter(deviates).collect();
    let [string] = &deviating[..] else { panic!("{report}") };
    assert_eq!(
        (code, &string["text"], &string["verdict"]),
        (1, &"reserved".into(), &"over-rejected".into())
    );
}

#[cfg(feature = "inside")]
#[test]
fn only_a_function_is_explored() {
    for command in ["suite", "diff"] {
        let arguments = [command, "--spec", "a", "--impl", "cmd:true", "--explore", "1"];
        let output = PLEACH.run(&arguments);
        assert_eq!(output.status.code(), Some(2));
        let said = text(&output.stderr);
        assert!(said.contains("--explore needs a function"), "{said}");
    }
}
