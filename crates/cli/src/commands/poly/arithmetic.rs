//! Sums, differences, powers, derivatives, compositions, shifts and reversals, over Z or modulo a prime.

use super::numbers::WithNumbers;
use super::over_integers::{self, bytes_of};
use super::polynomials::{Part, Polynomials, Pretty};
use super::rows::{Job, with_text};
use crate::args::{Common, MaxMemory, OptionalModulus, TwoFiles};
use crate::commands::Run;
use crate::operation::{Sentence, Wording, engine};
use clap::Args;
use std::path::PathBuf;
use sunzi::Integer;
use sunzi::engine::{DeviceChoice, Engine, EngineError};
use sunzi::poly::{AnyPoly, Poly, PolyError};
use sunzi_files::failure::Failure;
use sunzi_files::numbers::integers::IntegerText;

/// The ring, how results look, and how much memory there is.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    pub modulus: OptionalModulus,
    #[command(flatten)]
    pub form: Pretty,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// One file of polynomials.
#[derive(Debug, Args)]
pub struct OneFile {
    /// File with polynomials (`-`: standard input)
    #[arg(value_name = "A")]
    pub file: PathBuf,
    #[command(flatten)]
    pub options: Options,
}

/// Operands of sums.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), pairs!(), written!(), primes!(), "Examples:
  sunzi poly add f.txt g.txt
  sunzi poly add f.txt g.txt --mod 469762049 --pretty
  sunzi poly add f.txt g.txt --mod P8 -o sums.txt"))]
pub struct Add {
    #[command(flatten)]
    files: TwoFiles,
    #[command(flatten)]
    options: Options,
}

/// Operands of differences.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), pairs!(), written!(), primes!(), "Examples:
  sunzi poly sub f.txt g.txt
  sunzi poly sub f.txt g.txt --mod 469762049 --pretty
  echo 'x^2' | sunzi poly sub - <(echo 'x - 1') --json"))]
pub struct Sub {
    #[command(flatten)]
    files: TwoFiles,
    #[command(flatten)]
    options: Options,
}

/// Operands of compositions.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), pairs!(), written!(), "
Each pair gives one line, A(B(x)): the polynomial A with B in the place of x.
", primes!(), "Examples:
  sunzi poly compose f.txt g.txt
  sunzi poly compose f.txt g.txt --mod 469762049 -o composed.txt
  echo 'x^2 - 2' | sunzi poly compose - <(echo 'x^3 + x') --pretty"))]
pub struct Compose {
    #[command(flatten)]
    files: TwoFiles,
    #[command(flatten)]
    options: Options,
}

/// Operands of powers.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), "
Line i of A is raised to the power in line i of N, an integer from 0 on; a file of one line goes with every
line of the other. The power of exponent 0 is 1, also of 0. Exponents are not reduced modulo P.
", written!(), primes!(), "Examples:
  sunzi poly pow f.txt exponents.txt
  echo 'x + 1' | sunzi poly pow - <(echo 10) --pretty
  sunzi poly pow f.txt exponents.txt --mod P8 -o powers.txt"))]
pub struct Pow {
    /// File with polynomials (`-`: standard input)
    #[arg(value_name = "A")]
    file: PathBuf,
    /// File with exponents (`-`: standard input)
    #[arg(value_name = "N")]
    exponents: PathBuf,
    #[command(flatten)]
    options: Options,
}

/// Operands of shifts.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), "
Line i of A is shifted by the integer c in line i of C, which gives A(x + c); a file of one line goes with
every line of the other.
", written!(), primes!(), "Examples:
  sunzi poly shift f.txt numbers.txt
  echo 'x^3' | sunzi poly shift - <(echo -2) --pretty
  sunzi poly shift f.txt numbers.txt --mod 469762049 --json"))]
pub struct Shift {
    /// File with polynomials (`-`: standard input)
    #[arg(value_name = "A")]
    file: PathBuf,
    /// File with integers (`-`: standard input)
    #[arg(value_name = "C")]
    numbers: PathBuf,
    #[command(flatten)]
    options: Options,
}

/// Operands of derivatives.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), written!(), "
Modulo a prime P the derivative of x^P is 0.
", primes!(), "Examples:
  sunzi poly derivative f.txt
  echo 'x^3 - 2*x' | sunzi poly derivative - --pretty
  sunzi poly derivative f.txt --mod P8 -o derivatives.txt"))]
pub struct Derivative {
    #[command(flatten)]
    operands: OneFile,
}

/// Operands of reversals.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), written!(), "
A polynomial A of degree n gives x^n·A(1/x): its coefficients in the opposite order, without zeros at their end.
", primes!(), "Examples:
  sunzi poly reverse f.txt
  echo '3*x^2 + x' | sunzi poly reverse - --pretty
  sunzi poly reverse f.txt --mod P8 -o reversed.txt"))]
pub struct Reverse {
    #[command(flatten)]
    operands: OneFile,
}

const SUMS: Wording = Wording {
    one: "sum",
    many: "sums",
    doing: "adding",
    between: "plus",
};

