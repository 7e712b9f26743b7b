//! Products and transforms modulo r^k + 1.

use super::counts::{products_of_a_transform, shape};
use super::{Asked, Ours, count, failed, ms, without_gmp};
use crate::contest::{fits_memory, over_word_primes};
use crate::gpu::big_primes::cases;
use crate::gpu::case::Problem;
use crate::gpu::rig::Rig;
use crate::products::BATCH;
use crate::speedup::pool;
use crate::steps::Steps;
use crate::subject::{Subject, subject};
use rayon::ThreadPool;
use sunzi::Natural;
use sunzi::field::{NamedPrime, named_prime};
use sunzi_dft::crt::LongTransforms;
use sunzi_files::failure::Failure;
use sunzi_measure::Work;

/// Numbers of the products by GMP, two for each: as many as those of ours.
#[cfg(feature = "gmp")]
const EXAMPLES: usize = 64;

/// A prime by its name in the registry.
fn prime(name: &dyn ToString) -> Result<NamedPrime, Failure> {
    let name = name.to_string();
    named_prime(&name).ok_or_else(|| failed(format!("no prime is named {name}")))
}

/// A pool of one thread, and one of all.
fn pools() -> Result<[ThreadPool; 2], Failure> {
    Ok([pool(1)?, pool(sunzi_machine::threads::count())?])
}

/// Work that runs in a pool.
fn within<'a>(pool: &'a ThreadPool, mut work: Work<'a>) -> Work<'a> {
    Box::new(move |times: usize| {
        pool.install(|| work.run(times));
    })
}

/// What GMP takes for a product, in a work, and how many products that has.
#[cfg(feature = "gmp")]
fn gmp_products(subject: &dyn Subject) -> Result<Option<(Work<'static>, usize)>, Failure> {
    let example = subject.example(EXAMPLES).map_err(failed)?;
    Ok(Some(super::gmp::products(&example)))
}

#[cfg(not(feature = "gmp"))]
fn gmp_products(_: &dyn Subject) -> Result<Option<(Work<'static>, usize)>, Failure> {
    Ok(None)
}

/// A transform with GMP's numbers that was checked against ours: one more is done, and its steps told.
type Gmp = Box<dyn FnMut() -> Steps + Send>;

/// Makes it, and tells the seconds of its precomputation.
#[cfg(feature = "gmp")]
fn gmp_transform(
    subject: &dyn Subject,
    big_k: usize,
    points: usize,
) -> Result<Option<(Gmp, f64)>, Failure> {
    use super::gmp::{GmpTransform, integer};
    let example = subject.example(points).map_err(failed)?;
    let start = std::time::Instant::now();
    let transform = GmpTransform::new(&example, big_k);
    let seconds = start.elapsed().as_secs_f64();
    let mut x: Vec<_> = example.input.iter().map(integer).collect();
    transform.forward(&mut x);
    if x.iter().zip(&example.output).any(|(x, y)| *x != integer(y)) {
        return Err(failed(format!(
            "GMP's transform of {points} points is another"
        )));
    }
    Ok(Some((Box::new(move || transform.forward(&mut x)), seconds)))
}

#[cfg(not(feature = "gmp"))]
fn gmp_transform(_: &dyn Subject, _: usize, _: usize) -> Result<Option<(Gmp, f64)>, Failure> {
    Ok(None)
}

/// The work of such a transform.
fn repeated<'a>(pool: &'a ThreadPool, transform: &'a mut Gmp) -> Work<'a> {
    Box::new(move |times: usize| {
        for _ in 0..times {
            pool.install(&mut *transform);
        }
    })
}

