//! Matrices of long integers, of determinant 1 and without negative entries, and pairs of numbers that they reduce.

use super::leading;
use crate::multiplier::Multiplier;
use sunzi_machine::threads::Threads;
use sunzi_rns::limbs::{add_assign, sub_assign, truncate_zeros};

/// Limbs without zeros at the end.
pub type Number = Vec<u64>;

/// A row of a matrix.
pub type Row = [Number; 2];

/// u, v and below them u′, v′, with (a, b) = M·(α, β).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix(pub [Row; 2]);

impl Matrix {
    pub fn one() -> Self {
        Self([[vec![1], vec![]], [vec![], vec![1]]])
    }

    pub(super) fn is_one(&self) -> bool {
        *self == Self::one()
    }

    /// M := M·(1 q; 0 1) or M·(1 0; q 1): what is multiplied by the number that shrank grows.
    pub(super) fn step(&mut self, multiplier: &Multiplier, q: &[u64], shrunk: usize) {
        for row in &mut self.0 {
            add_product(multiplier, row, q, shrunk);
        }
    }

    /// M := M·m for a matrix of words.
    pub(super) fn by_words(&mut self, m: leading::Matrix) {
        for row in &mut self.0 {
            row_by_words(row, m);
        }
    }

    /// M := M·m.
    pub(super) fn by(&mut self, multiplier: &Multiplier, m: &Self) {
        for row in &mut self.0 {
            row_by(multiplier, row, m);
        }
    }
}

/// A row times (1 q; 0 1) or (1 0; q 1).
pub(super) fn add_product(multiplier: &Multiplier, row: &mut Row, q: &[u64], shrunk: usize) {
    let [first, second] = row;
    let (from, to) = match shrunk {
        0 => (first, second),
        _ => (second, first),
    };
    // Whichever number shrinks by q times the other, it is the other's entries that grow.
    let product = multiplied(multiplier, from, q);
    *to = sum(std::mem::take(to), product);
}

/// A row times a matrix of words.
pub(super) fn row_by_words(row: &mut Row, [[u, v], [u1, v1]]: leading::Matrix) {
    let [first, second] = row;
    let len = first.len().max(second.len());
    first.resize(len, 0);
    second.resize(len, 0);
    let mut carries = [[0; 2]; 2];
    for (x, y) in first.iter_mut().zip(second.iter_mut()) {
        let [to_x, to_y] = &mut carries;
        let (a, b) = (*x, *y);
        *x = sum_of_products([a, b], [u, u1], to_x);
        *y = sum_of_products([a, b], [v, v1], to_y);
    }
    for (number, [first, second]) in row.iter_mut().zip(carries) {
        let (carry, over) = first.overflowing_add(second);
        number.extend([carry, u64::from(over)]);
        truncate_zeros(number);
    }
}

/// A limb of a·x + b·y, each product with a carry of its own.
#[inline(always)]
fn sum_of_products([a, b]: [u64; 2], [x, y]: [u64; 2], carries: &mut [u64; 2]) -> u64 {
    let first = u128::from(a) * u128::from(x) + u128::from(carries[0]);
    let second = u128::from(b) * u128::from(y) + u128::from(carries[1]) + u128::from(first as u64);
    *carries = [(first >> 64) as u64, (second >> 64) as u64];
    second as u64
}

/// A row times a matrix.
pub(super) fn row_by(multiplier: &Multiplier, row: &mut Row, m: &Matrix) {
    let [first, second] = &*row;
    let entry = |j: usize| {
        sum(
            multiplied(multiplier, first, &m.0[0][j]),
            multiplied(multiplier, second, &m.0[1][j]),
        )
    };
    let (left, right) = shared(first.len()).join(|| entry(0), || entry(1));
    *row = [left, right];
}

/// Threads for products of operands of this length.
pub(super) fn shared(limbs: usize) -> Threads {
    Threads::when(limbs >= PARALLEL_LIMBS)
}

/// Limbs from which products of one step are computed side by side.
const PARALLEL_LIMBS: usize = 1000;

pub(super) fn multiplied(multiplier: &Multiplier, a: &[u64], b: &[u64]) -> Number {
    let mut product = vec![0; a.len() + b.len()];
    multiplier.mul(&mut product, a, b);
    truncate_zeros(&mut product);
    product
}

pub(super) fn sum(mut a: Number, mut b: Number) -> Number {
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    let carry = add_assign(&mut a, &b);
    if carry != 0 {
        a.push(carry);
    }
    a
}

/// The pair (a, b) := M⁻¹·(a, b) for a matrix of words that leaves both positive.
pub(super) fn reduce_by_words(pair: &mut [Number; 2], matrix: leading::Matrix) {
    let [a, b] = pair;
    let len = a.len().max(b.len());
    a.resize(len, 0);
    b.resize(len, 0);
    reduce_limbs_by_words(a, b, matrix);
    truncate_zeros(a);
    truncate_zeros(b);
}

/// [`reduce_by_words`] of as many limbs each, for entries below 2^60.
pub(super) fn reduce_limbs_by_words(
    a: &mut [u64],
    b: &mut [u64],
    [[u, v], [u1, v1]]: leading::Matrix,
) {
    let (mut to_a, mut to_b) = (0, 0);
    for (x, y) in a.iter_mut().zip(b) {
        let (old_x, old_y) = (*x, *y);
        *x = difference_of_products([old_x, old_y], [v1, v], &mut to_a);
        *y = difference_of_products([old_y, old_x], [u, u1], &mut to_b);
    }
    debug_assert_eq!((to_a, to_b), (0, 0));
}

/// A limb of a·x − b·y, with a carry of either sign.
#[inline(always)]
fn difference_of_products([a, b]: [u64; 2], [x, y]: [u64; 2], carry: &mut i64) -> u64 {
    let (plus, minus) = (u128::from(a) * u128::from(x), u128::from(b) * u128::from(y));
    // Both are below 2^124.
    let difference = (plus as i128 - minus as i128) + i128::from(*carry);
    *carry = (difference >> 64) as i64;
    difference as u64
}

/// The pair whose high limbs, from limb p upward, `matrix` has reduced to `high`: (a, b) := M⁻¹·(a, b), from the low limbs.
pub(super) fn reduce_low(
    multiplier: &Multiplier,
    pair: &mut [Number; 2],
    p: usize,
    high: [Number; 2],
    matrix: &Matrix,
) {
    let Matrix([[u, v], [u1, v1]]) = matrix;
    let [a, b] = &*pair;
    let low = |x: &Number| {
        let mut low = x[..p.min(x.len())].to_vec();
        truncate_zeros(&mut low);
        low
    };
    let (a, b) = (low(a), low(b));
    let [high_a, high_b] = high;
    let reduced = |high: Number, x: &Number, times: &Number, y: &Number, less: &Number| {
        let threads = shared(p);
        let (plus, minus) = threads.join(
            || multiplied(multiplier, x, times),
            || multiplied(multiplier, y, less),
        );
        let mut shifted = vec![0; p];
        shifted.extend(high);
        let mut whole = sum(shifted, plus);
        let borrow = sub_assign(&mut whole, &minus);
        debug_assert!(borrow == 0 && minus.len() <= whole.len());
        truncate_zeros(&mut whole);
        whole
    };
    let (a, b) = shared(p).join(
        || reduced(high_a, &a, v1, &b, v),
        || reduced(high_b, &b, u, &a, u1),
    );
    *pair = [a, b];
}
