//! The device that tests run on.

use sunzi_gpu::{Device, Selection};
use sunzi_testkit::required_or_skipped;

/// The device to test on, or `None` after a word on why there is none.
pub fn device() -> Option<Device> {
    required_or_skipped(Device::open(Selection::Any))
}
