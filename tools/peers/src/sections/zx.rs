//! Products in Z[x], against FLINT.

use crate::contender::{Case, Contender, Entrants, Group, Peer, Setup, contender};
use crate::flint::{FmpzPoly, Signed};
use crate::options::Options;
use crate::sample::Sample;
use crate::sunzi_side;

/// Makes Sunzi's contender from two operands and the limbs of a result's coefficient.
type Make = fn(&[Signed], &[Signed], usize) -> Option<Box<dyn Contender>>;

/// One way to hold coefficients of one size.
struct Kind {
    group: Group,
    /// Limbs of a coefficient.
    limbs: usize,
    /// The largest length, as a power of two: beyond it, operands of 512-bit coefficients no longer fit a
    /// common machine beside everything else.
    last: u32,
    sunzi: Make,
}

const KINDS: [Kind; 4] = [
    Kind {
        group: group("Z[x] 64-bit coefficients"),
        limbs: 1,
        last: 20,
        sunzi: sunzi_side::product_in_z,
    },
    Kind {
        group: group("Z[x] 512-bit coefficients"),
        limbs: 8,
        last: 18,
        sunzi: sunzi_side::product_in_z,
    },
    // Sunzi's operands and result lie in one row of limbs each; FLINT's are what they always are.
    Kind {
        group: group("Z[x] 64-bit coefficients in a row"),
        limbs: 1,
        last: 20,
        sunzi: sunzi_side::flat_product_in_z,
    },
    Kind {
        group: group("Z[x] 512-bit coefficients in a row"),
        limbs: 8,
        last: 18,
        sunzi: sunzi_side::flat_product_in_z,
    },
];

const fn group(name: &'static str) -> Group {
    Group {
        name,
        goal: Some(0.8),
    }
}

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in &KINDS {
        for log in options.logs(4, kind.last) {
            cases.push(Case {
                section: "products",
                group: kind.group,
                name: format!("length 2^{log}"),
                size: 1 << log,
                build: Box::new(move |setup| entrants(setup, kind, 1 << log)),
            });
        }
    }
    cases
}

fn entrants(setup: Setup, kind: &Kind, length: usize) -> Entrants {
    let limbs = kind.limbs;
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
            .then(|| (kind.sunzi)(&a, &b, width))
            .flatten(),
        peers: vec![Peer::exact("FLINT fmpz_poly_mul", flint)],
    }
}
