//! CGAL's algebraic kernels, by small programs in C++ that are compiled when they are needed: the time of the computation
//! alone, by their own clock.

use std::process::Command;

use super::compiled::Source;
use super::{LIMIT, Program, Trouble, rounded, rounded_points, run_to_end};

const INSTALL: &str = "apt-get install g++ libcgal-dev libmpfi-dev";

/// A system, solved by the kernel for two variables.
pub struct CgalSystem {
    input: String,
}

impl CgalSystem {
    /// The system of two polynomials, by their terms: powers of x and y, and the coefficient in decimal.
    pub fn new(polynomials: [&[(usize, usize, String)]; 2]) -> Self {
        let mut input = String::new();
        for terms in polynomials {
            input += &format!("{}\n", terms.len());
            for (x, y, coefficient) in terms {
                input += &format!("{x} {y} {coefficient}\n");
            }
        }
        Self { input }
    }
}

impl Program for CgalSystem {
    const NAME: &'static str = "CGAL";
    const INSTALL: &'static str = INSTALL;

    fn run(&mut self, times: usize) -> Result<(f64, Vec<u64>), Trouble> {
        let (seconds, numbers) = run("systems", &format!("{times}\n{}", self.input))?;
        let (points, _) = numbers.as_chunks::<2>();
        let points = points.iter().map(|&[x, y]| (x, y)).collect();
        Ok((seconds, rounded_points(points)))
    }
}

/// Real roots, isolated and refined to 128 bits by the kernel for one variable.
pub struct CgalRoots {
    input: String,
}

impl CgalRoots {
    /// The polynomial of these coefficients in decimal, from the constant term upward.
    pub fn new(coefficients: &[String]) -> Self {
        let input = format!("{}\n{}\n", coefficients.len(), coefficients.join(" "));
        Self { input }
    }
}

impl Program for CgalRoots {
    const NAME: &'static str = "CGAL";
    const INSTALL: &'static str = INSTALL;

    fn run(&mut self, times: usize) -> Result<(f64, Vec<u64>), Trouble> {
        let (seconds, roots) = run("roots", &format!("{times}\n{}", self.input))?;
        Ok((seconds, rounded(roots)))
    }
}

/// Seconds, and the numbers that follow their count.
fn run(name: &str, input: &str) -> Result<(f64, Vec<f64>), Trouble> {
    let program = Source {
        folder: "cgal",
        name,
        header: "CGAL/Algebraic_kernel_d_2.h",
        options: &[
            "-O2",
            "-DCGAL_USE_GMP",
            "-DCGAL_USE_MPFR",
            "-DCGAL_USE_MPFI",
        ],
        libraries: &["-lmpfi", "-lmpfr", "-lgmp"],
    }
    .compiled()?;
    let done = run_to_end(&mut Command::new(program), input, LIMIT)?;
    let numbers: Result<Vec<f64>, _> = done.output.split_whitespace().map(str::parse).collect();
    match numbers.as_deref() {
        Ok([seconds, _, found @ ..]) => Ok((*seconds, found.to_vec())),
        _ => Err(Trouble::Failed("it printed no numbers".into())),
    }
}
