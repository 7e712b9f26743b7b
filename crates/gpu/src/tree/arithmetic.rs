//! What is done to vectors of a tree's elements.
//!
//! Elements are words, one or more each; their numbers, and places in buffers, are counted in elements. Callers have checked
//! that all that is read and written is there.
//!
//! A node over d points is x^d + c_(d−1) x^(d−1) + … + c_0; the d elements c_i stand for it. Nodes of a level lie one after
//! the other, N elements in all.

use super::field::Field;
use super::kernels::{
    Derivative, Inverse, LeafValues, Leaves, PartValues, Spread, TakePart, Upper, Weights,
};
use super::plan::TreePlan;
use super::transforms::Transforms;
use sunzi_device::{Buffer, GpuError, Kernel, Program, Stream};

/// Arithmetic on vectors, and transforms of them.
#[derive(Debug)]
pub(super) struct Arithmetic {
    plan: TreePlan,
    field: Field,
    part: Kernel,
    spread: Kernel,
    upper: Kernel,
    derivative: Kernel,
    leaves: OfLeaves,
    pub transforms: Transforms,
}

/// What is done within leaves.
#[derive(Debug)]
enum OfLeaves {
    /// A group of threads has a leaf.
    Groups(Box<LeafKernels>),
    /// A leaf is x − u for a point u, and what comes down to it is the value there.
    Points { values: Kernel },
}

/// The kernels of leaves that groups have.
#[derive(Debug)]
struct LeafKernels {
    leaves: Kernel,
    inverse: Kernel,
    values: Kernel,
    weights: Kernel,
}

impl Arithmetic {
    /// By the program of a field.
    pub(super) fn new(
        plan: TreePlan,
        field: Field,
        program: &Program,
        transforms: Transforms,
    ) -> Result<Self, GpuError> {
        let kernel = |what| field.kernel(program, what);
        let leaves = if field.has_leaves() {
            OfLeaves::Groups(Box::new(LeafKernels {
                leaves: kernel("leaves")?,
                inverse: kernel("inverse")?,
                values: kernel("values")?,
                weights: kernel("weights")?,
            }))
        } else {
            let values = kernel("values")?;
            OfLeaves::Points { values }
        };
        Ok(Self {
            plan,
            part: kernel("part")?,
            spread: kernel("spread")?,
            upper: kernel("upper")?,
            derivative: kernel("derivative")?,
            leaves,
            transforms,
            field,
        })
    }

    /// Words of 32 bits of an element.
    pub(super) const fn width(&self) -> usize {
        self.field.width()
    }

    /// Copies a part of a vector to `length` elements.
    pub(super) fn part(
        &self,
        stream: &Stream,
        (to, to_first): (&mut Buffer<u32>, usize),
        length: usize,
        from: &Buffer<u32>,
        part: Part,
    ) -> Result<(), GpuError> {
        let (shift, backwards) = part.shift();
        let parameters = TakePart {
            to,
            to_first: to_first as u64,
            length: length as u32,
            from,
            first: part.first as u64,
            count: part.count as u32,
            shift,
            backwards,
            negated: part.negated,
            lead: part.lead,
            field: self.field.constants(),
        };
        stream.launch(&self.part, self.field.launch(length, 1)?, parameters)
    }

    /// The leaves over N points; or, with factors c, the sums of c_i M / (x − u_i) over the points of each leaf M.
    pub(super) fn leaves(
        &self,
        stream: &Stream,
        to: &mut Buffer<u32>,
        points: &Buffer<u32>,
        factors: Option<&Buffer<u32>>,
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let OfLeaves::Groups(kernels) = &self.leaves else {
            let negated = Part {
                negated: factors.is_none(),
                ..Part::of(0, n)
            };
            return self.part(stream, (to, 0), n, factors.unwrap_or(points), negated);
        };
        let parameters = Leaves {
            to,
            points,
            c: factors.unwrap_or(points),
            sums: factors.is_some(),
            field: self.field.to_multiply(),
        };
        stream.launch(&kernels.leaves, self.field.launch(n, 1)?, parameters)
    }

    /// Vectors of 2d elements for transforms of a level's polynomials, of d elements, `monic` ones with their leading 1.
    /// Products of two modulo x^d − 1, those of all levels but the leaves', have that 1 added to their constant term: it is
    /// taken off.
    pub(super) fn spread(
        &self,
        stream: &Stream,
        to: &mut Buffer<u32>,
        from: &Buffer<u32>,
        level: usize,
        monic: bool,
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let parameters = Spread {
            to,
            from,
            count: n as u32,
            log_d: self.plan.log_points(level) - 1,
            monic,
            wrapped: monic && level > 0,
            field: self.field.constants(),
        };
        stream.launch(&self.spread, self.field.launch(n, 1)?, parameters)
    }

    /// The terms of 1 / R for R = 1 + …, as many as a leaf has points.
    pub(super) fn invert_leaf(
        &self,
        stream: &Stream,
        to: &mut Buffer<u32>,
        from: &Buffer<u32>,
    ) -> Result<(), GpuError> {
        let OfLeaves::Groups(kernels) = &self.leaves else {
            // The first term is 1.
            return self.part(stream, (to, 0), 1, from, Part::of(0, 1));
        };
        let field = self.field.to_multiply();
        let launch = self.field.launch(self.plan.leaf, 1)?;
        stream.launch(&kernels.inverse, launch, Inverse { to, from, field })
    }

