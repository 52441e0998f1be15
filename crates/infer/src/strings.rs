//! Methods of strings and of their bytes.

use std::rc::Rc;
use std::sync::OnceLock;

use super::calls::Hint;
use super::interp::Interp;
use super::numbers::{Compare, length};
use super::pool::{ALL, ANY_CHAR, Lang, NON_EMPTY, NONE};
use super::state::{Outs, State, one};
use super::stop::Flow;
use super::value::{Bool, Int, Iter, Part, Pieces, Style, Text, Unit, Value};
use super::view::{END, Images, Needle, Op, START, View, Which};

impl<'a> Interp<'a> {
    /// A method of a string; none where there is no such method here.
    pub(super) fn string_method(
        &mut self,
        state: State,
        text: &Text,
        name: &str,
        args: &[Value],
        hint: Option<&Hint>,
    ) -> Flow<Option<Outs>> {
        if let Some(meaning) = self.table.get("str", name).cloned() {
            return self.known(state, &meaning, text, &Value::Str).map(Some);
        }
        let view = text.as_view();
        let value = match (name, args) {
            ("len", []) => Value::Int(length(text, Unit::Bytes)),
            ("chars", []) => match view {
                Some(view) => Value::iter(Iter::Chars(view)),
                None => match text.constant() {
                    Some(constant) => Value::iter(Iter::Values(Rc::new(
                        constant
                            .chars()
                            .map(|c| Value::Char(Text::literal(c.encode_utf8(&mut [0; 4]))))
                            .collect(),
                    ))),
                    None => return self.no_view(state, args),
                },
            },
            ("bytes", []) => match self.bytes_of_text(text) {
                Some(iter) => Value::iter(iter),
                None => return self.no_view(state, args),
            },
            ("char_indices", []) => match view {
                Some(view) => Value::iter(Iter::Indices(super::iter::at_start(view, Unit::Bytes))),
                None => return self.no_view(state, args),
            },
            ("as_bytes" | "into_bytes", []) => Value::Bytes(text.clone()),
            (
                "trim_matches" | "trim_start_matches" | "trim_end_matches" | "trim_left_matches"
                | "trim_right_matches",
                [pattern],
            ) => {
                let (start, end) = match name {
                    "trim_matches" => (true, true),
                    "trim_start_matches" | "trim_left_matches" => (true, false),
                    _ => (false, true),
                };
                let needle = self.needle(&state, pattern)?;
                let trimmed = match needle {
                    Some(Needle::Set(set)) => self.trimmed(text, set, start, end)?,
                    Some(Needle::Text(needle)) => self.trimmed_text(text, &needle, start, end)?,
                    None => None,
                };
                match trimmed {
                    Some(text) => Value::Str(text),
                    None => return self.no_view(state, args),
                }
            }
            ("contains", [pattern])
                if text.constant().is_some() && self.needle(&state, pattern)?.is_none() =>
            {
                // Whether a character is one of a constant's.
                let constant = text.constant().unwrap_or_default();
                let pattern = self.deref(&state, pattern.clone());
                let Value::Char(c) = &pattern else { return self.no_view(state, args) };
                let ranges: Vec<(u32, u32)> =
                    constant.chars().map(|c| (u32::from(c), u32::from(c))).collect();
                let set = self.pool.set(&ranges)?;
                self.condition(c, Some(set))?
            }
            ("starts_with" | "ends_with" | "contains", [pattern]) => {
                let Some(needle) = self.needle(&state, pattern)? else {
                    return self.no_view(state, args);
                };
                let lang = needle.lang(&mut self.pool)?;
                let lang = match name {
                    "starts_with" => self.pool.concat(lang, ALL)?,
                    "ends_with" => self.pool.concat(ALL, lang)?,
                    _ => self.pool.sum(vec![vec![ALL, lang, ALL]])?,
                };
                self.condition(text, Some(lang))?
            }
            ("eq_ignore_ascii_case", [other]) => {
                let other = self.deref(&state, other.clone());
                let (constant, text) = match &other {
                    Value::Str(other) => match (other.constant(), text.constant()) {
                        (Some(constant), _) => (Some(constant), text.clone()),
                        (None, constant) => (constant, other.clone()),
                    },
                    _ => (None, text.clone()),
                };
                let lang = match constant {
                    Some(constant) => Some(self.pool.literal_ignoring_case(&constant)?),
                    None => None,
                };
                self.condition(&text, lang)?
            }
            ("eq" | "ne" | "cmp", [other]) => {
                let other = self.deref(&state, other.clone());
                let how = if name == "ne" { Compare::Other } else { Compare::Equal };
                self.compare_values(&Value::Str(text.clone()), how, &other)?
            }
            ("find" | "rfind", [pattern]) => {
                let which = if name == "find" { Which::First } else { Which::Last };
                return self.find_in(state, text, pattern, which).map(Some);
            }
            ("split_once" | "rsplit_once", [pattern]) => {
                let which = if name == "split_once" { Which::First } else { Which::Last };
                let needle = self.needle(&state, pattern)?;
                let (Some(view), Some(needle)) = (self.view_of(text), needle) else {
                    return self.no_view(state, args);
                };
                let (before, after) = self.views.find(&mut self.pool, &needle, which)?;
                let found = needle.contained(&mut self.pool)?;
                let first = Value::Str(Text::view(self.views.cut(view, START, before)));
                let second = Value::Str(Text::view(self.views.cut(view, after, END)));
                let both = Value::some(Value::tuple(vec![first, second]));
                return self.fallible(state, text, found, both, Value::none()).map(Some);
            }
            ("strip_prefix" | "strip_suffix", [pattern]) => {
                return self.strip(state, text, pattern, name == "strip_prefix").map(Some);
            }
            ("get", [range]) => {
                let range = self.deref(&state, range.clone());
                let value = Value::Str(text.clone());
                return self.get(state, value, range).map(Some);
            }
            ("split_at", [index]) | ("split_at_checked", [index]) => {
                let index = self.deref(&state, index.clone());
                let checked = name.ends_with("checked");
                let found = match (view, &index) {
                    (Some(view), Value::Int(int)) => self.place_of(view, int)?,
                    _ => None,
                };
                let Some((view, place)) = found else {
                    // Out of bounds is a panic.
                    return if checked { self.no_view(state, args) } else { Ok(None) };
                };
                let first = Value::Str(Text::view(self.views.cut(view, START, place)));
                let second = Value::Str(Text::view(self.views.cut(view, place, END)));
                let having = self.views.having(&mut self.pool, place)?;
                let pair = Value::tuple(vec![first, second]);
                let good = if checked { Value::some(pair) } else { pair };
                let outs = self.fallible(state, &Text::view(view), having, good, Value::none())?;
                let panics = |out: &super::state::Out| {
                    !checked && out.exit == super::state::Exit::Value(Value::none())
                };
                return Ok(Some(outs.into_iter().filter(|out| !panics(out)).collect()));
            }
            ("parse", []) => {
                let value = Value::Str(text.clone());
                return self.parse(state, &value, hint).map(Some);
            }
            ("lines", []) => {
                let newline = Value::Char(Text::literal("\n"));
                return self.pieces(state, text, &newline, Style::Lines, None, false);
            }
            ("split_whitespace" | "split_ascii_whitespace", []) => {
                let Some(view) = self.view_of(text) else { return self.no_view(state, args) };
                let class =
                    if name == "split_whitespace" { r"\p{White_Space}" } else { r"[\t\n\x0C\r ]" };
                let needle = Needle::Set(self.pool.regex(class)?);
                let pieces = Pieces {
                    rest: view,
                    needle,
                    style: Style::NonEmpty,
                    limit: None,
                    backwards: false,
                    done: false,
                };
                Value::iter(Iter::Pieces(pieces))
            }
            (
                "split" | "rsplit" | "split_terminator" | "split_inclusive" | "matches"
                | "rsplit_terminator",
                [pattern],
            ) => {
                let style = match name {
                    "split" | "rsplit" => Style::All,
                    "split_inclusive" => Style::Inclusive,
                    "matches" => Style::Matches,
                    _ => Style::Terminated,
                };
                if name == "rsplit_terminator" {
                    return self.terminated_backwards(state, text, pattern);
                }
                return self.pieces(state, text, pattern, style, None, name == "rsplit");
            }
            ("splitn" | "rsplitn", [limit, pattern]) => {
                let Value::Int(Int::Known(limit)) = self.deref(&state, limit.clone()) else {
                    return self.no_view(state, args);
                };
                let backwards = name == "rsplitn";
                return self.pieces(state, text, pattern, Style::All, Some(limit), backwards);
            }
            ("replace" | "replacen", [pattern, with, ..]) => {
                let with = self.deref(&state, with.clone());
                let (Some(Needle::Set(set)), Value::Str(with), "replace") =
                    (self.needle_or_char(&state, pattern)?, &with, name)
                else {
                    return self.no_view(state, args);
                };
                let Some(with) = with.constant() else { return self.no_view(state, args) };
                let images = vec![(self.pool.ranges(set), with.to_string())];
                return self.mapped(state, text, &images, &Value::Str).map(Some);
            }
            ("to_lowercase" | "to_uppercase", []) => {
                return self.cased(state, text, name == "to_lowercase").map(Some);
            }
            ("repeat", [Value::Int(Int::Known(n @ 0..=64))]) => {
                Value::Str((0..*n).fold(Text::default(), |all, _| all.then(text)))
            }
            ("is_char_boundary", [index]) => {
                let index = self.deref(&state, index.clone());
                let (Some(view), Value::Int(int)) = (view, &index) else {
                    return self.no_view(state, args);
                };
                let Some((view, place)) = self.place_of(view, int)? else {
                    return self.no_view(state, args);
                };
                let having = self.views.having(&mut self.pool, place)?;
                self.condition(&Text::view(view), Some(having))?
            }
            _ => return Ok(None),
        };
        one(state, value).map(Some)
    }

