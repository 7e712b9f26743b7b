//! Rows of wide integers, and sums of neighbours over and over: what conversions to Bernstein's basis and de Casteljau's
//! subdivision consist of.
//!
//! A row is an integer in two's complement as digits of 32 bits, least significant first, each in a lane of 64 bits; the last
//! digit has the sign. So a sum of neighbours in all rows is one sum of vectors, without carries: these wait until the lanes
//! are nearly full, for [`LEVELS`] sums. Rows are *normal* when all digits but the last lie in 0 … 2^32 − 1.

use std::cmp::Ordering;
use sunzi_integer::{Integer, Natural};
use sunzi_machine::simd::{Simd, SimdTask, dispatch};
use sunzi_machine::threads::look;

/// Bits of a digit.
pub const DIGIT: usize = 32;
/// Sums after which carries are propagated: digits below 2^32 stay below 2^62.
pub const LEVELS: usize = 30;

const MASK: u64 = (1 << DIGIT) - 1;

/// Integers of the same number of digits.
#[derive(Clone, Debug)]
pub struct Rows {
    digits: usize,
    words: Vec<u64>,
}

impl Rows {
    /// As many zeros.
    pub fn zeros(len: usize, digits: usize) -> Self {
        Self {
            digits,
            words: vec![0; len * digits],
        }
    }

    /// Integers that fit into the digits.
    pub fn from_integers<'a>(values: impl Iterator<Item = &'a Integer>, digits: usize) -> Self {
        let mut words = Vec::new();
        for value in values {
            let limbs = value.magnitude().as_limbs();
            let from = words.len();
            words.resize(from + digits, 0);
            let row = &mut words[from..];
            for (pair, limb) in row.chunks_mut(2).zip(limbs) {
                for (half, digit) in pair.iter_mut().enumerate() {
                    *digit = limb >> (DIGIT * half) & MASK;
                }
            }
            if value.is_negative() {
                row.iter_mut()
                    .for_each(|digit| *digit = digit.wrapping_neg());
                normalize(row);
            }
        }
        Self { digits, words }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len() / self.digits
    }

    pub fn digits(&self) -> usize {
        self.digits
    }

    pub fn row(&self, at: usize) -> &[u64] {
        &self.words[at * self.digits..][..self.digits]
    }

    pub fn row_mut(&mut self, at: usize) -> &mut [u64] {
        &mut self.words[at * self.digits..][..self.digits]
    }

    pub fn integer(&self, at: usize) -> Integer {
        let mut row = self.row(at).to_vec();
        normalize(&mut row);
        let is_negative = row[row.len() - 1] >> 63 == 1;
        if is_negative {
            row.iter_mut()
                .for_each(|digit| *digit = digit.wrapping_neg());
            normalize(&mut row);
        }
        let pairs = row.chunks(2);
        // A last digit of more than 32 bits lies in a word of its own.
        let mut limbs: Vec<u64> = pairs
            .map(|pair| {
                pair.iter()
                    .rev()
                    .fold(0, |word, digit| word << DIGIT | digit & MASK)
            })
            .collect();
        let high = row[row.len() - 1] >> DIGIT;
        match row.len() % 2 {
            0 => limbs.push(high),
            _ => limbs[row.len() / 2] |= high << DIGIT,
        }
        Integer::from_sign_magnitude(is_negative, Natural::from_limbs(limbs))
    }

    /// Adds to each row from `first` on all rows behind it; digits are not normalized.
    pub fn sum_suffixes(&mut self, first: usize) {
        let digits = self.digits;
        for at in (first..self.len().saturating_sub(1)).rev() {
            let (low, high) = self.words[at * digits..].split_at_mut(digits);
            for (sum, digit) in low.iter_mut().zip(&high[..digits]) {
                *sum = sum.wrapping_add(*digit);
            }
        }
    }

    /// Drops high digits that tell the sign only, if all rows have such; two stay.
    pub fn shorten(&mut self) {
        let needed = |row: &[u64]| {
            let sign = u64::MAX * (row[row.len() - 1] >> 63);
            let mut digits = row.len();
            // A digit above is spare if it repeats the sign bit of the one below.
            while digits > 2 {
                let (high, low) = (row[digits - 1], row[digits - 2]);
                let repeats = if digits == row.len() {
                    sign
                } else {
                    sign & MASK
                };
                if high != repeats || (low >> (DIGIT - 1) & 1) != sign & 1 {
                    break;
                }
                digits -= 1;
            }
            digits
        };
        let rows = self.words.chunks_exact(self.digits);
        let digits = rows.map(needed).max().unwrap_or(2);
        if digits == self.digits {
            return;
        }
        for at in 0..self.len() {
            let (from, to) = (at * self.digits, at * digits);
            self.words.copy_within(from..from + digits, to);
            let top = &mut self.words[to + digits - 1];
            *top = (*top as u32).cast_signed() as i64 as u64;
        }
        self.words.truncate(self.len() * digits);
        self.digits = digits;
    }
}

