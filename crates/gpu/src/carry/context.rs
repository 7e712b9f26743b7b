//! Carry propagation on a device.

use super::plan::CarryPlan;
use sunzi_device::parameters::Note;
use sunzi_device::{Buffer, Device, GpuError, Kernel, Launch, Source, Stream, Work, kernel};

const LIMBS: &str = include_str!("../kernels/limbs.cl");
const CARRY: &str = include_str!("carry.cl");

kernel! {
    /// The sums of columns, and what blocks carry out: a group has a block.
    unsafe struct Words<'a> for "carry_words" in launch {
        words: &'a mut Buffer<u32> [words_first + launch.groups() / vector_blocks * out_words],
        blocks: &'a mut Buffer<u32> [2 * launch.groups()],
        coefficients: &'a Buffer<u32> [coefficients_first + launch.groups() / vector_blocks * n],
        words_first: u64,
        coefficients_first: u64,
        n: u32,
        out_words: u32,
        vector_blocks: u32,
        planes: Note<usize>,
    }
    work(k, launch) {
        let blocks = launch.groups[0] as u64;
        let vectors = blocks / u64::from(k.vector_blocks);
        let of_vector = k.planes.0 as u64 * u64::from(k.n) + u64::from(k.out_words);
        Work {
            bytes: 4 * (vectors * of_vector + 2 * blocks),
            multiplications: 0,
            barriers: 4,
        }
    }
}

kernel! {
    /// What is carried into blocks: a group has a vector.
    unsafe struct Scan<'a> for "carry_blocks" in launch {
        blocks: &'a mut Buffer<u32> [2 * launch.groups() * vector_blocks],
        vector_blocks: u32,
        block: Note<usize>,
    }
    work(k, launch) {
        let blocks = k.vector_blocks as usize;
        Work {
            bytes: 8 * (launch.groups[0] * blocks) as u64,
            multiplications: 0,
            barriers: 3 * blocks.div_ceil(k.block.0),
        }
    }
}

kernel! {
    /// Carries into `total` blocks.
    unsafe struct IntoBlocks<'a> for "carry_into_blocks" {
        words: &'a mut Buffer<u32> [words_first + total / vector_blocks * out_words],
        blocks: &'a Buffer<u32> [2 * total],
        words_first: u64,
        out_words: u32,
        vector_blocks: u32,
        total: u32,
    }
    work(k, _launch) {
        Work {
            bytes: 8 * u64::from(k.total),
            multiplications: 0,
            barriers: 2,
        }
    }
}

/// Words of a number at most, so that the kernels count them in 32 bits with room for a block more.
const MOST_WORDS: usize = 1 << 31;

/// Vectors of coefficients, one after the other: `planes` planes of `n` words each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coefficients {
    /// Coefficients of a vector.
    pub n: usize,
    /// Vectors.
    pub count: usize,
}

/// Carry propagation over coefficients of a number of words.
///
/// It owns the memory that its passes hand on, so that it works for one stream at a time: what it submitted to
/// another must be waited for.
#[derive(Debug)]
pub struct CarryContext {
    device: Device,
    planes: usize,
    plan: CarryPlan,
    /// Two words a block.
    blocks: Buffer<u32>,
    words: Kernel,
    scan: Kernel,
    into_blocks: Kernel,
}

impl CarryContext {
    /// For coefficients of `planes` words, 1 to 4, by a plan or by the one that suits the device for long numbers;
    /// [`CarryPlan::for_device`] has others for batches of short ones.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for other numbers of planes and for a plan that no group can have, [`GpuError::Limits`] for one
    /// that no group of the device can have; [`GpuError::Compile`].
    pub fn new(device: &Device, planes: usize, plan: Option<CarryPlan>) -> Result<Self, GpuError> {
        let info = device.info();
        let plan = plan.unwrap_or_else(|| CarryPlan::for_device(info, MOST_WORDS));
        let plan = plan.check(info)?;
        if !(1..=4).contains(&planes) {
            return Err(GpuError::Shape(format!(
                "coefficients of {planes} words: 1 to 4 were expected"
            )));
        }
        let program = device.program(&source(planes, plan))?;
        Ok(Self {
            device: device.clone(),
            planes,
            plan,
            blocks: device.buffer(0)?,
            words: program.kernel("carry_words")?,
            scan: program.kernel("carry_blocks")?,
            into_blocks: program.kernel("carry_into_blocks")?,
        })
    }

