//! Products of blocks: C −= A·B modulo a prime, which is where elimination spends its time.
//!
//! **Floor.** Of `rows · terms · columns` products, a vector of 64-bit lanes takes one 32-bit product and
//! one addition a lane for each product of digits ([`scheme`]); a core with 16 32-bit products and as many 64-bit
//! additions in two cycles, as those with 512-bit vectors have, cannot take less than 1/8 cycle for primes
//! below 2^31 and 3/8 cycle for those below 2^60, reductions apart.
//!
//! **Algorithm.** As in K. Goto and R. van de Geijn, *Anatomy of high-performance matrix multiplication*
//! (2008): blocks of B and strips of A are packed so that a tile of sums stays in registers; strips run on all
//! threads.

mod packed;
pub mod scheme;
mod tile;

use super::matrix::DenseMatrix;
use super::view::{View, ViewMut};
use super::{late_reduction, unblocked};
pub(super) use packed::PackedMatrix;
use scheme::{Halves, Scheme, Thirds, Whole};
use sunzi_field::{DigitKernels, Field, Fp32, Fp64, ScalarKernels, WordKernels};
use sunzi_machine::{Grain, simd::InstructionSet, threads::Threads};
use tile::{Strip, TileShape};

/// Terms of a sum that are packed together: this number of products of [`Thirds`] stays below 2^52.
const TERMS: usize = 256;

/// Columns that are packed together: with [`TERMS`] of them they fit the second cache.
const COLUMNS: usize = 512;

/// Products of residues for which a thread of its own pays.
const PRODUCTS_A_THREAD: usize = 1 << 18;

/// Memory that one product of blocks after the other uses: what is taken from the system anew has to be cleared by it.
#[derive(Debug)]
pub struct Room<E> {
    left: Vec<u32>,
    right: Vec<E>,
}

impl<E> Room<E> {
    pub fn new() -> Self {
        Self {
            left: Vec::new(),
            right: Vec::new(),
        }
    }
}

/// How products of blocks run: on which instruction set, and cut how finely.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub set: InstructionSet,
    pub grain: Grain,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            set: InstructionSet::detect(),
            grain: Grain::default(),
        }
    }
}

/// A kind of kernels ([`Field::Kernels`]) with products of blocks of matrices over the field F: linear combinations of rows
/// where it says nothing else.
pub trait BlockKernels<F: Field> {
    /// Whether products pack blocks, which pays for many rows only.
    const PACKS: bool = false;

    /// Determinants up to this order take no blocks: they are quicker without.
    const SMALL: usize = 0;

    /// The determinant of a matrix of at most that order.
    fn small_determinant(field: &F, matrix: DenseMatrix<F::Elem>) -> F::Elem {
        unblocked::small_determinant(field, matrix)
    }

    /// `c −= a·b`.
    #[allow(private_interfaces)]
    fn subtract_product(
        field: &F,
        _room: &mut Room<F::Elem>,
        c: ViewMut<'_, F::Elem>,
        a: View<'_, F::Elem>,
        b: View<'_, F::Elem>,
    ) {
        by_combinations(field, c, a, b);
    }
}

impl<F: Field> BlockKernels<F> for ScalarKernels {}
impl<F: Field> BlockKernels<F> for DigitKernels {}

impl BlockKernels<Fp32> for WordKernels {
    const PACKS: bool = true;
    const SMALL: usize = 96;

    fn small_determinant(field: &Fp32, matrix: DenseMatrix<u32>) -> u32 {
        late_reduction::determinant(InstructionSet::detect(), field, &matrix)
    }

    #[allow(private_interfaces)]
    fn subtract_product(
        field: &Fp32,
        room: &mut Room<u32>,
        c: ViewMut<'_, u32>,
        a: View<'_, u32>,
        b: View<'_, u32>,
    ) {
        subtract(Whole::new(field), &Run::default(), room, c, a, b);
    }
}

impl BlockKernels<Fp64> for WordKernels {
    const PACKS: bool = true;
    const SMALL: usize = 24;