/// Propagates carries.
pub fn normalize(row: &mut [u64]) {
    let Some((top, low)) = row.split_last_mut() else {
        return;
    };
    let mut carry = 0i64;
    for digit in low {
        let sum = digit.cast_signed() + carry;
        *digit = sum as u64 & MASK;
        carry = sum >> DIGIT;
    }
    *top = top.cast_signed().wrapping_add(carry) as u64;
}

/// Writes ⌊value/2^shift⌋ of a row, normal or not, to a normal row of digits that hold it. Of the row, carries are left
/// propagated.
pub fn shift_right(row: &mut [u64], shift: usize, out: &mut [u64]) {
    normalize(row);
    let top = row[row.len() - 1].cast_signed();
    let row = &row[..];
    let digit = |at: usize| match at.cmp(&row.len()) {
        Ordering::Less => row[at] & MASK,
        Ordering::Equal => (top >> DIGIT) as u64 & MASK,
        Ordering::Greater => (top >> 63) as u64 & MASK,
    };
    let (skipped, bits) = (shift / DIGIT, shift % DIGIT);
    let mut low = digit(skipped);
    for (at, place) in out.iter_mut().enumerate() {
        let high = digit(skipped + at + 1);
        *place = (high << DIGIT | low) >> bits & MASK;
        low = high;
    }
    if let Some(last) = out.last_mut() {
        *last = (*last as u32).cast_signed() as i64 as u64;
    }
}

/// The sign of a normal row, or `Equal` where its magnitude is at most `error` < 2^62.
pub fn sign_beyond(row: &[u64], error: u64) -> Ordering {
    let (low, high) = row.split_at(row.len().min(2));
    let low = low.iter().rev().fold(0i128, |value, &digit| {
        (value << DIGIT) + i128::from(digit.cast_signed())
    });
    // All digits above are those of the sign of a value of two digits, or decide.
    let value = match high.split_last() {
        None => low,
        Some((&top, between)) => {
            let fill = top >> 63 & 1;
            if (top != 0 && top != u64::MAX) || between.iter().any(|&digit| digit != fill * MASK) {
                return match fill {
                    0 => Ordering::Greater,
                    _ => Ordering::Less,
                };
            }
            low - (i128::from(fill) << (2 * DIGIT))
        }
    };
    match value.unsigned_abs() <= u128::from(error) {
        true => Ordering::Equal,
        false => value.cmp(&0),
    }
}

/// The ends of all levels of a triangle of sums, each level the sums of neighbours in the one before.
pub struct Ends {
    /// Row i: the first of level i.
    pub first: Rows,
    /// Row i: the last of level len − 1 − i, which is the one at place i.
    pub last: Rows,
}

/// What is done about the growth of sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// Level i is divided by 2^i, rounded down: the values are means. Errors stay below one for each [`LEVELS`] levels, and
    /// one for the end itself.
    Halved,
    /// The digits hold it; nothing is rounded.
    Kept,
}

