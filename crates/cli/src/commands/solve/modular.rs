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
use sunzi::field::{Field, Fp64Full};
use sunzi::solve::{BivariatePoly, RegularChains, regular_chains_modulo};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;

/// Describes the zeros of systems line by line modulo the prime that `prime` names.
pub fn run(prime: &str, wanted: &SolveArguments, common: &Common) -> Result<(), Failure> {
    let prime = modulus::word_prime(prime)?;
    let field = Fp64Full::new(prime).map_err(|error| Failure::Computation(error.to_string()))?;
    let format = Chains {
        expressions: Expressions::new(&wanted.vars),
        field,
        json: common.json,
    };
    let pipeline = Pipeline::open(&wanted.paths(), NOUN, wanted.memory.budget(), common)?;
    pipeline.run(&format, &Modular { prime }, wanted.head(None, Some(prime)))
}

/// How systems and the chains that describe their zeros stand on lines.
struct Chains {
    expressions: Expressions,
    field: Fp64Full,
    json: bool,
}

/// A polynomial that was read, and its residues.
struct Reduced {
    expression: Expression,
    residues: BivariatePoly<u64>,
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
    fn written(&self, polynomial: &BivariatePoly<u64>) -> String {
        self.expressions
            .write(&polynomial.map(|&c| Integer::from(c)))
    }

    fn facts(&self, found: &RegularChains<u64>) -> Facts {
        let chains = found.chains.iter().map(|chain| Chain {
            t: self.written(&BivariatePoly::new(vec![chain.t.clone()])),
            s: self.written(&chain.s),
        });
        Facts {
            chains: chains.collect(),
            common_curve: found.common.as_ref().map(|common| self.written(common)),
            points: found.points(),
        }
    }
}

impl LineFormat for Chains {
    type Operand = Reduced;
    type Outcome = RegularChains<u64>;

    fn weight(&self, content: &[u8]) -> usize {
        self.expressions.weight(content)
    }

    fn parse(&self, content: &[u8]) -> Result<Reduced, LineError> {
        let expression = self.expressions.read(content)?;
        let field = &self.field;
        let inverse = field.inv(field.from_integer(&expression.denominator));
        let inverse = inverse.ok_or_else(|| {
            let problem = format!(
                "a coefficient has a denominator that {} divides, modulo which there is no such number",
                field.modulus::<Integer>()
            );
            LineError::new(0, problem)
        })?;
        let quotient = |value: &Integer| field.mul(field.from_integer(value), inverse);
        let residues = expression.polynomial.map(quotient);
        Ok(Reduced {
            expression,
            residues,
        })
    }

    fn bytes(&self, operand: &Reduced) -> u64 {
        operand.expression.bytes()
    }

    fn write(&self, found: &RegularChains<u64>, out: &mut Vec<u8>) {
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
    prime: u64,
}

impl Operation<Chains, 2> for Modular {
    fn wording(&self) -> &'static Wording {
        &WORDING
    }

    fn plan(&self, [f, g]: [&Reduced; 2]) -> Result<Plan, EngineError> {
        let size = Size::of([&f.expression, &g.expression]);
        let [d, e] = size.degrees.map(|degree| degree as u64 + 1);
        Ok(Plan {
            algorithm: None,
            // Chains of subresultants at as many points as the resultant has coefficients.
            bytes: d.saturating_mul(e).saturating_mul(d + e).saturating_mul(32),
            sentence: Sentence::TotalDegrees(size.degrees),
        })
    }

    fn compute(&self, pairs: &[[&Reduced; 2]]) -> Result<Batch<RegularChains<u64>>, EngineError> {
        let find = |[f, g]: &[&Reduced; 2]| {
            Ok(regular_chains_modulo(self.prime, &f.residues, &g.residues)?)
        };
        Ok(Batch::on_processor(pairs, find))
    }
}
