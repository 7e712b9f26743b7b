//! NVIDIA's own run-time compiler, for tests of what it makes.

use std::ffi::OsString;
use std::path::PathBuf;

/// What kernels are compiled for: Volta, Ampere, Hopper, Blackwell with large memories and with small ones.
pub const ARCHITECTURES: [&str; 5] = ["sm_70", "sm_80", "sm_90", "sm_100", "sm_120"];

/// Names the library's file, or its folder.
const VARIABLE: &str = "SUNZI_NVRTC";
/// Makes a missing compiler a failure: set where tests must not skip.
const REQUIRE_VARIABLE: &str = "SUNZI_REQUIRE_NVRTC";
/// Where `scripts/nvrtc` puts it in the folder of caches.
const FETCHED: &str = "sunzi/nvrtc-12.9.86/nvidia/cuda_nvrtc/lib";

/// Whether a missing compiler is a failure.
pub fn is_nvrtc_required() -> bool {
    std::env::var_os(REQUIRE_VARIABLE).is_some()
}

/// The compiler that the environment names or `scripts/nvrtc` has fetched, or `None` after a word on why there is none.
///
/// # Panics
/// If there is none and the environment variable `SUNZI_REQUIRE_NVRTC` is set.
pub fn nvrtc() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = |value: OsString| PathBuf::from(value).join(".cache");
    let caches = set("XDG_CACHE_HOME").map(PathBuf::from);
    let fetched = caches.or_else(|| set("HOME").map(home));
    let found = set(VARIABLE).map(PathBuf::from);
    let found = found.or_else(|| fetched.map(|caches| caches.join(FETCHED)));
    let found = found.filter(|place| place.exists());
    if found.is_none() {
        let reason = "NVIDIA's compiler is not there: scripts/nvrtc fetches it";
        assert!(
            !is_nvrtc_required(),
            "{REQUIRE_VARIABLE} is set, and {reason}"
        );
        crate::skip(reason);
    }
    found
}
