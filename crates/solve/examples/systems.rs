//! Seconds of each step of solving the systems of `examples/systems`, or of those that are named.
//!
//!     cargo run --release -p sunzi-solve --example systems [THREADS] [NAME]…

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, Poly};
use sunzi_solve::BivariateSystem;

/// Runs of each system, of which the quickest counts.
const RUNS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let mut names: Vec<String> = env::args().skip(1).collect();
    let threads = names.first().and_then(|first| first.parse().ok());
    if threads.is_some() {
        names.remove(0);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/systems");
    if names.is_empty() {
        for entry in fs::read_dir(&folder)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            names.extend(name.strip_suffix("-f.txt").map(String::from));
        }
        names.sort();
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(1))
        .build()?;
    println!("system real complex total | seconds of steps");
    for name in names {
        let read = |letter: char| polynomial(folder.join(format!("{name}-{letter}.txt")));
        let system = BivariateSystem::over_integers(read('f')?, read('g')?).digits(20);
        let mut best = pool.install(|| system.solve())?;
        for _ in 1..RUNS {
            let again = pool.install(|| system.solve())?;
            if again.steps.total() < best.steps.total() {
                best = again;
            }
        }
        let direction = best.direction.map(|direction| direction.to_string());
        let (real, complex) = (best.solutions.len(), best.complex.with_multiplicity);
        print!("{name:18} {real:3} {complex:4} {:.4} |", best.steps.total());
        for (step, seconds) in best.steps.named() {
            print!(" {step} {seconds:.4}");
        }
        let direction = direction.unwrap_or_default();
        println!(
            " | {} bits, {} primes, {direction}",
            best.bound_bits, best.primes
        );
    }
    Ok(())
}

/// A sum of terms such as `-3*x^2*y`.
fn polynomial(path: PathBuf) -> Result<BivariatePoly<Integer>, Box<dyn Error>> {
    let text = fs::read_to_string(path)?.replace(" - ", " + -");
    let text = text.replace("-x", "-1*x").replace("-y", "-1*y");
    let mut rows: Vec<Vec<Integer>> = Vec::new();
    for term in text.trim().split(" + ") {
        let (mut value, mut powers) = (Integer::ONE, [0, 0]);
        for factor in term.split('*') {
            let (base, exponent) = factor.split_once('^').unwrap_or((factor, "1"));
            match base {
                "x" => powers[0] = exponent.parse()?,
                "y" => powers[1] = exponent.parse()?,
                number => value = number.parse()?,
            }
        }
        let [i, j] = powers;
        rows.resize(rows.len().max(j + 1), Vec::new());
        let len = rows[j].len().max(i + 1);
        rows[j].resize(len, Integer::ZERO);
        rows[j][i] += value;
    }
    Ok(BivariatePoly::new(
        rows.into_iter().map(Poly::new).collect(),
    ))
}
