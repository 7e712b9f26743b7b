//! Inverses of the nodes, and evaluation by remainders with them.
//!
//! **Problem.** For every node M_{i,j} of a tree, of degree d, from the leaves up to the root's children:
//! the inverse of the reversed node modulo x^d. With it a division by the node takes two multiplier.
//! **Algorithm.** From below (S. Haque, F. Mansouri, M. Moreno Maza, *On the parallelization of subproduct
//! tree techniques targeting many-core architectures*, 2014; Algorithms 25–31 of chapter 10 of S. Haque's
//! thesis, 2013): the inverse of a product is the product of inverses, and one step of Newton's iteration
//! brings those of two siblings to the precision of their parent.
//!
//! - With A·g = 1 + e·x^s and B·h = 1 + f·x^s (both nodes reversed, both inverses modulo x^s) the two steps
//!   and the product are g·(1 − e·x^s)·h·(1 − f·x^s) = g·h − ((e + f)·g·h)·x^s modulo x^{2s}: one step, on
//!   the product. Neither step is taken by itself, and e + f comes back from one transform.
//! - The leading coefficient of a node, 1, is the constant term of the reversed one, and not stored.
//! - A last node of degree r < s: its inverse is taken to s terms where it has a sibling.
//! - A remainder r of degree below that of A·B goes down to A and B: the leading coefficients of r by the
//!   inverse give the quotient, and r − q·A is known modulo x^s − 1.
//!
//! **Floor.** With T(n) a transform of n points, for two siblings of degree s: 2·T(2s) and 2·T(s) for the
//! values that divisions take, 5·T(2s) for the parent's inverse (the steps and the product one by one take
//! 15·T(2s)); an evaluation takes 3·T(2s) and 4·T(s).

use sunzi_field::Field;
use sunzi_machine::memory::Budget;

use super::SubproductTree;
use super::levels::{Level, for_each_chunk};
use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;

/// The inverses of the reversed nodes of a [`SubproductTree`], each modulo x^d for a node of degree d, from
/// the leaves up to the root's children.
///
/// They make divisions by the nodes cheap: [`SubinverseTree::evaluate`] takes a polynomial down the tree by
/// its remainders, which is the algorithm of the literature on many-core processors.
/// [`SubproductTree::evaluate`] needs no inverse but the root's, and takes 3 transforms of the parent's
/// length from a node to its children, where divisions take 3 and 4 of half the length: it is the faster
/// one, for one polynomial as for many, and does without the time that the inverses take, more than that
/// for the tree itself. This tree takes 4 elements of memory for each point and level, which pays where
/// the inverses themselves are wanted, or the published algorithm is to be compared with.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::poly::{Poly, PolyRing, SubinverseTree, SubproductTree};
///
/// let ring = PolyRing::new(Fp32::new(101)?);
/// let tree = SubproductTree::with_threshold(&ring, &[1, 2, 3, 4], 1)?;
/// let inverses = SubinverseTree::new(&tree)?;
/// // (x − 1)·(x − 2) reversed is 1 − 3x + 2x²; times 1 + 3x it is 1 modulo x².
/// assert_eq!(inverses.inverse(1, 0), Some(&[1, 3][..]));
/// let f = Poly::new(vec![5, 0, 1]); // x² + 5
/// assert_eq!(inverses.evaluate(&f)?, [6, 9, 14, 21]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SubinverseTree<'t, F: CoefficientField> {
    tree: &'t SubproductTree<F>,
    /// From the leaves to the root's children.
    levels: Vec<Inverses<F>>,
}

/// The inverses of one level, and what divisions by its nodes take.
#[derive(Debug)]
struct Inverses<F: CoefficientField> {
    /// Each at the place of its node's coefficients, and as many.
    coefficients: Vec<F::Elem>,
    /// Values of the inverses modulo x^s, s the degree of a whole node, at the points of the level's
    /// transforms: of all nodes that have siblings.
    values: Vec<u64>,
    /// Words of the values of one.
    words: usize,
    /// Points N ≥ s for products modulo x^N − 1.
    divisor_points: usize,
    /// The values there of the nodes themselves, not reversed, if they have siblings.
    divisors: Vec<u64>,
    /// Words of the values of one.
    divisor_words: usize,
}

