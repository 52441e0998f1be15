//! LLVM IR as flat arrays, ready to be executed.
//!
//! [`Module::read`] makes it from the text in one pass. A register is a slot in a function's frame, a
//! constant a place in the module's pool, and both are an [`Operand`]; an aggregate or a vector is a
//! row of them, one for each scalar. So most of what moves parts about (`extractvalue`, `phi`, casts
//! that change nothing) is a move or nothing, and addresses are computed by plain additions.
//! Objects have their addresses when the text is read.

mod accesses;
mod constants;
mod function;
mod instructions;
mod intrinsics;
mod layout;
mod parts;
mod places;
mod read;
mod text;
mod types;

pub(crate) use constants::{mask, signed};
pub(crate) use instructions::NO_RESULT;
pub use instructions::{
    Binary, BlockEdge, Cast, Compare, FloatBinary, FloatCompare, FloatUnary, Instruction,
    Intrinsic, Operand, Rmw,
};
pub use places::{Place, Places};
pub use pleach_unit::trace::is_of_std;
pub use types::{Leaf, Type, TypeId, Types};

use fxhash::FxHashMap;
use std::fmt;
use std::ops::Range;

/// The text is not the IR that is read here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Which of the texts, from 0.
    pub text: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.text > 0 {
            write!(f, "text {}, ", self.text + 1)?;
        }
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

/// The number of a name of the linker's, a global variable's or a function's, among a [`Module`]'s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub(crate) u32);

/// The number of a function with a body among a [`Module`]'s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub(crate) u32);

/// The program counter: the number of an instruction among all of a [`Module`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pc(pub(crate) u32);

/// Objects begin that far behind the address at which their part of the address space begins, so
/// that a little before an object is no other one, and a symbol is aligned as much as any asks for.
pub(crate) const SYMBOL_BASE: u64 = 4096;

/// The address of a symbol: each object has four gigabytes of the address space for itself.
pub(crate) fn address_of(symbol: SymbolId) -> u64 {
    (u64::from(symbol.0) + 1) << 32 | SYMBOL_BASE
}

/// The definition that a linker's name leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Declared only: what the system supplies, or another text.
    Declared,
    /// A function of this module.
    Function(FunctionId),
    /// A variable of this module, by its place among them.
    Global(u32),
    /// Another symbol, or a part of its object.
    Alias(SymbolId),
}

#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: Box<str>,
    pub(crate) meaning: Meaning,
}

/// The initial contents and the size, in bytes, of a global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub symbol: SymbolId,
    /// How many bytes it has.
    pub size: u32,
    /// Whether it may be written.
    pub writable: bool,
    /// Its bytes; zeros follow.
    pub bytes: Box<[u8]>,
}

/// The code and the frame of a function with a body, as ranges of its module's tables.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub symbol: SymbolId,
    /// Its instructions.
    pub code: Range<u32>,
    /// How many slots its arguments take, at the beginning of its frame.
    pub parameters: u32,
    /// How many slots its frame has.
    pub slots: u32,
    /// How many slots it returns.
    pub results: u32,
    /// The slots that hold addresses of objects on the stack.
    pub(crate) stack: Range<u32>,
    /// How many bytes these objects have together.
    pub(crate) stack_bytes: u32,
    /// Where it is defined.
    pub(crate) place: u32,
}

/// A whole program as flat tables: symbols, globals, functions and instructions.
#[derive(Clone, Debug, Default)]
pub struct Module {
    pub(crate) symbols: Vec<Symbol>,
    names: FxHashMap<Box<str>, SymbolId>,
    pub(crate) globals: Vec<Global>,
    pub(crate) functions: Vec<Function>,
    pub(crate) code: Vec<Instruction>,
    /// For each instruction its place in the source, an index into `places`.
    code_places: Vec<u32>,
    pub(crate) constants: Vec<u128>,
    /// Rows of operands, slots, lanes and the like, into which instructions point.
    pub(crate) rows: Vec<u32>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) edges: Vec<BlockEdge>,
    pub(crate) cases: Vec<(u128, u32)>,
    /// What is not supported, with the line on which it stands.
    pub(crate) unsupported: Vec<(Box<str>, u32)>,
    places: Places,
    /// What is called before the program's `main`, in that order.
    pub(crate) initializers: Vec<SymbolId>,
}

impl Module {
    /// Reads the IR of a whole program as text.
    ///
    /// What is unknown among instructions fails when it is executed.
    ///
    /// # Errors
    /// The text is not the IR that `rustc` prints for x86-64.
    ///
    /// # Examples
    /// ```
    /// let text = "define i32 @three() {\nstart:\n  %0 = add i32 1, 2\n  ret i32 %0\n}\n";
    /// let module = pleach_concolic::ir::Module::read(text)?;
    /// assert_eq!(module.functions().count(), 1);
    /// # Ok::<(), pleach_concolic::ir::ReadError>(())
    /// ```
    pub fn read(text: &str) -> Result<Module, ReadError> {
        read::read(&[text])
    }

