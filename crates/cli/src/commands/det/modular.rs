//! Determinants modulo a prime.

use super::input::{self, Entries, read_integer, read_number};
use super::{DetAlgorithm, DetArguments};
use super::{Facts, WORK, name};
use crate::args::Common;
use crate::modulus;
use crate::report::{Figures, timed};
use serde::Serialize;
use std::time::Instant;
use sunzi::field::{AnyField, Field, Rows, with_field};
use sunzi::linalg::dense::AnyDenseMatrix;
use sunzi::linalg::sparse::matrix_market::{Problem, Values};
use sunzi_files::error::Failure;
use sunzi_files::input::LineError;
use sunzi_files::numbers::rationals::RationalText;
use sunzi_files::numbers::residues::Residues;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

/// Finds the determinant modulo the prime that `prime` names.
pub fn run(prime: &str, wanted: &DetArguments, common: &Common) -> Result<(), Failure> {
    let modulus = modulus::field(prime)?;
    let task = Modular {
        modulus: &modulus,
        wanted,
        common,
    };
    with_field!(&modulus, field => task.run(field))
}

struct Modular<'a> {
    modulus: &'a AnyField,
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

impl Modular<'_> {
    fn run<F: Rows>(self, field: &F) -> Result<(), Failure> {
        let start = Instant::now();
        let mut figures = Figures::new();
        let output = Output::create(self.common.output.as_deref())?;
        let entries = ResidueEntries {
            residues: Residues::new(self.modulus, "entry"),
            numbers: RationalText::new(),
            field,
        };
        let input = input::read(self.wanted, &entries, &mut figures.seconds)?;
        let progress = Progress::without_total("eliminating");
        let rows = input.matrix.rows();
        let algorithm = self.wanted.algorithm.unwrap_or(DetAlgorithm::Elimination);
        let found = timed(&mut figures.seconds.computing, || {
            let matrix = AnyDenseMatrix::over::<F>(self.modulus, input.matrix)?;
            match algorithm {
                DetAlgorithm::Elimination => matrix.determinant(),
                DetAlgorithm::Condensation => matrix.condensed_determinant(),
            }
        });
        drop(progress);
        let found = found
            .map_err(|error| Failure::Computation(format!("{}: {WORK}: {error}", input.name)))?;
        let mut text = Vec::new();
        entries.residues.write(&found, &mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        figures.seconds.total = start.elapsed().as_secs_f64();
        let line = format!("{text}\n");
        let facts = Facts {
            command: "det",
            rows,
            value: Value {
                arithmetic: "modular",
                modulus: entries.residues.prime().to_owned(),
                determinant: text,
            },
            algorithm: name(algorithm).to_owned(),
            figures,
        };
        facts.write(&line, self.common.json, output)
    }
}

/// Residues of integers, quotients and decimals.
struct ResidueEntries<'a, F> {
    field: &'a F,
    residues: Residues,
    numbers: RationalText,
}

impl<F: Field> Values for ResidueEntries<'_, F> {
    type Value = F::Elem;

    fn real(&self, text: &str) -> Result<F::Elem, Problem> {
        read_number(self, text)
    }

    fn integer(&self, text: &str) -> Result<F::Elem, Problem> {
        read_integer(self, text)
    }

    fn zero(&self) -> F::Elem {
        self.field.zero()
    }

    fn one(&self) -> F::Elem {
        self.field.one()
    }

    /// Dense matrices keep their zeros.
    fn is_zero(&self, _entry: &F::Elem) -> bool {
        false
    }

    fn negated(&self, entry: &F::Elem) -> F::Elem {
        self.field.neg(*entry)
    }

    fn sum(&self, a: F::Elem, b: F::Elem) -> F::Elem {
        self.field.add(a, b)
    }
}

impl<F: Field> Entries for ResidueEntries<'_, F> {
    fn read(&self, word: &[u8]) -> Result<F::Elem, LineError> {
        let field = self.field;
        let number = self.numbers.read(word)?;
        let numerator = field.from_integer(number.numerator());
        if number.is_int() {
            return Ok(numerator);
        }
        let denominator = number.denominator().clone().into();
        match field.inv(field.from_integer(&denominator)) {
            Some(inverse) => Ok(field.mul(numerator, inverse)),
            None => {
                let slash = word.iter().position(|&byte| byte == b'/');
                Err(LineError::new(
                    slash.map_or(0, |at| at + 1),
                    format!(
                        "the denominator {denominator} is 0 modulo {}, so that there is no such residue",
                        self.residues.prime()
                    ),
                ))
            }
        }
    }

    fn working_bytes(&self) -> u64 {
        // The matrix and a copy that is worked on.
        2 * size_of::<F::Elem>() as u64
    }
}
