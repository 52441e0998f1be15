//! How calls come when their values were changed in the input.

use serde::Serialize;

use super::ear::Called;

/// The paper's four outcomes: how a call came when its values were changed in the input.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Outcomes {
    pub(super) never: u64,
    pub(super) new: u64,
    pub(super) old: u64,
    pub(super) another: u64,
}

/// How a call came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Never,
    New,
    Old,
    Another,
}

impl Outcomes {
    pub(super) fn count(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Never => &mut self.never,
            Outcome::New => &mut self.new,
            Outcome::Old => &mut self.old,
            Outcome::Another => &mut self.another,
        } += 1;
    }

    pub(super) fn all(&self) -> u64 {
        self.never + self.new + self.old + self.another
    }
}

/// How a call came when these of its values were to be new.
pub(super) fn outcome(calls: &[Called], call: &Called, new: &[(usize, &[u8])]) -> Outcome {
    let same = |it: &&Called| (&it.function, it.nth) == (&call.function, call.nth);
    let Some(came) = calls.iter().find(same) else { return Outcome::Never };
    let is = |value: &dyn Fn(usize) -> Vec<u8>| {
        new.iter()
            .all(|(index, _)| came.values.get(*index).is_some_and(|it| it.bytes == value(*index)))
    };
    let wanted = |index| new.iter().find(|it| it.0 == index).map_or(Vec::new(), |it| it.1.to_vec());
    let before = |index: usize| call.values[index].bytes.clone();
    match (is(&wanted), is(&before)) {
        (true, _) => Outcome::New,
        (_, true) => Outcome::Old,
        _ => Outcome::Another,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach::native::unit::wire::Value;

    #[test]
    fn a_call_comes_with_the_new_values_the_old_ones_others_or_not_at_all() {
        let call = |nth, values: &[&str]| Called {
            function: "f".into(),
            nth,
            values: values.iter().map(|text| Value::text("it", text)).collect(),
        };
        let before = call(1, &["old", "same"]);
        let how = |calls: &[Called]| outcome(calls, &before, &[(0, b"new")]);
        assert_eq!(how(&[call(0, &["new", "same"])]), Outcome::Never);
        let first = call(0, &["x", "y"]);
        for (values, expected) in
            [("new", Outcome::New), ("old", Outcome::Old), ("ne", Outcome::Another)]
        {
            assert_eq!(how(&[first.clone(), call(1, &[values, "other"])]), expected);
        }
    }
}
