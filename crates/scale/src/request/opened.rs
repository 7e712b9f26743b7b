//! A request whose inputs are open: the plan that it has, and whether one that was begun can be gone on with.

use super::Request;
use crate::buffer::PAGE;
use crate::error::ScaleError;
use crate::input::{Vector, check_points};
use crate::npy::word_of_result;
use crate::plan::{Plan, Problem, Route};
use crate::task::{Operation, Task};
use std::hash::{BuildHasher, RandomState};
use sunzi_dft::AnyBands;
use sunzi_machine::memory::Shown;
use sunzi_machine::threads;

/// Values that are compared with their definition.
const CHECKED: usize = 3;

/// The inputs, opened, and what they make of the request.
pub(super) struct Opened<'a> {
    request: &'a Request,
    operation: Operation,
    pub(super) vectors: Vec<Vector>,
    /// Points N of the transforms, and elements of the output.
    points: usize,
    outputs: usize,
}

impl<'a> Opened<'a> {
    pub(super) fn new(
        request: &'a Request,
        operation: Operation,
        vectors: Vec<Vector>,
    ) -> Result<Self, ScaleError> {
        let (points, outputs) = match operation {
            Operation::Transform { .. } => (vectors[0].given.elements, vectors[0].given.elements),
            Operation::Product => {
                let [a, b] = [0, vectors.len() - 1].map(|operand| vectors[operand].given.elements);
                // Without coefficients a polynomial is 0, and so is the product.
                let outputs = if a == 0 || b == 0 { 0 } else { a + b - 1 };
                (outputs.max(1).next_power_of_two(), outputs)
            }
        };
        check_points(&request.field, points)?;
        Ok(Self {
            request,
            operation,
            vectors,
            points,
            outputs,
        })
    }

    /// Bytes of a word of the output.
    fn word_of_output(&self) -> usize {
        word_of_result(&self.request.field, self.word_of_inputs())
    }

    /// Bytes of the longest word of the inputs.
    fn word_of_inputs(&self) -> usize {
        self.vectors
            .iter()
            .map(|vector| vector.given.word)
            .max()
            .unwrap_or(8)
    }

    fn problem<R>(&self, with: impl FnOnce(&Problem<'_>) -> R) -> R {
        let field = &self.request.field;
        let digits = field.width();
        let words = [
            self.word_of_inputs(),
            field.word_bits() / 8,
            self.word_of_output(),
        ];
        let elements = words.map(|word| digits * word);
        let given = self
            .vectors
            .iter()
            .map(|vector| (vector.given.elements * digits * vector.given.word) as u64);
        with(&Problem {
            points: self.points,
            elements,
            ends: [given.sum(), (self.outputs * elements[2]) as u64],
            route: self.operation.route(self.vectors.len()),
            vectors: self.vectors.len() + usize::from(self.operation.is_to_natural()),
            windows: self
                .vectors
                .iter()
                .filter(|vector| !vector.given.start.is_multiple_of(PAGE as u64))
                .count(),
            given: self.vectors[0].matrix,
            working: &|height, width| {
                // A row that is multiplied by itself, on each thread.
                let again = match self.operation.route(self.vectors.len()) {
                    Route::Square => (threads::count() * width * elements[1]) as u64,
                    _ => 0,
                };
                AnyBands::working_bytes(field, height, width).saturating_add(again)
            },
        })
    }

    /// The plan of a new job.
    pub(super) fn plan(&self) -> Result<Plan, ScaleError> {
        self.problem(|problem| match self.request.plan {
            Some(plan) if plan.fits(problem) => Ok(plan),
            Some(plan) => {
                let problem = format!("the plan is not for it: {plan}");
                Err(ScaleError::input(&self.request.inputs[0], problem))
            }
            None => problem.plan(self.request.memory()[0]),
        })
    }

    /// Whether a plan that was begun can be gone on with now, and what memory it takes here.
    pub(super) fn accept(&self, plan: &mut Plan) -> Result<(), String> {
        let (asked, [_, memory]) = (self.request.plan, self.request.memory());
        self.problem(|problem| {
            let is_asked = asked.is_none_or(|asked| asked.line() == plan.line());
            if !is_asked || !plan.fits(problem) {
                return Err(format!("another plan ({plan})"));
            }
            plan.memory = problem.memory(plan);
            match plan.memory > memory && asked.is_none() {
                true => Err(format!(
                    "more memory or fewer threads: its plan takes {} by {} threads, and {} can be used",
                    Shown(plan.memory),
                    threads::count(),
                    Shown(memory)
                )),
                false => Ok(()),
            }
        })
    }

    /// What a new job checks: indices of values, or points at which polynomials have values.
    pub(super) fn places(&self) -> Vec<usize> {
        let random = RandomState::new();
        let count = if self.request.verify { CHECKED } else { 0 };
        let place = |i: usize| match self.operation {
            Operation::Transform { .. } => random.hash_one(i) as usize & (self.points - 1),
            Operation::Product => random.hash_one(i) as usize,
        };
        (0..count).map(place).collect()
    }

    /// What is done by a plan.
    pub(super) fn task(&self, plan: Plan) -> Task {
        Task {
            field: self.request.field.clone(),
            operation: self.operation,
            plan,
            inputs: self.vectors.iter().map(|vector| vector.given).collect(),
            outputs: self.outputs,
            word: self.request.field.word_bits() / 8,
            word_of_output: self.word_of_output(),
        }
    }
}
