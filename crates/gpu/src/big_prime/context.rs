//! Transforms modulo r^k + 1: what is precomputed for them, and how they run.

use super::plan::{BigPrimeConfig, BigPrimePlan, DigitMethod, MAX_LOG_POINTS, is_known};
use crate::work::{DIVISION, column};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use sunzi_device::parameters::{Note, Parameter, Told};
use sunzi_device::{Buffer, Device, GpuError, Kernel, Launch, Source, Stream, Work, kernel};
use sunzi_field::AnyField;

/// What all kernels do to digits.
pub(crate) const DIGITS: &str = include_str!("digits.cl");

/// Sums and products of elements, by a thread for each digit.
pub(crate) const ELEMENTS: &str = include_str!("elements.cl");

/// Transforms by steps of two points, for all radices.
const STEPS: &str = include_str!("steps.cl");

/// Transforms by passes of many points.
const PASSES: &str = include_str!("passes.cl");

/// What kernels are told of the radix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Radix {
    radix: u64,
    /// Shifted to the left as far as it goes, and by how much.
    normal: u64,
    shift: u32,
    /// 1 over that, less 2^64.
    reciprocal: u64,
}

impl Radix {
    pub(crate) fn new(radix: u64) -> Self {
        let shift = radix.leading_zeros();
        let normal = radix << shift;
        Self {
            radix,
            normal,
            shift,
            reciprocal: (u128::MAX / u128::from(normal)) as u64,
        }
    }
}

impl Parameter for Radix {
    fn number(&self) -> u128 {
        self.radix.into()
    }

    fn tell(self, _: &'static [&'static str], told: &mut Told) {
        self.radix.tell(&["r"], told);
        self.normal.tell(&["normal"], told);
        self.reciprocal.tell(&["reciprocal"], told);
        self.shift.tell(&["shift"], told);
    }
}

kernel! {
    /// A step of transforms, with a thread for each digit of `count` pairs of elements.
    unsafe struct Step<'a> for "big_prime_step" {
        to: &'a mut Buffer<u64> [(to_first + 2 * count) << log_k],
        to_first: u64,
        from: &'a Buffer<u64> [(from_first + 2 * count) << log_k],
        from_first: u64,
        powers: &'a Buffer<u64> [1 << (log_n + log_k)],
        count: u64,
        log_n: u32,
        log_step: u32,
        backward: bool,
        radix: Radix,
        log_k: u32,
    }
    work(k, _launch) {
        // Half of the elements are multiplied.
        let words = (2 * k.count) << k.log_k;
        Work {
            bytes: 8 * (2 * words + (1 << (k.log_n + k.log_k))),
            multiplications: words / 2 * column(1 << k.log_k),
            barriers: 5,
        }
    }
}

kernel! {
    /// A pass of transforms of 2^c points, which are in `columns`.
    unsafe struct Pass<'a> for "big_prime_pass" {
        to: &'a mut Buffer<u64> [to_first + (columns << c)],
        to_first: u64,
        from: &'a Buffer<u64> [from_first + (columns << c)],
        from_first: u64,
        factors: &'a Buffer<u64> [1],
        columns: u64,
        log_n: u32,
        log_step: u32,
        c: u32,
        backward: bool,
        multiplied: bool,
        last: bool,
        radix: Radix,
        digits: Note<usize>,
        turns: Note<usize>,
    }
    work(k, _launch) {
        let digits = k.digits.0 as u64;
        let words = (k.columns << k.c) * digits;
        // The last pass has one factor.
        let table = match (k.multiplied, k.last) {
            (false, _) => 0,
            (true, false) => digits << k.log_n,
            (true, true) => digits,
        };
        let product = if k.multiplied { column(digits) } else { 0 };
        Work {
            bytes: 8 * (2 * words + table),
            multiplications: words * (DIVISION + product),
            barriers: 3 + k.c as usize + if k.multiplied { 6 * k.turns.0 } else { 0 },
        }
    }
}

