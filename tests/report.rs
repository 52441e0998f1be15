//! Pictures and figures of trees, grammars and corpora: well formed and true whatever the input.
#![cfg(all(feature = "report", feature = "build"))]

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use pleach::grammar::Grammar;
use pleach::kpath::{Coverage, Scope};
use pleach::produce::{Cover, CoverOptions, Options, Producer};
use pleach::report::{
    Corpus, Derivation, Example, Page, PartsSummary, PathNames, Refused, diagram, minimal_subset,
    visible,
};
use pleach::table::{Lowering, OccurrenceId, Table};
use pleach::tree::{Outline, Tree};
use pleach::{Seeded, build::FileSystem};
use serde_json::Value;

const LIST: &str = r#"list = "[" ( item ( "," item )* )? "]" ; item = "a" | list ;"#;

fn lower(text: &str) -> (Grammar, Table) {
    let grammar = Grammar::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let table = Lowering::new().lower(&grammar).unwrap_or_else(|error| panic!("{error}")).table;
    (grammar, table)
}

fn load(path: &Path) -> (Grammar, Table) {
    let files = FileSystem::new();
    let main = files.read(path).unwrap();
    let grammar = Grammar::read(&main.name, &main.text, &files).unwrap();
    let table = Lowering::new().lower(&grammar).unwrap().table;
    (grammar, table)
}

/// Every grammar of the project.
fn grammars() -> Vec<(String, Grammar, Table)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pleach"));
    paths.sort();
    assert!(paths.len() > 3);
    let one = |path: std::path::PathBuf| {
        let (grammar, table) = load(&path);
        (path.file_stem().unwrap().to_str().unwrap().to_owned(), grammar, table)
    };
    paths.into_iter().map(one).collect()
}

fn trees(table: &Table, count: u64, bytes: u64) -> Vec<Tree> {
    let mut producer = Producer::new(table, Options::new().size(bytes)).unwrap();
    (0..count)
        .map(|seed| {
            let mut tree = Tree::new();
            producer.produce(&mut Seeded::new(seed), &mut tree);
            tree
        })
        .collect()
}

fn written(
    write: impl Fn(&Derivation<'_>, &mut Vec<u8>) -> std::io::Result<()>,
    derivation: &Derivation<'_>,
) -> String {
    let mut out = Vec::new();
    write(derivation, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Checks tags, attributes, entities and characters, and gives the tags in order. Void elements of
/// HTML need no end where `html`.
fn well_formed(text: &str, html: bool) -> Vec<String> {
    const VOID: [&str; 3] = ["meta", "link", "br"];
    let allowed = |c: char| matches!(c, '\t' | '\n' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..);
    assert!(text.chars().all(allowed), "a character that XML does not allow");
    let entities = |text: &str| {
        for (at, _) in text.match_indices('&') {
            let end = text[at..].find(';').unwrap_or_else(|| panic!("{:?}", &text[at..]));
            let entity = &text[at + 1..at + end];
            let known = ["amp", "lt", "gt", "quot", "apos"].contains(&entity);
            assert!(known || entity.starts_with('#'), "&{entity};");
        }
    };
    let (mut tags, mut open): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        if !matches!(open.last().map(String::as_str), Some("style" | "script")) {
            entities(&rest[..at]);
        }
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('!') {
            rest = &after[after.find('>').unwrap() + 1..];
            continue;
        }
        // An attribute may hold no bare sign, so the first one ends the tag.
        let end = rest.find('>').unwrap();
        let (tag, after) = (&rest[..end], &rest[end + 1..]);
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        entities(tag);
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let name = tag.split([' ', '\n', '/']).next().unwrap().to_owned();
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric()), "<{tag}>");
        tags.push(name.clone());
        if tag.ends_with('/') || (html && VOID.contains(&name.as_str())) {
            continue;
        }
        if name == "script" {
            rest = &rest[rest.find("</script>").unwrap()..];
        }
        open.push(name);
    }
    assert!(open.is_empty(), "{open:?}");
    assert_eq!(rest.trim(), "");
    tags
}

