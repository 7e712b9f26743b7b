//! Element-wise operations: vectors on every instruction set against single elements and definitions.

mod combine;
mod words32;
mod words64;

use std::fmt::Debug;
use sunzi_field::internals::horner::{Horner, PointProduct};
use sunzi_field::internals::{Elementwise, Map, Zip};
use sunzi_machine::simd::{InstructionSet, Word};

/// Checks for one operation that vectors and single elements agree, on every instruction set.
fn check_vectors<T: Word + Eq + Debug, O: Elementwise<T>>(operation: O, residues: &[T]) {
    // Every residue meets every other, and the lengths leave every remainder.
    for shift in 0..residues.len() {
        let length = residues.len() - shift % 17 % residues.len();
        let x = &residues[..length];
        let y: Vec<T> = (0..length)
            .map(|i| residues[(i + shift) % residues.len()])
            .collect();
        let expected: Vec<T> = x
            .iter()
            .zip(&y)
            .map(|(&x, &y)| operation.element(x, y))
            .collect();
        for set in InstructionSet::ALL {
            let mut zipped = x.to_vec();
            let task = Zip {
                operation,
                x: &mut zipped,
                y: &y,
            };
            if set.run(task).is_none() {
                sunzi_testkit::skip(&format!("this machine lacks {set:?}"));
                continue;
            }
            assert_eq!(zipped, expected, "{set:?}");
        }
    }
    let expected: Vec<T> = residues.iter().map(|&x| operation.element(x, x)).collect();
    for set in InstructionSet::ALL {
        let mut mapped = residues.to_vec();
        let x = &mut mapped;
        if set.run(Map { operation, x }).is_some() {
            assert_eq!(mapped, expected, "{set:?}");
        }
    }
}

/// The values at these points on every instruction set, against the definition.
pub fn check<T: Word + Eq + Debug, M: PointProduct<T>, A: Elementwise<T>>(
    (multiply, add): (M, A),
    residues: &[T],
    expected: impl Fn(&[T], T) -> T,
) {
    // Enough for several vectors at a time, and some left over.
    let points = &residues.repeat(3)[..];
    for len in [0, 1, 2, residues.len()] {
        let coefficients = &residues[residues.len() - len..];
        let values = points.iter().map(|&u| expected(coefficients, u));
        let expected: Vec<T> = values.collect();
        for set in InstructionSet::ALL {
            let mut values = points.to_vec();
            let task = Horner {
                multiply,
                add,
                values: &mut values,
                coefficients,
                points,
            };
            match set.run(task) {
                Some(()) => assert_eq!(values, expected, "{len} coefficients, {set:?}"),
                None => sunzi_testkit::skip(&format!("this machine lacks {set:?}")),
            }
        }
    }
}