/// Table 3.2: milliseconds of 10^6 products.
pub fn products(asked: &Asked<'_>) -> Result<Ours, Failure> {
    const MILLION: f64 = 1e6;
    let batch = format!("Sunzi, in batches of {BATCH}, ms");
    let mut ours = Ours::of(&["Sunzi, ms", &batch, "GMP, ms", "Sunzi over GMP"]);
    without_gmp(&mut ours);
    let single = pool(1)?;
    for row in asked.rows(2) {
        let subject = subject(prime(&row[0])?)?;
        let (one, pairs) = subject.products_one_at_a_time();
        let gmp = gmp_products(&*subject)?;
        let counts = [pairs, BATCH, gmp.as_ref().map_or(1, |gmp| gmp.1)];
        let mut works = vec![one, subject.products_in_a_batch(BATCH)];
        works.extend(gmp.map(|gmp| gmp.0));
        let mut works: Vec<Work> = works
            .into_iter()
            .map(|work| within(&single, work))
            .collect();
        let times = asked.time(&mut works).into_iter().zip(counts);
        let times: Vec<f64> = times
            .map(|(time, count)| MILLION * time / count as f64)
            .collect();
        ours.push(
            [&row[0], &row[1]],
            vec![
                ms(times[0]),
                ms(times[1]),
                times.get(2).copied().and_then(ms),
                times.get(2).map(|gmp| times[0] / gmp),
            ],
        );
    }
    Ok(ours)
}

/// Products of which the steps are timed: those of the paper, and in a quick run.
const STEPPED: usize = 1_000_000;
const FEW_STEPPED: usize = 2_000;

/// Table 3.3: milliseconds of the steps of 10^6 products by Algorithm 4.
pub fn product_steps(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&[
        "convolutions, ms",
        "%",
        "CRT, ms",
        "%",
        "division by r, ms",
        "%",
        "normalization, ms",
        "%",
    ]);
    let count = if asked.quick { FEW_STEPPED } else { STEPPED };
    let single = pool(1)?;
    for row in asked.rows(2) {
        let subject = subject(prime(&row[0])?)?;
        let mut all = [0.0; 4];
        // Fewer at a time than memory holds.
        let mut done = 0;
        while done < count {
            let part = FEW_STEPPED.min(count - done);
            let times = single.install(|| subject.product_steps(part));
            let times =
                times.ok_or_else(|| failed(format!("a product modulo {} is wrong", row[0])))?;
            let steps = [
                times.convolutions,
                times.remainders,
                times.division,
                times.normalization,
            ];
            for (all, step) in all.iter_mut().zip(steps) {
                *all += step.as_secs_f64();
            }
            done += part;
        }
        let sum: f64 = all.iter().sum();
        let million = 1e6 / count as f64;
        let values = all
            .into_iter()
            .flat_map(|step| [ms(step * million), Some(100.0 * step / sum)]);
        ours.push([&row[0], &row[1]], values.collect());
    }
    Ok(ours)
}

/// Seconds of transforms: ours and GMP's, on one thread, and on all.
struct Times {
    keys: [String; 3],
    ours: [f64; 2],
    gmp: Option<[f64; 2]>,
}

/// Times the transforms of the rows, unless they need too much memory.
fn measured(asked: &Asked<'_>, ours: &mut Ours) -> Result<Vec<Times>, Failure> {
    without_gmp(ours);
    let pools = pools()?;
    let mut all = Vec::new();
    for row in asked.rows(3) {
        let prime = prime(&row[0])?;
        let (big_k, e) = shape(&row[1], &row[2])?;
        let points = big_k.pow(e);
        if let Err(why) = fits_memory(prime, points) {
            ours.notes
                .push(format!("{}, K^{e}: left out: {why}.", prime.name));
            continue;
        }
        let subject = subject(prime)?;
        let transform = || subject.transform(points).map_err(failed);
        let mut works = vec![
            within(&pools[0], transform()?.work),
            within(&pools[1], transform()?.work),
        ];
        let times = asked.time(&mut works);
        drop(works);
        let gmp = match gmp_transform(&*subject, big_k, points)? {
            None => None,
            Some((mut gmp, _)) => {
                let serial = asked.time(&mut [repeated(&pools[0], &mut gmp)]);
                let parallel = asked.time(&mut [repeated(&pools[1], &mut gmp)]);
                Some([serial[0], parallel[0]])
            }
        };
        all.push(Times {
            keys: [0, 1, 2].map(|place| row[place].to_string()),
            ours: [times[0], times[1]],
            gmp,
        });
    }
    Ok(all)
}

