//! z3 as another solver, run as a program.

use std::process::Command;

/// What z3 says of each script, in one process.
pub fn answers(program: &str, name: &str, scripts: &[String]) -> Vec<String> {
    let file = std::env::temp_dir().join(format!("pleach-{}-{name}.smt2", std::process::id()));
    let all = scripts.join("(reset)\n");
    std::fs::write(&file, all).expect("a file is written");
    let output = Command::new(program).arg("-t:20000").arg(&file).output().expect("z3 runs");
    std::fs::remove_file(&file).expect("the file is removed");
    let text = String::from_utf8(output.stdout).expect("z3 prints text");
    text.lines().map(str::to_owned).collect()
}

/// Where z3 is, if it is there: as `PLEACH_Z3` says, or by its name.
pub fn program() -> Option<String> {
    let named = std::env::var("PLEACH_Z3").ok();
    let program = named.clone().unwrap_or_else(|| "z3".to_owned());
    let found = Command::new(&program).arg("-version").output().is_ok();
    assert!(found || named.is_none(), "{program} does not run");
    found.then_some(program)
}
