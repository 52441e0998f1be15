//! A program that does one of many things, by the first word of its input. It has no dependencies, so that the
//! compiler alone builds it; `tests/programs.rs` runs it natively and in the machine.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{BufRead, Read, Seek, SeekFrom, Write};
use std::rc::{Rc, Weak};
use std::sync::{Mutex, Once, OnceLock, RwLock};

thread_local! {
    static LOUD: Loud = const { Loud(Cell::new(1)) };
    static LATER: RefCell<Vec<Loud>> = const { RefCell::new(Vec::new()) };
}

struct Loud(Cell<u32>);

impl Drop for Loud {
    fn drop(&mut self) {
        println!("dropped {}", self.0.get());
    }
}

trait Shape {
    fn area(&self) -> f64;
    fn name(&self) -> String {
        String::from("shape")
    }
}

struct Square(f64);
struct Circle(f64);

impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        std::f64::consts::PI * self.0.powi(2)
    }
    fn name(&self) -> String {
        "circle".to_owned()
    }
}

fn main() {
    let mut text = String::new();
    std::io::stdin().lock().read_line(&mut text).expect("a line of text");
    let text = text.trim_end_matches('\n');
    let (what, rest) = text.split_once(' ').unwrap_or((text, ""));
    match what {
        "integers" => integers(rest),
        "floats" => floats(rest),
        "wide" => wide(rest),
        "bits" => bits(rest),
        "text" => words(rest),
        "collect" => collect(rest),
        "objects" => objects(rest),
        "files" => files(rest),
        "corners" => corners(),
        "opened" => opened(),
        "paths" => paths(),
        "sections" => sections(),
        "descriptors" => descriptors(),
        "locals" => locals(),
        "locks" => locks(),
        "lanes" => lanes(rest.as_bytes()),
        "environment" => environment(),
        "signals" => signals(),
        "rest" => {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).expect("the rest");
            println!("{} {:?}", bytes.len(), &bytes[..bytes.len().min(5)]);
        }
        "split" => println!("{:?}", rest.split_at(9)),
        "exit" => {
            LOUD.with(|loud| loud.0.set(9));
            print!("no line end");
            std::process::exit(rest.parse().unwrap_or(1))
        }
        "abort" => std::process::abort(),
        "thread" => std::thread::spawn(|| println!("hello")).join().expect("it ends"),
        "socket" => println!("{}", std::net::TcpListener::bind("127.0.0.1:0").is_ok()),
        "deep" => println!("{}", deep(rest.parse().expect("a number"))),
        "endless" => loop {
            black_box(());
        },
        "hook" => {
            std::panic::set_hook(Box::new(|info| {
                println!("hooked {}", info.location().map_or(0, |at| at.line()));
            }));
            panic!("behind a hook");
        }
        "caught" => println!("{:?}", std::panic::catch_unwind(|| rest.parse::<u8>().unwrap()).is_ok()),
        _ => println!("{what:?} is unknown"),
    }
}

fn deep(n: u64) -> u64 {
    let room = black_box([n; 16]);
    if n == 0 { 0 } else { deep(n - 1) + room[3] }
}

fn integers(text: &str) {
    let numbers: Vec<i64> = text.split(',').map(|word| word.trim().parse().unwrap()).collect();
    let (a, b) = (numbers[0], numbers[1]);
    println!("{:?} {:?} {:?}", a.checked_mul(b), a.checked_rem(b), a.overflowing_sub(b));
    println!("{} {}", a.wrapping_mul(b) as i16, (a as i8).saturating_add(b as i8));
    println!("{} {}", (a as u32).rotate_left(b as u32), (a as u16).swap_bytes());
    println!("{:?} {}", a.cmp(&b), a.rem_euclid(b));
    println!("{} {}", (a as i32) / (b as i32), a + b);
    println!("{}", a * b);
}

fn wide(text: &str) {
    let (a, b) = text.split_once(' ').expect("two numbers");
    let (a, b): (i128, i128) = (a.parse().unwrap(), b.parse().unwrap());
    println!("{} {:x} {}", a.wrapping_mul(b), a ^ b, a as f64);
    println!("{:?} {:?}", a.checked_div(b), a.checked_rem(b));
    println!("{} {}", a.leading_zeros(), (a as u128).count_ones());
    println!("{:?}", (a as u128).checked_mul(b as u128));
    println!("{}", a - b);
}

