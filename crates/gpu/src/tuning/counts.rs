//! What computations ask of a device, launch by launch, found without one.
//!
//! Launches are those that the contexts of the crate submit for a whole batch on the device; where a batch from the host
//! is cut into pieces, each piece has as many. Bytes are what they read and write once, factors and constants left out;
//! multiplications are 32-bit multiply-adds, those with the zeros that fill up groups included: two for a product of words
//! with all 64 bits, and operations on doubles where residues are doubles.

use crate::carry::context::source as carry_source;
use crate::error::GpuError;
use crate::field::{ResidueWord, leaves_spare_bits};
use crate::info::DeviceInfo;
use crate::integer::{IntegerKernel, IntegerPlan, context::source as integer_source};
use crate::ntt::plan::groups;
use crate::ntt::programs::{EACH as POINTS_OF_THREAD, Transform, passes, points_source};
use crate::ntt::{NttParameters, NttPlan};
use crate::products::plan::{
    CARRY_PLANES, PRODUCT_MODULO, ProductPlan, TERM, WIDE_BUTTERFLY, WIDE_PRODUCT,
};
use crate::products::rows::padded;
use crate::products::{ProductForm, ProductProblem, ProductShape, TransformPlan};
use crate::program::Source;
use crate::residues::{combine, project, spread};
use crate::schoolbook::context::source as schoolbook_source;
use crate::schoolbook::plan::EACH;

/// Operations of a product of doubles.
const DOUBLE_PRODUCT: u64 = 8;
/// Those of a step of Horner's rule modulo a number of two words: two products of 64 bits, with both halves each.
const STEP_MODULO: u64 = 24;

/// Words of operands, and of residues, that are counted at most.
const MOST_LOG_WORDS: u32 = 42;

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
    /// Bytes of its tile that a group shares: those of [`Launch`](crate::Launch).
    pub shared_bytes: usize,
    /// Times that the threads of a group wait for each other.
    pub barriers: usize,
    /// Bytes of the device's memory that are read and written.
    pub bytes: u64,
    /// 32-bit multiply-adds.
    pub multiplications: u64,
}

/// The launches of products by a shape.
///
/// # Errors
/// [`GpuError::Shape`] if it is none for the device or the lengths, or there are more than 2^28 points;
/// [`GpuError::TooFewPrimes`].
///
/// ```
/// use sunzi_gpu::DeviceInfo;
/// use sunzi_gpu::products::{ProductForm, ProductProblem, ProductShape};
/// let h100 = DeviceInfo::h100();
/// let shape = ProductShape::for_device(&h100);
/// let problem = ProductProblem { form: ProductForm::INTEGERS, terms: [64; 2], batch: 1000 };
/// let launches = sunzi_gpu::tuning::counts(&shape, &problem, &h100)?;
/// assert_eq!((launches.len(), launches[0].kernel, launches[0].bytes), (1, "columns", 1_024_000));
/// # Ok::<(), sunzi_gpu::GpuError>(())
/// ```
pub fn counts(
    shape: &ProductShape,
    problem: &ProductProblem,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let shape = shape.check(device)?;
    let ProductProblem { form, terms, batch } = problem;
    if terms.contains(&0) || *batch == 0 {
        return Ok(Vec::new());
    }
    let [a, b] = *terms;
    for (form, terms) in [(form.left, a), (form.right, b)] {
        countable([*batch, form.words.max(1), terms])?;
    }
    let lengths = padded([a.max(b), a.min(b)]);
    if *form == ProductForm::INTEGERS && shape.is_word_by_word(*terms) {
        return word_by_word(&shape, lengths, *batch, device);
    }
    match ProductPlan::new(form, form.word_prime(), *terms, &shape) {
        ProductPlan::Schoolbook { prime } => match form.finish.words() {
            1 => term_by_term::<u32>(&shape, prime, lengths, *batch, device),
            _ => term_by_term::<u64>(&shape, prime, lengths, *batch, device),
        },
        ProductPlan::Transforms(plan) => plan_counts(&shape, &plan, *terms, *batch, device),
    }
}

/// Refuses what no device holds, so that nothing here is beyond what numbers of 64 bits count.
pub(super) fn countable([batch, each, words]: [usize; 3]) -> Result<(), GpuError> {
    let all = each
        .checked_mul(words)
        .and_then(|all| all.checked_mul(batch));
    match all {
        Some(all) if all >> MOST_LOG_WORDS == 0 => Ok(()),
        _ => Err(GpuError::Shape(format!(
            "{batch} times {each} times {words} words are more than any device holds: up to 2^{MOST_LOG_WORDS} are counted"
        ))),
    }
}

