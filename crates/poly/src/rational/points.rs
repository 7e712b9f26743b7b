//! Values at points of Q, and the polynomial through them.

use sunzi_integer::{Integer, Natural, Rational};

use sunzi_machine::memory::Budget;
use sunzi_machine::threads::Threads;

use super::{Numerators, RationalPolyRing, common_denominator, divided, quotient};
use crate::error::PolyError;
use crate::integer::modular::linear::homogeneous;
use crate::poly::Poly;

/// Points from which on the halves of a tree are given to different threads.
const PARALLEL: usize = 1 << 5;

impl RationalPolyRing {
    /// The values at the points, in their order, on all threads.
    ///
    /// For f = F/d of degree n and a point u/v the value is Σ F_i·u^i·v^(n−i)/(d·v^n): sums and products by halves (G. Estrin, 1960),
    /// O(log n) times a product of integers of n·max(log₂|u|, log₂ v) bits, as long as the value is.
    ///
    /// ```
    /// use sunzi::Rational;
    /// use sunzi::poly::RationalPolyRing;
    ///
    /// let point = Rational::from_parts(2.into(), 3u8.into());
    /// let values = RationalPolyRing::new().evaluate(&"x^2 - 1/3".parse()?, &[Rational::ZERO, point])?;
    /// assert_eq!(values.iter().map(Rational::to_string).collect::<Vec<_>>(), ["-1/3", "1/9"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory, before anything starts.
    pub fn evaluate(
        &self,
        f: &Poly<Rational>,
        points: &[Rational],
    ) -> Result<Vec<Rational>, PolyError> {
        Budget::system().require(self.evaluate_bytes(f, points))?;
        let Numerators {
            numerators,
            denominator,
        } = Numerators::of(f)?;
        let degree = numerators.degree().unwrap_or(0);
        let value = |point: &Rational| {
            let (u, v) = (point.numerator(), point.denominator());
            let value = homogeneous(numerators.coefficients(), u, &v.into());
            Rational::from_parts(value, &denominator * v.pow(degree))
        };
        Ok(Threads::when(points.len() > 1).map(points, value))
    }

    /// About the bytes that [`evaluate`](Self::evaluate) takes beside its operands, the values included.
    pub fn evaluate_bytes(&self, f: &Poly<Rational>, points: &[Rational]) -> u64 {
        let own = f.coefficients().iter().map(length).max().unwrap_or(0);
        let own = own + common_denominator(f.coefficients()).bit_len() as u64;
        let len = f.len() as u64;
        let bytes =
            |point: &Rational| len.saturating_mul(length(point)).saturating_add(own) / 4 + 64;
        let values = points.iter().map(bytes);
        // One value a thread is on its way, in powers and halves.
        let threads = sunzi_machine::threads::count() as u64;
        let largest = values.clone().max().unwrap_or(0);
        let work = largest.saturating_mul(6).saturating_mul(threads);
        values.fold(work, u64::saturating_add)
    }

    /// The polynomial of least degree with values at the points: its degree is below their number.
    ///
    /// For points u_i/v_i the polynomial is Σ c_i·Π_(j ≠ i) (v_j·x − u_j), with c_i the value at u_i/v_i by that of the product
    /// (J. Lagrange). With D the least common denominator of all c_i, D·f is a sum over Z, found by halves: left·M_right + right·M_left
    /// (J. von zur Gathen, J. Gerhard, *Modern Computer Algebra*, §10.2). **Bound.** D divides the product of the values'
    /// denominators and of all u_i·v_j − u_j·v_i, i < j, of about n²/2 times the bits of a point; for consecutive integers it
    /// has O(n·log n) bits. Takes n²/2 products for the c_i, O(log n) times the product of integers of n times the bits of D, and for lowest
    /// terms n greatest common divisors of integers as long as D.
    ///
    /// ```
    /// use sunzi::Rational;
    /// use sunzi::poly::RationalPolyRing;
    ///
    /// let [points, values] = [[0, 1, 2], [1, 2, 4]].map(|numbers| numbers.map(Rational::from));
    /// let found = RationalPolyRing::new().interpolate(&points, &values)?;
    /// assert_eq!(found.to_string(), "1/2*x^2 + 1/2*x + 1");
    /// # Ok::<(), sunzi::poly::PolyError>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ValueCount`], [`PolyError::RepeatedPoint`]; [`PolyError::OutOfMemory`], once D is known.
    pub fn interpolate(
        &self,
        points: &[Rational],
        values: &[Rational],
    ) -> Result<Poly<Rational>, PolyError> {
        if points.len() != values.len() {
            return Err(PolyError::ValueCount {
                points: points.len(),
                values: values.len(),
            });
        }
        require_distinct(points)?;
        Budget::system().require(self.interpolate_bytes(points))?;
        let rows = points.iter().zip(values).enumerate();
        let weight =
            |(index, (_, value)): (usize, (&Rational, &Rational))| weight(points, index, value);
        let weights = Threads::when(points.len() > 1).map(rows, weight);
        let common = common_denominator(&weights);
        Budget::system().require(sum_bytes(points, &weights, &common))?;
        let numerators: Vec<Integer> = weights
            .iter()
            .map(|weight| weight.numerator() * (&common / weight.denominator()))
            .collect();
        drop(weights);
        let sum = match points.is_empty() {
            true => Poly::zero(),
            false => self.combined(points, &numerators)?.sum,
        };
        Ok(divided(&sum, &Integer::ONE, &common.into()))
    }

