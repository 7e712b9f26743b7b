//! The configurations that a problem may sensibly be computed by.
//!
//! What a device takes for products is the sum of its launches and copies, and each field of a configuration is about some of
//! these: so fields are varied one after the other, from what suits the device, and whoever has compared configurations may put the
//! best of each field together. Lengths are powers of two, or as many threads as make one turn, two or four of a tile.

use super::counts::counts_by;
use crate::carry::plan::CarryPlan;
use crate::integer::{IntegerKernel, IntegerPlan};
use crate::ntt::{NttParameters, NttPlan};
use crate::products::plan::ProductPlan;
use crate::products::rows::padded;
use crate::products::{Finish, ProductConfig, ProductForm, ProductProblem, TransformPlan};
use crate::schoolbook::SchoolbookPlan;
use crate::word::Word;
use sunzi_device::{DeviceInfo, DeviceKind, Recorder};

/// Bytes of a tile at least.
const LEAST_TILE_BYTES: usize = 2 << 10;
/// Fewest threads of a group where they are varied.
const FEWEST_THREADS: usize = 32;
/// Passes that may be more than those of what suits the device.
const MORE_PASSES: usize = 1;

/// Configurations for a problem: those that the device takes, each once, [`ProductConfig::for_device`] first.
///
/// Some compute it by another algorithm, where there is one. There are some tens.
///
/// ```
/// use sunzi::gpu::{DeviceInfo, ProductConfig, ProductForm, ProductProblem};
/// use sunzi_gpu::tuning::candidates;
/// let h100 = DeviceInfo::h100();
/// let problem = ProductProblem { form: ProductForm::INTEGERS, terms: [500; 2], batch: 100 };
/// let configs = candidates(&h100, &problem);
/// assert_eq!(configs[0], ProductConfig::for_device(&h100));
/// assert!((10..100).contains(&configs.len()));
/// ```
pub fn candidates(device: &DeviceInfo, problem: &ProductProblem) -> Vec<ProductConfig> {
    let usual = ProductConfig::for_device(device);
    let mut all = vec![usual];
    for config in [usual].into_iter().chain(other_algorithm(&usual, problem)) {
        all.push(config);
        of_algorithm(&config, device, problem, &mut all);
    }
    all.extend([1, 2, 4].map(|slots| ProductConfig { slots, ..usual }));
    all.extend([16 << 20, 256 << 20].map(|slot_bytes| ProductConfig {
        slot_bytes,
        ..usual
    }));
    let mut different: Vec<ProductConfig> = Vec::new();
    let Ok(recorder) = Recorder::new(device) else {
        return different;
    };
    for config in all {
        // Counting is what finds out whether a device takes it, for these lengths too.
        if !different.contains(&config) && counts_by(&recorder, &config, problem).is_ok() {
            different.push(config);
        }
    }
    different
}

/// Parameters of `vectors` transforms of 2^`log_points` points at a time: those that the device takes, each once,
/// [`NttParameters::for_device`] first.
///
/// ```
/// use sunzi::gpu::{DeviceInfo, Word};
/// use sunzi_gpu::tuning::transform_candidates;
/// let all = transform_candidates(&DeviceInfo::h100(), Word::U64, 20, 1);
/// assert!(all.iter().any(|parameters| parameters.log_tile != all[0].log_tile));
/// ```
pub fn transform_candidates(
    device: &DeviceInfo,
    word: Word,
    log_points: u32,
    vectors: usize,
) -> Vec<NttParameters> {
    let usual = NttParameters::for_device(device, word, log_points, vectors);
    let tile = |bytes: usize| (bytes / word.bytes()).max(1).ilog2();
    // A processor's compiler takes long for other programs than the usual one, and its tiles are as good as any.
    let tiles = if device.kind == DeviceKind::Cpu {
        usual.log_tile..=usual.log_tile
    } else {
        tile(LEAST_TILE_BYTES)..=tile(device.shared_memory)
    };
    let mut all = vec![usual];
    for log_tile in tiles {
        for log_radix in [usual.log_radix - 1, usual.log_radix] {
            for turns in [1, 2, 4] {
                let threads = (1usize << log_tile.saturating_sub(log_radix)) / turns;
                all.push(NttParameters {
                    log_tile,
                    log_radix,
                    threads: threads
                        .clamp(FEWEST_THREADS, device.group_threads.max(FEWEST_THREADS)),
                    ..usual
                });
            }
        }
    }
    let passes = |parameters: NttParameters| {
        let plan = NttPlan::new(log_points, parameters);
        plan.map_or(usize::MAX, |plan| plan.passes().len())
    };
    if passes(usual) > 1 {
        all.extend([1, 2, 4].map(|log_columns| NttParameters {
            log_columns,
            ..usual
        }));
        let tables = [12, 15, 18].into_iter();
        let tables = tables.filter(|&log_table| log_table < log_points);
        all.extend(tables.map(|log_table| NttParameters { log_table, ..usual }));
    }
    let most = passes(usual).saturating_add(MORE_PASSES);
    let mut different: Vec<NttParameters> = Vec::new();
    for parameters in all {
        let fits = parameters.check(device, word).is_ok() && passes(parameters) <= most;
        if fits && !different.contains(&parameters) {
            different.push(parameters);
        }
    }
    different
}

