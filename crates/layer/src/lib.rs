//! The library that `sunzi tune run` puts between a program and its driver.
//!
//! **Problem.** A program that exists launches kernels by blocks that were chosen once, for another device or another size. Its source is
//! not at hand.
//!
//! **Method.** OpenCL's loader has layers: it loads the libraries that `OPENCL_LAYERS` names and calls `clInitLayer`, which puts functions
//! of its own into the table that calls go through. CUDA has none: there the library is loaded before all others (`LD_PRELOAD`), and
//! whoever asks for `cuLaunchKernel`, by the linker, by `dlsym` or by `cuGetProcAddress`, is given the function of that name here. Both
//! tell a [`LiveKernel`](sunzi_tune::live::LiveKernel) of each launch, make the spare launches that it asks for, on buffers and queues of
//! their own, and launch by the shape that it chooses.
//!
//! **Bounds.** Without a plan ([`RunPlan`](sunzi_tune::live::RunPlan), which an environment variable names) every call goes to the driver as
//! it is. So does a launch wherever something is not as expected, after a panic as well; nothing is written to the program's output.
//! A library that is loaded into somebody else's process and called by names has its state in statics: there is no owner who could
//! pass it on.

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod cuda;
mod guard;
mod opencl;
mod pending;
mod record;
mod run;
mod spare;
