//! What computations ask of a GPU, launch by launch, found without one.
//!
//! Launches are those that the contexts of the crate submit for an NVIDIA H100; bytes are what they read and
//! write once, factors and constants left out; multiplications are those of the algorithms, in 32-bit multiply-adds: two
//! for a product of words with all 64 bits, and operations on doubles where residues are doubles.

use crate::carry::context::source as carry_source;
use crate::error::GpuError;
use crate::field::ResidueWord;
use crate::integer::{IntegerKernel, IntegerPlan, context::source as integer_source};
use crate::ntt::programs::{Transform, passes};
use crate::ntt::{NttParameters, NttPlan};
use crate::products::TransformPlan;
use crate::products::plan::{CARRY_PLANES, PRODUCT_MODULO};
use crate::program::Source;
use crate::residues::{combine, project};

/// Threads of a group at most, and bytes of memory that it shares, on an H100; threads of groups whose threads are
/// independent.
const MOST_THREADS: usize = 1024;
const SHARED_BYTES: usize = 227 << 10;
const GROUP_THREADS: usize = 256;

/// Multiply-adds of a butterfly, by the word's name in kernels.
const BUTTERFLY: [(u32, u64); 3] = [(32, PRODUCT_MODULO), (64, 20), (53, 8)];
/// Those of a step of Horner's rule modulo a number of two words: two products of 64 bits, with both halves each.
const STEP_MODULO: u64 = 24;

/// A launch.
#[derive(Clone, Debug)]
pub struct LaunchWork {
    /// The program.
    pub source: Source<'static>,
    /// Its kernel.
    pub kernel: &'static str,
    /// Groups of threads.
    pub groups: usize,
    /// Threads of a group.
    pub threads: usize,
    /// Bytes that a group shares.
    pub shared_bytes: usize,
    /// Bytes of the device's memory that are read and written.
    pub bytes: u64,
    /// 32-bit multiply-adds.
    pub multiplications: u64,
}

/// Transforms of `batch` vectors of 2^`log_points` points, forward.
///
/// # Errors
/// [`GpuError::Shape`] for more than 2^28 points.
///
/// ```
/// let launches = sunzi_gpu::internals::transform_work::<u32>(20, 1)?;
/// assert_eq!(launches.len(), 2);
/// assert_eq!(launches[0].bytes, 2 * 4 << 20);
/// # Ok::<(), sunzi_gpu::GpuError>(())
/// ```
pub fn transform_work<E: ResidueWord>(
    log_points: u32,
    batch: usize,
) -> Result<Vec<LaunchWork>, GpuError> {
    let forward = Transform {
        inverse: false,
        negacyclic: false,
        product: false,
    };
    transform::<E>(log_points, [batch, 1], forward)
}

/// Transforms of `batch` vectors modulo each of some primes.
fn transform<E: ResidueWord>(
    log_points: u32,
    [batch, primes]: [usize; 2],
    transform: Transform,
) -> Result<Vec<LaunchWork>, GpuError> {
    let parameters = NttParameters::for_gpu::<E>(MOST_THREADS, SHARED_BYTES, log_points);
    let plan = NttPlan::new(log_points, parameters)?;
    let word = size_of::<E>() as u64;
    let groups = (batch << log_points).div_ceil(1 << parameters.log_tile) * primes;
    let count = ((batch * primes) as u64) << log_points;
    let mut butterflies = BUTTERFLY.iter();
    let butterfly = butterflies.find(|(word, _)| *word == E::WORD);
    let butterfly = butterfly.map_or(PRODUCT_MODULO, |(_, each)| *each);
    // Integers modulo a prime that fills its word take more corrections; doubles have none such.
    let spare = E::WORD == 53;
    let launches = passes::<E>(&plan, transform, plan.split(log_points), spare);
    let launches = launches.map(|(pass, source)| {
        let multiplies = u64::from(transform.product && pass.shift == 0);
        LaunchWork {
            source,
            kernel: "ntt_pass",
            groups,
            threads: parameters.threads,
            shared_bytes: size_of::<E>() << parameters.log_tile,
            bytes: (2 + multiplies) * count * word,
            multiplications: (count * u64::from(pass.levels) / 2 + multiplies * count) * butterfly,
        }
    });
    Ok(launches.collect())
}

/// Products of `batch` pairs of integers of equal numbers of words, word by word.
///
/// # Errors
/// [`GpuError::Shape`] for lengths that no kernel takes.
pub fn integer_work(words: usize, batch: usize) -> Result<Vec<LaunchWork>, GpuError> {
    let kernel = IntegerKernel::best(words, words);
    let plan = IntegerPlan::default_for(kernel, words, words)?;
    let per_group = match kernel {
        IntegerKernel::Schoolbook => plan.threads,
        _ => plan.products,
    };
    let (count, words_of) = (batch as u64, words as u64);
    Ok(vec![LaunchWork {
        source: integer_source(kernel, plan, words, words),
        kernel: kernel.name(),
        groups: batch.div_ceil(per_group),
        threads: plan.threads,
        shared_bytes: plan.local_bytes(kernel, words, words),
        bytes: 16 * words_of * count,
        multiplications: 2 * words_of * words_of * count,
    }])
}

