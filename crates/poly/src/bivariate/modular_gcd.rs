//! Greatest common divisors in F_p\[x, y\].
//!
//! **Algorithm.** W. S. Brown, *On Euclid's algorithm and the computation of polynomial greatest common divisors* (1971): contents
//! with respect to y are taken off; at points in x the monic greatest common divisors in y are found, and multiplied by the values
//! of γ, the greatest common divisor of both leading coefficients in F_p\[x\]. Where γ is not 0, their degree is that of the greatest
//! common divisor h or, at a *bad point*, higher: what is not of the least degree is dropped. **Proof.** The interpolated H and A
//! agree with H·A = γ·f at all N points, so everywhere if both sides have degrees below N in x; likewise for g. So H, divided by
//! its content, is a common divisor, and none can have a higher degree in y than values at a point have.

use super::{BivariateField, BivariatePoly, BivariateRing, elements, product_words};
use crate::{Poly, PolyError, PolyRing, SubproductTree};
use sunzi_machine::threads::Threads;

/// Products of words from which threads share the points.
const PARALLEL: usize = 1 << 16;

/// A greatest common divisor of two polynomials in two variables, and what these are divided by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BivariateGcd<E> {
    /// The greatest common divisor; 0 if both polynomials are.
    pub gcd: BivariatePoly<E>,
    /// The first polynomial divided by it; 0 if that is.
    pub first: BivariatePoly<E>,
    /// The second polynomial divided by it; 0 if that is.
    pub second: BivariatePoly<E>,
}

impl<E> BivariateGcd<E> {
    /// Whether the polynomials have a curve in common, or one of them is 0: their greatest common divisor is not constant.
    pub fn is_curve(&self) -> bool {
        self.gcd.total_degree() != Some(0)
    }
}

impl<F: BivariateField> BivariateRing<F> {
    /// The greatest common divisor of `f` and `g` with both cofactors. Its leading coefficient, that of the highest power of x in
    /// the coefficient of the highest power of y, is 1; it is 0 if both are 0.
    ///
    /// With D for the degrees in x and n for those in y, takes O(D·n²) operations, and O(n·D log² D) for contents and
    /// interpolation; those for the contents and one point if there is no divisor but a content. Threads share points.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::Poly;
    /// use sunzi::solve::{BivariatePoly, BivariateRing};
    ///
    /// // x² − y² and x² − xy have x − y in common.
    /// let ring = BivariateRing::new(Fp32::new(101)?);
    /// let f = BivariatePoly::new(vec![Poly::new(vec![0, 0, 1]), Poly::zero(), Poly::new(vec![100])]);
    /// let g = BivariatePoly::new(vec![Poly::new(vec![0, 0, 1]), Poly::new(vec![0, 100])]);
    /// let found = ring.gcd(&f, &g)?;
    /// assert_eq!(found.gcd.rows(), [Poly::new(vec![0, 100]), Poly::new(vec![1])]); // y − x
    /// assert_eq!(found.second.rows(), [Poly::new(vec![0, 100])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::FewPoints`] if the field has too few points that are not bad; `CoefficientOutside` of
    /// [`PolyError`](crate::PolyError) for coefficients that are no residues; too little memory.
    pub fn gcd(
        &self,
        f: &BivariatePoly<F::Elem>,
        g: &BivariatePoly<F::Elem>,
    ) -> Result<BivariateGcd<F::Elem>, PolyError> {
        self.check(f)?;
        self.check(g)?;
        let ring = self.coefficients();
        if f.is_zero() || g.is_zero() {
            return of_one(ring, f, g);
        }
        let [content_f, content_g] = [content(ring, f)?, content(ring, g)?];
        let [f, g] = [over(ring, f, &content_f)?, over(ring, g, &content_g)?];
        let common = ring.gcd(&content_f, &content_g)?;
        let primitive = primitive_gcd(ring, f, g)?;
        Ok(BivariateGcd {
            gcd: times(ring, &primitive.gcd, &common),
            first: times(
                ring,
                &primitive.first,
                &ring.div_exact(&content_f, &common)?,
            ),
            second: times(
                ring,
                &primitive.second,
                &ring.div_exact(&content_g, &common)?,
            ),
        })
    }
}

