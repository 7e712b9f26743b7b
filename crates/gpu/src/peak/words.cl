// What a device does at most: copies, and products of words in registers.
//
// Definitions: QUADS, blocks of 16 bytes that a thread copies; CHAINS, independent sums of a thread; STEPS, what each of
// them does in a round; COLUMNS, words of a row.

KERNEL nothing(GLOBAL u32* x) {}

// Memory for whole groups.
KERNEL copy_quads(GLOBAL uint4* RESTRICT to, GLOBAL const uint4* RESTRICT from) {
  u64 start = (u64)BLOCK * (GROUP * QUADS) + THREAD;
  uint4 quads[QUADS];
  UNROLL
  for (u32 turn = 0; turn < QUADS; turn++) quads[turn] = from[start + turn * GROUP];
  UNROLL
  for (u32 turn = 0; turn < QUADS; turn++) to[start + turn * GROUP] = quads[turn];
}

// CHAINS * STEPS multiply-adds a round, 32 by 32 bits to 64.
KERNEL wide_products(GLOBAL u32* x, u32 rounds) {
  u64 at = (u64)BLOCK * GROUP + THREAD;
  u32 factor = x[at] | 1u;
  u64 sums[CHAINS];
  UNROLL
  for (u32 chain = 0; chain < CHAINS; chain++) sums[chain] = factor + chain;
  for (u32 round = 0; round < rounds; round++) {
    UNROLL
    for (u32 step = 0; step < STEPS; step++) {
      UNROLL
      for (u32 chain = 0; chain < CHAINS; chain++) sums[chain] += mulwide32((u32)sums[chain], factor);
    }
  }
  u64 all = 0;
  UNROLL
  for (u32 chain = 0; chain < CHAINS; chain++) all ^= sums[chain];
  x[at] = (u32)(all ^ (all >> 32));
}

// COLUMNS * COLUMNS of them a round, in rows with carries, as products of integers have them.
KERNEL chained_products(GLOBAL u32* x, u32 rounds) {
  u64 at = (u64)BLOCK * GROUP + THREAD;
  u32 step = x[at] | 1u, factor = step;
  u32 even[COLUMNS + 2], odd[COLUMNS + 2], window[COLUMNS];
  UNROLL
  for (int c = 0; c < COLUMNS + 2; c++) even[c] = odd[c] = 0;
  UNROLL
  for (int c = 0; c < COLUMNS; c++) window[c] = step * (2 * c + 1);
  for (u32 round = 0; round < rounds; round++) {
    UNROLL
    for (int s = 0; s < COLUMNS; s++) {
      factor += step;
      multiply_row(even, odd, factor, window, COLUMNS, s, 0, COLUMNS);
    }
  }
  u32 words[COLUMNS + 2], all = 0;
  combine(words, even, odd, COLUMNS + 2);
  UNROLL
  for (int c = 0; c < COLUMNS + 2; c++) all ^= words[c];
  x[at] = all;
}