    /// The upper halves of vectors of the level's length, 2N elements in all.
    pub(super) fn upper(
        &self,
        stream: &Stream,
        level: usize,
        to: &mut Buffer<u32>,
        from: &Buffer<u32>,
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let parameters = Upper {
            to,
            from,
            count: n as u32,
            log_d: self.plan.log_points(level) - 1,
            field: self.field.to_copy(),
        };
        stream.launch(&self.upper, self.field.launch(n, 1)?, parameters)
    }

    /// Values at the points of leaves. What comes down to leaf M is the part of f / M in x^−1, x^−2 …: s_0, s_1, …, the last
    /// first. With `rest` this is for one more part of N coefficients of a longer polynomial: what is there is multiplied by
    /// u^N.
    pub(super) fn values(
        &self,
        stream: &Stream,
        (to, to_first): (&mut Buffer<u32>, usize),
        down: &Buffer<u32>,
        leaves: &Buffer<u32>,
        points: &Buffer<u32>,
        rest: bool,
    ) -> Result<(), GpuError> {
        let (n, count) = (self.plan.padded(), self.plan.points);
        match &self.leaves {
            OfLeaves::Groups(kernels) => {
                let parameters = LeafValues {
                    to,
                    to_first: to_first as u64,
                    count: count as u32,
                    down,
                    leaves,
                    points,
                    log_n: n.ilog2(),
                    rest,
                    field: self.field.to_multiply(),
                };
                stream.launch(&kernels.values, self.field.launch(n, 1)?, parameters)
            }
            OfLeaves::Points { .. } if !rest => {
                self.part(stream, (to, to_first), count, down, Part::of(0, count))
            }
            OfLeaves::Points { values } => {
                let parameters = PartValues {
                    to,
                    to_first: to_first as u64,
                    count: count as u32,
                    values: down,
                    points,
                    log_n: n.ilog2(),
                    field: self.field.to_multiply(),
                };
                stream.launch(values, self.field.launch(count, 1)?, parameters)
            }
        }
    }

    /// The derivative of x^−z M, for the root M over N points of which z are 0 and only fill it up.
    pub(super) fn derivative(
        &self,
        stream: &Stream,
        to: &mut Buffer<u32>,
        root: &Buffer<u32>,
    ) -> Result<(), GpuError> {
        let (n, points) = (self.plan.padded(), self.plan.points);
        let parameters = Derivative {
            to,
            root,
            n: n as u32,
            zeros: (n - points) as u32,
            field: self.field.to_multiply(),
        };
        stream.launch(&self.derivative, self.field.launch(points, 1)?, parameters)
    }

    /// The elements that values are divided by, in the form that [`divide`](Self::divide) takes; or the number of the first
    /// that is 0. Waits.
    pub(super) fn prepare_weights(
        &self,
        stream: &Stream,
        weights: Buffer<u32>,
    ) -> Result<Result<Buffer<u32>, usize>, GpuError> {
        let count = self.plan.points;
        let mut found = vec![0u32; count * self.width()];
        stream.read(&weights, &mut found)?;
        let mut elements = found.chunks(self.width());
        let zero = elements.position(|words| words.iter().all(|&word| word == 0));
        match (zero, self.transforms.of_digits()) {
            (Some(zero), _) => Ok(Err(zero)),
            (None, None) => Ok(Ok(weights)),
            (None, Some(products)) => {
                let inverses = products.inverses(stream, weights.cast(), count)?;
                Ok(Ok(inverses.cast()))
            }
        }
    }

    /// Values divided by weights, for each point; 0 for those that fill the tree up.
    pub(super) fn divide(
        &self,
        stream: &Stream,
        to: &mut Buffer<u32>,
        (values, first): (&Buffer<u32>, usize),
        weights: &Buffer<u32>,
    ) -> Result<(), GpuError> {
        let (n, count) = (self.plan.padded(), self.plan.points);
        if let Some(products) = self.transforms.of_digits() {
            let part = Part::of(first, count);
            self.part(stream, (&mut *to, 0), n, values, part)?;
            let weights = (weights.cast_ref(), 0);
            return products.multiply_elements(stream, (to.cast_mut(), 0), weights, count);
        }
        let OfLeaves::Groups(kernels) = &self.leaves else {
            unreachable!("leaves of one point are those of elements of digits")
        };
        let parameters = Weights {
            to,
            length: n as u32,
            y: values,
            y_first: first as u64,
            w: weights,
            count: count as u32,
            field: self.field.to_multiply(),
        };
        stream.launch(&kernels.weights, self.field.launch(n, 1)?, parameters)
    }
}

/// The elements of a vector that [`Arithmetic::part`] takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
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
pub(super) enum Order {
    Forward,
    Backward(usize),
}

impl Part {
    /// These elements, as they are.
    pub(super) const fn of(first: usize, count: usize) -> Self {
        Self {
            first,
            count,
            order: Order::Forward,
            negated: false,
            lead: false,
        }
    }

    /// Those elements from number `shift` backwards.
    pub(super) const fn backward(first: usize, count: usize, shift: usize) -> Self {
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
