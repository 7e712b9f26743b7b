//! Products of polynomials over a word-size prime, against FLINT.

use crate::contender::{Case, Entrants, Group, Peer, Setup, contender};
use crate::flint::NmodPoly;
use crate::options::Options;
use crate::sample::Sample;
use crate::sunzi_side;

/// The primes: one with room for transforms of every size here, and three without.
pub const PRIMES: [(u64, Group); 4] = [
    (
        469_762_049,
        Group {
            name: "product mod 469762049",
            goal: Some(0.6),
        },
    ),
    (
        (1 << 31) - 19,
        Group {
            name: "product mod 2^31-19",
            goal: Some(0.9),
        },
    ),
    (
        (1 << 60) - (1 << 18) + 1,
        Group {
            name: "product mod 2^60-2^18+1",
            goal: Some(0.9),
        },
    ),
    (
        (1 << 62) - 57,
        Group {
            name: "product mod 2^62-57",
            goal: Some(0.9),
        },
    ),
];

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    for (p, group) in PRIMES {
        for log in options.logs(4, 22) {
            cases.push(Case {
                section: "products",
                group,
                name: format!("length 2^{log}"),
                size: 1 << log,
                build: Box::new(move |setup| entrants(setup, p, 1 << log)),
            });
        }
    }
    cases
}

fn entrants(setup: Setup, p: u64, length: usize) -> Entrants {
    let mut sample = Sample::new(p ^ length as u64);
    let (a, b) = (sample.residues(length, p), sample.residues(length, p));
    let state = (
        NmodPoly::new(p, &a),
        NmodPoly::new(p, &b),
        NmodPoly::new(p, &[]),
    );
    let flint = contender(
        state,
        |(a, b, product)| product.set_product(a, b),
        |(_, _, product)| product.residues(),
    );
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sunzi_side::product_mod(p, &a, &b))
            .flatten(),
        peers: vec![Peer::exact("FLINT nmod_poly_mul", flint)],
    }
}
