//! Production towards k-paths: complete, valid, within budgets.

use pleach::Seeded;
use pleach::grammar::Grammar;
use pleach::kpath::{Coverage, Scope};
use pleach::produce::{Cover, CoverOptions};
use pleach::table::{Lowering, Table};
use pleach::tree::Tree;

fn table(text: &str) -> Table {
    let grammar = Grammar::parse(text).unwrap_or_else(|error| panic!("{error}"));
    Lowering::new().lower(&grammar).unwrap_or_else(|error| panic!("{error}")).table
}

#[test]
fn digits_in_a_chain_are_ten_in_ten() {
    let table = table(
        r#"D = "0" | D1; D1 = "1" | D2; D2 = "2" | D3; D3 = "3" | D4; D4 = "4" | D5;
           D5 = "5" | D6; D6 = "6" | D7; D7 = "7" | D8; D8 = "8" | "9";"#,
    );
    for k in 1..=4 {
        let mut cover = Cover::new(&table, CoverOptions::new(k)).unwrap();
        let (mut entropy, mut tree) = (Seeded::new(0), Tree::new());
        let mut seen = Vec::new();
        let mut coverage = Coverage::new(&table, k, Scope::UpTo, 1000).unwrap();
        while cover.next_tree(&mut entropy, &mut tree) {
            tree.check(&table).unwrap();
            coverage.add(&tree);
            seen.push(String::from_utf8(tree.text().to_vec()).unwrap());
        }
        println!("{k} {seen:?}");
        assert_eq!(coverage.covered(), coverage.total());
        assert_eq!(coverage.summary(), cover.summary());
        let mut first: Vec<_> = seen.iter().take(10).collect();
        first.sort();
        first.dedup();
        assert_eq!(first.len(), 10);
    }
}
