//! Values as terms over the input's bytes and length.
//!
//! [`Symbolic`] is the shadow of the machine's values: the term that computes a value from the input, or
//! nothing where it does not depend on it. What is not followed (floats, functions of the system,
//! what is too deep) has a shadow of its own that says so, and where the machine depends on a value as it is (an
//! address that is written, a length), that value is pinned. Both go onto the path as conditions that an input need not
//! fulfil: the solver is asked with them and then without, and the program itself decides.

mod kept;
mod limits;
mod loads;
mod memo;
mod operations;

pub use limits::SymbolicLimits;

use crate::parts::Layout;
use crate::path::{Decision, Kind, condition};
use fxhash::{FxHashMap, FxHashSet, FxHasher};
use kept::Kept;
use loads::{Content, Indexed, Selection};
use memo::{Key, Memo};
use operations::{Computing, fit};
use pleach_concolic::ir::{Binary, FunctionId, Module, Pc};
use pleach_concolic::vm::{Access, Domain, Flow, Memory, Operation, Source, Value};
use pleach_solver::{Compare, TermId, Terms};
use std::hash::Hasher;
use std::sync::Arc;

/// The term of a value; none if it does not depend on the input.
pub type Shadow = Option<TermId>;

/// The variable that is the input's length. The others are bytes, by their offset.
pub const LENGTH: u32 = u32::MAX - 1;
/// How many bits it has: what is computed from it is small then, which the solver need not find out.
pub const LENGTH_BITS: u8 = 16;
/// The longest input of which the length is followed.
pub const LONGEST: usize = (1 << LENGTH_BITS) - 1;

/// The variable that stands for all that is not followed.
const LOST: u32 = u32::MAX;

/// Of how many bytes most numbers are that are loaded and stored.
const WORD: usize = 8;

/// What a load of at most so many bytes is remembered by.
type LoadKey = ([Shadow; WORD], u64, u8);

/// What is less may be the length of a word, and how many comparisons of lengths a run tells of.
const WORDS: u64 = 128;
const COMPARED: usize = 1024;

/// How many calls make a context.
const CONTEXT: usize = 3;

/// Why a value is not followed further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loss {
    /// It went into a float, or into a function of the system's or the compiler's that has no term.
    Function,
    /// It has come through too many operations.
    Deep,
    /// It is an address that was used as it was.
    Address,
    /// It is a length that was used as it was.
    Length,
    /// It chose, as a number, among what is not a branch.
    Choice,
    /// There is no room for more terms.
    Full,
    /// The path has too many decisions.
    Long,
}

impl Loss {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Loss::Function => "float or function",
            Loss::Deep => "too deep",
            Loss::Address => "address",
            Loss::Length => "length",
            Loss::Choice => "choice",
            Loss::Full => "too many terms",
            Loss::Long => "long path",
        }
    }
}

/// The symbolic record of a run: decisions, edges, calls, and what was not followed.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// The decisions, in their order.
    pub decisions: Vec<Decision>,
    /// A bit for each edge that was taken.
    pub edges: Vec<u64>,
    /// Where values were not followed, and how often.
    pub lost: FxHashMap<(Pc, Loss), u64>,
    /// Branches that depended on what was not followed.
    pub blind: FxHashSet<Pc>,
    /// Calls: the instruction and what it called.
    pub calls: FxHashSet<(Pc, FunctionId)>,
    /// Numbers that do not depend on the input, were compared and were not the same, and for which place: they may be lengths of what the input has.
    pub lengths: FxHashSet<(Pc, u8, u8)>,
    /// On which bytes that were [kept](Symbolic::keep) the run depends, in the order in which it has loaded them.
    pub read: Vec<u32>,
}

impl Trail {
    fn compare_lengths(&mut self, at: Pc, a: u64, b: u64) {
        if a.max(b) < WORDS && self.lengths.len() < COMPARED {
            self.lengths.insert((at, a as u8, b as u8));
        }
    }
}