/// The launches of transforms of `batch` vectors of 2^`log_points` points, forward.
///
/// # Errors
/// [`GpuError::Shape`] for more than 2^28 points, and for parameters beyond the device's limits.
///
/// ```
/// use sunzi_gpu::{DeviceInfo, ntt::NttParameters, tuning::transform_counts};
/// let h100 = DeviceInfo::h100();
/// let parameters = NttParameters::for_device::<u32>(&h100, 20, 1);
/// let launches = transform_counts::<u32>(parameters, 20, 1, &h100)?;
/// assert_eq!(launches.len(), 2);
/// assert_eq!(launches[0].bytes, 2 * 4 << 20);
/// # Ok::<(), sunzi_gpu::GpuError>(())
/// ```
pub fn transform_counts<E: ResidueWord>(
    parameters: NttParameters,
    log_points: u32,
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    transforms_of::<E>(
        parameters,
        [log_points as usize, batch],
        Way::Forward,
        device,
    )
}

/// From coefficients to values, or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Forward,
    Back,
}

/// The launches of `batch` transforms of 2^`log_points` points.
pub(super) fn transforms_of<E: ResidueWord>(
    parameters: NttParameters,
    [log_points, batch]: [usize; 2],
    way: Way,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let direction = Transform {
        inverse: way == Way::Back,
        negacyclic: false,
        product: false,
    };
    let plan = NttPlan::new(log_points as u32, parameters.check::<E>(device)?)?;
    // Primes of 31 bits, which take more corrections than shorter ones; of 61 bits, which do not; and doubles.
    transform::<E>(&plan, [batch, 1], direction, E::WORD != 32)
}

/// Multiply-adds of a sum of so many products and its reduction, and of a product alone.
pub(super) fn sum_of<E: ResidueWord>(products: usize) -> u64 {
    let place = size_of::<E>() / 4 - 1;
    let reduction = [PRODUCT_MODULO, WIDE_PRODUCT][place] - TERM[place];
    products as u64 * TERM[place] + reduction
}

/// The launches of `batch` transforms of 2^`log_points` points modulo each of so many primes of 31 bits.
pub(super) fn transforms_of_several(
    log_points: u32,
    [batch, primes]: [usize; 2],
    way: Way,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let parameters = NttParameters::for_device::<u32>(device, log_points, primes);
    let plan = NttPlan::new(log_points, parameters.check::<u32>(device)?)?;
    let direction = Transform {
        inverse: way == Way::Back,
        negacyclic: false,
        product: false,
    };
    transform::<u32>(&plan, [batch, primes], direction, false)
}

/// Multiply-adds of a residue modulo one of the primes of a basis from so many words, and of a number of so many words modulo
/// a number from its residues modulo so many primes.
pub(super) const fn projection(words: usize) -> u64 {
    words as u64 * PRODUCT_MODULO
}
pub(super) const fn recombination(primes: usize) -> u64 {
    let k = primes as u64;
    k * (k - 1) / 2 * PRODUCT_MODULO + k * STEP_MODULO
}

/// The launches of transforms of `batch` vectors modulo each of some primes.
fn transform<E: ResidueWord>(
    plan: &NttPlan,
    [batch, primes]: [usize; 2],
    transform: Transform,
    spare: bool,
) -> Result<Vec<LaunchWork>, GpuError> {
    let (log_points, parameters) = (plan.log_n(), plan.parameters());
    countable([batch, primes, 1 << log_points])?;
    let word = size_of::<E>() as u64;
    let groups = groups(log_points, batch, parameters.log_tile) as usize * primes;
    let count = ((batch * primes) as u64) << log_points;
    let [butterfly, product] = match E::WORD {
        64 if spare => [WIDE_BUTTERFLY, WIDE_PRODUCT],
        64 => [WIDE_PRODUCT; 2],
        53 => [DOUBLE_PRODUCT; 2],
        _ => [PRODUCT_MODULO; 2],
    };
    let launches = passes::<E>(plan, transform, plan.split(log_points), spare);
    let launches = launches.map(|(pass, source)| {
        let multiplies = u64::from(transform.product && pass.shift == 0);
        LaunchWork {
            source,
            kernel: "ntt_pass",
            groups,
            threads: parameters.threads,
            shared_bytes: size_of::<E>() << parameters.log_tile,
            barriers: pass.barriers(&parameters),
            bytes: (2 + multiplies) * count * word,
            multiplications: count * u64::from(pass.levels) * butterfly / 2
                + count * multiplies * product,
        }
    });
    Ok(launches.collect())
}

