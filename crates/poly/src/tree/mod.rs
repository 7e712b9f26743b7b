//! Trees of products: evaluation at many points, and interpolation.
//!
//! **Problem.** The values of a polynomial at points u_0 … u_{n−1}, and the polynomial of degree below n
//! that has given values there, for any n. **Algorithm.** The product M of all x − u_i by a tree of products
//! of half as many factors ([`SubproductTree`]; J. von zur Gathen, J. Gerhard, *Modern Computer Algebra*,
//! ch. 10).
//!
//! - Nodes are kept *reversed*, as products of 1 − u_i·x, without their constant term 1, and with the values
//!   that products at the level above take.
//! - Evaluation goes from f/M, as a series in 1/x, down the tree: the fractional part of f/A is that of
//!   f/M times the sibling of A, a middle product (`evaluate`; D. Bernstein, *Scaled remainder trees*, 2004).
//!   A node takes one transform of its length and two back; only the root is inverted.
//! - Interpolation, which is its transpose (A. Bostan, G. Lecerf, É. Schost, *Tellegen's principle into
//!   practice*, 2003), adds fractions v_i/(M'(u_i)·(x − u_i)) from the leaves up (`interpolate`): two
//!   transforms of a node's length, and one back.
//! - At the leaves, of 2^H points, schoolbook arithmetic (`leaf`; S. Haque, F. Mansouri, M. Moreno Maza, *On the
//!   parallelization of subproduct tree techniques targeting many-core architectures*, 2014).
//!
//! Beside these stand the published algorithm, by inverses and remainders (`subinverse`), and trees of any
//! moduli (`remainders`).
//!
//! **Floor.** With T(n) a transform of n points: 2·T(2n) a level for the tree, 3·T(n) a level for each
//! evaluation and interpolation; 10·T(n) for the root's inverse and 3·T(2n) for its product, once.

mod build;
mod evaluate;
mod interpolate;
mod leaf;
mod levels;
pub(crate) mod remainders;
pub(crate) mod subinverse;

use std::sync::OnceLock;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;
use crate::ring::values::Values;
use levels::Level;

/// The binary logarithm of more points than anybody waits for at a leaf.
const MAX_LEAF_LOG: u32 = 30;

/// The tree of products of x − u over points u, prepared once and used for many polynomials.
///
/// Points may be any in number and order. They may be equal to each other for evaluation, but not for
/// interpolation.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::poly::{Poly, PolyRing, SubproductTree};
///
/// let ring = PolyRing::new(Fp32::new(101)?);
/// let tree = SubproductTree::new(&ring, &[0, 1, 2])?;
/// let f = Poly::new(vec![5, 0, 1]); // x² + 5
/// let values = tree.evaluate(&f)?;
/// assert_eq!(values, [5, 6, 9]);
/// assert_eq!(tree.interpolate(&values)?, f);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SubproductTree<F: CoefficientField> {
    ring: PolyRing<F>,
    points: Vec<F::Elem>,
    /// From the leaves to the root. On every level all nodes but the last cover the same power of two of
    /// points, and the last one the rest.
    levels: Vec<Level<F>>,
    /// 1 over the root, reversed, to as many terms as there are points: made when first needed.
    root_inverse: OnceLock<RootInverse<F>>,
    /// 1/M'(u_i): made when first needed.
    weights: OnceLock<Vec<F::Elem>>,
}

impl<F: CoefficientField> SubproductTree<F> {
    /// The tree over `points`, with leaves as the ring's thresholds have them.
    ///
    /// Takes O(M(n)·log n) operations and about 3n·log n elements, two to three times as many
    /// where values are over several primes ([`SubproductTree::bytes`]).
    ///
    /// # Errors
    /// [`PolyError::PointOutside`] for one that is not canonical; [`PolyError::OutOfMemory`].
    pub fn new(ring: &PolyRing<F>, points: &[F::Elem]) -> Result<Self, PolyError> {
        Self::with_threshold(ring, points, leaf_log(ring))
    }

    /// The same with leaves of 2^`threshold` points: below, schoolbook arithmetic is used.
    ///
    /// # Errors
    /// As [`SubproductTree::new`].
    pub fn with_threshold(
        ring: &PolyRing<F>,
        points: &[F::Elem],
        threshold: u32,
    ) -> Result<Self, PolyError> {
        (F::compiled().tree)(ring, points, threshold)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn with_threshold_here(
        ring: &PolyRing<F>,
        points: &[F::Elem],
        threshold: u32,
    ) -> Result<Self, PolyError> {
        let outside = |&point: &F::Elem| !ring.field().is_canonical(point);
        if let Some(index) = points.iter().position(outside) {
            return Err(PolyError::PointOutside { index });
        }
        Ok(Self {
            ring: ring.clone(),
            levels: build::levels(ring, points, 1 << threshold.min(MAX_LEAF_LOG))?,
            points: points.to_vec(),
            root_inverse: OnceLock::new(),
            weights: OnceLock::new(),
        })
    }

    /// About how many bytes a tree over that many points takes, without what evaluation and interpolation keep
    /// beside it. Saturating.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{PolyRing, SubproductTree};
    ///
    /// let ring = PolyRing::new(Fp32::new(469762049)?);
    /// assert!(SubproductTree::bytes(&ring, 1 << 20) > 100 << 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(ring: &PolyRing<F>, points: usize) -> u64 {
        build::bytes(ring, points, 1 << leaf_log(ring))
    }

    /// The ring that it was made by.
    pub(crate) const fn ring(&self) -> &PolyRing<F> {
        &self.ring
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[F::Elem] {
        &self.points
    }

    /// How many points there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The product of all x − u; 1 without points.
    #[must_use]
    pub fn product(&self) -> Poly<F::Elem> {
        let mut coefficients = self.root();
        coefficients.reverse();
        Poly::new(coefficients)
    }

    /// The product of all 1 − u·x: as many coefficients as points, and one.
    fn root(&self) -> Vec<F::Elem> {
        let one = self.ring.field().one();
        match self.levels.last() {
            Some(level) => level.polynomial(one, 0),
            None => vec![one],
        }
    }
}

/// 1 over the root of a tree, reversed, to as many terms as there are points.
#[derive(Debug)]
pub(super) enum RootInverse<F: CoefficientField> {
    Series(Vec<F::Elem>),
    /// The number of points, and the values there: enough for products with polynomials that are not longer.
    Values(usize, Values),
}

/// The binary logarithm of the leaves' size: not below what the shortest transforms are for.
fn leaf_log<F: CoefficientField>(ring: &PolyRing<F>) -> u32 {
    let shortest = ring.cyclic_points(1).ilog2().saturating_sub(1);
    shortest.max(ring.thresholds().leaf_log.min(MAX_LEAF_LOG))
}
