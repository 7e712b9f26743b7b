//! Division with remainder of polynomials modulo a prime, and what Euclid's algorithm gives.

use super::polynomials::{NOUN, Part, Polynomials, Value, facts};
use crate::args::poly::{PairArguments, ResultantArguments};
use crate::args::{Common, MaxMemory, TwoFiles};
use crate::operation::{Operation, Plan, Preparation, Sentence, Wording};
use crate::pipeline::Pipeline;
use std::sync::OnceLock;
use sunzi::engine::{Batch, EngineError};
use sunzi::poly::{AnyDivisor, AnyPoly};
use sunzi_files::error::Failure;
use sunzi_files::style::Style;

/// What a division takes beside operands and results, as a multiple of the operands' bytes: measured at
/// 10^5 to 2·10^6 coefficients over four fields.
const DIVISION_SCRATCH: u64 = 9;

/// What the half-GCD takes beside operands and results, without and with cofactors, as a multiple of the
/// operands' bytes: measured at 10^5 to 2·10^6 coefficients over four fields, on two threads.
const GCD_SCRATCH: u64 = 14;
const EXTENDED_GCD_SCRATCH: u64 = 26;

/// Quotients and remainders, line by line.
pub fn divrem(wanted: &PairArguments, common: &Common) -> Result<(), Failure> {
    let over = &ring_of(wanted, common)?;
    let prepared = OnceLock::new();
    let division = Division { over, prepared };
    let (files, memory) = (&wanted.files, &wanted.memory);
    run("poly divrem", files, memory, common, over, &division)
}

/// Greatest common divisors, line by line.
pub fn gcd(wanted: &PairArguments, common: &Common) -> Result<(), Failure> {
    let over = &ring_of(wanted, common)?;
    let (files, memory) = (&wanted.files, &wanted.memory);
    run("poly gcd", files, memory, common, over, &Gcds { over })
}

/// Greatest common divisors and their cofactors, line by line.
pub fn xgcd(wanted: &PairArguments, common: &Common) -> Result<(), Failure> {
    let over = &ring_of(wanted, common)?;
    let (files, memory) = (&wanted.files, &wanted.memory);
    run(
        "poly xgcd",
        files,
        memory,
        common,
        over,
        &ExtendedGcds { over },
    )
}

/// Resultants, line by line.
pub fn resultant(wanted: &ResultantArguments, common: &Common) -> Result<(), Failure> {
    let over = &Polynomials::modulo(&wanted.modulus.prime, Style::new(common.json))?;
    let (files, memory) = (&wanted.files, &wanted.memory);
    run(
        "poly resultant",
        files,
        memory,
        common,
        over,
        &Resultants { over },
    )
}

fn ring_of(wanted: &PairArguments, common: &Common) -> Result<Polynomials, Failure> {
    let style = Style::new(common.json).pretty(wanted.form.pretty);
    Polynomials::modulo(&wanted.modulus.prime, style)
}

fn run(
    command: &str,
    files: &TwoFiles,
    memory: &MaxMemory,
    common: &Common,
    over: &Polynomials,
    operation: &dyn Operation<Polynomials, 2>,
) -> Result<(), Failure> {
    let pipeline = Pipeline::open(&[&files.left, &files.right], NOUN, memory.bytes, common)?;
    pipeline.run(over, operation, facts(command, Some(over.prime())))
}

/// What runs for a pair: it takes `scratch` times the operands' bytes, and `written` tells how many coefficients the
/// outcome has.
fn plan(
    over: &Polynomials,
    pair: [&AnyPoly; 2],
    scratch: u64,
    written: impl Fn([usize; 2]) -> usize,
) -> Result<Plan, EngineError> {
    let [a, b] = pair.map(AnyPoly::len);
    let scratch = over.bytes_of(a + b).saturating_mul(scratch);
    Ok(Plan {
        algorithm: None,
        bytes: scratch.saturating_add(over.written_bytes(written([a, b]))),
        sentence: Sentence::Coefficients(a, b),
    })
}

/// Quotient, then remainder.
struct Division<'a> {
    over: &'a Polynomials,
    /// The divisor of every line, if it is the same.
    prepared: OnceLock<AnyDivisor>,
}

