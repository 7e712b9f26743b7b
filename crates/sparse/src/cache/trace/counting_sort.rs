use crate::cache::{Array, CacheError, Trace};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

/// The classical counting sort (Algorithm 1 of the thesis): arrays "A" of the n keys, "B" of the
/// sorted ones, "C" of one count for each of the r values a key may have.
///
/// ```
/// use sunzi::sparse::cache::{CacheShape, Replacement, simulate};
/// use sunzi_sparse::cache::CountingSort;
///
/// let keys: Vec<u64> = (0..1000).map(|i| i * 7 % 50).collect();
/// let cache = CacheShape::new(1024, 8)?;
/// let report = simulate(&CountingSort::new(&keys, 50)?, cache, Replacement::Optimal)?;
/// // Proposition 3: at most 3n/L + r + r/L + 3, for r < Z/(1 + L).
/// assert!(report.misses() <= 3 * 1000 / 8 + 50 + 50 / 8 + 3);
/// # Ok::<(), sunzi::sparse::cache::CacheError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CountingSort<'a> {
    keys: &'a [u64],
    range: u64,
}

impl<'a> CountingSort<'a> {
    /// The sort of keys in 0 … `range` − 1.
    ///
    /// # Errors
    ///
    /// A key outside the range.
    pub fn new(keys: &'a [u64], range: u64) -> Result<Self, CacheError> {
        check_keys(keys, range)?;
        Ok(Self { keys, range })
    }
}

impl Trace for CountingSort<'_> {
    fn arrays(&self) -> Vec<Array> {
        let n = self.keys.len();
        vec![
            Array::new("A", n),
            Array::new("B", n),
            Array::new("C", self.range as usize),
        ]
    }

    fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
        sort(self.keys, self.range, [A, B, C], touch);
    }
}

pub(super) fn check_keys(keys: &[u64], range: u64) -> Result<(), CacheError> {
    match keys.iter().position(|&key| key >= range) {
        Some(index) => Err(CacheError::KeyOutOfRange {
            index,
            key: keys[index],
            range,
        }),
        None => Ok(()),
    }
}

/// Runs the sort with the numbers of the arrays of keys, sorted keys, and counts.
pub(super) fn sort(
    keys: &[u64],
    range: u64,
    [a, b, c]: [usize; 3],
    touch: &mut dyn FnMut(usize, usize),
) -> Vec<u64> {
    let mut counts = vec![0usize; range as usize];
    for value in 0..counts.len() {
        touch(c, value);
    }
    for (i, &key) in keys.iter().enumerate() {
        touch(a, i);
        touch(c, key as usize);
        counts[key as usize] += 1;
    }
    let mut before = 0;
    for (value, count) in counts.iter_mut().enumerate() {
        touch(c, value);
        before += std::mem::replace(count, before);
    }
    let mut sorted = vec![0; keys.len()];
    for (i, &key) in keys.iter().enumerate() {
        touch(a, i);
        touch(c, key as usize);
        let place = &mut counts[key as usize];
        touch(b, *place);
        sorted[*place] = key;
        *place += 1;
    }
    sorted
}
