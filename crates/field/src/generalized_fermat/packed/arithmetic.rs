//! The arithmetic of one vector of elements: a lane for each element, a vector for each limb of each
//! digit.
//!
//! A digit is cut into limbs of 52 and 12 bits, of which sums may use all 64. Three kinds of digits
//! follow one another:
//!
//! * *normalized*, in memory: one word each, `0 < d ≤ r·(1 + K·2^-28)`, or `0 ≤ d ≤ r` where they were
//!   canonical;
//! * *sums* of at most [`MOST_TERMS`](super::constants::MOST_TERMS) of these with any signs, limb by
//!   limb, without carries;
//! * *products*, divided by r once: below `K·2^21·r` after a positive zero was added.
//!
//! **Product.** The digits of one operand are positive, below 66r; of the other, −y_j is replaced by
//! `m·r − y_j` (m = 1 or 2), so a sum of products `s = Σ ±x_j·y_i` is positive, and `m·Σ x_j` too large
//! once divided by r. It is three limbs, s0 + s1·2^52 + s2·2^104 < 2^143 (of normalized x, for
//! m = 2). Its quotient is estimated in doubles from s1 and s2, whose sum is not negative, to within e = 2^-51·s/r + 2^12 ≤ K·2^19.2 and cut into two limbs; the rest,
//! below e·r in absolute value, is computed modulo 2^104 by adding the quotient times `2^104 − r`: the
//! third limb and all signs take care of themselves.
//!
//! **Reduction.** With a zero of digits about `K·2^20·r` added, digits are positive and below
//! `K·2^21·r`, and their quotients by r, `q < K·2^21`, are estimated to within K·2^-30 + 1. They are taken
//! K·2^-29 too small before rounding down, so that what is left lies between K·2^-30·r, which is more
//! than the carries `q` that are still to be subtracted, and r·(1 + K·2^-29 + K·2^-30).
//!
//! **Cost** in vector instructions per digit with AVX-512 IFMA: 7K multiply-adds and about 40 others
//! for a product; for the reduction of sums alone 20.

use std::mem::MaybeUninit;

use super::constants::{Constants, LIMB, MASK};
use crate::simd::{Simd, SimdPart, Sum};

/// A number `l + h·2^52` in every lane.
pub type Limbs<S> = [<S as Simd>::Vector; 2];
/// Limbs as factors.
pub type Factors<S> = [<S as Simd>::Factor; 2];

/// What the complement of digits is taken to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Complement {
    /// r, for digits that are at most r.
    Once,
    /// 2r, for normalized ones.
    Twice,
}

/// Constants of a field in vectors.
#[derive(Clone, Copy)]
pub struct Arithmetic<S: Simd> {
    simd: S,
    mask: S::Vector,
    limbs: Limbs<S>,
    twice: Limbs<S>,
    complement: Factors<S>,
    inverses: [S::Float; 3],
    minus_margin: S::Float,
    lift: [Limbs<S>; 2],
    lift_product: [Limbs<S>; 2],
    tight: Option<Limbs<S>>,
    radix: S::Vector,
}

impl<S: Simd> Arithmetic<S> {
    /// The constants, each in all lanes.
    #[inline(always)]
    pub fn new(simd: S, constants: &Constants) -> Self {
        let c = constants;
        let [f0, f1, f2] = c.inverses;
        let [n0, n1] = c.complement;
        let n = [simd.splat64(n0), simd.splat64(n1)];
        Self {
            simd,
            mask: simd.splat64(MASK),
            limbs: splat(simd, c.limbs),
            twice: splat(simd, c.twice),
            complement: [simd.factor52(n[0]), simd.factor52(n[1])],
            inverses: [
                simd.splat_float(f0),
                simd.splat_float(f1),
                simd.splat_float(f2),
            ],
            minus_margin: simd.splat_float(-c.margin),
            lift: [splat(simd, c.lift[0]), splat(simd, c.lift[1])],
            lift_product: [
                splat(simd, c.lift_product[0]),
                splat(simd, c.lift_product[1]),
            ],
            // A closure would not be compiled for the instruction set.
            #[allow(clippy::manual_map)]
            tight: match c.tight {
                Some(limbs) => Some(splat(simd, limbs)),
                None => None,
            },
            radix: simd.splat64(c.radix),
        }
    }

