//! The shortest of the solutions that are nearest, by singular values.
//!
//! One-sided Jacobi rotations make the columns orthogonal (Hestenes 1958; they find small singular values to high relative
//! accuracy: Demmel and Veselic 1992). Libraries with decompositions of this kind take longer to compile than all of this
//! workspace, or are wrong for matrices of rank 1, which samples at one point make.

/// Singular values below this part of the largest count as zero.
const CUT_OFF: f64 = 1e-12;
/// Columns that are as orthogonal as this stay.
const ORTHOGONAL: f64 = 1e-15;
/// Sweeps over all pairs of columns at most: ten are many.
const SWEEPS: usize = 60;

/// x such that A x is nearest to `right`, for A by its columns, no more than rows: the shortest x where A's rank is lower, singular
/// values below 10⁻¹² of the largest being zero. `None` where the rotations do not end, as with numbers that are not finite.
/// O(rows · columns²) a sweep.
pub(super) fn solution(mut columns: Vec<Vec<f64>>, right: &[f64]) -> Option<Vec<f64>> {
    let variables = columns.len();
    let mut turned: Vec<Vec<f64>> = (0..variables)
        .map(|k| {
            (0..variables)
                .map(|j| f64::from(u8::from(j == k)))
                .collect()
        })
        .collect();
    let mut is_orthogonal = false;
    for _ in 0..SWEEPS {
        is_orthogonal = true;
        for j in 1..variables {
            for i in 0..j {
                let (a, b) = (dot(&columns[i], &columns[i]), dot(&columns[j], &columns[j]));
                let c = dot(&columns[i], &columns[j]);
                // Columns of nothing but rounding are orthogonal enough.
                if c == 0.0 || c.abs() <= ORTHOGONAL * a.sqrt() * b.sqrt() {
                    continue;
                }
                is_orthogonal = false;
                let zeta = (b - a) / (2.0 * c);
                let tangent = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
                let cosine = 1.0 / tangent.hypot(1.0);
                for vectors in [&mut columns, &mut turned] {
                    let (before, from) = vectors.split_at_mut(j);
                    for (x, y) in before[i].iter_mut().zip(&mut from[0]) {
                        let (old_x, old_y) = (*x, *y);
                        *x = cosine * (old_x - tangent * old_y);
                        *y = cosine * (old_y + tangent * old_x);
                    }
                }
            }
        }
        if is_orthogonal {
            break;
        }
    }
    let squares: Vec<f64> = columns.iter().map(|column| dot(column, column)).collect();
    let largest = squares.iter().copied().fold(0.0, f64::max);
    if !is_orthogonal || !largest.is_finite() {
        return None;
    }
    let mut solution = vec![0.0; variables];
    for ((column, square), turned) in columns.iter().zip(squares).zip(&turned) {
        if square > CUT_OFF * CUT_OFF * largest {
            let along = dot(column, right) / square;
            solution
                .iter_mut()
                .zip(turned)
                .for_each(|(x, t)| *x += along * t);
        }
    }
    Some(solution)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: &[f64], expected: &[f64]) -> bool {
        found
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs().max(1.0))
    }

    #[test]
    fn solutions_are_nearest_and_shortest() {
        // A line through points.
        let ones = vec![1.0; 4];
        let line = solution(
            vec![ones.clone(), vec![0.0, 1.0, 2.0, 3.0]],
            &[1.0, 3.0, 5.0, 7.0],
        )
        .unwrap();
        assert!(near(&line, &[1.0, 2.0]));
        let mean = solution(vec![ones.clone()], &[1.0, 2.0, 3.0, 6.0]).unwrap();
        assert!(near(&mean, &[3.0]));
        // Rank 1, where x_0 + x_1 - 5 x_2 = 3: the shortest is along (1, 1, -5).
        let minus_five = vec![-5.0; 4];
        let shortest = solution(vec![ones.clone(), ones, minus_five], &[3.0; 4]).unwrap();
        assert!(near(&shortest, &[1.0 / 9.0, 1.0 / 9.0, -5.0 / 9.0]));
        // Nothing at all.
        assert_eq!(
            solution(vec![vec![0.0; 3]; 2], &[1.0; 3]),
            Some(vec![0.0; 2])
        );
        assert_eq!(solution(vec![vec![f64::NAN; 3]; 2], &[1.0; 3]), None);
    }

    #[test]
    fn ill_conditioned_equations_leave_little() {
        // Hilbert's matrix of order 8 has condition 10^10.
        let n = 8;
        let hilbert: Vec<Vec<f64>> = (0..n)
            .map(|j| (0..n).map(|i| 1.0 / (i + j + 1) as f64).collect())
            .collect();
        let right: Vec<f64> = (0..n)
            .map(|i| hilbert.iter().map(|column| column[i]).sum())
            .collect();
        let found = solution(hilbert, &right).unwrap();
        assert!(found.iter().all(|x| (x - 1.0).abs() < 1e-5), "{found:?}");
    }
}
