// Coefficients of several words at every word become one number.
//
// A block of BLOCK_WORDS words is a group's; a thread has EACH neighbouring ones of them. A column's sum of PLANES
// words leaves at most PLANES - 1 for the next column, which takes it at once, also across threads and blocks, whose
// last column is summed twice. After that every run of words carries out 0 or 1, by look-back.
//
// Definitions: PLANES, EACH, BLOCK_WORDS = GROUP * EACH, RUN, a divisor of GROUP.
//
// Of a block two words are kept: how many of its lowest words are all ones, and its state, which the second pass turns
// into what is carried in.

#define POSITION(x) ((x) + (x) / EACH)

// The sum of a column.
FN u64 column_sum(GLOBAL const u32* coefficients, u32 n, u32 i) {
  u64 sum = 0;
  UNROLL
  for (u32 plane = 0; plane < PLANES; plane++)
    // Below zero wraps to above n.
    if (i - plane < n) sum += coefficients[(u64)plane * n + (i - plane)];
  return sum;
}

// What the threads below `index` pass on: the first state that stops it, run by run, or PROPAGATES.
FN u32 look_back_by_runs(LOCAL const u32* states, LOCAL const u32* of_runs, u32 index) {
  u32 run = index / RUN;
  u32 state = look_back(states, index, run * RUN, 1);
  return state == PROPAGATES ? look_back(of_runs, run, 0, 1) : state;
}

// States of threads, then of runs of RUN threads.
FN void share_states(LOCAL u32* states, LOCAL u32* of_runs, u32 state) {
  states[THREAD] = state;
  BARRIER();
  if (THREAD < GROUP / RUN) of_runs[THREAD] = look_back(states, (THREAD + 1) * RUN, THREAD * RUN, 1);
  BARRIER();
}

KERNEL carry_words(GLOBAL u32* RESTRICT words, GLOBAL u32* RESTRICT blocks, GLOBAL const u32* RESTRICT coefficients,
                   u64 words_first, u64 coefficients_first, u32 n, u32 out_words, u32 vector_blocks) {
  SHARED u32 tile[POSITION(BLOCK_WORDS)];
  SHARED u8 over[BLOCK_WORDS + 1];
  SHARED u32 states[GROUP];
  SHARED u32 of_runs[GROUP / RUN];
  u32 vector = BLOCK / vector_blocks, start = BLOCK % vector_blocks * BLOCK_WORDS;
  coefficients += coefficients_first + (u64)vector * PLANES * n;
  words += words_first + (u64)vector * out_words;
  if (start >= PLANES && start + BLOCK_WORDS <= n) {
    // Nearly all blocks: every column has all its words, at the same distances.
    u64 sums[EACH];
    UNROLL
    for (u32 e = 0; e < EACH; e++) sums[e] = 0;
    UNROLL
    for (u32 plane = 0; plane < PLANES; plane++) {
      GLOBAL const u32* of_plane = coefficients + ((u64)plane * n + (start - plane)) + THREAD;
      UNROLL
      for (u32 e = 0; e < EACH; e++) sums[e] += of_plane[e * GROUP];
    }
    UNROLL
    for (u32 e = 0; e < EACH; e++) {
      u32 x = e * GROUP + THREAD;
      tile[POSITION(x)] = (u32)sums[e];
      over[x + 1] = (u8)(sums[e] >> 32);
    }
  } else {
    ROLLED
    for (u32 x = THREAD; x < BLOCK_WORDS; x += GROUP) {
      u64 sum = column_sum(coefficients, n, start + x);
      tile[POSITION(x)] = (u32)sum;
      over[x + 1] = (u8)(sum >> 32);
    }
  }
  if (THREAD == 0) over[0] = start > 0 ? (u8)(column_sum(coefficients, n, start - 1) >> 32) : (u8)0;
  BARRIER();

  u32 value[EACH];
  u32 carry = 0;
  UNROLL
  for (u32 e = 0; e < EACH; e++) {
    u32 x = THREAD * EACH + e;
    u64 sum = (u64)tile[POSITION(x)] + over[x] + carry;
    value[e] = (u32)sum;
    carry = (u32)(sum >> 32);
  }
  u32 state = state_of(value, carry, EACH);
  share_states(states, of_runs, state);
  u32 below = look_back_by_runs(states, of_runs, THREAD);
  add_carry(value, below == GENERATES, EACH);
  if (below == PROPAGATES && state != PROPAGATES) {
    // A carry into the block would end here.
    u32 ones = 0, all = 1;
    UNROLL
    for (u32 e = 0; e < EACH; e++) {
      all &= value[e] == 0xffffffffu;
      ones += all;
    }
    blocks[2 * BLOCK] = THREAD * EACH + ones;
  }
  if (THREAD == GROUP - 1) {
    u32 whole = state == PROPAGATES ? below : state;
    blocks[2 * BLOCK + 1] = whole;
    if (whole == PROPAGATES) blocks[2 * BLOCK] = BLOCK_WORDS;
  }
  UNROLL
  for (u32 e = 0; e < EACH; e++) tile[POSITION(THREAD * EACH + e)] = value[e];
  BARRIER();
  words += start;
  if (start + BLOCK_WORDS <= out_words) {
    UNROLL
    for (u32 e = 0; e < EACH; e++) words[e * GROUP + THREAD] = tile[POSITION(e * GROUP + THREAD)];
  } else {
    ROLLED
    for (u32 x = THREAD; x < out_words - start; x += GROUP) words[x] = tile[POSITION(x)];
  }
}

