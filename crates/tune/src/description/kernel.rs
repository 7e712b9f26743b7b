//! A kernel as it is described.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::argument::{KernelArgument, NumberOf};
use super::expression::Expression;

/// A parameter and its values: all from the first to the last for data.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub name: String,
    pub lowest: i64,
    pub highest: i64,
    pub values: Vec<i64>,
    /// Values to measure at.
    pub samples: Vec<i64>,
}

/// What a thread touches: an element whose index is affine in the thread's place and in counters of loops.
#[derive(Clone, Debug)]
pub struct Access {
    pub(crate) array: String,
    pub(crate) element: u64,
    /// Over data parameters, then the variables.
    pub(crate) index: Expression,
    pub(crate) variables: Vec<Variable>,
}

impl Access {
    /// The array's name.
    pub fn array(&self) -> &str {
        &self.array
    }
}

/// What an index varies with.
#[derive(Clone, Debug)]
pub(crate) enum Variable {
    /// A thread's place in this dimension of the grid.
    Thread(usize),
    /// A counter that runs so often.
    Loop(Expression),
}

/// A kernel: its parameters, legal shapes, blocks and accesses.
#[derive(Clone, Debug)]
pub struct Kernel {
    pub(crate) name: String,
    pub(crate) entry: String,
    pub(crate) definitions: Vec<(String, NumberOf)>,
    pub(crate) arguments: Vec<KernelArgument>,
    pub(crate) data: Vec<Parameter>,
    pub(crate) program: Vec<Parameter>,
    pub(crate) shapes: Vec<Vec<i64>>,
    pub(crate) block: Vec<Expression>,
    pub(crate) grid: Vec<Expression>,
    pub(crate) accesses: Vec<Access>,
    /// Registers of a thread, and bytes of shared memory of a block.
    pub(crate) registers: Option<Expression>,
    pub(crate) shared: Option<Expression>,
    /// What compiled kernels take, by shapes: it goes before what is described.
    pub(crate) compiled: BTreeMap<Vec<i64>, Resources>,
}

/// What a compiled kernel takes of a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resources {
    /// Registers of a thread.
    pub registers: u64,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u64,
}

impl Kernel {
    /// The kernel's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of its function in a program.
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// Macros that its program is compiled with: their names and values.
    pub fn definitions(&self) -> &[(String, NumberOf)] {
        &self.definitions
    }

    /// What it is called with; nothing where its description does not say.
    pub fn arguments(&self) -> &[KernelArgument] {
        &self.arguments
    }

    /// Data to measure at, upward: those that its description names, or powers of two from 64 on, as far as the ranges go.
    pub fn samples(&self) -> Vec<Vec<i64>> {
        let counts = self.data.iter().map(|parameter| parameter.samples.len());
        let row = |index: usize| {
            self.data
                .iter()
                .map(|parameter| parameter.samples[index])
                .collect()
        };
        (0..counts.min().unwrap_or(0)).map(row).collect()
    }

    /// Names of the data parameters, in the order of their values.
    pub fn data_names(&self) -> impl Iterator<Item = &str> {
        self.data.iter().map(|parameter| parameter.name.as_str())
    }

    /// Names of the program parameters, in the order of their values in shapes.
    pub fn program_names(&self) -> impl Iterator<Item = &str> {
        self.program.iter().map(|parameter| parameter.name.as_str())
    }

    /// All shapes that meet the constraints, whatever the data: at least one.
    pub fn shapes(&self) -> &[Vec<i64>] {
        &self.shapes
    }

    /// What the kernel touches; nothing where its description does not say.
    pub fn accesses(&self) -> &[Access] {
        &self.accesses
    }

    /// The same kernel as if its description did not say what it touches.
    pub fn without_accesses(mut self) -> Self {
        self.accesses.clear();
        self
    }

    /// The same kernel with what its compiled shapes take, which goes before what its description says.
    pub fn with_resources(mut self, compiled: BTreeMap<Vec<i64>, Resources>) -> Self {
        self.compiled = compiled;
        self
    }

    /// What a compiled shape takes, if that is known.
    pub(crate) fn resources(&self, shape: &[i64]) -> Option<Resources> {
        self.compiled.get(shape).copied()
    }

    /// Whether data are as many as the parameters and within their ranges.
    pub fn takes(&self, data: &[i64]) -> bool {
        data.len() == self.data.len()
            && (self.data.iter().zip(data)).all(|(p, v)| (p.lowest..=p.highest).contains(v))
    }

    /// Whether a shape meets the constraints.
    pub fn is_legal(&self, shape: &[i64]) -> bool {
        // In alphabetical order of values: they are enumerated so.
        self.shapes
            .binary_search_by(|known| known.as_slice().cmp(shape))
            .is_ok()
    }

    /// Blocks of a launch; `None` for data out of range or an illegal shape.
    pub fn blocks(&self, data: &[i64], shape: &[i64]) -> Option<u64> {
        let [_, blocks] = self.launch_boxes(data, shape)?;
        Some(blocks.into_iter().fold(1, u64::saturating_mul))
    }

    /// Threads of a block and blocks, in each dimension; `None` for data out of range or an illegal shape.
    pub fn launch_boxes(&self, data: &[i64], shape: &[i64]) -> Option<[[u64; 3]; 2]> {
        let values = [data, shape].concat();
        let side = |expressions: &[Expression], index: usize| {
            expressions
                .get(index)
                .map_or(1, |side| side.value(&values).max(1) as u64)
        };
        let box_of = |expressions: &[Expression]| [0, 1, 2].map(|index| side(expressions, index));
        (self.takes(data) && self.is_legal(shape))
            .then(|| [box_of(&self.block), box_of(&self.grid)])
    }
}
