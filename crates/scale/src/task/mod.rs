//! What is done: an operation with its plan, as passes between matrices. A pure value.

pub(crate) mod band;
pub(crate) mod carry;
pub(crate) mod check;
pub(crate) mod combine;
pub(crate) mod entries;
pub(crate) mod stages;

use crate::matrix::{Bands, Layout, Matrix};
use crate::npy::Header;
use crate::plan::{Order, Plan, Route};
use crate::ranks::Deal;
use entries::Entries;
use stages::{Place, Stage, Step};
use sunzi_dft::Direction;
use sunzi_field::AnyField;

/// What is computed of vectors in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A transform; of an inverse one the order is that of its input.
    Transform { direction: Direction, order: Order },
    /// A product of two polynomials or integers, or the square of one.
    Product,
}

/// An input as its header tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    /// Its elements.
    pub(crate) elements: usize,
    /// Bytes of a word.
    pub(crate) word: usize,
    /// Whether words have a sign.
    pub(crate) is_signed: bool,
    /// Where the first word lies.
    pub(crate) start: u64,
}

/// An operation on entries, with its plan.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) entries: Entries,
    /// The fields that are computed in: that of the entries, or one for each prime of the plan.
    pub(crate) fields: Vec<AnyField>,
    pub(crate) operation: Operation,
    pub(crate) plan: Plan,
    pub(crate) inputs: Vec<Given>,
    /// Elements of the output.
    pub(crate) outputs: usize,
    /// Bytes of a word in memory and between passes.
    pub(crate) word: usize,
    /// Bytes of a word of the output, and words of an element of it.
    pub(crate) word_of_output: usize,
    pub(crate) digits_of_output: usize,
}

impl Operation {
    /// The route through files, with so many inputs.
    pub(crate) fn route(self, inputs: usize) -> Route {
        match self {
            Self::Transform {
                order: Order::Natural,
                ..
            } => Route::Natural,
            Self::Transform {
                direction: Direction::Forward,
                ..
            } => Route::ToTransposed,
            Self::Transform {
                direction: Direction::Inverse,
                ..
            } => Route::FromTransposed,
            Self::Product if inputs == 1 => Route::Square,
            Self::Product => Route::Product,
        }
    }

    /// Whether it is from values that are a matrix, and to values that become one.
    pub(crate) fn is_transposed(self) -> [bool; 2] {
        let is = |wanted| matches!(self, Self::Transform { direction, order: Order::Transposed } if direction == wanted);
        [Direction::Inverse, Direction::Forward].map(is)
    }

    /// Whether a transposition leads to the natural order, for which there are two buffers.
    pub(crate) fn is_to_natural(self) -> bool {
        matches!(
            self,
            Self::Transform {
                order: Order::Natural,
                ..
            }
        )
    }
}

impl Task {
    /// The passes.
    pub(crate) fn stages(&self) -> Vec<Stage> {
        self.plan.stages(self.operation, self.inputs.len())
    }

    /// Whether the product is found modulo several primes, and put together.
    pub(crate) fn is_combined(&self) -> bool {
        self.plan.primes > 0
    }

    /// Whether a pass moves or makes something from one buffer to another.
    pub(crate) fn has_spare(&self, stage: &Stage) -> bool {
        match stage.step {
            Step::Transposition | Step::Combination => true,
            Step::All => self.operation.is_to_natural() || self.is_combined(),
            // Entries become residues.
            Step::Columns(..) => self.is_combined() && matches!(stage.sources[0].0, Place::Input(_)),
            Step::Rows(_) | Step::Products => false,
        }
    }

    /// What limbs have left over behind bands whose shares are known: they end with it.
    pub(crate) fn carried(&self, shares: &[Vec<u64>]) -> u128 {
        match (&self.entries, shares.last().map(Vec::as_slice)) {
            (Entries::Limbs, Some([.., low, high])) => u128::from(*low) | u128::from(*high) << 64,
            _ => 0,
        }
    }

    /// Words of an element between passes.
    fn digits(&self) -> usize {
        self.fields[0].width()
    }

    /// How many bands a pass has.
    pub(crate) fn bands(&self, stage: &Stage) -> usize {
        let (place, bands) = stage.sources[0];
        self.matrix(place).count(bands)
    }

