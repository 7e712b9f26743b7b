//! Division with remainder of polynomials, and what Euclid's algorithm gives, modulo a prime, over Z or over Q.

use super::in_y;
use super::method::MethodOption;
use super::over_rationals;
use super::over_z;
use super::polynomials::{NOUN, Named, Part, Polynomials, Pretty, Value, head};
use crate::args::{ChosenDevice, Common, MaxMemory, OptionalModulus, TwoFiles};
use crate::commands::Run;
use crate::early::EarlyOptions;
use crate::images::{self, ImageOptions, InParts};
use crate::operation::{Operation, Plan, Preparation, Sentence, Wording, engine, refuse_unless};
use crate::pipeline::Pipeline;
#[cfg(unix)]
use crate::ranks::refuse_several;
use crate::report::{Head, files};
use crate::wording::{DIVISIONS, GCDS, RESULTANTS};
use clap::Args;
use serde_json::json;
use std::path::Path;
use std::sync::OnceLock;
use sunzi::engine::{Batch, Engine, EngineError};
use sunzi::poly::{AnyDivisor, AnyPoly};
use sunzi_files::failure::Failure;
use sunzi_files::input::algebraic::Variables;

/// Two files of polynomials, which give polynomials.
#[derive(Debug, Args)]
pub struct PairArguments {
    #[command(flatten)]
    pub files: TwoFiles,
    #[command(flatten)]
    pub modulus: OptionalModulus,
    #[command(flatten)]
    pub form: Pretty,
    #[command(flatten)]
    pub device: ChosenDevice,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// Operands of divisions.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), pairs!(), written!(), "
Each pair gives two lines: the quotient q, then the remainder r, with A = q·B + r and deg r < deg B.
With --json it gives {\"quotient\":…,\"remainder\":…}.
", rationals!(), primes!(), "Examples:
  sunzi poly divrem f.txt g.txt
  sunzi poly divrem f.txt g.txt --mod 469762049
  sunzi poly divrem f.txt g.txt --mod P8 --json -o quotients.json
  echo 'x^7 - 1' | sunzi poly divrem - <(echo 'x + 1') --mod 97 --pretty"))]
pub struct Divrem {
    #[command(flatten)]
    pairs: PairArguments,
}

/// Operands of greatest common divisors.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), pairs!(), written!(), "
Each pair gives one line, the greatest common divisor, or 0 if A and B are 0. Over Z its leading coefficient
is positive, and it holds the greatest common divisor of all coefficients; it is always proved by a division,
and with --json each pair gives {\"gcd\":…,\"method\":…,\"primes\":…,\"dropped\":…,\"proved\":true}: primes
that were unlucky are dropped. Modulo a prime its leading coefficient is 1.
", primes!(), "Examples:
  sunzi poly gcd f.txt g.txt
  sunzi poly gcd f.txt g.txt --method big-prime --json
  sunzi poly gcd f.txt g.txt --mod 469762049
  sunzi poly gcd f.txt g.txt --mod '2^60-2^18+1' --pretty --threads 2
  sunzi poly gcd f.txt g.txt --mod P8 -o gcds.txt"))]
pub struct Gcd {
    #[command(flatten)]
    files: TwoFiles,
    #[command(flatten)]
    modulus: OptionalModulus,
    #[command(flatten)]
    method: MethodOption,
    #[command(flatten)]
    form: Pretty,
    #[command(flatten)]
    device: ChosenDevice,
    #[command(flatten)]
    memory: MaxMemory,
}

/// The same, with cofactors.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), pairs!(), written!(), "
Each pair gives three lines: the monic greatest common divisor g, then s, then t, with g = s·A + t·B.
Where neither operand divides the other, deg s < deg B − deg g and deg t < deg A − deg g.
With --json it gives {\"gcd\":…,\"s\":…,\"t\":…}.
", rationals!(), primes!(), "Examples:
  sunzi poly xgcd f.txt g.txt --pretty
  sunzi poly xgcd f.txt g.txt --mod 469762049
  sunzi poly xgcd f.txt g.txt --mod P8 --pretty
  sunzi poly xgcd f.txt g.txt --mod '2^60-2^18+1' --json -o cofactors.json"))]
pub struct Xgcd {
    #[command(flatten)]
    pairs: PairArguments,
}

/// Operands of resultants.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), pairs!(), "
Each pair gives one line, the determinant of the Sylvester matrix of A and B, which is 0 where they have a
common root: of a constant c and a polynomial of degree n it is c^n, of two constants 1, of 0 and any
polynomial 0.
Over Z it is proved by a bound; with --json each pair gives {\"resultant\":…,\"method\":…,\"primes\":…,\"dropped\":…,
\"proved\":…,\"error_probability\":…}.

With --vars x,y A and B hold expressions in two variables, and each pair gives the resultant with respect to the
second one: a polynomial in the first, as coefficients from the constant term upward, or with --pretty as an expression.
--subresultant 1 gives the subresultant of index 1 instead, of degree 1 at most in the second variable, and so on.

With --images 0..1000 only the images of one resultant over Z modulo the first 1000 primes are written: as a
line of JSON, a part, which any machine computes by itself. --combine puts parts together, in any order, and proves
the result; what is missing or doubled is told by number. mpirun -n 4 sunzi poly resultant A B (a build with the
feature mpi) shares all images of one resultant over Z among processes, on one machine or on many.
", primes!(), "Examples:
  sunzi poly resultant f.txt g.txt
  sunzi poly resultant f.txt g.txt --early --json
  sunzi poly resultant -e 'x^2 + y^2 - 5' -e 'x*y - 2' --vars x,y --pretty
  sunzi poly resultant -e 'x^2 + y^2 - 5' -e '(x - 3)^2 + y^2 - 2' --vars x,y --subresultant 1
  sunzi poly resultant f.txt g.txt --images 0..1000 -o part0.json
  sunzi poly resultant f.txt g.txt --combine part0.json part1.json
  sunzi poly resultant f.txt g.txt --mod 469762049
  sunzi poly resultant f.txt g.txt --mod P8 --json
  sunzi poly resultant f.txt g.txt --mod '2^60-2^18+1' -o resultants.txt"))]
#[command(mut_arg("method", |arg| arg.conflicts_with_all(["images", "combine", "vars", "early"])))]
pub struct Resultant {
    #[command(flatten)]
    pub files: TwoFiles,
    #[command(flatten)]
    pub modulus: OptionalModulus,
    #[command(flatten)]
    pub named: Named,
    /// Over Z: polynomials are in two variables of these names, of which the second is eliminated
    #[arg(long, value_name = "A,B", conflicts_with_all = ["prime", "var"])]
    pub vars: Option<Variables>,
    /// With --vars: write resultants as expressions such as 3*x^2 - 2*x + 1
    #[arg(long, requires = "vars", conflicts_with = "prime")]
    pub pretty: bool,
    /// With --vars: in place of the resultant, which is the subresultant of index 0, that of another one, as an expression
    #[arg(long, value_name = "INDEX", requires = "vars", conflicts_with_all = ["prime", "pretty"])]
    pub subresultant: Option<usize>,
    #[command(flatten)]
    pub method: MethodOption,
    #[command(flatten)]
    pub early: EarlyOptions,
    #[command(flatten)]
    pub images: ImageOptions,
    #[command(flatten)]
    pub device: ChosenDevice,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// What a division takes beside operands and results, as a multiple of the operands' bytes: measured at
/// 10^5 to 2·10^6 coefficients over four fields.
const DIVISION_SCRATCH: u64 = 9;

/// What the half-GCD takes beside operands and results, without and with cofactors, as a multiple of the
/// operands' bytes: measured at 10^5 to 2·10^6 coefficients over four fields, on two threads.
const GCD_SCRATCH: u64 = 14;
const EXTENDED_GCD_SCRATCH: u64 = 26;

/// The same for a polynomial and its derivative, as a multiple of the polynomial's bytes, and for what is divided then.
pub const EUCLID_SCRATCH: u64 = 2 * GCD_SCRATCH + DIVISION_SCRATCH;

impl Run for Divrem {
    /// Quotients and remainders, line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let (files, memory) = (&self.pairs.files, &self.pairs.memory);
        let style = self.pairs.form.style(common);
        let Some(prime) = &self.pairs.modulus.prime else {
            refuse_unless(false, self.pairs.device.choice, "quotients over Q")?;
            return over_rationals::divrem(files, memory, style, common);
        };
        let over = Polynomials::modulo(prime, style)?;
        let (over, engine) = &with_engine(over, self.pairs.device, &DIVISIONS)?;
        let division = Division {
            over,
            engine,
            prepared: OnceLock::new(),
        };
        run("poly divrem", files, memory, common, over, &division)
    }
}

impl Run for Gcd {
    /// Greatest common divisors, line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let style = self.form.style(common);
        let Some(prime) = &self.modulus.prime else {
            refuse_unless(false, self.device.choice, "greatest common divisors over Z")?;
            let method = self.method.chosen();
            return over_z::gcd(&self.files, method, &self.memory, style, common);
        };
        let over = Polynomials::modulo(prime, style)?;
        let (over, engine) = &with_engine(over, self.device, &GCDS)?;
        run(
            "poly gcd",
            &self.files,
            &self.memory,
            common,
            over,
            &Gcds { over, engine },
        )
    }
}

impl Run for Xgcd {
    /// Greatest common divisors and their cofactors, line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let (files, memory) = (&self.pairs.files, &self.pairs.memory);
        let style = self.pairs.form.style(common);
        let Some(prime) = &self.pairs.modulus.prime else {
            refuse_unless(false, self.pairs.device.choice, "cofactors over Q")?;
            return over_rationals::xgcd(files, memory, style, common);
        };
        let over = Polynomials::modulo(prime, style)?;
        let (over, engine) = &with_engine(over, self.pairs.device, &GCDS)?;
        let extended = ExtendedGcds { over, engine };
        run("poly xgcd", files, memory, common, over, &extended)
    }
}

impl Resultant {
    fn paths(&self) -> [&Path; 2] {
        [&self.files.left, &self.files.right]
    }

    /// What the JSON form tells first over Z, of polynomials in one variable or in these two.
    pub fn head(&self, variables: Option<&Variables>) -> Head {
        let mut inputs = json!({
            "files": files(self.paths()),
            "modulus": null,
            "early": self.early.asked_for(),
            "seed": self.early.told_seed(),
        });
        if let Some(variables) = variables {
            inputs["variables"] = json!(variables.names());
            inputs["subresultant"] = json!(self.subresultant);
        }
        Head::new("poly resultant", inputs)
    }

    /// The files, each line of which holds what `noun` says, and the one for what is done with them.
    pub fn pipeline(
        &self,
        noun: &'static str,
        common: &Common,
        in_parts: Option<&InParts>,
    ) -> Result<Pipeline, Failure> {
        let (budget, output) = (self.memory.budget(), images::output(in_parts, common));
        let pipeline = Pipeline::open_to(&self.paths(), noun, budget, common, output);
        images::agreed(in_parts, pipeline)
    }
}

impl Run for Resultant {
    /// Resultants, line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let (files, memory) = (&self.files, &self.memory);
        let Some(prime) = &self.modulus.prime else {
            let (paths, device) = (self.paths(), self.device.choice);
            let early = self.early.asked_for();
            let in_parts =
                self.images
                    .in_parts(&paths, memory.budget(), device, early, common.json)?;
            refuse_unless(false, device, "resultants over Z")?;
            let style = self.named.style(common).pretty(self.pretty);
            return match &self.vars {
                None => over_z::resultant(self, in_parts, style, common),
                Some(variables) => in_y::resultant(self, variables, in_parts, style, common),
            };
        };
        #[cfg(unix)]
        refuse_several("resultants modulo a prime are computed")?;
        let over = Polynomials::modulo(prime, self.named.style(common))?;
        let (over, engine) = &with_engine(over, self.device, &RESULTANTS)?;
        let resultants = Resultants { over, engine };
        run("poly resultant", files, memory, common, over, &resultants)
    }
}

/// Polynomials, and what computes with them where it was asked to, if the field is known there.
fn with_engine(
    over: Polynomials,
    device: ChosenDevice,
    work: &Wording,
) -> Result<(Polynomials, Engine), Failure> {
    refuse_unless(
        Engine::devices_divide(over.ring()),
        device.choice,
        work.many,
    )?;
    let engine = engine(device.choice, false)?;
    Ok((over.by(&engine), engine))
}

fn run(
    command: &'static str,
    files: &TwoFiles,
    memory: &MaxMemory,
    common: &Common,
    over: &Polynomials,
    operation: &dyn Operation<Polynomials, 2>,
) -> Result<(), Failure> {
    let paths = [&*files.left, &files.right];
    let pipeline = Pipeline::open(&paths, NOUN, memory.budget(), common)?;
    pipeline.run(over, operation, head(command, &paths, Some(over.prime())))
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
        sentence: Sentence::Coefficients(a, Some(b)),
    })
}

