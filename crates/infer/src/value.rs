//! What an expression can be known to be.
//!
//! A value is a constant, or a function of the input: text made of constants and views, a number
//! that is the length of a text, and so on. `Option`, `Result` and enums always are one of their
//! variants: whatever depends on the input splits the path.

use std::rc::Rc;

use super::interp::NOWHERE;
use super::pool::Lang;
use super::view::{Needle, View};

/// How many bytes of constants texts are put together from, at most.
const MAX_CONSTANT: usize = 1 << 14;
/// How many parts a text is put together from, at most.
const MAX_PARTS: usize = 256;
/// How many values there may be in one.
const MAX_WEIGHT: usize = 1 << 12;
/// How many values there may be in one that has more of them after each round of a loop.
const MAX_GROWN: usize = 64;

/// A name in the source.
pub(super) type Name = Rc<str>;

/// Which loop, by where it is and how it was reached.
pub(super) type LoopKey = u64;

/// What something is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    /// Not used any more.
    Gone,
    /// Anything, for a reason, by its number.
    Unknown(u32),
    Unit,
    Bool(Bool),
    Int(Int),
    /// One character: a text that always is one.
    Char(Text),
    Byte(Byte),
    Str(Text),
    /// The bytes of a text.
    Bytes(Text),
    Opt(Option<Rc<Value>>),
    Res(Result<Rc<Value>, Rc<Value>>),
    Tuple(Rc<Vec<Value>>),
    /// An array, slice or vector.
    List(Rc<Vec<Value>>),
    Struct(Rc<Struct>),
    Iter(Rc<Iter>),
    /// An iterator's items, collected.
    Items(Rc<Iter>),
    Range(Rc<Range>),
    Closure(Closure),
    /// A function, by its path.
    Function(Rc<[Name]>),
    /// A variable that can be written to, or a part of one.
    Ref(Rc<Target>),
}

/// A truth value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bool {
    Known(bool),
    /// It is true of the strings of one language and false of those of the other, at a level.
    When(Cond),
}

/// When something holds, and when it does not: every string is in one of the two, or in both where
/// that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cond {
    pub(super) level: usize,
    pub(super) yes: Lang,
    pub(super) no: Lang,
}

/// A concatenation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Text(pub(super) Rc<Vec<Part>>);

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// A constant, never empty.
    Literal(Rc<str>),
    View(View),
    /// A text of an earlier round of a loop, of which is known what automata made of it.
    Carried(Carried),
}

/// What is known of a text of an earlier round of a loop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Carried {
    pub(super) key: (LoopKey, usize),
    /// For each language that was asked for, the state that its automaton is in behind the text.
    pub(super) states: Rc<Vec<(Lang, usize)>>,
}

impl Text {
    pub(super) fn literal(text: &str) -> Self {
        if text.is_empty() {
            Self::default()
        } else {
            Self(Rc::new(vec![Part::Literal(text.into())]))
        }
    }

    pub(super) fn view(view: View) -> Self {
        Self(Rc::new(vec![Part::View(view)]))
    }

    /// The constant that it is.
    pub(super) fn constant(&self) -> Option<Rc<str>> {
        match &self.0[..] {
            [] => Some("".into()),
            [Part::Literal(text)] => Some(Rc::clone(text)),
            _ => None,
        }
    }

    /// The view that it is.
    pub(super) fn as_view(&self) -> Option<View> {
        match self.0[..] {
            [Part::View(view)] => Some(view),
            _ => None,
        }
    }

    /// A text of which nothing is known.
    fn unknown() -> Self {
        Self(Rc::new(vec![Part::Carried(Carried { key: NOWHERE, states: Rc::default() })]))
    }

    /// One text and then another; where that would be too long, nothing is known of it.
    pub(super) fn then(&self, other: &Self) -> Self {
        let parts = || self.0.iter().chain(other.0.iter());
        let constant: usize = parts()
            .map(|part| if let Part::Literal(literal) = part { literal.len() } else { 0 })
            .sum();
        if constant > MAX_CONSTANT || parts().count() > MAX_PARTS {
            return Self::unknown();
        }
        let mut parts = (*self.0).clone();
        for part in other.0.iter() {
            match (parts.last_mut(), part) {
                (Some(Part::Literal(before)), Part::Literal(after)) => {
                    *before = format!("{before}{after}").into();
                }
                _ => parts.push(part.clone()),
            }
        }
        Self(Rc::new(parts))
    }
}

/// A byte of a text in UTF-8.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Byte {
    Known(u8),
    /// A character below 128.
    Ascii(Text),
    /// The first byte of a character above.
    Lead(Text),
    /// Another byte of a character above: 0x80 to 0xBF.
    Inner,
    /// Some byte of a character above.
    High,
}

