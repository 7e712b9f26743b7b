//! How a transform runs: its passes over memory, and the parameters of its kernels.

use crate::word::Word;
use std::fmt;
use sunzi_device::{DeviceInfo, DeviceKind, GpuError};

/// log2 of the most points of a transform.
pub const MAX_LOG_POINTS: u32 = 28;

/// How transforms of one length run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NttPlan {
    log_n: u32,
    parameters: NttParameters,
    passes: Vec<Pass>,
}

impl NttPlan {
    /// Transforms of 2^`log_n` points in the fewest passes that the parameters allow.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for `log_n` > 28.
    pub(crate) fn new(log_n: u32, parameters: NttParameters) -> Result<Self, GpuError> {
        if log_n > MAX_LOG_POINTS {
            return Err(GpuError::Shape(format!(
                "transforms have at most 2^{MAX_LOG_POINTS} points, not 2^{log_n}"
            )));
        }
        Ok(Self {
            log_n,
            parameters,
            passes: cut(log_n, &parameters),
        })
    }

    /// log2 of the points N of a transform.
    pub const fn log_n(&self) -> u32 {
        self.log_n
    }

    /// The parameters of the kernels.
    pub const fn parameters(&self) -> NttParameters {
        self.parameters
    }

    /// The passes of a forward transform, from the first level on.
    pub fn passes(&self) -> &[Pass] {
        &self.passes
    }

    /// log2 of the twiddle factors that a table has, where `bits` bits number them all.
    pub(crate) fn split(&self, bits: u32) -> u32 {
        bits.min(self.parameters.log_table)
    }

    /// log2 of the powers that steps twist by, where `bits` bits number all factors, if those are not in a table.
    pub(super) fn log_powers(&self, word: Word, bits: u32) -> Option<u32> {
        let split = self.split(bits);
        (bits > split).then(|| bits - near(word, split) + self.parameters.log_radix)
    }

    /// Bytes of both directions' twiddle factors and powers.
    pub(crate) fn bytes(&self, word: Word, bits: u32) -> usize {
        let powers = self.log_powers(word, bits).map_or(0, |log| 1 << log);
        2 * prepared_bytes(word) * ((1 << self.split(bits)) + powers)
    }
}

impl fmt::Display for NttPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NttParameters {
            threads, log_tile, ..
        } = self.parameters;
        write!(f, "2^{} points, passes of", self.log_n)?;
        for pass in &self.passes {
            write!(f, " {}", pass.levels)?;
        }
        write!(
            f,
            " levels, tiles of 2^{log_tile} points, {threads} threads a group"
        )
    }
}

/// Bytes of the twiddle factors that steps of deep levels use, if there are too many for a table: they stay in the
/// caches of a GPU's processors.
const NEAR_BYTES: usize = 32 << 10;

/// log2 of such factors, of 2^`split` in the table.
pub(super) fn near(word: Word, split: u32) -> u32 {
    split.min((NEAR_BYTES / prepared_bytes(word)).ilog2())
}

/// Bytes of a twiddle factor.
const fn prepared_bytes(word: Word) -> usize {
    word.prepared_width() * size_of::<u32>()
}

/// How a transform is cut into groups of threads.
///
/// A group holds a tile of 2^`log_tile` points in local memory; a thread holds 2^`log_radix` of them in registers at a
/// time, and goes through `log_radix` levels of the transform with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NttParameters {
    /// Threads of a group.
    pub threads: usize,
    /// log2 of the points of a tile.
    pub log_tile: u32,
    /// log2 of the points that a thread holds.
    pub log_radix: u32,
    /// log2 of the adjacent points that a row of a tile has at least, where a transform takes more than one pass.
    pub log_columns: u32,
    /// log2 of the twiddle factors that are read from a table; those beyond are products with powers from another.
    pub log_table: u32,
    /// Whether a program is for one kind of pass, with all its steps written out, as suits GPUs. Otherwise one
    /// program serves all lengths: compilers for processors take long.
    pub specialized: bool,
}

/// Bytes of a tile that suit a GPU: several groups run on a processor at a time, and a transform of middle length has
/// groups for more processors. What another size does for a device is for [`NttParameters::log_tile`] to say.
const TILE_BYTES: usize = 32 << 10;

/// log2 of the twiddle factors in a table at most: 16 MiB of the longest.
const MOST_LOG_TABLE: u32 = 20;