const DIFFERENCES: Wording = Wording {
    one: "difference",
    many: "differences",
    doing: "subtracting",
    between: "minus",
};

const COMPOSITIONS: Wording = Wording {
    one: "composition",
    many: "compositions",
    doing: "composing",
    between: "of",
};

const POWERS: Wording = Wording {
    one: "power",
    many: "powers",
    doing: "multiplying",
    between: "to the power of",
};

const SHIFTS: Wording = Wording {
    one: "shift",
    many: "shifts",
    doing: "shifting",
    between: "shifted by",
};

const DERIVATIVES: Wording = Wording {
    one: "derivative",
    many: "derivatives",
    doing: "differentiating",
    between: "",
};

const REVERSALS: Wording = Wording {
    one: "reversal",
    many: "reversals",
    doing: "reversing",
    between: "",
};

/// Where a command computes: over Z, or modulo a prime.
enum Ring {
    Integers(over_integers::Polynomials),
    Modulo(Polynomials),
}

impl Options {
    /// The ring that is asked for, and what computes.
    fn ring(&self, common: &Common) -> Result<(Ring, Engine), Failure> {
        let style = self.form.style(common);
        let engine = engine(DeviceChoice::Cpu, false)?;
        let ring = match &self.modulus.prime {
            None => Ring::Integers(over_integers::Polynomials::new(style)),
            Some(prime) => Ring::Modulo(Polynomials::modulo(prime, style)?.by(&engine)),
        };
        Ok((ring, engine))
    }
}

/// A polynomial as the only part of what is found.
fn one(name: &'static str, found: Result<AnyPoly, PolyError>) -> Result<Vec<Part>, EngineError> {
    Ok(vec![Part::polynomial(name, found?)])
}

/// The number of coefficients of a polynomial's power, or of a composition that is as long.
fn power_len(f: &AnyPoly, exponent: u64) -> usize {
    let degree = f.len().saturating_sub(1) as u64;
    let len = degree.saturating_mul(exponent).saturating_add(1);
    usize::try_from(len).unwrap_or(usize::MAX)
}

impl Run for Add {
    /// Adds polynomials line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let job = Job::of_pairs("poly add", &self.files, &self.options.memory, common, &SUMS);
        let (ring, engine) = self.options.ring(common)?;
        let integers = engine.integer_ring();
        linear(
            &job,
            &ring,
            |a, b| integers.add(a, b),
            |over, a, b| one("sum", over.ring().add(a, b)),
        )
    }
}

impl Run for Sub {
    /// Subtracts polynomials line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let job = Job::of_pairs(
            "poly sub",
            &self.files,
            &self.options.memory,
            common,
            &DIFFERENCES,
        );
        let (ring, engine) = self.options.ring(common)?;
        let integers = engine.integer_ring();
        linear(
            &job,
            &ring,
            |a, b| integers.sub(a, b),
            |over, a, b| one("difference", over.ring().sub(a, b)),
        )
    }
}

/// Runs what takes two polynomials coefficient by coefficient.
fn linear(
    job: &Job<'_, 2>,
    ring: &Ring,
    integers: impl Fn(&Poly<Integer>, &Poly<Integer>) -> Poly<Integer> + Sync,
    residues: impl Fn(&Polynomials, &AnyPoly, &AnyPoly) -> Result<Vec<Part>, EngineError> + Sync,
) -> Result<(), Failure> {
    match ring {
        Ring::Integers(over) => job.run(
            over,
            None,
            |[a, b]| {
                let bytes = with_text(bytes_of(a).saturating_add(bytes_of(b)));
                Ok((bytes, Sentence::Coefficients(a.len(), Some(b.len()))))
            },
            |[a, b]| Ok(integers(a, b)),
        ),
        Ring::Modulo(over) => job.run(
            over,
            Some(over.prime()),
            |[a, b]| {
                let bytes = over.written_bytes(a.len().max(b.len()));
                Ok((bytes, Sentence::Coefficients(a.len(), Some(b.len()))))
            },
            |[a, b]| residues(over, a, b),
        ),
    }
}

impl Run for Compose {
    /// Composes polynomials line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let job = Job::of_pairs(
            "poly compose",
            &self.files,
            &self.options.memory,
            common,
            &COMPOSITIONS,
        );
        let (ring, engine) = self.options.ring(common)?;
        let integers = engine.integer_ring();
        match &ring {
            Ring::Integers(over) => job.run(
                over,
                None,
                |[a, b]| {
                    let bytes = integers.compose_bytes(a, b).saturating_mul(2);
                    Ok((bytes, Sentence::Coefficients(a.len(), Some(b.len()))))
                },
                |[a, b]| Ok(integers.compose(a, b)?),
            ),
            Ring::Modulo(over) => job.run(
                over,
                Some(over.prime()),
                |[a, b]| {
                    let written = over.written_bytes(power_len(a, b.len() as u64));
                    let bytes = over.ring().compose_bytes(a, b)?.saturating_add(written);
                    Ok((bytes, Sentence::Coefficients(a.len(), Some(b.len()))))
                },
                |[a, b]| one("composition", over.ring().compose(a, b)),
            ),
        }
    }
}

