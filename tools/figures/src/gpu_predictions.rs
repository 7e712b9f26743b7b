//! What computations on an NVIDIA H100 SXM should take, launch by launch, from rates that NVIDIA states and two that are
//! assumed. Nothing is measured: kernels are compiled for the device, which need not be there, to see what they take.

use std::collections::HashMap;

use sunzi_device::nvidia::{Compiler, KernelResources};
use sunzi_device::{Buffer, DeviceInfo, GpuError, LaunchWork, Prediction, Rates, Recorder};
use sunzi_field::AnyField;
use sunzi_field::generalized_fermat::named_prime;
use sunzi_gpu::big_prime::BigPrimeContext;
use sunzi_gpu::determinant::{DeterminantContext, FloatContext, FloatPivoting};
use sunzi_gpu::euclid::{EuclidConfig, EuclidContext};
use sunzi_gpu::ntt::NttParameters;
use sunzi_gpu::products::{
    CoefficientForm, Finish, ProductConfig, ProductForm, ProductProblem, TransformPlan,
};
use sunzi_gpu::tree::SubproductTree;
use sunzi_gpu::tuning::{counts, plan_counts, transform_counts};
use sunzi_gpu::{ResidueWord, Word};
use sunzi_measure::text::{duration, three_digits};

use crate::common::{Failure, head};

/// The datasheet's hertz at which processors work when all of them do.
const CLOCK: f64 = 1.755e9;

/// The greatest prime below 2^61 with transforms of 2^32 points.
const PRIME_61: u64 = (1 << 61) - (7 << 32) + 1;

/// The prime of the papers, of 29 bits.
const PRIME_29: u64 = 469_762_049;

/// The device, what products are computed by, and kernels as they were compiled, by the label of their program.
struct Kernels {
    device: DeviceInfo,
    rates: Rates,
    shape: ProductConfig,
    compiler: Compiler,
    compiled: HashMap<String, Vec<KernelResources>>,
}

/// What launches of one kernel come to.
#[derive(Default)]
struct Sum {
    /// Of the kernels, the least and the most.
    registers: Option<[u32; 2]>,
    /// Groups of a processor, at least.
    resident: Option<usize>,
    prediction: Prediction,
}

pub fn run(_: &[String]) -> Result<(), Failure> {
    let device = DeviceInfo::h100();
    let mut kernels = Kernels {
        shape: ProductConfig::for_device(&device),
        rates: Rates::by_data_sheet(&device, CLOCK).ok_or("a data sheet has a bandwidth")?,
        device,
        compiler: Compiler::any()?,
        compiled: HashMap::new(),
    };
    let (compiler, device) = (kernels.compiler.name(), &kernels.device);
    println!("Compiled by {compiler} for {}.", device.architecture);
    transforms(&mut kernels)?;
    integers(&mut kernels)?;
    products(&mut kernels)?;
    euclid(&mut kernels)?;
    determinants(&mut kernels)?;
    trees(&mut kernels)?;
    big_primes(&mut kernels)
}

fn transforms(kernels: &mut Kernels) -> Result<(), Failure> {
    let device = kernels.device.clone();
    title("points, batch, word");
    for (log_points, batch) in [
        (10, 1),
        (14, 1),
        (18, 1),
        (20, 1),
        (22, 1),
        (24, 1),
        (26, 1),
        (8, 1 << 16),
        (10, 1 << 14),
        (12, 1 << 12),
        (14, 1 << 10),
        (16, 1 << 8),
    ] {
        for (word, launches) in [
            ("31 bits", forward(&device, Word::U32, log_points, batch)?),
            ("61 bits", forward(&device, Word::U64, log_points, batch)?),
            ("doubles", forward(&device, Word::F64, log_points, batch)?),
        ] {
            let what = format!("2^{log_points}, {batch}, {word}");
            kernels.row(&what, "all passes", &launches)?;
        }
    }
    Ok(())
}

/// The launches of transforms as they suit the device.
fn forward(
    device: &DeviceInfo,
    word: Word,
    log_points: u32,
    batch: usize,
) -> Result<Vec<LaunchWork>, GpuError> {
    let parameters = NttParameters::for_device(device, word, log_points, batch);
    transform_counts(parameters, word, log_points, batch, device)
}

