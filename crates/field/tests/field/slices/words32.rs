//! Residues of 31 bits.

use super::{check, check_vectors};
use sunzi_field::Fp32;
use sunzi_field::internals::words32::{Add, Mul, Neg, Scale, Sub};
use sunzi_field::internals::{Modulus31, horner};
use sunzi_testkit::edge_residues;

#[test]
fn vectors_agree_with_elements() {
    for prime in [3, 5, 7, 257, 65537, 469762049, 1073741827, 2147483647] {
        let field = &Modulus31::new(prime);
        let prepared = Fp32::new(prime).unwrap();
        let residues = edge_residues(u64::from(prime));
        let residues: Vec<u32> = residues.into_iter().map(|x| x as u32).collect();
        check_vectors(Add(field), &residues);
        check_vectors(Sub(field), &residues);
        check_vectors(Neg(field), &residues);
        check_vectors(Mul(field), &residues);
        for &factor in &residues {
            check_vectors(Scale(field, prepared.prepare(factor)), &residues);
        }
    }
}

#[test]
fn values_are_those_of_the_definition() {
    for prime in [3, 257, 469762049, 2147483647] {
        let field = &Modulus31::new(prime);
        let residues = edge_residues(u64::from(prime));
        let residues: Vec<u32> = residues.into_iter().map(|x| x as u32).collect();
        let operations = (horner::ElementwiseProduct(Mul(field)), Add(field));
        check(operations, &residues, |coefficients, point| {
            let terms = coefficients.iter().rev();
            let value = terms.fold(0, |value, &coefficient| {
                (value * u64::from(point) + u64::from(coefficient)) % u64::from(prime)
            });
            value as u32
        });
    }
}