/// Terms as shadows, and the path of a run.
#[derive(Clone, Debug)]
pub struct Symbolic {
    /// All terms, of all runs.
    pub terms: Terms,
    limits: SymbolicLimits,
    module: Arc<Module>,
    lost: TermId,
    /// Through how many operations each term came, by its place.
    depths: Vec<u16>,
    /// What operations gave, what loads of these bytes did, as what bytes terms are stored, and when branches on them take an edge.
    operated: Memo<Key, Shadow>,
    assembled: Memo<LoadKey, Shadow>,
    stored: Memo<TermId, [Shadow; WORD]>,
    conditions: Memo<(Pc, TermId, u32), TermId>,
    /// Addresses that were made of an index.
    indexed: FxHashMap<TermId, Indexed>,
    /// What loads from memory that is never written gave, by address, width and where the object begins: on another
    /// input the same address may be in another one.
    tables: FxHashMap<(TermId, u8, u64), Selection>,
    /// What loads from other memory gave, nothing where the places were too many, and what was there then: the next run mostly has the same.
    written: FxHashMap<(TermId, u8, u64), (Content, Option<Selection>)>,
    /// What is there now.
    content: Content,
    /// Memory that is never written with too many different neighbours, by base, scale and width of what is read and where the object begins: looking again
    /// would take as long each time.
    varied: FxHashSet<(u64, u64, u8, u64)>,
    trail: Trail,
    /// Bytes of a unit's context that do not come from its input.
    kept: Kept,
    /// Conditions that are on the path.
    known: FxHashSet<TermId>,
    stack: Vec<Pc>,
    /// Of instructions whether they are outside of the standard library.
    own: FxHashMap<Pc, bool>,
    /// Which bytes of the input are followed; nothing if all are.
    free: Option<Vec<bool>>,
    /// Where in the input stands what a program gets; where nothing is said, the input is standard input.
    pub layout: Option<Arc<Layout>>,
    /// Functions at whose calls a run stops, so that its state can be looked at.
    pub watched: FxHashSet<FunctionId>,
}

impl Symbolic {
    /// No terms yet.
    pub fn new(module: Arc<Module>, limits: SymbolicLimits) -> Symbolic {
        let mut terms = Terms::new(limits.terms);
        let lost = terms.variable(LOST, 1);
        Symbolic {
            terms,
            limits,
            module,
            lost,
            depths: Vec::new(),
            operated: Memo::default(),
            assembled: Memo::default(),
            stored: Memo::default(),
            conditions: Memo::default(),
            indexed: FxHashMap::default(),
            tables: FxHashMap::default(),
            written: FxHashMap::default(),
            content: Content::default(),
            varied: FxHashSet::default(),
            trail: Trail::default(),
            kept: Kept::default(),
            known: FxHashSet::default(),
            stack: Vec::new(),
            own: FxHashMap::default(),
            free: None,
            layout: None,
            watched: FxHashSet::default(),
        }
    }

    /// Forgets all terms: those that somebody has mean nothing any more.
    pub fn clear(&mut self) {
        let watched = std::mem::take(&mut self.watched);
        *self = Symbolic { watched, ..self.fresh() };
    }

    /// Forgets all terms, and has room for so many, if that is less than it had.
    pub fn narrow(&mut self, terms: usize) {
        self.limits.terms = self.limits.terms.min(terms);
        self.clear();
    }

    /// Gives memory back that only saves time, some 1.5 MB: for one that does not run for a while.
    pub fn rest(&mut self) {
        self.operated = Memo::default();
        self.assembled = Memo::default();
        self.stored = Memo::default();
        self.conditions = Memo::default();
        self.written.clear();
        self.written.shrink_to_fit();
    }

    /// One of the same limits, without terms.
    pub(crate) fn fresh(&self) -> Symbolic {
        Symbolic::new(Arc::clone(&self.module), self.limits)
    }

    /// Begins a run on an input of which these bytes are followed; all if nothing is said.
    pub fn begin(&mut self, free: Option<&[bool]>) {
        let words = (self.module.edges() as usize).div_ceil(64);
        self.trail = Trail { edges: vec![0; words], ..Trail::default() };
        self.known.clear();
        self.kept.begin();
        self.stack.clear();
        self.free = free.map(<[bool]>::to_vec);
        self.layout = None;
    }

