//! Transforms modulo r^k + 1: what is precomputed for them, and how they run.

use super::convolve::Weights;
use super::plan::{BigPrimePlan, BigPrimeShape, DigitMethod, MAX_LOG_POINTS, is_known};
use crate::backend::{Argument, Launch};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::program::{Kernel, Source};
use crate::stream::Stream;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use sunzi_field::{Digits, Field, GeneralizedFermat, TwoAdicField};

/// What all kernels do to digits.
pub(crate) const DIGITS: &str = include_str!("digits.cl");

/// Sums and products of elements, by a thread for each digit.
pub(crate) const ELEMENTS: &str = include_str!("elements.cl");

/// Transforms by steps of two points, for all radices.
const STEPS: &str = include_str!("steps.cl");

/// Transforms by passes of many points.
const PASSES: &str = include_str!("passes.cl");

/// Transforms of 2^n points modulo r^K + 1, `batch` at a time at most.
///
/// Takes 2^n products on the device for a table of the root's powers, 8·K·2^n bytes for it, and as much for each vector of a
/// batch.
///
/// ```
/// use sunzi_field::{Digits, GeneralizedFermat};
/// use sunzi_gpu::{Device, Selection, big_prime::BigPrimeContext};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11))?; // P4
/// let (stream, context) = (device.stream()?, BigPrimeContext::new(&device, &field, 1, 1)?);
/// let mut words = device.filled(&stream, &[5, 0, 0, 0, 2, 0, 0, 0])?;
/// context.forward(&stream, (&mut words, 0), 1)?;
/// let mut values = [0; 8];
/// stream.read(&words, &mut values)?;
/// assert_eq!(values, [7, 0, 0, 0, 3, 0, 0, 0]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct BigPrimeContext<const K: usize> {
    pub(super) device: Device,
    pub(super) field: GeneralizedFermat<K>,
    batch: usize,
    /// Every power of the root.
    powers: Buffer<u64>,
    /// 1/N.
    inverse_length: Buffer<u64>,
    plan: BigPrimePlan,
    method: Method,
    /// The vectors that passes go to and fro with.
    scratch: Arc<Mutex<Buffer<u64>>>,
    /// What makes convolutions negacyclic, when first wanted.
    pub(super) weights: OnceLock<Weights>,
}

/// The kernels of the plan's [`DigitMethod`].
#[derive(Debug)]
enum Method {
    /// A thread of a group has a digit.
    Steps {
        threads: usize,
        step: Kernel,
        products: Kernel,
    },
    /// A group has as many digits as the shape says.
    Passes {
        shape: BigPrimeShape,
        pass: Kernel,
        products: Kernel,
    },
}

/// The program of steps.
pub(crate) fn step_source(threads: usize) -> Source<'static> {
    Source::new("big prime steps", threads)
        .part(DIGITS)
        .part(ELEMENTS)
        .part(STEPS)
}

/// The program of passes.
pub(crate) fn pass_source(shape: BigPrimeShape, digits: usize) -> Source<'static> {
    Source::new("big prime passes", shape.threads)
        .define("LOG_K", digits.ilog2())
        .define("SLOTS", shape.slots)
        .part(DIGITS)
        .part(PASSES)
}

/// All programs, on a GPU.
pub(crate) fn sources() -> Vec<Source<'static>> {
    let shape = BigPrimeShape {
        threads: 256,
        slots: 2048,
    };
    let passes = [4, 8, 16, 32, 256].map(|digits| pass_source(shape, digits));
    [step_source(shape.threads)]
        .into_iter()
        .chain(passes)
        .collect()
}

/// Words of so many elements.
pub(super) fn words<const K: usize>(elements: usize) -> Result<usize, GpuError> {
    elements
        .checked_mul(K)
        .ok_or_else(|| GpuError::Shape(format!("{elements} elements of {K} words are too many")))
}

impl<const K: usize> BigPrimeContext<K> {
    /// log2 of the most points.
    pub const MAX_LOG_POINTS: u32 = MAX_LOG_POINTS;

    /// Whether devices compute in this field: with 2 to 256 digits and radices from 256 on.
    pub fn knows(field: &GeneralizedFermat<K>) -> bool {
        is_known(field.radix(), K)
    }

