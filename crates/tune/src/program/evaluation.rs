//! What programs come to: in doubles for many shapes at a time, and exactly.

use sunzi_integer::Rational;

use super::bounds::exact;
use super::error::ProgramError;
use super::{Output, RationalProgram, Step};

/// The lesser, as all languages that programs are written in compute it.
fn lesser<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

fn larger<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { b } else { a }
}

/// One value for all lanes, or one for each.
struct Lanes<'a>(&'a [f64]);

impl Lanes<'_> {
    fn at(&self, lane: usize) -> f64 {
        self.0[if self.0.len() == 1 { 0 } else { lane }]
    }
}

/// Of two operands that are uniform or have one value a lane.
fn apply(a: &[f64], b: &[f64], to: &mut Vec<f64>, f: impl Fn(f64, f64) -> f64) {
    match (a, b) {
        (&[a], b) => to.extend(b.iter().map(|&b| f(a, b))),
        (a, &[b]) => to.extend(a.iter().map(|&a| f(a, b))),
        _ => to.extend(a.iter().zip(b).map(|(&a, &b)| f(a, b))),
    }
}

impl RationalProgram {
    /// The outputs for inputs within their ranges, in doubles.
    ///
    /// # Errors
    /// [`ProgramError::Count`], and [`ProgramError::Input`] out of the range.
    pub fn evaluate(&self, inputs: &[f64]) -> Result<Vec<f64>, ProgramError> {
        let lanes: Vec<&[f64]> = inputs.iter().map(std::slice::from_ref).collect();
        let outputs = self.evaluate_lanes(&lanes)?;
        Ok(outputs.iter().map(|values| values[0]).collect())
    }

    /// The outputs for many inputs at a time: each input has one value, or as many as the others that have more than one, and
    /// so has each output. What is the same for all is computed once.
    ///
    /// # Errors
    /// As [`RationalProgram::evaluate`]; lengths that differ are [`ProgramError::Count`].
    pub fn evaluate_lanes(&self, inputs: &[&[f64]]) -> Result<Vec<Vec<f64>>, ProgramError> {
        self.takes(inputs.len())?;
        let wanted = inputs.iter().map(|values| values.len());
        let wanted = wanted.filter(|&len| len != 1).max().unwrap_or(1);
        for (input, values) in self.inputs.iter().zip(inputs) {
            if values.is_empty() || values.len() != 1 && values.len() != wanted {
                let given = values.len();
                return Err(ProgramError::Count { given, wanted });
            }
            for &value in *values {
                if !(input.from..=input.to).contains(&value) {
                    return Err(ProgramError::Input {
                        name: input.name.clone(),
                        value,
                        from: input.from,
                        to: input.to,
                    });
                }
            }
        }
        // One vector for all steps: where each begins.
        let mut values = Vec::with_capacity(self.steps.len() * wanted);
        let mut starts = Vec::with_capacity(self.steps.len() + 1);
        let mut result = Vec::with_capacity(wanted);
        for step in &self.steps {
            starts.push(values.len());
            let of = |index: usize| -> &[f64] { &values[starts[index]..starts[index + 1]] };
            result.clear();
            let yes = |holds: bool| f64::from(u8::from(holds));
            match *step {
                Step::Input(input) => result.extend_from_slice(inputs[input]),
                Step::Constant(value) => result.push(value),
                Step::Add(a, b) => apply(of(a), of(b), &mut result, |a, b| a + b),
                Step::Subtract(a, b) => apply(of(a), of(b), &mut result, |a, b| a - b),
                Step::Multiply(a, b) => apply(of(a), of(b), &mut result, |a, b| a * b),
                Step::Divide(a, b) => apply(of(a), of(b), &mut result, |a, b| a / b),
                Step::Floor(a) => result.extend(of(a).iter().map(|a| a.floor())),
                Step::Ceiling(a) => result.extend(of(a).iter().map(|a| a.ceil())),
                Step::Minimum(a, b) => apply(of(a), of(b), &mut result, lesser),
                Step::Maximum(a, b) => apply(of(a), of(b), &mut result, larger),
                Step::Less(a, b) => apply(of(a), of(b), &mut result, |a, b| yes(a < b)),
                Step::AtMost(a, b) => apply(of(a), of(b), &mut result, |a, b| yes(a <= b)),
                Step::Equal(a, b) => apply(of(a), of(b), &mut result, |a, b| yes(a == b)),
                Step::Select(a, b, c) => {
                    let (a, b, c) = (Lanes(of(a)), Lanes(of(b)), Lanes(of(c)));
                    let lanes = a.0.len().max(b.0.len()).max(c.0.len());
                    let chosen = |lane| if a.at(lane) != 0.0 { &b } else { &c }.at(lane);
                    result.extend((0..lanes).map(chosen));
                }
            }
            values.extend_from_slice(&result);
        }
        starts.push(values.len());
        let output = |step: usize| values[starts[step]..starts[step + 1]].to_vec();
        Ok(self.outputs.iter().map(|one| output(one.step)).collect())
    }

