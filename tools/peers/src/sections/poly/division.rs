//! Division with remainder of a polynomial of 2m coefficients by one of m.

use super::{DECADES, PRIMES, up_to_largest};
use crate::contender::{Case, Entrants, Group, Peer, Setup, contender};
use crate::flint::NmodPoly;
use crate::options::Options;
use crate::poly_side;
use crate::sample::Sample;

/// Up to this length FLINT's quadratic algorithm may be quicker than the one it chooses.
const BASECASE: usize = 300;

pub fn cases(options: &Options) -> Vec<Case> {
    let group = Group::for_threads("division", options.threads, Some(0.8), Some(0.6));
    let mut cases = Vec::new();
    for prime in PRIMES {
        for m in up_to_largest(options, &DECADES) {
            let name = format!("{} by {m} coefficients", 2 * m);
            cases.push(prime.case(group, &name, m, move |setup, p| entrants(setup, p, m)));
        }
    }
    cases
}

fn entrants(setup: Setup, p: u64, m: usize) -> Entrants {
    let mut sample = Sample::new(p ^ m as u64);
    let (a, b) = (sample.residues(2 * m, p), sample.residues(m, p));
    let flint = |divide: fn(&mut NmodPoly, &mut NmodPoly, &NmodPoly, &NmodPoly)| {
        let poly = |residues| NmodPoly::new(p, residues);
        contender(
            (poly(&a), poly(&b), poly(&[]), poly(&[])),
            move |(a, b, quotient, remainder)| divide(quotient, remainder, a, b),
            |(_, _, quotient, remainder)| [quotient.residues(), remainder.residues()].concat(),
        )
    };
    let mut peers = vec![Peer::exact(
        "FLINT nmod_poly_divrem",
        flint(NmodPoly::set_quotient),
    )];
    if m <= BASECASE {
        peers.push(Peer::exact(
            "FLINT nmod_poly_divrem_basecase",
            flint(NmodPoly::set_quotient_basecase),
        ));
    }
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| poly_side::division(p, &a, &b))
            .flatten(),
        peers,
    }
}
