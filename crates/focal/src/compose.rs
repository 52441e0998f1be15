//! Backwards from a failure to the program's entry: depth first, with the most relevant caller first.
//!
//! A formula of a failure is combined with a part of a caller's summary: a path to the call. If both hold together, that is a
//! formula of the caller, which is combined with its callers in turn; if not, or if nothing comes of it further on, the next part
//! is tried. What a formula and a part are, [`Parts`] says.

/// The source of formulas and paths that a backwards search combines; a trait, so that the search
/// is tested alone.
pub trait Parts {
    /// Under what the failure happens, from some function on.
    type Formula;
    /// A path through a caller to the call.
    type Part: Clone;

    /// What a formula may be combined with, the best first.
    fn parts(&self, formula: &Self::Formula) -> Vec<Self::Part>;

    /// Both together.
    fn combine(&mut self, formula: &Self::Formula, part: &Self::Part) -> Step<Self::Formula>;

    /// Notes that all was tried with what came of both, and nothing was put off.
    fn exhausted(&mut self, formula: &Self::Formula, part: &Self::Part);

    /// Whether a formula begins where the program does.
    fn is_whole(&self, formula: &Self::Formula) -> bool;
}

/// The result of combining a formula with a path of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<F> {
    /// They go together.
    Combined(F),
    /// They exclude each other, or nobody knows.
    Excluded,
    /// It is not tried now.
    Deferred,
    /// The part has more to say: it is to be combined again.
    Again,
}

/// The way backwards from one failure, of which each step is one question.
#[derive(Clone, Debug)]
pub struct Composer<F, P> {
    open: Vec<Open<F, P>>,
}

/// A formula on the way.
#[derive(Clone, Debug)]
struct Open<F, P> {
    formula: F,
    /// By what part it came of the one before.
    by: Option<P>,
    /// What it is still to be combined with, the best last.
    parts: Vec<P>,
    /// Whether something was put off, of it or of what came of it.
    is_deferred: bool,
}

impl<F, P> Composer<F, P> {
    /// Begins with the formula of a failure in a function.
    pub fn new(parts: &impl Parts<Formula = F, Part = P>, failure: F) -> Composer<F, P> {
        let mut composer = Composer { open: Vec::new() };
        composer.open(parts, failure, None);
        composer
    }

    fn open(&mut self, source: &impl Parts<Formula = F, Part = P>, formula: F, by: Option<P>) {
        let mut parts = source.parts(&formula);
        parts.reverse();
        self.open.push(Open { formula, by, parts, is_deferred: false });
    }

    /// Leaves the last formula, with which all was combined.
    fn close(&mut self, parts: &mut impl Parts<Formula = F, Part = P>) {
        let Some(Open { by, is_deferred, .. }) = self.open.pop() else { return };
        let Some(before) = self.open.last_mut() else { return };
        before.is_deferred |= is_deferred;
        if let Some(part) = by.filter(|_| !is_deferred) {
            parts.exhausted(&before.formula, &part);
        }
    }

    /// Combines the formula that was found last with what is best for it. Some formula that is whole, if that is one; the way goes on
    /// with the next part of its function then.
    pub fn step(&mut self, parts: &mut impl Parts<Formula = F, Part = P>) -> Option<F> {
        while self.open.last().is_some_and(|last| last.parts.is_empty()) {
            self.close(parts);
        }
        let last = self.open.last_mut()?;
        let part = last.parts.pop()?;
        match parts.combine(&last.formula, &part) {
            Step::Combined(formula) if parts.is_whole(&formula) => return Some(formula),
            Step::Combined(formula) => self.open(parts, formula, Some(part)),
            Step::Excluded => {}
            Step::Deferred => last.is_deferred = true,
            Step::Again => last.parts.push(part),
        }
        None
    }

