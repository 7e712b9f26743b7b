//! How well the lengths that are measured on this processor choose among algorithms.
//!
//!     cargo run --release -p sunzi --example thresholds [-- quick]
//!
//! For each kind of product and tree, at sizes a quarter of an octave apart: the time of the algorithm that is chosen by measured
//! thresholds over the least of all algorithms, and over the time by built-in thresholds. Works are timed in turn, on one thread.

use std::hint::black_box;

use sunzi::poly::{
    Algorithm, AnyPolyRing, CoefficientField, IntegerPolyRing, Poly, PolyRing, SubproductTree,
    Thresholds,
};
use sunzi::tune::{Effort, ProcessorTuning, Work};
use sunzi::{
    Integer,
    field::{AnyField, Fp32, Fp64},
    integer::{Algorithm as OfIntegers, Multiplier},
};

type Failure = Box<dyn std::error::Error>;

/// How works are timed that are not hopeless, and how these are found.
const CAREFULLY: Effort = Effort {
    rounds: 41,
    seconds: 2e-4,
};
const ONCE: Effort = Effort {
    rounds: 2,
    seconds: 2e-5,
};
/// What takes longer than this times another algorithm is not timed.
const HOPELESS: f64 = 3.0;

/// Logarithms of the two ratios, for sizes.
#[derive(Default)]
struct Judgement {
    to_best: Vec<f64>,
    to_built_in: Vec<f64>,
}

impl Judgement {
    /// Times the algorithms, of which `chosen` is taken, and the built-in choice.
    fn add<'a>(&mut self, mut algorithms: Vec<Work<'a>>, chosen: usize, built_in: Work<'a>) {
        let once = ONCE.seconds_of(&mut algorithms);
        let least = once.iter().copied().fold(f64::INFINITY, f64::min);
        let mut works = vec![built_in];
        let mut place = None;
        for (index, work) in algorithms.into_iter().enumerate() {
            if index == chosen {
                place = Some(works.len());
            } else if once[index] > HOPELESS * least {
                continue;
            }
            works.push(work);
        }
        let seconds = CAREFULLY.seconds_of(&mut works);
        let best = seconds[1..].iter().copied().fold(f64::INFINITY, f64::min);
        let own = place.map_or(f64::NAN, |place| seconds[place]);
        self.to_best.push((own / best).ln());
        self.to_built_in.push((own / seconds[0]).ln());
    }

    fn print(&self, name: &str) {
        let mean = |logs: &[f64]| (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        let worst = |logs: &[f64]| logs.iter().copied().fold(f64::NEG_INFINITY, f64::max).exp();
        println!(
            "{name:<44}{:>6}{:>9.3}{:>9.3}{:>9.3}{:>9.3}",
            self.to_best.len(),
            mean(&self.to_best),
            worst(&self.to_best),
            mean(&self.to_built_in),
            worst(&self.to_built_in)
        );
    }

    fn join(&mut self, other: Self) {
        self.to_best.extend(other.to_best);
        self.to_built_in.extend(other.to_built_in);
    }
}

/// Sizes a quarter of an octave apart.
fn sizes(from: usize, to: usize) -> Vec<usize> {
    let size =
        |quarters: i32| (from as f64 * 2f64.powf(f64::from(quarters) / 4.0)).round() as usize;
    (0..).map(size).take_while(|&size| size <= to).collect()
}

fn words(length: usize, salt: u64) -> Vec<u64> {
    let word = |index: u64| (index + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 << 63;
    (1..=length as u64).map(word).collect()
}

/// Work of whatever type.
fn work<'a>(once: impl FnMut() + 'a) -> Work<'a> {
    Box::new(once)
}

