//! Products by transforms modulo several primes, or one that is the modulus.
//!
//! Operands are projected to the primes, convolved by number theoretic transforms, and put together again; all three
//! on the device. A product of n coefficients by k primes moves about 4(w_a + w_b + 4k·(2 + 3·passes) + w)·n bytes of
//! the device's memory, w words going in and out.

use super::config::ProductConfig;
use super::contexts::Contexts;
use super::kept::Kept;
use super::load::{Load, Pool, Slot};
use super::packing::pack;
use super::plan::{CARRY_PLANES, TransformPlan};
use super::problem::{Finish, Operand};
use super::projection::Projection;
use super::rows::{Take, one_by_one};
use super::spans::Spans;
use crate::carry::context::{CarryContext, Coefficients};
use crate::ntt::{NttContext, NttParameters, NttPlan};
use crate::residues::combine::{CombineContext, CombineModuloContext};
use crate::residues::project::Polynomials;
use crate::word::Word;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use sunzi_device::double_buffer::{pieces, run_double_buffered};
use sunzi_device::{Buffer, Device, GpuError, Staging, Stream};

/// Multiplies batches of one plan.
#[derive(Debug)]
pub struct TransformContext {
    device: Device,
    plan: TransformPlan,
    config: ProductConfig,
    primes: usize,
    /// 32-bit words of a coefficient's residues.
    residue_words: usize,
    word: Word,
    /// Modulo all primes: large batches may take other passes.
    transforms: Contexts<NttParameters, NttContext>,
    projection: Projection,
    finisher: Finisher,
    pool: Pool<ProductSlot>,
    /// Workspaces of products that stay on the device.
    pub(super) kept: Kept<Workspace>,
    /// Where products of such lie, and the same on the device: batches of one configuration follow each other.
    pub(super) last_spans: Mutex<Option<Spans>>,
}

/// What turns the residues of products into words.
#[derive(Debug)]
enum Finisher {
    Words(CombineContext),
    Carry(CombineContext),
    Modulo(CombineModuloContext),
    /// The only prime is the modulus: the residues are the words.
    Nothing,
}

/// Memory of the device that products are computed in.
#[derive(Debug)]
pub(super) struct Workspace {
    /// Left and right operands that it has room for.
    batches: [usize; 2],
    /// Modulo one prime after the other: of all left operands, then of the right ones.
    residues: Buffer<u32>,
    /// Where coefficients lie before they are carried over, and what does that.
    carry: Option<(Buffer<u32>, CarryContext)>,
}

impl Slot for Workspace {
    type Size = [usize; 2];

    fn holds(&self, batches: &[usize; 2]) -> bool {
        self.batches[0] >= batches[0] && self.batches[1] >= batches[1]
    }
}

/// One side's operands of a piece.
#[derive(Debug)]
struct Side {
    words_staged: Staging<u32>,
    spans_staged: Staging<u32>,
    words: Buffer<u32>,
    spans: Buffer<u32>,
}

/// The largest piece of a batch: words of operands, and how many of them, left and right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PieceSize {
    words: [usize; 2],
    operands: [usize; 2],
}

/// Where a piece is worked on.
#[derive(Debug)]
struct ProductSlot {
    size: PieceSize,
    stream: Stream,
    left: Side,
    right: Side,
    work: Workspace,
    product: Buffer<u32>,
    product_staged: Staging<u32>,
}

impl Slot for ProductSlot {
    type Size = PieceSize;

    fn holds(&self, size: &PieceSize) -> bool {
        let holds = |have: [usize; 2], want: [usize; 2]| have[0] >= want[0] && have[1] >= want[1];
        holds(self.size.words, size.words) && holds(self.size.operands, size.operands)
    }
}

impl TransformContext {
    /// Compiles the kernels and makes the tables, as suits the device.
    ///
    /// # Errors
    /// [`GpuError::TooFewPrimes`]; [`GpuError::Shape`] for a modulus that is even; errors of the device.
    pub fn new(device: &Device, plan: TransformPlan) -> Result<Self, GpuError> {
        Self::with_config(device, plan, ProductConfig::for_device(device.info()))
    }

