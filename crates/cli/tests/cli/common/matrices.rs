//! Matrices for tests, their files, and their determinants by other means.

use rug::ops::Pow;
use rug::{Integer, Rational};
use sunzi_testkit::Random;

/// Primes of all kinds of fields.
pub const PRIMES: [&str; 7] = [
    "97",
    "469762049",
    "2^60-2^18+1",
    "9223372036854775783",
    "2^64-2^32+1",
    "P4",
    "P8",
];

pub type Matrix = Vec<Vec<Integer>>;

/// Seeded entries of about this many bits, of both signs; some are 0.
pub fn random(n: usize, bits: u32, seed: u64) -> Matrix {
    let entry = |i: usize, j: usize| {
        let seed = seed.wrapping_mul(1_000_003) + (i * n + j) as u64;
        let value: Integer = Random::new(seed).decimal(100).parse().unwrap();
        let value = value >> (332 - bits.min(330));
        match seed % 7 {
            0 => Integer::new(),
            1 | 3 | 5 => -value,
            _ => value,
        }
    };
    (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect()
}

/// A row a line.
pub fn table(matrix: &Matrix) -> String {
    let row = |row: &Vec<Integer>| {
        let words: Vec<String> = row.iter().map(Integer::to_string).collect();
        words.join(" ") + "\n"
    };
    matrix.iter().map(row).collect()
}

/// The entries column by column.
pub fn market_array(matrix: &Matrix) -> String {
    let n = matrix.len();
    let mut text =
        format!("%%MatrixMarket matrix array integer general\n% made by a test\n{n} {n}\n");
    for j in 0..n {
        for row in matrix {
            text += &format!("{}\n", row[j]);
        }
    }
    text
}

/// Those that are not 0.
pub fn market_coordinates(matrix: &Matrix) -> String {
    let n = matrix.len();
    let mut entries = Vec::new();
    for (i, row) in matrix.iter().enumerate() {
        for (j, value) in row.iter().enumerate().filter(|(_, value)| **value != 0) {
            entries.push(format!("{} {} {value}\n", i + 1, j + 1));
        }
    }
    let count = entries.len();
    format!(
        "%%MatrixMarket matrix coordinate integer general\n{n} {n} {count}\n{}",
        entries.concat()
    )
}

/// The determinant by elimination without fractions (Bareiss, 1968).
pub fn bareiss(matrix: &Matrix) -> Integer {
    let mut rows = matrix.clone();
    let n = rows.len();
    let mut sign = 1;
    let mut previous = Integer::from(1);
    for k in 0..n {
        let Some(pivot) = (k..n).find(|&row| rows[row][k] != 0) else {
            return Integer::new();
        };
        if pivot != k {
            rows.swap(pivot, k);
            sign = -sign;
        }
        let upper = rows[k].clone();
        for row in &mut rows[k + 1..] {
            let factor = row[k].clone();
            for (value, above) in row.iter_mut().zip(&upper).skip(k) {
                let cross = Integer::from(&*value * &upper[k]) - Integer::from(&factor * above);
                *value = cross.div_exact(&previous);
            }
        }
        previous = upper[k].clone();
    }
    previous * sign
}

/// The Hilbert matrix, whose entries are 1/(i + j + 1), as a table.
pub fn hilbert(n: usize) -> String {
    let row = |i: usize| {
        let words: Vec<String> = (0..n).map(|j| format!("1/{}", i + j + 1)).collect();
        words.join(" ") + "\n"
    };
    (0..n).map(row).collect()
}

/// Its determinant: c^4 / C with c = 1! 2! … (n−1)! and C = 1! 2! … (2n−1)!.
pub fn hilbert_determinant(n: usize) -> Rational {
    let product = |last: usize| {
        (1..=last as u32).fold(Integer::from(1), |product, i| {
            product * Integer::from(Integer::factorial(i))
        })
    };
    Rational::from((product(n - 1).pow(4), product(2 * n - 1)))
}

/// The residue of a quotient whose denominator is a unit.
pub fn modulo(value: &Rational, prime: &Integer) -> Integer {
    let inverse = value.denom().clone().invert(prime).unwrap();
    (value.numer().clone() * inverse).modulo(prime)
}
