//! Schoolbook products: what is compiled for them, and how they run.

use super::plan::{EACH, SchoolbookPlan};
use crate::elements::{Elements, ElementsMut, ElementsRef};
use crate::field::{Fields, SUMS, Scale};
use crate::word::{ResidueWord, Word};
use crate::work::TERM;
use std::sync::{Mutex, PoisonError};
use sunzi_device::parameters::Note;
use sunzi_device::{
    Buffer, Device, GpuError, Kernel, Launch, Program, Source, Stream, Work, kernel,
};

/// The kernels.
const SCHOOLBOOK: &str = include_str!("schoolbook.cl");

kernel! {
    /// Rows of one operand times all of the other: a group has a tile of a part.
    unsafe struct Parts<'a> for "schoolbook_parts" in launch {
        to: ElementsMut<'a> [to_first + launch.groups() / tiles * width],
        to_first: u64,
        width: u32,
        tiles: u32,
        parts: u32,
        a: ElementsRef<'a> [a_first + (launch.groups() / (tiles * parts) - 1) * a_stride + n],
        a_first: u64,
        n: u32,
        a_stride: u32,
        b: ElementsRef<'a> [b_first + (launch.groups() / (tiles * parts) - 1) * b_stride + m],
        b_first: u64,
        m: u32,
        b_stride: u32,
        scale: Scale,
        fields: &'a Fields,
        rows: Note<usize>,
    }
    work(k, launch) {
        let groups = launch.groups[0] as u64;
        let batch = groups / (u64::from(k.tiles) * u64::from(k.parts));
        let written = u64::from(k.parts) * u64::from(k.width);
        let met = groups * (launch.threads[0] * EACH * k.rows.0) as u64;
        Work {
            bytes: k.fields.word().bytes() as u64 * batch * (u64::from(k.n) + u64::from(k.m) + written),
            multiplications: met.saturating_mul(TERM[k.fields.word().width() - 1]),
            barriers: 1,
        }
    }
}

kernel! {
    /// The sums of the parts of products: a group has a tile of one.
    unsafe struct Sums<'a> for "schoolbook_sums" in launch {
        to: ElementsMut<'a> [to_first + launch.groups() / tiles * length],
        to_first: u64,
        length: u32,
        tiles: u32,
        parts: u32,
        from: ElementsRef<'a> [launch.groups() / tiles * parts * width],
        width: u32,
        fields: &'a Fields,
    }
    work(k, launch) {
        let batch = launch.groups[0] as u64 / u64::from(k.tiles);
        let read = u64::from(k.parts) * u64::from(k.width);
        Work {
            bytes: k.fields.word().bytes() as u64 * batch * (read + u64::from(k.length)),
            ..Work::default()
        }
    }
}

/// Operands have less than 2^30 coefficients, so that indices of parts are words of 32 bits.
const MOST_LENGTH: usize = 1 << 30;

/// Schoolbook products of polynomials with n and m coefficients modulo a prime, `batch` at a time at most.
///
/// ```
/// use sunzi::gpu::{Device, Selection, Word};
/// use sunzi_gpu::schoolbook::SchoolbookContext;
/// # fn main() -> Result<(), sunzi::gpu::GpuError> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// let (stream, context) = (device.stream()?, SchoolbookContext::new(&device, Word::U32, 101, 3, 2, 1)?);
/// let (mut a, mut b, mut product) = (device.buffer(3)?, device.buffer(2)?, device.buffer(4)?);
/// stream.write(&mut a, &[1u32, 2, 3])?;
/// stream.write(&mut b, &[50, 4])?;
/// context.multiply(&stream, (&a, 0), (&b, 0), (&mut product, 0), 1, false)?;
/// let mut coefficients = [0; 4];
/// stream.read(&product, &mut coefficients)?;
/// assert_eq!(coefficients, [50, 3, 57, 12]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct SchoolbookContext {
    fields: Fields,
    lengths: [usize; 2],
    batch: usize,
    plan: SchoolbookPlan,
    program: Program,
    parts: Kernel,
    sums: Kernel,
    /// The parts of all products, where a product has more than one.
    scratch: Option<Mutex<Elements>>,
}

