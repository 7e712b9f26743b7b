//! Passes: kernels on ranges of points, on as many threads as help, and the recursive splitting that is
//! made of them.
//!
//! Long blocks are passed over four quarters at a time and split into four blocks; blocks that fit
//! the first-level cache are finished there. Every block lies in memory where its quarter was, so
//! a block that fits some cache is finished in that cache, whatever its size.
//!
//! [`TransformField`] makes kernels plain functions of a field: they are compiled in this crate, once for each
//! field of word size, and not in every crate that uses transforms.

use super::block::{Form, ForwardBlock, ForwardPass, InverseBlock, InversePass};
use super::import_export::{ExportPass, ImportPass};
use super::plan::{ALL_WRITTEN, GRAIN_FRACTION};
use super::points::{Export, Import, Pointwise, Square, SumOfProducts};
use super::tables::{Build, FindShape, Prepare, ProductFactor, Shape, Squares, Tables, View};
use super::tile::{ForwardRows, InverseRows, MoveRows};
use super::truncation_steps::{Fold, HalvesPass};
use crate::bit_reversal::ReverseTiles;
use sunzi_field::lanes::{LanesField, MAX_LANES};
use sunzi_field::{Fp32, Fp50, Fp64};
use sunzi_machine::{
    Grain, InstructionSet,
    threads::{Threads, join},
};

/// Bytes of a block that is finished without splitting further: fits a first-level cache of 32 KiB.
pub(super) const BLOCK_BYTES: usize = 1 << 15;
/// Points from which a pass is shared between threads.
const PARALLEL_LEN: usize = 1 << 16;

/// A field of word size, over which there are transforms: [`Fp32`], [`Fp50`] or [`Fp64`].
pub trait TransformField: LanesField {
    /// Runs a task.
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn run(&self, kernel: InstructionSet, task: Task<Self::Elem>);

    /// The layout of the tables.
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn shape(&self, kernel: InstructionSet) -> Shape;

    /// The multipliers of transforms of up to `points` points, those of squares among them or not.
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn build(&self, kernel: InstructionSet, points: usize, squares: Squares) -> Tables<Self::Elem>;

    /// The table entry of a multiplier, a canonical residue.
    #[doc(hidden)]
    fn prepare(&self, kernel: InstructionSet, value: u64) -> [Self::Elem; 2];

    /// The factor of a pointwise product, a canonical residue.
    #[doc(hidden)]
    fn product_factor(&self, kernel: InstructionSet) -> u64;
}

macro_rules! transform_field {
    ($($field:ty)*) => {
        $(impl TransformField for $field {
            #[allow(private_interfaces)]
            fn run(&self, kernel: InstructionSet, task: Task<Self::Elem>) {
                task.run(self, kernel);
            }

            #[allow(private_interfaces)]
            fn shape(&self, kernel: InstructionSet) -> Shape {
                self.dispatch(kernel, FindShape)
            }

            #[allow(private_interfaces)]
            fn build(&self, kernel: InstructionSet, points: usize, squares: Squares) -> Tables<Self::Elem> {
                let (field, shape) = (self, self.shape(kernel));
                self.dispatch(kernel, Build::new(field, points, shape, squares))
            }

            fn prepare(&self, kernel: InstructionSet, value: u64) -> [Self::Elem; 2] {
                self.dispatch(kernel, Prepare { value })
            }

            fn product_factor(&self, kernel: InstructionSet) -> u64 {
                self.dispatch(kernel, ProductFactor)
            }
        })*
    };
}

transform_field!(Fp32 Fp50 Fp64);

macro_rules! tasks {
    ($($name:ident($task:ty),)*) => {
        /// A kernel with what it works on.
        pub(crate) enum Task<W> {
            $($name($task),)*
        }

        $(impl<W> From<$task> for Task<W> {
            fn from(task: $task) -> Self {
                Self::$name(task)
            }
        })*

        impl<W: Copy + Default> Task<W> {
            fn run<F: LanesField<Elem = W>>(self, field: &F, kernel: InstructionSet) {
                match self {
                    $(Self::$name(task) => field.dispatch(kernel, task),)*
                }
            }
        }
    };
}