    /// The instruction set.
    #[inline(always)]
    pub fn simd(&self) -> S {
        self.simd
    }

    /// Limbs of a word.
    #[inline(always)]
    pub fn cut(&self, word: S::Vector) -> Limbs<S> {
        let simd = self.simd;
        [simd.and(word, self.mask), simd.shift_right64(word, LIMB)]
    }

    /// Limbs as factors.
    #[inline(always)]
    pub fn factors(&self, [low, high]: Limbs<S>) -> Factors<S> {
        [self.simd.factor52(low), self.simd.factor52(high)]
    }

    /// `a + b`, without carries.
    #[inline(always)]
    pub fn add(&self, a: Limbs<S>, b: Limbs<S>) -> Limbs<S> {
        [self.simd.add64(a[0], b[0]), self.simd.add64(a[1], b[1])]
    }

    /// `a − b`, without carries.
    #[inline(always)]
    pub fn sub(&self, a: Limbs<S>, b: Limbs<S>) -> Limbs<S> {
        [self.simd.sub64(a[0], b[0]), self.simd.sub64(a[1], b[1])]
    }

    /// The same number with a lower limb of 52 bits.
    #[inline(always)]
    fn carried(&self, [low, high]: Limbs<S>) -> Limbs<S> {
        let simd = self.simd;
        let carry = simd.shift_right_signed64(low, LIMB);
        [simd.and(low, self.mask), simd.add64(high, carry)]
    }

    /// A sum of digits, number `index` of its element, as a positive number in limbs of 52 bits.
    #[inline(always)]
    pub fn lifted(&self, index: usize, sum: Limbs<S>) -> Limbs<S> {
        self.carried(self.add(sum, self.lift[usize::from(index > 0)]))
    }

    /// The limbs of a reduced digit, which [`Arithmetic::reduce`] leaves right modulo 2^104 only.
    #[inline(always)]
    pub fn settled(&self, digit: Limbs<S>) -> Limbs<S> {
        let [low, high] = self.carried(digit);
        [low, self.simd.and(high, self.mask)]
    }

