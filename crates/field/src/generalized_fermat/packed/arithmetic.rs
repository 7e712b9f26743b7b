//! The arithmetic of one vector of elements: a lane for each element, a vector for each limb of each
//! digit.
//!
//! A digit is cut into limbs of 52 and 12 bits, of which sums may use all 64. Three kinds of digits
//! follow one another:
//!
//! * *normalized*, in memory: one signed word each, `|d| ≤ r·(1/2 + D·2^-50)`, D as below;
//! * *sums* of at most [`MOST_TERMS`](super::constants::MOST_TERMS) of these with any signs, without
//!   carries: limb by limb, or in one word where r is small enough;
//! * *products*, divided by r once: below `D·r` after a positive zero was added.
//!
//! **Product.** A sum of products `s = Σ ±x_j·y_i`, x sums and y normalized, is kept modulo 2^104 and in
//! doubles (see [`Sum`]). The doubles give its quotient by r to within e = (K + 12)·9K·r·2^-53; the rest,
//! below (e + 1)·r in absolute value, is computed modulo 2^104 by adding the quotient times `2^104 − r`.
//! Quotients are taken a constant too large, so that they are positive.
//!
//! **Reduction.** With a zero of digits about `c·r` added, digits are positive and below `D·r`, D = 2c. Their
//! quotients by r, rounded, are estimated to within D·2^-51. So what is left is at most r·(1/2 + D·2^-51),
//! and the quotients that are carried to it are below D ≤ D·2^-52·r.
//!
//! **Cost** in vector instructions per digit with AVX-512 IFMA: 5K multiply-adds and about 45 others
//! for a product; for the reduction of sums alone 20.

use std::mem::MaybeUninit;

use super::constants::{Constants, LIMB, MASK};
use super::number::Number;
use super::{LANES, Line};
use sunzi_machine::simd::{Factors, Operand, Simd, SimdTask, Sum};

/// A number `l + h·2^52` in every lane.
pub type Limbs<S> = [<S as Simd>::Vector; 2];

/// Constants of a field in vectors.
#[derive(Clone, Copy)]
pub struct Arithmetic<S: Simd> {
    simd: S,
    mask: S::Vector,
    complement: [S::Factor; 2],
    inverses: [S::Float; 2],
    bias: S::Float,
    two_52: S::Float,
    half: S::Float,
    lift: [Limbs<S>; 2],
    lift_product: [Limbs<S>; 2],
    tight: Option<[Limbs<S>; 2]>,
    radix: S::Vector,
    half_radix: S::Vector,
}

impl<S: Simd> Arithmetic<S> {
    /// The constants, each in all lanes.
    #[inline(always)]
    pub fn new(simd: S, constants: &Constants) -> Self {
        let c = constants;
        let [f0, f1] = c.inverses;
        let [n0, n1] = c.complement;
        let n = [simd.splat64(n0), simd.splat64(n1)];
        Self {
            simd,
            mask: simd.splat64(MASK),
            complement: [simd.factor52(n[0]), simd.factor52(n[1])],
            inverses: [simd.splat_float(f0), simd.splat_float(f1)],
            bias: simd.splat_float(c.bias),
            two_52: simd.splat_float((1u64 << LIMB) as f64),
            half: simd.splat_float(0.5),
            lift: [splat(simd, c.lift[0]), splat(simd, c.lift[1])],
            lift_product: [
                splat(simd, c.lift_product[0]),
                splat(simd, c.lift_product[1]),
            ],
            // A closure would not be compiled for the instruction set.
            #[allow(clippy::manual_map)]
            tight: match c.tight {
                Some([half, radix]) => Some([splat(simd, half), splat(simd, radix)]),
                None => None,
            },
            radix: simd.splat64(c.radix),
            half_radix: simd.splat64(c.radix / 2),
        }
    }

    /// The instruction set.
    #[inline(always)]
    pub fn simd(&self) -> S {
        self.simd
    }

    /// Limbs of a signed word.
    #[inline(always)]
    pub fn cut(&self, word: S::Vector) -> Limbs<S> {
        let simd = self.simd;
        let high = simd.shift_right_signed64(word, LIMB);
        [simd.and(word, self.mask), high]
    }

    /// A signed word as an operand.
    #[inline(always)]
    pub fn operand(&self, word: S::Vector) -> Operand<S> {
        let simd = self.simd;
        let [low, high] = self.cut(word);
        Operand {
            limbs: [simd.factor52(low), simd.factor52(high)],
            value: simd.float64(word),
        }
    }