/// A configuration by which the problem is computed otherwise, where it can be.
fn other_algorithm(usual: &ProductConfig, problem: &ProductProblem) -> Option<ProductConfig> {
    let ProductProblem { form, terms, .. } = problem;
    let longer = terms[0].max(terms[1]);
    if *form == ProductForm::INTEGERS {
        let most_words = if usual.is_word_by_word(*terms) {
            0
        } else {
            longer
        };
        return Some(ProductConfig {
            most_words,
            ..*usual
        });
    }
    let prime = form.word_prime()?;
    let (most_terms, term_percent) = match ProductPlan::new(form, Some(prime), *terms, usual) {
        ProductPlan::Schoolbook { .. } => (0, usual.term_percent),
        ProductPlan::Transforms(_) => (longer, 0),
    };
    Some(ProductConfig {
        most_terms,
        term_percent,
        ..*usual
    })
}

/// Configurations that compute the problem by the same algorithm as this one.
fn of_algorithm(
    config: &ProductConfig,
    device: &DeviceInfo,
    problem: &ProductProblem,
    all: &mut Vec<ProductConfig>,
) {
    let ProductProblem { form, terms, batch } = problem;
    let lengths = padded([terms[0].max(terms[1]), terms[0].min(terms[1])]);
    if *form == ProductForm::INTEGERS && config.is_word_by_word(*terms) {
        let plans = integer_plans(device, lengths).into_iter();
        all.extend(plans.map(|plan| ProductConfig {
            word_by_word: Some(plan),
            ..*config
        }));
        return;
    }
    match ProductPlan::new(form, form.word_prime(), *terms, config) {
        ProductPlan::Schoolbook { .. } => {
            let usual = config.schoolbook(device, form.finish.word(), lengths, *batch);
            all.extend(schoolbook_plans(usual).map(|plan| ProductConfig {
                term_by_term: Some(plan),
                ..*config
            }));
        }
        ProductPlan::Transforms(plan) => by_transforms(config, device, (&plan, *batch), all),
    }
}

/// Configurations of products by a plan of transforms.
fn by_transforms(
    config: &ProductConfig,
    device: &DeviceInfo,
    (plan, batch): (&TransformPlan, usize),
    all: &mut Vec<ProductConfig>,
) {
    let Ok(primes) = plan.primes() else { return };
    let vectors = primes.len().saturating_mul(batch);
    let word = plan.word();
    let parameters = transform_candidates(device, word, plan.log_points, vectors);
    // The first is what `None` stands for.
    all.extend(parameters.into_iter().skip(1).map(|parameters| {
        let mut config = *config;
        match word {
            Word::U32 => config.transforms = Some(parameters),
            Word::U64 | Word::F64 => config.wide_transforms = Some(parameters),
        }
        config
    }));
    all.extend([64, 128, 256, 512].map(|threads| ProductConfig { threads, ..*config }));
    if plan.finish == Finish::Carry {
        let plans = [128, 256, 512]
            .into_iter()
            .flat_map(|threads| [4, 8, 16].map(|words| CarryPlan { threads, words }));
        let usual = config.carry(device, plan.points());
        all.extend(
            plans
                .filter(|plan| *plan != usual)
                .map(|plan| ProductConfig {
                    carries: Some(plan),
                    ..*config
                }),
        );
    }
}

/// Plans of products term by term, about the usual one.
fn schoolbook_plans(usual: SchoolbookPlan) -> impl Iterator<Item = SchoolbookPlan> {
    let SchoolbookPlan { threads, rows } = usual;
    let rows = [rows / 4, rows / 2, rows, 2 * rows];
    [threads / 2, threads, 2 * threads]
        .into_iter()
        .flat_map(move |threads| {
            rows.map(|rows| SchoolbookPlan {
                threads,
                rows: rows.next_multiple_of(4),
            })
        })
        .filter(move |plan| *plan != usual)
}

