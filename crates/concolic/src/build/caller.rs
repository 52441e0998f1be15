//! Calls a function with bytes, entered at `__pleach_entry` or with the bytes as standard input.
#![allow(warnings, clippy::all)]

use std::fmt::Debug;
use std::io::{Read, Write};
// A function may be one of a trait that the prelude does not have.
use std::str::FromStr as _;

struct Of<'a, T>(&'a T);

// What accepts: an impl for a type is found before the one for all, which stands one reference further.
trait Verdict {
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
trait Otherwise {
    fn accepts(&self) -> bool;
}
impl<T> Otherwise for Of<'_, T> {
    fn accepts(&self) -> bool {
        true
    }
}

// What is returned, as text; nothing, where the type has none.
trait Shown {
    fn shown(&self) -> String;
}
impl<T: Debug> Shown for &Of<'_, T> {
    fn shown(&self) -> String {
        format!("{:?}", self.0)
    }
}
trait Hidden {
    fn shown(&self) -> String;
}
impl<T> Hidden for Of<'_, T> {
    fn shown(&self) -> String {
        String::new()
    }
}

/// Calls the function: 0 if what it returns accepts, 1 if not, 2 if the bytes are none that it takes.
fn call(data: &[u8], text: Option<&mut String>) -> i32 {
    let value = (|| Some(@PATH@(@ARGUMENT@)))();
    let Some(value) = &value else { return 2 };
    if let Some(text) = text {
        *text = (&&Of(value)).shown();
    }
    i32::from(!(&&Of(value)).accepts())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __pleach_entry(data: *const u8, length: usize) -> i32 {
    call(unsafe { std::slice::from_raw_parts(data, length) }, None)
}

fn definition<T>(_: T) -> &'static str {
    std::any::type_name::<T>()
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("--definition") {
        println!("{}", definition(@PATH@));
        return;
    }
    let mut data = Vec::new();
    std::io::stdin().read_to_end(&mut data).expect("standard input can be read");
    let mut text = String::new();
    let verdict = ["accepted", "rejected", "unfit"][call(&data, Some(&mut text)) as usize];
    writeln!(std::io::stdout(), "\n=> {verdict} {text}").expect("standard output can be written");
}
