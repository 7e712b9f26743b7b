//! Which prime, how many bits a coefficient, and which transforms: a pure value.

use sunzi_dft::internals::{Cover, Lengths};
use sunzi_field::generalized_fermat::{NAMED, NamedPrime};
use sunzi_rns::limbs::bit_len;

/// How a product of integers is computed modulo a prime r^k + 1.
///
/// ```
/// use sunzi_integer::fermat::FermatPlan;
/// let plan = FermatPlan::choose(1 << 14, 1 << 14).unwrap();
/// println!("{plan}"); // the prime, the bits of a coefficient, the lengths of transforms
/// assert!(plan.word_products() > 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FermatPlan {
    pub(super) prime: NamedPrime,
    /// Bits of a coefficient.
    pub(super) bits: usize,
    /// Coefficients of the operands.
    pub(super) lengths: [usize; 2],
    pub(super) cover: Cover,
}

impl FermatPlan {
    /// The plan that takes the fewest instructions for operands of so many limbs; `None` if one of them has none, or no prime
    /// has transforms of that length.
    pub fn choose(limbs_a: usize, limbs_b: usize) -> Option<Self> {
        let plans = NAMED
            .iter()
            .filter_map(|&prime| Self::over(prime, limbs_a, limbs_b));
        plans.min_by_key(Self::instructions)
    }

    /// The plan by a given prime, of at least four digits.
    pub fn over(prime: NamedPrime, limbs_a: usize, limbs_b: usize) -> Option<Self> {
        if limbs_a.min(limbs_b) == 0 || prime.digits < 4 {
            return None;
        }
        // The logarithm is rounded by far less than what is taken off, so that p is at least 2^room.
        let room = (prime.digits as f64 * (prime.radix as f64).log2() - 1e-9) as usize;
        let bits_of = |limbs: usize| limbs.checked_mul(64);
        let (bits_a, bits_b) = (bits_of(limbs_a)?, bits_of(limbs_b)?);
        // Fewer bits a coefficient make more coefficients, which leave fewer bits: until both agree.
        let mut bits = room / 2;
        loop {
            let terms = bits_a.min(bits_b).div_ceil(bits);
            // A coefficient of the product is at most terms·(2^bits − 1)².
            let fitting = room.checked_sub(bit_len(terms - 1))? / 2;
            if fitting >= bits {
                break;
            }
            bits = fitting;
            if bits == 0 {
                return None;
            }
        }
        let lengths = [bits_a.div_ceil(bits), bits_b.div_ceil(bits)];
        let cover = Lengths::of_prime(prime.radix, prime.digits).cover(lengths[0], lengths[1])?;
        Some(Self {
            prime,
            bits,
            lengths,
            cover,
        })
    }

    /// The prime.
    pub fn prime(&self) -> NamedPrime {
        self.prime
    }

    /// Bits of a coefficient.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Points of the longest transforms.
    pub fn points(&self) -> usize {
        match self.cover {
            Cover::Whole { points } | Cover::Split { points, .. } | Cover::Pieces { points } => {
                points
            }
        }
    }

    /// Products of two words that the elements' products take with AVX-512 IFMA, of words of 52 bits.
    ///
    /// A digit of a product is a sum of k products of digits, each of four half products of limbs, and has a
    /// half product of the same number more for the quotients.
    pub fn word_products(&self) -> u64 {
        let k = self.prime.digits as u64;
        let work = self.cover.work(self.prime.digits, self.lengths);
        work.products.saturating_mul(5 * k * k)
    }

    /// About how many vector instructions all take: what docs/big-prime-fft.md counts.
    fn instructions(&self) -> u64 {
        let k = self.prime.digits as u64;
        let work = self.cover.work(self.prime.digits, self.lengths);
        let of_products = work.products.saturating_mul(5 * k + 45);
        let of_points = work.sums.saturating_add(work.points.saturating_mul(30));
        of_products.saturating_add(of_points).saturating_mul(k) / 8
    }

    /// Bytes beside operands and result: the coefficients of all three, and what their product takes.
    pub(crate) fn bytes(&self) -> u64 {
        let [a, b] = self.lengths.map(|len| len as u64);
        let elements = 8 * self.prime.digits as u64 * 2 * (a + b);
        self.cover
            .scratch_bytes(self.prime.digits)
            .saturating_add(elements)
    }
}

impl std::fmt::Display for FermatPlan {
    /// Such as `modulo P8, 228 bits a coefficient, transforms of 4096 and 512 points`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, bits, points) = (self.prime.name, self.bits, self.points());
        write!(f, "modulo {name}, {bits} bits a coefficient, ")?;
        match self.cover {
            Cover::Whole { .. } => write!(f, "transforms of {points} points"),
            Cover::Split { halvings, .. } => {
                write!(
                    f,
                    "transforms of {points} and {} points",
                    points >> halvings
                )
            }
            Cover::Pieces { .. } => write!(f, "pieces by transforms of {points} points"),
        }
    }
}
