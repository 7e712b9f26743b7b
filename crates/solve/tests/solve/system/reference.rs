//! The slow solver that is trusted: determinants, Sturm's theorem, and pairs of roots one after the other.
//!
//! Coordinates are among the real roots of the Sylvester determinants of f and g, with entries in Z[x] by elimination without
//! fractions (E. Bareiss), which Sturm chains count and bisection separates. A pair (α, β) of roots of p and q, of degrees P and Q, is
//! a zero of f, of degrees a and b, if |f(α, β)| is less than any value but 0 that it can have: f(α, β) is a root of
//! Π (z − f(α_i, β_j)) over all roots times lc(p)^(a·Q)·lc(q)^(b·P), an integral polynomial whose coefficients are at most
//! (1 + ‖f‖₁)^(P·Q)·M(p)^(a·Q)·M(q)^(b·P), and whose roots other than 0 are no less than 1/(1 + H) for the greatest coefficient H.
//! Multiplicities are those of x + s·y in sheared resultants, at least over several s.

use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, IntegerPolyRing, Poly};

type P = Poly<Integer>;

/// Bits at which most pairs are ruled out.
const SHORT: usize = 64;

/// A point by intervals [a, a + 1]/2^bits of its coordinates, and its multiplicity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    pub x: Integer,
    pub y: Integer,
    pub bits: usize,
    pub multiplicity: usize,
}

fn add(a: &P, b: &P, sign: i32) -> P {
    let at = |f: &P, i| f.coefficients().get(i).cloned().unwrap_or(Integer::ZERO);
    let len = a.len().max(b.len());
    Poly::new(
        (0..len)
            .map(|i| at(a, i) + at(b, i) * Integer::from(sign))
            .collect(),
    )
}

fn derivative(f: &P) -> P {
    let terms = f.coefficients().iter().enumerate().skip(1);
    Poly::new(terms.map(|(i, c)| c * Integer::from(i)).collect())
}

fn gcd(a: &P, b: &P) -> P {
    let ring = IntegerPolyRing::new();
    let (mut a, mut b) = (a.clone(), b.clone());
    while !b.is_zero() {
        let rest = ring.pseudo_divrem(&a, &b).expect("b is not 0").1;
        (a, b) = (ring.primitive_part(&b), ring.primitive_part(&rest));
    }
    ring.primitive_part(&a)
}

fn square_free(f: &P) -> P {
    let ring = IntegerPolyRing::new();
    let primitive = ring.primitive_part(f);
    ring.div_exact(&primitive, &gcd(&primitive, &derivative(&primitive)))
        .expect("a divisor")
}

/// The Sylvester determinant of f and g in y.
pub fn resultant(f: &BivariatePoly<Integer>, g: &BivariatePoly<Integer>) -> P {
    let ring = IntegerPolyRing::new();
    let (m, n) = (f.rows().len() - 1, g.rows().len() - 1);
    let row = |of: &BivariatePoly<Integer>, shift: usize| -> Vec<P> {
        let mut row = vec![Poly::zero(); m + n];
        let coefficients = of.rows().iter().rev().enumerate();
        coefficients.for_each(|(i, c)| row[shift + i] = c.clone());
        row
    };
    let mut rows: Vec<_> = (0..n)
        .map(|i| row(f, i))
        .chain((0..m).map(|i| row(g, i)))
        .collect();
    let mut before = Poly::new(vec![Integer::ONE]);
    let mut sign = 1;
    for k in 0..m + n {
        let Some(pivot) = (k..m + n).find(|&i| !rows[i][k].is_zero()) else {
            return Poly::zero();
        };
        if pivot != k {
            rows.swap(pivot, k);
            sign = -sign;
        }
        let (head, tail) = rows.split_at_mut(k + 1);
        for other in tail {
            for j in k + 1..m + n {
                let cross = add(
                    &ring.mul(&head[k][k], &other[j]),
                    &ring.mul(&other[k], &head[k][j]),
                    -1,
                );
                other[j] = ring.div_exact(&cross, &before).expect("no fractions");
            }
        }
        before = head[k][k].clone();
    }
    add(&Poly::zero(), &before, sign)
}

/// 2^(bits·deg f) times the value at a/2^bits.
fn value(f: &P, a: &Integer, bits: usize) -> Integer {
    let rows = f.coefficients().iter().rev().enumerate();
    rows.fold(Integer::ZERO, |sum, (i, c)| sum * a + (c << (bits * i)))
}

struct Sturm(Vec<P>);

impl Sturm {
    fn new(f: &P) -> Self {
        let ring = IntegerPolyRing::new();
        let mut chain = vec![f.clone(), derivative(f)];
        while chain[chain.len() - 1].len() > 1 {
            let [.., a, b] = &chain[..] else {
                unreachable!("two to begin with")
            };
            let mut rest = ring.pseudo_divrem(a, b).expect("b is not 0").1;
            let odd = (a.len() - b.len() + 1) % 2 == 1;
            // A positive multiple of the negative remainder.
            if !(odd && b.coefficients()[b.len() - 1] < Integer::ZERO) {
                rest = add(&Poly::zero(), &rest, -1);
            }
            if rest.is_zero() {
                break;
            }
            let content = ring.content(&rest);
            chain.push(Poly::new(
                rest.coefficients().iter().map(|c| c / &content).collect(),
            ));
        }
        Self(chain)
    }

