//! Indices of one line after another, sorted in linear time.

/// Lines shorter than this are sorted by comparisons, of which there are a bounded number for an index;
/// longer ones by counting bytes.
const COUNTED: usize = 256;

/// Sorts the indices of lines, and remembers where each was.
pub(super) struct LineSorter {
    /// Bytes of the greatest index.
    bytes: u32,
    keys: Vec<u64>,
    scratch: Vec<u64>,
}

impl LineSorter {
    /// For indices below `width`.
    pub(super) fn new(width: usize) -> Self {
        let bits = usize::BITS - width.saturating_sub(1).leading_zeros();
        Self {
            bytes: bits.div_ceil(8),
            keys: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// The indices ascending, each in the high half of a word with its place among those given in the low
    /// half.
    #[inline]
    pub(super) fn sorted(&mut self, indices: impl Iterator<Item = u32>) -> &[u64] {
        self.keys.clear();
        let keys = (0..).zip(indices);
        self.keys.extend(
            keys.map(|(place, index): (u32, u32)| u64::from(index) << 32 | u64::from(place)),
        );
        if self.keys.len() < COUNTED {
            self.keys.sort_unstable();
        } else {
            self.count();
        }
        &self.keys
    }

    /// Stable counting sorts by the indices' bytes, the lowest first.
    fn count(&mut self) {
        self.scratch.resize(self.keys.len(), 0);
        for byte in 0..self.bytes {
            let digit = |key: u64| (key >> (32 + 8 * byte)) as usize & 255;
            let mut places = [0; 256];
            for &key in &self.keys {
                places[digit(key)] += 1;
            }
            let mut total = 0;
            for place in &mut places {
                let count = *place;
                *place = total;
                total += count;
            }
            for &key in &self.keys {
                let place = &mut places[digit(key)];
                self.scratch[*place] = key;
                *place += 1;
            }
            std::mem::swap(&mut self.keys, &mut self.scratch);
        }
    }
}