/// Where at least one polynomial is 0.
fn of_one<F: BivariateField>(
    ring: &PolyRing<F>,
    f: &BivariatePoly<F::Elem>,
    g: &BivariatePoly<F::Elem>,
) -> Result<BivariateGcd<F::Elem>, PolyError> {
    let field = ring.field();
    let other = if f.is_zero() { g } else { f };
    let leading = other
        .leading_row()
        .and_then(|row| row.coefficients().last().copied());
    let cofactor = |f: &BivariatePoly<F::Elem>| {
        let leading = leading.filter(|_| !f.is_zero());
        BivariatePoly::new(leading.map(|c| Poly::new(vec![c])).into_iter().collect())
    };
    let inverse = leading.and_then(|c| field.inv(c)).unwrap_or(field.zero());
    Ok(BivariateGcd {
        gcd: times(ring, other, &Poly::new(vec![inverse])),
        first: cofactor(f),
        second: cofactor(g),
    })
}

/// The monic greatest common divisor of the coefficients in F_p\[x\].
pub(super) fn content<F: BivariateField>(
    ring: &PolyRing<F>,
    f: &BivariatePoly<F::Elem>,
) -> Result<Poly<F::Elem>, PolyError> {
    // The shortest ones first: mostly two are enough.
    let mut rows: Vec<&Poly<F::Elem>> = f.rows().iter().filter(|row| !row.is_zero()).collect();
    rows.sort_by_key(|row| row.len());
    let mut content = Poly::zero();
    for row in rows {
        content = ring.gcd(&content, row)?;
        if content.degree() == Some(0) {
            break;
        }
    }
    Ok(content)
}

/// A polynomial by a divisor of all its coefficients.
fn over<F: BivariateField>(
    ring: &PolyRing<F>,
    f: &BivariatePoly<F::Elem>,
    divisor: &Poly<F::Elem>,
) -> Result<BivariatePoly<F::Elem>, PolyError> {
    if divisor.coefficients() == [ring.field().one()] {
        return Ok(f.clone());
    }
    let rows = f.rows().iter().map(|row| ring.div_exact(row, divisor));
    Ok(BivariatePoly::new(rows.collect::<Result<_, _>>()?))
}

fn times<F: BivariateField>(
    ring: &PolyRing<F>,
    f: &BivariatePoly<F::Elem>,
    factor: &Poly<F::Elem>,
) -> BivariatePoly<F::Elem> {
    BivariatePoly::new(f.rows().iter().map(|row| ring.mul(row, factor)).collect())
}

/// Values at a point: the monic greatest common divisor in y and both quotients.
struct Value<E> {
    point: E,
    gcd: Poly<E>,
    cofactors: [Poly<E>; 2],
}

/// One of the polynomials of a point.
type Part<E> = fn(&Value<E>) -> &Poly<E>;

/// Of polynomials without content that are not 0.
fn primitive_gcd<F: BivariateField>(
    ring: &PolyRing<F>,
    f: BivariatePoly<F::Elem>,
    g: BivariatePoly<F::Elem>,
) -> Result<BivariateGcd<F::Elem>, PolyError> {
    let field = ring.field();
    let leading = |f: &BivariatePoly<F::Elem>| f.leading_row().cloned().unwrap_or_default();
    let common = ring.gcd(&leading(&f), &leading(&g))?;
    let degree = |f: &BivariatePoly<F::Elem>| f.degree_x().unwrap_or(0);
    let needed = common.len() + degree(&f).max(degree(&g));
    let lengths = [&f, &g].map(|f| f.rows().len());
    // Small points are special to many polynomials.
    let prime = elements(field);
    let mut words = (prime / 3..prime).chain(0..prime / 3);
    let mut values: Vec<Value<F::Elem>> = Vec::new();
    let mut least = lengths[0].min(lengths[1]);
    let mut batch = 1;
    while least > 1 {
        let points: Vec<F::Elem> = words
            .by_ref()
            .take(batch)
            .map(|word| field.from_u64(word))
            .collect();
        if points.is_empty() {
            return Err(PolyError::FewPoints {
                prime,
                needed: needed as u64,
            });
        }
        for value in self::values(ring, &f, &g, &common, &points)? {
            if value.gcd.len() < least {
                least = value.gcd.len();
                values.clear();
            }
            if value.gcd.len() == least {
                values.push(value);
            }
        }
        if values.len() >= needed
            && least > 1
            && let Some(found) = interpolate(ring, &common, &values, lengths)?
        {
            return Ok(found);
        }
        batch = needed.saturating_sub(values.len()).max(needed / 4 + 1);
    }
    Ok(BivariateGcd {
        gcd: BivariatePoly::new(vec![Poly::new(vec![field.one()])]),
        first: f,
        second: g,
    })
}

