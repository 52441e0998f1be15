//! Items, each with what is inferred from them.
//!
//! What is exact is the truth, and all other rows state what is reached so far: no less than the
//! truth, and that it may be more. Rows that end in `; true` are there for the panics before that.

/// Items, `f` among them, the language that is inferred for `f`, and what is said to be inexact.
pub(super) const ITEMS: &[(&str, &str, &[&str])] = &[
    (
        "struct P { a: bool, b: bool }
         fn f(s: &str) -> bool {
             P { a: s == \"x\", b: true } == P { b: true, a: true }
         }",
        "x",
        &[],
    ),
    (
        "struct P { a: bool, b: bool }
         fn f(s: &str) -> bool {
             let base = P { a: s == \"x\", b: true };
             P { b: false, ..base } == P { b: false, a: true }
         }",
        "x",
        &[],
    ),
    (
        "struct P { a: bool, b: bool }
         fn f(s: &str) -> bool {
             P { a: true, ..Default::default() } == P { a: true, ..other(s) }
         }",
        "(?s).*",
        &["`Default::default`"],
    ),
    (
        "struct P { a: bool, b: u8 }
         impl PartialEq for P { fn eq(&self, other: &P) -> bool { self.a == other.a } }
         fn f(s: &str) -> bool {
             P { a: s == \"x\", b: 1 } == P { a: true, b: 2 }
                 || P { a: s == \"y\", b: 1 } != P { a: false, b: 2 }
         }",
        "x|y",
        &[],
    ),
    (
        "struct P { a: bool, b: u8 }
         impl PartialEq for P { fn eq(&self, other: &P) -> bool { self.a == other.a } }
         fn f(s: &str) -> bool { Some(P { a: s == \"x\", b: 1 }) == Some(P { a: true, b: 2 }) }",
        "(?s).*",
        &["derived"],
    ),
    (
        "enum E { A, B }
         impl PartialEq for E { fn eq(&self, _: &E) -> bool { true } }
         fn f(s: &str) -> bool { (if s == \"x\" { E::A } else { E::B }) == E::A }",
        "(?s).*",
        &[],
    ),
    (
        "struct P { a: bool }
         impl P { fn new(a: bool) -> Self { Self { a } } }
         fn f(s: &str) -> bool { P::new(s == \"x\") == P { a: true } }",
        "x",
        &[],
    ),
    (
        "struct P { a: bool }
         type Q = P;
         fn f(s: &str) -> bool { match (Q { a: s == \"x\" }) { P { a } => a } }",
        "x",
        &[],
    ),
    // Macros that stand for themselves may return, and write.
    (
        "macro_rules! need { ($e:expr) => { if !$e { return false; } } }
         fn f(text: &str) -> bool { need!(text == \"abc\"); true }",
        "(?s).*",
        &["need!"],
    ),
    (
        "macro_rules! take { ($e:expr) => { if $e { return true; } } }
         fn f(text: &str) -> bool { take!(text == \"abc\"); false }",
        "(?s).*",
        &["take!"],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; bump!(n, text); n == 1 }",
        "(?s).*",
        &["bump!"],
    ),
    (
        "use std::fmt::Write;
         fn f(text: &str) -> bool { let mut s = String::new(); let _ = write!(s, \"{text}\"); s == \"ab\" }",
        "ab",
        &[],
    ),
    (
        "use std::fmt::Write;
         fn f(text: &str) -> bool { let mut s = String::from(\"x\"); writeln!(&mut s, \"<{}>\", text).unwrap(); s == \"x<ab>\\n\" }",
        "ab",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; println!(\"{}\", { n += 1; n }); n == 1 && text == \"a\" }",
        "a",
        &[],
    ),
    ("fn f(text: &str) -> bool { dbg!(text == \"a\") }", "a", &[]),
    // Formats.
    ("fn f(text: &str) -> bool { format!(\"{:?}\", text) == \"\\\"a\\\"\" }", "(?s).*", &["put together"]),
    ("fn f(text: &str) -> bool { format!(\"{:>3}\", text) == \"  a\" }", "(?s).*", &["put together"]),
    ("fn f(text: &str) -> bool { format!(\"{1}-{0}\", text, \"x\") == \"x-a\" }", "a", &[]),
    ("fn f(text: &str) -> bool { let x = \"no\"; format!(\"{x}\", x = text) == \"a\" && x == \"no\" }", "a", &[]),
    // An iterator by reference is moved on.
    (
        "fn f(text: &str) -> bool { let mut c = text.chars(); let n = c.by_ref().take_while(|c| *c == 'a').count(); n == 1 && c.next().is_none() }",
        "(?s)a[^a]?",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut c = text.chars(); c.by_ref().take(2).all(|c| c == 'a') && c.next() == Some('b') }",
        "(?s)aab.*",
        &[],
    ),
    (
        "fn ones(c: &mut std::str::Chars) -> usize { c.take_while(|c| *c == '1').count() }
         fn f(text: &str) -> bool { let mut c = text.chars(); ones(&mut c) == 1 && c.next().is_none() }",
        "(?s)1[^1]?",
        &[],
    ),
    // The type of the whole is not that of what a method is called on.
    ("fn f(text: &str) -> bool { text.parse().map(|_: u8| ()).is_ok() }", U8, &[]),
    ("fn f(text: &str) -> bool { text.parse().is_ok_and(|n: u8| n > 9) }", r"\+?0*(?:[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])", &[]),
    ("fn f(text: &str) -> bool { text.parse() == Ok(3u8) }", "(?s).*", &["type that a text is parsed as"]),
    ("fn f(text: &str) -> bool { let n: u8; n = text.parse().unwrap_or(0); n == 3 }", "(?s).*", &["type that a text is parsed as"]),
    ("fn f(text: &str) -> bool { if text.parse().unwrap_or(false) { return true; } false }", "true|false", &["value of what is parsed"]),
    (
        "fn f(text: &str) -> Option<i8> { let n: u8 = match text.strip_prefix('x') { Some(text) => return text.parse().ok(), None => 0 }; if n == 0 { None } else { Some(1) } }",
        r"x(?:\+?0*(?:[0-9]{1,2}|1[01][0-9]|12[0-7])|-0*(?:[0-9]{1,2}|1[01][0-9]|12[0-8]))",
        &[],
    ),
    // What is collected was made, and once.
    (
        "use std::collections::HashSet;
         fn f(text: &str) -> bool { text.chars().collect::<HashSet<char>>().len() == 1 }",
        "(?s).*",
        &["collection of this kind"],
    ),
    (
        "fn f(text: &str) -> bool { let v = text.chars().map(|c| c.to_digit(10).unwrap()).collect::<Vec<u32>>(); v[0] == 1 }",
        "1[0-9]*",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut k = 'a'; let v: Vec<bool> = text.chars().map(|c| c == k).collect(); k = 'b'; v == [true] && k == 'b' }",
        "(?s).*",
        &["what changes"],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let v: Vec<char> = text.chars().map(|c| { n += 1; c }).collect(); n == 2 && !v.is_empty() }",
        "(?s)..",
        &["what changes"],
    ),
    (
        "fn f(text: &str) -> bool { text.chars().map(|c| c.to_digit(10).unwrap()).last() == Some(1) }",
        "[0-9]*1",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { text.chars().map(|c| c.is_ascii().then_some(c)).collect::<Option<String>>().is_some_and(|s| s.len() == 2) }",
        "(?s)[\\x00-\\x7F]{2}",
        &[],
    ),
    ("fn f(text: &str) -> bool { let v: Box<[char]> = text.chars().collect(); v.len() == 1 }", "(?s).", &[]),
    (
        "fn f(text: &str) -> bool { let v: Vec<char> = { let k = 'a'; text.chars().filter(|&c| c == k).collect() }; let k = 'b'; v.len() == 1 && k == 'b' }",
        "(?s).*",
        &["outlives"],
    ),
    (
        "fn f(text: &str) -> bool { let mut c = text.chars(); let s: String = c.by_ref().collect(); s == \"a\" && c.next().is_none() }",
        "a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut c = text.chars(); c.by_ref().count() == 1 && c.next().is_none() }",
        "(?s).",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let Some(()) = text.chars().try_fold((), |(), c| (c == 'a').then_some(())) else { return false }; true }",
        "a*",
        &[],
    ),
    // What is called for its effect has it.
    (
        "fn f(text: &str) -> bool { let mut n = 0; text.chars().inspect(|_| n += 1).all(|c| c != 'x') && n == 2 }",
        "[^x]{2}",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut seen = false; let first = text.chars().next().inspect(|_| seen = true); seen && first != Some('x') }",
        "(?s)[^x].*",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut bad = false; text.char_indices().rev().for_each(|(_, c)| bad |= c == 'x'); !bad }",
        "(?s).*",
        &["`rev`"],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; text.mystery(&mut n); n == 3 }",
        "(?s).*",
        &["`mystery`"],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let mut add = |m: usize| n += m; mystery(&mut add); n == 3 }",
        "(?s).*",
        &["`mystery`"],
    ),
    (
        "#[derive(Clone, Copy)] struct P { n: u8 }
         impl P { fn up(mut self) -> u8 { self.n += 1; self.n } }
         fn f(text: &str) -> bool { let p = P { n: 0 }; p.up() == 1 && p.n == 0 && text == \"a\" }",
        "a",
        &[],
    ),
    // What is not known is neither a success nor nothing.
    (
        "fn f(text: &str) -> bool { text.chars().try_for_each(|c| u8::try_from(c).map(|_| ())).is_ok() }",
        "(?s).*",
        &["`try_from`"],
    ),
    (
        "fn f(text: &str) -> bool { text.chars().try_fold(0, |n, c| mystery(n, c)).is_ok() }",
        "(?s).*",
        &["`mystery`"],
    ),
    (
        "fn f(text: &str) -> bool { text.chars().next().zip(text.chars().max()).is_some() }",
        "(?s).+",
        &["`max`"],
    ),
    (
        "fn f(text: &str) -> bool { text.chars().next().xor(text.chars().max()).is_none() }",
        "(?s).*",
        &["`max`"],
    ),
    (
        "fn f(text: &str) -> bool { text.chars().next().map(|_| text.chars().max()).flatten().is_some() }",
        "(?s).+",
        &["`max`"],
    ),
    (
        "fn f(text: &str) -> bool { let mut o = text.strip_prefix('a'); o.insert(\"b\").len() == 1 }",
        "(?s).*",
        &[],
    ),
    // What a macro of other crates returns is an error, not an end.
    (
        "fn g(text: &str) -> anyhow::Result<()> { if text == \"a\" { bail!(\"no\"); } Ok(()) }
         fn f(text: &str) -> bool { g(text).is_err() }",
        "a",
        &[],
    ),
    // What is not known may panic.
    (
        "fn f(text: &str) -> bool { let mut v: Vec<char> = text.chars().collect(); v.remove(0); true }",
        "(?s).*",
        &["`remove`"],
    ),
    ("fn f(text: &str) -> bool { text.mystery(); true }", "(?s).*", &["`mystery`"]),
    ("fn f(text: &str) -> bool { mystery(text); true }", "(?s).*", &["`mystery`"]),
    ("fn f(text: &str) -> bool { text.chars().max().unwrap(); true }", "(?s).*", &["`max`"]),
    ("fn f(text: &str) -> bool { text.chars().max(); true }", "(?s).*", &[]),
    ("fn f(text: &str) -> bool { text.chars().map(mystery).max(); true }", "(?s).*", &["`max`"]),
    (
        "trait Most { fn max(&self); }
         impl Most for str { fn max(&self) { assert!(self.len() > 3); } }
         fn f(text: &str) -> bool { text.max(); true }",
        "(?s).*",
        &["`max`"],
    ),
    ("fn f(text: &str) -> bool { let mut n = 0; text.mystery(&mut n); true }", "(?s).*", &["`mystery`"]),
    ("fn f(text: &str) -> bool { let mut n = 0; bump!(n, text); true }", "(?s).*", &["bump!"]),
    (
        "fn f(text: &str) -> bool { text.chars().map(|c| c.to_digit(10).unwrap()).collect::<Vec<u32>>(); true }",
        "[0-9]*",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { text.chars().map(|c| c.to_digit(10).unwrap()).last(); true }",
        "[0-9]*",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut c = text.chars(); c.by_ref().map(|c| c.to_digit(10).unwrap()).count(); true }",
        "[0-9]*",
        &[],
    ),
    (
        "use std::collections::HashSet;
         fn f(text: &str) -> bool { text.chars().map(|c| c.to_digit(10).unwrap()).collect::<HashSet<u32>>(); true }",
        "[0-9]*",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { text.chars().inspect(|c| assert!(*c != 'x')).all(|c| c != 'y'); true }",
        "(?s)[^xy]*(?:y.*)?",
        &[],
    ),
    ("fn f(text: &str) -> bool { let _ = &text[1..]; true }", "(?s)[\\x00-\\x7F].*", &[]),
    ("fn f(text: &str) -> bool { text.chars().nth(2).unwrap(); true }", "(?s)....*", &[]),
    // So may what is called to look for something.
    ("fn f(text: &str) -> bool { text.find(|c: char| c.to_digit(10).unwrap() == 1); true }", "(?s).*", &["looked for"]),
    ("fn f(text: &str) -> bool { text.split(mystery); true }", "(?s).*", &["looked for"]),
    ("fn f(text: &str) -> bool { text.split_at(text.trim().len() / 2 + 1); true }", "(?s).*", &["`split_at`"]),
    (
        "fn f(text: &str) -> bool { let mut n = 0; text.contains(|c: char| { n += 1; c == 'x' }); n == 0 }",
        "(?s).*",
        &["looked for"],
    ),
    ("fn f(text: &str) -> bool { text.find(|c: char| c == text.len() as u8 as char); true }", "(?s).*", &[]),
    (
        "fn f(text: &str) -> bool { let v: Vec<bool> = text.split(',').map(|p| p.chars().all(check)).collect(); true }
         fn check(c: char) -> bool { c.to_digit(10).unwrap() > 0 || true }",
        "[0-9,]*",
        &[],
    ),
    ("fn f(text: &str) -> bool { let mut v = vec![1, 2]; v[text.len()] = 3; true }", "(?s).*", &["assigned to"]),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let mut v = vec![1, 2]; v[{ n += text.len(); n }] = 3; n == 1 }",
        "[\\x00-\\x7F]",
        &["assigned to"],
    ),
    (
        "fn f(text: &str) -> bool { let mut o = text.strip_prefix('a'); *o.as_mut().unwrap() = \"b\"; true }",
        "(?s)a.*",
        &[],
    ),
    // An item that is not known is one of all.
    (
        "fn f(text: &str) -> bool { let mut v = vec![String::new(), String::new()]; v[text.len() % 2].push('a'); !v[0].is_empty() }",
        "(?s).*",
        &["looked for"],
    ),
    (
        "fn g(s: &mut String) { s.push('a'); }
         fn f(text: &str) -> bool { let mut v = vec![String::new(), String::new()]; g(&mut v[text.len() % 2]); !v[0].is_empty() }",
        "(?s).*",
        &["looked for"],
    ),
    (
        "use std::fmt::Write;
         fn f(text: &str) -> bool { let mut v = vec![String::new(), String::new()]; write!(v[text.len() % 2], \"a\").unwrap(); !v[0].is_empty() }",
        "(?s).*",
        &["looked for"],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0i32; for c in text.chars() { if c == '(' { n += 1 } else if c == ')' { n -= 1 } } n > 0 }",
        r"(?:\)[^()]*\(|\([^()]*\)|[^()])*(?:\)[^()]*\)(?s:.)*|\([^()]*(?:\((?s:.)*)?)",
        &["comparison"],
    ),
    (
        "fn f(text: &str) -> bool { let mut v = [1, 2, 3]; for x in &mut v[1..] { *x += 1; } v[1] == 2 }",
        "(?s).*",
        &["lent"],
    ),
    (
        "fn f(text: &str) -> bool { let mut s = text.to_string(); s[..].make_ascii_lowercase(); s == \"a\" }",
        "(?s).*",
        &["lent"],
    ),
    (
        "fn f(text: &str) -> bool { let mut rest = text; while !rest.is_empty() { if !rest[..1].eq(\"a\") { return false; } rest = &rest[1..]; } true }",
        "a*",
        &[],
    ),
    // What `?` is applied to may end the function.
    (
        "fn g(text: &str) -> Option<()> { text.chars().max()?; Some(()) }
         fn f(text: &str) -> bool { g(text).is_none() }",
        "(?s).*",
        &["`max`"],
    ),
    (
        "fn f(text: &str) -> bool { let g = |t: &str| { t.chars().max()?; Some(()) }; g(text).is_none() }",
        "(?s).*",
        &["`max`"],
    ),
    (
        "fn g(text: &str) -> Result<(), E> { text.parse::<Thing>()?; Ok(()) }
         fn f(text: &str) -> bool { g(text).is_err() }",
        "(?s).*",
        &["Thing"],
    ),
    // What is taken from an iterator by reference is gone, whatever becomes of it.
    (
        "fn f(text: &str) -> bool { let mut c = text.chars(); let v: Vec<char> = c.by_ref().take(9).collect(); c.next().is_none() }",
        "(?s).{0,9}",
        &[],
    ),
    (
        "use std::collections::HashSet;
         fn f(text: &str) -> bool { let mut c = text.chars(); let v: HashSet<char> = c.by_ref().take(9).collect(); c.next().is_none() }",
        "(?s).{0,9}",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut c = text.chars(); let v: Vec<char> = (&mut c).take(9).collect(); c.next().is_none() }",
        "(?s).{0,9}",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut c = text.chars(); let n = (&mut c).take_while(|c| *c == 'a').count(); n == 1 && c.next().is_none() }",
        "(?s)a[^a]?",
        &[],
    ),
    (
        "struct P<'a> { c: &'a mut std::str::Chars<'a> }
         fn f(text: &str) -> bool { let mut c = text.chars(); let p = P { c: &mut c }; p.c.take(2).count(); c.next().is_none() }",
        "(?s).{0,2}",
        &[],
    ),
    // Names in format strings are read.
    (
        "fn f(text: &str) -> bool { let mut k = \"a\"; let v: Vec<String> = text.split(',').map(|p| format!(\"{k}{p}\")).collect(); k = \"b\"; v[0] == \"bx\" && k == \"b\" }",
        "(?s).*",
        &["what changes"],
    ),
    (
        "fn f(text: &str) -> bool { let add = { let k = \"a\"; move |p: &str| format!(\"{k}{p}\") }; let k = \"b\"; add(text) == \"bx\" && k == \"b\" }",
        "(?s).*",
        &["outlives"],
    ),
    (
        "fn f(text: &str) -> bool { let add = { let k = 3; move |p: &str| format!(\"{p:>k$}\") }; let k = 1; add(text) == \"x\" && k == 1 }",
        "(?s).*",
        &["outlives"],
    ),
    // Arithmetic that is lost may have been a panic.
    ("fn f(text: &str) -> bool { let _n = 1 / (text.len() << 4); true }", "(?s).*", &["arithmetic"]),
    (
        "fn f(text: &str) -> bool { let mut n: u8 = 250; if text.starts_with('a') { n += 10; } true }",
        "(?s).*",
        &["overflows"],
    ),
    ("fn f(text: &str) -> bool { let n = 1u8; let _ = n << text.len().min(9); true }", "(?s).*", &["overflows"]),
    ("fn f(text: &str) -> bool { let _ = text.parse::<i8>().map(|n| -n); true }", "(?s).*", &["overflows"]),
    ("fn f(text: &str) -> bool { let _ = text.parse::<i8>().map(|n| n.abs()); true }", "(?s).*", &["`abs`"]),
    ("fn f(text: &str) -> bool { text.parse::<i8>().is_ok_and(|n| n * -1 > 127) }", "-0*128", &["overflows"]),
    ("fn f(text: &str) -> bool { text.parse::<i8>().is_ok_and(|n| n + -1 < -128) }", "-0*128", &["overflows"]),
    ("fn f(text: &str) -> bool { text.parse::<i8>().is_ok_and(|n| n - 1 < -128) }", "-0*128", &["overflows"]),
    ("fn f(text: &str) -> bool { text.chars().map(|c| c.len_utf8() as u8).sum::<u8>(); true }", "(?s).*", &["overflows"]),
    ("fn f(text: &str) -> bool { let _ = 10 / text.len(); true }", "(?s).+", &[]),
    ("fn f(text: &str) -> bool { let _ = text.len() - 2; true }", "(?s)..+|[^\\x00-\\x7F]", &[]),
    ("fn f(text: &str) -> bool { let _ = text.len() + text.trim().len(); true }", "(?s).*", &[]),
    (
        "fn f(text: &str) -> bool { let _ = text.find('b').unwrap() - text.find('a').unwrap(); true }",
        "(?s)[^ab]*a[^b]*b.*",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let n: u64 = text.parse().unwrap_or(1); let _ = n + text.chars().max().map_or(0, u64::from); true }",
        "(?s).*",
        &["`max`"],
    ),
    (
        "fn f(text: &str) -> bool { (text.find('b').unwrap() as i32 - text.find('a').unwrap() as i32) < 0 }",
        "(?s)[^ab]*b[^a]*a.*",
        &["difference"],
    ),
    (
        "fn f(text: &str) -> bool { text.parse::<i8>().is_ok_and(|n| -n == 5) }",
        "-0*5",
        &["overflows"],
    ),
    ("fn f(text: &str) -> bool { -(text.len() as i32) == -1 }", "[\\x00-\\x7F]", &[]),
    (
        "struct P; impl std::fmt::Display for P { fn fmt(&self, _: &mut std::fmt::Formatter) -> std::fmt::Result { panic!() } }
         fn f(text: &str) -> bool { format!(\"{}\", P); true }",
        "(?s).*",
        &["put together"],
    ),
    (
        "struct P; impl std::fmt::Display for P { fn fmt(&self, _: &mut std::fmt::Formatter) -> std::fmt::Result { panic!() } }
         fn f(text: &str) -> bool { P.to_string(); true }",
        "(?s).*",
        &["`to_string`"],
    ),
    ("fn f(text: &str) -> bool { char::from_digit(1, text.len() as u32); true }", "(?s).*", &["made of a number"]),
    // `Self` is the type of the constant.
    (
        "#[derive(PartialEq)] struct P { a: bool }
         impl P { const ONE: Self = Self { a: true }; }
         fn f(text: &str) -> bool { P { a: text == \"x\" } == P::ONE }",
        "x",
        &[],
    ),
    (
        "#[derive(PartialEq)] struct P { a: bool }
         impl P { const NO: bool = false; const ONE: Self = Self::new(!Self::NO); const fn new(a: bool) -> Self { Self { a } } }
         struct Q;
         impl Q { fn is(text: &str) -> bool { P { a: text == \"x\" } == P::ONE } const NO: bool = true; }
         fn f(text: &str) -> bool { Q::is(text) }",
        "x",
        &[],
    ),
    (
        "#[derive(PartialEq)] struct P { a: bool }
         const ONE: P = P { a: true };
         fn f(text: &str) -> bool { match (P { a: text == \"x\" }) { ONE => true, _ => false } }",
        "x",
        &[],
    ),
    (
        "#[derive(PartialEq)] struct P { a: bool }
         impl P { const ONE: Self = Self { a: true }; }
         fn f(text: &str) -> bool { matches!(P { a: text == \"x\" }, P::ONE) }",
        "x",
        &[],
    ),
    (
        "#[derive(PartialEq)] struct P { a: bool }
         trait T { const ONE: P; }
         impl T for P { const ONE: Self = Self { a: true }; }
         fn f(text: &str) -> bool { P { a: text == \"x\" } == <P as T>::ONE || matches!(P { a: text == \"y\" }, <P as T>::ONE) }",
        "(?s).*",
        &["`T::ONE`"],
    ),
    (
        "#[derive(PartialEq)] struct P(bool);
         impl P { const ONE: Self = Self(true); fn new(a: bool) -> Self { Self(a) } }
         fn f(text: &str) -> bool { P::new(text == \"x\") == P::ONE }",
        "x",
        &[],
    ),
    (
        "#[derive(PartialEq)] enum E { A, B }
         const A: u8 = 1;
         fn f(text: &str) -> bool { let e = if text == \"x\" { E::A } else { E::B }; e == E::A && matches!(e, E::A) && A == 1 }",
        "x",
        &[],
    ),
    // Much work that changes nothing is not done, and other work not to its end.
    (
        "fn f(text: &str) -> bool { let t: Vec<u32> = (0..65536).map(|i| i * 2).collect(); text.len() < 1 }",
        "",
        &["so many items"],
    ),
    (
        "fn f(text: &str) -> bool { let t: Vec<char> = (0..65536).map(|i| i as u8 as char).collect(); text.len() < 1 }",
        "",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let t: Vec<u32> = (0..65536).map(|i| { n = i; i }).collect(); n == 7 }",
        "(?s).*",
        &["so many items"],
    ),
    // What a loop that is not followed may write to is forgotten.
    (
        "struct S { n: usize }
         impl S { fn step(&mut self, c: char) -> bool { self.n += 1; true } }
         fn f(text: &str) -> bool { let mut s = S { n: 0 }; for c in mystery(text).chars() { if !s.step(c) { return false; } } s.n >= 3 }",
        "(?s).*",
        &["`mystery`"],
    ),
    (
        "fn step(n: &mut usize) { *n += 1; }
         fn f(text: &str) -> bool { let mut n = 0; for c in mystery(text).chars() { step(&mut n); } n >= 3 }",
        "(?s).*",
        &["`mystery`"],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let mut add = |c: char| n += 1; for c in mystery(text).chars() { add(c); } n >= 3 }",
        "(?s).*",
        &["`mystery`"],
    ),
    // Every other character is half a million ranges.
    ("fn f(text: &str) -> bool { text.chars().all(|c| c as u32 % 2 == 0) }", "(?s).*", &["a comparison"]),
    // What is in `Some` is wanted to be what the `Option` is of.
    (
        "fn f(text: &str) -> bool { let r: Option<Vec<Option<u8>>> = Some(text.split(',').map(|p| p.parse::<u8>().ok()).collect()); r.unwrap().len() == 1 }",
        "[^,]*",
        &[],
    ),
    // A number that is only known from below may be too large for another type.
    ("fn f(text: &str) -> bool { text.parse::<u8>().is_ok_and(|n| (n << 4) as i32 >= 0) }", U8, &[""]),
    // Names are looked for where they stand, and where they are imported from.
    (
        "mod m { pub mod n { pub fn is(s: &str) -> bool { s == \"n\" } } }
         fn is(s: &str) -> bool { s == \"root\" }
         fn f(text: &str) -> bool { use m::n::is; is(text) }",
        "n",
        &[],
    ),
    (
        "mod m { pub fn is(s: &str) -> bool { s == \"m\" } }
         fn is(s: &str) -> bool { s == \"root\" }
         fn f(text: &str) -> bool { use m::*; is(text) }",
        "m",
        &[],
    ),
    (
        "mod m { pub fn is(s: &str) -> bool { s == \"m\" } }
         mod n { pub use super::m::is as are; pub fn is(s: &str) -> bool { s == \"n\" } }
         use n::are;
         fn f(text: &str) -> bool { are(text) || n::is(text) }",
        "m|n",
        &[],
    ),
    (
        "mod m {
             pub mod n {
                 pub fn go(s: &str) -> bool { super::is(s) || crate::is(s) || super::C == s || self::is(s) }
                 fn is(s: &str) -> bool { s == \"n\" }
                 const C: &str = \"no\";
             }
             fn is(s: &str) -> bool { s == \"m\" }
             const C: &str = \"c\";
         }
         fn is(s: &str) -> bool { s == \"root\" }
         const C: &str = \"no\";
         fn f(text: &str) -> bool { m::n::go(text) }",
        "m|root|c|n",
        &[],
    ),
    (
        "use std::cmp::max;
         struct P; impl P { fn max(&self, _: usize) -> usize { 7 } }
         fn f(text: &str) -> bool { max(text.len(), 2) == 2 }",
        "(?s).*",
        &["`max`"],
    ),
    (
        "fn is(s: &str) -> bool { s == \"a\" }
         fn f(text: &str) -> bool { { fn is(s: &str) -> bool { s == \"b\" } is(text) } }",
        "(?s).*",
        &["which function"],
    ),
    (
        "fn f(text: &str) -> bool { { fn is(s: &str) -> bool { s == \"b\" } is(text) } }",
        "b",
        &[],
    ),
    (
        "#[derive(Clone)] struct A(usize);
         struct B(usize);
         impl Clone for B { fn clone(&self) -> B { B(0) } }
         fn f(text: &str) -> bool { A(text.len()).clone().0 == 1 }",
        "[\\x00-\\x7F]",
        &[],
    ),
    (
        "#[derive(PartialEq)] enum A { X(bool) }
         enum B { Y }
         impl B { fn eq(&self, _: &A) -> bool { true } }
         fn f(text: &str) -> bool { A::X(text == \"x\").eq(&A::X(true)) }",
        "x",
        &[],
    ),
    (
        "enum A { X(bool) }
         impl A { fn is(&self, s: &str) -> bool { let A::X(b) = self; *b && s == \"x\" } }
         struct B;
         impl B { fn is(&self, _: &str) -> bool { true } }
         fn f(text: &str) -> bool { A::X(true).is(text) }",
        "x",
        &[],
    ),
    (
        "trait T { fn is(s: &str) -> bool { s == \"t\" } fn go(&self, s: &str) -> bool { Self::is(s) } }
         struct P;
         impl T for P { fn is(s: &str) -> bool { s == \"p\" } }
         fn f(text: &str) -> bool { P.go(text) }",
        "(?s).*",
        &["which function"],
    ),
    (
        "trait T { fn name(&self) -> &str; fn is(&self, s: &str) -> bool { s == self.name() } }
         struct P;
         impl T for P { fn name(&self) -> &str { \"p\" } }
         struct Q;
         impl T for Q { fn name(&self) -> &str { \"q\" } }
         fn f(text: &str) -> bool { P.is(text) }",
        "p",
        &[],
    ),
    (
        "mod m { pub fn run(g: fn(&str) -> bool, s: &str) -> bool { g(s) } fn is(s: &str) -> bool { s == \"m\" } }
         fn is(s: &str) -> bool { s == \"root\" }
         fn f(text: &str) -> bool { m::run(is, text) }",
        "root",
        &[],
    ),
    (
        "struct P;
         impl P { fn is(s: &str) -> bool { s == \"p\" } }
         fn is(s: &str) -> bool { s == \"root\" }
         fn f(text: &str) -> bool { <P>::is(text) || is(text) }",
        "p|root",
        &[],
    ),
];

/// The texts that are a `u8`.
const U8: &str = r"\+?0*(?:[0-9]{1,2}|1[0-9]{2}|2[0-4][0-9]|25[0-5])";
