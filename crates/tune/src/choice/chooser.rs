//! The choice of a shape at run time.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use crate::error::ModelError;

use super::model::AnchoredModel;

/// Sizes that are kept.
const MOST_KEPT: usize = 4096;

/// Chooses the shape that is predicted to be fastest, and keeps what it chose.
///
/// O(shapes) for new data, a look into a table for data seen before.
///
/// ```
/// use sunzi::tune::{AnchoredModel, Chooser, Constants, Description, Device, Sample};
///
/// let text = r#"
/// version = 1
/// [[kernel]]
/// name = "sums"
/// data = { n = { from = 1, to = 1000000 } }
/// program = { bx = { values = [32, 256] } }
/// block = ["bx"]
/// grid = ["ceil(n / bx)"]
/// "#;
/// let description = Description::parse(text, "sums.toml")?;
/// let device = Device::new(28, 64, 32, 1 << 21, 484.0);
/// let time = |n, bx, milliseconds| Sample { data: vec![n], shape: vec![bx], milliseconds };
/// let samples = [time(1000, 32, 0.2), time(1000, 256, 0.1), time(2000, 32, 0.4), time(2000, 256, 0.2)];
/// let kernel = description.kernel("sums").unwrap();
/// let chooser = Chooser::new(AnchoredModel::fit(kernel, &device, Constants::default(), &samples)?);
/// assert_eq!(*chooser.choose(&[4000])?, [256]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Chooser {
    model: AnchoredModel,
    kept: RwLock<HashMap<Vec<i64>, std::sync::Arc<[i64]>>>,
}

impl Chooser {
    /// A chooser by a model.
    pub fn new(model: AnchoredModel) -> Self {
        Chooser {
            model,
            kept: RwLock::default(),
        }
    }

    /// The model.
    pub fn model(&self) -> &AnchoredModel {
        &self.model
    }

    /// The shape for these data: a legal one for all that the description takes.
    ///
    /// # Errors
    /// Data out of the description's ranges, or blocks that are too large for all shapes.
    pub fn choose(&self, data: &[i64]) -> Result<std::sync::Arc<[i64]>, ModelError> {
        if let Some(shape) = self
            .kept
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(data)
        {
            return Ok(shape.clone());
        }
        let predicted = self.model.predict(data);
        let predicted = predicted.ok_or_else(|| ModelError::Data(data.to_vec()))?;
        let best = predicted.into_iter().min_by(|a, b| a.1.total_cmp(&b.1));
        let (shape, _) = best.ok_or_else(|| ModelError::NoShape(data.to_vec()))?;
        let shape: std::sync::Arc<[i64]> = shape.into();
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(data.to_vec(), shape.clone());
        Ok(shape)
    }
}
