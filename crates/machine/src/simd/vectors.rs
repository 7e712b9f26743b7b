//! What an instruction set offers: vectors of words and of doubles, and sums of products.

/// A word that fills vectors: `u32` or `u64`.
pub trait Word: Copy + Default + sealed::Sealed {
    /// A vector of this word alone.
    fn splat<S: Simd>(self, simd: S) -> S::Vector;
}

impl Word for u32 {
    #[inline(always)]
    fn splat<S: Simd>(self, simd: S) -> S::Vector {
        simd.splat32(self)
    }
}

impl Word for u64 {
    #[inline(always)]
    fn splat<S: Simd>(self, simd: S) -> S::Vector {
        simd.splat64(self)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
}

/// An instruction set, as a value that exists only where the machine has it.
///
/// Operations whose name ends in `64` act on each 64-bit lane, those in `32` on each 32-bit half;
/// all wrap around.
pub trait Simd: Copy + Send + Sync + 'static {
    /// A vector of [`Simd::LANES`] 64-bit lanes.
    type Vector: Copy;

    /// A vector of factors below 2^52, in the form that products of them take.
    type Factor: Copy;

    /// A vector of doubles, one a lane.
    type Float: Copy;

    /// 64-bit lanes in a vector.
    const LANES: usize;

    /// Whether vectors are plain words, and an operation is as many instructions as there are lanes.
    const IN_WORDS: bool = false;

    /// Whether [`Simd::add_low52`] and [`Simd::add_high52`] are single instructions.
    const FAST_52: bool;

    /// Runs `task` compiled for this instruction set.
    fn vectorize<T: SimdTask<Self>>(self, task: T) -> T::Output;

    /// Runs `task`, a part of another, as a function of its own, compiled for this instruction set once,
    /// wherever it is called from.
    fn outline<T: SimdTask<Self>>(self, task: T) -> T::Output;

    /// All lanes equal to `word`.
    fn splat64(self, word: u64) -> Self::Vector;

    /// Reads a vector from any address.
    ///
    /// # Safety
    /// `source` must be valid for reads of `LANES` 64-bit words; it need not be aligned.
    unsafe fn load_unaligned(self, source: *const u64) -> Self::Vector;

    /// Writes a vector to any address.
    ///
    /// # Safety
    /// `target` must be valid for writes of `LANES` 64-bit words; it need not be aligned.
    unsafe fn store_unaligned(self, target: *mut u64, vector: Self::Vector);

