//! Determinants over the integers by residues modulo primes of 31 bits.

use super::planes::Planes;
use crate::dense::decomposition;
use crate::dense::matrix::{DenseMatrix, ShapeError};
use crate::early::{EarlyTermination, PrimePool};
use dashu_int::{IBig, UBig};
use sunzi_field::primality::is_prime;
use sunzi_field::{Field, Fp32};
use sunzi_machine::threads::{Threads, Work};

/// Primes whose determinants are computed together.
const GROUP: usize = 64;

/// Primes from 2^30 upward, as fields: just above, products of residues are reduced least often.
///
/// There are 50 million of them below 2^31, more than any determinant that fits a memory asks for.
pub(in crate::dense) fn prime_fields() -> impl Iterator<Item = Fp32> {
    ((1 << 30) + 1..1 << 31)
        .step_by(2)
        .filter(|&candidate| is_prime(u64::from(candidate)))
        .filter_map(|prime: u32| Fp32::new(prime).ok())
}

/// Bits that each of these primes adds to a product at least.
pub(in crate::dense) const PRIME_BITS: f64 = 30.0;

/// Primes whose product is more than twice 2^bits.
pub(super) fn primes_for(bits: f64) -> usize {
    ((bits.max(0.0) + 1.0) / PRIME_BITS).ceil() as usize
}

/// The same primes, for early termination: as many as are below 2^31 and not below 2^30.
const POOL: PrimePool = PrimePool::new(1 << 30, 1 << 31, (1, 2), 50_697_537);

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

impl MatrixImages<'_> {
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
    pub fn determinants(&self) -> Result<Vec<u32>, ShapeError> {
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
    divisor: Option<&IBig>,
    determinants: &mut OfImages<'_, E>,
) -> Result<(Reconstruction, usize), E> {
    let wanted = primes_for(bits);
    // Differences of values that are not proved are twice the bound at most.
    let agreeing = early.and_then(|how| Some((how, POOL.agreeing(bits + 1.0, 0.0, how)?)));
    let (mut fields, agreeing): (Box<dyn Iterator<Item = Fp32>>, _) = match agreeing {
        None => (Box::new(prime_fields()), None),
        Some((how, agreeing)) => {
            let drawn = POOL.draw(how.seed());
            let fields = drawn.filter_map(|prime| Fp32::new(u32::try_from(prime).ok()?).ok());
            (Box::new(fields), Some(agreeing))
        }
    };
    let mut result = Reconstruction::new();
    let (mut used, mut unchanged) = (0, 0);
    let work = match agreeing {
        None => Work::new(wanted as u64, "primes"),
        Some(_) => Work::at_most(wanted as u64, "primes"),
    };
    while used < wanted {
        // Groups, so that early termination is soon, and the same on any number of threads.
        let group = agreeing.unwrap_or(GROUP).min(wanted - used);
        let group: Vec<Fp32> = fields.by_ref().take(group).collect();
        let residues = determinants(&MatrixImages {
            order,
            planes,
            fields: &group,
            work: &work,
        })?;
        for (field, residue) in group.iter().zip(residues) {
            let inverse = match divisor {
                None => Some(field.one()),
                Some(divisor) => field.inv(field.from_integer(divisor)),
            };
            // A prime that divides the divisor tells nothing.
            let Some(inverse) = inverse else { continue };
            let residue = field.mul(residue, inverse);
            used += 1;
            unchanged = if result.add(field, residue) {
                0
            } else {
                unchanged + 1
            };
        }
        if agreeing.is_some_and(|agreeing| unchanged >= agreeing) {
            break;
        }
    }
    Ok((result, used))
}

/// The integer of least absolute value that has the residues given so far.
///
/// Each residue adds one digit in mixed radix (H. Garner, 1959): linear in the digits there are.
#[derive(Clone, Debug)]
pub(super) struct Reconstruction {
    /// In `[0, modulus)`.
    value: UBig,
    modulus: UBig,
}

impl Reconstruction {
    fn new() -> Self {
        Self {
            value: UBig::ZERO,
            modulus: UBig::ONE,
        }
    }

    /// Takes the residue modulo a prime that has not been there; tells whether the integer is another now.
    fn add(&mut self, field: &Fp32, residue: u32) -> bool {
        let before = self.least();
        let of = |value: &UBig| field.from_integer(&IBig::from(value.clone()));
        let difference = field.sub(residue, of(&self.value));
        // The modulus is a product of other primes.
        if let Some(inverse) = field.inv(of(&self.modulus)) {
            self.value += &self.modulus * field.mul(difference, inverse);
        }
        self.modulus *= field.prime();
        self.least() != before
    }

    /// The integer.
    pub(super) fn least(&self) -> IBig {
        let value = IBig::from(self.value.clone());
        if &self.value + &self.value > self.modulus {
            value - IBig::from(self.modulus.clone())
        } else {
            value
        }
    }
}
