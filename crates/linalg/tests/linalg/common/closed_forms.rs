//! A battery of integer matrices with known determinants.

use sunzi_integer::Integer;
use sunzi_linalg::DenseMatrix;
use sunzi_testkit::Random;

use super::families::*;

/// A matrix over Z and its determinant.
pub struct Case {
    pub name: String,
    pub matrix: DenseMatrix<Integer>,
    pub determinant: Integer,
}

/// Every family at orders from 0 to `limit`, the edges of each among them; the same cases at every
/// call.
pub fn cases(limit: usize) -> Vec<Case> {
    let mut cases = Battery(Vec::new());
    cases.add(
        "order 0",
        (
            DenseMatrix::from_fn(0, 0, |_, _| Integer::ZERO),
            Integer::ONE,
        ),
    );
    cases.small_orders();
    for order in orders(limit) {
        cases.structured(order);
        cases.singular(order);
        cases.dense(order);
    }
    for log_order in (0..).take_while(|&log| 1 << log <= limit) {
        cases.add(format!("Hadamard 2^{log_order}"), hadamard(log_order));
    }
    cases.0.retain(|case| case.matrix.rows() <= limit);
    cases.0
}

/// Orders on both sides of what vectors, blocks and groups of steps divide by.
fn orders(limit: usize) -> impl Iterator<Item = usize> {
    let candidates = [
        1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 23, 31, 32, 33, 47, 63, 64, 65, 66, 95, 100,
        127, 128, 129,
    ];
    candidates.into_iter().filter(move |&order| order <= limit)
}

struct Battery(Vec<Case>);

impl Battery {
    fn add(&mut self, name: impl Into<String>, (matrix, determinant): Known) {
        let name = name.into();
        self.0.push(Case {
            name,
            matrix,
            determinant,
        });
    }

    /// All permutations of up to four rows, all matrices of small entries of order 2.
    fn small_orders(&mut self) {
        for value in [
            Integer::ZERO,
            Integer::ONE,
            Integer::MINUS_ONE,
            Integer::from(7),
            -(Integer::ONE << 200),
        ] {
            let matrix = DenseMatrix::from_fn(1, 1, |_, _| value.clone());
            self.add(format!("order 1: {value}"), (matrix, value));
        }
        for code in 0..81 {
            let entry = |place: u32| Integer::from(code / 3_i32.pow(place) % 3 - 1);
            let [a, b, c, d] = [0, 1, 2, 3].map(entry);
            let determinant = &a * &d - &b * &c;
            let matrix = DenseMatrix::new(2, 2, vec![a, b, c, d]).unwrap();
            self.add(format!("order 2: number {code}"), (matrix, determinant));
        }
        for code in 0..256 {
            let permutation = [0, 1, 2, 3].map(|place: u32| code / 4_usize.pow(place) % 4);
            if (0..4).all(|value| permutation.contains(&value)) {
                let values = [2, -3, 5, 7].map(Integer::from);
                self.add(
                    format!("permutation {permutation:?}"),
                    monomial(&permutation, &values),
                );
            }
        }
    }

    fn structured(&mut self, order: usize) {
        let mut random = Random::new(order as u64);
        let ones = vec![Integer::ONE; order];
        let forward: Vec<usize> = (0..order).collect();
        let backward: Vec<usize> = (0..order).rev().collect();
        let rotated: Vec<usize> = (0..order).map(|i| (i + 1) % order).collect();
        self.add(format!("identity {order}"), monomial(&forward, &ones));
        self.add(format!("reversal {order}"), monomial(&backward, &ones));
        self.add(format!("rotation {order}"), monomial(&rotated, &ones));
        let permutation = shuffled(order, &mut random);
        self.add(
            format!("permutation {order}"),
            monomial(&permutation, &ones),
        );
        let mut entry = |_, _| Integer::from(random.below(19)) - 9;
        self.add(
            format!("upper triangular {order}"),
            upper_triangular(order, &mut entry),
        );
        self.add(
            format!("lower anti-triangular {order}"),
            lower_anti_triangular(order, &mut entry),
        );
        let (matrix, determinant) = upper_triangular(order, |i, j| Integer::from(2 * i + j + 1));
        self.add(
            format!("lower triangular {order}"),
            (matrix.transposed(), determinant),
        );
        self.add(
            format!("second difference {order}"),
            second_difference(order),
        );
        self.add(format!("common divisors {order}"), common_divisors(order));
        let wide = (Integer::ONE << 130) - 1;
        self.add(
            format!("two values {order}"),
            two_values(order, &wide, &Integer::from(-5)),
        );
    }

