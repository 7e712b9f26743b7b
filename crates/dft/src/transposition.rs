//! Transpositions by tiles, whose rows and columns are whole lines of the cache.

use sunzi_machine::threads::Threads;

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// Rows of a tile; its columns fill a line.
const TILE: usize = 16;

/// Elements of type `E` that fill a line, or one.
const fn line<E>() -> usize {
    match LINE / size_of::<E>() {
        0 => 1,
        elements => elements,
    }
}

/// `to` becomes the transpose of `from`, a matrix of rows of `width`; threads share `shared` elements and more.
pub(crate) fn transpose<E: Copy + Send + Sync>(
    from: &[E],
    to: &mut [E],
    width: usize,
    shared: usize,
) {
    let height = from.len() / width;
    let strip = |(i, rows): (usize, &mut [E])| {
        // TILE columns of `from`, tile after tile, are TILE rows of `to`.
        for top in (0..height).step_by(line::<E>()) {
            let end = (top + line::<E>()).min(height);
            for (j, row) in rows.chunks_exact_mut(height).enumerate() {
                for (k, element) in row[top..end].iter_mut().enumerate() {
                    *element = from[(top + k) * width + i * TILE + j];
                }
            }
        }
    };
    let strips = to.chunks_mut(TILE * height).enumerate();
    Threads::when(from.len() >= shared).each(strips, strip);
}

/// The columns of `rows` from `first` on become the rows of `columns`, one after the other, as many as that has room for.
pub(crate) fn gather_columns<E: Copy>(rows: &[&mut [E]], first: usize, columns: &mut [E]) {
    let height = rows.len();
    for (group, rows) in rows.chunks(TILE).enumerate() {
        for (strip, columns) in columns.chunks_mut(line::<E>() * height).enumerate() {
            let start = first + strip * line::<E>();
            for (i, row) in rows.iter().enumerate() {
                let places = columns[group * TILE + i..].iter_mut().step_by(height);
                places
                    .zip(&row[start..])
                    .for_each(|(place, &element)| *place = element);
            }
        }
    }
}

/// Undoes [`gather_columns`].
pub(crate) fn scatter_columns<E: Copy>(rows: &mut [&mut [E]], first: usize, columns: &[E]) {
    let height = rows.len();
    for (group, rows) in rows.chunks_mut(TILE).enumerate() {
        for (strip, columns) in columns.chunks(line::<E>() * height).enumerate() {
            let start = first + strip * line::<E>();
            for (i, row) in rows.iter_mut().enumerate() {
                let elements = columns[group * TILE + i..].iter().step_by(height);
                row[start..]
                    .iter_mut()
                    .zip(elements)
                    .for_each(|(place, &element)| *place = element);
            }
        }
    }
}
