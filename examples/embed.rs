//! The library inside another program: a grammar in the program, the caller's own randomness, and
//! buffers that are filled again and again.
//!
//! `cargo run --no-default-features --example embed`

use pleach::Entropy;
use pleach::kpath::{Coverage, Scope};
use pleach::produce::{Cover, CoverOptions, Mode, Options, Producer};
use pleach::table::Table;
use pleach::tree::Tree;

/// Whatever the host draws its random numbers from; here splitmix64.
struct HostRandom(u64);

impl Entropy for HostRandom {
    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }
}

/// Stands for the code under test.
fn target(input: &[u8]) -> usize {
    input.iter().filter(|&&byte| byte == b'{').count()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let table = Table::parse(include_str!("../grammars/json.pleach"))?;
    let mut random = HostRandom(1);
    let mut tree = Tree::new();

    // First a corpus along every path of up to three elements.
    let mut cover = Cover::new(&table, CoverOptions::new(3))?;
    let (mut files, mut braces) = (0, 0);
    while cover.next_tree(&mut random, &mut tree) {
        files += 1;
        braces += target(tree.text());
    }
    let summary = cover.summary();
    println!("{files} inputs cover {} of {} k-paths", summary.covered, summary.total);

    // Then random inputs without end; what they cover is counted on the way.
    let mut producer = Producer::new(&table, Options::new().mode(Mode::Uniform).max_bytes(200))?;
    let mut coverage = Coverage::new(&table, 3, Scope::UpTo, 1 << 20)?;
    for _ in 0..1000 {
        producer.produce(&mut random, &mut tree);
        coverage.add(&tree);
        braces += target(tree.text());
    }
    println!("1000 random ones cover {} of {}", coverage.covered(), coverage.total());
    println!("the target saw {braces} braces");
    Ok(())
}
