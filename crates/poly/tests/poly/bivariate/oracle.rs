//! Subresultants by their definition: determinants over Z[x], by fraction-free elimination (E. Bareiss, 1968).

use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, IntegerPolyRing, Poly};
use sunzi_testkit::Random;

fn neg(a: &Poly<Integer>) -> Poly<Integer> {
    Poly::new(a.coefficients().iter().map(|c| -c).collect())
}

fn sub(a: &Poly<Integer>, b: &Poly<Integer>) -> Poly<Integer> {
    let at = |f: &Poly<Integer>, i: usize| f.coefficients().get(i).cloned().unwrap_or_default();
    Poly::new(
        (0..a.len().max(b.len()))
            .map(|i| at(a, i) - at(b, i))
            .collect(),
    )
}

fn determinant(mut rows: Vec<Vec<Poly<Integer>>>) -> Poly<Integer> {
    let ring = IntegerPolyRing::new();
    let size = rows.len();
    let mut before = Poly::new(vec![Integer::ONE]);
    let mut negative = false;
    for k in 0..size {
        let Some(pivot) = (k..size).find(|&i| !rows[i][k].is_zero()) else {
            return Poly::zero();
        };
        if pivot != k {
            rows.swap(pivot, k);
            negative = !negative;
        }
        for i in k + 1..size {
            for j in k + 1..size {
                let crossed = ring.mul(&rows[i][k], &rows[k][j]);
                let entry = sub(&ring.mul(&rows[k][k], &rows[i][j]), &crossed);
                rows[i][j] = ring.div_exact(&entry, &before).unwrap();
            }
        }
        before = rows[k][k].clone();
    }
    if negative { neg(&before) } else { before }
}

/// S_j for j below both degrees in y.
pub(super) fn subresultant(
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
    j: usize,
) -> BivariatePoly<Integer> {
    let (m, n) = (f.rows().len() - 1, g.rows().len() - 1);
    let coefficient = |k: usize| {
        let row = |h: &BivariatePoly<Integer>, shift: usize| -> Vec<Poly<Integer>> {
            let columns = (j + 1..m + n - j).rev().chain([k]);
            let entry = |column: usize| {
                column
                    .checked_sub(shift)
                    .and_then(|power| h.row(power).cloned())
            };
            columns
                .map(|column| entry(column).unwrap_or_default())
                .collect()
        };
        let of_f = (0..n - j).rev().map(|shift| row(f, shift));
        let of_g = (0..m - j).rev().map(|shift| row(g, shift));
        determinant(of_f.chain(of_g).collect())
    };
    BivariatePoly::new((0..=j).map(coefficient).collect())
}

/// Rows of so many coefficients, of numbers below `size` in absolute value; 0 every now and then.
pub(super) fn random(random: &mut Random, lens: &[usize], size: u64) -> BivariatePoly<Integer> {
    let mut coefficient = || match random.below(8) {
        0 => Integer::ZERO,
        _ => Integer::from(random.below(2 * size - 1)) - Integer::from(size - 1),
    };
    let mut row = |&len: &usize| Poly::new((0..len).map(|_| coefficient()).collect());
    BivariatePoly::new(lens.iter().map(&mut row).collect())
}

/// A polynomial by small coefficients.
pub(super) fn small(rows: &[&[i64]]) -> BivariatePoly<Integer> {
    let row = |row: &&[i64]| Poly::new(row.iter().map(|&c| Integer::from(c)).collect());
    BivariatePoly::new(rows.iter().map(row).collect())
}

/// By products of polynomials in x.
pub(super) fn product(
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
) -> BivariatePoly<Integer> {
    let ring = IntegerPolyRing::new();
    let mut rows = vec![Vec::new(); f.rows().len() + g.rows().len()];
    for (i, a) in f.rows().iter().enumerate() {
        for (j, b) in g.rows().iter().enumerate() {
            let term = ring.mul(a, b).into_coefficients();
            let row: &mut Vec<Integer> = &mut rows[i + j];
            row.resize(row.len().max(term.len()), Integer::ZERO);
            row.iter_mut().zip(term).for_each(|(sum, c)| *sum += c);
        }
    }
    BivariatePoly::new(rows.into_iter().map(Poly::new).collect())
}

/// All coefficients of a degree below `columns` in x and `rows` in y, of `bits` bits and either sign.
pub(super) fn random_over_z(
    random: &mut Random,
    rows: usize,
    columns: usize,
    bits: usize,
) -> BivariatePoly<Integer> {
    let row = |_| Poly::new((0..columns).map(|_| random.integer(bits)).collect());
    BivariatePoly::new((0..rows).map(row).collect())
}

