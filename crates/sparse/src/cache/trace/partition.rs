use super::counting_sort::{check_keys, sort};
use crate::cache::{Array, CacheError, Trace};

const A: usize = 0;
const G: usize = 1;
const F: usize = 2;
const B: usize = 3;
const C: usize = 4;

/// How a round of Algorithm 2 hands its result to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetweenRounds {
    /// G is copied into A, as line 5 of the algorithm says: 2n/L misses more a round, which
    /// Proposition 7 does not count.
    Copy,
    /// A and G change roles.
    Swap,
}

/// One round of bucketing (Algorithm 3 of the thesis): keys that are r/r'-bucketed become
/// (r/r')·m-bucketed. Arrays "A" of keys, "G" of the result, "F" of m counts.
///
/// ```
/// use sunzi::sparse::cache::{CacheShape, Replacement, simulate};
/// use sunzi_sparse::cache::PartitionFurther;
///
/// let keys: Vec<u64> = (0..4096).map(|i| i * 77 % 256).collect();
/// let (cache, buckets) = (CacheShape::new(512, 8)?, 16);
/// let round = PartitionFurther::new(&keys, buckets, 256, 256)?;
/// let report = simulate(&round, cache, Replacement::Optimal)?;
/// // Proposition 6 with r = r': at most 3n/L + m/L + (2 + m) + 1.
/// assert!(report.misses() <= 3 * 4096 / 8 + 16 / 8 + 18 + 1);
/// # Ok::<(), sunzi::sparse::cache::CacheError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PartitionFurther<'a> {
    keys: &'a [u64],
    buckets: u64,
    range: u64,
    current: u64,
}

impl<'a> PartitionFurther<'a> {
    /// A round that divides each of the r/r' ranges of length r' = `current` of the keys, which lie
    /// in 0 … `range` − 1, into m = `buckets` ranges.
    ///
    /// # Errors
    ///
    /// A key outside the range; keys whose ranges of length r' do not ascend; m < 1, m that does not
    /// divide r', or r' that does not divide r.
    pub fn new(
        keys: &'a [u64],
        buckets: u64,
        range: u64,
        current: u64,
    ) -> Result<Self, CacheError> {
        check_keys(keys, range)?;
        if buckets == 0
            || current == 0
            || !current.is_multiple_of(buckets)
            || !range.is_multiple_of(current)
        {
            return Err(CacheError::Buckets(format!(
                "{buckets} buckets must divide a current range of {current}, which must divide a range of {range}"
            )));
        }
        if let Some(i) = keys
            .windows(2)
            .position(|pair| pair[0] / current > pair[1] / current)
        {
            return Err(CacheError::Buckets(format!(
                "keys {i} and {} are not in the order of their ranges of {current}",
                i + 1
            )));
        }
        Ok(Self {
            keys,
            buckets,
            range,
            current,
        })
    }
}

impl Trace for PartitionFurther<'_> {
    fn arrays(&self) -> Vec<Array> {
        vec![
            Array::new("A", self.keys.len()),
            Array::new("G", self.keys.len()),
            Array::new("F", self.buckets as usize),
        ]
    }

    fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
        partition(
            self.keys,
            self.buckets,
            self.range,
            self.current,
            [A, G],
            touch,
        );
    }
}

/// The preprocessing of the cache-oblivious sort (Algorithm 2 of the thesis): rounds of
/// [`PartitionFurther`] until the keys are bucketed by ranges of at most m values.
///
/// ```
/// use sunzi::sparse::cache::{CacheShape, Replacement, simulate};
/// use sunzi_sparse::cache::{BetweenRounds, Preprocessing};
///
/// let keys: Vec<u64> = (0..4096).map(|i| i * 77 % 4096).collect();
/// let cache = CacheShape::new(512, 8)?;
/// let trace = Preprocessing::new(&keys, 16, 4096, BetweenRounds::Swap)?;
/// let misses = simulate(&trace, cache, Replacement::Optimal)?.misses();
/// assert!(misses <= 2 * (3 * 4096 / 8 + 16 / 8 + 1) + 18 * 17); // Proposition 7, m = 16, u = 2
/// # Ok::<(), sunzi::sparse::cache::CacheError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Preprocessing<'a> {
    keys: &'a [u64],
    buckets: u64,
    range: u64,
    between: BetweenRounds,
}

impl<'a> Preprocessing<'a> {
    /// The preprocessing of keys in 0 … r − 1, r = `range`, with m = `buckets` buckets.
    ///
    /// # Errors
    ///
    /// A key outside the range; m < 2, or r that is no power of m (Assumption 1 of the thesis).
    pub fn new(
        keys: &'a [u64],
        buckets: u64,
        range: u64,
        between: BetweenRounds,
    ) -> Result<Self, CacheError> {
        check_keys(keys, range)?;
        let mut power = u128::from(buckets);
        while buckets >= 2 && power < u128::from(range) {
            power *= u128::from(buckets);
        }
        if buckets < 2 || power != u128::from(range) {
            return Err(CacheError::Buckets(format!(
                "a range of {range} is no power of {buckets} buckets (2 or more)"
            )));
        }
        Ok(Self {
            keys,
            buckets,
            range,
            between,
        })
    }

