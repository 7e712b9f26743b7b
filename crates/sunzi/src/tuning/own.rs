//! Sunzi's own kernels, described as those of anybody, and run by any of their shapes.

use sunzi_gpu::ntt::{NttContext, NttParameters};
use sunzi_gpu::schoolbook::{SchoolbookContext, SchoolbookPlan};
use sunzi_gpu::{Buffer, Device, DeviceInfo, DeviceKind, GpuError, Stream};
use sunzi_tune::{Description, DescriptionError, Kernel};

use crate::launch::milliseconds;

/// A prime of 31 bits that has transforms of 2^27 points.
const PRIME: u64 = 2_013_265_921;

/// A family of kernels of 32-bit words whose shape is chosen by measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OwnKernel {
    /// Products of polynomials term by term: [`SchoolbookPlan`], of which the thesis of 2013 calls the rows x. Data: `batch`
    /// products of `n` by `n` coefficients.
    TermByTerm,
    /// Transforms: [`NttParameters`]. Data: `points`, a power of two, of `vectors` vectors.
    Transforms,
}

impl OwnKernel {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::TermByTerm, Self::Transforms];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::TermByTerm => "products term by term",
            Self::Transforms => "transforms",
        }
    }

    /// Its data and its parameters, in the order of their values.
    pub(super) fn names(self) -> [&'static [&'static str]; 2] {
        match self {
            Self::TermByTerm => [&["batch", "n"], &["rows", "threads"]],
            Self::Transforms => [&["points", "vectors"], &["radix", "threads", "tile"]],
        }
    }

    /// Its description for a device. Compilers for processors take long for each shape, so there are fewer.
    ///
    /// # Errors
    /// None for devices that there are.
    pub fn describe(self, info: &DeviceInfo) -> Result<Kernel, DescriptionError> {
        let is_processor = info.kind == DeviceKind::Cpu;
        let text = match (self, is_processor) {
            (Self::TermByTerm, _) => {
                let (rows, threads) = match is_processor {
                    true => ("[32, 64, 256]", "[16, 64]"),
                    false => ("[64, 128, 256, 512, 1024]", "[32, 64, 128, 256]"),
                };
                format!(
                    "data = {{ batch = {{ from = 1, to = 65536, samples = [1, 1, 1] }},
                               n = {{ from = 1, to = 1048576, samples = [512, 1024, 2048] }} }}
                     program = {{ rows = {{ values = {rows} }}, threads = {{ values = {threads} }} }}
                     grid = [\"ceil((n + rows) / (4 * threads)) * ceil(n / rows)\", \"batch\"]"
                )
            }
            (Self::Transforms, _) => {
                let (radix, threads, tile, constraints) = match is_processor {
                    true => ("[4, 8]", "[16, 64]", "[1024]", ""),
                    // A tile in one turn of all threads, two or four.
                    false => (
                        "[8, 16]",
                        "[64, 128, 256, 512, 1024]",
                        "[1024, 2048, 4096, 8192, 16384, 32768]",
                        ", \"4 * radix * threads >= tile\"",
                    ),
                };
                format!(
                    "data = {{ points = {{ from = 1, to = 268435456, samples = [8192, 32768, 131072] }},
                               vectors = {{ from = 1, to = 65536, samples = [4, 4, 4] }} }}
                     program = {{ radix = {{ values = {radix} }}, threads = {{ values = {threads} }},
                                  tile = {{ values = {tile} }} }}
                     constraints = [\"radix * threads <= tile\"{constraints}]
                     grid = [\"ceil(points / tile)\", \"vectors\"]"
                )
            }
        };
        let text = format!(
            "version = 1\n[[kernel]]\nname = \"{}\"\nblock = [\"threads\"]\n{text}\n",
            self.name()
        );
        let description = Description::parse(&text, self.name())?;
        Ok(description.kernels()[0].clone())
    }

    /// The plan of a shape.
    pub(super) fn plan(shape: &[i64]) -> SchoolbookPlan {
        SchoolbookPlan {
            rows: shape[0] as usize,
            threads: shape[1] as usize,
        }
    }

    /// The parameters of a shape, for transforms of so many points.
    pub(super) fn parameters(
        info: &DeviceInfo,
        log_points: u32,
        vectors: usize,
        shape: &[i64],
    ) -> NttParameters {
        NttParameters {
            log_radix: (shape[0] as u64).max(1).ilog2(),
            threads: shape[1] as usize,
            log_tile: (shape[2] as u64).max(1).ilog2(),
            ..NttParameters::for_device::<u32>(info, log_points, vectors)
        }
    }
}

