//! The many-core machine model: bounds on the time of programs of kernels, with what it costs to move words.
//!
//! A machine has multiprocessors with Z words of local memory each, and takes U cycles to move a word between that and the memory
//! that all share; an operation takes one cycle. A program is a graph of kernels, a kernel a number of blocks of threads, of which
//! a multiprocessor runs one at a time. On p multiprocessors it takes at most (N/p + L)·C: N blocks, L kernels on the longest
//! path, C cycles for the longest block (S. A. Haque, *Hardware Acceleration Technologies in Computer Algebra*, 2013, chapters 3,
//! 8 and 9; the theorem is that of Graham and Brent, with overhead). What programs of polynomials cost is in
//! [`ManyCoreAlgorithm`], of trees in [`ThresholdTree`], of transforms in [`TransformCosts`], of integers in [`ChunkedProduct`], of
//! determinants in [`CondensationLaunch`], whose misses in a cache are in [`IdealCache`]. All numbers are exact.

mod algorithms;
mod condensation;
mod integers;
mod program;
mod transform;
mod trees;

pub use algorithms::ManyCoreAlgorithm;
pub use condensation::{CondensationLaunch, IdealCache};
pub use integers::ChunkedProduct;
pub use program::{KernelCosts, KernelId, ManyCoreProgram, UnknownKernel};
pub use transform::{ThreadCosts, TransformCosts};
pub use trees::{ThresholdTree, TreeStep};

use sunzi_integer::Rational;

/// A many-core machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineModel {
    /// U: cycles to move a word between the memory that all share and that of a multiprocessor.
    pub u: Rational,
    /// Z: words of a multiprocessor's memory.
    pub z: u64,
    /// p: multiprocessors, one at least.
    pub sms: u64,
}

/// What a program costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManyCoreCosts {
    /// W: operations of all threads.
    pub work: Rational,
    /// S: operations along the longest path, a kernel's being those of one of its threads.
    pub span: Rational,
    /// O: cycles to move words, U for each word that a thread moves, over all blocks.
    pub overhead: Rational,
    /// N: blocks.
    pub blocks: Rational,
    /// L: kernels on the longest path.
    pub path: Rational,
    /// C: cycles of the longest block.
    pub longest: Rational,
}

impl ManyCoreCosts {
    /// (N/p + L)·C: cycles at most on this machine.
    pub fn bound(&self, machine: &MachineModel) -> Rational {
        let sms = Rational::from(machine.sms.max(1));
        (&self.blocks / sms + &self.path) * &self.longest
    }
}

/// What a program costs along the path of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathCosts {
    /// Operations of all threads.
    pub work: u128,
    /// Operations of the thread with the most in each kernel, one kernel after the other.
    pub span: u128,
    /// Words that the thread with the most moves in each kernel.
    pub words: u128,
}

impl PathCosts {
    /// U for each of the words: the overhead of one block after the other. That of a program is a sum over all blocks
    /// ([`ManyCoreCosts::overhead`]).
    ///
    /// ```
    /// use sunzi::{Rational, tune::{MachineModel, PathCosts}};
    ///
    /// let machine = MachineModel { u: 5_u8.into(), z: 1024, sms: 2 };
    /// let costs = PathCosts { work: 64, span: 4, words: 3 };
    /// assert_eq!(costs.overhead(&machine), Rational::from(15));
    /// ```
    pub fn overhead(&self, machine: &MachineModel) -> Rational {
        Rational::from(self.words) * &machine.u
    }
}

impl MachineModel {
    /// The parameter of an algorithm, among `candidates`, whose bound is least, with the bound: the first of several. Those that
    /// exceed the local memory are left out; `None` if all do.
    ///
    /// ```
    /// use sunzi::tune::{MachineModel, ManyCoreAlgorithm};
    ///
    /// let machine = MachineModel { u: 10_u8.into(), z: 1 << 12, sms: 16 };
    /// let multiplication = |x| ManyCoreAlgorithm::Multiplication { n: 4096, m: 4096, x, l: 256 };
    /// let (x, bound) = machine.best_parameter(1..=256, multiplication).unwrap();
    /// // Neither one row at a time, nor as many as there is room for.
    /// assert!((2..256).contains(&x));
    /// assert!(bound < multiplication(1).costs(&machine).bound(&machine));
    /// ```
    pub fn best_parameter(
        &self,
        candidates: impl IntoIterator<Item = u64>,
        algorithm: impl Fn(u64) -> ManyCoreAlgorithm,
    ) -> Option<(u64, Rational)> {
        let mut best: Option<(u64, Rational)> = None;
        for parameter in candidates {
            let algorithm = algorithm(parameter);
            if algorithm.local_words().is_none_or(|words| words > self.z) {
                continue;
            }
            let bound = algorithm.costs(self).bound(self);
            if best.as_ref().is_none_or(|(_, least)| bound < *least) {
                best = Some((parameter, bound));
            }
        }
        best
    }
}
