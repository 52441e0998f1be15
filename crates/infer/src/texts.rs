//! Conditions on texts and characters.

use super::interp::Interp;
use super::pool::{ALL, Lang, NONE};
use super::stop::Flow;
use super::value::{Bool, Byte, Cond, Part, Text, Value};

/// A level, and states with the strings of that level that lead there.
type Driven = (usize, Vec<(usize, Lang)>);

impl Interp<'_> {
    /// Which states the automaton of a language may be in behind a text, and when: languages at the
    /// level that is given with them; none where that is not followed.
    pub(super) fn drive(&mut self, text: &Text, lang: Lang) -> Flow<Option<Driven>> {
        let dfa = self.pool.dfa(lang);
        let mut level = None;
        let mut ways = vec![(dfa.start().index(), ALL)];
        for (i, part) in text.0.iter().enumerate() {
            match part {
                Part::Literal(literal) => {
                    for way in &mut ways {
                        let mut state = dfa.state(way.0);
                        for symbol in literal.chars() {
                            state = dfa.step(state, symbol.into());
                        }
                        way.0 = if dfa.is_dead(state) { 0 } else { state.index() };
                    }
                }
                Part::Carried(carried) if i == 0 => {
                    let known = carried.states.iter().find(|state| state.0 == lang);
                    match known {
                        Some(&(_, state)) => ways = vec![(state, ALL)],
                        None => {
                            self.ask(carried.key, lang)?;
                            return Ok(None);
                        }
                    }
                }
                Part::Carried(_) => return Ok(None),
                Part::View(view) => {
                    let own = self.views.level(*view);
                    if *level.get_or_insert(own) != own {
                        return Ok(None);
                    }
                    let mut next: Vec<(usize, Lang)> = Vec::new();
                    for &(from, when) in &ways {
                        if from == 0 {
                            next.push((0, when));
                            continue;
                        }
                        let mut live = NONE;
                        for to in dfa.states().filter(|&to| !dfa.is_dead(to)) {
                            let moved = self.pool.between(lang, dfa.state(from), to)?;
                            if moved == NONE {
                                continue;
                            }
                            live = self.pool.union(live, moved)?;
                            let lifted = self.views.lift(&mut self.pool, *view, moved)?;
                            next.push((to.index(), self.pool.both(when, lifted)?));
                        }
                        let dead = self.pool.complement(live)?;
                        if dead != NONE {
                            let lifted = self.views.lift(&mut self.pool, *view, dead)?;
                            next.push((0, self.pool.both(when, lifted)?));
                        }
                    }
                    ways.clear();
                    for (state, when) in next.into_iter().filter(|way| way.1 != NONE) {
                        match ways.iter_mut().find(|way| way.0 == state) {
                            Some(way) => way.1 = self.pool.union(way.1, when)?,
                            None => ways.push((state, when)),
                        }
                    }
                }
            }
        }
        Ok(Some((level.unwrap_or(self.level), ways)))
    }

    /// When a text is in a language.
    pub(super) fn text_in(&mut self, text: &Text, lang: Lang) -> Flow<Option<Bool>> {
        if let Some(constant) = text.constant() {
            return Ok(Some(Bool::Known(self.pool.contains(lang, &constant))));
        }
        if lang == ALL || lang == NONE {
            return Ok(Some(Bool::Known(lang == ALL)));
        }
        if let Some(view) = text.as_view() {
            let other = self.pool.complement(lang)?;
            let level = self.views.level(view);
            let yes = self.views.lift(&mut self.pool, view, lang)?;
            let no = self.views.lift(&mut self.pool, view, other)?;
            return Ok(Some(bool_of(Cond { level, yes, no })));
        }
        // The same automaton answers for the complement.
        let other = self.pool.complement(lang)?;
        if let Some(Part::Carried(carried)) = text.0.first()
            && carried.states.iter().any(|state| state.0 == other)
        {
            return Ok(self.accepts(text, other)?.map(negated));
        }
        self.accepts(text, lang)
    }

    fn accepts(&mut self, text: &Text, lang: Lang) -> Flow<Option<Bool>> {
        let Some((level, ways)) = self.drive(text, lang)? else { return Ok(None) };
        let dfa = self.pool.dfa(lang);
        let (mut yes, mut no) = (NONE, NONE);
        for (state, when) in ways {
            let accepts = state != 0 && dfa.is_accepting(dfa.state(state));
            let side = if accepts { &mut yes } else { &mut no };
            *side = self.pool.union(*side, when)?;
        }
        Ok(Some(bool_of(Cond { level, yes, no })))
    }

    /// When two texts are the same; none where that is not followed.
    pub(super) fn texts_equal(&mut self, a: &Text, b: &Text) -> Flow<Option<Bool>> {
        if a == b && !a.0.iter().any(|part| matches!(part, Part::Carried(_))) {
            return Ok(Some(Bool::Known(true)));
        }
        match (a.constant(), b.constant()) {
            (Some(a), _) => {
                let lang = self.pool.literal(&a)?;
                self.text_in(b, lang)
            }
            (_, Some(b)) => {
                let lang = self.pool.literal(&b)?;
                self.text_in(a, lang)
            }
            _ => Ok(None),
        }
    }

    /// When a byte is one of some.
    pub(super) fn byte_in(&mut self, byte: &Byte, set: &[bool; 256]) -> Flow<Option<Bool>> {
        let high = |from: usize, to: usize| {
            let count = set[from..to].iter().filter(|&&has| has).count();
            if count == to - from {
                Some(Bool::Known(true))
            } else {
                (count == 0).then_some(Bool::Known(false))
            }
        };
        match byte {
            Byte::Known(byte) => Ok(Some(Bool::Known(set[usize::from(*byte)]))),
            Byte::Ascii(text) => {
                let ranges: Vec<(u32, u32)> =
                    (0..128).filter(|&b| set[b as usize]).map(|b| (b, b)).collect();
                let lang = self.pool.set(&ranges)?;
                self.text_in(text, lang)
            }
            Byte::Lead(text) => {
                let ranges: Vec<(u32, u32)> =
                    (0xC2..0xF5).filter(|&lead| set[lead]).map(led_by).collect();
                let lang = self.pool.set(&ranges)?;
                self.text_in(text, lang)
            }
            Byte::Inner => Ok(high(0x80, 0xC0)),
            Byte::High => Ok(high(0x80, 0xF5)),
        }
    }

    /// When two conditions both hold.
    pub(super) fn and(&mut self, a: &Value, b: &Value) -> Flow<Value> {
        Ok(match (a, b) {
            (Value::Bool(Bool::Known(false)), _) | (_, Value::Bool(Bool::Known(false))) => {
                Value::known(false)
            }
            (Value::Bool(Bool::Known(true)), other) | (other, Value::Bool(Bool::Known(true))) => {
                other.clone()
            }
            (Value::Bool(Bool::When(a)), Value::Bool(Bool::When(b))) if a.level == b.level => {
                let yes = self.pool.both(a.yes, b.yes)?;
                let no = self.pool.union(a.no, b.no)?;
                Value::Bool(bool_of(Cond { level: a.level, yes, no }))
            }
            (Value::Unknown(_), _) => a.clone(),
            (_, Value::Unknown(_)) => b.clone(),
            _ => {
                let frame = self.frame();
                let spot =
                    super::interp::Spot { file: frame.file, line: frame.end.line, column: 1 };
                let message = "conditions on different loops are combined in this function";
                Value::Unknown(self.note(spot, message))
            }
        })
    }

    /// When either of two conditions holds.
    pub(super) fn or(&mut self, a: &Value, b: &Value) -> Flow<Value> {
        let (a, b) = (not(a.clone()), not(b.clone()));
        Ok(not(self.and(&a, &b)?))
    }

    /// The characters of a text that always is one, as far as they are known.
    pub(super) fn constant_char(text: &Text) -> Option<char> {
        text.constant().and_then(|text| text.chars().next())
    }
}

