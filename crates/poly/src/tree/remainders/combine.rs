//! The polynomial with given remainders.

use super::node::{Node, both};
use super::{Cofactor, RemainderTree, block};
use crate::division::Divisor;
use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use sunzi_machine::threads::Threads;

impl<F: CoefficientField> RemainderTree<F> {
    /// The polynomial, of a degree below that of the product of all moduli, that has the i-th remainder by
    /// the i-th modulus (Chinese remaindering). A "remainder" may have any degree.
    ///
    /// The first call finds and inverts the cofactors, by as many extended GCDs as there are moduli; the
    /// others save that. Takes O(M(n)·log n) operations for moduli of degree n together.
    ///
    /// # Errors
    /// [`PolyError::RemainderCount`] unless there are as many remainders as moduli;
    /// [`PolyError::CommonFactor`] names the first modulus that is not coprime to all others, and the
    /// first one that it has a factor in common with; [`PolyError::OutOfMemory`].
    pub fn combine(&self, remainders: &[Poly<F::Elem>]) -> Result<Poly<F::Elem>, PolyError> {
        (F::compiled().combine)(self, remainders)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn combine_here(
        &self,
        remainders: &[Poly<F::Elem>],
    ) -> Result<Poly<F::Elem>, PolyError> {
        if remainders.len() != self.len() {
            return Err(PolyError::RemainderCount {
                moduli: self.len(),
                remainders: remainders.len(),
            });
        }
        let Some(root) = &self.root else {
            return Ok(Poly::zero());
        };
        let pairs = remainders.iter().zip(self.cofactors(root)?);
        let numerators = Threads::all().try_map(pairs, |(remainder, cofactor)| {
            let Cofactor { inverse, modulus } = cofactor;
            let shorter = modulus.rem(remainder)?;
            modulus.rem(&self.ring.try_mul(&shorter, inverse)?)
        })?;
        self.sum(root, &numerators)
    }

    /// The sum of n_i·M/m_i.
    fn sum(
        &self,
        root: &Node<F>,
        numerators: &[Poly<F::Elem>],
    ) -> Result<Poly<F::Elem>, PolyError> {
        let mut sum = self.ascend(root, &self.moduli, numerators)?;
        sum.reverse();
        Ok(Poly::new(sum))
    }

    /// The numerator over a node, reversed: as many coefficients as the node has degrees.
    fn ascend(
        &self,
        node: &Node<F>,
        moduli: &[Poly<F::Elem>],
        numerators: &[Poly<F::Elem>],
    ) -> Result<Vec<F::Elem>, PolyError> {
        let Some(inner) = &node.inner else {
            let mut sum = match numerators {
                [only] => only.coefficients().to_vec(),
                several => block::numerator(self.ring.field(), moduli, several),
            };
            sum.resize(node.degree(), self.ring.field().zero());
            sum.reverse();
            return Ok(sum);
        };
        let [left, right] = &inner.halves;
        let moduli = moduli.split_at(inner.split);
        let numerators = numerators.split_at(inner.split);
        let (first, second) = both(
            &self.ring,
            node.degree(),
            || self.ascend(left, moduli.0, numerators.0),
            || self.ascend(right, moduli.1, numerators.1),
        );
        let halves = [&first?[..], &second?[..]];
        inner.siblings.ascend(&self.ring, inner.reversed(), halves)
    }

    /// The inverses of M/m_i by m_i.
    fn cofactors(&self, root: &Node<F>) -> Result<&[Cofactor<F>], PolyError> {
        if let Some(cofactors) = self.cofactors.get() {
            return Ok(cofactors);
        }
        let one = Poly::new(vec![self.ring.field().one()]);
        let sum = self.sum(root, &vec![one; self.len()])?;
        let products = self.remainders(&sum)?;
        let pairs = products.iter().zip(&self.moduli);
        let found = Threads::all().map(pairs, |(product, modulus)| self.cofactor(product, modulus));
        let mut cofactors = Vec::with_capacity(self.len());
        for (first, found) in found.into_iter().enumerate() {
            match found? {
                Ok(cofactor) => cofactors.push(cofactor),
                Err(factor) => return Err(self.common_factor(first, &factor)?),
            }
        }
        Ok(self.cofactors.get_or_init(|| cofactors))
    }

    /// The cofactor for one modulus, where `product` is what that of the others leaves; their common factor
    /// if they have one.
    fn cofactor(
        &self,
        product: &Poly<F::Elem>,
        modulus: &Poly<F::Elem>,
    ) -> Result<Result<Cofactor<F>, Poly<F::Elem>>, PolyError> {
        let found = self.ring.xgcd(product, modulus)?;
        if found.gcd.len() > 1 {
            return Ok(Err(found.gcd));
        }
        Ok(Ok(Cofactor {
            inverse: found.s,
            modulus: Divisor::new(&self.ring, modulus)?,
        }))
    }

    /// The error that names the modulus `first`, which is the first one that has a factor in common with
    /// others, and the first of these that this factor is not coprime to.
    fn common_factor(&self, first: usize, factor: &Poly<F::Elem>) -> Result<PolyError, PolyError> {
        for (second, modulus) in self.moduli.iter().enumerate().skip(first + 1) {
            if self.ring.gcd(factor, modulus)?.len() > 1 {
                return Ok(PolyError::CommonFactor { first, second });
            }
        }
        Ok(PolyError::CommonFactor {
            first,
            second: first,
        })
    }
}
