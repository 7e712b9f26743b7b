//! Every program of the crate.

#[cfg(feature = "bench")]
use crate::peak;
use crate::{big_prime, carry, determinant, euclid, integer, ntt, residues, schoolbook, tree};
use sunzi_device::Source;

/// Every program of the crate, each with definitions that stand for what it is used with: what a check of kernels goes
/// through.
///
/// # Examples
/// ```
/// for source in sunzi_gpu::internals::catalogue() {
///     assert!(source.text().contains("KERNEL"), "{}", source.name());
/// }
/// ```
pub fn catalogue() -> Vec<Source<'static>> {
    [
        big_prime::context::sources(),
        carry::context::sources(),
        #[cfg(feature = "bench")]
        peak::sources(),
        determinant::context::sources(),
        determinant::float::sources(),
        euclid::context::sources(),
        integer::context::sources(),
        ntt::programs::sources(),
        schoolbook::context::sources(),
        residues::sources(),
        tree::kernels::sources(),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::catalogue;
    use sunzi_device::Launch;

    #[test]
    fn every_kernel_is_understood_and_a_launch_takes_it() {
        let (mut seen, mut most) = (0, 0);
        for source in catalogue() {
            let kernels = source.kernels();
            assert!(!kernels.is_empty(), "{}", source.name());
            for (kernel, parameters) in kernels {
                let known = parameters.unwrap_or_else(|| panic!("{}: {kernel}", source.name()));
                let [parameters, results] = known;
                assert!(results > 0, "{kernel} has no result");
                assert!(
                    parameters <= Launch::MOST_ARGUMENTS,
                    "{kernel}: {parameters}"
                );
                (seen, most) = (seen + 1, most.max(parameters));
            }
        }
        assert!(seen > 60, "{seen}");
        assert!(most >= 21, "a pass of a transform has 21, not {most}");
    }
}