    /// A sum of digits as an operand.
    #[inline(always)]
    pub(super) fn operand_of_sum(&self, sum: Limbs<S>) -> Operand<S> {
        let simd = self.simd;
        let [low, high] = self.carried(sum);
        let upper = simd.float_signed(high);
        Operand {
            limbs: [simd.factor52(low), simd.factor52(high)],
            value: simd.mul_add_float(upper, self.two_52, simd.float52(low)),
        }
    }

    /// `a + b`, without carries.
    #[inline(always)]
    fn add(&self, a: Limbs<S>, b: Limbs<S>) -> Limbs<S> {
        a.add(self.simd, b)
    }

    /// `a − b`, without carries.
    #[inline(always)]
    fn sub(&self, a: Limbs<S>, b: Limbs<S>) -> Limbs<S> {
        a.sub(self.simd, b)
    }

    /// The same number with a lower limb of 52 bits.
    #[inline(always)]
    fn carried(&self, [low, high]: Limbs<S>) -> Limbs<S> {
        let simd = self.simd;
        let carry = simd.shift_right_signed64(low, LIMB);
        [simd.and(low, self.mask), simd.add64(high, carry)]
    }

    /// The product as digits that are divided by r once and lifted, for [`Arithmetic::reduce`].
    #[inline(always)]
    pub fn multiply<N: Number>(
        &self,
        x: impl Multiplicand<S>,
        y: impl DigitVectors<S>,
        work: &mut Workspace<'_, S, N>,
    ) {
        let operands = prepared(self, x, y, work.digits, work.operands);
        // The product itself is the same function for operands of all kinds.
        self.simd.outline(Product {
            arithmetic: self,
            operands,
            digits: work.digits,
            to: work.limbs,
        });
    }

    /// The product of the element in `work` with one word, which is at most r/2: K sums of one product each.
    #[inline(always)]
    pub fn multiply_by_word<N: Number>(&self, work: &mut Workspace<'_, S, N>, word: S::Vector) {
        let zero = self.simd.splat64(0);
        let y = self.operand(word);
        let mut before = [zero; 2];
        let x = work.limbs();
        for (i, digit) in x.iter_mut().enumerate() {
            let x = self.operand_of_sum(*digit);
            let sum = Sum::zero(self.simd).add_product(self.simd, x, y);
            let (quotient, rest) = self.divide(sum);
            *digit = self.add(
                self.add(rest, before),
                self.lift_product[usize::from(i > 0)],
            );
            before = quotient;
        }
        x[0] = self.sub(x[0], before);
    }

    /// Quotient and rest by r, the rest modulo 2^104. The quotient is `bias` too large, so that it is
    /// positive, and the rest `bias·r` too small.
    #[inline(always)]
    fn divide(&self, sum: Sum<S>) -> (Limbs<S>, Limbs<S>) {
        let simd = self.simd;
        let [n0, n1] = self.complement;
        let [s0, s1] = sum.limbs;
        let estimate = simd.mul_add_float(sum.value, self.inverses[0], self.bias);
        let [(low, low_word), (high, high_word)] = simd.floor104(estimate);
        let (r0, r1) = simd.add_product52((s0, s1), low, n0);
        let r1 = simd.add_low_product52(simd.add_low_product52(r1, low, n1), high, n0);
        ([low_word, high_word], [r0, r1])
    }

    /// Divides digits by r once more and carries: they are normalized modulo 2^104 afterwards.
    ///
    /// They are positive and below D·r modulo 2^104.
    #[inline(always)]
    pub fn reduce<N: Number>(&self, work: &mut Workspace<'_, S, N>) {
        self.simd.outline(Reduction {
            arithmetic: self,
            digits: work.digits,
            x: work.limbs,
        });
    }

    /// All ones where a number modulo 2^104 is negative.
    #[inline(always)]
    fn sign(&self, number: Limbs<S>) -> S::Vector {
        let simd = self.simd;
        let [_, high] = self.carried(number);
        simd.shift_right_signed64(simd.shift_left64(high, 64 - LIMB), 63)
    }

    /// Brings digits modulo 2^104 that are less than r from 0 to at most r/2 + 1.
    #[inline(always)]
    fn tighten(&self, x: &mut [Limbs<S>], [half, radix]: [Limbs<S>; 2]) {
        let simd = self.simd;
        let mut before = simd.splat64(0);
        for digit in x.iter_mut() {
            let [mut low, mut high] = *digit;
            let above = self.sign(self.sub(half, *digit));
            let below = self.sign(self.add(half, *digit));
            low = simd.sub64(low, simd.and(radix[0], above));
            high = simd.sub64(high, simd.and(radix[1], above));
            low = simd.add64(low, simd.and(radix[0], below));
            high = simd.add64(high, simd.and(radix[1], below));
            *digit = [simd.add64(low, before), high];
            before = simd.sub64(below, above);
        }
        x[0][0] = simd.sub64(x[0][0], before);
    }

