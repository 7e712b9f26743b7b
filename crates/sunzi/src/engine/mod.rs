//! One face for processor and GPU.
//!
//! An [`Engine`] multiplies batches of integers and polynomials. It decides for each batch where it is computed: on the
//! processor's cores, or on a GPU when there is one and the batch gains from it. Results are the same, to the last
//! bit.
//!
//! ```
//! use dashu_int::IBig;
//! use sunzi::engine::{DeviceChoice, Engine};
//!
//! let engine = Engine::new(DeviceChoice::Auto)?;
//! let (a, b) = (IBig::from(-6), IBig::from(7));
//! assert_eq!(engine.multiply_integers(&[[&a, &b]])?, [IBig::from(-42)]);
//! # Ok::<(), sunzi::engine::EngineError>(())
//! ```

mod choice;
mod error;
mod integers;
mod modular;
mod on_device;
mod place;
mod polynomials;

pub use choice::DeviceChoice;
pub use error::EngineError;
pub use modular::DeviceField;
pub use place::Place;

use crate::integer::Multiplier;
use crate::poly::IntegerPolyRing;
use on_device::OnDevice;
use place::Crossover;
use std::sync::{Mutex, PoisonError};
use sunzi_gpu::{Device, DeviceInfo, DeviceOptions, GpuError};

/// Multiplies batches on the device that fits them.
#[derive(Debug)]
pub struct Engine {
    multiplier: Multiplier,
    integer_polys: IntegerPolyRing,
    on_device: Option<OnDevice>,
    /// Where both could compute; `None` if the user said where.
    crossover: Option<Crossover>,
    notices: Mutex<Vec<String>>,
}

impl Engine {
    /// Computes where `choice` says, with the options of devices that the environment gives.
    ///
    /// [`DeviceChoice::Auto`] takes a GPU if there is one that can be used, and is content without.
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for is not there or cannot be used.
    pub fn new(choice: DeviceChoice) -> Result<Self, EngineError> {
        match choice {
            DeviceChoice::Cpu => Ok(Self::on(None, None)),
            _ => Self::with_options(choice, &DeviceOptions::from_env()?),
        }
    }

    /// As [`Engine::new`], with options of devices.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn with_options(
        choice: DeviceChoice,
        options: &DeviceOptions,
    ) -> Result<Self, EngineError> {
        match choice {
            DeviceChoice::Cpu => Ok(Self::on(None, None)),
            DeviceChoice::Only(wanted) => {
                let device = Device::open_with(wanted, options)?;
                Ok(Self::on(Some(&device), None))
            }
            DeviceChoice::Auto => match Device::open_with(sunzi_gpu::Selection::Gpu, options) {
                Ok(device) => Ok(Self::on(
                    Some(&device),
                    Some(Crossover::new(&device, options)),
                )),
                Err(GpuError::NoDevice { .. }) => Ok(Self::on(None, None)),
                Err(unusable) => {
                    let engine = Self::on(None, None);
                    engine.notice(format!("the GPU is left alone: {unusable}"));
                    Ok(engine)
                }
            },
        }
    }

    fn on(device: Option<&Device>, crossover: Option<Crossover>) -> Self {
        Self {
            multiplier: Multiplier::new(),
            integer_polys: IntegerPolyRing::new(),
            on_device: device.map(OnDevice::new),
            crossover,
            notices: Mutex::default(),
        }
    }

    /// The GPU, or whatever device was asked for; `None` for the processor.
    pub fn device(&self) -> Option<&DeviceInfo> {
        self.on_device
            .as_ref()
            .map(|on_device| on_device.device().info())
    }

    /// What went another way than asked without being an error: that a product was computed on the processor since the
    /// device's memory did not suffice, say. Each is told once.
    pub fn take_notices(&self) -> Vec<String> {
        let mut notices =
            std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(on_device) = &self.on_device {
            notices.extend(on_device.device().take_notices());
        }
        notices
    }

    fn notice(&self, text: String) {
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        if !notices.contains(&text) {
            notices.push(text);
        }
    }

    /// What computes on the device, if that is the place.
    fn on_device_for(&self, place: Place) -> Option<&OnDevice> {
        self.on_device.as_ref().filter(|_| place == Place::Device)
    }

    /// What the device computed; or `None`, with a notice, if it could not and the processor has to.
    ///
    /// A device that is lost is an error where the user asked for it by name.
    fn or_processor<T>(&self, computed: Result<T, GpuError>) -> Result<Option<T>, EngineError> {
        match computed {
            Ok(found) => Ok(Some(found)),
            Err(error @ (GpuError::OutOfMemory { .. } | GpuError::TooFewPrimes { .. })) => {
                self.notice(format!("computed on the processor: {error}"));
                Ok(None)
            }
            Err(error) if self.crossover.is_some() => {
                self.notice(format!("computed on the processor: {error}"));
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }
}
