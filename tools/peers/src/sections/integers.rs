//! Products and squares of integers, against GMP and FLINT.

use crate::contender::{Case, Entrants, Group, Peer, Setup, contender};
use crate::flint;
use crate::options::Options;
use crate::sample::Sample;
use crate::sunzi_side;

const SHORT: Group = Group {
    name: "integers up to 1024 limbs",
    goal: Some(1.0),
};
const BETWEEN: Group = Group {
    name: "integers of 2048 limbs",
    goal: None,
};
const LONG: Group = Group {
    name: "integers from 2^12 limbs",
    goal: Some(0.8),
};
const SQUARES: Group = Group {
    name: "squares of integers",
    goal: None,
};

/// The group of a product whose longer operand has `limbs` limbs.
fn group(limbs: usize) -> Group {
    match limbs {
        0..=1024 => SHORT,
        1025..4096 => BETWEEN,
        _ => LONG,
    }
}

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut case = |group, name: String, longer: usize, build| {
        cases.push(Case {
            section: "products",
            group,
            name,
            size: longer as u64,
            build,
        });
    };
    for log in options.logs(2, 22) {
        let limbs = 1 << log;
        case(
            group(limbs),
            format!("2^{log} limbs"),
            limbs,
            Box::new(move |setup| products(setup, limbs, limbs)),
        );
    }
    for log in options.logs(4, 22) {
        let limbs = 1 << log;
        case(
            group(limbs),
            format!("2^{log} by 2^{} limbs", log - 3),
            limbs,
            Box::new(move |setup| products(setup, limbs, limbs / 8)),
        );
    }
    for log in options.logs(2, 22) {
        let limbs = 1 << log;
        case(
            SQUARES,
            format!("2^{log} limbs"),
            limbs,
            Box::new(move |setup| squares(setup, limbs)),
        );
    }
    cases
}

/// Operands and room for their product.
type Buffers = (Vec<u64>, Vec<u64>, Vec<u64>);

fn products(setup: Setup, longer: usize, shorter: usize) -> Entrants {
    let mut sample = Sample::new((longer * 8 + shorter) as u64);
    let (a, b) = (sample.limbs(longer), sample.limbs(shorter));
    let peer = |mul: fn(&mut [u64], &[u64], &[u64])| {
        let state: Buffers = (a.clone(), b.clone(), vec![0; longer + shorter]);
        contender(
            state,
            move |(a, b, out)| mul(out, a, b),
            |(_, _, out)| out.clone(),
        )
    };
    let mut peers = vec![Peer::exact(
        "FLINT flint_mpn_mul",
        peer(flint::mul_limbs_flint),
    )];
    // GMP has no threads: beside FLINT's it would only make the run longer.
    if setup.threads == 1 {
        peers.push(Peer::exact("GMP mpn_mul", peer(flint::mul_limbs_gmp)));
    }
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sunzi_side::integer_product(&a, &b))
            .flatten(),
        peers,
    }
}

fn squares(setup: Setup, limbs: usize) -> Entrants {
    let a = Sample::new(limbs as u64).limbs(limbs);
    let peer = |sqr: fn(&mut [u64], &[u64])| {
        contender(
            (a.clone(), vec![0; 2 * limbs]),
            move |(a, out)| sqr(out, a),
            |(_, out)| out.clone(),
        )
    };
    let mut peers = vec![Peer::exact(
        "FLINT flint_mpn_sqr",
        peer(flint::sqr_limbs_flint),
    )];
    if setup.threads == 1 {
        peers.push(Peer::exact("GMP mpn_sqr", peer(flint::sqr_limbs_gmp)));
    }
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sunzi_side::integer_square(&a))
            .flatten(),
        peers,
    }
}
