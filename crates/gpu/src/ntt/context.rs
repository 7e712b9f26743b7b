//! A transform: what is precomputed for it, and how it runs.

use super::plan::{NttParameters, NttPlan};
use super::programs::{EACH, Passes, Pointwise, Transform, log_side, square_bytes};
use super::twiddles::{self, Factors};
use crate::backend::{Argument, Launch};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::field::{Modulus, ResidueWord};
use crate::stream::Stream;
use std::sync::OnceLock;

/// Number theoretic transforms of N = 2^`log_n` points modulo a prime, on a device.
///
/// It holds the twiddle factors and the compiled kernels. It may be used on any stream of its device, by several
/// threads at a time.
///
/// ```
/// use sunzi_gpu::{Device, Selection, ntt::NttContext};
/// # fn main() -> Result<(), sunzi_gpu::GpuError> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// let (stream, context) = (device.stream()?, NttContext::<u32>::new(&device, 17, 2)?);
/// let mut data = device.buffer(4)?;
/// stream.write(&mut data, &[0, 1, 0, 0])?;
/// context.forward(&stream, &mut data, 0, 1)?;
/// let mut values = [0; 4];
/// stream.read(&data, &mut values)?;
/// // The powers of ω = 3^4 = 13, in bit-reversed order.
/// assert_eq!(values, [1, 16, 13, 4]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct NttContext<E: ResidueWord> {
    device: Device,
    modulus: Modulus,
    plan: NttPlan,
    /// Nothing for transforms of one point.
    factors: Option<[Factors<E>; 2]>,
    cyclic: [Passes; 2],
    /// The inverse of products, compiled when first wanted.
    cyclic_product: OnceLock<Passes>,
    /// The forward transform and the inverse of products, compiled when first wanted.
    negacyclic: OnceLock<[Passes; 2]>,
    pointwise: Pointwise,
}

impl<E: ResidueWord> NttContext<E> {
    /// Transforms with the parameters that suit the device.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a number that is no prime in the word's range or not 1 mod N, `log_n` > 28, and doubles
    /// on a device that has none; errors of the device.
    pub fn new(device: &Device, prime: u64, log_n: u32) -> Result<Self, GpuError> {
        Self::with_parameters(device, prime, log_n, NttParameters::for_device::<E>(device))
    }

    /// Transforms with given parameters.
    ///
    /// # Errors
    /// As [`NttContext::new`], and [`GpuError::Shape`] for parameters beyond the device's limits.
    pub fn with_parameters(
        device: &Device,
        prime: u64,
        log_n: u32,
        parameters: NttParameters,
    ) -> Result<Self, GpuError> {
        let modulus = Modulus::new::<E>(device, prime)?;
        let plan = NttPlan::new(log_n, parameters.check::<E>(device)?)?;
        let two_adicity = (prime - 1).trailing_zeros();
        if log_n > two_adicity {
            return Err(GpuError::Shape(format!(
                "the numbers modulo {prime} have no root of unity of order 2^{log_n}, only of 2^{two_adicity}"
            )));
        }
        let spare = modulus.is_spare::<E>();
        // The factors of a negacyclic transform are those of the other half of a cyclic one of twice the length.
        let bits = if two_adicity > log_n {
            log_n
        } else {
            log_n.saturating_sub(1)
        };
        let bytes = plan.bytes(size_of::<E>(), bits) as u64;
        if log_n > 0 && bytes > device.memory_free() {
            return Err(device.out_of_memory(bytes));
        }
        let pointwise = Pointwise::new::<E>(device, parameters.threads, spare)?;
        let fill = &pointwise.fill_table;
        let factors = match log_n {
            0 => None,
            _ => Some(twiddles::both(device, fill, &modulus, bits, &parameters)?),
        };
        let split = plan.split(bits);
        let passes = |inverse| {
            let transform = Transform {
                inverse,
                negacyclic: false,
                product: false,
            };
            Passes::new::<E>(device, &plan, transform, split, spare)
        };
        Ok(Self {
            cyclic: [passes(false)?, passes(true)?],
            cyclic_product: OnceLock::new(),
            negacyclic: OnceLock::new(),
            pointwise,
            device: device.clone(),
            modulus,
            plan,
            factors,
        })
    }

