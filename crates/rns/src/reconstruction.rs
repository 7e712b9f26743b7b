//! Integers from their residues modulo many primes.
//!
//! **Algorithm.** With M the product of the primes and c_i = (M/p_i)⁻¹ mod p_i, the x of residues r_i is Σ v_i·(M/p_i) modulo M,
//! v_i = r_i·c_i mod p_i (Chinese remainder theorem, the form of J.-L. Lagrange), summed up on a tree. The multiple of M to be
//! taken off is ⌊Σ v_i/p_i⌋, found in doubles and corrected.

use crate::lanes::PrimeLanes;
use crate::limbs;
use crate::tree::{Node, PARALLEL_PRIMES, Place, Product};
use dashu_int::UBig;
use sunzi_field::LongInteger;
use sunzi_machine::simd::{Simd, SimdTask, dispatch};
use sunzi_machine::threads::Threads;

/// Products of a residue and a limb from which threads share the integers.
const PARALLEL: usize = 1 << 15;

/// What integers of either sign are put together with from their residues modulo different odd primes below 2^50.
#[derive(Clone, Debug)]
pub struct Reconstruction {
    primes: Vec<Prime>,
    root: Node,
    /// M and ⌊M/2⌋, with one limb more.
    modulus: Vec<u64>,
    half: Vec<u64>,
}

/// What residues modulo a prime p are multiplied by: c = (M/p)⁻¹ mod p.
#[derive(Clone, Copy, Debug)]
struct Prime {
    prime: u64,
    inverse: u64,
    /// ⌊c·2^64/p⌋: the product's quotient by p is that or one more (V. Shoup).
    quotient: u64,
    /// 1/p.
    reciprocal: f64,
}

impl Prime {
    fn new((&prime, inverse): (&u64, u64)) -> Self {
        Self {
            prime,
            inverse,
            quotient: ((u128::from(inverse) << 64) / u128::from(prime)) as u64,
            reciprocal: 1.0 / prime as f64,
        }
    }

    /// c·residue mod p.
    fn digit(&self, residue: u64) -> u64 {
        let quotient = (u128::from(self.quotient) * u128::from(residue)) >> 64;
        let product = self.inverse.wrapping_mul(residue);
        let digit = product.wrapping_sub((quotient as u64).wrapping_mul(self.prime));
        digit.min(digit.wrapping_sub(self.prime))
    }
}

impl Reconstruction {
    /// For these primes, all different, by this product of long integers.
    pub fn new(primes: &[u64], product: Product) -> Self {
        let root = Node::new(primes, Place::Cofactor, product);
        let extended = |x: &UBig| {
            let mut limbs = x.as_words().to_vec();
            limbs.resize(root.modulus().as_words().len() + 1, 0);
            limbs
        };
        Self {
            primes: primes
                .iter()
                .zip(inverses(primes))
                .map(Prime::new)
                .collect(),
            modulus: extended(root.modulus()),
            half: extended(&(root.modulus() >> 1)),
            root,
        }
    }

    /// The product of the primes.
    pub fn modulus<N: LongInteger>(&self) -> N {
        N::from_natural_limbs(self.root.modulus().as_words())
    }

    /// The integer of least absolute value with these residues, one for each prime.
    fn signed<N: LongInteger>(
        &self,
        residues: impl Iterator<Item = u64>,
        scratch: &mut Scratch,
    ) -> N {
        let Scratch { digits, sum } = scratch;
        digits.clear();
        let mut whole = 0.0;
        for (prime, residue) in self.primes.iter().zip(residues) {
            let digit = prime.digit(residue);
            whole += digit as f64 * prime.reciprocal;
            digits.push(digit);
        }
        debug_assert_eq!(digits.len(), self.primes.len());
        self.root.sum(digits, sum);
        sum.resize(self.modulus.len(), 0);
        // Doubles tell the quotient but for a small error of rounding: one more or one less.
        limbs::submul_1(sum, &self.modulus, whole as u64);
        if sum.last().is_some_and(|&top| top >> 63 == 1) {
            limbs::add_assign(sum, &self.modulus);
        }
        while limbs::cmp(sum, &self.modulus).is_ge() {
            limbs::sub_assign(sum, &self.modulus);
        }
        if limbs::cmp(sum, &self.half).is_gt() {
            limbs::sub_from(sum, &self.modulus);
            return N::from_sign_and_limbs(true, sum);
        }
        N::from_natural_limbs(sum)
    }

    /// The integers with these images: for each prime a vector of residues, all of one length.
    pub fn signed_all<N, W, R>(&self, images: &[R]) -> Vec<N>
    where
        N: LongInteger + Send,
        W: Copy + Into<u64>,
        R: AsRef<[W]> + Sync,
    {
        let count = images.first().map_or(0, |image| image.as_ref().len());
        let limbs = self.root.modulus().as_words().len();
        let threads = Threads::when(count > 1 && count * limbs * images.len() >= PARALLEL);
        let piece = threads.piece(count, 1);
        let starts = (0..count).step_by(piece);
        let pieces = threads.map(starts, |start| {
            let mut scratch = Scratch::default();
            let of = |index: usize| {
                let residues = images.iter().map(|image| image.as_ref()[index].into());
                self.signed(residues, &mut scratch)
            };
            (start..count.min(start + piece))
                .map(of)
                .collect::<Vec<_>>()
        });
        pieces.into_iter().flatten().collect()
    }
}

/// Memory that one integer after the other is put together in.
#[derive(Default)]
struct Scratch {
    digits: Vec<u64>,
    sum: Vec<u64>,
}

/// The inverses of all M/p modulo p.
fn inverses(primes: &[u64]) -> Vec<u64> {
    let threads = Threads::when(primes.len() >= PARALLEL_PRIMES / 8);
    let chunks = (0..primes.len()).step_by(8);
    let inverses = threads.map(chunks, |start| dispatch(Inverses { primes, start }));
    inverses.into_iter().flatten().collect()
}

/// The inverses of M/p for eight primes, from number `start` on.
struct Inverses<'a> {
    primes: &'a [u64],
    start: usize,
}

impl<S: Simd> SimdTask<S> for Inverses<'_> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run(self, simd: S) -> Vec<u64> {
        let end = self.primes.len().min(self.start + 8);
        let mut inverses = Vec::with_capacity(end - self.start);
        for start in (self.start..end).step_by(S::LANES) {
            let here = start..end.min(start + S::LANES);
            let lanes = PrimeLanes::new(simd, &self.primes[here.clone()]);
            let own = lanes.primes();
            // The product of the others in the form of products, but for 2^(−52) with each.
            let mut product = lanes.one();
            for (index, &prime) in self.primes.iter().enumerate() {
                let factor = if here.contains(&index) {
                    let factors = own.map(|own| if own == prime { 1 } else { prime });
                    simd.load(&factors[..])
                } else {
                    simd.splat64(prime)
                };
                product = lanes.mul(product, factor);
            }
            // 1 is the form of 2^(−52).
            let scale = lanes.pow(simd.splat64(1), self.primes.len() as u64);
            let inverse = lanes.mul(lanes.inverse(lanes.canonical(product)), scale);
            let inverse = lanes.mul(lanes.canonical(inverse), simd.splat64(1));
            let mut row = [0; 8];
            simd.store(&mut row[..], lanes.canonical(inverse));
            inverses.extend_from_slice(&row[..here.len()]);
        }
        inverses
    }
}
