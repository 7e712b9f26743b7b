//! How well the many-core machine model chooses the rows x of products term by term on a device of this machine.
//!
//!     cargo run --release -p sunzi --example product_rows [-- DEVICE]
//!
//! The bound is taken step by step (`ManyCoreProgram::bound_by_steps`): for all steps together, as the thesis of 2013 has it, the blocks
//! of short additions count like those of the multiplication, and x comes out too large. U, and the seconds of an operation, are fitted
//! to times of short products; x is then chosen for lengths up to 2^14, and all x are timed there.

use sunzi::gpu::{Device, Selection};
use sunzi::model::{KernelCosts, MachineModel, ManyCoreProgram, UnknownKernel};
use sunzi::tuning::{OwnKernel, OwnRunner};

/// Threads of a group; each has four coefficients.
const THREADS: i64 = 64;
const COEFFICIENTS: u64 = 4 * THREADS as u64;
/// Lengths by whose times the model is fitted.
const FITTED: [i64; 2] = [256, 512];

fn rows(n: i64) -> impl Iterator<Item = i64> {
    (2..=10).map(|log| 1 << log).filter(move |&x| x <= n)
}

/// A product of n by n coefficients: x rows at a time, whose sums are added in pairs.
fn program(n: u64, x: u64) -> Result<ManyCoreProgram, UnknownKernel> {
    let of = |rows: u64, span: u64| KernelCosts {
        blocks: ((n + x - 1) * rows).div_ceil(COEFFICIENTS),
        work: COEFFICIENTS * span,
        span,
        words: 3,
    };
    let mut program = ManyCoreProgram::default();
    let mut rows = n.div_ceil(x);
    let mut last = program.kernel(of(rows, 2 * x - 1), &[])?;
    while rows > 1 {
        last = program.kernel(of(rows / 2, 1), &[last])?;
        rows = rows.div_ceil(2);
    }
    Ok(program)
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
        for _ in 0..25 {
            let time = runner.run(&[1, n], &[x, THREADS])?;
            least = least.min(time.ok_or("the device does not take this shape")?);
        }
        Ok(least)
    };
    // The bound is linear in U: operations and words are its parts.
    let counts = |n: i64, x: i64| -> Result<(f64, f64), Box<dyn std::error::Error>> {
        let program = program(n as u64, x as u64)?;
        let at = |u: u8| {
            let machine = MachineModel {
                u: u.into(),
                z: u64::MAX,
                sms,
            };
            program.bound_by_steps(&machine).to_f64().value()
        };
        Ok((at(0), at(1) - at(0)))
    };
    let (mut aa, mut ab, mut bb, mut at, mut bt) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for n in FITTED {
        for x in rows(n) {
            let t = time(n, x)?;
            let (operations, words) = counts(n, x)?;
            let (a, b) = (operations / t, words / t);
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
    let mut worst = 1.0_f64;
    for log in 8..=14 {
        let n = 1_i64 << log;
        let mut least = (f64::INFINITY, 0);
        for x in rows(n) {
            let (operations, words) = counts(n, x)?;
            let bound = a * operations + b * words;
            if bound < least.0 {
                least = (bound, x);
            }
        }
        let x = least.1;
        let mut times = Vec::new();
        for x in rows(n) {
            times.push((x, time(n, x)?));
        }
        let chosen = times
            .iter()
            .find(|of| of.0 == x)
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
