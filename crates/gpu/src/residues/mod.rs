//! Residues modulo several primes of 31 bits, and values from them, on the device.
//!
//! A product over ℤ whose coefficients are below M in absolute value is found modulo primes with a product above 2M,
//! by transforms modulo each, and put together by mixed radix (P. Emeliyanenko, *Efficient multiplication of
//! polynomials on graphics hardware*, 2009, §4.2, where primes have 24 bits).
//!
//! Per coefficient and prime, projection takes one Montgomery product (two 32-bit multiplications of full width and
//! one of half) for each word; reconstruction takes k(k−1)/2 such products for k primes, and as many multiply-adds as
//! there are words for each prime. Both read and write every word once: the floor is 4(w + k) bytes a coefficient.

use sunzi_device::{DeviceInfo, Source};

pub(crate) mod basis;
pub(crate) mod combine;
pub(crate) mod project;
pub(crate) mod spread;

use combine::ValueForm;

/// Every program of this module with definitions as they occur.
pub(crate) fn sources() -> Vec<Source<'static>> {
    let form = |words, signed, log_plane| ValueForm {
        words,
        signed,
        log_plane,
    };
    let info = DeviceInfo::h100();
    let words = |primes, form| combine::words_source(256, primes, form, &info);
    vec![
        project::source(256),
        spread::source(256, false),
        spread::source(256, true),
        words(3, form(3, false, Some(20))),
        words(6, form(5, true, None)),
        words(40, form(38, true, None)),
        combine::modulo_source(256, 5, "u64"),
    ]
}
