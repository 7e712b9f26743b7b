//! Sparse matrices in formats of `serde`: the shape, whether lines are rows or columns, and the starts, indices and values of
//! [`SparseMatrix::new`]. What is stored by rows is not read by columns: it would be another matrix.

use crate::error::Line;
use crate::matrix::{Major, SparseMatrix, lines};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What the lines of a matrix are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Lines {
    Rows,
    Columns,
}

fn lines_of<M: Major>() -> Lines {
    match M::LINE {
        Line::Row => Lines::Rows,
        Line::Column => Lines::Columns,
    }
}

/// A matrix by its parts.
#[derive(Serialize, Deserialize)]
#[serde(rename = "SparseMatrix")]
struct Parts<S, I, V> {
    rows: usize,
    columns: usize,
    lines: Lines,
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
            lines: lines_of::<M>(),
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
            lines,
            starts,
            indices,
            values,
        } = Parts::deserialize(deserializer)?;
        if lines != lines_of::<M>() {
            return Err(D::Error::custom(format!(
                "the matrix is stored by {lines:?}, and read by {:?}: read it as it is, then use to_csr or to_csc",
                lines_of::<M>()
            )));
        }
        Self::new(rows, columns, starts, indices, values).map_err(D::Error::custom)
    }
}
