//! Transforms of long integers modulo as many primes below 2^50 as hold their bits: residues, a transform for
//! each prime, and the values' integers again by mixed radix.

use dashu_int::UBig;
use sunzi_crt::{CoefficientBound, CrtBasis};
use sunzi_dft::{DftPlan, Ordering};
use sunzi_field::lanes::{Kernel, Lanes, LanesField, Task};
use sunzi_field::{Field, Fp50};

use crate::parallel;

/// Values whose residues, and whose digits, are found at a time.
const BLOCK: usize = 64;
/// Integers that are composed from their digits at a time: their carries do not wait for each other.
const INTEGERS: usize = 4;
/// Runs of values for each thread, if there are several.
const RUNS_PER_THREAD: usize = 4;

/// Bits of a piece of an integer: below every prime.
const PIECE_BITS: usize = 49;
/// Vectors that go through a chain of products side by side, as each product waits for the one before.
const SIDE_BY_SIDE: usize = 4;

/// Primes below 2^50 in ascending order, and what residues, transforms and digits modulo them need.
pub struct WordPrimes {
    plans: Vec<DftPlan<Fp50>>,
    primes: Vec<u64>,
    kernel: Kernel,
    /// Limbs of an integer.
    limbs: usize,
    /// Pieces of an integer.
    pieces: usize,
    /// `powers[j][i]`: the prepared multiplier 2^(i·[`PIECE_BITS`]) modulo prime j.
    powers: Vec<Vec<[u64; 2]>>,
    /// `inverses[j][i]`: the prepared multiplier 1/q_i modulo q_j, for i < j.
    inverses: Vec<Vec<[u64; 2]>>,
    /// Limbs of a number with as many digits as the index says.
    composed_limbs: Vec<usize>,
}

impl WordPrimes {
    /// For `points` residues modulo a number, in as many limbs as it has.
    pub fn new(modulus: &[u64], points: usize) -> Self {
        let bound = CoefficientBound::new(UBig::from_words(modulus));
        let basis = CrtBasis::for_bound(&bound).expect("so many primes there are");
        let kernel = basis.kernel();
        let primes: Vec<u64> = basis.primes().collect();
        let fields = primes.iter().map(|&prime| Fp50::new(prime));
        let fields: Vec<Fp50> = fields.collect::<Result<_, _>>().expect("primes below 2^50");
        let pieces = (64 * modulus.len()).div_ceil(PIECE_BITS);
        let prepared = |field: &Fp50, multiplier| field.dispatch(kernel, Prepare(multiplier));
        let powers_of = |field: &Fp50| {
            let step = field.from_u64(1 << PIECE_BITS);
            let next = |&power: &u64| Some(field.mul(power, step));
            let powers = std::iter::successors(Some(field.one()), next).take(pieces);
            powers.map(|power| prepared(field, power)).collect()
        };
        let inverses_of = |(j, field): (usize, &Fp50)| {
            let inverse = |&prime| prepared(field, field.inv(prime).expect("the primes differ"));
            primes[..j].iter().map(inverse).collect()
        };
        let plan = |field| DftPlan::new(field, points).expect("the primes have such transforms");
        Self {
            plans: fields.iter().map(plan).collect(),
            kernel,
            limbs: modulus.len(),
            pieces,
            powers: fields.iter().map(powers_of).collect(),
            inverses: fields.iter().enumerate().map(inverses_of).collect(),
            composed_limbs: composed_limbs(&primes),
            primes,
        }
    }

    /// The transforms, one a prime.
    pub fn plans(&self) -> &[DftPlan<Fp50>] {
        &self.plans
    }

    /// Room for the residues of all values: a row for each prime.
    pub fn rows(&self) -> Vec<Vec<u64>> {
        let row = |plan: &DftPlan<Fp50>| vec![0; plan.points()];
        self.plans.iter().map(row).collect()
    }

    /// The residues of integers.
    pub fn project(&self, integers: &[u64], rows: &mut [Vec<u64>]) {
        let (threads, run) = self.runs();
        let runs = integers.chunks(run * self.limbs).zip(split(rows, run));
        parallel::each(threads, runs, |(integers, mut rows)| {
            let mut pieces = vec![[0; BLOCK]; self.pieces];
            for (block, integers) in integers.chunks(BLOCK * self.limbs).enumerate() {
                self.cut(integers, &mut pieces);
                let (from, count) = (block * BLOCK, integers.len() / self.limbs);
                for ((plan, powers), row) in self.plans.iter().zip(&self.powers).zip(&mut rows) {
                    let task = Residues {
                        pieces: &pieces,
                        powers,
                        residues: &mut row[from..from + count],
                    };
                    plan.field().dispatch(self.kernel, task);
                }
            }
        });
    }

