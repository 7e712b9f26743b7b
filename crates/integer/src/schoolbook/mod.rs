//! Schoolbook products: every limb of one operand times every limb of the other.
//!
//! Quadratic, with the smallest constant: the base case of everything else.

#[cfg(target_arch = "x86_64")]
pub(crate) mod adx;
pub(crate) mod portable;

use crate::cpu::CpuClass;

/// `out = a · b` for `a.len() ≥ b.len()` by the scalar kernels of a class that this processor supports.
#[inline]
pub(crate) fn mul(cpu: CpuClass, out: &mut [u64], a: &[u64], b: &[u64]) {
    #[cfg(target_arch = "x86_64")]
    if cpu != CpuClass::Portable {
        // SAFETY: any other class is used only where the processor was found to support it.
        unsafe { adx::mul(out, a, b) };
        return;
    }
    portable::mul(out, a, b);
}
