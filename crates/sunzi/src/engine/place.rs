//! Where a batch gains.
//!
//! What a product costs per word is measured once on a machine, on the processor and on the device, copies included,
//! for products of a few lengths; it is kept where compiled kernels are. A batch goes to the device if the sum of what
//! its products cost there is well below what they cost on the processor. Polynomials count as integers of as many
//! words: both are computed by transforms of about that length.

use super::on_device::OnDevice;
use crate::{Integer, Natural};
use crate::{integer::Multiplier, tune::Tuning};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use sunzi_device::{Device, DeviceOptions, GpuError, Selection, may_have_gpu};
use sunzi_machine::threads::Threads;

/// 32-bit words of operands that an engine has seen before a device is looked for: finding one, and measuring it for the
/// first time, takes about as long as the processor takes for that many.
const LEAST_WORDS: usize = 1 << 22;
/// log₂ of the words of a product, both operands together, that are measured.
const MEASURED: [u32; 4] = [5, 8, 12, 16];
/// log₂ of the words of the batches that are measured.
const LOG_BATCH_WORDS: u32 = 18;
/// How much faster than the processor a device must be expected to be.
const MARGIN: f64 = 0.8;
/// What was measured is kept under this name; another version measures again.
const NAME: &str = concat!("crossover of sunzi ", env!("CARGO_PKG_VERSION"));

/// What products cost on the processor and on a device.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Crossover {
    /// For each of [`MEASURED`], nanoseconds a word: processor, device.
    per_word: [[f64; 2]; MEASURED.len()],
    /// Nanoseconds of a batch of one short product on the device.
    least: f64,
}

impl Crossover {
    /// What was measured before on this machine, or is now.
    pub(super) fn new(on_device: &OnDevice, multiplier: &Multiplier) -> Result<Self, GpuError> {
        let device = on_device.device();
        // The processor's times depend on how many threads there are.
        let name = format!("{NAME} with {} threads", sunzi_machine::threads::count());
        if let Some(kept) = device
            .recall(&name)
            .and_then(|bytes| Self::from_bytes(&bytes))
        {
            return Ok(kept);
        }
        // Threads of its own: those at hand may have other work.
        let threads = rayon::ThreadPoolBuilder::new().num_threads(sunzi_machine::threads::count());
        let measured = match threads.build() {
            Ok(pool) => pool.install(|| Self::measure(on_device, multiplier))?,
            Err(_) => Self::measure(on_device, multiplier)?,
        };
        device.remember(&name, &measured.to_bytes());
        Ok(measured)
    }

    fn measure(on_device: &OnDevice, multiplier: &Multiplier) -> Result<Self, GpuError> {
        let mut per_word = [[0.0; 2]; MEASURED.len()];
        for (costs, log_words) in per_word.iter_mut().zip(MEASURED) {
            let operand = dense_integer(1 << (log_words - 2));
            let batch = vec![[&operand, &operand]; 1 << (LOG_BATCH_WORDS - log_words)];
            let on_processor = shortest(|| {
                Threads::all().each(&batch, |[a, b]| {
                    std::hint::black_box(multiplier.mul_integers(a, b));
                });
                Ok(())
            })?;
            let there = shortest(|| on_device.multiply_integers(&batch).map(|_| ()))?;
            *costs = [on_processor, there].map(|time| time / f64::from(1 << LOG_BATCH_WORDS));
        }
        let operand = dense_integer(1);
        let least = shortest(|| {
            on_device
                .multiply_integers(&[[&operand, &operand]])
                .map(|_| ())
        })?;
        Ok(Self { per_word, least })
    }

    /// Whether a batch of products, whose operands have these numbers of words, gains from the device.
    fn device_wins(&self, words: impl Iterator<Item = usize>) -> bool {
        let [processor, device] = words.fold([0.0, self.least], |sums, words| {
            let log_words = (words.max(1) as f64).log2();
            let costs = self.at(log_words);
            [0, 1].map(|place| sums[place] + costs[place] * words as f64)
        });
        device < MARGIN * processor
    }

