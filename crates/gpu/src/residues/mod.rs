//! Residues modulo several primes of 31 bits, and values from them, on the device.
//!
//! A product over ℤ whose coefficients are below M in absolute value is found modulo primes with a product above 2M,
//! by transforms modulo each, and put together by mixed radix (P. Emeliyanenko, *Efficient multiplication of
//! polynomials on graphics hardware*, 2009, §4.2, where primes have 24 bits).
//!
//! Per coefficient and prime, projection takes one Montgomery product (two 32-bit multiplications of full width and
//! one of half) for each word; reconstruction takes k(k−1)/2 such products for k primes, and as many multiply-adds as
//! there are words for each prime. Both read and write every word once: the floor is 4(w + k) bytes a coefficient.

mod basis;
mod combine;
mod project;

pub use basis::ResidueBasis;
pub use combine::{Combine, CombineModulo, ValueForm};
pub use project::{CoefficientForm, Polynomials, Project};

use crate::{DeviceInfo, DeviceKind, GpuError, Source};

/// Products modulo run-time primes.
const MONTGOMERY: &str = include_str!("../kernels/montgomery32.cl");

/// Threads of a group: independent threads, so any number serves.
fn threads(device: &DeviceInfo) -> usize {
    match device.kind {
        DeviceKind::Cpu => 64,
        DeviceKind::Gpu | DeviceKind::Accelerator => 256,
    }
    .min(device.group_threads)
}

/// Positions of `batch` vectors of 2^`log_points` points.
fn positions(batch: usize, log_points: u32) -> Result<usize, GpuError> {
    let points = 1usize.checked_shl(log_points);
    let positions = points.and_then(|points| points.checked_mul(batch));
    positions.filter(|_| log_points < u32::BITS).ok_or_else(|| {
        GpuError::Shape(format!(
            "{batch} vectors of 2^{log_points} points are more than an address reaches"
        ))
    })
}

/// Every program of this module with definitions as they occur.
pub fn sources() -> Vec<Source<'static>> {
    let form = |words, signed, log_plane| ValueForm {
        words,
        signed,
        log_plane,
    };
    vec![
        project::source(256),
        combine::words_source(256, 3, form(3, false, Some(20))),
        combine::words_source(256, 6, form(5, true, None)),
        combine::words_source(256, 40, form(38, true, None)),
        combine::modulo_source(256, 5, "u64"),
    ]
}
