//! Linear combinations.

use sunzi_field::WordModulus;
use sunzi_field::internals::Modulus31;
use sunzi_field::internals::combine::{Combination, Combine, Combine32, Combine64, CombineDigits};
use sunzi_field::internals::montgomery104::Montgomery104;
use sunzi_machine::simd::{InstructionSet, Word};
use sunzi_testkit::edge_residues;

/// Vectors and elements agree on every instruction set, and with the definition.
fn check<T: Word + Eq + std::fmt::Debug, C: Combination<T, N>, const N: usize>(
    combination: C,
    residues: &[T],
    expected: impl Fn([T; N]) -> T,
) {
    let n = residues.len();
    for shift in 0..n {
        let rotated = |by: usize| -> Vec<T> {
            let indices = (0..n - shift % 17 % n).map(|i| (i + by) % n);
            indices.map(|i| residues[i]).collect()
        };
        let operands: [Vec<T>; N] = std::array::from_fn(|j| rotated(j * shift + j / 2));
        let expected: Vec<T> = (0..operands[0].len())
            .map(|i| expected(operands.each_ref().map(|operand| operand[i])))
            .collect();
        for set in InstructionSet::ALL {
            let mut out = operands[0].clone();
            let task = Combine {
                combination,
                out: &mut out,
                operands: operands.each_ref().map(|operand| &operand[..]),
            };
            if set.run(task).is_none() {
                sunzi_testkit::skip(&format!("this machine lacks {set:?}"));
                continue;
            }
            assert_eq!(out, expected, "{N} terms, {set:?}");
        }
    }
}

/// Factors that are edges, and N times the greatest.
fn factors<const N: usize>(residues: &[u64]) -> impl Iterator<Item = [u64; N]> {
    let greatest = residues.iter().max().copied().unwrap_or_default();
    let windows = residues
        .windows(N)
        .map(|window| std::array::from_fn(|j| window[j]));
    windows.chain([[greatest; N]])
}

/// The sum of products modulo a prime.
fn sum<const N: usize>(prime: u64, terms: [u64; N], factors: [u64; N]) -> u64 {
    let products = terms.into_iter().zip(factors);
    products.fold(0, |sum, (x, y)| {
        ((u128::from(sum) + u128::from(x) * u128::from(y)) % u128::from(prime)) as u64
    })
}

fn below_2_31<const N: usize>() {
    for prime in [3, 7, 65537, 469762049, 1431655777, 2147483647] {
        let field = &Modulus31::new(prime);
        let edges = edge_residues(u64::from(prime));
        let residues: Vec<u32> = edges.iter().map(|&x| x as u32).collect();
        for factors in factors::<N>(&edges) {
            let combination = Combine32::new(field, factors.map(|x| x as u32));
            check(combination, &residues, |terms| {
                sum(u64::from(prime), terms.map(u64::from), factors) as u32
            });
        }
    }
}

fn below_2_63<const N: usize>() {
    for prime in [3, 469762049, (1 << 60) - (1 << 18) + 1, (1 << 63) - 25] {
        let modulus = &WordModulus::new(prime);
        let montgomery = Montgomery104::new(modulus);
        let residues = edge_residues(prime);
        for factors in factors::<N>(&residues) {
            let expected = |terms: [u64; N]| sum(prime, terms, factors);
            check(Combine64::new(modulus, factors), &residues, expected);
            let digits = CombineDigits::new(modulus, montgomery, factors);
            check(digits, &residues, expected);
        }
    }
}

#[test]
fn sums_of_products_below_2_31() {
    below_2_31::<1>();
    below_2_31::<2>();
    below_2_31::<3>();
    below_2_31::<4>();
}

#[test]
fn sums_of_products_below_2_63() {
    below_2_63::<1>();
    below_2_63::<2>();
    below_2_63::<3>();
    below_2_63::<4>();
}
