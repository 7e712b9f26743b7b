//! Determinants modulo a prime of 29 bits, and in floating point.

use super::{Asked, Cell, Ours, count, failed, tried};
use crate::subject::Sample;
use std::hint::black_box;
use sunzi::field::{AnyField, Fp32};
use sunzi::matrix::condensation::{Variant, determinant_by};
use sunzi::matrix::float::{Pivoting, ScaledFloat, determinant_by as determinant_of_doubles};
use sunzi::matrix::{AnyDenseMatrix, DenseMatrix};
use sunzi_files::failure::Failure;
use sunzi_measure::Work;

/// The thesis's prime for polynomials; it names none for matrices.
const PRIME: u64 = 469_762_049;
const ORDERS: &[usize] = &[500, 1000, 1500, 2000, 2500, 3000, 3500, 4000];
const QUICK: &[usize] = &[64, 128];
/// Bytes of an entry.
const ENTRY: f64 = 4.0;

fn entries(order: usize) -> Vec<u64> {
    let mut sample = Sample::new(order as u64);
    (0..order * order).map(|_| sample.below(PRIME)).collect()
}

fn matrix(order: usize) -> Result<DenseMatrix<u32>, Failure> {
    let entries = entries(order).into_iter().map(|entry| entry as u32);
    DenseMatrix::new(order, order, entries.collect()).map_err(failed)
}

/// Bytes that one step after the other reads and writes: of each order from n down to 2 all entries are read, and those
/// of the order below are written.
fn traffic(order: usize) -> f64 {
    let entries = |order: usize| (order * order) as f64;
    let steps = 2..=order;
    ENTRY
        * steps
            .map(|order| entries(order) + entries(order - 1))
            .sum::<f64>()
}

/// Figure 7.1 of the thesis of 2013: on the processor, condensation by one step at a time, and by three.
pub fn bandwidth(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&[
        "condensation, GB/s",
        "three steps at once, by the same bytes, GB/s",
    ]);
    let field = Fp32::new(PRIME as u32).map_err(failed)?;
    for &order in asked.sizes(&ORDERS[..6], QUICK) {
        let matrix = matrix(order)?;
        let variants = [Variant::PivotPowers, Variant::ThreeSteps];
        let mut works = variants.map(|variant| -> Work<'_> {
            let (field, matrix) = (&field, &matrix);
            Box::new(move |times: usize| {
                for _ in 0..times {
                    let _ = black_box(determinant_by(variant, field, matrix));
                }
            })
        });
        let times = asked.time(&mut works).into_iter();
        let rates = times.map(|seconds| Some(traffic(order) / seconds / 1e9));
        ours.push([&order], rates.collect());
    }
    Ok(ours)
}

/// Figures 7.2 and 7.3 of the thesis of 2013: by condensation on the processor, and as determinants are computed, on the
/// device if there is one.
pub fn times(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["condensation on the processor, s", "determinant, s"]);
    let engine = asked.engine(&mut ours)?;
    let field = Fp32::new(PRIME as u32).map_err(failed)?;
    let any = AnyField::modulo_word(PRIME).map_err(failed)?;
    for &order in asked.sizes(ORDERS, QUICK) {
        let typed = matrix(order)?;
        let matrix = AnyDenseMatrix::new(&any, order, order, entries(order)).map_err(failed)?;
        let found = engine.determinants(&[&matrix]).map_err(failed)?;
        let found = found.into_all().map_err(failed)?;
        let own = determinant_by(Variant::ThreeSteps, &field, &typed).map_err(failed)?;
        // Elements of the typed field have a form of their own.
        let own = sunzi::field::Field::to_integer::<sunzi::Natural>(&field, own);
        if found[0].first().copied().map(sunzi::Natural::from) != Some(own) {
            return Err(failed(format!(
                "the determinants of order {order} disagree"
            )));
        }
        let condensation: Work = Box::new(|times: usize| {
            for _ in 0..times {
                let _ = black_box(determinant_by(Variant::ThreeSteps, &field, &typed));
            }
        });
        let usual = tried(&mut ours, &engine, || engine.determinants(&[&matrix]))?;
        let times = asked.time(&mut [condensation, usual]);
        ours.push([&order], times.into_iter().map(Some).collect());
    }
    Ok(ours)
}

/// Orders of Hilbert's matrices; in a quick run the first few.
fn hilbert_orders(asked: &Asked<'_>) -> Result<Vec<usize>, Failure> {
    asked.rows(6).iter().map(|row| count(&row[0])).collect()
}

fn hilbert(order: usize) -> DenseMatrix<f64> {
    DenseMatrix::from_fn(order, order, |i, j| 1.0 / (i + j + 1) as f64)
}

/// c_n^4/c_2n with c_n = ∏ i! over 0 < i < n. By one order more it is multiplied by (n!)^4/((2n)!·(2n + 1)!),
/// that is by the inverse of (2n + 1)·(2n over n)².
fn exact(order: usize) -> ScaledFloat {
    // The binomial (2n over n) grows by (4n + 2)/(n + 1).
    let mut binomial = ScaledFloat::ONE;
    let mut value = ScaledFloat::ONE;
    for n in 0..order {
        let odd = ScaledFloat::from_f64((2 * n + 1) as f64);
        let divisor = binomial * binomial * odd;
        value = value * ScaledFloat::new(1.0 / divisor.mantissa(), -divisor.exponent());
        binomial = binomial * ScaledFloat::from_f64((4 * n + 2) as f64 / (n + 1) as f64);
    }
    value
}

/// Table 7.1 of the thesis of 2013: by condensation, with the largest pivots, and what is right.
pub fn hilbert_values(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["condensation", "largest pivots", "exact"]);
    for order in hilbert_orders(asked)? {
        let matrix = hilbert(order);
        let by = |pivoting| determinant_of_doubles(pivoting, &matrix).map_err(failed);
        let values = [
            by(Pivoting::NearestToOne)?.value(),
            by(Pivoting::Largest)?.value(),
            exact(order),
        ];
        let cells = values.map(|value| Some(Cell::Text(format!("{value:.5}"))));
        ours.rows.push((vec![order.to_string()], cells.into()));
    }
    ours.notes.push(
        "From order 15 on, no digit of a determinant in doubles is right: pivots are rounding errors.".to_owned(),
    );
    Ok(ours)
}

/// Table 7.2 of the thesis of 2013.
pub fn hilbert_times(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["condensation, s", "largest pivots, s"]);
    for order in hilbert_orders(asked)? {
        let matrix = hilbert(order);
        let mut works = [Pivoting::NearestToOne, Pivoting::Largest].map(|pivoting| -> Work<'_> {
            let matrix = &matrix;
            Box::new(move |times: usize| {
                for _ in 0..times {
                    let _ = black_box(determinant_of_doubles(pivoting, matrix));
                }
            })
        });
        let times = asked.time(&mut works);
        ours.push([&order], times.into_iter().map(Some).collect());
    }
    Ok(ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn determinants_of_hilbert_are_known() {
        // 1, 1/12, 1/2160.
        for (order, expected) in [(1, 1.0), (2, 1.0 / 12.0), (3, 1.0 / 2160.0)] {
            assert!((exact(order).to_f64() / expected - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn bytes_of_the_steps() {
        // Order 3: nine entries and four, four and one.
        assert_eq!(traffic(3), 4.0 * (9.0 + 4.0 + 4.0 + 1.0));
    }
}
