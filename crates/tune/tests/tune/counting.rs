//! A machine that runs programs of kernels modulo a prime and counts what threads do.

use sunzi_integer::Rational;
use sunzi_tune::{MachineModel, ManyCoreProgram};

/// 7·2^26 + 1, with roots of unity of order 2^26.
pub const PRIME: u64 = 469_762_049;

/// What a thread did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    operations: u64,
    words: u64,
}

impl Thread {
    /// A word of the memory that all share; 0 beyond the end of a vector, which reading takes as long.
    pub fn read(&mut self, from: &[u64], index: usize) -> u64 {
        self.words += 1;
        from.get(index).copied().unwrap_or(0)
    }

    pub fn write(&mut self, to: &mut [u64], index: usize, value: u64) {
        self.words += 1;
        to[index] = value;
    }

    /// A word that is not that of the program, moved for the sake of what it costs.
    pub fn moves(&mut self, words: u64) {
        self.words += words;
    }

    pub fn operates(&mut self, operations: u64) {
        self.operations += operations;
    }

    pub fn add(&mut self, a: u64, b: u64) -> u64 {
        self.operations += 1;
        (a + b) % PRIME
    }

    pub fn sub(&mut self, a: u64, b: u64) -> u64 {
        self.operations += 1;
        (a + PRIME - b) % PRIME
    }

    pub fn mul(&mut self, a: u64, b: u64) -> u64 {
        self.operations += 1;
        a * b % PRIME
    }

    /// A copy to another place: an operation, too.
    pub fn copy(&mut self, a: u64) -> u64 {
        self.operations += 1;
        a
    }
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub work: u64,
    /// Of the kernels one after the other: operations and words of the thread with the most.
    pub span: u64,
    pub words: u64,
    /// Words of the thread with the most, over all blocks.
    pub overhead: u64,
    pub blocks: u64,
    pub steps: u64,
    /// Operations and words of the longest block.
    pub longest: u64,
}

#[derive(Debug, Default)]
pub struct Machine {
    counts: Counts,
    /// Operations and words of the step that is not over.
    step: [u64; 2],
}

impl Machine {
    /// A kernel after all before: each block is given its number and its threads.
    pub fn kernel(&mut self, blocks: u64, threads: u64, run: impl FnMut(usize, &mut [Thread])) {
        self.end_step();
        self.counts.steps += 1;
        self.beside(blocks, threads, run);
    }

    /// A kernel at the same time as the one before.
    pub fn beside(&mut self, blocks: u64, threads: u64, mut run: impl FnMut(usize, &mut [Thread])) {
        for block in 0..blocks {
            let mut counted = vec![Thread::default(); threads as usize];
            run(block as usize, &mut counted);
            let most = |of: fn(&Thread) -> u64| counted.iter().map(of).max().unwrap_or(0);
            let (operations, words) = (most(|t| t.operations), most(|t| t.words));
            self.step = [self.step[0].max(operations), self.step[1].max(words)];
            self.counts.work += counted.iter().map(|t| t.operations).sum::<u64>();
            self.counts.overhead += words;
            self.counts.longest = self.counts.longest.max(operations + words);
        }
        self.counts.blocks += blocks;
    }

    /// A kernel of so many threads, which share nothing.
    pub fn sheet(&mut self, threads: u64, block: u64, run: impl FnMut(usize, &mut Thread)) {
        let (blocks, block, run) = cut(threads, block, run);
        self.kernel(blocks, block, run);
    }

    /// The same beside the kernel before.
    pub fn sheet_beside(&mut self, threads: u64, block: u64, run: impl FnMut(usize, &mut Thread)) {
        let (blocks, block, run) = cut(threads, block, run);
        self.beside(blocks, block, run);
    }

    fn end_step(&mut self) {
        let [operations, words] = std::mem::take(&mut self.step);
        self.counts.span += operations;
        self.counts.words += words;
    }

    pub fn counts(mut self) -> Counts {
        self.end_step();
        self.counts
    }
}

fn cut(
    threads: u64,
    block: u64,
    mut run: impl FnMut(usize, &mut Thread),
) -> (u64, u64, impl FnMut(usize, &mut [Thread])) {
    let block = block.min(threads);
    assert_eq!(threads % block, 0);
    let of_block = move |number: usize, threads: &mut [Thread]| {
        for (index, thread) in threads.iter_mut().enumerate() {
            run(number * block as usize + index, thread);
        }
    };
    (threads / block, block, of_block)
}

impl Counts {
    /// Whether a program has these costs.
    pub fn assert_are_of(&self, program: &ManyCoreProgram, what: &str) {
        let costs = program.costs(&MachineModel {
            u: 1_u8.into(),
            z: 0,
            sms: 1,
        });
        let expected = [
            self.work,
            self.span,
            self.overhead,
            self.blocks,
            self.steps,
            self.longest,
        ];
        let found = [
            costs.work,
            costs.span,
            costs.overhead,
            costs.blocks,
            costs.path,
            costs.longest,
        ];
        assert_eq!(found, expected.map(Rational::from), "{what}");
    }
}

pub fn power(base: u64, mut exponent: u64) -> u64 {
    let (mut base, mut result) = (base % PRIME, 1);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent /= 2;
    }
    result
}

/// Numbers that look random.
pub fn numbers(seed: u64, count: usize) -> Vec<u64> {
    let mut state = seed;
    let step = |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % PRIME
    };
    (0..count).map(step).collect()
}
