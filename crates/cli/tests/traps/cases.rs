//! Inputs that were made to explode time or memory: what, how, within which limits, and what is right.
//!
//! A slow case that somebody meets becomes a row here first.

mod curves;
mod matrices;
mod numbers;
mod polynomials;

use crate::inputs::Input;
use crate::right::Right;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Trap {
    pub name: &'static str,
    /// What would explode, in a few words.
    pub trap: &'static str,
    /// Arguments; what starts with `@` is one of the inputs.
    pub arguments: &'static str,
    pub inputs: &'static [(&'static str, Input)],
    /// Of all processors together.
    pub seconds: u64,
    /// Of memory, in all.
    pub mebibytes: u64,
    pub right: Right,
    /// Whether it takes so little that every run of the tests can have it.
    pub is_quick: bool,
}

impl Trap {
    const fn quick(self) -> Self {
        Self {
            is_quick: true,
            ..self
        }
    }
}

const fn trap(
    name: &'static str,
    trap: &'static str,
    arguments: &'static str,
    inputs: &'static [(&'static str, Input)],
    (seconds, mebibytes): (u64, u64),
    right: Right,
) -> Trap {
    Trap {
        name,
        trap,
        arguments,
        inputs,
        seconds,
        mebibytes,
        right,
        is_quick: false,
    }
}

/// Limits that hold for most.
const SOON: (u64, u64) = (10, 1024);
/// Refused before anything is computed.
const AT_ONCE: (u64, u64) = (5, 400);

/// All of them, by command.
pub fn all() -> impl Iterator<Item = &'static Trap> {
    [
        numbers::TRAPS,
        polynomials::TRAPS,
        matrices::TRAPS,
        curves::TRAPS,
    ]
    .into_iter()
    .flatten()
}