    /// What is not followed of a text, after what is called for it was called.
    pub(super) fn no_view(&mut self, mut state: State, given: &[Value]) -> Flow<Option<Outs>> {
        let message = "a text of this kind, or what is looked for in it, is not followed";
        let note = self.lost_note(message);
        self.opaque_writes(&mut state, note, given);
        one(state, Value::Unknown(note)).map(Some)
    }

    pub(super) fn condition(&mut self, text: &Text, lang: Option<Lang>) -> Flow<Value> {
        if let Some(lang) = lang
            && let Some(bool) = self.text_in(text, lang)?
        {
            return Ok(Value::Bool(bool));
        }
        Ok(self.lost("a condition on a text is not followed"))
    }

    /// The view that a text is; the empty text is what stands before the start.
    fn view_of(&mut self, text: &Text) -> Option<View> {
        text.as_view().or_else(|| {
            let root = self.views.root(self.level);
            text.constant()?.is_empty().then(|| self.views.cut(root, START, START))
        })
    }

    /// The bytes of a text.
    pub(super) fn bytes_of_text(&mut self, text: &Text) -> Option<Iter> {
        if let Some(constant) = text.constant() {
            let bytes = constant.bytes().map(|b| Value::Byte(super::value::Byte::Known(b)));
            return Some(Iter::Values(Rc::new(bytes.collect())));
        }
        let rest = text.as_view()?;
        Some(Iter::Bytes { rest, pending: 0, backwards: false })
    }

