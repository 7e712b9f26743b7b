//! Operands copied to memory that the device reads directly.
//!
//! One thread copies about 10 GB a second, and an interface to a GPU takes several times as many: all threads copy, in
//! pieces of so many words, so that a single long operand is copied by all of them, too.

use sunzi_machine::threads::Threads;

/// What one thread copies.
enum Task<'a, I> {
    /// So many of these operands, which lie one after the other.
    Rows(&'a mut [u32], I, usize),
    /// A piece of a long one.
    Piece(&'a mut [u32], &'a [u32]),
}

/// Copies operands one after the other to the beginning of `to`, each to `stride` words that end in zeros, or to as many
/// as it has; returns the words that were written. There must be room for them. A thread copies `piece` words at a time,
/// which are 1 at least.
pub(super) fn pack<'a, I>(to: &mut [u32], operands: I, stride: Option<usize>, piece: usize) -> usize
where
    I: Iterator<Item = &'a [u32]> + Clone + Send,
{
    let width = |operand: &[u32]| stride.unwrap_or(operand.len());
    let whole = to.len();
    let (mut rest, mut tasks) = (to, Vec::new());
    let mut operands = operands.peekable();
    while let Some(first) = operands.peek() {
        if first.len() >= piece {
            let (row, after) = rest.split_at_mut(width(first));
            let (words, padding) = row.split_at_mut(first.len());
            padding.fill(0);
            let pieces = words.chunks_mut(piece).zip(first.chunks(piece));
            tasks.extend(pieces.map(|(to, from)| Task::Piece(to, from)));
            (rest, _) = (after, operands.next());
            continue;
        }
        // Short operands are not worth a task each.
        let (run, mut count, mut words) = (operands.clone(), 0, 0);
        while words < piece
            && let Some(operand) = operands.next_if(|operand| operand.len() < piece)
        {
            count += 1;
            words += width(operand);
        }
        let rows;
        (rows, rest) = rest.split_at_mut(words);
        tasks.push(Task::Rows(rows, run, count));
    }
    let written = whole - rest.len();
    Threads::when(written >= piece.saturating_mul(2)).each(tasks, |task| match task {
        Task::Rows(mut to, operands, count) => {
            for operand in operands.take(count) {
                let (row, after) = to.split_at_mut(width(operand));
                let (words, padding) = row.split_at_mut(operand.len());
                words.copy_from_slice(operand);
                padding.fill(0);
                to = after;
            }
        }
        Task::Piece(to, from) => to.copy_from_slice(from),
    });
    written
}

#[cfg(test)]
mod tests {
    use super::pack;
    use sunzi_testkit::on_threads;

    /// Words of a piece.
    const PIECE: usize = 1 << 9;

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
        let written = on_threads(threads, || pack(&mut found, rows, stride, PIECE));
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
            packed(&vec![100; 70], Some(101), threads);
        }
    }
}