fn integers(kernels: &mut Kernels) -> Result<(), Failure> {
    title("words, batch");
    for log_words in 1..=10 {
        let words = 1usize << log_words;
        // Operands of 256 MiB in all.
        let batch = (32 << 20) / words;
        let problem = ProductProblem {
            form: ProductForm::INTEGERS,
            terms: [words; 2],
            batch,
        };
        let launches = counts(&kernels.shape, &problem, &kernels.device)?;
        let what = format!("{words}, 2^{}", batch.ilog2());
        kernels.row(&what, launches[0].kernel, &launches)?;
    }
    Ok(())
}

fn products(kernels: &mut Kernels) -> Result<(), Failure> {
    title("product");
    let form = |words, signed| CoefficientForm { words, signed };
    for power in [6, 7, 8] {
        let bits = 10usize.pow(power);
        let log_points = (2 * bits.div_ceil(32)).next_power_of_two().ilog2();
        let plan = TransformPlan {
            log_points,
            left: form(1, false),
            right: form(1, false),
            bits: 64 + u64::from(log_points),
            finish: Finish::Carry,
        };
        let name = format!("10^{power} by 10^{power} bits");
        parts(kernels, &name, &plan, bits.div_ceil(32), 1)?;
    }
    for (terms, bits, words, batch) in
        [(256, 41, 2, 16384), (1024, 41, 2, 8192), (512, 64, 3, 8192)]
    {
        let log_points = usize::ilog2(2 * terms);
        let bits_of_values = 2 * bits + u64::from(terms.ilog2());
        let out = bits_of_values.div_ceil(32) as usize;
        let plan = TransformPlan {
            log_points,
            left: form(words, true),
            right: form(words, true),
            bits: bits_of_values,
            finish: Finish::Words {
                words: out,
                signed: true,
            },
        };
        let name = format!("{batch} of {terms} terms, {bits} bits");
        parts(kernels, &name, &plan, terms, batch)?;
    }
    for log_terms in [10, 14, 18, 20] {
        let plan = TransformPlan {
            log_points: log_terms + 1,
            left: form(1, false),
            right: form(1, false),
            bits: 62 + u64::from(log_terms),
            finish: Finish::Modulo32(469_762_049),
        };
        let name = format!("2^{log_terms} terms mod p");
        parts(kernels, &name, &plan, 1 << log_terms, 1)?;
    }
    let ways = |log_terms| [(log_terms, false), (log_terms, true)];
    for (log_terms, several) in [10, 14, 18, 20].into_iter().flat_map(ways) {
        // Coefficients that may be negative are computed by primes of 31 bits.
        let plan = TransformPlan {
            log_points: log_terms + 1,
            left: form(2, several),
            right: form(2, several),
            bits: 122 + u64::from(log_terms),
            finish: Finish::Modulo64(PRIME_61),
        };
        let terms = [1 << log_terms; 2];
        let launches = plan_counts(&kernels.shape, &plan, terms, 1, &kernels.device)?;
        let primes = many(plan.primes()?.len(), "prime");
        let name = format!("2^{log_terms} terms mod p of 61 bits; {primes}");
        kernels.row(&name, "**all**", &launches)?;
    }
    Ok(())
}

/// What is computed of a pair.
#[derive(Clone, Copy)]
enum OfPairs {
    Division,
    Gcd,
    Cofactors,
}

/// Division and Euclid's algorithm for as many pairs as processors, and for many short ones; and by rounds.
fn euclid(kernels: &mut Kernels) -> Result<(), Failure> {
    title("coefficients, pairs, word");
    let device = kernels.device.clone();
    for (len, batch) in [(10_001, 132), (1001, 1320), (101, 132_000)] {
        for work in [OfPairs::Division, OfPairs::Gcd, OfPairs::Cofactors] {
            for (word, launches) in [
                ("31 bits", pairs::<u32>(&device, work, len, batch)?),
                ("63 bits", pairs::<u64>(&device, work, len, batch)?),
            ] {
                // More than a group shares is computed by rounds.
                if let [launch] = &launches[..] {
                    kernels.pairs((work, len, batch), word, launch.kernel, &launches)?;
                }
            }
        }
    }
    for batch in [1, 132] {
        for work in [OfPairs::Division, OfPairs::Gcd] {
            let len = 100_001;
            let launches = pairs::<u32>(&device, work, len, batch)?;
            kernels.pairs((work, len, batch), "31 bits", "**all**", &launches)?;
        }
    }
    Ok(())
}

/// The lengths of a pair.
fn lengths(work: OfPairs, len: usize) -> [usize; 2] {
    match work {
        OfPairs::Division => [len, len / 2],
        OfPairs::Gcd | OfPairs::Cofactors => [len; 2],
    }
}

