//! One face for processor and GPU.
//!
//! An [`Engine`] multiplies batches of integers and polynomials. It decides for each batch where it is computed: on the
//! processor's cores, or on a GPU when there is one and the batch gains from it. What else GPUs do, from division to
//! determinants, it computes there where it is asked to. Results are the same, to the last
//! bit. What the processor would run for a row, and why, its plans tell.
//!
//! ```
//! use sunzi::Integer;
//! use sunzi::engine::{DeviceChoice, Engine};
//!
//! let engine = Engine::new(DeviceChoice::Auto)?;
//! let (a, b) = (Integer::from(-6), Integer::from(7));
//! let products = engine.multiply_integers(&[[&a, &b]], None)?;
//! assert_eq!(products.into_all()?, [Integer::from(-42)]);
//! # Ok::<(), sunzi::engine::EngineError>(())
//! ```

mod batch;
mod big_prime;
mod determinants;
mod device_products;
mod device_tree;
mod device_words;
mod euclid;
mod float_determinants;
mod integer_determinants;
mod integers;
mod on_device;
mod place;
mod polynomials;
mod residues;
mod transforms;
mod tree;

pub use batch::{Batch, EngineError};
pub use integers::IntegerProductPlan;
pub use tree::Tree;

use crate::{
    field::AnyField,
    integer::Multiplier,
    poly::{AnyPolyRing, IntegerPolyRing},
    tune::{ProcessorTuning, Tuning},
};
use on_device::OnDevice;
use place::Search;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use sunzi_device::{Device, DeviceInfo, DeviceOptions, GpuError, Selection};

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

/// Multiplies batches on the device that fits them.
///
/// Every operation takes rows of operands, and the algorithm that the user names or `None` for the one that fits. Named
/// algorithms are the processor's: a batch with one is computed there.
#[derive(Debug)]
pub struct Engine {
    multiplier: Multiplier,
    integer_polys: IntegerPolyRing,
    /// Thresholds of this processor, if they were measured.
    processor: Option<ProcessorTuning>,
    /// What nobody was told yet.
    warnings: Mutex<Vec<String>>,
    target: Target,
}

/// Where an engine computes.
#[derive(Debug)]
enum Target {
    Processor,
    Device(Box<OnDevice>),
    /// Where it is faster.
    Faster(Box<Search>),
}

/// What a device does to rows.
type OnDeviceWork<'a, R, T> = dyn Fn(&OnDevice, &[R]) -> Result<Vec<T>, EngineError> + 'a;

/// How a kind of rows is computed on either place.
struct Work<'a, R, T> {
    /// 32-bit words of a row's operands.
    words: &'a dyn Fn(&R) -> usize,
    on_device: &'a OnDeviceWork<'a, R, T>,
    on_processor: &'a (dyn Fn(&R) -> Result<T, EngineError> + Sync),
}

impl Engine {
    /// Computes where `choice` says, with the options of devices that the environment gives.
    ///
    /// [`DeviceChoice::Auto`] looks for a GPU when a batch is large enough to gain from one, and is content without.
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for is not there or cannot be used, or the environment's
    /// options for it cannot be understood. Where none was asked for, that is a warning, and only if there is a GPU.
    pub fn new(choice: DeviceChoice) -> Result<Self, EngineError> {
        match choice {
            DeviceChoice::Only(_) => Self::with_options(choice, DeviceOptions::from_env()?),
            DeviceChoice::Cpu => Ok(Self::at(Target::Processor)),
            DeviceChoice::Auto => Ok(Self::at(Target::Faster(Search::new(None).into()))),
        }
    }

