//! Items in which something is written to, lent, moved on or dropped, each with what is inferred from them.

/// As those of [`super::items`].
pub(super) const EFFECTS: &[(&str, &str, &[&str])] = &[
    // Whatever takes an iterator by reference moves it.
    (
        "fn rest(c: &mut std::str::Chars) -> String { c.collect() }
         fn f(text: &str) -> bool { let mut c = text.chars(); rest(&mut c) == \"a\" && c.next().is_none() }",
        "a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut c = text.chars(); let e = c.by_ref().eq(\"ab\".chars()); !e && c.next().is_none() }",
        "(?s)(?:.|a[^b]|ab.)?",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut r = 0..2; r.next(); text.is_empty() && r.next() == Some(0) }",
        "[a&&b]",
        &[],
    ),
    // What is written to may be what an expression leads to.
    (
        "fn f(text: &str) -> bool { let (mut a, mut b) = (0, 0); for c in text.chars() { *(if c == 'a' { &mut a } else { &mut b }) += 1; } a == 1 && b == 1 }",
        "(?s)a[^a]|[^a]a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let (mut a, mut b) = (0, 0); *match text { \"a\" => &mut a, _ => &mut b } += 1; a == 1 }",
        "a",
        &[],
    ),
    (
        "fn pick<'a>(a: &'a mut usize, b: &'a mut usize, c: char) -> &'a mut usize { if c == 'a' { a } else { b } }
         fn f(text: &str) -> bool { let (mut a, mut b) = (0, 0); for c in text.chars() { *pick(&mut a, &mut b, c) += 1; } a == 1 && b == 1 }",
        "(?s)a[^a]|[^a]a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let (mut a, mut b) = (0, 0); let r = &mut *(if text == \"a\" { &mut a } else { &mut b }); *r = 1; a == 1 }",
        "a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let (mut a, mut b) = (String::new(), String::new()); (*(if text == \"a\" { &mut a } else { &mut b })).push('x'); a == \"x\" }",
        "a",
        &[],
    ),
    (
        "struct P { n: usize }
         fn pick(p: &mut P) -> &mut P { p }
         fn f(text: &str) -> bool { let mut p = P { n: 0 }; pick(&mut p).n = 1; p.n == 1 && text == \"a\" }",
        "a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let (mut a, mut b) = (0, 0); *mystery(&mut a, &mut b) += 1; a == 1 }",
        "(?s).*",
        &["`mystery`"],
    ),
    (
        "fn f(text: &str) -> bool { let (mut a, mut b) = (0, 0); [a, b] = [1, 2]; a == 1 && b == 2 && text == \"a\" }",
        "a",
        &["assigned to"],
    ),
    (
        "struct P<'a> { v: &'a mut [usize] }
         fn f(text: &str) -> bool { let mut v = [0, 0]; let p = P { v: &mut v }; p.v[text.len() % 2] = 5; v[0] == 5 }",
        "(?s).*",
        &["assigned to"],
    ),
    (
        "struct W<'a>(&'a mut usize);
         impl std::ops::AddAssign<usize> for W<'_> { fn add_assign(&mut self, more: usize) { *self.0 += more; } }
         fn f(text: &str) -> bool { let mut n = 0; { let mut w = W(&mut n); w += 1; } n == 1 }",
        "(?s).*",
        &["operator"],
    ),
    // Another reference is assigned to a place that holds one.
    (
        "struct P<'a> { r: &'a mut usize }
         fn f(text: &str) -> bool { let (mut a, mut b) = (0, 0); let mut p = P { r: &mut a }; p.r = &mut b; *p.r += 1; a == 0 && b == 1 && text == \"a\" }",
        "a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let (mut a, mut b) = (0, 0); let mut r = &mut a; { let rr = &mut r; *rr = &mut b; } *r = 1; a == 0 && b == 1 && text == \"a\" }",
        "a",
        &["assigned to"],
    ),
    // An index is evaluated once.
    (
        "fn f(text: &str) -> bool { let mut n = 0; let mut next = || { n += 1; n }; let mut a = [0; 5]; a[next()] += 1; a[next()] += 1; n == 2 && a[1] == 1 && text.len() == 1 }",
        "[\\x00-\\x7F]",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut i = 0; let mut a = [0usize; 3]; a[{ i += 1; i - 1 }] += text.len(); i == 1 && a[0] == 1 }",
        "[\\x00-\\x7F]",
        &[],
    ),
    // Patterns with `ref mut` lend what they match.
    (
        "fn f(text: &str) -> bool { let mut o = text.find(':'); if let Some(ref mut i) = o { *i += 1; } match o { Some(i) => &text[i..] == \"a\", None => false } }",
        "[^:]*:a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut o = Some(text.len()); match o { Some(ref mut i) if *i > 0 => *i -= 1, _ => {} } o == Some(0) }",
        "[\\x00-\\x7F]?",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut a = [1, 2]; let [ref mut x, _] = a; *x += 1; a[0] == 2 && text == \"a\" }",
        "a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut a = [1, 2]; let [.., ref mut x] = a; *x += 1; a[1] == 3 && text == \"a\" }",
        "a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut p = (0, 1); let (ref mut a, b) = p; *a += 1; p.1 = 5; p.0 == 1 && b == 1 && text == \"a\" }",
        "a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut v = [1, 2]; if let [_, rest @ ..] = &mut v { rest[0] = 5; } v[1] == 5 }",
        "(?s).*",
        &["assigned to"],
    ),
    // What a closure takes with it is not what becomes of it around.
    (
        "fn f(text: &str) -> bool { let mut k = 'a'; let f = move |c| c == k; k = 'b'; text.chars().all(f) && k == 'b' }",
        "(?s).*",
        &["takes"],
    ),
    (
        "fn f(text: &str) -> bool { let mut k = 'a'; let n = text.chars().filter(move |c| *c == k); k = 'b'; n.count() == 1 && k == 'b' }",
        "(?s).+",
        &["takes"],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let mut up = move || { n += 1; n }; up(); n == 0 && text == \"a\" }",
        "a",
        &["takes"],
    ),
    (
        "fn f(text: &str) -> bool { let mut k = 'a'; if text.len() > 3 { k = 'b'; } text.chars().all(move |c| c == k) }",
        "a{0,3}|b{4,}",
        &[],
    ),
    // Nor is what it sees what stands there later.
    (
        "fn f(text: &str) -> bool {
             let mut it: Box<dyn Iterator<Item = char>> = Box::new(text.chars());
             if text.starts_with(':') { let k = 'a'; it = Box::new(text.chars().filter(move |c| *c != k)); }
             let k = 'b';
             it.count() == 2 && k == 'b'
         }",
        "(?s):.*|[^:].",
        &["outlives"],
    ),
    (
        "fn f(text: &str) -> bool {
             let mut fs: Vec<Box<dyn Fn(char) -> bool>> = Vec::new();
             for i in ['a', 'b'] { fs.push(Box::new(move |x| x == i)); }
             let i = ':';
             text.chars().next().is_some_and(|c| fs[0](c)) && i == ':'
         }",
        "(?s).+",
        &["outlives"],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let r = &mut n; let mut up = { let k = 1; move || *r += k }; up(); n == 1 }",
        "(?s).*",
        &["outlives"],
    ),
    // What is dropped may do something then.
    (
        "struct D<'a>(&'a mut usize);
         impl Drop for D<'_> { fn drop(&mut self) { *self.0 += 1; } }
         fn f(text: &str) -> bool { let mut n = 0; { let _d = D(&mut n); if text.is_empty() { return false; } } n == 1 }",
        "(?s).+",
        &["dropping"],
    ),
    (
        "struct D<'a> { n: &'a mut usize }
         impl Drop for D<'_> { fn drop(&mut self) { *self.n += 1; } }
         fn f(text: &str) -> bool { let mut n = 0; drop(D { n: &mut n }); n == 1 }",
        "(?s).*",
        &["dropping"],
    ),
    (
        "struct D; impl Drop for D { fn drop(&mut self) { panic!() } }
         fn f(text: &str) -> bool { let _d = D; true }",
        "(?s).*",
        &["dropping"],
    ),
    // Behind the end there may be more.
    (
        "fn f(text: &str) -> bool { let mut m = text.chars().map_while(|c| if c == ':' { None } else { Some(c) }); m.next() == None && m.next() == Some('a') }",
        "(?s):a.*",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut m = text.chars().map_while(|c| if c == ':' { None } else { Some(c) }).fuse(); m.next() == None && m.next() == None }",
        "(?s)(?::.*)?",
        &[],
    ),
    // What was looked at is not taken again.
    (
        "fn f(text: &str) -> bool { let mut n = 0; { let mut it = text.chars().map(|c| { n += 1; c }).peekable(); it.peek(); it.next(); } n == 1 }",
        "(?s).+",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut pos = 0; let mut it = text.chars().inspect(|_| pos += 1).peekable(); while let Some(_) = it.next() { if it.peek() == Some(&'b') { it.next(); } } pos == 2 }",
        "(?s)..",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut src = text.chars(); { let mut it = src.by_ref().enumerate().peekable(); it.peek(); it.next(); } src.next().is_none() }",
        "(?s).?",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut src = text.chars(); { let mut it = src.by_ref().peekable(); it.peek(); } src.as_str() == \"b\" }",
        "(?s).b",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut src = text.chars(); { let mut it = src.by_ref().zip(\"\".chars()).peekable(); it.peek(); it.next(); } src.next().is_none() }",
        "(?s).?",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; { let mut it = text.chars().map(|c| { n += 1; c }).peekable(); it.next_if(|&c| c == 'x'); it.next(); } n == 1 }",
        "(?s)[^x].*|x",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; { let mut it = text.chars().map(|c| { n += 1; c }).peekable(); it.next_if_eq(&'x'); it.next(); } n == 1 }",
        "(?s)[^x].*|x",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut m = text.chars().map_while(|c| if c == ':' { None } else { Some(c) }); let mut it = m.by_ref().filter(|_| true).peekable(); it.peek(); it.next().is_none() }",
        "(?s).*",
        &["`peekable`"],
    ),
    // What is compared item by item is taken, as far as it is the same.
    (
        "fn f(text: &str) -> bool { let mut n = 0; let _ = text.chars().map(|c| { n += 1; c }).eq(\"ab\".chars()); n == 2 }",
        "(?s)ab|a[^b].*",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let _ = \"ab\".chars().ne(text.chars().map(|c| { n += 1; c })); n == 2 }",
        "(?s)ab|a[^b].*",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let _ = text.chars().map(|c| { if c == 'b' { panic!() } c }).eq(\"a\".chars()); true }",
        "(?s)(?:[^ab].*|a(?:[^b].*)?)?",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut src = text.chars(); let _ = src.by_ref().filter(|c| *c != 'b').eq(\"a\".chars()); src.next().is_none() }",
        "(?s)b*(?:[^ab]|ab*[^b]?)?",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut src = text.chars(); src.by_ref().take(1).eq(['a']) && src.as_str() == \"b\" }",
        "ab",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut it = ['a', 'b'].into_iter(); let _ = text.chars().eq(&mut it); it.next().is_none() }",
        "(?s)a.*",
        &[],
    ),
    (
        "fn g(c: &mut std::str::Chars) -> bool { c.eq(['a']) }
         fn f(text: &str) -> bool { let mut c = text.chars(); g(&mut c); c.next().is_none() }",
        "(?s)[^a]|(?:a.?)?",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let _ = [1, 2].iter().map(|k| { n += 1; k }).eq([1].iter()); n == 2 && text == \"a\" }",
        "a",
        &["`eq`"],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let _ = (0..2).eq(text.chars().map(|_| { n += 1; 7 })); n == 1 }",
        "(?s).*",
        &["`eq`"],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let _ = text.chars().map(|c| { n += 1; c }).lt(\"ab\".chars()); n == 2 }",
        "(?s).*",
        &["`lt`"],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let _ = \"ab\".chars().cmp(text.chars().map(|c| { n += 1; c })); n == 2 }",
        "(?s).*",
        &["`cmp`"],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let mut v = Vec::new(); v.extend(text.chars().map(|c| { n += 1; c })); n == 2 }",
        "(?s).*",
        &["`extend`"],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 0; let k = [1, 2].iter().map(|_| n += 1).len(); n == 0 && k == 2 && text == \"a\" }",
        "a",
        &[],
    ),
    // What can be written to from anywhere is not what it is at first.
    (
        "static mut SEEN: bool = false;
         fn f(text: &str) -> bool { unsafe { SEEN = true; SEEN && text == \"a\" } }",
        "a",
        &["assigned to"],
    ),
    (
        "static mut SEEN: bool = false;
         fn f(text: &str) -> bool { unsafe { text == \"a\" && SEEN } }",
        "a",
        &["`static mut`"],
    ),
    (
        "struct G { n: u8 }
         static mut G: G = G { n: 0 };
         fn f(text: &str) -> bool { unsafe { G.n = 1; G.n == 1 && text == \"a\" } }",
        "a",
        &["assigned to"],
    ),
    (
        "fn f(text: &str) -> bool { static mut N: u8 = 0; unsafe { N += 1; N > 0 && text == \"a\" } }",
        "a",
        &["`static mut`"],
    ),
    (
        "use std::sync::atomic::{AtomicBool, Ordering};
         static B: AtomicBool = AtomicBool::new(false);
         fn f(text: &str) -> bool { B.store(true, Ordering::Relaxed); B.load(Ordering::Relaxed) && text == \"a\" }",
        "a",
        &["`AtomicBool::new`"],
    ),
    (
        "static M: std::sync::Mutex<u8> = std::sync::Mutex::new(0);
         fn f(text: &str) -> bool { *M.lock().unwrap() = 1; *M.lock().unwrap() == 1 && text == \"a\" }",
        "a",
        &[""],
    ),
    (
        "static O: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
         fn f(text: &str) -> bool { let _ = O.set(true); O.get() == Some(&true) && text == \"a\" }",
        "a",
        &[""],
    ),
    (
        "std::thread_local! { static N: std::cell::Cell<u8> = std::cell::Cell::new(0); }
         fn f(text: &str) -> bool { N.with(|n| n.set(1)); N.with(|n| n.get() == 1) && text == \"a\" }",
        "a",
        &["`with`"],
    ),
    // What is copied or moved is so before the arguments.
    (
        "fn f(text: &str) -> bool { let mut o = text.chars().next(); let c = o.unwrap_or({ o = None; 'x' }); c == 'a' && o.is_none() }",
        "(?s)a.*",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut o = text.chars().next(); let r = &mut o; let c = r.unwrap_or({ *r = None; 'x' }); c == 'a' && o.is_none() }",
        "(?s)a.*",
        &[],
    ),
    (
        "#[derive(Clone, Copy)] struct P { n: u8 }
         impl P { fn plus(self, m: u8) -> u8 { self.n + m } }
         fn f(text: &str) -> bool { let mut p = P { n: 1 }; p.plus({ p.n = 5; 1 }) == 2 && p.n == 5 && text == \"a\" }",
        "a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut n = 2; let m = n.min({ n = 0; 5 }); m == 2 && n == 0 && text == \"a\" }",
        "a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut c = text.chars(); let k = c.take({ c = \"\".chars(); 1 }).count(); k == 1 && c.next().is_none() }",
        "(?s).+",
        &[],
    ),
    // What is indexed is read behind the index.
    (
        "fn f(text: &str) -> bool { let mut a = [1, 2]; let x = a[{ a = [3, 4]; 0 }]; x == 3 && text == \"a\" }",
        "a",
        &[],
    ),
    (
        "fn f(text: &str) -> bool { let mut i = 0; let mut a = [[1, 2], [5, 6]]; let x = a[i][{ a = [[3, 4], [7, 8]]; i = 1; 0 }]; x == 3 && i == 1 && text == \"a\" }",
        "a",
        &["what an index writes to"],
    ),
];
