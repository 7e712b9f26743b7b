//! Systems of two equations with names.

use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, Poly};

use super::coefficient;
use super::roots::chebyshev;
use crate::flint::Signed;
use crate::sample::Sample;

/// A polynomial in x and y that is added to and multiplied term by term.
#[derive(Clone, Debug)]
pub struct Terms(Vec<Vec<Integer>>);

impl Terms {
    fn zero() -> Self {
        Self(Vec::new())
    }

    fn of(terms: &[(usize, usize, i64)]) -> Self {
        let mut sum = Self::zero();
        for &(x, y, coefficient) in terms {
            sum.add(x, y, &Integer::from(coefficient));
        }
        sum
    }

    fn add(&mut self, x: usize, y: usize, coefficient: &Integer) {
        if self.0.len() <= y {
            self.0.resize(y + 1, Vec::new());
        }
        if self.0[y].len() <= x {
            self.0[y].resize(x + 1, Integer::ZERO);
        }
        self.0[y][x] += coefficient;
    }

    /// Powers of x and y, and the coefficient, where it is not zero.
    fn iter(&self) -> impl Iterator<Item = (usize, usize, &Integer)> {
        let rows = self.0.iter().enumerate();
        rows.flat_map(|(y, row)| row.iter().enumerate().map(move |(x, c)| (x, y, c)))
            .filter(|(_, _, coefficient)| !coefficient.is_zero())
    }

    fn plus(&self, factor: i64, other: &Self) -> Self {
        let mut sum = self.clone();
        for (x, y, coefficient) in other.iter() {
            sum.add(x, y, &(coefficient * factor));
        }
        sum
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::zero();
        for (x, y, a) in self.iter() {
            for (u, v, b) in other.iter() {
                product.add(x + u, y + v, &(a * b));
            }
        }
        product
    }

    fn power(&self, exponent: usize) -> Self {
        (0..exponent).fold(Self::of(&[(0, 0, 1)]), |power, _| power.times(self))
    }

    /// The derivative by y.
    fn by_y(&self) -> Self {
        let mut sum = Self::zero();
        for (x, y, coefficient) in self.iter().filter(|&(_, y, _)| y > 0) {
            sum.add(x, y - 1, &(coefficient * y));
        }
        sum
    }

    pub fn poly(&self) -> BivariatePoly<Integer> {
        BivariatePoly::new(self.0.iter().cloned().map(Poly::new).collect())
    }

    /// As a sum of products, which every program reads.
    pub fn text(&self) -> String {
        let term = |(x, y, c): (usize, usize, &Integer)| format!("({c})*x^{x}*y^{y}");
        // msolve knows no parentheses.
        let plain = |text: String| text.replace("(-", "-").replace(['(', ')'], "");
        let terms: Vec<String> = self.iter().map(term).map(plain).collect();
        terms.join("+").replace("+-", "-")
    }

    pub fn decimal(&self) -> Vec<(usize, usize, String)> {
        self.iter().map(|(x, y, c)| (x, y, c.to_string())).collect()
    }

    pub fn signed(&self) -> Vec<(usize, usize, Signed)> {
        self.iter()
            .map(|(x, y, c)| (x, y, super::signed(c)))
            .collect()
    }
}

/// Two polynomials, and whether the answer is known to come in time from programs that are slow for high degrees.
pub type System = [Terms; 2];

/// Random polynomials with all terms up to a total degree.
pub fn dense(degree: usize, bits: usize) -> System {
    let mut sample = Sample::new((bits << 8 | degree) as u64);
    [0; 2].map(|_| {
        let mut sum = Terms::zero();
        for y in 0..=degree {
            for x in 0..=degree - y {
                sum.add(x, y, &coefficient(&mut sample, bits));
            }
        }
        sum
    })
}

/// A curve, and its points with a vertical tangent and singular points.
fn with_derivative(curve: Terms) -> System {
    let derivative = curve.by_y();
    [curve, derivative]
}

