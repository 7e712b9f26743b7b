//! Products of integer matrices by residues, and proofs that a product is what it should be.
//!
//! **Problem.** C = A·B for m by k and k by n integers of any size. **Bound.** |c| ≤ k·max|a|·max|b|.
//! **Algorithm.** Images modulo primes of 31 bits whose product is twice the bound, each a product of blocks, and the
//! Chinese remainder theorem, entry by entry. A few long entries are multiplied as they are, and
//! so are few short ones ([`super::short_product`]).

use super::short_product::product_of_words;
use crate::dense::integer::residues::{PRIME_BITS, prime_fields};
use crate::dense::matrix::DenseMatrix;
use crate::dense::product::MatrixField;
use crate::dense::product::Room;
use crate::dense::view::{View, ViewMut};
use crate::error::MatrixError;
use sunzi_field::{Field, Fp32};
use sunzi_integer::mul_limbs;
use sunzi_integer::{Integer, Natural};
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::{Threads, Work};
use sunzi_rns::limbs::bit_len;
use sunzi_rns::{Planes, Reconstruction};

/// The product of two matrices of integers of any size.
///
/// Takes about m·k·n·b/30 products of words for m by k and k by n entries, if b bits are those of an entry of the
/// product; all threads of the current pool compute, and the result does not depend on their number.
///
/// # Errors
/// [`MatrixError::Inner`] if A has not as many columns as B has rows; [`MatrixError::Memory`] if there is too little for the product.
pub(crate) fn integer_product(
    a: &DenseMatrix<Integer>,
    b: &DenseMatrix<Integer>,
) -> Result<DenseMatrix<Integer>, MatrixError> {
    let inner = a.inner(b)?;
    if let Some(product) = product_of_words(a, b) {
        return Ok(product);
    }
    let (rows, columns) = (a.rows(), b.columns());
    let (a_bits, b_bits) = (most_bits(a), most_bits(b));
    // One more for the sign.
    let bits = a_bits + b_bits + bit_len(inner) + 1;
    let entries = rows as u64 * columns as u64;
    Budget::system()
        .require(entries.saturating_mul(bits as u64 / 8 + size_of::<Integer>() as u64))?;
    let count = bits.div_ceil(PRIME_BITS as usize);
    if Costs::new((rows, inner, columns), (a_bits, b_bits), count).direct_is_quicker() {
        return Ok(direct(a, b));
    }
    let fields: Vec<Fp32> = prime_fields().take(count).collect();
    let planes = (
        Planes::new(a.entries().iter()),
        Planes::new(b.entries().iter()),
    );
    let work = Work::new(fields.len() as u64, "primes");
    let residues = Threads::all().map(&fields, |field| {
        let mut product = vec![0; rows * columns];
        let (a, b) = (planes.0.reduce(field), planes.1.reduce(field));
        field.subtract_product(
            &mut Room::new(),
            ViewMut::new(&mut product, rows, columns),
            View::new(&a, rows, inner),
            View::new(&b, inner, columns),
        );
        field.neg_slice(&mut product);
        work.done(1);
        product
    });
    drop(work);
    let primes: Vec<u64> = fields.iter().map(|field| field.prime().into()).collect();
    let entries = Reconstruction::new(&primes, mul_limbs).signed_all(&residues);
    DenseMatrix::new(rows, columns, entries)
}

/// The integer of least absolute value that is this one in `[0, modulus)`.
pub(super) fn signed(value: Natural, modulus: &Natural, half: &Natural) -> Integer {
    match value > *half {
        true => -Integer::from(modulus - value),
        false => Integer::from(value),
    }
}

/// Bits of the absolute value of the greatest entry.
pub(super) fn most_bits(matrix: &DenseMatrix<Integer>) -> usize {
    let bits = matrix.entries().iter().map(Integer::bit_len);
    bits.max().unwrap_or(0)
}

/// The product by its definition.
fn direct(a: &DenseMatrix<Integer>, b: &DenseMatrix<Integer>) -> DenseMatrix<Integer> {
    let transposed = b.transposed();
    let places: Vec<(usize, usize)> = (0..a.rows())
        .flat_map(|i| (0..b.columns()).map(move |j| (i, j)))
        .collect();
    let entries = Threads::all().map(places, |(i, j)| -> Integer {
        let pairs = a.row(i).iter().zip(transposed.row(j));
        pairs.map(|(x, y)| x * y).sum()
    });
    let mut entries = entries.into_iter();
    DenseMatrix::from_fn(a.rows(), b.columns(), |_, _| {
        entries.next().unwrap_or_default()
    })
}

/// What the ways to a product cost, in products of residues within blocks.
struct Costs {
    direct: f64,
    residues: f64,
}

impl Costs {
    fn new(
        (m, k, n): (usize, usize, usize),
        (a_bits, b_bits): (usize, usize),
        primes: usize,
    ) -> Self {
        /// What a product of one word costs, and how it grows.
        const WORD: f64 = 120.0;
        const KARATSUBA: f64 = 0.58;
        let (m, k, n, primes) = (m as f64, k as f64, n as f64, primes as f64);
        let words = |bits: usize| (bits as f64 / 64.0).max(1.0);
        let (long, short) = (words(a_bits.max(b_bits)), words(a_bits.min(b_bits)));
        let planes = |bits: usize| (bits as f64 / PRIME_BITS).ceil();
        let reductions = planes(a_bits) * (m * k + 100.0) + planes(b_bits) * (k * n + 100.0);
        let digits = primes / 2.0 * (2.0 * m * n + 100.0);
        Self {
            direct: m * k * n * WORD * long * short.powf(KARATSUBA),
            residues: primes * (m * k * n + 1000.0 + reductions + digits) + m * n * 200.0,
        }
    }

    fn direct_is_quicker(&self) -> bool {
        self.direct < self.residues
    }
}

/// The first column in which A·N differs from d·B, if they do.
///
/// An integer that is smaller than a product of primes and 0 modulo each is 0.
pub(super) fn first_difference(
    a: &DenseMatrix<Integer>,
    numerators: &DenseMatrix<Integer>,
    d: &Natural,
    b: &DenseMatrix<Integer>,
) -> Option<usize> {
    let (rows, inner, columns) = (a.rows(), a.columns(), b.columns());
    if rows == 0 || columns == 0 {
        return None;
    }
    let product = most_bits(a) + most_bits(numerators) + bit_len(inner);
    let bits = product.max(d.bit_len() + most_bits(b)) + 1;
    let fields: Vec<Fp32> = prime_fields()
        .take(bits.div_ceil(PRIME_BITS as usize))
        .collect();
    let planes = [a, numerators, b].map(|matrix| Planes::new(matrix.entries().iter()));
    let d = Integer::from(d.clone());
    let work = Work::new(fields.len() as u64, "primes");
    let different = Threads::all().map(&fields, |field| {
        let [a, numerators, b] = [0, 1, 2].map(|which| planes[which].reduce(field));
        let mut difference = b;
        field.scale_slice(&mut difference, field.from_integer(&d));
        field.subtract_product(
            &mut Room::new(),
            ViewMut::new(&mut difference, rows, columns),
            View::new(&a, rows, inner),
            View::new(&numerators, inner, columns),
        );
        work.done(1);
        let places = difference.iter().enumerate().filter(|&(_, &x)| x != 0);
        places.map(|(at, _)| at % columns).min()
    });
    different.into_iter().flatten().min()
}
