//! Transforms of long integers modulo as many primes of a basis as hold their bits: residues, a transform for
//! each prime, and the integers that the values stand for by mixed radix (H. Garner, *The residue number
//! system*, 1959). It is the other way to transform numbers of hundreds of bits than one big prime field.
//!
//! Integers are taken 64 at a time: what one step leaves for the next stays in the first-level cache. Of m
//! primes and integers of n limbs, residues take about 1.3·m·n products an integer, digits m²/2 in vectors,
//! and their integers m²/3 products of words.

use crate::crt::basis::CrtBasis;
use crate::problem::DftError;
use crate::{DftContext, Ordering};
use dashu_int::UBig;
use std::ops::Range;
use sunzi_field::lanes::LanesField;
use sunzi_field::{Fp50, LongInteger};
use sunzi_machine::InstructionSet;
use sunzi_machine::threads::Threads;
use sunzi_rns::limbs::bits;
use sunzi_rns::{CoefficientBound, Combination, Entry, powers_of_two, prepared};

/// Integers taken at a time.
const BLOCK: usize = 64;
/// A word for each of them.
type Block = [u64; BLOCK];

/// Bits of a piece of an integer: the primes of a basis are the largest below 2^50, so above 2^49.
const PIECE_BITS: usize = 49;
/// Integers composed side by side: their carries do not wait for each other.
const GROUP: usize = 4;
/// Integers times limbs squared from which threads share them: some 0.1 ms of work.
const PARALLEL_WORK: usize = 1 << 15;
/// Runs of integers for each thread, if there are several.
const RUNS_PER_THREAD: usize = 4;

/// A prime, its transform, and its constants.
#[derive(Debug)]
struct Channel {
    prime: u64,
    context: DftContext<Fp50>,
    /// 2^(i·[`PIECE_BITS`]), prepared as a multiplier.
    powers: Vec<Entry<u64>>,
    /// Limbs of the product of this prime and those after it.
    limbs_from_here: usize,
}

/// Transforms of one length, of integers below a modulus.
///
/// ```
/// use sunzi::Natural;
/// use sunzi_dft::crt::LongTransforms;
///
/// let transforms = LongTransforms::new(&(Natural::ONE << 190), 8)?;
/// let integers: Vec<u64> = (0..24).collect(); // eight integers of three limbs
/// let mut rows = transforms.rows();
/// transforms.project(&integers, &mut rows);
/// let mut again = vec![0; 8 * transforms.width()];
/// transforms.recombine(&rows, &mut again);
/// assert_eq!(again[..3], integers[..3]);
/// # Ok::<(), sunzi::transform::DftError>(())
/// ```
#[derive(Debug)]
pub struct LongTransforms {
    basis: CrtBasis,
    channels: Vec<Channel>,
    kernel: InstructionSet,
    points: usize,
    /// Limbs of an integer at first.
    limbs: usize,
}

impl LongTransforms {
    /// For `points` integers below `modulus`.
    ///
    /// # Errors
    /// [`DftError::TooManyPrimes`]; [`DftError::NotPowerOfTwo`] or [`DftError::TooLong`] if there are no transforms of
    /// that length.
    pub fn new(modulus: &impl LongInteger, points: usize) -> Result<Self, DftError> {
        let basis = CrtBasis::for_bound(&CoefficientBound::new(modulus))?;
        let kernel = basis.kernel();
        let limbs = modulus.sign_and_limbs().1.len();
        let pieces = (64 * limbs).div_ceil(PIECE_BITS);
        let mut channels = Vec::with_capacity(basis.len());
        let mut product = UBig::ONE;
        for convolver in basis.convolvers().iter().rev() {
            let field = convolver.field();
            debug_assert!(field.prime() >> PIECE_BITS != 0);
            product *= field.prime();
            channels.push(Channel {
                prime: field.prime(),
                context: DftContext::new(field, points)?,
                powers: prepared(field, kernel, &powers_of_two(field, PIECE_BITS, pieces)),
                limbs_from_here: product.as_words().len(),
            });
        }
        channels.reverse();
        Ok(Self {
            basis,
            channels,
            kernel,
            points,
            limbs,
        })
    }

    /// The transforms, one for each prime.
    pub fn contexts(&self) -> impl Iterator<Item = &DftContext<Fp50>> {
        self.channels.iter().map(|channel| &channel.context)
    }

    /// Limbs of an integer at the end.
    #[must_use]
    pub fn width(&self) -> usize {
        self.channels.first().map_or(0, |all| all.limbs_from_here)
    }

    /// A row for each prime, of a value for each integer.
    #[must_use]
    pub fn rows(&self) -> Vec<Vec<u64>> {
        vec![vec![0; self.points]; self.channels.len()]
    }

