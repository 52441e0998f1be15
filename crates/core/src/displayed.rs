//! Errors that `unwrap`, and a `main` that returns them, show as they are displayed.

macro_rules! displayed {
    ($name:ident) => {
        impl std::fmt::Debug for $name {
            /// As it is displayed: what `unwrap` and a failing `main` show is to be read by people.
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(out, "{}: {self}", stringify!($name))
            }
        }
    };
}
pub(crate) use displayed;
