//! Arithmetic modulo several primes at once, a prime a lane.
//!
//! **Algorithm.** Montgomery products with R = 2^52 (P. Montgomery, *Modular multiplication without trial division*, 1985) of
//! sums of products: with T = Σ a·b < 2^104 and q = T·p⁻¹ mod R, the low words of T and q·p are equal, so that
//! ⌊T/R⌋ − ⌊q·p/R⌋ = (T − q·p)/R. **Bounds.** That lies in (−p, T/R); p is added beforehand. Residues are lazy, below 4p:
//! three products of a residue below 4p and a canonical one are below 12p², and p < R/4, so that T/R + p < 4p again.

use sunzi_machine::simd::Simd;

/// Bits of the primes.
pub const PRIME_BITS: u32 = 50;

/// Most lanes that an instruction set has.
pub const MOST_LANES: usize = 8;

/// As many odd primes below 2^50 as there are lanes.
#[derive(Clone, Copy)]
pub struct PrimeLanes<S: Simd> {
    simd: S,
    prime: S::Vector,
    /// p⁻¹ mod 2^52.
    inverse: S::Vector,
    /// 2^104 mod p.
    square: S::Vector,
}

/// A sum of products: `low + 2^52·high`, to which 2^52·p was added; `low` is signed where 52-bit products are no instructions.
#[derive(Clone, Copy)]
pub struct LaneSum<V> {
    low: V,
    high: V,
}

