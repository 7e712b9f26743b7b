//! `sunzi poly`.

mod euclid;
mod eval;
mod interp;
mod mul;
mod over_integers;
mod points;
mod polynomials;

use crate::args::Common;
use crate::args::poly::PolyCommand;
use sunzi_files::error::Failure;

/// Runs a command on polynomials.
pub fn run(command: &PolyCommand, common: &Common) -> Result<(), Failure> {
    match command {
        PolyCommand::Mul(wanted) => mul::run(wanted, common),
        PolyCommand::Divrem(wanted) => euclid::divrem(wanted, common),
        PolyCommand::Gcd(wanted) => euclid::gcd(wanted, common),
        PolyCommand::Xgcd(wanted) => euclid::xgcd(wanted, common),
        PolyCommand::Resultant(wanted) => euclid::resultant(wanted, common),
        PolyCommand::Eval(wanted) => eval::run(wanted, common),
        PolyCommand::Interp(wanted) => interp::run(wanted, common),
    }
}
