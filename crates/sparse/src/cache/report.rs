use std::fmt;

/// The accesses to one array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayReport {
    /// The array's name.
    pub name: String,
    /// Lines touched; an element that lies on two lines counts twice.
    pub accesses: u64,
    /// Lines fetched from memory, cold ones among them.
    pub misses: u64,
    /// Lines fetched for the first time: what any cache must fetch.
    pub cold: u64,
}

/// The misses of a trace, array by array.
///
/// ```
/// use sunzi::sparse::cache::{CacheShape, Replacement, Scan, simulate};
///
/// let cache = CacheShape::new(64, 8)?;
/// let report = simulate(&Scan::new(80), cache, Replacement::LeastRecentlyUsed)?;
/// assert_eq!((report.accesses(), report.misses(), report.cold(), report.hits()), (80, 10, 10, 70));
/// assert_eq!(report.array("a").unwrap().misses, 10);
/// println!("{report}");
/// # Ok::<(), sunzi::sparse::cache::CacheError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheReport {
    /// One entry an array, in the order in which the trace declares them.
    pub arrays: Vec<ArrayReport>,
}

impl CacheReport {
    /// Lines touched.
    pub fn accesses(&self) -> u64 {
        self.arrays.iter().map(|array| array.accesses).sum()
    }

    /// Lines fetched.
    pub fn misses(&self) -> u64 {
        self.arrays.iter().map(|array| array.misses).sum()
    }

    /// Lines fetched for the first time.
    pub fn cold(&self) -> u64 {
        self.arrays.iter().map(|array| array.cold).sum()
    }

    /// Lines found in the cache.
    pub fn hits(&self) -> u64 {
        self.accesses() - self.misses()
    }

    /// What happened to the array of this name.
    pub fn array(&self, name: &str) -> Option<&ArrayReport> {
        self.arrays.iter().find(|array| array.name == name)
    }
}

impl fmt::Display for CacheReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<12} {:>14} {:>14} {:>14}",
            "array", "accesses", "misses", "cold"
        )?;
        for array in &self.arrays {
            writeln!(
                f,
                "{:<12} {:>14} {:>14} {:>14}",
                array.name, array.accesses, array.misses, array.cold
            )?;
        }
        write!(
            f,
            "{:<12} {:>14} {:>14} {:>14}",
            "total",
            self.accesses(),
            self.misses(),
            self.cold()
        )
    }
}
