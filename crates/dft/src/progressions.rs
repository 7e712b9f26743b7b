//! Tables of arithmetic and geometric progressions, and of powers whose exponents are triangular numbers, as long
//! as the operands that they are made for: filled by vector operations, on all threads.

use sunzi_field::Field;
use sunzi_machine::threads::Threads;

/// Elements of a chunk of a table.
pub const CHUNK: usize = 1 << 10;

/// Bytes of elements that make it worth waking other threads: that takes as long as a few transforms of 64
/// points over a big prime field.
pub const BYTES_FOR_THREADS: usize = 1 << 17;

/// Calls `work` with each chunk and where it starts, on all threads if there are several and enough to do.
pub fn in_chunks<E: Send>(x: &mut [E], work: &(dyn Fn(usize, &mut [E]) + Sync)) {
    in_chunks_of(CHUNK, x, work);
}

/// The same with chunks of `len` elements.
pub fn in_chunks_of<E: Send>(len: usize, x: &mut [E], work: &(dyn Fn(usize, &mut [E]) + Sync)) {
    let threads = Threads::when(size_of_val(x) >= BYTES_FOR_THREADS);
    threads.each(x.chunks_mut(len).enumerate(), |(index, chunk)| {
        work(index * len, chunk);
    });
}

/// Entries that are made one after the other; from there on their number doubles.
const FIRST: usize = 8;

/// `start + i` for i < len.
pub fn consecutive<F: Field>(field: &F, start: u64, len: usize) -> Vec<F::Elem> {
    let mut table = vec![field.zero(); len];
    in_chunks(&mut table, &|skipped, table| {
        let mut next = field.add(field.from_u64(start), field.from_u64(skipped as u64));
        for entry in table {
            *entry = next;
            next = field.add(next, field.one());
        }
    });
    table
}

/// `first·ratio^i` for i < len.
pub fn progression<F: Field>(
    field: &F,
    first: F::Elem,
    ratio: F::Elem,
    len: usize,
) -> Vec<F::Elem> {
    let mut table = vec![field.zero(); len];
    in_chunks(&mut table, &|start, table| {
        let first = field.mul(first, field.pow(ratio, start as u64));
        fill_progression(field, table, first, ratio);
    });
    table
}

/// `step^i·ratio^C(i,2)` for i < len, C(i, 2) = i(i − 1)/2.
pub fn chirp<F: Field>(field: &F, step: F::Elem, ratio: F::Elem, len: usize) -> Vec<F::Elem> {
    let mut table = vec![field.zero(); len];
    in_chunks(&mut table, &|start, table| {
        // C(s + i, 2) = C(s, 2) + s·i + C(i, 2).
        let first = field.mul(
            field.pow(step, start as u64),
            triangular_power(field, ratio, start),
        );
        let step = field.mul(step, field.pow(ratio, start as u64));
        fill_chirp(field, table, first, step, ratio);
    });
    table
}

/// `ratio^C(i,2)`, whose exponent need not fit a word.
pub fn triangular_power<F: Field>(field: &F, ratio: F::Elem, i: usize) -> F::Elem {
    let (i, below) = (i as u64, (i as u64).saturating_sub(1));
    match i % 2 {
        0 => field.pow(field.pow(ratio, i / 2), below),
        _ => field.pow(field.pow(ratio, i), below / 2),
    }
}

/// `table[i] = first·ratio^i`.
fn fill_progression<F: Field>(field: &F, table: &mut [F::Elem], first: F::Elem, ratio: F::Elem) {
    let mut next = first;
    for entry in table.iter_mut().take(FIRST) {
        *entry = next;
        next = field.mul(next, ratio);
    }
    let mut known = FIRST;
    let mut power = field.pow(ratio, known as u64);
    while known < table.len() {
        let (done, rest) = table.split_at_mut(known);
        let len = known.min(rest.len());
        rest[..len].copy_from_slice(&done[..len]);
        field.scale_slice(&mut rest[..len], power);
        power = field.mul(power, power);
        known *= 2;
    }
}

/// `table[i] = first·step^i·ratio^C(i,2)`.
fn fill_chirp<F: Field>(
    field: &F,
    table: &mut [F::Elem],
    first: F::Elem,
    step: F::Elem,
    ratio: F::Elem,
) {
    let square = |x| field.mul(x, x);
    // step^i·ratio^C(i,2), and what the next one is times this one.
    let (mut head, mut factor) = (field.one(), step);
    for i in 0..FIRST {
        if let Some(entry) = table.get_mut(i) {
            *entry = field.mul(first, head);
        }
        head = field.mul(head, factor);
        factor = field.mul(factor, ratio);
    }
    let mut known = FIRST;
    // ratio^k and ratio^(k²), k entries being known.
    let mut power = field.pow(ratio, known as u64);
    let mut power_of_square = field.pow(power, known as u64);
    while known < table.len() {
        let (done, rest) = table.split_at_mut(known);
        let len = known.min(rest.len());
        // Entry k + i is entry i times step^k·ratio^C(k,2)·(ratio^k)^i.
        fill_progression(field, &mut rest[..len], head, power);
        field.mul_assign_slice(&mut rest[..len], &done[..len]);
        // C(2k, 2) = 2·C(k, 2) + k².
        head = field.mul(square(head), power_of_square);
        power = square(power);
        power_of_square = square(square(power_of_square));
        known *= 2;
    }
}
