//! `sunzi calc`: what an expression of numbers comes to.

mod evaluate;
mod functions;
mod parse;
mod size;

pub use evaluate::Calculator;

use crate::args::{Common, MaxMemory};
use crate::commands::Run;
use crate::report::{Figures, Head, timed};
use clap::Args;
use serde_json::json;
use std::io::{IsTerminal, Write, stderr, stdin};
use std::path::Path;
use sunzi::field::named_prime;
use sunzi::{Natural, memory::Budget};
use sunzi_files::failure::{Failure, Place};
use sunzi_files::input::LineError;
use sunzi_files::input::lines::LineReader;
use sunzi_files::input::literal;
use sunzi_files::output::Output;
use sunzi_files::results::Results;
use sunzi_files::style::{Style, quoted};

/// An expression, or lines of standard input.
#[derive(Debug, Args)]
#[command(
    after_help = "Numbers are integers of any size (decimal or 0x…) and decimals, which are exact: 0.1 is 1/10.
Operators, from the tightest:
  n!                factorial
  a^b  a**b         power, from the right: 2^3^2 = 2^9; of negative b, too: 2^-1 = 1/2
  -a                so -2^2 = -4
  a*b  a/b          product, exact quotient
  a//b  a%b         quotient rounded down, and what it leaves, as in Python
  a mod m           a modulo m, from 0 to m - 1: powers are reduced at each step, 1/3 mod 7 = 5
  a+b  a-b
Functions: abs binomial factorial floor ceil gcd isprime isqrt lcm max min nextprime root
isprime is 1 or 0; it is a proof below 2^64, and no composite number is known that passes above.
With --mod everything is reduced, but for exponents and arguments of functions and of !, which are integers.

Examples:
  sunzi calc '3^1000 mod 7 + gcd(2^100-1, 2^60-1)'
  sunzi calc '100!/98! - 1/3'
  sunzi calc '7^(10^50)' --mod 2^61-1
  sunzi calc 'isprime(2^521-1)'
  seq 5 | sed 's/$/!/' | sunzi calc"
)]
pub struct Calc {
    /// The expression. Without it, each line of standard input is one; # starts a comment
    #[arg(value_name = "EXPRESSION", allow_hyphen_values = true)]
    expression: Option<String>,
    /// The rest of an expression that was written without quotation marks.
    #[arg(hide = true, allow_negative_numbers = true)]
    rest: Vec<String>,
    /// Compute modulo this number: an expression, or the name of a prime such as P8
    #[arg(long = "mod", value_name = "M", allow_hyphen_values = true)]
    modulus: Option<String>,
    #[command(flatten)]
    memory: MaxMemory,
}

/// What the words of the command line are called where they are wrong.
const ARGUMENT: &str = "expression";

impl Run for Calc {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let budget = self.memory.budget();
        let calculator = Calculator::new(budget, self.modulus(budget)?);
        let output = Output::create(common.output.as_deref())?;
        let mut answers = Answers {
            calculator,
            style: Style::new(common.json),
            results: Results::new(output, common.json),
            figures: Figures::start(),
        };
        let head = Head::new(
            "calc",
            json!({ "expression": self.text(), "modulus": &self.modulus }),
        );
        answers.results.facts(|| head)?;
        match self.text() {
            None => answers.answer_lines()?,
            Some(text) => answers.answer(text.as_bytes(), |error| at(ARGUMENT, None, error))?,
        }
        answers.end()
    }
}

impl Calc {
    /// The expression of the command line.
    fn text(&self) -> Option<String> {
        let first = self.expression.as_ref()?;
        let words = std::iter::once(first).chain(&self.rest);
        Some(
            words
                .map(|word| literal::plain(word))
                .collect::<Vec<_>>()
                .join(" "),
        )
    }

    /// The number that all is reduced by.
    fn modulus(&self, budget: Budget) -> Result<Option<Natural>, Failure> {
        let Some(text) = &self.modulus else {
            return Ok(None);
        };
        if let Some(prime) = named_prime(text) {
            return Ok(Some(Natural::from(prime.radix).pow(prime.digits) + 1u32));
        }
        let value = Calculator::new(budget, None).modulus(text.as_bytes());
        value
            .map(Some)
            .map_err(|error| at("the modulus", None, error))
    }
}

/// What is wrong with an expression of the command line, or with a line of a file.
fn at(file: &str, line: Option<u64>, error: LineError) -> Failure {
    let place = Place {
        file: file.to_owned(),
        line,
        column: Some(error.offset + 1),
    };
    match error.too_large {
        true => Failure::Computation(format!("{place}: {}", error.problem)),
        false => Failure::Input {
            place,
            problem: error.problem,
        },
    }
}

/// Answers, written one after the other.
struct Answers {
    calculator: Calculator,
    style: Style,
    results: Results,
    figures: Figures,
}

impl Answers {
    /// Answers every line of standard input; on a terminal each at once, and mistakes are answers, too.
    fn answer_lines(&mut self) -> Result<(), Failure> {
        let is_typed = stdin().is_terminal();
        let mut reader = LineReader::open(Path::new("-"), self.calculator.budget())?;
        let mut any = false;
        while let Some(line) = reader.next_line()? {
            any = true;
            let wrong = |error: LineError| {
                let offset = line.column(error.offset) - 1;
                at(
                    reader.name(),
                    Some(line.number),
                    LineError { offset, ..error },
                )
            };
            let answered = self.answer(line.content(), wrong);
            // What was answered before a mistake stays answered.
            if is_typed || answered.is_err() {
                self.results.fill(|out| out.flush())?;
            }
            match answered {
                Err(mistake @ (Failure::Input { .. } | Failure::Computation(_))) if is_typed => {
                    // Without standard error there is nobody to tell.
                    let _ = writeln!(stderr(), "sunzi: {mistake}");
                }
                answered => answered?,
            }
        }
        match any {
            true => Ok(()),
            false => Err(reader.holds_no(ARGUMENT)),
        }
    }

    fn answer(&mut self, text: &[u8], wrong: impl Fn(LineError) -> Failure) -> Result<(), Failure> {
        let seconds = &mut self.figures.seconds;
        let value = timed(&mut seconds.computing, || self.calculator.value(text));
        let value = value.map_err(wrong)?;
        timed(&mut seconds.writing, || {
            let mut text = Vec::new();
            quoted(self.style, &mut text, |out| {
                out.extend_from_slice(value.to_string().as_bytes());
            });
            self.results.push(&text)
        })
    }

    fn end(self) -> Result<(), Failure> {
        let figures = self.figures.ended();
        self.results.close(|| figures)?.finish()
    }
}
