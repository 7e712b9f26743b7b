//! `sunzi dft --scratch`: from a file to a file, in as little memory as there is.

use super::{OrderName, Vector, npy_output};
use crate::args::Common;
use crate::report::{Figures, Head, Report, timed};
use serde::Serialize;
use serde_json::json;
use std::path::Path;
use sunzi::engine::DeviceChoice;
use sunzi::field::AnyField;
use sunzi::scale::{FileTransform, Order, Plan, Resumed, ScaleError};
use sunzi::transform::Direction;
use sunzi_files::failure::{Failure, Place, shown};
use sunzi_files::input::npy::is_npy;
use sunzi_files::numbers::residues::Residues;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_machine::memory::peak_bytes;

/// What the JSON form tells.
#[derive(Serialize)]
struct Done {
    file: String,
    matrix: Option<[usize; 2]>,
    #[serde(rename = "type")]
    words: &'static str,
    /// Of order `points`.
    root_of_unity: String,
    passes: usize,
    /// The pass and the band at which it went on, from 1.
    resumed: Option<[usize; 2]>,
    bytes_read: u64,
    bytes_written: u64,
    peak_memory: Option<u64>,
}

/// What the JSON form tells of a plan.
#[derive(Serialize)]
struct Planned {
    passes: usize,
    matrix: [usize; 2],
    band_columns: usize,
    band_rows: usize,
    moved_columns: usize,
    element_bytes: [usize; 3],
    run_bytes: Vec<usize>,
    moved_bytes: u64,
    scratch_bytes: u64,
    memory_bytes: u64,
}

/// Transforms a vector through files.
pub(super) fn run(field: &AnyField, vector: &Vector, common: &Common) -> Result<(), Failure> {
    let mut figures = Figures::start();
    let usage = |sentence: &str| Failure::Usage(sentence.to_owned());
    if let DeviceChoice::Only(_) = vector.device.choice {
        return Err(usage(
            "transforms through files are computed on the processor: leave --device out",
        ));
    }
    if !is_npy(&vector.file) {
        return Err(Failure::Usage(format!(
            "{}: with --scratch the vector is a file of NumPy's, whose name ends in .npy: numpy.save writes one, and so does \
             `sunzi dft` where it fits memory",
            shown(&vector.file)
        )));
    }
    let (output, scratch) = match (npy_output(common), &vector.files.scratch) {
        (Some(output), Some(scratch)) => (output, scratch),
        // A plan needs no name for its values.
        (None, Some(scratch)) if vector.files.plan => (Path::new("y.npy"), scratch),
        _ => {
            return Err(usage(
                "with --scratch the values go to a file of NumPy's: name it by -o, as in -o y.npy",
            ));
        }
    };
    let transform = FileTransform::new(field, &vector.file, output, scratch)
        .direction(match vector.inverse {
            true => Direction::Inverse,
            false => Direction::Forward,
        })
        .order(match vector.files.order {
            OrderName::Natural => Order::Natural,
            OrderName::Transposed => Order::Transposed,
        })
        .within(vector.memory.budget())
        .fresh(vector.files.fresh)
        .verify(!vector.files.no_verify);
    let residues = Residues::new(field);
    let head = |plan: &Plan| {
        let mut inputs = vector.inputs(residues.prime(), plan.height * plan.width);
        inputs["order"] = json!(format!("{:?}", vector.files.order).to_lowercase());
        inputs["scratch"] = json!(scratch.display().to_string());
        Head::new("dft", inputs)
    };
    let failure = |error| failure(vector, error);
    if vector.files.plan {
        let plan = transform.plan().map_err(failure)?;
        let report = Report {
            head: head(&plan),
            result: planned(&plan),
            figures: figures.ended(),
        };
        return report.write(Output::create(None)?, common.json, |_| format!("{plan}\n"));
    }
    let progress = Progress::of("transforming");
    let started = transform.start().map_err(failure)?;
    let plan = *started.plan();
    if let Some(Resumed { pass, band, bands }) = started.resumed() {
        let what = match band <= bands {
            true => format!("band {band} of {bands}"),
            false => "the comparison of values".to_owned(),
        };
        progress.warn(&format!(
            "an earlier command has begun this: it goes on with pass {pass} of {}, {what} (--fresh begins anew)",
            plan.passes()
        ));
    }
    let report = timed(&mut figures.seconds.computing, || {
        progress.watch(|| started.finish())
    });
    let report = report.map_err(failure)?;
    if let Some(why) = &report.left {
        progress.warn(&format!(
            "the result is complete, but its scratch files are not all removed: {why}"
        ));
    }
    drop(progress);
    if !common.json {
        return Ok(());
    }
    figures.chosen("through-files", plan.to_string());
    let mut root = Vec::new();
    let points = plan.height * plan.width;
    let row = field.root_of_unity_row(points.trailing_zeros());
    residues.write(&row.unwrap_or_default(), &mut root);
    let is_matrix = vector.files.order == OrderName::Transposed && !vector.inverse;
    let result = Done {
        file: output.display().to_string(),
        matrix: is_matrix.then_some([plan.height, plan.width]),
        words: match report.word {
            4 => "uint32",
            _ => "uint64",
        },
        root_of_unity: String::from_utf8_lossy(&root).into_owned(),
        passes: plan.passes(),
        resumed: report.resumed.map(|resumed| [resumed.pass, resumed.band]),
        bytes_read: report.read,
        bytes_written: report.written,
        peak_memory: peak_bytes(),
    };
    let report = Report {
        head: head(&plan),
        result,
        figures: figures.ended(),
    };
    report.write(Output::create(None)?, true, |_| String::new())
}

fn planned(plan: &Plan) -> Planned {
    Planned {
        passes: plan.passes(),
        matrix: [plan.height, plan.width],
        band_columns: plan.band_columns,
        band_rows: plan.band_rows,
        moved_columns: plan.moved_columns,
        element_bytes: plan.elements,
        run_bytes: plan.runs(),
        moved_bytes: plan.moved(),
        scratch_bytes: plan.scratch(),
        memory_bytes: plan.memory,
    }
}

/// Wrong input ends with another code than a failure on the way.
fn failure(vector: &Vector, error: ScaleError) -> Failure {
    let place = |file: String| Place {
        file,
        line: None,
        column: None,
    };
    match error {
        ScaleError::Input { path, problem } => Failure::Input {
            place: place(shown(&path)),
            problem,
        },
        ScaleError::Disk {
            path,
            action,
            source,
        } if path == vector.file => Failure::Input {
            place: place(shown(&path)),
            problem: format!(
                "the file {action}: {}",
                sunzi_files::failure::reason(&source)
            ),
        },
        ScaleError::Output { path, problem } => {
            Failure::Usage(format!("{}: {problem}", shown(&path)))
        }
        ScaleError::Disk { ref path, .. } if Some(path) == vector.files.scratch.as_ref() => {
            Failure::Usage(error.to_string())
        }
        ScaleError::Dft(error) => Failure::Computation(format!("{}: {error}", shown(&vector.file))),
        other => Failure::Computation(other.to_string()),
    }
}
