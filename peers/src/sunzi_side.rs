//! Sunzi's side of every case: the only file that knows its interface.
//!
//! Each function makes a contender from the same plain words that the peers get; `None` says that Sunzi has
//! no such operation, and the peers' times stand alone.

use sunzi_field::{Field, Fp32, Fp64};
use sunzi_integer::Multiplier;
use sunzi_poly::{CoefficientField, PolyRing};

use crate::contender::{Contender, contender};
use crate::flint::Signed;
use crate::sections::Direction;

/// The product of two polynomials over Z/p, given by residues from the constant term upward.
pub fn product_mod(p: u64, a: &[u64], b: &[u64]) -> Option<Box<dyn Contender>> {
    match u32::try_from(p) {
        Ok(p) => product_over(Fp32::new(p).ok()?, a, b),
        Err(_) => product_over(Fp64::new(p).ok()?, a, b),
    }
}

fn product_over<F>(field: F, a: &[u64], b: &[u64]) -> Option<Box<dyn Contender>>
where
    F: CoefficientField<Elem: TryFrom<u64> + Into<u64>>,
{
    let (a, b) = (elements::<F>(a)?, elements::<F>(b)?);
    let out = vec![field.zero(); a.len() + b.len() - 1];
    let ring = PolyRing::new(field);
    Some(contender(
        (a, b, out),
        move |(a, b, out)| ring.mul_slices(out, a, b),
        |(_, _, out)| words(out),
    ))
}

/// The elements whose residues are these words, if they fit.
fn elements<F: Field<Elem: TryFrom<u64>>>(words: &[u64]) -> Option<Vec<F::Elem>> {
    words.iter().map(|&word| word.try_into().ok()).collect()
}

fn words<E: Copy + Into<u64>>(elements: &[E]) -> Vec<u64> {
    elements.iter().map(|&element| element.into()).collect()
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
pub fn integer_batch(a: &[u64], b: &[u64], limbs: usize) -> Option<Box<dyn Contender>> {
    let multiplier = Multiplier::new();
    Some(contender(
        (a.to_vec(), b.to_vec(), vec![0; a.len() + b.len()]),
        move |(a, b, out)| {
            let lengths = "the operands are whole and equally many";
            multiplier
                .mul_batch(out, a, b, limbs, limbs)
                .expect(lengths);
        },
        |(_, _, out)| out.clone(),
    ))
}

/// The negacyclic transform of `input`, or its inverse.
pub fn negacyclic(_p: u64, _input: &[u64], _direction: Direction) -> Option<Box<dyn Contender>> {
    None
}

/// The cyclic transforms of the vectors of `length` in `input`.
pub fn cyclic(_p: u64, _input: &[u64], _length: usize) -> Option<Box<dyn Contender>> {
    None
}
