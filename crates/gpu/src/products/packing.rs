//! Operands copied to memory that the device reads directly.
//!
//! One thread copies about 10 GB a second, and an interface to a GPU takes several times as many: all threads copy, in
//! pieces, so that a single long operand is copied by all of them, too.

use sunzi_threads::Threads;

/// Words that are worth a piece of their own.
const PIECE: usize = 1 << 18;

/// Copies operands one after the other to the beginning of `to`, each to `stride` words that end in zeros, or to as many
/// as it has; returns the words that were written. There must be room for them.
pub(super) fn pack<'a>(
    to: &mut [u32],
    operands: impl IntoIterator<Item = &'a [u32]>,
    stride: Option<usize>,
) -> usize {
    let whole = to.len();
    let (mut rest, mut copies) = (to, Vec::new());
    for operand in operands {
        let row;
        (row, rest) = rest.split_at_mut(stride.unwrap_or(operand.len()));
        let (words, padding) = row.split_at_mut(operand.len());
        padding.fill(0);
        copies.extend(words.chunks_mut(PIECE).zip(operand.chunks(PIECE)));
    }
    let written = whole - rest.len();
    Threads::when(written >= 2 * PIECE).each(runs(copies), |run| {
        for (to, from) in run {
            to.copy_from_slice(from);
        }
    });
    written
}

/// The same copies, in runs of [`PIECE`] words or more: short operands are not worth a task each.
fn runs<'a>(copies: Vec<(&'a mut [u32], &'a [u32])>) -> Vec<Vec<(&'a mut [u32], &'a [u32])>> {
    let mut runs = Vec::new();
    let (mut run, mut words) = (Vec::new(), 0);
    for copy in copies {
        words += copy.1.len();
        run.push(copy);
        if words >= PIECE {
            runs.push(std::mem::take(&mut run));
            words = 0;
        }
    }
    runs.push(run);
    runs
}

#[cfg(test)]
mod tests {
    use super::{PIECE, pack};
    use sunzi_testkit::on_threads;

    fn packed(lengths: &[usize], stride: Option<usize>, threads: usize) {
        let mut next = 0;
        let operands: Vec<Vec<u32>> = lengths
            .iter()
            .map(|&length| {
                let words = (next..next + length as u32).collect();
                next += length as u32;
                words
            })
            .collect();
        let mut expected = Vec::new();
        for operand in &operands {
            expected.extend(operand);
            let padding = stride.map_or(0, |stride| stride - operand.len());
            expected.resize(expected.len() + padding, 0);
        }
        let mut found = vec![u32::MAX; expected.len() + 3];
        let rows = operands.iter().map(Vec::as_slice);
        let written = on_threads(threads, || pack(&mut found, rows, stride));
        assert_eq!(written, expected.len(), "{lengths:?}");
        expected.extend([u32::MAX; 3]);
        assert!(found == expected, "{lengths:?} by {threads} threads");
    }

    #[test]
    fn operands_of_all_lengths_lie_one_after_the_other() {
        let around = [PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + 3];
        for threads in [1, 2, 3, 7] {
            packed(&[], None, threads);
            packed(&[0, 5, 0, 1], None, threads);
            packed(&[0, 5, 4], Some(5), threads);
            packed(&around, None, threads);
            packed(&around, Some(2 * PIECE + 3), threads);
            packed(&vec![1000; 700], Some(1001), threads);
        }
    }
}