impl<S: Simd> PrimeLanes<S> {
    /// The arithmetic modulo these primes: one for each lane at most, and at least one, which lanes without repeat.
    #[inline(always)]
    pub fn new(simd: S, primes: &[u64]) -> Self {
        let mut filled = [primes[0]; MOST_LANES];
        filled[..primes.len()].copy_from_slice(primes);
        let mut inverse = [0; MOST_LANES];
        let mut square = [0; MOST_LANES];
        for (lane, &p) in filled.iter().enumerate() {
            debug_assert!(p % 2 == 1 && p >> PRIME_BITS == 0);
            // Newton's iteration doubles the correct bits, of which p·p ≡ 1 mod 8 gives three.
            inverse[lane] = (0..5).fold(p, |x, _| {
                x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x)))
            });
            square[lane] = ((1u128 << 104) % u128::from(p)) as u64;
        }
        Self {
            simd,
            prime: simd.load(&filled[..]),
            inverse: simd.load(&inverse[..]),
            square: simd.load(&square[..]),
        }
    }

    /// The primes, then repetitions.
    #[inline(always)]
    pub fn primes(self) -> [u64; MOST_LANES] {
        self.words(self.prime)
    }

    /// A vector's words.
    #[inline(always)]
    pub fn words(self, a: S::Vector) -> [u64; MOST_LANES] {
        let mut words = [0; MOST_LANES];
        self.simd.store(&mut words[..], a);
        words
    }

    /// The empty sum.
    #[inline(always)]
    pub fn sum(self) -> LaneSum<S::Vector> {
        LaneSum {
            low: self.simd.splat64(0),
            high: self.prime,
        }
    }

    /// With one product more, of numbers below 2^52.
    #[inline(always)]
    pub fn add_product(
        self,
        sum: LaneSum<S::Vector>,
        a: S::Vector,
        b: S::Vector,
    ) -> LaneSum<S::Vector> {
        let simd = self.simd;
        if S::FAST_52 {
            return LaneSum {
                low: simd.add_low52(sum.low, a, b),
                high: simd.add_high52(sum.high, a, b),
            };
        }
        let (a, b) = (simd.factor52(a), simd.factor52(b));
        let (low, high) = simd.add_product52((sum.low, sum.high), a, b);
        LaneSum { low, high }
    }

    /// The sum T over 2^52 modulo p: in (0, T/2^52 + p).
    #[inline(always)]
    pub fn reduce(self, sum: LaneSum<S::Vector>) -> S::Vector {
        let simd = self.simd;
        let zero = simd.splat64(0);
        if S::FAST_52 {
            let quotient = simd.add_low52(zero, sum.low, self.inverse);
            let multiple = simd.add_high52(zero, quotient, self.prime);
            let high = simd.add64(sum.high, simd.shift_right64(sum.low, 52));
            return simd.sub64(high, multiple);
        }
        // Products are cut into signed halves here: the lower ones differ by a multiple of 2^52.
        let (low, inverse) = (simd.factor52(sum.low), simd.factor52(self.inverse));
        let quotient = simd.factor52(simd.add_low_product52(zero, low, inverse));
        let prime = simd.factor52(self.prime);
        let (rest, multiple) = simd.add_product52((zero, zero), quotient, prime);
        let carry = simd.shift_right_signed64(simd.sub64(sum.low, rest), 52);
        simd.sub64(simd.add64(sum.high, carry), multiple)
    }

    /// `a·b/2^52`, below 2p if one factor is canonical and the other below 4p.
    #[inline(always)]
    pub fn mul(self, a: S::Vector, b: S::Vector) -> S::Vector {
        self.reduce(self.add_product(self.sum(), a, b))
    }

    /// `a·b/2^52`, canonical.
    #[inline(always)]
    pub fn product(self, a: S::Vector, b: S::Vector) -> S::Vector {
        self.canonical(self.mul(a, b))
    }

    /// `2^52·a`: the form that products with other residues keep; below 2p.
    #[inline(always)]
    pub fn into_form(self, a: S::Vector) -> S::Vector {
        self.mul(a, self.square)
    }

    /// 2^52 mod p: the form of 1.
    #[inline(always)]
    pub fn one(self) -> S::Vector {
        let one = self.mul(self.square, self.simd.splat64(1));
        self.canonical(one)
    }

    /// The canonical residue of a number below 8p.
    #[inline(always)]
    pub fn canonical(self, a: S::Vector) -> S::Vector {
        let simd = self.simd;
        let twice = simd.add64(self.prime, self.prime);
        let a = simd.reduce_once64(a, simd.add64(twice, twice));
        simd.reduce_once64(simd.reduce_once64(a, twice), self.prime)
    }

    /// `a + b` of canonical residues.
    #[inline(always)]
    pub fn add(self, a: S::Vector, b: S::Vector) -> S::Vector {
        self.simd.reduce_once64(self.simd.add64(a, b), self.prime)
    }

    /// `a − b` of canonical residues.
    #[inline(always)]
    pub fn sub(self, a: S::Vector, b: S::Vector) -> S::Vector {
        let raised = self.simd.add64(a, self.prime);
        self.simd
            .reduce_once64(self.simd.sub64(raised, b), self.prime)
    }

    /// The form of a^`exponent`, canonical, for that of a, canonical.
    #[inline(always)]
    pub fn pow(self, a: S::Vector, exponent: u64) -> S::Vector {
        let mut power = self.one();
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            power = self.product(power, power);
            if exponent >> bit & 1 == 1 {
                power = self.product(power, a);
            }
        }
        power
    }

    /// The form of 1/a, canonical, for that of a, canonical; 0 for 0. It is a^(p − 2), each lane with its own exponent.
    #[inline(always)]
    pub fn inverse(self, a: S::Vector) -> S::Vector {
        let simd = self.simd;
        let one = self.one();
        let mut power = one;
        for bit in (0..PRIME_BITS).rev() {
            let factor = self.select_by_bit(simd.splat64(2), bit, a, one);
            // Below 2p, as is its square over 2^52.
            power = self.mul(self.mul(power, power), factor);
        }
        self.canonical(power)
    }

    /// `a` in the lanes where bit number `bit` of p − `less` is 1, `b` in the others.
    #[inline(always)]
    pub fn select_by_bit(self, less: S::Vector, bit: u32, a: S::Vector, b: S::Vector) -> S::Vector {
        let simd = self.simd;
        let exponent = simd.sub64(self.prime, less);
        let unit = simd.splat64(1);
        let digit = simd.and(simd.shift_right64(exponent, bit), unit);
        let (taken, left) = (simd.sub64(simd.splat64(0), digit), simd.sub64(digit, unit));
        simd.or(simd.and(a, taken), simd.and(b, left))
    }
}
