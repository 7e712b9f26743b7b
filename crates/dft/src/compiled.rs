//! Kernels as plain functions of a field: they are compiled in this crate, once for each field of word size, and not
//! wherever a transform is used.

use sunzi_field::InstructionSet;
use sunzi_field::grain::Grain;
use sunzi_field::lanes::LanesField;
use sunzi_field::{Fp32, Fp50, Fp64};

use crate::block::{ForwardBlock, ForwardPass, HalvesPass, InverseBlock, InversePass};
use crate::finished_block::{
    ExportPass, ForwardFinished, ImportPass, InverseFinished, Prepare, ProductFactor,
};
use crate::fold::Fold;
use crate::lane_reversal::ReverseTiles;
use crate::points::{Export, Import, Pointwise, Square, SumOfProducts};
use crate::tables::{Build, FindShape, Shape, Tables};

/// A field of word size, over which there are transforms: [`Fp32`], [`Fp50`] or [`Fp64`].
pub trait TransformField: LanesField {
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn run(&self, kernel: InstructionSet, task: Task<Self::Elem>);

    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn shape(&self, kernel: InstructionSet) -> Shape;

    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn build(&self, kernel: InstructionSet, grain: Grain, points: usize) -> Tables<Self>;

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
            fn build(&self, kernel: InstructionSet, grain: Grain, points: usize) -> Tables<Self> {
                self.dispatch(kernel, Build::new(self, kernel, grain, points))
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
        /// One of the kernels, with what it works on.
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
    ForwardFinished(ForwardFinished<W>),
    InverseFinished(InverseFinished<W>),
    ForwardPass(ForwardPass<W>),
    InversePass(InversePass<W>),
    ImportPass(ImportPass<W>),
    ExportPass(ExportPass<W>),
    HalvesPass(HalvesPass<W>),
    Fold(Fold<W>),
    ReverseTiles(ReverseTiles<W>),
    Pointwise(Pointwise<W>),
    Product(SumOfProducts<W, 1>),
    SumOfTwo(SumOfProducts<W, 2>),
    Square(Square<W>),
    Import(Import<W>),
    Export(Export<W>),
}

impl<F: TransformField> Tables<F> {
    /// Runs a kernel on one thread.
    pub(crate) fn run(&self, task: impl Into<Task<F::Elem>>) {
        self.field.run(self.kernel, task.into());
    }
}