    /// Ends a run on an input, of which the path's conditions on single bytes are made.
    pub fn end(&mut self, input: &[u8]) -> Trail {
        let mut trail = std::mem::take(&mut self.trail);
        for decision in trail.decisions.iter_mut().filter(|it| it.kind == Kind::Fixed) {
            let value = match self.terms.as_variable(decision.value) {
                Some(LENGTH) => input.len() as u128,
                Some(offset) => input.get(offset as usize).copied().unwrap_or(0).into(),
                None => continue,
            };
            let value = self.terms.constant(self.terms.width(decision.value), value);
            decision.holds = self.terms.compare(Compare::Eq, decision.value, value);
        }
        trail
    }

    /// How many decisions the run has made so far.
    pub fn decided(&self) -> usize {
        self.trail.decisions.len()
    }

    /// The shadow of a byte of the input; none if it is not followed.
    pub fn byte(&mut self, offset: u32) -> Shadow {
        let free = self.free.as_ref().is_none_or(|free| free.get(offset as usize) == Some(&true));
        // Nothing is as long as the last numbers say.
        (free && offset < LENGTH).then(|| self.terms.variable(offset, 8))
    }

    /// The shadow of an input's length, of 64 bits; none of one that is too long, or of which not all is followed.
    pub fn length(&mut self, length: usize) -> Shadow {
        (length <= LONGEST && self.free.is_none()).then(|| {
            let length = self.terms.variable(LENGTH, LENGTH_BITS);
            self.terms.zext(length, 64)
        })
    }

    fn depth(&self, term: TermId) -> u16 {
        self.depths.get(term.index()).copied().unwrap_or(0)
    }

    /// The term of a value, if it is followed.
    pub fn followed(&self, shadow: Shadow) -> Option<TermId> {
        shadow.filter(|&term| term != self.lost)
    }

    fn lose(&mut self, at: Pc, loss: Loss) -> Shadow {
        *self.trail.lost.entry((at, loss)).or_default() += 1;
        Some(self.lost)
    }

    /// A result that is not followed: the bytes it depends on are to stay as they are.
    fn give_up(&mut self, at: Pc, loss: Loss, operands: &[Value<Shadow>]) -> Shadow {
        for operand in operands {
            let Some(term) = self.followed(operand.shadow) else { continue };
            let variables = self.terms.variables(term).to_vec();
            for variable in variables {
                self.fix(at, variable);
            }
        }
        self.lose(at, loss)
    }

    /// Puts a condition on the path that a byte is as it is: the caller of the run knows its value.
    fn fix(&mut self, at: Pc, variable: u32) {
        let width = if variable == LENGTH { LENGTH_BITS } else { 8 };
        let value = self.terms.variable(variable, width);
        if !self.known.insert(value) {
            return;
        }
        // The condition is made of the input's value once the run is over.
        self.push(Decision { at, kind: Kind::Fixed, holds: value, value, context: 0, from: at });
    }

    fn push(&mut self, decision: Decision) {
        if self.trail.decisions.len() >= self.limits.decisions {
            self.lose(decision.at, Loss::Long);
            return;
        }
        self.trail.decisions.push(decision);
    }

    /// Puts a condition on the path, if it says something that is not there yet.
    fn decide(&mut self, at: Pc, kind: Kind, holds: TermId, value: TermId) {
        if self.terms.as_constant(holds).is_none() && self.known.insert(holds) {
            let mut hasher = FxHasher::default();
            for call in self.stack.iter().rev().take(CONTEXT) {
                std::hash::Hash::hash(call, &mut hasher);
            }
            let (context, from) = (hasher.finish(), self.from(at));
            self.push(Decision { at, kind, holds, value, context, from });
        }
    }

