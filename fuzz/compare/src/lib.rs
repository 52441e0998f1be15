//! Fuzzing by a grammar beside the engine's own mutators: what the programs of the comparison share.

mod target;

pub use target::{TARGETS, Target, crates};

/// A target of libFuzzer as [`pleach::fuzz_target!`] makes it for a body of that name, without pleach.
///
/// [`pleach::fuzz_target!`]: https://docs.rs/pleach/latest/pleach/macro.fuzz_target.html
#[macro_export]
macro_rules! plain {
    ($body:ident) => {
        ::libfuzzer_sys::fuzz_target!(|data: &[u8]| -> ::libfuzzer_sys::Corpus {
            let Ok(text) = ::std::str::from_utf8(data) else {
                return ::libfuzzer_sys::Corpus::Reject;
            };
            ::pleach_fuzz::crates::$body(text);
            ::libfuzzer_sys::Corpus::Keep
        });
    };
}
