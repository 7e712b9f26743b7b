//! What is done with the lines of two files: one type for each kind of product.

pub mod integers;
pub mod modular;
pub mod over_integers;
pub mod residues;

use crate::input::LineError;

/// The form of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A line of text.
    Plain,
    /// A JSON value: integers are strings, polynomials are arrays of strings.
    Json,
}

/// A product of two lines.
pub trait Operation: Sync {
    /// What a line holds.
    type Operand: Send + Sync;
    /// What a product is.
    type Product: Send + Sync;

    /// What a line holds, in sentences.
    const NOUN: &'static str;

    /// About how many bytes a line takes as an operand, from a glance at it.
    fn weight(content: &[u8]) -> usize;

    /// Reads the content of a line.
    fn parse(&self, content: &[u8]) -> Result<Self::Operand, LineError>;

    /// Bytes that an operand takes.
    fn bytes(&self, operand: &Self::Operand) -> u64;

    /// About how many bytes a product takes: result, scratch and text.
    fn needed_bytes(&self, left: &Self::Operand, right: &Self::Operand) -> u64;

    /// The name of the algorithm that the product runs.
    fn algorithm(&self, left: &Self::Operand, right: &Self::Operand) -> &'static str;

    /// That algorithm and why it runs, in a sentence.
    fn explain(&self, left: &Self::Operand, right: &Self::Operand) -> String;

    /// The product, or why it cannot be computed.
    fn multiply(
        &self,
        left: &Self::Operand,
        right: &Self::Operand,
    ) -> Result<Self::Product, String>;

    /// Writes a product.
    fn write(&self, product: &Self::Product, style: Style, out: &mut Vec<u8>);
}

/// The algorithm that a user named, out of those there are.
pub fn named<A: Copy>(
    name: &str,
    all: &[A],
    name_of: impl Fn(A) -> &'static str,
) -> Result<A, crate::error::Failure> {
    all.iter()
        .copied()
        .find(|&algorithm| name_of(algorithm) == name)
        .ok_or_else(|| {
            let names: Vec<_> = all.iter().map(|&algorithm| name_of(algorithm)).collect();
            crate::error::Failure::Usage(format!(
                "there is no algorithm `{name}`: the names are {}",
                names.join(", ")
            ))
        })
}

/// Puts what `write` writes between quotes where the style asks for it.
pub fn quoted(style: Style, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    let quote = style == Style::Json;
    if quote {
        out.push(b'"');
    }
    write(out);
    if quote {
        out.push(b'"');
    }
}
