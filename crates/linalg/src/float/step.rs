//! One step of elimination or condensation on doubles.

use std::mem;
use sunzi_machine::threads::Threads;

use sunzi_machine::simd::{Simd, SimdTask, dispatch};

use super::scaled::{split, times_power_of_two};

/// Below this many entries a step is too short to be worth a second thread.
const PARALLEL_ENTRIES: usize = 1 << 15;

/// The bits of a double but its sign: they are ordered as absolute values are.
pub const MAGNITUDE: u64 = u64::MAX >> 1;

/// Rows are brought near 1 when their largest entry leaves 2^±256, so that no product of a step leaves the
/// range of doubles.
pub const RANGE: i32 = 256;

/// A row of a matrix: these entries times 2^shift.
pub struct Row {
    pub entries: Vec<f64>,
    pub shift: i64,
}

impl Row {
    /// Brings the largest entry near 1, by a power of two.
    pub fn normalize(&mut self, largest: f64) {
        if largest != 0.0 {
            let exponent = split(largest).1;
            for entry in &mut self.entries {
                *entry = times_power_of_two(*entry, -exponent);
            }
            self.shift += i64::from(exponent);
        }
    }
}

/// Whether a number is 0, or within 2^±256.
pub fn is_near_one(value: f64) -> bool {
    value == 0.0 || split(value).1.abs() <= RANGE
}

/// Removes column `place` from every row, less the multiple of the first row that makes it zero.
pub fn eliminate(top: &[f64], place: usize, rows: &mut [Row]) {
    let pivot = top[place];
    let band = |rows: &mut [Row]| {
        let mut spare = vec![0.0; top.len() - 1];
        for row in rows {
            spare.truncate(top.len() - 1);
            let factor = row.entries[place] / pivot;
            let mut largest = 0;
            let (left, right) = spare.split_at_mut(place);
            for (new, range) in [(left, 0..place), (right, place + 1..top.len())] {
                let (row, top) = (&row.entries[range.clone()], &top[range]);
                largest = largest.max(dispatch(Update {
                    new,
                    row,
                    top,
                    factor,
                }));
            }
            mem::swap(&mut row.entries, &mut spare);
            let largest = f64::from_bits(largest);
            if !is_near_one(largest) {
                row.normalize(largest);
            }
        }
    };
    let threads = Threads::when(rows.len() * top.len() >= PARALLEL_ENTRIES);
    let bands = threads.piece(rows.len(), 1);
    threads.each(rows.chunks_mut(bands), band);
}

/// `new = row − factor·top`, the product and the difference rounded; gives the bits of the largest absolute
/// value.
pub struct Update<'a> {
    pub new: &'a mut [f64],
    pub row: &'a [f64],
    pub top: &'a [f64],
    pub factor: f64,
}

impl<S: Simd> SimdTask<S> for Update<'_> {
    type Output = u64;

    /// A plain loop, which is compiled into vectors of each instruction set.
    #[inline(always)]
    fn run(self, _: S) -> u64 {
        let mut largest = 0_i64;
        for ((new, &row), &top) in self.new.iter_mut().zip(self.row).zip(self.top) {
            *new = row - self.factor * top;
            largest = largest.max((new.to_bits() & MAGNITUDE) as i64);
        }
        largest as u64
    }
}
