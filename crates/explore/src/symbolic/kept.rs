//! Bytes that a unit finds in its context and that do not come from its input: on which of them a run depends.
//!
//! Each has a shadow of its own, which is copied with it and goes when something is written there. Where it is loaded, that is
//! noted, and the value goes on without a shadow: it is as it was.

use super::{Shadow, Symbolic};
use pleach_solver::TermId;

/// From which number on variables stand for such bytes; offsets in an input are less.
const FIRST: u32 = 1 << 31;

/// Their shadows, which are terms one after the other, and which of them this run has loaded.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    shadows: Vec<TermId>,
    is_read: Vec<bool>,
}

impl Kept {
    /// None of them is loaded yet.
    pub(super) fn begin(&mut self) {
        self.is_read.fill(false);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.shadows.is_empty()
    }

    fn place(&self, shadow: Shadow) -> Option<u32> {
        let (term, first) = (shadow?.index(), self.shadows.first()?.index());
        let place = term.checked_sub(first).filter(|&place| place < self.shadows.len())?;
        Some(place as u32)
    }
}

impl Symbolic {
    /// The shadows of so many bytes that a unit has in its context and that do not come from its input. There may be fewer,
    /// if there is no room for more terms.
    pub fn keep(&mut self, count: usize) -> &[TermId] {
        if self.kept.is_read.len() != count {
            let first = self.terms.len();
            let number = |at: usize| u32::try_from(at).ok().and_then(|at| FIRST.checked_add(at));
            let mut shadows = Vec::new();
            for at in first..first + count {
                let Some(number) = number(at).filter(|_| !self.terms.is_full()) else { break };
                shadows.push(self.terms.variable(number, 8));
            }
            self.kept.shadows = shadows;
            self.kept.is_read = vec![false; count];
        }
        &self.kept.shadows
    }

    /// Which of the bytes that were [kept](Symbolic::keep) a shadow stands for.
    pub fn kept(&self, shadow: Shadow) -> Option<u32> {
        self.kept.place(shadow)
    }

    /// Notes that a run depends on a byte, if it is one that was kept: it has no shadow from there on.
    pub fn depend(&mut self, shadow: Shadow) -> Shadow {
        let Some(place) = self.kept.place(shadow) else { return shadow };
        if !std::mem::replace(&mut self.kept.is_read[place as usize], true) {
            self.trail.read.push(place);
        }
        None
    }

    /// The same of several bytes.
    pub(super) fn depend_on(&mut self, shadows: &mut [Shadow]) {
        for shadow in shadows {
            *shadow = self.depend(*shadow);
        }
    }

    /// On how many of the bytes that were kept the run depends so far.
    pub fn depends(&self) -> usize {
        self.trail.read.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Shadow, Symbolic, SymbolicLimits};
    use pleach_concolic::ir::Module;
    use pleach_concolic::vm::{Machine, Options, Outcome};
    use std::sync::Arc;

    /// Writes the first byte and reads it, reads a copy of the second one twice, and compares the fourth.
    const TEXT: &str = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define i8 @f(ptr %p, ptr %q) {
start:
  store i8 7, ptr %p
  %a = load i8, ptr %p
  %second = getelementptr i8, ptr %p, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %second, i64 2, i1 false)
  %b = load i8, ptr %q
  %again = load i8, ptr %q
  %fourth = getelementptr i8, ptr %p, i64 3
  %c = load i8, ptr %fourth
  %is = icmp eq i8 %c, 9
  br i1 %is, label %yes, label %no
yes:
  ret i8 %a
no:
  ret i8 %b
}
";

    #[test]
    fn a_run_depends_on_what_it_loads_and_has_not_written() {
        let module = Arc::new(Module::read(TEXT).expect("it is IR"));
        let f = module.find_function("f").expect("it is there");
        let symbolic = Symbolic::new(Arc::clone(&module), SymbolicLimits::default());
        let mut machine = Machine::new(module, symbolic, Options::default()).expect("it begins");
        for _ in 0..2 {
            machine.domain.begin(None);
            let [from, to] = [[1, 2, 3, 4], [0; 4]]
                .map(|bytes| machine.allocate(&bytes).expect("there is memory"));
            let shadows: Vec<Shadow> = machine.domain.keep(4).iter().copied().map(Some).collect();
            machine.memory_mut().set_shadows(from, &shadows).expect("it is there");
            machine.call(f, &[from.into(), to.into()]);
            assert_eq!(machine.run(), Outcome::Returned(vec![2]));
            let trail = machine.domain.end(&[]);
            assert_eq!(trail.read, [1, 3]);
            // Values without shadows decide nothing.
            assert_eq!(trail.decisions.len(), 0);
        }
    }

    #[test]
    fn without_room_for_terms_fewer_are_kept() {
        let module = Arc::new(Module::read(TEXT).expect("it is IR"));
        let limits = SymbolicLimits::default().terms(300);
        let mut symbolic = Symbolic::new(module, limits);
        let kept = symbolic.keep(1000).to_vec();
        assert!(kept.len() < 1000, "{}", kept.len());
        assert_eq!(symbolic.keep(1000), kept);
        assert_eq!(symbolic.kept(kept.last().copied()), Some(kept.len() as u32 - 1));
    }
}
