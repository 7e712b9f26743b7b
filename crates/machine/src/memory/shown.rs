//! Sizes of memory as people read them.

use std::fmt;

/// A number of bytes for people.
///
/// ```
/// use sunzi::memory::Shown;
///
/// assert_eq!(Shown(3 << 29).to_string(), "1.5 GiB");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Shown(pub u64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 7] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let mut value = self.0 as f64;
        let mut unit = 0;
        while value >= 1024.0 && unit + 1 < UNITS.len() {
            value /= 1024.0;
            unit += 1;
        }
        match (self.0, unit) {
            (1, _) => f.write_str("1 byte"),
            (bytes, 0) => write!(f, "{bytes} bytes"),
            _ => write!(f, "{value:.1} {}", UNITS[unit]),
        }
    }
}
