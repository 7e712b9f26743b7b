//! Launch shapes of kernels of your own: a description (`tune`) and a device (`gpu`) brought together.
//!
//! A [`KernelRunner`] runs a described kernel by any of its shapes, and tells how long each takes;
//! [`Sampling`](crate::tune::Sampling) decides what is run, and [`AnchoredModel`](crate::tune::AnchoredModel) what is chosen
//! for sizes that were never run.
//!
//! ```
//! use sunzi::gpu::{Device as Gpu, Selection};
//! use sunzi::tune::{profile, KernelRunner};
//! use sunzi::tune::{AnchoredModel, Chooser, Constants, Description, Sampling};
//!
//! let text = r#"
//! version = 1
//! [[kernel]]
//! name = "doubled"
//! data = { n = { from = 1, to = 1048576, samples = [1024, 4096] } }
//! program = { bx = { values = [32, 256] } }
//! block = ["bx"]
//! grid = ["ceil(n / bx)"]
//! arguments = [
//!   { buffer = "to", element = "u32", length = "n", result = true },
//!   { buffer = "from", element = "u32", length = "n", fill = "index" },
//!   { value = "n", element = "u32" },
//! ]
//! "#;
//! let code = "__kernel void doubled(__global uint* to, __global const uint* from, uint n) {
//!     uint i = get_global_id(0);
//!     if (i < n) to[i] = 2 * from[i];
//! }";
//! let description = Description::parse(text, "doubled.toml")?;
//! let kernel = description.kernel("doubled").ok_or("no such kernel")?;
//! // Any device with OpenCL; with CUDA the code would be CUDA C++.
//! let Ok(gpu) = Gpu::open("opencl".parse::<Selection>()?) else { return Ok(()) };
//! // SAFETY: the code is called with what the description says, and stays inside its buffers.
//! let mut runner = unsafe { KernelRunner::new(&gpu, kernel, "doubled.cl", code)? };
//! let (device, sampling) = (profile(gpu.info()), Sampling::default());
//! let sampled = sampling.run(kernel, &device, &kernel.samples(), |data, shape| runner.run(data, shape))?;
//! let chooser = Chooser::new(AnchoredModel::fit(kernel, &device, Constants::default(), &sampled.samples)?);
//! println!("{:?}", chooser.choose(&[1_000_000])?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::{BTreeMap, HashMap};

use sunzi_device::{
    Argument, Buffer, Device, DeviceInfo, DeviceKind, GpuError, Launch, Program, Source, Stream,
};
use sunzi_tune::{
    BufferArgument, Element, Fill, Kernel, KernelArgument, MultiprocessorLimits, Resources,
};
use thiserror::Error;

/// Words behind every buffer that no kernel may write to.
const GUARD: usize = 64;
/// What they hold.
const GUARD_WORD: u32 = 0xdead_beef;
/// Of the largest number of a buffer: how far results of different shapes may be apart by rounding.
const ROUNDING_32: f64 = 1e-4;
const ROUNDING_64: f64 = 1e-10;
/// Where a device does not tell them: warps and blocks of a multiprocessor.
const USUAL_WARPS: u64 = 64;
const USUAL_BLOCKS: u64 = 16;
/// Registers that NVIDIA's devices give a warp at a time.
const REGISTER_UNIT: u64 = 256;
/// Where a device does not tell them: bytes of its cache, and gigabytes a second.
const USUAL_CACHE: u64 = 4 << 20;
const USUAL_BANDWIDTH: f64 = 200.0;