tasks! {
    ForwardBlock(ForwardBlock<W>),
    InverseBlock(InverseBlock<W>),
    ForwardPass(ForwardPass<W>),
    InversePass(InversePass<W>),
    ImportPass(ImportPass<W>),
    ExportPass(ExportPass<W>),
    HalvesPass(HalvesPass<W>),
    MoveRows(MoveRows<W>),
    ForwardRows(ForwardRows<W>),
    InverseRows(InverseRows<W>),
    Fold(Fold<W>),
    ReverseTiles(ReverseTiles<W>),
    Pointwise(Pointwise<W>),
    Product(SumOfProducts<W, 1>),
    SumOfTwo(SumOfProducts<W, 2>),
    Square(Square<W>),
    Import(Import<W>),
    Export(Export<W>),
}

/// The fastest available kernel, not above `kernel`, whose square block has at most `len` points.
pub(crate) fn kernel_for_len<F: TransformField>(
    field: &F,
    kernel: InstructionSet,
    len: usize,
) -> InstructionSet {
    let fits = |&k: &InstructionSet| field.shape(k).square() <= len;
    let mut candidates = InstructionSet::ALL
        .into_iter()
        .filter(|&k| k <= kernel && fits(&k));
    candidates.next_back().unwrap_or(InstructionSet::Portable)
}

/// A field, a kernel and its tables: what executes transforms and passes, whole or truncated.
#[derive(Clone, Debug)]
pub(crate) struct SplitContext<F: TransformField> {
    pub(crate) field: F,
    pub(crate) kernel: InstructionSet,
    grain: Grain,
    tables: Tables<F::Elem>,
}

/// Raw words of a vector, which threads share in disjoint parts.
///
/// It is made from a borrow that lasts until all of them are done, as [`pass`] and [`four`] return only then.
pub(crate) struct Shared<W>(pub(crate) *mut W);
impl<W> Clone for Shared<W> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<W> Copy for Shared<W> {}
// SAFETY: an address of words that may go to other threads; what they write through it are disjoint parts: the
// pieces of a range (`pass`) or the quarters of a block (`four`).
unsafe impl<W: Send> Send for Shared<W> {}
// SAFETY: a shared reference to the address gives no more than a copy of it.
unsafe impl<W: Send> Sync for Shared<W> {}

impl<W> Shared<W> {
    /// The word `offset` on.
    pub(crate) fn at(self, offset: usize) -> *mut W {
        self.0.wrapping_add(offset)
    }
}

/// A view of tables that outlive the threads which use it.
pub(crate) struct SharedView<W>(pub(crate) View<W>);
// SAFETY: it reads tables that hold still: they are borrowed until `pass` returns.
unsafe impl<W: Sync> Sync for SharedView<W> {}
impl<W: Copy> SharedView<W> {
    pub(crate) fn get(&self) -> View<W> {
        self.0
    }
}

/// Runs the task `run(from, count)` on all positions below `count`, in pieces on several threads
/// when the work is worth it. If the range is whole vectors, or whole pairs of them, so are the pieces.
pub(crate) fn pass<F: TransformField, T>(
    context: &SplitContext<F>,
    count: usize,
    run: impl Fn(usize, usize) -> T + Sync,
) where
    T: Into<Task<F::Elem>>,
{
    let dispatch = |from: usize, count: usize| context.run(run(from, count));
    let threads = sunzi_machine::threads::count();
    if threads > 1 && count >= (context.shared_len() / 4).max(1) {
        let piece = count.div_ceil(2 * threads).next_multiple_of(2 * MAX_LANES);
        pieces(&dispatch, 0, count, piece);
    } else {
        dispatch(0, count);
    }
}

