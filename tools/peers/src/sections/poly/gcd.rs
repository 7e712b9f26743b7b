//! Greatest common divisors and resultants.

use super::{DECADES, PRIMES, up_to_largest};
use crate::contender::{Case, Entrants, Group, Peer, Setup, contender};
use crate::flint::NmodPoly;
use crate::options::Options;
use crate::poly_side;
use crate::sample::Sample;

/// The degrees at which operands with a common factor, and operands of unequal degree, are measured too.
const OTHER_SHAPES: [usize; 4] = [100, 1_000, 10_000, 100_000];

/// The two operands of a GCD of degree `n`.
#[derive(Clone, Copy)]
enum Shape {
    /// Both of degree `n`.
    Equal,
    /// Both of degree `n`, with a common factor of a third of it.
    CommonFactor,
    /// Of degree `n` and a third of it.
    Unequal,
}

impl Shape {
    fn name(self, n: usize) -> String {
        match self {
            Self::Equal => format!("degree {n}"),
            Self::CommonFactor => format!("degree {n}, common factor of degree {}", n / 3),
            Self::Unequal => format!("degrees {n} and {}", n / 3),
        }
    }

    /// The residues of the operands.
    fn operands(self, p: u64, n: usize) -> (Vec<u64>, Vec<u64>) {
        let mut sample = Sample::new(p ^ n as u64);
        let mut of_degree = |degree| sample.residues(degree + 1, p);
        match self {
            Self::Equal => (of_degree(n), of_degree(n)),
            Self::Unequal => (of_degree(n), of_degree(n / 3)),
            Self::CommonFactor => {
                let common = NmodPoly::new(p, &of_degree(n / 3));
                let mut times_common = || {
                    let mut product = NmodPoly::new(p, &[]);
                    product.set_product(&common, &NmodPoly::new(p, &of_degree(n - n / 3)));
                    product.residues()
                };
                (times_common(), times_common())
            }
        }
    }
}

pub fn cases(options: &Options) -> Vec<Case> {
    let group = Group::for_threads("gcd", options.threads, Some(0.8), Some(0.5));
    let shapes = [
        (Shape::Equal, &DECADES[..]),
        (Shape::CommonFactor, &OTHER_SHAPES),
        (Shape::Unequal, &OTHER_SHAPES),
    ];
    let mut cases = Vec::new();
    for prime in PRIMES {
        for (shape, degrees) in shapes {
            for n in up_to_largest(options, degrees) {
                let build = move |setup, p| gcd(setup, p, n, shape);
                cases.push(prime.case(group, &shape.name(n), n, build));
            }
        }
    }
    cases
}

pub fn resultants(options: &Options) -> Vec<Case> {
    let group = Group::for_threads("resultant", options.threads, Some(0.8), Some(0.5));
    let mut cases = Vec::new();
    for prime in PRIMES {
        for n in up_to_largest(options, &DECADES) {
            let build = move |setup, p| resultant(setup, p, n);
            cases.push(prime.case(group, &Shape::Equal.name(n), n, build));
        }
    }
    cases
}

fn gcd(setup: Setup, p: u64, n: usize, shape: Shape) -> Entrants {
    let (a, b) = shape.operands(p, n);
    let poly = |residues| NmodPoly::new(p, residues);
    let flint = contender(
        (poly(&a), poly(&b), poly(&[])),
        |(a, b, common)| common.set_gcd(a, b),
        |(_, _, common)| common.residues(),
    );
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| poly_side::gcd(p, &a, &b))
            .flatten(),
        peers: vec![Peer::exact("FLINT nmod_poly_gcd", flint)],
    }
}

fn resultant(setup: Setup, p: u64, n: usize) -> Entrants {
    let (a, b) = Shape::Equal.operands(p, n);
    let flint = contender(
        (NmodPoly::new(p, &a), NmodPoly::new(p, &b), 0),
        |(a, b, out)| *out = a.resultant(b),
        |(_, _, out)| vec![*out],
    );
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| poly_side::resultant(p, &a, &b))
            .flatten(),
        peers: vec![Peer::exact("FLINT nmod_poly_resultant", flint)],
    }
}