    /// The word of a reduced digit.
    #[inline(always)]
    pub fn word(&self, [low, high]: Limbs<S>) -> S::Vector {
        let simd = self.simd;
        simd.add64(low, simd.shift_left64(high, LIMB))
    }

    /// Adds a zero that makes digits of sums positive: what [`Arithmetic::reduce`] wants.
    #[inline(always)]
    pub(super) fn lift_sums(&self, x: &mut [Limbs<S>]) {
        for (i, digit) in x.iter_mut().enumerate() {
            *digit = self.add(*digit, self.lift[usize::from(i > 0)]);
        }
    }

    /// Canonical digits become normalized ones.
    #[inline(always)]
    pub fn normalize(&self, x: &mut [Line], lane: usize) {
        let simd = self.simd;
        // All ones in the lanes that carry to the next digit.
        let mut carry = simd.splat64(0);
        for line in x.iter_mut() {
            let line = &mut line.0[lane..];
            let digit = simd.load(line);
            let above = simd.less64(self.half_radix, digit);
            let lowered = simd.sub64(digit, simd.and(self.radix, above));
            simd.store(line, simd.sub64(lowered, carry));
            carry = above;
        }
        // r^K = −1.
        let first = &mut x[0].0[lane..];
        simd.store(first, simd.add64(simd.load(first), carry));
    }

    /// Carries in words: normalized digits become canonical, except in the lanes whose bit is set,
    /// where the digits are those of a number that is still to be increased by 1.
    #[inline(always)]
    pub fn canonical(&self, x: &mut [Line], lane: usize) -> u8 {
        let simd = self.simd;
        // All ones in the lanes that borrow from the next digit.
        let mut borrow = simd.splat64(0);
        for line in x.iter_mut() {
            let line = &mut line.0[lane..];
            let lowered = simd.add64(simd.load(line), borrow);
            borrow = simd.shift_right_signed64(lowered, 63);
            simd.store(line, simd.add64(lowered, simd.and(self.radix, borrow)));
        }
        // r^K = −1. Only where digit 0 is r − 1 there is a carry.
        let first = &mut x[0].0[lane..];
        let digit = simd.load(first);
        let last = simd.sub64(self.radix, simd.splat64(2));
        let carry = simd.and(borrow, simd.less64(last, digit));
        simd.store(first, simd.sub64(digit, simd.sub64(borrow, carry)));
        simd.top_bits64(carry)
    }
}

/// Room for what products and reductions of one element in every lane work on.
pub struct Room<S: Simd, N: Number> {
    operands: MaybeUninit<N::Operands<Operand<S>>>,
    limbs: MaybeUninit<N::Row<Limbs<S>>>,
}

impl<S: Simd, N: Number> Default for Room<S, N> {
    /// Nothing is in it yet.
    #[inline(always)]
    fn default() -> Self {
        Self {
            operands: MaybeUninit::uninit(),
            limbs: MaybeUninit::uninit(),
        }
    }
}

/// What products and reductions of one element in every lane work on.
pub struct Workspace<'a, S: Simd, N: Number> {
    digits: N,
    operands: &'a mut MaybeUninit<N::Operands<Operand<S>>>,
    limbs: &'a mut [Limbs<S>],
}

impl<'a, S: Simd, N: Number> Workspace<'a, S, N> {
    /// For elements of K digits.
    #[inline(always)]
    pub fn new(simd: S, digits: N, room: &'a mut Room<S, N>) -> Self {
        Self {
            digits,
            operands: &mut room.operands,
            limbs: digits.fill(&mut room.limbs, [simd.splat64(0); 2]),
        }
    }

    /// The limbs of the element on the way from one step to the next.
    #[inline(always)]
    pub fn limbs(&mut self) -> &mut [Limbs<S>] {
        &mut self.limbs[..self.digits.get()]
    }
}

/// The digits of a normalized element in every lane, by number.
pub trait DigitVectors<S: Simd> {
    /// The words of digit `index`.
    fn word(&self, simd: S, index: usize) -> S::Vector;
}

/// The digits of an element in every lane as first operands, by number.
pub trait Multiplicand<S: Simd> {
    /// Digit `index`.
    fn operand(&self, arithmetic: &Arithmetic<S>, index: usize) -> Operand<S>;
}