/// A number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Int {
    Known(i128),
    /// A counter that is no longer followed: a number that is not below one, of a variable.
    AtLeast(i128, (LoopKey, usize)),
    /// A function of a text.
    Of(Rc<Number>),
    /// An index into a text.
    At(Rc<At>),
}

/// A number that depends on a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Number {
    pub(super) source: Source,
    /// What is done to it, in order.
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    Length(Text, Unit),
    /// What a text that is a number says.
    Parsed(Text, Digits),
    /// The scalar value of a character.
    Code(Text),
    /// What a character says as a digit.
    Digit(Text, u32),
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Digits {
    pub(super) radix: u32,
    pub(super) min: i128,
    pub(super) max: i128,
}

impl Number {
    /// Whether it may be below zero.
    pub(super) fn is_signed(&self) -> bool {
        let signed = matches!(self.source, Source::Parsed(_, digits) if digits.min < 0);
        self.steps.iter().fold(signed, |signed, step| match step {
            Step::Signed => true,
            Step::Wrap(_) => false,
            _ => signed,
        })
    }

    /// The least and the greatest that it can be, if what it is read from tells.
    pub(super) fn span(&self) -> (Option<i128>, Option<i128>) {
        self.span_from(match self.source {
            Source::Length(..) => (Some(0), None),
            Source::Parsed(_, digits) => (Some(digits.min), Some(digits.max)),
            Source::Code(_) => (Some(0), Some(0x10_FFFF)),
            Source::Digit(_, radix) => (Some(0), Some(i128::from(radix) - 1)),
        })
    }

    /// The same where more is known of what it is read from.
    pub(super) fn span_from(
        &self,
        span: (Option<i128>, Option<i128>),
    ) -> (Option<i128>, Option<i128>) {
        let mut signed = matches!(self.source, Source::Parsed(_, digits) if digits.min < 0);
        self.steps.iter().fold(span, |(least, most), step| {
            let each = |f: &dyn Fn(i128) -> Option<i128>| (least.and_then(f), most.and_then(f));
            let turned = |(least, most)| (most, least);
            let (least, most) = match *step {
                Step::Signed => (least, most),
                Step::Add(more) => each(&|end| end.checked_add(more)),
                Step::Times(0) => (Some(0), Some(0)),
                Step::Times(by @ 1..) => each(&|end| end.checked_mul(by)),
                Step::Times(by) => turned(each(&|end| end.checked_mul(by))),
                Step::Over(by @ 1..) => each(&|end| end.checked_div(by)),
                Step::Over(by) => turned(each(&|end| end.checked_div(by))),
                Step::Into(number) => {
                    let most = number.checked_abs();
                    (most.map(|most| -most), most)
                }
                Step::Wrap(by) => (Some(0), by.checked_sub(1)),
                Step::Modulo(by) => {
                    let most = by.checked_abs().map(|by| by - 1);
                    (most.map(|most| -most), most)
                }
                Step::From(from) => turned(each(&|end| from.checked_sub(end))),
            };
            signed = match step {
                Step::Signed => true,
                Step::Wrap(_) => false,
                _ => signed,
            };
            // Below zero is a panic for a type without a sign.
            if signed { (least, most) } else { (least.map(|least| least.max(0)), most) }
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    Add(i128),
    Times(i128),
    Over(i128),
    /// What it is to another number that is divided by it.
    Into(i128),
    Modulo(i128),
    /// What is left of a number after it is taken away.
    From(i128),
    /// What is below zero is a number from here on, and no panic.
    Signed,
    /// What a cast to an unsigned type leaves of it: the remainder by a power of two, from 0 on.
    Wrap(i128),
}

/// What a length or an index counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Unit {
    Bytes,
    Chars,
}

/// An index into a text, or a position behind its end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct At {
    /// The text.
    pub(super) base: View,
    pub(super) unit: Unit,
    /// What of the text is not before it.
    pub(super) rest: View,
    /// How many bytes of the character before `rest` stand behind the index.
    pub(super) pending: u8,
    /// How far it is behind the end.
    pub(super) beyond: u32,
    /// The index as a number.
    pub(super) count: Int,
}

/// A value with named parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Struct {
    /// The type or variant: the last name of its path.
    pub(super) name: Name,
    pub(super) fields: Vec<(Name, Value)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Range {
    pub(super) from: Option<Value>,
    pub(super) to: Option<Value>,
    pub(super) inclusive: bool,
}

/// A closure, by its number, and how many variables there were when it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Closure {
    pub(super) number: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// A variable by its position, and a way into it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Target {
    pub(super) slot: usize,
    pub(super) path: Vec<Step2>,
}

/// A step into a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step2 {
    Field(Name),
    Index(usize),
    /// What is in an `Option` or `Result`.
    Inner,
}

