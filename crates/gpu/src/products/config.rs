//! How products are cut up for a device: everything that is chosen, as a value that can be checked and passed down.
//!
//! What suits a device where nothing was measured is [`ProductConfig::for_device`], and nothing else is chosen anywhere.
//! What depends on the lengths has a rule of its own (`None`), or is told. A multiplier asks for the configuration of each problem,
//! so that whoever has measured some can tell one for each. No configuration changes a product.

use super::problem::ProductProblem;
use crate::carry::plan::CarryPlan;
use crate::integer::{IntegerKernel, IntegerPlan};
use crate::ntt::NttParameters;
use crate::schoolbook::SchoolbookPlan;
use crate::word::Word;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;
use sunzi_device::{Device, DeviceInfo, GpuError};

/// Words of the longer integer up to which products are computed word by word, where nobody says, and at most.
const USUAL_WORDS: usize = 1024;
const MOST_WORDS: usize = 2048;

/// How products are cut up for a device, and by what they are computed.
///
/// A value of it is checked when it is passed to [`TransformContext::with_config`](super::TransformContext::with_config),
/// [`PolynomialMultiplier::with_config`](super::PolynomialMultiplier::with_config) or
/// [`IntegerMultiplier::with_config`](super::IntegerMultiplier::with_config); what of it can only be told for given lengths and
/// words is checked when it is used.
///
/// ```
/// use sunzi::gpu::{Device, Operand, PolynomialMultiplier, ProductConfig, ProductForm, Selection};
/// # fn main() -> Result<(), sunzi::gpu::GpuError> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// // Copies and kernels take turns in one piece of memory of 1 MiB, for want of more.
/// let config = ProductConfig {
///     slots: 1,
///     slot_bytes: 1 << 20,
///     ..ProductConfig::for_device(device.info())
/// };
/// let multiplier = PolynomialMultiplier::with_config(&device, config)?;
/// let pair = [Operand::new(&[2, 1], 1), Operand::new(&[3, 1], 1)]; // (2 + x)(3 + x) modulo 97
/// multiplier.multiply(&ProductForm::modulo(97, 1), &[pair], |_, product| assert_eq!(product, [6, 5, 1]))?;
///
/// let none = ProductConfig { slots: 0, ..config };
/// let refused = PolynomialMultiplier::with_config(&device, none).unwrap_err();
/// assert_eq!(refused.to_string(), "the products' parameter slots is 0, not between 1 and 64");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProductConfig {
    /// Words of the longer integer up to which products are computed word by word: longer ones are computed by transforms,
    /// and all of them with 0. 2048 at most, or as many as groups of the device take.
    pub most_words: usize,
    /// Terms of the longer polynomial up to which products modulo a prime of a word may be computed term by term,
    /// however short the other one is; none with 0. Below 2^30.
    pub most_terms: usize,
    /// Percent that multiply-adds of such products count, as against those of transforms: what comes to less is taken.
    /// 10000 at most.
    pub term_percent: u32,
    /// Threads of a group where threads are independent: projection to primes and recombination. 1024 at most.
    pub threads: usize,
    /// How transforms modulo primes of 31 bits are cut up; otherwise as [`NttParameters::for_device`] has it for their
    /// length and number.
    pub transforms: Option<NttParameters>,
    /// How those modulo a prime of up to 63 bits are, which products take that has transforms itself; otherwise likewise.
    pub wide_transforms: Option<NttParameters>,
    /// How carries are propagated; otherwise as [`CarryPlan::for_device`] has it.
    pub carries: Option<CarryPlan>,
    /// How products term by term are cut up; otherwise as [`SchoolbookPlan::for_device`] has it.
    pub term_by_term: Option<SchoolbookPlan>,
    /// By which kernel integers are multiplied word by word, and how it is cut up; otherwise
    /// [`IntegerKernel::best`] and [`IntegerPlan::for_device`] say. It must take the lengths at hand.
    pub word_by_word: Option<(IntegerKernel, IntegerPlan)>,
    /// Pieces of a batch that are under way at a time, each on a stream and in memory of its own, so that copies overlap
    /// kernels: 64 at most. Where there is no room for so many there is one. As many workspaces are kept of products that
    /// stay on the device.
    pub slots: usize,
    /// Bytes of the device's memory that a slot takes at most, unless one product takes more; a sixteenth of what may be
    /// used is the most in any case.
    pub slot_bytes: u64,
    /// 32-bit words copied, operands and products together, from which on a batch is cut into a piece for each slot though it
    /// would fit into one.
    pub overlap_words: usize,
    /// 32-bit words that a thread of the host copies at a time into memory that the device reads; one at least.
    pub host_words: usize,
}

