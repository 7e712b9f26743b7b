//! The command that sorts.

use super::MaxMemory;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What is told behind the options.
pub const HELP: &str = "One integer a line, decimal or 0x…, of any size, negative ones too; # starts a comment; empty lines do not
count. Integers are written in decimal, one a line.

With --bits sparse a line holds the positions of the ones of an integer that is not negative, in any
order and separated by blanks: position 0 is the last, least significant bit, so that `0 3` is 9. `none`
is the integer 0, which has no ones. Lines are written in the same form, the highest position first.

--order gray sorts integers that are not negative by their place in the binary reflected Gray code, in
which neighbours differ in one bit: 0 1 3 2 6 7 5 4 12 …

Examples:
  sunzi sort numbers.txt
  sunzi sort numbers.txt --reverse --unique -o sorted.txt
  sunzi sort codes.txt --order gray
  sunzi sort rows.txt --bits sparse --order gray --json
  seq 9 -1 1 | sunzi sort -";

/// What is sorted, and how.
#[derive(Debug, Args)]
pub struct SortArguments {
    /// File with the integers (`-`: standard input)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// What a line holds: an integer, or the positions of its ones
    #[arg(long, value_enum, default_value_t = Bits::Dense)]
    pub bits: Bits,
    /// What integers are sorted by: their value, or their place in the Gray code
    #[arg(long, value_enum, default_value_t = SortOrder::Value)]
    pub order: SortOrder,
    /// The greatest first
    #[arg(long)]
    pub reverse: bool,
    /// Equal integers once
    #[arg(long)]
    pub unique: bool,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// How integers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Bits {
    /// An integer a line
    Dense,
    /// The positions of its ones
    Sparse,
}

/// What integers are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SortOrder {
    /// Their value
    Value,
    /// Their place in the binary reflected Gray code
    Gray,
}