/// A normalized element.
pub(super) struct Normalized<W>(pub W);

impl<S: Simd, W: DigitVectors<S>> Multiplicand<S> for Normalized<W> {
    #[inline(always)]
    fn operand(&self, arithmetic: &Arithmetic<S>, index: usize) -> Operand<S> {
        arithmetic.operand(self.0.word(arithmetic.simd, index))
    }
}

/// A digit of a sum of elements in every lane.
pub trait Digit<S: Simd>: Copy {
    /// Vectors that it takes.
    const VECTORS: usize;

    /// Of signed words.
    fn of_word(arithmetic: &Arithmetic<S>, word: S::Vector) -> Self;
    /// `a + b`.
    fn add(self, simd: S, b: Self) -> Self;
    /// `a − b`.
    fn sub(self, simd: S, b: Self) -> Self;
    /// Its limbs.
    fn limbs(self, arithmetic: &Arithmetic<S>) -> Limbs<S>;
    /// As an operand of products.
    fn operand(self, arithmetic: &Arithmetic<S>) -> Operand<S>;

    /// From memory, a line for each vector.
    ///
    /// # Safety
    /// The lines can be read, from the lane of `from` on.
    unsafe fn load(simd: S, from: *const u64) -> Self;
    /// To memory.
    ///
    /// # Safety
    /// The lines can be written, from the lane of `to` on.
    unsafe fn store(self, simd: S, to: *mut u64);
}

impl<S: Simd> Digit<S> for Limbs<S> {
    const VECTORS: usize = 2;

    #[inline(always)]
    fn of_word(arithmetic: &Arithmetic<S>, word: S::Vector) -> Self {
        arithmetic.cut(word)
    }

    #[inline(always)]
    fn add(self, simd: S, b: Self) -> Self {
        [simd.add64(self[0], b[0]), simd.add64(self[1], b[1])]
    }

    #[inline(always)]
    fn sub(self, simd: S, b: Self) -> Self {
        [simd.sub64(self[0], b[0]), simd.sub64(self[1], b[1])]
    }

    #[inline(always)]
    fn limbs(self, _: &Arithmetic<S>) -> Limbs<S> {
        self
    }

    #[inline(always)]
    fn operand(self, arithmetic: &Arithmetic<S>) -> Operand<S> {
        arithmetic.operand_of_sum(self)
    }

    #[inline(always)]
    unsafe fn load(simd: S, from: *const u64) -> Self {
        // SAFETY: a vector in each of two lines is readable, as this function asks.
        unsafe {
            [
                simd.load_unaligned(from),
                simd.load_unaligned(from.wrapping_add(LANES)),
            ]
        }
    }

    #[inline(always)]
    unsafe fn store(self, simd: S, to: *mut u64) {
        // SAFETY: a vector in each of two lines is writable, as this function asks.
        unsafe {
            simd.store_unaligned(to, self[0]);
            simd.store_unaligned(to.wrapping_add(LANES), self[1]);
        }
    }
}

/// A digit of a sum that fits in signed words: see [`Constants::fit_in_words`].
#[derive(Clone, Copy)]
pub struct WordDigit<V>(V);

impl<S: Simd> Digit<S> for WordDigit<S::Vector> {
    const VECTORS: usize = 1;

    #[inline(always)]
    fn of_word(_: &Arithmetic<S>, word: S::Vector) -> Self {
        Self(word)
    }

    #[inline(always)]
    fn add(self, simd: S, b: Self) -> Self {
        Self(simd.add64(self.0, b.0))
    }

    #[inline(always)]
    fn sub(self, simd: S, b: Self) -> Self {
        Self(simd.sub64(self.0, b.0))
    }

    #[inline(always)]
    fn limbs(self, arithmetic: &Arithmetic<S>) -> Limbs<S> {
        arithmetic.cut(self.0)
    }

    #[inline(always)]
    fn operand(self, arithmetic: &Arithmetic<S>) -> Operand<S> {
        arithmetic.operand(self.0)
    }

    #[inline(always)]
    unsafe fn load(simd: S, from: *const u64) -> Self {
        // SAFETY: a vector in one line is readable, as this function asks.
        Self(unsafe { simd.load_unaligned(from) })
    }

    #[inline(always)]
    unsafe fn store(self, simd: S, to: *mut u64) {
        // SAFETY: a vector in one line is writable, as this function asks.
        unsafe { simd.store_unaligned(to, self.0) }
    }
}

/// A sum of elements.
pub struct Sums<'a, D>(pub &'a [D]);

