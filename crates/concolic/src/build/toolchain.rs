//! Which compilers are supported: the one place that says it.

use std::path::Path;
use std::process::{Command, Stdio};

use super::BuildError;

/// The versions of rustc whose IR is read: from the first to before the second, as major and minor.
pub const RUST: [(u32, u32); 2] = [(1, 88), (1, 98)];
/// The major versions of LLVM whose IR is read: from the first to before the second.
pub const LLVM: [u32; 2] = [20, 23];
/// The machine that programs are compiled for, whose addresses and system functions the machine models.
const HOST: &str = "x86_64-unknown-linux-gnu";

/// A compiler that is supported.
pub(super) struct Host {
    /// Its target triple.
    pub(super) triple: String,
    /// Its version, as it says it: what was built with another is built again.
    pub(super) release: String,
}

/// Asks a compiler what it is.
pub(super) fn check(rustc: &Path) -> Result<Host, BuildError> {
    let output = Command::new(rustc).arg("-vV").stdin(Stdio::null()).output();
    let output = output.map_err(|error| BuildError::Toolchain {
        text: format!(
            "`{}` can't be run: {error}: install Rust, or say which compiler",
            rustc.display()
        ),
    })?;
    supported(&String::from_utf8_lossy(&output.stdout))
}

/// Whether what `rustc -vV` prints is of a supported compiler.
fn supported(said: &str) -> Result<Host, BuildError> {
    let field = |name: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        line.unwrap_or("unknown")
    };
    let numbers = |text: &str| -> Vec<u32> {
        text.split(|c: char| !c.is_ascii_digit()).map_while(|part| part.parse().ok()).collect()
    };
    let (release, llvm, triple) = (field("release"), field("LLVM version"), field("host"));
    let version = numbers(release);
    let fits = matches!(version[..], [major, minor, ..] if (RUST[0]..RUST[1]).contains(&(major, minor)))
        && matches!(numbers(llvm)[..], [major, ..] if (LLVM[0]..LLVM[1]).contains(&major));
    if !fits {
        let last = (RUST[1].0, RUST[1].1 - 1);
        return Err(BuildError::Toolchain {
            text: format!(
                "rustc {release} with LLVM {llvm} is not supported: what is read is the IR of rustc {}.{} to {}.{} with LLVM \
                 {} to {}; set RUSTUP_TOOLCHAIN to one of them",
                RUST[0].0,
                RUST[0].1,
                last.0,
                last.1,
                LLVM[0],
                LLVM[1] - 1
            ),
        });
    }
    if triple != HOST {
        return Err(BuildError::Toolchain {
            text: format!("rustc for {triple} is not supported: use one for {HOST}"),
        });
    }
    Ok(Host { triple: triple.to_owned(), release: release.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(release: &str, llvm: &str, host: &str) -> String {
        format!(
            "rustc {release} (59807616e 2026-04-14)\nbinary: rustc\nhost: {host}\nrelease: {release}\nLLVM version: {llvm}\n"
        )
    }

    #[test]
    fn compilers_outside_the_range_are_refused_with_the_range() {
        for (release, llvm, host) in [
            ("1.87.0", "20.1.1", HOST),
            ("1.98.0", "22.1.2", HOST),
            ("2.0.0", "22.1.2", HOST),
            ("1.95.0", "23.0.0", HOST),
            ("1.95.0", "19.1.0", HOST),
            ("1.95.0", "22.1.2", "aarch64-apple-darwin"),
        ] {
            let error = supported(&said(release, llvm, host)).err().expect(release).to_string();
            assert!(
                error.contains("not supported") && error.contains("use") | error.contains("set"),
                "{error}"
            );
        }
        assert!(supported("").is_err());
        assert!(supported(&said("1.88.0", "20.1.5", HOST)).is_ok());
        assert!(supported(&said("1.97.0-nightly", "22.1.4", HOST)).is_ok());
    }

    #[test]
    fn the_installed_compiler_is_supported() {
        assert!(check("rustc".as_ref()).is_ok());
    }
}
