//! How many digits an element has, for kernels: a constant of the compiled code, or a value.
//!
//! Of few digits, loops over them are so short that a value costs some percent; from 16 on, and in plain words, it costs
//! nothing, and one function serves all.

use crate::generalized_fermat::DIGITS;
use std::mem::MaybeUninit;
use sunzi_machine::simd::{InstructionSet, Simd, SimdTask};

/// From this K on, it is a value.
const MANY_DIGITS: usize = 16;

/// The most digits that a field has.
const MOST_DIGITS: usize = DIGITS[DIGITS.len() - 1];

/// K: a constant of the compiled code, or a value.
///
/// # Safety
/// `get` is always the same, and there is room for `get()` values of T in `Row<T>`, and for `2·get() + 1` in `Operands<T>`,
/// both aligned as T is.
pub unsafe trait Number: Copy {
    /// Room for K values.
    type Row<T: Copy>;
    /// Room for 2K + 1 values.
    type Operands<T: Copy>;

    /// K.
    fn get(self) -> usize;

    /// K times the same value, in a room for them: a long one is nowhere moved.
    #[inline(always)]
    fn fill<T: Copy>(self, room: &mut MaybeUninit<Self::Row<T>>, value: T) -> &mut [T] {
        let start = room.as_mut_ptr().cast::<T>();
        for place in 0..self.get() {
            // SAFETY: one of the K places that this trait promises.
            unsafe { start.add(place).write(value) };
        }
        // SAFETY: K values, all written.
        unsafe { std::slice::from_raw_parts_mut(start, self.get()) }
    }
}

/// K as a constant.
#[derive(Clone, Copy, Debug)]
struct Known<const K: usize>;

// SAFETY: K is a constant, and `TwiceAndOne` is 2K + 1 values in the order of C.
unsafe impl<const K: usize> Number for Known<K> {
    type Row<T: Copy> = [T; K];
    type Operands<T: Copy> = TwiceAndOne<T, K>;

    #[inline(always)]
    fn get(self) -> usize {
        K
    }
}

/// 2K + 1 values.
#[repr(C)]
struct TwiceAndOne<T, const K: usize>([[T; K]; 2], T);

/// K as a value, at most [`MOST_DIGITS`].
#[derive(Clone, Copy, Debug)]
struct Value(usize);

// SAFETY: a number is what it is, and only `run_from_four` makes one, where there is room for it.
unsafe impl Number for Value {
    type Row<T: Copy> = [T; MOST_DIGITS];
    type Operands<T: Copy> = [T; 2 * MOST_DIGITS + 1];

    #[inline(always)]
    fn get(self) -> usize {
        self.0
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
        2 => set.run_or_portable(WithDigits(task, Known::<2>)),
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
        4 => set.run_or_portable(WithDigits(task, Known::<4>)),
        8 => set.run_or_portable(WithDigits(task, Known::<8>)),
        MANY_DIGITS..=MOST_DIGITS if digits.is_power_of_two() => {
            set.run_or_portable(WithDigits(task, Value(digits)));
        }
        _ => unreachable!("no field has elements of {digits} digits"),
    }
}

/// A task with its K; in plain words it goes on with K as a value.
struct WithDigits<T, N>(T, N);

impl<S: Simd, T: DigitTask, N: Number> SimdTask<S> for WithDigits<T, N> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        if const { S::IN_WORDS } {
            simd.outline(WithAnyDigits(self.0, Value(self.1.get())));
        } else {
            self.0.run(simd, self.1);
        }
    }
}

/// A task with K as a value.
struct WithAnyDigits<T>(T, Value);

impl<S: Simd, T: DigitTask> SimdTask<S> for WithAnyDigits<T> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        self.0.run(simd, self.1);
    }
}