/// Tables 3.4 and 3.5.
pub fn transforms(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&[
        "Sunzi, serial, ms",
        "GMP, serial, ms",
        "ratio",
        "Sunzi, parallel, ms",
        "GMP, parallel, ms",
        "ratio",
    ]);
    for times in measured(asked, &mut ours)? {
        let mut values = Vec::new();
        for place in [0, 1] {
            let (own, gmp) = (times.ours[place], times.gmp.map(|gmp| gmp[place]));
            values.extend([ms(own), gmp.and_then(ms), gmp.map(|gmp| own / gmp)]);
        }
        ours.push_row(times.keys.into(), values);
    }
    Ok(ours)
}

/// Table 3.7.
pub fn speedups(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["Sunzi", "GMP"]);
    for times in measured(asked, &mut ours)? {
        let ratio = |[serial, parallel]: [f64; 2]| serial / parallel;
        let values = vec![Some(ratio(times.ours)), times.gmp.map(ratio)];
        ours.push_row(times.keys.into(), values);
    }
    ours.notes.push(format!(
        "Threads of this machine: {}.",
        sunzi_machine::threads::count()
    ));
    Ok(ours)
}

/// Table 3.6; of the smallest prime in a quick run.
pub fn steps(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&[
        "precomputation, ms",
        "permutation, ms",
        "DFT_K, ms",
        "twiddle, ms",
    ]);
    without_gmp(&mut ours);
    let prime = prime(if asked.quick { &"P4" } else { &"P32" })?;
    let (big_k, subject) = (2 * prime.digits, subject(prime)?);
    let points = big_k.pow(3);
    let mut gmp = gmp_transform(&*subject, big_k, points)?;
    for (mode, pool) in ["serial", "parallel"].into_iter().zip(pools()?) {
        let mut push = |arithmetic: &str, precomputation, steps: Steps| {
            let steps = [steps.permutation, steps.base_case, steps.twiddle].map(ms);
            let values = std::iter::once(ms(precomputation)).chain(steps);
            ours.push([&prime.name, &points, &mode, &arithmetic], values.collect());
        };
        let prepared = pool
            .install(|| subject.precomputation(points))
            .map_err(failed)?;
        let mut transform = subject.transform(points).map_err(failed)?;
        let steps = pool.install(|| Steps::measure(points as u64, &mut transform, asked.seconds));
        let steps = steps.map_err(failed)?;
        // They are told for all threads together; what passes is the time of the transform.
        let all = asked.time(&mut [within(&pool, transform.work)])[0];
        push("by shifts", prepared, steps.scaled_to(all));
        if let Some((gmp, prepared)) = &mut gmp {
            let steps =
                Steps::median_of(asked.seconds, || Ok::<_, Failure>(pool.install(&mut *gmp)));
            push("GMP", *prepared, steps?);
        }
    }
    ours.notes.push(
        "GMP's permutations move pointers to numbers here, and the papers' the numbers themselves; its precomputation makes all N powers of ω."
            .to_owned(),
    );
    Ok(ours)
}

/// Figure 3.1, from the times of both kinds of products and their numbers.
pub fn mean_products(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["ratio to GMP", "of products by powers of r", "of others"]);
    without_gmp(&mut ours);
    let single = pool(1)?;
    let names = ["P4", "P8", "P16", "P32", "P64", "P128"];
    for name in asked.sizes(&names, &names[..2]) {
        let prime = prime(name)?;
        let subject = subject(prime)?;
        let Some((gmp, of_gmp)) = gmp_products(&*subject)? else {
            break;
        };
        let (cheap, rotations) = subject.rotations_one_at_a_time();
        let works = [cheap, subject.products_in_a_batch(BATCH), gmp];
        let mut works: Vec<Work> = works
            .into_iter()
            .map(|work| within(&single, work))
            .collect();
        let times = asked.time(&mut works);
        let counts = [rotations, BATCH, of_gmp];
        let [cheap, general, gmp] = [0, 1, 2].map(|i| times[i] / counts[i] as f64);
        for e in [2, 3] {
            let [few, many] = products_of_a_transform(2 * prime.digits, e);
            let mean = (few * cheap + many * general) / (few + many);
            let ratios = [mean, cheap, general].map(|time| Some(time / gmp));
            ours.push([name, &prime.digits, &e], ratios.into());
        }
    }
    Ok(ours)
}

