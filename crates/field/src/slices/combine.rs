//! Linear combinations of slices, one pass over memory for all of them.

use super::montgomery104::{LiftedFactor, Montgomery104};
use super::words64::scale_term;
use crate::lazy::Prepared64;
use crate::word_modulus::{Modulus31, WordModulus, inverse_mod_2_64};
use sunzi_machine::{
    arrays,
    simd::{InstructionSet, Simd, SimdTask, Word, dispatch},
};

/// A linear combination of `N` elements, and of `N` vectors of them, which agree.
pub trait Combination<T: Word, const N: usize>: Copy {
    fn vector<S: Simd>(self, simd: S, terms: [S::Vector; N]) -> S::Vector;
    fn element(self, terms: [T; N]) -> T;
}

/// `out[i] = combination(operands[…][i])`.
pub struct Combine<'a, T, C, const N: usize> {
    pub combination: C,
    pub out: &'a mut [T],
    pub operands: [&'a [T]; N],
}

impl<S: Simd, T: Word, C: Combination<T, N>, const N: usize> SimdTask<S> for Combine<'_, T, C, N> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let lanes = simd.lanes_of::<T>();
        let len = self.out.len();
        let operands = arrays::map(self.operands, |operand| &operand[..len]);
        let whole = len / lanes * lanes;
        let mut start = 0;
        while start < whole {
            let terms = arrays::map(
                operands,
                #[inline(always)]
                |operand| simd.load(&operand[start..]),
            );
            let value = self.combination.vector(simd, terms);
            simd.store(&mut self.out[start..], value);
            start += lanes;
        }
        for i in whole..len {
            let terms = arrays::map(operands, |operand| operand[i]);
            self.out[i] = self.combination.element(terms);
        }
    }
}

/// Modulo a prime below 2^31: the products' sum, at most 4·(p − 1)² < 2^64, is reduced once, after
/// Montgomery, with factors times 2^32.
#[derive(Clone, Copy)]
pub struct Combine32<'a, const N: usize> {
    field: &'a Modulus31,
    factors: [u32; N],
    lifted: [u32; N],
    /// p⁻¹ modulo 2^32.
    inverse: u32,
}

impl<'a, const N: usize> Combine32<'a, N> {
    pub fn new(field: &'a Modulus31, factors: [u32; N]) -> Self {
        const { assert!(N <= MOST_TERMS, "the sum fits a word") };
        Self {
            field,
            factors,
            lifted: arrays::map(factors, |factor| field.reduce(u64::from(factor) << 32)),
            inverse: inverse_mod_2_64(field.prime().into()) as u32,
        }
    }

    /// What the low halves of the lanes give: the sum T of the products, and p·(T/p mod 2^32), which
    /// agree in their low halves.
    #[inline(always)]
    fn low_halves<S: Simd>(self, simd: S, terms: [S::Vector; N]) -> [S::Vector; 2] {
        let mut sum = simd.splat64(0);
        for (term, factor) in terms.into_iter().zip(self.lifted) {
            let product = simd.mul_low_halves(term, simd.splat64(factor.into()));
            sum = simd.add64(sum, product);
        }
        let quotient = simd.mul_low_halves(sum, simd.splat64(self.inverse.into()));
        let prime = simd.splat64(self.field.prime().into());
        [sum, simd.mul_low_halves(quotient, prime)]
    }
}

impl<const N: usize> Combination<u32, N> for Combine32<'_, N> {
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, terms: [S::Vector; N]) -> S::Vector {
        let even = self.low_halves(simd, terms);
        let odd = self.low_halves(
            simd,
            arrays::map(
                terms,
                #[inline(always)]
                |term| simd.shift_right64(term, 32),
            ),
        );
        let prime = simd.splat32(self.field.prime());
        // T/2^32 is below 2p, the other below p: their difference is T/2^32 mod p, give or take p.
        let sum = simd.high_halves(even[0], odd[0]);
        let sum = simd.min32(sum, simd.sub32(sum, prime));
        let difference = simd.sub32(sum, simd.high_halves(even[1], odd[1]));
        simd.min32(difference, simd.add32(difference, prime))
    }

    #[inline(always)]
    fn element(self, terms: [u32; N]) -> u32 {
        let products = terms.into_iter().zip(self.factors);
        self.field
            .reduce(products.map(|(x, y)| u64::from(x) * u64::from(y)).sum())
    }
}

/// Modulo a prime below 2^63, each product reduced by itself.
#[derive(Clone, Copy)]
pub struct Combine64<'a, const N: usize> {
    modulus: &'a WordModulus,
    factors: [Prepared64; N],
}

impl<'a, const N: usize> Combine64<'a, N> {
    pub fn new(modulus: &'a WordModulus, factors: [u64; N]) -> Self {
        Self {
            modulus,
            factors: arrays::map(factors, |factor| modulus.prepare(factor)),
        }
    }
}

