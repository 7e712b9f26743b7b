//! Products of polynomials modulo named primes r^k + 1, against FLINT.

use std::sync::Arc;

use sunzi_field::generalized_fermat::{NamedPrime, named_prime};

use super::big_primes::{self, name_with_prime};
use crate::contender::{Case, Entrants, Group, Peer, Setup, contender};
use crate::flint::{FmpzModPoly, FmpzModulus};
use crate::options::Options;
use crate::residues::MpnModRing;
use crate::sample::Sample;
use crate::sunzi_side;

const PRIMES: [&str; 4] = ["P8", "P16", "P32", "P64"];

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    for prime in PRIMES.into_iter().filter_map(named_prime) {
        let group = Group {
            name: name_with_prime!("polynomials mod", prime),
            goal: Some(0.25),
        };
        for log in (8..=15).filter(|&log| log <= options.max_log) {
            cases.push(Case {
                section: "gfp-poly",
                group,
                name: format!("length 2^{log}"),
                size: 1 << log,
                build: Box::new(move |setup| entrants(setup, prime, 1 << log)),
            });
        }
    }
    cases
}

fn entrants(setup: Setup, prime: NamedPrime, length: usize) -> Entrants {
    let p = big_primes::modulus(prime);
    let n = p.len();
    let mut sample = Sample::new(prime.radix ^ length as u64);
    let mut operand = || big_primes::residues(&mut sample, &p, length);
    let (a, b) = (operand(), operand());
    let modulus = Arc::new(FmpzModulus::new(&p));
    let polynomial = |rows| FmpzModPoly::new(&modulus, rows, n);
    let flint = contender(
        (polynomial(&a), polynomial(&b), polynomial(&[])),
        |(a, b, product)| product.set_product(a, b),
        move |(_, _, product)| product.rows(n),
    );
    let mut peers = vec![Peer::exact("FLINT fmpz_mod_poly_mul", flint)];
    if let Some(ring) = MpnModRing::new(&p) {
        let out = vec![0; a.len() + b.len() - n];
        let rows = contender(
            (a.clone(), b.clone(), out, ring),
            |(a, b, out, ring)| ring.multiply(out, a, b),
            |(_, _, out, _)| out.clone(),
        );
        peers.push(Peer::exact("FLINT mpn_mod_poly_mul", rows));
    }
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sunzi_side::big_prime_polynomials(prime, &a, &b, n))
            .flatten(),
        peers,
    }
}