/// An iterator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Iter {
    Chars(View),
    /// Characters with their indices.
    Indices(At),
    Bytes {
        rest: View,
        /// How many bytes of the character before `rest` are still to come.
        pending: u8,
        backwards: bool,
    },
    Pieces(Pieces),
    /// Values, from the first to the last.
    Values(Rc<Vec<Value>>),
    /// Numbers, from one to another if there is one.
    Numbers(Int, Option<Int>),
    /// Indices into a text.
    Places(At),
    Enumerate(Rc<Iter>, Int),
    Map(Rc<Iter>, Value),
    Filter(Rc<Iter>, Value),
    FilterMap(Rc<Iter>, Value),
    TakeWhile(Rc<Iter>, Value),
    SkipWhile(Rc<Iter>, Value),
    MapWhile(Rc<Iter>, Value),
    Inspect(Rc<Iter>, Value),
    Take(Rc<Iter>, Int),
    Skip(Rc<Iter>, Int),
    StepBy(Rc<Iter>, i128, bool),
    Chain(Rc<Iter>, Rc<Iter>),
    Zip(Rc<Iter>, Rc<Iter>),
    /// An iterator after one item that was put back, or after its end, where there is none.
    Before(Option<Rc<Value>>, Rc<Iter>),
    /// Windows or chunks of a text's characters or bytes.
    Windows(Rc<Iter>, usize, bool),
    /// The items of a list that grew in a loop, in any order, of which some were seen.
    Bag(Rc<Vec<Value>>, u32),
    /// What a mutable reference leads to.
    By(Rc<Target>),
    Empty,
}

/// The pieces of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pieces {
    /// What is still to be divided, backwards if pieces are taken from the end.
    pub(super) rest: View,
    pub(super) needle: Needle,
    pub(super) style: Style,
    /// How many pieces there may still be.
    pub(super) limit: Option<i128>,
    pub(super) backwards: bool,
    pub(super) done: bool,
}

/// What becomes of the ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Style {
    /// Every piece counts.
    All,
    /// A last empty piece does not count.
    Terminated,
    /// Each piece ends with what separates it from the next.
    Inclusive,
    /// Empty pieces do not count.
    NonEmpty,
    /// Lines: a last empty one does not count, nor does a carriage return before the end of a line.
    Lines,
    /// The occurrences themselves.
    Matches,
}

impl Value {
    pub(super) fn known(value: bool) -> Self {
        Self::Bool(Bool::Known(value))
    }

    pub(super) fn int(value: i128) -> Self {
        Self::Int(Int::Known(value))
    }

    pub(super) fn some(value: Self) -> Self {
        Self::Opt(Some(Rc::new(value)))
    }

    pub(super) fn none() -> Self {
        Self::Opt(None)
    }

    pub(super) fn ok(value: Self) -> Self {
        Self::Res(Ok(Rc::new(value)))
    }

    pub(super) fn err(value: Self) -> Self {
        Self::Res(Err(Rc::new(value)))
    }

    /// How many values there are in it, counted to one more than are followed.
    fn weight(&self) -> usize {
        let mut room = MAX_WEIGHT;
        if self.outweighs(&mut room) { MAX_WEIGHT + 1 } else { MAX_WEIGHT - room }
    }

    /// Whether there are more values in it than are followed.
    pub(super) fn is_heavy(&self) -> bool {
        self.weight() > MAX_WEIGHT
    }

    /// Whether there are more values in it than in another, and so many that it may grow without end.
    pub(super) fn has_outgrown(&self, other: &Self) -> bool {
        let weight = self.weight();
        weight > MAX_GROWN && weight > other.weight()
    }

    /// Whether there are more values in it than so many, of which they are taken off.
    pub(super) fn outweighs(&self, room: &mut usize) -> bool {
        let Some(left) = room.checked_sub(1) else { return true };
        *room = left;
        match self {
            Self::Opt(Some(inner)) | Self::Res(Ok(inner) | Err(inner)) => inner.outweighs(room),
            Self::Tuple(values) | Self::List(values) => {
                values.iter().any(|value| value.outweighs(room))
            }
            Self::Struct(fields) => fields.fields.iter().any(|field| field.1.outweighs(room)),
            Self::Range(range) => {
                [&range.from, &range.to].into_iter().flatten().any(|end| end.outweighs(room))
            }
            Self::Iter(iter) | Self::Items(iter) => iter.outweighs(room),
            _ => false,
        }
    }

    pub(super) fn tuple(values: Vec<Self>) -> Self {
        if values.is_empty() { Self::Unit } else { Self::Tuple(Rc::new(values)) }
    }

    pub(super) fn iter(iter: Iter) -> Self {
        Self::Iter(Rc::new(iter))
    }
}
