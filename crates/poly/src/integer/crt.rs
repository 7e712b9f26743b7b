//! Word-size coefficients by transforms over one to four primes.

use std::sync::OnceLock;

use sunzi_dft::crt::{Coefficients, CrtBasis, ResidueProduct, Segmentation, signed_pieces};
use sunzi_integer::Natural;
use sunzi_rns::{CoefficientBound, Composer};

use super::flat::FlatPoly;
use crate::bits::WORD;

/// The most primes that are used: enough for word-size coefficients and any number of terms.
pub(super) const MAX_PRIMES: usize = 4;
/// The number of primes that most products take at most: their coefficients take fewer limbs.
const FEW_PRIMES: usize = 3;

/// The bases, by their number of primes, each made when first needed.
#[derive(Debug, Default)]
pub(super) struct Bases([OnceLock<Option<CrtBasis>>; MAX_PRIMES]);

impl Bases {
    /// The smallest basis that tells apart all coefficients below 2^(bits − 1) in absolute value; `None` if
    /// that takes more than [`MAX_PRIMES`] primes.
    pub(super) fn for_bits(&self, bits: usize) -> Option<&CrtBasis> {
        let bound =
            CoefficientBound::product(&(Natural::ONE << (bits - 1)), &Natural::ONE, 1).signed();
        self.0.iter().enumerate().find_map(|(index, slot)| {
            let basis = slot
                .get_or_init(|| CrtBasis::new(index + 1).ok())
                .as_ref()?;
            basis.check(&bound).is_ok().then_some(basis)
        })
    }
}

/// Coefficients below 2^64 in absolute value, for residues.
struct Operand<'a>(&'a FlatPoly);

impl Coefficients for Operand<'_> {
    const PIECES: usize = 2;
    const OFFSET: bool = true;

    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn pieces(&self, index: usize) -> [u64; 2] {
        let value = match *self.0.coefficient(index) {
            [low] => i128::from(low as i64),
            [low, high, ..] => (u128::from(high) << WORD | u128::from(low)) as i128,
            [] => 0,
        };
        signed_pieces(value)
    }
}

/// Writes the product of polynomials with coefficients below 2^64 in absolute value into the rows
/// of `width` limbs of `out`; `None` if the transforms are too long for the primes.
pub(super) fn multiply(
    basis: &CrtBasis,
    out: &mut [u64],
    width: usize,
    a: &FlatPoly,
    b: &FlatPoly,
) -> Option<()> {
    let other = (!std::ptr::eq(a, b)).then_some(Operand(b));
    let product = basis.multiply(&Operand(a), other.as_ref()).ok()?;
    if basis.len() <= FEW_PRIMES {
        write_rows::<FEW_PRIMES>(basis, product, out, width);
    } else {
        write_rows::<MAX_PRIMES>(basis, product, out, width);
    }
    Some(())
}

/// Writes the coefficients, signed values of up to `N` limbs.
fn write_rows<const N: usize>(
    basis: &CrtBasis,
    product: ResidueProduct<'_>,
    out: &mut [u64],
    width: usize,
) {
    let composer = Composer::<N>::new(basis.primes());
    let cut = Segmentation::for_threads(product.len());
    product.digits(
        out,
        cut,
        cut.segment() * width,
        |(): &mut (), out, from, digits| {
            let rows = out[from * width..].chunks_mut(width);
            for (index, row) in rows.take(digits[0].len()).enumerate() {
                let mut mixed = [0; N];
                for (slot, digits) in mixed.iter_mut().zip(digits) {
                    *slot = digits[index];
                }
                let value = composer.signed(mixed);
                let fill = super::flat::sign_fill(&value);
                for (position, slot) in row.iter_mut().enumerate() {
                    *slot = value.get(position).copied().unwrap_or(fill);
                }
            }
        },
    );
}
