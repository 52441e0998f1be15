//! Inputs for each crate: seeds, some of which make it panic, and changed seeds.

use std::collections::HashSet;
use std::io;

use fastrand::Rng;

/// What a crate is run on.
pub(crate) struct Seeds {
    /// Its name among the subjects.
    pub(crate) name: &'static str,
    /// What it reads.
    pub(crate) harmless: &'static [&'static str],
    /// What it is known to panic on.
    pub(crate) crashing: &'static [&'static str],
}

const fn seeds(
    name: &'static str,
    harmless: &'static [&'static str],
    crashing: &'static [&'static str],
) -> Seeds {
    Seeds { name, harmless, crashing }
}

/// The longest input.
const LONGEST: usize = 400;

/// All crates and their seeds.
pub(crate) const SEEDS: [Seeds; 24] = [
    seeds(
        "chrono",
        &[
            "Wed, 18 Feb 2015 23:16:09 GMT",
            "1996-12-19T16:39:57-08:00",
            "2014-150 07:08:09.5 PM",
            "2015-W06-Sun",
            "Fri, 28 Nov 2014 12:00:09 +0900",
        ],
        &["31 DEC 262143 23:59 -2359"],
    ),
    seeds(
        "cron",
        &[
            "0 30 9,12,15 1,15 May-Aug Mon,Wed,Fri 2018/2",
            "* * * * * *",
            "@hourly",
            "0 0/5 8-18 ? * MON-FRI *",
        ],
        &["1/0 * * * * *", "0 2/0 * * * * *", "0 0 0 1-5/0 * * *"],
    ),
    seeds(
        "csscolorparser",
        &[
            "#ff0080",
            "rgb(100%, 50, 3 / 0.5)",
            "hsl(120deg 30% 50%)",
            "rebeccapurple",
            "hwb(90 20% 30%)",
            "hsv(0.5turn, 3%, 9%)",
        ],
        &["#\u{df}\u{df}", "#a\u{20ac}\u{df}", "#\u{20ac}12"],
    ),
    seeds(
        "csv",
        &["a,b,c\n1,2.5,\"x\"\"y\"\n3,4e-3,z\n", "name;n\r\n\"multi\nline\",1e400\n,,\n"],
        &[],
    ),
    seeds(
        "evalexpr",
        &[
            "a = 3 * (b + 2.5); a ^ 2",
            "max(1, 2.5, b) > len(\"abc\") && true",
            "str::to_uppercase(\"x\" + \"y\"); (1, 2, 3)",
            "math::sqrt(a) % 0.3 - floor(7.9)",
            "x = 1; x += 2; if(x == 3, \"y\", b)",
        ],
        &[],
    ),
    seeds(
        "fast_float",
        &[
            "1.5e3",
            "-0.1",
            "179769313486231580793e289",
            "4.9406564584124654e-324",
            "123456789012345678901234567890.5e-20",
            "inf",
            "nan",
            "9007199254740993",
            "0.000000000000000000000001e-300x",
        ],
        &[],
    ),
    seeds(
        "httparse",
        &[
            "GET /index.html HTTP/1.1\r\nHost: example.com\r\nAccept: */*\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nX-A:  b \r\n\r\n",
        ],
        &[],
    ),
    seeds(
        "humantime",
        &[
            "2h 37min",
            "1year 2months 3weeks 4days 5s 6ms 7us 8ns",
            "2018-02-14T00:28:07.133333Z",
            "2018-02-14 00:28:07",
        ],
        &[],
    ),
    seeds(
        "indexmap",
        &[
            "one two,three;one\nfour five six seven eight one nine two",
            "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c",
        ],
        &[],
    ),
    seeds("logos", &["let x_1 = -12.5e3 + \"a\\\"b\" ; (y >= 3)", "let let1 == != <= {}"], &[]),
    seeds(
        "memchr",
        &[
            "abracadabra abra xyz\n a b ab ab abr end",
            "the quick brown fox jumps over the lazy dog and the other one, the last of the lot, aaaaaaaaaab\n",
        ],
        &[],
    ),
    seeds(
        "pulldown_cmark",
        &[
            "# Title\n\n* a *b* `c`\n* [d](e \"f\")\n\n> q\n\n| x | y |\n|---|--:|\n| 1 | 2 |\n",
            "a[^1] ~~b~~ <i>c</i> &amp; \\*\n\n[^1]: note\n\n```rust\nx\n```\n- [ ] task\n",
            "[r]: /url 'title'\n[R] ![i](j)\n***\nsetext\n===\n$x^2$",
        ],
        &[],
    ),
    seeds(
        "regex_lite",
        &[
            "(?i)a(b|c)*?[^x-z]{1,3}$\naabcb abccd",
            "^(?P<y>\\d{4})-(\\d\\d)\n2014-05 x",
            "\\w+\\s?\nsome words \u{e9}",
        ],
        &[],
    ),
    seeds(
        "ron",
        &[
            "(a: 1, b: [1.5, true, \"x\\n\"], c: {'k': Some(())}, d: -0x1F)",
            "[1e400, inf, NaN, r#\"raw\"#, (1, 2)] // c",
        ],
        &[],
    ),
    seeds(
        "roxmltree",
        &[
            "<?xml version='1.0'?><a b='c'><d xmlns:e='u'>x&lt;&#65;</d><!-- f --><e:g/></a>",
            "<!DOCTYPE a [<!ENTITY x 'y<z/>'>]><a>&x;<![CDATA[<]]></a>",
        ],
        &[],
    ),
    seeds(
        "semver",
        &[
            ">=1.2.3, <2.0.0-rc 1.9.9",
            "~1.2 1.2.3-alpha.1+build.5",
            "^0.0.3 0.0.3",
            "1.* 18446744073709551615.0.0",
        ],
        &[],
    ),
    seeds(
        "serde_hjson",
        &[
            "{\n  # c\n  a: 1.5\n  b: [text without quotes\n 2e3]\n}",
            "{\"x\": '''multi\n line''', y: true}",
            "{a: -0.5e-3, b: null}",
        ],
        &["{a:99999999999999999999}", "{}/*", "{a: 123456789012345678901234567890}"],
    ),
    seeds(
        "serde_json",
        &[
            "{\"a\": [1, 2.5e-3, \"x\\u00e9\\n\", null, true], \"b\": {\"c\": -0}}",
            "{\"x\": 1e308, \"y\": 0.1, \"z\": 123456789012345678901234567890}",
            "{\"k\": 3, \"l\": 4, \"m\": 5.5, \"n\": 1e-7}",
        ],
        &[],
    ),
    seeds(
        "simdutf8",
        &[
            "plain text that is longer than sixty-four bytes, so that whole blocks are read at once \u{e9}\u{20ac}\u{1f600} end",
            "\u{e9}\u{e8}\u{10ffff}",
        ],
        &[],
    ),
    seeds(
        "sqlformat",
        &[
            "SELECT a, count(*) AS n FROM t JOIN u ON t.x = u.y WHERE a = ?1 AND b IN (1, 2) GROUP BY a; -- c",
            "insert into t values ('it''s', :name, $2, 1.5e3) /* c */",
            "create table x (a int, b varchar(10))",
        ],
        &[
            "?99999999999999999999",
            "select ?184467440737095516159 from t",
            "a = ?99999999999999999999999 b",
        ],
    ),
    seeds(
        "time",
        &[
            "Wed, 18 Feb 2015 23:16:09 GMT",
            "1996-12-19T16:39:57.5-08:00",
            "2020-W53-5T12:00Z",
            "Friday 2/Jan 2020-01",
            "[year]-[month repr:short padding:none] [[x",
        ],
        &[],
    ),
    seeds(
        "tinytemplate",
        &[
            "{a} {b.0}{{ if c.d }}x{{ else }}y{{ endif }}",
            "{{ for x in b }}{@index} {x}{{ if not @last }},{{ endif }}{{ endfor }}",
            "\\{ {{# comment #}} {b.1 | unescaped} {a|x}",
        ],
        &["{#}", "a{#}b", "{a}{#} {c.d}"],
    ),
    seeds(
        "toml",
        &[
            "a = 1\nb = [1.5, \"x\\u00e9\"]\n[c.d]\ne = 1979-05-27T07:32:00Z\n[[f]]\ng = { h = true, 'i' = 0xFF }\n",
            "x = '''m\nl'''\ny = inf\nz = 1_000e-3\n",
        ],
        &[],
    ),
    seeds(
        "url",
        &[
            "http://user:pw@EXAMPLE.com:80/a/%7Eb/../c?d=e&f=g%20h#i",
            "//[::1]:99/x?q=\u{e9}",
            "https://b\u{fc}cher.example/a b",
            "file:///C|/x/../y",
            "mailto:a@b?subject=c",
            "http://0x7f.1/",
        ],
        &[],
    ),
];

