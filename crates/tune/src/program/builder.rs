//! Programs, step by step.

use std::collections::HashMap;

use sunzi_integer::Rational;

use super::bounds::{self, Bounds, exact};
use super::error::ProgramError;
use super::{Input, InputKind, Output, RationalProgram, Step};

/// A value of the program that is being built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(usize);

/// Builds a [`RationalProgram`]. A step that is there already is not made twice, and what is known before running is computed
/// now: steps over constants, choices that always go one way, sums with 0 and products with 1.
#[derive(Debug, Default)]
pub struct ProgramBuilder {
    inputs: Vec<Input>,
    input_bounds: Vec<Bounds>,
    steps: Vec<Step>,
    bounds: Vec<Bounds>,
    known: HashMap<Key, Value>,
    outputs: Vec<Output>,
}

/// A step, with constants by their bits.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key(std::mem::Discriminant<Step>, [u64; 3]);

impl Key {
    fn of(step: Step) -> Self {
        let mut numbers = [u64::MAX; 3];
        match step {
            Step::Input(input) => numbers[0] = input as u64,
            Step::Constant(value) => numbers[0] = value.to_bits(),
            _ => (numbers.iter_mut().zip(step.operands()))
                .for_each(|(number, operand)| *number = operand as u64),
        }
        Key(std::mem::discriminant(&step), numbers)
    }
}

impl ProgramBuilder {
    /// A new input.
    ///
    /// # Errors
    /// A name or a range that is none, or a name that there is already.
    pub fn input(
        &mut self,
        name: &str,
        kind: InputKind,
        from: f64,
        to: f64,
    ) -> Result<Value, ProgramError> {
        let name = name.to_owned();
        if self.inputs.iter().any(|input| input.name == name) {
            return Err(ProgramError::Name(name));
        }
        let input = Input {
            name,
            kind,
            from,
            to,
        };
        self.input_bounds.push(bounds::of_input(&input)?);
        self.inputs.push(input);
        self.step(Step::Input(self.inputs.len() - 1))
    }

    /// A number.
    ///
    /// # Errors
    /// A number that is not finite.
    pub fn constant(&mut self, value: f64) -> Result<Value, ProgramError> {
        self.step(Step::Constant(value + 0.0)) // one zero
    }

    /// a + b
    ///
    /// # Errors
    /// [`ProgramError::Overflow`].
    pub fn add(&mut self, a: Value, b: Value) -> Result<Value, ProgramError> {
        match (self.number(a), self.number(b)) {
            (Some(0.0), _) => Ok(b),
            (_, Some(0.0)) => Ok(a),
            _ => self.step(Step::Add(a.0, b.0)),
        }
    }

    /// a − b
    ///
    /// # Errors
    /// [`ProgramError::Overflow`].
    pub fn subtract(&mut self, a: Value, b: Value) -> Result<Value, ProgramError> {
        match self.number(b) {
            Some(0.0) => Ok(a),
            _ => self.step(Step::Subtract(a.0, b.0)),
        }
    }

    /// a·b
    ///
    /// # Errors
    /// [`ProgramError::Overflow`].
    pub fn multiply(&mut self, a: Value, b: Value) -> Result<Value, ProgramError> {
        match (self.number(a), self.number(b)) {
            (Some(0.0), _) | (_, Some(1.0)) => Ok(a),
            (_, Some(0.0)) | (Some(1.0), _) => Ok(b),
            _ => self.step(Step::Multiply(a.0, b.0)),
        }
    }

    /// a/b
    ///
    /// # Errors
    /// [`ProgramError::Divisor`] unless b is proved not to be zero; [`ProgramError::Overflow`].
    pub fn divide(&mut self, a: Value, b: Value) -> Result<Value, ProgramError> {
        match self.number(b) {
            Some(1.0) => Ok(a),
            _ => self.step(Step::Divide(a.0, b.0)),
        }
    }

    /// ⌊a⌋
    ///
    /// # Errors
    /// None for values of this builder.
    pub fn floor(&mut self, a: Value) -> Result<Value, ProgramError> {
        self.step(Step::Floor(a.0))
    }

    /// ⌈a⌉
    ///
    /// # Errors
    /// None for values of this builder.
    pub fn ceiling(&mut self, a: Value) -> Result<Value, ProgramError> {
        self.step(Step::Ceiling(a.0))
    }

    /// The lesser of both.
    ///
    /// # Errors
    /// None for values of this builder.
    pub fn minimum(&mut self, a: Value, b: Value) -> Result<Value, ProgramError> {
        if self.bounds[a.0].highest <= self.bounds[b.0].lowest {
            return Ok(a);
        }
        if self.bounds[b.0].highest <= self.bounds[a.0].lowest {
            return Ok(b);
        }
        self.step(Step::Minimum(a.0, b.0))
    }

