//! How large degrees of subresultants in x can be.
//!
//! **Bound.** With u = n − j and v = m − j, a coefficient of S_j of y^k is a minor of size u + v: rows y^a·f for a < u and y^a·g
//! for a < v, columns y^c for j < c < m + n − j, and y^k. Let t be any slope, and d(f) the greatest deg_x + t·deg_y of a term of
//! f. Then the entry of y^a·f in column y^c has at most degree d(f) − t·(c − a) in x, and the sum along a permutation is the
//! same for all:
//!
//! deg_x ≤ u·d(f) + v·d(g) − t·(u·v + j·(u + v)) + t·(j − k).
//!
//! t = 0 gives u·deg_x f + v·deg_x g, and t = 1 Bézout's number (m − j)(n − j) + j − k where total degrees are m and n. The least
//! of several slopes is taken.

/// Slopes, as fractions.
const SLOPES: [(i128, i128); 11] = [
    (0, 1),
    (1, 1),
    (2, 1),
    (3, 1),
    (1, 2),
    (3, 2),
    (1, 3),
    (2, 3),
    (-1, 1),
    (-1, 2),
    (-2, 1),
];

/// A bound for deg_x S_`j`, `j` below both degrees in y, from the degrees in x of the coefficients of 1, y, y², …
pub fn subresultant_degree(f: &[Option<usize>], g: &[Option<usize>], j: usize) -> usize {
    let u = (g.len() - 1 - j) as i128;
    let v = (f.len() - 1 - j) as i128;
    let j = j as i128;
    let of_slope = |&(over, under): &(i128, i128)| {
        let weighted = |degrees: &[Option<usize>]| {
            let term = |(power, degree): (usize, &Option<usize>)| {
                degree.map(|degree| under * degree as i128 + over * power as i128)
            };
            degrees
                .iter()
                .enumerate()
                .filter_map(term)
                .max()
                .unwrap_or(0)
        };
        // Of the powers k from 0 to j, one end is the worst.
        let last_column = (over * j).max(0);
        let all = u * weighted(f) + v * weighted(g) - over * (u * v + j * (u + v)) + last_column;
        all.div_euclid(under)
    };
    let least = SLOPES.iter().map(of_slope).min().unwrap_or(0);
    usize::try_from(least).unwrap_or(0)
}
