
#[doc(hidden)]
#[allow(warnings, clippy::all)]
pub mod __pleach {
    use std::fmt::Debug;
    use std::io::Write;
    // A function may be one of a trait that the prelude does not have.
    use std::str::FromStr as _;

    pub struct Of<'a, T>(pub &'a T);

    // What accepts: an impl for a type is found before the one for all, which stands one reference further.
    pub trait Verdict {
        fn accepts(&self) -> bool;
    }
    impl Verdict for &Of<'_, bool> {
        fn accepts(&self) -> bool {
            *self.0
        }
    }
    impl<T> Verdict for &Of<'_, Option<T>> {
        fn accepts(&self) -> bool {
            self.0.is_some()
        }
    }
    impl<T, E> Verdict for &Of<'_, Result<T, E>> {
        fn accepts(&self) -> bool {
            self.0.is_ok()
        }
    }
    pub trait Otherwise {
        fn accepts(&self) -> bool;
    }
    impl<T> Otherwise for Of<'_, T> {
        fn accepts(&self) -> bool {
            true
        }
    }

    // What is returned, as texts: one for each part of a tuple or list.
    pub trait Show {
        fn show(&self, parts: &mut Vec<String>);
    }
    macro_rules! plain {
        ($($kind:ty),*) => { $(impl Show for $kind {
            fn show(&self, parts: &mut Vec<String>) {
                parts.push(self.to_string());
            }
        })* };
    }
    plain!(str, String, char, bool, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64);
    plain!(std::borrow::Cow<'_, str>, std::net::IpAddr, std::net::Ipv4Addr, std::net::Ipv6Addr);
    impl<T: Show + ?Sized> Show for &T {
        fn show(&self, parts: &mut Vec<String>) {
            (**self).show(parts);
        }
    }
    impl<T: Show + ?Sized> Show for Box<T> {
        fn show(&self, parts: &mut Vec<String>) {
            (**self).show(parts);
        }
    }
    impl<T: Show> Show for Option<T> {
        fn show(&self, parts: &mut Vec<String>) {
            if let Some(value) = self {
                value.show(parts);
            }
        }
    }
    impl<T: Show, E> Show for Result<T, E> {
        fn show(&self, parts: &mut Vec<String>) {
            if let Ok(value) = self {
                value.show(parts);
            }
        }
    }
    impl<T: Show> Show for [T] {
        fn show(&self, parts: &mut Vec<String>) {
            self.iter().for_each(|value| value.show(parts));
        }
    }
    impl<T: Show, const N: usize> Show for [T; N] {
        fn show(&self, parts: &mut Vec<String>) {
            self.as_slice().show(parts);
        }
    }
    impl<T: Show> Show for Vec<T> {
        fn show(&self, parts: &mut Vec<String>) {
            self.as_slice().show(parts);
        }
    }
    macro_rules! tuple {
        ($($name:ident)*) => { impl<$($name: Show),*> Show for ($($name,)*) {
            fn show(&self, parts: &mut Vec<String>) {
                let ($($name,)*) = self;
                $($name.show(parts);)*
            }
        } };
    }
    tuple!();
    tuple!(A);
    tuple!(A B);
    tuple!(A B C);
    tuple!(A B C D);
    tuple!(A B C D E);
    tuple!(A B C D E F);

    pub trait Answered {
        fn parts(&self) -> Vec<String>;
    }
    // Whether it accepts is all that it says.
    impl Answered for &&&Of<'_, bool> {
        fn parts(&self) -> Vec<String> {
            Vec::new()
        }
    }
    pub trait Shown {
        fn parts(&self) -> Vec<String>;
    }
    impl<T: Show> Shown for &&Of<'_, T> {
        fn parts(&self) -> Vec<String> {
            let mut parts = Vec::new();
            self.0.show(&mut parts);
            parts
        }
    }
    pub trait Debugged {
        fn parts(&self) -> Vec<String>;
    }
    impl<T: Debug> Debugged for &Of<'_, T> {
        fn parts(&self) -> Vec<String> {
            vec![format!("{:?}", self.0)]
        }
    }
    pub trait Hidden {
        fn parts(&self) -> Vec<String>;
    }
    impl<T> Hidden for Of<'_, T> {
        fn parts(&self) -> Vec<String> {
            Vec::new()
        }
    }

    fn text_or_nothing(text: &[u8]) -> Option<&str> {
        std::str::from_utf8(text).ok()
    }

    /// Reads texts, each after its length, from the file of the first argument, leaves out as many as the
    /// third says, and appends an answer to each to the file of the second.
    #[unsafe(no_mangle)]
    pub fn __pleach_run() {
        let mut arguments = std::env::args().skip(1);
        let (input, output) = (arguments.next().unwrap(), arguments.next().unwrap());
        let skipped: usize = arguments.next().unwrap().parse().unwrap();
        let input = std::fs::read(input).unwrap();
        let mut output = std::fs::OpenOptions::new().append(true).open(output).unwrap();
        std::panic::set_hook(Box::new(|_| {}));
        let mut rest = &input[..];
        let mut number = 0;
        while let Some((length, after)) = rest.split_first_chunk::<4>() {
            let (text, after) = after.split_at(u32::from_le_bytes(*length) as usize);
            rest = after;
            number += 1;
            if number <= skipped {
                continue;
            }
            let answer = std::panic::catch_unwind(|| {
                let value = &(@CALL@);
                Some(((&&Of(value)).accepts(), (&&&&Of(value)).parts()))
            });
            let (kind, parts) = match answer {
                Ok(Some((accepted, parts))) => (u8::from(accepted), parts),
                Ok(None) => (0, Vec::new()),
                Err(panic) => {
                    let text = panic.downcast_ref::<String>().map(String::as_str);
                    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                    (2, vec![text.unwrap_or("no message").to_owned()])
                }
            };
            let mut row = vec![kind];
            row.extend((parts.len() as u32).to_le_bytes());
            for part in parts {
                row.extend((part.len() as u32).to_le_bytes());
                row.extend(part.into_bytes());
            }
            output.write_all(&row).unwrap();
        }
    }
}
