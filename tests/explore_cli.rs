//! `pleach explore`, driven as a person drives it.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pleach_testing::{Pleach, text};

const PLEACH: Pleach = pleach_testing::pleach!();

const SOURCE: &str = "pub fn check(text: &str) -> bool {
    let Some((name, value)) = text.split_once(':') else { return false };
    let Ok(value) = value.parse::<u8>() else { return false };
    if value % 3 == 1 && u32::from(value) * 2 % 3 == 1 {
        return name.is_empty();
    }
    match (name, value) {
        (\"depth\", 77) => {
            panic!(\"the planted fault\")
        }
        (\"depth\", _) => true,
        _ => false,
    }
}

/// What no solver turns around.
pub fn hashed(data: &[u8]) {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for _ in 0..40 {
        for byte in data {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
            hash ^= hash >> 29;
        }
    }
    if data.starts_with(b\"MZ\") {
        std::hint::black_box(data);
    }
    if data.len() == 8 && hash == HASH {
        panic!(\"the input that somebody else has found\");
    }
}

/// Of `by hand!`.
const HASH: u64 = SUM;
";

/// As in the source.
fn hash(data: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for _ in 0..40 {
        for byte in data {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
            hash ^= hash >> 29;
        }
    }
    hash
}

/// A folder for a test, empty.
fn folder(name: &str) -> PathBuf {
    PLEACH.folder(Path::new("explore").join(name))
}

/// A file of its own, at a path that stays the same, so that what was built is fresh.
fn target(function: &str) -> [String; 3] {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explore");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("check.rs");
    let source = SOURCE.replace("SUM", &hash(b"by hand!").to_string());
    if fs::read_to_string(&file).ok().as_deref() != Some(&source) {
        fs::write(&file, source).unwrap();
    }
    // A folder for each function, as tests build at the same time.
    let keep = folder.join("keep").join(function).display().to_string();
    [format!("{}#{function}", file.display()), "--keep".into(), keep]
}

fn arguments<'a>(target: &'a [String; 3], more: &[&'a str]) -> Vec<&'a str> {
    ["explore"].into_iter().chain(target.iter().map(String::as_str)).chain(more.to_vec()).collect()
}

fn write(path: PathBuf, bytes: &[u8]) -> String {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

fn spawn(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for something, as long as it takes on a machine that does much else.
fn until(what: &str, is_there: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_there() {
        assert!(begun.elapsed() < Duration::from_secs(280), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The names of the files in a folder.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.path().is_file());
    files.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

#[test]
fn a_planted_fault_is_found_and_its_input_written_and_what_was_not_reached_is_said() {
    let (folder, target) = (folder("fault"), target("check"));
    let out = folder.join("out");
    let seed = write(folder.join("seed"), b"depth:7");
    let out_name = out.display().to_string();
    let (object, code) =
        PLEACH.json(&arguments(&target, &[&seed, "-o", &out_name, "--time", "12s"]));
    assert_eq!(code, 1, "{object}");
    let [crash] = &object["crashes"].as_array().expect("there is a list")[..] else {
        panic!("{object}");
    };
    assert_eq!(crash["kind"], "panic");
    assert_eq!(crash["message"], "the planted fault");
    assert!(crash["location"].as_str().unwrap().contains("check.rs:9:"), "{crash}");
    let file = Path::new(crash["file"].as_str().expect("it was written"));
    assert_eq!(file.parent().unwrap(), out.join("crashes"));
    let input = fs::read_to_string(file).unwrap();
    assert_eq!(crash["input"], *input);
    let seconds = [&crash["seconds"], &object["seconds"]].map(|it| it.as_f64().unwrap());
    assert!(0.0 < seconds[0] && seconds[0] <= seconds[1], "{object}");
    let number = input.strip_prefix("depth:").unwrap_or_else(|| panic!("{input}"));
    assert_eq!(number.parse(), Ok(77_u8));
    // What fails is not among what others begin with.
    let inputs = names(&out);
    assert!(inputs.len() > 3, "{object}");
    let fails = |name: &String| {
        let input = fs::read_to_string(out.join(name)).unwrap_or_default();
        input.strip_prefix("depth:").is_some_and(|it| it.parse() == Ok(77_u8))
    };
    assert!(!inputs.iter().any(fails), "{inputs:?}");
    assert!(object["queries"].as_u64() > Some(10), "{object}");
    for field in ["paths", "inputs", "edges", "runs", "seconds"] {
        assert!(object[field].is_number(), "{field} of {object}");
    }
    let branches = object["branches"].as_array().expect("there is a list");
    // Whether the solver can say so or gives up is for its own tests.
    let reasons = ["unsatisfiable", "budget"];
    let never = branches
        .iter()
        .find(|it| it["line"] == 4 && reasons.iter().any(|reason| it["why"] == *reason));
    let never = never.unwrap_or_else(|| panic!("{object}"));
    assert_eq!(never["source"], "if value % 3 == 1 && u32::from(value) * 2 % 3 == 1 {");
    assert!(branches.iter().all(|branch| branch["file"].as_str().unwrap().ends_with("check.rs")));

    // Nothing that is there is written over.
    let kept = fs::metadata(file).unwrap().modified().unwrap();
    let again = [&*seed, "-o", &out_name, "--time", "12s", "--fail-fast"];
    let arguments = arguments(&target, &again);
    assert_eq!(PLEACH.json(&arguments).1, 1);
    assert_eq!(fs::metadata(file).unwrap().modified().unwrap(), kept);
}

#[test]
fn the_end_is_told_in_words() {
    let (folder, target) = (folder("words"), target("check"));
    let seed = write(folder.join("seed"), b"depth:7");
    let output = PLEACH.run(&arguments(&target, &[&seed, "--time", "8s", "--top", "0"]));
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    let lines: Vec<&str> = said.lines().collect();
    let is_said = |pair: &[&str]| {
        pair[0].contains("if value % 3 == 1 && u32::from(value) * 2 % 3 == 1 {")
            && ["unsatisfiable: ", "budget: "].iter().any(|why| pair[1].contains(why))
    };
    assert!(lines.windows(2).any(is_said), "{said}");
    assert!(said.contains("panic at ") && said.contains(": the planted fault"), "{said}");
    assert!(text(&output.stderr).ends_with("the program fails at one place\n"));
}

#[test]
fn a_place_that_there_is_not_is_named() {
    let target = target("check");
    let output = PLEACH.run(&arguments(&target, &["--target", "check.rs:400"]));
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("--target check.rs:400: the program has no such place"), "{said}");
    let output = PLEACH.run(&arguments(&target, &["--time", "5x"]));
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("60s, 5m or 1h"));
}

#[test]
fn a_target_is_reached_and_said_to_be() {
    let (folder, target) = (folder("target"), target("check"));
    let seed = write(folder.join("seed"), b"a:1");
    // Line 8 has the comparisons, line 9 what only one value gets to.
    let at = |goal| arguments(&target, &[&*seed, "--target", goal, "--time", "20s", "--fail-fast"]);
    let output = PLEACH.run(&at("check.rs:9"));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let end = text(&output.stdout);
    assert!(end.contains("\n--target check.rs:9 was reached\n"), "{end}");
    let said = text(&output.stderr);
    let input = said.split_once("a --target is reached with \"").expect("it is said").1;
    let (name, number) = input.split_once('"').unwrap().0.split_once(':').expect("a setting");
    assert_eq!((name, number.parse()), ("depth", Ok(77_u8)));
    // What no input gets to is not reached, whatever else is found meanwhile.
    let never = arguments(&target, &[&seed, "--target", "check.rs:5", "--time", "3s"]);
    let (object, _) = PLEACH.json(&never);
    assert_eq!(object["reached"], false, "{object}");
    assert!(object["edges"].as_u64() > Some(10), "{object}");
    // By its path from the root, too, and in no time nothing is.
    let file = target[0].split('#').next().unwrap();
    let place = format!("{}:5", fs::canonicalize(file).unwrap().display());
    let output = PLEACH.run(&arguments(&target, &["--target", &place, "--time", "0s"]));
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let never = arguments(&target, &["--target", "check.rs:5", "--time", "1s"]);
    let end = text(&PLEACH.run(&never).stdout).to_owned();
    assert!(end.contains("\n--target check.rs:5 was not reached\n"), "{end}");
}

#[test]
fn a_page_shows_the_source_with_the_reasons_and_is_written_over_only_if_it_is_one() {
    let (folder, target) = (folder("page"), target("check"));
    let seed = write(folder.join("seed"), b"depth:7");
    let page = folder.join("page.html");
    let name = page.display().to_string();
    let with_page = arguments(&target, &[&seed, "--html", &name, "--time", "8s"]);
    assert_eq!(PLEACH.run(&with_page).status.code(), Some(1));
    let html = fs::read_to_string(&page).unwrap();
    let row = |line: u32| {
        let begin = format!("<tr><td class=\"n\">{line}</td>");
        let rest = html.split_once(&begin).unwrap_or_else(|| panic!("no line {line}: {html}")).1;
        rest.split_once("</tr>").unwrap().0.to_owned()
    };
    assert!(row(2).contains("class=\"w hit\"") && row(2).contains("all ways"), "{}", row(2));
    assert!(row(2).contains("text.split_once(&#39;:&#39;)"), "{}", row(2));
    assert!(["unsatisfiable", "budget"].iter().any(|why| row(4).contains(why)), "{}", row(4));
    assert!(!html.contains("src=") && !html.contains("http://"), "it needs no network");
    let again = [&with_page[..], &["--fail-fast"]].concat();
    assert_eq!(PLEACH.run(&again).status.code(), Some(1));
    fs::write(&page, "somebody's own").unwrap();
    let refused = PLEACH.run(&again);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
    assert_eq!(fs::read_to_string(&page).unwrap(), "somebody's own");
}

#[test]
fn the_text_of_a_free_rule_leaves_the_grammar() {
    let (folder, target) = (folder("free"), target("check"));
    let grammar = b"setting = name \":\" number ; name = [a-c]{5} ; number = [0-6]{2} ;";
    let grammar = write(folder.join("setting.pleach"), grammar);
    let seed = write(folder.join("seed"), b"abcab:10");
    let whole = arguments(&target, &[&*seed, "--grammar", &grammar, "--fail-fast"]);
    let with = |more: &[&'static str]| [&whole[..], more].concat();
    assert_eq!(PLEACH.json(&with(&["--time", "4s"])).1, 0, "no sentence fails");
    let free = with(&["--free", "name", "--free", "number", "--time", "20s"]);
    let (object, code) = PLEACH.json(&free);
    assert_eq!((code, object["misshapen"].as_u64()), (1, Some(0)), "{object}");
    let none = PLEACH.run(&with(&["--free", "nobody"]));
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("--free nobody: the grammar has no such rule"));
}

#[test]
fn a_program_of_standard_input_needs_a_seed_that_is_not_empty() {
    let folder = folder("program");
    let manifest =
        b"[package]\nname = \"reads\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    write(folder.join("Cargo.toml"), manifest);
    let source = b"fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    assert_ne!(line.trim_end(), \"hello\", \"the planted word\");
}
";
    write(folder.join("src/main.rs"), source);
    let keep = folder.join("keep").display().to_string();
    let explore = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
        command.args(["explore", "bin:reads", "--keep", &keep]).args(more).current_dir(&folder);
        command.stdin(Stdio::null()).output().unwrap()
    };
    let output = explore(&["--time", "5s"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("name a SEED that is not empty"));
    let seed = write(folder.join("seed"), b"world");
    let output = explore(&[&seed, "--time", "60s", "--fail-fast"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("the planted word"), "{}", text(&output.stdout));
}

#[test]
fn a_program_that_cannot_be_run_any_more_is_said() {
    let (folder, mut target) = (folder("gone"), target("hashed"));
    // A folder of its own, as the program in it is taken away.
    target[2] = folder.join("keep").display().to_string();
    let corpus = folder.join("corpus");
    write(corpus.join("first"), b"Hello");
    let corpus_name = corpus.display().to_string();
    let out = folder.join("out");
    let out_name = out.display().to_string();
    let more = ["--corpus", &corpus_name, "-o", &out_name, "--time", "8s"];
    let child = spawn(&arguments(&target, &more));
    until("it has begun", || out.is_dir() && !names(&out).is_empty());
    let gone = executables(Path::new(&target[2]));
    assert!(!gone.is_empty());
    gone.iter().for_each(|path| fs::remove_file(path).unwrap());
    write(corpus.join("second"), b"anything else");
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert!(said.contains("error: the program could not be run "), "{said}");
    assert_eq!(output.status.code(), Some(2), "{said}");
}

/// All executables below a folder.
fn executables(folder: &Path) -> Vec<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let (mut folders, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let kind = entry.metadata().unwrap();
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.permissions().mode() & 0o111 != 0 {
                found.push(entry.path());
            }
        }
    }
    found
}

#[test]
fn with_several_jobs_the_inputs_that_are_counted_are_those_that_are_written() {
    let (folder, target) = (folder("jobs"), target("check"));
    let seed = write(folder.join("seed"), b"a:1");
    let out = folder.join("out");
    let out_name = out.display().to_string();
    let more = [&*seed, "-o", &out_name, "--jobs", "2", "--time", "4s"];
    let (object, _) = PLEACH.json(&arguments(&target, &more));
    assert_eq!(object["inputs"].as_u64(), Some(names(&out).len() as u64), "{object}");
}

#[test]
fn a_search_that_could_find_nothing_says_so() {
    let (folder, target) = (folder("nothing"), target("check"));
    let seed = write(folder.join("seed"), b"a:1");
    let grammar = write(folder.join("digits.pleach"), b"digits = [0-9]{2} ;");
    let ends = |more: &[&str], code, words: &str| {
        let output = PLEACH.run(&arguments(&target, more));
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let said = ends(&[&seed, "--time", "5s", "--steps", "5"], 3, "--steps allows more than 5");
    assert!(said.contains("runs were not followed to the end"), "{said}");
    assert!(said.contains("out of steps (--steps allows more)"), "{said}");
    ends(&[&seed, "--time", "5s", "--grammar", &grammar], 2, "no SEED is a sentence of");
    ends(&["--corpus", &seed, "--time", "1s"], 2, "it is no folder");
}

#[test]
fn with_a_grammar_all_inputs_are_sentences() {
    let (folder, target) = (folder("grammar"), target("check"));
    let grammar = b"setting = name \":\" number ; name = /[a-z]{5}/ ; number = [0-9]{2} ;";
    let grammar = write(folder.join("setting.pleach"), grammar);
    let seeds = write(folder.join("seeds/a"), b"width:10");
    write(folder.join("seeds/b"), b"no sentence");
    let seeds = Path::new(&seeds).parent().unwrap().display().to_string();
    let out = folder.join("out");
    let out_name = out.display().to_string();
    let more = [&*seeds, "-o", &out_name, "--grammar", &grammar, "--time", "5m", "--fail-fast"];
    let (object, code) = PLEACH.json(&arguments(&target, &more));
    assert_eq!(code, 1, "{object}");
    let inputs = [names(&out), names(&out.join("crashes"))];
    let folders = [out.clone(), out.join("crashes")];
    assert!(!inputs[1].is_empty());
    for (folder, names) in folders.iter().zip(inputs) {
        for name in names {
            let input = fs::read_to_string(folder.join(name)).unwrap();
            let (name, number) = input.split_once(':').unwrap();
            assert!(name.len() == 5 && name.bytes().all(|byte| byte.is_ascii_lowercase()));
            assert!(number.len() == 2 && number.bytes().all(|byte| byte.is_ascii_digit()));
        }
    }
}

#[test]
fn beside_libfuzzer_what_it_adds_is_taken_and_crashes_lie_elsewhere() {
    let (folder, target) = (folder("libfuzzer"), target("hashed"));
    let corpus = folder.join("corpus");
    write(corpus.join("0a4d55a8d778e5022fab701977c5d840bbc486d0"), b"Hello");
    let corpus_name = corpus.display().to_string();
    let more =
        ["--corpus", &corpus_name, "-o", &corpus_name, "--time", "5m", "--fail-fast", "--rest"];
    let child = spawn(&arguments(&target, &more));
    until("what is found goes back", || names(&corpus).len() > 1);
    write(corpus.join("found"), b"by hand!");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let crashes = folder.join("corpus-crashes");
    let [crash] = &names(&crashes).into_iter().collect::<Vec<_>>()[..] else { panic!() };
    assert_eq!(fs::read(crashes.join(crash)).unwrap(), b"by hand!");
    assert!(!corpus.join("crashes").exists());
}

#[test]
fn beside_afl_inputs_have_numbers_in_a_queue_of_their_own() {
    let (folder, target) = (folder("afl"), target("check"));
    let queue = folder.join("sync/main/queue");
    write(queue.join("id:000000,time:0,execs:0,orig:seed"), b"a:b");
    write(queue.join(".state/auto_extras/auto_000000"), b"depth:77");
    let own = folder.join("sync/pleach/queue");
    let [queue_name, own_name] = [&queue, &own].map(|path| path.display().to_string());
    let explore = |out| arguments(&target, &["--corpus", &queue_name, "-o", out, "--time", "5m"]);
    // Until there are so many, and then as if somebody pressed Ctrl-C.
    let explore_for = |count| {
        let mut child = spawn(&explore(&own_name));
        until("there are inputs", || own.is_dir() && names(&own).len() > count);
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        assert!(matches!(child.wait().unwrap().code(), Some(0 | 1)));
    };
    explore_for(3);
    let first = names(&own);
    assert!(first.len() > 3, "{first:?}");
    for (number, name) in first.iter().enumerate() {
        assert!(name.starts_with(&format!("id:{number:06},pleach:")), "{first:?}");
    }
    assert_eq!(names(&queue).len(), 1);
    // Started again, it goes on from there.
    explore_for(first.len());
    let second = names(&own);
    assert!(first.is_subset(&second));
    let contents: BTreeSet<Vec<u8>> =
        second.iter().map(|name| fs::read(own.join(name)).unwrap()).collect();
    assert_eq!(contents.len(), second.len());
    // The queue of the fuzzer itself is not read again by it.
    let output = PLEACH.run(&explore(&queue_name));
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("afl-fuzz does not read its own queue again"));
}
