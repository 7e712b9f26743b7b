//! What computations ask of a device, launch by launch, found without one.
//!
//! Contexts of the crate run on a device that is not there: launches are those that they submit for a whole batch on the
//! device; where a batch from the host is cut into pieces, each piece has as many.

use crate::integer::{IntegerContext, IntegerKernel};
use crate::ntt::{NttContext, NttParameters};
use crate::products::plan::ProductPlan;
use crate::products::rows::padded;
use crate::products::{
    ProductConfig, ProductForm, ProductProblem, ResidentPolynomials, TransformContext,
    TransformPlan,
};
use crate::schoolbook::SchoolbookContext;
use crate::word::Word;
use sunzi_device::{DeviceInfo, GpuError, LaunchWork, Recorder};
use sunzi_field::primality::ntt_primes;

/// Words of operands, and of residues, that are counted at most.
const MOST_LOG_WORDS: u32 = 42;

/// The launches of products by a configuration.
///
/// # Errors
/// [`GpuError::Shape`] if it is none for the device or the lengths, or there are more than 2^28 points;
/// [`GpuError::TooFewPrimes`].
///
/// ```
/// use sunzi::gpu::{DeviceInfo, ProductConfig, ProductForm, ProductProblem};
/// let h100 = DeviceInfo::h100();
/// let config = ProductConfig::for_device(&h100);
/// let problem = ProductProblem { form: ProductForm::INTEGERS, terms: [64; 2], batch: 1000 };
/// let launches = sunzi_gpu::tuning::counts(&config, &problem, &h100)?;
/// assert_eq!((launches.len(), launches[0].kernel, launches[0].bytes), (1, "columns", 1_024_000));
/// # Ok::<(), sunzi::gpu::GpuError>(())
/// ```
pub fn counts(
    config: &ProductConfig,
    problem: &ProductProblem,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    counts_by(&Recorder::new(device)?, config, problem)
}