// A group a vector: the states of its blocks become what is carried into them.
KERNEL carry_blocks(GLOBAL u32* RESTRICT blocks, u32 vector_blocks) {
  SHARED u32 states[GROUP];
  SHARED u32 of_runs[GROUP / RUN];
  u32 carry = STOPS;
  blocks += 2 * (u64)BLOCK * vector_blocks;
  for (u32 start = 0; start < vector_blocks; start += BLOCK_WORDS) {
    u32 own[EACH];
    u32 state = PROPAGATES;
    UNROLL
    for (u32 e = 0; e < EACH; e++) {
      u32 block = start + THREAD * EACH + e;
      own[e] = block < vector_blocks ? blocks[2 * block + 1] : STOPS;
      state = own[e] == PROPAGATES ? state : own[e];
    }
    share_states(states, of_runs, state);
    u32 below = look_back_by_runs(states, of_runs, THREAD);
    below = below == PROPAGATES ? carry : below;
    UNROLL
    for (u32 e = 0; e < EACH; e++) {
      u32 block = start + THREAD * EACH + e;
      if (block < vector_blocks) blocks[2 * block + 1] = below;
      below = own[e] == PROPAGATES ? below : own[e];
    }
    u32 whole = look_back_by_runs(states, of_runs, GROUP);
    carry = whole == PROPAGATES ? carry : whole;
    BARRIER();
  }
}

// A thread a block: what is carried in turns the ones at its beginning to zeros, and adds one to the word after them.
KERNEL carry_into_blocks(GLOBAL u32* RESTRICT words, GLOBAL const u32* RESTRICT blocks, u64 words_first, u32 out_words,
                         u32 vector_blocks, u32 total) {
  SHARED u32 zeros[GROUP];
  SHARED u32 some[1];
  words += words_first;
  if (THREAD == 0) some[0] = 0;
  BARRIER();
  u32 index = BLOCK * GROUP + THREAD;
  zeros[THREAD] = 0;
  if (index < total && blocks[2 * index + 1] == GENERATES) {
    u32 ones = blocks[2 * index], i = index % vector_blocks * BLOCK_WORDS + ones;
    if (ones < BLOCK_WORDS && i < out_words) words[(u64)(index / vector_blocks) * out_words + i]++;
    zeros[THREAD] = ones;
    if (ones > 0) some[0] = 1;
  }
  BARRIER();
  if (some[0]) {
    for (u32 b = 0; b < GROUP; b++) {
      u32 of_block = BLOCK * GROUP + b, start = of_block % vector_blocks * BLOCK_WORDS;
      for (u32 x = THREAD; x < zeros[b]; x += GROUP)
        if (start + x < out_words) words[(u64)(of_block / vector_blocks) * out_words + start + x] = 0;
    }
  }
}