/// How many changed seeds are tried for each one that is to panic.
const TRIES: usize = 20;

impl Seeds {
    /// So many inputs: the seeds themselves, and then changed ones. Where seeds panic, up to half of the inputs are changed ones
    /// that do so natively, too.
    pub(crate) fn inputs(
        &self,
        count: usize,
        random: &mut Rng,
        mut panics: impl FnMut(&[u8]) -> io::Result<bool>,
    ) -> io::Result<Vec<Vec<u8>>> {
        let bytes = |of: &[&str]| of.iter().map(|it| it.as_bytes().to_vec()).collect::<Vec<_>>();
        let (harmless, mut crashing) = (bytes(self.harmless), bytes(self.crashing));
        let mut seen: HashSet<Vec<u8>> = harmless.iter().chain(&crashing).cloned().collect();
        for _ in 0..count / 2 * TRIES {
            if crashing.is_empty() || crashing.len() >= count / 2 {
                break;
            }
            // What panics is changed further: little by little it gets far from the seeds.
            let mut input = crashing[random.usize(..crashing.len())].clone();
            self.change(&mut input, random);
            input.truncate(LONGEST);
            if seen.insert(input.clone()) && panics(&input)? {
                crashing.push(input);
            }
        }
        let mut inputs = [harmless.clone(), crashing].concat();
        while inputs.len() < count {
            let mut input = harmless[random.usize(..harmless.len())].clone();
            for _ in 0..random.usize(1..6) {
                self.change(&mut input, random);
            }
            input.truncate(LONGEST);
            if seen.insert(input.clone()) {
                inputs.push(input);
            }
        }
        inputs.truncate(count);
        Ok(inputs)
    }

