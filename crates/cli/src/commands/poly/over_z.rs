//! Greatest common divisors, resultants and square-free factors over Z.

use super::euclid::Resultant;
use super::over_integers;
use super::polynomials::{NOUN, head};
use super::squarefree;
use crate::args::{Common, MaxMemory, TwoFiles};
use crate::early::{error_probability, label};
use crate::images::InParts;
use crate::operation::{LineFormat, Operation, OperationInParts, Plan, Sentence, Wording};
use crate::pipeline::Pipeline;
use crate::report::Head;
use crate::wording::{DISCRIMINANTS, FACTORS, GCDS, RESULTANTS};
use std::path::Path;
use sunzi::Integer;
use sunzi::engine::{Batch, EngineError};
use sunzi::poly::{IntegerPolyRing, Poly};
use sunzi::solve::{
    IntegerGcd, IntegerResultant, Known, Method, ModularPlan, ResultantImages, SquareFree,
};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;
use sunzi_files::style::Style;

/// Finds greatest common divisors line by line.
pub fn gcd(
    files: &TwoFiles,
    method: Method,
    memory: &MaxMemory,
    style: Style,
    common: &Common,
) -> Result<(), Failure> {
    let paths = [&*files.left, &files.right];
    let head = head("poly gcd", &paths, None);
    let operation = Gcds(IntegerGcd::new().method(method));
    run(head, &paths, memory, &Exact::new(style), common, &operation)
}

/// Finds resultants line by line, or one in parts.
pub fn resultant(
    wanted: &Resultant,
    in_parts: Option<InParts>,
    style: Style,
    common: &Common,
) -> Result<(), Failure> {
    let method = IntegerResultant::new().method(wanted.method.chosen());
    let method = match wanted.early.seed() {
        Some(seed) => method.early(seed),
        None => method,
    };
    let format = Exact::with_seed(style, wanted.early.seed());
    let (head, operation) = (wanted.head(None), Resultants(method));
    let pipeline = wanted.pipeline(NOUN, common, in_parts.as_ref())?;
    match in_parts {
        None => pipeline.run(&format, &operation, head),
        Some(in_parts) => pipeline.run_in_parts(&format, &operation, head, in_parts),
    }
}

/// Finds square-free factors line by line.
pub fn square_free(
    file: &Path,
    memory: &MaxMemory,
    style: Style,
    common: &Common,
) -> Result<(), Failure> {
    let head = head("poly squarefree", &[file], None);
    let format = Exact::new(style);
    run(head, &[file], memory, &format, common, &Factors)
}

/// Finds discriminants line by line.
pub fn discriminant(
    file: &Path,
    memory: &MaxMemory,
    style: Style,
    common: &Common,
) -> Result<(), Failure> {
    let head = head("poly discriminant", &[file], None);
    let format = Exact::new(style);
    run(head, &[file], memory, &format, common, &Discriminants)
}

fn run<const N: usize>(
    head: Head,
    paths: &[&Path],
    memory: &MaxMemory,
    format: &Exact,
    common: &Common,
    operation: &dyn Operation<Exact, N>,
) -> Result<(), Failure> {
    let pipeline = Pipeline::open(paths, NOUN, memory.budget(), common)?;
    pipeline.run(format, operation, head)
}

/// Polynomials over Z, one a line, and what is known of them.
pub struct Exact {
    polynomials: over_integers::Polynomials,
    /// Of early termination.
    seed: Option<u128>,
}

/// What was found, and how it is known.
pub struct Found {
    value: Value,
    method: Method,
    primes: usize,
    dropped: usize,
    proved: bool,
}

enum Value {
    Gcd(Poly<Integer>),
    Resultant(Integer),
    ResultantInY(Poly<Integer>),
    /// As an expression.
    SubresultantInY(String),
    Discriminant(Integer),
    SquareFree(SquareFree),
}

impl Found {
    /// A resultant that images prove.
    fn of_images(resultant: Integer, primes: usize) -> Self {
        let known = Known {
            value: resultant,
            proved: true,
            primes,
            dropped: 0,
        };
        Self::new(known, Method::Words, Value::Resultant)
    }

    /// A resultant with respect to y.
    pub fn in_y(known: Known<Poly<Integer>>) -> Self {
        Self::new(known, Method::Words, Value::ResultantInY)
    }

