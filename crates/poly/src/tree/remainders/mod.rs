//! Remainders by many polynomials at once, and back: Chinese remaindering.
//!
//! **Problem.** f modulo m_0 … m_{k−1}, and the f of degree below that of their product M that has given
//! remainders. **Algorithm.** The product by a tree, halved so that both sides have about equal degrees;
//! then as with linear moduli, of which this is the general case (J. von zur Gathen, J. Gerhard, *Modern
//! Computer Algebra*, §10.3):
//!
//! - Down the tree goes f/M as a series in 1/x, times the sibling at every step, a middle product; a
//!   remainder is the fractional part times its modulus (D. Bernstein, *Scaled remainder trees*, 2004). No
//!   node but the root is inverted.
//! - Up the tree go numerators: n/A + m/B = (n·B + m·A)/(A·B).
//! - Cofactors: with all numerators 1 the sum of all M/m_i comes up. Modulo m_i all of them but M/m_i are
//!   0: one more way down gives M/m_i modulo m_i, for every i, without a power of any modulus. For linear
//!   moduli the sum is the derivative M', and the cofactors are its values.
//! - Several moduli of a small degree together are a leaf, with schoolbook arithmetic (`block`).
//! - Moduli are made monic. Nodes are kept reversed; their values too, where products by values win.

mod block;
mod combine;
mod node;
mod siblings;

use std::sync::OnceLock;
use sunzi_machine::threads::Threads;

use sunzi_machine::memory::Budget;

use crate::division::Divisor;
use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;
use node::{Node, both};

/// Products of many polynomials m_0 … m_{k−1} of any degrees above 0, prepared once: for the remainders of
/// polynomials by all of them, and for Chinese remaindering.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::poly::{Poly, PolyRing, RemainderTree};
///
/// let ring = PolyRing::new(Fp32::new(101)?);
/// let moduli = [Poly::new(vec![1, 0, 1]), Poly::new(vec![0, 2])]; // x² + 1, 2x
/// let tree = RemainderTree::new(&ring, &moduli)?;
/// assert_eq!(tree.product().coefficients(), [0, 2, 0, 2]); // 2x³ + 2x
/// let f = Poly::new(vec![7, 0, 5]); // 5x² + 7
/// let remainders = tree.remainders(&f)?;
/// assert_eq!(remainders, [Poly::new(vec![2]), Poly::new(vec![7])]);
/// assert_eq!(tree.combine(&remainders)?, f);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RemainderTree<F: CoefficientField> {
    ring: PolyRing<F>,
    /// Made monic.
    moduli: Vec<Poly<F::Elem>>,
    /// The product of the moduli's leading coefficients.
    leading: F::Elem,
    /// None without moduli.
    root: Option<Node<F>>,
    /// 1 over the root, reversed, to as many terms as it has degrees: made when first needed.
    root_inverse: OnceLock<Vec<F::Elem>>,
    /// What remainders are multiplied by to combine them: made when first needed.
    cofactors: OnceLock<Vec<Cofactor<F>>>,
}

/// What a remainder by one modulus is multiplied by.
#[derive(Debug)]
struct Cofactor<F: CoefficientField> {
    /// The inverse, by the modulus, of the product of all others.
    inverse: Poly<F::Elem>,
    /// The modulus.
    modulus: Divisor<F>,
}

impl<F: CoefficientField> RemainderTree<F> {
    /// The tree over `moduli`, which may be equal to each other.
    ///
    /// Takes O(M(n)·log k) operations for k moduli of degree n together, fewer if degrees differ, and
    /// about 4n·log k elements, two to three times as many where values are over several primes.
    ///
    /// # Errors
    /// [`PolyError::ConstantModulus`] names the first one of degree 0, or 0; [`PolyError::OutOfMemory`].
    pub fn new(ring: &PolyRing<F>, moduli: &[Poly<F::Elem>]) -> Result<Self, PolyError> {
        (F::compiled().remainder_tree)(ring, moduli)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn new_here(
        ring: &PolyRing<F>,
        moduli: &[Poly<F::Elem>],
    ) -> Result<Self, PolyError> {
        let constant = |modulus: &Poly<_>| modulus.len() < 2;
        if let Some(index) = moduli.iter().position(constant) {
            return Err(PolyError::ConstantModulus { index });
        }
        Budget::system().require(match moduli {
            [] => 0,
            _ => node::bytes(ring, moduli),
        })?;
        let field = ring.field();
        let leading = |modulus: &Poly<F::Elem>| modulus.coefficients().last().copied();
        let factors: Vec<F::Elem> = moduli.iter().filter_map(leading).collect();
        let mut inverses = factors.clone();
        // No last coefficient is 0.
        field
            .batch_inv(&mut inverses)
            .map_err(|_| PolyError::NoInverse)?;
        let monic = |(modulus, inverse): (&Poly<F::Elem>, F::Elem)| {
            let mut coefficients = modulus.coefficients().to_vec();
            field.scale_slice(&mut coefficients, inverse);
            Poly::new(coefficients)
        };
        let moduli: Vec<_> = moduli.iter().zip(inverses).map(monic).collect();
        let root = (!moduli.is_empty()).then(|| Node::build(ring, &moduli));
        Ok(Self {
            ring: ring.clone(),
            leading: factors
                .into_iter()
                .fold(field.one(), |product, factor| field.mul(product, factor)),
            root: root.transpose()?,
            moduli,
            root_inverse: OnceLock::new(),
            cofactors: OnceLock::new(),
        })
    }

    /// How many moduli there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moduli.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moduli.is_empty()
    }