/// What there is at those of the points where `common` is not 0.
fn values<F: BivariateField>(
    ring: &PolyRing<F>,
    f: &BivariatePoly<F::Elem>,
    g: &BivariatePoly<F::Elem>,
    common: &Poly<F::Elem>,
    points: &[F::Elem],
) -> Result<Vec<Value<F::Elem>>, PolyError> {
    let field = ring.field();
    let evaluate = |row: &Poly<F::Elem>| {
        let mut values = vec![field.zero(); points.len()];
        field.evaluate_slice(&mut values, row.coefficients(), points);
        values
    };
    let products = f.rows().len() * g.rows().len() * points.len();
    let threads = Threads::when(products * product_words::<F>() >= PARALLEL);
    let [rows_f, rows_g] = [f, g].map(|f| threads.map(f.rows(), evaluate));
    let scale = evaluate(common);
    let good: Vec<usize> = (0..points.len())
        .filter(|&i| scale[i] != field.zero())
        .collect();
    threads.try_map(good, |index| {
        let at = |rows: &[Vec<F::Elem>]| Poly::new(rows.iter().map(|row| row[index]).collect());
        let [f, g] = [at(&rows_f), at(&rows_g)];
        let gcd = ring.gcd(&f, &g)?;
        let cofactors = [ring.div_exact(&f, &gcd)?, ring.div_exact(&g, &gcd)?];
        Ok(Value {
            point: points[index],
            gcd: ring.scale(&gcd, scale[index]),
            cofactors,
        })
    })
}

/// The polynomials of these values, if they are what they should be; `lengths` are those of the operands in y.
fn interpolate<F: BivariateField>(
    ring: &PolyRing<F>,
    common: &Poly<F::Elem>,
    values: &[Value<F::Elem>],
    lengths: [usize; 2],
) -> Result<Option<BivariateGcd<F::Elem>>, PolyError> {
    let field = ring.field();
    let points: Vec<F::Elem> = values.iter().map(|value| value.point).collect();
    let tree = SubproductTree::new(ring, &points)?;
    let interpolated = |len: usize, of: Part<F::Elem>| {
        let threads = Threads::when(len * points.len() * product_words::<F>() >= PARALLEL);
        let rows = threads.try_map(0..len, |power| {
            let coefficient = |value| of(value).coefficients().get(power).copied();
            let row = values
                .iter()
                .map(|value| coefficient(value).unwrap_or(field.zero()));
            tree.interpolate(&row.collect::<Vec<_>>())
        });
        rows.map(BivariatePoly::new)
    };
    let len = values.first().map_or(0, |value| value.gcd.len());
    let multiple = interpolated(len, |value| &value.gcd)?;
    let first = interpolated(lengths[0] + 1 - len, |value| &value.cofactors[0])?;
    let second = interpolated(lengths[1] + 1 - len, |value| &value.cofactors[1])?;
    let degree = |f: &BivariatePoly<F::Elem>| f.degree_x().unwrap_or(0);
    // γ·f and γ·g have degrees below the number of points.
    if degree(&multiple) + degree(&first).max(degree(&second)) >= points.len() {
        return Ok(None);
    }
    // H = (γ/l)·h and A = l·f/h, where l is the leading coefficient of h.
    let content = content(ring, &multiple)?;
    let leading = ring.div_exact(common, &content)?;
    Ok(Some(BivariateGcd {
        gcd: over(ring, &multiple, &content)?,
        first: over(ring, &first, &leading)?,
        second: over(ring, &second, &leading)?,
    }))
}
