//! Resultants and subresultants with respect to y of polynomials in two variables over Z.

use super::euclid::Resultant;
use super::over_z::{Exact, Found};
use crate::args::Common;
use crate::commands::solve::system::{Expression, Expressions, NOUN, Size};
use crate::images::{self, InParts};
use crate::operation::{LineFormat, Operation, OperationInParts, Plan, Sentence, Wording};
use crate::pipeline::Pipeline;
use crate::report::Head;
use crate::wording::{RESULTANTS, SUBRESULTANTS};
use sunzi::Integer;
use sunzi::engine::{Batch, EngineError};
use sunzi::images::Images;
use sunzi::poly::{Poly, PolyError};
use sunzi::solve::{
    BivariatePoly, ChainOptions, Known, ResultantYImages, SubresultantYImages, resultant_y,
    subresultant_y,
};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;
use sunzi_files::input::algebraic::Variables;
use sunzi_files::style::Style;

/// Finds resultants or subresultants line by line, or one in parts.
pub fn resultant(
    wanted: &Resultant,
    variables: &Variables,
    in_parts: Option<InParts>,
    style: Style,
    common: &Common,
) -> Result<(), Failure> {
    let [first, _] = variables.names();
    let variable = first.parse();
    let variable = variable.map_err(|error| Failure::Usage(format!("--vars: {error}")));
    let variable = images::agreed(in_parts.as_ref(), variable)?;
    let format = InY {
        expressions: Expressions::new(variables),
        found: Exact::with_seed(style.in_variable(variable), wanted.early.seed()),
    };
    let options = match wanted.early.seed() {
        Some(seed) => ChainOptions::new().early(seed),
        None => ChainOptions::new(),
    };
    let head = wanted.head(Some(variables));
    let pipeline = wanted.pipeline(NOUN, common, in_parts.as_ref())?;
    match wanted.subresultant {
        None => run(pipeline, &format, &Resultants(options), head, in_parts),
        Some(index) => {
            let expressions = Expressions::new(variables);
            let operation = Subresultants {
                options,
                index,
                expressions,
            };
            run(pipeline, &format, &operation, head, in_parts)
        }
    }
}

fn run<O>(
    pipeline: Pipeline,
    format: &InY,
    operation: &O,
    head: Head,
    in_parts: Option<InParts>,
) -> Result<(), Failure>
where
    O: OperationInParts<InY, 2, Job: Images<Error = PolyError>>,
{
    match in_parts {
        None => pipeline.run(format, operation, head),
        Some(in_parts) => pipeline.run_in_parts(format, operation, head, in_parts),
    }
}

/// What runs for a pair.
fn plan(pair: [&Expression; 2]) -> Plan {
    let size = Size::of(pair);
    Plan {
        algorithm: None,
        bytes: size.bytes,
        sentence: Sentence::TotalDegrees(size.degrees),
    }
}

/// What enough images prove.
fn proved<T>(value: T, primes: usize) -> Known<T> {
    Known {
        value,
        proved: true,
        primes,
        dropped: 0,
    }
}

/// Expressions in two variables with integers for coefficients, one a line, and polynomials in the first one.
struct InY {
    expressions: Expressions,
    found: Exact,
}

impl LineFormat for InY {
    type Operand = Expression;
    type Outcome = Found;

    fn weight(&self, content: &[u8]) -> usize {
        self.expressions.weight(content)
    }

    fn parse(&self, content: &[u8]) -> Result<Expression, LineError> {
        let found = self.expressions.read(content)?;
        match found.denominator == Integer::ONE {
            true => Ok(found),
            false => Err(LineError::new(
                0,
                "the coefficients are integers here: multiply the polynomial by its denominators, which changes it by a factor",
            )),
        }
    }

    fn bytes(&self, operand: &Expression) -> u64 {
        operand.bytes()
    }

    fn write(&self, found: &Found, out: &mut Vec<u8>) {
        self.found.write(found, out);
    }
}

struct Resultants(ChainOptions);

impl Operation<InY, 2> for Resultants {
    fn wording(&self) -> &'static Wording {
        &RESULTANTS
    }

    fn plan(&self, pair: [&Expression; 2]) -> Result<Plan, EngineError> {
        Ok(plan(pair))
    }

    fn compute(&self, pairs: &[[&Expression; 2]]) -> Result<Batch<Found>, EngineError> {
        let find = |[f, g]: &[&Expression; 2]| {
            Ok(Found::in_y(resultant_y(
                &f.polynomial,
                &g.polynomial,
                self.0,
            )?))
        };
        Ok(Batch::on_processor(pairs, find))
    }
}

impl OperationInParts<InY, 2> for Resultants {
    type Job = ResultantYImages;

    fn job(&self, [f, g]: [&Expression; 2]) -> Result<ResultantYImages, EngineError> {
        Ok(ResultantYImages::new(&f.polynomial, &g.polynomial)?)
    }

    fn outcome(&self, value: Poly<Integer>, primes: usize) -> Found {
        Found::in_y(proved(value, primes))
    }
}

/// Those of one index.
struct Subresultants {
    options: ChainOptions,
    index: usize,
    expressions: Expressions,
}

impl Subresultants {
    fn found(&self, known: Known<Vec<BivariatePoly<Integer>>>) -> Found {
        Found::subresultant(known.map(|found| {
            let found = found.iter().map(|one| self.expressions.write(one));
            found.collect()
        }))
    }
}

impl Operation<InY, 2> for Subresultants {
    fn wording(&self) -> &'static Wording {
        &SUBRESULTANTS
    }

    fn plan(&self, pair: [&Expression; 2]) -> Result<Plan, EngineError> {
        Ok(plan(pair))
    }

    fn compute(&self, pairs: &[[&Expression; 2]]) -> Result<Batch<Found>, EngineError> {
        let find = |[f, g]: &[&Expression; 2]| {
            let [f, g] = [&f.polynomial, &g.polynomial];
            Ok(self.found(subresultant_y(f, g, &[self.index], self.options)?))
        };
        Ok(Batch::on_processor(pairs, find))
    }
}

impl OperationInParts<InY, 2> for Subresultants {
    type Job = SubresultantYImages;

    fn job(&self, [f, g]: [&Expression; 2]) -> Result<SubresultantYImages, EngineError> {
        let [f, g] = [&f.polynomial, &g.polynomial];
        Ok(SubresultantYImages::new(f, g, &[self.index])?)
    }

    fn outcome(&self, value: Vec<BivariatePoly<Integer>>, primes: usize) -> Found {
        self.found(proved(value, primes))
    }
}