/// One side's polynomials.
#[derive(Clone, Copy)]
struct Operand<'a> {
    coefficients: ElementsRef<'a>,
    first: usize,
    /// Coefficients from one to the next; zero where one serves all.
    stride: usize,
}

/// The program.
fn source(fields: &Fields, plan: &SchoolbookPlan) -> Source<'static> {
    fields
        .source("schoolbook products", plan.threads)
        .define("ROWS", plan.rows)
        // Compilers that are told nothing spill for the sake of more threads at a time.
        .define("RESIDENT", (512 / plan.threads).max(1))
        .part(SUMS)
        .part(SCHOOLBOOK)
}

impl SchoolbookContext {
    /// Products of residues in such words by the plan that suits the device. Buffers have these words, or those of 32 bits in their
    /// place; places in them are counted in residues.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a number that is no prime in the word's range, lengths that are 0 or 2^30 and more, and
    /// doubles on a device that has none; errors of the device.
    pub fn new(
        device: &Device,
        word: Word,
        prime: u64,
        n: usize,
        m: usize,
        batch: usize,
    ) -> Result<Self, GpuError> {
        let plan = SchoolbookPlan::for_device(device.info(), word, n, m, batch);
        Self::with_plan(device, word, prime, n, m, batch, plan)
    }

    /// Products by a given plan.
    ///
    /// # Errors
    /// As [`SchoolbookContext::new`], and [`GpuError::Shape`] for parameters beyond the device's limits.
    pub fn with_plan(
        device: &Device,
        word: Word,
        prime: u64,
        n: usize,
        m: usize,
        batch: usize,
        plan: SchoolbookPlan,
    ) -> Result<Self, GpuError> {
        let fields = Fields::new(&device.stream()?, word, &[prime], 0)?;
        let plan = plan.check(device.info(), word)?;
        let lengths = [n, m];
        if lengths
            .iter()
            .any(|length| !(1..MOST_LENGTH).contains(length))
        {
            return Err(GpuError::Shape(format!(
                "operands of schoolbook products have 1 to {} coefficients, not {n} and {m}",
                MOST_LENGTH - 1
            )));
        }
        let program = device.program(&source(&fields, &plan))?;
        let mut context = Self {
            fields,
            lengths,
            batch,
            plan,
            parts: program.kernel("schoolbook_parts")?,
            sums: program.kernel("schoolbook_sums")?,
            program,
            scratch: None,
        };
        let scratch = plan.scratch_len(n, m);
        if scratch > 0 {
            let len = batch
                .checked_mul(scratch)
                .ok_or_else(|| GpuError::Shape(format!("{batch} products are too many")))?;
            context.scratch = Some(Mutex::new(Elements::uninit(device, len, word.width())?));
        }
        Ok(context)
    }

    /// The program, to keep it loaded.
    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    /// How products are cut.
    pub const fn plan(&self) -> SchoolbookPlan {
        self.plan
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
        let [n, m] = self.lengths;
        self.plan.parts(n, m)
    }

    /// Coefficients of a part: of a product where it is the only one.
    fn width(&self) -> usize {
        let [n, m] = self.lengths;
        self.plan.width(n, m)
    }

    /// Multiplies `batch` pairs: those of `a` lie one after the other from its element on, n coefficients each from the
    /// constant term upward, those of `b` likewise with m each, and the products of n + m − 1 each go to `to`. With
    /// `broadcast_b` there is one b for all.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for more products than the plan is for, and if they reach beyond a buffer; what the driver
    /// refuses.
    pub fn multiply<E: ResidueWord>(
        &self,
        stream: &Stream,
        (a, a_first): (&Buffer<E>, usize),
        (b, b_first): (&Buffer<E>, usize),
        (to, to_first): (&mut Buffer<E>, usize),
        batch: usize,
        broadcast_b: bool,
    ) -> Result<(), GpuError> {
        let a = (self.fields.elements(a)?, a_first);
        let b = (self.fields.elements(b)?, b_first);
        let to = (self.fields.elements_mut(to)?, to_first);
        self.multiply_elements(stream, a, b, to, batch, broadcast_b)
    }

