//! The operations that trees take, against what their algorithms say, and against the published counts.
//!
//! Where our algorithms differ from the published ones, each test names the difference, term by term:
//! - A transform of N points by Stockham's algorithm takes N/2 butterflies of 3 operations a level, and
//!   dividing by N takes N products. A product by three of them takes 9/2·N·log₂ N + 2N; the published
//!   count is 15·N·log₂ N + 2N.
//! - A node is transformed once, for the product above it and for all evaluations and interpolations.
//! - Sums of two products come back by one transform.
//! - Leaves of m = 2^H points are by schoolbook arithmetic as a whole: linear factors one after the other, the rule of Horner.

use super::counted::{Counted, Operations, TRANSFORMS_FROM, ring};
use super::published::TreeCounts;
use sunzi_field::Field;
use sunzi_poly::{Poly, PolyRing, SubinverseTree, SubproductTree};

/// Operations of both kinds that can be told beforehand.
fn operations(additions: usize, multiplications: usize) -> Operations {
    Operations {
        additions: additions as u64,
        multiplications: multiplications as u64,
        inversions: 0,
    }
}

fn all(parts: impl IntoIterator<Item = Operations>) -> Operations {
    let mut sum = Operations::default();
    parts.into_iter().for_each(|part| sum += part);
    sum
}

/// `times` as many.
fn repeated(times: usize, part: Operations) -> Operations {
    all(std::iter::repeat_n(part, times))
}

/// A transform: two additions and a product for each of N/2 butterflies of a level.
fn transform(points: usize) -> Operations {
    let butterflies = points / 2 * points.ilog2() as usize;
    operations(2 * butterflies, butterflies)
}

/// The sum of the products of several pairs of values, and its transform back.
fn back(points: usize, pairs: usize) -> Operations {
    let products = operations((pairs - 1) * points, pairs * points);
    all([products, transform(points), operations(0, points)])
}

/// A product of two polynomials, given their numbers of coefficients.
fn product(a: usize, b: usize) -> Operations {
    if a.min(b) < TRANSFORMS_FROM {
        return operations((a - 1) * (b - 1), a * b);
    }
    let points = (a + b - 1).next_power_of_two();
    all([transform(points), transform(points), back(points, 1)])
}

/// A tree's nodes by their degrees.
#[derive(Clone, Copy)]
struct Shape {
    points: usize,
    leaf: usize,
}

impl Shape {
    /// The degrees of the leaves.
    fn leaves(self) -> impl Iterator<Item = usize> {
        self.nodes(self.leaf)
    }

    fn nodes(self, span: usize) -> impl Iterator<Item = usize> {
        (0..self.points)
            .step_by(span)
            .map(move |start| span.min(self.points - start))
    }

    /// The degrees of whole nodes of all levels but the root's, from the leaves on.
    fn spans(self) -> impl Iterator<Item = usize> {
        let below_root = move |&span: &usize| span < self.points;
        std::iter::successors(Some(self.leaf), |span| Some(2 * span)).take_while(below_root)
    }

    /// For all siblings whose left one has degree `span`, the degree of the right one.
    fn siblings(self, span: usize) -> impl Iterator<Item = usize> {
        self.nodes(span).skip(1).step_by(2)
    }

    /// What each pair of siblings takes, by their degrees, of all levels but the root's.
    fn pairs(self, of_pair: impl Fn(usize, usize) -> Operations) -> Operations {
        all(self
            .spans()
            .flat_map(|span| self.siblings(span).map(move |last| (span, last)))
            .map(|(span, last)| of_pair(span, last)))
    }

    /// m linear factors, one after the other: the i-th takes i products and sums, and a sign.
    fn build(self) -> Operations {
        let leaf = |m: usize| operations(m * (m + 1) / 2 + m, m * (m + 1) / 2);
        let pair = |span: usize, last: usize| {
            let points = 2 * span;
            // What wraps to the constant term.
            let wrapped = operations(usize::from(span + last == points), 0);
            let values = repeated(2, transform(points));
            all([values, back(points, 1), wrapped])
        };
        all([all(self.leaves().map(leaf)), self.pairs(pair)])
    }

    /// The values of a polynomial of degree n − 1 once the root is inverted: its product with the inverse,
    /// whose transform is kept; for two siblings, one transform and two back; at a leaf the product with
    /// the series, and Horner.
    fn evaluate(self) -> Operations {
        let pair = |span: usize, _| {
            let points = 2 * span;
            all([transform(points), repeated(2, back(points, 1))])
        };
        let leaf = |m: usize| all([product(m, m), operations(m * m, m * m)]);
        all([self.root(), self.pairs(pair), all(self.leaves().map(leaf))])
    }

    /// A product of n by n coefficients, one of them transformed before.
    fn root(self) -> Operations {
        let n = self.points;
        if n < TRANSFORMS_FROM {
            return product(n, n);
        }
        let points = (2 * n - 1).next_power_of_two();
        all([transform(points), back(points, 1)])
    }

