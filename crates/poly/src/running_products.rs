//! Running products, and their inverses by one inversion.

use sunzi_dft::internals::{CHUNK, in_chunks};
use sunzi_field::Field;

/// Rows of a chunk: their products do not wait for each other.
const ROWS: usize = 8;

/// Every factor times all before it, in place.
fn running_products<F: Field>(field: &F, factors: &mut [F::Elem]) {
    in_chunks(factors, |_, chunk| within_chunk(field, chunk));
    // What stands before each chunk, and then in all of it.
    let mut before = field.one();
    let mut heads = Vec::with_capacity(factors.len().div_ceil(CHUNK));
    for chunk in factors.chunks(CHUNK) {
        heads.push(before);
        before = chunk.last().map_or(before, |&last| field.mul(before, last));
    }
    in_chunks(factors, |start, chunk| {
        if start > 0 {
            field.scale_slice(chunk, heads[start / CHUNK]);
        }
    });
}

/// The running products of the factors, and their inverses; `None` if a factor is 0.
pub(crate) fn products_and_inverses<F: Field>(
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

#[cfg(test)]
mod tests {
    use super::*;
    use sunzi_dft::internals::BYTES_FOR_THREADS;
    use sunzi_field::{Fp32, Fp64};
    use sunzi_testkit::{Random, lengths_around, on_every_thread_count};

    #[test]
    fn products_and_inverses_are_those_of_the_definition() {
        let field = Fp64::new((1 << 63) - 25).unwrap();
        let mut random = Random::new(1);
        for len in [0, 1, 2, 7, 8, 9, 15, 16, 17, 1023, 1024, 1025, 1040, 3000] {
            let factors: Vec<u64> = (0..len).map(|_| 1 + random.below((1 << 62) - 1)).collect();
            let [products, inverses] = products_and_inverses(&field, factors.clone()).unwrap();
            let mut product = 1;
            for i in 0..len {
                product = field.mul(product, factors[i]);
                assert_eq!(products[i], product, "{len}, {i}");
                assert_eq!(field.mul(inverses[i], product), 1, "{len}, {i}");
            }
        }
    }

    /// Chunks are shared from 2^17 bytes on.
    #[test]
    fn the_same_on_every_number_of_threads() {
        let field = Fp64::new((1 << 63) - 25).unwrap();
        for len in lengths_around(BYTES_FOR_THREADS / 8) {
            let factors: Vec<u64> = (0..len as u64).map(|i| field.prime() - 1 - i % 3).collect();
            on_every_thread_count(|threads| {
                let found = products_and_inverses(&field, factors.clone()).unwrap();
                let [products, inverses] = found;
                let mut product = 1;
                for i in 0..len {
                    product = field.mul(product, factors[i]);
                    assert_eq!(products[i], product, "{len}, {i}, {threads} threads");
                    assert_eq!(
                        field.mul(inverses[i], product),
                        1,
                        "{len}, {i}, {threads} threads"
                    );
                }
            });
        }
    }

    #[test]
    fn zeros_have_no_inverse() {
        let field = Fp32::new(7).unwrap();
        assert!(products_and_inverses(&field, vec![3, 0, 2]).is_none());
        assert!(products_and_inverses(&field, vec![0]).is_none());
    }
}
