//! What follows a place of the text: at once, and behind layout.
//!
//! Bytes that no choice of the grammar tells apart are one class. What follows has a number by its
//! classes, so that what was found out at one place is known at all others that look alike.

use fxhash::FxHashMap;

use super::error::Error;
use super::id::{LookaheadId, Offset, SymbolId};
use super::next::{Look, NextId, next_at};
use super::scan;
use super::work::Work;
use crate::id::Id as _;
use crate::table::TerminalId;

/// What follows the offset of the set that is being made.
#[derive(Clone, Debug, Default)]
pub(super) struct Lookahead {
    at: Offset,
    at_once: NextId,
    /// The classes of what follows; after layout as far as that is known.
    look: Look,
    /// Whether layout is forbidden here: the place is inside a word.
    pub(super) blocked: bool,
    /// Whether all may follow, to find out what was expected.
    pub(super) is_blind: bool,
    /// The classes of what stands after layout, once that is known.
    after_layout: Vec<u16>,
    is_known: bool,
    /// Where layout that begins here ends, the empty one left out.
    layout_ends: Vec<Offset>,
    /// [`LookaheadId::NONE`] where it was not asked for yet.
    id: LookaheadId,
    /// Why an end of layout was not kept.
    refused: Option<Error>,
}

impl Lookahead {
    /// Moves on to another offset.
    pub(super) fn look(&mut self, work: &Work<'_>, at: Offset, is_blind: bool) {
        self.at = at;
        self.at_once = next_at(work.text, at.index());
        let class = work.grammar.next_classes.class(self.at_once);
        self.look = Look { at_once: 1 << class, after: 0 };
        self.blocked = work.is_blocked(at);
        self.is_blind = is_blind;
        self.is_known = work.grammar.layout == SymbolId::NONE;
        self.after_layout.clear();
        self.layout_ends.clear();
        self.id = LookaheadId::NONE;
    }

    /// Whether what follows here is in a set.
    #[inline]
    pub(super) fn is_in(&mut self, work: &Work<'_>, next: &Look) -> bool {
        if self.look.at_once & next.at_once != 0 || self.is_blind {
            return true;
        }
        if !self.is_known {
            self.look_past_layout(work);
        }
        self.look.after & next.after != 0
    }

    /// Where layout that begins here ends.
    pub(super) fn layout_ends(&mut self, work: &Work<'_>) -> &[Offset] {
        if !self.is_known {
            self.look_past_layout(work);
        }
        &self.layout_ends
    }

    /// Tells whether all was kept since the last time.
    pub(super) fn settle(&mut self) -> Result<(), Error> {
        self.refused.take().map_or(Ok(()), Err)
    }

    /// Finds where layout that begins here ends, and what follows it.
    #[pleach_unhooked::unhooked]
    fn look_past_layout(&mut self, work: &Work<'_>) {
        let Self { after_layout, is_known, layout_ends, look, refused, .. } = self;
        *is_known = true;
        let classes = &work.grammar.next_classes;
        let mut note = |at: usize| {
            let next = next_at(work.text, at);
            if work.grammar.token_first.has(next) {
                let class = classes.class(next.after_layout());
                if look.after >> class & 1 == 0 {
                    look.after |= 1 << class;
                    after_layout.push(class);
                }
                return true;
            }
            false
        };
        let at = self.at.index();
        if !self.blocked {
            note(at);
        }
        let Some(layout) = work.table.layout() else { return };
        let terminal = TerminalId::at(work.table.terminal_count());
        let begins = &work.grammar.terminals[terminal].0;
        if !work.text.get(at).is_some_and(|&byte| scan::has_byte(begins, byte)) {
            return;
        }
        let found = |end| {
            if note(end) && refused.is_none() {
                *refused = work.budget.room(layout_ends, 1).err();
                if refused.is_none() {
                    layout_ends.push(Offset::at(end));
                }
            }
        };
        match work.grammar.scanner(terminal) {
            Some(scanner) => scanner.ends(work.text, at, found),
            None => {
                let (encoding, automaton) = (work.table.encoding(), layout.automaton());
                scan::automaton_ends(encoding, automaton, work.text, at, found)
            }
        };
    }

    /// The number of what follows here.
    #[inline]
    pub(super) fn id(&mut self, work: &Work<'_>, aheads: &mut Lookaheads) -> LookaheadId {
        if self.id == LookaheadId::NONE {
            self.id = self.find_id(work, aheads);
        }
        self.id
    }

    #[pleach_unhooked::unhooked]
    fn find_id(&mut self, work: &Work<'_>, aheads: &mut Lookaheads) -> LookaheadId {
        if self.is_blind {
            return BLIND[usize::from(self.blocked)];
        }
        if !self.is_known {
            self.look_past_layout(work);
        }
        let classes = &work.grammar.next_classes;
        let class = classes.class(self.at_once);
        let once = u32::from(class) << 1 | u32::from(self.blocked);
        let after = match self.after_layout[..] {
            [] => classes.after,
            [after] => after.into(),
            _ => {
                aheads.key.clear();
                aheads.key.push(once as u16);
                for &after in &self.after_layout {
                    let place = aheads.key[1..].partition_point(|&known| known < after);
                    aheads.key.insert(1 + place, after);
                }
                if let Some(&id) = aheads.several.get(aheads.key.as_slice()) {
                    return id;
                }
                let id = aheads.next();
                if let Err(error) = work.budget.room_in(&mut aheads.several) {
                    self.refused = Some(error);
                    return id;
                }
                aheads.several.insert(aheads.key.clone().into_boxed_slice(), id);
                return id;
            }
        };
        let width = classes.after + 1;
        let cell = (once * width + after) as usize;
        if aheads.pairs.is_empty() {
            aheads.pairs.resize((2 * classes.at_once * width) as usize, LookaheadId::NONE);
        }
        if aheads.pairs[cell] == LookaheadId::NONE {
            aheads.pairs[cell] = aheads.next();
        }
        aheads.pairs[cell]
    }
}

/// What stands for anything that may follow, outside words and inside.
const BLIND: [LookaheadId; 2] = [LookaheadId::new(0), LookaheadId::new(1)];

/// The numbers of what follows.
#[derive(Clone, Debug, Default)]
pub(super) struct Lookaheads {
    /// By the class at once, whether layout is forbidden, and the class after layout.
    pairs: Vec<LookaheadId>,
    /// With several classes after layout.
    several: FxHashMap<Box<[u16]>, LookaheadId>,
    key: Vec<u16>,
    count: u32,
}

impl Lookaheads {
    fn next(&mut self) -> LookaheadId {
        self.count += 1;
        BLIND[1].plus(self.count)
    }

    /// About how many bytes the numbers take.
    pub(super) fn memory(&self) -> u64 {
        (4 * self.pairs.len() + 64 * self.several.len()) as u64
    }
}

/// Whether what follows an offset may be in a set; where that takes a look behind layout, it may.
#[inline]
pub(super) fn may_follow(work: &Work<'_>, at: Offset, next: &Look) -> bool {
    let ahead = next_at(work.text, at.index());
    let classes = &work.grammar.next_classes;
    if next.at_once >> classes.class(ahead) & 1 == 1 {
        return true;
    }
    if next.after == 0 {
        return false;
    }
    let after = ahead.after_layout();
    if next.after >> classes.class(after) & 1 == 1 && !work.is_blocked(at) {
        return true;
    }
    let layout = TerminalId::at(work.table.terminal_count());
    ahead.byte().is_some_and(|byte| scan::has_byte(&work.grammar.terminals[layout].0, byte))
}
