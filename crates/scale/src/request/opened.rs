//! A request whose inputs are open: the plan that it has, and whether one that was begun can be gone on with.

use super::Request;
use crate::buffer::PAGE;
use crate::error::ScaleError;
use crate::input::{Vector, check_points};
use crate::npy::word_of_result;
use crate::plan::{Plan, Problem, Route};
use crate::task::entries::Entries;
use crate::task::{Operation, Task, check};
use sunzi_dft::AnyBands;
use sunzi_field::AnyField;
use sunzi_machine::memory::Shown;
use sunzi_machine::threads;

/// The inputs, opened, and what they make of the request.
pub(super) struct Opened<'a> {
    request: &'a Request,
    operation: Operation,
    pub(super) vectors: Vec<Vector>,
    /// Points N of the transforms, and elements of the output.
    points: usize,
    outputs: usize,
    /// The fields that are computed in, and whether what is found there is put together.
    fields: Vec<AnyField>,
    is_combined: bool,
    /// Words of an element of the output.
    digits_of_output: usize,
}

impl<'a> Opened<'a> {
    pub(super) fn new(
        request: &'a Request,
        operation: Operation,
        vectors: Vec<Vector>,
    ) -> Result<Self, ScaleError> {
        let given = [&vectors[0].given, &vectors[vectors.len() - 1].given];
        let lengths = given.map(|given| given.elements);
        let entries = &request.entries;
        let (points, outputs) = match operation {
            Operation::Transform { .. } => (lengths[0], lengths[0]),
            Operation::Product => {
                let outputs = entries.of_product(lengths);
                (outputs.max(1).next_power_of_two(), outputs)
            }
        };
        let (fields, is_combined) = entries.fields(operation, points, given);
        for field in &fields {
            check_points(field, points)?;
        }
        Ok(Self {
            request,
            operation,
            digits_of_output: match operation {
                Operation::Transform { .. } => entries.digits(),
                Operation::Product => entries.digits_of_product(given),
            },
            vectors,
            points,
            outputs,
            fields,
            is_combined,
        })
    }

    /// Bytes of a word of the output.
    fn word_of_output(&self) -> usize {
        match self.request.entries.field() {
            Some(field) => word_of_result(field, self.word_of_inputs()),
            None => 8,
        }
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
        let (field, digits) = (&self.fields[0], self.request.entries.digits());
        let elements = [
            digits * self.word_of_inputs(),
            field.element_bytes(),
            self.digits_of_output * self.word_of_output(),
        ];
        let (inputs, primes) = (self.vectors.len(), self.primes());
        let given = self
            .vectors
            .iter()
            .map(|vector| (vector.given.elements * digits * vector.given.word) as u64);
        with(&Problem {
            points: self.points,
            elements,
            ends: [given.sum(), (self.outputs * elements[2]) as u64],
            route: self.operation.route(inputs),
            vectors: match self.is_combined {
                false => inputs + usize::from(self.operation.is_to_natural()),
                // Those of residues, and one more.
                true => inputs + primes + 1,
            },
            primes,
            carries: matches!(self.request.entries, Entries::Limbs),
            ranks: self.request.ranks.size(),
            keeps_matrices: self.request.scratch.is_none(),
            windows: self
                .vectors
                .iter()
                .filter(|vector| !vector.given.start.is_multiple_of(PAGE as u64))
                .count(),
            given: self.vectors[0].matrix,
            working: &|height, width| {
                // A row that is multiplied by itself, on each thread.
                let again = match self.operation.route(inputs) {
                    Route::Square => (threads::count() * width * elements[1]) as u64,
                    _ => 0,
                };
                AnyBands::working_bytes(field, height, width).saturating_add(again)
            },
        })
    }

    /// As in a plan.
    fn primes(&self) -> usize {
        if self.is_combined { self.fields.len() } else { 0 }
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

    /// What is drawn for what a new job checks.
    pub(super) fn drawn(&self) -> Vec<usize> {
        match self.request.verify {
            true => check::draw(&self.request.entries, self.operation, self.points),
            false => Vec::new(),
        }
    }

    /// What is done by a plan.
    pub(super) fn task(&self, plan: Plan) -> Task {
        Task {
            entries: self.request.entries.clone(),
            fields: self.fields.clone(),
            operation: self.operation,
            plan,
            inputs: self.vectors.iter().map(|vector| vector.given).collect(),
            outputs: self.outputs,
            word: self.fields[0].word_bits() / 8,
            word_of_output: self.word_of_output(),
            digits_of_output: self.digits_of_output,
        }
    }
}
