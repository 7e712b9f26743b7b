//! How a transform is cut into passes over memory.

use super::NttShape;

/// Some levels of a transform, for which its points are read and written once.
///
/// Level s of a transform of 2^n points has 2^s blocks, and its butterflies combine the halves of a block. In a pass
/// over levels `depth` .. `depth + levels` a transform is 2^`depth` blocks of 2^`levels` rows of 2^`shift` columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PassShape {
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
pub fn cut(log_n: u32, shape: &NttShape) -> Vec<PassShape> {
    let NttShape {
        log_tile,
        log_columns,
        log_radix,
        ..
    } = *shape;
    let upper = log_tile - log_columns;
    let others = log_n.saturating_sub(log_tile).div_ceil(upper);
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
            let pass = PassShape {
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

/// Shares levels among so many passes as evenly as can be.
fn share(levels: u32, passes: u32) -> Vec<u32> {
    (0..passes)
        .map(|pass| (levels + passes - 1 - pass) / passes)
        .collect()
}

impl PassShape {
    /// The first of its levels from which on steps have factors beyond a table of 2^`split`.
    pub fn computed_from(&self, log_radix: u32, split: u32, negacyclic: bool) -> u32 {
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
                    let shape = NttShape {
                        threads: 1,
                        log_tile,
                        log_radix,
                        log_columns,
                        log_table: 10,
                        specialized: true,
                    };
                    for log_n in 0..=28 {
                        let passes = cut(log_n, &shape);
                        let mut depth = 0;
                        for pass in &passes {
                            assert_eq!(pass.depth, depth, "{shape:?} {log_n}");
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
    fn a_million_points_take_two_passes_of_32_kib() {
        let shape = NttShape {
            threads: 256,
            log_tile: 13,
            log_radix: 4,
            log_columns: 3,
            log_table: 15,
            specialized: true,
        };
        let levels = |log_n| -> Vec<_> { cut(log_n, &shape).iter().map(|p| p.levels).collect() };
        assert_eq!(levels(20), [8, 12]);
        assert_eq!(levels(23), [10, 13]);
        assert_eq!(levels(24), [8, 8, 8]);
    }
}
