//! The plan: which matrix, which bands, how many passes, and what they take. A pure value.

use crate::error::ScaleError;
use std::fmt;
use sunzi_dft::Direction;
use sunzi_machine::memory::Shown;

/// Bytes of a run from which a disk reads about as fast as one after the other.
const LONG_RUN: usize = 1 << 20;

/// Bands in memory at a time: one is read, one computed, one written.
pub(crate) const BUFFERS: usize = 3;

/// Bytes of a cache line: no run is shorter.
const LEAST_RUN: usize = 64;

/// The order in which values lie in a file; coefficients are in natural order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// X_j at place j.
    #[default]
    Natural,
    /// As a matrix of n1 rows, X_j in row j mod n1 and column ⌊j/n1⌋: a pass less.
    Transposed,
}

/// The passes from a vector to its transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Route {
    /// One pass: all fits in memory.
    InMemory,
    /// Columns, then rows: to the order of the matrix.
    ToTransposed,
    /// Rows, then columns: from the order of the matrix.
    FromTransposed,
    /// Columns, rows, and a transposition.
    Natural,
}

/// What a transform through files does and takes.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::scale::{Order, Plan, Route};
/// use sunzi::transform::Direction;
///
/// // 4 GiB of values by 1 GiB of memory.
/// let field = AnyField::modulo_word(4_611_686_018_326_724_609)?;
/// let plan = Plan::choose(&field, 1 << 24, Direction::Forward, Order::Natural, 100 << 20)?;
/// assert_eq!(plan.route, Route::Natural);
/// assert!(plan.memory <= 100 << 20);
/// assert_eq!(plan.moved(), 6 * (8 << 24));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// The passes.
    pub route: Route,
    /// Rows n1 of the matrix.
    pub height: usize,
    /// Columns n2 of the matrix.
    pub width: usize,
    /// Columns of a band of columns.
    pub band_columns: usize,
    /// Rows of a band of rows.
    pub band_rows: usize,
    /// Columns of a band of the last pass, which only moves; as `band_columns` where there is none.
    pub moved_columns: usize,
    /// Bytes of an element between passes.
    pub element: usize,
    /// Bytes of memory that are needed at most.
    pub memory: u64,
}

/// What a plan is made for.
pub(crate) struct Problem<'a> {
    pub(crate) points: usize,
    /// Bytes of an element in scratch files.
    pub(crate) element: usize,
    /// Bytes of an element in a buffer: those of the input or the output, if they are longer.
    pub(crate) in_buffer: usize,
    pub(crate) direction: Direction,
    pub(crate) order: Order,
    /// The matrix that values were given as.
    pub(crate) given: Option<[usize; 2]>,
    /// Bytes that tables and working memory take for so many rows and columns.
    pub(crate) working: &'a dyn Fn(usize, usize) -> u64,
}

impl Plan {
    /// The plan for a vector of `points` elements, whose files have words of the size that the field has in memory, within some bytes of
    /// memory.
    ///
    /// # Errors
    /// [`ScaleError::Dft`] if the field has no such transform; [`ScaleError::Memory`].
    pub fn choose(
        field: &sunzi_field::AnyField,
        points: usize,
        direction: Direction,
        order: Order,
        memory: u64,
    ) -> Result<Self, ScaleError> {
        crate::transform::check_points(field, points)?;
        let element = field.element_bytes();
        let problem = Problem {
            points,
            element,
            in_buffer: element,
            direction,
            order,
            given: None,
            working: &|height, width| sunzi_dft::AnyBands::working_bytes(field, height, width),
        };
        problem.plan(memory)
    }

    /// Bytes that are read from files and written to them, besides checks.
    #[must_use]
    pub fn moved(&self) -> u64 {
        let vector = (self.height * self.width * self.element) as u64;
        self.passes() as u64 * 2 * vector
    }

    /// Bytes of scratch files at most at a time.
    #[must_use]
    pub fn scratch(&self) -> u64 {
        let vector = (self.height * self.width * self.element) as u64;
        match self.route {
            Route::InMemory => 0,
            Route::ToTransposed | Route::FromTransposed => vector,
            Route::Natural => 2 * vector,
        }
    }

    /// How many passes there are.
    #[must_use]
    pub fn passes(&self) -> usize {
        match self.route {
            Route::InMemory => 1,
            Route::ToTransposed | Route::FromTransposed => 2,
            Route::Natural => 3,
        }
    }

    /// Bytes of the runs that each pass reads or writes, the shorter ones.
    #[must_use]
    pub fn runs(&self) -> Vec<usize> {
        let rows = self.band_rows * self.element;
        match self.route {
            Route::InMemory => vec![self.height * self.width * self.element],
            Route::ToTransposed => vec![self.band_columns * self.element, self.band_columns * rows],
            Route::FromTransposed => {
                vec![self.band_columns * rows, self.band_columns * self.element]
            }
            Route::Natural => vec![
                self.band_columns * self.element,
                (self.band_columns * rows).min(self.moved_columns * rows),
                self.moved_columns * rows,
            ],
        }
    }

    /// As a line that [`Plan::of_line`] reads.
    pub(crate) fn line(&self) -> String {
        format!(
            "{:?} {} {} {} {} {} {} {}",
            self.route,
            self.height,
            self.width,
            self.band_columns,
            self.band_rows,
            self.moved_columns,
            self.element,
            self.memory
        )
    }

