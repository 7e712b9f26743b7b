//! `sunzi poly squarefree`.

use super::euclid::EUCLID_SCRATCH;
use super::over_z;
use super::polynomials::{Part, Polynomials, Pretty, Value};
use super::rows::Job;
use crate::args::{Common, MaxMemory, OptionalModulus};
use crate::commands::Run;
use crate::operation::{Sentence, engine};
use crate::wording::FACTORS;
use clap::Args;
use std::path::PathBuf;
use sunzi::engine::DeviceChoice;
use sunzi_files::failure::Failure;
use sunzi_files::style::Style;

/// A file of polynomials.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), written!(), "
Each polynomial that is not 0 gives its content, with the sign of the leading coefficient, in a line; then,
with ascending multiplicity, a line `multiplicity: factor` for the product of all primitive factors of that
multiplicity. With --json it gives {\"content\":…,\"factors\":[{\"multiplicity\":…,\"factor\":…}],\"method\":…,
\"primes\":…,\"dropped\":…,\"proved\":true}.
Modulo a prime the content is the leading coefficient, and factors are monic; JSON has `content` and `factors`.
", primes!(), "Examples:
  sunzi poly squarefree f.txt
  echo '2*x^4 - 4*x^3 - 6*x^2' | sunzi poly squarefree - --pretty
  echo 'x^6 - x^3' | sunzi poly squarefree - --mod 3 --pretty
  sunzi poly squarefree f.txt --json -o factors.json"))]
pub struct Squarefree {
    /// File of polynomials (`-`: standard input)
    #[arg(value_name = "F")]
    pub file: PathBuf,
    #[command(flatten)]
    pub modulus: OptionalModulus,
    #[command(flatten)]
    pub form: Pretty,
    #[command(flatten)]
    pub memory: MaxMemory,
}

impl Run for Squarefree {
    /// Finds square-free factors, line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let style = self.form.style(common);
        let Some(prime) = &self.modulus.prime else {
            return over_z::square_free(&self.file, &self.memory, style, common);
        };
        let engine = engine(DeviceChoice::Cpu, false)?;
        let over = Polynomials::modulo(prime, style)?.by(&engine);
        let job = Job {
            command: "poly squarefree",
            files: [&self.file],
            memory: &self.memory,
            common,
            wording: &FACTORS,
        };
        job.run(
            &over,
            Some(over.prime()),
            |[f]| {
                let scratch = over.bytes_of(f.len()).saturating_mul(EUCLID_SCRATCH);
                let bytes = scratch.saturating_add(over.written_bytes(2 * f.len()));
                Ok((bytes, Sentence::Coefficients(f.len(), None)))
            },
            |[f]| {
                Ok(vec![Part {
                    name: "factors",
                    value: Value::SquareFree(over.ring().square_free(f)?),
                }])
            },
        )
    }
}

/// Writes a content and square-free factors with their multiplicities: lines of text, or two members of a JSON object.
pub fn write<P>(
    style: Style,
    out: &mut Vec<u8>,
    write_content: impl FnOnce(&mut Vec<u8>),
    factors: &[(P, usize)],
    write_factor: impl Fn(&P, &mut Vec<u8>),
) {
    if !style.json {
        write_content(out);
        for (factor, multiplicity) in factors {
            out.extend_from_slice(format!("\n{multiplicity}: ").as_bytes());
            write_factor(factor, out);
        }
        return;
    }
    out.extend_from_slice(b"\"content\":");
    write_content(out);
    out.extend_from_slice(b",\"factors\":[");
    for (index, (factor, multiplicity)) in factors.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(format!("{{\"multiplicity\":{multiplicity},\"factor\":").as_bytes());
        write_factor(factor, out);
        out.push(b'}');
    }
    out.push(b']');
}