    /// The innermost instruction outside of the standard library, of this one and the calls around it.
    fn from(&mut self, at: Pc) -> Pc {
        let (module, own) = (&self.module, &mut self.own);
        let mut is_own = |pc: &Pc| {
            *own.entry(*pc).or_insert_with(|| module.places(*pc).any(|place| !place.in_std()))
        };
        let mut all = std::iter::once(&at).chain(self.stack.iter().rev());
        all.find(|pc| is_own(pc)).copied().unwrap_or(at)
    }

    /// Puts the condition on the path that a value is as it is.
    fn pin(&mut self, at: Pc, term: TermId, bits: u128, access: Access) {
        let holds = self.is(term, bits);
        self.decide(at, Kind::Pinned(access), holds, term);
        let loss = match access {
            Access::Length => Loss::Length,
            Access::Choice => Loss::Choice,
            _ => Loss::Address,
        };
        self.lose(at, loss);
    }

    /// That a term has a value.
    fn is(&mut self, term: TermId, bits: u128) -> TermId {
        let width = self.terms.width(term);
        let bits = self.terms.constant(width, bits);
        self.terms.compare(Compare::Eq, term, bits)
    }

    /// A switch that sees no input may be one by a length.
    fn switched(&mut self, at: Pc, value: u128) {
        // A branch has nothing else than these.
        if value < 2 || value >= u128::from(WORDS) || self.module.cases(at).is_empty() {
            return;
        }
        let from = self.from(at);
        for &(case, _) in self.module.cases(at).iter().filter(|case| case.0 != value) {
            self.trail.compare_lengths(from, value as u64, case.min(u128::from(WORDS)) as u64);
        }
    }

    /// The shadow of a result that is a term.
    fn shadow(&mut self, term: TermId, depth: u16) -> Shadow {
        if self.terms.as_constant(term).is_some() {
            return None;
        }
        let index = term.index();
        if self.depths.len() <= index {
            self.depths.resize((index + 1).next_power_of_two(), 0);
        }
        if self.depths[index] == 0 {
            self.depths[index] = depth;
        }
        Some(term)
    }
}

impl Domain for Symbolic {
    type Shadow = Shadow;
    const SHADOWED: bool = true;
    const WATCHED: bool = true;

    fn compute(
        &mut self,
        at: Pc,
        operation: Operation,
        width: u8,
        operands: &[Value<Shadow>],
        _: u128,
    ) -> Shadow {
        let key = Key::new(operation, width, operands, self.lost);
        if let Some(known) = key.as_ref().and_then(|key| self.operated.find(key)) {
            return known;
        }
        let terms = operands.iter().filter_map(|operand| self.followed(operand.shadow));
        let Some(depth) = terms.map(|term| self.depth(term)).max() else {
            // Nothing that is followed goes in, so nothing comes out.
            return Some(self.lost);
        };
        if self.terms.is_full() {
            return self.lose(at, Loss::Full);
        }
        if depth >= self.limits.depth {
            return self.give_up(at, Loss::Deep, operands);
        }
        let before = self.terms.len();
        let mut computing = Computing { terms: &mut self.terms, operands, lost: self.lost };
        let Some(term) = computing.term(operation, width) else {
            return self.give_up(at, Loss::Function, operands);
        };
        if term == self.lost {
            return Some(term);
        }
        match operation {
            Operation::Index(scale) => {
                let is_new = self.note_index(term, operands, width, scale);
                // Offsets from it that were made before were not noted.
                if is_new && term.index() < before {
                    self.operated = Memo::default();
                }
            }
            Operation::Binary(Binary::Add) if width == 64 => self.note_offset(term, operands),
            Operation::CountBytes => {
                if let Some(end) = operands.last().and_then(|end| self.followed(end.shadow)) {
                    self.pin(at, end, 0, Access::Choice);
                }
            }
            _ => {}
        }
        let shadow = self.shadow(term, depth + 1);
        // This one also decides, each time.
        if let Some(key) = key.filter(|_| operation != Operation::CountBytes) {
            self.operated.note(key, shadow);
        }
        shadow
    }

