//! The bit-reversal permutation of elements of any type, tile by tile.

/// Tiles of `2^LOG_TILE` by `2^LOG_TILE` elements: rows of about a cache line.
const LOG_TILE: u32 = 4;

/// The number whose `bits` low bits are those of `i < 2^bits`, reversed.
#[inline(always)]
pub(crate) const fn reversed(i: usize, bits: u32) -> usize {
    if bits == 0 {
        0
    } else {
        i.reverse_bits() >> (usize::BITS - bits)
    }
}

/// Exchanges every two elements whose positions have reversed bits; the length is a power of two.
///
/// Position (a, m, c) goes to (c', m', a'), with a and c of `LOG_TILE` bits and a prime for
/// reversed bits; the elements of one m form a tile, which goes through a buffer, so that
/// every row is read and written once (L. Carter and K. Gatlin, *Towards an optimal bit-reversal
/// permutation program*, 1998).
pub(crate) fn permute<T: Copy>(data: &mut [T]) {
    let log_len = data.len().trailing_zeros();
    if log_len <= 2 * LOG_TILE {
        for i in 0..data.len() {
            let j = reversed(i, log_len);
            if i < j {
                data.swap(i, j);
            }
        }
        return;
    }
    let tile = 1usize << LOG_TILE;
    let middle = log_len - 2 * LOG_TILE;
    let stride = data.len() / tile;
    let mut buffer = [[data[0]; 1 << LOG_TILE]; 1 << LOG_TILE];
    for m in 0..1usize << middle {
        let mirrored = reversed(m, middle);
        if m > mirrored {
            continue;
        }
        for (a, row) in buffer.iter_mut().enumerate() {
            let at = a * stride + m * tile;
            row.copy_from_slice(&data[at..at + tile]);
        }
        // The tile of m' takes the buffer; what it held goes to the buffer, row by row.
        for (a, row) in buffer.iter_mut().enumerate() {
            for (c, element) in row.iter_mut().enumerate() {
                let at = reversed(c, LOG_TILE) * stride + mirrored * tile;
                std::mem::swap(&mut data[at + reversed(a, LOG_TILE)], element);
            }
        }
        if m < mirrored {
            // buffer[a][c] was at (c', m', a'), so it goes to (a, m, c).
            for (a, row) in buffer.iter().enumerate() {
                let at = a * stride + m * tile;
                data[at..at + tile].copy_from_slice(row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_goes_to_its_mirror_image() {
        for log in 0..13 {
            let mut data: Vec<usize> = (0..1 << log).collect();
            permute(&mut data);
            for (i, &x) in data.iter().enumerate() {
                assert_eq!(x, reversed(i, log), "{log}");
            }
        }
    }
}
