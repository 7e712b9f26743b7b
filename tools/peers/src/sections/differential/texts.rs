//! Texts of integers, decimal and hexadecimal, against GMP.

use std::sync::Arc;

use rug::Integer as GmpInteger;
use rug::integer::Order;
use sunzi_integer::text::{self, DecimalTables};
use sunzi_integer::{Integer, Multiplier};

use super::operation::Operation;
use super::trial::Trial;

/// A way with decimal digits.
type Way = fn(&Multiplier, &mut Trial, &GmpInteger);

pub fn operations() -> Vec<Operation> {
    let multiplier = Arc::new(Multiplier::new());
    let decimal = |name, value: fn(&mut Trial) -> GmpInteger, case: Way| {
        let multiplier = multiplier.clone();
        Operation::new(name, "GMP", move |trial| {
            let value = value(trial);
            case(&multiplier, trial, &value);
        })
    };
    vec![
        decimal("decimal-format", short, format_decimal),
        decimal("decimal-format-long", long, format_decimal),
        decimal("decimal-parse", short, parse_decimal),
        decimal("decimal-parse-long", long, parse_decimal),
        Operation::alone("hex", "GMP", hex),
    ]
}

/// An integer of either sign; powers of ten and their neighbours, too.
fn integer(trial: &mut Trial, length: usize) -> GmpInteger {
    let mut value = match trial.below(6) {
        0 => {
            let digits = trial.below(19 * length + 1) as u32;
            let power = GmpInteger::from(GmpInteger::u_pow_u(10, digits));
            power + GmpInteger::from(trial.below(3)) - 1u32
        }
        _ => GmpInteger::from_digits(&trial.limbs(length), Order::Lsf),
    };
    if trial.below(3) == 0 {
        value = -value;
    }
    value
}

fn short(trial: &mut Trial) -> GmpInteger {
    let length = trial.length(30, 400);
    integer(trial, length)
}

/// Threads share the halves of 512 chunks of 19 digits and more, which are about as many limbs.
fn long(trial: &mut Trial) -> GmpInteger {
    let length = trial.beside(&[512, 1024, 2048]);
    integer(trial, length)
}

fn format_decimal(multiplier: &Multiplier, trial: &mut Trial, value: &GmpInteger) {
    let theirs = value.to_string();
    let value = Integer::from(value);
    let mut ours = Vec::new();
    let done = DecimalTables::new().format(multiplier, &value, &mut ours);
    if trial.expect("digits", done).is_some() {
        trial.compare("digits", &ours, theirs.as_bytes());
    }
    trial.compare_one("text", value.to_string(), theirs);
}

fn parse_decimal(multiplier: &Multiplier, trial: &mut Trial, value: &GmpInteger) {
    let mut digits = value.to_string();
    if trial.below(4) == 0 && *value >= 0 {
        digits = format!("{}{digits}", "0".repeat(trial.below(40)));
    }
    let ours = text::DecimalTables::new().parse(multiplier, digits.as_bytes());
    if let Some(ours) = trial.expect("integer", ours) {
        compare_integers(trial, &ours, value);
    }
}

/// Compares sign and limbs.
pub fn compare_integers(trial: &mut Trial, ours: &Integer, theirs: &GmpInteger) {
    trial.compare_one("sign", ours.is_negative(), *theirs < 0);
    let limbs = ours.magnitude().as_limbs();
    trial.compare("limbs", limbs, &theirs.as_abs().to_digits(Order::Lsf));
}

fn hex(trial: &mut Trial) {
    let value = short(trial);
    let sign = if value < 0 { "-" } else { "" };
    let theirs = format!("{sign}0x{}", value.as_abs().to_string_radix(16));
    let ours = format!("{:#x}", Integer::from(&value));
    trial.compare("hexadecimal digits", ours.as_bytes(), theirs.as_bytes());
    let ours = theirs.parse();
    if let Some(ours) = trial.expect("integer", ours) {
        compare_integers(trial, &ours, &value);
    }
}
