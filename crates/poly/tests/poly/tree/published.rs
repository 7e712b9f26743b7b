//! How many operations in the field the tree algorithms of the literature take, exactly.
//!
//! **Problem.** Operations for n = 2^k points with leaves of 2^H points. **Source.** Propositions 21, 27,
//! 29 and 31 of S. Haque, *Hardware Acceleration Technologies in Computer Algebra* (thesis, 2013), ch. 10.
//! The propositions are sums over the levels of a tree; some of the printed ones are not the sums that their
//! proofs describe. Each method says what it sums, and in what the print differs.

/// Counts of operations in the field, after Haque (2013), chapter 10, for n = 2^k points and threshold H:
/// schoolbook arithmetic for the levels up to H, transforms above.
///
/// The cost model (Notations 1–3 there) counts multiplications, additions and subtractions alike:
/// - [`TreeCounts::schoolbook_product`]: two polynomials of degree below d, 2d² − 2d + 1;
/// - [`TreeCounts::transform_product`]: the same by transforms, 15d'·log₂ d' + 2d' with
///   d' = 2^⌈log₂(2d − 1)⌉; so a cyclic convolution of length d' takes 15d'·log₂ d' + 2d', too;
/// - a schoolbook remainder of degree below 2d by a monic divisor of degree d, 2d²: d coefficients of the
///   quotient, each times d coefficients of the divisor, and the subtractions.
///
/// They are counts of the algorithms as published; ours take fewer. (A transform by Stockham's algorithm
/// takes 3/2·d'·log₂ d' operations, hence a product 9/2 in place of the model's 15; siblings share
/// transforms; evaluation needs no remainders.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TreeCounts {
    log_points: u32,
    threshold: u32,
}

impl TreeCounts {
    /// The greatest k: all counts fit 128 bits.
    pub(super) const MAX_LOG_POINTS: u32 = 60;

    /// Counts for 2^`log_points` points with leaves of 2^`threshold` points; `None` unless
    /// 1 ≤ `threshold` ≤ `log_points` ≤ [`TreeCounts::MAX_LOG_POINTS`].
    pub(super) const fn new(log_points: u32, threshold: u32) -> Option<Self> {
        if threshold == 0 || threshold > log_points || log_points > Self::MAX_LOG_POINTS {
            return None;
        }
        Some(Self {
            log_points,
            threshold,
        })
    }

    /// Operations for the schoolbook product of two polynomials of degree below `length` (Notation 1).
    pub(super) const fn schoolbook_product(length: u32) -> u128 {
        if length == 0 {
            return 0;
        }
        let length = length as u128;
        2 * length * (length - 1) + 1
    }

    /// Operations for the same product by transforms (Notation 2, with Stockham's transforms).
    pub(super) const fn transform_product(length: u32) -> u128 {
        if length == 0 {
            return 0;
        }
        convolution((2 * length as u128 - 1).next_power_of_two())
    }

    /// Operations that build the tree (Algorithm 24, Proposition 21):
    /// n·(2^H + H − 2^−H) + n/2·(15k² + 19k − 15H² − 19H).
    ///
    /// A node of level i has two factors of degree d = 2^{i−1}. Up to level H that is a schoolbook product of
    /// polynomials of degree below d + 1; above, by Remark 8, one by transforms of polynomials of degree
    /// below d.
    ///
    /// The printed formula is this one; its proof has the two parts the wrong way round ("for levels 0 …
    /// H" and "H + 1 … k"). The additions of Remark 8, n for every level above H, are in neither.
    pub(super) const fn subproduct_tree(&self) -> u128 {
        let (n, k, h) = self.sizes();
        let schoolbook = n * self.leaf() + n * h - n / self.leaf();
        schoolbook + n * (k * (15 * k + 19) - h * (15 * h + 19)) / 2
    }

    /// Operations that build the inverses of levels H … k − 1 (Algorithm 30, Proposition 27):
    /// n/(3·2^H)·(4·4^H − 6·2^H − 1) + n/2·(75k² − 21k − 75H² − 129H − 54) + n·2^{1−H} − 4; nothing if
    /// H = k.
    ///
    /// - A node of level H takes H steps of Newton's iteration: the first one 1 operation, the i-th, with
    ///   D = 2^{i−1}, two schoolbook products of polynomials of degree below D and 2(D − 1) additions.
    /// - A node of level i above takes one step for either child, of degree s = 2^{i−1} (Algorithm 28: a
    ///   cyclic convolution of length s, a product of polynomials of degree below s, 2s + 1 additions and
    ///   subtractions), and a product of polynomials of degree below 2s: together 2^i·(75i + 27) + 2.
    ///
    /// The print differs in both parts. In the first one, as far as it can be read, there is 4 to the power
    /// 2^H, where the proof has products of 4^H operations at most; the additions above, of which the
    /// proof says that there are "some", are those that agree with its term −1/3. The second part is the sum
    /// of n·(60i + 40) over i = H + 1 … k − 1. That is without the convolutions, which the proof's
    /// algorithm and Remark 10 have; Proposition 28 seems to count them, as its span for the same levels is
    /// the sum of 75i − 16.
    pub(super) const fn subinverse_tree(&self) -> u128 {
        let (n, k, h) = self.sizes();
        if h == k {
            return 0;
        }
        let leaf = self.leaf();
        let leaves = n / leaf * ((4 * leaf * leaf - 6 * leaf - 1) / 3);
        let above = 75 * (k * (k - 1) - h * (h + 1)) / 2 + 27 * (k - 1 - h);
        leaves + n * above + 2 * (n / leaf) - 4
    }

