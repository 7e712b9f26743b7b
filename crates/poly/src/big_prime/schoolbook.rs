//! Schoolbook products over a generalized Fermat field: every coefficient of the shorter operand times a
//! stretch of the longer one, eight elements at a time where the longer one is long enough.

use sunzi_dft::internals::in_chunks_of;
use sunzi_field::generalized_fermat::Packed;
use sunzi_field::{Digits, Field, GeneralizedFermat};

use crate::scalar::one_by_one;

/// Vectors win over single products, which multiply no zeros at the ends, from this number of coefficients
/// of the longer operand, and from this multiple of those of the shorter one.
const LONG: usize = 24;
const LONGER: usize = 2;

/// Coefficients of the product computed together.
const CHUNK: usize = 128;

/// `out = a · b` for operands that are not empty, `out.len() == a.len() + b.len() − 1`.
pub(super) fn product<const K: usize>(
    field: &GeneralizedFermat<K>,
    out: &mut [Digits<K>],
    a: &[Digits<K>],
    b: &[Digits<K>],
) {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let vectors =
        field.constants().is_some() && long.len() >= LONG && long.len() / LONGER >= short.len();
    in_chunks_of(CHUNK, out, &|start, out| match vectors {
        true => by_vectors(field, out, start, long, short),
        false => one_by_one(field, out, start, long, short),
    });
}

/// The coefficients from `start` on: `Σ_i short[i] · long[start − i ..]`.
fn by_vectors<const K: usize>(
    field: &GeneralizedFermat<K>,
    out: &mut [Digits<K>],
    start: usize,
    long: &[Digits<K>],
    short: &[Digits<K>],
) {
    // The stretch of the longer operand that counts here, with zeros where it ends.
    let before = short.len() - 1;
    let mut stretch = vec![field.zero(); before + out.len()];
    let first = start.saturating_sub(before);
    let last = (start + out.len()).min(long.len());
    if first < last {
        let at = before + first - start;
        stretch[at..at + last - first].copy_from_slice(&long[first..last]);
    }
    let mut sum = Packed::zeros(out.len());
    for (index, &factor) in short.iter().enumerate() {
        let from = before - index;
        let mut terms = field.pack(&stretch[from..from + out.len()]);
        field.scale_packed(&mut terms, factor);
        field.add_packed(&mut sum, &terms);
    }
    out.copy_from_slice(&field.unpack(&sum));
}
