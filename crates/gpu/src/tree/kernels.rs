//! The kernels of trees, over words and over digits: programs and descriptions.

use crate::big_prime::context::{DIGITS, ELEMENTS, Radix};
use crate::field::{Fields, POWERS, SUMS, Scale};
use crate::work::{column, sum_of};
use sunzi_device::parameters::{Parameter, Told};
use sunzi_device::{Buffer, Source, Work, kernel};

/// Kernels over a prime of a word.
const OF_WORDS: &str = include_str!("tree.cl");

/// Kernels over r^k + 1, by a thread for each digit.
const OF_DIGITS: &str = include_str!("elements.cl");

/// The program over primes of a word.
pub(super) fn word_source(fields: &Fields, leaf: usize) -> Source<'static> {
    fields
        .source("subproduct trees", leaf)
        .part(SUMS)
        .part(POWERS)
        .part(OF_WORDS)
}

/// The program over all primes r^k + 1.
pub(super) fn digit_source(threads: usize) -> Source<'static> {
    Source::new("subproduct trees modulo r^k + 1", threads)
        .part(DIGITS)
        .part(ELEMENTS)
        .part(OF_DIGITS)
}

/// What all kernels are told of the field, behind their own parameters.
#[derive(Debug)]
pub(super) struct Constants<'a> {
    /// log2 of the words of 32 bits of an element.
    pub log_width: u32,
    pub told: Of<'a>,
}

/// What that is.
#[derive(Debug)]
pub(super) enum Of<'a> {
    /// The table of primes of a word.
    Fields(&'a Fields),
    /// What residues are scaled by, and the table.
    Scaled(Scale, &'a Fields),
    /// The radix, and log2 of the digits.
    Radix(Radix, u32),
    /// log2 of the digits alone.
    Digits(u32),
    Nothing,
}

impl Constants<'_> {
    /// The work on `count` elements where `moved` elements are read and written: words take so many multiply-adds each and
    /// wait so many times; digits take so many products of elements.
    fn work(&self, [moved, count]: [u64; 2], [of_word, products]: [u64; 2], waits: usize) -> Work {
        let bytes = (4 * moved) << self.log_width;
        match self.told {
            Of::Radix(_, log_k) => Work {
                bytes,
                multiplications: (count << log_k) * products * column(1 << log_k),
                barriers: 2 + 2 * products as usize,
            },
            Of::Fields(_) | Of::Scaled(..) | Of::Digits(_) | Of::Nothing => Work {
                bytes,
                multiplications: count * of_word,
                barriers: waits,
            },
        }
    }

    /// Multiply-adds of a sum of so many products of words.
    fn sum(&self, products: usize) -> u64 {
        // Elements of digits are counted otherwise.
        sum_of((1 << self.log_width).min(2), products)
    }
}

impl Parameter for Constants<'_> {
    fn number(&self) -> u128 {
        self.log_width.into()
    }

    fn tell(self, _: &'static [&'static str], told: &mut Told) {
        match self.told {
            Of::Fields(fields) => fields.tell(&["fields"], told),
            Of::Scaled(scale, fields) => {
                scale.tell(&["scale"], told);
                fields.tell(&["fields"], told);
            }
            Of::Radix(radix, log_k) => {
                radix.tell(&[], told);
                log_k.tell(&["log_k"], told);
            }
            Of::Digits(log_k) => log_k.tell(&["log_k"], told),
            Of::Nothing => {}
        }
    }
}

kernel! {
    /// `length` elements: of the `count` from `first` on those that are asked for, in order or backwards.
    pub(super) unsafe struct TakePart<'a> for "tree_part" | "element_part" {
        to: &'a mut Buffer<u32> [(to_first + length) << field],
        to_first: u64,
        length: u32,
        from: &'a Buffer<u32> [(first + count) << field],
        first: u64,
        count: u32,
        shift as last: u32,
        backwards: u32,
        negated: bool,
        lead: bool,
        field: Constants<'a>,
    }
    work(k, _launch) {
        let length = u64::from(k.length);
        k.field.work([length + length.min(k.count.into()), length], [0, 0], 0)
    }
}

kernel! {
    /// Leaves, a group each, or sums over their points.
    pub(super) unsafe struct Leaves<'a> for "tree_leaves" in launch {
        to: &'a mut Buffer<u32> [(launch.groups() * launch.threads()) << field],
        points: &'a Buffer<u32> [(launch.groups() * launch.threads()) << field],
        c: &'a Buffer<u32> [(launch.groups() * launch.threads()) << field],
        sums: bool,
        field: Constants<'a>,
    }
    work(k, launch) {
        let (leaf, product) = (launch.threads[0], k.field.sum(1));
        let count = (launch.groups[0] * leaf) as u64;
        let step = if k.sums { k.field.sum(2) + product } else { product };
        let moved = count * (2 + u64::from(k.sums));
        k.field.work([moved, count], [leaf as u64 * step, 0], leaf)
    }
}

kernel! {
    /// Polynomials of 2^`log_d` elements, spread to vectors twice as long.
    pub(super) unsafe struct Spread<'a> for "tree_spread" | "element_spread" {
        to: &'a mut Buffer<u32> [(2 * count) << field],
        from: &'a Buffer<u32> [count << field],
        count: u32,
        log_d: u32,
        monic: bool,
        wrapped: bool,
        field: Constants<'a>,
    }
    work(k, _launch) {
        k.field.work([3 * u64::from(k.count), k.count.into()], [0, 0], 0)
    }
}