/// The launches for pairs that Euclid's algorithm takes longest for: coprime, and degrees drop by one.
fn pairs<E: ResidueWord>(
    device: &DeviceInfo,
    work: OfPairs,
    len: usize,
    batch: usize,
) -> Result<Vec<LaunchWork>, GpuError> {
    // Of the word's range, with no bits to spare.
    let prime = match size_of::<E>() {
        4 => (1 << 31) - 1,
        _ => (1 << 63) - 25,
    };
    let suited = EuclidConfig::for_device(device, E::WORD, len);
    let config = EuclidConfig {
        pairs: suited.pairs.max(batch),
        ..suited
    };
    let recorder = Recorder::new(device)?;
    let context = EuclidContext::with_config(recorder.device(), E::WORD, prime, config)?;
    let operands = lengths(work, len).map(|len| vec![E::from_residue(1); len]);
    let pairs = vec![operands.each_ref().map(|operand| &operand[..]); batch];
    recorder.launches(|stream| match work {
        OfPairs::Division => context.divide_all(stream, &pairs).map(drop),
        OfPairs::Gcd => context.gcd_all(stream, &pairs).map(drop),
        OfPairs::Cofactors => context.xgcd_all(stream, &pairs).map(drop),
    })
}

/// Determinants of one large matrix, and of as many small ones as processors and more.
fn determinants(kernels: &mut Kernels) -> Result<(), Failure> {
    title("order, matrices, word");
    let device = kernels.device.clone();
    for (order, batch) in [
        (16, 132_000),
        (64, 13_200),
        (160, 1320),
        (1000, 1),
        (1000, 64),
    ] {
        let all = [
            (
                "31 bits",
                of_order(&device, (Word::U32, PRIME_29), order, batch)?,
            ),
            (
                "61 bits",
                of_order(&device, (Word::U64, PRIME_61), order, batch)?,
            ),
        ];
        for (word, launches) in all {
            kernels.row(&format!("{order}, {batch}, {word}"), "**all**", &launches)?;
        }
    }
    let all = [
        (
            "31 bits",
            of_order(&device, (Word::U32, PRIME_29), 4000, 1)?,
        ),
        (
            "61 bits",
            of_order(&device, (Word::U64, PRIME_61), 4000, 1)?,
        ),
    ];
    for (word, launches) in all {
        let what = format!("4000, 1, {word}");
        for name in [
            "determinant_begin",
            "determinant_panel",
            "determinant_solve",
            "determinant_update",
            "determinant_end",
        ] {
            let of_kernel = launches.iter().filter(|launch| launch.kernel == name);
            kernels.row(&what, name, &of_kernel.cloned().collect::<Vec<_>>())?;
        }
        kernels.row(&what, "**all**", &launches)?;
    }
    for (order, batch) in [(800, 1), (64, 1320)] {
        let recorder = Recorder::new(&device)?;
        let context = FloatContext::new(recorder.device())?;
        let matrices = vec![1.0; batch * order * order];
        let pivoting = FloatPivoting::Largest;
        let launches =
            recorder.launches(|stream| context.pivots(stream, pivoting, &matrices, order))?;
        let what = format!("{order}, {batch}, floating point");
        kernels.row(&what, "float_step", &launches)?;
    }
    Ok(())
}

/// The launches of determinants in the way that suits the device.
fn of_order(
    device: &DeviceInfo,
    (word, prime): (Word, u64),
    order: usize,
    batch: usize,
) -> Result<Vec<LaunchWork>, GpuError> {
    let recorder = Recorder::new(device)?;
    let on = recorder.device();
    let context = DeterminantContext::new(on, word, &[prime], order)?;
    let words = |elements| on.buffer::<u32>(elements * word.bytes() / size_of::<u32>());
    let (from, mut to) = (words(batch * order * order)?, words(batch)?);
    recorder.launches(|stream| context.run(stream, (&from, 0), (&mut to, 0), batch))
}

