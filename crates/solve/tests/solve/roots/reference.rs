//! Counts of real roots by Sturm's theorem, on rational remainders: what tests trust.

use std::cmp::Ordering;
use sunzi_integer::{Integer, Rational};
use sunzi_poly::Poly;

/// The chain f, f', and negated remainders, each times a positive number.
pub(super) struct Sturm {
    chain: Vec<Vec<Rational>>,
}

impl Sturm {
    pub(super) fn new(f: &Poly<Integer>) -> Self {
        let f: Vec<Rational> = f
            .coefficients()
            .iter()
            .cloned()
            .map(Rational::from)
            .collect();
        let terms = f.iter().enumerate().skip(1);
        let slope = terms.map(|(k, c)| c * Rational::from(k as u64)).collect();
        let mut chain = vec![f, slope];
        loop {
            let [.., a, b] = &chain[..] else {
                return Self { chain };
            };
            if b.is_empty() {
                chain.pop();
                return Self { chain };
            }
            let mut rest = a.clone();
            while rest.len() >= b.len() {
                let quotient = &rest[rest.len() - 1] / &b[b.len() - 1];
                let from = rest.len() - b.len();
                for (r, c) in rest[from..].iter_mut().zip(b) {
                    *r = &*r - &quotient * c;
                }
                rest.pop();
            }
            while rest.last().is_some_and(Rational::is_zero) {
                rest.pop();
            }
            let size = rest
                .last()
                .map(|c| if c.signum() < 0 { -c } else { c.clone() });
            let scale = |c: &Rational| -(c / size.clone().expect("a leading coefficient"));
            chain.push(rest.iter().map(scale).collect());
        }
    }

    /// The number of different roots with a < x ≤ b; the ends may be roots.
    pub(super) fn count(&self, a: &Rational, b: &Rational) -> usize {
        let variations = |x: &Rational| {
            let value = |f: &Vec<Rational>| {
                f.iter()
                    .rev()
                    .fold(Rational::ZERO, |value, c| value * x + c)
            };
            let signs = self.chain.iter().map(|f| value(f).cmp(&Rational::ZERO));
            let signs: Vec<_> = signs.filter(|sign| *sign != Ordering::Equal).collect();
            signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
        };
        variations(a) - variations(b)
    }
}
