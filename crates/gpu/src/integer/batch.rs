//! Batches of products on a device.

use super::{IntegerKernel, IntegerShape, source::source};
use crate::extent::check_rows;
use crate::{Argument, Buffer, Device, GpuError, Kernel, Launch, Stream};

/// Products of pairs of integers of given lengths: a compiled kernel and its shape.
#[derive(Debug)]
pub struct IntegerBatch {
    kernel: IntegerKernel,
    shape: IntegerShape,
    a_words: usize,
    b_words: usize,
    compiled: Kernel,
}

/// One side of the pairs.
#[derive(Clone, Copy)]
struct Operand {
    memory: Argument,
    first: u64,
    words: u32,
    /// Words from integer to integer; zero where one serves all.
    stride: u32,
}

impl IntegerBatch {
    /// Products of integers of `a_words` and `b_words` words by a kernel, in a shape or in the default one.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the kernel does not take such lengths or such a shape; [`GpuError::Limits`] when it is
    /// launched on a device with smaller groups; [`GpuError::Compile`].
    pub fn new(
        device: &Device,
        a_words: usize,
        b_words: usize,
        kernel: IntegerKernel,
        shape: Option<IntegerShape>,
    ) -> Result<Self, GpuError> {
        let shape = match shape {
            Some(shape) => shape,
            None => IntegerShape::default_for(kernel, a_words, b_words)?,
        }
        .check(kernel, a_words, b_words)?;
        let program = device.program(&source(kernel, shape, a_words, b_words))?;
        Ok(Self {
            kernel,
            shape,
            a_words,
            b_words,
            compiled: program.kernel(kernel.name())?,
        })
    }

    /// The same by the kernel that is expected to be the fastest.
    ///
    /// # Errors
    /// As [`IntegerBatch::new`]; [`GpuError::Shape`] if no kernel takes such lengths: integers of more than 4096 words
    /// want a transform.
    ///
    /// ```
    /// use sunzi_gpu::{Device, GpuError, Selection, integer::IntegerBatch};
    /// # fn main() -> Result<(), GpuError> {
    /// let device = match Device::open(Selection::Any) {
    ///     Ok(device) => device,
    ///     Err(none) => return Ok(println!("{none}")),
    /// };
    /// let stream = device.stream()?;
    /// let batch = IntegerBatch::best(&device, 2, 1)?;
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
        let kernel = IntegerKernel::best(a_words, b_words);
        Self::new(device, a_words, b_words, kernel, None)
    }

    /// The kernel.
    pub fn kernel(&self) -> IntegerKernel {
        self.kernel
    }

    /// Its shape.
    pub fn shape(&self) -> IntegerShape {
        self.shape
    }

    /// Submits the products of `count` pairs. Operands and products are read and written from the given words of
    /// their buffers on; with `broadcast_b` there is one b for all.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if a buffer is too short or there are more pairs than 2^32 - 1 or groups than 2^31 - 1;
    /// [`GpuError::Limits`]; what the driver refuses.
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
        check_rows("a", a.0, a.1, count, self.a_words)?;
        check_rows("b", b.0, b.1, b_count, self.b_words)?;
        let words = self.a_words + self.b_words;
        check_rows("the product", product.0, product.1, count, words)?;
        let per_group = match self.kernel {
            IntegerKernel::Schoolbook => self.shape.threads,
            IntegerKernel::Columns => self.shape.products,
            _ => 1,
        };
        let groups = count.div_ceil(per_group);
        let (Ok(pairs), true) = (u32::try_from(count), groups <= i32::MAX as usize) else {
            return Err(GpuError::Shape(format!(
                "{count} pairs are too many for one batch"
            )));
        };
        let operand = |(buffer, first): (&Buffer<u32>, usize), words: usize, one: bool| Operand {
            memory: Argument::of(buffer),
            first: first as u64,
            words: words as u32,
            stride: if one { 0 } else { words as u32 },
        };
        let of_a = operand(a, self.a_words, false);
        let of_b = operand(b, self.b_words, broadcast_b);
        // Group kernels want the longer one second.
        let symmetric = matches!(self.kernel, IntegerKernel::Schoolbook | IntegerKernel::M5);
        let (x, y) = if symmetric || of_a.words <= of_b.words {
            (of_a, of_b)
        } else {
            (of_b, of_a)
        };
        let mut arguments = vec![
            Argument::from(&*product.0),
            x.memory,
            y.memory,
            (product.1 as u64).into(),
            x.first.into(),
            y.first.into(),
        ];
        match self.kernel {
            IntegerKernel::Schoolbook => arguments.extend([y.stride, pairs].map(Argument::U32)),
            IntegerKernel::M5 => {
                let chunk = self.shape.chunk as u32;
                arguments.extend([x.words, x.stride, y.stride, chunk].map(Argument::U32));
            }
            IntegerKernel::Columns | IntegerKernel::Naive | IntegerKernel::OperandScanning => {
                arguments.extend([x.words, y.words, x.stride, y.stride].map(Argument::U32));
            }
        }
        if self.kernel == IntegerKernel::Columns {
            arguments.push(pairs.into());
        }
        let launch = Launch {
            groups,
            threads: self.shape.threads,
            shared_bytes: self
                .shape
                .local_bytes(self.kernel, self.a_words, self.b_words),
        };
        // SAFETY: the arguments are those of the kernel, every buffer holds the integers that it reads or writes, as
        // was checked, and the shape gives it the local memory it takes.
        unsafe { stream.launch(&self.compiled, launch, &arguments) }
    }
}