/// The launch of products of integers of these words, word by word.
fn word_by_word(
    shape: &ProductShape,
    [a, b]: [usize; 2],
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let (kernel, plan) = match shape.word_by_word {
        Some((kernel, plan)) => (kernel, plan.check(kernel, a, b, device)?),
        None => {
            let kernel = IntegerKernel::best(device, a, b);
            (kernel, IntegerPlan::for_device(device, kernel, a, b)?)
        }
    };
    let (barriers, block) = match kernel {
        IntegerKernel::Schoolbook => (2, 1),
        IntegerKernel::Columns => (6, plan.columns),
        #[cfg(feature = "bench")]
        _ => {
            return Err(GpuError::Shape(format!(
                "{} is there for comparison, and what it asks of a device is not counted",
                kernel.name()
            )));
        }
    };
    let met = |words: usize| words.next_multiple_of(block) as u64;
    let count = batch as u64;
    Ok(vec![LaunchWork {
        source: integer_source(kernel, plan, [a, b], device),
        kernel: kernel.name(),
        groups: batch.div_ceil(plan.products_of_group(kernel)),
        threads: plan.threads,
        shared_bytes: plan.local_bytes(kernel, a, b),
        barriers,
        bytes: 8 * (a + b) as u64 * count,
        multiplications: 2 * met(a) * met(b) * count,
    }])
}

/// The launches of products of polynomials of these lengths, term by term.
fn term_by_term<E: ResidueWord>(
    shape: &ProductShape,
    prime: u64,
    [n, m]: [usize; 2],
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let plan = shape.schoolbook::<E>(device, [n, m], batch);
    let plan = plan.check::<E>(device)?;
    let (parts, width, product) = (plan.parts(n, m), plan.width(n, m), n + m - 1);
    countable([batch, parts, width])?;
    let groups = width.div_ceil(plan.threads * EACH) * parts * batch;
    let met = ((groups * plan.threads * EACH) as u64).saturating_mul(plan.rows as u64);
    let written = if parts == 1 { product } else { parts * width };
    let bytes = |words: usize| (size_of::<E>() * batch * words) as u64;
    let source = schoolbook_source::<E>(&plan, leaves_spare_bits::<E>(prime));
    let mut all = vec![LaunchWork {
        source: source.clone(),
        kernel: "schoolbook_parts",
        groups,
        threads: plan.threads,
        shared_bytes: plan.shared_bytes::<E>(),
        barriers: 1,
        bytes: bytes(n + m + written),
        multiplications: met.saturating_mul(TERM[size_of::<E>() / 4 - 1]),
    }];
    if parts > 1 {
        all.push(LaunchWork {
            source,
            kernel: "schoolbook_sums",
            groups: product.div_ceil(plan.threads) * batch,
            threads: plan.threads,
            shared_bytes: 0,
            barriers: 0,
            bytes: bytes(written + product),
            multiplications: 0,
        });
    }
    Ok(all)
}