    /// What a pattern of a string method looks for.
    pub(super) fn needle(&mut self, state: &State, pattern: &Value) -> Flow<Option<Needle>> {
        let pattern = self.deref(state, pattern.clone());
        Ok(match &pattern {
            Value::Str(text) => text.constant().map(Needle::Text),
            Value::Char(text) => match text.constant() {
                Some(c) => Some(Needle::Set(self.pool.literal(&c)?)),
                None => None,
            },
            Value::List(values) => {
                let mut set = NONE;
                for value in values.iter() {
                    let Value::Char(text) = value else { return Ok(None) };
                    let Some(c) = text.constant() else { return Ok(None) };
                    let lang = self.pool.literal(&c)?;
                    set = self.pool.union(set, lang)?;
                }
                Some(Needle::Set(set))
            }
            Value::Closure(_) | Value::Function(_) => {
                self.predicate(state, &pattern)?.map(Needle::Set)
            }
            _ => None,
        })
    }

    /// As [`Interp::needle`], with a text of one character for its character.
    pub(super) fn needle_or_char(
        &mut self,
        state: &State,
        pattern: &Value,
    ) -> Flow<Option<Needle>> {
        Ok(match self.needle(state, pattern)? {
            Some(Needle::Text(text)) if text.chars().count() == 1 => {
                Some(Needle::Set(self.pool.literal(&text)?))
            }
            other => other,
        })
    }

