//! How few products with powers of ω a transform of N = 2^n points takes, where those with powers of r, the root of order
//! 2k = 2^c, are rotations: pure numbers, exact.
//!
//! Two ways are combined, whichever takes fewer at each length.
//!
//! *Columns* (Cooley and Tukey): N = A·B; A-point transforms of B columns, value j of column p times ω^(p·j), B-point
//! transforms. A product is a rotation where N/2k divides p·j. In full groups this is one product an element and c levels.
//!
//! *Splits*: x^N − 1 = (x^(N/2) − 1)·(x^(N/2) + 1), and x^M − r^t into two halves for even t, all by sums and rotations. What
//! is x^M − r^t with odd t becomes y^M − 1 by x = ψ·y, ψ^M = r^t: M − 1 products. So half of the points, those of x^(N/2) + 1,
//! go on for c more levels, and the other half for one: in the limit 1/(c + 1) products an element and level, instead of 1/c.
//! For c = 1 and c = 2 these are the counts of radix 2 and of the split radix (P. Duhamel and H. Hollmann, *Split radix FFT
//! algorithm*, 1984).

/// What is done first with N points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Nothing needs a product.
    Rotations,
    /// Transforms of columns of 2^`log` points.
    Columns {
        /// log2 of their points.
        log: u32,
    },
    /// A split of x^N − 1 into halves.
    Split,
}

/// The fewest products for every length up to some length.
#[derive(Clone, Debug)]
pub struct FewestProducts {
    log_cycle: u32,
    /// For each logarithm of the points.
    counts: Vec<(u64, First)>,
}

impl FewestProducts {
    /// For up to 2^`log_n` points where a root of order 2^`log_cycle` is a rotation; `splits` says whether there may be any.
    pub fn up_to(log_n: u32, log_cycle: u32, splits: bool) -> Self {
        let mut fewest = Self {
            log_cycle,
            counts: Vec::new(),
        };
        for log in 0..=log_n {
            let next = fewest.next(log, splits);
            fewest.counts.push(next);
        }
        fewest
    }

    /// Products for 2^`log` points.
    ///
    /// # Panics
    /// If this is longer than what it was made for.
    pub fn products(&self, log: u32) -> u64 {
        self.counts[log as usize].0
    }

    /// What the transform of 2^`log` points begins with.
    ///
    /// # Panics
    /// If this is longer than what it was made for.
    pub fn first(&self, log: u32) -> First {
        self.counts[log as usize].1
    }

    fn next(&self, log: u32, splits: bool) -> (u64, First) {
        if log <= self.log_cycle {
            return (0, First::Rotations);
        }
        let columns = (1..log).map(|a| {
            let inner = (self.products(a) << (log - a)) + (self.products(log - a) << a);
            let count = inner + between(a, log - a, self.log_cycle);
            (count, First::Columns { log: a })
        });
        let split = splits.then(|| {
            let count = self.products(log - 1) + self.of_negacyclic(log - 1);
            (count, First::Split)
        });
        let all = columns.chain(split);
        all.min_by_key(|&(count, _)| count)
            .unwrap_or((0, First::Rotations))
    }

    /// For the values at the roots of x^M + 1, M = 2^log, of a polynomial that is reduced: −1 = r^k is halved c − 1 times.
    fn of_negacyclic(&self, log: u32) -> u64 {
        let free = self.log_cycle - 1;
        match log.checked_sub(free) {
            None | Some(0) => 0,
            Some(left) => ((1 << left) - 1 + self.products(left)) << free,
        }
    }
}

/// Products between columns of 2^a points and rows of 2^b points that are no rotations: pairs p < 2^b, j < 2^a of which
/// 2^(a + b − c) does not divide p·j.
pub fn between(log_a: u32, log_b: u32, log_cycle: u32) -> u64 {
    let needed = (log_a + log_b).saturating_sub(log_cycle);
    // How many numbers below 2^log are divisible by 2^v and not by 2^(v + 1); 0 by 2^log and all above.
    let with = |log: u32, v: u32| if v < log { 1u64 << (log - v - 1) } else { 1 };
    let at_least = |log: u32, v: u32| if v < log { 1u64 << (log - v) } else { 1 };
    let rotations: u64 = (0..=log_b)
        .map(|v| match v == log_b {
            // p = 0.
            true => 1 << log_a,
            false => with(log_b, v) * at_least(log_a, needed.saturating_sub(v)),
        })
        .sum();
    (1 << (log_a + log_b)) - rotations
}
