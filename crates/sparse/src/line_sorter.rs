//! Indices of one line after another, sorted in linear time.

/// Lines shorter than this are sorted by comparisons, of which there are a bounded number for an index;
/// longer ones by counting bytes.
pub const COUNTED: usize = 256;

/// Sorts keys with an index in the high half of a word, and anything in the low half, by their indices, of which
/// no two are equal.
pub struct LineSorter {
    /// Bytes of the greatest index.
    bytes: u32,
    scratch: Vec<u64>,
}

impl LineSorter {
    /// For indices below `width`.
    pub fn new(width: usize) -> Self {
        let bits = usize::BITS - width.saturating_sub(1).leading_zeros();
        Self {
            bytes: bits.div_ceil(8),
            scratch: Vec::new(),
        }
    }

    /// Puts the keys of one line in the order of their indices.
    #[inline]
    pub fn sort(&mut self, keys: &mut [u64]) {
        if keys.len() < COUNTED {
            keys.sort_unstable();
        } else {
            self.count(keys);
        }
    }

    /// Stable counting sorts by the indices' bytes, the lowest first.
    fn count(&mut self, keys: &mut [u64]) {
        self.scratch.resize(keys.len(), 0);
        let (mut from, mut to) = (&mut *keys, &mut self.scratch[..]);
        for byte in 0..self.bytes {
            let digit = |key: u64| (key >> (32 + 8 * byte)) as usize & 255;
            let mut places = [0; 256];
            for &key in &*from {
                places[digit(key)] += 1;
            }
            let mut total = 0;
            for place in &mut places {
                let count = *place;
                *place = total;
                total += count;
            }
            for &key in &*from {
                let place = &mut places[digit(key)];
                to[*place] = key;
                *place += 1;
            }
            std::mem::swap(&mut from, &mut to);
        }
        if self.bytes % 2 == 1 {
            keys.copy_from_slice(&self.scratch);
        }
    }
}
