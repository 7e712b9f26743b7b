//! Programs as graphs of kernels.

use std::collections::BTreeMap;

use sunzi_integer::Rational;
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

impl KernelCosts {
    /// Cycles to move the words of a block.
    fn moving(&self, machine: &MachineModel) -> Rational {
        Rational::from(self.words) * &machine.u
    }

    /// Cycles of a block.
    fn cycles(&self, machine: &MachineModel) -> Rational {
        Rational::from(self.span) + self.moving(machine)
    }
}

/// Kernels of a program by its steps, each of which waits for the one before.
pub(super) type Steps = Vec<Vec<KernelCosts>>;

/// So many threads, all alike, in blocks of `block` of them.
pub(super) fn sheet(all: u64, block: u64, operations: u64, words: u64) -> KernelCosts {
    let block = block.clamp(1, all.max(1));
    KernelCosts {
        blocks: all.div_ceil(block),
        work: block * operations,
        span: operations,
        words,
    }
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
/// use sunzi::tune::{KernelCosts, MachineModel, ManyCoreProgram};
///
/// let mut program = ManyCoreProgram::default();
/// let step = KernelCosts { blocks: 4, work: 64, span: 2, words: 3 };
/// let first = program.kernel(step, &[])?;
/// program.kernel(step, &[first])?;
/// let costs = program.costs(&MachineModel { u: 5_u8.into(), z: 1024, sms: 2 });
/// assert_eq!((costs.work, costs.span), (512_u16.into(), 4_u8.into()));
/// assert_eq!((costs.blocks, costs.path, costs.longest), (8_u8.into(), 2_u8.into(), 17_u8.into()));
/// # Ok::<(), sunzi::tune::UnknownKernel>(())
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
        let unknown = after.iter().find(|before| before.0 >= self.paths.len());
        unknown.map_or(Ok(()), |before| Err(UnknownKernel(*before)))?;
        Ok(self.append(costs, after))
    }

    /// A further kernel, after those of this program.
    fn append(&mut self, costs: KernelCosts, after: &[KernelId]) -> KernelId {
        let (mut span, mut length) = (0, 0);
        for (own_span, own_length) in after.iter().filter_map(|before| self.paths.get(before.0)) {
            span = span.max(*own_span);
            length = length.max(*own_length);
        }
        self.paths.push((span + u128::from(costs.span), length + 1));
        self.kernels.push(costs);
        KernelId(self.kernels.len() - 1)
    }

    /// The program of steps that come one after the other: the kernels of a step run at a time, when those of the step before have
    /// ended.
    ///
    /// ```
    /// use sunzi::tune::{KernelCosts, MachineModel, ManyCoreProgram};
    ///
    /// let kernel = KernelCosts { blocks: 4, work: 64, span: 2, words: 3 };
    /// let longer = KernelCosts { span: 7, ..kernel };
    /// let program = ManyCoreProgram::of_steps([vec![kernel, longer], vec![kernel]]);
    /// let costs = program.costs(&MachineModel { u: 1_u8.into(), z: 1024, sms: 2 });
    /// assert_eq!((costs.span, costs.path, costs.blocks), (9_u8.into(), 2_u8.into(), 12_u8.into()));
    /// ```
    pub fn of_steps(steps: impl IntoIterator<Item = Vec<KernelCosts>>) -> Self {
        let mut program = Self::default();
        let mut before = Vec::new();
        for step in steps {
            let kernels = step.into_iter();
            before = kernels
                .map(|kernel| program.append(kernel, &before))
                .collect();
        }
        program
    }

    /// The sum over its parallel steps of (N/p + 1)·C, for the N blocks of a step and its longest one: cycles at most, if a step
    /// begins when the one before has ended. Where kernels are far apart this is far below the bound of all steps together
    /// ([`ManyCoreCosts::bound`]), which counts every block as long as the longest.
    pub fn bound_by_steps(&self, machine: &MachineModel) -> Rational {
        self.bound_with_launches(machine, &Rational::ZERO)
    }

    /// The same where each step takes as many cycles as a launch at least: the model has none, and where kernels are short they take
    /// most of the time.
    ///
    /// ```
    /// use sunzi::{Rational, tune::{KernelCosts, MachineModel, ManyCoreProgram}};
    ///
    /// let kernel = |span| vec![KernelCosts { blocks: 2, work: 64, span, words: 0 }];
    /// let program = ManyCoreProgram::of_steps([kernel(5), kernel(300)]);
    /// let machine = MachineModel { u: 1_u8.into(), z: 1024, sms: 2 };
    /// // (2/2 + 1)·5 cycles are less than a launch, (2/2 + 1)·300 are more.
    /// let bound = program.bound_with_launches(&machine, &Rational::from(100));
    /// assert_eq!(bound, Rational::from(700));
    /// ```
    pub fn bound_with_launches(&self, machine: &MachineModel, launch: &Rational) -> Rational {
        let sms = Rational::from(machine.sms.max(1));
        let mut steps: BTreeMap<u64, (Rational, Rational)> = BTreeMap::new();
        for (kernel, (_, step)) in self.kernels.iter().zip(&self.paths) {
            let (blocks, longest) = steps.entry(*step).or_default();
            *blocks += Rational::from(kernel.blocks);
            *longest = (&*longest).max(&kernel.cycles(machine)).clone();
        }
        let bounds = steps.into_values();
        let bounds = bounds.map(|(blocks, longest)| {
            let bound = (blocks / &sms + Rational::ONE) * longest;
            bound.max(launch.clone())
        });
        bounds.fold(Rational::ZERO, |all, bound| all + bound)
    }

    /// Its costs. The overhead is a sum over the parallel steps; each kernel is in one of them.
    pub fn costs(&self, machine: &MachineModel) -> ManyCoreCosts {
        let sum = |of: &dyn Fn(&KernelCosts) -> Rational| {
            self.kernels
                .iter()
                .map(of)
                .fold(Rational::ZERO, |all, x| all + x)
        };
        let spans = self.paths.iter().map(|path| path.0);
        let lengths = self.paths.iter().map(|path| path.1);
        ManyCoreCosts {
            work: sum(&|kernel| Rational::from(kernel.blocks) * Rational::from(kernel.work)),
            span: spans.max().unwrap_or_default().into(),
            overhead: sum(&|kernel| Rational::from(kernel.blocks) * kernel.moving(machine)),
            blocks: sum(&|kernel| kernel.blocks.into()),
            path: lengths.max().unwrap_or_default().into(),
            longest: self
                .kernels
                .iter()
                .map(|kernel| kernel.cycles(machine))
                .max()
                .unwrap_or_default(),
        }
    }
}