fn integers(tuning: &ProcessorTuning) -> Judgement {
    let (tuned, usual) = (tuning.multiplier(), Multiplier::new());
    let mut judged = Judgement::default();
    for n in sizes(10, 1 << 12) {
        let (a, b) = (&words(n, 0), &words(n, 1 << 20));
        let by = |multiplier: &Multiplier, algorithm: OfIntegers| {
            let mut product = vec![0; 2 * n];
            multiplier.mul_with(algorithm, &mut product, a, b).is_ok()
        };
        let available: Vec<_> = OfIntegers::ALL
            .into_iter()
            .filter(|&algorithm| by(&tuned, algorithm))
            .collect();
        let chosen = tuned.plan(n, n).algorithm();
        let chosen = available.iter().position(|&algorithm| algorithm == chosen);
        let mut products = vec![vec![0; 2 * n]; available.len()];
        let tuned = &tuned;
        let algorithms = available
            .iter()
            .zip(&mut products)
            .map(|(&algorithm, product)| {
                work(move || {
                    black_box(tuned.mul_with(algorithm, product, a, b).is_ok());
                })
            });
        let algorithms = algorithms.collect();
        let mut product = vec![0; 2 * n];
        let usual = &usual;
        let as_ever = usual.plan(n, n).algorithm();
        let built_in = work(move || {
            black_box(usual.mul_with(as_ever, &mut product, a, b).is_ok());
        });
        judged.add(algorithms, chosen.unwrap_or(0), built_in);
    }
    judged
}

fn over_field<F: CoefficientField>(tuned: &PolyRing<F>) -> Judgement {
    let usual = &PolyRing::new(tuned.field().clone());
    let mut judged = Judgement::default();
    for n in sizes(10, 1 << 11) {
        let elements = |salt| -> Vec<F::Elem> {
            let words = words(n, salt).into_iter();
            words.map(|word| tuned.field().from_u64(word)).collect()
        };
        let (a, b) = (&elements(0), &elements(1 << 20));
        let plans = Algorithm::ALL.map(|algorithm| tuned.plan_with(algorithm, n, n).is_ok());
        let available: Vec<_> = Algorithm::ALL
            .into_iter()
            .zip(plans)
            .filter(|of| of.1)
            .collect();
        let chosen = tuned.plan(n, n).algorithm;
        let chosen = available.iter().position(|of| of.0 == chosen);
        let room = || vec![tuned.field().zero(); 2 * n - 1];
        let algorithms = available.iter().map(|&(algorithm, _)| {
            let mut product = room();
            work(move || {
                black_box(tuned.mul_slices_with(algorithm, &mut product, a, b).is_ok());
            })
        });
        let algorithms = algorithms.collect();
        let mut product = room();
        let as_ever = usual.plan(n, n).algorithm;
        let built_in = work(move || {
            black_box(usual.mul_slices_with(as_ever, &mut product, a, b).is_ok());
        });
        judged.add(algorithms, chosen.unwrap_or(0), built_in);
    }
    judged
}

/// Over Z, with coefficients of so many bits.
fn over_z(tuning: &ProcessorTuning, bits: u32) -> Judgement {
    let (tuned, usual) = (&tuning.integer_polys(), &IntegerPolyRing::new());
    let mut judged = Judgement::default();
    for n in sizes(6, 1 << 10) {
        let poly = |salt| -> Poly<Integer> {
            let words = words(n, salt).into_iter();
            Poly::new(
                words
                    .map(|word| Integer::from(word >> (64 - bits)))
                    .collect(),
            )
        };
        let (a, b) = (&poly(0), &poly(1 << 20));
        let available: Vec<_> = Algorithm::ALL
            .into_iter()
            .filter(|&algorithm| tuned.plan_with(algorithm, a, b).is_ok())
            .collect();
        let chosen = tuned.plan(a, b).algorithm;
        let chosen = available.iter().position(|&algorithm| algorithm == chosen);
        let algorithms = available.iter().map(|&algorithm| {
            work(move || {
                black_box(tuned.mul_with(algorithm, a, b).is_ok());
            })
        });
        let algorithms = algorithms.collect();
        let as_ever = usual.plan(a, b).algorithm;
        let built_in = work(move || {
            black_box(usual.mul_with(as_ever, a, b).is_ok());
        });
        judged.add(algorithms, chosen.unwrap_or(0), built_in);
    }
    judged
}

