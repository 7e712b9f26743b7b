//! `sunzi solve`.

mod modular;
mod picture;
mod real;
pub mod system;

use crate::args::{Common, MaxMemory};
use crate::commands::Run;
use crate::draw::Format;
use crate::draw::curves::Window;
use crate::early::EarlyOptions;
use crate::report::{Head, files};
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use sunzi::Natural;
use sunzi_files::failure::Failure;
use sunzi_files::input::algebraic::Variables;

/// Significant digits of coordinates.
const DIGITS: u32 = 20;

/// What is told behind the options.
const HELP: &str = "F and G hold one polynomial a line: an expression in x and y such as 1/2*x^2*y - 3y + (x+y)^3, with numbers that
are integers, quotients or decimals, all exact; `f = g` is f - g. Line i of F goes with line i of G; a file of one line goes with every line of the
other. # starts a comment; empty lines do not count.

All solutions of f = g = 0 are found: each real one in a box that is proved to hold no other, with its
multiplicity (the intersection number of both curves), and how many complex ones there are; those at infinity
do not count. Each pair gives a line that counts, then a line `x y multiplicity` for each real solution,
ascending by x, then by y; all digits are right, the last one rounded, and as many as tell solutions apart. With
--boxes lines are `x0 x1 y0 y1 multiplicity`, the ends of the box without rounding; both are the same where the
coordinate is that number. If f and g have a common factor, its curve is told in a line of its own, and the
system without it is solved; solutions of that which lie on the common curve are marked.

With --mod P the common zeros modulo P are described by regular chains, two lines each: T, a polynomial in x
alone, and S, whose leading coefficient in y is not zero at any root of T. P is an odd prime below 2^64, or r^k+1.

-o p.svg or -o p.png draws both curves with the solutions; the solutions are told on standard output.

Examples:
  sunzi solve f.txt g.txt
  sunzi solve -e 'x^2 + y^2 - 1' -e 'x - y' --digits 50
  echo 'x*y - 2' | sunzi solve f.txt - --boxes --json
  sunzi solve f.txt g.txt -o curves.svg --window -2,2,-1.5,1.5
  sunzi solve f.txt g.txt --vars a,b --early
  sunzi solve f.txt g.txt --mod 469762049
  sunzi solve f.txt g.txt --mod P8";

/// Two equations, and what is to be told of their solutions.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct SolveArguments {
    /// File with the polynomials f (`-`: standard input)
    #[arg(value_name = "F")]
    pub first: PathBuf,
    /// File with the polynomials g (`-`: standard input)
    #[arg(value_name = "G")]
    pub second: PathBuf,
    /// How the variables are called
    #[arg(long, value_name = "A,B", default_value = "x,y")]
    pub vars: Variables,
    /// Significant digits of the coordinates; boxes are no wider than 10^-N
    #[arg(long, value_name = "N", default_value_t = DIGITS, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub digits: u32,
    /// Write the exact ends of boxes
    #[arg(long)]
    pub boxes: bool,
    #[command(flatten)]
    pub early: EarlyOptions,
    /// Describe the zeros modulo this prime: a decimal number, an expression such as 2^60-2^18+1, or a name such as P8
    #[arg(long = "mod", value_name = "P", allow_hyphen_values = true, conflicts_with_all = ["digits", "boxes", "window"])]
    pub prime: Option<String>,
    /// With -o p.svg or p.png: what is drawn [default: around the solutions]
    #[arg(long, value_name = "X0,X1,Y0,Y1", allow_hyphen_values = true)]
    pub window: Option<Window>,
    #[command(flatten)]
    pub memory: MaxMemory,
}

impl SolveArguments {
    fn paths(&self) -> [&Path; 2] {
        [&self.first, &self.second]
    }

    /// What the JSON form tells first: digits of real solutions, or else the modulus.
    fn head(&self, digits: Option<u32>, modulus: Option<Natural>) -> Head {
        let inputs = json!({
            "files": files(self.paths()),
            "variables": self.vars.names(),
            "digits": digits,
            "early": self.early.asked_for(),
            "seed": self.early.told_seed(),
            "modulus": modulus.map(|prime| prime.to_string()),
        });
        Head::new("solve", inputs)
    }
}

/// The picture that is wanted, if the output is one.
fn picture(output: Option<&Path>) -> Result<Option<(&Path, Format)>, Failure> {
    let Some(path) = output.filter(|&path| path != Path::new("-")) else {
        return Ok(None);
    };
    if Format::is_other(path) {
        return Err(Failure::Usage(format!(
            "{}: pictures are drawn into files that end in .svg or .png, and text and JSON are written into files of other names",
            path.display()
        )));
    }
    Ok(Format::of(path).map(|format| (path, format)))
}

impl Run for SolveArguments {
    /// Solves systems line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let picture = picture(common.output.as_deref())?;
        if self.window.is_some() && picture.is_none() {
            return Err(Failure::Usage(
                "--window is for a picture: name its file, too, as -o p.svg or -o p.png".to_owned(),
            ));
        }
        match &self.prime {
            None => real::run(self, picture, common),
            Some(_) if picture.is_some() => Err(Failure::Usage(
                "a picture shows real solutions: leave out --mod, or give -o a name that ends in neither .svg nor .png"
                    .to_owned(),
            )),
            Some(prime) => modular::run(prime, self, common),
        }
    }
}
