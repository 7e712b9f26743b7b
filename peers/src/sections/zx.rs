//! Products in Z[x], against FLINT.

use crate::contender::{Case, Entrants, Group, Peer, Setup, contender};
use crate::flint::{FmpzPoly, Signed};
use crate::options::Options;
use crate::sample::Sample;
use crate::sunzi_side;

/// Limbs of a coefficient, the group, and the largest length: beyond it two operands of 512-bit
/// coefficients no longer fit a common machine beside everything else.
const KINDS: [(usize, Group, u32); 2] = [
    (
        1,
        Group {
            name: "Z[x] 64-bit coefficients",
            goal: Some(0.8),
        },
        20,
    ),
    (
        8,
        Group {
            name: "Z[x] 512-bit coefficients",
            goal: Some(0.8),
        },
        18,
    ),
];

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    for (limbs, group, last) in KINDS {
        for log in options.logs(4, last) {
            cases.push(Case {
                section: "products",
                group,
                name: format!("length 2^{log}"),
                size: 1 << log,
                build: Box::new(move |setup| entrants(setup, limbs, 1 << log)),
            });
        }
    }
    cases
}

fn entrants(setup: Setup, limbs: usize, length: usize) -> Entrants {
    let mut sample = Sample::new((limbs << 32 | length) as u64);
    let mut operand = || -> Vec<Signed> {
        (0..length)
            .map(|_| (sample.word() & 1 == 1, sample.limbs(limbs)))
            .collect()
    };
    let (a, b) = (operand(), operand());
    // A coefficient of the product is below length · 2^(128 limbs).
    let width = 2 * limbs + 1;
    let state = (FmpzPoly::new(&a), FmpzPoly::new(&b), FmpzPoly::new(&[]));
    let flint = contender(
        state,
        |(a, b, product)| product.set_product(a, b),
        move |(_, _, product)| product.words(width),
    );
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sunzi_side::product_in_z(&a, &b, width))
            .flatten(),
        peers: vec![Peer::exact("FLINT fmpz_poly_mul", flint)],
    }
}
