//! The kernels there are, and the sizes they take.

use super::IntegerShape;

/// A way to multiply a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntegerKernel {
    /// One product a thread, everything in registers, compiled for the lengths: for short integers.
    Schoolbook,
    /// Threads sum a few neighbouring columns each, in registers: for all others.
    Columns,
    /// Karatsuba's intermediate products, chunk against chunk, columns in local memory.
    M5,
    /// Word against all words, columns in local memory.
    Naive,
    /// Row by row, carries beside the words, in local memory.
    OperandScanning,
}

/// Words of a product whose operands and columns a thread keeps in registers.
const SCHOOLBOOK_WORDS: usize = 40;
/// Products of words that are written out in one kernel.
const SCHOOLBOOK_PRODUCTS: usize = 256;

impl IntegerKernel {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Schoolbook,
        Self::Columns,
        Self::M5,
        Self::Naive,
        Self::OperandScanning,
    ];

    /// Its name, which is also that of its entry point.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schoolbook => "schoolbook",
            Self::Columns => "columns",
            Self::M5 => "m5",
            Self::Naive => "naive",
            Self::OperandScanning => "operand_scanning",
        }
    }

    /// Whether it multiplies integers of such lengths, within 32 KiB of local memory and groups of 256 threads.
    ///
    /// ```
    /// use sunzi_gpu::integer::IntegerKernel;
    /// assert!(IntegerKernel::Columns.supports(1024, 1024));
    /// assert!(!IntegerKernel::M5.supports(1024, 1000));
    /// ```
    pub fn supports(self, a_words: usize, b_words: usize) -> bool {
        IntegerShape::default_for(self, a_words, b_words)
            .and_then(|shape| shape.check(self, a_words, b_words))
            .is_ok()
    }

    /// The one that is expected to be the fastest for such lengths; [`Columns`](Self::Columns) also where none takes
    /// them.
    ///
    /// ```
    /// use sunzi_gpu::integer::IntegerKernel;
    /// assert_eq!(IntegerKernel::best(4, 4), IntegerKernel::Schoolbook);
    /// assert_eq!(IntegerKernel::best(64, 32), IntegerKernel::Columns);
    /// ```
    pub fn best(a_words: usize, b_words: usize) -> Self {
        if Self::Schoolbook.supports(a_words, b_words) {
            Self::Schoolbook
        } else {
            Self::Columns
        }
    }

    /// Why lengths are beyond it for its own reasons; the shape has others.
    pub(super) fn refusal(self, a_words: usize, b_words: usize) -> Option<String> {
        let name = self.name();
        if a_words == 0 || b_words == 0 {
            return Some("integers of no words have no product".to_owned());
        }
        match self {
            Self::Schoolbook
                if a_words.saturating_add(b_words) > SCHOOLBOOK_WORDS
                    || a_words * b_words > SCHOOLBOOK_PRODUCTS =>
            {
                Some(format!(
                    "{a_words} and {b_words} words are too many for {name}, which keeps integers in registers: \
                     {SCHOOLBOOK_WORDS} together and {SCHOOLBOOK_PRODUCTS} products of words are the most"
                ))
            }
            Self::M5 if a_words != b_words => Some(format!(
                "{name} multiplies integers of the same length, and they have {a_words} and {b_words} words"
            )),
            _ => None,
        }
    }
}
