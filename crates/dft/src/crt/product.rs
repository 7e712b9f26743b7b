//! Products of polynomials by transforms modulo every prime of a basis.

use crate::Convolver;
use crate::convolver::PrivateProduct;
use crate::crt::basis::CrtBasis;
use crate::crt::plan::{ProductPlan, Segmentation};
use crate::crt::project::{Coefficients, project};
use crate::problem::DftError;
use sunzi_field::Fp50;
use sunzi_machine::threads::Threads;

/// A product known modulo every prime of a basis.
#[derive(Debug)]
pub struct ResidueProduct<'a> {
    pub(crate) basis: &'a CrtBasis,
    pub(crate) products: Vec<PrivateProduct<Fp50>>,
    pub(crate) len: usize,
}

impl CrtBasis {
    /// The product of two polynomials modulo every prime; the square of `a` without `b`.
    ///
    /// Whether the coefficients of the product are determined by their residues is for the caller
    /// to see to, with [`CrtBasis::check`].
    ///
    /// # Errors
    /// [`DftError::TooLong`] if the product has more than 2^32 coefficients; [`DftError::Shape`] if an operand is empty.
    pub fn multiply<A: Coefficients + ?Sized, B: Coefficients + ?Sized>(
        &self,
        a: &A,
        b: Option<&B>,
    ) -> Result<ResidueProduct<'_>, DftError> {
        let len_b = b.map_or(a.len(), Coefficients::len);
        let len = (a.len() + len_b).saturating_sub(1);
        let one = |convolver: &Convolver<Fp50>| {
            convolver.convolve_private(
                (a.len(), len_b),
                |residues| project(convolver, a, residues),
                b.map(|b| |residues: &mut [u64]| project(convolver, b, residues)),
            )
        };
        let plan = ProductPlan::new(self.len(), len);
        let products = plan.threads().try_map(self.convolvers(), one)?;
        Ok(ResidueProduct {
            basis: self,
            products,
            len,
        })
    }
}

impl ResidueProduct<'_> {
    /// Coefficients of the product.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Finds the mixed-radix digits of all coefficients and hands them out in segments.
    ///
    /// `out` is cut into pieces of `items` items for the coefficients of each segment (the last may be
    /// longer or shorter); `consume(state, piece, from, digits)` is called once for every block of
    /// coefficients of a segment, in order, with a state that starts as `S::default()`: the
    /// coefficients from number `from` within the segment on, `digits[j]` their digits modulo the
    /// j-th prime. The states at the segments' ends come back in order. Segments run on all threads,
    /// so that none may touch what another writes: what goes from one to the next is in its state.
    pub fn digits<T: Send, S: Default + Send>(
        mut self,
        out: &mut [T],
        Segmentation { block, segment }: Segmentation,
        items: usize,
        consume: impl Fn(&mut S, &mut [T], usize, &[&[u64]]) + Sync,
    ) -> Vec<S> {
        let len = self.len;
        let segments = len.div_ceil(segment).max(1);
        let mut rows: Vec<Vec<&mut [u64]>> = (0..segments).map(|_| Vec::new()).collect();
        let scales: Vec<[u64; 2]> = self.products.iter().map(|p| *p.scale()).collect();
        for product in &mut self.products {
            let mut rest = product.values_mut();
            for (index, row) in rows.iter_mut().enumerate() {
                let count = if index + 1 == segments {
                    rest.len()
                } else {
                    segment
                };
                let (head, tail) = rest.split_at_mut(count);
                row.push(head);
                rest = tail;
            }
        }
        let mut outs: Vec<&mut [T]> = Vec::with_capacity(segments);
        let mut rest = out;
        for index in 0..segments {
            let count = if index + 1 == segments {
                rest.len()
            } else {
                items.min(rest.len())
            };
            let (head, tail) = rest.split_at_mut(count);
            outs.push(head);
            rest = tail;
        }
        let basis = self.basis;
        let run = |((index, mut row), out): ((usize, Vec<&mut [u64]>), &mut [T])| {
            let count = if index + 1 == segments {
                len - index * segment
            } else {
                segment
            };
            let mut state = S::default();
            for from in (0..count).step_by(block) {
                let to = (from + block).min(row[0].len());
                let mut values: Vec<&mut [u64]> =
                    row.iter_mut().map(|values| &mut values[from..to]).collect();
                basis.digits(&scales, &mut values);
                let used = block.min(count - from);
                let digits: Vec<&[u64]> = values.iter().map(|digits| &digits[..used]).collect();
                consume(&mut state, out, from, &digits);
            }
            state
        };
        let work = rows.into_iter().enumerate().zip(outs);
        let states = Threads::when(segments > 1).map(work, run);
        for (convolver, product) in basis.convolvers().iter().zip(self.products) {
            convolver.recycle(product);
        }
        states
    }
}