/// The characters whose UTF-8 begins with a byte.
fn led_by(lead: usize) -> (u32, u32) {
    let lead = lead as u32;
    match lead {
        0xC2..0xE0 => ((lead & 0x1F) << 6, (lead & 0x1F) << 6 | 0x3F),
        0xE0..0xF0 => {
            let low = (lead & 0xF) << 12;
            (low.max(0x800), low | 0xFFF)
        }
        _ => {
            let low = (lead & 7) << 18;
            (low.max(0x1_0000), (low | 0x3_FFFF).min(0x10_FFFF))
        }
    }
}

/// A condition, as a constant where it always or never holds.
pub(super) fn bool_of(cond: Cond) -> Bool {
    match cond {
        Cond { yes: ALL, no: NONE, .. } => Bool::Known(true),
        Cond { yes: NONE, no: ALL, .. } => Bool::Known(false),
        _ => Bool::When(cond),
    }
}

pub(super) fn negated(bool: Bool) -> Bool {
    match bool {
        Bool::Known(known) => Bool::Known(!known),
        Bool::When(Cond { level, yes, no }) => Bool::When(Cond { level, yes: no, no: yes }),
    }
}

pub(super) fn not(value: Value) -> Value {
    match value {
        Value::Bool(bool) => Value::Bool(negated(bool)),
        other => other,
    }
}
