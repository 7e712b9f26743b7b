//! M5Mult, executed by counting threads: columns are those of the naive product, and no two blocks write to one at a time.

use std::collections::{BTreeMap, BTreeSet};

use crate::counting::{Machine, Thread, numbers};
use sunzi_tune::{ChunkedProduct, PathCosts};

const BLOCK: u64 = 16;

/// The pairs of digits inside a chunk of s, in the order of Algorithm 12; `inside` brings indices back into the chunk.
fn single(s: usize, inside: impl Fn(usize, usize) -> (usize, usize)) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for d in 1..=s / 2 {
        for i in 0..s / 2 {
            for t in 0..2 {
                if d == s / 2 && t == 1 {
                    continue;
                }
                pairs.push(inside(i + t * s / 2, i + d + t * s / 2));
            }
        }
    }
    pairs
}

struct Product<'a> {
    a: &'a [u64],
    b: &'a [u64],
    squares: Vec<i64>,
    columns: Vec<i64>,
    eta: u64,
}

impl Product<'_> {
    /// An intermediate product, added to its column.
    fn pair(&mut self, thread: &mut Thread, i: usize, j: usize) {
        let [x, y] = [self.a, self.b].map(|digits| [i, j].map(|at| thread.read(digits, at) as i64));
        // Squares of two digits, a column of three, read and written.
        thread.moves(2 * 2 + 3 + 3);
        thread.operates(2 + self.eta + 2 * 3 + 3);
        self.columns[i + j] += (x[0] - x[1]) * (y[1] - y[0]) + self.squares[i] + self.squares[j];
    }
}

/// Columns, and what was counted; blocks of a kernel for pairs of chunks are those of every second one, or all.
fn multiplied(
    a: &[u64],
    b: &[u64],
    s: usize,
    eta: u64,
    turns: usize,
) -> (Vec<i64>, Machine, usize) {
    let (k, mut machine) = (a.len(), Machine::default());
    let mut product = Product {
        a,
        b,
        squares: vec![0; k],
        columns: vec![0; 2 * k],
        eta,
    };
    machine.sheet(k as u64, BLOCK, |i, thread| {
        let [x, y] = [a, b].map(|digits| thread.read(digits, i) as i64);
        thread.operates(eta);
        thread.moves(2);
        product.squares[i] = x * y;
    });
    let chunks = k / s;
    let inside = single(s, |i, j| (i % s, j % s));
    machine.kernel(chunks as u64, 1, |c, threads| {
        for (i, j) in &inside {
            product.pair(&mut threads[0], c * s + i, c * s + j);
        }
    });
    let mut conflicts = 0;
    for c in 0..chunks {
        for turn in 0..turns {
            let above: Vec<usize> = (c + 1..chunks).skip(turn).step_by(turns).collect();
            if above.is_empty() {
                continue;
            }
            let mut writers = BTreeMap::<usize, BTreeSet<usize>>::new();
            machine.kernel(above.len() as u64, 1, |block, threads| {
                for i in 0..s {
                    for j in 0..s {
                        let (i, j) = (c * s + i, above[block] * s + j);
                        writers.entry(i + j).or_default().insert(block);
                        product.pair(&mut threads[0], i, j);
                    }
                }
            });
            conflicts += writers.values().filter(|blocks| blocks.len() > 1).count();
        }
    }
    machine.sheet(k as u64, BLOCK, |i, thread| {
        thread.moves(2 + 3 + 3);
        thread.operates(3);
        product.columns[2 * i] += product.squares[i];
    });
    (product.columns, machine, conflicts)
}

#[test]
fn products_cost_what_is_counted_and_are_right() {
    for (k, s, eta) in [
        (2, 2, 1),
        (4, 2, 5),
        (8, 4, 3),
        (16, 16, 5),
        (32, 8, 5),
        (48, 16, 2),
        (64, 4, 7),
    ] {
        let digits = |seed| -> Vec<u64> { numbers(seed, k).iter().map(|x| x % 65536).collect() };
        let (a, b) = (digits(k as u64), digits(s as u64 + 99));
        let mut expected = vec![0; 2 * k];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                expected[i + j] += (x * y) as i64;
            }
        }
        let (columns, machine, conflicts) = multiplied(&a, &b, s, eta, 2);
        assert_eq!(columns, expected);
        assert_eq!(conflicts, 0);
        let model = ChunkedProduct::new(k as u64, s as u64, eta).unwrap();
        let counts = machine.counts();
        let found = PathCosts {
            work: counts.work.into(),
            span: counts.span.into(),
            words: counts.words.into(),
        };
        assert_eq!(model.costs(), found, "{model:?}");
        counts.assert_are_of(&model.program(1, BLOCK), "M5Mult");

        // What is printed: all chunks above at a time, which write to the same columns; and λ s² pairs in a row.
        let (columns, machine, conflicts) = multiplied(&a, &b, s, eta, 1);
        assert_eq!(columns, expected);
        let (chunks, pairs) = (k / s, (s * s) as u128);
        let common: usize = (0..chunks)
            .map(|c| (chunks - c).saturating_sub(2) * (s - 1))
            .sum();
        assert_eq!(conflicts, common);
        let s = s as u128;
        let in_a_row = s * (s - 1) / 2 + (chunks as u128 - 1) * pairs;
        let span = u128::from(eta + 11) * in_a_row + u128::from(eta + 3);
        assert_eq!(u128::from(machine.counts().span), span);
        let printed =
            u128::from(eta + 11) * (2 * k as u128 * s + s * s - s) / 2 + u128::from(eta + 3);
        assert_eq!(printed - span, u128::from(eta + 11) * pairs);

        // (5.1): of k² products k (k − 2) + 1 are added to a column that has one.
        let sums: usize = (1..2 * k)
            .map(|column| column.min(2 * k - column) - 1)
            .sum();
        let naive = eta * (k * k) as u64 + 3 * sums as u64;
        assert_eq!(model.naive_work(), u128::from(naive));
        assert_eq!(model.normalization(), 6 * k as u64);
    }
}

#[test]
fn pairs_inside_a_chunk_are_taken_modulo_its_length() {
    for s in [2_usize, 4, 6, 32] {
        let all: BTreeSet<_> = (0..s).flat_map(|j| (0..j).map(move |i| (i, j))).collect();
        let taken = single(s, |i, j| (i.min(j % s), i.max(j % s)));
        assert_eq!(taken.len(), s * (s - 1) / 2);
        assert_eq!(taken.into_iter().collect::<BTreeSet<_>>(), all);
        // As printed, swapped where one is beyond the chunk.
        let swapped = single(s, |i, j| if s <= i || s <= j { (j, i) } else { (i, j) });
        let beyond = swapped.iter().any(|(i, j)| *i.max(j) >= s);
        assert_eq!(beyond, s > 2);
    }
}

#[test]
fn what_is_no_product_is_refused() {
    for (digits, chunk, eta) in [
        (0, 2, 1),
        (8, 0, 1),
        (8, 3, 1),
        (10, 4, 1),
        (8, 2, 1 << 11),
        (1 << 25, 2, 1),
    ] {
        assert_eq!(ChunkedProduct::new(digits, chunk, eta), None);
    }
}
