//! Residue number systems: products modulo any word, composition from digits and residues, against FLINT and
//! GMP.

use dashu_int::UBig;
use rug::Integer;
use rug::integer::Order;
use sunzi_crt::{Composer, CrtBasis, LongTransforms, ModularConvolver};
use sunzi_field::lanes::Kernel;

use super::operation::Operation;
use super::trial::Trial;
use crate::flint::NmodPoly;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new("crt-convolve", "FLINT", convolve),
        Operation::new("crt-convolve-short", "FLINT", convolve_short),
        Operation::new("crt-compose", "GMP", compose::<4>),
        Operation::new("crt-long-transforms", "GMP", long_transforms),
    ]
}

/// Any modulus, prime or not: of any length, and near the ends of words.
fn modulus(trial: &mut Trial, bits: u32) -> u64 {
    let edges = sunzi_testkit::edge_words();
    let word = match trial.below(2) {
        0 => *trial.pick(&edges),
        _ => trial.random.word() >> trial.below(64),
    };
    (word >> (64 - bits)).max(1)
}

fn operands(trial: &mut Trial, m: u64) -> [Vec<u64>; 2] {
    let rare = if trial.below(16) == 0 { 1 << 16 } else { 4000 };
    [(); 2].map(|()| {
        let (length, kind, piece) = (trial.length(300, rare), trial.operand_kind(), trial.piece());
        kind.residues(length, m, piece, &mut trial.random)
    })
}

/// The product by FLINT, with the zeros at its end.
fn by_flint(m: u64, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut product = NmodPoly::new(m, &[]);
    product.set_product(&NmodPoly::new(m, a), &NmodPoly::new(m, b));
    let mut residues = product.residues();
    residues.resize(a.len() + b.len() - 1, 0);
    residues
}

fn convolve(trial: &mut Trial) {
    let m = modulus(trial, 64);
    let [a, b] = operands(trial, m);
    let kernel = *trial.pick(&Kernel::ALL);
    let mut ours = vec![0; a.len() + b.len() - 1];
    let convolver = ModularConvolver::with_kernel(m, kernel);
    match convolver.and_then(|convolver| convolver.convolve(&mut ours, &a, &b)) {
        Ok(()) => {
            let what = format!("{} by {} modulo {m}", a.len(), b.len());
            trial.compare(&what, &ours, &by_flint(m, &a, &b));
        }
        Err(error) => trial.fail(error.to_string()),
    }
}

fn convolve_short(trial: &mut Trial) {
    let m = modulus(trial, 32);
    let [a, b] = operands(trial, m);
    let theirs: Vec<u32> = by_flint(m, &a, &b).into_iter().map(|x| x as u32).collect();
    let [a, b] = [a, b].map(|x| x.into_iter().map(|x| x as u32).collect::<Vec<_>>());
    let mut ours = vec![0; theirs.len()];
    let convolver = ModularConvolver::new(m);
    match convolver.and_then(|convolver| convolver.convolve_short(&mut ours, &a, &b)) {
        Ok(()) => {
            let what = format!("{} by {} modulo {m}", a.len(), b.len());
            trial.compare(&what, &ours, &theirs);
        }
        Err(error) => trial.fail(error.to_string()),
    }
}

/// Values from mixed-radix digits, unsigned and signed.
fn compose<const N: usize>(trial: &mut Trial) {
    let basis = CrtBasis::new(1 + trial.below(N)).expect("few primes");
    let composer = Composer::<N>::new(&basis);
    let primes: Vec<u64> = basis.primes().collect();
    let modulus: Integer = primes.iter().map(|&prime| Integer::from(prime)).product();
    for _ in 0..8 {
        let mut digits = [0; N];
        let mut value = Integer::new();
        for (digit, &prime) in digits.iter_mut().zip(&primes) {
            let kind = trial.operand_kind();
            *digit = kind.residues(1, prime, 1, &mut trial.random)[0];
        }
        for (&digit, &prime) in digits.iter().zip(&primes).rev() {
            value = value * prime + digit;
        }
        let mut theirs = [0; N];
        value.write_digits(&mut theirs, Order::Lsf);
        trial.compare_rows("unsigned", N, &composer.unsigned(digits), &theirs);
        // The nearest to zero, in two's complement.
        if Integer::from(&value * 2u32) > modulus {
            value += (Integer::from(1) << (64 * N as u32)) - &modulus;
        }
        value.write_digits(&mut theirs, Order::Lsf);
        trial.compare_rows("signed", N, &composer.signed(digits), &theirs);
    }
}

/// Residues of long integers are those of divisions, and the integers come back from them.
fn long_transforms(trial: &mut Trial) {
    let (width, points) = (trial.length(8, 40), 1 << trial.below(8));
    let mut top = trial.limbs(width);
    top[width - 1] |= 1 << 63;
    let modulus = UBig::from_words(&top);
    let transforms = match LongTransforms::new(&modulus, points) {
        Ok(transforms) => transforms,
        Err(error) => return trial.fail(error.to_string()),
    };
    let modulus = Integer::from_digits(&top, Order::Lsf);
    let mut integers = vec![0; width * points];
    for row in integers.chunks_exact_mut(width) {
        let integer = Integer::from_digits(&trial.limbs(width), Order::Lsf) % &modulus;
        integer.write_digits(row, Order::Lsf);
    }
    let mut rows = transforms.rows();
    transforms.project(&integers, &mut rows);
    for (plan, row) in transforms.plans().zip(&rows) {
        let prime = plan.field().prime();
        let residue = |row| {
            let residue = Integer::from_digits(row, Order::Lsf) % prime;
            residue.to_u64().expect("below a word")
        };
        let theirs: Vec<u64> = integers.chunks_exact(width).map(residue).collect();
        trial.compare("residues", row, &theirs);
    }
    let mut again = vec![0; transforms.width() * points];
    transforms.recombine(&rows, &mut again);
    let mut expected = vec![0; again.len()];
    let places = expected.chunks_exact_mut(transforms.width());
    for (place, row) in places.zip(integers.chunks_exact(width)) {
        place[..width].copy_from_slice(row);
    }
    trial.compare_rows("integers", transforms.width(), &again, &expected);
}
