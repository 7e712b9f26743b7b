//! The passes of each route.

use super::Operation;
use crate::matrix::Bands;
use crate::plan::{Plan, Route};
use sunzi_dft::{Decimation, Direction};

/// What is computed of a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Columns(Direction, Decimation),
    Rows(Direction),
    /// Rows of one or two operands are multiplied as polynomials modulo x^n2 − 1.
    Products,
    Transposition,
    /// Residues modulo all primes become what they are residues of.
    Combination,
    /// All of an operation.
    All,
}

/// The files of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Input(usize),
    /// The matrix whose columns are transformed, modulo a prime, of each operand.
    Columns { prime: usize, operand: usize },
    /// The matrix whose rows are done, modulo a prime.
    Rows { prime: usize },
    /// A product modulo a prime that is one of several.
    Residues { prime: usize },
    Output,
}

/// The names of all files between passes.
pub(crate) const SCRATCH: [&str; 12] = [
    "columns-0-0",
    "columns-0-1",
    "rows-0",
    "residues-0",
    "columns-1-0",
    "columns-1-1",
    "rows-1",
    "residues-1",
    "columns-2-0",
    "columns-2-1",
    "rows-2",
    "residues-2",
];

impl Place {
    /// The name of the file, if it is one between passes.
    pub(crate) fn scratch(self) -> Option<&'static str> {
        let index = match self {
            Self::Columns { prime, operand } => 4 * prime + operand,
            Self::Rows { prime } => 4 * prime + 2,
            Self::Residues { prime } => 4 * prime + 3,
            Self::Input(_) | Self::Output => return None,
        };
        Some(SCRATCH[index])
    }
}

/// What is summed up of a vector, to be compared in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    Input(usize),
    Output,
}

/// A pass: from files to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stage {
    pub(crate) step: Step,
    /// The prime that it computes with, of those of the task.
    pub(crate) prime: usize,
    /// One, or one for each operand.
    pub(crate) sources: Vec<(Place, Bands)>,
    pub(crate) sink: (Place, Bands),
    /// What a band of it is summed up to, in turn.
    pub(crate) shares: Vec<Share>,
}

impl Plan {
    /// The passes of an operation with so many inputs.
    pub(crate) fn stages(&self, operation: Operation, inputs: usize) -> Vec<Stage> {
        use Bands::{Columns, Rows};
        let stage = |step, sources: &[(Place, Bands)], sink, shares: &[Share]| Stage {
            step,
            prime: 0,
            sources: sources.to_vec(),
            sink,
            shares: shares.to_vec(),
        };
        let direction = match operation {
            Operation::Transform { direction, .. } => direction,
            Operation::Product => Direction::Forward,
        };
        let [first, rows] = [
            Place::Columns {
                prime: 0,
                operand: 0,
            },
            Place::Rows { prime: 0 },
        ];
        let columns = || {
            stage(
                Step::Columns(direction, Decimation::InFrequency),
                &[(Place::Input(0), Columns)],
                (first, Columns),
                &[Share::Input(0)],
            )
        };
        match self.route {
            Route::InMemory => {
                let sources: Vec<_> = (0..inputs)
                    .map(|input| (Place::Input(input), Rows))
                    .collect();
                let mut shares: Vec<_> = (0..inputs).map(Share::Input).collect();
                shares.extend((operation == Operation::Product).then_some(Share::Output));
                vec![stage(Step::All, &sources, (Place::Output, Rows), &shares)]
            }
            Route::ToTransposed => vec![
                columns(),
                stage(
                    Step::Rows(direction),
                    &[(first, Rows)],
                    (Place::Output, Rows),
                    &[],
                ),
            ],
            Route::FromTransposed => vec![
                stage(
                    Step::Rows(direction),
                    &[(Place::Input(0), Rows)],
                    (first, Rows),
                    &[Share::Input(0)],
                ),
                stage(
                    Step::Columns(direction, Decimation::InTime),
                    &[(first, Columns)],
                    (Place::Output, Columns),
                    &[],
                ),
            ],
            Route::Natural => vec![
                columns(),
                stage(Step::Rows(direction), &[(first, Rows)], (rows, Rows), &[]),
                stage(
                    Step::Transposition,
                    &[(rows, Columns)],
                    (Place::Output, Rows),
                    &[],
                ),
            ],
            Route::Product | Route::Square if self.primes == 0 => {
                product(0, inputs, Place::Output, true)
            }
            Route::Product | Route::Square => {
                let of_prime =
                    |prime| product(prime, inputs, Place::Residues { prime }, prime == 0);
                let mut stages: Vec<_> = (0..self.primes).flat_map(of_prime).collect();
                let bands = self.combined_bands();
                let residues: Vec<_> = (0..self.primes)
                    .map(|prime| (Place::Residues { prime }, bands))
                    .collect();
                let combination = stage(
                    Step::Combination,
                    &residues,
                    (Place::Output, bands),
                    &[Share::Output],
                );
                stages.push(combination);
                stages
            }
        }
    }
}

/// The passes of a product modulo a prime, the inputs and the output of which may be summed up.
fn product(prime: usize, inputs: usize, to: Place, is_first: bool) -> Vec<Stage> {
    use Bands::{Columns, Rows};
    let columns = |operand| Stage {
        step: Step::Columns(Direction::Forward, Decimation::InFrequency),
        prime,
        sources: vec![(Place::Input(operand), Columns)],
        sink: (Place::Columns { prime, operand }, Columns),
        shares: Vec::from_iter(is_first.then_some(Share::Input(operand))),
    };
    let mut stages: Vec<_> = (0..inputs).map(columns).collect();
    stages.push(Stage {
        step: Step::Products,
        prime,
        sources: (0..inputs)
            .map(|operand| (Place::Columns { prime, operand }, Rows))
            .collect(),
        sink: (Place::Rows { prime }, Rows),
        shares: Vec::new(),
    });
    stages.push(Stage {
        step: Step::Columns(Direction::Inverse, Decimation::InTime),
        prime,
        sources: vec![(Place::Rows { prime }, Columns)],
        sink: (to, Columns),
        shares: Vec::from_iter((to == Place::Output).then_some(Share::Output)),
    });
    stages
}

/// The pass that writes what lies at a place.
pub(crate) fn writer(stages: &[Stage], place: Place) -> Option<usize> {
    stages.iter().position(|stage| stage.sink.0 == place)
}

/// The last pass that reads what a pass writes; itself for the last one.
pub(crate) fn reader(stages: &[Stage], writer: usize) -> usize {
    let place = stages[writer].sink.0;
    let reads = |stage: &Stage| stage.sources.iter().any(|source| source.0 == place);
    stages.iter().rposition(reads).unwrap_or(writer)
}
