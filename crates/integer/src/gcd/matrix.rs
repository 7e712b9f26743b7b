//! Matrices of long integers, of determinant 1 and without negative entries, and pairs of numbers that they reduce.

use super::leading;
use crate::multiplier::Multiplier;
use sunzi_machine::threads::Threads;
use sunzi_rns::limbs::{add_assign, addmul_1, mul_1, sub_assign, submul_1, truncate_zeros};

/// Limbs without zeros at the end.
pub type Number = Vec<u64>;

/// u, v and below them u′, v′, with (a, b) = M·(α, β).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix(pub [[Number; 2]; 2]);

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
pub(super) fn add_product(
    multiplier: &Multiplier,
    row: &mut [Number; 2],
    q: &[u64],
    shrunk: usize,
) {
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
pub(super) fn row_by_words(row: &mut [Number; 2], [[u, v], [u1, v1]]: leading::Matrix) {
    let [first, second] = row;
    *row = [
        combined_by_words(first, u, second, u1),
        combined_by_words(first, v, second, v1),
    ];
}

/// A row times a matrix.
pub(super) fn row_by(multiplier: &Multiplier, row: &mut [Number; 2], m: &Matrix) {
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

/// a·x + b·y, for words below 2^62.
fn combined_by_words(a: &[u64], x: u64, b: &[u64], y: u64) -> Number {
    let mut sum = vec![0; a.len().max(b.len()) + 1];
    let high = mul_1(&mut sum[..a.len()], a, x);
    sum[a.len()] = high;
    let carry = addmul_1(&mut sum[..b.len()], b, y);
    sunzi_rns::limbs::add_1(&mut sum[b.len()..], carry);
    truncate_zeros(&mut sum);
    sum
}

/// The pair (a, b) := M⁻¹·(a, b) for a matrix of words that leaves both positive; the memory of `spare` is used, and changed with the pair's.
pub(super) fn reduce_by_words(
    pair: &mut [Number; 2],
    spare: &mut [Number; 2],
    [[u, v], [u1, v1]]: leading::Matrix,
) {
    let [a, b] = &*pair;
    let [alpha, beta] = spare;
    difference_by_words(alpha, [a, b], [v1, v]);
    difference_by_words(beta, [b, a], [u, u1]);
    std::mem::swap(pair, spare);
}

/// a·x − b·y, which is not negative.
fn difference_by_words(found: &mut Number, [a, b]: [&[u64]; 2], [x, y]: [u64; 2]) {
    found.clear();
    found.resize(a.len().max(b.len()) + 1, 0);
    found[a.len()] = mul_1(&mut found[..a.len()], a, x);
    let borrow = submul_1(&mut found[..b.len()], b, y);
    sunzi_rns::limbs::sub_1(&mut found[b.len()..], borrow);
    truncate_zeros(found);
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
