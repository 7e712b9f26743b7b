//! Base cases: transforms of 2 to 32 points by sums and rotations alone, without carries.
//!
//! The root of order R ≤ 2K is a power of r, and the product with r is a rotation of digits with a
//! change of signs, so that a base case is a network of sums of vectors: `R·log R` of them for each
//! limb of each digit. Digits stay in two limbs of 52 and 12 bits in words of 64, so sums of 32 need
//! no carry whatever r is (the papers' digits of 64 bits carry after each); where r is so small that sums
//! fit in signed words, they are one.
//!
//! R = 16 is 4·4, R = 8 is 4·2 and R = 32 is 4·4·2: base cases of 4 points with rotations by multiples of
//! K/2 digits, and then combinations of their values, rotated by multiples of 2K/R. Digits move in chunks
//! of that size; the source and the sign of each chunk are constants of the compiled code.
//!
//! The thesis (§2.4) unrolls base cases of K points by generated code; the numbers of its rotations
//! are those that the constants here give.

use std::marker::PhantomData;
use sunzi_field::generalized_fermat::packed::LANES;
use sunzi_field::generalized_fermat::packed::Line;
use sunzi_field::generalized_fermat::packed::arithmetic::{Arithmetic, Digit};
use sunzi_field::generalized_fermat::packed::number::Number;
use sunzi_field::generalized_fermat::packed::operations::SumDigits;
use sunzi_machine::simd::{Simd, SimdTask};

/// Rows of K digits, each of `VECTORS` lines; a vector is some lanes of a line.
#[derive(Clone, Copy)]
pub(super) struct Rows<N> {
    start: *mut u64,
    digits: N,
}

/// Lines that `rows` rows of K digits take, at most.
pub(super) const fn row_lines(rows: usize, digits: usize) -> usize {
    rows * digits * 2
}

/// One of the rows.
#[derive(Clone, Copy)]
pub(super) struct RowDigits<N> {
    rows: Rows<N>,
    row: usize,
}

impl<S: Simd, D: Digit<S>, N: Number> SumDigits<S, D> for RowDigits<N> {
    #[inline(always)]
    fn digit(&self, arithmetic: &Arithmetic<S>, index: usize) -> D {
        assert!(index < self.rows.digits.get());
        // SAFETY: the row exists and can be read, as `Rows::row` asks, and has K digits.
        unsafe { self.rows.load(arithmetic.simd(), self.row, index) }
    }
}

impl<N: Number> Rows<N> {
    /// The rows that lie in `lines`.
    #[inline(always)]
    pub(super) fn new(lines: &mut [Line], digits: N) -> Self {
        Self {
            start: lines.as_mut_ptr().cast(),
            digits,
        }
    }

    /// The digits of a row.
    ///
    /// # Safety
    /// The row exists, was stored with the vectors and digits with which it is read, and nothing changes it as long as it is.
    #[inline(always)]
    pub(super) unsafe fn row(self, row: usize) -> RowDigits<N> {
        RowDigits { rows: self, row }
    }

    /// For the lanes from `lane` on.
    #[inline(always)]
    pub(super) fn at_lane(self, lane: usize) -> Self {
        Self {
            start: self.start.wrapping_add(lane),
            ..self
        }
    }

    /// The rows from number `row` on.
    #[inline(always)]
    fn below<S: Simd, D: Digit<S>>(self, row: usize) -> Self {
        Self {
            start: self.at::<S, D>(row, 0),
            ..self
        }
    }

    #[inline(always)]
    fn at<S: Simd, D: Digit<S>>(self, row: usize, digit: usize) -> *mut u64 {
        self.start
            .wrapping_add((row * self.digits.get() + digit) * D::VECTORS * LANES)
    }

    /// # Safety
    /// The row and the digit exist.
    #[inline(always)]
    pub(super) unsafe fn load<S: Simd, D: Digit<S>>(self, simd: S, row: usize, digit: usize) -> D {
        // SAFETY: row and digit exist, as this function asks, and a digit is `VECTORS` lines, here from a lane on.
        unsafe { D::load(simd, self.at::<S, D>(row, digit)) }
    }

