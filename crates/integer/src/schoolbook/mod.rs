//! Schoolbook products: every limb of one operand times every limb of the other.
//!
//! Quadratic, with the smallest constant: the base case of everything else.
//!
//! Kernels write as many limbs as both operands have. That `out` has room for them is checked once for a product, by
//! `Multiplier`, and kept by all that cut it into shorter ones.

#[cfg(target_arch = "x86_64")]
mod adx;
mod portable;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

use crate::cpu::CpuClass;

/// `out = a · b` if the class has a function for just these lengths, in any order; says whether.
///
/// The class must be one that this processor supports, and `out.len() = a.len() + b.len()`.
#[inline]
pub(crate) fn mul_if_short(cpu: CpuClass, out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if adx::is_short(a.len(), b.len()) && cpu != CpuClass::Portable {
        // SAFETY: any other class is used only where the processor was found to support it; `out` has its room (above).
        unsafe { adx::mul_short(out, a, b) };
        return true;
    }
    let _ = (cpu, out, a, b);
    false
}

/// `out = a²` if the class has a function for just this length; says whether.
///
/// The class must be one that this processor supports, and `out.len() = 2 · a.len()`.
#[inline]
pub(crate) fn sqr_if_short(cpu: CpuClass, out: &mut [u64], a: &[u64]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if adx::is_short_square(a.len()) && cpu != CpuClass::Portable {
        // SAFETY: any other class is used only where the processor was found to support it; `out` has its room (above).
        unsafe { adx::sqr_short(out, a) };
        return true;
    }
    let _ = (cpu, out, a);
    false
}

/// `out = a²` if that is faster than `a · a` by any means that the class has; says whether.
///
/// The class must be one that this processor supports, and `out.len() = 2 · a.len()`.
#[inline]
pub(crate) fn sqr_if_faster(cpu: CpuClass, out: &mut [u64], a: &[u64]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if cpu != CpuClass::Portable {
        // SAFETY: any other class is used only where the processor was found to support it; `out` has its room (above).
        return unsafe { adx::sqr(out, a) };
    }
    let _ = (cpu, out, a);
    false
}

/// `out = a · b` for `a.len() ≥ b.len()` by the scalar kernels of a class that this processor supports.
#[inline]
pub(crate) fn mul(cpu: CpuClass, out: &mut [u64], a: &[u64], b: &[u64]) {
    #[cfg(target_arch = "x86_64")]
    if cpu != CpuClass::Portable {
        if !mul_if_short(cpu, out, a, b) {
            // SAFETY: any other class is used only where the processor was found to support it; `out` has its room (above).
            unsafe { adx::mul(out, a, b) };
        }
        return;
    }
    portable::mul(out, a, b);
}

/// As [`mul`], for at most eight limbs of `b`, and without a look at the functions for just one length.
#[inline]
pub(crate) fn mul_by_few(cpu: CpuClass, out: &mut [u64], a: &[u64], b: &[u64]) {
    #[cfg(target_arch = "x86_64")]
    if cpu != CpuClass::Portable {
        // SAFETY: any other class is used only where the processor was found to support it; `out` has its room (above).
        unsafe { adx::mul_by_few(out, a, b) };
        return;
    }
    portable::mul(out, a, b);
}
