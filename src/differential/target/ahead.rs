//! Implants that were compiled with the target.

pub use pleach_target::ahead as made;

/// Rules, and for each the texts that stand in the place of what it derives.
pub type Implants = [(&'static str, &'static [&'static str])];

/// The implants of a target.
#[doc(hidden)]
#[macro_export]
macro_rules! __implants {
    ([$($file:literal),+] [$($option:ident : $value:expr),*] [$($against:expr),*]) => {
        $crate::differential::target::made::implants!(
            [$($file),+] [$($option : $value),*] [$($against),*]
        )
    };
}
