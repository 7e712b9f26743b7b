//! `sunzi sparse generate`.

use super::write::{Form, write_entries, write_matrix};
use crate::args::Common;
use crate::args::sparse::Generate;
use crate::report::{Figures, timed};
use serde::Serialize;
use std::time::Instant;
use sunzi::linalg::sparse::CsrMatrix;
use sunzi::linalg::sparse::gallery::{Gallery, GalleryError, shuffled};
use sunzi_files::error::Failure;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;

/// What the JSON form tells before the entries.
#[derive(Serialize)]
struct Facts {
    command: &'static str,
    kind: String,
    seed: u64,
    permuted: bool,
    rows: usize,
    columns: usize,
    nonzeros: usize,
}

/// Makes a matrix.
pub fn run(wanted: &Generate, common: &Common) -> Result<(), Failure> {
    let start = Instant::now();
    let mut figures = Figures::new();
    let kind: Gallery = wanted
        .kind
        .parse()
        .map_err(|error: GalleryError| Failure::Usage(error.to_string()))?;
    let form = Form::new(wanted.form, common)?;
    let output = Output::create(common.output.as_deref())?;
    let progress = Progress::without_total("generating");
    let matrix = timed(&mut figures.seconds.computing, || {
        let matrix = kind.generate(wanted.seed)?;
        Ok(match wanted.permuted {
            true => shuffled(&matrix, wanted.seed).0,
            false => matrix,
        })
    });
    let matrix: CsrMatrix<f64> = matrix.map_err(refusal)?;
    let (rows, columns, nonzeros) = (matrix.rows(), matrix.columns(), matrix.nnz());
    let permuted = if wanted.permuted { " --permuted" } else { "" };
    let comment = format!(
        "sunzi sparse generate {kind} --seed {}{permuted}",
        wanted.seed
    );
    let symmetry = form.symmetry(&kind.to_string(), &matrix)?;
    let mut results = Results::new(output, common.json);
    results.facts(|| Facts {
        command: "sparse generate",
        kind: kind.to_string(),
        seed: wanted.seed,
        permuted: wanted.permuted,
        rows,
        columns,
        nonzeros,
    })?;
    drop(progress);
    timed(&mut figures.seconds.writing, || match common.json {
        true => write_entries(&matrix, &mut results),
        false => write_matrix(&matrix, symmetry, &comment, &mut results),
    })?;
    figures.seconds.total = start.elapsed().as_secs_f64();
    results.close(|| figures)?.finish()
}

/// Sizes that are out of range are wrong usage; what is too large for this machine is not.
fn refusal(error: GalleryError) -> Failure {
    match error {
        GalleryError::Name(_) | GalleryError::Parameters { .. } | GalleryError::Range(_) => {
            Failure::Usage(error.to_string())
        }
        _ => Failure::Computation(error.to_string()),
    }
}
