//! Choice of shapes by a model that is anchored on times measured at small sizes.

mod chooser;
mod code;
mod constants;
mod device;
mod growth;
mod launch;
mod model;
mod sampling;
mod traffic;
mod waves;

pub use chooser::Chooser;
pub use constants::Constants;
pub use device::Device;
pub use model::{AnchoredModel, DataRange, MeasuredShape, Sample};
pub use sampling::{Sampled, Sampling, SamplingError};