    /// The characters of which a predicate is true, if that is known.
    pub(super) fn predicate(&mut self, state: &State, f: &Value) -> Flow<Option<Lang>> {
        // The predicate is asked of a character that is all of a text.
        let level = self.level + 1;
        let key = self.key(super::bodies::address(self.table) ^ 1);
        self.entries.push((state.lang, key));
        self.level = level;
        let root = self.views.root(level);
        let inner = State { lang: ANY_CHAR, ..state.clone() };
        let outs = self.apply(inner, f, vec![Value::Char(Text::view(root))]);
        let mut sets = [NONE; 2];
        let mut exact = true;
        let (before, vars) = (state.doubt, state.vars.clone());
        if let Ok(outs) = &outs {
            for (state, value) in super::iter::values_of(outs.clone()) {
                // What it writes to is not written here.
                exact &= state.doubt == before && state.vars == vars;
                let known = matches!(value, Value::Bool(Bool::Known(_)))
                    || matches!(value, Value::Bool(Bool::When(cond)) if cond.level == level);
                exact &= known;
                if !known {
                    continue;
                }
                let (yes, no) = self.branch(state, &value)?;
                for (i, half) in [no, yes].into_iter().enumerate() {
                    if let Some(half) = half {
                        sets[i] = self.pool.union(sets[i], half.lang)?;
                    }
                }
            }
        }
        self.level -= 1;
        self.entries.pop();
        outs?;
        let all = self.pool.union(sets[0], sets[1])?;
        let overlap = self.pool.meet(sets[0], sets[1])?;
        Ok((exact && all == ANY_CHAR && !overlap).then_some(sets[1]))
    }

    pub(super) fn find_in(
        &mut self,
        state: State,
        text: &Text,
        pattern: &Value,
        which: Which,
    ) -> Flow<Outs> {
        let needle = self.needle(&state, pattern)?;
        let (Some(view), Some(needle)) = (self.view_of(text), needle) else {
            return Ok(self.no_view(state, std::slice::from_ref(pattern))?.unwrap_or_default());
        };
        let (before, _) = self.views.find(&mut self.pool, &needle, which)?;
        let found = needle.contained(&mut self.pool)?;
        let index = self.index_at(view, before);
        self.fallible(state, text, found, Value::some(index), Value::none())
    }

