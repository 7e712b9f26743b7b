//! Measures, for each class of kernels that this processor runs, from how many limbs on each algorithm
//! beats the one before it. The constants of `src/thresholds.rs` come from here.
//!
//! `cargo run --release -p sunzi-integer --example thresholds [algorithms…]`

use std::hint::black_box;
use std::time::Instant;

use sunzi_integer::{Algorithm, CpuClass, MulError, Multiplier};

/// Nanoseconds of one product of n by n limbs: the median of five passes of about 0.2 ms.
fn nanoseconds(multiplier: &Multiplier, algorithm: Algorithm, n: usize) -> Result<f64, MulError> {
    let a: Vec<u64> = (1..=n as u64)
        .map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        .collect();
    let b: Vec<u64> = (1..=n as u64)
        .map(|i| i.wrapping_mul(0xD1B5_4A32_D192_ED03))
        .collect();
    let mut out = vec![0; 2 * n];
    let mut times = Vec::new();
    let mut repeats = 1;
    while times.len() < 5 {
        let start = Instant::now();
        for _ in 0..repeats {
            multiplier.mul_with(algorithm, black_box(&mut out), black_box(&a), black_box(&b))?;
        }
        let seconds = start.elapsed().as_secs_f64();
        if seconds < 2e-4 {
            repeats *= 2;
        } else {
            times.push(seconds / repeats as f64 * 1e9);
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

fn main() {
    let pairs = [
        (
            Algorithm::Schoolbook,
            Algorithm::Ifma,
            (4..24).collect::<Vec<_>>(),
        ),
        (
            Algorithm::Schoolbook,
            Algorithm::Karatsuba,
            (12..64).step_by(2).collect(),
        ),
        (
            Algorithm::Ifma,
            Algorithm::Karatsuba,
            (80..320).step_by(12).collect(),
        ),
        (
            Algorithm::Karatsuba,
            Algorithm::Toom3,
            (60..900).step_by(24).collect(),
        ),
    ];
    for cpu in [CpuClass::Portable, CpuClass::Adx, CpuClass::Ifma] {
        let Ok(multiplier) = Multiplier::with_cpu(cpu) else {
            println!("{cpu}: not supported by this processor");
            continue;
        };
        for (before, after, sizes) in &pairs {
            if *before == Algorithm::Schoolbook
                && *after == Algorithm::Karatsuba
                && cpu == CpuClass::Ifma
            {
                continue;
            }
            let ratios: Result<Vec<_>, MulError> = sizes
                .iter()
                .map(|&n| {
                    let slow = nanoseconds(&multiplier, *before, n)?;
                    Ok((n, nanoseconds(&multiplier, *after, n)? / slow))
                })
                .collect();
            let Ok(ratios) = ratios else { continue };
            // The last size at which the algorithm before still wins, give or take noise.
            let from = ratios
                .iter()
                .rposition(|&(_, ratio)| ratio > 1.0)
                .map_or(0, |i| i + 1);
            let line: Vec<_> = ratios
                .iter()
                .map(|(n, ratio)| format!("{n}:{ratio:.2}"))
                .collect();
            match ratios.get(from) {
                Some((n, _)) => println!("{cpu}: {after} beats {before} from {n} limbs on"),
                None => println!("{cpu}: {after} does not beat {before}"),
            }
            println!("    {after}/{before} {}", line.join(" "));
        }
    }
}