impl ProductConfig {
    /// What suits a device where nothing was measured.
    ///
    /// Transforms beat products word by word beyond 1024 words by the counts of their multiplications. While one slot is
    /// copied to, another computes and a third is copied from. Slots of 64 MiB are enough for copies to run at full speed,
    /// and little enough for some of several sizes to be kept.
    pub fn for_device(info: &DeviceInfo) -> Self {
        Self {
            most_words: IntegerPlan::longest(info, USUAL_WORDS),
            most_terms: 1 << 16,
            term_percent: 100,
            threads: info.independent_threads(),
            transforms: None,
            wide_transforms: None,
            carries: None,
            term_by_term: None,
            word_by_word: None,
            slots: 3,
            slot_bytes: 64 << 20,
            overlap_words: 2 << 20,
            host_words: 1 << 18,
        }
    }

    /// Checks it against a device's limits.
    ///
    /// # Errors
    /// [`GpuError::Shape`] with what is out of which range, [`GpuError::Limits`] for groups that the device does not have.
    pub fn check(self, info: &DeviceInfo) -> Result<Self, GpuError> {
        const ANY: u64 = u64::MAX;
        let most_threads = info.group_threads.min(1024) as u64;
        let most_words = IntegerPlan::longest(info, MOST_WORDS) as u64;
        in_range("most_words", self.most_words as u64, 0..=most_words)?;
        in_range("most_terms", self.most_terms as u64, 0..=(1 << 30) - 1)?;
        in_range("term_percent", self.term_percent.into(), 0..=10_000)?;
        in_range("threads", self.threads as u64, 1..=most_threads)?;
        in_range("slots", self.slots as u64, 1..=64)?;
        in_range("slot_bytes", self.slot_bytes, 1..=ANY)?;
        in_range("host_words", self.host_words as u64, 1..=ANY)?;
        if let Some(parameters) = self.transforms {
            parameters.check(info, Word::U32)?;
        }
        if let Some(parameters) = self.wide_transforms {
            parameters.check(info, Word::U64)?;
        }
        if let Some(plan) = self.carries {
            plan.check(info)?;
        }
        if let Some(plan) = self.term_by_term {
            plan.check(info, Word::U32)?;
        }
        if let Some((kernel, plan)) = self.word_by_word {
            plan.check(kernel, 1, 1, info)?;
        }
        Ok(self)
    }

    /// Whether integers of these lengths are multiplied word by word.
    pub(crate) fn is_word_by_word(&self, words: [usize; 2]) -> bool {
        words.into_iter().all(|words| words <= self.most_words)
    }

    /// How transforms of 2^`log_points` points run, `vectors` at a time: modulo a prime of two words, or of 31 bits.
    pub(crate) fn ntt(
        &self,
        word: Word,
        log_points: u32,
        info: &DeviceInfo,
        vectors: usize,
    ) -> NttParameters {
        let told = match word {
            Word::U32 => self.transforms,
            Word::U64 | Word::F64 => self.wide_transforms,
        };
        told.unwrap_or_else(|| NttParameters::for_device(info, word, log_points, vectors))
    }

    /// How numbers of so many words are carried over.
    pub(crate) fn carry(&self, info: &DeviceInfo, words: usize) -> CarryPlan {
        let rule = || CarryPlan::for_device(info, words);
        self.carries.unwrap_or_else(rule)
    }

    /// How `batch` products of n by m terms are computed term by term.
    pub(crate) fn schoolbook(
        &self,
        info: &DeviceInfo,
        word: Word,
        [n, m]: [usize; 2],
        batch: usize,
    ) -> SchoolbookPlan {
        let rule = || SchoolbookPlan::for_device(info, word, n, m, batch);
        self.term_by_term.unwrap_or_else(rule)
    }
}

/// Refuses a number out of range.
fn in_range(field: &str, value: u64, range: RangeInclusive<u64>) -> Result<(), GpuError> {
    if range.contains(&value) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    let possible = if most == u64::MAX {
        format!("{least} or more")
    } else {
        format!("between {least} and {most}")
    };
    Err(GpuError::Shape(format!(
        "the products' parameter {field} is {value}, not {possible}"
    )))
}

