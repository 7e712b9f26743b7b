//! Where the user wants to compute.

use std::fmt;
use std::str::FromStr;
use sunzi_gpu::{GpuError, Selection};

/// Where to compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DeviceChoice {
    /// Wherever it is faster.
    #[default]
    Auto,
    /// On the processor.
    Cpu,
    /// On this device, whatever it costs.
    Only(Selection),
}

impl FromStr for DeviceChoice {
    type Err = GpuError;

    /// Reads `auto`, `cpu`, or a [`Selection`].
    fn from_str(text: &str) -> Result<Self, GpuError> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            other => other.parse().map(Self::Only),
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Only(selection) => selection.fmt(f),
        }
    }
}