/// Kernels of products word by word that may take these lengths, and how they are cut up.
fn integer_plans(device: &DeviceInfo, [a, b]: [usize; 2]) -> Vec<(IntegerKernel, IntegerPlan)> {
    let mut all = Vec::new();
    let best = IntegerKernel::best(device, a, b);
    let usual = |kernel| IntegerPlan::for_device(device, kernel, a, b);
    if let Ok(usual) = usual(IntegerKernel::Schoolbook) {
        for threads in [64, 128, 256] {
            let mut plan = usual;
            plan.threads = threads;
            all.push((IntegerKernel::Schoolbook, plan));
        }
    }
    if let Ok(usual) = usual(IntegerKernel::Columns) {
        for columns in [4, 8, 16] {
            let blocks = a.max(b).div_ceil(columns).next_power_of_two();
            for threads in [64, 128, 256, 512, 1024] {
                let mut plan = usual;
                plan.threads = threads;
                plan.columns = columns;
                // With none, the check would not say that threads are too few.
                plan.products = (threads / blocks).clamp(1, 32);
                all.push((IntegerKernel::Columns, plan));
            }
        }
    }
    // What `None` stands for.
    all.retain(|&(kernel, plan)| kernel != best || usual(kernel) != Ok(plan));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::products::CoefficientForm;
    use sunzi_device::Backend;

    /// One with little of everything.
    fn small_gpu() -> DeviceInfo {
        DeviceInfo {
            backend: Backend::OpenCl,
            memory: 2 << 30,
            largest_buffer: 512 << 20,
            shared_memory: 32 << 10,
            group_threads: 256,
            units: 8,
            ..DeviceInfo::h100()
        }
    }

    /// A processor by OpenCL.
    fn processor() -> DeviceInfo {
        DeviceInfo {
            kind: DeviceKind::Cpu,
            shared_memory: 512 << 10,
            group_threads: 4096,
            units: 2,
            ..small_gpu()
        }
    }

    fn problems() -> Vec<ProductProblem> {
        let coefficients = CoefficientForm {
            words: 2,
            signed: true,
        };
        let over_integers = ProductForm {
            left: coefficients,
            right: coefficients,
            bits: 82,
            finish: Finish::Words {
                words: 3,
                signed: true,
            },
        };
        let forms = [
            ProductForm::INTEGERS,
            over_integers,
            ProductForm::modulo(469_762_049, 1),
            ProductForm::modulo((1 << 31) - 1, 1),
            ProductForm::modulo((1 << 61) - 1, 2),
            ProductForm::modulo((1 << 61) - (7 << 32) + 1, 2),
        ];
        let lengths = [
            [1, 1],
            [3, 200],
            [16, 16],
            [300, 250],
            [9000, 7000],
            [1 << 20, 5],
        ];
        let all = forms.into_iter().flat_map(|form| {
            lengths
                .into_iter()
                .flat_map(move |terms| [1, 100].map(|batch| ProductProblem { form, terms, batch }))
        });
        all.collect()
    }

    #[test]
    fn every_candidate_is_a_config_that_can_be_counted() {
        for device in [DeviceInfo::h100(), small_gpu(), processor()] {
            let recorder = Recorder::new(&device).unwrap();
            for problem in problems() {
                let all = candidates(&device, &problem);
                let usual = ProductConfig::for_device(&device);
                assert_eq!(all.first(), Some(&usual), "{problem:?}");
                assert!((8..100).contains(&all.len()), "{}: {problem:?}", all.len());
                for (index, config) in all.iter().enumerate() {
                    assert!(config.check(&device).is_ok(), "{config:?}");
                    assert!(!all[..index].contains(config), "{config:?} twice");
                    let launches = counts_by(&recorder, config, &problem).unwrap();
                    assert!(!launches.is_empty());
                    for launch in launches {
                        assert!(launch.threads <= device.group_threads, "{launch:?}");
                        assert!(launch.shared_bytes <= device.shared_memory, "{launch:?}");
                        assert!(launch.groups > 0 && launch.bytes > 0, "{launch:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn candidates_are_of_all_algorithms_and_of_tiles_of_all_sizes() {
        let h100 = DeviceInfo::h100();
        let recorder = Recorder::new(&h100).unwrap();
        let kernels = |form, terms| {
            let problem = ProductProblem {
                form,
                terms,
                batch: 10,
            };
            let all = candidates(&h100, &problem);
            let kernels = all.iter().map(|config| {
                let launches = counts_by(&recorder, config, &problem).unwrap();
                launches[0].kernel
            });
            let mut kernels: Vec<_> = kernels.collect();
            kernels.sort_unstable();
            kernels.dedup();
            kernels
        };
        let integers = ProductForm::INTEGERS;
        assert_eq!(
            kernels(integers, [16; 2]),
            ["columns", "project", "schoolbook"]
        );
        assert_eq!(kernels(integers, [1100; 2]), ["columns", "project"]);
        assert_eq!(kernels(integers, [5000; 2]), ["project"]);
        let modulo = ProductForm::modulo(469_762_049, 1);
        for terms in [[20; 2], [200; 2]] {
            assert_eq!(kernels(modulo, terms), ["project", "schoolbook_parts"]);
        }
        let mut tiles: Vec<_> = transform_candidates(&h100, Word::F64, 14, 1)
            .iter()
            .map(|parameters| parameters.log_tile)
            .collect();
        tiles.sort_unstable();
        tiles.dedup();
        assert_eq!(tiles, (8..=14).collect::<Vec<_>>());
    }
}
