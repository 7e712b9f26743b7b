// Products of PRODUCTS pairs of integers by a group: a thread sums COLUMNS neighbouring columns of one product, twice.
//
// Operands are cut into blocks of COLUMNS words; `b` is the one that is not shorter. Thread (t, product) sums block t
// of the product and block t + b_blocks: the first has min(t, a_blocks) whole steps, block I of `a` against the blocks
// t - I and t - I - 1 of `b`, and a triangle; the second a triangle and a_blocks - 1 - t whole steps. That is a_blocks
// in all, for each thread. In a step one word of each operand is read for COLUMNS products: `b` slides through a
// window of registers in which no word moves, since the loop is unrolled over a whole turn.
//
// The tile has word r of block n of product p at n * STRIDE + r * ROW + p: the threads of a step meet in no bank, and
// those that copy to and from memory in few.
//
// Definitions: COLUMNS, PRODUCTS, STRIDE, ROW; LANES, the threads that copy one number; TILE, words.

#define PASSES ((PRODUCTS * LANES + GROUP - 1) / GROUP)
// Whether a pass has products for all threads, which is known before.
#define ALWAYS (PASSES * (GROUP / LANES) == PRODUCTS)

// The tile's words from memory, zero where there are none.
FN void tile_in(LOCAL u32* tile, GLOBAL const u32* from, u32 stride, u32 words, u32 blocks, u32 present) {
  for (u32 j = THREAD % LANES; j < blocks * COLUMNS; j += LANES) {
    u32 value[PASSES];
    UNROLL
    for (u32 pass = 0; pass < PASSES; pass++) {
      u32 p = THREAD / LANES + pass * (GROUP / LANES);
      value[pass] = j < words && p < present ? from[(u64)p * stride + j] : 0u;
    }
    UNROLL
    for (u32 pass = 0; pass < PASSES; pass++) {
      u32 p = THREAD / LANES + pass * (GROUP / LANES);
      if (ALWAYS || p < PRODUCTS) tile[j / COLUMNS * STRIDE + j % COLUMNS * ROW + p] = value[pass];
    }
  }
}

FN void tile_out(GLOBAL u32* to, LOCAL const u32* tile, u32 words, u32 present) {
  for (u32 j = THREAD % LANES; j < words; j += LANES) {
    UNROLL
    for (u32 pass = 0; pass < PASSES; pass++) {
      u32 p = THREAD / LANES + pass * (GROUP / LANES);
      if (p < present) to[(u64)p * words + j] = tile[j / COLUMNS * STRIDE + j % COLUMNS * ROW + p];
    }
  }
}

FN void clear(u32* even, u32* odd) {
  UNROLL
  for (int c = 0; c < COLUMNS + 2; c++) even[c] = odd[c] = 0;
}

// Block `a` against block `b` and the one below, which is in the window afterwards but for its first word.
FN void whole_step(u32* even, u32* odd, u32* window, LOCAL const u32* a, LOCAL const u32* b) {
  window[0] = b[0];
  multiply_row(even, odd, a[0], window, COLUMNS, 0, 0, COLUMNS);
  UNROLL
  for (int s = 1; s < COLUMNS; s++) {
    window[COLUMNS - s] = b[(COLUMNS - s) * ROW - STRIDE];
    multiply_row(even, odd, a[s * ROW], window, COLUMNS, s, 0, COLUMNS);
  }
}

// Block `a` against the lowest block, with nothing below.
FN void last_step(u32* even, u32* odd, u32* window, LOCAL const u32* a, LOCAL const u32* b) {
  window[0] = b[0];
  UNROLL
  for (int s = 0; s < COLUMNS; s++) multiply_row(even, odd, a[s * ROW], window, COLUMNS, s, s, COLUMNS);
}

// Block `a` against nothing and the highest block below, which is in the window afterwards but for its first word.
FN void first_step(u32* even, u32* odd, u32* window, LOCAL const u32* a, LOCAL const u32* b) {
  UNROLL
  for (int s = 1; s < COLUMNS; s++) {
    window[COLUMNS - s] = b[(COLUMNS - s) * ROW];
    multiply_row(even, odd, a[s * ROW], window, COLUMNS, s, 0, s);
  }
}

// Adds what the block below carries over: two words. Returns what the sum does with a carry.
FN u32 absorb(u32* words, u32 low, u32 high) {
  u64 sum = (u64)words[0] + low;
  words[0] = (u32)sum;
  sum = (sum >> 32) + words[1] + high;
  words[1] = (u32)sum;
  u32 carry = add_carry(words + 2, (u32)(sum >> 32), COLUMNS - 2);
  return state_of(words, carry, COLUMNS);
}

