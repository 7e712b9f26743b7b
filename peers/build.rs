//! Passes on what only the build knows (compiler, how FLINT was configured) to the report, and refuses a
//! FLINT without `fft_small` on a processor that could run it: Sunzi would be compared with half a FLINT.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=config.site");

    let rustc = std::env::var("RUSTC").expect("cargo sets RUSTC");
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .expect("rustc answers --version");
    println!(
        "cargo::rustc-env=PEERS_RUSTC={}",
        String::from_utf8_lossy(&version.stdout).trim()
    );

    let include = std::env::var("DEP_FLINT_INCLUDE_DIR").expect("flint3-sys names its headers");
    let config = Path::new(&include).join("flint/flint-config.h");
    let config = std::fs::read_to_string(&config)
        .unwrap_or_else(|error| panic!("{}: {error}", config.display()));
    let defined = |name: &str| {
        config
            .lines()
            .any(|line| line.split_whitespace().take(3).eq(["#define", name, "1"]))
    };
    let fft_small = defined("FLINT_HAVE_FFT_SMALL");
    let adx = defined("FLINT_HAVE_ASSEMBLY_x86_64_adx");
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    assert!(
        fft_small || !features.split(',').any(|feature| feature == "avx2"),
        "FLINT was configured without fft_small although this processor has AVX2: see peers/README.md"
    );
    println!("cargo::rustc-env=PEERS_FLINT_FFT_SMALL={fft_small}");
    println!("cargo::rustc-env=PEERS_FLINT_ADX={adx}");
}