/// As [`counts`], by a recorder.
///
/// # Errors
/// As there.
pub fn counts_by(
    recorder: &Recorder,
    config: &ProductConfig,
    problem: &ProductProblem,
) -> Result<Vec<LaunchWork>, GpuError> {
    let config = config.check(recorder.info())?;
    let ProductProblem { form, terms, batch } = problem;
    if terms.contains(&0) || *batch == 0 {
        return Ok(Vec::new());
    }
    let [a, b] = *terms;
    for (form, terms) in [(form.left, a), (form.right, b)] {
        countable([*batch, form.words.max(1), terms])?;
    }
    let lengths = padded([a.max(b), a.min(b)]);
    if *form == ProductForm::INTEGERS && config.is_word_by_word(*terms) {
        return word_by_word(recorder, &config, lengths, *batch);
    }
    match ProductPlan::new(form, form.word_prime(), *terms, &config) {
        ProductPlan::Schoolbook { prime } => {
            let of = (form.finish.word(), prime);
            term_by_term(recorder, &config, of, lengths, *batch)
        }
        ProductPlan::Transforms(plan) => by_transforms(recorder, &config, &plan, *terms, *batch),
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
/// use sunzi::gpu::{DeviceInfo, Word};
/// use sunzi_gpu::ntt::NttParameters;
/// use sunzi_gpu::tuning::transform_counts;
/// let h100 = DeviceInfo::h100();
/// let parameters = NttParameters::for_device(&h100, Word::U32, 20, 1);
/// let launches = transform_counts(parameters, Word::U32, 20, 1, &h100)?;
/// assert_eq!(launches.len(), 2);
/// assert_eq!(launches[0].bytes, 2 * 4 << 20);
/// # Ok::<(), sunzi::gpu::GpuError>(())
/// ```
pub fn transform_counts(
    parameters: NttParameters,
    word: Word,
    log_points: u32,
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let points = 1usize.checked_shl(log_points).unwrap_or(usize::MAX);
    countable([batch, points, 1])?;
    // Primes of 31 bits, which take more corrections than shorter ones; of 61 bits, which do not; and doubles.
    let (bits, adicity) = match word {
        Word::U32 => (31, 27),
        Word::U64 => (61, 28),
        Word::F64 => (50, 28),
    };
    let prime = ntt_primes(bits, adicity.max(log_points)).next();
    let prime = prime.ok_or(GpuError::TooFewPrimes {
        bits: bits.into(),
        log_points,
    })?;
    let recorder = Recorder::new(device)?;
    let on = recorder.device();
    let context = NttContext::with_parameters(on, word, &[prime], log_points, parameters)?;
    let mut data = on.buffer::<u32>((batch * word.width()) << log_points)?;
    recorder.launches(|stream| context.forward(stream, &mut data, 0, batch))
}

/// The launch of products of integers of these words, word by word.
fn word_by_word(
    recorder: &Recorder,
    config: &ProductConfig,
    [a, b]: [usize; 2],
    batch: usize,
) -> Result<Vec<LaunchWork>, GpuError> {
    let on = recorder.device();
    let context = match config.word_by_word {
        Some((kernel, plan)) => IntegerContext::new(on, a, b, kernel, Some(plan))?,
        None => IntegerContext::best(on, a, b)?,
    };
    match context.kernel() {
        IntegerKernel::Schoolbook | IntegerKernel::Columns => {}
        #[cfg(feature = "bench")]
        kernel => {
            return Err(GpuError::Shape(format!(
                "{} is there for comparison, and what it asks of a device is not counted",
                kernel.name()
            )));
        }
    }
    let [x, y] = [on.buffer(batch * a)?, on.buffer(batch * b)?];
    let mut to = on.buffer(batch * (a + b))?;
    recorder
        .launches(|stream| context.multiply(stream, (&x, 0), (&y, 0), (&mut to, 0), batch, false))
}

/// The launches of products of polynomials of these lengths, term by term.
fn term_by_term(
    recorder: &Recorder,
    config: &ProductConfig,
    (word, prime): (Word, u64),
    [n, m]: [usize; 2],
    batch: usize,
) -> Result<Vec<LaunchWork>, GpuError> {
    let plan = config.schoolbook(recorder.info(), word, [n, m], batch);
    let plan = plan.check(recorder.info(), word)?;
    countable([batch, plan.parts(n, m), plan.width(n, m)])?;
    let on = recorder.device();
    let context = SchoolbookContext::with_plan(on, word, prime, n, m, batch, plan)?;
    let vectors = |terms| on.buffer::<u32>(batch * terms * word.width());
    let (a, b, mut to) = (vectors(n)?, vectors(m)?, vectors(n + m - 1)?);
    recorder
        .launches(|stream| context.multiply(stream, (&a, 0), (&b, 0), (&mut to, 0), batch, false))
}

/// The launches of products of `batch` pairs by transforms, whose operands have so many terms each.
///
/// # Errors
/// [`GpuError::TooFewPrimes`] if there are too few for the plan; [`GpuError::Shape`] if the configuration is none for the device,
/// the product has more terms than the plan, or there are more than 2^28 points.
pub fn plan_counts(
    config: &ProductConfig,
    plan: &TransformPlan,
    terms: [usize; 2],
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let recorder = Recorder::new(device)?;
    by_transforms(&recorder, &config.check(device)?, plan, terms, batch)
}

fn by_transforms(
    recorder: &Recorder,
    config: &ProductConfig,
    plan: &TransformPlan,
    terms: [usize; 2],
    batch: usize,
) -> Result<Vec<LaunchWork>, GpuError> {
    plan.terms_of_product(terms)?;
    let residue = plan.residue_words(plan.primes()?.len());
    for words in [
        residue,
        plan.left.words,
        plan.right.words,
        plan.finish.words(),
    ] {
        countable([batch, words, plan.points()])?;
    }
    let (on, stream) = (recorder.device(), recorder.stream());
    let context = TransformContext::with_config(on, *plan, *config)?;
    let left = ResidentPolynomials::unfilled(stream, plan.left, batch, terms[0])?;
    let right = ResidentPolynomials::unfilled(stream, plan.right, batch, terms[1])?;
    let mut products = context.prepare_resident(stream, &left, &right)?;
    recorder.launches(|stream| products.run(stream))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::products::{CoefficientForm, Finish};

    fn h100() -> (ProductConfig, DeviceInfo) {
        let device = DeviceInfo::h100();
        (ProductConfig::for_device(&device), device)
    }

    #[test]
    fn a_product_of_a_million_bits_is_10_launches() {
        let (config, device) = h100();
        let problem = ProductProblem {
            form: ProductForm::INTEGERS,
            terms: [31250; 2],
            batch: 1,
        };
        let launches = counts(&config, &problem, &device).unwrap();
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
        let (config, device) = h100();
        let form = ProductForm::modulo(469_762_049, 1);
        let of_batch = |batch| {
            let problem = ProductProblem {
                form,
                terms: [1 << 13; 2],
                batch,
            };
            let launches = counts(&config, &problem, &device).unwrap();
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
        let (config, device) = h100();
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
                    let launches = plan_counts(&config, plan, terms, 1, &device).unwrap();
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
            let parameters = NttParameters::for_device(&device, Word::U32, log_points, vectors);
            let launches = transform_counts(parameters, Word::U32, log_points, vectors, &device);
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
        let (config, device) = h100();
        let refused = |problem: ProductProblem| {
            let refused = counts(&config, &problem, &device).unwrap_err();
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
        let parameters = NttParameters::for_device(&device, Word::U32, 20, 1);
        for (log_points, batch) in [(29, 1), (u32::MAX, 1), (20, usize::MAX)] {
            assert!(transform_counts(parameters, Word::U32, log_points, batch, &device).is_err());
        }
        let long = TransformPlan {
            log_points: 60,
            left: usual.form.left,
            right: usual.form.right,
            bits: 80,
            finish: Finish::Carry,
        };
        assert!(plan_counts(&config, &long, [1; 2], 1, &device).is_err());
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
            let counted = plan_counts(&config, &short, terms, 1, &device);
            assert_eq!(counted.is_ok(), fits, "{terms:?}");
        }
        let none = ProductProblem { batch: 0, ..usual };
        assert!(counts(&config, &none, &device).unwrap().is_empty());
    }
}