    /// The same by a given configuration; of that it is the threads, transforms and carries that matter, and what is said of slots
    /// and copies.
    ///
    /// # Errors
    /// As [`TransformContext::new`], and [`GpuError::Shape`] for what a device cannot do.
    pub fn with_config(
        device: &Device,
        plan: TransformPlan,
        config: ProductConfig,
    ) -> Result<Self, GpuError> {
        let config = config.check(device.info())?;
        let primes = plan.primes()?.len();
        let stream = device.stream()?;
        let threads = config.threads;
        let combine = || match plan.value_form() {
            Some(form) => CombineContext::new(&stream, &plan.basis()?, form, threads),
            None => Err(GpuError::Shape(
                "residues are not put together as words".to_owned(),
            )),
        };
        let modulo = |modulus, words| {
            CombineModuloContext::new(&stream, &plan.basis()?, modulus, words, threads)
                .map(Finisher::Modulo)
        };
        let finisher = match plan.finish {
            Finish::Words { .. } => Finisher::Words(combine()?),
            Finish::Carry => Finisher::Carry(combine()?),
            Finish::Modulo32(_) if plan.own_modulus().is_some() => Finisher::Nothing,
            Finish::Modulo64(_) if plan.own_wide_modulus().is_some() => Finisher::Nothing,
            Finish::Modulo32(modulus) => modulo(modulus.into(), 1)?,
            Finish::Modulo64(modulus) => modulo(modulus, 2)?,
        };
        let context = Self {
            projection: Projection::new(&stream, &plan, threads)?,
            finisher,
            primes,
            residue_words: plan.residue_words(primes),
            word: plan.word(),
            transforms: Contexts::default(),
            device: device.clone(),
            plan,
            config,
            pool: Pool::default(),
            kept: Kept::new(config.slots),
            last_spans: Mutex::default(),
        };
        context.transforms(1)?;
        Ok(context)
    }

