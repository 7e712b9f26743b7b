//! Trees over n = 2^k points, whose lowest H levels are made by plain arithmetic in local memory, and the others by transforms.
//!
//! **Problem.** What it costs to make subproduct and subinverse trees, to evaluate a polynomial of degree below n at the n points, and
//! to combine what interpolation has at the leaves; and which H is best.
//!
//! **Algorithms** (S. A. Haque, *Hardware Acceleration Technologies in Computer Algebra*, 2013, chapter 10), with t(l) operations and
//! w(l) words of a thread for a product of 2^l coefficients ([`TransformCosts`]), and m = 2^j for level j:
//!
//! - *Subproducts.* Level j + 1 from level j, for j < H: a block of 2m + 2 threads for each product, each of which loads a coefficient;
//!   2m² + 2m + 1 operations, 2m + 1 in a thread. For j ≥ H leading coefficients are 1 and are not stored: a product of 2m coefficients,
//!   and one kernel for both additions, 2 operations and 4 words for each coefficient of the upper half.
//! - *Subinverses.* Level H: a thread for each polynomial, Newton's iteration with middle products, 3m² operations for the step from m
//!   to 2m terms, so 4^H − 1; it loads 2^H + 1 words and stores 2^H. Level i from H + 1 to k − 1: the inverses of both children are
//!   extended from m = 2^(i − 1) to 2m terms (a reversal, a cyclic product of m points, an addition with a negation, a product of 2m
//!   points, a shift), and their product is cut to 2m terms: three products and five other operations of a thread, 9 words.
//! - *Evaluation*, from the root to the leaves: two remainders of each polynomial of 2m coefficients. For j ≥ H by the inverse: two
//!   products of 2m points, two reversals and a subtraction of m coefficients each. For j < H in local memory, m + 1 threads for
//!   each remainder: m steps, each of 2m operations; 4 words a thread, and 3 for j = 0.
//! - *Combination*, from the leaves to the root: M₀ I₁ + M₁ I₀. For j < H two blocks for the products, as above, and n threads that add. For
//!   j ≥ H two products of 2m points side by side; then a thread adds two words in the lower half, and in the upper four, for leading
//!   coefficients.
//! - *Weights* between evaluation and combination: the root's derivative, and quotients of values by it.
//!
//! **Formulas.** With Λ = (k(k + 1) − H(H + 1))/2, c = k − H, α and γ for operations and words that l stands before in t(l) and w(l), δ for
//! what w(l) has besides:
//!
//! | | work / n | span | words of a thread |
//! |---|---|---|---|
//! | subproducts | 2^H + H − 2^−H + αΛ + 3c | 2^(H+1) − 2 + H + αΛ + 4c | 2H + γΛ + (δ + 4)c |
//! | subinverses, Λ and c up to k − 1 | 2^H − 2^−H + 5αΛ + (α + 16)c | 4^H − 1 + 3αΛ + 11c | 2^(H+1) + 1 + 3γΛ + (3δ + 9)c |
//! | evaluation | 2^(H+1) − 2 + 4αΛ + 11c | 2^(H+1) − 2 + 2αΛ + 7c | 4H − 1 + 2γΛ + (2δ + 7)c |
//! | combination | 2^(H+1) + 3H − 2^(1−H) + 2αΛ + 6c | 2^(H+1) − 2 + 2H + αΛ + 5c | 5H + γΛ + (δ + 5)c |
//!
//! Subproducts take (k + 3)n − n/2^H words (Proposition 22), subinverses (k − H)n (Proposition 24).
//!
//! **Differences from what is printed**, which tests have one by one:
//!
//! - Notation 1: a thread has 2d + 1 operations for factors of degree d, where d + 1 is printed; Proposition 23 has 2d + 1. Notation 3: the
//!   remainder of a monic divisor takes 2·deg b·(deg a − deg b + 1) operations if, as elsewhere, a product and a difference are two.
//! - Proposition 21 leaves out the n(k − H) additions for leading coefficients, and its proof gives the operations of the lower levels for
//!   the upper, and the other way round.
//! - Proposition 27: the term with 4^(2^H) cannot be, since Newton's iteration takes O(4^H) operations; and a node of level i has five products, of
//!   5α i + α + 10 operations a point, where 60i + 40 is printed with all others.
//! - Proposition 28: its proof has three products and five other operations in a thread, 45i + 11 at level i; the sum that is printed has 75i − 16.
//!   Likewise 180i − 165 words in the place of 108i − 54.
//! - Proposition 29 counts one level more, that of division by the root.
//! - Proposition 30: H − 2 + 6·2^H in the place of 2^(H+1) − 2, three times as much; 5H words in the place of 4H − 1; and the reversal
//!   of the divisor, which the stored inverse makes needless.
//! - Proposition 31 counts level 0, which costs nothing, and level H twice.
//! - Proposition 32: U is missing; and the three additions of an upper coefficient take five words, where four are counted.
//! - The propositions multiply U by the words of one thread after another. By the definition in section 3.2.3 overhead is a sum over blocks:
//!   [`ManyCoreProgram::costs`] has that.