impl<'t, F: CoefficientField> SubinverseTree<'t, F> {
    /// The inverses of the nodes of `tree`, level by level, the nodes of a level shared between threads.
    ///
    /// Takes O(M(n)·log n) operations for n points.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn new(tree: &'t SubproductTree<F>) -> Result<Self, PolyError> {
        (F::compiled().subinverse_tree)(tree)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn new_here(tree: &'t SubproductTree<F>) -> Result<Self, PolyError> {
        let ring = &tree.ring;
        let below_root = match tree.levels.split_last() {
            Some((_, below)) => below,
            None => &[],
        };
        Budget::system().require(bytes(ring, below_root, tree.len()))?;
        let mut levels: Vec<Inverses<F>> = Vec::with_capacity(below_root.len());
        for (index, level) in below_root.iter().enumerate() {
            let coefficients = match levels.last() {
                None => leaf_inverses(ring, level, tree.len())?,
                Some(below) => below.above(ring, &below_root[index - 1], tree.len())?,
            };
            levels.push(Inverses::new(ring, level, coefficients)?);
        }
        Ok(Self { tree, levels })
    }

    /// The inverse of the `node`-th reversed product of 2^`level` points modulo x^d, d its degree: d
    /// coefficients. `None` if there is no such node, for the root, and below the tree's leaves.
    #[must_use]
    pub fn inverse(&self, level: u32, node: usize) -> Option<&[F::Elem]> {
        let leaf_level = self.tree.levels.first()?.span.trailing_zeros();
        let index = level.checked_sub(leaf_level)? as usize;
        let (inverses, nodes) = (self.levels.get(index)?, &self.tree.levels[index]);
        (node < nodes.nodes()).then(|| &inverses.coefficients[nodes.range(node)])
    }

    /// The values of `f` at all points of the tree, in their order, by the remainders of `f` at all nodes.
    ///
    /// Divisions are fast down to the leaves; there long divisions are left, by x − u for every point u, which
    /// is the rule of Horner. Takes O(M(n)·log n) operations for n points and a polynomial that is not
    /// longer, and two products of n by n for every further n coefficients.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn evaluate(&self, f: &Poly<F::Elem>) -> Result<Vec<F::Elem>, PolyError> {
        (F::compiled().evaluate_by_subinverses)(self, f)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn evaluate_here(&self, f: &Poly<F::Elem>) -> Result<Vec<F::Elem>, PolyError> {
        let (tree, field) = (self.tree, self.tree.ring.field());
        if f.len() > tree.len() {
            let remainder = tree.ring.divrem(f, &tree.product())?.1;
            return self.evaluate(&remainder);
        }
        let Some(leaves) = tree.levels.first() else {
            return Ok(Vec::new());
        };
        let mut values = f.coefficients().to_vec();
        values.resize(tree.len(), field.zero());
        for (inverses, level) in self.levels.iter().zip(&tree.levels).rev() {
            inverses.descend(&tree.ring, level, &mut values)?;
        }
        for_each_chunk(
            &tree.ring,
            &mut values,
            leaves.span,
            leaves.span,
            &|leaf, values| {
                let remainder = values.to_vec();
                field.evaluate_slice(values, &remainder, &tree.points[leaves.range(leaf)]);
                Ok(())
            },
        )?;
        Ok(values)
    }
}

/// The inverses of the leaves, one after the other.
fn leaf_inverses<F: CoefficientField>(
    ring: &PolyRing<F>,
    leaves: &Level<F>,
    count: usize,
) -> Result<Vec<F::Elem>, PolyError> {
    let mut inverses = vec![ring.field().zero(); count];
    for_each_chunk(
        ring,
        &mut inverses,
        leaves.span,
        leaves.span,
        &|leaf, out| {
            let polynomial = leaves.polynomial(ring.field().one(), leaf);
            out.copy_from_slice(&ring.inverse_series(&polynomial, out.len())?);
            Ok(())
        },
    )?;
    Ok(inverses)
}

