//! Small products of matrices of integers of a word each: sums of products in one, two or three words, without any prime.
//!
//! **Bound.** |c| ≤ k·max|a|·max|b| says how many words hold every sum, in two's complement.

use super::product::most_bits;
use crate::dense::integer::words::Words;
use crate::dense::matrix::DenseMatrix;
use sunzi_integer::Integer;
use sunzi_rns::limbs::bit_len;

/// Products of entries up to which these are quicker than residues, which are computed on vectors and on all threads.
const MOST_PRODUCTS: usize = 1 << 18;

/// A·B for matrices that fit each other, if all entries are of a word and there are few.
pub fn product_of_words(
    a: &DenseMatrix<Integer>,
    b: &DenseMatrix<Integer>,
) -> Option<DenseMatrix<Integer>> {
    let (m, k, n) = (a.rows(), a.columns(), b.columns());
    let products = m.checked_mul(n)?.checked_mul(k.max(1))?;
    if products > MOST_PRODUCTS {
        return None;
    }
    let bits = most_bits(a) + most_bits(b) + bit_len(k);
    let mut left = Vec::with_capacity(m * k);
    for entry in a.entries() {
        left.push(i64::try_from(entry).ok()?);
    }
    let mut right = Vec::with_capacity(k * n);
    for j in 0..n {
        for i in 0..k {
            right.push(i64::try_from(&b[(i, j)]).ok()?);
        }
    }
    let sums: fn(&[i64], &[i64]) -> Integer = match bits {
        ..64 => |row, column| {
            let products = row.iter().zip(column).map(|(&x, &y)| x * y);
            products.sum::<i64>().into()
        },
        64..128 => |row, column| {
            let products = row.iter().zip(column).map(|(&x, &y)| wide(x, y));
            products.sum::<i128>().into()
        },
        _ => three_words,
    };
    let row = |i: usize| &left[i * k..(i + 1) * k];
    let column = |j: usize| &right[j * k..(j + 1) * k];
    Some(DenseMatrix::from_fn(m, n, |i, j| sums(row(i), column(j))))
}

fn wide(x: i64, y: i64) -> i128 {
    i128::from(x) * i128::from(y)
}

/// A sum of less than 2^63 products.
fn three_words(row: &[i64], column: &[i64]) -> Integer {
    let (mut low, mut high) = (0u128, 0i64);
    for (&x, &y) in row.iter().zip(column) {
        let product = wide(x, y);
        let (sum, carry) = low.overflowing_add(product as u128);
        low = sum;
        // The sign goes on in the third word.
        high += (product >> 127) as i64 + i64::from(carry);
    }
    Words([low as u64, (low >> 64) as u64, high as u64]).signed()
}