    /// # Safety
    /// The row and the digit exist, and nothing else refers to them.
    #[inline(always)]
    pub(super) unsafe fn store<S: Simd, D: Digit<S>>(
        self,
        simd: S,
        row: usize,
        digit: usize,
        value: D,
    ) {
        // SAFETY: row and digit exist and are this call's alone, as this function asks.
        unsafe { value.store(simd, self.at::<S, D>(row, digit)) };
    }
}

/// The points of a base case: blocks that lie at equal distances.
#[derive(Clone, Copy)]
pub(super) struct StridedPoints {
    /// The first block's lane.
    start: *const u64,
    /// Lines from a point to the next.
    stride: usize,
}

impl StridedPoints {
    /// Blocks of K lines that lie in `lines` from the first on, `stride` blocks from a point to the next.
    #[inline(always)]
    pub(super) fn new(lines: &[Line], stride: usize, digits: usize) -> Self {
        Self {
            start: lines.as_ptr().cast(),
            stride: stride * digits,
        }
    }

    /// The lanes from `lane` on.
    #[inline(always)]
    pub(super) fn at_lane(self, lane: usize) -> Self {
        Self {
            start: self.start.wrapping_add(lane),
            ..self
        }
    }

    /// Every other point, from `first` on.
    #[inline(always)]
    fn every_other(self, first: usize) -> Self {
        Self {
            start: self.at(first, 0),
            stride: 2 * self.stride,
        }
    }

    #[inline(always)]
    fn at(self, point: usize, digit: usize) -> *const u64 {
        self.start
            .wrapping_add((point * self.stride + digit) * LANES)
    }

    /// Digit `digit` of point `point`.
    ///
    /// # Safety
    /// They exist.
    #[inline(always)]
    unsafe fn get<S: Simd, D: Digit<S>>(
        self,
        arithmetic: &Arithmetic<S>,
        point: usize,
        digit: usize,
    ) -> D {
        // SAFETY: point and digit exist, as this function asks: a line, here from a lane on.
        let word = unsafe { arithmetic.simd().load_unaligned(self.at(point, digit)) };
        D::of_word(arithmetic, word)
    }
}

/// The transform of `radix` points; its values are the rows that it returns, those of `middle` or of
/// `values`.
///
/// # Safety
/// All points exist, `middle` and `values` have `radix` rows each, and nothing else refers to those.
#[inline(always)]
pub(super) unsafe fn transform<S: Simd, D: Digit<S>, N: Number>(
    arithmetic: &Arithmetic<S>,
    radix: usize,
    points: StridedPoints,
    middle: Rows<N>,
    values: Rows<N>,
) -> Rows<N> {
    let run = |network, points: StridedPoints, [from, to]: [Rows<N>; 2]| {
        arithmetic.simd().outline(Part::<S, D, N> {
            arithmetic,
            network,
            points,
            from,
            to,
            digit: PhantomData,
        });
    };
    match radix {
        2 => run(Network::OfTwo, points, [middle, values]),
        4 => run(Network::OfFour(1), points, [middle, values]),
        8 => {
            run(Network::OfFour(2), points, [values, middle]);
            run(Network::JoinTwo, points, [middle, values]);
        }
        16 => {
            run(Network::OfFour(4), points, [values, middle]);
            run(Network::JoinFour, points, [middle, values]);
        }
        _ => {
            for half in 0..2 {
                // Both halves by way of the same rows, which stay in the cache.
                run(
                    Network::OfFour(4),
                    points.every_other(half),
                    [values, middle],
                );
                let half = values.below::<S, D>(16 * half);
                run(Network::JoinFour, points, [middle, half]);
            }
            run(Network::JoinHalves, points, [values, middle]);
            return middle;
        }
    }
    values
}

/// A part of a base case.
#[derive(Clone, Copy)]
enum Network {
    OfTwo,
    /// This number of transforms of four points.
    OfFour(usize),
    JoinTwo,
    JoinFour,
    JoinHalves,
}

