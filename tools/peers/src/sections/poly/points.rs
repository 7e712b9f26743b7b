//! Evaluation at n distinct points, and interpolation there.

use super::{PRIMES, up_to_largest};
use crate::contender::{Case, Entrants, Group, Peer, Setup, contender};
use crate::flint::{NmodPoly, NmodTree};
use crate::options::Options;
use crate::poly_side;
use crate::sample::Sample;

/// Numbers of points that are no powers of two.
const OTHER_COUNTS: [usize; 3] = [1_000, 10_000, 100_000];
/// Up to this many points FLINT may be quicker at one after the other than with the tree it chooses.
const ONE_BY_ONE: usize = 1_024;

/// The work of a group.
type Work = fn(Setup, u64, usize) -> Entrants;

pub fn cases(options: &Options) -> Vec<Case> {
    let group = |name, alone, shared| Group::for_threads(name, options.threads, alone, shared);
    let groups: [(Group, Work); 4] = [
        (group("evaluation", Some(0.6), Some(0.35)), evaluation),
        (group("interpolation", Some(0.6), Some(0.35)), interpolation),
        (
            group("prepared evaluation", None, None),
            prepared_evaluation,
        ),
        (
            group("second evaluation", Some(0.6), Some(0.6)),
            second_evaluation,
        ),
    ];
    let mut cases = Vec::new();
    for (group, work) in groups {
        for prime in PRIMES {
            for log in options.logs(8, 20) {
                let name = format!("points 2^{log}");
                let build = move |setup, p| work(setup, p, 1 << log);
                cases.push(prime.case(group, &name, 1 << log, build));
            }
            for count in up_to_largest(options, &OTHER_COUNTS) {
                let name = format!("points {count}");
                let build = move |setup, p| work(setup, p, count);
                cases.push(prime.case(group, &name, count, build));
            }
        }
    }
    cases
}

/// Distinct points, and as many residues: the coefficients of a polynomial, or the values of one.
fn input(p: u64, count: usize) -> (Vec<u64>, Vec<u64>) {
    let mut sample = Sample::new(p ^ count as u64);
    (
        sample.distinct_residues(count, p),
        sample.residues(count, p),
    )
}

fn evaluation(setup: Setup, p: u64, count: usize) -> Entrants {
    let (points, coefficients) = input(p, count);
    let flint = |evaluate: fn(&NmodPoly, &mut [u64], &[u64])| {
        contender(
            (
                NmodPoly::new(p, &coefficients),
                points.clone(),
                vec![0; count],
            ),
            move |(poly, points, values)| evaluate(poly, values, points),
            |(_, _, values)| values.clone(),
        )
    };
    let mut peers = vec![Peer::exact(
        "FLINT nmod_poly_evaluate_nmod_vec",
        flint(NmodPoly::evaluate),
    )];
    if count <= ONE_BY_ONE {
        peers.push(Peer::exact(
            "FLINT nmod_poly_evaluate_nmod_vec_iter",
            flint(NmodPoly::evaluate_one_by_one),
        ));
    }
    let sunzi = setup
        .with_sunzi
        .then(|| poly_side::evaluation(p, &points, &coefficients))
        .flatten();
    Entrants { sunzi, peers }
}

fn interpolation(setup: Setup, p: u64, count: usize) -> Entrants {
    let (points, values) = input(p, count);
    let sunzi = setup
        .with_sunzi
        .then(|| poly_side::interpolation(p, &points, &values))
        .flatten();
    let flint = contender(
        (points, values, NmodPoly::new(p, &[])),
        |(points, values, poly)| poly.set_interpolation(points, values),
        |(_, _, poly)| poly.residues(),
    );
    Entrants {
        sunzi,
        peers: vec![Peer::exact("FLINT nmod_poly_interpolate_nmod_vec", flint)],
    }
}

/// One more polynomial at points whose tree is kept.
fn prepared_evaluation(setup: Setup, p: u64, count: usize) -> Entrants {
    let (points, coefficients) = input(p, count);
    let poly = || NmodPoly::new(p, &coefficients);
    let sunzi = setup
        .with_sunzi
        .then(|| poly_side::prepared_evaluation(p, &points, &coefficients))
        .flatten();
    let kept = contender(
        (poly(), NmodTree::new(p, &points), vec![0; count]),
        |(poly, tree, values)| tree.evaluate(values, poly),
        |(_, _, values)| values.clone(),
    );
    let whole = contender(
        (poly(), points, vec![0; count]),
        |(poly, points, values)| poly.evaluate(values, points),
        |(_, _, values)| values.clone(),
    );
    Entrants {
        sunzi,
        peers: vec![
            Peer::exact("FLINT _nmod_poly_evaluate_nmod_vec_fast_precomp", kept),
            Peer::exact("FLINT nmod_poly_evaluate_nmod_vec", whole),
        ],
    }
}

/// One more polynomial at points whose tree is kept, against the first one there.
fn second_evaluation(setup: Setup, p: u64, count: usize) -> Entrants {
    let (points, coefficients) = input(p, count);
    let first = || poly_side::evaluation(p, &points, &coefficients);
    let second = || poly_side::prepared_evaluation(p, &points, &coefficients);
    Entrants {
        sunzi: setup.with_sunzi.then(second).flatten(),
        peers: (setup.with_sunzi.then(first).flatten().into_iter())
            .map(|first| Peer::exact("Sunzi building the tree", first))
            .collect(),
    }
}