/// What JSON should say, by recursion over an outline.
fn expected(tree: &Tree, outline: &Outline, node: usize, out: &mut Vec<Value>) {
    let symbol = tree.nodes()[node].symbol;
    let mut below = Vec::new();
    for child in outline.children(node) {
        expected(tree, outline, child, &mut below);
    }
    let Some(occurrence) = symbol.occurrence() else {
        out.extend(below);
        return;
    };
    let key = if symbol.is_leaf() { "terminal" } else { "rule" };
    out.push(serde_json::json!({ "kind": key, "occurrence": occurrence.get(), "children": below,
        "text": symbol.is_leaf().then(|| visible(&tree.text()[outline.span(node)])) }));
}

fn compare(value: &Value, expected: &Value, names: &HashMap<String, u32>, text: &[u8]) {
    let kind = expected["kind"].as_str().unwrap();
    assert!(value[kind].is_string(), "{value}");
    assert_eq!(names[value["occurrence"].as_str().unwrap()], expected["occurrence"]);
    let range =
        |v: &Value| v["start"].as_u64().unwrap() as usize..v["end"].as_u64().unwrap() as usize;
    if let Some(own) = expected["text"].as_str() {
        assert_eq!(visible(&text[range(value)]), own);
        if let Ok(utf8) = std::str::from_utf8(&text[range(value)]) {
            assert_eq!(value["text"], utf8);
        } else {
            assert!(value["text"].is_null());
        }
    }
    let (mine, theirs) =
        (value["children"].as_array().unwrap(), expected["children"].as_array().unwrap());
    assert_eq!(mine.len(), theirs.len());
    for (mine, theirs) in mine.iter().zip(theirs) {
        compare(mine, theirs, names, text);
        let (outer, inner) = (range(value), range(mine));
        assert!(outer.start <= inner.start && inner.end <= outer.end, "{value}");
    }
}

#[test]
fn json_is_the_tree() {
    for (name, _, table) in grammars() {
        let names = PathNames::new(&table);
        let ids: HashMap<String, u32> = (0..table.occurrence_count() as u32)
            .map(|id| (names.show(&[OccurrenceId::new(id)]), id))
            .collect();
        assert_eq!(ids.len(), table.occurrence_count(), "{name}: names are unique");
        for tree in trees(&table, 12, 60) {
            let (outline, mut below) = (Outline::new(&table, &tree), Vec::new());
            if outline.height() > 60 {
                // Deeper than the reader goes.
                continue;
            }
            let json = written(|d, out| d.write_json(out), &Derivation::new(&table, &names, &tree));
            let value: Value = serde_json::from_str(&json).unwrap();
            assert_eq!(value["rule"], table.names().rule(table.start()));
            assert!(value["occurrence"].is_null());
            expected(&tree, &outline, 0, &mut below);
            let children = value["children"].as_array().unwrap();
            assert_eq!(children.len(), below.len());
            for (child, expected) in children.iter().zip(&below) {
                compare(child, expected, &ids, tree.text());
            }
        }
    }
}