    /// The fractions of a leaf one after the other: sums of two products and a sum of one, three products a
    /// coefficient; two transforms for siblings, one back for the sum.
    fn combine(self) -> Operations {
        let leaf = |m: usize| {
            let coefficients = m * (m + 1) / 2;
            // The new constant term, and two signs.
            let once = operations(m + 2 * m, m);
            all([once, operations(3 * coefficients, 3 * coefficients)])
        };
        let pair = |span: usize, _| {
            let points = 2 * span;
            all([repeated(2, transform(points)), back(points, 2)])
        };
        all([all(self.leaves().map(leaf)), self.pairs(pair)])
    }

    /// The inverses, where `inverse(d, n)` is what the inverse of a polynomial of degree d modulo x^n
    /// takes.
    fn invert(self, inverse: impl Fn(usize, usize) -> Operations) -> Operations {
        if self.leaf >= self.points {
            return Operations::default();
        }
        let leaves = all(self.leaves().map(|m| inverse(m, m)));
        let pair = |span: usize, last: usize| {
            let points = 2 * span;
            let longer = if last < span {
                inverse(last, span)
            } else {
                Operations::default()
            };
            // What wraps of a whole node modulo x^span − 1, to its constant term.
            let wrapped = operations(1 + usize::from(last == span), 0);
            let values = [repeated(2, transform(points)), repeated(2, transform(span))];
            let prepared = all([longer, wrapped, values[0], values[1]]);
            if span + last == self.points {
                return prepared; // The root has no inverse.
            }
            let products = [back(points, 2), back(points, 1), back(points, 1)];
            let step = [repeated(2, transform(points)), operations(last, 0)];
            all([prepared, all(products), all(step)])
        };
        all([leaves, self.pairs(pair)])
    }

    /// The values of a polynomial of degree n − 1 by its remainders: for two siblings the transform of the
    /// leading coefficients, two back to the quotients, and for each of them a convolution with the divisor
    /// of half the length.
    fn evaluate_by_remainders(self) -> Operations {
        let pair = |span: usize, last: usize| {
            let points = 2 * span;
            let quotients = all([transform(points), repeated(2, back(points, 1))]);
            let multiples = repeated(2, all([transform(span), back(span, 1)]));
            // What wraps of the polynomial, and the differences.
            let differences = operations(last + span + last, 0);
            all([quotients, multiples, differences])
        };
        let horner = |m: usize| operations(m * m, m * m);
        all([self.pairs(pair), all(self.leaves().map(horner))])
    }
}

/// What each operation on a tree over n points takes, as counted.
struct Costs {
    build: Operations,
    invert: Operations,
    evaluate: Operations,
    evaluate_by_remainders: Operations,
    combine: Operations,
}

/// Polynomials without zeros, so that all have as many coefficients as they seem to.
fn some(field: &Counted, len: usize) -> Vec<u32> {
    (0..len as u64)
        .map(|i| field.from_u64((i * i + 1) * 7919))
        .collect()
}

fn measure(ring: &PolyRing<Counted>, field: &Counted, shape: Shape) -> Costs {
    let points = some(field, shape.points);
    let threshold = shape.leaf.ilog2();
    let (tree, build) =
        field.count(|| SubproductTree::with_threshold(ring, &points, threshold).unwrap());
    let f = Poly::new(some(field, shape.points));
    assert_eq!(f.len(), shape.points);
    let first = tree.evaluate(&f).unwrap(); // The root is inverted.
    let (values, evaluate) = field.count(|| tree.evaluate(&f).unwrap());
    let (inverses, invert) = field.count(|| SubinverseTree::new(&tree).unwrap());
    let (remainders, evaluate_by_remainders) = field.count(|| inverses.evaluate(&f).unwrap());
    let (_, combine) = field.count(|| tree.linear_combination(&values).unwrap());
    assert_eq!([&values, &remainders], [&first, &first]);
    Costs {
        build,
        invert,
        evaluate,
        evaluate_by_remainders,
        combine,
    }
}

/// What the inverse of a series takes does not depend on its coefficients.
fn inverse(ring: &PolyRing<Counted>, field: &Counted, degree: usize, terms: usize) -> Operations {
    let mut polynomial = some(field, degree + 1);
    polynomial[0] = field.one();
    let (inverse, count) = field.count(|| ring.inverse_series(&polynomial, terms));
    assert_eq!(inverse.unwrap().len(), terms);
    count
}

#[test]
fn operations_are_those_of_the_algorithms() {
    let (ring, field) = ring();
    let counts = [2, 3, 5, 8, 13, 64, 100, 127, 128, 129, 192, 257, 1000, 1024];
    for points in counts {
        for threshold in 0..7 {
            let leaf = 1 << threshold;
            let shape = Shape { points, leaf };
            if leaf >= points {
                continue;
            }
            let costs = measure(&ring, &field, shape);
            let size = format!("{points} points, leaves of {leaf}");
            assert_eq!(costs.build, shape.build(), "{size}");
            assert_eq!(costs.evaluate, shape.evaluate(), "{size}");
            assert_eq!(costs.combine, shape.combine(), "{size}");
            let invert = shape.invert(|degree, terms| inverse(&ring, &field, degree, terms));
            assert_eq!(costs.invert, invert, "{size}");
            let remainders = shape.evaluate_by_remainders();
            assert_eq!(costs.evaluate_by_remainders, remainders, "{size}");
        }
    }
}