/// Trees over 2^14 to 2^24 points, and what each of them serves.
fn trees(kernels: &mut Kernels) -> Result<(), Failure> {
    title("points, word, work");
    let device = kernels.device.clone();
    for log_points in [14, 17, 20, 24] {
        let narrow = tree::<u32>(&device, PRIME_29, 1 << log_points)?;
        let wide = tree::<u64>(&device, PRIME_61, 1 << log_points)?;
        for (work, both) in OF_TREES.into_iter().zip(narrow.into_iter().zip(wide)) {
            for (word, launches) in [("31 bits", both.0), ("61 bits", both.1)] {
                let what = format!("2^{log_points}, {word}, {work}");
                kernels.row(&what, "**all**", &launches)?;
            }
        }
    }
    // Without roots of unity, and modulo r^k + 1.
    let points = 1 << 20;
    let rootless = tree::<u32>(&device, 1_000_000_007, points)?;
    let [p8, p16] = ["P8", "P16"].map(|prime| element_tree(&device, prime, points));
    let all = rootless.into_iter().zip(p8?.into_iter().zip(p16?));
    for (work, (rootless, (p8, p16))) in OF_TREES.into_iter().zip(all) {
        for (field, launches) in [
            ("30 bits without roots", rootless),
            ("P8", p8),
            ("P16", p16),
        ] {
            kernels.row(&format!("2^20, {field}, {work}"), "**all**", &launches)?;
        }
    }
    Ok(())
}

/// What is done with a tree.
const OF_TREES: [&str; 3] = ["the tree", "evaluation", "interpolation"];

/// The launches of each, modulo a prime of a word.
fn tree<E: ResidueWord>(
    device: &DeviceInfo,
    prime: u64,
    points: usize,
) -> Result<[Vec<LaunchWork>; 3], GpuError> {
    let recorder = Recorder::new(device)?;
    let (on, stream) = (recorder.device(), recorder.stream());
    let vector = on.buffer::<E>(points)?;
    let tree = SubproductTree::new(on, stream, prime, (&vector, 0), points)?;
    on_tree(&recorder, &tree, &vector.cast(), points)
}

/// The same modulo a prime r^k + 1 that has a name.
fn element_tree(
    device: &DeviceInfo,
    prime: &str,
    points: usize,
) -> Result<[Vec<LaunchWork>; 3], GpuError> {
    let field = big_prime(prime)?;
    let recorder = Recorder::new(device)?;
    let (on, stream) = (recorder.device(), recorder.stream());
    let vector = on.buffer::<u64>(points * field.width())?;
    let tree = SubproductTree::of_elements(on, stream, &field, (&vector, 0), points)?;
    on_tree(&recorder, &tree, &vector.cast(), points)
}

/// What made the tree, and what it serves, where a vector is points, coefficients and values; a polynomial was interpolated before.
fn on_tree(
    recorder: &Recorder,
    tree: &SubproductTree,
    vector: &Buffer<u32>,
    points: usize,
) -> Result<[Vec<LaunchWork>; 3], GpuError> {
    let grown = recorder.take();
    let mut to = recorder.device().buffer::<u32>(vector.len())?;
    let evaluated =
        recorder.launches(|stream| tree.evaluate(stream, (vector, 0), points, (&mut to, 0)))?;
    let mut interpolate =
        || recorder.launches(|stream| tree.interpolate(stream, (vector, 0), (&mut to, 0)));
    interpolate()?;
    Ok([grown, evaluated, interpolate()?])
}

/// The field of a prime r^k + 1 that has a name.
fn big_prime(name: &str) -> Result<AnyField, GpuError> {
    let prime = named_prime(name).ok_or_else(|| GpuError::Shape(name.to_owned()))?;
    let field = AnyField::generalized_fermat(prime.radix, prime.digits);
    field.map_err(|error| GpuError::Shape(error.to_string()))
}

/// Transforms of (2k)² or (2k)³ points modulo the named primes of the papers, alone and in batches of 2^26 words.
fn big_primes(kernels: &mut Kernels) -> Result<(), Failure> {
    title("prime, points, batch");
    let device = kernels.device.clone();
    for (name, log_n) in [("P4", 6), ("P8", 12), ("P16", 15), ("P32", 18), ("P64", 18)] {
        let field = big_prime(name)?;
        let together = (1 << 26 >> log_n) / field.width();
        for batch in [1, together] {
            let recorder = Recorder::new(&device)?;
            let on = recorder.device();
            let context = BigPrimeContext::new(on, &field, log_n, batch)?;
            let mut data = on.buffer((batch * field.width()) << log_n)?;
            let launches =
                recorder.launches(|stream| context.forward(stream, (&mut data, 0), batch))?;
            let what = format!("{name}, 2^{log_n}, {batch}");
            kernels.row(&what, "all passes", &launches)?;
        }
    }
    Ok(())
}

/// A number of things.
fn many(count: usize, one: &str) -> String {
    match (count, one) {
        (1, _) => format!("1 {one}"),
        (_, "pass") => format!("{count} passes"),
        _ => format!("{count} {one}s"),
    }
}

