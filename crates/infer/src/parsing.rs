//! Texts parsed as other types, and conversions.

use super::calls::Hint;
use super::interp::{Interp, NOWHERE};
use super::names::{Found, Kind};
use super::numbers::{LEAST, MOST};
use super::source::Origin;
use super::state::{Outs, State, one};
use super::stop::Flow;
use super::table::Meaning;
use super::value::{Digits, Int, Number, Source, Text, Value};
use std::rc::Rc;

impl<'a> Interp<'a> {
    /// `parse` and `from_str`, by the type.
    pub(super) fn parse(&mut self, state: State, value: &Value, hint: Option<&Hint>) -> Flow<Outs> {
        let Value::Str(text) = value else {
            let value = value.clone();
            return self.unknown_method(state, "parse", &value, &[]);
        };
        let Some(hint) =
            hint.map(Hint::leaf).filter(|hint| !hint.name.is_empty() && hint.name != "_")
        else {
            let lost = self.lost("the type that a text is parsed as is not known");
            return one(state, lost);
        };
        let hint = match (&*hint.name, &hint.inner) {
            ("[]", Some(inner)) => inner,
            _ => hint,
        };
        let from = self.origin();
        let path = [hint.name.clone(), "from_str".to_owned()];
        match self.krate.found(Kind::Function, &path, Some(from)) {
            Found::One(number) if self.krate.owner(Origin::Function(number)) == hint.name => {
                let site = super::bodies::address(self.table) ^ number;
                return self.call(state, number, vec![value.clone()], site);
            }
            Found::Outside => {}
            _ => {
                let note = self.lost_note(&super::calls::which(&path));
                let mut state = state;
                self.opaque(&mut state, note, &[]);
                return one(state, Value::Unknown(note));
            }
        }
        match self.table.get("parse", &hint.name).cloned() {
            Some(meaning) => self.known(state, &meaning, text, &Value::Str),
            None => {
                let lost =
                    self.lost(&format!("how a text is parsed as `{}` is not known", hint.name));
                one(state, lost)
            }
        }
    }

    /// A number, where a text is one.
    pub(super) fn parse_integer(
        &mut self,
        state: State,
        text: &Text,
        radix: u32,
        min: i128,
        max: u128,
    ) -> Flow<Outs> {
        let most = i128::try_from(max).unwrap_or(MOST).min(MOST);
        let digits = Digits { radix, min: min.max(LEAST), max: most };
        let lang = self.numerals(radix, min < 0, &[(digits.min, digits.max)])?;
        let number = Number { source: Source::Parsed(text.clone(), digits), steps: Vec::new() };
        let good = Value::ok(Value::Int(Int::Of(Rc::new(number))));
        let bad = Value::err(self.lost("what is wrong with a number is not followed"));
        if min >= LEAST && max <= MOST.unsigned_abs() {
            return self.fallible(state, text, lang, good, bad);
        }
        // Numbers so large are only known to be.
        let above = (MOST.unsigned_abs() + 1, max);
        let below = (LEAST.unsigned_abs() + 1, min.min(0).unsigned_abs());
        let above = self.wide_numerals(radix, r"\+?", above)?;
        let below = self.wide_numerals(radix, "-", below)?;
        let lost = self.lost("a number of this size is not followed");
        let mut outs = self.fallible(state, text, lang, good, Value::Gone)?;
        let large = Value::Int(Int::AtLeast(MOST, NOWHERE));
        for (lang, value) in [(above, large), (below, lost)] {
            outs = self.then(outs, |interp, state, found| match found {
                Value::Gone => {
                    interp.fallible(state, text, lang, Value::ok(value.clone()), Value::Gone)
                }
                found => one(state, found),
            })?;
        }
        self.then(outs, |_, state, found| {
            one(state, if found == Value::Gone { bad.clone() } else { found })
        })
    }

    pub(super) fn parse_radix(
        &mut self,
        state: State,
        text: &Value,
        of: &str,
        radix: &Value,
    ) -> Flow<Outs> {
        let (
            Value::Str(text),
            Value::Int(Int::Known(radix @ 2..=36)),
            Some(Meaning::Integer { min, max }),
        ) = (text, radix, self.table.get("parse", of).cloned())
        else {
            return Ok(self.no_view(state, &[])?.unwrap_or_default());
        };
        self.parse_integer(state, text, *radix as u32, min, max)
    }

    /// `char::from(x)` and the like.
    pub(super) fn convert(&mut self, state: State, value: Value, to: &str) -> Flow<Outs> {
        let value = match (value, to) {
            // Where there is a conversion, a cast does the same.
            (value @ (Value::Byte(_) | Value::Char(_) | Value::Int(_)), _)
                if to == "char" || self.krate.types.named(to).is_some() =>
            {
                return self.cast(state, value, to);
            }
            (value @ Value::Unknown(_), _) => value,
            _ => self.lost("a conversion is not followed"),
        };
        one(state, value)
    }
}
