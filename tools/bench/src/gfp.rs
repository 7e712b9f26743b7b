//! `sunzi bench gfp`.

use super::contest::{self, logs};
use super::options::{GfpOptions, chosen_primes};
use super::plots::{self, Folder};
use super::report::Measured;
use super::saved::Saved;
use super::subject::subject;
use super::{products, speedup};
use serde_json::json;
use sunzi::field::{NAMED, NamedPrime};
use sunzi_cli::door::Common;
use sunzi_cli::door::{Figures, Head, Report, files, timed};
use sunzi_files::failure::Failure;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

impl GfpOptions {
    /// Measures products, transforms, their steps and their speed-up on several threads.
    pub fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let primes = chosen_primes(&self.primes)?;
        let saved = Saved::read(&self.csv)?;
        let output = Output::create(common.output.as_deref())?;
        let folder = self.out.as_deref();
        let folder = folder.map(|path| Folder::open(path, plots::PRODUCTS));
        let folder = folder.transpose()?;
        folder.iter().try_for_each(|folder| folder.spare(&output))?;

        let mut measured = timed(&mut figures.seconds.computing, || {
            measure(&primes, &saved, self.seconds)
        })?;
        measured.plots = match folder {
            Some(folder) => folder.draw(plots::of_gfp(&measured))?,
            None => Vec::new(),
        };
        let primes: Vec<_> = primes.iter().map(|prime| prime.name).collect();
        let inputs = json!({
            "files": files(&self.csv),
            "primes": primes,
            "seconds_per_case": self.seconds,
        });
        let report = Report {
            head: Head::new("bench gfp", inputs),
            result: measured,
            figures: figures.ended(),
        };
        report.write(output, common.json, Measured::to_string)
    }
}

fn measure(primes: &[NamedPrime], saved: &Saved, budget: f64) -> Result<Measured, Failure> {
    let sizes: usize = primes.iter().map(|&prime| logs(prime).count()).sum();
    let threaded = primes.len() * speedup::LOGS.len();
    let progress = Progress::over((NAMED.len() + sizes + threaded) as u64, "measurements");
    let single = speedup::pool(1)?;
    let mut report = Measured {
        version: env!("CARGO_PKG_VERSION"),
        seconds_per_case: budget,
        products: Vec::new(),
        transforms: Vec::new(),
        speedups: Vec::new(),
        origins: saved.origins().collect(),
        plots: Vec::new(),
    };
    for prime in NAMED {
        progress.piece("products");
        let subject = subject(prime)?;
        let measured = single.install(|| products::measure(prime, &*subject, budget));
        report.products.push(measured);
    }
    let next = || progress.piece("transforms");
    let pools = speedup::pools(sunzi_machine::threads::count())?;
    for &prime in primes {
        let subject = subject(prime)?;
        let measured = single.install(|| contest::measure(prime, &*subject, saved, budget, &next));
        report.transforms.push(measured?);
        for log in speedup::LOGS {
            progress.piece("threads");
            let points = 1 << log;
            if contest::fits_memory(prime, points * pools.len()).is_err() {
                break;
            }
            let measured = speedup::measure(prime, &*subject, points, &pools, budget);
            let slow = |by: &speedup::OnThreads| 4.0 * by.timing.median > budget;
            let enough = measured
                .as_ref()
                .is_none_or(|measured| measured.by_threads.iter().any(slow));
            report.speedups.extend(measured);
            if enough {
                break;
            }
        }
    }
    Ok(report)
}
