//! Which subjects use hash maps, floats or vector instructions, from the IR that ran.
//!
//! The machine counts calls and edges; what was executed are the blocks that these lead to. Floats and vectors count where an
//! instruction stands in the subject, in its driver or in a crate that it depends on, or was inlined there: what std does by
//! itself, as when it prints, does not. Every hash map is hashbrown's, and std has none for itself in these runs.

use std::collections::HashSet;
use std::error::Error;
use std::sync::Arc;

use pleach_concolic::build::Input;
use pleach_concolic::ir::{Cast, Instruction, Intrinsic, Module, Pc};
use pleach_concolic::program::Program;
use pleach_concolic::trace::Profile;
use pleach_concolic::vm::Options;

/// What a subject was seen to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    pub(crate) hash_maps: bool,
    pub(crate) floats: bool,
    pub(crate) vectors: bool,
}

impl Uses {
    /// Whether it is any of these.
    pub(crate) fn any(self) -> bool {
        self.hash_maps || self.floats || self.vectors
    }
}

/// What runs on some inputs used.
pub(crate) fn of(program: &Program, inputs: &[Input], steps: u64) -> Result<Uses, Box<dyn Error>> {
    let mut uses = Uses::default();
    for input in inputs {
        let options = Options::new().steps(steps);
        let mut machine = program.enter(Profile::default(), input, options)?;
        machine.run();
        let executed = executed(program.module(), &machine.domain);
        for pc in executed {
            uses.add(program.module(), pc);
        }
    }
    Ok(uses)
}

/// The instructions of all blocks that were entered.
fn executed(module: &Arc<Module>, profile: &Profile) -> HashSet<Pc> {
    let calls = profile.calls(module).into_iter().filter_map(|call| module.pcs(call.callee).next());
    let edges = profile.edges().filter_map(|(edge, _)| Some(module.edge(edge)?.1));
    let starts: HashSet<Pc> = calls.chain(edges).collect();
    let mut all = HashSet::new();
    for start in starts {
        let Some(function) = module.function_at(start) else { continue };
        for pc in module.pcs(function).skip_while(|&pc| pc < start) {
            all.insert(pc);
            if module.instruction(pc).is_none_or(ends_block) {
                break;
            }
        }
    }
    all
}

fn ends_block(instruction: &Instruction) -> bool {
    use Instruction::{Branch, Jump, Return, Switch, Unreachable, Unsupported};
    matches!(
        instruction,
        Jump { .. }
            | Branch { .. }
            | Switch { .. }
            | Return { .. }
            | Unreachable
            | Unsupported { .. }
    )
}

impl Uses {
    fn add(&mut self, module: &Module, pc: Pc) {
        let Some(instruction) = module.instruction(pc) else { return };
        let (floats, vectors) = (is_float(instruction), is_vector(instruction));
        if (floats && !self.floats || vectors && !self.vectors) && is_own(module, pc) {
            self.floats |= floats;
            self.vectors |= vectors;
        }
        self.hash_maps = self.hash_maps
            || module
                .places(pc)
                .any(|place| place.path().to_string_lossy().contains("/hashbrown-"));
    }
}

/// Whether an instruction stands outside of std, or was inlined there.
fn is_own(module: &Module, pc: Pc) -> bool {
    module.places(pc).any(|place| !place.in_std())
}

fn is_float(instruction: &Instruction) -> bool {
    use Instruction::{FloatBinary, FloatCompare, FloatUnary};
    match instruction {
        FloatBinary { .. } | FloatUnary { .. } | FloatCompare { .. } => true,
        Instruction::Cast { op, .. } => {
            !matches!(op, Cast::Truncate | Cast::ZeroExtend | Cast::SignExtend)
        }
        Instruction::Intrinsic { op, .. } => {
            matches!(op, Intrinsic::IntegerPower | Intrinsic::FloatClass | Intrinsic::MultiplyAdd)
        }
        _ => false,
    }
}

fn is_vector(instruction: &Instruction) -> bool {
    use Instruction::{Binary, Compare, ExtractLane, InsertLane, Select, Shuffle};
    match instruction {
        Binary { lanes, .. }
        | Compare { lanes, .. }
        | Instruction::Cast { lanes, .. }
        | Instruction::FloatBinary { lanes, .. }
        | Instruction::Intrinsic { lanes, .. } => *lanes > 1,
        Select { vector, .. } => *vector,
        ExtractLane { .. } | InsertLane { .. } | Shuffle { .. } => true,
        _ => false,
    }
}
