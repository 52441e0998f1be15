//! Which calls become units, and how much of their contexts.

use pleach_explore::symbolic;

/// How much of a call's context is free.
#[derive(Clone, Copy, Debug)]
pub struct ContextLimits {
    pub(crate) parameters: usize,
    pub(crate) bytes: usize,
    pub(crate) objects: usize,
}

impl Default for ContextLimits {
    fn default() -> Self {
        Self { parameters: 4096, bytes: 256 << 10, objects: 1024 }
    }
}

impl ContextLimits {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many bytes of the context a unit may have free; what is beyond stays as it is. The default is 4,096.
    #[must_use]
    pub fn parameters(mut self, bytes: usize) -> Self {
        self.parameters = bytes;
        self
    }

    /// How many bytes in reach are looked at. The default is 256 KiB.
    #[must_use]
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// How many objects in reach are looked at. The default is 1,024.
    #[must_use]
    pub fn objects(mut self, objects: usize) -> Self {
        self.objects = objects;
        self
    }
}

/// How many of a program's calls become units, and within which bounds these run.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    pub(crate) calls: usize,
    pub(crate) looks: u32,
    pub(crate) steps: u64,
    pub(crate) terms: symbolic::SymbolicLimits,
    pub(crate) limits: ContextLimits,
}

impl Default for Sampling {
    fn default() -> Self {
        Self {
            calls: 4,
            looks: 16,
            steps: 200_000,
            terms: symbolic::SymbolicLimits::new().terms(1 << 18),
            limits: ContextLimits::default(),
        }
    }
}

impl Sampling {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many units of a function there are at a time, each among other calls. The default is 4.
    #[must_use]
    pub fn calls(mut self, units: usize) -> Self {
        self.calls = units;
        self
    }

    /// At how many calls of a function it is looked for what comes from the input, a run; down to a quarter of them where nothing did in the runs
    /// before. The default is 16.
    #[must_use]
    pub fn looks(mut self, calls: u32) -> Self {
        self.looks = calls;
        self
    }

    /// How many instructions a unit may execute. The default is 200,000.
    #[must_use]
    pub fn steps(mut self, instructions: u64) -> Self {
        self.steps = instructions;
        self
    }

    /// How far a unit's values are followed. The default is [`symbolic::SymbolicLimits::new`] with 262,144 terms.
    #[must_use]
    pub fn terms(mut self, limits: symbolic::SymbolicLimits) -> Self {
        self.terms = limits;
        self
    }

    /// How much of a context is free. The default is [`ContextLimits::new`].
    #[must_use]
    pub fn limits(mut self, limits: ContextLimits) -> Self {
        self.limits = limits;
        self
    }
}
