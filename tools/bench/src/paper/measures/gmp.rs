//! The other side of the papers' comparisons: the same method with GMP's numbers, for which a power of r is a factor
//! like any other.
//!
//! **Algorithm.** Transforms of K^e points by Algorithm 5 of the thesis of 2021: permutations, base cases of K points,
//! products with twiddle factors, level by level, each level on all threads of the pool.

use crate::steps::Steps;
use crate::subject::Example;
use rayon::prelude::*;
use rug::integer::Order;
use rug::{Assign, Integer};
use std::hint::black_box;
use std::time::Instant;
use sunzi::Natural;
use sunzi_measure::Work;

/// A number of Sunzi's as one of GMP's.
pub fn integer(natural: &Natural) -> Integer {
    Integer::from_digits(natural.as_limbs(), Order::Lsf)
}

/// Products of pairs modulo a prime, one at a time, each by `mpz_mul` and `mpz_mod`.
pub fn products(example: &Example) -> (Work<'static>, usize) {
    let prime = integer(&example.prime);
    let (mut x, y): (Vec<_>, Vec<_>) = example
        .input
        .chunks_exact(2)
        .map(|pair| (integer(&pair[0]), integer(&pair[1])))
        .unzip();
    let pairs = x.len();
    let work = move |times: usize| {
        for _ in 0..times {
            for (x, y) in x.iter_mut().zip(black_box(&y)) {
                *x *= y;
                *x %= &prime;
            }
        }
    };
    (Box::new(work), pairs)
}

/// Products of pairs of integers of so many limbs, one after the other by `mpz_mul`.
pub fn batch(x: &[u64], y: &[u64], limbs: usize) -> Work<'static> {
    let integers = |all: &[u64]| -> Vec<Integer> {
        let each = all.chunks_exact(limbs);
        each.map(|limbs| Integer::from_digits(limbs, Order::Lsf))
            .collect()
    };
    let (x, y) = (integers(x), integers(y));
    let mut products = vec![Integer::new(); x.len()];
    Box::new(move |times: usize| {
        for _ in 0..times {
            let pairs = x.iter().zip(black_box(&y));
            for (product, (x, y)) in products.iter_mut().zip(pairs) {
                product.assign(x * y);
            }
            black_box(&products);
        }
    })
}

/// A transform of K^e points.
pub struct GmpTransform {
    prime: Integer,
    big_k: usize,
    /// ω^i for all i below N.
    powers: Vec<Integer>,
}

impl GmpTransform {
    /// That of an example; N is a power of K.
    pub fn new(example: &Example, big_k: usize) -> Self {
        let prime = integer(&example.prime);
        let root = integer(&example.root);
        let next = |power: &Integer| Some(Integer::from(power * &root) % &prime);
        let powers = std::iter::successors(Some(Integer::from(1)), next);
        Self {
            powers: powers.take(example.input.len()).collect(),
            prime,
            big_k,
        }
    }

    /// Values at the powers of ω, in natural order, and the seconds of the steps.
    pub fn forward(&self, x: &mut Vec<Integer>) -> Steps {
        let (points, big_k) = (x.len(), self.big_k);
        let mut steps = Steps {
            points: points as u64,
            permutation: 0.0,
            base_case: 0.0,
            twiddle: 0.0,
        };
        let timed = |seconds: &mut f64, work: &mut dyn FnMut()| {
            let start = Instant::now();
            work();
            *seconds += start.elapsed().as_secs_f64();
        };
        let mut size = points;
        while size > big_k {
            timed(&mut steps.permutation, &mut || {
                transpose(x, size, size / big_k, big_k)
            });
            size /= big_k;
        }
        loop {
            timed(&mut steps.base_case, &mut || {
                x.par_chunks_mut(big_k)
                    .for_each(|block| self.base_case(block));
            });
            if size > big_k {
                timed(&mut steps.permutation, &mut || {
                    transpose(x, size, size / big_k, big_k)
                });
            }
            if size == points {
                return steps;
            }
            size *= big_k;
            let below = size / big_k;
            timed(&mut steps.twiddle, &mut || {
                x.par_chunks_mut(below)
                    .enumerate()
                    .for_each(|(number, group)| {
                        let step = number % big_k * (points / size);
                        for (place, x) in group.iter_mut().enumerate() {
                            *x *= &self.powers[step * place];
                            *x %= &self.prime;
                        }
                    });
            });
            timed(&mut steps.permutation, &mut || {
                transpose(x, size, big_k, below)
            });
        }
    }

    /// K points in place: radix 2, all butterflies with products.
    fn base_case(&self, x: &mut [Integer]) {
        let bits = x.len().ilog2();
        for i in 0..x.len() {
            let j = i.reverse_bits() >> (usize::BITS - bits);
            if i < j {
                x.swap(i, j);
            }
        }
        let mut half = 1;
        while half < x.len() {
            let stride = self.powers.len() / (2 * half);
            for block in x.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for (place, (a, b)) in low.iter_mut().zip(high).enumerate() {
                    *b *= &self.powers[place * stride];
                    *b %= &self.prime;
                    let mut sum = Integer::from(&*a + &*b);
                    if sum >= self.prime {
                        sum -= &self.prime;
                    }
                    *a -= &*b;
                    if a.is_negative() {
                        *a += &self.prime;
                    }
                    *b = std::mem::replace(a, sum);
                }
            }
            half *= 2;
        }
    }
}

/// Transposes each run of `size` numbers as a matrix of so many rows and columns.
fn transpose(x: &mut Vec<Integer>, size: usize, rows: usize, columns: usize) {
    let mut old: Vec<Integer> = std::mem::take(x);
    x.reserve_exact(old.len());
    for run in old.chunks_exact_mut(size) {
        for column in 0..columns {
            x.extend((0..rows).map(|row| std::mem::take(&mut run[row * columns + column])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::subject;
    use sunzi::field::named_prime;

    #[test]
    fn both_sides_compute_the_same() {
        for (name, e) in [
            ("P4", 1),
            ("P4", 2),
            ("P4", 3),
            ("P4", 4),
            ("P8", 2),
            ("P16", 2),
        ] {
            let prime = named_prime(name).unwrap();
            let big_k = 2 * prime.digits;
            let subject = subject(prime).unwrap();
            let example = subject.example(big_k.pow(e)).unwrap();
            let mut x: Vec<Integer> = example.input.iter().map(integer).collect();
            GmpTransform::new(&example, big_k).forward(&mut x);
            let expected: Vec<Integer> = example.output.iter().map(integer).collect();
            assert!(x == expected, "{name}, K^{e}");
        }
    }
}