/// A part that runs, from points or from rows to rows: a function of its own, so that it is compiled once and not
/// at each use.
struct Part<'a, S: Simd, D, N> {
    arithmetic: &'a Arithmetic<S>,
    network: Network,
    points: StridedPoints,
    from: Rows<N>,
    to: Rows<N>,
    digit: PhantomData<D>,
}

impl<S: Simd, D: Digit<S>, N: Number> SimdTask<S> for Part<'_, S, D, N> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: S) {
        let (arithmetic, points) = (self.arithmetic, self.points);
        let (from, to) = (self.from, self.to);
        // SAFETY: only `transform` makes a part: of as many points and rows as `radix`, which is what the network
        // takes, or for radix 32 of half as many.
        unsafe {
            match self.network {
                Network::OfTwo => of_two::<S, D>(arithmetic, points, to),
                Network::OfFour(count) => of_four::<S, D>(arithmetic, count, points, to),
                Network::JoinTwo => join_two::<S, D>(arithmetic, from, to),
                Network::JoinFour => join_four::<S, D>(arithmetic, from, to),
                Network::JoinHalves => join_halves::<S, D>(arithmetic, from, to),
            }
        }
    }
}

/// # Safety
/// As [`transform`], for two points.
#[inline(always)]
unsafe fn of_two<S: Simd, D: Digit<S>>(
    arithmetic: &Arithmetic<S>,
    points: StridedPoints,
    values: Rows<impl Number>,
) {
    let simd = arithmetic.simd();
    for digit in 0..values.digits.get() {
        // SAFETY: two points, two rows, K digits each.
        unsafe {
            let a: D = points.get(arithmetic, 0, digit);
            let b: D = points.get(arithmetic, 1, digit);
            values.store(simd, 0, digit, a.add(simd, b));
            values.store(simd, 1, digit, a.sub(simd, b));
        }
    }
}

/// Transforms of the four points g, g + G, g + 2G, g + 3G for each g < G: value k of number g goes to
/// row 4g + k of `values`.
///
/// # Safety
/// As [`transform`], for 4·G points.
#[inline(always)]
unsafe fn of_four<S: Simd, D: Digit<S>>(
    arithmetic: &Arithmetic<S>,
    count: usize,
    points: StridedPoints,
    values: Rows<impl Number>,
) {
    let simd = arithmetic.simd();
    let half = values.digits.get() / 2;
    for g in 0..count {
        for low in 0..half {
            let high = low + half;
            // SAFETY: of 4·count points and rows, g < count; of K digits, low < high < K.
            unsafe {
                let a: D = points.get(arithmetic, g, low);
                let b: D = points.get(arithmetic, g + count, low);
                let c: D = points.get(arithmetic, g + 2 * count, low);
                let d: D = points.get(arithmetic, g + 3 * count, low);
                let lower = Quarter::new(simd, [a, b, c, d], [false; 3]);
                let a: D = points.get(arithmetic, g, high);
                let b: D = points.get(arithmetic, g + count, high);
                let c: D = points.get(arithmetic, g + 2 * count, high);
                let d: D = points.get(arithmetic, g + 3 * count, high);
                let upper = Quarter::new(simd, [a, b, c, d], [false; 3]);
                let row = 4 * g;
                let [y0, y1, y2, y3] = lower.values(simd, &upper, true);
                values.store(simd, row, low, y0);
                values.store(simd, row + 1, low, y1);
                values.store(simd, row + 2, low, y2);
                values.store(simd, row + 3, low, y3);
                let [y0, y1, y2, y3] = upper.values(simd, &lower, false);
                values.store(simd, row, high, y0);
                values.store(simd, row + 1, high, y1);
                values.store(simd, row + 2, high, y2);
                values.store(simd, row + 3, high, y3);
            }
        }
    }
}

/// One digit of four points on the way to their transform: a ± c, and b ± d without their sign.
struct Quarter<D> {
    even: [D; 2],
    odd: [D; 2],
    negative: bool,
}