    /// Transforms of 2^`log_n` points, `batch` at a time at most.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a field that devices do not [know](Self::knows), and where 2^`log_n` does not divide
    /// p − 1 or is above 2^30; [`GpuError::Limits`] where groups of the device have too few threads;
    /// [`GpuError::OutOfMemory`] before anything is computed; errors of the device.
    pub fn new(
        device: &Device,
        field: &GeneralizedFermat<K>,
        log_n: u32,
        batch: usize,
    ) -> Result<Self, GpuError> {
        let shape = BigPrimeShape::for_device(device.info(), K, log_n, batch);
        Self::with_shape(device, field, log_n, batch, shape)
    }

    /// The same with elements laid out in a given shape.
    ///
    /// # Errors
    /// As [`BigPrimeContext::new`], and [`GpuError::Shape`] for a shape beyond the device's limits.
    pub fn with_shape(
        device: &Device,
        field: &GeneralizedFermat<K>,
        log_n: u32,
        batch: usize,
        shape: BigPrimeShape,
    ) -> Result<Self, GpuError> {
        Self::with_scratch(device, field, log_n, batch, shape, None)
    }

    /// Other transforms of as many elements together, or less, which take turns with these.
    ///
    /// # Errors
    /// As [`BigPrimeContext::new`].
    pub(crate) fn beside(&self, log_n: u32, batch: usize) -> Result<Self, GpuError> {
        let shape = BigPrimeShape::for_device(self.device.info(), K, log_n, batch);
        let scratch = Some(&self.scratch);
        Self::with_scratch(&self.device, &self.field, log_n, batch, shape, scratch)
    }

    /// With vectors for passes of its own, or those of another context that are long enough.
    fn with_scratch(
        device: &Device,
        field: &GeneralizedFermat<K>,
        log_n: u32,
        batch: usize,
        shape: BigPrimeShape,
        scratch: Option<&Arc<Mutex<Buffer<u64>>>>,
    ) -> Result<Self, GpuError> {
        let radix = field.radix();
        let shape = shape.check(device.info(), K)?;
        let plan = BigPrimePlan::new(shape, radix, K, log_n)?.check(device.info(), shape)?;
        let no_root = || {
            GpuError::Shape(format!(
                "there are no transforms of 2^{log_n} points modulo {radix}^{K}+1: 2^{} are the most",
                field.two_adicity()
            ))
        };
        let root = field.root_of_unity(log_n).ok_or_else(no_root)?;
        let points = 1 << log_n;
        let inverse = field.inv(field.from_u64(points as u64));
        let inverse = inverse.ok_or_else(no_root)?;
        let row = words::<K>(points)?;
        let too_many =
            || GpuError::Shape(format!("{batch} vectors of {points} points are too many"));
        let vectors = row.checked_mul(batch).ok_or_else(too_many)?;
        let bytes = plan.bytes(batch);
        if bytes > device.memory_free() {
            return Err(device.out_of_memory(bytes));
        }
        let scratch = match scratch {
            Some(scratch) => {
                let there = scratch.lock().unwrap_or_else(PoisonError::into_inner);
                there.check_rows("vectors", 0, 1, vectors)?;
                Arc::clone(scratch)
            }
            None => Arc::new(Mutex::new(device.buffer(vectors)?)),
        };
        let method = match plan.method() {
            DigitMethod::Canonical => {
                let program = device.program(&step_source(shape.threads))?;
                Method::Steps {
                    threads: shape.threads,
                    step: program.kernel("big_prime_step")?,
                    products: program.kernel("big_prime_pointwise")?,
                }
            }
            DigitMethod::Lazy => {
                let program = device.program(&pass_source(shape, K))?;
                Method::Passes {
                    shape,
                    pass: program.kernel("big_prime_pass")?,
                    products: program.kernel("big_prime_products")?,
                }
            }
        };
        let stream = device.stream()?;
        let mut context = Self {
            device: device.clone(),
            field: field.clone(),
            batch,
            // Computed below, by the kernels that are there then.
            powers: device.buffer(1)?,
            inverse_length: device.filled(&stream, &inverse.0)?,
            plan,
            method,
            scratch,
            weights: OnceLock::new(),
        };
        context.powers = context.powers_of(&stream, root)?;
        Ok(context)
    }