impl NttParameters {
    /// What suits `vectors` transforms of 2^`log_n` points at a time on a device, those modulo all primes counted: tiles
    /// of 32 KiB, or larger where those save a pass and there are groups for all processors; rows of 32 bytes at least; 16
    /// points of 32 bits or 8 of 64 for a thread, which leaves half of a GPU's threads in flight. A processor compiles long
    /// kernels slowly, and its caches want no more than short ones.
    ///
    /// ```
    /// use sunzi::gpu::{DeviceInfo, Word};
    /// use sunzi_gpu::ntt::NttParameters;
    /// // One transform of 2^15 points is cut up; of 1000 each is a tile.
    /// let h100 = DeviceInfo::h100();
    /// assert_eq!(NttParameters::for_device(&h100, Word::U32, 15, 1).log_tile, 13);
    /// assert_eq!(NttParameters::for_device(&h100, Word::U32, 15, 1000).log_tile, 15);
    /// ```
    pub fn for_device(info: &DeviceInfo, word: Word, log_n: u32, vectors: usize) -> Self {
        let bytes = word.bytes();
        if info.kind == DeviceKind::Cpu {
            let log_tile = (info.shared_memory / bytes).clamp(4, 1 << 10).ilog2();
            return Self {
                threads: info.group_threads.min(64),
                log_tile,
                log_radix: 2,
                log_columns: 4.min(log_tile - 1),
                log_table: 16,
                specialized: false,
            };
        }
        let wide = u32::from(bytes > 4);
        let (log_radix, log_columns) = (4 - wide, 3 - wide);
        let log_tile = |shared: usize| (shared / bytes).max(1 << log_radix).ilog2();
        let usual = log_tile(info.shared_memory.min(TILE_BYTES));
        let groups = |log_tile: u32| groups(log_n, vectors, log_tile);
        // A pass by fewer groups than processors leaves some without work: two passes by more take less time.
        let larger = usual + 1..=log_tile(info.shared_memory);
        let larger = larger.filter(|&log_tile| groups(log_tile) >= info.units as u64);
        let passes = |&log_tile: &u32| least_passes(log_n, log_tile, log_columns);
        let tiles = std::iter::once(usual).chain(larger);
        let log_tile = tiles.min_by_key(passes).unwrap_or(usual);
        Self {
            // Two turns of all threads go over a tile.
            threads: info
                .group_threads
                .min(1 << (log_tile - log_radix).saturating_sub(1)),
            log_tile,
            log_radix,
            log_columns,
            // What the deepest step of a long transform has beyond that would be as many as points.
            log_table: (log_n.saturating_sub(log_radix)).clamp(15 - wide, MOST_LOG_TABLE),
            specialized: true,
        }
    }

    /// Checks it against the limits of the kernels and of a device.
    ///
    /// # Errors
    /// [`GpuError::Shape`] with what is out of which range.
    pub(crate) fn check(self, info: &DeviceInfo, word: Word) -> Result<Self, GpuError> {
        // A product of residues in doubles keeps its bounds over three levels.
        let most_radix = if word.is_double() { 3 } else { 5 };
        let in_range = |name: &str, value: usize, least: usize, most: usize| {
            if (least..=most).contains(&value) {
                Ok(())
            } else {
                Err(GpuError::Shape(format!(
                    "the transform's parameter {name} is {value}, not between {least} and {most}"
                )))
            }
        };
        in_range("threads", self.threads, 1, info.group_threads)?;
        let most_tile = (info.shared_memory / word.bytes()).max(1).ilog2();
        in_range("log_radix", self.log_radix as usize, 1, most_radix)?;
        in_range(
            "log_tile",
            self.log_tile as usize,
            self.log_radix as usize,
            most_tile.min(20) as usize,
        )?;
        in_range(
            "log_columns",
            self.log_columns as usize,
            0,
            self.log_tile as usize - 1,
        )?;
        in_range(
            "log_table",
            self.log_table as usize,
            self.log_radix as usize,
            28,
        )?;
        Ok(self)
    }
}

