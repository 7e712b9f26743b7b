//! Linear systems, solved p-adically, and a divisor of the determinant from one of them.
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
//! s, the fewer in all, at the price of s inverses. Several right sides take products of matrices instead, in blocks.

use super::bound::Bound;
use super::residues::{PRIME_BITS, prime_fields};
use crate::dense::decomposition::Decomposition;
use crate::dense::matrix::DenseMatrix;
use crate::dense::product::PackedMatrix;
use crate::dense::view::View;
use sunzi_field::random::SplitMix64;
use sunzi_field::{Field, Fp32};
use sunzi_integer::{Integer, Natural};
use sunzi_machine::threads::{Threads, Work};
use sunzi_rns::limbs::bit_len;
use sunzi_rns::{Extension, MixedRadix, Planes, fraction};

/// Primes without an inverse, one after the other, that make the matrix look singular.
const SINGULAR: usize = 2;

/// Bits of the entries of b and u.
pub(in crate::dense) const SMALL_BITS: u32 = 8;

/// How the work is divided: s and m.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dense) struct Shape {
    /// Primes whose product is P.
    pub(in crate::dense) lifted: usize,
    /// Primes that hold rₖ.
    pub(in crate::dense) kept: usize,
    /// The number of steps.
    pub(in crate::dense) steps: usize,
}

impl Shape {
    /// For a matrix of order n with entries of at most `entry_bits` bits.
    pub(super) fn new(order: usize, entry_bits: usize, bound: &Bound, lifted: usize) -> Self {
        // |r| ≤ n·max|a| + max|b|, and an eighth of the primes' product tells its sign.
        let rest_bits = entry_bits + bit_len(order + 1) + 1 + 3;
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
    matrix: &DenseMatrix<Integer>,
    planes: &Planes,
    bound: &Bound,
    shape: Shape,
) -> Option<Natural> {
    let n = matrix.rows();
    let lifting = Lifting::new(n, planes, shape, (1, SINGULAR))?;
    let residual = vec![small_numbers(n, 1); shape.kept];
    let (numerator, _) = fraction_bits(n, bound);
    Some(lifting.denominator(residual, shape.steps, numerator))
}

/// A matrix A that systems are solved with.
#[derive(Debug)]
pub(in crate::dense) struct Lifting {
    order: usize,
    /// −A⁻¹ modulo the primes of P, transposed for products of rows.
    inverses: Vec<PackedMatrix>,
    /// A modulo the primes that keep rₖ, likewise.
    kept: Vec<PackedMatrix>,
    lifted: MixedRadix<Fp32>,
    residuals: MixedRadix<Fp32>,
    to_kept: Vec<Extension<Fp32>>,
    to_lifted: Vec<Extension<Fp32>>,
}

impl Lifting {
    /// For this number of right sides at a time; `None` if this number of primes make the matrix singular.
    pub(in crate::dense) fn new(
        order: usize,
        planes: &Planes,
        shape: Shape,
        (at_a_time, most_singular): (usize, usize),
    ) -> Option<Self> {
        let mut fields = prime_fields();
        let mut inverses: Vec<PackedMatrix> = Vec::with_capacity(shape.lifted);
        let mut singular = 0;
        let work = Work::new(shape.lifted as u64, "inverses modulo primes");
        while inverses.len() < shape.lifted {
            let missing = shape.lifted - inverses.len();
            let candidates: Vec<Fp32> = fields.by_ref().take(missing).collect();
            let found = Threads::all().map(&candidates, |field| {
                let inverse = negative_inverse(field, order, planes, at_a_time);
                work.done(u64::from(inverse.is_some()));
                inverse
            });
            singular += found.iter().filter(|inverse| inverse.is_none()).count();
            if singular >= most_singular || candidates.is_empty() {
                return None;
            }
            inverses.extend(found.into_iter().flatten());
        }
        drop(work);
        let fields: Vec<Fp32> = fields.take(shape.kept).collect();
        let kept = Threads::all().map(&fields, |field| {
            let transposed = transposed(&planes.reduce(field), order);
            PackedMatrix::new(field, transposed.view(), at_a_time)
        });
        let basis = |matrices: &[PackedMatrix]| {
            MixedRadix::new(matrices.iter().map(|one| one.field().clone()).collect())
        };
        let (lifted, residuals) = (basis(&inverses), basis(&kept));
        let extensions = |from: &MixedRadix<Fp32>, to: &MixedRadix<Fp32>| {
            let to = to.fields().iter();
            to.map(|field| from.extension(field)).collect()
        };
        Some(Self {
            order,
            to_kept: extensions(&lifted, &residuals),
            to_lifted: extensions(&residuals, &lifted),
            inverses,
            kept,
            lifted,
            residuals,
        })
    }

