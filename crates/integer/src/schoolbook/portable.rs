//! Schoolbook products in plain Rust, for every processor; the twin that the assembly is tested against.

use crate::limbs::{addmul_1, mul_1};

/// `out = a · b`; `out` holds `a.len() + b.len()` limbs. Any lengths, in any order.
pub(crate) fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    let Some((&first, rest)) = b.split_first() else {
        out.fill(0);
        return;
    };
    let rows = a.len();
    out[rows] = mul_1(&mut out[..rows], a, first);
    for (j, &word) in rest.iter().enumerate() {
        let row = &mut out[j + 1..];
        row[rows] = addmul_1(&mut row[..rows], a, word);
    }
}