/// Why a kernel is not run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// The device, or its compiler.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A description that does not tell what the kernel is called with.
    #[error(
        "the description of `{0}` has no arguments: say in `arguments` what it is called with, in order"
    )]
    NoArguments(String),
    /// Code without the kernel.
    #[error(
        "{file} has no kernel `{entry}` ({source}): name its function by `entry`; in CUDA declare it extern \"C\""
    )]
    NoEntry {
        /// What the code is called.
        file: String,
        /// The function that is wanted.
        entry: String,
        /// What the driver says.
        source: Box<GpuError>,
    },
    /// A length that is none.
    #[error("buffer `{buffer}` has {length} elements for data {data:?} and shape {shape:?}")]
    Length {
        /// The buffer.
        buffer: String,
        /// How many elements it would have.
        length: i64,
        /// The data.
        data: Vec<i64>,
        /// The shape.
        shape: Vec<i64>,
    },
    /// A kernel that writes past the end of a buffer.
    #[error(
        "the kernel writes past the end of buffer `{buffer}` for data {data:?} and shape {shape:?}: check its bounds, and `length`"
    )]
    OutOfBounds {
        /// The buffer.
        buffer: String,
        /// The data.
        data: Vec<i64>,
        /// The shape.
        shape: Vec<i64>,
    },
    /// Shapes that compute different results.
    #[error(
        "the kernel computes another `{buffer}[{index}]` by shape {shape:?} than by shape {first:?} for data {data:?}: exclude what it cannot be launched with by `constraints`"
    )]
    Differs {
        /// The buffer.
        buffer: String,
        /// The first element that differs.
        index: usize,
        /// The data.
        data: Vec<i64>,
        /// The shape.
        shape: Vec<i64>,
        /// The shape that it is compared with.
        first: Vec<i64>,
    },
}

/// What the choice of launch shapes knows of a device. What the device does not tell is taken to be as usual; a processor runs one
/// group on a core.
pub fn profile(info: &DeviceInfo) -> sunzi_tune::Device {
    let known = |value: usize, usual: u64| if value == 0 { usual } else { value as u64 };
    let limit = |value: usize| (value > 0).then_some(value as u64);
    let is_processor = info.kind == DeviceKind::Cpu;
    sunzi_tune::Device {
        multiprocessors: info.units.max(1) as u64,
        warps: match is_processor {
            true => info.group_threads.div_ceil(32).max(1) as u64,
            false => known(info.unit_threads / 32, USUAL_WARPS),
        },
        blocks: if is_processor {
            1
        } else {
            known(info.unit_groups, USUAL_BLOCKS)
        },
        l1_bytes: capability(&info.architecture).l1_bytes,
        l2_bytes: if info.cache == 0 {
            USUAL_CACHE
        } else {
            info.cache
        },
        bandwidth: if info.bandwidth == 0 {
            USUAL_BANDWIDTH
        } else {
            info.bandwidth as f64 / 1e9
        },
        registers: limit(info.unit_registers),
        register_unit: limit(info.unit_registers).map(|_| REGISTER_UNIT),
        shared_bytes: limit(info.unit_shared_memory),
    }
}

/// Limits of NVIDIA's devices that drivers do not tell, by `sm_75` and the like; nothing for others.
fn capability(architecture: &str) -> MultiprocessorLimits {
    let number = |text: &str| text.parse().ok();
    let parts = || {
        let digits = architecture.strip_prefix("sm_")?;
        let digits = digits.trim_end_matches(|c: char| !c.is_ascii_digit());
        let (major, minor) = digits.split_at_checked(digits.len().checked_sub(1)?)?;
        Some(MultiprocessorLimits::of_capability(
            number(major)?,
            number(minor)?,
        ))
    };
    parts().unwrap_or_default()
}

/// Runs a described kernel, by any of its shapes.
///
/// The first run for data and a shape is checked: a kernel that writes past its buffers, or whose results differ from those of the
/// first shape, is an error. Later ones are only timed.
#[derive(Debug)]
pub struct KernelRunner<'a> {
    stream: Stream,
    kernel: &'a Kernel,
    file: &'a str,
    text: &'a str,
    /// By the values of its definitions.
    programs: HashMap<Vec<i64>, Program>,
    /// What compiled shapes take, where the driver tells.
    resources: BTreeMap<Vec<i64>, Resources>,
    prepared: Option<Prepared>,
}

/// What is on the device for data.
#[derive(Debug)]
struct Prepared {
    data: Vec<i64>,
    lengths: Vec<usize>,
    /// One for each buffer of the arguments.
    buffers: Vec<Buffer<u32>>,
    contents: Vec<Vec<u32>>,
    /// The first shape, and its results.
    first: Option<(Vec<i64>, Vec<Vec<u32>>)>,
    checked: Option<Vec<i64>>,
}

