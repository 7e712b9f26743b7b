//! What tests do where a device is missing.

use std::fmt::Display;

/// Makes a missing device a failure: set where tests must not skip.
const REQUIRE_VARIABLE: &str = "SUNZI_REQUIRE_GPU";

/// The device, or `None` after a word on why the test skips.
///
/// # Panics
/// If there is none and the environment variable `SUNZI_REQUIRE_GPU` is set.
pub fn required_or_skipped<D, E: Display>(device: Result<D, E>) -> Option<D> {
    match device {
        Ok(device) => Some(device),
        Err(reason) => {
            assert!(
                std::env::var_os(REQUIRE_VARIABLE).is_none(),
                "{REQUIRE_VARIABLE} is set, and {reason}"
            );
            crate::skip(&reason.to_string());
            None
        }
    }
}
