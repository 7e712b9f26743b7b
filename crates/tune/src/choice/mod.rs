//! Choice of shapes by a model that is anchored on times measured at small sizes.

mod chooser;
mod device;
mod factors;
mod model;

pub use chooser::{ChoiceError, Chooser};
pub use device::{Device, DeviceError};
pub use factors::Constants;
pub use model::{AnchoredModel, FitError, Sample};