    /// The larger of both.
    ///
    /// # Errors
    /// None for values of this builder.
    pub fn maximum(&mut self, a: Value, b: Value) -> Result<Value, ProgramError> {
        if self.bounds[a.0].lowest >= self.bounds[b.0].highest {
            return Ok(a);
        }
        if self.bounds[b.0].lowest >= self.bounds[a.0].highest {
            return Ok(b);
        }
        self.step(Step::Maximum(a.0, b.0))
    }

    /// 1 where a < b, otherwise 0.
    ///
    /// # Errors
    /// None for values of this builder.
    pub fn less(&mut self, a: Value, b: Value) -> Result<Value, ProgramError> {
        self.step(Step::Less(a.0, b.0))
    }

    /// 1 where a ≤ b, otherwise 0.
    ///
    /// # Errors
    /// None for values of this builder.
    pub fn at_most(&mut self, a: Value, b: Value) -> Result<Value, ProgramError> {
        self.step(Step::AtMost(a.0, b.0))
    }

    /// 1 where a = b, otherwise 0.
    ///
    /// # Errors
    /// None for values of this builder.
    pub fn equal(&mut self, a: Value, b: Value) -> Result<Value, ProgramError> {
        self.step(Step::Equal(a.0, b.0))
    }

    /// `then` where the condition is not zero, `otherwise` where it is.
    ///
    /// # Errors
    /// None for values of this builder.
    pub fn select(
        &mut self,
        condition: Value,
        then: Value,
        otherwise: Value,
    ) -> Result<Value, ProgramError> {
        let bounds = &self.bounds[condition.0];
        if !bounds.contains(&Rational::ZERO) || then == otherwise {
            return Ok(then);
        }
        if bounds.lowest == bounds.highest {
            return Ok(otherwise);
        }
        self.step(Step::Select(condition.0, then.0, otherwise.0))
    }

    /// Names a value that the program gives.
    ///
    /// # Errors
    /// A name that is none, or that there is already.
    pub fn output(&mut self, name: &str, value: Value) -> Result<(), ProgramError> {
        let mut names = self.inputs.iter().map(|input| &input.name);
        let mut given = self.outputs.iter().map(|output| &output.name);
        if !super::is_name(name) || names.any(|n| n == name) || given.any(|n| n == name) {
            return Err(ProgramError::Name(name.to_owned()));
        }
        self.outputs.push(Output {
            name: name.to_owned(),
            step: value.0,
        });
        Ok(())
    }

    /// The program: steps that no output needs are left out.
    ///
    /// # Errors
    /// [`ProgramError::Empty`].
    pub fn build(self) -> Result<RationalProgram, ProgramError> {
        if self.outputs.is_empty() {
            return Err(ProgramError::Empty);
        }
        let mut needed = vec![false; self.steps.len()];
        for output in &self.outputs {
            needed[output.step] = true;
        }
        for (index, step) in self.steps.iter().enumerate().rev() {
            if needed[index] {
                step.operands().for_each(|operand| needed[operand] = true);
            }
        }
        let mut numbers = vec![0; self.steps.len()];
        let mut steps = Vec::new();
        for (index, step) in self.steps.iter().enumerate() {
            if needed[index] {
                numbers[index] = steps.len();
                steps.push(step.renumbered(|operand| numbers[operand]));
            }
        }
        let mut outputs = self.outputs;
        for output in &mut outputs {
            output.step = numbers[output.step];
        }
        Ok(RationalProgram {
            inputs: self.inputs,
            steps,
            outputs,
        })
    }

    /// The value of a constant.
    fn number(&self, value: Value) -> Option<f64> {
        match self.steps[value.0] {
            Step::Constant(number) => Some(number),
            _ => None,
        }
    }

    fn step(&mut self, step: Step) -> Result<Value, ProgramError> {
        let bounds = bounds::of_step(self.steps.len(), step, &self.input_bounds, &self.bounds)?;
        let step = self.folded(step, &bounds);
        let key = Key::of(step);
        if let Some(&value) = self.known.get(&key) {
            return Ok(value);
        }
        let value = Value(self.steps.len());
        self.steps.push(step);
        self.bounds.push(bounds);
        self.known.insert(key, value);
        Ok(value)
    }

    /// A constant, where a step has but one value and that is a double. Inputs keep their names.
    fn folded(&self, step: Step, bounds: &Bounds) -> Step {
        let decided = matches!(step, Step::Less(..) | Step::AtMost(..) | Step::Equal(..));
        let mut operands = step.operands();
        let constant = operands.all(|a| matches!(self.steps[a], Step::Constant(_)));
        let foldable = !matches!(step, Step::Input(_)) && (constant || decided);
        if foldable && bounds.lowest == bounds.highest {
            let number = bounds.lowest.to_f64();
            if exact(number).as_ref() == Some(&bounds.lowest) {
                return Step::Constant(number);
            }
        }
        step
    }
}
