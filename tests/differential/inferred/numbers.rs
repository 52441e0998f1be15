//! Items about the types of numbers, each with what is inferred from them.

/// As those of [`super::items`].
pub(super) const NUMBERS: &[(&str, &str, &[&str])] = &[
    // Variables that share a name.
    (
        "fn f(s: &str) -> bool {
             let n = s.len(); let ok = n == 2; let mut n = 0; n -= 1; n < 0 && ok
         }",
        r"[\x00-\x7F]{2}|[\x{80}-\x{7FF}]",
        &[],
    ),
    (
        "fn f(s: &str) -> bool {
             let d = s.len(); let mut x = 0;
             for c in s.chars() { let d = match c { 'a' => -1, _ => 1 }; x = x + d; }
             x == -1 && d == 1
         }",
        "a",
        &[],
    ),
    (
        "fn f(s: &str) -> bool {
             let n = s.len(); let less = |n: i32| n - 5; less(1) < 0 && n == 1
         }",
        r"[\x00-\x7F]",
        &[],
    ),
    (
        "fn f(s: &str) -> bool {
             fn g() -> bool { let mut n = 0; n -= 2; n < 0 }
             let n = s.len(); n == 1 && g()
         }",
        r"[\x00-\x7F]",
        &[],
    ),
    (
        "fn f(s: &str) -> bool {
             let n = s.len();
             { let mut n = 3; n -= 4; if n != -1 { return false; } }
             if let Some(n) = Some(-3) { if n - 1 != -4 { return false; } }
             n == 1
         }",
        r"[\x00-\x7F]",
        &[],
    ),
    // Fields, and functions of the source's own.
    (
        "struct A { n: usize }
         struct B<T> { n: T }
         fn f(s: &str) -> bool {
             let mut b = B { n: 0 }; b.n -= 1; A { n: 1 }.n == 1 && b.n < 0 && s == \"a\"
         }",
        "a",
        &["whether a number below zero is a panic"],
    ),
    (
        "struct P { n: i32 }
         impl P { fn len(&self) -> i32 { self.n } }
         fn f(s: &str) -> bool { let p = P { n: 1 }; let d = p.len() - 2; d < 0 && s == \"a\" }",
        "a",
        &["whether a number below zero is a panic"],
    ),
    (
        "struct P;
         impl P { fn find(&self, n: i32) -> Option<i32> { Some(n) } }
         fn f(s: &str) -> bool { P.find(1).unwrap_or(0) - 2 == -1 && s == \"a\" }",
        "a",
        &["whether a number below zero is a panic"],
    ),
    (
        "fn f(s: &str) -> bool {
             [3, -1].into_iter().find(|x| *x < 3).unwrap_or(0) - 1 == -2 && s == \"a\"
         }",
        "a",
        &["overflows"],
    ),
    (
        "const N: u8 = 3;
         struct A;
         impl A { const N: i32 = 3; }
         fn f(s: &str) -> bool { A::N - 4 < 0 && s == \"a\" && N == 3 }",
        "a",
        &["whether a number below zero is a panic"],
    ),
    // What takes a number, or is returned.
    (
        "fn g(n: u8) -> bool { n > 0 }
         fn f(s: &str) -> bool {
             let mut n = 254;
             if s.starts_with('a') { n += 1; }
             if s.ends_with('b') { n += 1; }
             g(n)
         }",
        "(?s).*",
        &["overflows"],
    ),
    (
        "fn g(s: &str) -> Option<i8> {
             let mut n = 100;
             if s.starts_with('a') { n += 20; }
             if s.ends_with('b') { n += 20; }
             Some(n)
         }
         fn f(s: &str) -> bool { g(s).is_some() }",
        "(?s).*",
        &["overflows"],
    ),
    (
        "fn f(s: &str) -> bool {
             let all = [1u8, 2]; let mut n = 254;
             if s.starts_with('a') { n += 1; }
             if s.ends_with('b') { n += 1; }
             all[0] != n
         }",
        "(?s).*",
        &["overflows"],
    ),
    (
        "fn f(s: &str) -> bool {
             let mut n = 254;
             if s.starts_with('a') { n += 1; }
             if s.ends_with('b') { n += 1; }
             char::from(n) != 'x'
         }",
        "(?s).*",
        &["overflows"],
    ),
    (
        "fn f(s: &str) -> bool {
             let mut n = 1000;
             for c in s.chars() { if c == 'a' { n += 1000; } }
             n == 2000
         }",
        "(?s)[^a]*a[^a]*",
        &[],
    ),
    // Numbers of one round of a loop in the next.
    (
        "fn f(s: &str) -> bool { let mut p = 9; for c in s.chars() { p = c as u32 % 2; } p == 1 }",
        "(?s).+",
        &["not followed"],
    ),
    (
        "fn f(s: &str) -> bool { let mut t = 1; for c in s.chars() { t = c as u8; } t != 0 }",
        "(?s).*",
        &["not followed"],
    ),
    (
        "fn f(s: &str) -> bool { s.chars().fold(0, |_, c| c as u32 % 2) == 1 }",
        "(?s).+",
        &["not followed"],
    ),
    (
        "fn f(s: &str) -> bool {
             let mut t = 0u8;
             for b in s.bytes() { t = b.wrapping_sub(b'0'); }
             t == 1
         }",
        "(?s).+",
        &["not followed"],
    ),
    (
        "fn f(s: &str) -> bool {
             let mut n = 0u8;
             for b in s.bytes() {
                 n = match n.checked_add(b.wrapping_sub(b'0')) { Some(n) => n, None => return false };
             }
             n == 1
         }",
        "(?s).+",
        &["not followed"],
    ),
    (
        "fn f(s: &str) -> bool {
             let mut n = 0u8;
             for b in s.bytes() { let d = b.wrapping_sub(b'0'); n += d; }
             n == 1
         }",
        "(?s).+",
        &["not followed"],
    ),
    // What is of a type that is written elsewhere.
    (
        "fn f(s: &str) -> bool {
             let mut n = 0; if s.starts_with('a') { n -= 1; } let m: u8 = n; m < 3
         }",
        "(?s)(?:[^a].*)?",
        &[],
    ),
    (
        "fn f(s: &str) -> bool {
             let mut n = 0; if s.starts_with('a') { n -= 1; } !(n..5).contains(&7u8)
         }",
        "(?s).*",
        &["whether a number below zero is a panic"],
    ),
    (
        "const K: u8 = 3;
         fn f(s: &str) -> bool {
             let mut n = 0; if s.starts_with('a') { n -= 1; } match n { K => false, _ => true }
         }",
        "(?s).*",
        &["whether a number below zero is a panic"],
    ),
    (
        "fn g(s: &str) -> Result<u8, i32> {
             let mut n = 0; if s.starts_with('a') { n -= 1; } Err(n)
         }
         fn f(s: &str) -> bool { g(s) == Err(-1) }",
        "(?s)a.*",
        &[],
    ),
    (
        "fn f(s: &str) -> bool {
             let mut n = 0; if s.starts_with('a') { n -= 1; }
             let (.., m): (i64, i64, u8) = (1, 2, n); m < 3
         }",
        "(?s)(?:[^a].*)?",
        &[],
    ),
    (
        "struct P;
         impl P { fn go(&self, n: i32, m: u8) -> bool { n < 0 && m == 3 } }
         fn f(s: &str) -> bool {
             let mut n = 0; if s.starts_with('a') { n -= 1; } P::go(&P, n, 3)
         }",
        "(?s)a.*",
        &["whether a number below zero is a panic"],
    ),
    (
        "struct P;
         impl P { fn unwrap(self) -> u8 { 1 } }
         fn f(s: &str) -> bool {
             let n = Some(1).unwrap() - 2; n < 0 && s == \"a\"
         }",
        "a",
        &["whether a number below zero is a panic"],
    ),
    (
        "struct P { start: u8 }
         fn f(s: &str) -> bool { let r = 1..5; r.start - 2 == -1 && s == \"a\" }",
        "a",
        &["a field of something"],
    ),
    (
        "trait T { type Out; }
         type Out = u8;
         struct P;
         impl T for P { type Out = i16; }
         fn g(n: <P as T>::Out) -> bool { n - 2 == -1 }
         fn f(s: &str) -> bool { g(1) && s == \"a\" }",
        "a",
        &[],
    ),
    (
        "fn f(s: &str) -> bool {
             let mut a = [0u8; 3]; for c in s.chars() { if c == 'a' { a[1] += 1; } } a[0] == 0
         }",
        "(?s).*",
        &["overflows"],
    ),
    (
        "fn f(s: &str) -> bool {
             s.chars().next().and_then(|c| c.to_digit(10)).map(|d| d as u8).map(|d| d * 30).is_some()
         }",
        "(?s)[0-9].*",
        &["overflows"],
    ),
    (
        "fn f(s: &str) -> bool { let k = -1i32; k as u128 > 5 && s == \"a\" }",
        "a",
        &["cast"],
    ),
    (
        "fn f(s: &str) -> bool {
             let mut n = 0; if s.starts_with('a') { n -= 1; }
             let _ = format!(\"{s:n$}\"); n < 3
         }",
        "(?s).*",
        &["whether a number below zero is a panic"],
    ),
    // Indices, one a byte.
    (
        "fn f(s: &str) -> bool { for i in 0..s.len() { if i > 1 { return false; } } true }",
        r"(?:[\x00-\x7F]{1,2}|[\x{80}-\x{7FF}])?",
        &[],
    ),
    (
        "fn f(s: &str) -> bool { let mut n = 0; for _ in 0..s.as_bytes().len() { n += 1; } n < 3 }",
        r"(?:[\x00-\x7F]{1,2}|[\x{80}-\x{7FF}])?",
        &[],
    ),
    (
        "fn f(s: &str) -> bool { (0..s.len()).all(|i| i != 2) }",
        r"(?:[\x00-\x7F]{1,2}|[\x{80}-\x{7FF}])?",
        &[],
    ),
    (
        "fn f(s: &str) -> bool {
             let b = s.as_bytes(); for i in 0..b.len() { if b[i] >= 0x80 { return false; } } true
         }",
        r"[\x00-\x7F]*",
        &[],
    ),
    (
        "fn f(s: &str) -> bool {
             let b = s.as_bytes(); let mut n = 0;
             for i in 0..b.len() { if b[i] & 0xC0 == 0x80 { n += 1; } } n == 1
         }",
        "(?s).+",
        &["a comparison"],
    ),
    ("fn f(s: &str) -> bool { (0..s.chars().count()).count() == 2 }", "(?s)..", &[]),
    // Arms that end elsewhere, or that assign.
    (
        "fn f(s: &str) -> bool {
             let mut sum = 0;
             for c in s.chars() { sum += match c { 'I' => 1, 'C' => 100, _ => return false }; }
             sum == 2
         }",
        "II",
        &[],
    ),
    (
        "fn f(s: &str) -> bool {
             let mut score = 0;
             for c in s.chars() { match c { 'a' => score += 50, _ => {} } }
             score == 150
         }",
        "(?s)(?:[^a]*a){3}[^a]*",
        &[],
    ),
];
