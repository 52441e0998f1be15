//! The README is true: its transcript is run, its table is measured, its chart is drawn from what was
//! measured, and its tree is drawn. So are transcripts in the docs.
//!
//! `PLEACH_BLESS=1 cargo test --test readme` writes what is found.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex::Regex;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A folder with the grammars in it that transcripts name, so that transcripts write nothing beside the sources.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("readme-{name}"));
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    fs::create_dir_all(path.join("grammars")).unwrap();
    for entry in fs::read_dir(Path::new(ROOT).join("grammars")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), path.join("grammars").join(entry.file_name())).unwrap();
    }
    let imported = ["tests/data/import/abnf/rfc3986.abnf", "tests/data/import/antlr/Json.g4"];
    let files = imported.map(|file| (file, file));
    let sources = [
        ("tests/data/differential/name.rs", "src/name.rs"),
        ("tests/data/differential/version.rs", "src/version.rs"),
        ("tests/data/inside/range.rs", "src/range.rs"),
        ("tests/data/inside/range.pleach", "range.pleach"),
        ("tests/data/inside/limit.rs", "src/limit.rs"),
        ("tests/data/inside/message.rs", "src/message.rs"),
        ("tests/data/inside/letter.rs", "src/letter.rs"),
    ];
    for (from, to) in files.into_iter().chain(sources) {
        fs::create_dir_all(path.join(to).parent().unwrap()).unwrap();
        fs::copy(Path::new(ROOT).join(from), path.join(to)).unwrap();
    }
    path
}

/// What a shell shows for a command.
fn shown(command: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_pleach")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(binary.to_path_buf()).chain(std::env::split_paths(&path));
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("LC_ALL", "C")
        .current_dir(folder)
        .output()
        .unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// A text with each command of a `console` block followed by what it shows now, in a folder of this name.
fn with_transcripts(readme: &str, name: &str) -> String {
    let folder = folder(name);
    let mut told = String::new();
    let mut console = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            console = line == "```console";
        } else if console {
            let Some(command) = line.strip_prefix("$ ") else { continue };
            told += &format!("{line}\n{}", shown(command, &folder));
            continue;
        }
        told += line;
        told.push('\n');
    }
    told
}

/// What a grammar's paths take: files and bytes, packed and with one goal a tree.
struct Row {
    grammar: &'static str,
    paths: u64,
    packed: [u64; 2],
    plain: [u64; 2],
}

/// The figures as they are now.
fn measured() -> Vec<Row> {
    let folder = folder("figure");
    let row = |grammar| {
        let run = |extra: &str, out: &str| {
            let command = format!(
                "pleach generate grammars/{grammar}.pleach -k 3 {extra} -o {out}/{grammar} \
                 --format json 2>/dev/null"
            );
            serde_json::from_str::<serde_json::Value>(&shown(&command, &folder)).unwrap()
        };
        let reports = [run("", "packed"), run("--size 0", "plain")];
        let paths = reports[0]["kpath"]["total"].as_u64().unwrap();
        let [packed, plain] = reports.map(|report| {
            assert_eq!(report["kpath"]["covered"], paths, "{grammar}");
            ["files", "bytes"].map(|what| report[what].as_u64().unwrap())
        });
        Row { grammar, paths, packed, plain }
    };
    ["json", "uri", "ip", "expr"].map(row).into()
}

/// The README with its table as measured.
fn with_table(readme: &str, rows: &[Row]) -> String {
    let head = "| --- | ---: | ---: | ---: | ---: | ---: |\n";
    let start = readme.find(head).unwrap() + head.len();
    let end = start + readme[start..].find("<!-- end -->").unwrap();
    let mut lines = String::new();
    for Row { grammar, paths, packed, plain } in rows {
        let [files, bytes] = packed;
        let [plain_files, plain_bytes] = plain;
        lines += &format!(
            "| `{grammar}` | {paths} | {files} | {bytes} | {plain_files} | {plain_bytes} |\n"
        );
    }
    format!("{}{lines}{}", &readme[..start], &readme[end..])
}