    /// `a + b`.
    fn add64(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a − b`.
    fn sub64(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a + b` in each half.
    fn add32(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a − b` in each half.
    fn sub32(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The unsigned minimum in each half.
    fn min32(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Bitwise and.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Bitwise or.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a >> count`, logically; 0 for counts of 64 and more.
    fn shift_right64(self, a: Self::Vector, count: u32) -> Self::Vector;
    /// `a << count`; 0 for counts of 64 and more.
    fn shift_left64(self, a: Self::Vector, count: u32) -> Self::Vector;
    /// `a − b` where that is not negative as a signed number, else `a`: brings `a` below `b`
    /// once, for `a < 2b` and `b ≤ 2^63`.
    fn reduce_once64(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The 64-bit product of the low halves of each lane.
    fn mul_low_halves(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The low 64 bits of `a · b`.
    fn mul_low64(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `sum +` the low 52 bits of the product of the low 52 bits of `a` and `b`.
    fn add_low52(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `sum +` bits 52 … 103 of the product of the low 52 bits of `a` and `b`.
    fn add_high52(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `a >> count` for signed numbers, for counts below 64.
    fn shift_right_signed64(self, a: Self::Vector, count: u32) -> Self::Vector;
    /// All ones in the lanes where `a < b` as unsigned numbers, 0 in the others.
    fn less64(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The highest bit of every lane, that of lane 0 lowest.
    fn top_bits64(self, a: Self::Vector) -> u8;

    /// The low 52 bits of numbers as factors.
    fn factor52(self, a: Self::Vector) -> Self::Factor;
    /// Adds `a·b` to `(low, high)`, which stands for `low + high·2^52` in signed words: less than
    /// 2^52 in absolute value to each. Which of the ways to cut the product in two it takes, the
    /// instruction set chooses.
    fn add_product52(
        self,
        sum: (Self::Vector, Self::Vector),
        a: Self::Factor,
        b: Self::Factor,
    ) -> (Self::Vector, Self::Vector);
    /// `sum +` what is congruent to `a·b` modulo 2^52, less than 2^52 in absolute value, and the
    /// product itself if that is below 2^51.
    fn add_low_product52(self, sum: Self::Vector, a: Self::Factor, b: Self::Factor)
    -> Self::Vector;

    /// The sums `Σ x_j·y_{j+1}` and `Σ x_j·y_j` over some factors, less those over others, which may be
    /// none.
    #[inline(always)]
    fn two_sums52(self, minus: Factors<'_, Self>, plus: Factors<'_, Self>) -> [Sum<Self>; 2] {
        let mut sums = [Sum::zero(self); 2];
        if !minus.x.is_empty() {
            let [first, second] = minus.add_to(self, sums);
            sums = [first.negated(self), second.negated(self)];
        }
        plus.add_to(self, sums)
    }

    /// All lanes equal to `value`.
    fn splat_float(self, value: f64) -> Self::Float;
    /// Numbers below 2^52 as doubles, exactly.
    fn float52(self, a: Self::Vector) -> Self::Float;
    /// Signed numbers below 2^51 in absolute value as doubles, exactly.
    fn float_signed(self, a: Self::Vector) -> Self::Float;
    /// Signed words as doubles, rounded.
    fn float64(self, a: Self::Vector) -> Self::Float;
    /// `a·b`, rounded.
    fn mul_float(self, a: Self::Float, b: Self::Float) -> Self::Float;
    /// `a·b + c`, rounded once or twice.
    fn mul_add_float(self, a: Self::Float, b: Self::Float, c: Self::Float) -> Self::Float;
    /// `⌊a⌋` for numbers from 0 to 2^52 (exclusive), as factors and as words.
    fn floor52(self, a: Self::Float) -> (Self::Factor, Self::Vector);
    /// `⌊a⌋` for numbers from 0 to 2^104 (exclusive) in words of 52 bits, the lower first; the lowest
    /// bits of numbers above 2^53 are 0.
    fn floor104(self, a: Self::Float) -> [(Self::Factor, Self::Vector); 2];

    /// Transposes 8 rows of 8 words, `strides` words apart: row i's word j goes to row j's word i.
    ///
    /// # Safety
    /// The words of `from` are readable, those of `to` writable, and neither is among the others.
    #[inline(always)]
    unsafe fn transpose8(self, from: *const u64, to: *mut u64, strides: (usize, usize)) {
        for i in 0..8 {
            for j in 0..8 {
                // SAFETY: word j of row i and word i of row j, with i and j below 8, as this function asks.
                unsafe { *to.add(j * strides.1 + i) = *from.add(i * strides.0 + j) };
            }
        }
    }

    /// Elements of type `T` in a vector.
    #[inline(always)]
    fn lanes_of<T: Word>(self) -> usize {
        Self::LANES * (size_of::<u64>() / size_of::<T>())
    }

    /// Reads the vector at the start of `source`.
    ///
    /// # Panics
    /// If `source` holds less than a vector.
    #[inline(always)]
    fn load<T: Word>(self, source: &[T]) -> Self::Vector {
        assert!(source.len() >= self.lanes_of::<T>(), "a whole vector");
        // SAFETY: the slice holds LANES words of 64 bits, as just checked; words are plain data.
        unsafe { self.load_unaligned(source.as_ptr().cast()) }
    }

    /// Writes `vector` to the start of `target`.
    ///
    /// # Panics
    /// If `target` holds less than a vector.
    #[inline(always)]
    fn store<T: Word>(self, target: &mut [T], vector: Self::Vector) {
        assert!(target.len() >= self.lanes_of::<T>(), "a whole vector");
        // SAFETY: the slice holds LANES words of 64 bits, as just checked; words are plain data.
        unsafe { self.store_unaligned(target.as_mut_ptr().cast(), vector) }
    }

    /// All halves equal to `word`.
    #[inline(always)]
    fn splat32(self, word: u32) -> Self::Vector {
        self.splat64(u64::from(word) << 32 | u64::from(word))
    }

    /// The high halves of the lanes, those of `even` in the low halves.
    #[inline(always)]
    fn high_halves(self, even: Self::Vector, odd: Self::Vector) -> Self::Vector {
        let upper = self.splat64(0xffff_ffff << 32);
        self.or(self.shift_right64(even, 32), self.and(odd, upper))
    }

    /// Both words of the product `a · b`, as (low, high).
    #[inline(always)]
    fn mul_wide64(self, a: Self::Vector, b: Self::Vector) -> (Self::Vector, Self::Vector) {
        let half = self.splat64(0xffff_ffff);
        let (a_high, b_high) = (self.shift_right64(a, 32), self.shift_right64(b, 32));
        let low = self.mul_low_halves(a, b);
        let cross = self.mul_low_halves(a_high, b);
        // None of these sums overflows: (2^32 − 1)² + 2·(2^32 − 1) = 2^64 − 1.
        let middle = self.add64(cross, self.shift_right64(low, 32));
        let cross = self.mul_low_halves(a, b_high);
        let carried = self.add64(cross, self.and(middle, half));
        let high = self.add64(
            self.mul_low_halves(a_high, b_high),
            self.shift_right64(middle, 32),
        );
        (
            self.or(self.shift_left64(carried, 32), self.and(low, half)),
            self.add64(high, self.shift_right64(carried, 32)),
        )
    }

    /// The high 64 bits of `a · b`.
    #[inline(always)]
    fn mul_high64(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        self.mul_wide64(a, b).1
    }
}

/// Work on one instruction set. What is written once for all of them implements this for every [`Simd`].
pub trait SimdTask<S: Simd> {
    /// What the work gives.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, as is everything they call that
    /// touches vectors: only then are they compiled for the instruction set.
    fn run(self, simd: S) -> Self::Output;
}

// Sums of products of numbers of two limbs. Of such a sum s the kernels want its quotient by a radix and the rest. The
// rest is small, so that s modulo 2^104 gives it; the quotient need not be exact, so that s in doubles gives that.
// Neither needs the upper halves of products: four products of limbs and one of doubles do, for numbers of any sign.

/// A number as an operand of products.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Operand<S: Simd> {
    /// Its limbs of 52 bits, modulo 2^104.
    pub limbs: [S::Factor; 2],
    /// The number as a double, rounded.
    pub value: S::Float,
}

/// A sum of products.
#[derive(Clone, Copy)]
pub struct Sum<S: Simd> {
    /// `s0 + s1·2^52` in signed words is the sum modulo 2^104.
    pub limbs: [S::Vector; 2],
    /// The sum in doubles, rounded after each product.
    pub value: S::Float,
}

impl<S: Simd> Sum<S> {
    /// 0.
    #[inline(always)]
    pub fn zero(simd: S) -> Self {
        Self {
            limbs: [simd.splat64(0); 2],
            value: simd.splat_float(0.0),
        }
    }

    /// With one product more.
    #[inline(always)]
    #[must_use]
    pub fn add_product(self, simd: S, a: Operand<S>, b: Operand<S>) -> Self {
        let ([a0, a1], [b0, b1]) = (a.limbs, b.limbs);
        let [s0, s1] = self.limbs;
        let (s0, s1) = simd.add_product52((s0, s1), a0, b0);
        let s1 = simd.add_low_product52(simd.add_low_product52(s1, a0, b1), a1, b0);
        Self {
            limbs: [s0, s1],
            value: simd.mul_add_float(a.value, b.value, self.value),
        }
    }

    /// The sum with the other sign.
    #[inline(always)]
    #[must_use]
    pub fn negated(self, simd: S) -> Self {
        let zero = simd.splat64(0);
        Self {
            limbs: [
                simd.sub64(zero, self.limbs[0]),
                simd.sub64(zero, self.limbs[1]),
            ],
            value: simd.mul_float(self.value, simd.splat_float(-1.0)),
        }
    }
}

/// Factors x and y of `Σ x_j·y_{j+1}` and `Σ x_j·y_j`: an even number of x, at most 256, and one y more.
#[derive(Clone, Copy)]
pub struct Factors<'a, S: Simd> {
    /// The first factors.
    pub x: &'a [Operand<S>],
    /// The second factors.
    pub y: &'a [Operand<S>],
}

impl<S: Simd> Factors<'_, S> {
    /// Adds their products to two sums.
    #[inline(always)]
    fn add_to(self, simd: S, [mut first, mut second]: [Sum<S>; 2]) -> [Sum<S>; 2] {
        let mut before = self.y[0];
        // Two at a time, so that only every other y moves to where the one before was.
        debug_assert!(self.x.len().is_multiple_of(2) && self.y.len() == self.x.len() + 1);
        for (x, y) in self.x.chunks_exact(2).zip(self.y[1..].chunks_exact(2)) {
            first = first.add_product(simd, x[0], y[0]);
            second = second.add_product(simd, x[0], before);
            first = first.add_product(simd, x[1], y[1]);
            second = second.add_product(simd, x[1], y[0]);
            before = y[1];
        }
        [first, second]
    }
}