impl<S: Simd, D: Digit<S>> Multiplicand<S> for Sums<'_, D> {
    #[inline(always)]
    fn operand(&self, arithmetic: &Arithmetic<S>, index: usize) -> Operand<S> {
        self.0[index].operand(arithmetic)
    }
}

/// The operands of a product, 2K + 1 of them: the digits of x, and those of y, last first, with `−y_{K−1}` in the end.
#[inline(always)]
fn prepared<'a, S: Simd, N: Number>(
    arithmetic: &Arithmetic<S>,
    x: impl Multiplicand<S>,
    y: impl DigitVectors<S>,
    digits: N,
    room: &'a mut MaybeUninit<N::Operands<Operand<S>>>,
) -> &'a [Operand<S>] {
    let start = room.as_mut_ptr().cast::<Operand<S>>();
    let (simd, count) = (arithmetic.simd, digits.get());
    for index in 0..count {
        let (x, y) = (x.operand(arithmetic, index), y.word(simd, index));
        // SAFETY: of the 2K + 1 places that `Number` promises, one of x and one of y.
        unsafe {
            start.add(index).write(x);
            start
                .add(2 * count - 1 - index)
                .write(arithmetic.operand(y));
        }
    }
    let zeros = [simd.splat64(0); 2];
    let last = arithmetic.cut(y.word(simd, count - 1));
    let beyond = arithmetic.operand_of_sum(arithmetic.sub(zeros, last));
    // SAFETY: the last of 2K + 1 places; then every one is written.
    unsafe {
        start.add(2 * count).write(beyond);
        std::slice::from_raw_parts(start, 2 * count + 1)
    }
}

#[inline(always)]
fn splat<S: Simd>(simd: S, [low, high]: [u64; 2]) -> Limbs<S> {
    [simd.splat64(low), simd.splat64(high)]
}

/// See [`Arithmetic::multiply`].
struct Product<'a, S: Simd, N: Number> {
    arithmetic: &'a Arithmetic<S>,
    operands: &'a [Operand<S>],
    digits: N,
    to: &'a mut [Limbs<S>],
}

impl<S: Simd, N: Number> SimdTask<S> for Product<'_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let this = self.arithmetic;
        let (count, to) = (self.digits.get(), self.to);
        assert!(self.operands.len() == 2 * count + 1 && to.len() == count);
        let (x, y) = self.operands.split_at(count);
        // As r^K = −1, digit i is what is left of sum i, and the quotient of sum i − 1, for i = 0 the
        // last one with a minus. Sum i is Σ x_j·y_{i−j}, with a minus where j > i and y_{K+i−j} stands
        // for y_{i−j}; of sum i the term j = i + 1 is that of what is beyond y.
        let mut before = [simd.splat64(0); 2];
        for i in (0..count).step_by(2) {
            let minus = Factors {
                x: &x[i + 2..],
                y: &y[..count - 1 - i],
            };
            let plus = Factors {
                x: &x[..i + 2],
                y: &y[count - 2 - i..],
            };
            let [first, second] = simd.two_sums52(minus, plus);
            let (quotient, rest) = this.divide(first);
            let lift = this.lift_product[usize::from(i > 0)];
            to[i] = this.add(this.add(lift, rest), before);
            let (next, rest) = this.divide(second);
            to[i + 1] = this.add(this.add(this.lift_product[1], rest), quotient);
            before = next;
        }
        to[0] = this.sub(to[0], before);
    }
}

/// See [`Arithmetic::reduce`].
struct Reduction<'a, S: Simd, N: Number> {
    arithmetic: &'a Arithmetic<S>,
    digits: N,
    x: &'a mut [Limbs<S>],
}

impl<S: Simd, N: Number> SimdTask<S> for Reduction<'_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let this = self.arithmetic;
        let x = &mut self.x[..self.digits.get()];
        let [n0, n1] = this.complement;
        let mut before = simd.splat64(0);
        for digit in x.iter_mut() {
            let [low, high] = this.carried(*digit);
            let high = simd.and(high, this.mask);
            let estimate = simd.mul_add_float(
                simd.float52(high),
                this.inverses[1],
                simd.mul_add_float(simd.float52(low), this.inverses[0], this.half),
            );
            let (quotient, word) = simd.floor52(estimate);
            let (low, high) = simd.add_product52((low, high), quotient, n0);
            let high = simd.and(simd.add_low_product52(high, quotient, n1), this.mask);
            *digit = [simd.add64(low, before), high];
            before = word;
        }
        x[0][0] = simd.sub64(x[0][0], before);
        if let Some(limits) = this.tight {
            this.tighten(x, limits);
        }
    }
}
