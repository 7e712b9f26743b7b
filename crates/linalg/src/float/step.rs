//! One step of elimination or condensation on doubles.

use std::mem;

use rayon::prelude::*;
use sunzi_field::simd::{Simd, SimdTask, dispatch};

/// Below this many entries a step is too short to be worth a second thread.
const PARALLEL_ENTRIES: usize = 1 << 15;

/// The bits of a double but its sign: they are ordered as absolute values are.
const MAGNITUDE: u64 = u64::MAX >> 1;

/// Removes column `place` from every row, less the multiple of the first row that makes it zero. Returns the
/// largest absolute value of the new entries.
pub(super) fn eliminate(top: &[f64], place: usize, rows: &mut [Vec<f64>]) -> f64 {
    let pivot = top[place];
    let band = |rows: &mut [Vec<f64>]| {
        let mut spare = vec![0.0; top.len() - 1];
        let mut largest = 0;
        for row in rows {
            spare.truncate(top.len() - 1);
            let factor = row[place] / pivot;
            let (left, right) = spare.split_at_mut(place);
            for (new, range) in [(left, 0..place), (right, place + 1..top.len())] {
                let (row, top) = (&row[range.clone()], &top[range]);
                largest = largest.max(dispatch(Update {
                    new,
                    row,
                    top,
                    factor,
                }));
            }
            mem::swap(row, &mut spare);
        }
        largest
    };
    let threads = rayon::current_num_threads();
    let largest = if threads == 1 || rows.len() * top.len() < PARALLEL_ENTRIES {
        band(rows)
    } else {
        let bands = rows.par_chunks_mut(rows.len().div_ceil(4 * threads));
        bands.map(band).max().unwrap_or(0)
    };
    f64::from_bits(largest)
}

/// `new = row − factor·top`, the product and the difference rounded; gives the bits of the largest absolute
/// value.
struct Update<'a> {
    new: &'a mut [f64],
    row: &'a [f64],
    top: &'a [f64],
    factor: f64,
}

impl SimdTask for Update<'_> {
    type Output = u64;

    /// A plain loop, which is compiled into vectors of each instruction set.
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> u64 {
        let mut largest = 0_i64;
        for ((new, &row), &top) in self.new.iter_mut().zip(self.row).zip(self.top) {
            *new = row - self.factor * top;
            largest = largest.max((new.to_bits() & MAGNITUDE) as i64);
        }
        largest as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sunzi_field::simd::InstructionSet;
    use sunzi_testkit::Random;

    #[test]
    fn every_instruction_set_computes_the_same() {
        let mut random = Random::new(5);
        for length in 0..70 {
            let mut values = || -> Vec<f64> {
                (0..length)
                    .map(|_| random.word() as i64 as f64 / 2f64.powi(62))
                    .collect()
            };
            let (row, top) = (values(), values());
            let factor = 0.734_512_893_4;
            let expected: Vec<u64> = (0..length)
                .map(|i| (row[i] - factor * top[i]).to_bits())
                .collect();
            let largest = expected
                .iter()
                .map(|bits| bits & MAGNITUDE)
                .max()
                .unwrap_or(0);
            for set in InstructionSet::ALL {
                let mut new = vec![0.0; length];
                let update = Update {
                    new: &mut new,
                    row: &row,
                    top: &top,
                    factor,
                };
                let Some(found) = set.run(update) else {
                    sunzi_testkit::skip(&format!("this machine lacks {set:?}"));
                    continue;
                };
                let bits: Vec<u64> = new.iter().map(|x| x.to_bits()).collect();
                assert_eq!((found, bits), (largest, expected.clone()), "{set:?}");
            }
        }
    }
}
