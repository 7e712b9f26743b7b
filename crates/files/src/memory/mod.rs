//! How much memory a computation may use.

pub mod budget;
pub mod exhausted;

use crate::error::Failure;
use std::fmt;
use std::fs;
use sunzi_field::memory::available_bytes;

/// Work that needs less than this is not compared with the memory of the machine.
const UNCHECKED_BYTES: u64 = 1 << 26;

/// The memory that may be used, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Available(Option<u64>);

impl Available {
    /// What the system reports as available, and no more than the user allows.
    ///
    /// Only Linux tells; elsewhere the user's limit alone counts.
    pub fn detect(limit: Option<u64>) -> Self {
        Self([limit, available_bytes()].into_iter().flatten().min())
    }

    /// Bytes, if known.
    pub fn bytes(self) -> Option<u64> {
        self.0
    }
}

/// The bytes that can be used, where they are fewer than the `needed` ones, of which `held` lie in
/// memory already; the user's limit counts for all of them.
pub fn shortage(needed: u64, held: u64, limit: Option<u64>) -> Option<u64> {
    if needed < UNCHECKED_BYTES && limit.is_none() {
        return None;
    }
    let free = available_bytes().unwrap_or(u64::MAX);
    let available = free.saturating_add(held).min(limit.unwrap_or(u64::MAX));
    (needed > available).then_some(available)
}

/// Refuses work on a file that needs so many bytes, of which `held` lie in memory already.
pub fn check(
    file: &str,
    work: &str,
    needed: u64,
    held: u64,
    limit: Option<u64>,
) -> Result<(), Failure> {
    match shortage(needed, held, limit) {
        None => Ok(()),
        Some(available) => Err(Failure::Computation(format!(
            "{file}: the {work} needs at least about {} of memory, and {} can be used",
            shown(needed),
            shown(available),
        ))),
    }
}

/// A line `Name:  123 kB` of /proc/meminfo in bytes.
fn meminfo(name: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// All memory of the machine in bytes, if the system tells.
pub fn machine_total() -> Option<u64> {
    meminfo("MemTotal")
}

/// A number of bytes for people: `1.5 GiB`.
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

/// The same as a text.
pub fn shown(bytes: u64) -> String {
    Shown(bytes).to_string()
}

/// Reads a size such as `4G`, `512MiB` or `1000000`.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let shift = match unit
        .trim()
        .to_ascii_lowercase()
        .trim_end_matches("ib")
        .trim_end_matches('b')
    {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => {
            return Err(format!(
                "unknown unit `{unit}`: write K, M, G or T after the number"
            ));
        }
    };
    let number: u64 = number
        .parse()
        .map_err(|_| "write a size such as 4G or 512M".to_owned())?;
    number
        .checked_mul(1 << shift)
        .ok_or_else(|| "the size is too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_shown() {
        assert_eq!(parse_size("1000"), Ok(1000));
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("512 MiB"), Ok(512 << 20));
        assert_eq!(parse_size("1kb"), Ok(1024));
        assert!(parse_size("").is_err() && parse_size("4X").is_err() && parse_size("-1").is_err());
        assert!(parse_size("99999999999T").is_err());
        assert_eq!((shown(0), shown(1)), ("0 bytes".into(), "1 byte".into()));
        assert_eq!(
            (shown(12), shown(3 << 29)),
            ("12 bytes".to_owned(), "1.5 GiB".to_owned())
        );
    }

    #[test]
    fn the_users_limit_counts() {
        assert_eq!(Available::detect(Some(5)).bytes(), Some(5));
        assert_eq!(shortage(6, 0, Some(5)), Some(5));
        assert_eq!(shortage(6, 6, Some(5)), Some(5));
        assert_eq!(shortage(5, 0, Some(5)), None);
        assert_eq!(shortage(6, 0, None), None);
        assert!(available_bytes().is_none() || shortage(u64::MAX, 0, None).is_some());
    }
}