/// Runs a family's shapes on a device.
#[derive(Debug)]
pub struct OwnRunner {
    kernel: OwnKernel,
    stream: Stream,
    device: Device,
    ready: Option<Ready>,
}

/// What is compiled and on the device for data and a shape.
#[derive(Debug)]
struct Ready {
    data: Vec<i64>,
    shape: Vec<i64>,
    buffers: [Buffer<u32>; 3],
    context: Context,
}

#[derive(Debug)]
enum Context {
    TermByTerm(Box<SchoolbookContext<u32>>),
    Transforms(Box<NttContext<u32>>),
}

impl OwnRunner {
    /// A runner.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn new(device: &Device, kernel: OwnKernel) -> Result<Self, GpuError> {
        Ok(OwnRunner {
            kernel,
            stream: device.timed_stream()?,
            device: device.clone(),
            ready: None,
        })
    }

    /// Runs a shape once. Milliseconds by the device's clock; `None` if the device does not take the shape.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn run(&mut self, data: &[i64], shape: &[i64]) -> Result<Option<f64>, GpuError> {
        if self
            .ready
            .as_ref()
            .is_none_or(|ready| ready.data != data || ready.shape != shape)
        {
            // What was there is freed first.
            self.ready = None;
            self.ready = match self.make_ready(data, shape) {
                Err(GpuError::Shape(_) | GpuError::Limits { .. }) => return Ok(None),
                ready => Some(ready?),
            };
        }
        let Some(Ready {
            buffers: [a, b, product],
            context,
            ..
        }) = &mut self.ready
        else {
            return Ok(None);
        };
        let stream = &self.stream;
        milliseconds(stream, || match context {
            Context::TermByTerm(context) => {
                let count = data[0] as usize;
                context.multiply(stream, (a, 0), (b, 0), (product, 0), count, false)
            }
            Context::Transforms(context) => context.forward(stream, a, 0, data[1] as usize),
        })
    }

    fn make_ready(&self, data: &[i64], shape: &[i64]) -> Result<Ready, GpuError> {
        let (context, lengths) = match self.kernel {
            OwnKernel::TermByTerm => {
                let (batch, n) = (data[0] as usize, data[1] as usize);
                let plan = OwnKernel::plan(shape);
                let context = SchoolbookContext::with_plan(&self.device, PRIME, n, n, batch, plan)?;
                (
                    Context::TermByTerm(Box::new(context)),
                    [batch * n, batch * n, batch * (2 * n - 1)],
                )
            }
            OwnKernel::Transforms => {
                let (points, vectors) = (data[0] as usize, data[1] as usize);
                let log_points = points.next_power_of_two().ilog2();
                let parameters =
                    OwnKernel::parameters(self.device.info(), log_points, vectors, shape);
                let context =
                    NttContext::with_parameters(&self.device, &[PRIME], log_points, parameters)?;
                (
                    Context::Transforms(Box::new(context)),
                    [vectors << log_points, 1, 1],
                )
            }
        };
        let element = |index: usize| (index as u64 * 0x9e37_79b9 % PRIME) as u32;
        let filled = |length: usize| {
            self.device
                .filled(&self.stream, &(0..length).map(element).collect::<Vec<_>>())
        };
        let [a, b, product] = lengths;
        let buffers = [filled(a)?, filled(b)?, filled(product)?];
        Ok(Ready {
            data: data.to_vec(),
            shape: shape.to_vec(),
            buffers,
            context,
        })
    }
}
