//! Determinants modulo a prime.

use super::{Facts, WORK, input, name};
use crate::args::Common;
use crate::args::det::{DetAlgorithm, DetArguments};
use crate::error::Failure;
use crate::fields::{self, CommandField, CommandTask};
use crate::input::LineError;
use crate::operation::rational_text::RationalText;
use crate::operation::residues::Residues;
use crate::output::Output;
use crate::progress::Progress;
use crate::report::{Figures, timed};
use serde::Serialize;
use std::time::Instant;
use sunzi::linalg::dense::{condensation, determinant};

/// Finds the determinant modulo the prime that `prime` names.
pub fn run(prime: &str, wanted: &DetArguments, common: &Common) -> Result<(), Failure> {
    fields::run(prime, Modular { wanted, common })
}

struct Modular<'a> {
    wanted: &'a DetArguments,
    common: &'a Common,
}

#[derive(Serialize)]
struct Value {
    arithmetic: &'static str,
    /// As decimal text, like all residues.
    modulus: String,
    determinant: String,
}

impl CommandTask for Modular<'_> {
    fn run<F: CommandField>(self, field: F) -> Result<(), Failure> {
        let start = Instant::now();
        let mut figures = Figures::new();
        // What cannot be written is told before the work.
        drop(Output::create(self.common.output.as_deref())?);
        let residues = Residues::new(field.clone(), "entry");
        let numbers = RationalText::new();
        let read_one = |word: &[u8]| residue(&field, &residues, &numbers, word);
        let request = input::Request {
            wanted: self.wanted,
            // The matrix and a copy that is worked on.
            bytes_per_entry: 2 * size_of::<F::Elem>() as u64,
        };
        let matrix = input::read(&request, field.zero(), read_one, &mut figures.seconds)?;
        let progress = Progress::without_total("eliminating");
        let rows = matrix.rows();
        let algorithm = self.wanted.algorithm.unwrap_or(DetAlgorithm::Elimination);
        let found = timed(&mut figures.seconds.computing, || match algorithm {
            DetAlgorithm::Elimination => determinant(&field, matrix),
            DetAlgorithm::Condensation => condensation::determinant(&field, &matrix),
        });
        drop(progress);
        let found = found.map_err(|error| Failure::Computation(format!("{WORK}: {error}")))?;
        let mut text = Vec::new();
        residues.write(found, &mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        figures.seconds.total = start.elapsed().as_secs_f64();
        let line = format!("{text}\n");
        let facts = Facts {
            command: "det",
            rows,
            value: Value {
                arithmetic: "modular",
                modulus: residues.prime().to_owned(),
                determinant: text,
            },
            algorithm: name(algorithm).to_owned(),
            figures,
        };
        facts.write(&line, self.common)
    }
}

/// The residue of any number.
fn residue<F: CommandField>(
    field: &F,
    residues: &Residues<F>,
    numbers: &RationalText,
    word: &[u8],
) -> Result<F::Elem, LineError> {
    let number = numbers.read(word)?;
    let numerator = residues.reduce(&number.numerator);
    if number.denominator.is_one() {
        return Ok(numerator);
    }
    let denominator = number.denominator.into();
    match field.inv(residues.reduce(&denominator)) {
        Some(inverse) => Ok(field.mul(numerator, inverse)),
        None => {
            let offset = word.iter().position(|&byte| byte == b'/').map_or(0, |at| at + 1);
            Err(LineError::new(
                offset,
                format!(
                    "the denominator {denominator} is 0 modulo {}, so that there is no such residue",
                    residues.prime()
                ),
            ))
        }
    }
}
