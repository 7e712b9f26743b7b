//! `sunzi prime`.

use super::write_facts;
use crate::args::Common;
use crate::commands::Run;
use crate::modulus;
use crate::report::{Figures, Head, Report, timed};
use clap::Args;
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use serde::Serialize;
use serde_json::json;
use sunzi::field::{Field, Fp32, Fp64, GeneralizedFermat, NAMED, TwoAdicField};
use sunzi_field::{primality, with_field};
use sunzi_files::error::Failure;
use sunzi_files::output::Output;

/// A prime, or a search for some.
#[derive(Debug, Args)]
#[command(
    subcommand_negates_reqs = true,
    after_help = "P is a decimal number or an expression.

Examples:
  sunzi prime 469762049
  sunzi prime '2^60-2^18+1' --json
  sunzi prime search --digits 8 --bits 60 --two-adicity 312"
)]
pub struct Prime {
    /// The prime: a decimal number or an expression such as 2^60-2^18+1
    #[arg(value_name = "P", allow_hyphen_values = true, required = true)]
    modulus: Option<String>,
    #[command(subcommand)]
    action: Option<PrimeCommand>,
}

super::commands! {
    /// What else is done about primes.
    PrimeCommand {
        /// Primes r^k + 1 whose r is a sum of few signed powers of two
        Search(super::prime_search::Search),
    }
}

impl Run for Prime {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        match (&self.modulus, &self.action) {
            (Some(modulus), None) => tell(modulus, common),
            (None, Some(action)) => action.run(common),
            // The parser lets a prime stand before a subcommand, too.
            _ => Err(Failure::Usage(
                "give a prime, or a search: `sunzi prime P` or `sunzi prime search`".to_owned(),
            )),
        }
    }
}

/// What is known of a prime.
#[derive(Debug, Serialize)]
struct Facts {
    /// As decimal text: JSON numbers lose digits in many programs.
    prime: String,
    /// `r^k+1`, where the field computes with digits in radix r.
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<String>,
    bits: usize,
    two_adicity: u32,
    factors_of_p_minus_1: Vec<(String, usize)>,
    least_non_residue: String,
    root_of_unity: String,
    root_order: String,
    primality: String,
    field: String,
    longest_direct_transform: String,
}

/// How primality is shown for every number that a word field accepts.
///
/// The least composite that passes the bases 2, 3, 5 … 37 is 318665857834031151167461
/// (Sorenson and Webster, Strong pseudoprimes to twelve prime bases, arXiv:1509.00864, 2015).
const PRIMALITY: &str =
    "proved: Miller-Rabin with as many of the bases 2 … 37 as no composite of this size passes";

/// Tells what is known of a prime.
fn tell(text: &str, common: &Common) -> Result<(), Failure> {
    let mut figures = Figures::start();
    let output = Output::create(common.output.as_deref())?;
    let facts = timed(&mut figures.seconds.computing, || {
        let field = modulus::field(text)?;
        Ok::<_, Failure>(with_field!(&field, field => field.facts()))
    })?;
    let rows = rows(&facts);
    let report = Report {
        head: Head::new("prime", json!({ "prime": text })),
        result: facts,
        figures: figures.ended(),
    };
    write_facts(output, common, &rows, &report)
}

fn rows(facts: &Facts) -> Vec<(&'static str, String)> {
    let factors: Vec<String> = facts
        .factors_of_p_minus_1
        .iter()
        .map(|(prime, exponent)| match exponent {
            1 => prime.clone(),
            _ => format!("{prime}^{exponent}"),
        })
        .collect();
    let order = |decimal: &str| format!("2^{} = {}", facts.two_adicity, shortened(decimal));
    let mut rows = vec![("prime", shortened(&facts.prime))];
    rows.extend(facts.form.clone().map(|form| ("form", form)));
    rows.extend([
        ("bits", facts.bits.to_string()),
        ("p - 1", factors.join(" * ")),
        ("two-adicity", facts.two_adicity.to_string()),
        (
            "least quadratic non-residue",
            facts.least_non_residue.clone(),
        ),
        (
            "root of unity",
            format!(
                "{} of order {}",
                shortened(&facts.root_of_unity),
                order(&facts.root_order)
            ),
        ),
        (
            "longest direct transform",
            format!("{} points", order(&facts.longest_direct_transform)),
        ),
        ("primality", facts.primality.clone()),
        ("field", facts.field.clone()),
    ]);
    rows
}

