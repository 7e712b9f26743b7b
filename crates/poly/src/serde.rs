//! Polynomials in formats of `serde`: lists of coefficients, from the constant term upward.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bivariate::BivariatePoly;
use crate::poly::Poly;

impl<E: Serialize> Serialize for Poly<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.coefficients().serialize(serializer)
    }
}

impl<'de, E: Deserialize<'de> + Default + PartialEq> Deserialize<'de> for Poly<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::new)
    }
}

/// A list of polynomials in x: the coefficients of y⁰, y¹, …
impl<E: Serialize> Serialize for BivariatePoly<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.rows().serialize(serializer)
    }
}

impl<'de, E: Deserialize<'de> + Default + PartialEq> Deserialize<'de> for BivariatePoly<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::new)
    }
}
