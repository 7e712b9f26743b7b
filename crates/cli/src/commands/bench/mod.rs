//! `sunzi bench`: what Sunzi's operations take on the machine at hand, as tables and plots.

mod contest;
mod crossing;
mod gfp;
mod gpu;
mod options;
mod plots;
mod products;
mod report;
mod saved;
mod series;
mod speedup;
mod steps;
mod subject;

super::commands! {
    /// What is measured.
    BenchCommand {
        /// Products and transforms modulo the named primes r^k + 1, against several word-size primes
        Gfp(options::GfpOptions),
        /// Transforms and products on a GPU, against what its memory and its multiplications allow
        Gpu(gpu::GpuOptions),
    }
}
