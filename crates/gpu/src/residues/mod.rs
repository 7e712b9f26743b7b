//! Residues modulo several primes of 31 bits, and values from them, on the device.
//!
//! A product over ℤ whose coefficients are below M in absolute value is found modulo primes with a product above 2M,
//! by transforms modulo each, and put together by mixed radix (P. Emeliyanenko, *Efficient multiplication of
//! polynomials on graphics hardware*, 2009, §4.2, where primes have 24 bits).
//!
//! Per coefficient and prime, projection takes one Montgomery product (two 32-bit multiplications of full width and
//! one of half) for each word; reconstruction takes k(k−1)/2 such products for k primes, and as many multiply-adds as
//! there are words for each prime. Both read and write every word once: the floor is 4(w + k) bytes a coefficient.

pub(crate) mod basis;
pub(crate) mod combine;
pub(crate) mod project;
pub(crate) mod spread;
