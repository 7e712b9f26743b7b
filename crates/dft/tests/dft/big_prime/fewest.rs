//! What is said of the number of products, by transforms that count them.

use sunzi_dft::internals::{FewestProducts, First, between};
use sunzi_field::{Field, Fp32, TwoAdicField};

/// Transforms over a small prime field in which the powers of ω^(N/2k) count as rotations.
struct Counting<'a> {
    field: Fp32,
    fewest: &'a FewestProducts,
    root: u32,
    log_n: u32,
    log_cycle: u32,
    products: u64,
}

impl Counting<'_> {
    /// `x·ω^exponent`.
    fn turned(&mut self, x: u32, exponent: usize) -> u32 {
        let exponent = exponent & ((1 << self.log_n) - 1);
        let rotation = exponent.trailing_zeros() >= self.log_n - self.log_cycle;
        self.products += u64::from(exponent != 0 && !rotation);
        self.field
            .mul(x, self.field.pow(self.root, exponent as u64))
    }

    /// The values at the M-th roots of unity, in natural order.
    fn values(&mut self, x: &[u32]) -> Vec<u32> {
        let log = x.len().trailing_zeros();
        let step = 1usize << (self.log_n - log);
        match self.fewest.first(log) {
            First::Rotations => self.by_definition(x, step),
            First::Columns { log: a } => {
                let (rows, columns) = (1 << a, x.len() >> a);
                let mut values = vec![0; x.len()];
                let mut turned = vec![Vec::new(); rows];
                for p in 0..columns {
                    let column: Vec<_> = x.iter().copied().skip(p).step_by(columns).collect();
                    for (j, value) in self.values(&column).into_iter().enumerate() {
                        turned[j].push(self.turned(value, step * p * j));
                    }
                }
                for (j, row) in turned.iter().enumerate() {
                    for (k, value) in self.values(row).into_iter().enumerate() {
                        values[j + rows * k] = value;
                    }
                }
                values
            }
            First::Split => {
                let (low, high) = x.split_at(x.len() / 2);
                let pairs = || low.iter().zip(high);
                let sums: Vec<_> = pairs().map(|(&a, &b)| self.field.add(a, b)).collect();
                let differences: Vec<_> = pairs().map(|(&a, &b)| self.field.sub(a, b)).collect();
                let even = self.values(&sums);
                let odd = self.at_roots_of(&differences, 1 << (self.log_n - 1));
                let mut values = vec![0; x.len()];
                for (k, value) in even.into_iter().enumerate() {
                    values[2 * k] = value;
                }
                for (exponent, value) in odd {
                    values[exponent / step] = value;
                }
                values
            }
        }
    }

    /// The values at the roots of x^M − ω^e, with their exponents; ω^e is a rotation.
    fn at_roots_of(&mut self, x: &[u32], e: usize) -> Vec<(usize, u32)> {
        let log = x.len().trailing_zeros();
        let least = 1usize << (self.log_n - self.log_cycle);
        if log == 0 {
            return vec![(e, x[0])];
        }
        if (e / 2).is_multiple_of(least) {
            let (low, high) = x.split_at(x.len() / 2);
            let turned: Vec<_> = high.iter().map(|&b| self.turned(b, e / 2)).collect();
            let pairs = || low.iter().zip(&turned);
            let sums: Vec<_> = pairs().map(|(&a, &b)| self.field.add(a, b)).collect();
            let differences: Vec<_> = pairs().map(|(&a, &b)| self.field.sub(a, b)).collect();
            let mut values = self.at_roots_of(&sums, e / 2);
            values.extend(self.at_roots_of(&differences, e / 2 + (1 << (self.log_n - 1))));
            return values;
        }
        let psi = e >> log;
        let twisted: Vec<_> = (0..x.len()).map(|i| self.turned(x[i], psi * i)).collect();
        let step = 1usize << (self.log_n - log);
        let values = self.values(&twisted).into_iter().enumerate();
        values
            .map(|(k, value)| ((psi + step * k) & ((1 << self.log_n) - 1), value))
            .collect()
    }

    /// Values at the powers of `ω^step`.
    fn by_definition(&mut self, x: &[u32], step: usize) -> Vec<u32> {
        let value = |this: &mut Self, j: usize| {
            (0..x.len()).fold(0, |sum, i| {
                let term = this.turned(x[i], step * i * j);
                this.field.add(sum, term)
            })
        };
        (0..x.len()).map(|j| value(self, j)).collect()
    }
}

#[test]
fn transforms_take_as_many_products_as_is_said() {
    let field = Fp32::new(65_537).unwrap();
    for log_cycle in 1..=6 {
        for splits in [false, true] {
            let fewest = FewestProducts::up_to(11, log_cycle, splits);
            for log_n in log_cycle..=11 {
                let mut counting = Counting {
                    field: field.clone(),
                    fewest: &fewest,
                    root: field.root_of_unity(log_n).unwrap(),
                    log_n,
                    log_cycle,
                    products: 0,
                };
                let x: Vec<u32> = (0..1u32 << log_n).map(|i| i * i % 65_521).collect();
                let found = counting.values(&x);
                assert_eq!(counting.products, fewest.products(log_n));
                // Some of the values, by Horner's rule.
                for j in (0..x.len()).step_by(37) {
                    let point = field.pow(counting.root, j as u64);
                    let value = x
                        .iter()
                        .rev()
                        .fold(0, |sum, &c| field.add(field.mul(sum, point), c));
                    assert_eq!(found[j], value, "2^{log_n} points, value {j}");
                }
            }
        }
    }
}

#[test]
fn products_between_columns_are_counted_one_by_one() {
    for (a, b) in [(1, 1), (1, 5), (4, 2), (5, 5), (6, 3)] {
        for log_cycle in 1..=(a + b) {
            let least = 1u64 << (a + b - log_cycle);
            let pairs = (0..1u64 << b).flat_map(|p| (0..1u64 << a).map(move |j| p * j));
            let products = pairs.filter(|pair| !pair.is_multiple_of(least)).count() as u64;
            assert_eq!(between(a, b, log_cycle), products, "{a} {b} {log_cycle}");
        }
    }
}

/// Radix 2, where only −1 is free, and the split radix, where i is.
#[test]
fn known_counts_of_small_cycles() {
    let radix_2 = FewestProducts::up_to(10, 1, false);
    // ½·N·log N less the N − 1 products with 1.
    assert_eq!(radix_2.products(10), 5 * 1024 - 1023);
    let split_radix = FewestProducts::up_to(10, 2, true);
    // For 1, 2, 4 … 64 points, about N·log N/3 − 8N/9.
    let counts: Vec<_> = (0..=6).map(|log| split_radix.products(log)).collect();
    assert_eq!(counts, [0, 0, 0, 2, 8, 26, 72]);
}
