//! Choice of shapes by a model that is anchored on times measured at small sizes.

mod chooser;
mod code;
mod constants;
mod device;
mod growth;
mod model;
mod sampling;
mod traffic;
mod waves;

pub use chooser::{ChoiceError, Chooser};
pub use constants::Constants;
pub use device::{Device, DeviceError};
pub use model::{AnchoredModel, DataRange, FitError, MeasuredShape, ModelError, Sample};
pub use sampling::{Sampled, Sampling, SamplingError};
