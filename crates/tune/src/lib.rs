//! Choice of program parameters at run time: thread blocks, tiles, thresholds.
//!
//! **Problem.** The shape of a launch that is best depends on the device and on the size, and differs from a bad one by factors
//! of 2 to 50. Measuring all shapes at every size is too dear.
//!
//! **Method.** Shapes are measured at small sizes only ([`Sampling`]). What a shape costs at a large one is its time there over what a
//! model of waves of blocks says, times what that says for the large size ([`AnchoredModel`]). The model is a [`RationalProgram`]: steps
//! that always end, over numbers of the data, the shape and the device, with no divisor that may be zero (D. Mohajerani, *Parallel
//! Arbitrary-precision Integer Arithmetic*, 2021, chapter 4, has the question and the programs). So it can be printed as formulas, kept
//! as JSON, and written as Rust or C. A [`Chooser`] takes microseconds, and keeps what it chose. [`RationalFunction`] fits quotients of
//! polynomials to values.
//!
//! **Bounds.** A choice is a shape that was measured and that the kernel's [`Description`] allows, for all data in its ranges. The
//! example `launch_configs` says how good choices are for 30 kernels on two devices.
//!
//! **Floor.** A prediction is tens of operations for each shape and access; all shapes are computed side by side.
//!
//! ```
//! use sunzi::tune::{Degrees, RationalFunction};
//!
//! // Times that grow like n²/(n + 5), measured at n = 1 … 9, tell the one at n = 100.
//! let points: Vec<Vec<f64>> = (1..10).map(|n| vec![f64::from(n)]).collect();
//! let times: Vec<f64> = points.iter().map(|p| p[0] * p[0] / (p[0] + 5.0)).collect();
//! let degrees = Degrees { numerator: vec![2], denominator: vec![1] };
//! let f = RationalFunction::fit(&points, &times, &degrees, &[(1.0, 1000.0)])?;
//! assert!((f.evaluate(&[100.0]) - 10_000.0 / 105.0).abs() < 1e-6);
//! # Ok::<(), sunzi::tune::ModelError>(())
//! ```

pub mod choice;
pub mod description;
mod error;
pub mod function;
pub mod live;
pub mod models;
pub mod program;

pub use choice::{
    AnchoredModel, Chooser, Constants, DataRange, Device, MeasuredShape, Sample, Sampled, Sampling,
    SamplingError,
};
pub use description::{
    BufferArgument, Description, DescriptionError, Element, Fill, Kernel, KernelArgument, NumberOf,
    Problem, Resources,
};
pub use error::ModelError;
pub use function::{Degrees, RationalFunction};
pub use models::{
    BlockResources, ChunkedProduct, CondensationLaunch, IdealCache, KernelCosts, KernelId, Limit,
    LittlesLaw, LittlesLawDevice, MachineModel, ManyCoreAlgorithm, ManyCoreCosts, ManyCoreProgram,
    MultiprocessorLimits, MwpCwp, MwpCwpDevice, PathCosts, Rounding, ThreadCosts, ThresholdTree,
    TransformCosts, TreeStep, UnknownKernel, WarpCounts, WarpLaunch, WithinWarp, littles_law,
    mwp_cwp,
};
pub use program::{
    FlowStep, Input, InputKind, Language, Output, ProgramBuilder, ProgramError, RationalProgram,
    Step, Value,
};