impl Operation<Polynomials, 2> for Division<'_> {
    fn wording(&self) -> &'static Wording {
        &Wording {
            one: "division",
            many: "divisions",
            doing: "dividing",
            between: "divided by",
        }
    }

    fn plan(&self, pair: [&AnyPoly; 2]) -> Result<Plan, EngineError> {
        plan(self.over, pair, DIVISION_SCRATCH, |[dividend, _]| dividend)
    }

    fn preparation<'a>(
        &'a self,
        [_, divisor]: [Option<&'a AnyPoly>; 2],
    ) -> Option<Preparation<'a>> {
        let divisor = divisor?;
        let bytes = self.over.bytes_of(divisor.len());
        Some(Preparation {
            bytes: bytes.saturating_mul(2 * DIVISION_SCRATCH),
            work: Box::new(move || {
                let divisor = self.over.ring().divisor(divisor)?;
                self.prepared.get_or_init(|| divisor);
                Ok(())
            }),
        })
    }

    fn compute(&self, pairs: &[[&AnyPoly; 2]]) -> Result<Batch<Vec<Part>>, EngineError> {
        Ok(Batch::on_processor(pairs, |[dividend, divisor]| {
            let [quotient, remainder] = match self.prepared.get() {
                Some(prepared) => prepared.divrem(dividend)?,
                None => self.over.ring().divrem(dividend, divisor)?,
            };
            Ok(vec![
                Part::polynomial("quotient", quotient),
                Part::polynomial("remainder", remainder),
            ])
        }))
    }
}

/// How sentences and figures speak of greatest common divisors.
const GCDS: Wording = Wording {
    one: "gcd",
    many: "gcds",
    doing: "dividing",
    between: "and",
};

/// Monic greatest common divisors.
struct Gcds<'a> {
    over: &'a Polynomials,
}

impl Operation<Polynomials, 2> for Gcds<'_> {
    fn wording(&self) -> &'static Wording {
        &GCDS
    }

    fn plan(&self, pair: [&AnyPoly; 2]) -> Result<Plan, EngineError> {
        plan(self.over, pair, GCD_SCRATCH, |[a, b]| a.max(b))
    }

    fn compute(&self, pairs: &[[&AnyPoly; 2]]) -> Result<Batch<Vec<Part>>, EngineError> {
        Ok(Batch::on_processor(pairs, |[a, b]| {
            Ok(vec![Part::polynomial("gcd", self.over.ring().gcd(a, b)?)])
        }))
    }
}

/// The same, then s and t with g = s·a + t·b.
struct ExtendedGcds<'a> {
    over: &'a Polynomials,
}

impl Operation<Polynomials, 2> for ExtendedGcds<'_> {
    fn wording(&self) -> &'static Wording {
        &GCDS
    }

    fn plan(&self, pair: [&AnyPoly; 2]) -> Result<Plan, EngineError> {
        plan(self.over, pair, EXTENDED_GCD_SCRATCH, |[a, b]| {
            a + b + a.max(b)
        })
    }

    fn compute(&self, pairs: &[[&AnyPoly; 2]]) -> Result<Batch<Vec<Part>>, EngineError> {
        Ok(Batch::on_processor(pairs, |[a, b]| {
            let [gcd, s, t] = self.over.ring().xgcd(a, b)?;
            Ok(vec![
                Part::polynomial("gcd", gcd),
                Part::polynomial("s", s),
                Part::polynomial("t", t),
            ])
        }))
    }
}

/// Resultants.
struct Resultants<'a> {
    over: &'a Polynomials,
}

impl Operation<Polynomials, 2> for Resultants<'_> {
    fn wording(&self) -> &'static Wording {
        &Wording {
            one: "resultant",
            many: "resultants",
            doing: "dividing",
            between: "and",
        }
    }

    fn plan(&self, pair: [&AnyPoly; 2]) -> Result<Plan, EngineError> {
        plan(self.over, pair, GCD_SCRATCH, |_| 1)
    }

    fn compute(&self, pairs: &[[&AnyPoly; 2]]) -> Result<Batch<Vec<Part>>, EngineError> {
        Ok(Batch::on_processor(pairs, |[a, b]| {
            Ok(vec![Part {
                name: "resultant",
                value: Value::Residue(self.over.ring().resultant(a, b)?),
            }])
        }))
    }

    fn least_bytes(&self) -> u64 {
        self.over.written_bytes(1)
    }
}
