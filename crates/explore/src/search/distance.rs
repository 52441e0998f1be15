//! How far each block is from a target, over the control flow and the calls.
//!
//! An edge of the control flow and a call are a step each, a return is none: what comes after a call is reached
//! past it. So a block that can only get to a target by returning is at no distance, and is tried as others are.

use fxhash::{FxHashMap, FxHashSet};
use pleach_concolic::ir::{FunctionId, Module, Pc, Place};
use std::collections::VecDeque;

/// Where the search is to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A line of a file, whose path ends so.
    Line {
        /// The end of the path.
        file: String,
        /// The line, from 1.
        line: u32,
    },
    /// A function, by its name or the end of its name.
    Function(String),
    /// An edge of the control flow, by its number.
    Edge(u32),
    /// A function, as the program has it.
    Entry(FunctionId),
}

impl Target {
    /// Reads `FILE:LINE`, a function's name, or the number of an edge.
    pub fn parse(text: &str) -> Target {
        if let Ok(edge) = text.parse() {
            return Target::Edge(edge);
        }
        match text.rsplit_once(':') {
            Some((file, line)) if !file.ends_with(':') => match line.parse() {
                Ok(line) => Target::Line { file: file.to_owned(), line },
                Err(_) => Target::Function(text.to_owned()),
            },
            _ => Target::Function(text.to_owned()),
        }
    }

    /// The instructions that it means.
    pub fn instructions(&self, module: &Module) -> Vec<Pc> {
        match self {
            Target::Edge(edge) => module.edge(*edge).map(|(_, to)| to).into_iter().collect(),
            Target::Entry(function) => module.pcs(*function).next().into_iter().collect(),
            Target::Function(name) => {
                let named = |id: &FunctionId| {
                    let own = module.source_name(*id);
                    own == *name || own.strip_suffix(&**name).is_some_and(|at| at.ends_with("::"))
                };
                let functions = module.functions().filter(named);
                functions.filter_map(|id| module.pcs(id).next()).collect()
            }
            Target::Line { file, line } => {
                let all = module.functions().flat_map(|id| module.pcs(id));
                let here = |pc: &Pc| {
                    let on_line = |place: &Place<'_>| place.line == *line;
                    let mut places = module.places(*pc).filter(on_line);
                    places.any(|place| ends_with_path(&place.path().to_string_lossy(), file))
                };
                all.filter(here).collect()
            }
        }
    }
}

fn ends_with_path(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// Blocks, which begin where an edge leads to or a function begins.
#[derive(Clone, Debug, Default)]
pub(super) struct Distances {
    /// The first instructions of all blocks, sorted.
    blocks: Vec<Pc>,
    /// For each block how far it is.
    steps: Vec<u32>,
}

/// No way is known.
pub(super) const FAR: u32 = u32::MAX;

impl Distances {
    /// Those of a program, without a target yet.
    pub(super) fn new(module: &Module) -> Distances {
        let mut blocks: Vec<Pc> =
            (0..module.edges()).filter_map(|edge| module.edge(edge)).map(|(_, to)| to).collect();
        blocks.extend(module.functions().filter_map(|id| module.pcs(id).next()));
        blocks.sort_unstable();
        blocks.dedup();
        Distances { steps: vec![FAR; blocks.len()], blocks }
    }

    /// Computes how far blocks are from targets, where calls by address lead to what was seen.
    pub(super) fn aim(
        &mut self,
        module: &Module,
        targets: &[Pc],
        seen: &FxHashSet<(Pc, FunctionId)>,
    ) {
        // For each block those from which one step leads to it.
        let mut before: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for edge in 0..module.edges() {
            if let Some((from, to)) = module.edge(edge) {
                before.entry(self.block(to)).or_default().push(self.block(from));
            }
        }
        let calls = module.functions().flat_map(|id| module.pcs(id));
        let calls = calls.filter_map(|pc| Some((pc, module.callee(pc)?)));
        for (at, callee) in calls.chain(seen.iter().copied()) {
            if let Some(first) = module.pcs(callee).next() {
                before.entry(self.block(first)).or_default().push(self.block(at));
            }
        }
        self.steps.fill(FAR);
        let mut queue: VecDeque<usize> = targets.iter().map(|&pc| self.block(pc)).collect();
        for &block in &queue {
            self.steps[block] = 0;
        }
        while let Some(block) = queue.pop_front() {
            for &from in before.get(&block).into_iter().flatten() {
                if self.steps[from] == FAR {
                    self.steps[from] = self.steps[block] + 1;
                    queue.push_back(from);
                }
            }
        }
    }

    fn block(&self, pc: Pc) -> usize {
        self.blocks.partition_point(|&first| first <= pc).saturating_sub(1)
    }

    /// The first instruction of an instruction's block.
    pub(super) fn block_of(&self, pc: Pc) -> Pc {
        self.blocks.get(self.block(pc)).copied().unwrap_or(pc)
    }

    /// How many steps an instruction's block is from a target.
    pub(super) fn of(&self, pc: Pc) -> u32 {
        self.steps.get(self.block(pc)).copied().unwrap_or(FAR)
    }
}
