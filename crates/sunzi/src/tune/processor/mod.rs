//! The lengths from which algorithms win on a processor, found by measurement.

mod clock;
mod crossing;
mod measure;
mod sharing;

pub use clock::{Effort, Work, disturbed};

use serde::{Deserialize, Serialize};
use sunzi_field::{AnyField, Fp32, Fp64};
use sunzi_integer::Multiplier;
use sunzi_machine::{Grain, InstructionSet};
use sunzi_poly::{Algorithm, AnyPolyRing, IntegerPolyRing, IntegerThresholds, Thresholds};

use super::TuningError;
use sharing::{Sharing, sharing};

/// Thresholds of products on a processor: of integers, of polynomials over fields of word size and over Z, and the leaves of trees; the
/// threads that compute, and the work that they share.
///
/// Products modulo r^k + 1 keep their built-in ones.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::tune::{Effort, ProcessorTuning};
///
/// let least = Effort { rounds: 1, seconds: 1e-6 };
/// let tuning = ProcessorTuning::measure(&least)?;
/// assert!(tuning.is_for_this());
/// // What was measured in no time may be slow, and is right.
/// let mut product = [0; 2];
/// tuning.multiplier().mul(&mut product, &[6], &[7]);
/// assert_eq!(product, [42, 0]);
/// let ring = tuning.ring(&AnyField::modulo_word(97)?);
/// let f = ring.polynomial(vec![1, 1])?;
/// assert_eq!(*ring.mul(&f, &f)?.rows(), [1, 2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessorTuning {
    #[serde(default)]
    waited: Option<u8>,
    processor: ProcessorName,
    integers: IntegerLengths,
    over_z: OverZ,
    words32: FieldLengths,
    words64: FieldLengths,
    /// Nothing where there was one processor, or it was measured before this was.
    #[serde(default)]
    sharing: Option<Sharing>,
}

/// What tells a processor from others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProcessorName {
    name: String,
    integer_kernels: String,
    vectors: String,
}

/// Limbs from which integers are multiplied by each algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct IntegerLengths {
    /// Schoolbook products by vectors, where the processor has them.
    vectors: usize,
    karatsuba: usize,
    toom3: usize,
    transform: usize,
}

/// Coefficients from which polynomials over Z are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OverZ {
    kronecker: usize,
    crt_ntt: usize,
}

/// Coefficients from which polynomials over a field of word size are, and leaves of trees where it has transforms, and where not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldLengths {
    ntt: usize,
    karatsuba: usize,
    over_integers: usize,
    leaf_log: u32,
    leaf_log_without: u32,
}

impl FieldLengths {
    /// As thresholds of a ring with these ones built in.
    fn thresholds(&self, built_in: Thresholds) -> Thresholds {
        Thresholds {
            ntt: self.ntt,
            ntt_long: self.ntt,
            karatsuba: self.karatsuba,
            over_integers: self.over_integers,
            ..built_in
        }
    }
}

impl ProcessorName {
    /// The processor at hand. Where the system does not tell its name, the kernels that it runs must do.
    fn of_this() -> Self {
        const TOLD: [&str; 4] = ["model name", "cpu family", "model", "stepping"];
        let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let first = told.lines().take_while(|line| !line.trim().is_empty());
        let fields: Vec<(&str, &str)> = first
            .filter_map(|line| line.split_once(':'))
            .map(|(key, value)| (key.trim(), value.trim()))
            .collect();
        let value = |key: &str| fields.iter().find(|field| field.0 == key).map(|of| of.1);
        let parts: Vec<&str> = TOLD.into_iter().filter_map(value).collect();
        Self {
            name: match parts.is_empty() {
                true => std::env::consts::ARCH.to_owned(),
                false => parts.join(" "),
            },
            integer_kernels: Multiplier::new().kernels().to_owned(),
            vectors: InstructionSet::detect().to_string(),
        }
    }
}

/// Percent of the time that threads may wait for processors that others have, while their number is chosen.
const MOST_WAITED: u8 = 5;