    /// A subresultant with respect to y, as an expression.
    pub fn subresultant(known: Known<String>) -> Self {
        Self::new(known, Method::Words, Value::SubresultantInY)
    }

    fn new<T>(known: Known<T>, method: Method, value: impl FnOnce(T) -> Value) -> Self {
        Self {
            value: value(known.value),
            method,
            primes: known.primes,
            dropped: known.dropped,
            proved: known.proved,
        }
    }
}

impl Exact {
    /// What is always proved, in this style.
    fn new(style: Style) -> Self {
        Self {
            polynomials: over_integers::Polynomials::new(style),
            seed: None,
        }
    }

    /// What may be terminated early, with primes that are drawn by a seed.
    pub fn with_seed(style: Style, seed: Option<u128>) -> Self {
        Self {
            seed,
            ..Self::new(style)
        }
    }

    /// The members of a JSON object that say what was found.
    fn members(&self, value: &Value, out: &mut Vec<u8>) {
        match value {
            Value::Gcd(gcd) => {
                out.extend_from_slice(b"\"gcd\":");
                self.polynomials.write(gcd, out);
            }
            Value::Resultant(resultant) => {
                out.extend_from_slice(b"\"resultant\":");
                self.polynomials.write_integer(resultant, out);
            }
            Value::ResultantInY(resultant) => {
                out.extend_from_slice(b"\"resultant\":");
                self.polynomials.write(resultant, out);
            }
            Value::SubresultantInY(subresultant) => {
                // An expression has nothing that JSON would escape.
                out.extend_from_slice(format!("\"subresultant\":\"{subresultant}\"").as_bytes());
            }
            Value::Discriminant(discriminant) => {
                out.extend_from_slice(b"\"discriminant\":");
                self.polynomials.write_integer(discriminant, out);
            }
            Value::SquareFree(found) => self.square_free(found, out),
        }
    }

    /// Lines of text.
    fn lines(&self, value: &Value, out: &mut Vec<u8>) {
        match value {
            Value::Gcd(value) | Value::ResultantInY(value) => self.polynomials.write(value, out),
            Value::Resultant(value) | Value::Discriminant(value) => {
                self.polynomials.write_integer(value, out);
            }
            Value::SubresultantInY(value) => out.extend_from_slice(value.as_bytes()),
            Value::SquareFree(found) => self.square_free(found, out),
        }
    }

    fn square_free(&self, found: &SquareFree, out: &mut Vec<u8>) {
        squarefree::write(
            self.polynomials.style(),
            out,
            |out| self.polynomials.write_integer(&found.content, out),
            &found.factors,
            |factor, out| self.polynomials.write(factor, out),
        );
    }
}

impl LineFormat for Exact {
    type Operand = Poly<Integer>;
    type Outcome = Found;

    fn weight(&self, content: &[u8]) -> usize {
        self.polynomials.weight(content)
    }

    fn parse(&self, content: &[u8]) -> Result<Poly<Integer>, LineError> {
        self.polynomials.parse(content)
    }

    fn bytes(&self, operand: &Poly<Integer>) -> u64 {
        self.polynomials.bytes(operand)
    }

    fn write(&self, found: &Found, out: &mut Vec<u8>) {
        if !self.polynomials.style().json {
            self.lines(&found.value, out);
            if !found.proved {
                out.push(b'\n');
                out.extend_from_slice(label(self.seed).as_bytes());
            }
            return;
        }
        out.push(b'{');
        self.members(&found.value, out);
        let known = format!(
            ",\"method\":\"{}\",\"primes\":{},\"dropped\":{},\"proved\":{}",
            found.method, found.primes, found.dropped, found.proved
        );
        out.extend_from_slice(known.as_bytes());
        // The others are always proved.
        if let Value::Resultant(_) | Value::ResultantInY(_) | Value::SubresultantInY(_) =
            found.value
        {
            let most = error_probability(found.proved);
            out.extend_from_slice(format!(",\"error_probability\":{most:e}").as_bytes());
        }
        out.push(b'}');
    }
}

/// What runs for one or two operands of these lengths: `images` residues modulo every prime, the numbers that are made of them, and
/// their text.
fn plan(modular: &ModularPlan, (first, second): (usize, Option<usize>), images: usize) -> Plan {
    Plan {
        algorithm: None,
        bytes: modular.bytes(images),
        sentence: Sentence::Coefficients(first, second),
    }
}

