//! `sunzi poly discriminant`.

use super::euclid::EUCLID_SCRATCH;
use super::over_z;
use super::polynomials::{Named, Part, Polynomials, Value};
use super::rows::Job;
use crate::args::{Common, MaxMemory, OptionalModulus};
use crate::commands::Run;
use crate::operation::{Sentence, engine};
use crate::wording::DISCRIMINANTS;
use clap::Args;
use std::path::PathBuf;
use sunzi::engine::DeviceChoice;
use sunzi_files::failure::Failure;

/// Operands of discriminants.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), "
Each polynomial A of degree n and leading coefficient l gives one line, (−1)^(n(n−1)/2)·res(A, A')/l, which is 0
where A has a multiple root; of degree 1 it is 1, of constants 0. Modulo a prime it is the residue of the
discriminant over Z.
Over Z it is proved by a bound; with --json each polynomial gives {\"discriminant\":…,\"method\":…,\"primes\":…,\"dropped\":…,
\"proved\":true}.
", primes!(), "Examples:
  sunzi poly discriminant f.txt
  echo 'x^3 - 2' | sunzi poly discriminant - --json
  sunzi poly discriminant f.txt --mod P8 -o discriminants.txt"))]
pub struct Discriminant {
    /// File with polynomials (`-`: standard input)
    #[arg(value_name = "A")]
    pub file: PathBuf,
    #[command(flatten)]
    pub modulus: OptionalModulus,
    #[command(flatten)]
    pub named: Named,
    #[command(flatten)]
    pub memory: MaxMemory,
}

impl Run for Discriminant {
    /// Finds discriminants, line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let style = self.named.style(common);
        let Some(prime) = &self.modulus.prime else {
            return over_z::discriminant(&self.file, &self.memory, style, common);
        };
        let engine = engine(DeviceChoice::Cpu, false)?;
        let over = Polynomials::modulo(prime, style)?.by(&engine);
        let job = Job {
            command: "poly discriminant",
            files: [&self.file],
            memory: &self.memory,
            common,
            wording: &DISCRIMINANTS,
        };
        job.run(
            &over,
            Some(over.prime()),
            |[f]| {
                let scratch = over.bytes_of(f.len()).saturating_mul(EUCLID_SCRATCH);
                let bytes = scratch.saturating_add(over.written_bytes(1));
                Ok((bytes, Sentence::Coefficients(f.len(), None)))
            },
            |[f]| {
                Ok(vec![Part {
                    name: "discriminant",
                    value: Value::Residue(over.ring().discriminant(f)?),
                }])
            },
        )
    }
}
