//! What computations on an NVIDIA H100 SXM should take, launch by launch, from rates that NVIDIA states and two that are
//! assumed. Nothing is measured: kernels are compiled for the device, which need not be there, to see what they take.

use std::collections::HashMap;

use sunzi_device::nvidia::{Compiler, KernelResources};
use sunzi_device::{DeviceInfo, GpuError};
use sunzi_device::{LaunchWork, Prediction, Rates};
use sunzi_field::generalized_fermat::named_prime;
use sunzi_gpu::ResidueWord;
use sunzi_gpu::big_prime::BigPrimeShape;
use sunzi_gpu::determinant::DeterminantPlan;
use sunzi_gpu::euclid::EuclidShape;
use sunzi_gpu::ntt::NttParameters;
use sunzi_gpu::products::{
    CoefficientForm, Finish, ProductForm, ProductProblem, ProductShape, TransformPlan,
};
use sunzi_gpu::tree::TreePlan;
use sunzi_gpu::tuning::{
    EuclidWork, TreeWork, big_prime_counts, counts, determinant_counts, element_tree_counts,
    euclid_counts, euclid_round_counts, float_determinant_counts, plan_counts, transform_counts,
    tree_counts,
};
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
    shape: ProductShape,
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
        shape: ProductShape::for_device(&device),
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
            ("31 bits", forward::<u32>(&device, log_points, batch)?),
            ("61 bits", forward::<u64>(&device, log_points, batch)?),
            ("doubles", forward::<f64>(&device, log_points, batch)?),
        ] {
            let what = format!("2^{log_points}, {batch}, {word}");
            kernels.row(&what, "all passes", &launches)?;
        }
    }
    Ok(())
}

