//! FFLAS-FFPACK over OpenBLAS, by a small program in C++ that is compiled when it is needed: the time of the computation
//! alone, by its own clock.

use std::fmt::Write;
use std::process::Command;

use super::compiled::Source;
use super::{LIMIT, Program, Trouble, run_to_end};

/// What is found of square matrices modulo a prime of 32 bits.
pub struct Fflas {
    input: String,
    threads: usize,
}

impl Fflas {
    /// The determinant, rank, solution, inverse, reduced form or product, as `what` says, of one or two matrices by their
    /// residues.
    pub fn new(what: &str, p: u64, order: usize, matrices: &[&[u64]], threads: usize) -> Self {
        let mut input = format!("{what} {p} {order}\n");
        for residue in matrices.iter().copied().flatten() {
            // Writing to a string has no errors.
            let _ = writeln!(input, "{residue}");
        }
        Self { input, threads }
    }
}

impl Program for Fflas {
    const NAME: &'static str = "FFLAS-FFPACK";
    const INSTALL: &'static str =
        "apt-get install g++ fflas-ffpack libgivaro-dev libopenblas-dev libgmp-dev";

    fn run(&mut self, times: usize) -> Result<(f64, Vec<u64>), Trouble> {
        let program = Source {
            folder: "fflas",
            name: "matrices",
            header: "fflas-ffpack/fflas-ffpack.h",
            options: &["-O3", "-march=native", "-fopenmp"],
            libraries: &["-lopenblas", "-lgivaro", "-lgmp"],
        }
        .compiled()?;
        let mut command = Command::new(program);
        for variable in ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"] {
            command.env(variable, self.threads.to_string());
        }
        let done = run_to_end(&mut command, &format!("{times}\n{}", self.input), LIMIT)?;
        let mut words = done.output.split_ascii_whitespace();
        let seconds = words.next().and_then(|word| word.parse().ok());
        let found: Result<Vec<u64>, _> = words.skip(1).map(str::parse).collect();
        match (seconds, found) {
            (Some(seconds), Ok(found)) => Ok((seconds, found)),
            _ => Err(Trouble::Failed("it printed no numbers".into())),
        }
    }
}