/// Some levels of a transform, for which its points are read and written once.
///
/// Level s of a transform of 2^n points has 2^s blocks, and its butterflies combine the halves of a block. In a pass
/// over levels `depth` .. `depth + levels` a transform is 2^`depth` blocks of 2^`levels` rows of 2^`shift` columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pass {
    /// Levels before it.
    pub depth: u32,
    /// Levels.
    pub levels: u32,
    /// Levels after it: log2 of the distance of rows.
    pub shift: u32,
    /// log2 of the columns in a tile.
    pub columns: u32,
}

/// The passes of a transform of 2^`log_n` points, from the first level on.
///
/// There are as few as tiles allow, with rows of 2^`log_columns` columns or more in all but the last, whose rows are
/// single points. Among such cuts the one with the fewest steps is taken, then the one with the widest rows.
fn cut(log_n: u32, parameters: &NttParameters) -> Vec<Pass> {
    let NttParameters {
        log_tile,
        log_columns,
        log_radix,
        ..
    } = *parameters;
    let upper = log_tile - log_columns;
    let others = least_passes(log_n, log_tile, log_columns) - 1;
    // Levels of the last pass; the others share the rest, none of them getting more than one level more than another.
    let last = (1.min(log_n)..=log_tile.min(log_n)).filter(|&last| {
        let rest = log_n - last;
        rest <= others * upper && rest >= others
    });
    let steps = |levels: u32| levels.div_ceil(log_radix);
    let best = last.min_by_key(|&last| {
        let rest = share(log_n - last, others);
        let most = rest.iter().copied().max().unwrap_or(0);
        let all: u32 = rest.into_iter().map(steps).sum();
        (all + steps(last), most)
    });
    let levels = share(log_n - best.unwrap_or(log_n), others)
        .into_iter()
        .chain(best.filter(|&last| last > 0));
    let mut depth = 0;
    levels
        .map(|levels| {
            let shift = log_n - depth - levels;
            let pass = Pass {
                depth,
                levels,
                shift,
                columns: shift.min(log_tile - levels),
            };
            depth += levels;
            pass
        })
        .collect()
}

/// The fewest passes of a transform of 2^`log_n` points: the last has the levels of a tile, the others 2^`log_columns`
/// columns at least.
fn least_passes(log_n: u32, log_tile: u32, log_columns: u32) -> u32 {
    let others = log_n.saturating_sub(log_tile);
    1 + others.div_ceil(log_tile - log_columns)
}

/// The groups of a pass over `vectors` transforms, modulo one prime or several.
pub(crate) fn groups(log_n: u32, vectors: usize, log_tile: u32) -> u64 {
    let points = u128::from(vectors as u64) << log_n.min(MAX_LOG_POINTS);
    u64::try_from(points.div_ceil(1 << log_tile)).unwrap_or(u64::MAX)
}

/// Shares levels among passes as evenly as can be.
fn share(levels: u32, passes: u32) -> Vec<u32> {
    (0..passes)
        .map(|pass| (levels + passes - 1 - pass) / passes)
        .collect()
}