    /// Reads several texts that make one program: that of `rustc`, and those of Clang for what it
    /// links in. What one declares another may define.
    ///
    /// # Errors
    /// A text is not such IR, or two define the same name.
    pub fn read_all(texts: &[&str]) -> Result<Module, ReadError> {
        read::read(texts)
    }

    /// All functions with a body.
    pub fn functions(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..self.functions.len() as u32).map(FunctionId)
    }

    /// How many instructions all functions have together.
    pub fn instructions(&self) -> usize {
        self.code.len()
    }

    /// What is not supported and fails when it is executed: what it is, and its line.
    pub fn unsupported(&self) -> impl Iterator<Item = (&str, u32)> {
        self.unsupported.iter().map(|(what, line)| (&**what, *line))
    }

    /// The code and frame of a function of this module.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another module that has more of them.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The instruction at a place of the program; none behind the last.
    pub fn instruction(&self, pc: Pc) -> Option<&Instruction> {
        self.code.get(pc.0 as usize)
    }

    /// Whether an instruction calls a function.
    pub fn is_call(&self, pc: Pc) -> bool {
        use Instruction::{Call, CallIndirect};
        matches!(self.instruction(pc), Some(Call { .. } | CallIndirect { .. }))
    }

    /// The function that an instruction calls by its name.
    pub fn callee(&self, pc: Pc) -> Option<FunctionId> {
        let Some(&Instruction::Call { symbol, .. }) = self.instruction(pc) else {
            return None;
        };
        match self.meaning(SymbolId(symbol)) {
            Meaning::Function(id) => Some(id),
            _ => None,
        }
    }

    /// Of a switch the values that have an edge, sorted, and that edge; all others have the default one.
    /// Empty if the instruction is no switch.
    pub fn cases(&self, pc: Pc) -> &[(u128, u32)] {
        match self.instruction(pc) {
            Some(&Instruction::Switch { cases, count, .. }) => {
                &self.cases[cases as usize..(cases + count) as usize]
            }
            _ => &[],
        }
    }

    /// How many edges the control flow has.
    pub fn edges(&self) -> u32 {
        self.edges.len() as u32
    }

    /// An edge of the control flow: the instructions that it leaves and leads to.
    pub fn edge(&self, edge: u32) -> Option<(Pc, Pc)> {
        let edge = self.edges.get(edge as usize)?;
        Some((Pc(edge.from), Pc(edge.to)))
    }

    /// The instructions of a function.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another module that has more of them.
    pub fn pcs(&self, id: FunctionId) -> impl Iterator<Item = Pc> + use<> {
        self.function(id).code.clone().map(Pc)
    }

    /// The function to which an instruction belongs.
    pub fn function_at(&self, pc: Pc) -> Option<FunctionId> {
        let after = self.functions.partition_point(|function| function.code.start <= pc.0);
        let id = FunctionId(u32::try_from(after.checked_sub(1)?).ok()?);
        self.function(id).code.contains(&pc.0).then_some(id)
    }

    /// The symbol of a name as the linker knows it.
    pub fn symbol(&self, name: &str) -> Option<SymbolId> {
        self.names.get(name).copied()
    }

    /// A new symbol, of which nothing is known but its name.
    fn declare(&mut self, name: &str) -> SymbolId {
        let id = SymbolId(self.symbols.len() as u32);
        self.symbols.push(Symbol { name: name.into(), meaning: Meaning::Declared });
        id
    }

    /// A symbol's name as the linker knows it.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another module that has more of them.
    pub fn name(&self, symbol: SymbolId) -> &str {
        &self.symbols[symbol.0 as usize].name
    }

    /// What a symbol stands for, aliases followed.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another module that has more of them.
    pub fn meaning(&self, symbol: SymbolId) -> Meaning {
        let mut meaning = self.symbols[symbol.0 as usize].meaning;
        // An alias of an alias is rare, and a circle of them an endless loop.
        for _ in 0..8 {
            match meaning {
                Meaning::Alias(other) => meaning = self.symbols[other.0 as usize].meaning,
                _ => return meaning,
            }
        }
        Meaning::Declared
    }

    /// The function with a name, as the linker knows it or as it is written in the source
    /// (`crate::module::function`).
    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        if let Some(Meaning::Function(id)) = self.symbol(name).map(|symbol| self.meaning(symbol)) {
            return Some(id);
        }
        self.functions().find(|&id| self.source_name(id) == name)
    }

    /// A function's name as it is written in the source: without hash, arguments of types kept.
    pub fn source_name(&self, id: FunctionId) -> String {
        demangled(self.name(self.function(id).symbol))
    }

    /// A function's name and where it is defined, if that is known: the same for all instances of a
    /// generic function.
    pub fn definition(&self, id: FunctionId) -> Option<Place<'_>> {
        self.places.definition(self.function(id).place)
    }

    /// Where an instruction stands in the source: first itself, then the calls that were inlined,
    /// innermost first. Empty where there is no debug information.
    pub fn places(&self, pc: Pc) -> impl Iterator<Item = Place<'_>> {
        let id = self.code_places.get(pc.0 as usize).copied().unwrap_or(0);
        self.places.of(id)
    }
}

/// A linker's name as it is written in the source, without hash.
pub fn demangled(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}
