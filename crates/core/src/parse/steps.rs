//! What a chart keeps of leaps over right recursion: see [`leap`](super::leap).

use fxhash::FxHashMap;

use super::id::{
    EndedId, EntryId, LeapId, LookaheadId, MemberId, NodeId, NonterminalId, PositionId, SetId,
    StateId,
};
use super::id_vec::IdVec;

/// A nonterminal, and the set where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Begun {
    pub(super) symbol: NonterminalId,
    pub(super) origin: SetId,
}

/// From the end of one nonterminal to the end of the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The entry that waited, its state after that, and where the production ends.
    pub(super) before: EntryId,
    pub(super) state: StateId,
    pub(super) position: PositionId,
    /// What ends beside the nonterminal, in the plans, and which of that the entry waited for.
    pub(super) ended: EndedId,
    pub(super) child: MemberId,
    /// Where all steps from here lead, and how many they are.
    pub(super) last: Begun,
    pub(super) count: u32,
}

/// Where a leap began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leap {
    pub(super) node: NodeId,
    pub(super) set: SetId,
    pub(super) ahead: LookaheadId,
}

/// The leaps of a chart.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaps {
    /// Steps by the nonterminal that ends, and what follows.
    pub(super) steps: FxHashMap<(Begun, LookaheadId), Step>,
    pub(super) leaps: IdVec<LeapId, Leap>,
    pub(super) path: Vec<(Begun, Step)>,
    /// The nodes of sets that leaps end in, by where they begin and these sets; of which sets.
    pub(super) nodes: FxHashMap<(Begun, SetId), NodeId>,
    pub(super) sets: FxHashMap<SetId, ()>,
}

impl Leaps {
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.leaps.clear();
        self.nodes.clear();
        self.sets.clear();
    }

    /// About how many bytes the leaps take.
    pub(super) fn memory(&self) -> u64 {
        (48 * self.steps.len() + 12 * self.leaps.len() + 20 * self.nodes.len()) as u64
    }
}
