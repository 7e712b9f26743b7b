//! Common zeros modulo a prime, as regular chains.

use super::SolveArguments;
use super::real::WORDING;
use super::system::{Expression, Expressions, NOUN, Size};
use crate::args::Common;
use crate::modulus;
use crate::operation::{LineFormat, Operation, Plan, Sentence, Wording};
use crate::pipeline::Pipeline;
use serde::Serialize;
use sunzi::Integer;
use sunzi::engine::{Batch, EngineError};
use sunzi::field::AnyField;
use sunzi::solve::{BivariatePoly, RegularChains, regular_chains_modulo};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;

/// Describes the zeros of systems line by line modulo the prime that `prime` names.
pub fn run(prime: &str, wanted: &SolveArguments, common: &Common) -> Result<(), Failure> {
    let field = modulus::field(prime)?;
    let head = wanted.head(None, Some(field.modulus()));
    let format = Chains {
        expressions: Expressions::new(&wanted.vars),
        field: field.clone(),
        json: common.json,
    };
    let pipeline = Pipeline::open(&wanted.paths(), NOUN, wanted.memory.budget(), common)?;
    pipeline.run(&format, &Modular { field }, head)
}

/// How systems and the chains that describe their zeros stand on lines.
struct Chains {
    expressions: Expressions,
    field: AnyField,
    json: bool,
}

/// Chains in JSON.
#[derive(Serialize)]
struct Facts {
    chains: Vec<Chain>,
    common_curve: Option<String>,
    /// How many points the chains describe, with multiplicities of roots of S.
    points: usize,
}

#[derive(Serialize)]
struct Chain {
    t: String,
    s: String,
}

impl Chains {
    fn facts(&self, found: &RegularChains<Integer>) -> Facts {
        let written = |polynomial: &BivariatePoly<Integer>| self.expressions.write(polynomial);
        let chains = found.chains.iter().map(|chain| Chain {
            t: written(&BivariatePoly::new(vec![chain.t.clone()])),
            s: written(&chain.s),
        });
        Facts {
            chains: chains.collect(),
            common_curve: found.common.as_ref().map(written),
            points: found.points(),
        }
    }
}

impl LineFormat for Chains {
    type Operand = Expression;
    type Outcome = RegularChains<Integer>;

    fn weight(&self, content: &[u8]) -> usize {
        self.expressions.weight(content)
    }

    /// The polynomial times its denominator has the same zeros, where there is such a number.
    fn parse(&self, content: &[u8]) -> Result<Expression, LineError> {
        let expression = self.expressions.read(content)?;
        let prime = self.field.modulus::<Integer>();
        if (&expression.denominator % &prime).is_zero() {
            let problem = format!(
                "a coefficient has a denominator that {prime} divides, modulo which there is no such number"
            );
            return Err(LineError::new(0, problem));
        }
        Ok(expression)
    }

    fn bytes(&self, operand: &Expression) -> u64 {
        operand.bytes()
    }

    fn write(&self, found: &RegularChains<Integer>, out: &mut Vec<u8>) {
        let facts = self.facts(found);
        if self.json {
            // Strings and numbers have no errors.
            out.extend(serde_json::to_vec(&facts).unwrap_or_default());
            return;
        }
        let count = facts.chains.len();
        let plural = if count == 1 { "" } else { "s" };
        let mut text = String::new();
        if let Some(curve) = &facts.common_curve {
            text += &format!("# common curve: {curve}\n# of the system without it: ");
        } else {
            text += "# ";
        }
        text += &format!(
            "{count} regular chain{plural}, {} point{} with multiplicity",
            facts.points,
            if facts.points == 1 { "" } else { "s" }
        );
        for Chain { t, s } in &facts.chains {
            text += &format!("\n{t}\n{s}");
        }
        out.extend_from_slice(text.as_bytes());
    }
}

/// Finds chains.
struct Modular {
    field: AnyField,
}

impl Operation<Chains, 2> for Modular {
    fn wording(&self) -> &'static Wording {
        &WORDING
    }

    fn plan(&self, [f, g]: [&Expression; 2]) -> Result<Plan, EngineError> {
        let size = Size::of([f, g]);
        let [d, e] = size.degrees.map(|degree| degree as u64 + 1);
        let element = self.field.element_bytes() as u64;
        Ok(Plan {
            algorithm: None,
            // Chains of subresultants at as many points as the resultant has coefficients.
            bytes: d
                .saturating_mul(e)
                .saturating_mul(d + e)
                .saturating_mul(4 * element),
            sentence: Sentence::TotalDegrees(size.degrees),
        })
    }

    fn compute(
        &self,
        pairs: &[[&Expression; 2]],
    ) -> Result<Batch<RegularChains<Integer>>, EngineError> {
        let find = |[f, g]: &[&Expression; 2]| {
            Ok(regular_chains_modulo(
                &self.field,
                &f.polynomial,
                &g.polynomial,
            )?)
        };
        Ok(Batch::on_processor(pairs, find))
    }
}
