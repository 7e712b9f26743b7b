//! Sparse matrices in formats of `serde`: the shape, and the starts, indices and values of [`SparseMatrix::new`].

use crate::matrix::{Major, SparseMatrix, lines};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A matrix by its parts.
#[derive(Serialize, Deserialize)]
#[serde(rename = "SparseMatrix")]
struct Parts<S, I, V> {
    rows: usize,
    columns: usize,
    starts: S,
    indices: I,
    values: V,
}

impl<E: Serialize, M: Major> Serialize for SparseMatrix<E, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lines = lines(self);
        let parts = Parts {
            rows: self.rows(),
            columns: self.columns(),
            starts: lines.starts(),
            indices: lines.indices(),
            values: self.values(),
        };
        parts.serialize(serializer)
    }
}

impl<'de, E: Deserialize<'de>, M: Major> Deserialize<'de> for SparseMatrix<E, M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Parts {
            rows,
            columns,
            starts,
            indices,
            values,
        } = Parts::deserialize(deserializer)?;
        Self::new(rows, columns, starts, indices, values).map_err(D::Error::custom)
    }
}