impl<'a> KernelRunner<'a> {
    /// A kernel whose code is `text`: CUDA C++ (with `extern "C"`) or OpenCL C, as the device takes it; `file` is what errors call
    /// it. It is compiled when it is first run, once for all values of its definitions.
    ///
    /// # Safety
    /// The code takes the arguments that the description says, and stays inside its buffers by all shapes: a write that is not far
    /// behind a buffer is found, and others are not.
    ///
    /// # Errors
    /// [`LaunchError::NoArguments`]; errors of the driver.
    pub unsafe fn new(
        device: &Device,
        kernel: &'a Kernel,
        file: &'a str,
        text: &'a str,
    ) -> Result<Self, LaunchError> {
        if kernel.arguments().is_empty() {
            return Err(LaunchError::NoArguments(kernel.name().to_owned()));
        }
        Ok(KernelRunner {
            stream: device.timed_stream()?,
            kernel,
            file,
            text,
            programs: HashMap::new(),
            resources: BTreeMap::new(),
            prepared: None,
        })
    }

    /// What the shapes that were run take of a multiprocessor, where the driver tells: CUDA does. A model that is fitted to
    /// [`Kernel::with_resources`] knows how many blocks of them reside.
    pub fn resources(&self) -> &BTreeMap<Vec<i64>, Resources> {
        &self.resources
    }

    /// Bytes of the buffers for data, by the kernel's first shape.
    pub fn bytes(&self, data: &[i64]) -> u64 {
        let shape = &self.kernel.shapes()[0];
        let bytes = |buffer: &BufferArgument| {
            let length = buffer.length.at(data, shape).max(0) as u64;
            length.saturating_mul(buffer.element.bytes() as u64)
        };
        self.buffers().map(bytes).fold(0, u64::saturating_add)
    }

    /// Runs it once. Milliseconds by the device's clock; `None` if the device has no such groups.
    ///
    /// # Errors
    /// [`LaunchError`]: code that does not compile, with the compiler's words, and what a checked run finds.
    pub fn run(&mut self, data: &[i64], shape: &[i64]) -> Result<Option<f64>, LaunchError> {
        let Some([threads, groups]) = self.kernel.launch_boxes(data, shape) else {
            return Ok(None);
        };
        let size = |sides: [u64; 3]| sides.map(|side| usize::try_from(side).unwrap_or(usize::MAX));
        let launch = Launch {
            groups: size(groups),
            threads: size(threads),
            shared_bytes: 0,
        };
        let values: Vec<i64> = self
            .kernel
            .definitions()
            .iter()
            .map(|(_, value)| value.at(data, shape))
            .collect();
        if !self.programs.contains_key(&values) {
            let names = self.kernel.definitions().iter().map(|(name, _)| name);
            let source = names
                .zip(&values)
                .fold(Source::verbatim(self.file), |source, (name, value)| {
                    source.define(name, value)
                });
            let program = self.stream.device().program(&source.part(self.text))?;
            self.programs.insert(values.clone(), program);
        }
        let entry = match self.programs[&values].kernel(self.kernel.entry()) {
            Err(GpuError::Limits { .. }) => return Ok(None),
            entry => entry.map_err(|source| LaunchError::NoEntry {
                file: self.file.to_owned(),
                entry: self.kernel.entry().to_owned(),
                source: Box::new(source),
            })?,
        };
        if !self.resources.contains_key(shape)
            && let Some([registers, shared_bytes]) = entry.resources()
        {
            let taken = Resources {
                registers,
                shared_bytes,
            };
            self.resources.insert(shape.to_vec(), taken);
        }
        let mut prepared = self.prepare(data, shape)?;
        let is_checked = prepared.checked.as_deref() == Some(shape);
        if !is_checked {
            for (buffer, content) in prepared.buffers.iter_mut().zip(&prepared.contents) {
                self.stream.write(buffer, content)?;
            }
        }
        let arguments = self.arguments(&prepared, data, shape);
        // SAFETY: who made the runner answers for it.
        let launch = || unsafe { self.stream.launch_unchecked(&entry, launch, &arguments) };
        let Some(time) = milliseconds(&self.stream, launch)? else {
            self.prepared = Some(prepared);
            return Ok(None);
        };
        if !is_checked {
            self.check(&mut prepared, shape)?;
            prepared.checked = Some(shape.to_vec());
        }
        self.prepared = Some(prepared);
        Ok(Some(time))
    }