impl<F: CoefficientField> Inverses<F> {
    fn new(
        ring: &PolyRing<F>,
        level: &Level<F>,
        coefficients: Vec<F::Elem>,
    ) -> Result<Self, PolyError> {
        let multiplier = ring.multiplier();
        let divisor_points = ring.cyclic_points(level.span);
        let mut inverses = Self {
            coefficients,
            values: Vec::new(),
            words: multiplier.value_words(level.transform),
            divisor_points,
            divisors: Vec::new(),
            divisor_words: multiplier.value_words(divisor_points),
        };
        inverses.values = inverses.transformed(ring, level)?;
        inverses.divisors = inverses.transformed_divisors(ring, level)?;
        Ok(inverses)
    }

    /// The values of all inverses modulo x^s.
    fn transformed(&self, ring: &PolyRing<F>, level: &Level<F>) -> Result<Vec<u64>, PolyError> {
        let points = level.transform;
        let mut values = vec![Default::default(); paired(level) * self.words];
        for_each_chunk(ring, &mut values, self.words, points, &|node, values| {
            let short = level.degree(node) < level.span;
            let longer = short.then(|| {
                let polynomial = level.polynomial(ring.field().one(), node);
                ring.inverse_series(&polynomial, level.span)
            });
            let longer = longer.transpose()?;
            let known = || &self.coefficients[level.range(node)];
            let inverse = longer.as_deref().unwrap_or_else(known);
            ring.multiplier().evaluate(values, points, inverse)
        })?;
        Ok(values)
    }

    /// The values of all nodes modulo x^N − 1.
    fn transformed_divisors(
        &self,
        ring: &PolyRing<F>,
        level: &Level<F>,
    ) -> Result<Vec<u64>, PolyError> {
        let (field, points) = (ring.field(), self.divisor_points);
        let mut values = vec![Default::default(); paired(level) * self.divisor_words];
        for_each_chunk(
            ring,
            &mut values,
            self.divisor_words,
            points,
            &|node, values| {
                let mut divisor = level.polynomial(field.one(), node);
                divisor.reverse();
                if divisor.len() > points {
                    divisor.pop();
                    divisor[0] = field.add(divisor[0], field.one());
                }
                ring.multiplier().evaluate(values, points, &divisor)
            },
        )?;
        Ok(values)
    }

    /// The values of one inverse.
    fn values(&self, node: usize) -> &[u64] {
        &self.values[node * self.words..][..self.words]
    }

    /// The values of one node.
    fn divisor(&self, node: usize) -> &[u64] {
        &self.divisors[node * self.divisor_words..][..self.divisor_words]
    }

    /// The inverses of the level above.
    fn above(
        &self,
        ring: &PolyRing<F>,
        level: &Level<F>,
        count: usize,
    ) -> Result<Vec<F::Elem>, PolyError> {
        let mut above = vec![ring.field().zero(); count];
        for_each_chunk(
            ring,
            &mut above,
            2 * level.span,
            level.transform,
            &|node, out| {
                let left = 2 * node;
                if level.is_paired(left) {
                    return self.inverse_of_product(ring, level, left, out);
                }
                out.copy_from_slice(&self.coefficients[level.range(left)]);
                Ok(())
            },
        )?;
        Ok(above)
    }

    /// The inverse of the product of the node `left` and its sibling, of s and r ≤ s points, modulo
    /// x^{s+r}.
    fn inverse_of_product(
        &self,
        ring: &PolyRing<F>,
        level: &Level<F>,
        left: usize,
        out: &mut [F::Elem],
    ) -> Result<(), PolyError> {
        let (multiplier, points, known) = (ring.multiplier(), level.transform, level.span);
        let [a, b] = [level.values(left), level.values(left + 1)];
        let [g, h] = [self.values(left), self.values(left + 1)];
        // Node times inverse has s + s coefficients at most: nothing wraps.
        let mut sum = vec![ring.field().zero(); out.len()];
        multiplier.sum_products(&mut sum, points, &[[a, g], [b, h]])?;
        multiplier.sum_products(out, points, &[[g, h]])?;
        let (found, missing) = out.split_at_mut(known);
        let error = ring.values(points, &sum[known..])?;
        let inverse = ring.values(points, &found[..missing.len()])?;
        let mut correction = vec![ring.field().zero(); missing.len()];
        ring.sum_by_values(&mut correction, [[&error, &inverse]])?;
        ring.field().sub_assign_slice(missing, &correction);
        Ok(())
    }