    fn load(
        &mut self,
        at: Pc,
        memory: &Memory<Shadow>,
        address: Value<Shadow>,
        bytes: &[Shadow],
        width: u8,
        result: u128,
    ) -> Shadow {
        let mut own = [None; 16];
        let mut bytes = bytes;
        if !self.kept.is_empty() {
            let own = &mut own[..bytes.len().min(16)];
            own.copy_from_slice(&bytes[..own.len()]);
            self.depend_on(own);
            bytes = own;
        }
        if address.shadow.is_none() && bytes.iter().all(Option::is_none) {
            return None;
        }
        if let Some(term) = self.followed(address.shadow) {
            if let Some(read) = self.load_from(at, memory, term, address.bits as u64, bytes, width)
            {
                let depth = self.depth(term);
                return self.shadow(read, depth.saturating_add(1));
            }
            self.pin(at, term, address.bits, Access::Load);
        }
        self.assemble(bytes, width, result)
    }

    fn store(&mut self, value: Value<Shadow>, bytes: &mut [Shadow]) {
        let Some(term) = self.followed(value.shadow) else {
            bytes.fill(value.shadow);
            return;
        };
        if let [byte] = bytes
            && self.terms.width(term) == 8
        {
            *byte = Some(term);
            return;
        }
        if bytes.len() == WORD
            && let Some(known) = self.stored.find(&term)
        {
            bytes.copy_from_slice(&known);
            return;
        }
        let depth = self.depth(term);
        let width = self.terms.width(term);
        for (i, byte) in bytes.iter_mut().enumerate() {
            let from = 8 * i as u32;
            *byte = if from >= u32::from(width) {
                None
            } else {
                let from = from as u8;
                let part = self.terms.extract(term, from, 8.min(width - from));
                let part = fit(&mut self.terms, part, 8);
                self.shadow(part, depth)
            };
        }
        if let Ok(word) = <[Shadow; WORD]>::try_from(&*bytes) {
            self.stored.note(term, word);
        }
    }

    fn input(&mut self, source: Source, offset: u64) -> Shadow {
        match &self.layout {
            Some(layout) => self.byte(layout.offset(source, offset)?),
            // Files and arguments are not what is explored.
            None if source != Source::Input => None,
            None => self.byte(u32::try_from(offset).ok()?),
        }
    }

    fn differed(&mut self, at: Pc, a: u64, b: u64) {
        if a.max(b) < WORDS {
            let from = self.from(at);
            self.trail.compare_lengths(from, a, b);
        }
    }

    fn branch(&mut self, at: Pc, value: Value<Shadow>, edge: u32) {
        let Some(shadow) = value.shadow else {
            return self.switched(at, value.bits);
        };
        if shadow == self.lost {
            self.trail.blind.insert(at);
            return;
        }
        let key = (at, shadow, edge);
        let holds = self.conditions.find(&key).unwrap_or_else(|| {
            let holds = condition(&mut self.terms, &self.module, at, shadow, edge);
            self.conditions.note(key, holds);
            holds
        });
        self.decide(at, Kind::Edge(edge), holds, shadow);
    }

    fn address(&mut self, at: Pc, address: Value<Shadow>, access: Access) {
        // What is read may be a selection: that is seen at the load.
        if let Some(term) = self.followed(address.shadow)
            && access != Access::Load
        {
            self.pin(at, term, address.bits, access);
        }
    }

    fn edge(&mut self, edge: u32) {
        if let Some(word) = self.trail.edges.get_mut(edge as usize / 64) {
            *word |= 1 << (edge % 64);
        }
    }

    fn call(&mut self, at: Pc, callee: FunctionId, _: &[u128], _: &[Shadow]) -> Flow {
        self.stack.push(at);
        self.trail.calls.insert((at, callee));
        if self.watched.contains(&callee) { Flow::Pause } else { Flow::Continue }
    }

    fn leave(&mut self, _: FunctionId) {
        self.stack.pop();
    }

    fn returned(&mut self, at: Pc, value: Value<Shadow>) {
        if let Some(term) = self.followed(value.shadow) {
            let holds = self.is(term, value.bits);
            self.decide(at, Kind::Returned, holds, term);
        }
    }
}
