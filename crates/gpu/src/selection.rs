//! Which device to take.

use crate::GpuError;
use crate::backend::Backend;
use std::fmt;
use std::str::FromStr;

/// Which device is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selection {
    /// The first GPU: by CUDA if that can be used, by OpenCL otherwise.
    Gpu,
    /// A GPU if there is one, or else whatever OpenCL offers: a processor too.
    Any,
    /// A device of one interface: the one of that number in [`survey`](crate::survey), or its first GPU, or else its
    /// first device.
    Of(Backend, Option<usize>),
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gpu => f.write_str("gpu"),
            Self::Any => f.write_str("any"),
            Self::Of(backend, None) => f.write_str(backend.name()),
            Self::Of(backend, Some(index)) => write!(f, "{}:{index}", backend.name()),
        }
    }
}

impl FromStr for Selection {
    type Err = GpuError;

    /// Reads `gpu`, `any`, `cuda`, `opencl`, or one of the latter two with `:` and a number.
    fn from_str(text: &str) -> Result<Self, GpuError> {
        let wrong = || {
            GpuError::Shape(format!(
                "`{text}` is no device: the names are gpu, any, cuda, opencl, and cuda:N and opencl:N with a number"
            ))
        };
        let (name, index) = match text.split_once(':') {
            Some((name, index)) => (name, Some(index.parse().map_err(|_| wrong())?)),
            None => (text, None),
        };
        match (name, index) {
            ("gpu", None) => Ok(Self::Gpu),
            ("any", None) => Ok(Self::Any),
            ("cuda", index) => Ok(Self::Of(Backend::Cuda, index)),
            ("opencl", index) => Ok(Self::Of(Backend::OpenCl, index)),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_shown() {
        for name in ["gpu", "any", "cuda", "opencl", "cuda:3", "opencl:0"] {
            assert_eq!(name.parse::<Selection>().unwrap().to_string(), name);
        }
        for wrong in ["", "cpu", "gpu:1", "opencl:", "opencl:-1", "cuda:x"] {
            assert!(wrong.parse::<Selection>().is_err(), "{wrong}");
        }
    }
}
