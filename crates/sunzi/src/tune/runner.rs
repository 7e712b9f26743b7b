//! Runs of Sunzi's own kernels by any of their shapes.

use sunzi_device::{Buffer, Device, GpuError, Stream};
use sunzi_gpu::Word;
use sunzi_gpu::integer::IntegerContext;
use sunzi_gpu::ntt::NttContext;
use sunzi_gpu::schoolbook::SchoolbookContext;

use super::launch::milliseconds;
use super::own::OwnKernel;

/// A prime of 31 bits that has transforms of 2^27 points.
const PRIME: u64 = 2_013_265_921;
/// A prime below 2^61 that has transforms of 2^56 points.
const WIDE_PRIME: u64 = 1_945_555_039_024_054_273;

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
    context: Context,
}

/// What is compiled, operands, and where results go.
#[derive(Debug)]
enum Context {
    TermByTerm(Box<SchoolbookContext>, [Buffer<u32>; 3]),
    Transforms(Box<NttContext>, Buffer<u32>),
    Integers(Box<IntegerContext>, [Buffer<u32>; 3]),
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
            let context = match self.make_ready(data, shape) {
                Err(GpuError::Shape(_) | GpuError::Limits { .. }) => return Ok(None),
                context => context?,
            };
            self.ready = Some(Ready {
                data: data.to_vec(),
                shape: shape.to_vec(),
                context,
            });
        }
        let Some(Ready { context, .. }) = &mut self.ready else {
            return Ok(None);
        };
        let count = Counts::of(self.kernel, data).count;
        let stream = &self.stream;
        milliseconds(stream, || match context {
            Context::TermByTerm(context, [a, b, product]) => {
                context.multiply(stream, (a, 0), (b, 0), (product, 0), count, false)
            }
            Context::Transforms(context, data) => context.forward(stream, data, 0, count),
            Context::Integers(context, [a, b, product]) => {
                context.multiply(stream, (a, 0), (b, 0), (product, 0), count, false)
            }
        })
    }

    fn make_ready(&self, data: &[i64], shape: &[i64]) -> Result<Context, GpuError> {
        let Counts { length, count } = Counts::of(self.kernel, data);
        let device = &self.device;
        let (word, prime) = match self.kernel.is_wide() {
            true => (Word::U64, WIDE_PRIME),
            false => (Word::U32, PRIME),
        };
        let residues = |count: usize| {
            let residue = |index: usize| (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) % prime;
            match word {
                Word::U32 => self.filled(count, |index| residue(index) as u32),
                _ => Ok(self.filled(count, residue)?.cast()),
            }
        };
        match self.kernel {
            OwnKernel::WordByWord => {
                let plan = OwnKernel::integer_plan(device.info(), [length; 2], shape)?;
                let kernel = OwnKernel::INTEGER_KERNEL;
                let context = IntegerContext::new(device, length, length, kernel, Some(plan))?;
                let words =
                    |count| self.filled(count, |index| (index as u32).wrapping_mul(0x9e37_79b9));
                let [a, b] = [words(count * length)?, words(count * length)?];
                let product = words(2 * count * length)?;
                Ok(Context::Integers(Box::new(context), [a, b, product]))
            }
            OwnKernel::Transforms | OwnKernel::WideTransforms => {
                let log_points = length.next_power_of_two().ilog2();
                let parameters =
                    OwnKernel::parameters(device.info(), word, log_points, count, shape);
                let context =
                    NttContext::with_parameters(device, word, &[prime], log_points, parameters)?;
                let vectors = residues(count << log_points)?;
                Ok(Context::Transforms(Box::new(context), vectors))
            }
            _ => {
                let plan = OwnKernel::plan(shape);
                let context =
                    SchoolbookContext::with_plan(device, word, prime, length, length, count, plan)?;
                let [a, b] = [residues(count * length)?, residues(count * length)?];
                let product = residues(count * (2 * length - 1))?;
                Ok(Context::TermByTerm(Box::new(context), [a, b, product]))
            }
        }
    }

    fn filled<E: bytemuck::Pod>(
        &self,
        length: usize,
        element: impl Fn(usize) -> E,
    ) -> Result<Buffer<E>, GpuError> {
        let elements: Vec<E> = (0..length).map(element).collect();
        self.device.filled(&self.stream, &elements)
    }
}

/// What data say: how long, and how many at a time.
struct Counts {
    length: usize,
    count: usize,
}

impl Counts {
    fn of(kernel: OwnKernel, data: &[i64]) -> Self {
        let [first, second] = [data[0] as usize, data[1] as usize];
        match kernel {
            OwnKernel::Transforms | OwnKernel::WideTransforms => Self {
                length: first,
                count: second,
            },
            _ => Self {
                length: second,
                count: first,
            },
        }
    }
}
