//! What the choice knows of a device.

use std::collections::HashMap;

use crate::error::ModelError;
use crate::models::MultiprocessorLimits;
use serde::{Deserialize, Serialize};

use crate::description::{DescriptionError, Problem};

/// Blocks that reside on a multiprocessor of a capability that is not listed: as on the latest.
const BLOCKS: u64 = 32;

/// Limits of a device that decide how long waves of blocks take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// Streaming multiprocessors.
    pub multiprocessors: u64,
    /// Warps that reside on a multiprocessor.
    pub warps: u64,
    /// Blocks that reside on a multiprocessor.
    pub blocks: u64,
    /// Bytes of a multiprocessor's first-level cache, if known.
    pub l1_bytes: Option<u64>,
    /// Bytes of the second-level cache.
    pub l2_bytes: u64,
    /// Memory bandwidth in GB/s.
    pub bandwidth: f64,
    /// Registers of a multiprocessor, if known: they limit blocks of kernels that say how many they take.
    pub registers: Option<u64>,
    /// Registers that a warp is given at a time, if known: its own are rounded up to a multiple.
    pub register_unit: Option<u64>,
    /// Bytes of a multiprocessor's shared memory, if known: likewise.
    pub shared_bytes: Option<u64>,
}

impl Device {
    /// A device of which no more is known than this.
    ///
    /// ```
    /// let device = sunzi::tune::Device::new(28, 64, 32, 1 << 21, 484.0);
    /// assert_eq!((device.warps, device.registers), (64, None));
    /// ```
    pub const fn new(
        multiprocessors: u64,
        warps: u64,
        blocks: u64,
        l2_bytes: u64,
        bandwidth: f64,
    ) -> Self {
        Self {
            multiprocessors,
            warps,
            blocks,
            l1_bytes: None,
            l2_bytes,
            bandwidth,
            registers: None,
            register_unit: None,
            shared_bytes: None,
        }
    }
}

impl Device {
    /// Reads a device from TOML: the fields of this type, of which those that are optional may be left out. `file` is the name that errors say.
    ///
    /// # Errors
    /// Text that is no device, with line and column.
    ///
    /// ```
    /// let text = "multiprocessors = 40\nwarps = 32\nblocks = 16\nl2_bytes = 4194304\nbandwidth = 448.0";
    /// let device = sunzi::tune::Device::parse(text, "device.toml")?;
    /// assert_eq!((device.blocks, device.l1_bytes), (16, None));
    /// let wrong = text.replace("16", "0");
    /// assert_eq!(sunzi::tune::Device::parse(&wrong, "device.toml").unwrap_err().line, 3);
    /// # Ok::<(), sunzi::tune::DescriptionError>(())
    /// ```
    pub fn parse(text: &str, file: &str) -> Result<Self, DescriptionError> {
        let device: Device = toml::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            DescriptionError::at(
                file,
                text,
                offset,
                Problem::Toml(error.message().to_owned()),
            )
        })?;
        let positive = [
            ("multiprocessors", device.multiprocessors as f64),
            ("warps", device.warps as f64),
            ("blocks", device.blocks as f64),
            ("l1_bytes", device.l1_bytes.unwrap_or(1) as f64),
            ("l2_bytes", device.l2_bytes as f64),
            ("bandwidth", device.bandwidth),
            ("registers", device.registers.unwrap_or(1) as f64),
            ("register_unit", device.register_unit.unwrap_or(1) as f64),
            ("shared_bytes", device.shared_bytes.unwrap_or(1) as f64),
        ];
        let wrong = positive
            .into_iter()
            .find(|(_, value)| !(value.is_finite() && *value > 0.0));
        wrong.map_or(Ok(device), |(name, _)| {
            let problem = Problem::Toml(format!("`{name}` is a positive number"));
            Err(DescriptionError::at(
                file,
                text,
                text.find(name).unwrap_or(0),
                problem,
            ))
        })
    }

    /// Reads lines `[name: value]`, as KLARAPTOR's profiles of devices have them. Resident blocks and the first-level cache
    /// go by compute capability, since these profiles have the former wrong.
    ///
    /// # Errors
    /// A field that is missing or no positive number.
    pub fn from_specs(text: &str) -> Result<Self, ModelError> {
        let lines = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix('['));
        let fields: HashMap<&str, &str> = lines
            .filter_map(|line| line.trim_end_matches(']').split_once(": "))
            .map(|(name, value)| (name, value.trim()))
            .collect();
        let number = |name: &'static str| {
            let value = fields.get(name).and_then(|value| value.parse::<f64>().ok());
            value
                .filter(|value| value.is_finite() && *value >= 1.0)
                .ok_or(ModelError::Profile(name))
        };
        let capability = number("compute_capability")?;
        let capability = (capability * 10.0).round() as u32;
        let limits = MultiprocessorLimits::of_capability(capability / 10, capability % 10);
        Ok(Device {
            multiprocessors: number("Active_SMs")? as u64,
            warps: (number("maximum_number_of_threads_per_sm")? as u64 / 32).max(1),
            blocks: limits.blocks.unwrap_or(BLOCKS),
            l1_bytes: limits.l1_bytes,
            l2_bytes: number("l2_cache_size_bytes")? as u64,
            bandwidth: number("Mem_bandwidth")?,
            registers: limits.registers,
            register_unit: limits.registers.map(|_| limits.register_unit),
            shared_bytes: limits.shared_bytes,
        })
    }
}
