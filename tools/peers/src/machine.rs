//! Where and with what a table was measured.

use std::fs;

use crate::flint;

/// Instruction sets that a reader of the table wants to know of, as Linux names them.
const TELLING: [&str; 10] = [
    "avx2",
    "fma",
    "bmi2",
    "adx",
    "avx512f",
    "avx512dq",
    "avx512ifma",
    "avx512_vbmi2",
    "asimd",
    "sve",
];

/// Crates whose versions are shown.
const CRATES: [&str; 7] = [
    "flint3-sys",
    "gmp-mpfr-sys",
    "tfhe-ntt",
    "concrete-ntt",
    "p3-dft",
    "rayon",
    "sunzi-poly",
];

/// The commit that this program was built from, with `+` where its sources were not those of the commit.
pub const VERSION: &str = env!("PEERS_VERSION");

/// Named facts, in the order they are shown.
pub fn facts() -> Vec<(&'static str, String)> {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        cpuinfo
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.trim() == name)
            .map(|(_, value)| value.trim().to_owned())
    };
    let flags = field("flags")
        .or_else(|| field("Features"))
        .unwrap_or_default();
    let features: Vec<&str> = TELLING
        .into_iter()
        .filter(|name| flags.split_whitespace().any(|flag| flag == *name))
        .collect();
    let model = [
        ("family", "cpu family"),
        ("model", "model"),
        ("stepping", "stepping"),
    ]
    .iter()
    .filter_map(|(name, key)| field(key).map(|value| format!("{name} {value}")))
    .collect::<Vec<_>>()
    .join(", ");
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let memory = fs::read_to_string("/proc/meminfo")
        .unwrap_or_default()
        .lines()
        .find_map(|line| {
            line.strip_prefix("MemTotal:")?
                .trim()
                .strip_suffix("kB")?
                .trim()
                .parse::<u64>()
                .ok()
        })
        .unwrap_or(0);
    vec![
        (
            "processor",
            format!(
                "{} ({model})",
                field("model name").unwrap_or_else(|| "unknown".into())
            ),
        ),
        ("cores", cores.to_string()),
        ("features", features.join(" ")),
        ("memory", format!("{} MiB", memory / 1024)),
        (
            "date",
            humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string(),
        ),
        ("rustc", env!("PEERS_RUSTC").to_owned()),
        (
            "FLINT",
            format!(
                "{} (fft_small: {}, ADX assembly: {})",
                flint::flint_version(),
                env!("PEERS_FLINT_FFT_SMALL"),
                env!("PEERS_FLINT_ADX")
            ),
        ),
        (
            "GMP",
            format!("{} ({})", flint::gmp_version(), flint::gmp_flags()),
        ),
        ("crates", crate_versions().join(", ")),
    ]
}

/// One of the facts.
fn fact(name: &str) -> String {
    let mut facts = facts().into_iter();
    let found = facts.find_map(|(known, value)| (known == name).then_some(value));
    found.unwrap_or_default()
}

/// The processor and its cores.
pub fn name() -> String {
    format!("{}, {} cores", fact("processor"), fact("cores"))
}

/// Today, in UTC.
pub fn day() -> String {
    fact("date").chars().take("2000-01-01".len()).collect()
}

/// "name version" of each crate of [`CRATES`] that the lock file holds.
fn crate_versions() -> Vec<String> {
    let lock = include_str!("../Cargo.lock");
    let mut versions = Vec::new();
    for package in lock.split("[[package]]") {
        let value = |key: &str| {
            package.lines().find_map(|line| {
                line.strip_prefix(key)?
                    .trim()
                    .strip_prefix('=')?
                    .trim()
                    .strip_prefix('"')?
                    .strip_suffix('"')
            })
        };
        if let (Some(name), Some(version)) = (value("name"), value("version"))
            && CRATES.contains(&name)
        {
            versions.push(format!("{name} {version}"));
        }
    }
    versions
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_lock_file_names_the_peers() {
        let versions = super::crate_versions();
        assert!(versions.iter().any(|entry| entry.starts_with("tfhe-ntt 0")));
    }
}