    /// Whether nothing is left to combine.
    pub fn is_over(&self) -> bool {
        self.open.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Functions that call others, the most relevant caller first; and chains that cannot be.
    struct Example {
        callers: Vec<(&'static str, Vec<&'static str>)>,
        excluded: Vec<Vec<&'static str>>,
        asked: Vec<String>,
        /// Those that were asked for once more.
        refined: BTreeSet<Vec<&'static str>>,
        /// Chains that are put off, and those of which nothing has come.
        deferred: Vec<Vec<&'static str>>,
        exhausted: Vec<String>,
    }

    impl Parts for Example {
        /// The outermost function first.
        type Formula = Vec<&'static str>;
        type Part = &'static str;

        fn parts(&self, formula: &Vec<&'static str>) -> Vec<&'static str> {
            let of = self.callers.iter().find(|(callee, _)| *callee == formula[0]);
            of.map_or(Vec::new(), |(_, callers)| callers.clone())
        }

        fn combine(
            &mut self,
            formula: &Vec<&'static str>,
            part: &&'static str,
        ) -> Step<Vec<&'static str>> {
            let mut all = vec![*part];
            all.extend(formula);
            self.asked.push(all.join(" "));
            match self.excluded.contains(&all) {
                true if self.refined.insert(all.clone()) => Step::Again,
                true => Step::Excluded,
                false if self.deferred.contains(&all) => Step::Deferred,
                false => Step::Combined(all),
            }
        }

        fn exhausted(&mut self, formula: &Vec<&'static str>, part: &&'static str) {
            self.exhausted.push(format!("{part} {}", formula.join(" ")));
        }

        fn is_whole(&self, formula: &Vec<&'static str>) -> bool {
            formula[0] == "main"
        }
    }

    fn example(excluded: &[&[&'static str]]) -> Example {
        Example {
            callers: vec![("f3", vec!["f1", "f2"]), ("f1", vec!["main"]), ("f2", vec!["main"])],
            excluded: excluded.iter().map(|chain| chain.to_vec()).collect(),
            asked: Vec::new(),
            refined: BTreeSet::new(),
            deferred: Vec::new(),
            exhausted: Vec::new(),
        }
    }

    /// The first formula that is whole.
    fn first(parts: &mut Example) -> Option<Vec<&'static str>> {
        let mut composer = Composer::new(parts, vec!["f3"]);
        while !composer.is_over() {
            if let Some(whole) = composer.step(parts) {
                return Some(whole);
            }
        }
        None
    }

    #[test]
    fn where_main_excludes_the_most_relevant_caller_the_next_one_is_combined() {
        let mut parts = example(&[&["main", "f1", "f3"]]);
        assert_eq!(first(&mut parts), Some(vec!["main", "f2", "f3"]));
        // What is excluded is asked for again before anything else is.
        let asked = ["f1 f3", "main f1 f3", "main f1 f3", "f2 f3", "main f2 f3"];
        assert_eq!(parts.asked, asked);
    }

    #[test]
    fn where_nothing_is_excluded_the_most_relevant_caller_is_the_only_one() {
        let mut parts = example(&[]);
        assert_eq!(first(&mut parts), Some(vec!["main", "f1", "f3"]));
        assert_eq!(parts.asked, ["f1 f3", "main f1 f3"]);
    }

    #[test]
    fn where_all_is_excluded_it_ends() {
        let mut parts = example(&[&["f1", "f3"], &["main", "f2", "f3"]]);
        assert_eq!(first(&mut parts), None);
        assert_eq!(parts.asked, ["f1 f3", "f1 f3", "f2 f3", "main f2 f3", "main f2 f3"]);
        assert_eq!(parts.exhausted, ["f2 f3"]);
    }

    #[test]
    fn what_is_put_off_further_on_is_not_over() {
        let mut parts = example(&[&["main", "f2", "f3"]]);
        parts.deferred = vec![vec!["main", "f1", "f3"]];
        assert_eq!(first(&mut parts), None);
        assert_eq!(parts.exhausted, ["f2 f3"]);
    }
}