/// Quotient, then remainder.
struct Division<'a> {
    over: &'a Polynomials,
    engine: &'a Engine,
    /// The divisor of every line, if it is the same.
    prepared: OnceLock<AnyDivisor>,
}

impl Operation<Polynomials, 2> for Division<'_> {
    fn wording(&self) -> &'static Wording {
        &DIVISIONS
    }

    fn plan(&self, pair: [&AnyPoly; 2]) -> Result<Plan, EngineError> {
        plan(self.over, pair, DIVISION_SCRATCH, |[dividend, _]| dividend)
    }

    fn preparation<'a>(
        &'a self,
        [_, divisor]: [Option<&'a AnyPoly>; 2],
    ) -> Option<Preparation<'a>> {
        // A device divides without.
        let divisor = divisor.filter(|_| self.engine.device().is_none())?;
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
        let divisions = match self.prepared.get() {
            Some(prepared) => {
                Batch::on_processor(pairs, |[dividend, _]| Ok(prepared.divrem(dividend)?))
            }
            None => self.engine.divrem_all(self.over.ring(), pairs)?,
        };
        Ok(divisions.map(|[quotient, remainder]| {
            vec![
                Part::polynomial("quotient", quotient),
                Part::polynomial("remainder", remainder),
            ]
        }))
    }
}