    /// The primes that keep rₖ: right sides are given modulo these.
    pub(in crate::dense) fn kept_fields(&self) -> &[Fp32] {
        self.residuals.fields()
    }

    /// The primes of P.
    pub(in crate::dense) fn lifted_fields(&self) -> &[Fp32] {
        self.lifted.fields()
    }

    /// Takes these steps with right sides, which are rows modulo the primes kept; `each` gets what a step finds of all
    /// solutions, as digits by the primes of P.
    pub(in crate::dense) fn lift(
        &self,
        mut residual: Vec<Vec<u32>>,
        steps: usize,
        mut each: impl FnMut(Vec<Vec<u32>>),
    ) {
        let work = Work::new(steps as u64, "lifting steps");
        for _ in 0..steps {
            let residual_digits = self.residuals.digits(&residual);
            let inverses = self.inverses.iter().zip(&self.to_lifted);
            let x: Vec<Vec<u32>> = Threads::all().map(inverses, |(inverse, extension)| {
                let residual = extension.signed(&residual_digits);
                let mut x = vec![0; residual.len()];
                inverse.subtract_product(&mut x, &residual);
                x
            });
            let x_digits = self.lifted.digits(&x);
            let residuals = residual.iter_mut().zip(&self.kept).zip(&self.to_kept);
            Threads::all().each(residuals, |((residual, matrix), extension)| {
                matrix.subtract_product(residual, &extension.unsigned(&x_digits));
                matrix
                    .field()
                    .scale_slice(residual, extension.inverse_modulus());
            });
            each(x_digits);
            work.done(1);
        }
    }

    /// The denominator of u·A⁻¹·b for b as a row modulo the primes kept, if its numerator is below 2^`numerator_bits`
    /// and the steps gain as many bits as both have, and two more.
    pub(in crate::dense) fn denominator(
        &self,
        b: Vec<Vec<u32>>,
        steps: usize,
        numerator_bits: f64,
    ) -> Natural {
        let mut digits = Vec::with_capacity(steps);
        self.lift(b, steps, |x| digits.push(self.combined(&x)));
        self.combined_denominator(&digits, numerator_bits)
    }

    /// u·x for what a step finds of one x.
    pub(in crate::dense) fn combined(&self, digits: &[Vec<u32>]) -> Natural {
        let factors = small_numbers(self.order, 2);
        self.lifted.value(digits.iter().map(|digits| -> u64 {
            let products = factors.iter().zip(digits);
            products.map(|(&x, &y)| u64::from(x) * u64::from(y)).sum()
        }))
    }

    /// The denominator of the fraction whose steps are these, under the conditions of [`Self::denominator`].
    pub(in crate::dense) fn combined_denominator(
        &self,
        steps: &[Natural],
        numerator_bits: f64,
    ) -> Natural {
        let base: Natural = self.lifted.modulus();
        let value = steps
            .iter()
            .rev()
            .fold(Natural::ZERO, |sum, digit| sum * &base + digit);
        let numerator = Natural::ONE << numerator_bits.ceil() as usize;
        let modulus = base.pow(steps.len());
        let (_, denominator): (Integer, _) = fraction(&value, &modulus, &numerator);
        denominator
    }
}

fn negative_inverse(
    field: &Fp32,
    n: usize,
    planes: &Planes,
    at_a_time: usize,
) -> Option<PackedMatrix> {
    let matrix = DenseMatrix::new(n, n, planes.reduce(field)).ok()?;
    let mut inverse = Decomposition::new(field, matrix)
        .inverse()
        .ok()?
        .into_entries();
    field.neg_slice(&mut inverse);
    let transposed = transposed(&inverse, n);
    Some(PackedMatrix::new(field, transposed.view(), at_a_time))
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
pub(in crate::dense) fn small_numbers(count: usize, seed: u64) -> Vec<u32> {
    let mut words = SplitMix64::new(seed);
    let next = || (words.word() >> (u64::BITS - SMALL_BITS)) as u32 + 1;
    std::iter::repeat_with(next).take(count).collect()
}
