//! Orderings of rows and columns, by the methods that users name.

use crate::table::grouped;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::num::NonZeroU32;
use sunzi::sparse::{
    CsrMatrix, Permutation,
    cache::CacheShape,
    reorder::{AutoChoice, AutoOrdering, GrayOrdering, auto_ordering, gray_ordering},
    test_matrices::shuffled,
};
use sunzi_files::failure::Failure;

/// How the orders are found.
#[derive(Debug, Default, Args)]
pub struct OrderOptions {
    /// This many lists of columns are merged into one, for gray [default: sqrt(8 n)/rho, for n columns and rho
    /// non-zeros in a row]
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u32).range(1..))]
    pub block: Option<u32>,
    /// Columns are refined until there are more lists than this share of them, for gray [default: 0.9]
    #[arg(long, value_name = "T")]
    pub fraction: Option<f64>,
    /// Which of all random orders, for random [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// The words of the cache that misses are counted in, for auto [default: 32768]
    #[arg(long, value_name = "Z")]
    pub words: Option<usize>,
    /// The words of its lines, for auto [default: 8]
    #[arg(long, value_name = "L")]
    pub line: Option<usize>,
}

/// An order of rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// By Gray codes
    Gray,
    /// Reverse Cuthill-McKee, rows and columns alike
    Rcm,
    /// Reverse Cuthill-McKee, rows and columns apart
    Bipartite,
    /// The same without dense rows and columns, which form a border
    Bordered,
    /// The one that misses the cache least
    Auto,
    /// By chance
    Random,
}

impl Method {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gray => "gray",
            Self::Rcm => "rcm",
            Self::Bipartite => "bipartite",
            Self::Bordered => "bordered",
            Self::Auto => "auto",
            Self::Random => "random",
        }
    }
}

impl OrderOptions {
    /// Each option, whether it is given, and the only method that looks at it.
    fn given(&self) -> [(&'static str, bool, Method); 5] {
        [
            ("--block", self.block.is_some(), Method::Gray),
            ("--fraction", self.fraction.is_some(), Method::Gray),
            ("--seed", self.seed.is_some(), Method::Random),
            ("--words", self.words.is_some(), Method::Auto),
            ("--line", self.line.is_some(), Method::Auto),
        ]
    }

    /// The method that the first option is for, if any is given. Nobody gets a random order without its name.
    pub fn method(&self) -> Option<Method> {
        let mut given = self.given().into_iter();
        let given = given.find(|&(_, is_given, method)| is_given && method != Method::Random);
        given.map(|option| option.2)
    }

    /// Refuses options that none of the methods looks at, which were chosen by this flag.
    pub fn check(&self, flag: &str, methods: &[Method]) -> Result<(), Failure> {
        for (option, is_given, method) in self.given() {
            if is_given && !methods.contains(&method) {
                return Err(Failure::Usage(format!(
                    "{option} is for {flag} {}, and other orders would ignore it: leave it out",
                    method.name()
                )));
            }
        }
        if methods.contains(&Method::Auto) {
            self.cache()?;
        }
        Ok(())
    }

    fn cache(&self) -> Result<CacheShape, Failure> {
        let (words, line) = (self.words.unwrap_or(32_768), self.line.unwrap_or(8));
        CacheShape::new(words, line)
            .map_err(|error| Failure::Usage(format!("--words {words} --line {line}: {error}")))
    }
}

/// What `auto` chose, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    method: &'static str,
    reason: String,
    cache_words: usize,
    cache_line: usize,
    /// Misses on x that no order avoids.
    least_misses: u64,
    /// Of so many non-zeros misses were counted.
    counted_nonzeros: usize,
    trials: Vec<Counted>,
}

/// An order that was tried.
#[derive(Clone, Debug, Serialize)]
struct Counted {
    method: &'static str,
    /// On x, counted or estimated.
    misses: u64,
}

impl Choice {
    fn of(found: &AutoChoice, cache: CacheShape) -> Self {
        let trials = found.trials.iter().map(|trial| Counted {
            method: trial.method.name(),
            misses: trial.misses,
        });
        Self {
            method: found.method.name(),
            reason: found.reason.to_string(),
            cache_words: cache.words(),
            cache_line: cache.line_words(),
            least_misses: found.least_misses,
            counted_nonzeros: found.counted,
            trials: trials.collect(),
        }
    }

