//! A transform: what is precomputed for it, and how it runs.

use super::plan::{NttParameters, NttPlan, near};
use super::programs::{
    BitReverse, BitReverseSquares, EACH, Multiply, Passes, Pointwise, RunPass, Transform, log_side,
    square_bytes,
};
use super::twiddles::{self, Factors, Filling};
use crate::elements::{ElementsMut, ElementsRef};
use crate::field::{Fields, Scale};
use crate::word::{ResidueWord, Word};
use std::sync::OnceLock;
use sunzi_device::parameters::{Note, Operand};
use sunzi_device::{Buffer, Device, GpuError, Launch, Stream};

/// Number theoretic transforms of N = 2^`log_n` points modulo a prime, or several at a time, on a device.
///
/// It holds the twiddle factors and the compiled kernels. It may be used on any stream of its device, by several
/// threads at a time.
///
/// ```
/// use sunzi::gpu::{Device, NttContext, Selection, Word};
/// # fn main() -> Result<(), sunzi::gpu::GpuError> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// let (stream, context) = (device.stream()?, NttContext::new(&device, Word::U32, 17, 2)?);
/// let mut data = device.buffer(4)?;
/// stream.write(&mut data, &[0u32, 1, 0, 0])?;
/// context.forward(&stream, &mut data, 0, 1)?;
/// let mut values = [0; 4];
/// stream.read(&data, &mut values)?;
/// // The powers of ω = 3^4 = 13, in bit-reversed order.
/// assert_eq!(values, [1, 16, 13, 4]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct NttContext {
    device: Device,
    primes: Vec<u64>,
    /// What kernels are told of the primes.
    fields: Fields,
    /// The largest n for which there are roots of unity of order 2^n modulo all primes.
    two_adicity: u32,
    plan: NttPlan,
    /// Nothing for transforms of one point.
    factors: Option<[Factors; 2]>,
    forward: Passes,
    /// The inverse, and that of products, compiled when first wanted: few want both.
    inverse: OnceLock<Passes>,
    inverse_of_products: OnceLock<Passes>,
    /// The forward transform and the inverse of products, compiled when first wanted.
    negacyclic: OnceLock<[Passes; 2]>,
    pointwise: Pointwise,
}

/// Where vectors lie in a buffer: `count` of them for each prime, one after the other, the first of the first prime
/// at element `first`, and those of the next prime `stride` elements further on.
#[derive(Clone, Copy, Debug)]
struct Place {
    first: usize,
    stride: usize,
    count: usize,
}

/// The transforms that others are multiplied by.
#[derive(Clone, Copy)]
struct Factor<'a> {
    buffer: Operand<ElementsRef<'a>>,
    place: Place,
    /// What indices of elements modulo a prime are masked by: one factor may serve all.
    mask: u64,
}

impl NttContext {
    /// Transforms of residues in such words, with the parameters that suit the device and one vector at a time. Buffers have
    /// these words, or those of 32 bits in their place; places in them are counted in residues.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a number that is no prime in the word's range or not 1 mod N, `log_n` > 28, and doubles
    /// on a device that has none; errors of the device.
    pub fn new(device: &Device, word: Word, prime: u64, log_n: u32) -> Result<Self, GpuError> {
        Self::for_primes(device, word, &[prime], log_n)
    }

    /// Transforms modulo several primes at a time: every method takes as many vectors for each prime as it is told,
    /// those of the first prime before those of the second, and a pass of all of them is one launch.
    ///
    /// # Errors
    /// As [`NttContext::new`], and [`GpuError::Shape`] for no primes.
    pub fn for_primes(
        device: &Device,
        word: Word,
        primes: &[u64],
        log_n: u32,
    ) -> Result<Self, GpuError> {
        let parameters = NttParameters::for_device(device.info(), word, log_n, primes.len());
        Self::with_parameters(device, word, primes, log_n, parameters)
    }