kernel! {
    /// a_i ← a_i·b_i for `count` elements, of the latter those that the mask leaves.
    unsafe struct Products<'a> for "big_prime_products" | "big_prime_pointwise" {
        a: &'a mut Buffer<u64> [a_first + count],
        a_first: u64,
        b: &'a Buffer<u64> [b_first + count.min(mask.saturating_add(1))],
        b_first: u64,
        count: u64,
        mask: u64,
        radix: Radix,
        log_k: Option<u32>,
        digits: Note<usize>,
        turns: Note<usize>,
    }
    work(k, _launch) {
        let words = k.count * k.digits.0 as u64;
        Work {
            bytes: 8 * 3 * words,
            multiplications: words * column(k.digits.0 as u64),
            barriers: 3 * k.turns.0,
        }
    }
}

/// Transforms of 2^n points modulo r^k + 1, `batch` at a time at most.
///
/// Takes 2^n products on the device for a table of the root's powers, 8·k·2^n bytes for it, and as much for each vector of a
/// batch.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::gpu::{BigPrimeContext, Device, Selection};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// let field = AnyField::generalized_fermat((1 << 59) + (1 << 58) + (1 << 11), 4)?; // P4
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
pub struct BigPrimeContext {
    pub(super) device: Device,
    pub(super) field: AnyField,
    radix: u64,
    /// Of an element, k.
    digits: usize,
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

/// The powers of ψ, a root of unity of order 2N, below ψ^N, and those of its inverse: a(ψx) modulo x^N − 1 is a(x) modulo
/// x^N + 1, since ψ^N = −1.
#[derive(Debug)]
pub(super) struct Weights {
    pub(super) powers: Buffer<u64>,
    pub(super) inverse_powers: Buffer<u64>,
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
    /// A group has as many digits as the configuration says.
    Passes {
        config: BigPrimeConfig,
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
pub(crate) fn pass_source(config: BigPrimeConfig, digits: usize) -> Source<'static> {
    Source::new("big prime passes", config.threads)
        .define("LOG_K", digits.ilog2())
        .define("SLOTS", config.slots)
        .part(DIGITS)
        .part(PASSES)
}

/// The radix and the digits of a field that devices may know.
fn radix_and_digits(field: &AnyField) -> Result<(u64, usize), GpuError> {
    field.radix_and_digits().ok_or_else(|| {
        GpuError::Shape(format!(
            "devices transform elements of digits modulo r^k + 1, which {field} is not"
        ))
    })
}

impl BigPrimeContext {
    /// log2 of the most points.
    pub const MAX_LOG_POINTS: u32 = MAX_LOG_POINTS;

    /// Whether devices compute in this field: with 2 to 256 digits and radices from 256 on.
    pub fn knows(field: &AnyField) -> bool {
        let found = field.radix_and_digits();
        found.is_some_and(|(radix, digits)| is_known(radix, digits))
    }

    /// Transforms of 2^`log_n` points, `batch` at a time at most.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a field that devices do not [know](Self::knows), and where 2^`log_n` does not divide
    /// p − 1 or is above 2^30; [`GpuError::Limits`] where groups of the device have too few threads;
    /// [`GpuError::OutOfMemory`] before anything is computed; errors of the device.
    pub fn new(
        device: &Device,
        field: &AnyField,
        log_n: u32,
        batch: usize,
    ) -> Result<Self, GpuError> {
        let (_, digits) = radix_and_digits(field)?;
        let config = BigPrimeConfig::for_device(device.info(), digits, log_n, batch);
        Self::with_config(device, field, log_n, batch, config)
    }

    /// The same with elements laid out in a given configuration.
    ///
    /// # Errors
    /// As [`BigPrimeContext::new`], and [`GpuError::Shape`] for a configuration beyond the device's limits.
    pub fn with_config(
        device: &Device,
        field: &AnyField,
        log_n: u32,
        batch: usize,
        config: BigPrimeConfig,
    ) -> Result<Self, GpuError> {
        Self::with_scratch(device, field.clone(), log_n, batch, config, None)
    }

    /// Other transforms of as many elements together, or less, which take turns with these.
    ///
    /// # Errors
    /// As [`BigPrimeContext::new`].
    pub(crate) fn beside(&self, log_n: u32, batch: usize) -> Result<Self, GpuError> {
        let config = BigPrimeConfig::for_device(self.device.info(), self.digits, log_n, batch);
        let (field, scratch) = (self.field.clone(), Some(&self.scratch));
        Self::with_scratch(&self.device, field, log_n, batch, config, scratch)
    }