    /// The degree of the product of all moduli.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.root.as_ref().map_or(0, Node::degree)
    }

    /// The product of all moduli; 1 without any.
    #[must_use]
    pub fn product(&self) -> Poly<F::Elem> {
        let field = self.ring.field();
        let mut product = match &self.root {
            Some(root) => root.reversed.iter().rev().copied().collect(),
            None => vec![field.one()],
        };
        field.scale_slice(&mut product, self.leading);
        Poly::new(product)
    }

    /// The remainders of `f` by all moduli, in their order.
    ///
    /// The first call inverts the root; the others save that. Takes O(M(n)·log k) operations for k
    /// moduli of degree n together and a polynomial that is not longer, and two products of n by n for
    /// every further n coefficients. Halves of a node are shared between threads.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn remainders(&self, f: &Poly<F::Elem>) -> Result<Vec<Poly<F::Elem>>, PolyError> {
        (F::compiled().remainders)(self, f)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn remainders_here(
        &self,
        f: &Poly<F::Elem>,
    ) -> Result<Vec<Poly<F::Elem>>, PolyError> {
        let Some(root) = &self.root else {
            return Ok(Vec::new());
        };
        if f.len() > root.degree() {
            let remainder = self.ring.divrem(f, &self.product())?.1;
            return self.remainders(&remainder);
        }
        let mut remainders = vec![Poly::zero(); self.len()];
        let series = self.root_series(root, f.coefficients())?;
        self.descend(root, &series, &self.moduli, &mut remainders)?;
        Ok(remainders)
    }

    /// The remainders of many polynomials by all moduli: one vector for each of them.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing, RemainderTree};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let tree = RemainderTree::new(&ring, &[Poly::new(vec![0, 0, 1])])?; // x²
    /// let found = tree.remainders_all(&[Poly::new(vec![1, 2, 3]), Poly::new(vec![4])])?;
    /// assert_eq!(found, [[Poly::new(vec![1, 2])], [Poly::new(vec![4])]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`RemainderTree::remainders`].
    pub fn remainders_all(
        &self,
        polynomials: &[Poly<F::Elem>],
    ) -> Result<Vec<Vec<Poly<F::Elem>>>, PolyError> {
        if let Some(root) = &self.root {
            self.root_inverse(root)?; // Once, and not on every thread.
        }
        Threads::all().try_map(polynomials, |f| self.remainders(f))
    }

    /// 1 over the root, reversed, to as many terms as it has degrees.
    fn root_inverse(&self, root: &Node<F>) -> Result<&[F::Elem], PolyError> {
        if let Some(inverse) = self.root_inverse.get() {
            return Ok(inverse);
        }
        let inverse = self.ring.inverse_series(&root.reversed, root.degree())?;
        Ok(self.root_inverse.get_or_init(|| inverse))
    }

    /// f/M as a series in 1/x, from 1/x on: as many terms as M has degrees.
    fn root_series(&self, root: &Node<F>, f: &[F::Elem]) -> Result<Vec<F::Elem>, PolyError> {
        let inverse = self.root_inverse(root)?;
        let reversed: Vec<F::Elem> = f.iter().rev().copied().collect();
        let quotient = self.ring.low_product(&reversed, inverse, f.len())?;
        let mut series = vec![self.ring.field().zero(); root.degree() - f.len()];
        series.extend(quotient);
        Ok(series)
    }

    /// From f/A for a node A to the remainders by its moduli.
    fn descend(
        &self,
        node: &Node<F>,
        series: &[F::Elem],
        moduli: &[Poly<F::Elem>],
        remainders: &mut [Poly<F::Elem>],
    ) -> Result<(), PolyError> {
        let ring = &self.ring;
        let Some(inner) = &node.inner else {
            let mut remainder = ring.low_product(series, &node.reversed, node.degree())?;
            remainder.reverse();
            match remainders {
                [only] => *only = Poly::new(remainder),
                several => block::remainders(ring.field(), &remainder, moduli, several),
            }
            return Ok(());
        };
        let [left, right] = &inner.halves;
        let [first, second] = inner.siblings.descend(ring, inner.reversed(), series)?;
        let moduli = moduli.split_at(inner.split);
        let remainders = remainders.split_at_mut(inner.split);
        let (first, second) = both(
            ring,
            node.degree(),
            || self.descend(left, &first, moduli.0, remainders.0),
            || self.descend(right, &second, moduli.1, remainders.1),
        );
        first.and(second)
    }
}
