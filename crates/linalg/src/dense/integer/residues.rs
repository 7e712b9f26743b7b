//! An integer from residues modulo one prime after the other.

use dashu_int::{IBig, UBig};
use sunzi_field::{Field, Fp32};

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
    pub(super) fn new() -> Self {
        Self {
            value: UBig::ZERO,
            modulus: UBig::ONE,
        }
    }

    /// Takes the residue modulo a prime that has not been there; tells whether the integer is another now.
    pub(super) fn add(&mut self, field: &Fp32, residue: u32) -> bool {
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
