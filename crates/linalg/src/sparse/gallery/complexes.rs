//! Boundary matrices of chessboard and matching complexes.
//!
//! Both are complexes of matchings: a simplex is a set of edges of a graph (the complete bipartite one, the
//! complete one) without common ends, and its boundary is the alternating sum of the sets with one edge
//! less (Björner, Lovász, Vrećica and Živaljević, "Chessboard complexes and matching complexes", 1994). Edges
//! are ordered by their lower ends, then their higher; simplices as words over the edges.

use super::{GalleryError, require};
use crate::sparse::CsrMatrix;
use crate::sparse::compressed::Compressed;
use crate::sparse::error::Line;

/// Points whose use one word marks.
const MOST_POINTS: u32 = 64;

/// The boundary of placements of k + 1 rooks.
pub(super) fn chessboard(
    rows: u32,
    columns: u32,
    k: u32,
    too_large: impl Fn() -> GalleryError,
) -> Result<CsrMatrix<f64>, GalleryError> {
    if rows
        .checked_add(columns)
        .is_none_or(|points| points > MOST_POINTS)
    {
        return Err(GalleryError::Range(
            "a chessboard has at most 64 rows and columns in all",
        ));
    }
    let edges = (0..rows).flat_map(|i| (0..columns).map(move |j| 1u64 << i | 1 << (rows + j)));
    boundary(&edges.collect::<Vec<_>>(), k, too_large)
}

/// The boundary of sets of k + 1 disjoint pairs.
pub(super) fn matching(
    points: u32,
    k: u32,
    too_large: impl Fn() -> GalleryError,
) -> Result<CsrMatrix<f64>, GalleryError> {
    if points > MOST_POINTS {
        return Err(GalleryError::Range(
            "a matching complex has at most 64 points",
        ));
    }
    let edges = (0..points).flat_map(|i| (i + 1..points).map(move |j| 1u64 << i | 1 << j));
    boundary(&edges.collect::<Vec<_>>(), k, too_large)
}

/// Sets of edges that no two of have an end in common, as ascending lists of edges' places.
struct Matchings<'a> {
    /// Each edge as the set of its two ends; ordered so that the lowest ends ascend.
    edges: &'a [u64],
}

impl Matchings<'_> {
    /// Calls `visit` with every matching of `size` edges from `first` on, in lexicographic order, until it
    /// returns `false`.
    fn visit(
        &self,
        size: usize,
        chosen: &mut Vec<u32>,
        used: u64,
        first: usize,
        visit: &mut impl FnMut(&[u32]) -> bool,
    ) -> bool {
        if chosen.len() == size {
            return visit(chosen);
        }
        for (place, &ends) in self.edges.iter().enumerate().skip(first) {
            if ends & used == 0 {
                chosen.push(place as u32);
                let on = self.visit(size, chosen, used | ends, place + 1, visit);
                chosen.pop();
                if !on {
                    return false;
                }
            }
        }
        true
    }

    /// All matchings of `size` edges, one after another; `None` if there are more than 32 bits count.
    fn all(&self, size: usize) -> Result<Option<Vec<u32>>, GalleryError> {
        let mut words = Vec::new();
        let mut failure = None;
        self.visit(size, &mut Vec::new(), 0, 0, &mut |matching| {
            if words.len() == words.capacity() {
                // The list doubles now, and the matrix made of it takes about five times as much.
                failure = require(words.len() as u64 * 2, 4 * 6).err();
            }
            words.extend_from_slice(matching);
            failure.is_none() && words.len() < u32::MAX as usize
        });
        match failure {
            Some(failure) => Err(failure),
            None => Ok((words.len() < u32::MAX as usize).then_some(words)),
        }
    }
}

fn boundary(
    edges: &[u64],
    k: u32,
    too_large: impl Fn() -> GalleryError,
) -> Result<CsrMatrix<f64>, GalleryError> {
    if !(1..MOST_POINTS).contains(&k) {
        return Err(GalleryError::Range(
            "the dimension of a boundary is at least 1 and below 64",
        ));
    }
    let k = k as usize;
    let matchings = Matchings { edges };
    let faces = matchings.all(k)?.ok_or_else(&too_large)?;
    let simplices = matchings.all(k + 1)?.ok_or_else(&too_large)?;
    let (faces, simplices) = (faces.chunks_exact(k), simplices.chunks_exact(k + 1));
    let faces: Vec<&[u32]> = faces.collect();
    let mut starts = vec![0];
    let mut entries: Vec<(u32, f64)> = Vec::new();
    let mut face = Vec::with_capacity(k);
    for simplex in simplices {
        let first = entries.len();
        for omitted in 0..=k {
            face.clear();
            face.extend_from_slice(&simplex[..omitted]);
            face.extend_from_slice(&simplex[omitted + 1..]);
            // A part of a matching is a matching, so that it is among them all.
            let column = faces.partition_point(|&other| other < &face[..]);
            let sign = if omitted % 2 == 0 { 1.0 } else { -1.0 };
            entries.push((column as u32, sign));
        }
        entries[first..].sort_unstable_by_key(|entry| entry.0);
        starts.push(entries.len());
    }
    let (indices, values) = entries.into_iter().unzip();
    let shape = (starts.len() - 1, faces.len());
    let lines = Compressed::new(Line::Row, shape, starts, indices, values)?;
    Ok(CsrMatrix { lines })
}