    /// With vectors for passes of its own, or those of another context that are long enough.
    fn with_scratch(
        device: &Device,
        field: AnyField,
        log_n: u32,
        batch: usize,
        config: BigPrimeConfig,
        scratch: Option<&Arc<Mutex<Buffer<u64>>>>,
    ) -> Result<Self, GpuError> {
        let (radix, digits) = radix_and_digits(&field)?;
        let config = config.check(device.info(), digits)?;
        let plan = BigPrimePlan::new(config, radix, digits, log_n)?.check(device.info(), config)?;
        let no_root = || {
            GpuError::Shape(format!(
                "there are no transforms of 2^{log_n} points modulo {radix}^{digits}+1: 2^{} are the most",
                field.two_adicity()
            ))
        };
        let root = field.root_of_unity_row(log_n).ok_or_else(no_root)?;
        let points = 1 << log_n;
        let mut length = Vec::with_capacity(digits);
        field.push_u64(points as u64, &mut length);
        let inverse = field.inverse_row(&length).ok_or_else(no_root)?;
        let too_many =
            || GpuError::Shape(format!("{batch} vectors of {points} points are too many"));
        let vectors = batch
            .checked_mul(digits)
            .and_then(|row| row.checked_mul(points));
        let vectors = vectors.ok_or_else(too_many)?;
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
                let program = device.program(&step_source(config.threads))?;
                Method::Steps {
                    threads: config.threads,
                    step: program.kernel("big_prime_step")?,
                    products: program.kernel("big_prime_pointwise")?,
                }
            }
            DigitMethod::Lazy => {
                let program = device.program(&pass_source(config, digits))?;
                Method::Passes {
                    config,
                    pass: program.kernel("big_prime_pass")?,
                    products: program.kernel("big_prime_products")?,
                }
            }
        };
        let stream = device.stream()?;
        let mut context = Self {
            device: device.clone(),
            field,
            radix,
            digits,
            batch,
            // Computed below, by the kernels that are there then.
            powers: device.buffer(1)?,
            inverse_length: device.filled(&stream, &inverse)?,
            plan,
            method,
            scratch,
            weights: OnceLock::new(),
        };
        context.powers = context.powers_of(&stream, &root)?;
        Ok(context)
    }

    /// The first N powers of an element: all of them times one more, again and again.
    pub(super) fn powers_of(
        &self,
        stream: &Stream,
        element: &[u64],
    ) -> Result<Buffer<u64>, GpuError> {
        let row = self.words(self.points())?;
        let mut powers = self.device.buffer(row)?;
        let mut one = Vec::with_capacity(self.digits);
        self.field.push_u64(1, &mut one);
        stream.write_at(&mut powers, 0, &one)?;
        let mut upper = self.device.buffer((row / 2).max(self.digits))?;
        let mut square = element.to_vec();
        for log_known in 0..self.plan.log_n() {
            let known = 1 << log_known;
            let words = self.digits * known;
            let factor = self.device.filled(stream, &square)?;
            stream.copy((&powers, 0), (&mut upper, 0), words)?;
            self.launch_products(stream, (&mut upper, 0), (&factor, 0), known, 0)?;
            stream.copy((&upper, 0), (&mut powers, words), words)?;
            square = self.field.product_row(&square, &square);
        }
        Ok(powers)
    }

    /// Words of so many elements.
    pub(super) fn words(&self, elements: usize) -> Result<usize, GpuError> {
        elements.checked_mul(self.digits).ok_or_else(|| {
            let digits = self.digits;
            GpuError::Shape(format!(
                "{elements} elements of {digits} words are too many"
            ))
        })
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
        a.check_rows("a", self.words(a_first)?, batch, self.words(points)?)?;
        b.check_rows("b", self.words(b_first)?, b_batch, self.words(points)?)?;
        let mask = if broadcast {
            points as u64 - 1
        } else {
            u64::MAX
        };
        self.launch_products(stream, (a, a_first), (b, b_first), batch * points, mask)
    }