    /// What a word costs in products of that length: between those measured, or as the nearest of them.
    fn at(&self, log_words: f64) -> [f64; 2] {
        let above = MEASURED.partition_point(|&log| f64::from(log) <= log_words);
        if above == 0 || above == MEASURED.len() {
            return self.per_word[above.min(MEASURED.len() - 1)];
        }
        let [low, high] = [MEASURED[above - 1], MEASURED[above]].map(f64::from);
        let share = (log_words - low) / (high - low);
        [0, 1].map(|place| {
            (1.0 - share) * self.per_word[above - 1][place] + share * self.per_word[above][place]
        })
    }

    fn to_bytes(&self) -> Vec<u8> {
        let all = self.per_word.iter().flatten().chain([&self.least]);
        all.flat_map(|value| value.to_le_bytes()).collect()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (values, rest) = bytes.as_chunks::<8>();
        let values: Vec<_> = values
            .iter()
            .map(|&value| f64::from_le_bytes(value))
            .collect();
        let sane = rest.is_empty() && values.iter().all(|value| value.is_finite() && *value > 0.0);
        let (pairs, [least]) = values.as_chunks::<2>() else {
            return None;
        };
        let per_word = pairs.try_into().ok()?;
        sane.then_some(Self {
            per_word,
            least: *least,
        })
    }
}

/// An integer of `limbs` limbs, none of which makes products easier.
fn dense_integer(limbs: usize) -> Integer {
    let limbs: Vec<u64> = (1..=limbs as u64)
        .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 << 63)
        .collect();
    Natural::from_limbs(limbs).into()
}

/// The shortest of a few times, in nanoseconds; the first time, which may compile kernels, does not count.
fn shortest(mut work: impl FnMut() -> Result<(), GpuError>) -> Result<f64, GpuError> {
    work()?;
    let mut shortest = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        work()?;
        shortest = shortest.min(start.elapsed().as_nanos() as f64);
    }
    Ok(shortest.max(1.0))
}

/// A GPU that is looked for when there has been enough work to gain from one.
#[derive(Debug)]
pub(super) struct Search {
    /// Those of the environment if none: what is wrong with them concerns only those who have a GPU.
    options: Option<DeviceOptions>,
    tuning: Option<Arc<Tuning>>,
    /// Words of operands so far.
    seen: AtomicUsize,
    looking: AtomicBool,
    found: OnceLock<Option<Found>>,
    retired: AtomicBool,
}

/// A GPU, and where it wins.
#[derive(Debug)]
struct Found {
    products: OnDevice,
    crossover: Crossover,
}

impl Search {
    pub(super) fn new(options: Option<DeviceOptions>) -> Self {
        Self {
            options,
            tuning: None,
            seen: AtomicUsize::new(0),
            looking: AtomicBool::new(false),
            found: OnceLock::new(),
            retired: AtomicBool::new(false),
        }
    }

    /// What it finds cuts products as a tuning says.
    pub(super) fn tune(&mut self, tuning: &Arc<Tuning>) {
        self.tuning = Some(tuning.clone());
    }

    /// The GPU, if it was looked for and is there.
    pub(super) fn found(&self) -> Option<&OnDevice> {
        Some(&self.found.get()?.as_ref()?.products)
    }

    /// Leaves the GPU alone from now on.
    pub(super) fn retire(&self) {
        self.retired.store(true, Ordering::Relaxed);
    }

    /// The GPU, if a batch of products, whose operands have these numbers of words, gains from it.
    ///
    /// While one thread looks for it, and measures, the others go on without: none waits for another.
    pub(super) fn device_for(
        &self,
        words: impl Iterator<Item = usize> + Clone,
        multiplier: &Multiplier,
    ) -> Result<Option<&OnDevice>, GpuError> {
        if self.retired.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if self.found.get().is_none() {
            let now: usize = words.clone().sum();
            let before = self.seen.fetch_add(now, Ordering::Relaxed);
            let enough = before.saturating_add(now) >= LEAST_WORDS;
            if !enough || self.looking.swap(true, Ordering::Relaxed) {
                return Ok(None);
            }
            let found = self.look(multiplier);
            let problem = found.as_ref().err().cloned();
            // This thread alone looks.
            let _ = self.found.set(found.unwrap_or(None));
            if let Some(problem) = problem {
                return Err(problem);
            }
        }
        let found = self.found.get().and_then(Option::as_ref);
        Ok(found
            .filter(|found| found.crossover.device_wins(words))
            .map(|found| &found.products))
    }

