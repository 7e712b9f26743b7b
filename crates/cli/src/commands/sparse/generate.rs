//! `sunzi sparse generate`.

use super::write::WrittenForm;
use super::write::{Form, write_entries, write_matrix};
use crate::args::Common;
use crate::commands::Run;
use crate::report::{Figures, Head, Tail, timed};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use sunzi::sparse::{
    CsrMatrix, SparseError,
    test_matrices::{TestMatrix, shuffled},
};
use sunzi_files::failure::Failure;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;

/// Which matrix is made.
#[derive(Debug, Args)]
#[command(after_help = "KIND is one of
  chessboard:M,N,K   boundary of placements of rooks on an M by N board (SuiteSparse's chM-N-bK)
  matching:N,K       boundary of matchings among N points (SuiteSparse's mkN-bK)
  grid2d:X,Y         finite differences on a grid, 5 points; grid2d9: finite elements, 9 points
  grid3d:X,Y,Z       the same in space, 7 points; grid3d27: 27 points
  rmat:LOG2N,DEGREE  a random graph with few popular nodes
  circuit:NODES      a circuit, with rails that reach everywhere
  lp:COLUMNS         a linear program: blocks along the diagonal, and rows that link them
What is random depends on --seed alone. The matrix is written as a Matrix Market file, whose comment tells
how it was made; compressed by gzip if the name of the file ends in .gz.

Examples:
  sunzi sparse generate grid2d:100,100 -o grid.mtx
  sunzi sparse generate grid2d:100,100 --symmetric -o grid.mtx.gz
  sunzi sparse generate chessboard:8,8,2 --permuted --seed 7 -o m.mtx
  sunzi sparse generate rmat:10,8 | sunzi sparse info -")]
pub struct Generate {
    /// The kind of matrix, and its sizes
    #[arg(value_name = "KIND")]
    pub kind: String,
    /// Which of all random matrices and permutations
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Put rows and columns into random orders
    #[arg(long)]
    pub permuted: bool,
    #[command(flatten)]
    pub form: WrittenForm,
}

/// What the JSON form tells beside the entries.
#[derive(Serialize)]
struct Details {
    rows: usize,
    columns: usize,
    nonzeros: usize,
}

impl Run for Generate {
    /// Makes a matrix.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let kind: TestMatrix = self
            .kind
            .parse()
            .map_err(|error: SparseError| Failure::Usage(error.to_string()))?;
        let form = Form::new(self.form, common)?;
        let output = Output::create(common.output.as_deref())?;
        let progress = Progress::of("generating");
        let matrix = timed(&mut figures.seconds.computing, || {
            let matrix = kind.generate(self.seed)?;
            Ok(match self.permuted {
                true => shuffled(&matrix, self.seed).0,
                false => matrix,
            })
        });
        let matrix: CsrMatrix<f64> = matrix.map_err(refusal)?;
        let (rows, columns, nonzeros) = (matrix.rows(), matrix.columns(), matrix.nnz());
        let permuted = if self.permuted { " --permuted" } else { "" };
        let comment = format!(
            "sunzi sparse generate {kind} --seed {}{permuted}",
            self.seed
        );
        let symmetry = form.symmetry(&kind.to_string(), &matrix)?;
        let mut results = Results::new(output, common.json);
        results.facts(|| {
            let inputs = json!({
                "kind": kind.to_string(),
                "seed": self.seed,
                "permuted": self.permuted,
            });
            Head::new("sparse generate", inputs)
        })?;
        drop(progress);
        timed(&mut figures.seconds.writing, || match common.json {
            true => write_entries(&matrix, &mut results),
            false => write_matrix(&matrix, symmetry, &comment, &mut results),
        })?;
        let tail = || Tail {
            details: Details {
                rows,
                columns,
                nonzeros,
            },
            figures: figures.ended(),
        };
        results.close(tail)?.finish()
    }
}

/// Sizes that are out of range are wrong usage; what is too large for this machine is not.
fn refusal(error: SparseError) -> Failure {
    match error {
        SparseError::Family(_) | SparseError::Parameters { .. } | SparseError::Range(_) => {
            Failure::Usage(error.to_string())
        }
        _ => Failure::Computation(error.to_string()),
    }
}
