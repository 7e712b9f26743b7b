//! Powers of ten and their reciprocals, shared by conversions in both directions.
//!
//! A conversion of a number of n chunks (see [`super::chunk`]) works on a balanced binary tree:
//! `L·2^d ≥ n` chunks in all with leaves of `L ≤ 64`. The node of level j spans `L·2^j` chunks and
//! needs the power `10^(19·L·2^j)`. Such a power ends in many zero bits, so it is kept as
//! `power · 2^(64·shift)`, which saves a third of every product with it.

use crate::division::reciprocal;
use crate::multiplier::Multiplier;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, RwLock};
use sunzi_rns::limbs;

use super::chunk::{BASE, DIGITS};

/// Most chunks in a leaf.
pub const MAX_LEAF: usize = 64;

/// Powers up to this many chunks (1.2 million digits) are remembered; longer ones, which cost
/// megabytes and serve a number that takes much longer than their computation, are not.
const REMEMBERED_CHUNKS: usize = 1 << 16;

/// Precomputed powers of ten, and their reciprocals, for the decimal text of integers.
///
/// An owner that converts many numbers keeps one and passes it on; it fills itself as needed and
/// may be shared between threads. Results never depend on what it holds.
///
/// ```
/// use sunzi::integer::{DecimalTables, Multiplier};
/// let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
/// let x = tables.parse(&multiplier, b"-12345678901234567890123").unwrap();
/// let mut text = Vec::new();
/// tables.format(&multiplier, &x, &mut text).unwrap();
/// assert_eq!(text, b"-12345678901234567890123");
/// ```
#[derive(Debug, Default)]
pub struct DecimalTables {
    /// By the number of chunks in a leaf: its levels, from the leaf upward.
    towers: RwLock<HashMap<usize, Vec<Arc<Level>>>>,
}

/// The power of ten that one level of a tree needs.
#[derive(Debug)]
pub struct Level {
    /// Chunks that a node of this level spans.
    pub chunks: usize,
    /// `10^(19·chunks) = power · 2^(64·shift)`, the top limb not zero.
    pub power: Vec<u64>,
    /// Zero limbs left out of `power`.
    pub shift: usize,
    /// See [`Level::reciprocal`].
    inverse: OnceLock<Vec<u64>>,
}

/// The shape of a tree that holds a given number of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Chunks in a leaf, at most [`MAX_LEAF`].
    pub leaf: usize,
    /// Levels above the leaves.
    pub depth: usize,
}

impl Shape {
    /// The balanced tree with room for `chunks` chunks and leaves as long as allowed.
    pub fn of(chunks: usize) -> Self {
        let mut depth = 0;
        while chunks.div_ceil(1 << depth) > MAX_LEAF {
            depth += 1;
        }
        Self {
            leaf: chunks.div_ceil(1 << depth).max(1),
            depth,
        }
    }
}

/// Limbs that hold any number of `chunks` chunks: 10^19 < 2^63.117.
pub fn limbs_of(chunks: usize) -> usize {
    (chunks as u128 * 63_117).div_ceil(64_000) as usize
}

impl DecimalTables {
    /// Empty tables.
    pub fn new() -> Self {
        Self::default()
    }

    /// The tables of the whole process, which the text of [`Natural`](crate::Natural) and its sisters uses.
    ///
    /// ```
    /// use sunzi::integer::{DecimalTables, Multiplier};
    /// assert_eq!(DecimalTables::shared().parse(Multiplier::shared(), b"17").unwrap(), 17);
    /// ```
    #[inline]
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<DecimalTables> = OnceLock::new();
        SHARED.get_or_init(Self::new)
    }

    /// Levels 0 … `top` of the tree with leaves of `leaf` chunks.
    pub(super) fn levels(
        &self,
        multiplier: &Multiplier,
        leaf: usize,
        top: usize,
    ) -> Vec<Arc<Level>> {
        // A poisoned lock still holds complete levels: they are only ever appended whole.
        let known = self
            .towers
            .read()
            .unwrap_or_else(|held| held.into_inner())
            .get(&leaf)
            .cloned();
        let mut levels = known.unwrap_or_default();
        let found = levels.len();
        // No lock is held while computing: a product may let this thread work on another number,
        // which would wait for the lock forever.
        while levels.len() <= top {
            let next = match levels.last() {
                None => Level::leaf(leaf),
                Some(below) => below.squared(multiplier),
            };
            levels.push(Arc::new(next));
        }
        if levels.len() > found {
            let mut towers = self.towers.write().unwrap_or_else(|held| held.into_inner());
            let kept = towers.entry(leaf).or_default();
            for level in levels.iter().skip(kept.len()) {
                if level.chunks <= REMEMBERED_CHUNKS {
                    kept.push(Arc::clone(level));
                }
            }
        }
        levels.truncate(top + 1);
        levels
    }
}

impl Level {
    /// The power of a leaf, one chunk at a time.
    fn leaf(chunks: usize) -> Self {
        let mut power = vec![1];
        let mut shift = 0;
        for _ in 0..chunks {
            let carry = limbs::mul_add_word(&mut power, BASE, 0);
            power.push(carry);
            limbs::truncate_zeros(&mut power);
            // 10^19 has 19 factors of two: at most one limb becomes zero in a step.
            if power[0] == 0 {
                power.remove(0);
                shift += 1;
            }
        }
        debug_assert_eq!(shift, DIGITS * chunks / 64);
        Self {
            chunks,
            power,
            shift,
            inverse: OnceLock::new(),
        }
    }

    /// The power of the level above.
    fn squared(&self, multiplier: &Multiplier) -> Self {
        let mut power = vec![0; 2 * self.power.len()];
        multiplier.sqr(&mut power, &self.power);
        let mut shift = 2 * self.shift;
        limbs::truncate_zeros(&mut power);
        // Fewer than 64 factors of two stand in `self.power`, so fewer than 128 in its square.
        if power[0] == 0 {
            power.remove(0);
            shift += 1;
        }
        Self {
            chunks: 2 * self.chunks,
            power,
            shift,
            inverse: OnceLock::new(),
        }
    }

    /// The reciprocal of `power` to `precision = fraction_limbs(self.chunks)` limbs, as
    /// [`reciprocal`] defines it: with `z` the leading zero bits of `power`'s top limb and m its
    /// limbs, `2^(64(m+precision)) / (power·2^z)`, rounded down by less than 2.
    pub(super) fn reciprocal(&self, multiplier: &Multiplier, precision: usize) -> &[u64] {
        if self.inverse.get().is_none() {
            // Computed outside the cell, which another thread may meanwhile have filled with the
            // same value: waiting inside for a thread of the same pool could be forever.
            let inverse = reciprocal(multiplier, &self.power, precision);
            let _ = self.inverse.set(inverse);
        }
        self.inverse.get().expect("the cell was just filled")
    }
}

/// `tables.levels(…)`, for tests.
#[cfg(feature = "internals")]
pub fn levels(
    tables: &DecimalTables,
    multiplier: &Multiplier,
    leaf: usize,
    top: usize,
) -> Vec<Arc<Level>> {
    tables.levels(multiplier, leaf, top)
}