use sunzi_integer::Rational;

use super::program::{KernelCosts, Steps, sheet};
use super::transform::TransformCosts;
use super::{MachineModel, ManyCoreProgram, PathCosts};

/// The most points: counts are within 64 bits for each block.
const MOST_LOG_POINTS: u32 = 40;

/// The most levels of plain arithmetic.
const MOST_PLAIN_LEVELS: u32 = 24;

/// A tree over 2^k points with H levels of plain arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThresholdTree {
    /// k.
    log_points: u32,
    /// H.
    plain_levels: u32,
}

/// What is done with a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeStep {
    /// The products of x − u over the points of each node.
    Subproducts,
    /// The inverses of reversed subproducts as power series, from level H to the one below the root.
    Subinverses,
    /// A polynomial's values at all points, with both trees.
    Evaluation,
    /// The root's derivative, and quotients of values by it: an operation a point each.
    Weights,
    /// The sum of c M/(x − u) over the points, with the subproducts.
    Combination,
}

impl TreeStep {
    /// Multi-point evaluation from the points on.
    pub const EVALUATION: [Self; 3] = [Self::Subproducts, Self::Subinverses, Self::Evaluation];

    /// Interpolation from the points on.
    pub const INTERPOLATION: [Self; 5] = [
        Self::Subproducts,
        Self::Subinverses,
        Self::Evaluation,
        Self::Weights,
        Self::Combination,
    ];
}

impl ThresholdTree {
    /// The tree over 2^`log_points` points with `plain_levels` of plain arithmetic, 1 to `log_points`; `None` for others, beyond 2^40
    /// points and 24 levels.
    pub const fn new(log_points: u32, plain_levels: u32) -> Option<Self> {
        let is_tree = 1 <= plain_levels
            && plain_levels <= log_points
            && log_points <= MOST_LOG_POINTS
            && plain_levels <= MOST_PLAIN_LEVELS;
        if is_tree {
            Some(Self {
                log_points,
                plain_levels,
            })
        } else {
            None
        }
    }

    /// H: levels of plain arithmetic.
    pub const fn plain_levels(&self) -> u32 {
        self.plain_levels
    }

    /// Words of the subproduct tree: polynomials with their leading coefficients up to level H, and without above.
    ///
    /// ```
    /// use sunzi::tune::ThresholdTree;
    ///
    /// let tree = ThresholdTree::new(10, 8).unwrap();
    /// assert_eq!(tree.subproduct_words(), 13 * 1024 - 4);
    /// assert_eq!(tree.subinverse_words(), 2 * 1024);
    /// ```
    pub const fn subproduct_words(&self) -> u128 {
        self.points() * (self.log_points as u128 + 3) - (self.points() >> self.plain_levels)
    }

    /// Words of the subinverse tree, which has levels H to k − 1.
    pub const fn subinverse_words(&self) -> u128 {
        self.points() * (self.log_points - self.plain_levels) as u128
    }

    /// Words of local memory that a block of plain arithmetic takes: two factors and their product.
    pub const fn local_words(&self) -> u64 {
        (1 << (self.plain_levels + 1)) + 3
    }

    const fn points(&self) -> u128 {
        1 << self.log_points
    }

