//! Gates, and the SAT solver that has their clauses.

use crate::budget::{Budget, Meter};
use crate::terms::TermId;
use batsat::{Lit, Solver, SolverInterface, SolverOpts, lbool};
use fxhash::FxHashMap;

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Sat,
    /// The assumptions, by their places, that cannot hold together.
    Unsat(Vec<usize>),
    /// The search was ended by its budget.
    Stopped,
}

/// The bits of a quotient, and those of its remainder.
pub(super) type Quotient = (Vec<Lit>, Vec<Lit>);

/// Gates and their clauses.
pub(crate) struct Circuit {
    solver: Solver<Meter>,
    always: Lit,
    /// Whether something was asserted besides definitions.
    asserted: bool,
    ands: FxHashMap<(Lit, Lit), Lit>,
    xors: FxHashMap<(Lit, Lit), Lit>,
    /// Quotient and remainder of two terms, with sign or without.
    pub(super) quotients: FxHashMap<(bool, TermId, TermId), Quotient>,
    /// Where the bits of a term begin in `bits`, lowest first.
    pub(super) places: FxHashMap<TermId, u32>,
    pub(super) bits: Vec<Lit>,
    /// The bits of each variable of the terms: its number, where they begin, how many.
    pub(super) inputs: Vec<(u32, u32, u8)>,
    clause: Vec<Lit>,
}

impl Circuit {
    pub(crate) fn new() -> Circuit {
        let mut solver = Solver::new(SolverOpts::default(), Meter::default());
        let always = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![always]);
        Circuit {
            solver,
            always,
            asserted: false,
            ands: FxHashMap::default(),
            xors: FxHashMap::default(),
            quotients: FxHashMap::default(),
            places: FxHashMap::default(),
            bits: Vec::new(),
            inputs: Vec::new(),
            clause: Vec::new(),
        }
    }

    /// How many variables the SAT solver has.
    pub(crate) fn size(&self) -> u32 {
        self.solver.num_vars()
    }

    /// How many conflicts all searches had.
    pub(crate) fn all_conflicts(&self) -> u64 {
        self.solver.cb().all_conflicts
    }

    pub(super) fn constant(&self, value: bool) -> Lit {
        if value { self.always } else { !self.always }
    }

    /// What the literal is if it is a constant, or follows from what was asserted.
    pub(super) fn known(&self, lit: Lit) -> Option<bool> {
        if !self.asserted {
            return (lit.var() == self.always.var()).then(|| lit == self.always);
        }
        let value = self.solver.value_lvl_0(lit);
        (value == lbool::TRUE || value == lbool::FALSE).then(|| value == lbool::TRUE)
    }

    /// Lets a literal be true from now on: all gates made after that are the simpler for it. The
    /// circuit then serves one question only.
    pub(crate) fn assert(&mut self, lit: Lit) {
        self.asserted = true;
        self.clause(&[lit]);
        self.solver.simplify();
    }

    /// Whether what was asserted holds for some inputs.
    pub(crate) fn search_asserted(&mut self, budget: Budget) -> Found {
        self.solver.cb_mut().budget = budget;
        let found = self.solver.solve_limited(&[]);
        match () {
            () if found == lbool::TRUE => Found::Sat,
            () if found == lbool::FALSE => Found::Unsat(Vec::new()),
            () => Found::Stopped,
        }
    }

    pub(super) fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    pub(super) fn clause(&mut self, lits: &[Lit]) {
        self.clause.clear();
        self.clause.extend_from_slice(lits);
        self.solver.add_clause_reuse(&mut self.clause);
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.known(a), self.known(b)) {
            (Some(false), _) | (_, Some(false)) => return self.constant(false),
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ if a == b => return a,
            _ if a == !b => return self.constant(false),
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.ands.get(&key) {
            return known;
        }
        let both = self.fresh();
        self.clause(&[!both, a]);
        self.clause(&[!both, b]);
        self.clause(&[both, !a, !b]);
        self.ands.insert(key, both);
        both
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(super) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.known(a), self.known(b)) {
            (Some(known), _) => return b ^ known,
            (_, Some(known)) => return a ^ known,
            _ if a.var() == b.var() => return self.constant(a != b),
            _ => {}
        }
        // Signs are moved out, so that one gate serves all four cases.
        let odd = !a.sign() ^ !b.sign();
        let (a, b) = (Lit::new(a.var(), true), Lit::new(b.var(), true));
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.xors.get(&key) {
            return known ^ odd;
        }
        let one = self.fresh();
        self.clause(&[!one, a, b]);
        self.clause(&[!one, !a, !b]);
        self.clause(&[one, !a, b]);
        self.clause(&[one, a, !b]);
        self.xors.insert(key, one);
        one ^ odd
    }

    /// The second where the first is true, the third elsewhere.
    pub(super) fn choose(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if a == b {
            return a;
        }
        match (self.known(c), self.known(a), self.known(b)) {
            (Some(c), ..) => return if c { a } else { b },
            (_, Some(true), _) => return self.or(c, b),
            (_, Some(false), _) => return self.and(!c, b),
            (.., Some(true)) => return self.or(!c, a),
            (.., Some(false)) => return self.and(c, a),
            _ if a == !b => return !self.xor(c, a),
            _ => {}
        }
        let chosen = self.fresh();
        self.clause(&[!c, !a, chosen]);
        self.clause(&[!c, a, !chosen]);
        self.clause(&[c, !b, chosen]);
        self.clause(&[c, b, !chosen]);
        // Redundant, and lets a result be known before the condition is.
        self.clause(&[!a, !b, chosen]);
        self.clause(&[a, b, !chosen]);
        chosen
    }

    /// Whether at least two of three are true.
    pub(super) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        for (known, x, y) in [(a, b, c), (b, a, c), (c, a, b)] {
            match self.known(known) {
                Some(true) => return self.or(x, y),
                Some(false) => return self.and(x, y),
                None => {}
            }
        }
        if a == b || a == c {
            return a;
        }
        if b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if a == !c {
            return b;
        }
        if b == !c {
            return a;
        }
        let most = self.fresh();
        for (x, y) in [(a, b), (a, c), (b, c)] {
            self.clause(&[most, !x, !y]);
            self.clause(&[!most, x, y]);
        }
        most
    }

    /// Looks for values of the inputs under which all assumptions hold.
    pub(crate) fn search(&mut self, assumptions: &[Lit], budget: Budget) -> Found {
        self.solver.cb_mut().budget = budget;
        let found = self.solver.solve_limited(assumptions);
        if found == lbool::TRUE {
            return Found::Sat;
        }
        // Definitions alone always have a model, so a solver that has none is no witness.
        debug_assert!(self.asserted || self.solver.is_ok(), "definitions contradict each other");
        if found != lbool::FALSE || !self.solver.is_ok() {
            return Found::Stopped;
        }
        let core = |lit: &Lit| self.solver.unsat_core_contains_var(lit.var());
        let places = (0..assumptions.len()).filter(|&at| core(&assumptions[at]));
        Found::Unsat(places.collect())
    }

    /// A literal's value after a search that found some.
    pub(crate) fn value(&self, lit: Lit) -> bool {
        self.solver.value_lit(lit) == lbool::TRUE
    }
}