/// Runs `f(from, count)` on pieces of at most `piece` positions of a range, each on some thread.
fn pieces(f: &(impl Fn(usize, usize) + Sync), from: usize, count: usize, piece: usize) {
    if count <= piece {
        return f(from, count);
    }
    let half = count.div_ceil(piece) / 2 * piece;
    join(
        || pieces(f, from, half, piece),
        || pieces(f, from + half, count - half, piece),
    );
}

/// Runs `f(0..4)`, on several threads when the work is worth it.
pub(crate) fn four<F: TransformField>(
    context: &SplitContext<F>,
    len: usize,
    f: impl Fn(usize) + Sync,
) {
    Threads::when(len >= context.shared_len()).each(0..4, f);
}

impl<F: TransformField> SplitContext<F> {
    /// For transforms of up to `points` points, whole or truncated.
    ///
    /// The caller has checked that the field has roots of the order of the next power of two.
    pub(crate) fn new(field: &F, kernel: InstructionSet, points: usize, grain: Grain) -> Self {
        let kernel = field.supported(kernel);
        let shape = field.shape(kernel);
        let whole = points.next_power_of_two();
        // Where it is longer, the grain of truncated transforms is no shorter than a square block.
        let all_written = grain.of(ALL_WRITTEN).max(GRAIN_FRACTION * shape.square());
        let points = if whole <= all_written {
            whole.max(shape.square())
        } else {
            points
        };
        Self {
            field: field.clone(),
            kernel,
            grain,
            tables: field.build(kernel, points, Squares::Written),
        }
    }

    pub(crate) fn tables(&self) -> &Tables<F::Elem> {
        &self.tables
    }

    /// Layout of the arithmetic.
    pub(crate) fn shape(&self) -> Shape {
        self.tables.shape()
    }

    /// Runs a kernel on one thread.
    pub(crate) fn run(&self, task: impl Into<Task<F::Elem>>) {
        self.field.run(self.kernel, task.into());
    }

    /// Evaluates the polynomial with coefficients `x` at the roots of its block, `index` of its
    /// level; `x.len()` is a power of two, at least a square block and at most that of the tables.
    pub(crate) fn forward(&self, x: &mut [F::Elem], index: usize) {
        self.forward_part(Shared(x.as_mut_ptr()), x.len(), index, Form::Lazy);
    }

    /// The same on the `len` points at `x`, with values in some form. They are this call's alone.
    pub(crate) fn forward_part(&self, x: Shared<F::Elem>, len: usize, index: usize, form: Form) {
        self.tables.check_block(len, index);
        let view = self.tables.view();
        if self.is_block(len) {
            let task = ForwardBlock {
                data: x.at(0),
                len,
                index,
                view,
                import: false,
                form,
            };
            return self.run(task);
        }
        let quarter = len / 4;
        let shared_view = SharedView(view);
        pass(self, quarter, |from, count| ForwardPass {
            quarters: [0, 1, 2, 3].map(|q| x.at(q * quarter + from)),
            count,
            index,
            view: shared_view.get(),
        });
        four(self, len, |q| {
            self.forward_part(Shared(x.at(q * quarter)), quarter, 4 * index + q, form)
        });
    }

    /// Undoes [`SplitContext::forward`] up to a factor `x.len()`.
    pub(crate) fn inverse(&self, x: &mut [F::Elem], index: usize) {
        self.inverse_part(Shared(x.as_mut_ptr()), x.len(), index, Form::Lazy);
    }

