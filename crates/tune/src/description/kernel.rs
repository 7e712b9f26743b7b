//! A kernel as it is described.

use super::expression::Expression;

/// A parameter and its values: all from the first to the last for data.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub name: String,
    pub lowest: i64,
    pub highest: i64,
    pub values: Vec<i64>,
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
    pub(crate) data: Vec<Parameter>,
    pub(crate) program: Vec<Parameter>,
    pub(crate) shapes: Vec<Vec<i64>>,
    pub(crate) block: Vec<Expression>,
    pub(crate) grid: Vec<Expression>,
    pub(crate) accesses: Vec<Access>,
}

impl Kernel {
    /// The kernel's name.
    pub fn name(&self) -> &str {
        &self.name
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
        (self.takes(data) && self.is_legal(shape)).then(|| self.launch(&[data, shape].concat()).1)
    }

    /// Threads of a block in each dimension, and blocks in all, for data and a shape that are within their ranges.
    pub(crate) fn launch(&self, values: &[i64]) -> ([u64; 3], u64) {
        let mut threads = [1; 3];
        for (threads, expression) in threads.iter_mut().zip(&self.block) {
            *threads = expression.value(values).max(1) as u64;
        }
        let dimensions = self
            .grid
            .iter()
            .map(|expression| expression.value(values).max(1) as u64);
        (threads, dimensions.fold(1, u64::saturating_mul))
    }
}