    /// Operations that evaluate a polynomial of degree below n at all points with the inverses at hand
    /// (Algorithms 26 and 31, Proposition 29):
    /// n·(30k² + 46k − 30H² − 46H) + 16n/2^H − 16 + n·(2^{H+1} − 2).
    ///
    /// A division by a node of level i ≥ H takes two products of polynomials of degree below 2^i by
    /// transforms and four other operations (reversals, the subtraction), of 2·(2^i + 1) each; one by a
    /// node below level H is by the schoolbook.
    ///
    /// The print is the sum over the divisors of levels H … k in place of H … k − 1: it has
    /// n·(60k + 76) + 8 more, a division by the root, by which a polynomial of degree below n need not be
    /// divided. The last part is 2d² for every schoolbook division by a divisor of degree d, in print too,
    /// and not the (d + 1)·d of Notation 3, which counts a product and the subtraction as one and
    /// the leading coefficient as well.
    pub(super) const fn evaluation(&self) -> u128 {
        let (n, k, h) = self.sizes();
        let fast = n * (k * (30 * k + 46) - h * (30 * h + 46)) + 16 * (n / self.leaf()) - 16;
        fast + n * (2 * self.leaf() - 2)
    }

    /// Operations that add the fractions c_i/(x − u_i) (Algorithm 32, Proposition 31):
    /// n·(2^{H+1} + 3H − 2^{1−H}) + 5n·(3k² + 4k − 3H² − 4H).
    ///
    /// A node of level i takes two products and 2^i additions. With d = 2^{i−1}, products are of
    /// polynomials of degree below d + 1 up to level H, and of degree below d, by transforms, above.
    ///
    /// The print has n·(30H + 11) more: its first part goes from level 0, where nothing is computed, and its
    /// second part from level H, which the first has counted. As in Proposition 21, additions for the
    /// leading coefficients, n for every level above H, are not counted.
    pub(super) const fn linear_combination(&self) -> u128 {
        let (n, k, h) = self.sizes();
        let schoolbook = n * (2 * self.leaf() + 3 * h) - 2 * (n / self.leaf());
        schoolbook + 5 * n * (k * (3 * k + 4) - h * (3 * h + 4))
    }

    /// n, k and H.
    const fn sizes(&self) -> (u128, u128, u128) {
        let (k, h) = (self.log_points as u128, self.threshold as u128);
        (1 << k, k, h)
    }

    /// 2^H.
    const fn leaf(&self) -> u128 {
        1 << self.threshold
    }
}

/// Operations for a cyclic convolution of `length` = 2^l coefficients.
const fn convolution(length: u128) -> u128 {
    15 * length * length.ilog2() as u128 + 2 * length
}

/// Every k from 1 to 20 with every H, and n.
fn all() -> impl Iterator<Item = (TreeCounts, u32, u32, u128)> {
    let pairs = (1..=20).flat_map(|k| (1..=k).map(move |h| (k, h)));
    pairs.map(|(k, h)| (TreeCounts::new(k, h).unwrap(), k, h, 1 << k))
}

fn sum(levels: impl Iterator<Item = u32>, of_level: impl Fn(u32) -> u128) -> u128 {
    levels.map(of_level).sum()
}

/// The product of two nodes that have their parent at level i.
fn product_of_siblings(i: u32, h: u32) -> u128 {
    let degree = 1 << (i - 1);
    match i <= h {
        true => TreeCounts::schoolbook_product(degree + 1),
        false => TreeCounts::transform_product(degree),
    }
}

#[test]
fn the_tree_is_the_sum_over_its_levels() {
    for (counts, k, h, n) in all() {
        let expected = sum(1..=k, |i| (n >> i) * product_of_siblings(i, h));
        assert_eq!(counts.subproduct_tree(), expected, "k = {k}, H = {h}");
    }
}