    /// Points N of a transform.
    pub const fn len(&self) -> usize {
        1 << self.plan.log_n()
    }

    /// Never: a transform has a point.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// The prime p.
    pub fn prime(&self) -> u64 {
        self.modulus.prime()
    }

    /// How a transform runs.
    pub const fn plan(&self) -> &NttPlan {
        &self.plan
    }

    /// The parameters of the kernels.
    fn parameters(&self) -> NttParameters {
        self.plan.parameters()
    }

    /// Transforms `batch` vectors that lie one after the other from element `first` on, in place: natural order in,
    /// bit-reversed order out. Element j becomes Σ x_i ω^(i·rev(j)), with the root ω that
    /// [`TwoAdicField::root_of_unity`](sunzi_field::TwoAdicField::root_of_unity) gives.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the vectors reach beyond the buffer; errors of the driver.
    pub fn forward(
        &self,
        stream: &Stream,
        data: &mut Buffer<E>,
        first: usize,
        batch: usize,
    ) -> Result<(), GpuError> {
        self.run(stream, &self.cyclic[0], (data, first), batch, None)
    }

    /// The inverse of [`NttContext::forward`]: bit-reversed order in, natural order out, divided by N.
    ///
    /// # Errors
    /// As [`NttContext::forward`].
    pub fn inverse(
        &self,
        stream: &Stream,
        data: &mut Buffer<E>,
        first: usize,
        batch: usize,
    ) -> Result<(), GpuError> {
        self.run(stream, &self.cyclic[1], (data, first), batch, None)
    }

