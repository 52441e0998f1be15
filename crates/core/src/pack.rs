//! Values as bytes, for the tables that are made where a grammar is read and used where it is not.
//!
//! The bytes are of one version of this crate, and no format: sequences begin with their length, and structures are
//! their fields in order.

/// What can be written as bytes and read again.
pub(crate) trait Pack: Sized {
    /// Appends the bytes.
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>);

    /// Takes a value off the front; none where there is no such value.
    fn unpack(from: &mut &[u8]) -> Option<Self>;
}

impl Pack for u8 {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }

    #[cfg_attr(fuzzing, inline(always))]
    #[cfg_attr(not(fuzzing), inline)]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        let (&byte, rest) = from.split_first()?;
        *from = rest;
        Some(byte)
    }
}

/// A number in groups of seven bits, the lowest first (LEB128), and one more than it is: most are small, and the greatest
/// of a type, which stands for none in many places, comes to be 0.
macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Pack for $number {
            #[cfg(feature = "front")]
            fn pack(&self, out: &mut Vec<u8>) {
                let mut rest = self.wrapping_add(1);
                while rest > 127 {
                    out.push(rest as u8 | 128);
                    rest >>= 7;
                }
                out.push(rest as u8);
            }

            #[cfg_attr(fuzzing, inline(always))]
            #[cfg_attr(not(fuzzing), inline)]
            fn unpack(from: &mut &[u8]) -> Option<Self> {
                let number = number(from)?;
                Some(Self::try_from(number).ok()?.wrapping_sub(1))
            }
        }
    )*};
}

numbers!(u16, u32, u64);

/// The groups of a number.
#[cfg_attr(not(fuzzing), inline)]
#[pleach_unhooked::unhooked]
fn number(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = u8::unpack(from)?;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

/// A set: which of its bytes are not 0, and those.
impl Pack for u128 {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        let bytes = self.to_le_bytes();
        let set = (0..16).filter(|&i| bytes[i] != 0).fold(0_u16, |set, i| set | 1 << i);
        out.extend_from_slice(&set.to_le_bytes());
        out.extend(bytes.into_iter().filter(|&byte| byte != 0));
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        let set = u16::from_le_bytes([u8::unpack(from)?, u8::unpack(from)?]);
        let mut bytes = [0; 16];
        for byte in (0..16).filter(|byte| set >> byte & 1 == 1) {
            bytes[byte] = u8::unpack(from)?;
        }
        Some(Self::from_le_bytes(bytes))
    }
}

/// Implements [`Pack`] for a structure by its fields, or for an enumeration by its variants' fields.
macro_rules! packed {
    (struct $name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::pack::Pack for $name {
            #[cfg(feature = "front")]
            fn pack(&self, out: &mut Vec<u8>) {
                $($crate::pack::Pack::pack(&self.$field, out);)*
            }

            #[cfg_attr(fuzzing, inline(always))]
            fn unpack(from: &mut &[u8]) -> Option<Self> {
                $(let $field = $crate::pack::Pack::unpack(from)?;)*
                Some(Self { $($field),* })
            }
        }
    };
    (enum $name:ident { $($number:literal => $variant:ident $({ $($field:ident),* })?),* $(,)? }) => {
        impl $crate::pack::Pack for $name {
            #[cfg(feature = "front")]
            fn pack(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$variant $({ $($field),* })? => {
                        out.push($number);
                        $($($crate::pack::Pack::pack($field, out);)*)?
                    })*
                }
            }

            #[cfg_attr(fuzzing, inline(always))]
            fn unpack(from: &mut &[u8]) -> Option<Self> {
                match <u8 as $crate::pack::Pack>::unpack(from)? {
                    $($number => {
                        $($(let $field = $crate::pack::Pack::unpack(from)?;)*)?
                        Some(Self::$variant $({ $($field),* })?)
                    })*
                    _ => None,
                }
            }
        }
    };
    (id $name:ty, $new:expr, $get:expr) => {
        impl $crate::pack::Pack for $name {
            #[cfg(feature = "front")]
            fn pack(&self, out: &mut Vec<u8>) {
                $crate::pack::Pack::pack(&$get(*self), out);
            }

            #[cfg_attr(fuzzing, inline(always))]
            #[cfg_attr(not(fuzzing), inline)]
            fn unpack(from: &mut &[u8]) -> Option<Self> {
                $crate::pack::Pack::unpack(from).map($new)
            }
        }
    };
}
pub(crate) use packed;

impl Pack for bool {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    #[cfg_attr(fuzzing, inline(always))]
    #[cfg_attr(not(fuzzing), inline)]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        match u8::unpack(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl<T: Pack> Pack for Option<T> {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        self.is_some().pack(out);
        if let Some(value) = self {
            value.pack(out);
        }
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        if bool::unpack(from)? { Some(Some(T::unpack(from)?)) } else { Some(None) }
    }
}

impl<A: Pack, B: Pack> Pack for (A, B) {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        self.0.pack(out);
        self.1.pack(out);
    }

    #[cfg_attr(fuzzing, inline(always))]
    #[cfg_attr(not(fuzzing), inline)]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        Some((A::unpack(from)?, B::unpack(from)?))
    }
}

impl<T: Pack> Pack for Box<T> {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        (**self).pack(out);
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        T::unpack(from).map(Self::new)
    }
}

/// As often as each comes, and what comes.
impl<T: Pack + Copy + Default + PartialEq, const N: usize> Pack for [T; N] {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        for run in self.chunk_by(|left, right| left == right) {
            (run.len() as u32).pack(out);
            run[0].pack(out);
        }
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        let mut items = [T::default(); N];
        let mut rest = &mut items[..];
        while !rest.is_empty() {
            let length = usize::try_from(u32::unpack(from)?).ok()?;
            let (run, others) = rest.split_at_mut_checked(length)?;
            run.fill(T::unpack(from)?);
            rest = others;
        }
        Some(items)
    }
}

impl<T: Pack> Pack for Vec<T> {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        (self.len() as u64).pack(out);
        for item in self {
            item.pack(out);
        }
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        let length = usize::try_from(u64::unpack(from)?).ok()?;
        // Each has a byte at least: what is too long for the rest is no length.
        if length > from.len() {
            return None;
        }
        let mut items = Self::with_capacity(length);
        for _ in 0..length {
            items.push(T::unpack(from)?);
        }
        Some(items)
    }
}

/// Takes a sequence of bytes off the front, as [`Vec::pack`] wrote it.
pub(crate) fn bytes<'p>(from: &mut &'p [u8]) -> Option<&'p [u8]> {
    let length = usize::try_from(u64::unpack(from)?).ok()?;
    let (bytes, rest) = from.split_at_checked(length)?;
    *from = rest;
    Some(bytes)
}

impl Pack for String {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        (self.len() as u64).pack(out);
        out.extend_from_slice(self.as_bytes());
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        Some(std::str::from_utf8(bytes(from)?).ok()?.to_owned())
    }
}
