//! `sed` of uutils, as its own package makes a program of it, less what other systems need, and without what scripts could harm: with
//! `--sandbox` they run no commands and write no files.

use std::ffi::OsString;

use subjects as _;

fn main() {
    uucore::panic::mute_sigpipe_panic();
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    arguments.insert(1.min(arguments.len()), "--sandbox".into());
    std::process::exit(sed::sed::uumain(arguments.into_iter()));
}