    /// Submits that the numbers Σ c_i 2^(32 i) of vectors of coefficients are written, `out_words` words each, one
    /// after the other.
    ///
    /// Coefficients and numbers are read and written from the given words of their buffers on: plane j of vector v
    /// begins (v · planes + j) · n words after that. A number of n coefficients has n + planes - 1 words at most, but
    /// for one carry more; words beyond it are zero. What does not fit in `out_words` words is lost, so that the
    /// numbers must.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if a buffer is too short or a number has more than 2^31 words;
    /// [`GpuError::OutOfMemory`] if there is no room for 8 bytes a block; errors of the driver.
    ///
    /// ```
    /// use sunzi::gpu::{Device, GpuError, Selection};
    /// use sunzi_gpu::internals::{CarryContext, Coefficients};
    /// # fn main() -> Result<(), GpuError> {
    /// let device = match Device::open(Selection::Any) {
    ///     Ok(device) => device,
    ///     Err(none) => return Ok(println!("{none}")),
    /// };
    /// let stream = device.stream()?;
    /// let mut carries = CarryContext::new(&device, 2, None)?;
    /// let mut coefficients = device.buffer(6)?;
    /// let mut words = device.buffer(4)?;
    /// // Three coefficients: 2^32 - 1, 2^32 + (2^32 - 1), 5.
    /// stream.write(&mut coefficients, &[u32::MAX, u32::MAX, 5, 0, 1, 0])?;
    /// let one = Coefficients { n: 3, count: 1 };
    /// carries.propagate(&stream, (&coefficients, 0), one, (&mut words, 0), 4)?;
    /// let mut number = [0; 4];
    /// stream.read(&words, &mut number)?;
    /// assert_eq!(number, [u32::MAX, u32::MAX, 6, 0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn propagate(
        &mut self,
        stream: &Stream,
        coefficients: (&Buffer<u32>, usize),
        vectors: Coefficients,
        words: (&mut Buffer<u32>, usize),
        out_words: usize,
    ) -> Result<(), GpuError> {
        let Coefficients { n, count } = vectors;
        let all = n.saturating_mul(self.planes);
        coefficients
            .0
            .check_rows("coefficients", coefficients.1, count, all)?;
        words.0.check_rows("words", words.1, count, out_words)?;
        let vector_blocks = out_words.div_ceil(self.plan.block());
        let total = vector_blocks.saturating_mul(count);
        if n > MOST_WORDS || out_words > MOST_WORDS || total > i32::MAX as usize / 2 {
            return Err(GpuError::Shape(format!(
                "{count} numbers of {out_words} words from {n} coefficients each are too many"
            )));
        }
        if total == 0 {
            return Ok(());
        }
        if self.blocks.len() < 2 * total {
            self.blocks = self.device.buffer(2 * total)?;
        }
        let (first, coefficients_first) = (words.1 as u64, coefficients.1 as u64);
        let [n, out_words, per_vector] = [n, out_words, vector_blocks].map(|x| x as u32);
        let launch = |groups| Launch {
            groups: [groups, 1, 1],
            threads: [self.plan.threads, 1, 1],
            shared_bytes: 0,
        };
        let of_words = Words {
            words: &mut *words.0,
            blocks: &mut self.blocks,
            coefficients: coefficients.0,
            words_first: first,
            coefficients_first,
            n,
            out_words,
            vector_blocks: per_vector,
            planes: Note(self.planes),
        };
        stream.launch(&self.words, launch(total), of_words)?;
        if vector_blocks == 1 {
            return Ok(());
        }
        let of_scan = Scan {
            blocks: &mut self.blocks,
            vector_blocks: per_vector,
            block: Note(self.plan.block()),
        };
        stream.launch(&self.scan, launch(count), of_scan)?;
        let of_carries = IntoBlocks {
            words: words.0,
            blocks: &self.blocks,
            words_first: first,
            out_words,
            vector_blocks: per_vector,
            total: total as u32,
        };
        let groups = total.div_ceil(self.plan.threads);
        stream.launch(&self.into_blocks, launch(groups), of_carries)
    }
}

/// The program for coefficients of `planes` words.
pub(crate) fn source(planes: usize, plan: CarryPlan) -> Source<'static> {
    Source::new("carry", plan.threads)
        .define("PLANES", planes)
        .define("EACH", plan.words)
        .define("BLOCK_WORDS", plan.block())
        .define("RUN", CarryPlan::RUN)
        // Compilers that are told nothing spill for the sake of more threads at a time.
        .define("RESIDENT", (512 / plan.threads).max(1))
        .part(LIMBS)
        .part(CARRY)
}
