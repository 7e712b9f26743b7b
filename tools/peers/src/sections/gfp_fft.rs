//! Transforms modulo the named primes r^k + 1 against radix 2 with the arithmetic of GMP and FLINT, from the
//! same root, values in natural order.

use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use sunzi_field::generalized_fermat::{NAMED, NamedPrime};

use super::big_primes::{self, name_with_prime};
use crate::contender::{Case, Contender, Entrants, Group, Peer, Setup, contender};
use crate::gmp_fft::RadixTwo;
use crate::known_products::Method;
use crate::options::Options;
use crate::sample::Sample;
use crate::sunzi_side;

/// The primes of one of the two kinds: those for processors of several cores.
pub const PRIMES: [&str; 6] = ["P4", "P8", "P16", "P32", "P64", "P128"];

/// The sizes of a prime, as powers of two: from k² to k³, and for [`PRIMES`] to K³, K = 2k being the order of
/// r; as far as a transform by GMP takes about 3 s at most.
pub fn logs(prime: NamedPrime) -> RangeInclusive<u32> {
    let log = prime.digits.ilog2();
    let last = if PRIMES.contains(&prime.name) {
        3 * (log + 1)
    } else {
        3 * log
    };
    let longest = match prime.digits {
        ..64 => u32::MAX,
        64 => 16,
        _ => 15,
    };
    2 * log..=last.min(longest)
}

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    for prime in NAMED {
        // Which product is the quickest depends on the prime alone.
        let methods = Arc::new(OnceLock::new());
        let group = Group {
            name: name_with_prime!("transform mod", prime),
            goal: Some(0.12),
        };
        for log in logs(prime).filter(|&log| log <= options.max_log) {
            let methods = methods.clone();
            cases.push(Case {
                section: "gfp-fft",
                group,
                name: format!("2^{log} points"),
                size: 1 << log,
                build: Box::new(move |setup| entrants(setup, prime, log, &methods)),
            });
        }
    }
    cases
}

/// Coefficients for a transform of 2^`log` points.
pub fn input(prime: NamedPrime, modulus: &[u64], log: u32) -> Vec<u64> {
    let mut sample = Sample::new(prime.radix ^ u64::from(log));
    big_primes::residues(&mut sample, modulus, 1 << log)
}

fn entrants(
    setup: Setup,
    prime: NamedPrime,
    log: u32,
    methods: &OnceLock<[Method; 2]>,
) -> Entrants {
    let p = big_primes::modulus(prime);
    let n = p.len();
    let rows = input(prime, &p, log);
    let root = sunzi_side::big_prime_root(prime, log, n);
    let methods = methods
        .get_or_init(|| [&Method::GMP[..], &Method::FLINT].map(|among| Method::fastest(among, &p)));
    let radix_two = |&method: &Method| {
        let plan = RadixTwo::new(method, &p, &root, 1 << log);
        Peer::exact(method.radix_two_name(), transform(plan, &rows))
    };
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sunzi_side::big_prime_transform(prime, &rows, n))
            .flatten(),
        peers: methods.iter().map(radix_two).collect(),
    }
}

fn transform(plan: RadixTwo, rows: &[u64]) -> Box<dyn Contender> {
    contender(
        (plan.prepare(rows), plan),
        |(rows, plan)| plan.forward(rows),
        |(rows, plan)| plan.residues(rows),
    )
}
