//! `sunzi dft --scratch`.

use super::{OrderName, Vector};
use crate::args::Common;
use crate::ranks::Company;
use crate::report::Head;
use crate::through_files::text::Entries;
use crate::through_files::{self, Job};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use sunzi::field::AnyField;
use sunzi::scale::{FileTransform, Order, Plan};
use sunzi::transform::Direction;
use sunzi_files::failure::Failure;
use sunzi_files::input::npy::is_npy;
use sunzi_files::numbers::residues::Residues;

/// What the JSON form tells.
#[derive(Serialize)]
struct Details {
    matrix: Option<[usize; 2]>,
    /// Of order `points`.
    root_of_unity: String,
}

/// Transforms a vector through files.
pub(super) fn run(field: &AnyField, vector: &Vector, common: &Common) -> Result<(), Failure> {
    let (options, inputs) = (&vector.files, [&*vector.file]);
    let residues = Residues::new(field);
    let entries = Entries::Lines(&residues, field.word_bits() / 8);
    let is_text = [Some(&vector.file), common.output.as_ref()]
        .into_iter()
        .flatten()
        .any(|path| !is_npy(path));
    if is_text && vector.order == OrderName::Transposed {
        return Err(Failure::Usage(
            "a matrix of values is a file of NumPy's: with --order transposed X and -o have names that end in .npy".to_owned(),
        ));
    }
    let budget = vector.memory.budget();
    let company = &Company::join()?;
    options.refuse_device(vector.device.choice, company)?;
    let operation = format!("dft inverse={}", vector.inverse);
    let arrays = options.arrays(&operation, entries, &inputs, common, budget, company)?;
    let scratch = options.scratch();
    let mut transform = FileTransform::new(field, &arrays.inputs[0], &arrays.output, scratch)
        .direction(match vector.inverse {
            true => Direction::Inverse,
            false => Direction::Forward,
        })
        .order(match vector.order {
            OrderName::Natural => Order::Natural,
            OrderName::Transposed => Order::Transposed,
        })
        .within(vector.memory.budget())
        .fresh(options.fresh)
        .verify(!options.no_verify)
        .among(Arc::clone(&company.ranks));
    if options.scratch.is_none() {
        transform = transform.without_scratch();
    }
    let head = |plan: &Plan| {
        let mut inputs = vector.inputs(residues.prime(), plan.height * plan.width);
        inputs["order"] = json!(format!("{:?}", vector.order).to_lowercase());
        inputs["scratch"] = json!(
            options
                .scratch
                .as_ref()
                .map(|path| path.display().to_string())
        );
        Head::new("dft", inputs)
    };
    let details = |plan: &Plan| {
        let points = plan.height * plan.width;
        let row = field.root_of_unity_row(points.trailing_zeros());
        let mut root = Vec::new();
        residues.write(&row.unwrap_or_default(), &mut root);
        let is_matrix = vector.order == OrderName::Transposed && !vector.inverse;
        Details {
            matrix: is_matrix.then_some([plan.height, plan.width]),
            root_of_unity: String::from_utf8_lossy(&root).into_owned(),
        }
    };
    let job = Job {
        company,
        plan: &|| transform.plan(),
        start: &|| transform.start(),
        head: &head,
        details: &details,
    };
    through_files::run(options, common, entries, arrays, &job)
}
