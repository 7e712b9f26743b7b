//! The fields that commands compute in, under one face, and the one that a user's prime asks for.

use crate::error::Failure;
use crate::modulus::{self, WordField};
use sunzi::field::generalized_fermat::{FieldTask, run as in_big_field};
use sunzi::field::{Digits, Field, Fp32, Fp64, GeneralizedFermat};
use sunzi::poly::{Algorithm, AnyLengthField, BigPrimePolyRing, Plan, Poly, PolyError, PolyRing};

/// A prime field that commands compute in.
pub trait CommandField: AnyLengthField {
    /// Its polynomials.
    type Ring: ModularRing<Field = Self>;

    /// The ring of polynomials.
    fn ring(self) -> Self::Ring;

    /// The value of an element, where every element is a word.
    fn word(&self, element: Self::Elem) -> Option<u64>;
}

/// A ring of polynomials over such a field.
pub trait ModularRing: Sync {
    /// The field of the coefficients.
    type Field: CommandField;

    fn field(&self) -> &Self::Field;

    /// What will run for operands with these numbers of coefficients.
    fn plan(&self, len_a: usize, len_b: usize) -> Plan;

    /// The same for the named algorithm.
    fn plan_with(
        &self,
        algorithm: Algorithm,
        len_a: usize,
        len_b: usize,
    ) -> Result<Plan, PolyError>;

    fn multiply(&self, a: &Coefficients<Self>, b: &Coefficients<Self>) -> Product<Self>;

    /// The same by the named algorithm.
    fn multiply_with(
        &self,
        algorithm: Algorithm,
        a: &Coefficients<Self>,
        b: &Coefficients<Self>,
    ) -> Product<Self>;
}

/// A polynomial of a ring.
pub type Coefficients<R> = Poly<<<R as ModularRing>::Field as Field>::Elem>;

/// A product, or why there is none.
type Product<R> = Result<Coefficients<R>, PolyError>;

/// Both kinds of rings have methods of the same names.
macro_rules! ring_methods {
    () => {
        fn field(&self) -> &Self::Field {
            self.field()
        }

        fn plan(&self, len_a: usize, len_b: usize) -> Plan {
            self.plan(len_a, len_b)
        }

        fn plan_with(
            &self,
            algorithm: Algorithm,
            len_a: usize,
            len_b: usize,
        ) -> Result<Plan, PolyError> {
            self.plan_with(algorithm, len_a, len_b)
        }

        fn multiply(&self, a: &Coefficients<Self>, b: &Coefficients<Self>) -> Product<Self> {
            self.try_mul(a, b)
        }

        fn multiply_with(
            &self,
            algorithm: Algorithm,
            a: &Coefficients<Self>,
            b: &Coefficients<Self>,
        ) -> Product<Self> {
            self.mul_with(algorithm, a, b)
        }
    };
}

impl ModularRing for PolyRing<Fp32> {
    type Field = Fp32;
    ring_methods!();
}

impl ModularRing for PolyRing<Fp64> {
    type Field = Fp64;
    ring_methods!();
}

impl<const K: usize> ModularRing for BigPrimePolyRing<K> {
    type Field = GeneralizedFermat<K>;
    ring_methods!();
}

impl CommandField for Fp32 {
    type Ring = PolyRing<Self>;

    fn ring(self) -> Self::Ring {
        PolyRing::new(self)
    }

    fn word(&self, element: u32) -> Option<u64> {
        Some(element.into())
    }
}

impl CommandField for Fp64 {
    type Ring = PolyRing<Self>;

    fn ring(self) -> Self::Ring {
        PolyRing::new(self)
    }

    fn word(&self, element: u64) -> Option<u64> {
        Some(element)
    }
}

impl<const K: usize> CommandField for GeneralizedFermat<K> {
    type Ring = BigPrimePolyRing<K>;

    fn ring(self) -> Self::Ring {
        BigPrimePolyRing::new(self)
    }

    fn word(&self, _element: Digits<K>) -> Option<u64> {
        None
    }
}

/// What a command does in a field that is known at run time only.
pub trait CommandTask {
    fn run<F: CommandField>(self, field: F) -> Result<(), Failure>;
}

/// Runs a task in the field of the prime that `text` names.
pub fn run<T: CommandTask>(text: &str, task: T) -> Result<(), Failure> {
    if let Some((radix, digits)) = modulus::generalized_fermat(text) {
        return in_big_field(radix, digits, InBigField(task))
            .map_err(|error| Failure::Computation(error.to_string()))?;
    }
    match modulus::field(text)? {
        WordField::Fp32(field) => task.run(field),
        WordField::Fp64(field) => task.run(field),
    }
}

struct InBigField<T>(T);

impl<T: CommandTask> FieldTask for InBigField<T> {
    type Output = Result<(), Failure>;

    fn run<const K: usize>(self, field: GeneralizedFermat<K>) -> Self::Output {
        self.0.run(field)
    }
}
