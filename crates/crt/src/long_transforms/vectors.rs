//! Residues and mixed-radix digits of 64 integers at a time, in the vectors of the processor.

use sunzi_field::lanes::{Lanes, LanesTask, MAX_LANES};

/// Integers taken at a time.
pub const BLOCK: usize = 64;
/// A word for each of them.
pub type Block = [u64; BLOCK];
/// A multiplier as [`Lanes::prepare`] writes it.
pub type Entry = [u64; 2];

/// Vectors that go through a chain of products side by side, as each product waits for the one before.
const SIDE_BY_SIDE: usize = 4;
const _: () =
    assert!(BLOCK.is_multiple_of(SIDE_BY_SIDE * MAX_LANES) && MAX_LANES.is_power_of_two());

/// Neighbouring vectors of a block of residues.
///
/// # Safety
/// The vectors from `from` on end within the block.
#[inline(always)]
unsafe fn load<L: Lanes<Word = u64>>(
    lanes: L,
    block: &Block,
    from: usize,
) -> [L::Vector; SIDE_BY_SIDE] {
    let start = block.as_ptr().wrapping_add(from);
    // SAFETY: the vectors from there on end within the block, as this function asks.
    unsafe {
        let mut vectors = [lanes.import(lanes.load(start)); SIDE_BY_SIDE];
        for (v, vector) in vectors.iter_mut().enumerate().skip(1) {
            *vector = lanes.import(lanes.load(start.add(v * L::LANES)));
        }
        vectors
    }
}

/// Residues modulo one prime: sums of pieces times powers of two, the first of which is 1. Pieces are below the
/// prime.
pub struct Residues<'a> {
    /// How many integers there are; what stands behind them does not matter.
    pub count: usize,
    pub pieces: &'a [Block],
    pub powers: &'a [Entry],
}

impl LanesTask<u64> for Residues<'_> {
    type Output = Block;

    #[inline(always)]
    fn run<L: Lanes<Word = u64>>(self, lanes: L) -> Block {
        let mut residues = [0; BLOCK];
        let Some((first, pieces)) = self.pieces.split_first() else {
            return residues;
        };
        for from in (0..self.count.min(BLOCK)).step_by(SIDE_BY_SIDE * L::LANES) {
            // SAFETY: `from` is a multiple of as many words as are loaded, which divides BLOCK: both are powers of two,
            // BLOCK not the smaller.
            unsafe {
                let mut sums = load(lanes, first, from);
                for (piece, power) in pieces.iter().zip(self.powers.iter().skip(1)) {
                    let power = lanes.twiddle(power);
                    for (sum, piece) in sums.iter_mut().zip(load(lanes, piece, from)) {
                        *sum = lanes.add(*sum, lanes.scale(piece, power));
                    }
                }
                for (v, sum) in sums.into_iter().enumerate() {
                    lanes.store(
                        residues.as_mut_ptr().add(from + v * L::LANES),
                        lanes.canonical(sum),
                    );
                }
            }
        }
        residues
    }
}

/// From residues modulo one more prime to mixed-radix digits, in place: `((r − v_0)/q_0 − v_1)/q_1 − …`. As the
/// primes ascend, the digits before are residues as they stand.
pub struct NextDigit<'a> {
    /// How many integers there are; what stands behind them does not matter.
    pub count: usize,
    pub known: &'a [Block],
    pub inverses: &'a [Entry],
    pub digit: &'a mut Block,
}

impl LanesTask<u64> for NextDigit<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = u64>>(self, lanes: L) {
        for from in (0..self.count.min(BLOCK)).step_by(SIDE_BY_SIDE * L::LANES) {
            // SAFETY: `from` is a multiple of as many words as are loaded, which divides BLOCK: both are powers of two,
            // BLOCK not the smaller.
            unsafe {
                let mut x = load(lanes, self.digit, from);
                for (known, inverse) in self.known.iter().zip(self.inverses) {
                    let inverse = lanes.twiddle(inverse);
                    for (x, known) in x.iter_mut().zip(load(lanes, known, from)) {
                        *x = lanes.scale(lanes.sub(*x, known), inverse);
                    }
                }
                for (v, x) in x.into_iter().enumerate() {
                    let to = self.digit.as_mut_ptr().add(from + v * L::LANES);
                    lanes.store(to, lanes.canonical(x));
                }
            }
        }
    }
}