/// The launches of products of `batch` pairs by transforms, whose operands have so many terms each.
///
/// # Errors
/// [`GpuError::TooFewPrimes`] if there are too few for the plan; [`GpuError::Shape`] if the shape is none for the device,
/// the product has more terms than the plan, or there are more than 2^28 points.
pub fn plan_counts(
    shape: &ProductShape,
    plan: &TransformPlan,
    terms: [usize; 2],
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let shape = shape.check(device)?;
    plan.terms_of_product(terms)?;
    let moduli = plan.primes()?;
    let (primes, residue) = (moduli.len(), plan.residue_words(moduli.len()));
    let wide = plan.own_wide_modulus();
    let vectors = primes.saturating_mul(batch);
    let parameters = shape.ntt(wide.is_some(), plan.log_points, device, vectors);
    let transforms = NttPlan::new(plan.log_points, parameters)?;
    for words in [
        residue,
        plan.left.words,
        plan.right.words,
        plan.finish.words(),
    ] {
        countable([batch, words, plan.points()])?;
    }
    let positions = batch << plan.log_points;
    let threads = shape.threads;
    let independent =
        |source, kernel, groups: usize, words: usize, multiplications: u64| LaunchWork {
            source,
            kernel,
            groups,
            threads,
            shared_bytes: 0,
            barriers: 0,
            bytes: 4 * words as u64,
            multiplications,
        };
    let groups = positions.div_ceil(threads);
    let spare = moduli.iter().all(|&prime| match wide {
        Some(_) => leaves_spare_bits::<u64>(prime),
        None => leaves_spare_bits::<u32>(prime),
    });
    let mut all = Vec::new();
    for (form, terms) in [plan.left, plan.right].into_iter().zip(terms) {
        let (chunks, words) = (project::chunks(primes), batch * terms * form.words);
        if wide.is_some() {
            all.push(independent(
                spread::source(threads, spare),
                "spread",
                groups,
                words + residue * positions,
                (batch * terms) as u64 * WIDE_PRODUCT,
            ));
            continue;
        }
        all.push(independent(
            project::source(threads),
            "project",
            groups * chunks,
            words * chunks + primes * positions,
            primes as u64 * projection(words),
        ));
    }
    let [forward, back] = [false, true].map(|inverse| Transform {
        inverse,
        negacyclic: false,
        product: inverse,
    });
    // Both operands go forward together.
    for (each, vectors) in [(forward, 2 * batch), (back, batch)] {
        let vectors = [vectors, primes];
        all.extend(match wide {
            Some(_) => transform::<u64>(&transforms, vectors, each, spare)?,
            None => transform::<u32>(&transforms, vectors, each, spare)?,
        });
    }
    let (k, values) = (primes as u64, positions as u64);
    if plan.log_points == 0 {
        // A transform of one point is the point, and no pass multiplies it.
        let each = parameters.threads * POINTS_OF_THREAD;
        all.push(LaunchWork {
            threads: parameters.threads,
            ..independent(
                match wide {
                    Some(_) => points_source::<u64>(parameters.threads, spare),
                    None => points_source::<u32>(parameters.threads, spare),
                },
                "pointwise",
                positions.div_ceil(each) * primes,
                3 * residue * positions,
                values * wide.map_or(k * PRODUCT_MODULO, |_| WIDE_PRODUCT),
            )
        });
    }
    let digits = k * (k - 1) / 2 * PRODUCT_MODULO;
    let read = residue * positions;
    if let Some(form) = plan.value_form() {
        let combined = independent(
            combine::words_source(threads, primes, form, device),
            "combine_words",
            groups,
            read + form.words * positions,
            values * (digits + 2 * k * form.words as u64),
        );
        let shared_bytes = form.local_bytes(threads, device);
        all.push(LaunchWork {
            shared_bytes,
            barriers: usize::from(shared_bytes > 0),
            ..combined
        });
    } else if plan.own_modulus().is_none() && wide.is_none() {
        let words = plan.finish.words();
        let value = if words == 1 { "u32" } else { "u64" };
        all.push(independent(
            combine::modulo_source(threads, primes, value),
            "combine_modulo",
            groups,
            read + words * positions,
            values * recombination(primes),
        ));
    }
    if plan.plane_words() > 0 {
        all.extend(carries(&shape, plan, batch, device));
    }
    Ok(all)
}

