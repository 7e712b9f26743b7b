// CHAINS * STEPS fused multiplications and additions of doubles a round, in registers.
KERNEL double_products(GLOBAL f64* x, u32 rounds) {
  u64 at = (u64)BLOCK * GROUP + THREAD;
  // Towards 1/2, so that nothing overflows.
  f64 factor = 0.5 + x[at], values[CHAINS];
  UNROLL
  for (u32 chain = 0; chain < CHAINS; chain++) values[chain] = (f64)chain;
  for (u32 round = 0; round < rounds; round++) {
    UNROLL
    for (u32 step = 0; step < STEPS; step++) {
      UNROLL
      for (u32 chain = 0; chain < CHAINS; chain++) values[chain] = fma64(values[chain], factor, 0.25);
    }
  }
  f64 all = 0.0;
  UNROLL
  for (u32 chain = 0; chain < CHAINS; chain++) all += values[chain];
  x[at] = all < 0.0 ? 1.0 : 0.0;
}
