//! `sunzi poly`.

mod eval;
mod interp;
mod mul;
mod pairs;
mod points;

use crate::args::{Common, poly::PolyCommand};
use pairs::{Pairs, Wanted};
use serde_json::{Map, Value};
use sunzi_files::error::Failure;

/// Runs a command on polynomials.
pub fn run(command: &PolyCommand, common: &Common) -> Result<(), Failure> {
    let polynomials = |wanted, arguments| Pairs::of(wanted, arguments, common).run();
    match command {
        PolyCommand::Mul(arguments) => mul::run(arguments, common),
        PolyCommand::Divrem(arguments) => polynomials(Wanted::Division, arguments),
        PolyCommand::Gcd(arguments) => polynomials(Wanted::Gcd, arguments),
        PolyCommand::Xgcd(arguments) => polynomials(Wanted::ExtendedGcd, arguments),
        PolyCommand::Resultant(arguments) => Pairs {
            wanted: Wanted::Resultant,
            files: &arguments.files,
            modulus: &arguments.modulus.prime,
            pretty: false,
            max_memory: arguments.memory.bytes,
            common,
        }
        .run(),
        PolyCommand::Eval(arguments) => eval::run(arguments, common),
        PolyCommand::Interp(arguments) => interp::run(arguments, common),
    }
}

/// What the JSON form tells first; the modulus is a text, as JSON numbers lose digits in many programs.
fn facts(command: &str, modulus: Option<&str>) -> Map<String, Value> {
    Map::from_iter([
        ("command".to_owned(), Value::from(command)),
        ("modulus".to_owned(), Value::from(modulus)),
    ])
}
