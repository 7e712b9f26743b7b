//! Running products, and their inverses by one inversion.

use sunzi_dft::internals::{CHUNK, in_chunks};
use sunzi_field::Field;

/// Rows of a chunk: their products do not wait for each other.
const ROWS: usize = 8;

/// Every factor times all before it, in place.
fn running_products<F: Field>(field: &F, factors: &mut [F::Elem]) {
    in_chunks(factors, &|_, chunk| within_chunk(field, chunk));
    // What stands before each chunk, and then in all of it.
    let mut before = field.one();
    let mut heads = Vec::with_capacity(factors.len().div_ceil(CHUNK));
    for chunk in factors.chunks(CHUNK) {
        heads.push(before);
        before = chunk.last().map_or(before, |&last| field.mul(before, last));
    }
    in_chunks(factors, &|start, chunk| {
        if start > 0 {
            field.scale_slice(chunk, heads[start / CHUNK]);
        }
    });
}

/// The running products of the factors, and their inverses; `None` if a factor is 0.
pub fn products_and_inverses<F: Field>(
    field: &F,
    factors: Vec<F::Elem>,
) -> Option<[Vec<F::Elem>; 2]> {
    let mut products = factors.clone();
    running_products(field, &mut products);
    let Some(&last) = products.last() else {
        return Some([products, factors]);
    };
    // From the last one on each inverse is the one after it times a factor.
    let mut inverses = factors;
    inverses.reverse();
    inverses.rotate_right(1);
    inverses[0] = field.inv(last)?;
    running_products(field, &mut inverses);
    inverses.reverse();
    Some([products, inverses])
}

fn within_chunk<F: Field>(field: &F, chunk: &mut [F::Elem]) {
    let len = chunk.len() / ROWS;
    let (rows, rest) = chunk.split_at_mut(ROWS * len);
    let mut products = [field.one(); ROWS];
    for column in 0..len {
        for (row, product) in products.iter_mut().enumerate() {
            let entry = &mut rows[row * len + column];
            *product = field.mul(*product, *entry);
            *entry = *product;
        }
    }
    let mut before = field.one();
    if len > 0 {
        for row in rows.chunks_mut(len) {
            field.scale_slice(row, before);
            before = row[len - 1];
        }
    }
    for entry in rest {
        before = field.mul(before, *entry);
        *entry = before;
    }
}
