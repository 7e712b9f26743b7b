//! Sunzi's own kernels, described as those of anybody, and how their shapes become plans.

use sunzi_device::{DeviceInfo, DeviceKind, GpuError};
use sunzi_gpu::Word;
use sunzi_gpu::integer::{IntegerKernel, IntegerPlan};
use sunzi_gpu::ntt::NttParameters;
use sunzi_gpu::schoolbook::SchoolbookPlan;
use sunzi_tune::{Description, DescriptionError, Kernel};

/// A family of kernels whose shape is chosen by measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OwnKernel {
    /// Products of polynomials term by term, modulo a prime of 31 bits: [`SchoolbookPlan`], of which the thesis of 2013 calls
    /// the rows x. Data: `batch` products of `n` by `n` coefficients.
    TermByTerm,
    /// The same modulo a prime of up to 63 bits.
    WideTermByTerm,
    /// Transforms modulo primes of 31 bits: [`NttParameters`]. Data: `points`, a power of two, of `vectors` vectors.
    Transforms,
    /// The same modulo a prime of up to 63 bits.
    WideTransforms,
    /// Products of integers word by word: [`IntegerPlan`]. Data: `batch` products of `words` by `words` words of 32 bits.
    WordByWord,
}

impl OwnKernel {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::TermByTerm,
        Self::WideTermByTerm,
        Self::Transforms,
        Self::WideTransforms,
        Self::WordByWord,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::TermByTerm => "products term by term",
            Self::WideTermByTerm => "products term by term of 64 bits",
            Self::Transforms => "transforms",
            Self::WideTransforms => "transforms of 64 bits",
            Self::WordByWord => "products of integers word by word",
        }
    }

    /// Whether elements have 64 bits.
    pub(super) fn is_wide(self) -> bool {
        matches!(self, Self::WideTermByTerm | Self::WideTransforms)
    }

    /// Its data and its parameters, in the order of their values.
    pub(super) fn names(self) -> [&'static [&'static str]; 2] {
        match self {
            Self::TermByTerm | Self::WideTermByTerm => [&["batch", "n"], &["rows", "threads"]],
            Self::Transforms | Self::WideTransforms => {
                [&["points", "vectors"], &["radix", "threads", "tile"]]
            }
            Self::WordByWord => [&["batch", "words"], &["columns", "threads"]],
        }
    }

    /// Its description for a device. Compilers for processors take long for each shape, so there are fewer.
    ///
    /// # Errors
    /// None for devices that there are.
    pub fn describe(self, info: &DeviceInfo) -> Result<Kernel, DescriptionError> {
        let is_processor = info.kind == DeviceKind::Cpu;
        let text = match self {
            Self::TermByTerm | Self::WideTermByTerm => {
                let (rows, threads) = match is_processor {
                    true => ("[32, 64, 256]", "[16, 64]"),
                    false => ("[64, 128, 256, 512, 1024]", "[32, 64, 128, 256]"),
                };
                format!(
                    "data = {{ batch = {{ from = 1, to = 65536, samples = [1, 1, 1] }},
                               n = {{ from = 1, to = 1048576, samples = [512, 1024, 2048] }} }}
                     program = {{ rows = {{ values = {rows} }}, threads = {{ values = {threads} }} }}
                     grid = [\"ceil((n + rows) / (4 * threads)) * ceil(n / rows)\", \"batch\"]"
                )
            }
            Self::Transforms | Self::WideTransforms => {
                let (radix, threads, tile, constraints) = match (is_processor, self.is_wide()) {
                    (true, _) => ("[4, 8]", "[16, 64]", "[1024]", ""),
                    // A tile in one turn of all threads, two or four; half as many points of twice the size.
                    (false, false) => (
                        "[8, 16]",
                        "[64, 128, 256, 512, 1024]",
                        "[1024, 2048, 4096, 8192, 16384, 32768]",
                        ", \"4 * radix * threads >= tile\"",
                    ),
                    (false, true) => (
                        "[4, 8]",
                        "[64, 128, 256, 512, 1024]",
                        "[512, 1024, 2048, 4096, 8192, 16384]",
                        ", \"4 * radix * threads >= tile\"",
                    ),
                };
                format!(
                    "data = {{ points = {{ from = 1, to = 268435456, samples = [8192, 32768, 131072] }},
                               vectors = {{ from = 1, to = 65536, samples = [4, 4, 4] }} }}
                     program = {{ radix = {{ values = {radix} }}, threads = {{ values = {threads} }},
                                  tile = {{ values = {tile} }} }}
                     constraints = [\"radix * threads <= tile\"{constraints}]
                     grid = [\"ceil(points / tile)\", \"vectors\"]"
                )
            }
            Self::WordByWord => {
                let (columns, threads, batches) = match is_processor {
                    true => ("[8, 16]", "[16, 64]", "[128, 128, 128]"),
                    false => (
                        "[4, 8, 16]",
                        "[32, 64, 128, 256, 512]",
                        "[16384, 16384, 16384]",
                    ),
                };
                format!(
                    "data = {{ batch = {{ from = 1, to = 16777216, samples = {batches} }},
                               words = {{ from = 1, to = 4096, samples = [64, 128, 256] }} }}
                     program = {{ columns = {{ values = {columns} }}, threads = {{ values = {threads} }} }}
                     grid = [\"ceil(batch * ceil(words / columns) / threads)\"]"
                )
            }
        };
        let text = format!(
            "version = 1\n[[kernel]]\nname = \"{}\"\nblock = [\"threads\"]\n{text}\n",
            self.name()
        );
        let description = Description::parse(&text, self.name())?;
        Ok(description.kernels()[0].clone())
    }

    /// The plan of a shape of products term by term.
    pub(super) fn plan(shape: &[i64]) -> SchoolbookPlan {
        SchoolbookPlan {
            rows: shape[0] as usize,
            threads: shape[1] as usize,
        }
    }

    /// The parameters of a shape of transforms, for so many points.
    pub(super) fn parameters(
        info: &DeviceInfo,
        word: Word,
        log_points: u32,
        vectors: usize,
        shape: &[i64],
    ) -> NttParameters {
        NttParameters {
            log_radix: (shape[0] as u64).max(1).ilog2(),
            threads: shape[1] as usize,
            log_tile: (shape[2] as u64).max(1).ilog2(),
            ..NttParameters::for_device(info, word, log_points, vectors)
        }
    }

    /// The plan of a shape of products word by word, for integers of these lengths.
    pub(super) fn integer_plan(
        info: &DeviceInfo,
        words: [usize; 2],
        shape: &[i64],
    ) -> Result<IntegerPlan, GpuError> {
        IntegerPlan::columns_for(info, words, shape[0] as usize, shape[1] as usize)
    }

    /// By which kernel it multiplies integers.
    pub(super) const INTEGER_KERNEL: IntegerKernel = IntegerKernel::Columns;
}