KERNEL columns(GLOBAL u32* RESTRICT product, GLOBAL const u32* RESTRICT a, GLOBAL const u32* RESTRICT b,
               u64 product_first, u64 a_first, u64 b_first, u32 a_words, u32 b_words, u32 a_stride, u32 b_stride,
               u32 count) {
  SHARED_TILE(u32, tile, TILE);
  u32 start = BLOCK * PRODUCTS;
  u32 present = min32(count - start, PRODUCTS);
  u32 a_blocks = (a_words + COLUMNS - 1) / COLUMNS, b_blocks = (b_words + COLUMNS - 1) / COLUMNS;
  u32 blocks = a_blocks + b_blocks;
  tile_in(tile, a + a_first + (u64)start * a_stride, a_stride, a_words, a_blocks, present);
  tile_in(tile + a_blocks * STRIDE, b + b_first + (u64)start * b_stride, b_stride, b_words, b_blocks, present);
  BARRIER();

  u32 p = THREAD % PRODUCTS, t = THREAD / PRODUCTS;
  int in_low = t < b_blocks, in_high = t < a_blocks;
  u32 low[COLUMNS + 2], high[COLUMNS + 2];
  if (in_low) {
    u32 even[COLUMNS + 2], odd[COLUMNS + 2], window[COLUMNS];
    LOCAL const u32* of_a = tile + p;
    LOCAL const u32* of_b = tile + (a_blocks + t) * STRIDE + p;
    u32 steps = min32(t, a_blocks);
    clear(even, odd);
    UNROLL
    for (int r = 1; r < COLUMNS; r++) window[r] = of_b[r * ROW];
    // One loop for both sums keeps the code of a step to one copy.
    for (u32 second = 0;; second = 1) {
      for (u32 n = 0; n < steps; n++) {
        whole_step(even, odd, window, of_a, of_b);
        of_a += STRIDE;
        of_b -= STRIDE;
      }
      if (second) {
        combine(high, even, odd, COLUMNS + 2);
        break;
      }
      if (in_high) last_step(even, odd, window, of_a, of_b);
      combine(low, even, odd, COLUMNS + 2);
      if (!in_high) break;
      clear(even, odd);
      of_b = tile + (blocks - 1) * STRIDE + p;
      first_step(even, odd, window, of_a, of_b);
      of_a += STRIDE;
      steps = a_blocks - 1 - t;
    }
  }
  BARRIER();

  // From here on the tile is for what blocks hand to the next: two words, then a state.
  LOCAL u32* over = tile + p;
  LOCAL u32* states = tile + 2 * blocks * PRODUCTS + p;
  u32 next = t + b_blocks;
  if (in_low) {
    over[2 * t * PRODUCTS] = low[COLUMNS];
    over[(2 * t + 1) * PRODUCTS] = low[COLUMNS + 1];
  }
  if (in_high) {
    over[2 * next * PRODUCTS] = high[COLUMNS];
    over[(2 * next + 1) * PRODUCTS] = high[COLUMNS + 1];
  }
  BARRIER();
  if (in_low) {
    u32 some = t > 0;
    u32 below = some ? t - 1 : 0u;
    states[t * PRODUCTS] =
        absorb(low, some ? over[2 * below * PRODUCTS] : 0u, some ? over[(2 * below + 1) * PRODUCTS] : 0u);
  }
  if (in_high)
    states[next * PRODUCTS] = absorb(high, over[2 * (next - 1) * PRODUCTS], over[(2 * next - 1) * PRODUCTS]);
  BARRIER();
  if (in_low) add_carry(low, look_back(states, t, 0, PRODUCTS) == GENERATES, COLUMNS);
  if (in_high) add_carry(high, look_back(states, next, 0, PRODUCTS) == GENERATES, COLUMNS);
  BARRIER();
  if (in_low) {
    UNROLL
    for (int r = 0; r < COLUMNS; r++) tile[t * STRIDE + r * ROW + p] = low[r];
  }
  if (in_high) {
    UNROLL
    for (int r = 0; r < COLUMNS; r++) tile[next * STRIDE + r * ROW + p] = high[r];
  }
  BARRIER();
  u32 words = a_words + b_words;
  tile_out(product + product_first + (u64)start * words, tile, words, present);
}
