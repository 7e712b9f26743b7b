//! One level of a tree.

use std::ops::Range;
use sunzi_machine::threads::Threads;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::ring::PolyRing;

/// The nodes of one level, all over `span` points but the last, which may be over fewer.
#[derive(Debug)]
pub(super) struct Level<F: CoefficientField> {
    /// Points of a whole node: a power of two.
    pub(super) span: usize,
    /// Points of all nodes.
    count: usize,
    /// The reversed products without their constant term 1, each at `span` times its index.
    pub(super) coefficients: Vec<F::Elem>,
    /// Points N ≥ 2·span of the transforms at which products of two nodes are computed, modulo x^N − 1.
    pub(super) transform: usize,
    /// The nodes' values at those, one node after the other; none at the root.
    values: Vec<u64>,
    /// Words of the values of one node.
    words: usize,
}

impl<F: CoefficientField> Level<F> {
    /// A level over `count` points, with the nodes' coefficients; at the root nothing is transformed.
    pub(super) fn new(
        ring: &PolyRing<F>,
        span: usize,
        count: usize,
        coefficients: Vec<F::Elem>,
    ) -> Self {
        let transform = ring.cyclic_points(2 * span);
        Self {
            span,
            count,
            coefficients,
            transform,
            values: Vec::new(),
            words: ring.multiplier().value_words(transform),
        }
    }

    /// Nodes.
    pub(super) fn nodes(&self) -> usize {
        self.count.div_ceil(self.span)
    }

    /// Points of a node.
    pub(super) fn range(&self, node: usize) -> Range<usize> {
        let start = node * self.span;
        start..(start + self.span).min(self.count)
    }

    /// The degree of a node.
    pub(super) fn degree(&self, node: usize) -> usize {
        self.range(node).len()
    }

    /// A node's reversed product, with its constant term.
    pub(super) fn polynomial(&self, one: F::Elem, node: usize) -> Vec<F::Elem> {
        let mut polynomial = Vec::with_capacity(self.degree(node) + 1);
        polynomial.push(one);
        polynomial.extend_from_slice(&self.coefficients[self.range(node)]);
        polynomial
    }

    /// The node's values.
    pub(super) fn values(&self, node: usize) -> &[u64] {
        &self.values[node * self.words..][..self.words]
    }

    /// Whether the node has a sibling, and so a product of its own above it.
    pub(super) fn is_paired(&self, node: usize) -> bool {
        (node ^ 1) < self.nodes()
    }

    /// Transforms all nodes that have siblings.
    pub(super) fn transform_nodes(&mut self, ring: &PolyRing<F>) -> Result<(), PolyError> {
        let paired = self.nodes() / 2 * 2;
        let mut values = vec![Default::default(); paired * self.words];
        let this = &*self;
        for_each_chunk(
            ring,
            &mut values,
            self.words,
            self.transform,
            &|node, values| {
                let polynomial = this.polynomial(ring.field().one(), node);
                ring.multiplier()
                    .evaluate(values, this.transform, &polynomial)
            },
        )?;
        self.values = values;
        Ok(())
    }
}

/// Points of a transform from which it uses threads by itself.
const LONG_TRANSFORM: usize = 1 << 17;

/// Points of all transforms of a level from which threads share them.
const PARALLEL_POINTS: usize = 1 << 12;

/// What is done with the index and the elements of a chunk.
type ChunkWork<'a, T> = &'a (dyn Fn(usize, &mut [T]) -> Result<(), PolyError> + Sync);

/// Calls `work` with the index and the elements of each chunk: several at a time if `points`, those of
/// the transforms in each, are few for the threads.
pub(super) fn for_each_chunk<F: CoefficientField, T: Send>(
    ring: &PolyRing<F>,
    data: &mut [T],
    chunk: usize,
    points: usize,
    work: ChunkWork<'_, T>,
) -> Result<(), PolyError> {
    let chunks = data.len().div_ceil(chunk);
    let shared = ring.cut(PARALLEL_POINTS);
    let parallel = chunks > 1 && points < ring.cut(LONG_TRANSFORM) && chunks * points >= shared;
    let threads = Threads::when(parallel);
    let piece = threads.piece(chunks, shared / 4 / points);
    let pieces = data.chunks_mut(piece * chunk).enumerate();
    threads.try_each(pieces, |(index, data)| {
        let mut chunks = data.chunks_mut(chunk).enumerate();
        chunks.try_for_each(|(i, chunk)| work(index * piece + i, chunk))
    })
}
