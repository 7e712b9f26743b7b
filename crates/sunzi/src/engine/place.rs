//! Where a batch gains.

use super::Engine;
use sunzi_gpu::{Device, DeviceOptions};

/// Where a batch is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// On the processor's cores.
    Processor,
    /// On the engine's device.
    Device,
}

/// From where on a device is faster than the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crossover {}

impl Crossover {
    pub(super) fn new(_device: &Device, _options: &DeviceOptions) -> Self {
        Self {}
    }
}

impl Engine {
    /// Where products of operands with so many words, both together, are computed.
    pub(super) fn place(&self, _words: impl Iterator<Item = usize>) -> Place {
        match (&self.on_device, &self.crossover) {
            (None, _) => Place::Processor,
            (Some(_), None) => Place::Device,
            (Some(_), Some(_)) => Place::Processor,
        }
    }
}