    /// What a step costs, by formula.
    ///
    /// ```
    /// use sunzi::tune::{ThresholdTree, TransformCosts, TreeStep};
    ///
    /// // Proposition 23 for k = 20 and H = 8.
    /// let tree = ThresholdTree::new(20, 8).unwrap();
    /// let costs = tree.costs(TreeStep::Subproducts, &TransformCosts::THREE_KERNELS);
    /// assert_eq!(2 * costs.span, 9 * 8 - 4 + 1024 + 15 * 21 * 21 - 7 * 20 - 15 * 81);
    /// assert_eq!(costs.words, 2 * 8 + 18 * 21 * 21 - 35 * 20 - 18 * 81 + 35 * 8);
    /// ```
    pub fn costs(&self, step: TreeStep, transform: &TransformCosts) -> PathCosts {
        let n = self.points();
        let (k, h) = (u128::from(self.log_points), u128::from(self.plain_levels));
        let width = 1_u128 << h;
        // How many levels there are above H up to a last one, and the sum of their numbers.
        let above = |last: u128| (last - h, (last * (last + 1) - h * (h + 1)) / 2);
        let (count, sum) = above(k);
        let operations = |count, sum| transform.operations(count, sum);
        let words = |count, sum| transform.words(count, sum);
        match step {
            TreeStep::Subproducts => PathCosts {
                work: n * (width + h + operations(count, sum) + count) - n / width,
                span: 2 * width - 2 + h + operations(count, sum) + 2 * count,
                words: 2 * h + words(count, sum) + 4 * count,
            },
            TreeStep::Subinverses if h == k => PathCosts {
                work: 0,
                span: 0,
                words: 0,
            },
            TreeStep::Subinverses => {
                let (count, sum) = above(k - 1);
                // Products of 2^(i − 1), 2^i and 2^(i + 1) points.
                let [lower, same, upper] = [sum - count, sum, sum + count];
                let pairs = 2 * (operations(count, same) + operations(count, upper));
                PathCosts {
                    work: n * (width + operations(count, lower) + pairs + 6 * count) - n / width,
                    span: width * width - 1 + operations(3 * count, 3 * sum) + 5 * count,
                    words: 2 * width + 1 + words(3 * count, 3 * sum) + 9 * count,
                }
            }
            TreeStep::Evaluation => PathCosts {
                work: n * (2 * width - 2 + 4 * operations(count, sum) + 3 * count),
                span: 2 * width - 2 + 2 * operations(count, sum) + 3 * count,
                words: 4 * h - 1 + 2 * words(count, sum) + 7 * count,
            },
            TreeStep::Weights => PathCosts {
                work: 2 * n,
                span: 2,
                words: 5,
            },
            TreeStep::Combination => PathCosts {
                work: n * (2 * width + 3 * h + 2 * operations(count, sum) + 2 * count)
                    - 2 * n / width,
                span: 2 * width - 2 + 2 * h + operations(count, sum) + 3 * count,
                words: 5 * h + words(count, sum) + 5 * count,
            },
        }
    }

    /// The kernels of a step, of which those that have no block for each polynomial have blocks of `block` threads.
    ///
    /// ```
    /// use sunzi::Rational;
    /// use sunzi::tune::{MachineModel, ThresholdTree, TransformCosts, TreeStep};
    ///
    /// let machine = MachineModel { u: 10_u8.into(), z: 4096, sms: 16 };
    /// let (step, transform) = (TreeStep::Evaluation, TransformCosts::ONE_KERNEL);
    /// let tree = ThresholdTree::new(12, 6).unwrap();
    /// let costs = tree.program(step, &transform, 256).costs(&machine);
    /// assert_eq!(costs.span, Rational::from(tree.costs(step, &transform).span));
    /// ```
    pub fn program(
        &self,
        step: TreeStep,
        transform: &TransformCosts,
        block: u64,
    ) -> ManyCoreProgram {
        ManyCoreProgram::of_steps(self.steps(step, transform, block))
    }

