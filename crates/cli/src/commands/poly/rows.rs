//! Commands whose rows the processor computes one by one, by one algorithm.

use super::polynomials::{NOUN, head};
use crate::args::{Common, MaxMemory, TwoFiles};
use crate::operation::{LineFormat, Rowwise, Sentence, Wording};
use crate::pipeline::Pipeline;
use std::path::Path;
use sunzi::engine::EngineError;
use sunzi_files::failure::Failure;

/// A command on the lines of N files.
pub struct Job<'a, const N: usize> {
    /// The words that name it, without `sunzi`.
    pub command: &'static str,
    pub files: [&'a Path; N],
    pub memory: &'a MaxMemory,
    pub common: &'a Common,
    pub wording: &'static Wording,
}

impl<'a> Job<'a, 2> {
    /// That on two files of polynomials.
    pub fn of_pairs(
        command: &'static str,
        files: &'a TwoFiles,
        memory: &'a MaxMemory,
        common: &'a Common,
        wording: &'static Wording,
    ) -> Self {
        Self {
            command,
            files: [&files.left, &files.right],
            memory,
            common,
            wording,
        }
    }
}

/// Bytes of numbers with their text, which has 2.4 digits for each byte, and little more.
pub fn with_text(bytes: u64) -> u64 {
    bytes.saturating_mul(4)
}

impl<const N: usize> Job<'_, N> {
    /// Computes every row by `compute`; `plan` tells about how many bytes that takes, outcome, scratch and text, and how large the
    /// operands are.
    pub fn run<T: LineFormat>(
        &self,
        format: &T,
        modulus: Option<&str>,
        plan: impl Fn([&T::Operand; N]) -> Result<(u64, Sentence), EngineError> + Sync,
        compute: impl Fn([&T::Operand; N]) -> Result<T::Outcome, EngineError> + Sync,
    ) -> Result<(), Failure> {
        let pipeline = Pipeline::open(&self.files, NOUN, self.memory.budget(), self.common)?;
        let rows = Rowwise {
            wording: self.wording,
            plan,
            compute,
        };
        pipeline.run(format, &rows, head(self.command, &self.files, modulus))
    }
}
