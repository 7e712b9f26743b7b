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

use crate::integer::Multiplier;
use crate::poly::IntegerPolyRing;
use on_device::OnDevice;
use place::Search;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use sunzi_gpu::{Device, DeviceInfo, DeviceOptions, GpuError};

/// Multiplies batches on the device that fits them.
#[derive(Debug)]
pub struct Engine {
    multiplier: Multiplier,
    integer_polys: IntegerPolyRing,
    target: Target,
    computed_on_device: AtomicU64,
    notices: Mutex<Vec<String>>,
}

/// Where an engine computes.
#[derive(Debug)]
enum Target {
    Processor,
    Device(OnDevice),
    /// Where it is faster.
    Faster(Search),
}

impl Engine {
    /// Computes where `choice` says, with the options of devices that the environment gives.
    ///
    /// [`DeviceChoice::Auto`] looks for a GPU when a batch is large enough to gain from one, and is content without.
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for is not there or cannot be used, or the environment's
    /// options for it cannot be understood. Where none was asked for, that is a notice, and only if there is a GPU.
    pub fn new(choice: DeviceChoice) -> Result<Self, EngineError> {
        match choice {
            DeviceChoice::Only(_) => Self::with_options(choice, DeviceOptions::from_env()?),
            DeviceChoice::Cpu => Ok(Self::at(Target::Processor)),
            DeviceChoice::Auto => Ok(Self::at(Target::Faster(Search::new(None)))),
        }
    }

    /// As [`Engine::new`], with options of devices.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn with_options(choice: DeviceChoice, options: DeviceOptions) -> Result<Self, EngineError> {
        Ok(Self::at(match choice {
            DeviceChoice::Cpu => Target::Processor,
            DeviceChoice::Auto => Target::Faster(Search::new(Some(options))),
            DeviceChoice::Only(wanted) => {
                Target::Device(OnDevice::new(&Device::open_with(wanted, &options)?))
            }
        }))
    }

    fn at(target: Target) -> Self {
        Self {
            multiplier: Multiplier::new(),
            integer_polys: IntegerPolyRing::new(),
            target,
            computed_on_device: AtomicU64::new(0),
            notices: Mutex::default(),
        }
    }

    /// The device, if there is one that is open.
    pub fn device(&self) -> Option<&DeviceInfo> {
        self.products().map(|products| products.device().info())
    }

    /// How many products the device has computed.
    pub fn products_on_device(&self) -> u64 {
        self.computed_on_device.load(Ordering::Relaxed)
    }

    /// What went another way than asked without being an error: that a product was computed on the processor since the
    /// device's memory did not suffice, say. Each is told once.
    pub fn take_notices(&self) -> Vec<String> {
        let mut notices =
            std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner));
        notices.extend(
            self.products()
                .iter()
                .flat_map(|products| products.device().take_notices()),
        );
        notices
    }

    fn notice(&self, text: String) {
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        if !notices.contains(&text) {
            notices.push(text);
        }
    }

    /// What computes on the device, if that is open.
    fn products(&self) -> Option<&OnDevice> {
        match &self.target {
            Target::Processor => None,
            Target::Device(products) => Some(products),
            Target::Faster(search) => search.found(),
        }
    }

    /// Tells that something is computed on the processor, if a device was asked for.
    fn told_if_asked_for(&self, what: &str) {
        if let Target::Device(_) = self.target {
            self.notice(format!("{what} are computed on the processor"));
        }
    }

    /// The products of pairs of operands that have so many words, if they are for a device; of those pairs that are
    /// beyond it, what the processor computes.
    fn on_device<T: Copy, R>(
        &self,
        pairs: &[T],
        words: impl Iterator<Item = usize> + Clone,
        on_device: impl Fn(&OnDevice, &[T]) -> Result<Vec<R>, GpuError>,
        on_processor: impl Fn(&[T]) -> Result<Vec<R>, EngineError>,
    ) -> Result<Option<Vec<R>>, EngineError> {
        match self.device_for(words) {
            Some(device) => self.divided(pairs, device, &on_device, &on_processor),
            None => Ok(None),
        }
    }

    /// The same, with the batch cut in two where it is beyond the device, until it is clear which pairs are.
    fn divided<T: Copy, R>(
        &self,
        pairs: &[T],
        device: &OnDevice,
        on_device: &impl Fn(&OnDevice, &[T]) -> Result<Vec<R>, GpuError>,
        on_processor: &impl Fn(&[T]) -> Result<Vec<R>, EngineError>,
    ) -> Result<Option<Vec<R>>, EngineError> {
        match on_device(device, pairs) {
            Ok(found) => {
                self.computed_on_device
                    .fetch_add(pairs.len() as u64, Ordering::Relaxed);
                Ok(Some(found))
            }
            Err(
                beyond @ (GpuError::OutOfMemory { .. }
                | GpuError::TooFewPrimes { .. }
                | GpuError::Limits { .. }),
            ) => {
                if pairs.len() == 1 {
                    self.notice(format!("computed on the processor instead: {beyond}"));
                    return on_processor(pairs).map(Some);
                }
                let (low, high) = pairs.split_at(pairs.len() / 2);
                let mut all = Vec::with_capacity(pairs.len());
                for half in [low, high] {
                    match self.divided(half, device, on_device, on_processor)? {
                        Some(found) => all.extend(found),
                        None => all.extend(on_processor(half)?),
                    }
                }
                Ok(Some(all))
            }
            Err(error) => match &self.target {
                // A device that fails is an error where it was asked for by name, and is left alone where it was not.
                Target::Faster(search) => {
                    search.retire();
                    self.notice(format!("the GPU is left alone from here on: {error}"));
                    Ok(None)
                }
                _ => Err(error.into()),
            },
        }
    }

    /// The device, if a batch of products of operands with so many words is for it.
    fn device_for(&self, words: impl Iterator<Item = usize> + Clone) -> Option<&OnDevice> {
        match &self.target {
            Target::Processor => None,
            Target::Device(device) => Some(device),
            Target::Faster(search) => match search.device_for(words, &self.multiplier) {
                Ok(device) => device,
                Err(unusable) => {
                    self.notice(format!("the GPU is left alone: {unusable}"));
                    None
                }
            },
        }
    }
}
