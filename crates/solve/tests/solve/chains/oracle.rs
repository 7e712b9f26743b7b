//! Slow definitions: polynomials over a field of p² elements, products of polynomials in two variables, parsing.

use sunzi_field::Fp64;
use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, Poly, PolyRing};
use sunzi_solve::RegularChain;
use sunzi_testkit::Random;

/// Integers as a polynomial, one row a power of y.
pub(super) fn over_z(rows: &[&[i64]]) -> BivariatePoly<Integer> {
    let row = |row: &&[i64]| Poly::new(row.iter().map(|&c| Integer::from(c)).collect());
    BivariatePoly::new(rows.iter().map(row).collect())
}

/// The same modulo a prime.
pub(super) fn modulo(prime: u64, f: &BivariatePoly<Integer>) -> BivariatePoly<u64> {
    f.map(|c| {
        let residue = c % Integer::from(prime);
        let residue = if residue < Integer::ZERO {
            residue + Integer::from(prime)
        } else {
            residue
        };
        u64::try_from(residue).expect("a residue")
    })
}

/// Term by term.
pub(super) fn product(
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
) -> BivariatePoly<Integer> {
    let (Some(m), Some(n), Some(k), Some(l)) =
        (f.degree_y(), g.degree_y(), f.degree_x(), g.degree_x())
    else {
        return BivariatePoly::zero();
    };
    let mut rows = vec![vec![Integer::ZERO; k + l + 1]; m + n + 1];
    for (i, a) in f.rows().iter().enumerate() {
        for (j, b) in g.rows().iter().enumerate() {
            for (s, x) in a.coefficients().iter().enumerate() {
                for (t, y) in b.coefficients().iter().enumerate() {
                    rows[i + j][s + t] += x * y;
                }
            }
        }
    }
    BivariatePoly::new(rows.into_iter().map(Poly::new).collect())
}

pub(super) fn product_of(factors: &[&BivariatePoly<Integer>]) -> BivariatePoly<Integer> {
    factors
        .iter()
        .fold(over_z(&[&[1]]), |all, factor| product(&all, factor))
}

/// All coefficients of a degree below `columns` in x and `rows` in y, of `bits` bits and either sign.
pub(super) fn random_over_z(
    random: &mut Random,
    rows: usize,
    columns: usize,
    bits: usize,
) -> BivariatePoly<Integer> {
    let row = |_| Poly::new((0..columns).map(|_| random.integer(bits)).collect());
    BivariatePoly::new((0..rows).map(row).collect())
}

/// The field of p² elements a + b·√r, r the least number that is no square.
#[derive(Clone, Copy)]
pub(super) struct Square {
    pub(super) p: u64,
    r: u64,
}

pub(super) type Element = (u64, u64);

impl Square {
    pub(super) fn new(p: u64) -> Self {
        let r = (2..p).find(|r| (0..p).all(|x| x * x % p != *r));
        Self {
            p,
            r: r.expect("a number that is no square"),
        }
    }

    pub(super) fn elements(self) -> impl Iterator<Item = Element> {
        (0..self.p * self.p).map(move |i| (i % self.p, i / self.p))
    }

    fn mul(self, (a, b): Element, (c, d): Element) -> Element {
        (
            (a * c + b * d % self.p * self.r) % self.p,
            (a * d + b * c) % self.p,
        )
    }

    fn sub(self, (a, b): Element, (c, d): Element) -> Element {
        ((a + self.p - c) % self.p, (b + self.p - d) % self.p)
    }

    fn inverse(self, x: Element) -> Element {
        // x^(p² − 2).
        let (mut power, mut square, mut exponent) = ((1, 0), x, self.p * self.p - 2);
        while exponent > 0 {
            if exponent % 2 == 1 {
                power = self.mul(power, square);
            }
            square = self.mul(square, square);
            exponent /= 2;
        }
        power
    }

    pub(super) fn value(self, f: &Poly<u64>, x: Element) -> Element {
        let step = |sum, &c: &u64| {
            let (a, b) = self.mul(sum, x);
            ((a + c) % self.p, b)
        };
        f.coefficients().iter().rev().fold((0, 0), step)
    }

