//! Trees over points, executed by counting threads: the values are right, and the counts are those of the formulas.

use crate::counting::{Counts, Machine, PRIME, numbers, power};
use sunzi_tune::{PathCosts, ThresholdTree, TransformCosts, TreeStep};

/// Threads of blocks that have no polynomial of their own.
const BLOCK: u64 = 64;

/// A tree and what was counted.
struct Tree {
    k: u32,
    h: u32,
    points: Vec<u64>,
    /// From the points upward; with leading coefficients up to level h.
    products: Vec<Vec<u64>>,
    /// From level h to the one below the root.
    inverses: Vec<Vec<u64>>,
}

/// Transforms of 2^l points that lie one after the other, as many as there are, a kernel for each stage.
fn transform(machine: &mut Machine, mut from: Vec<u64>, l: u32, inverse: bool) -> Vec<u64> {
    let n = 1_usize << l;
    let root = power(3, (PRIME - 1) >> l);
    let root = if inverse {
        power(root, PRIME - 2)
    } else {
        root
    };
    let roots: Vec<u64> = (0..n as u64).map(|e| power(root, e)).collect();
    for stage in 0..l {
        let mut to = vec![0; from.len()];
        let (len, rest) = (1_usize << stage, n >> (stage + 1));
        machine.sheet(from.len() as u64, BLOCK, |index, thread| {
            let (start, at) = (index & !(n - 1), index & (n - 1));
            let (frequency, position) = (at / rest, at % rest);
            let even = start + (frequency % len) * 2 * rest + position;
            let [x, y] = [even, even + rest].map(|place| thread.read(&from, place));
            let twiddle = thread.read(&roots, frequency * rest);
            let product = thread.mul(twiddle, y);
            let sum = thread.add(x, product);
            thread.write(&mut to, index, sum);
        });
        from = to;
    }
    from
}

/// Products of pairs of polynomials of `len` coefficients, those of `a` and `b` one after the other: cyclic ones of 2^l points.
fn products(machine: &mut Machine, a: &[u64], b: &[u64], len: usize, l: u32) -> Vec<u64> {
    let n = 1_usize << l;
    let filled_up = |from: &[u64]| {
        let padded = from.chunks(len).flat_map(|polynomial| {
            let zeros = std::iter::repeat_n(0, n - len);
            polynomial.iter().copied().chain(zeros)
        });
        padded.collect::<Vec<u64>>()
    };
    let a = transform(machine, filled_up(a), l, false);
    let b = transform(machine, filled_up(b), l, false);
    let scale = power(n as u64, PRIME - 2);
    let mut values = vec![0; a.len()];
    machine.sheet(a.len() as u64, BLOCK, |index, thread| {
        let [x, y] = [thread.read(&a, index), thread.read(&b, index)];
        let product = thread.mul(x, y);
        let scaled = thread.mul(product, scale);
        thread.write(&mut values, index, scaled);
    });
    transform(machine, values, l, true)
}