    /// For each decision of the [`flowchart`](Self::flowchart) the answers for many inputs at a time, one where all are the same.
    ///
    /// # Errors
    /// As [`RationalProgram::evaluate_lanes`].
    pub fn decisions(&self, inputs: &[&[f64]]) -> Result<Vec<Vec<bool>>, ProgramError> {
        // The same program, which gives what it asks.
        let mut asked = Self {
            outputs: Vec::new(),
            ..self.clone()
        };
        for step in &self.steps {
            let question = match *step {
                Step::Minimum(a, b) => Step::Less(b, a),
                Step::Maximum(a, b) => Step::Less(a, b),
                Step::Select(a, ..) => {
                    asked.outputs.push(Output {
                        name: String::new(),
                        step: a,
                    });
                    continue;
                }
                _ => continue,
            };
            asked.outputs.push(Output {
                name: String::new(),
                step: asked.steps.len(),
            });
            asked.steps.push(question);
        }
        let answers = asked.evaluate_lanes(inputs)?.into_iter();
        let yes = |values: Vec<f64>| values.into_iter().map(|value| value != 0.0).collect();
        Ok(answers.map(yes).collect())
    }

    /// The outputs for inputs within their ranges, exactly.
    ///
    /// # Errors
    /// As [`RationalProgram::evaluate`].
    pub fn evaluate_exactly(&self, inputs: &[Rational]) -> Result<Vec<Rational>, ProgramError> {
        self.takes(inputs.len())?;
        for (input, value) in self.inputs.iter().zip(inputs) {
            let ends = exact(input.from).zip(exact(input.to));
            if !ends.is_some_and(|(from, to)| (&from..=&to).contains(&value)) {
                return Err(ProgramError::Input {
                    name: input.name.clone(),
                    value: value.to_f64(),
                    from: input.from,
                    to: input.to,
                });
            }
        }
        let mut values: Vec<Rational> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let of = |index: usize| &values[index];
            let yes = |holds: bool| Rational::from(u8::from(holds));
            let value = match *step {
                Step::Input(input) => inputs[input].clone(),
                Step::Constant(value) => {
                    exact(value).ok_or_else(|| ProgramError::Range(value.to_string()))?
                }
                Step::Add(a, b) => of(a) + of(b),
                Step::Subtract(a, b) => of(a) - of(b),
                Step::Multiply(a, b) => of(a) * of(b),
                Step::Divide(a, b) => of(a) / of(b),
                Step::Floor(a) => of(a).floor().into(),
                Step::Ceiling(a) => of(a).ceil().into(),
                Step::Minimum(a, b) => lesser(of(a), of(b)).clone(),
                Step::Maximum(a, b) => larger(of(a), of(b)).clone(),
                Step::Less(a, b) => yes(of(a) < of(b)),
                Step::AtMost(a, b) => yes(of(a) <= of(b)),
                Step::Equal(a, b) => yes(of(a) == of(b)),
                Step::Select(a, b, c) => if of(a).is_zero() { of(c) } else { of(b) }.clone(),
            };
            values.push(value);
        }
        let output = |step: usize| values[step].clone();
        Ok(self.outputs.iter().map(|one| output(one.step)).collect())
    }

    fn takes(&self, given: usize) -> Result<(), ProgramError> {
        let wanted = self.inputs.len();
        match given == wanted {
            true => Ok(()),
            false => Err(ProgramError::Count { given, wanted }),
        }
    }
}
