//! Every program of the crate.

use crate::Source;

/// A module's programs, with definitions that stand for what it is used with.
type Programs = fn() -> Vec<Source<'static>>;

/// The modules that have programs.
const MODULES: &[Programs] = &[
    crate::carry::sources,
    crate::ceilings::sources,
    crate::integer::sources,
    crate::ntt::sources,
    crate::plain::sources,
    crate::residues::sources,
];

/// Every program of the crate, each with definitions that stand for what it is used with: what a check of kernels goes
/// through.
///
/// # Examples
/// ```
/// for source in sunzi_gpu::catalogue() {
///     assert!(source.text().contains("KERNEL"), "{}", source.name());
/// }
/// ```
pub fn catalogue() -> Vec<Source<'static>> {
    MODULES.iter().flat_map(|programs| programs()).collect()
}