    /// What is multiplied, and by which transforms.
    pub fn plan(&self) -> &TransformPlan {
        &self.plan
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// How it is cut up.
    pub fn config(&self) -> &ProductConfig {
        &self.config
    }

    /// How the transforms of `batch` products at a time run.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`] if there is no room for their tables; errors of the device.
    pub fn transform_plan(&self, batch: usize) -> Result<NttPlan, GpuError> {
        Ok(self.transforms(batch)?.plan().clone())
    }

    /// The transforms modulo all primes of `batch` products at a time, made ready when first asked for.
    ///
    /// # Errors
    /// As [`TransformContext::transform_plan`].
    pub(super) fn transforms(&self, batch: usize) -> Result<Arc<NttContext>, GpuError> {
        let vectors = self.primes.saturating_mul(batch);
        let (device, log_points) = (&self.device, self.plan.log_points);
        let parameters = self
            .config
            .ntt(self.word, log_points, device.info(), vectors);
        let make = || {
            let primes = self.plan.primes()?;
            NttContext::with_parameters(device, self.word, &primes, log_points, parameters)
        };
        self.transforms.get(parameters, make)
    }

    /// Words of 32 bits that the residues of a coefficient take: one for each prime of 31 bits, two for one of 63.
    pub fn residue_words(&self) -> usize {
        self.residue_words
    }

    /// Multiplies pairs of operands, and hands each product's words to `take`, with the pair's number: those of
    /// `left.terms() + right.terms() − 1` coefficients, or one more for [`Finish::Carry`], none if an operand has
    /// none.
    ///
    /// If all right operands are one and the same, it is copied and transformed once in each piece.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if operands are not of the plan; [`GpuError::OutOfMemory`] if not even one product fits
    /// in the device's memory; errors of the device.
    pub fn multiply(
        &self,
        pairs: &[[Operand<'_>; 2]],
        take: impl FnMut(usize, &[u32]),
    ) -> Result<(), GpuError> {
        self.multiply_by(pairs.len(), pairs, &mut one_by_one(take))
    }

    /// As [`TransformContext::multiply`], `most` pairs in a piece at most, and their products are handed out together.
    pub(super) fn multiply_by(
        &self,
        most: usize,
        pairs: &[[Operand<'_>; 2]],
        take: &mut Take<'_>,
    ) -> Result<(), GpuError> {
        for pair in pairs {
            self.check(pair)?;
        }
        let Some([_, first]) = pairs.first() else {
            return Ok(());
        };
        let shared = pairs.iter().all(|[_, right]| right.is_same(first));
        let (room, _) = self.with_memory(|| self.pairs_at_once(pairs))?;
        // The last piece may be small: it is not worth other transforms.
        let batch = pairs.len().min(room).min(most.max(1));
        let transforms = self.with_memory(|| self.transforms(batch))?;
        // Once more, as their tables may take memory.
        let (room, slots) = self.with_memory(|| self.pairs_at_once(pairs))?;
        let pieces = pieces(pairs.len(), room.min(most.max(1)));
        let size = largest_piece(pairs, &pieces, shared);
        let count = slots.min(pieces.len());
        let mut slots = self.pool.take(count, &size, || self.slot(size))?;
        let submit = |slot: &mut ProductSlot, piece: &Range<usize>| {
            self.submit(slot, &transforms, &pairs[piece.clone()], shared)
        };
        let collect = |slot: &mut ProductSlot, piece: Range<usize>| {
            let words = slot.product_staged.get()?;
            let stride = self.plan.product_words();
            let mut products = Vec::with_capacity(piece.len());
            for (row, number) in words.chunks(stride).zip(piece) {
                products.push((number, &row[..self.result_words(&pairs[number])?]));
            }
            take(&products);
            Ok(())
        };
        run_double_buffered(&mut slots, pieces, submit, collect)?;
        self.pool.put(slots);
        Ok(())
    }

    /// What takes memory: where there is none, once more after all that is kept was forgotten.
    pub(super) fn with_memory<T>(
        &self,
        make: impl Fn() -> Result<T, GpuError>,
    ) -> Result<T, GpuError> {
        match make() {
            Err(GpuError::OutOfMemory { .. }) => {
                self.forget();
                make()
            }
            made => made,
        }
    }

    /// Frees the memory that is kept for later products.
    fn forget(&self) {
        self.pool.clear();
        self.kept.clear();
        self.transforms.clear();
    }

    /// Refuses operands of another plan.
    fn check(&self, pair: &[Operand<'_>; 2]) -> Result<(), GpuError> {
        let forms = [self.plan.left, self.plan.right];
        for (operand, form) in pair.iter().zip(forms) {
            if operand.coefficient_words() != form.words {
                return Err(GpuError::Shape(format!(
                    "coefficients of {} words were expected, not of {}",
                    form.words,
                    operand.coefficient_words()
                )));
            }
        }
        self.plan
            .terms_of_product(pair.map(|operand| operand.terms()))
            .map(|_| ())
    }

    /// Words that are handed out of a product.
    fn result_words(&self, pair: &[Operand<'_>; 2]) -> Result<usize, GpuError> {
        let terms = self
            .plan
            .terms_of_product(pair.map(|operand| operand.terms()))?;
        Ok(terms * self.plan.finish.words())
    }

    /// Pairs of a piece, and slots.
    fn pairs_at_once(&self, pairs: &[[Operand<'_>; 2]]) -> Result<(usize, usize), GpuError> {
        let operands = |pair: &[Operand<'_>; 2]| {
            let words = pair.iter().map(|operand| operand.words().len());
            words.sum::<usize>()
        };
        let largest = pairs.iter().map(operands).max().unwrap_or(0);
        let (plan, product) = (&self.plan, self.plan.product_words());
        let residues = 2 * self.residue_words * plan.points();
        let info = self.device.info();
        let carry_block = self.config.carry(info, plan.points()).block();
        let load = Load {
            pairs: pairs.len(),
            device_words: plan.pair_words(self.residue_words, largest, carry_block),
            buffer_words: residues.max(plan.plane_words()).max(product),
            copied_words: largest + product,
        };
        let (room, slots) = load.cut(&self.device, &self.config)?;
        // Kernels count the positions of a piece in 32 bits where it pays.
        let countable = (1 << 31) >> self.plan.log_points;
        Ok((room.min(countable), slots))
    }

    /// Memory for pieces up to that size.
    fn slot(&self, size: PieceSize) -> Result<ProductSlot, GpuError> {
        let PieceSize { words, operands } = size;
        let product = operands[0] * self.plan.product_words();
        Ok(ProductSlot {
            size,
            stream: self.device.stream()?,
            left: Side::new(&self.device, words[0], operands[0])?,
            right: Side::new(&self.device, words[1], operands[1])?,
            work: self.workspace(operands[0], operands[1])?,
            product: self.device.buffer(product)?,
            product_staged: self.device.staging(product)?,
        })
    }

    pub(super) fn workspace(
        &self,
        batch: usize,
        right_batch: usize,
    ) -> Result<Workspace, GpuError> {
        let residues = (self.primes * (batch + right_batch)) << self.plan.log_points;
        let carry = match self.finisher {
            Finisher::Carry(_) => {
                let plan = self.config.carry(self.device.info(), self.plan.points());
                Some((
                    self.device.buffer(batch * self.plan.plane_words())?,
                    CarryContext::new(&self.device, CARRY_PLANES, Some(plan))?,
                ))
            }
            _ => None,
        };
        Ok(Workspace {
            batches: [batch, right_batch],
            residues: self.device.buffer(residues * self.word.width())?,
            carry,
        })
    }

    /// Submits a piece from copy to copy.
    fn submit(
        &self,
        slot: &mut ProductSlot,
        transforms: &NttContext,
        pairs: &[[Operand<'_>; 2]],
        shared: bool,
    ) -> Result<(), GpuError> {
        let (stream, host_words) = (&slot.stream, self.config.host_words);
        let side = |index: usize| pairs.iter().map(move |pair| pair[index]);
        slot.left.upload(stream, side(0), host_words)?;
        let right_batch = if shared { 1 } else { pairs.len() };
        slot.right
            .upload(stream, side(1).take(right_batch), host_words)?;
        let operands = [slot.left.polynomials(), slot.right.polynomials()];
        self.run(
            (stream, transforms),
            &mut slot.work,
            operands,
            [pairs.len(), right_batch],
            &mut slot.product,
        )?;
        let words = pairs.len() * self.plan.product_words();
        stream.download(&slot.product, 0, &mut slot.product_staged, words)
    }

    /// Submits the kernels of `batch` products; one right operand serves all of them, or there are as many.
    pub(super) fn run(
        &self,
        (stream, transforms): (&Stream, &NttContext),
        work: &mut Workspace,
        operands: [Polynomials<'_>; 2],
        batches: [usize; 2],
        product: &mut Buffer<u32>,
    ) -> Result<(), GpuError> {
        let log_points = self.plan.log_points;
        let [batch, right_batch] = batches;
        let (positions, stride) = (batch << log_points, (batch + right_batch) << log_points);
        let Workspace {
            residues, carry, ..
        } = work;
        let projection = &self.projection;
        projection.run(stream, residues, operands, log_points, batches)?;
        transforms.convolve_together(stream, residues, batch, right_batch)?;
        match (&self.finisher, carry) {
            (Finisher::Words(combine), _) => {
                combine.run(stream, product, residues, positions, stride)
            }
            (Finisher::Modulo(combine), _) => {
                combine.run(stream, product, residues, positions, stride)
            }
            (Finisher::Carry(combine), Some((planes, carry))) => {
                combine.run(stream, planes, residues, positions, stride)?;
                let n = self.plan.points();
                let vectors = Coefficients { n, count: batch };
                carry.propagate(stream, (planes, 0), vectors, (product, 0), n)
            }
            (Finisher::Carry(_), None) => Err(GpuError::Shape(
                "the workspace is of products that are not carried over".to_owned(),
            )),
            (Finisher::Nothing, _) => {
                let words = positions * self.word.width();
                stream.copy((residues, 0), (product, 0), words)
            }
        }
    }
}

/// What is the largest in any of the pieces; one right operand may be shared by all pairs.
fn largest_piece(pairs: &[[Operand<'_>; 2]], pieces: &[Range<usize>], shared: bool) -> PieceSize {
    let batch = pieces.iter().map(Range::len).max().unwrap_or(0);
    let words = |side: usize| {
        let of_piece = |piece: &Range<usize>| {
            let pairs = pairs[piece.clone()].iter();
            pairs.map(|pair| pair[side].words().len()).sum::<usize>()
        };
        pieces.iter().map(of_piece).max().unwrap_or(0)
    };
    if shared {
        let right = pairs.first().map_or(0, |pair| pair[1].words().len());
        PieceSize {
            words: [words(0), right],
            operands: [batch, 1],
        }
    } else {
        PieceSize {
            words: [words(0), words(1)],
            operands: [batch, batch],
        }
    }
}

impl Side {
    fn new(device: &Device, words: usize, batch: usize) -> Result<Self, GpuError> {
        Ok(Self {
            words_staged: device.staging(words)?,
            spans_staged: device.staging(2 * batch)?,
            words: device.buffer(words)?,
            spans: device.buffer(2 * batch)?,
        })
    }

    /// Submits the copy of operands, one after the other.
    fn upload<'a>(
        &mut self,
        stream: &Stream,
        operands: impl ExactSizeIterator<Item = Operand<'a>> + Clone + Send,
        host_words: usize,
    ) -> Result<(), GpuError> {
        let count = operands.len();
        let mut terms = 0;
        let spans = self.spans_staged.get_mut()?;
        for (operand, span) in operands.clone().zip(spans.chunks_mut(2)) {
            span.copy_from_slice(&[terms as u32, operand.terms() as u32]);
            terms += operand.terms();
        }
        let words = operands.map(|operand| operand.words());
        let filled = pack(self.words_staged.get_mut()?, words, None, host_words);
        stream.upload(&mut self.words, 0, &mut self.words_staged, filled)?;
        stream.upload(&mut self.spans, 0, &mut self.spans_staged, 2 * count)
    }

    fn polynomials(&self) -> Polynomials<'_> {
        Polynomials {
            coefficients: &self.words,
            spans: &self.spans,
        }
    }
}
