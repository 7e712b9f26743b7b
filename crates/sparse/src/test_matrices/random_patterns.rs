//! Graphs, circuits and linear programs at random.

use super::require;
use crate::error::SparseError;
use crate::matrix::CsrMatrix;
use sunzi_field::random::SplitMix64;

/// Edges of a random graph, those repeated counted in their values.
pub(super) fn r_mat(
    log_n: u32,
    degree: u32,
    mut stream: SplitMix64,
    too_large: impl Fn() -> SparseError,
) -> Result<CsrMatrix<f64>, SparseError> {
    if log_n > 31 {
        return Err(SparseError::Range("a random graph has at most 2^31 nodes"));
    }
    let edges = u64::from(degree) << log_n;
    if edges > u64::from(u32::MAX) {
        return Err(too_large());
    }
    require(edges, 48)?;
    // Probabilities of the quarters in hundredths: 57, 19, 19 and 5.
    let triplets = (0..edges).map(|_| {
        let (mut row, mut column) = (0, 0);
        for _ in 0..log_n {
            let chance = stream.below(100);
            row = 2 * row + u32::from(chance >= 76);
            column = 2 * column + u32::from((57..76).contains(&chance) || chance >= 95);
        }
        (row, column, 1.0)
    });
    let nodes = 1 << log_n;
    CsrMatrix::from_triplets(nodes, nodes, &triplets.collect::<Vec<_>>())
}

/// A circuit's conductances: every branch adds to two diagonal entries and subtracts from the two between
/// them; every node leaks to the ground, which makes it definite.
pub(super) fn circuit(nodes: u32, mut stream: SplitMix64) -> Result<CsrMatrix<f64>, SparseError> {
    require(u64::from(nodes), 16 * 2 * 10)?;
    let mut triplets = Vec::new();
    let mut branch = |a: u32, b: u32, conductance: f64| {
        triplets.extend([(a, a, conductance), (b, b, conductance)]);
        triplets.extend([(a, b, -conductance), (b, a, -conductance)]);
    };
    let mut leaks = Vec::new();
    let rails = nodes / 1000;
    for node in 0..nodes {
        let conductance = |stream: &mut SplitMix64| (1 + stream.below(15)) as f64 / 16.0;
        leaks.push((node, node, 1.0 / 1024.0));
        if node > 0 {
            branch(node - 1, node, conductance(&mut stream));
        }
        // Half of the nodes have a branch to a node up to 2^3 away, a quarter up to 2^6, …
        let reach = 3 * (1 + stream.word().trailing_zeros().min(9));
        let distance = 2 + stream.below((1 << reach.min(30)) - 1) as u32;
        if let Some(far) = node.checked_sub(distance) {
            branch(far, node, conductance(&mut stream));
        }
        if rails > 0 && stream.below(20) == 0 {
            // Rails are spread evenly among the nodes.
            let rail = stream.below(u64::from(rails)) as u32 * 1000 + 500;
            if rail != node {
                branch(rail, node, conductance(&mut stream));
            }
        }
    }
    triplets.extend(leaks);
    let nodes = nodes as usize;
    CsrMatrix::from_triplets(nodes, nodes, &triplets)
}

/// Columns of a block.
const BLOCK: u32 = 64;

/// Blocks of constraints and rows that link them.
pub(super) fn linear_program(
    columns: u32,
    mut stream: SplitMix64,
) -> Result<CsrMatrix<f64>, SparseError> {
    require(u64::from(columns), 16 * 2 * 4)?;
    let blocks = columns.div_ceil(BLOCK);
    let mut triplets = Vec::new();
    let mut row = 0;
    let coefficient = |stream: &mut SplitMix64| {
        let size = (1 + stream.below(9)) as f64;
        if stream.below(2) == 0 { size } else { -size }
    };
    for block in 0..blocks {
        let first = block * BLOCK;
        let width = u64::from((columns - first).min(BLOCK));
        for _ in 0..16 {
            for _ in 0..8 {
                let column = first + stream.below(width) as u32;
                triplets.push((row, column, coefficient(&mut stream)));
            }
            row += 1;
        }
    }
    for _ in 0..blocks / 8 {
        for _ in 0..64 {
            let column = stream.below(u64::from(columns)) as u32;
            triplets.push((row, column, coefficient(&mut stream)));
        }
        row += 1;
    }
    CsrMatrix::from_triplets_with(row as usize, columns as usize, &triplets, |a, _| a)
}