/// Ten circles at once.
pub fn circles() -> System {
    let mut sample = Sample::new(10);
    let mut small = |bound: u64| (sample.word() % bound) as i64;
    let circle = |(a, b, r): (i64, i64, i64)| {
        Terms::of(&[
            (2, 0, 1),
            (0, 2, 1),
            (1, 0, -2 * a),
            (0, 1, -2 * b),
            (0, 0, a * a + b * b - r * r),
        ])
    };
    let curve = (0..10).fold(Terms::of(&[(0, 0, 1)]), |product, _| {
        product.times(&circle((small(9) - 4, small(9) - 4, small(5) + 2)))
    });
    with_derivative(curve)
}

/// The discriminant by z of a random surface of degree 4.
pub fn surface() -> System {
    let mut sample = Sample::new(4);
    let [e, d, c, b, a]: [Terms; 5] = [4, 3, 2, 1, 0].map(|degree: usize| {
        let mut sum = Terms::zero();
        for y in 0..=degree {
            for x in 0..=degree - y {
                sum.add(x, y, &coefficient(&mut sample, 4));
            }
        }
        sum
    });
    // By powers of a, b, c, d, e.
    let terms: [(i64, [usize; 5]); 16] = [
        (256, [3, 0, 0, 0, 3]),
        (-192, [2, 1, 0, 1, 2]),
        (-128, [2, 0, 2, 0, 2]),
        (144, [2, 0, 1, 2, 1]),
        (-27, [2, 0, 0, 4, 0]),
        (144, [1, 2, 1, 0, 2]),
        (-6, [1, 2, 0, 2, 1]),
        (-80, [1, 1, 2, 1, 1]),
        (18, [1, 1, 1, 3, 0]),
        (16, [1, 0, 4, 0, 1]),
        (-4, [1, 0, 3, 2, 0]),
        (-27, [0, 4, 0, 0, 2]),
        (18, [0, 3, 1, 1, 1]),
        (-4, [0, 3, 0, 3, 0]),
        (-4, [0, 2, 3, 0, 1]),
        (1, [0, 2, 2, 2, 0]),
    ];
    let factors = [a, b, c, d, e];
    let discriminant = terms.iter().fold(Terms::zero(), |sum, (factor, powers)| {
        let product = factors
            .iter()
            .zip(powers)
            .fold(Terms::of(&[(0, 0, 1)]), |product, (x, &n)| {
                product.times(&x.power(n))
            });
        sum.plus(*factor, &product)
    });
    with_derivative(discriminant)
}

/// A rose of ten petals: r² = cos²(5φ).
pub fn rose() -> System {
    // The real part of (x + iy)^5.
    let real = Terms::of(&[(5, 0, 1), (3, 2, -10), (1, 4, 5)]);
    let radius = Terms::of(&[(2, 0, 1), (0, 2, 1)]).power(6);
    with_derivative(radius.plus(-1, &real.power(2)))
}

/// T_9(x) = T_8(y).
pub fn chebyshevs() -> System {
    let mut curve = Terms::zero();
    for (power, coefficient) in chebyshev(9).coefficients().iter().enumerate() {
        curve.add(power, 0, coefficient);
    }
    for (power, coefficient) in chebyshev(8).coefficients().iter().enumerate() {
        curve.add(0, power, &-coefficient);
    }
    with_derivative(curve)
}

/// Solutions in pairs that lie very close together.
pub fn close() -> System {
    let mignotte = |x: usize, y: usize| {
        Terms::of(&[
            (12 * x, 12 * y, 1),
            (2 * x, 2 * y, -2 * 101 * 101),
            (x, y, 4 * 101),
            (0, 0, -2),
        ])
    };
    [
        mignotte(1, 0),
        mignotte(0, 1).plus(-1, &Terms::of(&[(1, 0, 1)])),
    ]
}
