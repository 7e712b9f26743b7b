//! How well the many-core machine model chooses the rows x of products term by term on a device of this machine.
//!
//!     cargo run --release -p sunzi --example product_rows [-- DEVICE]
//!
//! The model's U, and the seconds of an operation, are fitted to times of short products; x is then chosen for lengths up to 2^14,
//! and all x are timed there.

use dashu_int::{IBig, UBig};
use sunzi::gpu::{Device, Selection};
use sunzi::model::{MachineModel, ManyCoreAlgorithm};
use sunzi::tuning::{OwnKernel, OwnRunner};

/// Threads of a group; each has four coefficients.
const THREADS: i64 = 64;
const COEFFICIENTS: u64 = 4 * THREADS as u64;
/// Lengths by whose times the model is fitted.
const FITTED: [i64; 2] = [256, 512];

fn rows(n: i64) -> impl Iterator<Item = i64> {
    (2..=10).map(|log| 1 << log).filter(move |&x| x <= n)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let selection: Selection = std::env::args()
        .nth(1)
        .as_deref()
        .unwrap_or("opencl")
        .parse()?;
    let device = Device::open(selection)?;
    let sms = device.info().units.max(1) as u64;
    let mut runner = OwnRunner::new(&device, OwnKernel::TermByTerm)?;
    let mut time = |n: i64, x: i64| -> Result<f64, Box<dyn std::error::Error>> {
        let mut least = f64::INFINITY;
        for _ in 0..7 {
            let time = runner.run(&[1, n], &[x, THREADS])?;
            least = least.min(time.ok_or("the device does not take this shape")?);
        }
        Ok(least)
    };
    let algorithm = |n: i64, x: u64| {
        let n = n as u64;
        ManyCoreAlgorithm::Multiplication {
            n,
            m: n,
            x,
            l: COEFFICIENTS.max(x),
        }
    };
    // t = (N/p + L) (a (2x - 1) + 3 b) for a = seconds of an operation, b = a U: least squares of relative errors.
    let unit = MachineModel {
        u: 1_u8.into(),
        z: u64::MAX,
        sms,
    };
    let steps = |n: i64, x: i64| {
        let costs = algorithm(n, x as u64).costs(&unit);
        (costs.blocks.to_f64().value() / sms as f64) + costs.path.to_f64().value()
    };
    let (mut aa, mut ab, mut bb, mut at, mut bt) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for n in FITTED {
        for x in rows(n) {
            let t = time(n, x)?;
            let (a, b) = (steps(n, x) * (2 * x - 1) as f64 / t, steps(n, x) * 3.0 / t);
            (aa, ab, bb, at, bt) = (aa + a * a, ab + a * b, bb + b * b, at + a, bt + b);
        }
    }
    let determinant = aa * bb - ab * ab;
    let (a, b) = (
        (at * bb - bt * ab) / determinant,
        (bt * aa - at * ab) / determinant,
    );
    // Where one of them would be negative, the other explains the times alone.
    let (a, b) = match (a > 0.0, b > 0.0) {
        (true, true) => (a, b),
        (true, false) => (at / aa, 0.0),
        _ => (0.0, bt / bb),
    };
    let ratio = if a > 0.0 { b / a } else { 1e6 };
    println!(
        "{}: U = {ratio:.1}, fitted to lengths up to {}",
        device.info().name,
        FITTED[1]
    );
    println!(
        "{:>8}{:>8}{:>12}{:>8}{:>12}{:>8}",
        "n", "x", "ms", "best x", "ms", "ratio"
    );
    let thousandths = IBig::from((ratio * 1000.0).round() as i64);
    let u = dashu_ratio::RBig::from_parts(thousandths, UBig::from(1000_u32));
    let machine = MachineModel {
        u,
        z: u64::MAX,
        sms,
    };
    let mut worst = 1.0_f64;
    for log in 8..=14 {
        let n = 1_i64 << log;
        let best = machine.best_parameter(rows(n).map(|x| x as u64), |x| algorithm(n, x));
        let (x, _) = best.ok_or("no x")?;
        let mut times = Vec::new();
        for x in rows(n) {
            times.push((x, time(n, x)?));
        }
        let chosen = times
            .iter()
            .find(|of| of.0 == x as i64)
            .map_or(f64::INFINITY, |of| of.1);
        let (best, least) = times
            .iter()
            .copied()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .ok_or("no x")?;
        println!(
            "{n:>8}{x:>8}{chosen:>12.4}{best:>8}{least:>12.4}{:>8.2}",
            chosen / least
        );
        worst = worst.max(chosen / least);
    }
    println!("at worst {worst:.2}");
    Ok(())
}