/// The launches that carry over `batch` products.
fn carries(
    shape: &ProductShape,
    plan: &TransformPlan,
    batch: usize,
    device: &DeviceInfo,
) -> Vec<LaunchWork> {
    let carry = shape.carry(device, plan.points());
    let vector_blocks = plan.points().div_ceil(carry.block());
    let blocks = vector_blocks * batch;
    let launch = |kernel, groups, barriers, words: usize| LaunchWork {
        source: carry_source(CARRY_PLANES, carry),
        kernel,
        groups,
        threads: carry.threads,
        shared_bytes: 0,
        barriers,
        bytes: 4 * words as u64,
        multiplications: 0,
    };
    let words = (CARRY_PLANES + 1) * plan.points() * batch;
    let mut all = vec![launch("carry_words", blocks, 4, words + 2 * blocks)];
    if vector_blocks > 1 {
        let turns = vector_blocks.div_ceil(carry.block());
        all.push(launch("carry_blocks", batch, 3 * turns, 2 * blocks));
        let groups = blocks.div_ceil(carry.threads);
        all.push(launch("carry_into_blocks", groups, 2, 2 * blocks));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::products::{CoefficientForm, Finish};

    fn h100() -> (ProductShape, DeviceInfo) {
        let device = DeviceInfo::h100();
        (ProductShape::for_device(&device), device)
    }

    #[test]
    fn a_product_of_a_million_bits_is_10_launches() {
        let (shape, device) = h100();
        let problem = ProductProblem {
            form: ProductForm::INTEGERS,
            terms: [31250; 2],
            batch: 1,
        };
        let launches = counts(&shape, &problem, &device).unwrap();
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
    fn many_transforms_of_one_tile_take_half_the_bytes() {
        let (shape, device) = h100();
        let form = ProductForm::modulo(469_762_049, 1);
        let of_batch = |batch| {
            let problem = ProductProblem {
                form,
                terms: [1 << 13; 2],
                batch,
            };
            let launches = counts(&shape, &problem, &device).unwrap();
            let passes = launches.iter().filter(|each| each.kernel == "ntt_pass");
            passes.map(|pass| pass.bytes).collect::<Vec<_>>()
        };
        let (one, many) = (of_batch(1), of_batch(1000));
        // Forward both, back one of them, which also reads what it is multiplied by.
        let point = 4 << 14;
        assert_eq!(one, [4, 4, 3, 2].map(|each| each * point));
        assert_eq!(many, [4, 3].map(|each| each * 1000 * point));
    }

    #[test]
    fn a_prime_of_two_words_takes_fewer_bytes_and_products_by_its_own_transforms() {
        let (shape, device) = h100();
        // Of 34 bits, by three primes of 31 otherwise, and of 61, by five.
        for (modulus, most) in [
            ((1 << 34) - (6 << 15) + 1, 15),
            ((1 << 61) - (7 << 32) + 1, 20),
        ] {
            for log_points in 8..=most {
                let terms = [1 << (log_points - 1); 2];
                let form = ProductForm::modulo(modulus, 2);
                let direct = TransformPlan {
                    log_points,
                    left: form.left,
                    right: form.right,
                    bits: form.bits + u64::from(log_points),
                    finish: form.finish,
                };
                assert_eq!(direct.own_wide_modulus(), Some(modulus));
                // Coefficients that might be negative are projected to several primes.
                let signed = CoefficientForm {
                    words: 2,
                    signed: true,
                };
                let several = TransformPlan {
                    left: signed,
                    ..direct
                };
                let sums = |plan: &TransformPlan| {
                    let launches = plan_counts(&shape, plan, terms, 1, &device).unwrap();
                    let bytes: u64 = launches.iter().map(|launch| launch.bytes).sum();
                    let products: u64 = launches.iter().map(|launch| launch.multiplications).sum();
                    [bytes, products]
                };
                let (direct, several) = (sums(&direct), sums(&several));
                assert!(
                    direct.iter().zip(several).all(|(own, other)| *own < other),
                    "{modulus}, 2^{log_points}: {direct:?} {several:?}"
                );
            }
        }
    }

    #[test]
    fn barriers_are_between_steps_and_where_a_tile_comes_or_goes_by_itself() {
        let (_, device) = h100();
        let of = |log_points, vectors| {
            let parameters = NttParameters::for_device::<u32>(&device, log_points, vectors);
            let launches = transform_counts::<u32>(parameters, log_points, vectors, &device);
            let launches = launches.unwrap();
            launches
                .iter()
                .map(|pass| pass.barriers)
                .collect::<Vec<_>>()
        };
        // 8 levels are two steps of rows, 12 are three, whose points are brought out in order.
        assert_eq!(of(20, 1), [1, 3]);
        assert_eq!(of(8, 1), [2]);
        assert_eq!(of(15, 1000), [4]);
    }

    #[test]
    fn what_no_kernel_takes_and_no_device_holds_is_refused() {
        let (shape, device) = h100();
        let refused = |problem: ProductProblem| {
            let refused = counts(&shape, &problem, &device).unwrap_err();
            assert!(
                matches!(refused, GpuError::Shape(_) | GpuError::TooFewPrimes { .. }),
                "{problem:?}: {refused}"
            );
        };
        let usual = ProductProblem {
            form: ProductForm::INTEGERS,
            terms: [64; 2],
            batch: 1000,
        };
        for terms in [[usize::MAX; 2], [1, usize::MAX], [1 << 27; 2]] {
            refused(ProductProblem { terms, ..usual });
        }
        refused(ProductProblem {
            batch: usize::MAX,
            ..usual
        });
        let parameters = NttParameters::for_device::<u32>(&device, 20, 1);
        for (log_points, batch) in [(29, 1), (u32::MAX, 1), (20, usize::MAX)] {
            assert!(transform_counts::<u32>(parameters, log_points, batch, &device).is_err());
        }
        let long = TransformPlan {
            log_points: 60,
            left: usual.form.left,
            right: usual.form.right,
            bits: 80,
            finish: Finish::Carry,
        };
        assert!(plan_counts(&shape, &long, [1; 2], 1, &device).is_err());
        // More terms than the plan has points.
        let short = TransformPlan {
            log_points: 10,
            ..long
        };
        for (terms, fits) in [
            ([512; 2], true),
            ([513, 512], false),
            ([usize::MAX; 2], false),
        ] {
            let counted = plan_counts(&shape, &short, terms, 1, &device);
            assert_eq!(counted.is_ok(), fits, "{terms:?}");
        }
        let none = ProductProblem { batch: 0, ..usual };
        assert!(counts(&shape, &none, &device).unwrap().is_empty());
    }
}
