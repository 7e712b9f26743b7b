//! By which kernel integers are multiplied, and how it is cut into groups of threads.

use sunzi_device::{DeviceInfo, GpuError};

/// Bytes of local memory that a group takes at most where nobody says how it is cut, and as many as kernels for
/// comparison are written for.
const LOCAL_BYTES: usize = 32 << 10;
/// Threads of a group at most, likewise.
const MOST_THREADS: usize = 256;
/// Columns of a thread at most: their sums are in its registers.
const MOST_COLUMNS: usize = 32;
/// Columns of a thread at most, and words of an integer, where nobody says how it is cut and groups have [`MOST_THREADS`].
const USUAL_COLUMNS: usize = 16;
const MOST_WORDS: usize = MOST_THREADS * USUAL_COLUMNS;
/// Banks of local memory. Words are laid out so that few threads meet in one; any number gives correct results.
const BANKS: usize = 32;

/// Words of a product that a thread computes at most: they and the sums are in its registers.
const SCHOOLBOOK_WORDS: usize = 40;
/// Products of words that are written out in one kernel at most.
const SCHOOLBOOK_PRODUCTS: usize = 256;

/// A kernel that multiplies a batch. Those for comparison come with the feature `bench`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntegerKernel {
    /// One product a thread, its sums in registers, compiled for the lengths: for short integers.
    Schoolbook,
    /// Threads sum a few neighbouring columns each, in registers: for all others.
    Columns,
    /// Karatsuba's intermediate products, chunk against chunk, columns in local memory.
    #[cfg(feature = "bench")]
    M5,
    /// Word against all words, columns in local memory.
    #[cfg(feature = "bench")]
    Naive,
    /// Row by row, carries beside the words, in local memory.
    #[cfg(feature = "bench")]
    OperandScanning,
}

impl IntegerKernel {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::Schoolbook,
        Self::Columns,
        #[cfg(feature = "bench")]
        Self::M5,
        #[cfg(feature = "bench")]
        Self::Naive,
        #[cfg(feature = "bench")]
        Self::OperandScanning,
    ];

    /// Its name, which is also that of its entry point.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schoolbook => "schoolbook",
            Self::Columns => "columns",
            #[cfg(feature = "bench")]
            Self::M5 => "m5",
            #[cfg(feature = "bench")]
            Self::Naive => "naive",
            #[cfg(feature = "bench")]
            Self::OperandScanning => "operand_scanning",
        }
    }

    /// Whether it multiplies integers of such lengths on a device, by groups of up to 256 threads and within 32 KiB of
    /// local memory.
    ///
    /// ```
    /// use sunzi::gpu::DeviceInfo;
    /// use sunzi_gpu::integer::IntegerKernel;
    /// let h100 = DeviceInfo::h100();
    /// assert!(IntegerKernel::Columns.supports(&h100, 1024, 1024));
    /// assert!(!IntegerKernel::Schoolbook.supports(&h100, 1024, 1000));
    /// ```
    pub fn supports(self, info: &DeviceInfo, a_words: usize, b_words: usize) -> bool {
        IntegerPlan::for_device(info, self, a_words, b_words).is_ok()
    }

    /// The one that is expected to be the fastest on a device for such lengths; [`Columns`](Self::Columns) also where none
    /// takes them.
    ///
    /// ```
    /// use sunzi::gpu::DeviceInfo;
    /// use sunzi_gpu::integer::IntegerKernel;
    /// let h100 = DeviceInfo::h100();
    /// assert_eq!(IntegerKernel::best(&h100, 4, 4), IntegerKernel::Schoolbook);
    /// assert_eq!(IntegerKernel::best(&h100, 64, 32), IntegerKernel::Columns);
    /// ```
    pub fn best(info: &DeviceInfo, a_words: usize, b_words: usize) -> Self {
        if Self::Schoolbook.supports(info, a_words, b_words) {
            Self::Schoolbook
        } else {
            Self::Columns
        }
    }

    /// Refuses lengths that are beyond it for its own reasons; the plan has others.
    fn check_lengths(self, a_words: usize, b_words: usize) -> Result<(), GpuError> {
        let name = self.name();
        if a_words == 0 || b_words == 0 {
            let refusal = "integers of no words have no product".to_owned();
            return Err(GpuError::Shape(refusal));
        }
        match self {
            Self::Schoolbook
                if a_words.saturating_add(b_words) > SCHOOLBOOK_WORDS
                    || a_words * b_words > SCHOOLBOOK_PRODUCTS =>
            {
                Err(GpuError::Shape(format!(
                    "{a_words} and {b_words} words are too many for {name}, which keeps sums in registers: \
                     {SCHOOLBOOK_WORDS} together and {SCHOOLBOOK_PRODUCTS} products of words are the most"
                )))
            }
            #[cfg(feature = "bench")]
            Self::M5 if a_words != b_words => Err(GpuError::Shape(format!(
                "{name} multiplies integers of the same length, and they have {a_words} and {b_words} words"
            ))),
            _ => Ok(()),
        }
    }
}

