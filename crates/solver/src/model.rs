//! Values of variables.

/// Values of variables by their numbers; a variable that was not set has the value 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// Sorted by number. Inputs are set front to back, so setting appends.
    values: Vec<(u32, u128)>,
}

impl Model {
    /// All zeros.
    pub fn new() -> Model {
        Model::default()
    }

    /// The bytes of an input: variable `i` is byte `i`.
    pub fn from_bytes(bytes: &[u8]) -> Model {
        Model { values: (0..).zip(bytes.iter().map(|&byte| u128::from(byte))).collect() }
    }

    /// A variable's value.
    pub fn get(&self, variable: u32) -> u128 {
        // Where all variables from 0 on are set, a variable's place is its number.
        match self.values.get(variable as usize) {
            Some(&(number, value)) if number == variable => value,
            _ => self.place(variable).map_or(0, |at| self.values[at].1),
        }
    }

    /// Sets a variable.
    pub fn set(&mut self, variable: u32, value: u128) {
        match self.place(variable) {
            Ok(at) => self.values[at].1 = value,
            Err(at) => self.values.insert(at, (variable, value)),
        }
    }

    /// What was set, by number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u128)> + '_ {
        self.values.iter().copied()
    }

    fn place(&self, variable: u32) -> Result<usize, usize> {
        match self.values.last() {
            Some(&(last, _)) if last < variable => Err(self.values.len()),
            _ => self.values.binary_search_by_key(&variable, |&(number, _)| number),
        }
    }
}
