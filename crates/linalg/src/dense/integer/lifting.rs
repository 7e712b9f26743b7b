//! A divisor of the determinant from one linear system, solved p-adically.
//!
//! For vectors b and u of small integers, u·A⁻¹·b is a fraction whose denominator divides det A; for most
//! matrices it is det A up to a few bits (V. Pan, 1988; J. Abbott, M. Bronstein, T. Mulders, *Fast deterministic
//! computation of determinants of dense matrices*, 1999). The solution is lifted after J. Dixon, *Exact
//! solution of linear equations using p-adic expansions* (1982):
//!
//! ```text
//! r₀ = b,   xₖ = A⁻¹·rₖ mod P,   rₖ₊₁ = (rₖ − A·xₖ)/P,   A⁻¹·b = Σ xₖ·Pᵏ.
//! ```
//!
//! P is a product of s primes, and rₖ, which is bounded by n·max|a| + 1, is kept modulo m primes q. So a step,
//! which gains 30·s bits, takes s + m products of a matrix and a vector, each modulo one word: the larger
//! s, the fewer in all, at the price of s inverses.

use super::basis::Basis;
use super::bound::Bound;
use super::planes::Planes;
use super::residues::{PRIME_BITS, prime_fields};
use crate::dense::decomposition::Decomposition;
use crate::dense::matrix::DenseMatrix;
use crate::dense::product::PackedMatrix;
use crate::dense::view::View;
use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use sunzi_field::euclid::first_remainder_below;
use sunzi_field::{Field, Fp32};
use sunzi_threads::Threads;

/// Primes without an inverse, one after the other, that make the matrix look singular.
const SINGULAR: usize = 2;

/// Bits of the entries of b and u.
const SMALL_BITS: u32 = 8;

/// How the work is divided: s and m.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Primes whose product is P.
    pub(super) lifted: usize,
    /// Primes that hold rₖ.
    pub(super) kept: usize,
    /// The number of steps.
    pub(super) steps: usize,
}

impl Shape {
    /// For a matrix of order n with entries of at most `entry_bits` bits.
    pub(super) fn new(order: usize, entry_bits: usize, bound: &Bound, lifted: usize) -> Self {
        // |r| ≤ n·max|a| + max|b|, and an eighth of the primes' product tells its sign.
        let rest_bits = entry_bits + (order + 1).bit_len() + 1 + 3;
        let lifted_bits = lifted as f64 * PRIME_BITS;
        let (numerator, denominator) = fraction_bits(order, bound);
        Self {
            lifted,
            kept: rest_bits
                .max(SMALL_BITS as usize + 3)
                .div_ceil(PRIME_BITS as usize),
            steps: ((numerator + denominator + 2.0) / lifted_bits).ceil() as usize,
        }
    }
}

/// Bits of numerator and denominator of u·A⁻¹·b, from above.
///
/// By Cramer's rule the numerators of A⁻¹·b are determinants with one column replaced by b.
fn fraction_bits(order: usize, bound: &Bound) -> (f64, f64) {
    let order_bits = (order as f64).log2();
    let b_length = f64::from(SMALL_BITS) + order_bits / 2.0;
    let cramer = bound.columns - bound.shortest_column + b_length;
    (
        cramer + f64::from(SMALL_BITS) + order_bits + 1.0,
        bound.bits,
    )
}

