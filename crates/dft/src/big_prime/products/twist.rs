//! Products modulo x^T − s, and how they complete products modulo x^M − 1.
//!
//! Let M = 2^h·T and s = r^(K/2^h), so that s^(2^h) = r^K = −1. Modulo x^T − s then x^M = −1: so x^M − 1
//! is −2 there, and the two moduli have no common root. With A the product modulo x^M − 1 and B that
//! modulo x^T − s, the product of length up to M + T is A + (x^M − 1)·q, q = (A − B)/2 modulo x^T − s.
//!
//! Modulo x^T − s a polynomial is `Σ_j s^j·a_j` of its stretches a_j of T coefficients: rotations of
//! digits, no products. With ψ the field's root of order 2M, ψ^T = s: so x = ψ·y turns x^T − s into
//! s·(y^T − 1), whose transforms the field has.

use crate::progressions::in_chunks_of;
use sunzi_field::generalized_fermat::Packed;
use sunzi_field::{Digits, Field, GeneralizedFermat, TwoAdicField};

/// Coefficients dealt with together: a few kilobytes, in whole blocks of vectors.
const CHUNK: usize = 128;

/// What transforms for x^T − s take besides those for x^T − 1.
#[derive(Debug)]
pub(super) struct Twist<const K: usize> {
    /// T.
    points: usize,
    /// s = r^step.
    step: usize,
    /// Powers of ψ, and of ψ^−1, in chunks.
    weights: Vec<Packed<K>>,
    inverse_weights: Vec<Packed<K>>,
    half: Digits<K>,
}

impl<const K: usize> Twist<K> {
    /// For x^T − s, T = M/2^halvings, where the field has a root of order 2M, 2^halvings ≤ K.
    pub(super) fn new(field: &GeneralizedFermat<K>, m: usize, halvings: u32) -> Self {
        let points = m >> halvings;
        let root = field.root_of_unity(m.trailing_zeros() + 1);
        let root = root.unwrap_or_else(|| field.one());
        let inverse = field.pow(root, 2 * m as u64 - 1);
        let chunks = |root| {
            let powers = field.first_powers(root, points);
            powers
                .chunks(CHUNK)
                .map(|chunk| field.pack(chunk))
                .collect()
        };
        // (p + 1)/2 = r^K/2 + 1 = 1/2, and r is even: r/2·r^(K − 1) + 1.
        let mut half = Digits::default();
        half.0[0] = 1;
        half.0[K - 1] = field.radix() / 2;
        Self {
            points,
            step: K >> halvings,
            weights: chunks(root),
            inverse_weights: chunks(inverse),
            half,
        }
    }

    /// T.
    pub(super) const fn points(&self) -> usize {
        self.points
    }

    /// `a(ψ·y)` modulo y^T − 1.
    pub(super) fn fold(&self, field: &GeneralizedFermat<K>, a: &[Digits<K>]) -> Vec<Digits<K>> {
        let mut folded = vec![field.zero(); self.points.min(a.len())];
        in_chunks_of(CHUNK, &mut folded, &|start, out| {
            let mut sum = self.residue(field, a, start, out.len());
            multiply_start(field, &mut sum, &self.weights[start / CHUNK]);
            out.copy_from_slice(&field.unpack(&sum));
        });
        folded
    }

    /// From the product modulo x^M − 1, in the first M places of `out`, and `twisted`, what products of
    /// what [`Twist::fold`] gives are modulo y^T − 1, to the product in all of `out`.
    pub(super) fn join(
        &self,
        field: &GeneralizedFermat<K>,
        out: &mut [Digits<K>],
        m: usize,
        twisted: &mut [Digits<K>],
    ) {
        let (low, high) = out.split_at_mut(m);
        let quotient = &mut twisted[..high.len()];
        in_chunks_of(CHUNK, quotient, &|start, values| {
            let mut difference = self.residue(field, low, start, values.len());
            let mut value = field.pack(values);
            multiply_start(field, &mut value, &self.inverse_weights[start / CHUNK]);
            field.sub_packed(&mut difference, &value);
            field.scale_packed(&mut difference, self.half);
            values.copy_from_slice(&field.unpack(&difference));
        });
        high.copy_from_slice(quotient);
        in_chunks_of(CHUNK, &mut low[..quotient.len()], &|start, low| {
            let mut difference = field.pack(low);
            let subtracted = &quotient[start..][..low.len()];
            field.sub_packed(&mut difference, &field.pack(subtracted));
            low.copy_from_slice(&field.unpack(&difference));
        });
    }

    /// Coefficients `start .. start + len` of `a` modulo x^T − s.
    fn residue(
        &self,
        field: &GeneralizedFermat<K>,
        a: &[Digits<K>],
        start: usize,
        len: usize,
    ) -> Packed<K> {
        let mut sum = Packed::zeros(len);
        for (index, stretch) in a.chunks(self.points).enumerate() {
            let part = &stretch[start.min(stretch.len())..(start + len).min(stretch.len())];
            let mut part = match part.len() {
                0 => continue,
                found if found == len => field.pack(part),
                _ => {
                    let mut padded = part.to_vec();
                    padded.resize(len, field.zero());
                    field.pack(&padded)
                }
            };
            if index == 0 {
                sum = part;
                continue;
            }
            field.rotate_packed(&mut part, index * self.step);
            field.add_packed(&mut sum, &part);
        }
        sum
    }
}

/// `x[i] ← x[i]·y[i]`, where y may be longer.
fn multiply_start<const K: usize>(field: &GeneralizedFermat<K>, x: &mut Packed<K>, y: &Packed<K>) {
    if x.len() == y.len() {
        return field.mul_packed(x, y);
    }
    let mut start = Packed::zeros(x.len());
    let lines = start.lines().len();
    start.lines_mut().copy_from_slice(&y.lines()[..lines]);
    field.mul_packed(x, &start);
}