    pub(crate) fn of_line(line: &str) -> Option<Self> {
        let (route, numbers) = line.split_once(' ')?;
        let routes = [
            Route::InMemory,
            Route::ToTransposed,
            Route::FromTransposed,
            Route::Natural,
        ];
        let route = routes
            .into_iter()
            .find(|known| format!("{known:?}") == route)?;
        let numbers: Option<Vec<usize>> = numbers.split(' ').map(|x| x.parse().ok()).collect();
        let [
            height,
            width,
            band_columns,
            band_rows,
            moved_columns,
            element,
            memory,
        ] = numbers?.try_into().ok()?;
        Some(Self {
            route,
            height,
            width,
            band_columns,
            band_rows,
            moved_columns,
            element,
            memory: memory as u64,
        })
    }

    /// Whether bands divide the matrix, and the matrix is one of the problem.
    pub(crate) fn fits(&self, problem: &Problem<'_>) -> bool {
        let divides = |part: usize, whole: usize| part > 0 && whole.is_multiple_of(part);
        self.height.checked_mul(self.width) == Some(problem.points)
            && self.element == problem.element
            && divides(self.band_columns, self.width)
            && divides(self.band_rows, self.height)
            && divides(self.moved_columns, self.width)
            && (self.route == Route::InMemory || self.route == problem.route())
            && problem
                .given
                .is_none_or(|given| given == [self.height, self.width])
    }
}

impl Problem<'_> {
    pub(crate) fn route(&self) -> Route {
        match (self.direction, self.order) {
            (_, Order::Natural) => Route::Natural,
            (Direction::Forward, Order::Transposed) => Route::ToTransposed,
            (Direction::Inverse, Order::Transposed) => Route::FromTransposed,
        }
    }

    /// The fastest plan within some bytes of memory.
    pub(crate) fn plan(&self, memory: u64) -> Result<Plan, ScaleError> {
        let in_memory = self.in_memory();
        if in_memory.memory <= memory {
            return Ok(in_memory);
        }
        let log = self.points.trailing_zeros();
        let heights = (1..log).map(|log_height| 1usize << log_height);
        let heights = heights.filter(|&height| {
            self.given
                .is_none_or(|given| given == [height, self.points / height])
        });
        let plans = heights.clone().filter_map(|height| self.by(height, memory));
        // The longest runs, as long as they count; then the shortest rows, which are transformed fastest.
        let plan = plans.max_by_key(|plan| {
            let shortest = plan.runs().into_iter().min().unwrap_or(0);
            (shortest.min(LONG_RUN), plan.height)
        });
        plan.ok_or_else(|| {
            let least = heights.map(|height| self.least(height)).min();
            ScaleError::Memory {
                points: self.points,
                needed: least.unwrap_or(u64::MAX).min(in_memory.memory),
                available: memory,
            }
        })
    }

    /// All at once: columns and rows, too, whose tables are short, and for natural order a second vector for the transposition.
    fn in_memory(&self) -> Plan {
        let log = self.points.trailing_zeros();
        let [height, width] = self
            .given
            .unwrap_or([1 << (log / 2), self.points >> (log / 2)]);
        let vectors = match self.order {
            Order::Natural => 2,
            Order::Transposed => 1,
        };
        let bytes = (self.points as u64).saturating_mul(vectors * self.in_buffer as u64);
        Plan {
            route: Route::InMemory,
            height,
            width,
            band_columns: width,
            band_rows: height,
            moved_columns: width,
            element: self.element,
            memory: bytes.saturating_add((self.working)(height, width)),
        }
    }

    /// The least memory of a matrix of so many rows.
    fn least(&self, height: usize) -> u64 {
        let width = self.points / height;
        let columns = (LEAST_RUN / self.in_buffer).clamp(1, width);
        let mut band = BUFFERS * width.max(height * columns);
        if self.route() == Route::Natural {
            band = band.max((BUFFERS + 1) * height);
        }
        ((band * self.in_buffer) as u64).saturating_add((self.working)(height, width))
    }

    /// The longest bands of a matrix of so many rows.
    fn by(&self, height: usize, memory: u64) -> Option<Plan> {
        let width = self.points / height;
        let working = (self.working)(height, width);
        let band = |buffers: usize, line: usize, most: usize| {
            let bytes = memory.checked_sub(working)? / (buffers * line * self.in_buffer) as u64;
            // The greatest power of two, as the matrix has.
            let log = bytes.checked_ilog2()?;
            let count = most.min(1usize.checked_shl(log).unwrap_or(most));
            Some((count, (buffers * line * count * self.in_buffer) as u64))
        };
        let (band_columns, by_columns) = band(BUFFERS, height, width)?;
        let (band_rows, by_rows) = band(BUFFERS, width, height)?;
        let (moved_columns, by_moving) = match self.route() {
            Route::Natural => band(BUFFERS + 1, height, width)?,
            _ => (band_columns, 0),
        };
        if band_columns * self.in_buffer < LEAST_RUN.min(width * self.in_buffer) {
            return None;
        }
        Some(Plan {
            route: self.route(),
            height,
            width,
            band_columns,
            band_rows,
            moved_columns,
            element: self.element,
            memory: working + by_columns.max(by_rows).max(by_moving),
        })
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (height, width) = (self.height, self.width);
        let memory = Shown(self.memory);
        if self.route == Route::InMemory {
            return write!(
                f,
                "{} points in memory, which takes {memory}",
                height * width
            );
        }
        let passes = match self.route {
            Route::FromTransposed => "rows, then columns",
            Route::Natural => "columns, rows, and a transposition",
            _ => "columns, then rows",
        };
        let runs: Vec<_> = self
            .runs()
            .into_iter()
            .map(|run| Shown(run as u64).to_string())
            .collect();
        write!(
            f,
            "{height} x {width} points through files by {} passes ({passes}): bands of {} columns and of {} rows, runs of {}; {} are read \
             and written, {} of scratch files, {memory} of memory",
            self.passes(),
            self.band_columns,
            self.band_rows,
            runs.join(", "),
            Shown(self.moved()),
            Shown(self.scratch()),
        )
    }
}
