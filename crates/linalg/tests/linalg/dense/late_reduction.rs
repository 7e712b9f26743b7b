//! Small determinants modulo primes below 2^31, against the definition by condensation and on all instruction sets.

use crate::common::random_residues;
use sunzi_field::{Field, Fp32};
use sunzi_linalg::DenseMatrix;
use sunzi_linalg::dense::{determinant, reference};
use sunzi_linalg::internals::determinant_reduced_late;
use sunzi_machine::InstructionSet;
use sunzi_testkit::Random;

const PRIMES: [u32; 5] = [3, 7, 65537, 469_762_049, 2_147_483_647];

/// Around whole vectors, and around the largest order that is small.
const ORDERS: [usize; 14] = [0, 1, 2, 7, 8, 9, 15, 16, 17, 24, 25, 33, 96, 97];

fn check(field: &Fp32, matrix: &DenseMatrix<u32>, expected: u32, what: &str) {
    let what = format!("{what}, order {}, modulo {}", matrix.rows(), field.prime());
    for set in InstructionSet::ALL {
        let found = determinant_reduced_late(set, field, matrix);
        assert_eq!(found, expected, "{what}, {set}");
    }
    assert_eq!(determinant(field, matrix.clone()), Ok(expected), "{what}");
}

#[test]
fn determinants_are_those_of_the_definition() {
    for prime in PRIMES {
        let field = Fp32::new(prime).unwrap();
        let mut random = Random::new(u64::from(prime));
        for order in ORDERS {
            let matrix = random_residues(&field, order, &mut random);
            let expected = reference::determinant(&field, &matrix).unwrap();
            check(&field, &matrix, expected, "random");
            // Sums are as large as they can be: differences of the greatest residues from a rank-one matrix.
            let greatest = DenseMatrix::from_fn(order, order, |i, j| match i == j {
                true => prime - 2,
                false => prime - 1,
            });
            let expected = reference::determinant(&field, &greatest).unwrap();
            check(&field, &greatest, expected, "greatest residues");
            let zero = DenseMatrix::from_fn(order, order, |_, _| prime - 1);
            let expected = [1, prime - 1].get(order).copied().unwrap_or(0);
            check(&field, &zero, expected, "of rank one");
        }
    }
}

#[test]
fn pivots_lie_anywhere() {
    let field = Fp32::new(2_147_483_647).unwrap();
    let mut random = Random::new(5);
    for order in ORDERS {
        // Entries on and below the other diagonal alone: each pivot is in the last row.
        let matrix = DenseMatrix::from_fn(order, order, |i, j| match i + j + 1 >= order {
            true => 1 + random.below(1 << 30) as u32,
            false => 0,
        });
        let diagonal = (0..order).map(|i| matrix[(i, order - 1 - i)]);
        let product = diagonal.fold(1, |product, entry| field.mul(product, entry));
        let odd = order / 2 % 2 == 1;
        let expected = if odd { field.neg(product) } else { product };
        check(&field, &matrix, expected, "turned triangle");
        // The last pivot is zero.
        let mut singular = random_residues(&field, order, &mut random);
        if order >= 2 {
            for j in 0..order {
                singular[(order - 1, j)] = field.add(singular[(0, j)], singular[(order - 2, j)]);
            }
            if order == 2 {
                singular[(1, 0)] = singular[(0, 0)];
                singular[(1, 1)] = singular[(0, 1)];
            }
            check(&field, &singular, 0, "singular");
        }
    }
}