/// Pairs that have what makes trouble.
pub(super) fn edge_pairs() -> Vec<[BivariatePoly<Integer>; 2]> {
    let mut random_numbers = Random::new(17);
    let mut dense = |lens: &[usize], size| random(&mut random_numbers, lens, size);
    vec![
        // Of degree 0 in x; of degree 1 in y; of very different degrees.
        [
            small(&[&[3], &[1], &[2], &[5]]),
            small(&[&[-1], &[4], &[7]]),
        ],
        [small(&[&[1, 2], &[3, 4, 5]]), small(&[&[-1], &[0, 0, 1]])],
        [dense(&[2, 3, 2, 1, 1, 2], 9), dense(&[3, 2], 9)],
        [dense(&[3, 2], 9), dense(&[2, 3, 2, 1, 1, 2], 9)],
        // Leading coefficients that vanish at small numbers, one, the other, both.
        [
            small(&[&[1], &[2, 1], &[0, -6, 11, -6, 1]]),
            small(&[&[5, 1], &[1], &[3], &[7]]),
        ],
        [
            small(&[&[1], &[2, 1], &[3], &[7]]),
            small(&[&[5, 1], &[1], &[-2, 3, -1]]),
        ],
        [
            small(&[&[1], &[2, 1], &[3], &[0, 1]]),
            small(&[&[5, 1], &[1], &[0, 2, -1], &[0, 3, 1]]),
        ],
        [
            small(&[&[1, 1], &[0, 1], &[0, 1]]),
            small(&[&[4, 1], &[0, 1], &[0, 2, 1]]),
        ],
        // Vertical lines: contents x − 1 and x² − 1.
        [
            small(&[&[-2, 2], &[-3, 2, 1], &[-1, 1]]),
            small(&[&[-5, 0, 5], &[-1, 0, 1], &[-4, -4, 4, 4]]),
        ],
        // Equal, proportional, with a common curve y − x.
        [
            small(&[&[1, 2], &[3], &[0, 1]]),
            small(&[&[1, 2], &[3], &[0, 1]]),
        ],
        [
            small(&[&[1, 2], &[3], &[0, 1]]),
            small(&[&[-2, -4], &[-6], &[0, -2]]),
        ],
        [
            small(&[&[0, 0, -1], &[0, 1, -1], &[0, 1]]),
            small(&[&[0, -5], &[5, -1], &[1]]),
        ],
        // Gaps: chains that are defective everywhere.
        [
            small(&[&[-1, 0, 0, 2], &[], &[], &[], &[1]]),
            small(&[&[0, 0, 5], &[], &[], &[3]]),
        ],
        [
            small(&[&[-1, 0, 0, 2], &[1], &[], &[], &[], &[1]]),
            small(&[&[0, 1, 5], &[], &[0, 2]]),
        ],
        [
            small(&[&[7], &[], &[0, 1], &[], &[1], &[], &[2]]),
            small(&[&[0, 3], &[], &[1], &[], &[0, 0, 1]]),
        ],
        [
            small(&[&[2, 1], &[], &[], &[], &[], &[1]]),
            small(&[&[1, 1], &[], &[], &[], &[], &[3]]),
        ],
        [
            small(&[&[0, 0, 1], &[], &[], &[], &[], &[], &[1]]),
            small(&[&[0, 1], &[1]]),
        ],
        // y⁴ − 1 and x·y² + y − x: drops in some points only, at ±1, 0 and ±i.
        [
            small(&[&[-1], &[], &[], &[], &[1]]),
            small(&[&[0, -1], &[1], &[0, 1]]),
        ],
        [
            small(&[&[1], &[0, 1], &[0, 0, 1], &[1]]),
            small(&[&[2], &[0, 2], &[0, 1], &[1, 1]]),
        ],
        dense_pair(&mut random_numbers, 5, 4),
        dense_pair(&mut random_numbers, 4, 4),
    ]
}

/// Dense polynomials of two total degrees.
pub(super) fn dense_pair(numbers: &mut Random, m: usize, n: usize) -> [BivariatePoly<Integer>; 2] {
    [m, n].map(|degree| {
        let lens: Vec<usize> = (0..=degree).map(|j| degree + 1 - j).collect();
        random(numbers, &lens, 1 << 10)
    })
}
