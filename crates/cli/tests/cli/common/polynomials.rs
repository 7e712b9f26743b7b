//! Polynomials modulo a prime by their definitions, for checking what the program finds.

use super::Sandbox;
use rug::Integer;
use sunzi_testkit::Random;

/// The primes of all kinds of fields.
pub const PRIMES: [&str; 10] = [
    "3",
    "97",
    "469762049",
    "2147483647",
    "2^60-2^18+1",
    "9223372036854775783",
    "2^64-2^32+1",
    "P4",
    "P8F",
    "(2^62+2^36)^16+1",
];

/// Coefficients from the constant term upward, the last one not zero.
pub type Polynomial = Vec<Integer>;

/// Residues modulo a prime.
pub struct Modulo {
    pub prime: Integer,
}

impl Modulo {
    /// The prime of which the program says that `text` means it.
    pub fn named(sandbox: &Sandbox, text: &str) -> Self {
        let prime = sandbox.prime(text);
        Self { prime }
    }

    pub fn reduce(&self, value: Integer) -> Integer {
        value.modulo(&self.prime)
    }

    /// A seeded residue; 0, 1 and p − 1 come often.
    pub fn random(&self, seed: u64) -> Integer {
        match seed % 8 {
            0 => Integer::new(),
            1 => Integer::from(1),
            2 => Integer::from(&self.prime - 1),
            _ => self.reduce(Random::new(seed).decimal(700).parse().unwrap()),
        }
    }

    /// A polynomial of this many coefficients, the last of which is p − 1.
    pub fn polynomial(&self, count: usize, seed: u64) -> Polynomial {
        let mut values: Polynomial = (0..count as u64)
            .map(|i| self.random(seed.wrapping_mul(1009) + 7919 * i))
            .collect();
        if let Some(last) = values.last_mut() {
            *last = Integer::from(&self.prime - 1);
        }
        values
    }

    pub fn product(&self, a: &[Integer], b: &[Integer]) -> Polynomial {
        let product = sunzi_testkit::convolution(a, b);
        trimmed(
            product
                .into_iter()
                .map(|value| self.reduce(value))
                .collect(),
        )
    }

    pub fn sum(&self, a: &[Integer], b: &[Integer]) -> Polynomial {
        let zero = Integer::new();
        let at = |x: &[Integer], i: usize| x.get(i).unwrap_or(&zero).clone();
        let sums = (0..a.len().max(b.len())).map(|i| self.reduce(at(a, i) + at(b, i)));
        trimmed(sums.collect())
    }

    pub fn inverse(&self, value: &Integer) -> Integer {
        Integer::from(value.invert_ref(&self.prime).unwrap())
    }

    /// The remainder of school division.
    pub fn remainder(&self, a: &[Integer], b: &[Integer]) -> Polynomial {
        let mut rest = a.to_vec();
        let inverse = self.inverse(b.last().unwrap());
        while rest.len() >= b.len() {
            let factor = self.reduce(Integer::from(rest.last().unwrap() * &inverse));
            let shift = rest.len() - b.len();
            for (i, value) in b.iter().enumerate() {
                rest[shift + i] = self.reduce(Integer::from(&rest[shift + i] - &factor * value));
            }
            rest.pop();
        }
        trimmed(rest)
    }

    /// The value at a point, by Horner's rule.
    pub fn value(&self, a: &[Integer], point: &Integer) -> Integer {
        a.iter().rev().fold(Integer::new(), |value, coefficient| {
            self.reduce(value * point + coefficient)
        })
    }

    /// The determinant of the Sylvester matrix, by elimination.
    pub fn resultant(&self, a: &[Integer], b: &[Integer]) -> Integer {
        let (m, n) = (a.len() - 1, b.len() - 1);
        let mut rows = vec![vec![Integer::new(); m + n]; m + n];
        for (row, shift) in (0..n).enumerate() {
            for (i, value) in a.iter().rev().enumerate() {
                rows[row][shift + i] = value.clone();
            }
        }
        for (row, shift) in (n..m + n).zip(0..m) {
            for (i, value) in b.iter().rev().enumerate() {
                rows[row][shift + i] = value.clone();
            }
        }
        let mut determinant = Integer::from(1);
        for column in 0..m + n {
            let Some(pivot) = (column..m + n).find(|&row| rows[row][column] != 0) else {
                return Integer::new();
            };
            if pivot != column {
                rows.swap(pivot, column);
                determinant = -determinant;
            }
            let upper = rows[column].clone();
            let inverse = self.inverse(&upper[column]);
            determinant = self.reduce(determinant * &upper[column]);
            for row in &mut rows[column + 1..] {
                let factor = self.reduce(Integer::from(&row[column] * &inverse));
                for (value, above) in row.iter_mut().zip(&upper) {
                    *value = self.reduce(Integer::from(&*value - &factor * above));
                }
            }
        }
        self.reduce(determinant)
    }
}

/// Without zeros at the end.
fn trimmed(mut a: Polynomial) -> Polynomial {
    while a.last().is_some_and(|last| *last == 0) {
        a.pop();
    }
    a
}

/// A line of coefficients.
pub fn line(a: &[Integer]) -> String {
    let words: Vec<String> = a.iter().map(Integer::to_string).collect();
    match words.is_empty() {
        true => "0\n".to_owned(),
        false => words.join(" ") + "\n",
    }
}

/// The polynomials of all lines, which must be written as the program writes them.
pub fn polynomials(text: &str) -> Vec<Polynomial> {
    let read = |text: &str| trimmed(text.split(' ').map(|word| word.parse().unwrap()).collect());
    let found: Vec<Polynomial> = text.lines().map(read).collect();
    let again: String = found.iter().map(|polynomial| line(polynomial)).collect();
    assert!(text == again, "zeros at the end, or other blanks: {text}");
    found
}

/// A file of numbers, one a line.
pub fn column(values: &[Integer]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

/// The numbers of all lines.
pub fn numbers(text: &str) -> Vec<Integer> {
    text.lines().map(|line| line.parse().unwrap()).collect()
}
