//! Solutions on the common curve.
//!
//! **Problem.** f and g have the greatest common divisor h; f/h and g/h have the solution (t, u) with u = −a(t)/b(t). Is
//! h(t, u) = 0? **Algorithm.** Mostly a ball shows that it is not. Else, exactly: b(t)^e·h(t, −a(t)/b(t)), where e is the degree of
//! h in u, is up to its sign the resultant N(t) of h and b·u + a in u. The roots of the part over which the solution lies are
//! divided by gcd with N into those with h = 0 and those without.

use sunzi_integer::Integer;

use super::ball::Ball;
use super::eliminate::eliminant;
use super::lift::{Contradiction, Patience, Point, vanishing};
use super::separate::Part;
use super::shear::Direction;
use sunzi_poly::{BivariatePoly, ChainOptions, IntegerPolyRing, Poly, PolyError, gcd};

/// Bits at which the value of h is looked at before it is asked exactly.
const BITS: i64 = 256;

/// Whether a ball shows that the polynomial does not vanish at a point.
pub(super) fn excluded(
    h: &BivariatePoly<Integer>,
    point: &mut Point<'_>,
    direction: Direction,
) -> bool {
    let precision = 2 * BITS as usize;
    let Some((x, y)) = point.balls(direction, BITS) else {
        return false;
    };
    let mut rows = h.rows().iter().rev();
    let value = rows.try_fold(Ball::exactly(Integer::ZERO), |sum, row| {
        let row = x.evaluate(row, precision);
        Some(sum.mul(&y, precision).add(row, precision))
    });
    value.is_some_and(|value: Ball| value.sign().is_some_and(|sign| sign.is_ne()))
}

/// The roots of a part whose points are on a curve, and the others.
pub(super) struct Divided {
    on_curve: [Poly<Integer>; 2],
}

impl Divided {
    /// Divides the roots of a part by whether h, which is given in the coordinates of the part, vanishes at their points.
    pub(super) fn new(h: &BivariatePoly<Integer>, part: &Part) -> Result<Self, PolyError> {
        let line = BivariatePoly::new(vec![part.numerator.clone(), part.denominator.clone()]);
        let on = gcd(
            &part.roots,
            &eliminant(h, &line, ChainOptions::new())?.value,
        )?;
        let off = IntegerPolyRing::new().div_exact(&part.roots, &on)?;
        Ok(Self {
            on_curve: [on, off],
        })
    }

    /// Whether the point is on the curve.
    pub(super) fn contains(
        &self,
        point: &mut Point<'_>,
        patience: Patience,
    ) -> Result<bool, Contradiction> {
        let candidates = self.on_curve.iter();
        Ok(vanishing(&mut point.t, candidates, patience)? == 0)
    }
}
