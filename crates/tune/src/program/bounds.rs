//! Between which values the steps of a program are, by interval arithmetic over exact numbers.

use std::collections::HashSet;

use sunzi_integer::{Natural, Rational};

use super::error::ProgramError;
use super::{Input, RationalProgram, Step, is_name};

/// Bits of the largest value: doubles have 1024.
const MOST_BITS: usize = 1000;

/// A least and a largest value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bounds {
    pub lowest: Rational,
    pub highest: Rational,
}

impl Bounds {
    fn one(value: Rational) -> Self {
        Bounds {
            lowest: value.clone(),
            highest: value,
        }
    }

    pub fn contains(&self, value: &Rational) -> bool {
        (&self.lowest..=&self.highest).contains(&value)
    }

    /// Of a function that is monotone in each of two arguments.
    fn of_corners(a: &Self, b: &Self, f: impl Fn(&Rational, &Rational) -> Rational) -> Self {
        let mut values = vec![
            f(&a.lowest, &b.lowest),
            f(&a.lowest, &b.highest),
            f(&a.highest, &b.lowest),
            f(&a.highest, &b.highest),
        ];
        values.sort();
        Bounds {
            highest: values.swap_remove(3),
            lowest: values.swap_remove(0),
        }
    }
}

/// The exact value of a double.
pub(super) fn exact(value: f64) -> Option<Rational> {
    Rational::from_f64(value)
}

pub(super) fn of_input(input: &Input) -> Result<Bounds, ProgramError> {
    if !is_name(&input.name) {
        return Err(ProgramError::Name(input.name.clone()));
    }
    let ends = exact(input.from).zip(exact(input.to));
    let (lowest, highest) = ends
        .filter(|(lowest, highest)| lowest <= highest)
        .ok_or_else(|| {
            ProgramError::Range(format!("{} in {}..{}", input.name, input.from, input.to))
        })?;
    Ok(Bounds { lowest, highest })
}

/// The bounds of step `index`, whose operands have the bounds `known`.
pub(super) fn of_step(
    index: usize,
    step: Step,
    inputs: &[Bounds],
    known: &[Bounds],
) -> Result<Bounds, ProgramError> {
    if step.operands().any(|operand| operand >= known.len()) {
        return Err(ProgramError::Order { step: index });
    }
    let yes_or_no = |always: bool, never: bool| Bounds {
        lowest: Rational::from(u8::from(always)),
        highest: Rational::from(u8::from(!never)),
    };
    let bounds = match step {
        Step::Input(input) => inputs
            .get(input)
            .cloned()
            .ok_or(ProgramError::Order { step: index })?,
        Step::Constant(value) => {
            Bounds::one(exact(value).ok_or_else(|| ProgramError::Range(value.to_string()))?)
        }
        Step::Add(a, b) => Bounds {
            lowest: &known[a].lowest + &known[b].lowest,
            highest: &known[a].highest + &known[b].highest,
        },
        Step::Subtract(a, b) => Bounds {
            lowest: &known[a].lowest - &known[b].highest,
            highest: &known[a].highest - &known[b].lowest,
        },
        Step::Multiply(a, b) => Bounds::of_corners(&known[a], &known[b], |x, y| x * y),
        Step::Divide(a, b) => {
            let divisor = &known[b];
            if divisor.contains(&Rational::ZERO) {
                return Err(ProgramError::Divisor {
                    step: index,
                    lowest: divisor.lowest.to_f64(),
                    highest: divisor.highest.to_f64(),
                });
            }
            Bounds::of_corners(&known[a], divisor, |x, y| x / y)
        }
        Step::Floor(a) => Bounds {
            lowest: known[a].lowest.floor().into(),
            highest: known[a].highest.floor().into(),
        },
        Step::Ceiling(a) => Bounds {
            lowest: known[a].lowest.ceil().into(),
            highest: known[a].highest.ceil().into(),
        },
        Step::Minimum(a, b) => Bounds {
            lowest: (&known[a].lowest).min(&known[b].lowest).clone(),
            highest: (&known[a].highest).min(&known[b].highest).clone(),
        },
        Step::Maximum(a, b) => Bounds {
            lowest: (&known[a].lowest).max(&known[b].lowest).clone(),
            highest: (&known[a].highest).max(&known[b].highest).clone(),
        },
        Step::Less(a, b) => yes_or_no(
            known[a].highest < known[b].lowest,
            known[a].lowest >= known[b].highest,
        ),
        Step::AtMost(a, b) => yes_or_no(
            known[a].highest <= known[b].lowest,
            known[a].lowest > known[b].highest,
        ),
        Step::Equal(a, b) => {
            let (a, b) = (&known[a], &known[b]);
            yes_or_no(
                a.lowest == a.highest && a == b,
                a.highest < b.lowest || b.highest < a.lowest,
            )
        }
        Step::Select(_, b, c) => Bounds {
            lowest: (&known[b].lowest).min(&known[c].lowest).clone(),
            highest: (&known[b].highest).max(&known[c].highest).clone(),
        },
    };
    let most = Rational::from(Natural::ONE << MOST_BITS);
    if bounds.highest > most || bounds.lowest < -most {
        return Err(ProgramError::Overflow { step: index });
    }
    Ok(bounds)
}

/// Checks a program that was not made by a builder.
pub(super) fn check(program: &RationalProgram) -> Result<(), ProgramError> {
    if program.outputs.is_empty() {
        return Err(ProgramError::Empty);
    }
    let inputs: Vec<Bounds> = program
        .inputs
        .iter()
        .map(of_input)
        .collect::<Result<_, _>>()?;
    let mut known = Vec::with_capacity(program.steps.len());
    for (index, step) in program.steps.iter().enumerate() {
        known.push(of_step(index, *step, &inputs, &known)?);
    }
    let mut names = HashSet::new();
    let inputs = program.inputs.iter().map(|input| &input.name);
    for name in inputs.chain(program.outputs.iter().map(|output| &output.name)) {
        if !is_name(name) || !names.insert(name) {
            return Err(ProgramError::Name(name.clone()));
        }
    }
    let wrong = program
        .outputs
        .iter()
        .find(|output| output.step >= known.len());
    wrong.map_or(Ok(()), |output| {
        Err(ProgramError::Order { step: output.step })
    })
}
