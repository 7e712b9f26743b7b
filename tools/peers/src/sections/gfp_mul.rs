//! Products modulo the named primes r^k + 1, one and 4096 of them, against GMP and FLINT.

use sunzi_field::generalized_fermat::{NAMED, NamedPrime};
use sunzi_integer::Natural;

use crate::contender::{Case, Contender, Entrants, Group, Peer, Setup, contender};
use crate::flint::{Fmpz, FmpzModulus};
use crate::options::Options;
use crate::residues::{FlintModulus, MpnModulus, Mpz, limbs};
use crate::sample::Sample;
use crate::sunzi_side;

const ONE: Group = Group {
    name: "one product modulo r^k+1",
    goal: Some(0.6),
};
const BATCH: Group = Group {
    name: "4096 products modulo r^k+1",
    goal: Some(0.3),
};

pub fn cases(_options: &Options) -> Vec<Case> {
    let groups = [(ONE, 1), (BATCH, 4096)];
    groups
        .into_iter()
        .flat_map(|(group, count)| {
            NAMED.into_iter().map(move |prime| Case {
                section: "gfp-mul",
                group,
                name: prime.name.to_owned(),
                size: prime.digits as u64,
                build: Box::new(move |setup| entrants(setup, prime, count)),
            })
        })
        .collect()
}

fn entrants(setup: Setup, prime: NamedPrime, count: usize) -> Entrants {
    let NamedPrime { radix, digits, .. } = prime;
    let modulus = Natural::from(radix).pow(digits) + 1;
    let n = modulus.as_limbs().len();
    let p = limbs(&modulus, n);
    let mut sample = Sample::new(radix ^ digits as u64 ^ count as u64);
    let mut operands = || -> Vec<Vec<u64>> {
        (0..count)
            .map(|_| limbs(&(Natural::from_limbs(sample.limbs(n + 1)) % &modulus), n))
            .collect()
    };
    let (a, b) = (operands(), operands());

    let integers = |operands: &[Vec<u64>]| operands.iter().map(|x| Mpz::new(x)).collect::<Vec<_>>();
    let mpz = contender(
        (integers(&a), integers(&b), integers(&a), Mpz::new(&p)),
        |(a, b, out, p)| {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                out.set_product(a, b, p);
            }
        },
        move |(_, _, out, _)| out.iter().flat_map(|x| x.limbs(n)).collect(),
    );
    let division = contender(
        (
            a.concat(),
            b.concat(),
            vec![0; n * count],
            MpnModulus::new(&p),
        ),
        move |(a, b, out, p)| {
            let pairs = a.chunks_exact(n).zip(b.chunks_exact(n));
            for (out, (a, b)) in out.chunks_exact_mut(n).zip(pairs) {
                p.multiply(out, a, b);
            }
        },
        |(_, _, out, _)| out.clone(),
    );
    let elements =
        |operands: &[Vec<u64>]| operands.iter().map(|x| Fmpz::new(x)).collect::<Vec<_>>();
    let fmpz = contender(
        (
            elements(&a),
            elements(&b),
            elements(&a),
            FmpzModulus::new(&p),
        ),
        |(a, b, out, p)| {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                p.multiply(out, a, b);
            }
        },
        move |(_, _, out, _)| out.iter().flat_map(|x| x.limbs(n)).collect(),
    );
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sunzi_side::generalized_fermat_products(prime, &a, &b))
            .flatten(),
        peers: vec![
            Peer::exact("GMP mpz_mul, mpz_mod", mpz),
            Peer::exact("GMP mpn_mul_n, mpn_tdiv_qr", division),
            Peer::exact("FLINT flint_mpn_mulmod_preinvn", inverse_known(&p, &a, &b)),
            Peer::exact("FLINT fmpz_mod_mul", fmpz),
        ],
    }
}

fn inverse_known(p: &[u64], a: &[Vec<u64>], b: &[Vec<u64>]) -> Box<dyn Contender> {
    let n = p.len();
    let modulus = FlintModulus::new(p);
    let prepared = |x: &[Vec<u64>]| {
        x.iter()
            .flat_map(|x| modulus.prepare(x))
            .collect::<Vec<u64>>()
    };
    let (a, b) = (prepared(a), prepared(b));
    let out = vec![0; a.len()];
    contender(
        (a, b, out, modulus),
        move |(a, b, out, p)| {
            let pairs = a.chunks_exact(n).zip(b.chunks_exact(n));
            for (out, (a, b)) in out.chunks_exact_mut(n).zip(pairs) {
                p.multiply(out, a, b);
            }
        },
        move |(_, _, out, p)| out.chunks_exact(n).flat_map(|x| p.residue(x)).collect(),
    )
}
