//! Boundary matrices of chessboard and matching complexes.
//!
//! Both are complexes of matchings: a simplex is a set of edges of a graph (the complete bipartite one, the
//! complete one) without common ends, and its boundary is the alternating sum of the sets with one edge
//! less (Björner, Lovász, Vrećica and Živaljević, "Chessboard complexes and matching complexes", 1994). Edges
//! are ordered by their lower ends, then their higher; simplices as words over the edges.

use sunzi_integer::Natural;

use super::require;
use crate::error::SparseError;
use crate::{compressed::Compressed, error::Line, matrix::CsrMatrix};

/// Points whose use one word marks.
const MOST_POINTS: u32 = 64;

/// The boundary of placements of k + 1 rooks.
pub(super) fn chessboard(
    rows: u32,
    columns: u32,
    k: u32,
    too_large: impl Fn() -> SparseError,
) -> Result<CsrMatrix<f64>, SparseError> {
    if rows
        .checked_add(columns)
        .is_none_or(|points| points > MOST_POINTS)
    {
        return Err(SparseError::Range(
            "a chessboard has at most 64 rows and columns in all",
        ));
    }
    let edges = (0..rows).flat_map(|i| (0..columns).map(move |j| 1u64 << i | 1 << (rows + j)));
    let edges = edges.collect::<Vec<_>>();
    let graph = Graph::Bipartite { rows, columns };
    boundary(&Matchings::new(graph, &edges), k, too_large)
}

/// The boundary of sets of k + 1 disjoint pairs.
pub(super) fn matching(
    points: u32,
    k: u32,
    too_large: impl Fn() -> SparseError,
) -> Result<CsrMatrix<f64>, SparseError> {
    if points > MOST_POINTS {
        return Err(SparseError::Range(
            "a matching complex has at most 64 points",
        ));
    }
    let edges = (0..points).flat_map(|i| (i + 1..points).map(move |j| 1u64 << i | 1 << j));
    let edges = edges.collect::<Vec<_>>();
    let graph = Graph::Complete { points };
    boundary(&Matchings::new(graph, &edges), k, too_large)
}

/// The graph whose edges are matched; points are bits of words.
#[derive(Clone, Copy)]
enum Graph {
    /// Rows from bit 0 on, then columns.
    Bipartite { rows: u32, columns: u32 },
    /// Points from bit 0 on.
    Complete { points: u32 },
}

impl Graph {
    /// How many sets of `size` edges have no common ends: C(m,k)·C(n,k)·k! or n!/(2^k·k!·(n−2k)!); `None` where
    /// 32 bits don't count them.
    fn matchings(self, size: u32) -> Option<u32> {
        let mut count = Natural::ONE;
        for chosen in 0..size {
            let edges = match self {
                Self::Bipartite { rows, columns } => {
                    rows.saturating_sub(chosen) * columns.saturating_sub(chosen)
                }
                Self::Complete { points } => {
                    let left = points.saturating_sub(2 * chosen);
                    left * left.saturating_sub(1) / 2
                }
            };
            // Each set is met once for each of its edges that may be the last.
            count = count * Natural::from(edges) / Natural::from(chosen + 1);
        }
        u32::try_from(&count).ok()
    }

    /// No fewer edges than a matching of these points has.
    fn most_edges(self, points: u64) -> u32 {
        match self {
            Self::Bipartite { rows, .. } => {
                let below = (points & ((1 << rows) - 1)).count_ones();
                below.min(points.count_ones() - below)
            }
            Self::Complete { .. } => points.count_ones() / 2,
        }
    }
}

/// Sets of edges that no two of have an end in common, as ascending lists of edges' places.
struct Matchings<'a> {
    graph: Graph,
    /// Each edge as the set of its two ends; ordered so that the lowest ends ascend.
    edges: &'a [u64],
    /// For each edge the ends of it and those after it.
    ends_from: Vec<u64>,
}

impl<'a> Matchings<'a> {
    fn new(graph: Graph, edges: &'a [u64]) -> Self {
        let mut ends_from = edges.to_vec();
        for place in (1..edges.len()).rev() {
            ends_from[place - 1] |= ends_from[place];
        }
        Self {
            graph,
            edges,
            ends_from,
        }
    }

    /// Appends every matching of `size` edges, of which those from `first` on are to be chosen, in lexicographic
    /// order.
    fn visit(
        &self,
        size: usize,
        chosen: &mut Vec<u32>,
        used: u64,
        first: usize,
        words: &mut Vec<u32>,
    ) {
        if chosen.len() == size {
            words.extend_from_slice(chosen);
            return;
        }
        for (place, &ends) in self.edges.iter().enumerate().skip(first) {
            let most = self.graph.most_edges(self.ends_from[place] & !used);
            if chosen.len() + (most as usize) < size {
                return;
            }
            if ends & used == 0 {
                chosen.push(place as u32);
                self.visit(size, chosen, used | ends, place + 1, words);
                chosen.pop();
            }
        }
    }

    /// All `count` matchings of `size` edges, one after another.
    fn all(&self, size: usize, count: u32) -> Vec<u32> {
        let mut words = Vec::with_capacity(size * count as usize);
        self.visit(size, &mut Vec::new(), 0, 0, &mut words);
        words
    }
}

fn boundary(
    matchings: &Matchings<'_>,
    k: u32,
    too_large: impl Fn() -> SparseError,
) -> Result<CsrMatrix<f64>, SparseError> {
    if !(1..MOST_POINTS).contains(&k) {
        return Err(SparseError::Range(
            "the dimension of a boundary is at least 1 and below 64",
        ));
    }
    let count = |size| matchings.graph.matchings(size).ok_or_else(&too_large);
    let (columns, rows) = (count(k)?, count(k + 1)?);
    let entries = rows.checked_mul(k + 1).ok_or_else(&too_large)?;
    if rows == 0 {
        return CsrMatrix::from_triplets(0, columns as usize, &[]);
    }
    // Faces as words and slices; a word, an entry in its row and one in the matrix for each entry; starts.
    let bytes = u64::from(columns) * (4 * u64::from(k) + 16)
        + u64::from(entries) * (4 + 16 + 12)
        + u64::from(rows) * 8;
    require(1, bytes)?;
    let k = k as usize;
    let (faces, simplices) = (matchings.all(k, columns), matchings.all(k + 1, rows));
    let (faces, simplices) = (faces.chunks_exact(k), simplices.chunks_exact(k + 1));
    let faces: Vec<&[u32]> = faces.collect();
    let mut starts = Vec::with_capacity(rows as usize + 1);
    starts.push(0);
    let mut entries: Vec<(u32, f64)> = Vec::with_capacity(entries as usize);
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
    Ok(CsrMatrix::of(lines))
}