/// How a kernel is cut into groups of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerPlan {
    /// Threads of a group, 1024 at most.
    pub threads: usize,
    /// `Columns`: products of a group, a power of two; `Schoolbook` has one a thread, the others have one.
    pub products: usize,
    /// `Columns`: neighbouring columns that a thread sums, 4 to 32.
    pub columns: usize,
    /// `M5`: digits of a chunk, even.
    #[cfg(feature = "bench")]
    pub chunk: usize,
}

/// How `Columns` lays blocks out in local memory, which follows from the rest of a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Words from word to word.
    pub row: usize,
    /// Words from block to block.
    pub stride: usize,
    /// Threads that copy one number.
    pub lanes: usize,
}

impl IntegerPlan {
    /// What suits a device for a kernel and lengths where nothing was measured.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the kernel does not take such lengths, [`GpuError::Limits`] if groups of the device are too
    /// small for them.
    ///
    /// ```
    /// use sunzi::gpu::DeviceInfo;
    /// use sunzi_gpu::integer::{IntegerKernel, IntegerPlan};
    /// # fn main() -> Result<(), sunzi::gpu::GpuError> {
    /// let h100 = DeviceInfo::h100();
    /// let plan = IntegerPlan::for_device(&h100, IntegerKernel::Columns, 64, 64)?;
    /// assert_eq!((plan.threads, plan.products, plan.columns), (256, 32, 8));
    /// // Smaller groups have fewer products, and then more columns a thread.
    /// let small = DeviceInfo { group_threads: 32, ..h100 };
    /// let plan = |words| IntegerPlan::for_device(&small, IntegerKernel::Columns, words, words);
    /// assert_eq!((plan(64)?.threads, plan(64)?.products, plan(64)?.columns), (32, 4, 8));
    /// assert_eq!((plan(1024)?.threads, plan(1024)?.products, plan(1024)?.columns), (32, 1, 32));
    /// assert!(plan(1025).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn for_device(
        info: &DeviceInfo,
        kernel: IntegerKernel,
        a_words: usize,
        b_words: usize,
    ) -> Result<Self, GpuError> {
        let plan = Self::usual(info, kernel, a_words, b_words)?;
        if plan.local_bytes(kernel, a_words, b_words) > LOCAL_BYTES {
            return Err(GpuError::Shape(format!(
                "{}: integers of {a_words} and {b_words} words take more than the {LOCAL_BYTES} bytes of local memory that a group \
                 has where nobody says how it is cut",
                kernel.name()
            )));
        }
        plan.check(kernel, a_words, b_words, info)
    }

    /// The same, not checked against the device's limits: there may be no plan within them.
    fn usual(
        info: &DeviceInfo,
        kernel: IntegerKernel,
        a_words: usize,
        b_words: usize,
    ) -> Result<Self, GpuError> {
        kernel.check_lengths(a_words, b_words)?;
        let longer = a_words.max(b_words);
        let most = info.power_of_threads(MOST_THREADS, 0);
        let mut plan = Self {
            threads: most.min(128),
            products: 1,
            columns: 8,
            #[cfg(feature = "bench")]
            chunk: 32,
        };
        let is_beyond = |plan: &Self| {
            plan.local_bytes(kernel, a_words, b_words) > info.shared_memory.min(LOCAL_BYTES)
        };
        match kernel {
            IntegerKernel::Schoolbook => {
                while plan.threads > 1 && is_beyond(&plan) {
                    plan.threads /= 2;
                }
            }
            IntegerKernel::Columns => {
                if longer > MOST_WORDS {
                    return Err(GpuError::Shape(format!(
                        "{longer} words are too many for {}: {MOST_WORDS} are the most",
                        kernel.name()
                    )));
                }
                while longer > most * plan.columns && plan.columns < MOST_COLUMNS {
                    plan.columns *= 2;
                }
                let blocks = longer.div_ceil(plan.columns);
                let of_product = blocks.next_power_of_two();
                plan.products = (most / of_product).clamp(1, BANKS);
                while plan.products > 1 && is_beyond(&plan) {
                    plan.products /= 2;
                }
                // Idle threads do not cost what one more program would.
                plan.threads = (plan.products * of_product).max(most.min(64));
            }
            #[cfg(feature = "bench")]
            _ => {
                plan.threads = longer.min(most).next_power_of_two().max(most.min(32));
            }
        }
        Ok(plan)
    }

    /// Words up to which integers are multiplied by [`Columns`](IntegerKernel::Columns) on a device, both of them so long:
    /// a power of two up to `most`.
    pub(crate) fn longest(info: &DeviceInfo, most: usize) -> usize {
        let kernel = IntegerKernel::Columns;
        let halved = |words: &usize| Some(words / 2).filter(|&words| words > 0);
        let mut lengths = std::iter::successors(Some(most), halved);
        lengths
            .find(|&words| kernel.supports(info, words, words))
            .unwrap_or(0)
    }

    /// The plan of [`Columns`](IntegerKernel::Columns) with so many columns a thread and threads a group, or as many more as one
    /// product takes, and as many products as the threads and the device's local memory are enough for.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if there is no such plan for these lengths on the device.
    ///
    /// ```
    /// use sunzi::gpu::DeviceInfo;
    /// use sunzi_gpu::integer::IntegerPlan;
    /// # fn main() -> Result<(), sunzi::gpu::GpuError> {
    /// let h100 = DeviceInfo::h100();
    /// let plan = IntegerPlan::columns_for(&h100, [64, 64], 8, 128)?;
    /// assert_eq!((plan.threads, plan.products), (128, 16));
    /// let plan = IntegerPlan::columns_for(&h100, [2000, 64], 8, 128)?;
    /// assert_eq!((plan.threads, plan.products), (256, 1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn columns_for(
        info: &DeviceInfo,
        [a_words, b_words]: [usize; 2],
        columns: usize,
        threads: usize,
    ) -> Result<Self, GpuError> {
        let kernel = IntegerKernel::Columns;
        let mut plan = Self::usual(info, kernel, a_words, b_words)?;
        let blocks = a_words.max(b_words).div_ceil(columns.max(1)).max(1);
        plan.columns = columns;
        plan.threads = threads.max(blocks.next_power_of_two());
        plan.products = 1 << (plan.threads / blocks).clamp(1, BANKS).ilog2();
        // What is out of range is told below.
        let is_sane = columns <= MOST_COLUMNS;
        while is_sane
            && plan.products > 1
            && plan.local_bytes(kernel, a_words, b_words) > info.shared_memory
        {
            plan.products /= 2;
        }
        plan.check(kernel, a_words, b_words, info)
    }

    /// Checks that the kernel can run so on integers of such lengths on a device.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for what is no plan for these lengths anywhere, [`GpuError::Limits`] for what is none there.
    pub(crate) fn check(
        self,
        kernel: IntegerKernel,
        a_words: usize,
        b_words: usize,
        info: &DeviceInfo,
    ) -> Result<Self, GpuError> {
        kernel.check_lengths(a_words, b_words)?;
        let Self {
            threads,
            products,
            columns,
            #[cfg(feature = "bench")]
            chunk,
        } = self;
        let wrong = |reason: String| Err(GpuError::Shape(format!("{}: {reason}", kernel.name())));
        if !(1..=1024).contains(&threads) {
            return wrong(format!(
                "a group of {threads} threads, where 1 to 1024 are possible"
            ));
        }
        match kernel {
            IntegerKernel::Columns => {
                if !(4..=MOST_COLUMNS).contains(&columns) || !products.is_power_of_two() {
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
            #[cfg(feature = "bench")]
            IntegerKernel::M5 if chunk == 0 || chunk % 2 == 1 || chunk > 1 << 16 => {
                return wrong(format!("a chunk of {chunk} digits"));
            }
            _ => {}
        }
        let bytes = self.local_bytes(kernel, a_words, b_words);
        #[cfg(feature = "bench")]
        if !matches!(kernel, IntegerKernel::Schoolbook | IntegerKernel::Columns)
            && bytes > LOCAL_BYTES
        {
            return wrong(format!(
                "integers of {a_words} and {b_words} words take {bytes} bytes of local memory, and {LOCAL_BYTES} are the most"
            ));
        }
        info.check_group(kernel.name(), threads, bytes)?;
        Ok(self)
    }

    /// Words of local memory that kernels for comparison are compiled for: one size for most lengths that
    /// such groups are used for.
    #[cfg(feature = "bench")]
    pub(super) fn tile(
        self,
        kernel: IntegerKernel,
        [a_words, b_words]: [usize; 2],
        info: &DeviceInfo,
    ) -> usize {
        let words = self.local_bytes(kernel, a_words, b_words) / 4;
        let most = info.shared_memory.min(LOCAL_BYTES) / 4;
        if self.threads < MOST_THREADS && words <= 9 * self.threads {
            most.min(9 * self.threads)
        } else {
            most
        }
    }

    /// Products of a group.
    pub(crate) fn products_of_group(self, kernel: IntegerKernel) -> usize {
        match kernel {
            IntegerKernel::Schoolbook => self.threads,
            IntegerKernel::Columns => self.products,
            #[cfg(feature = "bench")]
            _ => 1,
        }
    }

    /// Bytes of local memory of a group.
    pub(crate) fn local_bytes(
        self,
        kernel: IntegerKernel,
        a_words: usize,
        b_words: usize,
    ) -> usize {
        let words = a_words.saturating_add(b_words);
        // The states of the normalization lie where the operands were.
        #[cfg(feature = "bench")]
        let operands = words.max(self.threads);
        let of_words = match kernel {
            IntegerKernel::Schoolbook => self.threads * (words | 1),
            IntegerKernel::Columns => {
                let blocks = a_words.div_ceil(self.columns) + b_words.div_ceil(self.columns);
                blocks * self.layout().stride
            }
            #[cfg(feature = "bench")]
            IntegerKernel::M5 | IntegerKernel::Naive => {
                words.saturating_mul(3).saturating_add(operands)
            }
            #[cfg(feature = "bench")]
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
