//! Kernels of programs that run: what is decided about their launches while the program goes on.
//!
//! **Problem.** A program launches a kernel by blocks that somebody once wrote down. Its source is not there, and each of its launches
//! may be of another size.
//!
//! **Method.** A layer between the program and its driver sees the launches. At the first of a size it runs the kernel on copies of what
//! the launch was given, a [`Spare`] launch, by every shape that is legal, and compares the results. [`LiveKernel`] decides what is run and
//! when, by [`Sampling`](crate::Sampling), and chooses for all later launches by an [`AnchoredModel`](crate::AnchoredModel) of the times.
//! What is the layer to do, and what has it found? A [`RunPlan`] says the first, a [`Finding`] the second: both are written as JSON.
//!
//! **Bounds.** No shape is chosen for a size before its results have been compared there, unless the model was given by the user. A
//! kernel whose results change from run to run, or with the shape, stays as it is.

mod kernel;
mod plan;
mod shapes;

pub use kernel::{Choice, LiveKernel, Ran, Spare, Unchanged};
pub use plan::{Finding, KnownDevice, LearnedKernel, PlanError, RunPlan};
pub use shapes::{Launched, Limits};