#[test]
fn layout_belongs_to_no_rule() {
    let (_, table) = lower(r#"%layout s; a = w b ; b = c w ; c = ; w = "x" | "xx" ; s = " "* ;"#);
    let names = PathNames::new(&table);
    let tree = trees(&table, 100, 9).into_iter().find(|tree| tree.text() == b"x x").unwrap();
    let text = written(|d, out| d.write_text(out), &Derivation::new(&table, &names, &tree));
    let found =
        "a 0..3\n  w 0..1\n    \"x\" 0..1\n  b 2..3\n    c 2..2\n    w 2..3\n      \"x\" 2..3\n";
    assert_eq!(text, found);
}

/// The boxes of a drawing: left, top, right, bottom.
fn boxes(svg: &str) -> Vec<[f64; 4]> {
    let number = |tag: &str, key: &str| -> f64 {
        let from = tag.find(&format!(" {key}=\"")).unwrap() + key.len() + 3;
        tag[from..].split('"').next().unwrap().parse().unwrap()
    };
    svg.split("<rect ")
        .skip(2)
        .map(|tag| {
            let tag = &format!(" {tag}");
            let (x, y) = (number(tag, "x"), number(tag, "y"));
            [x, y, x + number(tag, "width"), y + number(tag, "height")]
        })
        .collect()
}

#[test]
fn drawings_are_well_formed_and_nothing_overlaps() {
    for (name, _, table) in grammars() {
        let names = PathNames::new(&table);
        for tree in trees(&table, 10, 120) {
            let derivation = Derivation::new(&table, &names, &tree);
            let svg = written(|d, out| d.write_svg(out), &derivation);
            well_formed(&svg, false);
            let size: Vec<f64> = svg
                .split("viewBox=\"0 0 ")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap()
                .split(' ')
                .map(|n| n.parse().unwrap())
                .collect();
            let boxes = boxes(&svg);
            let lines = written(|d, out| d.write_text(out), &derivation).lines().count();
            assert_eq!(boxes.len(), lines, "{name}");
            for (index, a) in boxes.iter().enumerate() {
                assert!(a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= size[0] && a[3] <= size[1], "{name}");
                for b in &boxes[index + 1..] {
                    let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                    assert!(apart, "{name}: {a:?} {b:?} in {svg}");
                }
            }
            let dot = written(|d, out| d.write_dot(out), &derivation);
            assert_eq!(dot.matches(" [label=").count(), lines);
            assert_eq!(dot.matches(" -> ").count(), lines - 1);
        }
    }
}

#[test]
fn deep_trees_are_written_without_recursion() {
    let (_, table) = lower(r#"a = "(" a ")" | "x" ;"#);
    let mut tree = Tree::new();
    let options = Options::new().size(400_000).max_depth(150_000).max_nodes(1_000_000);
    let mut producer = Producer::new(&table, options).unwrap();
    for seed in 0.. {
        producer.produce(&mut Seeded::new(seed), &mut tree);
        if tree.text().len() > 100_000 {
            break;
        }
    }
    let names = PathNames::new(&table);
    let derivation = Derivation::new(&table, &names, &tree);
    let json = written(|d, out| d.write_json(out), &derivation);
    assert_eq!(json.matches("{\"").count(), json.matches("]}").count());
    let text = written(|d, out| d.write_text(out), &derivation);
    let lines = text.lines().count();
    assert!(lines > 100_000 && text.len() < lines * 130, "indentation is bounded");
    assert!(written(|d, out| d.write_svg(out), &derivation).ends_with("</svg>\n"));
    assert!(written(|d, out| d.write_dot(out), &derivation).ends_with("}\n"));
}

#[test]
fn any_bytes_are_written_safely() {
    let (_, table) = lower("%encoding bytes; a = b{64} ; b = [\\x00-\\xFF] ;");
    let names = PathNames::new(&table);
    for tree in trees(&table, 50, 64) {
        let derivation = Derivation::new(&table, &names, &tree);
        well_formed(&written(|d, out| d.write_svg(out), &derivation), false);
        serde_json::from_str::<Value>(&written(|d, out| d.write_json(out), &derivation)).unwrap();
        let text = written(|d, out| d.write_text(out), &derivation);
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        assert_eq!(text.lines().count(), 1 + 64 * 2);
        let dot = written(|d, out| d.write_dot(out), &derivation);
        assert!(!dot.contains(|c: char| c.is_control() && c != '\n'));
    }
}

#[test]
fn every_rule_is_drawn() {
    for (name, grammar, _) in grammars() {
        for rule in &grammar.rules {
            let svg = diagram(&grammar, rule, &HashMap::new());
            let tags = well_formed(&svg, false);
            assert_eq!(tags[0], "svg", "{name} {}", rule.name.text);
            let whole = !svg.contains(">\n…") && !svg.contains(">…");
            assert!(whole || svg.len() > 40_000, "{name} {}", rule.name.text);
        }
    }
}

#[test]
fn diagrams_are_bounded() {
    let wide = format!("a = \"x\" {} ;", "| b a \"<&>\" ".repeat(2000));
    let (grammar, _) = lower(&(wide + "b = \"y\" ;"));
    let svg = diagram(&grammar, &grammar.rules[0], &HashMap::new());
    well_formed(&svg, false);
    assert!(svg.len() < 400_000 && svg.contains('…'), "{}", svg.len());
    let deep = format!("a = {}\"x\"{} ;", "( \"y\" ".repeat(150), " | \"z\" )*".repeat(150));
    let (grammar, _) = lower(&deep);
    well_formed(&diagram(&grammar, &grammar.rules[0], &HashMap::new()), false);
}

/// The figures of a corpus by workers that take turns as threads would.
fn corpus<'t>(
    table: &'t Table,
    k: usize,
    scope: Scope,
    trees: &[Tree],
    workers: usize,
) -> Corpus<'t> {
    let mut corpus = Corpus::new(table, k, scope, 1 << 22).unwrap();
    let mut all: Vec<_> = (0..workers).map(|_| corpus.worker()).collect();
    // Which worker takes which input is as chance would have it.
    let ranks: Vec<_> = trees
        .iter()
        .enumerate()
        .map(|(index, tree)| all[(index * 7 + index / 3) % workers].measure(tree))
        .collect();
    ranks.iter().for_each(|ranks| {
        corpus.merge(ranks);
    });
    all.iter().for_each(|worker| corpus.absorb(worker));
    corpus
}

