//! Products of many pairs of integers of the same lengths.
//!
//! A batch is `count` pairs of natural numbers, as vectors of 32-bit words from the lowest upward: a_i is `a_words`
//! words from word i · `a_words` on, b_i and the products (`a_words + b_words` words) likewise; or one b serves the
//! whole batch. [`IntegerBatch`] computes them by one of five kernels:
//!
//! | kernel | a product is a | words | multiplications | made for |
//! |---|---|---|---|---|
//! | [`Schoolbook`](IntegerKernel::Schoolbook) | thread's | a + b ≤ 40 | a b | up to 16 words |
//! | [`Columns`](IntegerKernel::Columns) | group's, or several of them are | b ≤ 4096 | a b | everything above |
//! | [`M5`](IntegerKernel::M5) | group's | a = b ≤ 1024 | k (k + 1) / 2 | comparison |
//! | [`Naive`](IntegerKernel::Naive) | group's | a + b ≤ 2048 | a b | comparison |
//! | [`OperandScanning`](IntegerKernel::OperandScanning) | group's | a + b ≤ 2730 | a b | comparison |
//!
//! (b is the longer operand here.) No kernel takes more than 32 KiB of local memory.
//!
//! The first two keep their sums in registers, in chains of multiply-adds with carry. The others are algorithms 8, 10,
//! 12 and 13 of chapter 5 of D. Mohajerani's thesis (*Parallel Arbitrary-precision Integer Arithmetic*, University of
//! Western Ontario, 2021), with its normalization of columns of three words (algorithm 11) done in parallel, and the row
//! by row multiplication that every textbook has. They keep the sums of columns in local memory: six accesses for a
//! multiplication and addition, against one fourth of an access in `Columns`. What M5 saves in multiplications it
//! spends many times over in this.
//!
//! ## What the hardware allows
//!
//! For k words each, a product takes 16 k bytes of memory traffic and k² products of words. An H100 moves 3 · 10¹²
//! bytes a second. It starts 64 32-bit multiply-adds per cycle on each of 132 processors, at 1.7 GHz 1.4 · 10¹³ a
//! second, and a product of words is worth two of them (low and high half: `mad.lo.cc`, `madc.hi.cc`, which the
//! assembler fuses to one `IMAD.WIDE`), so that 7.2 · 10¹² products of words a second are the ceiling:
//!
//! | k | memory | arithmetic | bound by |
//! |---|---|---|---|
//! | 8 | 43 ps | 9 ps | memory |
//! | 16 | 85 ps | 36 ps | memory |
//! | 32 | 0.17 ns | 0.14 ns | both |
//! | 64 | 0.34 ns | 0.57 ns | arithmetic |
//! | 256 | 1.4 ns | 9.1 ns | arithmetic |
//! | 1024 | 5.5 ns | 146 ns | arithmetic |
//!
//! The inner loop of `Columns`, as NVIDIA's compiler has it for `sm_90`, is 64 `IMAD.WIDE`, 16 loads from local memory, 8
//! additions and 10 other instructions for 64 products of words, in 56 registers without a spill. A product of 64 words
//! takes 512 `IMAD.WIDE` and about 1000 other instructions in each of its 8 threads: the multiplier needs
//! 2048 cycles of a warp's quarter of a processor and the rest fits beside it, since four groups share a processor and
//! one group's copies run during another's multiplications. At k words threads have k / 8 equal steps; threads of a warp
//! that work on different blocks wait for each other for a few of them (none up to 64 words, 3 of 32 at 256, 15 of 128
//! at 1024). These are counts of instructions; nothing of it was timed.
//!
//! Other ways to multiply that were weighed, in products of 32-bit words (pw) per cycle and processor, against the 32
//! of the above:
//! - Digits of 28 to 30 bits in 64-bit sums need no carry chain, but 1.14 to 1.31 times the multiplications, and the
//!   chain is free: `IMAD.WIDE` takes its carry from one predicate and leaves it in another. 24 to 28 pw.
//! - Doubles, digits of 24 bits, 32 exact sums of 48-bit products in one double: one FMA each, 64 · (24/32)² = 36 pw,
//!   less the conversions, the moves of a window at digits that words do not align with, and one folding in 32 steps.
//! - Doubles, digits of 52 bits, high and low half by two FMAs and one subtraction, summed as integers: 64/3 · (52/32)²
//!   = 56 pw by the FMA units, but 1.5 additions on the integer units for each (42 pw), which also convert.
//!
//! The last two gain a tenth to a third in the inner loop and nothing where memory is the bound; they were left.
//! Karatsuba's method over blocks of 512 words would save a quarter of the products at 1024 words.

mod batch;
mod kernel;
mod shape;
mod source;

pub use batch::IntegerBatch;
pub use kernel::IntegerKernel;
pub use shape::IntegerShape;
pub use source::sources;