/// Trees, built, evaluated and interpolated by; algorithms are leaves of 4 to 1024 points.
fn trees<F: CoefficientField>(tuned: &PolyRing<F>) -> Judgement {
    let usual = &PolyRing::new(tuned.field().clone());
    let mut judged = Judgement::default();
    for n in sizes(64, 1 << 12).into_iter().step_by(2) {
        let elements = |salt| -> Vec<F::Elem> {
            let words = words(n, salt).into_iter();
            words.map(|word| tuned.field().from_u64(word)).collect()
        };
        let (points, f) = (&elements(0), &Poly::new(elements(1 << 20)));
        let of = |ring: PolyRing<F>| {
            work(move || {
                let tree = SubproductTree::new(&ring, points);
                let values = tree.and_then(|tree| tree.interpolate(&tree.evaluate(f)?));
                black_box(values.is_ok());
            })
        };
        let leaves = 2..=10;
        let chosen = leaves
            .clone()
            .position(|log| log == tuned.thresholds().leaf_log);
        let algorithms = leaves.map(|leaf_log| {
            let thresholds = tuned.thresholds();
            of(tuned.clone().with_thresholds(Thresholds {
                leaf_log,
                ..thresholds
            }))
        });
        let algorithms = algorithms.collect();
        judged.add(algorithms, chosen.unwrap_or(0), of(usual.clone()));
    }
    judged
}

fn typed<F: CoefficientField + sunzi::field::Rows>(
    ring: &AnyPolyRing,
) -> Result<&PolyRing<F>, Failure> {
    Ok(ring
        .over::<F>()
        .ok_or("the prime belongs to another field")?)
}

fn run() -> Result<(), Failure> {
    let effort = match std::env::args().nth(1).as_deref() {
        Some("quick") => Effort::QUICK,
        _ => Effort::THOROUGH,
    };
    let start = std::time::Instant::now();
    let tuning = ProcessorTuning::measure(&effort)?;
    println!(
        "{}, measured in {:.1} s",
        tuning.processor(),
        start.elapsed().as_secs_f64()
    );
    for found in tuning.thresholds() {
        println!(
            "  {:<44}{:<28}{:>6}  (built in: {})",
            found.of, found.algorithm, found.measured, found.built_in
        );
    }
    println!(
        "\n{:<44}{:>6}{:>18}{:>18}",
        "", "", "to the best", "to built-in"
    );
    println!(
        "{:<44}{:>6}{:>9}{:>9}{:>9}{:>9}",
        "", "sizes", "mean", "worst", "mean", "worst"
    );
    let mut all = Judgement::default();
    let mut judge = |name: &str, judged: Judgement| {
        judged.print(name);
        all.join(judged);
    };
    let ring = |prime: u64| -> Result<AnyPolyRing, Failure> {
        Ok(tuning.ring(&AnyField::modulo_word(prime)?))
    };
    judge("integers", integers(&tuning));
    for bits in [24, 60] {
        judge(&format!("over Z, {bits} bits"), over_z(&tuning, bits));
    }
    for (prime, kind) in [(469_762_049, "with transforms"), ((1 << 31) - 1, "without")] {
        let ring = ring(prime)?;
        let ring = typed::<Fp32>(&ring)?;
        judge(&format!("modulo {prime}, {kind}"), over_field(ring));
        judge(&format!("trees modulo {prime}"), trees(ring));
    }
    for (prime, kind) in [
        ((1 << 60) - (1 << 18) + 1, "with transforms"),
        ((1 << 61) - 1, "without"),
    ] {
        let ring = ring(prime)?;
        let ring = typed::<Fp64>(&ring)?;
        judge(&format!("modulo {prime}, {kind}"), over_field(ring));
        judge(&format!("trees modulo {prime}"), trees(ring));
    }
    all.print("all");
    Ok(())
}

fn main() -> Result<(), Failure> {
    // One thread, as where many products are computed at a time.
    let pool = sunzi::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| run().map_err(|error| error.to_string()))?;
    Ok(())
}
