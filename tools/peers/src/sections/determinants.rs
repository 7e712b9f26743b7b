//! Determinants modulo word-size primes and over Z, against FLINT and FFLAS-FFPACK.

use sunzi_field::{Fp32, Fp64};
use sunzi_integer::{Integer, Natural};
use sunzi_linalg::DenseMatrix;
use sunzi_linalg::dense::{MatrixField, determinant};

use crate::contender::{Case, Contender, Entrants, Group, Peer, Setup, contender};
use crate::flint::{FmpzMatrix, NmodMatrix, Signed};
use crate::options::Options;
use crate::programs::{self, Fflas};
use crate::sample::Sample;
use crate::sunzi_side::elements;

pub(super) const PRIMES: [(u64, &str); 3] = [
    (65521, "65521"),
    (469_762_049, "469762049"),
    ((1 << 60) - (1 << 18) + 1, "2^60-2^18+1"),
];

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    for (p, name) in PRIMES {
        for order in [100, 200, 300, 500, 1000, 2000, 3000] {
            let group = format_group(name);
            cases.push(Case {
                section: "determinants",
                group: Group::for_threads(group, options.threads, Some(1.0), Some(0.9)),
                name: format!("order {order}, mod {name}"),
                size: order as u64,
                build: Box::new(move |setup| modular(setup, p, order)),
            });
        }
    }
    for (bits, group) in [
        (32, "determinants over Z, 32 bits"),
        (200, "determinants over Z, 200 bits"),
    ] {
        for order in [50, 100, 200, 300, 400] {
            cases.push(Case {
                section: "determinants",
                group: Group::for_threads(group, options.threads, Some(0.9), Some(0.5)),
                name: format!("order {order}, {bits} bits"),
                size: order as u64,
                build: Box::new(move |setup| integer(setup, order, bits)),
            });
        }
    }
    cases
}

fn format_group(prime: &str) -> &'static str {
    match prime {
        "65521" => "determinants mod 65521",
        "469762049" => "determinants mod 469762049",
        _ => "determinants mod 2^60-2^18+1",
    }
}

fn modular(setup: Setup, p: u64, order: usize) -> Entrants {
    let residues = Sample::new(order as u64).residues(order * order, p);
    let flint = contender(
        (NmodMatrix::new(p, order, &residues), 0),
        |(matrix, out)| *out = matrix.determinant(),
        |(_, out)| vec![*out],
    );
    let sunzi = || match u32::try_from(p) {
        Ok(p) => modular_by_sunzi(Fp32::new(p).ok()?, order, &residues),
        Err(_) => modular_by_sunzi(Fp64::new(p).ok()?, order, &residues),
    };
    let mut peers = vec![Peer::exact("FLINT nmod_mat_det", flint)];
    peers.extend(by_fflas("determinant", p, order, &[&residues], setup));
    Entrants {
        sunzi: setup.with_sunzi.then(sunzi).flatten(),
        peers,
    }
}

/// FFLAS-FFPACK, where it is installed and the prime is small enough for its fields.
pub(super) fn by_fflas(
    what: &str,
    p: u64,
    order: usize,
    matrices: &[&[u64]],
    setup: Setup,
) -> Option<Peer> {
    let fits = p < 1 << 32;
    fits.then(|| programs::peer(Fflas::new(what, p, order, matrices, setup.threads)))?
}

/// Both sides copy the matrix, which elimination overwrites.
fn modular_by_sunzi<F: MatrixField<Elem: TryFrom<u64> + Into<u64>>>(
    field: F,
    order: usize,
    residues: &[u64],
) -> Option<Box<dyn Contender>> {
    let matrix = DenseMatrix::new(order, order, elements::<F>(residues)?).ok()?;
    Some(contender(
        (matrix, field.zero()),
        move |(matrix, out)| *out = determinant(&field, matrix.clone()).expect("it is square"),
        |(_, out)| vec![(*out).into()],
    ))
}

/// Entries of either sign.
fn integer(setup: Setup, order: usize, bits: usize) -> Entrants {
    let entries = signed(order * order, bits, (order * bits) as u64);
    // Hadamard's bound, generously.
    let width = (order * (bits + 12)).div_ceil(64);
    let flint = contender(
        (FmpzMatrix::new(order, &entries), Vec::new()),
        move |(matrix, out)| *out = matrix.determinant(width),
        |(_, out)| out.clone(),
    );
    let sunzi = || {
        let entries = entries.iter().map(integer_of).collect();
        let matrix = DenseMatrix::new(order, order, entries).ok()?;
        Some(contender(
            (matrix, Integer::ZERO),
            |(matrix, out)| *out = matrix.determinant().expect("it is square"),
            move |(_, out)| {
                let mut output = vec![u64::from(out.is_negative())];
                output.extend(out.magnitude().as_limbs());
                output.resize(width + 1, 0);
                output
            },
        ))
    };
    Entrants {
        sunzi: setup.with_sunzi.then(sunzi).flatten(),
        peers: vec![Peer::exact("FLINT fmpz_mat_det", flint)],
    }
}

/// Integers of either sign, of so many bits at most.
pub(super) fn signed(count: usize, bits: usize, seed: u64) -> Vec<Signed> {
    let mut sample = Sample::new(seed);
    let mut entry = || {
        let mut limbs = sample.limbs(bits.div_ceil(64));
        if let Some(top) = limbs.last_mut() {
            *top >>= limbs_excess(bits);
        }
        (sample.word() & 1 == 1, limbs)
    };
    (0..count).map(|_| entry()).collect()
}

/// As Sunzi has it.
pub(super) fn integer_of((negative, limbs): &Signed) -> Integer {
    Integer::from_sign_magnitude(*negative, Natural::from(&limbs[..]))
}

/// Bits of the last limb that are too many.
fn limbs_excess(bits: usize) -> usize {
    bits.next_multiple_of(64) - bits
}