    fn look(&self, multiplier: &Multiplier) -> Result<Option<Found>, GpuError> {
        // Their drivers would be loaded for nothing.
        if !may_have_gpu() {
            return Ok(None);
        }
        let Some(device) = self.open()? else {
            return Ok(None);
        };
        let products = match &self.tuning {
            Some(tuning) => OnDevice::with_tuning(&device, tuning),
            None => OnDevice::new(&device),
        };
        let crossover = Crossover::new(&products, multiplier)?;
        Ok(Some(Found {
            products,
            crossover,
        }))
    }

    /// The GPU, if there is one. One that cannot be used is an error, which says why.
    fn open(&self) -> Result<Option<Device>, GpuError> {
        let options = self
            .options
            .clone()
            .map_or_else(DeviceOptions::from_env, Ok);
        let opened = match &options {
            Ok(options) => Device::open_with(Selection::Gpu, options),
            Err(_) => Device::open_with(Selection::Gpu, &DeviceOptions::default()),
        };
        match opened {
            Err(GpuError::NoDevice {
                unusable: false, ..
            }) => Ok(None),
            opened => {
                options?;
                opened.map(Some)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sunzi_device::Backend;
    use sunzi_testkit::Place;

    #[test]
    fn what_is_kept_comes_back_and_nothing_else_does() {
        let crossover = Crossover {
            per_word: [[4.0, 1.0], [3.0, 1.5], [2.0, 1.0], [2.0, 0.5]],
            least: 1e5,
        };
        let bytes = crossover.to_bytes();
        assert_eq!(Crossover::from_bytes(&bytes), Some(crossover));
        assert_eq!(Crossover::from_bytes(&bytes[1..]), None);
        assert_eq!(Crossover::from_bytes(&bytes[8..]), None);
        assert_eq!(Crossover::from_bytes(&[0; 72]), None);
        assert_eq!(Crossover::from_bytes(&[0xff; 72]), None);
    }

    #[test]
    fn large_batches_go_where_a_word_costs_less() {
        let crossover = Crossover {
            per_word: [[1.0, 4.0], [2.0, 1.0], [3.0, 1.0], [4.0, 1.0]],
            least: 1e5,
        };
        let wins =
            |words: usize, count: usize| crossover.device_wins(std::iter::repeat_n(words, count));
        assert!(!wins(1 << 16, 0));
        assert!(
            !wins(1 << 5, 1 << 20),
            "short products are cheap on the processor"
        );
        assert!(!wins(1 << 8, 10), "ten do not pay for the way there");
        assert!(wins(1 << 8, 10_000) && wins(1 << 20, 1));
        assert_eq!(crossover.at(6.5), [1.5, 2.5]);
        assert_eq!(crossover.at(0.0), [1.0, 4.0]);
        assert_eq!(crossover.at(40.0), [4.0, 1.0]);
    }

    #[test]
    fn a_gpu_without_a_compiler_is_told_with_what_to_install() {
        // The driver is there, or its stand-in.
        if Place::Cuda.device().is_none() {
            return;
        }
        let without = DeviceOptions {
            compiler: Some("/no/such/compiler".into()),
            ..DeviceOptions::default()
        };
        match Search::new(Some(without)).open() {
            Err(refused @ GpuError::NoCompiler { .. }) => {
                let said = refused.to_string();
                for part in ["/no/such/compiler", "nvidia-cuda-nvrtc", "OpenCL"] {
                    assert!(said.contains(part), "{said}");
                }
            }
            // Another GPU takes its place.
            opened => assert_eq!(opened.unwrap().unwrap().info().backend, Backend::OpenCl),
        }
    }
}
