//! Where the time of a device goes: times of commands by its events, bytes and products by the descriptions of kernels.
//!
//! NVIDIA's counters need its profiler. What they tell of memory and occupancy is counted here in their place: a kernel's
//! description says what it reads and writes, and how many of its groups a processor has at a time.

use super::polynomials::{Bench, is_too_long, logs};
use super::{Asked, Ours, failed, ms};
use crate::subject::Sample;
use std::time::Instant;
use sunzi::engine::Engine;
use sunzi::field::{AnyField, named_prime};
use sunzi::gpu::{
    BigPrimeContext, CoefficientForm, Device, DeviceInfo, DeviceOptions, Finish, GpuError, Operand,
    ProductConfig, TransformContext, TransformPlan,
};
use sunzi_device::{Command, CommandTime, LaunchWork};
use sunzi_files::failure::Failure;
use sunzi_gpu::integer::{IntegerContext, IntegerKernel};

/// The products of Tables 5.4 and 5.5.
const DIGITS: usize = 256;
const BATCH: usize = 1 << 10;
/// Terms of the factors of Figures 4 and 5, bits of their coefficients (of 4 and of 6 primes of 24 bits), and how many products.
const FACTORS: &[(usize, u32)] = &[
    (256, 41),
    (512, 41),
    (1024, 41),
    (256, 64),
    (512, 64),
    (1024, 64),
];
const PRODUCTS: usize = 2048;
const FEW_PRODUCTS: usize = 16;
/// Streams of Figure 5.
const STREAMS: &[usize] = &[1, 2, 4, 8, 16];

/// The device that was asked for, opened so that it keeps the time of every command.
fn opened(asked: &Asked<'_>, ours: &mut Ours) -> Result<Device, Failure> {
    let options = DeviceOptions {
        keep_times: true,
        ..DeviceOptions::from_env().map_err(failed)?
    };
    let device = Device::open_with(asked.selection()?, &options).map_err(failed)?;
    ours.on(device.info());
    Ok(device)
}

/// The commands of some runs of the work, after one that compiles what is not compiled yet; and how many runs these were.
fn commands(
    asked: &Asked<'_>,
    device: &Device,
    mut work: impl FnMut() -> Result<(), Failure>,
) -> Result<(Vec<CommandTime>, usize), Failure> {
    work()?;
    device.take_times().map_err(failed)?;
    let (clock, mut runs, mut all) = (Instant::now(), 0, Vec::new());
    while runs == 0 || clock.elapsed().as_secs_f64() < asked.seconds {
        work()?;
        // Marks are freed again.
        all.extend(device.take_times().map_err(failed)?);
        runs += 1;
    }
    Ok((all, runs))
}

/// What the launches of one kernel come to.
#[derive(Default)]
struct Launches {
    count: usize,
    seconds: f64,
    bytes: f64,
    multiplications: f64,
    /// Threads that a processor has at a time, of those that it can have, times the seconds.
    occupied: f64,
}

impl Launches {
    fn of<'a>(info: &DeviceInfo, launches: impl Iterator<Item = (&'a LaunchWork, f64)>) -> Self {
        let mut all = Self::default();
        for (launch, seconds) in launches {
            let threads = launch.resident(info, 0, 0) * launch.threads;
            all.count += 1;
            all.seconds += seconds;
            all.bytes += launch.bytes as f64;
            all.multiplications += launch.multiplications as f64;
            // None if the device does not tell how many it can have.
            all.occupied += match info.unit_threads {
                0 => f64::NAN,
                most => seconds * (threads as f64 / most as f64),
            };
        }
        all
    }
}

/// The launches among commands, and their seconds.
fn launches(commands: &[CommandTime]) -> impl Iterator<Item = (&LaunchWork, f64)> {
    commands.iter().filter_map(|took| match &took.command {
        Command::Launch(launch) => Some((launch, took.time.as_secs_f64())),
        _ => None,
    })
}

/// A row for each thing that is told of some kernels, a column each.
fn tell(ours: &mut Ours, info: &DeviceInfo, columns: Vec<Option<(Launches, usize)>>) {
    type Told = fn(&Launches, f64) -> f64;
    let rows: [(&str, Told); 5] = [
        ("launches", |all, runs| all.count as f64 / runs),
        ("time, ms", |all, runs| 1e3 * all.seconds / runs),
        ("read and written, GB/s", |all, _| {
            all.bytes / all.seconds / 1e9
        }),
        ("10^9 multiply-adds/s", |all, _| {
            all.multiplications / all.seconds / 1e9
        }),
        ("achieved occupancy, %", |all, _| {
            1e2 * all.occupied / all.seconds
        }),
    ];
    for (name, told) in rows {
        let values = columns.iter().map(|column| {
            let (all, runs) = column.as_ref()?;
            let value = told(all, *runs as f64);
            value.is_finite().then_some(value)
        });
        ours.push([&name], values.collect());
    }
    ours.notes.push(
        "Times are those of the device's events, the rest is counted: bytes and 32-bit multiply-adds that the kernels' descriptions say, \
         and threads that fit a processor by groups and shared memory."
            .to_owned(),
    );
    if info.unit_threads == 0 {
        ours.notes
            .push("This device does not tell how many threads a processor has.".to_owned());
    }
}

