//! Powers of two for rows and columns of a matrix whose entries are far apart.

use super::scaled::split;
use super::step::Row;

/// The place of a zero among the exponents.
const ZERO: i32 = i32::MAX;

/// Exponents r and c with |a_ij| < 2^(r_i + c_j + 1) everywhere, and |a_ij| ≥ 2^(r_i + c_j) for one entry in
/// each row and column; none, if every product of entries in different rows and columns is zero.
///
/// So after scaling no entry reaches 2, and the largest of the products that make up the determinant is at
/// least 1: what is too small for a double beside it does not matter. The exponents are the solution of the
/// dual of an assignment problem (M. Olschowka and A. Neumaier, "A new pivoting strategy for Gaussian
/// elimination", 1996), found by shortest augmenting paths (R. Burkard, M. Dell'Amico and S. Martello,
/// "Assignment problems", §4.4) in at most n³ steps.
pub fn exponents(rows: &[Row]) -> Option<(Vec<i64>, Vec<i64>)> {
    let n = rows.len();
    let costs: Vec<i32> = rows.iter().flat_map(|row| &row.entries).map(cost).collect();
    let mut row_prices = vec![0_i64; n];
    let mut column_prices = (0..n)
        .map(|j| (0..n).map(|i| costs[i * n + j]).min())
        .map(|least| least.filter(|&least| least != ZERO).map(i64::from))
        .collect::<Option<Vec<i64>>>()?;
    let mut matched: Vec<Option<usize>> = vec![None; n];
    for start in 0..n {
        let mut distance = vec![i64::MAX; n];
        let mut before: Vec<Option<usize>> = vec![None; n];
        let mut reached: Vec<(usize, i64)> = Vec::new();
        let mut is_reached = vec![false; n];
        let (mut row, mut length, mut last) = (start, 0, None);
        // Dijkstra's algorithm from this row to a column that no row has.
        let (end, total) = loop {
            let mut next: Option<usize> = None;
            for j in (0..n).filter(|&j| !is_reached[j]) {
                let cost = costs[row * n + j];
                if cost != ZERO {
                    let through = length + i64::from(cost) - row_prices[row] - column_prices[j];
                    if through < distance[j] {
                        (distance[j], before[j]) = (through, last);
                    }
                }
                if distance[j] < next.map_or(i64::MAX, |next| distance[next]) {
                    next = Some(j);
                }
            }
            let column = next?;
            length = distance[column];
            let Some(owner) = matched[column] else {
                break (column, length);
            };
            is_reached[column] = true;
            reached.push((column, length));
            (row, last) = (owner, Some(column));
        };
        row_prices[start] += total;
        for (column, length) in reached {
            column_prices[column] -= total - length;
            row_prices[matched[column].expect("reached columns have rows")] += total - length;
        }
        // Every row on the way takes the column that comes after it.
        let mut column = end;
        while let Some(previous) = before[column] {
            matched[column] = matched[previous];
            column = previous;
        }
        matched[column] = Some(start);
    }
    let negated = |prices: Vec<i64>| prices.into_iter().map(|price| -price).collect();
    Some((negated(row_prices), negated(column_prices)))
}

fn cost(entry: &f64) -> i32 {
    if *entry == 0.0 {
        ZERO
    } else {
        -split(*entry).1
    }
}
