//! How well the many-core machine model chooses the rows x of products term by term on a device of this machine.
//!
//!     cargo run --release -p sunzi --example product_rows [-- DEVICE]
//!
//! The bound is taken step by step (`ManyCoreProgram::bound_by_steps`): for all steps together, as the thesis of 2013 has it, the blocks
//! of short additions count like those of the multiplication, and x comes out too large. U, and the seconds of an operation, are fitted
//! to times of short products; x is then chosen for lengths up to 2^14, and all x are timed there. The last column is for the rows of
//! the plan where nothing is measured (`SchoolbookPlan::for_device`).

use sunzi::{
    gpu::{Device, Selection},
    tune::{MachineModel, OwnKernel, OwnRunner},
};
use sunzi_gpu::Word;
use sunzi_gpu::schoolbook::SchoolbookPlan;

/// Threads of a group.
const THREADS: i64 = 64;
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
        for _ in 0..25 {
            let time = runner.run(&[1, n], &[x, THREADS])?;
            least = least.min(time.ok_or("the device does not take this shape")?);
        }
        Ok(least)
    };
    // The bound is linear in U: operations and words are its parts.
    let counts = |n: i64, x: i64| {
        let plan = SchoolbookPlan {
            threads: THREADS as usize,
            rows: x as usize,
        };
        let program = plan.program(n as usize, n as usize, 1);
        let at = |u: u8| {
            let machine = MachineModel {
                u: u.into(),
                z: u64::MAX,
                sms,
            };
            program.bound_by_steps(&machine).to_f64()
        };
        (at(0), at(1) - at(0))
    };
    let (mut aa, mut ab, mut bb, mut at, mut bt) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for n in FITTED {
        for x in rows(n) {
            let t = time(n, x)?;
            let (operations, words) = counts(n, x);
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
        "{:>8}{:>8}{:>12}{:>8}{:>12}{:>8}{:>10}{:>8}",
        "n", "x", "ms", "best x", "ms", "ratio", "unmeasured", "ratio"
    );
    let (mut worst, mut unmeasured) = (1.0_f64, 1.0_f64);
    for log in 8..=14 {
        let n = 1_i64 << log;
        let mut least = (f64::INFINITY, 0);
        for x in rows(n) {
            let (operations, words) = counts(n, x);
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
        let length = n as usize;
        let usual =
            SchoolbookPlan::for_device(device.info(), Word::U32, length, length, 1).rows as i64;
        let usual_time = time(n, usual)?;
        println!(
            "{n:>8}{x:>8}{chosen:>12.4}{best:>8}{least:>12.4}{:>8.2}{usual:>10}{:>8.2}",
            chosen / least,
            usual_time / least
        );
        worst = worst.max(chosen / least);
        unmeasured = unmeasured.max(usual_time / least);
    }
    println!("at worst {worst:.2}, and {unmeasured:.2} where nothing is measured");
    Ok(())
}