/// Tables 2.3 of 2021 and the profiles of 2017: the kernels of transforms of K^4 points, whose base cases do both: sums and products by
/// powers of r.
pub fn transforms(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["P8F, K^4 points", "P16F, K^4 points"]);
    let device = opened(asked, &mut ours)?;
    let e = if asked.quick { 2 } else { 4 };
    let mut columns = Vec::new();
    for name in ["P8F", "P16F"] {
        let prime = named_prime(name).ok_or_else(|| failed(format!("no prime is named {name}")))?;
        let log = e * (2 * prime.digits).ilog2();
        let field = AnyField::generalized_fermat(prime.radix, prime.digits).map_err(failed)?;
        let found = (|| {
            let context = BigPrimeContext::new(&device, &field, log, 1)?;
            let stream = device.stream()?;
            let mut sample = Sample::new(u64::from(log));
            let digits = (0..prime.digits << log).map(|_| sample.below(prime.radix));
            let mut data = device.filled(&stream, &digits.collect::<Vec<u64>>())?;
            Ok(commands(asked, &device, || {
                context.forward(&stream, (&mut data, 0), 1).map_err(failed)
            }))
        })();
        columns.push(match found {
            Ok(found) => {
                let (commands, runs) = found?;
                Some((Launches::of(device.info(), launches(&commands)), runs))
            }
            Err(error) => left_out(&mut ours, name, &error),
        });
    }
    tell(&mut ours, device.info(), columns);
    Ok(ours)
}

/// Tells why there is no number.
fn left_out<T>(ours: &mut Ours, what: &str, error: &GpuError) -> Option<T> {
    ours.notes.push(format!("{what}: left out: {error}."));
    None
}

/// Tables 5.4 and 5.5: M5Mult, all of which is one kernel here, and the schoolbook kernel that products are computed by.
pub fn integers(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["M5Mult", "schoolbook"]);
    let device = opened(asked, &mut ours)?;
    let count = if asked.quick { 16 } else { BATCH };
    let best = IntegerKernel::best(device.info(), DIGITS, DIGITS);
    let mut columns = Vec::new();
    for kernel in [IntegerKernel::M5, best] {
        let mut sample = Sample::new(DIGITS as u64);
        let found = (|| {
            let context = IntegerContext::new(&device, DIGITS, DIGITS, kernel, None)?;
            let stream = device.stream()?;
            let mut operand =
                || -> Vec<u32> { (0..count * DIGITS).map(|_| sample.word() as u32).collect() };
            let (a, b) = (
                device.filled(&stream, &operand())?,
                device.filled(&stream, &operand())?,
            );
            let mut product = device.buffer::<u32>(2 * DIGITS * count)?;
            Ok(commands(asked, &device, || {
                let to = (&mut product, 0);
                let multiplied = context.multiply(&stream, (&a, 0), (&b, 0), to, count, false);
                multiplied.map_err(failed)
            }))
        })();
        columns.push(match found {
            Ok(found) => {
                let (commands, runs) = found?;
                Some((Launches::of(device.info(), launches(&commands)), runs))
            }
            Err(error) => left_out(&mut ours, kernel.name(), &error),
        });
    }
    tell(&mut ours, device.info(), columns);
    Ok(ours)
}

/// Table 10.4 of 2013: bytes of all kernels of evaluation and interpolation, with a tree of their own, over their time.
pub fn trees(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["evaluation, GB/s", "interpolation, GB/s"]);
    let device = opened(asked, &mut ours)?;
    let mut bench = Bench::by(Engine::on(&device))?;
    let mut last = 0.0;
    for log in logs(asked)? {
        if is_too_long(&mut ours, log, last) {
            break;
        }
        let points = 1_usize << log;
        let places: Vec<u64> = (0..points as u64).collect();
        let f = bench.polynomial(points - 1)?;
        let values = [bench.residues(points)];
        let (engine, ring) = (&bench.engine, &bench.ring);
        let tree = || engine.subproduct_tree(ring, places.clone()).map_err(failed);
        let clock = Instant::now();
        let evaluation = commands(asked, &device, || {
            let batch = tree()?.evaluate_all(&[&f]).map_err(failed)?;
            batch.into_all().map_err(failed).map(drop)
        })?;
        last = clock.elapsed().as_secs_f64();
        let interpolation = commands(asked, &device, || {
            let batch = tree()?.interpolate_all(&values).map_err(failed)?;
            batch.into_all().map_err(failed).map(drop)
        })?;
        let rates = [evaluation, interpolation].map(|(commands, _)| {
            let all = Launches::of(device.info(), launches(&commands));
            (all.seconds > 0.0).then(|| all.bytes / all.seconds / 1e9)
        });
        ours.push([&log], rates.into());
    }
    Ok(ours)
}

