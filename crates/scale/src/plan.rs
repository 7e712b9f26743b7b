//! The plan: which matrix, which bands, how many passes, and what they take. A pure value.

use crate::buffer::PAGE;
use crate::error::ScaleError;
use crate::matrix::Bands;
use crate::storage::window;
use crate::task::Operation;
use std::fmt;
use sunzi_dft::Direction;
use sunzi_machine::memory::Shown;

/// Bytes of a run from which a disk reads about as fast as one after the other.
const LONG_RUN: usize = 1 << 20;

/// Bands in memory at a time: one is read, one computed, one written.
pub(crate) const BUFFERS: usize = 3;

/// Bytes by which a run and its pieces are told, about.
const RUN: usize = 96;

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

/// The passes from vectors to their transform or product.
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
    /// Columns of both operands, rows of both and of their product, columns of the product.
    Product,
    /// The same of one operand.
    Square,
}

/// What a transform or a product through files does and takes.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::scale::{Order, Plan, Route};
/// use sunzi::transform::Direction;
///
/// // 128 MiB of values by 100 MiB of memory.
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
    /// Primes that a product is found by, each with passes of its own, before its residues are put together; 0 where the field itself
    /// has the transforms.
    pub primes: usize,
    /// Rows of a band of the last pass, which puts residues together; as `band_rows` where there is none.
    pub combined_rows: usize,
    /// Columns of such a band: all, or as `band_columns`, of all rows.
    pub combined_columns: usize,
    /// Ranks that share the work.
    pub ranks: usize,
    /// Bytes of an element in the inputs, the longer ones, between passes, and in the output.
    pub elements: [usize; 3],
    /// Bytes of all elements of the inputs, and of the output.
    pub ends: [u64; 2],
    /// Bytes of memory that are needed at most.
    pub memory: u64,
}

