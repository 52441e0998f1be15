//! Apache Commons IO, `FilenameUtils.directoryContains`: whether a folder is above a path, both of
//! them canonical.
//!
//! Faulty: the path only has to begin with the folder's text, which `/foo2` does for `/foo`. POSIX.1-2017,
//! section 4.13: path names are resolved name by name, names being what stands between slashes.

const PARENT: &str = "/foo";

fn directory_contains(parent: &str, child: &str) -> bool {
    if parent == child {
        return false;
    }
    child.starts_with(parent)
}

/// Whether a path is below `/foo`.
pub fn is_below_foo(child: &str) -> bool {
    directory_contains(PARENT, child)
}
