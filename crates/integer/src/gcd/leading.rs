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
/// What both numbers stay above. Entries times them are below 2^62, so that the sum of two in a column is below 2^63/FLOOR; the true numbers
/// differ by less than that times ERROR, which is at most half of FLOOR.
const FLOOR: u64 = 3 << 31;
const _: () = assert!((FLOOR as u128) * (FLOOR as u128) >= (2 * ERROR as u128) << 63);

/// The steps that the 126 leading bits of two numbers determine, the longer of which has at least two limbs.
pub(super) fn leading_steps(a: &[u64], b: &[u64]) -> Option<Matrix> {
    let n = a.len().max(b.len());
    let limb = |x: &[u64], i: usize| {
        i.checked_sub(1)
            .and_then(|i| x.get(i))
            .copied()
            .unwrap_or(0)
    };
    let zeros = (limb(a, n) | limb(b, n)).leading_zeros();
    let leading = |x: &[u64]| {
        let two = u128::from(limb(x, n)) << 64 | u128::from(limb(x, n - 1));
        (two << zeros | u128::from(limb(x, n.saturating_sub(2)) >> 1 >> (63 - zeros))) >> 2
    };
    steps(leading(a), leading(b))
}

/// The steps for two numbers, cut off at the same bit: the larger has 126 bits, and each is less than 1 too small. `None` if
/// there are none.
///
/// Entries are below 2^60. Both numbers stay above 2^62 units: each half of the steps leaves more than 2^32 units of its own, less half of
/// them for the error, and the second one's are at least 2^33.
pub fn steps(x: u128, y: u128) -> Option<Matrix> {
    debug_assert!(x.max(y) >> 125 == 1);
    let first = half((x >> 64) as u64, (y >> 64) as u64)?;
    let [[u, v], [u1, v1]] = first.map(|row| row.map(u128::from));
    // The true numbers differ from these by less than v + v′ < 2^31.
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
fn half(mut x: u64, mut y: u64) -> Option<Matrix> {
    if x.min(y) < FLOOR {
        return None;
    }
    let [[mut u, mut v], [mut u1, mut v1]] = ONE;
    // Each number in turn is divided by the other, and once less where it would be too small: then neither can come off the other. No
    // processor could foretell the quotients, so that divisions take less time than cases.
    loop {
        let (q, rest) = (x / y, x % y);
        if rest < FLOOR {
            (v, v1) = (v + (q - 1) * u, v1 + (q - 1) * u1);
            break;
        }
        (x, v, v1) = (rest, v + q * u, v1 + q * u1);
        let (q, rest) = (y / x, y % x);
        if rest < FLOOR {
            (u, u1) = (u + (q - 1) * v, u1 + (q - 1) * v1);
            break;
        }
        (y, u, u1) = (rest, u + q * v, u1 + q * v1);
    }
    let matrix = [[u, v], [u1, v1]];
    (matrix != ONE).then_some(matrix)
}

fn product(a: Matrix, b: Matrix) -> Matrix {
    let entry = |i: usize, j: usize| a[i][0] * b[0][j] + a[i][1] * b[1][j];
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}