    /// The residues of integers below the modulus, which lie one after the other, as many limbs each as it
    /// has.
    ///
    /// # Panics
    /// If there are not as many integers as points, or the rows are not those of
    /// [`LongTransforms::rows`].
    pub fn project(&self, integers: &[u64], rows: &mut [Vec<u64>]) {
        self.check(rows, integers.len(), self.limbs);
        let run = self.run();
        let work = |(integers, mut rows): (&[u64], Vec<&mut [u64]>)| {
            let pieces = (64 * self.limbs).div_ceil(PIECE_BITS);
            let mut pieces: Vec<Block> = vec![[0; BLOCK]; pieces];
            for (block, integers) in integers.chunks(BLOCK * self.limbs).enumerate() {
                cut(integers, self.limbs, &mut pieces);
                let (from, count) = (block * BLOCK, integers.len() / self.limbs);
                for (channel, row) in self.channels.iter().zip(&mut rows) {
                    let task = Combination {
                        out: &mut row[from..from + count],
                        rows: &pieces,
                        factors: &channel.powers,
                    };
                    channel.context.field().dispatch(self.kernel, task);
                }
            }
        };
        let runs = integers.chunks(run * self.limbs).zip(split(rows, run));
        Threads::when(run < self.points).each(runs, work);
    }

    /// The transforms of all rows, in natural order.
    ///
    /// # Errors
    /// [`DftError::Shape`] for rows that are not those of [`LongTransforms::rows`].
    pub fn transform(&self, rows: &mut [Vec<u64>]) -> Result<(), DftError> {
        let work = |(channel, row): (&Channel, &mut Vec<u64>)| {
            channel.context.forward(row, Ordering::Natural)
        };
        let channels = self.channels.iter().zip(rows);
        Threads::when(self.run() < self.points).try_each(channels, work)
    }

    /// The integers below the product of all primes that have these residues,
    /// [`LongTransforms::width`] limbs each.
    ///
    /// # Panics
    /// If `integers` does not have room for one integer a point, or the rows are not those of
    /// [`LongTransforms::rows`].
    pub fn recombine(&self, rows: &[Vec<u64>], integers: &mut [u64]) {
        let width = self.width();
        self.check(rows, integers.len(), width);
        let run = self.run();
        let work = |(index, integers): (usize, &mut [u64])| {
            let mut digits: Vec<Block> = vec![[0; BLOCK]; self.channels.len()];
            let mut values = vec![[0; GROUP]; width];
            for (block, integers) in integers.chunks_mut(BLOCK * width).enumerate() {
                let from = index * run + block * BLOCK;
                self.digits(rows, from..from + integers.len() / width, &mut digits);
                for (group, integers) in integers.chunks_mut(GROUP * width).enumerate() {
                    self.compose(&digits, group * GROUP, &mut values);
                    for (i, integer) in integers.chunks_exact_mut(width).enumerate() {
                        for (limb, value) in integer.iter_mut().zip(&values) {
                            *limb = value[i];
                        }
                    }
                }
            }
        };
        let runs = integers.chunks_mut(run * width).enumerate();
        Threads::when(run < self.points).each(runs, work);
    }

    /// Mixed-radix digits of a block of values.
    fn digits(&self, rows: &[Vec<u64>], range: Range<usize>, digits: &mut [Block]) {
        let count = range.len();
        for (j, row) in rows.iter().enumerate() {
            let (known, rest) = digits.split_at_mut(j);
            let digit = &mut rest[0][..count];
            digit.copy_from_slice(&row[range.clone()]);
            self.basis.radix().next_digit(known, digit, None);
        }
    }

    /// `v_0 + q_0·(v_1 + q_1·(v_2 + …))` of a group of integers, from the last digit on.
    fn compose(&self, digits: &[Block], from: usize, values: &mut [[u64; GROUP]]) {
        values.fill([0; GROUP]);
        for (channel, digits) in self.channels.iter().zip(digits).rev() {
            let mut carries: [u128; GROUP] = std::array::from_fn(|i| digits[from + i].into());
            for limbs in &mut values[..channel.limbs_from_here] {
                for (limb, carry) in limbs.iter_mut().zip(&mut carries) {
                    *carry += u128::from(channel.prime) * u128::from(*limb);
                    *limb = *carry as u64;
                    *carry >>= u64::BITS;
                }
            }
        }
    }

    fn check(&self, rows: &[Vec<u64>], words: usize, limbs: usize) {
        assert_eq!(words, self.points * limbs, "an integer for each point");
        let whole = rows.iter().all(|row| row.len() == self.points);
        assert!(
            whole && rows.len() == self.channels.len(),
            "a row for each prime"
        );
    }

    /// Integers that a thread takes at a time: all of them if there is little to share.
    fn run(&self) -> usize {
        let threads = sunzi_machine::threads::count();
        if threads == 1 || self.points * self.limbs * self.limbs < PARALLEL_WORK {
            return self.points;
        }
        let run = self.points.div_ceil(RUNS_PER_THREAD * threads);
        run.next_multiple_of(BLOCK)
    }
}

/// The parts of `run` values of the rows: for each run, one of every row.
fn split(rows: &mut [Vec<u64>], run: usize) -> Vec<Vec<&mut [u64]>> {
    let mut runs: Vec<Vec<&mut [u64]>> = Vec::new();
    for row in rows {
        runs.resize_with(row.len().div_ceil(run), Vec::new);
        for (run, part) in runs.iter_mut().zip(row.chunks_mut(run)) {
            run.push(part);
        }
    }
    runs
}

/// Cuts up to [`BLOCK`] integers of `limbs` limbs into pieces.
fn cut(integers: &[u64], limbs: usize, pieces: &mut [Block]) {
    for (index, integer) in integers.chunks_exact(limbs).enumerate() {
        for (i, piece) in pieces.iter_mut().enumerate() {
            piece[index] = bits(integer, i * PIECE_BITS, PIECE_BITS);
        }
    }
}