    /// The polynomial f(x, y) in y.
    pub(super) fn at(self, f: &BivariatePoly<u64>, x: Element) -> Vec<Element> {
        let mut values: Vec<Element> = f.rows().iter().map(|row| self.value(row, x)).collect();
        trim(&mut values);
        values
    }

    pub(super) fn monic(self, mut f: Vec<Element>) -> Vec<Element> {
        if let Some(&leading) = f.last() {
            let inverse = self.inverse(leading);
            for x in &mut f {
                *x = self.mul(*x, inverse);
            }
        }
        f
    }

    /// The monic greatest common divisor, by Euclid's algorithm.
    pub(super) fn gcd(self, a: Vec<Element>, b: Vec<Element>) -> Vec<Element> {
        let (mut a, mut b) = (self.monic(a), self.monic(b));
        while !b.is_empty() {
            while a.len() >= b.len() {
                let leading = a[a.len() - 1];
                let shift = a.len() - b.len();
                for (i, &y) in b.iter().enumerate() {
                    a[shift + i] = self.sub(a[shift + i], self.mul(leading, y));
                }
                trim(&mut a);
            }
            (a, b) = (b, self.monic(a));
        }
        a
    }
}

fn trim(f: &mut Vec<Element>) {
    while f.last() == Some(&(0, 0)) {
        f.pop();
    }
}

/// Whether chains with coprime T describe the same points as others: their T have the same roots and, over those that two have in
/// common, each S divides a power of the other.
pub(super) fn same_points(
    p: u64,
    these: &[RegularChain<u64>],
    others: &[RegularChain<u64>],
) -> bool {
    let ring = PolyRing::new(Fp64::new(p).unwrap());
    let degree =
        |chains: &[RegularChain<u64>]| chains.iter().map(|chain| chain.t.len() - 1).sum::<usize>();
    let mut common_degree = 0;
    for this in these {
        for other in others {
            let t = ring.gcd(&this.t, &other.t).unwrap();
            if t.len() == 1 {
                continue;
            }
            common_degree += t.len() - 1;
            let [s, r] = [this, other].map(|chain| monic_modulo(&ring, &chain.s, &t));
            if !divides_a_power(&ring, &t, &s, &r) || !divides_a_power(&ring, &t, &r, &s) {
                return false;
            }
        }
    }
    common_degree == degree(these) && common_degree == degree(others)
}

/// By its leading coefficient in y modulo t.
fn monic_modulo(ring: &PolyRing<Fp64>, s: &BivariatePoly<u64>, t: &Poly<u64>) -> Vec<Poly<u64>> {
    let reduce = |row: &Poly<u64>| ring.divrem(row, t).unwrap().1;
    let inverse = ring.xgcd(&reduce(s.leading_row().unwrap()), t).unwrap();
    assert_eq!(
        inverse.gcd,
        Poly::new(vec![1]),
        "no leading coefficient may vanish"
    );
    s.rows()
        .iter()
        .map(|row| reduce(&ring.mul(&reduce(row), &inverse.s)))
        .collect()
}

/// Whether the monic `s` divides r^deg s, that is, whether all its roots are roots of r.
fn divides_a_power(ring: &PolyRing<Fp64>, t: &Poly<u64>, s: &[Poly<u64>], r: &[Poly<u64>]) -> bool {
    let reduce = |row: &Poly<u64>| ring.divrem(row, t).unwrap().1;
    let remainder = |mut f: Vec<Poly<u64>>| {
        while f.len() >= s.len() {
            let leading = f.pop().unwrap();
            let shift = f.len() + 1 - s.len();
            for (i, y) in s[..s.len() - 1].iter().enumerate() {
                f[shift + i] = reduce(&ring.sub(&f[shift + i], &ring.mul(&leading, y)));
            }
        }
        f
    };
    let mut power = vec![Poly::new(vec![1])];
    for _ in 1..s.len() {
        let mut next = vec![Poly::zero(); power.len() + r.len() - 1];
        for (i, a) in power.iter().enumerate() {
            for (j, b) in r.iter().enumerate() {
                next[i + j] = reduce(&ring.add(&next[i + j], &ring.mul(a, b)));
            }
        }
        power = remainder(next);
    }
    power.iter().all(Poly::is_zero)
}