#[test]
fn the_inverses_are_the_sum_over_their_levels() {
    for (counts, k, h, n) in all() {
        let newton = |i: u32| match i {
            1 => 1,
            _ => 2 * TreeCounts::schoolbook_product(1 << (i - 1)) + 2 * ((1 << (i - 1)) - 1),
        };
        let one_step = |length: u32| {
            let s = u128::from(length);
            let (product, convolution) = (TreeCounts::transform_product(length), convolution(s));
            1 + convolution + s + s + product
        };
        let expected = sum(h..k, |i| {
            let node = match i == h {
                true => sum(1..=h, newton),
                false => 2 * one_step(1 << (i - 1)) + TreeCounts::transform_product(1 << i),
            };
            (n >> i) * node
        });
        assert_eq!(counts.subinverse_tree(), expected, "k = {k}, H = {h}");
    }
}

#[test]
fn evaluation_is_the_sum_over_the_divisors() {
    for (counts, k, h, n) in all() {
        let expected = sum(0..k, |i| {
            let (length, degree) = (1 << i, 1 << i);
            let division = match i < h {
                true => 2 * degree * degree,
                false => 2 * TreeCounts::transform_product(length) + 4 * 2 * (degree + 1),
            };
            (n >> i) * division
        });
        assert_eq!(counts.evaluation(), expected, "k = {k}, H = {h}");
    }
}

#[test]
fn the_combination_is_the_sum_over_its_levels() {
    for (counts, k, h, n) in all() {
        let expected = sum(1..=k, |i| {
            let degree = 1 << (i - 1);
            (n >> i) * (2 * product_of_siblings(i, h) + 2 * degree)
        });
        assert_eq!(counts.linear_combination(), expected, "k = {k}, H = {h}");
    }
}

/// The printed formulas that can be read, against those that their proofs describe.
#[test]
fn the_print_differs_as_said() {
    for (counts, log_n, threshold, size) in all() {
        let [k, h, n] = [log_n as i128, threshold as i128, size as i128];
        let leaf = 1i128 << threshold;
        let tree = n * (19 * k + 15 * k * k - 17 * h - 15 * h * h) / 2 + n * leaf - n / leaf;
        assert_eq!(counts.subproduct_tree() as i128, tree);

        let inverses_above = -10 * (-k - 3 * k * k + 7 * h + 3 * h * h + 4) * n;
        let levels = threshold + 1..log_n;
        let read = sum(levels.clone(), |i| size * (60 * u128::from(i) + 40));
        if h < k {
            assert_eq!(inverses_above, read as i128);
            let difference = sum(levels, |i| size * (15 * u128::from(i)) + 2 * (size >> i)) as i128;
            let fewer = 13 * n * (k - 1 - h);
            let leaves = n / leaf * ((4 * leaf * leaf - 6 * leaf - 1) / 3);
            let expected = counts.subinverse_tree() as i128;
            assert_eq!(leaves + inverses_above + difference - fewer, expected);
        }

        let evaluation =
            -30 * n * h * h - 46 * n * h + 74 * n + 16 * (n / leaf) + 106 * n * k + 30 * n * k * k
                - 8
                + n * 2 * leaf;
        let more = n * (60 * k + 76) + 8;
        assert_eq!(counts.evaluation() as i128, evaluation - more);

        let combination = 20 * n * k + 11 * n + 15 * n * k * k + 13 * n * h - 15 * n * h * h
            + n * 2 * leaf
            - 2 * (n / leaf);
        let more = n * (30 * h + 11);
        assert_eq!(counts.linear_combination() as i128, combination - more);
    }
}

#[test]
fn counts_fit_up_to_the_greatest_size() {
    assert_eq!(TreeCounts::new(5, 0), None);
    assert_eq!(TreeCounts::new(5, 6), None);
    assert_eq!(TreeCounts::new(TreeCounts::MAX_LOG_POINTS + 1, 1), None);
    for h in 1..=TreeCounts::MAX_LOG_POINTS {
        let counts = TreeCounts::new(TreeCounts::MAX_LOG_POINTS, h).unwrap();
        assert!(counts.subproduct_tree() > 0 && counts.evaluation() > 0);
        assert!(counts.linear_combination() > 0);
        assert_eq!(
            counts.subinverse_tree() == 0,
            h == TreeCounts::MAX_LOG_POINTS
        );
    }
}

/// Remark 9: the best threshold for the tree; and with inverses evaluation takes fewer operations than the
/// rule of Horner at 2^16 points.
#[test]
fn the_best_threshold_is_that_of_the_remark() {
    let counts = TreeCounts::new(16, 8).unwrap();
    let with_inverses = counts.subproduct_tree() + counts.subinverse_tree() + counts.evaluation();
    assert!(with_inverses < 2 << 32);
    let best = (1..=16).min_by_key(|&h| TreeCounts::new(16, h).unwrap().subproduct_tree());
    assert_eq!(best, Some(7));
    assert_eq!(TreeCounts::schoolbook_product(2), 5); // 4 products, 1 sum
    assert_eq!(TreeCounts::transform_product(4), 15 * 8 * 3 + 2 * 8);
}
