//! Programs as graphs of kernels.

use dashu_ratio::RBig;
use thiserror::Error;

use super::{MachineModel, ManyCoreCosts};

/// A kernel: blocks that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelCosts {
    /// Blocks.
    pub blocks: u64,
    /// Operations of all threads of a block.
    pub work: u64,
    /// Operations of the thread that has the most.
    pub span: u64,
    /// Words that a thread reads from the memory that all share, and writes to it.
    pub words: u64,
}

/// A kernel of a [`ManyCoreProgram`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelId(usize);

/// A kernel that is to come after one that the program does not have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the program has no kernel {0:?} yet: kernels come after those that they wait for")]
pub struct UnknownKernel(pub KernelId);

/// A program: kernels, and which wait for which. It has no cycles, since a kernel waits only for those that are there already.
///
/// ```
/// use sunzi_model::{KernelCosts, MachineModel, ManyCoreProgram};
///
/// let mut program = ManyCoreProgram::default();
/// let step = KernelCosts { blocks: 4, work: 64, span: 2, words: 3 };
/// let first = program.kernel(step, &[])?;
/// program.kernel(step, &[first])?;
/// let costs = program.costs(&MachineModel { u: 5_u8.into(), z: 1024, sms: 2 });
/// assert_eq!((costs.work, costs.span), (512_u16.into(), 4_u8.into()));
/// assert_eq!((costs.blocks, costs.path, costs.longest), (8_u8.into(), 2_u8.into(), 17_u8.into()));
/// # Ok::<(), sunzi_model::UnknownKernel>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ManyCoreProgram {
    kernels: Vec<KernelCosts>,
    /// The operations, and the kernels, of the longest path to each kernel, itself included.
    paths: Vec<(u128, u64)>,
}

impl ManyCoreProgram {
    /// A further kernel, which begins when those before it have ended.
    ///
    /// # Errors
    /// [`UnknownKernel`] for kernels of another program.
    pub fn kernel(
        &mut self,
        costs: KernelCosts,
        after: &[KernelId],
    ) -> Result<KernelId, UnknownKernel> {
        let (mut span, mut length) = (0, 0);
        for before in after {
            let (own_span, own_length) = self.paths.get(before.0).ok_or(UnknownKernel(*before))?;
            span = span.max(*own_span);
            length = length.max(*own_length);
        }
        self.paths.push((span + u128::from(costs.span), length + 1));
        self.kernels.push(costs);
        Ok(KernelId(self.kernels.len() - 1))
    }

    /// Its costs. The overhead is a sum over the parallel steps; each kernel is in one of them.
    pub fn costs(&self, machine: &MachineModel) -> ManyCoreCosts {
        let sum = |of: &dyn Fn(&KernelCosts) -> RBig| {
            self.kernels
                .iter()
                .map(of)
                .fold(RBig::ZERO, |all, x| all + x)
        };
        let overhead = |kernel: &KernelCosts| RBig::from(kernel.words) * &machine.u;
        let cycles = |kernel: &KernelCosts| RBig::from(kernel.span) + overhead(kernel);
        let spans = self.paths.iter().map(|path| path.0);
        let lengths = self.paths.iter().map(|path| path.1);
        ManyCoreCosts {
            work: sum(&|kernel| RBig::from(kernel.blocks) * RBig::from(kernel.work)),
            span: spans.max().unwrap_or_default().into(),
            overhead: sum(&|kernel| RBig::from(kernel.blocks) * overhead(kernel)),
            blocks: sum(&|kernel| kernel.blocks.into()),
            path: lengths.max().unwrap_or_default().into(),
            longest: self.kernels.iter().map(cycles).max().unwrap_or_default(),
        }
    }
}