    /// Makes one change.
    fn change(&self, input: &mut Vec<u8>, random: &mut Rng) {
        const PLAIN: &[u8] = b"0123456789aeEfxZ_-+.,:;/*#?%&=<>()[]{}\"'\\ \n\t\0\x7f\x80\xc3\xff";
        let at = random.usize(..=input.len());
        match random.u8(..8) {
            0 | 1 => input.insert(at, PLAIN[random.usize(..PLAIN.len())]),
            2 if at < input.len() => input[at] = PLAIN[random.usize(..PLAIN.len())],
            3 if at < input.len() => {
                let end = random.usize(at..=input.len().min(at + 8));
                input.drain(at..end);
            }
            4 if at < input.len() => {
                let end = random.usize(at..=input.len().min(at + 30));
                let part = input[at..end].to_vec();
                let to = random.usize(..=input.len());
                input.splice(to..to, part);
            }
            5 => {
                let other = self.harmless[random.usize(..self.harmless.len())].as_bytes();
                let from = random.usize(..=other.len());
                input.truncate(at);
                input.extend(&other[from..]);
            }
            6 => {
                const NUMBERS: [&str; 8] = [
                    "0",
                    "-1",
                    "255",
                    "65536",
                    "2147483648",
                    "18446744073709551616",
                    "1e-400",
                    "0.1",
                ];
                let number = NUMBERS[random.usize(..NUMBERS.len())].bytes();
                // In the place of a number, where one stands here.
                let digits = input[at..].iter().take_while(|it| it.is_ascii_digit()).count();
                input.splice(at..at + digits, number);
            }
            _ if at < input.len() => input[at] ^= 1 << random.u8(..8),
            _ => input.push(random.u8(..)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_inputs_panic_where_seeds_do_and_a_seed_gives_the_same_ones() {
        for seeds in &SEEDS {
            let of = |seed| {
                let panics = |input: &[u8]| Ok(input.contains(&b'1'));
                seeds.inputs(50, &mut Rng::with_seed(seed), panics).expect("nothing fails")
            };
            let inputs = of(1);
            assert_eq!((inputs.len(), &inputs), (50, &of(1)), "{}", seeds.name);
            assert_ne!(inputs, of(2), "{}", seeds.name);
            let distinct: HashSet<_> = inputs.iter().collect();
            assert_eq!(distinct.len(), 50, "{}", seeds.name);
            if seeds.crashing.iter().any(|it| it.contains('1')) {
                assert!(
                    inputs.iter().filter(|it| it.contains(&b'1')).count() >= 25,
                    "{}",
                    seeds.name
                );
            }
        }
    }
}
