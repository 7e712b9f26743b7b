//! How many digits an element has, for kernels: a constant of the compiled code, or a value.
//!
//! Of few digits, loops over them are so short that a value costs some percent; from [`MANY_DIGITS`] on, and in plain
//! words, it costs nothing, and one function serves all.

use std::mem::MaybeUninit;
use sunzi_machine::simd::{InstructionSet, Simd, SimdTask};

/// From this K on, it is a value.
const MANY_DIGITS: usize = 16;

/// The most digits that a field has.
const MOST_DIGITS: usize = 256;

/// K: a constant of the compiled code, or a value.
pub trait Number: Copy {
    /// Room for K values.
    type Row<T: Copy>: Row<T>;
    /// Room for 2K + 1 values, one after the other: an array, or what is laid out like one.
    type Operands<T: Copy>;

    /// K.
    fn get(self) -> usize;
    /// K times the same.
    fn row<T: Copy>(self, value: T) -> Self::Row<T>;
}

/// Room for K values.
pub trait Row<T> {
    /// The values.
    fn values(&self) -> &[T];
    /// The values, to be changed.
    fn values_mut(&mut self) -> &mut [T];
}

/// K as a constant.
#[derive(Clone, Copy, Debug)]
pub struct Known<const K: usize>;

impl<const K: usize> Number for Known<K> {
    type Row<T: Copy> = [T; K];
    type Operands<T: Copy> = TwiceAndOne<T, K>;

    #[inline(always)]
    fn get(self) -> usize {
        K
    }

    #[inline(always)]
    fn row<T: Copy>(self, value: T) -> [T; K] {
        [value; K]
    }
}

/// 2K + 1 values.
#[repr(C)]
pub struct TwiceAndOne<T, const K: usize>([[T; K]; 2], T);

impl<T, const K: usize> Row<T> for [T; K] {
    #[inline(always)]
    fn values(&self) -> &[T] {
        self
    }

    #[inline(always)]
    fn values_mut(&mut self) -> &mut [T] {
        self
    }
}

impl Number for usize {
    type Row<T: Copy> = LongRow<T>;
    type Operands<T: Copy> = [T; 2 * MOST_DIGITS + 1];

    #[inline(always)]
    fn get(self) -> usize {
        self
    }

    #[inline(always)]
    fn row<T: Copy>(self, value: T) -> LongRow<T> {
        let mut room = [const { MaybeUninit::uninit() }; MOST_DIGITS];
        for place in &mut room[..self] {
            place.write(value);
        }
        LongRow { room, len: self }
    }
}

/// Room for any number of digits, of which the first `len` are there.
pub struct LongRow<T> {
    room: [MaybeUninit<T>; MOST_DIGITS],
    len: usize,
}

impl<T> Row<T> for LongRow<T> {
    #[inline(always)]
    fn values(&self) -> &[T] {
        // SAFETY: the first `len` of them were written when the row was made.
        unsafe { std::slice::from_raw_parts(self.room.as_ptr().cast(), self.len) }
    }

    #[inline(always)]
    fn values_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `values`.
        unsafe { std::slice::from_raw_parts_mut(self.room.as_mut_ptr().cast(), self.len) }
    }
}

/// Work on elements of K digits.
pub trait DigitTask {
    /// Does it with an instruction set.
    fn run<S: Simd, N: Number>(self, simd: S, digits: N);
}

/// Does a task on elements of `digits` digits, with an instruction set or in plain words if the processor lacks it.
///
/// # Panics
/// If no field has so many digits.
#[inline]
pub fn run(set: InstructionSet, digits: usize, task: impl DigitTask) {
    match digits {
        2 => set.run_or_portable(OfNumber(task, Known::<2>)),
        _ => run_from_four(set, digits, task),
    }
}

/// As [`run`], for four digits or more.
///
/// # Panics
/// If no field has so many digits.
#[inline]
pub fn run_from_four(set: InstructionSet, digits: usize, task: impl DigitTask) {
    match digits {
        4 => set.run_or_portable(OfNumber(task, Known::<4>)),
        8 => set.run_or_portable(OfNumber(task, Known::<8>)),
        MANY_DIGITS..=MOST_DIGITS if digits.is_power_of_two() => {
            set.run_or_portable(OfNumber(task, digits));
        }
        _ => unreachable!("no field has elements of {digits} digits"),
    }
}

/// A task for elements of as many digits.
struct OfNumber<T, N>(T, N);

impl<S: Simd, T: DigitTask, N: Number> SimdTask<S> for OfNumber<T, N> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        if const { S::IN_WORDS } {
            simd.outline(OfAny(self.0, self.1.get()));
        } else {
            self.0.run(simd, self.1);
        }
    }
}

/// A task for elements of any number of digits.
struct OfAny<T>(T, usize);

impl<S: Simd, T: DigitTask> SimdTask<S> for OfAny<T> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        self.0.run(simd, self.1);
    }
}
