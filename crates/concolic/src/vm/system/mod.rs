//! What the standard library asks of the system, modelled: one family of functions a file, and
//! [`lookup`] over them all. A function that is in no family ends the run by name.

mod allocation;
mod clock;
mod files;
mod maths;
mod process;
mod random;
mod sockets;
mod streams;
mod strings;
mod threads;

use super::domain::{Access, Domain, Source, Value};
use super::memory::{Fault, Kind};
use super::outcome::Stop;
use super::{Machine, Outcome};
use files::Files;
use std::sync::Arc;
use streams::Open;
use threads::Key;

/// The result of a function of the system's.
pub(super) type Answer<D> = Result<Value<<D as Domain>::Shadow>, Stop>;
/// A function of the system's: its arguments, and zeros behind them.
pub(super) type Call<D> = fn(&mut Machine<D>, &[Value<<D as Domain>::Shadow>]) -> Answer<D>;

/// Why a function of the system's has no result: the program is told by a number, or the run ends.
enum Refusal {
    Errno(i32),
    Stop(Stop),
}

impl From<i32> for Refusal {
    fn from(number: i32) -> Refusal {
        Refusal::Errno(number)
    }
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Refusal {
        Refusal::Stop(stop)
    }
}

/// What the system does, where it may refuse.
type Tried<T> = Result<T, Refusal>;

/// A function of the system's, and as what it uses its arguments, if it does not follow their shadows.
pub(super) type Known<D> = (Call<D>, Option<Access>);

/// What a name of the linker's means, if the system knows it.
pub(super) fn lookup<D: Domain>(name: &str) -> Option<Known<D>> {
    let uses = |access| move |call| (call, Some(access));
    let follows = |call| (call, None);
    (strings::lookup(name).map(follows))
        .or_else(|| maths::lookup(name).map(follows))
        .or_else(|| allocation::lookup(name).map(uses(Access::Length)))
        .or_else(|| streams::lookup(name).map(uses(Access::Length)))
        .or_else(|| clock::lookup(name).map(uses(Access::Length)))
        .or_else(|| random::lookup(name).map(uses(Access::Length)))
        .or_else(|| files::lookup(name).map(uses(Access::Choice)))
        .or_else(|| process::lookup(name).map(uses(Access::Choice)))
        .or_else(|| threads::lookup(name).map(uses(Access::Choice)))
        .or_else(|| sockets::lookup(name).map(uses(Access::Choice)))
}

/// The names of the environment's place.
const ENVIRONMENT: [&str; 2] = ["environ", "__environ"];

/// How many bytes a variable of the system's has.
pub(super) fn variable(name: &str) -> Option<u32> {
    ENVIRONMENT.contains(&name).then_some(8)
}

/// The numbers of errors, as Linux has them.
pub(super) mod errno {
    pub(crate) const NOENT: i32 = 2;
    pub(crate) const SRCH: i32 = 3;
    pub(crate) const BADF: i32 = 9;
    pub(crate) const AGAIN: i32 = 11;
    pub(crate) const BUSY: i32 = 16;
    pub(crate) const EXIST: i32 = 17;
    pub(crate) const NOTDIR: i32 = 20;
    pub(crate) const ISDIR: i32 = 21;
    pub(crate) const INVAL: i32 = 22;
    pub(crate) const MFILE: i32 = 24;
    pub(crate) const NOSPC: i32 = 28;
    pub(crate) const SPIPE: i32 = 29;
    pub(crate) const RANGE: i32 = 34;
    pub(crate) const NAMETOOLONG: i32 = 36;
    pub(crate) const NOSYS: i32 = 38;
    pub(crate) const NOTEMPTY: i32 = 39;
    pub(crate) const TIMEDOUT: i32 = 110;
}

/// The system's state. What may be large is shared with snapshots.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    output: Arc<Vec<u8>>,
    error: Arc<Vec<u8>>,
    files: Arc<Files>,
    open: Arc<Open>,
    /// The place of the last error's number.
    errno: u64,
    /// Destructors of thread-locals, with what they are called.
    destructors: Arc<Vec<(u64, u64)>>,
    keys: Arc<Vec<Key>>,
    /// How often the clock was read.
    ticks: u64,
    /// The count of the arguments, their place, and the environment's.
    arguments: [u128; 3],
}

impl System {
    pub(super) fn output(&self) -> &[u8] {
        &self.output
    }

    pub(super) fn error_output(&self) -> &[u8] {
        &self.error
    }

    /// The destructor that was registered last, and its argument.
    pub(super) fn next_destructor(&mut self) -> Option<(u64, u64)> {
        match Arc::make_mut(&mut self.destructors).pop() {
            Some(next) => Some(next),
            None => threads::next_destructor(Arc::make_mut(&mut self.keys).as_mut_slice()),
        }
    }
}

/// A number of 32 bits with its sign.
fn int<S: Default>(value: i32) -> Value<S> {
    Value::plain(u128::from(value as u32))
}

/// A number of 64 bits with its sign.
fn long<S: Default>(value: i64) -> Value<S> {
    Value::plain(u128::from(value as u64))
}

impl<D: Domain> Machine<D> {
    /// Says that a function failed, and why.
    fn fail_with(&mut self, number: i32) -> Result<(), Stop> {
        let place = self.state.system.errno;
        self.put(place, 4, u128::from(number as u32))
    }

