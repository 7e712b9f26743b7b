//! Which stages a transform takes: a pure value, made from N and K alone.

/// Elements of a vector register's block, which a last stage takes apart.
pub const LANES: usize = 8;

/// The largest base case: more terms than that are no operands of products.
pub const MOST_POINTS: usize = 32;

/// What a stage multiplies value k of its base cases by, before it stores them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twiddle {
    /// Nothing.
    None,
    /// `r^(step·⌊p/width⌋·k)`, a rotation of digits.
    Rotation {
        /// 2K over the points that are still to be joined without a product.
        step: usize,
        /// Columns that share a rotation.
        width: usize,
    },
    /// A root of order `len` (in blocks) to the power of `p·j`, j the number of the value among those
    /// of the stages since the last product; the same for all elements of a block.
    Product {
        /// Blocks of the transforms that the last product left.
        len: usize,
        /// The stride then.
        stride: usize,
    },
    /// The last product, `ω^(8·p·s·⌊j/s⌋ + l·j)` for the element in lane l of value j of the whole
    /// transform so far.
    LastProduct {
        /// s, the stride before the group.
        stride: usize,
    },
}

/// Base cases of `radix` points for every column p < `columns` and every q < `stride`: from
/// `x[q + s(p + m·i)]` to `y[q + s(R·p + k)]` (in blocks of eight elements).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// R: points of a base case.
    pub radix: usize,
    /// s: the points that are joined already.
    pub stride: usize,
    /// m.
    pub columns: usize,
    /// What its values are multiplied by.
    pub twiddle: Twiddle,
}

/// Base cases of 8, 16 or 32 points, of which eight lie in the lanes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastStage {
    pub radix: usize,
    /// Row l of value k is rotated by `step·l·⌊k/width⌋` first.
    pub step: usize,
    pub width: usize,
}

/// All stages of a transform of N points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stages {
    /// All but the last one, in their order.
    pub stages: Vec<Stage>,
    /// The last one.
    pub last: LastStage,
}

impl Stages {
    /// For `2^log_n` points and K digits; nothing where the vectors would not be filled.
    ///
    /// Base cases of up to 2K points are joined by rotations. So N is a product of as few *groups* of at
    /// most 2K points as there may be, with a product of every element between two groups, and groups
    /// are products of radices up to 32. The last group ends with the last stage.
    pub fn new(log_n: u32, digits: usize) -> Option<Self> {
        let log_cycle = digits.trailing_zeros() + 1;
        let log_lanes = LANES.trailing_zeros();
        if log_n <= log_lanes || log_cycle < log_lanes {
            return None;
        }
        // The last stage takes eight columns at a time; of fewer than 64 points, fewer.
        let most = log_lanes.max(log_n - log_lanes);
        let log_last = log_cycle.min(MOST_POINTS.trailing_zeros()).min(most);
        // One stage more can make the last group as long as others; it should if that spares a group.
        let log_most = log_cycle
            .min(log_last + MOST_POINTS.trailing_zeros())
            .min(most);
        let groups = (log_n - log_most).div_ceil(log_cycle);
        let log_last_group = log_last.max(log_n.saturating_sub(groups * log_cycle));
        let log_first = log_n - log_last_group;
        let mut stages = Vec::new();
        let mut log_stride = 0;
        // In blocks.
        let mut log_left = log_n - log_lanes;
        // All groups are full but the first: after it the fewest elements need a product.
        let mut log_group = log_first - (groups - 1) * log_cycle;
        for group in 0..groups {
            let stride = 1 << log_stride;
            let product = match group + 1 == groups {
                true => Twiddle::LastProduct { stride },
                false => Twiddle::Product {
                    len: 1 << log_left,
                    stride,
                },
            };
            let log_end = log_left - log_group;
            let mut log_open = log_group;
            for log_radix in radices(log_group) {
                log_left -= log_radix;
                let step = (2 * digits) >> log_open;
                log_open -= log_radix;
                stages.push(Stage {
                    radix: 1 << log_radix,
                    stride: 1 << log_stride,
                    columns: 1 << log_left,
                    twiddle: match log_open {
                        0 => product,
                        _ => Twiddle::Rotation {
                            step,
                            width: 1 << log_end,
                        },
                    },
                });
                log_stride += log_radix;
            }
            log_group = log_cycle;
        }
        if log_last_group > log_last {
            stages.push(Stage {
                radix: 1 << (log_last_group - log_last),
                stride: 1 << log_stride,
                columns: 1 << (log_last - log_lanes),
                twiddle: Twiddle::None,
            });
        }
        Some(Self {
            stages,
            last: LastStage {
                radix: 1 << log_last,
                step: (2 * digits) >> log_last_group,
                width: 1 << log_first,
            },
        })
    }

    /// How many products of two elements with powers of ω there are, without those with 1 that are left out.
    pub fn products(&self) -> u64 {
        let of = |stage: &Stage| {
            let values = stage.stride * stage.radix;
            let blocks = match stage.twiddle {
                Twiddle::None | Twiddle::Rotation { .. } => 0,
                Twiddle::Product { stride, .. } => (stage.columns - 1) * (values - stride),
                Twiddle::LastProduct { .. } => stage.columns * (values - 1),
            };
            (blocks * LANES) as u64
        };
        self.stages.iter().map(of).sum()
    }
}

/// Exponents of radices whose product is 2^log, the largest first.
fn radices(mut log: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let radix = log.min(MOST_POINTS.trailing_zeros());
        log -= radix;
        (radix > 0).then_some(radix)
    })
}
