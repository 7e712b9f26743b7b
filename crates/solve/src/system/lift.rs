//! From a real root t of the resultant to its point, and from coordinates to the roots that they are.
//!
//! **Problem.** In generic position each real root t has one point (t, u), u = −a(t)/b(t), and it is real, since its conjugate is a
//! point over t, too. Its coordinates are roots of R_x and of R_y, the resultants of the given polynomials with the other variable
//! eliminated: which ones? **Algorithm.** t is refined, a and b are evaluated in balls, and so are u and x = t − s·u; until the ball
//! of a coordinate meets only one of the isolating intervals, which are refined as well. The bits double every time.
//!
//! **Certification.** The box made of the isolating intervals of the i-th root of R_x and of the j-th of R_y holds one solution only:
//! any solution in it has the i-th root as its x and the j-th as its y. Different solutions have different (i, j), and intervals of
//! different roots are disjoint, so that boxes are.
//!
//! **It ends**, since b does not vanish at t, so that the balls' radii go to 0; a coordinate then is farther from all other roots
//! than its ball and their intervals are wide.

use std::cmp::Ordering;

use sunzi_poly::Poly;

use super::ball::Ball;
use super::separate::Part;
use super::shear::Direction;
use crate::roots::RealRoot;
use sunzi_integer::Integer;

/// Bits to begin with.
const FIRST_BITS: i64 = 64;

/// Bits of the results of single operations beyond those of the values that come in.
const GUARD_BITS: usize = 64;

/// Why a point was not found, which only resultants that are not proved can be blamed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction;

/// How far precision may rise: without an end where everything is proved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    pub(super) most_bits: Option<i64>,
}

impl Patience {
    /// 64, 128, 256 … bits.
    fn precisions(self) -> impl Iterator<Item = i64> {
        let most = self.most_bits.unwrap_or(i64::MAX);
        let double = |bits: &i64| bits.checked_mul(2);
        std::iter::successors(Some(FIRST_BITS), double).take_while(move |&bits| bits <= most)
    }
}

/// A ball about a root that is at most 2^−`bits` wide.
fn ball(root: &mut RealRoot, bits: i64) -> Ball {
    root.refine(bits);
    Ball::between(root.lower(), root.upper())
}

/// Which of these polynomials has this root; exactly one of them has.
pub(super) fn vanishing<'a>(
    root: &mut RealRoot,
    candidates: impl Iterator<Item = &'a Poly<Integer>>,
    patience: Patience,
) -> Result<usize, Contradiction> {
    let mut left: Vec<_> = candidates.enumerate().collect();
    if let [(index, _)] = left[..] {
        return Ok(index);
    }
    for bits in patience.precisions() {
        let at = ball(root, bits);
        left.retain(|(_, f)| {
            matches!(
                at.evaluate(f, bits as usize + GUARD_BITS).sign(),
                None | Some(Ordering::Equal)
            )
        });
        match left[..] {
            [] => return Err(Contradiction),
            [(index, _)] => return Ok(index),
            _ => {}
        }
    }
    Err(Contradiction)
}

/// A point by its coordinates t and u.
#[derive(Clone, Debug)]
pub(super) struct Point<'a> {
    pub(super) t: RealRoot,
    pub(super) part: &'a Part,
}

impl Point<'_> {
    /// Balls about the coordinates x and y that shrink as `bits` grows; `None` if there are too few.
    pub(super) fn balls(&mut self, direction: Direction, bits: i64) -> Option<(Ball, Ball)> {
        let precision = bits as usize + GUARD_BITS;
        let t = ball(&mut self.t, bits);
        let denominator = t.evaluate(&self.part.denominator, precision);
        let numerator = t.evaluate(&self.part.numerator, precision);
        let u = numerator.div(&denominator, precision)?.neg();
        Some(match direction {
            Direction::Y => (u, t),
            Direction::Shear { slope: 0 } => (t, u),
            Direction::Shear { slope } => {
                let back = u.mul(&Ball::exactly(Integer::from(-slope)), precision);
                (t.add(back, precision), u)
            }
        })
    }

    /// The roots that x and y are, by their places among `xs` and `ys`.
    pub(super) fn coordinates(
        &mut self,
        direction: Direction,
        xs: &[RealRoot],
        ys: &[RealRoot],
        patience: Patience,
    ) -> Result<(usize, usize), Contradiction> {
        let (mut xs, mut ys) = (Candidates::all(xs), Candidates::all(ys));
        for bits in patience.precisions() {
            let Some((x, y)) = self.balls(direction, bits) else {
                continue;
            };
            let found = (xs.one_of(&x, bits)?, ys.one_of(&y, bits)?);
            if let (Some(x), Some(y)) = found {
                return Ok((x, y));
            }
        }
        Err(Contradiction)
    }
}

/// Roots of which a number may be one.
struct Candidates<'a> {
    roots: &'a [RealRoot],
    /// Copies of those that are still met, with their places, once they are few.
    refined: Option<Vec<(usize, RealRoot)>>,
}

impl<'a> Candidates<'a> {
    fn all(roots: &'a [RealRoot]) -> Self {
        Self {
            roots,
            refined: None,
        }
    }

    /// The place of the only root that a number in this ball can be, if there is one.
    fn one_of(&mut self, number: &Ball, bits: i64) -> Result<Option<usize>, Contradiction> {
        let (lower, upper) = (number.lower(), number.upper());
        let mut met = match self.refined.take() {
            Some(refined) => refined,
            None => {
                // Roots ascend, and so do both ends of their intervals.
                let first = self.roots.partition_point(|root| *root.upper() < lower);
                let after = self.roots.partition_point(|root| *root.lower() <= upper);
                let places = first..after.max(first);
                places.map(|i| (i, self.roots[i].clone())).collect()
            }
        };
        if met.len() > 1 {
            met.iter_mut().for_each(|(_, root)| root.refine(bits));
        }
        met.retain(|(_, root)| *root.upper() >= lower && *root.lower() <= upper);
        let place = match met[..] {
            [] => return Err(Contradiction),
            [(place, _)] => Some(place),
            _ => None,
        };
        self.refined = Some(met);
        Ok(place)
    }
}