/// Monic greatest common divisors.
struct Gcds<'a> {
    over: &'a Polynomials,
    engine: &'a Engine,
}

impl Operation<Polynomials, 2> for Gcds<'_> {
    fn wording(&self) -> &'static Wording {
        &GCDS
    }

    fn plan(&self, pair: [&AnyPoly; 2]) -> Result<Plan, EngineError> {
        plan(self.over, pair, GCD_SCRATCH, |[a, b]| a.max(b))
    }

    fn compute(&self, pairs: &[[&AnyPoly; 2]]) -> Result<Batch<Vec<Part>>, EngineError> {
        let divisors = self.engine.gcd_all(self.over.ring(), pairs)?;
        Ok(divisors.map(|gcd| vec![Part::polynomial("gcd", gcd)]))
    }
}

/// The same, then s and t with g = s·a + t·b.
struct ExtendedGcds<'a> {
    over: &'a Polynomials,
    engine: &'a Engine,
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
        let found = self.engine.xgcd_all(self.over.ring(), pairs)?;
        Ok(found.map(|[gcd, s, t]| {
            vec![
                Part::polynomial("gcd", gcd),
                Part::polynomial("s", s),
                Part::polynomial("t", t),
            ]
        }))
    }
}

/// Resultants.
struct Resultants<'a> {
    over: &'a Polynomials,
    engine: &'a Engine,
}

impl Operation<Polynomials, 2> for Resultants<'_> {
    fn wording(&self) -> &'static Wording {
        &RESULTANTS
    }

    fn plan(&self, pair: [&AnyPoly; 2]) -> Result<Plan, EngineError> {
        plan(self.over, pair, GCD_SCRATCH, |_| 1)
    }

    fn compute(&self, pairs: &[[&AnyPoly; 2]]) -> Result<Batch<Vec<Part>>, EngineError> {
        let resultants = self.engine.resultant_all(self.over.ring(), pairs)?;
        Ok(resultants.map(|row| {
            vec![Part {
                name: "resultant",
                value: Value::Residue(row),
            }]
        }))
    }

    fn least_bytes(&self) -> u64 {
        self.over.written_bytes(1)
    }
}
