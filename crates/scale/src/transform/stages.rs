//! The passes of each route, and the matrices between them.

use crate::matrix::{Bands, Layout, Matrix};
use crate::npy::Header;
use crate::plan::{Order, Plan, Route};
use sunzi_dft::{Decimation, Direction};
use sunzi_field::AnyField;

/// What is computed of a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Columns(Decimation),
    Rows,
    Transposition,
    /// Columns and rows, or rows and columns, of all.
    All,
}

/// A pass of a route: from one file to the next.
pub(super) struct Stage {
    pub(super) step: Step,
    pub(super) source: (Place, Bands),
    pub(super) sink: (Place, Bands),
}

/// The files of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Input,
    /// The matrix behind the first pass.
    First,
    /// The matrix before a transposition.
    Second,
    Output,
}

impl Route {
    pub(super) fn stages(self) -> Vec<Stage> {
        use Bands::{Columns, Rows};
        let stage = |step, source, sink| Stage { step, source, sink };
        let columns = |decimation| Step::Columns(decimation);
        match self {
            Self::InMemory => vec![stage(
                Step::All,
                (Place::Input, Rows),
                (Place::Output, Rows),
            )],
            Self::ToTransposed => vec![
                stage(
                    columns(Decimation::InFrequency),
                    (Place::Input, Columns),
                    (Place::First, Columns),
                ),
                stage(Step::Rows, (Place::First, Rows), (Place::Output, Rows)),
            ],
            Self::FromTransposed => vec![
                stage(Step::Rows, (Place::Input, Rows), (Place::First, Rows)),
                stage(
                    columns(Decimation::InTime),
                    (Place::First, Columns),
                    (Place::Output, Columns),
                ),
            ],
            Self::Natural => vec![
                stage(
                    columns(Decimation::InFrequency),
                    (Place::Input, Columns),
                    (Place::First, Columns),
                ),
                stage(Step::Rows, (Place::First, Rows), (Place::Second, Rows)),
                stage(
                    Step::Transposition,
                    (Place::Second, Columns),
                    (Place::Output, Rows),
                ),
            ],
        }
    }
}

/// A transform with its plan: a pure value.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) field: AnyField,
    pub(super) direction: Direction,
    pub(super) order: Order,
    pub(super) plan: Plan,
    /// Bytes of a word in memory and between passes, in the input, and in the output.
    pub(super) word: usize,
    pub(super) word_of_input: usize,
    pub(super) word_of_output: usize,
    /// Where the first word of the input lies.
    pub(super) start_of_input: u64,
    /// Whether the input is a matrix of values.
    pub(super) is_given_transposed: bool,
}

impl Task {
    /// How many bands a pass has.
    pub(super) fn bands(&self, stage: &Stage) -> usize {
        let (place, bands) = stage.source;
        self.matrix(place).count(bands)
    }

    /// Whether the output is a matrix of values.
    fn is_found_transposed(&self) -> bool {
        self.order == Order::Transposed && self.direction == Direction::Forward
    }

    /// The header of the output.
    pub(super) fn header(&self) -> Header {
        let Plan { height, width, .. } = self.plan;
        let mut shape = match self.is_found_transposed() {
            true => vec![height, width],
            false => vec![height * width],
        };
        let digits = self.field.width();
        shape.extend((digits > 1).then_some(digits));
        Header {
            word: self.word_of_output,
            shape,
        }
    }

    /// Where a value or a coefficient lies in the output.
    pub(super) fn place_in_output(&self, index: usize) -> usize {
        let Plan { height, width, .. } = self.plan;
        match self.is_found_transposed() {
            true => index % height * width + index / height,
            false => index,
        }
    }

    /// How the matrix lies in a file.
    pub(super) fn matrix(&self, place: Place) -> Matrix {
        let plan = &self.plan;
        let [input, between, output] = plan.elements;
        let tiles = Matrix {
            rows: plan.height,
            columns: plan.width,
            band_rows: plan.band_rows,
            band_columns: plan.band_columns,
            element: between,
            start: 0,
            layout: Layout::Tiles,
        };
        match place {
            Place::First => tiles,
            Place::Second => Matrix {
                band_columns: plan.moved_columns,
                ..tiles
            },
            Place::Input => Matrix {
                element: input,
                start: self.start_of_input,
                layout: Layout::RowMajor,
                ..tiles
            },
            Place::Output => {
                let output = Matrix {
                    element: output,
                    start: self.header().bytes().len() as u64,
                    layout: Layout::RowMajor,
                    ..tiles
                };
                match plan.route {
                    // A band of columns has become one of rows.
                    Route::Natural => Matrix {
                        rows: plan.width,
                        columns: plan.height,
                        band_rows: plan.moved_columns,
                        band_columns: plan.height,
                        ..output
                    },
                    _ => output,
                }
            }
        }
    }
}