impl Run for Pow {
    /// Raises polynomials to powers line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let job = Job {
            command: "poly pow",
            files: [&self.file, &self.exponents],
            memory: &self.options.memory,
            common,
            wording: &POWERS,
        };
        let (ring, engine) = self.options.ring(common)?;
        let integers = engine.integer_ring();
        let text = IntegerText::new();
        let read = |content: &[u8]| text.read_exponent(content);
        match &ring {
            Ring::Integers(over) => job.run(
                &WithNumbers {
                    polynomials: over,
                    read,
                },
                None,
                |[a, n]| {
                    let bytes = integers
                        .pow_bytes(&a.polynomial, n.number)
                        .saturating_mul(2);
                    Ok((bytes, Sentence::Coefficients(a.polynomial.len(), None)))
                },
                |[a, n]| Ok(integers.try_pow(&a.polynomial, n.number)?),
            ),
            Ring::Modulo(over) => job.run(
                &WithNumbers {
                    polynomials: over,
                    read,
                },
                Some(over.prime()),
                |[a, n]| {
                    let written = over.written_bytes(power_len(&a.polynomial, n.number));
                    let bytes = over.ring().pow_bytes(&a.polynomial, n.number)?;
                    let sentence = Sentence::Coefficients(a.polynomial.len(), None);
                    Ok((bytes.saturating_add(written), sentence))
                },
                |[a, n]| one("power", over.ring().pow(&a.polynomial, n.number)),
            ),
        }
    }
}

impl Run for Shift {
    /// Shifts the variable line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let job = Job {
            command: "poly shift",
            files: [&self.file, &self.numbers],
            memory: &self.options.memory,
            common,
            wording: &SHIFTS,
        };
        let (ring, engine) = self.options.ring(common)?;
        let integers = engine.integer_ring();
        match &ring {
            Ring::Integers(over) => job.run(
                &WithNumbers {
                    polynomials: over,
                    read: |content: &[u8]| over.text().read_only(content),
                },
                None,
                |[a, c]| {
                    let bytes = integers.taylor_shift_bytes(&a.polynomial, &c.number);
                    let sentence = Sentence::Coefficients(a.polynomial.len(), None);
                    Ok((bytes.saturating_mul(2), sentence))
                },
                |[a, c]| Ok(integers.taylor_shift(&a.polynomial, &c.number)?),
            ),
            Ring::Modulo(over) => job.run(
                &WithNumbers {
                    polynomials: over,
                    read: |content: &[u8]| over.read_residue(content),
                },
                Some(over.prime()),
                |[a, _]| {
                    let len = a.polynomial.len();
                    let scratch = over.bytes_of(len).saturating_mul(SHIFT_SCRATCH);
                    let bytes = scratch.saturating_add(over.written_bytes(len));
                    Ok((bytes, Sentence::Coefficients(len, None)))
                },
                |[a, c]| {
                    one(
                        "shifted",
                        over.ring().taylor_shift(&a.polynomial, &c.number),
                    )
                },
            ),
        }
    }
}

/// What a shift takes beside its result, as a multiple of the operand's bytes: tables, factors and their product.
const SHIFT_SCRATCH: u64 = 16;

impl Run for Derivative {
    /// Differentiates polynomials line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let (ring, engine) = self.operands.options.ring(common)?;
        let integers = engine.integer_ring();
        self.operands.linear(
            ("poly derivative", &DERIVATIVES),
            (&ring, common),
            |a| integers.derivative(a),
            |over, a| one("derivative", over.ring().derivative(a)),
        )
    }
}

impl Run for Reverse {
    /// Reverses polynomials line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let (ring, engine) = self.operands.options.ring(common)?;
        let integers = engine.integer_ring();
        self.operands.linear(
            ("poly reverse", &REVERSALS),
            (&ring, common),
            |a| integers.reverse(a),
            |over, a| one("reversal", over.ring().reverse(a)),
        )
    }
}

impl OneFile {
    /// Runs what takes a polynomial coefficient by coefficient.
    fn linear(
        &self,
        (command, wording): (&'static str, &'static Wording),
        (ring, common): (&Ring, &Common),
        integers: impl Fn(&Poly<Integer>) -> Poly<Integer> + Sync,
        residues: impl Fn(&Polynomials, &AnyPoly) -> Result<Vec<Part>, EngineError> + Sync,
    ) -> Result<(), Failure> {
        let job = Job {
            command,
            files: [&self.file],
            memory: &self.options.memory,
            common,
            wording,
        };
        match ring {
            Ring::Integers(over) => job.run(
                over,
                None,
                |[a]| {
                    let sentence = Sentence::Coefficients(a.len(), None);
                    Ok((with_text(bytes_of(a)), sentence))
                },
                |[a]| Ok(integers(a)),
            ),
            Ring::Modulo(over) => job.run(
                over,
                Some(over.prime()),
                |[a]| {
                    let sentence = Sentence::Coefficients(a.len(), None);
                    Ok((over.written_bytes(a.len()), sentence))
                },
                |[a]| residues(over, a),
            ),
        }
    }
}