fn floats(text: &str) {
    let x: f64 = text.parse().unwrap();
    println!("{x} {x:?} {x:e} {x:.3} {}", x as f32);
    println!("{} {} {} {}", x as i8, x as u64, x as i128, (x as f32) as u32);
    println!("{} {} {}", x.floor(), x.round(), x.trunc());
    println!("{} {} {}", x.sqrt(), x.sin(), x.exp());
    println!("{} {} {}", x.powf(0.3), x.ln(), x.cbrt());
    println!("{} {} {}", x.hypot(2.0), x.rem_euclid(0.7), x.mul_add(3.0, 1e-9));
    println!("{:?} {:?}", x.partial_cmp(&1.0), x.total_cmp(&-0.0));
    println!("{} {}", x.max(f64::NAN), (x as f32 / 3.0).to_bits());
    println!("{:?} {}", x.classify(), x.clamp(-1.0, 1.0));
}

fn bits(text: &str) {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    println!("{hash:x} {:b} {:o}", hash as u8, hash as u16);
    println!("{} {}", hash.leading_zeros(), hash.reverse_bits());
    println!("{} {}", hash.trailing_zeros(), (hash as u32).count_ones());
    println!("{:?}", hash.to_be_bytes());
    println!("{}", (hash as i32).abs_diff(7));
    println!("{:?}", (hash >> 3).checked_shl(text.len() as u32));
}

fn words(text: &str) {
    println!("{} {} {}", text.to_uppercase(), text.to_lowercase(), text.len());
    let reversed: String = text.chars().rev().collect();
    println!("{reversed} {:?}", text.char_indices().nth(2));
    println!("{:?}", text.split_whitespace().map(str::len).collect::<Vec<_>>());
    println!("{:?} {:?}", text.find("ab"), text.rfind(char::is_numeric));
    println!("{}", text.replace('a', "<>").trim_matches('x'));
    println!("{:?} {:?}", text.parse::<bool>(), text.parse::<char>());
    println!("{:?}", text.parse::<std::net::IpAddr>().map_err(|error| error.to_string()));
    println!("{:?}", String::from_utf16(&text.encode_utf16().collect::<Vec<_>>()));
    println!("{}", &text[1..4]);
}

fn collect(text: &str) {
    let mut sorted: Vec<&str> = text.split(' ').collect();
    sorted.sort_unstable();
    sorted.dedup();
    let mut counts = BTreeMap::new();
    for c in text.chars() {
        *counts.entry(c).or_insert(0) += 1;
    }
    let mut heap: BinaryHeap<_> = counts.values().copied().collect();
    let mut queue: VecDeque<_> = (0..text.len()).collect();
    queue.rotate_left(text.len() / 2);
    println!("{sorted:?} {counts:?} {:?} {queue:?}", heap.pop());
    let mut map = HashMap::new();
    for (i, word) in text.split(' ').enumerate() {
        map.insert(word, i);
    }
    let mut all: Vec<_> = map.into_iter().collect();
    all.sort();
    println!("{all:?}");
    let mut numbers: Vec<u32> = (0..500).map(|i| i * 7919 % 1009).collect();
    numbers.sort();
    println!("{:?} {}", numbers.binary_search(&500), numbers.iter().sum::<u32>());
    println!("{:?}", sorted.chunks(2).map(|pair| pair[1].len()).collect::<Vec<_>>());
}

fn objects(text: &str) {
    let size = text.parse().unwrap_or(2.5);
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(size)), Box::new(Circle(size))];
    for shape in &shapes {
        println!("{} {:.4}", shape.name(), shape.area());
    }
    let node = Rc::new(RefCell::new(vec![1]));
    let weak: Weak<_> = Rc::downgrade(&node);
    node.borrow_mut().push(Rc::strong_count(&node));
    println!("{node:?} {}", weak.upgrade().is_some());
    drop(node);
    println!("{:?}", weak.upgrade());
    let cell = RefCell::new(text.to_owned());
    let first = cell.borrow();
    if text.is_empty() {
        cell.borrow_mut().push('!');
    }
    println!("{first}");
}

