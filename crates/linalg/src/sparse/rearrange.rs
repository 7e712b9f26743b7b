//! Lines and indices in other orders, on all threads.

use std::mem::MaybeUninit;

use super::compressed::Compressed;
use super::line_sorter::LineSorter;
use super::permutation::Permutation;

/// Entries below which one thread does all.
const GRAIN: usize = 1 << 14;

impl<E: Copy + Send + Sync> Compressed<E> {
    /// The lines in another order. Linear time.
    pub(super) fn permute_lines(&self, order: &Permutation) -> Self {
        let line = |line: u32, indices: &mut [u32], values: &mut [MaybeUninit<E>]| {
            let (from_indices, from_values) = self.line(line as usize);
            indices.copy_from_slice(from_indices);
            for (slot, &value) in values.iter_mut().zip(from_values) {
                slot.write(value);
            }
        };
        self.rearranged(order, || line)
    }

    /// Lines and indices in other orders: entry (k, l) is what was entry (`lines[k]`, `indices[l]`). Each line
    /// gets its new indices and is sorted by them, in the cache: two counting sorts of all entries would
    /// take linear time too, but a cache miss for each entry.
    pub(super) fn permuted(&self, lines: &Permutation, indices: &Permutation) -> Self {
        let places = indices.inverse();
        let places = places.order();
        self.rearranged(lines, || {
            let mut sorter = LineSorter::new(self.width());
            move |line: u32, indices: &mut [u32], values: &mut [MaybeUninit<E>]| {
                let (from_indices, from_values) = self.line(line as usize);
                let new = from_indices.iter().map(|&index| places[index as usize]);
                let slots = indices.iter_mut().zip(values);
                for ((index, value), &key) in slots.zip(sorter.sorted(new)) {
                    *index = (key >> 32) as u32;
                    value.write(from_values[key as u32 as usize]);
                }
            }
        })
    }

    /// The lines in another order, each as a `line` of those that `workers` gives makes it of the old one. A
    /// worker must write all indices, ascending, and all values.
    fn rearranged<L>(&self, order: &Permutation, workers: impl Fn() -> L + Sync) -> Self
    where
        L: FnMut(u32, &mut [u32], &mut [MaybeUninit<E>]),
    {
        let mut starts = Vec::with_capacity(self.starts().len());
        let mut end = 0;
        starts.push(0);
        starts.extend(order.order().iter().map(|&line| {
            end += self.line(line as usize).0.len();
            end
        }));
        let mut indices = vec![0; end];
        let mut values = Vec::with_capacity(end);
        let slots = &mut values.spare_capacity_mut()[..end];
        fill(&starts, order.order(), &mut indices, slots, &workers);
        // SAFETY: the lines lie one after another from 0 to `end`, and workers write all of a line.
        unsafe { values.set_len(end) };
        Self::known(self.width(), starts, indices, values)
    }
}

/// Fills the lines that start at `starts`, the first of them with the first of `indices`: halves in parallel.
fn fill<E: Send, L>(
    starts: &[usize],
    order: &[u32],
    indices: &mut [u32],
    values: &mut [MaybeUninit<E>],
    workers: &(impl Fn() -> L + Sync),
) where
    L: FnMut(u32, &mut [u32], &mut [MaybeUninit<E>]),
{
    if indices.len() < GRAIN || order.len() < 2 {
        let mut worker = workers();
        for (bounds, &line) in starts.windows(2).zip(order) {
            let range = bounds[0] - starts[0]..bounds[1] - starts[0];
            worker(line, &mut indices[range.clone()], &mut values[range]);
        }
        return;
    }
    let middle = starts[0] + indices.len() / 2;
    let half = starts.partition_point(|&start| start < middle);
    let half = half.clamp(1, order.len() - 1);
    let cut = starts[half] - starts[0];
    let (indices_before, indices_after) = indices.split_at_mut(cut);
    let (values_before, values_after) = values.split_at_mut(cut);
    let (order_before, order_after) = order.split_at(half);
    rayon::join(
        || {
            fill(
                &starts[..=half],
                order_before,
                indices_before,
                values_before,
                workers,
            )
        },
        || {
            fill(
                &starts[half..],
                order_after,
                indices_after,
                values_after,
                workers,
            )
        },
    );
}
