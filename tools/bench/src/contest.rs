//! Transforms modulo one prime r^k + 1 against the other ways to do as much, on one thread.

use super::crossing;
use super::saved::Saved;
use super::series::{Series, Sized};
use super::steps::Steps;
use super::subject::Subject;
use sunzi::Natural;

use serde::Serialize;
use sunzi::{field::NamedPrime, memory::Budget};
use sunzi_cli::door::Table;
use sunzi_dft::crt::LongTransforms;
use sunzi_files::failure::Failure;
use sunzi_files::memory;
use sunzi_measure::text::{duration, three_digits};
use sunzi_measure::{Clock, Work, in_turn};

use super::subject::Sample;

/// Vectors of N elements that all methods together hold, tables included; a generous count.
const VECTORS: u64 = 20;

/// What was measured modulo one prime.
#[derive(Debug, Serialize)]
pub struct Contest {
    pub prime: &'static str,
    pub digits: usize,
    pub bits: usize,
    /// Primes below 2^50 that hold as many bits.
    pub word_primes: usize,
    /// What does the longest transform of (a).
    pub algorithm: String,
    pub methods: Vec<Series>,
    /// Who is ahead from where on.
    pub crossings: Vec<String>,
    pub steps: Vec<Steps>,
    /// What was not measured, and why.
    pub left_out: Vec<String>,
}

/// The sizes of a prime, as powers of two: from k² to k³.
pub fn logs(prime: NamedPrime) -> std::ops::RangeInclusive<u32> {
    let log = prime.digits.ilog2();
    2 * log..=3 * log
}

/// Whether all methods fit half of the free memory, and if not, why.
pub fn fits_memory(prime: NamedPrime, points: usize) -> Result<(), String> {
    let needed = VECTORS * 8 * prime.digits as u64 * points as u64;
    let available = Budget::system().available().unwrap_or(u64::MAX);
    if needed <= available / 2 {
        return Ok(());
    }
    Err(format!(
        "they take about {} of memory, and {} are free",
        memory::shown(needed),
        memory::shown(available)
    ))
}

/// Measures; `next` is told of each size.
pub fn measure(
    prime: NamedPrime,
    subject: &dyn Subject,
    saved: &Saved,
    budget: f64,
    next: &(dyn Fn() + Sync),
) -> Result<Contest, Failure> {
    let modulus = Natural::from(prime.radix).pow(prime.digits) + Natural::ONE;
    let mut contest = Contest {
        prime: prime.name,
        digits: prime.digits,
        bits: modulus.bit_len(),
        word_primes: 0,
        algorithm: String::new(),
        methods: vec![
            Series::new(0, format!("Sunzi modulo {}", prime.name)),
            Series::new(1, "radix 2, Sunzi's arithmetic one element at a time"),
            Series::new(2, "several primes below 2^50"),
        ],
        crossings: Vec::new(),
        steps: Vec::new(),
        left_out: Vec::new(),
    };
    let mut left_out = [false; 3];
    for log in logs(prime) {
        next();
        let points = 1 << log;
        let mut stop = fits_memory(prime, points).err();
        let runs: Vec<usize> = (0..left_out.len())
            .filter(|&i| contest.methods[i].may_double_within(budget))
            .collect();
        if stop.is_none() && runs.first() != Some(&0) {
            stop = Some(format!("one takes longer than {}", duration(budget)));
        }
        if let Some(reason) = stop {
            let note = format!("Transforms of N = {points} and more are left out: {reason}.");
            contest.left_out.push(note);
            break;
        }
        for (i, left_out) in left_out.iter_mut().enumerate() {
            if !runs.contains(&i) && !*left_out {
                *left_out = true;
                contest.left_out.push(format!(
                    "{} is left out from N = {points} on: one transform takes longer than {}.",
                    contest.methods[i].mark,
                    duration(budget)
                ));
            }
        }
        let impossible = |error: &dyn std::fmt::Display| {
            Failure::Computation(format!("{}, N = {points}: {error}", prime.name))
        };
        let mut transform = subject
            .transform(points)
            .map_err(|error| impossible(&error))?;
        let steps = Steps::measure(points as u64, &mut transform, budget / 2.0);
        contest
            .steps
            .push(steps.map_err(|error| impossible(&error))?);
        contest.algorithm = transform.algorithm;
        let mut works = vec![transform.work];
        for &method in &runs[1..] {
            works.push(match method {
                1 => subject.radix_two(points).map_err(|e| impossible(&e))?,
                _ => {
                    let primes = LongTransforms::new(&modulus, points)
                        .map_err(|error| impossible(&error))?;
                    contest.word_primes = primes.contexts().count();
                    contest.methods[2].name = format!(
                        "{} primes below 2^50, with recombination",
                        primes.contexts().count()
                    );
                    over_word_primes(primes, &modulus, points)
                }
            });
        }
        for (method, timing) in runs.iter().zip(in_turn(&mut works, Clock::Wall, budget)) {
            contest.methods[*method].times.push(Sized {
                points: points as u64,
                timing,
            });
        }
    }
    let saved = saved.curves(prime.name, &contest.methods[0], contest.methods.len());
    contest.methods.extend(saved);
    if let Some((own, others)) = contest.methods.split_first() {
        let sentences = others
            .iter()
            .flat_map(|other| crossing::sentence(own, other));
        contest.crossings = sentences.collect();
    }
    Ok(contest)
}

/// Residues, transforms and recombination of seeded integers below the modulus.
pub fn over_word_primes(
    transforms: LongTransforms,
    modulus: &Natural,
    points: usize,
) -> Work<'static> {
    let words = modulus.as_limbs();
    let top = words.last().copied().unwrap_or(0);
    let mut sample = Sample::new(4);
    let mut integers = Vec::with_capacity(words.len() * points);
    for _ in 0..points {
        // Below the modulus, as the limb at the top is below its.
        integers.extend(words[1..].iter().map(|_| sample.word()));
        integers.push(sample.below(top));
    }
    let mut rows = transforms.rows();
    let mut output = vec![0; transforms.width() * points];
    Box::new(move |times: usize| {
        for _ in 0..times {
            transforms.project(&integers, &mut rows);
            let done = transforms.transform(&mut rows);
            debug_assert!(done.is_ok(), "the rows are those of the transforms");
            transforms.recombine(&rows, &mut output);
        }
    })
}

impl Contest {
    /// Times of all methods by size, and their ratios to the first.
    pub fn table(&self) -> Table {
        let others = self.methods.get(1..).unwrap_or_default();
        let mut names = vec!["N".to_owned()];
        names.extend(self.methods.iter().map(|method| method.mark.clone()));
        names.extend(others.iter().map(|method| format!("{}/(a)", method.mark)));
        let mut table = Table::new(names);
        let Some(own) = self.methods.first() else {
            return table;
        };
        for time in &own.times {
            let of = |show: &dyn Fn(f64) -> String, method: &Series| {
                method.at(time.points).map_or_else(|| "-".to_owned(), show)
            };
            let ratio = |seconds: f64| three_digits(seconds / time.timing.median);
            let mut row = vec![time.points.to_string()];
            row.extend(self.methods.iter().map(|method| of(&duration, method)));
            row.extend(others.iter().map(|method| of(&ratio, method)));
            table.push(row);
        }
        table
    }
}