/// The configuration of each problem, as a multiplier asks for it.
#[derive(Clone)]
pub(super) struct Shapes(Arc<dyn Fn(&ProductProblem) -> ProductConfig + Send + Sync>);

impl fmt::Debug for Shapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shapes")
    }
}

impl Shapes {
    pub(super) fn by(
        choose: impl Fn(&ProductProblem) -> ProductConfig + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(choose))
    }

    /// What suits a device, for all problems.
    pub(super) fn usual(device: &Device) -> Self {
        let config = ProductConfig::for_device(device.info());
        Self::by(move |_| config)
    }

    /// One for all problems.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if it is none for the device.
    pub(super) fn always(device: &Device, config: ProductConfig) -> Result<Self, GpuError> {
        let config = config.check(device.info())?;
        Ok(Self::by(move |_| config))
    }

    /// That of a problem.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if it is none for the device.
    pub(super) fn of(
        &self,
        device: &Device,
        problem: &ProductProblem,
    ) -> Result<ProductConfig, GpuError> {
        (self.0)(problem).check(device.info())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_is_told_with_what_is_possible() {
        let h100 = DeviceInfo::h100();
        let usual = ProductConfig::for_device(&h100);
        assert_eq!(usual.check(&h100), Ok(usual));
        let transforms = NttParameters::for_device(&h100, Word::U32, 20, 1);
        let plan = IntegerPlan::for_device(&h100, IntegerKernel::Columns, 64, 64).unwrap();
        let word_by_word = |plan| Some((IntegerKernel::Columns, plan));
        for (config, parts) in [
            (
                ProductConfig {
                    most_words: 2049,
                    ..usual
                },
                ["most_words is 2049", "0 and 2048"],
            ),
            (
                ProductConfig {
                    most_terms: 1 << 30,
                    ..usual
                },
                ["most_terms", "0 and 1073741823"],
            ),
            (
                ProductConfig {
                    term_percent: 10_001,
                    ..usual
                },
                ["term_percent", "0 and 10000"],
            ),
            (
                ProductConfig {
                    threads: 0,
                    ..usual
                },
                ["threads is 0", "1 and 1024"],
            ),
            (
                ProductConfig {
                    threads: 1025,
                    ..usual
                },
                ["threads is 1025", "1 and 1024"],
            ),
            (
                ProductConfig { slots: 65, ..usual },
                ["slots is 65", "1 and 64"],
            ),
            (
                ProductConfig {
                    slot_bytes: 0,
                    ..usual
                },
                ["slot_bytes is 0", "1 or more"],
            ),
            (
                ProductConfig {
                    host_words: 0,
                    ..usual
                },
                ["host_words is 0", "1 or more"],
            ),
            (
                ProductConfig {
                    transforms: Some(NttParameters {
                        log_tile: 16,
                        ..transforms
                    }),
                    ..usual
                },
                ["log_tile is 16", "4 and 15"],
            ),
            (
                ProductConfig {
                    wide_transforms: Some(NttParameters {
                        log_tile: 15,
                        ..transforms
                    }),
                    ..usual
                },
                ["log_tile is 15", "4 and 14"],
            ),
            (
                ProductConfig {
                    carries: Some(CarryPlan {
                        threads: 40,
                        words: 8,
                    }),
                    ..usual
                },
                ["40 threads of 8 words", "a multiple of 16 up to 1024"],
            ),
            (
                ProductConfig {
                    term_by_term: Some(SchoolbookPlan {
                        threads: 64,
                        rows: 6,
                    }),
                    ..usual
                },
                ["64 threads with 6 rows", "a positive multiple of 4"],
            ),
            (
                ProductConfig {
                    word_by_word: word_by_word(IntegerPlan {
                        threads: 2000,
                        ..plan
                    }),
                    ..usual
                },
                ["a group of 2000 threads", "1 to 1024"],
            ),
            (
                ProductConfig {
                    word_by_word: word_by_word(IntegerPlan { columns: 3, ..plan }),
                    ..usual
                },
                ["3 columns a thread", "4 to 32"],
            ),
        ] {
            let said = config.check(&h100).unwrap_err().to_string();
            for part in parts {
                assert!(said.contains(part), "{said}");
            }
        }
        // A device with smaller groups takes less.
        let small = DeviceInfo {
            group_threads: 128,
            ..h100
        };
        assert!(usual.check(&small).is_err());
        let fitting = ProductConfig::for_device(&small);
        assert_eq!(fitting.check(&small), Ok(fitting));
    }
}