    /// The same on the `len` points at `x`, with values in some form. They are this call's alone.
    pub(crate) fn inverse_part(&self, x: Shared<F::Elem>, len: usize, index: usize, form: Form) {
        self.tables.check_block(len, index);
        let view = self.tables.view();
        if self.is_block(len) {
            let task = InverseBlock {
                data: x.at(0),
                len,
                index,
                view,
                form,
                export: None,
            };
            return self.run(task);
        }
        let quarter = len / 4;
        four(self, len, |q| {
            self.inverse_part(Shared(x.at(q * quarter)), quarter, 4 * index + q, form)
        });
        let shared_view = SharedView(view);
        pass(self, quarter, |from, count| InversePass {
            quarters: [0, 1, 2, 3].map(|q| x.at(q * quarter + from)),
            count,
            index,
            view: shared_view.get(),
        });
    }

    /// Points from which threads share a pass.
    pub(crate) fn shared_len(&self) -> usize {
        self.grain.of(PARALLEL_LEN)
    }

    pub(crate) fn is_block(&self, len: usize) -> bool {
        // A pass takes two vectors of each quarter at a time.
        let least = 4 * self.shape().square().max(2);
        len * size_of::<F::Elem>() <= self.grain.of(BLOCK_BYTES) || len < least
    }

    /// Multiplies the first `count` points of `x` by those of `y`, up to the product factor.
    pub(crate) fn multiply_points(&self, x: &mut [F::Elem], y: &[F::Elem], count: usize) {
        self.tables.check_vectors(count);
        assert!(count <= x.len().min(y.len()));
        let (x, y) = (Shared(x.as_mut_ptr()), Shared(y.as_ptr().cast_mut()));
        pass(self, count, |from, count| Pointwise {
            a: x.at(from),
            b: y.at(from),
            count,
        });
    }

    /// The sums of the products of one pair or two at the first `count` points, up to the product factor.
    pub(crate) fn sum_products(
        &self,
        out: &mut [F::Elem],
        pairs: &[[&[F::Elem]; 2]],
        count: usize,
    ) {
        self.tables.check_vectors(count);
        assert!(count <= out.len());
        assert!(pairs.iter().flatten().all(|values| count <= values.len()));
        let out = Shared(out.as_mut_ptr());
        let shared = |pair: [&[F::Elem]; 2]| pair.map(|values| Shared(values.as_ptr().cast_mut()));
        let at = |pair: [Shared<F::Elem>; 2], from| pair.map(|values| values.at(from).cast_const());
        match *pairs {
            [pair] => {
                let pair = shared(pair);
                pass(self, count, |from, count| SumOfProducts {
                    out: out.at(from),
                    pairs: [at(pair, from)],
                    count,
                });
            }
            [first, second] => {
                let pairs = [first, second].map(shared);
                pass(self, count, |from, count| SumOfProducts {
                    out: out.at(from),
                    pairs: pairs.map(|pair| at(pair, from)),
                    count,
                });
            }
            _ => unreachable!("one pair or two"),
        }
    }

    /// Squares the first `count` points of `x`, up to the product factor.
    pub(crate) fn square_points(&self, x: &mut [F::Elem], count: usize) {
        self.tables.check_vectors(count);
        assert!(count <= x.len());
        let x = Shared(x.as_mut_ptr());
        pass(self, count, |from, count| Square {
            a: x.at(from),
            count,
        });
    }

    /// Brings canonical residues, whole vectors of them, to the private form.
    pub(crate) fn import_points(&self, x: &mut [F::Elem]) {
        self.tables.check_vectors(x.len());
        let (data, count) = (Shared(x.as_mut_ptr()), x.len());
        pass(self, count, |from, count| Import {
            data: data.at(from),
            count,
        });
    }

    /// Brings private residues, whole vectors of them, times a prepared multiplier to canonical
    /// ones.
    pub(crate) fn export_points(&self, x: &mut [F::Elem], scale: [F::Elem; 2]) {
        self.tables.check_vectors(x.len());
        let (data, count) = (Shared(x.as_mut_ptr()), x.len());
        pass(self, count, |from, count| Export {
            data: data.at(from),
            count,
            scale,
        });
    }
}
