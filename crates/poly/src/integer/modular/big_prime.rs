//! One prime r^k + 1 that is larger than twice a result can be.
//!
//! §2.9 of D. Mohajerani, *Parallel arbitrary-precision integer arithmetic* (2021), asks how such a prime does against many of a word:
//! nothing is put together from residues, and hardly a prime is unlucky; but products of residues cost more than as many bits
//! in words.

use crate::{AnyPoly, AnyPolyRing, PolyError};
use sunzi_field::generalized_fermat::NamedPrime;
use sunzi_field::{AnyField, FieldError};
use sunzi_integer::{Integer, Natural};

/// The smallest named prime above 2^`bits`.
pub(super) fn prime_above(bits: u64) -> Result<NamedPrime, PolyError> {
    NamedPrime::above(bits).map_err(|largest| PolyError::NoNamedPrime {
        bits,
        largest: largest.bit_len(),
    })
}

/// Polynomials modulo such a prime, which stand for those over Z.
pub(super) struct BigPrime {
    field: AnyField,
    pub(super) ring: AnyPolyRing,
    prime: Natural,
}

impl BigPrime {
    pub(super) fn new(prime: &NamedPrime) -> Result<Self, PolyError> {
        let field = AnyField::generalized_fermat(prime.radix, prime.digits);
        let field = field.map_err(FieldError::from)?;
        Ok(Self {
            ring: AnyPolyRing::new(&field),
            prime: field.modulus(),
            field,
        })
    }

    pub(super) fn prime(&self) -> &Natural {
        &self.prime
    }

    /// The next larger one.
    pub(super) fn next(&self) -> Result<Self, PolyError> {
        Self::new(&prime_above(self.prime.bit_len() as u64)?)
    }

    pub(super) fn image(&self, f: &[Integer]) -> Result<AnyPoly, PolyError> {
        let mut rows = Vec::with_capacity(f.len() * self.field.width());
        for x in f {
            self.field.push_integer(x, &mut rows);
        }
        self.ring.polynomial(rows)
    }

    /// The integer of least absolute value of a row.
    pub(super) fn signed(&self, row: &[u64]) -> Integer {
        let value: Natural = self.field.integer(row);
        if &value + &value > self.prime {
            Integer::from(value) - Integer::from(self.prime.clone())
        } else {
            Integer::from(value)
        }
    }

    /// The integers of least absolute value of all coefficients, with zeros up to `len` of them.
    pub(super) fn integers(&self, f: &AnyPoly, len: usize) -> Vec<Integer> {
        let rows = f.rows();
        let mut integers: Vec<Integer> = rows
            .chunks_exact(self.field.width())
            .map(|row| self.signed(row))
            .collect();
        integers.resize(len.max(integers.len()), Integer::ZERO);
        integers
    }

    /// `f` times a constant.
    pub(super) fn scaled(&self, f: &AnyPoly, factor: &Integer) -> Result<AnyPoly, PolyError> {
        self.ring.mul(f, &self.image(std::slice::from_ref(factor))?)
    }
}
