//! Determinants modulo a prime.

use super::input::{self, Entries, read_integer, read_number};
use super::{DetAlgorithm, DetArguments};
use super::{Facts, WORK, name};
use crate::args::Common;
use crate::modulus;
use crate::operation::{engine, refuse_unless};
use crate::report::{Figures, timed};
use dashu_int::IBig;
use serde::Serialize;
use std::time::Instant;
use sunzi::engine::{DeviceChoice, Engine, EngineError};
use sunzi::field::{AnyField, Field, Rows};
use sunzi::gpu::DeviceInfo;
use sunzi::linalg::DenseMatrix;
use sunzi::linalg::dense::{AnyDenseMatrix, AnyMatrixError};
use sunzi::linalg::sparse::matrix_market::{Problem, ResidueRows, Values};
use sunzi_files::error::Failure;
use sunzi_files::input::LineError;
use sunzi_files::numbers::rationals::RationalText;
use sunzi_files::numbers::residues::Residues;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

/// Finds the determinant modulo the prime that `prime` names.
pub fn run(prime: &str, wanted: &DetArguments, common: &Common) -> Result<(), Failure> {
    let modulus = modulus::field(prime)?;
    let is_known = Engine::devices_find_determinants(&modulus);
    refuse_unless(
        is_known,
        wanted.device.choice,
        "determinants modulo this prime",
    )?;
    let task = Modular {
        modulus: &modulus,
        wanted,
        common,
        engine: match wanted.device.choice {
            DeviceChoice::Only(_) => {
                Some(engine(wanted.device.choice, wanted.algorithm.is_some())?)
            }
            DeviceChoice::Auto | DeviceChoice::Cpu => None,
        },
    };
    match &modulus {
        AnyField::Fp32(field) => task.run_words(field),
        AnyField::Fp64(field) => task.run_words(field),
        _ => task.run(RowEntries::new(&modulus), RowEntries::matrix),
    }
}

struct Modular<'a> {
    modulus: &'a AnyField,
    wanted: &'a DetArguments,
    common: &'a Common,
    /// What computes on the device that was asked for.
    engine: Option<Engine>,
}

/// A determinant, and what is told of how it was found.
struct Found {
    row: Vec<u64>,
    device: Option<DeviceInfo>,
    notices: Vec<String>,
}

impl Found {
    fn on_processor(row: Vec<u64>) -> Self {
        Self {
            row,
            device: None,
            notices: Vec::new(),
        }
    }

    fn by(engine: &Engine, matrix: &AnyDenseMatrix) -> Result<Self, EngineError> {
        let mut batch = engine.determinants(&[matrix])?;
        let (device, notices) = (batch.device.take(), std::mem::take(&mut batch.notices));
        let row = batch.into_all()?.concat();
        Ok(Self {
            row,
            device,
            notices,
        })
    }
}

#[derive(Serialize)]
struct Value {
    arithmetic: &'static str,
    /// As decimal text, like all residues.
    modulus: String,
    determinant: String,
}

impl Modular<'_> {
    fn run_words<F: Rows>(self, field: &F) -> Result<(), Failure> {
        let entries = WordEntries {
            text: Quotients::new(self.modulus),
            field,
        };
        let modulus = self.modulus;
        self.run(entries, |_, matrix| {
            AnyDenseMatrix::over::<F>(modulus, matrix)
        })
    }

    /// `matrix` makes a matrix over the field of the entries that have been read.
    fn run<E: Entries>(
        self,
        entries: E,
        matrix: impl FnOnce(E, DenseMatrix<E::Value>) -> Result<AnyDenseMatrix, AnyMatrixError>,
    ) -> Result<(), Failure> {
        let start = Instant::now();
        let mut figures = Figures::new();
        let output = Output::create(self.common.output.as_deref())?;
        let residues = Residues::new(self.modulus, "entry");
        let input = input::read(self.wanted, &entries, &mut figures.seconds)?;
        let progress = Progress::without_total("eliminating");
        let rows = input.matrix.rows();
        let algorithm = self.wanted.algorithm.unwrap_or(DetAlgorithm::Elimination);
        let found = timed(&mut figures.seconds.computing, || {
            let matrix = matrix(entries, input.matrix)?;
            let row = match (&self.engine, algorithm) {
                (Some(engine), _) => return Found::by(engine, &matrix),
                (None, DetAlgorithm::Elimination) => matrix.determinant(),
                (None, DetAlgorithm::Condensation) => matrix.condensed_determinant(),
            };
            Ok(Found::on_processor(row?))
        });
        let found = found.map_err(|error: EngineError| {
            Failure::Computation(format!("{}: {WORK}: {error}", input.name))
        })?;
        for notice in &found.notices {
            progress.note(notice);
        }
        drop(progress);
        if let Some(device) = &found.device {
            figures.computed_on(device);
        }
        let mut text = Vec::new();
        residues.write(&found.row, &mut text);
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
        facts.write(&line, self.common.json, output)
    }
}