impl ProcessorTuning {
    /// Measures all thresholds on the processor at hand.
    ///
    /// # Errors
    /// [`TuningError::Threshold`] where clocks tell nothing.
    pub fn measure(effort: &Effort) -> Result<Self, TuningError> {
        // By one thread, as where many products are computed at a time; those at hand may have other work.
        let found = match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
            Ok(one) => one.install(|| Self::measure_here(effort)),
            Err(_) => Self::measure_here(effort),
        }?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let (sharing, waited) = clock::disturbed(|| sharing(processors, effort));
        // Where others had the processors, one thread looks as fast as all.
        let is_disturbed = waited.is_some_and(|percent| percent >= MOST_WAITED);
        Ok(Self {
            sharing: sharing?.filter(|_| !is_disturbed),
            waited: found.waited.max(waited),
            ..found
        })
    }

    fn measure_here(effort: &Effort) -> Result<Self, TuningError> {
        let (found, waited) = clock::disturbed(|| Self::with_effort(effort));
        found.map(|found| Self { waited, ..found })
    }

    fn with_effort(effort: &Effort) -> Result<Self, TuningError> {
        let integers = measure::integers(effort)?;
        let multiplier = || integers.multiplier();
        let IntegerThresholds { kronecker, crt_ntt } = measure::over_z(effort, &multiplier)?;
        Ok(Self {
            waited: None,
            processor: ProcessorName::of_this(),
            integers,
            over_z: OverZ { kronecker, crt_ntt },
            words32: measure::field::<Fp32>(effort)?,
            words64: measure::field::<Fp64>(effort)?,
            sharing: None,
        })
    }

    /// How much of the time, in percent, measuring waited for a processor that other programs had, where the system tells. From some
    /// percent on, times say little.
    pub fn waited(&self) -> Option<u8> {
        self.waited
    }

    /// Whether it was measured on a processor like the one at hand, with the same kernels.
    pub fn is_for_this(&self) -> bool {
        self.processor == ProcessorName::of_this()
    }

    /// The processor's name.
    pub fn processor(&self) -> &str {
        &self.processor.name
    }

    /// The threads that take least time on a machine of so many processors: all of them where that was not measured.
    ///
    /// ```
    /// use sunzi::tune::{Effort, ProcessorTuning};
    ///
    /// let tuning = ProcessorTuning::measure(&Effort { rounds: 1, seconds: 1e-6 })?;
    /// let processors = std::thread::available_parallelism().map_or(1, usize::from);
    /// assert!((1..=processors).contains(&tuning.threads(processors)));
    /// assert_eq!(tuning.threads(processors + 1), processors + 1);
    /// # Ok::<(), sunzi::tune::TuningError>(())
    /// ```
    pub fn threads(&self, processors: usize) -> usize {
        let here = self.sharing.filter(|of| of.processors == processors);
        here.map_or(processors, |of| of.threads.clamp(1, processors.max(1)))
    }

    /// How finely work is cut for them.
    fn grain(&self) -> Grain {
        self.sharing.map_or_else(Grain::default, |of| of.grain())
    }

    /// What multiplies integers by these thresholds.
    pub fn multiplier(&self) -> Multiplier {
        self.integers.multiplier().with_grain(self.grain())
    }

    /// The ring of polynomials over Z by these thresholds.
    pub fn integer_polys(&self) -> IntegerPolyRing {
        let OverZ { kronecker, crt_ntt } = self.over_z;
        IntegerPolyRing::new()
            .with_multiplier(self.multiplier())
            .with_thresholds(IntegerThresholds { kronecker, crt_ntt })
    }

    /// The ring of polynomials over a field, by these thresholds if it is one of word size.
    pub fn ring(&self, field: &AnyField) -> AnyPolyRing {
        let ring = AnyPolyRing::new(field);
        let lengths = match (ring.over::<Fp32>(), ring.over::<Fp64>()) {
            (Some(_), _) => &self.words32,
            (_, Some(_)) => &self.words64,
            _ => return ring,
        };
        // Points of the transforms of leaves.
        let leaf = 1 << 7;
        let leaf_log = match ring.plan_with(Algorithm::Ntt, leaf, leaf) {
            Ok(_) => lengths.leaf_log,
            Err(_) => lengths.leaf_log_without,
        };
        let thresholds = lengths.thresholds(ring.thresholds());
        let ring = ring.with_thresholds(Thresholds {
            leaf_log,
            ..thresholds
        });
        ring.with_grain(self.grain())
    }

    /// What was found, by names, and what is built in.
    pub fn thresholds(&self) -> Vec<FoundThreshold> {
        let integers = Multiplier::new().thresholds();
        let over_z = IntegerThresholds::default();
        let mut found = Vec::new();
        let mut add = |of: &'static str, algorithm: &'static str, measured, built_in| {
            found.push(FoundThreshold {
                of,
                algorithm,
                measured,
                built_in,
            });
        };
        let of = "integers, limbs";
        if self.integers.vectors != usize::MAX {
            add(of, "ifma", self.integers.vectors, integers.ifma_long);
        }
        add(of, "karatsuba", self.integers.karatsuba, integers.karatsuba);
        add(of, "toom3", self.integers.toom3, integers.toom3);
        add(of, "transform", self.integers.transform, integers.transform);
        let of = "polynomials over Z, coefficients";
        add(of, "kronecker", self.over_z.kronecker, over_z.kronecker);
        add(of, "crt-ntt", self.over_z.crt_ntt, over_z.crt_ntt);
        for (of, leaves, lengths, [smooth, rough]) in [
            (
                "modulo a prime of 31 bits, coefficients",
                "modulo a prime of 31 bits, points",
                &self.words32,
                built_in::<Fp32>(),
            ),
            (
                "modulo a prime of 63 bits, coefficients",
                "modulo a prime of 63 bits, points",
                &self.words64,
                built_in::<Fp64>(),
            ),
        ] {
            add(of, "ntt", lengths.ntt, smooth.ntt);
            add(of, "karatsuba", lengths.karatsuba, rough.karatsuba);
            add(of, "crt-ntt", lengths.over_integers, rough.over_integers);
            let leaf = |log: u32| 1_usize.checked_shl(log).unwrap_or(usize::MAX);
            let [with, without] = [lengths.leaf_log, lengths.leaf_log_without].map(leaf);
            add(leaves, "leaves", with, leaf(smooth.leaf_log));
            add(
                leaves,
                "leaves without transforms",
                without,
                leaf(rough.leaf_log),
            );
        }
        if let Some(sharing) = self.sharing {
            let of = "batches, products of limbs";
            let built_in = Multiplier::SHARED_LIMB_PRODUCTS;
            add(of, "shared by threads", sharing.work, built_in);
            let of = "threads for so many processors";
            add(of, "threads", sharing.threads, sharing.processors);
        }
        found
    }
}

/// A threshold, as it was measured and as it is built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FoundThreshold {
    /// Of which products, and what is counted.
    pub of: &'static str,
    /// The algorithm that begins there; leaves of trees, of so many points; work that threads share, or their number.
    pub algorithm: &'static str,
    /// What was measured.
    pub measured: usize,
    /// What is built in.
    pub built_in: usize,
}

/// The built-in thresholds of a field with transforms, and of one without.
fn built_in<F: measure::Measured>() -> [Thresholds; 2] {
    [F::with_transforms(), F::without()].map(|field| match field {
        Some(field) => sunzi_poly::PolyRing::new(field).thresholds(),
        None => unreachable!("these numbers are primes"),
    })
}

impl IntegerLengths {
    fn multiplier(&self) -> Multiplier {
        let multiplier = Multiplier::new();
        let thresholds = sunzi_integer::Thresholds {
            ifma_long: self.vectors,
            karatsuba: self.karatsuba,
            toom3: self.toom3,
            transform: self.transform,
            ..multiplier.thresholds()
        };
        multiplier.with_thresholds(thresholds)
    }
}
