//! What the tests share: values in words, on a device and back.

use rug::Integer;
use rug::integer::Order;
use sunzi_device::{Buffer, Stream};
use sunzi_field::{AnyField, GeneralizedFermat};
use sunzi_gpu::ResidueWord;

pub fn words<E: ResidueWord>(residues: &[u64]) -> Vec<E> {
    residues.iter().map(|&x| E::from_residue(x)).collect()
}

pub fn residues<E: ResidueWord>(words: &[E]) -> Vec<u64> {
    words.iter().map(|x| x.residue()).collect()
}

pub fn upload<E: ResidueWord>(stream: &Stream, residues: &[u64]) -> Buffer<E> {
    stream.device().filled(stream, &words(residues)).unwrap()
}

pub fn download<E: ResidueWord>(stream: &Stream, from: &Buffer<E>) -> Vec<u64> {
    let mut words = vec![E::zeroed(); from.len()];
    stream.read(from, &mut words).unwrap();
    residues(&words)
}

pub fn integer(words: &[u32]) -> Integer {
    Integer::from_digits(words, Order::Lsf)
}

/// The field without its type.
pub fn any<const K: usize>(field: &GeneralizedFermat<K>) -> AnyField {
    AnyField::generalized_fermat(field.radix(), K).unwrap()
}
