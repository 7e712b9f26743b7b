//! Element-wise operations on slices.

use crate::word_modulus::WordModulus;
use crate::{Field, Fp32};

macro_rules! binary_32 { ($($name:ident $op:ident),*) => { $(
    pub(crate) fn $name(field: &Fp32, x: &mut [u32], y: &[u32]) {
        assert_eq!(x.len(), y.len(), "slices of equal length");
        for (x, &y) in x.iter_mut().zip(y) { *x = field.$op(*x, y); }
    })* } }
binary_32!(add_assign_32 add, sub_assign_32 sub, mul_assign_32 mul);
pub(crate) fn neg_32(field: &Fp32, x: &mut [u32]) {
    for x in x {
        *x = field.neg(*x);
    }
}
pub(crate) fn scale_32(field: &Fp32, x: &mut [u32], factor: u32) {
    for x in x {
        *x = field.mul(*x, factor);
    }
}
pub(crate) fn add_assign_64(p: u64, x: &mut [u64], y: &[u64]) {
    for (x, &y) in x.iter_mut().zip(y) {
        let s = *x + y;
        *x = s.min(s.wrapping_sub(p));
    }
}
pub(crate) fn sub_assign_64(p: u64, x: &mut [u64], y: &[u64]) {
    for (x, &y) in x.iter_mut().zip(y) {
        let s = x.wrapping_sub(y);
        *x = s.min(s.wrapping_add(p));
    }
}
pub(crate) fn neg_64(p: u64, x: &mut [u64]) {
    for x in x {
        let s = 0u64.wrapping_sub(*x);
        *x = s.min(s.wrapping_add(p));
    }
}
pub(crate) fn mul_assign_64(m: &WordModulus, x: &mut [u64], y: &[u64]) {
    for (x, &y) in x.iter_mut().zip(y) {
        *x = m.mul(*x, y);
    }
}
pub(crate) fn scale_64(p: u64, x: &mut [u64], factor: u64) {
    let m = WordModulus::new(p);
    for x in x {
        *x = m.mul(*x, factor);
    }
}
