//! `sunzi int product`.

use super::integers::{TEXT, bytes_of};
use crate::args::{Common, MaxMemory};
use crate::commands::Run;
use crate::report::{Figures, Head, Report, files, timed};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;
use sunzi::integer::Integer;
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::LineReader;
use sunzi_files::memory;
use sunzi_files::numbers::integers::IntegerText;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

/// The factors.
#[derive(Debug, Args)]
#[command(after_help = concat!(integers!(), "
All integers of the file are multiplied, by a balanced tree of products.

Examples:
  sunzi int product factors.txt
  seq 100000 | sunzi int product - -o factorial.txt
  seq 20 | sunzi int product - --json"))]
pub struct Product {
    /// File with integers (`-`: standard input)
    #[arg(value_name = "A")]
    file: PathBuf,
    #[command(flatten)]
    memory: MaxMemory,
}

/// What is found.
#[derive(Serialize)]
struct Found {
    /// As decimal text: JSON numbers lose digits in many programs.
    product: String,
}

impl Run for Product {
    /// Multiplies all integers of a file.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let budget = self.memory.budget();
        let output = Output::create(common.output.as_deref())?;
        let text = IntegerText::new();
        let mut reader = LineReader::open(&self.file, budget)?;
        let progress = Progress::reading(reader.size());
        // The product is as long as all factors together, or shorter.
        let mut counted = 0;
        let mut bytes = 0;
        let factors = timed(&mut figures.seconds.reading, || {
            text.read_vector(&mut reader, None, &mut |reader, factors| {
                let new = &factors.entries[counted..];
                counted = factors.entries.len();
                bytes += new.iter().map(bytes_of).sum::<u64>();
                progress.at(reader.bytes_read());
                let most = bytes.saturating_mul(1 + TEXT);
                memory::check(reader.name(), "product", most, budget)
            })
        })?;
        let count = factors.entries.len();
        progress.say("multiplying");
        let product: Integer = timed(&mut figures.seconds.computing, || {
            progress.watch(|| factors.entries.into_iter().product())
        });
        let product = timed(&mut figures.seconds.writing, || {
            let mut digits = Vec::new();
            text.write(&product, &mut digits);
            String::from_utf8_lossy(&digits).into_owned()
        });
        drop(progress);
        let inputs = json!({ "files": files([&self.file]), "count": count });
        let report = Report {
            head: Head::new("int product", inputs),
            result: Found { product },
            figures: figures.ended(),
        };
        report.write(output, common.json, |found| format!("{}\n", found.product))
    }
}
