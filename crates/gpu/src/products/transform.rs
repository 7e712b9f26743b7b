//! Products by transforms modulo several primes.
//!
//! Operands are projected to the primes, convolved by number theoretic transforms, and put together again; all three
//! on the device. A product of n coefficients by k primes moves about 4(w_a + w_b + 4k·(2 + 3·passes) + w)·n bytes of
//! the device's memory, w words going in and out.

use super::lanes::{Idle, Lane, Load, pieces, take_turns};
use super::shape::CARRY_PLANES;
use super::{Finish, Operand, TransformShape};
use crate::carry::{CarryPlan, CarryShape, Coefficients};
use crate::ntt::NttPlan;
use crate::residues::{Combine, CombineModulo, Polynomials, Project};
use crate::{Buffer, Device, GpuError, Staging, Stream};
use std::ops::Range;

/// Multiplies batches of one shape.
#[derive(Debug)]
pub struct TransformProducts {
    device: Device,
    shape: TransformShape,
    /// One for each prime.
    transforms: Vec<NttPlan<u32>>,
    left: Project,
    right: Project,
    finisher: Finisher,
    primes: usize,
    idle: Idle<ProductLane>,
}

/// What turns the residues of products into words.
#[derive(Debug)]
enum Finisher {
    Words(Combine),
    Carry(Combine),
    Modulo(CombineModulo),
    /// The only prime is the modulus: the residues are the words.
    Nothing,
}

/// Memory of the device that products are computed in.
#[derive(Debug)]
pub(super) struct Workspace {
    left: Buffer<u32>,
    right: Buffer<u32>,
    /// Where coefficients lie before they are carried over, and what does that.
    carry: Option<(Buffer<u32>, CarryPlan)>,
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
struct ProductLane {
    size: PieceSize,
    stream: Stream,
    left: Side,
    right: Side,
    work: Workspace,
    product: Buffer<u32>,
    product_staged: Staging<u32>,
}

impl Lane for ProductLane {
    type Size = PieceSize;

    fn holds(&self, size: &PieceSize) -> bool {
        let holds = |have: [usize; 2], want: [usize; 2]| have[0] >= want[0] && have[1] >= want[1];
        holds(self.size.words, size.words) && holds(self.size.operands, size.operands)
    }
}

impl TransformProducts {
    /// Compiles the kernels and makes the tables.
    ///
    /// # Errors
    /// [`GpuError::TooFewPrimes`]; [`GpuError::Shape`] for a modulus that is even; what the device refuses.
    pub fn new(device: &Device, shape: TransformShape) -> Result<Self, GpuError> {
        let basis = shape.basis()?;
        let stream = device.stream()?;
        let combine = || match shape.value_form() {
            Some(form) => Combine::new(&stream, &basis, form),
            None => Err(GpuError::Shape(
                "residues are not put together as words".to_owned(),
            )),
        };
        let finisher = match shape.finish {
            Finish::Words { .. } => Finisher::Words(combine()?),
            Finish::Carry => Finisher::Carry(combine()?),
            Finish::Modulo32(_) if shape.own_modulus().is_some() => Finisher::Nothing,
            Finish::Modulo32(modulus) => {
                Finisher::Modulo(CombineModulo::new(&stream, &basis, modulus.into(), 1)?)
            }
            Finish::Modulo64(modulus) => {
                Finisher::Modulo(CombineModulo::new(&stream, &basis, modulus, 2)?)
            }
        };
        Ok(Self {
            transforms: basis
                .primes()
                .iter()
                .map(|&prime| NttPlan::new(device, prime, shape.log_points))
                .collect::<Result<_, _>>()?,
            left: Project::new(&stream, &basis, shape.left)?,
            right: Project::new(&stream, &basis, shape.right)?,
            finisher,
            primes: basis.len(),
            device: device.clone(),
            shape,
            idle: Idle::default(),
        })
    }

