//! What a tree asks of the field that its points are in.

use crate::buffer::Buffer;
use crate::error::GpuError;
use crate::stream::Stream;
use bytemuck::Pod;
use std::fmt::Debug;

/// Arithmetic on vectors of elements, which are [`WIDTH`](Self::WIDTH) words each. Numbers of elements, and places in
/// buffers, are counted in elements; callers have checked that all that is read and written is there.
///
/// A node over d points is x^d + c_(d−1) x^(d−1) + … + c_0; the d elements c_i stand for it. Nodes of a level lie one after the
/// other, N elements in all.
pub trait Arithmetic: Debug + Send + Sync {
    /// What buffers have.
    type Word: Pod + Debug + Send + Sync;

    /// How it multiplies polynomials.
    type Transforms: Transforms<Self::Word>;

    /// Words of an element.
    const WIDTH: usize;

    /// The transforms of all levels.
    fn transforms(&self) -> &Self::Transforms;

    /// Copies a part of a vector to `length` elements.
    fn part(
        &self,
        stream: &Stream,
        to: (&mut Buffer<Self::Word>, usize),
        length: usize,
        from: &Buffer<Self::Word>,
        part: Part,
    ) -> Result<(), GpuError>;

    /// The leaves over N points; or, with factors c, the sums of c_i M / (x − u_i) over the points of each leaf M.
    fn leaves(
        &self,
        stream: &Stream,
        to: &mut Buffer<Self::Word>,
        points: &Buffer<Self::Word>,
        factors: Option<&Buffer<Self::Word>>,
    ) -> Result<(), GpuError>;

    /// Vectors of 2d elements for transforms of a level's polynomials, of d elements, `monic` ones with their leading 1.
    /// Products of two modulo x^d − 1, those of all levels but the leaves', have that 1 added to their constant term: it is taken
    /// off.
    fn spread(
        &self,
        stream: &Stream,
        to: &mut Buffer<Self::Word>,
        from: &Buffer<Self::Word>,
        level: usize,
        monic: bool,
    ) -> Result<(), GpuError>;

    /// The terms of 1 / R for R = 1 + …, as many as a leaf has points.
    fn invert_leaf(
        &self,
        stream: &Stream,
        to: &mut Buffer<Self::Word>,
        from: &Buffer<Self::Word>,
    ) -> Result<(), GpuError>;

    /// The upper halves of vectors of the level's length, 2N elements in all.
    fn upper(
        &self,
        stream: &Stream,
        level: usize,
        to: &mut Buffer<Self::Word>,
        from: &Buffer<Self::Word>,
    ) -> Result<(), GpuError>;

    /// Values at the points of leaves. What comes down to leaf M is the part of f / M in x^−1, x^−2 …: s_0, s_1, …, the last
    /// first. With `rest` this is for one more part of N coefficients of a longer polynomial: what is there is multiplied by
    /// u^N.
    fn values(
        &self,
        stream: &Stream,
        to: (&mut Buffer<Self::Word>, usize),
        down: &Buffer<Self::Word>,
        leaves: &Buffer<Self::Word>,
        points: &Buffer<Self::Word>,
        rest: bool,
    ) -> Result<(), GpuError>;

    /// The derivative of x^−z M, for the root M over N points of which z are 0 and only fill it up.
    fn derivative(
        &self,
        stream: &Stream,
        to: &mut Buffer<Self::Word>,
        root: &Buffer<Self::Word>,
    ) -> Result<(), GpuError>;

    /// The elements that values are divided by, in the form that [`divide`](Self::divide) takes; or the number of the first
    /// that is 0. Waits.
    fn prepare_weights(
        &self,
        stream: &Stream,
        weights: Buffer<Self::Word>,
    ) -> Result<Result<Buffer<Self::Word>, usize>, GpuError>;

    /// Values divided by weights, for each point; 0 for those that fill the tree up.
    fn divide(
        &self,
        stream: &Stream,
        to: &mut Buffer<Self::Word>,
        values: (&Buffer<Self::Word>, usize),
        weights: &Buffer<Self::Word>,
    ) -> Result<(), GpuError>;
}

/// Transforms of vectors of elements, which are `W` words, on all levels: of 2d points for nodes over d.
pub trait Transforms<W: Pod>: Debug + Send + Sync {
    /// What buffers of values have.
    type Value: Pod + Debug + Send + Sync;

    /// The values of `batch` vectors of the level's length, at the beginning of a buffer.
    fn forward(
        &self,
        stream: &Stream,
        level: usize,
        vectors: Buffer<W>,
        batch: usize,
    ) -> Result<Buffer<Self::Value>, GpuError>;

    /// Vectors from their values.
    fn inverse(
        &self,
        stream: &Stream,
        level: usize,
        values: Buffer<Self::Value>,
        batch: usize,
    ) -> Result<Buffer<W>, GpuError>;

    /// Multiplies the values of a vector by those of another.
    fn multiply(
        &self,
        stream: &Stream,
        level: usize,
        a: &mut Buffer<Self::Value>,
        b: &Buffer<Self::Value>,
    ) -> Result<(), GpuError>;

    /// Of vectors two by two, 2N elements in all: the products of neighbours.
    fn products(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<Self::Value>,
    ) -> Result<Buffer<Self::Value>, GpuError>;

    /// What goes down from nodes, N elements in all, to their children: the node's vector times the other child's.
    fn down(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<Self::Value>,
        nodes: &Buffer<Self::Value>,
    ) -> Result<Buffer<Self::Value>, GpuError>;

    /// What goes up from children to nodes: each child's vector times the other child, added up.
    fn up(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<Self::Value>,
        nodes: &Buffer<Self::Value>,
    ) -> Result<Buffer<Self::Value>, GpuError>;
}

/// The elements of a vector that [`Arithmetic::part`] takes.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The first of them, and how many; those beyond are 0.
    pub first: usize,
    pub count: usize,
    pub order: Order,
    pub negated: bool,
    /// Whether the first one becomes 1.
    pub lead: bool,
}

/// Whether element j is number j, or number s − j.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    Forward,
    Backward(usize),
}

impl Part {
    /// These elements, as they are.
    pub const fn of(first: usize, count: usize) -> Self {
        Self {
            first,
            count,
            order: Order::Forward,
            negated: false,
            lead: false,
        }
    }

    /// Those elements from number `shift` backwards.
    pub const fn backward(first: usize, count: usize, shift: usize) -> Self {
        Self {
            order: Order::Backward(shift),
            ..Self::of(first, count)
        }
    }

    /// What kernels are told of the order.
    pub(super) const fn shift(&self) -> (u32, u32) {
        match self.order {
            Order::Forward => (0, 0),
            Order::Backward(shift) => (shift as u32, 1),
        }
    }
}
