//! A few rows times a packed block of columns, in registers.

use super::scheme::Scheme;
use sunzi_machine::simd::{InstructionSet, Simd, SimdTask};

/// Rows of the left matrix and columns of the right one that meet in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TileShape {
    /// Rows.
    pub(super) rows: usize,
    /// 64-bit lanes of a vector, times the vectors of a packed row.
    pub(super) lanes: usize,
}

impl TileShape {
    /// What the registers of an instruction set hold of `products` sums an entry.
    pub(super) fn of(set: InstructionSet, products: usize) -> Self {
        match (set, products) {
            (InstructionSet::Avx512, 2) => Self { rows: 6, lanes: 16 },
            (InstructionSet::Avx512, 3) => Self { rows: 8, lanes: 8 },
            (InstructionSet::Avx512, _) => Self { rows: 4, lanes: 8 },
            (_, 2) => Self { rows: 6, lanes: 4 },
            (_, 3) => Self { rows: 4, lanes: 4 },
            _ => Self { rows: 2, lanes: 4 },
        }
    }

    /// For one row of the left matrix, and two sums an entry.
    pub(super) fn of_row(set: InstructionSet) -> Self {
        match set {
            InstructionSet::Avx512 => Self { rows: 1, lanes: 32 },
            _ => Self { rows: 1, lanes: 16 },
        }
    }
}

/// The sums of one packed strip of rows with all packed columns: `rows · P` rows of `width` lanes.
pub(super) struct Strip<'a, C: Scheme<P>, const P: usize> {
    pub(super) scheme: C,
    pub(super) shape: TileShape,
    /// Terms of a sum.
    pub(super) terms: usize,
    /// For every term `shape.rows` times [`Scheme::LEFT`] factors.
    pub(super) left: &'a [u32],
    /// Columns of tiles one after the other; each holds a row of the tile for every term.
    pub(super) right: &'a [C::Word],
    pub(super) sums: &'a mut [u64],
    pub(super) width: usize,
}

impl<S: Simd, C: Scheme<P>, const P: usize> SimdTask<S> for Strip<'_, C, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        // Constant conditions: of all shapes, those of this instruction set and scheme alone are compiled.
        let one_row = self.shape.rows == 1;
        if const { P == 2 && S::LANES == 8 } {
            if one_row {
                self.with::<S, 1, 4>(simd);
            } else {
                self.with::<S, 6, 2>(simd);
            }
        } else if const { P == 2 } {
            if one_row {
                self.with::<S, 1, 4>(simd);
            } else {
                self.with::<S, 6, 1>(simd);
            }
        } else if const { P == 3 && S::LANES == 8 } {
            self.with::<S, 8, 1>(simd);
        } else if const { P == 3 || S::LANES == 8 } {
            self.with::<S, 4, 1>(simd);
        } else {
            self.with::<S, 2, 1>(simd);
        }
    }
}

impl<C: Scheme<P>, const P: usize> Strip<'_, C, P> {
    #[inline(always)]
    fn with<S: Simd, const ROWS: usize, const VECTORS: usize>(self, simd: S) {
        debug_assert_eq!(
            (self.shape.rows, self.shape.lanes),
            (ROWS, VECTORS * S::LANES)
        );
        const { assert!(C::LEFT == 1 || C::LEFT == P) };
        let words = VECTORS * simd.lanes_of::<C::Word>();
        let left = &self.left[..self.terms * ROWS * C::LEFT];
        let tiles = self.right.chunks_exact(self.terms * words);
        for (tile, right) in tiles.enumerate() {
            let sums = sums::<S, C, P, ROWS, VECTORS>(simd, self.scheme, left, right);
            for (row, sums) in sums.iter().enumerate() {
                for j in 0..P {
                    let start = (row * P + j) * self.width + tile * VECTORS * S::LANES;
                    for (v, sums) in sums.iter().enumerate() {
                        simd.store(&mut self.sums[start + v * S::LANES..], sums[j]);
                    }
                }
            }
        }
    }
}

/// The sums of one tile.
#[inline(always)]
fn sums<S: Simd, C: Scheme<P>, const P: usize, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    scheme: C,
    left: &[u32],
    right: &[C::Word],
) -> [[[S::Vector; P]; VECTORS]; ROWS] {
    let lanes = simd.lanes_of::<C::Word>();
    let words = VECTORS * lanes;
    let bound = simd.splat64(scheme.bound());
    let (often, rarely) = (scheme.often().min(left.len().max(1)), scheme.rarely());
    let mut sums = [[[simd.splat64(0); P]; VECTORS]; ROWS];
    let mut reductions = 0;
    let runs = left
        .chunks(often * ROWS * C::LEFT)
        .zip(right.chunks(often * words));
    for (left, right) in runs {
        for (left, right) in left
            .chunks_exact(ROWS * C::LEFT)
            .zip(right.chunks_exact(words))
        {
            let mut factors = [[simd.splat64(0); P]; VECTORS];
            for (v, factors) in factors.iter_mut().enumerate() {
                *factors = C::factors(simd, simd.load(&right[v * lanes..]));
            }
            for (row, sums) in sums.iter_mut().enumerate() {
                for j in 0..P {
                    let x = simd.splat32(left[row * C::LEFT + j.min(C::LEFT - 1)]);
                    for (sums, factors) in sums.iter_mut().zip(&factors) {
                        sums[j] = simd.add64(sums[j], simd.mul_low_halves(x, factors[j]));
                    }
                }
            }
        }
        reductions += 1;
        reduce::<S, P, ROWS, VECTORS>(simd, &mut sums, C::OFTEN, bound);
        if reductions == rarely {
            reductions = 0;
            reduce::<S, P, ROWS, VECTORS>(simd, &mut sums, C::RARELY, bound);
        }
    }
    reduce::<S, P, ROWS, VECTORS>(simd, &mut sums, C::RARELY, bound);
    sums
}

/// Brings some of the sums below the bound.
#[inline(always)]
fn reduce<S: Simd, const P: usize, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    sums: &mut [[[S::Vector; P]; VECTORS]; ROWS],
    which: [bool; P],
    bound: S::Vector,
) {
    for sums in sums {
        for sums in sums {
            for j in 0..P {
                if which[j] {
                    sums[j] = simd.reduce_once64(sums[j], bound);
                }
            }
        }
    }
}
