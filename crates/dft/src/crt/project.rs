//! Residues of words, and of longer integers cut into pieces, modulo a prime of a basis.

use crate::Convolver;
use crate::problem::DftError;
use sunzi_field::lanes::{Lanes, LanesField, LanesTask};
use sunzi_field::{Field, Fp50};
use sunzi_rns::prepared;

/// Bits of a piece: below every prime of a basis.
pub const PIECE_BITS: u32 = 48;
/// Most pieces of a coefficient.
const MAX_PIECES: usize = 2;
/// Coefficients that are cut at a time: their pieces stay in the first-level cache.
const CHUNK: usize = 64;

/// Coefficients as sums of pieces: coefficient i is `piece_0 + 2^48·piece_1 − offset`.
pub trait Coefficients: Sync {
    /// Pieces of a coefficient, 1 or 2.
    const PIECES: usize;
    /// Whether 2^64 is to be subtracted from what the pieces say.
    const OFFSET: bool;

    /// How many coefficients there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pieces of coefficient i, each below 2^48.
    fn pieces(&self, i: usize) -> [u64; MAX_PIECES];
}

impl Coefficients for [u32] {
    const PIECES: usize = 1;
    const OFFSET: bool = false;

    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn pieces(&self, i: usize) -> [u64; 2] {
        [self[i].into(), 0]
    }
}

impl Coefficients for [u64] {
    const PIECES: usize = 2;
    const OFFSET: bool = false;

    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn pieces(&self, i: usize) -> [u64; 2] {
        [self[i] & ((1 << PIECE_BITS) - 1), self[i] >> PIECE_BITS]
    }
}

/// Integers below 2^64 in absolute value.
///
/// ```
/// use sunzi::transform::DftError;
/// use sunzi_dft::crt::SignedCoefficients;
///
/// assert!(SignedCoefficients::new(&[-1, u64::MAX.into()]).is_ok());
/// let error = SignedCoefficients::new(&[0, 1 << 64]).unwrap_err();
/// assert_eq!(error, DftError::OutOfRange { index: 1 });
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SignedCoefficients<'a>(&'a [i128]);

impl<'a> SignedCoefficients<'a> {
    /// These coefficients.
    ///
    /// # Errors
    /// [`DftError::OutOfRange`] for one of 2^64 or more in absolute value.
    pub fn new(coefficients: &'a [i128]) -> Result<Self, DftError> {
        match coefficients
            .iter()
            .position(|x| x.unsigned_abs() >> 64 != 0)
        {
            Some(index) => Err(DftError::OutOfRange { index }),
            None => Ok(Self(coefficients)),
        }
    }
}

impl Coefficients for SignedCoefficients<'_> {
    const PIECES: usize = 2;
    const OFFSET: bool = true;

    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn pieces(&self, i: usize) -> [u64; 2] {
        signed_pieces(self.0[i])
    }
}

/// The pieces of an integer below 2^64 in absolute value, raised by 2^64
/// ([`Coefficients::OFFSET`]).
#[inline(always)]
#[must_use]
pub fn signed_pieces(value: i128) -> [u64; 2] {
    let raised = (value + (1 << 64)) as u128;
    let low = raised as u64 & ((1 << PIECE_BITS) - 1);
    [low, (raised >> PIECE_BITS) as u64]
}

/// Writes the residues of the coefficients, in the convolver's private form; zeros after them.
pub(crate) fn project<C: Coefficients + ?Sized>(
    convolver: &Convolver<Fp50>,
    coefficients: &C,
    residues: &mut [u64],
) {
    let field = convolver.field();
    let power = |bits| field.pow(field.from_u64(2), bits);
    let shift = prepared(field, convolver.kernel(), &[power(PIECE_BITS.into())])[0];
    let offset = power(64);
    let task = Project {
        coefficients,
        residues,
        shift,
        offset,
    };
    field.dispatch(convolver.kernel(), task);
}

struct Project<'a, C: ?Sized> {
    coefficients: &'a C,
    residues: &'a mut [u64],
    shift: [u64; 2],
    offset: u64,
}

impl<C: Coefficients + ?Sized> LanesTask<u64> for Project<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = u64>>(self, lanes: L) {
        let mut low = [0u64; CHUNK];
        let mut high = [0u64; CHUNK];
        let total = self.coefficients.len();
        assert!(self.residues.len() >= total && self.residues.len().is_multiple_of(L::LANES));
        let shift = lanes.twiddle(&self.shift);
        // SAFETY: L divides the length of chunks, and that of `residues`, which is at least `total`: a vector that
        // begins below `total` ends within both. No arithmetic has more than MAX_LANES lanes.
        unsafe {
            let offset = [self.offset; sunzi_field::lanes::MAX_LANES];
            let offset = lanes.import(lanes.load(offset.as_ptr()));
            for from in (0..total).step_by(CHUNK) {
                let count = CHUNK.min(total - from);
                for i in 0..count {
                    let [piece_0, piece_1] = self.coefficients.pieces(from + i);
                    low[i] = piece_0;
                    high[i] = piece_1;
                }
                for i in (0..count).step_by(L::LANES) {
                    let mut x = lanes.import(lanes.load(low.as_ptr().add(i)));
                    if C::PIECES > 1 {
                        let piece = lanes.import(lanes.load(high.as_ptr().add(i)));
                        x = lanes.add(x, lanes.scale(piece, shift));
                    }
                    if C::OFFSET {
                        x = lanes.sub(x, offset);
                    }
                    lanes.store(self.residues.as_mut_ptr().add(from + i), x);
                }
            }
            // The private form of 0 is all zero bits in every kernel, and what the last vector
            // holds beyond the coefficients must not count.
            self.residues[total..].fill(0);
        }
    }
}
