//! Determinants over the integers by residues modulo primes of 31 bits.

use crate::dense::decomposition;
use crate::dense::matrix::DenseMatrix;
use crate::error::MatrixError;
use sunzi_field::{Field, Fp32};
use sunzi_integer::Integer;
use sunzi_integer::mul_limbs;
use sunzi_machine::threads::{Threads, Work};
use sunzi_rns::early::{Agreement, EarlyTermination};
use sunzi_rns::{PRIMES_31, Planes, Reconstruction};

/// Primes whose determinants are computed together.
const GROUP: usize = 64;

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

/// An integer c below 2^bits with det A = c·divisor, by residues, and how many there were.
pub(super) fn determinant<E>(
    (order, planes): (usize, &Planes),
    bits: f64,
    early: Option<&EarlyTermination>,
    divisor: Option<&Integer>,
    determinants: &mut OfImages<'_, E>,
) -> Result<(Integer, usize), E> {
    let wanted = primes_for(bits);
    // Differences of values that are not proved are twice the bound at most.
    let agreeing = early.and_then(|how| Some((how, PRIMES_31.agreeing(bits + 1.0, 0.0, how)?)));
    let (mut fields, agreeing): (Box<dyn Iterator<Item = Fp32>>, _) = match agreeing {
        None => (Box::new(prime_fields()), None),
        Some((how, agreeing)) => (Box::new(fields(PRIMES_31.draw(how.seed()))), Some(agreeing)),
    };
    let (mut primes, mut images): (Vec<u64>, Vec<[u32; 1]>) = (Vec::new(), Vec::new());
    let mut agreement = Agreement::default();
    let work = match agreeing {
        None => Work::new(wanted as u64, "primes"),
        Some(_) => Work::at_most(wanted as u64, "primes"),
    };
    while primes.len() < wanted {
        // Groups, so that early termination is soon, and the same on any number of threads.
        let group = agreeing.unwrap_or(GROUP).min(wanted - primes.len());
        let group: Vec<Fp32> = fields.by_ref().take(group).collect();
        let residues = determinants(&MatrixImages::new((order, planes), &group, &work))?;
        for (field, residue) in group.iter().zip(residues) {
            let inverse = match divisor {
                None => Some(field.one()),
                Some(divisor) => field.inv(field.from_integer(divisor)),
            };
            // A prime that divides the divisor tells nothing.
            let Some(inverse) = inverse else { continue };
            let residue = field.mul(residue, inverse);
            primes.push(field.prime().into());
            images.push([residue]);
            if agreeing.is_some() {
                agreement.add(field.prime().into(), residue.into());
            }
        }
        if agreeing.is_some_and(|agreeing| agreement.unchanged() >= agreeing) {
            break;
        }
    }
    let value = Reconstruction::new(&primes, mul_limbs)
        .signed_all(&images)
        .pop();
    Ok((value.unwrap_or_default(), primes.len()))
}