    /// What kernels are told of the radix.
    pub(crate) fn radix(&self) -> Radix {
        Radix::new(self.radix)
    }

    /// Multiplies `count` elements by those of another buffer.
    pub(crate) fn multiply_elements(
        &self,
        stream: &Stream,
        (a, a_first): (&mut Buffer<u64>, usize),
        (b, b_first): (&Buffer<u64>, usize),
        count: usize,
    ) -> Result<(), GpuError> {
        a.check_rows("a", self.words(a_first)?, 1, self.words(count)?)?;
        b.check_rows("b", self.words(b_first)?, 1, self.words(count)?)?;
        self.launch_products(stream, (a, a_first), (b, b_first), count, u64::MAX)
    }

    /// Digits of an element.
    pub(super) const fn digits(&self) -> usize {
        self.digits
    }

    /// A thread for each digit of `count` elements, of which groups of so many have one at least.
    fn launch_steps(&self, threads: usize, count: usize) -> Result<Launch, GpuError> {
        let groups = count.div_ceil(threads / self.digits);
        Launch::new(groups as u64, threads, 0)
    }

    /// A slot for each digit of `count` elements.
    fn launch_slots(&self, config: BigPrimeConfig, count: usize) -> Result<Launch, GpuError> {
        let groups = count.div_ceil(config.slots / self.digits);
        Launch::new(groups as u64, config.threads, 0)
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
        let (kernel, launch, log_k, turns) = match &self.method {
            Method::Steps {
                products, threads, ..
            } => {
                let launch = self.launch_steps(*threads, count)?;
                (products, launch, Some(self.digits.trailing_zeros()), 1)
            }
            Method::Passes {
                products, config, ..
            } => {
                let launch = self.launch_slots(*config, count)?;
                (products, launch, None, config.slots / config.threads)
            }
        };
        let parameters = Products {
            a,
            a_first: a_first as u64,
            b,
            b_first: b_first as u64,
            count: count as u64,
            mask,
            radix: self.radix(),
            log_k,
            digits: Note(self.digits),
            turns: Note(turns),
        };
        stream.launch(kernel, launch, parameters)
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
        let row = self.words(self.points())?;
        data.check_rows(what, self.words(first)?, batch, row)?;
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
        let passes = self.plan.passes();
        let mut log_step = 0;
        for (number, &c) in passes.iter().enumerate() {
            let (from, from_first, to, to_first) = match number % 2 {
                0 => (&*data, first as u64, &mut *scratch, 0),
                _ => (&*scratch, 0, &mut *data, first as u64),
            };
            let is_last = number + 1 == passes.len();
            let is_scaled = is_last && backward && matches!(self.method, Method::Passes { .. });
            let columns = batch * (self.points() >> c);
            let (log_n, radix) = (self.plan.log_n(), self.radix());
            match &self.method {
                Method::Steps { step, threads, .. } => {
                    let parameters = Step {
                        to,
                        to_first,
                        from,
                        from_first,
                        powers: &self.powers,
                        count: columns as u64,
                        log_n,
                        log_step,
                        backward,
                        radix,
                        log_k: self.digits.trailing_zeros(),
                    };
                    let launch = self.launch_steps(*threads, columns)?;
                    stream.launch(step, launch, parameters)?;
                }
                Method::Passes { pass, config, .. } => {
                    let parameters = Pass {
                        to,
                        to_first,
                        from,
                        from_first,
                        factors: match is_scaled {
                            true => &self.inverse_length,
                            false => &self.powers,
                        },
                        columns: columns as u64,
                        log_n,
                        log_step,
                        c,
                        backward,
                        multiplied: is_scaled || !is_last,
                        last: is_last,
                        radix,
                        digits: Note(self.digits),
                        turns: Note(config.slots / config.threads),
                    };
                    let launch = self.launch_slots(*config, columns << c)?;
                    stream.launch(pass, launch, parameters)?;
                }
            }
            log_step += c;
        }
        if passes.len() % 2 == 1 {
            let len = self.words(batch * self.points())?;
            stream.copy((scratch, 0), (data, self.words(first)?), len)?;
        }
        Ok(())
    }
}
