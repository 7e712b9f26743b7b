//! What a kernel is called with.

use serde::Deserialize;

use super::expression::Expression;

/// What an element of a buffer, or a number, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Element {
    /// A signed integer of 32 bits.
    I32,
    /// An unsigned integer of 32 bits.
    U32,
    /// A floating-point number of 32 bits.
    F32,
    /// A signed integer of 64 bits.
    I64,
    /// An unsigned integer of 64 bits.
    U64,
    /// A floating-point number of 64 bits.
    F64,
}

impl Element {
    /// Bytes.
    pub fn bytes(self) -> usize {
        match self {
            Element::I32 | Element::U32 | Element::F32 => 4,
            Element::I64 | Element::U64 | Element::F64 => 8,
        }
    }

    /// Whether results may differ by rounding.
    pub fn rounds(self) -> bool {
        matches!(self, Element::F32 | Element::F64)
    }
}

/// What a buffer holds before a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fill {
    /// Zeros.
    #[default]
    Zeros,
    /// 0, 1, 2, …
    Index,
    /// Random elements, the same for every shape: integers below 2^16, floating-point numbers in [0, 1).
    Random,
}

/// An argument of a kernel, in the order of its parameters.
#[derive(Clone, Debug)]
pub enum KernelArgument {
    /// A buffer.
    Buffer(BufferArgument),
    /// A number.
    Value {
        /// What it is.
        element: Element,
        /// Over the data, then the shape.
        value: NumberOf,
    },
}

/// A buffer that a kernel is called with.
#[derive(Clone, Debug)]
pub struct BufferArgument {
    /// Its name.
    pub name: String,
    /// What its elements are.
    pub element: Element,
    /// How many: over the data, then the shape.
    pub length: NumberOf,
    /// What it holds before a run.
    pub fill: Fill,
    /// Whether it must be the same after a run, whatever the shape.
    pub is_result: bool,
}

/// A number that depends on the data and the shape.
#[derive(Clone, Debug)]
pub struct NumberOf(pub(crate) Expression);

impl NumberOf {
    /// Which value it is as it stands, counted through the data and then the shape; `None` for what has to be computed.
    pub fn parameter(&self) -> Option<usize> {
        match self.0 {
            Expression::Value(index) => Some(index),
            _ => None,
        }
    }

    /// The number for data and a shape that the kernel takes.
    pub fn at(&self, data: &[i64], shape: &[i64]) -> i64 {
        self.0.value(&[data, shape].concat())
    }
}