fn files(text: &str) {
    let folder = std::env::temp_dir().join(format!("pleach-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("one");
    let mut file = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(&path)
        .expect("a file");
    writeln!(file, "{text} {text}").expect("it is written");
    file.seek(SeekFrom::Start(2)).expect("it is a file");
    let mut back = String::new();
    file.read_to_string(&mut back).expect("it is text");
    println!("{back:?} {}", file.metadata().expect("it is there").len());
    std::fs::rename(&path, folder.join("two")).expect("a new name");
    let names = std::fs::read_dir(&folder).expect("a folder");
    println!("{:?}", names.map(|name| name.expect("a name").file_name()).collect::<Vec<_>>());
    println!("{:?} {:?}", path.exists(), std::fs::read(folder.join("two")).map(|b| b.len()));
    println!("{:?}", std::fs::read(&path).map_err(|error| error.kind()));
    println!("{:?}", std::fs::remove_dir(&folder).map_err(|error| error.kind()));
    std::fs::remove_file(folder.join("two")).expect("it was there");
    std::fs::remove_dir(&folder).expect("it is empty");
}

/// What few programs ask for.
fn corners() {
    let folder = std::env::temp_dir().join(format!("pleach-corners-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (path, none) = (folder.join("five"), folder.join("none"));
    std::fs::write(&path, "12345").expect("a file");
    let mut file = std::fs::File::open(&path).expect("it is there");
    file.seek(SeekFrom::Start(100)).expect("it is a file");
    println!("{:?} {:?}", file.read(&mut [0; 4]).ok(), file.stream_position().ok());
    println!("{:?}", std::fs::File::open(&none).map(|_| ()).map_err(|error| error.to_string()));
    println!("{:?}", std::fs::read_link(&none).map_err(|error| error.kind()));
    println!("{:?}", std::fs::read_link(&path).map_err(|error| error.kind()));
    println!("{} {:?}", std::path::Path::new("").exists(), std::fs::write("", "a").map_err(|error| error.kind()));
    let locked = std::fs::metadata(&path).expect("it is there").permissions();
    println!("{:?}", std::fs::set_permissions(&none, locked).map_err(|error| error.kind()));
    std::fs::remove_file(&path).expect("it was there");
    std::fs::remove_dir(&folder).expect("it is empty");
    let began = std::time::Instant::now();
    std::thread::sleep(std::time::Duration::from_millis(3));
    println!("{}", began.elapsed() >= std::time::Duration::from_millis(3));
    #[repr(align(128))]
    struct Aligned([u8; 128]);
    let (one, aligned) = (black_box(1_u8), black_box(Aligned([0; 128])));
    println!("{} {}", one, (&raw const aligned).addr() % 128 + usize::from(aligned.0[5]));
    println!("{}", Vec::<u8>::new().try_reserve(black_box(isize::MAX as usize)).is_err());
}

/// Files that are open keep what they are, whatever becomes of their names.
fn opened() {
    let folder = std::env::temp_dir().join(format!("pleach-opened-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (one, two) = (folder.join("one"), folder.join("two"));
    let options = || std::fs::OpenOptions::new();
    let text = |file: &mut std::fs::File| {
        let mut text = String::new();
        file.read_to_string(&mut text).map(|_| text).map_err(|error| error.raw_os_error())
    };
    let mut file = options().read(true).write(true).create(true).open(&one).expect("a file");
    file.write_all(b"0123456789").expect("it is written");
    std::fs::rename(&one, &two).expect("a new name");
    file.write_all(b"ab").expect("it is written");
    println!("{:?} {}", std::fs::read_to_string(&two).ok(), one.exists());
    std::fs::write(&one, "another").expect("a file");
    let mut other = std::fs::File::open(&two).expect("it is there");
    println!("{:?} {:?}", other.read(&mut [0; 3]).ok(), file.stream_position().ok());
    let mut shared = other.try_clone().expect("a descriptor");
    println!("{:?} {:?}", shared.seek(SeekFrom::Current(2)).ok(), other.stream_position().ok());
    std::fs::remove_file(&two).expect("it was there");
    println!("{:?} {:?}", text(&mut other), other.metadata().map(|it| it.len()).ok());
    std::fs::rename(&one, &two).expect("a new name");
    file.rewind().expect("it is a file");
    println!("{:?} {:?}", text(&mut file), std::fs::read_to_string(&two).ok());
    let mut append = options().append(true).open(&two).expect("it is there");
    append.rewind().expect("it is a file");
    append.write_all(b" one").expect("it is written");
    println!("{:?} {:?}", text(&mut append), append.stream_position().ok());
    println!("{:?}", other.write(b"x").map_err(|error| error.raw_os_error()));
    println!("{:?}", other.set_len(3).map_err(|error| error.raw_os_error()));
    file.set_len(3).expect("it may be written");
    file.set_len(6).expect("it may be written");
    file.rewind().expect("it is a file");
    println!("{:?}", text(&mut file));
    std::fs::remove_dir_all(&folder).expect("it is there");
    println!("{}", folder.exists());
}

/// What paths lead to, and what is said of it.
fn paths() {
    use std::os::unix::fs::MetadataExt;
    let folder = std::env::temp_dir().join(format!("pleach-paths-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("a/b")).expect("a folder");
    let path = folder.join("a/file");
    std::fs::write(&path, "text").expect("a file");
    let error = |path: &str| {
        std::fs::File::open(folder.join(path)).map(|_| ()).map_err(|error| error.raw_os_error())
    };
    println!("{:?} {:?} {:?}", error("a/file/"), error("a/none/../file"), error("a/b/../file"));
    println!("{:?} {:?}", error("a/file/x"), error(&"x".repeat(300)));
    println!("{:?}", std::fs::write(folder.join("a/new/"), "").map_err(|e| e.raw_os_error()));
    let told = |path: &std::path::Path| std::fs::metadata(path).expect("it is there");
    let file = std::fs::File::open(&path).expect("it is there").metadata().expect("it is there");
    println!("{} {}", told(&path).ino() == file.ino(), told(&folder).ino() != file.ino());
    println!("{} {} {}", told(&path).dev() == file.dev(), file.mtime() > 0, file.nlink());
    let moved = std::fs::rename(folder.join("a"), folder.join("a/b/c"));
    println!("{:?}", moved.map_err(|error| error.raw_os_error()));
    std::fs::rename(folder.join("a"), folder.join("c")).expect("a new name");
    let mut entries: Vec<_> = std::fs::read_dir(folder.join("c"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry"))
        .map(|entry| (entry.file_name(), entry.metadata().expect("it is there").is_dir()))
        .collect();
    entries.sort();
    println!("{entries:?} {:?}", std::fs::read_to_string(folder.join("c/b/../file")).ok());
    let whole = folder.join("c/b").canonicalize().expect("it is there");
    println!("{:?}", whole.strip_prefix(folder.canonicalize().expect("it is there")).ok());
    let moved = std::fs::rename(folder.join("c/b"), folder.join("c/file"));
    println!("{:?}", moved.map_err(|error| error.raw_os_error()));
    let mut null = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null").expect("one");
    println!("{:?} {:?}", null.write(b"gone").ok(), null.read(&mut [0; 4]).ok());
    std::fs::remove_dir_all(&folder).expect("it is there");
    println!("{}", folder.exists());
}

#[repr(C)]
struct Word {
    text: &'static str,
    count: std::sync::atomic::AtomicU64,
}

macro_rules! words {
    ($($name:ident)*) => {$(
        #[used]
        #[unsafe(link_section = "pleach_words")]
        static $name: Word = Word { text: stringify!($name), count: std::sync::atomic::AtomicU64::new(0) };
    )*};
}
words!(FIRST SECOND THIRD);

/// What other files could have added to a section.
fn sections() {
    use std::sync::atomic::Ordering::Relaxed;
    unsafe extern "C" {
        #[link_name = "__start_pleach_words"]
        static START: Word;
        #[link_name = "__stop_pleach_words"]
        static STOP: Word;
    }
    let (start, stop) = (&raw const START, &raw const STOP);
    // SAFETY: the linker puts all words between these.
    let words = unsafe { std::slice::from_raw_parts(start, stop.offset_from(start) as usize) };
    for (index, word) in words.iter().enumerate() {
        word.count.store(index as u64 + 7, Relaxed);
    }
    println!("{:?}", words.iter().map(|word| word.text).collect::<Vec<_>>());
    println!("{:?}", [&FIRST, &SECOND, &THIRD].map(|word| word.count.load(Relaxed)));
}

/// What is asked by descriptors.
fn descriptors() {
    use std::os::fd::AsRawFd;
    unsafe extern "C" {
        fn dup2(old: i32, new: i32) -> i32;
        fn close(number: i32) -> i32;
        fn kill(process: i32, signal: i32) -> i32;
        fn openat(folder: i32, path: *const u8, flags: i32, ...) -> i32;
        fn poll(asked: *mut [i16; 4], count: u64, timeout: i32) -> i32;
        fn fcntl(number: i32, what: i32, ...) -> i32;
        fn read(number: i32, place: *mut u8, length: usize) -> isize;
    }
    let folder = std::env::temp_dir().join(format!("pleach-descriptors-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("file"), "0123456789").expect("a file");
    let within = std::fs::File::open(&folder).expect("it is there");
    let mut bytes = [0; 4];
    // SAFETY: texts end with zeros, and places are as long as is said.
    unsafe {
        let number = openat(within.as_raw_fd(), c"file".as_ptr().cast(), 2 | 0x400);
        println!("{} {:#x}", number > 2, fcntl(number, 3) & !0x8000);
        println!("{}", openat(number, c"file".as_ptr().cast(), 0));
        println!("{} {}", openat(77, c"file".as_ptr().cast(), 0), openat(77, c"/dev/null".as_ptr().cast(), 0) > 2);
        println!("{} {}", dup2(number, 50), dup2(77, 51));
        println!("{} {:?}", read(50, bytes.as_mut_ptr(), 4), bytes);
        println!("{} {}", close(number), close(number));
        println!("{} {:?}", read(50, bytes.as_mut_ptr(), 4), bytes);
        println!("{} {}", fcntl(50, 0, 60), close(50));
        println!("{} {:?}", read(60, bytes.as_mut_ptr(), 4), bytes);
        let mut asked = [[60, 0, 5, 9], [77, 0, 5, 9], [-1, -1, 5, 9]];
        println!("{} {asked:?}", poll(asked.as_mut_ptr(), 3, 0));
        println!("{:?}", asked);
        println!("{}", kill(std::process::id() as i32, 0));
    }
    std::fs::remove_dir_all(&folder).expect("it is there");
}

fn locals() {
    LOUD.with(|loud| loud.0.set(loud.0.get() + 1));
    LATER.with_borrow_mut(|later| later.push(Loud(Cell::new(50))));
    println!("{}", LOUD.with(|loud| loud.0.get()));
}

fn locks() {
    static ONCE: Once = Once::new();
    static LOCK: Mutex<u32> = Mutex::new(3);
    static VALUE: OnceLock<String> = OnceLock::new();
    for _ in 0..2 {
        ONCE.call_once(|| println!("once"));
        *LOCK.lock().expect("nobody panics") += 1;
    }
    let shared = RwLock::new(VALUE.get_or_init(|| "made".to_owned()));
    println!("{} {:?} {}", LOCK.lock().expect("nobody panics"), LOCK.try_lock().is_ok(), shared.read().is_ok());
    let started = std::time::Instant::now();
    println!("{:?}", started.elapsed() < std::time::Duration::from_secs(1000));
    println!("{:?}", std::thread::current().name());
}

/// Sets of signals, of which that of the first ones is read.
fn signals() {
    unsafe extern "C" {
        fn sigfillset(set: *mut [u8; 128]) -> i32;
        fn sigemptyset(set: *mut [u8; 128]) -> i32;
    }
    let mut set = [7; 128];
    for change in [sigfillset, sigemptyset] {
        let failed = unsafe { change(&raw mut set) };
        println!("{failed} {}", set[0]);
    }
}

fn environment() {
    let mut out = String::new();
    for argument in std::env::args() {
        write!(out, "<{argument}>").expect("a string takes all");
    }
    println!("{out} {:?} {:?}", std::env::var("ANSWER"), std::env::var("NOTHING"));
    println!("{:?}", std::env::vars().count());
}

#[cfg(target_arch = "x86_64")]
fn lanes(bytes: &[u8]) {
    use std::arch::x86_64::*;
    let mut block = [0u8; 16];
    for (to, from) in block.iter_mut().zip(bytes) {
        *to = *from;
    }
    // SAFETY: each x86-64 has SSE2.
    unsafe {
        let v = _mm_loadu_si128(block.as_ptr().cast());
        let spaces = _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(b' ' as i8)));
        let sums = _mm_add_epi16(_mm_unpacklo_epi8(v, _mm_setzero_si128()), _mm_srli_epi16(v, 3));
        let mut words = [0u16; 8];
        _mm_storeu_si128(words.as_mut_ptr().cast(), sums);
        let shifted = _mm_shuffle_epi32(_mm_max_epu8(v, _mm_set1_epi8(64)), 0b01_00_11_10);
        println!("{spaces:b} {words:?} {}", _mm_cvtsi128_si32(shifted));
    }
    println!("{:?}", bytes.iter().position(|&byte| byte == b'x'));
    println!("{}", bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>());
    println!("{}", bytes.iter().map(|&byte| byte).fold(0u8, |sum, byte| sum + byte));
}

#[cfg(not(target_arch = "x86_64"))]
fn lanes(_: &[u8]) {}