    /// The pieces of a block of integers.
    fn cut(&self, integers: &[u64], pieces: &mut [[u64; BLOCK]]) {
        let mask = (1 << PIECE_BITS) - 1;
        for (index, integer) in integers.chunks_exact(self.limbs).enumerate() {
            for (i, piece) in pieces.iter_mut().enumerate() {
                let bit = i * PIECE_BITS;
                let (limb, shift) = (bit / 64, bit % 64);
                let above = integer
                    .get(limb + 1)
                    .map_or(0, |&above| u128::from(above) << 64);
                let both = u128::from(integer[limb]) | above;
                piece[index] = (both >> shift) as u64 & mask;
            }
        }
    }

    /// The transforms of all rows, values in natural order.
    pub fn transform(&self, rows: &mut [Vec<u64>]) {
        let work = self.plans.iter().zip(rows);
        let (threads, _) = self.runs();
        parallel::each(threads, work, |(plan, row)| {
            plan.forward(row, Ordering::Natural).expect("a whole row");
        });
    }

    /// How many threads there are to use, and the values of a run: all of them on one thread.
    fn runs(&self) -> (usize, usize) {
        let values = self.plans[0].points();
        let threads = parallel::threads(values, self.limbs);
        let run = match threads {
            1 => values,
            _ => values
                .div_ceil(RUNS_PER_THREAD * threads)
                .next_multiple_of(BLOCK),
        };
        (threads, run)
    }

    /// Limbs of a recombined integer.
    pub fn width(&self) -> usize {
        self.composed_limbs[self.primes.len()]
    }

    /// The integers below the product of the primes that have these residues, [`WordPrimes::width`] limbs
    /// each.
    pub fn recombine(&self, rows: &mut [Vec<u64>], integers: &mut [u64]) {
        let width = self.width();
        let (threads, run) = self.runs();
        let runs = integers.chunks_mut(run * width).zip(split(rows, run));
        parallel::each(threads, runs, |(integers, rows)| {
            let mut digits = vec![[0; BLOCK]; self.primes.len()];
            let mut limbs = vec![[0; INTEGERS]; width];
            for (block, integers) in integers.chunks_mut(BLOCK * width).enumerate() {
                let (from, count) = (block * BLOCK, integers.len() / width);
                for (j, plan) in self.plans.iter().enumerate() {
                    let (known, rest) = digits.split_at_mut(j);
                    let task = Digit {
                        residues: &rows[j][from..from + count],
                        known,
                        inverses: &self.inverses[j],
                        digit: &mut rest[0],
                    };
                    plan.field().dispatch(self.kernel, task);
                }
                for (group, integers) in integers.chunks_mut(INTEGERS * width).enumerate() {
                    self.compose(&digits, group * INTEGERS, &mut limbs);
                    for (i, integer) in integers.chunks_exact_mut(width).enumerate() {
                        for (limb, limbs) in integer.iter_mut().zip(&limbs) {
                            *limb = limbs[i];
                        }
                    }
                }
            }
        });
    }

    /// `v_0 + q_0·(v_1 + q_1·(v_2 + …))` for the digits from index `from` on; limb by limb.
    fn compose(&self, digits: &[[u64; BLOCK]], from: usize, limbs: &mut [[u64; INTEGERS]]) {
        limbs.fill([0; INTEGERS]);
        let count = self.primes.len();
        let steps = digits.iter().zip(&self.primes).enumerate().rev();
        for (j, (digits, &prime)) in steps {
            let mut carries = [0; INTEGERS];
            for (carry, &digit) in carries.iter_mut().zip(&digits[from..]) {
                *carry = u128::from(digit);
            }
            for limbs in &mut limbs[..self.composed_limbs[count - j]] {
                for (limb, carry) in limbs.iter_mut().zip(&mut carries) {
                    *carry += u128::from(prime) * u128::from(*limb);
                    *limb = *carry as u64;
                    *carry >>= u64::BITS;
                }
            }
        }
    }
}

/// The limbs of the products of the last 0, 1, 2, … primes.
fn composed_limbs(primes: &[u64]) -> Vec<usize> {
    let products =
        std::iter::once(UBig::ONE).chain(primes.iter().rev().scan(UBig::ONE, |product, &prime| {
            *product *= prime;
            Some(product.clone())
        }));
    products.map(|product| product.as_words().len()).collect()
}

/// The rows' parts of `run` values: for each run, one of every row.
fn split(rows: &mut [Vec<u64>], run: usize) -> Vec<Vec<&mut [u64]>> {
    let mut runs: Vec<Vec<&mut [u64]>> = Vec::new();
    runs.resize_with(rows[0].len().div_ceil(run), Vec::new);
    for row in rows {
        for (run, part) in runs.iter_mut().zip(row.chunks_mut(run)) {
            run.push(part);
        }
    }
    runs
}

