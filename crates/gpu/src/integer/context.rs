//! Batches of products on a device.

use super::plan::{IntegerKernel, IntegerPlan};
use sunzi_device::parameters::Note;
use sunzi_device::{
    Buffer, Device, DeviceInfo, GpuError, Kernel, Launch, Source, Stream, Work, kernel,
};

const LIMBS: &str = include_str!("../kernels/limbs.cl");
const SCHOOLBOOK: &str = include_str!("schoolbook.cl");
const COLUMNS: &str = include_str!("columns.cl");
#[cfg(feature = "bench")]
const LHC: &str = include_str!("lhc.cl");
#[cfg(feature = "bench")]
const M5: &str = include_str!("m5.cl");
#[cfg(feature = "bench")]
const NAIVE: &str = include_str!("naive.cl");
#[cfg(feature = "bench")]
const OPERAND_SCANNING: &str = include_str!("operand_scanning.cl");

kernel! {
    /// A thread has a product of integers of the lengths that the program is for.
    unsafe struct OfLengths<'a> for "schoolbook" {
        product: &'a mut Buffer<u32>,
        a: &'a Buffer<u32>,
        b: &'a Buffer<u32> [b_first + (count - 1) * b_stride],
        product_first: u64,
        a_first: u64,
        b_first: u64,
        b_stride: u32,
        count: u32,
        words: Note<[usize; 2]>,
    }
    work(k, _launch) {
        let [a, b] = k.words.0.map(|words| words as u64);
        let count = u64::from(k.count);
        Work {
            bytes: 8 * (a + b) * count,
            multiplications: 2 * a * b * count,
            barriers: 2,
        }
    }
}

kernel! {
    /// Products of integers of these words; the second one is as long as the first, or longer.
    unsafe struct OfWords<'a> for "columns" | "naive" | "operand_scanning" {
        product: &'a mut Buffer<u32> [product_first + a_words + b_words],
        a: &'a Buffer<u32> [a_first + a_words],
        b: &'a Buffer<u32> [b_first + b_words],
        product_first: u64,
        a_first: u64,
        b_first: u64,
        a_words: u32,
        b_words: u32,
        a_stride: u32,
        b_stride: u32,
        count: Option<u32>,
        columns: Note<u32>,
    }
    work(k, _launch) {
        // Those that are there for comparison are not told how many there are, and not counted.
        let count = u64::from(k.count.unwrap_or(0));
        let met = |words: u32| u64::from(words.next_multiple_of(k.columns.0));
        Work {
            bytes: 8 * (u64::from(k.a_words) + u64::from(k.b_words)) * count,
            multiplications: 2 * met(k.a_words) * met(k.b_words) * count,
            barriers: 6,
        }
    }
}

#[cfg(feature = "bench")]
kernel! {
    /// Products of integers of as many words, `chunk` of them at a time: a group has a product.
    unsafe struct OfChunks<'a> for "m5" in launch {
        product: &'a mut Buffer<u32> [product_first + launch.groups() * 2 * words],
        a: &'a Buffer<u32> [a_first + (launch.groups() - 1) * a_stride + words],
        b: &'a Buffer<u32> [b_first + (launch.groups() - 1) * b_stride + words],
        product_first: u64,
        a_first: u64,
        b_first: u64,
        words: u32,
        a_stride: u32,
        b_stride: u32,
        chunk: u32,
    }
    work(k, launch) {
        let (words, count) = (u64::from(k.words), launch.groups.iter().product::<usize>() as u64);
        Work {
            // The squares lie where the product will be.
            bytes: 4 * 8 * words * count,
            // Squares, and a product for each pair of places.
            multiplications: words * (words + 1) * count,
            barriers: (k.words + k.chunk) as usize + 4,
        }
    }
}

/// Rows that `Schoolbook` adds at a time: their four chains have carries enough in a GPU's seven predicates.
const SCHOOLBOOK_ROWS: usize = 2;

/// Products of pairs of integers of given lengths: a compiled kernel and its plan.
#[derive(Debug)]
pub struct IntegerContext {
    kernel: IntegerKernel,
    plan: IntegerPlan,
    a_words: usize,
    b_words: usize,
    compiled: Kernel,
}

