//! Passes on what only the build knows (commit, compiler, how FLINT was configured) to the report, and refuses a
//! FLINT without `fft_small` on a processor that could run it: Sunzi would be compared with half a FLINT.

use std::path::Path;
use std::process::Command;

/// Crates that the program is built from, beside its own sources.
const CRATES: [&str; 12] = [
    "../../crates/dft",
    "../../crates/field",
    "../../crates/integer",
    "../../crates/linalg",
    "../../crates/machine",
    "../../crates/sort",
    "../../crates/poly",
    "../../crates/rns",
    "../../crates/solve",
    "../../crates/sparse",
    "../../crates/text",
    "../testkit",
];

/// The commit, and `+` if sources have changed since; `unknown` outside of a repository.
fn version() -> String {
    let mut sources: Vec<String> = ["src", "build.rs", "Cargo.toml", "Cargo.lock"]
        .map(String::from)
        .into();
    for folder in CRATES {
        sources.extend(["src", "Cargo.toml"].map(|part| format!("{folder}/{part}")));
    }
    // Every commit writes there.
    let log = "../../.git/logs/HEAD";
    for watched in sources.iter().map(String::as_str).chain([log]) {
        if Path::new(watched).exists() {
            println!("cargo::rerun-if-changed={watched}");
        }
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success().then_some(text)
    };
    let commit = git(&["describe", "--always", "--abbrev=12"]);
    let mut arguments = vec!["status", "--porcelain", "--"];
    arguments.extend(sources.iter().map(String::as_str));
    match (commit, git(&arguments)) {
        (Some(commit), Some(changed)) if changed.is_empty() => commit,
        (Some(commit), Some(_)) => commit + "+",
        _ => "unknown".into(),
    }
}

/// Whether this machine, which measures, has AVX2.
fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

fn main() {
    println!("cargo::rerun-if-changed=config.site");
    println!("cargo::rustc-env=PEERS_VERSION={}", version());

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
    assert!(
        fft_small || !has_avx2(),
        "FLINT was configured without fft_small although this processor has AVX2: see tools/peers/README.md"
    );
    println!("cargo::rustc-env=PEERS_FLINT_FFT_SMALL={fft_small}");
    println!("cargo::rustc-env=PEERS_FLINT_ADX={adx}");
}