    fn buffers(&self) -> impl Iterator<Item = &'a BufferArgument> {
        self.kernel
            .arguments()
            .iter()
            .filter_map(|argument| match argument {
                KernelArgument::Buffer(buffer) => Some(buffer),
                KernelArgument::Value { .. } => None,
            })
    }

    /// The buffers for data: those of the last run if they are as long.
    fn prepare(&mut self, data: &[i64], shape: &[i64]) -> Result<Prepared, LaunchError> {
        let mut lengths = Vec::new();
        for buffer in self.buffers() {
            let length = buffer.length.at(data, shape);
            lengths.push(usize::try_from(length).map_err(|_| LaunchError::Length {
                buffer: buffer.name.clone(),
                length,
                data: data.to_vec(),
                shape: shape.to_vec(),
            })?);
        }
        self.fits(&lengths)?;
        // Those before are freed first.
        if let Some(prepared) = self.prepared.take()
            && prepared.data == data
            && prepared.lengths == lengths
        {
            return Ok(prepared);
        }
        let (mut buffers, mut contents) = (Vec::new(), Vec::new());
        for (number, (buffer, &length)) in (0..).zip(self.buffers().zip(&lengths)) {
            let mut content = filled(buffer, length, number);
            content.resize(content.len() + GUARD, GUARD_WORD);
            buffers.push(self.stream.device().buffer(content.len())?);
            contents.push(content);
        }
        Ok(Prepared {
            data: data.to_vec(),
            lengths,
            buffers,
            contents,
            first: None,
            checked: None,
        })
    }

    /// Refuses buffers that the device has no room for, before the host fills as many.
    fn fits(&self, lengths: &[usize]) -> Result<(), LaunchError> {
        let device = self.stream.device();
        let bytes = |(buffer, length): (&BufferArgument, &usize)| {
            (*length as u64).saturating_mul(buffer.element.bytes() as u64)
        };
        let wanted = self
            .buffers()
            .zip(lengths)
            .map(bytes)
            .fold(0, u64::saturating_add);
        if wanted <= device.memory_limit() {
            return Ok(());
        }
        Err(LaunchError::Gpu(GpuError::OutOfMemory {
            device: device.info().name.clone(),
            wanted,
            free: device.memory_free(),
            limit: device.memory_limit(),
            largest: device.info().largest_buffer,
        }))
    }

    fn arguments(&self, prepared: &Prepared, data: &[i64], shape: &[i64]) -> Vec<Argument> {
        let mut buffers = prepared.buffers.iter();
        let argument = |argument: &KernelArgument| match argument {
            KernelArgument::Buffer(_) => buffers.next().map(Argument::of),
            KernelArgument::Value { element, value } => {
                let value = value.at(data, shape);
                Some(match element {
                    Element::I32 | Element::U32 => Argument::U32(value as u32),
                    Element::F32 => Argument::U32((value as f32).to_bits()),
                    Element::I64 | Element::U64 => Argument::U64(value as u64),
                    Element::F64 => Argument::U64((value as f64).to_bits()),
                })
            }
        };
        self.kernel
            .arguments()
            .iter()
            .filter_map(argument)
            .collect()
    }

    /// What the run wrote: not behind the buffers, and the same results as by the first shape.
    fn check(&self, prepared: &mut Prepared, shape: &[i64]) -> Result<(), LaunchError> {
        let mut results = Vec::new();
        for (buffer, memory) in self.buffers().zip(&prepared.buffers) {
            let mut guard = [0; GUARD];
            let end = memory.len() - GUARD;
            self.stream.read_at(memory, end, &mut guard)?;
            if guard != [GUARD_WORD; GUARD] {
                return Err(LaunchError::OutOfBounds {
                    buffer: buffer.name.clone(),
                    data: prepared.data.clone(),
                    shape: shape.to_vec(),
                });
            }
            let mut result = Vec::new();
            if buffer.is_result {
                result.resize(end, 0);
                self.stream.read(memory, &mut result)?;
            }
            results.push(result);
        }
        let Some((first, expected)) = &prepared.first else {
            prepared.first = Some((shape.to_vec(), results));
            return Ok(());
        };
        for (buffer, (result, expected)) in self.buffers().zip(results.iter().zip(expected)) {
            if let Some(index) = difference(buffer.element, result, expected) {
                return Err(LaunchError::Differs {
                    buffer: buffer.name.clone(),
                    index,
                    data: prepared.data.clone(),
                    shape: shape.to_vec(),
                    first: first.clone(),
                });
            }
        }
        Ok(())
    }
}

