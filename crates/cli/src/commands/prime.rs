//! `sunzi prime`.

use super::write_facts;
use crate::args::Common;
use crate::commands::Run;
use crate::modulus;
use crate::report::{Figures, Head, Report, timed};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use sunzi::Natural;
use sunzi::field::{AnyField, NAMED, NamedPrime};
use sunzi_files::failure::Failure;
use sunzi_files::input::literal;
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
            (Some(modulus), None) => tell(literal::plain(modulus), common),
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
    factors_of_p_minus_1: Vec<(String, u32)>,
    least_non_residue: String,
    root_of_unity: String,
    root_order: String,
    primality: String,
    field: String,
    longest_direct_transform: String,
}

/// Tells what is known of a prime.
fn tell(text: &str, common: &Common) -> Result<(), Failure> {
    let mut figures = Figures::start();
    let output = Output::create(common.output.as_deref())?;
    let facts = timed(&mut figures.seconds.computing, || {
        Ok::<_, Failure>(Facts::of(&modulus::asked_about(text)?))
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

impl Facts {
    fn of(field: &AnyField) -> Self {
        let two_adicity = field.two_adicity();
        let root = field.root_of_unity_row(two_adicity).unwrap_or_default();
        let order = (Natural::ONE << two_adicity as usize).to_string();
        let prime: Natural = field.modulus();
        Self {
            prime: prime.to_string(),
            form: field.radix_and_digits().map(|(radix, digits)| {
                let is_it = |prime: &&NamedPrime| (prime.radix, prime.digits) == (radix, digits);
                let name = NAMED.iter().find(is_it);
                let name = name.map_or_else(String::new, |prime| format!(" = {}", prime.name));
                format!("{radix}^{digits}+1{name}")
            }),
            bits: prime.bit_len(),
            two_adicity,
            factors_of_p_minus_1: field
                .order_factors()
                .into_iter()
                .map(|(prime, exponent)| (prime.to_string(), exponent))
                .collect(),
            least_non_residue: field.least_non_residue().to_string(),
            root_of_unity: field.integer::<Natural>(&root).to_string(),
            root_order: order.clone(),
            primality: field.primality_proof(),
            field: field.description(),
            longest_direct_transform: order,
        }
    }
}