    /// The choice in a sentence.
    pub fn sentence(&self) -> String {
        let trials = self.trials.iter();
        let trials = trials.map(|of| format!("{} {}", of.method, grouped(of.misses as usize)));
        format!(
            "the order is {}, since {}; misses on x alone in a cache of {} words in lines of {}: {}, and at least {}",
            self.method,
            self.reason,
            grouped(self.cache_words),
            self.cache_line,
            trials.collect::<Vec<_>>().join(", "),
            grouped(self.least_misses as usize)
        )
    }
}

/// What an order depends on beside the matrix, and what it took to find it.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Parameters {
    Gray {
        block: NonZeroU32,
        fraction: f64,
        /// Lists of columns at the end, and the steps to get there.
        lists: usize,
        steps: usize,
    },
    Random {
        seed: u64,
    },
}

impl Parameters {
    /// In words, line by line.
    fn lines(&self) -> Vec<String> {
        match *self {
            Self::Gray {
                block,
                fraction,
                lists,
                steps,
            } => vec![
                format!("b = {block}, t = {fraction}"),
                format!("lists: {}, steps: {steps}", grouped(lists)),
            ],
            Self::Random { seed } => vec![format!("seed {seed}")],
        }
    }
}

/// An order of the rows and one of the columns.
pub struct Order {
    pub rows: Permutation,
    pub columns: Permutation,
    pub parameters: Option<Parameters>,
    /// What `auto` says.
    pub choice: Option<Choice>,
}

impl Order {
    /// Orders the rows and columns of a matrix.
    pub fn find<E: Copy + Send + Sync>(
        method: Method,
        matrix: &CsrMatrix<E>,
        options: &OrderOptions,
    ) -> Result<Self, Failure> {
        let mut choice = None;
        let ((rows, columns), parameters) = match method {
            Method::Gray => {
                let mut wanted = GrayOrdering {
                    merge: options.block.and_then(NonZeroU32::new),
                    ..GrayOrdering::default()
                };
                wanted.stop = options.fraction.unwrap_or(wanted.stop);
                let found = gray_ordering(matrix, &wanted)
                    .map_err(|error| Failure::Usage(format!("--fraction: {error}")))?;
                let report = &found.report;
                let parameters = Parameters::Gray {
                    block: report.merge,
                    fraction: wanted.stop,
                    lists: report.lists,
                    steps: report.iterations,
                };
                ((found.rows, found.columns), Some(parameters))
            }
            Method::Rcm => (matrix.reverse_cuthill_mckee(), None),
            Method::Bipartite => (matrix.bipartite_cuthill_mckee(), None),
            Method::Bordered => (matrix.bordered_cuthill_mckee(), None),
            Method::Auto => {
                let cache = options.cache()?;
                let found = auto_ordering(matrix, &AutoOrdering::new(cache))
                    .map_err(|error| Failure::Computation(error.to_string()))?;
                choice = Some(Choice::of(&found, cache));
                ((found.rows, found.columns), None)
            }
            Method::Random => {
                let seed = options.seed.unwrap_or(1);
                let (_, rows, columns) = shuffled(matrix, seed);
                ((rows, columns), Some(Parameters::Random { seed }))
            }
        };
        Ok(Self {
            rows,
            columns,
            parameters,
            choice,
        })
    }

    /// What chose it, in words, line by line.
    pub fn lines(&self) -> Vec<String> {
        let choice = self.choice.iter().map(|choice| choice.method.to_owned());
        let parameters = self.parameters.iter().flat_map(Parameters::lines);
        choice.chain(parameters).collect()
    }

    /// The matrix in this order.
    pub fn applied<E: Copy + Send + Sync>(
        &self,
        matrix: &CsrMatrix<E>,
        name: &str,
    ) -> Result<CsrMatrix<E>, Failure> {
        let permuted = matrix.permuted(&self.rows, &self.columns);
        permuted.map_err(|error| Failure::Computation(format!("{name}: {error}")))
    }
}