/// A number for a line of text: of a long one, its ends.
fn shortened(decimal: &str) -> String {
    const END: usize = 20;
    if decimal.len() <= 3 * END {
        return decimal.to_owned();
    }
    let (start, end) = (&decimal[..END], &decimal[decimal.len() - END..]);
    format!("{start}…{end} ({} digits)", decimal.len())
}

/// A field that tells what is known of its prime.
trait Known {
    fn facts(&self) -> Facts;
}

impl Known for Fp32 {
    fn facts(&self) -> Facts {
        let prime = self.prime().into();
        of_word(self, prime, "Fp32: one 32-bit word, primes below 2^31")
    }
}

impl Known for Fp64 {
    fn facts(&self) -> Facts {
        let prime = self.prime();
        of_word(self, prime, "Fp64: one 64-bit word, primes below 2^63")
    }
}

fn of_word<F: TwoAdicField>(field: &F, prime: u64, name: &str) -> Facts {
    let factors = primality::factor(prime - 1);
    Facts {
        factors_of_p_minus_1: factors
            .into_iter()
            .map(|(prime, exponent)| (prime.to_string(), exponent as usize))
            .collect(),
        least_non_residue: least_non_residue(field, prime).to_string(),
        primality: PRIMALITY.to_owned(),
        field: name.to_owned(),
        ..of_field(field)
    }
}

/// What the field itself tells; the rest is left empty.
fn of_field<F: TwoAdicField>(field: &F) -> Facts {
    let two_adicity = field.two_adicity();
    let root = field
        .root_of_unity(two_adicity)
        .unwrap_or_else(|| field.one());
    let order = (UBig::ONE << two_adicity as usize).to_string();
    let prime = field.modulus();
    Facts {
        prime: prime.to_string(),
        form: None,
        bits: prime.bit_len(),
        two_adicity,
        factors_of_p_minus_1: vec![],
        least_non_residue: String::new(),
        root_of_unity: field.to_integer(root).to_string(),
        root_order: order.clone(),
        primality: String::new(),
        field: String::new(),
        longest_direct_transform: order,
    }
}

/// The least a ≥ 2 that is no square modulo the prime, by Euler's criterion.
fn least_non_residue<F: Field>(field: &F, prime: u64) -> u64 {
    let is_square = |a: u64| field.pow(field.from_u64(a), (prime - 1) / 2) == field.one();
    // Half of 1 … p − 1 are no squares, and 1 is one, so the search ends.
    (2..prime).find(|&a| !is_square(a)).unwrap_or(prime - 1)
}

impl<const K: usize> Known for GeneralizedFermat<K> {
    fn facts(&self) -> Facts {
        let radix = self.radix();
        let name = NAMED
            .iter()
            .find(|prime| (prime.radix, prime.digits) == (radix, K))
            .map_or_else(String::new, |prime| format!(" = {}", prime.name));
        let factors = primality::factor(radix);
        Facts {
            form: Some(format!("{radix}^{K}+1{name}")),
            factors_of_p_minus_1: factors
                .into_iter()
                .map(|(prime, exponent)| (prime.to_string(), exponent as usize * K))
                .collect(),
            least_non_residue: self.least_non_residue().to_string(),
            primality: self.primality().to_string(),
            field: format!("GeneralizedFermat: {K} digits of 64 bits in radix {radix}"),
            ..of_field(self)
        }
    }
}
