//! The page of `pleach cover --html` in a real browser: it renders without errors of scripts, asks
//! for nothing, works, and fits a window of 1280 px.
//!
//! The browser is what `PLEACH_BROWSER` names, or the first of Chromium's family that is found.
//! Where there is none the test says so and checks nothing.
#![cfg(feature = "cli")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const NAMES: [&str; 7] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "brave-browser",
];

/// A browser takes seconds; one that takes this long hangs.
const PATIENCE: Duration = Duration::from_secs(180);

fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("PLEACH_BROWSER") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let all = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    all.into_iter().find(|file| file.is_file())
}

/// Runs before the page's own script, and when all is done writes what it found where the dump of
/// the document has it.
const PROBE: &str = include_str!("data/page/probe.html");

/// What the probe finds in a page.
fn probe(browser: &Path, name: &str, html: &str) -> Value {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("page-{name}"));
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    let page = folder.join("page.html");
    fs::write(&page, html.replacen("<title>", &format!("{PROBE}<title>"), 1)).unwrap();
    let dumped = fs::File::create(folder.join("dom.html")).unwrap();
    let profile = format!("--user-data-dir={}", folder.join("profile").display());
    let mut child = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--no-first-run", "--window-size=1280,900", "--virtual-time-budget=20000"])
        .args([&profile, "--dump-dom"])
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(dumped)
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}", browser.display()));
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{} hangs on {}", browser.display(), page.display());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let dom = fs::read_to_string(folder.join("dom.html")).unwrap();
    let found = dom.split("data-found=\"").nth(1).and_then(|rest| rest.split('"').next());
    let found = found.unwrap_or_else(|| panic!("{name}: the probe did not end: {dom:.2000}"));
    let found = found.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
    serde_json::from_str(&found.replace("&amp;", "&")).unwrap()
}

/// The page of a grammar and some inputs.
fn page(name: &str, grammar: &str, corpus: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("page-{name}.html"));
    let output = Command::new(env!("CARGO_BIN_EXE_pleach"))
        .args(["cover", grammar, corpus, "-k", "2", "--html", path.to_str().unwrap()])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(path).unwrap()
}

#[test]
fn pages_work_in_a_browser() {
    let Some(browser) = browser() else {
        // Not by a macro, whose output a test that passes keeps to itself.
        let skipped = "SKIPPED: no browser was found; install Chromium, or name one in \
                       PLEACH_BROWSER, to have the pages of `pleach cover --html` looked at";
        writeln!(std::io::stderr(), "{skipped}").unwrap();
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page-inputs");
    fs::create_dir_all(&folder).unwrap();
    let long = format!(
        "%encoding bytes; // {0}\n/// <b>&amp;</b> \"'{0}\na = b+ | {1} ; b = [\\x00-\\xFF] ;\n\
         {0} = \"{0}\" | \"</script><script>throw 1</script>\" | /{0}/ ;\n",
        "x".repeat(3000),
        "x".repeat(3000) + " \"\\x00\""
    );
    fs::write(folder.join("long.pleach"), long).unwrap();
    fs::write(folder.join(format!("{}<img src=x onerror=fail()>", "n".repeat(150))), "").unwrap();
    fs::write(folder.join("one"), "\u{1}<\0").unwrap();
    let long = folder.join("long.pleach");
    let inputs = folder.to_str().unwrap();
    for (name, grammar, corpus) in [
        ("json", "grammars/json.pleach", "corpus/json"),
        ("uri", "grammars/uri.pleach", "corpus/uri"),
        ("javascript", "grammars/javascript.pleach", "corpus/json"),
        ("sql", "grammars/sql.pleach", "corpus/sql"),
        ("long", long.to_str().unwrap(), inputs),
    ] {
        let found = probe(&browser, name, &page(name, grammar, corpus));
        assert_eq!(found["errors"], Value::Array(Vec::new()), "{name}");
        assert_eq!(found["requests"], 0, "{name}: it asks for nothing");
        let width = |key: &str| found[key].as_u64().unwrap();
        assert!(width("window") >= 1200, "{name}: {found}");
        assert!(width("closed") <= width("window"), "{name}: {}", found["closed"]);
        assert!(width("open") <= width("window"), "{name}: {} {}", found["open"], found["wide"]);
        assert_eq!(found["wide"], Value::Array(Vec::new()), "{name}");
        assert!(width("diagrams") > 0 && found["opened"] == found["diagrams"], "{name}: {found}");
        assert_eq!(found["drawn"], found["diagrams"], "{name}: {found}");
        assert_eq!((&found["left"], &found["revealed"]), (&0.into(), &1.into()), "{name}");
        let numbers: Vec<u64> =
            found["sorted"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        assert!(numbers.is_sorted_by(|a, b| a >= b), "{name}: {numbers:?}");
        assert_eq!(found["names"], numbers.len(), "{name}");
        assert_eq!(found["ordered"], true, "{name}");
        assert!(found["curve"].as_f64().unwrap() > 0.0, "{name}");
        assert!(width("lines") > 2, "{name}");
    }
}
