//! Matrices in formats of `serde`: the numbers of rows and columns, and the entries row by row.

use super::matrix::DenseMatrix;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A matrix by its parts.
#[derive(Serialize, Deserialize)]
#[serde(rename = "DenseMatrix")]
struct Parts<V> {
    rows: usize,
    columns: usize,
    entries: V,
}

impl<E: Serialize> Serialize for DenseMatrix<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = Parts {
            rows: self.rows(),
            columns: self.columns(),
            entries: self.entries(),
        };
        parts.serialize(serializer)
    }
}

impl<'de, E: Deserialize<'de>> Deserialize<'de> for DenseMatrix<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = Parts::deserialize(deserializer)?;
        Self::new(parts.rows, parts.columns, parts.entries).map_err(D::Error::custom)
    }
}
