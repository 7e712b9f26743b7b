//! Lines and indices in other orders, on all threads.

use std::mem::MaybeUninit;
use std::ops::Range;

use super::compressed::Compressed;
use super::line_sorter::LineSorter;
use super::permutation::Permutation;

/// Entries below which one thread does all: what is collected of them fits the nearest caches.
pub(super) const GRAIN: usize = 1 << 12;

impl<E: Copy + Send + Sync> Compressed<E> {
    /// The lines in another order, from `grain` entries on in parts. Linear time.
    pub fn permute_lines(&self, order: &Permutation, grain: usize) -> Self {
        self.rearranged(order, grain, &|run: Run<E>| {
            for (from, to) in moves(self.starts(), run.lines, run.starts) {
                run.indices[to.clone()].copy_from_slice(&self.indices()[from.clone()]);
                for (slot, &value) in run.values[to].iter_mut().zip(&self.values()[from]) {
                    slot.write(value);
                }
            }
        })
    }

    /// Lines and indices in other orders: entry (k, l) is what was entry (`lines[k]`, `indices[l]`). Each line
    /// gets its new indices and is sorted by them, in the cache: two counting sorts of all entries would
    /// take linear time too, but a cache miss for each entry.
    pub fn permuted(&self, lines: &Permutation, indices: &Permutation, grain: usize) -> Self {
        let places = indices.inverse();
        let places = places.order();
        self.rearranged(lines, grain, &|run: Run<E>| {
            // Lines come from anywhere in memory. Entries of many are collected before any line is sorted: no
            // comparison waits for memory then, and the processor reads several lines at a time.
            let mut keys = Vec::with_capacity(run.indices.len());
            let mut values = Vec::with_capacity(run.indices.len());
            for (from, to) in moves(self.starts(), run.lines, run.starts) {
                let new = self.indices()[from.clone()].iter();
                let new = new.map(|&index| places[index as usize]);
                keys.extend(
                    new.zip(to)
                        .map(|(index, at)| u64::from(index) << 32 | at as u64),
                );
                values.extend_from_slice(&self.values()[from]);
            }
            let mut sorter = LineSorter::new(self.width());
            for line in ranges(run.starts) {
                sorter.sort(&mut keys[line]);
            }
            let slots = run.indices.iter_mut().zip(run.values);
            for ((index, slot), &key) in slots.zip(&keys) {
                *index = (key >> 32) as u32;
                slot.write(values[key as u32 as usize]);
            }
        })
    }

    /// The lines in another order, as `rearrange` makes runs of them: it must write all indices, ascending
    /// in each line, and all values.
    fn rearranged(
        &self,
        order: &Permutation,
        grain: usize,
        rearrange: &(impl Fn(Run<E>) + Sync),
    ) -> Self {
        let mut starts = Vec::with_capacity(self.starts().len());
        let mut end = 0;
        starts.push(0);
        starts.extend(order.order().iter().map(|&line| {
            end += self.line(line as usize).0.len();
            end
        }));
        let mut indices = vec![0; end];
        let mut values = Vec::with_capacity(end);
        let all = Run {
            lines: order.order(),
            starts: &starts,
            indices: &mut indices,
            values: &mut values.spare_capacity_mut()[..end],
        };
        all.in_parallel(grain, rearrange);
        // SAFETY: the lines lie one after another from 0 to `end`, and `rearrange` writes all of each run.
        unsafe { values.set_len(end) };
        Self::known(self.width(), starts, indices, values)
    }
}

/// Neighbouring lines of the result.
struct Run<'a, E> {
    /// Which they were.
    lines: &'a [u32],
    /// Where they start in the result, and where the last one ends.
    starts: &'a [usize],
    indices: &'a mut [u32],
    values: &'a mut [MaybeUninit<E>],
}

impl<E: Send> Run<'_, E> {
    /// Rearranges short runs, of which this one is put together, on all threads.
    fn in_parallel(self, grain: usize, rearrange: &(impl Fn(Run<E>) + Sync)) {
        if self.indices.len() < grain || self.lines.len() < 2 {
            return rearrange(self);
        }
        let middle = self.starts[0] + self.indices.len() / 2;
        let half = self.starts.partition_point(|&start| start < middle);
        let half = half.clamp(1, self.lines.len() - 1);
        let cut = self.starts[half] - self.starts[0];
        let lines = self.lines.split_at(half);
        let indices = self.indices.split_at_mut(cut);
        let values = self.values.split_at_mut(cut);
        let before = Run {
            lines: lines.0,
            starts: &self.starts[..=half],
            indices: indices.0,
            values: values.0,
        };
        let after = Run {
            lines: lines.1,
            starts: &self.starts[half..],
            indices: indices.1,
            values: values.1,
        };
        sunzi_machine::threads::join(
            || before.in_parallel(grain, rearrange),
            || after.in_parallel(grain, rearrange),
        );
    }
}

/// Where the lines of a run lie in it.
fn ranges(starts: &[usize]) -> impl Iterator<Item = Range<usize>> {
    let first = starts[0];
    starts
        .windows(2)
        .map(move |bounds| bounds[0] - first..bounds[1] - first)
}

/// Where each line's entries were, lines having started at `old_starts`, and where in the run they come. The
/// lengths are the run's, which are at hand when the old starts have yet to come from memory.
fn moves(
    old_starts: &[usize],
    lines: &[u32],
    starts: &[usize],
) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    lines.iter().zip(ranges(starts)).map(|(&line, to)| {
        let from = old_starts[line as usize];
        (from..from + to.len(), to)
    })
}