/// Seconds on one thread of a transform modulo the prime, and of as many bits modulo primes below 2^50, with residues and
/// recombination; nothing if they need too much memory.
fn one_against_words(
    asked: &Asked<'_>,
    ours: &mut Ours,
    prime: NamedPrime,
    e: u32,
) -> Result<Option<[f64; 2]>, Failure> {
    let points = (2 * prime.digits).pow(e);
    if let Err(why) = fits_memory(prime, points) {
        ours.notes
            .push(format!("{}, K^{e}: left out: {why}.", prime.name));
        return Ok(None);
    }
    let modulus = Natural::from(prime.radix).pow(prime.digits) + Natural::ONE;
    let words = LongTransforms::new(&modulus, points).map_err(failed)?;
    let big = subject(prime)?.transform(points).map_err(failed)?;
    let single = pool(1)?;
    let times = asked.time(&mut [
        within(&single, big.work),
        within(&single, over_word_primes(words, &modulus, points)),
    ]);
    Ok(Some([times[0], times[1]]))
}

/// Table 2.5.
pub fn against_words(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&[
        "one big prime, ms",
        "primes below 2^50, ms",
        "big over short",
    ]);
    for row in asked.rows(1) {
        let prime = prime(&row[0])?;
        let times = one_against_words(asked, &mut ours, prime, count(&row[1])? as u32)?;
        if let Some([big, words]) = times {
            ours.push(
                [&row[0], &row[1]],
                vec![ms(big), ms(words), Some(big / words)],
            );
        }
    }
    Ok(ours)
}

/// Tables 2.2 and 2.6.
pub fn on_a_device(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&[
        "device, one big prime, ms",
        "device, k primes of 61 bits, transforms alone, ms",
        "short over big",
        "one core, one big prime, ms",
        "one core, primes below 2^50, ms",
        "core over device, big",
    ]);
    let rig = Rig::open(asked.selection()?, asked.seconds).map_err(failed)?;
    ours.on(rig.device.info());
    for row in asked.rows(1) {
        let prime = prime(&row[0])?;
        let e = count(&row[1])? as u32;
        let log = e * (2 * prime.digits).ilog2();
        let what = format!("a transform of K^{e} points modulo {}", prime.name);
        let [big, short] = match cases(&rig, &prime, log, 1, &what) {
            Ok(cases) => {
                let mut times = cases.into_iter().map(|case| case.timing.median);
                [times.next(), times.next()]
            }
            Err(Problem::Gpu(error)) => {
                ours.notes.push(format!("{what}: left out: {error}."));
                [None; 2]
            }
            Err(Problem::Other(failure)) => return Err(failure),
        };
        let core = one_against_words(asked, &mut ours, prime, e)?;
        let ratio = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
        ours.push(
            [&row[0], &row[1]],
            vec![
                big.and_then(ms),
                short.and_then(ms),
                ratio(short, big),
                core.and_then(|core| ms(core[0])),
                core.and_then(|core| ms(core[1])),
                ratio(core.map(|core| core[0]), big),
            ],
        );
    }
    Ok(ours)
}

/// Figure 2.3.
pub fn shares(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["permutation, %", "base cases, %", "twiddles, %"]);
    let single = pool(1)?;
    let e = if asked.quick { 2 } else { 4 };
    for name in ["P8F", "P16F"] {
        let prime = prime(&name)?;
        let points = (2 * prime.digits).pow(e);
        if let Err(why) = fits_memory(prime, points) {
            ours.notes.push(format!("{name}, K^{e}: left out: {why}."));
            continue;
        }
        let mut transform = subject(prime)?.transform(points).map_err(failed)?;
        let steps = single.install(|| Steps::measure(points as u64, &mut transform, asked.seconds));
        let steps = steps.map_err(failed)?.scaled_to(100.0);
        let shares = [steps.permutation, steps.base_case, steps.twiddle];
        ours.push([&name, &e], shares.map(Some).into());
    }
    Ok(ours)
}