    fn multiply_elements(
        &self,
        stream: &Stream,
        (a, a_first): (ElementsRef<'_>, usize),
        (b, b_first): (ElementsRef<'_>, usize),
        (to, to_first): (ElementsMut<'_>, usize),
        batch: usize,
        broadcast_b: bool,
    ) -> Result<(), GpuError> {
        let [n, m] = self.lengths;
        if batch > self.batch {
            return Err(GpuError::Shape(format!(
                "{batch} products at a time, where {} were expected at most",
                self.batch
            )));
        }
        let b_batch = if broadcast_b { batch.min(1) } else { batch };
        a.check_rows("a", a_first, batch, n)?;
        b.check_rows("b", b_first, b_batch, m)?;
        to.check_rows("products", to_first, batch, self.product_len())?;
        let a = Operand {
            coefficients: a,
            first: a_first,
            stride: n,
        };
        let b = Operand {
            coefficients: b,
            first: b_first,
            stride: if broadcast_b { 0 } else { m },
        };
        // The longer operand is the one that tiles are of.
        let (long, short) = if n >= m { (a, b) } else { (b, a) };
        let Some(scratch) = &self.scratch else {
            return self.launch_parts(stream, (to, to_first), long, short, batch);
        };
        let mut scratch = scratch.lock().unwrap_or_else(PoisonError::into_inner);
        self.launch_parts(stream, (scratch.as_mut(), 0), long, short, batch)?;
        self.launch_sums(stream, (to, to_first), scratch.as_ref(), batch)
    }

    /// Submits the sums of the parts of `batch` products.
    fn launch_sums(
        &self,
        stream: &Stream,
        (to, to_first): (ElementsMut<'_>, usize),
        parts: ElementsRef<'_>,
        batch: usize,
    ) -> Result<(), GpuError> {
        let (tiles, threads) = (
            self.product_len().div_ceil(self.plan.threads),
            self.plan.threads,
        );
        let launch = Launch::new((tiles as u64).saturating_mul(batch as u64), threads, 0)?;
        let parameters = Sums {
            to,
            to_first: to_first as u64,
            length: self.product_len() as u32,
            tiles: tiles as u32,
            parts: self.parts() as u32,
            from: parts,
            width: self.width() as u32,
            fields: &self.fields,
        };
        stream.launch(&self.sums, launch, parameters)
    }

    /// Submits the parts of `batch` products.
    fn launch_parts(
        &self,
        stream: &Stream,
        (to, to_first): (ElementsMut<'_>, usize),
        long: Operand<'_>,
        short: Operand<'_>,
        batch: usize,
    ) -> Result<(), GpuError> {
        let [n, m] = self.ordered();
        let tiles = self.width().div_ceil(self.plan.threads * EACH);
        let groups = (tiles as u64 * self.parts() as u64).saturating_mul(batch as u64);
        let shared_bytes = self.plan.shared_bytes(self.fields.word());
        let launch = Launch::new(groups, self.plan.threads, shared_bytes)?;
        let parameters = Parts {
            to,
            to_first: to_first as u64,
            width: self.width() as u32,
            tiles: tiles as u32,
            parts: self.parts() as u32,
            a: long.coefficients,
            a_first: long.first as u64,
            n: n as u32,
            a_stride: long.stride as u32,
            b: short.coefficients,
            b_first: short.first as u64,
            m: m as u32,
            b_stride: short.stride as u32,
            scale: Scale::ProductOne,
            fields: &self.fields,
            rows: Note(self.plan.rows),
        };
        stream.launch(&self.parts, launch, parameters)
    }
}