#[test]
fn figures_do_not_depend_on_the_workers() {
    for (name, _, table) in grammars() {
        for scope in [Scope::UpTo, Scope::Exact] {
            let trees = trees(&table, 40, 60);
            let mut plain = Coverage::new(&table, 3, scope, 1 << 22).unwrap();
            let growth: Vec<u64> = trees
                .iter()
                .map(|tree| {
                    plain.add(tree);
                    plain.covered()
                })
                .collect();
            for workers in [1, 2, 5] {
                let corpus = corpus(&table, 3, scope, &trees, workers);
                assert_eq!(corpus.growth(), growth, "{name}");
                assert_eq!(corpus.summary(), plain.summary());
                assert!(corpus.coverage().uncovered().eq(plain.uncovered()));
                let sum = |figures: &[(u64, u64)]| {
                    figures.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
                };
                let all = (plain.covered(), plain.total());
                assert_eq!(sum(&corpus.rules()), all);
                assert_eq!(sum(&corpus.occurrences()), all);
                let lengths: Vec<_> = corpus.lengths().iter().map(|&(_, c, t)| (c, t)).collect();
                assert_eq!(sum(&lengths), all);
                let roots = corpus.hits().rule(&table, table.start());
                assert!(roots >= trees.len() as u64);
            }
        }
    }
}

