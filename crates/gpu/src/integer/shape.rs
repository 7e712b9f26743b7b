//! Shapes of launches: the program parameters of the kernels.

use super::IntegerKernel;
use crate::GpuError;

/// Bytes of local memory that a group takes at most, so that any device has them.
const LOCAL_BYTES: usize = 32 << 10;
/// Threads of a group at most, likewise.
const MOST_THREADS: usize = 256;
/// Banks of local memory, to lay words out so that threads meet in few of them; any number is right.
const BANKS: usize = 32;

/// The program parameters of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerShape {
    /// Threads of a group.
    pub threads: usize,
    /// `Columns`: products of a group, a power of two; `Schoolbook` has one a thread, the others have one.
    pub products: usize,
    /// `Columns`: neighbouring columns that a thread sums, 4 to 32.
    pub columns: usize,
    /// `M5`: digits of a chunk, even.
    pub chunk: usize,
}

/// How `Columns` lays blocks out in local memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Words from word to word.
    pub row: usize,
    /// Words from block to block.
    pub stride: usize,
    /// Threads that copy one number.
    pub lanes: usize,
}

impl IntegerShape {
    /// The shape for a kernel and lengths where nothing better is known.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the kernel does not take such lengths.
    ///
    /// ```
    /// use sunzi_gpu::integer::{IntegerKernel, IntegerShape};
    /// # fn main() -> Result<(), sunzi_gpu::GpuError> {
    /// let shape = IntegerShape::default_for(IntegerKernel::Columns, 64, 64)?;
    /// assert_eq!((shape.threads, shape.products, shape.columns), (256, 32, 8));
    /// # Ok(())
    /// # }
    /// ```
    pub fn default_for(
        kernel: IntegerKernel,
        a_words: usize,
        b_words: usize,
    ) -> Result<Self, GpuError> {
        if let Some(refusal) = kernel.refusal(a_words, b_words) {
            return Err(GpuError::Shape(refusal));
        }
        let longer = a_words.max(b_words);
        let mut shape = Self {
            threads: 128,
            products: 1,
            columns: 8,
            chunk: 32,
        };
        match kernel {
            IntegerKernel::Schoolbook => {}
            IntegerKernel::Columns => {
                if longer > MOST_THREADS * shape.columns {
                    shape.columns = 16;
                }
                let blocks = longer.div_ceil(shape.columns);
                if blocks > MOST_THREADS {
                    return Err(GpuError::Shape(format!(
                        "{longer} words are too many for {}: {} are the most",
                        kernel.name(),
                        MOST_THREADS * shape.columns
                    )));
                }
                shape.products = (MOST_THREADS / blocks).min(BANKS);
                shape.products = 1 << shape.products.ilog2();
                // Idle threads do not cost what one more program would.
                shape.threads = (shape.products * blocks.next_power_of_two()).max(64);
            }
            IntegerKernel::M5 | IntegerKernel::Naive | IntegerKernel::OperandScanning => {
                shape.threads = longer.min(MOST_THREADS).next_power_of_two().max(32);
            }
        }
        Ok(shape)
    }

    /// Checks that the kernel can run so on integers of such lengths.
    pub(super) fn check(
        self,
        kernel: IntegerKernel,
        a_words: usize,
        b_words: usize,
    ) -> Result<Self, GpuError> {
        if let Some(refusal) = kernel.refusal(a_words, b_words) {
            return Err(GpuError::Shape(refusal));
        }
        let Self {
            threads,
            products,
            columns,
            chunk,
        } = self;
        let wrong = |reason: String| Err(GpuError::Shape(format!("{}: {reason}", kernel.name())));
        if !(1..=1024).contains(&threads) {
            return wrong(format!("a group of {threads} threads"));
        }
        match kernel {
            IntegerKernel::Columns => {
                if !(4..=32).contains(&columns) || !products.is_power_of_two() {
                    return wrong(format!(
                        "{columns} columns a thread and {products} products a group: 4 to 32 and a power of two \
                         were expected"
                    ));
                }
                let blocks = a_words.max(b_words).div_ceil(columns);
                if blocks > threads / products {
                    return wrong(format!(
                        "{threads} threads are too few for {products} products of {blocks} blocks of {columns} words"
                    ));
                }
            }
            IntegerKernel::M5 if chunk == 0 || chunk % 2 == 1 || chunk > 1 << 16 => {
                return wrong(format!("a chunk of {chunk} digits"));
            }
            _ => {}
        }
        let bytes = self.local_bytes(kernel, a_words, b_words);
        if bytes > LOCAL_BYTES {
            return wrong(format!(
                "integers of {a_words} and {b_words} words take {bytes} bytes of local memory, and {LOCAL_BYTES} are \
                 the most"
            ));
        }
        Ok(self)
    }

    /// Words of local memory that the kernels with columns there are compiled for: one size for most lengths that
    /// such groups are used for.
    pub(super) fn tile(self, kernel: IntegerKernel, a_words: usize, b_words: usize) -> usize {
        let words = self.local_bytes(kernel, a_words, b_words) / 4;
        if self.threads < MOST_THREADS && words <= 9 * self.threads {
            9 * self.threads
        } else {
            LOCAL_BYTES / 4
        }
    }

    /// Bytes of local memory of a group.
    pub(super) fn local_bytes(
        self,
        kernel: IntegerKernel,
        a_words: usize,
        b_words: usize,
    ) -> usize {
        let words = a_words.saturating_add(b_words);
        // The states of the normalization lie where the operands were.
        let operands = words.max(self.threads);
        let of_words = match kernel {
            IntegerKernel::Schoolbook => self.threads * (words | 1),
            IntegerKernel::Columns => {
                let blocks = a_words.div_ceil(self.columns) + b_words.div_ceil(self.columns);
                blocks * self.layout().stride
            }
            IntegerKernel::M5 | IntegerKernel::Naive => {
                words.saturating_mul(3).saturating_add(operands)
            }
            IntegerKernel::OperandScanning => words.saturating_mul(2).saturating_add(operands),
        };
        of_words.saturating_mul(4)
    }

    /// Where `Columns` has its words.
    pub(super) fn layout(self) -> Layout {
        let products = self.products;
        // Those that copy take neighbouring words of one product, those that compute the same word of neighbouring
        // products and blocks. With few products the copies are a small part.
        let row = if products >= 8 {
            products + 1
        } else {
            products
        };
        let stride = match (self.columns * row).div_ceil(products) {
            _ if products >= BANKS => self.columns * row,
            odd => (odd | 1) * products,
        };
        let longest = self.columns * (self.threads / products);
        let lanes = match longest.next_power_of_two().min(BANKS) {
            lanes if products >= 8 && self.threads.is_multiple_of(lanes) => lanes,
            _ => self.threads,
        };
        Layout { row, stride, lanes }
    }
}