/// The table as a chart: two panels of bars, in colours that show on white and on black.
fn chart(rows: &[Row]) -> String {
    const LENGTH: u64 = 260;
    let (top, row_height, bar) = (62, 38, 12);
    let height = top + row_height * rows.len();
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" width="720" height="{height}" font-family="system-ui, sans-serif" font-size="13" fill="#737b85">
<title>Files and bytes that cover all k-paths up to 3</title>
<rect x="52" y="6" width="12" height="12" rx="2" fill="#2f81f7"/><text x="70" y="17">packed, the default</text>
<rect x="222" y="6" width="12" height="12" rx="2" fill="#8b949e"/><text x="240" y="17">one goal a tree (--size 0)</text>
<g font-weight="bold"><text x="52" y="50">files</text><text x="402" y="50">bytes</text></g>
"##
    );
    for (index, row) in rows.iter().enumerate() {
        let y = top + row_height * index;
        let name = y + bar + 5;
        svg += &format!("<text x=\"44\" y=\"{name}\" text-anchor=\"end\">{}</text>\n", row.grammar);
        for (panel, x) in [52, 402].into_iter().enumerate() {
            let most = rows.iter().map(|row| row.plain[panel].max(row.packed[panel])).max();
            let bars =
                [(row.packed[panel], "#2f81f7", y), (row.plain[panel], "#8b949e", y + bar + 2)];
            for (value, fill, y) in bars {
                let width = (value * LENGTH / most.unwrap().max(1)).max(1);
                let (at, base) = (x + width + 6, y + bar - 2);
                svg += &format!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{bar}\" fill=\"{fill}\"/>\
                     <text x=\"{at}\" y=\"{base}\" font-size=\"11\">{value}</text>\n"
                );
            }
        }
    }
    svg + "</svg>\n"
}

#[test]
fn the_readme_is_true() {
    let root = Path::new(ROOT);
    let chart_path = root.join("docs/packing.svg");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let rows = measured();
    let (found, chart) =
        (with_transcripts(&with_table(&readme, &rows), "transcript"), chart(&rows));
    let tree_path = root.join("docs/tree.svg");
    let draw = "printf '[1,{}]' | pleach parse grammars/json.pleach - --format svg";
    let tree = shown(draw, &folder("tree"));
    same("README.md", &found);
    if std::env::var_os("PLEACH_BLESS").is_some() {
        fs::write(&chart_path, chart).unwrap();
        fs::write(&tree_path, tree).unwrap();
        return;
    }
    assert_eq!(fs::read_to_string(&chart_path).unwrap(), chart, "docs/packing.svg");
    assert_eq!(fs::read_to_string(&tree_path).unwrap(), tree, "docs/tree.svg");
    assert!(found.matches("\n$ pleach ").count() >= 3, "there is a transcript");
}

/// Checks that a file is as it was found to be, or writes it.
fn same(file: &str, found: &str) {
    let path = Path::new(ROOT).join(file);
    let said = fs::read_to_string(&path).unwrap();
    // How long it took is different each time, which is no difference.
    let seconds = Regex::new(r"(?m) bytes, \d+\.\d+ s(;|$)").unwrap();
    let normal = |text: &str| seconds.replace_all(text, " bytes, ... s$1").into_owned();
    if std::env::var_os("PLEACH_BLESS").is_some() {
        if normal(&said) != normal(found) {
            fs::write(&path, found).unwrap();
        }
        return;
    }
    let (said, found) = (normal(&said), normal(found));
    for (number, (said, is)) in said.lines().zip(found.lines()).enumerate() {
        assert_eq!(said, is, "{file}:{}", number + 1);
    }
    assert_eq!(said, found, "{file}");
}

#[test]
fn transcripts_in_the_docs_are_true() {
    let files = [
        "docs/bridge.md",
        "docs/differential.md",
        "docs/conformance.md",
        "docs/focal.md",
        "docs/inside.md",
        "docs/learning.md",
    ];
    for file in files {
        let said = fs::read_to_string(Path::new(ROOT).join(file)).unwrap();
        same(file, &with_transcripts(&said, file.rsplit('/').next().unwrap()));
    }
}

/// A word of the glossary that is renamed or moved is renamed or moved there, too.
#[test]
fn the_glossarys_words_are_where_it_says() {
    let design = fs::read_to_string(Path::new(ROOT).join("DESIGN.md")).unwrap();
    let row = Regex::new(r"(?m)^\| `?([^`|]+?)`? \| [^|]+ \| `([^`|]+)` \|$").unwrap();
    let (_, glossary) = design.split_once("\n## Glossary\n").expect("there is a glossary");
    let rows: Vec<_> = row.captures_iter(glossary).collect();
    assert_eq!(rows.len() + 2, glossary.lines().filter(|line| line.starts_with('|')).count());
    for row in &rows {
        let (word, file) = (&row[1], &row[2]);
        let text = fs::read_to_string(Path::new(ROOT).join(file)).expect(file);
        assert!(text.to_lowercase().contains(&word.to_lowercase()), "no {word} in {file}");
    }
    assert!(rows.is_sorted_by(|a, b| a[1].trim_start_matches('@') < b[1].trim_start_matches('@')));
}