    /// A second operand, for [`Arithmetic::multiply`].
    #[inline(always)]
    pub fn multiplier<'a, const K: usize>(
        &self,
        digits: impl Digit<S>,
        complement: Complement,
        room: &'a mut MaybeUninit<Multiplier<S, K>>,
    ) -> &'a Multiplier<S, K> {
        let modulus = match complement {
            Complement::Once => self.limbs,
            Complement::Twice => self.twice,
        };
        let start = room.as_mut_ptr().cast::<Factors<S>>();
        for index in 0..K {
            let digit = self.cut(digits.get(self.simd, index));
            let below = self.carried(self.sub(modulus, digit));
            // SAFETY: two of the 2K places in `room`.
            unsafe {
                start.add(K - 1 - index).write(self.factors(digit));
                start.add(2 * K - 1 - index).write(self.factors(below));
            }
        }
        // SAFETY: every place was just written.
        unsafe { room.assume_init_ref() }
    }

    /// The product as digits that are divided by r once and lifted, for [`Arithmetic::reduce`].
    #[inline(always)]
    pub fn multiply<const K: usize>(
        &self,
        x: &[Limbs<S>; K],
        y: &Multiplier<S, K>,
        complement: Complement,
        to: &mut [Limbs<S>; K],
    ) {
        let arithmetic = self;
        self.simd.outline(Product {
            arithmetic,
            x,
            y,
            complement,
            to,
        });
    }

    /// Products with one digit, which is at most r: K sums of one product each.
    #[inline(always)]
    pub fn multiply_by_digit<const K: usize>(&self, x: &mut [Limbs<S>; K], y: Factors<S>) {
        let zero = self.simd.splat64(0);
        let mut before = [zero; 2];
        for (i, digit) in x.iter_mut().enumerate() {
            let sum = Sum::zero(self.simd).add_product(self.simd, self.factors(*digit), y);
            let (quotient, rest) = self.divide(sum.limbs(self.simd));
            *digit = self.add(
                self.add(rest, before),
                self.lift_product[usize::from(i > 0)],
            );
            before = quotient;
        }
        x[0] = self.sub(x[0], before);
    }

    /// Quotient and rest by r, the rest modulo 2^104.
    #[inline(always)]
    fn divide(&self, [s0, s1, s2]: [S::Vector; 3]) -> (Limbs<S>, Limbs<S>) {
        let simd = self.simd;
        let [n0, n1] = self.complement;
        let lower = simd.mul_float(simd.float62(s1), self.inverses[1]);
        let estimate = simd.mul_add_float(simd.float52(s2), self.inverses[2], lower);
        let [(low, low_word), (high, high_word)] = simd.floor104(estimate);
        let (r0, r1) = simd.add_product52((s0, s1), low, n0);
        let r1 = simd.add_low_product52(simd.add_low_product52(r1, low, n1), high, n0);
        ([low_word, high_word], [r0, r1])
    }

    /// Divides digits by r once more and carries: they are normalized words afterwards, the lower limb
    /// of what is left in `x` not yet carried.
    ///
    /// They are positive and below K·2^21·r modulo 2^104.
    #[inline(always)]
    pub fn reduce<const K: usize>(&self, x: &mut [Limbs<S>; K]) {
        self.simd.outline(Reduction {
            arithmetic: self,
            x,
        });
    }

    /// Brings digits that are below 2r to at most r + 2.
    #[inline(always)]
    fn tighten<const K: usize>(&self, x: &mut [Limbs<S>; K], limit: Limbs<S>) {
        let simd = self.simd;
        let mut before = simd.splat64(0);
        for digit in x.iter_mut() {
            let [low, high] = self.settled(*digit);
            let [_, left] = self.carried(self.sub([low, high], limit));
            // All ones where it is below the limit.
            let below = simd.shift_right_signed64(left, 63);
            let all = simd.splat64(u64::MAX);
            let reach = simd.sub64(all, below);
            let [r0, r1] = self.limbs;
            let low = simd.sub64(low, simd.and(r0, reach));
            *digit = [
                simd.add64(low, before),
                simd.sub64(high, simd.and(r1, reach)),
            ];
            before = simd.shift_right64(reach, 63);
        }
        x[0][0] = simd.sub64(x[0][0], before);
    }

    /// The word of a reduced digit.
    #[inline(always)]
    pub fn word(&self, [low, high]: Limbs<S>) -> S::Vector {
        let simd = self.simd;
        simd.add64(low, simd.shift_left64(high, LIMB))
    }

    /// Adds the zero that lifts products: what [`Arithmetic::reduce`] wants of sums.
    #[inline(always)]
    pub fn lift_sums<const K: usize>(&self, x: &mut [Limbs<S>; K]) {
        for (i, digit) in x.iter_mut().enumerate() {
            *digit = self.add(*digit, self.lift_product[usize::from(i > 0)]);
        }
    }

    /// Carries in words: normalized digits become canonical, except in the lanes whose bit is set,
    /// where the digits are those of a number that is still to be decreased by 1.
    #[inline(always)]
    pub fn canonical<const K: usize>(&self, x: &mut [S::Vector; K]) -> u8 {
        let simd = self.simd;
        let mut carry = simd.splat64(0);
        for digit in x.iter_mut() {
            // The carry is −1 in the lanes that have one.
            let raised = simd.sub64(*digit, carry);
            let all = simd.splat64(u64::MAX);
            carry = simd.sub64(all, simd.less64(raised, self.radix));
            *digit = simd.sub64(raised, simd.and(self.radix, carry));
        }
        // r^K = −1. Only where digit 0 is 0 there is a borrow.
        let one = simd.splat64(1);
        let borrow = simd.and(carry, simd.less64(x[0], one));
        let taken = simd.and(carry, simd.sub64(simd.splat64(u64::MAX), borrow));
        x[0] = simd.add64(x[0], taken);
        simd.top_bits64(borrow)
    }
}