    fn changes(&self, a: &Integer, bits: usize) -> usize {
        let signs = self
            .0
            .iter()
            .map(|f| value(f, a, bits))
            .filter(|v| !v.is_zero());
        let signs: Vec<bool> = signs.map(|v| v > Integer::ZERO).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// Roots in (a, b]/2^bits.
    fn count(&self, a: &Integer, b: &Integer, bits: usize) -> usize {
        self.changes(a, bits) - self.changes(b, bits)
    }
}

/// The real roots of a square-free polynomial by the a with a/2^bits < root ≤ (a + 1)/2^bits, where no two have the same.
fn isolated(f: &P) -> (Vec<Integer>, usize) {
    if f.len() < 2 {
        return (Vec::new(), 0);
    }
    let chain = Sturm::new(f);
    // All roots are less (A.-L. Cauchy).
    let bound = f
        .coefficients()
        .iter()
        .map(|c| c.clone().abs())
        .max()
        .unwrap_or_default()
        + 1;
    let count = chain.count(&-&bound, &bound, 0);
    let mut intervals = vec![(-&bound, bound, count)];
    // Integral ends first.
    while intervals.iter().any(|(a, b, _)| b - a > Integer::ONE) {
        intervals = halved(&chain, intervals, 0);
    }
    let mut bits = 0;
    while intervals.iter().any(|(_, _, count)| *count > 1) {
        bits += 1;
        let doubled = intervals
            .into_iter()
            .map(|(a, b, count)| (a * 2, b * 2, count));
        intervals = halved(&chain, doubled.collect(), bits);
    }
    let found = intervals.into_iter().filter(|(_, _, count)| *count > 0);
    (found.map(|(a, _, _)| a).collect(), bits)
}

/// Halves of intervals that hold roots.
fn halved(
    chain: &Sturm,
    intervals: Vec<(Integer, Integer, usize)>,
    bits: usize,
) -> Vec<(Integer, Integer, usize)> {
    let mut halves = Vec::new();
    for (a, b, count) in intervals {
        if &b - &a <= Integer::ONE {
            halves.push((a, b, count));
            continue;
        }
        let middle = (&a + &b) >> 1;
        let left = chain.count(&a, &middle, bits);
        halves.push((a, middle.clone(), left));
        halves.push((middle, b, count - left));
    }
    halves.retain(|(_, _, count)| *count > 0);
    halves
}

/// Whether the only root with a < 2^bits·root ≤ b is at most m, by signs.
fn is_left(f: &P, b: &Integer, m: &Integer, bits: usize) -> bool {
    let (at_b, at_m) = (value(f, b, bits), value(f, m, bits));
    !at_b.is_zero() && (at_m.is_zero() || (at_m > Integer::ZERO) == (at_b > Integer::ZERO))
}

/// The root of a square-free polynomial with more bits: Newton's iteration where signs confirm it, else bisection.
fn narrowed(f: &P, a: &Integer, bits: usize, most_bits: usize) -> Integer {
    let slope = derivative(f);
    let (mut a, mut bits) = (a.clone(), bits);
    while bits < most_bits {
        let next = (2 * bits).clamp(bits + 1, most_bits);
        let (low, high) = (&a << (next - bits), (&a + 1) << (next - bits));
        let middle: Integer = (&low + &high) >> 1;
        let by = value(&slope, &middle, next);
        if !by.is_zero() {
            let guess = &middle - value(f, &middle, next) / by;
            let guess = guess - 1;
            let inside = guess >= low && &guess + 2 <= high;
            if inside && !is_left(f, &high, &guess, next) && is_left(f, &high, &(&guess + 2), next)
            {
                let middle = &guess + 1;
                a = if is_left(f, &high, &middle, next) {
                    guess
                } else {
                    middle
                };
                bits = next;
                continue;
            }
        }
        let middle: Integer = &a * 2 + 1;
        let high: Integer = (&a + 1) * 2;
        bits += 1;
        a = if is_left(f, &high, &middle, bits) {
            &middle - 1
        } else {
            middle
        };
    }
    a
}

/// The least and the greatest of the products of ends.
fn product(a: &(Integer, Integer), b: &(Integer, Integer)) -> (Integer, Integer) {
    let all = [&a.0 * &b.0, &a.0 * &b.1, &a.1 * &b.0, &a.1 * &b.1];
    (
        all.iter().min().cloned().unwrap_or_default(),
        all.iter().max().cloned().unwrap_or_default(),
    )
}

/// A bound of |f| over a box of width 2^−bits, times 2^bits, from below and above.
fn range(f: &BivariatePoly<Integer>, x: &Integer, y: &Integer, bits: usize) -> (Integer, Integer) {
    let (x, y) = ((x.clone(), x + 1), (y.clone(), y + 1));
    let horner = |sum: (Integer, Integer), at: &(Integer, Integer), c: (Integer, Integer)| {
        let (low, high) = product(&sum, at);
        ((low >> bits) + c.0, -((-high) >> bits) + c.1)
    };
    let row = |row: &P| {
        let zero = (Integer::ZERO, Integer::ZERO);
        let terms = row.coefficients().iter().rev();
        terms.fold(zero, |sum, c| horner(sum, &x, (c << bits, c << bits)))
    };
    let zero = (Integer::ZERO, Integer::ZERO);
    f.rows()
        .iter()
        .rev()
        .fold(zero, |sum, r| horner(sum, &y, row(r)))
}

fn norm_bits(f: &BivariatePoly<Integer>) -> usize {
    let all = f.rows().iter().flat_map(|row| row.coefficients());
    all.map(|c| c.clone().abs()).sum::<Integer>().bit_len() + 1
}

fn length_bits(f: &P) -> usize {
    f.coefficients()
        .iter()
        .map(|c| c.clone().abs())
        .sum::<Integer>()
        .bit_len()
        + 1
}

/// All real points of a system of coprime polynomials with positive degrees in both variables.
pub fn solve(f: &BivariatePoly<Integer>, g: &BivariatePoly<Integer>) -> Vec<Point> {
    let p = square_free(&resultant(f, g));
    let q = square_free(&resultant(&f.swapped(), &g.swapped()));
    let bits_for = |f: &BivariatePoly<Integer>| {
        let (a, b) = (f.degree_x().unwrap_or(0), f.degree_y().unwrap_or(0));
        let (dp, dq) = (p.len() - 1, q.len() - 1);
        norm_bits(f) * dp * dq + a * dq * length_bits(&p) + b * dp * length_bits(&q)
    };
    // Boxes are so small that a value that is 0 is seen to be less than any other one.
    let degree = f.total_degree().max(g.total_degree()).unwrap_or(0);
    let magnitude = 2 * degree * (length_bits(&p).max(length_bits(&q)) + 2);
    let bits = bits_for(f).max(bits_for(g)) + magnitude + norm_bits(f) + norm_bits(g) + 64;
    let roots = |f: &P| -> Vec<(Integer, Integer)> {
        let (found, few) = isolated(f);
        let both = |a: &Integer| {
            let short = narrowed(f, a, few, few.max(SHORT));
            let short = short >> (few.max(SHORT) - SHORT);
            (short, narrowed(f, a, few, bits))
        };
        found.iter().map(both).collect()
    };
    let (xs, ys) = (roots(&p), roots(&q));
    let vanishes = |f: &BivariatePoly<Integer>, x: &Integer, y: &Integer| {
        let (low, high) = range(f, x, y, bits);
        let zero = low <= Integer::ZERO && high >= Integer::ZERO;
        let least = Integer::ONE << (bits - bits_for(f));
        assert!(
            !zero || (-low < least && high < least),
            "the box is too wide"
        );
        zero
    };
    let sheared: Vec<P> = (5..9)
        .map(|s| resultant(&shear(f, s), &shear(g, s)))
        .collect();
    let mut points = Vec::new();
    for x in &xs {
        for y in &ys {
            let near = |f| {
                let (low, high) = range(f, &x.0, &y.0, SHORT);
                low <= Integer::ZERO && high >= Integer::ZERO
            };
            let (x, y) = (&x.1, &y.1);
            if near(f) && near(g) && vanishes(f, x, y) && vanishes(g, x, y) {
                let all = sheared
                    .iter()
                    .zip(5i64..)
                    .map(|(r, s)| order(r, x, y, s, bits));
                points.push(Point {
                    x: x.clone(),
                    y: y.clone(),
                    bits,
                    multiplicity: all.min().unwrap_or(0),
                });
            }
        }
    }
    points
}

/// f(t − s·y, y) by its definition.
fn shear(f: &BivariatePoly<Integer>, s: i64) -> BivariatePoly<Integer> {
    let degree = f.total_degree().unwrap_or(0);
    let mut rows = vec![vec![Integer::ZERO; degree + 1]; degree + 1];
    for (j, row) in f.rows().iter().enumerate() {
        for (i, c) in row.coefficients().iter().enumerate() {
            let mut binomial = Integer::ONE;
            for k in 0..=i {
                rows[j + k][i - k] += c * &binomial * Integer::from(-s).pow(k);
                binomial = binomial * Integer::from(i - k) / Integer::from(k + 1);
            }
        }
    }
    BivariatePoly::new(rows.into_iter().map(Poly::new).collect())
}

/// How often x + s·y is a root.
fn order(f: &P, x: &Integer, y: &Integer, s: i64, bits: usize) -> usize {
    let (low, high) = (x + y * s - 1, x + 1 + (y + 1) * s + 1);
    let whole = Sturm::new(&square_free(f));
    assert_eq!(whole.count(&low, &high, bits), 1, "other roots are near");
    let mut rest = IntegerPolyRing::new().primitive_part(f);
    let mut order = 0;
    while rest.len() > 1 && Sturm::new(&square_free(&rest)).count(&low, &high, bits) == 1 {
        order += 1;
        rest = gcd(&rest, &derivative(&rest));
    }
    order
}