/// The denominator of u·A⁻¹·b; `None` if the matrix is singular, as far as two primes can tell.
pub(super) fn divisor(
    matrix: &DenseMatrix<IBig>,
    planes: &Planes,
    bound: &Bound,
    shape: Shape,
) -> Option<UBig> {
    let n = matrix.rows();
    let (inverses, kept) = prepare(n, planes, shape)?;
    let lifted = Basis::new(
        inverses
            .iter()
            .map(|inverse| inverse.field().clone())
            .collect(),
    );
    let rests = Basis::new(kept.iter().map(|matrix| matrix.field().clone()).collect());
    let to_kept = rests
        .fields()
        .iter()
        .map(|field| lifted.weights(field))
        .collect::<Vec<_>>();
    let to_lifted = lifted
        .fields()
        .iter()
        .map(|field| rests.weights(field))
        .collect::<Vec<_>>();
    let b = small_numbers(n, 1);
    let u = small_numbers(n, 2);

    let mut rest: Vec<Vec<u32>> = vec![b; rests.fields().len()];
    let mut digits = Vec::with_capacity(shape.steps);
    for _ in 0..shape.steps {
        let rest_digits = rests.digits(&rest);
        let x: Vec<Vec<u32>> =
            Threads::all().map(inverses.iter().zip(&to_lifted), |(inverse, weights)| {
                let mut x = vec![0; n];
                inverse.subtract_product(&mut x, &weights.signed(&rest_digits));
                x
            });
        let x_digits = lifted.digits(&x);
        let rests_kept = rest.iter_mut().zip(&kept).zip(&to_kept);
        Threads::all().each(rests_kept, |((rest, matrix), weights)| {
            matrix.subtract_product(rest, &weights.unsigned(&x_digits));
            matrix.field().scale_slice(rest, weights.inverse_modulus());
        });
        digits.push(lifted.dot_product(&u, &x_digits));
    }

    let base = lifted.modulus();
    let value = digits
        .iter()
        .rev()
        .fold(UBig::ZERO, |sum, digit| sum * &base + digit);
    let (numerator, _) = fraction_bits(n, bound);
    let numerator = UBig::ONE << numerator.ceil() as usize;
    let (_, denominator) = first_remainder_below(&base.pow(shape.steps), &value, &numerator);
    UBig::try_from(if denominator < IBig::ZERO {
        -denominator
    } else {
        denominator
    })
    .ok()
}

/// −A⁻¹ modulo the primes of P, and A modulo those that keep rₖ, both transposed for products of rows.
fn prepare(
    n: usize,
    planes: &Planes,
    shape: Shape,
) -> Option<(Vec<PackedMatrix>, Vec<PackedMatrix>)> {
    let mut fields = prime_fields();
    let mut inverses: Vec<PackedMatrix> = Vec::with_capacity(shape.lifted);
    let mut singular = 0;
    while inverses.len() < shape.lifted {
        let missing = shape.lifted - inverses.len();
        let candidates: Vec<Fp32> = fields.by_ref().take(missing).collect();
        let found = Threads::all().map(&candidates, |field| negative_inverse(field, n, planes));
        singular += found.iter().filter(|inverse| inverse.is_none()).count();
        if singular >= SINGULAR {
            return None;
        }
        inverses.extend(found.into_iter().flatten());
    }
    let fields: Vec<Fp32> = fields.take(shape.kept).collect();
    let kept = Threads::all().map(&fields, |field| {
        PackedMatrix::new(field, transposed(&planes.reduce(field), n).view())
    });
    Some((inverses, kept))
}

fn negative_inverse(field: &Fp32, n: usize, planes: &Planes) -> Option<PackedMatrix> {
    let matrix = DenseMatrix::new(n, n, planes.reduce(field)).ok()?;
    let mut inverse = Decomposition::new(field, matrix)
        .inverse()
        .ok()?
        .into_entries();
    field.neg_slice(&mut inverse);
    Some(PackedMatrix::new(field, transposed(&inverse, n).view()))
}

/// A square matrix with rows for columns.
struct Transposed {
    entries: Vec<u32>,
    order: usize,
}

impl Transposed {
    fn view(&self) -> View<'_, u32> {
        View::new(&self.entries, self.order, self.order)
    }
}

fn transposed(entries: &[u32], order: usize) -> Transposed {
    let entries = (0..order * order)
        .map(|at| entries[at % order * order + at / order])
        .collect();
    Transposed { entries, order }
}

/// Numbers from 1 to 2^[`SMALL_BITS`], always the same: any that are not special to the matrix will do.
fn small_numbers(count: usize, seed: u64) -> Vec<u32> {
    // The generator of G. Steele, D. Lea and C. Flood (2014).
    let mut state = seed;
    let next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) >> (u64::BITS - SMALL_BITS)) as u32 + 1
    };
    std::iter::repeat_with(next).take(count).collect()
}