struct Gcds(IntegerGcd);

impl Operation<Exact, 2> for Gcds {
    fn wording(&self) -> &'static Wording {
        &GCDS
    }

    fn plan(&self, [f, g]: [&Poly<Integer>; 2]) -> Result<Plan, EngineError> {
        let modular = self.0.plan(f, g)?;
        Ok(plan(&modular, (f.len(), Some(g.len())), f.len() + g.len()))
    }

    fn compute(&self, pairs: &[[&Poly<Integer>; 2]]) -> Result<Batch<Found>, EngineError> {
        let find = |[f, g]: &[&Poly<Integer>; 2]| {
            let known = self.0.compute(f, g)?;
            // Where values prove nothing, primes of a word do.
            let method = match self.0.plan(f, g)?.method {
                Method::Values if known.primes > 0 => Method::Words,
                method => method,
            };
            Ok(Found::new(known, method, Value::Gcd))
        };
        Ok(Batch::on_processor(pairs, find))
    }
}

struct Resultants(IntegerResultant);

impl Operation<Exact, 2> for Resultants {
    fn wording(&self) -> &'static Wording {
        &RESULTANTS
    }

    fn plan(&self, [f, g]: [&Poly<Integer>; 2]) -> Result<Plan, EngineError> {
        Ok(plan(&self.0.plan(f, g)?, (f.len(), Some(g.len())), 1))
    }

    fn compute(&self, pairs: &[[&Poly<Integer>; 2]]) -> Result<Batch<Found>, EngineError> {
        let find = |[f, g]: &[&Poly<Integer>; 2]| {
            let method = self.0.plan(f, g)?.method;
            Ok(Found::new(self.0.compute(f, g)?, method, Value::Resultant))
        };
        Ok(Batch::on_processor(pairs, find))
    }
}

impl OperationInParts<Exact, 2> for Resultants {
    type Job = ResultantImages;

    fn job(&self, [f, g]: [&Poly<Integer>; 2]) -> Result<ResultantImages, EngineError> {
        Ok(ResultantImages::new(f, g))
    }

    fn outcome(&self, value: Integer, primes: usize) -> Found {
        Found::of_images(value, primes)
    }
}

struct Discriminants;

impl Operation<Exact, 1> for Discriminants {
    fn wording(&self) -> &'static Wording {
        &DISCRIMINANTS
    }

    fn plan(&self, [f]: [&Poly<Integer>; 1]) -> Result<Plan, EngineError> {
        let modular = discriminant_plan(f)?;
        Ok(plan(&modular, (f.len(), None), 1))
    }

    fn compute(&self, rows: &[[&Poly<Integer>; 1]]) -> Result<Batch<Found>, EngineError> {
        let find = |[f]: &[&Poly<Integer>; 1]| {
            let known = IntegerResultant::new().discriminant(f)?;
            let method = discriminant_plan(f)?.method;
            Ok(Found::new(known, method, Value::Discriminant))
        };
        Ok(Batch::on_processor(rows, find))
    }
}

/// What runs for the discriminant of a polynomial: the resultant with its derivative.
fn discriminant_plan(f: &Poly<Integer>) -> Result<ModularPlan, EngineError> {
    let derivative = IntegerPolyRing::new().derivative(f);
    Ok(IntegerResultant::new().plan(f, &derivative)?)
}

struct Factors;

impl Operation<Exact, 1> for Factors {
    fn wording(&self) -> &'static Wording {
        &FACTORS
    }

    fn plan(&self, [f]: [&Poly<Integer>; 1]) -> Result<Plan, EngineError> {
        // The first greatest common divisor is that of f and its derivative, which is hardly longer.
        let modular = IntegerGcd::new().plan(f, f)?;
        Ok(plan(&modular, (f.len(), None), 2 * f.len()))
    }

    fn compute(&self, rows: &[[&Poly<Integer>; 1]]) -> Result<Batch<Found>, EngineError> {
        let find = |[f]: &[&Poly<Integer>; 1]| {
            let known = SquareFree::of(f)?;
            // The method of most of the work, where greatest common divisors are found by several.
            let method = match known.primes {
                0 => Method::Values,
                _ => Method::Words,
            };
            Ok(Found::new(known, method, Value::SquareFree))
        };
        Ok(Batch::on_processor(rows, find))
    }
}
