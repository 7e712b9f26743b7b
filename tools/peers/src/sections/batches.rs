//! Thousands of equal-sized integer products, against the peers' products in a loop.

use rayon::prelude::*;

use crate::contender::{Case, Contender, Entrants, Group, Peer, Setup, contender};
use crate::flint;
use crate::options::Options;
use crate::sample::Sample;
use crate::sunzi_side;

const PRODUCTS: usize = 10_000;

pub fn cases(options: &Options) -> Vec<Case> {
    let name = "batches of 10^4 integer products";
    let group = Group::for_threads(name, options.threads, None, Some(0.5));
    [32, 64, 256]
        .into_iter()
        .map(|limbs| Case {
            section: "products",
            group,
            name: format!("{limbs} limbs"),
            size: limbs as u64,
            build: Box::new(move |setup| entrants(setup, limbs)),
        })
        .collect()
}

fn entrants(setup: Setup, limbs: usize) -> Entrants {
    let mut sample = Sample::new(limbs as u64);
    let mut operands = || -> Vec<u64> { (0..PRODUCTS).flat_map(|_| sample.limbs(limbs)).collect() };
    let (a, b) = (operands(), operands());
    let in_a_loop = |mul: fn(&mut [u64], &[u64], &[u64])| -> Box<dyn Contender> {
        contender(
            (a.clone(), b.clone(), vec![0; 2 * a.len()]),
            move |(a, b, out)| {
                let operands = a.chunks_exact(limbs).zip(b.chunks_exact(limbs));
                for (out, (a, b)) in out.chunks_exact_mut(2 * limbs).zip(operands) {
                    mul(out, a, b);
                }
            },
            |(_, _, out)| out.clone(),
        )
    };
    let mut peers = vec![
        Peer::exact(
            "FLINT flint_mpn_mul in a loop",
            in_a_loop(flint::mul_limbs_flint),
        ),
        Peer::exact("GMP mpn_mul in a loop", in_a_loop(flint::mul_limbs_gmp)),
    ];
    if setup.threads > 1 {
        // What a user of FLINT with threads would write: the loop itself, split over them.
        let split = contender(
            (a.clone(), b.clone(), vec![0; 2 * a.len()]),
            move |(a, b, out)| {
                out.par_chunks_exact_mut(2 * limbs)
                    .zip(a.par_chunks_exact(limbs))
                    .zip(b.par_chunks_exact(limbs))
                    .with_min_len(64)
                    .for_each(|((out, a), b)| flint::mul_limbs_flint(out, a, b));
            },
            |(_, _, out)| out.clone(),
        );
        peers.push(Peer::exact(
            "FLINT flint_mpn_mul in a loop split over the threads",
            split,
        ));
    }
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sunzi_side::integer_batch(&a, &b, limbs))
            .flatten(),
        peers,
    }
}
