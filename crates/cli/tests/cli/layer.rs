//! The library that `sunzi tune run` puts before drivers.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The layer: beside the program, or built by the cargo that runs the tests, which builds no library that no test is linked with.
pub fn layer() -> &'static Path {
    static LAYER: OnceLock<PathBuf> = OnceLock::new();
    LAYER.get_or_init(|| {
        const NAME: &str = "libsunzi_layer.so";
        let beside = Path::new(crate::program()).with_file_name(NAME);
        if beside.is_file() && std::env::var_os("SUNZI_PROGRAM").is_some() {
            return beside;
        }
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "-p", "sunzi-layer"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{said}");
        Path::new(env!("CARGO_BIN_EXE_sunzi")).with_file_name(NAME)
    })
}
