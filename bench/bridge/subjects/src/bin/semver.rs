//! `semver`: each line of standard input is a version, or else a requirement.

use subjects as _;

fn main() {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        match semver::Version::parse(&line) {
            Ok(version) => println!("{version}"),
            Err(_) => match semver::VersionReq::parse(&line) {
                Ok(wanted) => println!("{wanted}"),
                Err(error) => println!("{error}"),
            },
        }
    }
}
