//! Leaves out kernels that no test could run.
//!
//! A third of what is compiled of kernels is for AVX-512. Releases have it on every machine, since they may run on another; what is
//! compiled to be tested here is not compiled for vectors that this processor lacks.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(without_avx512)");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    let for_here = std::env::var("HOST").ok() == std::env::var("TARGET").ok();
    if is("PROFILE", "debug") && for_here && !has_avx512() {
        println!("cargo:rustc-cfg=without_avx512");
    }
}

/// Whether this processor has AVX-512 with products of 52 bits.
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512ifma")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}