/// The digits of an element in every lane, by number.
pub trait Digit<S: Simd> {
    /// The words of digit `index`.
    fn get(&self, simd: S, index: usize) -> S::Vector;
}

/// A second operand: its digits, last first, and below them their complements, last first.
#[repr(transparent)]
pub struct Multiplier<S: Simd, const K: usize>([[Factors<S>; K]; 2]);

#[inline(always)]
fn splat<S: Simd>(simd: S, [low, high]: [u64; 2]) -> Limbs<S> {
    [simd.splat64(low), simd.splat64(high)]
}

/// See [`Arithmetic::multiply`].
struct Product<'a, S: Simd, const K: usize> {
    arithmetic: &'a Arithmetic<S>,
    x: &'a [Limbs<S>; K],
    y: &'a Multiplier<S, K>,
    complement: Complement,
    to: &'a mut [Limbs<S>; K],
}

impl<S: Simd, const K: usize> SimdPart<S> for Product<'_, S, K> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let this = self.arithmetic;
        let (x, y, complement, to) = (self.x, self.y, self.complement, self.to);
        let mut room = MaybeUninit::uninit();
        let a = simd.pairs52(x, &mut room);
        // As r^K = −1, digit i is what is left of sum i, and the quotient of sum i − 1, for i = 0 the
        // last one with a minus; less the digits of x from i on, by which complements made it too much.
        let zeros = [simd.splat64(0); 2];
        let mut excess = zeros;
        for i in (1..K).rev() {
            excess = this.add(excess, x[i]);
            if complement == Complement::Twice {
                excess = this.add(excess, x[i]);
            }
            to[i] = this.sub(this.lift_product[1], excess);
        }
        to[0] = this.lift_product[0];
        let y = y.0.as_flattened();
        let mut before = zeros;
        for i in (0..K).step_by(2) {
            let [first, second] = simd.two_sums52(a, &y[K - 2 - i..2 * K - 1 - i]);
            let (quotient, rest) = this.divide(first);
            to[i] = this.add(this.add(to[i], rest), before);
            let (next, rest) = this.divide(second);
            to[i + 1] = this.add(this.add(to[i + 1], rest), quotient);
            before = next;
        }
        to[0] = this.sub(to[0], before);
    }
}

/// See [`Arithmetic::reduce`].
struct Reduction<'a, S: Simd, const K: usize> {
    arithmetic: &'a Arithmetic<S>,
    x: &'a mut [Limbs<S>; K],
}

impl<S: Simd, const K: usize> SimdPart<S> for Reduction<'_, S, K> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let this = self.arithmetic;
        let x = self.x;
        let [n0, n1] = this.complement;
        let mut before = simd.splat64(0);
        for digit in x.iter_mut() {
            let [low, high] = this.carried(*digit);
            let high = simd.and(high, this.mask);
            let estimate = simd.mul_add_float(
                simd.float52(high),
                this.inverses[1],
                simd.mul_add_float(simd.float52(low), this.inverses[0], this.minus_margin),
            );
            let (quotient, word) = simd.floor52(estimate);
            let (low, high) = simd.add_product52((low, high), quotient, n0);
            let high = simd.and(simd.add_low_product52(high, quotient, n1), this.mask);
            *digit = [simd.add64(low, before), high];
            before = word;
        }
        x[0][0] = simd.sub64(x[0][0], before);
        if let Some(limit) = this.tight {
            this.tighten(x, limit);
        }
    }
}
