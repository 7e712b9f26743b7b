//! Line tables of the whole program would make each of the eleven fuzz targets six times as long.

fn main() {
    println!("cargo::rustc-link-arg-bins=-Wl,--compress-debug-sections=zlib");
    println!("cargo::rerun-if-changed=build.rs");
}