    /// Transforms with given parameters: [`NttParameters::for_device`] has those for many vectors at a time.
    ///
    /// # Errors
    /// As [`NttContext::for_primes`], and [`GpuError::Shape`] for parameters beyond the device's limits.
    pub fn with_parameters(
        device: &Device,
        word: Word,
        primes: &[u64],
        log_n: u32,
        parameters: NttParameters,
    ) -> Result<Self, GpuError> {
        let plan = NttPlan::new(log_n, parameters.check(device.info(), word)?)?;
        let stream = device.stream()?;
        let fields = Fields::new(&stream, word, primes, log_n)?;
        let adicity = |prime: &u64| (prime - 1).trailing_zeros();
        let Some((least, two_adicity)) =
            primes.iter().map(|p| (p, adicity(p))).min_by_key(|of| of.1)
        else {
            return Err(GpuError::Shape(
                "there are no primes to transform modulo".to_owned(),
            ));
        };
        if log_n > two_adicity {
            return Err(GpuError::Shape(format!(
                "the numbers modulo {least} have no root of unity of order 2^{log_n}, only of 2^{two_adicity}"
            )));
        }
        // The factors of a negacyclic transform are those of the other half of a cyclic one of twice the length.
        let bits = if two_adicity > log_n {
            log_n
        } else {
            log_n.saturating_sub(1)
        };
        let bytes = (primes.len() * plan.bytes(word, bits)) as u64;
        if log_n > 0 && bytes > device.memory_free() {
            return Err(device.out_of_memory(bytes));
        }
        let pointwise = Pointwise::new(device, &fields, parameters.threads)?;
        let factors = match log_n {
            0 => None,
            _ => {
                let filling = Filling {
                    points: &pointwise,
                    fields: &fields,
                    plan: &plan,
                };
                Some(twiddles::both(&stream, &filling, bits)?)
            }
        };
        let split = plan.split(bits);
        let transform = Transform {
            inverse: false,
            negacyclic: false,
            product: false,
        };
        Ok(Self {
            forward: Passes::new(device, &fields, &plan, transform, split)?,
            inverse: OnceLock::new(),
            inverse_of_products: OnceLock::new(),
            negacyclic: OnceLock::new(),
            pointwise,
            device: device.clone(),
            primes: primes.to_vec(),
            fields,
            two_adicity,
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

    /// The primes, one at least.
    pub fn primes(&self) -> &[u64] {
        &self.primes
    }

    /// How a transform runs.
    pub const fn plan(&self) -> &NttPlan {
        &self.plan
    }

    /// The parameters of the kernels.
    fn parameters(&self) -> NttParameters {
        self.plan.parameters()
    }

    /// Transforms `batch` vectors for each prime that lie one after the other from element `first` on, in place:
    /// natural order in, bit-reversed order out. Element j becomes Σ x_i ω^(i·rev(j)), with the root ω that
    /// [`TwoAdicField::root_of_unity`](sunzi_field::TwoAdicField::root_of_unity) gives.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the vectors reach beyond the buffer; errors of the driver.
    pub fn forward<E: ResidueWord>(
        &self,
        stream: &Stream,
        data: &mut Buffer<E>,
        first: usize,
        batch: usize,
    ) -> Result<(), GpuError> {
        let data = self.fields.elements_mut(data)?;
        let place = self.place(data.as_ref(), first, batch)?;
        self.run(stream, &self.forward, data, place, None)
    }

    /// The inverse of [`NttContext::forward`]: bit-reversed order in, natural order out, divided by N.
    ///
    /// # Errors
    /// As [`NttContext::forward`].
    pub fn inverse<E: ResidueWord>(
        &self,
        stream: &Stream,
        data: &mut Buffer<E>,
        first: usize,
        batch: usize,
    ) -> Result<(), GpuError> {
        let data = self.fields.elements_mut(data)?;
        let place = self.place(data.as_ref(), first, batch)?;
        self.run(stream, self.inverse_by(false)?, data, place, None)
    }

    /// Multiplies point by point: a_i becomes a_i·b_i. `b` has as many transforms for each prime as `a`, or one for all
    /// of `a`'s (`b_batch` 1).
    ///
    /// # Errors
    /// [`GpuError::Shape`] for other numbers of transforms and if they reach beyond a buffer; errors of the driver.
    #[expect(
        clippy::too_many_arguments,
        reason = "two operands, each with its place"
    )]
    pub fn pointwise<E: ResidueWord>(
        &self,
        stream: &Stream,
        a: &mut Buffer<E>,
        a_first: usize,
        b: &Buffer<E>,
        b_first: usize,
        batch: usize,
        b_batch: usize,
    ) -> Result<(), GpuError> {
        let (a, b) = (self.fields.elements_mut(a)?, self.fields.elements(b)?);
        let place = self.place(a.as_ref(), a_first, batch)?;
        let factor = self.factor(Operand::Own(b), self.place(b, b_first, b_batch)?, batch)?;
        self.multiply_points(stream, a, place, factor)
    }

    /// Cyclic convolutions, in place of `a`: a(x)·b(x) mod x^N − 1. `b` has as many vectors for each prime as `a`, or
    /// one for all of `a`'s (`b_batch` 1); it is overwritten.
    ///
    /// # Errors
    /// As [`NttContext::pointwise`].
    #[expect(
        clippy::too_many_arguments,
        reason = "two operands, each with its place"
    )]
    pub fn convolve<E: ResidueWord>(
        &self,
        stream: &Stream,
        a: &mut Buffer<E>,
        a_first: usize,
        b: &mut Buffer<E>,
        b_first: usize,
        batch: usize,
        b_batch: usize,
    ) -> Result<(), GpuError> {
        let passes = [&self.forward, self.inverse_by(true)?];
        let (a, b) = (self.fields.elements_mut(a)?, self.fields.elements_mut(b)?);
        self.convolve_by(passes, stream, (a, a_first), (b, b_first), [batch, b_batch])
    }

    /// Negacyclic convolutions, in place of `a`: a(x)·b(x) mod x^N + 1, for primes that are 1 mod 2N. `b` as in
    /// [`NttContext::convolve`].
    ///
    /// # Errors
    /// As [`NttContext::pointwise`], and [`GpuError::Shape`] for a prime that is not 1 mod 2N.
    #[expect(
        clippy::too_many_arguments,
        reason = "two operands, each with its place"
    )]
    pub fn convolve_negacyclic<E: ResidueWord>(
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
        let (a, b) = (self.fields.elements_mut(a)?, self.fields.elements_mut(b)?);
        self.convolve_by(passes, stream, (a, a_first), (b, b_first), [batch, b_batch])
    }

    /// Cyclic convolutions of vectors in one buffer, from its beginning on: `batch` and `b_batch` of them for each
    /// prime, of which the first ones become the products, with the others or with the only other one. So the forward
    /// transforms of both sides are as many launches as those of one.
    ///
    /// # Errors
    /// As [`NttContext::pointwise`].
    pub fn convolve_together<E: ResidueWord>(
        &self,
        stream: &Stream,
        data: &mut Buffer<E>,
        batch: usize,
        b_batch: usize,
    ) -> Result<(), GpuError> {
        let mut data = self.fields.elements_mut(data)?;
        let all = self.place(data.as_ref(), 0, batch.saturating_add(b_batch))?;
        let place = Place {
            count: batch,
            ..all
        };
        let other = Place {
            first: batch * self.len(),
            count: b_batch,
            ..all
        };
        let factor = self.factor(Operand::First, other, batch)?;
        self.run(stream, &self.forward, data.as_mut(), all, None)?;
        self.run(stream, self.inverse_by(true)?, data, place, Some(factor))
    }

    /// Permutes each vector: element i goes where the reverse of its `log_n` bits says. What is in bit-reversed order
    /// comes into natural order, and back.
    ///
    /// # Errors
    /// As [`NttContext::forward`].
    pub fn bit_reverse<E: ResidueWord>(
        &self,
        stream: &Stream,
        data: &mut Buffer<E>,
        first: usize,
        batch: usize,
    ) -> Result<(), GpuError> {
        let data = self.fields.elements_mut(data)?;
        self.place(data.as_ref(), first, batch)?;
        self.reverse_bits(stream, data, first as u64, batch)
    }

    fn reverse_bits(
        &self,
        stream: &Stream,
        data: ElementsMut<'_>,
        first: u64,
        batch: usize,
    ) -> Result<(), GpuError> {
        let (word, log_n) = (self.fields.word(), self.plan.log_n());
        let count = ((self.primes.len() * batch) << log_n) as u64;
        let square = 2 * log_side(word);
        let has_squares = square_bytes(word) <= self.device.info().shared_memory;
        if log_n < square || !has_squares {
            let launch = Launch::new(self.each(count), self.parameters().threads, 0)?;
            let parameters = BitReverse {
                data,
                first,
                count,
                log_n,
            };
            return stream.launch(&self.pointwise.bit_reverse, launch, parameters);
        }
        let (threads, bytes) = (self.parameters().threads, square_bytes(word));
        let parameters = BitReverseSquares {
            data,
            first,
            log_n,
            word,
        };
        let launch = Launch::new(count >> square, threads, bytes)?;
        stream.launch(&self.pointwise.bit_reverse_squares, launch, parameters)
    }

    /// The kernels of the inverse, of products with other transforms or alone.
    fn inverse_by(&self, product: bool) -> Result<&Passes, GpuError> {
        let place = if product {
            &self.inverse_of_products
        } else {
            &self.inverse
        };
        if let Some(passes) = place.get() {
            return Ok(passes);
        }
        let passes = self.compile(Transform {
            inverse: true,
            negacyclic: false,
            product,
        })?;
        Ok(place.get_or_init(|| passes))
    }

    /// The kernels of negacyclic transforms.
    fn negacyclic(&self) -> Result<&[Passes; 2], GpuError> {
        if let Some(passes) = self.negacyclic.get() {
            return Ok(passes);
        }
        if self.two_adicity <= self.plan.log_n() {
            return Err(GpuError::Shape(format!(
                "a negacyclic convolution of length {} modulo {:?} wants roots of unity of twice that order",
                self.len(),
                self.primes
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
        Passes::new(&self.device, &self.fields, &self.plan, transform, split)
    }

    /// Forward both, and back what the first pass of the inverse multiplies.
    fn convolve_by(
        &self,
        [forward, inverse]: [&Passes; 2],
        stream: &Stream,
        (mut a, a_first): (ElementsMut<'_>, usize),
        (mut b, b_first): (ElementsMut<'_>, usize),
        [batch, b_batch]: [usize; 2],
    ) -> Result<(), GpuError> {
        let place = self.place(a.as_ref(), a_first, batch)?;
        let other = self.place(b.as_ref(), b_first, b_batch)?;
        let mask = self.mask(other, batch)?;
        self.run(stream, forward, a.as_mut(), place, None)?;
        self.run(stream, forward, b.as_mut(), other, None)?;
        let factor = Factor {
            buffer: Operand::Own(b.as_ref()),
            place: other,
            mask,
        };
        self.run(stream, inverse, a, place, Some(factor))
    }

    /// Submits a_i ← a_i·b_i.
    fn multiply_points(
        &self,
        stream: &Stream,
        a: ElementsMut<'_>,
        place: Place,
        factor: Factor<'_>,
    ) -> Result<(), GpuError> {
        let count = (place.count << self.plan.log_n()) as u64;
        let threads = self.parameters().threads;
        let launch = Launch::rows(self.each(count), self.primes.len(), threads, 0)?;
        let parameters = Multiply {
            a,
            a_first: place.first as u64,
            a_stride: place.stride as u64,
            b: factor.buffer,
            b_first: factor.place.first as u64,
            b_stride: factor.place.stride as u64,
            count,
            mask: factor.mask,
            scale: Scale::ProductOne,
            fields: &self.fields,
        };
        stream.launch(&self.pointwise.product, launch, parameters)
    }

    /// Runs the passes; those of products multiply by other transforms.
    fn run(
        &self,
        stream: &Stream,
        passes: &Passes,
        mut data: ElementsMut<'_>,
        place: Place,
        by: Option<Factor<'_>>,
    ) -> Result<(), GpuError> {
        let Some(factors) = &self.factors else {
            // A transform of one point is the point.
            return by.map_or(Ok(()), |factor| {
                self.multiply_points(stream, data, place, factor)
            });
        };
        let factors = &factors[usize::from(passes.transform.inverse)];
        let count = (place.count << self.plan.log_n()) as u64;
        let launch = Launch::rows(
            count.div_ceil(1 << self.parameters().log_tile),
            self.primes.len(),
            self.parameters().threads,
            self.fields.word().bytes() << self.parameters().log_tile,
        )?;
        let scale = if by.is_some() {
            Scale::ProductInverseLength
        } else {
            Scale::InverseLength
        };
        let (powers, log_powers) = match &factors.powers {
            Some((powers, log_powers)) => (powers, *log_powers),
            // No step reads them.
            None => (&factors.table, 0),
        };
        let other = by.unwrap_or(Factor {
            // No pass reads it.
            buffer: Operand::First,
            place: Place {
                first: 0,
                stride: 0,
                count: 0,
            },
            mask: 0,
        });
        let negacyclic = passes.transform.negacyclic;
        for (pass, kernel) in &passes.kernels {
            let twisted = pass.twisted_from(self.parameters().log_radix, factors.split, negacyclic);
            let multiply = passes.transform.product && pass.shift == 0;
            let parameters = RunPass {
                data: data.as_mut(),
                first: place.first as u64,
                stride: place.stride as u64,
                count,
                shift: pass.shift,
                depth: pass.depth,
                levels: pass.levels,
                columns: pass.columns,
                twisted,
                near: near(self.fields.word(), factors.split),
                negacyclic,
                table: factors.table.as_ref(),
                powers: powers.as_ref(),
                log_table: factors.split,
                log_powers,
                multiply,
                other: other.buffer,
                other_first: other.place.first as u64,
                other_stride: other.place.stride as u64,
                mask: other.mask,
                scale,
                fields: &self.fields,
                barriers: Note(pass.barriers(&self.parameters())),
            };
            stream.launch(kernel, launch, parameters)?;
        }
        Ok(())
    }

    /// The place of `batch` vectors for each prime, one after the other, if they are inside the buffer.
    fn place(&self, data: ElementsRef<'_>, first: usize, batch: usize) -> Result<Place, GpuError> {
        let all = batch.saturating_mul(self.primes.len());
        data.check_rows("transforms", first, all, self.len())?;
        Ok(Place {
            first,
            stride: batch * self.len(),
            count: batch,
        })
    }

    /// Transforms that `batch` others are multiplied by: as many, or one for all.
    fn factor<'a>(
        &self,
        buffer: Operand<ElementsRef<'a>>,
        place: Place,
        batch: usize,
    ) -> Result<Factor<'a>, GpuError> {
        let mask = self.mask(place, batch)?;
        Ok(Factor {
            buffer,
            place,
            mask,
        })
    }

    /// What indices are masked by in transforms that `batch` others are multiplied by.
    fn mask(&self, place: Place, batch: usize) -> Result<u64, GpuError> {
        match place.count {
            count if count == batch => Ok(u64::MAX),
            1 => Ok(self.len() as u64 - 1),
            other => Err(GpuError::Shape(format!(
                "{batch} transforms are multiplied by as many or by one, not by {other}"
            ))),
        }
    }

    /// Groups of the kernels that do `EACH` elements in a thread.
    fn each(&self, count: u64) -> u64 {
        count.div_ceil((self.parameters().threads * EACH) as u64)
    }
}
