//! Plain products: what is precomputed for them, and how they run.

use super::PlainShape;
use super::shape::EACH;
use crate::ntt::NttWord;
use crate::ntt::launch::launch;
use crate::ntt::word::{Modulus, field_source};
use crate::{Argument, Buffer, Device, Event, GpuError, Kernel, Source, Stream};

/// The kernels.
const PLAIN: &str = include_str!("../kernels/plain.cl");

/// Operands have less than 2^30 coefficients, so that indices of parts are words of 32 bits.
const MOST_LENGTH: usize = 1 << 30;

/// Plain products of polynomials with n and m coefficients modulo a prime, `batch` at a time at most.
///
/// ```
/// use sunzi_gpu::{Device, Selection, plain::PlainPlan};
/// # fn main() -> Result<(), sunzi_gpu::GpuError> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// let (stream, mut plan) = (device.stream()?, PlainPlan::<u32>::new(&device, 101, 3, 2, 1)?);
/// let (mut a, mut b, mut product) = (device.buffer(3)?, device.buffer(2)?, device.buffer(4)?);
/// stream.write(&mut a, &[1, 2, 3])?;
/// stream.write(&mut b, &[50, 4])?;
/// plan.multiply(&stream, (&a, 0), (&b, 0), (&mut product, 0), 1)?;
/// let mut coefficients = [0; 4];
/// stream.read(&product, &mut coefficients)?;
/// assert_eq!(coefficients, [50, 3, 57, 12]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct PlainPlan<E: NttWord> {
    modulus: Modulus,
    lengths: [usize; 2],
    batch: usize,
    shape: PlainShape,
    parts: Kernel,
    sums: Kernel,
    /// The parts of all products, where a product has more than one.
    scratch: Option<Scratch<E>>,
}

/// Memory for parts.
#[derive(Debug)]
struct Scratch<E> {
    parts: Buffer<E>,
    /// The end of its last use: that may have been on another stream.
    used: Option<Event>,
}

/// The program.
fn source<E: NttWord>(shape: &PlainShape, spare: bool) -> Source<'static> {
    field_source::<E>("plain products", shape.threads, spare)
        .define("ROWS", shape.rows)
        .part(PLAIN)
}

/// Programs of every word, for a check that they compile for a GPU.
///
/// ```
/// assert_eq!(sunzi_gpu::plain::sources().len(), 5);
/// ```
pub fn sources() -> Vec<Source<'static>> {
    let shape = PlainShape {
        threads: 256,
        rows: 512,
    };
    vec![
        source::<u32>(&shape, false),
        source::<u32>(&shape, true),
        source::<u64>(&shape, false),
        source::<u64>(&shape, true),
        source::<f64>(&shape, true),
    ]
}

impl<E: NttWord> PlainPlan<E> {
    /// A plan with the parameters that suit the device.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a number that is no prime in the word's range, lengths that are 0 or 2^30 and more, and
    /// doubles on a device that has none; what the device refuses.
    pub fn new(
        device: &Device,
        prime: u64,
        n: usize,
        m: usize,
        batch: usize,
    ) -> Result<Self, GpuError> {
        let shape = PlainShape::for_device::<E>(device, n, m, batch);
        Self::with_shape(device, prime, n, m, batch, shape)
    }

    /// A plan with given parameters.
    ///
    /// # Errors
    /// As [`PlainPlan::new`], and [`GpuError::Shape`] for parameters beyond the device's limits.
    pub fn with_shape(
        device: &Device,
        prime: u64,
        n: usize,
        m: usize,
        batch: usize,
        shape: PlainShape,
    ) -> Result<Self, GpuError> {
        let modulus = Modulus::new::<E>(device, prime)?;
        let shape = shape.check::<E>(device)?;
        let lengths = [n, m];
        if lengths
            .iter()
            .any(|length| !(1..MOST_LENGTH).contains(length))
        {
            return Err(GpuError::Shape(format!(
                "operands of plain products have 1 to {} coefficients, not {n} and {m}",
                MOST_LENGTH - 1
            )));
        }
        let program = device.program(&source::<E>(&shape, modulus.is_spare::<E>()))?;
        let mut plan = Self {
            modulus,
            lengths,
            batch,
            shape,
            parts: program.kernel("plain_parts")?,
            sums: program.kernel("plain_sums")?,
            scratch: None,
        };
        let parts = plan.parts();
        if parts > 1 {
            let len = batch
                .checked_mul(parts)
                .and_then(|parts| parts.checked_mul(plan.width()))
                .ok_or_else(|| GpuError::Shape(format!("{batch} products are too many")))?;
            plan.scratch = Some(Scratch {
                parts: device.buffer(len)?,
                used: None,
            });
        }
        Ok(plan)
    }

    /// The program parameters.
    pub const fn shape(&self) -> PlainShape {
        self.shape
    }