    #[allow(private_interfaces)]
    fn subtract_product(
        field: &Fp64,
        room: &mut Room<u64>,
        c: ViewMut<'_, u64>,
        a: View<'_, u64>,
        b: View<'_, u64>,
    ) {
        let run = Run::default();
        match u64::BITS - field.prime().leading_zeros() {
            ..=Halves::MAX_BITS => subtract(Halves::new(field), &run, room, c, a, b),
            _ => subtract(Thirds::new(field), &run, room, c, a, b),
        }
    }
}

/// A field over which matrices are eliminated by blocks: its kind of kernels has products of blocks.
pub trait MatrixField: Field<Kernels: BlockKernels<Self>> {
    /// `c −= a·b`.
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn subtract_product(
        &self,
        room: &mut Room<Self::Elem>,
        c: ViewMut<'_, Self::Elem>,
        a: View<'_, Self::Elem>,
        b: View<'_, Self::Elem>,
    ) {
        Self::Kernels::subtract_product(self, room, c, a, b);
    }
}

impl<F: Field<Kernels: BlockKernels<F>>> MatrixField for F {}

/// C −= A·B by linear combinations of the rows of B, three at a time.
fn by_combinations<F: Field>(
    field: &F,
    c: ViewMut<'_, F::Elem>,
    a: View<'_, F::Elem>,
    b: View<'_, F::Elem>,
) {
    let rows = c.row_blocks(1);
    Threads::all().each(rows.into_iter().enumerate(), |(i, mut row)| {
        let scratch = &mut Vec::new();
        subtract_combination(field, row.row_mut(0), a.row(i), |t| b.row(t), scratch);
    });
}

/// `target −= Σ factors[t]·row(t)`, with one reduction for three products where the field can do that; `scratch` is any vector.
pub(super) fn subtract_combination<'a, F: Field>(
    field: &F,
    target: &mut [F::Elem],
    factors: &[F::Elem],
    row: impl Fn(usize) -> &'a [F::Elem],
    scratch: &mut Vec<F::Elem>,
) {
    let term = |t: usize| (field.neg(factors[t]), row(t));
    let count = factors.len();
    scratch.resize(target.len(), field.zero());
    // Each sum is read from one of both places and written to the other.
    let (mut from, mut to) = (&mut *target, &mut scratch[..]);
    for t in (0..count).step_by(3) {
        let before = (field.one(), &*from);
        match count - t {
            1 => field.combine_slices(to, [before, term(t)]),
            2 => field.combine_slices(to, [before, term(t), term(t + 1)]),
            _ => field.combine_slices(to, [before, term(t), term(t + 1), term(t + 2)]),
        }
        (from, to) = (to, from);
    }
    if count.div_ceil(3) % 2 == 1 {
        target.copy_from_slice(scratch);
    }
}

/// C −= A·B with one scheme.
pub fn subtract<C: Scheme<P>, const P: usize>(
    scheme: C,
    run: &Run,
    room: &mut Room<C::Word>,
    mut c: ViewMut<'_, C::Word>,
    a: View<'_, C::Word>,
    b: View<'_, C::Word>,
) {
    let (block_terms, block_columns) = (run.grain.of(TERMS), run.grain.of(COLUMNS));
    assert!(c.rows() == a.rows() && c.columns() == b.columns() && a.columns() == b.rows());
    if c.rows() == 0 || c.columns() == 0 {
        return;
    }
    let shape = TileShape::of(run.set, P);
    let Room { left, right } = room;
    for first in (0..a.columns()).step_by(block_terms) {
        let terms = block_terms.min(a.columns() - first);
        pack_left(scheme, shape, a.block((0, a.rows()), (first, terms)), left);
        for column in (0..c.columns()).step_by(block_columns) {
            let columns = block_columns.min(c.columns() - column);
            let block = b.block((first, terms), (column, columns));
            pack_right(scheme, shape, block, right);
            let (_, target) = c.reborrow().split_columns(column);
            let (target, _) = target.split_columns(columns);
            multiply(scheme, run, shape, target, (left, right), terms);
        }
    }
}

