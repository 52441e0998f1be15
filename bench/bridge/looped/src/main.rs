//! A subject that runs in this process again and again, on the same arguments, files and standard input, which is a file: `looped COUNT
//! ARGUMENT...`. Its feature is the subject.

use std::ffi::OsString;

/// What the subject's `main` does with its arguments, the name first, but for what a process does once.
fn run(arguments: &[OsString]) {
    #[cfg(any(
        feature = "b2sum",
        feature = "cut",
        feature = "paste",
        feature = "sed",
        feature = "tac"
    ))]
    {
        let arguments = arguments.iter().cloned();
        #[cfg(feature = "b2sum")]
        uu_b2sum::uumain(arguments);
        #[cfg(feature = "cut")]
        uu_cut::uumain(arguments);
        #[cfg(feature = "paste")]
        uu_paste::uumain(arguments);
        #[cfg(feature = "sed")]
        sed::sed::uumain(arguments);
        #[cfg(feature = "tac")]
        uu_tac::uumain(arguments);
    }
    #[cfg(feature = "dc")]
    {
        let mut stack = std::collections::VecDeque::new();
        let mut evaluate = |text: &str| match dc_ock::safe_eval_with_stack(text, stack.clone()) {
            Ok(new) => {
                println!("{new:?}");
                stack = new;
            }
            Err(error) => println!("{}", error.message),
        };
        match arguments.get(1..) {
            None | Some([]) => lines().for_each(|line| evaluate(&line)),
            Some(texts) => texts.iter().filter_map(|it| it.to_str()).for_each(evaluate),
        }
    }
    #[cfg(feature = "semver")]
    lines().for_each(|line| match semver::Version::parse(&line) {
        Ok(version) => println!("{version}"),
        Err(_) => match semver::VersionReq::parse(&line) {
            Ok(wanted) => println!("{wanted}"),
            Err(error) => println!("{error}"),
        },
    });
    #[cfg(feature = "toml")]
    {
        let Ok(text) = std::io::read_to_string(std::io::stdin()) else { return };
        match text.parse::<toml_edit::DocumentMut>() {
            Ok(document) => println!("{} keys", document.len()),
            Err(error) => println!("{error}"),
        }
    }
    let _ = arguments;
}

#[cfg(any(feature = "dc", feature = "semver"))]
fn lines() -> impl Iterator<Item = String> {
    std::io::stdin().lines().map_while(Result::ok)
}

fn main() {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.len() < 2 {
        eprintln!("looped COUNT ARGUMENT...");
        std::process::exit(2);
    }
    let count = arguments.remove(1).into_string().ok().and_then(|it| it.parse().ok());
    let count: u64 = count.unwrap_or(1);
    #[cfg(any(feature = "b2sum", feature = "cut", feature = "paste", feature = "tac"))]
    {
        let names = [
            ("b2sum", cfg!(feature = "b2sum")),
            ("cut", cfg!(feature = "cut")),
            ("paste", cfg!(feature = "paste")),
        ];
        let name = names.iter().find(|it| it.1).map_or("tac", |it| it.0);
        // Without it there are other words for what went wrong, and all else is the same.
        let _ = uucore::locale::setup_localization(name);
    }
    for _ in 0..count {
        // SAFETY: the file is this process's, and what was read of it ahead was read to its end.
        unsafe { libc::lseek(0, 0, libc::SEEK_SET) };
        run(&arguments);
    }
}