    pub(super) fn strip(
        &mut self,
        state: State,
        text: &Text,
        pattern: &Value,
        start: bool,
    ) -> Flow<Outs> {
        if let (Value::Str(pattern), Some(constant)) =
            (self.deref(&state, pattern.clone()), text.constant())
            && let Some(pattern) = pattern.constant()
        {
            let rest = if start {
                constant.strip_prefix(&*pattern)
            } else {
                constant.strip_suffix(&*pattern)
            };
            let rest = rest.map(|rest| Rc::new(Value::Str(Text::literal(rest))));
            return one(state, Value::Opt(rest));
        }
        let needle = self.needle(&state, pattern)?;
        let (Some(view), Some(needle)) = (self.view_of(text), needle) else {
            return Ok(self.no_view(state, std::slice::from_ref(pattern))?.unwrap_or_default());
        };
        let lang = needle.lang(&mut self.pool)?;
        let (rest, has) = if start {
            let place = self.views.behind_prefix(&mut self.pool, lang)?;
            (self.views.cut(view, place, END), self.pool.concat(lang, ALL)?)
        } else {
            let place = self.views.before_suffix(&mut self.pool, lang)?;
            (self.views.cut(view, START, place), self.pool.concat(ALL, lang)?)
        };
        let good = Value::some(Value::Str(Text::view(rest)));
        self.fallible(state, text, has, good, Value::none())
    }

    /// A text without the characters of a set at its ends.
    pub(super) fn trimmed(
        &mut self,
        text: &Text,
        set: Lang,
        start: bool,
        end: bool,
    ) -> Flow<Option<Text>> {
        if let Some(constant) = text.constant() {
            let is = |c: char| self.pool.contains(set, c.encode_utf8(&mut [0; 4]));
            let mut rest = &*constant;
            if start {
                rest = rest.trim_start_matches(is);
            }
            if end {
                rest = rest.trim_end_matches(is);
            }
            return Ok(Some(Text::literal(rest)));
        }
        let Some(mut view) = text.as_view() else { return Ok(None) };
        if start {
            let from = self.views.behind_all(&mut self.pool, set)?;
            view = self.views.cut(view, from, END);
        }
        if end {
            let to = self.views.before_all(&mut self.pool, set)?;
            view = self.views.cut(view, START, to);
        }
        Ok(Some(Text::view(view)))
    }

    /// A text without repetitions of another at its ends.
    pub(super) fn trimmed_text(
        &mut self,
        text: &Text,
        needle: &str,
        start: bool,
        end: bool,
    ) -> Flow<Option<Text>> {
        let Some(mut view) = self.view_of(text) else { return Ok(None) };
        if needle.is_empty() || start && end {
            return Ok(None);
        }
        let lang = self.pool.literal(needle)?;
        let many = self.pool.star(lang)?;
        if start {
            let going_on = self.pool.concat(lang, ALL)?;
            let rest = self.pool.complement(going_on)?;
            let place = self.views.place(&mut self.pool, vec![(many, rest)])?;
            view = self.views.cut(view, place, END);
        } else {
            let ending = self.pool.concat(ALL, lang)?;
            let rest = self.pool.complement(ending)?;
            let place = self.views.place(&mut self.pool, vec![(rest, many)])?;
            view = self.views.cut(view, START, place);
        }
        Ok(Some(Text::view(view)))
    }

    /// A text with characters replaced.
    pub(super) fn mapped(
        &mut self,
        state: State,
        text: &Text,
        images: &Images,
        wrap: &dyn Fn(Text) -> Value,
    ) -> Flow<Outs> {
        let mut parts = Vec::new();
        for part in text.0.iter() {
            match part {
                Part::View(view) => {
                    let mapping = self.views.mapping(images);
                    parts.push(Part::View(self.views.make(*view, Op::Map(mapping))));
                }
                Part::Literal(literal) => {
                    let mapped: String = literal
                        .chars()
                        .map(|c| {
                            let code = u32::from(c);
                            let image = images.iter().find(|(ranges, _)| {
                                ranges.iter().any(|&(low, high)| low <= code && code <= high)
                            });
                            image.map_or_else(|| c.to_string(), |image| image.1.clone())
                        })
                        .collect();
                    if !mapped.is_empty() {
                        parts.push(Part::Literal(mapped.into()));
                    }
                }
                Part::Carried(_) => {
                    return Ok(self.no_view(state, &[])?.unwrap_or_default());
                }
            }
        }
        one(state, wrap(Text(Rc::new(parts))))
    }

