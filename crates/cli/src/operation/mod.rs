//! What is done with the lines of files: one type for each kind of operands.

pub mod integers;
pub mod polynomials;

use sunzi::engine::{Batch, DeviceChoice, Engine, EngineError};
use sunzi_files::error::Failure;
use sunzi_files::input::LineError;
use sunzi_files::style::Style;

/// What is done with lines of N files.
pub trait Operation<const N: usize>: Sync {
    /// What a line holds.
    type Operand: Send + Sync;
    /// What is found.
    type Outcome: Send + Sync;

    /// How sentences and figures speak of it.
    fn words(&self) -> &Words;

    /// About how many bytes the work on a line takes, from a glance at it.
    fn weight(&self, content: &[u8]) -> usize;

    /// Reads the content of a line.
    fn parse(&self, content: &[u8]) -> Result<Self::Operand, LineError>;

    /// Bytes that an operand takes.
    fn bytes(&self, operand: &Self::Operand) -> u64;

    /// About how many bytes the work takes: outcome, scratch and text.
    fn needed_bytes(&self, operands: [&Self::Operand; N]) -> u64;

    /// The name of the algorithm that runs, where there are several to choose from.
    fn algorithm(&self, operands: [&Self::Operand; N]) -> Option<&'static str>;

    /// The size of the operands, and that algorithm and why it runs, in a sentence.
    fn explain(&self, operands: [&Self::Operand; N]) -> String;

    /// About how many bytes the operation keeps for all lines.
    fn held_bytes(&self) -> u64 {
        0
    }

    /// About how many bytes it takes to prepare what is repeated.
    fn preparation_bytes(&self, _repeated: [Option<&Self::Operand>; N]) -> u64 {
        0
    }

    /// Prepares, by files, the operand that goes with every line of the other files, where there is one; or
    /// says why nothing can be computed with it.
    fn prepare(&self, _repeated: [Option<&Self::Operand>; N]) -> Result<(), EngineError> {
        Ok(())
    }

    /// The outcomes of rows, or why there are none; an error is one of the device, not of a row.
    fn compute(&self, rows: &[[&Self::Operand; N]]) -> Result<Batch<Self::Outcome>, EngineError>;

    /// Writes an outcome.
    fn write(&self, outcome: &Self::Outcome, style: Style, out: &mut Vec<u8>);
}

/// How sentences and figures speak of an operation.
#[derive(Debug)]
pub struct Words {
    /// What is found: `product`.
    pub one: &'static str,
    /// Several of them: `products`.
    pub many: &'static str,
    /// What is happening: `multiplying`.
    pub doing: &'static str,
    /// What stands between two operands: `times`.
    pub between: &'static str,
}

/// How sentences and figures speak of products.
const PRODUCTS: Words = Words {
    one: "product",
    many: "products",
    doing: "multiplying",
    between: "times",
};

/// The engine that computes products on the device chosen; an algorithm that a user named runs on the processor.
pub fn engine(device: DeviceChoice, algorithm_named: bool) -> Result<Engine, Failure> {
    let device = match device {
        DeviceChoice::Only(device) if algorithm_named => {
            return Err(Failure::Usage(format!(
                "--algorithm names an algorithm of the processor, and --device {device} does without: give one of them"
            )));
        }
        _ if algorithm_named => DeviceChoice::Cpu,
        device => device,
    };
    Engine::new(device).map_err(|error| Failure::Computation(error.to_string()))
}

/// The algorithm that a user named, out of those there are.
pub fn named<A: Copy>(
    name: &str,
    all: &[A],
    name_of: impl Fn(A) -> &'static str,
) -> Result<A, Failure> {
    all.iter()
        .copied()
        .find(|&algorithm| name_of(algorithm) == name)
        .ok_or_else(|| {
            let names: Vec<_> = all.iter().map(|&algorithm| name_of(algorithm)).collect();
            Failure::Usage(format!(
                "there is no algorithm `{name}`: the names are {}",
                names.join(", ")
            ))
        })
}