    /// What is multiplied.
    pub fn shape(&self) -> &TransformShape {
        &self.shape
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Primes that coefficients are computed by.
    pub fn primes(&self) -> usize {
        self.primes
    }

    /// Multiplies pairs of operands, and hands each product's words to `take`, with the pair's number: those of
    /// `left.terms() + right.terms() − 1` coefficients, or one more for [`Finish::Carry`], none if an operand has
    /// none.
    ///
    /// If all right operands are one and the same, it is copied and transformed once in each piece.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if operands are not of this shape; [`GpuError::OutOfMemory`] if not even one product fits
    /// in the device's memory; what the device refuses.
    pub fn multiply(
        &self,
        pairs: &[[Operand<'_>; 2]],
        take: impl FnMut(usize, &[u32]),
    ) -> Result<(), GpuError> {
        self.multiply_by(pairs.len(), pairs, take)
    }

    /// As [`TransformProducts::multiply`], `most` pairs in a piece at most.
    pub(super) fn multiply_by(
        &self,
        most: usize,
        pairs: &[[Operand<'_>; 2]],
        mut take: impl FnMut(usize, &[u32]),
    ) -> Result<(), GpuError> {
        for pair in pairs {
            self.check(pair)?;
        }
        let Some([_, first]) = pairs.first() else {
            return Ok(());
        };
        let shared = pairs.iter().all(|[_, right]| right.is_same(first));
        let (room, lanes) = match self.pairs_at_once(pairs) {
            Err(GpuError::OutOfMemory { .. }) => {
                self.idle.clear();
                self.pairs_at_once(pairs)?
            }
            cut => cut?,
        };
        let pieces = pieces(pairs.len(), room.min(most.max(1)));
        let size = largest_piece(pairs, &pieces, shared);
        let count = lanes.min(pieces.len());
        let mut lanes = self.idle.take(count, &size, || self.lane(size))?;
        let submit = |lane: &mut ProductLane, piece: &Range<usize>| {
            self.submit(lane, &pairs[piece.clone()], shared)
        };
        let collect = |lane: &mut ProductLane, piece: Range<usize>| {
            let words = lane.product_staged.get()?;
            let stride = self.product_words();
            for (row, number) in words.chunks(stride).zip(piece) {
                take(number, &row[..self.result_words(&pairs[number])?]);
            }
            Ok(())
        };
        take_turns(&mut lanes, pieces, submit, collect)?;
        self.idle.put(lanes);
        Ok(())
    }

    /// Refuses operands of another shape.
    fn check(&self, pair: &[Operand<'_>; 2]) -> Result<(), GpuError> {
        let forms = [self.shape.left, self.shape.right];
        for (operand, form) in pair.iter().zip(forms) {
            if operand.coefficient_words() != form.words {
                return Err(GpuError::Shape(format!(
                    "coefficients of {} words were expected, not of {}",
                    form.words,
                    operand.coefficient_words()
                )));
            }
        }
        self.terms_of_product(pair.map(|operand| operand.terms()))
            .map(|_| ())
    }

    /// Coefficients of a product, or digits, of operands of so many.
    pub(super) fn terms_of_product(&self, [left, right]: [usize; 2]) -> Result<usize, GpuError> {
        let terms = match self.shape.finish {
            _ if left == 0 || right == 0 => 0,
            Finish::Carry => left + right,
            _ => left + right - 1,
        };
        if terms > self.shape.points() {
            return Err(GpuError::Shape(format!(
                "{left} and {right} terms have a product of more than 2^{}",
                self.shape.log_points
            )));
        }
        Ok(terms)
    }

    fn carry_shape(&self) -> CarryShape {
        CarryShape::for_words(self.shape.points())
    }

    /// Words that are handed out of a product.
    fn result_words(&self, pair: &[Operand<'_>; 2]) -> Result<usize, GpuError> {
        let terms = self.terms_of_product(pair.map(|operand| operand.terms()))?;
        Ok(terms * self.shape.finish.words())
    }

    /// Words from one product on the device to the next.
    pub(super) fn product_words(&self) -> usize {
        self.shape.points() * self.shape.finish.words()
    }

    /// Elements of the planes that coefficients of `batch` products lie in before they are carried over.
    fn plane_words(&self, batch: usize) -> usize {
        match self.finisher {
            Finisher::Carry(_) => (CARRY_PLANES * batch) << self.shape.log_points,
            _ => 0,
        }
    }

    /// Pairs of a piece, and lanes.
    fn pairs_at_once(&self, pairs: &[[Operand<'_>; 2]]) -> Result<(usize, usize), GpuError> {
        let operands = |pair: &[Operand<'_>; 2]| {
            let words = pair.iter().map(|operand| operand.words().len());
            words.sum::<usize>()
        };
        let largest = pairs.iter().map(operands).max().unwrap_or(0);
        let residues = 2 * self.primes * self.shape.points();
        let (planes, product) = (self.plane_words(1), self.product_words());
        // A block of carries takes two words.
        let carries = match self.finisher {
            Finisher::Carry(_) => 2 * product.div_ceil(self.carry_shape().block()),
            _ => 0,
        };
        let load = Load {
            pairs: pairs.len(),
            device_words: largest + residues + planes + carries + product + 4,
            buffer_words: residues.max(planes).max(product),
            copied_words: largest + product,
        };
        let (room, lanes) = load.cut(&self.device)?;
        // Kernels count the positions of a piece in 32 bits where it pays.
        let countable = (1 << 31) >> self.shape.log_points;
        Ok((room.min(countable), lanes))
    }

    /// Memory for pieces up to that size.
    fn lane(&self, size: PieceSize) -> Result<ProductLane, GpuError> {
        let PieceSize { words, operands } = size;
        let product = operands[0] * self.product_words();
        Ok(ProductLane {
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
        let residues = |batch: usize| (self.primes * batch) << self.shape.log_points;
        let carry = match self.finisher {
            Finisher::Carry(_) => Some((
                self.device.buffer(self.plane_words(batch))?,
                CarryPlan::new(&self.device, CARRY_PLANES, Some(self.carry_shape()))?,
            )),
            _ => None,
        };
        Ok(Workspace {
            left: self.device.buffer(residues(batch))?,
            right: self.device.buffer(residues(right_batch))?,
            carry,
        })
    }

    /// Submits a piece from copy to copy.
    fn submit(
        &self,
        lane: &mut ProductLane,
        pairs: &[[Operand<'_>; 2]],
        shared: bool,
    ) -> Result<(), GpuError> {
        let stream = &lane.stream;
        let side = |index: usize| pairs.iter().map(move |pair| pair[index]);
        lane.left.upload(stream, side(0))?;
        let right_batch = if shared { 1 } else { pairs.len() };
        lane.right.upload(stream, side(1).take(right_batch))?;
        let operands = [lane.left.polynomials(), lane.right.polynomials()];
        self.run(
            stream,
            &mut lane.work,
            operands,
            [pairs.len(), right_batch],
            &mut lane.product,
        )?;
        let words = pairs.len() * self.product_words();
        stream.download(&lane.product, 0, &mut lane.product_staged, words)
    }

    /// Submits the kernels of `batch` products; one right operand serves all of them, or there are as many.
    pub(super) fn run(
        &self,
        stream: &Stream,
        work: &mut Workspace,
        [left, right]: [Polynomials<'_>; 2],
        [batch, right_batch]: [usize; 2],
        product: &mut Buffer<u32>,
    ) -> Result<(), GpuError> {
        let log_points = self.shape.log_points;
        let positions = batch << log_points;
        self.left
            .run(stream, &mut work.left, left, log_points, batch)?;
        self.right
            .run(stream, &mut work.right, right, log_points, right_batch)?;
        let Workspace { left, right, carry } = work;
        for (prime, transforms) in self.transforms.iter().enumerate() {
            let (first, right_first) = (prime * positions, prime * (right_batch << log_points));
            transforms.convolve(stream, left, first, right, right_first, batch, right_batch)?;
        }
        match (&self.finisher, carry) {
            (Finisher::Words(combine), _) => {
                combine.run(stream, product, left, positions, positions)
            }
            (Finisher::Modulo(combine), _) => {
                combine.run(stream, product, left, positions, positions)
            }
            (Finisher::Carry(combine), Some((planes, carry))) => {
                combine.run(stream, planes, left, positions, positions)?;
                let n = self.shape.points();
                let vectors = Coefficients { n, count: batch };
                carry.propagate(stream, (planes, 0), vectors, (product, 0), n)
            }
            (Finisher::Carry(_), None) => Err(GpuError::Shape(
                "the workspace is of products that are not carried over".to_owned(),
            )),
            (Finisher::Nothing, _) => stream.copy((left, 0), (product, 0), positions),
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
        operands: impl ExactSizeIterator<Item = Operand<'a>>,
    ) -> Result<(), GpuError> {
        let count = operands.len();
        let (words, spans) = (self.words_staged.get_mut()?, self.spans_staged.get_mut()?);
        let (mut filled, mut terms) = (0, 0);
        for (operand, span) in operands.zip(spans.chunks_mut(2)) {
            words[filled..filled + operand.words().len()].copy_from_slice(operand.words());
            span.copy_from_slice(&[terms as u32, operand.terms() as u32]);
            filled += operand.words().len();
            terms += operand.terms();
        }
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