impl Pass {
    /// The first of its levels from which on steps have factors beyond a table of 2^`split`, and twist.
    pub(super) fn twisted_from(&self, log_radix: u32, split: u32, negacyclic: bool) -> u32 {
        // Levels up to this one have all their factors in the table.
        let end = (split + 1).saturating_sub(self.depth + u32::from(negacyclic));
        let mut whole = self.levels;
        while whole > end {
            whole = whole.saturating_sub(log_radix);
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_cover_all_levels_with_tiles_that_fit() {
        for log_tile in 3..14 {
            for log_columns in 0..log_tile.min(5) {
                for log_radix in 1..=log_tile.min(4) {
                    let parameters = NttParameters {
                        threads: 1,
                        log_tile,
                        log_radix,
                        log_columns,
                        log_table: 10,
                        specialized: true,
                    };
                    for log_n in 0..=28 {
                        let passes = cut(log_n, &parameters);
                        let mut depth = 0;
                        for pass in &passes {
                            assert_eq!(pass.depth, depth, "{parameters:?} {log_n}");
                            depth += pass.levels;
                            assert_eq!(pass.shift, log_n - depth);
                            assert!(pass.levels > 0 && pass.levels + pass.columns <= log_tile);
                            assert!(pass.columns >= log_columns.min(pass.shift));
                        }
                        assert_eq!(depth, log_n);
                        let least = 1 + log_n
                            .saturating_sub(log_tile)
                            .div_ceil(log_tile - log_columns);
                        assert!(log_n == 0 || passes.len() == least as usize);
                    }
                }
            }
        }
    }

    #[test]
    fn tiles_are_as_large_as_saves_a_pass_while_all_processors_have_some() {
        // Threads and levels of the passes, with the shared memory of a group on one GPU and another.
        let chosen = |word, shared_memory, log_n, vectors| -> (usize, Vec<u32>) {
            let info = DeviceInfo {
                shared_memory,
                ..DeviceInfo::h100()
            };
            let parameters = NttParameters::for_device(&info, word, log_n, vectors);
            let passes = cut(log_n, &parameters);
            (
                parameters.threads,
                passes.iter().map(|p| p.levels).collect(),
            )
        };
        const H100: usize = 227 << 10;
        assert_eq!(chosen(Word::U32, H100, 13, 1), (256, vec![13]));
        assert_eq!(chosen(Word::U32, H100, 15, 1), (256, vec![3, 12]));
        assert_eq!(chosen(Word::U64, H100, 14, 1).0, 256);
        assert_eq!(chosen(Word::U64, H100, 14, 1).1.len(), 2);
        assert_eq!(chosen(Word::U32, H100, 20, 1), (256, vec![8, 12]));
        assert_eq!(chosen(Word::U32, H100, 24, 1).1.len(), 2);
        assert_eq!(chosen(Word::U32, H100, 24, 1).0, 512);
        assert_eq!(chosen(Word::U32, H100, 27, 1).1.len(), 2);
        assert_eq!(chosen(Word::U32, 48 << 10, 24, 1), (256, vec![8, 8, 8]));
        assert_eq!(chosen(Word::U64, H100, 22, 1).1.len(), 2);
        assert_eq!(chosen(Word::U64, H100, 24, 1).1.len(), 2);
        // Too little for a tile of the usual size.
        assert_eq!(chosen(Word::U32, 16 << 10, 9, 1), (128, vec![9]));
        // There are 132 processors.
        assert_eq!(chosen(Word::U32, H100, 14, 131).1.len(), 2);
        assert_eq!(chosen(Word::U32, H100, 14, 132), (512, vec![14]));
        assert_eq!(chosen(Word::U32, H100, 15, 132), (1024, vec![15]));
        assert_eq!(chosen(Word::U64, H100, 13, 1000), (512, vec![13]));
        assert_eq!(chosen(Word::U64, H100, 14, 1000), (1024, vec![14]));
        // A larger tile than saves it is not taken.
        assert_eq!(chosen(Word::U32, H100, 13, 1000), (256, vec![13]));
        assert_eq!(chosen(Word::U32, H100, 16, 1000).0, 256);
        assert_eq!(chosen(Word::U32, 48 << 10, 15, 1000).1.len(), 2);
    }

    #[test]
    fn only_the_deepest_step_of_a_long_transform_twists() {
        let twisted = |word, log_n| -> Vec<u32> {
            let parameters = NttParameters::for_device(&DeviceInfo::h100(), word, log_n, 1);
            let plan = NttPlan::new(log_n, parameters).unwrap();
            let split = plan.split(log_n - 1);
            let levels =
                |pass: &Pass| pass.levels - pass.twisted_from(parameters.log_radix, split, false);
            plan.passes().iter().map(levels).collect()
        };
        assert_eq!(twisted(Word::U32, 15), [0, 0]);
        for log_n in [20, 22, 24] {
            assert_eq!(twisted(Word::U32, log_n), [0, 4], "2^{log_n}");
            assert_eq!(twisted(Word::U64, log_n), [0, 3], "2^{log_n}");
        }
        // A table of half as many factors as points would be 512 MiB.
        assert_eq!(twisted(Word::U64, 26), [0, 6]);
    }

    #[test]
    fn a_million_points_take_two_passes_of_32_kib() {
        let parameters = NttParameters {
            threads: 256,
            log_tile: 13,
            log_radix: 4,
            log_columns: 3,
            log_table: 15,
            specialized: true,
        };
        let levels =
            |log_n| -> Vec<_> { cut(log_n, &parameters).iter().map(|p| p.levels).collect() };
        assert_eq!(levels(20), [8, 12]);
        assert_eq!(levels(23), [10, 13]);
        assert_eq!(levels(24), [8, 8, 8]);
    }
}