    fn steps(&self, step: TreeStep, transform: &TransformCosts, block: u64) -> Steps {
        let n = 1_u64 << self.log_points;
        let (k, h) = (self.log_points, self.plain_levels);
        let of_threads =
            |threads, operations, words| vec![sheet(threads, block, operations, words)];
        // Factors of 2^j + 1 coefficients, a block for each product.
        let plain = |j: u32, products: u64| {
            let m = 1_u64 << j;
            KernelCosts {
                blocks: products,
                work: 2 * m * m + 2 * m + 1,
                span: 2 * m + 1,
                words: 2,
            }
        };
        let products = |log_points, batch| transform.products(log_points, batch, block);
        match step {
            TreeStep::Subproducts => {
                let lower = (0..h).map(|j| vec![plain(j, n >> (j + 1))]);
                let upper = (h..k).flat_map(|j| {
                    let additions = of_threads(n / 2, 2, 4);
                    products(j + 1, n >> (j + 1)).into_iter().chain([additions])
                });
                lower.chain(upper).collect()
            }
            TreeStep::Subinverses if h == k => Steps::new(),
            TreeStep::Subinverses => {
                let width = 1_u64 << h;
                let series = of_threads(n >> h, width * width - 1, 2 * width + 1);
                let levels = (h + 1..k).flat_map(|i| {
                    let children = n >> (i - 1);
                    let mut steps = vec![of_threads(n, 1, 2)];
                    steps.extend(products(i - 1, children));
                    steps.push(of_threads(n, 2, 3));
                    steps.extend(products(i, children));
                    steps.push(of_threads(2 * n, 1, 2));
                    steps.extend(products(i + 1, children / 2));
                    steps.push(of_threads(n, 1, 2));
                    steps
                });
                [series].into_iter().chain(levels).collect()
            }
            TreeStep::Evaluation => {
                let upper = (h + 1..=k).rev().flat_map(|l| {
                    let remainders = n >> (l - 1);
                    let mut steps = vec![of_threads(n, 1, 2)];
                    steps.extend(products(l, remainders));
                    steps.push(of_threads(n, 1, 2));
                    steps.extend(products(l, remainders));
                    steps.push(of_threads(n, 1, 3));
                    steps
                });
                let lower = (0..h).rev().map(|j| {
                    vec![KernelCosts {
                        blocks: n >> j,
                        work: 2 << (2 * j),
                        span: 2 << j,
                        words: if j == 0 { 3 } else { 4 },
                    }]
                });
                upper.chain(lower).collect()
            }
            TreeStep::Weights => vec![of_threads(n, 1, 2), of_threads(n, 1, 3)],
            TreeStep::Combination => {
                let lower = (0..h).flat_map(|j| [vec![plain(j, n >> j)], of_threads(n, 1, 3)]);
                let upper = (h..k).flat_map(|j| {
                    let halves = [(1, 3), (3, 5)]
                        .map(|(operations, words)| sheet(n / 2, block, operations, words));
                    let sums = [halves.to_vec()];
                    products(j + 1, n >> j).into_iter().chain(sums)
                });
                lower.chain(upper).collect()
            }
        }
    }

    /// The tree over 2^`log_points` points whose H has the least bound on the time of `steps`, one after the other, with that bound
    /// ([`ManyCoreProgram::bound_by_steps`]), among those that fit the local memory and blocks of `most_threads` threads; `None` if none does.
    ///
    /// ```
    /// use sunzi::tune::{MachineModel, ThresholdTree, TransformCosts, TreeStep};
    ///
    /// let machine = MachineModel { u: 20_u8.into(), z: 12 << 10, sms: 14 };
    /// let transform = TransformCosts::THREE_KERNELS;
    /// let best = ThresholdTree::best(20, &TreeStep::EVALUATION, &transform, &machine, 512);
    /// let (tree, _) = best.unwrap();
    /// assert!((4..=8).contains(&tree.plain_levels()));
    /// ```
    pub fn best(
        log_points: u32,
        steps: &[TreeStep],
        transform: &TransformCosts,
        machine: &MachineModel,
        most_threads: u64,
    ) -> Option<(Self, Rational)> {
        let trees = (1..=log_points).filter_map(|levels| Self::new(log_points, levels));
        let fits = |tree: &Self| {
            let threads = (1 << tree.plain_levels) + 2;
            tree.local_words() <= machine.z && threads <= most_threads
        };
        let bounded = trees.filter(fits).map(|tree| {
            let bounds = steps.iter().map(|step| {
                let program = tree.program(*step, transform, most_threads);
                program.bound_by_steps(machine)
            });
            (tree, bounds.fold(Rational::ZERO, |all, bound| all + bound))
        });
        bounded.min_by(|a, b| a.1.cmp(&b.1))
    }
}