    /// -1 of 32 bits, and why.
    fn fail(&mut self, number: i32) -> Answer<D> {
        self.fail_with(number)?;
        Ok(int(-1))
    }

    /// -1 of 64 bits, and why.
    fn fail_long(&mut self, number: i32) -> Answer<D> {
        self.fail_with(number)?;
        Ok(long(-1))
    }

    /// What was done, or what says that it was not, and why.
    fn answer(&mut self, tried: Tried<Value<D::Shadow>>, refused: Value<D::Shadow>) -> Answer<D> {
        match tried {
            Ok(result) => Ok(result),
            Err(Refusal::Stop(stop)) => Err(stop),
            Err(Refusal::Errno(number)) => {
                self.fail_with(number)?;
                Ok(refused)
            }
        }
    }

    fn put(&mut self, address: u64, size: u8, value: u128) -> Result<(), Stop> {
        let written = self.state.memory.write(address, size, value);
        written.map_err(|fault| Stop::Memory(fault, address))
    }

    fn put_bytes(&mut self, address: u64, bytes: &[u8]) -> Result<(), Stop> {
        self.charge(bytes.len() as u64);
        let written = self.state.memory.write_bytes(address, bytes);
        written.map_err(|fault| Stop::Memory(fault, address))
    }

    /// A number in memory on which depends what the system does.
    fn get(&mut self, address: u64, size: u8) -> Result<u128, Stop> {
        let value = self.load(Value::plain(address.into()), 8 * size, size)?;
        self.told(value, Access::Length);
        Ok(value.bits)
    }

    fn get_bytes(&mut self, address: u64, length: u64) -> Result<Vec<u8>, Stop> {
        self.charge(length);
        self.state.memory.bytes(address, length).map_err(|fault| Stop::Memory(fault, address))
    }

    /// The bytes up to the first zero, and that.
    fn get_terminated(&mut self, address: u64) -> Result<Vec<u8>, Stop> {
        let bytes = self.state.memory.c_string(address);
        let mut bytes = bytes.map_err(|fault: Fault| Stop::Memory(fault, address))?;
        bytes.push(0);
        self.charge(bytes.len() as u64);
        Ok(bytes)
    }

    /// A name on which depends what the system does.
    fn get_string(&mut self, address: u64) -> Result<Vec<u8>, Stop> {
        let mut bytes = self.get_terminated(address)?;
        if self.state.memory.is_shadowed(address, bytes.len() as u64) {
            for value in self.byte_values(address, &bytes)? {
                self.told(value, Access::Choice);
            }
        }
        bytes.pop();
        Ok(bytes)
    }

    /// Memory of the system's own, which the program does not free.
    fn own(&mut self, bytes: &[u8]) -> Result<u64, Stop> {
        let address = self.state.memory.allocate(bytes.len() as u64, 16, Kind::Variable)?;
        self.put_bytes(address, bytes)?;
        Ok(address)
    }

    /// Such memory with bytes from outside, the first ones of these.
    fn own_input(&mut self, bytes: &[u8], count: u64, source: Source) -> Result<u64, Stop> {
        let address = self.own(bytes)?;
        if D::SHADOWED {
            let marked = self.mark_input(address, count, source);
            marked.map_err(|fault| Stop::Memory(fault, address))?;
        }
        Ok(address)
    }

    /// Puts arguments, environment, standard input and files into memory.
    pub(super) fn prepare(&mut self) -> Result<(), Outcome> {
        self.prepare_memory().map_err(|stop| self.outcome(stop))
    }

    fn prepare_memory(&mut self) -> Result<(), Stop> {
        if self.state.system.errno != 0 {
            return Ok(());
        }
        self.state.system.errno = self.own(&[0; 4])?;
        self.prepare_files()?;
        let options = Arc::clone(&self.options);
        let mut arguments = Vec::new();
        for (index, argument) in options.arguments.iter().enumerate() {
            let (count, source) = (argument.len() as u64, Source::Argument(index as u32));
            arguments.push(self.own_input(&terminated(argument), count, source)?);
        }
        let count = arguments.len() as u128;
        let arguments = self.own(&array(&arguments))?;
        let mut environment = Vec::new();
        for (name, value) in &options.environment {
            let variable = terminated(&[name, b"=".as_slice(), value].concat());
            environment.push(self.own(&variable)?);
        }
        let environment = self.own(&array(&environment))?;
        for name in ENVIRONMENT {
            if let Some(symbol) = self.module.symbol(name) {
                let place = crate::ir::address_of(symbol);
                // Somebody may have declared it as another thing.
                let _ = self.state.memory.write(place, 8, u128::from(environment));
            }
        }
        self.state.system.arguments = [count, u128::from(arguments), u128::from(environment)];
        Ok(())
    }

    pub(super) fn main_arguments(&self) -> [u128; 3] {
        self.state.system.arguments
    }
}

fn terminated(text: &[u8]) -> Vec<u8> {
    [text, &[0]].concat()
}

/// Addresses with a null behind them.
fn array(addresses: &[u64]) -> Vec<u8> {
    addresses.iter().chain(&[0]).flat_map(|address| address.to_le_bytes()).collect()
}
