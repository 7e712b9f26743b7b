//! Products of integers through transforms modulo a prime r^k + 1 beside those through transforms modulo three primes of a
//! word: multiplications of words and times, by length.
//!
//! Sizes are logarithms of the bits of both operands. `--primes` compares the primes with each other, on one thread.

use std::iter::once;

use sunzi_dft::crt::ProductPlan;
use sunzi_field::generalized_fermat::NAMED;
use sunzi_field::{Digits, GeneralizedFermat, with_digits};
use sunzi_integer::fermat::{FermatPlan, FermatProducts};
use sunzi_integer::{Algorithm, Multiplier};
use sunzi_measure::{Clock, Work, in_turn, text};
use sunzi_poly::{Algorithm as OfPolynomials, PolyRing};

use crate::common::{Failure, Random, head, numbers_or};

/// Seconds for all times of a row.
const BUDGET: f64 = 0.4;
/// Primes of the transforms beside which these are set.
const PRIMES: usize = 3;
/// Bits of their coefficients beyond 2^21 limbs.
const SHORT_DIGIT: usize = 56;

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let (flags, sizes): (Vec<_>, Vec<_>) = arguments
        .iter()
        .cloned()
        .partition(|text| text == "--primes");
    let sizes = numbers_or(
        &sizes,
        "a logarithm of a number of bits",
        &[10u32, 12, 14, 16, 18, 20, 22, 24, 26],
    )?;
    match flags.is_empty() {
        true => beside_three_primes(&sizes),
        false => by_prime(&sizes),
    }
}

/// Operands of 2^log bits.
fn operands(log: u32) -> [Vec<u64>; 2] {
    let limbs = (1usize << log) / 64;
    let mut random = Random::new();
    [0, 1].map(|_| {
        (0..limbs)
            .map(|_| random.word() ^ random.word() >> 32)
            .collect()
    })
}

fn beside_three_primes(sizes: &[u32]) -> Result<(), Failure> {
    let columns = [
        "bits",
        "prime",
        "bits a coefficient",
        "points",
        "10^6 products of words",
        "three primes",
        "ratio",
        "1 thread",
        "three primes",
        "ratio",
        "2 threads",
        "three primes",
        "ratio",
    ];
    head(&columns, "--:");
    for &log in sizes {
        let [a, b] = operands(log);
        let plan = FermatPlan::choose(a.len(), b.len()).ok_or("some prime has such transforms")?;
        let products = [plan.word_products(), of_three_primes(a.len() + b.len())]
            .map(|count| count as f64 / 1e6);
        print!(
            "| 2^{log} | {} | {} | {} |",
            plan.prime().name,
            plan.bits(),
            plan.points()
        );
        print!(
            " {} | {} | {:.2} |",
            text::three_digits(products[0]),
            text::three_digits(products[1]),
            products[0] / products[1]
        );
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()?;
            let [fermat, other] = pool.install(|| times(&a, &b, threads))?;
            print!(
                " {} | {} | {:.2} |",
                text::duration(fermat),
                text::duration(other),
                fermat / other
            );
        }
        println!();
    }
    Ok(())
}

/// Multiplications of words that products of so many limbs take by three primes.
fn of_three_primes(limbs: usize) -> u64 {
    let len = if limbs <= 2 << 21 {
        limbs
    } else {
        (64 * limbs).div_ceil(SHORT_DIGIT)
    };
    ProductPlan::new(PRIMES, len).word_products()
}

/// The seconds of both algorithms for the same product, which are compared first.
fn times(a: &[u64], b: &[u64], threads: usize) -> Result<[f64; 2], Failure> {
    let multiplier = Multiplier::new();
    let algorithms = [Algorithm::Fermat, Algorithm::Transform];
    let mut out = algorithms.map(|_| vec![0; a.len() + b.len()]);
    for (algorithm, out) in algorithms.iter().zip(&mut out) {
        multiplier.mul_with(*algorithm, out, a, b)?;
    }
    if out[0] != out[1] {
        return Err("the algorithms disagree".into());
    }
    let multiplier = &multiplier;
    let [fermat, other] = &mut out;
    let mut works = [(algorithms[0], fermat), (algorithms[1], other)].map(|(algorithm, out)| {
        let run = move |times: usize| {
            for _ in 0..times {
                multiplier
                    .mul_with(algorithm, out, a, b)
                    .expect("it just did");
            }
        };
        Box::new(run) as Work
    });
    let times = in_turn(&mut works, Clock::for_threads(threads), BUDGET);
    Ok([times[0].median, times[1].median])
}

/// Every prime, and what of its time is spent in the field: the rest is the change of radix.
fn by_prime(sizes: &[u32]) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let columns = [
        "bits",
        "prime",
        "plan",
        "10^6 products of words",
        "time",
        "in the field",
    ];
    head(&columns, "--:");
    for &log in sizes {
        let [a, b] = operands(log);
        for prime in NAMED.into_iter().filter(|prime| prime.digits < 128) {
            let Some(plan) = FermatPlan::over(prime, a.len(), b.len()) else {
                continue;
            };
            let [whole, in_field] = pool.install(|| {
                with_digits!(prime.digits, K >= 4 => time_over::<K>(&plan, &a, &b), _ => Err("a prime of two digits".into()))
            })?;
            let count = plan.word_products() as f64 / 1e6;
            println!(
                "| 2^{log} | {} | {plan} | {} | {} | {:.0} % |",
                prime.name,
                text::three_digits(count),
                text::duration(whole),
                100.0 * in_field / whole
            );
        }
    }
    Ok(())
}

/// The seconds of a product of integers, and of the product of polynomials that it contains.
fn time_over<const K: usize>(plan: &FermatPlan, a: &[u64], b: &[u64]) -> Result<[f64; 2], Failure> {
    let (products, field) = (
        FermatProducts::new(),
        GeneralizedFermat::<K>::new(plan.prime().radix)?,
    );
    let ring = PolyRing::new(field);
    let mut random = Random::new();
    let [f, g] = [a, b].map(|x| {
        let coefficients = (64 * x.len()).div_ceil(plan.bits());
        let digits = |_| Digits(std::array::from_fn(|_| random.word() % plan.prime().radix));
        (0..coefficients).map(digits).collect::<Vec<_>>()
    });
    let mut out = vec![0; a.len() + b.len()];
    let mut of_polynomials = vec![Digits::default(); f.len() + g.len() - 1];
    products.multiply(plan, &mut out, a, b)?;
    ring.mul_slices_with(OfPolynomials::Ntt, &mut of_polynomials, &f, &g)?;
    let whole = Box::new(|times: usize| {
        (0..times).for_each(|_| {
            products
                .multiply(plan, &mut out, a, b)
                .expect("it just did")
        });
    }) as Work;
    let in_field = Box::new(|times: usize| {
        for _ in 0..times {
            ring.mul_slices_with(OfPolynomials::Ntt, &mut of_polynomials, &f, &g)
                .expect("it just did");
        }
    }) as Work;
    let mut works: Vec<Work> = once(whole).chain(once(in_field)).collect();
    let times = in_turn(&mut works, Clock::for_threads(1), BUDGET);
    Ok([times[0].median, times[1].median])
}
