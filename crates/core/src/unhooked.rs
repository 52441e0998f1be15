//! Names for functions that a fuzzing engine's compiler pass leaves alone.
//!
//! A target is compiled with a counter for each edge and a call at each comparison, and Cargo passes
//! such flags to all crates alike: the mutator gets them too. They are three quarters of its time there,
//! they tell the engine nothing about the target, and what the mutator compares displaces what the
//! target compared in the engine's table of recent comparisons. LLVM's pass skips functions that
//! sanitizers themselves define, and knows them by `.module_ctor` in their names. So functions in which
//! mutators spend their time have such a name where the compiler is told of fuzzing, and all that is
//! inlined into them is skipped with them. Should LLVM rename them one day, the hooks are back, and
//! nothing else changes. Where pleach is the target itself, `--cfg pleach_itself` asks for the hooks.

/// The name under which a function is compiled for fuzzing. It has pleach's version, as two versions of
/// pleach may be in one program.
#[cfg(not(pleach_itself))]
macro_rules! unhooked {
    ($name:literal) => {
        concat!("pleach-", env!("CARGO_PKG_VERSION"), ".module_ctor.", $name)
    };
}

/// A name that says nothing to the pass.
#[cfg(pleach_itself)]
macro_rules! unhooked {
    ($name:literal) => {
        concat!("pleach-", env!("CARGO_PKG_VERSION"), ".", $name)
    };
}