/// One side of the pairs.
#[derive(Clone, Copy)]
struct Operand<'a> {
    memory: &'a Buffer<u32>,
    first: u64,
    words: u32,
    /// Words from integer to integer; zero where one serves all.
    stride: u32,
}

impl<'a> Operand<'a> {
    fn new((memory, first): (&'a Buffer<u32>, usize), words: usize, one: bool) -> Self {
        Self {
            memory,
            first: first as u64,
            words: words as u32,
            stride: if one { 0 } else { words as u32 },
        }
    }
}

impl IntegerContext {
    /// Products of integers of `a_words` and `b_words` words by a kernel and a plan, or the one that suits the device.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the kernel does not take such lengths or such a plan; [`GpuError::Limits`] if the device has
    /// no groups that are large enough; [`GpuError::Compile`].
    pub fn new(
        device: &Device,
        a_words: usize,
        b_words: usize,
        kernel: IntegerKernel,
        plan: Option<IntegerPlan>,
    ) -> Result<Self, GpuError> {
        let info = device.info();
        let plan = match plan {
            Some(plan) => plan.check(kernel, a_words, b_words, info)?,
            None => IntegerPlan::for_device(info, kernel, a_words, b_words)?,
        };
        let program = device.program(&source(kernel, plan, [a_words, b_words], info))?;
        Ok(Self {
            kernel,
            plan,
            a_words,
            b_words,
            compiled: program.kernel(kernel.name())?,
        })
    }

    /// The same by the kernel that is expected to be the fastest.
    ///
    /// # Errors
    /// As [`IntegerContext::new`]; integers of more than 4096 words need a transform, and on devices with small groups shorter
    /// ones do.
    ///
    /// ```
    /// use sunzi::gpu::{Device, GpuError, Selection};
    /// use sunzi_gpu::integer::IntegerContext;
    /// # fn main() -> Result<(), GpuError> {
    /// let device = match Device::open(Selection::Any) {
    ///     Ok(device) => device,
    ///     Err(none) => return Ok(println!("{none}")),
    /// };
    /// let stream = device.stream()?;
    /// let batch = IntegerContext::best(&device, 2, 1)?;
    /// let mut a = device.buffer(4)?;
    /// let mut b = device.buffer(2)?;
    /// let mut product = device.buffer(6)?;
    /// stream.write(&mut a, &[5, 0, u32::MAX, u32::MAX])?;
    /// stream.write(&mut b, &[7, u32::MAX])?;
    /// batch.multiply(&stream, (&a, 0), (&b, 0), (&mut product, 0), 2, false)?;
    /// let mut words = [0; 6];
    /// stream.read(&product, &mut words)?;
    /// assert_eq!(words, [35, 0, 0, 1, u32::MAX, u32::MAX - 1]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn best(device: &Device, a_words: usize, b_words: usize) -> Result<Self, GpuError> {
        let kernel = IntegerKernel::best(device.info(), a_words, b_words);
        Self::new(device, a_words, b_words, kernel, None)
    }

    /// The kernel.
    pub fn kernel(&self) -> IntegerKernel {
        self.kernel
    }

    /// How it is cut into groups.
    pub fn plan(&self) -> IntegerPlan {
        self.plan
    }