kernel! {
    /// The products of neighbours: `count` elements for each prime, which a row of groups has.
    pub(super) unsafe struct Products<'a> for "tree_products" | "element_products" in launch {
        to: &'a mut Buffer<u32> [(launch.rows() * count) << field],
        from: &'a Buffer<u32> [(launch.rows() * 2 * count) << field],
        count: u32,
        log_n: u32,
        field: Constants<'a>,
    }
    work(k, launch) {
        let count = u64::from(k.count) * launch.groups[1] as u64;
        k.field.work([3 * count, count], [2 * k.field.sum(1), 1], 0)
    }
}

kernel! {
    /// Each node's vector times the other child's: `count` elements of nodes for each prime, which a row of groups has.
    pub(super) unsafe struct Down<'a> for "tree_down" | "element_down" in launch {
        to: &'a mut Buffer<u32> [(launch.rows() * 2 * count) << field],
        from: &'a Buffer<u32> [(launch.rows() * count) << field],
        nodes: &'a Buffer<u32> [(launch.rows() * 2 * count) << field],
        count: u32,
        log_n: u32,
        field: Constants<'a>,
    }
    work(k, launch) {
        let count = u64::from(k.count) * launch.groups[1] as u64;
        k.field.work([5 * count, count], [4 * k.field.sum(1), 2], 0)
    }
}

kernel! {
    /// Each child's vector times the other child, added up.
    pub(super) unsafe struct Up<'a> for "tree_up" | "element_up" in launch {
        to: &'a mut Buffer<u32> [(launch.rows() * count) << field],
        from: &'a Buffer<u32> [(launch.rows() * 2 * count) << field],
        nodes: &'a Buffer<u32> [(launch.rows() * 2 * count) << field],
        count: u32,
        log_n: u32,
        field: Constants<'a>,
    }
    work(k, launch) {
        let count = u64::from(k.count) * launch.groups[1] as u64;
        k.field.work([5 * count, count], [k.field.sum(2) + k.field.sum(1), 2], 0)
    }
}

kernel! {
    /// The upper halves of vectors of twice 2^`log_d` elements.
    pub(super) unsafe struct Upper<'a> for "tree_upper" | "element_upper" {
        to: &'a mut Buffer<u32> [count << field],
        from: &'a Buffer<u32> [(2 * count) << field],
        count: u32,
        log_d: u32,
        field: Constants<'a>,
    }
    work(k, _launch) {
        k.field.work([2 * u64::from(k.count), k.count.into()], [0, 0], 0)
    }
}

kernel! {
    /// Values at the points of leaves, a group each, from what came down to them.
    pub(super) unsafe struct LeafValues<'a> for "tree_values" in launch {
        to: &'a mut Buffer<u32> [(to_first + count) << field],
        to_first: u64,
        count: u32,
        down: &'a Buffer<u32> [(launch.groups() * launch.threads()) << field],
        leaves: &'a Buffer<u32> [(launch.groups() * launch.threads()) << field],
        points: &'a Buffer<u32> [count << field],
        log_n: u32,
        rest: bool,
        field: Constants<'a>,
    }
    work(k, launch) {
        // The product with the leaf, threads waiting for the longest sum, and Horner's rule.
        let leaf = launch.threads[0];
        let count = (launch.groups[0] * leaf) as u64;
        let in_leaf = k.field.sum(leaf) + leaf as u64 * k.field.sum(1);
        k.field.work([4 * count, count], [in_leaf, 0], 2)
    }
}

kernel! {
    /// Values of a further part of a polynomial, added to those that are there.
    pub(super) unsafe struct PartValues<'a> for "element_values" {
        to: &'a mut Buffer<u32> [(to_first + count) << field],
        to_first: u64,
        count: u32,
        values: &'a Buffer<u32> [count << field],
        points: &'a Buffer<u32> [count << field],
        log_n: u32,
        field: Constants<'a>,
    }
    work(k, _launch) {
        let count = u64::from(k.count);
        k.field.work([4 * count, count], [0, u64::from(k.log_n) + 1], 0)
    }
}

kernel! {
    /// The inverse of a series, by one group.
    pub(super) unsafe struct Inverse<'a> for "tree_inverse" in launch {
        to: &'a mut Buffer<u32> [launch.threads() << field],
        from: &'a Buffer<u32> [launch.threads() << field],
        field: Constants<'a>,
    }
    work(k, launch) {
        // Both sums of each of log2 GROUP steps, the longest counted for all.
        let leaf = launch.threads[0];
        let count = leaf as u64;
        k.field.work([2 * count, count], [2 * k.field.sum(leaf), 0], 2 * leaf.ilog2() as usize)
    }
}

kernel! {
    /// The derivative of the root of n points, of which some only fill it up.
    pub(super) unsafe struct Derivative<'a> for "tree_derivative" | "element_derivative" {
        to: &'a mut Buffer<u32> [(n - zeros) << field],
        root: &'a Buffer<u32> [n << field],
        n: u32,
        zeros: u32,
        field: Constants<'a>,
    }
    work(k, _launch) {
        let count = u64::from(k.n - k.zeros);
        k.field.work([2 * count, count], [2 * k.field.sum(1), 1], 0)
    }
}

kernel! {
    /// `count` quotients, and zeros up to `length`.
    pub(super) unsafe struct Weights<'a> for "tree_weights" {
        to: &'a mut Buffer<u32> [length << field],
        length: u32,
        y: &'a Buffer<u32> [(y_first + count) << field],
        y_first: u64,
        w: &'a Buffer<u32> [count << field],
        count: u32,
        field: Constants<'a>,
    }
    work(k, _launch) {
        // An inverse is a power.
        let power = (16 << k.field.log_width) * 4 * k.field.sum(1);
        let (length, count) = (u64::from(k.length), u64::from(k.count));
        k.field.work([length + 2 * count, length], [power, 0], 0)
    }
}