    /// Coefficients of a product: n + m − 1.
    pub const fn product_len(&self) -> usize {
        self.lengths[0] + self.lengths[1] - 1
    }

    /// The longer and the shorter operand's coefficients.
    fn ordered(&self) -> [usize; 2] {
        let [n, m] = self.lengths;
        [n.max(m), n.min(m)]
    }

    /// Parts of a product.
    fn parts(&self) -> usize {
        self.ordered()[1].div_ceil(self.shape.rows)
    }

    /// Coefficients of a part: of a product where it is the only one.
    fn width(&self) -> usize {
        if self.parts() == 1 {
            self.product_len()
        } else {
            self.ordered()[0] + self.shape.rows - 1
        }
    }

    /// Multiplies `batch` pairs: those of `a` lie one after the other from its element on, n coefficients each from the
    /// constant term upward, those of `b` likewise with m each, and the products of n + m − 1 each go to `to`.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for more products than the plan is for, and if they reach beyond a buffer; what the driver
    /// refuses.
    pub fn multiply(
        &mut self,
        stream: &Stream,
        (a, a_first): (&Buffer<E>, usize),
        (b, b_first): (&Buffer<E>, usize),
        (to, to_first): (&mut Buffer<E>, usize),
        batch: usize,
    ) -> Result<(), GpuError> {
        let [n, m] = self.lengths;
        self.check(a, a_first, n, batch)?;
        self.check(b, b_first, m, batch)?;
        self.check(to, to_first, self.product_len(), batch)?;
        // The longer operand is the one that tiles are of.
        let (long, short) = if n >= m {
            ((a, a_first), (b, b_first))
        } else {
            ((b, b_first), (a, a_first))
        };
        let (parts, width) = (self.parts(), self.width());
        let Some(mut scratch) = self.scratch.take() else {
            return self.launch_parts(stream, (to, to_first), long, short, batch);
        };
        if let Some(used) = &scratch.used {
            stream.wait_on(used)?;
        }
        let done = self
            .launch_parts(stream, (&mut scratch.parts, 0), long, short, batch)
            .and_then(|()| {
                let tiles = self.product_len().div_ceil(self.shape.threads);
                let launch = launch(
                    (tiles as u64).saturating_mul(batch as u64),
                    self.shape.threads,
                    0,
                )?;
                let arguments = self.modulus.arguments::<E>(&[
                    to.into(),
                    Argument::U64(to_first as u64),
                    Argument::U32(self.product_len() as u32),
                    Argument::U32(tiles as u32),
                    Argument::U32(parts as u32),
                    (&scratch.parts).into(),
                    Argument::U32(width as u32),
                ]);
                // SAFETY: the arguments are those of the kernel, which stays inside `batch` products and their parts.
                unsafe { stream.launch(&self.sums, launch, &arguments) }
            })
            .and_then(|()| {
                scratch.used = Some(stream.record()?);
                Ok(())
            });
        self.scratch = Some(scratch);
        done
    }

    /// Submits the parts of `batch` products.
    fn launch_parts(
        &self,
        stream: &Stream,
        (to, to_first): (&mut Buffer<E>, usize),
        (long, long_first): (&Buffer<E>, usize),
        (short, short_first): (&Buffer<E>, usize),
        batch: usize,
    ) -> Result<(), GpuError> {
        let [n, m] = self.ordered();
        let tiles = self.width().div_ceil(self.shape.threads * EACH);
        let groups = (tiles as u64 * self.parts() as u64).saturating_mul(batch as u64);
        let launch = launch(groups, self.shape.threads, self.shape.shared_bytes::<E>())?;
        let arguments = self.modulus.arguments::<E>(&[
            to.into(),
            Argument::U64(to_first as u64),
            Argument::U32(self.width() as u32),
            Argument::U32(tiles as u32),
            Argument::U32(self.parts() as u32),
            long.into(),
            Argument::U64(long_first as u64),
            Argument::U32(n as u32),
            short.into(),
            Argument::U64(short_first as u64),
            Argument::U32(m as u32),
            self.modulus.product_scale::<E>(1),
        ]);
        // SAFETY: the arguments are those of the kernel, which stays inside `batch` operands and parts.
        unsafe { stream.launch(&self.parts, launch, &arguments) }
    }

    /// Checks that so many polynomials of one length are inside a buffer.
    fn check(
        &self,
        data: &Buffer<E>,
        first: usize,
        length: usize,
        batch: usize,
    ) -> Result<(), GpuError> {
        let end = batch
            .checked_mul(length)
            .and_then(|len| first.checked_add(len));
        if batch <= self.batch && end.is_some_and(|end| end <= data.len()) {
            return Ok(());
        }
        Err(GpuError::Shape(format!(
            "{batch} polynomials of {length} coefficients from {first} on do not fit a plan for {} and a buffer of {}",
            self.batch,
            data.len()
        )))
    }
}
