//! Sunzi's side of every case: the only file that knows its interface.
//!
//! Each function makes a contender from the same plain words that the peers get; `None` says that Sunzi has
//! no such operation, and the peers' times stand alone.

use sunzi_integer::Multiplier;

use crate::contender::{Contender, contender};
use crate::flint::Signed;
use crate::sections::Direction;

/// The product of two polynomials over Z/p, given by residues from the constant term upward.
pub fn product_mod(_p: u64, _a: &[u64], _b: &[u64]) -> Option<Box<dyn Contender>> {
    None
}

/// The product of two polynomials over Z; a coefficient of the result takes `width` limbs.
pub fn product_in_z(_a: &[Signed], _b: &[Signed], _width: usize) -> Option<Box<dyn Contender>> {
    None
}

/// The product of two integers.
pub fn integer_product(a: &[u64], b: &[u64]) -> Option<Box<dyn Contender>> {
    let multiplier = Multiplier::new();
    Some(contender(
        (a.to_vec(), b.to_vec(), vec![0; a.len() + b.len()]),
        move |(a, b, out)| multiplier.mul(out, a, b),
        |(_, _, out)| out.clone(),
    ))
}

/// The square of an integer.
pub fn integer_square(a: &[u64]) -> Option<Box<dyn Contender>> {
    let multiplier = Multiplier::new();
    Some(contender(
        (a.to_vec(), vec![0; 2 * a.len()]),
        move |(a, out)| multiplier.sqr(out, a),
        |(_, out)| out.clone(),
    ))
}

/// Products of operands of `limbs` limbs each, one after the other.
pub fn integer_batch(_a: &[u64], _b: &[u64], _limbs: usize) -> Option<Box<dyn Contender>> {
    None
}

/// The negacyclic transform of `input`, or its inverse.
pub fn negacyclic(_p: u64, _input: &[u64], _direction: Direction) -> Option<Box<dyn Contender>> {
    None
}

/// The cyclic transforms of the vectors of `length` in `input`.
pub fn cyclic(_p: u64, _input: &[u64], _length: usize) -> Option<Box<dyn Contender>> {
    None
}
