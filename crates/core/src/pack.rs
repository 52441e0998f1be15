//! Values as bytes, for the tables that are made where a grammar is read and used where it is not.
//!
//! The bytes are of one version of this crate, and no format: numbers are little-endian, sequences begin with their
//! length, and structures are their fields in order.

/// What can be written as bytes and read again.
pub(crate) trait Pack: Sized {
    /// Appends the bytes.
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>);

    /// Takes a value off the front; none where there is no such value.
    fn unpack(from: &mut &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Pack for $number {
            #[cfg(feature = "front")]
            fn pack(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn unpack(from: &mut &[u8]) -> Option<Self> {
                let (bytes, rest) = from.split_first_chunk()?;
                *from = rest;
                Some(Self::from_le_bytes(*bytes))
            }
        }
    )*};
}

numbers!(u8, u32, u64);

/// Implements [`Pack`] for a structure by its fields, or for an enumeration by its variants' fields.
macro_rules! packed {
    (struct $name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::pack::Pack for $name {
            #[cfg(feature = "front")]
            fn pack(&self, out: &mut Vec<u8>) {
                $($crate::pack::Pack::pack(&self.$field, out);)*
            }

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

            #[inline]
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

    #[inline]
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

    #[inline]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        Some((A::unpack(from)?, B::unpack(from)?))
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

impl Pack for String {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        (self.len() as u64).pack(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn unpack(from: &mut &[u8]) -> Option<Self> {
        Self::from_utf8(Vec::unpack(from)?).ok()
    }
}
