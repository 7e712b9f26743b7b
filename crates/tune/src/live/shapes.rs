//! Launches of kernels that nobody has described, and the blocks that are legal for them.

use crate::description::{Description, DescriptionError, Kernel};

/// A launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Launched {
    /// In how many dimensions: 1 to 3.
    pub dimensions: usize,
    /// Threads in all; 1 in other dimensions.
    pub threads: [u64; 3],
    /// Threads of a block; `None` where the program leaves it to the driver.
    pub block: Option<[u64; 3]>,
}

/// The largest blocks of a kernel on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Threads of a block in each dimension.
    pub sides: [u64; 3],
    /// Threads of a block.
    pub threads: u64,
}

/// Sides of blocks that are tried, by dimension: what is next to each other in memory is mostly along the first.
const LONGEST: [[u64; 3]; 3] = [[1024, 1, 1], [1024, 64, 1], [1024, 16, 4]];
/// Threads of a block that are too few on every device, unless the program itself has as few.
const FEW: u64 = 16;
/// Threads of a launch at most, as powers of two, so that products of their numbers fit a word.
const LOG_THREADS: [u32; 3] = [32, 20, 16];
/// Names of data and of program parameters.
const DATA: [&str; 3] = ["global_x", "global_y", "global_z"];
const PROGRAM: [&str; 3] = ["block_x", "block_y", "block_z"];

/// Sides of blocks that divide this many threads: for each power of two up to `longest` the largest divisor that is not above it.
fn sides(threads: u64, longest: u64) -> Vec<i64> {
    let powers = (0..)
        .map(|log| 1_u64 << log)
        .take_while(|power| *power <= longest);
    let divisor = |power: u64| (1..=power).rev().find(|side| threads.is_multiple_of(*side));
    powers.filter_map(divisor).map(|side| side as i64).collect()
}

/// All that launches of a kernel that nobody has described may have as blocks.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    dimensions: usize,
    limits: Limits,
    /// Sides that are tried, in each dimension.
    sides: Vec<Vec<i64>>,
    least: u64,
}

impl Plain {
    pub(super) fn new(dimensions: usize, limits: Limits) -> Self {
        Plain {
            dimensions,
            limits,
            sides: vec![Vec::new(); dimensions],
            least: FEW,
        }
    }

    /// Takes in the blocks that are legal for a launch.
    pub(super) fn add(&mut self, launched: &Launched) {
        for (index, all) in self.sides.iter_mut().enumerate() {
            let longest = LONGEST[self.dimensions - 1][index].min(self.limits.sides[index]);
            all.extend(sides(launched.threads[index], longest));
            all.extend(launched.block.map(|block| block[index] as i64));
            all.sort_unstable();
            all.dedup();
        }
        let own = launched
            .block
            .map_or(FEW, |block| block.iter().product::<u64>());
        let all = launched
            .threads
            .iter()
            .fold(1, |product: u64, side| product.saturating_mul(*side));
        self.least = self.least.min(own).min(all);
    }

    /// The kernel as a description would say it.
    pub(super) fn describe(&self, name: &str) -> Result<Kernel, DescriptionError> {
        let most = 1_i64 << LOG_THREADS[self.dimensions - 1];
        let all = |text: &dyn Fn(usize) -> String, between: &str| -> String {
            let texts: Vec<String> = (0..self.dimensions).map(text).collect();
            texts.join(between)
        };
        let data = all(
            &|d| format!("{} = {{ from = 1, to = {most} }}", DATA[d]),
            ", ",
        );
        let program = all(
            &|d| format!("{} = {{ values = {:?} }}", PROGRAM[d], self.sides[d]),
            ", ",
        );
        let threads = all(&|d| PROGRAM[d].to_owned(), " * ");
        let block = all(&|d| format!("\"{}\"", PROGRAM[d]), ", ");
        let grid = all(&|d| format!("\"ceil({} / {})\"", DATA[d], PROGRAM[d]), ", ");
        let name: String = name
            .chars()
            .map(|c| {
                if c.is_ascii_graphic() && !"\"\\".contains(c) {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        let text = format!(
            "version = 1\n[[kernel]]\nname = \"{name}\"\ndata = {{ {data} }}\nprogram = {{ {program} }}\n\
             constraints = [\"{threads} >= {}\", \"{threads} <= {}\"]\nblock = [{block}]\ngrid = [{grid}]\n",
            self.least, self.limits.threads
        );
        let description = Description::parse(&text, &name)?;
        Ok(description.kernels()[0].clone())
    }

    pub(super) fn data(&self, launched: &Launched) -> Vec<i64> {
        let threads = launched.threads.iter().take(self.dimensions);
        threads
            .map(|&side| i64::try_from(side).unwrap_or(i64::MAX))
            .collect()
    }

    /// The launch by a shape, if its blocks are legal there.
    pub(super) fn launch(&self, launched: &Launched, shape: &[i64]) -> Option<Launched> {
        let mut block = [1; 3];
        for (side, value) in block.iter_mut().zip(shape) {
            *side = u64::try_from(*value).ok()?;
        }
        let divides = |(side, threads): (&u64, u64)| *side > 0 && threads.is_multiple_of(*side);
        let fits = block
            .iter()
            .zip(self.limits.sides)
            .all(|(side, most)| *side <= most)
            && block.iter().product::<u64>() <= self.limits.threads;
        (shape.len() == self.dimensions && fits && block.iter().zip(launched.threads).all(divides))
            .then_some(Launched {
                block: Some(block),
                ..*launched
            })
    }

    /// The names of its data and of its parameters.
    pub(super) fn names(&self) -> [&'static [&'static str]; 2] {
        [&DATA[..self.dimensions], &PROGRAM[..self.dimensions]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_divide_the_threads() {
        assert_eq!(sides(4096, 1024).len(), 11);
        assert_eq!(sides(1000, 64), [1, 2, 4, 8, 10, 25, 50]);
        assert_eq!(sides(7, 4), [1, 1, 1]);
        assert_eq!(sides(1, 1024), [1; 11]);
    }

    #[test]
    fn launches_are_described_with_their_own_blocks() {
        let limits = Limits {
            sides: [256, 256, 64],
            threads: 256,
        };
        let launched = Launched {
            dimensions: 2,
            threads: [96, 30, 1],
            block: Some([3, 2, 1]),
        };
        let mut plain = Plain::new(2, limits);
        plain.add(&launched);
        let kernel = plain.describe("a \"kernel\"").unwrap();
        assert_eq!(kernel.name(), "a__kernel_");
        assert!(
            kernel.is_legal(&[3, 2]) && kernel.is_legal(&[32, 6]) && !kernel.is_legal(&[96, 30])
        );
        assert_eq!(plain.data(&launched), [96, 30]);
        let by = |shape: &[i64]| {
            plain
                .launch(&launched, shape)
                .and_then(|launch| launch.block)
        };
        assert_eq!(by(&[32, 2]), Some([32, 2, 1]));
        for illegal in [
            &[64, 2][..],
            &[32, 4],
            &[96, 5],
            &[0, 1],
            &[-1, 1],
            &[32],
            &[32, 1, 1],
        ] {
            assert_eq!(by(illegal), None, "{illegal:?}");
        }
    }
}