/// Products of `batch` pairs by transforms, whose operands have so many terms each.
///
/// # Errors
/// [`GpuError::TooFewPrimes`] if there are too few for the plan, [`GpuError::Shape`] for more than 2^28 points.
pub fn product_work(
    plan: &TransformPlan,
    terms: [usize; 2],
    batch: usize,
) -> Result<Vec<LaunchWork>, GpuError> {
    let primes = plan.basis()?.len();
    let positions = batch << plan.log_points;
    let independent =
        |source, kernel, groups: usize, words: usize, multiplications: u64| LaunchWork {
            source,
            kernel,
            groups,
            threads: GROUP_THREADS,
            shared_bytes: 0,
            bytes: 4 * words as u64,
            multiplications,
        };
    let groups = positions.div_ceil(GROUP_THREADS);
    let mut all = Vec::new();
    for (form, terms) in [plan.left, plan.right].into_iter().zip(terms) {
        let (chunks, words) = (project::chunks(primes), batch * terms * form.words);
        all.push(independent(
            project::source(GROUP_THREADS),
            "project",
            groups * chunks,
            words * chunks + primes * positions,
            (words * primes) as u64 * PRODUCT_MODULO,
        ));
    }
    let [forward, back] = [false, true].map(|inverse| Transform {
        inverse,
        negacyclic: false,
        product: inverse,
    });
    // Both operands go forward together.
    for (each, vectors) in [(forward, 2 * batch), (back, batch)] {
        all.extend(transform::<u32>(plan.log_points, [vectors, primes], each)?);
    }
    let (k, values) = (primes as u64, positions as u64);
    let digits = k * (k - 1) / 2 * PRODUCT_MODULO;
    let read = primes * positions;
    if let Some(form) = plan.value_form() {
        let combined = independent(
            combine::words_source(GROUP_THREADS, primes, form),
            "combine_words",
            groups,
            read + form.words * positions,
            values * (digits + 2 * k * form.words as u64),
        );
        all.push(LaunchWork {
            shared_bytes: form.local_bytes(GROUP_THREADS),
            ..combined
        });
    } else if plan.own_modulus().is_none() {
        let words = plan.finish.words();
        let value = if words == 1 { "u32" } else { "u64" };
        all.push(independent(
            combine::modulo_source(GROUP_THREADS, primes, value),
            "combine_modulo",
            groups,
            read + words * positions,
            values * (digits + k * STEP_MODULO),
        ));
    }
    if plan.plane_words() > 0 {
        all.extend(carries(plan, batch));
    }
    Ok(all)
}

/// The launches that carry over `batch` products.
fn carries(plan: &TransformPlan, batch: usize) -> Vec<LaunchWork> {
    let carry = plan.carry_plan();
    let vector_blocks = plan.points().div_ceil(carry.block());
    let blocks = vector_blocks * batch;
    let launch = |kernel, groups, words: usize| LaunchWork {
        source: carry_source(CARRY_PLANES, carry),
        kernel,
        groups,
        threads: carry.threads,
        shared_bytes: 0,
        bytes: 4 * words as u64,
        multiplications: 0,
    };
    let words = (CARRY_PLANES + 1) * plan.points() * batch;
    let mut all = vec![launch("carry_words", blocks, words + 2 * blocks)];
    if vector_blocks > 1 {
        all.push(launch("carry_blocks", batch, 2 * blocks));
        let groups = blocks.div_ceil(carry.threads);
        all.push(launch("carry_into_blocks", groups, 2 * blocks));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::products::Finish;
    use crate::residues::project::CoefficientForm;

    #[test]
    fn a_product_of_a_million_bits_is_10_launches() {
        let digits = CoefficientForm {
            words: 1,
            signed: false,
        };
        let plan = TransformPlan {
            log_points: 16,
            left: digits,
            right: digits,
            bits: 80,
            finish: Finish::Carry,
        };
        let launches = product_work(&plan, [31250; 2], 1).unwrap();
        let of = |kernel: &str| launches.iter().filter(|each| each.kernel == kernel).count();
        assert_eq!(of("project"), 2);
        // Two passes there and two back, for all three primes.
        assert_eq!(of("ntt_pass"), 4);
        assert_eq!(of("combine_words"), 1);
        assert_eq!(launches.len(), 10);
        // Every kernel is one of its program.
        for launch in launches {
            let entry = format!("KERNEL {}(", launch.kernel);
            assert!(launch.source.text().contains(&entry), "{entry}");
        }
    }

    #[test]
    fn lengths_that_no_kernel_takes_are_refused() {
        assert!(integer_work(1 << 20, 1).is_err());
        assert!(transform_work::<u32>(29, 1).is_err());
        let [one] = &integer_work(64, 1000).unwrap()[..] else {
            panic!("one launch");
        };
        assert_eq!((one.bytes, one.multiplications), (1_024_000, 8_192_000));
    }
}