impl<D> Quarter<D> {
    /// Of a and the other points, each with a minus where so said.
    #[inline(always)]
    fn new<S: Simd>(simd: S, [a, b, c, d]: [D; 4], [minus_b, minus_c, minus_d]: [bool; 3]) -> Self
    where
        D: Digit<S>,
    {
        Self {
            even: both(simd, a, c, minus_c),
            odd: both(simd, b, d, minus_b != minus_d),
            negative: minus_b,
        }
    }

    /// The same digit of the values; `other` is the digit K/2 places above or below, whose difference
    /// b − d the root r^(K/2) brings here, with a minus if it comes from above.
    #[inline(always)]
    fn values<S: Simd>(&self, simd: S, other: &Self, from_above: bool) -> [D; 4]
    where
        D: Digit<S>,
    {
        let [y0, y2] = both(simd, self.even[0], self.odd[0], self.negative);
        let minus = other.negative != from_above;
        let [y1, y3] = both(simd, self.even[1], other.odd[1], minus);
        [y0, y1, y2, y3]
    }
}

/// a ± b and a ∓ b.
#[inline(always)]
fn both<S: Simd, D: Digit<S>>(simd: S, a: D, b: D, minus: bool) -> [D; 2] {
    let (sum, difference) = (a.add(simd, b), a.sub(simd, b));
    match minus {
        false => [sum, difference],
        true => [difference, sum],
    }
}

/// Where a chunk of digits comes from in a rotation by `rotation` of `chunks` chunks, and whether with
/// a minus.
const fn source(chunk: usize, rotation: usize, chunks: usize) -> (usize, bool) {
    let place = (chunk + 4 * chunks - rotation) % (2 * chunks);
    (place % chunks, place >= chunks)
}

/// Rows k and k + 4 of the values: the rows k of two transforms, the second rotated by k·K/4 digits.
///
/// # Safety
/// There are eight rows each, nothing else refers to those of `values`, and K is a multiple of 4.
#[inline(always)]
unsafe fn join_two<S: Simd, D: Digit<S>>(
    arithmetic: &Arithmetic<S>,
    points: Rows<impl Number>,
    values: Rows<impl Number>,
) {
    let simd = arithmetic.simd();
    let len = values.digits.get() / 4;
    for k in 0..4 {
        for chunk in 0..4 {
            let (place, minus) = source(chunk, k, 4);
            // With a minus, sum and difference change places.
            let (sum, difference) = if minus { (k + 4, k) } else { (k, k + 4) };
            for i in 0..len {
                // SAFETY: eight rows, of which k < 4; of 4·len = K digits, chunk, place < 4 and i < len.
                unsafe {
                    let a: D = points.load(simd, k, chunk * len + i);
                    let b: D = points.load(simd, 4 + k, place * len + i);
                    values.store(simd, sum, chunk * len + i, a.add(simd, b));
                    values.store(simd, difference, chunk * len + i, a.sub(simd, b));
                }
            }
        }
    }
}

/// Rows k and k + 16 of the values: the rows k of two transforms of 16 points, the second rotated by
/// k·K/16 digits.
///
/// # Safety
/// There are 32 rows each, nothing else refers to those of `values`, and K is a multiple of 16.
#[inline(always)]
unsafe fn join_halves<S: Simd, D: Digit<S>>(
    arithmetic: &Arithmetic<S>,
    points: Rows<impl Number>,
    values: Rows<impl Number>,
) {
    let simd = arithmetic.simd();
    let digits = values.digits.get();
    for k in 0..16 {
        let rotation = k * digits / 16;
        for digit in 0..digits {
            let minus = digit < rotation;
            let place = if minus {
                digit + digits - rotation
            } else {
                digit - rotation
            };
            // With a minus, sum and difference change places.
            let (sum, difference) = if minus { (k + 16, k) } else { (k, k + 16) };
            // SAFETY: 32 rows, of which k < 16; place < K, as rotation ≤ 15·K/16.
            unsafe {
                let a: D = points.load(simd, k, digit);
                let b: D = points.load(simd, 16 + k, place);
                values.store(simd, sum, digit, a.add(simd, b));
                values.store(simd, difference, digit, a.sub(simd, b));
            }
        }
    }
}