    /// As [`Engine::new`], with options of devices.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn with_options(choice: DeviceChoice, options: DeviceOptions) -> Result<Self, EngineError> {
        Ok(Self::at(match choice {
            DeviceChoice::Cpu => Target::Processor,
            DeviceChoice::Auto => Target::Faster(Search::new(Some(options)).into()),
            DeviceChoice::Only(selection) => {
                return Ok(Self::on(&Device::open_with(selection, &options)?));
            }
        }))
    }

    /// Computes on a device that is open, whatever it costs.
    ///
    /// ```
    /// use sunzi::engine::Engine;
    /// use sunzi::gpu::{Device, Selection};
    ///
    /// if let Ok(device) = Device::open(Selection::Gpu) {
    ///     assert_eq!(Engine::on(&device).device(), Some(device.info()));
    /// }
    /// ```
    pub fn on(device: &Device) -> Self {
        Self::at(Target::Device(OnDevice::new(device).into()))
    }

    /// Cuts what it computes on the device as a tuning says, and takes the processor's algorithms from the lengths that it has for
    /// them. A tuning of another device is left alone, which a batch's warnings tell, and so is one of another processor.
    #[must_use]
    pub fn with_tuning(mut self, tuning: &Arc<Tuning>) -> Self {
        if tuning.device.is_some() {
            match &mut self.target {
                Target::Processor => {}
                Target::Device(opened) => **opened = OnDevice::with_tuning(opened.device(), tuning),
                Target::Faster(search) => search.tune(tuning),
            }
        }
        match &tuning.processor {
            Some(processor) if processor.is_for_this() => {
                self.multiplier = processor.multiplier();
                self.integer_polys = processor.integer_polys();
                self.processor = Some(processor.clone());
            }
            Some(foreign) => self.lock_warnings().push(format!(
                "lengths that were measured on {} are not used on this processor: measure anew",
                foreign.processor()
            )),
            None => {}
        }
        self
    }

    /// The ring of polynomials over a field, whose products the processor computes as the engine's tuning has it.
    ///
    /// ```
    /// use sunzi::engine::{DeviceChoice, Engine};
    /// use sunzi::field::AnyField;
    ///
    /// let engine = Engine::new(DeviceChoice::Cpu)?;
    /// let ring = engine.ring(&AnyField::modulo_word(7)?);
    /// let f = ring.polynomial(vec![1, 3])?;
    /// assert_eq!(*ring.mul(&f, &f)?.rows(), [1, 6, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ring(&self, field: &AnyField) -> AnyPolyRing {
        match &self.processor {
            Some(processor) => processor.ring(field),
            None => AnyPolyRing::new(field),
        }
    }

    /// The ring of polynomials over Z, as the engine's tuning has it.
    pub const fn integer_ring(&self) -> &IntegerPolyRing {
        &self.integer_polys
    }

    /// What is to be told of the engine itself, once. Batches tell it with their own warnings where nobody has asked before.
    pub fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.lock_warnings())
    }

    fn lock_warnings(&self) -> MutexGuard<'_, Vec<String>> {
        // A panic elsewhere leaves no sentence half-written.
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn at(target: Target) -> Self {
        Self {
            multiplier: Multiplier::new(),
            integer_polys: IntegerPolyRing::new(),
            processor: None,
            warnings: Mutex::default(),
            target,
        }
    }

    /// The device, if there is one that is open.
    pub fn device(&self) -> Option<&DeviceInfo> {
        self.opened().map(|opened| opened.device().info())
    }

    /// What computes on the device, if that is open.
    fn opened(&self) -> Option<&OnDevice> {
        match &self.target {
            Target::Processor => None,
            Target::Device(opened) => Some(opened),
            Target::Faster(search) => search.found(),
        }
    }

    /// The results of rows, on the device if there is one that they gain from; of rows that are beyond it, what the
    /// processor computes.
    fn run<R: Sync, T: Send>(
        &self,
        rows: &[R],
        work: &Work<'_, R, T>,
    ) -> Result<Batch<T>, EngineError> {
        let mut batch = Batch::new();
        let warnings = self.take_warnings();
        warnings.into_iter().for_each(|warning| batch.warn(warning));
        let words = rows.iter().map(work.words);
        match self.device_for(words, &mut batch) {
            Some(device) => self.divided(rows, device, work, &mut batch)?,
            None => batch.results = Batch::on_processor(rows, work.on_processor).results,
        }
        if let Some(opened) = self.opened() {
            let warnings = opened.device().take_warnings();
            warnings.into_iter().for_each(|warning| batch.warn(warning));
            batch.device = (batch.on_device > 0).then(|| opened.device().info().clone());
        }
        Ok(batch)
    }

    /// The device, if it is to compute products whose operands have these numbers of words.
    fn device_for<T>(
        &self,
        words: impl Iterator<Item = usize> + Clone,
        batch: &mut Batch<T>,
    ) -> Option<&OnDevice> {
        match &self.target {
            Target::Processor => None,
            Target::Device(device) => Some(device),
            Target::Faster(search) => match search.device_for(words, &self.multiplier) {
                Ok(device) => device,
                Err(unusable) => {
                    batch.warn(format!("the GPU is left alone: {unusable}"));
                    None
                }
            },
        }
    }

    /// Computes rows on the device. They are cut in two where they are beyond it, until it is clear which of them are.
    fn divided<R: Sync, T: Send>(
        &self,
        rows: &[R],
        device: &OnDevice,
        work: &Work<'_, R, T>,
        batch: &mut Batch<T>,
    ) -> Result<(), EngineError> {
        match (work.on_device)(device, rows) {
            Ok(found) => {
                batch.on_device += rows.len();
                batch.results.extend(found.into_iter().map(Ok));
            }
            Err(EngineError::Gpu(
                beyond @ (GpuError::OutOfMemory { .. }
                | GpuError::TooFewPrimes { .. }
                | GpuError::Limits { .. }),
            )) => {
                if let [row] = rows {
                    batch.warn(format!("computed on the processor instead: {beyond}"));
                    batch.results.push((work.on_processor)(row));
                } else {
                    let (low, high) = rows.split_at(rows.len() / 2);
                    self.divided(low, device, work, batch)?;
                    self.divided(high, device, work, batch)?;
                }
            }
            // A device that fails is an error where it was asked for by name, and is left alone where it was not.
            Err(error) => match (&self.target, error) {
                (Target::Faster(search), EngineError::Gpu(error)) => {
                    search.retire();
                    batch.warn(format!("the GPU is left alone from here on: {error}"));
                    let found = Batch::on_processor(rows, work.on_processor);
                    batch.results.extend(found.results);
                }
                (_, error) => return Err(error),
            },
        }
        Ok(())
    }
}