/// What the ranks of gaps should be, by looking at every pair of paths.
#[test]
fn gaps_are_ranked_by_what_depends_on_them() {
    let (_, list) = lower(LIST);
    let (_, expr) = lower(r#"E = E "+" T | T ; T = T "*" F | F ; F = "(" E ")" | N ; N = "1" ;"#);
    for table in [&list, &expr] {
        for scope in [Scope::UpTo, Scope::Exact] {
            let corpus = corpus(table, 3, scope, &trees(table, 1, 2), 1);
            let gaps = corpus.gaps(1 << 20);
            for most in [0, 1, 5, gaps.len() - 1, gaps.len() + 1] {
                assert_eq!(corpus.gaps(most), gaps[..most.min(gaps.len())]);
            }
            let index = corpus.coverage().index();
            assert!(corpus.coverage().uncovered().eq({
                let ranks: BTreeSet<u32> = gaps.iter().map(|gap| gap.rank).collect();
                ranks.into_iter()
            }));
            assert!(!gaps.is_empty());
            let (mut walk, mut other) = (Vec::new(), Vec::new());
            for gap in &gaps {
                index.walk(gap.rank, &mut walk);
                let (mut adds, mut minimal) = (0, true);
                for rank in corpus.coverage().uncovered() {
                    index.walk(rank, &mut other);
                    adds += other.windows(walk.len()).filter(|part| *part == walk).count() as u64;
                    let inside = walk.windows(other.len()).any(|part| part == other);
                    minimal &= rank == gap.rank || !inside;
                }
                assert_eq!((gap.unlocks, gap.minimal), (adds, minimal), "{walk:?}");
            }
            assert!(gaps.is_sorted_by_key(|gap| (
                !gap.minimal,
                u64::MAX - gap.unlocks,
                gap.length,
                gap.rank
            )));
        }
    }
}

#[test]
fn the_first_of_many_gaps_are_kept() {
    let (_, table) = lower(&format!("a = \"x\" {} ;", "| a a a a ".repeat(6)));
    let corpus = corpus(&table, 4, Scope::UpTo, &[], 1);
    let all = corpus.gaps(usize::MAX);
    assert!(all.len() > 300_000, "{}", all.len());
    for most in [0, 10, 1023, 5000] {
        assert_eq!(corpus.gaps(most), all[..most], "{most}");
    }
}

#[test]
fn examples_cover_their_goals_and_are_small() {
    for (name, _, table) in grammars() {
        let corpus = corpus(&table, 2, Scope::UpTo, &[], 1);
        let mut cover = Cover::new(&table, CoverOptions::new(2)).unwrap();
        let (mut entropy, mut tree, mut walk) = (Seeded::new(0), Tree::new(), Vec::new());
        let gaps = corpus.gaps(1 << 20);
        for gap in gaps.iter().step_by(97).chain(gaps.iter().take(3)) {
            corpus.coverage().index().walk(gap.rank, &mut walk);
            assert!(cover.example(&walk, &mut entropy, &mut tree), "{name}");
            tree.check(&table).unwrap();
            let mut coverage = Coverage::new(&table, 2, Scope::UpTo, 1 << 22).unwrap();
            coverage.add(&tree);
            assert!(coverage.contains(gap.rank), "{name}: {}", visible(tree.text()));
        }
    }
}

#[test]
fn what_others_cover_is_not_produced_again() {
    for (name, _, table) in grammars() {
        let (mut entropy, mut tree) = (Seeded::new(1), Tree::new());
        let mut coverage = Coverage::new(&table, 3, Scope::UpTo, 1 << 22).unwrap();
        for tree in trees(&table, 5, 100) {
            coverage.add(&tree);
        }
        let given = coverage.covered();
        let mut cover = Cover::new(&table, CoverOptions::new(3)).unwrap();
        let total = cover.summary().total;
        cover.settle(&coverage);
        assert_eq!((cover.summary().covered, cover.summary().total), (given, total), "{name}");
        while cover.next_tree(&mut entropy, &mut tree) {
            assert!(coverage.add(&tree) > 0, "{name}: each tree adds something");
        }
        assert_eq!(coverage.covered(), total, "{name}");
        let mut cover = Cover::new(&table, CoverOptions::new(3)).unwrap();
        cover.settle(&coverage);
        assert!(!cover.next_tree(&mut entropy, &mut tree), "{name}: nothing is left");
    }
}

#[test]
fn what_others_cover_beyond_the_depth_is_feasible() {
    let (_, table) = lower(LIST);
    let mut coverage = Coverage::new(&table, 3, Scope::UpTo, 1000).unwrap();
    let (mut entropy, mut tree) = (Seeded::new(0), Tree::new());
    let mut all = Cover::new(&table, CoverOptions::new(3)).unwrap();
    while all.next_tree(&mut entropy, &mut tree) {
        coverage.add(&tree);
    }
    let mut cover = Cover::new(&table, CoverOptions::new(3).max_depth(3)).unwrap();
    assert!(cover.summary().infeasible > 0);
    for _ in 0..2 {
        cover.settle(&coverage);
        let summary = cover.summary();
        assert_eq!((summary.covered, summary.total, summary.infeasible), (30, 30, 0));
        assert_eq!(cover.infeasible().len(), 0);
    }
}

#[test]
fn counts_that_others_have_beyond_the_depth_are_feasible() {
    let (_, table) = lower(r#"a = "x" b? ; b = "(" c ")" ; c = "y"{1,3} | b ;"#);
    let options = || CoverOptions::new(1).repetition_goals(true);
    let mut all = Cover::new(&table, options()).unwrap();
    let coverage = Coverage::new(&table, 1, Scope::UpTo, 1000).unwrap();
    let mut coverage = coverage.with_repetitions(&table);
    let (mut entropy, mut tree) = (Seeded::new(0), Tree::new());
    while all.next_tree(&mut entropy, &mut tree) {
        coverage.add(&tree);
    }
    let whole = all.summary();
    let mut cover = Cover::new(&table, options().max_depth(2)).unwrap();
    let narrow = cover.summary();
    assert!(narrow.infeasible > 0);
    assert_eq!(narrow.total + narrow.infeasible, whole.total);
    for _ in 0..2 {
        cover.settle(&coverage);
        let now = cover.summary();
        assert_eq!((now.covered, now.total, now.infeasible), (whole.total, whole.total, 0));
    }
}

#[test]
fn a_minimal_subset_covers_the_same_and_none_can_go() {
    let mut empty = 0;
    for (name, _, table) in grammars() {
        let trees = trees(&table, 60, 80);
        let whole = Corpus::new(&table, 3, Scope::UpTo, 1 << 22).unwrap();
        let mut worker = whole.worker();
        let inputs: Vec<(u64, Vec<u32>)> = trees
            .iter()
            .map(|tree| (tree.text().len() as u64, worker.measure_whole(tree)))
            .collect();
        let kept = minimal_subset(&inputs, whole.coverage().index().len());
        assert!(kept.is_sorted() && kept.len() < inputs.len(), "{name}");
        let union = |skip: usize| -> BTreeSet<u32> {
            let left = kept.iter().filter(|&&index| index != skip);
            left.flat_map(|&index| inputs[index].1.iter().copied()).collect()
        };
        let all: BTreeSet<u32> =
            inputs.iter().flat_map(|(_, ranks)| ranks.iter().copied()).collect();
        assert_eq!(union(usize::MAX), all, "{name}");
        for &index in &kept {
            assert!(union(index).len() < all.len(), "{name}: {index} can go");
        }
        empty += usize::from(kept.is_empty());
    }
    assert_eq!(empty, 0);
    assert!(minimal_subset(&[], 0).is_empty());
    assert!(minimal_subset(&[(0, vec![]), (1, vec![])], 3).is_empty());
}

fn page(grammar: &Grammar, table: &Table, trees: &[Tree], k: usize, refused: &[Refused]) -> String {
    let names = PathNames::new(table);
    let corpus = corpus(table, k, Scope::UpTo, trees, 2);
    let mut planned = corpus.coverage().clone();
    let gaps = corpus.gaps(1 << 20);
    let mut cover = Cover::new(table, CoverOptions::new(k)).unwrap();
    let (mut entropy, mut tree, mut walk) = (Seeded::new(0), Tree::new(), Vec::new());
    let mut examples = Vec::new();
    for gap in &gaps {
        if planned.contains(gap.rank) || examples.len() == 100 {
            continue;
        }
        corpus.coverage().index().walk(gap.rank, &mut walk);
        let found = cover.example(&walk, &mut entropy, &mut tree);
        examples.push(Example {
            gap: *gap,
            adds: planned.add(&tree),
            text: found.then(|| tree.text().to_vec()),
            ambiguous: examples.len() == 1,
        });
    }
    let (corpus, examples) = (&corpus, &examples[..]);
    let parts = (!refused.is_empty()).then(|| PartsSummary {
        files: 1234,
        parts: 5678,
        bytes: 1,
        of: 4,
        kpath: corpus.summary(),
        new: 7,
    });
    Page { grammar, corpus, names: &names, refused, parts, examples }.html()
}

#[test]
fn pages_are_well_formed_small_and_need_no_network() {
    for (name, grammar, table) in grammars() {
        let html = page(&grammar, &table, &trees(&table, 30, 100), 3, &[]);
        well_formed(&html, true);
        assert!(html.len() < 4 << 20, "{name}: {} bytes", html.len());
        let style = html.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
        assert!(!style.contains("url(") && !style.contains("@import"));
        assert!(!html.contains(" src=\""), "{name}");
        let all = html.matches("href=\"").count();
        let inner = html.matches("href=\"#").count() + html.matches("href=\"data:,").count();
        assert_eq!(all, inner, "{name}: links stay on the page");
        for file in &grammar.files {
            assert!(html.contains(&format!("<h3>{}</h3>", file.name)), "{name}: {}", file.name);
        }
        let rules = html.matches("<details id=\"rule-").count();
        assert!(rules == table.named_rule_count() || html.contains("more diagrams are left out"));
        if let Some(folder) = std::env::var_os("PLEACH_PAGES") {
            std::fs::write(Path::new(&folder).join(format!("{name}.html")), html).unwrap();
        }
    }
}

#[test]
fn pages_are_safe_with_any_bytes() {
    let (grammar, table) = lower(
        "%encoding bytes;\n/// <script>alert(1)</script> & \"quotes\"\na = b+ \"<!--\" | '</script>' ;\r\n\
         b = [\\x00-\\xFF] except \"&lt;\" ;\n",
    );
    let refused: Vec<Refused> = (0..200)
        .map(|n| Refused {
            input: format!("{n}<img src=x onerror=alert(1)>\u{1B}[31m\u{202E}\n\0"),
            reason: "]]></style>\"'&".repeat(40),
        })
        .collect();
    let html = page(&grammar, &table, &trees(&table, 3, 40), 2, &refused);
    well_formed(&html, true);
    assert!(!html.contains("<img") && !html.contains("<script>alert"));
    assert_eq!(html.matches("<script>").count(), 1);
    assert!(html.contains("100 more are not listed"));
    assert!(html.contains(
        "1\u{2009}234 only parts can be read: 5\u{2009}678 of them, with 25.0% of the bytes"
    ));
    assert!(!html.contains(['\u{1B}', '\u{202E}', '\0', '\r']));
}

#[test]
fn an_empty_corpus_has_a_page() {
    let (grammar, table) = lower(LIST);
    let html = page(&grammar, &table, &[], 3, &[]);
    well_formed(&html, true);
    assert!(html.contains("0 of 30 k-paths of length 1 to 3 covered by 0 inputs"));
    assert!(!html.split("<script>").next().unwrap().contains("NaN"));
}

#[test]
fn drawings_of_large_trees_stay_small_and_say_what_is_left_out() {
    let table = lower(LIST).1;
    let text = format!("[{}a]", "a,".repeat(30_000));
    let mut tree = Tree::new();
    pleach::parse::Parser::new(&table)
        .parse(text.as_bytes(), &mut pleach::parse::Scratch::new(), &mut tree)
        .unwrap();
    let names = PathNames::new(&table);
    let derivation = Derivation::new(&table, &names, &tree);
    let mut drawn = Vec::new();
    derivation.write_svg(&mut drawn).unwrap();
    let drawn = String::from_utf8(drawn).unwrap();
    well_formed(&drawn, false);
    assert!(drawn.len() < 4 << 20, "{} bytes", drawn.len());
    assert_eq!(drawn.matches("<g class=").count(), Derivation::MOST_DRAWN);
    // The root, the brackets, 30,001 items of two nodes each, and a comma before each but the first.
    let left = 3 + 3 * 30_001 - 1 - Derivation::MOST_DRAWN;
    assert!(
        drawn.contains(&format!(">{left} more nodes are left out")),
        "{}",
        &drawn[drawn.len() - 200..]
    );
}