/// All levels of sums of neighbours: row k of the next level is the sum of rows k and k + 1.
pub fn triangle(rows: &Rows, growth: Growth) -> Ends {
    let (len, digits) = (rows.len(), rows.digits);
    let mut level = rows.words.clone();
    let mut ends = Ends {
        first: Rows::zeros(len, digits),
        last: Rows::zeros(len, digits),
    };
    let mut raw_first = vec![0; (LEVELS + 1) * digits];
    let mut raw_last = vec![0; (LEVELS + 1) * digits];
    let mut done = 0;
    loop {
        look();
        let count = LEVELS.min(len - 1 - done);
        dispatch(Levels {
            words: &mut level,
            digits,
            count,
            first: &mut raw_first,
            last: &mut raw_last,
        });
        for at in 0..=count {
            let shift = match growth {
                Growth::Halved => at,
                Growth::Kept => 0,
            };
            let raw = &mut raw_first[at * digits..][..digits];
            shift_right(raw, shift, ends.first.row_mut(done + at));
            let raw = &mut raw_last[at * digits..][..digits];
            shift_right(raw, shift, ends.last.row_mut(len - 1 - done - at));
        }
        done += count;
        if done + 1 == len {
            return ends;
        }
        level.truncate((len - done) * digits);
        for row in level.chunks_exact_mut(digits) {
            match growth {
                Growth::Halved => halve(row, count),
                Growth::Kept => normalize(row),
            }
        }
    }
}

/// Replaces a row by ⌊value/2^bits⌋, bits < 32, normal.
fn halve(row: &mut [u64], bits: usize) {
    normalize(row);
    for at in 0..row.len() - 1 {
        row[at] = (row[at + 1] << DIGIT | row[at]) >> bits & MASK;
    }
    let top = &mut row[row.len() - 1];
    *top = (top.cast_signed() >> bits) as u64;
}

/// Some levels of sums in place, none of which is normalized, and the ends of each, the given level's first.
struct Levels<'a> {
    words: &'a mut [u64],
    digits: usize,
    count: usize,
    first: &'a mut [u64],
    last: &'a mut [u64],
}

impl Levels<'_> {
    #[inline(always)]
    fn save(&mut self, at: usize, len: usize) {
        let (to, digits) = (at * self.digits, self.digits);
        self.first[to..to + digits].copy_from_slice(&self.words[..digits]);
        self.last[to..to + digits].copy_from_slice(&self.words[len - digits..len]);
    }
}

impl<S: Simd> SimdTask<S> for Levels<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self, simd: S) {
        let digits = self.digits;
        let mut len = self.words.len();
        self.save(0, len);
        let mut level = 0;
        // Two levels in one pass, the ends of the first of them apart.
        while level + 2 <= self.count {
            for at in 0..digits {
                let to = (level + 1) * digits + at;
                let words = &self.words;
                self.first[to] = words[at].wrapping_add(words[at + digits]);
                self.last[to] = words[len - digits + at].wrapping_add(words[len - 2 * digits + at]);
            }
            len -= 2 * digits;
            add_twice(simd, &mut self.words[..len + 2 * digits], digits);
            level += 2;
            self.save(level, len);
        }
        if level < self.count {
            len -= digits;
            add_once(simd, &mut self.words[..len + digits], digits);
            self.save(level + 1, len);
        }
    }
}

/// w[k] ← w[k] + w[k + d].
#[inline(always)]
fn add_once<S: Simd>(simd: S, words: &mut [u64], distance: usize) {
    let len = words.len() - distance;
    let mut at = 0;
    while at + S::LANES <= len {
        let sum = simd.add64(simd.load(&words[at..]), simd.load(&words[at + distance..]));
        simd.store(&mut words[at..], sum);
        at += S::LANES;
    }
    for at in at..len {
        words[at] = words[at].wrapping_add(words[at + distance]);
    }
}

/// w[k] ← w[k] + 2·w[k + d] + w[k + 2d].
#[inline(always)]
fn add_twice<S: Simd>(simd: S, words: &mut [u64], distance: usize) {
    let len = words.len() - 2 * distance;
    let mut at = 0;
    while at + S::LANES <= len {
        let middle = simd.load(&words[at + distance..]);
        let outer = simd.add64(
            simd.load(&words[at..]),
            simd.load(&words[at + 2 * distance..]),
        );
        simd.store(
            &mut words[at..],
            simd.add64(outer, simd.add64(middle, middle)),
        );
        at += S::LANES;
    }
    for at in at..len {
        let middle = words[at + distance];
        let outer = words[at].wrapping_add(words[at + 2 * distance]);
        words[at] = outer.wrapping_add(middle).wrapping_add(middle);
    }
}