impl<const N: usize> Combination<u64, N> for Combine64<'_, N> {
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, terms: [S::Vector; N]) -> S::Vector {
        let prime = simd.splat64(self.modulus.get());
        let mut sum = simd.splat64(0);
        for (term, factor) in terms.into_iter().zip(self.factors) {
            let product = scale_term(self.modulus, simd, term, factor);
            sum = simd.reduce_once64(simd.add64(sum, product), prime);
        }
        sum
    }

    #[inline(always)]
    fn element(self, terms: [u64; N]) -> u64 {
        let products = terms.into_iter().zip(self.factors);
        products.fold(0, |sum, (x, factor)| {
            self.modulus.add(sum, self.modulus.mul_prepared(x, factor))
        })
    }
}

/// The same in digits of 52 bits, all products reduced at once.
#[derive(Clone, Copy)]
pub struct CombineDigits<'a, const N: usize> {
    modulus: &'a WordModulus,
    montgomery: Montgomery104,
    factors: [u64; N],
    lifted: [u64; N],
}

impl<'a, const N: usize> CombineDigits<'a, N> {
    pub fn new(modulus: &'a WordModulus, montgomery: Montgomery104, factors: [u64; N]) -> Self {
        Self {
            modulus,
            montgomery,
            factors,
            lifted: arrays::map(factors, |factor| montgomery.lift(modulus, factor)),
        }
    }
}

impl<const N: usize> Combination<u64, N> for CombineDigits<'_, N> {
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, terms: [S::Vector; N]) -> S::Vector {
        let factors = arrays::map(
            self.lifted,
            #[inline(always)]
            |factor| LiftedFactor::split(simd, simd.splat64(factor)),
        );
        self.montgomery.sum_of_products(simd, terms, factors)
    }

    #[inline(always)]
    fn element(self, terms: [u64; N]) -> u64 {
        let products = terms.into_iter().zip(self.factors);
        products.fold(0, |sum, (x, factor)| {
            self.modulus.add(sum, self.modulus.mul(x, factor))
        })
    }
}

/// The most terms of a combination.
const MOST_TERMS: usize = 4;

/// `$work` with the constant `$n` for a number of terms told at run time: what runs is compiled in this crate, once, and not
/// wherever a field is used.
macro_rules! with_terms {
    ($terms:expr, $n:ident => $work:expr) => {
        with_terms!(@all $terms, $n, $work, 1 2 3 4)
    };
    (@all $terms:expr, $n:ident, $work:expr, $($number:literal)*) => {
        match $terms {
            $($number => {
                const $n: usize = $number;
                $work
            })*
            terms => unreachable!("{terms} terms, where there are 1 to {MOST_TERMS}"),
        }
    };
}

#[inline(always)]
pub(crate) fn combine_32<const N: usize>(
    field: &Modulus31,
    out: &mut [u32],
    terms: [(u32, &[u32]); N],
) {
    const { assert!(N <= MOST_TERMS) };
    let factors = arrays::map(terms, |(factor, _)| factor);
    let operands = arrays::map(terms, |(_, operand)| operand);
    combine_terms_32(field, out, &factors, &operands);
}

fn combine_terms_32(field: &Modulus31, out: &mut [u32], factors: &[u32], operands: &[&[u32]]) {
    with_terms!(factors.len(), N => {
        run(Combine32::<N>::new(field, first(factors)), out, first(operands));
    });
}

#[inline(always)]
pub(crate) fn combine_64<const N: usize>(
    modulus: &WordModulus,
    montgomery: Montgomery104,
    out: &mut [u64],
    terms: [(u64, &[u64]); N],
) {
    const { assert!(N <= MOST_TERMS) };
    let factors = arrays::map(terms, |(factor, _)| factor);
    let operands = arrays::map(terms, |(_, operand)| operand);
    combine_terms_64(modulus, montgomery, out, &factors, &operands);
}

fn combine_terms_64(
    modulus: &WordModulus,
    montgomery: Montgomery104,
    out: &mut [u64],
    factors: &[u64],
    operands: &[&[u64]],
) {
    // Digits pay only where their products are single instructions.
    let in_digits = InstructionSet::Avx512.is_available();
    with_terms!(factors.len(), N => {
        let (factors, operands) = (first::<_, N>(factors), first(operands));
        if in_digits {
            run(CombineDigits::new(modulus, montgomery, factors), out, operands);
        } else {
            run(Combine64::new(modulus, factors), out, operands);
        }
    });
}

/// The first N of at least as many.
fn first<T: Copy, const N: usize>(all: &[T]) -> [T; N] {
    arrays::from_fn(|i| all[i])
}

fn run<T: Word, C: Combination<T, N>, const N: usize>(
    combination: C,
    out: &mut [T],
    operands: [&[T]; N],
) {
    for operand in operands {
        assert_eq!(out.len(), operand.len(), "slices of equal length");
    }
    dispatch(Combine {
        combination,
        out,
        operands,
    });
}