/// A row for each kernel of a product, and one for all.
fn parts(
    kernels: &mut Kernels,
    what: &str,
    plan: &TransformPlan,
    terms: usize,
    batch: usize,
) -> Result<(), Failure> {
    let launches = plan_counts(&kernels.shape, plan, [terms; 2], batch, &kernels.device)?;
    let primes = plan.primes()?.len();
    let transforms = launches.iter().filter(|launch| launch.kernel == "ntt_pass");
    // As many there as back.
    let passes = transforms.count() / 2;
    let what = &format!(
        "{what}; {}, {}",
        many(primes, "prime"),
        many(passes, "pass")
    );
    let mut names: Vec<_> = launches.iter().map(|launch| launch.kernel).collect();
    names.dedup();
    for name in names {
        let of_kernel: Vec<_> = launches
            .iter()
            .filter(|launch| launch.kernel == name)
            .cloned()
            .collect();
        kernels.row(what, name, &of_kernel)?;
    }
    kernels.row(what, "**all**", &launches)
}

impl Kernels {
    /// A row for pairs of polynomials.
    fn pairs(
        &mut self,
        (work, len, batch): (OfPairs, usize, usize),
        word: &str,
        kernel: &str,
        launches: &[LaunchWork],
    ) -> Result<(), Failure> {
        let [n, m] = lengths(work, len);
        self.row(&format!("{n} and {m}, {batch}, {word}"), kernel, launches)
    }

    fn sum(&mut self, launches: &[LaunchWork]) -> Result<Sum, Failure> {
        let mut sum = Sum::default();
        let mut seconds = 0.0;
        for launch in launches {
            let kernel = self.kernel(launch)?;
            let [least, most] = sum.registers.unwrap_or([kernel.registers; 2]);
            sum.registers = Some([least.min(kernel.registers), most.max(kernel.registers)]);
            let shared = kernel.shared_bytes as usize;
            let resident = launch.resident(&self.device, kernel.registers, shared);
            sum.resident = Some(sum.resident.map_or(resident, |least| least.min(resident)));
            seconds += launch.seconds(&self.device, &self.rates, resident);
        }
        // The floor is of all that the memory promises.
        let promised = Rates {
            bytes: self.device.bandwidth as f64,
            ..self.rates
        };
        sum.prediction = Prediction::sum(launches, &promised, seconds);
        Ok(sum)
    }

    fn kernel(&mut self, launch: &LaunchWork) -> Result<KernelResources, Failure> {
        let label = launch.source.label();
        if !self.compiled.contains_key(&label) {
            let kernels = self
                .compiler
                .check(&launch.source, &self.device.architecture)?;
            self.compiled.insert(label.clone(), kernels);
        }
        let kernels = self.compiled.get(&label).into_iter().flatten();
        let mut found = kernels.filter(|kernel| kernel.kernel == launch.kernel);
        let found = found
            .next()
            .ok_or("a program has the kernel that is launched")?;
        Ok(found.clone())
    }

    /// Prints what some launches come to.
    fn row(&mut self, what: &str, kernel: &str, launches: &[LaunchWork]) -> Result<(), Failure> {
        let sum = self.sum(launches)?;
        row(what, kernel, &sum);
        Ok(())
    }
}

fn title(first: &str) {
    println!();
    let columns = [
        first,
        "kernel",
        "launches",
        "bytes",
        "multiply-adds",
        "registers",
        "groups a processor",
        "floor",
        "predicted",
    ];
    head(&columns, "--:");
}

fn row(what: &str, kernel: &str, sum: &Sum) {
    let prediction = &sum.prediction;
    let registers = match sum.registers {
        Some([least, most]) if least == most => least.to_string(),
        Some([least, most]) => format!("{least}–{most}"),
        None => String::new(),
    };
    println!(
        "| {what} | {kernel} | {} | {} | {} | {registers} | {} | {} | {} |",
        prediction.launches,
        scaled(prediction.bytes),
        scaled(prediction.multiplications),
        sum.resident.unwrap_or(0),
        duration(prediction.floor),
        duration(prediction.seconds),
    );
}

/// With a power of thousand as a letter.
fn scaled(number: u64) -> String {
    let mut value = number as f64;
    let mut letters = ["", " k", " M", " G"].into_iter();
    let mut letter = letters.next();
    while value >= 999.5 {
        let Some(next) = letters.next() else { break };
        (value, letter) = (value / 1e3, Some(next));
    }
    format!("{}{}", three_digits(value), letter.unwrap_or_default())
}