    /// The first N powers of an element: all of them times one more, again and again.
    pub(super) fn powers_of(
        &self,
        stream: &Stream,
        element: Digits<K>,
    ) -> Result<Buffer<u64>, GpuError> {
        let row = words::<K>(self.points())?;
        let mut powers = self.device.buffer(row)?;
        stream.write_at(&mut powers, 0, &self.field.one().0)?;
        let mut upper = self.device.buffer((row / 2).max(K))?;
        let mut square = element;
        for log_known in 0..self.plan.log_n() {
            let known = 1 << log_known;
            let factor = self.device.filled(stream, &square.0)?;
            stream.copy((&powers, 0), (&mut upper, 0), K * known)?;
            self.launch_products(stream, (&mut upper, 0), (&factor, 0), known, 0)?;
            stream.copy((&upper, 0), (&mut powers, K * known), K * known)?;
            square = self.field.mul(square, square);
        }
        Ok(powers)
    }

    /// How transforms are cut into passes.
    pub const fn plan(&self) -> &BigPrimePlan {
        &self.plan
    }

    /// Transforms at a time, at most.
    pub const fn batch(&self) -> usize {
        self.batch
    }

    /// Points of a transform.
    pub const fn points(&self) -> usize {
        1 << self.plan.log_n()
    }

    /// Values of `batch` vectors, which lie one after the other from element `first` on, in their place.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for more vectors than were expected, and if they reach beyond the buffer; what the driver
    /// refuses.
    pub fn forward(
        &self,
        stream: &Stream,
        (data, first): (&mut Buffer<u64>, usize),
        batch: usize,
    ) -> Result<(), GpuError> {
        self.transform(stream, data, first, batch, false)
    }

    /// From values back to what they are the transform of: with the root's inverse, and divided by N.
    ///
    /// # Errors
    /// As [`BigPrimeContext::forward`].
    pub fn inverse(
        &self,
        stream: &Stream,
        (data, first): (&mut Buffer<u64>, usize),
        batch: usize,
    ) -> Result<(), GpuError> {
        self.transform(stream, &mut *data, first, batch, true)?;
        match self.method {
            // The last pass has multiplied.
            Method::Passes { .. } => Ok(()),
            Method::Steps { .. } => {
                let inverse = (&self.inverse_length, 0);
                self.launch_products(stream, (data, first), inverse, batch * self.points(), 0)
            }
        }
    }

    /// Multiplies `batch` vectors point by point by those of another buffer; with `broadcast` there is one for all.
    ///
    /// # Errors
    /// As [`BigPrimeContext::forward`], for any number of vectors.
    pub fn multiply(
        &self,
        stream: &Stream,
        (a, a_first): (&mut Buffer<u64>, usize),
        (b, b_first): (&Buffer<u64>, usize),
        batch: usize,
        broadcast: bool,
    ) -> Result<(), GpuError> {
        let points = self.points();
        let b_batch = if broadcast { batch.min(1) } else { batch };
        a.check_rows("a", words::<K>(a_first)?, batch, words::<K>(points)?)?;
        b.check_rows("b", words::<K>(b_first)?, b_batch, words::<K>(points)?)?;
        let mask = if broadcast {
            points as u64 - 1
        } else {
            u64::MAX
        };
        self.launch_products(stream, (a, a_first), (b, b_first), batch * points, mask)
    }

    /// What kernels are told of the radix.
    pub(crate) fn radix(&self) -> [Argument; 4] {
        let radix = self.field.radix();
        let shift = radix.leading_zeros();
        let normal = radix << shift;
        // Less 2^64.
        let reciprocal = (u128::MAX / u128::from(normal)) as u64;
        [radix.into(), normal.into(), reciprocal.into(), shift.into()]
    }

    /// Multiplies `count` elements by those of another buffer.
    pub(crate) fn multiply_elements(
        &self,
        stream: &Stream,
        (a, a_first): (&mut Buffer<u64>, usize),
        (b, b_first): (&Buffer<u64>, usize),
        count: usize,
    ) -> Result<(), GpuError> {
        a.check_rows("a", words::<K>(a_first)?, 1, words::<K>(count)?)?;
        b.check_rows("b", words::<K>(b_first)?, 1, words::<K>(count)?)?;
        self.launch_products(stream, (a, a_first), (b, b_first), count, u64::MAX)
    }

    /// The field.
    pub(crate) const fn field(&self) -> &GeneralizedFermat<K> {
        &self.field
    }

    /// A thread for each digit of `count` elements, of which groups of so many have one at least.
    pub(crate) fn launch_steps(threads: usize, count: usize) -> Result<Launch, GpuError> {
        let groups = count.div_ceil(threads / K);
        Launch::new(groups as u64, threads, 0)
    }

    /// A slot for each digit of `count` elements.
    fn launch_slots(shape: BigPrimeShape, count: usize) -> Result<Launch, GpuError> {
        let groups = count.div_ceil(shape.slots / K);
        Launch::new(groups as u64, shape.threads, 0)
    }

