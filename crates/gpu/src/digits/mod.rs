//! Elimination, division and Euclid's algorithm modulo r^k + 1, by a thread for each digit.
//!
//! **Problem.** Determinants of matrices and quotients, divisors, cofactors and resultants of pairs of polynomials, in batches, over
//! fields of which an element takes 2 to 256 words. **Algorithm.** Those of word fields, without fractions: a matrix is eliminated by two
//! products an element and step, in a launch of all its elements; a pair has a group of threads, whose steps multiply the dividend by the
//! divisor's leading coefficient. Pivots and leading coefficients come back to the host, which multiplies their powers and inverts one
//! element for each result. **Floor.** 2n³/3 products of elements a determinant; for degrees n, 2n² a division of the usual
//! sequence, 6n² with cofactors.

mod determinant;
mod euclid;

pub use determinant::ElementDeterminants;
pub use euclid::ElementEuclid;

use crate::big_prime::BigPrimeContext;
use crate::big_prime::context::{DIGITS, ELEMENTS, Radix};
use crate::big_prime::plan::step_threads;
use sunzi_device::{Device, GpuError, Kernel, Source};
use sunzi_field::AnyField;

/// What computations with elements of a field have in common.
#[derive(Debug)]
struct Elements {
    field: AnyField,
    radix: Radix,
    /// log2 of the digits of an element.
    log_k: u32,
    /// Threads of a group.
    threads: usize,
}

impl Elements {
    /// # Errors
    /// [`GpuError::Shape`] for a field that devices do not [know](BigPrimeContext::knows), [`GpuError::Limits`] where groups of the
    /// device have too few threads.
    fn new(device: &Device, field: &AnyField) -> Result<Self, GpuError> {
        let known = field.radix_and_digits();
        let known = known.filter(|_| BigPrimeContext::knows(field));
        let (radix, digits) = known.ok_or_else(|| {
            GpuError::Shape(format!(
                "devices compute modulo r^k + 1, which {field} is not"
            ))
        })?;
        Ok(Self {
            field: field.clone(),
            radix: Radix::new(radix),
            log_k: digits.ilog2(),
            threads: step_threads(device.info(), digits)?,
        })
    }

    /// The kernels of a text, by their names.
    fn kernels<const N: usize>(
        &self,
        device: &Device,
        (name, text): (&'static str, &'static str),
        names: [&str; N],
    ) -> Result<[Kernel; N], GpuError> {
        let source = Source::new(name, self.threads)
            .part(DIGITS)
            .part(ELEMENTS)
            .part(text);
        let program = device.program(&source)?;
        let kernels: Result<Vec<_>, _> = names.iter().map(|name| program.kernel(name)).collect();
        kernels?
            .try_into()
            .map_err(|_| GpuError::Shape(format!("{name} has other kernels")))
    }

    /// Words of an element.
    const fn digits(&self) -> usize {
        1 << self.log_k
    }

    /// The product of powers of elements, told by their rows, and divided by those whose exponents are negative; `None` if one of
    /// these is 0.
    fn product<'a>(&self, powers: impl Iterator<Item = (&'a [u64], i64)>) -> Option<Vec<u64>> {
        let mut one = Vec::with_capacity(self.digits());
        self.field.push_u64(1, &mut one);
        let (mut above, mut below) = (one.clone(), one);
        for (row, exponent) in powers {
            let power = self.field.power_row(row, exponent.unsigned_abs());
            let side = if exponent < 0 { &mut below } else { &mut above };
            *side = self.field.product_row(side, &power);
        }
        Some(
            self.field
                .product_row(&above, &self.field.inverse_row(&below)?),
        )
    }
}
