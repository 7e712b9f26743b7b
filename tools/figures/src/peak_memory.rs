//! How much memory products take.
//!
//! For each case, a process of its own computes one product and reads from `/proc/self/status`
//! (Linux) the most memory that it ever held. Prints the case, the bytes of operands and product
//! together, the peak without [`PROGRAM`], its ratio to those bytes, and the ratio of what it took
//! beside them to what the plan says. Fails where either is above its limit.

use std::process::Command;

use sunzi_field::primality::ntt_primes;
use sunzi_field::{Fp32, Fp64};
use sunzi_integer::Multiplier;
use sunzi_poly::{CoefficientField, FlatPoly, IntegerPolyRing, Poly, PolyRing};

use crate::common::Failure;

/// The peak over the bytes of operands and product.
const LIMIT: f64 = 8.0;
/// Working memory over the plan's estimate, which is to be about right.
const ESTIMATE_LIMIT: f64 = 1.1;
/// Memory of the process without a product, beside the pages of its file: stacks, and what the heap begins with.
const PROGRAM: usize = 9 << 19;

/// The bytes of operands and product, and how many more the plan says.
type Sizes = Result<(usize, u64), Failure>;
type Case = (&'static str, fn(usize, usize) -> Sizes);
const SQUARES: &str = "squares of integers";
const CASES: [Case; 7] = [
    ("integers", integers),
    (SQUARES, squares),
    ("modulo 469762049", modulo_transform_prime),
    ("modulo 2^31-19", modulo_short_prime),
    ("modulo 2^62-57", modulo_long_prime),
    (
        "modulo a 62-bit transform prime",
        modulo_long_transform_prime,
    ),
    ("Z[x], 64-bit coefficients", over_integers),
];
/// Limbs or coefficients of the operands: just above a power of two transforms are at their worst.
const SIZES: [(usize, usize); 7] = [
    // The primes of a product side by side on several threads, each with memory of its own.
    (200_000, 200_000),
    (1 << 20, 1 << 20),
    ((1 << 20) + 1, (1 << 20) + 1),
    (3 << 19, 3 << 19),
    ((1 << 22) + 1, (1 << 22) + 1),
    ((1 << 22) + 1, 1 << 19),
    ((1 << 22) + 1, 1 << 12),
];

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    if let [case, long, short] = arguments {
        let (_, run) = CASES[case.parse::<usize>()?];
        let (bytes, estimate) = run(long.parse()?, short.parse()?)?;
        println!("{bytes} {} {estimate}", peak()?);
        return Ok(());
    }
    let (mut worst, mut worst_estimate) = (0.0_f64, 0.0_f64);
    for (index, (name, _)) in CASES.iter().enumerate() {
        for (long, short) in SIZES {
            if *name == SQUARES && long != short {
                continue;
            }
            let output = Command::new(std::env::current_exe()?)
                .arg("peak-memory")
                .args([index, long, short].map(|number| number.to_string()))
                .output()?;
            let text = String::from_utf8(output.stdout)?;
            let figures: Vec<&str> = text.split_whitespace().collect();
            let [bytes, peak, estimate] = figures[..] else {
                return Err(String::from_utf8_lossy(&output.stderr).into());
            };
            let (bytes, estimate): (f64, f64) = (bytes.parse()?, estimate.parse()?);
            let peak = peak.parse::<f64>()? - PROGRAM as f64;
            let (ratio, used) = (peak / bytes, (peak - bytes) / estimate);
            worst = worst.max(ratio);
            worst_estimate = worst_estimate.max(used);
            println!("{name}\t{long} × {short}\t{bytes}\t{peak}\t{ratio:.2}\t{used:.2}");
        }
    }
    println!("worst\t{worst:.2}\t{worst_estimate:.2}");
    if worst > LIMIT || worst_estimate > ESTIMATE_LIMIT {
        return Err(format!("above the limits {LIMIT} and {ESTIMATE_LIMIT}").into());
    }
    Ok(())
}

/// The most bytes that this process ever held, without the pages of its file: they stay once they are read, and
/// this program holds the code of other tables too.
fn peak() -> Result<usize, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let bytes = |name: &str| -> Result<usize, Failure> {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kibibytes = line.and_then(|line| line.split_whitespace().next());
        let kibibytes = kibibytes.ok_or_else(|| format!("no {name} in /proc/self/status"))?;
        Ok(kibibytes.parse::<usize>()? << 10)
    };
    Ok(bytes("VmHWM:")? - bytes("RssFile:")?)
}

/// Numbers without a pattern.
fn words(count: usize, seed: u64) -> impl Iterator<Item = u64> {
    (0..count as u64).map(move |i| {
        (i + seed)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    })
}

fn integers(long: usize, short: usize) -> Sizes {
    let (a, b): (Vec<u64>, Vec<u64>) = (words(long, 1).collect(), words(short, 2).collect());
    let mut product = vec![0; long + short];
    Multiplier::new().mul(&mut product, &a, &b);
    let bytes = 8 * (a.len() + b.len() + product.len());
    Ok((bytes, Multiplier::new().plan(long, short).bytes()))
}

fn squares(long: usize, _short: usize) -> Sizes {
    let a: Vec<u64> = words(long, 1).collect();
    let mut product = vec![0; 2 * long];
    Multiplier::new().sqr(&mut product, &a);
    let bytes = 8 * (a.len() + product.len());
    Ok((bytes, Multiplier::new().plan(long, long).bytes()))
}

fn modulo_transform_prime(long: usize, short: usize) -> Sizes {
    modulo(Fp32::new(469_762_049)?, long, short)
}

fn modulo_short_prime(long: usize, short: usize) -> Sizes {
    modulo(Fp32::new((1 << 31) - 19)?, long, short)
}

fn modulo_long_prime(long: usize, short: usize) -> Sizes {
    modulo(Fp64::new((1 << 62) - 57)?, long, short)
}

fn modulo_long_transform_prime(long: usize, short: usize) -> Sizes {
    let prime = ntt_primes(62, 24).next().ok_or("no such prime")?;
    modulo(Fp64::new(prime)?, long, short)
}

fn modulo<F: CoefficientField>(field: F, long: usize, short: usize) -> Sizes {
    let polynomial = |count, seed| {
        let residues = words(count, seed).map(|word| field.from_u64(word));
        Poly::new(residues.collect())
    };
    let (a, b) = (polynomial(long, 1), polynomial(short, 2));
    let ring = PolyRing::new(field);
    let product = ring.mul(&a, &b);
    let coefficients = long + short + product.coefficients().len();
    Ok((
        size_of::<F::Elem>() * coefficients,
        ring.plan(long, short).scratch_bytes,
    ))
}

fn over_integers(long: usize, short: usize) -> Sizes {
    let (a, b) = (words(long, 1).collect(), words(short, 2).collect());
    let (a, b) = (FlatPoly::from_limbs(1, a)?, FlatPoly::from_limbs(1, b)?);
    let ring = IntegerPolyRing::new();
    let mut product = FlatPoly::default();
    ring.mul_flat(&mut product, &a, &b)?;
    let bytes = 8 * (long + short + product.limbs().len());
    Ok((bytes, ring.plan_flat(&a, &b).bytes))
}