    /// Submits `count` products.
    fn launch_products(
        &self,
        stream: &Stream,
        (a, a_first): (&mut Buffer<u64>, usize),
        (b, b_first): (&Buffer<u64>, usize),
        count: usize,
        mask: u64,
    ) -> Result<(), GpuError> {
        let mut arguments = vec![
            a.into(),
            Argument::U64(a_first as u64),
            b.into(),
            Argument::U64(b_first as u64),
            Argument::U64(count as u64),
            Argument::U64(mask),
        ];
        arguments.extend(self.radix());
        let (kernel, launch) = match &self.method {
            Method::Steps {
                products, threads, ..
            } => {
                arguments.push(K.trailing_zeros().into());
                (products, Self::launch_steps(*threads, count)?)
            }
            Method::Passes {
                products, shape, ..
            } => (products, Self::launch_slots(*shape, count)?),
        };
        // SAFETY: the arguments are those of the kernel, which stays inside `count` elements of the first buffer and
        // those that the mask leaves of the second, as callers checked.
        unsafe { stream.launch(kernel, launch, &arguments) }
    }

    /// Checks that so many vectors are expected, and there.
    pub(super) fn check(
        &self,
        what: &str,
        (data, first): (&Buffer<u64>, usize),
        batch: usize,
    ) -> Result<(), GpuError> {
        if batch > self.batch {
            return Err(GpuError::Shape(format!(
                "{batch} transforms at a time, where {} were expected at most",
                self.batch
            )));
        }
        let row = words::<K>(self.points())?;
        data.check_rows(what, words::<K>(first)?, batch, row)?;
        Ok(())
    }

    /// Submits all passes.
    fn transform(
        &self,
        stream: &Stream,
        data: &mut Buffer<u64>,
        first: usize,
        batch: usize,
        backward: bool,
    ) -> Result<(), GpuError> {
        self.check("vectors", (data, first), batch)?;
        if self.plan.log_n() == 0 || batch == 0 {
            return Ok(());
        }
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        self.launch_passes(stream, data, first, &mut scratch, batch, backward)
    }

    /// Submits the passes, to and fro, and a copy where their number is odd.
    fn launch_passes(
        &self,
        stream: &Stream,
        data: &mut Buffer<u64>,
        first: usize,
        scratch: &mut Buffer<u64>,
        batch: usize,
        backward: bool,
    ) -> Result<(), GpuError> {
        let own = (Argument::from(&mut *data), first as u64);
        let other = (Argument::from(&mut *scratch), 0);
        let passes = self.plan.passes();
        let mut log_step = 0;
        for (number, &c) in passes.iter().enumerate() {
            let (from, to) = if number % 2 == 0 {
                (own, other)
            } else {
                (other, own)
            };
            let is_last = number + 1 == passes.len();
            let is_scaled = is_last && backward && matches!(self.method, Method::Passes { .. });
            let factors = match is_scaled {
                true => &self.inverse_length,
                false => &self.powers,
            };
            let columns = batch * (self.points() >> c);
            let mut arguments = vec![
                to.0,
                to.1.into(),
                from.0,
                from.1.into(),
                factors.into(),
                Argument::U64(columns as u64),
                self.plan.log_n().into(),
                log_step.into(),
            ];
            let (kernel, launch) = match &self.method {
                Method::Steps { step, threads, .. } => {
                    arguments.push(u32::from(backward).into());
                    arguments.extend(self.radix());
                    arguments.push(K.trailing_zeros().into());
                    (step, Self::launch_steps(*threads, columns)?)
                }
                Method::Passes { pass, shape, .. } => {
                    let is_multiplied = is_scaled || !is_last;
                    arguments.push(c.into());
                    let flags = [backward, is_multiplied, is_last];
                    arguments.extend(flags.map(|flag| Argument::U32(flag.into())));
                    arguments.extend(self.radix());
                    (pass, Self::launch_slots(*shape, columns << c)?)
                }
            };
            // SAFETY: the arguments are those of the kernel, which stays inside `batch` vectors of both buffers, as was
            // checked, and inside the table of N powers, or takes the one factor.
            unsafe { stream.launch(kernel, launch, &arguments)? };
            log_step += c;
        }
        if passes.len() % 2 == 1 {
            let len = words::<K>(batch * self.points())?;
            stream.copy((scratch, 0), (data, words::<K>(first)?), len)?;
        }
        Ok(())
    }
}
