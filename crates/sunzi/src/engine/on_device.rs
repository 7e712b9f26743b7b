//! What an engine keeps of a device.

use sunzi_gpu::Device;
use sunzi_gpu::products::{IntegerMultiplier, PolynomialMultiplier};

/// A device and its products.
#[derive(Debug)]
pub(super) struct OnDevice {
    device: Device,
    pub(super) polynomials: PolynomialMultiplier,
    pub(super) integers: IntegerMultiplier,
}

impl OnDevice {
    pub(super) fn new(device: &Device) -> Self {
        Self {
            device: device.clone(),
            polynomials: PolynomialMultiplier::new(device),
            integers: IntegerMultiplier::new(device),
        }
    }

    pub(super) fn device(&self) -> &Device {
        &self.device
    }
}

/// Rows of 32-bit words as limbs of 64 bits: the host's memory is little-endian wherever there are devices.
pub(super) fn limbs_of(words: &[u32]) -> Vec<u64> {
    let (pairs, odd) = words.as_chunks::<2>();
    let limb = |&[low, high]: &[u32; 2]| u64::from(low) | u64::from(high) << 32;
    pairs
        .iter()
        .map(limb)
        .chain(odd.iter().map(|&low| low.into()))
        .collect()
}
