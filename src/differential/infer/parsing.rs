//! Texts parsed as other types, and conversions.

use super::calls::Hint;
use super::interp::Interp;
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
        let from = self.frame().function;
        let path = [hint.name.clone(), "from_str".to_owned()];
        if let Some(number) = self.krate.function_at(&path, Some(from))
            && self.krate.owner(number) == hint.name
        {
            let site = super::source::address(self.table) ^ number;
            return self.call(state, number, vec![value.clone()], site);
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
        digits: Digits,
    ) -> Flow<Outs> {
        let signed = digits.min < 0;
        let lang = self.numerals(digits.radix, signed, &[(digits.min, digits.max)])?;
        let number = Number { source: Source::Parsed(text.clone(), digits), steps: Vec::new() };
        let good = Value::ok(Value::Int(Int::Of(Rc::new(number))));
        self.fallible(state, text, lang, good, Value::err(Value::Unit))
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
            return Ok(self.no_view(state)?.unwrap_or_default());
        };
        let digits = Digits { radix: *radix as u32, min, max };
        self.parse_integer(state, text, digits)
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
