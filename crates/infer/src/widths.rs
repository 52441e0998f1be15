//! Integer types.

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Width {
    pub(super) bits: u32,
    pub(super) signed: bool,
}

/// That of lengths and indices.
pub(super) const USIZE: Width = Width { bits: 64, signed: false };
/// That of bytes.
pub(super) const U8: Width = Width { bits: 8, signed: false };
/// That of digits of characters.
pub(super) const U32: Width = Width { bits: 32, signed: false };
/// That of a number that nothing tells more of.
pub(super) const I32: Width = Width { bits: 32, signed: true };
/// That with a sign which has the fewest numbers.
pub(super) const I8: Width = Width { bits: 8, signed: true };

impl Width {
    /// The type of a name; `usize` has 64 bits.
    pub(super) fn named(name: &str) -> Option<Self> {
        let bits = match name.get(1..)? {
            "8" => 8,
            "16" => 16,
            "32" => 32,
            "64" | "size" => 64,
            "128" => 128,
            _ => return None,
        };
        match name.as_bytes()[0] {
            b'u' => Some(Self { bits, signed: false }),
            b'i' => Some(Self { bits, signed: true }),
            _ => None,
        }
    }

    /// The least number of the type.
    pub(super) fn min(self) -> i128 {
        if self.signed { -1 << (self.bits - 1) } else { 0 }
    }

    /// The greatest one; that of `u128` is taken for that of `i128`.
    pub(super) fn max(self) -> i128 {
        match (self.bits, self.signed) {
            (128, _) => i128::MAX,
            (bits, true) => (1 << (bits - 1)) - 1,
            (bits, false) => (1 << bits) - 1,
        }
    }

    /// Whether a text that is no longer than texts are may have more characters than the type
    /// counts.
    pub(super) fn is_narrow(self) -> bool {
        self.bits <= 16
    }

    /// What a cast makes of a number.
    pub(super) fn wrapped(self, number: i128) -> i128 {
        if self.bits == 128 {
            return number;
        }
        let low = number.rem_euclid(1 << self.bits);
        if low > self.max() { low - (1 << self.bits) } else { low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_wrap() {
        let named = |name| Width::named(name).unwrap();
        for n in [-70_000_i128, -300, -129, -1, 0, 1, 127, 128, 255, 256, 40_000, 70_000] {
            assert_eq!(named("u8").wrapped(n), i128::from(n as u8));
            assert_eq!(named("i8").wrapped(n), i128::from(n as i8));
            assert_eq!(named("u16").wrapped(n), i128::from(n as u16));
            assert_eq!(named("i32").wrapped(n), i128::from(n as i32));
            assert_eq!(named("u64").wrapped(n), i128::from(n as u64));
        }
        assert_eq!((named("i8").min(), named("i8").max()), (-128, 127));
        assert_eq!((named("u16").min(), named("u16").max()), (0, 65_535));
        assert_eq!(Width::named("f32"), None);
        assert_eq!(Width::named("é"), None);
    }
}
