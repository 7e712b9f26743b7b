//! `sunzi sparse generate`.

use super::reorder::write_matrix;
use crate::args::Common;
use crate::args::sparse::Generate;
use crate::error::Failure;
use crate::output::Output;
use crate::progress::Progress;
use crate::report::{Figures, timed};
use serde::Serialize;
use std::time::Instant;
use sunzi::linalg::sparse::CsrMatrix;
use sunzi::linalg::sparse::gallery::{Gallery, GalleryError, shuffled};

/// What is told of a matrix that went to a file, with `--json`.
#[derive(Serialize)]
struct Facts {
    command: &'static str,
    kind: String,
    seed: u64,
    permuted: bool,
    rows: usize,
    columns: usize,
    nonzeros: usize,
    #[serde(flatten)]
    figures: Figures,
}
