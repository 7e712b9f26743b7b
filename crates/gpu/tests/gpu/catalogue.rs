//! Every program of the crate: what contexts ask for on a device that only records, for what they are used with.

use std::path::Path;
use std::sync::Arc;
use sunzi_device::{DeviceInfo, GpuError, Launch, Recorder, Source};
use sunzi_field::AnyField;
use sunzi_field::generalized_fermat::named_prime;
use sunzi_field::primality::ntt_primes;
use sunzi_gpu::big_prime::BigPrimeContext;
use sunzi_gpu::determinant::{DeterminantContext, FloatContext};
use sunzi_gpu::digits::{ElementDeterminants, ElementEuclid};
use sunzi_gpu::euclid::EuclidContext;
use sunzi_gpu::integer::{IntegerContext, IntegerKernel};
use sunzi_gpu::internals::CarryContext;
use sunzi_gpu::ntt::{NttContext, NttParameters};
use sunzi_gpu::peak::PeakRates;
use sunzi_gpu::products::{CoefficientForm, Finish, ProductConfig, ProductForm, ProductProblem};
use sunzi_gpu::schoolbook::{SchoolbookContext, SchoolbookPlan};
use sunzi_gpu::tree::{SubproductTree, TreePlan};
use sunzi_gpu::tuning::counts_by;
use sunzi_gpu::{ResidueWord, Word};

/// Bits of primes that leave words bits to spare, and of those that leave none.
const NARROW: [u32; 2] = [29, 31];
const WIDE: [u32; 2] = [61, 63];
const OF_DOUBLES: [u32; 1] = [50];

/// A prime of so many bits with transforms of 2^25 points.
fn prime(bits: u32) -> u64 {
    ntt_primes(bits, 25).next().expect("there are some")
}

/// Points of transforms that are one short pass.
const SHORT: u32 = 8;

/// Transforms of one pass; long ones, whose deepest steps twist, on a GPU with little shared memory, which take three, and on one
/// with much, which take two; and, on the latter, many at a time of one large tile each, modulo the primes that are usual for the
/// word.
fn transforms<E: ResidueWord>(
    bits: &[u32],
    usual: u32,
) -> Result<Vec<Arc<Source<'static>>>, GpuError> {
    let (small, large) = (32 << 10, 227 << 10);
    let log_large = 17 - size_of::<E>().ilog2();
    let mut all = Vec::new();
    for (log_points, vectors, shared_memory) in [
        (SHORT, 1, small),
        (24, 1, small),
        (24, 1, large),
        (log_large, 1 << 10, large),
    ] {
        let info = DeviceInfo {
            shared_memory,
            ..DeviceInfo::h100()
        };
        let recorder = Recorder::new(&info)?;
        let (on, stream) = (recorder.device(), recorder.stream());
        let parameters = NttParameters::for_device(&info, E::WORD, log_points, vectors);
        for &bits in bits.iter().filter(|&&bits| vectors == 1 || bits == usual) {
            let context =
                NttContext::with_parameters(on, E::WORD, &[prime(bits)], log_points, parameters)?;
            let vectors_of = || on.buffer::<E>(vectors << log_points);
            let (mut a, mut b) = (vectors_of()?, vectors_of()?);
            if log_points == SHORT {
                context.convolve_negacyclic(stream, &mut a, 0, &mut b, 0, vectors, vectors)?;
            } else if shared_memory == small {
                context.inverse(stream, &mut a, 0, vectors)?;
            } else {
                context.convolve(stream, &mut a, 0, &mut b, 0, vectors, vectors)?;
            }
        }
        all.extend(recorder.programs());
    }
    Ok(all)
}

/// What is computed modulo a prime of a word in integers, but for transforms.
fn of_word<E: ResidueWord>(
    recorder: &Recorder,
    bits: &[u32],
    rootless: u64,
) -> Result<(), GpuError> {
    let (on, stream) = (recorder.device(), recorder.stream());
    let one = |count: usize| vec![E::from_residue(1); count];
    for prime in bits.iter().map(|&bits| prime(bits)) {
        SchoolbookContext::with_plan(on, E::WORD, prime, 1000, 1000, 1, TERM_BY_TERM)?;
        for order in [128, 1000] {
            DeterminantContext::new(on, E::WORD, &[prime], order)?;
        }
        let (short, long) = (one(1000), one(9000));
        let context = EuclidContext::new(on, E::WORD, prime, 8192)?;
        context.xgcd_all(stream, &[[&short, &short], [&long, &long]])?;
    }
    let point = on.filled(stream, &one(1))?;
    for prime in bits.iter().map(|&bits| prime(bits)).chain([rootless]) {
        for leaf in [64, 128, 256] {
            let plan = TreePlan { points: 1, leaf };
            SubproductTree::with_plan(on, stream, prime, (&point, 0), plan)?;
        }
    }
    Ok(())
}

/// How products are cut term by term.
const TERM_BY_TERM: SchoolbookPlan = SchoolbookPlan {
    threads: 256,
    rows: 512,
};

/// Elements modulo r^k + 1, where digits leave room for carries and where they do not.
fn of_digits(recorder: &Recorder) -> Result<(), GpuError> {
    let (on, stream) = (recorder.device(), recorder.stream());
    let named = |name| named_prime(name).map(|prime| (prime.radix, prime.digits));
    let named = ["P4", "P8", "P16", "P32"].map(|name| named(name).expect("it has this name"));
    let others = [
        ((1 << 16) - (1 << 8) - (1 << 5), 256),
        ((1 << 63) + (1 << 34), 8),
    ];
    for (radix, digits) in named.into_iter().chain(others) {
        let field = AnyField::generalized_fermat(radix, digits);
        let field = field.map_err(|error| GpuError::Shape(error.to_string()))?;
        // As many as all processors take.
        BigPrimeContext::new(on, &field, 4, 1 << 16)?;
        if (radix, digits) == named[1] {
            ElementDeterminants::new(on, &field, 2)?;
            ElementEuclid::new(on, &field)?;
            let point = on.buffer::<u64>(digits)?;
            SubproductTree::of_elements(on, stream, &field, (&point, 0), 1)?;
        }
    }
    Ok(())
}

