//! The passes of each route.

use super::Operation;
use crate::matrix::Bands;
use crate::plan::Route;
use sunzi_dft::{Decimation, Direction};

/// What is computed of a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Columns(Direction, Decimation),
    Rows(Direction),
    /// Rows of one or two operands are multiplied as polynomials modulo x^n2 − 1.
    Products,
    Transposition,
    /// All of an operation.
    All,
}

/// The files of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Input(usize),
    /// The matrix whose columns are transformed, of each operand.
    Columns(usize),
    /// The matrix whose rows are done.
    Rows,
    Output,
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
    /// One, or one for each operand.
    pub(crate) sources: Vec<(Place, Bands)>,
    pub(crate) sink: (Place, Bands),
    /// What a band of it is summed up to, in turn.
    pub(crate) shares: Vec<Share>,
}

impl Route {
    /// The passes of an operation with so many inputs.
    pub(crate) fn stages(self, operation: Operation, inputs: usize) -> Vec<Stage> {
        use Bands::{Columns, Rows};
        let stage = |step, sources: &[(Place, Bands)], sink, shares: &[Share]| Stage {
            step,
            sources: sources.to_vec(),
            sink,
            shares: shares.to_vec(),
        };
        let direction = match operation {
            Operation::Transform { direction, .. } => direction,
            Operation::Product => Direction::Forward,
        };
        let columns = |operand| {
            stage(
                Step::Columns(direction, Decimation::InFrequency),
                &[(Place::Input(operand), Columns)],
                (Place::Columns(operand), Columns),
                &[Share::Input(operand)],
            )
        };
        match self {
            Self::InMemory => {
                let sources: Vec<_> = (0..inputs)
                    .map(|input| (Place::Input(input), Rows))
                    .collect();
                let mut shares: Vec<_> = (0..inputs).map(Share::Input).collect();
                shares.extend((operation == Operation::Product).then_some(Share::Output));
                vec![stage(Step::All, &sources, (Place::Output, Rows), &shares)]
            }
            Self::ToTransposed => vec![
                columns(0),
                stage(
                    Step::Rows(direction),
                    &[(Place::Columns(0), Rows)],
                    (Place::Output, Rows),
                    &[],
                ),
            ],
            Self::FromTransposed => vec![
                stage(
                    Step::Rows(direction),
                    &[(Place::Input(0), Rows)],
                    (Place::Columns(0), Rows),
                    &[Share::Input(0)],
                ),
                stage(
                    Step::Columns(direction, Decimation::InTime),
                    &[(Place::Columns(0), Columns)],
                    (Place::Output, Columns),
                    &[],
                ),
            ],
            Self::Natural => vec![
                columns(0),
                stage(
                    Step::Rows(direction),
                    &[(Place::Columns(0), Rows)],
                    (Place::Rows, Rows),
                    &[],
                ),
                stage(
                    Step::Transposition,
                    &[(Place::Rows, Columns)],
                    (Place::Output, Rows),
                    &[],
                ),
            ],
            Self::Product | Self::Square => {
                let mut stages: Vec<_> = (0..inputs).map(columns).collect();
                let sources: Vec<_> = (0..inputs)
                    .map(|operand| (Place::Columns(operand), Rows))
                    .collect();
                stages.push(stage(Step::Products, &sources, (Place::Rows, Rows), &[]));
                stages.push(stage(
                    Step::Columns(Direction::Inverse, Decimation::InTime),
                    &[(Place::Rows, Columns)],
                    (Place::Output, Columns),
                    &[Share::Output],
                ));
                stages
            }
        }
    }
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
