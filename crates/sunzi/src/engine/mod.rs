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
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use sunzi_gpu::{Device, DeviceInfo, DeviceOptions, GpuError, Selection};

/// Multiplies batches on the device that fits them.
#[derive(Debug)]
pub struct Engine {
    multiplier: Multiplier,
    integer_polys: IntegerPolyRing,
    target: Target,
    options: DeviceOptions,
    on_device: AtomicU64,
    notices: Mutex<Vec<String>>,
}

/// Where an engine computes.
#[derive(Debug)]
enum Target {
    Processor,
    Device(OnDevice),
    /// Where it is faster; the GPU is looked for when it might be.
    Faster(OnceLock<Option<Gpu>>),
}

/// A GPU, and from where on it wins.
#[derive(Debug)]
struct Gpu {
    products: OnDevice,
    crossover: Crossover,
}

impl Engine {
    /// Computes where `choice` says, with the options of devices that the environment gives.
    ///
    /// [`DeviceChoice::Auto`] looks for a GPU when a batch is large enough to gain from one, and is content without.
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for is not there or cannot be used, or the environment's
    /// options cannot be understood.
    pub fn new(choice: DeviceChoice) -> Result<Self, EngineError> {
        Self::with_options(choice, DeviceOptions::from_env()?)
    }

    /// As [`Engine::new`], with options of devices.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn with_options(choice: DeviceChoice, options: DeviceOptions) -> Result<Self, EngineError> {
        Ok(Self {
            multiplier: Multiplier::new(),
            integer_polys: IntegerPolyRing::new(),
            target: match choice {
                DeviceChoice::Cpu => Target::Processor,
                DeviceChoice::Auto => Target::Faster(OnceLock::new()),
                DeviceChoice::Only(wanted) => {
                    Target::Device(OnDevice::new(&Device::open_with(wanted, &options)?))
                }
            },
            options,
            on_device: AtomicU64::new(0),
            notices: Mutex::default(),
        })
    }

    /// The device, if there is one that is open.
    pub fn device(&self) -> Option<&DeviceInfo> {
        self.products().map(|products| products.device().info())
    }

    /// How many products the device has computed.
    pub fn products_on_device(&self) -> u64 {
        self.on_device.load(Ordering::Relaxed)
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
            Target::Faster(gpu) => Some(&gpu.get()?.as_ref()?.products),
        }
    }

    /// A GPU that can be used, and from where on it wins; a notice tells what is wrong with one that cannot.
    fn look_for_gpu(&self) -> Option<Gpu> {
        let open = || {
            let products = OnDevice::new(&Device::open_with(Selection::Gpu, &self.options)?);
            let crossover = Crossover::new(&products, &self.multiplier)?;
            Ok(Gpu {
                products,
                crossover,
            })
        };
        match open() {
            Ok(gpu) => Some(gpu),
            Err(GpuError::NoDevice { .. }) => None,
            Err(unusable) => {
                self.notice(format!("the GPU is left alone: {unusable}"));
                None
            }
        }
    }

    /// What the device computes of a batch of `count` products, if that is the place; `None` if the processor has to,
    /// which is told where it was not to be expected.
    fn try_device<T>(
        &self,
        place: Place,
        count: usize,
        compute: impl FnOnce(&OnDevice) -> Result<T, GpuError>,
    ) -> Result<Option<T>, EngineError> {
        let Some(products) = self.products().filter(|_| place == Place::Device) else {
            return Ok(None);
        };
        match compute(products) {
            Ok(found) => {
                self.on_device.fetch_add(count as u64, Ordering::Relaxed);
                Ok(Some(found))
            }
            Err(error) => {
                let beyond_it = matches!(
                    error,
                    GpuError::OutOfMemory { .. } | GpuError::TooFewPrimes { .. }
                );
                // A device that fails is an error where it was asked for by name.
                if matches!(self.target, Target::Device(_)) && !beyond_it {
                    return Err(error.into());
                }
                self.notice(format!("computed on the processor instead: {error}"));
                Ok(None)
            }
        }
    }
}