    /// Runs the rounds; returns the keys, and the number of the array that holds them.
    fn run(&self, touch: &mut dyn FnMut(usize, usize)) -> (Vec<u64>, usize) {
        let mut keys = self.keys.to_vec();
        let (mut from, mut to) = (A, G);
        let mut current = self.range;
        while current > self.buckets {
            keys = partition(&keys, self.buckets, self.range, current, [from, to], touch);
            current /= self.buckets;
            match self.between {
                BetweenRounds::Swap => std::mem::swap(&mut from, &mut to),
                BetweenRounds::Copy => (0..keys.len()).for_each(|i| {
                    touch(to, i);
                    touch(from, i);
                }),
            }
        }
        (keys, from)
    }
}

impl Trace for Preprocessing<'_> {
    fn arrays(&self) -> Vec<Array> {
        vec![
            Array::new("A", self.keys.len()),
            Array::new("G", self.keys.len()),
            Array::new("F", self.buckets as usize),
        ]
    }

    fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
        self.run(touch);
    }
}

/// The cache-oblivious counting sort: [`Preprocessing`], then [`CountingSort`](crate::cache::CountingSort)
/// of the bucketed keys. Arrays "A", "G", "F", "B" and "C".
///
/// ```
/// use sunzi::sparse::cache::{CacheShape, Replacement, simulate};
/// use sunzi_sparse::cache::{BetweenRounds, CountingSort, PreprocessingThenSort};
///
/// let keys: Vec<u64> = (0..1 << 16).map(|i| i * 40503 % (1 << 16)).collect();
/// let cache = CacheShape::new(1 << 12, 8)?;
/// let classical = simulate(&CountingSort::new(&keys, 1 << 16)?, cache, Replacement::Optimal)?;
/// let bucketed = PreprocessingThenSort::new(&keys, 1 << 8, 1 << 16, BetweenRounds::Swap)?;
/// let bucketed = simulate(&bucketed, cache, Replacement::Optimal)?;
/// assert!(bucketed.misses() < classical.misses());
/// # Ok::<(), sunzi::sparse::cache::CacheError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PreprocessingThenSort<'a>(Preprocessing<'a>);

impl<'a> PreprocessingThenSort<'a> {
    /// The sort of keys in 0 … r − 1, r = `range`, with m = `buckets` buckets.
    ///
    /// # Errors
    ///
    /// As for [`Preprocessing::new`].
    pub fn new(
        keys: &'a [u64],
        buckets: u64,
        range: u64,
        between: BetweenRounds,
    ) -> Result<Self, CacheError> {
        Preprocessing::new(keys, buckets, range, between).map(Self)
    }
}

impl Trace for PreprocessingThenSort<'_> {
    fn arrays(&self) -> Vec<Array> {
        let mut arrays = self.0.arrays();
        arrays.push(Array::new("B", self.0.keys.len()));
        arrays.push(Array::new("C", self.0.range as usize));
        arrays
    }

    fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
        let (keys, array) = self.0.run(touch);
        sort(&keys, self.0.range, [array, B, C], touch);
    }
}

/// Algorithm 3, from array `a` to array `g`.
fn partition(
    keys: &[u64],
    buckets: u64,
    range: u64,
    current: u64,
    [a, g]: [usize; 2],
    touch: &mut dyn FnMut(usize, usize),
) -> Vec<u64> {
    let (ranges, width) = (range / current, current / buckets);
    let mut counts = vec![0usize; buckets as usize];
    let mut result = vec![0; keys.len()];
    let mut begin = 0;
    for i in 0..ranges {
        let bucket = |key: u64| ((key - current * i) / width) as usize;
        for (j, count) in counts.iter_mut().enumerate() {
            touch(F, j);
            *count = 0;
        }
        let mut end = begin;
        while end < keys.len() {
            touch(a, end);
            if keys[end] / current != i {
                break;
            }
            touch(F, bucket(keys[end]));
            counts[bucket(keys[end])] += 1;
            end += 1;
        }
        let mut before = begin;
        for (j, count) in counts.iter_mut().enumerate() {
            touch(F, j);
            before += std::mem::replace(count, before);
        }
        for (j, &key) in keys.iter().enumerate().take(end).skip(begin) {
            touch(a, j);
            let place = &mut counts[bucket(key)];
            touch(F, bucket(key));
            touch(g, *place);
            result[*place] = key;
            *place += 1;
        }
        begin = end;
    }
    result
}