    /// Multiplies point by point: a_i becomes a_i·b_i. `b` has as many transforms as `a`, or one for all (`b_batch` 1).
    ///
    /// # Errors
    /// [`GpuError::Shape`] for other numbers of transforms and if they reach beyond a buffer; errors of the driver.
    #[expect(
        clippy::too_many_arguments,
        reason = "two operands, each with its place"
    )]
    pub fn pointwise(
        &self,
        stream: &Stream,
        a: &mut Buffer<E>,
        a_first: usize,
        b: &Buffer<E>,
        b_first: usize,
        batch: usize,
        b_batch: usize,
    ) -> Result<(), GpuError> {
        let count = self.count(a, a_first, batch)?;
        let mask = self.mask(b, b_first, [batch, b_batch])?;
        let arguments = self.modulus.arguments::<E>(&[
            a.into(),
            Argument::U64(a_first as u64),
            b.into(),
            Argument::U64(b_first as u64),
            Argument::U64(count),
            Argument::U64(mask),
            self.modulus.product_scale::<E>(1),
        ]);
        // SAFETY: the arguments are those of the kernel; it stays below `count` in a, and in b below that or below N.
        unsafe { stream.launch(&self.pointwise.product, self.each(count)?, &arguments) }
    }

    /// Cyclic convolutions, in place of `a`: a(x)·b(x) mod x^N − 1. `b` has as many vectors as `a`, or one for all
    /// (`b_batch` 1); it is overwritten.
    ///
    /// # Errors
    /// As [`NttContext::pointwise`].
    #[expect(
        clippy::too_many_arguments,
        reason = "two operands, each with its place"
    )]
    pub fn convolve(
        &self,
        stream: &Stream,
        a: &mut Buffer<E>,
        a_first: usize,
        b: &mut Buffer<E>,
        b_first: usize,
        batch: usize,
        b_batch: usize,
    ) -> Result<(), GpuError> {
        let passes = [&self.cyclic[0], self.cyclic_product()?];
        self.convolve_by(passes, stream, (a, a_first), (b, b_first), [batch, b_batch])
    }

    /// Negacyclic convolutions, in place of `a`: a(x)·b(x) mod x^N + 1, for a prime that is 1 mod 2N. `b` as in
    /// [`NttContext::convolve`].
    ///
    /// # Errors
    /// As [`NttContext::pointwise`], and [`GpuError::Shape`] for a prime that is not 1 mod 2N.
    #[expect(
        clippy::too_many_arguments,
        reason = "two operands, each with its place"
    )]
    pub fn convolve_negacyclic(
        &self,
        stream: &Stream,
        a: &mut Buffer<E>,
        a_first: usize,
        b: &mut Buffer<E>,
        b_first: usize,
        batch: usize,
        b_batch: usize,
    ) -> Result<(), GpuError> {
        let passes = self.negacyclic()?.each_ref();
        self.convolve_by(passes, stream, (a, a_first), (b, b_first), [batch, b_batch])
    }

    /// Permutes each vector: element i goes where the reverse of its `log_n` bits says. What is in bit-reversed order
    /// comes into natural order, and back.
    ///
    /// # Errors
    /// As [`NttContext::forward`].
    pub fn bit_reverse(
        &self,
        stream: &Stream,
        data: &mut Buffer<E>,
        first: usize,
        batch: usize,
    ) -> Result<(), GpuError> {
        let count = self.count(data, first, batch)?;
        let (first, log_n) = (
            Argument::U64(first as u64),
            Argument::U32(self.plan.log_n()),
        );
        let square = 2 * log_side::<E>();
        if self.plan.log_n() < square {
            let arguments = [data.into(), first, Argument::U64(count), log_n];
            // SAFETY: the arguments are those of the kernel, which stays below `count`.
            return unsafe {
                stream.launch(&self.pointwise.bit_reverse, self.each(count)?, &arguments)
            };
        }
        let launch = Launch::new(
            count >> square,
            self.parameters().threads,
            square_bytes::<E>(),
        )?;
        let kernel = &self.pointwise.bit_reverse_squares;
        // SAFETY: the arguments are those of the kernel; a group has one square of 2^`square` elements, or two.
        unsafe { stream.launch(kernel, launch, &[data.into(), first, log_n]) }
    }

    fn inverse_of_len(&self) -> u64 {
        let prime = self.prime();
        // N divides p − 1, so N·(p − 1)/N = −1.
        prime - ((prime - 1) >> self.plan.log_n())
    }

    /// The kernels of the inverse of products.
    fn cyclic_product(&self) -> Result<&Passes, GpuError> {
        if let Some(passes) = self.cyclic_product.get() {
            return Ok(passes);
        }
        let transform = Transform {
            inverse: true,
            negacyclic: false,
            product: true,
        };
        let passes = self.compile(transform)?;
        Ok(self.cyclic_product.get_or_init(|| passes))
    }

    /// The kernels of negacyclic transforms.
    fn negacyclic(&self) -> Result<&[Passes; 2], GpuError> {
        if let Some(passes) = self.negacyclic.get() {
            return Ok(passes);
        }
        if (self.prime() - 1).trailing_zeros() <= self.plan.log_n() {
            return Err(GpuError::Shape(format!(
                "a negacyclic convolution of length {} modulo {} wants a root of unity of twice that order",
                self.len(),
                self.prime()
            )));
        }
        let transform = |inverse| Transform {
            inverse,
            negacyclic: true,
            product: inverse,
        };
        let passes = [
            self.compile(transform(false))?,
            self.compile(transform(true))?,
        ];
        Ok(self.negacyclic.get_or_init(|| passes))
    }

    /// The kernels of one transform.
    fn compile(&self, transform: Transform) -> Result<Passes, GpuError> {
        let split = self
            .factors
            .as_ref()
            .map_or(0, |[forward, _]| forward.split);
        let spare = self.modulus.is_spare::<E>();
        Passes::new::<E>(&self.device, &self.plan, transform, split, spare)
    }

    /// Forward both, and back what the first pass of the inverse multiplies.
    fn convolve_by(
        &self,
        [forward, inverse]: [&Passes; 2],
        stream: &Stream,
        (a, a_first): (&mut Buffer<E>, usize),
        (b, b_first): (&mut Buffer<E>, usize),
        [batch, b_batch]: [usize; 2],
    ) -> Result<(), GpuError> {
        self.count(a, a_first, batch)?;
        let mask = self.mask(b, b_first, [batch, b_batch])?;
        if self.plan.log_n() == 0 {
            return self.pointwise(stream, a, a_first, b, b_first, batch, b_batch);
        }
        self.run(stream, forward, (a, a_first), batch, None)?;
        self.run(stream, forward, (b, b_first), b_batch, None)?;
        let by = Some((&*b, b_first, mask));
        self.run(stream, inverse, (a, a_first), batch, by)
    }

    /// Runs the passes; those of products multiply by transforms `by`, with a mask for their indices.
    fn run(
        &self,
        stream: &Stream,
        passes: &Passes,
        (data, first): (&mut Buffer<E>, usize),
        batch: usize,
        by: Option<(&Buffer<E>, usize, u64)>,
    ) -> Result<(), GpuError> {
        let count = self.count(data, first, batch)?;
        let Some(factors) = &self.factors else {
            return Ok(());
        };
        let factors = &factors[usize::from(passes.transform.inverse)];
        let launch = Launch::new(
            count.div_ceil(1 << self.parameters().log_tile),
            self.parameters().threads,
            size_of::<E>() << self.parameters().log_tile,
        )?;
        let (other, other_first, mask) = by.unwrap_or((&factors.table, 0, 0));
        let scale = if by.is_some() {
            self.modulus.product_scale::<E>(self.inverse_of_len())
        } else {
            self.modulus.scale::<E>(self.inverse_of_len())
        };
        let negacyclic = passes.transform.negacyclic;
        for (pass, kernel) in &passes.kernels {
            let computed =
                pass.computed_from(self.parameters().log_radix, factors.split, negacyclic);
            let multiply = passes.transform.product && pass.shift == 0;
            let arguments = self.modulus.arguments::<E>(&[
                (&mut *data).into(),
                Argument::U64(first as u64),
                Argument::U64(count),
                Argument::U32(pass.shift),
                Argument::U32(pass.depth),
                Argument::U32(pass.levels),
                Argument::U32(pass.columns),
                Argument::U32(computed),
                Argument::U32(u32::from(negacyclic)),
                (&factors.table).into(),
                (&factors.high).into(),
                Argument::U32(factors.split),
                Argument::U32(u32::from(multiply)),
                other.into(),
                Argument::U64(other_first as u64),
                Argument::U64(mask),
                scale,
            ]);
            // SAFETY: the arguments are those of the kernel, which stays below `count`, and in other transforms below
            // that or below N; the tables have the factors of all levels.
            unsafe { stream.launch(kernel, launch, &arguments)? };
        }
        Ok(())
    }

    /// What indices of elements of `batch` transforms are masked by, to be those of `b_batch` ones in `b`.
    fn mask(
        &self,
        b: &Buffer<E>,
        b_first: usize,
        [batch, b_batch]: [usize; 2],
    ) -> Result<u64, GpuError> {
        self.count(b, b_first, b_batch)?;
        match b_batch {
            _ if b_batch == batch => Ok(u64::MAX),
            1 => Ok(self.len() as u64 - 1),
            _ => Err(GpuError::Shape(format!(
                "{batch} transforms are multiplied by as many or by one, not by {b_batch}"
            ))),
        }
    }

    /// The elements of `batch` transforms, if they are inside the buffer.
    fn count(&self, data: &Buffer<E>, first: usize, batch: usize) -> Result<u64, GpuError> {
        let count = data.check_rows("transforms", first, batch, self.len())?;
        Ok(count as u64)
    }

    /// A launch of the kernels that do `EACH` elements in a thread.
    fn each(&self, count: u64) -> Result<Launch, GpuError> {
        let groups = count.div_ceil((self.parameters().threads * EACH) as u64);
        Launch::new(groups, self.parameters().threads, 0)
    }
}
