//! Prints the folder of the stand-in for CUDA, compiled first if it is not there: `LD_LIBRARY_PATH` and `SUNZI_NVRTC` for
//! a program that is to find it.

use sunzi_testkit::CudaStandIn;

fn main() -> Result<(), String> {
    println!("{}", CudaStandIn::build()?.folder().display());
    Ok(())
}
