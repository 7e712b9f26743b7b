//! Elements as rows of words, for code that has no type for them.

use std::borrow::Cow;

use crate::traits::TwoAdicField;

/// A field that can be used without its type: its elements are rows of words, the residue in one word, or the digits in radix r of a field modulo
/// r^k + 1, the lowest first.
pub trait Rows: TwoAdicField {
    /// Words of a row.
    const WIDTH: usize;

    /// The rows of elements, one after the other.
    fn rows(elements: &[Self::Elem]) -> Cow<'_, [u64]>;

    /// Elements of rows; words after the last whole row are left out.
    fn from_rows(rows: Vec<u64>) -> Vec<Self::Elem>;

    /// The rows of elements that nobody else needs.
    fn into_rows(elements: Vec<Self::Elem>) -> Vec<u64>;

    /// Appends the row of an element.
    fn push_row(element: Self::Elem, rows: &mut Vec<u64>) {
        rows.extend_from_slice(&Self::rows(&[element]));
    }

    /// The element of the first row; 0 if there is none.
    fn from_row(row: &[u64]) -> Self::Elem;

    /// Its type and how it has its elements, in a line.
    fn description(&self) -> String;

    /// How its modulus was shown to be prime, in a line.
    fn primality_proof(&self) -> String {
        // The least composite that passes the bases 2, 3, 5 … 37 is 318665857834031151167461 (Sorenson and Webster, Strong
        // pseudoprimes to twelve prime bases, arXiv:1509.00864, 2015).
        "proved: Miller-Rabin with as many of the bases 2 … 37 as no composite of this size passes"
            .to_owned()
    }

    /// The radix r and the number of digits k, where the modulus is r^k + 1 and elements are their digits.
    fn radix_and_digits(&self) -> Option<(u64, usize)> {
        None
    }
}