    /// From the remainders at the nodes above, in place, to those at the nodes of this level.
    fn descend(
        &self,
        ring: &PolyRing<F>,
        level: &Level<F>,
        remainders: &mut [F::Elem],
    ) -> Result<(), PolyError> {
        let (span, points) = (level.span, level.transform);
        for_each_chunk(ring, remainders, 2 * span, points, &|node, remainder| {
            let left = 2 * node;
            match level.is_paired(left) {
                true => self.divide(ring, level, left, remainder),
                false => Ok(()),
            }
        })
    }

    /// The remainders of a polynomial by the node `left`, of s points, and its sibling, of r ≤ s points:
    /// in the place of its s + r coefficients.
    fn divide(
        &self,
        ring: &PolyRing<F>,
        level: &Level<F>,
        left: usize,
        polynomial: &mut [F::Elem],
    ) -> Result<(), PolyError> {
        let (field, multiplier, points) = (ring.field(), ring.multiplier(), level.transform);
        let reversed = polynomial.iter().rev().take(level.span);
        let leading: Vec<F::Elem> = reversed.copied().collect();
        let mut values = vec![Default::default(); self.words];
        multiplier.evaluate(&mut values, points, &leading)?;
        let mut quotient_values = vec![Default::default(); self.divisor_words];
        let mut multiple = leading;
        fold(field, polynomial, self.divisor_points);
        // Both remainders start from the same residue modulo x^N − 1.
        let residue = polynomial.to_vec();
        let (first, second) = polynomial.split_at_mut(level.degree(left));
        let lengths = [first.len(), second.len()];
        for (side, remainder) in [first, second].into_iter().enumerate() {
            let node = left + side;
            let quotient = &mut multiple[..lengths[1 - side]];
            multiplier.sum_products(quotient, points, &[[&values, self.values(node)]])?;
            quotient.reverse();
            multiplier.evaluate(&mut quotient_values, self.divisor_points, quotient)?;
            let multiple = &mut multiple[..remainder.len()];
            let pair = [&quotient_values[..], self.divisor(node)];
            multiplier.sum_products(multiple, self.divisor_points, &[pair])?;
            remainder.copy_from_slice(&residue[..remainder.len()]);
            field.sub_assign_slice(remainder, multiple);
        }
        Ok(())
    }
}

/// Adds to the first `points` coefficients all that wraps to them modulo x^points − 1.
fn fold<F: Field>(field: &F, polynomial: &mut [F::Elem], points: usize) {
    let (low, high) = polynomial.split_at_mut(points.min(polynomial.len()));
    for piece in high.chunks(points) {
        field.add_assign_slice(&mut low[..piece.len()], piece);
    }
}

/// Nodes that have siblings.
fn paired<F: CoefficientField>(level: &Level<F>) -> usize {
    level.nodes() / 2 * 2
}

/// About how many bytes the inverses take. Saturating.
fn bytes<F: CoefficientField>(ring: &PolyRing<F>, levels: &[Level<F>], count: usize) -> u64 {
    let coefficients = (count as u64).saturating_mul(size_of::<F::Elem>() as u64);
    let of_level = |level: &Level<F>| {
        let words = [level.transform, ring.cyclic_points(level.span)]
            .map(|points| ring.multiplier().value_words(points) as u64);
        let nodes = (paired(level) * size_of::<u64>()) as u64;
        let values = words[0].saturating_add(words[1]).saturating_mul(nodes);
        coefficients.saturating_add(values)
    };
    levels.iter().map(of_level).fold(0, u64::saturating_add)
}