/// What a plan is made for.
pub(crate) struct Problem<'a> {
    pub(crate) points: usize,
    /// As in a plan.
    pub(crate) elements: [usize; 3],
    pub(crate) ends: [u64; 2],
    /// The route through files.
    pub(crate) route: Route,
    /// Vectors of all points that there are where all is in memory.
    pub(crate) vectors: usize,
    /// Inputs whose words do not begin at a page.
    pub(crate) windows: usize,
    /// As in a plan.
    pub(crate) primes: usize,
    /// Whether what is put together carries, from row to row.
    pub(crate) carries: bool,
    pub(crate) ranks: usize,
    /// Whether matrices between passes are in memory, too.
    pub(crate) keeps_matrices: bool,
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
        crate::input::check_points(field, points)?;
        let element = field.element_bytes();
        let operation = Operation::Transform { direction, order };
        let problem = Problem {
            points,
            elements: [element; 3],
            ends: [(points * element) as u64; 2],
            route: operation.route(1),
            vectors: 1 + usize::from(operation.is_to_natural()),
            windows: 0,
            primes: 0,
            carries: false,
            ranks: 1,
            keeps_matrices: false,
            given: None,
            working: &|height, width| sunzi_dft::AnyBands::working_bytes(field, height, width),
        };
        problem.plan(memory)
    }

    /// Bytes that are read from files and written to them, besides checks.
    #[must_use]
    pub fn moved(&self) -> u64 {
        let vectors = match self.route {
            Route::InMemory => return self.ends[0] + self.ends[1],
            Route::ToTransposed | Route::FromTransposed => 2,
            Route::Natural | Route::Square => 4,
            Route::Product => 6,
        };
        match self.primes as u64 {
            0 => self.ends[0] + self.ends[1] + vectors * self.vector(),
            // Residues are written and read once more.
            primes => primes * (self.ends[0] + (vectors + 2) * self.vector()) + self.ends[1],
        }
    }

    /// Bytes that ranks send each other, all of them.
    #[must_use]
    pub fn sent(&self) -> u64 {
        let exchanges = match self.route {
            Route::InMemory => 0,
            Route::ToTransposed | Route::FromTransposed => 1,
            Route::Natural | Route::Square => 2,
            Route::Product => 3,
        };
        // Residues come as columns: those that are read so stay where they are.
        let of_residues = u64::from(self.primes > 0 && self.combined_bands() == Bands::Rows);
        let exchanges = (exchanges + of_residues) * self.primes.max(1) as u64;
        let ranks = self.ranks as u64;
        exchanges * self.vector() / ranks * (ranks - 1)
    }

    /// The bands by which residues are put together.
    pub(crate) fn combined_bands(&self) -> Bands {
        match self.combined_columns < self.width {
            true => Bands::Columns,
            false => Bands::Rows,
        }
    }

    /// Bytes of scratch files at most at a time, of all ranks.
    #[must_use]
    pub fn scratch(&self) -> u64 {
        let vectors = match self.route {
            Route::InMemory => return 0,
            Route::ToTransposed | Route::FromTransposed => 1,
            Route::Natural | Route::Square => 2,
            Route::Product => 3,
        };
        // Residues modulo all primes but the last one are there while its rows are multiplied.
        (vectors + self.primes.saturating_sub(1) as u64) * self.vector()
    }

    /// Bytes of all elements between passes.
    fn vector(&self) -> u64 {
        self.height as u64 * self.width as u64 * self.elements[1] as u64
    }

    /// How many passes there are.
    #[must_use]
    pub fn passes(&self) -> usize {
        match self.route {
            Route::InMemory => 1,
            Route::ToTransposed | Route::FromTransposed => 2,
            Route::Natural => 3,
            Route::Square | Route::Product => {
                let of_a_prime = if self.route == Route::Square { 3 } else { 4 };
                of_a_prime * self.primes.max(1) + self.primes.min(1)
            }
        }
    }

    /// Bytes of the runs that each pass reads or writes, the shorter ones.
    #[must_use]
    pub fn runs(&self) -> Vec<usize> {
        let [input, between, output] = self.elements;
        let tile = self.band_columns * self.band_rows * between;
        match self.route {
            Route::InMemory => vec![self.height * self.width * input.min(output)],
            Route::ToTransposed => vec![self.band_columns * input, tile],
            Route::FromTransposed => vec![tile, self.band_columns * output],
            Route::Square | Route::Product => {
                let first = self.band_columns * input;
                let mut runs = vec![first; if self.route == Route::Square { 1 } else { 2 }];
                match self.primes {
                    0 => runs.extend([tile, self.band_columns * output]),
                    _ => {
                        let residues = self.band_columns * self.combined_rows * between;
                        runs.extend([tile, tile.min(residues)]);
                        runs = runs.repeat(self.primes);
                        runs.push(match self.combined_bands() {
                            Bands::Rows => residues,
                            Bands::Columns => self.band_columns * output,
                        });
                    }
                }
                runs
            }
            Route::Natural => {
                let moved = self.moved_columns * self.band_rows * between;
                vec![self.band_columns * input, tile.min(moved), moved]
            }
        }
    }

    /// How many tiles there are between passes, in all matrices.
    fn tiles(&self) -> usize {
        let down = self.height / self.band_rows;
        let tiles = |columns: usize| down * (self.width / columns);
        match self.route {
            Route::InMemory => 0,
            Route::ToTransposed | Route::FromTransposed => tiles(self.band_columns),
            Route::Natural => tiles(self.band_columns) + tiles(self.moved_columns),
            Route::Square | Route::Product => {
                let matrices = if self.route == Route::Square { 2 } else { 3 };
                let combined = self.height / self.combined_rows * (self.width / self.band_columns);
                matrices * tiles(self.band_columns) + self.primes * combined
            }
        }
    }

    /// As a line that [`Plan::of_line`] reads.
    pub(crate) fn line(&self) -> String {
        let [input, between, output] = self.elements;
        format!(
            "{:?} {} {} {} {} {} {input} {between} {output} {} {} {} {} {} {}",
            self.route,
            self.height,
            self.width,
            self.band_columns,
            self.band_rows,
            self.moved_columns,
            self.ends[0],
            self.ends[1],
            self.primes,
            self.combined_rows,
            self.ranks,
            self.combined_columns
        )
    }

    /// The plan of a line; what memory it takes depends on who reads it.
    pub(crate) fn of_line(line: &str) -> Option<Self> {
        let (route, numbers) = line.split_once(' ')?;
        let routes = [
            Route::InMemory,
            Route::ToTransposed,
            Route::FromTransposed,
            Route::Natural,
            Route::Product,
            Route::Square,
        ];
        let route = routes
            .into_iter()
            .find(|known| format!("{known:?}") == route)?;
        let numbers: Option<Vec<u64>> = numbers.split(' ').map(|x| x.parse().ok()).collect();
        let numbers: [u64; 14] = numbers?.try_into().ok()?;
        let [
            height,
            width,
            band_columns,
            band_rows,
            moved_columns,
            input,
            between,
            output,
            ..,
        ] = numbers.map(|number| number as usize);
        Some(Self {
            route,
            height,
            width,
            band_columns,
            band_rows,
            moved_columns,
            elements: [input, between, output],
            ends: [numbers[8], numbers[9]],
            primes: numbers[10] as usize,
            combined_rows: numbers[11] as usize,
            ranks: numbers[12] as usize,
            combined_columns: numbers[13] as usize,
            memory: 0,
        })
    }

    /// Whether bands divide the matrix, and the matrix is one of the problem.
    pub(crate) fn fits(&self, problem: &Problem<'_>) -> bool {
        let divides = |part: usize, whole: usize| part > 0 && whole.is_multiple_of(part);
        self.height.checked_mul(self.width) == Some(problem.points)
            && self.elements == problem.elements
            && self.ends == problem.ends
            && divides(self.band_columns, self.width)
            && divides(self.band_rows, self.height)
            && divides(self.moved_columns, self.width)
            && divides(self.combined_rows, self.height)
            && match self.combined_bands() {
                Bands::Rows => self.combined_columns == self.width,
                Bands::Columns => {
                    let is_column = [self.combined_rows, self.combined_columns] == [self.height, self.band_columns];
                    is_column && self.primes > 0 && !problem.carries
                }
            }
            && self.primes == problem.primes
            && self.ranks == problem.ranks
            && (self.primes > 0 || self.combined_rows == self.band_rows)
            && match self.route {
                Route::InMemory => {
                    let whole = [self.band_rows, self.combined_rows] == [self.height; 2];
                    whole && self.band_columns == self.width && self.ranks == 1
                }
                route => route == problem.route,
            }
            && problem
                .given
                .is_none_or(|given| given == [self.height, self.width])
    }
}

