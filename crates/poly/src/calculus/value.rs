//! The value at one point.
//!
//! Horner's rule takes one product after the other, each waiting for the one before. Here the coefficients
//! lie in rows of w: `f = Σ_i x^i·f_i(x^w)` for i < w, with Horner's rule in x^w on all f_i at once, one
//! vector operation for each row. What remains is one row, a shorter polynomial.

use crate::multiplier::CoefficientField;
use crate::ring::PolyRing;
use sunzi_machine::threads::Threads;

/// Coefficients that are taken one after the other.
const ONE_BY_ONE: usize = 64;

/// The least and the greatest length of rows.
const ROWS: [usize; 2] = [32, 1024];

/// Bytes of coefficients that make it worth a thread.
const BYTES_FOR_A_THREAD: usize = 1 << 18;

impl<F: CoefficientField> PolyRing<F> {
    /// The value at an element of the field, on several threads if there are enough coefficients.
    pub(super) fn value_at(&self, a: &[F::Elem], point: F::Elem) -> F::Elem {
        let field = self.field();
        let least = self.cut(BYTES_FOR_A_THREAD / size_of::<F::Elem>());
        let threads = sunzi_machine::threads::count().min(a.len() / least);
        if threads < 2 {
            return value_in_rows(field, a, point);
        }
        let piece = a.len().div_ceil(threads);
        let values = Threads::all().map(a.chunks(piece), |a| value_in_rows(field, a, point));
        value_one_by_one(field, &values, field.pow(point, piece as u64))
    }
}

fn value_in_rows<F: CoefficientField>(field: &F, a: &[F::Elem], point: F::Elem) -> F::Elem {
    if a.len() <= ONE_BY_ONE {
        return value_one_by_one(field, a, point);
    }
    let [least, greatest] = ROWS;
    let row = (1 << a.len().ilog2().div_ceil(2)).clamp(least, greatest);
    let power = field.pow(point, row as u64);
    let mut rows = a.chunks(row).rev();
    let mut sums = vec![field.zero(); row];
    if let Some(last) = rows.next() {
        sums[..last.len()].copy_from_slice(last);
    }
    for row in rows {
        field.scale_slice(&mut sums, power);
        field.add_assign_slice(&mut sums, row);
    }
    value_in_rows(field, &sums, point)
}

fn value_one_by_one<F: CoefficientField>(field: &F, a: &[F::Elem], point: F::Elem) -> F::Elem {
    let terms = a.iter().rev();
    terms.fold(field.zero(), |value, &coefficient| {
        field.add(field.mul(value, point), coefficient)
    })
}