    fn singular(&mut self, order: usize) {
        let mut random = Random::new(order as u64 ^ 0x5eed);
        let mut base: DenseMatrix<Integer> =
            DenseMatrix::from_fn(order, order, |_, _| Integer::from(random.below(1000)) - 500);
        let zero = |i: usize, j: usize| (i == order / 2, j == order / 3);
        let row = DenseMatrix::from_fn(order, order, |i, j| {
            if zero(i, j).0 {
                Integer::ZERO
            } else {
                base[(i, j)].clone()
            }
        });
        let column = DenseMatrix::from_fn(order, order, |i, j| {
            if zero(i, j).1 {
                Integer::ZERO
            } else {
                base[(i, j)].clone()
            }
        });
        self.add(format!("zero row {order}"), (row, Integer::ZERO));
        self.add(format!("zero column {order}"), (column, Integer::ZERO));
        self.add(
            format!("zero {order}"),
            (
                DenseMatrix::from_fn(order, order, |_, _| Integer::ZERO),
                Integer::ZERO,
            ),
        );
        if order >= 2 {
            let one = DenseMatrix::from_fn(order, order, |i, j| Integer::from((i + 1) * (j + 1)));
            self.add(format!("rank 1, {order}"), (one, Integer::ZERO));
            // The last row is a combination of the others, so the zero shows at the very end.
            for j in 0..order {
                let sum: Integer = (0..order - 1).map(|i| &base[(i, j)] * (i + 1)).sum();
                base[(order - 1, j)] = sum;
            }
            self.add(format!("rank {}", order - 1), (base.clone(), Integer::ZERO));
            self.add(
                format!("rank {} by columns", order - 1),
                (base.transposed(), Integer::ZERO),
            );
        }
    }

    fn dense(&mut self, order: usize) {
        let mut random = Random::new(order as u64 ^ 0xdeed);
        let points: Vec<i64> = (0..order as i64).map(|i| i - order as i64 / 2).collect();
        self.add(format!("Vandermonde {order}"), vandermonde(&points));
        let x: Vec<i64> = (0..order as i64).map(|i| 3 * i + 1).collect();
        let y: Vec<i64> = (0..order as i64).map(|i| 10 - 7 * i).collect();
        self.add(format!("Cauchy {order}"), cleared_cauchy(&x, &y));
        self.add(format!("Hilbert {order}"), cleared_hilbert(order));
        self.add(format!("inverse Hilbert {order}"), inverse_hilbert(order));
        self.add(format!("Pascal {order}"), pascal(order));
        let (alphas, betas) = (&x[..order / 2], &y[..order - order / 2]);
        self.add(
            format!("Sylvester {order}"),
            sylvester(2, alphas, -3, betas),
        );
        let diagonal: Vec<Integer> = (0..order)
            .map(|_| Integer::from(random.below(9)) - 4)
            .collect();
        self.add(
            format!("small diagonal {order}"),
            with_diagonal(&diagonal, &mut random),
        );
        let units = vec![Integer::MINUS_ONE; order];
        self.add(
            format!("unimodular {order}"),
            with_diagonal(&units, &mut random),
        );
        // Singular modulo the primes that are used most, and not over Z.
        let mut primes = units;
        primes[order / 2] =
            Integer::from(469_762_049) * ((Integer::ONE << 60) - (Integer::ONE << 18) + 1);
        self.add(
            format!("multiple of primes {order}"),
            with_diagonal(&primes, &mut random),
        );
        let long: Vec<Integer> = (0..order)
            .map(|i| (Integer::ONE << (17 * i % 300)) - 1)
            .collect();
        self.add(
            format!("long entries {order}"),
            with_diagonal(&long, &mut random),
        );
    }
}