/// Products of pairs of polynomials of m + 1 coefficients, a block for each: a thread loads a coefficient, and all but one of them
/// compute one. `factors` tells those of a block's threads.
fn plain_products(
    machine: &mut Machine,
    blocks: usize,
    m: usize,
    factors: impl Fn(usize, usize) -> (&'static str, usize),
    a: &[u64],
    b: &[u64],
) -> Vec<u64> {
    let mut to = vec![0; blocks * (2 * m + 1)];
    machine.kernel(blocks as u64, 2 * m as u64 + 2, |block, threads| {
        let mut local = Vec::new();
        for (t, thread) in threads.iter_mut().enumerate() {
            let (which, index) = factors(block, t);
            local.push(match which {
                "a" => thread.read(a, index),
                "b" => thread.read(b, index),
                // A coefficient that is not there.
                _ => thread.read(&[], 0),
            });
        }
        let (x, y) = local.split_at(m + 1);
        for (t, thread) in threads.iter_mut().enumerate().take(2 * m + 1) {
            let mut sum = None;
            for i in t.saturating_sub(m)..=t.min(m) {
                let product = thread.mul(x[i], y[t - i]);
                sum = Some(sum.map_or(product, |sum| thread.add(sum, product)));
            }
            thread.write(&mut to, block * (2 * m + 1) + t, sum.unwrap());
        }
    });
    to
}

impl Tree {
    fn new(k: u32, h: u32) -> Self {
        // Distinct, since they are powers of a generator.
        let points = (0..1_u64 << k).map(|e| power(3, e + 5)).collect();
        Self {
            k,
            h,
            points,
            products: Vec::new(),
            inverses: Vec::new(),
        }
    }

    fn n(&self) -> usize {
        1 << self.k
    }

    /// Words from node to node of a level.
    fn stride(&self, level: u32) -> usize {
        (1 << level) + usize::from(level <= self.h)
    }

    /// The coefficients of a level's nodes without the leading ones.
    fn lower(&self, level: u32) -> Vec<u64> {
        let m = 1 << level;
        let nodes = self.products[level as usize].chunks(self.stride(level));
        nodes.flat_map(|node| node[..m].to_vec()).collect()
    }

    fn make_products(&mut self) -> Counts {
        let mut machine = Machine::default();
        let leaves = self.points.iter().flat_map(|u| [PRIME - u, 1]);
        self.products.push(leaves.collect());
        for level in 0..self.k {
            let m = 1_usize << level;
            let nodes = self.n() / (2 * m);
            if level < self.h {
                let from = &self.products[level as usize];
                let both = |block: usize, t: usize| ("a", block * 2 * (m + 1) + t);
                let next = plain_products(&mut machine, nodes, m, both, from, &[]);
                self.products.push(next);
                continue;
            }
            let from = self.lower(level);
            let side = |side: usize| {
                let nodes = from.chunks(m).skip(side).step_by(2);
                nodes.flatten().copied().collect::<Vec<u64>>()
            };
            let (a, b) = (side(0), side(1));
            let mut product = products(&mut machine, &a, &b, m, level + 1);
            machine.sheet((nodes * m) as u64, BLOCK, |index, thread| {
                let place = index / m * 2 * m + m + index % m;
                let [x, y] = [thread.read(&a, index), thread.read(&b, index)];
                let before = thread.read(&product, place);
                let sum = thread.add(x, y);
                let sum = thread.add(before, sum);
                thread.write(&mut product, place, sum);
            });
            self.products.push(product);
        }
        machine.counts()
    }

    fn make_inverses(&mut self) -> Counts {
        let mut machine = Machine::default();
        if self.h == self.k {
            return machine.counts();
        }
        let width = 1_usize << self.h;
        let from = &self.products[self.h as usize];
        let mut first = vec![0; self.n()];
        machine.sheet((self.n() / width) as u64, BLOCK, |index, thread| {
            // Reversed, the leading 1 is the constant term.
            let f: Vec<u64> = (0..=width)
                .map(|j| thread.read(from, (index + 1) * (width + 1) - 1 - j))
                .collect();
            let mut g = vec![1];
            while g.len() < width {
                let m = g.len();
                let mut error = Vec::new();
                for c in m..2 * m {
                    let mut sum = thread.mul(g[0], f[c]);
                    for j in 1..m {
                        let product = thread.mul(g[j], f[c - j]);
                        sum = thread.add(sum, product);
                    }
                    error.push(sum);
                }
                for c in 0..m {
                    let mut sum = thread.mul(error[0], g[c]);
                    for j in 1..=c {
                        let product = thread.mul(error[j], g[c - j]);
                        sum = thread.add(sum, product);
                    }
                    g.push(thread.sub(0, sum));
                }
            }
            for (j, value) in g.into_iter().enumerate() {
                thread.write(&mut first, index * width + j, value);
            }
        });
        self.inverses.push(first);
        for level in self.h..self.k - 1 {
            let next = self.extended(&mut machine, level);
            self.inverses.push(next);
        }
        machine.counts()
    }

    /// The inverses of the level above.
    fn extended(&self, machine: &mut Machine, level: u32) -> Vec<u64> {
        let (n, m) = (self.n(), 1_usize << level);
        let threads = n as u64;
        let g = &self.inverses[(level - self.h) as usize];
        let mut reversed = vec![0; n];
        machine.sheet(threads, BLOCK, |index, thread| {
            let value = thread.read(g, index / m * m + m - 1 - index % m);
            let value = thread.copy(value);
            thread.write(&mut reversed, index, value);
        });
        let around = products(machine, &reversed, &self.lower(level), m, level);
        let mut error = vec![0; n];
        machine.sheet(threads, BLOCK, |index, thread| {
            let place = index / m * m + m - 1 - index % m;
            let low = thread.read(&reversed, place);
            // The constant term of the inverse is 1, and is taken off.
            let low = if place % m == m - 1 { 0 } else { low };
            let rest = thread.read(&around, place);
            let sum = thread.add(rest, low);
            let negative = thread.sub(0, sum);
            thread.write(&mut error, index, negative);
        });
        let next = products(machine, &error, g, m, level + 1);
        let mut longer = vec![0; 2 * n];
        machine.sheet(2 * threads, BLOCK, |index, thread| {
            let (child, j) = (index / (2 * m), index % (2 * m));
            let value = match j < m {
                true => thread.read(g, child * m + j),
                false => thread.read(&next, child * 2 * m + j - m),
            };
            let value = thread.copy(value);
            thread.write(&mut longer, index, value);
        });
        let side = |side: usize| {
            let children = longer.chunks(2 * m).skip(side).step_by(2);
            children.flatten().copied().collect::<Vec<u64>>()
        };
        let product = products(machine, &side(0), &side(1), 2 * m, level + 2);
        let mut cut = vec![0; n];
        machine.sheet(threads, BLOCK, |index, thread| {
            let value = thread.read(&product, index / (2 * m) * 4 * m + index % (2 * m));
            let value = thread.copy(value);
            thread.write(&mut cut, index, value);
        });
        cut
    }

    /// Values at all points.
    fn evaluate(&self, f: &[u64]) -> (Vec<u64>, Counts) {
        let mut machine = Machine::default();
        let mut rest = f.to_vec();
        for level in (0..self.k).rev() {
            rest = match level >= self.h {
                true => self.fast_remainders(&mut machine, level, &rest),
                false => self.plain_remainders(&mut machine, level, &rest),
            };
        }
        (rest, machine.counts())
    }

    fn fast_remainders(&self, machine: &mut Machine, level: u32, f: &[u64]) -> Vec<u64> {
        let (n, m) = (self.n(), 1_usize << level);
        // Node number `index / m` has half of the coefficients of its parent's.
        let parent = |index: usize| index / (2 * m) * 2 * m;
        let mut leading = vec![0; n];
        machine.sheet(n as u64, BLOCK, |index, thread| {
            let value = thread.read(f, parent(index) + 2 * m - 1 - index % m);
            let value = thread.copy(value);
            thread.write(&mut leading, index, value);
        });
        let g = &self.inverses[(level - self.h) as usize];
        let product = products(machine, &leading, g, m, level + 1);
        let mut quotient = vec![0; n];
        machine.sheet(n as u64, BLOCK, |index, thread| {
            let value = thread.read(&product, index / m * 2 * m + m - 1 - index % m);
            let value = thread.copy(value);
            thread.write(&mut quotient, index, value);
        });
        let product = products(machine, &quotient, &self.lower(level), m, level + 1);
        let mut rest = vec![0; n];
        machine.sheet(n as u64, BLOCK, |index, thread| {
            let j = index % m;
            let x = thread.read(f, parent(index) + j);
            let y = thread.read(&product, index / m * 2 * m + j);
            let difference = thread.sub(x, y);
            thread.write(&mut rest, index, difference);
        });
        rest
    }

    fn plain_remainders(&self, machine: &mut Machine, level: u32, f: &[u64]) -> Vec<u64> {
        let (n, m) = (self.n(), 1_usize << level);
        let nodes = &self.products[level as usize];
        let mut rest = vec![0; n];
        machine.kernel((n / m) as u64, m as u64 + 1, |node, threads| {
            let (mut a, mut b) = (vec![0; 2 * m], vec![0; m + 1]);
            for (t, thread) in threads.iter_mut().enumerate() {
                b[t] = thread.read(nodes, node * (m + 1) + t);
                for i in (t..2 * m).step_by(m + 1) {
                    a[i] = thread.read(f, node / 2 * 2 * m + i);
                }
            }
            for step in (0..m).rev() {
                let quotient = a[step + m];
                for (t, thread) in threads.iter_mut().enumerate().take(m) {
                    let product = thread.mul(quotient, b[t]);
                    a[step + t] = thread.sub(a[step + t], product);
                }
            }
            for (t, thread) in threads.iter_mut().enumerate().take(m) {
                thread.write(&mut rest, node * m + t, a[t]);
            }
        });
        rest
    }

    /// The quotients of values by the root's derivative at the points.
    fn weights(&self, values: &[u64]) -> (Vec<u64>, Counts) {
        let mut machine = Machine::default();
        let n = self.n();
        let root = &self.products[self.k as usize];
        let mut derivative = vec![0; n];
        machine.sheet(n as u64, BLOCK, |index, thread| {
            // The leading 1 may not be stored.
            let coefficient = thread.read(root, index + 1);
            let coefficient = if index + 1 == n { 1 } else { coefficient };
            let value = thread.mul(coefficient, index as u64 + 1);
            thread.write(&mut derivative, index, value);
        });
        let (at_points, _) = self.evaluate(&derivative);
        let mut quotients = vec![0; n];
        machine.sheet(n as u64, BLOCK, |index, thread| {
            let divisor = thread.read(&at_points, index);
            let value = thread.read(values, index);
            let value = thread.mul(value, power(divisor, PRIME - 2));
            thread.write(&mut quotients, index, value);
        });
        (quotients, machine.counts())
    }

    /// The sum of c M / (x − u).
    fn combine(&self, c: &[u64]) -> (Vec<u64>, Counts) {
        let mut machine = Machine::default();
        let n = self.n();
        let mut sums = c.to_vec();
        for level in 0..self.k {
            let m = 1_usize << level;
            // The other child's.
            let crossed = |from: &[u64]| {
                let pairs = from.chunks(2 * m);
                let swapped = pairs.flat_map(|pair| [&pair[m..], &pair[..m]].concat());
                swapped.collect::<Vec<u64>>()
            };
            let mut next = vec![0; n];
            if level < self.h {
                let nodes = &self.products[level as usize];
                // The sum of the other child, with a leading 0.
                let factors = |block: usize, t: usize| match t {
                    t if t <= m => ("a", block * (m + 1) + t),
                    t if t <= 2 * m => ("b", block * m + t - m - 1),
                    _ => ("", 0),
                };
                let other = crossed(&sums);
                let both = plain_products(&mut machine, n / m, m, factors, nodes, &other);
                machine.sheet(n as u64, BLOCK, |index, thread| {
                    let (node, j) = (index / (2 * m), index % (2 * m));
                    let [x, y] =
                        [0, 1].map(|k| thread.read(&both, (2 * node + k) * (2 * m + 1) + j));
                    let sum = thread.add(x, y);
                    thread.write(&mut next, index, sum);
                });
            } else {
                let other = crossed(&sums);
                let both = products(&mut machine, &self.lower(level), &other, m, level + 1);
                let place =
                    |index: usize| (index / m * 4 * m + index % m, index / m * 2 * m + index % m);
                machine.sheet((n / 2) as u64, BLOCK, |index, thread| {
                    let (from, to) = place(index);
                    let [x, y] = [from, from + 2 * m].map(|place| thread.read(&both, place));
                    let sum = thread.add(x, y);
                    thread.write(&mut next, to, sum);
                });
                machine.sheet_beside((n / 2) as u64, BLOCK, |index, thread| {
                    let (from, to) = place(index);
                    let [x, y] = [from + m, from + 3 * m].map(|place| thread.read(&both, place));
                    let [z, w] = [to, to + m].map(|place| thread.read(&sums, place));
                    let halves = [thread.add(x, y), thread.add(z, w)];
                    let sum = thread.add(halves[0], halves[1]);
                    thread.write(&mut next, to + m, sum);
                });
            }
            sums = next;
        }
        (sums, machine.counts())
    }
}

fn horner(f: &[u64], u: u64) -> u64 {
    f.iter().rev().fold(0, |value, c| (value * u + c) % PRIME)
}

/// What was counted of a step is what formulas and programs say.
fn check(tree: ThresholdTree, step: TreeStep, counts: &Counts) {
    let transform = TransformCosts::ONE_KERNEL;
    let what = format!("{tree:?} {step:?}");
    let expected = PathCosts {
        work: counts.work.into(),
        span: counts.span.into(),
        words: counts.words.into(),
    };
    assert_eq!(tree.costs(step, &transform), expected, "{what}");
    counts.assert_are_of(&tree.program(step, &transform, BLOCK), &what);
}

#[test]
fn trees_cost_what_is_counted_and_are_right() {
    for (k, h) in [
        (1, 1),
        (2, 1),
        (2, 2),
        (3, 1),
        (3, 2),
        (4, 1),
        (4, 2),
        (4, 3),
        (4, 4),
        (5, 2),
        (6, 1),
        (6, 3),
        (7, 4),
        (8, 2),
        (8, 5),
        (9, 6),
        (9, 9),
        (10, 3),
    ] {
        let model = ThresholdTree::new(k, h).unwrap();
        let mut tree = Tree::new(k, h);
        check(model, TreeStep::Subproducts, &tree.make_products());
        let words: usize = tree.products.iter().map(Vec::len).sum();
        assert_eq!(model.subproduct_words(), words as u128);
        let root = &tree.products[k as usize];
        for u in &tree.points {
            let leading = if h < k { power(*u, 1 << k) } else { 0 };
            assert_eq!((horner(root, *u) + leading) % PRIME, 0);
        }
        check(model, TreeStep::Subinverses, &tree.make_inverses());
        let words: usize = tree.inverses.iter().map(Vec::len).sum();
        assert_eq!(model.subinverse_words(), words as u128);

        let f = numbers(u64::from(k + 100 * h), 1 << k);
        let (values, counts) = tree.evaluate(&f);
        let expected: Vec<u64> = tree.points.iter().map(|u| horner(&f, *u)).collect();
        assert_eq!(values, expected, "{k} {h}");
        check(model, TreeStep::Evaluation, &counts);
        let (weights, counts) = tree.weights(&values);
        check(model, TreeStep::Weights, &counts);
        let (again, counts) = tree.combine(&weights);
        assert_eq!(again, f, "{k} {h}");
        check(model, TreeStep::Combination, &counts);
    }
}

/// Twice a number that may be half of one.
fn twice(costs: u128) -> i128 {
    2 * costs as i128
}

/// Formulas with the thesis's transforms beside what is printed: (k, H, printed, the formula's), all doubled.
#[test]
fn what_is_printed_differs_as_documented() {
    let transform = &TransformCosts::THREE_KERNELS;
    for (k, h) in (2..24).flat_map(|k| (1..k).map(move |h| (k, h))) {
        let tree = ThresholdTree::new(k, h).unwrap();
        let costs = |step| tree.costs(step, transform);
        let (n, width) = (1_i128 << k, 1_i128 << h);
        let (k, h) = (i128::from(k), i128::from(h));
        let c = k - h;

        // Proposition 21 without the additions for leading coefficients; 22.
        let printed = n * (-17 * h + 2 * width + 19 * k + 15 * k * k - 15 * h * h) - 2 * n / width;
        let found = costs(TreeStep::Subproducts);
        assert_eq!(twice(found.work) - printed, 2 * n * c);
        let printed =
            (-h - 2) * n * (2 * width + 1) + n * h * (4 * width + 1) + 2 * width * n * (k - h + 5);
        assert_eq!(width * twice(tree.subproduct_words()), printed);
        assert_eq!(tree.subinverse_words() as i128, c * n);
        // 23.
        let printed =
            9 * h - 4 + 4 * width + 15 * (k + 1) * (k + 1) - 7 * k - 15 * (h + 1) * (h + 1);
        assert_eq!(twice(found.span), printed);
        let printed = 2 * h + 18 * (k + 1) * (k + 1) - 35 * k - 18 * (h + 1) * (h + 1) + 35 * h;
        assert_eq!(found.words as i128, printed);

        // 27, above level H: the sum over i of 60 i + 40 in the place of 75 i + 31.
        let found = costs(TreeStep::Subinverses);
        let levels = || h + 1..k;
        let above = n * levels().map(|i| 75 * i + 31).sum::<i128>();
        assert_eq!(found.work as i128, n * width - n / width + above);
        let printed = -10 * n * (-k - 3 * k * k + 7 * h + 3 * h * h + 4);
        assert_eq!(printed, n * levels().map(|i| 60 * i + 40).sum::<i128>());
        // 28: of three products and five others there are 45 i + 11.
        let printed =
            8 * width + 28 + 4 * width * width + 75 * k * k - 107 * k - 75 * h * h - 43 * h;
        let upper: i128 = levels().map(|i| 75 * i - 16 - (45 * i + 11)).sum();
        let lower = 2 * width * width + 4 * width - 2 - (width * width - 1);
        assert_eq!(printed - twice(found.span), 2 * (upper + lower));
        let printed = 2 * width + 166 + 90 * k * k - 255 * k - 90 * h * h + 75 * h;
        let upper: i128 = levels().map(|i| 180 * i - 165 - (108 * i - 54)).sum();
        assert_eq!(printed - found.words as i128, upper);

        // 29: the root's level, and 8 + 16/2^l in the place of 3 operations for what is no product.
        let found = costs(TreeStep::Evaluation);
        let printed =
            n * (-30 * h * h - 46 * h + 74 + 106 * k + 30 * k * k + 2 * width) + 16 * n / width - 8;
        let root = n * (60 * k + 76) + 8;
        let others: i128 = (h + 1..=k).map(|l| 5 * n + 16 * (n >> l)).sum();
        assert_eq!(printed - found.work as i128, root + others);
        // 30: a reversal of the divisor on the levels above H, and three times the steps below.
        let printed = -22 * h - 2 + 6 * width + 15 * k * k + 23 * k - 15 * h * h;
        assert_eq!(printed - found.span as i128, c + 4 * width + h);
        let printed = 2 * h + 36 * k * k + 3 * k - 36 * h * h;
        assert_eq!(printed - found.words as i128, 2 * c + h + 1);

        // 31: level 0, level H by transforms, too, and one addition where there are two for each coefficient.
        let found = costs(TreeStep::Combination);
        let printed =
            n * (20 * k + 11 + 15 * k * k + 13 * h - 15 * h * h + 2 * width) - 2 * n / width;
        assert_eq!(printed - found.work as i128, n * (6 + 30 * h + 5) - n * c);
        // 32: the span is right, and a word of an upper coefficient is missing.
        let printed = -21 * h - 4 + 4 * width + 15 * k * k + 25 * k - 15 * h * h;
        assert_eq!(printed, twice(found.span));
        let printed = 4 * h + 18 * k * k + k - 18 * h * h;
        assert_eq!(found.words as i128 - printed, c);
    }
}

/// Remark 9: the least work is at H = 7, the least span at 6, and the fewest words at k.
#[test]
fn the_least_costs_are_where_they_are_printed_to_be() {
    for k in 8..=24 {
        let least = |of: fn(&PathCosts) -> u128| {
            let trees = (1..=k).filter_map(|h| ThresholdTree::new(k, h));
            let costs = |tree: &ThresholdTree| {
                of(&tree.costs(TreeStep::Subproducts, &TransformCosts::THREE_KERNELS))
            };
            trees.min_by_key(costs).unwrap().plain_levels()
        };
        let found = [least(|c| c.work), least(|c| c.span), least(|c| c.words)];
        assert_eq!(found, [7, 6, k]);
    }
}

/// Algorithm 28 reverses with one order too many: with it, e is not what Newton's step needs.
#[test]
fn the_error_of_an_inverse_is_reversed_by_the_lower_order() {
    let m = 4_usize;
    let node = numbers(3, m); // and a leading 1
    let f: Vec<u64> = [&node[..], &[1]].concat().into_iter().rev().collect();
    let product = |a: &[u64], b: &[u64], len: usize| -> Vec<u64> {
        let coefficient = |c: usize| {
            let terms = (0..=c).filter(|i| *i < a.len() && c - i < b.len());
            terms.fold(0, |sum, i| (sum + a[i] * b[c - i]) % PRIME)
        };
        (0..len).map(coefficient).collect()
    };
    let mut g = vec![1];
    for c in 1..m {
        let sum = (1..=c).fold(0, |sum, i| (sum + f[i] * g[c - i]) % PRIME);
        g.push((PRIME - sum) % PRIME);
    }
    let a: Vec<u64> = g.iter().rev().copied().collect();
    let whole = product(&a, &node, 2 * m);
    // Cyclic of m points, and b = a − x^(m − 1).
    let low: Vec<u64> = (0..m)
        .map(|j| {
            let b = if j == m - 1 { a[j] - 1 } else { a[j] };
            (whole[j] + whole[m + j] + b) % PRIME
        })
        .collect();
    let inverse = |order: usize| {
        let negative = |j: usize| match order.checked_sub(j).and_then(|j| low.get(j)) {
            Some(c) => (PRIME - c) % PRIME,
            None => 0,
        };
        let error: Vec<u64> = (0..m).map(negative).collect();
        let next = product(&error, &g, m);
        product(&[g.clone(), next].concat(), &f, 2 * m)
    };
    let one: Vec<u64> = (0..2 * m).map(|j| u64::from(j == 0)).collect();
    assert_eq!(inverse(m - 1), one);
    assert_ne!(inverse(m), one);
}

#[test]
fn the_best_threshold_has_the_least_bound() {
    use sunzi_tune::MachineModel;
    let machine = MachineModel {
        u: 20_u8.into(),
        z: 12 << 10,
        sms: 14,
    };
    let transform = &TransformCosts::THREE_KERNELS;
    let bound = |tree: ThresholdTree| {
        let steps = TreeStep::INTERPOLATION.iter();
        let bounds = steps.map(|step| tree.program(*step, transform, 512).bound_by_steps(&machine));
        bounds.fold(sunzi_integer::Rational::ZERO, |all, bound| all + bound)
    };
    let (best, least) =
        ThresholdTree::best(16, &TreeStep::INTERPOLATION, transform, &machine, 512).unwrap();
    assert_eq!(bound(best), least);
    for levels in 1..=8 {
        assert!(
            bound(ThresholdTree::new(16, levels).unwrap()) >= least,
            "{levels}"
        );
    }
    // Blocks of 2^H + 2 threads, and 2^(H + 1) + 3 words.
    let most = |z, threads| {
        let free = MachineModel {
            u: 1000_u32.into(),
            z,
            sms: 1,
        };
        let found = ThresholdTree::best(10, &[TreeStep::Evaluation], transform, &free, threads);
        found.map(|(tree, _)| tree.plain_levels())
    };
    assert!(most(1 << 20, 66).unwrap() <= 6);
    assert!(most(131, 1 << 20).unwrap() <= 6);
    assert_eq!(most(6, 1 << 20), None);
    assert_eq!(ThresholdTree::new(4, 5), None);
    assert_eq!(ThresholdTree::new(4, 0), None);
    assert_eq!(ThresholdTree::new(41, 3), None);
}
