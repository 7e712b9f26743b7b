//! What programs of dense polynomials over a field cost, by counting (chapters 8 and 9 of the thesis of 2013).
//!
//! Sizes are numbers of coefficients, n ≥ m. Blocks are counted as if sizes were multiples of what a block has, so costs are those
//! of the next multiples at most.
//!
//! **Multiplication.** Groups of x rows of the schoolbook's scheme are summed up by threads of one coefficient each: m/x rows of
//! n + x − 1 coefficients, 2x − 1 operations a thread. Pairs of rows are added in ⌈log₂(m/x)⌉ further kernels, m/x − 1 rows in all.
//! The work is (2m − 1)(n + x − 1); x = 1 is the naive program.
//!
//! **Division**, naive: n − m + 1 kernels, a step of the division each; a block of ℓ threads has 2ℓ + 1 operations. With s steps a
//! kernel: blocks of 3s threads keep the s leading coefficients of both polynomials, s(s+1)/2 operations, and 2s coefficients of
//! the dividend, 4s².
//!
//! **Euclid's algorithm**, naive: n + m − 2 steps, of which n − m have m active threads, and then the shorter polynomial loses a
//! coefficient every other step; so 2m(n − 1) operations, and one in each block for the quotient. With s steps a kernel: while the
//! divisor stays, m(n − m)/s² blocks that work as those of the division, (9s² + s)/2 operations; then 2m/s kernels with k blocks
//! each for k = m/s, m/s, m/s − 1, m/s − 1, … 1, where leading coefficients are lost from both sides in turn, so 3s²/4 + s/2
//! operations for them and 4s² for the others.

use sunzi_integer::Rational;

use super::{MachineModel, ManyCoreCosts};

/// A program of dense polynomials, for n and m coefficients, m at most n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManyCoreAlgorithm {
    /// Schoolbook multiplication, `x` rows in a thread, by blocks of `l` threads.
    Multiplication {
        /// Coefficients of the longer factor.
        n: u64,
        /// Coefficients of the shorter factor.
        m: u64,
        /// Rows in a thread.
        x: u64,
        /// Threads of a block.
        l: u64,
    },
    /// Division, one step a kernel, by blocks of `l` threads.
    NaiveDivision {
        /// Coefficients of the dividend.
        n: u64,
        /// Coefficients of the divisor.
        m: u64,
        /// Threads of a block.
        l: u64,
    },
    /// Division, `s` steps a kernel, by blocks of 3s threads.
    Division {
        /// Coefficients of the dividend.
        n: u64,
        /// Coefficients of the divisor.
        m: u64,
        /// Steps of a kernel.
        s: u64,
    },
    /// Euclid's algorithm, one step a kernel, by blocks of `l` threads.
    NaiveEuclid {
        /// Coefficients of the longer polynomial.
        n: u64,
        /// Coefficients of the shorter polynomial.
        m: u64,
        /// Threads of a block.
        l: u64,
    },
    /// Euclid's algorithm, `s` steps a kernel, by blocks of 3s threads.
    Euclid {
        /// Coefficients of the longer polynomial.
        n: u64,
        /// Coefficients of the shorter polynomial.
        m: u64,
        /// Steps of a kernel.
        s: u64,
    },
}

/// ⌈log₂(a/b)⌉ for a ≥ b.
fn ceil_log2(a: u64, b: u64) -> u32 {
    a.div_ceil(b.max(1))
        .max(1)
        .next_power_of_two()
        .trailing_zeros()
}

impl ManyCoreAlgorithm {
    /// Words of local memory of a block; `None` where sizes or parameters are 0, m exceeds n, x exceeds m or ℓ.
    pub fn local_words(&self) -> Option<u64> {
        match *self {
            Self::Multiplication { n, m, x, l } => {
                (1 <= x && x <= m.min(l) && m <= n).then(|| l.saturating_mul(2))
            }
            Self::NaiveDivision { n, m, l } | Self::NaiveEuclid { n, m, l } => {
                (1 <= m && m <= n && l >= 1).then(|| l.saturating_mul(2))
            }
            Self::Division { n, m, s } => (1 <= m && m <= n && s >= 1).then(|| s.saturating_mul(7)),
            Self::Euclid { n, m, s } => (1 <= m && m <= n && s >= 1).then(|| s.saturating_mul(6)),
        }
    }

    /// Its costs on a machine, for sizes and parameters for which there are [`local_words`](Self::local_words).
    pub fn costs(&self, machine: &MachineModel) -> ManyCoreCosts {
        let r = |value: u64| Rational::from(value);
        let int = |value: u8| Rational::from(value);
        // Blocks, kernels, operations, operations of a thread in all and in one kernel, words of a thread.
        let (blocks, path, work, span, step, words) = match *self {
            Self::Multiplication { n, m, x, l } => {
                let levels = r(ceil_log2(m, x).into());
                let (n, m, rows, l) = (r(n), r(m), r(x.max(1)), r(l.max(1)));
                let delta = n + &rows - int(1);
                let in_thread = int(2) * &rows - int(1);
                let blocks = &delta * (int(2) * &m - &rows) / (&rows * l);
                let work = (int(2) * m - int(1)) * delta;
                (
                    blocks,
                    &levels + int(1),
                    work,
                    &in_thread + levels,
                    in_thread,
                    int(3),
                )
            }
            Self::NaiveDivision { n, m, l } => {
                let (m, l) = (r(m), r(l.max(1)));
                let steps = r(n) - &m + int(1);
                let blocks = &steps * m / &l;
                let work = &blocks * (int(2) * l + int(1));
                (blocks, steps.clone(), work, int(3) * steps, int(3), int(5))
            }
            Self::Division { n, m, s } => {
                let (m, s) = (r(m), r(s.max(1)));
                let steps = r(n) - &m + int(1);
                let blocks = &steps * m / (int(2) * &s * &s);
                let work = &blocks * dividing(&s);
                (
                    blocks,
                    &steps / &s,
                    work,
                    int(3) * steps,
                    int(3) * s,
                    int(9),
                )
            }
            Self::NaiveEuclid { n, m, l } => {
                let (n, m, l) = (r(n), r(m), r(l.max(1)));
                let steps = &n + &m - int(2);
                let blocks = &m * (&n + &l + int(1)) / l;
                let work = int(2) * m * (n - int(1)) + &blocks;
                (blocks, steps.clone(), work, int(3) * steps, int(3), int(5))
            }
            Self::Euclid { n, m, s } => {
                let (n, m, s) = (r(n), r(m), r(s.max(1)));
                let first = &m * (&n - &m) / (&s * &s);
                let second = &m * (&m + &s) / (&s * &s);
                let both = (int(19) * &s * &s + int(2) * &s) / int(4);
                let work = &first * dividing(&s) + &second * both;
                let steps = n + m;
                (
                    first + second,
                    &steps / &s,
                    work,
                    int(3) * steps,
                    int(3) * s,
                    int(8),
                )
            }
        };
        let moved = words * &machine.u;
        ManyCoreCosts {
            overhead: &blocks * &moved,
            longest: step + moved,
            work,
            span,
            blocks,
            path,
        }
    }
}

/// Operations of a block with s steps of a division: s(s+1)/2 + 4s².
fn dividing(s: &Rational) -> Rational {
    (Rational::from(9_u8) * s * s + s) / Rational::from(2_u8)
}
