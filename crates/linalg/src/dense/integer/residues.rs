//! Determinants over the integers by residues modulo primes of 31 bits.

use crate::dense::decomposition;
use crate::dense::matrix::DenseMatrix;
use crate::error::MatrixError;
use sunzi_field::{Field, Fp32};
use sunzi_integer::Integer;
use sunzi_integer::mul_limbs;
use sunzi_machine::threads::{Threads, Work};
use sunzi_rns::early::EarlyTermination;
use sunzi_rns::{Known, PRIMES_31, Planes, Primes, gather};

/// Primes from 2^30 upward, as fields: just above, products of residues are reduced least often.
///
/// There are 50 million of them below 2^31: enough for determinants of 1.5·10^9 bits.
pub(in crate::dense) fn prime_fields() -> impl Iterator<Item = Fp32> {
    fields(PRIMES_31.ascending())
}

pub(super) fn fields(primes: impl Iterator<Item = u64>) -> impl Iterator<Item = Fp32> {
    primes.filter_map(|prime| Fp32::new(u32::try_from(prime).ok()?).ok())
}

/// Bits that each of these primes adds to a product at least.
pub(in crate::dense) const PRIME_BITS: f64 = 30.0;

/// Primes whose product is more than twice 2^bits.
pub(super) fn primes_for(bits: f64) -> usize {
    ((bits.max(0.0) + 1.0) / PRIME_BITS).ceil() as usize
}

/// A matrix of integers modulo some primes above 2^30.
///
/// Whoever computes the determinants of these images asks for one after the other, or for all of them on several threads.
#[derive(Clone, Copy, Debug)]
pub struct MatrixImages<'a> {
    order: usize,
    planes: &'a Planes,
    fields: &'a [Fp32],
    work: &'a Work,
}

impl<'a> MatrixImages<'a> {
    pub(super) fn new(
        (order, planes): (usize, &'a Planes),
        fields: &'a [Fp32],
        work: &'a Work,
    ) -> Self {
        Self {
            order,
            planes,
            fields,
            work,
        }
    }

    /// Rows and columns.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The primes, as fields.
    pub fn fields(&self) -> &[Fp32] {
        self.fields
    }

    /// The image modulo a prime above 2^30, row by row.
    pub fn modulo(&self, field: &Fp32) -> Vec<u32> {
        self.planes.reduce(field)
    }

    /// The determinants on the processor, in the order of the fields.
    ///
    /// # Errors
    /// None of square matrices.
    pub fn determinants(&self) -> Result<Vec<u32>, MatrixError> {
        let determinants = Threads::all().map(self.fields, |field| {
            let image = DenseMatrix::new(self.order, self.order, self.modulo(field))?;
            let found = decomposition::determinant(field, image);
            self.work.done(1);
            found
        });
        determinants.into_iter().collect()
    }
}

/// What computes determinants of images, one for each field.
pub(super) type OfImages<'a, E> = dyn FnMut(&MatrixImages<'_>) -> Result<Vec<u32>, E> + 'a;

/// An integer c below 2^bits with det A = c·divisor, by residues.
pub(super) fn determinant<E>(
    (order, planes): (usize, &Planes),
    bits: f64,
    early: Option<&EarlyTermination>,
    divisor: Option<&Integer>,
    determinants: &mut OfImages<'_, E>,
) -> Result<Known<Integer>, E> {
    let drawn = early.and_then(|how| Primes::drawn(&PRIMES_31, bits, 0.0, how));
    let primes = drawn.unwrap_or_else(|| Primes::ordered(PRIMES_31.ascending(), primes_for(bits)));
    let known = gather(primes.of_slow_images(), mul_limbs, &mut |primes, work| {
        let fields: Vec<Fp32> = fields(primes.iter().copied()).collect();
        let residues = determinants(&MatrixImages::new((order, planes), &fields, work))?;
        let image = |(field, residue): (&Fp32, u32)| {
            let Some(divisor) = divisor else {
                return Some(vec![residue.into()]);
            };
            // A prime that divides the divisor tells nothing.
            let inverse = field.inv(field.from_integer(divisor))?;
            Some(vec![field.mul(residue, inverse).into()])
        };
        Ok(fields.iter().zip(residues).map(image).collect())
    })?;
    Ok(known.map(|values| values.into_iter().next().unwrap_or_default()))
}