    /// A text in one case; the one character whose case depends on its neighbours is said.
    pub(super) fn cased(&mut self, state: State, text: &Text, lower: bool) -> Flow<Outs> {
        static IMAGES: [OnceLock<Images>; 2] = [OnceLock::new(), OnceLock::new()];
        let images = IMAGES[usize::from(lower)].get_or_init(|| {
            let all = (0..0x11_0000_u32).filter_map(char::from_u32);
            let changed = all.filter_map(|c| {
                let image: String =
                    if lower { c.to_lowercase().collect() } else { c.to_uppercase().collect() };
                (image.chars().ne([c])).then(|| (vec![(u32::from(c), u32::from(c))], image))
            });
            changed.collect()
        });
        let outs = self.mapped(state, text, images, &Value::Str)?;
        if !lower {
            return Ok(outs);
        }
        // A capital sigma at the end of a word is another letter than elsewhere.
        let sigma = self.pool.regex("(?s).*\u{3A3}.*")?;
        let has = match self.text_in(text, sigma)? {
            Some(bool) => Value::Bool(bool),
            None => Value::known(true),
        };
        let note =
            self.lost_note("how a capital sigma is written in small depends on its neighbours");
        self.then(outs, |interp, state, value| {
            let (yes, no) = interp.branch(state, &has)?;
            let mut outs: Outs = no.map(|state| state.with(value)).into_iter().collect();
            outs.extend(yes.map(|state| state.with(Value::Unknown(note))));
            Ok(outs)
        })
    }

    /// The pieces from the last on, of which an empty one at the end of the text does not count.
    fn terminated_backwards(
        &mut self,
        state: State,
        text: &Text,
        pattern: &Value,
    ) -> Flow<Option<Outs>> {
        let needle = self.needle(&state, pattern)?;
        let (Some(view), Some(needle)) = (self.view_of(text), needle) else {
            return self.no_view(state, std::slice::from_ref(pattern));
        };
        if matches!(&needle, Needle::Text(text) if text.is_empty()) {
            return self.no_view(state, std::slice::from_ref(pattern));
        }
        let lang = needle.lang(&mut self.pool)?;
        let ending = self.pool.concat(ALL, lang)?;
        let before = self.views.before_suffix(&mut self.pool, lang)?;
        let shorter = self.views.cut(view, START, before);
        let (ends, others) = self.divide(state, view, ending)?;
        let mut ways = Vec::new();
        ways.extend(ends.map(|state| (state, Some(shorter))));
        if let Some(state) = others {
            let (some, none) = self.divide(state, view, NON_EMPTY)?;
            ways.extend(some.map(|state| (state, Some(view))));
            ways.extend(none.map(|state| (state, None)));
        }
        let mut outs = Vec::new();
        for (state, left) in ways {
            let iter = match left {
                Some(left) => {
                    let rest = self.views.make(left, Op::Reverse);
                    let needle = needle.clone();
                    let (style, limit) = (Style::All, None);
                    let (backwards, done) = (true, false);
                    Iter::Pieces(Pieces { rest, needle, style, limit, backwards, done })
                }
                None => Iter::Empty,
            };
            outs.push(state.with(Value::iter(iter)));
        }
        Ok(Some(outs))
    }

    pub(super) fn pieces(
        &mut self,
        state: State,
        text: &Text,
        pattern: &Value,
        style: Style,
        limit: Option<i128>,
        backwards: bool,
    ) -> Flow<Option<Outs>> {
        let needle = self.needle(&state, pattern)?;
        let (Some(view), Some(needle)) = (self.view_of(text), needle) else {
            return self.no_view(state, std::slice::from_ref(pattern));
        };
        if matches!(&needle, Needle::Text(text) if text.is_empty()) {
            return self.no_view(state, std::slice::from_ref(pattern));
        }
        let rest = if backwards { self.views.make(view, Op::Reverse) } else { view };
        let pieces = Pieces { rest, needle, style, limit, backwards, done: false };
        one(state, Value::iter(Iter::Pieces(pieces))).map(Some)
    }
}