/// Rows k, k + 4, k + 8, k + 12 of the values: transforms of the rows k of four transforms, number g
/// rotated by g·k·K/8 digits.
///
/// # Safety
/// There are sixteen rows each, nothing else refers to those of `values`, and K is a multiple of 8.
#[inline(always)]
unsafe fn join_four<S: Simd, D: Digit<S>>(
    arithmetic: &Arithmetic<S>,
    points: Rows<impl Number>,
    values: Rows<impl Number>,
) {
    macro_rules! chunks {
        ($k:literal: $($chunk:literal)*) => {
            // SAFETY: sixteen rows; the rows and chunks of this list are below 4.
            $(unsafe { join_chunk::<S, D, $k, $chunk>(arithmetic, points, values) };)*
        };
    }
    chunks!(0: 0 1 2 3);
    chunks!(1: 0 1 2 3);
    chunks!(2: 0 1 2 3);
    chunks!(3: 0 1 2 3);
}

/// Of [`join_four`], row `ROW` and the digits of chunks `CHUNK` and `CHUNK` + 4.
///
/// # Safety
/// As [`join_four`]; ROW and CHUNK are below 4.
#[inline(always)]
unsafe fn join_chunk<S: Simd, D: Digit<S>, const ROW: usize, const CHUNK: usize>(
    arithmetic: &Arithmetic<S>,
    points: Rows<impl Number>,
    values: Rows<impl Number>,
) {
    let simd = arithmetic.simd();
    let len = values.digits.get() / 8;
    for i in 0..len {
        // SAFETY: sixteen rows, of which ROW < 4; of 8·len = K digits, CHUNK < 4 and i < len.
        unsafe {
            let lower = rotated_quarter::<S, D>(arithmetic, points, ROW, CHUNK, i);
            let upper = rotated_quarter::<S, D>(arithmetic, points, ROW, CHUNK + 4, i);
            let [y0, y1, y2, y3] = lower.values(simd, &upper, true);
            let digit = CHUNK * len + i;
            values.store(simd, ROW, digit, y0);
            values.store(simd, ROW + 4, digit, y1);
            values.store(simd, ROW + 8, digit, y2);
            values.store(simd, ROW + 12, digit, y3);
            let [y0, y1, y2, y3] = upper.values(simd, &lower, false);
            let digit = (CHUNK + 4) * len + i;
            values.store(simd, ROW, digit, y0);
            values.store(simd, ROW + 4, digit, y1);
            values.store(simd, ROW + 8, digit, y2);
            values.store(simd, ROW + 12, digit, y3);
        }
    }
}

/// Digit `i` of chunk `chunk` of the four rows that [`join_four`] joins, rotated.
///
/// # Safety
/// There are sixteen rows; `row` is below 4, `chunk` below 8, i below K/8.
#[inline(always)]
unsafe fn rotated_quarter<S: Simd, D: Digit<S>>(
    arithmetic: &Arithmetic<S>,
    points: Rows<impl Number>,
    row: usize,
    chunk: usize,
    i: usize,
) -> Quarter<D> {
    let simd = arithmetic.simd();
    let len = points.digits.get() / 8;
    let (b, minus_b) = source(chunk, row, 8);
    let (c, minus_c) = source(chunk, 2 * row, 8);
    let (d, minus_d) = source(chunk, 3 * row, 8);
    // SAFETY: sixteen rows, of which row < 4; of 8·len = K digits, chunk, b, c, d < 8 and i < len.
    let digits = unsafe {
        [
            points.load(simd, row, chunk * len + i),
            points.load(simd, 4 + row, b * len + i),
            points.load(simd, 8 + row, c * len + i),
            points.load(simd, 12 + row, d * len + i),
        ]
    };
    Quarter::new(simd, digits, [minus_b, minus_c, minus_d])
}
