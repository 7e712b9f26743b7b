//! The stand-in for CUDA sees every error that is planted here.

mod contexts;
mod faults;
mod instructions;
mod launches;
mod memory;
mod order;
mod ptx;
mod scene;