/// Reads integers, quotients and decimals.
struct Quotients {
    numbers: RationalText,
    /// The prime in decimal.
    prime: String,
}

impl Quotients {
    fn new(modulus: &AnyField) -> Self {
        Self {
            numbers: RationalText::new(),
            prime: modulus.modulus().to_string(),
        }
    }

    /// The residue of a word, which `residue` makes of a numerator and a denominator that is not 0 modulo the prime.
    fn read<T>(
        &self,
        word: &[u8],
        residue: impl FnOnce(&IBig, &IBig) -> Option<T>,
    ) -> Result<T, LineError> {
        let number = self.numbers.read(word)?;
        let denominator = number.denominator().clone().into();
        residue(number.numerator(), &denominator).ok_or_else(|| {
            let slash = word.iter().position(|&byte| byte == b'/');
            LineError::new(
                slash.map_or(0, |at| at + 1),
                format!(
                    "the denominator {denominator} is 0 modulo {}, so that there is no such residue",
                    self.prime
                ),
            )
        })
    }
}

/// Entries modulo a prime below 2^63.
struct WordEntries<'a, F> {
    field: &'a F,
    text: Quotients,
}

impl<F: Field> Values for WordEntries<'_, F> {
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

impl<F: Field> Entries for WordEntries<'_, F> {
    fn read(&self, word: &[u8]) -> Result<F::Elem, LineError> {
        let field = self.field;
        self.text.read(word, |numerator, denominator| {
            let numerator = field.from_integer(numerator);
            if denominator.is_one() {
                return Some(numerator);
            }
            let inverse = field.inv(field.from_integer(denominator))?;
            Some(field.mul(numerator, inverse))
        })
    }
}

/// Entries modulo a prime r^k + 1: indices of rows of words, whose type is the same for all k.
struct RowEntries {
    text: Quotients,
    field: AnyField,
    rows: ResidueRows,
}

impl RowEntries {
    fn new(field: &AnyField) -> Self {
        Self {
            text: Quotients::new(field),
            field: field.clone(),
            rows: ResidueRows::new(field),
        }
    }

    fn matrix(self, indices: DenseMatrix<u32>) -> Result<AnyDenseMatrix, AnyMatrixError> {
        AnyDenseMatrix::of_rows(&self.field, indices, self.rows.into_rows())
    }
}

impl Values for RowEntries {
    type Value = u32;

    fn real(&self, text: &str) -> Result<u32, Problem> {
        read_number(self, text)
    }

    fn integer(&self, text: &str) -> Result<u32, Problem> {
        read_integer(self, text)
    }

    fn zero(&self) -> u32 {
        self.rows.zero()
    }

    fn one(&self) -> u32 {
        self.rows.one()
    }

    /// Dense matrices keep their zeros.
    fn is_zero(&self, _entry: &u32) -> bool {
        false
    }

    fn negated(&self, entry: &u32) -> u32 {
        self.rows.negated(entry)
    }

    fn sum(&self, a: u32, b: u32) -> u32 {
        self.rows.sum(a, b)
    }
}

impl Entries for RowEntries {
    fn read(&self, word: &[u8]) -> Result<u32, LineError> {
        self.text.read(word, |numerator, denominator| {
            self.rows.quotient(numerator, denominator)
        })
    }

    /// Those of a row: one that has no row yet, 0 among others, gets its own.
    fn bytes(&self) -> u64 {
        self.field.element_bytes() as u64
    }
}