/// A batch of products of polynomials with random coefficients of so many bits, of which each stands in two words.
struct Factors {
    plan: TransformPlan,
    pairs: Vec<[Vec<u32>; 2]>,
}

impl Factors {
    fn new(terms: usize, bits: u32, count: usize) -> Self {
        let mut sample = Sample::new(terms as u64 + u64::from(bits));
        let mut factor = || -> Vec<u32> {
            let words = (0..terms).map(|_| sample.word() >> (u64::BITS - bits));
            words
                .flat_map(|word| [word as u32, (word >> 32) as u32])
                .collect()
        };
        let form = CoefficientForm {
            words: 2,
            signed: false,
        };
        let most = 2 * u64::from(bits) + u64::from(terms.next_power_of_two().ilog2());
        Self {
            plan: TransformPlan {
                log_points: (2 * terms - 1).next_power_of_two().ilog2(),
                left: form,
                right: form,
                bits: most,
                finish: Finish::Words {
                    words: most.div_ceil(32) as usize,
                    signed: false,
                },
            },
            pairs: (0..count).map(|_| [factor(), factor()]).collect(),
        }
    }

    fn pairs(&self) -> Vec<[Operand<'_>; 2]> {
        let mut pairs = Vec::with_capacity(self.pairs.len());
        for pair in &self.pairs {
            pairs.push(pair.each_ref().map(|words| Operand::new(words, 2)));
        }
        pairs
    }
}

/// The stages of a product, by the names of kernels.
fn stage(command: &Command) -> usize {
    match command {
        Command::Upload(_) => 0,
        Command::Launch(launch) if launch.kernel.starts_with("spread") => 1,
        Command::Launch(launch) if launch.kernel.starts_with("project") => 1,
        Command::Launch(launch) if launch.kernel.starts_with("combine") => 3,
        Command::Launch(_) | Command::Copy(_) => 2,
        Command::Download(_) => 4,
    }
}

/// Figure 4 of 2009: what the stages of a batch take.
pub fn stages(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&[
        "primes",
        "to the device, ms",
        "residues, ms",
        "transforms, ms",
        "recombination, ms",
        "from the device, ms",
    ]);
    let device = opened(asked, &mut ours)?;
    let count = if asked.quick { FEW_PRODUCTS } else { PRODUCTS };
    for &(terms, bits) in asked.sizes(FACTORS, &FACTORS[..1]) {
        let factors = Factors::new(terms, bits, count);
        let config = ProductConfig {
            slots: 1,
            ..ProductConfig::for_device(device.info())
        };
        let context =
            TransformContext::with_config(&device, factors.plan, config).map_err(failed)?;
        let primes = factors.plan.primes().map_err(failed)?.len();
        let pairs = factors.pairs();
        let (commands, runs) = commands(asked, &device, || {
            context.multiply(&pairs, |_, _| ()).map_err(failed)
        })?;
        let mut seconds = [0.0; 5];
        for took in &commands {
            seconds[stage(&took.command)] += took.time.as_secs_f64() / runs as f64;
        }
        let times = seconds.into_iter().map(ms);
        ours.push(
            [&terms, &bits, &count],
            std::iter::once(Some(primes as f64)).chain(times).collect(),
        );
    }
    Ok(ours)
}

/// Figure 5 of 2009: a batch on so many streams, copies included.
pub fn streams(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["time, ms"]);
    let device = Device::open(asked.selection()?).map_err(failed)?;
    ours.on(device.info());
    let count = if asked.quick { FEW_PRODUCTS } else { PRODUCTS };
    let factors = Factors::new(FACTORS[0].0, FACTORS[0].1, count);
    let pairs = factors.pairs();
    let usual = ProductConfig::for_device(device.info());
    for &slots in asked.sizes(STREAMS, &STREAMS[..2]) {
        let config = ProductConfig { slots, ..usual };
        let context =
            TransformContext::with_config(&device, factors.plan, config).map_err(failed)?;
        context.multiply(&pairs, |_, _| ()).map_err(failed)?;
        let work: sunzi_measure::Work = Box::new(|times: usize| {
            for _ in 0..times {
                // It succeeded before with the same operands.
                let _ = std::hint::black_box(context.multiply(&pairs, |_, _| ()));
            }
        });
        let times = asked.time(&mut [work]);
        ours.push([&slots, &count], vec![ms(times[0])]);
    }
    Ok(ours)
}
