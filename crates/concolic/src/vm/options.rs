//! What a run is given, and how much it may use.

/// The settings of a [`Machine`](super::Machine): what a run is given, and how many steps and bytes it may use.
#[derive(Clone, Debug)]
pub struct Options {
    pub(super) steps: u64,
    pub(super) memory: u64,
    pub(super) stack: u64,
    pub(super) arguments: Vec<Vec<u8>>,
    pub(super) environment: Vec<(Vec<u8>, Vec<u8>)>,
    pub(super) input: Vec<u8>,
    pub(super) files: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            steps: 100_000_000,
            memory: 1 << 30,
            stack: 8 << 20,
            arguments: vec![b"program".to_vec()],
            environment: Vec::new(),
            input: Vec::new(),
            files: Vec::new(),
        }
    }
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many instructions it may execute. The default is 100 million.
    #[must_use]
    pub fn steps(mut self, instructions: u64) -> Self {
        self.steps = instructions;
        self
    }

    /// How many bytes its objects may have together. A domain's shadows come on top: at most the size of one for each of these
    /// bytes, in pages of 4 KB. They are not counted, or a run would end differently by what watches it. The default is 1 GiB.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// How many bytes its stack may have, as far as that is known. The default is 8 MiB.
    #[must_use]
    pub fn stack(mut self, bytes: u64) -> Self {
        self.stack = bytes;
        self
    }

    /// The program's name and its arguments. The default is `program` and none.
    #[must_use]
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = Vec<u8>>) -> Self {
        self.arguments = arguments.into_iter().collect();
        self
    }

    /// Names and values of the environment. The default is none.
    #[must_use]
    pub fn environment(mut self, variables: impl IntoIterator<Item = (Vec<u8>, Vec<u8>)>) -> Self {
        self.environment = variables.into_iter().collect();
        self
    }

    /// What standard input gives. The default is nothing.
    #[must_use]
    pub fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = bytes.into();
        self
    }

    /// Files: absolute paths and contents. The default is none.
    #[must_use]
    pub fn files(mut self, files: impl IntoIterator<Item = (Vec<u8>, Vec<u8>)>) -> Self {
        self.files = files.into_iter().collect();
        self
    }

    /// How many instructions it may execute.
    pub fn get_steps(&self) -> u64 {
        self.steps
    }
}
