//! What is to be done with matrices.

use crate::commands::dense::input::Purpose;
use crate::report;
use serde_json::Value;
use std::path::Path;
use sunzi::memory::Budget;

/// What is found of one matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Single {
    Rank,
    Inverse,
    Nullspace,
    Rref,
}

/// What is found of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    Solve,
    Mul,
}

/// What is to be done with one or two things: files, or the matrices that they hold.
#[derive(Clone, Copy, Debug)]
pub enum Task<T> {
    Single(Single, T),
    Pair(Pair, [T; 2]),
}

impl<T> Task<T> {
    /// The name of the command.
    pub fn command(&self) -> &'static str {
        match self {
            Self::Single(Single::Rank, _) => "matrix rank",
            Self::Single(Single::Inverse, _) => "matrix inverse",
            Self::Single(Single::Nullspace, _) => "matrix nullspace",
            Self::Single(Single::Rref, _) => "matrix rref",
            Self::Pair(Pair::Solve, _) => "matrix solve",
            Self::Pair(Pair::Mul, _) => "matrix mul",
        }
    }

    /// What the (first) matrix is read for.
    pub fn purpose(&self, budget: Budget) -> Purpose {
        let (work, square, copies) = match self {
            Self::Single(Single::Rank, _) => ("rank", None, 1),
            Self::Single(Single::Inverse, _) => ("inverse", Some("an inverse"), 2),
            Self::Single(Single::Nullspace, _) => ("nullspace", None, 2),
            Self::Single(Single::Rref, _) => ("reduced row echelon form", None, 2),
            Self::Pair(Pair::Solve, _) => ("solution", None, 2),
            Self::Pair(Pair::Mul, _) => ("product", None, 1),
        };
        Purpose {
            work,
            square,
            copies,
            budget,
        }
    }
}

impl Task<&Path> {
    /// The names of the files.
    pub fn files(&self) -> Value {
        match self {
            Self::Single(_, file) => report::files([file]),
            Self::Pair(_, files) => report::files(files),
        }
    }
}