/// How long the device takes for what is submitted; `None` if it has no such groups.
pub(crate) fn milliseconds(
    stream: &Stream,
    submit: impl FnOnce() -> Result<(), GpuError>,
) -> Result<Option<f64>, GpuError> {
    let start = stream.record()?;
    match submit() {
        Err(GpuError::Limits { .. }) => return Ok(None),
        submitted => submitted?,
    }
    let end = stream.record()?;
    stream.finish()?;
    // Clocks have grains, and times are positive.
    Ok(Some((end.since(&start)?.as_secs_f64() * 1e3).max(1e-6)))
}

/// What a buffer holds before a run, in words of 32 bits.
fn filled(buffer: &BufferArgument, length: usize, number: u64) -> Vec<u32> {
    let value = |index: u64| match buffer.fill {
        Fill::Zeros => 0,
        Fill::Index => index,
        // SplitMix64, by its definition.
        Fill::Random => {
            let mut x = (number << 48 | index)
                .wrapping_add(1)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15);
            x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            (x ^ x >> 31) & 0xffff
        }
    };
    let scale = if buffer.fill == Fill::Random {
        65536.0
    } else {
        1.0
    };
    let mut words = Vec::with_capacity(length * buffer.element.bytes() / 4);
    for index in 0..length as u64 {
        let value = value(index);
        match buffer.element {
            Element::I32 | Element::U32 => words.push(value as u32),
            Element::F32 => words.push((value as f32 / scale as f32).to_bits()),
            Element::I64 | Element::U64 => words.extend([value as u32, (value >> 32) as u32]),
            Element::F64 => {
                let bits = (value as f64 / scale).to_bits();
                words.extend([bits as u32, (bits >> 32) as u32]);
            }
        }
    }
    words
}

/// The first element that differs, by more than rounding where there is some.
fn difference(element: Element, result: &[u32], expected: &[u32]) -> Option<usize> {
    let words = element.bytes() / 4;
    if !element.rounds() {
        return result
            .iter()
            .zip(expected)
            .position(|(a, b)| a != b)
            .map(|index| index / words);
    }
    let numbers = |of: &[u32]| -> Vec<f64> {
        of.chunks(words)
            .map(|bits| match *bits {
                [bits] => f32::from_bits(bits).into(),
                [low, high] => f64::from_bits(u64::from(high) << 32 | u64::from(low)),
                _ => f64::NAN,
            })
            .collect()
    };
    let (result, expected) = (numbers(result), numbers(expected));
    let largest = expected
        .iter()
        .filter(|x| x.is_finite())
        .fold(0.0, |all: f64, x| all.max(x.abs()));
    let near = largest * if words == 1 { ROUNDING_32 } else { ROUNDING_64 };
    let same = |a: f64, b: f64| a == b || (a - b).abs() <= near || a.is_nan() && b.is_nan();
    result
        .iter()
        .zip(&expected)
        .position(|(&a, &b)| !same(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_known_by_their_architecture() {
        let l1 = |architecture| capability(architecture).l1_bytes;
        assert_eq!(l1("sm_75"), Some(64 << 10));
        assert_eq!(l1("sm_61"), Some(48 << 10));
        assert_eq!(capability("sm_90a").blocks, Some(32));
        for unknown in ["", "sm_", "sm_x", "gfx90a", "sm_100"] {
            assert_eq!(
                capability(unknown),
                MultiprocessorLimits::default(),
                "{unknown}"
            );
        }
        let h100 = profile(&DeviceInfo::h100());
        assert_eq!((h100.blocks, h100.warps), (32, 64));
        assert_eq!(
            (h100.registers, h100.register_unit),
            (Some(1 << 16), Some(256))
        );
        assert_eq!(h100.shared_bytes, Some(228 << 10));
    }
}