impl Problem<'_> {
    /// Bytes of an element in memory, as it is read, computed and written there; where residues are put together, and elsewhere.
    fn in_buffers(&self) -> [usize; 2] {
        let [input, between, output] = self.elements;
        let combined = between.max(output);
        match self.primes {
            0 => [0, input.max(combined)],
            _ => [combined, input.max(between)],
        }
    }

    /// Bands of columns in memory at a time: residues of entries have one more.
    fn column_buffers(&self) -> usize {
        BUFFERS + self.primes.min(1)
    }

    /// Bands of residues in memory at a time where they are put together, and that of what they come to.
    fn combined_buffers(&self) -> usize {
        BUFFERS * self.primes + 1
    }

    /// Bytes of memory that a plan takes.
    pub(crate) fn memory(&self, plan: &Plan) -> u64 {
        let Plan {
            height,
            width,
            band_columns,
            band_rows,
            moved_columns,
            combined_rows,
            combined_columns,
            ..
        } = *plan;
        let [combined, in_buffer] = self.in_buffers();
        let bytes = |count: usize, points: usize, element: usize| {
            let elements = (count as u64).saturating_mul(points as u64);
            elements.saturating_mul(element as u64)
        };
        let of_bands = match plan.route {
            Route::InMemory => bytes(self.vectors, self.points, in_buffer.max(combined)),
            route => {
                let moved = match route {
                    Route::Natural => bytes(BUFFERS + 1, height * moved_columns, in_buffer),
                    _ => 0,
                };
                let rows = BUFFERS * self.operands();
                [
                    moved,
                    bytes(self.column_buffers(), height * band_columns, in_buffer),
                    bytes(rows, width * band_rows, in_buffer),
                    bytes(self.combined_buffers(), combined_rows * combined_columns, combined),
                ]
                .into_iter()
                .fold(0, u64::max)
            }
        };
        // Sums of tiles, in their order and as bands have them; and where the runs of the bands on their way lie.
        let tiles = 2 * size_of::<u64>() * plan.tiles();
        let runs = match plan.route {
            Route::InMemory => 0,
            _ => BUFFERS * RUN * (height + width / band_columns.min(moved_columns)),
        };
        let longest = (height * band_columns).max(width * band_rows) * in_buffer;
        // What a band sends and receives, and this rank's tiles of all matrices.
        let block = |bands: usize, lines: usize, across: usize| {
            bytes(bands.next_multiple_of(self.ranks), lines * across, in_buffer)
        };
        let across = band_columns.max(moved_columns);
        // Residues that are put together by columns stay where they are.
        let sent_rows = match plan.combined_bands() {
            Bands::Rows => [band_rows, combined_rows],
            Bands::Columns => [band_rows; 2],
        };
        let between = match self.ranks {
            1 => 0,
            _ => {
                let of_columns = sent_rows.map(|rows| block(height / rows, rows, across));
                2 * of_columns.into_iter().fold(block(width / band_columns, across, band_rows), u64::max)
            }
        };
        let kept = match self.keeps_matrices {
            true => {
                // Of bands that ranks share, the first rank has the most.
                let [rows, combined] = sent_rows.map(|rows| height / rows);
                let bands = [rows, combined, width / band_columns, width / moved_columns];
                let most = bands.map(|bands| plan.scratch() / bands as u64 * bands.div_ceil(self.ranks) as u64);
                most.into_iter().fold(0, u64::max)
            }
            false => 0,
        };
        let windows = self.windows * (window(longest) + PAGE);
        of_bands
            .saturating_add(windows as u64)
            .saturating_add(between)
            .saturating_add(kept)
            .saturating_add((self.working)(height, width))
            .saturating_add((tiles + runs) as u64)
    }

    /// Operands whose rows are in memory together.
    fn operands(&self) -> usize {
        1 + usize::from(self.route == Route::Product)
    }

    fn planned(&self, plan: Plan) -> Plan {
        let memory = self.memory(&plan);
        Plan { memory, ..plan }
    }

    /// All at once: columns and rows, too, whose tables are short.
    fn in_memory(&self) -> Plan {
        let log = self.points.trailing_zeros();
        let [height, width] = self
            .given
            .unwrap_or([1 << (log / 2), self.points >> (log / 2)]);
        self.planned(Plan {
            route: Route::InMemory,
            height,
            width,
            band_columns: width,
            band_rows: height,
            moved_columns: width,
            primes: self.primes,
            combined_rows: height,
            combined_columns: width,
            ranks: 1,
            elements: self.elements,
            ends: self.ends,
            memory: 0,
        })
    }

    /// Long bands of a matrix of so many rows.
    fn by(&self, height: usize, memory: u64) -> Option<Plan> {
        let (width, [combined, element]) = (self.points / height, self.in_buffers());
        let whole = Plan {
            route: self.route,
            height,
            width,
            ..self.in_memory()
        };
        let kept = match self.keeps_matrices {
            true => whole.scratch().div_ceil(self.ranks as u64),
            false => 0,
        };
        let for_bands = memory.checked_sub((self.working)(height, width))?;
        let for_bands = for_bands.checked_sub(kept)?;
        let long = |bytes: u64| {
            // The greatest power of two, as the matrix has.
            // All ranks have several bands, if there are as many.
            let shared = |most: usize| match self.ranks {
                1 => most,
                ranks => (most / (BUFFERS * ranks).next_power_of_two()).max(1),
            };
            let length = |buffers: usize, line: usize, element: usize, most: usize| {
                let most = shared(most);
                let lines = bytes / (buffers * line * element) as u64;
                Some(most.min(1usize.checked_shl(lines.checked_ilog2()?).unwrap_or(most)))
            };
            // Ranks put their own columns together, if nothing runs through rows.
            let by_columns = self.primes > 0 && self.ranks > 1 && !self.carries;
            let mut band_columns = length(self.column_buffers(), height, element, width)?;
            if by_columns {
                band_columns = band_columns.min(length(self.combined_buffers(), height, combined, width)?);
            }
            let moved_columns = match self.route {
                Route::Natural => length(BUFFERS + 1, height, element, width)?,
                _ => band_columns,
            };
            let band_rows = length(BUFFERS * self.operands(), width, element, height)?;
            let [combined_rows, combined_columns] = match self.primes {
                0 => [band_rows, width],
                _ if by_columns => [height, band_columns],
                _ => [length(self.combined_buffers(), width, combined, height)?, width],
            };
            Some(self.planned(Plan {
                route: self.route,
                height,
                width,
                band_columns,
                band_rows,
                moved_columns,
                primes: self.primes,
                combined_rows,
                combined_columns,
                ranks: self.ranks,
                elements: self.elements,
                ends: self.ends,
                memory: 0,
            }))
        };
        // What is left for the sums of tiles.
        let shares = (0..8).map(|eighths| for_bands - for_bands / 8 * eighths);
        let plan = shares.filter_map(long).find(|plan| plan.memory <= memory)?;
        let least = LEAST_RUN.min(width * element);
        (plan.band_columns * element >= least || self.ranks > 1).then_some(plan)
    }

    /// The best of all plans through files.
    fn through_files(&self, memory: u64) -> Option<Plan> {
        let log = self.points.trailing_zeros();
        // Ranks share what is short, too.
        let logs = if self.ranks > 1 { 0..log + 1 } else { 1..log };
        let heights = logs.map(|log_height| 1usize << log_height);
        let heights = heights.filter(|&height| {
            self.given
                .is_none_or(|given| given == [height, self.points / height])
        });
        // Work for all ranks in all passes; the longest runs, as long as they count; then the shortest rows, which are transformed fastest.
        let shared = |plan: &Plan| match self.ranks {
            1 => 0,
            ranks => (plan.height.min(plan.width) / ranks).min(BUFFERS + 1),
        };
        heights
            .filter_map(|height| self.by(height, memory))
            .max_by_key(|plan| {
                let shortest = plan.runs().into_iter().min().unwrap_or(0);
                (shared(plan), shortest.min(LONG_RUN), plan.height)
            })
    }

    /// The fastest plan within some bytes of memory.
    pub(crate) fn plan(&self, memory: u64) -> Result<Plan, ScaleError> {
        let in_memory = self.in_memory();
        if in_memory.memory <= memory && self.ranks == 1 {
            return Ok(in_memory);
        }
        self.through_files(memory).ok_or_else(|| {
            // The least memory that has a plan.
            let mut enough = in_memory.memory.max(memory + 1);
            while self.ranks > 1 && self.through_files(enough).is_none() && enough < u64::MAX / 2 {
                enough *= 2;
            }
            let mut too_little = memory;
            while enough - too_little > 1 {
                let middle = too_little + (enough - too_little) / 2;
                match self.through_files(middle) {
                    Some(_) => enough = middle,
                    None => too_little = middle,
                }
            }
            ScaleError::Memory {
                points: self.points,
                needed: enough,
                available: memory,
            }
        })
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (height, width) = (self.height, self.width);
        let memory = match self.ranks {
            1 => format!("{} of memory", Shown(self.memory)),
            ranks => format!("{} of memory on each of {ranks} ranks", Shown(self.memory)),
        };
        if self.route == Route::InMemory {
            return write!(
                f,
                "{} points in memory, which takes {}",
                height * width,
                Shown(self.memory)
            );
        }
        let passes = match self.route {
            Route::FromTransposed => "rows, then columns".to_owned(),
            Route::Natural => "columns, rows, and a transposition".to_owned(),
            Route::Product | Route::Square => {
                let operands = if self.route == Route::Square { "" } else { "columns, " };
                match self.primes {
                    0 => format!("{operands}columns, rows, and columns"),
                    primes => format!(
                        "{operands}columns, rows, columns modulo each of {primes} primes, and one that puts residues together"
                    ),
                }
            }
            _ => "columns, then rows".to_owned(),
        };
        let runs: Vec<_> = self
            .runs()
            .into_iter()
            .map(|run| Shown(run as u64).to_string())
            .collect();
        write!(
            f,
            "{height} x {width} points through files by {} passes ({passes}): bands of {} columns and of {} rows, runs of {}; {} are read \
             and written, {} of scratch files, {memory}",
            self.passes(),
            self.band_columns,
            self.band_rows,
            runs.join(", "),
            Shown(self.moved()),
            Shown(self.scratch()),
        )
    }
}
