//! Operands, and what they are compared with.

use sunzi_field::primality::is_prime;
use sunzi_integer::Integer;
use sunzi_poly::Poly;

/// A polynomial by its coefficients from the constant term upward.
pub fn poly(coefficients: &[i64]) -> Poly<Integer> {
    Poly::new(coefficients.iter().map(|&x| Integer::from(x)).collect())
}

/// A polynomial of this degree with pseudo-random coefficients of `bits` bits.
pub fn random(degree: usize, bits: usize, seed: u64) -> Poly<Integer> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let mut word = || {
        // xorshift64* (S. Vigna, 2016).
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    };
    let mut coefficient = || {
        let words = bits.div_ceil(64);
        let magnitude = (0..words).fold(Integer::ZERO, |x, _| (x << 64) + Integer::from(word()));
        let magnitude = magnitude >> (64 * words - bits);
        if word() % 2 == 0 {
            magnitude
        } else {
            -magnitude
        }
    };
    let mut coefficients: Vec<Integer> = (0..=degree).map(|_| coefficient()).collect();
    if coefficients[degree].is_zero() {
        coefficients[degree] = Integer::ONE;
    }
    Poly::new(coefficients)
}

/// The determinant of a square matrix of integers by fraction-free elimination (E. Bareiss, 1968).
pub fn determinant(mut rows: Vec<Vec<Integer>>) -> Integer {
    let n = rows.len();
    let (mut sign, mut before) = (Integer::ONE, Integer::ONE);
    for k in 0..n {
        let Some(pivot) = (k..n).find(|&i| !rows[i][k].is_zero()) else {
            return Integer::ZERO;
        };
        if pivot != k {
            rows.swap(pivot, k);
            sign = -sign;
        }
        let (head, tail) = rows.split_at_mut(k + 1);
        let row = &head[k];
        for other in tail {
            for j in k + 1..n {
                let cross = &row[k] * &other[j] - &other[k] * &row[j];
                other[j] = cross / &before;
            }
        }
        before = row[k].clone();
    }
    sign * before
}

/// The coefficient of x^i in S_j by its definition: a minor of the Sylvester matrix.
pub fn minor(f: &Poly<Integer>, g: &Poly<Integer>, j: usize, i: usize) -> Integer {
    let (m, n) = (f.len() - 1, g.len() - 1);
    let size = m + n - 2 * j;
    let at = |f: &Poly<Integer>, power: isize| {
        let power = usize::try_from(power).ok();
        let x = power.and_then(|power| f.coefficients().get(power));
        x.cloned().unwrap_or_default()
    };
    let row = |f: &Poly<Integer>, shift: usize| -> Vec<Integer> {
        let mut powers: Vec<usize> = (j + 1..m + n - j).rev().collect();
        powers.push(i);
        let of = |power: usize| at(f, power as isize - shift as isize);
        powers.into_iter().map(of).collect()
    };
    let rows = (0..n - j).rev().map(|shift| row(f, shift));
    let rows = rows.chain((0..m - j).rev().map(|shift| row(g, shift)));
    let rows: Vec<Vec<Integer>> = rows.collect();
    assert!(rows.iter().all(|row| row.len() == size));
    determinant(rows)
}

/// The resultant as the determinant of the Sylvester matrix.
pub fn sylvester(f: &Poly<Integer>, g: &Poly<Integer>) -> Integer {
    minor(f, g, 0, 0)
}

/// The product by its definition.
pub fn product(f: &Poly<Integer>, g: &Poly<Integer>) -> Poly<Integer> {
    if f.is_zero() || g.is_zero() {
        return Poly::zero();
    }
    let mut product = vec![Integer::ZERO; f.len() + g.len() - 1];
    for (i, x) in f.coefficients().iter().enumerate() {
        for (j, y) in g.coefficients().iter().enumerate() {
            product[i + j] += x * y;
        }
    }
    Poly::new(product)
}

/// The first primes of every plan.
pub fn first_primes(count: usize) -> Vec<u64> {
    let numbers = (0..1u64 << 50).rev().step_by(4);
    numbers.filter(|&n| is_prime(n)).take(count).collect()
}
