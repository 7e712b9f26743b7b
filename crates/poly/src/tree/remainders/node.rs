//! The nodes of a tree of any polynomials, and how it is built.

use super::block;
use super::siblings::{self, Siblings};
use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;
use sunzi_machine::threads::Threads;

/// Degrees of a node from which its halves may go to two threads.
const PARALLEL_DEGREE: usize = 1 << 11;

/// Both results, on two threads if the node's degree is worth it.
pub(super) fn both<F: CoefficientField, A: Send, B: Send>(
    ring: &PolyRing<F>,
    degree: usize,
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    Threads::when(degree >= ring.cut(PARALLEL_DEGREE)).join(first, second)
}

/// The product of neighbouring moduli, reversed: its constant term is 1.
#[derive(Debug)]
pub(super) struct Node<F: CoefficientField> {
    pub(super) reversed: Vec<F::Elem>,
    /// Unless it is a leaf: of one modulus, or of several of a small degree together.
    pub(super) inner: Option<Box<Inner<F>>>,
}

/// What a node is the product of.
#[derive(Debug)]
pub(super) struct Inner<F: CoefficientField> {
    pub(super) halves: [Node<F>; 2],
    /// How many moduli the first one has.
    pub(super) split: usize,
    pub(super) siblings: Siblings,
}

impl<F: CoefficientField> Node<F> {
    /// The tree over monic moduli, of which there is at least one.
    pub(super) fn build(ring: &PolyRing<F>, moduli: &[Poly<F::Elem>]) -> Result<Self, PolyError> {
        let degree = degrees(moduli);
        if is_leaf(moduli) {
            let mut reversed = match moduli {
                [only] => only.coefficients().to_vec(),
                several => block::product(ring.field(), several),
            };
            reversed.reverse();
            return Ok(Self {
                reversed,
                inner: None,
            });
        }
        let split = half(moduli);
        let (left, right) = moduli.split_at(split);
        let (left, right) = both(
            ring,
            degree,
            || Self::build(ring, left),
            || Self::build(ring, right),
        );
        let halves = [left?, right?];
        let reversed = [&halves[0].reversed[..], &halves[1].reversed[..]];
        let siblings = Siblings::new(ring, reversed)?;
        Ok(Self {
            reversed: siblings.product(ring, reversed)?,
            inner: Some(Box::new(Inner {
                halves,
                split,
                siblings,
            })),
        })
    }

    /// The degree of the product.
    pub(super) fn degree(&self) -> usize {
        self.reversed.len() - 1
    }
}

impl<F: CoefficientField> Inner<F> {
    /// Both halves, reversed.
    pub(super) fn reversed(&self) -> [&[F::Elem]; 2] {
        [&self.halves[0].reversed, &self.halves[1].reversed]
    }
}

/// Whether such moduli are not split.
fn is_leaf<E>(moduli: &[Poly<E>]) -> bool {
    moduli.len() < 2 || degrees(moduli) <= block::degree::<E>()
}

/// The degree of the product of the moduli.
fn degrees<E>(moduli: &[Poly<E>]) -> usize {
    moduli.iter().filter_map(Poly::degree).sum()
}

/// Where to split two moduli or more so that the degrees of both products are as equal as can be: a
/// modulus of great degree has few nodes above it.
fn half<E>(moduli: &[Poly<E>]) -> usize {
    let whole = degrees(moduli);
    let (mut split, mut left, mut last) = (0, 0, 0);
    while 2 * left < whole {
        last = moduli[split].degree().unwrap_or(0);
        left += last;
        split += 1;
    }
    // The left side is the heavier one: is the right one, if it takes the last modulus, less heavy?
    if split > 1 && whole - left + last < left {
        split -= 1;
    }
    split.clamp(1, moduli.len() - 1)
}

/// About how many bytes a tree over such moduli takes. Saturating.
pub(super) fn bytes<F: CoefficientField>(ring: &PolyRing<F>, moduli: &[Poly<F::Elem>]) -> u64 {
    let own = (degrees(moduli) as u64 + 1).saturating_mul(size_of::<F::Elem>() as u64);
    if is_leaf(moduli) {
        return own;
    }
    let (left, right) = moduli.split_at(half(moduli));
    let words = siblings::value_words(ring, [degrees(left), degrees(right)]);
    let values = (words as u64).saturating_mul(size_of::<u64>() as u64);
    [values, bytes(ring, left), bytes(ring, right)]
        .into_iter()
        .fold(own, u64::saturating_add)
}