    /// The header of the output.
    pub(crate) fn header(&self) -> Header {
        let Plan { height, width, .. } = self.plan;
        let mut shape = match self.operation.is_transposed() {
            [_, true] => vec![height, width],
            _ => vec![self.outputs],
        };
        shape.extend((self.digits_of_output > 1).then_some(self.digits_of_output));
        Header {
            word: self.word_of_output,
            is_signed: false,
            shape,
        }
    }

    /// Where a value or a coefficient lies in the output.
    pub(crate) fn place_in_output(&self, index: usize) -> usize {
        let Plan { height, width, .. } = self.plan;
        match self.operation.is_transposed() {
            [_, true] => index % height * width + index / height,
            _ => index,
        }
    }

    /// How the matrix lies in a file.
    pub(crate) fn matrix(&self, place: Place) -> Matrix {
        let (plan, digits) = (&self.plan, self.digits());
        let tiles = Matrix {
            rows: plan.height,
            columns: plan.width,
            band_rows: plan.band_rows,
            band_columns: plan.band_columns,
            element: digits * self.word,
            start: 0,
            layout: Layout::Tiles,
            elements: plan.height * plan.width,
        };
        match place {
            Place::Rows { .. } if plan.route == Route::Natural => Matrix {
                band_columns: plan.moved_columns,
                ..tiles
            },
            Place::Columns { .. } | Place::Rows { .. } => tiles,
            Place::Residues { .. } => Matrix {
                band_rows: plan.combined_rows,
                ..tiles
            },
            Place::Input(number) => {
                let Given {
                    elements,
                    word,
                    start,
                    ..
                } = self.inputs[number];
                Matrix {
                    element: digits * word,
                    start,
                    layout: Layout::RowMajor,
                    elements,
                    ..tiles
                }
            }
            Place::Output => {
                let output = Matrix {
                    element: self.digits_of_output * self.word_of_output,
                    band_rows: plan.combined_rows,
                    start: self.header().bytes().len() as u64,
                    layout: Layout::RowMajor,
                    elements: self.outputs,
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

    /// The bands by which a matrix between passes is read.
    fn read_by(&self, place: Place) -> Option<Bands> {
        match place {
            Place::Input(_) | Place::Output => None,
            Place::Columns { .. } if self.plan.route == Route::FromTransposed => Some(Bands::Columns),
            Place::Columns { .. } => Some(Bands::Rows),
            Place::Rows { .. } => Some(Bands::Columns),
            Place::Residues { .. } => Some(self.plan.combined_bands()),
        }
    }

    /// Whether bands of what a pass writes are read as they are, by the rank that computes them.
    pub(crate) fn stays(&self, (place, bands): (Place, Bands)) -> bool {
        self.read_by(place) == Some(bands)
    }

    /// How a matrix between passes lies in the file of a rank: its tiles are those of the bands that the rank reads.
    pub(crate) fn share(&self, place: Place, deal: Deal) -> Matrix {
        let matrix = self.matrix(place);
        let Some(read) = self.read_by(place) else {
            return matrix;
        };
        let owned = deal.owned(matrix.count(read));
        let share = match read {
            Bands::Rows => Matrix {
                rows: owned * matrix.band_rows,
                ..matrix
            },
            Bands::Columns => Matrix {
                columns: owned * matrix.band_columns,
                ..matrix
            },
        };
        Matrix {
            elements: share.rows * share.columns,
            ..share
        }
    }

    /// Bytes of the longest band of a pass in memory.
    pub(crate) fn band_bytes(&self, stage: &Stage) -> usize {
        let ends = stage.sources.iter().map(|source| source.0);
        let elements = ends.chain([stage.sink.0]).map(|place| self.matrix(place).element);
        let longest = elements.fold(self.digits() * self.word, usize::max);
        self.band_elements(stage) * longest
    }

    /// Elements of a band of a pass.
    pub(crate) fn band_elements(&self, stage: &Stage) -> usize {
        let (place, bands) = stage.sources[0];
        self.matrix(place).band_elements(bands)
    }

    /// Where the first element of a band of a matrix lies that is given row by row, and how far it is to the next row and to the next
    /// column, counted in the order of the polynomial or the vector.
    pub(crate) fn indices(&self, bands: Bands, band: usize) -> [usize; 3] {
        let plan = &self.plan;
        let [down, across] = match self.operation.is_transposed() {
            [true, _] => [1, plan.height],
            _ => [plan.width, 1],
        };
        let start = match bands {
            Bands::Columns => band * plan.band_columns * across,
            // That is as many where nothing is put together.
            Bands::Rows => band * plan.combined_rows * down,
        };
        [start, down, across]
    }
}