/// The launches of transforms as they suit the device.
fn forward<E: ResidueWord>(
    device: &DeviceInfo,
    log_points: u32,
    batch: usize,
) -> Result<Vec<LaunchWork>, GpuError> {
    let parameters = NttParameters::for_device::<E>(device, log_points, batch);
    transform_counts::<E>(parameters, log_points, batch, device)
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

/// Division and Euclid's algorithm for as many pairs as processors, and for many short ones.
fn euclid(kernels: &mut Kernels) -> Result<(), Failure> {
    title("coefficients, pairs, word");
    for (len, batch) in [(10_001, 132), (1001, 1320), (101, 132_000)] {
        for work in [EuclidWork::Division, EuclidWork::Gcd, EuclidWork::Cofactors] {
            let lengths = match work {
                EuclidWork::Division => [len, len / 2],
                EuclidWork::Gcd | EuclidWork::Cofactors => [len; 2],
            };
            for (word, launch) in [
                (
                    "31 bits",
                    pairs::<u32>(&kernels.device, work, lengths, batch),
                ),
                (
                    "63 bits",
                    pairs::<u64>(&kernels.device, work, lengths, batch),
                ),
            ] {
                match launch {
                    Ok(launch) => {
                        let what = format!("{} and {}, {batch}, {word}", lengths[0], lengths[1]);
                        kernels.row(&what, launch.kernel, std::slice::from_ref(&launch))?;
                    }
                    // More than a group shares: such pairs are for the processor.
                    Err(GpuError::Limits { .. }) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
    }
    // By rounds.
    let device = kernels.device.clone();
    for batch in [1, 132] {
        for work in [EuclidWork::Division, EuclidWork::Gcd] {
            let len = 100_001;
            let lengths = match work {
                EuclidWork::Division => [len, len / 2],
                EuclidWork::Gcd | EuclidWork::Cofactors => [len; 2],
            };
            let shape = EuclidShape::for_device::<u32>(&device, len);
            let launches = euclid_round_counts::<u32>(shape, work, lengths, batch, &device)?;
            let what = format!("{} and {}, {batch}, 31 bits", lengths[0], lengths[1]);
            kernels.row(&what, "**all**", &launches)?;
        }
    }
    Ok(())
}

fn pairs<E: ResidueWord>(
    device: &DeviceInfo,
    work: EuclidWork,
    lengths: [usize; 2],
    batch: usize,
) -> Result<LaunchWork, GpuError> {
    let shape = EuclidShape::for_device::<E>(device, lengths[0]);
    euclid_counts::<E>(shape, work, lengths, batch, device)
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
            ("31 bits", of_order::<u32>(&device, PRIME_29, order, batch)?),
            ("61 bits", of_order::<u64>(&device, PRIME_61, order, batch)?),
        ];
        for (word, launches) in all {
            kernels.row(&format!("{order}, {batch}, {word}"), "**all**", &launches)?;
        }
    }
    let all = [
        ("31 bits", of_order::<u32>(&device, PRIME_29, 4000, 1)?),
        ("61 bits", of_order::<u64>(&device, PRIME_61, 4000, 1)?),
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
        let launches = float_determinant_counts(order, batch, &device)?;
        let what = format!("{order}, {batch}, floating point");
        kernels.row(&what, "float_step", &launches)?;
    }
    Ok(())
}

/// The launches of determinants in the way that suits the device.
fn of_order<E: ResidueWord>(
    device: &DeviceInfo,
    prime: u64,
    order: usize,
    batch: usize,
) -> Result<Vec<LaunchWork>, GpuError> {
    let plan = DeterminantPlan::for_device::<E>(device, order);
    determinant_counts::<E>(plan, prime, order, batch, device)
}

/// Trees over 2^14 to 2^24 points, and what each of them serves.
fn trees(kernels: &mut Kernels) -> Result<(), Failure> {
    title("points, word, work");
    let device = kernels.device.clone();
    for log_points in [14, 17, 20, 24] {
        let plan = TreePlan::for_device(&device, 1 << log_points);
        for (name, work) in [
            ("the tree", TreeWork::Preparation),
            ("evaluation", TreeWork::Evaluation),
            ("interpolation", TreeWork::Interpolation),
        ] {
            for (word, launches) in [
                (
                    "31 bits",
                    tree_counts::<u32>(plan, PRIME_29, work, &device)?,
                ),
                (
                    "61 bits",
                    tree_counts::<u64>(plan, PRIME_61, work, &device)?,
                ),
            ] {
                let what = format!("2^{log_points}, {word}, {name}");
                kernels.row(&what, "**all**", &launches)?;
            }
        }
    }
    // Without roots of unity, and modulo r^k + 1.
    let points = 1 << 20;
    let plan = TreePlan::for_device(&device, points);
    for (name, work) in [
        ("the tree", TreeWork::Preparation),
        ("evaluation", TreeWork::Evaluation),
        ("interpolation", TreeWork::Interpolation),
    ] {
        let launches = tree_counts::<u32>(plan, 1_000_000_007, work, &device)?;
        let what = format!("2^20, 30 bits without roots, {name}");
        kernels.row(&what, "**all**", &launches)?;
        for prime in ["P8", "P16"] {
            let named = named_prime(prime).ok_or_else(|| GpuError::Shape(prime.to_owned()))?;
            let of = (named.radix, named.digits);
            let launches = element_tree_counts(points, of, work, &device)?;
            kernels.row(&format!("2^20, {prime}, {name}"), "**all**", &launches)?;
        }
    }
    Ok(())
}

/// Transforms of (2k)² or (2k)³ points modulo the named primes of the papers, alone and in batches of 2^26 words.
fn big_primes(kernels: &mut Kernels) -> Result<(), Failure> {
    title("prime, points, batch");
    let device = kernels.device.clone();
    for (name, log_n) in [("P4", 6), ("P8", 12), ("P16", 15), ("P32", 18), ("P64", 18)] {
        let prime = named_prime(name).ok_or_else(|| GpuError::Shape(name.to_owned()))?;
        let together = (1 << 26 >> log_n) / prime.digits;
        for batch in [1, together] {
            let of = (prime.radix, prime.digits);
            let shape = BigPrimeShape::for_device(&device, prime.digits, log_n, batch);
            let launches = big_prime_counts(shape, of, log_n, batch, &device)?;
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
