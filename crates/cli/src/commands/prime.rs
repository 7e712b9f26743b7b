//! `sunzi prime`.

use super::write_facts;
use crate::args::Common;
use crate::error::Failure;
use crate::modulus::{self, WordField};
use serde::Serialize;
use sunzi::field::{Field, TwoAdicField, primality};

/// What is known of a prime.
#[derive(Debug, Serialize)]
struct Facts {
    /// As decimal text: JSON numbers lose digits in many programs.
    prime: String,
    bits: u32,
    two_adicity: u32,
    factors_of_p_minus_1: Vec<(String, u32)>,
    least_non_residue: String,
    root_of_unity: String,
    root_order: String,
    primality: &'static str,
    field: &'static str,
    longest_direct_transform: String,
}

/// How primality is shown for every number that a field accepts.
///
/// The least composite that passes the bases 2, 3, 5 … 37 is 318665857834031151167461
/// (Sorenson and Webster, Strong pseudoprimes to twelve prime bases, arXiv:1509.00864, 2015).
const PRIMALITY: &str =
    "proved: Miller-Rabin with the 12 bases 2 … 37, which no composite below 3.18e23 passes";

/// Tells what is known of a prime.
pub fn run(text: &str, common: &Common) -> Result<(), Failure> {
    let facts = match modulus::field(text)? {
        WordField::Fp32(field) => facts(
            &field,
            u64::from(field.prime()),
            "Fp32: one 32-bit word, primes below 2^31",
        ),
        WordField::Fp64(field) => facts(
            &field,
            field.prime(),
            "Fp64: one 64-bit word, primes below 2^63",
        ),
    };
    let factors: Vec<String> = facts
        .factors_of_p_minus_1
        .iter()
        .map(|(prime, exponent)| {
            if *exponent == 1 {
                prime.clone()
            } else {
                format!("{prime}^{exponent}")
            }
        })
        .collect();
    let rows = [
        ("prime", facts.prime.clone()),
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
                "{} of order 2^{} = {}",
                facts.root_of_unity, facts.two_adicity, facts.root_order
            ),
        ),
        (
            "longest direct transform",
            format!(
                "2^{} = {} points",
                facts.two_adicity, facts.longest_direct_transform
            ),
        ),
        ("primality", facts.primality.to_owned()),
        ("field", facts.field.to_owned()),
    ];
    write_facts(common, &rows, &facts)
}

fn facts<F: TwoAdicField>(field: &F, prime: u64, name: &'static str) -> Facts {
    let two_adicity = field.two_adicity();
    let root = field
        .root_of_unity(two_adicity)
        .unwrap_or_else(|| field.one());
    let order = (1u64 << two_adicity).to_string();
    let factors = primality::factor(prime - 1);
    Facts {
        prime: prime.to_string(),
        bits: u64::BITS - prime.leading_zeros(),
        two_adicity,
        factors_of_p_minus_1: factors
            .into_iter()
            .map(|(prime, exponent)| (prime.to_string(), exponent))
            .collect(),
        least_non_residue: least_non_residue(field, prime).to_string(),
        root_of_unity: field.to_integer(root).to_string(),
        root_order: order.clone(),
        primality: PRIMALITY,
        field: name,
        longest_direct_transform: order,
    }
}

/// The least a ≥ 2 that is no square modulo the prime, by Euler's criterion.
fn least_non_residue<F: Field>(field: &F, prime: u64) -> u64 {
    let is_square = |a: u64| field.pow(field.from_u64(a), (prime - 1) / 2) == field.one();
    // Half of 1 … p − 1 are no squares, and 1 is one, so the search ends.
    (2..prime).find(|&a| !is_square(a)).unwrap_or(prime - 1)
}