    /// Submits the products of `count` pairs. Operands and products are read and written from the given words of
    /// their buffers on; with `broadcast_b` there is one b for all.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if a buffer is too short or there are more pairs than 2^32 - 1 or groups than 2^31 - 1;
    /// [`GpuError::Limits`]; errors of the driver.
    pub fn multiply(
        &self,
        stream: &Stream,
        a: (&Buffer<u32>, usize),
        b: (&Buffer<u32>, usize),
        product: (&mut Buffer<u32>, usize),
        count: usize,
        broadcast_b: bool,
    ) -> Result<(), GpuError> {
        let b_count = if broadcast_b { count.min(1) } else { count };
        a.0.check_rows("a", a.1, count, self.a_words)?;
        b.0.check_rows("b", b.1, b_count, self.b_words)?;
        let words = self.a_words + self.b_words;
        product
            .0
            .check_rows("the product", product.1, count, words)?;
        let groups = count.div_ceil(self.plan.products_of_group(self.kernel));
        let (Ok(pairs), true) = (u32::try_from(count), groups <= i32::MAX as usize) else {
            return Err(GpuError::Shape(format!(
                "{count} pairs are too many for one batch"
            )));
        };
        let of_a = Operand::new(a, self.a_words, false);
        let of_b = Operand::new(b, self.b_words, broadcast_b);
        // Group kernels take the longer one second.
        let symmetric = match self.kernel {
            IntegerKernel::Schoolbook => true,
            #[cfg(feature = "bench")]
            IntegerKernel::M5 => true,
            _ => false,
        };
        let (x, y) = if symmetric || of_a.words <= of_b.words {
            (of_a, of_b)
        } else {
            (of_b, of_a)
        };
        let launch = Launch {
            groups: [groups, 1, 1],
            threads: [self.plan.threads, 1, 1],
            shared_bytes: self
                .plan
                .local_bytes(self.kernel, self.a_words, self.b_words),
        };
        let (product, product_first) = (product.0, product.1 as u64);
        match self.kernel {
            IntegerKernel::Schoolbook => {
                let parameters = OfLengths {
                    product,
                    a: x.memory,
                    b: y.memory,
                    product_first,
                    a_first: x.first,
                    b_first: y.first,
                    b_stride: y.stride,
                    count: pairs,
                    words: Note([self.a_words, self.b_words]),
                };
                stream.launch(&self.compiled, launch, parameters)
            }
            #[cfg(feature = "bench")]
            IntegerKernel::M5 => {
                let parameters = OfChunks {
                    product,
                    a: x.memory,
                    b: y.memory,
                    product_first,
                    a_first: x.first,
                    b_first: y.first,
                    words: x.words,
                    a_stride: x.stride,
                    b_stride: y.stride,
                    chunk: self.plan.chunk as u32,
                };
                stream.launch(&self.compiled, launch, parameters)
            }
            _ => {
                let parameters = OfWords {
                    product,
                    a: x.memory,
                    b: y.memory,
                    product_first,
                    a_first: x.first,
                    b_first: y.first,
                    a_words: x.words,
                    b_words: y.words,
                    a_stride: x.stride,
                    b_stride: y.stride,
                    count: (self.kernel == IntegerKernel::Columns).then_some(pairs),
                    columns: Note(self.plan.columns.max(1) as u32),
                };
                stream.launch(&self.compiled, launch, parameters)
            }
        }
    }
}

/// The program of a kernel by a plan; only `Schoolbook` is compiled for the lengths themselves.
pub(crate) fn source(
    kernel: IntegerKernel,
    plan: IntegerPlan,
    [a_words, b_words]: [usize; 2],
    info: &DeviceInfo,
) -> Source<'static> {
    let source = Source::new(kernel.name(), plan.threads);
    #[cfg(feature = "bench")]
    let tile = plan.tile(kernel, [a_words, b_words], info);
    match kernel {
        IntegerKernel::Schoolbook => source
            .define("A_WORDS", a_words)
            .define("B_WORDS", b_words)
            .define("ROWS", SCHOOLBOOK_ROWS)
            .define("PITCH", (a_words + b_words) | 1)
            .part(LIMBS)
            .part(SCHOOLBOOK),
        IntegerKernel::Columns => {
            let layout = plan.layout();
            let most = 2 * (plan.threads / plan.products) * layout.stride;
            // Few columns leave registers for more groups anyway; compilers that are told nothing spill many.
            let source = match plan.columns {
                0..=8 => source,
                _ => source.define("RESIDENT", (512 / plan.threads).max(1)),
            };
            source
                .define("COLUMNS", plan.columns)
                .define("PRODUCTS", plan.products)
                .define("ROW", layout.row)
                .define("STRIDE", layout.stride)
                .define("LANES", layout.lanes)
                // All that its threads can have, where a group has as much: one program serves many lengths.
                .define("TILE", most.min(info.shared_memory / 4))
                .part(LIMBS)
                .part(COLUMNS)
        }
        #[cfg(feature = "bench")]
        IntegerKernel::M5 => source.define("TILE", tile).part(LIMBS).part(LHC).part(M5),
        #[cfg(feature = "bench")]
        IntegerKernel::Naive => source
            .define("TILE", tile)
            .part(LIMBS)
            .part(LHC)
            .part(NAIVE),
        #[cfg(feature = "bench")]
        IntegerKernel::OperandScanning => source
            .define("TILE", tile)
            .part(LIMBS)
            .part(LHC)
            .part(OPERAND_SCANNING),
    }
}
