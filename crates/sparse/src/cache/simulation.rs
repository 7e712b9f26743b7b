use super::least_recently_used::LeastRecentlyUsedCache;
use super::optimal::OptimalCache;
use super::problem::{Array, CacheError, CacheShape};
use super::report::{ArrayReport, CacheReport};
use super::{Cache, Outcome};

/// The most cache lines that the arrays of a trace may fill.
const MAX_LINES: usize = 1 << 30;

/// Which line leaves a full cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// The one whose next use is furthest away: the fewest misses there can be.
    Optimal,
    /// The one whose last use is longest ago: what hardware comes near to.
    LeastRecentlyUsed,
}

/// An algorithm as a cache sees it: arrays, and the order in which their elements are touched.
///
/// ```
/// use sunzi::sparse::cache::{Array, CacheShape, Replacement, Trace, simulate};
///
/// /// Two arrays added element by element, last ones first.
/// struct Sum(usize);
///
/// impl Trace for Sum {
///     fn arrays(&self) -> Vec<Array> {
///         vec![Array::new("a", self.0), Array::new("b", self.0)]
///     }
///
///     fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
///         for i in (0..self.0).rev() {
///             touch(0, i);
///             touch(1, i);
///         }
///     }
/// }
///
/// let report = simulate(&Sum(800), CacheShape::new(16, 8)?, Replacement::Optimal)?;
/// assert_eq!(report.misses(), 200);
/// # Ok::<(), sunzi::sparse::cache::CacheError>(())
/// ```
pub trait Trace {
    /// The arrays, in the order of their numbers from 0.
    fn arrays(&self) -> Vec<Array>;

    /// Calls `touch(array, element)` for each access, in order; the same each time.
    fn replay(&self, touch: &mut dyn FnMut(usize, usize));
}

/// Counts the misses of a trace, beginning with an empty cache.
///
/// Time is nearly constant an access; memory is at most 20 bytes for each line of the arrays,
/// whatever the length of the trace. See the crate's page for the algorithm.
///
/// ```
/// use sunzi::sparse::cache::{CacheShape, Replacement, Spmv, simulate};
///
/// // The matrix [1 1 0; 0 0 1] times a vector.
/// let product = Spmv::new(&[0u32, 2, 3], &[0u32, 1, 2], 3)?;
/// let report = simulate(&product, CacheShape::new(8, 1)?, Replacement::Optimal)?;
/// assert_eq!(report.array("x").unwrap().misses, 3);
/// # Ok::<(), sunzi::sparse::cache::CacheError>(())
/// ```
///
/// # Errors
///
/// The arrays fill more than 2^30 lines, or the trace leaves them.
pub fn simulate(
    trace: &impl Trace,
    shape: CacheShape,
    replacement: Replacement,
) -> Result<CacheReport, CacheError> {
    let memory = Memory::new(&trace.arrays(), shape.line_words())?;
    match replacement {
        Replacement::Optimal => run(
            trace,
            &memory,
            OptimalCache::new(shape.lines(), memory.lines),
        ),
        Replacement::LeastRecentlyUsed => run(
            trace,
            &memory,
            LeastRecentlyUsedCache::new(shape.lines(), memory.lines),
        ),
    }
}

/// An array at its place in memory.
struct Placed {
    name: String,
    len: usize,
    element_words: usize,
    /// The first word of its first element.
    base: usize,
}

struct Memory {
    arrays: Vec<Placed>,
    line_words: usize,
    /// The exponent, where a line holds a power of two words.
    log_line_words: Option<u32>,
    lines: usize,
}

impl Memory {
    fn new(arrays: &[Array], line_words: usize) -> Result<Self, CacheError> {
        let mut lines = 0usize;
        let mut placed = Vec::with_capacity(arrays.len());
        for array in arrays {
            let too_many = CacheError::TooManyLines { max: MAX_LINES };
            let extent = array.extent().ok_or(too_many.clone())?;
            let begin = lines.checked_mul(line_words).ok_or(too_many.clone())?;
            // All its words have numbers too.
            begin.checked_add(extent).ok_or(too_many.clone())?;
            let base = begin + array.first_word();
            lines = lines
                .checked_add(extent.div_ceil(line_words))
                .filter(|&lines| lines <= MAX_LINES)
                .ok_or(too_many)?;
            let element_words = array.words_of_element();
            placed.push(Placed {
                name: array.name().to_owned(),
                len: array.len(),
                element_words,
                base,
            });
        }
        let log_line_words = line_words
            .is_power_of_two()
            .then(|| line_words.trailing_zeros());
        Ok(Self {
            arrays: placed,
            line_words,
            log_line_words,
            lines,
        })
    }

    #[inline]
    fn line_of(&self, word: usize) -> u32 {
        match self.log_line_words {
            Some(log) => (word >> log) as u32,
            None => (word / self.line_words) as u32,
        }
    }
}

fn run(
    trace: &impl Trace,
    memory: &Memory,
    mut cache: impl Cache,
) -> Result<CacheReport, CacheError> {
    let mut counts: Vec<ArrayReport> = memory
        .arrays
        .iter()
        .map(|array| ArrayReport {
            name: array.name.clone(),
            accesses: 0,
            misses: 0,
            cold: 0,
        })
        .collect();
    let mut error = None;
    trace.replay(&mut |array, index| {
        let Some(placed) = memory.arrays.get(array) else {
            error.get_or_insert(CacheError::UnknownArray {
                array,
                declared: memory.arrays.len(),
            });
            return;
        };
        if index >= placed.len {
            let array = placed.name.clone();
            error.get_or_insert(CacheError::OutOfBounds {
                array,
                index,
                len: placed.len,
            });
            return;
        }
        if placed.element_words == 0 {
            return;
        }
        let word = placed.base + index * placed.element_words;
        let count = &mut counts[array];
        for line in memory.line_of(word)..=memory.line_of(word + placed.element_words - 1) {
            let outcome = cache.access(line);
            count.accesses += 1;
            count.misses += u64::from(outcome != Outcome::Hit);
            count.cold += u64::from(outcome == Outcome::ColdMiss);
        }
    });
    match error {
        Some(error) => Err(error),
        None => Ok(CacheReport { arrays: counts }),
    }
}
