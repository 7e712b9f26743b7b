//! Exact determinants.

use super::DetArguments;
use super::Facts;
use super::input::{self, Entries, check_memory, digits_of, read_integer, read_number};
use crate::args::Common;
use crate::operation::engine;
use crate::report::{Figures, timed};
use dashu_int::IBig;
use dashu_ratio::RBig;
use serde::Serialize;
use std::time::Instant;
use sunzi::engine::{DeviceChoice, EngineError};
use sunzi::linalg::dense::{IntegerDeterminant, RowMultiples};
use sunzi::linalg::sparse::matrix_market::{Integers, Problem, Values};
use sunzi_files::error::Failure;
use sunzi_files::input::LineError;
use sunzi_files::numbers::integers::IntegerText;
use sunzi_files::numbers::rationals::RationalText;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

/// Primes of 31 bits that have to change nothing before an early end.
const UNCHANGED: usize = 3;

#[derive(Serialize)]
struct Value {
    arithmetic: &'static str,
    /// As decimal text: an integer, or a quotient in lowest terms.
    determinant: String,
    proved: bool,
    /// How many primes it was computed modulo.
    primes: usize,
}

/// Finds a determinant.
pub fn run(wanted: &DetArguments, common: &Common) -> Result<(), Failure> {
    if let Some(algorithm) = wanted.algorithm {
        let name = super::name(algorithm);
        return Err(Failure::Usage(format!(
            "--algorithm {name} is for determinants modulo a prime and in floating point: give --mod P or \
             --float, too"
        )));
    }
    let engine = match wanted.device.choice {
        DeviceChoice::Only(_) => Some(engine(wanted.device.choice, false)?),
        DeviceChoice::Auto | DeviceChoice::Cpu => None,
    };
    let mut device = None;
    let start = Instant::now();
    let mut figures = Figures::new();
    let output = Output::create(common.output.as_deref())?;
    let entries = ExactEntries {
        numbers: RationalText::new(),
    };
    let input = input::read(wanted, &entries, &mut figures.seconds)?;
    let rows = input.matrix.rows();
    let progress = Progress::without_total("computing");
    let multiples = timed(&mut figures.seconds.computing, || {
        RowMultiples::new(&input.matrix)
    });
    check_memory(
        &input.name,
        input.matrix.entries().len(),
        digits_of(&input.matrix, &entries),
        multiples.digit_bytes(),
        &entries,
        wanted.memory.budget(),
    )?;
    let (found, value) = timed(&mut figures.seconds.computing, || {
        let (integers, denominator) = (multiples.integers(), multiples.product());
        let method = match wanted.early {
            true => IntegerDeterminant::new().early(UNCHANGED),
            false => IntegerDeterminant::new(),
        };
        let Some(engine) = &engine else {
            let found = method.compute(&integers)?;
            let value = RBig::from_parts(found.value.clone(), denominator);
            return Ok((found, value));
        };
        let mut batch = engine.integer_determinants(method, &[&integers])?;
        for notice in &batch.notices {
            progress.note(notice);
        }
        device = batch.device.take();
        let found = batch.into_all()?.remove(0);
        let value = RBig::from_parts(found.value.clone(), denominator);
        Ok::<_, EngineError>((found, value))
    })
    .map_err(|error| Failure::Computation(format!("{}: {error}", input.name)))?;
    drop(progress);
    if let Some(device) = &device {
        figures.computed_on(device);
    }
    let determinant = timed(&mut figures.seconds.writing, || in_decimal(&value));
    figures.seconds.total = start.elapsed().as_secs_f64();
    let mut text = format!("{determinant}\n");
    if !found.proved {
        text += &format!(
            "# not proved: {UNCHANGED} more primes changed nothing, and no more were tried (--early)\n"
        );
    }
    let facts = Facts {
        command: "det",
        rows,
        value: Value {
            arithmetic: "exact",
            determinant,
            proved: found.proved,
            primes: found.primes,
        },
        algorithm: found.method.to_string(),
        figures,
    };
    facts.write(&text, common.json, output)
}

/// An integer, or a quotient.
fn in_decimal(value: &RBig) -> String {
    let text = IntegerText::new();
    let mut bytes = Vec::new();
    text.write(value.numerator(), &mut bytes);
    if !value.is_int() {
        bytes.push(b'/');
        text.write(&value.denominator().clone().into(), &mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Integers, quotients and decimals.
struct ExactEntries {
    numbers: RationalText,
}

impl Values for ExactEntries {
    type Value = RBig;

    fn real(&self, text: &str) -> Result<RBig, Problem> {
        read_number(self, text)
    }

    fn integer(&self, text: &str) -> Result<RBig, Problem> {
        read_integer(self, text)
    }

    fn zero(&self) -> RBig {
        RBig::ZERO
    }

    fn one(&self) -> RBig {
        RBig::ONE
    }

    /// Dense matrices keep their zeros.
    fn is_zero(&self, _entry: &RBig) -> bool {
        false
    }

    fn negated(&self, entry: &RBig) -> RBig {
        -entry.clone()
    }

    fn sum(&self, a: RBig, b: RBig) -> RBig {
        a + b
    }

    fn heap_bytes(&self, entry: &RBig) -> u64 {
        Integers.heap_bytes(entry.numerator()) + Integers.heap_bytes(entry.denominator().as_ibig())
    }
}

impl Entries for ExactEntries {
    fn read(&self, word: &[u8]) -> Result<RBig, LineError> {
        self.numbers.read(word)
    }

    fn working_bytes(&self) -> u64 {
        // Beside quotients: integers, and residues modulo the primes of a block.
        (size_of::<IBig>() + 64) as u64
    }
}
