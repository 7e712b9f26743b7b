//! Steps of Euclid's algorithm that the leading bits of two long numbers determine.
//!
//! D. Lehmer's idea (1938), in the form that N. Möller gives it (*On Schönhage's algorithm and subquadratic integer GCD computation*, 2008): a
//! matrix M of determinant 1 without negative entries, with (x, y) = M·(x′, y′). Any such matrix serves that leaves x′ and y′ positive,
//! whatever the bits are that were cut off: quotients need not be those of Euclid's algorithm.

/// u, v and below them u′, v′.
pub type Matrix = [[u64; 2]; 2];

pub(super) const ONE: Matrix = [[1, 0], [0, 1]];

/// By how many units the leading bits may differ from the true numbers.
const ERROR: u64 = 2;
/// What both numbers stay above: then entries, times them below 2^62, are below 2^31.
const FLOOR: u64 = 1 << 31;

/// The steps for two numbers of which at least 97 bits are known: the larger has 126 bits, and each is less than 1 too small. `None` if
/// there are none.
///
/// Entries are below 2^62. Both numbers stay above 2^62 units: each half of the steps leaves at least 2^31 units of its own, less half of
/// them for the error, and the second one's are at least 2^33.
pub fn steps(x: u128, y: u128) -> Option<Matrix> {
    debug_assert!(x.max(y) >> 125 == 1);
    let first = half((x >> 64) as u64, (y >> 64) as u64)?;
    let [[u, v], [u1, v1]] = first.map(|row| row.map(u128::from));
    // The true numbers differ from these by less than v + v′ < 2^32.
    // Products modulo 2^128, where their differences are the numbers themselves.
    let minus =
        |a: u128, b: u128, c: u128, d: u128| a.wrapping_mul(b).wrapping_sub(c.wrapping_mul(d));
    let (x, y) = (minus(v1, x, v, y), minus(u, y, u1, x));
    let bits = 128 - x.max(y).leading_zeros();
    let cut = bits - 62;
    debug_assert!(cut >= 33);
    let second = half((x >> cut) as u64, (y >> cut) as u64).unwrap_or(ONE);
    Some(product(first, second))
}

/// The steps for two numbers below 2^62 that differ from the true ones by less than [`ERROR`] units; `None` if there are none.
///
/// With (x′, y′) computed, the true ones differ by less than ERROR·(v + v′) and ERROR·(u + u′): both are at least twice that.
fn half(mut x: u64, mut y: u64) -> Option<Matrix> {
    if x.min(y) < FLOOR {
        return None;
    }
    let [[mut u, mut v], [mut u1, mut v1]] = ONE;
    let mut stuck = 0;
    while stuck < 2 {
        // Each number in turn takes off the other; both being stuck, no step is left.
        stuck += 1;
        if let Some(q) = quotient(x, y, u + u1, v + v1) {
            (x, v, v1) = (x - q * y, v + q * u, v1 + q * u1);
            stuck = 0;
        }
        stuck += 1;
        if let Some(q) = quotient(y, x, v + v1, u + u1) {
            (y, u, u1) = (y - q * x, u + q * v, u1 + q * v1);
            stuck = 0;
        }
    }
    let matrix = [[u, v], [u1, v1]];
    (matrix != ONE).then_some(matrix)
}

/// How many times `y` may come off `x`, if at all: the sum of the column that `x` is multiplied by grows with each time by `step`.
///
/// New entries, times y, are at most the number that [`half`] began with: they are below 2^31.
#[inline(always)]
fn quotient(x: u64, y: u64, step: u64, sum: u64) -> Option<u64> {
    if x < y {
        return None;
    }
    let least = |q: u64| FLOOR.max(2 * ERROR * (sum + q * step));
    // Most quotients are small.
    let mut q = 1;
    let mut rest = x - y;
    while rest >= y {
        if q == 4 {
            q = x / y;
            rest = x % y;
            break;
        }
        q += 1;
        rest -= y;
    }
    if rest >= least(q) {
        return Some(q);
    }
    q -= 1;
    (q > 0 && rest + y >= least(q)).then_some(q)
}

fn product(a: Matrix, b: Matrix) -> Matrix {
    let entry = |i: usize, j: usize| a[i][0] * b[0][j] + a[i][1] * b[1][j];
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}