    /// The bytes that [`interpolate`](Self::interpolate) takes at least beside its operands: those of all c_i.
    pub fn interpolate_bytes(&self, points: &[Rational]) -> u64 {
        let count = points.len() as u64;
        let lengths = || points.iter().map(length);
        // Every c_i has the length of all points, and as often its own.
        let each = lengths().fold(0, u64::saturating_add);
        let bits = each.saturating_mul(2).saturating_mul(count);
        let headers = count.saturating_mul(2 * size_of::<Rational>() as u64);
        (bits / 8).saturating_add(headers)
    }

    /// The sum over some points, at least one.
    fn combined(&self, points: &[Rational], weights: &[Integer]) -> Result<Combined, PolyError> {
        if let ([point], [weight]) = (points, weights) {
            let factor = [-point.numerator(), point.denominator().into()];
            return Ok(Combined {
                product: Poly::new(factor.to_vec()),
                sum: Poly::new(vec![weight.clone()]),
            });
        }
        let half = points.len() / 2;
        let (lower, upper) = Threads::when(half >= PARALLEL).join(
            || self.combined(&points[..half], &weights[..half]),
            || self.combined(&points[half..], &weights[half..]),
        );
        let (lower, upper) = (lower?, upper?);
        let left = self.integers.try_mul(&lower.sum, &upper.product)?;
        let right = self.integers.try_mul(&upper.sum, &lower.product)?;
        Ok(Combined {
            product: self.integers.try_mul(&lower.product, &upper.product)?,
            sum: self.integers.add(&left, &right),
        })
    }
}

/// What a node of the tree over points holds.
struct Combined {
    /// The product of all v·x − u.
    product: Poly<Integer>,
    /// The sum of the weights times the products of all others.
    sum: Poly<Integer>,
}

/// Whether no point comes twice; of several that do, the first is told.
fn require_distinct(points: &[Rational]) -> Result<(), PolyError> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[a].cmp(&points[b]));
    let equal = order
        .windows(2)
        .filter(|pair| points[pair[0]] == points[pair[1]]);
    match equal.min_by_key(|pair| pair[1]) {
        None => Ok(()),
        // Equal ones stand in their order.
        Some(pair) => Err(PolyError::RepeatedPoint {
            first: pair[0],
            second: pair[1],
        }),
    }
}

/// c_i = y·Π_(j ≠ i) 1/(v_j·u/v − u_j) = y·v^(n−1)/Π_(j ≠ i) (v_j·u − u_j·v) for the point u/v with this number.
fn weight(points: &[Rational], index: usize, value: &Rational) -> Rational {
    let (u, v) = (points[index].numerator(), points[index].denominator());
    let (before, after) = (&points[..index], &points[index + 1..]);
    let differences = before.iter().chain(after).map(|other| {
        let (other_u, other_v) = (other.numerator(), other.denominator());
        u * other_v - other_u * v
    });
    let product = product(&differences.collect::<Vec<_>>());
    let numerator = value.numerator() * v.pow(points.len() - 1);
    quotient(numerator, &(product * value.denominator()))
}

/// The product of integers, by halves.
fn product(factors: &[Integer]) -> Integer {
    match factors {
        [] => Integer::ONE,
        [factor] => factor.clone(),
        _ => {
            let (low, high) = factors.split_at(factors.len() / 2);
            product(low) * product(high)
        }
    }
}

/// The bits of a quotient's longer part.
fn length(x: &Rational) -> u64 {
    let bits = x.numerator().bit_len().max(x.denominator().bit_len());
    bits as u64
}

/// About the bytes that a sum over points takes, whose weights have this common denominator.
fn sum_bytes(points: &[Rational], weights: &[Rational], common: &Natural) -> u64 {
    let count = points.len() as u64;
    let linear = points.iter().map(|point| length(point) + 1);
    let longest = weights
        .iter()
        .map(|weight| weight.numerator().bit_len())
        .max();
    let longest = longest.unwrap_or(0) as u64 + common.bit_len() as u64;
    let bits = linear.fold(longest, u64::saturating_add);
    // Two factors, their products and what packs them; numerators and denominators of the result.
    (bits / 8 + 64).saturating_mul(count).saturating_mul(10)
}