/// The table entry of a multiplier.
struct Prepare(u64);

impl Task<u64> for Prepare {
    type Output = [u64; 2];

    #[inline(always)]
    unsafe fn run<L: Lanes<Word = u64>>(self, lanes: L) -> [u64; 2] {
        let mut entry = [0; 2];
        lanes.prepare(self.0, &mut entry[..L::TWIDDLE_WORDS]);
        entry
    }
}

/// Residues of a block of integers modulo one prime: sums of pieces times powers of two.
struct Residues<'a> {
    pieces: &'a [[u64; BLOCK]],
    powers: &'a [[u64; 2]],
    residues: &'a mut [u64],
}

impl Residues<'_> {
    /// Those of `V` vectors of integers from index `from` on.
    ///
    /// # Safety
    /// They are within the block, and the CPU has the instructions that `lanes` needs.
    #[inline(always)]
    unsafe fn vectors<L: Lanes<Word = u64>, const V: usize>(&mut self, lanes: L, from: usize) {
        let at = |v| from + v * L::LANES;
        // SAFETY: as the caller's.
        unsafe {
            let load = |row: &[u64; BLOCK], v| lanes.import(lanes.load(row.as_ptr().add(at(v))));
            let mut sums: [L::Vector; V] = std::array::from_fn(|v| load(&self.pieces[0], v));
            for (piece, power) in self.pieces.iter().zip(self.powers).skip(1) {
                let power = lanes.splat_twiddle(power.as_ptr(), 1);
                for (v, sum) in sums.iter_mut().enumerate() {
                    *sum = lanes.add(*sum, lanes.scale(load(piece, v), power));
                }
            }
            for (v, sum) in sums.into_iter().enumerate() {
                let residues = self.residues.as_mut_ptr().add(at(v));
                lanes.store(residues, lanes.canonical(sum));
            }
        }
    }
}

impl Task<u64> for Residues<'_> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<Word = u64>>(mut self, lanes: L) {
        let count = self.residues.len();
        assert!(count <= BLOCK && count.is_multiple_of(L::LANES) && !self.pieces.is_empty());
        let together = count - count % (SIDE_BY_SIDE * L::LANES);
        // SAFETY: whole vectors within blocks and within the residues.
        unsafe {
            for from in (0..together).step_by(SIDE_BY_SIDE * L::LANES) {
                self.vectors::<L, SIDE_BY_SIDE>(lanes, from);
            }
            for from in (together..count).step_by(L::LANES) {
                self.vectors::<L, 1>(lanes, from);
            }
        }
    }
}

/// One more mixed-radix digit of a block of integers: `((r − v_0)/q_0 − v_1)/q_1 − …`. As the primes ascend,
/// a digit is a residue of every later prime as it stands.
struct Digit<'a> {
    residues: &'a [u64],
    known: &'a [[u64; BLOCK]],
    inverses: &'a [[u64; 2]],
    digit: &'a mut [u64; BLOCK],
}

impl Digit<'_> {
    /// Those of `V` vectors of integers from index `from` on.
    ///
    /// # Safety
    /// They are within the block, and the CPU has the instructions that `lanes` needs.
    #[inline(always)]
    unsafe fn vectors<L: Lanes<Word = u64>, const V: usize>(&mut self, lanes: L, from: usize) {
        let at = |v| from + v * L::LANES;
        // SAFETY: as the caller's.
        unsafe {
            let load = |row: &[u64], v| lanes.import(lanes.load(row.as_ptr().add(at(v))));
            let mut x: [L::Vector; V] = std::array::from_fn(|v| load(self.residues, v));
            for (known, inverse) in self.known.iter().zip(self.inverses) {
                let inverse = lanes.splat_twiddle(inverse.as_ptr(), 1);
                for (v, x) in x.iter_mut().enumerate() {
                    *x = lanes.scale(lanes.sub(*x, load(known, v)), inverse);
                }
            }
            for (v, x) in x.into_iter().enumerate() {
                lanes.store(self.digit.as_mut_ptr().add(at(v)), lanes.canonical(x));
            }
        }
    }
}

impl Task<u64> for Digit<'_> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<Word = u64>>(mut self, lanes: L) {
        let count = self.residues.len();
        assert!(count <= BLOCK && count.is_multiple_of(L::LANES));
        let together = count - count % (SIDE_BY_SIDE * L::LANES);
        // SAFETY: whole vectors within blocks and within the residues.
        unsafe {
            for from in (0..together).step_by(SIDE_BY_SIDE * L::LANES) {
                self.vectors::<L, SIDE_BY_SIDE>(lanes, from);
            }
            for from in (together..count).step_by(L::LANES) {
                self.vectors::<L, 1>(lanes, from);
            }
        }
    }
}