/// Products of integers and polynomials, word by word and by transforms.
fn products(recorder: &Recorder) -> Result<(), GpuError> {
    use IntegerKernel::{Columns, M5, Naive, OperandScanning, Schoolbook};
    let on = recorder.device();
    for (kernel, a_words, b_words) in [
        (Schoolbook, 1, 1),
        (Schoolbook, 5, 11),
        (Schoolbook, 16, 16),
        (Columns, 16, 16),
        (Columns, 64, 64),
        (Columns, 1024, 1024),
        (Columns, 100, 4096),
        (M5, 64, 64),
        (M5, 1024, 1024),
        (Naive, 64, 64),
        (Naive, 1024, 1024),
        (OperandScanning, 64, 64),
        (OperandScanning, 1024, 1024),
    ] {
        IntegerContext::new(on, a_words, b_words, kernel, None)?;
    }
    for planes in 1..=4 {
        CarryContext::new(on, planes, None)?;
    }
    let config = ProductConfig {
        most_words: 0,
        most_terms: 0,
        ..ProductConfig::for_device(on.info())
    };
    let over_integers = |words: usize| {
        let coefficient = CoefficientForm {
            words,
            signed: true,
        };
        ProductForm {
            left: coefficient,
            right: coefficient,
            bits: 64 * words as u64,
            finish: Finish::Words {
                words: 2 * words + 1,
                signed: true,
            },
        }
    };
    for form in [
        ProductForm::INTEGERS,
        over_integers(2),
        over_integers(18),
        ProductForm::modulo(1_000_000_007, 1),
        ProductForm::modulo((1 << 61) - 1, 2),
        ProductForm::modulo(prime(WIDE[0]), 2),
        ProductForm::modulo(prime(WIDE[1]), 2),
    ] {
        let problem = ProductProblem {
            form,
            terms: [1 << (SHORT - 1); 2],
            batch: 1,
        };
        counts_by(recorder, &config, &problem)?;
    }
    Ok(())
}

/// All of them, each once.
pub fn catalogue() -> Vec<Arc<Source<'static>>> {
    let recorded = || {
        let recorder = Recorder::new(&DeviceInfo::h100())?;
        let on = recorder.device();
        of_word::<u32>(&recorder, &NARROW, (1 << 31) - 1)?;
        of_word::<u64>(&recorder, &WIDE, (1 << 61) - 1)?;
        let of_doubles = prime(OF_DOUBLES[0]);
        SchoolbookContext::with_plan(on, Word::F64, of_doubles, 1000, 1000, 1, TERM_BY_TERM)?;
        of_digits(&recorder)?;
        products(&recorder)?;
        FloatContext::new(on)?;
        // It ends where memory of the host would be copied, with all programs compiled.
        assert!(PeakRates::measure(on).is_err());
        let mut all = recorder.programs();
        all.extend(transforms::<u32>(&NARROW, NARROW[1])?);
        all.extend(transforms::<u64>(&WIDE, WIDE[0])?);
        all.extend(transforms::<f64>(&OF_DOUBLES, OF_DOUBLES[0])?);
        Ok::<_, GpuError>(all)
    };
    let mut all = recorded().expect("a device that records takes everything");
    all.sort_by_cached_key(|source| source.label());
    all.dedup_by_key(|source| source.label());
    all
}

/// The names of kernels in the texts of a folder.
fn kernels_of_texts(folder: &Path, names: &mut Vec<String>) {
    for entry in folder.read_dir().expect("the crate's sources are there") {
        let path = entry.expect("a file or folder").path();
        if path.is_dir() {
            kernels_of_texts(&path, names);
        } else if path.extension().is_some_and(|kind| kind == "cl") {
            let text = std::fs::read_to_string(&path).expect("a text");
            let kernels = text.split("KERNEL ").skip(1);
            names.extend(kernels.filter_map(|kernel| Some(kernel.split_once('(')?.0.to_owned())));
        }
    }
}

#[test]
fn every_kernel_is_recorded() {
    let all = catalogue();
    let recorded: Vec<_> = all.iter().flat_map(|source| source.kernels()).collect();
    let mut names = Vec::new();
    kernels_of_texts(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut names,
    );
    assert!(names.len() > 60, "{}", names.len());
    for name in names {
        let is_recorded = recorded.iter().any(|(kernel, _)| *kernel == name);
        assert!(
            is_recorded,
            "no context here asks for a program with {name}"
        );
    }
}

#[test]
fn every_kernel_is_understood_and_a_launch_takes_it() {
    let mut most = 0;
    for source in catalogue() {
        let kernels = source.kernels();
        assert!(!kernels.is_empty(), "{}", source.name());
        for (kernel, parameters) in kernels {
            let known = parameters.unwrap_or_else(|| panic!("{}: {kernel}", source.name()));
            let [parameters, results] = known;
            assert!(results > 0, "{kernel} has no result");
            assert!(
                parameters <= Launch::MOST_ARGUMENTS,
                "{kernel}: {parameters}"
            );
            most = most.max(parameters);
        }
    }
    assert!(most >= 21, "a pass of a transform has 21, not {most}");
}
