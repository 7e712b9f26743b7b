// Operations on elements one by one: EACH of them for a thread.

// a_i <- a_i b_(i & mask).
KERNEL pointwise(GLOBAL E* RESTRICT a, u64 a_first, GLOBAL const E* RESTRICT b, u64 b_first, u64 count, u64 mask,
                 SCALE_PARAMETER, FIELD_PARAMETERS) {
  Field f = FIELD;
  u64 start = (u64)BLOCK * (GROUP * EACH) + THREAD;
  UNROLL for (u32 turn = 0; turn < EACH; turn++) {
    u64 i = start + turn * GROUP;
    if (i < count) a[a_first + i] = scaled(f, mul(f, a[a_first + i], b[b_first + (i & mask)]), SCALE);
  }
}

// Swaps the elements whose indices in a transform are the reverse of each other.
KERNEL bit_reverse(GLOBAL E* RESTRICT data, u64 first, u64 count, u32 log_n) {
  u64 start = (u64)BLOCK * (GROUP * EACH) + THREAD;
  for (u32 turn = 0; turn < EACH; turn++) {
    u64 i = start + turn * GROUP;
    u32 index = (u32)i & ((1u << log_n) - 1), reversed = 0;
    for (u32 k = 0; k < log_n; k++) reversed |= (index >> k & 1) << (log_n - 1 - k);
    if (i < count && index < reversed) {
      u64 other = first + (i - index) + reversed;
      E x = data[first + i];
      data[first + i] = data[other];
      data[other] = x;
    }
  }
}