/// The published counts, and every term in which ours differ, for n = 2^k points and leaves of m = 2^H:
/// what a level i above the leaves' takes is n·(a·i + b), up to terms that do not depend on its nodes'
/// length.
#[test]
fn differences_from_the_published_counts_are_these() {
    let (ring, field) = ring();
    for k in 2..=10 {
        for h in 1..k {
            let published = TreeCounts::new(k, h).unwrap();
            let [points, leaf] = [1 << k, 1 << h];
            let shape = Shape { points, leaf };
            let costs = measure(&ring, &field, shape);
            let total = |cost: Operations| cost.total() as i128;
            let [n, m] = [points as i128, leaf as i128];
            let leaves = n / m;
            // n·(twice/2·i + constant), and its sum over all levels above the leaves'.
            let level = |i: u32, twice, constant| n * (twice * i128::from(i) + 2 * constant) / 2;
            let levels = |twice: i128, constant: i128| -> i128 {
                (h + 1..=k).map(|i| level(i, twice, constant)).sum()
            };
            let size = format!("2^{k} points, leaves of 2^{h}");

            // 9/2·i in place of 15·i, for three transforms in both; a node's constant term; m² + 2m for a
            // leaf, factor by factor, in place of m² + H·m − 1 by products of equal lengths. The additions
            // of Remark 8, n for a level, which the print leaves out, we do not make: the leading
            // coefficients are part of what is transformed.
            let build = published.subproduct_tree() as i128 - levels(21, 0)
                + (leaves - 1)
                + leaves * (2 * m - (i128::from(h) * m - 1));
            assert_eq!(total(costs.build), build, "{size}");

            // 9/2·i + 4 in place of 30·i + 5: the nodes are transformed before, one transform back for two
            // products, whose values are added in place of their coefficients; 3m² + 7m for a leaf in place
            // of 2m² + 3H·m − 2, as it makes its product anew.
            let combine = published.linear_combination() as i128 - levels(51, 1)
                + leaves * (3 * m * m + 7 * m - (2 * m * m + 3 * i128::from(h) * m - 2));
            assert_eq!(total(costs.combine), combine, "{size}");

            // 15/2·i + 9/2 in place of 60·i + 16 and 16 for a pair: of the four products of a pair of
            // siblings, each three transforms of 2^i points, the inverses' and divisors' transforms are at
            // hand, that of the leading coefficients serves both, and the four of the divisors have half
            // the length; the differences, and what wraps, are the only other operations. The rule of
            // Horner takes 2n·m, long divisions 2n·m − 2n: they end with m = 1.
            let half = n * (i128::from(k) - i128::from(h)) / 2;
            let remainders =
                published.evaluation() as i128 - levels(105, 11) - half - 16 * (leaves - 1) + 2 * n;
            assert_eq!(total(costs.evaluate_by_remainders), remainders, "{size}");

            // Middle products take no inverses but the root's: 9/2·i + 4. At the root and the leaves they
            // take a product each.
            let middle = levels(9, 4)
                + total(shape.root())
                + leaves * (total(product(leaf, leaf)) + 2 * m * m);
            assert_eq!(total(costs.evaluate), middle, "{size}");

            // 12·i + 7 and 2 for a pair in place of 75·i + 27 and 2: one Newton step for two siblings, on the
            // product of their inverses (see `subinverse`), by 7 transforms of 2^i points and 2 of half as
            // many, these for later divisions. The root has no inverse; what divisions by its children take
            // is 9/2·i − 3/2 and 2. Leaves are inverted by steps of our own.
            let inverse = total(inverse(&ring, &field, leaf, leaf));
            let invert = published.subinverse_tree() as i128
                + leaves * (inverse - (4 * m * m - 6 * m - 1) / 3)
                - (levels(126, 20) - level(k, 126, 20))
                + n * (9 * i128::from(k) - 3) / 2
                + 2;
            assert_eq!(total(costs.invert), invert, "{size}");

            // All in all, ours are fewer from a few leaves on.
            if h >= 2 && k >= h + 2 {
                for (ours, theirs) in [
                    (costs.build, published.subproduct_tree()),
                    (costs.invert, published.subinverse_tree()),
                    (costs.evaluate, published.evaluation()),
                    (costs.evaluate_by_remainders, published.evaluation()),
                    (costs.combine, published.linear_combination()),
                ] {
                    assert!(u128::from(ours.total()) < theirs, "{size}");
                }
            }
        }
    }
}