/// Words of a tile's row for every 64-bit lane.
fn words_a_lane<T>() -> usize {
    size_of::<u64>() / size_of::<T>()
}

/// The factors of A: strips of rows, in each all rows' factors term by term.
fn pack_left<C: Scheme<P>, const P: usize>(
    scheme: C,
    shape: TileShape,
    a: View<'_, C::Word>,
    packed: &mut Vec<u32>,
) {
    let strip = shape.rows * C::LEFT * a.columns();
    packed.clear();
    packed.resize(a.rows().div_ceil(shape.rows) * strip, 0);
    let mut row = Vec::with_capacity(a.columns());
    for (index, strip) in packed.chunks_exact_mut(strip.max(1)).enumerate() {
        let first = index * shape.rows;
        for i in first..a.rows().min(first + shape.rows) {
            row.clear();
            row.extend_from_slice(a.row(i));
            scheme.prepare_left(&mut row);
            let places = strip.chunks_exact_mut(shape.rows * C::LEFT);
            for (place, &residue) in places.zip(&row) {
                let factors = &scheme.left(residue)[..C::LEFT];
                place[(i - first) * C::LEFT..][..C::LEFT].copy_from_slice(factors);
            }
        }
    }
}

/// The entries of B: columns of tiles, in each the rows of the tile term by term.
fn pack_right<C: Scheme<P>, const P: usize>(
    scheme: C,
    shape: TileShape,
    b: View<'_, C::Word>,
    packed: &mut Vec<C::Word>,
) {
    let words = shape.lanes * words_a_lane::<C::Word>();
    let tiles = b.columns().div_ceil(words);
    packed.clear();
    packed.resize(tiles * words * b.rows(), C::Word::default());
    for term in 0..b.rows() {
        for (tile, entries) in b.row(term).chunks(words).enumerate() {
            let target = &mut packed[(tile * b.rows() + term) * words..][..entries.len()];
            for (target, &entry) in target.iter_mut().zip(entries) {
                *target = scheme.right(entry);
            }
        }
    }
}

/// C −= what was packed, a strip of rows after the other, on all threads.
fn multiply<C: Scheme<P>, const P: usize>(
    scheme: C,
    &Run { set, grain }: &Run,
    shape: TileShape,
    c: ViewMut<'_, C::Word>,
    (left, right): (&[u32], &[C::Word]),
    terms: usize,
) {
    let words = shape.lanes * words_a_lane::<C::Word>();
    let width = c.columns().div_ceil(words) * shape.lanes;
    let products = c.rows() * c.columns() * terms;
    let tasks =
        (products / grain.of(PRODUCTS_A_THREAD)).clamp(1, 4 * sunzi_machine::threads::count());
    let strips = c.rows().div_ceil(shape.rows);
    let strips_a_task = strips.div_ceil(tasks);
    let strip_len = shape.rows * C::LEFT * terms;
    let work = |(mut block, left): (ViewMut<'_, C::Word>, &[u32])| {
        let mut sums = vec![0; shape.rows * P * width];
        let mut scratch = vec![C::Word::default(); width * words_a_lane::<C::Word>()];
        for (index, left) in left.chunks_exact(strip_len).enumerate() {
            set.run_or_portable(Strip {
                scheme,
                shape,
                terms,
                left,
                right,
                sums: &mut sums,
                width,
            });
            let first = index * shape.rows;
            let rows = first..block.rows().min(first + shape.rows);
            for (row, sums) in rows.zip(sums.chunks_exact_mut(P * width)) {
                scheme.finish(set, block.row_mut(row), sums, width, &mut scratch);
            }
        }
    };
    let blocks = c.row_blocks(strips_a_task * shape.rows);
    let lefts = left.chunks(strips_a_task * strip_len);
    Threads::when(blocks.len() > 1).each(blocks.into_iter().zip(lefts), work);
}
